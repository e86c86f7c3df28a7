/* The text form of ONNX: the structure of a model.
 *
 *     <ir_version: 8, opset_import: ["" : 17, "local" : 1]>
 *     net (float[N, 3] x) => (float[N, 3] y) <float[3] w = {1, 2, 3}>
 *     {
 *         t = local.scale <by = 2.0> (x)
 *         y = Mul (t, w)
 *     }
 *     <domain: "local", opset_import: ["" : 17]>
 *     scale <by> (a) => (b) { c = Constant <value_float: float = @by> ()   b = Mul (a, c) }
 *
 * Source: docs/Syntax.md of ONNX, and extensions of its parser: an id list may have empty entries,
 * attributes may be before or after the operands. */
#include "parser/onnx/text.h"
#include "parser/formats.h"
#include "parser/onnx/wire.h"

#include <string.h>

/* Reads ids separated by commas up to CLOSE; some may be empty. */
static bool read_ids(onnx_text *t, void *message, const char *field, char close)
{
    while (onnx_text_peek(t) != close) {
        bool empty = onnx_text_peek(t) == ',';
        char *id = empty ? inlay_arena_strdup(t->arena, "") : onnx_text_name(t);

        if (!id)
            return empty ? inlay_fail_memory(t->d) : false;
        if (!onnx_text_append(t, message, field, &id))
            return false;
        if (!onnx_text_take(t, ','))
            break;
    }
    return true;
}

static bool read_attributes(onnx_text *t, Onnx__NodeProto *n, int depth)
{
    if (!onnx_text_take(t, '<'))
        return true;
    do {
        Onnx__AttributeProto *a = onnx_text_add(t, n, "attribute");

        if (!a || !(a->name = onnx_text_name(t)) || !onnx_text_attribute(t, a, depth))
            return false;
    } while (onnx_text_take(t, ','));
    return onnx_text_expect(t, '>');
}

/* Reads domain.of.it.Operator:overload. */
static bool read_operator(onnx_text *t, Onnx__NodeProto *n)
{
    inlay_strbuf domain = {0};
    bool ok = true;

    n->op_type = onnx_text_name(t);
    while ((ok = n->op_type != NULL) && onnx_text_take(t, '.')) {
        inlay_strbuf_printf(&domain, "%s%s", domain.n ? "." : "", n->op_type);
        n->op_type = onnx_text_name(t);
    }
    if (ok && domain.n > 0)
        n->domain = inlay_arena_strdup(t->arena, domain.failed ? "" : domain.bytes);
    if (ok && (domain.failed || (domain.n > 0 && !n->domain)))
        ok = inlay_fail_memory(t->d);
    inlay_strbuf_free(&domain);
    return ok && (!onnx_text_take(t, ':') || (n->overload = onnx_text_name(t)));
}

static bool read_node(onnx_text *t, Onnx__NodeProto *n, int depth)
{
    if (onnx_text_take(t, '[') && (!(n->name = onnx_text_name(t)) || !onnx_text_expect(t, ']')))
        return false;
    if (!read_ids(t, n, "output", '=') || !onnx_text_expect(t, '=') || !read_operator(t, n) ||
        !read_attributes(t, n, depth) || !onnx_text_expect(t, '(') ||
        !read_ids(t, n, "input", ')') || !onnx_text_expect(t, ')'))
        return false;
    return n->n_attribute > 0 || read_attributes(t, n, depth);
}

/* Reads the nodes of MESSAGE, a graph or a function. */
static bool read_nodes(onnx_text *t, void *message, int depth)
{
    if (!onnx_text_expect(t, '{'))
        return false;
    while (!onnx_text_take(t, '}')) {
        Onnx__NodeProto *n;

        onnx_text_peek(t); /* so that its line is that of its first token */
        n = onnx_text_add(t, message, "node");
        if (!n || !read_node(t, n, depth))
            return false;
    }
    return true;
}

/* Reads a value. If DATA allows data after it, and there is some, it becomes an initializer of G;
 * and it goes to FIELD, except for an initializer that is no input. */
