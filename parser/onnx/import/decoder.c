/* Operators of language models' decoders besides attention: rotary embeddings, caches, gates, and
 * convolutions and recurrences with a carried state. */
#include "parser/onnx/import/attention.h"
#include "parser/onnx/import/loop.h"

#include <string.h>

static inlay_value *one_place(onnx_node *n, int64_t at)
{
    return onnx_list(n, &at, 1);
}

/* Returns the rows of CACHE for the positions, up to PAIRS, for each element of X. */
static inlay_value *angles(const rotary *r, inlay_value *cache, inlay_value *pairs, inlay_value *x)
{
    onnx_node *n = r->n;
    inlay_value *rows = r->positions ? onnx_take(n, cache, r->positions, 0) : cache;

    rows = onnx_held(n, rows, (const onnx_size_of[]){{x, 0, 0}, {x, 1, 0}, {rows, 2, 0}}, 3);
    return make_unsqueeze(n, make_cut(n, rows, 2, one_place(n, 0), pairs, 1), (int64_t[]){2}, 1);
}

/* Rotates the pairs (a, b) of X by their angles to (a cos - b sin, a sin + b cos). PAIRS is half of
 * SIZE. */
static inlay_value *turn(const rotary *r, inlay_value *x, inlay_value *pairs, inlay_value *size)
{
    onnx_node *n = r->n;
    int64_t step = r->interleaved ? 2 : 1;
    inlay_value *middle = r->interleaved ? one_place(n, 1) : pairs;
    inlay_value *a = make_cut(n, x, 3, one_place(n, 0), r->interleaved ? size : pairs, step);
    inlay_value *b = make_cut(n, x, 3, middle, size, step), *real, *imaginary;
    inlay_value *cosine = angles(r, r->cosines, pairs, x), *sine = angles(r, r->sines, pairs, x);

    real = onnx_binary(n, "Subtract", onnx_binary(n, "Multiply", a, cosine),
                       onnx_binary(n, "Multiply", b, sine));
    imaginary = onnx_binary(n, "Add", onnx_binary(n, "Multiply", a, sine),
                            onnx_binary(n, "Multiply", b, cosine));
    if (!r->interleaved)
        return make_concat(n, real, imaginary, 3);
    real = make_concat(n, make_unsqueeze(n, real, (int64_t[]){4}, 1),
                       make_unsqueeze(n, imaginary, (int64_t[]){4}, 1), 4);
    return onnx_reshape(n, real, onnx_make(n, "ShapeOf", 1, &x, NULL));
}

inlay_value *rotary_turned(const rotary *r, inlay_value *x)
{
    onnx_node *n = r->n;
    inlay_value *whole = make_size(n, x, 3), *size = r->dim > 0 ? one_place(n, r->dim) : whole;
    inlay_value *pairs =
        r->dim > 0 ? one_place(n, r->dim / 2) : onnx_binary(n, "Divide", size, one_place(n, 2));
    inlay_value *turned;

    if (r->dim == 0 || (x && inlay_dim_proven_equal(x->fact.dims[3], inlay_dim_of(r->dim))))
        return turn(r, x, pairs, size);
    turned = turn(r, make_cut(n, x, 3, one_place(n, 0), size, 1), pairs, size);
    return make_concat(n, turned, make_cut(n, x, 3, size, whole, 1), 3);
}

/* Checks the caches and positions of X [batch, length, heads, size], as far as ONNX says their
 * shapes: [positions, pairs] with positions [batch, length], else [batch, length, pairs]. */
