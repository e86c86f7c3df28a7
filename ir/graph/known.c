/* Facts known before the run about operands that say which elements a node uses: the window of a
 * Slice or SliceScatter, the axis of a Split or a scatter. */
#include "inlay_ops.h"
#include "ir/graph/distinct.h"
#include "ir/graph/node.h"
#include "ir/tensor/window.h"

#include <string.h>

/* Reads the elements of a list operand. False: one of them is not known. */
static bool known_list(const inlay_value *v, int64_t *out, int *n)
{
    if (!v || !v->fact.known || v->fact.n_known > INLAY_MAX_RANK)
        return false;
    for (int i = 0; i < v->fact.n_known; i++) {
        if (!inlay_dim_is_static(v->fact.known[i]))
            return false;
        out[i] = v->fact.known[i].lo;
    }
    *n = v->fact.n_known;
    return true;
}

bool inlay_node_axis(const inlay_node *n, int rank, int *axis)
{
    int64_t list[INLAY_MAX_RANK];
    int count;

    if (!known_list(inlay_node_operand(n, INLAY_ROLE_AXIS), list, &count) || count != 1)
        return false;
    list[0] += list[0] < 0 ? rank : 0;
    *axis = (int)list[0];
    return list[0] >= 0 && list[0] < rank;
}

/* The rows of an axis of SIZE that the elements of F select, if they are at equal distances. SIZE
 * below 0: not known, so no index may count from the end. */
static bool rows_in_steps(const inlay_fact *f, int64_t size, inlay_window *out)
{
    *out = (inlay_window){0, f->n_known, 1};
    for (int i = 0; i < f->n_known; i++) {
        int64_t at = f->known[i].lo, last = out->begin + (i - 1) * out->step;

        at += at < 0 && size >= 0 && f->type != INLAY_U64 ? size : 0;
        if (!inlay_dim_is_static(f->known[i]) || at < 0 || (size >= 0 && at >= size))
            return false;
        if (i == 0)
            out->begin = at;
        else if (i == 1)
            out->step = at - out->begin;
        if (out->step == 0 || (i > 1 && at - last != out->step))
            return false;
    }
    return f->n_known > 0;
}

/* What a node selects or writes by a list: everything at some positions of one axis or, with
 * tuples, of the first axes. */
typedef struct row_list {
    const inlay_value *list; /* NULL: none, or single elements, or the updates are combined with the
                                old contents */
    int axis, tuple;         /* the first axis, and how many axes a tuple covers */
    bool elements;           /* LIST has the axes of the data: each number names one element of the
                                line along AXIS that it stands in, which counts as a row */
} row_list;

static bool takes_all_rows_alike(const inlay_node *n)
{
    const inlay_attr *batch = inlay_node_attr(n, "batch_dims");
    const inlay_attr *reduction = inlay_node_attr(n, "reduction");

    return (!batch || batch->as.i == 0) && (!reduction || strcmp(reduction->as.s, "none") == 0);
}

/* Does LIST, the indices of N, name single elements, as that of a ScatterElementsUpdate does? */
static bool names_elements(const inlay_node *n, const inlay_value *list)
{
    const inlay_value *updates = inlay_node_operand(n, INLAY_ROLE_UPDATES);

    return (updates ? updates->fact.rank : n->out[0].fact.rank) == list->fact.rank &&
           list->fact.rank == inlay_node_input(n, 0)->fact.rank &&
           (updates || inlay_op_operand(n->op, INLAY_ROLE_AXIS) < 0);
}

/* Sets *AXIS, of RANK, to the axis of which N names rows: an operand says it, or an attribute. */
static bool find_row_axis(const inlay_node *n, int rank, int *axis)
{
    const inlay_attr *a = inlay_node_attr(n, "axis");

    if (inlay_op_operand(n->op, INLAY_ROLE_AXIS) >= 0 || !a)
        return inlay_node_axis(n, rank, axis);
    *axis = (int)(a->as.i < 0 ? a->as.i + rank : a->as.i);
    return *axis >= 0 && *axis < rank;
}

