/* Compares functions of interp/maths on all 2^32 floats with the C library's in double precision,
 * and with MPFR where a double does not decide. usage: exhaustive NAME
 * Prints the first floats that are wrong, and how many there are; exit status 1 if there are any.
 */
#include "interp/kernels/clones.h"
#include "interp/maths/maths.h"
#include "interp/maths/rows.h"

#include <mpfr.h>
#include <stdio.h>

enum { BLOCK = 1 << 16, SHOWN = 100 };

#define MATHS(f, library, limit)                                                                   \
    static INLAY_CLONES void row_##f(float *to, const float *from)                                 \
    {                                                                                              \
        _Pragma("omp simd") for (int i = 0; i < BLOCK; i++) to[i] = maths_##f(from[i]);            \
    }
#include "tests/maths/functions.def"
#undef MATHS

typedef struct function {
    const char *name;
    void (*row)(float *to, const float *from);
    double (*library)(double);
    int (*exact)(mpfr_t to, const mpfr_t from, mpfr_rnd_t);
    float limit;
} function;

#define MATHS(f, library, limit) {#f, row_##f, library, mpfr_##library, limit},
static const function functions[] = {
#include "tests/maths/functions.def"
};
#undef MATHS

/* Floats as MPFR numbers: 24 bits, and exponents that make the smallest numbers subnormal. */
static float by_mpfr(const function *fn, float x)
{
    mpfr_t from, to;
    int inexact;
    float y;

    mpfr_set_emin(-148);
    mpfr_set_emax(128);
    mpfr_inits2(24, from, to, (mpfr_ptr)NULL);
    mpfr_set_flt(from, x, MPFR_RNDN);
    inexact = fn->exact(to, from, MPFR_RNDN);
    mpfr_subnormalize(to, inexact, MPFR_RNDN);
    y = mpfr_get_flt(to, MPFR_RNDN);
    mpfr_clears(from, to, (mpfr_ptr)NULL);
    return y;
}

/* The C library's functions are within a few units of a double's last place, 2^-52; it is let be
 * wrong by 2^-48. */
static float true_value(const function *fn, float x)
{
    double y = fn->library(x);
    float low = (float)(y * (1 - 0x1p-48)), high = (float)(y * (1 + 0x1p-48));

    return isnan(y) ? (float)NAN : low == high ? low : by_mpfr(fn, x);
}

static uint32_t bits(float x)
{
    uint32_t b;

    memcpy(&b, &x, sizeof b);
    return b;
}

static bool same(float a, float b)
{
    return (isnan(a) && isnan(b)) || bits(a) == bits(b);
}

/* Sets FROM to the floats whose upper half is HIGH. */
static void list_floats(float *from, uint32_t high)
{
    for (uint32_t low = 0; low < BLOCK; low++) {
        uint32_t b = high << 16 | low;

        memcpy(&from[low], &b, sizeof b);
    }
}

/* Compares the floats whose upper half is HIGH, and returns how many are wrong. */
static long compare(const function *fn, uint32_t high, long before)
{
    static float from[BLOCK], to[BLOCK];
    long wrong = 0;

    list_floats(from, high);
    fn->row(to, from);
    for (int i = 0; i < BLOCK; i++) {
        float expected = true_value(fn, from[i]);

        if (same(to[i], expected) || fabsf(from[i]) > fn->limit)
            continue;
        if (before + wrong++ < SHOWN)
            printf("# %s(%a) is %a, it must be %a\n", fn->name, from[i], to[i], expected);
    }
    return wrong;
}

/* Compares maths_erf with its rows, of each width, on all floats. Returns how many differ. */
static long compare_rows_of_erf(void)
{
    static float from[BLOCK], plain[BLOCK], to[BLOCK];
    long wrong = 0;

    for (uint32_t high = 0; high < BLOCK; high++) {
        list_floats(from, high);
        row_erf(plain, from);
        for (int width = MATHS_PLAIN; width <= MATHS_AVX512; width++) {
            const maths_rows *rows = maths_rows_of((maths_width)width);

            if (rows)
                rows->erf(to, from, BLOCK);
            for (int i = 0; rows && i < BLOCK; i++)
                wrong += !same(to[i], plain[i]);
        }
    }
    return wrong;
}

/* Compares maths_exp with its rows, of each width, on all floats. Returns how many differ. */
static long compare_rows(void)
{
    static float from[BLOCK], plain[BLOCK], to[BLOCK];
    long wrong = 0;

    for (uint32_t high = 0; high < BLOCK; high++) {
        list_floats(from, high);
        row_exp(plain, from);
        for (int width = MATHS_PLAIN; width <= MATHS_AVX512; width++) {
            const maths_rows *rows = maths_rows_of((maths_width)width);

            if (rows)
                rows->exp(to, from, BLOCK, 0);
            for (int i = 0; rows && i < BLOCK; i++)
                wrong += !same(to[i], plain[i]);
        }
    }
    return wrong;
}

int main(int argc, char **argv)
{
    for (size_t k = 0; argc == 2 && k < sizeof functions / sizeof *functions; k++) {
        long wrong = 0;

        if (strcmp(functions[k].name, argv[1]) != 0)
            continue;
        for (uint32_t high = 0; high < BLOCK; high++)
            wrong += compare(&functions[k], high, wrong);
        if (strcmp(argv[1], "exp") == 0)
            wrong += compare_rows();
        if (strcmp(argv[1], "erf") == 0)
            wrong += compare_rows_of_erf();
        printf("# %s: %ld of 2^32 floats are wrong\n", argv[1], wrong);
        return wrong > 0;
    }
    fprintf(stderr, "usage: exhaustive NAME\n");
    return 2;
}
