/* Attention: scores = Q K^T * scale, masked; probabilities = softmax of the scores; Y =
 * probabilities V. Imports follow the functions by which ONNX defines these operators. Q has
 * [batch, heads, queries, size], K and V [batch, groups, keys, size]; each group of heads of Q
 * shares one head of K and V, which is broadcast along an axis instead of being repeated. */
#include "parser/onnx/import/attention.h"
#include "parser/onnx/export.h"

#include <math.h>

enum { IN_Q, IN_K, IN_V, IN_MASK, IN_PAST_KEY, IN_PAST_VALUE, IN_LENGTHS };
enum { OUT_Y, OUT_KEY, OUT_VALUE, OUT_SCORES };
enum { MODE_RAW, MODE_CAPPED, MODE_MASKED, MODE_PROBABILITIES };

typedef struct attention {
    onnx_node *n;
    inlay_value *q, *k, *v;
    inlay_value *scores, *bias;
    inlay_type type, softmax_type;
    bool packed; /* operands have three axes, and the heads are in the last one */
    double cap;
    int mode; /* which intermediate result output 3 is */
} attention;

inlay_value *attention_split(onnx_node *n, inlay_value *x, int64_t heads)
{
    return make_transpose(n, make_heads(n, x, heads), (int64_t[]){0, 2, 1, 3}, 4);
}

inlay_value *attention_merge(onnx_node *n, inlay_value *x)
{
    return make_merged(n, make_transpose(n, x, (int64_t[]){0, 2, 1, 3}, 4));
}

/* Checks that keys and values have RANK axes, as the queries have, and the same batch, the first
 * axis, and that there are as many keys as values, the last axis but one. */
static bool has_sequences(onnx_node *n, int rank)
{
    inlay_shape s = {.rank = rank};

    for (int k = 0; k < rank; k++)
        s.dim[k] = inlay_dim_any();
    s.dim[0] = onnx_dim(n, IN_Q, 0);
    if (!onnx_has_shape(n, IN_K, &s))
        return false;
    if (rank == 4)
        s.dim[1] = onnx_dim(n, IN_K, 1);
    s.dim[rank - 2] = onnx_dim(n, IN_K, rank - 2);
    return onnx_has_shape(n, IN_V, &s);
}

/* Checks operands that go with keys and values of four axes: those of earlier calls, or the number
 * of valid keys per batch. With both, a length would be that of a buffer and of what is valid. */
static bool has_past(const attention *a)
{
    onnx_node *n = a->n;
    inlay_shape k = onnx_shape(a->k), v = onnx_shape(a->v);

    k.dim[2] = v.dim[2] = inlay_dim_any();
    if (onnx_in(n, IN_LENGTHS) && (onnx_in(n, IN_PAST_KEY) || onnx_in(n, IN_PAST_VALUE)))
        return onnx_node_fail(n,
                              "nonpad_kv_seqlen says what is valid of keys and values that are a "
                              "whole cache, so that past_key and past_value must not be given");
    return onnx_has_shape(n, IN_PAST_KEY, &k) && onnx_has_shape(n, IN_PAST_VALUE, &v) &&
           onnx_has_rank(n, IN_MASK, 2, 4) && onnx_has_count(n, IN_LENGTHS, a->q->fact.dims[0]);
}

/* Makes the run check that keys and values have the batch of the queries, and as many heads and
 * positions as each other. */
static bool hold_batches(attention *a)
{
    const onnx_size_of k[] = {{a->q, 0, 0}, {a->k, 1, 0}, {a->k, 2, 0}, {a->k, 3, 0}},
                       v[] = {{a->q, 0, 0}, {a->k, 1, 0}, {a->k, 2, 0}, {a->v, 3, 0}};
    inlay_value *values = onnx_held(a->n, a->v, v, 4);

    a->k = onnx_held(a->n, a->k, k, 4);
    a->v = values;
    if (onnx_in(a->n, IN_LENGTHS) &&
        !(a->n->in[IN_LENGTHS] = onnx_held(a->n, a->n->in[IN_LENGTHS], k, 1)))
        return false;
    return a->k && a->v;
}

