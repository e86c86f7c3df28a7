/* Apply the function of a row to whole tensors, so that one operation is one line. Private to
 * interp/kernels/.
 *
 * Integer functions get IS_UNSIGNED: the elements are u64, stored as the bits of an int64_t. */
#ifndef INLAY_KERNELS_ELEMENTWISE_H
#define INLAY_KERNELS_ELEMENTWISE_H

#include "interp/call/share.h"
#include "interp/kernels/clones.h"

/* clang warns about every loop that cannot be vectorized as requested, such as loops that call the
 * C library. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* The loop over a row: elements are independent of one another, also if TO is one of the operands.
 */
#define EACH_ELEMENT _Pragma("omp simd") for (int64_t i = 0; i < n; i++)

/* Element I of row R of operand x, y or z of BLOCK. */
#define ROW_X(T) ((const T *)(const void *)(block->x + r * block->x_pitch))[i]
#define ROW_Y(T) ((const T *)(const void *)(block->y + r * block->y_pitch))[i]
#define ROW_Z(T) ((const T *)(const void *)(block->z + r * block->z_pitch))[i]

/* For each element of the output in the rows of block K: makes the DECLARATIONS, and sets it to
 * FORM. The block is a copy, which no element can be part of, whatever its type. */
#define EACH_ROW(T, declarations, form)                                                            \
    {                                                                                              \
        const row_block own = *k, *const block = &own;                                             \
                                                                                                   \
        for (int64_t r = 0, n = own.length; r < own.rows; r++) {                                   \
            T *to = (T *)(void *)(own.to + r * own.to_pitch);                                      \
                                                                                                   \
            EACH_ELEMENT                                                                           \
            {                                                                                      \
                declarations;                                                                      \
                to[i] = form;                                                                      \
            }                                                                                      \
        }                                                                                          \
    }

/* Defines the row function NAME: its elements are FORM of a and b of type A, which are the elements
 * of operands x and y, C numbers T. FIELD is the operand that is a scalar, if one is. */
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

/* Row functions on integers as they are in memory; NULL: none for the type. Each computes the same
 * as the function on int64_t beside it, and wraps when it stores. */
typedef struct int_rows {
    row_fn *i32, *i64, *u8, *boolean, *i8, *u32, *u64, *i16, *u16;
} int_rows;

/* The rows NAME_rows_... of INT_ROWS; the others also for narrow types: where signs matter for each
 * type, else for types of the other sign, where results have the same bits. */
#define ROWS_OF(name)                                                                              \
    {                                                                                              \
        .i32 = name##_rows_i32, .i64 = name##_rows_i64, .u8 = name##_rows_u8                       \
    }
#define ROWS_OF_EACH(name)                                                                         \
    {                                                                                              \
        .i32 = name##_rows_i32, .u32 = name##_rows_u32, .i64 = name##_rows_i64,                    \
        .i16 = name##_rows_i16, .u16 = name##_rows_u16, .i8 = name##_rows_i8, .u8 = name##_rows_u8 \
    }
#define ROWS_OF_ANY(name)                                                                          \
    {                                                                                              \
        .i32 = name##_rows_i32, .u32 = name##_rows_i32, .i64 = name##_rows_i64,                    \
        .u64 = name##_rows_i64, .i16 = name##_rows_u16, .u16 = name##_rows_u16,                    \
        .i8 = name##_rows_u8, .u8 = name##_rows_u8                                                 \
    }
#define ROWS_OF_TYPES(name)                                                                        \
    {                                                                                              \
        .i32 = name##_rows_i32, .u32 = name##_rows_u32, .i64 = name##_rows_i64,                    \
        .u64 = name##_rows_u64, .i16 = name##_rows_i16, .u16 = name##_rows_u16,                    \
        .i8 = name##_rows_i8, .u8 = name##_rows_u8, .boolean = name##_rows_boolean                 \
    }
/* Defines these rows by INT_ROWS(name, element type, suffix, form), which computes in that type. */
#define DEFINE_ROWS_OF(name, form)                                                                 \
    INT_ROWS(name, int32_t, i32, form)                                                             \
    INT_ROWS(name, int64_t, i64, form)                                                             \
    INT_ROWS(name, uint8_t, u8, form)
#define DEFINE_ROWS_OF_ANY(name, form)                                                             \
    DEFINE_ROWS_OF(name, form) INT_ROWS(name, uint16_t, u16, form)
#define DEFINE_ROWS_OF_EACH(name, form)                                                            \
    DEFINE_ROWS_OF_ANY(name, form)                                                                 \
    INT_ROWS(name, int8_t, i8, form)                                                               \
    INT_ROWS(name, int16_t, i16, form)                                                             \
    INT_ROWS(name, uint32_t, u32, form)
/* Returns the function of R for integers of TYPE, or NULL. */
row_fn *elementwise_int_rows(const int_rows *r, inlay_type type);
/* Announces that RUN, unless it is NULL, computes rows of C's output from operands of their own
 * types at these strides; SECOND NULL: there is one operand. False: the executor needs no more than
 * that. */
bool elementwise_announce(inlay_call *c, row_fn *run, const int64_t *first, const int64_t *second);
/* Sets STRIDES, over the output's dims, for operand I, whose own strides are OWN. */
void elementwise_strides(const inlay_call *c, int i, const int64_t *own, int64_t *strides);

/* y = f(x), with up to two parameters. i64 NULL: integers are computed as double; the result is
 * rounded to the nearest integer, halves away from zero, or truncated, and saturates. */
typedef struct unary_fn {
    row_fn *f32, *f64;
    void (*i64)(int64_t *to, const int64_t *x, int64_t n, bool is_unsigned);
    bool truncates;
    int_rows rows;
    row_op op; /* the operation of f32, if it is one */
} unary_fn;

bool elementwise_unary(inlay_call *c, const unary_fn *fn, double a, double b);

/* z = f(a, b), broadcast as attribute auto_broadcast says. */
typedef struct binary_fn {
    row_fn *f32, *f64;
    void (*i64)(int64_t *to, const int64_t *a, const int64_t *b, int64_t n, bool is_unsigned);
    int_rows rows;
    row_op op; /* the operation of f32, if it is one */
} binary_fn;

/* The positions of operands 0 and 1, dense arrays, while the output is visited in row-major order,
 * by rows of LENGTH elements; `step` is the stride within a row, `strides` those from row to row.
 */
typedef struct pairing {
    int outer; /* output dims before the last one */
    const int64_t *dims;
    int64_t length, count;
    int64_t step[2];
    int64_t strides[2][INLAY_MAX_RANK];
} pairing;

void elementwise_pairs(const inlay_call *c, pairing *p);

bool elementwise_binary(inlay_call *c, const binary_fn *fn);
/* The same with operand 1 at STRIDES, which are along the dims of the output. */
bool elementwise_binary_by_strides(inlay_call *c, const binary_fn *fn, const int64_t *strides);

/* Integer arithmetic that wraps, in the type of B. */
#define WRAP(a, operator, b) ((__typeof__(b))((uint64_t)(a) operator(uint64_t)(b)))
#define wrap_add(a, b) WRAP(a, +, b)
#define wrap_sub(a, b) WRAP(a, -, b)
#define wrap_mul(a, b) WRAP(a, *, b)
static inline bool less_int(int64_t a, int64_t b, bool is_unsigned)
{
    return is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
}

#endif
