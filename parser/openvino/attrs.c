/* Writes attributes as text, in the spelling of parser/openvino/README.md 3.2. A number has as many
 * digits as are needed to read it back exactly. */
#include "parser/openvino/write.h"

#include <ctype.h>
#include <string.h>

static void put_double(inlay_strbuf *b, double x)
{
    char text[40];

    inlay_strbuf_puts(b, inlay_element_text(INLAY_F64, &x, 0, text, sizeof text));
}

static void put_bool(inlay_strbuf *b, const inlay_attr *a, int i)
{
    (void)i;
    inlay_strbuf_puts(b, a->as.b ? "true" : "false");
}

static void put_int(inlay_strbuf *b, const inlay_attr *a, int i)
{
    (void)i;
    inlay_strbuf_printf(b, "%lld", (long long)a->as.i);
}

static void put_float(inlay_strbuf *b, const inlay_attr *a, int i)
{
    (void)i;
    put_double(b, a->as.f);
}

/* Writes a number so that one of a float type does not look like an integer: "2.0" is another
 * attribute than "2". */
static void put_number(inlay_strbuf *b, const inlay_attr *a, int i)
{
    size_t from = b->n;

    (void)i;
    if (a->as.number.integral) {
        inlay_strbuf_printf(b, "%lld", (long long)a->as.number.i);
        return;
    }
    put_double(b, a->as.number.f);
    if (!b->failed && b->bytes[from + strspn(b->bytes + from, "-0123456789")] == '\0')
        inlay_strbuf_puts(b, ".0");
}

static void put_string(inlay_strbuf *b, const inlay_attr *a, int i)
{
    (void)i;
    inlay_strbuf_puts(b, a->as.s);
}

static void put_type(inlay_strbuf *b, const inlay_attr *a, int i)
{
    (void)i;
    inlay_strbuf_puts(b, inlay_type_info_of(a->as.type)->name);
}

static void put_ints(inlay_strbuf *b, const inlay_attr *a, int i)
{
    inlay_strbuf_printf(b, "%lld", (long long)a->as.ints[i]);
}

static void put_floats(inlay_strbuf *b, const inlay_attr *a, int i)
{
    put_double(b, a->as.floats[i]);
}

static void put_strings(inlay_strbuf *b, const inlay_attr *a, int i)
{
    inlay_strbuf_puts(b, a->as.strings[i]);
}

static void put_types(inlay_strbuf *b, const inlay_attr *a, int i)
{
    inlay_strbuf_puts(b, inlay_type_info_of(a->as.types[i])->name);
}

static void put_shape(inlay_strbuf *b, const inlay_attr *a, int i)
{
    const inlay_shape *s = a->as.shape;
    char text[64];

    (void)i;
    if (s->rank < 0)
        inlay_strbuf_puts(b, "...");
    for (int k = 0; k < s->rank; k++) {
        inlay_strbuf_puts(b, k > 0 ? "," : "");
        inlay_strbuf_puts(b, inlay_dim_text(s->dim[k], text, sizeof text));
    }
}

static void put_variable(inlay_strbuf *b, const inlay_attr *a, int i)
{
    (void)i;
    inlay_strbuf_puts(b, a->as.variable->name);
}

/* How each kind of attribute is written; a list is written element by element. A tensor has no such
 * form. */
static const struct {
    void (*put)(inlay_strbuf *b, const inlay_attr *a, int i);
    bool list;
} kinds[] = {
    [INLAY_ATTR_BOOL] = {put_bool, false},     [INLAY_ATTR_INT] = {put_int, false},
    [INLAY_ATTR_FLOAT] = {put_float, false},   [INLAY_ATTR_NUMBER] = {put_number, false},
    [INLAY_ATTR_STRING] = {put_string, false}, [INLAY_ATTR_ENUM] = {put_string, false},
    [INLAY_ATTR_TYPE] = {put_type, false},     [INLAY_ATTR_INTS] = {put_ints, true},
    [INLAY_ATTR_FLOATS] = {put_floats, true},  [INLAY_ATTR_STRINGS] = {put_strings, true},
    [INLAY_ATTR_TYPES] = {put_types, true},    [INLAY_ATTR_SHAPE] = {put_shape, false},
    [INLAY_ATTR_TENSOR] = {NULL, false},       [INLAY_ATTR_VARIABLE] = {put_variable, false},
};

/* Refuses a string that cannot stand in a list: readers split a list at commas and trim the pieces.
 */
