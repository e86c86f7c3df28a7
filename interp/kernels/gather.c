/* Gather, GatherElements, GatherND, GatherTree: elements and slices selected by index. */
#include "interp/call/window.h"
#include "interp/kernels/axes.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/moves.h"
#include "ir/shared.h"

#include <string.h>

enum {
    ROW_COST = 20, /* of a gathered row, apart from its elements */
    FEW_RUNS = 32
};

/* The operand has rows of `inner` elements: of the `size` rows on the axis, `per_batch` are
 * selected for each of `outer` in each of `batches`. */
typedef struct gather_frame {
    int64_t batches, outer, per_batch, inner, size;
    int64_t bytes; /* tensor_runs_size */
    int axis;
} gather_frame;

static bool indices_are_inside(inlay_call *c, const int64_t *index, int64_t n,
                               const gather_frame *f)
{
    int64_t ignored;
    bool ok = true;

    for (int64_t i = 0; ok && i < n; i++)
        ok = checked_index(c, 1, i, index[i], f->axis, f->size, true, &ignored);
    return ok;
}

/* Returns the row that index X selects; -1: none. */
static int64_t picked_row(int64_t x, int64_t size, bool is_u64)
{
    if (x >= size || x < -size || (is_u64 && x < 0))
        return -1;
    return x < 0 ? x + size : x;
}

/* What the threads share. */
struct picked {
    const gather_frame *f;
    tensor_runs runs;
    const int64_t *index;
    bool is_u64;
};

/* Returns how many of N indices, the first one included, select rows that follow one another; ROWS
 * are left. Models gather ranges, for paddings that wrap and for windows. */
static int64_t run_length(const int64_t *index, int64_t n, int64_t rows)
{
    int64_t run = 1;

    n = n < rows ? n : rows;
    while (run < n && index[run] == index[0] + run)
        run++;
    return run;
}

/* Rows that follow one another in the operand; FIRST below 0: zeros. */
struct run {
    int64_t first, n;
};

static struct run run_at(const struct picked *p, const int64_t *index, int64_t n)
{
    int64_t row = picked_row(*index, p->f->size, p->is_u64);

    return (struct run){row, row < 0 ? 1 : run_length(index, n, p->f->size - row)};
}

/* Lists the runs of a whole group, if they are few. Returns their number, or 0. */
static int list_runs(const struct picked *p, const int64_t *index, struct run *list)
{
    int64_t n = p->f->per_batch, k = 0;
    int runs = 0;

    for (; k < n && runs < FEW_RUNS; k += list[runs++].n)
        list[runs] = run_at(p, index + k, n - k);
    return k < n ? 0 : runs;
}

/* Copies a run to the rows of the result from TO on. */
static void copy_run(const struct picked *p, int64_t group, int64_t to, const struct run *r)
{
    int64_t inner = p->f->inner;

    if (r->first >= 0)
        tensor_runs_copy(&p->runs, to * inner, (group * p->f->size + r->first) * inner,
                         r->n * inner);
    else
        tensor_zero_run(p->runs.dst, to * inner, inner);
}

enum { PICKED = 256 }; /* elements of a row that are picked together */

/* Picks the N rows of one element from TO on. Returns false if some of them are zeros. */
static bool pick_elements(const struct picked *p, int64_t group, int64_t to, const int64_t *index,
                          int64_t n)
{
    int64_t first = p->runs.src->offset + group * p->f->size, from[PICKED], some;

    for (int64_t at = 0; at < n; at += some) {
        bool inside = true;

        some = n - at < PICKED ? n - at : PICKED;
        for (int64_t i = 0; i < some; i++) {
            int64_t row = picked_row(index[at + i], p->f->size, p->is_u64);

            inside &= row >= 0;
            from[i] = first + row;
        }
        if (!inside)
            return false;
        tensor_pick(p->runs.dst, p->runs.dst->offset + to + at, 1, p->runs.src, from, some);
    }
    return true;
}

/* Copies rows FROM <= r < TO of the result. Rows of one group are selected from the same part of
 * the operand. */
