/* Attention in the domain com.microsoft: Attention, which projects its input, MultiHeadAttention,
 * and GroupQueryAttention, whose cache may be larger than the keys in it. Each becomes the
 * operations
 *
 *     Y = softmax(scale * Q K^T + bias) V
 *
 * where the bias contains the mask. Narrow floats are computed as f32. */
#include "parser/onnx/import/fused_attention.h"
#include "parser/onnx/import/quantize.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The attribute NAME, a number of heads: so small that a sum of three cannot overflow. */
static bool read_heads(onnx_node *n, const char *name, int64_t *heads)
{
    bool ok = true;

    *heads = onnx_attr_int(n, name, 0, &ok);
    return ok && ((*heads >= 1 && *heads <= INT32_MAX) ||
                  onnx_node_fail(n, "attribute \"%s\" is %lld, it must be from 1 to %d", name,
                                 (long long)*heads, INT32_MAX));
}

bool fused_read(fused *a)
{
    bool ok = read_heads(a->n, "num_heads", &a->heads);

    a->groups = a->heads;
    a->filter = onnx_attr_float(a->n, "mask_filter_value", -10000, &ok);
    a->type = a->n->in[0]->fact.type;
    a->wide = make_wide_type(a->type);
    return ok;
}

static bool lacks(const onnx_node *n, int i, const char *name)
{
    return !onnx_in(n, i) || onnx_node_fail(n, "operand %d, %s, is not read", i, name);
}

/* Scores */

static bool add_bias(fused *a, inlay_value *bias)
{
    bias = make_wide(a->n, bias);
    a->bias = a->bias ? onnx_binary(a->n, "Add", a->bias, bias) : bias;
    return a->bias != NULL;
}

bool fused_add(fused *a, int i)
{
    return !onnx_in(a->n, i) || add_bias(a, a->n->in[i]);
}

bool fused_mask(fused *a, inlay_value *allowed, double lower)
{
    return add_bias(a, make_select(a->n, allowed, onnx_number(a->n, a->wide, 0),
                                   onnx_number(a->n, a->wide, lower)));
}

inlay_value *fused_keys(const fused *a)
{
    return make_counting(a->n, make_size(a->n, a->k, 2));
}

/* The position of each query among the keys, the first OWN of this call behind the past: [queries,
 * 1]. */
static inlay_value *queries_of(const fused *a)
{
    onnx_node *n = a->n;
    inlay_value *past = onnx_binary(n, "Subtract", make_size(n, a->k, 2), a->own);

    return make_unsqueeze(n, onnx_binary(n, "Add", make_counting(n, make_size(n, a->q, 2)), past),
                          (int64_t[]){1}, 1);
}

static bool add_causal(fused *a)
{
    bool ok = true;

    if (onnx_attr_int(a->n, "unidirectional", 0, &ok) == 0 || a->q->fact.dims[2].hi == 1)
        return ok; /* a single query is the last one, and sees all */
    return fused_mask(a, onnx_binary(a->n, "GreaterEqual", queries_of(a), fused_keys(a)),
                      -INFINITY);
}

/* Part I of a list of one number for each element of the batch and part, for each key: [batch, 1,
 * 1, 1]. */
static inlay_value *part_of_list(const fused *a, inlay_value *list, int i)
{
    onnx_node *n = a->n;
    inlay_value *batch = make_size(n, a->q, 0), *at = onnx_list(n, (int64_t[]){i}, 1);
    inlay_value *start = onnx_binary(n, "Multiply", batch, at);

    list = make_cut(n, list, 0, start, onnx_binary(n, "Add", start, batch), 1);
    return make_unsqueeze(n, onnx_convert(n, list, INLAY_I64), (int64_t[]){1, 2, 3}, 3);
}

/* LIST has the end of the valid keys for each element of the batch; if it is twice as long, then
 * their starts, and if it has 3 batch + 2 numbers, then where queries and keys would begin without
 * padding, which says nothing new. */
static bool add_ends(fused *a, inlay_value *list)
{
    onnx_node *n = a->n;
    inlay_dim batch = a->q->fact.dims[0];
    inlay_value *keys = fused_keys(a), *allowed;
    int64_t count;

    allowed = onnx_binary(n, "Less", keys, part_of_list(a, list, 0));
    if (inlay_dim_proven_equal(list->fact.dims[0], batch))
        return fused_mask(a, allowed, a->filter);
    count = onnx_known_size(n, list, 0);
    if (count < 0 || onnx_known_size(n, a->q, 0) < 0)
        return false;
    if (count != batch.lo && count != 2 * batch.lo && count != 3 * batch.lo + 2)
        return onnx_node_fail(n,
                              "the mask has %lld numbers, it must have b, 2 b or 3 b + 2, where b "
                              "is the batch, %lld",
                              (long long)count, (long long)batch.lo);
    if (count == 2 * batch.lo)
        allowed = onnx_binary(n, "LogicalAnd", allowed,
                              onnx_binary(n, "GreaterEqual", keys, part_of_list(a, list, 1)));
    return fused_mask(a, allowed, a->filter);
}

