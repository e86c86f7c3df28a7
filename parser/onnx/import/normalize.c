/* Normalizations. */
#include "parser/onnx/export.h"
#include "parser/onnx/import/make.h"
#include "parser/onnx/import/quantize.h"

#include <string.h>

static inlay_value *scale_and_shift(onnx_node *n, inlay_value *x, inlay_value *scale,
                                    inlay_value *bias)
{
    return onnx_binary(n, "Add", onnx_binary(n, "Multiply", x, scale), bias);
}

static inlay_value *mvn(onnx_node *n, inlay_value *x, inlay_value *axes, double epsilon)
{
    return onnx_make(n, "MVN", 2, (inlay_value *[]){x, axes},
                     ATTRS(FLAG("normalize_variance", true), WORD("eps_mode", "inside_sqrt"),
                           REAL("eps", epsilon)));
}

/* The operands of BatchNormalization are X, scale, B, mean and variance. */
enum { BATCH_OPERANDS = 5, BATCH_SCALE = 1, BATCH_MEAN = 3, BATCH_VARIANCE };

typedef struct batch {
    onnx_node *n;
    double epsilon;
    inlay_type type; /* that is computed in */
    int rank;
    bool spatial; /* statistics are per channel; else per element, over the batch only */
} batch;

/* Reshapes X to be broadcast with the input: X is a list of channels, or [C, D1, ...]. */
static inlay_value *as_broadcast(const batch *b, inlay_value *x)
{
    x = onnx_convert(b->n, x, b->type);
    return b->spatial ? onnx_along_axis(b->n, x, 1, b->rank) : x;
}

/* Makes the run check that the operands behind X have one number per channel of X or, if not
 * spatial, its axes without the batch. */
static bool hold_statistics(const batch *b)
{
    inlay_shape x = onnx_shape(b->n->in[0]), s = {.rank = b->spatial ? 1 : x.rank - 1};

    for (int k = 0; k < s.rank; k++)
        s.dim[k] = x.rank < 0 ? inlay_dim_any() : x.dim[k + 1];
    for (int i = 1; i < BATCH_OPERANDS; i++) {
        if (!onnx_has_shape(b->n, i, &s))
            return false;
        b->n->in[i] = b->spatial
                          ? onnx_held(b->n, b->n->in[i], &(onnx_size_of){b->n->in[0], 1, 0}, 1)
                          : onnx_held_like(b->n, b->n->in[i], b->n->in[0], 1);
        if (!b->n->in[i])
            return false;
    }
    return true;
}

/* Gives Y = (X - mean) / sqrt(variance + epsilon) * scale + B. */
static bool give_batch(const batch *b, inlay_value *mean, inlay_value *variance)
{
    onnx_node *n = b->n;
    inlay_value *x = onnx_convert(n, n->in[0], b->type), *y;

    variance =
        onnx_binary(n, "Add", as_broadcast(b, variance), onnx_number(n, b->type, b->epsilon));
    y = onnx_binary(n, "Subtract", x, as_broadcast(b, mean));
    y = onnx_binary(n, "Divide", y, onnx_unary(n, "Sqrt", variance));
    y = scale_and_shift(n, y, as_broadcast(b, n->in[BATCH_SCALE]),
                        as_broadcast(b, n->in[BATCH_SCALE + 1]));
    return onnx_give(n, 0, onnx_convert(n, y, n->in[0]->fact.type));
}

/* Gives MOMENTUM * (operand I, the known value) + (1 - MOMENTUM) * MEASURED. */
static bool give_running(const batch *b, int i, inlay_value *measured, double momentum)
{
    onnx_node *n = b->n;
    inlay_value *known = make_scaled(n, onnx_convert(n, n->in[i], b->type), momentum);
    inlay_value *v = onnx_binary(n, "Add", known, make_scaled(n, measured, 1 - momentum));

    return onnx_give(n, i - BATCH_MEAN + 1, onnx_convert(n, v, n->in[i]->fact.type));
}

/* Training measures mean and variance. Versions before 14 give those of this call as outputs,
 * too. */
static bool train_batch(batch *b)
{
    onnx_node *n = b->n;
    bool ok = true;
    double momentum = onnx_attr_float(n, "momentum", 0.9f, &ok);
    int64_t list[INLAY_MAX_RANK] = {0};
    inlay_value *x = onnx_convert(n, n->in[0], b->type), *axes, *mean, *variance;

    for (int i = 2; i < b->rank; i++)
        list[i - 1] = i;
    axes = onnx_list(n, list, b->spatial ? b->rank - 1 : 1);
    mean = make_reduce(n, "ReduceMean", x, axes, true);
    variance = onnx_binary(n, "SquaredDifference", x, mean);
    variance = make_reduce(n, "ReduceMean", variance, axes, false);
    mean = onnx_binary(n, "Squeeze", mean, axes);
    return ok && mean && variance && give_running(b, BATCH_MEAN, mean, momentum) &&
           give_running(b, BATCH_VARIANCE, variance, momentum) && onnx_give(n, 3, mean) &&
           onnx_give(n, 4, variance) && give_batch(b, mean, variance);
}