static bool read_graph_value(onnx_text *t, Onnx__GraphProto *g, const char *field, bool data)
{
    Onnx__ValueInfoProto *v;
    Onnx__TensorProto *x;

    onnx_text_peek(t); /* so that its line is that of its first token */
    v = onnx_text_message(t, &onnx__value_info_proto__descriptor);
    if (!v || !onnx_text_value_info(t, v))
        return false;
    if (!data || !onnx_text_take(t, '='))
        return onnx_text_append(t, g, field, &v);
    if (!v->type)
        return onnx_text_wrong(t, "a value with a type in front of its data");
    x = onnx_text_add(t, g, "initializer");
    if (!x)
        return false;
    x->name = v->name;
    return onnx_text_tensor(t, v->type, x) &&
           (strcmp(field, "input") != 0 || onnx_text_append(t, g, field, &v));
}

static bool read_values(onnx_text *t, Onnx__GraphProto *g, const char *field, char close, bool data)
{
    if (onnx_text_take(t, close))
        return true;
    do {
        if (!read_graph_value(t, g, field, data))
            return false;
    } while (onnx_text_take(t, ','));
    return onnx_text_expect(t, close);
}

static bool read_arrow(onnx_text *t)
{
    if (onnx_text_peek(t) != '=' || t->at + 1 >= t->end || t->at[1] != '>')
        return onnx_text_wrong(t, "`=>`");
    t->at += 2;
    return true;
}

bool onnx_text_graph(onnx_text *t, Onnx__GraphProto *g, int depth)
{
    if (depth > ONNX_MAX_DEPTH)
        return onnx_text_error(t, "found graphs nested more than %d deep", ONNX_MAX_DEPTH);
    return (g->name = onnx_text_name(t)) && onnx_text_expect(t, '(') &&
           read_values(t, g, "input", ')', true) && read_arrow(t) && onnx_text_expect(t, '(') &&
           read_values(t, g, "output", ')', false) &&
           (!onnx_text_take(t, '<') || read_values(t, g, "value_info", '>', true)) &&
           read_nodes(t, g, depth);
}

/* Reads `["" : 17, "local" : 1]`. */
static bool read_sets(onnx_text *t, void *message)
{
    if (!onnx_text_expect(t, '['))
        return false;
    if (onnx_text_take(t, ']'))
        return true;
    do {
        Onnx__OperatorSetIdProto *set = onnx_text_add(t, message, "opset_import");

        if (!set || !(set->domain = onnx_text_quoted(t)) || !onnx_text_expect(t, ':'))
            return false;
        set->has_version = 1;
        if (!onnx_text_integer(t, &set->version))
            return false;
    } while (onnx_text_take(t, ','));
    return onnx_text_expect(t, ']');
}

/* Reads a field in the head of a model or function: a number, a string, operator sets or metadata,
 * depending on NAME. */
static bool read_head_field(onnx_text *t, void *message, const char *name)
{
    const ProtobufCMessage *base = message;
    const ProtobufCFieldDescriptor *f =
        protobuf_c_message_descriptor_get_field_by_name(base->descriptor, name);
    int64_t number;
    char *text;

    if (strcmp(name, "opset_import") == 0)
        return read_sets(t, message);
    if (f && strcmp(name, "metadata_props") == 0)
        return onnx_text_entries(t, message, name);
    if (!f || f->label == PROTOBUF_C_LABEL_REPEATED || f->type == PROTOBUF_C_TYPE_MESSAGE)
        return onnx_text_error(t, "found `%.80s`, expected a field of the head", name);
    if (onnx_field_count(message, f) > 0)
        return onnx_text_error(t, "found `%.80s` a second time", name);
    if (f->type == PROTOBUF_C_TYPE_STRING)
        return (text = onnx_text_quoted(t)) && onnx_text_append(t, message, name, &text);
    return onnx_text_integer(t, &number) && onnx_text_append(t, message, name, &number);
}

