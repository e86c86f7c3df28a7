/* Rows of several tensors. See rows.h. */
#include "interp/kernels/rows.h"

#include <stdint.h>
#include <string.h>

void rows_output(row_walk *w, const inlay_tensor *out)
{
    *w = (row_walk){.rank = out->rank, .n = 1, .lane = {{.t = out, .at = out->offset}}};
    for (int i = 0; i < out->rank; i++) {
        w->dims[i] = out->dims[i];
        w->lane[0].strides[i] = out->strides[i];
        w->done = w->done || out->dims[i] == 0;
    }
}

void rows_operand(row_walk *w, const inlay_tensor *t, const int64_t *strides)
{
    row_lane *l = &w->lane[w->n++];

    *l = (row_lane){.t = t, .at = t->offset};
    if (w->rank > 0)
        memcpy(l->strides, strides, (size_t)w->rank * sizeof *strides);
}

/* Does dim B lie behind dim A without a gap, in every lane? */
static bool are_one(const row_walk *w, int a, int b)
{
    for (int k = 0; k < w->n; k++) {
        if (w->lane[k].strides[a] != w->lane[k].strides[b] * w->dims[b])
            return false;
    }
    return true;
}

static void keep_dim(row_walk *w, int to, int from)
{
    w->dims[to] = w->dims[from];
    for (int k = 0; k < w->n; k++)
        w->lane[k].strides[to] = w->lane[k].strides[from];
}

static void join_dims(row_walk *w)
{
    int n = 0;

    for (int i = 0; i < w->rank; i++) {
        if (w->dims[i] == 1)
            continue;
        if (n > 0 && are_one(w, n - 1, i)) {
            int64_t outer = w->dims[n - 1];

            keep_dim(w, n - 1, i);
            w->dims[n - 1] *= outer;
        } else {
            keep_dim(w, n++, i);
        }
    }
    w->rank = n;
}

void rows_begin(row_walk *w)
{
    if (w->done)
        return;
    join_dims(w);
    w->length = w->rank > 0 ? w->dims[w->rank - 1] : 1;
    for (int k = 0; k < w->n; k++)
        w->lane[k].step = w->rank > 0 ? w->lane[k].strides[w->rank - 1] : 0;
    if (w->rank > 0)
        w->rank--;
}

void rows_next(row_walk *w)
{
    for (int i = w->rank - 1; i >= 0; i--) {
        bool within = ++w->index[i] < w->dims[i];

        for (int k = 0; k < w->n; k++)
            w->lane[k].at += w->lane[k].strides[i] * (within ? 1 : 1 - w->dims[i]);
        if (within)
            return;
        w->index[i] = 0;
    }
    w->done = true;
}

/* The memory of element FROM of L's row, if what follows are C objects of SIZE bytes. */
static void *own_memory(const row_lane *l, int64_t from, size_t size)
{
    char *p = (char *)l->t->data + (l->at + from * l->step) * (int64_t)size;

    return (uintptr_t)p % size == 0 ? p : NULL;
}

#define DEFINE(T, suffix, native)                                                                  \
    static T *own_##suffix(const row_lane *l, int64_t from, int64_t n)                             \
    {                                                                                              \
        return (native) && (l->step == 1 || n == 1) ? own_memory(l, from, sizeof(T)) : NULL;       \
    }                                                                                              \
    const T *rows_read_##suffix(row_lane *l, int64_t from, int64_t n, T *tile)                     \
    {                                                                                              \
        const T *own = own_##suffix(l, from, n);                                                   \
                                                                                                   \
        if (own)                                                                                   \
            return own;                                                                            \
        if (l->step != 0) {                                                                        \
            load_row_##suffix(tile, l->t, l->at + from * l->step, l->step, n);                     \
        } else if (l->held < n || l->held_at != l->at) {                                           \
            load_row_##suffix(tile, l->t, l->at, 0, 1);                                            \
            for (int64_t i = 1; i < n; i++)                                                        \
                tile[i] = tile[0];                                                                 \
            l->held = n;                                                                           \
            l->held_at = l->at;                                                                    \
        }                                                                                          \
        return tile;                                                                               \
    }                                                                                              \
    T *rows_place_##suffix(const row_lane *l, int64_t from, T *tile)                               \
    {                                                                                              \
        T *own = own_##suffix(l, from, 2);                                                         \
                                                                                                   \
        return own ? own : tile;                                                                   \
    }                                                                                              \
    void rows_write_##suffix(const row_lane *l, int64_t from, int64_t n, const T *x,               \
                             const T *tile)                                                        \
    {                                                                                              \
        if (x == tile)                                                                             \
            store_row_##suffix(l->t, l->at + from * l->step, l->step, n, tile);                    \
    }

DEFINE(float, f32, l->t->type == INLAY_F32)
DEFINE(double, f64, l->t->type == INLAY_F64)
DEFINE(int64_t, i64, l->t->type == INLAY_I64 || l->t->type == INLAY_U64)
