/* Writes the entries of "inputs", "constants", "nodes" and "outputs". */
#include "ir/shared.h"
#include "parser/json/write.h"

#include <string.h>

static void write_value_name(json_writer *w, const inlay_value *v)
{
    inlay_strbuf name = {0};

    json_value_name(v, &name);
    json_write_string(w, name.failed ? "" : name.bytes);
    w->text.failed |= name.failed;
    inlay_strbuf_free(&name);
}

static void write_name(json_writer *w, const void *list, int i)
{
    json_write_string(w, ((const char *const *)list)[i]);
}

static void write_names_of(json_writer *w, const void *list, int i)
{
    const inlay_value *v = (const inlay_value *)list + i;
    json_write_list(w, v->n_names, v->names, write_name);
}

static void write_meta_of(json_writer *w, const void *list, int i)
{
    json_write_meta(w, ((const inlay_value *)list)[i].rt_info);
}

static bool has_port_meta(const inlay_node *n)
{
    for (int i = 0; i < n->n_out; i++) {
        if (n->out[i].rt_info != NULL)
            return true;
    }
    return false;
}

static void write_dim_name(json_writer *w, const void *value, int axis)
{
    const char *name = inlay_value_new_dim_name(value, axis);

    if (name != NULL)
        json_write_string(w, name);
    else
        inlay_strbuf_puts(&w->text, "null");
}

static void write_dim_names_of(json_writer *w, const void *list, int i)
{
    const inlay_value *v = (const inlay_value *)list + i;

    json_write_list(w, inlay_value_has_new_dim_name(v) ? v->fact.rank : 0, v, write_dim_name);
}

static void write_dim_names(json_writer *w, const inlay_node *n, bool *first)
{
    bool any = false;

    for (int i = 0; i < n->n_out; i++)
        any |= inlay_value_has_new_dim_name(&n->out[i]);
    if (!any)
        return;
    json_write_key(w, "dim_names", first);
    if (n->n_out == 1)
        write_dim_names_of(w, n->out, 0);
    else
        json_write_list(w, n->n_out, n->out, write_dim_names_of);
}

/* Writes the optional members that all kinds of nodes have in common. */
static void write_common(json_writer *w, const inlay_node *n, bool *first)
{
    if (n->label != NULL)
        json_write_member(w, "label", n->label, first);
    if (n->n_out == 1 && n->out[0].n_names > 0) {
        json_write_key(w, "tensor_names", first);
        write_names_of(w, n->out, 0);
    } else if (n->n_out > 1) { /* otherwise a reader would take the names in "outputs" for tensor
                                  names */
        json_write_key(w, "tensor_names", first);
        json_write_list(w, n->n_out, n->out, write_names_of);
    }
    write_dim_names(w, n, first);
    if (n->rt_info != NULL) {
        json_write_key(w, "rt_info", first);
        json_write_meta(w, n->rt_info);
    }
    if (has_port_meta(n)) {
        json_write_key(w, "output_rt_info", first);
        json_write_list(w, n->n_out, n->out, write_meta_of);
    }
}

/* Writes the version of N unless it is the one that the reader assumes. */
static void write_opset(json_writer *w, const inlay_node *n, bool *first)
{
    if (n->opset != NULL && strcmp(n->opset, n->op->written) != 0)
        json_write_member(w, "version", n->opset, first);
}

void json_write_input(json_writer *w, const inlay_node *n)
{
    const inlay_attr *shape = inlay_node_attr(n, "shape");
    inlay_type item_type = inlay_node_type(n, "item_type");
    bool first = true;

    inlay_strbuf_puts(&w->text, "{");
    json_write_member(w, "name", n->name, &first);
    json_write_member(w, "type", inlay_type_info_of(inlay_node_type(n, "element_type"))->name,
                      &first);
    if (item_type != INLAY_DYNAMIC)
        json_write_member(w, "item_type", inlay_type_info_of(item_type)->name, &first);
    json_write_key(w, "shape", &first);
    json_write_shape(w, shape != NULL ? shape->as.shape->rank : -1,
                     shape != NULL ? shape->as.shape->dim : NULL);
    write_opset(w, n, &first);
    write_common(w, n, &first);
    inlay_strbuf_puts(&w->text, "}");
}

void json_write_constant(json_writer *w, const inlay_node *n)
{
    const inlay_attr *value = inlay_node_attr(n, "value");
    bool first = true;

    inlay_strbuf_puts(&w->text, "{");
    json_write_member(w, "name", n->name, &first);
    json_write_tensor(w, n, value != NULL ? value->as.tensor : NULL);
    first = false;
    write_opset(w, n, &first);
    write_common(w, n, &first);
    inlay_strbuf_puts(&w->text, "}");
}

