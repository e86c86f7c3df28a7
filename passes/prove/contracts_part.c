/* Contracts about parts of joined values, and operands that are taken apart (vocabulary/parts.c,
 * join.c, broadcast.c). */
#include "passes/prove/contracts.h"

/* Where part I of the values LIST begins along AXIS. */
static const smt *begin_of(prove_case *c, const prove_name *list, int i, int axis)
{
    const smt *begin = smt_int(&c->pool, 0);

    for (int k = 0; k < i; k++)
        begin = smt_add(&c->pool, begin, list->list[k]->dim[axis]);
    return begin;
}

/* The part I that contains all positions of W on AXIS. All functions that ask get the same part. */
static int part_that_holds(prove_call *call, int *axis)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_name *list = call->arg[0];
    prove_window *w = contract_window(call, 2);
    const smt *k = smt_variable(p), *begin, *size;
    int i = w->part;

    *axis = contract_axis(call, 1, w->rank);
    if (i == 0)
        i = w->part = 1 + prove_choose(c, list->n_list);
    if (!prove_goes_on(c))
        return 0;
    begin = begin_of(c, list, i - 1, *axis);
    size = list->list[i - 1]->dim[*axis];
    prove_for_each(c, w, *axis, k,
                   smt_within(p, begin, prove_at(c, w, *axis, k), smt_add(p, begin, size)));
    return i - 1;
}

static void state_part_of(prove_call *call)
{
    int axis, i = part_that_holds(call, &axis);

    call->out->value = call->arg[0]->list[i];
}

static void state_window_of_part(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_window *from = contract_window(call, 2);
    int axis, part = part_that_holds(call, &axis);
    const prove_value *x = call->arg[0]->list[part];
    prove_window *w;

    if (!prove_goes_on(c))
        return;
    w = contract_give_window(call, from->rank, x->dim);
    for (int i = 0; i < w->rank; i++) {
        const smt *by = i == axis ? begin_of(c, call->arg[0], part, axis) : smt_int(p, 0);

        contract_moved(c, from, i, w, i, smt_sub(p, smt_int(p, 0), by));
    }
}

/* Chooses which of the values W touches, whether in order or in reverse, and where W goes over from
 * one to the next. */
static void choose_touched(prove_call *call, int axis)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_name *list = call->arg[0];
    prove_window *w = contract_window(call, 2);
    int set = 1 + prove_choose(c, (1 << list->n_list) - 1), n = 0;
    bool back = (set & (set - 1)) != 0 && prove_choose(c, 2) == 1;

    for (int i = 0; i < list->n_list; i++) {
        int part = back ? list->n_list - 1 - i : i;

        if (set >> part & 1)
            w->touched[n++] = part;
    }
    w->n_touched = n;
    w->cut[0] = smt_int(p, 0);
    w->cut[n] = w->axis[axis].count;
    for (int i = 1; i < n; i++)
        w->cut[i] = smt_constant(p, "cut", "Int");
    for (int i = 0; i < n; i++)
        prove_assume(c, smt_lt(p, w->cut[i], w->cut[i + 1]));
}

/* False: no graph matches this case. */
static bool find_touched(prove_call *call, int *axis)
{
    *axis = contract_axis(call, 1, contract_window(call, 2)->rank);
    if (prove_goes_on(call->c) && contract_window(call, 2)->n_touched == 0)
        choose_touched(call, *axis);
    return prove_goes_on(call->c);
}

static void state_parts_cut(prove_call *call)
{
    const prove_window *w = contract_window(call, 2);
    int axis;

    call->out->n_list = 0;
    for (int i = 0; find_touched(call, &axis) && i < w->n_touched; i++)
        call->out->list[call->out->n_list++] = call->arg[0]->list[w->touched[i]];
}

