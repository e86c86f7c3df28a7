/* Operators that draw random numbers. ONNX does not define the numbers: here they are a function of
 * attribute seed or, if that is absent, of the position of the node, so that runs are reproducible
 * and two nodes draw different numbers. */
#include "parser/onnx/export.h"
#include "parser/onnx/import/make.h"

#include <math.h>
#include <string.h>

/* Finds the seeds of sequence STREAM of the random numbers of N. Attribute seed is a float, but an
 * integer in Dropout. */
static bool seeds_of(onnx_node *n, int stream, long long *global, long long *own)
{
    const Onnx__AttributeProto *a = onnx_attr(n, "seed");
    bool ok = true;
    float seed = 0;
    uint32_t bits;

    *global = 0;
    *own = stream;
    if (a && a->has_i) {
        *global = (long long)onnx_attr_int(n, "seed", 0, &ok);
    } else if (a) {
        seed = (float)onnx_attr_float(n, "seed", 0, &ok);
        memcpy(&bits, &seed, sizeof bits);
        *global = bits;
    } else {
        *own += 2 * ((long long)n->s->graph->next_id + 1);
    }
    return ok;
}

/* Draws numbers of TYPE in [LOW, HIGH), in the shape that the list SHAPE says. */
static inlay_value *uniform(onnx_node *n, inlay_value *shape, inlay_type type, double low,
                            double high, int stream)
{
    inlay_value *in[3] = {shape, onnx_number(n, type, low), onnx_number(n, type, high)};
    long long global, own;

    if (!shape || !in[1] || !in[2] || !seeds_of(n, stream, &global, &own))
        return NULL;
    return onnx_make(
        n, "RandomUniform", 3, in,
        ATTRS(TYPE("output_type", type), INT("global_seed", global), INT("op_seed", own)));
}

/* Returns the type that numbers are computed in: f64 for f64, else f32. */
static inlay_type computed_in(inlay_type type)
{
    return type == INLAY_F64 ? INLAY_F64 : INLAY_F32;
}

/* Draws normal numbers by Box and Muller: sqrt(-2 log u) cos(2 pi v), where u, which is not 0, and
 * v are uniform. */
static inlay_value *normal(onnx_node *n, inlay_value *shape, inlay_type type, double mean,
                           double scale)
{
    inlay_type in = computed_in(type);
    inlay_value *u = uniform(n, shape, in, 0, 1, 0), *v = uniform(n, shape, in, 0, 1, 1), *z;

    u = onnx_binary(n, "Subtract", onnx_number(n, in, 1), u);
    z = onnx_binary(n, "Multiply", onnx_unary(n, "Log", u), onnx_number(n, in, -2));
    z = onnx_unary(n, "Sqrt", z);
    v = v ? onnx_unary(n, "Cos",
                       onnx_binary(n, "Multiply", v, onnx_number(n, in, 6.283185307179586)))
          : NULL;
    z = onnx_binary(n, "Multiply", z, v);
    z = onnx_binary(n, "Multiply", z, onnx_number(n, in, scale));
    z = onnx_binary(n, "Add", z, onnx_number(n, in, mean));
    return onnx_convert(n, z, type);
}

/* Reads attribute dtype; *TYPE is ABSENT without it. */
static bool dtype_of(onnx_node *n, inlay_type absent, inlay_type *type)
{
    *type = absent;
    return onnx_attr_type(n, "dtype", 0, type);
}

/* Returns attribute shape, or the shape of the operand. */
static inlay_value *shape_of(onnx_node *n)
{
    bool ok = true;
    int count;
    const int64_t *shape;

    if (n->n_in > 0)
        return onnx_unary(n, "ShapeOf", n->in[0]);
    shape = onnx_attr_ints(n, "shape", &count, &ok);
    if (ok && !shape && !onnx_attr(n, "shape"))
        ok = onnx_node_fail(n, "attribute \"shape\" is missing");
    return ok ? onnx_list(n, shape, count) : NULL;
}

static inlay_type own_type(const onnx_node *n)
{
    return n->n_in > 0 ? n->in[0]->fact.type : INLAY_F32;
}

static bool import_uniform(onnx_node *n)
{
    bool ok = true;
    double low = onnx_attr_float(n, "low", 0, &ok), high = onnx_attr_float(n, "high", 1, &ok);
    inlay_type type;

    return ok && dtype_of(n, own_type(n), &type) &&
           onnx_give(
               n, 0,
               onnx_convert(n, uniform(n, shape_of(n), computed_in(type), low, high, 0), type));
}

