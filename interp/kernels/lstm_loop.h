/* One step of the cell for one element type T: included by lstm.c once a type. */

static T NAME(activate)(activation kind, double clip, T x)
{
    T bound = (T)clip;

    x = x < -bound ? -bound : x > bound ? bound : x;
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

/* IN: X, the state H and C, then W, R, and B or NULL. */
static void NAME(step)(const lstm *p, const T *const *in, T *hidden, T *cell)
{
    for (int64_t n = 0; n < p->batch; n++) {
        for (int64_t j = 0; j < p->hidden; j++) {
            int64_t at = n * p->hidden + j;
            T gate[GATES];

            for (int i = 0; i < GATES; i++) {
                T sum = NAME(gate_sum)(p, in, n, p->block[i] * p->hidden + j);

                gate[i] = NAME(activate)(i == GATE_C ? p->g : p->f, p->clip, sum);
            }
            cell[at] = gate[GATE_F] * in[2][at] + gate[GATE_I] * gate[GATE_C];
            hidden[at] = gate[GATE_O] * NAME(activate)(p->h, p->clip, cell[at]);
        }
    }
}
