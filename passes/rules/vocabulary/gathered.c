/* Conditions on gathers whose constant indices are one window, and on indices that a Broadcast
 * repeats along other axes. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/query/indices.h"
#include "passes/rules/vocabulary/vocabulary.h"

enum { MAX_INDICES = 1 << 20 }; /* nothing is said of longer lists */

/* The axis of V that X means; X may count from the end. -1: there is no such axis. */
static int axis_at(const inlay_value *v, int64_t x)
{
    x += x < 0 ? v->fact.rank : 0;
    return x >= 0 && x < v->fact.rank ? (int)x : -1;
}

/* Reads the number in a constant of one element. */
static bool number_of(const inlay_value *v, int64_t *x)
{
    const inlay_fact *f = &v->fact;

    if (!f->known || f->n_known != 1 || !inlay_dim_is_static(f->known[0]))
        return false;
    *x = f->known[0].lo;
    return true;
}

static bool gather_window(rule_match *m, const inlay_node *n, const inlay_tensor *t,
                          inlay_window *all)
{
    const inlay_value *data = inlay_node_input(n, 0);
    int64_t count = inlay_tensor_count(t), a, *x = rule_alloc(m, ((size_t)count + 1) * sizeof *x);
    int axis;

    if (!x || !number_of(inlay_node_operand(n, INLAY_ROLE_AXIS), &a) ||
        (axis = axis_at(data, a)) < 0 || !index_list(t, data->fact.dims[axis].lo, true, x) ||
        !index_progression(x, count, &all[axis]))
        return false;
    return inlay_dim_is_static(data->fact.dims[axis]);
}

static bool elements_window(rule_match *m, const inlay_node *n, const inlay_tensor *t,
                            inlay_window *all)
{
    const inlay_value *data = inlay_node_input(n, 0);
    int axis = axis_at(data, inlay_node_int(n, "axis"));
    int64_t *x, count = axis < 0 || axis >= t->rank ? 0 : t->dims[axis];

    x = rule_alloc(m, ((size_t)count + 1) * sizeof *x);
    if (!x || count == 0 || !index_line(t, axis, data->fact.dims[axis].lo, false, x) ||
        !index_progression(x, count, &all[axis]))
        return false;
    for (int i = 0; i < data->fact.rank; i++) {
        if (i != axis && !inlay_dim_proven_equal(data->fact.dims[i], inlay_dim_of(t->dims[i])))
            return false;
    }
    return inlay_dim_is_static(data->fact.dims[axis]);
}

static bool tuples_window(const inlay_node *n, const inlay_tensor *t, inlay_window *all)
{
    const inlay_value *data = inlay_node_input(n, 0);
    int64_t k = t->rank > 0 ? t->dims[t->rank - 1] : 0;

    return k > 0 && k <= data->fact.rank && index_box(t, data->fact.dims, true, all);
}

static bool find_window(rule_match *m, const inlay_node *n, const inlay_tensor *t,
                        inlay_window *all)
{
    switch (n->op->kind) {
    case INLAY_OP_GATHER:
        return gather_window(m, n, t, all);
    case INLAY_OP_GATHER_ELEMENTS:
        return elements_window(m, n, t, all);
    case INLAY_OP_GATHER_ND:
        return tuples_window(n, t, all);
    default:
        return false;
    }
}

rule_answer rule_fn_gathered(rule_call *c)
{
    const inlay_node *n = c->arg[0].value->node;
    const inlay_attr *batch = inlay_node_attr(n, "batch_dims");
    const inlay_value *data = inlay_node_input(n, 0), *indices = inlay_node_input(n, 1);
    const inlay_tensor *t = indices ? indices->fact.content : NULL;
    rule_window *w;

    if (!t || data->fact.rank < 1 || inlay_tensor_count(t) > MAX_INDICES ||
        (batch && batch->as.i != 0) || !(w = rule_new_window(c, data->fact.rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++)
        w->axis[i] = rule_whole(data->fact.dims[i]);
    return find_window(c->match, n, t, w->axis) ? RULE_YES : RULE_DONT_KNOW;
}

/* May an axis of V other than AXIS be empty? Then no repeated element is read. */
static bool may_be_empty_beside(const inlay_value *v, int axis)
{
    bool may = false;

    for (int i = 0; i < v->fact.rank && !may; i++)
        may = i != axis && v->fact.dims[i].lo < 1;
    return may;
}

rule_answer rule_fn_repeated_beside(rule_call *c)
{
    const inlay_value *y = c->arg[0].value, *data = inlay_node_input(y->node, 0);
    int axis = c->arg[1].ints->n == 1 ? axis_at(y, c->arg[1].ints->x[0]) : -1;
    bool along = false;

    if (!inlay_node_is(y->node, INLAY_OP_BROADCAST) || y->fact.rank < 0 || data->fact.rank < 0 ||
        axis < 0 || may_be_empty_beside(y, axis))
        return RULE_DONT_KNOW;
    for (int i = 0; i < data->fact.rank; i++) {
        inlay_dim d = data->fact.dims[i];
        int at = rule_broadcast_axis(y->node, i);

        if (at < 0)
            return RULE_DONT_KNOW;
        if (at == axis && inlay_dim_proven_equal(d, y->fact.dims[axis]))
            along = true;
        else if (!rule_is_one(d))
            return inlay_dim_is_static(d) ? RULE_NO : RULE_DONT_KNOW;
    }
    if (along || rule_is_one(y->fact.dims[axis]))
        return RULE_YES;
    return inlay_dim_is_static(y->fact.dims[axis]) ? RULE_NO : RULE_DONT_KNOW;
}

rule_answer rule_fn_same_beside(rule_call *c)
{
    const inlay_value *a = c->arg[0].value, *b = c->arg[1].value;
    int axis = c->arg[2].ints->n == 1 && b->fact.rank >= 0 ? axis_at(b, c->arg[2].ints->x[0]) : -1;

    if (a->fact.rank < 0 || axis < 0)
        return RULE_DONT_KNOW;
    if (a->fact.rank != b->fact.rank)
        return RULE_NO;
    for (int i = 0; i < a->fact.rank; i++) {
        if (i == axis || inlay_dim_proven_equal(a->fact.dims[i], b->fact.dims[i]))
            continue;
        return inlay_dim_compatible(a->fact.dims[i], b->fact.dims[i]) ? RULE_DONT_KNOW : RULE_NO;
    }
    return RULE_YES;
}
