/* Stockham's transforms with radix 4, 2 and odd primes, and Bluestein's for what is left. */
#include "interp/kernels/fourier.h"
#include "interp/kernels/clones.h"

#include <math.h>
#include <string.h>

enum {
    LARGEST = 31, /* prime factor for which sums over all pairs are faster than Bluestein's way */
    HALF = LARGEST / 2,
    SOME = 16 /* lines that a butterfly of an odd radix computes at a time */
};

typedef struct complex_number {
    double re, im;
} complex_number;

/* Returns the cosine and sine of 0 <= X < 1 by their series, which have the same bits on every
 * machine, as those of libm have not. */
static complex_number root_of_angle(double x)
{
    static const double odd[] = {1.0 / (17 * 16), 1.0 / (15 * 14), 1.0 / (13 * 12), 1.0 / (11 * 10),
                                 1.0 / (9 * 8),   1.0 / (7 * 6),   1.0 / (5 * 4),   1.0 / (3 * 2)};
    static const double even[] = {1.0 / (18 * 17), 1.0 / (16 * 15), 1.0 / (14 * 13),
                                  1.0 / (12 * 11), 1.0 / (10 * 9),  1.0 / (8 * 7),
                                  1.0 / (6 * 5),   1.0 / (4 * 3)};
    double z = x * x, s = 1, c = 1;

    for (int i = 0; i < 7; i++)
        s = 1 - z * odd[i] * s;
    for (int i = 0; i < 8; i++)
        c = 1 - z * even[i] * c;
    return (complex_number){1 - z / 2 * c, x - x * z * odd[7] * s};
}

/* Returns exp(2 pi i k / n) for 0 <= K <= N / 4. The cosine and sine are those of at most an eighth
 * of the circle, so that they are 0, 1 and equal to each other where they must be. */
static complex_number root_of_quarter(int64_t k, int64_t n)
{
    const double pi = 3.14159265358979323846;
    complex_number z;

    if (8 * k == n)
        return (complex_number){sqrt(0.5), sqrt(0.5)};
    if (8 * k < n)
        return root_of_angle(2 * pi * (double)k / (double)n);
    z = root_of_angle(pi * (double)(n - 4 * k) / (double)(2 * n));
    return (complex_number){z.im, z.re};
}

/* Returns exp(2 pi i k / n) for 0 <= K < N: the second quarter mirrors the first one, the lower
 * half the upper one. */
static complex_number root(int64_t k, int64_t n)
{
    bool lower = 2 * k > n, left;
    int64_t upper = lower ? n - k : k;
    complex_number z;

    left = 4 * upper > n;
    if (left) /* exp(i (pi - x)) */
        z = root_of_quarter(n - 2 * upper, 2 * n);
    else
        z = root_of_quarter(upper, n);
    return (complex_number){left ? -z.re : z.re, lower ? -z.im : z.im};
}

/* A stage makes R transforms, one behind the other, of each one that it reads from X; those of all
 * lines, and of the stages before, are side by side. */
struct stage {
    const double *root_re, *root_im;
    int64_t roots; /* in the circle of the whole transform */
    int64_t step;  /* from a root of this stage to the next one */
    int64_t m, s;  /* numbers of a smaller transform, and lines */
    const double *xr, *xi;
    double *yr, *yi;
};

static complex_number root_of_stage(const struct stage *g, int64_t k)
{
    k = k * g->step % g->roots;
    return (complex_number){g->root_re[k], g->root_im[k]};
}

static INLAY_CLONES void pass_two(const struct stage *g)
{
    int64_t s = g->s, far = s * g->m;

    for (int64_t p = 0; p < g->m; p++) {
        complex_number w = root_of_stage(g, p);
        const double *xr = g->xr + s * p, *xi = g->xi + s * p;
        double *restrict yr = g->yr + 2 * s * p, *restrict yi = g->yi + 2 * s * p;

#pragma omp simd
        for (int64_t q = 0; q < s; q++) {
            double re = xr[q] - xr[q + far], im = xi[q] - xi[q + far];

            yr[q] = xr[q] + xr[q + far];
            yi[q] = xi[q] + xi[q + far];
            yr[q + s] = re * w.re - im * w.im;
            yi[q + s] = re * w.im + im * w.re;
        }
    }
}

static INLAY_CLONES void pass_four(const struct stage *g)
{
    int64_t s = g->s, far = s * g->m;

    for (int64_t p = 0; p < g->m; p++) {
        complex_number u = root_of_stage(g, p), v = root_of_stage(g, 2 * p),
                       w = root_of_stage(g, 3 * p);
        const double *xr = g->xr + s * p, *xi = g->xi + s * p;
        double *restrict yr = g->yr + 4 * s * p, *restrict yi = g->yi + 4 * s * p;

#pragma omp simd
        for (int64_t q = 0; q < s; q++) {
            double ar = xr[q] + xr[q + 2 * far], ai = xi[q] + xi[q + 2 * far];
            double br = xr[q] - xr[q + 2 * far], bi = xi[q] - xi[q + 2 * far];
            double cr = xr[q + far] + xr[q + 3 * far], ci = xi[q + far] + xi[q + 3 * far];
            double dr = xi[q + far] - xi[q + 3 * far], di = xr[q + 3 * far] - xr[q + far];

            yr[q] = ar + cr;
            yi[q] = ai + ci;
            yr[q + s] = (br + dr) * u.re - (bi + di) * u.im;
            yi[q + s] = (br + dr) * u.im + (bi + di) * u.re;
            yr[q + 2 * s] = (ar - cr) * v.re - (ai - ci) * v.im;
            yi[q + 2 * s] = (ar - cr) * v.im + (ai - ci) * v.re;
            yr[q + 3 * s] = (br - dr) * w.re - (bi - di) * w.im;
            yi[q + 3 * s] = (br - dr) * w.im + (bi - di) * w.re;
        }
    }
}