static bool check_strings(ov_writer *w, const char *name, const inlay_attr *a)
{
    for (int i = 0; i < a->n; i++) {
        const char *s = a->as.strings[i];
        size_t n = strlen(s);

        if (n == 0 || strchr(s, ',') || isspace((unsigned char)s[0]) ||
            isspace((unsigned char)s[n - 1]))
            return xml_refuse(
                &w->x, "attribute \"%s\": the string \"%.100s\" cannot stand in a list", name, s);
    }
    return true;
}

static void put_attribute(ov_writer *w, const inlay_attr_info *info, const inlay_attr *a)
{
    inlay_strbuf text = {0};

    if (!kinds[info->kind].put ||
        (info->kind == INLAY_ATTR_STRINGS && !check_strings(w, info->name, a)))
        return;
    if (!kinds[info->kind].list)
        kinds[info->kind].put(&text, a, 0);
    for (int i = 0; kinds[info->kind].list && i < a->n; i++) {
        inlay_strbuf_puts(&text, i > 0 ? ", " : "");
        kinds[info->kind].put(&text, a, i);
    }
    if (text.failed)
        xml_out_of_memory(&w->x);
    else
        xml_put_attr(&w->x, info->name, text.n > 0 ? text.bytes : "");
    inlay_strbuf_free(&text);
}

static bool same_shape(const inlay_variable *v, const inlay_fact *f)
{
    return v->type == f->type && v->rank == f->rank &&
           inlay_dims_same_bounds(v->dims, f->dims, v->rank);
}

/* Whether attribute I of ReadValue N, the type or the shape of its variable, is set and known. */
static bool is_said(const inlay_node *n, int i)
{
    const inlay_attr *a = &n->attrs[i];

    if (!a->set)
        return false;
    return n->op->attrs[i].kind == INLAY_ATTR_TYPE ? a->as.type != INLAY_DYNAMIC
                                                   : a->as.shape->rank >= 0;
}

static bool is_of_variable(const inlay_node *n, int i)
{
    return inlay_node_is(n, INLAY_OP_READ_VALUE) && n->op->attrs[i].kind != INLAY_ATTR_VARIABLE;
}

static void put_said(ov_writer *w, const inlay_node *n, int i, const inlay_attr *by_graph)
{
    const inlay_attr *a = is_said(n, i) || !by_graph->set ? &n->attrs[i] : by_graph;

    if (a->set)
        put_attribute(w, &n->op->attrs[i], a);
}

static bool refuse_shape(ov_writer *w, const inlay_variable *v)
{
    char text[256];

    return xml_refuse(&w->x, "the file cannot say that variable \"%.100s\" is %s%s", v->name,
                      inlay_type_info_of(v->type)->name,
                      inlay_shape_text(v->rank, v->dims, text, sizeof text));
}

/* Writes type and shape of variable V at its ReadValue N; the file has no list of variables where
 * they could be. They are written if the graph knows them and neither N nor the initial value
 * implies them; for a ReadValue without such attributes the graph is refused. */
static void put_variable_shape(ov_writer *w, const inlay_node *n, const inlay_variable *v)
{
    int type = inlay_op_attr(n->op, "variable_type"),
        shape = inlay_op_attr(n->op, "variable_shape");
    const inlay_value *init = inlay_node_input(n, 0);
    bool knows_type = v->type != INLAY_DYNAMIC, knows_shape = v->rank >= 0;
    inlay_shape s = {.rank = v->rank};

    if (type < 0 || (!is_said(n, type) && !is_said(n, shape)))
        knows_type = knows_shape =
            (knows_type || knows_shape) && !(init && same_shape(v, &init->fact));
    for (int i = 0; i < v->rank; i++)
        s.dim[i] = v->dims[i];
    if (type >= 0) {
        put_said(w, n, type, &(inlay_attr){.set = knows_type, .as.type = v->type});
        put_said(w, n, shape, &(inlay_attr){.set = knows_shape, .as.shape = &s});
    } else if (knows_type) {
        refuse_shape(w, v);
    }
}

void ov_put_attributes(ov_writer *w, const inlay_node *n)
{
    const inlay_variable *v = inlay_variable_of(n, INLAY_OP_READ_VALUE);
    const inlay_meta *extra = n->extra;

    for (int i = 0; i < n->op->n_attrs && !w->x.failed; i++) {
        if (n->attrs[i].set && !is_of_variable(n, i))
            put_attribute(w, &n->op->attrs[i], &n->attrs[i]);
    }
    if (v)
        put_variable_shape(w, n, v);
    for (int i = 0; extra && i < extra->n_attrs && !w->x.failed; i++)
        xml_put_attr(&w->x, extra->attrs[2 * i], extra->attrs[2 * i + 1]);
}