static bool has_angles(const rotary *r, const inlay_value *x)
{
    onnx_node *n = r->n;
    const inlay_dim *d = x->fact.dims;
    bool by_position = r->positions != NULL;
    inlay_shape places = {.rank = 2, .dim = {d[0], d[1]}};
    inlay_shape s = {.rank = by_position ? 2 : 3, .dim = {d[0], d[1], inlay_dim_any()}};

    if (by_position)
        s.dim[0] = s.dim[1] = inlay_dim_any();
    if (r->dim > 0 && inlay_dim_is_static(d[3]) && r->dim > d[3].lo)
        return onnx_node_fail(n, "rotary_embedding_dim is %lld, a head has %lld element%s",
                              (long long)r->dim, (long long)d[3].lo,
                              inlay_plural(d[3].lo, "", "s"));
    return onnx_has_shape(n, 1, &s) && onnx_has_shape(n, 2, &s) && onnx_has_shape(n, 3, &places);
}

static bool import_rotary(onnx_node *n)
{
    static const int64_t swapped[] = {0, 2, 1, 3};
    bool ok = true;
    int64_t heads = onnx_attr_int(n, "num_heads", 0, &ok);
    rotary r = {.n = n,
                .cosines = n->in[1],
                .sines = n->in[2],
                .positions = onnx_in(n, 3),
                .dim = onnx_attr_int(n, "rotary_embedding_dim", 0, &ok),
                .interleaved = onnx_attr_int(n, "interleaved", 0, &ok) != 0};
    inlay_value *x = n->in[0];
    int rank = onnx_rank(n, x);

    if (!ok || rank < 0)
        return false;
    if (rank != 3 && rank != 4)
        return onnx_node_fail(n, "input[0] has %d ax%s, it must have 3 or 4", rank,
                              inlay_plural(rank, "is", "es"));
    if (rank == 3 && heads < 1)
        return onnx_node_fail(n, "attribute \"num_heads\" must say the heads of an input with 3 "
                                 "axes");
    if (r.dim < 0 || r.dim % 2 != 0)
        return onnx_node_fail(n, "rotary_embedding_dim is %lld, it must be even and not negative",
                              (long long)r.dim);
    x = rank == 4 ? make_transpose(n, x, swapped, 4) : make_heads(n, x, heads);
    if (x && !has_angles(&r, x))
        return false;
    x = x ? rotary_turned(&r, x) : NULL;
    x = rank == 4 ? make_transpose(n, x, swapped, 4) : make_merged(n, x);
    return onnx_give(n, 0, x);
}

/* SwiGLU is Swish of the gate, times the other operand. */
static bool import_swiglu(onnx_node *n)
{
    bool ok = true;
    double alpha = onnx_attr_float(n, "alpha", 1, &ok);
    inlay_shape s = onnx_shape(n->in[0]);
    inlay_value *gate =
        ok && onnx_has_shape(n, 1, &s)
            ? onnx_binary(n, "Swish", n->in[0], onnx_number(n, n->in[0]->fact.type, alpha))
            : NULL;

    return onnx_give(n, 0, onnx_binary(n, "Multiply", gate, n->in[1]));
}

/* Multiplies X by its Sigmoid, computed in f32. */
static inlay_value *silu(onnx_node *n, inlay_value *x)
{
    inlay_value *wide = onnx_convert(n, x, INLAY_F32);

    wide = onnx_binary(n, "Multiply", wide, onnx_unary(n, "Sigmoid", wide));
    return x ? onnx_convert(n, wide, x->fact.type) : NULL;
}

/* Convolves each channel with its own weights [channels, 1, k]. */
static inlay_value *depthwise(onnx_node *n, inlay_value *x, inlay_value *weights, inlay_value *bias)
{
    const int64_t one = 1, zero = 0;
    inlay_value *apart = make_unsqueeze(n, weights, &one, 1), *y;

    y = onnx_make(n, "GroupConvolution", 2, (inlay_value *[]){x, apart},
                  ATTRS(INTS("strides", &one, 1), INTS("dilations", &one, 1),
                        INTS("pads_begin", &zero, 1), INTS("pads_end", &zero, 1)));
    return bias ? onnx_binary(n, "Add", y, onnx_list_along(n, 2, bias, y, 1)) : y;
}