static void gather_part(void *ctx, int64_t from, int64_t to)
{
    const struct picked *p = ctx;
    const gather_frame *f = p->f;
    const int64_t *listed = NULL;
    struct run list[FEW_RUNS], one;
    int runs = 0;

    for (int64_t n; from < to; from += n) {
        int64_t group = from / f->per_batch, i = from % f->per_batch, k = 0;
        const int64_t *index = p->index + group / f->outer * f->per_batch + i;

        n = to - from < f->per_batch - i ? to - from : f->per_batch - i;
        if (n == f->per_batch && listed != index) {
            runs = list_runs(p, index, list);
            listed = index;
        }
        if (f->inner == 1 && p->runs.size > 0 && (n < f->per_batch || runs == 0) &&
            pick_elements(p, group, from, index, n))
            continue;
        for (int j = 0; n == f->per_batch && j < runs; k += list[j++].n)
            copy_run(p, group, from + k, &list[j]);
        for (; k < n; k += one.n) {
            one = run_at(p, index + k, n - k);
            copy_run(p, group, from + k, &one);
        }
    }
}

/* Reports where the selected rows begin in the operand, instead of copying them. */
static bool tell_rows(inlay_call *c, const struct picked *p, int64_t n)
{
    int64_t *to = inlay_call_memory(c, n, sizeof *to);

    for (int64_t i = 0; to && i < n; i++) {
        int64_t row = picked_row(p->index[i], p->f->size, p->is_u64);

        to[i] = row < 0 ? CALL_NO_ROW : row * c->in[0]->strides[p->f->axis];
    }
    if (to)
        call_picked(c, n, to);
    return to != NULL;
}

static bool gather_rows(inlay_call *c, const void *frame)
{
    const gather_frame *f = frame;
    struct picked p = {f, {c->out[0], c->in[0], f->bytes}, NULL, c->in[1]->type == INLAY_U64};
    int64_t n;

    p.index = load_ints(c, 1, &n);
    if (!p.index || (c->node->op->version != 8 && !indices_are_inside(c, p.index, n, f)))
        return false;
    if (call_only_checks(c))
        return tell_rows(c, &p, n);
    split_moves(c, f->batches * f->outer * f->per_batch, ROW_COST + (double)f->inner, gather_part,
                &p);
    return true;
}

/* Returns whether the executor has not allocated the output because it is to be a view of the data.
 */
static bool is_wanted_as_view(const inlay_call *c)
{
    return !c->out[0]->data && !c->out[0]->buffer && inlay_tensor_count(c->out[0]) > 0;
}

/* Makes the output a view of the rows, which are at equal distances. */
static bool show_rows(inlay_call *c)
{
    inlay_window w[INLAY_MAX_RANK];
    struct view rows;

    if (!call_windows_ahead(c, w))
        return inlay_call_fail(c, "the rows are no window of the data");
    rows = view_windows(c->in[0], w);
    return move_output(c, 0, NULL, c->in[0], &rows);
}

/* output[batch, o, i, :] = data[batch, o, indices[batch, i], :]. A negative index counts from the
 * end; an index outside of [-d, d - 1] is an error up to version 7, and gives zeros in version
 * 8. */
bool eval_gather(inlay_call *c)
{
    const inlay_tensor *data = c->in[0], *indices = c->in[1];
    int64_t batch_dims = inlay_node_int(c->node, "batch_dims");
    gather_frame f;
    int axis;

    if (is_wanted_as_view(c))
        return show_rows(c);
    if (!axis_of_operand(c, 2, data->rank, &axis))
        return false;
    batch_dims += batch_dims < 0 ? indices->rank : 0;
    f.axis = axis;
    f.size = data->dims[axis];
    f.batches = dims_product(data->dims, (int)batch_dims);
    f.outer = dims_product(data->dims + batch_dims, axis - (int)batch_dims);
    f.per_batch = dims_product(indices->dims + batch_dims, indices->rank - (int)batch_dims);
    f.inner = dims_product(data->dims + axis + 1, data->rank - axis - 1);
    if (inlay_tensor_count(c->out[0]) == 0)
        f.batches = 0;
    f.bytes = tensor_runs_size(c->out[0], data);
    if (batch_dims == 0)
        call_form(c,
                  &(row_form){.picks = true, .pick_from = axis, .pick_to = axis + indices->rank});
    return call_rest(c, gather_rows, &f, sizeof f);
}

/* The rows of GatherElements, along the last axis of the indices, in pieces. */
typedef struct elements {
    const inlay_call *c;
    const int64_t *index;
    int axis;
    int64_t length, pieces; /* of a row */
    int64_t least;          /* 0, or below it the least index */
} elements;

