/* Tiles of matrix products, the inner loops of this room. A tile of C stays in registers while the
 * loop goes over the common dimension, so that each of its elements is the sum that the reference
 * makes: of products that are rounded, in order, from zero on. There is one set of such loops for
 * each width of vectors that processors have, and all of them give the same bits.
 *
 *     4 rows of A, one       B: two vectors a row       C: 4 rows of two vectors
 *     number at a time
 *       a00 a01 a02 ..   x     b00 b01 .. b07      =      c00 .. c07
 *       a10 a11 a12 ..         b10 b11 .. b17             c10 .. c17
 *       ..                     ..                         ..
 */
#ifndef INLAY_LIBRARY_TILE_H
#define INLAY_LIBRARY_TILE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TILE_ROWS = 8,   /* the most that a tile of any set has, */
    TILE_BYTES = 128 /* and the most bytes of a row of it */
};

/* A product of DEPTH columns of A with as many rows of B. Element k of row i of A is a[i * a_row +
 * k * a_col]. Row k of B begins at b[b_at[k]], or, where b_at is NULL, at b[k * b_row], and may be
 * read for the whole width of a tile. */
typedef struct tile_f32 {
    int64_t depth;
    const float *a;
    int64_t a_row, a_col;
    const float *b;
    const int64_t *b_at;
    int64_t b_row;
    float *c;
    int64_t c_row;
    bool adds; /* to what stands in C, and not to zeros */
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

/* Computes ROWS rows, any number of them, and COLS columns of C, of which there are no more than a
 * tile has. A multiple of `step` columns takes no room beside C. */
typedef void tile_fn_f32(const tile_f32 *t, int64_t rows, int64_t cols);
typedef void tile_fn_f64(const tile_f64 *t, int64_t rows, int64_t cols);
/* The same for one row of A and listed rows of B, where row I of C is made of what lies I * b_row
 * behind these: of an image, row by row of its positions (convolution.c). */
typedef void tile_taps_f32(const tile_f32 *t, int64_t rows, int64_t cols);

/* Computes one row of A times the rows of PANELS panels of B: as many as a line has, half of them,
 * or 1. Row k of panel i begins at b[i * APART + k * b_row], and its columns of C at c[i * c_row].
 * The sums of one panel wait for each other; those of several do not. */
typedef void tile_line_f32(const tile_f32 *t, int panels, int64_t apart);
typedef void tile_line_f64(const tile_f64 *t, int panels, int64_t apart);
/* Computes one row of A times COLS columns of B, any number of them, whose elements follow one
 * another: column j begins at b[j * b_row]. Nothing is added to what stands in C. */
typedef void tile_dots_f32(const tile_f32 *t, int64_t cols);

/* A product whose rows of A are what positions of an image see: element k of row i is a[row_at[i] +
 * col_at[k]]. Rows of B are as long as a tile, and so are those of C. C and ROW_AT have room for
 * TILE_ROWS rows more than are computed; these are anything. */
typedef struct tile_positions {
    int64_t depth;
    const float *a;
    const int64_t *row_at, *col_at;
    const float *b;
    float *c;
    bool adds;
} tile_positions;

typedef void tile_positions_f32(const tile_positions *t, int64_t rows, int64_t cols);

typedef struct tile_set {
    const char *name;
    int vector_bytes;
    int rows, cols_f32, cols_f64; /* of a tile */
    int step;                     /* floats of a vector that tiles are made of */
    int line;                     /* panels */
    tile_fn_f32 *fn_f32;
    tile_fn_f64 *fn_f64;
    tile_line_f32 *line_f32;
    tile_line_f64 *line_f64;
    tile_dots_f32 *dots_f32;
    tile_taps_f32 *taps_f32;
    tile_positions_f32 *positions_f32;
} tile_set;

/* Returns the set with the widest vectors that this processor has. */
const tile_set *tile_set_best(void);
/* Returns set I, the narrowest one first (tests). NULL: this processor does not have it, or there
 * are no more sets. *MORE: others follow. */
const tile_set *tile_set_at(int i, bool *more);

#endif
