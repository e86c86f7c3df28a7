/* Shape rules of conversions between types. */
#include "ir/infer/values.h"

/* Follows the known elements of operand 0 into TYPE. An element that TYPE may not hold becomes
 * unknown. */
static bool convert_known(inlay_infer *cx, inlay_type type)
{
    inlay_dim values[INLAY_MAX_KNOWN];
    int n;
    const inlay_dim *known = in_known(cx, 0, &n);

    if (!known || !follows_values(type) || !follows_values(cx->in[0]->type))
        return true;
    for (int i = 0; i < n; i++)
        values[i] = type == INLAY_BOOLEAN ? value_not(value_equal(known[i], inlay_dim_of(0)))
                                          : fit_value(type, known[i]);
    return inlay_infer_set_known(cx, 0, values, n);
}

static bool convert(inlay_infer *cx, inlay_type type)
{
    return set_out_as(cx, 0, 0, type) && convert_known(cx, type);
}

bool infer_convert(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "destination_type");
    inlay_type_class cls = inlay_type_info_of(type)->cls;

    if (cls == INLAY_CLASS_NONE || cls == INLAY_CLASS_STRING || cls == INLAY_CLASS_COMPLEX)
        return inlay_infer_fail(cx, "destination_type is %s, it must be a number or boolean type",
                                inlay_type_info_of(type)->name);
    return convert(cx, type);
}

bool infer_convert_like(inlay_infer *cx)
{
    return convert(cx, cx->in[1]->type);
}

bool infer_onnx_cast(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "to");
    inlay_type_class cls = inlay_type_info_of(type)->cls;

    if (cls == INLAY_CLASS_NONE || cls == INLAY_CLASS_COMPLEX)
        return inlay_infer_fail(cx, "to is %s, it must be a number, boolean or string type",
                                inlay_type_info_of(type)->name);
    return convert(cx, type);
}

/* Both types must have one width, because the document leaves other pairs to a later version. */
bool infer_onnx_bit_cast(inlay_infer *cx)
{
    inlay_type from = cx->in[0]->type, to = inlay_node_type(cx->node, "to");
    const inlay_type_info *a = inlay_type_info_of(from), *b = inlay_type_info_of(to);

    if (b->cls == INLAY_CLASS_NONE || b->cls == INLAY_CLASS_STRING ||
        (from != INLAY_DYNAMIC && a->bits != b->bits))
        return inlay_infer_fail(cx, "to is %s, it must be a type of as many bits as %s, %d",
                                b->name, a->name, a->bits);
    return set_out_as(cx, 0, 0, to);
}
