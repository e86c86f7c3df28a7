/* Prints the graph for Graphviz: a box for each node with its attributes and constants, an arrow
 * for each value with its operand, type and shape, bodies as frames beside their node, dashed
 * arrows through the port maps, dotted ones for order edges. A value in the buffer of another one
 * has a blue arrow to it, labelled with the kind of note.
 *
 * dot takes longer than anybody waits where many arrows cross many rows. A constant of many readers
 * makes such arrows, so it stands in the boxes of its readers; and the labels of arrows double the
 * rows, so in a large graph they are set beside the arrows' ends, where they move nothing. */

#include "ir/base/argument.h"
#include "ir/graph/argument.h"
#include "ir/graph/node.h"
#include "ir/print.h"
#include "ir/strbuf.h"
#include "ir/text/print.h"

#include <inttypes.h>
#include <string.h>

struct dot {
    inlay_strbuf buf;
    const inlay_sink *to;
    inlay_diags *diags;
    unsigned next_graph; /* the number of the next body, which makes the names of boxes unique */
    bool large;
};

enum { LARGE = 100, SMALL = 8, LONG = 60 }; /* nodes; elements; characters of a line */

static bool flush(struct dot *p)
{
    if (p->buf.failed)
        return inlay_fail_memory(p->diags);
    if (p->buf.n && !inlay_sink_write(p->to, p->buf.bytes, p->buf.n, "the text", p->diags))
        return false;
    p->buf.n = 0;
    return true;
}

/* Text inside the quotes of a label. Control characters would end the file for Graphviz. */
static void put_label(inlay_strbuf *b, const char *s)
{
    size_t n = strlen(s), len;

    for (; n > 0; s += len, n -= len) {
        bool quoted = *s == '"' || *s == '\\';

        len = quoted ? 1 : print_plain_length((const unsigned char *)s, n);
        if (quoted)
            inlay_strbuf_puts(b, "\\");
        inlay_strbuf_add(b, len > 0 ? s : "?", len > 0 ? len : 1);
        len = len > 0 ? len : 1;
    }
}

static void put_type(inlay_strbuf *b, const inlay_fact *f)
{
    char shape[256];

    inlay_strbuf_printf(b, "%s%s", inlay_type_info_of(f->type)->name,
                        inlay_shape_text(f->rank, f->dims, shape, sizeof shape));
}

/* Is N a constant that stands in the boxes of its readers? */
static bool is_inside(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_CONST) && n->n_out > 0 && n->out[0].uses &&
           !n->out[0].n_results;
}

/* The beginning of what is printed, for a line of a label. */
struct beginning {
    char text[LONG + 4];
    size_t n;
};

/* Stops the printer when there is enough: an attribute may hold millions of numbers. */
static bool take(void *ctx, const char *bytes, size_t n)
{
    struct beginning *b = ctx;

    if (n > LONG - b->n) {
        memcpy(b->text + b->n, bytes, LONG - b->n);
        memcpy(b->text + LONG, "...", 4);
        b->n = LONG;
        return false;
    }
    memcpy(b->text + b->n, bytes, n);
    b->n += n;
    b->text[b->n] = '\0';
    return true;
}

static void put_line(struct dot *p, const char *name, const struct beginning *b)
{
    inlay_strbuf_puts(&p->buf, "\\n");
    put_label(&p->buf, name);
    inlay_strbuf_puts(&p->buf, " = ");
    put_label(&p->buf, b->text);
}

static void put_attr(struct dot *p, const inlay_node *n, int i)
{
    struct beginning b = {0};
    const inlay_sink to = {take, &b};
    printer one = {.to = &to, .graph = n->graph};

    print_attr(&one, &n->op->attrs[i], &n->attrs[i]);
    print_flush(&one, true);
    put_line(p, n->op->attrs[i].name, &b);
    p->buf.failed = p->buf.failed || one.buf.failed;
    inlay_strbuf_free(&one.buf);
}

static void put_attrs(struct dot *p, const inlay_node *n)
{
    for (int i = 0; i < n->op->n_attrs; i++) {
        if (n->attrs[i].set && n->op->attrs[i].kind != INLAY_ATTR_TENSOR)
            put_attr(p, n, i);
    }
}

static const char *operand_name(const inlay_node *n, int i)
{
    const inlay_op *op = n->op;

    return op->n_in > 1 && i < op->n_in ? op->in[i].name : "";
}

