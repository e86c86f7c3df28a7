/* fold-scatter-update: the scatter family with constant index operands.
 *
 *     ScatterUpdate(d, [2, 3, 4], u, 0)   =>  SliceScatter(d, u, [2], [5], [1], [0])
 *     ScatterUpdate(d, [0, 1, 2], u, 0)   =>  u            when the axis has three elements
 *     ScatterUpdate(d, [2, 0, 1], u, 0)   =>  Gather(u, [1, 2, 0], 0)
 *     ScatterNDUpdate(d, a box, u)        =>  SliceScatter(d, u, the box)
 *     ScatterNDUpdate(d, [[5], [0]], u), ScatterElementsUpdate(d, [[5, 5], [0, 0]], u, 0)
 *                                         =>  ScatterUpdate(d, [5, 0], u, 0)
 *     GatherND(d, [[5], [0]])             =>  Gather(d, [5, 0], 0), the list that the scatter has
 *     SliceScatter(d, u, full window)     =>  u
 *     any of them with empty updates      =>  d
 *     SliceScatter(const, u, one stretch of one axis)  =>  Concat(const head, u, const tail)
 *
 * If one number of a position, here i, is known only in the run, the row l is Slice(d, 5:6):
 *
 *     ScatterNDUpdate(d, [[5, i]], u)     =>  SliceScatter(d, ScatterUpdate(l, i, u, 1), 5:6)
 *     SliceScatter(d, u, [5, i], [6, j])  =>  SliceScatter(d, SliceScatter(l, u, i, j), 5:6)
 *
 * If all operands are constants, the result is a constant. Indices out of range are left alone:
 * they stay an error of the run. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/fold/fold.h"
#include "passes/query/lost.h"
#include "passes/query/scatter.h"

#include <stdio.h>
#include <string.h>

static const inlay_tensor *content(const inlay_value *v)
{
    return v ? v->fact.content : NULL;
}

/* The only axis on which the window W does not take everything in order; -1: none, -2: several. */
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

/* Positions FROM up to, not including, TO of the constant DATA along AXIS, as a new constant. *OUT
 * is NULL if there are none. */
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
    else
        inlay_fail_memory(d);
    inlay_tensor_release(part);
    inlay_tensor_release(copy);
    return *out != NULL;
}

/* A constant cannot be overwritten. The parts of it beside the window become constants of their
 * own, joined with the updates. */
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
    n = inlay_build(u->node->graph, NULL, "Concat", in, count, attrs, d);
    out->new = n ? &n->out[0] : NULL;
    return n != NULL;
}

/* The updates U have the sizes of the window W. Other sizes are an error of the run, which a Concat
 * would hide. */
static bool fills(const inlay_fact *u, const inlay_window *w)
{
    int64_t dims[INLAY_MAX_RANK];

    if (!inlay_fact_dims(u, dims))
        return false;
    for (int i = 0; i < u->rank; i++) {
        if (dims[i] != w[i].count)
            return false;
    }
    return true;
}

static bool simplify_slice_scatter(inlay_node *n, simpler *out, inlay_diags *d)
{
    inlay_value *data = query_scatter_data(n), *u = query_scatter_updates(n);
    int64_t dims[INLAY_MAX_RANK];
    inlay_window w[INLAY_MAX_RANK];
    int axis;

    if (!inlay_fact_dims(&data->fact, dims) || !inlay_node_windows(n, NULL, w))
        return true;
    axis = partial_axis(w, dims, data->fact.rank);
    if (axis == -1 && inlay_fact_same_shape(&data->fact, &u->fact))
        out->old = u;
    else if (axis >= 0 && w[axis].step == 1 && fills(&u->fact, w) && content(data) && !content(u) &&
             inlay_type_info_of(data->fact.type)->bits >= 8)
        return split_constant(data, u, w[axis], axis, out, d);
    return true;
}

/* The sizes of all operands are known, so inference has checked that they agree. Otherwise only the
 * run can check it. */
static bool sizes_are_known(const inlay_node *n)
{
    int64_t dims[INLAY_MAX_RANK];

    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value && !inlay_fact_dims(&n->in[i].value->fact, dims))
            return false;
    }
    return true;
}

/* The scatter N, whose updates are empty, cannot fail: the sizes agree, and its WINDOW, or
 * otherwise its indices, are known and valid. */
static bool writes_nothing(const inlay_node *n, bool window)
{
    inlay_window w[INLAY_MAX_RANK];

    return sizes_are_known(n) &&
           (window ? inlay_node_windows(n, NULL, w) : fold_indices_are_good(n));
}

static bool simplify_scatter(inlay_node *n, simpler *out, inlay_diags *d)
{
    bool window = inlay_node_is(n, INLAY_OP_SLICE_SCATTER);
    inlay_value *u = query_scatter_updates(n);

    if (u && inlay_fact_is_empty(&u->fact)) {
        if (writes_nothing(n, window))
            out->old = query_scatter_data(n);
        return true;
    }
    if (!(window ? simplify_slice_scatter(n, out, d) : fold_scatter_indices(n, out, d)))
        return false;
    if (!out->old && !out->new && !fold_scatter_places(n, out, d))
        return false;
    if (!out->old && !out->new && !fold_scatter_layer(n, out, d))
        return false;
    return out->old || out->new || !window || fold_surround(n, out, d);
}

