/* What interp/maths/README.md promises of functions of f64, and of powers of f32 and f64: how many
 * units in the last place they are off. Expected values: the same functions of the C library in
 * long double, which holds 11 bits more than a double (113 in all on AArch64). */
#include "generate/rng.h"
#include "graphs.h"

#include <float.h>
#include <math.h>

enum { N = 1 << 14 };

static long double sigmoid_l(long double x)
{
    return 1 / (1 + expl(-x));
}

static long double softplus_l(long double x)
{
    return (x > 0 ? x : 0) + log1pl(expl(-fabsl(x)));
}

typedef struct function {
    const char *op;
    long double (*exact)(long double);
    double low, high; /* arguments, drawn evenly and by their size */
    double units;
} function;

static const function functions[] = {
    {"Acos-1", acosl, -1, 1, 1},
    {"Acosh-3", acoshl, 1, 1e300, 2},
    {"Asin-1", asinl, -1, 1, 1},
    {"Asinh-3", asinhl, -1e300, 1e300, 2},
    {"Atan-1", atanl, -1e300, 1e300, 1},
    {"Atanh-3", atanhl, -1, 1, 2},
    {"Cos-1", cosl, -1e5, 1e5, 1},
    {"Cosh-1", coshl, -700, 700, 2},
    {"Erf-1", erfl, -30, 30, 1},
    {"Exp-1", expl, -700, 700, 1},
    {"Log-1", logl, 0, 1e300, 1},
    {"Sigmoid-1", sigmoid_l, -700, 700, 3},
    {"Sin-1", sinl, -1e5, 1e5, 1},
    {"Sinh-1", sinhl, -700, 700, 2},
    {"SoftPlus-4", softplus_l, -700, 700, 3},
    {"Sqrt-1", sqrtl, 0, 1e300, 0.5},
    {"Tan-1", tanl, -1e5, 1e5, 1},
    {"Tanh-1", tanhl, -30, 30, 2},
};

