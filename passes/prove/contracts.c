/* What several contracts state. */
#include "passes/prove/contracts.h"

#include <string.h>

prove_value *contract_ints(prove_call *call, int i)
{
    prove_name *name = call->arg[i];

    if (!name->value && name->attr) {
        prove_count_axis(call->c, &name->attr, &name->axis_of);
        name->value = prove_ints_value(call->c, -1, &name->attr);
    }
    if (!name->value || name->value->n_ints < 0) {
        prove_unknown(call->c, "integers that no operation asks for");
        return prove_ints_value(call->c, 0, NULL);
    }
    prove_count_axis(call->c, &name->value->ints[0], &name->value->axis_of);
    return name->value;
}

int contract_axis(prove_call *call, int i, int rank)
{
    prove_name *name = call->arg[i];

    if (!name->value && !name->attr) {
        prove_unknown(call->c, "an axis that no operation asks for");
        return 0;
    }
    return name->value ? prove_axis_of(call->c, name->value, rank)
                       : prove_axis_at(call->c, &name->attr, &name->axis_of, rank);
}

prove_window *contract_give_window(prove_call *call, int rank, const smt *const *sizes)
{
    prove_window *w = prove_new_window(call->c, rank, sizes);

    w->known = true;
    call->out->window = w;
    return w;
}

void contract_give_ints(prove_call *call, int n, const smt *const *ints)
{
    call->out->value = prove_ints_value(call->c, n, ints);
}

void contract_run(prove_case *c, const prove_window *w, int i, const smt *from)
{
    smt_pool *p = &c->pool;
    const smt *k = smt_variable(p), *count = w->axis[i].count;

    prove_for_each(c, w, i, k, smt_eq(p, prove_at(c, w, i, k), smt_add(p, from, k)));
    prove_for_each_position(c, w, i, from);
    /* The last position is one of the axis. */
    prove_assume(c, smt_or(p, smt_eq(p, count, smt_int(p, 0)),
                           smt_le(p, smt_add(p, from, count), w->axis[i].size)));
}

void contract_whole(prove_case *c, const prove_window *w, int i)
{
    prove_assume(c, smt_eq(&c->pool, w->axis[i].count, w->axis[i].size));
    contract_run(c, w, i, smt_int(&c->pool, 0));
}

void contract_moved(prove_case *c, const prove_window *a, int i, const prove_window *b, int k,
                    const smt *by)
{
    smt_pool *p = &c->pool;
    const smt *x = smt_variable(p);
    const smt *same = smt_eq(p, prove_at(c, b, k, x), smt_add(p, prove_at(c, a, i, x), by));

    prove_assume(c, smt_eq(p, a->axis[i].count, b->axis[k].count));
    prove_for_each(c, a, i, x, same);
    prove_for_each(c, b, k, x, same);
}

prove_node *contract_node(const prove_call *call, int i)
{
    return call->arg[i]->value ? call->arg[i]->value->node : NULL;
}

prove_name *contract_given(prove_case *c, const char *function)
{
    for (int i = 0; i < c->rule->n_clauses; i++) {
        const rule_clause *clause = &c->rule->clauses[i];

        if (clause->target >= 0 && prove_calls(clause, function))
            return &c->names[clause->target];
    }
    return NULL;
}