/* The part of a mask [batch, 1, most, most] that is of these queries and keys. */
static inlay_value *mask_part(const fused *a, inlay_value *mask)
{
    onnx_node *n = a->n;
    inlay_value *keys = make_size(n, a->k, 2), *zero = onnx_list(n, (int64_t[]){0}, 1);

    mask = make_cut(n, mask, 2, onnx_binary(n, "Subtract", keys, make_size(n, a->q, 2)), keys, 1);
    return make_cut(n, mask, 3, zero, keys, 1);
}

/* Operand I says which keys are not padding: numbers above 0 in [batch, keys], [batch, queries,
 * keys] or, of a model's longest text, [batch, 1, most, most], or a list of the ends of keys. */
static bool add_padding(fused *a, int i)
{
    onnx_node *n = a->n;
    inlay_value *mask = onnx_in(n, i);
    int rank = mask ? onnx_rank(n, mask) : 0;

    if (!mask || rank < 0)
        return !mask;
    if (rank == 1)
        return add_ends(a, mask);
    if (rank < 1 || rank > 4)
        return onnx_node_fail(n, "the mask has %d axes, it must have 1 to 4", rank);
    mask = rank == 4 ? mask_part(a, mask)
                     : make_unsqueeze(n, mask, (int64_t[]){1, 2}, rank == 2 ? 2 : 1);
    mask = mask ? onnx_binary(n, "Greater", mask, onnx_number(n, mask->fact.type, 0)) : NULL;
    return fused_mask(a, mask, a->filter);
}

/* scale * Q K^T; attribute scale is 1 / sqrt(the size of a head) where it is 0. */
static inlay_value *scores_of(const fused *a)
{
    onnx_node *n = a->n;
    bool ok = true;
    double scale = onnx_attr_float(n, "scale", 0, &ok);
    inlay_value *x = attention_product(n, make_wide(n, a->q), make_wide(n, a->k), true), *size;

    if (!ok || scale != 0)
        return ok ? make_scaled(n, x, scale) : NULL;
    size = onnx_unary(n, "Sqrt", onnx_convert(n, make_size(n, a->q, 3), a->wide));
    return onnx_binary(n, "Divide", x, size);
}

/* Probabilities with one more key, whose score is the head's sink, and which has no value. */
static inlay_value *beside_sink(const fused *a, inlay_value *scores)
{
    onnx_node *n = a->n;
    inlay_value *one = onnx_list(n, (int64_t[]){1}, 1), *zero = onnx_list(n, (int64_t[]){0}, 1);
    inlay_value *sizes[] = {make_size(n, a->q, 0), make_size(n, a->q, 1), make_size(n, a->q, 2),
                            one};
    inlay_value *sink = make_unsqueeze(n, make_wide(n, a->sink), (int64_t[]){1, 2}, 2);

    sink = onnx_binary(n, "Broadcast", sink, make_join(n, sizes, 4));
    scores = attention_softmax(n, make_concat(n, scores, sink, 3));
    return make_cut(n, scores, 3, zero, make_size(n, a->k, 2), 1);
}

/* Gives X as output 3, if that is to have what X is. Returns X. */
static inlay_value *shown(const fused *a, inlay_value *x, int what)
{
    onnx_node *n = a->n;
    inlay_value *y = x;

    if (!x || a->shown != what)
        return x;
    if (what == SCORES_BEFORE && a->bias)
        y = make_select(n, onnx_binary(n, "Equal", x, onnx_number(n, a->wide, -INFINITY)),
                        onnx_number(n, a->wide, a->unseen), x);
    return onnx_give(n, 3, onnx_convert(n, y, a->type)) ? x : NULL;
}

inlay_value *fused_result(const fused *a)
{
    onnx_node *n = a->n;
    inlay_value *x = scores_of(a);

    if (a->cap > 0)
        x = make_scaled(n, onnx_unary(n, "Tanh", make_scaled(n, x, 1 / a->cap)), a->cap);
    if (a->bias)
        x = onnx_binary(n, "Add", x, a->bias);
    x = shown(a, x, SCORES_BEFORE);
    x = a->sink ? beside_sink(a, x) : x ? attention_softmax(n, x) : NULL;
    x = shown(a, x, SCORES_AFTER);
    x = attention_product(n, x, make_wide(n, a->v), false);
    return onnx_convert(n, x ? attention_merge(n, x) : NULL, a->type);
}

static bool give_attention(const fused *a)
{
    return onnx_give(a->n, 0, fused_result(a));
}

/* MultiHeadAttention */

enum { MULTI_Q, MULTI_K, MULTI_V, MULTI_BIAS, MULTI_MASK, MULTI_SCORES, MULTI_PAST_K };
enum { MULTI_PAST_V = MULTI_PAST_K + 1, MULTI_LENGTH, MULTI_BEAMS };

/* Part I of X [batch, length, heads, parts, size], as [batch, heads, length, size]. */
static inlay_value *packed_part(onnx_node *n, inlay_value *x, int i)
{
    return make_transpose(n, onnx_take(n, x, onnx_integer(n, i), 3), (int64_t[]){0, 2, 1, 3}, 4);
}

