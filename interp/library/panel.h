/* Matrix products, panel by panel: a panel is as many columns of the second matrix as a tile has,
 * with the same columns of the result. It is packed row by row, unless it can be read in place.
 *
 *     b00 b01 b02 b03 b04     panels of two columns:    b00 b01 b10 b11
 *     b10 b11 b12 b13 b14                               b02 b03 b12 b13
 *                                                       b04  0  b14  0 */
#ifndef INLAY_LIBRARY_PANEL_H
#define INLAY_LIBRARY_PANEL_H

#include "interp/kernels/product.h"
#include "interp/library/tile.h"

/* A product by panels. PACKED: all panels of the second matrix, consecutively; NULL: the matrix is
 * read in place. */
typedef struct panels {
    const product *p;
    const tile_set *set;
    const void *packed;
} panels;

/* Copies N columns of DEPTH rows of B, with strides ROW and COL, at any address, to TO, with rows
 * of COLS elements. */
void panel_move_f32(const float *b, int64_t row, int64_t col, int64_t depth, int64_t n,
                    int64_t cols, float *to);
void panel_move_f64(const double *b, int64_t row, int64_t col, int64_t depth, int64_t n,
                    int64_t cols, double *to);
/* The same with zeros in columns N to COLS. */
void panel_pack_f32(const float *b, int64_t row, int64_t col, int64_t depth, int64_t n,
                    int64_t cols, float *to);
void panel_pack_f64(const double *b, int64_t row, int64_t col, int64_t depth, int64_t n,
                    int64_t cols, double *to);
/* Transposes N columns of DEPTH floats of B, COL apart, to rows of TO, COLS apart, and does to them
 * what E asks for but for its numbers to add; its rows may be those of TO. Behind B there are COL
 * floats for each of the next columns up to a multiple of 16, and COL is one of 4. */
void panel_turn_f32(const float *b, int64_t col, int64_t depth, int64_t n, const tile_end *e,
                    int64_t cols, float *to);
/* Computes columns FROM to TO of ROWS rows; A is the first of these rows, and Y its result, with
 * rows as long as the product's. FROM begins a panel, and TO ends one. A part of the depth of all
 * rows stays in the second-level cache while these panels use it. */
void panel_multiply_f32(const panels *w, const float *a, const float *b, int64_t rows, int64_t from,
                        int64_t to, float *y);
void panel_multiply_f64(const panels *w, const double *a, const double *b, int64_t rows,
                        int64_t from, int64_t to, double *y);

/* Computes P of A and B, numbers of TYPE, f32 or f64, to Y (matmul.c). */
void panel_product(inlay_call *c, inlay_type type, const product *p, const void *a, const void *b,
                   void *y);

/* Merges all batches into one, if B is the same for all and the rows of A and of the result
 * continue from batch to batch. */
void panel_join_batches(product *p);
/* Sets *M to T, or to T transposed if TURNED, if it is one matrix. */
bool panel_read_constant(const inlay_tensor *t, bool turned, matrices *m);

static inline int64_t panel_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#endif
