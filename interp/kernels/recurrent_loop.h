/* One step of the cell for one element type T: included by recurrent.c once a type. */

static T NAME(activate)(activation kind, T x)
{
    switch (kind) {
    case RELU:
        return x <= 0 ? 0 : x;
    case SIGMOID:
        return 1 / (1 + F(exp)(-x));
    default:
        return F(tanh)(x);
    }
}

/* Row ROW of W times X plus row ROW of R times H plus B. */
static T NAME(gate_sum)(const lstm *p, const T *const *in, int64_t n, int64_t row)
{
    const T *x = in[0] + n * p->input, *h = in[1] + n * p->hidden;
    const T *w = in[3] + row * p->input, *r = in[4] + row * p->hidden;
    T sum = 0, recurrent = 0;

    for (int64_t i = 0; i < p->input; i++)
        sum += x[i] * w[i];
    for (int64_t i = 0; i < p->hidden; i++)
        recurrent += h[i] * r[i];
    sum += recurrent;
    return in[5] ? sum + in[5][row] : sum;
}

/* Gate G of element J of batch N, which sees STATE through its peephole. */
static T NAME(gate)(const lstm *p, const T *const *in, int g, int64_t n, int64_t j, T state)
{
    T sum = NAME(gate_sum)(p, in, n, p->block[g] * p->hidden + j), clip = (T)p->clip;

    if (in[PEEPHOLES] && g != GATE_C)
        sum += in[PEEPHOLES][peephole_block[g] * p->hidden + j] * state;
    sum = sum < -clip ? -clip : sum > clip ? clip : sum;
    return NAME(activate)(g == GATE_C ? p->g : p->f, sum);
}

/* IN: X, the state H and C, then W, R, B or NULL, P or NULL. */
static void NAME(step)(const lstm *p, const T *const *in, T *hidden, T *cell)
{
    for (int64_t n = 0; n < p->batch; n++) {
        for (int64_t j = 0; j < p->hidden; j++) {
            int64_t at = n * p->hidden + j;
            T state = in[2][at], forget = NAME(gate)(p, in, GATE_F, n, j, state);
            T input = p->coupled ? 1 - forget : NAME(gate)(p, in, GATE_I, n, j, state);

            cell[at] = forget * state + input * NAME(gate)(p, in, GATE_C, n, j, state);
            hidden[at] = NAME(gate)(p, in, GATE_O, n, j, cell[at]) * NAME(activate)(p->h, cell[at]);
        }
    }
}
