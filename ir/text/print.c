/* The text form (TEXT.md): one node a line, in canonical order, the same bytes for the same graph.
 */
#include "ir/text/print.h"
#include "ir/base/argument.h"
#include "ir/graph/argument.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"
#include "ir/print.h"
#include "ir/strbuf.h"
#include "ir/text/bare.h"
#include "ir/text/token.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_indent(printer *p, int indent)
{
    for (int i = 0; i < indent; i++)
        inlay_strbuf_puts(&p->buf, "  ");
}

/* Identities are only printed if they say something: if a dim that is not static occurs twice. */
static void count_dims(printer *p, int rank, const inlay_dim *dims)
{
    for (int i = 0; i < rank; i++) {
        uint32_t id = dims[i].id;

        if (id && id < p->n_shown && !inlay_dim_is_static(dims[i]) && p->shown[id] < 2)
            p->shown[id]++;
    }
}

static void count_node_dims(printer *p, const inlay_node *n)
{
    for (int i = 0; i < n->n_out; i++)
        count_dims(p, n->out[i].fact.rank, n->out[i].fact.dims);
    for (int i = 0; i < n->op->n_attrs; i++) {
        if (n->op->attrs[i].kind == INLAY_ATTR_SHAPE && n->attrs[i].set)
            count_dims(p, n->attrs[i].as.shape->rank, n->attrs[i].as.shape->dim);
    }
}

/* SliceScatter-15, Slice-13@onnx13, ?Unknown@extension */
static void print_op(inlay_strbuf *b, const inlay_node *n)
{
    const inlay_op *op = n->op;
    bool native = op->version > 0 && strcmp(op->set, "opset") == 0;
    const char *opset = n->opset ? n->opset : op->written;

    if (op->flags & INLAY_STAND_IN)
        inlay_strbuf_puts(b, "?");
    print_word(b, op->name);
    if (op->version > 0)
        print_int(b, -op->version);
    if (!native || strcmp(opset, op->written) != 0) {
        inlay_strbuf_puts(b, "@");
        print_word(b, opset);
    }
}

/* Absent inputs at the end are left out: they say nothing. */
static void print_inputs(printer *p, const inlay_node *n)
{
    int n_in = n->n_in;

    while (n_in > 0 && !n->in[n_in - 1].value)
        n_in--;
    inlay_strbuf_puts(&p->buf, "(");
    for (int i = 0; i < n_in && print_flush(p, false); i++) {
        if (i > 0)
            inlay_strbuf_puts(&p->buf, ", ");
        if (n->in[i].value)
            print_ref(&p->buf, n->in[i].value);
        else
            inlay_strbuf_puts(&p->buf, "none");
    }
    inlay_strbuf_puts(&p->buf, ")");
}

static void print_extra(inlay_strbuf *b, const inlay_meta *extra, const char **sep)
{
    for (int i = 0; extra && i < extra->n_attrs; i++) {
        inlay_strbuf_puts(b, *sep);
        print_word(b, extra->attrs[2 * i]);
        inlay_strbuf_puts(b, " = ");
        print_string(b, extra->attrs[2 * i + 1], strlen(extra->attrs[2 * i + 1]));
        *sep = ", ";
    }
}

static void print_attrs(printer *p, const inlay_node *n)
{
    const char *sep = " {";

    for (int i = 0; i < n->op->n_attrs; i++) {
        if (!n->attrs[i].set)
            continue;
        inlay_strbuf_puts(&p->buf, sep);
        print_word(&p->buf, n->op->attrs[i].name);
        inlay_strbuf_puts(&p->buf, " = ");
        print_attr(p, &n->op->attrs[i], &n->attrs[i]);
        sep = ", ";
    }
    print_extra(&p->buf, n->extra, &sep);
    if (strcmp(sep, ", ") == 0)
        inlay_strbuf_puts(&p->buf, "}");
}

/* A constant's literal shows its type and shape already. */
static bool says_itself(const printer *p, const inlay_node *n)
{
    const inlay_value *v = n->out;
    const inlay_tensor *t;

    if (!inlay_node_is(n, INLAY_OP_CONST) || n->n_out != 1 || !n->attrs[0].set)
        return false;
    t = n->attrs[0].as.tensor;
    if (!p->bare && (v->n_names || v->note != INLAY_FRESH || (p->full && v->rt_info)))
        return false;
    if (v->fact.type != t->type || v->fact.rank != t->rank)
        return false;
    for (int i = 0; i < t->rank; i++) {
        if (v->fact.dims[i].lo != t->dims[i] || v->fact.dims[i].hi != t->dims[i])
            return false;
    }
    return true;
}

