/* Nodes and values: creation, def-use chains, removal, replacement. */
#include "ir/graph/node.h"
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/graph/graph.h"
#include "ir/graph/work.h"
#include "ir/tensor/storage.h"

#include <stdlib.h>
#include <string.h>

static void init_outputs(inlay_node *n, inlay_value *out, int n_out)
{
    for (int i = 0; i < n_out; i++) {
        out[i].node = n;
        out[i].index = i;
        out[i].fact.rank = -1;
    }
    n->out = out;
    n->n_out = n_out;
}

static void link_last(inlay_graph *g, inlay_node *n)
{
    n->prev = g->last;
    if (g->last)
        g->last->next = n;
    else
        g->first = n;
    g->last = n;
    g->n_nodes++;
}

static bool join_list(inlay_graph *g, inlay_node *n, inlay_diags *d)
{
    struct inlay_graph_private *p = g->priv;

    if (inlay_node_is(n, INLAY_OP_PARAMETER)) {
        if (!graph_grow(g, &g->params, (size_t)g->n_params, &p->cap_params, sizeof *g->params, d))
            return false;
        g->params[g->n_params++] = n;
    } else if (inlay_node_is(n, INLAY_OP_RESULT)) {
        if (!graph_grow(g, &g->results, (size_t)g->n_results, &p->cap_results, sizeof *g->results,
                        d))
            return false;
        g->results[g->n_results++] = n;
    }
    return true;
}

/* Allocates a node with all its arrays in one piece, because they are used together. The numbers
 * are ints, so their sum cannot overflow a size. */
static inlay_node *allocate(inlay_graph *g, const inlay_op *op, int n_in, int n_out)
{
    size_t attrs = (size_t)op->n_attrs * sizeof(inlay_attr);
    size_t in = (size_t)n_in * sizeof(inlay_use), outs = (size_t)n_out * sizeof(inlay_value);
    inlay_node *n = inlay_arena_alloc(g->arena, sizeof *n + outs + in + attrs);
    inlay_value *out;

    if (!n)
        return NULL;
    n->op = op;
    n->graph = g;
    n->place = -1;
    out = (inlay_value *)(n + 1);
    n->in = (inlay_use *)(out + n_out);
    n->attrs = (inlay_attr *)(n->in + n_in);
    for (int i = 0; i < n_in; i++) {
        n->in[i].node = n;
        n->in[i].index = i;
    }
    n->n_in = n_in;
    init_outputs(n, out, n_out);
    return n;
}

inlay_node *inlay_node_new(inlay_graph *g, const inlay_op *op, const char *name, int n_in,
                           int n_out, inlay_diags *d)
{
    inlay_node *n;
    uint32_t hash;

    if (inlay_is_missing(g, "graph", d) || inlay_is_missing(op, "operation", d))
        return NULL;
    if (n_in < 0 || n_out < 0) {
        inlay_fail(d, NULL, "a node cannot have %d input%s and %d output%s", n_in,
                   inlay_plural(n_in, "", "s"), n_out, inlay_plural(n_out, "", "s"));
        return NULL;
    }
    n = allocate(g, op, n_in, n_out);
    if (!n || !(n->name = graph_unique_name(g, name && *name ? name : op->name, &hash))) {
        inlay_fail_memory(d);
        return NULL;
    }
    if (name && strcmp(n->name, name) != 0 && !(n->label = inlay_arena_strdup(g->arena, name))) {
        inlay_fail_memory(d);
        return NULL;
    }
    if (!history_stamp(n, d) || !graph_names_add(g, n, hash, d) || !join_list(g, n, d))
        return NULL;
    n->id = g->next_id++;
    g->priv->flags |= op->flags;
    link_last(g, n);
    graph_tell_edit(n, true);
    graph_touch(g);
    return n;
}

