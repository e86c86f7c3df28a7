/* The budget that a graph carries: its arena does. */
#include "ir/base/argument.h"
#include "ir/graph/memory.h"

inlay_budget *inlay_graph_budget(const inlay_graph *g)
{
    return g ? inlay_arena_budget(g->arena) : NULL;
}

bool inlay_graph_set_budget(inlay_graph *g, inlay_budget *b, inlay_diags *d)
{
    if (inlay_is_missing(g, "graph", d))
        return false;
    return inlay_arena_move(g->arena, b) || inlay_budget_tell(b, inlay_fail_memory(d), d);
}
