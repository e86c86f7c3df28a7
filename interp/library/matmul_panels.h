/* Tiled matrix products for one element type T: matmul.c includes it for f32 and f64. */

/* A product. An item is a block of columns, some panels, for a part of the rows. */
struct NAME(work) {
    panels w;
    const T *a, *b; /* b: NULL if it is packed */
    T *y;
    int64_t block, blocks; /* columns of a block, and number of blocks */
    int64_t part, parts;   /* rows of a part, and number of parts */
};

/* Consecutive blocks of one row are computed as one. */
static void NAME(multiply_items)(void *ctx, int64_t from, int64_t to)
{
    const struct NAME(work) *w = ctx;
    const product *p = w->w.p;

    for (int64_t n; from < to; from += n) {
        int64_t j = from % w->blocks * w->block, part = from / w->blocks;
        int64_t batch = part / w->parts, row = part % w->parts * w->part;
        index_iter it = index_from(p->batch_rank, p->batch_dims, batch);
        const T *b = w->b ? w->b + index_dot(p->batch_rank, it.at, p->b.batch) : NULL;

        n = p->rows == 1 ? panel_smaller(to - from, w->blocks - from % w->blocks) : 1;
        NAME(panel_multiply)
        (&w->w, w->a + index_dot(p->batch_rank, it.at, p->a.batch) + row * p->a.row_stride, b,
         panel_smaller(w->part, p->rows - row), j, panel_smaller(j + n * w->block, p->cols),
         w->y + index_dot(p->batch_rank, it.at, p->y_batch) + row * p->y_row);
    }
}

static void NAME(split)(inlay_call *c, struct NAME(work) * w)
{
    const product *p = w->w.p;
    int64_t batches = dims_product(p->batch_dims, p->batch_rank), cols = w->w.set->NAME(cols);
    int64_t wide = (p->cols + cols - 1) / cols, parts = (p->rows + MANY_ROWS - 1) / MANY_ROWS;

    w->part = panel_smaller(batches * wide < MANY_ITEMS ? SOME_ROWS : MANY_ROWS, p->rows);
    w->parts = (p->rows + w->part - 1) / w->part;
    w->block = cols * block_panels(&w->w, batches * parts * wide, p->rows);
    w->blocks = (p->cols + w->block - 1) / w->block;
    call_split(c, batches * w->parts * w->blocks,
               (double)w->part * (double)p->depth * (double)w->block / PRODUCTS,
               NAME(multiply_items), w);
}

/* Interleaves COLS lines of ROWS elements, as many as columns of Y. */
static inline __attribute__((always_inline)) void NAME(zip)(T *restrict y, const T *restrict x,
                                                            int64_t rows, int64_t cols)
{
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++)
            y[i * cols + j] = x[j * rows + i];
    }
}

static INLAY_CLONES void NAME(zip_some)(T *y, const T *x, int64_t rows, int64_t cols)
{
    if (cols == 2)
        NAME(zip)(y, x, rows, 2);
    else if (cols == 3)
        NAME(zip)(y, x, rows, 3);
    else
        NAME(zip)(y, x, rows, cols);
}

/* Computes W as its transpose. */
static bool NAME(multiply_turned)(inlay_call *c, struct NAME(work) * w, product *p)
{
    int64_t rows = p->rows, cols = p->cols, n = dims_product(p->batch_dims, p->batch_rank);
    T *y = w->y, *turned = cols == 1 ? y : inlay_call_memory(c, n * rows * cols, sizeof *y);
    const T *a = w->a;

    w->a = w->b;
    w->b = a;
    w->y = turned;
    if (!turned)
        return false;
    turn(p);
    panel_join_batches(p);
    NAME(split)(c, w);
    for (int64_t i = 0; cols > 1 && i < n; i++)
        NAME(zip_some)(y + i * rows * cols, turned + i * rows * cols, rows, cols);
    return NAME(store)(c, 0, y);
}

static bool NAME(multiply)(inlay_call *c, const void *packed)
{
    int64_t u[INLAY_MAX_RANK], v[INLAY_MAX_RANK];
    product p;
    struct NAME(work) w = {.w = {&p, tile_set_best(), packed}};

    w.a = NAME(load_strided)(c, 0, u);
    if (packed)
        load_strides(c->in[1], load_domain(c->in[1]->type), v);
    else
        w.b = NAME(load_strided)(c, 1, v);
    w.y = NAME(place)(c, 0);
    if (!w.a || !(w.b || packed) || !w.y)
        return false;
    product_of_call(c, u, v, &p);
    if (p.cols > 1)
        panel_join_batches(&p);
    if (p.cols == 1 || (!packed && p.cols <= THIN && p.rows >= LONG))
        return NAME(multiply_turned)(c, &w, &p);
    NAME(split)(c, &w);
    return NAME(store)(c, 0, w.y);
}
