/* Information in a model that has no effect on results: its producer, documentation, metadata,
 * denotations. It is kept where OpenVINO keeps such information, so that every format that has
 * metadata keeps it. For the model that is the net's rt_info,
 *
 *     <rt_info><onnx>
 *         <producer_name value="pytorch"/> ...
 *         <metadata key="author" value="..."/>
 *     </onnx></rt_info>
 *
 * for a node or value its own rt_info, as one attribute with the same elements inside:
 *
 *     <attribute name="onnx" version="0" function="local.scale" doc_string="...">
 *         <metadata key="..." value="..."/>
 *     </attribute> */
#include "parser/onnx/notes.h"

#include <stdio.h>
#include <string.h>

/* A list of elements while it grows. */
typedef struct list {
    onnx_reader *r;
    inlay_graph *g;
    inlay_meta **end;
    bool ok;
} list;

static list list_at(onnx_reader *r, inlay_graph *g, inlay_meta **head)
{
    while (*head)
        head = &(*head)->next;
    return (list){r, g, head, true};
}

static inlay_meta *put(list *l, const char *tag)
{
    inlay_meta *m = l->ok ? inlay_meta_new(l->g, tag, l->r->a.d) : NULL;

    l->ok = m != NULL;
    if (m) {
        *l->end = m;
        l->end = &m->next;
    }
    return m;
}

static void set(list *l, inlay_meta *m, const char *name, const char *value)
{
    l->ok = l->ok && inlay_meta_set(l->g, m, name, value, l->r->a.d);
}

/* Adds <TAG value="TEXT"/> if there is a text. */
static void put_text(list *l, const char *tag, const char *text)
{
    if (text && *text)
        set(l, put(l, tag), "value", text);
}

static void put_number(list *l, const char *tag, int64_t x)
{
    char text[32];

    snprintf(text, sizeof text, "%lld", (long long)x);
    put_text(l, tag, text);
}

/* Whether the reader knows what metadata of this key says. */
static bool is_own(const char *key)
{
    return onnx_is_note(key) || (key && strcmp(key, ONNX_FUNCTION) == 0);
}

static void put_metadata(list *l, Onnx__StringStringEntryProto *const *entries, size_t n)
{
    for (size_t i = 0; l->ok && i < n; i++) {
        inlay_meta *m = is_own(entries[i]->key) ? NULL : put(l, "metadata");

        if (!m)
            continue;

        set(l, m, "key", entries[i]->key ? entries[i]->key : "");
        set(l, m, "value", entries[i]->value ? entries[i]->value : "");
    }
}

/* Lists what the model says of itself in AT. */
static bool list_model(onnx_reader *r, inlay_meta **at)
{
    const Onnx__ModelProto *m = r->model;
    list all = list_at(r, r->a.graph, at);

    put_text(&all, "producer_name", m->producer_name);
    put_text(&all, "producer_version", m->producer_version);
    put_text(&all, "domain", m->domain);
    if (m->has_model_version)
        put_number(&all, "model_version", m->model_version);
    put_text(&all, "doc_string", m->doc_string);
    put_text(&all, "graph_doc_string", m->graph->doc_string);
    put_metadata(&all, m->metadata_props, m->n_metadata_props);
    put_metadata(&all, m->graph->metadata_props, m->graph->n_metadata_props);
    return all.ok;
}

bool onnx_keep_model(onnx_reader *r)
{
    inlay_graph *g = r->a.graph;
    inlay_meta *info = inlay_meta_new(g, "rt_info", r->a.d);
    inlay_meta *onnx = info ? inlay_meta_new(g, "onnx", r->a.d) : NULL;

    if (!onnx || !list_model(r, &onnx->child))
        return false;
    info->child = onnx;
    g->meta = onnx->child ? info : NULL;
    return true;
}

/* What the model says of a node or value. */
typedef struct words {
    const char *function, *doc_string, *denotation, *item_shape;
    Onnx__StringStringEntryProto *const *entries;
    size_t n;
} words;

