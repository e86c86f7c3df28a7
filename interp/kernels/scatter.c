/* The scatter family: finds the destination of every update. All indices are checked before
 * anything is written, so that an invalid index leaves the data unchanged, even if it is
 * overwritten in place. */
#include "interp/kernels/scatter.h"
#include "interp/call/window.h"
#include "interp/kernels/axes.h"
#include "interp/kernels/moves.h"

#include <inttypes.h>
#include <string.h>

/* Allocates N runs, whose updates are contiguous. */
static bool make_runs(inlay_call *c, const inlay_tensor *updates, int64_t n, int64_t run,
                      struct scatter *s)
{
    *s = (struct scatter){updates, n, run, NULL, NULL};
    s->to = inlay_call_memory(c, n, sizeof *s->to);
    return s->to != NULL;
}

/* Allocates N runs, and the positions of their updates. */
static bool make_far_runs(inlay_call *c, const inlay_tensor *updates, int64_t n, int64_t run,
                          struct scatter *s)
{
    if (!make_runs(c, updates, n, run, s))
        return false;
    s->from = inlay_call_memory(c, n, sizeof *s->from);
    return s->from != NULL;
}

/* The operand is [outer, size, inner]: rows of `inner` elements on an axis of `size`. The rows that
 * indices select are replaced, for each of `outer`. */
typedef struct rows_frame {
    int64_t outer, inner, size;
    int axis;
} rows_frame;

/* Returns whether inlay_tensor_assign moves FROM, in the buffer of TO, in an order in which each
 * element is read before it is overwritten: all are moved by the same distance. */
static bool moves_evenly(const inlay_tensor *to, const inlay_tensor *from)
{
    bool evenly = tensor_same_form(to, from);

    for (int i = 0; evenly && i < to->rank; i++)
        evenly = to->dims[i] <= 1 || (to->strides[i] > 0 && to->strides[i] == from->strides[i]);
    return evenly;
}

/* Writes the updates in the window W of the output. */
static bool write_rows(inlay_call *c, const inlay_window *w)
{
    inlay_tensor *rows = call_window_of(NULL, c->out[0], w);
    bool ok = rows ? call_write_part(c, rows, c->in[2]) : inlay_fail_memory(c->diags);

    inlay_tensor_release(rows);
    return ok;
}

/* Returns whether the updates already lie in the row that a scalar selects; they have no axis for
 * it. */
static bool stand_in_row(inlay_call *c)
{
    const inlay_tensor *out = c->out[0];
    int64_t n, at, dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    const int64_t *index = c->in[1]->rank == 0 ? load_ints(c, 1, &n) : NULL;
    int64_t size = inlay_type_info_of(out->type)->bits / 8;
    inlay_tensor row = *out, u = *c->in[2];
    int axis;

    if (!index || size == 0 || !inlay_node_axis(c->node, out->rank, &axis) ||
        !call_find_row(c->node, c->in[1]->type, *index, out->dims[axis], &at))
        return false;
    row.rank--;
    row.dims = dims;
    row.strides = strides;
    for (int i = 0; i < row.rank; i++) {
        dims[i] = out->dims[i < axis ? i : i + 1];
        strides[i] = out->strides[i < axis ? i : i + 1];
    }
    row.data = (char *)row.data + (out->offset + at * out->strides[axis]) * size;
    u.data = (char *)u.data + u.offset * size;
    row.offset = u.offset = 0;
    return inlay_tensor_same_place(&row, &u);
}

/* Handles updates that lie in the overwritten buffer, if the selected rows are contiguous: nothing
 * is done if the updates were computed in these rows, and otherwise they are moved there. *DONE:
 * this was so. False after recording an error. */
static bool place_rows(inlay_call *c, bool *done)
{
    inlay_window w[INLAY_MAX_RANK];
    call_shown rows;
    bool moves;

    *done = false;
    if (c->in[2]->buffer != c->out[0]->buffer || !inlay_call_shares(c))
        return true;
    if (stand_in_row(c)) {
        *done = c->writes_nothing = true;
        return true;
    }
    if (!call_windows_ahead(c, w))
        return true;
    call_show_window(c->out[0], w, &rows);
    if (inlay_tensor_same_place(&rows.t, c->in[2])) {
        *done = c->writes_nothing = true;
        return true;
    }
    moves = moves_evenly(&rows.t, c->in[2]);
    *done = moves && write_rows(c, w);
    return *done || !moves;
}

