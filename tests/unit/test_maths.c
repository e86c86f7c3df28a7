/* The functions of interp/maths on a sample of floats. Expected values: the C library's functions
 * in double precision, where these decide which float is nearest; tests/maths/exhaustive.c looks at
 * all floats, and at those between. The others are compared with their formulas in long double. */
#include "interp/kernels/clones.h"
#include "interp/maths/maths.h"
#include "interp/maths/rows.h"
#include "unit.h"

enum { STRIDE = 4093, BLOCK = 4096 }; /* a prime: about a million of the 2^32 floats */

static float float_of(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool same(float a, float b)
{
    return (isnan(a) && isnan(b)) || bits_of(a) == bits_of(b);
}

/* The functions as loops for several processors; all of them must give the same bits. */
typedef void row_fn(float *to, const float *from);

#define LOOP(f, isa, attribute)                                                                    \
    attribute static void f##_##isa(float *to, const float *from)                                  \
    {                                                                                              \
        _Pragma("omp simd") for (int i = 0; i < BLOCK; i++) to[i] = maths_##f(from[i]);            \
    }
#ifdef INLAY_ONE_CLONE
#define ROWS(f) LOOP(f, plain, )
#define NAMES(f)                                                                                   \
    {                                                                                              \
        f##_plain                                                                                  \
    }
#else
#define ROWS(f)                                                                                    \
    LOOP(f, plain, )                                                                               \
    LOOP(f, sse4, __attribute__((target("sse4.2"))))                                               \
    LOOP(f, avx2, __attribute__((target("avx2"))))                                                 \
    LOOP(f, avx512, __attribute__((target("avx512f"))))
#define NAMES(f)                                                                                   \
    {                                                                                              \
        f##_plain, f##_sse4, f##_avx2, f##_avx512                                                  \
    }
#endif

#define MATHS(f, library, limit) ROWS(f)
#include "tests/maths/functions.def"
#undef MATHS

enum { PLAIN, SSE4, AVX2, AVX512, WIDTHS };

static const struct function {
    const char *name;
    double (*library)(double);
    float limit;
    row_fn *row[WIDTHS];
} functions[] = {
#define MATHS(f, library, limit) {#f, library, limit, NAMES(f)},
#include "tests/maths/functions.def"
#undef MATHS
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool runs_here(int width)
{
#ifdef INLAY_ONE_CLONE
    return width == PLAIN;
#else
    return width == PLAIN || (width == SSE4 && __builtin_cpu_supports("sse4.2")) ||
           (width == AVX2 && __builtin_cpu_supports("avx2")) ||
           (width == AVX512 && __builtin_cpu_supports("avx512f"));
#endif
}

/* Fills FROM with the floats number AT, AT + 1 ... of the sample. */
static void sample(float *from, uint32_t at)
{
    for (uint32_t i = 0; i < BLOCK; i++)
        from[i] = float_of((at + i) * STRIDE);
}

/* Counts the floats of a block that the library does not decide: it is let be wrong by 2^-48. */
static int check_block(const struct function *fn, const float *from, const float *to)
{
    int undecided = 0;

    for (int i = 0; i < BLOCK; i++) {
        double y = fn->library(from[i]);
        float low = (float)(y * (1 - 0x1p-48)), high = (float)(y * (1 + 0x1p-48));

        if (fabsf(from[i]) > fn->limit)
            continue;
        if (!isnan(y) && low != high)
            undecided++;
        else if (!same(to[i], isnan(y) ? NAN : low))
            fail_msg("%s(%a) is %a, it must be %a", fn->name, from[i], to[i], low);
    }
    return undecided;
}

static void test_nearest_floats(void **state)
{
    static float from[BLOCK], to[BLOCK];

    for (int k = 0; k < FUNCTIONS; k++) {
        int undecided = 0;

        for (uint32_t at = 0; at < UINT32_MAX / STRIDE; at += BLOCK) {
            sample(from, at);
            functions[k].row[PLAIN](to, from);
            undecided += check_block(&functions[k], from, to);
        }
        assert_in_range(undecided, 0, 20);
    }
}

/* Every processor computes the same operations in the same order. */
static void test_widths_agree(void **state)
{
    static float from[BLOCK], plain[BLOCK], wide[BLOCK];

    for (int k = 0; k < FUNCTIONS; k++)
        for (uint32_t at = 0; at < UINT32_MAX / STRIDE; at += BLOCK) {
            sample(from, at);
            functions[k].row[PLAIN](plain, from);
            for (int width = SSE4; width < WIDTHS; width++) {
                if (!runs_here(width))
                    continue;
                functions[k].row[width](wide, from);
                for (int i = 0; i < BLOCK; i++)
                    if (fabsf(from[i]) <= functions[k].limit && !same(plain[i], wide[i]))
                        fail_msg("%s(%a) is %a plainly and %a at width %d", functions[k].name,
                                 from[i], plain[i], wide[i], width);
            }
        }
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 20;
}

/* Returns a float of [1, 2) times 2^EXPONENT. */
static float random_float(uint64_t *state, int exponent)
{
    return ldexpf((float)(1 << 23 | (next_random(state) & 0x7fffff)), exponent - 23);
}

/* The rows of interp/maths/rows.def, and what each element must be. */
typedef float element_fn(float x, double a, double b);
#define ROW(f, form)                                                                               \
    static float element_##f(float x, double a, double b)                                          \
    {                                                                                              \
        (void)a, (void)b;                                                                          \
        return form;                                                                               \
    }
#include "interp/maths/rows.def"
#undef ROW

static const struct row_of {
    const char *name;
    element_fn *element;
    size_t at; /* where the row is in maths_rows */
} rows_of[] = {
#define ROW(f, form) {#f, element_##f, offsetof(maths_rows, f)},
#include "interp/maths/rows.def"
#undef ROW
};

enum { ROWS_OF = sizeof rows_of / sizeof *rows_of };

/* Checks a row of N floats, elsewhere and in place, with A and B. */
static void check_row(const struct row_of *r, const maths_rows *rows, const float *from, int64_t n,
                      double a, double b)
{
    float there[BLOCK + 1], here[BLOCK + 1];
    maths_row_fn *row;

    memcpy(&row, (const char *)rows + r->at, sizeof row);
    memcpy(here, from, sizeof *here * (size_t)n);
    there[n] = here[n] = 7;
    row(there, from, n, a, b);
    row(here, here, n, a, b);
    assert_true(there[n] == 7 && here[n] == 7);
    for (int64_t i = 0; i < n; i++)
        if (!same(there[i], r->element(from[i], a, b)) || !same(here[i], there[i]))
            fail_msg("%s(%a) is %a in a row of %d, %a in place, and must be %a", r->name, from[i],
                     there[i], (int)n, here[i], r->element(from[i], a, b));
}

/* A sample of all floats, the smallest and largest, then ordinary ones of both signs in rows of
 * every length around those of vectors. */
static void check_rows_of(const struct row_of *r, const maths_rows *rows, double a, double b)
{
    static const uint32_t ends[] = {0,        1,        2,          3,          0x7ffffe,  0x7fffff,
                                    0x800000, 0x800001, 0x7f7fffff, 0x7f800000, 0x7fc00000};
    static float from[BLOCK];
    uint64_t random = 4;
    enum { ENDS = sizeof ends / sizeof *ends };

    for (int i = 0; i < 2 * ENDS; i++)
        from[i] = float_of(ends[i / 2] | (uint32_t)(i % 2) << 31);
    check_row(r, rows, from, 2 * ENDS, a, b);
    for (int i = 0; i < 2 * ENDS; i++) {
        for (int k = 0; k < 64; k++)
            from[64 + k] = from[i];
        check_row(r, rows, from + 64, 64, a, b);
    }

    for (uint32_t at = 0; at < UINT32_MAX / STRIDE; at += BLOCK) {
        sample(from, at);
        check_row(r, rows, from, BLOCK, a, b);
    }
    for (int n = 0; n < 140; n++) {
        for (int i = 0; i < n; i++) {
            from[i] = random_float(&random, (int)(next_random(&random) % 9) - 5);
            from[i] = next_random(&random) % 2 ? -from[i] : from[i];
        }
        check_row(r, rows, from, n, a, b);
    }
}

static void test_rows(void **state)
{
    for (int width = MATHS_PLAIN; width <= MATHS_AVX512; width++) {
        const maths_rows *rows = maths_rows_of((maths_width)width);

        for (int k = 0; rows && k < ROWS_OF; k++) {
            bool is_exp = strcmp(rows_of[k].name, "exp") == 0;

            check_rows_of(&rows_of[k], rows, is_exp ? 0 : 1, 1);
            if (is_exp || strcmp(rows_of[k].name, "swish") == 0 ||
                strcmp(rows_of[k].name, "elu") == 0)
                check_rows_of(&rows_of[k], rows, 0.25, 1.5);
        }
    }
    assert_non_null(maths_rows_of(MATHS_PLAIN));
}

/* The quotients of a row are those by the sum of MATHS_LANES lanes. A NaN is not the largest
 * element. */
static void softmax_of(float *to, const float *from, int64_t n)
{
    float lane[MATHS_LANES] = {0}, sum = 0, most = -INFINITY;

    for (int64_t i = 0; i < n; i++)
        most = from[i] > most ? from[i] : most;
    for (int64_t i = 0; i < n; i++)
        lane[i % MATHS_LANES] += maths_exp(from[i] - most);
    for (int k = 0; k < MATHS_LANES; k++)
        sum += lane[k];
    for (int64_t i = 0; i < n; i++)
        to[i] = maths_exp(from[i] - most) / sum;
}

/* Some rows one behind the other, with a gap, elsewhere and in place. */
static void check_softmax(const maths_rows *rows, const float *from, int count, int64_t n)
{
    static float expected[BLOCK], there[BLOCK], here[BLOCK];
    const int64_t pitch = n + 1;
    const ptrdiff_t bytes = pitch * (ptrdiff_t)sizeof *from;

    memcpy(expected, from, sizeof expected);
    memcpy(there, from, sizeof there);
    memcpy(here, from, sizeof here);
    for (int r = 0; r < count; r++) {
        const float *x = from + r * pitch;
        float most = rows->largest(x, n);

        softmax_of(expected + r * pitch, x, n);
        assert_true(
            same(rows->exp_rest(x, n, most), maths_rows_of(MATHS_PLAIN)->exp_rest(x, n, most)));
    }
    rows->softmax((char *)there, bytes, (const char *)from, bytes, count, n);
    rows->softmax((char *)here, bytes, (const char *)here, bytes, count, n);
    for (int64_t i = 0; i < BLOCK; i++)
        assert_true(same(there[i], expected[i]) && same(here[i], expected[i]));
}

/* Ordinary numbers, some that exp needs doubles for, and in some rows all floats. */
static void test_softmax(void **state)
{
    static float from[BLOCK];
    uint64_t random = 1;

    for (int width = MATHS_PLAIN; width <= MATHS_AVX512; width++) {
        const maths_rows *rows = maths_rows_of((maths_width)width);

        for (int n = 0; rows && n < 200; n++) {
            for (int i = 0; i < BLOCK; i++)
                from[i] = -random_float(&random, (int)(next_random(&random) % 9) - 4);
            check_softmax(rows, from, n % 10, n);
            sample(from, (uint32_t)n * BLOCK);
            check_softmax(rows, from, n % 10, n);
        }
    }
}

static void check_quotients(const maths_rows *rows, const float *from, int64_t n, float by)
{
    float to[BLOCK + 1];

    memcpy(to, from, sizeof *to * (size_t)n);
    to[n] = 7;
    rows->divide(to, n, by);
    assert_true(to[n] == 7);
    for (int64_t i = 0; i < n; i++)
        if (!same(to[i], from[i] / by))
            fail_msg("%a / %a is %a in a row of %d", from[i], by, to[i], (int)n);
}

/* Returns the inverse of B, which is odd, modulo 2^32: each step doubles the bits that are right.
 */
static uint32_t inverse_of(uint32_t b)
{
    uint32_t x = b;

    for (int i = 0; i < 4; i++)
        x *= 2 - b * x;
    return x;
}

/* Fills FROM with floats of which the quotients by B, an odd number of 24 bits, are the hardest to
 * round: a 2^25 = b m + c with an odd m of 25 bits, which is between two floats, and a small c.
 * They are multiplied by 2^EXPONENT, and every other one is negative. */
static void list_hard(float *from, uint32_t b, int exponent)
{
    const uint32_t inverse = inverse_of(b), mask = (1 << 25) - 1;
    int n = 0;

    for (int c = 1; n<BLOCK; c = c> 0 ? -c : 2 - c) {
        uint64_t m = (0 - (uint32_t)c) * inverse & mask;

        if (m > mask / 2) {
            from[n] = ldexpf((float)(((int64_t)(b * m) + c) >> 25), exponent);
            from[n] = n % 2 ? -from[n] : from[n];
            n++;
        }
    }
}

/* The law: each quotient is the one that the processor's division gives. */
static void test_hard_quotients(void **state)
{
    static const int least[] = {-2, -80, 78, -128}; /* the last have few bits, or none */
    static float from[BLOCK];
    uint64_t random = 2;

    for (int width = MATHS_PLAIN; width <= MATHS_AVX512; width++) {
        const maths_rows *rows = maths_rows_of((maths_width)width);

        for (int k = 0; rows && k < 600; k++) {
            uint32_t b = 1 << 23 | (next_random(&random) & 0x7fffff) | 1;

            list_hard(from, b, least[k % 4] - 22);
            check_quotients(rows, from, BLOCK, ldexpf((float)b, (k / 4) % 50 - 48));
        }
    }
}

/* Divisors at the ends of those for which products could take the place of a division, others, and
 * all that may be divided. */
static void test_ends_of_quotients(void **state)
{
    static const float by[] = {1,
                               0x1.fffffep-1F,
                               0x1.000002p+0F,
                               0x1.fffffep+23F,
                               0x1p24F,
                               0x1.000002p+24F,
                               0x1p-24F,
                               0x1.fffffep-25F,
                               0.5F,
                               0,
                               -3,
                               NAN,
                               INFINITY,
                               3e38F,
                               0x1p-149F};
    static float from[BLOCK];
    uint64_t random = 3;

    for (int width = MATHS_PLAIN; width <= MATHS_AVX512; width++) {
        const maths_rows *rows = maths_rows_of((maths_width)width);

        for (size_t k = 0; rows && k < sizeof by / sizeof *by; k++) {
            for (int i = 0; i < BLOCK; i++)
                from[i] = random_float(&random, -(int)(next_random(&random) % 40));
            from[200] = INFINITY;
            from[300] = NAN;
            from[400] = -INFINITY;
            from[500] = 0;
            from[600] = -0.0F;
            from[700] = 0x1.000002p80F;
            for (int n = 0; n < 70; n++)
                check_quotients(rows, from, n, by[k]);
            for (uint32_t at = 0; at < UINT32_MAX / STRIDE; at += 16 * BLOCK) {
                check_quotients(rows, from, BLOCK, by[k]);
                sample(from, at);
            }
        }
    }
}

/* Floats that no sample can be relied on to hit: what double precision rounds wrongly (found by
 * tests/maths/exhaustive.c, expected values from MPFR), zeros, and the ends of domains. */
static void test_known_values(void **state)
{
    assert_true(same(maths_exp(-0x1.65cf3p+6f), 0x1.edb9cp-130f));
    assert_true(same(maths_log(0x1.827a74p-7f), -0x1.1c2b1ep+2f));
    assert_true(same(maths_log1p(-0x1.1d9188p-9f), -0x1.1de14ap-9f));
    assert_true(same(maths_sin(0x1.33333p+13f), -0x1.63f4bap-2f));
    assert_true(same(maths_sin(-0x1.33333p+13f), 0x1.63f4bap-2f));
    assert_true(same(maths_sin_near(-0x1.33333p+13f), 0x1.63f4bap-2f));
    assert_true(same(maths_cos(-0x1.2b9622p+67f), 0x1.f0285ep-1f));
    assert_true(same(maths_acos(0x1.04c444p-12f), 0x1.920f6ap+0f));
    assert_true(same(maths_atan(-0x1.1ad646p-4f), -0x1.1a6386p-4f));
    assert_true(same(maths_sinh(0x1.250bfep-11f), 0x1.250bfep-11f));
    assert_true(same(maths_asinh(0x1.6351d8p+94f), 0x1.08b512p+6f));
    assert_true(same(maths_acosh(0x1.b121a6p+75f), 0x1.a9a3f2p+5f));
    assert_true(same(maths_expm1(-0.0f), -0.0f) && same(maths_sin(-0.0f), -0.0f));
    assert_true(same(maths_log(0), -INFINITY) && isnan(maths_log(-1)) &&
                isnan(maths_sin(INFINITY)));
    assert_true(same(maths_asinh(-INFINITY), -INFINITY) && isnan(maths_acosh(0.5f)));
    assert_true(same(maths_atanh(1), INFINITY) && isnan(maths_asin(1.5f)) && isnan(maths_erf(NAN)));
    assert_true(same(maths_exp(-104), 0) && same(maths_exp(89), INFINITY) &&
                same(maths_exp(-103), 0x1p-149f));
}

static long double sigmoid_l(long double x)
{
    return 1 / (1 + expl(-x));
}

static long double softplus_l(long double x)
{
    return (x > 0 ? x : 0) + log1pl(expl(-fabsl(x)));
}

static long double mish_l(long double x)
{
    return x * tanhl(softplus_l(x));
}

/* 1 + erf(z) is erfc(-z), which is not cancelled for a negative z. */
static long double gelu_erf_l(long double x)
{
    return x / 2 * erfcl(-x / sqrtl(2));
}

/* 1 + tanh(u) is 2 sigmoid(2 u). */
static long double gelu_tanh_l(long double x)
{
    long double pi = 3.14159265358979323846264338327950288L;

    return x * sigmoid_l(2 * sqrtl(2 / pi) * (x + 0.044715L * x * x * x));
}

static float swish_at_3(float x)
{
    return maths_swish(x, 3);
}

static long double swish_at_3_l(long double x)
{
    return x * sigmoid_l(3 * x);
}

static float elu_at_half(float x)
{
    return maths_elu(x, 0.5, 1);
}

static long double elu_at_half_l(long double x)
{
    return x > 0 ? x : expm1l(x) / 2;
}

static const struct formula {
    const char *name;
    float (*own)(float);
    long double (*exact)(long double);
} formulas[] = {
    {"sigmoid", maths_sigmoid, sigmoid_l},
    {"softplus", maths_softplus, softplus_l},
    {"mish", maths_mish, mish_l},
    {"gelu", maths_gelu_erf, gelu_erf_l},
    {"gelu by tanh", maths_gelu_tanh, gelu_tanh_l},
    {"swish", swish_at_3, swish_at_3_l},
    {"elu", elu_at_half, elu_at_half_l},
};

/* Returns how far Y is from EXACT, in the distance of floats around EXACT. */
static double units_off(float y, long double exact)
{
    int exponent;

    frexpl(exact, &exponent);
    return (double)(fabsl(y - exact) / ldexpl(1, exponent - 24 < -149 ? -149 : exponent - 24));
}

/* Finite floats from -100 to 100: beyond, the results are 0, the argument or infinite, and the
 * formulas in long double have no exact value to offer. */
static void test_formulas(void **state)
{
    for (size_t k = 0; k < sizeof formulas / sizeof *formulas; k++)
        for (uint32_t at = 0; at < UINT32_MAX / STRIDE; at++) {
            float x = float_of(at * STRIDE);
            long double exact;

            if (!(fabsf(x) <= 100))
                continue;
            exact = formulas[k].exact(x);
            if (!(units_off(formulas[k].own(x), exact) <= 0.501))
                fail_msg("%s(%a) is %a, it must be %La", formulas[k].name, x, formulas[k].own(x),
                         exact);
        }
}

static void test_ends_of_formulas(void **state)
{
    assert_true(same(maths_sigmoid(INFINITY), 1) && same(maths_sigmoid(-INFINITY), 0));
    assert_true(same(maths_softplus(INFINITY), INFINITY) && same(maths_softplus(-INFINITY), 0));
    assert_true(same(maths_mish(1e30f), 1e30f) && same(maths_gelu_erf(1e30f), 1e30f));
    assert_true(same(maths_gelu_tanh(1e30f), 1e30f) && maths_gelu_tanh(-1e30f) == 0);
    assert_true(maths_gelu_erf(-1e30f) == 0 && maths_swish(-1e30f, 1) == 0);
    assert_true(isnan(maths_swish(-INFINITY, 1)) && isnan(maths_gelu_erf(-INFINITY))); /* inf * 0 */
    assert_true(isnan(maths_mish(-INFINITY)) && isnan(maths_gelu_tanh(-INFINITY)));
    assert_true(isnan(maths_mish(NAN)) && isnan(maths_gelu_erf(NAN)) && isnan(maths_swish(NAN, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_floats),
        cmocka_unit_test(test_widths_agree),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_softmax),
        cmocka_unit_test(test_hard_quotients),
        cmocka_unit_test(test_ends_of_quotients),
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_ends_of_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
