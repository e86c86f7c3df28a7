/* Attributes of nodes in the text form, tensors among them. */
#include "parser/text/text.h"

#include <stdio.h>

/* Reads the type and the dims of a tensor, such as f32[2,5]. */
static bool tensor_form(text_reader *r, inlay_type *type, int *rank, int64_t *dims)
{
    inlay_shape shape;

    if (!text_type(r, type) || !text_shape(r, &shape))
        return false;
    if (inlay_constant_refused(*type))
        return text_fail(r, "found a tensor of type %s: %s", inlay_type_info_of(*type)->name,
                         inlay_constant_refused(*type));
    if (!inlay_shape_is_static(&shape))
        return text_fail(r, "found a tensor whose shape is not static");
    *rank = shape.rank;
    for (int i = 0; i < shape.rank; i++)
        dims[i] = shape.dim[i].lo;
    return true;
}

static bool tensor_element(text_reader *r, inlay_tensor *t, int64_t i)
{
    char what[64];

    if (t->type != INLAY_STRING) {
        snprintf(what, sizeof what, "an element of type %s", inlay_type_info_of(t->type)->name);
        return text_element(r, t->type, t->data, i, what);
    }
    if (r->lex.now.kind != INLAY_TOKEN_STRING)
        return inlay_lexer_fail(&r->lex, "a string");
    if (!inlay_lexer_string(&r->lex, &r->word))
        return false;
    if (!inlay_tensor_set_string(t, i, r->word.bytes, r->word.n))
        return inlay_fail_memory(r->a.d);
    return text_next(r);
}

static bool tensor_elements(text_reader *r, inlay_tensor *t)
{
    int64_t n = inlay_tensor_count(t);

    if (t->rank == 0 && !inlay_token_is(&r->lex.now, "["))
        return tensor_element(r, t, 0);
    if (!text_expect(r, "["))
        return false;
    for (int64_t i = 0; i < n; i++) {
        if ((i > 0 && !text_expect(r, ",")) || !tensor_element(r, t, i))
            return false;
    }
    return text_expect(r, "]");
}

/* Makes the tensor whose elements follow in the text. Each element takes at least one character, so
 * memory is allocated only for a shape that the rest of the text can fill. */
static inlay_tensor *new_tensor(text_reader *r, inlay_type type, int rank, const int64_t *dims)
{
    int64_t count;

    if (!inlay_count_elements(rank, dims, &count) || count > r->lex.end - r->lex.now.start) {
        text_fail(r, "found a tensor of more elements than the text has characters");
        return NULL;
    }
    return assemble_tensor(&r->a, type, rank, dims);
}

static bool attr_tensor(text_reader *r, inlay_node *n, const char *name)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_type type;
    inlay_tensor *t;
    bool ok;
    int rank = 0;

    if (!tensor_form(r, &type, &rank, dims))
        return false;
    if (inlay_token_is(&r->lex.now, "#"))
        return text_fail(r, "found a constant whose elements were left out: only the full text "
                            "form can be read");
    t = new_tensor(r, type, rank, dims);
    ok = t && tensor_elements(r, t) && inlay_node_set_tensor(n, name, t, r->a.d);
    inlay_tensor_release(t);
    return ok;
}

static bool attr_bool(text_reader *r, inlay_node *n, const char *name)
{
    bool yes = inlay_token_is(&r->lex.now, "true");

    if (!yes && !inlay_token_is(&r->lex.now, "false"))
        return inlay_lexer_fail(&r->lex, "`true` or `false`");
    return inlay_node_set_bool(n, name, yes, r->a.d) && text_next(r);
}

static bool attr_number(text_reader *r, inlay_node *n, const char *name)
{
    char text[400];
    bool integral;
    int64_t i = 0;
    double f = 0;

    if (!text_number(r, text, sizeof text, "a number"))
        return false;
    integral = inlay_element_parse(INLAY_I64, text, &i, 0);
    if (!integral && !inlay_element_parse(INLAY_F64, text, &f, 0))
        return text_fail(r, "found `%.60s`, expected a number", text);
    return inlay_node_set_number(n, name, integral, i, f, r->a.d) && text_next(r);
}

