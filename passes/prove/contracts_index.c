/* Constant indices (vocabulary/indices.c, gathered.c). */
#include "passes/prove/contracts.h"

static void state_in_range(prove_call *call)
{
    prove_case *c = call->c;
    prove_value *i = call->arg[0]->value, *d = call->arg[1]->value;
    int axis = contract_axis(call, 2, prove_rank(c, d));

    prove_rank(c, i);
    if (!c->cut && !c->unknown)
        prove_assume(c, prove_indices_in_range(c, i, d->dim[axis]));
}

/* In range, and the last update of a place is the only one. */
static void state_distinct(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    prove_value *i = call->arg[0]->value;
    const smt *x[PROVE_RANK], *within = smt_bool(true), *only = within, *element;

    state_in_range(call);
    if (c->cut || c->unknown || !i->hit)
        return;
    for (int k = 0; k < i->rank; k++) {
        x[k] = smt_variable(p);
        within = smt_and(p, within, smt_within(p, smt_int(p, 0), x[k], i->dim[k]));
    }
    element = prove_element(c, i, x);
    for (int k = 0; k < i->rank; k++)
        only =
            smt_and(p, only, smt_eq(p, smt_apply1(p, i->last[k], prove_integer(c, element)), x[k]));
    prove_assume(c, smt_all_of(p, i->rank, x, smt_implies(p, within, only), element));
}

/* No index of the second is one that the first writes; both in range. */
static void state_apart(prove_call *call)
{
    prove_case *c = call->c;
    smt_pool *p = &c->pool;
    prove_value *i = call->arg[0]->value, *j = call->arg[1]->value;
    prove_name *second = call->arg[1];
    prove_call of_first = {.c = c, .arg = {call->arg[0], call->arg[2], call->arg[3]}};
    prove_call of_second = {.c = c, .arg = {second, call->arg[2], call->arg[3]}};
    const smt *x[PROVE_RANK], *within = smt_bool(true), *element;

    state_in_range(&of_first);
    state_in_range(&of_second);
    if (c->cut || c->unknown || !i->hit)
        return;
    for (int k = 0; k < j->rank; k++) {
        x[k] = smt_variable(p);
        within = smt_and(p, within, smt_within(p, smt_int(p, 0), x[k], j->dim[k]));
    }
    element = prove_element(c, j, x);
    prove_assume(
        c, smt_all_of(
               p, j->rank, x,
               smt_implies(p, within, smt_not(p, smt_apply1(p, i->hit, prove_integer(c, element)))),
               element));
}

/* The scatter's updates have the sizes that they must have. What else may be wrong with it is an
 * index, which the condition before has asked about, or which the right side checks as well. */
static void state_fits(prove_call *call)
{
    prove_case *c = call->c;
    const prove_node *n = contract_node(call, 0);
    int k = 0;

    for (int i = 0; i < n->in[0]->rank; i++) {
        if (i != n->axis)
            prove_assume(c, smt_eq(&c->pool, n->in[2]->dim[k++], n->in[0]->dim[i]));
        for (int j = 0; i == n->axis && j < n->in[1]->rank; j++)
            prove_assume(c, smt_eq(&c->pool, n->in[2]->dim[k++], n->in[1]->dim[j]));
    }
}

const prove_contract prove_index_contracts[] = {
    {"distinct", state_distinct, NULL},
    {"in_range", state_in_range, NULL},
    {"apart", state_apart, NULL},
    {"fits", state_fits, NULL},
    {"no_longer", NULL, "indices of single elements are not encoded"},
    {"never_negative", NULL, "of no consequence here"},
    {"distinct_elements", NULL, "indices of single elements are not encoded"},
    {"distinct_tuples", NULL, "tuples of indices are not encoded"},
    {"tuples_in_range", NULL, "tuples of indices are not encoded"},
    {"tuples_apart", NULL, "tuples of indices are not encoded"},
    {"single_components", NULL, "tuples of indices are not encoded"},
    {"counts", NULL, "of no consequence here"},
    {"gathered", NULL, "a progression of indices is not encoded"},
    {"repeated_beside", NULL, "indices of single elements are not encoded"},
    {"same_beside", NULL, "indices of single elements are not encoded"},
    {"equals", NULL, "numbers are not encoded"},
    {"less", NULL, "numbers are not encoded"},
    {NULL, NULL, NULL},
};
