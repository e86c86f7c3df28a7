/* Recurrent nets: a cell is a sequence of one step.
 *
 *     LSTM  i = f(X Wi^T + H Ri^T + Pi (.) C + bi)   f, o alike; c with g and without P
 *           C = f (.) C + i (.) c                    o sees the new C; with input_forget, f = 1 - i
 *           H = o (.) h(C)
 *     GRU   z = f(X Wz^T + H Rz^T + bz)              r alike
 *           h = g(X Wh^T + (r (.) H) Rh^T + bh), or, with linear_before_reset,
 *               g(X Wh^T + r (.) (H Rh^T + Rbh) + Wbh)
 *           H = (1 - z) (.) h + z (.) H           with a score a of attention, (1 - a) z for z
 *     RNN   H = f(X W^T + H R^T + b)
 *
 * clip bounds the arguments of f and g, not of h. */
#include "interp/kernels/recurrent.h"
#include "interp/kernels/clones.h"
#include "interp/maths/maths.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The places of the weights of a gate in P, in blocks of hidden; the order is input, output,
 * forget. */
static const int peephole_block[GATES] = {[GATE_I] = 0, [GATE_O] = 1, [GATE_F] = 2};

#define LOOP "interp/kernels/recurrent_loop.h"
#include "interp/kernels/each_float.h"
#undef LOOP

static const inlay_activation_kind defaults[][3] = {
    [LSTM] = {INLAY_ACTIVATION_SIGMOID, INLAY_ACTIVATION_TANH, INLAY_ACTIVATION_TANH},
    [GRU] = {INLAY_ACTIVATION_SIGMOID, INLAY_ACTIVATION_TANH},
    [RNN] = {INLAY_ACTIVATION_TANH},
};

/* Puts the gates of an LSTM into the order that four letters say. */
static void order_gates(net *p, const char *order)
{
    for (int g = 0; g < p->gates; g++)
        p->block[g] = p->kind == LSTM ? (int)(strchr(order, "fico"[g]) - order) : g;
    for (int g = 0; g < p->gates; g++)
        p->state_block[g] = -1;
}

/* The shape rule has checked the names of activation functions. */
static bool read_options(inlay_call *c, net *p)
{
    static const int active[] = {[LSTM] = 3, [GRU] = 2, [RNN] = 1};
    const char *direction = inlay_node_string(c->node, "direction");
    inlay_activation found[INLAY_MAX_ACTIVATIONS];
    int count = active[p->kind];
    char why[200];

    p->gates = p->kind == LSTM ? GATES : p->kind == GRU ? 3 : 1;
    p->reverse = direction && strcmp(direction, "reverse") == 0;
    p->dirs = direction && strcmp(direction, "bidirectional") == 0 ? 2 : 1;
    p->hidden = inlay_node_int(c->node, "hidden_size");
    p->clip = inlay_node_float(c->node, "clip");
    p->clip = p->clip > 0 ? p->clip : INFINITY;
    if (!inlay_node_activations(c->node, defaults[p->kind], count, p->dirs, found, why, sizeof why))
        return inlay_call_fail(c, "%s", why);
    for (int i = 0; i < count * p->dirs; i++)
        p->activation[i / count][i % count] = found[i];
    return true;
}

/* Reads operand I, which has the number of steps of each batch. */
static bool read_lengths(inlay_call *c, int i, net *p)
{
    int64_t n;

    if (!call_has(c, i))
        return true;
    if (!(p->lengths = load_ints(c, i, &n)))
        return false;
    for (int64_t k = 0; k < n; k++) {
        if (p->lengths[k] < 0 || p->lengths[k] > p->steps)
            return inlay_call_fail(c, "%s is %" PRId64 ", there %s %" PRId64 " step%s",
                                   call_element_name(c, i, k), p->lengths[k],
                                   inlay_plural(p->steps, "is", "are"), p->steps,
                                   inlay_plural(p->steps, "", "s"));
    }
    return true;
}

static bool run(inlay_call *c, const net *p)
{
    return c->in[0]->type == INLAY_F64 ? run_f64(c, p) : run_f32(c, p);
}

/* With linear_before_reset the two biases of a GRU's new state stay apart: Rbh is a fourth
 * block. */
static void read_linear(const inlay_call *c, net *p)
{
    p->biases = p->gates;
    p->linear = inlay_node_bool(c->node, "linear_before_reset");
    if (p->linear)
        p->state_block[GATE_H] = p->biases++;
}

/* Reads what OpenVINO's older rows of an LSTM have: peepholes, operand I, coupled gates, and
 * another order of gates. */
static void read_old(const inlay_call *c, int i, net *p)
{
    const inlay_attr *format = inlay_node_attr(c->node, "weights_format");

    order_gates(p, format ? format->as.s : "fico");
    if (p->kind == LSTM) {
        p->in_p = i;
        p->coupled = inlay_node_bool(c->node, "input_forget");
    }
}

