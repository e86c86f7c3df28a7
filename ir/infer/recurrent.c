/* Shape rules of recurrent cells and of sequences of their steps. */
#include "ir/infer/activations.h"
#include "ir/infer/infer.h"

#include <string.h>

/* A cell has GATES gates, and ACTIVE activation functions. */
typedef struct kind {
    int gates, active;
    inlay_activation_kind defaults[3];
} kind;

static const kind lstm = {
    4, 3, {INLAY_ACTIVATION_SIGMOID, INLAY_ACTIVATION_TANH, INLAY_ACTIVATION_TANH}};
static const kind gru = {3, 2, {INLAY_ACTIVATION_SIGMOID, INLAY_ACTIVATION_TANH}};
static const kind rnn = {1, 1, {INLAY_ACTIVATION_TANH}};

/* The sizes that operands have in common. */
typedef struct sizes {
    inlay_dim batch, steps, input, dirs, hidden, gates, biases, peepholes, score;
} sizes;

static int directions_of(const inlay_infer *cx)
{
    const char *direction = inlay_node_string(cx->node, "direction");

    return direction && strcmp(direction, "bidirectional") == 0 ? 2 : 1;
}

static bool begin(inlay_infer *cx, const kind *k, sizes *s)
{
    int64_t size = inlay_node_int(cx->node, "hidden_size");
    inlay_activation found[INLAY_MAX_ACTIVATIONS];
    int directions = directions_of(cx);
    char why[200];

    if (size < 1 || size > INT32_MAX)
        return inlay_infer_fail(cx, "hidden_size is %lld, it must be in [1, %d]", (long long)size,
                                (int)INT32_MAX);
    if (!inlay_node_activations(cx->node, k->defaults, k->active, directions, found, why,
                                sizeof why))
        return inlay_infer_fail(cx, "%s", why);
    s->batch = s->steps = s->input = inlay_dim_any();
    s->dirs = inlay_dim_of(directions);
    s->hidden = inlay_dim_of(size);
    s->gates = s->biases = inlay_dim_of(k->gates * size);
    s->peepholes = inlay_dim_of(3 * size);
    s->score = inlay_dim_of(1);
    return true;
}

/* Input I must have the RANK sizes at DIMS, which become what is known of both. */
static bool merge(inlay_infer *cx, int i, int rank, inlay_dim *const *dims)
{
    inlay_shape s;

    if (!in_has(cx, i))
        return true;
    if (!in_check_rank(cx, i, rank, rank))
        return false;
    inlay_infer_shape(cx, i, &s);
    for (int k = 0; k < s.rank; k++) {
        if (!merge_dim(cx, i, k, s.dim[k], dims[k]))
            return false;
    }
    return true;
}

#define MERGE(cx, i, ...)                                                                          \
    merge(cx, i, (int)(sizeof(inlay_dim *[]){__VA_ARGS__} / sizeof(inlay_dim *)),                  \
          (inlay_dim *[]){__VA_ARGS__})

/* A size that is not known gets an identity, because it is the same one wherever it stands in the
 * outputs. */
static inlay_dim settled(inlay_infer *cx, inlay_dim d)
{
    return inlay_dim_is_static(d) || d.id != 0 ? d : fresh_dim(cx, d.lo, d.hi);
}

static bool set_outputs(inlay_infer *cx, int first, int end, const inlay_shape *out)
{
    bool ok = true;

    for (int i = first; ok && i < end; i++)
        ok = inlay_infer_set_out(cx, i, cx->in[0]->type, out);
    return ok;
}

/* Cells: the state, and the cell state of an LSTM, have the shape [batch, hidden]. The operands
 * from W on stand behind the states; behind B there are peepholes, or scores of attention. */
static bool infer_cell(inlay_infer *cx, const kind *k)
{
    int states = k == &lstm ? 2 : 1, w = 1 + states;
    inlay_shape out = {.rank = 2};
    sizes s;

    if (!begin(cx, k, &s))
        return false;
    if (inlay_node_bool(cx->node, "linear_before_reset"))
        s.biases = inlay_dim_of((k->gates + 1) * s.hidden.lo);
    if (!MERGE(cx, 0, &s.batch, &s.input) || !MERGE(cx, 1, &s.batch, &s.hidden) ||
        (states == 2 && !MERGE(cx, 2, &s.batch, &s.hidden)) || !MERGE(cx, w, &s.gates, &s.input) ||
        !MERGE(cx, w + 1, &s.gates, &s.hidden) || !MERGE(cx, w + 2, &s.biases) ||
        (k == &lstm ? !MERGE(cx, w + 3, &s.peepholes) : !MERGE(cx, w + 3, &s.batch, &s.score)))
        return false;
    out.dim[0] = settled(cx, s.batch);
    out.dim[1] = s.hidden;
    return set_outputs(cx, 0, states, &out);
}

bool infer_lstm_cell(inlay_infer *cx)
{
    return infer_cell(cx, &lstm);
}

bool infer_gru_cell(inlay_infer *cx)
{
    return infer_cell(cx, &gru);
}