bool inlay_node_rename(inlay_node *n, const char *name, inlay_diags *d)
{
    const char *unique, *label = NULL;
    inlay_graph *g;
    uint32_t hash;

    if (inlay_is_missing(n, "node", d) || inlay_is_missing(name, "name", d))
        return false;
    g = n->graph;
    if (strcmp(n->name, name) == 0)
        return true;
    unique = graph_unique_name(g, name, &hash);
    if (!unique || (strcmp(unique, name) != 0 && !(label = inlay_arena_strdup(g->arena, name))))
        return inlay_fail_memory(d);
    graph_tell_edit(n, false);
    graph_names_remove(g, n);
    n->name = unique;
    n->label = label;
    return graph_names_add(g, n, hash, d);
}

static void swap_texts(const char **a, const char **b)
{
    const char *kept = *a;

    *a = *b;
    *b = kept;
}

void inlay_node_swap_names(inlay_node *a, inlay_node *b)
{
    graph_tell_edit(a, false);
    graph_tell_edit(b, false);
    graph_names_swap(a->graph, a, b);
    swap_texts(&a->name, &b->name);
    swap_texts(&a->label, &b->label);
}

bool inlay_node_set_opset(inlay_node *n, const char *opset, inlay_diags *d)
{
    if (inlay_is_missing(n, "node", d))
        return false;
    if (opset && strcmp(opset, n->op->written) == 0)
        opset = n->op->written;
    else if (opset && !(opset = inlay_arena_strdup(n->graph->arena, opset)))
        return inlay_fail_memory(d);
    n->opset = opset;
    return true;
}

static void unlink_use(inlay_use *u)
{
    if (!u->value)
        return;
    *u->link = u->next;
    if (u->next)
        u->next->link = u->link;
    u->value->n_results -= inlay_node_is(u->node, INLAY_OP_RESULT);
    u->value = NULL;
    u->next = NULL;
    u->link = NULL;
}

static void link_use(inlay_use *u, inlay_value *v)
{
    u->value = v;
    u->next = v->uses;
    u->link = &v->uses;
    if (v->uses)
        v->uses->link = &u->next;
    v->uses = u;
    v->n_results += inlay_node_is(u->node, INLAY_OP_RESULT);
}

bool inlay_node_set_input(inlay_node *n, int i, inlay_value *value, inlay_diags *d)
{
    if (inlay_is_missing(n, "node", d))
        return false;
    if (i < 0 || i >= n->n_in)
        return inlay_fail_node(d, n, "there is no input %d, the node has %d", i, n->n_in);
    if (value && value->node->graph != n->graph)
        return inlay_fail_node(d, n, "input %d is a value of another graph", i);
    inlay_count_steps(n->graph, 1);
    graph_tell_edit(n, false);
    unlink_use(&n->in[i]);
    if (value)
        link_use(&n->in[i], value);
    graph_touch_node(n);
    return true;
}

bool inlay_node_is_used(const inlay_node *n)
{
    for (int i = 0; i < n->n_out; i++) {
        if (n->out[i].uses)
            return true;
    }
    return false;
}

bool inlay_node_set_n_out(inlay_node *n, int n_out, inlay_diags *d)
{
    inlay_value *out;

    if (inlay_is_missing(n, "node", d))
        return false;
    if (n_out < 0)
        return inlay_fail_node(d, n, "a node cannot have %d output%s", n_out,
                               inlay_plural(n_out, "", "s"));
    if (n_out == n->n_out)
        return true;
    if (inlay_node_is_used(n))
        return inlay_fail_node(d, n, "the outputs are in use, their number cannot change");
    out = inlay_arena_array(n->graph->arena, (size_t)n_out, sizeof *out);
    if (!out)
        return inlay_fail_memory(d);
    graph_tell_edit(n, false);
    init_outputs(n, out, n_out);
    graph_touch_node(n);
    return true;
}

