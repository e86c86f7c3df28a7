/* Which layers of a net become nodes, and which edges lead to them. */
#include "parser/openvino/read.h"

#include <stdlib.h>

static int compare_layers(const void *a, const void *b)
{
    const ov_layer *p = *(ov_layer *const *)a, *q = *(ov_layer *const *)b;

    if (p->id != q->id)
        return p->id < q->id ? -1 : 1;
    return (p->line > q->line) - (p->line < q->line);
}

/* Sorts the layers of NET by id and refuses equal ids. */
static bool index_layers(ov_reader *r, ov_net *net)
{
    bool sorted = true;
    size_t n = 0;

    net->by_id = inlay_arena_array(r->a.scratch, net->n_layers, sizeof *net->by_id);
    if (!net->by_id)
        return inlay_fail_memory(r->a.d);
    for (ov_layer *l = net->first; l; l = l->next) {
        net->by_id[n++] = l;
        sorted = sorted && (n < 2 || net->by_id[n - 2]->id < l->id);
    }
    if (!sorted)
        qsort(net->by_id, n, sizeof *net->by_id, compare_layers);
    for (size_t i = 1; i < n; i++) {
        if (net->by_id[i]->id == net->by_id[i - 1]->id)
            return ov_fail_layer(r, net->by_id[i], 0, "the layer in line %u has the same id",
                                 net->by_id[i - 1]->line);
    }
    return true;
}

/* Gives each layer the list of edges that lead to it. Edges to layers that do not exist are ignored
 * (5). */
static void sort_edges(ov_net *net)
{
    for (ov_edge *e = net->edges; e; e = e->next) {
        ov_layer *to = ov_find_layer(net, e->to_layer);

        if (!to)
            continue;
        *to->edges_end = e;
        to->edges_end = &e->next_in;
        to->n_edges++;
    }
}

static bool is_root(const ov_layer *l)
{
    return inlay_word_compare(l->type, "Result") == 0 || inlay_word_compare(l->type, "Assign") == 0;
}

/* Marks L and puts it on the stack, unless it was marked before. */
static void reach(ov_layer *l, ov_layer **stack, size_t *depth)
{
    if (l->reached)
        return;
    l->reached = true;
    stack[(*depth)++] = l;
}

static bool mark_reached(ov_reader *r, ov_net *net)
{
    ov_layer **stack = inlay_arena_array(r->a.scratch, net->n_layers, sizeof *stack);
    size_t depth = 0;

    if (!stack)
        return inlay_fail_memory(r->a.d);
    for (ov_layer *l = net->first; l; l = l->next) {
        if (is_root(l) || inlay_word_compare(l->type, "Parameter") == 0)
            reach(l, stack, &depth);
    }
    while (depth > 0) {
        ov_layer *l = stack[--depth];

        for (ov_edge *e = l->edges; e; e = e->next_in) {
            ov_layer *from = ov_find_layer(net, e->from_layer);

            if (!from)
                return ov_fail_layer(r, l, e->line,
                                     "an edge comes from layer %lld, which does not exist",
                                     (long long)e->from_layer);
            reach(from, stack, &depth);
        }
    }
    return true;
}

bool ov_reach_layers(ov_reader *r, ov_net *net)
{
    if (!index_layers(r, net))
        return false;
    sort_edges(net);
    return mark_reached(r, net);
}
