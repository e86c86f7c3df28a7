/* fold-scatter-update: the scatter family where its index operands are constants.
 *
 *     ScatterUpdate(d, [2, 3, 4], u, 0)   =>  SliceScatter(d, u, [2], [5], [1], [0])
 *     ScatterUpdate(d, [0, 1, 2], u, 0)   =>  u            when the axis has three elements
 *     SliceScatter(d, u, full window)     =>  u
 *     any of them with empty updates      =>  d
 *     SliceScatter(const, u, one stretch of one axis)  =>  Concat(const head, u, const tail)
 *
 * and, where all operands are constants, the constant itself. Indices that are out of range are
 * left alone: they stay an error of the run. Catalogue A3, A4, A18, B1, B2, B4, B5, B7, B8, B10,
 * B12.
 */
#include "passes/pass.h"
#include "passes/storage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a scatter turns into: a value that is there, or a new one; both NULL when it stays. */
typedef struct simpler {
    inlay_value *old, *new;
} simpler;

static const inlay_tensor *content(const inlay_value *v)
{
    return v ? v->fact.content : NULL;
}

static bool is_replacing(const inlay_node *n)
{
    const char *reduction = inlay_node_string(n, "reduction");

    return !reduction || strcmp(reduction, "none") == 0;
}

static bool const_axis(const inlay_node *n, int input, int rank, int *axis)
{
    const inlay_tensor *t = content(inlay_node_input(n, input));
    int64_t a;

    if (!t || inlay_tensor_count(t) != 1 || rank < 0)
        return false;
    a = inlay_tensor_get_i64(t, 0);
    a = a < 0 ? a + rank : a;
    *axis = (int)a;
    return a >= 0 && a < rank;
}

/* Constant indices begin, begin + step, ...: the window they are, all inside [0, size). */
static bool progression(const inlay_tensor *t, int64_t size, inlay_window *w)
{
    int64_t n = inlay_tensor_count(t), last = 0;

    *w = (inlay_window){0, n, 1};
    for (int64_t i = 0; i < n; i++) {
        int64_t x = inlay_tensor_get_i64(t, i);

        /* the range first: the difference of two indices outside it may overflow */
        if (x < 0 || x >= size)
            return false;
        if (i == 0)
            w->begin = x;
        if (i == 1)
            w->step = x - last;
        if (i > 0 && x - last != w->step)
            return false;
        last = x;
    }
    return n > 0 && w->step != 0;
}

/* For constant indices that name every position once: where each position's update stands. The
 * caller frees it; NULL when they are no permutation (or out of memory: nothing is lost). */
static int64_t *inverse_of(const inlay_tensor *t, int64_t size)
{
    int64_t *inverse =
        inlay_tensor_count(t) == size && size > 0 ? malloc((size_t)size * sizeof *inverse) : NULL;

    for (int64_t i = 0; inverse && i < size; i++)
        inverse[i] = -1;
    for (int64_t i = 0; inverse && i < size; i++) {
        int64_t x = inlay_tensor_get_i64(t, i);

        if (x < 0 || x >= size || inverse[x] >= 0) {
            free(inverse);
            return NULL;
        }
        inverse[x] = i;
    }
    return inverse;
}

static inlay_value *ints(inlay_graph *g, const char *what, const int64_t *x, int64_t n,
                         inlay_diags *d)
{
    return inlay_build_ints(g, what, INLAY_I64, 1, &n, x, d);
}

/* SliceScatter(data, u, w on AXIS). The stop of a window is told by denormalising it. */
static bool make_slice_scatter(inlay_value *data, inlay_value *u, inlay_window w, int axis,
                               int64_t size, simpler *out, inlay_diags *d)
{
    inlay_graph *g = data->node->graph;
    int64_t start, stop, step, at = axis;
    inlay_value *in[6] = {data, u};
    inlay_node *n;

    inlay_window_denormalise(w, size, &start, &stop, &step);
    in[2] = ints(g, "start", &start, 1, d);
    in[3] = ints(g, "stop", &stop, 1, d);
    in[4] = ints(g, "step", &step, 1, d);
    in[5] = ints(g, "axes", &at, 1, d);
    n = in[2] && in[3] && in[4] && in[5]
            ? inlay_build(g, "SliceScatter", NULL, NULL, in, 6, NULL, d)
            : NULL;
    out->new = n ? &n->out[0] : NULL;
    return n != NULL;
}

