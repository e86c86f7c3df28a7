/* Linear quantization: y = x / scale + zero, rounded to even and clamped to the range of the type;
 * its inverse; products and convolutions of quantized numbers. */
#include "parser/onnx/import/quantize.h"
#include "ir/shared.h"

#include <string.h>

static inlay_value *in_f32(onnx_node *n, inlay_value *x)
{
    return onnx_convert(n, x, INLAY_F32);
}

/* Scales and zero points */

/* Returns the number of the block of each position along AXIS of X, if a block has SIZE positions:
 * 0, 0, 1, 1, ... for a SIZE of 2. If the length is open, they are computed as Range(0, length, 1)
 * / size. */
static inlay_value *block_numbers(onnx_node *n, inlay_value *x, int axis, int64_t size)
{
    inlay_value *shape, *ends[3], *count;

    shape = onnx_make(n, "ShapeOf", 1, &x, NULL);
    count = onnx_make(n, "Gather", 3,
                      (inlay_value *[]){shape, onnx_integer(n, axis), onnx_integer(n, 0)}, NULL);
    ends[0] = onnx_integer(n, 0);
    ends[1] = count;
    ends[2] = onnx_integer(n, 1);
    return count
               ? onnx_binary(n, "Divide",
                             onnx_make(n, "Range", 3, ends, ATTRS(TYPE("output_type", INLAY_I64))),
                             onnx_integer(n, size))
               : NULL;
}

/* The shape of X with blocks of SIZE elements along AXIS. */
static inlay_shape block_shape(const inlay_value *x, int axis, int64_t size)
{
    inlay_shape s = onnx_shape(x);
    inlay_dim d = s.dim[axis];

    s.dim[axis] =
        inlay_dim_is_static(d) ? inlay_dim_of(d.lo / size + (d.lo % size != 0)) : inlay_dim_any();
    return s;
}

/* Checks that V has a number for each block of SIZE elements along AXIS of X; the run checks open
 * sizes. */
static inlay_value *in_all_blocks(onnx_node *n, inlay_value *v, inlay_value *x, int axis,
                                  int64_t size)
{
    inlay_value *sizes[INLAY_MAX_RANK];
    bool known = true;

    for (int k = 0; k < x->fact.rank; k++) {
        known =
            known && inlay_dim_is_static(x->fact.dims[k]) && inlay_dim_is_static(v->fact.dims[k]);
        sizes[k] = NULL;
    }
    for (int k = 0; !known && k < x->fact.rank; k++)
        sizes[k] = make_size(n, x, k);
    if (known)
        return v;
    sizes[axis] = onnx_binary(n, "Add", sizes[axis], onnx_list(n, (int64_t[]){size - 1}, 1));
    sizes[axis] = onnx_binary(n, "Divide", sizes[axis], onnx_list(n, &size, 1));
    return make_reshape(n, v, sizes, x->fact.rank);
}

/* Repeats the elements of V, which is operand I, along AXIS: each of them belongs to block_size
 * elements of X. */
static inlay_value *in_blocks(onnx_node *n, int i, inlay_value *v, inlay_value *x, int axis)
{
    bool ok = true;
    int64_t size = onnx_attr_int(n, "block_size", 0, &ok);
    inlay_value *numbers;
    inlay_shape s;

    if (!ok)
        return NULL;
    if (size < 1) {
        onnx_node_fail(n, "attribute \"block_size\" is %lld, scales in blocks need 1 or more",
                       (long long)size);
        return NULL;
    }
    s = block_shape(x, axis, size);
    if (!onnx_has_shape(n, i, &s) || !(v = in_all_blocks(n, v, x, axis, size)))
        return NULL;
    numbers = block_numbers(n, x, axis, size);
    return onnx_make(n, "Gather", 3, (inlay_value *[]){v, numbers, onnx_integer(n, axis)}, NULL);
}

/* Reshapes V, which is operand I, to be broadcast with X: V is one number, a list along attribute
 * axis, or has as many axes as X with a number for each block along that axis. */