/* Adds to X [batch, heads, length, size] its part of the list of all biases, which begins at *AT,
 * and moves *AT behind it. */
static inlay_value *biased(const fused *a, inlay_value *x, inlay_value **at)
{
    onnx_node *n = a->n;
    inlay_value *bias = onnx_in(n, MULTI_BIAS), *size = make_size(n, x, 3), *end;
    inlay_value *heads = onnx_list(n, &a->heads, 1), *one = onnx_list(n, (int64_t[]){1}, 1);

    if (!bias)
        return x;
    end = onnx_binary(n, "Add", *at, onnx_binary(n, "Multiply", heads, size));
    bias = make_cut(n, bias, 0, *at, end, 1);
    *at = end;
    return onnx_binary(n, "Add", x, make_reshape(n, bias, (inlay_value *[]){heads, one, size}, 3));
}

/* Reads queries, keys and values, which may be packed in one or two operands. Keys and values may
 * also come from another node, with their bias already added. */
static bool read_multi(fused *a)
{
    onnx_node *n = a->n;
    inlay_value *q = n->in[MULTI_Q], *k = onnx_in(n, MULTI_K), *v = onnx_in(n, MULTI_V);
    inlay_value *at = onnx_list(n, (int64_t[]){0}, 1);
    int q_rank = onnx_rank(n, q), k_rank = k ? onnx_rank(n, k) : 5;
    int v_rank = v ? onnx_rank(n, v) : k_rank;

    if (q_rank < 0 || k_rank < 0 || v_rank < 0)
        return false;
    if ((q_rank != 3 && q_rank != 5) || (!k && q_rank != 5) || (!v && k_rank != 5) || k_rank < 3 ||
        k_rank > 5 || v_rank != k_rank)
        return onnx_node_fail(n,
                              "query, key and value have %d, %d and %d axes, which is no form "
                              "that they can have",
                              q_rank, k ? k_rank : 0, v ? v_rank : 0);
    a->q = q_rank == 5 ? packed_part(n, q, 0) : attention_split(n, q, a->heads);
    a->k = k_rank == 4   ? k
           : k_rank == 3 ? attention_split(n, k, a->heads)
                         : packed_part(n, k ? k : q, k ? 0 : 1);
    a->v = k_rank == 4   ? v
           : k_rank == 3 ? attention_split(n, v, a->heads)
                         : packed_part(n, k ? k : q, k ? 1 : 2);
    a->q = biased(a, a->q, &at);
    if (k_rank != 4) {
        a->k = biased(a, a->k, &at);
        a->v = biased(a, a->v, &at);
    }
    return a->q && a->k && a->v;
}

/* PAST with X [..., length, size] behind it; or, where operand LENGTH says how many rows of PAST
 * there are, written over the next ones of PAST, which has room for them. END receives where they
 * end, or NULL. */
static inlay_value *joined(onnx_node *n, inlay_value *past, inlay_value *x, int axis, int length,
                           inlay_value **end)
{
    inlay_value *start = onnx_in(n, length);

    *end = NULL;
    if (!past || !x || !start)
        return past && x ? make_concat(n, past, x, axis) : x;
    start = onnx_flat(n, onnx_convert(n, start, INLAY_I64));
    *end = onnx_binary(n, "Add", start, make_size(n, x, axis));
    return *end ? cache_window(n, past, x, start, axis) : NULL;
}

/* The rows of X before END; all if that is NULL. */
static inlay_value *before(onnx_node *n, inlay_value *x, inlay_value *end)
{
    return end ? make_cut(n, x, 2, onnx_list(n, (int64_t[]){0}, 1), end, 1) : x;
}

/* Gives keys and values with those of earlier calls, and sets them to what is valid of them. */
static bool join_multi(fused *a)
{
    onnx_node *n = a->n;
    inlay_value *end[2];

    if (onnx_in(n, MULTI_LENGTH) && (!onnx_in(n, MULTI_PAST_K) || !onnx_in(n, MULTI_PAST_V)))
        return onnx_node_fail(n, "operand %d, past_sequence_length, is there, but no past",
                              MULTI_LENGTH);
    a->own = make_size(
        n, inlay_dim_proven_equal(a->q->fact.dims[2], a->k->fact.dims[2]) ? a->q : a->k, 2);
    a->k = joined(n, onnx_in(n, MULTI_PAST_K), a->k, 2, MULTI_LENGTH, &end[0]);
    a->v = joined(n, onnx_in(n, MULTI_PAST_V), a->v, 2, MULTI_LENGTH, &end[1]);
    if (!onnx_give(n, 1, a->k) || !onnx_give(n, 2, a->v))
        return false;
    a->k = before(n, a->k, end[0]);
    a->v = before(n, a->v, end[1]);
    return a->k && a->v;
}

static bool import_multi_head(onnx_node *n)
{
    fused a = {.n = n};

    if (!lacks(n, MULTI_BEAMS, "cache_indirection") || !fused_read(&a) || !read_multi(&a))
        return false;
    a.shown = onnx_wants(n, 3) ? SCORES_BEFORE : SCORES_NONE;
    a.unseen = (double)-FLT_MAX;
    return join_multi(&a) && add_causal(&a) && add_padding(&a, MULTI_MASK) &&
           fused_add(&a, MULTI_SCORES) && give_attention(&a);
}

