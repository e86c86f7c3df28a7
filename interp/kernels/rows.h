/* Walking several tensors together, row by row, in tiles of C numbers: what elementwise kernels do.
 * A tile of a tensor whose elements are those C numbers and follow each other is the tensor's own
 * memory. A tile is read before it is written, so the output may stand where an operand does.
 * Private to interp/kernels/.
 */
#ifndef INLAY_KERNELS_ROWS_H
#define INLAY_KERNELS_ROWS_H

#include "interp/kernel.h"

enum { ROW_LANES = 3, ROW_TILE = 1024 };

typedef struct row_lane {
    const inlay_tensor *t;
    int64_t strides[INLAY_MAX_RANK]; /* over the walk's dims; 0 where the operand repeats */
    int64_t at;                      /* element index of the row's first element */
    int64_t step;                    /* within a row */
    int64_t held, held_at; /* with a step of 0: so often does the tile hold the element there */
} row_lane;

typedef struct row_walk {
    int rank; /* dims before the rows */
    int64_t dims[INLAY_MAX_RANK], index[INLAY_MAX_RANK];
    int64_t length; /* of a row */
    int n;
    row_lane lane[ROW_LANES]; /* 0: the output */
    bool done;
} row_walk;

/* The output, then operands with their strides over the output's dims, then begin: dims that lie
 * one behind the other in all of them are one. */
void rows_output(row_walk *w, const inlay_tensor *out);
void rows_operand(row_walk *w, const inlay_tensor *t, const int64_t *strides);
void rows_begin(row_walk *w);
void rows_next(row_walk *w);

/* Elements FROM, FROM + 1, ... (N <= ROW_TILE) of the row at which lane L stands: in TILE, which is
 * the same one in every call for L and is not written in between, or where they are. */
const float *rows_read_f32(row_lane *l, int64_t from, int64_t n, float *tile);
const double *rows_read_f64(row_lane *l, int64_t from, int64_t n, double *tile);
const int64_t *rows_read_i64(row_lane *l, int64_t from, int64_t n, int64_t *tile);
/* Where to put elements of the output: its own memory or TILE; rows_write takes them from there. */
float *rows_place_f32(const row_lane *l, int64_t from, float *tile);
double *rows_place_f64(const row_lane *l, int64_t from, double *tile);
int64_t *rows_place_i64(const row_lane *l, int64_t from, int64_t *tile);
void rows_write_f32(const row_lane *l, int64_t from, int64_t n, const float *x, const float *tile);
void rows_write_f64(const row_lane *l, int64_t from, int64_t n, const double *x,
                    const double *tile);
void rows_write_i64(const row_lane *l, int64_t from, int64_t n, const int64_t *x,
                    const int64_t *tile);

#endif
