/* Graphs: creation, destruction, the names table, variables, bodies. */
#include "ir/graph/graph.h"
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/base/table.h"
#include "ir/graph/argument.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"

#include <stdlib.h>
#include <string.h>

struct variable_entry {
    inlay_variable *variable;
    UT_hash_handle hh;
};

/* Makes a graph: an outermost one if OUTER is NULL, otherwise a body within OUTER, which shares
 * OUTER's counters and history. */
static inlay_graph *graph_in(inlay_arena *arena, const char *name, const inlay_graph *outer)
{
    inlay_graph *g = inlay_arena_alloc(arena, sizeof *g);

    if (!g)
        return NULL;
    g->arena = arena;
    g->name = inlay_arena_strdup(arena, name ? name : "");
    g->priv = inlay_arena_alloc(arena, sizeof *g->priv);
    g->work = outer ? outer->work : inlay_arena_alloc(arena, sizeof *g->work);
    g->next_dim_id = 1;
    return g->name && g->priv && g->work && history_begin(g, outer) ? g : NULL;
}

inlay_graph *inlay_graph_new_in(inlay_budget *budget, const inlay_op_set *ops, const char *name,
                                inlay_diags *d)
{
    inlay_arena *arena = inlay_arena_of(budget);
    inlay_graph *g = arena ? graph_in(arena, name, NULL) : NULL;

    if (!g) {
        inlay_arena_free(arena);
        inlay_fail_memory(d);
        return NULL;
    }
    g->ops = inlay_op_set_retain(ops);
    return g;
}

inlay_graph *inlay_graph_new_of(const inlay_op_set *ops, const char *name, inlay_diags *d)
{
    return inlay_graph_new_in(NULL, ops, name, d);
}

inlay_graph *inlay_graph_new(const char *name, inlay_diags *d)
{
    return inlay_graph_new_of(NULL, name, d);
}

static inlay_graph *outermost(inlay_graph *g)
{
    while (g->owner)
        g = g->owner->graph;
    return g;
}

inlay_graph *inlay_graph_new_body(inlay_node *node, const char *name, inlay_diags *d)
{
    inlay_graph *outer, *top, *g;

    if (inlay_is_missing(node, "node", d))
        return NULL;
    outer = node->graph;
    top = outermost(outer);
    if (inlay_graph_depth(outer) + 1 > INLAY_MAX_BODY_DEPTH) {
        inlay_fail_node(d, node, "bodies are nested more than %d deep", INLAY_MAX_BODY_DEPTH);
        return NULL;
    }
    g = graph_in(outer->arena, name, outer);
    if (!g) {
        inlay_fail_memory(d);
        return NULL;
    }
    g->priv->next_body = top->priv->bodies;
    top->priv->bodies = g;
    g->owner = node;
    g->ops = outer->ops;
    g->file = outer->file;
    g->place_word = outer->place_word;
    g->ir_version = outer->ir_version;
    return g;
}

bool inlay_node_set_bodies(inlay_node *node, int n, inlay_diags *d)
{
    if (inlay_is_missing(node, "node", d))
        return false;
    if (n < 0 || (n > 0 && !(node->op->flags & (INLAY_HAS_BODY | INLAY_STAND_IN))))
        return inlay_fail_node(d, node, "the operation cannot have %d bod%s", n,
                               inlay_plural(n, "y", "ies"));
    graph_tell_edit(node, false);
    node->bodies = inlay_arena_array(node->graph->arena, (size_t)n, sizeof *node->bodies);
    if (!node->bodies)
        return inlay_fail_memory(d);
    node->n_bodies = n;
    graph_touch_node(node);
    return true;
}

int inlay_graph_depth(const inlay_graph *g)
{
    int depth = 0;

    for (; g && g->owner; g = g->owner->graph)
        depth++;
    return depth;
}

/* Releases what the arena does not own: tensors, the cached order, tables of names. */
static void release(inlay_graph *g)
{
    for (size_t i = 0; i < g->priv->n_tensors; i++)
        inlay_tensor_release(g->priv->tensors[i]);
    inlay_give(g->priv->tensors);
    g->priv->tensors = NULL;
    g->priv->n_tensors = 0;
    graph_forget_order(g);
    HASH_CLEAR(hh, g->priv->variables);
    graph_dim_names_free(g);
    graph_dim_sums_free(g);
}

void inlay_graph_free(inlay_graph *g)
{
    if (!g)
        return;
    for (inlay_graph *body = g->priv->bodies; body; body = body->priv->next_body)
        release(body);
    release(g);
    inlay_op_set_release(g->ops);
    inlay_arena_free(g->arena);
}

size_t inlay_graph_bytes(const inlay_graph *g)
{
    return g ? inlay_arena_bytes(g->arena) : 0;
}

