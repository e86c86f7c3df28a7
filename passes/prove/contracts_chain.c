/* Contracts about chains of writes, each into the result of the one before (vocabulary/writes.c). A
 * case has only a few of them. */
#include "passes/prove/contracts.h"

/* X contains PART, which begins at FROM along AXIS and is all of X along the others. */
static void state_tile(prove_case *c, const prove_value *x, const prove_value *part, int axis,
                       const smt *from)
{
    smt_pool *p = &c->pool;
    const smt *at[PROVE_RANK], *of[PROVE_RANK], *within = smt_bool(true), *same;

    for (int i = 0; i < x->rank; i++) {
        at[i] = of[i] = smt_variable(p);
        if (i == axis)
            of[i] = smt_sub(p, at[i], from);
        within = smt_and(p, within, smt_within(p, smt_int(p, 0), of[i], part->dim[i]));
    }
    same = smt_eq(p, prove_element(c, x, at), prove_element(c, part, of));
    prove_assume(c,
                 smt_all_of(p, x->rank, at, smt_implies(p, within, same), prove_element(c, x, at)));
}

/* A new value with the sizes of X except on AXIS. */
static prove_value *new_part(prove_case *c, const prove_value *x, int axis)
{
    prove_value *part = prove_free_value(c);

    prove_be_of_rank(c, part, x->rank);
    for (int i = 0; i < x->rank && !c->cut; i++) {
        if (i != axis)
            part->dim[i] = x->dim[i];
    }
    return part;
}

/* The value that the last write overwrites consists of the other parts, each at its own beginning;
 * the last write itself is one of the parts, and its window begins there. */
static void state_tiles(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    const prove_node *end = contract_node(call, 0);
    int axis = contract_axis(call, 1, end->out[0].rank), n = 1 + prove_choose(c, PROVE_LIST);
    int last = prove_choose(c, n);
    const prove_value *x = end->in[0];
    const smt *from = smt_int(p, 0);

    prove_need(c, !x->node);
    for (int i = 0; i < n && prove_goes_on(c); i++) {
        prove_value *part = i == last ? end->in[1] : new_part(c, x, axis);

        if (i == last)
            contract_run(c, end->window, axis, from);
        else
            state_tile(c, x, part, axis, from);
        call->out->list[call->out->n_list++] = part;
        from = smt_add(p, from, part->dim[axis]);
    }
    if (!c->cut)
        prove_assume(c, smt_eq(p, from, x->dim[axis]));
}

const prove_contract prove_chain_contracts[] = {
    {"tiles", state_tiles, NULL},
    {NULL, NULL, NULL},
};
