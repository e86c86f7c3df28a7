/* Shape rules of logic on truth values and on bits. */
#include "ir/infer/values.h"

static inlay_dim value_and(inlay_dim a, inlay_dim b)
{
    return (inlay_dim){a.lo && b.lo, a.hi && b.hi, 0};
}

static inlay_dim value_or(inlay_dim a, inlay_dim b)
{
    return (inlay_dim){a.lo || b.lo, a.hi || b.hi, 0};
}

static inlay_dim value_xor(inlay_dim a, inlay_dim b)
{
    return value_not_equal(a, b);
}

#define TRUTH(name, fn)                                                                            \
    bool infer_##name(inlay_infer *cx)                                                             \
    {                                                                                              \
        return infer_pair(cx, INLAY_BOOLEAN, fn);                                                  \
    }

TRUTH(logical_and, value_and)
TRUTH(logical_or, value_or)
TRUTH(logical_xor, value_xor)

bool infer_logical_not(inlay_infer *cx)
{
    inlay_dim values[INLAY_MAX_KNOWN];
    int n;
    const inlay_dim *known = in_known(cx, 0, &n);

    if (!set_out_as(cx, 0, 0, INLAY_BOOLEAN) || !known)
        return cx->out[0].type == INLAY_BOOLEAN;
    for (int i = 0; i < n; i++)
        values[i] = value_not(known[i]);
    return inlay_infer_set_known(cx, 0, values, n);
}

bool infer_bitwise(inlay_infer *cx)
{
    return infer_pair(cx, shared_type(cx), NULL);
}

bool infer_bitwise_not(inlay_infer *cx)
{
    return inlay_infer_set_out_like(cx, 0, 0);
}