/* Sets FROM[i] to BEGIN + i * STEP + INDEX[i] * APART, where negative indices count from SIZE. */
static INLAY_CLONES void find_places(int64_t begin, int64_t step, const int64_t *index,
                                     int64_t size, int64_t apart, int64_t n, int64_t *from)
{
    for (int64_t i = 0; i < n; i++)
        from[i] = begin + i * step + (index[i] + (index[i] < 0 ? size : 0)) * apart;
}

/* Within a row the place goes on by a step, but for the axis that indices name. Where that is the
 * last one, and its elements lie side by side, indices are places, counted from where the row
 * begins, unless one is negative. */
static void pick_piece(const elements *e, const index_iter *row, int64_t first, int64_t n)
{
    const inlay_tensor *data = e->c->in[0], *out = e->c->out[0];
    int last = out->rank - 1, bits = inlay_type_info_of(data->type)->bits;
    int64_t apart = data->strides[e->axis], from[PICKED];
    int64_t step = e->axis == last ? 0 : data->strides[last];
    int64_t begin = data->offset + index_dot(row->rank, row->at, data->strides) + first * step;
    int64_t to = out->offset + index_dot(row->rank, row->at, out->strides);
    const int64_t *places = e->index + row->linear * e->length + first;
    inlay_tensor part = *data;

    begin -= e->axis == last ? 0 : row->at[e->axis] * apart;
    if (step == 0 && apart == 1 && bits % 8 == 0 && e->least >= 0) {
        part.data = (char *)part.data + begin * bits / 8;
    } else {
        find_places(begin, step, places, data->dims[e->axis], apart, n, from);
        places = from;
    }
    tensor_pick(e->c->out[0], to + first * out->strides[last], out->strides[last], &part, places,
                n);
}

/* Several short rows are picked together, where those of the result follow each other. */
static void pick_rows(const elements *e, int64_t at, int64_t rows)
{
    const inlay_tensor *data = e->c->in[0], *out = e->c->out[0];
    int last = out->rank - 1;
    int64_t apart = data->strides[e->axis], step = e->axis == last ? 0 : data->strides[last];
    int64_t from[PICKED], n = 0;
    index_iter row = index_rows(out->rank, out->dims);

    for (row = index_from(row.rank, row.dims, at); n < rows * e->length; index_next(&row)) {
        int64_t begin = data->offset + index_dot(row.rank, row.at, data->strides);

        begin -= e->axis == last ? 0 : row.at[e->axis] * apart;
        find_places(begin, step, e->index + at * e->length + n, data->dims[e->axis], apart,
                    e->length, from + n);
        n += e->length;
    }
    tensor_pick(e->c->out[0], out->offset + at * e->length, 1, data, from, n);
}

static void pick_pieces(void *ctx, int64_t from, int64_t to)
{
    const elements *e = ctx;
    const inlay_tensor *out = e->c->out[0];
    enum { FEW_ROWS = 10 };
    int64_t some = PICKED / e->length;
    index_iter row = index_rows(out->rank, out->dims);

    if (some >= FEW_ROWS && inlay_tensor_is_dense(out)) {
        for (; from < to; from += some)
            pick_rows(e, from, to - from < some ? to - from : some);
        return;
    }
    for (row = index_from(row.rank, row.dims, from / e->pieces); from < to; from++) {
        int64_t first = from % e->pieces * PICKED, left = e->length - first;

        pick_piece(e, &row, first, left < PICKED ? left : PICKED);
        if (from % e->pieces == e->pieces - 1)
            index_next(&row);
    }
}

/* Widens *LEAST and *MOST, of which 0 is one, to bounds of N indices. */
static INLAY_CLONES void bound(const int64_t *index, int64_t n, int64_t *least, int64_t *most)
{
    int64_t low = *least, high = *most;

    for (int64_t i = 0; i < n; i++) {
        low = index[i] < low ? index[i] : low;
        high = index[i] > high ? index[i] : high;
    }
    *least = low;
    *most = high;
}

/* out[..., p, ...] = data[..., indices[p] on the axis, ...]. A negative index counts from the end.
 */