static bool import_normal(onnx_node *n)
{
    bool ok = true;
    double mean = onnx_attr_float(n, "mean", 0, &ok), scale = onnx_attr_float(n, "scale", 1, &ok);
    inlay_type type;

    return ok && dtype_of(n, own_type(n), &type) &&
           onnx_give(n, 0, normal(n, shape_of(n), type, mean, scale));
}

/* Draws a 1 with the probability that the operand says, else a 0. */
static bool import_bernoulli(onnx_node *n)
{
    inlay_value *x = n->in[0], *u;
    inlay_type type, in = computed_in(x->fact.type);

    if (!dtype_of(n, x->fact.type, &type))
        return false;
    u = uniform(n, onnx_unary(n, "ShapeOf", x), in, 0, 1, 0);
    return onnx_give(n, 0,
                     onnx_convert(n, onnx_binary(n, "Less", u, onnx_convert(n, x, in)), type));
}

/* The operand has rows of logarithms of weights [batch, classes]. The class with the largest sum of
 * its logarithm and a number -log(-log u) is drawn with the probability that its weight says (the
 * Gumbel-max trick). */
static bool import_multinomial(onnx_node *n)
{
    bool ok = true;
    int64_t samples = onnx_attr_int(n, "sample_size", 1, &ok);
    inlay_value *x = n->in[0], *shape, *u, *one = onnx_list(n, (int64_t[]){1}, 1), *ends[3];
    inlay_node *top;
    inlay_type type, in = computed_in(x->fact.type);

    if (!ok || !dtype_of(n, INLAY_I32, &type) || onnx_rank(n, x) < 0 || !one)
        return false;
    if (x->fact.rank != 2)
        return onnx_node_fail(n, "the data has %d ax%s, it must have 2", x->fact.rank,
                              inlay_plural(x->fact.rank, "is", "es"));
    x = onnx_binary(n, "Unsqueeze", onnx_convert(n, x, in), one);
    shape = onnx_unary(n, "ShapeOf", n->in[0]);
    ends[0] = onnx_make(
        n, "Gather", 3,
        (inlay_value *[]){shape, onnx_list(n, (int64_t[]){0}, 1), onnx_integer(n, 0)}, NULL);
    ends[1] = onnx_list(n, &samples, 1);
    ends[2] = onnx_make(n, "Gather", 3, (inlay_value *[]){shape, one, onnx_integer(n, 0)}, NULL);
    if (!x || !ends[0] || !ends[1] || !ends[2])
        return false;
    shape = onnx_make(n, "Concat", 3, ends, ATTRS(INT("axis", 0)));
    u = uniform(n, shape, in, 0, 1, 0);
    u = onnx_unary(n, "Negative", onnx_unary(n, "Log", u));
    u = onnx_unary(n, "Negative", onnx_unary(n, "Log", u));
    x = onnx_binary(n, "Add", x, u);
    top = x ? onnx_make_node(n, "TopK", 2, (inlay_value *[]){x, onnx_integer(n, 1)},
                             ATTRS(INT("axis", 2), WORD("mode", "max"), WORD("sort", "value"),
                                   FLAG("stable", true), TYPE("index_element_type", INLAY_I64)))
            : NULL;
    x = top ? onnx_binary(n, "Squeeze", &top->out[1], onnx_list(n, (int64_t[]){2}, 1)) : NULL;
    return onnx_give(n, 0, onnx_convert(n, x, type));
}

/* Dropout scales what is kept in training by 1 / (1 - ratio), so that the mean stays. */

static bool is_known(const inlay_value *v, bool x)
{
    const inlay_tensor *t = v->fact.content;

    return t && inlay_tensor_count(t) == 1 && (inlay_tensor_get_i64(t, 0) != 0) == x;
}

/* Gives X, and that all of it is kept. */
static bool keep_all(onnx_node *n, inlay_value *x)
{
    inlay_value *shape;
    inlay_type type = x && n->version < 10 ? x->fact.type : INLAY_BOOLEAN;

    onnx_attr_ignore(n, "ratio");
    onnx_attr_ignore(n, "seed");
    if (!x || !onnx_give(n, 0, x) || !onnx_wants(n, 1))
        return n->out[0] != NULL;
    shape = onnx_unary(n, "ShapeOf", x);
    return shape && onnx_give(n, 1, onnx_binary(n, "Broadcast", onnx_number(n, type, 1), shape));
}

