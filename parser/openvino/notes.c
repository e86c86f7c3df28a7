/* Storage notes in an OpenVINO file of version 11: attributes of rt_info that other readers skip.
 *
 *   at an output port: <attribute name="inlay_storage" version="0" kind="overwrites" layer="4"
 *                       output="0"/>: where the bytes of this output live
 *   at a layer:        <attribute name="inlay_after" version="0" layers="3, 5"/>: order edges
 *
 * In the graph they are notes and no metadata. A file's notes are claims: one that says nothing
 * here is dropped with a warning, whether the others are legal is for who runs the graph to ask.
 */
#include "parser/openvino/openvino.h"

#include <string.h>

static const char *attr_of(const inlay_meta *m, const char *name)
{
    for (int i = 0; i < m->n_attrs; i++) {
        if (strcmp(m->attrs[2 * i], name) == 0)
            return m->attrs[2 * i + 1];
    }
    return NULL;
}

static bool is_attribute(const inlay_meta *m, const char *name)
{
    const char *own = attr_of(m, "name");

    return own && strcmp(m->tag, "attribute") == 0 && strcmp(own, name) == 0;
}

/* Takes the attributes called NAME out of LIST; what they say waits until all nodes are linked. */
static bool take(ov_reader *r, ov_layer *l, int output, inlay_meta **list, const char *name)
{
    while (*list) {
        ov_note *note;

        if (!is_attribute(*list, name)) {
            list = &(*list)->next;
            continue;
        }
        note = inlay_arena_alloc(r->arena, sizeof *note);
        if (!note)
            return inlay_fail_memory(r->d);
        *note = (ov_note){l, output, *list, NULL};
        *list = (*list)->next;
        *r->notes_end = note;
        r->notes_end = &note->next;
    }
    return true;
}

bool ov_take_notes(ov_reader *r, ov_layer *l)
{
    inlay_node *n = l->node;

    if (!take(r, l, -1, &n->rt_info, OV_AFTER))
        return false;
    for (int i = 0; i < n->n_out; i++) {
        if (!take(r, l, i, &n->out[i].rt_info, OV_STORAGE))
            return false;
    }
    return true;
}

/* The node of layer TEXT in the same net as L, or NULL. */
static inlay_node *node_of(const ov_layer *l, const char *text, size_t n)
{
    int64_t id;
    const ov_layer *other = NULL;

    if (text && ov_parse_int(text, n, &id))
        other = ov_find_layer(l->net, id);
    return other ? other->node : NULL;
}

static bool set_note(const ov_reader *r, const ov_note *note)
{
    inlay_value *v = &note->layer->node->out[note->output];
    const char *layer = attr_of(note->attribute, "layer"), *kind = attr_of(note->attribute, "kind");
    const char *output = attr_of(note->attribute, "output");
    inlay_node *target = node_of(note->layer, layer, layer ? strlen(layer) : 0);
    int64_t i;

    for (int k = INLAY_VIEW_OF; kind && k <= INLAY_INTO; k++) {
        if (strcmp(inlay_note_text((inlay_note_kind)k), kind) == 0 && target && output &&
            ov_parse_int(output, strlen(output), &i) && i >= 0 && i < target->n_out)
            return inlay_value_set_note(v, (inlay_note_kind)k, &target->out[i], r->d);
    }
    inlay_warn_node(
        r->d, v->node,
        "the storage note of output %d is dropped: \"%.40s\" of output %.20s of layer %.20s "
        "says nothing here",
        note->output, kind ? kind : "", output ? output : "?", layer ? layer : "?");
    return true;
}

static bool set_order(const ov_reader *r, const ov_note *note)
{
    inlay_node *after = note->layer->node;
    const char *list = attr_of(note->attribute, "layers");

    for (const char *p = list ? list : ""; *p;) {
        size_t n = strcspn(p, ",");
        inlay_node *before = node_of(note->layer, p, n);

        if (!before || before == after)
            inlay_warn_node(r->d, after,
                            "an order edge is dropped: there is no layer %.*s before it",
                            n < 20 ? (int)n : 20, p);
        else if (!inlay_graph_add_order_edge(after->graph, before, after, r->d))
            return false;
        p += n + (p[n] == ',');
    }
    return true;
}

bool ov_set_notes(const ov_reader *r)
{
    for (const ov_note *note = r->notes; note; note = note->next) {
        if (note->output < 0 ? !set_order(r, note) : !set_note(r, note))
            return false;
    }
    return true;
}