static row_list rows_of(const inlay_node *n)
{
    const inlay_value *data = inlay_node_input(n, 0), *list;
    row_list r = {.tuple = 1};

    if (!(n->op->flags & INLAY_ROWS) || !data || data->fact.rank < 1 || !takes_all_rows_alike(n))
        return r;
    list = inlay_node_operand(n, INLAY_ROLE_INDICES);
    if (list) {
        r.elements = data->fact.rank > 1 && names_elements(n, list);
        if (list->fact.rank >= 0 && find_row_axis(n, data->fact.rank, &r.axis))
            r.list = list;
        return r;
    }
    list = inlay_node_operand(n, INLAY_ROLE_TUPLES);
    if (list && list->fact.rank > 0 && inlay_dim_is_static(list->fact.dims[list->fact.rank - 1]) &&
        list->fact.dims[list->fact.rank - 1].lo >= 1 &&
        list->fact.dims[list->fact.rank - 1].lo <= data->fact.rank) {
        r.list = list;
        r.tuple = (int)list->fact.dims[list->fact.rank - 1].lo;
    }
    return r;
}

/* The list of the rows that N selects along *AXIS, if they have an axis of their own in N's output
 * or updates; or NULL. */
static const inlay_value *named_rows(const inlay_node *n, int *axis)
{
    row_list r = rows_of(n);
    bool tuples = inlay_op_operand(n->op, INLAY_ROLE_TUPLES) >= 0;

    *axis = r.axis;
    return r.list && !r.elements && r.tuple == 1 && r.list->fact.rank == 1 + tuples ? r.list : NULL;
}

/* V, or the value of which V is a reshape. */
static const inlay_value *numbers_of(const inlay_value *v)
{
    while (v && (v->node->op->flags & INLAY_RESHAPES) && inlay_node_input(v->node, 0))
        v = inlay_node_input(v->node, 0);
    return v;
}

/* Is V a progression of numbers, whatever they are? */
static bool is_range(const inlay_value *v)
{
    const inlay_value *step =
        inlay_node_is(v->node, INLAY_OP_RANGE) ? inlay_node_input(v->node, 2) : NULL;

    return step && !inlay_type_is_float(step->fact.type) && step->fact.known &&
           step->fact.n_known == 1 && (step->fact.known[0].lo > 0 || step->fact.known[0].hi < 0);
}

/* V, or the numbers that V counts from the beginning where they count from the end: Select(Less(x,
 * 0), Add(x, size), x). */
static const inlay_value *counted_from(const inlay_value *v)
{
    bool selects = inlay_node_is(v->node, INLAY_OP_SELECT);
    const inlay_value *x = selects ? inlay_node_input(v->node, 2) : NULL;
    const inlay_value *sum = selects ? inlay_node_input(v->node, 1) : NULL;

    return x && sum && inlay_node_is(sum->node, INLAY_OP_ADD) && inlay_node_input(sum->node, 0) == x
               ? x
               : v;
}

/* The window of the rows that N selects from data of RANK and DIMS. */
static bool row_windows(const inlay_node *n, int rank, const int64_t *dims, inlay_window *out)
{
    inlay_window rows;
    int axis;
    const inlay_value *list = named_rows(n, &axis);

    if (!list || !list->fact.known || !rows_in_steps(&list->fact, dims[axis], &rows))
        return false;
    for (int i = 0; i < rank; i++)
        out[i] = i == axis ? rows : (inlay_window){0, dims[i], 1};
    return true;
}

bool inlay_node_steps_rows(const inlay_node *n)
{
    const inlay_dim *dims;
    const inlay_value *list;
    inlay_window rows;
    int axis;

    list = named_rows(n, &axis);
    if (!list)
        return false;
    dims = n->in[0].value->fact.dims;
    return (inlay_dim_is_static(list->fact.dims[0]) && list->fact.dims[0].lo == 1) ||
           is_range(numbers_of(counted_from(numbers_of(list)))) ||
           (list->fact.known &&
            rows_in_steps(&list->fact, inlay_dim_is_static(dims[axis]) ? dims[axis].lo : -1,
                          &rows));
}

/* Is R, of N, exactly one row? */
static bool is_one_row(const inlay_node *n, row_list r)
{
    int tuples = inlay_op_operand(n->op, INLAY_ROLE_TUPLES) >= 0;

    if (!r.list || r.elements || r.tuple > 1)
        return false;
    return r.list->fact.rank == tuples ||
           (r.list->fact.rank == 1 + tuples && inlay_dim_is_static(r.list->fact.dims[0]) &&
            r.list->fact.dims[0].lo == 1);
}

bool inlay_node_picks_row(const inlay_node *n)
{
    return !(n->op->flags & INLAY_SCATTER) && is_one_row(n, rows_of(n));
}

