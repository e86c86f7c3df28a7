/* Writes a graph as OpenVINO IR (parser/openvino/README.md 8). Layers are in canonical order,
 * Parameters first, and nodes without readers (Results, Assigns) last. So reading and writing a
 * file of this writer gives the same bytes again. */
#include "parser/openvino/write.h"
#include "ir/shared.h"
#include "parser/openvino/layout.h"
#include "parser/openvino/records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_const(ov_writer *w, const inlay_node *n)
{
    const inlay_attr *a = inlay_node_attr(n, "value");
    const inlay_tensor *t = a ? a->as.tensor : NULL;
    inlay_strbuf shape = {0};
    uint64_t offset, size;

    if (t && ov_no_constant(t->type)) {
        xml_refuse(&w->x, "a constant of type %s: %s", inlay_type_info_of(t->type)->name,
                   ov_no_constant(t->type));
        return;
    }
    if (!t || !inlay_type_info_of(t->type)->xml) {
        xml_refuse(&w->x, "OpenVINO IR has no constant of type %s",
                   t ? inlay_type_info_of(t->type)->name : "dynamic");
        return;
    }
    w->some_weights = true;
    if (w->some_missing) {
        xml_refuse(&w->x, "only some of the model's weights are there, so it cannot be written");
        return;
    }
    if (!ov_put_weights(w, t, &offset, &size))
        return;
    for (int i = 0; i < t->rank; i++)
        inlay_strbuf_printf(&shape, i > 0 ? ", %lld" : "%lld", (long long)t->dims[i]);
    xml_put_attr(&w->x, "element_type", inlay_type_info_of(t->type)->name);
    if (shape.failed)
        xml_out_of_memory(&w->x);
    xml_put_attr(&w->x, "shape", shape.n > 0 ? shape.bytes : "");
    inlay_strbuf_free(&shape);
    xml_printf(&w->x, " offset=\"%llu\" size=\"%llu\"", (unsigned long long)offset,
               (unsigned long long)size);
}

static bool has_data(const inlay_node *n)
{
    if (inlay_node_is(n, INLAY_OP_CONST) || (n->extra && n->extra->n_attrs > 0))
        return true;
    for (int i = 0; i < n->op->n_attrs; i++) {
        if (n->attrs[i].set)
            return true;
    }
    return false;
}

/* Refuses a graph in which some constants have bytes and others have not: a Const without its bytes
 * keeps its offset, which is right only if all constants keep theirs. */
static bool check_missing(ov_writer *w, const inlay_node *n)
{
    if (!(n->op->flags & INLAY_STAND_IN) || strcmp(n->op->name, "Const") != 0)
        return true;
    w->some_missing = true;
    return !w->some_weights ||
           xml_refuse(&w->x, "only some of the model's weights are there, so it cannot be written");
}

static void put_data(ov_writer *w, const inlay_node *n)
{
    if (!check_missing(w, n) || !has_data(n))
        return;
    xml_newline(&w->x);
    xml_puts(&w->x, "<data");
    if (inlay_node_is(n, INLAY_OP_CONST))
        put_const(w, n);
    else
        ov_put_attributes(w, n);
    xml_puts(&w->x, " />");
}

static void put_layer_head(ov_writer *w, const ov_numbering *num, const inlay_node *n)
{
    xml_newline(&w->x);
    xml_printf(&w->x, "<layer id=\"%lld\"", (long long)ov_layer_id(num, n));
    xml_put_attr(&w->x, "name", ov_layer_name(w, num, n));
    xml_put_attr(&w->x, "type", n->op->name);
    xml_put_attr(&w->x, "version", n->opset ? n->opset : n->op->written);
    if (n->result_names && w->version >= 11)
        xml_put_attr(&w->x, "output_names", n->result_names);
}

/* Refuses a deferred node: OpenVINO has no operation for one whose expansion is not known yet. */
static bool check_deferred(ov_writer *w, const inlay_node *n)
{
    char text[600];

    return !(n->op->flags & INLAY_DEFERRED) ||
           xml_refuse(&w->x, "has no form in OpenVINO's IR yet: %s",
                      inlay_deferred_text(n, text, sizeof text));
}

static void put_layer(ov_writer *w, const ov_numbering *num, const inlay_node *n)
{
    ov_numbering bodies[OV_MAX_BODIES];
    int n_in;

    w->x.node = n;
    if (!check_deferred(w, n))
        return;
    n_in = ov_count_inputs(w, n);
    if (n_in < 0 || !ov_number_bodies(w, n, bodies))
        return;
    put_layer_head(w, num, n);
    xml_puts(&w->x, ">");
    w->x.indent++;
    put_data(w, n);
    ov_put_port_maps(w, n, n_in, bodies);
    ov_put_ports(w, num, n, n_in);
    ov_put_layer_rt_info(w, num, n);
    for (int i = 0; i < n->n_bodies && !w->x.failed; i++) {
        xml_newline(&w->x);
        xml_printf(&w->x, "<%s>", n->bodies[i].role);
        ov_put_net(w, &bodies[i]);
        xml_newline(&w->x);
        xml_printf(&w->x, "</%s>", n->bodies[i].role);
    }
    xml_close(&w->x, "</layer>");
    for (int i = 0; i < n->n_bodies; i++)
        ov_free_numbering(&bodies[i]);
}

/* An edge: the layer and port of its source, and the layer and port that it leads to. */
struct edge {
    int64_t from, to;
    int from_port, to_port;
};

