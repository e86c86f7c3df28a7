/* Attributes: typed setters. Getters are in attr_read.c, text forms in attr_text.c. */
#include "ir/graph/attr.h"
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/base/locale.h"
#include "ir/graph/argument.h"
#include "ir/graph/graph.h"

#include <string.h>

const char *attr_kind_text(inlay_attr_kind kind)
{
    static const char *const text[] = {
        [INLAY_ATTR_BOOL] = "a boolean",
        [INLAY_ATTR_INT] = "an integer",
        [INLAY_ATTR_FLOAT] = "a number",
        [INLAY_ATTR_NUMBER] = "a number or a boolean",
        [INLAY_ATTR_STRING] = "a string",
        [INLAY_ATTR_ENUM] = "one of its names",
        [INLAY_ATTR_TYPE] = "an element type",
        [INLAY_ATTR_INTS] = "a list of integers",
        [INLAY_ATTR_FLOATS] = "a list of numbers",
        [INLAY_ATTR_STRINGS] = "a list of strings",
        [INLAY_ATTR_TYPES] = "a list of element types",
        [INLAY_ATTR_SHAPE] = "a shape",
        [INLAY_ATTR_TENSOR] = "a tensor",
        [INLAY_ATTR_VARIABLE] = "a variable's name",
    };

    return text[kind];
}

/* The slot of attribute NAME, whose kind must be KIND. Storage notes are dropped, as by any edit.
 */
static inlay_attr *slot(inlay_node *n, const char *name, inlay_attr_kind kind, inlay_diags *d)
{
    int i;

    if (inlay_is_missing(n, "node", d) || inlay_is_missing(name, "name of an attribute", d))
        return NULL;
    i = inlay_op_attr(n->op, name);
    if (i < 0) {
        inlay_fail_node(d, n, "there is no attribute \"%s\"", name);
        return NULL;
    }
    if (n->op->attrs[i].kind != kind) {
        inlay_fail_node(d, n, "attribute \"%s\" is %s, not %s", name,
                        attr_kind_text(n->op->attrs[i].kind), attr_kind_text(kind));
        return NULL;
    }
    graph_touch_node(n);
    return &n->attrs[i];
}

/* A NULL: there is no such slot, which was recorded. */
static bool put(inlay_attr *a, inlay_attr value)
{
    if (a)
        *a = value;
    return a != NULL;
}

bool inlay_node_set_bool(inlay_node *n, const char *name, bool x, inlay_diags *d)
{
    return put(slot(n, name, INLAY_ATTR_BOOL, d), (inlay_attr){.set = true, .as.b = x});
}

bool inlay_node_set_int(inlay_node *n, const char *name, int64_t x, inlay_diags *d)
{
    return put(slot(n, name, INLAY_ATTR_INT, d), (inlay_attr){.set = true, .as.i = x});
}

bool inlay_node_set_float(inlay_node *n, const char *name, double x, inlay_diags *d)
{
    return put(slot(n, name, INLAY_ATTR_FLOAT, d), (inlay_attr){.set = true, .as.f = x});
}

bool inlay_node_set_number(inlay_node *n, const char *name, bool integral, int64_t i, double f,
                           inlay_diags *d)
{
    return put(slot(n, name, INLAY_ATTR_NUMBER, d),
               (inlay_attr){.set = true,
                            .as.number = {.f = integral ? (double)i : f,
                                          .i = integral ? i : 0,
                                          .integral = integral}});
}

static bool set_enum(inlay_node *n, int i, const char *x, inlay_diags *d)
{
    const char *const *allowed = n->op->attrs[i].allowed;
    char list[256] = "";

    for (int k = 0; allowed[k]; k++) {
        if (inlay_word_compare(allowed[k], x) == 0) {
            graph_touch_node(n);
            n->attrs[i] = (inlay_attr){.set = true, .as.s = allowed[k]};
            return true;
        }
        if (k > 0)
            strncat(list, ", ", sizeof list - strlen(list) - 1);
        strncat(list, allowed[k], sizeof list - strlen(list) - 1);
    }
    return inlay_fail_node(d, n, "attribute \"%s\" is \"%s\", it must be one of %s",
                           n->op->attrs[i].name, x, list);
}

