/* If a layer is selected from a tensor, computed on and put back, the axis that was removed and
 * added again is kept throughout.
 *
 *     %l = Gather(%d, 2)                      %l = Gather(%d, [2])
 *     %n = ScatterUpdate(%l, %at, %u, 0)      %n = ScatterUpdate(%l, %at, Unsqueeze(%u, 0), 1)
 *     Unsqueeze(%n, 0)                        %n
 *
 * So every value in between, also a part cut out of the layer, is a window of the tensor. With an
 * Unsqueeze in between, the value that is put back would not be the one in the window, and the
 * layer would be copied. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/fold/scattering.h"
#include "passes/query/indices.h"
#include "passes/query/scatter.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_LINKS = 16,  /* in a chain */
    MOST_LOOKS = 64,  /* nodes that are visited */
    MOST_OPERANDS = 8 /* of a scatter of the opsets */
};

/* Has X the sizes of V, and one of 1 at AXIS besides? */
static bool has_axis(const inlay_value *x, const inlay_value *v, int axis)
{
    bool has = v->fact.rank >= axis && x->fact.rank == v->fact.rank + 1;

    for (int i = 0; has && i < x->fact.rank; i++) {
        inlay_dim want = i == axis ? inlay_dim_of(1) : v->fact.dims[i > axis ? i - 1 : i];

        has = inlay_dim_proven_equal(x->fact.dims[i], want);
    }
    return has;
}

/* Does V select the layer S->by along AXIS, with a scalar index as a list of one? */
static bool takes_layer(const scattering *s, const inlay_value *v, int axis)
{
    const inlay_value *i = inlay_node_operand(v->node, INLAY_ROLE_INDICES), *by = s->by, *x;
    const inlay_value *data = inlay_node_input(v->node, 0);
    int along;

    while (by && (x = scattering_shown(by, false)))
        by = x;
    return by && i && i->fact.rank == 0 && inlay_value_same(i, by) &&
           inlay_node_picks_row(v->node) && inlay_node_axis(v->node, data->fact.rank, &along) &&
           along == axis;
}

/* Was an axis of size 1 removed at AXIS to make V? */
static bool lost_axis(const scattering *s, const inlay_value *v, int axis)
{
    const inlay_value *x = scattering_shown(v, false);

    return (x && has_axis(x, v, axis)) || takes_layer(s, v, axis);
}

/* Is N a link that computes each element from those at the same position? Several operands must be
 * broadcast as numpy does it. */
static bool is_pointwise(const inlay_node *n)
{
    const char *how = inlay_node_string(n, "auto_broadcast");

    return (n->op->flags & INLAY_POINTWISE) && n->n_out == 1 &&
           (how ? strcmp(how, "pdpd") != 0 : n->n_in == 1);
}

/* The operand of N, a scatter or a Slice, that names axes; -1: none. */
static int find_named_axes(const inlay_node *n)
{
    int i = inlay_op_operand(n->op, INLAY_ROLE_AXIS);

    i = i < 0 ? inlay_op_operand(n->op, INLAY_ROLE_AXES) : i;
    return i >= 0 && inlay_node_input(n, i) ? i : -1;
}

/* The axes that N, a scatter or a Slice, names. */
static const inlay_value *named_axes(const inlay_node *n)
{
    int i = find_named_axes(n);

    return i < 0 ? NULL : inlay_node_input(n, i);
}

/* Is N a scatter of the opsets? Of others it is only known that they overwrite their data. */
static bool is_of_opset(const inlay_node *n)
{
    return (n->op->flags & INLAY_SCATTER) && strcmp(n->op->set, "opset") == 0;
}

/* Is N a link that replaces parts of the layer, along axes that are known? */
static bool is_scatter(const inlay_node *n)
{
    const inlay_value *axes = named_axes(n);
    const inlay_value *u = inlay_node_operand(n, INLAY_ROLE_UPDATES);
    const inlay_value *i = inlay_node_operand(n, INLAY_ROLE_INDICES);

    return is_of_opset(n) && axes && axes->fact.content &&
           (inlay_node_window(n, 0) || inlay_node_is(n, INLAY_OP_SCATTER_UPDATE)) &&
           inlay_tensor_count(axes->fact.content) <= INLAY_MAX_RANK && u && u->fact.rank >= 0 &&
           (!i || i->fact.rank >= 0);
}

