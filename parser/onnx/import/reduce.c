/* Reductions, and operators along one axis. */
#include "parser/onnx/export.h"
#include "parser/onnx/import/make.h"

#include <math.h>
#include <string.h>

/* Lists all axes of X. */
static inlay_value *all_axes(onnx_node *n, const inlay_value *x)
{
    int rank = onnx_rank(n, x);

    return rank < 0 ? NULL : onnx_axes(n, 0, rank);
}

/* Returns AXES or, if that is empty in the run, all axes of X. */
static inlay_value *or_all(onnx_node *n, inlay_value *axes, inlay_value *x)
{
    inlay_value *all = all_axes(n, x), *none = onnx_list(n, (int64_t[]){0}, 1),
                *rank = onnx_list(n, (int64_t[]){x->fact.rank}, 1), *stop;

    if (axes->fact.rank != 1)
        axes = onnx_reshape(n, axes, onnx_list(n, (int64_t[]){-1}, 1));
    stop = make_select(n, onnx_binary(n, "Equal", onnx_shape_of(n, axes), none), rank, none);
    return make_concat(n, onnx_convert(n, axes, INLAY_I64), make_cut(n, all, 0, none, stop, 1), 0);
}

/* Returns the axes to reduce: an operand, or an attribute in old versions. If there are none, all
 * axes are reduced or, with noop_with_empty_axes, none. */
static inlay_value *axes_of(onnx_node *n)
{
    bool ok = true, noop = onnx_attr_int(n, "noop_with_empty_axes", 0, &ok) != 0;
    int count;
    const int64_t *list = onnx_attr_ints(n, "axes", &count, &ok);
    inlay_value *axes = onnx_in(n, 1);
    bool is_list = axes && axes->fact.rank == 1;

    if (ok && axes && list)
        ok = onnx_node_fail(n, "axes are an operand and an attribute");
    if (!ok)
        return NULL;
    if (axes && (noop || axes->fact.rank == 0 || (is_list && axes->fact.dims[0].lo > 0)))
        return axes;
    if (axes && !(is_list && inlay_dim_is_static(axes->fact.dims[0])))
        return or_all(n, axes, n->in[0]);
    if (list && count > 0)
        return onnx_list(n, list, count);
    return noop ? onnx_list(n, NULL, 0) : all_axes(n, n->in[0]);
}

static inlay_value *fold_along(onnx_node *n, const char *type, inlay_value *x, inlay_value *axes)
{
    bool ok = true, keep = onnx_attr_int(n, "keepdims", 1, &ok) != 0;

    return ok ? make_reduce(n, type, x, axes, keep) : NULL;
}

static bool import_fold(onnx_node *n)
{
    return onnx_give(n, 0, fold_along(n, n->op->as, n->in[0], axes_of(n)));
}

/* The maximum of booleans is their logical or. */
static bool import_max(onnx_node *n)
{
    const char *type = n->in[0]->fact.type == INLAY_BOOLEAN ? "ReduceLogicalOr" : "ReduceMax";

    return onnx_give(n, 0, fold_along(n, type, n->in[0], axes_of(n)));
}

static bool import_min(onnx_node *n)
{
    const char *type = n->in[0]->fact.type == INLAY_BOOLEAN ? "ReduceLogicalAnd" : "ReduceMin";

    return onnx_give(n, 0, fold_along(n, type, n->in[0], axes_of(n)));
}

/* Reduces X in the wider type TYPE, and rounds the result once. */
static bool give_wide(onnx_node *n, inlay_type type,
                      inlay_value *fold(onnx_node *n, inlay_value *x, inlay_value *axes))
{
    inlay_value *axes = axes_of(n), *y = fold(n, onnx_convert(n, n->in[0], type), axes);

    return onnx_give(n, 0, onnx_convert(n, y, n->in[0]->fact.type));
}

static inlay_value *sum_square(onnx_node *n, inlay_value *x, inlay_value *axes)
{
    return fold_along(n, "ReduceSum", onnx_binary(n, "Multiply", x, x), axes);
}

