/* A deferred node is written as the operator that it keeps. */
#include "parser/onnx/defer.h"
#include "parser/onnx/write.h"

#include <string.h>

/* Whether what the node keeps means the same in the operator set that is written. */
static bool means_the_same(onnx_export *x, const char *domain, const char *name)
{
    int64_t version = inlay_node_int(x->n, "version"),
            written = *domain ? ONNX_ML_OPSET : x->version;

    if (onnx_deferred_means(domain, name, version, written))
        return true;
    if (!*domain && version > written && version <= ONNX_MAX_OPSET)
        return put_needs(x, (int)version, name); /* it is put again in that one */
    return put_refuse(x, "%s-%lld, which operator set %lld says otherwise", name,
                      (long long)version, (long long)written);
}

/* The operand that the model calls NAME. */
static const char *operand_named(onnx_export *x, const Onnx__GraphProto *g, const char *name)
{
    for (size_t i = 0; *name && i < g->n_input; i++) {
        if (g->input[i]->name && strcmp(g->input[i]->name, name) == 0)
            return put_in(x, (int)i);
    }
    return "";
}

static bool export_deferred(onnx_export *x)
{
    onnx_writer *w = x->w;
    const Onnx__ModelProto *m = onnx_deferred_model(x->n, w->a, w->d);
    const Onnx__NodeProto *p = m ? m->graph->node[0] : NULL;
    const char *domain = p && p->domain ? p->domain : "", *op, **in, **out;
    Onnx__NodeProto *made;

    if (!p)
        return false;
    for (size_t i = 0; i < p->n_attribute; i++) {
        if (p->attribute[i]->g)
            return put_refuse(x, "%s with a body, whose form only the run knows", p->op_type);
    }
    if (*domain && strcmp(domain, "ai.onnx.ml") != 0)
        return put_refuse(x, "%s of %s", p->op_type, domain);
    if (!means_the_same(x, domain, p->op_type))
        return false;
    in = inlay_arena_array(w->a, p->n_input + 1, sizeof *in);
    out = inlay_arena_array(w->a, p->n_output + 1, sizeof *out);
    op = *domain ? inlay_arena_printf(w->a, "%s.%s", domain, p->op_type) : p->op_type;
    if (!in || !out || !op)
        return onnx_out_of_memory(w);
    for (size_t i = 0; i < p->n_input; i++) {
        if (!(in[i] = operand_named(x, m->graph, p->input[i])))
            return false;
    }
    if (!put_many(x, op, in, NULL, (int)p->n_output, out))
        return false;
    made = w->graph->proto->node[w->graph->proto->n_node - 1];
    made->n_attribute = p->n_attribute;
    made->attribute = p->attribute;
    for (int i = 0; i < x->n->n_out && (size_t)i < p->n_output; i++) {
        if (!put_give(x, i, out[i]))
            return false;
    }
    return true;
}

const onnx_exporter onnx_exporters_deferred[] = {
    {"Deferred@inlay", export_deferred, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