static void write_int_element(json_writer *w, const void *list, int i)
{
    json_write_int(w, ((const int64_t *)list)[i]);
}

static void write_float_element(json_writer *w, const void *list, int i)
{
    json_write_float(w, ((const double *)list)[i]);
}

static void write_type_element(json_writer *w, const void *list, int i)
{
    json_write_string(w, inlay_type_info_of(((const inlay_type *)list)[i])->name);
}

/* Writes a number that is no integer with a point, even if its value is whole, because 1 and 1.0
 * differ for an attribute of this kind. */
static void write_number(json_writer *w, const inlay_attr *a)
{
    size_t start = w->text.n;

    if (a->as.number.integral) {
        json_write_int(w, a->as.number.i);
        return;
    }
    json_write_float(w, a->as.number.f);
    if (!w->text.failed && strspn(w->text.bytes + start, "-0123456789") == w->text.n - start)
        inlay_strbuf_puts(&w->text, ".0");
}

static void write_attr(json_writer *w, const inlay_node *n, int i)
{
    const inlay_attr *a = &n->attrs[i];

    switch (n->op->attrs[i].kind) {
    case INLAY_ATTR_BOOL:
        inlay_strbuf_puts(&w->text, a->as.b ? "true" : "false");
        break;
    case INLAY_ATTR_INT:
        json_write_int(w, a->as.i);
        break;
    case INLAY_ATTR_FLOAT:
        json_write_float(w, a->as.f);
        break;
    case INLAY_ATTR_NUMBER:
        write_number(w, a);
        break;
    case INLAY_ATTR_STRING:
    case INLAY_ATTR_ENUM:
        json_write_string(w, a->as.s);
        break;
    case INLAY_ATTR_TYPE:
        json_write_string(w, inlay_type_info_of(a->as.type)->name);
        break;
    case INLAY_ATTR_INTS:
        json_write_list(w, a->n, a->as.ints, write_int_element);
        break;
    case INLAY_ATTR_FLOATS:
        json_write_list(w, a->n, a->as.floats, write_float_element);
        break;
    case INLAY_ATTR_STRINGS:
        json_write_list(w, a->n, a->as.strings, write_name);
        break;
    case INLAY_ATTR_TYPES:
        json_write_list(w, a->n, a->as.types, write_type_element);
        break;
    case INLAY_ATTR_SHAPE:
        json_write_shape(w, a->as.shape->rank, a->as.shape->dim);
        break;
    case INLAY_ATTR_VARIABLE:
        json_write_string(w, a->as.variable->name);
        break;
    case INLAY_ATTR_TENSOR:
        json_write_fail(w, n, "attribute \"%s\" is a tensor, which only a Const can have in JSON",
                        n->op->attrs[i].name);
        break;
    }
}

static void write_attrs(json_writer *w, const inlay_node *n, bool *first)
{
    bool none = true;

    for (int i = 0; i < n->op->n_attrs; i++) {
        if (!n->attrs[i].set)
            continue;
        if (none)
            json_write_key(w, "attributes", first);
        inlay_strbuf_puts(&w->text, none ? "{" : "");
        json_write_key(w, n->op->attrs[i].name, &none);
        write_attr(w, n, i);
    }
    for (int i = 0; n->extra != NULL && i < n->extra->n_attrs; i++) {
        if (none)
            json_write_key(w, "attributes", first);
        inlay_strbuf_puts(&w->text, none ? "{" : "");
        json_write_member(w, n->extra->attrs[2 * i], n->extra->attrs[2 * i + 1], &none);
    }
    inlay_strbuf_puts(&w->text, none ? "" : "}");
}

static void write_input_name(json_writer *w, const void *list, int i)
{
    const inlay_use *use = (const inlay_use *)list + i;

    if (use->value != NULL)
        write_value_name(w, use->value);
    else
        inlay_strbuf_puts(&w->text, "\"\"");
}

static void write_output_name(json_writer *w, const void *list, int i)
{
    write_value_name(w, (const inlay_value *)list + i);
}

static void write_ground(json_writer *w, const void *list, int i)
{
    const inlay_ground *ground = (const inlay_ground *)list + i;
    bool first = true;

    inlay_strbuf_puts(&w->text, "{");
    json_write_member(w, "condition", inlay_ground_name(ground), &first);
    json_write_member(w, "node", ground->node->name, &first);
    inlay_strbuf_puts(&w->text, "}");
}

