/* Finds the outer values that bodies use. See onnx.h. */
#include "parser/onnx/onnx.h"

bool onnx_uses_begin(onnx_uses *u, const onnx_scope *s)
{
    *u = (onnx_uses){.seen = assemble_scope_new(&s->r->a, NULL, s->graph)};
    return u->seen != NULL;
}

/* LINE of a name says whether it was seen, as a definition or as a use. */
static bool see_definition(onnx_uses *u, const char *name)
{
    assemble_name *seen = name ? assemble_lasting_name(u->seen, name) : NULL;

    if (seen)
        seen->line = 1;
    return seen || !name;
}

static bool see_use(onnx_uses *u, const char *name)
{
    assemble_name *seen = assemble_lasting_name(u->seen, name);

    if (!seen)
        return false;
    if (seen->line || !*name)
        return true;
    seen->line = 1;
    if (!inlay_arena_grow(u->seen->a->scratch, &u->names, u->count, &u->room, sizeof *u->names))
        return inlay_fail_memory(u->seen->a->d);
    u->names[u->count++] = name;
    return true;
}

/* Reads all definitions first, because a node may precede those that make its operands (sort.c). */
static bool see_definitions(onnx_uses *u, const Onnx__GraphProto *g)
{
    bool ok = true;

    for (size_t i = 0; ok && i < g->n_input; i++)
        ok = see_definition(u, g->input[i]->name);
    for (size_t i = 0; ok && i < g->n_initializer; i++)
        ok = see_definition(u, g->initializer[i]->name);
    for (size_t i = 0; ok && i < g->n_sparse_initializer; i++)
        ok = !g->sparse_initializer[i]->values ||
             see_definition(u, g->sparse_initializer[i]->values->name);
    for (size_t i = 0; ok && i < g->n_node; i++) {
        for (size_t k = 0; ok && k < g->node[i]->n_output; k++)
            ok = see_definition(u, g->node[i]->output[k]);
    }
    return ok;
}

bool onnx_see_bodies(onnx_uses *u, const Onnx__NodeProto *n)
{
    bool ok = true;

    for (size_t i = 0; ok && i < n->n_attribute; i++)
        ok = !n->attribute[i]->g || onnx_see_uses(u, n->attribute[i]->g);
    return ok;
}

bool onnx_see_uses(onnx_uses *u, const Onnx__GraphProto *g)
{
    bool ok = see_definitions(u, g);

    for (size_t i = 0; ok && i < g->n_node; i++) {
        for (size_t k = 0; ok && k < g->node[i]->n_input; k++)
            ok = see_use(u, g->node[i]->input[k]);
        ok = ok && onnx_see_bodies(u, g->node[i]);
    }
    for (size_t i = 0; ok && i < g->n_output; i++)
        ok = !g->output[i]->name || see_use(u, g->output[i]->name);
    return ok;
}