/* Returns whether N trains: version 14 has an attribute; versions from 7 on train if another output
 * than Y is used; earlier ones train unless is_test is set. */
static bool trains(onnx_node *n, bool *ok)
{
    if (n->version >= 14)
        return onnx_attr_int(n, "training_mode", 0, ok) != 0;
    return n->version >= 7 ? onnx_wants(n, 1) : onnx_attr_int(n, "is_test", 0, ok) == 0;
}

static bool infer_batch(onnx_node *n, double epsilon)
{
    inlay_value *in[BATCH_OPERANDS];

    for (int i = 0; i < BATCH_OPERANDS; i++) {
        if (!(in[i] = onnx_convert(n, n->in[i], n->in[0]->fact.type)))
            return false;
    }
    return onnx_give(
        n, 0,
        onnx_make(n, "BatchNormInference", BATCH_OPERANDS, in, ATTRS(REAL("epsilon", epsilon))));
}

static bool import_batch(onnx_node *n)
{
    bool ok = true;
    batch b = {.n = n,
               .epsilon = onnx_attr_float(n, "epsilon", 1e-5f, &ok),
               .type = n->in[0]->fact.type == INLAY_F64 ? INLAY_F64 : INLAY_F32,
               .spatial = n->version >= 9 || onnx_attr_int(n, "spatial", 1, &ok) != 0};
    bool training = trains(n, &ok);

    if (!ok)
        return false;
    onnx_attr_ignore(n, "momentum"); /* only used in training */
    if (!training && b.spatial)
        return infer_batch(n, b.epsilon);
    b.rank = onnx_rank(n, n->in[0]);
    if (b.rank < 2)
        return b.rank >= 0 && onnx_node_fail(n, "input[0] has %d ax%s, it must have 2 or more",
                                             b.rank, inlay_plural(b.rank, "is", "es"));
    if (!hold_statistics(&b))
        return false;
    return training ? train_batch(&b) : give_batch(&b, n->in[BATCH_MEAN], n->in[BATCH_VARIANCE]);
}

static bool import_instance(onnx_node *n)
{
    bool ok = true;
    double epsilon = onnx_attr_float(n, "epsilon", 1e-5f, &ok);
    int rank = onnx_rank(n, n->in[0]);
    inlay_value *y = ok && rank > 2 ? mvn(n, n->in[0], onnx_axes(n, 2, rank), epsilon) : NULL;

    return y && onnx_give(n, 0,
                          scale_and_shift(n, y, onnx_list_along(n, 1, n->in[1], n->in[0], 1),
                                          onnx_list_along(n, 2, n->in[2], n->in[0], 1)));
}

/* Converts X to the type that attribute stash_type says, or to f32 where the attribute is
 * absent. */
static inlay_value *stashed(onnx_node *n, inlay_value *x)
{
    inlay_type type;

    return onnx_attr_type(n, "stash_type", 1, &type) ? onnx_convert(n, x, type) : NULL;
}

static inlay_value *like(onnx_node *n, inlay_value *x, inlay_value *type)
{
    return onnx_convert(n, x, type->fact.type);
}

/* Gives mean and 1 / sqrt(variance + epsilon), which are outputs of LayerNormalization on
 * demand. */
static bool give_moments(onnx_node *n, inlay_value *x, inlay_value *axes, double epsilon)
{
    inlay_value *in[] = {x, axes}, *mean, *deviation, *variance;

    if (!onnx_wants(n, 1) && !onnx_wants(n, 2))
        return true;
    mean = onnx_make(n, "ReduceMean", 2, in, ATTRS(FLAG("keep_dims", true)));
    deviation = onnx_binary(n, "Subtract", x, mean);
    in[0] = onnx_binary(n, "Multiply", deviation, deviation);
    variance = onnx_make(n, "ReduceMean", 2, in, ATTRS(FLAG("keep_dims", true)));
    variance = onnx_binary(n, "Add", variance, onnx_number(n, x->fact.type, epsilon));
    return onnx_give(n, 1, mean) &&
           onnx_give(n, 2,
                     onnx_binary(n, "Divide", onnx_number(n, x->fact.type, 1),
                                 onnx_unary(n, "Sqrt", variance)));
}

/* Lists the axes from attribute `axis` on, -1 where the attribute is absent. */
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
    y = onnx_binary(n, "Multiply", y, onnx_fit(n, 1, n->in[1], n->in[0]));
    if (onnx_in(n, 2))
        y = onnx_binary(n, "Add", y, onnx_fit(n, 2, n->in[2], n->in[0]));
    return onnx_give(n, 0, y) && give_moments(n, x, axes, epsilon);
}

static bool import_rms(onnx_node *n)
{
    bool ok = true;
    double epsilon = onnx_attr_float(n, "epsilon", 1e-5f, &ok);
    inlay_value *axes = ok ? last_axes(n) : NULL, *x = axes ? stashed(n, n->in[0]) : NULL;

    if (!x)
        return false;
    x = like(n, onnx_binary(n, "Divide", x, make_root_mean_square(n, x, axes, epsilon)), n->in[0]);
    return onnx_give(
        n, 0, onnx_binary(n, "Multiply", like(n, x, n->in[1]), onnx_fit(n, 1, n->in[1], n->in[0])));
}

