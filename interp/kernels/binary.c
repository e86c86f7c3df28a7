/* Elementwise arithmetic of two tensors. One operation is one line: its formula for single, double
 * and integer elements. Integers wrap; divisors of zero are refused before anything is computed.
 */
#include "interp/kernels/elementwise.h"
#include "interp/kernels/formulas.h"
#include "interp/maths/maths.h"

#include <math.h>
#include <stdlib.h>

#define PICK(condition, a, b) ((condition) ? (a) : (b))

#define FLOAT_ROWS(name, T, suffix, form) PAIR_ROWS(name##_##suffix, T, T, T, suffix, form)
#define FLOATS(name, f32_form, f64_form)                                                           \
    FLOAT_ROWS(name, float, f32, f32_form)                                                         \
    FLOAT_ROWS(name, double, f64, f64_form)

#define WHOLE_AS(name, T, form)                                                                    \
    static inline T name##_##T(T a, T b, bool is_unsigned)                                         \
    {                                                                                              \
        (void)is_unsigned;                                                                         \
        return (T)(form);                                                                          \
    }

#define INT_ROWS(name, T, suffix, form)                                                            \
    WHOLE_AS(name, T, form)                                                                        \
    PAIR_ROWS(name##_rows_##suffix, T, T, T, suffix, name##_##T(a, b, false))

/* Defines the loop on int64_t over the function that INT_ROWS has defined. */
#define WHOLE(name)                                                                                \
    static void name##_i64(int64_t *to, const int64_t *x, const int64_t *y, int64_t n,             \
                           bool is_unsigned)                                                       \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            to[i] = name##_int64_t(x[i], y[i], is_unsigned);                                       \
    }

#define INTEGERS(name, rows, i64_form) DEFINE_##rows(name, i64_form) WHOLE(name)

/* Defines an operation; OP is what its rows of f32 are (call/stages.h). */
#define BINARY_OP(name, op, rows, f32_form, f64_form, i64_form)                                    \
    FLOATS(name, f32_form, f64_form)                                                               \
    INTEGERS(name, rows, i64_form)                                                                 \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const binary_fn fn = {name##_f32, name##_f64, name##_i64, rows(name), op};          \
        return elementwise_binary(c, &fn);                                                         \
    }

#define BINARY(name, f32_form, f64_form, i64_form)                                                 \
    BINARY_OP(name, ROW_OTHER, ROWS_OF_ANY, f32_form, f64_form, i64_form)

/* Defines what BINARY defines, for operations whose operand 1 must have no integer element that is
 * zero. */
#define BINARY_DIVIDES(name, op, f32_form, f64_form, i64_form, i32_form, u8_form)                  \
    FLOATS(name, f32_form, f64_form)                                                               \
    DIVIDES(name, op, i64_form, i32_form, u8_form)
