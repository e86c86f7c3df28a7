/* Nodes that imports of several families make. See make.h. */
#include "parser/onnx/import/make.h"
#include "ir/shared.h"

#include <float.h>
#include <math.h>
#include <string.h>

inlay_value *make_size(onnx_node *n, inlay_value *x, int axis)
{
    return x ? onnx_sizes(n, x, axis, axis + 1) : NULL;
}

inlay_value *make_join(onnx_node *n, inlay_value *const *lists, int count)
{
    return onnx_make(n, "Concat", count, lists, ATTRS(INT("axis", 0)));
}

inlay_value *make_reshape(onnx_node *n, inlay_value *x, inlay_value *const *sizes, int count)
{
    return onnx_reshape(n, x, make_join(n, sizes, count));
}

inlay_value *make_shaped(onnx_node *n, inlay_value *x, const int64_t *dims, int count)
{
    inlay_value *shape = x ? onnx_list(n, dims, count) : NULL;

    return onnx_make(n, "Reshape", 2, (inlay_value *[]){x, shape},
                     ATTRS(FLAG("special_zero", true)));
}

inlay_value *make_regrouped(onnx_node *n, inlay_value *x, const int64_t *dims, int rank)
{
    const inlay_tensor *t = x && inlay_node_is(x->node, INLAY_OP_CONST) ? x->fact.content : NULL;
    inlay_tensor *same = NULL;
    inlay_value *v;
    int64_t count;

    if (!t || !inlay_tensor_is_dense(t) || t->offset != 0 ||
        !inlay_count_elements(rank, dims, &count) || count != inlay_tensor_count(t))
        return make_shaped(n, x, dims, rank);
    same = inlay_tensor_over(t->buffer, t->data, t->type, rank, dims);
    if (!same) {
        inlay_fail_memory(n->d);
        return NULL;
    }
    v = onnx_constant(n, same);
    inlay_tensor_release(same);
    return v;
}

inlay_value *make_heads(onnx_node *n, inlay_value *x, int64_t heads)
{
    inlay_value *count = onnx_list(n, &heads, 1), *size = make_size(n, x, 2);
    inlay_value *sizes[] = {make_size(n, x, 0), make_size(n, x, 1), count,
                            onnx_binary(n, "Divide", size, count)};

    return make_reshape(n, x, sizes, 4);
}

inlay_value *make_merged(onnx_node *n, inlay_value *x)
{
    inlay_value *sizes[] = {make_size(n, x, 0), make_size(n, x, 1),
                            x ? onnx_sizes(n, x, 2, 4) : NULL};

    return make_reshape(n, x, sizes, 3);
}

inlay_value *make_transpose(onnx_node *n, inlay_value *x, const int64_t *order, int rank)
{
    return onnx_binary(n, "Transpose", x, onnx_list(n, order, rank));
}

inlay_value *make_unsqueeze(onnx_node *n, inlay_value *x, const int64_t *axes, int count)
{
    return onnx_binary(n, "Unsqueeze", x, onnx_list(n, axes, count));
}

inlay_value *make_squeeze(onnx_node *n, inlay_value *x, const int64_t *axes, int count)
{
    return onnx_binary(n, "Squeeze", x, onnx_list(n, axes, count));
}

inlay_value *make_cut(onnx_node *n, inlay_value *x, int axis, inlay_value *start, inlay_value *stop,
                      int64_t step)
{
    inlay_value *in[] = {x, start, stop, onnx_list(n, &step, 1),
                         onnx_list(n, (int64_t[]){axis}, 1)};

    return in[4] ? onnx_make(n, "Slice", 5, in, NULL) : NULL;
}

inlay_value *make_steps(onnx_node *n, inlay_value *starts)
{
    inlay_value *one = onnx_number(n, starts->fact.type, 1), *shape;

    if (starts->fact.rank == 1 && inlay_dim_is_static(starts->fact.dims[0]) &&
        starts->fact.type == INLAY_I64) {
        int64_t ones[INLAY_MAX_RANK], count = starts->fact.dims[0].lo;

        for (int i = 0; i < count && i < INLAY_MAX_RANK; i++)
            ones[i] = 1;
        if (count <= INLAY_MAX_RANK)
            return onnx_list(n, ones, (int)count);
    }
    shape = onnx_make(n, "ShapeOf", 1, &starts, NULL);
    return onnx_binary(n, "Broadcast", one, shape);
}