static bool read_heads(attention *a)
{
    onnx_node *n = a->n;
    bool ok = true;
    int64_t heads = onnx_attr_int(n, "q_num_heads", 0, &ok),
            groups = onnx_attr_int(n, "kv_num_heads", 0, &ok);
    int rank = onnx_rank(n, n->in[IN_Q]);

    if (!ok || rank < 0)
        return false;
    a->packed = rank == 3;
    if (!a->packed && rank != 4)
        return onnx_node_fail(n, "input[0] has %d ax%s, it must have 3 or 4", rank,
                              inlay_plural(rank, "is", "es"));
    if (a->packed && (heads < 1 || groups < 1))
        return onnx_node_fail(n, "attributes \"q_num_heads\" and \"kv_num_heads\" must say the "
                                 "heads of operands with 3 axes");
    if (!has_sequences(n, rank))
        return false;
    a->q = a->packed ? attention_split(n, n->in[IN_Q], heads) : n->in[IN_Q];
    a->k = a->packed ? attention_split(n, n->in[IN_K], groups) : n->in[IN_K];
    a->v = a->packed ? attention_split(n, n->in[IN_V], groups) : n->in[IN_V];
    return a->q && a->k && a->v && onnx_rank(n, a->k) == 4 && onnx_rank(n, a->v) == 4 &&
           has_past(a) && hold_batches(a);
}

/* Puts keys and values of earlier calls before those of this call. */
static bool read_past(attention *a)
{
    onnx_node *n = a->n;

    if (onnx_in(n, IN_PAST_KEY))
        a->k = make_concat(n, n->in[IN_PAST_KEY], a->k, 2);
    if (onnx_in(n, IN_PAST_VALUE))
        a->v = make_concat(n, n->in[IN_PAST_VALUE], a->v, 2);
    return onnx_give(n, OUT_KEY, a->k) && onnx_give(n, OUT_VALUE, a->v) &&
           onnx_rank(n, a->k) >= 0 && onnx_rank(n, a->v) >= 0;
}

/* Returns the root of attribute scale, or of 1 / sqrt(the size of a head), in the type of Q: Q and
 * K are both scaled by this root. */
static inlay_value *root_of_scale(onnx_node *n, inlay_value *q)
{
    bool ok = true;
    double scale = onnx_attr_float(n, "scale", 0, &ok);
    inlay_value *size;

    if (!ok)
        return NULL;
    if (onnx_attr(n, "scale"))
        return onnx_convert(n, onnx_number(n, INLAY_F32, (double)sqrtf((float)scale)),
                            q->fact.type);
    size = onnx_convert(n, make_size(n, q, 3), INLAY_F32);
    size = onnx_binary(n, "Divide", onnx_number(n, INLAY_F32, 1), onnx_unary(n, "Sqrt", size));
    return onnx_convert(n, onnx_unary(n, "Sqrt", size), q->fact.type);
}

/* Reshapes X to SIZES, of which those that are known are FACTS. If one is not, the run finds it
 * from the others: nobody puts a list together. */
static inlay_value *shaped(onnx_node *n, inlay_value *x, inlay_value *const *sizes,
                           const inlay_dim *const *facts, int count)
{
    int64_t list[5], product = 1;
    int open = 0;

    for (int i = 0; i < count; i++) {
        list[i] = inlay_dim_is_static(*facts[i]) ? facts[i]->lo : -1;
        open += list[i] < 0;
        product = list[i] == 0 ? 0 : product;
    }
    if (open > 1 || (open == 1 && product == 0))
        return make_reshape(n, x, sizes, count);
    return onnx_reshape(n, x, onnx_list(n, list, count));
}

/* Reshapes Q or the probabilities [batch, heads, queries, x] to [batch, groups, heads of a group,
 * queries, x], or back. LIKE has the groups. */
