/* What imports of operators share: making nodes, constants, attributes. See import.h. */
#include "parser/onnx/import.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool onnx_node_fail(const onnx_node *n, const char *fmt, ...)
{
    char text[1000];
    va_list args;

    if (n->asked->of)
        return false;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return onnx_fail(n->s->r, &n->at, "%s", text);
}

/* Returns the row of TYPE, "Gather" or "Gather@opset8", which is a constant of the program. */
static const inlay_op *row_of(onnx_node *n, const char *type)
{
    assemble_spec spec = {.type = type, .number = -1, .wanted = ASSEMBLE_ROW};
    const char *at = strchr(type, '@');
    char name[80];

    if (!at)
        return assemble_row(n->s->names, &spec, NULL);
    snprintf(name, sizeof name, "%.*s", (int)(at - type), type);
    return inlay_op_find(n->s->graph->ops, name, at + 1, NULL, n->d);
}

bool onnx_made(onnx_node *n, bool ok)
{
    inlay_diags *said = n->s->r->said;
    const inlay_diag *error = inlay_diags_error(said);

    if (!ok && (!error || error->status == INLAY_NO_RESOURCE))
        inlay_fail_memory(n->d);
    else if (!ok)
        onnx_node_fail(n, "%s", error->text);
    if (inlay_diags_count(said) > 0)
        inlay_diags_clear(said);
    return ok;
}

/* Sets the attributes X of MADE, whose kinds must be those of the row. */
static bool set_attrs(inlay_node *made, const onnx_given *x, inlay_diags *d)
{
    for (; x && x->name; x++) {
        int i = inlay_op_attr(made->op, x->name);
        inlay_attr_kind wanted = i < 0 ? x->kind : made->op->attrs[i].kind;

        if (wanted != x->kind && !(wanted == INLAY_ATTR_ENUM && x->kind == INLAY_ATTR_STRING))
            return inlay_fail_node(d, made, "attribute \"%s\" is of another kind", x->name);
        if ((x->value.set || x->value.as.s) && !inlay_node_set_attr(made, x->name, &x->value, d))
            return false;
    }
    return true;
}

/* Whether one of the N operands IN is NULL that a node of OP must have. */
static bool lacks_operand(const inlay_op *op, int n, inlay_value *const *in)
{
    for (int i = 0; i < n; i++) {
        if (!in[i] && (i >= op->n_in || !op->in[i].optional))
            return true;
    }
    return false;
}

/* The first node that is made for N gets its name; usually it is the only one. */
inlay_node *onnx_make_node(onnx_node *n, const char *type, int n_in, inlay_value *const *in,
                           const onnx_given *attrs)
{
    const inlay_op *op = row_of(n, type);
    inlay_diags *said = n->s->r->said;
    inlay_node *made;

    if (!op || n->asked->of || lacks_operand(op, n_in, in))
        return NULL;
    while (n_in > 0 && !in[n_in - 1])
        n_in--;
    made = inlay_build_row(n->s->graph, n->first_made ? NULL : n->name, op, in, n_in, said);
    made = made ? inlay_build_end(made, set_attrs(made, attrs, said), said) : NULL;
    onnx_made(n, made != NULL);
    if (!n->first_made)
        n->first_made = made;
    return made;
}

inlay_value *onnx_make(onnx_node *n, const char *type, int n_in, inlay_value *const *in,
                       const onnx_given *attrs)
{
    inlay_node *made = onnx_make_node(n, type, n_in, in, attrs);

    return made ? &made->out[0] : NULL;
}

inlay_value *onnx_unary(onnx_node *n, const char *type, inlay_value *x)
{
    return x ? onnx_make(n, type, 1, &x, NULL) : NULL;
}

inlay_value *onnx_binary(onnx_node *n, const char *type, inlay_value *a, inlay_value *b)
{
    return a && b ? onnx_make(n, type, 2, (inlay_value *[]){a, b}, NULL) : NULL;
}

bool onnx_same(onnx_node *n)
{
    return onnx_give(n, 0, onnx_make(n, n->op->as, n->n_in, n->in, NULL));
}

inlay_value *onnx_list(onnx_node *n, const int64_t *x, int count)
{
    int64_t dims[] = {count};

    return n->asked->of ? NULL : inlay_build_ints(n->s->graph, NULL, INLAY_I64, 1, dims, x, n->d);
}