static bool has_tuples(const inlay_node *n)
{
    return inlay_op_operand(n->op, INLAY_ROLE_TUPLES) >= 0;
}

static bool simplify(inlay_node *n, simpler *out, inlay_diags *d)
{
    if (strcmp(n->op->set, "opset") != 0)
        return true; /* operations of other dialects are decomposed first */
    if (query_is_scatter(n))
        return simplify_scatter(n, out, d);
    if (n->op->flags & INLAY_POINTWISE)
        return fold_parted(n, out, d);
    if (!has_tuples(n))
        return fold_put_back(n, out, d);
    return fold_gather_tuples(n, out, d) &&
           (out->old || out->new || fold_gather_columns(n, out, d));
}

/* If a shape rule would refuse the result, the error is left to the run. */
static bool simplify_unless_refused(inlay_node *n, simpler *out, inlay_diags *d)
{
    inlay_diags *refused = inlay_diags_new();
    bool ok = refused && simplify(n, out, refused);
    inlay_status status = refused ? inlay_diags_status(refused) : INLAY_NO_RESOURCE;

    if (status == INLAY_INVALID)
        *out = (simpler){NULL, NULL};
    inlay_diags_free(refused);
    return (ok && status == INLAY_OK) || status == INLAY_INVALID || inlay_fail_memory(d);
}

/* Returns whether N is pointwise and reads the result of a Pad or a Concat. */
static bool reads_parts(const inlay_node *n)
{
    bool reads = false;

    for (int i = 0; n->op->flags & INLAY_POINTWISE && i < n->n_in && !reads; i++)
        reads = n->in[i].value && n->in[i].value->node->op->flags & INLAY_HOLDS;
    return reads;
}

/* Returns whether N is a scatter, or selects what a scatter may put back, or may become one. */
static bool can_be_folded(const inlay_node *n)
{
    return query_is_scatter(n) ? query_scatter_data(n) != NULL
                               : has_tuples(n) || n->op->flags & INLAY_HOLDS || reads_parts(n);
}

static bool replace(inlay_node *n, const simpler *s, bool *done, inlay_diags *d)
{
    *done = false;
    if (s->new && !pass_ask_readers(&n->out[0], s->new, done, d))
        return false;
    if (*done)
        return inlay_replace_by_new(&n->out[0], s->new, d);
    return !s->old || inlay_replace_by_old(&n->out[0], s->old, done, d);
}

static bool never_fails(const inlay_node *n, const void *ctx)
{
    (void)ctx;
    return query_never_fails(n);
}

/* Would an error be lost if S took the place of the scatter N, with data that nobody reads then? What
 * else S does not read is made anew for it. True, and not *OK: out of memory. */
static bool loses_error(inlay_node *n, const simpler *s, bool *ok)
{
    const inlay_value *u = query_scatter_updates(n);
    lost_nodes l = {0};
    bool lost;

    *ok = true;
    if (!query_is_scatter(n) || (!s->old && !s->new))
        return false;
    if (s->old || u)
        query_keep(&l, s->old ? s->old->node : u->node);
    lost = query_lost(&l, n, never_fails, NULL) != NULL;
    *ok = !l.no_memory;
    return lost || !*ok;
}

/* Folds the node *AT, and sets it to the result, which may be a scatter that can be folded again.
 */
static bool fold_at(inlay_node **at, pass_run *r)
{
    uint64_t before = r->changes;
    simpler s = {NULL, NULL};
    inlay_node *n = *at;
    bool done = false, again = r->again, ok;

    *at = NULL;
    if (!can_be_folded(n) || !n->out[0].uses)
        return true;
    r->again = again || !query_is_scatter(n); /* fold-constants reports what it leaves of others */
    ok = fold_node(n, r);
    r->again = again;
    if (!ok)
        return false;
    if (r->changes > before)
        return true; /* all its operands were constants */
    if (!inlay_pass_begin(r, n))
        return true;
    if (!simplify_unless_refused(n, &s, r->diags))
        return false;
    if (loses_error(n, &s, &ok))
        s = (simpler){NULL, NULL};
    if (!ok)
        return inlay_fail_memory(r->diags);
    if (!replace(n, &s, &done, r->diags) || !inlay_pass_end(r, done))
        return false;
    *at = done && s.new ? s.new->node : NULL;
    return true;
}

bool pass_fold_scatter_update(inlay_graph *g, pass_run *r)
{
    inlay_order_list order;
    bool ok;

    if (!inlay_graph_had(g, INLAY_SCATTER | INLAY_CUTS | INLAY_HOLDS))
        return true;
    ok = inlay_order(g, false, &order, r->diags);
    for (size_t i = 0; ok && i < order.n; i++) {
        inlay_node *n = order.nodes[i];

        while (ok && n)
            ok = fold_at(&n, r);
    }
    inlay_order_free(&order);
    return ok && fold_grown(g, r);
}
