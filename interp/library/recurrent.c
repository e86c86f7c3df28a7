/* LSTMSequence, GRUSequence and RNNSequence of f32. What the gates see of the data is one product
 * for all steps; what they see of the state is a product of one row for each batch, and step by
 * step. The weights of the state are packed once if they are constant: they are read in every step.
 *
 *     all steps    X [batch steps, input] x W^T  ->  [batch steps, gates hidden]
 *     each step    H [batch, hidden] x R^T       ->  [batch, gates hidden], added to a row of those
 *
 * The new state of a GRU without linear_before_reset sees the old one through the reset gate, which
 * is a second product in each step, with the rows of R of that gate. */
#include "interp/library/cells.h"
#include "interp/library/library.h"
#include "interp/library/panel.h"

#include <string.h>

enum {
    LSTM_R = 5, /* the operand R of an LSTMSequence, and of the others */
    OTHER_R = 4,
    PRODUCTS = 8 /* are made in the time that call_split takes for that of one */
};
#define READ 0.5 /* of that time is what it takes to read a weight */

/* A sequence that is computed, in direction DIR. */
struct sequence {
    const net *p;
    const cell *cell;
    const tile_set *set;
    const float *x, *w, *r, *packed; /* packed: R of all directions; NULL: R is read */
    float *y, *h, *c;                /* results; c of an LSTM */
    float *seen;                     /* of the data, by row of X and by row of W */
    float *state;                    /* the same of the state, by batch */
    float *reset, *through; /* of a GRU: the state through the reset gate, and what is seen of it */
    float *bias, *state_bias; /* by row of W; of a GRU's new state (cells.h) */
    int dir;
};

/* Rows of W and R of one direction. */
static int64_t gate_rows(const net *p)
{
    return p->gates * p->hidden;
}

/* Floats of one direction of packed weights of the state, which has ROWS rows. */
static int64_t packed_floats(int64_t rows, int64_t hidden, int64_t cols)
{
    return hidden * ((rows + cols - 1) / cols * cols);
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
    const struct sequence *s = ctx;
    const net *p = s->p;
    product data = product_with(p->batch * p->steps, p->input, p->input, gate_rows(p));
    panels w = {&data, s->set, NULL};

    panel_multiply_f32(&w, s->x, s->w + s->dir * gate_rows(p) * p->input, data.rows,
                       from * s->set->cols_f32, panel_smaller(to * s->set->cols_f32, data.cols),
                       s->seen);
}

/* What panels of gates from FIRST on see of A, which has a row for each batch. */
struct look {
    const struct sequence *s;
    const float *a;
    int64_t a_row, first;
    float *out;
};

static void see_state_panels(void *ctx, int64_t from, int64_t to)
{
    const struct look *l = ctx;
    const struct sequence *s = l->s;
    const net *p = s->p;
    int64_t cols = s->set->cols_f32, rows = gate_rows(p);
    product with = product_with(p->batch, l->a_row, p->hidden, rows);
    const float *packed =
        s->packed ? s->packed + s->dir * packed_floats(rows, p->hidden, cols) : NULL;
    const float *r = packed ? NULL : s->r + s->dir * rows * p->hidden;
    panels w = {&with, s->set, packed};

    panel_multiply_f32(&w, l->a, r, p->batch, (l->first + from) * cols,
                       panel_smaller((l->first + to) * cols, rows), l->out);
}

/* Has gates see L's rows: those from row FROM of R on, before row TO. With few batches a panel
 * takes as long as it takes to read it. */
static void see_state(inlay_call *c, struct look *l, int64_t from, int64_t to)
{
    const net *p = l->s->p;
    int64_t cols = l->s->set->cols_f32;
    double each = (double)p->batch / PRODUCTS + READ;

    l->first = from / cols;
    call_split(c, (to + cols - 1) / cols - l->first, (double)(p->hidden * cols) * each,
               see_state_panels, l);
}

