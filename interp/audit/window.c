#include "interp/audit/window.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

/* OUT receives element I of the list operand with role R; false: not known. */
static bool number_at(const inlay_node *n, inlay_role r, int i, int64_t *out)
{
    const inlay_value *v = inlay_node_operand(n, r);
    const inlay_fact *f = v ? &v->fact : NULL;

    if (!f || !f->known || i >= f->n_known || !inlay_dim_is_static(f->known[i]))
        return false;
    *out = f->known[i].lo;
    return true;
}

static int64_t clamp(int64_t x, int64_t lo, int64_t hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* Returns the position that X means on an axis of SIZE elements, clamped to FIRST .. LAST. A
 * negative X counts from the end. */
static int64_t placed(int64_t x, int64_t size, int64_t first, int64_t last)
{
    return clamp(x < 0 ? x + size : x, first, last);
}

/* Finds the elements that FROM, STOP and STEP select of SIZE elements: COUNT of them from FIRST on.
 * A positive step begins at 0 .. SIZE and stops there; a negative one begins at 0 .. SIZE - 1 and
 * stops at -1 .. SIZE - 1. So a backward start before the first element means that element, as
 * Slice-13 in ONNX says; Python would select nothing. An empty axis has nothing to select. Counting
 * uses unsigned numbers, since any step but 0 is allowed. */
static void find_window(int64_t from, int64_t stop, int64_t step, int64_t size, int64_t *first,
                        int64_t *count)
{
    int64_t last = step > 0 ? size : size - 1, way;
    uint64_t stride = step > 0 ? (uint64_t)step : -(uint64_t)step;

    *first = 0;
    *count = 0;
    if (size == 0)
        return;
    *first = placed(from, size, 0, last);
    stop = placed(stop, size, step > 0 ? 0 : -1, last);
    way = step > 0 ? stop - *first : *first - stop;
    *count = way > 0 ? (int64_t)(((uint64_t)way - 1) / stride) + 1 : 0;
}

/* I receives the index in N's lists of axis A of the data; below 0: none, so all of the axis is
 * selected. */
static bool find_named(const inlay_node *n, const inlay_tensor *data, int a, int *i)
{
    const inlay_value *start = inlay_node_operand(n, INLAY_ROLE_START);
    const inlay_value *step = inlay_node_operand(n, INLAY_ROLE_STEP);
    bool axes = inlay_node_operand(n, INLAY_ROLE_AXES) != NULL;

    *i = step && step->fact.known ? step->fact.n_known : -1;
    if (!start || *i < 0)
        return false;
    while (--*i >= 0) {
        int64_t axis = *i;

        if (axes && !number_at(n, INLAY_ROLE_AXES, *i, &axis))
            return false;
        if ((axis < 0 ? axis + data->rank : axis) == a)
            break;
    }
    return true;
}

/* Finds the distance of the elements that N selects on axis A of the data. */
static bool step_of(const inlay_node *n, const inlay_tensor *data, int a, int64_t *step)
{
    int i;

    *step = 1;
    return find_named(n, data, a, &i) &&
           (i < 0 || (number_at(n, INLAY_ROLE_STEP, i, step) && *step != 0));
}

/* Finds what is selected on axis A of the data: COUNT elements from FIRST on, STEP apart. */
static bool axis_of(const inlay_node *n, const inlay_tensor *data, int a, int64_t *first,
                    int64_t *count, int64_t *step)
{
    const inlay_value *start = inlay_node_operand(n, INLAY_ROLE_START);
    int64_t from, stop;
    int i;

    *first = 0;
    *count = data->dims[a];
    if (!step_of(n, data, a, step) || !start->fact.known || !find_named(n, data, a, &i))
        return false;
    if (i < 0)
        return true;
    if (!number_at(n, INLAY_ROLE_START, i, &from) || !number_at(n, INLAY_ROLE_STOP, i, &stop))
        return false;
    find_window(from, stop, *step, data->dims[a], first, count);
    return true;
}

bool window_steps(const inlay_node *n, const inlay_tensor *data, int64_t *steps)
{
    bool known = (n->op->flags & INLAY_SCATTER) && !(n->op->flags & INLAY_ROWS);

    for (int a = 0; known && a < data->rank; a++)
        known = step_of(n, data, a, &steps[a]);
    return known;
}

/* Finds the rows that N selects on axis A of the data, if they are COUNT from FIRST on, STEP apart.
 * All of each other axis is selected. Rows may be counted from the end. */
static bool rows_of(const inlay_node *n, const inlay_tensor *data, int a, int64_t *first,
                    int64_t *count, int64_t *step)
{
    bool tuples = inlay_node_operand(n, INLAY_ROLE_TUPLES) != NULL; /* rows of the first axis */
    inlay_role role = tuples ? INLAY_ROLE_TUPLES : INLAY_ROLE_INDICES;
    const inlay_value *indices = inlay_node_operand(n, role);
    int64_t axis = 0, at;

    *first = 0;
    *count = data->dims[a];
    *step = 1;
    if ((!tuples && !number_at(n, INLAY_ROLE_AXIS, 0, &axis)) || !indices ||
        indices->fact.rank != 1 + tuples ||
        (tuples && (indices->fact.dims[1].lo != 1 || indices->fact.dims[1].hi != 1)))
        return false;
    if ((axis < 0 ? axis + data->rank : axis) != a)
        return true;
    *count = indices->fact.n_known;
    for (int i = 0; i < *count; i++) {
        if (!number_at(n, role, i, &at))
            return false;
        at += at < 0 ? data->dims[a] : 0;
        *first = i == 0 ? at : *first;
        *step = i == 1 ? at - *first : *step;
        if (at < 0 || at >= data->dims[a] || *step == 0 || at != *first + i * *step)
            return false;
    }
    return *count > 0;
}

bool window_row(const inlay_node *n, const inlay_tensor *data, int axis, window_part *out)
{
    const inlay_value *indices = inlay_node_operand(n, INLAY_ROLE_INDICES);
    const inlay_attr *batch = inlay_node_attr(n, "batch_dims");
    int64_t named;

    out->tensor = *data;
    out->tensor.dims = out->dims;
    out->tensor.strides = out->strides;
    for (int a = 0; a < data->rank; a++) {
        out->dims[a] = a == axis ? 1 : data->dims[a];
        out->strides[a] = data->strides[a];
    }
    return (n->op->flags & INLAY_ROWS) && !(n->op->flags & INLAY_SCATTER) && indices &&
           (indices->fact.rank == 0 || (indices->fact.rank == 1 && indices->fact.dims[0].lo == 1 &&
                                        indices->fact.dims[0].hi == 1)) &&
           (!batch || batch->as.i == 0) && number_at(n, INLAY_ROLE_AXIS, 0, &named) &&
           (named < 0 ? named + data->rank : named) == axis;
}

/* Returns whether N replaces or selects whole rows of the data. */
static bool replaces_rows(const inlay_node *n)
{
    const inlay_attr *reduction = inlay_node_attr(n, "reduction");
    const inlay_attr *batch = inlay_node_attr(n, "batch_dims");

    return (!reduction || strcmp(reduction->as.s, "none") == 0) && (!batch || batch->as.i == 0);
}

/* Whether start and stop mean what they say: no mask removes an axis, adds one, or selects all of
 * one. */
static bool is_plain(const inlay_node *n)
{
    bool plain = inlay_node_operand(n, INLAY_ROLE_START) && inlay_node_operand(n, INLAY_ROLE_STEP);

    for (int i = 0; i < n->op->n_attrs; i++) {
        const inlay_attr *a = inlay_node_attr_at(n, i);

        for (int k = 0; a && n->op->attrs[i].kind == INLAY_ATTR_INTS && k < a->n; k++)
            plain = plain && a->as.ints[k] == 0;
    }
    return plain;
}

bool window_selected(const inlay_node *n, const inlay_tensor *data, window_part *out)
{
    bool rows = n->op->flags & INLAY_ROWS;
    bool known = (rows && replaces_rows(n)) ||
                 ((n->op->flags & (INLAY_SCATTER | INLAY_VIEW)) && is_plain(n));

    out->tensor = *data;
    out->tensor.dims = out->dims;
    out->tensor.strides = out->strides;
    for (int a = 0; known && a < data->rank; a++) {
        int64_t first, step;

        known = rows ? rows_of(n, data, a, &first, &out->dims[a], &step)
                     : axis_of(n, data, a, &first, &out->dims[a], &step);
        if (!known)
            break;
        out->strides[a] = out->dims[a] > 1 ? step * data->strides[a] : data->strides[a];
        out->tensor.offset += first * data->strides[a];
    }
    return known;
}

/* Returns the size of operand K, of RANK axes, along axis A; -1: only the run knows. */
static int64_t length_of(const inlay_node *n, const window_operands *of, int k, int rank, int64_t a)
{
    const inlay_value *v = n->in[k].value;
    const inlay_tensor *in = of->in[k] == SIZE_MAX ? NULL : of->meta[of->in[k]];

    if (in)
        return in->rank == rank ? in->dims[a] : -1;
    return v && v->fact.rank == rank && inlay_dim_is_static(v->fact.dims[a]) ? v->fact.dims[a].lo
                                                                             : -1;
}

/* The sizes of operands FROM up to, not including, TO together. */
static int64_t lengths_of(const inlay_node *n, const window_operands *of, int from, int to,
                          int rank, int64_t a)
{
    int64_t all = 0, one = 0;

    for (int k = from; k < to && one >= 0; k++) {
        one = length_of(n, of, k, rank, a);
        all += one;
    }
    return one < 0 ? -1 : all;
}

/* Operands joined along the axis attribute. If only the run knows the sizes before operand I, those
 * after it tell where it ends. */
static bool behind_others(const inlay_node *n, const window_operands *of, int i,
                          const inlay_tensor *result, window_part *out)
{
    const inlay_attr *axis = inlay_node_attr(n, "axis");
    int rank = result->rank;
    int64_t a = axis ? axis->as.i : 0, first, behind;

    a += a < 0 ? rank : 0;
    if (!axis || a < 0 || a >= rank)
        return false;
    first = lengths_of(n, of, 0, i, rank, a);
    if (first < 0) {
        behind = lengths_of(n, of, i + 1, n->n_in, rank, a);
        first = behind < 0 ? -1 : result->dims[a] - out->dims[a] - behind;
    }
    out->tensor.offset += first < 0 ? 0 : first * out->strides[a];
    return first >= 0;
}

/* The one operand within a larger output: after the padding of a Pad, or at the beginning, where a
 * Tile and a Broadcast have the first copy. */
static bool within_margins(const inlay_node *n, int i, const inlay_tensor *result, window_part *out)
{
    int lead = result->rank - out->tensor.rank;
    const inlay_value *places = inlay_node_operand(n, INLAY_ROLE_PLACES);
    bool known = i == 0;
    int64_t at;

    for (int a = 0; places && known && a < out->tensor.rank; a++)
        known = number_at(n, INLAY_ROLE_PLACES, a, &at) && at == lead + a;
    for (int a = 0; inlay_node_operand(n, INLAY_ROLE_MARGINS) && known && a < out->tensor.rank;
         a++) {
        known = number_at(n, INLAY_ROLE_MARGINS, a, &at) && at >= 0 &&
                at <= result->dims[lead + a] - out->dims[a];
        out->tensor.offset += known ? at * out->strides[a] : 0;
    }
    return known;
}

bool window_held(const inlay_node *n, const window_operands *of, int i, const inlay_tensor *part,
                 const inlay_tensor *result, window_part *out)
{
    int lead = result->rank - part->rank;

    if (!(n->op->flags & INLAY_HOLDS) || lead < 0)
        return false;
    out->tensor = *result;
    out->tensor.rank = part->rank;
    out->tensor.dims = out->dims;
    out->tensor.strides = out->strides;
    for (int a = 0; a < part->rank; a++) {
        out->dims[a] = part->dims[a];
        out->strides[a] = result->strides[lead + a];
    }
    return n->op->variadic_in ? behind_others(n, of, i, result, out)
                              : within_margins(n, i, result, out);
}

/* The first axis from I on on which T does not have size 1; T's rank: none. */
static int real_axis(const inlay_tensor *t, int i)
{
    while (i < t->rank && t->dims[i] == 1)
        i++;
    return i;
}

bool window_alike(const inlay_tensor *a, const inlay_tensor *b)
{
    int i = real_axis(a, 0), k = real_axis(b, 0);
    bool same = inlay_type_info_of(a->type)->bits / 8 == inlay_type_info_of(b->type)->bits / 8;

    while (same && i < a->rank && k < b->rank) {
        same = a->dims[i] == b->dims[k] && (a->dims[i] == 0 || a->strides[i] == b->strides[k]);
        i = real_axis(a, i + 1);
        k = real_axis(b, k + 1);
    }
    return same && i == a->rank && k == b->rank;
}

bool window_is(const inlay_tensor *a, const inlay_tensor *b)
{
    int64_t size = inlay_type_info_of(a->type)->bits / 8;

    return window_alike(a, b) &&
           (char *)a->data + a->offset * size == (char *)b->data + b->offset * size;
}

/* The positions of a tensor's elements, in order. */
struct places {
    int64_t *at;
    size_t n;
};

static void list_places(const inlay_tensor *t, int axis, int64_t at, struct places *p)
{
    if (axis == t->rank) {
        p->at[p->n++] = at;
        return;
    }
    for (int64_t i = 0; i < t->dims[axis]; i++)
        list_places(t, axis + 1, at + i * t->strides[axis], p);
}

bool window_order_is(const inlay_tensor *a, const inlay_tensor *b)
{
    enum { MOST = 1 << 16 };
    int64_t n = inlay_tensor_count(a), size = inlay_type_info_of(a->type)->bits / 8;
    struct places p = {NULL, 0}, q = {NULL, 0};
    bool same = inlay_tensor_count(b) == n && a->type == b->type;

    if (!same || n > MOST || size == 0) /* packed elements have no addresses of their own */
        return same;
    p.at = inlay_take(NULL, (size_t)n + 1, sizeof *p.at);
    q.at = inlay_take(NULL, (size_t)n + 1, sizeof *q.at);
    if (p.at && q.at) {
        list_places(a, 0, a->offset, &p);
        list_places(b, 0, b->offset + ((char *)b->data - (char *)a->data) / size, &q);
        same = memcmp(p.at, q.at, (size_t)n * sizeof *p.at) == 0;
    }
    inlay_give(p.at);
    inlay_give(q.at);
    return same;
}
