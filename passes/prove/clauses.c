/* What the parts of the prover ask of the text of a rule and of its nodes, and rows that are
 * joined. */
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

const prove_value *prove_value_at(const prove_case *c, const rule_clause *clause, int at)
{
    int name = prove_name_at(clause, at);

    return name < 0 ? NULL : c->names[name].value;
}

bool prove_asks_of(const prove_case *c, const rule_clause *clause, const char *function, int at,
                   const prove_value *v)
{
    return !clause->negated && prove_calls(clause, function) && prove_value_at(c, clause, at) == v;
}

const prove_row *prove_row_at(const prove_case *c, const rule_node *from, const prove_node *n)
{
    if (n)
        return n->row;
    if (from->op_name >= 0)
        return c->names[from->op_name].op ? c->names[from->op_name].op->row : &prove_pointwise;
    return prove_named_row(from) ? prove_named_row(from) : prove_row_of(from->type);
}

/* ---- nodes ---- */

/* A Transpose that moves axes of one element alone keeps the numbers, too. */
bool prove_keeps_numbers(const prove_case *c, const prove_node *n)
{
    bool ones = false;

    for (int i = 0; i < c->rule->n_clauses && prove_is_type(n->row->type, "Transpose"); i++) {
        const rule_clause *clause = &c->rule->clauses[i];

        ones = ones || (prove_asks_of(c, clause, "moves_only_ones", 0, n->in[0]) &&
                        prove_value_at(c, clause, 1) == n->in[1]);
    }
    return ones || (n->row->flags & PROVE_KEEPS_NUMBERS);
}

bool prove_is_pointwise(const prove_node *n)
{
    return n->row == &prove_pointwise || prove_is_type(n->row->type, "Select") ||
           (n->from && prove_named_row(n->from) == n->row);
}

bool prove_is_by_element(const prove_node *n)
{
    return n->row == &prove_pointwise ||
           (n->from && n->from->n_rows > 0 && (n->from->rows[0]->flags & INLAY_POINTWISE));
}

bool prove_keeps_rank(const prove_node *n)
{
    return (n->row->flags & (PROVE_KEEPS_RANK | PROVE_SIZES_OF_DATA)) != 0;
}

bool prove_is_one_list(const prove_value *v)
{
    const prove_node *n = v->node;

    if (n && (n->row->flags & PROVE_BRINGS_AXES) && n->in[0]->rank == 0)
        v = n->in[0];
    return v->rank >= 0 && v->rank <= 1 && v->ranked;
}

/* What the operands of N, which is element by element, have the axes of, but for numbers. */
static const prove_value *only_row(const prove_node *n)
{
    const prove_value *row = NULL;

    for (int i = 0; i < n->n_in; i++) {
        const prove_value *v = n->in[i];

        if (v->rank == 0 && (v->ranked || v->number || v->n_ints >= 0))
            continue;
        if (row && prove_as_many_axes(v) != prove_as_many_axes(row))
            return NULL;
        row = v;
    }
    return row;
}

const prove_value *prove_as_many_axes(const prove_value *v)
{
    while (v && v->node) {
        const prove_node *n = v->node;
        bool by_element = prove_is_pointwise(n) && n->n_in > 1;

        if (by_element && !only_row(n))
            return v;
        if (!by_element && !(n->row->flags & PROVE_BY_LIST) &&
            !prove_is_type(n->row->type, "Concat") && !((n->row->flags & PROVE_FOLDS) && n->form) &&
            !prove_keeps_rank(n))
            return v;
        v = by_element ? only_row(n) : n->in[0];
    }
    return v;
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