static bool set_variable(inlay_node *n, int i, const char *x, inlay_diags *d)
{
    inlay_variable *v = inlay_graph_variable(n->graph, x, d);

    if (!v)
        return false;
    graph_touch_node(n);
    n->attrs[i] = (inlay_attr){.set = true, .as.variable = v};
    return true;
}

bool inlay_node_set_string(inlay_node *n, const char *name, const char *x, inlay_diags *d)
{
    inlay_attr *a;
    int i;

    if (inlay_is_missing(n, "node", d) || inlay_is_missing(x, "string", d))
        return false;
    i = inlay_op_attr(n->op, name);
    if (i >= 0 && n->op->attrs[i].kind == INLAY_ATTR_ENUM)
        return set_enum(n, i, x, d);
    if (i >= 0 && n->op->attrs[i].kind == INLAY_ATTR_VARIABLE)
        return set_variable(n, i, x, d);
    a = slot(n, name, INLAY_ATTR_STRING, d);
    if (!a)
        return false;
    x = inlay_arena_strdup(n->graph->arena, x);
    *a = (inlay_attr){.set = true, .as.s = x};
    return x != NULL || inlay_fail_memory(d);
}

bool inlay_node_set_type(inlay_node *n, const char *name, inlay_type x, inlay_diags *d)
{
    inlay_attr *a = slot(n, name, INLAY_ATTR_TYPE, d);

    if (!a || !inlay_type_is_sound(x, n, d))
        return false;
    *a = (inlay_attr){.set = true, .as.type = x};
    return true;
}

/* Copies COUNT elements of SIZE bytes into the arena. The copy of an empty list is not NULL, since
 * NULL means out of memory. */
static void *copy_list(inlay_node *n, const void *x, int count, size_t size, inlay_diags *d)
{
    void *copy;

    if (!inlay_list_is_sound(x, count, "elements", d))
        return NULL;
    copy = inlay_arena_array(n->graph->arena, (size_t)count, size);
    if (!copy)
        inlay_fail_memory(d);
    else if (count > 0)
        memcpy(copy, x, (size_t)count * size);
    return copy;
}

bool inlay_node_set_ints(inlay_node *n, const char *name, const int64_t *x, int count,
                         inlay_diags *d)
{
    inlay_attr *a = slot(n, name, INLAY_ATTR_INTS, d);

    if (!a || !(x = copy_list(n, x, count, sizeof *x, d)))
        return false;
    *a = (inlay_attr){.set = true, .n = count, .as.ints = x};
    return true;
}

bool inlay_node_set_floats(inlay_node *n, const char *name, const double *x, int count,
                           inlay_diags *d)
{
    inlay_attr *a = slot(n, name, INLAY_ATTR_FLOATS, d);

    if (!a || !(x = copy_list(n, x, count, sizeof *x, d)))
        return false;
    *a = (inlay_attr){.set = true, .n = count, .as.floats = x};
    return true;
}

bool inlay_node_set_strings(inlay_node *n, const char *name, const char *const *x, int count,
                            inlay_diags *d)
{
    inlay_attr *a = slot(n, name, INLAY_ATTR_STRINGS, d);
    bool sound = a && inlay_names_are_sound(x, count, "strings", d);
    const char **copy = sound ? copy_list(n, x, count, sizeof *copy, d) : NULL;

    if (!copy)
        return false;
    for (int i = 0; i < count; i++) {
        if (!(copy[i] = inlay_arena_strdup(n->graph->arena, x[i])))
            return inlay_fail_memory(d);
    }
    *a = (inlay_attr){.set = true, .n = count, .as.strings = copy};
    return true;
}

