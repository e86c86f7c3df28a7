/* Contracts about constant indices (vocabulary/indices.c, gathered.c). */
#include "passes/prove/contracts.h"

#include <string.h>

static void state_in_range(prove_call *call)
{
    prove_case *c = call->c;
    prove_value *i = call->arg[0]->value, *d = call->arg[1]->value;
    int axis = contract_axis(call, 2, prove_rank(c, d));

    prove_rank(c, i);
    if (prove_goes_on(c))
        prove_assume(c, prove_indices_in_range(c, i, d->dim[axis]));
}

/* The next use of V as indices; *AT begins with 0. */
static const prove_places *next_use(const prove_case *c, const prove_value *v, int *at)
{
    while (*at < c->windows.n_places && c->windows.places[*at].indices != v)
        ++*at;
    return *at < c->windows.n_places ? &c->windows.places[(*at)++] : NULL;
}

/* The update at AT is the last one of its place. */
static const smt *is_last(prove_case *c, const prove_places *h, const smt *const *at, void *ctx)
{
    smt_pool *p = &c->pool;
    const smt *place[PROVE_RANK], *last[PROVE_RANK + 1], *same = smt_bool(true);
    int n = h->indices->rank - (h->kind == PROVE_TUPLES);

    (void)ctx;
    prove_place_of(c, h, at, place);
    prove_last_at(c, h, place, last);
    for (int i = 0; i < n; i++)
        same = smt_and(p, same, smt_eq(p, last[i], at[i]));
    return same;
}

/* No place has more than one update. */
static void state_once(prove_case *c, const prove_value *indices)
{
    const prove_places *h;

    for (int at = 0; prove_goes_on(c) && (h = next_use(c, indices, &at));)
        prove_assume(c, prove_of_each_update(c, h, is_last, NULL));
}

static void state_distinct(prove_call *call)
{
    state_in_range(call);
    state_once(call->c, call->arg[0]->value);
}

/* All sizes along the axis are known, so the shape rule has refused indices longer than the data.
 */
static void state_distinct_elements(prove_call *call)
{
    prove_case *c = call->c;
    const prove_value *i = call->arg[0]->value, *d = call->arg[1]->value;
    int axis;

    state_distinct(call);
    call->arg[0]->value->fixed = true; /* constant indices */
    axis = contract_axis(call, 2, d->rank);
    prove_need(c, i->rank == d->rank);
    if (prove_goes_on(c))
        prove_assume(c, smt_le(&c->pool, i->dim[axis], d->dim[axis]));
}

/* Nothing is known of empty tuples. */
static void state_tuples_inside(prove_case *c, const prove_value *indices)
{
    const prove_places *h;

    prove_need(c, indices->components != 1);
    for (int at = 0; prove_goes_on(c) && (h = next_use(c, indices, &at));)
        prove_assume(c, prove_points_inside(c, h, false));
}

static void state_tuples_in_range(prove_call *call)
{
    state_tuples_inside(call->c, call->arg[0]->value);
}

static void state_distinct_tuples(prove_call *call)
{
    state_tuples_in_range(call);
    state_once(call->c, call->arg[0]->value);
}

/* The place of the update is none of the places of CTX. */
static const smt *is_apart(prove_case *c, const prove_places *h, const smt *const *at, void *ctx)
{
    const prove_places *other = ctx;
    const smt *place[PROVE_RANK];

    prove_place_of(c, h, at, place);
    return smt_not(&c->pool, smt_apply(&c->pool, other->hit, other->n, place));
}

/* J, used like the indices of H, names no place that H names. */
static void state_nowhere(prove_case *c, const prove_places *h, prove_value *j)
{
    const prove_places *of_j;
    prove_places asked = *h;

    of_j = prove_places_of(c, j, asked);
    if (prove_goes_on(c))
        prove_assume(c, prove_of_each_update(c, of_j, is_apart, (void *)(uintptr_t)h));
}

static void state_all_apart(prove_call *call)
{
    prove_case *c = call->c;
    const prove_places *h;

    for (int at = 0; prove_goes_on(c) && (h = next_use(c, call->arg[0]->value, &at));)
        state_nowhere(c, h, call->arg[1]->value);
}

/* No index of the second list is one that the first writes; both are in range. */
static void state_apart(prove_call *call)
{
    prove_case *c = call->c;
    prove_call of_first = {.c = c, .arg = {call->arg[0], call->arg[2], call->arg[3]}};
    prove_call of_second = {.c = c, .arg = {call->arg[1], call->arg[2], call->arg[3]}};

    state_in_range(&of_first);
    state_in_range(&of_second);
    state_all_apart(call);
    call->arg[0]->value->fixed = call->arg[1]->value->fixed = true; /* constant indices */
}

