/* Functions that make one checked and inferred node in one call: for programs that build graphs,
 * and for passes. */
#include "ir/build.h"
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/graph/argument.h"
#include "ir/graph/attr.h"
#include "ir/graph/graph.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/infer/facts.h"
#include "ir/tensor/storage.h"

#include <stdio.h>
#include <string.h>

/* Checks and infers N if everything before succeeded (OK). Returns N, or NULL on failure; then N is
 * removed from its graph. */
static inlay_node *finish(inlay_node *n, bool ok, inlay_diags *d)
{
    if (ok && inlay_check_node(n, d) && inlay_infer_node(n, d))
        return n;
    if (n)
        inlay_node_remove(n, NULL);
    return NULL;
}

static inlay_value *output_of(inlay_node *n)
{
    return n ? &n->out[0] : NULL;
}

static inlay_node *new_node(inlay_graph *g, const char *type, const char *name, int n_in, int n_out,
                            inlay_diags *d)
{
    const inlay_op *op =
        inlay_is_missing(g, "graph", d) ? NULL : inlay_op_find(g->ops, type, NULL, NULL, d);

    return op ? inlay_node_new(g, op, name, n_in, n_out, d) : NULL;
}

inlay_value *inlay_build_parameter(inlay_graph *g, const char *name, inlay_type type,
                                   const inlay_shape *shape, inlay_diags *d)
{
    inlay_node *n = new_node(g, "Parameter", name, 0, 1, d);
    bool ok = n && inlay_node_set_type(n, "element_type", type, d) &&
              inlay_node_set_shape(n, "shape", shape, d);

    return output_of(finish(n, ok, d));
}

inlay_value *inlay_build_const(inlay_graph *g, const char *name, const inlay_tensor *t,
                               inlay_diags *d)
{
    inlay_node *n = new_node(g, "Const", name, 0, 1, d);

    return output_of(finish(n, n && inlay_node_set_tensor(n, "value", t, d), d));
}

inlay_value *inlay_build_ints(inlay_graph *g, const char *name, inlay_type type, int rank,
                              const int64_t *dims, const int64_t *elements, inlay_diags *d)
{
    inlay_tensor *t;
    inlay_value *v;
    size_t bytes;

    if (!inlay_type_is_sound(type, NULL, d))
        return NULL;
    if (rank > INLAY_MAX_RANK || !inlay_count_bytes(type, rank, dims, &bytes) ||
        inlay_constant_refused(type) || (bytes > 0 && !elements)) {
        inlay_fail(d, NULL, "these are no elements of a constant of type %s and rank %d",
                   inlay_type_info_of(type)->name, rank);
        return NULL;
    }
    t = inlay_tensor_in(inlay_graph_budget(g), type, rank, dims);
    if (!t) {
        inlay_fail_memory(d);
        return NULL;
    }
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_i64(t, i, elements[i]);
    v = inlay_build_const(g, name, t, d);
    inlay_tensor_release(t);
    return v;
}

/* Makes a constant of ELEMENTS, an array in row-major order. */
static inlay_value *build_elements(inlay_graph *g, const char *name, inlay_type type, int rank,
                                   int n, const void *elements, inlay_diags *d)
{
    int64_t dims[] = {n};
    inlay_tensor *t;
    inlay_value *v;

    if (!inlay_list_is_sound(elements, n, "elements", d))
        return NULL;
    t = inlay_tensor_in(inlay_graph_budget(g), type, rank, dims);
    if (!t) {
        inlay_fail_memory(d);
        return NULL;
    }
    if (n > 0)
        memcpy(t->data, elements, inlay_tensor_bytes(t));
    v = inlay_build_const(g, name, t, d);
    inlay_tensor_release(t);
    return v;
}

inlay_value *inlay_build_i64(inlay_graph *g, const char *name, int64_t x, inlay_diags *d)
{
    return build_elements(g, name, INLAY_I64, 1, 1, &x, d);
}

inlay_value *inlay_build_i64_list(inlay_graph *g, const char *name, const int64_t *x, int n,
                                  inlay_diags *d)
{
    return build_elements(g, name, INLAY_I64, 1, n, x, d);
}

inlay_value *inlay_build_i64_scalar(inlay_graph *g, const char *name, int64_t x, inlay_diags *d)
{
    return build_elements(g, name, INLAY_I64, 0, 1, &x, d);
}

inlay_value *inlay_build_f32(inlay_graph *g, const char *name, float x, inlay_diags *d)
{
    return build_elements(g, name, INLAY_F32, 1, 1, &x, d);
}

inlay_value *inlay_build_f32_list(inlay_graph *g, const char *name, const float *x, int n,
                                  inlay_diags *d)
{
    return build_elements(g, name, INLAY_F32, 1, n, x, d);
}

