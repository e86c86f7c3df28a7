/* Linear models and support vector machines of the domain ai.onnx.ml, and the post-processing of
 * scores for all of its models. */
#include "parser/onnx/import/make.h"
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

/* The number below which a normal variable is with probability X, nearly: with y = 2 x - 1 and l =
 * ln(1 - y^2), the sign of y times sqrt(2 sqrt(a^2 - l / c) - 2 a), where a = 2 / (pi c) + l / 2 and c
 * = 0.147. */
static inlay_value *probit(onnx_node *n, inlay_value *x)
{
    const double c = 0.147, pi = 3.14159265358979323846;
    inlay_value *y, *log, *a, *root;
    inlay_type type = x->fact.type;

    y = onnx_binary(n, "Subtract", make_scaled(n, x, 2), onnx_number(n, type, 1));
    log = onnx_binary(n, "Subtract", onnx_number(n, type, 1), onnx_binary(n, "Multiply", y, y));
    log = onnx_unary(n, "Log", log);
    a = onnx_binary(n, "Add", make_scaled(n, log, 0.5), onnx_number(n, type, 2 / (pi * c)));
    root = onnx_binary(n, "Subtract", onnx_binary(n, "Multiply", a, a), make_scaled(n, log, 1 / c));
    root = onnx_binary(n, "Subtract", onnx_unary(n, "Sqrt", root), a);
    root = onnx_unary(n, "Sqrt", make_scaled(n, root, 2));
    return onnx_binary(n, "Multiply", onnx_unary(n, "Sign", y), root);
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
    if (strcmp(how, "PROBIT") == 0)
        return probit(n, scores);
    onnx_node_fail(n,
                   "post_transform is \"%.40s\", it must be NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO "
                   "or PROBIT",
                   how);
    return NULL;
}

/* Gives the label in CLASSES of the largest of SCORES [N, C] in each row. */
static bool give_largest(onnx_node *n, inlay_value *scores, inlay_value *classes)
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
           onnx_give(n, 0, onnx_make(n, "Gather", 3, (inlay_value *[]){classes, best, zero}, NULL));
}

