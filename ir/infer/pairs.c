/* Elementwise results of two operands, and their values where known. So sizes that a model computes
 * are known: ShapeOf, Gather, Add, Concat, Reshape. */
#include "ir/infer/values.h"
#include "ir/tensor/dim.h"

#include <string.h>

/* The row-major strides with which an operand of shape S is seen as one of shape OUT, to which
 * numpy broadcasts it. */
static void value_strides(const inlay_shape *s, const inlay_shape *out, int *strides)
{
    int step = 1, lead = out->rank - s->rank;

    for (int i = out->rank - 1; i >= 0; i--) {
        int64_t dim = i < lead ? 1 : s->dim[i - lead].lo;

        strides[i] = dim == 1 ? 0 : step;
        step *= (int)dim;
    }
}

/* Returns the number of elements when S is static and small enough to be followed, else -1. */
static int followed_count(const inlay_shape *s)
{
    int64_t n = 1;

    if (!inlay_shape_is_static(s))
        return -1;
    for (int i = 0; i < s->rank; i++) {
        if (s->dim[i].lo > INLAY_MAX_KNOWN)
            return -1;
        n *= s->dim[i].lo;
        if (n > INLAY_MAX_KNOWN)
            return -1;
    }
    return (int)n;
}

/* Sets *OUT to FN of the elements A and B of TYPE. If it did not wrap, a sum, a difference and a
 * multiple have the identity of that sum. */
static bool combine(inlay_infer *cx, value_fn *fn, inlay_type type, inlay_dim a, inlay_dim b,
                    inlay_dim *out)
{
    inlay_dim exact = fn(a, b), none = inlay_dim_of(0);

    *out = combine_values(fn, type, a, b);
    if (!inlay_dims_same_bounds(out, &exact, 1))
        return true;
    if (fn == inlay_dim_add)
        return sum_name(cx, a, 1, b, out);
    if (fn == inlay_dim_sub)
        return sum_name(cx, a, -1, b, out);
    if (fn == inlay_dim_mul && inlay_dim_is_static(b))
        return sum_name(cx, none, b.lo, a, out);
    if (fn == inlay_dim_mul && inlay_dim_is_static(a))
        return sum_name(cx, none, a.lo, b, out);
    return true;
}

static bool set_known_pairs(inlay_infer *cx, const inlay_shape *out, value_fn *fn)
{
    inlay_dim values[INLAY_MAX_KNOWN];
    int n_a, n_b, n, sa[INLAY_MAX_RANK], sb[INLAY_MAX_RANK];
    const inlay_dim *a = in_known(cx, 0, &n_a), *b = in_known(cx, 1, &n_b);
    inlay_shape shape_a, shape_b;

    if (!a || !b || (n = followed_count(out)) < 0 || !follows_values(cx->in[0]->type) ||
        strcmp(inlay_node_string(cx->node, "auto_broadcast"), "pdpd") == 0)
        return true;
    inlay_infer_shape(cx, 0, &shape_a);
    inlay_infer_shape(cx, 1, &shape_b);
    if (followed_count(&shape_a) != n_a || followed_count(&shape_b) != n_b)
        return true;
    value_strides(&shape_a, out, sa);
    value_strides(&shape_b, out, sb);
    for (int k = 0; k < n; k++) {
        int i = 0, j = 0, rest = k;

        for (int axis = out->rank - 1; axis >= 0; axis--) {
            int at = rest % (int)out->dim[axis].lo;

            rest /= (int)out->dim[axis].lo;
            i += at * sa[axis];
            j += at * sb[axis];
        }
        if (!combine(cx, fn, cx->out[0].type, a[i], b[j], &values[k]))
            return false;
    }
    return inlay_infer_set_known(cx, 0, values, n);
}

bool infer_pair(inlay_infer *cx, inlay_type type, value_fn *fn)
{
    inlay_shape out;

    if (!inlay_infer_broadcast(cx, 0, 1, inlay_node_string(cx->node, "auto_broadcast"), &out) ||
        !inlay_infer_set_out(cx, 0, type, &out))
        return false;
    return !fn || set_known_pairs(cx, &out, fn);
}
