/* Conversions between element types: integers wrap, floats round once to the nearest. Floats become
 * integers by truncation; then unsigned and packed types wrap, the others saturate, and NaN becomes
 * 0. Anything but zero is true. */
#include "interp/kernels/cast.h"
#include "interp/kernels/rows.h"

#include <math.h>
#include <string.h>

/* What a row of numbers becomes before it is stored. */
typedef enum step { AS_IT_IS, IS_ZERO_OR_NOT, WRAPPED, HELD } step;

typedef struct conversion {
    step make;
    double most, nan; /* HELD: the largest number, and what NaN becomes */
} conversion;

/* Whether a float that TYPE cannot represent wraps. */
static bool wraps(inlay_type type)
{
    const inlay_type_info *info = inlay_type_info_of(type);

    return info->cls == INLAY_CLASS_UNSIGNED || (info->cls == INLAY_CLASS_SIGNED && info->bits < 8);
}

/* Defines the conversion of rows by way of numbers T. MAKE: what they become, unless they stay as
 * they are. */
#define DEFINE_CONVERSION(T, suffix)                                                               \
    static void store_truth_##suffix(const row_lane *to, int64_t at, int64_t n, const T *x)        \
    {                                                                                              \
        int64_t y[ROW_TILE];                                                                       \
                                                                                                   \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] = x[i] != 0;                                                                      \
        store_row_i64(to->t, to->at + at * to->step, to->step, n, y);                              \
    }                                                                                              \
                                                                                                   \
    static void store_held_##suffix(const row_lane *to, int64_t at, int64_t n, const T *x,         \
                                    const conversion *c)                                           \
    {                                                                                              \
        const T most = (T)c->most, less = -most, nan = isnan(c->nan) ? 0 : (T)c->nan;              \
        const bool keeps = isnan(c->nan);                                                          \
        T y[ROW_TILE];                                                                             \
                                                                                                   \
        for (int64_t i = 0; i < n; i++) {                                                          \
            T held = x[i] > most ? most : x[i] < less ? less : x[i];                               \
                                                                                                   \
            y[i] = held == held || keeps ? held : nan;                                             \
        }                                                                                          \
        store_row_##suffix(to->t, to->at + at * to->step, to->step, n, y);                         \
    }                                                                                              \
                                                                                                   \
    static void convert_##suffix(void *ctx, row_walk *w)                                           \
    {                                                                                              \
        const conversion *c = ctx;                                                                 \
        const row_lane *to = &w->lane[0];                                                          \
        T x[ROW_TILE];                                                                             \
                                                                                                   \
        for (; !w->done; rows_next(w)) {                                                           \
            for (int64_t at = 0; at < w->length; at += ROW_TILE) {                                 \
                int64_t n = rows_tile(w, at);                                                      \
                const T *from = rows_read_##suffix(&w->lane[1], at, n, x);                         \
                                                                                                   \
                if (c->make == AS_IT_IS)                                                           \
                    store_row_##suffix(to->t, to->at + at * to->step, to->step, n, from);          \
                else if (c->make == IS_ZERO_OR_NOT)                                                \
                    store_truth_##suffix(to, at, n, from);                                         \
                else if (c->make == WRAPPED)                                                       \
                    store_wrapped_##suffix(to, at, n, from);                                       \
                else                                                                               \
                    store_held_##suffix(to, at, n, from, c);                                       \
            }                                                                                      \
        }                                                                                          \
    }

#define DEFINE_WRAPPED(T, suffix, form)                                                            \
    static void store_wrapped_##suffix(const row_lane *to, int64_t at, int64_t n, const T *x)      \
    {                                                                                              \
        int64_t y[ROW_TILE];                                                                       \
                                                                                                   \
        for (int64_t i = 0; i < n; i++)                                                            \
            y[i] = form;                                                                           \
        store_row_i64(to->t, to->at + at * to->step, to->step, n, y);                              \
    }