static bool import_sum_square(onnx_node *n)
{
    return give_wide(n, make_wide_type(n->in[0]->fact.type), sum_square);
}

/* If a sum of f64 overflows, its logarithm is computed as log(sum(x / 2^64)) + log(2^64). */
static inlay_value *log_sum(onnx_node *n, inlay_value *x, inlay_value *axes)
{
    const double part = 0x1p-64, log_parts = 44.361419555836498;
    inlay_value *sum = fold_along(n, "ReduceSum", x, axes), *parts, *over;

    if (n->in[0]->fact.type != INLAY_F64)
        return onnx_unary(n, "Log", sum);
    parts = onnx_unary(n, "Log", fold_along(n, "ReduceSum", make_scaled(n, x, part), axes));
    parts = onnx_binary(n, "Add", parts, onnx_number(n, INLAY_F64, log_parts));
    over = onnx_binary(n, "Equal", sum, onnx_number(n, INLAY_F64, INFINITY));
    return make_select(n, over, parts, onnx_unary(n, "Log", sum));
}

/* The sum of integers wraps as that of ReduceSum. */
static bool import_log_sum(onnx_node *n)
{
    inlay_type type = n->in[0]->fact.type;

    return give_wide(n, inlay_type_is_float(type) ? INLAY_F64 : type, log_sum);
}

/* Returns max + log(sum(exp(x - max))), which does not overflow on the way; if max is infinite, 0
 * replaces it. The last reduction removes the axes, which have size 1 by then. */
static inlay_value *log_sum_exp(onnx_node *n, inlay_value *x, inlay_value *axes)
{
    inlay_value *most = make_reduce(n, "ReduceMax", x, axes, true), *finite, *sum;

    if (!most)
        return NULL;
    finite =
        onnx_binary(n, "Less", onnx_unary(n, "Abs", most), onnx_number(n, x->fact.type, INFINITY));
    most = make_select(n, finite, most, onnx_number(n, x->fact.type, 0));
    sum = onnx_unary(n, "Exp", onnx_binary(n, "Subtract", x, most));
    sum = make_reduce(n, "ReduceSum", sum, axes, true);
    return fold_along(n, "ReduceMax", onnx_binary(n, "Add", onnx_unary(n, "Log", sum), most), axes);
}

static bool import_log_sum_exp(onnx_node *n)
{
    inlay_type type = n->in[0]->fact.type;

    return give_wide(n, inlay_type_is_float(type) ? make_wide_type(type) : INLAY_F64, log_sum_exp);
}

static bool along_axis(onnx_node *n, inlay_value *x, int64_t axis)
{
    return onnx_give(n, 0, onnx_make(n, n->op->as, 1, &x, ATTRS(INT("axis", axis))));
}

/* Before version 13 the axes from `axis` on counted as one, which makes a difference unless `axis`
 * is the last one. */
static bool along_flattened(onnx_node *n, inlay_value *x, int64_t axis)
{
    inlay_value *flat, *y, *shape;
    int rank = onnx_rank(n, x), at = rank < 0 ? -1 : onnx_axis(n, axis, rank);

    if (at < 0)
        return false;
    if (at == rank - 1)
        return along_axis(n, x, at);
    flat = onnx_flatten(n, x, at);
    y = onnx_make(n, n->op->as, 1, &flat, ATTRS(INT("axis", 1)));
    shape = onnx_make(n, "ShapeOf", 1, &x, NULL);
    return onnx_give(n, 0, onnx_reshape(n, y, shape));
}

static bool import_softmax(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", n->version < 13 ? 1 : -1, &ok);

    if (!ok)
        return false;
    return n->version < 13 ? along_flattened(n, n->in[0], axis) : along_axis(n, n->in[0], axis);
}

/* The softmax of a sum. The shape of the bias says how it is broadcast. */
static bool import_bias_softmax(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", 1, &ok);
    inlay_value *sum = onnx_binary(n, "Add", n->in[0], n->in[1]);

    onnx_attr_ignore(n, "is_inner_broadcast");
    return ok && sum && along_flattened(n, sum, axis);
}

