/* Graph to OpenVINO IR (parser/openvino/README.md 8). Layers stand in canonical order, Parameters
 * first, and what nobody uses (Results, Assigns) last; so a file that was read is written with the
 * same bytes.
 */
#include "parser/xml/write.h"
#include "ir/shared.h"
#include "parser/openvino/openvino.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "a,b" and "c" are written "a\,b,c" (3.3). */
static void put_names(ov_writer *w, const inlay_value *v)
{
    inlay_strbuf text = {0};

    for (int i = 0; i < v->n_names; i++) {
        size_t n = strlen(v->names[i]);

        if (n > 0 && v->names[i][n - 1] == '\\') {
            inlay_warn_node(w->d, v->node,
                            "the tensor name \"%.200s\" is left out: the format cannot hold a name "
                            "that ends in a backslash",
                            v->names[i]);
            continue;
        }
        inlay_strbuf_puts(&text, text.n > 0 ? "," : "");
        for (const char *p = v->names[i]; *p; p++) {
            if (*p == ',')
                inlay_strbuf_puts(&text, "\\");
            inlay_strbuf_add(&text, p, 1);
        }
    }
    if (text.failed)
        xml_out_of_memory(w);
    else if (text.n > 0)
        xml_put_attr(w, "names", text.bytes);
    inlay_strbuf_free(&text);
}

static void open_rt_info(ov_writer *w)
{
    xml_newline(w);
    xml_puts(w, "<rt_info>");
    w->indent++;
}

static void close_rt_info(ov_writer *w)
{
    w->indent--;
    xml_newline(w);
    xml_puts(w, "</rt_info>");
}

/* What the note of V leads to is in the file, too. */
static bool has_note(const ov_numbering *num, const inlay_value *v)
{
    return v->note != INLAY_FRESH && ov_layer_id(num, v->note_target->node) >= 0;
}

static bool has_port_rt_info(const ov_writer *w, const ov_numbering *num, const inlay_value *v)
{
    return w->version >= 11 && (v->rt_info || has_note(num, v));
}

/* Metadata, and the storage note (openvino_notes.c reads it). */
static void put_port_rt_info(ov_writer *w, const ov_numbering *num, const inlay_value *v)
{
    open_rt_info(w);
    xml_put_meta(w, v->rt_info);
    if (has_note(num, v)) {
        xml_newline(w);
        xml_printf(w,
                   "<attribute name=\"" OV_STORAGE "\" version=\"0\" kind=\"%s\" layer=\"%lld\" "
                   "output=\"%d\" />",
                   inlay_note_text(v->note), (long long)ov_layer_id(num, v->note_target->node),
                   v->note_target->index);
    }
    close_rt_info(w);
}

/* Metadata, and the layers that must have run before this one. */
static void put_layer_rt_info(ov_writer *w, const ov_numbering *num, const inlay_node *n)
{
    size_t first, count = ov_order_edges(num, n, &first);

    if (w->version < 11 || (!n->rt_info && count == 0))
        return;
    open_rt_info(w);
    xml_put_meta(w, n->rt_info);
    if (count > 0) {
        xml_newline(w);
        xml_puts(w, "<attribute name=\"" OV_AFTER "\" version=\"0\" layers=\"");
        for (size_t i = 0; i < count; i++)
            xml_printf(w, i > 0 ? ", %lld" : "%lld",
                       (long long)ov_layer_id(num, num->edges[first + i]->before));
        xml_puts(w, "\" />");
    }
    close_rt_info(w);
}

/* OUTPUT: names and rt_info of a value stand at the port that makes it. */
static void put_port(ov_writer *w, const ov_numbering *num, int id, const inlay_value *v,
                     bool output)
{
    const inlay_fact *f = &v->fact;
    const char *precision = inlay_type_info_of(f->type)->xml;

    if (!precision) {
        xml_refuse(w, "OpenVINO IR has no type %s", inlay_type_info_of(f->type)->name);
        return;
    }
    xml_newline(w);
    xml_printf(w, "<port id=\"%d\" precision=\"%s\"", id, precision);
    if (output && v->n_names > 0)
        put_names(w, v);
    if (f->rank <= 0 && !(output && has_port_rt_info(w, num, v))) {
        xml_puts(w, " />");
        return;
    }
    xml_puts(w, ">");
    w->indent++;
    for (int i = 0; i < f->rank; i++) {
        xml_newline(w);
        xml_printf(w, "<dim>%lld</dim>",
                   inlay_dim_is_static(f->dims[i]) ? (long long)f->dims[i].lo : -1LL);
    }
    if (output && has_port_rt_info(w, num, v))
        put_port_rt_info(w, num, v);
    w->indent--;
    xml_newline(w);
    xml_puts(w, "</port>");
}