bool eval_gather_elements(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    int64_t n, at, most = 0, size, axis = inlay_node_int(c->node, "axis");
    elements e = {.c = c, .index = load_ints(c, 1, &n)};

    if (!e.index)
        return false;
    e.axis = (int)(axis < 0 ? axis + data->rank : axis);
    size = data->dims[e.axis];
    bound(e.index, n, &e.least, &most);
    for (int64_t i = 0; (e.least < -size || most >= size) && i < n; i++) {
        if (!checked_index(c, 1, i, e.index[i], e.axis, size, true, &at))
            return false;
    }
    if (n == 0 || call_only_checks(c))
        return true;
    e.length = c->out[0]->dims[c->out[0]->rank - 1];
    e.pieces = (e.length + PICKED - 1) / PICKED;
    split_moves(c, n / e.length * e.pieces,
                ROW_COST + 4.0 * (double)(e.length < PICKED ? e.length : PICKED), pick_pieces, &e);
    return true;
}

/* Returns the row-major number of multi-index AT over DIMS; dims of 1 are broadcast. */
static int64_t broadcast_number(int n, const int64_t *at, const int64_t *dims)
{
    int64_t number = 0;

    for (int i = 0; i < n; i++)
        number = number * dims[i] + (dims[i] == 1 ? 0 : at[i]);
    return number;
}

/* What the threads share of a GatherND: for each of BATCH axes its size in the output; for each
 * tuple where its slice begins in the data, below 0: outside. */
typedef struct tuples {
    inlay_call *c;
    const int64_t *index;
    int batch;
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    int64_t k, each, slice, inner; /* elements of a tuple; tuples of a batch; elements of its data,
                                      and of a tuple's slice */
    int64_t *from;
    tensor_runs runs;
} tuples;

/* Sets the number of the first tuple of batch B of the indices, and where its data begin. */
static void batch_at(const tuples *t, int64_t b, int64_t *first, int64_t *data)
{
    index_iter it = index_from(t->batch, t->dims, b);

    *first = broadcast_number(t->batch, it.at, t->c->in[1]->dims) * t->each;
    *data = broadcast_number(t->batch, it.at, t->c->in[0]->dims) * t->slice;
}

/* Finds the slices of tuples FROM <= t < TO of the result. */
static void find_slices(void *ctx, int64_t from, int64_t to)
{
    const tuples *t = ctx;
    const inlay_tensor *data = t->c->in[0];
    bool is_u64 = t->c->in[1]->type == INLAY_U64;
    int64_t first = 0, begin = 0;

    for (int64_t i = from; i < to; i++) {
        const int64_t *index;

        if (i == from || i % t->each == 0)
            batch_at(t, i / t->each, &first, &begin);
        index = t->index + (first + i % t->each) * t->k;
        t->from[i] = begin;
        for (int64_t j = 0; j < t->k && t->from[i] >= 0; j++) {
            int64_t at = picked_row(index[j], data->dims[t->batch + j], is_u64);

            t->from[i] = at < 0 ? -1 : t->from[i] + at * t->strides[t->batch + j];
        }
    }
}

static void copy_slices(void *ctx, int64_t from, int64_t to)
{
    const tuples *t = ctx;

    for (; from < to; from++)
        tensor_runs_copy(&t->runs, from * t->inner, t->from[from], t->inner);
}

/* Reports the first index of tuple I of the result that is outside. */
static bool refuse_tuple(const tuples *t, int64_t i)
{
    const inlay_tensor *data = t->c->in[0];
    int64_t first, begin, at;

    batch_at(t, i / t->each, &first, &begin);
    first = (first + i % t->each) * t->k;
    for (int j = 0; j < (int)t->k; j++) {
        int axis = t->batch + j;

        if (!checked_index(t->c, 1, first + j, t->index[first + j], axis, data->dims[axis], true,
                           &at))
            return false;
    }
    return false;
}

