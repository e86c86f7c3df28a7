/* Writes storage notes and order edges. See notes.c. */
#include "ir/shared.h"
#include "parser/onnx/notes.h"
#include "parser/onnx/write.h"

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

/* TEXT with what G says behind it; TEXT alone, which a checker completes, if a ground makes
 * nothing. */
static const char *with_grounds(onnx_writer *w, const char *text, const inlay_grounds *g)
{
    const char *all = g ? inlay_arena_printf(w->a, "%s\n", text) : text;

    for (int i = 0; g && all && i < g->n; i++) {
        const inlay_node *n = g->list[i].node;
        const char *word = inlay_ground_name(&g->list[i]),
                   *name = n->n_out > 0 ? name_of(w->graph, &n->out[0]) : NULL;

        if (!name)
            return text;
        all = inlay_arena_printf(w->a, "%s%.*s %s\n", all, (int)strcspn(word, " "), word, name);
    }
    return all;
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

/* The names of what must run before N, whose edges stand from number *AT on; edges are in the order
 * of AFTER. */
static void put_order(onnx_writer *w, const inlay_order_edge *e)
{
    Onnx__NodeProto *p = w->graph->protos[e->after->id];
    const char *before = e->before->n_out > 0 ? name_of(w->graph, &e->before->out[0]) : NULL;
    Onnx__StringStringEntryProto *last =
        p && p->n_metadata_props > 0 ? p->metadata_props[p->n_metadata_props - 1] : NULL;

    if (!p || !before || p->n_output == 0)
        return;
    if (last && strcmp(last->key, ONNX_AFTER) == 0)
        last->value = inlay_arena_printf(w->a, "%s\n%s", last->value, before);
    else
        put_entry(w, p, ONNX_AFTER, before);
    w->failed = w->failed || (last && !last->value);
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
    for (size_t i = 0; i < out->g->n_order_edges && !w->failed; i++)
        put_order(w, &out->g->order_edges[i]);
}