static bool attr_string(text_reader *r, inlay_node *n, int i)
{
    bool is_enum = n->op->attrs[i].kind == INLAY_ATTR_ENUM;

    if (!text_string(r, is_enum, is_enum ? "a word" : "a string"))
        return false;
    return inlay_node_set_string(n, n->op->attrs[i].name, r->word.bytes, r->a.d);
}

static bool attr_shape(text_reader *r, text_scope *s, inlay_node *n, const char *name)
{
    inlay_shape shape;

    return text_shape(r, &shape) && text_resolve_ids(r, s, shape.rank, shape.dim) &&
           inlay_node_set_shape(n, name, &shape, r->a.d);
}

/* Appends one item of a list to r->list, as the C type that assemble_list wants. */
static bool list_item(text_reader *r, inlay_node *n, inlay_attr_kind kind)
{
    int64_t i;
    double f;
    inlay_type type;
    const char *string;

    switch (kind) {
    case INLAY_ATTR_INTS:
        if (!text_int(r, &i))
            return false;
        inlay_strbuf_add(&r->list, (const char *)&i, sizeof i);
        return true;
    case INLAY_ATTR_FLOATS:
        if (!text_element(r, INLAY_F64, &f, 0, "a number"))
            return false;
        inlay_strbuf_add(&r->list, (const char *)&f, sizeof f);
        return true;
    case INLAY_ATTR_TYPES:
        if (!text_type(r, &type))
            return false;
        inlay_strbuf_add(&r->list, (const char *)&type, sizeof type);
        return true;
    default:
        if (!text_string(r, false, "a string"))
            return false;
        string = inlay_arena_strdup(n->graph->arena, r->word.bytes);
        if (!string)
            return inlay_fail_memory(r->a.d);
        inlay_strbuf_add(&r->list, (const char *)&string, sizeof string);
        return true;
    }
}

static bool attr_list(text_reader *r, inlay_node *n, int attr)
{
    int count = 0;
    bool there;

    r->list.n = 0;
    if (!text_expect(r, "[") || !text_accept(r, "]", &there))
        return false;
    while (!there) {
        if (!list_item(r, n, n->op->attrs[attr].kind))
            return false;
        count++;
        if (!text_accept(r, "]", &there) || (!there && !text_expect(r, ",")))
            return false;
    }
    if (r->list.failed)
        return inlay_fail_memory(r->a.d);
    return assemble_list(n, attr, r->list.bytes, count, r->a.d);
}

bool text_attr(text_reader *r, text_scope *s, inlay_node *n, int i)
{
    const char *name = n->op->attrs[i].name;
    inlay_type type;
    int64_t x;
    double f;

    switch (n->op->attrs[i].kind) {
    case INLAY_ATTR_BOOL:
        return attr_bool(r, n, name);
    case INLAY_ATTR_INT:
        return text_int(r, &x) && inlay_node_set_int(n, name, x, r->a.d);
    case INLAY_ATTR_FLOAT:
        return text_element(r, INLAY_F64, &f, 0, "a number") &&
               inlay_node_set_float(n, name, f, r->a.d);
    case INLAY_ATTR_NUMBER:
        return attr_number(r, n, name);
    case INLAY_ATTR_STRING:
    case INLAY_ATTR_ENUM:
    case INLAY_ATTR_VARIABLE:
        return attr_string(r, n, i);
    case INLAY_ATTR_TYPE:
        return text_type(r, &type) && inlay_node_set_type(n, name, type, r->a.d);
    case INLAY_ATTR_SHAPE:
        return attr_shape(r, s, n, name);
    case INLAY_ATTR_TENSOR:
        return attr_tensor(r, n, name);
    default:
        return attr_list(r, n, i);
    }
}
