/* Walks the rows of an output and its operands together, which elementwise kernels do. Each tensor
 * is a *lane*. A row is read and written in *tiles* of C numbers: a tile is the tensor's own memory
 * where its elements are such numbers and follow each other, else a copy of them. A tile is read
 * before it is written, so the output may stand where an operand does. Private to interp/kernels/.
 */
#ifndef INLAY_KERNELS_ROWS_H
#define INLAY_KERNELS_ROWS_H

#include "interp/call/share.h"

enum { ROW_LANES = 3, ROW_TILE = 1024 };

typedef struct row_lane {
    const inlay_tensor *t;
    int64_t strides[INLAY_MAX_RANK]; /* along the walk's dims; 0 where the operand repeats */
    int64_t at;                      /* element index of the first element of the row */
    int64_t step;                    /* from element to element of a row */
    bool own;                        /* its rows are arrays of C numbers */
    bool single;                     /* it is one element that repeats */
    bool filled;                     /* the tile has that element already */
} row_lane;

typedef struct row_walk {
    int rank; /* dims before the rows */
    int64_t dims[INLAY_MAX_RANK], index[INLAY_MAX_RANK];
    int64_t length; /* of a row */
    int n;
    row_lane lane[ROW_LANES]; /* 0: the output */
    bool done;
} row_walk;

/* To begin a walk, name the output, then the operands with their strides along the output's dims,
 * and then the DOMAIN of the tiles. Dims that can be joined in all tensors become one. */
void rows_output(row_walk *w, const inlay_tensor *out);
void rows_operand(row_walk *w, const inlay_tensor *t, const int64_t *strides);
void rows_begin(row_walk *w, inlay_domain domain);

/* If the rows of every lane are arrays of C numbers (one operand may be a number that repeats), the
 * walk becomes one from block to block, and K receives what all blocks have in common. */
bool rows_are_blocks(row_walk *w, inlay_domain domain, row_block *k);
/* Sets the addresses in K to those of the block at which the walk is. */
void rows_block(const row_walk *w, row_block *k);

static inline void rows_next(row_walk *w)
{
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
    w->done = true;
}

/* The length of the tile that begins at element FROM of a row: at most ROW_TILE. */
static inline int64_t rows_tile(const row_walk *w, int64_t from)
{
    return w->length - from < ROW_TILE ? w->length - from : ROW_TILE;
}

/* For C numbers T, of the row at which lane L is: rows_read returns N elements from FROM on, in
 * TILE or where they are; rows_place returns where elements of the output are to be computed, its
 * own memory or TILE; and rows_write copies them from TILE to the output if they were computed
 * there. */
#define DEFINE_ROWS(T, suffix)                                                                     \
    static inline const T *rows_read_##suffix(row_lane *l, int64_t from, int64_t n, T *tile)       \
    {                                                                                              \
        if (l->own)                                                                                \
            return (const T *)l->t->data + l->at + from;                                           \
        if (!l->filled)                                                                            \
            load_row_##suffix(tile, l->t, l->at + from * l->step, l->step,                         \
                              l->single ? ROW_TILE : n);                                           \
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
