/* Names of values, and initializers, of the graph that is written. */
#include "ir/shared.h"
#include "parser/onnx/write.h"

#include <string.h>

struct onnx_taken_name *onnx_taken_slot(const onnx_taken *t, const char *name)
{
    size_t i = t->size ? inlay_hash(name, strlen(name)) & (t->size - 1) : 0;

    while (t->size && t->slots[i].name && strcmp(t->slots[i].name, name) != 0)
        i = (i + 1) & (t->size - 1);
    return t->size ? &t->slots[i] : NULL;
}

static bool grow(onnx_taken *t, inlay_arena *a)
{
    onnx_taken larger = {.size = t->size ? 2 * t->size : 64, .used = t->used};

    larger.slots = inlay_arena_array(a, larger.size, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < t->size; i++) {
        if (t->slots[i].name)
            *onnx_taken_slot(&larger, t->slots[i].name) = t->slots[i];
    }
    *t = larger;
    return true;
}

bool onnx_name_taken(const onnx_writer *w, const char *name)
{
    for (const onnx_out_graph *g = w->graph; g; g = g->outer) {
        const struct onnx_taken_name *slot = onnx_taken_slot(&g->taken, name);

        if (slot && slot->name)
            return true;
    }
    return false;
}

struct onnx_taken_name *onnx_take_name(onnx_writer *w, onnx_taken *t, const char *name)
{
    struct onnx_taken_name *slot;

    if (2 * t->used >= t->size && !grow(t, w->a))
        return onnx_out_of_memory(w), NULL;
    slot = onnx_taken_slot(t, name);
    t->used += slot->name == NULL;
    slot->name = name;
    return slot;
}

static struct onnx_taken_name *take(onnx_writer *w, const char *name)
{
    return onnx_take_name(w, &w->graph->taken, name);
}

const char *onnx_new_name(onnx_writer *w, const char *name)
{
    bool taken = name && onnx_name_taken(w, name);
    struct onnx_taken_name *slot = name ? take(w, name) : NULL;
    unsigned next;

    if (!slot || !taken)
        return slot ? onnx_utf8(w, name) : (onnx_out_of_memory(w), NULL);
    next = slot->next ? slot->next : 2;
    for (;;) {
        char *other = inlay_arena_printf(w->a, "%s_%u", name, next++);

        if (!other)
            return onnx_out_of_memory(w), NULL;
        if (onnx_name_taken(w, other))
            continue;
        onnx_taken_slot(&w->graph->taken, name)->next = next;
        return take(w, other) ? other : NULL;
    }
}

const char **onnx_names_of(onnx_writer *w, const inlay_node *n)
{
    const char ***at = &w->graph->values[n->id];

    if (!*at)
        *at = inlay_arena_array(w->a, (size_t)n->n_out + 1, sizeof **at);
    return *at ? *at : (onnx_out_of_memory(w), NULL);
}

void onnx_name_value(onnx_writer *w, const inlay_value *v, const char *name)
{
    const char **names = onnx_names_of(w, v->node);

    if (names)
        names[v->index] = name;
}

static bool has_name(const inlay_value *v, const char *name)
{
    for (int i = 0; i < v->n_names; i++) {
        if (strcmp(v->names[i], name) == 0)
            return true;
    }
    return false;
}

const char *onnx_called(onnx_writer *w, const inlay_value *v)
{
    const char *name = v->n_names > 0 && !has_name(v, v->node->name) ? v->names[0] : v->node->name;

    if (v->n_names == 0 && v->node->n_out > 1)
        name = inlay_arena_printf(w->a, "%s.%d", v->node->name, v->index);
    return name && !*name ? "value" : name;
}

bool onnx_name_new(onnx_writer *w, const inlay_value *v)
{
    const char **names = onnx_names_of(w, v->node);

    return names && (names[v->index] || (names[v->index] = onnx_new_name(w, onnx_called(w, v))));
}

static bool store(onnx_writer *w, const inlay_value *v, const char *name)
{
    const inlay_attr *value = inlay_node_attr(v->node, "value");
    Onnx__TensorProto *t;

    w->graph->stored[v->node->id] = true;
    if (!value || !onnx_put_type(w, v->fact.type))
        return true; /* who uses it is refused for its type */
    t = onnx_put_message(w, w->graph->proto, "initializer");
    return t && onnx_put_tensor(w, t, name, value->as.tensor);
}

const char *onnx_value_name(onnx_writer *w, const inlay_value *v)
{
    const char **names = onnx_name_new(w, v) ? onnx_names_of(w, v->node) : NULL;

    if (names && inlay_node_is(v->node, INLAY_OP_CONST) && !w->graph->stored[v->node->id] &&
        !store(w, v, names[v->index]))
        return NULL;
    return names ? names[v->index] : NULL;
}
