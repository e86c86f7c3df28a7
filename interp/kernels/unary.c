/* Elementwise operations of one tensor. One operation is one line: its formula in single and double
 * precision, and for integers where that is not the rounded double. A and B are its parameters.
 */
#include "interp/kernels/elementwise.h"

#include <math.h>
#include <string.h>

/* Defines the functions behind an operation. */
#define SCALARS(name, f32_form, f64_form)                                                          \
    static INLAY_CLONES void name##_f32(const row_block *k)                                        \
    {                                                                                              \
        const float a = (float)k->a, b = (float)k->b;                                              \
                                                                                                   \
        (void)a, (void)b;                                                                          \
        EACH_ROW(float, float x = ROW_X(float), f32_form)                                          \
    }                                                                                              \
    static INLAY_CLONES void name##_f64(const row_block *k)                                        \
    {                                                                                              \
        const double a = k->a, b = k->b;                                                           \
                                                                                                   \
        (void)a, (void)b;                                                                          \
        EACH_ROW(double, double x = ROW_X(double), f64_form)                                       \
    }

/* Returns y with erf(y) = x. Winitzki's approximation is within 0.4 % of y; each of Halley's steps
 * takes the error to its third power. Near 1 the steps work on erfc, which keeps what erf loses
 * there. */
static double erf_inverse(double x)
{
    const double a = 0.147, slope = 1.1283791670955126; /* 2 / sqrt(pi) */
    double m = fabs(x), l, b, y;

    if (!(m < 1))
        return m > 1 || isnan(x) ? NAN : copysign(INFINITY, x);
    if (m < 1e-8)
        return x / slope;
    l = log1p(-m * m);
    b = 2 / (3.14159265358979323846 * a) + l / 2;
    y = sqrt(sqrt(b * b - l / a) - b);
    for (int i = 0; i < 4; i++) {
        double error = (m < 0.5 ? erf(y) - m : 1 - m - erfc(y)) / (slope * exp(-y * y));

        y -= error / (1 + y * error);
    }
    return copysign(y, x);
}

#define UNARY_AS_DOUBLE(name, f32_form, f64_form, truncates)                                       \
    SCALARS(name, f32_form, f64_form)                                                              \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const unary_fn fn = {name##_f32, name##_f64, NULL, truncates};                      \
        return elementwise_unary(c, &fn, 0, 0);                                                    \
    }

/* Defines an operation without parameters; integers are computed as double and rounded, or
 * truncated. */
#define UNARY(name, f32_form, f64_form) UNARY_AS_DOUBLE(name, f32_form, f64_form, false)
#define UNARY_TRUNCATED(name, f32_form, f64_form) UNARY_AS_DOUBLE(name, f32_form, f64_form, true)

/* Defines an operation with an integer form of its own, over x and is_unsigned. */
#define UNARY_INT(name, f32_form, f64_form, i64_form)                                              \
    SCALARS(name, f32_form, f64_form)                                                              \
    static void name##_i64(int64_t *to, const int64_t *from, int64_t n, bool is_unsigned)          \
    {                                                                                              \
        (void)is_unsigned;                                                                         \
        for (int64_t i = 0; i < n; i++) {                                                          \
            int64_t x = from[i];                                                                   \
                                                                                                   \
            to[i] = i64_form;                                                                      \
        }                                                                                          \
    }                                                                                              \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const unary_fn fn = {name##_f32, name##_f64, name##_i64, false};                    \
        return elementwise_unary(c, &fn, 0, 0);                                                    \
    }

/* Defines an operation with parameters A and B, each of which is an expression over the call c. */
#define UNARY_WITH(name, a_value, b_value, f32_form, f64_form)                                     \
    SCALARS(name, f32_form, f64_form)                                                              \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const unary_fn fn = {name##_f32, name##_f64, NULL, false};                          \
        return elementwise_unary(c, &fn, a_value, b_value);                                        \
    }

/* Returns the only element of operand I, or OTHERWISE when the operand is absent. */
static double scalar(const inlay_call *c, int i, double otherwise)
{
    return call_has(c, i) && call_reads(c, i) ? inlay_tensor_get_f64(c->in[i], 0) : otherwise;
}

static double attribute(const inlay_call *c, const char *name)
{
    return inlay_node_float(c->node, name);
}

static const double sqrt_half = 0.70710678118654752440, sqrt_2_over_pi = 0.79788456080286535588;

