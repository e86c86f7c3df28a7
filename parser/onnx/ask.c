/* Facts that imports ask about their operands. See import.h. */
#include "parser/onnx/import.h"

#include <string.h>

/* Notes that the node needs WHAT of V, which is not known; only the first such note counts. */
static void ask(onnx_node *n, const inlay_value *v, inlay_asked what)
{
    onnx_asked *a = n->asked;

    if (a->of)
        return;
    what.type = a->asked.type;
    what.rank = a->asked.rank;
    *a = (onnx_asked){what, v};
}

int onnx_rank(onnx_node *n, const inlay_value *v)
{
    if (v->fact.rank < 0)
        ask(n, v, (inlay_asked){.what = INLAY_ASKS_RANK});
    return v->fact.rank;
}

inlay_type onnx_type_of(onnx_node *n, const inlay_value *v)
{
    if (v->fact.type == INLAY_DYNAMIC)
        ask(n, v, (inlay_asked){.what = INLAY_ASKS_TYPE});
    return v->fact.type;
}

int64_t onnx_known_size(onnx_node *n, const inlay_value *v, int axis)
{
    inlay_dim d = v->fact.dims[axis];

    if (inlay_dim_is_static(d))
        return d.lo;
    ask(n, v, (inlay_asked){.what = INLAY_ASKS_SIZE, .axis = axis});
    return -1;
}

static bool says_same(Onnx__ValueInfoProto *const *list, size_t n, const char *name,
                      const inlay_value *v, int axis)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i]->name && strcmp(list[i]->name, name) == 0)
            return onnx_is_same_dim(list[i]->type, axis, v);
    }
    return false;
}

bool onnx_declares_same(const onnx_node *n, int o, const inlay_value *v, int axis)
{
    const Onnx__GraphProto *g = n->s->declares;
    const char *name = (size_t)o < n->proto->n_output ? n->proto->output[o] : "";

    return g && *name &&
           (says_same(g->output, g->n_output, name, v, axis) ||
            says_same(g->value_info, g->n_value_info, name, v, axis));
}

/* Returns the elements of a list if inference knows them. */
static inlay_tensor *known_elements(onnx_node *n, const inlay_fact *f)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor *t = NULL;
    bool known = f->known && inlay_fact_dims(f, dims);

    for (int i = 0; known && i < f->n_known; i++)
        known = inlay_dim_is_static(f->known[i]);
    if (known)
        t = assemble_tensor(&n->s->r->a, f->type, f->rank, dims);
    for (int i = 0; t && i < f->n_known; i++)
        inlay_tensor_set_i64(t, i, f->known[i].lo);
    return t;
}

/* If V is a Parameter of a body that has the same value in each iteration, returns that value of
 * the outer graph; otherwise NULL. */
static const inlay_value *entering(const inlay_value *v)
{
    const inlay_graph *g = v->node->graph;

    if (!g->owner || !inlay_node_is(v->node, INLAY_OP_PARAMETER) || inlay_param_is_carried(v->node))
        return NULL;
    for (int i = 0; i < g->owner->n_bodies; i++) {
        const inlay_body *b = &g->owner->bodies[i];

        for (int k = 0; b->graph == g && k < b->n_in; k++) {
            if (inlay_port_is_plain(&b->in[k]) && g->params[b->in[k].inner] == v->node)
                return inlay_node_input(g->owner, b->in[k].outer);
        }
    }
    return NULL;
}

/* Returns the elements of V if it is a constant, perhaps one of an outer graph. */
static const inlay_tensor *content_of(const inlay_value *v)
{
    while (v && !v->fact.content)
        v = entering(v);
    return v ? v->fact.content : NULL;
}

inlay_tensor *onnx_elements(onnx_node *n, inlay_value *v)
{
    const inlay_tensor *t = content_of(v);
    inlay_tensor *known = t ? inlay_tensor_retain(t) : known_elements(n, &v->fact);

    if (!known)
        ask(n, v, (inlay_asked){.what = INLAY_ASKS_ELEMENTS});
    return known;
}

void onnx_promise(onnx_node *n, inlay_type type, int rank)
{
    n->asked->asked.type = type;
    n->asked->asked.rank = rank;
}