/* Uses are linked in place, so those that move are linked anew. */
bool inlay_node_add_inputs(inlay_node *n, inlay_value *const *values, int count, inlay_diags *d)
{
    inlay_use *in;
    int had;

    if (inlay_is_missing(n, "node", d))
        return false;
    graph_tell_edit(n, false);
    had = n->n_in;
    in = inlay_arena_array(n->graph->arena, (size_t)had + (size_t)count, sizeof *in);
    if (!in)
        return inlay_fail_memory(d);
    for (int i = 0; i < had + count; i++) {
        inlay_value *v = i < had ? n->in[i].value : values[i - had];

        in[i] = (inlay_use){.node = n, .index = i};
        if (i < had)
            unlink_use(&n->in[i]);
        if (v)
            link_use(&in[i], v);
    }
    n->in = in;
    n->n_in = had + count;
    inlay_count_steps(n->graph, (uint64_t)n->n_in);
    graph_touch_node(n);
    return true;
}

bool inlay_node_drop_input(inlay_node *n, int i, inlay_diags *d)
{
    if (inlay_is_missing(n, "node", d))
        return false;
    if (i < 0 || i >= n->n_in)
        return inlay_fail_node(d, n, "there is no input %d, the node has %d", i, n->n_in);
    graph_tell_edit(n, false);
    for (; i + 1 < n->n_in; i++) {
        if (!inlay_node_set_input(n, i, n->in[i + 1].value, d))
            return false;
    }
    unlink_use(&n->in[i]);
    n->n_in--;
    graph_touch_node(n);
    return true;
}

bool inlay_node_drop_output(inlay_node *n, int i, inlay_diags *d)
{
    if (inlay_is_missing(n, "node", d))
        return false;
    if (i < 0 || i >= n->n_out)
        return inlay_fail_node(d, n, "there is no output %d, the node has %d", i, n->n_out);
    if (n->out[i].uses)
        return inlay_fail_node(d, n, "output %d is in use, it cannot go", i);
    graph_tell_edit(n, false);
    n->out[i].n_names = 0;
    for (; i + 1 < n->n_out; i++) {
        n->out[i].fact = n->out[i + 1].fact;
        if (!inlay_value_replace(&n->out[i + 1], &n->out[i], d))
            return false;
    }
    n->n_out--;
    graph_touch_node(n);
    return true;
}

static void leave_list(inlay_node **list, int *count, const inlay_node *n)
{
    int to = 0;

    inlay_count_steps(n->graph, (uint64_t)*count);
    for (int i = 0; i < *count; i++) {
        if (list[i] != n)
            list[to++] = list[i];
    }
    *count = to;
}

bool inlay_node_remove(inlay_node *n, inlay_diags *d)
{
    inlay_graph *g;

    if (inlay_is_missing(n, "node", d))
        return false;
    g = n->graph;
    if (inlay_graph_node(g, n->name) != n)
        return inlay_fail_node(d, n, "the node is not in its graph any more");
    if (inlay_node_is_used(n))
        return inlay_fail_node(d, n, "the node is in use, it cannot be removed");
    inlay_count_node(n);
    graph_tell_edit(n, false);
    graph_touch(g);
    for (int i = 0; i < n->n_in; i++)
        unlink_use(&n->in[i]);
    if (inlay_node_is(n, INLAY_OP_PARAMETER))
        leave_list(g->params, &g->n_params, n);
    else if (inlay_node_is(n, INLAY_OP_RESULT))
        leave_list(g->results, &g->n_results, n);
    graph_names_remove(g, n);
    *(n->prev ? &n->prev->next : &g->first) = n->next;
    *(n->next ? &n->next->prev : &g->last) = n->prev;
    n->prev = n->next = NULL;
    g->n_nodes--;
    return true;
}

bool inlay_value_same(const inlay_value *a, const inlay_value *b)
{
    const inlay_attr *x, *y;

    if (a == b)
        return true;
    if (!a || !b || !inlay_node_is(a->node, INLAY_OP_CONST) ||
        !inlay_node_is(b->node, INLAY_OP_CONST))
        return false;
    x = inlay_node_attr(a->node, "value");
    y = inlay_node_attr(b->node, "value");
    return x && y && inlay_tensor_equal(x->as.tensor, y->as.tensor);
}

bool inlay_value_is_output(const inlay_value *v)
{
    return v && v->n_results > 0;
}