static inlay_value *in_groups(onnx_node *n, inlay_value *x, inlay_value *like)
{
    inlay_value *heads = make_size(n, x, 1), *groups = make_size(n, like, 1),
                *each = onnx_binary(n, "Divide", heads, groups);
    inlay_value *sizes[] = {make_size(n, x, 0), groups, each, make_size(n, x, 2),
                            make_size(n, x, 3)};
    const inlay_dim *d = x->fact.dims, *g = &like->fact.dims[1];
    inlay_dim part = inlay_dim_any();

    if (inlay_dim_is_static(d[1]) && inlay_dim_is_static(*g) && g->lo > 0)
        part = inlay_dim_of(d[1].lo / g->lo);
    return shaped(n, x, sizes, (const inlay_dim *const[]){&d[0], g, &part, &d[2], &d[3]}, 5);
}

static inlay_value *out_of_groups(onnx_node *n, inlay_value *x, inlay_value *q)
{
    inlay_value *sizes[] = {make_size(n, q, 0), make_size(n, q, 1), make_size(n, q, 2),
                            x ? make_size(n, x, 4) : NULL};
    const inlay_dim *d = q->fact.dims;

    if (!x || onnx_rank(n, x) != 5)
        return NULL;
    return shaped(n, x, sizes, (const inlay_dim *const[]){&d[0], &d[1], &d[2], &x->fact.dims[4]},
                  4);
}

static bool has_axes(onnx_node *n, const inlay_value *x, int wanted)
{
    int rank = onnx_rank(n, x);

    return rank == wanted || onnx_node_fail(n, "an operand has %d ax%s, it must have %d", rank,
                                            inlay_plural(rank, "is", "es"), wanted);
}

inlay_value *attention_product(onnx_node *n, inlay_value *a, inlay_value *b, bool transpose)
{
    const onnx_given *attrs = ATTRS(FLAG("transpose_b", transpose));
    bool grouped;

    if (!a || !b || !has_axes(n, a, 4) || !has_axes(n, b, 4))
        return NULL;
    grouped = !inlay_dim_proven_equal(a->fact.dims[1], b->fact.dims[1]);
    if (!grouped)
        return onnx_make(n, "MatMul", 2, (inlay_value *[]){a, b}, attrs);
    inlay_value *in[] = {in_groups(n, a, b), make_unsqueeze(n, b, (int64_t[]){2}, 1)};
    inlay_value *y = onnx_make(n, "MatMul", 2, in, attrs);

    return out_of_groups(n, y, a);
}

bool attention_is_one_batch(const inlay_value *x)
{
    return inlay_dim_is_static(x->fact.dims[0]) && x->fact.dims[0].lo == 1;
}

/* The rows behind the longest batch are cut off, which is a view. Where there are several batches,
 * those behind the ends of the others are replaced: a probability of zero times a NaN is no zero.
 */
inlay_value *attention_valid(onnx_node *n, inlay_value *x, inlay_value *ends, bool cut)
{
    inlay_value *zero = onnx_list(n, (int64_t[]){0}, 1), *most, *keys;

    if (!x || !ends || !has_axes(n, x, 4))
        return NULL;
    if (cut) {
        most = onnx_binary(n, "Maximum", make_reduce(n, "ReduceMax", ends, zero, true), zero);
        x = make_cut(n, x, 2, zero, most, 1);
    }
    if (!x || (cut && attention_is_one_batch(x)))
        return x;
    keys = make_unsqueeze(n, make_counting(n, make_size(n, x, 2)), (int64_t[]){1}, 1);
    keys = onnx_binary(n, "Less", keys, make_unsqueeze(n, ends, (int64_t[]){1, 2, 3}, 3));
    return make_select(n, keys, x, onnx_number(n, x->fact.type, 0));
}

static inlay_value *scores_of(onnx_node *n, inlay_value *q, inlay_value *k)
{
    inlay_value *root = root_of_scale(n, q);

    return attention_product(n, onnx_binary(n, "Multiply", q, root),
                             onnx_binary(n, "Multiply", k, root), true);
}

/* Returns a bias that is 0 where ALLOWED is true, and else negative infinity, whose probability is
 * 0. */
static inlay_value *as_bias(attention *a, inlay_value *allowed)
{
    return make_select(a->n, allowed, onnx_number(a->n, a->type, 0),
                       onnx_number(a->n, a->type, -INFINITY));
}

static void add_bias(attention *a, inlay_value *bias)
{
    a->bias = a->bias ? onnx_binary(a->n, "Add", a->bias, bias) : bias;
}