static bool import_lrn(onnx_node *n)
{
    bool ok = true;
    int64_t size = onnx_attr_int(n, "size", 1, &ok);
    double alpha = onnx_attr_float(n, "alpha", 1e-4f, &ok),
           beta = onnx_attr_float(n, "beta", 0.75f, &ok);
    double bias = onnx_attr_float(n, "bias", 1.0f, &ok);
    inlay_value *axes = ok && onnx_needs_attr(n, "size") ? onnx_list(n, (int64_t[]){1}, 1) : NULL;

    return axes && onnx_give(n, 0,
                             onnx_make(n, "LRN", 2, (inlay_value *[]){n->in[0], axes},
                                       ATTRS(REAL("alpha", alpha), REAL("beta", beta),
                                             REAL("bias", bias), INT("size", size))));
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
                               ATTRS(FLAG("normalize_variance", true),
                                     WORD("eps_mode", "outside_sqrt"), REAL("eps", 1e-9))));
}

/* Version 1 has no list of axes: its axes are those behind the channels, or from the channels
 * on. */
static bool import_mean_variance_1(onnx_node *n)
{
    bool ok = true;
    bool across = onnx_attr_int(n, "across_channels", 0, &ok) != 0,
         variance = onnx_attr_int(n, "normalize_variance", 1, &ok) != 0;
    int rank = onnx_rank(n, n->in[0]);
    inlay_value *axes = ok && rank > 2 ? onnx_axes(n, across ? 1 : 2, rank) : NULL;

    return axes && onnx_give(n, 0,
                             onnx_make(n, "MVN", 2, (inlay_value *[]){n->in[0], axes},
                                       ATTRS(FLAG("normalize_variance", variance),
                                             WORD("eps_mode", "outside_sqrt"), REAL("eps", 1e-9))));
}

/* Reshapes X so that its channels stand in groups: [N, groups, all else]. */
static inlay_value *grouped(onnx_node *n, inlay_value *x, int64_t groups)
{
    inlay_value *count = onnx_list(n, &groups, 1);
    inlay_value *sizes[] = {make_size(n, x, 0), count, NULL};

    sizes[2] = x ? onnx_binary(n, "Divide", onnx_sizes(n, x, 1, x->fact.rank), count) : NULL;
    return make_reshape(n, x, sizes, 3);
}

static inlay_value *shape_of(onnx_node *n, inlay_value *x)
{
    return onnx_make(n, "ShapeOf", 1, &x, NULL);
}

/* Scale and bias are lists of the groups before version 21, and of the channels from it on. */
static bool import_group(onnx_node *n)
{
    bool ok = true, by_channel = n->version >= 21;
    double epsilon = onnx_attr_float(n, "epsilon", 1e-5f, &ok);
    int64_t groups = onnx_attr_int(n, "num_groups", 0, &ok);
    int rank = onnx_rank(n, n->in[0]);
    inlay_value *y;

    if (!ok || rank < 0)
        return false;
    if (rank < 2 || groups < 1)
        return onnx_node_fail(n,
                              "has num_groups %lld and an input with %d ax%s, they must be 1 "
                              "and 2 or more",
                              (long long)groups, rank, inlay_plural(rank, "is", "es"));
    y = grouped(n, by_channel ? stashed(n, n->in[0]) : n->in[0], groups);
    y = mvn(n, y, onnx_list(n, (int64_t[]){2}, 1), epsilon);
    if (by_channel)
        y = like(n, onnx_reshape(n, y, shape_of(n, n->in[0])), n->in[0]);
    y = scale_and_shift(n, y, onnx_list_along(n, 1, n->in[1], y, 1),
                        onnx_list_along(n, 2, n->in[2], y, 1));
    return onnx_give(n, 0, by_channel ? y : onnx_reshape(n, y, shape_of(n, n->in[0])));
}

/* Divides X by its norm along an axis; the result is 0 if the norm is 0. X is first divided by its
 * largest magnitude, so that the norm does not overflow and is 1 or more. */
static bool import_lp(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", -1, &ok), p = onnx_attr_int(n, "p", 2, &ok);
    inlay_value *x = make_wide(n, n->in[0]), *axes = onnx_list(n, &axis, 1), *norm;

    if (ok && p != 1 && p != 2)
        return onnx_node_fail(n, "p is %lld, it must be 1 or 2", (long long)p);
    if (!ok || !x || !axes)
        return false;
    x = onnx_binary(n, "Divide", x, make_unit(n, x, axes));
    norm = make_reduce(n, p == 1 ? "ReduceL1" : "ReduceL2", x, axes, true);
    norm = norm ? onnx_binary(n, "Maximum", norm, onnx_number(n, norm->fact.type, 1)) : NULL;
    return onnx_give(n, 0, like(n, onnx_binary(n, "Divide", x, norm), n->in[0]));
}

/* ONNX Runtime's name for RMSNormalization, which its tools put into ONNX's own set. Output 1 is 1
 * / (root mean square). */