/* Attention */

enum { OWN_X, OWN_WEIGHTS, OWN_BIAS, OWN_MASK, OWN_PAST, OWN_SCORES, OWN_LENGTH };

bool fused_widths(onnx_node *n, int64_t *widths)
{
    bool ok = true;
    int count;
    const int64_t *list = onnx_attr_ints(n, "qkv_hidden_sizes", &count, &ok);
    int64_t all =
        onnx_rank(n, n->in[OWN_WEIGHTS]) == 2 ? onnx_known_size(n, n->in[OWN_WEIGHTS], 1) : -1;

    if (!ok || all < 0)
        return false;
    for (int i = 0; i < 3; i++)
        widths[i] = count == 3 ? list[i] : all / 3;
    for (int i = 0; i < 3; i++) {
        if (widths[i] < 1 || widths[i] > all || all > INT32_MAX ||
            widths[i] % onnx_attr_int(n, "num_heads", 1, &ok))
            return onnx_node_fail(n, "the weights have %lld columns, of which %lld are no heads",
                                  (long long)all, (long long)widths[i]);
    }
    return (!list || count == 3) && widths[0] + widths[1] + widths[2] == all
               ? true
               : onnx_node_fail(n,
                                "the weights have %lld columns, which are not those of queries, "
                                "keys and values",
                                (long long)all);
}

/* The projection's columns from *AT on, WIDTH of them, as heads. */
static inlay_value *projected(const fused *a, inlay_value *x, int64_t width, int64_t *at)
{
    onnx_node *n = a->n;
    inlay_value *start = onnx_list(n, at, 1), *stop;

    *at += width;
    stop = onnx_list(n, at, 1);
    return attention_split(n, make_cut(n, x, 2, start, stop, 1), a->heads);
}

/* X is the projection, with its bias. */
static bool read_projection(fused *a, inlay_value *x)
{
    int64_t widths[3], at = 0;

    if (!x || !fused_widths(a->n, widths))
        return false;
    a->q = projected(a, x, widths[0], &at);
    a->k = projected(a, x, widths[1], &at);
    a->v = projected(a, x, widths[2], &at);
    a->own = a->q ? make_size(a->n, a->q, 2) : NULL;
    return a->q && a->k && a->v;
}

/* Operand I, the past, is one tensor of both keys and values, and so is the present. Operand LENGTH
 * is as in joined. */
static bool give_present(fused *a, int i, int length)
{
    onnx_node *n = a->n;
    inlay_value *past = onnx_in(n, i), *present, *end;

    if (!past && !onnx_wants(n, 1))
        return a->k && a->v;
    present = make_concat(n, make_unsqueeze(n, a->k, (int64_t[]){0}, 1),
                          make_unsqueeze(n, a->v, (int64_t[]){0}, 1), 0);
    present = joined(n, past, present, 3, length, &end);
    if (past) {
        a->k = before(n, onnx_take(n, present, onnx_integer(n, 0), 0), end);
        a->v = before(n, onnx_take(n, present, onnx_integer(n, 1), 0), end);
    }
    return a->k && a->v && onnx_give(n, 1, present);
}

static bool is_plain(onnx_node *n)
{
    onnx_attr_ignore(n, "rotary_embedding_dim"); /* without do_rotary */
    return onnx_attr_usual(n, "do_rotary", 0) && onnx_has_rank(n, OWN_X, 3, 3);
}

static bool import_own_attention(onnx_node *n)
{
    fused a = {.n = n};
    bool ok = true, shares = onnx_attr_int(n, "past_present_share_buffer", 0, &ok) != 0;

    if (shares && (!onnx_in(n, OWN_PAST) || !onnx_in(n, OWN_LENGTH)))
        return onnx_node_fail(n,
                              "operand %d, past, or %d, past_sequence_length, is missing, which "
                              "past_present_share_buffer asks for",
                              OWN_PAST, OWN_LENGTH);
    if (!shares && !lacks(n, OWN_LENGTH, "past_sequence_length of a shared buffer"))
        return false;
    return ok && is_plain(n) && fused_read(&a) &&
           read_projection(&a, make_sum(n, onnx_make(n, "MatMul", 2, n->in, NULL), OWN_BIAS)) &&
           give_present(&a, OWN_PAST, OWN_LENGTH) && add_causal(&a) && add_padding(&a, OWN_MASK) &&
           fused_add(&a, OWN_SCORES) && give_attention(&a);
}

/* The same with codes of 8 bits in place of the input and the weights. */
enum { CODES_BIAS = 2, CODES_MASK = 5, CODES_PAST = 8, CODES_NONE };