/* Most floats are small enough for an integer. */
#define WRAP(x, most) (fabs(x) < (most) ? (int64_t)(x) : (int64_t)cast_wrapped((double)(x)))
DEFINE_WRAPPED(float, f32, WRAP(x[i], 0x1p62F))
DEFINE_WRAPPED(double, f64, WRAP(x[i], 0x1p62))
DEFINE_WRAPPED(int64_t, i64, x[i])
DEFINE_CONVERSION(float, f32)
DEFINE_CONVERSION(double, f64)
DEFINE_CONVERSION(int64_t, i64)

enum { CONVERT_COST = 2 };

static bool convert_rows(inlay_call *c, conversion how)
{
    inlay_domain domain = load_domain(c->in[0]->type);
    rows_fn *fn = domain == DOMAIN_F32   ? convert_f32
                  : domain == DOMAIN_F64 ? convert_f64
                                         : convert_i64;
    row_walk w;

    rows_output(&w, c->out[0]);
    rows_operand(&w, c->in[0], c->in[0]->strides);
    rows_begin(&w, domain);
    rows_split(c, &w, CONVERT_COST, fn, &how);
    return true;
}

/* Rounds X to a double whose last bit is 1 if any bit was lost (round to odd). Rounding that double
 * to a narrower type gives the same as rounding X itself. */
static double round_to_odd(uint64_t x)
{
    uint64_t rest = x & 0x7ff;

    return (double)((x ^ rest) | (rest ? 0x800 : 0));
}

/* Converts u64 to a float. Numbers above INT64_MAX are no int64_t, so they need a way of their
 * own. */
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

/* Announces the row function for this conversion, if there is one. False: the executor needed no
 * more than that. */
static bool announce(inlay_call *c)
{
    row_form f = {.run = cast_row(c->in[0]->type, c->out[0]->type), .n = 1};
    size_t bytes = (size_t)c->in[0]->rank * sizeof *f.strides[0];

    f.from[0] = c->in[0]->type;
    f.to = c->out[0]->type;
    f.op = cast_op(f.from[0], f.to);
    f.a = f.op == ROW_READS ? f.from[0] : f.to;
    if (bytes > 0)
        memcpy(f.strides[0], c->in[0]->strides, bytes);
    if (f.run)
        call_form(c, &f);
    return call_settle(c);
}

bool eval_convert(inlay_call *c)
{
    inlay_type from = c->in[0]->type, to = c->out[0]->type;
    conversion how = {0};

    if (from == to)
        return inlay_call_copy(c, 0, 0);
    if (!announce(c))
        return false;
    if (from == INLAY_U64 && inlay_type_is_float(to))
        return from_u64(c);
    how.make = to == INLAY_BOOLEAN                      ? IS_ZERO_OR_NOT
               : inlay_type_is_float(from) && wraps(to) ? WRAPPED
                                                        : AS_IT_IS;
    return convert_rows(c, how);
}

/* Each operand is converted by itself. */
bool eval_convert_promote_types(inlay_call *c)
{
    inlay_call one = *c;

    if (!eval_convert(&one))
        return false;
    one.in = c->in + 1;
    one.out = c->out + 1;
    return eval_convert(&one);
}

/* ONNX's Cast */

/* Returns the largest finite number of a float of 8 bits that has a sign; 0: TYPE is none. */
static double largest_f8(inlay_type type)
{
    switch (type) {
    case INLAY_F8E4M3:
        return 448;
    case INLAY_F8E4M3FNUZ:
        return 240;
    case INLAY_F8E5M2:
    case INLAY_F8E5M2FNUZ:
        return 57344;
    default:
        return 0;
    }
}

/* Returns the power of two that X becomes in f8e8m0, which has no sign and no zero. NaN: the type
 * has no number for X. */
static double power_of_two(double x, bool saturate, const char *mode)
{
    double significand, least = 0x1p-127, most = 0x1p127;
    int exponent;

    x = fabs(x);
    if (!isfinite(x))
        return NAN;
    if (x <= least)
        return least;
    significand = 2 * frexp(x, &exponent);
    if ((mode[0] == 'u' && significand > 1) || (mode[0] == 'n' && significand >= 1.5))
        exponent++;
    x = ldexp(1, exponent - 1);
    return x <= most ? x : saturate ? most : NAN;
}