/* Checks the weights [channels, 1, k] and the state [batch, channels, k - 1]. */
static bool has_channels(onnx_node *n)
{
    inlay_dim channels = onnx_dim(n, 0, 1), k = onnx_dim(n, 1, 2);
    inlay_shape weights = {.rank = 3, .dim = {channels, inlay_dim_of(1), k}};
    inlay_shape past = {.rank = 3, .dim = {onnx_dim(n, 0, 0), channels, inlay_dim_any()}};

    if (inlay_dim_is_static(k) && k.lo > 0)
        past.dim[2] = inlay_dim_of(k.lo - 1);
    return onnx_has_shape(n, 1, &weights) && onnx_has_shape(n, 3, &past);
}

/* CausalConvWithState: the past k - 1 positions, or zeros, stand before the new ones. */
static bool import_causal_conv(onnx_node *n)
{
    bool ok = true;
    const char *activation = onnx_attr_string(n, "activation", "none", &ok);
    bool plain = strcmp(activation, "none") == 0;
    inlay_value *x = n->in[0], *past = onnx_in(n, 3), *carried, *y;

    if (!ok || onnx_rank(n, x) < 0 || onnx_rank(n, n->in[1]) < 0)
        return false;
    if (!plain && strcmp(activation, "silu") != 0 && strcmp(activation, "swish") != 0)
        return onnx_node_fail(n, "activation is \"%.80s\", it must be none, silu or swish",
                              activation);
    if (x->fact.rank != 3 || n->in[1]->fact.rank != 3)
        return onnx_node_fail(n, "inputs 0 and 1 must have 3 axes");
    if (!has_channels(n))
        return false;
    carried = onnx_binary(n, "Subtract", make_size(n, n->in[1], 2), one_place(n, 1));
    if (!past) {
        inlay_value *sizes[] = {make_size(n, x, 0), make_size(n, x, 1), carried};

        past = make_zeros(n, x->fact.type, make_join(n, sizes, 3));
    } else if (!inlay_dim_is_static(onnx_dim(n, 1, 2)) || !inlay_dim_is_static(onnx_dim(n, 3, 2))) {
        inlay_value *sizes[] = {make_size(n, x, 0), make_size(n, x, 1), carried};

        past = make_reshape(n, past, sizes, 3); /* so that the run checks the size */
    }
    x = make_concat(n, past, x, 2);
    y = depthwise(n, x, n->in[1], onnx_in(n, 2));
    if (!onnx_give(n, 0, plain ? y : silu(n, y)))
        return false;
    past = make_size(n, x, 2);
    return onnx_give(n, 1, make_cut(n, x, 2, onnx_binary(n, "Subtract", past, carried), past, 1));
}

/* A position below 0 is none, but a window would count it from the end: it becomes the end itself,
 * where nothing can be written, so that the scatter refuses it. */
static inlay_value *counted_from_front(onnx_node *n, inlay_value *cache, inlay_value *start,
                                       int axis)
{
    if (!cache || !start || inlay_node_is(start->node, INLAY_OP_CONST))
        return start;
    return make_select(n, onnx_binary(n, "Less", start, onnx_integer(n, 0)),
                       make_size(n, cache, axis), start);
}

inlay_value *cache_window(onnx_node *n, inlay_value *cache, inlay_value *x, inlay_value *start,
                          int axis)
{
    inlay_value *from = counted_from_front(n, cache, start, axis),
                *stop = x ? onnx_binary(n, "Add", from, make_size(n, x, axis)) : NULL;
    inlay_value *in[] = {cache, x, from, stop, one_place(n, 1), one_place(n, axis)};

    return in[5] ? onnx_make(n, "SliceScatter", 6, in, NULL) : NULL;
}

