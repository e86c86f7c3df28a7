/* Storage notes, order edges and names of sizes in an OpenVINO file of version 11. They are
 * attributes of rt_info, which other readers ignore. An output port has the names of its sizes,
 *
 *     <attribute name="inlay_dims" version="0" dim0="batch" dim2="length"/>
 *
 * and the storage note of this output:
 *
 *     <attribute name="inlay_storage" version="0" kind="overwrites" layer="4" output="0"
 *                relies="O3 7"/>
 *
 * with the conditions and layers on which it relies, if the note states them; and a layer has the
 * layers that must run before it:
 *
 *     <attribute name="inlay_after" version="0" layers="3, 5"/>
 *
 * In the graph they are notes and not metadata. A file's notes are only claims: a note with a
 * dangling reference is dropped here with a warning, and the assembler drops illegal ones. */
#include "parser/openvino/read.h"
#include "parser/xml/xml.h"

#include <stdio.h>
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

/* Finds the layer whose id is TEXT, N bytes, in the same net as L, or NULL. */
static ov_layer *layer_of(const ov_layer *l, const char *text, size_t n)
{
    int64_t id;

    return text && xml_parse_int(text, n, &id) ? ov_find_layer(l->net, id) : NULL;
}

static ov_note *new_note(ov_reader *r, ov_note note)
{
    ov_note *copy = inlay_arena_alloc(r->a.scratch, sizeof *copy);

    if (!copy) {
        inlay_fail_memory(r->a.d);
        return NULL;
    }
    *copy = note;
    return copy;
}

/* Reads the first item at *P, as of `O3 7, N1 4`: a condition, and the layer that meets it, which
 * is returned. *P moves on to the next item. NULL: the item is malformed. */
static ov_layer *next_ground(const ov_layer *l, const char **p, inlay_condition *condition)
{
    const char *at = *p + strspn(*p, " ");
    size_t n = strcspn(at, ","), word = strcspn(at, " ,");

    *p = at + n + (at[n] == ',');
    *condition = inlay_condition_of_word(at, word);
    return *condition && word < n ? layer_of(l, at + word, n - word) : NULL;
}

static bool are_grounds(const ov_layer *l, const char *list)
{
    inlay_condition condition;
    bool ok = true;

    while (ok && *list)
        ok = next_ground(l, &list, &condition) != NULL;
    return ok;
}

static bool take_grounds(const ov_layer *l, int output, const ov_note *note, const char *list)
{
    inlay_value *v = &l->made.node->out[output];
    bool ok = assemble_grounds(l->net->scope, v);

    while (ok && *list) {
        inlay_condition condition;
        ov_layer *other = next_ground(l, &list, &condition);
        assemble_ref ref = {other ? &other->made : NULL, -1, note};

        ok = !other || assemble_ground(l->net->scope, v, condition, &ref);
    }
    return ok;
}

static bool take_storage(ov_reader *r, ov_layer *l, int output, const inlay_meta *attribute)
{
    const char *layer = attr_of(attribute, "layer"), *kind = attr_of(attribute, "kind");
    const char *target = attr_of(attribute, "output"), *relies = attr_of(attribute, "relies");
    ov_layer *other = layer_of(l, layer, layer ? strlen(layer) : 0);
    ov_note *note = new_note(r, (ov_note){.layer = l, .output = output, .attribute = attribute});
    assemble_ref ref = {NULL, -1, note};
    inlay_note_kind k = INLAY_FRESH;

    if (!note)
        return false;
    if (other && kind && assemble_note_kind(kind, &k) && target &&
        xml_parse_int(target, strlen(target), &ref.output) && ref.output >= 0 &&
        (!relies || are_grounds(l, relies)))
        ref.name = &other->made;
    return assemble_note(l->net->scope, &l->made.node->out[output], k, &ref) &&
           (!relies || take_grounds(l, output, note, relies));
}

static bool take_order(ov_reader *r, ov_layer *l, int output, const inlay_meta *attribute)
{
    const char *list = attr_of(attribute, "layers");

    for (const char *p = list ? list : ""; *p;) {
        size_t n = strcspn(p, ",");
        ov_layer *other = layer_of(l, p, n);
        ov_note *note = new_note(r, (ov_note){l, output, attribute, p, n});
        assemble_ref before = {NULL, -1, note}, after = {&l->made, -1, note};

        if (!note)
            return false;
        if (other != l)
            before.name = other ? &other->made : NULL;
        if (!assemble_order(l->net->scope, &before, &after))
            return false;
        p += n + (p[n] == ',');
    }
    return true;
}

static bool take_dims(ov_reader *r, ov_layer *l, int output, const inlay_meta *attribute)
{
    for (int axis = 0; axis < INLAY_MAX_RANK; axis++) {
        char key[16];
        const char *name;

        snprintf(key, sizeof key, "dim%d", axis);
        name = attr_of(attribute, key);
        if (name && !assemble_dim_name(l->net->scope, &l->made.node->out[output], axis, name))
            return false;
    }
    (void)r;
    return true;
}

/* Removes the attributes called NAME from LIST and calls TAKE_ONE for each. */
static bool take(ov_reader *r, ov_layer *l, int output, inlay_meta **list, const char *name,
                 bool (*take_one)(ov_reader *r, ov_layer *l, int output,
                                  const inlay_meta *attribute))
{
    while (*list) {
        if (!is_attribute(*list, name)) {
            list = &(*list)->next;
            continue;
        }
        if (!take_one(r, l, output, *list))
            return false;
        *list = (*list)->next;
    }
    return true;
}

bool ov_take_notes(ov_reader *r, ov_layer *l)
{
    inlay_node *n = l->made.node;

    if (!take(r, l, -1, &n->rt_info, OV_AFTER, take_order))
        return false;
    for (int i = 0; i < n->n_out; i++) {
        if (!take(r, l, i, &n->out[i].rt_info, OV_DIMS, take_dims) ||
            !take(r, l, i, &n->out[i].rt_info, OV_STORAGE, take_storage))
            return false;
    }
    return true;
}

bool ov_note_unresolved(void *reader, const assemble_ref *ref, assemble_fault fault)
{
    const ov_reader *r = reader;
    const ov_note *note = ref->at;
    const inlay_node *n = note->layer->made.node;
    const char *layer = attr_of(note->attribute, "layer"), *kind = attr_of(note->attribute, "kind");
    const char *output = attr_of(note->attribute, "output");

    (void)fault;
    if (note->output < 0)
        inlay_warn_node(r->a.d, n, "an order edge is dropped: there is no layer %.*s before it",
                        note->length < 20 ? (int)note->length : 20, note->before);
    else
        inlay_warn_node(
            r->a.d, n,
            "the storage note of output %d is dropped: \"%.40s\" of output %.20s of layer %.20s "
            "says nothing here",
            note->output, kind ? kind : "", output ? output : "?", layer ? layer : "?");
    return true;
}