#define DIVIDES(name, op, i64_form, i32_form, u8_form)                                             \
    INT_ROWS(name, int64_t, i64, i64_form)                                                         \
    WHOLE(name)                                                                                    \
    PAIR_ROWS(name##_rows_i32, int32_t, int32_t, int32_t, i32, i32_form)                           \
    PAIR_ROWS(name##_rows_u8, uint8_t, uint8_t, uint8_t, u8, u8_form)                              \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const binary_fn fn = {name##_f32, name##_f64, name##_i64, ROWS_OF(name), op};       \
        return divisors_fit(c) && elementwise_binary(c, &fn);                                      \
    }

/* Defines the function that tests whether any of N integers of type T is zero. */
#define HAS_ZERO(T)                                                                                \
    static INLAY_CLONES bool has_zero_##T(const void *at, int64_t n)                               \
    {                                                                                              \
        typedef T any __attribute__((aligned(1), may_alias));                                      \
        const any *x = at;                                                                         \
        T some = 0;                                                                                \
                                                                                                   \
        for (int64_t i = 0; i < n; i++)                                                            \
            some |= x[i] == 0;                                                                     \
        return some != 0;                                                                          \
    }

HAS_ZERO(uint8_t)
HAS_ZERO(uint16_t)
HAS_ZERO(uint32_t)
HAS_ZERO(uint64_t)

/* Whether T is an array of whole bytes without a zero. */
static bool has_no_zero(const inlay_tensor *t)
{
    int size = inlay_type_info_of(t->type)->bits / 8;
    const char *at = (const char *)t->data + t->offset * size;
    int64_t n = inlay_tensor_count(t);

    if (!inlay_tensor_is_dense(t))
        return false;
    return size == 1   ? !has_zero_uint8_t(at, n)
           : size == 2 ? !has_zero_uint16_t(at, n)
           : size == 4 ? !has_zero_uint32_t(at, n)
           : size == 8 ? !has_zero_uint64_t(at, n)
                       : false;
}

static bool divisors_fit(inlay_call *c)
{
    const int64_t *b;
    int64_t n = inlay_tensor_count(c->in[1]);

    if (load_domain(c->in[1]->type) != DOMAIN_I64 || inlay_tensor_count(c->out[0]) == 0 ||
        (call_reads(c, 1) && has_no_zero(c->in[1])))
        return true;
    b = load_i64(c, 1);
    for (int64_t i = 0; b && i < n; i++) {
        if (b[i] == 0)
            return inlay_call_fail(c, "%s is 0: integers cannot be divided by zero",
                                   call_element_name(c, 1, i));
    }
    return b != NULL;
}

/* Divides toward zero, as C does; the smallest integer over -1 wraps. */
static int64_t divide_trunc(int64_t a, int64_t b, bool is_unsigned)
{
    if (is_unsigned)
        return (int64_t)((uint64_t)a / (uint64_t)b);
    return b == -1 ? wrap_sub(0, a) : a / b;
}

static int64_t remainder_trunc(int64_t a, int64_t b, bool is_unsigned)
{
    if (is_unsigned)
        return (int64_t)((uint64_t)a % (uint64_t)b);
    return b == -1 ? 0 : a % b;
}

static bool inexact_and_signs_differ(int64_t a, int64_t b)
{
    return remainder_trunc(a, b, false) != 0 && (a < 0) != (b < 0);
}

/* Divides toward minus infinity, as Python does. */
static int64_t divide_floor(int64_t a, int64_t b, bool is_unsigned)
{
    int64_t q = divide_trunc(a, b, is_unsigned);

    return !is_unsigned && inexact_and_signs_differ(a, b) ? q - 1 : q;
}

/* Returns the remainder of divide_floor, which has the sign of the divisor. */
static int64_t remainder_floor(int64_t a, int64_t b, bool is_unsigned)
{
    int64_t r = remainder_trunc(a, b, is_unsigned);

    return !is_unsigned && inexact_and_signs_differ(a, b) ? r + b : r;
}

/* Quotients of short integers by reciprocals, which rows by one number have once. Half of a step
 * more keeps them away from the next integer toward zero, by more than is rounded. */
static inline int32_t quotient_i32(int32_t a, int32_t b)
{
    double q = (a + (a < 0 ? -0.5 : 0.5)) * (1 / (double)b);

    return q >= 0x1p31 ? INT32_MIN : (int32_t)q;
}

static inline int32_t remainder_i32(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a - (uint32_t)quotient_i32(a, b) * (uint32_t)b);
}

/* Returns MOST where the quotient toward zero is not the one downward, for remainder R. */
static inline int32_t below_i32(int32_t r, int32_t b, int32_t most)
{
    return r != 0 && (r ^ b) < 0 ? most : 0;
}

static inline int32_t floor_i32(int32_t a, int32_t b)
{
    return quotient_i32(a, b) - below_i32(remainder_i32(a, b), b, 1);
}

static inline int32_t floor_mod_i32(int32_t a, int32_t b)
{
    int32_t r = remainder_i32(a, b);

    return r + below_i32(r, b, b);
}

static inline uint8_t quotient_u8(uint8_t a, uint8_t b)
{
    return (uint8_t)(int32_t)((a + 0.5F) * (1 / (float)b));
}

/* Returns the remainder of A over B where IS_NEAR: the quotient has few bits, so that its product
 * with B and the difference are exact in f64; it may be the next integer. */
static inline float mod_near(float a, float b)
{
    double q = trunc((double)a / (double)b), r = (double)a - q * (double)b;
    double less = r != 0 && (r < 0) != (a < 0) ? fabs((double)b) : 0;

    return copysignf((float)(r + (a < 0 ? -less : less)), a);
}