static inlay_value *for_elements(onnx_node *n, int i, inlay_value *v, inlay_value *x)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", 1, &ok);
    int64_t block = onnx_attr_int(n, "block_size", 0, &ok);
    int own = v ? onnx_rank(n, v) : -1, rank, at;

    if (!ok || own <= 0)
        return ok && own == 0 ? v : NULL;
    if ((rank = onnx_rank(n, x)) < 0)
        return NULL;
    if (rank == 0)
        return onnx_has_count(n, i, inlay_dim_of(1)) ? onnx_scalar(n, v) : NULL;
    if (own == 1 && rank == 1 && block == 0)
        return onnx_fit(n, i, v, x);
    if ((at = onnx_axis(n, axis, rank)) < 0)
        return NULL;
    if (own == rank && (block > 0 || own > 1))
        return in_blocks(n, i, v, x, at);
    if (own == 1)
        return onnx_fit(n, i, onnx_along_axis(n, v, at, rank), x);
    onnx_node_fail(n, "a scale or zero point has %d ax%s, it must have none, 1 or %d", own,
                   inlay_plural(own, "is", "es"), rank);
    return NULL;
}

/* Sets LOW and HIGH to the range of an integer type; false: nothing is quantized to TYPE. */
static bool range_of(onnx_node *n, inlay_type type, double *low, double *high)
{
    int bits = inlay_type_info_of(type)->bits;
    bool is_signed = inlay_type_info_of(type)->cls == INLAY_CLASS_SIGNED;

    if (!inlay_type_is_int(type) || bits > 16)
        return onnx_node_fail(n, "the quantized type is %s, it must be a small integer or float",
                              inlay_type_info_of(type)->name);
    *low = is_signed ? -(double)(1 << (bits - 1)) : 0;
    *high = is_signed ? (double)((1 << (bits - 1)) - 1) : (double)((1 << bits) - 1);
    return true;
}

/* Adds ZERO to X. Operands are computed in their order. If ZERO is COMPUTED, it is the first one,
 * so that all steps on the elements of X are consecutive and are fused. */
static inlay_value *add_zero(onnx_node *n, inlay_value *x, inlay_value *zero, bool computed)
{
    return onnx_binary(n, "Add", computed ? zero : x, computed ? x : zero);
}

/* Rounds QUOTIENT, adds ZERO (may be NULL), and returns the sum as an integer of TYPE. */
static inlay_value *to_integer(onnx_node *n, inlay_value *quotient, inlay_value *zero,
                               inlay_type type, bool computed)
{
    inlay_value *x = in_f32(n, onnx_unary(n, "Round", quotient));
    double low = 0, high = 0;

    if (!range_of(n, type, &low, &high))
        return NULL;
    if (zero)
        x = add_zero(n, x, in_f32(n, zero), computed);
    x = onnx_make(n, "Clamp", 1, &x, ATTRS(REAL("min", low), REAL("max", high)));
    return onnx_convert(n, x, type);
}

/* Quantizes to a float of 4 or 8 bits. The zero point is always 0; its type is that of the result.
 */
static inlay_value *to_small_float(onnx_node *n, inlay_value *quotient, inlay_value *zero,
                                   inlay_type type)
{
    if (zero)
        quotient = onnx_binary(n, "Add", quotient, onnx_convert(n, zero, quotient->fact.type));
    return onnx_cast(n, quotient, type);
}

/* Divides X by SCALE in the type that ONNX demands: that in attribute precision, else that of the
 * scale, unless that type only has powers of two. */
static inlay_value *quotient(onnx_node *n, inlay_value *x, inlay_value *scale)
{
    inlay_type type = scale ? scale->fact.type : INLAY_F32;

    if (type == INLAY_F8E8M0)
        type = inlay_type_is_float(x->fact.type) ? x->fact.type : INLAY_F32;
    if (!scale || !onnx_attr_type(n, "precision", 0, &type))
        return NULL;
    return onnx_binary(n, "Divide", onnx_convert(n, x, type),
                       for_elements(n, 1, onnx_convert(n, scale, type), x));
}

static bool may_be_one(const inlay_value *v)
{
    const inlay_fact *f = &v->fact;

    return f->rank <= 0 || (f->rank == 1 && inlay_dim_compatible(f->dims[0], inlay_dim_of(1)));
}

/* Checks that the zero point, operand AT + 1, has the shape of the scale, operand AT, unless both
 * are one number, or there is none. */
static bool has_pair(onnx_node *n, int at)
{
    inlay_value *scale = n->in[at], *zero = onnx_in(n, at + 1);
    inlay_shape s = onnx_shape(scale);

    if (!zero || scale->fact.rank < 0 || (onnx_is_one(scale) && onnx_is_one(zero)))
        return true;
    if (!(may_be_one(scale) && may_be_one(zero)) && !onnx_has_shape(n, at + 1, &s))
        return false;
    n->in[at + 1] = onnx_held_like(n, zero, scale, 0);
    return n->in[at + 1] != NULL;
}

