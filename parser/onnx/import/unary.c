/* Operators of one operand, element by element. */
#include "parser/onnx/export.h"
#include "parser/onnx/import/make.h"

#include <math.h>
#include <string.h>

/* Returns an attribute of ONNX as a scalar, which is an operand in OpenVINO. */
static inlay_value *scalar(onnx_node *n, const char *name, double absent)
{
    bool ok = true;
    double x = onnx_attr_float(n, name, absent, &ok);

    return ok ? onnx_number(n, n->in[0]->fact.type, x) : NULL;
}

/* Makes Y a constant of the type of X. */
static inlay_value *number(onnx_node *n, const inlay_value *x, double y)
{
    return onnx_number(n, x->fact.type, y);
}

/* Returns A where WHERE is true, else B. */
static inlay_value *choose(onnx_node *n, inlay_value *where, inlay_value *a, inlay_value *b)
{
    return onnx_make(n, "Select", 3, (inlay_value *[]){where, a, b}, NULL);
}

static bool import_elu(onnx_node *n)
{
    bool ok = true;
    double alpha = onnx_attr_float(n, "alpha", 1.0, &ok);

    return ok && onnx_give(n, 0, onnx_make(n, "Elu", 1, n->in, ATTRS(REAL("alpha", alpha))));
}

static bool import_hard_sigmoid(onnx_node *n)
{
    inlay_value *alpha = scalar(n, "alpha", 0.2f), *beta = scalar(n, "beta", 0.5f);

    return alpha && beta &&
           onnx_give(
               n, 0,
               onnx_make(n, "HardSigmoid", 3, (inlay_value *[]){n->in[0], alpha, beta}, NULL));
}

static bool import_selu(onnx_node *n)
{
    inlay_value *alpha = scalar(n, "alpha", 1.67326319217681884765625),
                *gamma = scalar(n, "gamma", 1.05070102214813232421875);

    return alpha && gamma &&
           onnx_give(n, 0,
                     onnx_make(n, "Selu", 3, (inlay_value *[]){n->in[0], alpha, gamma}, NULL));
}

static bool import_leaky_relu(onnx_node *n)
{
    inlay_value *alpha = scalar(n, "alpha", 0.01f), *one = onnx_list(n, (int64_t[]){1}, 1);
    inlay_value *slope = onnx_binary(n, "Broadcast", alpha, one);

    return slope && onnx_give(n, 0, onnx_binary(n, "PReLU", n->in[0], slope));
}

static inlay_value *gelu(onnx_node *n, inlay_value *x, const char *mode)
{
    return x ? onnx_make(n, "Gelu", 1, &x, ATTRS(WORD("approximation_mode", mode))) : NULL;
}

static bool import_gelu(onnx_node *n)
{
    bool ok = true;
    const char *mode = onnx_attr_word(n, "approximate", "none", "none tanh", &ok);

    return ok && onnx_give(n, 0, gelu(n, n->in[0], strcmp(mode, "tanh") == 0 ? "tanh" : "erf"));
}

/* GELU of X plus an optional bias: exact, or by tanh. */
static bool import_bias_gelu(onnx_node *n)
{
    return onnx_give(n, 0, gelu(n, make_sum(n, n->in[0], 1), "erf"));
}

static bool import_fast_gelu(onnx_node *n)
{
    return onnx_give(n, 0, gelu(n, make_sum(n, n->in[0], 1), "tanh"));
}

/* X plus a bias is split in halves along the last axis: the first times the GELU of the second. */
static bool import_bias_split_gelu(onnx_node *n)
{
    inlay_value *x = make_sum(n, n->in[0], 1), *axis = onnx_integer(n, -1);
    inlay_node *halves = x && axis ? onnx_make_node(n, "Split", 2, (inlay_value *[]){x, axis},
                                                    ATTRS(INT("num_splits", 2)))
                                   : NULL;

    return halves &&
           onnx_give(n, 0,
                     onnx_binary(n, "Multiply", &halves->out[0], gelu(n, &halves->out[1], "erf")));
}

/* X plus a bias plus a skip connection. */
static bool import_bias_add(onnx_node *n)
{
    return onnx_give(n, 0, make_sum(n, make_sum(n, n->in[0], 1), 2));
}

static bool import_quick_gelu(onnx_node *n)
{
    return onnx_give(n, 0, onnx_binary(n, "Swish", n->in[0], scalar(n, "alpha", 1.702f)));
}