/* Step I of batch N. Returns false if the batch has fewer. */
static bool step_of(const struct sequence *s, int64_t n, int64_t i, cell_step *out, float **y)
{
    const net *p = s->p;
    bool back = p->reverse || s->dir == 1;
    int64_t steps = p->lengths ? p->lengths[n] : p->steps, t = back ? steps - 1 - i : i;
    int64_t at = n * p->h_batch + s->dir * p->h_dir, rows = gate_rows(p);

    if (i >= steps)
        return false;
    *out = (cell_step){.p = p,
                       .dir = s->dir,
                       .data = s->seen + (n * p->x_batch + t * p->x_step) / p->input * rows,
                       .state = s->state + n * rows,
                       .bias = s->bias,
                       .state_bias = s->state_bias,
                       .reset = s->reset ? s->reset + n * p->hidden : NULL,
                       .through = s->through ? s->through + n * rows : NULL,
                       .h = s->h + at,
                       .c = s->c ? s->c + at : NULL};
    *y = s->y + n * p->y_batch + t * p->y_step + s->dir * p->y_dir;
    return true;
}

/* Step I of all batches that have as many. */
static void walk_step(inlay_call *c, struct sequence *s, int64_t i)
{
    const net *p = s->p;
    int64_t rows = gate_rows(p), line = p->hidden;
    bool again = s->cell->behind && !p->linear;
    struct look state = {s, s->h + s->dir * p->h_dir, p->h_batch, 0, s->state},
                through = {s, s->reset, line, 0, s->through};
    cell_step k;
    float *y;

    see_state(c, &state, 0, again ? p->block[GATE_H] * line : rows);
    for (int64_t n = 0; n < p->batch; n++) {
        if (step_of(s, n, i, &k, &y))
            s->cell->step(&k);
    }
    if (again)
        see_state(c, &through, p->block[GATE_H] * line, rows);
    for (int64_t n = 0; n < p->batch; n++) {
        if (!step_of(s, n, i, &k, &y))
            continue;
        if (s->cell->behind)
            s->cell->behind(&k);
        memcpy(y, k.h, (size_t)line * sizeof *y);
    }
}

/* Reads the biases of a direction. A gate has one that is the sum of both; only the new state of a
 * GRU may have one for the old state. */
static void read_biases(const struct sequence *s, const float *bias)
{
    const net *p = s->p;
    const float *own = bias + s->dir * p->biases * p->hidden;
    int64_t rows = gate_rows(p);
    bool apart = p->kind == GRU && p->linear;

    for (int64_t j = 0; j < rows; j++)
        s->bias[j] = own[j] + 0;
    for (int64_t j = 0; j < p->hidden; j++)
        s->state_bias[j] = apart ? own[p->state_block[GATE_H] * p->hidden + j] : 0;
}

static void walk(inlay_call *c, struct sequence *s, const float *bias)
{
    const net *p = s->p;
    int64_t n = (gate_rows(p) + s->set->cols_f32 - 1) / s->set->cols_f32;
    double cost = (double)(p->batch * p->steps) * (double)p->input * s->set->cols_f32 / PRODUCTS;

    read_biases(s, bias);
    call_split(c, n, cost, see_panels, s);
    for (int64_t i = 0; i < p->steps; i++)
        walk_step(c, s, i);
}

/* The net is one that the cells compute. */
static bool is_usual(const inlay_call *c, const net *p)
{
    return cell_is_usual(p) && !p->coupled && p->input > 0 && p->hidden > 0 &&
           !(p->in_p >= 0 && call_has(c, p->in_p));
}

/* Returns room for N times EACH floats, EACH above 0; *OK becomes false where there is none. */
static float *room(inlay_call *c, int64_t n, int64_t each, bool *ok)
{
    float *x = *ok ? inlay_call_memory(c, n, (size_t)each * sizeof *x) : NULL;

    *ok = x != NULL;
    return x;
}

