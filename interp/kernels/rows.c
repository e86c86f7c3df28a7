/* Iterates over rows of several tensors. See rows.h. */
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

/* Can dims A and B be merged, because B is contiguous within A in every lane? */
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

static bool is_native(inlay_type type, inlay_domain domain)
{
    switch (domain) {
    case DOMAIN_F32:
        return type == INLAY_F32;
    case DOMAIN_F64:
        return type == INLAY_F64;
    case DOMAIN_I64:
        return type == INLAY_I64 || type == INLAY_U64;
    default:
        return false;
    }
}

static void begin_lane(const row_walk *w, row_lane *l, inlay_domain domain)
{
    uintptr_t size = domain == DOMAIN_F32 ? sizeof(float) : sizeof(double);

    l->step = w->rank > 0 ? l->strides[w->rank - 1] : 0;
    l->own = is_native(l->t->type, domain) && (w->length == 1 || l->step == 1) &&
             (uintptr_t)l->t->data % size == 0;
    l->single = !l->own && l != w->lane;
    for (int i = 0; i < w->rank; i++)
        l->single = l->single && l->strides[i] == 0;
}

void rows_begin(row_walk *w, inlay_domain domain)
{
    if (w->done)
        return;
    join_dims(w);
    w->length = w->rank > 0 ? w->dims[w->rank - 1] : 1;
    for (int k = 0; k < w->n; k++)
        begin_lane(w, &w->lane[k], domain);
    if (w->rank > 0)
        w->rank--;
    w->left = dims_product(w->dims, w->rank);
}

/* Finds an operand that is a single number, which is read when the block is computed
 * (row_block_read). */
static bool single_number(const row_walk *w, row_block *k)
{
    for (int i = 1; i < w->n; i++) {
        const row_lane *l = &w->lane[i];

        if (!l->single)
            continue;
        if (k->single != NO_SINGLE || w->n == 2)
            return false;
        k->single = i == 1 ? SINGLE_X : SINGLE_Y;
        k->one = (const char *)l->t->data + l->at * inlay_type_info_of(l->t->type)->bits / 8;
        k->one_type = l->t->type;
    }
    return true;
}

bool rows_are_blocks(row_walk *w, inlay_domain domain, row_block *k)
{
    ptrdiff_t pitch[ROW_LANES] = {0};

    for (int i = 0; i < w->n; i++) {
        if (!w->lane[i].own && !w->lane[i].single)
            return false;
    }
    k->size = domain == DOMAIN_F32 ? sizeof(float) : sizeof(double);
    k->type = domain == DOMAIN_F32 ? INLAY_F32 : INLAY_F64;
    k->length = w->length;
    k->rows = 1;
    if (w->done || !single_number(w, k))
        return w->done;
    if (w->rank > 0) {
        k->rows = w->dims[--w->rank];
        w->left /= k->rows;
        for (int i = 0; i < w->n; i++)
            pitch[i] = w->lane[i].strides[w->rank] * (ptrdiff_t)k->size;
    }
    k->to_pitch = pitch[0];
    k->x_pitch = pitch[1];
    k->y_pitch = pitch[2];
    return true;
}

static char *lane_at(const row_walk *w, int i, size_t size)
{
    const row_lane *l = &w->lane[i];

    return i >= w->n || l->single ? NULL : (char *)l->t->data + l->at * (int64_t)size;
}

void rows_block(const row_walk *w, row_block *k)
{
    k->to = lane_at(w, 0, k->size);
    k->x = lane_at(w, 1, k->size);
    k->y = lane_at(w, 2, k->size);
}

/* Parts */

/* A loop in pieces: the pieces of its first row come first, then those of the next row. */
struct pieces {
    row_walk *w;
    int64_t per_row;
    rows_fn *fn;
    void *ctx;
};

/* Returns the part of W with LEFT rows from row ROW on, and of each row LENGTH elements from FIRST
 * on. */
static row_walk part_of(const row_walk *w, int64_t row, int64_t left, int64_t first, int64_t length)
{
    row_walk part = *w;

    part.left = left;
    part.length = length;
    for (int i = w->rank - 1; i >= 0; i--) {
        part.index[i] = row % w->dims[i];
        row /= w->dims[i];
    }
    for (int k = 0; k < w->n; k++)
        part.lane[k].at +=
            index_dot(w->rank, part.index, w->lane[k].strides) + first * w->lane[k].step;
    return part;
}

static void walk_pieces(void *ctx, int64_t from, int64_t to)
{
    const struct pieces *p = ctx;
    row_walk part;

    if (from == 0 && to == p->w->left * p->per_row) {
        p->fn(p->ctx, p->w);
        return;
    }
    while (from < to) {
        int64_t row = from / p->per_row, at = from % p->per_row, n = p->per_row - at;
        int64_t rows = at == 0 ? (to - from) / p->per_row : 0,
                length = p->w->length - at * CALL_PIECE;

        n = n < to - from ? n : to - from;
        length = n * CALL_PIECE < length ? n * CALL_PIECE : length;
        part = rows > 0 ? part_of(p->w, row, rows, 0, p->w->length)
                        : part_of(p->w, row, 1, at * CALL_PIECE, length);
        p->fn(p->ctx, &part);
        from += rows > 0 ? rows * p->per_row : n;
    }
}

void rows_split(inlay_call *c, row_walk *w, double cost, rows_fn *fn, void *ctx)
{
    struct pieces p = {w, (w->length + CALL_PIECE - 1) / CALL_PIECE, fn, ctx};
    bool bytes = inlay_type_info_of(w->lane[0].t->type)->bits % 8 == 0;

    if (w->done)
        return;
    if (bytes)
        call_split(c, w->left * p.per_row,
                   cost * (double)(w->length < CALL_PIECE ? w->length : CALL_PIECE), walk_pieces,
                   &p);
    else /* parts would share a byte */
        fn(ctx, w);
}
