/* Contracts about windows that are compared with or computed from windows (vocabulary/window.c,
 * writes.c), as statements about positions. arithmetic.c proves that the numbers which the
 * vocabulary computes fulfil them. */
#include "passes/prove/contracts.h"

static void state_disjoint(prove_call *call)
{
    prove_case *c = call->c;
    const prove_window *a = contract_window(call, 0), *b = contract_window(call, 1);
    int i = prove_choose(c, a->rank); /* on some axis they have no position in common */
    const smt *k = smt_variable(&c->pool);

    if (c->cut)
        return;
    prove_for_each(c, a, i, k, smt_not(&c->pool, prove_has(c, b, i, prove_at(c, a, i, k))));
    prove_for_each(c, b, i, k, smt_not(&c->pool, prove_has(c, a, i, prove_at(c, b, i, k))));
}

/* On each axis; or the window takes nothing. */
static void state_inside(prove_call *call)
{
    prove_case *c = call->c;
    const prove_window *a = contract_window(call, 0), *b = contract_window(call, 1);
    bool empty = prove_choose(c, 2) == 1;

    if (empty)
        prove_assume(c, prove_is_empty(c, a));
    for (int i = 0; i < a->rank && !empty; i++) {
        const smt *k = smt_variable(&c->pool);

        prove_for_each(c, a, i, k, prove_has(c, b, i, prove_at(c, a, i, k)));
    }
}

/* A SliceScatter whose window takes everything is known to be valid, or the updates have the shape
 * of the data. */
static void updates_fit(prove_case *c, const prove_window *w)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        if (c->left[i] && c->left[i]->window == w)
            prove_assume(c, c->left[i]->valid);
    }
}

static void state_full(prove_call *call)
{
    const prove_window *w = contract_window(call, 0);

    for (int i = 0; i < w->rank; i++)
        contract_whole(call->c, w, i);
    prove_assume(call->c, w->proper);
    updates_fit(call->c, w);
}

static void state_proper(prove_call *call)
{
    prove_assume(call->c, contract_window(call, 0)->proper);
}

/* Some axes are taken backwards. */
static void state_covers(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_window *w = contract_window(call, 0);

    for (int i = 0; i < w->rank; i++) {
        const smt *back = smt_constant(p, "backward", "Bool"), *k = smt_variable(p);
        const smt *last = smt_sub(p, w->axis[i].size, smt_int(p, 1));
        const smt *is = smt_ite(p, back, smt_sub(p, last, k), k);

        prove_assume(c, smt_eq(p, w->axis[i].count, w->axis[i].size));
        prove_for_each(c, w, i, k, smt_eq(p, prove_at(c, w, i, k), is));
        prove_for_each(c, w, i, k, smt_eq(p, prove_at(c, w, i, prove_at(c, w, i, k)), k));
    }
}

static void state_empty(prove_call *call)
{
    prove_assume(call->c, prove_is_empty(call->c, contract_window(call, 0)));
}

/* On the first axis on which the windows begin at different positions, the first one begins at the
 * lower one. A window that takes nothing has no first position. */
static void state_before(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_window *a = contract_window(call, 0), *b = contract_window(call, 1);
    const smt *before = smt_bool(false);

    for (int i = a->rank - 1; i >= 0; i--) {
        const smt *of_a = prove_at(c, a, i, smt_int(p, 0)),
                  *of_b = prove_at(c, b, i, smt_int(p, 0));

        before = smt_or(p, smt_lt(p, of_a, of_b), smt_and(p, smt_eq(p, of_a, of_b), before));
    }
    before = smt_or(p, before, smt_or(p, prove_is_empty(c, a), prove_is_empty(c, b)));
    prove_assume(c, before);
}

/* INNER's positions are those of OUTER at the positions of PART, axis by axis. */
static void state_parts(prove_case *c, const prove_window *outer, const prove_window *part,
                        const prove_window *inner)
{
    smt_pool *p = &c->pool;

    for (int i = 0; i < outer->rank; i++) {
        const smt *k = smt_variable(p);
        const smt *same =
            smt_eq(p, prove_at(c, outer, i, prove_at(c, part, i, k)), prove_at(c, inner, i, k));

        prove_assume(c, smt_eq(p, part->axis[i].count, inner->axis[i].count));
        prove_for_each(c, part, i, k, same);
        prove_for_each(c, inner, i, k, same);
    }
}

static void counts_of(const prove_window *w, const smt **out)
{
    for (int i = 0; i < w->rank; i++)
        out[i] = w->axis[i].count;
}