bool inlay_node_takes_outer_row(const inlay_node *n)
{
    row_list r = rows_of(n);
    bool outer = is_one_row(n, r);

    for (int i = 0; outer && i < r.axis; i++)
        outer = inlay_dim_is_static(n->in[0].value->fact.dims[i]) &&
                n->in[0].value->fact.dims[i].lo == 1;
    return outer;
}

bool inlay_node_names_rows(const inlay_node *n)
{
    return rows_of(n).list != NULL;
}

int inlay_node_row_axes(const inlay_node *n)
{
    row_list r = rows_of(n);

    return r.elements ? 0 : n->in[0].value->fact.rank - r.axis - r.tuple;
}

/* Returns whether every run in which LIST, the list of N's rows, has negative numbers fails: a
 * ScatterUpdate refuses them, either N or one that puts back the rows that N selects. Another kind
 * of scatter, which counts them from the end, has to be asked itself. */
static bool has_no_negatives(const inlay_node *n, const inlay_value *list)
{
    bool refused = inlay_node_is(n, INLAY_OP_SCATTER_UPDATE);

    for (const inlay_use *u = n->op->flags & INLAY_SCATTER ? NULL : list->uses; u && !refused;
         u = u->next)
        refused = inlay_node_is(u->node, INLAY_OP_SCATTER_UPDATE) &&
                  u->index == inlay_op_operand(u->node->op, INLAY_ROLE_INDICES);
    return refused;
}

bool inlay_node_lists_rows(const inlay_node *n)
{
    row_list r = rows_of(n);
    int64_t dims[INLAY_MAX_RANK];

    if (!r.list || inlay_node_steps_rows(n))
        return false;
    for (int i = 0; i < r.tuple; i++) {
        inlay_dim d = n->in[0].value->fact.dims[r.axis + i];

        dims[i] = inlay_dim_is_static(d) ? d.lo : -1;
    }
    if (r.elements)
        return inlay_value_lines_are_distinct(r.list, r.axis, dims[0], true);
    return inlay_value_is_distinct(r.list, r.tuple, dims, !has_no_negatives(n, r.list));
}

bool inlay_node_has_window(const inlay_node *n)
{
    if (n->op->flags & INLAY_ROWS)
        return inlay_node_steps_rows(n) || inlay_node_lists_rows(n);
    return inlay_node_is(n, INLAY_OP_SLICE) || inlay_node_is(n, INLAY_OP_SLICE_SCATTER);
}

bool inlay_node_windows(const inlay_node *n, const int64_t *dims, inlay_window *out)
{
    int64_t lists[4][INLAY_MAX_RANK], known[INLAY_MAX_RANK];
    const inlay_value *data = inlay_node_input(n, 0);
    const inlay_value *axes = inlay_node_operand(n, INLAY_ROLE_AXES);
    int counts[4] = {0};
    inlay_slice s = {0, lists[0], lists[1], lists[2], axes ? lists[3] : NULL, "step", "axes"};
    char why[8];

    if (!data || (!dims && !inlay_fact_dims(&data->fact, known)))
        return false;
    if (n->op->flags & INLAY_ROWS)
        return row_windows(n, data->fact.rank, dims ? dims : known, out);
    for (int i = 0; i < (axes ? 4 : 3); i++) {
        if (!known_list(inlay_node_window(n, i), lists[i], &counts[i]) || counts[i] != counts[0])
            return false;
    }
    s.n = counts[0];
    return inlay_slice_windows(&s, data->fact.rank, dims ? dims : known, out, why, sizeof why);
}

/* Do A and B, for data of one rank, select the same rows of the same axes in the same order, or
 * both no rows? */
static bool name_same_rows(const inlay_node *a, const inlay_node *b)
{
    row_list one = rows_of(a), other = rows_of(b);

    if (!one.list && !other.list)
        return true;
    if (one.axis != other.axis || one.tuple != other.tuple || one.elements != other.elements)
        return false;
    return one.elements ? inlay_value_same(one.list, other.list)
                        : inlay_value_same(numbers_of(one.list), numbers_of(other.list));
}

