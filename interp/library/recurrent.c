/* LSTMSequence, GRUSequence and RNNSequence of f32, and cells, which are sequences of one step. The
 * contribution of the data to the gates is one product for all steps; that of the state is a
 * product of one row for each batch, step by step. The weights of the state are packed once if they
 * are constant, and with them those of the data; else in each run, because every step reads them.
 *
 *     all steps    X [batch steps, input] x W^T  ->  [batch steps, gates hidden]
 *     each step    H [batch, hidden] x R^T       ->  [batch, gates apart], added to a row of those
 *
 * Threads divide the elements of the state, a panel at a time. For its elements, a thread computes
 * the contribution of the old state to all gates, and then the new state, so that threads wait for
 * each other only once in each step. Panels of R^T are ordered by gate:
 *
 *     hidden 5, panels of 2 columns, apart 6:   f0 f1 | f2 f3 | f4  0 | i0 i1 | i2 i3 | i4  0 | ..
 *
 * The new state of a GRU without linear_before_reset needs all of the old one after the reset gate,
 * which is a second round in each step. */
#include "inlay_ops.h"
#include "interp/library/cells.h"
#include "interp/library/library.h"
#include "interp/library/panel.h"

#include <string.h>

enum {
    LSTM_R = 5, /* the operand R of an LSTMSequence, and of the others */
    OTHER_R = 4,
    LSTM_CELL_R = 4,
    OTHER_CELL_R = 3,
    PRODUCTS = 8,   /* as many of these products take the time that call_split counts for one, */
    ACTIVATION = 10 /* the cost of an activation, in this unit */
};
#define READ 0.5 /* the time to read a weight, in this unit */

/* A sequence that is being computed, in direction DIR. */
struct sequence {
    const net *p;
    const cell *cell;
    const tile_set *set;
    const float *x, *w, *packed; /* packed: R of all directions */
    const float *packed_w;       /* W of all directions; NULL: it is not packed */
    float *y, *c;                /* results; y of a sequence, c of an LSTM */
    float *h[2];                 /* the states before and after a step, which alternate */
    float *seen;                 /* contributions of the data, by row of X and by row of W */
    float *state;                /* contributions of the state, by batch, gate and element */
    float *reset;                /* of a GRU: the state multiplied by the reset gate */
    float *bias, *state_bias;    /* by row of W; of a GRU's new state (cells.h) */
    int64_t apart;               /* are gates in STATE */
    int dir, rounds;             /* of a step */
};

/* Rows of W and R of one direction. */
static int64_t gate_rows(const net *p)
{
    return p->gates * p->hidden;
}

/* Returns how many columns N rows of weights are in panels; N is hidden: the distance between the
 * columns of two gates. */
static int64_t panel_cols(const tile_set *set, int64_t n)
{
    return (n + set->cols_f32 - 1) / set->cols_f32 * set->cols_f32;
}

static product product_with(int64_t rows, int64_t row_stride, int64_t depth, int64_t cols)
{
    return (product){.a = {.row_stride = row_stride, .col_stride = 1},
                     .b = {.row_stride = 1, .col_stride = depth},
                     .rows = rows,
                     .cols = cols,
                     .depth = depth};
}

/* Computes columns of the contribution of the data to the gates; a work item is a panel of them. */
static void see_panels(void *ctx, int64_t from, int64_t to)
{
    const struct sequence *s = ctx;
    const net *p = s->p;
    product data = product_with(p->batch * p->steps, p->input, p->input, gate_rows(p));
    int64_t each = panel_cols(s->set, data.cols) * p->input;
    panels w = {&data, s->set, s->packed_w ? s->packed_w + s->dir * each : NULL};

    panel_multiply_f32(&w, s->x, s->w + s->dir * gate_rows(p) * p->input, data.rows,
                       from * s->set->cols_f32, panel_smaller(to * s->set->cols_f32, data.cols),
                       s->seen);
}

/* The contribution that a round computes: to gates FROM to TO, from A, whose rows are A_ROW apart.
 */
struct look {
    const float *a;
    int64_t a_row;
    int from, to;
    bool back; /* goes from the last columns to the first */
};

/* Computes columns FROM to TO for the gates of L. The direction alternates from round to round, so
 * that the panels read last, which are in the cache, are read first. */
static void see(const struct sequence *s, const struct look *l, int64_t from, int64_t to)
{
    const net *p = s->p;
    product with = product_with(p->batch, l->a_row, p->hidden, p->gates * s->apart);
    panels w = {&with, s->set, s->packed + s->dir * with.cols * p->hidden};
    int64_t line = s->set->line * s->set->cols_f32, lines = (to - from + line - 1) / line;
    int64_t n = (l->to - l->from) * lines;

    for (int64_t i = 0; i < n; i++) {
        int64_t k = l->back ? n - 1 - i : i, gate = (l->from + k / lines) * s->apart;
        int64_t j = from + k % lines * line;

        panel_multiply_f32(&w, l->a, NULL, p->batch, gate + j, gate + panel_smaller(j + line, to),
                           s->state);
    }
}