static inlay_value *scattered(onnx_node *n, inlay_value *const *in, int count, int axis,
                              const char *mode)
{
    return onnx_make(n, "TensorScatter@onnx24", count, in,
                     ATTRS(INT("axis", axis), WORD("mode", mode)));
}

/* If all batches are written at one position, a SliceScatter writes there, so that its updates can
 * be computed in place. */
inlay_value *cache_scattered(onnx_node *n, inlay_value *cache, inlay_value *x, inlay_value *starts,
                             int axis)
{
    if (cache && attention_is_one_batch(cache))
        return cache_window(n, cache, x, starts, axis);
    return scattered(n, (inlay_value *[]){cache, x, starts}, 3, axis, "linear");
}

/* Positions in a circular cache are taken modulo its size: some exporters never wrap them. */
static inlay_value *place_around(onnx_node *n, int axis)
{
    return onnx_binary(n, "FloorMod", n->in[2], make_size(n, n->in[0], axis));
}

static bool import_tensor_scatter(onnx_node *n)
{
    bool ok = true;
    int64_t wanted = onnx_attr_int(n, "axis", -2, &ok);
    const char *mode = onnx_attr_string(n, "mode", "linear", &ok);
    int rank = onnx_rank(n, n->in[0]), axis = ok && rank > 0 ? onnx_axis(n, wanted, rank) : -1;

    if (axis < 0 || onnx_rank(n, n->in[1]) < 0)
        return false;
    if (axis > 0 && strcmp(mode, "linear") == 0 && n->in[1]->fact.rank == rank &&
        (!onnx_in(n, 2) || attention_is_one_batch(n->in[0])))
        return onnx_give(
            n, 0,
            cache_window(n, n->in[0], n->in[1], onnx_in(n, 2) ? n->in[2] : one_place(n, 0), axis));
    if (strcmp(mode, "circular") == 0 && onnx_in(n, 2)) {
        inlay_value *in[] = {n->in[0], n->in[1], place_around(n, axis)};

        return in[2] && onnx_give(n, 0, scattered(n, in, 3, axis, mode));
    }
    return onnx_give(n, 0, scattered(n, n->in, n->n_in, axis, mode));
}

/* LinearAttention: for token after token, a state S of each head forgets (gated), corrects what it
 * holds for the key (delta), takes in the value, and is asked by the query:
 *
 *     S = exp(decay) S;  S = S + k (v - S^T k)^T beta;  y = scale S^T q
 *
 * All of this is computed in f32. */
typedef struct linear {
    onnx_node *n;
    int64_t heads, groups;
    bool gated, delta;
    inlay_type type;
} linear;

/* The operands of the loop and the parameters of its body: the state, slices, and the scale. */
enum { LINEAR_STATE, LINEAR_Q, LINEAR_K, LINEAR_V, LINEAR_MORE, LINEAR_MAX = 7 };

static inlay_value *column(onnx_node *n, inlay_value *x)
{
    return make_unsqueeze(n, x, (int64_t[]){-1}, 1);
}

static inlay_value *product_of(onnx_node *n, inlay_value *a, inlay_value *b, bool transpose)
{
    return onnx_make(n, "MatMul", 2, (inlay_value *[]){a, b},
                     ATTRS(FLAG("transpose_a", transpose)));
}

/* Returns what the state takes in for the key K: V, or BETA times the difference between V and what
 * the state holds. */
static inlay_value *correction(const linear *l, onnx_node *n, inlay_value *state, inlay_value *k,
                               inlay_value *v, inlay_value *beta)
{
    inlay_value *held;

    if (!l->delta)
        return v;
    held = make_squeeze(n, product_of(n, state, column(n, k), true), (int64_t[]){-1}, 1);
    return onnx_binary(n, "Multiply", beta, onnx_binary(n, "Subtract", v, held));
}

/* Asks STATE [batch, groups, dk, dv] for Q [batch, heads, dk]; each group of heads has its own
 * state. */