/* ` {O3 %z, N1 %d}` */
static void print_grounds(inlay_strbuf *b, const inlay_grounds *g)
{
    inlay_strbuf_puts(b, " {");
    for (int i = 0; i < g->n; i++) {
        const char *name = inlay_ground_name(&g->list[i]);

        inlay_strbuf_printf(b, "%s%.*s ", i > 0 ? ", " : "", (int)strcspn(name, " "), name);
        print_node_ref(b, g->list[i].node);
    }
    inlay_strbuf_puts(b, "}");
}

static bool print_output(printer *p, const inlay_value *v)
{
    inlay_strbuf *b = &p->buf;

    inlay_strbuf_puts(b, inlay_type_info_of(v->fact.type)->name);
    print_shape(p, v->fact.rank, v->fact.dims);
    if (p->bare)
        return true;
    for (int i = 0; i < v->n_names; i++) {
        inlay_strbuf_puts(b, i ? " " : " as ");
        print_string(b, v->names[i], strlen(v->names[i]));
    }
    if (v->note != INLAY_FRESH) {
        inlay_strbuf_puts(b, " ");
        inlay_strbuf_puts(b, inlay_note_text(v->note));
        inlay_strbuf_puts(b, " ");
        print_ref(b, v->note_target);
        if (v->grounds)
            print_grounds(b, v->grounds);
    }
    if (p->full && v->rt_info) {
        inlay_strbuf_puts(b, " port_info");
        return print_meta(p, v->rt_info);
    }
    return true;
}

static bool print_outputs(printer *p, const inlay_node *n)
{
    if (says_itself(p, n))
        return true;
    for (int i = 0; i < n->n_out; i++) {
        inlay_strbuf_puts(&p->buf, i ? ", " : " : ");
        if (!print_output(p, &n->out[i]) || !print_flush(p, false))
            return false;
    }
    return true;
}

static bool print_node_meta(printer *p, const inlay_node *n)
{
    if (n->label && !p->bare) {
        inlay_strbuf_puts(&p->buf, " label ");
        print_string(&p->buf, n->label, strlen(n->label));
    }
    if (n->result_names) {
        inlay_strbuf_puts(&p->buf, " output_names ");
        print_string(&p->buf, n->result_names, strlen(n->result_names));
    }
    if (n->rt_info) {
        inlay_strbuf_puts(&p->buf, " rt_info");
        return print_meta(p, n->rt_info);
    }
    return true;
}

static void print_slicing(inlay_strbuf *b, const inlay_port *port)
{
    if (port->has_axis)
        inlay_strbuf_printf(b,
                            " axis %" PRId64 " start %" PRId64 " end %" PRId64 " stride %" PRId64
                            " part_size %" PRId64,
                            port->axis, port->start, port->end, port->stride, port->part_size);
    if (port->purpose == INLAY_PORT_ITERATION)
        inlay_strbuf_puts(b, " iteration");
    else if (port->purpose == INLAY_PORT_CONDITION)
        inlay_strbuf_puts(b, " condition");
    inlay_strbuf_puts(b, "\n");
}

static void print_outer(inlay_strbuf *b, int outer)
{
    if (outer < 0)
        inlay_strbuf_puts(b, "none");
    else
        inlay_strbuf_printf(b, "%d", outer);
}