bool inlay_node_set_types(inlay_node *n, const char *name, const inlay_type *x, int count,
                          inlay_diags *d)
{
    inlay_attr *a = slot(n, name, INLAY_ATTR_TYPES, d);

    for (int i = 0; a && x && i < count; i++) {
        if (!inlay_type_is_sound(x[i], n, d))
            return false;
    }
    if (!a || !(x = copy_list(n, x, count, sizeof *x, d)))
        return false;
    *a = (inlay_attr){.set = true, .n = count, .as.types = x};
    return true;
}

bool inlay_node_set_shape(inlay_node *n, const char *name, const inlay_shape *x, inlay_diags *d)
{
    inlay_attr *a = slot(n, name, INLAY_ATTR_SHAPE, d);

    if (!a || inlay_is_missing(x, "shape", d) || !inlay_shape_is_sound(x->rank, x->dim, n, d) ||
        !(x = copy_list(n, x, 1, sizeof *x, d)))
        return false;
    *a = (inlay_attr){.set = true, .as.shape = x};
    return true;
}

bool inlay_node_set_tensor(inlay_node *n, const char *name, const inlay_tensor *x, inlay_diags *d)
{
    inlay_attr *a = slot(n, name, INLAY_ATTR_TENSOR, d);

    if (!a || inlay_is_missing(x, "tensor", d) || !graph_keep_tensor(n->graph, x, d))
        return false;
    *a = (inlay_attr){.set = true, .as.tensor = x};
    return true;
}

void inlay_node_unset_attr(inlay_node *n, int i)
{
    graph_touch_node(n);
    n->attrs[i] = (inlay_attr){.set = false};
}

bool inlay_node_set_attr(inlay_node *n, const char *name, const inlay_attr *x, inlay_diags *d)
{
    int i;

    if (inlay_is_missing(n, "node", d) || inlay_is_missing(name, "name of an attribute", d) ||
        inlay_is_missing(x, "attribute", d))
        return false;
    i = inlay_op_attr(n->op, name);
    if (i < 0)
        return inlay_fail_node(d, n, "there is no attribute \"%s\"", name);
    switch (n->op->attrs[i].kind) {
    case INLAY_ATTR_BOOL:
        return inlay_node_set_bool(n, name, x->as.b, d);
    case INLAY_ATTR_INT:
        return inlay_node_set_int(n, name, x->as.i, d);
    case INLAY_ATTR_FLOAT:
        return inlay_node_set_float(n, name, x->as.f, d);
    case INLAY_ATTR_NUMBER:
        return inlay_node_set_number(n, name, x->as.number.integral, x->as.number.i, x->as.number.f,
                                     d);
    case INLAY_ATTR_STRING:
    case INLAY_ATTR_ENUM:
        return inlay_node_set_string(n, name, x->as.s, d);
    case INLAY_ATTR_TYPE:
        return inlay_node_set_type(n, name, x->as.type, d);
    case INLAY_ATTR_INTS:
        return inlay_node_set_ints(n, name, x->as.ints, x->n, d);
    case INLAY_ATTR_FLOATS:
        return inlay_node_set_floats(n, name, x->as.floats, x->n, d);
    case INLAY_ATTR_STRINGS:
        return inlay_node_set_strings(n, name, x->as.strings, x->n, d);
    case INLAY_ATTR_TYPES:
        return inlay_node_set_types(n, name, x->as.types, x->n, d);
    case INLAY_ATTR_SHAPE:
        return inlay_node_set_shape(n, name, x->as.shape, d);
    case INLAY_ATTR_TENSOR:
        return inlay_node_set_tensor(n, name, x->as.tensor, d);
    case INLAY_ATTR_VARIABLE:
        break;
    }
    return !inlay_is_missing(x->as.variable, "variable", d) &&
           inlay_node_set_string(n, name, x->as.variable->name, d);
}