static bool read_cell(inlay_call *c, net_kind kind, int in_a, net *out)
{
    net p = {.kind = kind, .in_h = 1, .in_c = -1, .in_w = 2, .in_p = -1, .in_a = in_a};

    if (!read_options(c, &p))
        return false;
    p.batch = c->in[0]->dims[0];
    p.input = p.x_batch = c->in[0]->dims[1];
    p.h_batch = p.hidden;
    p.steps = 1;
    read_old(c, 6, &p);
    read_linear(c, &p);
    if (kind == LSTM) {
        p.in_c = 2;
        p.in_w = 3;
    }
    *out = p;
    return true;
}

bool recurrent_cell_of_call(inlay_call *c, net_kind kind, net *p)
{
    return read_cell(c, kind, -1, p);
}

static bool eval_cell(inlay_call *c, net_kind kind, int in_a)
{
    net p;

    return read_cell(c, kind, in_a, &p) && run(c, &p);
}

bool eval_lstm_cell(inlay_call *c)
{
    return eval_cell(c, LSTM, -1);
}

bool eval_gru_cell(inlay_call *c)
{
    return eval_cell(c, GRU, -1);
}

bool eval_rnn_cell(inlay_call *c)
{
    return eval_cell(c, RNN, -1);
}

bool eval_augru_cell(inlay_call *c)
{
    return eval_cell(c, GRU, 5);
}

static bool read_sequence(inlay_call *c, net_kind kind, int in_a, net *out)
{
    int lengths = kind == LSTM ? 3 : 2;
    net p = {.kind = kind, .in_h = 1, .in_c = -1, .in_w = lengths + 1, .in_p = -1, .in_a = in_a};

    if (!read_options(c, &p))
        return false;
    p.batch = c->in[0]->dims[0];
    p.steps = c->in[0]->dims[1];
    p.input = p.x_step = c->in[0]->dims[2];
    p.x_batch = p.steps * p.input;
    p.y_step = p.h_dir = p.hidden;
    p.y_dir = p.steps * p.hidden;
    p.y_batch = p.dirs * p.y_dir;
    p.h_batch = p.dirs * p.hidden;
    p.out_h = 1;
    read_old(c, 7, &p);
    read_linear(c, &p);
    if (kind == LSTM)
        p.in_c = 2;
    *out = p;
    return read_lengths(c, lengths, out);
}

static bool eval_sequence(inlay_call *c, net_kind kind, int in_a)
{
    net p;

    return read_sequence(c, kind, in_a, &p) && run(c, &p);
}

bool recurrent_sequence_of_call(inlay_call *c, net_kind kind, net *p)
{
    return read_sequence(c, kind, -1, p);
}

bool eval_lstm_sequence(inlay_call *c)
{
    return eval_sequence(c, LSTM, -1);
}

bool eval_gru_sequence(inlay_call *c)
{
    return eval_sequence(c, GRU, -1);
}

bool eval_rnn_sequence(inlay_call *c)
{
    return eval_sequence(c, RNN, -1);
}

bool eval_augru_sequence(inlay_call *c)
{
    return eval_sequence(c, GRU, 6);
}

/* Layout 0 has the steps first in X and Y, and the directions first in a state; layout 1 has the
 * batch first in each. */
static void read_layout(const inlay_call *c, net *p)
{
    bool by_batch = inlay_node_int(c->node, "layout") == 1;

    p->batch = c->in[0]->dims[by_batch ? 0 : 1];
    p->steps = c->in[0]->dims[by_batch ? 1 : 0];
    p->input = c->in[0]->dims[2];
    p->x_batch = by_batch ? p->steps * p->input : p->input;
    p->x_step = by_batch ? p->input : p->batch * p->input;
    p->h_batch = by_batch ? p->dirs * p->hidden : p->hidden;
    p->h_dir = by_batch ? p->hidden : p->batch * p->hidden;
    p->y_step = p->dirs * (by_batch ? 1 : p->batch) * p->hidden;
    p->y_batch = by_batch ? p->steps * p->y_step : p->hidden;
    p->y_dir = p->h_dir;
}

static bool eval_onnx(inlay_call *c, net_kind kind)
{
    net p = {.kind = kind, .in_h = 5, .in_c = -1, .in_w = 1, .in_p = -1, .in_a = -1, .out_h = 1};

    if (!read_options(c, &p))
        return false;
    read_layout(c, &p);
    order_gates(&p, "iofc");
    p.biases = 2 * p.gates;
    for (int g = 0; g < p.gates; g++)
        p.state_block[g] = p.gates + p.block[g];
    p.linear = kind == GRU && inlay_node_int(c->node, "linear_before_reset") != 0;
    if (kind == LSTM) {
        p.in_c = 6;
        p.in_p = 7;
        p.coupled = inlay_node_int(c->node, "input_forget") != 0;
    }
    return read_lengths(c, 4, &p) && run(c, &p);
}

bool eval_onnx_lstm(inlay_call *c)
{
    return eval_onnx(c, LSTM);
}

bool eval_onnx_gru(inlay_call *c)
{
    return eval_onnx(c, GRU);
}

bool eval_onnx_rnn(inlay_call *c)
{
    return eval_onnx(c, RNN);
}
