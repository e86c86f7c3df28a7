/* Einsum-7 as sums of products of two factors: operands are taken from left to right. Private to
 * the kernels. */
#ifndef INLAY_KERNELS_EINSUM_H
#define INLAY_KERNELS_EINSUM_H

#include "interp/call/kernel.h"

/* Strides of a factor over the labels that are kept and over those that are summed; 0 where it
 * lacks the label, or is broadcast. */
typedef struct factor_strides {
    int64_t kept[INLAY_MAX_RANK], summed[INLAY_MAX_RANK];
} factor_strides;

/* A sum of products of two factors, or of the elements of the first one. The result is dense, its
 * axes are the labels that are kept; the last of the labels that are summed runs fastest. */
typedef struct contraction {
    int n_kept, n_summed;
    int64_t kept[INLAY_MAX_RANK], summed[INLAY_MAX_RANK]; /* sizes */
    factor_strides a, b;
} contraction;

/* Computes K of A and B to Y, numbers of one domain. B is NULL where there is one factor. */
typedef bool contract_fn(inlay_call *c, const contraction *k, const void *a, const void *b,
                         void *y);

/* A function for each domain; integers are computed as uint64_t, which wraps. */
typedef struct einsum_ways {
    contract_fn *f32, *f64, *u64;
} einsum_ways;

/* Computes the call, an Einsum, by these functions. */
bool einsum_compute(inlay_call *c, const einsum_ways *ways);

#endif
