/* LSTMSequence of f32. What the gates see of the data is one product for all steps; what they see
 * of the state is a product of one row for each batch, and step by step. The weights of the state
 * are packed once if they are constant: they are read in every step.
 *
 *     all steps    X [batch steps, input] x W^T  ->  [batch steps, 4 hidden]
 *     each step    H [batch, hidden] x R^T       ->  [batch, 4 hidden], added to a row of those
 */
#include "interp/kernels/clones.h"
#include "interp/kernels/recurrent.h"
#include "interp/library/library.h"
#include "interp/library/panel.h"
#include "interp/maths/maths.h"

#include <string.h>

enum { IN_R = 5, PRODUCTS = 8 /* are made in the time that call_split takes for that of one */ };
#define READ 0.5 /* of that time is what it takes to read a weight */

/* A sequence that is computed, in direction DIR. */
struct lstm {
    const net *p;
    const tile_set *set;
    const float *x, *w, *r, *packed; /* packed: R of all directions; NULL: R is read */
    float *y, *h, *c;                /* results */
    float *seen;                     /* of the data, by row of X and by row of W */
    float *state;                    /* the same of the state, by batch */
    float *bias;                     /* by row of W */
    int dir;
};

/* Rows of W and R of one direction. */
static int64_t gate_rows(const net *p)
{
    return GATES * p->hidden;
}

/* Bytes of one direction of packed weights of the state. */
static int64_t packed_floats(int64_t hidden, int64_t cols)
{
    return hidden * ((GATES * hidden + cols - 1) / cols * cols);
}

static product product_with(int64_t rows, int64_t row_stride, int64_t depth, int64_t cols)
{
    return (product){.a = {.row_stride = row_stride, .col_stride = 1},
                     .b = {.row_stride = 1, .col_stride = depth},
                     .rows = rows,
                     .cols = cols,
                     .depth = depth};
}

/* Columns of what the gates see of the data; an item is a panel of them. */
static void see_panels(void *ctx, int64_t from, int64_t to)
{
    const struct lstm *l = ctx;
    const net *p = l->p;
    product data = product_with(p->batch * p->steps, p->input, p->input, gate_rows(p));
    panels w = {&data, l->set, NULL};

    panel_multiply_f32(&w, l->x, l->w + l->dir * gate_rows(p) * p->input, data.rows,
                       from * l->set->cols_f32, panel_smaller(to * l->set->cols_f32, data.cols),
                       l->seen);
}

/* The same of the states of all batches. */
static void see_state_panels(void *ctx, int64_t from, int64_t to)
{
    const struct lstm *l = ctx;
    const net *p = l->p;
    product with = product_with(p->batch, p->h_batch, p->hidden, gate_rows(p));
    const float *packed =
        l->packed ? l->packed + l->dir * packed_floats(p->hidden, l->set->cols_f32) : NULL;
    const float *r = packed ? NULL : l->r + l->dir * gate_rows(p) * p->hidden;
    panels w = {&with, l->set, packed};

    panel_multiply_f32(&w, l->h + l->dir * p->h_dir, r, p->batch, from * l->set->cols_f32,
                       panel_smaller(to * l->set->cols_f32, with.cols), l->state);
}

/* What the gates see of the states. With few batches a panel takes as long as it takes to read it.
 */
static void see_state(inlay_call *c, struct lstm *l)
{
    const net *p = l->p;
    int64_t n = (gate_rows(p) + l->set->cols_f32 - 1) / l->set->cols_f32;
    double each = (double)p->batch / PRODUCTS + READ;

    call_split(c, n, (double)p->hidden * l->set->cols_f32 * each, see_state_panels, l);
}

/* Sums what a gate sees of the data, of the state, and BIAS, and bounds it by CLIP. */
static INLAY_CLONES void sum_gate(const float *data, const float *bias, float *gate, int64_t n,
                                  float clip)
{
    for (int64_t j = 0; j < n; j++) {
        float sum = data[j] + gate[j] + bias[j];

        gate[j] = sum < -clip ? -clip : sum > clip ? clip : sum;
    }
}

static INLAY_CLONES void sigmoids(const float *x, float *y, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        y[j] = 1 / (1 + maths_exp(-x[j]));
}

static INLAY_CLONES void tangents(const float *x, float *y, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        y[j] = maths_tanh(x[j]);
}

static INLAY_CLONES void next_cell(const float *forget, const float *input, const float *new,
                                   float *c, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        c[j] = forget[j] * c[j] + input[j] * new[j];
}

static void activate(const inlay_activation *a, const float *x, float *y, int64_t n)
{
    if (a->kind == INLAY_ACTIVATION_SIGMOID)
        sigmoids(x, y, n);
    else
        tangents(x, y, n);
}

/* One step of a batch. DATA is what the gates see of X, GATES what they see of the state. */
static void step(const struct lstm *l, const float *data, float *gates, float *h, float *c)
{
    const net *p = l->p;
    const inlay_activation *f = p->activation[l->dir];
    int64_t n = p->hidden;
    float *gate[GATES];

    for (int g = 0; g < GATES; g++) {
        int64_t at = p->block[g] * n;

        gate[g] = gates + at;
        sum_gate(data + at, l->bias + at, gate[g], n, (float)p->clip);
        activate(&f[g == GATE_C ? 1 : 0], gate[g], gate[g], n);
    }
    next_cell(gate[GATE_F], gate[GATE_I], gate[GATE_C], c, n);
    activate(&f[2], c, h, n);
    for (int64_t j = 0; j < n; j++)
        h[j] = gate[GATE_O][j] * h[j];
}