static bool scatter_rows(inlay_call *c, const void *frame)
{
    const rows_frame *f = frame;
    int64_t m, at;
    const int64_t *indices = load_ints(c, 1, &m);
    struct scatter s;
    bool done;

    if (!place_rows(c, &done) || done)
        return done;
    if (!indices || !make_runs(c, c->in[2], f->outer * m, f->inner, &s))
        return false;
    for (int64_t i = 0; i < m; i++) {
        if (!checked_index(c, 1, i, indices[i], f->axis, f->size, false, &at))
            return false;
        for (int64_t o = 0; o < f->outer; o++)
            s.to[o * m + i] = (o * f->size + at) * f->inner;
    }
    return scatter_apply(c, &s, NULL, true);
}

/* data[..., indices[m, ..., p], ...] = updates[..., m, ..., p, ...] */
bool eval_scatter_update(inlay_call *c)
{
    const inlay_tensor *data = c->in[0], *updates = c->in[2];
    rows_frame f;
    int axis;

    if (!axis_of_operand(c, 3, data->rank, &axis))
        return false;
    for (int i = 0; i < updates->rank; i++) {
        int64_t want = i < axis                    ? data->dims[i]
                       : i < axis + c->in[1]->rank ? c->in[1]->dims[i - axis]
                                                   : data->dims[i - c->in[1]->rank + 1];

        if (updates->dims[i] != want)
            return inlay_call_fail(
                c, "axis %d of updates has %" PRId64 " element%s, it must have %" PRId64, i,
                updates->dims[i], inlay_plural(updates->dims[i], "", "s"), want);
    }
    f.axis = axis;
    f.size = data->dims[axis];
    f.outer = inlay_tensor_count(updates) > 0 ? dims_product(data->dims, axis) : 0;
    f.inner = dims_product(data->dims + axis + 1, data->rank - axis - 1);
    return call_rest(c, scatter_rows, &f, sizeof f);
}

/* The documents of version 3 forbid negative indices, but there are files with them: they are
 * accepted, with one warning for each call. */
static bool old_and_negative(inlay_call *c, int64_t index, bool *warned)
{
    if (index >= 0 || *warned || c->node->op->version != 3)
        return false;
    inlay_warn_node(c->diags, c->node,
                    "indices holds %" PRId64 ": version 3 does not allow negative indices", index);
    *warned = true;
    return true;
}

/* What ScatterElementsUpdate reads of its operands. */
struct far_elements {
    const int64_t *index;
    int64_t far[INLAY_MAX_RANK]; /* its strides; it may be one index, broadcast */
    int64_t strides[INLAY_MAX_RANK];
    int axis;
    bool warned;
};

/* Finds where the updates of ROW, which lies along the last axis, go. TO[LENGTH]: their places. */
static bool row_places(inlay_call *c, struct far_elements *e, const index_iter *row, int64_t length,
                       int64_t *to)
{
    int last = c->in[0]->rank - 1, axis = e->axis;
    int64_t size = c->in[0]->dims[axis], apart = e->strides[axis], at;
    int64_t step = axis == last ? 0 : e->strides[last], far = e->far[last];
    const int64_t *index = e->index + index_dot(row->rank, row->at, e->far);
    int64_t base = index_dot(row->rank, row->at, e->strides);

    base -= axis == last ? 0 : row->at[axis] * apart;
    for (int64_t i = 0; i < length; i++) {
        at = index[i * far];
        if (at < 0 || at >= size) {
            old_and_negative(c, at, &e->warned);
            if (!checked_index(c, 1, row->linear * length + i, at, axis, size, true, &at))
                return false;
        }
        to[i] = base + i * step + at * apart;
    }
    return true;
}