static void state_relative(prove_call *call)
{
    const prove_window *inner = contract_window(call, 0), *outer = contract_window(call, 1);
    const smt *sizes[PROVE_RANK];

    counts_of(outer, sizes);
    state_parts(call->c, outer, contract_give_window(call, outer->rank, sizes), inner);
}

/* The inner window selects from what the outer one selects. */
static void state_compose(prove_call *call)
{
    const prove_window *outer = contract_window(call, 0), *inner = contract_window(call, 1);
    const smt *sizes[PROVE_RANK];

    for (int i = 0; i < outer->rank; i++)
        sizes[i] = outer->axis[i].size;
    state_parts(call->c, outer, inner, contract_give_window(call, outer->rank, sizes));
}

/* Position K of axis I of W, counted from the end if BACK holds. */
static const smt *turned(prove_case *c, const prove_window *w, int i, const smt *back, const smt *k)
{
    smt_pool *p = &c->pool;
    const smt *last = smt_sub(p, w->axis[i].count, smt_int(p, 1));

    return smt_ite(p, back, smt_sub(p, last, k), k);
}

/* Which axes of W are reversed; both functions ask, and get the same answer. */
static const smt *goes_back(prove_case *c, prove_window *w, int i)
{
    if (!w->back[i])
        w->back[i] = smt_constant(&c->pool, "backward", "Bool");
    return w->back[i];
}

static void state_mirrored(prove_call *call)
{
    prove_case *c = call->c;
    prove_window *from = contract_window(call, 0), *w;
    const smt *sizes[PROVE_RANK];

    counts_of(from, sizes);
    w = contract_give_window(call, from->rank, sizes);
    for (int i = 0; i < w->rank; i++) {
        const smt *k = smt_variable(&c->pool);

        prove_assume(c, smt_eq(&c->pool, w->axis[i].count, w->axis[i].size));
        prove_for_each(
            c, w, i, k,
            smt_eq(&c->pool, prove_at(c, w, i, k), turned(c, from, i, goes_back(c, from, i), k)));
    }
}

static void state_forward(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    prove_window *from = contract_window(call, 0), *w;
    const smt *sizes[PROVE_RANK];

    for (int i = 0; i < from->rank; i++)
        sizes[i] = from->axis[i].size;
    w = contract_give_window(call, from->rank, sizes);
    for (int i = 0; i < w->rank; i++) {
        const smt *k = smt_variable(p);
        const smt *other = turned(c, from, i, goes_back(c, from, i), k);
        const smt *same = smt_eq(p, prove_at(c, w, i, k), prove_at(c, from, i, other));
        const smt *inverse = smt_eq(p, prove_at(c, from, i, k), prove_at(c, w, i, other));

        prove_assume(c, smt_eq(p, w->axis[i].count, from->axis[i].count));
        prove_for_each(c, w, i, k, same);
        prove_for_each(c, from, i, k, inverse);
    }
}

/* What lies before or after the updates of a window without gaps; no count is 0. */
static void state_room(prove_call *call, bool behind)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_window *w = contract_window(call, 0);
    const smt *ints[PROVE_RANK];

    for (int i = 0; i < w->rank; i++) {
        const smt *first = prove_at(c, w, i, smt_int(p, 0));

        contract_run(c, w, i, first);
        prove_assume(c, smt_lt(p, smt_int(p, 0), w->axis[i].count));
        ints[i] = behind ? smt_sub(p, smt_sub(p, w->axis[i].size, first), w->axis[i].count) : first;
    }
    contract_give_ints(call, w->rank, ints);
}

static void state_room_before(prove_call *call)
{
    state_room(call, false);
}

static void state_room_behind(prove_call *call)
{
    state_room(call, true);
}

static void state_corner(prove_call *call)
{
    prove_case *c = call->c;
    prove_value *of = call->arg[0]->value, *like = call->arg[1]->value;
    prove_window *w;

    prove_need(c, prove_rank(c, of) == prove_rank(c, like));
    if (c->cut)
        return;
    w = contract_give_window(call, of->rank, of->dim);
    for (int i = 0; i < w->rank; i++) {
        prove_assume(c, smt_eq(&c->pool, w->axis[i].count, like->dim[i]));
        contract_run(c, w, i, smt_int(&c->pool, 0));
    }
}

/* All numbers of the first value are the same number, at which the window begins; it lies inside.
 */