static bool import_quantized_attention(onnx_node *n)
{
    static const quantize_operands at = {0, OWN_WEIGHTS, 3, 4, 6, 7, CODES_BIAS};
    fused a = {.n = n};

    if (!is_plain(n) || !onnx_attr_usual(n, "past_present_share_buffer", 0) || !fused_read(&a))
        return false;
    a.type = n->in[CODES_BIAS]->fact.type;
    a.wide = make_wide_type(a.type);
    return read_projection(&a, onnx_convert(n, quantize_product(n, &at), a.type)) &&
           give_present(&a, CODES_PAST, CODES_NONE) && add_causal(&a) &&
           add_padding(&a, CODES_MASK) && give_attention(&a);
}

/* The number of pairs in the cosines of a rotation, operand I [positions, pairs]; -1: unknown. */
static int64_t pairs_of(onnx_node *n, int i)
{
    bool known = onnx_has_rank(n, i, 2, 2) && onnx_rank(n, n->in[i]) >= 0;
    int64_t pairs = known ? onnx_known_size(n, n->in[i], 1) : -1;

    if (pairs > INT32_MAX)
        onnx_node_fail(n, "the cosines have %lld columns, there may be %d", (long long)pairs,
                       INT32_MAX);
    return pairs > INT32_MAX ? -1 : pairs;
}

/* GroupQueryAttention. The keys of batch b are its first seqlens_k[b] + 1, of which the last are
 * those of this call: they are written into the cache behind what is there. A cache with room for
 * more stays as long as it is; one without grows to total_sequence_length. */

enum { GROUP_Q, GROUP_K, GROUP_V, GROUP_PAST_K, GROUP_PAST_V, GROUP_LAST, GROUP_TOTAL };
enum { GROUP_COS = GROUP_TOTAL + 1, GROUP_SIN, GROUP_PLACES, GROUP_SCORES, GROUP_SINK };
enum { GROUP_K_SCALE = GROUP_SINK + 1, GROUP_V_SCALE, GROUP_Q_NORM, GROUP_K_NORM };

/* A cache holds codes of BITS bits, 0 for none, which numbers of operand SCALE make floats: one, or
 * with CHANNELS one for each element of a head. */
typedef struct coding {
    int scale;
    int64_t bits;
    bool channels;
} coding;

typedef struct group_query {
    fused a;
    coding keys, values;
    inlay_value *ends, *starts; /* per batch: the number of keys; the position of the first query */
} group_query;

/* Queries, keys and values as [batch, length, heads, size]. */
static bool read_group(fused *a)
{
    onnx_node *n = a->n;
    inlay_value *q = n->in[GROUP_Q], *k = onnx_in(n, GROUP_K), *v = onnx_in(n, GROUP_V);
    int64_t all;

    if (!read_heads(n, "kv_num_heads", &a->groups))
        return false;
    if (a->heads % a->groups != 0)
        return onnx_node_fail(n, "num_heads is %lld, it must be a multiple of kv_num_heads, %lld",
                              (long long)a->heads, (long long)a->groups);
    if (!onnx_has_rank(n, GROUP_Q, 3, 3) || onnx_rank(n, q) < 0)
        return false;
    all = a->heads + 2 * a->groups;
    if (k && v) {
        a->q = make_heads(n, q, a->heads);
        a->k = make_heads(n, k, a->groups);
        a->v = make_heads(n, v, a->groups);
    } else {
        inlay_value *zero = onnx_list(n, (int64_t[]){0}, 1), *heads = onnx_list(n, &a->heads, 1),
                    *more = onnx_list(n, (int64_t[]){a->heads + a->groups}, 1);

        q = make_heads(n, q, all);
        a->q = make_cut(n, q, 2, zero, heads, 1);
        a->k = make_cut(n, q, 2, heads, more, 1);
        a->v = make_cut(n, q, 2, more, onnx_list(n, &all, 1), 1);
    }
    return a->q && a->k && a->v && onnx_rank(n, a->q) == 4 && onnx_rank(n, a->k) == 4;
}

/* Divides each head by its root mean square, and scales it by operand I. */
static inlay_value *normed(onnx_node *n, inlay_value *x, int i, bool *ok)
{
    double epsilon = onnx_attr_float(n, "qk_norm_epsilon", 1e-6f, ok);
    inlay_value *wide = make_wide(n, x), *root;

    if (!onnx_in(n, i) || !wide)
        return x;
    root = make_root_mean_square(n, wide, onnx_list(n, (int64_t[]){-1}, 1), epsilon);
    wide = onnx_binary(n, "Divide", wide, root);
    wide = onnx_binary(n, "Multiply", wide, make_wide(n, n->in[i]));
    return onnx_convert(n, wide, x->fact.type);
}

static bool turn_group(group_query *g)
{
    onnx_node *n = g->a.n;
    bool ok = true, turned = onnx_attr_int(n, "do_rotary", 0, &ok) != 0;
    rotary r = {n,
                onnx_in(n, GROUP_COS),
                onnx_in(n, GROUP_SIN),
                onnx_in(n, GROUP_PLACES),
                0,
                onnx_attr_int(n, "rotary_interleaved", 0, &ok) != 0};

    g->a.q = normed(n, g->a.q, GROUP_Q_NORM, &ok);
    g->a.k = normed(n, g->a.k, GROUP_K_NORM, &ok);
    if (!ok || !g->a.q || !g->a.k || !turned)
        return ok && g->a.q && g->a.k;
    if (!r.cosines || !r.sines)
        return onnx_node_fail(n, "operands 7 and 8, cosines and sines, are missing, which "
                                 "do_rotary asks for");
    if ((r.dim = 2 * pairs_of(n, GROUP_COS)) < 0)
        return false;
    if (!r.positions)
        r.positions = onnx_binary(n, "Add", make_unsqueeze(n, g->starts, (int64_t[]){1}, 1),
                                  make_counting(n, make_size(n, g->a.q, 1)));
    g->a.q = rotary_turned(&r, g->a.q);
    g->a.k = rotary_turned(&r, g->a.k);
    return g->a.q && g->a.k;
}

