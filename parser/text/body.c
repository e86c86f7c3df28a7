/* Reads the bodies of a node of the text form, and their port maps. */
#include "parser/internal.h"
#include "parser/text/text.h"

#include <stdio.h>
#include <string.h>

static bool read_outer(text_reader *r, int limit, int *outer)
{
    bool none;
    int64_t i;

    *outer = -1;
    if (!text_accept(r, "none", &none) || none)
        return none;
    if (!text_int(r, &i))
        return false;
    if (i < 0 || i >= limit)
        return text_fail(r, "found number %lld, the node has %d", (long long)i, limit);
    *outer = (int)i;
    return true;
}

/* The position in LIST of the node that a name stands for. */
static bool read_inner(text_reader *r, const inlay_graph *body, inlay_node **list, int n,
                       const char *what, int *inner)
{
    text_scope s = {.g = (inlay_graph *)body};
    inlay_node *node;
    text_ref ref;
    char text[64];

    if (!text_ref_read(r, &ref) || !text_ref_node(r, &s, &ref, &node))
        return false;
    *inner = position_of(list, n, node);
    if (*inner >= 0)
        return true;
    snprintf(text, sizeof text, "which is no %s of the body", what);
    return text_ref_fail(r, &ref, text);
}

static bool read_slicing(text_reader *r, inlay_port *port)
{
    static const char *const words[] = {"axis", "start", "end", "stride", "part_size"};
    int64_t *const to[] = {&port->axis, &port->start, &port->end, &port->stride, &port->part_size};
    bool there;

    if (inlay_token_is(&r->lex.now, "axis")) {
        port->has_axis = true;
        for (int i = 0; i < 5; i++) {
            if (!text_expect(r, words[i]) || !text_int(r, to[i]))
                return false;
        }
    }
    if (!text_accept(r, "iteration", &there))
        return false;
    if (there)
        port->purpose = INLAY_PORT_ITERATION;
    if (!text_accept(r, "condition", &there))
        return false;
    if (there)
        port->purpose = INLAY_PORT_CONDITION;
    return true;
}

/* in 2 -> %x ..., out %y -> 0 ...: appended to r->list */
static bool read_port(text_reader *r, const inlay_node *n, const inlay_graph *body, bool in)
{
    inlay_port port = {.outer = -1};

    if (!text_next(r))
        return false;
    if (in) {
        if (!read_outer(r, n->n_in, &port.outer) || !text_expect(r, "->") ||
            !read_inner(r, body, body->params, body->n_params, "Parameter", &port.inner))
            return false;
    } else if (!read_inner(r, body, body->results, body->n_results, "Result", &port.inner) ||
               !text_expect(r, "->") || !read_outer(r, n->n_out, &port.outer)) {
        return false;
    }
    if (!read_slicing(r, &port))
        return false;
    inlay_strbuf_add(&r->list, (const char *)&port, sizeof port);
    return true;
}

static bool read_back_edge(text_reader *r, const inlay_graph *body)
{
    inlay_back_edge edge;

    if (!text_next(r) ||
        !read_inner(r, body, body->results, body->n_results, "Result", &edge.from) ||
        !text_expect(r, "->") ||
        !read_inner(r, body, body->params, body->n_params, "Parameter", &edge.to))
        return false;
    inlay_strbuf_add(&r->list, (const char *)&edge, sizeof edge);
    return true;
}

/* What r->list collected, in the graph's arena. */
static void *keep_list(text_reader *r, inlay_graph *g, size_t size, int *count)
{
    void *copy = r->list.failed ? NULL : inlay_arena_alloc(g->arena, r->list.n);

    if (!copy) {
        inlay_fail_memory(r->diags);
        return NULL;
    }
    if (r->list.n)
        memcpy(copy, r->list.bytes, r->list.n);
    *count = (int)(r->list.n / size);
    return copy;
}

static bool read_ports(text_reader *r, const inlay_node *n, inlay_body *body)
{
    inlay_graph *g = n->graph;

    r->list.n = 0;
    while (inlay_token_is(&r->lex.now, "in")) {
        if (!read_port(r, n, body->graph, true))
            return false;
    }
    if (!(body->in = keep_list(r, g, sizeof *body->in, &body->n_in)))
        return false;
    r->list.n = 0;
    while (inlay_token_is(&r->lex.now, "out")) {
        if (!read_port(r, n, body->graph, false))
            return false;
    }
    if (!(body->out = keep_list(r, g, sizeof *body->out, &body->n_out)))
        return false;
    r->list.n = 0;
    while (inlay_token_is(&r->lex.now, "back")) {
        if (!read_back_edge(r, body->graph))
            return false;
    }
    return (body->back = keep_list(r, g, sizeof *body->back, &body->n_back)) != NULL;
}

/* A word at which a new statement of the graph begins, so that it is not the role of a body. */
static bool begins_statement(const inlay_token *t)
{
    static const char *const words[] = {"order", "variable", "meta", "ir_version"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (inlay_token_is(t, words[i]))
            return true;
    }
    return t->kind != INLAY_TOKEN_WORD;
}

enum { MAX_BODIES = 8 }; /* of one node */

static bool read_body(text_reader *r, inlay_node *n, inlay_body *body)
{
    const char *role;

    if (!text_string(r, true, "the role of a body") || !(role = text_copy_word(r, n->graph)) ||
        !text_string(r, false, "the name of the body in quotes"))
        return false;
    body->graph = inlay_graph_new_body(n, r->word.bytes, r->diags);
    if (!body->graph)
        return false;
    body->role = role;
    return text_graph(r, body->graph) && read_ports(r, n, body);
}

/* Bodies are graphs within a graph; their nesting is bounded by inlay_graph_new_body. */
bool text_bodies(text_reader *r, inlay_node *n)
{
    inlay_body *bodies = NULL;
    int count = 0;

    while (!begins_statement(&r->lex.now)) {
        if (count == MAX_BODIES)
            return text_fail(r, "found more than %d bodies of one node", MAX_BODIES);
        if (!bodies && !(bodies = inlay_arena_array(r->scratch, MAX_BODIES, sizeof *bodies)))
            return inlay_fail_memory(r->diags);
        if (!read_body(r, n, &bodies[count++]))
            return false;
    }
    if (count == 0)
        return true;
    if (!inlay_node_set_bodies(n, count, r->diags))
        return false;
    memcpy(n->bodies, bodies, (size_t)count * sizeof *bodies);
    return true;
}