/* Pads a mask to the length of the keys. From version 24 on a mask may be shorter than the keys:
 * keys behind its end are masked. */
static inlay_value *lengthened(attention *a, inlay_value *mask)
{
    onnx_node *n = a->n;
    int rank = onnx_rank(n, mask);
    inlay_value *missing;

    if (rank < 1 || !has_axes(n, a->k, 4))
        return NULL;
    if (n->version < 24 || inlay_dim_proven_equal(mask->fact.dims[rank - 1], a->k->fact.dims[2]))
        return mask;
    missing = onnx_binary(n, "Subtract", make_size(n, a->k, 2), make_size(n, mask, rank - 1));
    return make_longer(n, mask, rank, rank - 1, missing, -INFINITY);
}

static bool add_mask(attention *a)
{
    inlay_value *mask = onnx_in(a->n, IN_MASK);

    if (!mask)
        return true;
    mask = mask->fact.type == INLAY_BOOLEAN ? as_bias(a, mask) : onnx_convert(a->n, mask, a->type);
    add_bias(a, mask ? lengthened(a, mask) : NULL);
    return a->bias != NULL;
}

/* Returns the position of the first query among the keys: right behind the past keys, or such that
 * the last query stands at the last key that is not padding. */
static inlay_value *first_query(attention *a)
{
    onnx_node *n = a->n;
    inlay_value *lengths = onnx_in(n, IN_LENGTHS), *past = onnx_in(n, IN_PAST_KEY);

    if (past)
        return onnx_rank(n, past) < 0 ? NULL : make_size(n, past, 2);
    if (!lengths)
        return onnx_integer(n, 0);
    return make_unsqueeze(n, onnx_binary(n, "Subtract", lengths, make_size(n, a->q, 2)),
                          (int64_t[]){1, 2, 3}, 3);
}

/* A query sees no key behind it. */
static bool add_causal(attention *a)
{
    onnx_node *n = a->n;
    bool ok = true;
    inlay_value *query, *key;

    if (!onnx_attr_int(n, "is_causal", 0, &ok))
        return ok;
    query = make_unsqueeze(n, make_counting(n, make_size(n, a->q, 2)), (int64_t[]){1}, 1);
    query = onnx_binary(n, "Add", query, first_query(a));
    key = make_counting(n, make_size(n, a->k, 2));
    add_bias(a, as_bias(a, onnx_binary(n, "GreaterEqual", query, key)));
    return a->bias != NULL;
}

/* Keys from position nonpad_kv_seqlen of their batch on are padding and are cut off, unless the
 * model has the scores as an output: then all of them are computed. */
static bool cut_padding(attention *a)
{
    inlay_value *lengths = onnx_in(a->n, IN_LENGTHS);
    bool cut = !onnx_wants(a->n, OUT_SCORES);

    if (!lengths)
        return true;
    if (cut)
        a->k = attention_valid(a->n, a->k, lengths, true);
    a->v = attention_valid(a->n, a->v, lengths, cut);
    return a->k && a->v;
}

static bool add_padding(attention *a)
{
    onnx_node *n = a->n;
    inlay_value *lengths = onnx_in(n, IN_LENGTHS), *key;

    if (!lengths || (!onnx_wants(n, OUT_SCORES) && attention_is_one_batch(a->k)))
        return true;
    key = make_counting(n, make_size(n, a->k, 2));
    key = onnx_binary(n, "Less", key, make_unsqueeze(n, lengths, (int64_t[]){1, 2, 3}, 3));
    if (onnx_wants(n, OUT_SCORES))
        a->scores = make_select(n, key, a->scores, onnx_number(n, a->type, 0));
    add_bias(a, as_bias(a, key));
    return a->scores && a->bias;
}

/* Checks that no axis of the bias, which the mask is a part of, is longer than that of the scores;
 * for open sizes the shape of the result does. */
