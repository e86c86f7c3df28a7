/* Nodes: their row, their attributes, their bodies. */
#include "ir/shared.h"
#include "parser/assemble.h"

#include <stdio.h>
#include <string.h>

/* rows */

/* A file has many nodes of few types, and often passes the same pointer for equal type names, so
 * results are kept by these pointers. */
static const inlay_op *find_row(assembler *a, const char *type, const char *version)
{
    uintptr_t key = (uintptr_t)type ^ (uintptr_t)version << 3;
    assemble_found *f = &a->found[(key >> 4 ^ key >> 12) & (ASSEMBLE_N_FOUND - 1)];

    if (f->type != type || f->version != version)
        *f = (assemble_found){type, version,
                              inlay_op_find(a->graph->ops, type, version, NULL, NULL)};
    return f->op;
}

/* Reports an operation that the table does not have, in the words of inlay_op_find, at the reader's
 * position. */
static void fail_row(assembler *a, const assemble_spec *spec, const void *at)
{
    inlay_diags *why = inlay_diags_new();

    inlay_op_find(a->graph->ops, spec->type, spec->version, NULL, why);
    if (why && inlay_diags_count(why) > 0)
        a->words->fail(a->reader, at, inlay_diags_at(why, 0)->text);
    else
        inlay_fail_memory(a->d);
    inlay_diags_free(why);
}

/* Reports a wrong number. What is usually meant is another letter case or another version, so these
 * are suggested. */
static void fail_number(assembler *a, const assemble_spec *spec, const void *at)
{
    const inlay_op *near = inlay_op_find(a->graph->ops, spec->type, NULL, NULL, NULL);
    inlay_strbuf text = {0};
    char known[160];

    inlay_strbuf_printf(&text, "unknown operation %s-%lld", spec->type, (long long)spec->number);
    if (near)
        inlay_strbuf_printf(&text, " (%s is known)", inlay_op_text(near, known, sizeof known));
    if (text.failed)
        inlay_fail_memory(a->d);
    else
        a->words->fail(a->reader, at, text.bytes);
    inlay_strbuf_free(&text);
}

/* Finds the row by the number of the specification alone. */
static const inlay_op *row_of_number(assembler *a, const assemble_spec *spec, const void *at)
{
    const inlay_op *op = NULL;

    if (spec->number <= 9999)
        op = inlay_op_of_spec(a->graph->ops, spec->type, (int)spec->number);
    if (!op)
        fail_number(a, spec, at);
    return op;
}

const inlay_op *assemble_row(assemble_scope *s, const assemble_spec *spec, const void *at)
{
    assembler *a = s->a;
    bool replaced = spec->wanted == ASSEMBLE_STAND_IN;

    if (!replaced) {
        const inlay_op *op;

        if (spec->number >= 0 && !spec->version)
            return row_of_number(a, spec, at);
        op = find_row(a, spec->type, spec->version);
        if (op)
            return op;
        replaced = spec->wanted == ASSEMBLE_EITHER && a->options.allow_unknown;
    }
    if (replaced)
        return inlay_op_stand_in(s->graph->arena, spec->type, spec->version ? spec->version : "",
                                 a->d);
    fail_row(a, spec, at);
    return NULL;
}

/* nodes */

inlay_node *assemble_node(assemble_scope *s, const inlay_op *op, const assemble_record *r)
{
    inlay_node *n = inlay_node_new(s->graph, op, r->name, r->n_in, r->n_out, s->a->d);

    if (!n)
        return NULL;
    n->line = r->line;
    n->rt_info = r->rt_info;
    return !r->version || inlay_node_set_opset(n, r->version, s->a->d) ? n : NULL;
}

const char *assemble_string(assembler *a, const char *text)
{
    const char *copy = inlay_arena_strdup(a->graph->arena, text);

    if (!copy)
        inlay_fail_memory(a->d);
    return copy;
}

bool assemble_list(inlay_node *n, int attr, const void *items, int count, inlay_diags *d)
{
    const char *name = n->op->attrs[attr].name;

    switch (n->op->attrs[attr].kind) {
    case INLAY_ATTR_INTS:
        return inlay_node_set_ints(n, name, items, count, d);
    case INLAY_ATTR_FLOATS:
        return inlay_node_set_floats(n, name, items, count, d);
    case INLAY_ATTR_TYPES:
        return inlay_node_set_types(n, name, items, count, d);
    default:
        return inlay_node_set_strings(n, name, items, count, d);
    }
}