/* PAST with X [batch, groups, length, size] written at its positions; it becomes longer if that is
 * necessary, by no more than X is: a batch that has more keys than both would have a gap between
 * them, and the scatter refuses it. Where the model says that PRESENT, an output, is as long as the
 * past, it stays so: then a buffer may be both. */
static inlay_value *cached(const group_query *g, inlay_value *past, inlay_value *x, int present)
{
    onnx_node *n = g->a.n;
    inlay_value *more;

    if (!past || onnx_rank(n, past) < 0)
        return past ? NULL : x;
    if (onnx_rank(n, past) != 4)
        return (onnx_node_fail(n, "the past has %d axes, it must have 4", onnx_rank(n, past)),
                NULL);
    if (onnx_declares_same(n, present, past, 2))
        return cache_scattered(n, past, x, g->starts, 2);
    more = onnx_flat(n, onnx_convert(n, n->in[GROUP_TOTAL], INLAY_I64));
    more = onnx_binary(n, "Subtract", more, make_size(n, past, 2));
    more = onnx_binary(n, "Maximum", more, onnx_list(n, (int64_t[]){0}, 1));
    more = onnx_binary(n, "Minimum", more, make_size(n, x, 2));
    return cache_scattered(n, make_longer(n, past, 4, 2, more, 0), x, g->starts, 2);
}

static inlay_value *scale_of(const group_query *g, const coding *c)
{
    inlay_value *sizes[] = {onnx_list(g->a.n, &g->a.groups, 1),
                            onnx_list(g->a.n, (int64_t[]){1}, 1), make_size(g->a.n, g->a.q, 3)};

    return c->channels ? make_reshape(g->a.n, g->a.n->in[c->scale], sizes, 3)
                       : onnx_flat(g->a.n, g->a.n->in[c->scale]);
}

/* The codes of X [batch, groups, length, size]. Two of 4 bits lie in a byte, the first in its low
 * half, and 8 more than they are. */
static inlay_value *coded(const group_query *g, const coding *c, inlay_value *x)
{
    onnx_node *n = g->a.n;
    const double low = c->bits == 4 ? -8 : -128;
    inlay_value *size = make_size(n, x, 3), *even, *odd;

    if (c->bits == 0)
        return x;
    x = onnx_binary(n, "Divide", make_wide(n, x), scale_of(g, c));
    x = x ? onnx_make(n, "Round", 1, &x, ATTRS(WORD("mode", "half_to_even"))) : NULL;
    x = x ? onnx_make(n, "Clamp", 1, &x, ATTRS(REAL("min", low), REAL("max", -low - 1))) : NULL;
    if (c->bits == 8)
        return onnx_convert(n, x, INLAY_I8);
    x = onnx_convert(n, onnx_binary(n, "Add", x, onnx_number(n, g->a.wide, -low)), INLAY_U8);
    even = make_cut(n, x, 3, onnx_list(n, (int64_t[]){0}, 1), size, 2);
    odd = make_cut(n, x, 3, onnx_list(n, (int64_t[]){1}, 1), size, 2);
    return onnx_binary(n, "Add", even,
                       onnx_binary(n, "Multiply", odd, onnx_number(n, INLAY_U8, 16)));
}

/* The floats that the codes X stand for. */
static inlay_value *decoded(const group_query *g, const coding *c, inlay_value *x)
{
    static const int64_t last[] = {4};
    onnx_node *n = g->a.n;
    inlay_value *high, *low, *sixteen = onnx_number(n, INLAY_U8, 16);

    if (c->bits == 4) {
        inlay_value *sizes[] = {make_size(n, x, 0), make_size(n, x, 1), make_size(n, x, 2),
                                make_size(n, g->a.q, 3)};

        high = onnx_binary(n, "Divide", x, sixteen);
        low = onnx_binary(n, "Subtract", x, onnx_binary(n, "Multiply", high, sixteen));
        x = make_concat(n, make_unsqueeze(n, low, last, 1), make_unsqueeze(n, high, last, 1), 4);
        x = onnx_convert(n, make_reshape(n, x, sizes, 4), g->a.wide);
        x = onnx_binary(n, "Subtract", x, onnx_number(n, g->a.wide, 8));
    }
    return c->bits == 0 ? x
                        : onnx_binary(n, "Multiply", onnx_convert(n, x, g->a.wide), scale_of(g, c));
}