static bool has_mask(const attention *a)
{
    const inlay_fact *b = &a->bias->fact, *s = &a->scores->fact;
    int first = s->rank - b->rank;

    for (int k = 0; k < b->rank; k++) {
        if (first + k >= 0 && !inlay_dim_compatible(b->dims[k], inlay_dim_of(1)) &&
            !inlay_dim_compatible(b->dims[k], s->dims[first + k]))
            return onnx_node_fail(
                a->n, "axis %d of the mask has %lld element%s, that of the scores has %lld", k,
                (long long)b->dims[k].lo, inlay_plural(b->dims[k].lo, "", "s"),
                (long long)s->dims[first + k].lo);
    }
    return true;
}

static bool show(attention *a, int mode, inlay_value *x)
{
    return a->mode == mode ? onnx_give(a->n, OUT_SCORES, x) : x != NULL;
}

static bool cap_scores(attention *a)
{
    if (a->cap > 0) {
        inlay_value *cap = onnx_number(a->n, a->type, a->cap), *x;

        x = onnx_unary(a->n, "Tanh", onnx_binary(a->n, "Divide", a->scores, cap));
        a->scores = onnx_binary(a->n, "Multiply", x, cap);
    }
    return show(a, MODE_CAPPED, a->scores);
}

inlay_value *attention_softmax(onnx_node *n, inlay_value *x)
{
    return onnx_make(n, "SoftMax", 1, &x, ATTRS(INT("axis", -1)));
}

/* A query for which every key is masked has probabilities of zero. */
static inlay_value *probabilities(attention *a)
{
    onnx_node *n = a->n;
    inlay_value *p = attention_softmax(n, onnx_convert(n, a->scores, a->softmax_type)), *most,
                *none;

    p = onnx_convert(n, p, a->type);
    if (!a->bias || !p)
        return p;
    most = make_reduce(n, "ReduceMax", a->bias, onnx_list(n, (int64_t[]){-1}, 1), true);
    none = onnx_binary(n, "Equal", most, onnx_number(n, a->type, -INFINITY));
    return make_select(n, none, onnx_number(n, a->type, 0), p);
}

static bool read_options(attention *a)
{
    bool ok = true;
    int64_t mode = onnx_attr_int(a->n, "qk_matmul_output_mode", 0, &ok);

    a->cap = onnx_attr_float(a->n, "softcap", 0, &ok);
    a->type = a->softmax_type = a->n->in[IN_Q]->fact.type;
    if (ok && (mode < MODE_RAW || mode > MODE_PROBABILITIES))
        return onnx_node_fail(a->n, "qk_matmul_output_mode is %lld, it must be from 0 to 3",
                              (long long)mode);
    a->mode = (int)mode;
    return ok && onnx_attr_type(a->n, "softmax_precision", 0, &a->softmax_type);
}

static bool import_attention(onnx_node *n)
{
    attention a = {.n = n};
    inlay_value *p, *y;

    if (!read_options(&a) || !read_heads(&a) || !read_past(&a) || !cut_padding(&a))
        return false;
    a.scores = scores_of(n, a.q, onnx_convert(n, a.k, a.type));
    if (!show(&a, MODE_RAW, a.scores) || !cap_scores(&a) || !add_mask(&a) || !add_causal(&a) ||
        !add_padding(&a))
        return false;
    if (a.bias && !has_mask(&a))
        return false;
    if (a.bias)
        a.scores = onnx_binary(n, "Add", a.scores, a.bias);
    if (!show(&a, MODE_MASKED, a.scores))
        return false;
    p = probabilities(&a);
    if (!show(&a, MODE_PROBABILITIES, p))
        return false;
    y = attention_product(n, p, onnx_convert(n, a.v, a.type), false);
    y = onnx_held(n, y, (const onnx_size_of[]){{a.q, 0, 0}, {a.q, 1, 0}, {a.q, 2, 0}, {a.v, 3, 0}},
                  4);
    return onnx_give(n, OUT_Y, a.packed ? attention_merge(n, y) : y);
}

/* Returns the result for X of the graph in attribute NAME, or X if there is no such graph. */
static inlay_value *modified(onnx_node *n, const char *name, inlay_value *x)
{
    bool ok = true;
    const Onnx__GraphProto *g = onnx_attr_graph(n, name, &ok);

    return ok && g && x ? onnx_inline(n, name, g, x) : ok ? x : NULL;
}