/* Inputs that are absent may only be the last ones: they are not written. */
static int written_inputs(const inlay_node *n)
{
    int count = n->n_in;

    while (count > 0 && !n->in[count - 1].value)
        count--;
    return count;
}

/* -1: an absent one comes before others. */
static int count_inputs(ov_writer *w, const inlay_node *n)
{
    int count = written_inputs(n);

    for (int i = 0; i < count; i++) {
        if (!n->in[i].value) {
            xml_refuse(w, "input %d is absent and input %d is not, which OpenVINO IR cannot say", i,
                       count - 1);
            return -1;
        }
    }
    return count;
}

static void put_ports(ov_writer *w, const ov_numbering *num, const inlay_node *n, int n_in)
{
    if (n_in > 0) {
        xml_newline(w);
        xml_puts(w, "<input>");
        w->indent++;
        for (int i = 0; i < n_in && !w->failed; i++)
            put_port(w, num, i, n->in[i].value, false);
        w->indent--;
        xml_newline(w);
        xml_puts(w, "</input>");
    }
    if (n->n_out > 0) {
        xml_newline(w);
        xml_puts(w, "<output>");
        w->indent++;
        for (int i = 0; i < n->n_out && !w->failed; i++)
            put_port(w, num, n_in + i, &n->out[i], true);
        w->indent--;
        xml_newline(w);
        xml_puts(w, "</output>");
    }
}