/* TRAINING is a truth value that is known only at run time; NULL: it is true. */
static bool drop(onnx_node *n, inlay_value *ratio, inlay_value *training)
{
    inlay_value *x = n->in[0], *one, *kept, *scaled, *in[3];
    inlay_type type = x->fact.type;

    ratio = onnx_convert(n, ratio, INLAY_F32);
    kept = uniform(n, onnx_unary(n, "ShapeOf", x), INLAY_F32, 0, 1, 0);
    kept = onnx_binary(n, "GreaterEqual", kept, ratio);
    if (training && kept)
        kept = onnx_binary(n, "LogicalOr", kept, onnx_unary(n, "LogicalNot", training));
    one = onnx_number(n, INLAY_F32, 1);
    scaled = onnx_binary(n, "Divide", one, onnx_binary(n, "Subtract", one, ratio));
    if (training && scaled)
        scaled = onnx_make(n, "Select", 3, (inlay_value *[]){training, scaled, one}, NULL);
    in[0] = kept;
    in[1] = onnx_binary(n, "Multiply", x, onnx_convert(n, scaled, type));
    in[2] = onnx_number(n, type, 0);
    if (!in[0] || !in[1] || !in[2] || !onnx_give(n, 0, onnx_make(n, "Select", 3, in, NULL)))
        return false;
    return onnx_give(n, 1, onnx_convert(n, kept, n->version < 10 ? type : INLAY_BOOLEAN));
}

static bool import_dropout(onnx_node *n)
{
    inlay_value *training = onnx_in(n, 2), *ratio = onnx_in(n, 1);

    if ((ratio && !(ratio = onnx_one(n, 1))) || (training && !(training = onnx_one(n, 2))))
        return false;
    if (!training || is_known(training, false))
        return keep_all(n, n->in[0]);
    if (!ratio && !(ratio = onnx_number(n, INLAY_F32, 0.5)))
        return false;
    return drop(n, ratio, is_known(training, true) ? NULL : training);
}

/* com.microsoft's, outside of training: the data plus a bias plus what skipped the layers before it,
 * which stand from operand 1 on with the bias; the ratio and the mode of training stand behind them.
 */
static bool import_bias_dropout(onnx_node *n)
{
    bool bias = strcmp(n->op->as, "Add") == 0, bits = strstr(n->op->name, ".Bitmask") != NULL;
    int at = bias ? 4 : 2;
    inlay_value *x = n->in[0], *training = onnx_in(n, at);
    int version = n->version;
    bool ok;

    if (training && !is_known(training, false))
        return onnx_node_fail(n, "input[%d], training_mode, is not known to be false", at);
    if (bits && onnx_wants(n, 1))
        return onnx_node_fail(n, "output 1, a mask of bits, is wanted, which is not computed here");
    if (bias)
        x = make_sum(n, onnx_binary(n, "Add", x, onnx_in(n, 1)), 2);
    n->version = 13; /* of ai.onnx, whose mask is of booleans, too */
    ok = keep_all(n, x);
    n->version = version;
    return ok;
}

/* Before version 7 an attribute said that nothing was dropped. */
static bool import_dropout_1(onnx_node *n)
{
    bool ok = true;
    double ratio = onnx_attr_float(n, "ratio", 0.5, &ok);

    if (!ok || onnx_attr_int(n, "is_test", 0, &ok) != 0)
        return ok && keep_all(n, n->in[0]);
    return ok && drop(n, onnx_number(n, INLAY_F32, ratio), NULL);
}