static inlay_value *answer(const linear *l, onnx_node *n, inlay_value *q, inlay_value *state)
{
    int64_t grouped[] = {0, l->groups, l->heads / l->groups};
    inlay_value *in[] = {make_size(n, q, 0), onnx_list(n, grouped + 1, 2), make_size(n, q, 2)};
    inlay_value *y = product_of(n, make_reshape(n, q, in, 3), state, false);
    inlay_value *out[] = {make_size(n, q, 0), onnx_list(n, &l->heads, 1), make_size(n, y, 3)};

    return make_reshape(n, y, out, 3);
}

static bool fill_linear(const onnx_loop *loop, onnx_node *n, inlay_value **params,
                        inlay_value **results)
{
    const linear *l = loop->data;
    inlay_value *x[LINEAR_MAX], *state, *write, *y;
    int count = 1 + loop->n_sliced + loop->n_shared;

    for (int i = 0; i < count; i++)
        x[i] = onnx_convert(n, params[i], INLAY_F32);
    state = x[LINEAR_STATE];
    if (l->gated)
        state = onnx_binary(n, "Multiply", state, column(n, onnx_unary(n, "Exp", x[LINEAR_MORE])));
    write = correction(l, n, state, x[LINEAR_K], x[LINEAR_V], x[LINEAR_MORE + l->gated]);
    write =
        product_of(n, column(n, x[LINEAR_K]), make_unsqueeze(n, write, (int64_t[]){-2}, 1), false);
    state = onnx_binary(n, "Add", state, write);
    y = onnx_binary(n, "Multiply", answer(l, n, x[LINEAR_Q], state), x[count - 1]);
    results[0] = state;
    results[1] = onnx_convert(n, y, l->type);
    return state && results[1];
}

static bool read_linear(linear *l)
{
    static const char *const rules[] = {"linear", "gated", "delta", "gated_delta"};
    onnx_node *n = l->n;
    bool ok = true;
    const char *rule = onnx_attr_string(n, "update_rule", "gated_delta", &ok);
    int at = 0;

    onnx_attr_ignore(n, "chunk_size"); /* how it may be computed, not what */
    l->heads = onnx_attr_int(n, "q_num_heads", 0, &ok);
    l->groups = onnx_attr_int(n, "kv_num_heads", 0, &ok);
    l->type = n->in[0]->fact.type;
    while (ok && at < 4 && strcmp(rule, rules[at]) != 0)
        at++;
    l->gated = at & 1;
    l->delta = at & 2;
    if (ok && at == 4)
        return onnx_node_fail(n,
                              "update_rule is \"%.80s\", it must be linear, gated, delta or "
                              "gated_delta",
                              rule);
    if (ok && (l->groups < 1 || l->heads < 1 || l->heads % l->groups != 0))
        return onnx_node_fail(n, "q_num_heads is %lld, it must be a multiple of kv_num_heads, %lld",
                              (long long)l->heads, (long long)l->groups);
    if (ok && ((l->gated && !onnx_in(n, 4)) || (l->delta && !onnx_in(n, 5))))
        return onnx_node_fail(n, "input[%d] is missing, which update_rule \"%s\" needs",
                              l->gated && !onnx_in(n, 4) ? 4 : 5, rules[at]);
    for (int i = 0; ok && i < 6; i++)
        ok = !onnx_in(n, i) || onnx_rank(n, n->in[i]) == (i == 3 ? 4 : 3) ||
             onnx_node_fail(n, "input[%d] must have %d ax%s", i, i == 3 ? 4 : 3,
                            inlay_plural(i == 3 ? 4 : 3, "is", "es"));
    return ok;
}

