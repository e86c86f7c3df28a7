/* Reads the bodies of a node of the text form, and their port maps. */
#include "ir/shared.h"
#include "parser/text/text.h"

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

/* Reads the name of a Parameter (INPUT) or Result of the body and finds its position. */
static bool read_inner(text_reader *r, assemble_scope *body, bool input, int *inner)
{
    const assemble_name *name;
    text_ref ref;

    if (!text_ref_read(r, &ref) || !(name = text_ref_name(r, body, &ref)))
        return false;
    *inner = assemble_inner(body->graph, input, name->node);
    return *inner >= 0 || text_ref_fail(r, &ref,
                                        input ? "which is no Parameter of the body"
                                              : "which is no Result of the body");
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

/* Reads a port: `in 2 -> %x ...` or `out %y -> 0 ...`. */
static bool read_port(text_reader *r, const inlay_node *n, assemble_scope *body, bool in)
{
    inlay_port port = {.outer = -1};

    if (!text_next(r))
        return false;
    if (in) {
        if (!read_outer(r, n->n_in, &port.outer) || !text_expect(r, "->") ||
            !read_inner(r, body, true, &port.inner))
            return false;
    } else if (!read_inner(r, body, false, &port.inner) || !text_expect(r, "->") ||
               !read_outer(r, n->n_out, &port.outer)) {
        return false;
    }
    return read_slicing(r, &port) && assemble_port(body, in, &port);
}

static bool read_back_edge(text_reader *r, assemble_scope *body)
{
    inlay_back_edge edge = {-1, -1};

    return text_next(r) && read_inner(r, body, false, &edge.from) && text_expect(r, "->") &&
           read_inner(r, body, true, &edge.to) && assemble_back_edge(body, edge);
}

static bool read_ports(text_reader *r, const inlay_node *n, assemble_scope *body)
{
    while (inlay_token_is(&r->lex.now, "in")) {
        if (!read_port(r, n, body, true))
            return false;
    }
    while (inlay_token_is(&r->lex.now, "out")) {
        if (!read_port(r, n, body, false))
            return false;
    }
    while (inlay_token_is(&r->lex.now, "back")) {
        if (!read_back_edge(r, body))
            return false;
    }
    return true;
}

/* Whether a new statement of the graph begins with T; any other word is the role of a body. */
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

static bool read_body(text_reader *r, text_scope *s, inlay_node *n, assemble_scope **body)
{
    const char *role;

    if (!text_string(r, true, "the role of a body") ||
        !(role = assemble_string(&r->a, r->word.bytes)) ||
        !text_string(r, false, "the name of the body in quotes"))
        return false;
    *body = assemble_body(s->names, n, role, r->word.bytes);
    return *body && text_graph(r, *body) && read_ports(r, n, *body);
}

/* Recursive through graphs; inlay_graph_new_body limits the depth. */
bool text_bodies(text_reader *r, text_scope *s, inlay_node *n)
{
    assemble_scope *bodies[MAX_BODIES];
    bool has = n->op->flags & (INLAY_HAS_BODY | INLAY_STAND_IN);
    int count = 0;

    while (!begins_statement(&r->lex.now)) {
        if (!has)
            return inlay_lexer_fail(&r->lex, "a node, or a type before names and notes, as in "
                                             "`: f32[2] as \"x\"`");
        if (count == MAX_BODIES)
            return text_fail(r, "found more than %d bodies of one node", MAX_BODIES);
        if (!read_body(r, s, n, &bodies[count++]))
            return false;
    }
    return count == 0 || assemble_bodies(n, bodies, count, r->a.d);
}