static bool import_quantize(onnx_node *n)
{
    inlay_value *x = n->in[0], *q = has_pair(n, 1) ? quotient(n, x, n->in[1]) : NULL;
    inlay_value *zero = onnx_in(n, 2);
    inlay_type type = INLAY_U8;

    onnx_attr_ignore(n, "saturate"); /* onnx_cast reads it if the result is a float */
    /* A zero point decides the type, as it must be of the type that the attribute names. */
    if (!q || !onnx_attr_type(n, "output_dtype", 0, &type))
        return false;
    if (zero) {
        type = zero->fact.type;
        zero = for_elements(n, 2, in_f32(n, zero), x);
        if (!zero)
            return false;
    }
    return onnx_give(n, 0,
                     inlay_type_is_float(type) ? to_small_float(n, q, zero, type)
                                               : to_integer(n, q, zero, type, false));
}

/* X as whole blocks along an axis. */
struct blocks {
    int64_t
        dims[INLAY_MAX_RANK + 1]; /* of X with the axis split in two: blocks and their elements */
    int rank, within;             /* length of dims; the axis of the elements of a block */
};

/* Returns whether V, a scale or zero points, has a number for each block of B, and nothing else. */
static bool fits_blocks(const inlay_value *v, const struct blocks *b)
{
    int64_t dims[INLAY_MAX_RANK];
    bool fits = v->fact.rank == b->rank - 1 && inlay_fact_dims(&v->fact, dims);

    for (int i = 0; fits && i < v->fact.rank; i++)
        fits = dims[i] > 0 && dims[i] == b->dims[i < b->within ? i : i + 1];
    return fits;
}

/* Returns whether X is known to lie in whole blocks, each of which has a scale. */
static bool lies_in_blocks(onnx_node *n, const inlay_value *x, struct blocks *b)
{
    int64_t dims[INLAY_MAX_RANK];
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", 1, &ok);
    int64_t size = onnx_attr_int(n, "block_size", 0, &ok);
    int rank = x->fact.rank;

    if (!ok || size < 1 || rank < 1 || rank == INLAY_MAX_RANK || axis < -rank || axis >= rank ||
        !inlay_fact_dims(&x->fact, dims))
        return false;
    b->within = (int)(axis < 0 ? axis + rank : axis) + 1;
    b->rank = rank + 1;
    if (dims[b->within - 1] % size != 0)
        return false;
    memcpy(b->dims, dims, (size_t)b->within * sizeof *dims);
    memcpy(b->dims + b->within, dims + b->within - 1,
           (size_t)(rank - b->within + 1) * sizeof *dims);
    b->dims[b->within - 1] /= size;
    b->dims[b->within] = size;
    return fits_blocks(n->in[1], b) && (!onnx_in(n, 2) || fits_blocks(n->in[2], b));
}

/* V, a scale or zero points, as one number for each block of B. */
static inlay_value *for_blocks(onnx_node *n, inlay_value *v, struct blocks b)
{
    b.dims[b.within] = 1;
    return make_regrouped(n, v, b.dims, b.rank);
}

/* (X - ZERO) * scale, by blocks B; ZERO may be NULL. Pass keep-compressed recognises this form. */
static inlay_value *dequantized_in_blocks(onnx_node *n, inlay_value *x, inlay_value *zero,
                                          const struct blocks *b)
{
    inlay_value *y = in_f32(n, make_regrouped(n, x, b->dims, b->rank));
    int64_t dims[INLAY_MAX_RANK];

    if (y && zero)
        y = onnx_binary(n, "Subtract", y, in_f32(n, for_blocks(n, zero, *b)));
    y = onnx_binary(n, "Multiply", y, in_f32(n, for_blocks(n, n->in[1], *b)));
    return inlay_fact_dims(&x->fact, dims) ? make_shaped(n, y, dims, x->fact.rank) : NULL;
}

