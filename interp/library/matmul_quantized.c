/* MatMulQuantized in tiles of bytes (whole.h). With a = x - u and b = y - v, where u and v are zero
 * points, the sum over a b is that over x y, less u times the sum of the column of y, less v times
 * that of the row of x, plus u v for each term. So factors stay bytes: the rows of A unsigned and
 * the panels of B signed, whichever they were. The columns' part is added to the bias; that of the
 * rows is nothing if v is 0, as it is for most weights. */
#include "inlay_ops.h"
#include "interp/call/share.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/quantized.h"
#include "interp/library/library.h"
#include "interp/library/panel.h"
#include "interp/library/whole.h"

#include <limits.h>
#include <string.h>

enum {
    PART = 48,    /* rows of A that are multiplied with one panel after another */
    PRODUCTS = 32 /* as many of these products take the time that call_split counts for one */
};

struct work {
    const product *p;
    const uint8_t *a, *b; /* of the batch; B is NULL if it is packed */
    bool a_flips, b_flips;
    uint32_t a_zero, b_zero; /* of the bytes as they are packed */
    uint32_t *rows, *row_sums;
    const uint32_t *read;   /* the rows that are read: those, or A itself */
    uint32_t *panels;       /* each begins with the sums of its columns */
    const uint32_t *packed; /* the panels that are read */
    char *y;
    uint32_t *bias; /* and what the columns add to it */
    quantized_end end;
    int64_t n_panels, words, panel;
};

static int64_t words_of(int64_t depth)
{
    return (depth + WHOLE_BYTE_WORD - 1) / WHOLE_BYTE_WORD;
}

static int64_t panels_of(int64_t cols)
{
    return (cols + WHOLE_COLS - 1) / WHOLE_COLS;
}

/* Words of a panel and the sums of its columns. */
static int64_t panel_of(int64_t depth)
{
    return (words_of(depth) + 1) * WHOLE_COLS;
}

/* Packs N columns of a row of words: ROWS bytes each, ROW apart; adds them to SUMS. */
static INLAY_CLONES void pack_words(const uint8_t *b, int64_t row, int64_t col, int64_t rows,
                                    int64_t n, uint32_t flip, uint32_t *restrict sums,
                                    uint32_t *restrict to)
{
    for (int64_t j = 0; j < n; j++)
        to[j] = 0;
    for (int64_t k = 0; k < rows; k++, b += row) {
        for (int64_t j = 0; j < n; j++) {
            uint32_t x = b[j * col] ^ flip;

            to[j] |= x << k * CHAR_BIT;
            sums[j] += (uint32_t)(int8_t)x;
        }
    }
}

/* Packs the panel of M that begins at B. */
static void pack_panel(const matrices *m, const uint8_t *b, int64_t cols, bool flips, uint32_t *to)
{
    uint32_t *sums = to;

    memset(to, 0, (size_t)panel_of(m->rows) * sizeof *to);
    for (int64_t k = 0; k < m->rows; k += WHOLE_BYTE_WORD) {
        to += WHOLE_COLS;
        pack_words(b + k * m->row_stride, m->row_stride, m->col_stride,
                   panel_smaller(WHOLE_BYTE_WORD, m->rows - k), cols, flips ? WHOLE_FLIP : 0, sums,
                   to);
    }
}

