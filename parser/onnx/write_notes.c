/* Writes storage notes and order edges. See notes.c. */
#include "ir/shared.h"
#include "parser/onnx/notes.h"
#include "parser/onnx/write.h"

#include <stdlib.h>
#include <string.h>

/* The name that V has in the file; NULL: none, or none that can be told. */
static const char *name_of(const onnx_out_graph *out, const inlay_value *v)
{
    const char **names = out->values[v->node->id];
    const char *name = names ? names[v->index] : NULL;
    bool there = !inlay_node_is(v->node, INLAY_OP_CONST) || out->stored[v->node->id];

    return there && name && *name && !strchr(name, '\n') ? name : NULL;
}

static void put_entry(onnx_writer *w, Onnx__NodeProto *to, const char *key, const char *value)
{
    Onnx__StringStringEntryProto *e = value ? onnx_put_message(w, to, "metadata_props") : NULL;

    if (!e) {
        onnx_out_of_memory(w);
        return;
    }
    onnx_put_text(w, e, "key", key);
    onnx_put_text(w, e, "value", value);
    w->has_metadata = true;
}

/* The text of B, as long as the file's records. NULL: out of memory. */
static const char *kept(onnx_writer *w, const inlay_strbuf *b)
{
    return b->failed ? NULL : inlay_arena_strndup(w->a, b->bytes, b->n);
}

/* TEXT with what G says behind it; TEXT alone, which a checker completes, if a ground makes
 * nothing. */
static const char *with_grounds(onnx_writer *w, const char *text, const inlay_grounds *g)
{
    inlay_strbuf all = {0};
    bool named = true;

    if (!g)
        return text;
    inlay_strbuf_printf(&all, "%s\n", text);
    for (int i = 0; named && i < g->n; i++) {
        const inlay_node *n = g->list[i].node;
        const char *word = inlay_ground_name(&g->list[i]),
                   *name = n->n_out > 0 ? name_of(w->graph, &n->out[0]) : NULL;

        named = name != NULL;
        if (named)
            inlay_strbuf_printf(&all, "%.*s %s\n", (int)strcspn(word, " "), word, name);
    }
    text = named ? kept(w, &all) : text;
    inlay_strbuf_free(&all);
    return text;
}

static bool reads(const Onnx__NodeProto *p, const char *name)
{
    for (size_t i = 0; i < p->n_input; i++) {
        if (strcmp(p->input[i], name) == 0)
            return true;
    }
    return false;
}

/* Whether output K of P, which is V, can have V's note when it is read again: where P is the
 * operator that reads what it shows or writes over, and not the last of several that do so
 * together. */
static bool holds(const onnx_writer *w, const Onnx__NodeProto *p, size_t k, const inlay_value *v)
{
    const char *target = name_of(w->graph, v->note_target);
    const inlay_node *holder = v->note_target->node;
    const Onnx__NodeProto *whole = w->graph->protos[holder->id];

    if (!target || strcmp(p->op_type, "Identity") == 0)
        return false;
    return v->note == INLAY_INTO
               ? whole && reads(whole, p->output[k]) && (holder->op->flags & INLAY_HOLDS)
               : reads(p, target);
}

/* Writes the notes of N, with grounds if they are STATED; if it is only ASKED, writes nothing.
 * Returns whether all of them can be written. */
static bool put_notes_of(onnx_writer *w, const inlay_node *n, bool asked, bool stated)
{
    Onnx__NodeProto *p = w->graph->protos[n->id];
    bool all = true;

    for (int i = 0; i < n->n_out; i++) {
        const inlay_value *v = &n->out[i];
        const char *name = v->note == INLAY_FRESH ? NULL : name_of(w->graph, v), *text;
        size_t k = 0;

        while (name && p && k < p->n_output && strcmp(p->output[k], name) != 0)
            k++;
        if (!name || !p || k == p->n_output || !holds(w, p, k, v)) {
            all = all && v->note == INLAY_FRESH;
            continue;
        }
        text = asked ? NULL
                     : inlay_arena_printf(w->a, "%s %s", inlay_note_text(v->note),
                                          name_of(w->graph, v->note_target));
        if (!asked)
            put_entry(w, p, k > 0 ? inlay_arena_printf(w->a, ONNX_STORAGE "%zu", k) : ONNX_STORAGE,
                      text && stated ? with_grounds(w, text, v->grounds) : text);
    }
    return all;
}

/* Orders edges by the node that waits, for qsort. */
static int by_after(const void *a, const void *b)
{
    const inlay_order_edge *x = *(const inlay_order_edge *const *)a;
    const inlay_order_edge *y = *(const inlay_order_edge *const *)b;

    return x->after != y->after ? (x->after->id > y->after->id ? 1 : -1) : (x > y) - (x < y);
}

/* Writes the names of what must run before a node, whose edges stand at E, where N edges are left.
 * Returns the number of edges of that node. */
static size_t put_order(onnx_writer *w, const inlay_order_edge *const *e, size_t n)
{
    Onnx__NodeProto *p = w->graph->protos[e[0]->after->id];
    inlay_strbuf names = {0};
    size_t i = 0;

    for (; i < n && e[i]->after == e[0]->after; i++) {
        const inlay_node *first = e[i]->before;
        const char *before = first->n_out > 0 ? name_of(w->graph, &first->out[0]) : NULL;

        if (before)
            inlay_strbuf_printf(&names, "%s%s", names.n > 0 ? "\n" : "", before);
    }
    if (p && p->n_output > 0 && (names.n > 0 || names.failed))
        put_entry(w, p, ONNX_AFTER, kept(w, &names));
    inlay_strbuf_free(&names);
    return i;
}

static void put_orders(onnx_writer *w, const inlay_graph *g)
{
    size_t n = g->n_order_edges;
    const inlay_order_edge **edges = inlay_arena_array(w->a, n + 1, sizeof *edges);

    if (!edges) {
        onnx_out_of_memory(w);
        return;
    }
    for (size_t i = 0; i < n; i++)
        edges[i] = &g->order_edges[i];
    qsort(edges, n, sizeof *edges, by_after);
    for (size_t i = 0; i < n && !w->failed;)
        i += put_order(w, edges + i, n - i);
}

/* What a note relies on changes with the notes of others, and with the operators that read what it
 * writes over: where a note is left out, or a node is several operators, notes are written without,
 * and who reads them finds what they rely on. */
void onnx_put_notes(onnx_writer *w)
{
    const onnx_out_graph *out = w->graph;
    bool all = out->plain;

    for (size_t i = 0; out->g->has_notes && i < out->n_order; i++)
        all = put_notes_of(w, out->order[i], true, false) && all;
    for (size_t i = 0; out->g->has_notes && i < out->n_order && !w->failed; i++)
        put_notes_of(w, out->order[i], false, all);
    put_orders(w, out->g);
}