const inlay_value *inlay_value_sum(const inlay_value *v, int64_t *plus)
{
    const inlay_value *x, *y;

    *plus = 0;
    v = numbers_of(v);
    x = v && inlay_node_is(v->node, INLAY_OP_ADD) ? inlay_node_input(v->node, 0) : NULL;
    y = x ? inlay_node_input(v->node, 1) : NULL;
    if (!y || inlay_type_is_float(v->fact.type))
        return v;
    if (x->fact.known && x->fact.n_known == 1 && inlay_dim_is_static(x->fact.known[0])) {
        const inlay_value *known = x;

        x = y;
        y = known;
    }
    if (!y->fact.known || y->fact.n_known != 1 || !inlay_dim_is_static(y->fact.known[0]))
        return v;
    *plus = y->fact.known[0].lo;
    return numbers_of(x);
}

/* Do A and B each select one row of data of the same shape, and different rows whatever the numbers
 * are: t and t + 1, if there is more than one row? */
static bool name_rows_apart(const inlay_node *a, const inlay_node *b)
{
    int at = -1, other = -1;
    const inlay_value *row = named_rows(a, &at), *second = named_rows(b, &other);
    const inlay_dim *size;
    int64_t x, y;

    if (!row || !second || at != other || row->fact.dims[0].hi != 1 ||
        second->fact.dims[0].hi != 1 ||
        !inlay_fact_same_shape(&a->in[0].value->fact, &b->in[0].value->fact) ||
        row->fact.type != second->fact.type ||
        !inlay_value_same(inlay_value_sum(row, &x), inlay_value_sum(second, &y)))
        return false;
    size = &a->in[0].value->fact.dims[at];
    return inlay_dim_is_static(*size) && x > -size->lo && x < size->lo && y > -size->lo &&
           y < size->lo && (x - y) % size->lo != 0;
}

/* Has V one element? */
static bool is_single(const inlay_value *v)
{
    int64_t dims[INLAY_MAX_RANK];

    return v && inlay_fact_dims(&v->fact, dims) &&
           (v->fact.rank == 0 || (v->fact.rank == 1 && dims[0] == 1));
}

static bool is_one(const inlay_value *v)
{
    return !v || (v->fact.known && v->fact.n_known == 1 && v->fact.known[0].lo == 1 &&
                  v->fact.known[0].hi == 1);
}

/* Do the windows of A and B cut the same axis of tensors of one shape, with steps of 1, and does B
 * begin where A ends? Both bounds are clamped in the same way, so the windows are disjoint whatever
 * the numbers are. */
static bool ends_at_begin(const inlay_node *a, const inlay_node *b)
{
    const inlay_value *end = inlay_node_window(a, 1), *begin = inlay_node_window(b, 0);
    const inlay_value *da = inlay_node_input(a, 0), *db = inlay_node_input(b, 0);

    return end == begin && is_single(end) && is_single(inlay_node_window(a, 0)) &&
           is_single(inlay_node_window(b, 1)) && is_one(inlay_node_window(a, 2)) &&
           is_one(inlay_node_window(b, 2)) &&
           inlay_value_same(inlay_node_window(a, 3), inlay_node_window(b, 3)) &&
           inlay_fact_same_shape(&da->fact, &db->fact);
}

bool inlay_node_windows_apart(const inlay_node *a, const inlay_node *b)
{
    return ends_at_begin(a, b) || ends_at_begin(b, a) || name_rows_apart(a, b);
}

/* Does the window of N, on each axis, begin at a position that does not depend on a size, and go
 * forwards? */
static bool counts_from_begin(const inlay_node *n)
{
    int64_t list[INLAY_MAX_RANK];
    bool from_begin = true;
    int count;

    for (int i = 0; i < 3 && from_begin; i += 2) { /* the start and the steps */
        from_begin = known_list(inlay_node_window(n, i), list, &count);
        for (int k = 0; from_begin && k < count; k++)
            from_begin = i == 0 ? list[k] >= 0 : list[k] > 0;
    }
    return from_begin;
}

bool inlay_node_windows_within(const inlay_node *n, inlay_window *out)
{
    const inlay_value *data = inlay_node_input(n, 0);
    int64_t dims[INLAY_MAX_RANK];

    if ((n->op->flags & INLAY_ROWS) || !data || data->fact.rank < 0 || !counts_from_begin(n))
        return false;
    for (int i = 0; i < data->fact.rank; i++)
        dims[i] = inlay_dim_is_static(data->fact.dims[i]) ? data->fact.dims[i].lo : INT64_MAX / 4;
    return inlay_node_windows(n, dims, out);
}

