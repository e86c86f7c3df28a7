/* Operators of one operand, element by element. */
#include "parser/onnx/import/make.h"

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
