/* Requirements of OpenVINO that Inlay does not have. If a graph does not meet one, a corrected copy
 * is written.
 *
 * A variable that is assigned but no longer read, as passes may leave it: OpenVINO requires a
 * ReadValue for each Assign, and its reader finds only layers that lead to a Result or an Assign
 * (parser/openvino/README.md 5). So the copy reads the variable, and the Assign gets its value
 * through a Reshape whose shape depends on what was read:
 *
 *     Assign(x)  becomes  Assign(Reshape(x, ShapeOf(x) + 0 * size of ReadValue(x)))
 *
 * The value is the same.
 *
 * A BatchNormInference-1 whose data comes first, as in the specification: in files gamma and beta
 * come before the data. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "parser/openvino/write.h"

#include <stdlib.h>
#include <string.h>

/* Makes an array that says, by the index of a variable, whether one of the nodes in ORDER reads it.
 * NULL: out of memory. */
static bool *variables_read(const inlay_graph *g, const inlay_order_list *order)
{
    const inlay_graph *outermost = g;
    bool *read;

    while (outermost->owner)
        outermost = outermost->owner->graph;
    read = inlay_take(inlay_graph_budget(g), (size_t)outermost->n_variables + 1, sizeof *read);
    inlay_count_steps(g, order->n);
    for (size_t i = 0; read && i < order->n; i++) {
        const inlay_variable *v = inlay_variable_of(order->nodes[i], INLAY_OP_READ_VALUE);

        if (v)
            read[v->index] = true;
    }
    return read;
}

/* Makes a ReadValue of V, whose initial value is X. */
static inlay_value *read_variable(inlay_graph *g, const inlay_node *assign, const inlay_variable *v,
                                  inlay_value *x, inlay_diags *d)
{
    const inlay_op *op = inlay_op_find(g->ops, "ReadValue", assign->opset, NULL, d);
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

static inlay_value *make(inlay_graph *g, const char *operation, inlay_value *a, inlay_value *b,
                         const char *attrs, inlay_diags *d)
{
    inlay_value *in[] = {a, b};
    inlay_node *n = NULL;

    if (a && (b || strncmp(operation, "ShapeOf", 7) == 0))
        n = inlay_build(g, NULL, operation, in, b ? 2 : 1, attrs, d);
    return n ? &n->out[0] : NULL;
}

static bool read_before(inlay_node *assign, const inlay_variable *v, inlay_diags *d)
{
    inlay_graph *g = assign->graph;
    inlay_value *x = inlay_node_input(assign, 0), *read, *zero, *shape;

    zero = inlay_build_ints(g, NULL, INLAY_I64, 1, (int64_t[]){1}, (int64_t[]){0}, d);
    read = read_variable(g, assign, v, x, d);
    shape = make(g, "ShapeOf@opset3", read, NULL, NULL, d);
    shape = make(g, "ReduceProd@opset1", shape, zero, "keep_dims=true", d);
    shape = make(g, "Multiply@opset1", shape, zero, NULL, d);
    shape = make(g, "Add@opset1", make(g, "ShapeOf@opset3", x, NULL, NULL, d), shape, NULL, d);
    x = make(g, "Reshape@opset1", x, shape, "special_zero=false", d);
    return x && inlay_node_set_input(assign, 0, x, d);
}

static bool has_data_first(const inlay_node *n)
{
    const inlay_value *first = inlay_node_input(n, 0), *third = inlay_node_input(n, 2);

    return inlay_node_is(n, INLAY_OP_BATCH_NORM_INFERENCE) && n->op->version == 1 && first &&
           inlay_node_input(n, 1) && third &&
           inlay_batch_norm_data(first->fact.rank, third->fact.rank) == 0;
}

static bool put_data_third(inlay_node *n, inlay_diags *d)
{
    inlay_value *data = n->in[0].value;

    return inlay_node_set_input(n, 0, n->in[1].value, d) &&
           inlay_node_set_input(n, 1, n->in[2].value, d) && inlay_node_set_input(n, 2, data, d);
}

/* Checks whether N meets the requirements. If not, *WHY says what is wrong, and N is corrected if
 * MEND is set. READ: the result of variables_read. */
static bool meet(const bool *read, inlay_node *n, bool mend, const char **why, inlay_diags *d)
{
    const inlay_variable *v = inlay_variable_of(n, INLAY_OP_ASSIGN);

    if (v && !read[v->index]) {
        *why = "a variable is assigned but not read, and the file has to read it";
        return !mend || read_before(n, v, d);
    }
    if (has_data_first(n)) {
        *why = "a BatchNormInference-1 has its data first, and the file has to have it third";
        return !mend || put_data_third(n, d);
    }
    return true;
}

/* Checks every node of G and its bodies. Recursive, down to INLAY_MAX_BODY_DEPTH. A missing body is
 * refused when its node is written. */
static bool walk(inlay_graph *g, bool mend, const char **why, inlay_diags *d)
{
    inlay_order_list order;
    bool ok = inlay_order(g, false, &order, d);
    bool *read = ok ? variables_read(g, &order) : NULL;

    ok = ok && (read || inlay_fail_memory(d));
    for (size_t i = 0; ok && i < order.n; i++) {
        inlay_node *n = order.nodes[i];

        for (int k = 0; ok && k < n->n_bodies; k++)
            ok = !n->bodies[k].graph || walk(n->bodies[k].graph, mend, why, d);
        ok = ok && meet(read, n, mend, why, d);
    }
    inlay_give(read);
    inlay_order_free(&order);
    return ok;
}

bool ov_meet_demands(const inlay_graph **g, inlay_graph **copy, inlay_diags *d)
{
    const char *why = NULL;

    *copy = NULL;
    if (!walk((inlay_graph *)*g, false, &why, d))
        return false;
    if (!why)
        return true;
    *copy = inlay_graph_clone(*g, d);
    if (!*copy || !walk(*copy, true, &why, d))
        return false;
    if ((*g)->has_notes)
        inlay_warn(d, NULL, "storage notes are not written: %s", why);
    *g = *copy;
    return true;
}