static inline bool is_near(float a, float b)
{
    return (fabs((double)a / (double)b) < 0x1p29) & !isinf(b);
}

/* Returns what fmodf does. */
static inline float mod_float(float a, float b)
{
    return is_near(a, b) ? mod_near(a, b) : fmodf(a, b);
}

/* Returns the remainder with the sign of B, where R is that with the sign of the other operand. */
static inline float turn_mod(float r, float b)
{
    return r == 0 ? copysignf(0, b) : (r < 0) != (b < 0) ? r + b : r;
}

static double floor_mod_double(double a, double b)
{
    double r = fmod(a, b);

    if (r == 0)
        return copysign(0, b);
    return (r < 0) != (b < 0) ? r + b : r;
}

/* Returns A to the power of B by repeated squaring, which wraps. The result of a negative exponent
 * is truncated: it is 0 unless A is 1 or -1. */
static int64_t power_int(int64_t a, int64_t b, bool is_unsigned)
{
    uint64_t exponent = (uint64_t)b, factor = (uint64_t)a, result = 1;

    if (!is_unsigned && b < 0)
        return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            result *= factor;
        factor *= factor;
    }
    return (int64_t)result;
}

BINARY_OP(add, ROW_ADD, ROWS_OF_ANY, FORM_ADD(a, b), FORM_ADD(a, b), wrap_add(a, b))
BINARY_OP(subtract, ROW_SUBTRACT, ROWS_OF_ANY, FORM_SUBTRACT(a, b), FORM_SUBTRACT(a, b),
          wrap_sub(a, b))
BINARY_OP(multiply, ROW_MULTIPLY, ROWS_OF_ANY, FORM_MULTIPLY(a, b), FORM_MULTIPLY(a, b),
          wrap_mul(a, b))
BINARY_OP(maximum, ROW_MAXIMUM, ROWS_OF_EACH, FORM_MAXIMUM(a, b), FORM_MAXIMUM(a, b),
          less_int(a, b, is_unsigned) ? b : a)
BINARY_OP(minimum, ROW_MINIMUM, ROWS_OF_EACH, FORM_MINIMUM(a, b), FORM_MINIMUM(a, b),
          less_int(b, a, is_unsigned) ? b : a)
BINARY(squared_difference, (a - b) * (a - b), (a - b) * (a - b),
       wrap_mul(wrap_sub(a, b), wrap_sub(a, b)))
FLOATS(slope, a < 0 ? a * b : a, a < 0 ? a * b : a)
INTEGERS(slope, ROWS_OF_EACH, less_int(a, 0, false) ? wrap_mul(a, b) : a)
BINARY_DIVIDES(divide_toward_zero, ROW_DIVIDE, FORM_DIVIDE(a, b), FORM_DIVIDE(a, b),
               divide_trunc(a, b, is_unsigned), quotient_i32(a, b), quotient_u8(a, b))
BINARY_DIVIDES(divide_down, ROW_DIVIDE, FORM_DIVIDE(a, b), FORM_DIVIDE(a, b),
               divide_floor(a, b, is_unsigned), floor_i32(a, b), quotient_u8(a, b))
/* Are all quotients of a block those of mod_near? */
#define ALL_NEAR(a, b)                                                                             \
    for (int64_t r = 0, n = block->length; r < block->rows; r++)                                   \
        _Pragma("omp simd reduction(|: far)") for (int64_t i = 0; i < n; i++) far |= !is_near(a, b);
static INLAY_CLONES bool are_near(const row_block *block)
{
    const float number = block->number.f32;
    int far = 0;

    if (block->single == SINGLE_X)
        ALL_NEAR(number, ROW_Y(float))
    else if (block->single == SINGLE_Y)
        ALL_NEAR(ROW_X(float), number)
    else
        ALL_NEAR(ROW_X(float), ROW_Y(float))
    return !far;
}