static void state_placed(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    prove_value *places = call->arg[0]->value, *u = call->arg[1]->value, *x = call->arg[2]->value;
    const smt *first = smt_constant(p, "place", "Int"), *k = smt_variable(p), *number;
    int axis = contract_axis(call, 3, prove_rank(c, x));
    prove_window *w;

    prove_need(c, prove_rank(c, u) == x->rank && prove_rank(c, places) == 1);
    if (!prove_goes_on(c))
        return;
    number = prove_integer(c, prove_element(c, places, &k));
    prove_assume(c, smt_all(p, k,
                            smt_implies(p, smt_within(p, smt_int(p, 0), k, places->dim[0]),
                                        smt_eq(p, number, first)),
                            prove_element(c, places, &k)));
    w = contract_give_window(call, x->rank, x->dim);
    for (int i = 0; i < x->rank; i++) {
        if (i != axis)
            contract_whole(c, w, i);
    }
    prove_assume(c, smt_eq(p, w->axis[axis].count, u->dim[axis]));
    prove_assume(c, smt_le(p, smt_int(p, 0), first));
    prove_assume(c, smt_le(p, smt_add(p, first, u->dim[axis]), x->dim[axis]));
    contract_run(c, w, axis, first);
    /* All sizes and numbers are known, so the shape rule has refused anything invalid. */
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        if (c->left[i] && c->left[i]->in[0] == x)
            prove_assume(c, c->left[i]->valid);
    }
}

/* ---- writes ---- */

/* One write outside of the window; what holds for one holds for several, one after another. */
static void state_before_writes(prove_call *call)
{
    prove_case *c = call->c;
    prove_node *write = contract_node(call, 0);
    prove_window *read = contract_window(call, 1);
    prove_name written = {.window = write ? write->window : NULL}, reading = {.window = read};
    prove_call disjoint = {.c = c, .arg = {&reading, &written}};

    if (!write || !write->window) {
        prove_unknown(c, "a value that is no write");
        return;
    }
    write->window->known = true;
    prove_assume(c, write->valid);
    state_disjoint(&disjoint);
    call->out->value = write->in[0];
}

/* Another node of the graph writes the updates into the window of the data. It is an error wherever
 * they do not fit. */
static void state_written(prove_call *call)
{
    prove_case *c = call->c;
    prove_value *d = call->arg[0]->value, *u = call->arg[1]->value;
    prove_window *w = contract_window(call, 2);
    prove_node *n = prove_alloc(c, sizeof *n);

    prove_need(c, prove_rank(c, d) == w->rank);
    if (c->cut)
        return;
    *n = (prove_node){.row = prove_row_of("SliceScatter"), .n_in = 2, .in = {d, u}, .n_out = 1};
    n->out[0] = (prove_value){.node = n, .rank = -1, .n_ints = -1};
    n->valid = n->right_axes = smt_bool(true);
    n->window = w;
    n->row->shape(c, n);
    c->right_valid = smt_and(&c->pool, c->right_valid, n->valid);
    call->out->value = &n->out[0];
}

/* The window takes all of every axis but one, of which it takes a run that is not empty. */
static void state_cut_axis(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_window *w = contract_window(call, 0);
    int axis = prove_choose(c, w->rank);

    for (int i = 0; i < w->rank && !c->cut; i++) {
        if (i == axis)
            contract_run(c, w, i, prove_at(c, w, i, smt_int(p, 0)));
        else
            contract_whole(c, w, i);
    }
    if (c->cut)
        return;
    prove_assume(c, smt_lt(p, smt_int(p, 0), w->axis[axis].count));
    call->out->attr = smt_int(p, axis);
    contract_give_ints(call, -1, &call->out->attr);
}

/* The axis that FUNCTION has returned of a window of CALL; if it was not asked yet, any axis. */
static int axis_by(const prove_call *call, rule_answer (*function)(rule_call *c))
{
    const rule *r = call->c->rule;

    for (int i = 0; i < r->n_clauses; i++) {
        const rule_clause *clause = &r->clauses[i];
        const smt *axis = clause->fn->call == function ? call->c->names[clause->target].attr : NULL;
        const prove_name *of = axis ? &call->c->names[prove_name_at(clause, 0)] : NULL;

        if (of && (of == call->arg[0] || of == call->arg[1]))
            return (int)axis->n;
    }
    return prove_choose(call->c, call->arg[0]->window->rank);
}

/* What lies before or after the run. It may be empty: then there is no window. */
static void state_beside_cut(prove_call *call, bool behind)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_window *w = contract_window(call, 0);
    int axis = axis_by(call, rule_fn_cut_axis);
    bool any = prove_choose(c, 2) == 0;
    const smt *sizes[PROVE_RANK], *first, *end, *count;
    prove_window *part;

    if (c->cut)
        return;
    first = prove_at(c, w, axis, smt_int(p, 0));
    end = smt_add(p, first, w->axis[axis].count);
    count = behind ? smt_sub(p, w->axis[axis].size, end) : first;
    prove_assume(c, any ? smt_lt(p, smt_int(p, 0), count) : smt_eq(p, count, smt_int(p, 0)));
    call->out->n_list = any;
    if (!any)
        return;
    for (int i = 0; i < w->rank; i++)
        sizes[i] = w->axis[i].size;
    part = call->out->windows[0] = prove_new_window(c, w->rank, sizes);
    part->known = true;
    for (int i = 0; i < w->rank; i++) {
        if (i != axis)
            contract_whole(c, part, i);
    }
    prove_assume(c, smt_eq(p, part->axis[axis].count, count));
    contract_run(c, part, axis, behind ? end : smt_int(p, 0));
}

