/* Iterates over several tensors together, row by row, in tiles of C numbers, for elementwise
 * kernels. A tile of contiguous elements of that C type is the tensor's own memory. A tile is read
 * before it is written, so the output may share memory with an operand. Private to interp/kernels/.
 */
#ifndef INLAY_KERNELS_ROWS_H
#define INLAY_KERNELS_ROWS_H

#include "interp/call/share.h"

enum { ROW_LANES = 3, ROW_TILE = 1024 };

typedef struct row_lane {
    const inlay_tensor *t;
    int64_t strides[INLAY_MAX_RANK]; /* over the dims of the iteration; 0: the operand is
                                        broadcast */
    int64_t at;                      /* element index of the row's first element */
    int64_t step;                    /* within a row */
    bool own;                        /* rows are arrays of C numbers */
    bool single;                     /* the lane is a scalar */
    bool filled;                     /* the tile holds that element already */
} row_lane;

typedef struct row_walk {
    int rank; /* dims before the rows */
    int64_t dims[INLAY_MAX_RANK], index[INLAY_MAX_RANK];
    int64_t length; /* of a row */
    int64_t left;   /* rows left, the current one included */
    int n;
    row_lane lane[ROW_LANES]; /* 0: the output */
    bool done;
} row_walk;

/* Call rows_output, then rows_operand for each operand with its strides over the output's dims,
 * then begin with the type of the tiles, which merges dims that are contiguous in all tensors. */
void rows_output(row_walk *w, const inlay_tensor *out);
void rows_operand(row_walk *w, const inlay_tensor *t, const int64_t *strides);
void rows_begin(row_walk *w, inlay_domain domain);

/* If every lane's rows are arrays of C numbers (one operand may be a scalar), makes the iteration
 * one over blocks, and sets what all of them share in K. */
bool rows_are_blocks(row_walk *w, inlay_domain domain, row_block *k);
/* Sets K to the current block. */
void rows_block(const row_walk *w, row_block *k);

/* Computes the rows of W by FN, in parts that threads may share, each of which is an iteration of
 * its own. COST: of an element (call/split.h). CTX is passed to FN. */
typedef void rows_fn(void *ctx, row_walk *w);
void rows_split(inlay_call *c, row_walk *w, double cost, rows_fn *fn, void *ctx);

static inline void rows_next(row_walk *w)
{
    w->done = --w->left == 0;
    for (int i = w->rank - 1; i >= 0; i--) {
        int64_t by = 1;

        if (++w->index[i] == w->dims[i]) {
            w->index[i] = 0;
            by -= w->dims[i];
        }
        for (int k = 0; k < w->n; k++)
            w->lane[k].at += w->lane[k].strides[i] * by;
        if (by == 1)
            return;
    }
}

/* Returns the number of elements of the row, from FROM on, in the next tile: at most ROW_TILE. */
static inline int64_t rows_tile(const row_walk *w, int64_t from)
{
    return w->length - from < ROW_TILE ? w->length - from : ROW_TILE;
}

/* For numbers T. read: returns elements FROM, FROM + 1, ... (N of them) of the row of lane L,
 * copied to TILE or in place; no tile of a row is larger than its first one. place: returns where to
 * compute elements of the output, in place or in TILE. write: copies computed elements from TILE to
 * the output, if they are there. */
#define DEFINE_ROWS(T, suffix)                                                                     \
    static inline const T *rows_read_##suffix(row_lane *l, int64_t from, int64_t n, T *tile)       \
    {                                                                                              \
        if (l->own)                                                                                \
            return (const T *)l->t->data + l->at + from;                                           \
        if (!l->filled) {                                                                          \
            const int64_t some = l->step == 0 ? 1 : n;                                             \
                                                                                                   \
            load_row_##suffix(tile, l->t, l->at + from * l->step, l->step, some);                  \
            for (int64_t i = some; i < n; i++)                                                     \
                tile[i] = tile[0];                                                                 \
        }                                                                                          \
        l->filled = l->single;                                                                     \
        return tile;                                                                               \
    }                                                                                              \
    static inline T *rows_place_##suffix(const row_lane *l, int64_t from, T *tile)                 \
    {                                                                                              \
        return l->own ? (T *)l->t->data + l->at + from : tile;                                     \
    }                                                                                              \
    static inline void rows_write_##suffix(const row_lane *l, int64_t from, int64_t n,             \
                                           const T *tile)                                          \
    {                                                                                              \
        if (!l->own)                                                                               \
            store_row_##suffix(l->t, l->at + from * l->step, l->step, n, tile);                    \
    }

DEFINE_ROWS(float, f32)
DEFINE_ROWS(double, f64)
DEFINE_ROWS(int64_t, i64)

#undef DEFINE_ROWS

#endif