static bool import_is_inf(onnx_node *n)
{
    bool ok = true;
    bool negative = onnx_attr_int(n, "detect_negative", 1, &ok) != 0,
         positive = onnx_attr_int(n, "detect_positive", 1, &ok) != 0;

    return ok && onnx_give(n, 0,
                           onnx_make(n, "IsInf", 1, n->in,
                                     ATTRS(FLAG("detect_negative", negative),
                                           FLAG("detect_positive", positive))));
}

static bool import_thresholded_relu(onnx_node *n)
{
    inlay_value *alpha = scalar(n, "alpha", 1.0), *zero = onnx_number(n, n->in[0]->fact.type, 0);
    inlay_value *above = onnx_binary(n, "Greater", n->in[0], alpha);

    return above && zero &&
           onnx_give(n, 0,
                     onnx_make(n, "Select", 3, (inlay_value *[]){above, n->in[0], zero}, NULL));
}

/* Celu is max(0, x) + min(0, alpha * (exp(x / alpha) - 1)), rounded once: narrow floats are
 * computed as f32. With an alpha above 0 the second part is that of Elu, which loses nothing where
 * the exponential is near 1. */
static bool import_celu(onnx_node *n)
{
    bool ok = true;
    double a = onnx_attr_float(n, "alpha", 1.0, &ok);
    inlay_value *x = make_wide(n, n->in[0]), *zero, *alpha, *part, *y;

    if (!ok || !x)
        return false;
    zero = number(n, x, 0);
    alpha = number(n, x, a);
    part = onnx_binary(n, "Divide", x, alpha);
    if (a > 0)
        part = onnx_binary(n, "Minimum", part, zero);
    part = a > 0 && part ? onnx_make(n, "Elu", 1, &part, ATTRS(REAL("alpha", 1)))
                         : onnx_binary(n, "Subtract", onnx_unary(n, "Exp", part), number(n, x, 1));
    part = onnx_binary(n, "Minimum", zero, onnx_binary(n, "Multiply", alpha, part));
    y = onnx_binary(n, "Add", onnx_binary(n, "Maximum", zero, x), part);
    return onnx_give(n, 0, onnx_convert(n, y, n->in[0]->fact.type));
}

/* A slope with the rank of X is broadcast by numpy's rule. With one axis OpenVINO would take it for
 * one per channel, which it was before version 7. */
static bool import_prelu(onnx_node *n)
{
    inlay_value *x = n->in[0], *slope = n->in[1];
    int rank = onnx_rank(n, x), own = rank < 0 ? -1 : onnx_rank(n, slope);

    if (own < 0)
        return false;
    if (n->version < 7 && own == 1 && rank > 1)
        slope = onnx_along_axis(n, slope, 1, rank);
    else if (own < rank)
        slope = onnx_binary(n, "Unsqueeze", slope, onnx_axes(n, 0, rank - own));
    slope = onnx_fit(n, 1, slope, x);
    if (rank > 0)
        return onnx_give(n, 0, onnx_binary(n, "PReLU", x, slope));
    slope = onnx_binary(n, "Multiply", x, slope);
    return slope &&
           onnx_give(n, 0, choose(n, onnx_binary(n, "Less", x, number(n, x, 0)), slope, x));
}

/* The result is X + bias below -lambd, X - bias above lambd, else 0; integers are computed as
 * f64. */
static bool import_shrink(onnx_node *n)
{
    bool ok = true;
    double bias = onnx_attr_float(n, "bias", 0, &ok), lambd = onnx_attr_float(n, "lambd", 0.5, &ok);
    bool integers = !inlay_type_is_float(n->in[0]->fact.type);
    inlay_value *x =
        integers ? onnx_make(n, "Convert", 1, n->in, ATTRS(TYPE("destination_type", INLAY_F64)))
                 : n->in[0];
    inlay_value *below, *above, *y;

    if (!ok || !x)
        return false;
    below = onnx_binary(n, "Less", x, number(n, x, -lambd));
    above = onnx_binary(n, "Greater", x, number(n, x, lambd));
    y = choose(n, above, onnx_binary(n, "Subtract", x, number(n, x, bias)), number(n, x, 0));
    y = choose(n, below, onnx_binary(n, "Add", x, number(n, x, bias)), y);
    return onnx_give(n, 0, integers ? onnx_binary(n, "ConvertLike", y, n->in[0]) : y);
}

static bool import_swish(onnx_node *n)
{
    return onnx_give(n, 0, onnx_binary(n, "Swish", n->in[0], scalar(n, "alpha", 1.0)));
}

