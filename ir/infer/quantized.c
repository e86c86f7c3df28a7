/* Shape rules of MatMulQuantized and ConvolutionQuantized: those of the products, with a type of
 * their own. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

/* The operands behind the factors: two zero points, then lists of channels, of which a result of
 * i32 may have BIAS and one of f32 those up to SHIFT. */
enum { BIAS = 4, SHIFT = 6, LAST = 9 };

static bool check_type(inlay_infer *cx, inlay_type type)
{
    int last = type == INLAY_I32 ? BIAS : type == INLAY_F32 ? SHIFT : LAST;
    double low = type == INLAY_I8 ? INT8_MIN : 0, high = type == INLAY_I8 ? INT8_MAX : UINT8_MAX;
    double min = inlay_node_float(cx->node, "min"), max = inlay_node_float(cx->node, "max");

    if (last == LAST && type != INLAY_I8 && type != INLAY_U8)
        return inlay_infer_fail(cx, "output_type is %s, it must be i32, f32, i8 or u8",
                                inlay_type_info_of(type)->name);
    for (int i = last + 1; i <= LAST; i++) {
        if (in_has(cx, i))
            return inlay_infer_fail(cx, "input %d \"%s\" is given, and the output is %s", i,
                                    in_name(cx, i), inlay_type_info_of(type)->name);
    }
    return last < LAST || (min >= low && max <= high && min <= max) ||
           inlay_infer_fail(cx, "min and max are %g and %g, they must be a range of %s", min, max,
                            inlay_type_info_of(type)->name);
}

/* Input I has one number, or one for each channel; the output has BEHIND axes behind channels. */
static bool check_list(inlay_infer *cx, int i, inlay_dim channels, int behind)
{
    inlay_shape s;

    if (!in_has(cx, i))
        return true;
    inlay_infer_shape(cx, i, &s);
    for (int k = 0; k < s.rank; k++) {
        bool fits = inlay_dim_compatible(s.dim[k], inlay_dim_of(1)) ||
                    (k == s.rank - 1 - behind && inlay_dim_compatible(s.dim[k], channels));

        if (!fits)
            return inlay_infer_fail(cx,
                                    "input %d \"%s\" has shape %s, it must have one element, or "
                                    "one for each channel",
                                    i, in_name(cx, i), in_text(cx, i));
    }
    return true;
}

/* The output, which is a product, gets its own type. */
static bool end(inlay_infer *cx, int axis)
{
    inlay_type type = inlay_node_type(cx->node, "output_type");
    inlay_fact *out = &cx->out[0];
    int behind = axis < 0 ? 0 : out->rank - 1 - axis;
    inlay_dim channels = inlay_dim_of(1);
    bool ok = check_type(cx, type);

    for (int i = 2; ok && i < BIAS; i++)
        ok = !in_has(cx, i) || in_check_one(cx, i);
    if (out->rank > 0 && in_rank(cx, 1) > 1)
        channels = out->dims[out->rank - 1 - behind];
    for (int i = BIAS; ok && out->rank >= 0 && i <= LAST; i++)
        ok = check_list(cx, i, channels, behind);
    out->type = type;
    return ok;
}

bool infer_matmul_quantized(inlay_infer *cx)
{
    return infer_matmul(cx) && end(cx, -1);
}

bool infer_convolution_quantized(inlay_infer *cx)
{
    bool grouped = inlay_node_bool(cx->node, "grouped");

    return (grouped ? infer_group_convolution(cx) : infer_convolution(cx)) && end(cx, 1);
}
