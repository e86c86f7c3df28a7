/* Normalizations. */
#include "parser/onnx/import.h"

static inlay_value *scale_and_shift(onnx_node *n, inlay_value *x, inlay_value *scale,
                                    inlay_value *bias)
{
    x = onnx_binary(n, "Multiply", x, scale);
    return bias ? onnx_binary(n, "Add", x, bias) : x;
}

static inlay_value *mvn(onnx_node *n, inlay_value *x, inlay_value *axes, double epsilon)
{
    return x && axes ? onnx_make(n, "MVN", 2, (inlay_value *[]){x, axes},
                                 "normalize_variance=true; eps_mode=inside_sqrt; eps=%.9g", epsilon)
                     : NULL;
}

static bool import_batch(onnx_node *n)
{
    bool ok = true;
    double epsilon = onnx_attr_float(n, "epsilon", 1e-5f, &ok);
    inlay_value *in[5];

    if (!ok)
        return false;
    if (onnx_attr_int(n, "training_mode", 0, &ok) || onnx_wants(n, 1) ||
        !onnx_attr_int(n, "spatial", 1, &ok))
        return onnx_node_fail(n, "normalizes as in training, which is not read");
    onnx_attr_ignore(n, "momentum"); /* for training, as is_test of old versions */
    onnx_attr_ignore(n, "is_test");
    for (int i = 0; i < 5; i++) {
        in[i] = n->in[i];
        if (in[i]->fact.type != in[0]->fact.type &&
            !(in[i] = onnx_binary(n, "ConvertLike", in[i], in[0])))
            return false;
    }
    return onnx_give(n, 0, onnx_make(n, "BatchNormInference", 5, in, "epsilon=%.9g", epsilon));
}

static bool import_instance(onnx_node *n)
{
    bool ok = true;
    double epsilon = onnx_attr_float(n, "epsilon", 1e-5f, &ok);
    int rank = onnx_rank(n, n->in[0]);
    inlay_value *y = ok && rank > 2 ? mvn(n, n->in[0], onnx_axes(n, 2, rank), epsilon) : NULL;

    return y && onnx_give(n, 0,
                          scale_and_shift(n, y, onnx_along_axis(n, n->in[1], 1, rank),
                                          onnx_along_axis(n, n->in[2], 1, rank)));
}

/* X in the type that attribute stash_type says, f32 where it says none. */
static inlay_value *stashed(onnx_node *n, inlay_value *x)
{
    bool ok = true;
    int64_t code = onnx_attr_int(n, "stash_type", 1, &ok);
    inlay_type type;

    if (!ok || !onnx_type(n->s->r, &n->at, (int32_t)code, &type))
        return NULL;
    return x->fact.type == type ? x
                                : onnx_make(n, "Convert", 1, &x, "destination_type=%s",
                                            inlay_type_info_of(type)->name);
}

static inlay_value *like(onnx_node *n, inlay_value *x, inlay_value *type)
{
    return !x || x->fact.type == type->fact.type ? x : onnx_binary(n, "ConvertLike", x, type);
}

/* Mean and 1 / sqrt(variance + epsilon), which a LayerNormalization gives on demand. */
static bool give_moments(onnx_node *n, inlay_value *x, inlay_value *axes, double epsilon)
{
    inlay_value *in[] = {x, axes}, *mean, *deviation, *variance;

    if (!onnx_wants(n, 1) && !onnx_wants(n, 2))
        return true;
    mean = onnx_make(n, "ReduceMean", 2, in, "keep_dims=true");
    deviation = onnx_binary(n, "Subtract", x, mean);
    in[0] = onnx_binary(n, "Multiply", deviation, deviation);
    variance = in[0] ? onnx_make(n, "ReduceMean", 2, in, "keep_dims=true") : NULL;
    variance = onnx_binary(n, "Add", variance, onnx_number(n, x->fact.type, epsilon));
    return onnx_give(n, 1, mean) &&
           onnx_give(n, 2,
                     onnx_binary(n, "Divide", onnx_number(n, x->fact.type, 1),
                                 onnx_unary(n, "Sqrt", variance)));
}