/* output[..., indices[p] on the axis, ...] is combined with updates[p]. */
bool eval_scatter_elements_update(inlay_call *c)
{
    const inlay_tensor *data = c->in[0], *indices = c->in[1];
    const inlay_attr *init = inlay_node_attr(c->node, "use_init_val");
    int64_t length = indices->rank > 0 ? indices->dims[indices->rank - 1] : 1;
    struct far_elements e = {.warned = false};
    struct scatter s;
    bool done;

    e.index = load_strided_i64(c, 1, e.far);
    if (!e.index || !axis_of_operand(c, 3, data->rank, &e.axis) ||
        !make_runs(c, c->in[2], inlay_tensor_count(indices), 1, &s))
        return false;
    for (int i = 0; i < data->rank; i++) {
        if (i != e.axis && indices->dims[i] > data->dims[i])
            return inlay_call_fail(
                c, "axis %d of indices has %" PRId64 " element%s, data has %" PRId64, i,
                indices->dims[i], inlay_plural(indices->dims[i], "", "s"), data->dims[i]);
    }
    strides_dense(data->rank, data->dims, e.strides);
    for (index_iter row = index_rows(indices->rank, indices->dims); index_valid(&row);
         index_next(&row)) {
        if (!row_places(c, &e, &row, length, s.to + row.linear * length))
            return false;
    }
    if (!place_rows(c, &done) || done)
        return done;
    return scatter_apply(c, &s, inlay_node_string(c->node, "reduction"), !init || init->as.b);
}

/* Finds the position in data that tuple number T of the indices selects. False if a component is
 * outside of its axis; with IGNORE without a message. */
static bool tuple_place(inlay_call *c, const int64_t *index, int64_t t, int64_t k,
                        const int64_t *strides, bool negative, bool ignore, int64_t *to)
{
    const inlay_tensor *data = c->in[0];

    *to = 0;
    for (int64_t j = 0; j < k; j++) {
        int64_t x = index[t * k + j], at;

        if (ignore && (x < 0 || x >= data->dims[j]))
            return false;
        if (!checked_index(c, 1, t * k + j, x, (int)j, data->dims[j], negative, &at))
            return false;
        *to += at * strides[j];
    }
    return true;
}

struct nd {
    int64_t tuples, k, strides[INLAY_MAX_RANK];
    const int64_t *index;
};

static bool read_tuples(inlay_call *c, struct nd *nd, bool far, struct scatter *s)
{
    const inlay_tensor *data = c->in[0], *indices = c->in[1];
    int64_t n;

    nd->index = load_ints(c, 1, &n);
    nd->k = indices->dims[indices->rank - 1];
    nd->tuples = dims_product(indices->dims, indices->rank - 1);
    strides_dense(data->rank, data->dims, nd->strides);
    return nd->index && (far ? make_far_runs : make_runs)(
                            c, c->in[2], nd->tuples,
                            dims_product(data->dims + nd->k, data->rank - (int)nd->k), s);
}

/* output[indices[t]] is combined with updates[t]; these are elements, or slices where the tuples
 * are short. */
bool eval_scatter_nd_update(inlay_call *c)
{
    struct scatter s;
    struct nd nd;
    bool warned = false, done;

    if (!read_tuples(c, &nd, false, &s))
        return false;
    if (!place_rows(c, &done) || done)
        return done;
    for (int64_t t = 0; t < nd.tuples; t++) {
        for (int64_t j = 0; j < nd.k; j++)
            old_and_negative(c, nd.index[t * nd.k + j], &warned);
        if (!tuple_place(c, nd.index, t, nd.k, nd.strides, true, false, &s.to[t]))
            return false;
    }
    return scatter_apply(c, &s, inlay_node_string(c->node, "reduction"), true);
}

/* TensorFlow has no negative indices; an index out of bounds is an error or is ignored, as on a
 * GPU. */
bool eval_tensor_scatter_nd_update(inlay_call *c)
{
    bool ignore = strcmp(inlay_node_string(c->node, "bad_indices"), "ignore") == 0;
    int64_t kept = 0;
    struct scatter s;
    struct nd nd;

    if (!read_tuples(c, &nd, true, &s))
        return false;
    for (int64_t t = 0; t < nd.tuples; t++) {
        s.from[kept] = t * s.run;
        if (tuple_place(c, nd.index, t, nd.k, nd.strides, false, ignore, &s.to[kept]))
            kept++;
        else if (!ignore)
            return false;
    }
    s.n = kept;
    return scatter_apply(c, &s, NULL, true);
}

/* Turns MindSpore's scalar source into a tensor of one element with self's type. */
static bool scalar_source(inlay_call *c, inlay_tensor *t)
{
    const inlay_attr *value = inlay_node_attr(c->node, "value");

    *t = (inlay_tensor){.type = c->in[0]->type, .data = call_bytes(c, sizeof(int64_t))};
    if (!t->data)
        return false;
    if (value->as.number.integral && !inlay_type_is_float(t->type))
        inlay_store_i64(t->type, t->data, 0,
                        t->type == INLAY_BOOLEAN ? value->as.number.i != 0 : value->as.number.i);
    else if (t->type == INLAY_BOOLEAN)
        inlay_store_i64(t->type, t->data, 0, value->as.number.f != 0);
    else
        inlay_store_f64(t->type, t->data, 0, value->as.number.f);
    return true;
}

