/* MatMul-1 of integers of up to 32 bits in tiles (whole.h). Both factors are packed, A by rows and
 * B by panels; a constant B is packed once. */
#include "interp/library/panel.h"
#include "interp/library/whole.h"

#include <string.h>

enum {
    PART = 48,    /* rows of A that are multiplied with one panel after another */
    PRODUCTS = 8, /* as many of these products take the time that call_split counts for one */
    HALF = 16,    /* bits */
    HEAD = 64     /* bytes */
};

/* The packed form of a constant: this, and its panels from the next cache line on. */
typedef struct constant {
    bool pairs;
} constant;

struct work {
    const product *p;
    const whole_number *a, *b;      /* of the batch; B is NULL if it is packed */
    uint32_t *rows, *panels;        /* the words of both; a row has room for DEPTH of them */
    const uint32_t *packed;         /* the panels that are read */
    uint32_t *beyond_rows, *beyond; /* not 0: an element of the row or panel does not fit */
    uint32_t *y;
    int64_t n_panels, words;
    bool pairs;
};

static int64_t panels_of(int64_t cols)
{
    return (cols + WHOLE_COLS - 1) / WHOLE_COLS;
}

/* Writes the panel of M that begins at B as words. Returns 0 if all elements fit into pairs. */
static uint32_t pack_panel(const matrices *m, const whole_number *b, int64_t cols, bool pairs,
                           uint32_t *to)
{
    uint32_t beyond = 0;
    int64_t row = m->row_stride, step = pairs ? 2 : 1;

    for (int64_t k = 0; k < m->rows; k += step, to += WHOLE_COLS) {
        const whole_number *x = b + k * row;

        memset(to + cols, 0, (size_t)(WHOLE_COLS - cols) * sizeof *to);
        if (pairs)
            beyond |= whole_pair(x, k + 1 < m->rows ? x + row : NULL, m->col_stride, cols, to);
        else
            whole_copy(x, m->col_stride, cols, to);
    }
    return beyond;
}

static void pack_rows(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    const matrices *m = &w->p->a;

    for (; from < to; from++)
        w->beyond_rows[from] = whole_pack_row(w->a + from * m->row_stride, m->col_stride, m->cols,
                                              w->pairs, w->rows + from * w->words);
}

static void pack_panels(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;

    for (; from < to; from++) {
        int64_t col = from * WHOLE_COLS;

        w->beyond[from] = pack_panel(&w->p->b, w->b + col * w->p->b.col_stride,
                                     panel_smaller(WHOLE_COLS, w->p->cols - col), w->pairs,
                                     w->panels + col * w->words);
    }
}

/* Splits the pairs of packed panels into words. */
static void part_panels(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    int64_t pairs = whole_words(w->p->depth, true);

    for (; from < to; from++) {
        const uint32_t *x = w->packed + from * pairs * WHOLE_COLS;
        uint32_t *y = w->panels + from * w->words * WHOLE_COLS;

        for (int64_t k = 0; k < w->p->depth; k++) {
            for (int64_t j = 0; j < WHOLE_COLS; j++) {
                uint32_t pair = x[k / 2 * WHOLE_COLS + j];

                y[k * WHOLE_COLS + j] = (uint32_t)(int16_t)(k % 2 ? pair >> HALF : pair);
            }
        }
    }
}

/* An item is a panel for a part of the rows. */
static void multiply_items(void *ctx, int64_t from, int64_t to)
{
    const struct work *w = ctx;
    const product *p = w->p;

    for (; from < to; from++) {
        int64_t row = from / w->n_panels * PART, col = from % w->n_panels * WHOLE_COLS;
        whole_tile t = {.depth = w->words,
                        .a = w->rows + row * w->words,
                        .a_row = w->words,
                        .b = w->packed + col * w->words,
                        .c = w->y + row * p->cols + col,
                        .c_row = p->cols,
                        .kind = w->pairs ? WHOLE_PAIRS : WHOLE_WORDS};

        whole_multiply(tile_set_best(), &t, panel_smaller(PART, p->rows - row),
                       panel_smaller(WHOLE_COLS, p->cols - col));
    }
}

static bool all_fit(const uint32_t *beyond, int64_t n)
{
    uint32_t any = 0;

    for (int64_t i = 0; i < n; i++)
        any |= beyond[i];
    return any == 0;
}

