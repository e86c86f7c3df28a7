/* Losses of classification, by the functions by which ONNX defines them:
 *
 *     NegativeLogLikelihoodLoss(x, target, weight)[n, d]
 *         = -x[n, target[n, d], d] * weight[target[n, d]]
 *
 * and SoftmaxCrossEntropyLoss is that of LogSoftmax(x). If the target is ignore_index, the loss and
 * its weight are 0. */
#include "parser/onnx/import/make.h"

#include <string.h>

typedef struct loss {
    onnx_node *n;
    inlay_value *x, *target;       /* [N, C, d1, ...], [N, d1, ...] */
    inlay_value *weight, *weights; /* of the classes, NULL: 1; of the targets, NULL: 1 */
    inlay_value *ignored;          /* [N, d1, ...]; NULL: none */
} loss;

static inlay_value *zero(const loss *l)
{
    return onnx_number(l->n, l->x->fact.type, 0);
}

/* An ignored target may be out of range: class 0 replaces it. */
static bool mark_ignored(loss *l)
{
    onnx_node *n = l->n;
    bool ok = true;
    int64_t index = onnx_attr_int(n, "ignore_index", 0, &ok);

    if (!ok || !onnx_attr(n, "ignore_index"))
        return ok;
    l->ignored =
        onnx_binary(n, "Equal", onnx_convert(n, l->target, INLAY_I64), onnx_integer(n, index));
    l->target = make_select(n, l->ignored, onnx_number(n, l->target->fact.type, 0), l->target);
    return l->target != NULL;
}

/* Finds the weight of each target. Without weights and ignored targets all are 1, and no value is
 * made for them. */
static bool weigh(loss *l)
{
    if (l->weight)
        l->weights = onnx_take(l->n, l->weight, l->target, 0);
    else if (l->ignored)
        l->weights = onnx_number(l->n, l->x->fact.type, 1);
    else
        return true;
    if (l->ignored)
        l->weights = make_select(l->n, l->ignored, zero(l), l->weights);
    return l->weights != NULL;
}

/* Returns -x[n, target[n, d], d]. */
static inlay_value *picked(const loss *l)
{
    onnx_node *n = l->n;
    inlay_value *at = make_unsqueeze(n, l->target, (int64_t[]){1}, 1);
    inlay_value *x =
        onnx_make(n, "GatherElements", 2, (inlay_value *[]){l->x, at}, ATTRS(INT("axis", 1)));

    x = make_squeeze(n, x, (int64_t[]){1}, 1);
    if (l->ignored)
        x = make_select(n, l->ignored, zero(l), x);
    return onnx_unary(n, "Negative", x);
}

static inlay_value *reduced(const loss *l, inlay_value *x, const char *reduction)
{
    onnx_node *n = l->n;

    if (strcmp(reduction, "none") == 0)
        return x;
    if (strcmp(reduction, "sum") == 0)
        return make_reduce_all(n, "ReduceSum", x);
    if (!l->weights)
        return make_reduce_all(n, "ReduceMean", x);
    return onnx_binary(n, "Divide", make_reduce_all(n, "ReduceSum", x),
                       make_reduce_all(n, "ReduceSum", l->weights));
}

/* Checks that the target has the axes of X except for the classes, and that there is a weight for
 * each class. */
static bool hold_classes(loss *l)
{
    onnx_node *n = l->n;
    inlay_shape x = onnx_shape(n->in[0]), target = {.rank = x.rank - 1};

    if (x.rank < 0)
        return true;
    if (!onnx_has_rank(n, 0, 2, INLAY_MAX_RANK) || !onnx_has_count(n, 2, x.dim[1]))
        return false;
    for (int k = 0; k < target.rank; k++)
        target.dim[k] = x.dim[k == 0 ? 0 : k + 1];
    if (!onnx_has_shape(n, 1, &target))
        return false;
    if (l->weight)
        l->weight = onnx_held(n, l->weight, &(onnx_size_of){n->in[0], 1, 0}, 1);
    return l->weight || !onnx_in(n, 2);
}

/* Sums are computed in a wider type. */
static bool give_loss(onnx_node *n, inlay_value *log_probabilities)
{
    bool ok = true;
    const char *reduction = onnx_attr_string(n, "reduction", "mean", &ok);
    loss l = {.n = n,
              .x = make_wide(n, log_probabilities),
              .target = n->in[1],
              .weight = make_wide(n, onnx_in(n, 2))};
    inlay_value *x;

    if (!ok || !l.x || !hold_classes(&l))
        return false;
    if (strcmp(reduction, "none") != 0 && strcmp(reduction, "sum") != 0 &&
        strcmp(reduction, "mean") != 0)
        return onnx_node_fail(n, "reduction is \"%.80s\", it must be none, sum or mean", reduction);
    if (!mark_ignored(&l) || !weigh(&l))
        return false;
    x = picked(&l);
    if (l.weights)
        x = onnx_binary(n, "Multiply", x, l.weights);
    return onnx_give(n, 0, onnx_convert(n, reduced(&l, x, reduction), n->in[0]->fact.type));
}

static bool import_negative_log(onnx_node *n)
{
    return give_loss(n, n->in[0]);
}

static bool import_cross_entropy(onnx_node *n)
{
    inlay_value *x = make_wide(n, n->in[0]);

    x = onnx_make(n, "LogSoftmax", 1, &x, ATTRS(INT("axis", 1)));
    return onnx_give(n, 1, onnx_convert(n, x, n->in[0]->fact.type)) && give_loss(n, x);
}

const onnx_operator onnx_operators_loss[] = {
    {"NegativeLogLikelihoodLoss", 12, import_negative_log, NULL, 2},
    {"SoftmaxCrossEntropyLoss", 12, import_cross_entropy, NULL, 2},
    {NULL, 0, NULL, NULL, 0},
};
