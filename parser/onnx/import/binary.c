/* Operators of two operands, element by element. */
#include "parser/onnx/export.h"
#include "parser/onnx/import/make.h"

#include <string.h>

/* Checks that all operands have the shape of the first one. */
static bool has_one_shape(onnx_node *n)
{
    inlay_shape s = onnx_shape(n->in[0]);

    for (int i = 1; i < n->n_in; i++) {
        if (!onnx_has_shape(n, i, &s))
            return false;
    }
    return true;
}

/* Before version 7 the second operand was only broadcast where attribute `broadcast` said so, and
 * its axes were aligned with those of the first from attribute `axis` on. Here the second operand
 * gets axes of size 1 behind its own, so that numpy's rule aligns the axes alike: with axis=1 and a
 * first operand [2, 3, 4], a second operand [3] becomes [3, 1]. */
static inlay_value *aligned(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", INT64_MIN, &ok),
            broadcast = onnx_attr_int(n, "broadcast", 0, &ok);
    int rank = ok && axis != INT64_MIN ? onnx_rank(n, n->in[0]) : 0, own, first;
    int64_t axes[INLAY_MAX_RANK];
    inlay_value *list;

    if (!ok || rank < 0)
        return NULL;
    if (!broadcast && !has_one_shape(n))
        return NULL;
    if (broadcast && axis == INT64_MIN && n->in[0]->fact.rank >= 0 && n->in[1]->fact.rank >= 0)
        return onnx_fit(n, 1, n->in[1], n->in[0]);
    if (!broadcast || axis == INT64_MIN)
        return n->in[1];
    if ((own = onnx_rank(n, n->in[1])) < 0 || (first = onnx_axis(n, axis, rank)) < 0)
        return NULL;
    for (int i = first + own; i < rank; i++)
        axes[i - first - own] = i - first;
    if (first + own > rank)
        return onnx_node_fail(n, "input[1] has %d ax%s from axis %d on, input[0] has %d", own,
                              inlay_plural(own, "is", "es"), first, rank),
               NULL;
    if (first + own == rank)
        return onnx_fit(n, 1, n->in[1], n->in[0]);
    list = onnx_list(n, axes, rank - first - own);
    return onnx_fit(n, 1, onnx_binary(n, "Unsqueeze", n->in[1], list), n->in[0]);
}

static bool import_aligned(onnx_node *n)
{
    inlay_value *b = aligned(n);

    return b && onnx_give(n, 0, onnx_binary(n, n->op->as, n->in[0], b));
}

/* ONNX truncates integer quotients toward zero: m_pythondiv=false. For floats that attribute has no
 * effect, and rules would not recognise the division with it. */
static bool import_divide(onnx_node *n)
{
    inlay_value *b = n->version < 7 ? aligned(n) : n->in[1];
    bool cut = !inlay_type_is_float(n->in[0]->fact.type);

    return b && onnx_give(n, 0,
                          onnx_make(n, "Divide", 2, (inlay_value *[]){n->in[0], b},
                                    cut ? ATTRS(FLAG("m_pythondiv", false)) : NULL));
}

static inlay_value *in_f64(onnx_node *n, inlay_value *x)
{
    return onnx_make(n, "Convert", 1, &x, ATTRS(TYPE("destination_type", INLAY_F64)));
}

/* The exponent may have another type than the base and the result: an integer 4 to the power of 1.5
 * is 8. */
static bool import_power(onnx_node *n)
{
    inlay_value *a = n->in[0], *b = n->version < 7 ? aligned(n) : n->in[1], *y;
    inlay_type base = a->fact.type;

    if (b && !inlay_type_is_float(base) && inlay_type_is_float(b->fact.type)) {
        y = onnx_binary(n, "Power", in_f64(n, a), in_f64(n, b));
        return onnx_give(n, 0, onnx_binary(n, "ConvertLike", y, a));
    }
    if (b && b->fact.type != base)
        b = onnx_binary(n, "ConvertLike", b, a);
    return onnx_give(n, 0, onnx_binary(n, "Power", a, b));
}

/* With fmod=1 the remainder has the sign of the dividend, as in C; else that of the divisor, as in
 * Python. */
