/* Parameter, Const, Result; and stand-ins. */
#include "ir/infer/infer.h"

bool infer_parameter(inlay_infer *cx)
{
    const inlay_attr *shape = inlay_node_attr(cx->node, "shape");
    inlay_shape s = {.rank = -1};

    if (shape)
        s = *shape->as.shape;
    return inlay_infer_set_out(cx, 0, inlay_node_type(cx->node, "element_type"), &s);
}

/* Makes the elements of a small integer constant known. */
static bool know_elements(inlay_infer *cx, const inlay_tensor *t)
{
    inlay_dim known[INLAY_MAX_KNOWN];
    int64_t n = inlay_tensor_count(t);

    if (n > INLAY_MAX_KNOWN || !(inlay_type_is_int(t->type) || t->type == INLAY_BOOLEAN))
        return true;
    for (int64_t i = 0; i < n; i++) {
        int64_t x = inlay_tensor_get_i64(t, i);

        if (t->type == INLAY_U64 &&
            x < 0) /* the number is above INT64_MAX, where every rule clamps anyway */
            x = INT64_MAX;
        known[i] = inlay_dim_of(x);
    }
    return inlay_infer_set_known(cx, 0, known, (int)n);
}

bool infer_const(inlay_infer *cx)
{
    const inlay_attr *value = inlay_node_attr(cx->node, "value");
    const inlay_tensor *t;
    inlay_shape s;

    if (!value)
        return inlay_infer_fail(cx, "attribute \"value\" is missing");
    t = value->as.tensor;
    s.rank = t->rank;
    for (int i = 0; i < t->rank; i++)
        s.dim[i] = inlay_dim_of(t->dims[i]);
    cx->out[0].content = t;
    return inlay_infer_set_out(cx, 0, t->type, &s) && know_elements(cx, t);
}

bool infer_result(inlay_infer *cx)
{
    (void)cx;
    return true;
}

/* Only what its file said is known of the outputs of a stand-in. */
bool infer_stand_in(inlay_infer *cx)
{
    for (int i = 0; i < cx->n_out; i++)
        cx->out[i] = cx->node->out[i].fact;
    return true;
}
