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

/* Element I of row R of operand x, y or z of a block K. */
#define ROW_X(T) ((const T *)(const void *)(k->x + r * k->x_pitch))[i]
#define ROW_Y(T) ((const T *)(const void *)(k->y + r * k->y_pitch))[i]
#define ROW_Z(T) ((const T *)(const void *)(k->z + r * k->z_pitch))[i]

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

/* Defines the function NAME, whose rows have elements FORM of a and b of type A: those of operands
 * x and y, which are C numbers T. FIELD has the operand that is one number for all. */
#define PAIR_ROWS(name, To, T, A, field, form)                                                     \
    static INLAY_CLONES void name(const row_block *k)                                              \
    {                                                                                              \
        const A number = (A)k->number.field;                                                       \
                                                                                                   \
        if (k->single == SINGLE_X)                                                                 \
            EACH_ROW(To, A a = number; A b = (A)ROW_Y(T), form)                                    \
        else if (k->single == SINGLE_Y)                                                            \
            EACH_ROW(To, A a = (A)ROW_X(T); A b = number, form)                                    \
        else                                                                                       \
            EACH_ROW(To, A a = (A)ROW_X(T); A b = (A)ROW_Y(T), form)                               \
    }

/* Functions of rows of integers as they lie in memory; NULL: there is none for the type. Each
 * computes as the function of int64_t beside it does, and what is stored wraps. */
typedef struct int_rows {
    row_fn *i32, *i64, *u8, *boolean;
} int_rows;

/* Returns the one of R for integers of TYPE, or NULL. */
row_fn *elementwise_int_rows(const int_rows *r, inlay_type type);
/* Announces that RUN, unless it is NULL, makes rows of the output of C from operands of their own
 * types at these strides; SECOND NULL: there is one. False: an executor wanted to know no more. */
bool elementwise_announce(inlay_call *c, row_fn *run, const int64_t *first, const int64_t *second);
/* Sets the strides of operand I, whose own are OWN, over the output's dims. */
void elementwise_strides(const inlay_call *c, int i, const int64_t *own, int64_t *strides);

/* y = f(x), with up to two parameters. i64 NULL: integers are computed as double and the result is
 * rounded to the nearest integer, halves away from zero, or truncated, and saturated. */
typedef struct unary_fn {
    row_fn *f32, *f64;
    void (*i64)(int64_t *to, const int64_t *x, int64_t n, bool is_unsigned);
    bool truncates;
    int_rows rows;
    row_op op; /* what f32 is, if it is one */
} unary_fn;

bool elementwise_unary(inlay_call *c, const unary_fn *fn, double a, double b);

/* z = f(a, b), with the broadcasting that attribute auto_broadcast names. */
typedef struct binary_fn {
    row_fn *f32, *f64;
    void (*i64)(int64_t *to, const int64_t *a, const int64_t *b, int64_t n, bool is_unsigned);
    int_rows rows;
    row_op op; /* what f32 is, if it is one */
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