/* The window of the I-th value that W touches: W's positions in it. */
static prove_window *window_of_touched(prove_call *call, int axis, int i)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_window *from = contract_window(call, 2);
    int part = from->touched[i];
    const prove_value *x = call->arg[0]->list[part];
    const smt *begin = begin_of(c, call->arg[0], part, axis), *k = smt_variable(p), *here, *there;
    prove_window *w = prove_new_window(c, from->rank, x->dim);

    w->known = true;
    for (int j = 0; j < w->rank; j++) {
        if (j != axis)
            contract_moved(c, from, j, w, j, smt_int(p, 0));
    }
    prove_assume(c, smt_eq(p, w->axis[axis].count, smt_sub(p, from->cut[i + 1], from->cut[i])));
    here = smt_add(p, prove_at(c, w, axis, smt_sub(p, k, from->cut[i])), begin);
    prove_for_each(c, from, axis, k,
                   smt_implies(p, smt_within(p, from->cut[i], k, from->cut[i + 1]),
                               smt_and(p, smt_eq(p, prove_at(c, from, axis, k), here),
                                       smt_within(p, begin, prove_at(c, from, axis, k),
                                                  smt_add(p, begin, x->dim[axis])))));
    there = smt_sub(p, prove_at(c, from, axis, smt_add(p, from->cut[i], k)), begin);
    prove_for_each(c, w, axis, k, smt_eq(p, prove_at(c, w, axis, k), there));
    return w;
}

static void state_windows_of_parts(prove_call *call)
{
    const prove_window *w = contract_window(call, 2);
    int axis;

    call->out->n_list = 0;
    for (int i = 0; find_touched(call, &axis) && i < w->n_touched; i++)
        call->out->windows[call->out->n_list++] = window_of_touched(call, axis, i);
}

static void give_parts(prove_call *call, int from, int to)
{
    call->out->n_list = 0;
    for (int i = from; i < to; i++)
        call->out->list[call->out->n_list++] = call->arg[0]->list[i];
}

static void state_parts_before(prove_call *call)
{
    int axis;

    give_parts(call, 0, part_that_holds(call, &axis));
}

static void state_parts_behind(prove_call *call)
{
    int axis;

    give_parts(call, part_that_holds(call, &axis) + 1, call->arg[0]->n_list);
}

/* Output I of a Split as a window of its data. */
static prove_window *window_of_output(prove_case *c, const prove_node *split, int i)
{
    smt_pool *p = &c->pool;
    const prove_value *x = split->in[0];
    prove_window *w = prove_new_window(c, x->rank, x->dim);
    const smt *begin = smt_int(p, 0);

    w->known = true;
    prove_assume(c, smt_le(p, smt_int(p, 0), split->sizes[i]));
    prove_assume(c, split->valid); /* all sizes are known */
    for (int k = 0; k < x->rank; k++) {
        if (k != split->axis)
            contract_whole(c, w, k);
    }
    for (int k = 0; k < i; k++)
        begin = smt_add(p, begin, split->sizes[k]);
    prove_assume(c, smt_eq(p, w->axis[split->axis].count, split->sizes[i]));
    contract_run(c, w, split->axis, begin);
    return w;
}

static void state_windows_of_outputs(prove_call *call)
{
    const prove_name *ys = call->arg[0];

    call->out->n_list = ys->n_list;
    for (int i = 0; i < ys->n_list; i++)
        call->out->windows[i] = window_of_output(call->c, ys->list[0]->node, i);
}

static void state_output_window(prove_call *call)
{
    const prove_value *y = call->arg[0]->value;

    if (!y->node || y->node->n_out < 2)
        prove_unknown(call->c, "a window of what is no part");
    else
        call->out->window = window_of_output(call->c, y->node, y->out);
}

static void state_joinable(prove_call *call)
{
    prove_case *c = call->c;
    prove_name *xs = call->arg[0];
    int axis = contract_axis(call, 1, prove_rank(c, xs->list[0]));

    for (int i = 1; i < xs->n_list && !c->cut; i++) {
        prove_be_of_rank(c, xs->list[i], xs->list[0]->rank);
        for (int k = 0; k < xs->list[0]->rank && !c->cut; k++) {
            if (k != axis)
                prove_assume(c, smt_eq(&c->pool, xs->list[0]->dim[k], xs->list[i]->dim[k]));
        }
    }
}

static void state_cut_as_joined(prove_call *call)
{
    prove_case *c = call->c;
    prove_name *ys = call->arg[0], *xs = call->arg[1];
    int axis = contract_axis(call, 2, prove_rank(c, xs->list[0]));

    prove_need(c, ys->n_list == xs->n_list);
    for (int i = 0; i < xs->n_list && !c->cut; i++) {
        prove_assume(c, smt_eq(&c->pool, ys->list[i]->dim[axis], xs->list[i]->dim[axis]));
        if (ys->list[i]->node) /* the sizes of such a Split were proven right */
            prove_assume(c, ys->list[i]->node->valid);
    }
}

