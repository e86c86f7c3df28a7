/* Names of open sizes: a table of each graph from name to identity and back.
 *
 *     batch  <->  1        inputs ids[?#batch,?#length] and mask[?#batch,?#length]
 *     length <->  2
 *
 * The sizes themselves have only the identity, so that rules, passes and executors do not depend on
 * names. A name stays in the table when no size has its identity any more. */
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/base/table.h"
#include "ir/graph/graph.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/tensor/dim.h"

#include <stdio.h>
#include <string.h>

struct dim_entry {
    const char *name;
    uint32_t id;
    UT_hash_handle by_name, by_id;
};

static struct dim_entry *find_name(const inlay_graph *g, const char *name)
{
    struct dim_entry *e = NULL;

    HASH_FIND(by_name, g->priv->dims_by_name, name, strlen(name), e);
    return e;
}

static struct dim_entry *find_id(const inlay_graph *g, uint32_t id)
{
    struct dim_entry *e = NULL;

    if (id && g->priv->dims_by_id)
        HASH_FIND(by_id, g->priv->dims_by_id, &id, sizeof id, e);
    return e;
}

/* Neither NAME nor ID is in the tables. */
static bool add(inlay_graph *g, uint32_t id, const char *name, inlay_diags *d)
{
    struct dim_entry *e = inlay_arena_alloc(g->arena, sizeof *e);
    inlay_budget *table_budget = inlay_graph_budget(g);
    bool table_oom = false;

    if (!e || !(e->name = inlay_arena_strdup(g->arena, name)))
        return inlay_fail_memory(d);
    e->id = id;
    HASH_ADD_KEYPTR(by_name, g->priv->dims_by_name, e->name, strlen(e->name), e);
    if (table_oom)
        return inlay_fail_memory(d);
    HASH_ADD(by_id, g->priv->dims_by_id, id, sizeof e->id, e);
    return !table_oom || inlay_fail_memory(d);
}

static bool is_name(const char *name, inlay_diags *d)
{
    return !inlay_is_missing(name, "name of a dimension", d) &&
           (*name || inlay_fail(d, NULL, "the name of a dimension is empty"));
}

uint32_t inlay_graph_named_dim(inlay_graph *g, const char *name, inlay_diags *d)
{
    const struct dim_entry *e;

    if (inlay_is_missing(g, "graph", d) || !is_name(name, d))
        return 0;
    e = find_name(g, name);
    if (e)
        return e->id;
    return add(g, g->next_dim_id, name, d) ? g->next_dim_id++ : 0;
}

bool inlay_graph_name_dim(inlay_graph *g, uint32_t id, const char *name, inlay_diags *d)
{
    if (inlay_is_missing(g, "graph", d) || !is_name(name, d))
        return false;
    if (id == 0 || id >= g->next_dim_id)
        return inlay_fail(d, NULL, "the graph has no identity %u of a dimension", (unsigned)id);
    return find_name(g, name) || find_id(g, id) || add(g, id, name, d);
}

uint32_t inlay_graph_dim_id(const inlay_graph *g, const char *name)
{
    const struct dim_entry *e = g && name ? find_name(g, name) : NULL;

    return e ? e->id : 0;
}

const char *inlay_graph_dim_name(const inlay_graph *g, uint32_t id)
{
    const struct dim_entry *e = g ? find_id(g, id) : NULL;

    return e ? e->name : NULL;
}

const char *inlay_value_dim_name(const inlay_value *v, int axis)
{
    if (!v || axis < 0 || axis >= v->fact.rank || inlay_dim_is_static(v->fact.dims[axis]))
        return NULL;
    return inlay_graph_dim_name(v->node->graph, v->fact.dims[axis].id);
}

/* Does an operand of N have the identity ID in its shape or elements? */
static bool comes_in(const inlay_node *n, uint32_t id)
{
    for (int i = 0; i < n->n_in; i++) {
        const inlay_fact *f = n->in[i].value ? &n->in[i].value->fact : NULL;

        for (int k = 0; f && k < f->rank; k++) {
            if (f->dims[k].id == id)
                return true;
        }
        for (int k = 0; f && f->known && k < f->n_known; k++) {
            if (f->known[k].id == id)
                return true;
        }
    }
    return false;
}

const char *inlay_value_new_dim_name(const inlay_value *v, int axis)
{
    const char *name = inlay_value_dim_name(v, axis);

    return name && !comes_in(v->node, v->fact.dims[axis].id) ? name : NULL;
}

bool inlay_value_has_new_dim_name(const inlay_value *v)
{
    for (int i = 0; v->node->graph->priv->dims_by_id && i < v->fact.rank; i++) {
        if (inlay_value_new_dim_name(v, i))
            return true;
    }
    return false;
}

bool graph_copy_dim_names(const inlay_graph *from, inlay_graph *to, inlay_diags *d)
{
    for (const struct dim_entry *e = from->priv->dims_by_id; e; e = e->by_id.next) {
        if (!inlay_graph_name_dim(to, e->id, e->name, d))
            return false;
    }
    return true;
}

void graph_dim_names_free(inlay_graph *g)
{
    HASH_CLEAR(by_name, g->priv->dims_by_name);
    HASH_CLEAR(by_id, g->priv->dims_by_id);
}

/* No input of G has a dim called NAME. */
static bool fail_no_dim(const inlay_graph *g, const char *name, inlay_diags *d)
{
    inlay_guess guess = {.word = name, .length = strlen(name)};
    char text[100];

    for (int i = 0; i < g->n_params; i++) {
        const inlay_value *v = &g->params[i]->out[0];

        for (int k = 0; k < v->fact.rank; k++) {
            const char *other = inlay_value_dim_name(v, k);

            if (other)
                inlay_guess_try(&guess, other);
        }
    }
    return inlay_fail(d, NULL, "no input has a dimension called \"%.200s\"%s", name,
                      inlay_guess_text(&guess, text, sizeof text));
}

/* Sets the dims of P's declared shape that have the identity ID; *DONE: there was one. */
static bool set_declared(inlay_node *p, uint32_t id, const char *name, int64_t size, bool *done,
                         inlay_diags *d)
{
    const inlay_attr *a = inlay_node_attr(p, "shape");
    inlay_shape s = {.rank = -1};
    bool changed = false;
    char text[48];

    if (a)
        s = *a->as.shape;
    for (int i = 0; i < s.rank; i++) {
        if (s.dim[i].id != id || inlay_dim_is_static(s.dim[i]))
            continue;
        if (size < s.dim[i].lo || size > s.dim[i].hi)
            return inlay_fail_node(d, p, "dimension %d, \"%.200s\", cannot be %lld: it is %s", i,
                                   name, (long long)size,
                                   inlay_dim_text(s.dim[i], text, sizeof text));
        s.dim[i] = inlay_dim_of(size);
        changed = *done = true;
    }
    return !changed || inlay_node_set_shape(p, "shape", &s, d);
}

bool inlay_graph_set_dim(inlay_graph *g, const char *name, int64_t size, inlay_diags *d)
{
    uint32_t id;
    bool done = false;

    if (inlay_is_missing(g, "graph", d) || inlay_is_missing(name, "name of a dimension", d))
        return false;
    if (size < 0)
        return inlay_fail(d, NULL, "dimension \"%.200s\" cannot be %lld", name, (long long)size);
    id = inlay_graph_dim_id(g, name);
    for (int i = 0; id && i < g->n_params; i++) {
        if (!set_declared(g->params[i], id, name, size, &done, d))
            return false;
    }
    return done ? inlay_infer_graph(g, d) : fail_no_dim(g, name, d);
}
