/* Which input, output and variable of the second graph corresponds to which of the first. */
#include "ir/shared.h"
#include "passes/verify/names.h"
#include "passes/verify/verify.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The two graphs, and the names in the second one. */
struct pairing {
    const inlay_graph *a, *b;
    verify_names params, param_tensors, results, variables;
    verify_pairs *pairs;
    inlay_verify_result *result;
};

bool verify_differ(inlay_verify_result *r, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(r->why, sizeof r->why, fmt, args);
    va_end(args);
    r->verdict = INLAY_NOT_SAME;
    return false;
}

static bool counts_agree(struct pairing *p, const char *what, int a, int b)
{
    return a == b ||
           verify_differ(p->result, "the first graph has %d %s%s, the second %d %s%s", a, what,
                         inlay_plural(a, "", "s"), b, what, inlay_plural(b, "", "s"));
}

/* Finds the Parameter with the same tensor name, or otherwise the same node name. */
static int find_param(const struct pairing *p, const inlay_node *n)
{
    int found = verify_names_find(&p->params, n->name);

    for (int i = 0; i < n->out[0].n_names; i++) {
        int other = verify_names_find(&p->param_tensors, n->out[0].names[i]);

        found = other >= 0 && (found < 0 || other < found) ? other : found;
    }
    return found;
}

/* Pairs all by position if the second graph lacks a name of the first. */
static void else_by_position(int *pair, int n)
{
    bool by_name = true;

    for (int i = 0; i < n; i++)
        by_name = by_name && pair[i] >= 0;
    for (int i = 0; !by_name && i < n; i++)
        pair[i] = i;
}

static bool pair_params(struct pairing *p)
{
    int n = p->a->n_params;

    if (!counts_agree(p, "input", n, p->b->n_params))
        return false;
    for (int i = 0; i < n; i++)
        p->pairs->inputs[i] = find_param(p, p->a->params[i]);
    else_by_position(p->pairs->inputs, n);
    return true;
}

static bool pair_results(struct pairing *p)
{
    int n = p->a->n_results;

    if (!counts_agree(p, "output", n, p->b->n_results))
        return false;
    for (int i = 0; i < n; i++)
        p->pairs->outputs[i] = verify_names_find(&p->results, p->pairs->a_outputs[i]);
    else_by_position(p->pairs->outputs, n);
    return true;
}

static bool pair_variables(struct pairing *p)
{
    int n = p->a->n_variables;

    if (!counts_agree(p, "variable", n, p->b->n_variables))
        return false;
    for (int i = 0; i < n; i++) {
        p->pairs->variables[i] = verify_names_find(&p->variables, p->a->variables[i]->name);
        if (p->pairs->variables[i] < 0)
            return verify_differ(p->result, "the second graph has no variable \"%s\"",
                                 p->a->variables[i]->name);
    }
    return true;
}

static bool types_agree(struct pairing *p)
{
    for (int i = 0; i < p->a->n_params; i++) {
        inlay_type a = p->a->params[i]->out[0].fact.type;
        inlay_type b = p->b->params[p->pairs->inputs[i]]->out[0].fact.type;

        if (a != b)
            return verify_differ(
                p->result, "input \"%s\" has type %s in the first graph, %s in the second",
                p->a->params[i]->name, inlay_type_info_of(a)->name, inlay_type_info_of(b)->name);
    }
    return true;
}

static bool index_params(struct pairing *p)
{
    const inlay_graph *b = p->b;
    size_t n = 0;

    for (int i = 0; i < b->n_params; i++)
        n += (size_t)b->params[i]->out[0].n_names;
    if (!verify_names_begin(&p->params, inlay_graph_budget(b), (size_t)b->n_params) ||
        !verify_names_begin(&p->param_tensors, inlay_graph_budget(b), n))
        return false;
    for (int i = 0; i < b->n_params; i++) {
        const inlay_value *v = &b->params[i]->out[0];

        verify_names_add(&p->params, b->params[i]->name, i);
        for (int k = 0; k < v->n_names; k++)
            verify_names_add(&p->param_tensors, v->names[k], i);
    }
    verify_names_sort(&p->params);
    verify_names_sort(&p->param_tensors);
    return true;
}

static bool index_rest(struct pairing *p)
{
    const inlay_graph *b = p->b;

    if (!verify_names_begin(&p->results, inlay_graph_budget(b), (size_t)b->n_results) ||
        !verify_names_begin(&p->variables, inlay_graph_budget(b), (size_t)b->n_variables))
        return false;
    for (int i = 0; i < b->n_results; i++)
        verify_names_add(&p->results, p->pairs->b_outputs[i], i);
    for (int i = 0; i < b->n_variables; i++)
        verify_names_add(&p->variables, b->variables[i]->name, i);
    verify_names_sort(&p->results);
    verify_names_sort(&p->variables);
    return true;
}

static bool allocate(const inlay_graph *a, const inlay_graph *b, verify_pairs *pairs)
{
    pairs->inputs = inlay_take(inlay_graph_budget(a), (size_t)a->n_params + 1, sizeof(int));
    pairs->outputs = inlay_take(inlay_graph_budget(a), (size_t)a->n_results + 1, sizeof(int));
    pairs->variables = inlay_take(inlay_graph_budget(a), (size_t)a->n_variables + 1, sizeof(int));
    pairs->memory = inlay_arena_of(inlay_graph_budget(a));
    pairs->a_outputs = pairs->memory ? inlay_result_names_in(a, pairs->memory, NULL) : NULL;
    pairs->b_outputs = pairs->memory ? inlay_result_names_in(b, pairs->memory, NULL) : NULL;
    return pairs->inputs && pairs->outputs && pairs->variables && pairs->a_outputs &&
           pairs->b_outputs;
}

bool verify_pair_up(const inlay_graph *a, const inlay_graph *b, verify_pairs *pairs,
                    inlay_verify_result *result, inlay_diags *d)
{
    struct pairing p = {.a = a, .b = b, .pairs = pairs, .result = result};
    bool ok;

    ok = allocate(a, b, pairs) && index_params(&p) && index_rest(&p);
    if (ok && pair_params(&p) && pair_results(&p) && pair_variables(&p))
        types_agree(&p);
    verify_names_free(&p.params);
    verify_names_free(&p.param_tensors);
    verify_names_free(&p.results);
    verify_names_free(&p.variables);
    return ok || inlay_fail_memory(d);
}

void verify_pairs_free(verify_pairs *pairs)
{
    inlay_give(pairs->inputs);
    inlay_give(pairs->outputs);
    inlay_give(pairs->variables);
    inlay_arena_free(pairs->memory);
}
