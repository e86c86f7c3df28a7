/* What the executor itself divides among workers: blocks of rows, copies, filling with zeros. */
#include "interp/exec/run/split.h"
#include "interp/call/bound.h"
#include "interp/exec/threads/rounds.h"
#include "interp/library/mover.h"

#include <string.h>

/* Blocks */

/* A block as a list of pieces, row by row. */
struct pieces {
    const row_block *k;
    int64_t per_row;
};

/* Reduces K to a part of itself: N elements from FIRST on, of ROWS rows from row ROW on. */
static void move_block(row_block *k, int64_t row, int64_t rows, int64_t first, int64_t n)
{
    ptrdiff_t at = (ptrdiff_t)(first * (int64_t)k->size);

    k->to += row * k->to_pitch + at;
    if (k->x)
        k->x += row * k->x_pitch + at;
    if (k->y)
        k->y += row * k->y_pitch + at;
    k->rows = rows;
    k->length = n;
}

static void compute_pieces(void *ctx, int64_t from, int64_t to)
{
    const struct pieces *p = ctx;

    while (from < to) {
        row_block k = *p->k;
        int64_t row = from / p->per_row, first = from % p->per_row;
        int64_t rows = first == 0 ? (to - from) / p->per_row : 0;
        int64_t n = p->per_row - first < to - from ? p->per_row - first : to - from;
        int64_t left = k.length - first * CALL_PIECE;

        if (rows > 0)
            move_block(&k, row, rows, 0, k.length);
        else
            move_block(&k, row, 1, first * CALL_PIECE,
                       n * CALL_PIECE < left ? n * CALL_PIECE : left);
        k.run(&k);
        from += rows > 0 ? rows * p->per_row : n;
    }
}

void exec_split_block(exec_workers *w, const row_block *k)
{
    struct pieces p = {.k = k, .per_row = (k->length + CALL_PIECE - 1) / CALL_PIECE};
    double cost = k->length < CALL_PIECE ? (double)k->length : CALL_PIECE;

    if (w)
        exec_workers_split(w, k->rows * p.per_row, cost, compute_pieces, &p);
    else
        k->run(k);
}

bool exec_call_block(inlay_call *c, row_block *k)
{
    row_block_read(k);
    exec_run_block(exec_run_of(c), k);
    return true;
}

/* Copies */

enum { MANY_ROWS = 16, COST_BYTES = 4, LINE = 64 };

/* Copies elements; inlay_tensor_assign, or the library's mover. */
typedef bool assign_fn(inlay_tensor *dst, const inlay_tensor *src);

struct copy {
    const inlay_tensor *dst, *src;
    assign_fn *assign;
    int axis;      /* the axis that is divided; below 0: between any two cache lines */
    int64_t bytes; /* of the whole copy */
};

static char *first_byte(const inlay_tensor *t)
{
    return (char *)t->data + t->offset * (inlay_type_info_of(t->type)->bits / 8);
}

/* Returns the part of T from index FROM to TO on AXIS; DIMS is room for its dims. */
static inlay_tensor part_of(const inlay_tensor *t, int axis, int64_t from, int64_t to,
                            int64_t *dims)
{
    inlay_tensor part = *t;

    memcpy(dims, t->dims, (size_t)t->rank * sizeof *dims);
    dims[axis] = to - from;
    part.dims = dims;
    part.offset += from * t->strides[axis];
    return part;
}

static void copy_part(void *ctx, int64_t from, int64_t to)
{
    const struct copy *c = ctx;
    int64_t dims[2][INLAY_MAX_RANK];
    inlay_tensor dst, src;

    if (c->axis < 0) {
        int64_t end = to * LINE < c->bytes ? to * LINE : c->bytes;

        memcpy(first_byte(c->dst) + from * LINE, first_byte(c->src) + from * LINE,
               (size_t)(end - from * LINE));
        return;
    }
    dst = part_of(c->dst, c->axis, from, to, dims[0]);
    src = part_of(c->src, c->axis, from, to, dims[1]);
    c->assign(&dst, &src); /* cannot fail: it is no string */
}

/* Returns the first axis that is long enough to be divided, or else the longest one. */
static int axis_to_cut(const inlay_tensor *t)
{
    int axis = 0;

    for (int i = 0; i < t->rank; i++) {
        if (t->dims[i] >= MANY_ROWS)
            return i;
        axis = t->dims[i] > t->dims[axis] ? i : axis;
    }
    return axis;
}

/* Returns whether threads may each copy a part of SRC to DST: elements are whole bytes, source and
 * destination share no byte, and there is enough to copy. */
static bool may_split(const exec_run *run, const inlay_tensor *dst, const inlay_tensor *src)
{
    return run->worth < INT64_MAX && dst->type == src->type && !inlay_type_refers(dst->type) &&
           dst->rank > 0 && inlay_type_info_of(dst->type)->bits % 8 == 0 &&
           (int64_t)(inlay_tensor_bytes(dst) / COST_BYTES) >= run->worth &&
           !bound_overlap(dst, src);
}

bool exec_assign(const exec_run *run, inlay_tensor *dst, const inlay_tensor *src)
{
    bool plain = run->plan->set->kernels == INLAY_KERNELS_REFERENCE;
    struct copy c = {dst, src, plain ? inlay_tensor_assign : library_assign, -1, 0};
    double cost = (double)LINE / COST_BYTES;
    int64_t n;

    if (!may_split(run, dst, src))
        return c.assign(dst, src);
    c.bytes = (int64_t)inlay_tensor_bytes(dst);
    n = (c.bytes + LINE - 1) / LINE;
    if (!inlay_tensor_is_dense(dst) || !inlay_tensor_is_dense(src)) {
        c.axis = axis_to_cut(dst);
        n = dst->dims[c.axis];
        cost = (double)c.bytes / (double)n / COST_BYTES;
    }
    exec_workers_split(run->workers, n, cost, copy_part, &c);
    return true;
}

bool exec_assign_part(inlay_call *c, const inlay_tensor *to, inlay_tensor *dst,
                      const inlay_tensor *from, const inlay_tensor *src)
{
    (void)to, (void)from;
    return exec_assign(exec_run_of(c), dst, src) || inlay_fail_memory(c->diags);
}

/* Kernels */

void exec_split(inlay_call *c, int64_t n, double cost, call_part_fn *fn, void *ctx)
{
    exec_workers_split(exec_run_of(c)->workers, n, cost, fn, ctx);
}

void exec_rounds(inlay_call *c, int64_t rounds, int64_t n, double cost, call_round_fn *fn,
                 void *ctx)
{
    exec_workers_rounds(exec_run_of(c)->workers, rounds, n, cost, fn, ctx);
}