/* Returns room for the states of all batches, which begin as operand I. */
static float *copy_state(inlay_call *c, const net *p, int i, bool *ok)
{
    int64_t n = p->batch * p->dirs * p->hidden;
    const float *from = load_f32(c, i);
    float *to = room(c, n, 1, ok);

    *ok = *ok && from;
    if (*ok)
        memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

/* Makes the results' room, and the states as they are at first. */
static bool begin(inlay_call *c, struct sequence *s)
{
    const net *p = s->p;
    int64_t rows = gate_rows(p);
    bool ok = true;

    s->x = load_f32(c, 0);
    s->w = load_f32(c, p->in_w);
    s->r = s->packed ? NULL : load_f32(c, p->in_w + 1);
    s->h = copy_state(c, p, p->in_h, &ok);
    s->c = p->in_c >= 0 ? copy_state(c, p, p->in_c, &ok) : NULL;
    s->y = room(c, p->batch * p->dirs * p->hidden * p->steps, 1, &ok);
    s->seen = room(c, p->batch * p->steps, rows, &ok);
    s->state = room(c, p->batch, rows, &ok);
    s->bias = room(c, rows, 1, &ok);
    s->state_bias = room(c, p->hidden, 1, &ok);
    if (s->cell->behind) {
        s->reset = room(c, p->batch, p->hidden, &ok);
        s->through = room(c, p->batch, rows, &ok);
    }
    return ok && s->x && s->w && (s->r || s->packed);
}

static bool run(inlay_call *c, net_kind kind, const void *packed)
{
    struct sequence s = {.set = tile_set_best(), .packed = packed};
    const float *bias;
    net p;

    if (!recurrent_sequence_of_call(c, kind, &p))
        return false;
    if (!is_usual(c, &p))
        return call_kernel_of(c->node->op)(c);
    s.p = &p;
    s.cell = cell_of(&p);
    bias = load_f32(c, p.in_w + 2);
    if (!bias || !begin(c, &s))
        return false;
    for (s.dir = 0; s.dir < p.dirs; s.dir++)
        walk(c, &s, bias);
    return store_f32(c, 0, s.y) && store_f32(c, p.out_h, s.h) &&
           (!s.c || store_f32(c, p.out_h + 1, s.c));
}

static bool run_lstm(inlay_call *c, const void *packed)
{
    return run(c, LSTM, packed);
}

static bool run_gru(inlay_call *c, const void *packed)
{
    return run(c, GRU, packed);
}

static bool run_rnn(inlay_call *c, const void *packed)
{
    return run(c, RNN, packed);
}

static bool takes(const inlay_call *c)
{
    return load_domain(c->in[0]->type) == DOMAIN_F32;
}

static size_t packed_bytes(const inlay_node *n, const inlay_tensor *t)
{
    (void)n;
    if (t->type != INLAY_F32 || t->rank != 3 || inlay_tensor_count(t) == 0)
        return 0;
    return (size_t)(t->dims[0] * packed_floats(t->dims[1], t->dims[2], tile_set_best()->cols_f32)) *
           sizeof(float);
}

static void pack(const inlay_node *n, const inlay_tensor *t, void *to)
{
    int64_t cols = tile_set_best()->cols_f32, hidden = t->dims[2];

    (void)n;
    for (int64_t d = 0; d < t->dims[0]; d++) {
        const float *r = (const float *)t->data + t->offset + d * t->strides[0];
        float *all = (float *)to + d * packed_floats(t->dims[1], hidden, cols);

        for (int64_t j = 0; j < t->dims[1]; j += cols)
            panel_pack_f32(r + j * t->strides[1], t->strides[2], t->strides[1], hidden,
                           panel_smaller(cols, t->dims[1] - j), cols, all + j * hidden);
    }
}

#define KERNEL(of, word, r)                                                                        \
    {                                                                                              \
        .op = of, .name = #word, .takes = takes, .packs = r, .replaces = true,                     \
        .packed_bytes = packed_bytes, .pack = pack, .run = run_##word                              \
    }
const library_kernel library_lstm_sequence = KERNEL(INLAY_OP_LSTM_SEQUENCE, lstm, LSTM_R);
const library_kernel library_gru_sequence = KERNEL(INLAY_OP_GRU_SEQUENCE, gru, OTHER_R);
const library_kernel library_rnn_sequence = KERNEL(INLAY_OP_RNN_SEQUENCE, rnn, OTHER_R);