bool assemble_extra(inlay_node *n, const char *name, const char *value, inlay_diags *d)
{
    if (!n->extra && !(n->extra = inlay_meta_new(n->graph, "data", d)))
        return false;
    return inlay_meta_set(n->graph, n->extra, name, value, d);
}

inlay_tensor *assemble_tensor(assembler *a, inlay_type type, int rank, const int64_t *dims)
{
    inlay_tensor *t = inlay_tensor_in(a->options.budget, type, rank, dims);

    if (!t)
        inlay_fail_memory(a->d);
    return t;
}

/* bodies */

struct assemble_port_entry {
    inlay_port port;
    struct assemble_port_entry *next;
};

struct assemble_back_entry {
    inlay_back_edge edge;
    struct assemble_back_entry *next;
};

assemble_scope *assemble_body(assemble_scope *s, inlay_node *n, const char *role, const char *name)
{
    inlay_graph *g = inlay_graph_new_body(n, name, s->a->d);
    assemble_scope *body = g ? assemble_scope_new(s->a, s, g) : NULL;

    if (body) {
        body->body.role = role;
        body->body.graph = g;
    }
    return body;
}

/* LIST is in the order of creation, which is that of node ids. */
int assemble_inner(const inlay_graph *g, bool input, const inlay_node *inner)
{
    inlay_node *const *list = input ? g->params : g->results;
    int n = input ? g->n_params : g->n_results, lo = 0, hi = n;

    while (inner && lo < hi) {
        int mid = lo + (hi - lo) / 2;

        if (list[mid]->id < inner->id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return inner && lo < n && list[lo] == inner ? lo : -1;
}

bool assemble_port(assemble_scope *s, bool input, const inlay_port *p)
{
    struct assemble_port_entry *e = inlay_arena_alloc(s->a->scratch, sizeof *e);

    if (!e)
        return inlay_fail_memory(s->a->d);
    e->port = *p;
    *(input ? s->in_end : s->out_end) = e;
    *(input ? &s->in_end : &s->out_end) = &e->next;
    ++*(input ? &s->body.n_in : &s->body.n_out);
    return true;
}

bool assemble_back_edge(assemble_scope *s, inlay_back_edge edge)
{
    struct assemble_back_entry *e = inlay_arena_alloc(s->a->scratch, sizeof *e);

    if (!e)
        return inlay_fail_memory(s->a->d);
    e->edge = edge;
    *s->back_end = e;
    s->back_end = &e->next;
    s->body.n_back++;
    return true;
}

/* Copies the ports of LIST to an array in the graph's arena. NULL: out of memory. */
static inlay_port *port_array(const assemble_scope *s, const struct assemble_port_entry *list,
                              int n)
{
    inlay_port *ports = inlay_arena_array(s->graph->arena, (size_t)n, sizeof *ports), *p = ports;

    for (; ports && list; list = list->next)
        *p++ = list->port;
    return ports;
}

static inlay_back_edge *back_array(const assemble_scope *s)
{
    inlay_back_edge *edges =
        inlay_arena_array(s->graph->arena, (size_t)s->body.n_back, sizeof *edges);
    inlay_back_edge *to = edges;

    for (const struct assemble_back_entry *e = s->back; edges && e; e = e->next)
        *to++ = e->edge;
    return edges;
}

bool assemble_bodies(inlay_node *n, assemble_scope *const *bodies, int count, inlay_diags *d)
{
    if (!inlay_node_set_bodies(n, count, d))
        return false;
    for (int i = 0; i < count; i++) {
        inlay_body *b = &bodies[i]->body;

        b->in = port_array(bodies[i], bodies[i]->in, b->n_in);
        b->out = port_array(bodies[i], bodies[i]->out, b->n_out);
        b->back = back_array(bodies[i]);
        if (!b->in || !b->out || !b->back)
            return inlay_fail_memory(d);
        n->bodies[i] = *b;
    }
    return true;
}
