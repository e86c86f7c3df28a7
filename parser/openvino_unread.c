/* A variable that is assigned but no longer read, as passes may leave it. OpenVINO demands a
 * ReadValue for each Assign, and its reader finds only what edges lead to from a Result or an
 * Assign (openvino-ir.md 5). So the file reads the variable, and the new value goes through a
 * Reshape to its own shape, plus 0 times the number of elements of what was read: the same value.
 */
#include "parser/xml_write.h"

#include <string.h>

/* Does one of the nodes that are written read V? */
static bool is_read(const inlay_order_list *order, const inlay_variable *v)
{
    for (size_t i = 0; i < order->n; i++) {
        if (inlay_variable_of(order->nodes[i], INLAY_OP_READ_VALUE) == v)
            return true;
    }
    return false;
}

/* The state of V, first X. */
static inlay_value *read_variable(inlay_graph *g, const inlay_node *assign, const inlay_variable *v,
                                  inlay_value *x, inlay_diags *d)
{
    const inlay_op *op = inlay_op_find("ReadValue", assign->opset, d, NULL);
    inlay_node *n = op ? inlay_node_new(g, op, "read_before_assign", 1, 1, d) : NULL;
    inlay_shape shape = {.rank = v->rank};

    for (int i = 0; i < v->rank; i++)
        shape.dim[i] = v->dims[i];
    if (!n || !inlay_node_set_string(n, "variable_id", v->name, d) ||
        !inlay_node_set_input(n, 0, x, d))
        return NULL;
    if (op->version >= 6 && (!inlay_node_set_type(n, "variable_type", v->type, d) ||
                             !inlay_node_set_shape(n, "variable_shape", &shape, d)))
        return NULL;
    return inlay_check_node(n, d) && inlay_infer_node(n, d) ? &n->out[0] : NULL;
}

static inlay_value *make(inlay_graph *g, const char *type, const char *version, inlay_value *a,
                         inlay_value *b, const char *attrs, inlay_diags *d)
{
    inlay_value *in[] = {a, b};
    inlay_node *n = NULL;

    if (a && (b || strcmp(type, "ShapeOf") == 0))
        n = inlay_build(g, type, version, NULL, in, b ? 2 : 1, attrs, d);
    return n ? &n->out[0] : NULL;
}

static bool read_before(inlay_node *assign, const inlay_variable *v, inlay_diags *d)
{
    inlay_graph *g = assign->graph;
    inlay_value *x = inlay_node_input(assign, 0), *read, *zero, *shape;

    zero = inlay_build_ints(g, NULL, INLAY_I64, 1, (int64_t[]){1}, (int64_t[]){0}, d);
    read = read_variable(g, assign, v, x, d);
    shape = make(g, "ShapeOf", "opset3", read, NULL, NULL, d);
    shape = make(g, "ReduceProd", "opset1", shape, zero, "keep_dims=true", d);
    shape = make(g, "Multiply", "opset1", shape, zero, NULL, d);
    shape =
        make(g, "Add", "opset1", make(g, "ShapeOf", "opset3", x, NULL, NULL, d), shape, NULL, d);
    x = make(g, "Reshape", "opset1", x, shape, "special_zero=false", d);
    return x && inlay_node_set_input(assign, 0, x, d);
}

/* Every Assign of G and its bodies, which are nested no deeper than INLAY_MAX_BODY_DEPTH. MEND:
 * have its variable read. *FOUND: one is not. */
static bool walk(inlay_graph *g, bool mend, bool *found, inlay_diags *d)
{
    inlay_order_list order;
    bool ok = inlay_order(g, false, &order, d);

    for (size_t i = 0; ok && i < order.n; i++) {
        inlay_node *n = order.nodes[i];
        const inlay_variable *v = inlay_variable_of(n, INLAY_OP_ASSIGN);

        for (int k = 0; ok && k < n->n_bodies; k++)
            ok = walk(n->bodies[k].graph, mend, found, d);
        if (!v || !ok || is_read(&order, v))
            continue;
        *found = true;
        ok = !mend || read_before(n, v, d);
    }
    inlay_order_free(&order);
    return ok;
}

bool ov_read_assigned(const inlay_graph **g, inlay_graph **copy, inlay_diags *d)
{
    bool found = false;

    *copy = NULL;
    if ((*g)->n_variables == 0)
        return true;
    if (!walk((inlay_graph *)*g, false, &found, d))
        return false;
    if (!found)
        return true;
    *copy = inlay_graph_clone(*g, d);
    if (!*copy || !walk(*copy, true, &found, d))
        return false;
    if ((*g)->has_notes)
        inlay_warn(d, NULL,
                   "storage notes are not written: a variable is assigned but not read, and the "
                   "file has to read it");
    *g = *copy;
    return true;
}
