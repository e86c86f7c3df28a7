/* Fast Fourier transforms in f64, which are the definition of DFT-7 and its kin: each result is
 * computed by the same steps whatever is computed beside it. Private to the kernels. */
#ifndef INLAY_KERNELS_FOURIER_H
#define INLAY_KERNELS_FOURIER_H

#include "interp/call/kernel.h"

enum { FOURIER_FACTORS = 64 };

/* Transforms of N numbers. */
typedef struct fourier {
    int64_t n;
    int n_factors;
    int64_t factor[FOURIER_FACTORS]; /* of N; none if N has a large prime factor */
    double *re, *im;                 /* exp(-2 pi i k / n) */
    /* Bluestein's way for large prime factors: transforms of a power of two, exp(-pi i k k / n),
     * and the transform of the conjugates of these. */
    struct fourier *wide;
    double *chirp_re, *chirp_im, *kernel_re, *kernel_im;
} fourier;

/* Sets F to transforms of N >= 1 numbers, which live as long as the call. False: no memory. */
bool fourier_of(inlay_call *c, int64_t n, fourier *f);
/* Returns how many numbers the room of a transform has for each of its lanes. */
int64_t fourier_room(const fourier *f);
/* Replaces x[j] by y[m] = sum of x[j] exp(-2 pi i j m / n), in LANES lines side by side: number j
 * of line l is at j * LANES + l. With RE and IM exchanged it is the inverse, times n. */
void fourier_transform(const fourier *f, int64_t lanes, double *re, double *im, double *room);

#endif