/* Packs what is not packed yet, as pairs or as words. Returns whether all elements fit. */
static bool pack_both(inlay_call *c, struct work *w, const constant *packed, bool pairs)
{
    const product *p = w->p;

    w->pairs = pairs;
    w->words = whole_words(p->depth, pairs);
    call_split(c, p->rows, (double)p->depth, pack_rows, w);
    if (!all_fit(w->beyond_rows, p->rows))
        return false;
    w->packed = packed ? (const uint32_t *)packed + HEAD / sizeof *w->packed : w->panels;
    if (packed && packed->pairs && !pairs) {
        call_split(c, w->n_panels, (double)p->depth * WHOLE_COLS, part_panels, w);
        w->packed = w->panels;
    }
    if (packed)
        return true;
    call_split(c, w->n_panels, (double)p->depth * WHOLE_COLS, pack_panels, w);
    return all_fit(w->beyond, w->n_panels);
}

static void multiply_batch(inlay_call *c, struct work *w, const constant *packed)
{
    const product *p = w->p;
    int64_t parts = (p->rows + PART - 1) / PART;

    if ((packed && !packed->pairs) || !pack_both(c, w, packed, true))
        pack_both(c, w, packed, false);
    call_split(c, parts * w->n_panels,
               (double)panel_smaller(PART, p->rows) * (double)w->words * WHOLE_COLS / PRODUCTS,
               multiply_items, w);
}

static void multiply_batches(inlay_call *c, struct work *w, const whole_number *a,
                             const whole_number *b, const constant *packed)
{
    const product *p = w->p;
    uint32_t *y = w->y;

    for (index_iter it = index_begin(p->batch_rank, p->batch_dims); index_valid(&it);
         index_next(&it)) {
        w->a = a + index_dot(p->batch_rank, it.at, p->a.batch);
        w->b = b ? b + index_dot(p->batch_rank, it.at, p->b.batch) : NULL;
        multiply_batch(c, w, packed);
        w->y += p->rows * p->cols;
    }
    w->y = y;
}

bool whole_product(inlay_call *c, const void *packed)
{
    int64_t u[INLAY_MAX_RANK], v[INLAY_MAX_RANK] = {0};
    const whole_number *a = whole_load(c, 0, u), *b = packed ? NULL : whole_load(c, 1, v);
    product p;
    struct work w = {.p = &p};

    product_of_call(c, u, v, &p);
    if (p.depth == 0)
        return call_kernel_of(c->node->op)(c);
    panel_join_batches(&p);
    w.n_panels = panels_of(p.cols);
    w.rows = inlay_call_memory(c, p.rows * p.depth, sizeof *w.rows);
    w.panels = inlay_call_memory(c, w.n_panels * WHOLE_COLS * p.depth, sizeof *w.panels);
    w.beyond_rows = inlay_call_memory(c, p.rows, sizeof *w.beyond_rows);
    w.beyond = inlay_call_memory(c, w.n_panels, sizeof *w.beyond);
    w.y = whole_place(c);
    if (!a || !(b || packed) || !w.rows || !w.panels || !w.beyond_rows || !w.beyond || !w.y)
        return false;
    multiply_batches(c, &w, a, b, packed);
    return whole_store(c, w.y);
}

static bool is_turned(const inlay_node *n)
{
    return inlay_node_bool(n, "transpose_b");
}

size_t whole_product_bytes(const inlay_node *n, const inlay_tensor *t)
{
    size_t bytes = inlay_tensor_bytes(t);
    matrices m;

    if (!panel_read_constant(t, is_turned(n), &m) || bytes == 0 || bytes > SIZE_MAX / HEAD)
        return 0;
    return HEAD + (size_t)m.rows * (size_t)panels_of(m.cols) * WHOLE_COLS * sizeof(uint32_t);
}

void whole_product_pack(const inlay_node *n, const inlay_tensor *t, void *to)
{
    const whole_number *b = (const whole_number *)t->data + t->offset;
    constant *head = to;
    uint32_t *words = (uint32_t *)to + HEAD / sizeof *words, beyond = 0;
    matrices m;

    if (!panel_read_constant(t, is_turned(n), &m))
        return;
    for (bool pairs = true;; pairs = false) {
        for (int64_t j = 0; j < m.cols; j += WHOLE_COLS)
            beyond |= pack_panel(&m, b + j * m.col_stride, panel_smaller(WHOLE_COLS, m.cols - j),
                                 pairs, words + j * whole_words(m.rows, pairs));
        head->pairs = pairs;
        if (!pairs || !beyond)
            return;
    }
}