static double narrowed(const inlay_call *c, inlay_type type, double x)
{
    bool saturate = inlay_node_bool(c->node, "saturate");
    double most = saturate ? largest_f8(type) : 0;

    if (type == INLAY_F8E8M0)
        return power_of_two(x, saturate, inlay_node_string(c->node, "round_mode"));
    if (type == INLAY_F4E2M1 && isnan(x))
        return -0.0;
    return most > 0 && fabs(x) > most ? copysign(most, x) : x;
}

/* Converts to a float of 4 or 8 bits. */
static bool narrow_cast(inlay_call *c)
{
    inlay_type from = c->in[0]->type, to = c->out[0]->type;
    int64_t n = inlay_tensor_count(c->in[0]);
    double most = inlay_node_bool(c->node, "saturate") ? largest_f8(to) : 0;
    const double *x;
    double *y;

    if (most > 0 && from != INLAY_U64)
        return convert_rows(c, (conversion){HELD, most, NAN});
    if (to == INLAY_F4E2M1 && inlay_type_is_float(from))
        return convert_rows(c, (conversion){HELD, INFINITY, -0.0});
    x = load_f64(c, 0);
    y = inlay_call_memory(c, n, sizeof *y);
    if (!x || !y)
        return false;
    for (int64_t i = 0; i < n; i++)
        y[i] = narrowed(c, to, x[i]);
    return store_f64(c, 0, y);
}

static bool to_strings(inlay_call *c)
{
    const inlay_tensor *x = c->in[0];
    char text[ELEMENT_PLAIN];

    for (int64_t i = 0, n = inlay_tensor_count(x); i < n; i++) {
        inlay_element_plain(x->type, x->data, inlay_tensor_index(x, i), text, sizeof text);
        if (!call_put_string(c, c->out[0], i, text, strlen(text)))
            return false;
    }
    return true;
}

/* Converts strings to numbers: doubles or integers, as the type of the output is computed. */
static bool from_strings(inlay_call *c)
{
    int64_t n = inlay_tensor_count(c->in[0]);
    bool integers = inlay_type_is_int(c->out[0]->type);
    double *x = inlay_call_memory(c, n, sizeof *x);
    int64_t *k = inlay_call_memory(c, n, sizeof *k);

    if (!x || !k)
        return false;
    for (int64_t i = 0; i < n; i++) {
        inlay_string s = inlay_tensor_get_string(c->in[0], i);

        if (!inlay_number_of_text(s.bytes, s.length, &x[i], &k[i]))
            return inlay_call_fail(c, "%s is \"%.*s\", it must be a number",
                                   call_element_name(c, 0, i), s.length < 80 ? (int)s.length : 80,
                                   s.bytes);
        x[i] = integers ? x[i] : narrowed(c, c->out[0]->type, x[i]);
    }
    return integers ? store_i64(c, 0, k) : store_f64(c, 0, x);
}

bool eval_onnx_cast(inlay_call *c)
{
    inlay_type from = c->in[0]->type, to = c->out[0]->type;

    if (from == to)
        return inlay_call_copy(c, 0, 0);
    if (to == INLAY_STRING)
        return to_strings(c);
    if (from == INLAY_STRING)
        return from_strings(c);
    if (largest_f8(to) > 0 || to == INLAY_F8E8M0 || to == INLAY_F4E2M1)
        return narrow_cast(c);
    return eval_convert(c);
}

/* The bits stay the same, so they are copied as if the output had the operand's type. */
bool eval_onnx_bit_cast(inlay_call *c)
{
    inlay_tensor as = *c->out[0];

    as.type = c->in[0]->type;
    return inlay_tensor_assign(&as, c->in[0]) || inlay_fail_memory(c->diags);
}