static bool import_cumulative(onnx_node *n)
{
    bool ok = true;
    bool exclusive = onnx_attr_int(n, "exclusive", 0, &ok) != 0,
         reverse = onnx_attr_int(n, "reverse", 0, &ok) != 0;

    return ok &&
           onnx_give(n, 0,
                     onnx_make(n, n->op->as, 2, n->in,
                               ATTRS(FLAG("exclusive", exclusive), FLAG("reverse", reverse))));
}

const onnx_operator onnx_operators_reduce[] = {
    {"CumProd", 26, import_cumulative, "CumProd@onnx26", 2},
    {"CumSum", 11, import_cumulative, "CumSum", 2},
    {"LogSoftmax", 13, import_softmax, "LogSoftmax", 1},
    {"LogSoftmax", 1, import_softmax, "LogSoftmax", 1},
    {"ReduceL1", 18, import_fold, "ReduceL1", 1},
    {"ReduceL1", 1, import_fold, "ReduceL1", 1},
    {"ReduceL2", 18, import_fold, "ReduceL2", 1},
    {"ReduceL2", 1, import_fold, "ReduceL2", 1},
    {"ReduceLogSum", 18, import_log_sum, NULL, 1},
    {"ReduceLogSum", 1, import_log_sum, NULL, 1},
    {"ReduceLogSumExp", 18, import_log_sum_exp, NULL, 1},
    {"ReduceLogSumExp", 1, import_log_sum_exp, NULL, 1},
    {"ReduceMax", 18, import_max, NULL, 1},
    {"ReduceMax", 1, import_max, NULL, 1},
    {"ReduceMean", 18, import_fold, "ReduceMean", 1},
    {"ReduceMean", 1, import_fold, "ReduceMean", 1},
    {"ReduceMin", 18, import_min, NULL, 1},
    {"ReduceMin", 1, import_min, NULL, 1},
    {"ReduceProd", 18, import_fold, "ReduceProd", 1},
    {"ReduceProd", 1, import_fold, "ReduceProd", 1},
    {"ReduceSum", 13, import_fold, "ReduceSum", 1},
    {"ReduceSum", 1, import_fold, "ReduceSum", 1},
    {"ReduceSumSquare", 18, import_sum_square, NULL, 1},
    {"ReduceSumSquare", 1, import_sum_square, NULL, 1},
    {"Softmax", 13, import_softmax, "SoftMax", 1},
    {"Softmax", 1, import_softmax, "SoftMax", 1},
    {"com.microsoft.BiasSoftmax", 1, import_bias_softmax, "SoftMax", 2},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. */

/* Without axes nothing is folded, and the sums of magnitudes are magnitudes. */
static bool export_unfolded(onnx_export *x)
{
    return x->how->as[6] == 'L' ? put_give(x, 0, put(x, "Abs", IN(put_in(x, 0)), NULL))
                                : put_give(x, 0, put_in(x, 0));
}

/* Whether a mean is that of a whole picture, as GlobalAveragePool is read, and none of those of a
 * normalisation. ONNX Runtime lays convolutions out in blocks of channels, up to this operator and
 * not a ReduceMean. */
static bool is_global(const onnx_export *x, const int64_t *axes, int count)
{
    if (put_operand_of(x->n->in[0].value, "Power", 0))
        return false;
    for (const inlay_use *u = x->n->out[0].uses; u; u = u->next) {
        if (strcmp(u->node->op->name, "Subtract") == 0)
            return false;
    }
    return strcmp(x->how->as, "ReduceMean") == 0 && (PUT_BASIC & PUT_BIT(put_type(x, 0))) &&
           put_fact(x, 0)->rank == 4 && count == 2 && axes[0] + (axes[0] < 0 ? 4 : 0) == 2 &&
           axes[1] + (axes[1] < 0 ? 4 : 0) == 3;
}

/* Folds booleans as numbers. Axes that are not known are an operand. */
static bool export_fold(onnx_export *x)
{
    inlay_type own = put_type(x, 0), type = put_wider(own, x->how->types);
    const inlay_fact *axes = put_fact(x, 1);
    bool keep = inlay_node_bool(x->n, "keep_dims");
    int64_t list[INLAY_MAX_RANK];
    const char *v = put_as(x, 0, type), *y;
    int count;

    if (type == INLAY_DYNAMIC)
        return put_refuse(x, "%s of %s", x->how->as, inlay_type_info_of(own)->name);
    if (axes->content) {
        count = put_known(x, 1, list, INLAY_MAX_RANK);
        if (count <= 0)
            return count == 0 && export_unfolded(x);
        if (keep && type == own && is_global(x, list, count))
            return put_give(x, 0, put(x, "GlobalAveragePool", IN(v), NULL));
        y = put_reduce(x, x->how->as, v, list, count, keep);
    } else {
        if (strcmp(x->how->as, "ReduceSum") != 0 && !put_needs(x, 18, "axes that are not known"))
            return false;
        y = put(x, x->how->as, IN(v, put_i64_list(x, 1)),
                ATTRS(INT("keepdims", keep), INT("noop_with_empty_axes", 1)));
    }
    if (own == INLAY_BOOLEAN) /* what a fold of nothing gives is the least number */
        return put_give(x, 0, put(x, "Greater", IN(y, put_number(x, type, 0)), NULL));
    if (!inlay_type_is_float(own) && strcmp(x->how->as, "ReduceMean") == 0) /* is truncated */
        return put_give(x, 0, put_cast(x, y, own));
    return put_give_as(x, 0, y, type);
}

static bool export_softmax(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), PUT_FLOAT);

    return put_give_as(x, 0,
                       put(x, x->how->as, IN(put_as(x, 0, type)),
                           ATTRS(INT("axis", inlay_node_int(x->n, "axis")))),
                       type);
}