bool inlay_graph_expect(inlay_graph *g, size_t nodes, inlay_diags *d)
{
    return names_expect(&g->priv->names, nodes, g->arena) || inlay_fail_memory(d);
}

void inlay_graph_foresee(const inlay_graph *g, uint32_t hash)
{
    names_foresee(&g->priv->names, hash);
}

bool graph_names_add(inlay_graph *g, inlay_node *n, uint32_t hash, inlay_diags *d)
{
    return names_add(&g->priv->names, n, hash, g->arena) || inlay_fail_memory(d);
}

/* *HASH becomes that of NAME. */
static struct name_slot *find_hashed(const inlay_graph *g, const char *name, uint32_t *hash)
{
    inlay_count_steps(g, 1);
    *hash = names_hash(name);
    return names_find(&g->priv->names, name, *hash);
}

static struct name_slot *find_name(const inlay_graph *g, const char *name)
{
    uint32_t hash;

    return find_hashed(g, name, &hash);
}

const char *graph_unique_name(inlay_graph *g, const char *name, uint32_t *hash)
{
    struct name_slot *e = find_hashed(g, name, hash);

    if (!e)
        return inlay_arena_strdup(g->arena, name);
    for (;;) {
        char *candidate = inlay_arena_printf(g->arena, "%s_%u", name, (unsigned)++e->suffix);

        inlay_count_steps(g, 1);
        if (!candidate || !find_hashed(g, candidate, hash))
            return candidate;
    }
}

void graph_names_remove(inlay_graph *g, inlay_node *n)
{
    struct name_slot *e = find_name(g, n->name);

    if (e && e->node == n)
        names_remove(e);
}

void graph_names_swap(inlay_graph *g, inlay_node *a, inlay_node *b)
{
    struct name_slot *of_a = find_name(g, a->name), *of_b = find_name(g, b->name);

    of_a->node = b;
    of_b->node = a;
}

inlay_node *inlay_graph_node(const inlay_graph *g, const char *name)
{
    const struct name_slot *e = g && name ? find_name(g, name) : NULL;

    return e ? e->node : NULL;
}

static inlay_variable *find_variable(const inlay_graph *g, const char *name)
{
    struct variable_entry *e = NULL;

    HASH_FIND(hh, g->priv->variables, name, strlen(name), e);
    return e ? e->variable : NULL;
}

static bool add_variable(inlay_graph *g, inlay_variable *v)
{
    struct variable_entry *e = inlay_arena_alloc(g->arena, sizeof *e);
    inlay_budget *table_budget = inlay_graph_budget(g);
    bool table_oom = false;

    if (!e)
        return false;
    e->variable = v;
    HASH_ADD_KEYPTR(hh, g->priv->variables, v->name, strlen(v->name), e);
    return !table_oom;
}

inlay_variable *inlay_graph_variable(inlay_graph *g, const char *name, inlay_diags *d)
{
    inlay_variable *v;

    if (inlay_is_missing(g, "graph", d) || inlay_is_missing(name, "name of a variable", d))
        return NULL;
    g = outermost(g);
    v = find_variable(g, name);
    if (v)
        return v;
    if (!graph_grow(g, &g->variables, (size_t)g->n_variables, &g->priv->cap_variables,
                    sizeof *g->variables, d))
        return NULL;
    v = inlay_arena_alloc(g->arena, sizeof *v);
    if (!v || !(v->name = inlay_arena_strdup(g->arena, name)) || !add_variable(g, v)) {
        inlay_fail_memory(d);
        return NULL;
    }
    v->rank = -1;
    v->index = g->n_variables;
    g->variables[g->n_variables++] = v;
    return v;
}

inlay_variable *inlay_variable_of(const inlay_node *n, inlay_op_kind kind)
{
    const inlay_attr *a = n && inlay_node_is(n, kind) ? inlay_node_attr(n, "variable_id") : NULL;

    return a ? a->as.variable : NULL;
}

/* The first node in the bodies of N from number I on; NULL: they have none. */
static inlay_node *first_in_bodies(const inlay_node *n, int i)
{
    inlay_node *first = NULL;

    for (; !first && i < n->n_bodies; i++)
        first = n->bodies[i].graph ? n->bodies[i].graph->first : NULL;
    return first;
}

/* The first node in the bodies of OF's owner that come behind OF. */
static inlay_node *first_behind(const inlay_graph *of)
{
    int i = 0;

    while (of->owner->bodies[i].graph != of)
        i++;
    return first_in_bodies(of->owner, i + 1);
}