static int compare_edges(const void *a, const void *b)
{
    const struct edge *p = a, *q = b;

    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    if (p->to != q->to)
        return p->to < q->to ? -1 : 1;
    return (p->to_port > q->to_port) - (p->to_port < q->to_port);
}

static struct edge *collect_edges(const ov_numbering *num, size_t *count)
{
    struct edge *edges;
    size_t n = 0;

    for (size_t i = 0; i < num->n; i++)
        n += (size_t)ov_written_inputs(num->nodes[i]);
    edges = inlay_take_raw(inlay_graph_budget(num->graph), (n + 1) * sizeof *edges);
    *count = 0;
    for (size_t i = 0; edges && i < num->n; i++) {
        for (int k = 0; k < ov_written_inputs(num->nodes[i]); k++) {
            const inlay_value *v = num->nodes[i]->in[k].value;

            if (!v)
                continue;
            edges[(*count)++] = (struct edge){ov_layer_id(num, v->node), (int64_t)i,
                                              ov_written_inputs(v->node) + v->index, k};
        }
    }
    return edges;
}

static void put_edges(ov_writer *w, const ov_numbering *num)
{
    size_t n;
    struct edge *edges;

    if (w->x.failed) /* the input may be missing */
        return;
    edges = collect_edges(num, &n);
    if (!edges) {
        xml_out_of_memory(&w->x);
        return;
    }
    qsort(edges, n, sizeof *edges, compare_edges);
    for (size_t i = 0; i < n && !w->x.failed; i++) {
        xml_newline(&w->x);
        xml_printf(
            &w->x, "<edge from-layer=\"%lld\" from-port=\"%d\" to-layer=\"%lld\" to-port=\"%d\" />",
            (long long)edges[i].from, edges[i].from_port, (long long)edges[i].to, edges[i].to_port);
    }
    inlay_give(edges);
}

void ov_put_net(ov_writer *w, const ov_numbering *num)
{
    w->x.indent++;
    xml_open(&w->x, "<layers>");
    for (size_t i = 0; i < num->n && !w->x.failed; i++)
        put_layer(w, num, num->nodes[i]);
    if (w->x.failed)
        return;
    w->x.node = num->graph->owner;
    xml_close(&w->x, "</layers>");
    xml_open(&w->x, "<edges>");
    put_edges(w, num);
    xml_close(&w->x, "</edges>");
    xml_put_trees(&w->x, num->graph->meta);
    w->x.indent--;
}

/* Writes what identifies the weights file, to detect that another one has replaced it. It is no
 * metadata, so a program that writes the model anew drops it. */
static void put_weights(ov_writer *w)
{
    char sum[CHECKSUM_TEXT];

    if (w->weights.sum.size == 0)
        return;
    checksum_text(&w->weights.sum, sum);
    w->x.indent++;
    xml_newline(&w->x);
    xml_printf(&w->x, "<" OV_WEIGHTS " size=\"%llu\" checksum=\"%s\" />",
               (unsigned long long)w->weights.sum.size, sum);
    w->x.indent--;
}

static void put_document(ov_writer *w, const inlay_graph *g)
{
    ov_numbering num;

    if (!ov_number(w, g, &num))
        return;
    xml_puts(&w->x, "<?xml version=\"1.0\"?>\n<net");
    xml_put_attr(&w->x, "name", g->name);
    xml_printf(&w->x, " version=\"%d\">", w->version);
    ov_put_net(w, &num);
    put_weights(w);
    xml_puts(&w->x, "\n</net>\n");
    xml_flush(&w->x);
    ov_free_numbering(&num);
}

static bool has_dim_names(const inlay_graph *g)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_out; i++) {
            if (inlay_value_has_new_dim_name(&n->out[i]))
                return true;
        }
    }
    return false;
}

bool inlay_write_xml(const inlay_graph *g, const inlay_write_options *o, const inlay_sink *model,
                     const inlay_sink *weights, inlay_diags *d)
{
    if (inlay_is_missing(g, "graph", d) || !inlay_sink_is_sound(model, d) ||
        !inlay_sink_is_sound(weights, d))
        return false;

    int asked = o ? o->ir_version : 0;
    ov_writer w = {.x = {.to = model, .d = d}, .weights = {.to = weights}};
    inlay_budget *budget = w.weights.budget = inlay_graph_budget(g);
    inlay_graph *copy;

    if (asked != 0 && asked != 10 && asked != 11)
        return inlay_fail(d, NULL, "OpenVINO IR version %d cannot be written, only 10 and 11",
                          asked);
    w.version = asked ? asked : g->ir_version ? g->ir_version : 11;
    if (w.version == 10 && g->has_notes)
        inlay_warn(d, NULL,
                   "storage notes are not written: IR version 10 cannot hold them, 11 can "
                   "(--ir-version 11)");
    if (w.version == 10 && has_dim_names(g))
        inlay_warn(d, NULL,
                   "names of dimensions are not written: IR version 10 cannot hold them, 11 can "
                   "(--ir-version 11)");
    if (!ov_meet_demands(&g, &copy, d))
        w.x.failed = true;
    else
        put_document(&w, g);
    inlay_graph_free(copy);
    inlay_strbuf_free(&w.x.buf);
    ov_free_weights(&w.weights);
    return inlay_budget_tell(budget, !w.x.failed, d);
}
