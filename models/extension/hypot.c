/* An extension with one operation: the length of the vector (x, y), element by element. */
#include <inlay.h>

#include <math.h>

/* Both operands and the result have one shape. */
static bool infer_hypot(inlay_infer *cx)
{
    inlay_shape s;

    return inlay_infer_broadcast(cx, 0, 1, "none", &s) &&
           inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

/* The row says overwrites=0: the result may stand where x does, so each element is read before it
 * is written. */
static bool eval_hypot(inlay_call *c)
{
    double scale = inlay_node_float(c->node, "scale");

    for (int64_t i = 0; i < inlay_tensor_count(c->out[0]); i++) {
        double x = inlay_tensor_get_f64(c->in[0], i), y = inlay_tensor_get_f64(c->in[1], i);

        inlay_tensor_set_f64(c->out[0], i, scale * hypot(x, y));
    }
    return true;
}

static const inlay_op_def ops[] = {
    {"Hypot", 1, "extension", "T:float x, T y", "T", "float scale=1",
     "strided pointwise overwrites=0", infer_hypot, eval_hypot, "hypot.c", __LINE__},
};
INLAY_EXTENSION(ops);