/* Is N a link that cuts a part out of the layer, along axes that are known? */
static bool is_slice(const inlay_node *n)
{
    const inlay_value *axes = named_axes(n);

    return inlay_node_is(n, INLAY_OP_SLICE) && inlay_node_reads_window(n) && axes &&
           axes->fact.content && inlay_tensor_count(axes->fact.content) <= INLAY_MAX_RANK;
}

/* The number of rows that N replaces by tuples of one number, as a ScatterUpdate along axis 0 does;
 * 0: it does not. */
static int64_t rows_of_tuples(const inlay_node *n)
{
    const inlay_value *t = inlay_node_operand(n, INLAY_ROLE_TUPLES);
    int64_t dims[INLAY_MAX_RANK], rows = 1;

    if (!t || !is_of_opset(n) || !scatter_replaces(n) || t->fact.rank < 1 ||
        !inlay_fact_dims(&t->fact, dims) || dims[t->fact.rank - 1] != 1 ||
        !scattering_can_count(t->fact.type, n->in[0].value->fact.dims[0]))
        return 0;
    for (int i = 0; i < t->fact.rank; i++)
        rows = dims[i] > 0 && rows <= INT32_MAX / dims[i] ? rows * dims[i] : 0;
    return t->fact.rank <= 2 ? rows : 0;
}

/* The position of the new axis in operand I of N, a pointwise node, if it is at AXIS of the output;
 * 0 or less: none, because the operand is broadcast there. */
static int axis_of_operand(const inlay_node *n, int i, int axis)
{
    return axis - (n->out[0].fact.rank - n->in[i].value->fact.rank);
}

/* Is V computed from a layer that lost AXIS? LOOKS counts the visited nodes. */
static bool leads(const scattering *s, const inlay_value *v, int axis, int links, int *looks)
{
    const inlay_node *n = v->node;
    bool found = lost_axis(s, v, axis);

    if (found || links == MOST_LINKS || ++*looks > MOST_LOOKS || v->fact.rank < axis ||
        v->fact.rank == INLAY_MAX_RANK)
        return found;
    if (is_scatter(n) || is_slice(n) || rows_of_tuples(n) > 0)
        return leads(s, n->in[0].value, axis, links + 1, looks);
    for (int i = 0; is_pointwise(n) && i < n->n_in && !found; i++) {
        const inlay_value *x = n->in[i].value;

        if (!x || x->fact.rank < 0)
            return false;
        found = inlay_fact_same_shape(&x->fact, &v->fact) && leads(s, x, axis, links + 1, looks);
    }
    return found;
}

/* Is V computed from a layer that lost an axis of size 1 at AXIS, or that was selected by S->by, so
 * that V can be computed with this axis? */
static bool leads_there(const scattering *s, const inlay_value *v, int axis)
{
    int looks = 0;

    return leads(s, v, axis, 0, &looks);
}

static inlay_value *with_axis(const scattering *s, inlay_value *v, int axis)
{
    int64_t at = axis, one = 1;
    inlay_value *in[2] = {v, scattering_ints(s, "axes", 1, &one, &at)};

    return scattering_build(s, "Unsqueeze", in, 2, NULL);
}

/* Returns the output of a node like N with operands IN; NULL: one of them is NULL, or an error was
 * recorded. */
static inlay_value *like(const scattering *s, const inlay_node *n, inlay_value **in)
{
    inlay_node *copy;

    for (int i = 0; i < n->n_in; i++) {
        if (!in[i])
            return NULL;
    }
    copy = inlay_node_clone(s->g, n, in, s->diags);
    return copy && inlay_infer_node(copy, s->diags) ? &copy->out[0] : NULL;
}

