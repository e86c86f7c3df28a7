/* Contracts about axes and orders of axes (vocabulary/axes.c). In a case all of them are numbers.
 */
#include "passes/prove/contracts.h"

#include <string.h>

static void state_same_axes(prove_call *call)
{
    prove_case *c = call->c;
    bool a[PROVE_RANK], b[PROVE_RANK];
    int rank = prove_rank(c, call->arg[2]->value);

    if (call->arg[0]->value->n_ints < 0 && call->arg[1]->value->n_ints < 0)
        prove_unknown(c, "axes that no operation asks for");
    if (!prove_goes_on(c))
        return;
    prove_axes_of(c, call->arg[0]->value, rank, a);
    prove_axes_of(c, call->arg[1]->value, rank, b);
    for (int i = 0; i < rank && !c->cut; i++)
        prove_need(c, a[i] == b[i]);
}

static void state_same_axis(prove_call *call)
{
    prove_case *c = call->c;
    int rank = prove_rank(c, call->arg[2]->value);
    int a = contract_axis(call, 0, rank), b = contract_axis(call, 1, rank);

    prove_need(c, a == b);
}

static void state_front_axis(prove_call *call)
{
    prove_case *c = call->c;
    int axis = contract_axis(call, 0, prove_rank(c, call->arg[1]->value));

    call->out->attr = smt_int(&c->pool, axis);
    contract_give_ints(call, 1, &call->out->attr);
}

bool contract_order(prove_call *call, int i, int *n, int *order)
{
    const prove_value *v = contract_ints(call, i);

    prove_need(call->c, !v->turns_round);
    *n = v->n_ints;
    prove_order_of(call->c, contract_ints(call, i), *n, order);
    return prove_goes_on(call->c);
}

static void give_order(prove_call *call, int n, const int *order)
{
    const smt *ints[PROVE_RANK];

    for (int i = 0; i < n; i++)
        ints[i] = smt_int(&call->c->pool, order[i]);
    contract_give_ints(call, n, ints);
}

static void state_identity_order(prove_call *call)
{
    int n, order[PROVE_RANK];

    if (!contract_order(call, 0, &n, order))
        return;
    for (int i = 0; i < n; i++)
        prove_need(call->c, order[i] == i);
}

static void state_compose_orders(prove_call *call)
{
    int n, m, first[PROVE_RANK], second[PROVE_RANK], both[PROVE_RANK];

    if (!contract_order(call, 0, &n, first) || !contract_order(call, 1, &m, second))
        return;
    prove_need(call->c, n == m);
    for (int i = 0; i < n && !call->c->cut; i++)
        both[i] = first[second[i]];
    if (!call->c->cut)
        give_order(call, n, both);
}

/* Axes that have more than one element, or may have, keep their order. */
static void state_moves_only_ones(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_value *x = call->arg[0]->value;
    int n, order[PROVE_RANK];

    if (!contract_order(call, 1, &n, order))
        return;
    for (int i = 0; i < n; i++) {
        for (int k = i + 1; k < n; k++) {
            const smt *one = smt_int(p, 1);

            if (order[i] > order[k])
                prove_assume(c, smt_or(p, smt_eq(p, x->dim[order[i]], one),
                                       smt_eq(p, x->dim[order[k]], one)));
        }
    }
}

static void state_inverse_order(prove_call *call)
{
    int n, order[PROVE_RANK], back[PROVE_RANK];

    if (!contract_order(call, 0, &n, order))
        return;
    for (int i = 0; i < n; i++)
        back[order[i]] = i;
    give_order(call, n, back);
}

/* The order leaves all axes in place but the last two. */
static bool keeps_but_last(const int *order, int n)
{
    bool keeps = n >= 2;

    for (int i = 0; i < n - 2; i++)
        keeps = keeps && order[i] == i;
    return keeps;
}

static void state_swaps_last(prove_call *call)
{
    int n, order[PROVE_RANK];

    if (contract_order(call, 0, &n, order))
        prove_need(call->c, keeps_but_last(order, n) && order[n - 1] == n - 2);
}

static void state_keeps_first(prove_call *call)
{
    int n, order[PROVE_RANK];

    if (contract_order(call, 0, &n, order))
        prove_need(call->c, n > 0 && order[0] == 0);
}

static void state_last_is_before_last(prove_call *call)
{
    int n, order[PROVE_RANK];

    if (contract_order(call, 0, &n, order))
        prove_need(call->c, n >= 2 && order[n - 2] == n - 1);
}

static void state_swapped_last(prove_call *call)
{
    int n, order[PROVE_RANK], last;

    if (!contract_order(call, 0, &n, order))
        return;
    prove_need(call->c, n >= 2);
    if (call->c->cut)
        return;
    last = order[n - 1];
    order[n - 1] = order[n - 2];
    order[n - 2] = last;
    give_order(call, n, order);
}

static void state_axis_before(prove_call *call)
{
    int n, order[PROVE_RANK];

    if (!contract_order(call, 1, &n, order))
        return;
    call->out->attr = smt_int(&call->c->pool, order[contract_axis(call, 0, n)]);
    contract_give_ints(call, -1, &call->out->attr);
}

/* The axis of argument 2 that, once those of argument 1 are gone, is the axis of argument 0. */
static void state_axis_with(prove_call *call)
{
    prove_case *c = call->c;
    const prove_value *gone = contract_ints(call, 1);
    int rank = prove_rank(c, call->arg[2]->value), at = 0, left;
    bool lost[PROVE_RANK];

    prove_axes_of(c, call->arg[1]->value, rank, lost);
    prove_need(c, gone->n_ints < rank);
    left = c->cut ? 0 : contract_axis(call, 0, rank - gone->n_ints);
    for (; at < rank && (left > 0 || lost[at]); at++)
        left -= !lost[at];
    prove_need(c, at < rank);
    call->out->attr = smt_int(&c->pool, at);
    contract_give_ints(call, -1, &call->out->attr);
}

static void state_before_order(prove_call *call)
{
    const prove_value *from = contract_ints(call, 0);
    const smt *ints[PROVE_RANK];
    int n, order[PROVE_RANK];

    if (!contract_order(call, 1, &n, order))
        return;
    prove_need(call->c, from->n_ints == n);
    for (int i = 0; i < n && !call->c->cut; i++)
        ints[order[i]] = from->ints[i];
    if (!call->c->cut)
        contract_give_ints(call, n, ints);
}

const prove_contract prove_axis_contracts[] = {
    {"same_axes", state_same_axes, NULL},
    {"same_axis", state_same_axis, NULL},
    {"front_axis", state_front_axis, NULL},
    {"identity_order", state_identity_order, NULL},
    {"compose_orders", state_compose_orders, NULL},
    {"moves_only_ones", state_moves_only_ones, NULL},
    {"inverse_order", state_inverse_order, NULL},
    {"keeps_first", state_keeps_first, NULL},
    {"swaps_last", state_swaps_last, NULL},
    {"last_is_before_last", state_last_is_before_last, NULL},
    {"swapped_last", state_swapped_last, NULL},
    {"axis_before", state_axis_before, NULL},
    {"axis_with", state_axis_with, NULL},
    {"before_order", state_before_order, NULL},
    {NULL, NULL, NULL},
};