static bool import_simplified_layer(onnx_node *n)
{
    bool ok = import_rms(n);
    double epsilon = onnx_attr_float(n, "epsilon", 1e-5f, &ok);
    inlay_value *root;

    if (!ok || !onnx_wants(n, 1))
        return ok;
    root = make_root_mean_square(n, stashed(n, n->in[0]), last_axes(n), epsilon);
    return root &&
           onnx_give(n, 1, onnx_binary(n, "Divide", onnx_number(n, root->fact.type, 1), root));
}

/* As ONNX Runtime's optimisers write it: the sum of X, a skip connection and a bias is normalised
 * over the last axis. Narrow floats are computed in f32. */
typedef struct skipped {
    onnx_node *n;
    inlay_value *sum, *axes; /* in the type that is computed in */
    double epsilon;
    inlay_type type;
} skipped;

/* Reads input and skip, and operand BIAS. */
static bool read_skipped(skipped *s, int bias)
{
    onnx_node *n = s->n;
    bool ok = true;
    inlay_value *x = make_wide(n, n->in[0]);

    s->epsilon = onnx_attr_float(n, "epsilon", 1e-12f, &ok);
    s->type = n->in[0]->fact.type;
    s->axes = onnx_list(n, (int64_t[]){-1}, 1);
    s->sum = onnx_binary(n, "Add", x, onnx_fit(n, 1, make_wide(n, n->in[1]), x));
    if (onnx_in(n, bias))
        s->sum = onnx_binary(n, "Add", s->sum, onnx_fit(n, bias, make_wide(n, n->in[bias]), x));
    return ok && s->axes && s->sum;
}

enum { EMBED_WORDS, EMBED_SEGMENTS, EMBED_WORD, EMBED_POSITION, EMBED_SEGMENT };
enum { EMBED_SCALE = 5, EMBED_SHIFT, EMBED_MASK, EMBED_POSITIONS };
enum { EMBED_SCALES = 8, EMBED_ZEROS = 13 };

/* X, which was made of operand I, a table of floats or codes. Codes have a scale and a zero point
 * each, in the order of their tables, which stand behind the mask. */
static inlay_value *decoded(onnx_node *n, int i, inlay_value *x)
{
    int at = i - EMBED_WORD;

    return n->op->as ? quantize_inverse(n, x, EMBED_SCALES + at, EMBED_ZEROS + at) : x;
}

/* Gives Y, scaled by operand SCALE and shifted by operand SHIFT. */
static bool give_scaled(const skipped *s, inlay_value *y, int scale, int shift)
{
    onnx_node *n = s->n;

    y = onnx_binary(n, "Multiply", y,
                    onnx_fit(n, scale, decoded(n, scale, make_wide(n, n->in[scale])), y));
    if (onnx_in(n, shift))
        y = onnx_binary(n, "Add", y,
                        onnx_fit(n, shift, decoded(n, shift, make_wide(n, n->in[shift])), y));
    return onnx_give(n, 0, onnx_convert(n, y, s->type));
}

static bool import_skip_layer(onnx_node *n)
{
    skipped s = {.n = n};

    return read_skipped(&s, 4) && give_scaled(&s, mvn(n, s.sum, s.axes, s.epsilon), 2, 3) &&
           give_moments(n, s.sum, s.axes, s.epsilon) &&
           (!onnx_wants(n, 3) || onnx_give(n, 3, onnx_convert(n, s.sum, s.type)));
}

/* The same with RMS normalisation: X / sqrt(mean(X^2) + epsilon). */
static bool import_skip_rms(onnx_node *n)
{
    skipped s = {.n = n};
    inlay_value *root;

    if (onnx_wants(n, 1))
        return onnx_node_fail(n, "output 1, a mean, is wanted, which is not computed here");
    if (!read_skipped(&s, 3))
        return false;
    root = make_root_mean_square(n, s.sum, s.axes, s.epsilon);
    return (!onnx_wants(n, 2) ||
            onnx_give(n, 2, onnx_binary(n, "Divide", onnx_number(n, s.sum->fact.type, 1), root))) &&
           give_scaled(&s, onnx_binary(n, "Divide", s.sum, root), 2, n->n_in) &&
           (!onnx_wants(n, 3) || onnx_give(n, 3, onnx_convert(n, s.sum, s.type)));
}

/* GroupNorm, and SkipGroupNorm, whose operands 3 and 4 are added to X first, and whose output 1 is
 * that sum. Channels come last unless an attribute says otherwise. */
static inlay_value *skipped_sum(onnx_node *n, inlay_value *x)
{
    inlay_value *skip = onnx_in(n, 3);

    if (skip && onnx_rank(n, skip) == 2)
        skip = make_unsqueeze(n, skip, (int64_t[]){1, 2}, 2);
    return make_sum(n, skip ? onnx_binary(n, "Add", x, skip) : x, 4);
}