/* Returns V, a scalar index, as a list of one. NULL after recording the error. */
static inlay_value *as_list(const scattering *s, inlay_value *v)
{
    int64_t one = 1, x = v->fact.content ? inlay_tensor_get_i64(v->fact.content, 0) : 0;
    inlay_value *list[2] = {v, scattering_ints(s, "shape", 1, &one, &one)};

    return v->fact.content ? inlay_build_ints(s->g, "list", v->fact.type, 1, &one, &x, s->diags)
                           : scattering_build(s, "Reshape", list, 2, "special_zero=false");
}

/* Returns the value from which removing AXIS made V. */
static inlay_value *before(const scattering *s, inlay_value *v, int axis)
{
    inlay_value *in[3];
    int i = inlay_op_operand(v->node->op, INLAY_ROLE_INDICES);

    if (!takes_layer(s, v, axis))
        return inlay_node_input(v->node, 0);
    for (int k = 0; k < 3; k++)
        in[k] = inlay_node_input(v->node, k);
    in[i] = as_list(s, in[i]);
    return like(s, v->node, in);
}

/* Returns the axes that N, a scatter or a Slice, names, after an axis is inserted in its data at
 * AXIS. */
static inlay_value *axes_of(const scattering *s, const inlay_node *n, int axis)
{
    const inlay_tensor *t = named_axes(n)->fact.content;
    int64_t x[INLAY_MAX_RANK], rank = n->out[0].fact.rank;

    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        x[i] = inlay_tensor_get_i64(t, i);
        x[i] += x[i] < 0 ? rank : 0;
        x[i] += x[i] >= axis;
    }
    return inlay_build_ints(s->g, "axes", t->type, t->rank, t->dims, x, s->diags);
}

/* The position of the new axis in the updates of N, a scatter, if it is at AXIS of the data: the
 * axes of indices replace one axis of the data. */
static int axis_of_updates(const inlay_node *n, int axis)
{
    const inlay_value *i = inlay_node_operand(n, INLAY_ROLE_INDICES);
    int along;

    return i && inlay_node_axis(n, n->out[0].fact.rank, &along) && along < axis
               ? axis - 1 + i->fact.rank
               : axis;
}

static inlay_value *keep_axis(const scattering *s, inlay_value *v, int axis, int links);

/* Returns N, a scatter or a Slice, with the axis in its data. */
static inlay_value *raise_window(const scattering *s, const inlay_node *n, int axis, int links)
{
    int u = is_slice(n) ? -1 : inlay_op_operand(n->op, INLAY_ROLE_UPDATES);
    inlay_value *in[MOST_OPERANDS] = {keep_axis(s, n->in[0].value, axis, links + 1)};

    for (int i = 1; i < n->n_in; i++)
        in[i] = n->in[i].value;
    if (u >= 0)
        in[u] = keep_axis(s, in[u], axis_of_updates(n, axis), links + 1);
    in[find_named_axes(n)] = axes_of(s, n, axis); /* its value may also be the start */
    return like(s, n, in);
}

/* Returns N, which replaces ROWS rows by tuples, with the axis in its data. */
static inlay_value *raise_tuples(const scattering *s, const inlay_node *n, int64_t rows, int axis,
                                 int links)
{
    inlay_value *t = inlay_node_operand(n, INLAY_ROLE_TUPLES), *in[4];
    int64_t along = axis == 0;

    in[0] = keep_axis(s, n->in[0].value, axis, links + 1);
    in[1] = scattering_counted(s, t, rows, n->in[0].value, 0);
    in[2] = with_axis(s, inlay_node_operand(n, INLAY_ROLE_UPDATES),
                      axis == 0 ? 0 : axis + t->fact.rank - 2);
    in[3] = scattering_ints(s, "axis", 0, NULL, &along);
    if (t->fact.rank == 1) /* one row, whose axis the updates do not have */
        in[2] = with_axis(s, in[2], axis == 0);
    return scattering_build(s, "ScatterUpdate", in, 4, NULL);
}

/* Returns N, a pointwise node, with the axis in its operands. */
static inlay_value *raise_pointwise(const scattering *s, const inlay_node *n, int axis, int links)
{
    inlay_value **in = inlay_take(inlay_node_budget(n), (size_t)n->n_in + 1, sizeof(inlay_value *)),
                *v = NULL;

    for (int i = 0; in && i < n->n_in; i++) {
        int at = axis_of_operand(n, i, axis);

        in[i] = n->in[i].value;
        if (at > 0 || in[i]->fact.rank == n->out[0].fact.rank)
            in[i] = keep_axis(s, in[i], at, links + 1);
    }
    if (in)
        v = like(s, n, in);
    else
        inlay_fail_memory(s->diags);
    inlay_give(in);
    return v;
}