static bool import_reciprocal(onnx_node *n)
{
    inlay_value *one = onnx_number(n, n->in[0]->fact.type, 1);

    return onnx_give(n, 0, onnx_binary(n, "Divide", one, n->in[0]));
}

static bool import_identity(onnx_node *n)
{
    return onnx_give(n, 0, onnx_in(n, 0));
}

const onnx_operator onnx_operators_unary[] = {
    {"Abs", 1, onnx_same, "Abs", 1},
    {"Acos", 7, onnx_same, "Acos", 1},
    {"Acosh", 9, onnx_same, "Acosh", 1},
    {"Asin", 7, onnx_same, "Asin", 1},
    {"Asinh", 9, onnx_same, "Asinh", 1},
    {"Atan", 7, onnx_same, "Atan", 1},
    {"Atanh", 9, onnx_same, "Atanh", 1},
    {"Ceil", 1, onnx_same, "Ceiling", 1},
    {"Celu", 12, import_celu, NULL, 1},
    {"Cos", 7, onnx_same, "Cos", 1},
    {"Cosh", 9, onnx_same, "Cosh", 1},
    {"Elu", 1, import_elu, NULL, 1},
    {"Erf", 9, onnx_same, "Erf", 1},
    {"Exp", 1, onnx_same, "Exp", 1},
    {"Floor", 1, onnx_same, "Floor", 1},
    {"Gelu", 20, import_gelu, NULL, 1},
    {"HardSigmoid", 1, import_hard_sigmoid, NULL, 1},
    {"HardSwish", 14, onnx_same, "HSwish", 1},
    {"Identity", 1, import_identity, NULL, 1},
    {"IsInf", 10, import_is_inf, NULL, 1},
    {"LeakyRelu", 1, import_leaky_relu, NULL, 1},
    {"Log", 1, onnx_same, "Log", 1},
    {"Mish", 18, onnx_same, "Mish", 1},
    {"Neg", 1, onnx_same, "Negative", 1},
    {"PRelu", 7, import_prelu, NULL, 2},
    {"PRelu", 1, import_prelu, NULL, 2},
    {"Reciprocal", 1, import_reciprocal, NULL, 1},
    {"Relu", 1, onnx_same, "ReLU", 1},
    {"Round", 11, onnx_same, "Round", 1},
    {"Selu", 1, import_selu, NULL, 1},
    {"Shrink", 9, import_shrink, NULL, 1},
    {"Sigmoid", 1, onnx_same, "Sigmoid", 1},
    {"Sign", 9, onnx_same, "Sign", 1},
    {"Sin", 7, onnx_same, "Sin", 1},
    {"Sinh", 9, onnx_same, "Sinh", 1},
    {"Softplus", 1, onnx_same, "SoftPlus", 1},
    {"Softsign", 1, onnx_same, "SoftSign", 1},
    {"Sqrt", 1, onnx_same, "Sqrt", 1},
    {"Tan", 7, onnx_same, "Tan", 1},
    {"Tanh", 1, onnx_same, "Tanh", 1},
    {"Swish", 24, import_swish, NULL, 1},
    {"ThresholdedRelu", 10, import_thresholded_relu, NULL, 1},
    {"com.microsoft.BiasAdd", 1, import_bias_add, NULL, 3},
    {"com.microsoft.BiasGelu", 1, import_bias_gelu, NULL, 2},
    {"com.microsoft.BiasSplitGelu", 1, import_bias_split_gelu, NULL, 2},
    {"com.microsoft.FastGelu", 1, import_fast_gelu, NULL, 1},
    {"com.microsoft.Gelu", 1, import_gelu, NULL, 1},
    {"com.microsoft.QuickGelu", 1, import_quick_gelu, NULL, 1},
    {"com.microsoft.SampleOp", 1, import_identity, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. Activations of narrow floats that several operators compute are computed as f32. */

/* Operand 0, and the type in which it is computed. */
static const char *operand(onnx_export *x, inlay_type_set types, inlay_type *type)
{
    *type = put_wider(put_type(x, 0), types);
    if (*type != INLAY_DYNAMIC)
        return put_as(x, 0, *type);
    put_refuse(x, "the type %s", inlay_type_info_of(put_type(x, 0))->name);
    return NULL;
}

enum { EXACT_TYPES = PUT_BIT(INLAY_F32) | PUT_BIT(INLAY_F64) };

/* Where an integer is what it is already. */
static bool export_rounding(onnx_export *x)
{
    return inlay_type_is_int(put_type(x, 0)) ? put_give(x, 0, put_in(x, 0)) : put_same(x);
}

/* The nearest number, halves away from zero. */
static bool export_round(onnx_export *x)
{
    inlay_type type;
    const char *v, *size, *floor, *up;

    if (inlay_type_is_int(put_type(x, 0)) || *inlay_node_string(x->n, "mode") != 'h' ||
        strcmp(inlay_node_string(x->n, "mode"), "half_to_even") == 0)
        return export_rounding(x);
    v = operand(x, x->how->types, &type);
    size = put(x, "Abs", IN(v), NULL);
    floor = put(x, "Floor", IN(size), NULL);
    up = put(x, "GreaterOrEqual",
             IN(put(x, "Sub", IN(size, floor), NULL), put_number(x, type, 0.5)), NULL);
    up = put(x, "Add", IN(floor, put_cast(x, up, type)), NULL);
    return put_give_as(x, 0, put(x, "Mul", IN(put(x, "Sign", IN(v), NULL), up), NULL), type);
}

/* Exp and Log of integers are truncated and saturated. */
static bool export_truncated(onnx_export *x)
{
    inlay_type type = put_type(x, 0);
    int bits = inlay_type_info_of(type)->bits;
    bool negative = inlay_type_info_of(type)->cls == INLAY_CLASS_SIGNED;
    const char *v;

    if (!inlay_type_is_int(type))
        return put_same(x);
    v = put(x, x->how->as, IN(put_as(x, 0, INLAY_F64)), NULL);
    v = put(x, "Clip",
            IN(v, put_number(x, INLAY_F64, negative ? -ldexp(1, bits - 1) : 0),
               put_number(x, INLAY_F64, put_most(type))),
            NULL);
    return put_give(x, 0, put_cast(x, v, type));
}

static bool export_negative(onnx_export *x)
{
    inlay_type type = put_type(x, 0);

    if (inlay_type_info_of(type)->cls != INLAY_CLASS_UNSIGNED)
        return put_same(x);
    return put_give(x, 0, put(x, "Sub", IN(put_number(x, type, 0), put_in(x, 0)), NULL));
}

static bool export_relu(onnx_export *x)
{
    bool positive = inlay_type_info_of(put_type(x, 0))->cls == INLAY_CLASS_UNSIGNED;

    return positive ? put_give(x, 0, put_in(x, 0)) : put_same(x);
}

/* Bounds of integers are integers of their type. */
static bool export_clamp(onnx_export *x)
{
    inlay_type type;
    const char *v = operand(x, PUT_NUM, &type);
    double min = inlay_node_float(x->n, "min"), max = inlay_node_float(x->n, "max");
    bool is_int = inlay_type_is_int(type),
         negative = inlay_type_info_of(type)->cls == INLAY_CLASS_SIGNED;
    int bits = inlay_type_info_of(type)->bits;
    double least = negative ? -ldexp(1, bits - 1) : 0, most = ldexp(1, negative ? bits - 1 : bits);
    const char *low, *high;

    if (!v)
        return false;
    low = is_int && ceil(min) <= least ? "" : put_number(x, type, is_int ? ceil(min) : min);
    high = is_int && floor(max) >= most - 1 ? "" : put_number(x, type, is_int ? floor(max) : max);
    return put_give_as(x, 0, put(x, "Clip", IN(v, low, high), NULL), type);
}

static bool export_elu(onnx_export *x)
{
    inlay_type type;
    const char *v = operand(x, PUT_BASIC, &type);

    return put_give_as(
        x, 0, put(x, "Elu", IN(v), ATTRS(REAL("alpha", inlay_node_float(x->n, "alpha")))), type);
}

static const char *times(onnx_export *x, const char *a, const char *b)
{
    return put(x, "Mul", IN(a, b), NULL);
}

/* 0.5 x (1 + erf(x / sqrt(2))), or 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))). */
static bool export_gelu(onnx_export *x)
{
    const char *mode = inlay_op_attr(x->n->op, "approximation_mode") >= 0
                           ? inlay_node_string(x->n, "approximation_mode")
                           : "erf";
    bool by_tanh = strcmp(mode, "tanh") == 0;
    inlay_type type;
    const char *v = operand(x, x->version >= 20 ? PUT_FLOAT : EXACT_TYPES, &type), *y;

    if (!v)
        return false;
    if (x->version >= 20)
        return put_give_as(
            x, 0, put(x, "Gelu", IN(v), ATTRS(WORD("approximate", by_tanh ? "tanh" : "none"))),
            type);
    if (by_tanh) {
        y = times(x, put_number(x, type, 0.044715), times(x, v, times(x, v, v)));
        y = times(x, put_number(x, type, 0.79788456080286535588), put(x, "Add", IN(v, y), NULL));
        y = put(x, "Tanh", IN(y), NULL);
    } else {
        y = put(x, "Erf",
                IN(put(x, "Div", IN(v, put_number(x, type, 1.41421356237309504880)), NULL)), NULL);
    }
    y = put(x, "Add", IN(y, put_number(x, type, 1)), NULL);
    return put_give_as(x, 0, times(x, times(x, v, put_number(x, type, 0.5)), y), type);
}

static bool export_hsigmoid(onnx_export *x)
{
    inlay_type type;
    const char *v = operand(x, EXACT_TYPES, &type);

    v = put(x, "Clip",
            IN(put(x, "Add", IN(v, put_number(x, type, 3)), NULL), put_number(x, type, 0),
               put_number(x, type, 6)),
            NULL);
    return put_give_as(x, 0, put(x, "Div", IN(v, put_number(x, type, 6)), NULL), type);
}

/* Sets *OUT to operand I, a number that an attribute can hold. */
static bool is_known_real(const onnx_export *x, int i, double *out)
{
    const inlay_tensor *t = put_fact(x, i)->content;

    *out = t && inlay_tensor_count(t) == 1 ? inlay_tensor_get_f64(t, 0) : NAN;
    return (double)(float)*out == *out;
}

static bool export_hard_sigmoid(onnx_export *x)
{
    inlay_type type;
    double alpha, beta;
    const char *v = operand(x, PUT_BASIC, &type);

    if (is_known_real(x, 1, &alpha) && is_known_real(x, 2, &beta))
        return put_give_as(
            x, 0, put(x, "HardSigmoid", IN(v), ATTRS(REAL("alpha", alpha), REAL("beta", beta))),
            type);
    v = put(x, "Add", IN(times(x, put_as(x, 1, type), v), put_as(x, 2, type)), NULL);
    return put_give_as(
        x, 0, put(x, "Clip", IN(v, put_number(x, type, 0), put_number(x, type, 1)), NULL), type);
}

static bool export_selu(onnx_export *x)
{
    inlay_type type;
    double alpha, gamma;
    const char *v = operand(x, PUT_BASIC, &type), *low;

    if (is_known_real(x, 1, &alpha) && is_known_real(x, 2, &gamma))
        return put_give_as(
            x, 0, put(x, "Selu", IN(v), ATTRS(REAL("alpha", alpha), REAL("gamma", gamma))), type);
    low = times(x, put_as(x, 1, type), put(x, "Elu", IN(v), NULL));
    low = put(x, "Where", IN(put(x, "Greater", IN(v, put_number(x, type, 0)), NULL), v, low), NULL);
    return put_give_as(x, 0, times(x, put_as(x, 2, type), low), type);
}

/* x tanh(softplus(x)) */
static bool export_mish(onnx_export *x)
{
    inlay_type type;
    const char *v = operand(x, x->version >= 18 ? PUT_BASIC : EXACT_TYPES, &type);

    if (x->version >= 18)
        return put_give_as(x, 0, put(x, "Mish", IN(v), NULL), type);
    return put_give_as(x, 0, times(x, v, put(x, "Tanh", IN(put(x, "Softplus", IN(v), NULL)), NULL)),
                       type);
}

/* x sigmoid(beta x) */
static bool export_swish(onnx_export *x)
{
    inlay_type type;
    const char *v = operand(x, EXACT_TYPES, &type), *y = v;

    if (inlay_node_input(x->n, 1))
        y = times(x, v, put_as(x, 1, type));
    return put_give_as(x, 0, times(x, v, put(x, "Sigmoid", IN(y), NULL)), type);
}

static bool export_is_inf(onnx_export *x)
{
    return put_give(
        x, 0,
        put(x, "IsInf",
            IN(put_as(x, 0, put_wider(put_type(x, 0), x->version >= 20 ? PUT_FLOAT : EXACT_TYPES))),
            ATTRS(INT("detect_negative", inlay_node_bool(x->n, "detect_negative")),
                  INT("detect_positive", inlay_node_bool(x->n, "detect_positive")))));
}

static bool export_is_finite(onnx_export *x)
{
    const char *v = put_as(x, 0, put_wider(put_type(x, 0), EXACT_TYPES));

    v = put(x, "Or", IN(put(x, "IsInf", IN(v), NULL), put(x, "IsNaN", IN(v), NULL)), NULL);
    return put_give(x, 0, put(x, "Not", IN(v), NULL));
}

/* A slope with one axis is one of channels, where the data has several. */
static bool export_prelu(onnx_export *x)
{
    inlay_type_set types = PUT_BASIC | PUT_WIDE;
    inlay_type type;
    const char *v = operand(x, types, &type), *slope = put_as(x, 1, type);
    int rank = put_rank(x, 0), own = rank < 0 ? -1 : put_rank(x, 1);
    int64_t axes[INLAY_MAX_RANK];

    if (own < 0 || !v)
        return false;
    for (int i = 1; i < rank; i++)
        axes[i - 1] = i;
    if (own == 1 && rank > 2 && put_size(x, 1, 0) != 1)
        slope = put_unsqueeze(x, slope, axes, rank - 2);
    if (rank == 0)
        slope = put_reshape(x, slope, NULL, 0);
    return put_give_as(x, 0, put(x, "PRelu", IN(v, slope), NULL), type);
}

const onnx_exporter onnx_exporters_unary[] = {
    {"Abs", NULL, "Abs", 0, PUT_NUM},
    {"Acos", NULL, "Acos", 0, PUT_BASIC},
    {"Acosh", NULL, "Acosh", 0, PUT_BASIC},
    {"Asin", NULL, "Asin", 0, PUT_BASIC},
    {"Asinh", NULL, "Asinh", 0, PUT_BASIC},
    {"Atan", NULL, "Atan", 0, PUT_BASIC},
    {"Atanh", NULL, "Atanh", 0, PUT_BASIC},
    {"Ceiling", export_rounding, "Ceil", 0, PUT_FLOAT},
    {"Clamp", export_clamp, NULL, 0, PUT_ANY},
    {"Cos", NULL, "Cos", 0, PUT_BASIC},
    {"Cosh", NULL, "Cosh", 0, PUT_BASIC},
    {"Elu", export_elu, NULL, 0, PUT_ANY},
    {"Erf", NULL, "Erf", 0, PUT_FLOAT},
    {"Exp", export_truncated, "Exp", 0, PUT_FLOAT},
    {"Floor", export_rounding, "Floor", 0, PUT_FLOAT},
    {"Gelu", export_gelu, NULL, 0, PUT_ANY},
    {"HSigmoid", export_hsigmoid, NULL, 0, PUT_ANY},
    {"HSwish", NULL, "HardSwish", 0, PUT_BASIC},
    {"HardSigmoid", export_hard_sigmoid, NULL, 0, PUT_ANY},
    {"Identity", NULL, "Identity", 0, PUT_ANY},
    {"IsFinite", export_is_finite, NULL, 0, PUT_ANY},
    {"IsInf", export_is_inf, NULL, 0, PUT_ANY},
    {"IsNaN", NULL, "IsNaN", 0, PUT_FLOAT},
    {"Log", export_truncated, "Log", 0, PUT_FLOAT},
    {"Mish", export_mish, NULL, 0, PUT_ANY},
    {"Negative", export_negative, "Neg", 0, PUT_FLOAT | PUT_SIGNED},
    {"PReLU", export_prelu, NULL, 0, PUT_ANY},
    {"ReLU", export_relu, "Relu", 0, PUT_FLOAT | PUT_SIGNED},
    {"Round", export_round, "Round", 0, PUT_BASIC},
    {"Selu", export_selu, NULL, 0, PUT_ANY},
    {"Sigmoid", NULL, "Sigmoid", 0, PUT_FLOAT},
    {"Sign", NULL, "Sign", 0, PUT_NUM},
    {"Sin", NULL, "Sin", 0, PUT_BASIC},
    {"Sinh", NULL, "Sinh", 0, PUT_BASIC},
    {"SoftPlus", NULL, "Softplus", 0, PUT_BASIC},
    {"SoftSign", NULL, "Softsign", 0, PUT_BASIC},
    {"Sqrt", NULL, "Sqrt", 0, PUT_FLOAT},
    {"Swish", export_swish, NULL, 0, PUT_ANY},
    {"Tan", NULL, "Tan", 0, PUT_BASIC},
    {"Tanh", NULL, "Tanh", 0, PUT_FLOAT},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
