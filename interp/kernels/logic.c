/* Logical operations on booleans, bitwise operations on integers and booleans. */
#include "interp/kernels/elementwise.h"

/* Booleans are loaded as 0 or 1, so the bitwise forms serve both. */
#define LOGIC(name, form)                                                                          \
    static inline int64_t name##_int(int64_t a, int64_t b, bool is_unsigned)                       \
    {                                                                                              \
        (void)is_unsigned;                                                                         \
        return form;                                                                               \
    }                                                                                              \
    static void name##_i64(int64_t *to, const int64_t *x, const int64_t *y, int64_t n,             \
                           bool is_unsigned)                                                       \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            to[i] = name##_int(x[i], y[i], is_unsigned);                                           \
    }                                                                                              \
    PAIR_ROWS(name##_rows_i32, int32_t, int32_t, int64_t, i32, (int32_t)name##_int(a, b, false))   \
    PAIR_ROWS(name##_rows_u32, uint32_t, uint32_t, int64_t, bits32,                                \
              (uint32_t)name##_int(a, b, false))                                                   \
    PAIR_ROWS(name##_rows_i64, int64_t, int64_t, int64_t, i64, name##_int(a, b, false))            \
    PAIR_ROWS(name##_rows_u8, uint8_t, uint8_t, int64_t, u8, (uint8_t)name##_int(a, b, false))     \
    PAIR_ROWS(name##_rows_boolean, uint8_t, uint8_t, bool, u8, (uint8_t)name##_int(a, b, false))   \
    bool eval_##name(inlay_call *c)                                                                \
    {                                                                                              \
        static const binary_fn fn = {NULL,                                                         \
                                     NULL,                                                         \
                                     name##_i64,                                                   \
                                     {.i32 = name##_rows_i32,                                      \
                                      .u32 = name##_rows_u32,                                      \
                                      .i64 = name##_rows_i64,                                      \
                                      .u8 = name##_rows_u8,                                        \
                                      .boolean = name##_rows_boolean},                             \
                                     ROW_OTHER};                                                   \
        return elementwise_binary(c, &fn);                                                         \
    }

LOGIC(bitwise_and, a &b)
LOGIC(bitwise_or, a | b)
LOGIC(bitwise_xor, a ^ b)

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

LOGIC(shift_left, left(a, (uint64_t)b))
LOGIC(shift_right, right(a, (uint64_t)b, is_unsigned))

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

FLIP_ROWS(flip_i32, int32_t, ~x)
FLIP_ROWS(flip_i64, int64_t, ~x)
FLIP_ROWS(flip_u8, uint8_t, (uint8_t)~x)
FLIP_ROWS(flip_boolean, uint8_t, !x)

bool eval_bitwise_not(inlay_call *c)
{
    static const unary_fn bits = {.i64 = flip_bits,
                                  .rows = {.i32 = flip_i32, .i64 = flip_i64, .u8 = flip_u8}},
                          truth = {.i64 = flip_truth, .rows = {.boolean = flip_boolean}};

    return elementwise_unary(c, c->in[0]->type == INLAY_BOOLEAN ? &truth : &bits, 0, 0);
}