static void write_note(json_writer *w, const void *list, int i)
{
    const inlay_value *v = (const inlay_value *)list + i;
    bool first = true;

    if (v->note == INLAY_FRESH) {
        inlay_strbuf_puts(&w->text, "null");
        return;
    }
    inlay_strbuf_puts(&w->text, "{");
    json_write_member(w, "kind", inlay_note_text(v->note), &first);
    json_write_key(w, "target", &first);
    write_value_name(w, v->note_target);
    if (v->grounds) {
        json_write_key(w, "grounds", &first);
        json_write_list(w, v->grounds->n, v->grounds->list, write_ground);
    }
    inlay_strbuf_puts(&w->text, "}");
}

static void write_notes(json_writer *w, const inlay_node *n, bool *first)
{
    for (int i = 0; i < n->n_out; i++) {
        if (n->out[i].note != INLAY_FRESH) {
            json_write_key(w, "notes", first);
            json_write_list(w, n->n_out, n->out, write_note);
            return;
        }
    }
}

static void write_fact_type(json_writer *w, const void *list, int i)
{
    json_write_string(w, inlay_type_info_of(((const inlay_value *)list)[i].fact.type)->name);
}

static void write_fact_shape(json_writer *w, const void *list, int i)
{
    const inlay_value *v = (const inlay_value *)list + i;
    json_write_shape(w, v->fact.rank, v->fact.dims);
}

/* Writes the types and shapes of a stand-in, which nothing can infer. */
static void write_facts(json_writer *w, const inlay_node *n, bool *first)
{
    if (!(n->op->flags & INLAY_STAND_IN) || n->n_out == 0)
        return;
    json_write_key(w, "output_types", first);
    json_write_list(w, n->n_out, n->out, write_fact_type);
    json_write_key(w, "output_shapes", first);
    json_write_list(w, n->n_out, n->out, write_fact_shape);
}

void json_write_node(json_writer *w, const inlay_node *n)
{
    bool first = true;

    inlay_strbuf_puts(&w->text, "{");
    json_write_member(w, "name", n->name, &first);
    json_write_member(w, "type", n->op->name, &first);
    json_write_member(w, "version", n->opset != NULL ? n->opset : n->op->written, &first);
    if (n->n_in > 0) {
        json_write_key(w, "inputs", &first);
        json_write_list(w, n->n_in, n->in, write_input_name);
    }
    if (n->n_out != 1) {
        json_write_key(w, "outputs", &first);
        json_write_list(w, n->n_out, n->out, write_output_name);
    }
    write_attrs(w, n, &first);
    write_common(w, n, &first);
    write_facts(w, n, &first);
    write_notes(w, n, &first);
    w->indent++;
    for (int i = 0; i < n->n_bodies; i++)
        json_write_body(w, &n->bodies[i], &first);
    w->indent--;
    inlay_strbuf_puts(&w->text, "}");
}

/* Whether N has the name that the reader gives to a Result without one. */
static bool has_default_name(json_writer *w, const inlay_node *n)
{
    inlay_strbuf value = {0}, name = {0};
    bool same;

    json_value_name(n->in[0].value, &value);
    inlay_strbuf_printf(&name, JSON_RESULT_NAME, value.failed ? "" : value.bytes);
    w->text.failed |= value.failed || name.failed;
    same = !name.failed && strcmp(name.bytes, n->name) == 0;
    inlay_strbuf_free(&value);
    inlay_strbuf_free(&name);
    return same;
}

void json_write_output(json_writer *w, const inlay_node *n)
{
    bool first = true, opset = n->opset != NULL && strcmp(n->opset, n->op->written) != 0;

    if (n->n_in < 1 || n->in[0].value == NULL) {
        json_write_fail(w, n, "input 0 \"value\" is missing");
        return;
    }
    if (has_default_name(w, n) && n->label == NULL && n->rt_info == NULL &&
        n->result_names == NULL && !opset) {
        write_value_name(w, n->in[0].value);
        return;
    }
    inlay_strbuf_puts(&w->text, "{");
    json_write_key(w, "value", &first);
    write_value_name(w, n->in[0].value);
    json_write_member(w, "name", n->name, &first);
    if (n->result_names != NULL)
        json_write_member(w, "output_names", n->result_names, &first);
    write_opset(w, n, &first);
    write_common(w, n, &first);
    inlay_strbuf_puts(&w->text, "}");
}