static INLAY_CLONES uint32_t sum_bytes(const uint8_t *x, int64_t n)
{
    uint32_t sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* Writes a row of N bytes, STEP apart, as unsigned ones. */
static void pack_row(const uint8_t *x, int64_t step, int64_t n, bool flips, uint32_t *to)
{
    uint8_t *bytes = (uint8_t *)to;

    to[words_of(n) - 1] = 0;
    if (step == 1)
        memcpy(to, x, (size_t)n);
    for (int64_t i = 0; step != 1 && i < n; i++)
        bytes[i] = x[i * step];
    for (int64_t i = 0; flips && i < words_of(n); i++)
        to[i] ^= WHOLE_FLIPS;
}

static void pack_rows(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    const matrices *m = &w->p->a;

    for (; from < to; from++) {
        if (w->read == w->rows)
            pack_row(w->a + from * m->row_stride, m->col_stride, m->cols, w->a_flips,
                     w->rows + from * w->words);
        if (w->b_zero != 0)
            w->row_sums[from] =
                sum_bytes((const uint8_t *)(w->read + from * w->words), w->p->depth);
    }
}

/* Are the rows of the batch words as they are? */
static bool is_packed(const struct work *w)
{
    const matrices *m = &w->p->a;

    return !w->a_flips && m->col_stride == 1 && m->cols % WHOLE_BYTE_WORD == 0 &&
           (m->rows == 1 || m->row_stride == m->cols) && (uintptr_t)w->a % sizeof *w->rows == 0;
}

static void pack_panels(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;

    for (; from < to; from++)
        pack_panel(&w->p->b, w->b + from * WHOLE_COLS * w->p->b.col_stride,
                   panel_smaller(WHOLE_COLS, w->p->cols - from * WHOLE_COLS), w->b_flips,
                   w->panels + from * w->panel);
}

/* Sets ROWS rows of C from row FROM on to what the zero point of B adds to their sums. */
static INLAY_CLONES void begin_sums(const struct work *w, int64_t from, int64_t rows,
                                    uint32_t *restrict c)
{
    for (int64_t i = 0; i < rows; i++, c += WHOLE_COLS) {
        uint32_t x = w->b_zero * ((uint32_t)w->p->depth * w->a_zero - w->row_sums[from + i]);

        for (int64_t j = 0; j < WHOLE_COLS; j++)
            c[j] = x;
    }
}

/* Adds to the bias what the zero point of A adds to the sums of columns. */
static void add_columns(struct work *w)
{
    for (int64_t j = 0; j < w->p->cols; j++) {
        const uint32_t *panel = w->packed + j / WHOLE_COLS * w->panel;

        w->bias[j] = w->end.bias[j] - w->a_zero * panel[j % WHOLE_COLS];
    }
}

/* An item is a panel for a part of the rows. */
static void multiply_items(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    const product *p = w->p;
    quantized_end end = w->end;
    _Alignas(64) uint32_t c[PART * WHOLE_COLS];

    end.bias = w->bias;
    for (; from < to; from++) {
        int64_t row = from / w->n_panels * PART, at = from % w->n_panels, col = at * WHOLE_COLS;
        int64_t rows = panel_smaller(PART, p->rows - row);
        const uint32_t *panel = w->packed + at * w->panel;
        whole_tile t = {.depth = w->words,
                        .a = w->read + row * w->words,
                        .a_row = w->words,
                        .b = panel + WHOLE_COLS,
                        .c = c,
                        .c_row = WHOLE_COLS,
                        .kind = WHOLE_TURNED,
                        .adds = w->b_zero != 0};

        if (t.adds)
            begin_sums(w, row, rows, c);
        whole_multiply(tile_set_best(), &t, rows, WHOLE_COLS);
        quantized_block(&end, c, rows, panel_smaller(WHOLE_COLS, p->cols - col), col, true,
                        w->y + (size_t)(row * p->cols + col) * w->end.size,
                        (size_t)p->cols * w->end.size);
    }
}

static void multiply_batch(inlay_call *c, struct work *w)
{
    const product *p = w->p;
    int64_t parts = (p->rows + PART - 1) / PART;
    double depth = (double)p->depth;

    w->read = is_packed(w) ? (const uint32_t *)(const void *)w->a : w->rows;
    if (w->read == w->rows || w->b_zero != 0)
        call_split(c, p->rows, depth / PRODUCTS, pack_rows, w);
    if (w->b)
        call_split(c, w->n_panels, depth * WHOLE_COLS, pack_panels, w);
    add_columns(w);
    call_split(c, parts * w->n_panels,
               (double)panel_smaller(PART, p->rows) * WHOLE_COLS * (1 + depth / PRODUCTS),
               multiply_items, w);
}

static void multiply_batches(inlay_call *c, struct work *w, const uint8_t *a, const uint8_t *b)
{
    const product *p = w->p;

    for (index_iter it = index_begin(p->batch_rank, p->batch_dims); index_valid(&it);
         index_next(&it)) {
        w->a = a + index_dot(p->batch_rank, it.at, p->a.batch);
        w->b = b ? b + index_dot(p->batch_rank, it.at, p->b.batch) : NULL;
        multiply_batch(c, w);
        w->y += (size_t)(p->rows * p->cols) * w->end.size;
    }
}

/* Returns the bytes of operand I, and sets STRIDES; NULL: it has no memory. */
static const uint8_t *load(inlay_call *c, int i, int64_t *strides)
{
    const inlay_tensor *t = c->in[i];

    if (t->rank > 0)
        memcpy(strides, t->strides, (size_t)t->rank * sizeof *strides);
    return call_reads(c, i) ? (const uint8_t *)t->data + t->offset : NULL;
}

/* Makes room for what is packed. */
static bool make_room(inlay_call *c, struct work *w, bool packs)
{
    const product *p = w->p;

    w->n_panels = panels_of(p->cols);
    w->words = words_of(p->depth);
    w->panel = panel_of(p->depth);
    w->rows = inlay_call_memory(c, p->rows * w->words + 1, sizeof *w->rows);
    w->row_sums = inlay_call_memory(c, p->rows, sizeof *w->row_sums);
    w->bias = inlay_call_memory(c, p->cols + WHOLE_COLS, sizeof *w->bias);
    if (packs)
        w->packed = w->panels = inlay_call_memory(c, w->n_panels * w->panel, sizeof *w->panels);
    return w->rows && w->row_sums && w->bias && w->packed;
}

static bool run(inlay_call *c, const void *packed)
{
    int64_t u[INLAY_MAX_RANK], v[INLAY_MAX_RANK] = {0};
    product p;
    struct work w = {.p = &p, .packed = packed};
    const uint8_t *a, *b;
    char *y;

    if (inlay_tensor_count(c->out[0]) == 0)
        return true;
    a = load(c, 0, u);
    b = packed ? NULL : load(c, 1, v);
    product_of_call(c, u, v, &p);
    if (p.depth == 0)
        return call_kernel_of(c->node->op)(c);
    panel_join_batches(&p);
    w.a_flips = c->in[0]->type == INLAY_I8;
    w.b_flips = c->in[1]->type == INLAY_U8;
    y = quantized_place(c);
    if (!a || !(b || packed) || !y || !quantized_zero(c, QUANTIZED_A_ZERO, &w.a_zero) ||
        !quantized_zero(c, QUANTIZED_B_ZERO, &w.b_zero) || !quantized_end_of(c, p.cols, &w.end) ||
        !make_room(c, &w, b != NULL))
        return false;
    w.a_zero += w.a_flips ? WHOLE_FLIP : 0;
    w.b_zero -= w.b_flips ? WHOLE_FLIP : 0;
    w.y = y;
    multiply_batches(c, &w, a, b);
    return quantized_store(c, y);
}

static int is_turned(const inlay_node *n)
{
    return inlay_node_bool(n, "transpose_b");
}

static size_t packed_bytes(const inlay_node *n, const inlay_tensor *t)
{
    matrices m;

    if (!panel_read_constant(t, is_turned(n), &m) || inlay_tensor_bytes(t) == 0)
        return 0;
    return (size_t)panels_of(m.cols) * (size_t)panel_of(m.rows) * sizeof(uint32_t);
}

static void pack(const inlay_node *n, const inlay_tensor *t, void *to)
{
    const uint8_t *b = (const uint8_t *)t->data + t->offset;
    uint32_t *words = to;
    matrices m;

    if (!panel_read_constant(t, is_turned(n), &m))
        return;
    for (int64_t j = 0; j < m.cols; j += WHOLE_COLS, words += panel_of(m.rows))
        pack_panel(&m, b + j * m.col_stride, panel_smaller(WHOLE_COLS, m.cols - j),
                   t->type == INLAY_U8, words);
}

const library_kernel library_matmul_quantized = {.op = INLAY_OP_MAT_MUL_QUANTIZED,
                                                 .name = "bytes",
                                                 .packs = 1,
                                                 .replaces = true,
                                                 .packed_bytes = packed_bytes,
                                                 .form = is_turned,
                                                 .pack = pack,
                                                 .run = run};
