/* Conversions between element types: integers wrap, floats round once to the nearest. Floats become
 * integers by truncation; then unsigned and packed types wrap, the others saturate, and NaN becomes
 * 0. Anything but zero is true. */
#include "interp/call/share.h"

#include <math.h>

static bool to_boolean(inlay_call *c)
{
    const bool *x = load_bool(c, 0);

    return x && store_bool(c, 0, x);
}

static bool from_float(inlay_call *c)
{
    const double *x = load_f64(c, 0);

    return x && store_f64(c, 0, x);
}

/* Does a float that TYPE does not hold wrap? */
static bool wraps(inlay_type type)
{
    const inlay_type_info *info = inlay_type_info_of(type);

    return info->cls == INLAY_CLASS_UNSIGNED || (info->cls == INLAY_CLASS_SIGNED && info->bits < 8);
}

/* X toward zero, modulo 2^64: the lowest bits are those of narrower types. */
static uint64_t wrapped(double x)
{
    double rest = isfinite(x) ? fmod(trunc(x), 0x1p64) : 0;

    return rest < 0 ? -(uint64_t)-rest : (uint64_t)rest;
}

static bool wrap_float(inlay_call *c)
{
    int64_t n = inlay_tensor_count(c->in[0]);
    const double *x = load_f64(c, 0);
    int64_t *y = inlay_call_memory(c, n, sizeof *y);

    if (!x || !y)
        return false;
    for (int64_t i = 0; i < n; i++)
        y[i] = (int64_t)wrapped(x[i]);
    return store_i64(c, 0, y);
}

/* A double whose last bit stands for all the bits that X has too many, so that rounding it once
 * more gives what rounding X would have. */
static double round_to_odd(uint64_t x)
{
    uint64_t rest = x & 0x7ff;

    return (double)((x ^ rest) | (rest ? 0x800 : 0));
}

/* u64 to a float: above INT64_MAX its bits are no int64_t. */
static bool from_u64(inlay_call *c)
{
    int64_t n = inlay_tensor_count(c->in[0]);
    const int64_t *x = load_i64(c, 0);
    double *y = inlay_call_memory(c, n, sizeof *y);
    bool to_double = c->out[0]->type == INLAY_F64;

    if (!x || !y)
        return false;
    for (int64_t i = 0; i < n; i++) {
        uint64_t u = (uint64_t)x[i];

        y[i] = to_double || u >> 53 == 0 ? (double)u : round_to_odd(u);
    }
    return store_f64(c, 0, y);
}

static bool from_integer(inlay_call *c)
{
    const int64_t *x = load_i64(c, 0);

    return x && store_i64(c, 0, x);
}

bool eval_convert(inlay_call *c)
{
    inlay_type from = c->in[0]->type, to = c->out[0]->type;

    if (from == to)
        return inlay_call_copy(c, 0, 0);
    if (to == INLAY_BOOLEAN)
        return to_boolean(c);
    if (inlay_type_is_float(from))
        return wraps(to) ? wrap_float(c) : from_float(c);
    if (from == INLAY_U64 && inlay_type_is_float(to))
        return from_u64(c);
    return from_integer(c);
}
