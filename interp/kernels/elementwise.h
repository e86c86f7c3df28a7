/* Drivers that run the function of a row over whole tensors, so that one operation is one line.
 * Private to interp/kernels/.
 *
 * Integer functions get IS_UNSIGNED: the elements are u64 and their bits stand in an int64_t.
 */
#ifndef INLAY_KERNELS_ELEMENTWISE_H
#define INLAY_KERNELS_ELEMENTWISE_H

#include "interp/call/share.h"
#include "interp/kernels/clones.h"

/* clang warns of every loop that it was asked to vectorize and cannot vectorize, such as loops that
 * call the C library. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* The loop over a row: elements do not depend on one another, also where TO is one of the operands.
 */
#define EACH_ELEMENT _Pragma("omp simd") for (int64_t i = 0; i < n; i++)

/* Element I of row R of operand x or y of a block K. */
#define ROW_X(T) ((const T *)(const void *)(k->x + r * k->x_pitch))[i]
#define ROW_Y(T) ((const T *)(const void *)(k->y + r * k->y_pitch))[i]

/* Each element of the output in the rows of a block K becomes FORM, over what DECLARATIONS say. */
#define EACH_ROW(T, declarations, form)                                                            \
    for (int64_t r = 0, n = k->length; r < k->rows; r++) {                                         \
        T *to = (T *)(void *)(k->to + r * k->to_pitch);                                            \
                                                                                                   \
        EACH_ELEMENT                                                                               \
        {                                                                                          \
            declarations;                                                                          \
            to[i] = form;                                                                          \
        }                                                                                          \
    }

/* y = f(x), with up to two parameters. i64 NULL: integers are computed as double and the result is
 * rounded to the nearest integer, halves away from zero, or truncated, and saturated. */
typedef struct unary_fn {
    row_fn *f32, *f64;
    void (*i64)(int64_t *to, const int64_t *x, int64_t n, bool is_unsigned);
    bool truncates;
} unary_fn;

bool elementwise_unary(inlay_call *c, const unary_fn *fn, double a, double b);

/* z = f(a, b), with the broadcasting that attribute auto_broadcast names. */
typedef struct binary_fn {
    row_fn *f32, *f64;
    void (*i64)(int64_t *to, const int64_t *a, const int64_t *b, int64_t n, bool is_unsigned);
} binary_fn;

/* Where the elements of operands 0 and 1 stand in dense arrays while the output is walked in
 * row-major order. The walk goes over rows of LENGTH elements; `step` counts elements within a row,
 * `strides` those from row to row. */
typedef struct pairing {
    int outer; /* output dims before the last one */
    const int64_t *dims;
    int64_t length, count;
    int64_t step[2];
    int64_t strides[2][INLAY_MAX_RANK];
} pairing;

void elementwise_pairs(const inlay_call *c, pairing *p);

bool elementwise_binary(inlay_call *c, const binary_fn *fn);
/* Does the same, with operand 1 at STRIDES, which count its elements along the dims of the
 * output. */
bool elementwise_binary_by_strides(inlay_call *c, const binary_fn *fn, const int64_t *strides);

/* Integer arithmetic that wraps. */
static inline int64_t wrap_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
static inline int64_t wrap_sub(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}
static inline int64_t wrap_mul(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}
static inline bool less_int(int64_t a, int64_t b, bool is_unsigned)
{
    return is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
}

#endif
