/* Metadata trees: rt_info and meta_data, kept as they are in a file. */

#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/graph/node.h"

#include <string.h>

inlay_meta *inlay_meta_new(inlay_graph *g, const char *tag, inlay_diags *d)
{
    inlay_meta *m;

    if (inlay_is_missing(g, "graph", d) || inlay_is_missing(tag, "tag", d))
        return NULL;
    m = inlay_arena_alloc(g->arena, sizeof *m);
    if (!m || !(m->tag = inlay_arena_strdup(g->arena, tag))) {
        inlay_fail_memory(d);
        return NULL;
    }
    return m;
}

bool inlay_meta_set(inlay_graph *g, inlay_meta *m, const char *name, const char *value,
                    inlay_diags *d)
{
    const char **grown;
    size_t n;

    if (inlay_is_missing(g, "graph", d) || inlay_is_missing(m, "element of metadata", d) ||
        inlay_is_missing(name, "name of an attribute", d) || inlay_is_missing(value, "value", d))
        return false;
    n = (size_t)m->n_attrs * 2;
    grown = inlay_arena_array(g->arena, n + 2, sizeof *grown);
    if (!grown)
        return inlay_fail_memory(d);
    if (n)
        memcpy(grown, m->attrs, n * sizeof *grown);
    grown[n] = inlay_arena_strdup(g->arena, name);
    grown[n + 1] = inlay_arena_strdup(g->arena, value);
    if (!grown[n] || !grown[n + 1])
        return inlay_fail_memory(d);
    m->attrs = grown;
    m->n_attrs++;
    return true;
}
