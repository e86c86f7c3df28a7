/* What imports ask of their operands. See import.h. */
#include "parser/onnx/import.h"

/* Only the first thing that is not known counts. */
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

/* The elements of a list that inference knows. */
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

inlay_tensor *onnx_elements(onnx_node *n, inlay_value *v)
{
    const inlay_tensor *t = v->fact.content;
    inlay_tensor *known = t ? inlay_tensor_retain(t) : known_elements(n, &v->fact);

    if (!known && !inlay_diags_error(n->d))
        ask(n, v, (inlay_asked){.what = INLAY_ASKS_ELEMENTS});
    return known;
}

void onnx_promise(onnx_node *n, inlay_type type, int rank)
{
    n->asked->asked.type = type;
    n->asked->asked.rank = rank;
}