static bool import_dequantize(onnx_node *n)
{
    inlay_value *x = n->in[0], *zero, *y;
    struct blocks b;
    inlay_type type = n->in[1]->fact.type;

    if (!onnx_attr_type(n, "output_dtype", 0, &type) || !has_pair(n, 1))
        return false;
    zero = onnx_in(n, 2);
    if (lies_in_blocks(n, x, &b))
        return onnx_give(n, 0, onnx_convert(n, dequantized_in_blocks(n, x, zero, &b), type));
    y = in_f32(n, x);
    if (zero)
        y = onnx_binary(n, "Subtract", y, for_elements(n, 2, in_f32(n, zero), x));
    y = onnx_binary(n, "Multiply", y, for_elements(n, 1, in_f32(n, n->in[1]), x));
    return onnx_give(n, 0, onnx_convert(n, y, type));
}

/* Quantizes X by its own range, including 0, to the codes 0 to 255; sets the scale and zero POINT.
 */
static inlay_value *dynamic_codes(onnx_node *n, inlay_value *x, inlay_value **scale_of_x,
                                  inlay_value **point_of_x)
{
    inlay_value *zero = onnx_number(n, INLAY_F32, 0), *axes, *low, *high, *scale, *point;
    int rank = onnx_rank(n, x);

    if (rank < 0 || !(axes = onnx_axes(n, 0, rank)))
        return NULL;
    low = onnx_binary(n, "Minimum", onnx_binary(n, "ReduceMin", x, axes), zero);
    high = onnx_binary(n, "Maximum", onnx_binary(n, "ReduceMax", x, axes), zero);
    scale = onnx_binary(n, "Divide", onnx_binary(n, "Subtract", high, low),
                        onnx_number(n, INLAY_F32, 255));
    point = onnx_binary(n, "Subtract", zero, onnx_binary(n, "Divide", low, scale));
    point = onnx_make(n, "Clamp", 1, &point, ATTRS(REAL("min", 0), REAL("max", 255)));
    point = onnx_convert(n, onnx_unary(n, "Round", point), INLAY_U8);
    *scale_of_x = scale;
    *point_of_x = point;
    return point ? to_integer(n, onnx_binary(n, "Divide", x, scale), point, INLAY_U8, true) : NULL;
}

static bool import_dynamic_quantize(onnx_node *n)
{
    inlay_value *scale, *point, *y = dynamic_codes(n, n->in[0], &scale, &point);

    return y && onnx_give(n, 0, y) && onnx_give(n, 1, scale) && onnx_give(n, 2, point);
}

/* Products of integers */

/* Subtracts the ZERO point (may be NULL) from X in i32, which does not overflow. */
static inlay_value *shifted(onnx_node *n, inlay_value *x, inlay_value *zero)
{
    x = onnx_convert(n, x, INLAY_I32);
    return zero ? onnx_binary(n, "Subtract", x, onnx_convert(n, zero, INLAY_I32)) : x;
}

/* Makes the list V, which has a number for each row of the matrices A, a column [rows, 1]. */
static inlay_value *for_rows(onnx_node *n, inlay_value *v, const inlay_value *a)
{
    int own = v ? onnx_rank(n, v) : 0, rank = own == 1 ? onnx_rank(n, a) : 0;

    if (own < 0 || rank < 0)
        return NULL;
    if (own != 1 || rank < 2)
        return v;
    return onnx_binary(n, "Unsqueeze", v, onnx_list(n, (int64_t[]){1}, 1));
}

/* V, made from operand I, checked to be broadcast with X, unless it is a scalar. */
static inlay_value *fitting(onnx_node *n, int i, inlay_value *v, inlay_value *x)
{
    return v && v->fact.rank != 0 ? onnx_fit(n, i, v, x) : v;
}

/* X minus its zero point, operand I, which may be left out. */
static inlay_value *shifted_by(onnx_node *n, inlay_value *x, int i, inlay_value *zero)
{
    zero = fitting(n, i, zero, x);
    return onnx_in(n, i) && !zero ? NULL : shifted(n, x, zero);
}

/* Multiplies operands A and B as integers, minus their zero points, operands A_ZERO and B_ZERO. A
 * list of zero points has one for each row of A, or for each column of B. */
static inlay_value *integer_product(onnx_node *n, int a, int a_zero, int b, int b_zero)
{
    inlay_value *x = n->in[a], *y = n->in[b];

    return onnx_binary(n, "MatMul", shifted_by(n, x, a_zero, for_rows(n, onnx_in(n, a_zero), x)),
                       shifted_by(n, y, b_zero, onnx_in(n, b_zero)));
}

static bool import_matmul_integer(onnx_node *n)
{
    return onnx_give(n, 0, integer_product(n, 0, 2, 1, 3));
}