const onnx_operator onnx_operators_random[] = {
    {"Bernoulli", 15, import_bernoulli, NULL, 1},
    {"Dropout", 10, import_dropout, NULL, 1},
    {"Dropout", 7, import_dropout, NULL, 1},
    {"Dropout", 1, import_dropout_1, NULL, 1},
    {"com.microsoft.BiasDropout", 1, import_bias_dropout, "Add", 2},
    {"com.microsoft.BitmaskBiasDropout", 1, import_bias_dropout, "Add", 2},
    {"com.microsoft.BitmaskDropout", 1, import_bias_dropout, "", 1},
    {"Multinomial", 7, import_multinomial, NULL, 1},
    {"RandomNormal", 1, import_normal, NULL, 0},
    {"RandomNormalLike", 1, import_normal, NULL, 1},
    {"RandomUniform", 1, import_uniform, NULL, 0},
    {"RandomUniformLike", 1, import_uniform, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. ONNX defines no numbers: those that are written are drawn alike, and are others. */

/* The seed of a sequence, which imports read as bits; two sequences of a seed need two. False:
 * none. */
static bool seed_of(const onnx_export *x, double *seed)
{
    uint32_t bits = (uint32_t)inlay_node_int(x->n, "global_seed");
    int64_t own = inlay_node_int(x->n, "op_seed");
    float f;

    memcpy(&f, &bits, sizeof f);
    *seed =
        own == 0 && isfinite(f) ? (double)f : (double)((bits + (uint64_t)own * 7919) % 16777213);
    return bits != 0;
}

/* Uniform from 0 to 1 in the shape that operand 0 says. */
static const char *drawn(onnx_export *x, inlay_type type, double low, double high)
{
    int64_t dims[INLAY_MAX_RANK];
    double seed;
    onnx_given given[] = {TYPE("dtype", type), REAL("low", low),   REAL("high", high),
                          WORD("shape", NULL), WORD("seed", NULL), {NULL, 0, {0}}};
    int rank = put_seen(x, 0, dims, INLAY_MAX_RANK);

    if (seed_of(x, &seed))
        given[4] = REAL("seed", seed);
    if (rank >= 0) {
        given[3] = INTS("shape", dims, rank);
        return put(x, "RandomUniform", IN(NULL), given);
    }
    return put(x, "RandomUniformLike", IN(put(x, "ConstantOfShape", IN(put_i64(x, 0)), NULL)),
               given);
}

static bool export_uniform(onnx_export *x)
{
    inlay_type type = x->n->out[0].fact.type, own = put_wider(type, PUT_BASIC);
    const inlay_tensor *low = put_fact(x, 1)->content, *high = put_fact(x, 2)->content;
    const char *v;

    if (!(PUT_BASIC & PUT_BIT(type)))
        return put_refuse(x, "numbers of type %s", inlay_type_info_of(type)->name);
    if (low && high)
        return put_give(x, 0,
                        drawn(x, own, inlay_tensor_get_f64(low, 0), inlay_tensor_get_f64(high, 0)));
    v = put_binary(x, "Mul", drawn(x, own, 0, 1),
                   put_binary(x, "Sub", put_scalar(x, 2), put_scalar(x, 1)));
    return put_give(x, 0, put_binary(x, "Add", v, put_scalar(x, 1)));
}

/* Without replacement, the classes with the largest sums of a logarithm and -log(-log u). */
static bool export_multinomial(onnx_export *x)
{
    static const int64_t last = -1;
    inlay_type type = put_wider(put_type(x, 0), PUT_BIT(INLAY_F32) | PUT_BIT(INLAY_F64)),
               out = x->n->out[0].fact.type;
    const char *v = put_as(x, 0, type), *top[2];
    onnx_given seeded[] = {WORD("seed", NULL), {NULL, 0, {0}}};
    int64_t count;
    double seed;

    if (!put_known_one(x, 1, &count))
        return false;
    if (seed_of(x, &seed))
        seeded[0] = REAL("seed", seed);
    if (!inlay_node_bool(x->n, "log_probs"))
        v = put(x, "Log", IN(v), NULL);
    if (inlay_node_bool(x->n, "with_replacement"))
        return put_give(
            x, 0,
            put_cast(x,
                     put(x, "Multinomial", IN(v),
                         ATTRS(INT("sample_size", count), TYPE("dtype", INLAY_I64), seeded[0])),
                     out));
    for (int i = 0; i < 2; i++)
        top[i] = put(
            x, "Neg",
            IN(put(x, "Log", IN(i ? top[0] : put(x, "RandomUniformLike", IN(v), seeded)), NULL)),
            NULL);
    v = put_binary(x, "Add", v, top[1]);
    return v &&
           put_many(x, "TopK", IN(v, put_list(x, &count, 1)), ATTRS(INT("axis", last)), 2, top) &&
           put_give(x, 0, put_cast(x, top[1], out));
}

const onnx_exporter onnx_exporters_random[] = {
    {"Multinomial", export_multinomial, NULL, 0, PUT_ANY},
    {"RandomUniform", export_uniform, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
