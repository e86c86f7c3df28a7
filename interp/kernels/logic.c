/* Logical operations on booleans, bitwise operations on integers and booleans. */
#include "interp/kernels/elementwise.h"

/* Booleans are loaded as 0 or 1, so the bitwise forms serve both. Rows are computed as U of their
 * width, which wraps. */
#define LOGIC_ROWS(name, T, U, suffix, field, form)                                                \
    PAIR_ROWS(name##_rows_##suffix, T, T, U, field, (T)(form))
#define LOGIC(name, form, rows)                                                                    \
    static void name##_i64(int64_t *to, const int64_t *x, const int64_t *y, int64_t n,             \
                           bool is_unsigned)                                                       \
    {                                                                                              \
        (void)is_unsigned;                                                                         \
        for (int64_t i = 0; i < n; i++) {                                                          \
            int64_t a = x[i], b = y[i];                                                            \
                                                                                                   \
            to[i] = form;                                                                          \
        }                                                                                          \
    }                                                                                              \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const binary_fn fn = {NULL, NULL, name##_i64, rows, ROW_OTHER};                     \
                                                                                                   \
        return elementwise_binary(c, &fn);                                                         \
    }

#define BITS(name, form)                                                                           \
    LOGIC_ROWS(name, int64_t, uint64_t, i64, bits64, form)                                         \
    LOGIC_ROWS(name, int32_t, uint32_t, i32, bits32, form)                                         \
    LOGIC_ROWS(name, uint16_t, uint16_t, u16, u16, form)                                           \
    LOGIC_ROWS(name, uint8_t, uint8_t, u8, u8, form)                                               \
    LOGIC_ROWS(name, uint8_t, bool, boolean, u8, form)                                             \
    LOGIC(name, form, BITS_ROWS(name))
#define BITS_ROWS(name)                                                                            \
    {                                                                                              \
        .i32 = name##_rows_i32, .u32 = name##_rows_i32, .i64 = name##_rows_i64,                    \
        .u64 = name##_rows_i64, .i16 = name##_rows_u16, .u16 = name##_rows_u16,                    \
        .i8 = name##_rows_u8, .u8 = name##_rows_u8, .boolean = name##_rows_boolean                 \
    }

BITS(bitwise_and, a &b)
BITS(bitwise_or, a | b)
BITS(bitwise_xor, a ^ b)

/* A shift by the width of the type or more moves every bit out. */
static int64_t left(int64_t a, uint64_t n)
{
    return n > 63 ? 0 : (int64_t)((uint64_t)a << n);
}

/* Fills the bits that become free with the sign; C leaves >> of negative numbers to the
 * compiler. */
static int64_t right(int64_t a, uint64_t n, bool is_unsigned)
{
    if (is_unsigned)
        return n > 63 ? 0 : (int64_t)((uint64_t)a >> n);
    n = n > 63 ? 63 : n;
    return a < 0 ? ~(~a >> n) : a >> n;
}

/* Rows of unsigned numbers; those of 8 and 16 bits are computed with 32. */
#define SHIFT(name, form, operator)                                                                \
    LOGIC_ROWS(name, int64_t, int64_t, i64, i64, name##_signed(a, b))                              \
    LOGIC_ROWS(name, int32_t, int64_t, i32, i32, name##_signed(a, b))                              \
    LOGIC_ROWS(name, uint64_t, uint64_t, u64, bits64, b > 63 ? 0 : a operator b)                   \
    LOGIC_ROWS(name, uint32_t, uint32_t, u32, u32, b > 31 ? 0 : a operator b)                      \
    LOGIC_ROWS(name, uint16_t, uint32_t, u16, u16, b > 31 ? 0 : a operator b)                      \
    LOGIC_ROWS(name, uint8_t, uint32_t, u8, u8, b > 31 ? 0 : a operator b)                         \
    LOGIC(name, form, SHIFT_ROWS(name))
#define SHIFT_ROWS(name)                                                                           \
    {                                                                                              \
        .i32 = name##_rows_i32, .u32 = name##_rows_u32, .i64 = name##_rows_i64,                    \
        .u64 = name##_rows_u64, .u16 = name##_rows_u16, .u8 = name##_rows_u8                       \
    }
#define shift_left_signed(a, b) left(a, (uint64_t)(b))
#define shift_right_signed(a, b) right(a, (uint64_t)(b), false)
SHIFT(shift_left, left(a, (uint64_t)b), <<)
SHIFT(shift_right, right(a, (uint64_t)b, is_unsigned), >>)

static bool shifts_fit(inlay_call *c)
{
    const int64_t *b;
    int64_t n = inlay_tensor_count(c->in[1]);

    if (inlay_type_info_of(c->in[1]->type)->cls == INLAY_CLASS_UNSIGNED)
        return true;
    b = load_i64(c, 1);
    for (int64_t i = 0; b && i < n; i++) {
        if (b[i] < 0)
            return inlay_call_fail(c, "%s is %lld: a shift must not be negative",
                                   call_element_name(c, 1, i), (long long)b[i]);
    }
    return b != NULL;
}

bool eval_bitwise_left_shift(inlay_call *c)
{
    return shifts_fit(c) && eval_shift_left(c);
}

bool eval_bitwise_right_shift(inlay_call *c)
{
    return shifts_fit(c) && eval_shift_right(c);
}

static void flip_bits(int64_t *to, const int64_t *x, int64_t n, bool is_unsigned)
{
    (void)is_unsigned;
    for (int64_t i = 0; i < n; i++)
        to[i] = ~x[i];
}

static void flip_truth(int64_t *to, const int64_t *x, int64_t n, bool is_unsigned)
{
    (void)is_unsigned;
    for (int64_t i = 0; i < n; i++)
        to[i] = !x[i];
}

#define FLIP_ROWS(name, T, form)                                                                   \
    static INLAY_CLONES void name(const row_block *k)                                              \
    {                                                                                              \
        EACH_ROW(T, T x = ROW_X(T), form)                                                          \
    }

FLIP_ROWS(flip_rows_i32, int32_t, ~x)
FLIP_ROWS(flip_rows_i64, int64_t, ~x)
FLIP_ROWS(flip_rows_u16, uint16_t, (uint16_t)~x)
FLIP_ROWS(flip_rows_u8, uint8_t, (uint8_t)~x)
FLIP_ROWS(flip_rows_boolean, uint8_t, !x)

bool eval_bitwise_not(inlay_call *c)
{
    static const unary_fn bits = {.i64 = flip_bits, .rows = ROWS_OF_ANY(flip)},
                          truth = {.i64 = flip_truth, .rows = {.boolean = flip_rows_boolean}};

    return elementwise_unary(c, c->in[0]->type == INLAY_BOOLEAN ? &truth : &bits, 0, 0);
}