static bool import_mod(onnx_node *n)
{
    bool ok = true;
    bool fmod = onnx_attr_int(n, "fmod", 0, &ok) != 0;

    if (ok && !fmod && inlay_type_is_float(n->in[0]->fact.type))
        return onnx_node_fail(n, "attribute \"fmod\" must be 1 for floats");
    return ok && onnx_give(n, 0, onnx_binary(n, fmod ? "Mod" : "FloorMod", n->in[0], n->in[1]));
}

/* Folds any number of operands by Max, Min or Sum; WIDE: as f64. */
static inlay_value *fold(onnx_node *n, bool wide)
{
    inlay_value *all = NULL;

    if (n->version < 8 && !has_one_shape(n))
        return NULL;

    for (int i = 0; i < n->n_in; i++) {
        inlay_value *x = wide ? onnx_convert(n, n->in[i], INLAY_F64) : n->in[i];

        if (!(all = i == 0 ? x : onnx_binary(n, n->op->as, all, x)))
            return NULL;
    }
    return all;
}

static bool import_folded(onnx_node *n)
{
    return onnx_give(n, 0, fold(n, false));
}

/* The sum of numbers may be infinite where their mean is not. */
static bool import_mean(onnx_node *n)
{
    inlay_value *mean = onnx_binary(n, "Divide", fold(n, true), onnx_number(n, INLAY_F64, n->n_in));

    return onnx_give(n, 0, onnx_convert(n, mean, n->in[0]->fact.type));
}

/* BitShift only takes unsigned integers, so that a right shift fills with zeros. */
static bool import_bit_shift(onnx_node *n)
{
    bool ok = true;
    const char *direction = onnx_attr_string(n, "direction", "", &ok);

    if (ok && strcmp(direction, "LEFT") != 0 && strcmp(direction, "RIGHT") != 0)
        return onnx_node_fail(n, "direction is \"%.80s\", it must be LEFT or RIGHT", direction);
    return ok &&
           onnx_give(n, 0,
                     onnx_binary(n, direction[0] == 'L' ? "BitwiseLeftShift" : "BitwiseRightShift",
                                 n->in[0], n->in[1]));
}

/* Products of complex numbers, whose parts are the two elements of the last axis; of the second one
 * it may be the conjugate. */
static bool import_complex_product(onnx_node *n)
{
    inlay_value *parts[4], *zero = onnx_list(n, (int64_t[]){0}, 1),
                           *one = onnx_list(n, (int64_t[]){1}, 1),
                           *two = onnx_list(n, (int64_t[]){2}, 1), *real, *imaginary;
    bool conjugate = n->op->as[0] == 'C';

    for (int i = 0; i < 4; i++) {
        inlay_value *x = n->in[i / 2];
        int rank = onnx_rank(n, x);

        if (rank < 0)
            return false;
        if (rank < 1 || !inlay_dim_compatible(x->fact.dims[rank - 1], inlay_dim_of(2)))
            return onnx_node_fail(n, "the last axis of input[%d] must have 2 elements", i / 2);
        parts[i] = make_cut(n, x, rank - 1, i % 2 ? one : zero, i % 2 ? two : one, 1);
    }
    if (conjugate)
        parts[3] = onnx_unary(n, "Negative", parts[3]);
    real = onnx_binary(n, "Subtract", onnx_binary(n, "Multiply", parts[0], parts[2]),
                       onnx_binary(n, "Multiply", parts[1], parts[3]));
    imaginary = onnx_binary(n, "Add", onnx_binary(n, "Multiply", parts[0], parts[3]),
                            onnx_binary(n, "Multiply", parts[1], parts[2]));
    return onnx_give(n, 0, make_concat(n, real, imaginary, -1));
}

/* X + Y * gate. */
static bool import_gated_add(onnx_node *n)
{
    return onnx_give(
        n, 0, onnx_binary(n, "Add", n->in[0], onnx_binary(n, "Multiply", n->in[1], n->in[2])));
}