/* Gives keys and values with those of earlier calls, and sets them to what is valid of them. */
static bool join_group(group_query *g)
{
    fused *a = &g->a;
    onnx_node *n = a->n;
    inlay_value *past_k = onnx_in(n, GROUP_PAST_K), *past_v = onnx_in(n, GROUP_PAST_V);

    a->k = cached(g, past_k, coded(g, &g->keys, a->k), 1);
    a->v = cached(g, past_v, coded(g, &g->values, a->v), 2);
    if (!a->k || !a->v || onnx_rank(n, a->k) != 4 || !onnx_give(n, 1, a->k) ||
        !onnx_give(n, 2, a->v))
        return false;
    a->k = attention_valid(n, decoded(g, &g->keys, a->k), g->ends, past_k != NULL);
    a->v = attention_valid(n, decoded(g, &g->values, a->v), g->ends, past_v != NULL);
    return a->k && a->v;
}

/* Which keys [keys] each query [batch, 1, queries, 1] sees. A single query sees all that there are
 * of a cache, but for those before its window. */
static bool mask_group(group_query *g)
{
    onnx_node *n = g->a.n;
    bool ok = true, causal = onnx_attr_int(n, "causal", 1, &ok) != 0;
    int64_t window = onnx_attr_int(n, "local_window_size", -1, &ok);
    const int64_t axes[] = {1, 2, 3};
    const inlay_dim *q = g->a.q->fact.dims;
    inlay_value *keys = fused_keys(&g->a), *query, *seen;

    if (window < 0 && onnx_in(n, GROUP_PAST_K) && attention_is_one_batch(g->a.q) && q[2].hi == 1)
        return ok;
    query = make_unsqueeze(n, make_counting(n, make_size(n, g->a.q, 2)), (int64_t[]){1}, 1);
    query = onnx_binary(n, "Add", query, make_unsqueeze(n, g->starts, axes, 3));
    seen = onnx_binary(n, "Less", keys, make_unsqueeze(n, g->ends, axes, 3));
    if (causal)
        seen = onnx_binary(n, "LogicalAnd", seen, onnx_binary(n, "LessEqual", keys, query));
    if (window >= 0) { /* a query of padding sees what the last one sees, so that it sees a key */
        query = onnx_binary(
            n, "Minimum", query,
            onnx_binary(n, "Subtract", make_unsqueeze(n, g->ends, axes, 3), onnx_integer(n, 1)));
        seen = onnx_binary(n, "LogicalAnd", seen,
                           onnx_binary(n, "Greater", keys,
                                       onnx_binary(n, "Subtract", query, onnx_integer(n, window))));
    }
    return ok && seen && fused_mask(&g->a, seen, -INFINITY);
}

/* A bias of the scores has one column per key; those behind the longest batch are cut off. */
static bool add_group_bias(fused *a)
{
    onnx_node *n = a->n;
    inlay_value *bias = onnx_in(n, GROUP_SCORES), *zero = onnx_list(n, (int64_t[]){0}, 1);

    if (!bias)
        return true;
    if (onnx_rank(n, bias) != 4)
        return onnx_rank(n, bias) >= 0 && onnx_node_fail(n, "attention_bias must have 4 axes");
    return add_bias(a, make_cut(n, bias, 3, zero, make_size(n, a->k, 2), 1));
}

static bool read_sink(fused *a)
{
    bool ok = true;

    int64_t shown = onnx_attr_int(a->n, "qk_output", SCORES_NONE, &ok);

    if (ok && (shown < SCORES_NONE || shown > SCORES_AFTER))
        return onnx_node_fail(a->n, "attribute \"qk_output\" is %lld, it must be from 0 to 2",
                              (long long)shown);
    a->shown = onnx_wants(a->n, 3) ? (int)shown : SCORES_NONE;
    a->cap = onnx_attr_float(a->n, "softcap", 0, &ok);
    a->sink = onnx_in(a->n, GROUP_SINK);
    if (!a->sink && onnx_attr_int(a->n, "smooth_softmax", 0, &ok) > 0)
        a->sink = make_zeros(a->n, a->wide, onnx_list(a->n, &a->heads, 1));
    return ok;
}

static bool read_coding(onnx_node *n, coding *c, const char *name, int scale)
{
    bool ok = true;
    const char *kind = onnx_attr_word(n, name, "NONE", "NONE PER_TENSOR PER_CHANNEL", &ok);
    int64_t bits = onnx_attr_int(n, "kv_cache_bit_width", 0, &ok);

    if (!ok || strcmp(kind, "NONE") == 0)
        return ok && lacks(n, scale, "a scale of the cache, without a kind of quantisation,");
    if ((bits != 4 && bits != 8) || !onnx_in(n, scale))
        return onnx_node_fail(n,
                              "%s is %s, so that kv_cache_bit_width must be 4 or 8, and operand %d "
                              "be there",
                              name, kind, scale);
    *c = (coding){scale, bits, strcmp(kind, "PER_CHANNEL") == 0};
    return true;
}

/* Returns where the rows of a call are written: at STARTS, before which there is nothing if it is
 * the first one, whose rows are all that there are, LENGTH of them; some batches may be shorter. In
 * a later call no batch may have fewer keys than the call has: the scatter refuses that. */
