/* Shape rule of Einsum-7. */
#include "ir/infer/equation.h"
#include "ir/infer/infer.h"

/* Axes of several operands that have one label are broadcast to one size, that of the label. Axes
 * of one operand that have one label must have equal sizes, because the diagonal is meant:
 * "ii->i". */
static bool merge_labels(inlay_infer *cx, const inlay_subscript *s, int i, inlay_dim *sizes)
{
    inlay_shape own;

    inlay_infer_shape(cx, i, &own);
    for (int k = 0; k < own.rank; k++) {
        inlay_shape a = {.rank = 1}, b = {.rank = 1}, out;
        int axis;

        for (int m = 0; m < k; m++) {
            if (s->label[m] == s->label[k] && !merge_dim(cx, i, k, own.dim[k], &own.dim[m]))
                return false;
        }
        a.dim[0] = sizes[s->label[k]];
        b.dim[0] = own.dim[k];
        if (!broadcast_shapes(&a, &b, &out, &axis))
            return inlay_infer_fail(cx,
                                    "axis %d of input %d, %s, does not fit the axes of other "
                                    "inputs with its label",
                                    k, i, in_text(cx, i));
        sizes[s->label[k]] = out.dim[0];
    }
    return true;
}

static bool set_result(inlay_infer *cx, const inlay_subscript *s, const inlay_dim *sizes, bool all)
{
    inlay_shape out = {.rank = s->rank};
    inlay_type type = shared_type(cx);

    if (s->rank < 0)
        return set_out_unknown(cx, 0, type);
    for (int k = 0; k < s->rank; k++)
        out.dim[k] = all ? sizes[s->label[k]] : inlay_dim_any();
    return inlay_infer_set_out(cx, 0, type, &out);
}

bool infer_einsum(inlay_infer *cx)
{
    inlay_subscript *s = inlay_arena_array(cx->arena, (size_t)cx->n_in + 1, sizeof *s);
    int *ranks = inlay_arena_array(cx->arena, (size_t)cx->n_in + 1, sizeof *ranks);
    inlay_dim sizes[INLAY_LABELS];
    bool all = true;
    char why[300];

    if (!s || !ranks)
        return inlay_fail_memory(cx->diags);
    for (int i = 0; i < cx->n_in; i++)
        ranks[i] = in_rank(cx, i);
    if (!inlay_equation_read(inlay_node_string(cx->node, "equation"), ranks, cx->n_in, s, why,
                             sizeof why))
        return inlay_infer_fail(cx, "%s", why);
    for (int k = 0; k < INLAY_LABELS; k++)
        sizes[k] = inlay_dim_of(1);
    for (int i = 0; i < cx->n_in; i++) {
        all = all && ranks[i] >= 0;
        if (!merge_labels(cx, &s[i], i, sizes))
            return false;
    }
    return set_result(cx, &s[cx->n_in], sizes, all);
}