/* Other readers of V, a link from which RAISED was made, read RAISED without the axis, so that V is
 * not computed twice. */
static inlay_value *replace_link(const scattering *s, inlay_value *v, inlay_value *raised, int axis)
{
    int64_t at = axis, one = 1;
    inlay_value *in[2] = {raised, NULL}, *lower;

    if (!raised || !v->uses->next)
        return raised;
    in[1] = scattering_ints(s, "axes", 1, &one, &at);
    lower = scattering_build(s, "Squeeze", in, 2, NULL);
    return lower && inlay_replace_by_new(v, lower, s->diags) ? raised : NULL;
}

/* Returns V with one more axis at AXIS. */
static inlay_value *keep_axis(const scattering *s, inlay_value *v, int axis, int links)
{
    const inlay_node *n = v->node;
    inlay_value *raised;
    int64_t rows;
    int looks = 0;

    if (lost_axis(s, v, axis))
        return before(s, v, axis);
    if (!leads(s, v, axis, links, &looks))
        return with_axis(s, v, axis);
    rows = rows_of_tuples(n);
    if (rows > 0)
        raised = raise_tuples(s, n, rows, axis, links);
    else
        raised = (is_scatter(n) || is_slice(n) ? raise_window : raise_pointwise)(s, n, axis, links);
    return replace_link(s, v, raised, axis);
}

inlay_value *raise_updates(const scattering *s, inlay_value *v, int axis)
{
    return keep_axis(s, v, axis, 0);
}

/* Returns the axis of size 1 that V has, and that X, of which V is a reshape, lost as a layer; -1:
 * none. */
static int given_axis(const scattering *s, const inlay_value *v, const inlay_value *x)
{
    for (int axis = 0; x && axis < v->fact.rank; axis++) {
        if (has_axis(v, x, axis) && leads_there(s, x, axis))
            return axis;
    }
    return -1;
}

/* Handles N, whose updates have the axis again that they lost. */
static bool raise_given(const scattering *s, const inlay_node *n, inlay_value *x, int axis)
{
    int u = inlay_op_operand(n->op, INLAY_ROLE_UPDATES);
    inlay_value *in[MOST_OPERANDS], *raised = keep_axis(s, x, axis, 0);

    for (int i = 0; i < n->n_in; i++)
        in[i] = i == u ? raised : n->in[i].value;
    s->out->new = like(s, n, in);
    return s->out->new != NULL;
}

/* Handles N, a ScatterUpdate with a scalar index, which becomes a list of one. */
static bool raise_scalar(const scattering *s, const inlay_node *n, int axis)
{
    inlay_value *in[4] = {s->data, as_list(s, inlay_node_input(n, 1)), keep_axis(s, s->u, axis, 0),
                          inlay_node_input(n, 3)};

    s->out->new = like(s, n, in);
    return s->out->new != NULL;
}

bool fold_scatter_layer(const inlay_node *n, simpler *out, inlay_diags *d)
{
    scattering s = {.g = n->graph,
                    .data = query_scatter_data(n),
                    .u = query_scatter_updates(n),
                    .by = inlay_node_window(n, 0) ? NULL : inlay_node_input(n, 1),
                    .out = out,
                    .diags = d};
    inlay_value *x;
    int axis;

    if (!s.u || s.data->fact.rank < 1 || s.u->fact.rank < 0)
        return true;
    if (s.by && s.by->fact.rank == 0 && is_scatter(n))
        return !inlay_node_axis(n, s.data->fact.rank, &axis) || !leads_there(&s, s.u, axis) ||
               raise_scalar(&s, n, axis);
    x = scattering_shown(s.u, false);
    axis = x ? given_axis(&s, s.u, x) : -1;
    return axis < 0 || raise_given(&s, n, x, axis);
}
