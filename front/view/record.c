/* What a page shows of a node, as a record that is shared by all graphs in which the node is the
 * same: it has the names of operands, not their numbers. */
#include "front/view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 16, SAMPLES = 1 << 16, SHORT = 8 };

static size_t op_number(inlay_view *v, const inlay_op *op)
{
    char text[160];
    size_t before = v->op_names.n, number;

    inlay_op_text(op, text, sizeof text);
    number = view_texts_add(&v->op_names, text, strlen(text));
    if (number < before)
        return number;
    inlay_strbuf_printf(&v->ops, "%s\n{\"n\":", number ? "," : "");
    view_quote(&v->ops, text, strlen(text));
    inlay_strbuf_puts(&v->ops, ",\"in\":[");
    for (int i = 0; i < op->n_in; i++) {
        inlay_strbuf_puts(&v->ops, i ? "," : "");
        view_quote(&v->ops, op->in[i].name, strlen(op->in[i].name));
    }
    inlay_strbuf_puts(&v->ops, "]}");
    return number;
}

static void put_inputs(inlay_strbuf *b, inlay_view *v, const inlay_node *n)
{
    inlay_strbuf_puts(b, ",\"i\":[");
    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *x = n->in[i].value;

        inlay_strbuf_puts(b, i ? "," : "");
        if (!x)
            inlay_strbuf_puts(b, "-1");
        else if (x->index == 0)
            inlay_strbuf_printf(b, "%zu", view_text(v, x->node->name));
        else
            inlay_strbuf_printf(b, "[%zu,%d]", view_text(v, x->node->name), x->index);
    }
    inlay_strbuf_puts(b, "]");
}

/* The bytes of the elements of V; 0: not known. */
static uint64_t bytes_of(const inlay_value *v)
{
    int64_t dims[INLAY_MAX_RANK];
    uint64_t n = (uint64_t)inlay_type_info_of(v->fact.type)->bits;

    if (!inlay_fact_dims(&v->fact, dims))
        return 0;
    for (int i = 0; i < v->fact.rank; i++) {
        if (dims[i] && n > UINT64_MAX / (uint64_t)dims[i])
            return 0;
        n *= (uint64_t)dims[i];
    }
    return n / 8 + (n % 8 != 0);
}

static void put_outputs(inlay_strbuf *b, inlay_view *v, const inlay_node *n)
{
    char shape[512], type[560];

    inlay_strbuf_puts(b, ",\"t\":[");
    for (int i = 0; i < n->n_out; i++) {
        int length =
            snprintf(type, sizeof type, "%s%s", inlay_type_info_of(n->out[i].fact.type)->name,
                     inlay_value_shape_text(&n->out[i], shape, sizeof shape));

        inlay_strbuf_printf(b, "%s%zu", i ? "," : "",
                            view_texts_add(&v->texts, type, (size_t)length));
    }
    inlay_strbuf_puts(b, "],\"b\":[");
    for (int i = 0; i < n->n_out; i++)
        inlay_strbuf_printf(b, "%s%llu", i ? "," : "", (unsigned long long)bytes_of(&n->out[i]));
    inlay_strbuf_puts(b, "]");
}

static void put_notes(inlay_strbuf *b, inlay_view *v, const inlay_node *n)
{
    const char *sep = ",\"w\":[", *end = "";

    for (int i = 0; i < n->n_out; i++) {
        const inlay_value *x = &n->out[i];

        if (x->note == INLAY_FRESH || !x->note_target)
            continue;
        inlay_strbuf_printf(b, "%s[%d,%d,%zu,%d]", sep, i, (int)x->note,
                            view_text(v, x->note_target->node->name), x->note_target->index);
        sep = ",";
        end = "]";
    }
    inlay_strbuf_puts(b, end);
}

/* The distribution of a tensor's numbers; a large tensor is sampled. */
struct spread {
    double least, most;
    int64_t step, bins[BINS], largest;
};

static void find_ends(const inlay_tensor *t, int64_t n, struct spread *s)
{
    s->step = n / SAMPLES + 1;
    s->least = INFINITY;
    s->most = -INFINITY;
    for (int64_t i = 0; i < n; i += s->step) {
        double x = inlay_tensor_get_f64(t, i);

        if (isfinite(x)) {
            s->least = x < s->least ? x : s->least;
            s->most = x > s->most ? x : s->most;
        }
    }
}

static void fill_bins(const inlay_tensor *t, int64_t n, struct spread *s)
{
    double width = s->most / BINS - s->least / BINS;

    for (int64_t i = 0; i < n; i += s->step) {
        double x = inlay_tensor_get_f64(t, i);
        int bin = isfinite(x) && width > 0 ? (int)((x - s->least) / width) : 0;

        bin = bin >= BINS ? BINS - 1 : bin < 0 ? 0 : bin;
        s->bins[bin]++;
        s->largest = s->bins[bin] > s->largest ? s->bins[bin] : s->largest;
    }
}