bool infer_rnn_cell(inlay_infer *cx)
{
    return infer_cell(cx, &rnn);
}

bool infer_augru_cell(inlay_infer *cx)
{
    return infer_cell(cx, &gru);
}

/* Sequences of OpenVINO: X is [batch, steps, input], a state [batch, directions, hidden]. */
static bool infer_sequence(inlay_infer *cx, const kind *k)
{
    int states = k == &lstm ? 2 : 1, w = 2 + states;
    inlay_shape out = {.rank = 4}, last = {.rank = 3};
    sizes s;

    if (!begin(cx, k, &s))
        return false;
    if (inlay_node_bool(cx->node, "linear_before_reset"))
        s.biases = inlay_dim_of((k->gates + 1) * s.hidden.lo);
    if (!MERGE(cx, 0, &s.batch, &s.steps, &s.input) ||
        !MERGE(cx, 1, &s.batch, &s.dirs, &s.hidden) ||
        (states == 2 && !MERGE(cx, 2, &s.batch, &s.dirs, &s.hidden)) ||
        !MERGE(cx, w - 1, &s.batch) || !MERGE(cx, w, &s.dirs, &s.gates, &s.input) ||
        !MERGE(cx, w + 1, &s.dirs, &s.gates, &s.hidden) || !MERGE(cx, w + 2, &s.dirs, &s.biases) ||
        (k == &lstm ? !MERGE(cx, w + 3, &s.dirs, &s.peepholes)
                    : !MERGE(cx, w + 3, &s.batch, &s.steps, &s.score)))
        return false;
    out.dim[0] = last.dim[0] = settled(cx, s.batch);
    out.dim[1] = last.dim[1] = s.dirs;
    out.dim[2] = settled(cx, s.steps);
    out.dim[3] = last.dim[2] = s.hidden;
    return set_outputs(cx, 0, 1, &out) && set_outputs(cx, 1, 1 + states, &last);
}

bool infer_lstm_sequence(inlay_infer *cx)
{
    return infer_sequence(cx, &lstm);
}

bool infer_gru_sequence(inlay_infer *cx)
{
    return infer_sequence(cx, &gru);
}

bool infer_rnn_sequence(inlay_infer *cx)
{
    return infer_sequence(cx, &rnn);
}

bool infer_augru_sequence(inlay_infer *cx)
{
    return infer_sequence(cx, &gru);
}

/* X, W, R, B, sequence_lens, initial_h, initial_c, P */
static bool merge_onnx(inlay_infer *cx, bool by_batch, sizes *s)
{
    inlay_dim *first = by_batch ? &s->batch : &s->steps, *second = by_batch ? &s->steps : &s->batch,
              *outer = by_batch ? &s->batch : &s->dirs, *inner = by_batch ? &s->dirs : &s->batch;

    return MERGE(cx, 0, first, second, &s->input) && MERGE(cx, 1, &s->dirs, &s->gates, &s->input) &&
           MERGE(cx, 2, &s->dirs, &s->gates, &s->hidden) && MERGE(cx, 3, &s->dirs, &s->biases) &&
           MERGE(cx, 4, &s->batch) && MERGE(cx, 5, outer, inner, &s->hidden) &&
           MERGE(cx, 6, outer, inner, &s->hidden) && MERGE(cx, 7, &s->dirs, &s->peepholes);
}

/* Nets of ONNX. In layout 0, X is [steps, batch, input], Y is [steps, directions, batch, hidden],
 * and a state is [directions, batch, hidden]. In layout 1 the batch comes first in each. */
static bool infer_onnx(inlay_infer *cx, const kind *k)
{
    int64_t layout = inlay_node_int(cx->node, "layout");
    inlay_shape out = {.rank = 4}, last = {.rank = 3};
    sizes s;

    if (layout != 0 && layout != 1)
        return inlay_infer_fail(cx, "layout is %lld, it must be 0 or 1", (long long)layout);
    if (!begin(cx, k, &s))
        return false;
    s.biases = inlay_dim_of(2 * k->gates * s.hidden.lo);
    if (!merge_onnx(cx, layout == 1, &s))
        return false;
    s.batch = settled(cx, s.batch);
    s.steps = settled(cx, s.steps);
    out.dim[0] = layout ? s.batch : s.steps;
    out.dim[1] = layout ? s.steps : s.dirs;
    out.dim[2] = layout ? s.dirs : s.batch;
    last.dim[0] = layout ? s.batch : s.dirs;
    last.dim[1] = layout ? s.dirs : s.batch;
    out.dim[3] = last.dim[2] = s.hidden;
    return set_outputs(cx, 0, 1, &out) && set_outputs(cx, 1, k == &lstm ? 3 : 2, &last);
}

bool infer_onnx_lstm(inlay_infer *cx)
{
    return infer_onnx(cx, &lstm);
}

bool infer_onnx_gru(inlay_infer *cx)
{
    return infer_onnx(cx, &gru);
}

bool infer_onnx_rnn(inlay_infer *cx)
{
    return infer_onnx(cx, &rnn);
}
