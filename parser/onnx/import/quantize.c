/* Linear quantization: y = x / scale + zero, rounded to even and cut to the range of the type; and
 * back. */
#include "parser/onnx/import.h"

/* V, which is one number or a list along attribute axis, in a shape that is broadcast with an
 * operand of RANK axes. */
static inlay_value *along_axis(onnx_node *n, inlay_value *v, int rank)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", 1, &ok);
    int at;

    if (!ok || !v || v->fact.rank == 0 || (v->fact.rank == 1 && rank <= 1))
        return ok ? v : NULL;
    if (v->fact.rank != 1) {
        onnx_node_fail(n, "scales in blocks are not read");
        return NULL;
    }
    at = onnx_axis(n, axis, rank);
    return at < 0 ? NULL : onnx_along_axis(n, v, at, rank);
}

/* The range of an integer type; false: TYPE is none of those that are read. */
static bool range_of(onnx_node *n, inlay_type type, double *low, double *high)
{
    int bits = inlay_type_info_of(type)->bits;
    bool is_signed = inlay_type_info_of(type)->cls == INLAY_CLASS_SIGNED;

    if (!inlay_type_is_int(type) || bits > 16)
        return onnx_node_fail(n, "quantized elements of type %s are not read",
                              inlay_type_info_of(type)->name);
    *low = is_signed ? -(double)(1 << (bits - 1)) : 0;
    *high = is_signed ? (double)((1 << (bits - 1)) - 1) : (double)((1 << bits) - 1);
    return true;
}

/* The type of the result: that of the zero point, of attribute output_dtype, or u8. */
static bool type_of(onnx_node *n, inlay_type *type)
{
    bool ok = true;
    int64_t code = onnx_attr_int(n, "output_dtype", 0, &ok);

    *type = INLAY_U8;
    if (onnx_in(n, 2))
        *type = n->in[2]->fact.type;
    else if (code != 0)
        ok = ok && onnx_type(n->s->r, &n->at, (int32_t)code, type);
    return ok;
}

static inlay_value *in_f32(onnx_node *n, inlay_value *x)
{
    return !x || x->fact.type == INLAY_F32 ? x
                                           : onnx_make(n, "Convert", 1, &x, "destination_type=f32");
}

static bool import_quantize(onnx_node *n)
{
    int rank = onnx_rank(n, n->in[0]);
    inlay_value *x, *zero;
    double low = 0, high = 0;
    inlay_type type;

    if (rank < 0 || !type_of(n, &type) || !range_of(n, type, &low, &high))
        return false;
    onnx_attr_ignore(n, "saturate");   /* of floats, which range_of refuses */
    onnx_attr_ignore(n, "block_size"); /* of scales in blocks, which along_axis refuses */
    x = onnx_binary(n, "Divide", in_f32(n, n->in[0]), along_axis(n, in_f32(n, n->in[1]), rank));
    x = onnx_unary(n, "Round", x);
    if (onnx_in(n, 2)) {
        zero = along_axis(n, in_f32(n, n->in[2]), rank);
        x = onnx_binary(n, "Add", x, zero);
    }
    x = x ? onnx_make(n, "Clamp", 1, &x, "min=%.9g; max=%.9g", low, high) : NULL;
    return x && onnx_give(n, 0,
                          onnx_make(n, "Convert", 1, &x, "destination_type=%s",
                                    inlay_type_info_of(type)->name));
}

static bool import_dequantize(onnx_node *n)
{
    int rank = onnx_rank(n, n->in[0]);
    inlay_value *x = n->in[0], *scale = n->in[1], *zero = onnx_in(n, 2);
    inlay_type type = scale->fact.type;

    if (rank < 0)
        return false;
    onnx_attr_ignore(n, "block_size");
    x = in_f32(n, x);
    if (zero)
        x = onnx_binary(n, "Subtract", x, along_axis(n, in_f32(n, zero), rank));
    x = onnx_binary(n, "Multiply", x, along_axis(n, in_f32(n, scale), rank));
    if (x && type != INLAY_F32)
        x = onnx_make(n, "Convert", 1, &x, "destination_type=%s", inlay_type_info_of(type)->name);
    return onnx_give(n, 0, x);
}

const onnx_operator onnx_operators_quantize[] = {
    {"DequantizeLinear", 10, import_dequantize, NULL, 2},
    {"QuantizeLinear", 10, import_quantize, NULL, 2},
    {NULL, 0, NULL, NULL, 0},
};
