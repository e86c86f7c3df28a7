/* Linear models and support vector machines of the domain ai.onnx.ml, and the post-processing of
 * scores for all of its models. */
#include "parser/onnx/import/ml.h"

#include <string.h>

inlay_value *ml_classes(onnx_node *n, const char *strings, const char *ints)
{
    bool ok = true;
    int count;
    const int64_t *list = onnx_attr_ints(n, ints, &count, &ok);
    inlay_tensor *t = onnx_attr_text(n, strings, &ok);
    inlay_value *v = NULL;

    if (ok && t && inlay_tensor_count(t) > 0)
        v = onnx_constant(n, t);
    else if (ok && list)
        v = onnx_list(n, list, count);
    else if (ok)
        onnx_node_fail(n, "neither attribute \"%s\" nor \"%s\" is there", strings, ints);
    inlay_tensor_release(t);
    return v;
}

static inlay_value *last_axis(onnx_node *n)
{
    return onnx_list(n, (int64_t[]){-1}, 1);
}

/* Returns the softmax of the scores that are not 0; the others stay 0. */
static inlay_value *softmax_zero(onnx_node *n, inlay_value *x)
{
    inlay_value *axis = last_axis(n), *zero = onnx_number(n, x->fact.type, 0), *most, *e, *sum;
    inlay_value *counts = onnx_binary(n, "NotEqual", x, zero);

    if (!axis || !counts)
        return NULL;
    most = onnx_make(n, "ReduceMax", 2, (inlay_value *[]){x, axis}, ATTRS(FLAG("keep_dims", true)));
    e = onnx_unary(n, "Exp", onnx_binary(n, "Subtract", x, most));
    e = onnx_make(n, "Select", 3, (inlay_value *[]){counts, e, zero}, NULL);
    sum = onnx_make(n, "ReduceSum", 2, (inlay_value *[]){e, axis}, ATTRS(FLAG("keep_dims", true)));
    e = onnx_binary(n, "Divide", e, sum);
    return onnx_make(n, "Select", 3, (inlay_value *[]){counts, e, zero}, NULL);
}

inlay_value *ml_transformed(onnx_node *n, inlay_value *scores)
{
    bool ok = scores != NULL;
    const char *how = onnx_attr_string(n, "post_transform", "NONE", &ok);

    return ok ? ml_transformed_as(n, scores, how) : NULL;
}

inlay_value *ml_transformed_as(onnx_node *n, inlay_value *scores, const char *how)
{
    if (!scores || strcmp(how, "NONE") == 0)
        return scores;
    if (strcmp(how, "LOGISTIC") == 0)
        return onnx_unary(n, "Sigmoid", scores);
    if (strcmp(how, "SOFTMAX") == 0)
        return onnx_make(n, "SoftMax", 1, &scores, ATTRS(INT("axis", -1)));
    if (strcmp(how, "SOFTMAX_ZERO") == 0)
        return softmax_zero(n, scores);
    onnx_node_fail(n,
                   "post_transform is \"%.40s\", it must be NONE, LOGISTIC, SOFTMAX or "
                   "SOFTMAX_ZERO",
                   how);
    return NULL;
}

bool ml_give_labels(onnx_node *n, inlay_value *scores, inlay_value *classes)
{
    inlay_value *one = onnx_integer(n, 1), *axis = onnx_list(n, (int64_t[]){1}, 1), *best, *zero;
    inlay_node *top;

    if (!scores || !classes || !one || !axis)
        return false;
    top = onnx_make_node(n, "TopK", 2, (inlay_value *[]){scores, one},
                         ATTRS(INT("axis", 1), WORD("mode", "max"), WORD("sort", "value"),
                               FLAG("stable", true), TYPE("index_element_type", INLAY_I64)));
    best = top ? onnx_binary(n, "Squeeze", &top->out[1], axis) : NULL;
    zero = onnx_integer(n, 0);
    return best && zero &&
           onnx_give(n, 0,
                     onnx_make(n, "Gather", 3, (inlay_value *[]){classes, best, zero}, NULL)) &&
           onnx_give(n, 1, onnx_convert(n, scores, INLAY_F32));
}