inlay_value *make_concat(onnx_node *n, inlay_value *a, inlay_value *b, int axis)
{
    return onnx_make(n, "Concat", 2, (inlay_value *[]){a, b}, ATTRS(INT("axis", axis)));
}

inlay_value *make_select(onnx_node *n, inlay_value *condition, inlay_value *a, inlay_value *b)
{
    inlay_value *in[] = {condition, a, b};

    return onnx_make(n, "Select", 3, in, NULL);
}

inlay_value *make_reduce(onnx_node *n, const char *type, inlay_value *x, inlay_value *axes,
                         bool keep)
{
    return onnx_make(n, type, 2, (inlay_value *[]){x, axes}, ATTRS(FLAG("keep_dims", keep)));
}

inlay_value *make_reduce_all(onnx_node *n, const char *type, inlay_value *x)
{
    int rank = x ? onnx_rank(n, x) : -1;

    return rank < 0 ? NULL : make_reduce(n, type, x, onnx_axes(n, 0, rank), false);
}

inlay_value *make_counting(onnx_node *n, inlay_value *count)
{
    int rank = count ? onnx_rank(n, count) : -1;
    inlay_value *stop = rank == 1 ? make_squeeze(n, count, (int64_t[]){0}, 1) : count;
    inlay_value *in[] = {onnx_integer(n, 0), stop, onnx_integer(n, 1)};

    return onnx_make(n, "Range", 3, in, ATTRS(TYPE("output_type", INLAY_I64)));
}

inlay_value *make_zeros(onnx_node *n, inlay_type type, inlay_value *shape)
{
    return onnx_binary(n, "Broadcast", onnx_number(n, type, 0), shape);
}

inlay_type make_wide_type(inlay_type type)
{
    return type == INLAY_F16 || type == INLAY_BF16 ? INLAY_F32 : type;
}

inlay_value *make_wide(onnx_node *n, inlay_value *x)
{
    return x ? onnx_convert(n, x, make_wide_type(x->fact.type)) : NULL;
}

inlay_value *make_unit(onnx_node *n, inlay_value *x, inlay_value *axes)
{
    inlay_value *most = make_reduce(n, "ReduceMax", onnx_unary(n, "Abs", x), axes, true), *usual;

    if (!most)
        return NULL;
    usual = onnx_binary(n, "LogicalAnd",
                        onnx_binary(n, "Greater", most, onnx_number(n, x->fact.type, 0)),
                        onnx_binary(n, "Less", most, onnx_number(n, x->fact.type, INFINITY)));
    return make_select(n, usual, most, onnx_number(n, x->fact.type, 1));
}

inlay_value *make_root_mean_square(onnx_node *n, inlay_value *x, inlay_value *axes, double epsilon)
{
    inlay_value *mean = make_reduce(n, "ReduceMean", onnx_binary(n, "Multiply", x, x), axes, true);

    return mean ? onnx_unary(n, "Sqrt",
                             onnx_binary(n, "Add", mean, onnx_number(n, x->fact.type, epsilon)))
                : NULL;
}

void make_order(int64_t *order, int rank, int from, int to)
{
    int next = 0;

    for (int i = 0; i < rank; i++) {
        next += next == from;
        order[i] = i == to ? from : next++;
    }
}

inlay_value *make_moved(onnx_node *n, inlay_value *x, int rank, int from, int to)
{
    int64_t order[INLAY_MAX_RANK];

    make_order(order, rank, from, to);
    return from == to ? x : make_transpose(n, x, order, rank);
}

inlay_value *make_channels_second(onnx_node *n, inlay_value *x, bool back)
{
    int rank = x ? onnx_rank(n, x) : -1;

    return rank < 2 ? rank < 0 ? NULL : x
                    : make_moved(n, x, rank, back ? 1 : rank - 1, back ? rank - 1 : 1);
}

inlay_value *make_longer(onnx_node *n, inlay_value *x, int rank, int axis, inlay_value *more,
                         double value)
{
    static const int64_t none[INLAY_MAX_RANK] = {0};
    inlay_value *pads[3], *in[4] = {x};
    int count = 0;

    if (!x)
        return NULL;
    if (axis > 0)
        pads[count++] = onnx_list(n, none, axis);
    pads[count++] = more;
    if (axis < rank - 1)
        pads[count++] = onnx_list(n, none, rank - axis - 1);
    in[1] = onnx_list(n, none, rank);
    in[2] = count == 1 ? more : make_join(n, pads, count);
    in[3] = onnx_number(n, x->fact.type, value);
    return onnx_make(n, "Pad", 4, in, ATTRS(WORD("pad_mode", "constant")));
}

