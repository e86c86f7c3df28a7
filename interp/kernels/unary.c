/* Elementwise operations of one tensor. One operation is one line: its formula in single and double
 * precision, and for integers if that is not the rounded double. A and B are its parameters. */
#include "interp/kernels/elementwise.h"
#include "interp/kernels/formulas.h"
#include "interp/maths/maths.h"
#include "interp/maths/rows.h"

#include <math.h>
#include <string.h>

#define PICK(condition, a, b) ((condition) ? (a) : (b))

/* Defines the function behind an operation for one type. */
#define SCALAR(T, name, form)                                                                      \
    static INLAY_CLONES void name(const row_block *k)                                              \
    {                                                                                              \
        const T a = (T)k->a, b = (T)k->b;                                                          \
                                                                                                   \
        (void)a, (void)b;                                                                          \
        EACH_ROW(T, T x = ROW_X(T), form)                                                          \
    }
#define SCALARS(name, f32_form, f64_form)                                                          \
    SCALAR(float, name##_f32, f32_form)                                                            \
    SCALAR(double, name##_f64, f64_form)

/* Whether all numbers of a block are small enough for the fast forms of sin, cos and tan. */
static INLAY_CLONES bool is_near(const row_block *block)
{
    int far = 0;

    for (int64_t r = 0, n = block->length; r < block->rows; r++)
        for (int64_t i = 0; i < n; i++)
            far |= !(fabsf(ROW_X(float)) <= MATHS_NEAR);
    return !far;
}

/* Returns y with erf(y) = x. Winitzki's approximation is within 0.4 % of y; each of Halley's steps
 * cubes the error. Near 1 the steps use erfc, which keeps the bits that erf loses there. */
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
        double error = (m < 0.5 ? erf(y) - m : 1 - m - erfc(y)) / (slope * maths_exp_f64(-y * y));

        y -= error / (1 + y * error);
    }
    return copysign(y, x);
}

#define AS_DOUBLE_OP(name, truncates, op)                                                          \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const unary_fn fn = {name##_f32, name##_f64, NULL, truncates, {0}, op};             \
        return elementwise_unary(c, &fn, 0, 0);                                                    \
    }
#define AS_DOUBLE(name, truncates) AS_DOUBLE_OP(name, truncates, ROW_OTHER)

/* Defines an operation without parameters; integers are computed as double and rounded, or
 * truncated. */
#define UNARY(name, f32_form, f64_form) SCALARS(name, f32_form, f64_form) AS_DOUBLE(name, false)
#define UNARY_TRUNCATED(name, f32_form, f64_form)                                                  \
    SCALARS(name, f32_form, f64_form) AS_DOUBLE(name, true)

/* Defines a function of blocks: the rows ROW of interp/maths. */
#define MATHS_ROWS(linkage, name, row)                                                             \
    linkage void name(const row_block *k)                                                          \
    {                                                                                              \
        const maths_rows *rows = maths_best_rows();                                                \
                                                                                                   \
        for (int64_t r = 0; r < k->rows; r++)                                                      \
            rows->row((float *)(void *)(k->to + r * k->to_pitch),                                  \
                      (const float *)(const void *)(k->x + r * k->x_pitch), k->length, k->a,       \
                      k->b);                                                                       \
    }