static void state_tuples_apart(prove_call *call)
{
    prove_need(call->c, call->arg[0]->value->components == call->arg[1]->value->components);
    state_all_apart(call);
    state_tuples_inside(call->c, call->arg[0]->value);
    state_tuples_inside(call->c, call->arg[1]->value);
}

/* The scatter's updates have the sizes that they must have. Otherwise it can only fail because of
 * an index, which the condition before has checked, or which the right side checks as well. */
static void state_fits(prove_call *call)
{
    const prove_node *n = contract_node(call, 0);

    prove_need(call->c, !n->fits || n->fits->op != SMT_FALSE);
    if (n->fits)
        prove_assume(call->c, n->fits);
}

/* The sizes are the same on each axis but that of the third argument. */
static void state_same_beside(prove_call *call)
{
    prove_case *c = call->c;
    prove_value *a = call->arg[0]->value, *b = call->arg[1]->value;
    int axis = contract_axis(call, 2, prove_rank(c, b));

    prove_need(c, prove_rank(c, a) == prove_rank(c, b));
    for (int i = 0; i < a->rank && prove_goes_on(c); i++) {
        if (i != axis)
            prove_assume(c, smt_eq(&c->pool, a->dim[i], b->dim[i]));
    }
}

/* rows_view.c has made it so, along an axis that it chose. */
static void state_repeated_beside(prove_call *call)
{
    const prove_node *n = contract_node(call, 0);

    prove_need(call->c, contract_axis(call, 1, n->out[0].rank) == n->axis);
}

static void state_no_longer(prove_call *call)
{
    prove_case *c = call->c;
    prove_value *a = call->arg[0]->value, *b = call->arg[1]->value;

    prove_need(c, prove_rank(c, a) == prove_rank(c, b));
    for (int i = 0; i < a->rank && !c->cut; i++)
        prove_assume(c, smt_le(&c->pool, a->dim[i], b->dim[i]));
}

static void state_never_negative(prove_call *call)
{
    prove_case *c = call->c;

    prove_rank(c, call->arg[0]->value);
    if (prove_goes_on(c))
        prove_assume(c, prove_indices_not_negative(c, call->arg[0]->value));
}

static void state_single_components(prove_call *call)
{
    prove_need(call->c, call->arg[0]->value->components == 2);
}

/* W takes all of axis I: its count is the axis's size, also by name. */
static void take_all(prove_case *c, prove_window *w, int i)
{
    contract_whole(c, w, i);
    w->axis[i].count = w->axis[i].size;
}

/* Index number K of a Gather, in row-major order, is position K of the window along the axis. */
static void state_gathered_axis(prove_case *c, const prove_node *n, prove_window *w)
{
    smt_pool *p = &c->pool;
    const prove_value *indices = n->in[1];
    const smt *x[PROVE_RANK], *index, *size = w->axis[n->axis].size, *within = smt_bool(true);

    prove_assume(c, smt_eq(p, w->axis[n->axis].count, prove_count(c, indices)));
    w->axis[n->axis].count = prove_count(c, indices);
    for (int i = 0; i < indices->rank; i++) {
        x[i] = smt_variable(p);
        within = smt_and(p, within, smt_within(p, smt_int(p, 0), x[i], indices->dim[i]));
    }
    index = prove_index_at(c, indices, x);
    index = smt_ite(p, smt_lt(p, index, smt_int(p, 0)), smt_add(p, index, size), index);
    index = smt_eq(p, prove_at(c, w, n->axis, prove_number(c, indices, x)), index);
    prove_assume(c, smt_all_of(p, indices->rank, x, smt_implies(p, within, index),
                               prove_element(c, indices, x)));
}

/* Each index of a GatherElements is the window's position of its own number along the axis. */
static void state_gathered_elements(prove_case *c, const prove_node *n, prove_window *w)
{
    smt_pool *p = &c->pool;
    const prove_value *indices = n->in[1];
    const smt *x[PROVE_RANK], *within = smt_bool(true), *same;

    for (int i = 0; i < indices->rank; i++) {
        x[i] = smt_variable(p);
        within = smt_and(p, within, smt_within(p, smt_int(p, 0), x[i], indices->dim[i]));
    }
    same = smt_eq(p, prove_index_at(c, indices, x), prove_at(c, w, n->axis, x[n->axis]));
    prove_assume(c, smt_eq(p, w->axis[n->axis].count, indices->dim[n->axis]));
    prove_assume(c, smt_all_of(p, indices->rank, x, smt_implies(p, within, same),
                               prove_element(c, indices, x)));
}

