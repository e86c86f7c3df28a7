/* A recurrent net for one element type T: recurrent.c includes it once for each type. */

/* Operands and results, and a line of HIDDEN elements for each gate and for the next state. */
typedef struct NAME(arrays) {
    const T *x, *h, *c, *w, *r, *b, *p, *score; /* NULL: absent */
    T *y, *ho, *co, *gate[MAX_GATES], *reset;
} NAME(arrays);

static T NAME(activate)(const inlay_activation *a, T x)
{
    T alpha = (T)a->alpha, beta = (T)a->beta;

    switch (a->kind) {
    case INLAY_ACTIVATION_RELU:
        return x <= 0 ? 0 : x;
    case INLAY_ACTIVATION_SIGMOID:
        return 1 / (1 + MATHS(exp)(-x));
    case INLAY_ACTIVATION_TANH:
        return MATHS(tanh)(x);
    case INLAY_ACTIVATION_AFFINE:
        return alpha * x + beta;
    case INLAY_ACTIVATION_LEAKY_RELU:
        return x < 0 ? alpha * x : x;
    case INLAY_ACTIVATION_THRESHOLDED_RELU:
        return x < alpha ? 0 : x;
    case INLAY_ACTIVATION_SCALED_TANH:
        return alpha * MATHS(tanh)(beta * x);
    case INLAY_ACTIVATION_HARD_SIGMOID:
        x = alpha * x + beta;
        return x < 0 ? 0 : x > 1 ? 1 : x;
    case INLAY_ACTIVATION_ELU:
        return x < 0 ? alpha * MATHS(expm1)(x) : x;
    case INLAY_ACTIVATION_SOFTSIGN:
        return x / (1 + (x < 0 ? -x : x));
    default: /* softplus; e^x of a large x would overflow */
        return x > 0 ? x + MATHS(log1p)(MATHS(exp)(-x)) : MATHS(log1p)(MATHS(exp)(x));
    }
}

static T NAME(clipped)(const net *p, T x)
{
    T clip = (T)p->clip;

    return x < -clip ? -clip : x > clip ? clip : x;
}

static FUSED_CLONES T NAME(dot)(const T *a, const T *b, int64_t n)
{
    T sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum = FUSED(a[i], b[i], sum);
    return sum + 0; /* of -0 */
}

/* Returns row J of gate G of the weights W times X. */
static T NAME(from_input)(const net *p, const NAME(arrays) * a, int d, int g, int64_t j, const T *x)
{
    int64_t row = (d * p->gates + p->block[g]) * p->hidden + j;

    return NAME(dot)(x, a->w + row * p->input, p->input);
}

static T NAME(from_state)(const net *p, const NAME(arrays) * a, int d, int g, int64_t j, const T *h)
{
    int64_t row = (d * p->gates + p->block[g]) * p->hidden + j;

    return NAME(dot)(h, a->r + row * p->hidden, p->hidden);
}

static T NAME(bias)(const net *p, const NAME(arrays) * a, int d, int block, int64_t j)
{
    return a->b && block >= 0 ? a->b[(d * p->biases + block) * p->hidden + j] : 0;
}

/* Returns the bias of the input of gate G, or of both if they are given as one sum; that of the
 * state alone. */
static T NAME(input_bias)(const net *p, const NAME(arrays) * a, int d, int g, int64_t j)
{
    return NAME(bias)(p, a, d, p->block[g], j);
}

static T NAME(state_bias)(const net *p, const NAME(arrays) * a, int d, int g, int64_t j)
{
    return NAME(bias)(p, a, d, p->state_block[g], j);
}

/* Returns the sum that gate G of element J gets, without peepholes. */
static T NAME(seen)(const net *p, const NAME(arrays) * a, int d, int g, int64_t j, const T *x,
                    const T *h)
{
    T sum = NAME(from_input)(p, a, d, g, j, x);

    sum += NAME(from_state)(p, a, d, g, j, h);
    return sum + (NAME(input_bias)(p, a, d, g, j) + NAME(state_bias)(p, a, d, g, j));
}

/* Returns a gate of an LSTM, with STATE through its peephole. */
static T NAME(lstm_gate)(const net *p, const NAME(arrays) * a, int d, int g, int64_t j, T sum,
                         T state)
{
    if (a->p && g != GATE_C)
        sum += a->p[(d * 3 + peephole_block[g]) * p->hidden + j] * state;
    return NAME(activate)(&p->activation[d][g == GATE_C ? 1 : 0], NAME(clipped)(p, sum));
}

static void NAME(lstm_step)(const net *p, const NAME(arrays) * a, int d, const T *x, T *h, T *c)
{
    for (int g = 0; g < GATES; g++) {
        for (int64_t j = 0; j < p->hidden; j++)
            a->gate[g][j] = NAME(seen)(p, a, d, g, j, x, h);
    }
    for (int64_t j = 0; j < p->hidden; j++) {
        T input = NAME(lstm_gate)(p, a, d, GATE_I, j, a->gate[GATE_I][j], c[j]);
        T forget =
            p->coupled ? 1 - input : NAME(lstm_gate)(p, a, d, GATE_F, j, a->gate[GATE_F][j], c[j]);

        c[j] =
            forget * c[j] + input * NAME(lstm_gate)(p, a, d, GATE_C, j, a->gate[GATE_C][j], c[j]);
        h[j] = NAME(lstm_gate)(p, a, d, GATE_O, j, a->gate[GATE_O][j], c[j]) *
               NAME(activate)(&p->activation[d][2], c[j]);
    }
}

