/* Attention whose sequences stand behind one another, without padding, as com.microsoft has it, and
 * what goes with it: padding removed and restored, biases by the distance of a query and a key.
 *
 * A list of OFFSETS says where each token stands in [batch, length], and behind them where the
 * padding does. */
#include "parser/onnx/import/fused_attention.h"

#include <math.h>

static inlay_value *one(onnx_node *n, int64_t x)
{
    return onnx_list(n, &x, 1);
}

/* The first elements of OFFSETS [batch, length], one for each row of X. */
static inlay_value *places_of(onnx_node *n, inlay_value *offsets, inlay_value *x)
{
    return make_cut(n, onnx_flat(n, offsets), 0, one(n, 0), make_size(n, x, 0), 1);
}

/* The rows of X [tokens, size] as [batch, length, size], where padding is zeros. */
static inlay_value *restored(onnx_node *n, inlay_value *x, inlay_value *offsets)
{
    inlay_value *size = make_size(n, x, 1), *all, *sizes[3], *in[4];

    if (onnx_rank(n, x) != 2 || onnx_rank(n, offsets) != 2)
        return NULL;
    all = onnx_sizes(n, offsets, 0, 2);
    in[0] = make_zeros(n, x->fact.type, make_join(n, (inlay_value *[]){all, size}, 2));
    in[1] = places_of(n, offsets, x);
    in[2] = x;
    in[3] = onnx_integer(n, 0);
    sizes[0] = make_size(n, offsets, 0);
    sizes[1] = make_size(n, offsets, 1);
    sizes[2] = size;
    return make_reshape(n, onnx_make(n, "ScatterUpdate", 4, in, NULL), sizes, 3);
}

/* The rows of X [batch, length, size] that are tokens, not padding; LIKE has as many rows. */
static inlay_value *removed(onnx_node *n, inlay_value *x, inlay_value *offsets, inlay_value *like)
{
    inlay_value *sizes[2];

    if (!x || onnx_rank(n, x) < 0)
        return NULL;
    sizes[0] = onnx_sizes(n, x, 0, 2);
    sizes[1] = make_size(n, x, 2);
    return onnx_take(n, make_reshape(n, x, sizes, 2), places_of(n, offsets, like), 0);
}

static bool import_restore_padding(onnx_node *n)
{
    return onnx_has_rank(n, 0, 2, 2) && onnx_has_rank(n, 1, 2, 2) &&
           onnx_give(n, 0, restored(n, n->in[0], n->in[1]));
}

/* The places in list MASK where it is VALUE. */
static inlay_value *places_where(onnx_node *n, inlay_value *mask, bool value)
{
    inlay_value *in = value ? mask : onnx_unary(n, "LogicalNot", mask);

    in = onnx_make(n, "NonZero", 1, &in, ATTRS(TYPE("output_type", INLAY_I32)));
    return make_squeeze(n, in, (int64_t[]){0}, 1);
}

/* Operand 1 has the number of tokens of each sequence. */
static bool import_remove_padding(onnx_node *n)
{
    inlay_value *x = n->in[0], *counts = n->in[1], *mask, *offsets, *sizes[2], *ends, *y;

    if (!onnx_has_rank(n, 0, 3, 3) || !onnx_has_rank(n, 1, 1, 1) || onnx_rank(n, x) < 0)
        return false;
    mask = onnx_convert(n, make_counting(n, make_size(n, x, 1)), INLAY_I32);
    mask = onnx_binary(n, "Less", mask, make_unsqueeze(n, counts, (int64_t[]){1}, 1));
    mask = onnx_flat(n, mask);
    sizes[0] = make_size(n, x, 0);
    sizes[1] = make_size(n, x, 1);
    offsets = places_where(n, mask, true);
    if (!offsets || !(y = removed(n, x, offsets, offsets)))
        return false;
    offsets = make_concat(n, offsets, places_where(n, mask, false), 0);
    ends = onnx_binary(n, "CumSum", counts, onnx_integer(n, 0));
    ends = make_concat(n, make_zeros(n, INLAY_I32, one(n, 1)), ends, 0);
    return onnx_give(n, 0, y) && onnx_give(n, 1, make_reshape(n, offsets, sizes, 2)) &&
           onnx_give(n, 2, ends) &&
           onnx_give(n, 3, make_reduce(n, "ReduceMax", counts, one(n, 0), true));
}

/* Packed attention */

typedef struct packed {
    fused a;
    inlay_value *offsets, *ends; /* ends: of the sequences in the tokens, [batch + 1] */
    inlay_value *q, *k, *v;      /* [tokens, heads * size] */
} packed;

/* No query sees a key of padding. */
static bool mask_padding(packed *p)
{
    onnx_node *n = p->a.n;
    inlay_value *count = make_size(n, p->offsets, 0), *zero = one(n, 0), *lengths, *rest;

    rest = make_cut(n, p->ends, 0, one(n, 1), one(n, INT32_MAX), 1);
    lengths = onnx_binary(n, "Subtract", rest, make_cut(n, p->ends, 0, zero, count, 1));
    lengths = make_unsqueeze(n, onnx_convert(n, lengths, INLAY_I64), (int64_t[]){1, 2, 3}, 3);
    return lengths &&
           fused_mask(&p->a, onnx_binary(n, "Less", fused_keys(&p->a), lengths), -INFINITY);
}