/* Sums and differences of the numbers 1 and R - 1, 2 and R - 2, .. of some lines. */
struct pairs {
    double ar[SOME], ai[SOME]; /* number 0 */
    double sr[HALF][SOME], si[HALF][SOME], dr[HALF][SOME], di[HALF][SOME];
};

static INLAY_CLONES void read_pairs(const double *xr, const double *xi, int64_t far, int64_t half,
                                    int64_t n, struct pairs *z)
{
    memcpy(z->ar, xr, (size_t)n * sizeof *xr);
    memcpy(z->ai, xi, (size_t)n * sizeof *xi);
    for (int64_t k = 0; k < half; k++) {
        int64_t a = (k + 1) * far, b = (2 * half - k) * far;

        for (int64_t q = 0; q < n; q++) {
            z->sr[k][q] = xr[q + a] + xr[q + b];
            z->si[k][q] = xi[q + a] + xi[q + b];
            z->dr[k][q] = xr[q + a] - xr[q + b];
            z->di[k][q] = xi[q + a] - xi[q + b];
        }
    }
}

/* Writes number J of N lines, and number R - J, turned by U and V. CIRCLE: the roots of R. */
static INLAY_CLONES void write_pair(const struct pairs *z, const complex_number *circle, int64_t j,
                                    int64_t r, int64_t n, complex_number u, complex_number v,
                                    double *restrict yr, double *restrict yi, int64_t apart)
{
    double cr[SOME], ci[SOME], er[SOME] = {0}, ei[SOME] = {0};

    memcpy(cr, z->ar, (size_t)n * sizeof *cr);
    memcpy(ci, z->ai, (size_t)n * sizeof *ci);
    for (int64_t k = 0; k < r / 2; k++) {
        complex_number w = circle[j * (k + 1) % r];

        for (int64_t q = 0; q < n; q++) {
            cr[q] += z->sr[k][q] * w.re;
            ci[q] += z->si[k][q] * w.re;
            er[q] -= z->di[k][q] * w.im;
            ei[q] += z->dr[k][q] * w.im;
        }
    }
    for (int64_t q = 0; q < n; q++) {
        double ar = cr[q] + er[q], ai = ci[q] + ei[q], br = cr[q] - er[q], bi = ci[q] - ei[q];

        yr[q] = ar * u.re - ai * u.im;
        yi[q] = ar * u.im + ai * u.re;
        yr[q + apart] = br * v.re - bi * v.im;
        yi[q + apart] = br * v.im + bi * v.re;
    }
}

static void write_first(const struct pairs *z, int64_t half, int64_t n, double *yr, double *yi)
{
    for (int64_t q = 0; q < n; q++) {
        double re = z->ar[q], im = z->ai[q];

        for (int64_t k = 0; k < half; k++) {
            re += z->sr[k][q];
            im += z->si[k][q];
        }
        yr[q] = re;
        yi[q] = im;
    }
}

static void pass_odd(const struct stage *g, int64_t r)
{
    int64_t s = g->s, half = r / 2;
    complex_number circle[LARGEST];
    struct pairs z;

    for (int64_t k = 0; k < r; k++)
        circle[k] = root_of_stage(g, k * g->m);
    for (int64_t p = 0; p < g->m; p++) {
        for (int64_t q = 0; q < s; q += SOME) {
            int64_t n = s - q < SOME ? s - q : SOME, to = s * r * p + q;

            read_pairs(g->xr + s * p + q, g->xi + s * p + q, s * g->m, half, n, &z);
            write_first(&z, half, n, g->yr + to, g->yi + to);
            for (int64_t j = 1; j <= half; j++)
                write_pair(&z, circle, j, r, n, root_of_stage(g, j * p),
                           root_of_stage(g, (r - j) * p), g->yr + to + j * s, g->yi + to + j * s,
                           (r - 2 * j) * s);
        }
    }
}

