/* What exporters call: nodes, names of values, initializers. See export.h. */
#include "ir/shared.h"
#include "parser/onnx/write.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_TOLD = 20, MAX_CONST_NAME = 8 };

bool put_refuse(onnx_export *x, const char *fmt, ...)
{
    inlay_strbuf *b = &x->w->refused;
    char why[300], op[100];
    va_list ap;

    if (x->refused)
        return false;
    x->refused = true;
    if (x->w->n_refused++ >= MAX_TOLD) {
        if (x->w->n_refused == MAX_TOLD + 1)
            inlay_strbuf_puts(b, "; ...");
        return false;
    }
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    inlay_strbuf_printf(b, "%s%s \"%.100s\": %s", b->n > 0 ? "; " : "",
                        inlay_op_text(x->n->op, op, sizeof op), x->n->name, why);
    return false;
}

bool put_needs(onnx_export *x, int version, const char *what)
{
    if (x->version < version && x->w->asked)
        return put_refuse(x, "%s needs operator set %d", what, version);
    x->w->needed = x->w->needed > version ? x->w->needed : version;
    return true;
}

const char *put_value(onnx_export *x, const inlay_value *v)
{
    if (v->fact.type != INLAY_DYNAMIC && !onnx_put_type(x->w, v->fact.type)) {
        put_refuse(x, "a value of type %s", inlay_type_info_of(v->fact.type)->name);
        return NULL;
    }
    return onnx_value_name(x->w, v);
}

const char *put_in(onnx_export *x, int i)
{
    const inlay_value *v = inlay_node_input(x->n, i);

    return v ? put_value(x, v) : "";
}

bool put_wants(const onnx_export *x, int i)
{
    return i < x->n->n_out && (x->n->out[i].uses || x->n->out[i].n_results > 0);
}

/* Sets attribute A to what G says. */
static bool set_attribute(onnx_writer *w, Onnx__AttributeProto *a, const onnx_given *g)
{
    ProtobufCBinaryData *s;

    a->has_type = true;
    switch (g->kind) {
    case INLAY_ATTR_BOOL:
    case INLAY_ATTR_INT:
    case INLAY_ATTR_TYPE:
        a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
        a->has_i = true;
        a->i = g->kind == INLAY_ATTR_BOOL  ? g->value.as.b
               : g->kind == INLAY_ATTR_INT ? g->value.as.i
                                           : inlay_type_info_of(g->value.as.type)->onnx;
        return true;
    case INLAY_ATTR_FLOAT:
        a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT;
        a->has_f = true;
        a->f = (float)g->value.as.f;
        return true;
    case INLAY_ATTR_STRING:
        a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING;
        a->has_s = true;
        a->s = (ProtobufCBinaryData){strlen(g->value.as.s), (uint8_t *)(uintptr_t)g->value.as.s};
        return true;
    case INLAY_ATTR_TENSOR:
        a->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR;
        return onnx_put_tensor(w, onnx_put_message(w, a, "t"), NULL, g->value.as.tensor);
    default:
        break;
    }
    a->type = g->kind == INLAY_ATTR_INTS     ? ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS
              : g->kind == INLAY_ATTR_FLOATS ? ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS
                                             : ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS;
    for (int i = 0; i < g->value.n && !w->failed; i++) {
        if (g->kind == INLAY_ATTR_INTS) {
            int64_t *at = onnx_put_field(w, a, "ints");

            if (at)
                *at = g->value.as.ints[i];
        } else if (g->kind == INLAY_ATTR_FLOATS) {
            float *at = onnx_put_field(w, a, "floats");

            if (at)
                *at = (float)g->value.as.floats[i];
        } else if ((s = onnx_put_field(w, a, "strings"))) {
            *s = (ProtobufCBinaryData){strlen(g->value.as.strings[i]),
                                       (uint8_t *)(uintptr_t)g->value.as.strings[i]};
        }
    }
    return !w->failed;
}

/* Whether G, a word or a list that may be NULL, is left out. */
static bool is_left_out(const onnx_given *g)
{
    return g->kind == INLAY_ATTR_STRING   ? !g->value.as.s
           : g->kind == INLAY_ATTR_TENSOR ? !g->value.as.tensor
           : g->kind == INLAY_ATTR_INTS   ? g->value.n > 0 && !g->value.as.ints
                                          : false;
}