bool inlay_value_replace(inlay_value *old, inlay_value *by, inlay_diags *d)
{
    if (inlay_is_missing(old, "value", d) || inlay_is_missing(by, "value to replace it", d))
        return false;
    if (old == by)
        return true;
    if (old->node->graph != by->node->graph)
        return inlay_fail_node(d, by->node, "a value may only be replaced by one of its own graph");
    if (inlay_value_is_output(old)) {
        if (!inlay_value_add_names(by, old->names, old->n_names, d))
            return false;
        old->n_names = 0;
    }
    while (old->uses) {
        inlay_use *u = old->uses;

        inlay_count_steps(by->node->graph, 1);
        graph_tell_edit(u->node, false);
        unlink_use(u);
        link_use(u, by);
        u->node->settled = false;
    }
    graph_touch(by->node->graph);
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Makes the COUNT names of LIST, which are in the arena, the names of V: sorted by bytes, each
 * once. */
static void keep_names(inlay_value *v, const char **list, int count)
{
    int kept = 0;

    inlay_count_steps(v->node->graph, (uint64_t)count);
    if (count > 1)
        qsort(list, (size_t)count, sizeof *list, compare_names);
    for (int i = 0; i < count; i++) {
        if (kept == 0 || strcmp(list[kept - 1], list[i]) != 0)
            list[kept++] = list[i];
    }
    v->names = list;
    v->n_names = kept;
}

/* NAME in the arena of V's graph. Mostly a value has the name of its node. */
static const char *lasting_name(const inlay_value *v, const char *name)
{
    const inlay_node *n = v->node;

    return strcmp(n->name, name) == 0 ? n->name : inlay_arena_strdup(n->graph->arena, name);
}

/* How many names a list of N has room for, at least. */
static size_t room_of(size_t n)
{
    size_t room = 1;

    while (room < n)
        room *= 2;
    return room;
}

/* The place of NAME among the names of V. */
static int name_place(const inlay_value *v, const char *name)
{
    int low = 0, high = v->n_names;

    while (low < high) {
        int middle = low + (high - low) / 2;

        inlay_count_steps(v->node->graph, 1);
        if (strcmp(v->names[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Makes a list of the first FIRST names of V and of N others. */
static bool join_names(inlay_value *v, int first, const char *const *names, int n, inlay_diags *d)
{
    inlay_arena *arena = v->node->graph->arena;
    const char **list = inlay_arena_array(arena, room_of((size_t)first + (size_t)n), sizeof *list);

    if (!list)
        return inlay_fail_memory(d);
    for (int i = 0; i < first; i++)
        list[i] = v->names[i];
    for (int i = 0; i < n; i++) {
        if (!(list[first + i] = lasting_name(v, names[i])))
            return inlay_fail_memory(d);
    }
    keep_names(v, list, first + n);
    return true;
}

bool inlay_value_set_names(inlay_value *v, const char *const *names, int n, inlay_diags *d)
{
    return !inlay_is_missing(v, "value", d) && inlay_names_are_sound(names, n, "names", d) &&
           join_names(v, 0, names, n, d);
}

bool inlay_value_add_names(inlay_value *v, const char *const *names, int n, inlay_diags *d)
{
    if (inlay_is_missing(v, "value", d) || !inlay_names_are_sound(names, n, "names", d))
        return false;
    return n == 0 || join_names(v, v->n_names, names, n, d);
}

/* A full list is made anew with twice the room: a value may get one name after the other. */
bool inlay_value_add_name(inlay_value *v, const char *name, inlay_diags *d)
{
    size_t n, at;
    const char **list;

    if (inlay_is_missing(v, "value", d) || !inlay_names_are_sound(&name, 1, "names", d))
        return false;
    n = (size_t)v->n_names;
    at = (size_t)name_place(v, name);
    if (at < n && strcmp(v->names[at], name) == 0)
        return true;
    if (n == 0 || room_of(n) == n)
        return join_names(v, v->n_names, &name, 1, d);
    list = (const char **)v->names;
    if (!(name = lasting_name(v, name)))
        return inlay_fail_memory(d);
    memmove(list + at + 1, list + at, (n - at) * sizeof *list);
    list[at] = name;
    v->n_names++;
    return true;
}
