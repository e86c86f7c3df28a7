/* Contracts of functions that find the window of an operand needed for a window of the result
 * (vocabulary/before.c, pad.c, reshape.c, mask.c). */
#include "passes/prove/contracts.h"

#include <string.h>

/* Axis I of the new window W has the same positions as axis K of FROM. */
static void state_same_axis(prove_case *c, const prove_window *from, int k, const prove_window *w,
                            int i)
{
    contract_moved(c, from, k, w, i, smt_int(&c->pool, 0));
}

static void state_turned(prove_call *call, bool before)
{
    prove_case *c = call->c;
    const prove_window *from = contract_window(call, 0);
    const smt *sizes[PROVE_RANK];
    int order[PROVE_RANK];
    prove_window *w;

    prove_order_of(c, contract_ints(call, 1), from->rank, order);
    for (int i = 0; i < from->rank && !c->cut; i++)
        sizes[before ? order[i] : i] = from->axis[before ? i : order[i]].size;
    if (!prove_goes_on(c))
        return;
    w = contract_give_window(call, from->rank, sizes);
    for (int i = 0; i < from->rank; i++)
        state_same_axis(c, from, before ? i : order[i], w, before ? order[i] : i);
}

static void state_permuted(prove_call *call)
{
    state_turned(call, true);
}

static void state_unpermuted(prove_call *call)
{
    state_turned(call, false);
}

/* FROM is a window of a result of which V is an operand. Axis I of W, a window of V, is axis K of
 * FROM, of SIZE; if V is broadcast along it, W takes the one element. */
static void state_repeated_axis(prove_case *c, const prove_window *from, int k,
                                const prove_value *v, const prove_window *w, int i, const smt *size)
{
    smt_pool *p = &c->pool;
    const smt *one = smt_eq(p, v->dim[i], smt_int(p, 1)), *at = smt_variable(p);
    const smt *same = smt_eq(p, prove_at(c, w, i, at), prove_at(c, from, k, at));

    prove_assume(c, smt_or(p, one, smt_eq(p, v->dim[i], size)));
    prove_assume(c,
                 smt_eq(p, w->axis[i].count, smt_ite(p, one, smt_int(p, 1), from->axis[k].count)));
    prove_for_each(c, w, i, at, smt_or(p, one, same));
    prove_for_each(c, from, k, at, smt_or(p, one, same));
}

/* The window of V needed for the window FROM of the result; axis i of V is axis ORDER[i] of the
 * result. */
static prove_window *part_of_repeated(prove_case *c, const prove_window *from, const prove_value *v,
                                      const int *order, const smt *const *of)
{
    prove_window *w = prove_new_window(c, v->rank, v->dim);

    w->known = true;
    for (int i = 0; i < v->rank; i++)
        state_repeated_axis(c, from, order[i], v, w, i, of[order[i]]);
    return w;
}

/* X, of which the window is a part, has one element or as many as Y, a Broadcast of it, along each
 * axis, as is known: so Y is no error where what it asks for are sizes. */
static void state_list_fits(prove_case *c, const prove_value *x, const prove_value *y)
{
    smt_pool *p = &c->pool;
    const prove_node *n = y->node;
    const smt *sizes = smt_bool(true);

    if (!n || !n->sure || n->in[0] != x)
        return;
    for (int i = 0; i < n->in[1]->n_ints; i++)
        sizes = smt_and(p, sizes, smt_le(p, smt_int(p, 0), n->in[1]->ints[i]));
    prove_assume(c, smt_implies(p, sizes, n->valid));
}

static void align(int *order, int rank, int all)
{
    for (int i = 0; i < rank; i++)
        order[i] = all - rank + i;
}

static void sizes_of(const prove_window *w, const smt **out)
{
    for (int i = 0; i < w->rank; i++)
        out[i] = w->axis[i].size;
}

/* The window of operand X, of an operation of this FORM with the result Y, needed for window W of
 * Y: the same window if X has the sizes of Y; if X is broadcast as numpy does it, all of X (no
 * window) if that is one element, otherwise its part. */