/* In [0, 1). */
static double draw_unit(rng *r)
{
    return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* Half of the numbers are spread evenly from LOW to HIGH, the others over the exponents. */
static double draw(rng *r, double low, double high)
{
    double even = low + (high - low) * draw_unit(r);
    double size = exp2(-60 + draw_unit(r) * (60 + log2(high)));

    size = even < 0 ? -size : size;
    return rng_one_in(r, 2) || size < low || size > high ? even : size;
}

static inlay_tensor *draw_tensor(rng *r, inlay_type type, double low, double high)
{
    inlay_tensor *t = inlay_tensor_new(type, 1, (const int64_t[]){N});

    assert_non_null(t);
    for (int i = 0; i < N; i++)
        inlay_tensor_set_f64(t, i, draw(r, low, high));
    return t;
}

/* Returns how far Y is from EXACT in units of the last of BITS, where LEAST is the smallest unit.
 */
static double units_off(double y, long double exact, int bits, int least)
{
    int exponent;

    if (y == exact)
        return 0;
    frexpl(exact, &exponent);
    exponent -= bits;
    return (double)(fabsl(y - exact) / ldexpl(1, exponent < least ? least : exponent));
}

static double f64_units_off(double y, long double exact)
{
    return units_off(y, exact, DBL_MANT_DIG, -1074);
}

static double f32_units_off(double y, long double exact)
{
    return units_off(y, exact, FLT_MANT_DIG, -149);
}

/* Computes the one Result of BODY, an operation on the N elements of each of IN. */
static inlay_tensor *compute(const char *body, const inlay_tensor *const *in)
{
    runner r = runner_of(body, NULL);
    inlay_tensor *out = NULL;

    assert_true(inlay_session_run(r.session, in, NULL, &out, r.diags));
    runner_free(&r);
    return out;
}

static void check_function(const function *f, rng *r)
{
    inlay_tensor *x = draw_tensor(r, INLAY_F64, f->low, f->high), *y;
    char body[256];

    snprintf(body, sizeof body,
             "%%x = Parameter-1 {element_type = f64, shape = [%d]}\n"
             "%%y = %s(%%x)\n%%r = Result-1(%%y)\n",
             N, f->op);
    y = compute(body, (const inlay_tensor *const[]){x});
    for (int i = 0; i < N; i++) {
        double from = inlay_tensor_get_f64(x, i), to = inlay_tensor_get_f64(y, i);
        long double exact = f->exact(from);

        if (!(f64_units_off(to, exact) <= f->units))
            fail_msg("%s(%a) is %a, %g units off %La", f->op, from, to, f64_units_off(to, exact),
                     exact);
    }
    inlay_tensor_release(x);
    inlay_tensor_release(y);
}

static void test_functions(void **state)
{
    rng r = {1};

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        check_function(&functions[i], &r);
}

/* Powers whose results are finite and no denormals for the most part. */
static void check_powers(const char *type_name, inlay_type type, double high, double bound,
                         double (*off)(double, long double))
{
    rng r = {2};
    inlay_tensor *x = draw_tensor(&r, type, 0, high), *y = draw_tensor(&r, type, -12, 12), *z;
    char body[256];

    snprintf(body, sizeof body,
             "%%x = Parameter-1 {element_type = %s, shape = [%d]}\n"
             "%%y = Parameter-1 {element_type = %s, shape = [%d]}\n"
             "%%z = Power-1(%%x, %%y)\n%%r = Result-1(%%z)\n",
             type_name, N, type_name, N);
    z = compute(body, (const inlay_tensor *const[]){x, y});
    for (int i = 0; i < N; i++) {
        double a = inlay_tensor_get_f64(x, i), b = inlay_tensor_get_f64(y, i);
        double to = inlay_tensor_get_f64(z, i);
        long double exact = powl(a, b);

        if (!isinf(to) && !(off(to, exact) <= bound))
            fail_msg("Power(%a, %a) is %a, %g units off %La", a, b, to, off(to, exact), exact);
    }
    inlay_tensor_release(x);
    inlay_tensor_release(y);
    inlay_tensor_release(z);
}

static void test_powers(void **state)
{
    check_powers("f32", INLAY_F32, 1000, 0.501, f32_units_off);
    check_powers("f64", INLAY_F64, 1e20, 1, f64_units_off);
}

/* pow of ISO 9899:2011, F.10.4.4. */
static void test_ends_of_powers(void **state)
{
    enum { N_ENDS = 38 };
    static const double ends[N_ENDS][3] = {
        {0., -3, INFINITY},
        {-0., -3, -INFINITY},
        {0., -2, INFINITY},
        {-0., -2, INFINITY},
        {-0., -2.5, INFINITY},
        {0., -INFINITY, INFINITY},
        {-0., -INFINITY, INFINITY},
        {0., 3, 0.},
        {-0., 3, -0.},
        {-0., 2, 0.},
        {-0., 2.5, 0.},
        {-1, INFINITY, 1},
        {-1, -INFINITY, 1},
        {1, NAN, 1},
        {1, INFINITY, 1},
        {NAN, 0., 1},
        {-INFINITY, -0., 1},
        {-8, 1. / 3, NAN},
        {-8, NAN, NAN},
        {NAN, 3, NAN},
        {0.5, -INFINITY, INFINITY},
        {-2, -INFINITY, 0.},
        {0.5, INFINITY, 0.},
        {-2, INFINITY, INFINITY},
        {-INFINITY, -3, -0.},
        {-INFINITY, -2, 0.},
        {-INFINITY, -2.5, 0.},
        {-INFINITY, 3, -INFINITY},
        {-INFINITY, 4, INFINITY},
        {-INFINITY, 2.5, INFINITY},
        {INFINITY, -1, 0.},
        {INFINITY, 0.25, INFINITY},
        {-2, 3, -8},
        {-2, -3, -0.125},
        {-1, 16777215, -1},
        {-1, 16777216, 1},
        {-2, 129, -INFINITY},
        {-2, -151, -0.},
    };
    inlay_tensor *x = inlay_tensor_new(INLAY_F32, 1, (const int64_t[]){N_ENDS});
    inlay_tensor *y = inlay_tensor_new(INLAY_F32, 1, (const int64_t[]){N_ENDS}), *z;

    for (int i = 0; i < N_ENDS; i++) {
        inlay_tensor_set_f64(x, i, ends[i][0]);
        inlay_tensor_set_f64(y, i, ends[i][1]);
    }
    z = compute("%x = Parameter-1 {element_type = f32, shape = [38]}\n"
                "%y = Parameter-1 {element_type = f32, shape = [38]}\n"
                "%z = Power-1(%x, %y)\n%r = Result-1(%z)\n",
                (const inlay_tensor *const[]){x, y});
    for (int i = 0; i < N_ENDS; i++) {
        double got = inlay_tensor_get_f64(z, i), want = ends[i][2];

        if (isnan(want) ? !isnan(got) : got != want || signbit(got) != signbit(want))
            fail_msg("Power(%g, %g) is %g, not %g", ends[i][0], ends[i][1], got, want);
    }
    inlay_tensor_release(x);
    inlay_tensor_release(y);
    inlay_tensor_release(z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_powers),
        cmocka_unit_test(test_ends_of_powers),
    };

    return cmocka_run_group_tests_name("functions of f64", tests, NULL, NULL);
}
