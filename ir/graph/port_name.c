/* Finds inputs and outputs of a graph by their names. */
#include "ir/graph.h"

#include <stdio.h>
#include <string.h>

static bool is_name(const char *candidate, const char *name, size_t n)
{
    return candidate && strlen(candidate) == n && memcmp(candidate, name, n) == 0;
}

static bool is_number(int i, const char *name, size_t n)
{
    char number[16];

    if (n == 0 || *name != '#') /* of many ports few are asked for by their numbers */
        return false;
    snprintf(number, sizeof number, "#%d", i);
    return is_name(number, name, n);
}

static bool is_tensor_name(const inlay_value *v, const char *name, size_t n)
{
    for (int i = 0; v && i < v->n_names; i++) {
        if (is_name(v->names[i], name, n))
            return true;
    }
    return false;
}

int inlay_graph_find_input(const inlay_graph *g, const char *name, size_t n)
{
    int found = INLAY_NO_SUCH;

    for (int i = 0; g && name && i < g->n_params; i++) {
        const inlay_node *p = g->params[i];

        if (is_name(p->name, name, n) || is_name(p->label, name, n) || is_number(i, name, n) ||
            (p->n_out > 0 && is_tensor_name(&p->out[0], name, n)))
            found = found == INLAY_NO_SUCH ? i : INLAY_AMBIGUOUS;
    }
    return found;
}

int inlay_graph_find_output(const inlay_graph *g, const char *const *names, const char *name,
                            size_t n)
{
    for (int i = 0; g && names && name && i < g->n_results; i++) {
        if (is_name(names[i], name, n) || is_number(i, name, n) ||
            is_tensor_name(inlay_node_input(g->results[i], 0), name, n))
            return i;
    }
    return INLAY_NO_SUCH;
}