inlay_node *inlay_graph_walk(const inlay_graph *g, const inlay_node *n)
{
    inlay_node *next = n ? first_in_bodies(n, 0) : g->first;

    while (n && !next) {
        const inlay_graph *of = n->graph;

        next = n->next;
        n = of == g ? NULL : of->owner;
        if (!next && n)
            next = first_behind(of);
    }
    return next;
}

size_t inlay_graph_count_nodes(const inlay_graph *g)
{
    size_t count = 0;

    for (const inlay_node *n = inlay_graph_walk(g, NULL); n; n = inlay_graph_walk(g, n))
        count++;
    return count;
}

void inlay_variables_in_bodies(const inlay_graph *g, const inlay_node **inside)
{
    if (!g || !inside)
        return;
    for (const inlay_node *n = inlay_graph_walk(g, NULL); n; n = inlay_graph_walk(g, n)) {
        const inlay_variable *read = inlay_variable_of(n, INLAY_OP_READ_VALUE);
        const inlay_variable *v = read ? read : inlay_variable_of(n, INLAY_OP_ASSIGN);

        inlay_count_steps(g, 1);
        if (n->graph->owner && v && !inside[v->index])
            inside[v->index] = n;
    }
}

bool inlay_variable_set(inlay_graph *g, inlay_variable *v, inlay_type type, int rank,
                        const inlay_dim *dims, inlay_diags *d)
{
    inlay_dim *copy = NULL;

    if (inlay_is_missing(g, "graph", d) || inlay_is_missing(v, "variable", d) ||
        !inlay_type_is_sound(type, NULL, d) || !inlay_shape_is_sound(rank, dims, NULL, d))
        return false;
    if (rank > 0) {
        copy = inlay_arena_array(g->arena, (size_t)rank, sizeof *copy);
        if (!copy)
            return inlay_fail_memory(d);
        memcpy(copy, dims, (size_t)rank * sizeof *copy);
    }
    v->type = type;
    v->rank = rank;
    v->dims = copy;
    return true;
}

void inlay_graph_drop_notes(inlay_graph *g)
{
    if (!g || !g->has_notes)
        return;
    inlay_count_steps(g, g->n_nodes);
    for (inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_out; i++) {
            n->out[i].note = INLAY_FRESH;
            n->out[i].note_target = NULL;
            n->out[i].grounds = NULL;
        }
    }
    g->n_order_edges = 0;
    g->has_notes = false;
}

void graph_touch(inlay_graph *g)
{
    for (; g; g = g->owner ? g->owner->graph : NULL) {
        inlay_graph_drop_notes(g);
        graph_forget_order(g);
    }
}

void graph_touch_node(inlay_node *n)
{
    graph_tell_edit(n, false);
    n->settled = false;
    graph_touch(n->graph);
}

bool inlay_value_set_note(inlay_value *v, inlay_note_kind kind, inlay_value *target, inlay_diags *d)
{
    inlay_graph *g;

    if (inlay_is_missing(v, "value", d))
        return false;
    if ((unsigned)kind > INLAY_INTO)
        return inlay_fail_node(d, v->node, "there is no kind %d of storage notes", (int)kind);
    g = v->node->graph;
    if (kind == INLAY_FRESH)
        target = NULL;
    else if (!target || target->node->graph != g)
        return inlay_fail_node(d, v->node, "a storage note needs a target in the same graph");
    v->note = kind;
    v->note_target = target;
    v->grounds = NULL;
    g->has_notes = true;
    return true;
}

bool inlay_graph_add_order_edge(inlay_graph *g, inlay_node *before, inlay_node *after,
                                inlay_diags *d)
{
    if (inlay_is_missing(g, "graph", d) || inlay_is_missing(before, "node", d) ||
        inlay_is_missing(after, "node", d))
        return false;
    if (before->graph != g || after->graph != g)
        return inlay_fail_node(d, after, "an order edge needs both nodes in the same graph");
    if (!graph_grow(g, &g->order_edges, g->n_order_edges, &g->priv->cap_order_edges,
                    sizeof *g->order_edges, d))
        return false;
    g->order_edges[g->n_order_edges++] = (inlay_order_edge){before, after};
    g->has_notes = true;
    return true;
}

bool inlay_use_is_overwritten(const inlay_use *u)
{
    for (int i = 0; i < u->node->n_out; i++) {
        const inlay_value *v = &u->node->out[i];

        if (v->note == INLAY_OVERWRITES && v->note_target == u->value)
            return true;
    }
    return false;
}

const char *inlay_note_text(inlay_note_kind kind)
{
    static const char *const text[] = {[INLAY_FRESH] = "fresh",
                                       [INLAY_VIEW_OF] = "view of",
                                       [INLAY_OVERWRITES] = "overwrites",
                                       [INLAY_INTO] = "into"};

    return (unsigned)kind <= INLAY_INTO ? text[kind] : NULL;
}