static bool export_cumulative(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), PUT_FLOAT | PUT_WIDE);
    const char *axis = inlay_node_input(x->n, 1) ? put_scalar(x, 1) : put_int(x, 0);

    return put_give_as(x, 0,
                       put(x, x->how->as, IN(put_as(x, 0, type), axis),
                           ATTRS(INT("exclusive", inlay_node_bool(x->n, "exclusive")),
                                 INT("reverse", inlay_node_bool(x->n, "reverse")))),
                       type);
}

#define FOLDED (PUT_FLOAT | PUT_WIDE)
const onnx_exporter onnx_exporters_reduce[] = {
    {"CumProd@onnx", export_cumulative, "CumProd", 26, PUT_ANY},
    {"CumSum", export_cumulative, "CumSum", 0, PUT_ANY},
    {"LogSoftmax", export_softmax, "LogSoftmax", 0, PUT_ANY},
    {"ReduceL1", export_fold, "ReduceL1", 0, FOLDED},
    {"ReduceL2", export_fold, "ReduceL2", 0, PUT_FLOAT},
    {"ReduceLogicalAnd", export_fold, "ReduceMin", 0, PUT_BIT(INLAY_I32)},
    {"ReduceLogicalOr", export_fold, "ReduceMax", 0, PUT_BIT(INLAY_I32)},
    {"ReduceMax", export_fold, "ReduceMax", 0, FOLDED | PUT_BIT(INLAY_I8) | PUT_BIT(INLAY_U8)},
    {"ReduceMean", export_fold, "ReduceMean", 0, PUT_FLOAT},
    {"ReduceMin", export_fold, "ReduceMin", 0, FOLDED | PUT_BIT(INLAY_I8) | PUT_BIT(INLAY_U8)},
    {"ReduceProd", export_fold, "ReduceProd", 0, FOLDED},
    {"ReduceSum", export_fold, "ReduceSum", 0, FOLDED},
    {"SoftMax", export_softmax, "Softmax", 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
#undef FOLDED