/* The axes from attribute `axis` on, -1 where there is none. */
static inlay_value *last_axes(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", -1, &ok);
    int rank = onnx_rank(n, n->in[0]), first = ok && rank >= 0 ? onnx_axis(n, axis, rank) : -1;

    return first < 0 ? NULL : onnx_axes(n, first, rank);
}

static bool import_layer(onnx_node *n)
{
    bool ok = true;
    double epsilon = onnx_attr_float(n, "epsilon", 1e-5f, &ok);
    inlay_value *axes = ok ? last_axes(n) : NULL, *x = axes ? stashed(n, n->in[0]) : NULL, *y;

    if (!x)
        return false;
    y = like(n, mvn(n, x, axes, epsilon), n->in[0]);
    return onnx_give(n, 0, scale_and_shift(n, y, n->in[1], onnx_in(n, 2))) &&
           give_moments(n, x, axes, epsilon);
}

static bool import_rms(onnx_node *n)
{
    bool ok = true;
    double epsilon = onnx_attr_float(n, "epsilon", 1e-5f, &ok);
    inlay_value *axes = ok ? last_axes(n) : NULL, *x = axes ? stashed(n, n->in[0]) : NULL, *square,
                *mean;

    if (!x)
        return false;
    square = onnx_binary(n, "Multiply", x, x);
    mean = square ? onnx_make(n, "ReduceMean", 2, (inlay_value *[]){square, axes}, "keep_dims=true")
                  : NULL;
    mean = onnx_binary(n, "Add", mean, onnx_number(n, x->fact.type, epsilon));
    x = like(n, onnx_binary(n, "Divide", x, onnx_unary(n, "Sqrt", mean)), n->in[0]);
    return onnx_give(n, 0, onnx_binary(n, "Multiply", x, n->in[1]));
}

static bool import_lrn(onnx_node *n)
{
    bool ok = true;
    int64_t size = onnx_attr_int(n, "size", 1, &ok);
    double alpha = onnx_attr_float(n, "alpha", 1e-4f, &ok),
           beta = onnx_attr_float(n, "beta", 0.75f, &ok);
    double bias = onnx_attr_float(n, "bias", 1.0f, &ok);
    inlay_value *axes = ok ? onnx_list(n, (int64_t[]){1}, 1) : NULL;

    return axes && onnx_give(n, 0,
                             onnx_make(n, "LRN", 2, (inlay_value *[]){n->in[0], axes},
                                       "alpha=%.9g; beta=%.9g; bias=%.9g; size=%lld", alpha, beta,
                                       bias, (long long)size));
}

static bool import_mean_variance(onnx_node *n)
{
    bool ok = true;
    int count;
    const int64_t *list = onnx_attr_ints(n, "axes", &count, &ok);
    inlay_value *axes = list ? onnx_list(n, list, count) : onnx_list(n, (int64_t[]){0, 2, 3}, 3);

    return ok && axes &&
           onnx_give(n, 0,
                     onnx_make(n, "MVN", 2, (inlay_value *[]){n->in[0], axes},
                               "normalize_variance=true; eps_mode=outside_sqrt; eps=1e-9"));
}

const onnx_operator onnx_operators_normalize[] = {
    {"BatchNormalization", 1, import_batch, NULL, 5},
    {"InstanceNormalization", 1, import_instance, NULL, 3},
    {"LRN", 1, import_lrn, NULL, 1},
    {"LayerNormalization", 17, import_layer, NULL, 2},
    {"MeanVarianceNormalization", 9, import_mean_variance, NULL, 1},
    {"RMSNormalization", 23, import_rms, NULL, 2},
    {NULL, 0, NULL, NULL, 0},
};