/* V is empty along the axis, and has the other sizes of KEPT. */
static void state_empty_along(prove_case *c, const prove_value *v, const prove_value *kept,
                              int axis)
{
    smt_pool *p = &c->pool;

    for (int k = 0; k < v->rank; k++)
        prove_assume(c, k == axis ? smt_eq(p, v->dim[k], smt_int(p, 0))
                                  : smt_eq(p, v->dim[k], kept->dim[k]));
}

/* Some values are empty along the axis, and fit the others; the rest is a list that is not empty.
 */
static void state_without_empty(prove_call *call)
{
    prove_case *c = call->c;
    prove_name *xs = call->arg[0], *kept = call->out;
    int axis = contract_axis(call, 1, prove_rank(c, xs->list[0]));
    bool empty[SMT_ARGS];

    kept->n_list = 0;
    for (int i = 0; i < xs->n_list; i++) {
        empty[i] = prove_choose(c, 2) == 1;
        if (!empty[i])
            kept->list[kept->n_list++] = xs->list[i];
    }
    prove_need(c, kept->n_list > 0 && kept->n_list < xs->n_list);
    for (int i = 0; i < xs->n_list && prove_goes_on(c); i++) {
        if (empty[i])
            state_empty_along(c, xs->list[i], kept->list[0], axis);
    }
}

/* The order of the first Transpose among the values, all of which have as many axes as it, except
 * numbers. */
static void state_order_of(prove_call *call)
{
    prove_case *c = call->c;
    const prove_name *xs = call->arg[0];
    int rank = 0, order[PROVE_RANK];

    for (int i = 0; i < xs->n_list; i++) {
        if (prove_rank(c, xs->list[i]) > rank)
            rank = xs->list[i]->rank;
    }
    call->out->value = prove_free_value(c);
    prove_order_of(c, call->out->value, rank, order);
}

/* Makes V, an input of the rule, the Transpose of a new value by ORDER, and returns that. */
static prove_value *untransposed(prove_case *c, prove_value *v, const int *order)
{
    prove_value *from = prove_free_value(c);
    prove_node *n = prove_alloc(c, sizeof *n);

    from->rank = v->rank;
    from->element = v->element;
    *n = (prove_node){.row = prove_row_of("Transpose"), .n_in = 1, .in = {from}};
    n->valid = smt_bool(true);
    for (int i = 0; i < v->rank; i++) {
        n->order[i] = order[i];
        from->dim[order[i]] = v->dim[i];
    }
    v->node = n;
    return from;
}

static void state_untranspose(prove_call *call, bool numbers)
{
    prove_case *c = call->c;
    const prove_name *xs = call->arg[0], *given = contract_given(c, "order_of");
    prove_value *by = given ? given->value : NULL;
    int order[PROVE_RANK];

    if (!by)
        prove_unknown(c, "an order that is given elsewhere");
    if (!prove_goes_on(c))
        return;
    prove_order_of(c, by, by->n_ints, order);
    call->out->n_list = xs->n_list;
    for (int i = 0; i < xs->n_list && prove_goes_on(c); i++) {
        prove_value *v = xs->list[i];

        call->out->list[i] = v;
        if (numbers && prove_choose(c, 2) == 1) {
            for (int k = 0; k < v->rank; k++)
                prove_assume(c, smt_eq(&c->pool, v->dim[k], smt_int(&c->pool, 1)));
            continue;
        }
        prove_need(c, v->rank == by->n_ints && !v->node);
        if (!c->cut)
            call->out->list[i] = untransposed(c, v, order);
    }
}

static void state_untransposed(prove_call *call)
{
    state_untranspose(call, false);
}

static void state_untransposed_operands(prove_call *call)
{
    state_untranspose(call, true);
}

/* Axis I of V, if V is aligned with RANK axes; NULL: V does not have it. */
static const smt *aligned(const prove_value *v, int rank, int i)
{
    int at = i - (rank - v->rank);

    return at < 0 ? NULL : v->dim[at];
}

/* On axis I of RANK, some value of LIST other than number K has SIZE elements. */
static const smt *others_have(prove_case *c, const prove_name *list, int k, int rank, int i,
                              const smt *size)
{
    const smt *any = smt_bool(false);

    for (int j = 0; j < list->n_list; j++) {
        const smt *other = j == k ? NULL : aligned(list->list[j], rank, i);

        if (other)
            any = smt_or(&c->pool, any, smt_eq(&c->pool, other, size));
    }
    return any;
}

/* Makes V, number K of LIST, the Broadcast of a new value, which replaces it in the list. On each
 * axis it either repeats nothing, or another value has the size that it repeats to; a size that may
 * be 1 hides nothing. */