static prove_window *operand_window(prove_case *c, int form, prove_window *w, prove_value *x,
                                    const prove_value *y)
{
    smt_pool *p = &c->pool;
    int order[PROVE_RANK], rank = prove_rank(c, x), how = prove_choose(c, 3);
    const smt *same = prove_same_sizes(c, x, y);

    prove_need(c, rank <= w->rank && (how == 0 || form == 0));
    prove_assume(c, how == 0 ? same : smt_not(p, same));
    if (how == 0)
        return w;
    if (how == 1) {
        prove_assume(c, smt_eq(p, prove_count(c, x), smt_int(p, 1)));
        return NULL;
    }
    align(order, rank, w->rank);
    prove_assume(c, smt_not(p, prove_is_empty(c, w)));
    return c->cut ? NULL : part_of_repeated(c, w, x, order, y->dim);
}

static void state_operand_windows(prove_call *call)
{
    prove_case *c = call->c;
    prove_name *xs = call->arg[1];
    const prove_value *y = call->arg[3]->value;

    call->out->n_list = xs->n_list;
    for (int i = 0; i < xs->n_list && !c->cut; i++)
        call->out->windows[i] =
            operand_window(c, call->arg[0]->op->form, contract_window(call, 2), xs->list[i], y);
}

/* Does not hold for a window that takes nothing. */
static void state_repeated_part(prove_call *call)
{
    prove_case *c = call->c;
    const prove_window *w = contract_window(call, 0);
    prove_value *x = call->arg[1]->value;
    const smt *sizes[PROVE_RANK];
    int order[PROVE_RANK], rank = prove_rank(c, x);

    prove_need(c, rank <= w->rank);
    if (c->cut)
        return;
    sizes_of(w, sizes);
    align(order, rank, w->rank);
    prove_assume(c, smt_not(&c->pool, prove_is_empty(c, w)));
    state_list_fits(c, x, call->arg[2]->value);
    call->out->window = part_of_repeated(c, w, x, order, sizes);
}

/* The window of operand K of a MatMul: its rows or columns, all of the axis that is summed over,
 * and the same batches. Does not hold for a window that takes nothing. */
static void state_factor(prove_call *call, int k)
{
    prove_case *c = call->c;
    const prove_window *from = contract_window(call, 0);
    const prove_node *n = contract_node(call, 1);
    const prove_value *x = n->in[k];
    int summed = x->rank - 1 - ((n->axes[k] != 0) != (k == 1)), ahead = from->rank - x->rank;
    prove_window *w;

    prove_need(c, x->rank >= 2 && n->in[1 - k]->rank >= 2);
    if (c->cut)
        return;
    w = contract_give_window(call, x->rank, x->dim);
    prove_assume(c, smt_not(&c->pool, prove_is_empty(c, from)));
    for (int i = 0; i < x->rank - 2; i++)
        state_repeated_axis(c, from, ahead + i, x, w, i, from->axis[ahead + i].size);
    for (int i = x->rank - 2; i < x->rank; i++) {
        if (i == summed)
            contract_whole(c, w, i);
        else
            state_same_axis(c, from, from->rank - 2 + k, w, i);
    }
}

static void state_first_factor(prove_call *call)
{
    state_factor(call, 0);
}

static void state_second_factor(prove_call *call)
{
    state_factor(call, 1);
}

static void state_mapped_part(prove_call *call)
{
    prove_case *c = call->c;
    const prove_window *w = contract_window(call, 0);
    prove_value *axes = contract_ints(call, 1), *x = call->arg[2]->value;
    const smt *sizes[PROVE_RANK];
    int order[PROVE_RANK];

    prove_need(c, axes->n_ints == prove_rank(c, x));
    for (int i = 0; i < axes->n_ints && !c->cut; i++)
        order[i] = (int)axes->ints[i]->n;
    if (!prove_goes_on(c))
        return;
    sizes_of(w, sizes);
    prove_assume(c, smt_not(&c->pool, prove_is_empty(c, w)));
    state_list_fits(c, x, call->arg[3]->value);
    call->out->window = part_of_repeated(c, w, x, order, sizes);
}