static bool import_own_group(onnx_node *n)
{
    bool ok = true, last = onnx_attr_int(n, "channels_last", 1, &ok) != 0;
    double epsilon = onnx_attr_float(n, "epsilon", 1e-5f, &ok);
    int64_t groups = onnx_attr_int(n, "groups", 0, &ok),
            activation = onnx_attr_int(n, "activation", 0, &ok);
    inlay_value *sum, *x, *y;

    if (!ok || onnx_rank(n, n->in[0]) < 0)
        return false;
    if (groups < 1 || activation < 0 || activation > 1 || n->in[0]->fact.rank != 4)
        return onnx_node_fail(n,
                              "has groups %lld, activation %lld and an input with %d axes, they "
                              "must be 1 or more, 0 or 1, and 4",
                              (long long)groups, (long long)activation, n->in[0]->fact.rank);
    sum = skipped_sum(n, n->in[0]);
    x = make_wide(n, last ? make_channels_second(n, sum, false) : sum);
    y = mvn(n, grouped(n, x, groups), onnx_list(n, (int64_t[]){2}, 1), epsilon);
    y = x ? onnx_reshape(n, y, shape_of(n, x)) : NULL;
    y = scale_and_shift(n, y, onnx_list_along(n, 1, make_wide(n, n->in[1]), y, 1),
                        onnx_list_along(n, 2, make_wide(n, n->in[2]), y, 1));
    if (activation == 1)
        y = onnx_unary(n, "Swish", y);
    y = last ? make_channels_second(n, y, true) : y;
    return onnx_give(n, 0, onnx_convert(n, y, n->in[0]->fact.type)) &&
           (!onnx_wants(n, 1) || onnx_give(n, 1, sum));
}

/* Rows of operand I, a table. */
static inlay_value *rows_of(onnx_node *n, int i, inlay_value *places)
{
    return decoded(n, i, onnx_take(n, n->in[i], places, 0));
}

/* The sum of the rows for each word, its position, which is counted from 0 where there is no
 * operand for it, and its segment. */
static inlay_value *embedding(onnx_node *n)
{
    inlay_value *places = n->op->as ? NULL : onnx_in(n, EMBED_POSITIONS), *x;

    if (!onnx_has_rank(n, EMBED_WORDS, 2, 2) || onnx_rank(n, n->in[EMBED_WORDS]) < 0)
        return NULL;
    if (!places)
        places = make_counting(n, make_size(n, n->in[EMBED_WORDS], 1));
    x = onnx_binary(n, "Add", rows_of(n, EMBED_WORD, n->in[EMBED_WORDS]),
                    rows_of(n, EMBED_POSITION, places));
    if (!onnx_in(n, EMBED_SEGMENTS) || !onnx_in(n, EMBED_SEGMENT))
        return x;
    return onnx_binary(n, "Add", x, rows_of(n, EMBED_SEGMENT, n->in[EMBED_SEGMENTS]));
}

/* How many words of each sequence the mask keeps; 0 without a mask. */
static inlay_value *kept_words(onnx_node *n)
{
    inlay_value *mask = onnx_in(n, EMBED_MASK), *kept;

    if (!mask)
        return make_zeros(n, INLAY_I32, make_size(n, n->in[EMBED_WORDS], 0));
    kept = onnx_binary(n, "Equal", mask, onnx_number(n, mask->fact.type, 1));
    return make_reduce(n, "ReduceSum", onnx_convert(n, kept, INLAY_I32),
                       onnx_list(n, (int64_t[]){1}, 1), false);
}

static bool import_embed_layer(onnx_node *n)
{
    bool ok = true;
    skipped s = {.n = n, .epsilon = onnx_attr_float(n, "epsilon", 1e-12f, &ok)};
    inlay_value *sum;

    onnx_attr_ignore(n, "mask_index_type"); /* only shapes depend on it */
    for (int i = EMBED_WORD; i < (n->op->as ? EMBED_ZEROS : EMBED_MASK); i++) {
        bool may_lack =
            i == EMBED_SEGMENT || i == EMBED_MASK ||
            (i == EMBED_SCALES + EMBED_SEGMENT - EMBED_WORD && !onnx_in(n, EMBED_SEGMENT));

        if (!may_lack && !onnx_in(n, i))
            return onnx_node_fail(n, "input[%d] is missing", i);
    }
    sum = ok ? embedding(n) : NULL;
    if (!sum)
        return false;
    s.type = sum->fact.type;
    s.axes = onnx_list(n, (int64_t[]){-1}, 1);
    return give_scaled(&s, mvn(n, make_wide(n, sum), s.axes, s.epsilon), EMBED_SCALE,
                       EMBED_SHIFT) &&
           (!onnx_wants(n, 1) || onnx_give(n, 1, kept_words(n))) &&
           (!onnx_wants(n, 2) || onnx_give(n, 2, sum));
}