/* Returns the state of batch N before step I. */
static float *state_at(const struct sequence *s, int64_t n, int64_t i)
{
    return s->h[i % 2] + n * s->p->h_batch + s->dir * s->p->h_dir;
}

/* Returns the row of Y for step T of batch N. */
static float *row_of(const struct sequence *s, int64_t n, int64_t t)
{
    return s->y + n * s->p->y_batch + t * s->p->y_step + s->dir * s->p->y_dir;
}

/* Step I of batch N, which is step T of the data, for COUNT elements of the state from FROM on. */
static cell_step step_of(const struct sequence *s, int64_t n, int64_t i, int64_t t, int64_t from,
                         int64_t count)
{
    const net *p = s->p;

    return (cell_step){.p = p,
                       .dir = s->dir,
                       .from = from,
                       .n = count,
                       .data = s->seen + (n * p->x_batch + t * p->x_step) / p->input * gate_rows(p),
                       .state = s->state + n * p->gates * s->apart,
                       .apart = s->apart,
                       .bias = s->bias,
                       .state_bias = s->state_bias,
                       .h = state_at(s, n, i),
                       .next = state_at(s, n, i + 1),
                       .c = s->c ? s->c + n * p->h_batch + s->dir * p->h_dir : NULL,
                       .reset = s->reset ? s->reset + n * p->hidden : NULL};
}

/* A round of a step: the FIRST one, the LAST one, or both. */
struct part_of_step {
    int64_t i; /* of the steps */
    bool first, last;
};

/* Computes COUNT elements from FROM on of the new state of batch N, or the part of that which K
 * says. A batch with fewer steps keeps its state, and has zeros in Y. */
static void walk_batch(const struct sequence *s, const struct part_of_step *k, int64_t n,
                       int64_t from, int64_t count)
{
    const net *p = s->p;
    int64_t i = k->i, steps = p->lengths ? p->lengths[n] : p->steps;
    int64_t t = p->reverse || s->dir == 1 ? steps - 1 - i : i;
    size_t bytes = (size_t)count * sizeof *s->y;
    cell_step step;

    if (i >= steps) {
        memcpy(state_at(s, n, i + 1) + from, state_at(s, n, i) + from, bytes);
        if (s->y)
            memset(row_of(s, n, i) + from, 0, bytes);
        return;
    }
    step = step_of(s, n, i, t, from, count);
    if (k->first)
        s->cell->step(&step);
    if (k->last && s->cell->behind)
        s->cell->behind(&step);
    if (k->last && s->y)
        memcpy(row_of(s, n, t) + from, step.next + from, bytes);
}

/* A round for the panels FROM to TO of each gate: a call_round_fn. */
static void walk_round(void *ctx, int64_t round, int64_t from, int64_t to)
{
    const struct sequence *s = ctx;
    const net *p = s->p;
    int64_t i = round / s->rounds, cols = s->set->cols_f32, begin = from * cols, end = to * cols;
    struct part_of_step k = {i, round % s->rounds == 0, round % s->rounds == s->rounds - 1};
    struct look of_state = {state_at(s, 0, i), p->h_batch, 0, k.last ? p->gates : GATE_H, i % 2},
                of_reset = {s->reset, p->hidden, GATE_H, p->gates, i % 2};

    see(s, k.first ? &of_state : &of_reset, begin, end);
    for (int64_t n = 0; n < p->batch; n++)
        walk_batch(s, &k, n, begin, panel_smaller(end, p->hidden) - begin);
}

/* Reads the biases of a direction; BIAS is NULL for a cell without. A gate has one, the sum of both
 * inputs; only the new state of a GRU may have a separate one for the old state. */
static void read_biases(const struct sequence *s, const float *bias)
{
    const net *p = s->p;
    const float *own = bias ? bias + s->dir * p->biases * p->hidden : NULL;
    int64_t rows = gate_rows(p);
    bool apart = own && p->kind == GRU && p->linear;

    for (int64_t j = 0; j < rows; j++)
        s->bias[j] = own ? own[j] + 0 : 0;
    for (int64_t j = 0; j < p->hidden; j++)
        s->state_bias[j] = apart ? own[p->state_block[GATE_H] * p->hidden + j] : 0;
}