/* Returns attribute scale, or 1 / sqrt(the size of a head). */
static inlay_value *linear_scale(onnx_node *n, inlay_value *q)
{
    bool ok = true;
    double scale = onnx_attr_float(n, "scale", 0, &ok);
    inlay_value *size;

    if (!ok || scale != 0)
        return ok ? onnx_number(n, INLAY_F32, scale) : NULL;
    size = onnx_convert(n, make_size(n, q, 3), INLAY_F32);
    return onnx_binary(n, "Divide", onnx_number(n, INLAY_F32, 1), onnx_unary(n, "Sqrt", size));
}

/* Returns the state before the first token, which is zeros where none is given. */
static inlay_value *first_state(const linear *l, inlay_value *k, inlay_value *v)
{
    onnx_node *n = l->n;
    inlay_value *sizes[] = {make_size(n, k, 0), onnx_list(n, &l->groups, 1), make_size(n, k, 3),
                            make_size(n, v, 3)};

    if (onnx_in(n, 3))
        return onnx_convert(n, n->in[3], INLAY_F32);
    return make_zeros(n, INLAY_F32, make_join(n, sizes, 4));
}

static bool import_linear(onnx_node *n)
{
    static const int axes[] = {1, 1, 1, 1, 1};
    linear l = {.n = n};
    inlay_value *sliced[5], *state, *scale, *out[2];
    onnx_loop loop = {.n = n,
                      .carried = &state,
                      .n_carried = 1,
                      .sliced = sliced,
                      .axes = axes,
                      .shared = &scale,
                      .n_shared = 1,
                      .n_joined = 1,
                      .fill = fill_linear,
                      .data = &l};

    if (!read_linear(&l))
        return false;
    for (int i = 0; i < 3; i++)
        sliced[loop.n_sliced++] = make_heads(n, n->in[i], i == 0 ? l.heads : l.groups);
    if (l.gated)
        sliced[loop.n_sliced++] = make_heads(n, n->in[4], l.groups);
    if (l.delta)
        sliced[loop.n_sliced++] = column(n, n->in[5]);
    for (int i = 0; i < loop.n_sliced; i++) {
        if (!sliced[i])
            return false;
    }
    state = first_state(&l, sliced[1], sliced[2]);
    scale = linear_scale(n, sliced[0]);
    if (!state || !scale || !onnx_iterate(&loop, out))
        return false;
    return onnx_give(n, 0, make_merged(n, make_transpose(n, out[1], (int64_t[]){1, 0, 2, 3}, 4))) &&
           onnx_give(n, 1, onnx_convert(n, out[0], n->in[onnx_in(n, 3) ? 3 : 0]->fact.type));
}

/* com.microsoft's forms of these operators. */

static bool import_own_causal_conv(onnx_node *n)
{
    return onnx_attr_usual(n, "ndim", 1) && onnx_attr_usual(n, "dilation", 1) &&
           onnx_attr_usual(n, "channels_last", 0) && onnx_attr_usual(n, "state_window", 0) &&
           import_causal_conv(n);
}

static bool import_own_linear(onnx_node *n)
{
    return onnx_attr_usual(n, "state_window", 0) && import_linear(n);
}

/* Rows of CACHE [batch, length, pairs]. Each token has three positions (streams), and each pair
 * uses that of its stream: STREAMS[i] says which pairs belong to stream i. */
static inlay_value *by_streams(onnx_node *n, inlay_value *cache, inlay_value *const *streams)
{
    inlay_value *rows = onnx_take(n, cache, n->in[1], 0), *own[3];

    for (int i = 0; i < 3; i++)
        own[i] = onnx_take(n, rows, onnx_integer(n, i), 0);
    return make_select(n, streams[2], own[2], make_select(n, streams[1], own[1], own[0]));
}

/* Which of PAIRS belong to stream I: a section of its own, or each third pair from I on, as many as
 * the section has. */