static void print_ports(printer *p, const inlay_body *body, int indent)
{
    inlay_node **params = body->graph->params, **results = body->graph->results;

    for (int i = 0; i < body->n_in && print_flush(p, false); i++) {
        print_indent(p, indent);
        inlay_strbuf_puts(&p->buf, "in ");
        print_outer(&p->buf, body->in[i].outer);
        inlay_strbuf_puts(&p->buf, " -> ");
        print_node_ref(&p->buf, params[body->in[i].inner]);
        print_slicing(&p->buf, &body->in[i]);
    }
    for (int i = 0; i < body->n_out && print_flush(p, false); i++) {
        print_indent(p, indent);
        inlay_strbuf_puts(&p->buf, "out ");
        print_node_ref(&p->buf, results[body->out[i].inner]);
        inlay_strbuf_puts(&p->buf, " -> ");
        print_outer(&p->buf, body->out[i].outer);
        print_slicing(&p->buf, &body->out[i]);
    }
    for (int i = 0; i < body->n_back && print_flush(p, false); i++) {
        print_indent(p, indent);
        inlay_strbuf_puts(&p->buf, "back ");
        print_node_ref(&p->buf, results[body->back[i].from]);
        inlay_strbuf_puts(&p->buf, " -> ");
        print_node_ref(&p->buf, params[body->back[i].to]);
        inlay_strbuf_puts(&p->buf, "\n");
    }
}

static bool print_graph(printer *p, const inlay_graph *g, const char *role, int indent);

/* // from "rows" line 12, by 3 simplify slice-of-slice */
static void print_provenance(inlay_strbuf *b, const inlay_node *n)
{
    inlay_provenance from = inlay_node_provenance(n);
    const char *sep = " //";

    if (from.name) {
        inlay_strbuf_puts(b, " // from ");
        print_string(b, from.name, strlen(from.name));
        if (from.line)
            inlay_strbuf_printf(b, " line %u", from.line);
        sep = ",";
    }
    if (from.application)
        inlay_strbuf_printf(b, "%s by %" PRIu64 " %s%s%s", sep, from.application, from.pass,
                            from.rule ? " " : "", from.rule ? from.rule : "");
}

/* N without its bodies, on the line that has begun. */
static bool print_line(printer *p, const inlay_node *n)
{
    print_node_ref(&p->buf, n);
    if (n->n_out != 1 && n->n_out != n->op->n_out)
        inlay_strbuf_printf(&p->buf, ":%d", n->n_out);
    inlay_strbuf_puts(&p->buf, " = ");
    print_op(&p->buf, n);
    if (n->n_in > 0)
        print_inputs(p, n);
    print_attrs(p, n);
    if (!print_outputs(p, n) || (p->full && !print_node_meta(p, n)))
        return false;
    if (p->provenance)
        print_provenance(&p->buf, n);
    inlay_strbuf_puts(&p->buf, "\n");
    return true;
}

static bool print_node(printer *p, const inlay_node *n, int indent)
{
    print_indent(p, indent);
    if (!print_line(p, n))
        return false;
    for (int i = 0; i < n->n_bodies; i++) {
        if (!n->bodies[i].graph)
            continue;
        if (!print_graph(p, n->bodies[i].graph, n->bodies[i].role, indent + 1))
            return false;
        print_ports(p, &n->bodies[i], indent + 1);
    }
    return print_flush(p, false);
}

static void print_variables(printer *p, const inlay_graph *g, int indent)
{
    for (int i = 0; i < g->n_variables; i++) {
        const inlay_variable *v = g->variables[i];

        print_indent(p, indent);
        inlay_strbuf_puts(&p->buf, "variable ");
        print_string(&p->buf, v->name, strlen(v->name));
        inlay_strbuf_printf(&p->buf, " : %s", inlay_type_info_of(v->type)->name);
        print_shape(p, v->rank, v->dims);
        inlay_strbuf_puts(&p->buf, "\n");
    }
}

/* Prints everything before the nodes. */
static bool print_head(printer *p, const inlay_graph *g, int indent)
{
    if (p->full && !g->owner && g->ir_version) {
        print_indent(p, indent);
        inlay_strbuf_printf(&p->buf, "ir_version %d\n", g->ir_version);
    }
    if (p->full && g->meta) {
        print_indent(p, indent);
        inlay_strbuf_puts(&p->buf, "meta");
        if (!print_meta(p, g->meta))
            return false;
        inlay_strbuf_puts(&p->buf, "\n");
    }
    print_variables(p, g, indent);
    return true;
}