static void walk(inlay_call *c, struct sequence *s, const float *bias)
{
    const net *p = s->p;
    int64_t cols = s->set->cols_f32, n = (gate_rows(p) + cols - 1) / cols;
    double data = (double)(p->batch * p->steps) * (double)p->input / PRODUCTS;
    double state =
        (double)p->hidden * ((double)p->batch / PRODUCTS + READ) + (double)p->batch * ACTIVATION;

    read_biases(s, bias);
    call_split(c, n, data * (double)cols, see_panels, s);
    call_rounds(c, p->steps * s->rounds, s->apart / cols,
                state * (double)(p->gates * cols) / s->rounds, walk_round, s);
}

/* The activations are those that cells.c computes. */
static bool is_usual(const inlay_call *c, const net *p)
{
    return cell_is_usual(p) && !p->coupled && p->input > 0 && p->hidden > 0 &&
           !(p->in_p >= 0 && call_has(c, p->in_p));
}

/* Allocates N times EACH floats, EACH above 0; *OK becomes false if that fails. */
static float *room(inlay_call *c, int64_t n, int64_t each, bool *ok)
{
    float *x = *ok ? inlay_call_memory(c, n, (size_t)each * sizeof *x) : NULL;

    *ok = x != NULL;
    return x;
}

/* Allocates the states of all batches, and sets them to operand I. */
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

/* Packs weights, [directions, parts rows, depth], whose elements lie STRIDES apart: ROWS rows make
 * panels of their own. Returns the end of the packed form. */
static float *pack_weights(const float *w, const int64_t *strides, int64_t dirs, int64_t parts,
                           int64_t rows, int64_t depth, float *to)
{
    const tile_set *set = tile_set_best();
    int64_t cols = set->cols_f32, apart = panel_cols(set, rows);

    for (int64_t g = 0; g < dirs * parts; g++, to += apart * depth) {
        const float *from = w + g / parts * strides[0] + g % parts * rows * strides[1];

        for (int64_t j = 0; j < rows; j += cols)
            panel_pack_f32(from + j * strides[1], strides[2], strides[1], depth,
                           panel_smaller(cols, rows - j), cols, to + j * depth);
    }
    return to;
}

/* Packs the weights of the state for this run. */
static const float *pack_now(inlay_call *c, const struct sequence *s, bool *ok)
{
    const net *p = s->p;
    const int64_t strides[] = {gate_rows(p) * p->hidden, p->hidden, 1};
    const float *r = load_f32(c, p->in_w + 1);
    float *to = room(c, p->dirs * p->gates * s->apart, p->hidden, ok);

    *ok = *ok && r;
    if (*ok)
        pack_weights(r, strides, p->dirs, p->gates, p->hidden, p->hidden, to);
    return to;
}

/* Allocates the results, and sets the states to their initial values. */
static bool begin(inlay_call *c, struct sequence *s)
{
    const net *p = s->p;
    int64_t rows = gate_rows(p);
    bool ok = true;

    s->apart = panel_cols(s->set, p->hidden);
    s->rounds = s->cell->behind && !p->linear ? 2 : 1;
    s->x = load_f32(c, 0);
    s->w = load_f32(c, p->in_w);
    s->packed = s->packed ? s->packed : pack_now(c, s, &ok);
    s->h[0] = copy_state(c, p, p->in_h, &ok);
    s->h[1] = room(c, p->batch * p->dirs, p->hidden, &ok);
    s->c = p->in_c >= 0 ? copy_state(c, p, p->in_c, &ok) : NULL;
    s->y = p->out_h > 0 ? place_f32(c, 0) : NULL;
    s->seen = room(c, p->batch * p->steps, rows, &ok);
    s->state = room(c, p->batch * p->gates, s->apart, &ok);
    s->bias = room(c, rows, 1, &ok);
    s->state_bias = room(c, p->hidden, 1, &ok);
    if (s->cell->behind)
        s->reset = room(c, p->batch, p->hidden, &ok);
    return ok && s->x && s->w && (s->y || p->out_h == 0);
}

static const inlay_tensor *weights_of_data(const inlay_node *n);

/* Computes a net of KIND that READ describes. */
static bool run(inlay_call *c, net_kind kind, bool (*read)(inlay_call *, net_kind, net *),
                const void *packed)
{
    struct sequence s = {.set = tile_set_best(), .packed = packed};
    const float *bias;
    net p;

    if (!read(c, kind, &p))
        return false;
    if (!is_usual(c, &p))
        return call_kernel_of(c->node->op)(c);
    s.p = &p;
    s.cell = cell_of(&p);
    if (packed && weights_of_data(c->node))
        s.packed_w = s.packed + p.dirs * p.gates * panel_cols(s.set, p.hidden) * p.hidden;
    bias = call_has(c, p.in_w + 2) ? load_f32(c, p.in_w + 2) : NULL;
    if ((!bias && call_has(c, p.in_w + 2)) || !begin(c, &s))
        return false;
    for (s.dir = 0; s.dir < p.dirs; s.dir++)
        walk(c, &s, bias);
    return (!s.y || store_f32(c, 0, s.y)) && store_f32(c, p.out_h, s.h[p.steps % 2]) &&
           (!s.c || store_f32(c, p.out_h + 1, s.c));
}