/* Step I of all batches that have as many. */
static void walk_step(inlay_call *c, struct lstm *l, int64_t i)
{
    const net *p = l->p;
    bool back = p->reverse || l->dir == 1;
    size_t line = (size_t)p->hidden * sizeof(float);

    see_state(c, l);
    for (int64_t n = 0; n < p->batch; n++) {
        int64_t steps = p->lengths ? p->lengths[n] : p->steps, t = back ? steps - 1 - i : i;
        int64_t at = n * p->h_batch + l->dir * p->h_dir;
        int64_t row = (n * p->x_batch + t * p->x_step) / p->input;

        if (i >= steps)
            continue;
        step(l, l->seen + row * gate_rows(p), l->state + n * gate_rows(p), l->h + at, l->c + at);
        memcpy(l->y + n * p->y_batch + t * p->y_step + l->dir * p->y_dir, l->h + at, line);
    }
}

static void walk(inlay_call *c, struct lstm *l, const float *bias)
{
    const net *p = l->p;
    int64_t n = (gate_rows(p) + l->set->cols_f32 - 1) / l->set->cols_f32;
    double cost = (double)(p->batch * p->steps) * (double)p->input * l->set->cols_f32 / PRODUCTS;

    for (int64_t j = 0; bias && j < gate_rows(p); j++)
        l->bias[j] = bias[l->dir * gate_rows(p) + j] + 0;
    call_split(c, n, cost, see_panels, l);
    for (int64_t i = 0; i < p->steps; i++)
        walk_step(c, l, i);
}

/* The net is one that step() computes. */
static bool is_usual(const inlay_call *c, const net *p)
{
    for (int i = 0; i < p->dirs * 3; i++) {
        inlay_activation_kind kind = p->activation[i / 3][i % 3].kind;

        if (kind != INLAY_ACTIVATION_SIGMOID && kind != INLAY_ACTIVATION_TANH)
            return false;
    }
    return !p->coupled && p->input > 0 && p->hidden > 0 && !(p->in_p >= 0 && call_has(c, p->in_p));
}

/* Makes the results' room, and the states as they are at first. */
static bool begin(inlay_call *c, struct lstm *l)
{
    const net *p = l->p;
    int64_t state = p->batch * p->dirs * p->hidden, rows = gate_rows(p);
    const float *h = load_f32(c, p->in_h), *cell = load_f32(c, p->in_c);

    l->x = load_f32(c, 0);
    l->w = load_f32(c, p->in_w);
    l->r = l->packed ? NULL : load_f32(c, p->in_w + 1);
    l->h = inlay_call_memory(c, state, sizeof *l->h);
    l->c = inlay_call_memory(c, state, sizeof *l->c);
    l->y = inlay_call_memory(c, state * p->steps, sizeof *l->y);
    l->seen = inlay_call_memory(c, p->batch * p->steps, (size_t)rows * sizeof *l->seen);
    l->state = inlay_call_memory(c, p->batch, (size_t)rows * sizeof *l->state);
    l->bias = inlay_call_memory(c, rows, sizeof *l->bias);
    if (!h || !cell || !l->x || !l->w || !(l->r || l->packed) || !l->h || !l->c || !l->y ||
        !l->seen || !l->state || !l->bias)
        return false;
    memcpy(l->h, h, (size_t)state * sizeof *h);
    memcpy(l->c, cell, (size_t)state * sizeof *cell);
    return true;
}

static bool run(inlay_call *c, const void *packed)
{
    struct lstm l = {.set = tile_set_best(), .packed = packed};
    const float *bias;
    net p;

    if (!recurrent_lstm_of_call(c, &p))
        return false;
    if (!is_usual(c, &p))
        return call_kernel_of(c->node->op)(c);
    l.p = &p;
    bias = load_f32(c, p.in_w + 2);
    if (!bias || !begin(c, &l))
        return false;
    for (l.dir = 0; l.dir < p.dirs; l.dir++)
        walk(c, &l, bias);
    return store_f32(c, 0, l.y) && store_f32(c, p.out_h, l.h) && store_f32(c, p.out_h + 1, l.c);
}

static bool takes(const inlay_call *c)
{
    return load_domain(c->in[0]->type) == DOMAIN_F32;
}

static size_t packed_bytes(const inlay_node *n, const inlay_tensor *t)
{
    (void)n;
    if (t->type != INLAY_F32 || t->rank != 3 || t->dims[1] != GATES * t->dims[2] ||
        inlay_tensor_count(t) == 0)
        return 0;
    return (size_t)(t->dims[0] * packed_floats(t->dims[2], tile_set_best()->cols_f32)) *
           sizeof(float);
}

static void pack(const inlay_node *n, const inlay_tensor *t, void *to)
{
    int64_t cols = tile_set_best()->cols_f32, hidden = t->dims[2];

    (void)n;
    for (int64_t d = 0; d < t->dims[0]; d++) {
        const float *r = (const float *)t->data + t->offset + d * t->strides[0];
        float *all = (float *)to + d * packed_floats(hidden, cols);

        for (int64_t j = 0; j < t->dims[1]; j += cols)
            panel_pack_f32(r + j * t->strides[1], t->strides[2], t->strides[1], hidden,
                           panel_smaller(cols, t->dims[1] - j), cols, all + j * hidden);
    }
}

const library_kernel library_lstm_sequence = {.op = INLAY_OP_LSTM_SEQUENCE,
                                              .name = "lstm",
                                              .takes = takes,
                                              .packs = IN_R,
                                              .replaces = true,
                                              .packed_bytes = packed_bytes,
                                              .pack = pack,
                                              .run = run};