const onnx_operator onnx_operators_normalize[] = {
    {"BatchNormalization", 14, import_batch, NULL, 5},
    {"BatchNormalization", 9, import_batch, NULL, 5},
    {"BatchNormalization", 7, import_batch, NULL, 5},
    {"BatchNormalization", 1, import_batch, NULL, 5},
    {"GroupNormalization", 21, import_group, NULL, 3},
    {"GroupNormalization", 18, import_group, NULL, 3},
    {"InstanceNormalization", 1, import_instance, NULL, 3},
    {"LRN", 1, import_lrn, NULL, 1},
    {"LayerNormalization", 17, import_layer, NULL, 2},
    {"LpNormalization", 1, import_lp, NULL, 1},
    {"MeanVarianceNormalization", 1, import_mean_variance_1, NULL, 1},
    {"MeanVarianceNormalization", 9, import_mean_variance, NULL, 1},
    {"RMSNormalization", 23, import_rms, NULL, 2},
    {"SimplifiedLayerNormalization", 1, import_simplified_layer, NULL, 2},
    {"com.microsoft.EmbedLayerNormalization", 1, import_embed_layer, NULL, 1},
    {"com.microsoft.QEmbedLayerNormalization", 1, import_embed_layer, "codes", 1},
    {"com.microsoft.GroupNorm", 1, import_own_group, NULL, 3},
    {"com.microsoft.SimplifiedLayerNormalization", 1, import_simplified_layer, NULL, 2},
    {"com.microsoft.SkipGroupNorm", 1, import_own_group, NULL, 4},
    {"com.microsoft.SkipLayerNormalization", 1, import_skip_layer, NULL, 3},
    {"com.microsoft.SkipSimplifiedLayerNormalization", 1, import_skip_rms, NULL, 3},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports: definitions in operators of ONNX. Narrow floats are computed as f32. */

enum { COMPUTED = PUT_BIT(INLAY_F32) | PUT_BIT(INLAY_F64) };

/* V / sqrt(MEAN + epsilon), or / (sqrt(MEAN) + epsilon). */
static const char *scaled_by_root(onnx_export *x, const char *v, const char *mean, double epsilon,
                                  bool inside, inlay_type type)
{
    const char *e = put_number(x, type, epsilon), *root;

    root = inside ? put(x, "Sqrt", IN(put_binary(x, "Add", mean, e)), NULL)
                  : put_binary(x, "Add", put(x, "Sqrt", IN(mean), NULL), e);
    return put_binary(x, "Div", v, root);
}

static const char *mvn_of(onnx_export *x, const char *v, const int64_t *axes, int count,
                          bool scaled, double epsilon, bool inside, inlay_type type)
{
    const char *d = put_binary(x, "Sub", v, put_reduce(x, "ReduceMean", v, axes, count, true)),
               *square;

    if (!scaled)
        return d;
    square = put_binary(x, "Pow", d, put_number(x, type, 2));
    return scaled_by_root(x, d, put_reduce(x, "ReduceMean", square, axes, count, true), epsilon,
                          inside, type);
}

/* Axes of version 1 are attributes: a list, or all behind the first one or two. */
/* What LayerNormalization computes before scale and shift: X over its axes from FIRST on. */
typedef struct layer {
    const inlay_value *x;
    int first;
    double eps;
} layer;

/* The first of AXES, which are all from there on of RANK; -1: they are not. */
static int first_of(const inlay_value *axes, int rank)
{
    const inlay_tensor *t = axes ? axes->fact.content : NULL;
    int64_t count = t ? inlay_tensor_count(t) : 0;

    for (int64_t i = 0; i < count; i++) {
        int64_t axis = inlay_tensor_get_i64(t, i);

        if (axis + (axis < 0 ? rank : 0) != rank - count + i)
            return -1;
    }
    return count > 0 && count <= rank ? rank - (int)count : -1;
}

static bool is_one(const inlay_value *v, double *number)
{
    const inlay_tensor *t = v ? v->fact.content : NULL;

    if (!t || inlay_tensor_count(t) != 1)
        return false;
    *number = inlay_tensor_get_f64(t, 0);
    return true;
}

/* The mean of X that V is, over axes from *FIRST on; or NULL. */
static const inlay_value *mean_by(const inlay_value *v, int *first)
{
    const inlay_value *x = put_operand_of(v, "ReduceMean", 0);

    *first = x && inlay_node_bool(v->node, "keep_dims")
                 ? first_of(put_operand_of(v, "ReduceMean", 1), x->fact.rank)
                 : -1;
    return *first >= 0 ? x : NULL;
}

/* (x - mean) / sqrt(variance + eps) */
static bool is_quotient(const inlay_value *v, layer *l)
{
    const inlay_value *d = put_operand_of(v, "Divide", 0),
                      *sum = put_operand_of(put_operand_of(v, "Divide", 1), "Sqrt", 0), *square;
    double two = 0;
    int again;

    l->x = mean_by(put_operand_of(d, "Subtract", 1), &l->first);
    square = mean_by(put_operand_of(sum, "Add", 0), &again);
    if (!l->x || !square || put_operand_of(d, "Subtract", 0) != l->x || again != l->first ||
        !is_one(put_operand_of(sum, "Add", 1), &l->eps))
        return false;
    if (put_operand_of(square, "Multiply", 0))
        return put_operand_of(square, "Multiply", 0) == d &&
               put_operand_of(square, "Multiply", 1) == d;
    return put_operand_of(square, "Power", 0) == d &&
           is_one(put_operand_of(square, "Power", 1), &two) && two == 2;
}

static bool is_mvn(const inlay_value *v, layer *l)
{
    const inlay_node *n;

    if ((v->node->op->flags & INLAY_CONVERTS) && v->node->in[0].value)
        v = v->node->in[0].value;
    n = v->node;
    if (strcmp(n->op->name, "MVN") != 0 || n->op->version < 6 ||
        strcmp(inlay_node_string(n, "eps_mode"), "inside_sqrt") != 0 ||
        !inlay_node_bool(n, "normalize_variance"))
        return false;
    l->x = n->in[0].value;
    l->first = first_of(inlay_node_input(n, 1), l->x->fact.rank);
    l->eps = inlay_node_float(n, "eps");
    return l->first >= 0;
}

/* Whether V has one number for each element of the axes that L normalises. */
static bool fits(const layer *l, const inlay_value *v)
{
    const inlay_fact *f = &l->x->fact;

    if (v->fact.rank != f->rank - l->first)
        return false;
    for (int i = 0; i < v->fact.rank; i++) {
        if (!inlay_dim_is_static(v->fact.dims[i]) || !inlay_dim_is_static(f->dims[l->first + i]) ||
            v->fact.dims[i].lo != f->dims[l->first + i].lo)
            return false;
    }
    return true;
}

static const char *put_ones(onnx_export *x, const layer *l)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor *t;
    int n = l->x->fact.rank - l->first;

    for (int i = 0; i < n; i++) {
        if (!inlay_dim_is_static(l->x->fact.dims[l->first + i]))
            return NULL;
        dims[i] = l->x->fact.dims[l->first + i].lo;
    }
    t = put_new(x, x->n->out[0].fact.type, n, dims);
    for (int64_t i = 0; t && i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, 1);
    return put_own_tensor(x, "scale", t);
}