/* Defines the functions behind an operation whose rows of f32 are such. */
#define BY_ROWS(name, f64_form)                                                                    \
    SCALAR(double, name##_f64, f64_form)                                                           \
    MATHS_ROWS(static, name##_f32, name)
#define UNARY_BY_ROWS(name, f64_form) BY_ROWS(name, f64_form) AS_DOUBLE(name, false)

/* Defines sin, cos or tan. */
#define CIRCULAR(name)                                                                             \
    SCALAR(float, name##_near, maths_##name##_near(x))                                             \
    SCALAR(float, name##_far, maths_##name(x))                                                     \
    SCALAR(double, name##_f64, name(x))                                                            \
    static void name##_f32(const row_block *k)                                                     \
    {                                                                                              \
        (is_near(k) ? name##_near : name##_far)(k);                                                \
    }                                                                                              \
    AS_DOUBLE(name, false)

#define WHOLE(name, T, form)                                                                       \
    static inline T name##_##T(T x, bool is_unsigned)                                              \
    {                                                                                              \
        (void)is_unsigned;                                                                         \
        return (T)(form);                                                                          \
    }
#define INT_ROWS(name, T, suffix, form)                                                            \
    WHOLE(name, T, form)                                                                           \
    static INLAY_CLONES void name##_rows_##suffix(const row_block *k)                              \
    {                                                                                              \
        EACH_ROW(T, T x = ROW_X(T), name##_##T(x, false))                                          \
    }

/* Defines the loop on int64_t over the function that INT_ROWS has defined. */
#define WHOLE_LOOP(name)                                                                           \
    static void name##_i64(int64_t *to, const int64_t *from, int64_t n, bool is_unsigned)          \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            to[i] = name##_int64_t(from[i], is_unsigned);                                          \
    }

/* Defines an operation with an integer form of its own, over x and is_unsigned. OP is what its rows
 * of f32 are (call/stages.h). */
#define UNARY_INT_OP(name, op, rows, f32_form, f64_form, i64_form)                                 \
    SCALARS(name, f32_form, f64_form)                                                              \
    DEFINE_##rows(name, i64_form) WHOLE_LOOP(name) bool eval_##name(inlay_call *c)                 \
    {                                                                                              \
        static const unary_fn fn = {name##_f32, name##_f64, name##_i64, false, rows(name), op};    \
        return elementwise_unary(c, &fn, 0, 0);                                                    \
    }

#define UNARY_INT(name, f32_form, f64_form, i64_form)                                              \
    UNARY_INT_OP(name, ROW_OTHER, ROWS_OF_EACH, f32_form, f64_form, i64_form)

/* Defines an operation with parameters A and B, each of which is an expression over the call c. */
#define UNARY_WITH(name, op, a_value, b_value, f32_form, f64_form)                                 \
    SCALARS(name, f32_form, f64_form)                                                              \
    WITH(name, op, a_value, b_value)
#define WITH(name, op, a_value, b_value)                                                           \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const unary_fn fn = {name##_f32, name##_f64, NULL, false, {0}, op};                 \
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

static double sigmoid_d(double x)
{
    double e = maths_exp_f64(-fabs(x));

    return (x < 0 ? e : 1) / (1 + e);
}

/* Returns x sigmoid(v). If v is far below 0, exp(v) has few bits left, but its root has all. */
static double gated_d(double x, double v)
{
    double root = maths_exp_f64(v / 2);

    return v < 0 ? x * root / (1 + root * root) * root : x / (1 + maths_exp_f64(-v));
}

static double gelu_tanh_d(double x)
{
    return gated_d(x, 2 * sqrt_2_over_pi * (x + 0.044715 * (x * x * x)));
}

/* Like maths_mish, but does not need a root. */
static double mish_d(double x)
{
    double root = maths_exp_f64(x / 2), e = root * root;

    return x > 100 ? x : x * root * ((2 + e) / (2 + 2 * e + e * e)) * root;
}

static double softplus_d(double x)
{
    return (x > 0 ? x : 0) + maths_log1p_d(maths_exp_f64(-fabs(x)));
}
static float clip_f(float x, float lo, float hi)
{
    return FORM_CLAMP(x, lo, hi);
}
static double clip_d(double x, double lo, double hi)
{
    return FORM_CLAMP(x, lo, hi);
}

#define NEGATIVE(x) less_int(x, 0, is_unsigned)

UNARY_INT_OP(abs, ROW_ABS, ROWS_OF_EACH, fabsf(x), fabs(x), NEGATIVE(x) ? wrap_sub(0, x) : x)
UNARY_INT(ceiling, ceilf(x), ceil(x), x)
UNARY_INT(floor, floorf(x), floor(x), x)
UNARY_INT_OP(negative, ROW_OTHER, ROWS_OF_ANY, -x, -x, wrap_sub(0, x))
UNARY_INT_OP(relu, ROW_RELU, ROWS_OF_EACH, FORM_RELU(x, 0), FORM_RELU(x, 0), NEGATIVE(x) ? 0 : x)
UNARY_INT(sign, x > 0 ? 1 : x < 0 ? -1 : x, x > 0 ? 1 : x < 0 ? -1 : x, NEGATIVE(x) ? -1 : x != 0)
UNARY_INT_OP(round_even, ROW_ROUND, ROWS_OF_EACH, rintf(x), rint(x), x)
UNARY_INT(round_away, roundf(x), round(x), x)

UNARY_BY_ROWS(acos, acos(x))
UNARY(acosh, maths_acosh(x), acosh(x))
UNARY_BY_ROWS(asin, asin(x))
UNARY(asinh, maths_asinh(x), asinh(x))
UNARY_BY_ROWS(atan, atan(x))
UNARY(atanh, maths_atanh(x), atanh(x))
CIRCULAR(cos)
UNARY(cosh, maths_cosh(x), cosh(x))
UNARY_BY_ROWS(erf, erf(x))
BY_ROWS(exp, maths_exp_f64(x))
AS_DOUBLE(exp, true)
UNARY_TRUNCATED(log, maths_log(x), maths_log_f64(x))
CIRCULAR(sin)
UNARY(sinh, maths_sinh(x), sinh(x))
UNARY(sqrt, sqrtf(x), sqrt(x))
CIRCULAR(tan)
UNARY_BY_ROWS(tanh, maths_tanh_f64(x))

BY_ROWS(sigmoid, sigmoid_d(x))
AS_DOUBLE_OP(sigmoid, false, ROW_SIGMOID)
MATHS_ROWS(, row_gate_f32, gate)
UNARY_BY_ROWS(gelu_erf, 0.5 * x * erfc(-x * sqrt_half))
UNARY_BY_ROWS(gelu_tanh, gelu_tanh_d(x))
SCALARS(hsigmoid, clip_f(x + 3, 0, 6) / 6, clip_d(x + 3, 0, 6) / 6)
AS_DOUBLE_OP(hsigmoid, false, ROW_HSIGMOID)
SCALARS(hswish, x *clip_f(x + 3, 0, 6) / 6, x *clip_d(x + 3, 0, 6) / 6)
AS_DOUBLE_OP(hswish, false, ROW_HSWISH)
UNARY_BY_ROWS(mish, mish_d(x))
UNARY_BY_ROWS(softplus, softplus_d(x))
UNARY(erf_inv, (float)erf_inverse(x), erf_inverse(x))
UNARY(softsign, x / (1 + fabsf(x)), x / (1 + fabs(x)))

BY_ROWS(elu, b *(x > 0 ? x : a * expm1(x)))
WITH(elu, ROW_OTHER, attribute(c, "alpha"), 1)
#define selu_f32 elu_f32
#define selu_f64 elu_f64
WITH(selu, ROW_OTHER, scalar(c, 1, 0), scalar(c, 2, 0))
#undef selu_f32
#undef selu_f64
UNARY_WITH(hard_sigmoid, ROW_HARD_SIGMOID, scalar(c, 1, 0), scalar(c, 2, 0), clip_f(a *x + b, 0, 1),
           clip_d(a *x + b, 0, 1))
BY_ROWS(swish, gated_d(x, a *x))
WITH(swish, ROW_OTHER, scalar(c, 1, 1), 0)

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

UNARY_WITH(clamp_floats, ROW_CLAMP, attribute(c, "min"), attribute(c, "max"), clip_f(x, a, b),
           clip_d(x, a, b))

bool eval_clamp(inlay_call *c)
{
    return inlay_type_is_int(c->in[0]->type) ? clamp_integers(c) : eval_clamp_floats(c);
}
