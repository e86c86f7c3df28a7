/* A reduction is described by functions that fold a row (reduce.c); reduce_run.c applies them along
 * any axes. Private to these files. */
#ifndef INLAY_KERNELS_REDUCE_H
#define INLAY_KERNELS_REDUCE_H

#include "interp/kernels/elementwise.h"

/* N numbers in a row, APART from each other; the rows are PITCH apart. */
typedef struct lines {
    int64_t rows, pitch, n, apart;
} lines;

/* Folds a row of integers as they are in memory; what is added wraps. */
typedef void reduce_row(void *to, int64_t step, const void *from, int64_t apart, int64_t n);

/* The functions by type; NULL: there is none. */
typedef struct reduce_ints {
    reduce_row *i8, *u8, *i16, *u16, *i32, *u32, *i64, *u64;
} reduce_ints;

typedef struct reduce_fn {
    double start;
    reduce_ints ints;
    void (*row_f32)(float *to, int64_t step, const float *from, int64_t apart, int64_t n);
    void (*row_f64)(double *to, int64_t step, const double *from, int64_t apart, int64_t n);
    void (*row_i64)(int64_t *to, int64_t step, const int64_t *from, int64_t apart, int64_t n,
                    bool is_unsigned);
    /* Makes COUNT results of what N numbers were folded to, STEP apart. */
    void (*end_f32)(float *to, int64_t step, int64_t count, int64_t n);
    void (*end_f64)(double *to, int64_t step, int64_t count, int64_t n);
    int64_t (*end_i64)(int64_t sum, int64_t n, inlay_type type);
    void (*lanes_f32)(float *lane, int64_t at, const float *from, const lines *l);
    void (*lanes_f64)(double *lane, int64_t at, const double *from, const lines *l);
    /* Folds a row of N numbers side by side into each of ROWS results, STEP apart; sums: in lanes.
     */
    void (*rows_f32)(float *to, int64_t step, const float *from, const lines *l);
    void (*rows_f64)(double *to, int64_t step, const double *from, const lines *l);
    /* Folds ROWS rows of N numbers into the N numbers TO, one row after the other. With fewer than
     * EIGHT numbers, rows have no gaps. */
    void (*columns_f32)(float *to, const float *from, const lines *l);
    void (*columns_f64)(double *to, const double *from, const lines *l);
    bool multiplies; /* lanes are multiplied with each other; else added */
    bool scales;     /* FN(s x) = s FN(x): if an intermediate result overflowed, the reduction is
                    repeated with scaled numbers */
    double low_f32, low_f64; /* results below it have lost bits in intermediate results, too */
} reduce_fn;

/* The lanes of a sum; the numbers of a vector. */
enum { LANES = 32, EIGHT = 8 };

/* A sum of many floats along the last axis, and so a product, is computed in LANES partial sums, so
 * that an addition need not wait for the one before it: element i goes to partial sum i % LANES,
 * and at the end half of the partial sums are added to the other half, until one is left. With 4
 * lanes the sum of a to f would be
 *
 *     ((a + e) + c) + ((b + f) + d)
 *
 * So the order depends only on the number of elements. LANES elements or fewer are added in their
 * own order. */

/* Adds the last half of the lanes to the first one, or multiplies them, until one is left. */
#define DEFINE_HALVE(T, name, operator)                                                            \
    static inline __attribute__((always_inline)) T name(const T *lane)                             \
    {                                                                                              \
        typedef T sixteen                                                                          \
            __attribute__((vector_size(16 * sizeof(T)), aligned(sizeof(T)), may_alias));           \
        sixteen x = *(const sixteen *)lane operator*(const sixteen *)(lane + LANES / 2);           \
        __typeof__(__builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7)) y =                      \
            __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7)                                  \
            operator __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);                  \
        __typeof__(__builtin_shufflevector(y, y, 0, 1, 2, 3)) z =                                  \
            __builtin_shufflevector(y, y, 0, 1, 2, 3) operator __builtin_shufflevector(y, y, 4, 5, \
                                                                                       6, 7);      \
                                                                                                   \
        return (z[0] operator z[2]) operator(z[1] operator z[3]);                                  \
    }

DEFINE_HALVE(float, halve_sum_f32, +)
DEFINE_HALVE(double, halve_sum_f64, +)
DEFINE_HALVE(float, halve_product_f32, *)
DEFINE_HALVE(double, halve_product_f64, *)

/* Computes C by FN along the axes that operand 1 lists. */
bool reduce_run(inlay_call *c, const reduce_fn *fn);

#endif