/* The integer product SUM as floats: SUM * A_SCALE * B_SCALE, plus operand BIAS. */
static inlay_value *in_floats(onnx_node *n, inlay_value *sum, inlay_value *a_scale,
                              inlay_value *b_scale, int bias)
{
    inlay_value *y;

    a_scale = sum ? onnx_binary(n, "Multiply", a_scale, b_scale) : NULL;
    y = a_scale ? onnx_binary(n, "Multiply", in_f32(n, sum), a_scale) : NULL;
    if (y && onnx_in(n, bias))
        y = onnx_binary(n, "Add", y, onnx_fit(n, bias, in_f32(n, n->in[bias]), y));
    return y;
}

/* A has floats, which the run quantizes by their range; B has codes with a scale, a zero point and
 * a bias. */
static bool import_dynamic_matmul(onnx_node *n)
{
    inlay_value *scale, *point, *a = dynamic_codes(n, n->in[0], &scale, &point);
    inlay_value *b = shifted_by(n, n->in[1], 3, onnx_in(n, 3)), *sum;

    sum = a && b ? onnx_binary(n, "MatMul", shifted(n, a, point), b) : NULL;
    return onnx_give(n, 0, in_floats(n, sum, scale, fitting(n, 2, n->in[2], sum), 4));
}

inlay_value *quantize_product(onnx_node *n, const quantize_operands *at)
{
    inlay_value *sum = integer_product(n, at->a, at->a_zero, at->b, at->b_zero);
    inlay_value *rows = sum ? for_rows(n, in_f32(n, n->in[at->a_scale]), n->in[at->a]) : NULL;
    inlay_value *columns = sum ? in_f32(n, n->in[at->b_scale]) : NULL;

    rows = fitting(n, at->a_scale, rows, sum);
    columns = fitting(n, at->b_scale, columns, sum);
    return rows && columns ? in_floats(n, sum, rows, columns, at->bias) : NULL;
}

/* The operands are A and B, codes, their scales, and their zero points. */
static bool import_matmul_to_float(onnx_node *n)
{
    static const quantize_operands at = {0, 1, 2, 3, 4, 5, 6};
    inlay_value *y = quantize_product(n, &at);

    return onnx_give(n, 0, onnx_convert(n, y, n->in[2]->fact.type));
}

/* Quantizes the real numbers Y by a scale and a zero point to codes of TYPE. */
static inlay_value *requantized(onnx_node *n, inlay_value *y, inlay_value *scale, inlay_value *zero,
                                inlay_type type)
{
    y = onnx_binary(n, "Divide", y, in_f32(n, scale));
    return y && zero ? to_integer(n, y, zero, type, false) : NULL;
}

static bool import_qlinear_matmul(onnx_node *n)
{
    inlay_value *sum, *rows, *columns, *y;

    if (!has_pair(n, 1) || !has_pair(n, 4) || !has_pair(n, 6))
        return false;
    sum = integer_product(n, 0, 2, 3, 5);
    rows = sum ? fitting(n, 1, for_rows(n, in_f32(n, n->in[1]), n->in[0]), sum) : NULL;
    columns = sum ? fitting(n, 4, in_f32(n, n->in[4]), sum) : NULL;
    y = onnx_binary(n, "Multiply", in_f32(n, sum), onnx_binary(n, "Multiply", rows, columns));
    return y && onnx_give(n, 0,
                          requantized(n, y, fitting(n, 6, n->in[6], y), fitting(n, 7, n->in[7], y),
                                      n->in[7]->fact.type));
}

/* V, made from operand I, a scalar or a list with a number for each filter, along AXIS of X. */
static inlay_value *along(onnx_node *n, int i, inlay_value *v, int axis, inlay_value *x)
{
    int own = v ? onnx_rank(n, v) : 0, rank;

    if (own <= 0)
        return own == 0 ? v : NULL;
    rank = onnx_has_rank(n, i, 0, 1) && x ? onnx_rank(n, x) : -1;
    return rank < 0 ? NULL : onnx_fit(n, i, onnx_along_axis(n, v, axis, rank), x);
}

/* Convolves X and operand W as integers, minus their zero points, operands X_ZERO and W_ZERO, which
 * may be a list with one for each filter. */
