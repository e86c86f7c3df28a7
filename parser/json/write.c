/* Writes a JSON graph: each entry of a list on a line of its own, bodies indented inside their
 * nodes. Reading the document gives the same graph. */
#include "parser/json/write.h"
#include "ir/shared.h"

#include <string.h>

enum { FLUSH_BYTES = 1 << 16 };

static void flush(json_writer *w)
{
    if (w->text.failed && !w->failed) {
        w->failed = true;
        inlay_fail_memory(w->d);
    }
    if (!w->failed && w->text.n > 0 && !w->to->write(w->to->ctx, w->text.bytes, w->text.n))
        w->failed = true;
    w->text.n = 0;
}

/* The list of the document that contains N: 0 inputs, 1 constants, 2 nodes, 3 outputs. */
static int section_of(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_PARAMETER) ? 0
           : inlay_node_is(n, INLAY_OP_CONST)   ? 1
           : inlay_node_is(n, INLAY_OP_RESULT)  ? 3
                                                : 2;
}

static void write_section(json_writer *w, const inlay_graph *g, int section)
{
    static void (*const write[])(json_writer * w, const inlay_node *n) = {
        json_write_input, json_write_constant, json_write_node, json_write_output};
    static const char *const keys[] = {"inputs", "constants", "nodes", "outputs"};
    bool none = true, first = true;

    for (const inlay_node *n = g->first; n != NULL && !w->failed; n = n->next) {
        inlay_count_steps(g, 1);
        if (section_of(n) != section)
            continue;
        if (none) {
            inlay_strbuf_puts(&w->text, ",");
            json_write_line(w);
            json_write_key(w, keys[section], &first);
            inlay_strbuf_puts(&w->text, "[");
            w->indent++;
        }
        inlay_strbuf_puts(&w->text, none ? "" : ",");
        none = false;
        json_write_line(w);
        write[section](w, n);
        if (w->text.n >= FLUSH_BYTES)
            flush(w);
    }
    if (!none) {
        w->indent--;
        inlay_strbuf_puts(&w->text, "]");
    }
}

static void write_variable(json_writer *w, const void *list, int i)
{
    const inlay_variable *v = ((inlay_variable *const *)list)[i];
    bool first = true;

    inlay_strbuf_puts(&w->text, "{");
    json_write_member(w, "name", v->name, &first);
    json_write_member(w, "type", inlay_type_info_of(v->type)->name, &first);
    json_write_key(w, "shape", &first);
    json_write_shape(w, v->rank, v->dims);
    inlay_strbuf_puts(&w->text, "}");
}

static void write_order_edge(json_writer *w, const void *list, int i)
{
    const inlay_order_edge *e = (const inlay_order_edge *)list + i;
    bool first = true;

    inlay_strbuf_puts(&w->text, "{");
    json_write_member(w, "before", e->before->name, &first);
    json_write_member(w, "after", e->after->name, &first);
    inlay_strbuf_puts(&w->text, "}");
}

/* Begins a member on a line of its own. */
static void start_member(json_writer *w, const char *key)
{
    bool first = true;

    inlay_strbuf_puts(&w->text, ",");
    json_write_line(w);
    json_write_key(w, key, &first);
}

static void write_head(json_writer *w, const inlay_graph *g, bool top)
{
    bool first = true;

    if (top) {
        json_write_member(w, "format", "inlay-graph", &first);
        json_write_key(w, "format_version", &first);
        json_write_int(w, 1);
    }
    json_write_member(w, "name", g->name != NULL ? g->name : "", &first);
    if (top && g->ir_version != 0) {
        json_write_key(w, "ir_version", &first);
        json_write_int(w, g->ir_version);
    }
}

/* Writes what identifies the weights file, to detect that another one has replaced it. */
static void write_weights(json_writer *w)
{
    char sum[CHECKSUM_TEXT];
    bool first = true;

    start_member(w, "weights");
    inlay_strbuf_puts(&w->text, "[{");
    json_write_member(w, "file", w->weights_name, &first);
    json_write_key(w, "size", &first);
    json_write_int(w, (int64_t)w->sum.size);
    checksum_text(&w->sum, sum);
    json_write_member(w, "checksum", sum, &first);
    inlay_strbuf_puts(&w->text, "}]");
}

void json_write_graph(json_writer *w, const inlay_graph *g, bool top)
{
    inlay_strbuf_puts(&w->text, "{");
    w->indent++;
    json_write_line(w);
    write_head(w, g, top);
    if (top && g->n_variables > 0) {
        start_member(w, "variables");
        json_write_list(w, g->n_variables, g->variables, write_variable);
    }
    for (int section = 0; section < 4; section++)
        write_section(w, g, section);
    if (g->n_order_edges > 0) {
        start_member(w, "order_edges");
        json_write_list(w, (int)g->n_order_edges, g->order_edges, write_order_edge);
    }
    if (g->meta != NULL) {
        start_member(w, "meta");
        json_write_meta(w, g->meta);
    }
    if (top && w->sum.size > 0)
        write_weights(w);
    w->indent--;
    json_write_line(w);
    inlay_strbuf_puts(&w->text, "}");
}

bool inlay_write_json(const inlay_graph *g, const char *weights_name, const inlay_write_options *o,
                      const inlay_sink *model, const inlay_sink *weights, inlay_diags *d)
{
    if (!inlay_graph_is_whole(g, d) || !inlay_sink_is_sound(model, d) ||
        (weights && !inlay_sink_is_sound(weights, d)) ||
        (weights && inlay_is_missing(weights_name, "name of the weights", d)))
        return false;

    json_writer w = {.to = model, .weights = weights, .weights_name = weights_name, .d = d};

    (void)o;
    w.text.budget = inlay_graph_budget(g);
    json_write_graph(&w, g, true);
    inlay_strbuf_puts(&w.text, "\n");
    flush(&w);
    inlay_strbuf_free(&w.text);
    return inlay_budget_tell(inlay_graph_budget(g), !w.failed, d);
}