/* Transforms by the factors of F. */
static void transform_factors(const fourier *f, int64_t lanes, double *re, double *im, double *room)
{
    double *at[2][2] = {{re, im}, {room, room + f->n * lanes}};
    struct stage g = {.root_re = f->re, .root_im = f->im, .roots = f->n, .step = 1, .s = lanes};
    int64_t n = f->n;
    int from = 0;

    for (int i = 0; i < f->n_factors; i++, from = !from) {
        int64_t r = f->factor[i];

        g.m = n / r;
        g.xr = at[from][0];
        g.xi = at[from][1];
        g.yr = at[!from][0];
        g.yi = at[!from][1];
        if (r == 4)
            pass_four(&g);
        else if (r == 2)
            pass_two(&g);
        else
            pass_odd(&g, r);
        n = g.m;
        g.step *= r;
        g.s *= r;
    }
    if (from == 1) {
        memcpy(re, at[1][0], (size_t)(f->n * lanes) * sizeof *re);
        memcpy(im, at[1][1], (size_t)(f->n * lanes) * sizeof *im);
    }
}

/* Multiplies lines by numbers, one for each of their N elements. */
static INLAY_CLONES void turn(double *restrict re, double *restrict im, int64_t n, int64_t lanes,
                              const double *u, const double *v)
{
    for (int64_t j = 0; j < n; j++) {
        for (int64_t q = j * lanes; q < (j + 1) * lanes; q++) {
            double x = re[q];

            re[q] = x * u[j] - im[q] * v[j];
            im[q] = x * v[j] + im[q] * u[j];
        }
    }
}

/* As j m = (j j + m m - (m - j)(m - j)) / 2, a transform is a convolution with a chirp, between two
 * products with it. */
static void transform_chirp(const fourier *f, int64_t lanes, double *re, double *im, double *room)
{
    int64_t n = f->n * lanes, m = f->wide->n, all = m * lanes;
    double *u = room, *v = room + all, *rest = v + all;

    turn(re, im, f->n, lanes, f->chirp_re, f->chirp_im);
    memset(u, 0, (size_t)(2 * all) * sizeof *u);
    memcpy(u, re, (size_t)n * sizeof *u);
    memcpy(v, im, (size_t)n * sizeof *v);
    fourier_transform(f->wide, lanes, u, v, rest);
    turn(u, v, m, lanes, f->kernel_re, f->kernel_im);
    fourier_transform(f->wide, lanes, v, u, rest);
    memcpy(re, u, (size_t)n * sizeof *u);
    memcpy(im, v, (size_t)n * sizeof *v);
    turn(re, im, f->n, lanes, f->chirp_re, f->chirp_im);
}

void fourier_transform(const fourier *f, int64_t lanes, double *re, double *im, double *room)
{
    if (f->wide)
        transform_chirp(f, lanes, re, im, room);
    else
        transform_factors(f, lanes, re, im, room);
}

int64_t fourier_room(const fourier *f)
{
    return f->wide ? 4 * f->wide->n : 2 * f->n;
}

/* Splits N into factors. False: a prime factor is too large. */
static bool split(fourier *f, int64_t n)
{
    static const int64_t even[] = {4, 2};

    f->n_factors = 0;
    for (int i = 0; i < 2; i++) {
        for (; n % even[i] == 0; n /= even[i])
            f->factor[f->n_factors++] = even[i];
    }
    for (int64_t r = 3; r <= LARGEST; r += 2) {
        for (; n % r == 0; n /= r)
            f->factor[f->n_factors++] = r;
    }
    return n == 1;
}

/* Prepares Bluestein's way. The chirp's transform is divided by the length of both. */
static bool make_chirp(inlay_call *c, fourier *f)
{
    int64_t n = f->n, m = 1;
    double *room;

    while (m < 2 * n - 1)
        m *= 2;
    f->wide = inlay_call_memory(c, 1, sizeof *f->wide);
    f->chirp_re = inlay_call_memory(c, 2 * n, sizeof(double));
    f->kernel_re = inlay_call_memory(c, 2 * m, sizeof(double));
    if (!f->wide || !f->chirp_re || !f->kernel_re || !fourier_of(c, m, f->wide) ||
        !(room = inlay_call_memory(c, fourier_room(f->wide), sizeof *room)))
        return false;
    f->chirp_im = f->chirp_re + n;
    f->kernel_im = f->kernel_re + m;
    for (int64_t k = 0, square = 0; k < n; square = (square + 2 * k + 1) % (2 * n), k++) {
        complex_number z = root(square, 2 * n);
        int64_t mirrored = k > 0 ? m - k : 0;

        f->chirp_re[k] = z.re;
        f->chirp_im[k] = -z.im;
        f->kernel_re[k] = f->kernel_re[mirrored] = z.re / (double)m;
        f->kernel_im[k] = f->kernel_im[mirrored] = z.im / (double)m;
    }
    fourier_transform(f->wide, 1, f->kernel_re, f->kernel_im, room);
    return true;
}

bool fourier_of(inlay_call *c, int64_t n, fourier *f)
{
    *f = (fourier){.n = n};
    if (!split(f, n))
        return make_chirp(c, f);
    f->re = inlay_call_memory(c, n, sizeof *f->re);
    f->im = inlay_call_memory(c, n, sizeof *f->im);
    if (!f->re || !f->im)
        return false;
    for (int64_t k = 0; k < n; k++) {
        complex_number z = root(k, n);

        f->re[k] = z.re;
        f->im[k] = -z.im;
    }
    return true;
}