static inlay_value *integer_convolution(onnx_node *n, inlay_value *x, int x_zero, int w, int w_zero)
{
    inlay_value *zero, *filters = n->in[w];

    if (!x)
        return NULL;
    zero = onnx_one(n, x_zero);
    if (onnx_in(n, x_zero) && !zero)
        return NULL;
    return onnx_convolve(
        n, shifted(n, x, zero),
        shifted_by(n, filters, w_zero, along(n, w_zero, onnx_in(n, w_zero), 0, filters)));
}

static bool import_conv_integer(onnx_node *n)
{
    return onnx_give(n, 0, integer_convolution(n, n->in[0], 2, 1, 3));
}

/* X with its channels in axis 1, or BACK; they are there, unless an attribute says that they come
 * last. */
static inlay_value *channels_placed(onnx_node *n, inlay_value *x, bool back)
{
    bool ok = true, last = onnx_attr_int(n, "channels_last", 0, &ok) != 0;

    return !ok ? NULL : last ? make_channels_second(n, x, back) : x;
}

/* Only the scales and zero points of the filters may be lists. X has its channels in axis
 * 1, and so has the result. */
static inlay_value *code_convolution(onnx_node *n, inlay_value *x)
{
    inlay_value *sum, *scale, *y;

    if (!has_pair(n, 4))
        return NULL;
    sum = integer_convolution(n, x, 2, 3, 5);
    if (sum && onnx_in(n, 8))
        sum = onnx_binary(n, "Add", sum, onnx_list_along(n, 8, n->in[8], sum, 1));
    scale = onnx_binary(n, "Multiply", in_f32(n, onnx_one(n, 1)),
                        along(n, 4, in_f32(n, n->in[4]), 1, sum));
    y = onnx_binary(n, "Multiply", in_f32(n, sum), scale);
    return requantized(n, y, onnx_one(n, 6), onnx_one(n, 7), n->in[7]->fact.type);
}

static bool import_qlinear_conv(onnx_node *n)
{
    return onnx_give(n, 0, code_convolution(n, n->in[0]));
}

/* com.microsoft's may have its channels last. */
static bool import_own_qlinear_conv(onnx_node *n)
{
    inlay_value *x = channels_placed(n, n->in[0], false);

    return x && onnx_give(n, 0, channels_placed(n, code_convolution(n, x), true));
}

/* Operators of com.microsoft, as ONNX Runtime's quantizer writes them: an operand is codes, a scale
 * and maybe a zero point. */

inlay_value *quantize_inverse(onnx_node *n, inlay_value *codes, int scale, int zero)
{
    inlay_value *x = in_f32(n, codes);

    if (onnx_in(n, zero))
        x = onnx_binary(n, "Subtract", x, in_f32(n, onnx_one(n, zero)));
    return onnx_binary(n, "Multiply", x, in_f32(n, onnx_one(n, scale)));
}

/* Returns the floats that operand I stands for. */
static inlay_value *dequantized(onnx_node *n, int i)
{
    return quantize_inverse(n, onnx_in(n, i), i + 1, i + 2);
}

/* Quantizes Y by the scale in operand I and the zero point in the next one, as output 0. */
static bool give_codes(onnx_node *n, int i, inlay_value *y)
{
    inlay_value *zero = onnx_in(n, i + 1) ? onnx_one(n, i + 1) : NULL;
    inlay_type type = (onnx_in(n, i + 1) ? n->in[i + 1] : n->in[0])->fact.type;

    if (!y || (onnx_in(n, i + 1) && !zero))
        return false;
    y = onnx_binary(n, "Divide", y, in_f32(n, onnx_one(n, i)));
    return y && onnx_give(n, 0, to_integer(n, y, zero, type, false));
}

extern const onnx_operator onnx_operators_binary[], onnx_operators_reduce[],
    onnx_operators_spatial[], onnx_operators_unary[];

enum { VERSION = 13 /* of ai.onnx, whose operators do the same with floats */ };

static const onnx_operator *operator_on_floats(const char *name)
{
    const onnx_operator *const families[] = {onnx_operators_binary, onnx_operators_reduce,
                                             onnx_operators_spatial, onnx_operators_unary};

    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        for (const onnx_operator *op = families[i]; op->name; op++) {
            if (op->since <= VERSION && strcmp(op->name, name) == 0)
                return op;
        }
    }
    return NULL;
}