static void state_ahead_of_cut(prove_call *call)
{
    state_beside_cut(call, false);
}

static void state_behind_cut(prove_call *call)
{
    state_beside_cut(call, true);
}

static void state_cut_lengths(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_window *w = contract_window(call, 0);
    int axis = axis_by(call, rule_fn_cut_axis);
    const smt *ints[3];

    if (c->cut)
        return;
    ints[0] = prove_at(c, w, axis, smt_int(p, 0));
    ints[1] = w->axis[axis].count;
    ints[2] = smt_sub(p, smt_sub(p, w->axis[axis].size, ints[0]), ints[1]);
    contract_give_ints(call, 3, ints);
}

/* The windows differ on AXIS, and are the same on all others. */
static void state_axis_apart(prove_call *call)
{
    prove_case *c = call->c;
    const prove_window *a = contract_window(call, 0), *b = contract_window(call, 1);
    int axis = prove_choose(c, a->rank);

    for (int i = 0; i < a->rank && !c->cut; i++) {
        if (i != axis)
            contract_moved(c, a, i, b, i, smt_int(&c->pool, 0));
    }
    call->out->attr = smt_int(&c->pool, axis);
    contract_give_ints(call, -1, &call->out->attr);
}

static void state_continued_axis(prove_case *c, const prove_window *a, const prove_window *b,
                                 const prove_window *both, int i)
{
    smt_pool *p = &c->pool;
    const smt *k = smt_variable(p), *n = a->axis[i].count, *at = prove_at(c, both, i, k);
    const smt *behind = prove_at(c, b, i, smt_sub(p, k, n));

    prove_assume(c, smt_eq(p, both->axis[i].count, smt_add(p, n, b->axis[i].count)));
    prove_for_each(c, both, i, k,
                   smt_eq(p, at, smt_ite(p, smt_lt(p, k, n), prove_at(c, a, i, k), behind)));
    prove_for_each(c, a, i, k, smt_eq(p, prove_at(c, a, i, k), at));
    prove_for_each(c, b, i, k,
                   smt_eq(p, prove_at(c, b, i, k), prove_at(c, both, i, smt_add(p, n, k))));
}

/* Along the axis on which A and B are apart, the window has first the positions of A, then those of
 * B. */
static void state_continued(prove_call *call)
{
    prove_case *c = call->c;
    const prove_window *a = contract_window(call, 0), *b = contract_window(call, 1);
    const smt *sizes[PROVE_RANK];
    int axis = axis_by(call, rule_fn_axis_apart);
    prove_window *both;

    for (int i = 0; i < a->rank; i++)
        sizes[i] = a->axis[i].size;
    both = contract_give_window(call, a->rank, sizes);
    for (int i = 0; i < a->rank; i++) {
        if (i == axis)
            state_continued_axis(c, a, b, both, i);
        else
            contract_moved(c, a, i, both, i, smt_int(&c->pool, 0));
    }
}

const prove_contract prove_window_contracts[] = {
    {"disjoint", state_disjoint, NULL},
    {"inside", state_inside, NULL},
    {"proper", state_proper, NULL},
    {"full", state_full, NULL},
    {"covers", state_covers, NULL},
    {"empty", state_empty, NULL},
    {"backward", NULL, "of no consequence"},
    {"before", state_before, NULL},
    {"relative", state_relative, NULL},
    {"compose", state_compose, NULL},
    {"forward", state_forward, NULL},
    {"mirrored", state_mirrored, NULL},
    {"room_before", state_room_before, NULL},
    {"room_behind", state_room_behind, NULL},
    {"corner", state_corner, NULL},
    {"placed", state_placed, NULL},
    {"before_writes", state_before_writes, NULL},
    {"written", state_written, NULL},
    {"cut_axis", state_cut_axis, NULL},
    {"ahead_of_cut", state_ahead_of_cut, NULL},
    {"behind_cut", state_behind_cut, NULL},
    {"cut_lengths", state_cut_lengths, NULL},
    {"axis_apart", state_axis_apart, NULL},
    {"continued", state_continued, NULL},
    {NULL, NULL, NULL},
};
