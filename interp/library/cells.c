/* Steps of LSTM, GRU and RNN, one row of gate values after the other. */
#include "interp/library/cells.h"
#include "interp/kernels/clones.h"
#include "interp/maths/rows.h"

#include <string.h>

/* Adds what a gate gets from the data, from the state, and BIAS, and clips it to CLIP. */
static INLAY_CLONES void sum_gate(const float *data, const float *bias, float *gate, int64_t n,
                                  float clip)
{
    for (int64_t j = 0; j < n; j++) {
        float sum = data[j] + gate[j] + bias[j];

        gate[j] = sum < -clip ? -clip : sum > clip ? clip : sum;
    }
}

static INLAY_CLONES void negate(const float *x, float *y, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        y[j] = -x[j];
}

static INLAY_CLONES void invert(float *y, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        y[j] = 1 / (1 + y[j]);
}

/* 1 / (1 + exp(-x)) */
static void sigmoids(const float *x, float *y, int64_t n)
{
    negate(x, y, n);
    maths_best_rows()->exp(y, y, n, 0, 0);
    invert(y, n);
}

static void tangents(const float *x, float *y, int64_t n)
{
    maths_best_rows()->tanh(y, x, n, 0, 0);
}

static INLAY_CLONES void positives(const float *x, float *y, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        y[j] = x[j] <= 0 ? 0 : x[j];
}

static INLAY_CLONES void next_cell(const float *forget, const float *input, const float *new,
                                   float *c, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        c[j] = forget[j] * c[j] + input[j] * new[j];
}

static INLAY_CLONES void products(const float *x, const float *y, float *to, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        to[j] = x[j] * y[j];
}

/* Adds in SUM what a GRU's new state gets: SUM has the part from the old state, multiplied by RESET
 * if that is not NULL. */
static INLAY_CLONES void sum_new(const float *data, const float *own, const float *reset,
                                 const float *bias, float *sum, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        float state = sum[j] + own[j];

        sum[j] = data[j] + (reset ? reset[j] * state : state) + bias[j];
    }
}

static INLAY_CLONES void bound(float *x, int64_t n, float clip)
{
    for (int64_t j = 0; j < n; j++)
        x[j] = x[j] < -clip ? -clip : x[j] > clip ? clip : x[j];
}

static INLAY_CLONES void mix(const float *keep, const float *new, const float *h, float *next,
                             int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        next[j] = (1 - keep[j]) * new[j] + keep[j] * h[j];
}

typedef void activate_fn(const float *x, float *y, int64_t n);

/* Returns the function for K, or NULL. */
static activate_fn *function_of(inlay_activation_kind k)
{
    return k == INLAY_ACTIVATION_SIGMOID ? sigmoids
           : k == INLAY_ACTIVATION_TANH  ? tangents
           : k == INLAY_ACTIVATION_RELU  ? positives
                                         : NULL;
}

/* Applies activation I of the step's direction. */
static void activate(const cell_step *s, int i, const float *x, float *y)
{
    function_of(s->p->activation[s->dir][i].kind)(x, y, s->n);
}

/* Returns what gate G gets from the state. */
static float *line(const cell_step *s, int g)
{
    return s->state + s->p->block[g] * s->apart + s->from;
}

/* Computes gate G with activation I. Returns its row. */
static float *gate(const cell_step *s, int g, int i)
{
    int64_t at = s->p->block[g] * s->p->hidden + s->from;
    float *to = line(s, g);

    sum_gate(s->data + at, s->bias + at, to, s->n, (float)s->p->clip);
    activate(s, i, to, to);
    return to;
}

static void step_lstm(const cell_step *s)
{
    const float *forget = gate(s, GATE_F, 0), *input = gate(s, GATE_I, 0);
    const float *new = gate(s, GATE_C, 1), *out = gate(s, GATE_O, 0);
    float *c = s->c + s->from, *next = s->next + s->from;

    next_cell(forget, input, new, c, s->n);
    activate(s, 2, c, next);
    products(out, next, next, s->n);
}

static void step_gru(const cell_step *s)
{
    gate(s, GATE_Z, 0);
    products(gate(s, GATE_R, 0), s->h + s->from, s->reset + s->from, s->n);
}

static void step_gru_behind(const cell_step *s)
{
    const net *p = s->p;
    int64_t at = p->block[GATE_H] * p->hidden + s->from;
    float *new = line(s, GATE_H);

    sum_new(s->data + at, s->state_bias + s->from, p->linear ? line(s, GATE_R) : NULL, s->bias + at,
            new, s->n);
    bound(new, s->n, (float)p->clip);
    activate(s, 1, new, new);
    mix(line(s, GATE_Z), new, s->h + s->from, s->next + s->from, s->n);
}

static void step_rnn(const cell_step *s)
{
    memcpy(s->next + s->from, gate(s, 0, 0), (size_t)s->n * sizeof *s->next);
}

static const cell cells[] = {
    [LSTM] = {GATES, 3, step_lstm, NULL},
    [GRU] = {3, 2, step_gru, step_gru_behind},
    [RNN] = {1, 1, step_rnn, NULL},
};

const cell *cell_of(const net *p)
{
    return &cells[p->kind];
}

bool cell_is_usual(const net *p)
{
    bool usual = true;

    for (int i = 0; i < p->dirs * cells[p->kind].activations; i++) {
        int n = cells[p->kind].activations;

        usual = usual && function_of(p->activation[i / n][i % n].kind);
    }
    return usual;
}