/* ONNX Runtime would fuse these nodes into one operator itself, but only if there is a scale, which
 * simplifying may have dropped. */
const char *put_layer(onnx_export *x, const inlay_value *v, const inlay_value *scale,
                      const inlay_value *shift)
{
    inlay_type type = x->n->out[0].fact.type;
    const inlay_value *from;
    layer l;
    const char *ones;

    if (!v || (!is_mvn(v, &l) && (scale || !is_quotient(v, &l))) || !(PUT_FLOAT & PUT_BIT(type)))
        return NULL;
    from = put_operand_of(l.x, "Convert", 0);
    if (l.x->fact.type != type && from && from->fact.type == type)
        l.x = from; /* f16 is computed as f32 by the operator, too */
    if (!scale && !shift && l.first != l.x->fact.rank - 1) /* one of a picture, more likely */
        return NULL;
    if (l.x->fact.type != type || v->fact.type != type || (scale && !fits(&l, scale)) ||
        (shift && !fits(&l, shift)) || !(ones = scale ? put_value(x, scale) : put_ones(x, &l)))
        return NULL;
    return put(x, "LayerNormalization",
               IN(put_value(x, l.x), ones, shift ? put_value(x, shift) : ""),
               ATTRS(INT("axis", l.first - l.x->fact.rank), REAL("epsilon", l.eps)));
}

static bool export_mvn(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), COMPUTED);
    int64_t axes[INLAY_MAX_RANK];
    bool inside =
        x->n->op->version < 6 || strcmp(inlay_node_string(x->n, "eps_mode"), "inside_sqrt") == 0;
    int rank = put_rank(x, 0), count = 0, first;
    const char *y;

    if (rank < 0)
        return false;
    if ((y = put_layer(x, &x->n->out[0], NULL, NULL)))
        return put_give(x, 0, y);
    if (x->n->op->version < 6) {
        const int64_t *list = inlay_node_ints(x->n, "reduction_axes", &count);

        first = inlay_node_bool(x->n, "across_channels") ? 1 : 2;
        for (int i = 0; i < count && i < INLAY_MAX_RANK; i++)
            axes[i] = list[i];
        for (int i = first; count == 0 && i < rank; i++)
            axes[i - first] = i;
        count = count > 0 ? count : rank > first ? rank - first : 0;
    } else if ((count = put_axes(x, 1, rank, axes)) < 0) {
        return false;
    }
    return put_give_as(x, 0,
                       mvn_of(x, put_as(x, 0, type), axes, count,
                              inlay_node_bool(x->n, "normalize_variance"),
                              inlay_node_float(x->n, "eps"), inside, type),
                       type);
}

static bool export_batch_norm(onnx_export *x)
{
    static const int old[] = {2, 0, 1, 3, 4};
    bool later = x->n->op->version >= 5, first = later || put_fact(x, 0)->rank > 1;
    const char *in[6] = {NULL};

    if (!later && put_rank(x, 0) < 0)
        return false;
    for (int i = 0; i < 5; i++)
        in[i] = put_in(x, first ? i : old[i]);
    return put_give(x, 0,
                    put(x, "BatchNormalization", in,
                        ATTRS(REAL("epsilon", inlay_node_float(x->n, "epsilon")))));
}