/* The result of the operator of ai.onnx in VERSION for COUNT floats IN. */
static inlay_value *on_floats(onnx_node *n, inlay_value **in, int count, int version)
{
    inlay_value *y = NULL;
    onnx_node inner = *n;

    inner.op = operator_on_floats(n->op->as);
    inner.version = version;
    inner.in = in;
    inner.n_in = count;
    inner.out = &y;
    inner.n_out = 1;
    for (int i = 0; i < count; i++) {
        if (!in[i])
            return NULL;
    }
    if (!inner.op->import(&inner))
        return NULL;
    n->first_made = inner.first_made;
    return y;
}

static bool import_qlinear(onnx_node *n)
{
    int count = n->n_in > 5 ? 2 : 1; /* zero points may be left out between the others */
    inlay_value *in[2] = {NULL, NULL};

    for (int i = 0; i < 3 * count + 1; i++) {
        if (i % 3 != 2 && !onnx_in(n, i))
            return onnx_node_fail(n, "input[%d] is missing", i);
    }
    for (int i = 0; i < count; i++)
        in[i] = dequantized(n, 3 * i);
    return give_codes(n, 3 * count, on_floats(n, in, count, VERSION));
}

/* The same for a pool, whose channels may come last. */
static bool import_qlinear_pool(onnx_node *n)
{
    inlay_value *x = channels_placed(n, dequantized(n, 0), false);

    if (!onnx_in(n, 1) || !onnx_in(n, 3))
        return onnx_node_fail(n, "input[%d] is missing", onnx_in(n, 1) ? 3 : 1);
    return x && give_codes(n, 3, channels_placed(n, on_floats(n, &x, 1, VERSION), true));
}

/* (A - zero) * (B - zero) as i32. */
static bool import_mul_integer(onnx_node *n)
{
    inlay_value *a = shifted(n, n->in[0], onnx_one(n, 1)), *b;

    if (!onnx_in(n, 2))
        return onnx_node_fail(n, "input[2] is missing");
    b = (onnx_in(n, 1) && !onnx_one(n, 1)) ? NULL : shifted(n, n->in[2], onnx_one(n, 3));
    return onnx_give(n, 0, onnx_binary(n, "Multiply", a, b));
}

/* Sums and products of integers that have 32 bits, and which wrap around. */
static inlay_type sum_type(const onnx_node *n)
{
    bool is_signed = false;

    for (int i = 0; i < n->n_in; i++)
        is_signed = is_signed || (n->in[i] && inlay_type_info_of(n->in[i]->fact.type)->cls ==
                                                  INLAY_CLASS_SIGNED);
    return is_signed ? INLAY_I32 : INLAY_U32;
}

static bool import_matmul_integer_16(onnx_node *n)
{
    inlay_value *a = onnx_convert(n, n->in[0], INLAY_I64),
                *b = onnx_convert(n, n->in[1], INLAY_I64);

    return onnx_give(n, 0, onnx_convert(n, onnx_binary(n, "MatMul", a, b), sum_type(n)));
}

static bool import_reduce_sum_integer(onnx_node *n)
{
    inlay_value *x = onnx_convert(n, n->in[0], sum_type(n));

    return onnx_give(n, 0, on_floats(n, &x, 1, 11));
}

/* Attribute opset is the version of ONNX's Softmax that it computes. */
static bool import_qlinear_softmax(onnx_node *n)
{
    bool ok = true;
    int64_t opset = onnx_attr_int(n, "opset", 0, &ok);
    inlay_value *x = dequantized(n, 0);

    if (ok && (opset < 1 || opset > INT32_MAX))
        return onnx_node_fail(n, "attribute \"opset\" is %lld, it must be 1 or more",
                              (long long)opset);
    return ok && give_codes(n, 3, on_floats(n, &x, 1, (int)opset));
}

/* Codes of X where the condition is true, else of Y, with scales and zero points of their own. */
static bool import_qlinear_where(onnx_node *n)
{
    return give_codes(n, 7, make_select(n, n->in[0], dequantized(n, 1), dequantized(n, 4)));
}

static bool import_qlinear_concat(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", 1, &ok);
    inlay_value *y = NULL, *zero = onnx_one(n, 1);

    if (!ok || !onnx_needs_attr(n, "axis") || !zero)
        return false;
    if (n->n_in % 3 != 2)
        return onnx_node_fail(n, "has %d operands, behind the first two each three belong together",
                              n->n_in);
    for (int i = 2; i < n->n_in; i += 3) {
        inlay_value *x = dequantized(n, i), *both[] = {y, x};

        y = i == 2 ? x : onnx_make(n, "Concat", 2, both, ATTRS(INT("axis", axis)));
    }
    return y && onnx_give(n, 0, requantized(n, y, onnx_one(n, 0), zero, n->in[1]->fact.type));
}