static bool make_gather(inlay_value *u, const int64_t *inverse, int64_t n, int axis, simpler *out,
                        inlay_diags *d)
{
    inlay_graph *g = u->node->graph;
    int64_t at = axis;
    inlay_value *in[3] = {u, ints(g, "inverse", inverse, n, d), NULL};
    inlay_node *gather;

    in[2] = inlay_build_ints(g, "axis", INLAY_I64, 0, NULL, &at, d);
    gather = in[1] && in[2] ? inlay_build(g, "Gather", NULL, NULL, in, 3, NULL, d) : NULL;
    out->new = gather ? &gather->out[0] : NULL;
    return gather != NULL;
}

/* A 0-D index selects one slice; its update lacks the axis. */
static inlay_value *with_axis(inlay_value *u, int axis, inlay_diags *d)
{
    int64_t at = axis;
    inlay_value *in[2] = {u, ints(u->node->graph, "axes", &at, 1, d)};
    inlay_node *n =
        in[1] ? inlay_build(u->node->graph, "Unsqueeze", NULL, NULL, in, 2, NULL, d) : NULL;

    return n ? &n->out[0] : NULL;
}

/* Indices T along AXIS of DATA, updates U: B1, B2, B4, B5. */
static bool simplify_indexed(inlay_value *data, const inlay_tensor *t, inlay_value *u, int axis,
                             simpler *out, inlay_diags *d)
{
    int64_t size = data->fact.dims[axis].lo, *inverse;
    inlay_window w;
    bool ok = true;

    if (!inlay_dim_is_static(data->fact.dims[axis]) || t->rank > 1)
        return true;
    if (progression(t, size, &w)) {
        if (w.count == size && w.step == 1 && inlay_fact_same_shape(&data->fact, &u->fact)) {
            out->old = u;
            return true;
        }
        if (t->rank == 0 && !(u = with_axis(u, axis, d)))
            return false;
        return make_slice_scatter(data, u, w, axis, size, out, d);
    }
    inverse = t->rank == 1 ? inverse_of(t, size) : NULL;
    if (inverse)
        ok = make_gather(u, inverse, size, axis, out, d);
    free(inverse);
    return ok;
}

static bool simplify_scatter_update(inlay_node *n, simpler *out, inlay_diags *d)
{
    inlay_value *data = scatter_data(n);
    const inlay_tensor *t = content(inlay_node_input(n, 1));
    int axis;

    if (!t || !const_axis(n, 3, data->fact.rank, &axis))
        return true;
    return simplify_indexed(data, t, inlay_node_input(n, 2), axis, out, d);
}

/* Every index is its own position along the axis: B12. */
static bool simplify_scatter_elements(inlay_node *n, simpler *out)
{
    inlay_value *data = scatter_data(n), *u = inlay_node_input(n, 2);
    const inlay_tensor *t = content(inlay_node_input(n, 1));
    int64_t inner = 1;
    int axis;

    if (!t || !is_replacing(n) || !const_axis(n, 3, data->fact.rank, &axis) ||
        !inlay_fact_same_shape(&data->fact, &u->fact))
        return true;
    for (int i = axis + 1; i < t->rank; i++)
        inner *= t->dims[i];
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (inlay_tensor_get_i64(t, i) != i / inner % t->dims[axis])
            return true;
    }
    out->old = u;
    return true;
}

/* Tuples of one component are indices along axis 0: B8, B10. Negative ones mean what they say only
 * in version 15. */
static bool simplify_scatter_nd(inlay_node *n, simpler *out, inlay_diags *d)
{
    inlay_value *data = scatter_data(n), *u = inlay_node_input(n, 2);
    const inlay_tensor *t = content(inlay_node_input(n, 1));
    inlay_tensor *flat;
    int64_t strides[1] = {1};
    bool ok;

    if (!t || !is_replacing(n) || t->rank != 2 || t->dims[1] != 1 || data->fact.rank < 1 ||
        !inlay_tensor_is_dense(t))
        return true;
    flat = inlay_tensor_window(t, 1, t->dims, strides, 0);
    if (!flat)
        return inlay_fail_memory(d);
    ok = simplify_indexed(data, flat, u, 0, out, d);
    inlay_tensor_release(flat);
    return ok;
}

/* The one axis on which the window W does not take everything in order; -1: none, -2: several. */
static int partial_axis(const inlay_window *w, const int64_t *dims, int rank)
{
    int axis = -1;

    for (int i = 0; i < rank; i++) {
        if (inlay_window_equal(w[i], (inlay_window){0, dims[i], 1}))
            continue;
        if (axis >= 0)
            return -2;
        axis = i;
    }
    return axis;
}

