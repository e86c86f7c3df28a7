/* What is in the items of a value: nodes that make items say so in attributes, and others have those
 * of their first operand. */
#include "parser/onnx/import.h"

bool onnx_set_item_type(inlay_value *v, inlay_type type, inlay_diags *d)
{
    return v->fact.type != INLAY_ITEM || type == INLAY_DYNAMIC ||
           inlay_node_set_type(v->node, "item_type", type, d);
}

enum { MAX_STEPS = 256 }; /* back to where items come from */

/* Returns the value of a body that V, an output of N, comes from, where bodies say what they give;
 * NULL: there is none. */
static const inlay_value *of_body(const inlay_node *n, const inlay_value *v)
{
    for (int b = 0; b < n->n_bodies; b++) {
        const inlay_body *body = &n->bodies[b];

        for (int k = 0; k < body->n_out; k++) {
            const inlay_value *x = inlay_node_input(body->graph->results[body->out[k].inner], 0);

            if (body->out[k].outer == v->index && onnx_content_type(x) != INLAY_DYNAMIC)
                return x;
        }
    }
    return NULL;
}

inlay_type onnx_content_type(const inlay_value *v)
{
    inlay_type type = INLAY_DYNAMIC;

    for (int i = 0; v && type == INLAY_DYNAMIC && i < MAX_STEPS; i++) {
        const inlay_node *n = v->node;

        if (v->fact.type != INLAY_ITEM)
            return i > 0 ? v->fact.type : INLAY_DYNAMIC;
        type = inlay_node_type(n, inlay_op_attr(n->op, "item_type") >= 0 ? "item_type"
                                                                         : "element_type");
        v = n->n_bodies > 0 ? of_body(n, v) : inlay_node_input(n, 0);
    }
    return type;
}