/* Defines remainders: FORM of R, where that is what C gives, and B. */
#define MODS(name, form, f64_form, i64_form, i32_form)                                             \
    static inline float name##_of(float r, float b)                                                \
    {                                                                                              \
        (void)b;                                                                                   \
        return form;                                                                               \
    }                                                                                              \
    FLOAT_ROWS(name##_near, float, f32, name##_of(mod_near(a, b), b))                              \
    FLOAT_ROWS(name##_far, float, f32, name##_of(mod_float(a, b), b))                              \
    FLOAT_ROWS(name, double, f64, f64_form)                                                        \
    static void name##_f32(const row_block *k)                                                     \
    {                                                                                              \
        (are_near(k) ? name##_near_f32 : name##_far_f32)(k);                                       \
    }                                                                                              \
    DIVIDES(name, ROW_OTHER, i64_form, i32_form, (uint8_t)(a - quotient_u8(a, b) * b))

MODS(mod, r, fmod(a, b), remainder_trunc(a, b, is_unsigned), remainder_i32(a, b))
MODS(floor_mod, turn_mod(r, b), floor_mod_double(a, b), remainder_floor(a, b, is_unsigned),
     floor_mod_i32(a, b))

enum { POWERS_AT_ONCE = 512 };

/* The product of three floats in double precision, which is rounded there only once. */
static inline float cube_float(float a)
{
    return (float)((double)a * a * a);
}

static inline double cube_double(double a)
{
    return pow(a, 3);
}

/* Defines powers of T. Squares, cubes of floats and roots, which models have for the most part, are
 * products and roots; the root of -0 is +0 here, and that of minus infinity is infinite. All are
 * computed, and one is chosen, so that rows of it become vectors. One number for all elements is made
 * a row: the compiler would decide about it once, outside of a loop that then has branches. */
#define POWERS(T, suffix, pow, sqrt, cube)                                                         \
    MATHS_INLINE T root_##suffix(T x)                                                              \
    {                                                                                              \
        return x == -(T)INFINITY ? (T)INFINITY : sqrt(x) + 0;                                      \
    }                                                                                              \
    MATHS_INLINE T power_##suffix(T a, T b)                                                        \
    {                                                                                              \
        T any = pow(a, b), square = a * a, root = root_##suffix(a),                                \
          exact = b == 2 ? square : root, other = b == 3 ? cube(a) : any;                          \
                                                                                                   \
        return ((b == 2) | (b == (T)0.5)) ? exact : other;                                         \
    }                                                                                              \
    static INLAY_CLONES void cubes_##suffix(const row_block *k)                                    \
    {                                                                                              \
        EACH_ROW(T, T a = ROW_X(T), cube(a))                                                       \
    }                                                                                              \
    static INLAY_CLONES void square_rows_##suffix(const row_block *k)                              \
    {                                                                                              \
        EACH_ROW(T, T a = ROW_X(T), a * a)                                                         \
    }                                                                                              \
    static INLAY_CLONES void roots_##suffix(const row_block *k)                                    \
    {                                                                                              \
        EACH_ROW(T, T a = ROW_X(T), root_##suffix(a))                                              \
    }                                                                                              \
    static INLAY_CLONES void powers_##suffix(const row_block *k)                                   \
    {                                                                                              \
        EACH_ROW(T, T a = ROW_X(T); T b = ROW_Y(T), power_##suffix(a, b))                          \
    }                                                                                              \
    static void powers_with_number_##suffix(const row_block *k)                                    \
    {                                                                                              \
        T numbers[POWERS_AT_ONCE];                                                                 \
        const char *row = (const char *)numbers;                                                   \
        row_block part = {.rows = 1};                                                              \
                                                                                                   \
        for (int i = 0; i < POWERS_AT_ONCE; i++)                                                   \
            numbers[i] = k->number.suffix;                                                         \
        for (int64_t r = 0; r < k->rows; r++) {                                                    \
            for (int64_t at = 0; at < k->length; at += POWERS_AT_ONCE) {                           \
                ptrdiff_t bytes = at * (ptrdiff_t)sizeof(T);                                       \
                int64_t left = k->length - at;                                                     \
                                                                                                   \
                part.length = left < POWERS_AT_ONCE ? left : POWERS_AT_ONCE;                       \
                part.to = k->to + r * k->to_pitch + bytes;                                         \
                part.x = k->single == SINGLE_X ? row : k->x + r * k->x_pitch + bytes;              \
                part.y = k->single == SINGLE_Y ? row : k->y + r * k->y_pitch + bytes;              \
                powers_##suffix(&part);                                                            \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void raise_##suffix(const row_block *k)                                                 \
    {                                                                                              \
        bool square = k->single == SINGLE_Y && k->number.suffix == 2;                              \
        bool root = k->single == SINGLE_Y && k->number.suffix == (T)0.5;                           \
        bool cubes = k->single == SINGLE_Y && k->number.suffix == 3;                               \
                                                                                                   \
        (square                   ? square_rows_##suffix                                           \
         : cubes                  ? cubes_##suffix                                                 \
         : root                   ? roots_##suffix                                                 \
         : k->single == NO_SINGLE ? powers_##suffix                                                \
                                  : powers_with_number_##suffix)(k);                               \
    }

POWERS(float, f32, maths_pow, sqrtf, cube_float)
POWERS(double, f64, pow, sqrt, cube_double)
INTEGERS(raise, ROWS_OF, power_int(a, b, is_unsigned))

/* Defines rows of powers of integers T, which are computed as U: squares and cubes by vectors. */
#define WHOLE_POWERS(T, U, suffix)                                                                 \
    static INLAY_CLONES void square_whole_##suffix(const row_block *k)                             \
    {                                                                                              \
        EACH_ROW(T, U a = (U)ROW_X(T), (T)(a * a))                                                 \
    }                                                                                              \
    static INLAY_CLONES void cube_whole_##suffix(const row_block *k)                               \
    {                                                                                              \
        EACH_ROW(T, U a = (U)ROW_X(T), (T)(a * a * a))                                             \
    }                                                                                              \
    static void powers_rows_##suffix(const row_block *k)                                           \
    {                                                                                              \
        bool one = k->single == SINGLE_Y;                                                          \
                                                                                                   \
        (one && k->number.suffix == 2   ? square_whole_##suffix                                    \
         : one && k->number.suffix == 3 ? cube_whole_##suffix                                      \
                                        : raise_rows_##suffix)(k);                                 \
    }

WHOLE_POWERS(int32_t, uint32_t, i32)
WHOLE_POWERS(int64_t, uint64_t, i64)
WHOLE_POWERS(uint8_t, uint32_t, u8)

static bool eval_raise(inlay_call *c)
{
    static const binary_fn fn = {raise_f32, raise_f64, raise_i64, ROWS_OF(powers), ROW_OTHER};

    return elementwise_binary(c, &fn);
}

bool eval_divide(inlay_call *c)
{
    return inlay_node_bool(c->node, "m_pythondiv") ? eval_divide_down(c)
                                                   : eval_divide_toward_zero(c);
}

/* PReLU-1: a slope of rank 1 and the channels' size goes along axis 1, else it broadcasts. */
bool eval_prelu(inlay_call *c)
{
    static const binary_fn fn = {slope_f32, slope_f64, slope_i64, ROWS_OF_EACH(slope), ROW_OTHER};
    const inlay_tensor *data = c->in[0], *slope = c->in[1];
    int64_t strides[INLAY_MAX_RANK] = {0};

    if (slope->rank != 1 || data->rank < 2 || slope->dims[0] != data->dims[1])
        return elementwise_binary(c, &fn);
    strides[1] = slope->strides[0];
    return elementwise_binary_by_strides(c, &fn, strides);
}

/* Zero to a negative power is a division by zero. */
bool eval_power(inlay_call *c)
{
    pairing p;
    const int64_t *a, *b;
    int64_t n = inlay_tensor_count(c->in[1]), natural = 0;

    if (!inlay_type_is_int(c->in[0]->type) || c->in[0]->type == INLAY_U64)
        return eval_raise(c);
    b = load_i64(c, 1);
    while (b && natural < n && b[natural] >= 0)
        natural++;
    if (b && natural == n)
        return eval_raise(c);
    elementwise_pairs(c, &p);
    a = load_i64(c, 0);
    if (!a || !b)
        return false;
    for (index_iter it = index_rows(c->out[0]->rank, p.dims); index_valid(&it); index_next(&it)) {
        int64_t i = index_dot(p.outer, it.at, p.strides[0]);
        int64_t j = index_dot(p.outer, it.at, p.strides[1]);

        for (int64_t k = 0; k < p.length; k++, i += p.step[0], j += p.step[1]) {
            if (a[i] == 0 && b[j] < 0)
                return inlay_call_fail(c, "%s is 0, its power %lld does not exist",
                                       call_element_name(c, 0, i), (long long)b[j]);
        }
    }
    return eval_raise(c);
}