inlay_value *make_sum(onnx_node *n, inlay_value *x, int i)
{
    return onnx_in(n, i) ? onnx_binary(n, "Add", x, n->in[i]) : x;
}

inlay_value *make_factor(onnx_node *n, inlay_value *x, const char *name)
{
    bool ok = true;
    double f = onnx_attr_float(n, name, 1, &ok);

    return !ok ? NULL : f == 1 ? x : make_scaled(n, x, f);
}

inlay_value *make_scaled(onnx_node *n, inlay_value *x, double factor)
{
    return x ? onnx_binary(n, "Multiply", x, onnx_number(n, x->fact.type, factor)) : NULL;
}

/* The operation that computes an activation; the parameters are its attributes, or operands behind
 * X, or factors behind and before it. */
typedef struct activation {
    const char *name, *as;
    int count;
    double usual[MAKE_PARAMETERS];
    const char *attrs[MAKE_PARAMETERS]; /* NULL: an operand */
    bool factors;
} activation;

static const activation activations[] = {
    {"Clip", "Clamp", 2, {-FLT_MAX, FLT_MAX}, {"min", "max"}, false},
    {"Elu", "Elu", 1, {1}, {"alpha"}, false},
    {"HardSigmoid", "HardSigmoid", 2, {0.2f, 0.5f}, {NULL}, false},
    {"HardSwish", "HSwish", 0, {0}, {NULL}, false},
    {"LeakyRelu", "PReLU", 1, {0.01f}, {NULL}, false},
    {"ParametricSoftplus", "SoftPlus", 2, {1, 1}, {NULL}, true},
    {"Relu", "ReLU", 0, {0}, {NULL}, false},
    {"ScaledTanh", "Tanh", 2, {1, 1}, {NULL}, true},
    {"Selu", "Selu", 2, {1.67326319217681884765625, 1.05070102214813232421875}, {NULL}, false},
    {"Sigmoid", "Sigmoid", 0, {0}, {NULL}, false},
    {"Softplus", "SoftPlus", 0, {0}, {NULL}, false},
    {"Softsign", "SoftSign", 0, {0}, {NULL}, false},
    {"Tanh", "Tanh", 0, {0}, {NULL}, false},
    {"ThresholdedRelu", NULL, 1, {1}, {NULL}, false},
};

static const activation *activation_named(const char *name)
{
    for (size_t i = 0; i < sizeof activations / sizeof *activations; i++) {
        if (strcmp(activations[i].name, name) == 0)
            return &activations[i];
    }
    return NULL;
}

/* X times parameter I of A, of which COUNT are given as P. */
static inlay_value *scaled_by(onnx_node *n, inlay_value *x, const activation *a, const double *p,
                              int count, int i)
{
    return a->factors ? make_scaled(n, x, i < count ? p[i] : a->usual[i]) : x;
}

inlay_value *make_activation(onnx_node *n, inlay_value *x, const char *name, const double *p,
                             int count)
{
    const activation *a = activation_named(name);
    inlay_value *in[1 + MAKE_PARAMETERS] = {x};
    onnx_given attrs[MAKE_PARAMETERS + 1] = {{NULL, 0, {0}}};
    int n_in = 1, n_attrs = 0;

    if (!*name || !x)
        return x;
    if (!a) {
        onnx_node_fail(n, "activation is \"%.80s\", which is not known", name);
        return NULL;
    }
    in[0] = scaled_by(n, x, a, p, count, 1);
    for (int i = 0; !a->factors && i < a->count; i++) {
        double value = i < count ? p[i] : a->usual[i];

        if (a->attrs[i])
            attrs[n_attrs++] = REAL(a->attrs[i], value);
        else
            in[n_in++] = onnx_number(n, x->fact.type, value);
    }
    if (!a->as)
        return make_select(n, onnx_binary(n, "Greater", x, in[1]), x,
                           onnx_number(n, x->fact.type, 0));
    if (strcmp(a->as, "PReLU") == 0) /* whose slope is a list */
        in[1] = onnx_binary(n, "Broadcast", in[1], onnx_list(n, (int64_t[]){1}, 1));
    return scaled_by(n, onnx_make(n, a->as, n_in, in, attrs), a, p, count, 0);
}