/* Multiplies X by the coefficients, a matrix with ROWS rows, and adds the intercepts. */
static inlay_value *linear(onnx_node *n, int64_t rows)
{
    bool ok = true;
    inlay_value *x = ml_floats(n, n->in[0]), *list, *intercepts, *y;

    list = x ? ml_list(n, "coefficients", x->fact.type, &ok) : NULL;
    intercepts = x ? ml_list(n, "intercepts", x->fact.type, &ok) : NULL;
    if (!ok)
        return NULL;
    if (!list) {
        onnx_node_fail(n, "attribute \"coefficients\" is missing");
        return NULL;
    }
    list = onnx_reshape(n, list, onnx_list(n, (int64_t[]){rows, -1}, 2));
    y = onnx_make(n, "MatMul", 2, (inlay_value *[]){x, list}, ATTRS(FLAG("transpose_b", true)));
    if (y && !ml_fits_columns(n, "intercepts", intercepts, y))
        return NULL;
    return intercepts ? onnx_binary(n, "Add", y, intercepts) : y;
}

static bool import_linear_regressor(onnx_node *n)
{
    bool ok = true;
    int64_t targets = onnx_attr_int(n, "targets", 1, &ok);
    inlay_value *y;

    if (ok && (targets < 1 || targets > INT32_MAX))
        return onnx_node_fail(n, "targets is %lld, it must be from 1 to %d", (long long)targets,
                              INT32_MAX);
    y = ok ? ml_transformed(n, linear(n, targets)) : NULL;
    return onnx_give(n, 0, onnx_convert(n, y, INLAY_F32));
}

/* One score for two classes is that of the second class: the score of the first class is 1 minus
 * that score. */
static inlay_value *with_first_class(onnx_node *n, inlay_value *score)
{
    inlay_value *rest =
        score ? onnx_binary(n, "Subtract", onnx_number(n, score->fact.type, 1), score) : NULL;

    return onnx_make(n, "Concat", 2, (inlay_value *[]){rest, score}, ATTRS(INT("axis", 1)));
}

static bool import_linear_classifier(onnx_node *n)
{
    bool ok = true;
    int scores, count;
    inlay_value *classes = ml_classes(n, "classlabels_strings", "classlabels_ints"), *y;

    onnx_attr_floats(n, "intercepts", &scores, &ok);
    onnx_attr_ignore(n, "multi_class"); /* how it was learned */
    if (!ok || !classes)
        return false;
    count = (int)classes->fact.dims[0].lo;
    y = linear(n, scores > 0 ? scores : count);
    y = scores == 1 && count == 2 ? with_first_class(n, ml_transformed(n, y))
                                  : ml_transformed(n, y);
    return ml_give_labels(n, y, classes);
}

/* Support vectors */

static inlay_value *number_like(onnx_node *n, const inlay_value *x, double y)
{
    return x ? onnx_number(n, x->fact.type, y) : NULL;
}

/* Returns exp(-gamma |x - v|^2), where |x - v|^2 is the sum over columns. */
static inlay_value *radial(onnx_node *n, inlay_value *x, inlay_value *vectors, double gamma)
{
    inlay_value *axis = last_axis(n), *d;

    x = onnx_binary(n, "Unsqueeze", x, onnx_list(n, (int64_t[]){1}, 1));
    d = onnx_binary(n, "SquaredDifference", x, vectors);
    d = onnx_binary(n, "ReduceSum", d, axis);
    return onnx_unary(n, "Exp", onnx_binary(n, "Multiply", d, number_like(n, d, -gamma)));
}

