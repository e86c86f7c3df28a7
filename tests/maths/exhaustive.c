/* Compares functions of interp/maths on all 2^32 floats with the C library's in double precision,
 * and with MPFR where a double does not decide; and the rows of each width with them.
 * usage: exhaustive NAME
 * Prints the first floats that are wrong, and how many there are; exit status 1 if there are any.
 */
#include "interp/kernels/clones.h"
#include "interp/maths/maths.h"
#include "interp/maths/rows.h"

#include <mpfr.h>
#include <stddef.h>
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

/* The rows of interp/maths/rows.def, and the functions that they are compared with. */
#define ROW(f, form)                                                                               \
    static INLAY_CLONES void plain_##f(float *to, const float *from, double a, double b)           \
    {                                                                                              \
        (void)a, (void)b;                                                                          \
        _Pragma("omp simd") for (int i = 0; i < BLOCK; i++)                                        \
        {                                                                                          \
            float x = from[i];                                                                     \
                                                                                                   \
            to[i] = form;                                                                          \
        }                                                                                          \
    }
#include "interp/maths/rows.def"
#undef ROW

static const struct row_of {
    const char *name;
    void (*plain)(float *to, const float *from, double a, double b);
    size_t at; /* where the row is in maths_rows */
} rows_of[] = {
#define ROW(f, form) {#f, plain_##f, offsetof(maths_rows, f)},
#include "interp/maths/rows.def"
#undef ROW
};

/* Compares a row of each width on the floats whose upper half is HIGH. Returns how many differ. */
static long compare_row(const struct row_of *r, uint32_t high, double a, double b, long before)
{
    static float from[BLOCK], plain[BLOCK], to[BLOCK];
    long wrong = 0;

    list_floats(from, high);
    r->plain(plain, from, a, b);
    for (int width = MATHS_PLAIN; width <= MATHS_AVX512; width++) {
        const maths_rows *rows = maths_rows_of((maths_width)width);
        maths_row_fn *row;

        if (!rows)
            continue;
        memcpy(&row, (const char *)rows + r->at, sizeof row);
        row(to, from, BLOCK, a, b);
        for (int i = 0; i < BLOCK; i++) {
            if (!same(to[i], plain[i]) && before + wrong++ < SHOWN)
                printf("# %s(%a) is %a in width %d, it must be %a\n", r->name, from[i], to[i],
                       width, plain[i]);
        }
    }
    return wrong;
}

/* Compares the rows NAME on all floats, with the parameters that most models have, and with those
 * of Selu. Returns how many differ, and sets KNOWN if there are such rows. */
static long compare_rows(const char *name, bool *known)
{
    long wrong = 0;

    for (size_t k = 0; k < sizeof rows_of / sizeof *rows_of; k++) {
        bool both = strcmp(name, "swish") == 0 || strcmp(name, "elu") == 0;

        if (strcmp(rows_of[k].name, name) != 0)
            continue;
        for (uint32_t high = 0; high < BLOCK; high++) {
            wrong += compare_row(&rows_of[k], high, strcmp(name, "exp") != 0, 1, wrong);
            if (both)
                wrong +=
                    compare_row(&rows_of[k], high, 1.6732632423543772, 1.0507009873554805, wrong);
        }
        *known = true;
        printf("# rows of %s: %ld floats are wrong\n", name, wrong);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    long wrong = 0;
    bool known = false;

    for (size_t k = 0; argc == 2 && k < sizeof functions / sizeof *functions; k++) {
        if (strcmp(functions[k].name, argv[1]) != 0)
            continue;
        for (uint32_t high = 0; high < BLOCK; high++)
            wrong += compare(&functions[k], high, wrong);
        known = true;
        printf("# %s: %ld of 2^32 floats are wrong\n", argv[1], wrong);
    }
    if (argc == 2)
        wrong += compare_rows(argv[1], &known);
    if (known)
        return wrong > 0;
    fprintf(stderr, "usage: exhaustive NAME\n");
    return 2;
}
