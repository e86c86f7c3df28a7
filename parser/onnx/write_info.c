/* Writes the metadata that info.c keeps. */
#include "parser/onnx/notes.h"
#include "parser/onnx/write.h"

#include <stdlib.h>
#include <string.h>

static const char *attr_of(const inlay_meta *m, const char *name)
{
    for (int i = 0; m && i < m->n_attrs; i++) {
        if (strcmp(m->attrs[2 * i], name) == 0)
            return m->attrs[2 * i + 1];
    }
    return NULL;
}

static void put_metadata(onnx_writer *w, void *to, const inlay_meta *list)
{
    for (const inlay_meta *m = list; m; m = m->next) {
        Onnx__StringStringEntryProto *e =
            strcmp(m->tag, "metadata") == 0 ? onnx_put_message(w, to, "metadata_props") : NULL;

        if (!e)
            continue;
        onnx_put_text(w, e, "key", attr_of(m, "key"));
        onnx_put_text(w, e, "value", attr_of(m, "value"));
    }
}

/* The element <attribute name="onnx"> of RT_INFO; NULL: there is none. */
static const inlay_meta *info_of(const inlay_meta *rt_info)
{
    const inlay_meta *m = rt_info;

    while (m && !(strcmp(m->tag, "attribute") == 0 && attr_of(m, "name") &&
                  strcmp(attr_of(m, "name"), "onnx") == 0))
        m = m->next;
    return m;
}

static void put_info(onnx_writer *w, void *to, const inlay_meta *rt_info)
{
    const inlay_meta *m = info_of(rt_info);

    if (!m)
        return;
    w->has_metadata |= m->child != NULL;
    onnx_put_text(w, to, "doc_string", attr_of(m, "doc_string"));
    put_metadata(w, to, m->child);
}

void onnx_put_node_info(onnx_writer *w, Onnx__NodeProto *to, const inlay_node *n)
{
    const char *function = attr_of(info_of(n->rt_info), "function");
    Onnx__StringStringEntryProto *e = function ? onnx_put_message(w, to, "metadata_props") : NULL;

    if (e) {
        w->has_metadata = true;
        onnx_put_text(w, e, "key", ONNX_FUNCTION);
        onnx_put_text(w, e, "value", function);
    }
    put_info(w, to, n->rt_info);
}

void onnx_put_item_shape(onnx_writer *w, Onnx__TypeProto__Tensor *to, const inlay_value *v)
{
    const inlay_meta *m = info_of(v->rt_info);
    const char *at = attr_of(m, "item_shape");
    Onnx__TensorShapeProto *shape = at && *at == '[' ? onnx_put_message(w, to, "shape") : NULL;

    if (!shape)
        return;
    for (at++; *at && *at != ']'; at += *at == ',') {
        Onnx__TensorShapeProto__Dimension *d = onnx_put_message(w, shape, "dim");
        size_t n = strcspn(at, ",]");

        if (!d)
            return;
        if (strspn(at, "0123456789") == n) {
            d->has_dim_value = true;
            d->dim_value = strtoll(at, NULL, 10);
        } else if (*at != '?') {
            onnx_put_text(w, d, "dim_param", inlay_arena_strndup(w->a, at, n));
        }
        at += n;
    }
}

void onnx_put_value_info(onnx_writer *w, Onnx__ValueInfoProto *to, const inlay_value *v)
{
    const inlay_meta *m = info_of(v->rt_info);

    put_info(w, to, v->rt_info);
    if (m && to->type)
        onnx_put_text(w, to->type, "denotation", attr_of(m, "denotation"));
}

/* What the model says of itself is in the net's <rt_info><onnx>. */
void onnx_put_model_info(onnx_writer *w, const inlay_meta *meta)
{
    static const char *const texts[] = {"producer_name", "producer_version", "domain",
                                        "doc_string"};
    const inlay_meta *m = meta;

    while (m && strcmp(m->tag, "rt_info") != 0)
        m = m->next;
    for (m = m ? m->child : NULL; m && strcmp(m->tag, "onnx") != 0; m = m->next)
        ;
    for (const inlay_meta *c = m ? m->child : NULL; c; c = c->next) {
        const char *value = attr_of(c, "value");

        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            if (strcmp(c->tag, texts[i]) == 0)
                onnx_put_text(w, w->model, texts[i], value);
        }
        if (strcmp(c->tag, "graph_doc_string") == 0)
            onnx_put_text(w, w->model->graph, "doc_string", value);
        if (strcmp(c->tag, "model_version") == 0 && value) {
            w->model->has_model_version = true;
            w->model->model_version = strtoll(value, NULL, 10);
        }
    }
    put_metadata(w, w->model, m ? m->child : NULL);
}
