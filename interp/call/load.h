/* Converts operands to dense arrays of C numbers, and back. Operands and outputs may be strided and
 * unaligned.
 *
 * Each type is computed in one of three domains, and rounded or wrapped once, on store:
 *   f64           as double
 *   other floats  as float
 *   integers and boolean  as int64_t (u64 as the same bits; compare with care)
 * Load an operand as a dense array of its domain, compute with plain loops, store:
 *
 *     const float *x = load_f32(c, 0);
 *     float *y = inlay_call_memory(c, n, sizeof *y);
 *     if (!x || !y) return false;
 *     for (int64_t i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : 0;
 *     return store_f32(c, 0, y);
 *
 * A load returns the operand's own memory when it is dense, aligned and of that C type already;
 * NULL after recording the error when there is no memory. */
#ifndef INLAY_INTERP_LOAD_H
#define INLAY_INTERP_LOAD_H

#include "ir/shared.h"

typedef struct inlay_call inlay_call;

typedef enum inlay_domain { DOMAIN_I64, DOMAIN_F32, DOMAIN_F64, DOMAIN_NONE } inlay_domain;
inlay_domain load_domain(inlay_type type);
const float *load_f32(inlay_call *c, int i);
const double *load_f64(inlay_call *c, int i);
const int64_t *load_i64(inlay_call *c, int i); /* integers, boolean as 0 or 1, floats truncated */
const bool *load_bool(inlay_call *c, int i);   /* non-zero is true */
/* These return the operand's own memory even when it is strided. Sets STRIDES, one for each axis,
 * to those of the array returned. */
const float *load_strided_f32(inlay_call *c, int i, int64_t *strides);
const double *load_strided_f64(inlay_call *c, int i, int64_t *strides);
const int64_t *load_strided_i64(inlay_call *c, int i, int64_t *strides);
/* Sets STRIDES to those that these functions will give for T in DOMAIN; T need not have elements
 * yet. */
void load_strides(const inlay_tensor *t, inlay_domain domain, int64_t *strides);
/* Loads a list of integers as load_i64 does, with the number of its elements. */
const int64_t *load_ints(inlay_call *c, int i, int64_t *n);
/* Loads ends of windows: numbers above INT64_MAX become INT64_MAX, which is beyond any axis, too.
 */
const int64_t *load_bounds(inlay_call *c, int i, int64_t *n);
/* Loads the only element of operand I. False after recording an error when it has not exactly one.
 */
bool load_one_int(inlay_call *c, int i, int64_t *out);
/* Returns an uninitialised array for all elements of output O: the output's own memory, if it is an
 * aligned array of these numbers, else scratch. A store from it copies only from scratch. Only for
 * kernels whose output never shares memory with an operand. */
float *place_f32(inlay_call *c, int o);
double *place_f64(inlay_call *c, int o);
int64_t *place_i64(inlay_call *c, int o);
bool store_f32(inlay_call *c, int o, const float *x);
bool store_f64(inlay_call *c, int o, const double *x);
bool store_i64(inlay_call *c, int o, const int64_t *x); /* wraps */
/* The same for an output of 32-bit integers. */
uint32_t *place_u32(inlay_call *c, int o);
bool store_u32(inlay_call *c, int o, const uint32_t *x);
bool store_bool(inlay_call *c, int o, const bool *x);

/* Returns X converted to the integer type TYPE: truncated toward zero and saturated; NaN gives 0. A
 * u64 is returned as its bits. */
static inline int64_t saturated_integer(inlay_type type, double x)
{
    int64_t element = 0;

    inlay_store_f64(type, &element, 0, x);
    return inlay_load_i64(type, &element, 0);
}

/* Converts N elements of T to numbers of a domain, or back. The first has element index AT, counted
 * from T's data, the others follow at distance STEP. */
void load_row_f32(float *x, const inlay_tensor *t, int64_t at, int64_t step, int64_t n);
void load_row_f64(double *x, const inlay_tensor *t, int64_t at, int64_t step, int64_t n);
void load_row_i64(int64_t *x, const inlay_tensor *t, int64_t at, int64_t step, int64_t n);
void store_row_f32(const inlay_tensor *t, int64_t at, int64_t step, int64_t n, const float *x);
void store_row_f64(const inlay_tensor *t, int64_t at, int64_t step, int64_t n, const double *x);
void store_row_i64(const inlay_tensor *t, int64_t at, int64_t step, int64_t n, const int64_t *x);

#endif