inlay_value *onnx_axes(onnx_node *n, int first, int last)
{
    int64_t axes[INLAY_MAX_RANK];

    if (n->asked->of)
        return NULL;
    for (int i = first; i < last; i++)
        axes[i - first] = i;
    return onnx_list(n, axes, last - first);
}

inlay_value *onnx_integer(onnx_node *n, int64_t x)
{
    return inlay_build_ints(n->s->graph, NULL, INLAY_I64, 0, NULL, &x, n->d);
}

inlay_value *onnx_constant(onnx_node *n, const inlay_tensor *t)
{
    return t ? inlay_build_const(n->s->graph, NULL, t, n->d) : NULL;
}

/* Whether the type of an operand is still to be found, so that a type taken from it is unknown. */
static bool asks_for_type(onnx_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i] && onnx_type_of(n, n->in[i]) == INLAY_DYNAMIC)
            return true;
    }
    return false;
}

inlay_value *onnx_number(onnx_node *n, inlay_type type, double x)
{
    bool asks = n->asked->of || (type == INLAY_DYNAMIC && asks_for_type(n));
    inlay_tensor *t = asks ? NULL : assemble_tensor(&n->s->r->a, type, 0, NULL);
    inlay_value *v;

    if (!t)
        return NULL;
    inlay_tensor_set_f64(t, 0, x);
    v = onnx_constant(n, t);
    inlay_tensor_release(t);
    return v;
}

bool onnx_give(onnx_node *n, int i, inlay_value *v)
{
    if (v && i < n->n_out)
        n->out[i] = v;
    return v != NULL;
}

int onnx_axis(onnx_node *n, int64_t axis, int rank)
{
    if (axis < -rank || axis >= rank) {
        onnx_node_fail(n, "axis is %lld, it must be from %d to %d", (long long)axis, -rank,
                       rank - 1);
        return -1;
    }
    return (int)(axis < 0 ? axis + rank : axis);
}

/* Attributes */

/* TensorProto types of attributes, AttributeProto.AttributeType. */
enum {
    ATTR_FLOAT = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT,
    ATTR_INT = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT,
    ATTR_STRING = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING,
    ATTR_TENSOR = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR,
    ATTR_GRAPH = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH,
    ATTR_FLOATS = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS,
    ATTR_INTS = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS,
    ATTR_STRINGS = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS,
    ATTR_SPARSE = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__SPARSE_TENSOR
};

static const char *const type_words[] = {
    [ATTR_FLOAT] = "a float",           [ATTR_INT] = "an integer",
    [ATTR_STRING] = "a string",         [ATTR_TENSOR] = "a tensor",
    [ATTR_GRAPH] = "a graph",           [ATTR_FLOATS] = "a list of floats",
    [ATTR_INTS] = "a list of integers", [ATTR_STRINGS] = "a list of strings",
    [ATTR_SPARSE] = "a sparse tensor",
};

static const Onnx__AttributeProto *find(Onnx__AttributeProto *const *attrs, size_t n,
                                        const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (attrs[i]->name && strcmp(attrs[i]->name, name) == 0)
            return attrs[i];
    }
    return NULL;
}

/* Returns the attribute NAME of the call of function S; if the call does not give it, the
 * function's default. */
static const Onnx__AttributeProto *attr_of_call(const onnx_scope *s, const char *name)
{
    const Onnx__AttributeProto *a = onnx_attr(s->call, name);

    return a ? a : find(s->function->attribute_proto, s->function->n_attribute_proto, name);
}

/* Returns the index of attribute NAME in N; n_attribute: N has none of that name. */
static size_t index_of(const onnx_node *n, const char *name)
{
    size_t i = 0;

    while (i < n->proto->n_attribute &&
           (!n->proto->attribute[i]->name || strcmp(n->proto->attribute[i]->name, name) != 0))
        i++;
    return i;
}

void onnx_attr_ignore(const onnx_node *n, const char *name)
{
    size_t i = index_of(n, name);

    if (i < n->proto->n_attribute)
        n->seen[i] = true;
}

/* Whether any node may have the attribute: a name that begins with two underscores, for tools
 * (ONNX's checker ignores it too), or a hint of operators before version 6. */
static bool is_everywhere(const onnx_node *n, const char *name)
{
    return strncmp(name, "__", 2) == 0 || (n->version < 6 && strcmp(name, "consumed_inputs") == 0);
}

