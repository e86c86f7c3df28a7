/* What the parts of the prover ask of the text of a rule, and rows that are joined. */
#include "passes/prove/prove.h"
#include "passes/prove/rows.h"

#include <string.h>

bool prove_is_type(const char *type, const char *asked)
{
    return type && strcmp(type, asked) == 0;
}

bool prove_is_axis_attr(const rule_attr *a)
{
    return strcmp(a->name, "axis") == 0 || strcmp(a->name, "dim") == 0;
}

bool prove_calls(const rule_clause *clause, const char *function)
{
    return strcmp(clause->fn->name, function) == 0;
}

bool prove_calls_one(const rule_clause *clause, const char *const *functions)
{
    for (int i = 0; functions[i]; i++) {
        if (prove_calls(clause, functions[i]))
            return true;
    }
    return false;
}

int prove_count_calls(const rule *r, const char *function)
{
    int n = 0;

    for (int i = 0; i < r->n_clauses; i++)
        n += !r->clauses[i].negated && prove_calls(&r->clauses[i], function);
    return n;
}

const rule_clause *prove_clause_of(const rule *r, int name)
{
    const rule_clause *clause = NULL;

    for (int i = 0; i < r->n_clauses; i++)
        clause = r->clauses[i].target == name ? &r->clauses[i] : clause;
    return clause;
}

int prove_name_at(const rule_clause *clause, int at)
{
    return at < clause->n_args && clause->args[at].kind != TERM_INTS ? clause->args[at].name : -1;
}

const prove_row *prove_row_at(const prove_case *c, const rule_node *from, const prove_node *n)
{
    if (n)
        return n->row;
    if (from->op_name >= 0)
        return c->names[from->op_name].op ? c->names[from->op_name].op->row : &prove_pointwise;
    return prove_named_row(from) ? prove_named_row(from) : prove_row_of(from->type);
}

/* ---- rows that are joined ---- */

int prove_root_of(const int *up, int i)
{
    while (up[i] != i)
        i = up[i];
    return i;
}

void prove_join(int *up, int i, int k)
{
    if (i >= 0 && k >= 0)
        up[prove_root_of(up, i)] = prove_root_of(up, k);
}
