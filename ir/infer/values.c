/* Known values of small integer and boolean tensors, as intervals. */
#include "ir/infer/values.h"

bool follows_values(inlay_type type)
{
    return (inlay_type_is_int(type) && type != INLAY_U64) || type == INLAY_BOOLEAN;
}

/* Returns the interval of all elements of TYPE. */
static inlay_dim range_of(inlay_type type)
{
    const inlay_type_info *info = inlay_type_info_of(type);

    if (type == INLAY_BOOLEAN)
        return (inlay_dim){0, 1, 0};
    if (info->bits >= 64)
        return inlay_dim_unknown_value();
    if (info->cls == INLAY_CLASS_UNSIGNED)
        return (inlay_dim){0, (INT64_C(1) << info->bits) - 1, 0};
    return (inlay_dim){-(INT64_C(1) << (info->bits - 1)), (INT64_C(1) << (info->bits - 1)) - 1, 0};
}

inlay_dim fit_value(inlay_type type, inlay_dim d)
{
    inlay_dim range = range_of(type);

    return d.lo < range.lo || d.hi > range.hi ? range : d;
}

/* Whether D has both bounds. A known number is its own bound, whatever it is; an extreme end of an
 * interval means no bound. */
static bool is_bounded(inlay_dim d)
{
    return inlay_dim_is_static(d) || (d.lo != INT64_MIN && d.hi != INT64_MAX);
}

/* Whether D, computed from A and B, reached an end of the range of inlay_dim: its lower bound the
 * upper end, its upper bound the lower end, or a bound the end on its own side although A and B are
 * bounded. Interval arithmetic must not let such a D look like a known number. */
static bool saturated(inlay_dim a, inlay_dim b, inlay_dim d)
{
    if (inlay_dim_is_static(d))
        return false;
    return d.lo >= INT64_MAX - 1 || d.hi <= INT64_MIN + 1 ||
           (is_bounded(a) && is_bounded(b) && (d.lo == INT64_MIN || d.hi == INT64_MAX));
}

inlay_dim combine_values(value_fn *fn, inlay_type type, inlay_dim a, inlay_dim b)
{
    inlay_dim d = fn(a, b);

    if (saturated(a, b, d))
        return range_of(type); /* the program's arithmetic wraps there */
    return fit_value(type, d);
}

inlay_dim truth(bool yes, bool no)
{
    return (inlay_dim){yes ? 1 : 0, no ? 0 : 1, 0};
}

inlay_dim value_equal(inlay_dim a, inlay_dim b)
{
    return truth(inlay_dim_proven_equal(a, b), a.hi < b.lo || b.hi < a.lo);
}

inlay_dim value_not(inlay_dim a)
{
    return (inlay_dim){1 - a.hi, 1 - a.lo, 0};
}

inlay_dim value_not_equal(inlay_dim a, inlay_dim b)
{
    return value_not(value_equal(a, b));
}