static bool refers(const Onnx__AttributeProto *a)
{
    return a->ref_attr_name && *a->ref_attr_name;
}

bool onnx_attrs_done(const onnx_node *n)
{
    for (size_t i = 0; i < n->proto->n_attribute; i++) {
        const char *name = n->proto->attribute[i]->name;

        if (!name || !*name)
            return onnx_node_fail(n, "attribute[%zu] has no name", i);
        if (index_of(n, name) != i)
            return onnx_node_fail(n, "attribute \"%.200s\" is there twice", name);
        if (!n->s->call && refers(n->proto->attribute[i]))
            return onnx_node_fail(
                n, "attribute \"%.200s\" refers to one of a function, and stands in none", name);
        if (!n->seen[i] && !is_everywhere(n, name))
            return onnx_node_fail(n, "attribute \"%.200s\" is not known for this operator", name);
    }
    return true;
}

const Onnx__AttributeProto *onnx_attr_meant(const onnx_scope *s, const Onnx__AttributeProto *a)
{
    if (refers(a))
        return s->call ? attr_of_call(s, a->ref_attr_name) : NULL;
    return a;
}

/* An attribute in a function may refer to one of the call, which the call need not give. */
const Onnx__AttributeProto *onnx_attr(const onnx_node *n, const char *name)
{
    size_t i = index_of(n, name);
    const Onnx__AttributeProto *a = i < n->proto->n_attribute ? n->proto->attribute[i] : NULL;

    if (a)
        n->seen[i] = true;
    return a ? onnx_attr_meant(n->s, a) : NULL;
}

/* Returns the type of A. Files of IR version 1 do not state it, so it is found from the field that
 * is present. */
static int type_of(const Onnx__AttributeProto *a)
{
    if (a->type)
        return (int)a->type;
    if (a->has_f)
        return ATTR_FLOAT;
    if (a->has_i)
        return ATTR_INT;
    if (a->has_s)
        return ATTR_STRING;
    if (a->t)
        return ATTR_TENSOR;
    if (a->g)
        return ATTR_GRAPH;
    if (a->n_strings > 0)
        return ATTR_STRINGS;
    return a->n_floats > 0 ? ATTR_FLOATS : ATTR_INTS;
}

static const Onnx__AttributeProto *of_type(onnx_node *n, const char *name, int type, bool *ok)
{
    const Onnx__AttributeProto *a = *ok ? onnx_attr(n, name) : NULL;

    if (!a || type_of(a) == type)
        return a;
    *ok = onnx_node_fail(n, "attribute \"%s\" must be %s", name, type_words[type]);
    return NULL;
}

int64_t onnx_attr_int(onnx_node *n, const char *name, int64_t absent, bool *ok)
{
    const Onnx__AttributeProto *a = of_type(n, name, ATTR_INT, ok);

    return a ? a->i : absent;
}

bool onnx_attr_usual(onnx_node *n, const char *name, int64_t usual)
{
    bool ok = true;
    int64_t x = onnx_attr_int(n, name, usual, &ok);

    return ok && (x == usual || onnx_node_fail(n, "attribute \"%s\" is %lld, only %lld is read",
                                               name, (long long)x, (long long)usual));
}

bool onnx_attr_type(onnx_node *n, const char *name, int32_t absent, inlay_type *out)
{
    bool ok = true;
    int64_t code = onnx_attr_int(n, name, absent, &ok);

    if (ok && absent < 0 && !onnx_attr(n, name))
        return onnx_node_fail(n, "attribute \"%s\" is missing", name);
    if (!ok || (code == 0 && absent == 0))
        return ok;
    return onnx_type(n->s->r, &n->at, code < 0 || code > INT32_MAX ? -1 : (int32_t)code, out);
}

double onnx_attr_float(onnx_node *n, const char *name, double absent, bool *ok)
{
    const Onnx__AttributeProto *a = of_type(n, name, ATTR_FLOAT, ok);

    return a ? (double)a->f : absent;
}

const char *onnx_attr_string(onnx_node *n, const char *name, const char *absent, bool *ok)
{
    const Onnx__AttributeProto *a = of_type(n, name, ATTR_STRING, ok);
    const char *s;

    if (!a)
        return absent;
    s = inlay_arena_strndup(n->s->r->a.scratch, (const char *)a->s.data, a->s.len);
    *ok = s || inlay_fail_memory(n->d);
    return s ? s : absent;
}

