/* LSTMCell-1, LSTMCell-4: one step of a long short-term memory cell.
 *
 *     it = f(Xt*(Wi^T) + Ht-1*(Ri^T) + Pi (.) Ct-1 + Bi)      ft alike, ct with g and without P
 *     Ct = ft (.) Ct-1 + it (.) ct
 *     ot = f(Xt*(Wo^T) + Ht-1*(Ro^T) + Po (.) Ct + Bo)         Ht = ot (.) h(Ct)
 *
 * clip bounds what goes into f and g, not into h. With input_forget, it = 1 - ft.
 */
#include "interp/call/kernel.h"

#include <math.h>
#include <string.h>

enum { GATE_F, GATE_I, GATE_C, GATE_O, GATES };

/* X, H, C, W, R, B, P: the last two may be absent. */
enum { PEEPHOLES = 6, OPERANDS };

/* Where the weights of a gate stand in P, in blocks of hidden: input, output, forget. */
static const int peephole_block[GATES] = {[GATE_I] = 0, [GATE_O] = 1, [GATE_F] = 2};

typedef enum activation { RELU, SIGMOID, TANH } activation;

typedef struct lstm {
    int64_t batch, input, hidden;
    int block[GATES]; /* where the rows of a gate stand in W, R and B, in blocks of hidden */
    activation f, g, h;
    double clip;  /* infinity: none */
    bool coupled; /* the input gate is 1 - the forget gate */
} lstm;

#define T float
#define F(name) name##f
#define NAME(name) name##_f32
#include "interp/kernels/recurrent_loop.h"
#undef T
#undef F
#undef NAME

#define T double
#define F(name) name
#define NAME(name) name##_f64
#include "interp/kernels/recurrent_loop.h"
#undef T
#undef F
#undef NAME

/* The I-th name of attribute activations; the shape rule has checked that it is one of the three.
 */
static activation read_activation(const inlay_call *c, int i, activation otherwise)
{
    const inlay_attr *a = inlay_node_attr(c->node, "activations");
    const char *name = a && i < a->n ? a->as.strings[i] : NULL;

    if (!name)
        return otherwise;
    return strcmp(name, "relu") == 0 ? RELU : strcmp(name, "sigmoid") == 0 ? SIGMOID : TANH;
}

static void read_lstm(const inlay_call *c, lstm *p)
{
    const inlay_attr *format = inlay_node_attr(c->node, "weights_format");
    const char *gates = "fico", *order = format ? format->as.s : gates;
    double clip = inlay_node_float(c->node, "clip");

    p->batch = c->in[0]->dims[0];
    p->input = c->in[0]->dims[1];
    p->hidden = c->in[1]->dims[1];
    for (int i = 0; i < GATES; i++)
        p->block[i] = (int)(strchr(order, gates[i]) - order);
    p->f = read_activation(c, 0, SIGMOID);
    p->g = read_activation(c, 1, TANH);
    p->h = read_activation(c, 2, TANH);
    p->clip = clip > 0 ? clip : INFINITY;
    p->coupled = inlay_node_bool(c->node, "input_forget");
}

static bool run_f32(inlay_call *c, const lstm *p)
{
    int64_t n = p->batch * p->hidden;
    const float *in[OPERANDS] = {NULL};
    float *hidden = inlay_call_memory(c, n, sizeof *hidden),
          *cell = inlay_call_memory(c, n, sizeof *cell);
    bool loaded = hidden && cell;

    for (int i = 0; i < OPERANDS; i++) {
        if (call_has(c, i))
            loaded = (in[i] = load_f32(c, i)) && loaded;
    }
    return loaded &&
           (step_f32(p, in, hidden, cell), store_f32(c, 0, hidden) && store_f32(c, 1, cell));
}

static bool run_f64(inlay_call *c, const lstm *p)
{
    int64_t n = p->batch * p->hidden;
    const double *in[OPERANDS] = {NULL};
    double *hidden = inlay_call_memory(c, n, sizeof *hidden),
           *cell = inlay_call_memory(c, n, sizeof *cell);
    bool loaded = hidden && cell;

    for (int i = 0; i < OPERANDS; i++) {
        if (call_has(c, i))
            loaded = (in[i] = load_f64(c, i)) && loaded;
    }
    return loaded &&
           (step_f64(p, in, hidden, cell), store_f64(c, 0, hidden) && store_f64(c, 1, cell));
}

bool eval_lstm_cell(inlay_call *c)
{
    lstm p;

    read_lstm(c, &p);
    return c->in[0]->type == INLAY_F64 ? run_f64(c, &p) : run_f32(c, &p);
}
