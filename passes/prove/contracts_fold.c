/* Contracts about reductions, and the axes along which they reduce (vocabulary/fold.c). */
#include "passes/prove/contracts.h"
#include "passes/prove/meaning.h"

static void state_discrete(prove_call *call)
{
    prove_state_types(call, 0, meaning_types() & ~number_class_types(NUMBER_FLOAT));
}

/* Reducing a single element gives that element. */
static void state_gives_it(prove_call *call)
{
    call->arg[0]->op->single = true;
}

/* The same, but for the sign of a zero, of which real numbers have one and integers none. */
static void state_gives_it_nearly(prove_call *call)
{
    if (call->c->meanings.numbers == PROVE_AS_THEY_ARE)
        prove_unknown(call->c, "a sum of -0 is 0");
    call->arg[0]->op->single = true;
}

static void state_some(prove_call *call)
{
    prove_need(call->c, contract_ints(call, 0)->n_ints > 0);
}

/* All these axes of a value of known rank have size 1. */
static void state_ones(prove_call *call)
{
    prove_case *c = call->c;
    const prove_value *x = call->arg[1]->value;
    bool axes[PROVE_RANK];

    contract_ints(call, 0);
    if (!prove_goes_on(c))
        return;
    c->ranks_known = true;
    prove_axes_of(c, call->arg[0]->value, x->rank, axes);
    for (int i = 0; i < x->rank && !c->cut; i++) {
        if (axes[i])
            prove_assume(c, smt_eq(&c->pool, x->dim[i], smt_int(&c->pool, 1)));
    }
}

static void state_axes_before(prove_call *call)
{
    const prove_value *axes = contract_ints(call, 0);
    const smt *ints[PROVE_RANK];
    bool named[PROVE_RANK];
    int n, order[PROVE_RANK], n_out = 0;

    if (!contract_order(call, 1, &n, order))
        return;
    prove_axes_of(call->c, call->arg[0]->value, n, named);
    for (int i = 0; i < n && !call->c->cut; i++) {
        if (named[i])
            ints[n_out++] = smt_int(&call->c->pool, order[i]);
    }
    prove_need(call->c, n_out == axes->n_ints);
    if (!call->c->cut)
        contract_give_ints(call, n_out, ints);
}

/* The axes before a Transpose that are not reduced, in the order after it; false: there is none. */
static bool rest_of(prove_call *call, int *rest, int *n_rest)
{
    int n, order[PROVE_RANK];
    bool gone[PROVE_RANK];

    contract_ints(call, 0);
    if (!contract_order(call, 1, &n, order))
        return false;
    prove_axes_of(call->c, call->arg[0]->value, n, gone);
    *n_rest = 0;
    for (int i = 0; i < n && !call->c->cut; i++) {
        if (!gone[i])
            rest[(*n_rest)++] = order[i];
    }
    return !call->c->cut;
}

static bool rises(const int *rest, int n)
{
    for (int i = 1; i < n; i++) {
        if (rest[i] < rest[i - 1])
            return false;
    }
    return true;
}

static void state_rest_in_order(prove_call *call)
{
    int rest[PROVE_RANK], n;

    if (rest_of(call, rest, &n))
        prove_need(call->c, rises(rest, n));
}

static void state_rest_order(prove_call *call)
{
    const smt *ints[PROVE_RANK];
    int rest[PROVE_RANK], n;

    if (!rest_of(call, rest, &n))
        return;
    prove_need(call->c, !rises(rest, n));
    for (int i = 0; i < n; i++) {
        int before = 0;

        for (int k = 0; k < n; k++)
            before += rest[k] < rest[i];
        ints[i] = smt_int(&call->c->pool, before);
    }
    if (!call->c->cut)
        contract_give_ints(call, n, ints);
}

const prove_contract prove_fold_contracts[] = {
    {"folds", NULL, "it says which operations are meant"},
    {"discrete", state_discrete, NULL},
    {"gives_it", state_gives_it, NULL},
    {"gives_it_nearly", state_gives_it_nearly, NULL},
    {"some", state_some, NULL},
    {"ones", state_ones, NULL},
    {"axes_before", state_axes_before, NULL},
    {"rest_in_order", state_rest_in_order, NULL},
    {"rest_order", state_rest_order, NULL},
    {NULL, NULL, NULL},
};