static float softplus_f(float x)
{
    return (x > 0 ? x : 0) + log1pf(expf(-fabsf(x)));
}
static double softplus_d(double x)
{
    return (x > 0 ? x : 0) + log1p(exp(-fabs(x)));
}
static float clip_f(float x, float lo, float hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}
static double clip_d(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

#define NEGATIVE(x) (!is_unsigned && (x) < 0)

UNARY_INT(abs, fabsf(x), fabs(x), NEGATIVE(x) ? wrap_sub(0, x) : x)
UNARY_INT(ceiling, ceilf(x), ceil(x), x)
UNARY_INT(floor, floorf(x), floor(x), x)
UNARY_INT(negative, -x, -x, wrap_sub(0, x))
UNARY_INT(relu, x <= 0 ? 0 : x, x <= 0 ? 0 : x, NEGATIVE(x) ? 0 : x)
UNARY_INT(sign, x > 0 ? 1 : x < 0 ? -1 : x, x > 0 ? 1 : x < 0 ? -1 : x, NEGATIVE(x) ? -1 : x != 0)
UNARY_INT(round_even, rintf(x), rint(x), x)
UNARY_INT(round_away, roundf(x), round(x), x)

UNARY(acos, acosf(x), acos(x))
UNARY(acosh, acoshf(x), acosh(x))
UNARY(asin, asinf(x), asin(x))
UNARY(asinh, asinhf(x), asinh(x))
UNARY(atan, atanf(x), atan(x))
UNARY(atanh, atanhf(x), atanh(x))
UNARY(cos, cosf(x), cos(x))
UNARY(cosh, coshf(x), cosh(x))
UNARY(erf, erff(x), erf(x))
UNARY_TRUNCATED(exp, expf(x), exp(x))
UNARY_TRUNCATED(log, logf(x), log(x))
UNARY(sin, sinf(x), sin(x))
UNARY(sinh, sinhf(x), sinh(x))
UNARY(sqrt, sqrtf(x), sqrt(x))
UNARY(tan, tanf(x), tan(x))
UNARY(tanh, tanhf(x), tanh(x))

UNARY(sigmoid, 1 / (1 + expf(-x)), 1 / (1 + exp(-x)))
UNARY(gelu_erf, x *(0.5f * (1 + erff(x * (float)sqrt_half))), x *(0.5 * (1 + erf(x * sqrt_half))))
UNARY(gelu_tanh, x *(0.5f * (1 + tanhf((float)sqrt_2_over_pi * (x + 0.044715f * (x * x * x))))),
      x *(0.5 * (1 + tanh(sqrt_2_over_pi * (x + 0.044715 * (x * x * x))))))
UNARY(hsigmoid, clip_f(x + 3, 0, 6) / 6, clip_d(x + 3, 0, 6) / 6)
UNARY(hswish, x *clip_f(x + 3, 0, 6) / 6, x *clip_d(x + 3, 0, 6) / 6)
UNARY(mish, x *tanhf(softplus_f(x)), x *tanh(softplus_d(x)))
UNARY(softplus, softplus_f(x), softplus_d(x))
UNARY(erf_inv, (float)erf_inverse(x), erf_inverse(x))
UNARY(softsign, x / (1 + fabsf(x)), x / (1 + fabs(x)))

UNARY_WITH(elu, attribute(c, "alpha"), 0, x > 0 ? x : a * (expf(x) - 1),
           x > 0 ? x : a * (exp(x) - 1))
UNARY_WITH(selu, scalar(c, 1, 0), scalar(c, 2, 0), b *(x > 0 ? x : a * (expf(x) - 1)),
           b *(x > 0 ? x : a * (exp(x) - 1)))
UNARY_WITH(hard_sigmoid, scalar(c, 1, 0), scalar(c, 2, 0), clip_f(a *x + b, 0, 1),
           clip_d(a *x + b, 0, 1))
UNARY_WITH(swish, scalar(c, 1, 1), 0, x / (1 + expf(-(a * x))), x / (1 + exp(-(a * x))))

static bool attribute_is(const inlay_call *c, const char *name, const char *value)
{
    return strcmp(inlay_node_string(c->node, name), value) == 0;
}

bool eval_gelu(inlay_call *c)
{
    return attribute_is(c, "approximation_mode", "tanh") ? eval_gelu_tanh(c) : eval_gelu_erf(c);
}

bool eval_round(inlay_call *c)
{
    return attribute_is(c, "mode", "half_to_even") ? eval_round_even(c) : eval_round_away(c);
}

/* In Clamp-1 of integers, min is rounded up and max is rounded down. */
static bool clamp_integers(inlay_call *c)
{
    inlay_type type = c->in[0]->type;
    int64_t n = inlay_tensor_count(c->in[0]);
    int64_t min = saturated_integer(type, ceil(attribute(c, "min")));
    int64_t max = saturated_integer(type, floor(attribute(c, "max")));
    const int64_t *x = load_i64(c, 0);
    int64_t *y = inlay_call_memory(c, n, sizeof *y);

    if (!x || !y)
        return false;
    for (int64_t i = 0; i < n; i++) {
        int64_t above = less_int(x[i], min, type == INLAY_U64) ? min : x[i];

        y[i] = less_int(max, above, type == INLAY_U64) ? max : above;
    }
    return store_i64(c, 0, y);
}

UNARY_WITH(clamp_floats, attribute(c, "min"), attribute(c, "max"), clip_f(x, a, b), clip_d(x, a, b))

bool eval_clamp(inlay_call *c)
{
    return inlay_type_is_int(c->in[0]->type) ? clamp_integers(c) : eval_clamp_floats(c);
}
