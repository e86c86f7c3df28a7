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

/* TEXT with what G says behind it; TEXT alone, which a checker completes, if a ground makes nothing. */
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

/* A note of V, output K of P, is written where P can have it when it is read again: where it is the operator that
 * reads what it shows or writes over, and not the last of several that do so together. */
static void put_storage(onnx_writer *w, Onnx__NodeProto *p, size_t k, const inlay_value *v)
{
    const char *target = name_of(w->graph, v->note_target), *text;
    const inlay_node *holder = v->note_target->node;
    const Onnx__NodeProto *whole = w->graph->protos[holder->id];

    if (!target || strcmp(p->op_type, "Identity") == 0)
        return;
    if (v->note == INLAY_INTO
            ? !whole || !reads(whole, p->output[k]) || !(holder->op->flags & INLAY_HOLDS)
            : !reads(p, target))
        return;
    text = inlay_arena_printf(w->a, "%s %s", inlay_note_text(v->note), target);
    put_entry(w, p, k > 0 ? inlay_arena_printf(w->a, ONNX_STORAGE "%zu", k) : ONNX_STORAGE,
              text ? with_grounds(w, text, v->grounds) : NULL);
}

static void put_notes_of(onnx_writer *w, const inlay_node *n, Onnx__NodeProto *p)
{
    for (int i = 0; i < n->n_out; i++) {
        const char *name = n->out[i].note == INLAY_FRESH ? NULL : name_of(w->graph, &n->out[i]);

        for (size_t k = 0; name && k < p->n_output; k++) {
            if (strcmp(p->output[k], name) == 0)
                put_storage(w, p, k, &n->out[i]);
        }
    }
}

/* The names of what must run before N, whose edges stand from number *AT on; edges are in the order of AFTER. */
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

void onnx_put_notes(onnx_writer *w)
{
    const onnx_out_graph *out = w->graph;

    for (size_t i = 0; out->g->has_notes && i < out->n_order && !w->failed; i++) {
        if (out->protos[out->order[i]->id])
            put_notes_of(w, out->order[i], out->protos[out->order[i]->id]);
    }
    for (size_t i = 0; i < out->g->n_order_edges && !w->failed; i++)
        put_order(w, &out->g->order_edges[i]);
}