/* output[batch, i, :] = data[batch, indices[batch, i], :], where indices holds tuples */
bool eval_gather_nd(inlay_call *c)
{
    const inlay_tensor *data = c->in[0], *indices = c->in[1];
    int batch = (int)inlay_node_int(c->node, "batch_dims"), q = indices->rank;
    int64_t count, n, k = indices->dims[q - 1];
    tuples t = {.c = c, .batch = batch, .k = k};

    if (is_wanted_as_view(c))
        return show_rows(c);
    t.index = load_ints(c, 1, &count);
    if (!t.index)
        return false;
    if (count == 0 && inlay_tensor_count(c->out[0]) == 0)
        return true;
    t.each = dims_product(indices->dims + batch, q - 1 - batch);
    t.slice = dims_product(data->dims + batch, data->rank - batch);
    t.inner = dims_product(data->dims + batch + k, data->rank - batch - (int)k);
    for (int i = 0; i < batch; i++)
        t.dims[i] = data->dims[i] == 1 ? indices->dims[i] : data->dims[i];
    strides_dense(data->rank, data->dims, t.strides);
    n = dims_product(t.dims, batch) * t.each;
    t.from = inlay_call_memory(c, n, sizeof *t.from);
    if (!t.from)
        return false;
    call_split(c, n, ROW_COST, find_slices, &t);
    for (int64_t i = 0; i < n; i++) {
        if (t.from[i] < 0)
            return refuse_tuple(&t, i);
    }
    if (call_only_checks(c))
        return true;
    t.runs = (tensor_runs){c->out[0], data, tensor_runs_size(c->out[0], data)};
    split_moves(c, n, ROW_COST + (double)t.inner, copy_slices, &t);
    return true;
}

/* The beams of GatherTree: tensors [time, batch, beam]. */
typedef struct beams {
    inlay_call *c;
    int64_t time, batch, beam;
    const int64_t *parent;
    int64_t *from; /* by element of the result: which of step_ids it is; -1: the end token */
} beams;

static int64_t beam_at(const beams *b, int64_t time, int64_t batch, int64_t beam)
{
    return (time * b->batch + batch) * b->beam + beam;
}

static bool is_beam(const beams *b, int64_t at)
{
    int64_t x = b->parent[at];

    return (x >= 0 && x < b->beam) ||
           inlay_call_fail(b->c, "%s is %lld, there are %lld beams", call_element_name(b->c, 1, at),
                           (long long)x, (long long)b->beam);
}

/* Follows one beam from the last of its LENGTH steps to the first one. */
static bool walk_beam(const beams *b, int64_t batch, int64_t beam, int64_t length)
{
    int64_t at = beam_at(b, length - 1, batch, beam);

    b->from[at] = at;
    for (int64_t t = length - 2; t >= 0; t--) {
        if (!is_beam(b, at))
            return false;
        at = beam_at(b, t, batch, b->parent[at]);
        b->from[beam_at(b, t, batch, beam)] = at;
    }
    return true;
}

static bool same_number(inlay_domain domain, const inlay_tensor *a, int64_t i,
                        const inlay_tensor *b, int64_t j)
{
    return domain == DOMAIN_I64 ? inlay_tensor_get_i64(a, i) == inlay_tensor_get_i64(b, j)
                                : inlay_tensor_get_f64(a, i) == inlay_tensor_get_f64(b, j);
}

/* After the first end token of a beam there are only end tokens. */
static void write_beam(const beams *b, int64_t batch, int64_t beam)
{
    const inlay_tensor *steps = b->c->in[0], *end = b->c->in[3];
    inlay_domain domain = load_domain(steps->type);
    bool ended = false;

    for (int64_t t = 0; t < b->time; t++) {
        int64_t at = beam_at(b, t, batch, beam), from = b->from[at];

        ended = ended || from < 0;
        tensor_copy_run(b->c->out[0], at, ended ? end : steps, ended ? 0 : from, 1);
        ended = ended || same_number(domain, steps, from, end, 0);
    }
}

bool eval_gather_tree(inlay_call *c)
{
    const int64_t *dims = c->in[0]->dims, *lengths = load_i64(c, 2);
    int64_t n = inlay_tensor_count(c->in[0]);
    beams b = {c,       dims[0],        dims[1],
               dims[2], load_i64(c, 1), inlay_call_memory(c, n, sizeof *b.from)};

    if (!lengths || !b.parent || !b.from)
        return false;
    for (int64_t i = 0; i < n; i++)
        b.from[i] = -1;
    for (int64_t i = 0; n > 0 && i < b.batch * b.beam; i++) {
        int64_t length = lengths[i / b.beam] < b.time ? lengths[i / b.beam] : b.time;

        if (length > 0 && !walk_beam(&b, i / b.beam, i % b.beam, length))
            return false;
    }
    for (int64_t i = 0; n > 0 && i < b.batch * b.beam; i++)
        write_beam(&b, i / b.beam, i % b.beam);
    return true;
}