static bool has_numbers(const inlay_tensor *t)
{
    inlay_type_class c = inlay_type_info_of(t->type)->cls;

    return c != INLAY_CLASS_STRING && c != INLAY_CLASS_COMPLEX && c != INLAY_CLASS_NONE;
}

/* A constant: its smallest and largest number, and a histogram of 16 digits over that range. */
static void put_spread(inlay_strbuf *b, const inlay_tensor *t)
{
    struct spread s = {0};
    int64_t n = inlay_tensor_count(t);

    if (!has_numbers(t) || n == 0)
        return;
    find_ends(t, n, &s);
    if (!(s.least <= s.most))
        return;
    inlay_strbuf_printf(b, ",\"r\":[%.6g,%.6g]", s.least, s.most);
    if (n < SHORT)
        return;
    fill_bins(t, n, &s);
    inlay_strbuf_puts(b, ",\"h\":\"");
    for (int i = 0; i < BINS; i++)
        inlay_strbuf_printf(b, "%d", (int)((s.bins[i] * 9 + s.largest - 1) / s.largest));
    inlay_strbuf_puts(b, "\"");
}

static void put_few(inlay_strbuf *b, inlay_view *v, const inlay_tensor *t)
{
    inlay_strbuf text = {0};
    int64_t n = inlay_tensor_count(t);

    if (!has_numbers(t) || n >= SHORT)
        return;
    for (int64_t i = 0; i < n; i++)
        inlay_strbuf_printf(&text, "%s%.6g", i ? ", " : "", inlay_tensor_get_f64(t, i));
    inlay_strbuf_printf(b, ",\"v\":%zu",
                        view_texts_add(&v->texts, text.bytes ? text.bytes : "", text.n));
    b->failed = b->failed || text.failed;
    inlay_strbuf_free(&text);
}

static void put_content(inlay_strbuf *b, inlay_view *v, const view_node *n)
{
    const inlay_attr *value =
        inlay_node_is(n->node, INLAY_OP_CONST) ? inlay_node_attr(n->node, "value") : NULL;

    if (n->row)
        inlay_strbuf_puts(b, ",\"k\":\"row\"");
    else if (inlay_node_is(n->node, INLAY_OP_PARAMETER))
        inlay_strbuf_puts(b, ",\"k\":\"in\"");
    else if (inlay_node_is(n->node, INLAY_OP_RESULT))
        inlay_strbuf_puts(b, ",\"k\":\"out\"");
    if (value && value->set && value->as.tensor) {
        put_spread(b, value->as.tensor);
        put_few(b, v, value->as.tensor);
    }
}

static void put_origin(inlay_strbuf *b, inlay_view *v, const inlay_node *n)
{
    inlay_provenance from = inlay_node_provenance(n);
    char text[400];
    int length;

    if (n->line)
        inlay_strbuf_printf(b, ",\"l\":%u", n->line);
    if (!from.application)
        return;
    length =
        snprintf(text, sizeof text, "made by %s%s%s%s%.200s", from.pass, from.rule ? " " : "",
                 from.rule ? from.rule : "", from.name ? " from " : "", from.name ? from.name : "");
    inlay_strbuf_printf(b, ",\"f\":%zu", view_texts_add(&v->texts, text, (size_t)length));
}

/* The node as in the text form, without its name. */
static bool put_line(inlay_strbuf *b, inlay_view *v, const inlay_node *n, inlay_diags *d)
{
    inlay_strbuf line = {0};
    const inlay_sink to = {inlay_strbuf_sink, &line};
    bool ok = inlay_print_node(n, false, &to, NULL) || inlay_fail_memory(d);
    const char *text = ok && line.bytes ? line.bytes : "";
    const char *brace = strstr(text, " {");

    if (brace && strlen(brace) > 1)
        inlay_strbuf_printf(b, ",\"x\":%zu", view_texts_add(&v->texts, text, strcspn(text, "\n")));
    inlay_strbuf_free(&line);
    return ok;
}

bool view_record(inlay_view *v, const view_node *n, size_t *number, inlay_diags *d)
{
    inlay_strbuf b = {0};
    bool ok;

    inlay_strbuf_printf(&b, "{\"n\":%zu,\"o\":%zu", view_text(v, n->node->name),
                        op_number(v, n->node->op));
    put_inputs(&b, v, n->node);
    put_outputs(&b, v, n->node);
    put_notes(&b, v, n->node);
    put_content(&b, v, n);
    put_origin(&b, v, n->node);
    ok = inlay_node_is(n->node, INLAY_OP_CONST) || put_line(&b, v, n->node, d);
    inlay_strbuf_puts(&b, "}");
    ok = ok && (!b.failed || inlay_fail_memory(d));
    if (ok)
        *number = view_texts_add(&v->records, b.bytes, b.n);
    inlay_strbuf_free(&b);
    return ok;
}
