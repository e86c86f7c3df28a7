/* Small groups of nodes that imports of several families make. See import.h. */
#include "parser/onnx/import.h"

inlay_value *onnx_scalar(onnx_node *n, inlay_value *x)
{
    return !x || x->fact.rank == 0 ? x : onnx_reshape(n, x, onnx_list(n, NULL, 0));
}

inlay_value *onnx_single(onnx_node *n, inlay_value *x)
{
    return x && x->fact.rank == 1 ? x : onnx_scalar(n, x);
}

inlay_value *onnx_convert(onnx_node *n, inlay_value *x, inlay_type type)
{
    return !x || x->fact.type == type
               ? x
               : onnx_make(n, "Convert", 1, &x, ATTRS(TYPE("destination_type", type)));
}

inlay_value *onnx_shape_of(onnx_node *n, inlay_value *x)
{
    return onnx_unary(n, "ShapeOf", x);
}

inlay_value *onnx_size(onnx_node *n, inlay_value *x, int axis)
{
    if (x && x->fact.rank > axis && inlay_dim_is_static(x->fact.dims[axis]))
        return onnx_integer(n, x->fact.dims[axis].lo);
    return onnx_element(n, onnx_shape_of(n, x), axis);
}

inlay_value *onnx_count(onnx_node *n, inlay_value *start, inlay_value *stop)
{
    inlay_value *in[] = {start, stop, onnx_integer(n, 1)};

    return onnx_make(n, "Range", 3, in, ATTRS(TYPE("output_type", INLAY_I64)));
}

inlay_value *onnx_element(onnx_node *n, inlay_value *x, int i)
{
    return onnx_take(n, x, onnx_integer(n, i), 0);
}

inlay_value *onnx_fill(onnx_node *n, inlay_value *value, inlay_value *shape)
{
    return onnx_binary(n, "Broadcast", value, shape);
}

inlay_value *onnx_take(onnx_node *n, inlay_value *x, inlay_value *indices, int axis)
{
    inlay_value *in[] = {x, indices, onnx_integer(n, axis)};

    return onnx_make(n, "Gather", 3, in, NULL);
}