inlay_value *inlay_build_f32_scalar(inlay_graph *g, const char *name, float x, inlay_diags *d)
{
    return build_elements(g, name, INLAY_F32, 0, 1, &x, d);
}

inlay_node *inlay_build_result(inlay_graph *g, const char *name, inlay_value *v, inlay_diags *d)
{
    inlay_node *n = new_node(g, "Result", name, 1, 0, d);

    return finish(n, n && inlay_node_set_input(n, 0, v, d), d);
}

/* Sets the attributes of a text like "axis=1; mode=same_upper". */
static bool set_attrs(inlay_node *n, const char *text, inlay_diags *d)
{
    while (text && *text) {
        size_t len = strcspn(text, ";"), name_len = strcspn(text, "=");
        char *name, *value;
        int attr;

        if (name_len >= len)
            return inlay_fail_node(d, n, "attributes \"%s\": name=value is expected", text);
        name = inlay_arena_strndup(n->graph->arena, text, name_len);
        value = inlay_arena_strndup(n->graph->arena, text + name_len + 1, len - name_len - 1);
        if (!name || !value)
            return inlay_fail_memory(d);
        name += strspn(name, " ");
        attr = inlay_op_attr(n->op, name);
        if (attr < 0)
            return inlay_fail_node(d, n, "there is no attribute \"%s\"", name);
        if (!inlay_node_set_attr_text(n, attr, value, d))
            return false;
        text += len + (text[len] == ';');
    }
    return true;
}

static bool connect(inlay_node *n, inlay_value *const *inputs, inlay_diags *d)
{
    for (int i = 0; i < n->n_in; i++) {
        if (!inlay_node_set_input(n, i, inputs[i], d))
            return false;
    }
    return true;
}

/* Gives N the number of outputs that its inputs and attributes determine; if they do not, as for
 * nodes with bodies, N keeps those that the caller gave it. */
static bool set_outputs(inlay_node *n, inlay_diags *d)
{
    bool told = n->op->count_attr || n->op->count_in >= 0 || n->n_out == 0;
    int n_out = told ? inlay_node_n_out(n) : n->n_out;

    if (n_out < 0 || n_out > 1 << 20)
        return inlay_fail_node(d, n, "the number of outputs cannot be told from the inputs");
    return inlay_node_set_n_out(n, n_out, d);
}

inlay_node *inlay_build_row(inlay_graph *g, const char *name, const inlay_op *op,
                            inlay_value *const *inputs, int n_in, inlay_diags *d)
{
    inlay_node *n = op ? inlay_node_new(g, op, name, n_in, op->n_out < 0 ? 0 : op->n_out, d) : NULL;

    return n && connect(n, inputs, d) ? n : finish(n, false, d);
}

/* The row for OPERATION: "Slice", or "Slice@opset8", whose version is stored in *OPSET. */
static const inlay_op *row_of(const inlay_graph *g, const char *operation, const char **opset,
                              inlay_diags *d)
{
    const char *at = operation ? strchr(operation, '@') : NULL;
    char type[128]; /* no row has a longer name; longer ones are not found */

    *opset = at && at[1] ? at + 1 : NULL;
    if (at && (size_t)(at - operation) < sizeof type) {
        snprintf(type, sizeof type, "%.*s", (int)(at - operation), operation);
        operation = type;
    }
    return inlay_op_find(g->ops, operation, *opset, NULL, d);
}

inlay_node *inlay_build_begin(inlay_graph *g, const char *name, const char *operation,
                              inlay_value *const *inputs, int n_in, inlay_diags *d)
{
    bool sound = !inlay_is_missing(g, "graph", d) &&
                 inlay_list_is_sound((const void *)inputs, n_in, "inputs", d);
    const char *opset = NULL;
    const inlay_op *op = sound ? row_of(g, operation, &opset, d) : NULL;
    inlay_node *n = inlay_build_row(g, name, op, inputs, n_in, d);

    return !n || inlay_node_set_opset(n, opset, d) ? n : finish(n, false, d);
}

inlay_node *inlay_build_end(inlay_node *n, bool ok, inlay_diags *d)
{
    return n ? finish(n, ok && set_outputs(n, d), d) : NULL;
}

inlay_node *inlay_build(inlay_graph *g, const char *name, const char *operation,
                        inlay_value *const *inputs, int n_in, const char *attrs, inlay_diags *d)
{
    inlay_node *n = inlay_build_begin(g, name, operation, inputs, n_in, d);

    return n ? inlay_build_end(n, set_attrs(n, attrs, d), d) : NULL;
}