static bool takes(const inlay_call *c)
{
    return load_domain(c->in[0]->type) == DOMAIN_F32;
}

/* Weights as [directions, rows, depth]; those of a cell have no directions. */
typedef struct weights {
    int64_t dirs, rows, depth, strides[3];
} weights;

static bool read_weights(const inlay_tensor *t, weights *w)
{
    int first = t->rank - 2;

    if (t->type != INLAY_F32 || first < 0 || first > 1 || inlay_tensor_count(t) == 0)
        return false;
    *w = (weights){first ? t->dims[0] : 1,
                   t->dims[first],
                   t->dims[first + 1],
                   {first ? t->strides[0] : 0, t->strides[first], t->strides[first + 1]}};
    return true;
}

/* Returns the value of operand W. */
static const inlay_value *operand_w(const inlay_node *n)
{
    int i = 0;

    while (strcmp(n->op->in[i].name, "W") != 0)
        i++;
    return inlay_node_input(n, i);
}

/* Returns W if it is a constant that is packed behind R; NULL: it is not. */
static const inlay_tensor *weights_of_data(const inlay_node *n)
{
    const inlay_value *v = operand_w(n);
    const inlay_attr *a =
        inlay_node_is(v->node, INLAY_OP_CONST) ? inlay_node_attr(v->node, "value") : NULL;
    const inlay_tensor *t = a ? a->as.tensor : NULL;
    weights w;

    return t && read_weights(t, &w) && (uintptr_t)t->data % sizeof(float) == 0 ? t : NULL;
}

static size_t packed_bytes(const inlay_node *n, const inlay_tensor *t)
{
    const inlay_tensor *data = weights_of_data(n);
    const tile_set *set = tile_set_best();
    weights r, w = {0};

    if (!read_weights(t, &r) || (data && !read_weights(data, &w)))
        return 0;
    return (size_t)(r.dirs *
                    (r.rows * panel_cols(set, r.depth) + panel_cols(set, w.rows) * w.depth)) *
           sizeof(float);
}

/* The form of R is another one for each W that is packed with it. */
static int form(const inlay_node *n)
{
    return weights_of_data(n) ? (int)operand_w(n)->node->id + 1 : 0;
}

static void pack(const inlay_node *n, const inlay_tensor *t, void *to)
{
    const inlay_tensor *data = weights_of_data(n);
    weights r, w;

    if (!read_weights(t, &r))
        return;
    to = pack_weights((const float *)t->data + t->offset, r.strides, r.dirs, r.rows / r.depth,
                      r.depth, r.depth, to);
    if (data && read_weights(data, &w))
        pack_weights((const float *)data->data + data->offset, w.strides, w.dirs, 1, w.rows,
                     w.depth, to);
    if (data)
        inlay_tensor_unload(data);
}

#define KERNEL(word, kind, read, of, r)                                                            \
    static bool run_##word(inlay_call *c, const void *packed)                                      \
    {                                                                                              \
        return run(c, kind, recurrent_##read##_of_call, packed);                                   \
    }                                                                                              \
    const library_kernel library_##word = {.op = of,                                               \
                                           .name = #word,                                          \
                                           .takes = takes,                                         \
                                           .packs = r,                                             \
                                           .replaces = true,                                       \
                                           .packed_bytes = packed_bytes,                           \
                                           .form = form,                                           \
                                           .pack = pack,                                           \
                                           .run = run_##word}
KERNEL(lstm_sequence, LSTM, sequence, INLAY_OP_LSTM_SEQUENCE, LSTM_R);
KERNEL(gru_sequence, GRU, sequence, INLAY_OP_GRU_SEQUENCE, OTHER_R);
KERNEL(rnn_sequence, RNN, sequence, INLAY_OP_RNN_SEQUENCE, OTHER_R);
KERNEL(lstm_cell, LSTM, cell, INLAY_OP_LSTM_CELL, LSTM_CELL_R);
KERNEL(gru_cell, GRU, cell, INLAY_OP_GRU_CELL, OTHER_CELL_R);
KERNEL(rnn_cell, RNN, cell, INLAY_OP_RNN_CELL, OTHER_CELL_R);