static void put_const(ov_writer *w, const inlay_node *n)
{
    const inlay_attr *a = inlay_node_attr(n, "value");
    const inlay_tensor *t = a ? a->as.tensor : NULL;
    inlay_strbuf shape = {0};
    uint64_t offset, size;

    if (!t || !inlay_type_info_of(t->type)->xml) {
        xml_refuse(w, "OpenVINO IR has no constant of type %s",
                   t ? inlay_type_info_of(t->type)->name : "dynamic");
        return;
    }
    w->some_weights = true;
    if (w->some_missing) {
        xml_refuse(w, "only some of the model's weights are there, so it cannot be written");
        return;
    }
    if (!ov_put_weights(w, t, &offset, &size))
        return;
    for (int i = 0; i < t->rank; i++)
        inlay_strbuf_printf(&shape, i > 0 ? ", %lld" : "%lld", (long long)t->dims[i]);
    xml_put_attr(w, "element_type", inlay_type_info_of(t->type)->name);
    if (shape.failed)
        xml_out_of_memory(w);
    xml_put_attr(w, "shape", shape.n > 0 ? shape.bytes : "");
    inlay_strbuf_free(&shape);
    xml_printf(w, " offset=\"%llu\" size=\"%llu\"", (unsigned long long)offset,
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

/* A Const without its bytes keeps its offset, which is right only if all do. */
static bool check_missing(ov_writer *w, const inlay_node *n)
{
    if (!(n->op->flags & INLAY_STAND_IN) || strcmp(n->op->name, "Const") != 0)
        return true;
    w->some_missing = true;
    return !w->some_weights ||
           xml_refuse(w, "only some of the model's weights are there, so it cannot be written");
}

static void put_data(ov_writer *w, const inlay_node *n)
{
    if (!check_missing(w, n) || !has_data(n))
        return;
    xml_newline(w);
    xml_puts(w, "<data");
    if (inlay_node_is(n, INLAY_OP_CONST))
        put_const(w, n);
    else
        ov_put_attributes(w, n);
    xml_puts(w, " />");
}

static void put_layer_head(ov_writer *w, const ov_numbering *num, const inlay_node *n)
{
    xml_newline(w);
    xml_printf(w, "<layer id=\"%lld\"", (long long)ov_layer_id(num, n));
    xml_put_attr(w, "name", ov_layer_name(w, num, n));
    xml_put_attr(w, "type", n->op->name);
    xml_put_attr(w, "version", n->opset ? n->opset : n->op->written);
    if (n->result_names && w->version >= 11)
        xml_put_attr(w, "output_names", n->result_names);
}

static void put_layer(ov_writer *w, const ov_numbering *num, const inlay_node *n)
{
    ov_numbering bodies[OV_MAX_BODIES];
    int n_in;

    w->node = n;
    n_in = count_inputs(w, n);
    if (n_in < 0 || !ov_number_bodies(w, n, bodies))
        return;
    put_layer_head(w, num, n);
    xml_puts(w, ">");
    w->indent++;
    put_data(w, n);
    ov_put_port_maps(w, n, n_in, bodies);
    put_ports(w, num, n, n_in);
    put_layer_rt_info(w, num, n);
    for (int i = 0; i < n->n_bodies && !w->failed; i++) {
        xml_newline(w);
        xml_printf(w, "<%s>", n->bodies[i].role);
        ov_put_net(w, &bodies[i]);
        xml_newline(w);
        xml_printf(w, "</%s>", n->bodies[i].role);
    }
    w->indent--;
    xml_newline(w);
    xml_puts(w, "</layer>");
    for (int i = 0; i < n->n_bodies; i++)
        ov_free_numbering(&bodies[i]);
}

/* Layer of the source, port of the source; layer and port it leads to. */
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
        n += (size_t)written_inputs(num->nodes[i]);
    edges = malloc((n + 1) * sizeof *edges);
    *count = 0;
    for (size_t i = 0; edges && i < num->n; i++) {
        for (int k = 0; k < written_inputs(num->nodes[i]); k++) {
            const inlay_value *v = num->nodes[i]->in[k].value;

            edges[(*count)++] = (struct edge){ov_layer_id(num, v->node), (int64_t)i,
                                              written_inputs(v->node) + v->index, k};
        }
    }
    return edges;
}

static void put_edges(ov_writer *w, const ov_numbering *num)
{
    size_t n;
    struct edge *edges;

    if (w->failed) /* perhaps for an input that is not there */
        return;
    edges = collect_edges(num, &n);
    if (!edges) {
        xml_out_of_memory(w);
        return;
    }
    qsort(edges, n, sizeof *edges, compare_edges);
    for (size_t i = 0; i < n && !w->failed; i++) {
        xml_newline(w);
        xml_printf(
            w, "<edge from-layer=\"%lld\" from-port=\"%d\" to-layer=\"%lld\" to-port=\"%d\" />",
            (long long)edges[i].from, edges[i].from_port, (long long)edges[i].to, edges[i].to_port);
    }
    free(edges);
}

void ov_put_net(ov_writer *w, const ov_numbering *num)
{
    w->indent++;
    xml_newline(w);
    xml_puts(w, "<layers>");
    w->indent++;
    for (size_t i = 0; i < num->n && !w->failed; i++)
        put_layer(w, num, num->nodes[i]);
    if (w->failed)
        return;
    w->node = num->graph->owner;
    w->indent--;
    xml_newline(w);
    xml_puts(w, "</layers>");
    xml_newline(w);
    xml_puts(w, "<edges>");
    w->indent++;
    put_edges(w, num);
    w->indent--;
    xml_newline(w);
    xml_puts(w, "</edges>");
    xml_put_meta(w, num->graph->meta);
    w->indent--;
}

static void put_document(ov_writer *w, const inlay_graph *g)
{
    ov_numbering num;

    if (!ov_number(w, g, &num))
        return;
    xml_puts(w, "<?xml version=\"1.0\"?>\n<net");
    xml_put_attr(w, "name", g->name);
    xml_printf(w, " version=\"%d\">", w->version);
    ov_put_net(w, &num);
    xml_puts(w, "\n</net>\n");
    xml_flush(w);
    ov_free_numbering(&num);
}

bool inlay_write_xml(const inlay_graph *g, const inlay_sink *model, const inlay_sink *weights,
                     const inlay_write_options *o, inlay_diags *d)
{
    if (inlay_is_missing(g, "graph", d) || !inlay_sink_is_sound(model, d) ||
        !inlay_sink_is_sound(weights, d))
        return false;

    int asked = o ? o->ir_version : 0;
    ov_writer w = {.to = model, .weights = {.to = weights}, .d = d};
    inlay_graph *copy;

    if (asked != 0 && asked != 10 && asked != 11)
        return inlay_fail(d, NULL, "OpenVINO IR version %d cannot be written, only 10 and 11",
                          asked);
    w.version = asked ? asked : g->ir_version ? g->ir_version : 11;
    if (w.version == 10 && g->has_notes)
        inlay_warn(d, NULL,
                   "storage notes are not written: IR version 10 cannot hold them, 11 can "
                   "(--ir-version 11)");
    if (!ov_meet_demands(&g, &copy, d))
        w.failed = true;
    else
        put_document(&w, g);
    inlay_graph_free(copy);
    inlay_strbuf_free(&w.buf);
    ov_free_weights(&w.weights);
    return !w.failed;
}
