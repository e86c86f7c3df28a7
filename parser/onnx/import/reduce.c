/* Operators that fold axes, and those along one axis. */
#include "parser/onnx/import.h"

/* Lists all axes of X. */
static inlay_value *all_axes(onnx_node *n, const inlay_value *x)
{
    int rank = onnx_rank(n, x);

    return rank < 0 ? NULL : onnx_axes(n, 0, rank);
}

/* Returns the axes to fold: an operand, or an attribute in old versions. Where neither says any,
 * all axes are folded or, with noop_with_empty_axes, none (*NONE). */
static inlay_value *axes_of(onnx_node *n, bool *none)
{
    bool ok = true, noop = onnx_attr_int(n, "noop_with_empty_axes", 0, &ok) != 0;
    int count;
    const int64_t *list = onnx_attr_ints(n, "axes", &count, &ok);
    inlay_value *axes = onnx_in(n, 1);

    *none = false;
    if (!ok)
        return NULL;
    if (axes && !(axes->fact.rank == 1 && inlay_dim_is_static(axes->fact.dims[0]) &&
                  axes->fact.dims[0].lo == 0))
        return axes;
    if (list && count > 0)
        return onnx_list(n, list, count);
    *none = noop;
    return noop ? n->in[0] : all_axes(n, n->in[0]);
}

static inlay_value *fold(onnx_node *n, const char *type, inlay_value *x)
{
    bool ok = true, keep = onnx_attr_int(n, "keepdims", 1, &ok) != 0, none;
    inlay_value *axes = ok && x ? axes_of(n, &none) : NULL;

    if (!axes)
        return NULL;
    return none ? x
                : onnx_make(n, type, 2, (inlay_value *[]){x, axes}, "keep_dims=%s",
                            keep ? "true" : "false");
}

static bool import_fold(onnx_node *n)
{
    return onnx_give(n, 0, fold(n, n->op->as, n->in[0]));
}

/* The largest of booleans is their disjunction. */
static bool import_max(onnx_node *n)
{
    return onnx_give(
        n, 0,
        fold(n, n->in[0]->fact.type == INLAY_BOOLEAN ? "ReduceLogicalOr" : "ReduceMax", n->in[0]));
}

static bool import_min(onnx_node *n)
{
    return onnx_give(
        n, 0,
        fold(n, n->in[0]->fact.type == INLAY_BOOLEAN ? "ReduceLogicalAnd" : "ReduceMin", n->in[0]));
}

static bool import_sum_square(onnx_node *n)
{
    return onnx_give(n, 0, fold(n, "ReduceSum", onnx_binary(n, "Multiply", n->in[0], n->in[0])));
}

static bool import_log_sum(onnx_node *n)
{
    return onnx_give(n, 0, onnx_unary(n, "Log", fold(n, "ReduceSum", n->in[0])));
}

static bool import_log_sum_exp(onnx_node *n)
{
    return onnx_give(n, 0,
                     onnx_unary(n, "Log", fold(n, "ReduceSum", onnx_unary(n, "Exp", n->in[0]))));
}

static bool along_axis(onnx_node *n, int64_t axis)
{
    return onnx_give(n, 0, onnx_make(n, n->op->as, 1, n->in, "axis=%lld", (long long)axis));
}

/* Before version 13 the axes from `axis` on were folded as one, which the last axis alone is
 * already. */
static bool along_flattened(onnx_node *n, int64_t axis)
{
    inlay_value *x = n->in[0], *flat, *y, *shape;
    int rank = onnx_rank(n, x), at = rank < 0 ? -1 : onnx_axis(n, axis, rank);

    if (at < 0)
        return false;
    if (at == rank - 1)
        return along_axis(n, at);
    flat = onnx_flatten(n, x, at);
    y = flat ? onnx_make(n, n->op->as, 1, &flat, "axis=1") : NULL;
    shape = onnx_make(n, "ShapeOf", 1, &x, NULL);
    return onnx_give(n, 0, onnx_reshape(n, y, shape));
}

static bool import_softmax(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", n->version < 13 ? 1 : -1, &ok);

    if (!ok)
        return false;
    return n->version < 13 ? along_flattened(n, axis) : along_axis(n, axis);
}

static bool import_cumulative(onnx_node *n)
{
    bool ok = true;
    bool exclusive = onnx_attr_int(n, "exclusive", 0, &ok) != 0,
         reverse = onnx_attr_int(n, "reverse", 0, &ok) != 0;

    return ok && onnx_give(n, 0,
                           onnx_make(n, n->op->as, 2, n->in, "exclusive=%s; reverse=%s",
                                     exclusive ? "true" : "false", reverse ? "true" : "false"));
}

const onnx_operator onnx_operators_reduce[] = {
    {"CumProd", 26, import_cumulative, "CumProd@onnx26", 2},
    {"CumSum", 11, import_cumulative, "CumSum", 2},
    {"LogSoftmax", 1, import_softmax, "LogSoftmax", 1},
    {"ReduceL1", 1, import_fold, "ReduceL1", 1},
    {"ReduceL2", 1, import_fold, "ReduceL2", 1},
    {"ReduceLogSum", 1, import_log_sum, NULL, 1},
    {"ReduceLogSumExp", 1, import_log_sum_exp, NULL, 1},
    {"ReduceMax", 1, import_max, NULL, 1},
    {"ReduceMean", 1, import_fold, "ReduceMean", 1},
    {"ReduceMin", 1, import_min, NULL, 1},
    {"ReduceProd", 1, import_fold, "ReduceProd", 1},
    {"ReduceSum", 1, import_fold, "ReduceSum", 1},
    {"ReduceSumSquare", 1, import_sum_square, NULL, 1},
    {"Softmax", 1, import_softmax, "SoftMax", 1},
    {NULL, 0, NULL, NULL, 0},
};