/* The tuple of a GatherND with a given number points to the place with this number in the box of
 * the window's first axes. */
static void state_gathered_box(prove_case *c, const prove_node *n, prove_window *w)
{
    smt_pool *p = &c->pool;
    const prove_value *tuples = n->in[1];
    const smt *x[PROVE_RANK + 1], *counts[PROVE_RANK], *within = smt_bool(true), *number;
    const smt *many = smt_int(p, 1), *box = many, *element;
    int lists = tuples->rank - 1, k = n->places->n;

    number = smt_int(p, 0);
    for (int i = 0; i < lists; i++) {
        x[i] = smt_variable(p);
        within = smt_and(p, within, smt_within(p, smt_int(p, 0), x[i], tuples->dim[i]));
        number = smt_add(p, smt_mul(p, number, tuples->dim[i]), x[i]);
        many = smt_mul(p, many, tuples->dim[i]);
    }
    if (k == 1) { /* the positions themselves are what is numbered */
        prove_assume(c, smt_eq(p, w->axis[0].count, many));
        w->axis[0].count = many;
    }
    for (int i = 0; i < k; i++) {
        counts[i] = w->axis[i].count;
        box = smt_mul(p, box, counts[i]);
    }
    prove_assume(c, smt_eq(p, box, many));
    for (int i = 0; i < k; i++) {
        const smt *place = prove_unravelled(c, k, counts, number, i), *index;

        x[lists] = smt_int(p, i);
        element = prove_element(c, tuples, x);
        index = prove_integer(c, element);
        index =
            smt_ite(p, smt_lt(p, index, smt_int(p, 0)), smt_add(p, index, w->axis[i].size), index);
        prove_assume(c,
                     smt_all_of(p, lists, x,
                                smt_implies(p, within, smt_eq(p, prove_at(c, w, i, place), index)),
                                element));
    }
}

static void state_gathered(prove_call *call)
{
    prove_case *c = call->c;
    prove_node *n = contract_node(call, 0);
    /* A Gather has no places; tuples of one component may have become plain indices. */
    bool elements = n->places && n->places->kind == PROVE_ELEMENTS;
    bool tuples = n->places && !elements;
    prove_window *w;

    if (tuples)
        prove_need(c, n->n_batch == 0 && n->places->n > 0);
    else if (!elements)
        prove_need(c, n->n_batch == 0);
    if (c->cut)
        return;
    c->ranks_known = true;
    w = contract_give_window(call, n->in[0]->rank, n->in[0]->dim);
    for (int i = 0; i < w->rank; i++) {
        if (tuples ? i >= n->places->n : i != n->axis)
            take_all(c, w, i);
    }
    if (tuples)
        state_gathered_box(c, n, w);
    else if (elements)
        state_gathered_elements(c, n, w);
    else
        state_gathered_axis(c, n, w);
    prove_assume(c, n->valid);
}

/* A Range is as long as the axis. */
static void state_counts(prove_call *call)
{
    prove_case *c = call->c;
    const prove_value *r = call->arg[0]->value;
    prove_value *d = call->arg[1]->value;
    int axis = contract_axis(call, 2, prove_rank(c, d));

    if (prove_goes_on(c))
        prove_assume(c, smt_eq(&c->pool, r->dim[0], d->dim[axis]));
}

const prove_contract prove_index_contracts[] = {
    {"distinct", state_distinct, NULL},
    {"in_range", state_in_range, NULL},
    {"apart", state_apart, NULL},
    {"fits", state_fits, NULL},
    {"no_longer", state_no_longer, NULL},
    {"never_negative", state_never_negative, NULL},
    {"distinct_elements", state_distinct_elements, NULL},
    {"distinct_tuples", state_distinct_tuples, NULL},
    {"tuples_in_range", state_tuples_in_range, NULL},
    {"tuples_apart", state_tuples_apart, NULL},
    {"single_components", state_single_components, NULL},
    {"counts", state_counts, NULL},
    {"gathered", state_gathered, NULL},
    {"repeated_beside", state_repeated_beside, NULL},
    {"same_beside", state_same_beside, NULL},
    {NULL, NULL, NULL},
};
