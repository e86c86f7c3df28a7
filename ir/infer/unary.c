/* Shape rules of operations of one operand, element by element. */
#include "ir/infer/values.h"
#include "ir/tensor/dim.h"

bool infer_unary(inlay_infer *cx)
{
    return inlay_infer_set_out_like(cx, 0, 0);
}

/* What is known of the elements comes out negated. */
bool infer_negative(inlay_infer *cx)
{
    inlay_dim values[INLAY_MAX_KNOWN];
    inlay_type type = cx->in[0]->type;
    int n;
    const inlay_dim *x = in_known(cx, 0, &n);

    if (!inlay_infer_set_out_like(cx, 0, 0))
        return false;
    if (!x || !follows_values(type))
        return true;
    for (int i = 0; i < n; i++)
        values[i] = combine_values(inlay_dim_sub, type, inlay_dim_of(0), x[i]);
    return inlay_infer_set_known(cx, 0, values, n);
}

/* Checks that operand I is one number, of at most MAX_RANK axes. */
static bool check_single(inlay_infer *cx, int i, int max_rank)
{
    const inlay_fact *f = in_has(cx, i) ? cx->in[i] : NULL;

    if (!f || f->rank <= 0)
        return true;
    if (f->rank <= max_rank && inlay_dim_compatible(f->dims[0], inlay_dim_of(1)))
        return true;
    return inlay_infer_fail(cx, "input %d \"%s\" has shape %s, it must be one number", i,
                            in_name(cx, i), in_text(cx, i));
}

/* Selu, HardSigmoid and Swish have data and one or two numbers. */
bool infer_unary_with_numbers(inlay_infer *cx)
{
    for (int i = 1; i < cx->n_in; i++) {
        if (!check_single(cx, i, 1))
            return false;
    }
    return inlay_infer_set_out_like(cx, 0, 0);
}
