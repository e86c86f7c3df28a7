/* Shape rules of comparisons and of tests of one operand. */
#include "ir/infer/values.h"

static inlay_dim value_less(inlay_dim a, inlay_dim b)
{
    return truth(a.hi < b.lo, a.lo >= b.hi || inlay_dim_proven_equal(a, b));
}

static inlay_dim value_greater(inlay_dim a, inlay_dim b)
{
    return value_less(b, a);
}

static inlay_dim value_less_equal(inlay_dim a, inlay_dim b)
{
    return value_not(value_less(b, a));
}

static inlay_dim value_greater_equal(inlay_dim a, inlay_dim b)
{
    return value_not(value_less(a, b));
}

#define TRUTH(name, fn)                                                                            \
    bool infer_##name(inlay_infer *cx)                                                             \
    {                                                                                              \
        return infer_pair(cx, INLAY_BOOLEAN, fn);                                                  \
    }

TRUTH(equal, value_equal)
TRUTH(not_equal, value_not_equal)
TRUTH(less, value_less)
TRUTH(less_equal, value_less_equal)
TRUTH(greater, value_greater)
TRUTH(greater_equal, value_greater_equal)

/* IsFinite, IsInf, IsNaN. */
bool infer_test(inlay_infer *cx)
{
    return set_out_as(cx, 0, 0, INLAY_BOOLEAN);
}