/* The distance of each row of one matrix from each row of another. */
static bool import_distances(onnx_node *n)
{
    bool ok = true;
    const char *metric = onnx_attr_word(n, "metric", "sqeuclidean",
                                        "sqeuclidean euclidean cityblock chebyshev", &ok);
    const char *fold = ok && strcmp(metric, "chebyshev") == 0 ? "ReduceMax" : "ReduceSum";
    inlay_value *x, *last = onnx_list(n, (int64_t[]){2}, 1);

    if (!ok || !onnx_has_rank(n, 0, 2, 2) || !onnx_has_rank(n, 1, 2, 2))
        return false;
    x = onnx_binary(n, "Subtract", make_unsqueeze(n, n->in[0], (int64_t[]){1}, 1),
                    make_unsqueeze(n, n->in[1], (int64_t[]){0}, 1));
    x = metric[0] == 'c' ? onnx_unary(n, "Abs", x) : onnx_binary(n, "Multiply", x, x);
    x = make_reduce(n, fold, x, last, false);
    return onnx_give(n, 0, metric[0] == 'e' ? onnx_unary(n, "Sqrt", x) : x);
}

const onnx_operator onnx_operators_binary[] = {
    {"Add", 7, onnx_same, "Add", 2},
    {"Add", 1, import_aligned, "Add", 2},
    {"And", 7, onnx_same, "LogicalAnd", 2},
    {"And", 1, import_aligned, "LogicalAnd", 2},
    {"BitShift", 11, import_bit_shift, NULL, 2},
    {"BitwiseAnd", 18, onnx_same, "BitwiseAnd", 2},
    {"BitwiseOr", 18, onnx_same, "BitwiseOr", 2},
    {"BitwiseXor", 18, onnx_same, "BitwiseXor", 2},
    {"Div", 7, import_divide, NULL, 2},
    {"Div", 1, import_divide, NULL, 2},
    {"Equal", 7, onnx_same, "Equal", 2},
    {"Equal", 1, import_aligned, "Equal", 2},
    {"Greater", 7, onnx_same, "Greater", 2},
    {"Greater", 1, import_aligned, "Greater", 2},
    {"GreaterOrEqual", 12, onnx_same, "GreaterEqual", 2},
    {"Less", 7, onnx_same, "Less", 2},
    {"Less", 1, import_aligned, "Less", 2},
    {"LessOrEqual", 12, onnx_same, "LessEqual", 2},
    {"Max", 8, import_folded, "Maximum", 1},
    {"Max", 1, import_folded, "Maximum", 1},
    {"Mean", 8, import_mean, "Add", 1},
    {"Mean", 1, import_mean, "Add", 1},
    {"Min", 8, import_folded, "Minimum", 1},
    {"Min", 1, import_folded, "Minimum", 1},
    {"Mod", 10, import_mod, NULL, 2},
    {"Mul", 7, onnx_same, "Multiply", 2},
    {"Mul", 1, import_aligned, "Multiply", 2},
    {"Or", 7, onnx_same, "LogicalOr", 2},
    {"Or", 1, import_aligned, "LogicalOr", 2},
    {"Pow", 7, import_power, NULL, 2},
    {"Pow", 1, import_power, NULL, 2},
    {"Sub", 7, onnx_same, "Subtract", 2},
    {"Sub", 1, import_aligned, "Subtract", 2},
    {"Sum", 8, import_folded, "Add", 1},
    {"Sum", 1, import_folded, "Add", 1},
    {"Xor", 7, onnx_same, "LogicalXor", 2},
    {"Xor", 1, import_aligned, "LogicalXor", 2},
    {"com.microsoft.CDist", 1, import_distances, NULL, 2},
    {"com.microsoft.ComplexMul", 1, import_complex_product, "Product", 2},
    {"com.microsoft.ComplexMulConj", 1, import_complex_product, "Conjugate", 2},
    {"com.microsoft.GatedAdd", 1, import_gated_add, NULL, 3},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports: both operands have one type, and numpy's rule broadcasts them. */

static bool export_mod(onnx_export *x)
{
    return put_give(x, 0, put(x, "Mod", IN(put_in(x, 0), put_in(x, 1)), ATTRS(INT("fmod", 1))));
}

/* Whether A and B have different signs, or A is 0. */
static const char *signs_differ(onnx_export *x, const char *a, const char *b, inlay_type type)
{
    const char *zero = put_number(x, type, 0);

    return put(x, "Xor", IN(put(x, "Less", IN(a, zero), NULL), put(x, "Less", IN(b, zero), NULL)),
               NULL);
}

/* Of floats the remainder that has the sign of the dividend, plus the divisor where the signs
 * differ. */
static bool export_floor_mod(onnx_export *x)
{
    inlay_type type = put_type(x, 0), wide = put_wider(type, PUT_BASIC | PUT_INT);
    const char *a = put_as(x, 0, wide), *b = put_as(x, 1, wide), *r, *other;

    if (!inlay_type_is_float(type))
        return put_give_as(x, 0, put(x, "Mod", IN(a, b), NULL), wide);
    r = put(x, "Mod", IN(a, b), ATTRS(INT("fmod", 1)));
    other = put(x, "Not", IN(put(x, "Equal", IN(r, put_number(x, wide, 0)), NULL)), NULL);
    other = put(x, "And", IN(other, signs_differ(x, r, b, wide)), NULL);
    return put_give_as(x, 0, put(x, "Where", IN(other, put(x, "Add", IN(r, b), NULL), r), NULL),
                       wide);
}

/* Quotients of integers are rounded down, unless the node says that they are cut off, as Div does.
 */
static bool export_divide(onnx_export *x)
{
    inlay_type type = put_type(x, 0);
    const char *a = put_in(x, 0), *b = put_in(x, 1), *q = put(x, "Div", IN(a, b), NULL), *rest;

    if (inlay_type_info_of(type)->cls != INLAY_CLASS_SIGNED ||
        !inlay_node_bool(x->n, "m_pythondiv"))
        return put_give(x, 0, q);
    rest = put(x, "Mod", IN(a, b), ATTRS(INT("fmod", 1)));
    rest = put(x, "Not", IN(put(x, "Equal", IN(rest, put_number(x, type, 0)), NULL)), NULL);
    rest = put(x, "And", IN(rest, signs_differ(x, a, b, type)), NULL);
    return put_give(x, 0, put(x, "Sub", IN(q, put_cast(x, rest, type)), NULL));
}

static bool export_squared_difference(onnx_export *x)
{
    const char *d = put(x, "Sub", IN(put_in(x, 0), put_in(x, 1)), NULL);

    return put_give(x, 0, put(x, "Mul", IN(d, d), NULL));
}

static bool export_equal(onnx_export *x)
{
    inlay_type type = put_type(x, 0);
    inlay_type_set types = PUT_NUM | PUT_BOOL | PUT_BIT(INLAY_STRING);
    inlay_type wide = put_wider(type, types);
    const char *y = put(x, "Equal", IN(put_as(x, 0, wide), put_as(x, 1, wide)), NULL);

    if (type == INLAY_STRING && !put_needs(x, 19, "Equal of strings"))
        return false;
    return put_give(x, 0, x->how->as ? put(x, x->how->as, IN(y), NULL) : y);
}

/* Logic of booleans, bits of integers: "BitwiseAnd" is "And" without its first letters. */
static bool export_bitwise(onnx_export *x)
{
    bool logic = put_type(x, 0) == INLAY_BOOLEAN;
    const char *op = x->how->as + (logic ? strlen("Bitwise") : 0), *a = put_in(x, 0);

    return (logic || put_needs(x, 18, op)) &&
           put_give(x, 0, put(x, op, x->n->n_in == 1 ? IN(a) : IN(a, put_in(x, 1)), NULL));
}

static inlay_type as_unsigned(inlay_type type)
{
    return type == INLAY_I8    ? INLAY_U8
           : type == INLAY_I16 ? INLAY_U16
           : type == INLAY_I32 ? INLAY_U32
           : type == INLAY_I64 ? INLAY_U64
                               : type;
}

/* BitShift takes unsigned integers. To the right a negative number is -1 - x of the shifted -1 - x.
 */
static bool export_shift(onnx_export *x)
{
    inlay_type type = put_type(x, 0), bits = as_unsigned(type);
    const char *a = put_in(x, 0), *b = put_as(x, 1, bits), *negative = NULL, *y, *less;

    if (type != bits && *x->how->as == 'R') {
        negative = put(x, "Less", IN(a, put_number(x, type, 0)), NULL);
        a = put(x, "Where", IN(negative, put(x, "Sub", IN(put_number(x, type, -1), a), NULL), a),
                NULL);
    }
    a = type == bits ? a : put_cast(x, a, bits);
    y = put(x, "BitShift", IN(a, b), ATTRS(WORD("direction", x->how->as)));
    y = type == bits ? y : put_cast(x, y, type);
    if (negative) {
        less = put(x, "Sub", IN(put_number(x, type, -1), y), NULL);
        y = put(x, "Where", IN(negative, less, y), NULL);
    }
    return put_give(x, 0, y);
}

/* A scale and a shift are part of the normalisation before them. */
static bool export_add(onnx_export *x)
{
    const inlay_value *v = x->n->in[0].value, *shift = x->n->in[1].value;
    const char *y = put_layer(x, v, NULL, shift);

    if (!y && v->n_results == 0 && v->uses && !v->uses->next)
        y = put_layer(x, put_operand_of(v, "Multiply", 0), put_operand_of(v, "Multiply", 1), shift);
    return y ? put_give(x, 0, y) : put_same(x);
}

static bool export_multiply(onnx_export *x)
{
    const char *y = put_layer(x, x->n->in[0].value, x->n->in[1].value, NULL);

    return y ? put_give(x, 0, y) : put_same(x);
}

/* The smaller one of a scalar and the larger one of another is Clip, which is read as these two. */
static bool export_minimum(onnx_export *x)
{
    const inlay_value *v = x->n->in[0].value, *low = put_operand_of(v, "Maximum", 1);

    if (!low || low->fact.rank != 0 || put_fact(x, 1)->rank != 0 ||
        !(x->how->types & PUT_BIT(v->fact.type)))
        return put_same(x);
    return put_give(
        x, 0,
        put(x, "Clip",
            IN(put_value(x, inlay_node_input(v->node, 0)), put_value(x, low), put_in(x, 1)), NULL));
}

const onnx_exporter onnx_exporters_binary[] = {
    {"Add", export_add, "Add", 0, PUT_NUM},
    {"BitwiseAnd", export_bitwise, "BitwiseAnd", 0, PUT_ANY},
    {"BitwiseLeftShift", export_shift, "LEFT", 0, PUT_ANY},
    {"BitwiseNot", export_bitwise, "BitwiseNot", 0, PUT_ANY},
    {"BitwiseOr", export_bitwise, "BitwiseOr", 0, PUT_ANY},
    {"BitwiseRightShift", export_shift, "RIGHT", 0, PUT_ANY},
    {"BitwiseXor", export_bitwise, "BitwiseXor", 0, PUT_ANY},
    {"Divide", export_divide, NULL, 0, PUT_ANY},
    {"Equal", export_equal, NULL, 0, PUT_ANY},
    {"FloorMod", export_floor_mod, NULL, 0, PUT_ANY},
    {"Greater", NULL, "Greater", 0, PUT_NUM},
    {"GreaterEqual", NULL, "GreaterOrEqual", 0, PUT_NUM},
    {"Less", NULL, "Less", 0, PUT_NUM},
    {"LessEqual", NULL, "LessOrEqual", 0, PUT_NUM},
    {"LogicalAnd", NULL, "And", 0, PUT_ANY},
    {"LogicalNot", NULL, "Not", 0, PUT_ANY},
    {"LogicalOr", NULL, "Or", 0, PUT_ANY},
    {"LogicalXor", NULL, "Xor", 0, PUT_ANY},
    {"Maximum", NULL, "Max", 0, PUT_NUM},
    {"Minimum", export_minimum, "Min", 0, PUT_NUM},
    {"Mod", export_mod, NULL, 0, PUT_ANY},
    {"Multiply", export_multiply, "Mul", 0, PUT_NUM},
    {"NotEqual", export_equal, "Not", 0, PUT_ANY},
    {"Power", NULL, "Pow", 0, PUT_FLOAT | PUT_BIT(INLAY_I32) | PUT_BIT(INLAY_I64)},
    {"SquaredDifference", export_squared_difference, NULL, 0, PUT_ANY},
    {"Subtract", NULL, "Sub", 0, PUT_NUM},
    {"Xor", NULL, "Xor", 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