/* Returns the part of a GRU's old state, for element J, that passes the reset gate. */
static T NAME(reset_state)(const net *p, const NAME(arrays) * a, int d, int64_t j, const T *h)
{
    const T *reset = a->gate[GATE_R];

    if (p->linear)
        return reset[j] *
               (NAME(from_state)(p, a, d, GATE_H, j, h) + NAME(state_bias)(p, a, d, GATE_H, j));
    return NAME(from_state)(p, a, d, GATE_H, j, a->reset) + NAME(state_bias)(p, a, d, GATE_H, j);
}

/* SCORE is that of attention, 0 without. */
static void NAME(gru_step)(const net *p, const NAME(arrays) * a, int d, const T *x, T score, T *h)
{
    const inlay_activation *f = &p->activation[d][0], *g = &p->activation[d][1];
    T *new = a->gate[GATE_H];

    for (int k = GATE_Z; k <= GATE_R; k++) {
        for (int64_t j = 0; j < p->hidden; j++)
            a->gate[k][j] = NAME(activate)(f, NAME(clipped)(p, NAME(seen)(p, a, d, k, j, x, h)));
    }
    for (int64_t j = 0; j < p->hidden; j++)
        a->reset[j] = a->gate[GATE_R][j] * h[j];
    for (int64_t j = 0; j < p->hidden; j++) {
        T sum = NAME(from_input)(p, a, d, GATE_H, j, x) + NAME(reset_state)(p, a, d, j, h);

        sum += NAME(input_bias)(p, a, d, GATE_H, j);
        new[j] = NAME(activate)(g, NAME(clipped)(p, sum));
    }
    for (int64_t j = 0; j < p->hidden; j++) {
        T z = (1 - score) * a->gate[GATE_Z][j];

        h[j] = (1 - z) * new[j] + z *h[j];
    }
}

static void NAME(rnn_step)(const net *p, const NAME(arrays) * a, int d, const T *x, T *h)
{
    for (int64_t j = 0; j < p->hidden; j++)
        a->gate[0][j] =
            NAME(activate)(&p->activation[d][0], NAME(clipped)(p, NAME(seen)(p, a, d, 0, j, x, h)));
    memcpy(h, a->gate[0], (size_t)p->hidden * sizeof *h);
}

/* Computes all steps of batch N in direction D. Steps behind its length are zeros in Y. */
static void NAME(walk)(const net *p, const NAME(arrays) * a, int d, int64_t n)
{
    int64_t state = n * p->h_batch + d * p->h_dir, steps = p->lengths ? p->lengths[n] : p->steps;
    bool back = p->reverse || d == 1;
    T *h = a->ho + state, *c = a->co ? a->co + state : NULL;
    size_t line = (size_t)p->hidden * sizeof *h;

    if (a->h)
        memcpy(h, a->h + state, line);
    if (c && a->c)
        memcpy(c, a->c + state, line);
    for (int64_t i = 0; i < steps; i++) {
        int64_t t = back ? steps - 1 - i : i;
        const T *x = a->x + n * p->x_batch + t * p->x_step;

        if (p->kind == LSTM)
            NAME(lstm_step)(p, a, d, x, h, c);
        else if (p->kind == GRU)
            NAME(gru_step)(p, a, d, x, a->score ? a->score[n * p->steps + t] : 0, h);
        else
            NAME(rnn_step)(p, a, d, x, h);
        if (a->y)
            memcpy(a->y + n * p->y_batch + t * p->y_step + d * p->y_dir, h, line);
    }
}

static const T *NAME(operand)(inlay_call *c, int i, bool *ok)
{
    const T *x = i >= 0 && call_has(c, i) ? LOAD(c, i) : NULL;

    *ok = *ok && (x || i < 0 || !call_has(c, i));
    return x;
}

static T *NAME(room)(inlay_call *c, int64_t n, bool *ok)
{
    T *x = *ok ? inlay_call_memory(c, n, sizeof *x) : NULL;

    *ok = x != NULL;
    return x;
}

static bool NAME(run)(inlay_call *c, const net *p)
{
    bool ok = true;
    int64_t state = p->batch * p->dirs * p->hidden;
    NAME(arrays) a = {.x = NAME(operand)(c, 0, &ok)};

    a.h = NAME(operand)(c, p->in_h, &ok);
    a.c = NAME(operand)(c, p->in_c, &ok);
    a.w = NAME(operand)(c, p->in_w, &ok);
    a.r = NAME(operand)(c, p->in_w + 1, &ok);
    a.b = NAME(operand)(c, p->in_w + 2, &ok);
    a.p = NAME(operand)(c, p->in_p, &ok);
    a.score = NAME(operand)(c, p->in_a, &ok);
    a.ho = NAME(room)(c, state, &ok);
    a.co = p->kind == LSTM ? NAME(room)(c, state, &ok) : NULL;
    a.y = p->out_h > 0 ? NAME(room)(c, state * p->steps, &ok) : NULL;
    a.reset = NAME(room)(c, p->hidden, &ok);
    for (int g = 0; g < p->gates; g++)
        a.gate[g] = NAME(room)(c, p->hidden, &ok);
    for (int d = 0; ok && d < p->dirs; d++) {
        for (int64_t n = 0; n < p->batch; n++)
            NAME(walk)(p, &a, d, n);
    }
    return ok && (!a.y || STORE(c, 0, a.y)) && STORE(c, p->out_h, a.ho) &&
           (!a.co || STORE(c, p->out_h + 1, a.co));
}