static inlay_value *group_starts(onnx_node *n, inlay_value *starts, inlay_value *length)
{
    inlay_value *total = onnx_convert(n, onnx_flat(n, n->in[GROUP_TOTAL]), INLAY_I64);

    return make_select(n, onnx_binary(n, "Equal", total, length),
                       onnx_binary(n, "Maximum", starts, onnx_integer(n, 0)), starts);
}

static bool import_group_query(onnx_node *n)
{
    static const int64_t swapped[] = {0, 2, 1, 3};
    group_query g = {.a = {.n = n}};

    if (!onnx_attr_usual(n, "sliding_window_cache", 0) ||
        !read_coding(n, &g.keys, "k_quant_type", GROUP_K_SCALE) ||
        !read_coding(n, &g.values, "v_quant_type", GROUP_V_SCALE) || !fused_read(&g.a) ||
        !read_group(&g.a) || !read_sink(&g.a))
        return false;
    if (!onnx_in(n, GROUP_LAST) || !onnx_in(n, GROUP_TOTAL))
        return onnx_node_fail(n, "operands 5 and 6, seqlens_k and total_sequence_length, are "
                                 "missing");
    g.ends = onnx_convert(n, onnx_flat(n, n->in[GROUP_LAST]), INLAY_I64);
    g.ends = onnx_binary(n, "Add", g.ends, onnx_integer(n, 1));
    g.starts = onnx_binary(n, "Subtract", g.ends, make_size(n, g.a.q, 1));
    if (!inlay_dim_proven_equal(onnx_dim(n, GROUP_Q, 1), inlay_dim_of(1)))
        g.starts = group_starts(n, g.starts, make_size(n, g.a.q, 1));
    if (!g.starts || !turn_group(&g))
        return false;
    g.a.q = make_transpose(n, g.a.q, swapped, 4);
    g.a.k = make_transpose(n, g.a.k, swapped, 4);
    g.a.v = make_transpose(n, g.a.v, swapped, 4);
    return g.a.q && join_group(&g) && mask_group(&g) && add_group_bias(&g.a) &&
           give_attention(&g.a);
}

/* RotaryEmbedding: position_ids has the positions of all elements, or only that of the first. */
static inlay_value *positions_of(onnx_node *n, inlay_value *x)
{
    int rank = onnx_rank(n, n->in[1]);
    inlay_value *sizes[] = {make_size(n, x, 0), make_size(n, x, 1)};

    if (rank < 0 || rank > 1)
        return rank < 0 ? NULL : n->in[1];
    return onnx_binary(n, "Broadcast", onnx_binary(n, "Add", make_counting(n, sizes[1]), n->in[1]),
                       make_join(n, sizes, 2));
}

static bool import_own_rotary(onnx_node *n)
{
    static const int64_t swapped[] = {0, 2, 1, 3};
    bool ok = true;
    int64_t heads = onnx_attr_int(n, "num_heads", 0, &ok);
    rotary r = {.n = n, .cosines = n->in[2], .sines = n->in[3]};
    inlay_value *x = n->in[0];
    int rank = onnx_rank(n, x);
    int64_t pairs = pairs_of(n, 2);

    onnx_attr_int(n, "rotary_embedding_dim", 0, &ok); /* the caches say it */
    r.interleaved = onnx_attr_int(n, "interleaved", 0, &ok) != 0;
    onnx_attr_ignore(n, "is_packed_batching"); /* position_ids tell where each sequence begins */
    onnx_attr_ignore(n, "scale");
    if (!ok || rank < 0 || pairs < 0)
        return false;
    if ((rank != 3 && rank != 4) || pairs < 1)
        return onnx_node_fail(n, "input[0] has %d axes, it must have 3 or 4, and cosines 1 or more",
                              rank);
    if (rank == 3 && heads < 1)
        heads = onnx_known_size(n, x, 2) / (2 * pairs);
    if (rank == 3 && heads < 1)
        return onnx_node_fail(n, "a head has %lld elements, which input[0] has not",
                              (long long)(2 * pairs));
    r.dim = 2 * pairs;
    x = rank == 4 ? make_transpose(n, x, swapped, 4) : make_heads(n, x, heads);
    r.positions = x && onnx_rank(n, x) == 4 ? positions_of(n, x) : NULL;
    x = r.positions ? rotary_turned(&r, x) : NULL;
    x = rank == 4 ? make_transpose(n, x, swapped, 4) : make_merged(n, x);
    return onnx_give(n, 0, x);
}

const onnx_operator onnx_operators_fused_attention[] = {
    {"com.microsoft.Attention", 1, import_own_attention, NULL, 2},
    {"com.microsoft.GroupQueryAttention", 1, import_group_query, NULL, 1},
    {"com.microsoft.MultiHeadAttention", 1, import_multi_head, NULL, 1},
    {"com.microsoft.QAttention", 1, import_quantized_attention, NULL, 5},
    {"com.microsoft.RotaryEmbedding", 1, import_own_rotary, NULL, 4},
    {NULL, 0, NULL, NULL, 0},
};
