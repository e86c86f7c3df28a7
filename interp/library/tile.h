/* Tiles of matrix products, the inner loops of this folder. A tile of C stays in registers while
 * the loop runs over the common dimension, so each element is computed as in the reference: a chain
 * of fused multiply-adds, in order, from zero on, and a zero is +0 whenever it is stored. There is
 * one set of such loops for each vector width of processors, and all of them give the same bits.
 *
 *     4 rows of A, one       B: two vectors a row       C: 4 rows of two vectors
 *     number at a time
 *       a00 a01 a02 ..   x     b00 b01 .. b07      =      c00 .. c07
 *       a10 a11 a12 ..         b10 b11 .. b17             c10 .. c17
 *       ..                     ..                         .. */
#ifndef INLAY_LIBRARY_TILE_H
#define INLAY_LIBRARY_TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TILE_ROWS = 8,   /* the most rows of a tile in any set */
    TILE_FEW = 3,    /* rows that are computed for several panels at once */
    TILE_BYTES = 128 /* and the most bytes of such a row */
};

/* What is done to sums before they are stored: a number for each filter is added, then a tensor,
 * then values that are not positive become 0, or all are clamped. A NaN stays one. If results are
 * halves, no tensor is added, and sums, and what they become with the number, are rounded; the rest
 * is when it is stored. */
typedef struct tile_end {
    const float *add; /* by row; or by column, and then readable for the whole width of a tile.
                         NULL: nothing is added */
    const float *sum; /* the rows that are added, SUM_ROW apart, to sums whose numbers are by row;
                         or NULL */
    int64_t sum_row;
    bool relu, clamps;
    float low, high;
    int half; /* FUSED_F16, FUSED_BF16, or 0 */
} tile_end;

/* A product of DEPTH columns of A with as many rows of B. Element k of row i of A is a[i * a_row +
 * k * a_col]. Row k of B begins at b[b_at[k]], or, if b_at is NULL, at b[k * b_row], and must be
 * readable for the whole width of a tile. */
typedef struct tile_f32 {
    int64_t depth;
    const float *a;
    int64_t a_row, a_col;
    const float *b;
    const int64_t *b_at;
    int64_t b_row;
    float *c;
    int64_t c_row;
    bool adds;           /* adds to C instead of to zeros */
    const tile_end *end; /* numbers to add are by row; NULL: nothing is done */
} tile_f32;

typedef struct tile_f64 {
    int64_t depth;
    const double *a;
    int64_t a_row, a_col;
    const double *b;
    const int64_t *b_at;
    int64_t b_row;
    double *c;
    int64_t c_row;
    bool adds;
} tile_f64;

/* Computes any number of ROWS and at most a tile's COLS of C. If COLS is a multiple of `step`, no
 * buffer beside C is needed. */
typedef void tile_fn_f32(const tile_f32 *t, int64_t rows, int64_t cols);
typedef void tile_fn_f64(const tile_f64 *t, int64_t rows, int64_t cols);
/* The same for one row of A and listed rows of B, where row I of C uses the listed rows shifted by
 * I * b_row: an image, row by row of its positions (convolution.c). */
typedef void tile_taps_f32(const tile_f32 *t, int64_t rows, int64_t cols);

/* Computes one row of A times the rows of PANELS panels of B: a full line, half of one, or 1. Row k
 * of panel i begins at b[i * APART + k * b_row], and its columns of C at c[i * c_row]. Additions
 * within one panel wait for each other; those of several do not. */
typedef void tile_line_f32(const tile_f32 *t, int panels, int64_t apart);
typedef void tile_line_f64(const tile_f64 *t, int panels, int64_t apart);
/* Computes TILE_FEW rows of A, or one less, times `few` panels of B, which begin APART from each
 * other; their columns of C follow each other. The sums of one panel would be too few: they would
 * wait for themselves. */
typedef void tile_few_f32(const tile_f32 *t, int64_t rows, int64_t apart);
typedef void tile_few_f64(const tile_f64 *t, int64_t rows, int64_t apart);
/* Computes one row of A times any number COLS of columns of B that are contiguous: column j begins
 * at b[j * b_row]. C is overwritten, not added to. */
typedef void tile_dots_f32(const tile_f32 *t, int64_t cols);

/* Rows of memory that are read or written when a product is done: of two tensors, NULL: none. They
 * are asked for while it is computed. */
typedef struct tile_ask {
    const char *at[2];
    ptrdiff_t pitch[2];
    int64_t rows, bytes;
} tile_ask;

/* Asks for the bytes FROM <= i < TO of row ROW of A. */
static inline void tile_ask_row(const tile_ask *a, int64_t row, int64_t from, int64_t to)
{
    enum { LINE = 64 };

    for (int k = 0; k < 2; k++) {
        for (int64_t i = from; a->at[k] && i < to; i += LINE)
            __builtin_prefetch(a->at[k] + row * a->pitch[k] + i);
    }
}

/* A product whose rows of A are what positions of an image read: element k of row i is a[row_at[i]
 * + col_at[k]]. Rows of B and C have the length of a tile. */
typedef struct tile_positions {
    int64_t depth;
    const float *a;
    const int64_t *row_at, *col_at;
    const float *b;
    float *c;
    bool adds;
    const tile_end *end; /* numbers to add are by column; NULL: nothing is done */
    bool goes_on;        /* behind B there is as much again, which is read next: it is asked for
                            bit by bit, as memory that is far away comes slower than one tile
                            reads it */
    tile_ask then;
} tile_positions;

typedef void tile_positions_f32(const tile_positions *t, int64_t rows, int64_t cols);

typedef struct tile_set {
    const char *name;
    int vector_bytes;
    int rows, cols_f32, cols_f64; /* of a tile */
    int step;                     /* floats of a vector */
    int line, few;                /* panels of a line, and of few rows */
    tile_fn_f32 *fn_f32;
    tile_fn_f64 *fn_f64;
    tile_line_f32 *line_f32;
    tile_line_f64 *line_f64;
    tile_few_f32 *few_f32;
    tile_few_f64 *few_f64;
    tile_dots_f32 *dots_f32;
    tile_taps_f32 *taps_f32;
    tile_positions_f32 *positions_f32;
} tile_set;

/* Returns the set with the widest vectors of this processor. */
const tile_set *tile_set_best(void);
/* Returns set I, narrowest first (for tests). NULL: this processor lacks it, or there are no more
 * sets. Sets *MORE to whether others follow. */
const tile_set *tile_set_at(int i, bool *more);

#endif