bool inlay_node_windows_written(const inlay_node *n, inlay_window *out)
{
    const inlay_value *u = inlay_node_operand(n, INLAY_ROLE_UPDATES);
    int64_t dims[INLAY_MAX_RANK];

    if (!u || !inlay_fact_dims(&u->fact, dims) || !inlay_node_windows_within(n, out) ||
        u->fact.rank != inlay_node_input(n, 0)->fact.rank)
        return false;
    for (int i = 0; i < u->fact.rank; i++) {
        if (out[i].count < dims[i])
            return false; /* every run fails */
        out[i].count = dims[i];
    }
    return true;
}

/* Is the window of N empty in every run? */
static bool selects_none(const inlay_node *n)
{
    inlay_window w[INLAY_MAX_RANK];
    bool none = inlay_node_windows_apart(n, n);

    if (!inlay_node_windows(n, NULL, w) && !inlay_node_windows_within(n, w))
        return none;
    for (int i = 0; i < n->in[0].value->fact.rank; i++)
        none = none || w[i].count == 0;
    return none;
}

bool inlay_use_reads_none(const inlay_use *u)
{
    return u->index == 0 && inlay_node_reads_window(u->node) && selects_none(u->node);
}

bool inlay_value_writes_none(const inlay_value *v)
{
    return v->note == INLAY_OVERWRITES && inlay_node_writes_window(v->node) &&
           selects_none(v->node);
}

bool inlay_node_writes_all(const inlay_node *n)
{
    const inlay_value *data = inlay_node_input(n, 0);
    const inlay_value *u = inlay_node_operand(n, INLAY_ROLE_UPDATES);
    const inlay_value *steps = inlay_node_window(n, 2);
    bool all = u && data && steps && steps->fact.known && !(n->op->flags & INLAY_ROWS) &&
               inlay_fact_same_shape(&u->fact, &data->fact);

    for (int i = 0; all && i < steps->fact.n_known; i++)
        all = steps->fact.known[i].lo > 0;
    return all;
}

/* Does SLICE select along one axis, with the step of the range that is SCATTER's rows? */
static bool steps_as_rows(const inlay_node *slice, const inlay_node *scatter)
{
    const inlay_value *step = inlay_node_window(slice, 2), *axes = inlay_node_window(slice, 3);
    int axis, n, rank = scatter->in[0].value->fact.rank;
    const inlay_value *list = named_rows(scatter, &axis);
    int64_t steps[INLAY_MAX_RANK], along[INLAY_MAX_RANK] = {0};

    list = list ? numbers_of(list) : NULL;
    return list && inlay_node_is(slice, INLAY_OP_SLICE) && is_range(list) &&
           known_list(step, steps, &n) && n == 1 && steps[0] > 0 &&
           list->node->in[2].value->fact.known[0].lo == steps[0] &&
           list->node->in[2].value->fact.known[0].hi == steps[0] &&
           (!axes || (known_list(axes, along, &n) && n == 1)) &&
           along[0] + (along[0] < 0 ? rank : 0) == axis;
}

bool inlay_node_moves_updates(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_SLICE_SCATTER) ||
           ((n->op->flags & INLAY_SCATTER) && inlay_node_steps_rows(n));
}

bool inlay_node_windows_stepped_alike(const inlay_node *a, const inlay_node *b)
{
    const inlay_value *step = inlay_node_window(a, 2);
    bool alike = step && step->fact.known && inlay_value_same(step, inlay_node_window(b, 2)) &&
                 inlay_value_same(inlay_node_window(a, 3), inlay_node_window(b, 3));

    for (int i = 0; alike && i < step->fact.n_known; i++)
        alike = step->fact.known[i].lo > 0;
    return b->op->flags & INLAY_ROWS ? steps_as_rows(a, b) : alike;
}

bool inlay_node_windows_same(const inlay_node *a, const inlay_node *b)
{
    const inlay_value *da = inlay_node_input(a, 0), *db = inlay_node_input(b, 0);
    inlay_window wa[INLAY_MAX_RANK], wb[INLAY_MAX_RANK];

    if (!da || !db || !inlay_fact_same_shape(&da->fact, &db->fact))
        return false;
    if (inlay_node_windows(a, NULL, wa) && inlay_node_windows(b, NULL, wb))
        return inlay_windows_equal(wa, wb, da->fact.rank);
    for (int i = 0; i < 4; i++) {
        if (!inlay_value_same(inlay_node_window(a, i), inlay_node_window(b, i)))
            return false;
    }
    return name_same_rows(a, b);
}