/* Reads `<name: value, ...>`, which may be absent. */
static bool read_head(onnx_text *t, void *message)
{
    if (!onnx_text_take(t, '<'))
        return true;
    do {
        const char *name = onnx_text_word(t);

        if (!name)
            return false;
        if (!*name)
            return onnx_text_wrong(t, "a field of the head");
        if (!onnx_text_expect(t, ':') || !read_head_field(t, message, name))
            return false;
    } while (onnx_text_take(t, ','));
    return onnx_text_expect(t, '>');
}

/* Reads the attributes of a function: names, or names with the defaults for calls that do not give
 * them. */
static bool read_declared(onnx_text *t, Onnx__FunctionProto *f)
{
    if (!onnx_text_take(t, '<'))
        return true;
    do {
        char *name = onnx_text_name(t), next = name ? onnx_text_peek(t) : '\0';
        Onnx__AttributeProto *a;

        if (!name)
            return false;
        if (next != ':' && next != '=') {
            if (!onnx_text_append(t, f, "attribute", &name))
                return false;
            continue;
        }
        a = onnx_text_add(t, f, "attribute_proto");
        if (!a || !(a->name = name) || !onnx_text_attribute(t, a, 1))
            return false;
    } while (onnx_text_take(t, ','));
    return onnx_text_expect(t, '>');
}

/* Reads formal inputs or outputs; their types are ignored. */
static bool read_formals(onnx_text *t, Onnx__FunctionProto *f, const char *field)
{
    if (!onnx_text_expect(t, '('))
        return false;
    if (onnx_text_take(t, ')'))
        return true;
    do {
        Onnx__ValueInfoProto *v = onnx_text_message(t, &onnx__value_info_proto__descriptor);

        if (!v || !onnx_text_value_info(t, v) || !onnx_text_append(t, f, field, &v->name) ||
            (v->type && !onnx_text_append(t, f, "value_info", &v)))
            return false;
    } while (onnx_text_take(t, ','));
    return onnx_text_expect(t, ')');
}

static bool read_function(onnx_text *t, Onnx__FunctionProto *f)
{
    if (!read_head(t, f) || !(f->name = onnx_text_name(t)) || !read_declared(t, f) ||
        !read_formals(t, f, "input") || !read_arrow(t) || !read_formals(t, f, "output"))
        return false;
    if (onnx_text_take(t, '<')) {
        do {
            Onnx__ValueInfoProto *v = onnx_text_add(t, f, "value_info");

            if (!v || !onnx_text_value_info(t, v))
                return false;
        } while (onnx_text_take(t, ','));
        if (!onnx_text_expect(t, '>'))
            return false;
    }
    return read_nodes(t, f, 1);
}

static bool read_model(onnx_text *t, Onnx__ModelProto *m)
{
    if (!read_head(t, m) || !(m->graph = onnx_text_message(t, &onnx__graph_proto__descriptor)) ||
        !onnx_text_graph(t, m->graph, 1))
        return false;
    while (onnx_text_peek(t) != '\0' || t->at < t->end) {
        Onnx__FunctionProto *f = onnx_text_add(t, m, "functions");

        if (!f || !read_function(t, f))
            return false;
    }
    return true;
}

void *onnx_text_read(const char *bytes, size_t n, const char *file, inlay_arena *a, inlay_diags *d)
{
    onnx_text t = {bytes, bytes + n, 1, file, a, d};
    Onnx__ModelProto *m = onnx_text_message(&t, &onnx__model_proto__descriptor);

    return m && read_model(&t, m) ? m : NULL;
}

bool onnx_is_text(const char *bytes, size_t n)
{
    onnx_text t = {bytes, bytes + n, 1, NULL, NULL, NULL};
    const ProtobufCMessageDescriptor *what = &onnx__model_proto__descriptor;

    if (!onnx_text_take(&t, '<'))
        return false;
    for (unsigned i = 0; i < what->n_fields; i++) {
        if (!onnx_text_ahead(&t, what->fields[i].name))
            continue;
        t.at += strlen(what->fields[i].name);
        return onnx_text_peek(&t) == ':';
    }
    return false;
}