/* FlexAttention: graphs of the model change scores and probabilities. */
static bool import_flex(onnx_node *n)
{
    inlay_type own = n->in[IN_Q]->fact.type, type = own == INLAY_F64 ? INLAY_F64 : INLAY_F32;
    inlay_value *x;

    if (!onnx_attr_type(n, "softmax_precision", 0, &type))
        return false;
    for (int i = IN_Q; i <= IN_V; i++) {
        if (onnx_rank(n, n->in[i]) != 4)
            return onnx_node_fail(n, "input[%d] must have 4 axes", i);
    }
    if (!has_sequences(n, 4))
        return false;
    x = onnx_convert(n, scores_of(n, n->in[IN_Q], n->in[IN_K]), type);
    x = attention_softmax(n, modified(n, "score_mod", x));
    x = modified(n, "prob_mod", x);
    x = attention_product(n, x, onnx_convert(n, n->in[IN_V], type), false);
    return onnx_give(n, OUT_Y, onnx_convert(n, x, own));
}

const onnx_operator onnx_operators_attention[] = {
    {"Attention", 24, import_attention, NULL, 3},
    {"Attention", 23, import_attention, NULL, 3},
    {"ai.onnx.preview.FlexAttention", 1, import_flex, NULL, 3},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. */

/* Whether operand I is the single NUMBER. If that is neutral, the operand can be left out. */
static bool is_number(const onnx_export *x, int i, double number)
{
    const inlay_tensor *t = put_fact(x, i)->content;

    return t && inlay_type_is_float(t->type) && inlay_tensor_count(t) == 1 &&
           inlay_tensor_get_f64(t, 0) == number;
}

/* Masks the scores: keeps those below the diagonal or where MASK is true, or adds MASK. */
static const char *masked(onnx_export *x, const char *scores, inlay_type type)
{
    const char *none = put_number(x, type, -INFINITY), *mask, *sizes[2];

    if (inlay_node_bool(x->n, "causal")) {
        for (int i = 0; i < 2; i++) {
            const char *shape = put(x, "Shape", IN(scores), NULL);

            sizes[i] = put(x, "Gather", IN(shape, put_int(x, i - 2)), NULL);
            sizes[i] = put(x, "Range", IN(put_int(x, 0), sizes[i], put_int(x, 1)), NULL);
        }
        mask = put(x, "GreaterOrEqual", IN(put_unsqueeze(x, sizes[0], (int64_t[]){1}, 1), sizes[1]),
                   NULL);
        return put(x, "Where", IN(mask, scores, none), NULL);
    }
    if (!inlay_node_input(x->n, 3) || is_number(x, 3, 0))
        return scores;
    if (put_type(x, 3) == INLAY_BOOLEAN)
        return put(x, "Where", IN(put_in(x, 3), scores, none), NULL);
    return put(x, "Add", IN(scores, put_as(x, 3, type)), NULL);
}

/* softmax(query key^T scale + mask) value */
static bool export_attention(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), PUT_BIT(INLAY_F32) | PUT_BIT(INLAY_F64));
    int64_t size = put_size(x, 0, put_fact(x, 0)->rank - 1);
    int rank = put_rank(x, 1);
    const char *scores, *scale;

    if (rank < 2)
        return false;
    if (size < 0 && !inlay_node_input(x->n, 4))
        return put_refuse(x, "the size of its heads is not known");
    scale = inlay_node_input(x->n, 4) ? put_as(x, 4, type)
                                      : put_number(x, type, 1 / sqrt((double)size));
    scores = put(x, "MatMul",
                 IN(put_as(x, 0, type), put_moved(x, put_as(x, 1, type), rank, rank - 2, rank - 1)),
                 NULL);
    if (!inlay_node_input(x->n, 4) || !is_number(x, 4, 1))
        scores = put_binary(x, "Mul", scores, scale);
    scores = masked(x, scores, type);
    scores = put(x, "Softmax", IN(scores), ATTRS(INT("axis", -1)));
    return put_give_as(x, 0, put(x, "MatMul", IN(scores, put_as(x, 2, type)), NULL), type);
}

const onnx_exporter onnx_exporters_attention[] = {
    {"ScaledDotProductAttention", export_attention, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