static void make_broadcast(prove_case *c, prove_name *list, int k)
{
    smt_pool *p = &c->pool;
    prove_value *v = list->list[k], *from = prove_free_value(c);
    prove_node *n = prove_alloc(c, sizeof *n);
    const smt *one = smt_int(p, 1);

    prove_be_of_rank(c, from, prove_choose(c, v->rank + 1));
    *n = (prove_node){.row = prove_row_of("Broadcast"), .n_in = 1, .in = {from}};
    n->valid = smt_bool(true);
    for (int i = 0; i < v->rank && !c->cut; i++) {
        const smt *a = aligned(from, v->rank, i), *size = v->dim[i];
        const smt *kept = smt_eq(p, a ? a : one, size), *needless;

        needless = smt_or(p, kept, others_have(c, list, k, v->rank, i, size));
        if (a) {
            n->order[i - (v->rank - from->rank)] = i;
            prove_must(c, n, smt_or(p, kept, smt_eq(p, a, one)));
            needless = smt_and(
                p, needless,
                smt_or(p, kept, smt_or(p, smt_eq(p, a, one), smt_le(p, smt_int(p, 2), size))));
        }
        prove_assume(c, needless);
    }
    c->left_valid = smt_and(p, c->left_valid, n->valid);
    v->node = n;
    list->list[k] = from;
}

/* Each operand may have been one of the Broadcasts that the rule leaves out; at least one was. */
static void state_unbroadcast(prove_call *call)
{
    prove_case *c = call->c;
    const prove_name *xs = call->arg[0];
    int n = xs->n_list, set = 1 + prove_choose(c, (1 << n) - 1);

    c->ranks_known = true;
    call->out->n_list = n;
    for (int i = 0; i < n; i++) {
        call->out->list[i] = xs->list[i];
        prove_need(c, !xs->list[i]->node && xs->list[i]->n_ints < 0);
    }
    for (int i = 0; i < n && !c->cut; i++) {
        if (set >> i & 1)
            make_broadcast(c, call->out, i);
    }
}

static void state_copied(prove_call *call)
{
    prove_case *c = call->c;
    prove_name *xs = call->arg[0];

    prove_need(c, xs->n_list > 1);
    for (int i = 1; i < xs->n_list && !c->cut; i++) {
        xs->list[i]->element = xs->list[0]->element;
        prove_assume(c, prove_same_sizes(c, xs->list[0], xs->list[i]));
    }
    call->out->value = xs->list[0];
}

static void state_repeats(prove_call *call)
{
    prove_case *c = call->c;
    const prove_name *xs = call->arg[0];
    int rank = prove_rank(c, xs->list[0]), axis = contract_axis(call, 1, rank);
    const smt *ints[PROVE_RANK];

    for (int i = 0; i < rank && !c->cut; i++)
        ints[i] = smt_int(&c->pool, i == axis ? xs->n_list : 1);
    if (!c->cut)
        contract_give_ints(call, rank, ints);
}

/* All values are Slices of one new value. */
static void state_sliced(prove_call *call)
{
    prove_case *c = call->c;
    prove_name *xs = call->arg[0];
    prove_value *d = call->out->value = prove_free_value(c);

    prove_be_of_rank(c, d, prove_rank(c, xs->list[0]));
    for (int i = 0; i < xs->n_list && !c->cut; i++) {
        prove_value *v = xs->list[i];
        prove_node *n = prove_alloc(c, sizeof *n);

        prove_need(c, v->rank == d->rank && !v->node && v->n_ints < 0);
        if (c->cut)
            return;
        *n = (prove_node){.row = prove_row_of("Slice"), .n_in = 1, .in = {d}};
        n->valid = smt_bool(true);
        n->window = prove_new_window(c, d->rank, d->dim);
        n->window->known = true;
        for (int k = 0; k < d->rank; k++)
            prove_assume(c, smt_eq(&c->pool, v->dim[k], n->window->axis[k].count));
        v->node = n;
    }
}

/* Position K along AXIS of the windows of VALUES from number I on, one after the other. */
static const smt *joined_at(prove_case *c, const prove_name *values, int i, int axis, const smt *k)
{
    smt_pool *p = &c->pool;
    const prove_window *w = values->list[i]->node->window;
    const smt *n = w->axis[axis].count, *here = prove_at(c, w, axis, k);

    if (i + 1 == values->n_list)
        return here;
    return smt_ite(p, smt_lt(p, k, n), here, joined_at(c, values, i + 1, axis, smt_sub(p, k, n)));
}