static inlay_value *heads_of(const packed *p, inlay_value *x)
{
    return attention_split(p->a.n, restored(p->a.n, x, p->offsets), p->a.heads);
}

/* SCORES is the operand that is added to the scores. */
static bool give_packed(packed *p, int scores)
{
    onnx_node *n = p->a.n;

    p->a.q = p->q ? heads_of(p, p->q) : NULL;
    p->a.k = p->k ? heads_of(p, p->k) : NULL;
    p->a.v = p->v ? heads_of(p, p->v) : NULL;
    return p->a.q && p->a.k && p->a.v && mask_padding(p) && fused_add(&p->a, scores) &&
           onnx_give(n, 0, removed(n, fused_result(&p->a), p->offsets, p->q));
}

/* Elements of X along AXIS from *AT on, SIZE of them; *AT moves behind them. */
static inlay_value *next_part(onnx_node *n, inlay_value *x, int axis, inlay_value **at,
                              inlay_value *size)
{
    inlay_value *start = *at;

    *at = onnx_binary(n, "Add", start, size);
    return make_cut(n, x, axis, start, *at, 1);
}

static bool import_packed_attention(onnx_node *n)
{
    packed p = {.a = {.n = n}};
    inlay_value *x = make_sum(n, onnx_make(n, "MatMul", 2, n->in, NULL), 2), *at = one(n, 0);
    int64_t widths[3];

    if (!onnx_has_rank(n, 0, 2, 2) || !onnx_has_rank(n, 3, 2, 2) || !onnx_has_rank(n, 4, 1, 1) ||
        !fused_read(&p.a) || !fused_widths(n, widths))
        return false;
    p.offsets = n->in[3];
    p.ends = n->in[4];
    p.q = next_part(n, x, 1, &at, one(n, widths[0]));
    p.k = next_part(n, x, 1, &at, one(n, widths[1]));
    p.v = next_part(n, x, 1, &at, one(n, widths[2]));
    return give_packed(&p, 5);
}

/* Part I of X [tokens, heads, 3, size] as [tokens, heads * size]. */
static inlay_value *part_of(onnx_node *n, inlay_value *x, int i)
{
    inlay_value *sizes[2];

    x = onnx_take(n, x, onnx_integer(n, i), 2);
    if (!x)
        return NULL;
    sizes[0] = make_size(n, x, 0);
    sizes[1] = onnx_sizes(n, x, 1, 3);
    return make_reshape(n, x, sizes, 2);
}

enum { PACKED_Q, PACKED_K, PACKED_V, PACKED_BIAS, PACKED_OFFSETS, PACKED_ENDS, PACKED_SCORES };

/* Adds to each of queries, keys and values its part of the list of all biases. */
static bool add_biases(packed *p)
{
    inlay_value **parts[] = {&p->q, &p->k, &p->v}, *bias = onnx_in(p->a.n, PACKED_BIAS);
    inlay_value *at = one(p->a.n, 0);

    for (int i = 0; i < 3; i++) {
        inlay_value *x = *parts[i], *own;

        if (!x || !bias)
            continue;
        own = next_part(p->a.n, bias, 0, &at, make_size(p->a.n, x, 1));
        *parts[i] = onnx_binary(p->a.n, "Add", x, own);
    }
    return p->q && p->k && p->v;
}

static bool import_packed_multi_head(onnx_node *n)
{
    packed p = {
        .a = {.n = n}, .offsets = onnx_in(n, PACKED_OFFSETS), .ends = onnx_in(n, PACKED_ENDS)};
    int rank = onnx_rank(n, n->in[PACKED_Q]);
    bool apart = onnx_in(n, PACKED_K) && onnx_in(n, PACKED_V);

    if (rank < 0 || !fused_read(&p.a))
        return false;
    if (!p.offsets || !p.ends || rank != (apart ? 2 : 4))
        return onnx_node_fail(n,
                              "query has %d axes, which must be 2 beside key and value and else "
                              "4, and operands 4 and 5 must be there",
                              rank);
    if (!onnx_has_rank(n, PACKED_OFFSETS, 2, 2) || !onnx_has_rank(n, PACKED_ENDS, 1, 1))
        return false;
    p.q = apart ? n->in[PACKED_Q] : part_of(n, n->in[PACKED_Q], 0);
    p.k = apart ? n->in[PACKED_K] : part_of(n, n->in[PACKED_Q], 1);
    p.v = apart ? n->in[PACKED_V] : part_of(n, n->in[PACKED_Q], 2);
    return add_biases(&p) && give_packed(&p, PACKED_SCORES);
}

/* Biases by distance */

/* The bucket of DISTANCE, 0 or more, among BUCKETS: small distances have their own, and larger ones
 * share them, by their logarithm up to MAX. */