static void put_name(onnx_writer *w, void *node, const char *field, const char *name)
{
    const char **at = onnx_put_field(w, node, field);

    if (at)
        *at = name;
}

static Onnx__NodeProto *new_node(onnx_writer *w, const char *op)
{
    Onnx__NodeProto *p = onnx_put_message(w, w->graph->proto, "node");
    const char *dot = strrchr(op, '.');

    if (!p)
        return NULL;
    onnx_put_text(w, p, "op_type", dot ? dot + 1 : op);
    if (dot) {
        onnx_put_text(w, p, "domain", inlay_arena_strndup(w->a, op, (size_t)(dot - op)));
        w->uses_ml = true;
    }
    return p;
}

/* The name of the node's first output, or of the node, which is that of what is put for it. */
static const char *base_name(const onnx_export *x)
{
    return x->n->n_out > 0 ? x->w->graph->values[x->n->id][0] : x->n->name;
}

bool put_many(onnx_export *x, const char *op, const char *const *in, const onnx_given *attrs,
              int n_out, const char **out)
{
    onnx_writer *w = x->w;
    Onnx__NodeProto *p = op && !x->refused ? new_node(w, op) : NULL; /* a NULL ends IN early */
    const char *dot = op ? strrchr(op, '.') : NULL;

    for (int i = 0; p && in[i]; i++)
        put_name(w, p, "input", in[i]);
    while (p && p->n_input > 0 && !*p->input[p->n_input - 1])
        p->n_input--;
    for (int i = 0; p && i < n_out; i++) {
        out[i] =
            onnx_new_name(w, inlay_arena_printf(w->a, "%s/%s", base_name(x), dot ? dot + 1 : op));
        put_name(w, p, "output", out[i]);
        if (out[i])
            onnx_taken_slot(&w->graph->taken, out[i])->made_up = true;
    }
    for (const onnx_given *g = attrs; p && g && g->name; g++) {
        Onnx__AttributeProto *a = is_left_out(g) ? NULL : onnx_put_message(w, p, "attribute");

        if (a) {
            onnx_put_text(w, a, "name", g->name);
            set_attribute(w, a, g);
        }
    }
    if (p && n_out > 0)
        onnx_put_text(w, p, "name", out[0]);
    return p && !w->failed;
}

const char *put(onnx_export *x, const char *op, const char *const *in, const onnx_given *attrs)
{
    const char *out = NULL;

    return put_many(x, op, in, attrs, 1, &out) ? out : NULL;
}

bool onnx_put_identity(onnx_writer *w, const char *v, const char *to)
{
    Onnx__NodeProto *p = new_node(w, "Identity");

    if (!p)
        return false;
    put_name(w, p, "input", v);
    put_name(w, p, "output", to);
    return !w->failed;
}

/* Whether V is what a node makes that was put for X, and no output of X yet. */
static bool is_own(const onnx_export *x, const char *v)
{
    const Onnx__GraphProto *g = x->w->graph->proto;

    for (size_t i = x->first; i < g->n_node; i++) {
        for (size_t k = 0; k < g->node[i]->n_output; k++) {
            if (g->node[i]->output[k] == v) {
                for (int j = 0; j < x->n->n_out; j++) {
                    if (x->w->graph->values[x->n->id][j] == v)
                        return false;
                }
                return true;
            }
        }
    }
    return false;
}

bool put_give(onnx_export *x, int i, const char *v)
{
    Onnx__GraphProto *g = x->w->graph->proto;
    const char *to = x->w->graph->values[x->n->id][i];

    if (!v)
        return false;
    if (!is_own(x, v))
        return onnx_put_identity(x->w, v, to);
    for (size_t k = x->first; k < g->n_node; k++) {
        Onnx__NodeProto *p = g->node[k];

        for (size_t j = 0; j < p->n_input; j++)
            p->input[j] = p->input[j] == v ? (char *)(uintptr_t)to : p->input[j];
        for (size_t j = 0; j < p->n_output; j++)
            p->output[j] = p->output[j] == v ? (char *)(uintptr_t)to : p->output[j];
    }
    return true;
}