/* The window, along the axis, of the value that was sliced: all of their positions together. */
static void state_joined(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    prove_name *xs = call->arg[0];
    const prove_value *d = xs->list[0]->node ? xs->list[0]->node->in[0] : NULL;
    int axis = d ? contract_axis(call, 1, d->rank) : 0;
    const smt *k = smt_variable(p), *begin = smt_int(p, 0);
    prove_window *w;

    if (!d || !prove_goes_on(c))
        return;
    w = contract_give_window(call, d->rank, d->dim);
    for (int i = 0; i < xs->n_list; i++) {
        const prove_window *part = xs->list[i]->node->window;
        const smt *there = prove_at(c, w, axis, smt_add(p, begin, k));

        prove_for_each(c, part, axis, k, smt_eq(p, prove_at(c, part, axis, k), there));
        begin = smt_add(p, begin, part->axis[axis].count);
        for (int j = 0; j < d->rank; j++) {
            if (j != axis)
                contract_moved(c, part, j, w, j, smt_int(p, 0));
        }
    }
    prove_assume(c, smt_eq(p, w->axis[axis].count, begin));
    prove_for_each(c, w, axis, k, smt_eq(p, prove_at(c, w, axis, k), joined_at(c, xs, 0, axis, k)));
}

/* Makes V, an input of the rule, the Concat of two new values along AXIS, which are added to LIST.
 */
static void make_joined(prove_case *c, prove_value *v, int axis, prove_name *list)
{
    smt_pool *p = &c->pool;
    prove_node *n = prove_alloc(c, sizeof *n);
    const smt *sum = smt_int(p, 0);

    *n = (prove_node){.row = prove_row_of("Concat"), .n_in = 2, .axis = axis};
    n->valid = smt_bool(true);
    for (int i = 0; i < 2 && !c->cut; i++) {
        prove_value *part = prove_free_value(c);

        prove_be_of_rank(c, part, v->rank);
        for (int k = 0; k < v->rank; k++) {
            if (k != axis)
                part->dim[k] = v->dim[k];
        }
        sum = smt_add(p, sum, part->dim[axis]);
        n->in[i] = list->list[list->n_list++] = part;
    }
    prove_assume(c, smt_eq(p, v->dim[axis], sum));
    v->node = n;
}

/* Some of the operands are Concats along the same axis, of two values each; what holds for two
 * holds for more, by repeating it. */
static void state_flattened(prove_call *call)
{
    prove_case *c = call->c;
    prove_node *y = contract_node(call, 0);
    bool any = false;

    call->out->n_list = 0;
    for (int i = 0; i < y->n_in && !c->cut; i++) {
        bool joined = prove_choose(c, 2) == 1;

        any = any || joined;
        prove_need(c, !joined || (!y->in[i]->node && y->in[i]->n_ints < 0));
        if (joined && !c->cut)
            make_joined(c, y->in[i], y->axis, call->out);
        else if (!c->cut)
            call->out->list[call->out->n_list++] = y->in[i];
    }
    prove_need(c, any);
}

const prove_contract prove_part_contracts[] = {
    {"part_of", state_part_of, NULL},
    {"window_of_part", state_window_of_part, NULL},
    {"parts_before", state_parts_before, NULL},
    {"parts_behind", state_parts_behind, NULL},
    {"parts_cut", state_parts_cut, NULL},
    {"windows_of_parts", state_windows_of_parts, NULL},
    {"sliced", state_sliced, NULL},
    {"joined", state_joined, NULL},
    {"windows_of_outputs", state_windows_of_outputs, NULL},
    {"output_window", state_output_window, NULL},
    {"joinable", state_joinable, NULL},
    {"cut_as_joined", state_cut_as_joined, NULL},
    {"without_empty", state_without_empty, NULL},
    {"flattened", state_flattened, NULL},
    {"uncut", NULL, "of no consequence"},
    {"copies_no_more", NULL, "of no consequence"},
    {"copied", state_copied, NULL},
    {"repeats", state_repeats, NULL},
    {"two_transposes", NULL, "of no consequence"},
    {"order_of", state_order_of, NULL},
    {"untransposed", state_untransposed, NULL},
    {"untransposed_operands", state_untransposed_operands, NULL},
    {"unbroadcast", state_unbroadcast, NULL},
    {NULL, NULL, NULL},
};