/* The constants among N's operands: their elements, if they are few. */
static void put_constants(struct dot *p, const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *x = n->in[i].value;
        const inlay_tensor *t;
        struct beginning b = {0};
        const inlay_sink to = {take, &b};
        printer one = {.to = &to, .graph = n->graph};

        if (!x || !is_inside(x->node))
            continue;
        t = x->node->attrs[0].set ? x->node->attrs[0].as.tensor : NULL;
        if (t && inlay_tensor_count(t) <= SMALL)
            print_tensor(&one, t);
        else
            put_type(&one.buf, &x->fact);
        print_flush(&one, true);
        put_line(p, *operand_name(n, i) ? operand_name(n, i) : x->node->name, &b);
        p->buf.failed = p->buf.failed || one.buf.failed;
        inlay_strbuf_free(&one.buf);
    }
}

static void put_box(struct dot *p, const inlay_node *n, unsigned graph)
{
    bool is_const = inlay_node_is(n, INLAY_OP_CONST);
    char op[160];

    inlay_strbuf_printf(&p->buf, "  g%u_%" PRIu32 " [label=\"", graph, n->id);
    put_label(&p->buf, n->name);
    inlay_strbuf_puts(&p->buf, "\\n");
    put_label(&p->buf, inlay_op_text(n->op, op, sizeof op));
    put_attrs(p, n);
    put_constants(p, n);
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

        if (!v || is_inside(v->node))
            continue;
        inlay_strbuf_printf(&p->buf, "  g%u_%" PRIu32 " -> g%u_%" PRIu32 " [%s=\"", graph,
                            v->node->id, graph, n->id, p->large ? "headlabel" : "label");
        put_label(&p->buf, operand_name(n, i));
        inlay_strbuf_puts(&p->buf, *operand_name(n, i) ? ": " : "");
        put_type(&p->buf, &v->fact);
        inlay_strbuf_puts(&p->buf, "\"];\n");
    }
}

/* Storage notes. These arrows do not affect the positions of boxes. */
static void put_storage(struct dot *p, const inlay_node *n, unsigned graph)
{
    for (int i = 0; i < n->n_out; i++) {
        const inlay_value *v = &n->out[i];

        if (v->note != INLAY_FRESH && v->note_target && !is_inside(v->note_target->node))
            inlay_strbuf_printf(&p->buf,
                                "  g%u_%" PRIu32 " -> g%u_%" PRIu32
                                " [label=\"%s\", color=blue, fontcolor=blue, style=bold, "
                                "constraint=false];\n",
                                graph, n->id, graph, v->note_target->node->id,
                                inlay_note_text(v->note));
    }
}

static void put_order(struct dot *p, const inlay_graph *g, unsigned graph)
{
    for (size_t i = 0; i < g->n_order_edges; i++)
        inlay_strbuf_printf(&p->buf,
                            "  g%u_%" PRIu32 " -> g%u_%" PRIu32
                            " [label=\"before\", style=dotted, constraint=false];\n",
                            graph, g->order_edges[i].before->id, graph,
                            g->order_edges[i].after->id);
}

/* Draws the arrows of the port maps: from operands to the body's Parameters, and from its Results
 * to the node. */
static void put_ports(struct dot *p, const inlay_node *n, const inlay_body *body, unsigned graph,
                      unsigned inner)
{
    for (int i = 0; i < body->n_in; i++) {
        const inlay_value *v =
            body->in[i].outer < 0 ? NULL : inlay_node_input(n, body->in[i].outer);

        if (v && !is_inside(v->node))
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
        if (is_inside(order.nodes[i]))
            continue;
        put_box(p, order.nodes[i], graph);
        put_arrows(p, order.nodes[i], graph);
        put_storage(p, order.nodes[i], graph);
        ok = put_bodies(p, order.nodes[i], graph) && flush(p);
    }
    put_order(p, g, graph);
    inlay_order_free(&order);
    return ok;
}

bool inlay_print_dot(const inlay_graph *g, const inlay_sink *to, inlay_diags *d)
{
    struct dot p = {.to = to, .diags = d, .next_graph = 1};
    bool ok;

    if (!inlay_graph_is_whole(g, d) || !inlay_sink_is_sound(to, d))
        return false;
    p.large = g->n_nodes > LARGE;
    inlay_strbuf_puts(&p.buf, "digraph \"");
    put_label(&p.buf, g->name);
    inlay_strbuf_puts(&p.buf, "\" {\n  node [shape=box, fontname=\"sans-serif\"];\n"
                              "  edge [fontname=\"sans-serif\", fontsize=10];\n");
    if (p.large)
        inlay_strbuf_puts(&p.buf, "  nslimit=2;\n  nslimit1=2;\n  mclimit=0.5;\n");
    ok = put_nodes(&p, g, 0);
    inlay_strbuf_puts(&p.buf, "}\n");
    ok = ok && flush(&p);
    inlay_strbuf_free(&p.buf);
    return ok;
}