/* A slice of the constant DATA along AXIS, as a constant of its own; *OUT NULL when it is empty. */
static bool stretch(const inlay_value *data, int axis, int64_t from, int64_t to, inlay_value **out,
                    inlay_diags *d)
{
    const inlay_tensor *t = content(data);
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor *part, *copy;

    *out = NULL;
    if (from >= to)
        return true;
    for (int i = 0; i < t->rank; i++)
        dims[i] = i == axis ? to - from : t->dims[i];
    part = inlay_tensor_window(t, t->rank, dims, t->strides, from * t->strides[axis]);
    copy = part ? inlay_tensor_copy(part) : NULL;
    if (copy)
        *out = inlay_build_const(data->node->graph, data->node->name, copy, d);
    inlay_tensor_release(part);
    inlay_tensor_release(copy);
    return *out != NULL || (copy ? false : inlay_fail_memory(d));
}

/* A constant cannot be written in place; what is left of it can be told apart now: A18. */
static bool split_constant(inlay_value *data, inlay_value *u, inlay_window w, int axis,
                           simpler *out, inlay_diags *d)
{
    inlay_value *parts[3], *in[3];
    char attrs[32];
    inlay_node *n;
    int count = 0;

    if (!stretch(data, axis, 0, w.begin, &parts[0], d) ||
        !stretch(data, axis, w.begin + w.count, data->fact.dims[axis].lo, &parts[2], d))
        return false;
    parts[1] = u;
    for (int i = 0; i < 3; i++) {
        if (parts[i])
            in[count++] = parts[i];
    }
    snprintf(attrs, sizeof attrs, "axis=%d", axis);
    n = inlay_build(u->node->graph, "Concat", NULL, NULL, in, count, attrs, d);
    out->new = n ? &n->out[0] : NULL;
    return n != NULL;
}

static bool simplify_slice_scatter(inlay_node *n, simpler *out, inlay_diags *d)
{
    inlay_value *data = scatter_data(n), *u = inlay_node_input(n, 1);
    int64_t dims[INLAY_MAX_RANK];
    inlay_window w[INLAY_MAX_RANK];
    int axis;

    if (!inlay_fact_dims(&data->fact, dims) || !window_of_slice(n, w))
        return true;
    axis = partial_axis(w, dims, data->fact.rank);
    if (axis == -1 && inlay_fact_same_shape(&data->fact, &u->fact))
        out->old = u;
    else if (axis >= 0 && w[axis].step == 1 && content(data) && !content(u) &&
             inlay_type_info_of(data->fact.type)->bits >= 8)
        return split_constant(data, u, w[axis], axis, out, d);
    return true;
}

static bool simplify(inlay_node *n, simpler *out, inlay_diags *d)
{
    inlay_value *u = inlay_node_input(n, inlay_node_is(n, INLAY_OP_SLICE_SCATTER) ? 1 : 2);

    if (u && inlay_fact_is_empty(&u->fact)) {
        out->old = scatter_data(n);
        return true;
    }
    switch (n->op->kind) {
    case INLAY_OP_SLICE_SCATTER:
        return simplify_slice_scatter(n, out, d);
    case INLAY_OP_SCATTER_UPDATE:
        return simplify_scatter_update(n, out, d);
    case INLAY_OP_SCATTER_ELEMENTS_UPDATE:
        return simplify_scatter_elements(n, out);
    case INLAY_OP_SCATTER_ND_UPDATE:
        return simplify_scatter_nd(n, out, d);
    default:
        return true; /* the dialects' own are lowered first */
    }
}

static bool replace(inlay_node *n, const simpler *s, pass_run *r)
{
    bool done = true;

    if (s->new) {
        if (!pass_replace_by_new(&n->out[0], s->new, r->diags))
            return false;
    } else if (!pass_replace_by_old(&n->out[0], s->old, &done, r->diags)) {
        return false;
    }
    r->changes += done;
    return true;
}

static bool fold_scatter(inlay_node *n, pass_run *r)
{
    uint64_t before = r->changes;
    simpler s = {NULL, NULL};

    if (!is_scatter(n) || !n->out[0].uses || !scatter_data(n))
        return true;
    if (!pass_fold_node(n, r))
        return false;
    if (r->changes > before)
        return true; /* all its operands were constants */
    return simplify(n, &s, r->diags) && ((!s.old && !s.new) || replace(n, &s, r));
}

static bool fold_graph(inlay_graph *g, pass_run *r)
{
    inlay_order_list order;
    bool ok = inlay_order(g, false, &order, r->diags);

    for (size_t i = 0; ok && i < order.n; i++)
        ok = fold_scatter(order.nodes[i], r);
    inlay_order_free(&order);
    return ok;
}

bool pass_fold_scatter_update(inlay_graph *g, pass_run *r)
{
    return pass_each_graph(g, fold_graph, r);
}