/* ---- gathers ---- */

static void state_gathered_data(prove_call *call)
{
    prove_case *c = call->c;
    const prove_window *from = contract_window(call, 0);
    prove_value *data = call->arg[1]->value, *indices = call->arg[2]->value;
    int rank = prove_rank(c, data), more = prove_rank(c, indices) - 1;
    int axis = contract_axis(call, 3, rank);
    prove_window *w;

    if (!prove_goes_on(c))
        return;
    w = contract_give_window(call, rank, data->dim);
    for (int i = 0; i < rank; i++) {
        if (i == axis)
            contract_whole(c, w, i);
        else
            state_same_axis(c, from, i < axis ? i : i + more, w, i);
    }
}

static void state_gathered_indices(prove_call *call)
{
    prove_case *c = call->c;
    const prove_window *from = contract_window(call, 0);
    prove_value *indices = call->arg[2]->value;
    int axis = contract_axis(call, 3, prove_rank(c, call->arg[1]->value));
    int rank = prove_rank(c, indices);
    prove_window *w;

    if (!prove_goes_on(c))
        return;
    w = contract_give_window(call, rank, indices->dim);
    for (int i = 0; i < rank; i++)
        state_same_axis(c, from, axis + i, w, i);
}

/* ---- padding ---- */

/* The position in the data of position K of the padded value. */
static const smt *unpadded(prove_call *call, int i, const smt *k)
{
    return smt_sub(&call->c->pool, k, contract_ints(call, 1)->ints[i]);
}

/* A Pad of X does not fail. */
static void assume_valid_of(prove_case *c, const prove_value *x)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        if (c->left[i] && c->left[i]->in[0] == x)
            prove_assume(c, c->left[i]->valid);
    }
}

static void state_inside_pad(prove_call *call)
{
    prove_case *c = call->c;
    const prove_window *from = contract_window(call, 0);
    const prove_value *b = contract_ints(call, 1), *x = call->arg[2]->value;
    prove_window *w;

    if (c->unknown)
        return;
    w = contract_give_window(call, from->rank, x->dim);
    assume_valid_of(c, x); /* all sizes are known, so the shape rule has refused anything invalid */
    for (int i = 0; i < w->rank; i++)
        contract_moved(c, from, i, w, i, smt_sub(&c->pool, smt_int(&c->pool, 0), b->ints[i]));
}

/* On some axis each position is padding, or there is none. */
static void state_in_padding(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_window *w = contract_window(call, 0);
    const prove_value *x = call->arg[2]->value;
    int i = prove_choose(c, w->rank);
    const smt *k = smt_variable(p), *at;

    if (!prove_goes_on(c))
        return;
    at = unpadded(call, i, prove_at(c, w, i, k));
    prove_for_each(c, w, i, k, smt_not(p, smt_within(p, smt_int(p, 0), at, x->dim[i])));
}

/* The positions of a window of the padded value that are data: a run of the window's positions,
 * with padding before and after it. The three functions that ask get the same numbers. */
static void touched(prove_call *call, prove_window *w, int i)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const smt *k = smt_variable(p), *zero = smt_int(p, 0), *before, *behind, *at, *within, *real;
    const prove_value *x = call->arg[2]->value;

    if (w->before[i])
        return;
    before = w->before[i] = smt_constant(p, "before", "Int");
    behind = w->behind[i] = smt_constant(p, "behind", "Int");
    at = unpadded(call, i, prove_at(c, w, i, k));
    within = smt_within(p, before, k, smt_sub(p, w->axis[i].count, behind));
    real = smt_within(p, zero, at, x->dim[i]);
    prove_assume(c, smt_and(p, smt_le(p, zero, before), smt_le(p, zero, behind)));
    prove_assume(c, smt_le(p, smt_add(p, before, behind), w->axis[i].count));
    prove_for_each(c, w, i, k, smt_eq(p, within, real));
}