static inlay_value *stream_of(onnx_node *n, const int64_t *sections, int i, bool interleaved,
                              int64_t pairs)
{
    inlay_tensor *t = assemble_tensor(&n->s->r->a, INLAY_BOOLEAN, 1, &pairs);
    int64_t first = 0;
    inlay_value *v;

    for (int k = 0; k < i; k++)
        first += sections[k];
    for (int64_t k = 0; t && k < pairs; k++)
        inlay_tensor_set_i64(t, k,
                             interleaved ? k % 3 == i && k < 3 * sections[i]
                                         : k >= first && k < first + sections[i]);
    v = onnx_constant(n, t);
    inlay_tensor_release(t);
    return v;
}

/* Three positions of each token, each for some of the pairs. */
static bool import_streams_rotary(onnx_node *n)
{
    static const int64_t swapped[] = {0, 2, 1, 3};
    bool ok = true, interleaved = onnx_attr_int(n, "mrope_layout", 0, &ok) != 0;
    int count, rank = onnx_rank(n, n->in[0]);
    const int64_t *sections = onnx_attr_ints(n, "mrope_section", &count, &ok);
    int64_t heads = onnx_attr_int(n, "num_heads", 0, &ok), pairs;
    rotary r = {.n = n, .interleaved = onnx_attr_int(n, "interleaved", 0, &ok) != 0};
    double scale = onnx_attr_float(n, "scale", 1, &ok);
    inlay_value *streams[3] = {NULL}, *x = n->in[0];

    onnx_attr_int(n, "rotary_embedding_dim", 0, &ok); /* the caches say it */
    if (!ok || !onnx_attr_usual(n, "is_packed_batching", 0) || rank < 0 ||
        !onnx_has_rank(n, 1, 3, 3) || !onnx_has_rank(n, 2, 2, 2) || onnx_rank(n, n->in[2]) < 0)
        return false;
    if (scale != 1)
        return onnx_node_fail(n, "attribute \"scale\" is not 1, which is not read");
    if ((pairs = onnx_known_size(n, n->in[2], 1)) < 0)
        return false;
    if (count != 3 || pairs < 1 || pairs > INT32_MAX || (rank != 3 && rank != 4))
        return onnx_node_fail(n,
                              "needs 3 numbers in \"mrope_section\", cosines of 1 or more pairs, "
                              "and 3 or 4 axes");
    for (int i = 0; i < 3; i++) {
        if (sections[i] < 0 || sections[i] > pairs)
            return onnx_node_fail(n, "mrope_section[%d] is %lld, there are %lld pairs", i,
                                  (long long)sections[i], (long long)pairs);
    }
    for (int i = 1; i < 3; i++)
        streams[i] = stream_of(n, sections, i, interleaved, pairs);
    if (rank == 3 && heads < 1) {
        int64_t size = onnx_known_size(n, x, 2);

        if (size < 2 * pairs)
            return size >= 0 &&
                   onnx_node_fail(n, "a head has %lld elements, which input[0] has not",
                                  (long long)(2 * pairs));
        heads = size / (2 * pairs);
    }
    r.dim = 2 * pairs;
    r.cosines = by_streams(n, n->in[2], streams);
    r.sines = by_streams(n, n->in[3], streams);
    x = rank == 4 ? make_transpose(n, x, swapped, 4) : make_heads(n, x, heads);
    x = r.cosines && r.sines && x && onnx_rank(n, x) == 4 ? rotary_turned(&r, x) : NULL;
    return onnx_give(n, 0, rank == 4 ? make_transpose(n, x, swapped, 4) : make_merged(n, x));
}

/* Rotates queries and keys: operands 1 and 3 times the cosine of operand 0, plus their rotated
 * halves, operands 2 and 4, times its sine. */
