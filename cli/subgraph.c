/* `inlay convert --from A --to B`: the part of a graph that computes B of A. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static bool has_name(const inlay_value *v, const char *name)
{
    bool has = false;

    for (int i = 0; i < v->n_names && !has; i++)
        has = strcmp(v->names[i], name) == 0;
    return has;
}

/* Returns output K of the node before a dot or a colon in NAME, or NULL. */
static inlay_value *numbered(const inlay_graph *g, const char *name)
{
    const char *dot = strrchr(name, '.'), *colon = strrchr(name, ':'),
               *at = dot > colon ? dot : colon;
    char *end = NULL, *node = at ? strdup(name) : NULL;
    inlay_node *n = NULL;
    long k = at ? strtol(at + 1, &end, 10) : -1;

    if (node) {
        node[at - name] = '\0';
        n = inlay_graph_node(g, node);
    }
    free(node);
    return n && end != at + 1 && !*end && k >= 0 && k < n->n_out ? &n->out[k] : NULL;
}

/* Returns the value called NAME: a node's first output, `node.K`, or a tensor's name. */
static inlay_value *find_value(const inlay_graph *g, const char *option, const char *name,
                               inlay_diags *d)
{
    inlay_guess guess = {.word = name, .length = strlen(name)};
    inlay_node *found = inlay_graph_node(g, name);
    inlay_value *v = found && found->n_out > 0 ? &found->out[0] : numbered(g, name);
    char text[100];

    for (inlay_node *n = g->first; n && !v; n = n->next) {
        for (int i = 0; i < n->n_out && !v; i++)
            v = has_name(&n->out[i], name) || (n->label && strcmp(n->label, name) == 0) ? &n->out[i]
                                                                                        : NULL;
        inlay_guess_try(&guess, n->name);
    }
    if (!v)
        inlay_fail(d, NULL, "%s %s: there is no value of this name in the outermost graph%s",
                   option, name, inlay_guess_text(&guess, text, sizeof text));
    return v;
}

static bool find_all(const inlay_graph *g, const char *option, const cli_list *names,
                     inlay_value **values, inlay_diags *d)
{
    for (int i = 0; i < names->n; i++) {
        values[i] = find_value(g, option, names->items[i], d);
        if (!values[i])
            return false;
    }
    return true;
}

/* Makes V an input; V itself is the input from now on. */
static bool begin_at(inlay_graph *g, inlay_value **v, inlay_diags *d)
{
    inlay_value *old = *v, *param;
    inlay_shape shape;

    if (inlay_node_is(old->node, INLAY_OP_PARAMETER))
        return true;
    inlay_shape_of_rank(&shape, old->fact.rank < 0 ? 0 : old->fact.rank);
    shape.rank = old->fact.rank;
    for (int k = 0; k < shape.rank; k++)
        shape.dim[k] = old->fact.dims[k];
    param = inlay_build_parameter(g, old->node->name, old->fact.type, &shape, d);
    if (!param || !inlay_value_set_names(param, old->names, old->n_names, d) ||
        !inlay_value_replace(old, param, d))
        return false;
    *v = param;
    return true;
}

/* Removes the outputs and what assigns to variables: the part is a function of its inputs, and begins with a state
 * as the model does. */
static bool drop_sinks(inlay_graph *g, inlay_diags *d)
{
    bool ok = true;

    for (inlay_node *n = g->first, *next; ok && n; n = next) {
        next = n->next;
        if (n->op->flags & INLAY_SINK)
            ok = inlay_node_remove(n, d);
    }
    return ok;
}

static bool end_at(inlay_graph *g, inlay_value *const *to, int n, inlay_diags *d)
{
    bool ok = n == 0 || drop_sinks(g, d);

    for (int i = 0; ok && i < n; i++)
        ok = inlay_build_result(g, NULL, to[i], d) != NULL;
    return ok;
}

static bool drop_inputs(inlay_graph *g, inlay_value *const *from, int n, inlay_diags *d)
{
    bool ok = true;

    for (int i = g->n_params - 1; ok && i >= 0; i--) {
        bool wanted = g->params[i]->out[0].uses != NULL;

        for (int k = 0; k < n; k++)
            wanted = wanted || from[k] == &g->params[i]->out[0];
        ok = wanted || inlay_node_remove(g->params[i], d);
    }
    return ok;
}

bool cli_cut(inlay_graph *g, const cli_list *from, const cli_list *to, inlay_diags *d)
{
    const inlay_pass_options dead = {.passes = "eliminate-dead"};
    inlay_value **begin = calloc((size_t)from->n + 1, sizeof *begin);
    inlay_value **end = calloc((size_t)to->n + 1, sizeof *end);
    bool ok = (begin && end) || inlay_fail_memory(d);

    ok = ok && find_all(g, "--from", from, begin, d) && find_all(g, "--to", to, end, d) &&
         end_at(g, end, to->n, d);
    for (int i = 0; ok && i < from->n; i++)
        ok = begin_at(g, &begin[i], d);
    ok = ok && inlay_run_passes(g, &dead, d) && drop_inputs(g, begin, from->n, d);
    for (int i = 0; ok && i < from->n; i++)
        ok = !inlay_graph_node(g, from->items[i])
                 ? inlay_node_rename(begin[i]->node, from->items[i], d)
                 : true;
    free(begin);
    free(end);
    return ok;
}
