/* Shape rules of arithmetic of two operands. */
#include "ir/infer/values.h"
#include "ir/tensor/dim.h"

#include <string.h>

bool infer_binary(inlay_infer *cx)
{
    return infer_pair(cx, shared_type(cx), NULL);
}

/* Whether A and B are known numbers, of which C's operators give the exact result; B is not 0. */
static bool exact(inlay_dim a, inlay_dim b)
{
    return inlay_dim_is_static(a) && inlay_dim_is_static(b) && b.lo != 0 && b.lo != -1;
}

static inlay_dim value_divide_floor(inlay_dim a, inlay_dim b)
{
    if (!inlay_dim_is_static(b) || b.lo <= 0)
        return exact(a, b) ? inlay_dim_of(a.lo / b.lo - (a.lo % b.lo > 0))
                           : inlay_dim_unknown_value();
    return inlay_dim_div_floor(a, b.lo);
}

static inlay_dim value_divide_trunc(inlay_dim a, inlay_dim b)
{
    if (exact(a, b))
        return inlay_dim_of(a.lo / b.lo);
    return a.lo >= 0 ? value_divide_floor(a, b) : inlay_dim_unknown_value();
}

/* The remainder of a number that is not negative by a positive one, for which C's and the floored
 * remainder agree. */
static inlay_dim value_remainder(inlay_dim a, inlay_dim b)
{
    if (b.lo <= 0)
        return inlay_dim_unknown_value();
    if (a.lo >= 0 && a.hi < b.lo)
        return a;
    if (a.lo >= 0)
        return (inlay_dim){0, (a.hi < b.hi ? a.hi : b.hi - 1), 0};
    return (inlay_dim){b.hi == INT64_MAX ? INT64_MIN : 1 - b.hi, b.hi - 1, 0};
}

static inlay_dim value_mod(inlay_dim a, inlay_dim b)
{
    return exact(a, b) ? inlay_dim_of(a.lo % b.lo) : value_remainder(a, b);
}

static inlay_dim value_floor_mod(inlay_dim a, inlay_dim b)
{
    if (exact(a, b)) {
        int64_t r = a.lo % b.lo;

        return inlay_dim_of(r != 0 && (r < 0) != (b.lo < 0) ? r + b.lo : r);
    }
    if (a.lo < 0 && b.lo > 0)
        return (inlay_dim){0, b.hi - (b.hi != INT64_MAX), 0};
    return value_remainder(a, b);
}

/* Each line is an operation: FN says how intervals of values combine. */
#define ARITHMETIC(name, fn)                                                                       \
    bool infer_##name(inlay_infer *cx)                                                             \
    {                                                                                              \
        return infer_pair(cx, shared_type(cx), fn);                                                \
    }

ARITHMETIC(add, inlay_dim_add)
ARITHMETIC(subtract, inlay_dim_sub)
ARITHMETIC(multiply, inlay_dim_mul)
ARITHMETIC(maximum, inlay_dim_max)
ARITHMETIC(minimum, inlay_dim_min)
ARITHMETIC(mod, value_mod)
ARITHMETIC(floor_mod, value_floor_mod)

bool infer_divide(inlay_infer *cx)
{
    bool down = inlay_node_bool(cx->node, "m_pythondiv");

    return infer_pair(cx, shared_type(cx), down ? value_divide_floor : value_divide_trunc);
}

/* PReLU-1: the slope is one number a channel, or broadcasts to data; data's shape comes out. */
bool infer_prelu(inlay_infer *cx)
{
    inlay_shape data, slope;

    if (!in_check_rank(cx, 1, 1, -1))
        return false;
    inlay_infer_shape(cx, 0, &data);
    inlay_infer_shape(cx, 1, &slope);
    if (data.rank < 0 || slope.rank < 0 ||
        (slope.rank == 1 && data.rank >= 2 && inlay_dim_compatible(slope.dim[0], data.dim[1])))
        return inlay_infer_set_out_like(cx, 0, 0);
    if (!broadcasts_to(&slope, &data))
        return inlay_infer_fail(
            cx,
            "input 1 \"slope\" has shape %s: it is neither one number a channel nor "
            "does it broadcast to data %s",
            in_text(cx, 1), in_text(cx, 0));
    return inlay_infer_set_out_like(cx, 0, 0);
}
