/* Contracts about a StridedSlice as a Slice: the lists of the Slice with the same window
 * (vocabulary/strided.c). */
#include "passes/prove/contracts.h"

/* Everything that the function has looked at is known and valid. */
static void state_strided(prove_call *call, int list)
{
    prove_case *c = call->c;
    prove_node *n = contract_node(call, 0);

    c->ranks_known = true;
    prove_assume(c, n->valid);
    call->out->value = prove_spell(c, n->window, list);
}

static void state_starts(prove_call *call)
{
    state_strided(call, 0);
}

static void state_stops(prove_call *call)
{
    state_strided(call, 1);
}

static void state_steps(prove_call *call)
{
    state_strided(call, 2);
}

static void state_axes(prove_call *call)
{
    state_strided(call, 3);
}

static void give_axes(prove_call *call, const smt *const *axes, int n)
{
    prove_need(call->c, n > 0);
    if (!call->c->cut)
        contract_give_ints(call, n, axes);
}

static void state_lost_axes(prove_call *call)
{
    const prove_node *n = contract_node(call, 0);
    const smt *axes[PROVE_RANK];
    int lost = 0;

    for (int i = 0; i < n->in[0]->rank; i++) {
        if (n->axes[i])
            axes[lost++] = smt_int(&call->c->pool, i);
    }
    give_axes(call, axes, lost);
}

static void state_new_axes(prove_call *call)
{
    const prove_node *n = contract_node(call, 0);
    const smt *axes[PROVE_RANK];
    int come = 0;

    for (int i = 0; i < n->out[0].rank; i++) {
        if (n->order[i] < 0)
            axes[come++] = smt_int(&call->c->pool, i);
    }
    give_axes(call, axes, come);
}

const prove_contract prove_strided_contracts[] = {
    {"strided_starts", state_starts, NULL},
    {"strided_stops", state_stops, NULL},
    {"strided_steps", state_steps, NULL},
    {"strided_axes", state_axes, NULL},
    {"lost_axes", state_lost_axes, NULL},
    {"new_axes", state_new_axes, NULL},
    {NULL, NULL, NULL},
};