/* ONNX has LRN over the channels only. */
static bool export_lrn(onnx_export *x)
{
    int64_t axis;
    int rank = put_rank(x, 0);
    const inlay_fact *axes = put_fact(x, 1);

    if (rank < 0 || !put_known_one(x, 1, &axis))
        return false;
    if ((axis != 1 && axis != 1 - rank) || !axes->content || rank < 3)
        return put_refuse(x, "sums over other axes than the channels");
    return put_give(x, 0,
                    put(x, "LRN", IN(put_in(x, 0)),
                        ATTRS(REAL("alpha", inlay_node_float(x->n, "alpha")),
                              REAL("beta", inlay_node_float(x->n, "beta")),
                              REAL("bias", inlay_node_float(x->n, "bias")),
                              INT("size", inlay_node_int(x->n, "size")))));
}

static bool export_normalize_l2(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), COMPUTED);
    int64_t axes[INLAY_MAX_RANK];
    int rank = put_rank(x, 0), count = rank < 0 ? -1 : put_axes(x, 1, rank, axes);
    const char *v, *sum, *e;

    if (count < 0)
        return false;
    v = put_as(x, 0, type);
    if (count == 0) /* each element by itself: 1, and 0 where it is 0 */
        return put_give(
            x, 0,
            put_cast(x, put(x, "Not", IN(put_binary(x, "Equal", v, put_number(x, type, 0))), NULL),
                     x->n->out[0].fact.type));
    sum = put_reduce(x, "ReduceSum", put_binary(x, "Mul", v, v), axes, count, true);
    e = put_number(x, type, inlay_node_float(x->n, "eps"));
    sum = put_binary(x, strcmp(inlay_node_string(x->n, "eps_mode"), "max") == 0 ? "Max" : "Add",
                     sum, e);
    return put_give_as(x, 0, put_binary(x, "Div", v, put(x, "Sqrt", IN(sum), NULL)), type);
}

static bool export_grn(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), COMPUTED);
    const char *v = put_as(x, 0, type);
    const char *sum =
        put_reduce(x, "ReduceSum", put_binary(x, "Mul", v, v), (int64_t[]){1}, 1, true);

    return put_give_as(x, 0, scaled_by_root(x, v, sum, inlay_node_float(x->n, "bias"), true, type),
                       type);
}

/* Groups of channels become one axis, and all behind them another. */
static bool export_group_norm(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), COMPUTED);
    int64_t groups = inlay_node_int(x->n, "num_groups"), axes[INLAY_MAX_RANK];
    int rank = put_rank(x, 0);
    const char *v = put_as(x, 0, type), *scale = put_as(x, 1, type), *bias = put_as(x, 2, type), *y;

    if (rank < 0)
        return false;
    y = mvn_of(x, put_reshape(x, v, (int64_t[]){0, groups, -1}, 3), (int64_t[]){2}, 1, true,
               inlay_node_float(x->n, "epsilon"), true, type);
    y = put_binary(x, "Reshape", y, put(x, "Shape", IN(v), NULL));
    for (int i = 0; i + 2 < rank; i++)
        axes[i] = i + 1;
    scale = rank > 2 ? put_unsqueeze(x, scale, axes, rank - 2) : scale;
    bias = rank > 2 ? put_unsqueeze(x, bias, axes, rank - 2) : bias;
    return put_give_as(x, 0, put_binary(x, "Add", put_binary(x, "Mul", y, scale), bias), type);
}

/* The last axis, or those of operand 1. */
static bool export_rms(onnx_export *x)
{
    bool listed = strcmp(x->n->op->name, "RMSNorm") == 0;
    int scale = listed ? 2 : 1, rank = put_rank(x, 0), count = 1;
    inlay_type type = put_wider(put_type(x, 0), COMPUTED), out = x->n->out[0].fact.type;
    int64_t axes[INLAY_MAX_RANK] = {-1};
    const char *v = put_as(x, 0, type), *y;

    if (rank < 0 || (listed && (count = put_axes(x, 1, rank, axes)) < 0))
        return false;
    y = put_reduce(x, "ReduceMean", put_binary(x, "Mul", v, v), axes, count, true);
    y = scaled_by_root(x, v, y, inlay_node_float(x->n, "epsilon"), true, type);
    if (inlay_node_input(x->n, scale))
        y = put_binary(x, "Mul", y, put_as(x, scale, type));
    return put_give(x, 0, out == type ? y : put_cast(x, y, out));
}

const onnx_exporter onnx_exporters_normalize[] = {
    {"BatchNormInference", export_batch_norm, NULL, 0, PUT_ANY},
    {"GRN", export_grn, NULL, 0, PUT_ANY},
    {"GroupNormalization", export_group_norm, NULL, 0, PUT_ANY},
    {"LRN", export_lrn, NULL, 0, PUT_ANY},
    {"MVN", export_mvn, NULL, 0, PUT_ANY},
    {"NormalizeL2", export_normalize_l2, NULL, 0, PUT_ANY},
    {"RMS", export_rms, NULL, 0, PUT_ANY},
    {"RMSNorm", export_rms, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
