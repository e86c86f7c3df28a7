/* Prints the graph for Graphviz: a box for each node, an arrow for each value with its type and
 * shape, bodies as frames beside their node, dashed arrows through the port maps. A value in the
 * buffer of another one has a blue arrow to it, labelled with the kind of note. */

#include "ir/base/argument.h"
#include "ir/graph/argument.h"
#include "ir/graph/node.h"
#include "ir/print.h"
#include "ir/strbuf.h"

#include <inttypes.h>

struct dot {
    inlay_strbuf buf;
    const inlay_sink *to;
    inlay_diags *diags;
    unsigned next_graph; /* the number of the next body, which makes the names of boxes unique */
};

static bool flush(struct dot *p)
{
    if (p->buf.failed)
        return inlay_fail_memory(p->diags);
    if (p->buf.n && !p->to->write(p->to->ctx, p->buf.bytes, p->buf.n))
        return inlay_fail_resource(p->diags, NULL, "the text could not be written");
    p->buf.n = 0;
    return true;
}

/* Text inside the quotes of a label. Control characters would end the file for Graphviz. */
static void put_label(inlay_strbuf *b, const char *s)
{
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            inlay_strbuf_puts(b, "\\");
        inlay_strbuf_add(b, (unsigned char)*s < 0x20 ? "?" : s, 1);
    }
}

static void put_type(inlay_strbuf *b, const inlay_fact *f)
{
    char shape[256];

    inlay_strbuf_printf(b, "%s%s", inlay_type_info_of(f->type)->name,
                        inlay_shape_text(f->rank, f->dims, shape, sizeof shape));
}

static void put_box(struct dot *p, const inlay_node *n, unsigned graph)
{
    bool is_const = inlay_node_is(n, INLAY_OP_CONST);
    char op[160];

    inlay_strbuf_printf(&p->buf, "  g%u_%" PRIu32 " [label=\"", graph, n->id);
    put_label(&p->buf, n->name);
    inlay_strbuf_puts(&p->buf, "\\n");
    put_label(&p->buf, inlay_op_text(n->op, op, sizeof op));
    inlay_strbuf_printf(&p->buf, "\"%s];\n",
                        is_const ? ", shape=plain"
                        : inlay_node_is(n, INLAY_OP_PARAMETER) || inlay_node_is(n, INLAY_OP_RESULT)
                            ? ", shape=ellipse"
                            : "");
}

static void put_arrows(struct dot *p, const inlay_node *n, unsigned graph)
{
    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;

        if (!v)
            continue;
        inlay_strbuf_printf(&p->buf, "  g%u_%" PRIu32 " -> g%u_%" PRIu32 " [label=\"", graph,
                            v->node->id, graph, n->id);
        put_type(&p->buf, &v->fact);
        inlay_strbuf_puts(&p->buf, "\"];\n");
    }
}

/* Storage notes. These arrows do not affect the positions of boxes. */
static void put_storage(struct dot *p, const inlay_node *n, unsigned graph)
{
    for (int i = 0; i < n->n_out; i++) {
        const inlay_value *v = &n->out[i];

        if (v->note != INLAY_FRESH && v->note_target)
            inlay_strbuf_printf(&p->buf,
                                "  g%u_%" PRIu32 " -> g%u_%" PRIu32
                                " [label=\"%s\", color=blue, fontcolor=blue, style=bold, "
                                "constraint=false];\n",
                                graph, n->id, graph, v->note_target->node->id,
                                inlay_note_text(v->note));
    }
}

/* Draws the arrows of the port maps: from operands to the body's Parameters, and from its Results
 * to the node. */
static void put_ports(struct dot *p, const inlay_node *n, const inlay_body *body, unsigned graph,
                      unsigned inner)
{
    for (int i = 0; i < body->n_in; i++) {
        const inlay_value *v =
            body->in[i].outer < 0 ? NULL : inlay_node_input(n, body->in[i].outer);

        if (v)
            inlay_strbuf_printf(&p->buf, "  g%u_%" PRIu32 " -> g%u_%" PRIu32 " [style=dashed];\n",
                                graph, v->node->id, inner,
                                body->graph->params[body->in[i].inner]->id);
    }
    for (int i = 0; i < body->n_out; i++)
        inlay_strbuf_printf(&p->buf, "  g%u_%" PRIu32 " -> g%u_%" PRIu32 " [style=dashed];\n",
                            inner, body->graph->results[body->out[i].inner]->id, graph, n->id);
}

static bool put_nodes(struct dot *p, const inlay_graph *g, unsigned graph);

static bool put_bodies(struct dot *p, const inlay_node *n, unsigned graph)
{
    for (int i = 0; i < n->n_bodies; i++) {
        const inlay_body *body = &n->bodies[i];
        unsigned inner = p->next_graph++;

        if (!body->graph)
            continue;
        inlay_strbuf_printf(&p->buf, "  subgraph cluster_%u {\n  label=\"", inner);
        put_label(&p->buf, body->role);
        inlay_strbuf_puts(&p->buf, " of ");
        put_label(&p->buf, n->name);
        inlay_strbuf_puts(&p->buf, "\";\n");
        if (!put_nodes(p, body->graph, inner))
            return false;
        inlay_strbuf_puts(&p->buf, "  }\n");
        put_ports(p, n, body, graph, inner);
    }
    return true;
}

/* Bodies are written within their node; this recursion is bounded, because the nesting of bodies
 * is. */
static bool put_nodes(struct dot *p, const inlay_graph *g, unsigned graph)
{
    inlay_order_list order;
    bool ok = inlay_order(g, true, &order, p->diags);

    for (size_t i = 0; ok && i < order.n; i++) {
        put_box(p, order.nodes[i], graph);
        put_arrows(p, order.nodes[i], graph);
        put_storage(p, order.nodes[i], graph);
        ok = put_bodies(p, order.nodes[i], graph) && flush(p);
    }
    inlay_order_free(&order);
    return ok;
}

bool inlay_print_dot(const inlay_graph *g, const inlay_sink *to, inlay_diags *d)
{
    struct dot p = {.to = to, .diags = d, .next_graph = 1};
    bool ok;

    if (!inlay_graph_is_whole(g, d) || !inlay_sink_is_sound(to, d))
        return false;
    inlay_strbuf_puts(&p.buf, "digraph \"");
    put_label(&p.buf, g->name);
    inlay_strbuf_puts(&p.buf, "\" {\n  node [shape=box, fontname=\"sans-serif\"];\n"
                              "  edge [fontname=\"sans-serif\", fontsize=10];\n");
    ok = put_nodes(&p, g, 0);
    inlay_strbuf_puts(&p.buf, "}\n");
    ok = ok && flush(&p);
    inlay_strbuf_free(&p.buf);
    return ok;
}