bool ml_give_labels(onnx_node *n, inlay_value *scores, inlay_value *classes)
{
    return give_largest(n, scores, classes) && onnx_give(n, 1, onnx_convert(n, scores, INLAY_F32));
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

/* One SCORE for two classes is that of the second class. It wins where it is above 0; its own score
 * is the rest to 1 without a transform, and else the transform of the opposite. */
static bool give_second_class(onnx_node *n, inlay_value *score, inlay_value *classes)
{
    bool ok = true;
    bool plain = strcmp(onnx_attr_string(n, "post_transform", "NONE", &ok), "NONE") == 0;
    inlay_value *both = score ? make_concat(n, onnx_unary(n, "Negative", score), score, 1) : NULL;
    inlay_value *z;

    if (!ok || !give_largest(n, both, classes))
        return false;
    z = plain
            ? make_concat(n, onnx_binary(n, "Subtract", onnx_number(n, score->fact.type, 1), score),
                          score, 1)
            : ml_transformed(n, both);
    return onnx_give(n, 1, onnx_convert(n, z, INLAY_F32));
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
    return scores == 1 && count == 2 ? give_second_class(n, y, classes)
                                     : ml_give_labels(n, ml_transformed(n, y), classes);
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

/* SVMClassifier: of each pair of classes the support vectors of both say which one gets a vote; the
 * class with most votes is the label. Coefficients stand in lists for the vectors, of which list j
 * has those of a class for its pair with class j, itself left out. */
typedef struct votes {
    onnx_node *n;
    int64_t classes, vectors, pairs;
    const int64_t *counts; /* of the vectors of each class */
    inlay_value *x, *labels;
    inlay_type type;
} votes;

enum { MOST_CLASSES = 1 << 8 }; /* there are half as many pairs as its square */

/* A constant of the sizes ROWS and COLUMNS whose elements are zeros; NULL and an error. */
static inlay_tensor *matrix_of(const votes *v, int64_t rows, int64_t columns)
{
    return assemble_tensor(&v->n->s->r->a, v->type, 2, (int64_t[]){rows, columns});
}

static inlay_value *given(onnx_node *n, inlay_tensor *t)
{
    inlay_value *v = t ? onnx_constant(n, t) : NULL;

    inlay_tensor_release(t);
    return v;
}

/* What each vector counts for each pair: [vectors, pairs]. */
static inlay_value *factors_of(const votes *v, const float *list)
{
    inlay_tensor *t = matrix_of(v, v->vectors, v->pairs);
    int64_t pair = 0, first = 0;

    for (int64_t i = 0; t && i < v->classes; first += v->counts[i++]) {
        int64_t other = first + v->counts[i];

        for (int64_t j = i + 1; j < v->classes; other += v->counts[j++], pair++) {
            for (int64_t k = first; k < first + v->counts[i]; k++)
                inlay_tensor_set_f64(t, k * v->pairs + pair,
                                     (double)list[(j - 1) * v->vectors + k]);
            for (int64_t k = other; k < other + v->counts[j]; k++)
                inlay_tensor_set_f64(t, k * v->pairs + pair, (double)list[i * v->vectors + k]);
        }
    }
    return given(v->n, t);
}

/* Which class of each pair is its first one, or its SECOND: [pairs, classes]. */
static inlay_value *sides(const votes *v, bool second)
{
    inlay_tensor *t = matrix_of(v, v->pairs, v->classes);
    int64_t pair = 0;

    for (int64_t i = 0; t && i < v->classes; i++) {
        for (int64_t j = i + 1; j < v->classes; j++, pair++)
            inlay_tensor_set_f64(t, pair * v->classes + (second ? j : i), 1);
    }
    return given(v->n, t);
}

/* How many votes each class gets by SCORES [N, pairs]. */
static inlay_value *votes_of(const votes *v, inlay_value *scores)
{
    onnx_node *n = v->n;
    inlay_value *won = onnx_binary(n, "Greater", scores, number_like(n, scores, 0)), *lost;

    lost = onnx_convert(n, onnx_unary(n, "LogicalNot", won), v->type);
    won = onnx_convert(n, won, v->type);
    return onnx_binary(n, "Add", onnx_binary(n, "MatMul", won, sides(v, false)),
                       onnx_binary(n, "MatMul", lost, sides(v, true)));
}

/* The probability of the first class of each pair, cut off near 0 and 1: [N, pairs]. */
static inlay_value *chances(const votes *v, inlay_value *scores)
{
    onnx_node *n = v->n;
    bool ok = true;
    inlay_value *a = ml_list(n, "prob_a", v->type, &ok), *b = ml_list(n, "prob_b", v->type, &ok);

    if (!ok || !a || !b || a->fact.dims[0].lo != v->pairs || b->fact.dims[0].lo != v->pairs) {
        if (ok)
            onnx_node_fail(n, "attributes \"prob_a\" and \"prob_b\" must have %lld numbers",
                           (long long)v->pairs);
        return NULL;
    }
    a = onnx_binary(n, "Add", onnx_binary(n, "Multiply", scores, a), b);
    a = onnx_unary(n, "Sigmoid", onnx_unary(n, "Negative", a));
    return onnx_make(n, "Clamp", 1, &a, ATTRS(REAL("min", 1e-7), REAL("max", 1 - 1e-7)));
}

/* A matrix [N, classes, classes] with element (i, j) of FORWARD [N, pairs] for each pair, (j, i) of
 * BACK, and zeros as (i, i). */
static inlay_value *cells(const votes *v, inlay_value *forward, inlay_value *back)
{
    onnx_node *n = v->n;
    const int64_t square[] = {0, v->classes, v->classes}, count = v->classes * v->classes;
    int64_t *at = inlay_arena_array(n->s->r->a.scratch, (size_t)count, sizeof *at), pair = 0;
    inlay_value *all = make_concat(n, forward, back, 1), *in[4];

    if (!at) {
        inlay_fail_memory(n->d);
        return NULL;
    }
    for (int64_t i = 0; i < v->classes; i++) {
        at[i * v->classes + i] = 2 * v->pairs;
        for (int64_t j = i + 1; j < v->classes; j++, pair++) {
            at[i * v->classes + j] = pair;
            at[j * v->classes + i] = v->pairs + pair;
        }
    }
    in[0] = all;
    in[1] = onnx_list(n, (int64_t[]){0, 0}, 2);
    in[2] = onnx_list(n, (int64_t[]){0, 1}, 2);
    in[3] = number_like(n, all, 0);
    all = onnx_make(n, "Pad", 4, in, ATTRS(WORD("pad_mode", "constant")));
    return make_shaped(n, onnx_take(n, all, onnx_list(n, at, (int)count), 1), square, 3);
}

/* Ones in the diagonal: [classes, classes]. */
static inlay_value *diagonal(const votes *v)
{
    inlay_tensor *t = matrix_of(v, v->classes, v->classes);

    for (int64_t i = 0; t && i < v->classes; i++)
        inlay_tensor_set_f64(t, i * v->classes + i, 1);
    return given(v->n, t);
}

/* Rows and columns of ones around Q [N, C, C], with a 0 in the corner: [N, C + 1, C + 1]. */
static inlay_value *bordered(const votes *v, inlay_value *q)
{
    onnx_node *n = v->n;
    const int64_t more[] = {0, 1, 1}, none[] = {0, 0, 0};
    inlay_tensor *corner = matrix_of(v, v->classes + 1, v->classes + 1);
    inlay_value *in[] = {q, onnx_list(n, none, 3), onnx_list(n, more, 3), number_like(n, q, 0)};

    for (int64_t i = 0; corner && i < v->classes; i++) {
        inlay_tensor_set_f64(corner, i * (v->classes + 1) + v->classes, 1);
        inlay_tensor_set_f64(corner, v->classes * (v->classes + 1) + i, 1);
    }
    q = onnx_make(n, "Pad", 4, in, ATTRS(WORD("pad_mode", "constant")));
    return onnx_binary(n, "Add", q, given(n, corner));
}

/* Probabilities p of the classes that fit those of the pairs r best: they sum up to 1, and the sum
 * of (r_ji p_i - r_ij p_j)^2 is least. So (p, x) solves a system of linear equations Q with a border
 * of ones, where Q_ii is the sum of r_ji^2 and Q_ij is -r_ij r_ji. */
static inlay_value *coupled(const votes *v, inlay_value *r)
{
    onnx_node *n = v->n;
    const int64_t last = v->classes, end = last + 1, two = 2;
    inlay_value *back = onnx_binary(n, "Subtract", number_like(n, r, 1), r), *both, *q;
    inlay_value *zero = onnx_list(n, (int64_t[]){0}, 1);

    q = cells(v, onnx_binary(n, "Multiply", r, r), onnx_binary(n, "Multiply", back, back));
    q = make_reduce(n, "ReduceSum", q, onnx_list(n, (int64_t[]){1}, 1), false);
    q = onnx_binary(n, "Multiply", make_unsqueeze(n, q, &two, 1), diagonal(v));
    both = onnx_binary(n, "Multiply", r, back);
    q = bordered(v, onnx_binary(n, "Subtract", q, cells(v, both, both)));
    q = onnx_make(n, "Inverse", 1, &q, ATTRS(FLAG("adjoint", false)));
    q = make_cut(n, q, 2, onnx_list(n, &last, 1), onnx_list(n, &end, 1), 1);
    q = make_cut(n, q, 1, zero, onnx_list(n, &last, 1), 1);
    return make_squeeze(n, q, &two, 1);
}

/* Reads the classes, and how many vectors each of them has. */
static bool read_votes(votes *v, const float **list)
{
    onnx_node *n = v->n;
    bool ok = true;
    int n_counts, n_list, n_rho;

    v->x = ml_floats(n, n->in[0]);
    v->labels = ml_classes(n, "classlabels_strings", "classlabels_ints");
    v->counts = onnx_attr_ints(n, "vectors_per_class", &n_counts, &ok);
    *list = onnx_attr_floats(n, "coefficients", &n_list, &ok);
    onnx_attr_floats(n, "rho", &n_rho, &ok);
    if (!ok || !v->x || !v->labels)
        return false;
    v->type = v->x->fact.type;
    v->classes = v->labels->fact.dims[0].lo;
    v->pairs = v->classes * (v->classes - 1) / 2;
    for (int i = 0; i < n_counts; i++) {
        if (v->counts[i] < 0 || v->counts[i] > n_list)
            return onnx_node_fail(n, "vectors_per_class[%d] is %lld, there are %d coefficients", i,
                                  (long long)v->counts[i], n_list);
        v->vectors += v->counts[i];
    }
    if (v->classes < 2 || v->classes > MOST_CLASSES)
        return onnx_node_fail(n, "there are %lld classes, there must be from 2 to %d",
                              (long long)v->classes, MOST_CLASSES);
    if (v->vectors > 0 &&
        (n_counts != v->classes || n_rho != v->pairs || n_list != (v->classes - 1) * v->vectors))
        return onnx_node_fail(n,
                              "has %d coefficients, %d numbers in rho and %d in "
                              "vectors_per_class, they must be %lld, %lld and %lld",
                              n_list, n_rho, n_counts, (long long)((v->classes - 1) * v->vectors),
                              (long long)v->pairs, (long long)v->classes);
    return v->vectors > 0 || n_list > 0 || onnx_node_fail(n, "coefficients are missing");
}

/* Without support vectors there are coefficients for each class. */
static bool import_linear_votes(const votes *v)
{
    onnx_node *n = v->n;
    bool ok = true;
    inlay_value *w = ml_list(n, "coefficients", v->type, &ok), *y,
                *rho = ml_list(n, "rho", v->type, &ok);

    onnx_attr_ignore(n, "support_vectors");
    onnx_attr_ignore(n, "prob_a");
    onnx_attr_ignore(n, "prob_b");
    w = onnx_reshape(n, w, onnx_list(n, (int64_t[]){v->classes, -1}, 2));
    y = ok ? kernel_of(n, v->x, w) : NULL;
    if (y && rho)
        y = onnx_binary(n, "Add", y, onnx_element(n, rho, 0));
    return give_largest(n, y, v->labels) &&
           onnx_give(n, 1, onnx_convert(n, ml_transformed(n, y), INLAY_F32));
}

static bool import_svm_classifier(onnx_node *n)
{
    votes v = {.n = n};
    bool ok = true;
    const float *list;
    inlay_value *vectors, *y, *z;

    if (!read_votes(&v, &list))
        return false;
    if (v.vectors == 0)
        return import_linear_votes(&v);
    vectors = ml_list(n, "support_vectors", v.type, &ok);
    if (!ok || !vectors)
        return ok && onnx_node_fail(n, "support_vectors are missing");
    vectors = onnx_reshape(n, vectors, onnx_list(n, (int64_t[]){v.vectors, -1}, 2));
    y = onnx_binary(n, "MatMul", kernel_of(n, v.x, vectors), factors_of(&v, list));
    y = onnx_binary(n, "Add", y, ml_list(n, "rho", v.type, &ok));
    if (!y || !give_largest(n, votes_of(&v, y), v.labels))
        return false;
    if (onnx_attr(n, "prob_a") || onnx_attr(n, "prob_b"))
        z = chances(&v, y);
    else
        z = y;
    if (z && z != y)
        z = coupled(&v, z);
    else if (z && v.pairs == 1)
        z = make_concat(n, onnx_unary(n, "Negative", z), z, 1);
    return onnx_give(n, 1, onnx_convert(n, ml_transformed(n, z), INLAY_F32));
}

const onnx_operator onnx_operators_ml_linear[] = {
    {"ai.onnx.ml.LinearClassifier", 1, import_linear_classifier, NULL, 1},
    {"ai.onnx.ml.LinearRegressor", 1, import_linear_regressor, NULL, 1},
    {"ai.onnx.ml.SVMClassifier", 1, import_svm_classifier, NULL, 1},
    {"ai.onnx.ml.SVMRegressor", 1, import_svm_regressor, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};