/* Returns the kernel of each row of X with each of the VECTORS. */
static inlay_value *kernel_of(onnx_node *n, inlay_value *x, inlay_value *vectors)
{
    bool ok = x && vectors;
    const char *kind = onnx_attr_string(n, "kernel_type", "LINEAR", &ok);
    int count;
    const float *p = onnx_attr_floats(n, "kernel_params", &count, &ok);
    double gamma = count > 0 ? (double)p[0] : 0, coef0 = count > 1 ? (double)p[1] : 0,
           degree = count > 2 ? (double)p[2] : 0;
    inlay_value *y;

    if (!ok)
        return NULL;
    if (strcmp(kind, "RBF") == 0)
        return radial(n, x, vectors, gamma);
    y = onnx_make(n, "MatMul", 2, (inlay_value *[]){x, vectors}, ATTRS(FLAG("transpose_b", true)));
    if (!y || strcmp(kind, "LINEAR") == 0)
        return y;
    y = onnx_binary(n, "Multiply", y, number_like(n, y, gamma));
    y = onnx_binary(n, "Add", y, number_like(n, y, coef0));
    if (strcmp(kind, "POLY") == 0)
        return onnx_binary(n, "Power", y, number_like(n, y, degree));
    if (strcmp(kind, "SIGMOID") == 0)
        return onnx_unary(n, "Tanh", y);
    onnx_node_fail(n, "kernel_type is \"%.40s\", it must be LINEAR, POLY, RBF or SIGMOID", kind);
    return NULL;
}

/* Returns 1 where Y is above 0, else -1. */
static inlay_value *one_class(onnx_node *n, inlay_value *y)
{
    inlay_value *in[3];

    if (!y)
        return NULL;
    in[0] = onnx_binary(n, "Greater", y, number_like(n, y, 0));
    in[1] = number_like(n, y, 1);
    in[2] = number_like(n, y, -1);
    return onnx_make(n, "Select", 3, in, NULL);
}

/* Without support vectors the coefficients are those of the columns. */
static bool import_svm_regressor(onnx_node *n)
{
    bool ok = true, outliers = onnx_attr_int(n, "one_class", 0, &ok) != 0;
    int64_t supports = onnx_attr_int(n, "n_supports", 0, &ok);
    inlay_value *x = ml_floats(n, n->in[0]), *vectors, *factors, *rho, *y;

    if (!x || !ok)
        return false;
    if (supports < 0 || supports > INT32_MAX)
        return onnx_node_fail(n, "n_supports is %lld, it must be from 0 to %d", (long long)supports,
                              INT32_MAX);
    factors = ml_list(n, "coefficients", x->fact.type, &ok);
    vectors = ml_list(n, "support_vectors", x->fact.type, &ok);
    rho = ml_list(n, "rho", x->fact.type, &ok);
    if (!ok || !factors || !rho || (supports > 0 && !vectors))
        return ok && onnx_node_fail(n, "coefficients, rho or support_vectors are missing");
    factors = onnx_reshape(n, factors, onnx_list(n, (int64_t[]){-1, 1}, 2));
    if (supports > 0)
        vectors = onnx_reshape(n, vectors, onnx_list(n, (int64_t[]){supports, -1}, 2));
    else
        onnx_attr_ignore(n, "kernel_type"), onnx_attr_ignore(n, "kernel_params");
    y = onnx_binary(n, "MatMul", supports > 0 ? kernel_of(n, x, vectors) : x, factors);
    y = ml_transformed(n, onnx_binary(n, "Add", y, rho));
    return onnx_give(n, 0, onnx_convert(n, outliers ? one_class(n, y) : y, INLAY_F32));
}

static bool import_svm_classifier(onnx_node *n)
{
    return onnx_node_fail(n, "votes of pairs of classes are not read");
}

const onnx_operator onnx_operators_ml_linear[] = {
    {"ai.onnx.ml.LinearClassifier", 1, import_linear_classifier, NULL, 1},
    {"ai.onnx.ml.LinearRegressor", 1, import_linear_regressor, NULL, 1},
    {"ai.onnx.ml.SVMClassifier", 1, import_svm_classifier, NULL, 1},
    {"ai.onnx.ml.SVMRegressor", 1, import_svm_regressor, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};