static void state_padded_part(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    prove_window *from = contract_window(call, 0), *w;

    contract_ints(call, 1);
    if (c->unknown)
        return;
    w = contract_give_window(call, from->rank, call->arg[2]->value->dim);
    for (int i = 0; i < w->rank; i++) {
        const smt *k = smt_variable(p), *there, *here;

        touched(call, from, i);
        there = unpadded(call, i, prove_at(c, from, i, smt_add(p, k, from->before[i])));
        here = prove_at(c, w, i, smt_sub(p, k, from->before[i]));
        prove_assume(c, smt_eq(p, w->axis[i].count,
                               smt_sub(p, smt_sub(p, from->axis[i].count, from->before[i]),
                                       from->behind[i])));
        prove_for_each(c, w, i, k, smt_eq(p, prove_at(c, w, i, k), there));
        prove_for_each(c, from, i, k,
                       smt_implies(p,
                                   smt_within(p, from->before[i], k,
                                              smt_sub(p, from->axis[i].count, from->behind[i])),
                                   smt_eq(p, unpadded(call, i, prove_at(c, from, i, k)), here)));
    }
}

static void state_padding(prove_call *call, bool behind)
{
    prove_window *from = contract_window(call, 0);

    contract_ints(call, 1);
    for (int i = 0; i < from->rank && !call->c->unknown; i++)
        touched(call, from, i);
    contract_give_ints(call, from->rank, behind ? from->behind : from->before);
}

static void state_padding_before(prove_call *call)
{
    state_padding(call, false);
}

static void state_padding_behind(prove_call *call)
{
    state_padding(call, true);
}

/* The result is a number, used as an element. */
static void state_zero(prove_call *call)
{
    prove_case *c = call->c;

    contract_give_ints(call, -1, (const smt *[]){smt_int(&c->pool, 0)});
    prove_assume(c, smt_eq(&c->pool, prove_zero(c), prove_element(c, call->out->value, NULL)));
}

/* ---- axes that are added and removed ---- */

static void state_without_axes(prove_call *call)
{
    prove_case *c = call->c;
    const prove_window *from = contract_window(call, 0);
    const smt *sizes[PROVE_RANK];
    bool gone[PROVE_RANK];
    int n = 0;
    prove_window *w;

    prove_axes_of(c, contract_ints(call, 1), from->rank, gone);
    for (int i = 0; i < from->rank && !c->cut; i++) {
        if (gone[i])
            contract_whole(c, from, i);
        else
            sizes[n++] = from->axis[i].size;
    }
    if (!prove_goes_on(c))
        return;
    w = contract_give_window(call, n, sizes);
    for (int i = 0, k = 0; i < from->rank; i++) {
        if (!gone[i])
            state_same_axis(c, from, i, w, k++);
    }
}

/* The axes that a Squeeze removes are those that were found for it; all have size 1. A list that is
 * empty, which means all axes, is not asked about. */
static void state_squeezed(prove_call *call)
{
    prove_case *c = call->c;
    const smt *axes[PROVE_RANK];
    int n = 0;

    prove_need(c, !call->arg[1]->value || call->arg[1]->value->n_ints != 0);
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *node = c->left[i];

        if (!node || strcmp(node->row->type, "Squeeze") != 0 || node->in[0] != call->arg[0]->value)
            continue;
        for (int k = 0; k < node->in[0]->rank; k++) {
            if (node->axes[k])
                axes[n++] = smt_int(&c->pool, k);
        }
    }
    prove_need(c, n > 0);
    contract_give_ints(call, n, axes);
}

static void state_with_axes(prove_call *call)
{
    prove_case *c = call->c;
    const prove_window *from = contract_window(call, 0);
    const prove_value *axes = contract_ints(call, 1);
    const smt *sizes[PROVE_RANK];
    bool come[PROVE_RANK];
    int rank = from->rank + axes->n_ints;
    prove_window *w;

    prove_need(c, rank <= PROVE_RANK);
    if (!prove_goes_on(c))
        return;
    prove_axes_of(c, contract_ints(call, 1), rank, come);
    for (int i = 0, k = 0; i < rank; i++)
        sizes[i] = come[i] ? smt_int(&c->pool, 1) : from->axis[k++].size;
    w = contract_give_window(call, rank, sizes);
    for (int i = 0, k = 0; i < rank; i++) {
        if (come[i])
            contract_whole(c, w, i);
        else
            state_same_axis(c, from, k++, w, i);
    }
}