/* self[..., index[p] on dim, ...] = src[p], or += or *=; src may be larger than index, or a
 * scalar. */
bool eval_tensor_scatter(inlay_call *c)
{
    const inlay_tensor *self = c->in[0], *index = c->in[1];
    const char *reduce = inlay_node_string(c->node, "reduce");
    int64_t n, dim = inlay_node_int(c->node, "dim"), to[INLAY_MAX_RANK], from[INLAY_MAX_RANK];
    const int64_t *x = load_ints(c, 1, &n);
    inlay_tensor scalar;
    struct scatter s;

    if (!x || (!call_has(c, 2) && !scalar_source(c, &scalar)) ||
        !make_far_runs(c, call_has(c, 2) ? c->in[2] : &scalar, n, 1, &s))
        return false;
    dim += dim < 0 ? self->rank : 0;
    strides_dense(self->rank, self->dims, to);
    if (call_has(c, 2))
        strides_dense(c->in[2]->rank, c->in[2]->dims, from);
    else
        memset(from, 0, sizeof from);
    for (index_iter it = index_begin(index->rank, index->dims); index_valid(&it); index_next(&it)) {
        int64_t at;

        if (!checked_index(c, 1, it.linear, x[it.linear], (int)dim, self->dims[dim], true, &at))
            return false;
        s.to[it.linear] = index_dot(it.rank, it.at, to) + (at - it.at[dim]) * to[dim];
        s.from[it.linear] = index_dot(it.rank, it.at, from);
    }
    if (reduce)
        reduce = strcmp(reduce, "add") == 0 ? "sum" : "prod";
    return scatter_apply(c, &s, reduce, true);
}

/* Returns the position along AXIS at which each batch is written; no update is longer than that
 * axis. */
static const int64_t *read_places(inlay_call *c, int axis, bool circular)
{
    int64_t size = c->in[0]->dims[axis], length = c->in[1]->dims[axis], n = c->in[0]->dims[0];
    const int64_t *at = call_has(c, 2) ? load_ints(c, 2, &n) : inlay_call_memory(c, n, sizeof *at);

    for (int64_t i = 0; at && i < n; i++) {
        if (at[i] < 0 || (circular ? at[i] >= size && length > 0 : at[i] > size - length)) {
            inlay_call_fail(c,
                            "%s is %" PRId64 ": %" PRId64 " updates from there on are beyond "
                            "axis %d, which has %" PRId64 " element%s",
                            call_element_name(c, 2, i), at[i], length, axis, size,
                            inlay_plural(size, "", "s"));
            return NULL;
        }
    }
    return at;
}

/* present_cache[b, ..., (write_indices[b] + i) % size, ...] = update[b, ..., i, ...] */
bool eval_onnx_tensor_scatter(inlay_call *c)
{
    const inlay_tensor *data = c->in[0], *update = c->in[1];
    bool circular = strcmp(inlay_node_string(c->node, "mode"), "circular") == 0;
    int64_t wanted = inlay_node_int(c->node, "axis");
    int axis = (int)(wanted < 0 ? wanted + data->rank : wanted);
    int64_t size = data->dims[axis], length = update->dims[axis];
    int64_t rows = dims_product(data->dims + 1, axis - 1),
            run = dims_product(data->dims + axis + 1, data->rank - axis - 1), n = 0;
    const int64_t *at;
    struct scatter s;

    if (length > size)
        return inlay_call_fail(
            c, "update has %" PRId64 " element%s along axis %d, past_cache has %" PRId64, length,
            inlay_plural(length, "", "s"), axis, size);
    if (!(at = read_places(c, axis, circular)) ||
        !make_runs(c, update, data->dims[0] * rows * length, run, &s))
        return false;
    for (int64_t b = 0; b < data->dims[0]; b++) {
        for (int64_t row = 0; row < rows; row++) {
            for (int64_t i = 0; i < length; i++)
                s.to[n++] = ((b * rows + row) * size + (at[b] + i) % size) * run;
        }
    }
    return scatter_apply(c, &s, NULL, true);
}