const char *onnx_attr_word(onnx_node *n, const char *name, const char *absent, const char *words,
                           bool *ok)
{
    const char *word = onnx_attr_string(n, name, absent, ok);
    size_t length = strlen(word);

    for (const char *at = words; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        if (strcspn(at, " ") == length && strncmp(at, word, length) == 0)
            return word;
    }
    *ok = *ok && onnx_node_fail(n, "%s is \"%.80s\", it must be one of: %s", name, word, words);
    return absent;
}

const int64_t *onnx_attr_ints(onnx_node *n, const char *name, int *count, bool *ok)
{
    const Onnx__AttributeProto *a = of_type(n, name, ATTR_INTS, ok);

    *count = 0;
    if (!a)
        return NULL;
    if (a->n_ints > INT32_MAX)
        *ok = onnx_node_fail(n, "attribute \"%s\" has %zu element%s", name, a->n_ints,
                             inlay_plural(a->n_ints, "", "s"));
    *count = *ok ? (int)a->n_ints : 0;
    return *ok ? a->ints : NULL;
}

const float *onnx_attr_floats(onnx_node *n, const char *name, int *count, bool *ok)
{
    const Onnx__AttributeProto *a = of_type(n, name, ATTR_FLOATS, ok);

    *count = 0;
    if (!a)
        return NULL;
    if (a->n_floats > INT32_MAX)
        *ok = onnx_node_fail(n, "attribute \"%s\" has %zu element%s", name, a->n_floats,
                             inlay_plural(a->n_floats, "", "s"));
    *count = *ok ? (int)a->n_floats : 0;
    return *ok ? a->floats : NULL;
}

int onnx_attr_strings(onnx_node *n, const char *name, char **out, int max, bool *ok)
{
    const Onnx__AttributeProto *a = of_type(n, name, ATTR_STRINGS, ok);

    if (a && a->n_strings > (size_t)max)
        *ok = onnx_node_fail(n, "attribute \"%s\" has %zu element%s, at most %d have a meaning",
                             name, a->n_strings, inlay_plural(a->n_strings, "", "s"), max);
    for (size_t i = 0; a && *ok && i < a->n_strings; i++) {
        out[i] = inlay_arena_strndup(n->s->r->a.scratch, (const char *)a->strings[i].data,
                                     a->strings[i].len);
        *ok = out[i] || inlay_fail_memory(n->d);
    }
    return a && *ok ? (int)a->n_strings : 0;
}

inlay_tensor *onnx_attr_text(onnx_node *n, const char *name, bool *ok)
{
    const Onnx__AttributeProto *a = of_type(n, name, ATTR_STRINGS, ok);
    inlay_tensor *t = NULL;

    if (a)
        t = assemble_tensor(&n->s->r->a, INLAY_STRING, 1, (int64_t[]){(int64_t)a->n_strings});
    *ok = *ok && (t || !a);
    for (size_t i = 0; t && i < a->n_strings; i++) {
        if (!inlay_tensor_set_string(t, (int64_t)i, (const char *)a->strings[i].data,
                                     a->strings[i].len))
            *ok = inlay_fail_memory(n->d);
    }
    return t;
}

inlay_tensor *onnx_attr_tensor(onnx_node *n, const char *name, bool *ok)
{
    const Onnx__AttributeProto *a = of_type(n, name, ATTR_TENSOR, ok);
    onnx_place at = {.outer = &n->at, .field = "attribute", .index = -1, .name = name};
    inlay_tensor *t;

    if (!a || !a->t)
        return NULL;
    t = onnx_tensor(n->s->r, &at, a->t);
    *ok = t != NULL;
    return t;
}

inlay_tensor *onnx_attr_sparse(onnx_node *n, const char *name, bool *ok)
{
    const Onnx__AttributeProto *a = of_type(n, name, ATTR_SPARSE, ok);
    onnx_place at = {.outer = &n->at, .field = "attribute", .index = -1, .name = name};
    inlay_tensor *t;

    if (!a || !a->sparse_tensor)
        return NULL;
    t = onnx_sparse_tensor(n->s->r, &at, a->sparse_tensor);
    *ok = t != NULL;
    return t;
}

const Onnx__GraphProto *onnx_attr_graph(onnx_node *n, const char *name, bool *ok)
{
    const Onnx__AttributeProto *a = of_type(n, name, ATTR_GRAPH, ok);

    return a ? a->g : NULL;
}