static void state_lengths(prove_call *call)
{
    const prove_window *w = contract_window(call, 0);
    const smt *counts[PROVE_RANK];

    for (int i = 0; i < w->rank; i++)
        counts[i] = w->axis[i].count;
    contract_give_ints(call, w->rank, counts);
}

/* The mask of W is true, or false if W is what the mask leaves out, at AT just where W has AT. */
const smt *prove_masked_at(prove_case *c, const prove_window *w, const smt *const *at)
{
    smt_pool *p = &c->pool;
    const smt *inside = smt_bool(true), *within = inside, *there;
    int order[PROVE_RANK];

    align(order, w->mask->rank, w->rank);
    for (int i = 0; i < w->rank; i++) {
        inside = smt_and(p, inside, prove_has(c, w, i, at[i]));
        within = smt_and(p, within, smt_within(p, smt_int(p, 0), at[i], w->axis[i].size));
    }
    there = smt_apply1(p, prove_holds, prove_repeated(c, w->mask, order, at));
    there = smt_eq(p, w->masked_out ? smt_not(p, there) : there, inside);
    return smt_implies(p, within, there);
}

/* The mask is HOLDS exactly at the window's positions. */
static void state_mask(prove_call *call, bool holds)
{
    prove_case *c = call->c;
    prove_value *mask = call->arg[0]->value, *like = call->arg[1]->value;
    const smt *x[PROVE_RANK], *inside = smt_bool(true);
    int rank = prove_rank(c, like);
    prove_window *w;

    prove_need(c, rank > 0); /* a rank of 0 never counts as less than half */
    prove_need(c, prove_rank(c, mask) <= rank);
    if (c->cut)
        return;
    w = contract_give_window(call, rank, like->dim);
    like->fixed = true; /* its sizes are known */
    w->mask = mask;
    w->masked_out = !holds;
    for (int i = 0; i < rank; i++) {
        x[i] = smt_variable(&c->pool);
        inside = smt_and(&c->pool, inside, prove_has(c, w, i, x[i]));
    }
    prove_assume(c, smt_all_of(&c->pool, rank, x, prove_masked_at(c, w, x), inside));
}

static void state_chosen(prove_call *call)
{
    state_mask(call, true);
}

static void state_not_chosen(prove_call *call)
{
    state_mask(call, false);
}

const prove_contract prove_before_contracts[] = {
    {"permuted", state_permuted, NULL},
    {"unpermuted", state_unpermuted, NULL},
    {"operand_windows", state_operand_windows, NULL},
    {"repeated_part", state_repeated_part, NULL},
    {"mapped_part", state_mapped_part, NULL},
    {"first_factor", state_first_factor, NULL},
    {"second_factor", state_second_factor, NULL},
    {"gathered_data", state_gathered_data, NULL},
    {"gathered_indices", state_gathered_indices, NULL},
    {"inside_pad", state_inside_pad, NULL},
    {"in_padding", state_in_padding, NULL},
    {"padded_part", state_padded_part, NULL},
    {"padding_before", state_padding_before, NULL},
    {"padding_behind", state_padding_behind, NULL},
    {"zero", state_zero, NULL},
    {"without_axes", state_without_axes, NULL},
    {"with_axes", state_with_axes, NULL},
    {"squeezed", state_squeezed, NULL},
    {"unreshaped", NULL, "positions in row-major order are not linear"},
    {"unbroken", NULL, "of no consequence"},
    {"lengths", state_lengths, NULL},
    {"chosen", state_chosen, NULL},
    {"not_chosen", state_not_chosen, NULL},
    {"less_than_half", NULL, "of no consequence"},
    {NULL, NULL, NULL},
};
