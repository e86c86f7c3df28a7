/* What a graph owns until it is freed: growing arrays in its arena, references to tensors, the
 * flags of all rows that it ever had. */
#include "ir/base/arena.h"
#include "ir/graph/graph.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"

#include <stdlib.h>
#include <string.h>

bool graph_keep_tensor(inlay_graph *g, const inlay_tensor *t, inlay_diags *d)
{
    struct inlay_graph_private *p = g->priv;

    if (p->n_tensors == p->cap_tensors) {
        size_t cap = p->cap_tensors ? p->cap_tensors * 2 : 16;
        inlay_tensor **grown = inlay_retake(inlay_graph_budget(g), p->tensors, cap * sizeof *grown);

        if (!grown)
            return inlay_fail_memory(d);
        p->tensors = grown;
        p->cap_tensors = cap;
    }
    p->tensors[p->n_tensors++] = inlay_tensor_retain(t);
    return true;
}

bool graph_grow(inlay_graph *g, void *array, size_t n, size_t *cap, size_t size, inlay_diags *d)
{
    return inlay_arena_grow(g->arena, array, n, cap, size) || inlay_fail_memory(d);
}

bool inlay_graph_had(const inlay_graph *g, unsigned flags)
{
    return g && (g->priv->flags & flags) != 0;
}
