/* Logical operations on booleans, bitwise operations on integers and booleans. */
#include "interp/kernels/elementwise.h"

/* Booleans are loaded as 0 or 1, so the bitwise forms serve both. */
#define LOGIC(name, form)                                                                          \
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
        static const binary_fn fn = {NULL, NULL, name##_i64};                                      \
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
    const int64_t *b = load_i64(c, 1);
    int64_t n = inlay_tensor_count(c->in[1]);

    if (c->in[1]->type == INLAY_U64)
        return b != NULL;
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

bool eval_bitwise_not(inlay_call *c)
{
    static const unary_fn bits = {NULL, NULL, flip_bits, false},
                          truth = {NULL, NULL, flip_truth, false};

    return elementwise_unary(c, c->in[0]->type == INLAY_BOOLEAN ? &truth : &bits, 0, 0);
}
