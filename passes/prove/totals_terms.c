/* Terms that totals consist of (totals.c). */
#include "passes/prove/totals.h"

#include <string.h>

const prove_total *totals_that_is(const prove_case *c, const smt *t)
{
    for (int i = 0; i < c->terms.n_totals; i++) {
        if (smt_same(c->terms.totals[i].made, t))
            return &c->terms.totals[i];
    }
    return NULL;
}

/* The variable occurs in T or, if HIDDEN, in the body of a total in T. */
bool totals_mentions(const prove_case *c, const smt *t, const smt *variable, bool hidden)
{
    const prove_total *made = totals_that_is(c, t);
    bool found = !hidden && t->op == SMT_APPLY && t->name == variable->name;

    if (made && c->meanings.numbers != PROVE_REAL) /* of reals its arguments tell */
        return totals_mentions(c, made->body, variable, false);
    for (int i = 0; i < t->n_args && !found; i++)
        found = totals_mentions(c, t->arg[i], variable, hidden);
    return found;
}

bool prove_varies(const prove_case *c, const prove_total *t, const smt *of)
{
    for (int i = 0; i < t->n; i++) {
        if (totals_mentions(c, of, t->var[i], false))
            return true;
    }
    return false;
}

/* The name of the operation, of one or two operands, that T is; "": none. */
static const char *operation(const prove_case *c, const smt *t)
{
    const prove_symbol *s = prove_symbol_of(c, t);

    return s && s->kind == PROVE_OPERATION && s->op ? s->op->name : "";
}

bool totals_is(const prove_case *c, const smt *t, const char *type)
{
    return strcmp(operation(c, t), type) == 0;
}

const smt *totals_apply2(prove_case *c, const char *type, const smt *a, const smt *b)
{
    return prove_operation(c, type, 2, (const smt *[]){a, b});
}

const smt *prove_product(prove_case *c, const smt *a, const smt *b)
{
    return totals_apply2(c, "Multiply", a, b);
}