static const char *put_constant(onnx_export *x, const char *base, const inlay_tensor *t,
                                bool shared)
{
    onnx_writer *w = x->w;
    const char *name;
    Onnx__TensorProto *record;

    if (!t || !base)
        return onnx_out_of_memory(w), NULL;
    if (!onnx_put_type(w, t->type)) {
        put_refuse(x, "a constant of type %s", inlay_type_info_of(t->type)->name);
        return NULL;
    }
    for (size_t i = w->graph->proto->n_initializer; shared && i-- > 0;) {
        record = w->graph->proto->initializer[i];
        if (record->name && strcmp(record->name, base) == 0 &&
            record->raw_data.len == inlay_tensor_bytes(t) && record->n_dims == (size_t)t->rank &&
            record->data_type == inlay_type_info_of(t->type)->onnx &&
            (record->raw_data.len == 0 ||
             memcmp(record->raw_data.data, t->data, record->raw_data.len) == 0))
            return record->name;
    }
    name = onnx_new_name(w, base);
    record = name ? onnx_put_message(w, w->graph->proto, "initializer") : NULL;
    return record && onnx_put_tensor(w, record, name, t) ? name : NULL;
}

inlay_tensor *put_new(const onnx_export *x, inlay_type type, int rank, const int64_t *dims)
{
    return inlay_tensor_in(inlay_arena_budget(x->w->a), type, rank, dims);
}

const inlay_tensor *put_keep(onnx_export *x, inlay_tensor *t)
{
    onnx_writer *w = x->w;

    if (t && inlay_arena_grow(w->a, &w->copies, w->n_copies, &w->cap_copies, sizeof *w->copies))
        return w->copies[w->n_copies++] = t;
    inlay_tensor_release(t);
    return onnx_out_of_memory(w), NULL;
}

const char *put_tensor(onnx_export *x, const char *name, const inlay_tensor *t)
{
    return put_constant(x, inlay_arena_printf(x->w->a, "%s/%s", base_name(x), name), t, false);
}

const char *put_own_tensor(onnx_export *x, const char *name, inlay_tensor *t)
{
    return put_tensor(x, name, put_keep(x, t));
}

/* Integers that a constant is called by: "i64_0_2". */
static const char *list_name(onnx_writer *w, const char *type, const int64_t *list, int count)
{
    const char *name = inlay_arena_strdup(w->a, type);

    for (int i = 0; name && i < count && i < MAX_CONST_NAME; i++)
        name = inlay_arena_printf(w->a, "%s_%lld", name, (long long)list[i]);
    return name;
}

/* The operand of the node that is such a constant already, if there is one. */
static const inlay_value *operand_like(const onnx_export *x, int rank, const int64_t *list,
                                       int count)
{
    for (int i = 0; i < x->n->n_in; i++) {
        const inlay_value *v = x->n->in[i].value;
        const inlay_tensor *t = v && v->fact.type == INLAY_I64 ? v->fact.content : NULL;
        int same = 0;

        if (!t || t->rank != rank || inlay_tensor_count(t) != count)
            continue;
        while (same < count && inlay_tensor_get_i64(t, same) == list[same])
            same++;
        if (same == count)
            return v;
    }
    return NULL;
}

static const char *put_integers(onnx_export *x, const char *type, int rank, const int64_t *list,
                                int count)
{
    const inlay_value *own = operand_like(x, rank, list, count);
    inlay_tensor *t = own ? NULL : put_new(x, INLAY_I64, rank, (int64_t[]){count});

    if (own)
        return put_value(x, own);
    for (int i = 0; t && i < count; i++)
        inlay_tensor_set_i64(t, i, list[i]);
    return put_constant(x, list_name(x->w, type, list, count), put_keep(x, t), true);
}

const char *put_list(onnx_export *x, const int64_t *list, int count)
{
    return put_integers(x, "list", 1, list, count);
}

const char *put_int(onnx_export *x, int64_t number)
{
    return put_integers(x, "i64", 0, &number, 1);
}

const char *put_number(onnx_export *x, inlay_type type, double number)
{
    inlay_tensor *t = put_new(x, type, 0, NULL);

    if (t)
        inlay_tensor_set_f64(t, 0, number);
    return put_constant(
        x, inlay_arena_printf(x->w->a, "%s_%.9g", inlay_type_info_of(type)->name, number),
        put_keep(x, t), true);
}