static bool keep(onnx_reader *r, inlay_graph *g, inlay_meta **rt_info, const words *w)
{
    const char *const texts[][2] = {{"function", w->function},
                                    {"doc_string", w->doc_string},
                                    {"denotation", w->denotation},
                                    {"item_shape", w->item_shape}};
    const int count = sizeof texts / sizeof *texts;
    list l = list_at(r, g, rt_info), inside;
    bool any = false;
    inlay_meta *m;

    for (int i = 0; i < count; i++)
        any |= texts[i][1] && *texts[i][1];
    for (size_t i = 0; i < w->n; i++)
        any |= !is_own(w->entries[i]->key);
    if (!any)
        return true;
    if (*rt_info)
        return true; /* the attribute may occur only once there, so the first one counts */
    m = put(&l, "attribute");
    set(&l, m, "name", "onnx");
    set(&l, m, "version", "0");
    for (int i = 0; i < count; i++) {
        if (texts[i][1] && *texts[i][1])
            set(&l, m, texts[i][0], texts[i][1]);
    }
    if (!l.ok)
        return false;
    inside = list_at(r, g, &m->child);
    put_metadata(&inside, w->entries, w->n);
    return inside.ok;
}

bool onnx_keep_node(onnx_scope *s, const Onnx__NodeProto *p, inlay_node *n)
{
    words w = {.doc_string = p->doc_string, .entries = p->metadata_props, .n = p->n_metadata_props};
    const Onnx__FunctionProto *f = s->function;
    char name[200];

    for (size_t i = 0; i < w.n; i++) {
        if (w.entries[i]->key && strcmp(w.entries[i]->key, ONNX_FUNCTION) == 0)
            w.function = w.entries[i]->value;
    }
    if (f) {
        snprintf(name, sizeof name, "%s%s%s%s%s", f->domain ? f->domain : "",
                 f->domain && *f->domain ? "." : "", f->name ? f->name : "",
                 f->overload && *f->overload ? ":" : "", f->overload ? f->overload : "");
        w.function = name;
    }
    return keep(s->r, n->graph, &n->rt_info, &w);
}

/* The shape of the items of a sequence or an optional as text, "[2,n,?]"; NULL: none is declared.
 */
static const char *item_shape(onnx_reader *r, const Onnx__TypeProto *type)
{
    const Onnx__TypeProto *of = type && type->sequence_type   ? type->sequence_type->elem_type
                                : type && type->optional_type ? type->optional_type->elem_type
                                                              : NULL;
    const Onnx__TensorShapeProto *shape = of && of->tensor_type ? of->tensor_type->shape : NULL;
    const char *text = shape ? "[" : NULL;

    for (size_t i = 0; text && i < shape->n_dim; i++) {
        const Onnx__TensorShapeProto__Dimension *d = shape->dim[i];
        const char *name =
            d->dim_param && *d->dim_param && !strpbrk(d->dim_param, ",]") ? d->dim_param : "?";

        text = d->has_dim_value
                   ? inlay_arena_printf(r->a.scratch, "%s%s%lld", text, i > 0 ? "," : "",
                                        (long long)d->dim_value)
                   : inlay_arena_printf(r->a.scratch, "%s%s%s", text, i > 0 ? "," : "", name);
    }
    return text ? inlay_arena_printf(r->a.scratch, "%s]", text) : NULL;
}

bool onnx_keep_value(onnx_scope *s, const Onnx__ValueInfoProto *p, inlay_value *v)
{
    words w = {.doc_string = p->doc_string,
               .denotation = p->type ? p->type->denotation : NULL,
               .item_shape = item_shape(s->r, p->type),
               .entries = p->metadata_props,
               .n = p->n_metadata_props};

    return keep(s->r, v->node->graph, &v->rt_info, &w);
}

bool onnx_keep_tensor(onnx_scope *s, const Onnx__TensorProto *p, inlay_value *v)
{
    words w = {.doc_string = p->doc_string, .entries = p->metadata_props, .n = p->n_metadata_props};

    return keep(s->r, v->node->graph, &v->rt_info, &w);
}
