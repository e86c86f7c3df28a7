/* Writes <input>, <output> and <rt_info> of a layer (parser/openvino/README.md 3.3, 7). */
#include "ir/shared.h"
#include "parser/openvino/records.h"
#include "parser/openvino/write.h"

#include <stdio.h>
#include <string.h>

/* Writes the tensor names of V: "a,b" and "c" become "a\,b,c" (3.3). */
static void put_names(ov_writer *w, const inlay_value *v)
{
    inlay_strbuf text = {0};

    for (int i = 0; i < v->n_names; i++) {
        size_t n = strlen(v->names[i]);

        if (n > 0 && v->names[i][n - 1] == '\\') {
            inlay_warn_node(w->x.d, v->node,
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
        xml_out_of_memory(&w->x);
    else if (text.n > 0)
        xml_put_attr(&w->x, "names", text.bytes);
    inlay_strbuf_free(&text);
}

/* True when V has a note whose target is in the file, too. */
static bool has_note(const ov_numbering *num, const inlay_value *v)
{
    return v->note != INLAY_FRESH && ov_layer_id(num, v->note_target->node) >= 0;
}

static bool has_port_rt_info(const ov_writer *w, const ov_numbering *num, const inlay_value *v)
{
    return w->version >= 11 && (v->rt_info || has_note(num, v) || inlay_value_has_new_dim_name(v));
}

/* Writes the names of V's dims, which notes.c reads. */
static void put_dim_names(ov_writer *w, const inlay_value *v)
{
    xml_newline(&w->x);
    xml_puts(&w->x, "<attribute name=\"" OV_DIMS "\" version=\"0\"");
    for (int i = 0; i < v->fact.rank; i++) {
        char key[16];

        snprintf(key, sizeof key, "dim%d", i);
        if (inlay_value_new_dim_name(v, i))
            xml_put_attr(&w->x, key, inlay_value_new_dim_name(v, i));
    }
    xml_puts(&w->x, " />");
}

/* Writes what the note of V relies on, if all of that is in the file, too. */
static void put_grounds(ov_writer *w, const ov_numbering *num, const inlay_grounds *g)
{
    bool there = g != NULL;

    for (int i = 0; there && i < g->n; i++)
        there = ov_layer_id(num, g->list[i].node) >= 0;
    if (!there)
        return;
    xml_puts(&w->x, " relies=\"");
    for (int i = 0; i < g->n; i++) {
        const char *name = inlay_ground_name(&g->list[i]);

        xml_printf(&w->x, "%s%.*s %lld", i > 0 ? ", " : "", (int)strcspn(name, " "), name,
                   (long long)ov_layer_id(num, g->list[i].node));
    }
    xml_puts(&w->x, "\"");
}

/* Writes the metadata of V, the names of its dims, and its storage note, which notes.c reads. */
static void put_port_rt_info(ov_writer *w, const ov_numbering *num, const inlay_value *v)
{
    xml_open(&w->x, "<rt_info>");
    xml_put_trees(&w->x, v->rt_info);
    if (inlay_value_has_new_dim_name(v))
        put_dim_names(w, v);
    if (has_note(num, v)) {
        xml_newline(&w->x);
        xml_printf(&w->x,
                   "<attribute name=\"" OV_STORAGE "\" version=\"0\" kind=\"%s\" layer=\"%lld\" "
                   "output=\"%d\"",
                   inlay_note_text(v->note), (long long)ov_layer_id(num, v->note_target->node),
                   v->note_target->index);
        put_grounds(w, num, v->grounds);
        xml_puts(&w->x, " />");
    }
    xml_close(&w->x, "</rt_info>");
}

void ov_put_layer_rt_info(ov_writer *w, const ov_numbering *num, const inlay_node *n)
{
    size_t first, count = ov_order_edges(num, n, &first);

    if (w->version < 11 || (!n->rt_info && count == 0))
        return;
    xml_open(&w->x, "<rt_info>");
    xml_put_trees(&w->x, n->rt_info);
    if (count > 0) {
        xml_newline(&w->x);
        xml_puts(&w->x, "<attribute name=\"" OV_AFTER "\" version=\"0\" layers=\"");
        for (size_t i = 0; i < count; i++)
            xml_printf(&w->x, i > 0 ? ", %lld" : "%lld",
                       (long long)ov_layer_id(num, num->edges[first + i]->before));
        xml_puts(&w->x, "\" />");
    }
    xml_close(&w->x, "</rt_info>");
}

/* Writes a port with the type and shape of V; V is NULL for an absent input, to which no edge
 * leads. An OUTPUT port, whose layer makes V, also gets the names and rt_info of V. */
static void put_port(ov_writer *w, const ov_numbering *num, int id, const inlay_value *v,
                     bool output)
{
    static const inlay_fact absent = {.type = INLAY_DYNAMIC, .rank = -1};
    const inlay_fact *f = v ? &v->fact : &absent;
    const char *precision = inlay_type_info_of(f->type)->xml;

    if (!precision) {
        xml_refuse(&w->x, "OpenVINO IR has no type %s", inlay_type_info_of(f->type)->name);
        return;
    }
    xml_newline(&w->x);
    xml_printf(&w->x, "<port id=\"%d\" precision=\"%s\"", id, precision);
    if (output && v->n_names > 0)
        put_names(w, v);
    if (f->rank <= 0 && !(output && has_port_rt_info(w, num, v))) {
        xml_puts(&w->x, " />");
        return;
    }
    xml_puts(&w->x, ">");
    w->x.indent++;
    for (int i = 0; i < f->rank; i++) {
        xml_newline(&w->x);
        xml_printf(&w->x, "<dim>%lld</dim>",
                   inlay_dim_is_static(f->dims[i]) ? (long long)f->dims[i].lo : -1LL);
    }
    if (output && has_port_rt_info(w, num, v))
        put_port_rt_info(w, num, v);
    xml_close(&w->x, "</port>");
}

int ov_written_inputs(const inlay_node *n)
{
    int count = n->n_in;

    while (count > 0 && !n->in[count - 1].value)
        count--;
    return count;
}

int ov_count_inputs(ov_writer *w, const inlay_node *n)
{
    int count = ov_written_inputs(n);

    for (int i = 0; i < count; i++) {
        if (!n->in[i].value && strcmp(n->op->set, "opset") == 0) {
            xml_refuse(&w->x,
                       "input %d is absent and input %d is not, which OpenVINO IR cannot say", i,
                       count - 1);
            return -1;
        }
    }
    return count;
}

void ov_put_ports(ov_writer *w, const ov_numbering *num, const inlay_node *n, int n_in)
{
    if (n_in > 0) {
        xml_open(&w->x, "<input>");
        for (int i = 0; i < n_in && !w->x.failed; i++)
            put_port(w, num, i, n->in[i].value, false);
        xml_close(&w->x, "</input>");
    }
    if (n->n_out > 0) {
        xml_open(&w->x, "<output>");
        for (int i = 0; i < n->n_out && !w->x.failed; i++)
            put_port(w, num, n_in + i, &n->out[i], true);
        xml_close(&w->x, "</output>");
    }
}