static bool print_nodes(printer *p, const inlay_graph *g, int indent)
{
    inlay_order_list order;
    bool ok = inlay_order(g, true, &order, p->diags);

    for (size_t i = 0; ok && i < order.n; i++)
        ok = print_node(p, order.nodes[i], indent);
    inlay_order_free(&order);
    for (size_t i = 0; ok && !p->bare && i < g->n_order_edges; i++) {
        print_indent(p, indent);
        inlay_strbuf_puts(&p->buf, "order ");
        print_node_ref(&p->buf, g->order_edges[i].before);
        inlay_strbuf_puts(&p->buf, " before ");
        print_node_ref(&p->buf, g->order_edges[i].after);
        inlay_strbuf_puts(&p->buf, "\n");
        ok = print_flush(p, false);
    }
    return ok;
}

/* Bodies are printed within their node; this recursion is bounded, because the nesting of bodies
 * is. */
static bool print_graph(printer *p, const inlay_graph *g, const char *role, int indent)
{
    printer outer = *p;
    bool ok;

    p->graph = g;
    p->n_shown = g->next_dim_id;
    p->next_shown = 0;
    p->shown = inlay_take(inlay_graph_budget(g), (size_t)p->n_shown + 1, sizeof *p->shown);
    if (!p->shown) {
        p->shown = outer.shown;
        p->graph = outer.graph;
        return inlay_fail_memory(p->diags);
    }
    inlay_count_steps(g, g->n_nodes);
    for (const inlay_node *n = g->first; n; n = n->next)
        count_node_dims(p, n);
    print_indent(p, indent);
    print_word(&p->buf, role);
    inlay_strbuf_puts(&p->buf, " ");
    print_string(&p->buf, g->name, strlen(g->name));
    inlay_strbuf_puts(&p->buf, " {\n");
    ok = print_head(p, g, indent + 1) && print_nodes(p, g, indent + 1);
    print_indent(p, indent);
    inlay_strbuf_puts(&p->buf, "}\n");
    inlay_give(p->shown);
    p->graph = outer.graph;
    p->shown = outer.shown;
    p->n_shown = outer.n_shown;
    p->next_shown = outer.next_shown;
    return ok;
}

static bool print_all(printer *p, const inlay_graph *g)
{
    bool ok;

    if (!inlay_graph_is_whole(g, p->diags) || !inlay_sink_is_sound(p->to, p->diags))
        return false;
    ok = print_graph(p, g, g->owner ? "body" : "graph", 0);
    ok = ok && print_flush(p, true);
    inlay_strbuf_free(&p->buf);
    return ok;
}

bool inlay_print(const inlay_graph *g, bool full, const inlay_sink *to, inlay_diags *d)
{
    printer p = {.to = to, .full = full, .diags = d};

    return inlay_budget_tell(inlay_graph_budget(g), print_all(&p, g), d);
}

bool inlay_print_provenance(const inlay_graph *g, const inlay_sink *to, inlay_diags *d)
{
    printer p = {.to = to, .provenance = true, .diags = d};

    return print_all(&p, g);
}

bool inlay_print_bare(const inlay_node *n, bool full, inlay_strbuf *to, inlay_diags *d)
{
    inlay_sink sink = {inlay_strbuf_sink, to};
    printer p = {.to = &sink, .bare = true, .full = full, .diags = d, .graph = n->graph};
    bool ok = print_node(&p, n, 0) && print_flush(&p, true);

    inlay_strbuf_free(&p.buf);
    return ok;
}

void inlay_print_operand(inlay_strbuf *b, const char *name, int index)
{
    inlay_strbuf_puts(b, "%");
    if (inlay_token_is_name(name))
        inlay_strbuf_puts(b, name);
    else
        print_string(b, name, strlen(name));
    if (index >= 0)
        inlay_strbuf_printf(b, ":%d", index);
}

bool inlay_print_node(const inlay_node *n, bool provenance, const inlay_sink *to, inlay_diags *d)
{
    printer p = {.to = to, .provenance = provenance, .diags = d};
    bool ok;

    if (inlay_is_missing(n, "node", d) || !inlay_sink_is_sound(to, d))
        return false;
    p.graph = n->graph;
    p.n_shown = n->graph->next_dim_id;
    p.shown = inlay_take(inlay_node_budget(n), (size_t)p.n_shown + 1, sizeof *p.shown);
    if (!p.shown)
        return inlay_fail_memory(d);
    count_node_dims(&p, n);
    ok = print_line(&p, n) && print_flush(&p, true);
    inlay_give(p.shown);
    inlay_strbuf_free(&p.buf);
    return ok;
}