static inlay_value *bucket_of(onnx_node *n, inlay_value *distance, int64_t buckets, int64_t max)
{
    const int64_t exact = buckets / 2;
    const double step = (double)(buckets - exact) / log((double)max / (double)exact);
    inlay_value *far = onnx_convert(n, distance, INLAY_F32), *near;

    near = onnx_binary(n, "Less", distance, onnx_integer(n, exact));
    far = onnx_binary(n, "Maximum", far, onnx_number(n, INLAY_F32, (double)exact));
    far = onnx_unary(n, "Log", make_scaled(n, far, 1.0 / (double)exact));
    far = onnx_convert(n, make_scaled(n, far, step), INLAY_I64);
    far = onnx_binary(n, "Add", far, onnx_integer(n, exact));
    far = onnx_binary(n, "Minimum", far, onnx_integer(n, buckets - 1));
    return make_select(n, near, distance, far);
}

/* Row [buckets, heads] of the table for each query and key: [1, heads, queries, keys]. */
static bool import_position_bias(onnx_node *n)
{
    bool ok = true, both = onnx_attr_int(n, "is_bidirectional", 0, &ok) != 0;
    int64_t max = onnx_attr_int(n, "max_distance", 0, &ok), count;
    inlay_value *query, *key, *distance, *bucket;

    if (!ok || !onnx_has_rank(n, 0, 2, 2) || onnx_rank(n, n->in[0]) < 0 ||
        (count = onnx_known_size(n, n->in[0], 0)) < 0)
        return false;
    count = both ? count / 2 : count;
    if (count < 2 || count > INT32_MAX || max <= count / 2 || max > INT32_MAX)
        return onnx_node_fail(n,
                              "has max_distance %lld and %lld buckets on a side, they must be "
                              "more than half of these, and 2 or more",
                              (long long)max, (long long)count);
    query = make_unsqueeze(n, make_counting(n, onnx_one(n, 1)), (int64_t[]){1}, 1);
    key = make_counting(n, onnx_one(n, 2));
    distance = onnx_binary(n, "Subtract", query, key);
    bucket = both ? onnx_unary(n, "Abs", distance)
                  : onnx_binary(n, "Maximum", distance, onnx_integer(n, 0));
    bucket = bucket_of(n, bucket, count, max);
    if (both)
        bucket = onnx_binary(n, "Add", bucket,
                             make_select(n, onnx_binary(n, "Less", distance, onnx_integer(n, 0)),
                                         onnx_integer(n, count), onnx_integer(n, 0)));
    bucket = make_transpose(n, onnx_take(n, n->in[0], bucket, 0), (int64_t[]){2, 0, 1}, 3);
    return onnx_give(n, 0, make_unsqueeze(n, bucket, (int64_t[]){0}, 1));
}

/* The bias, operand 2, times a gate of each query u (r a - 1) + 2, where u and r are sigmoids of the
 * sums of the halves of a projection of the query. */
static bool import_gated_bias(onnx_node *n)
{
    fused a = {.n = n};
    inlay_value *x, *gates, *half, *u, *r, *sizes[5],
        *lone = onnx_number(n, n->in[0]->fact.type, 1);

    if (onnx_in(n, 6))
        return onnx_node_fail(n, "operand 6, token_offset, is not read");
    if (!fused_read(&a) || !onnx_has_rank(n, 0, 3, 3))
        return false;
    x = attention_split(n, onnx_binary(n, "Add", n->in[0], n->in[1]), a.heads);
    x = onnx_binary(n, "Add", onnx_binary(n, "MatMul", x, n->in[3]), n->in[4]);
    if (!x)
        return false;
    half = onnx_binary(n, "Divide", make_size(n, x, 3), one(n, 2));
    for (int i = 0; i < 3; i++)
        sizes[i] = make_size(n, x, i);
    sizes[3] = one(n, 2);
    sizes[4] = half;
    gates = make_reduce(n, "ReduceSum", make_reshape(n, x, sizes, 5), one(n, 4), false);
    gates = onnx_unary(n, "Sigmoid", gates);
    u = make_cut(n, gates, 3, one(n, 0), one(n, 1), 1);
    r = make_cut(n, gates, 3, one(n, 1), one(n, 2), 1);
    r = onnx_binary(n, "Subtract", onnx_binary(n, "Multiply", r, n->in[5]), lone);
    u = onnx_binary(n, "Multiply", u, r);
    u = onnx_binary(n, "Add", u, onnx_number(n, n->in[0]->fact.type, 2));
    return onnx_give(n, 0, onnx_binary(n, "Multiply", u, n->in[2]));
}

const onnx_operator onnx_operators_packed_attention[] = {
    {"com.microsoft.GatedRelativePositionBias", 1, import_gated_bias, NULL, 6},
    {"com.microsoft.PackedAttention", 1, import_packed_attention, NULL, 5},
    {"com.microsoft.PackedMultiHeadAttention", 1, import_packed_multi_head, NULL, 1},
    {"com.microsoft.RelativePositionBias", 1, import_position_bias, NULL, 3},
    {"com.microsoft.RemovePadding", 1, import_remove_padding, NULL, 2},
    {"com.microsoft.RestorePadding", 1, import_restore_padding, NULL, 2},
    {NULL, 0, NULL, NULL, 0},
};