/* The scale of C is that of the product. */
static bool import_qgemm(onnx_node *n)
{
    bool ok = true;
    bool a = onnx_attr_int(n, "transA", 0, &ok) != 0, b = onnx_attr_int(n, "transB", 0, &ok) != 0;
    double alpha = onnx_attr_float(n, "alpha", 1, &ok);
    inlay_value *in[2], *y, *scale;

    if (!ok || !onnx_has_rank(n, 0, 2, 2) || !onnx_has_rank(n, 3, 2, 2))
        return false;
    in[0] = shifted(n, n->in[0], onnx_one(n, 2));
    in[1] = shifted_by(n, n->in[3], 5, along(n, 5, onnx_in(n, 5), b ? 0 : 1, n->in[3]));
    y = onnx_make(n, "MatMul", 2, in, ATTRS(FLAG("transpose_a", a), FLAG("transpose_b", b)));
    if (y && onnx_in(n, 6))
        y = onnx_binary(n, "Add", y, onnx_fit(n, 6, n->in[6], y));
    scale = onnx_binary(n, "Multiply", in_f32(n, onnx_one(n, 1)),
                        along(n, 4, in_f32(n, n->in[4]), 1, y));
    if (alpha != 1)
        scale = onnx_binary(n, "Multiply", scale, onnx_number(n, INLAY_F32, alpha));
    y = onnx_binary(n, "Multiply", in_f32(n, y), scale);
    return onnx_in(n, 7) ? give_codes(n, 7, y) : onnx_give(n, 0, y);
}

const onnx_operator onnx_operators_quantize[] = {
    {"ConvInteger", 10, import_conv_integer, NULL, 2},
    {"DequantizeLinear", 10, import_dequantize, NULL, 2},
    {"DynamicQuantizeLinear", 11, import_dynamic_quantize, NULL, 1},
    {"MatMulInteger", 10, import_matmul_integer, NULL, 2},
    {"QLinearConv", 10, import_qlinear_conv, NULL, 8},
    {"QLinearMatMul", 10, import_qlinear_matmul, NULL, 8},
    {"QuantizeLinear", 10, import_quantize, NULL, 2},
    {"com.microsoft.DequantizeLinear", 1, import_dequantize, NULL, 2},
    {"com.microsoft.DynamicQuantizeMatMul", 1, import_dynamic_matmul, NULL, 3},
    {"com.microsoft.MatMulIntegerToFloat", 1, import_matmul_to_float, NULL, 4},
    {"com.microsoft.MatMulInteger16", 1, import_matmul_integer_16, NULL, 2},
    {"com.microsoft.MulInteger", 1, import_mul_integer, NULL, 1},
    {"com.microsoft.QGemm", 1, import_qgemm, NULL, 6},
    {"com.microsoft.QLinearAdd", 1, import_qlinear, "Add", 2},
    {"com.microsoft.QLinearAveragePool", 1, import_qlinear_pool, "AveragePool", 2},
    {"com.microsoft.QLinearConcat", 1, import_qlinear_concat, NULL, 5},
    {"com.microsoft.QLinearConv", 1, import_own_qlinear_conv, NULL, 8},
    {"com.microsoft.QLinearGlobalAveragePool", 1, import_qlinear_pool, "GlobalAveragePool", 2},
    {"com.microsoft.QLinearLeakyRelu", 1, import_qlinear, "LeakyRelu", 2},
    {"com.microsoft.QLinearMul", 1, import_qlinear, "Mul", 2},
    {"com.microsoft.QLinearReduceMean", 1, import_qlinear, "ReduceMean", 2},
    {"com.microsoft.QLinearSigmoid", 1, import_qlinear, "Sigmoid", 2},
    {"com.microsoft.QLinearSoftmax", 1, import_qlinear_softmax, "Softmax", 5},
    {"com.microsoft.QLinearWhere", 1, import_qlinear_where, NULL, 9},
    {"com.microsoft.QuantizeLinear", 1, import_quantize, NULL, 2},
    {"com.microsoft.ReduceSumInteger", 1, import_reduce_sum_integer, "ReduceSum", 1},
    {NULL, 0, NULL, NULL, 0},
};