static bool import_gemma_rotary(onnx_node *n)
{
    inlay_value *cosine, *sine, *y;
    inlay_type type = n->in[1]->fact.type;

    cosine =
        make_unsqueeze(n, onnx_convert(n, onnx_unary(n, "Cos", n->in[0]), type), (int64_t[]){1}, 1);
    sine =
        make_unsqueeze(n, onnx_convert(n, onnx_unary(n, "Sin", n->in[0]), type), (int64_t[]){1}, 1);
    for (int i = 0; i < 2; i++) {
        y = onnx_binary(n, "Multiply", n->in[1 + 2 * i], cosine);
        y = onnx_binary(n, "Add", y, onnx_binary(n, "Multiply", n->in[2 + 2 * i], sine));
        if (!onnx_give(n, i, y))
            return false;
    }
    return true;
}

/* How much the state of LinearAttention forgets and takes in. */
static bool import_linear_gate(onnx_node *n)
{
    inlay_value *x = onnx_convert(n, n->in[0], INLAY_F32), *beta;
    inlay_type type = n->in[0]->fact.type;

    x = onnx_unary(n, "SoftPlus", onnx_binary(n, "Add", x, n->in[1]));
    x = onnx_convert(n, onnx_binary(n, "Multiply", n->in[2], x), type);
    if (!onnx_give(n, 0, x) || !onnx_wants(n, 1))
        return x != NULL;
    if (!onnx_in(n, 3))
        return onnx_node_fail(n, "input[3] is missing, which output 1 needs");
    beta = onnx_unary(n, "Sigmoid", onnx_convert(n, n->in[3], INLAY_F32));
    return onnx_give(n, 1, onnx_convert(n, beta, type));
}

/* X over the root of the mean of its squares, times a scale and Swish of a gate, in f32. The scale
 * may be that of each head. */
static bool import_gated_rms(onnx_node *n)
{
    bool ok = true;
    double epsilon = onnx_attr_float(n, "epsilon", 1e-5f, &ok);
    inlay_value *x = onnx_convert(n, n->in[0], INLAY_F32), *heads, *sizes[2], *root;
    int rank = onnx_rank(n, n->in[0]);

    if (!ok || rank < 0)
        return false;
    if (rank < 1 || !onnx_has_rank(n, 1, 1, 1))
        return rank < 1 && onnx_node_fail(n, "input[0] must have 1 axis or more");
    sizes[1] = make_size(n, n->in[1], 0);
    sizes[0] = onnx_binary(n, "Divide", onnx_sizes(n, x, 0, rank), sizes[1]);
    heads = make_reshape(n, x, sizes, 2);
    root = heads ? make_root_mean_square(n, heads, one_place(n, 1), epsilon) : NULL;
    heads = onnx_binary(n, "Multiply", onnx_binary(n, "Divide", heads, root),
                        onnx_convert(n, n->in[1], INLAY_F32));
    heads = onnx_reshape(n, heads, onnx_shape_of(n, x));
    heads = onnx_binary(n, "Multiply", heads, silu(n, onnx_convert(n, n->in[2], INLAY_F32)));
    return onnx_give(n, 0, onnx_convert(n, heads, n->in[0]->fact.type));
}

const onnx_operator onnx_operators_decoder[] = {
    {"CausalConvWithState", 27, import_causal_conv, NULL, 2},
    {"LinearAttention", 27, import_linear, NULL, 3},
    {"RotaryEmbedding", 23, import_rotary, NULL, 3},
    {"SwiGLU", 28, import_swiglu, NULL, 2},
    {"TensorScatter", 24, import_tensor_scatter, NULL, 2},
    {"com.microsoft.CausalConvWithState", 1, import_own_causal_conv, NULL, 2},
    {"com.microsoft.GatedRMSNorm", 1, import_gated_rms, NULL, 3},
    {"com.microsoft.GemmaRotaryEmbedding", 1, import_gemma_rotary, NULL, 5},
    {"com.microsoft.LinearAttention", 1, import_own_linear, NULL, 3},
    {"com.microsoft.LinearAttentionGate", 1, import_linear_gate, NULL, 3},
    {"com.microsoft.MRotaryEmbedding", 1, import_streams_rotary, NULL, 4},
    {NULL, 0, NULL, NULL, 0},
};
