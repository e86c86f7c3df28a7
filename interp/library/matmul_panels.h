/* Products in tiles for one element type T: included by matmul.c for f32 and f64. */

/* Writes N columns of DEPTH rows of B, whose elements lie ROW and COL apart at any address, to TO,
 * where rows have COLS columns. Columns that are not there are zeros. */
static void NAME(pack_panel)(const T *b, int64_t row, int64_t col, int64_t depth, int64_t n,
                             int64_t cols, T *to)
{
    if (n < cols)
        memset(to, 0, (size_t)(depth * cols) * sizeof *to);
    if (col == 1) {
        for (int64_t k = 0; k < depth; k++)
            memcpy(to + k * cols, b + k * row, (size_t)n * sizeof *to);
        return;
    }
    for (int64_t j = 0; j < n; j++) {
        for (int64_t k = 0; k < depth; k++)
            memcpy(&to[k * cols + j], &b[k * row + j * col], sizeof *to);
    }
}

/* A product that is computed. An item is a panel of the columns for a part of the rows. */
struct NAME(work) {
    const product *p;
    const tile_set *set;
    const T *a, *b, *packed;
    T *y;
    int64_t panels, part, parts; /* how many panels; rows of a part, and how many parts */
};

/* Makes the N columns from J on of DEPTH rows of B, from row K on, ready for T; ROOM is where they
 * are packed if they must be. */
static void NAME(find_panel)(const struct NAME(work) * w, const T *b, int64_t k, int64_t j,
                             int64_t n, NAME(tile) * t, T *room)
{
    const product *p = w->p;
    int64_t cols = w->set->NAME(cols);

    t->b = room;
    t->b_row = cols;
    if (w->packed) {
        t->b = w->packed + j * p->depth + k * cols;
    } else if (p->rows < FEW_ROWS && p->b.col_stride == 1 && n == cols) {
        t->b = b + k * p->b.row_stride + j;
        t->b_row = p->b.row_stride;
    } else {
        NAME(pack_panel)
        (b + k * p->b.row_stride + j * p->b.col_stride, p->b.row_stride, p->b.col_stride, t->depth,
         n, cols, room);
    }
}

/* Computes ROWS rows of the panel that begins with column J, A being the first of these rows. */
static void NAME(multiply_panel)(const struct NAME(work) * w, const T *a, const T *b, int64_t rows,
                                 int64_t j, T *y)
{
    const product *p = w->p;
    int64_t n = smaller(w->set->NAME(cols), p->cols - j), k = 0;
    _Alignas(64) T room[DEPTH * TILE_BYTES / sizeof(T)];

    do {
        NAME(tile)
        t = {.depth = smaller(DEPTH, p->depth - k),
             .a = a + k * p->a.col_stride,
             .a_row = p->a.row_stride,
             .a_col = p->a.col_stride,
             .c = y + j,
             .c_row = p->cols,
             .adds = k > 0};

        NAME(find_panel)(w, b, k, j, n, &t, room);
        w->set->NAME(fn)(&t, rows, n);
        k += DEPTH;
    } while (k < p->depth);
}

static void NAME(multiply_items)(void *ctx, int64_t from, int64_t to)
{
    const struct NAME(work) *w = ctx;
    const product *p = w->p;

    for (; from < to; from++) {
        int64_t j = from % w->panels * w->set->NAME(cols), part = from / w->panels;
        int64_t batch = part / w->parts, row = part % w->parts * w->part;
        index_iter it = index_from(p->batch_rank, p->batch_dims, batch);

        NAME(multiply_panel)
        (w, w->a + index_dot(p->batch_rank, it.at, p->a.batch) + row * p->a.row_stride,
         w->b + index_dot(p->batch_rank, it.at, p->b.batch), smaller(w->part, p->rows - row), j,
         w->y + (batch * p->rows + row) * p->cols);
    }
}

static void NAME(split)(inlay_call *c, struct NAME(work) * w)
{
    const product *p = w->p;
    int64_t batches = dims_product(p->batch_dims, p->batch_rank), cols = w->set->NAME(cols);

    w->panels = (p->cols + cols - 1) / cols;
    w->part = smaller(batches * w->panels < MANY_ITEMS ? SOME_ROWS : MANY_ROWS, p->rows);
    w->parts = (p->rows + w->part - 1) / w->part;
    call_split(c, batches * w->parts * w->panels,
               (double)w->part * (double)p->depth * (double)cols / PRODUCTS, NAME(multiply_items),
               w);
}

static bool NAME(multiply)(inlay_call *c, const void *packed)
{
    int64_t u[INLAY_MAX_RANK], v[INLAY_MAX_RANK];
    product p;
    struct NAME(work) w = {.p = &p, .set = tile_set_best(), .packed = packed};

    w.a = NAME(load_strided)(c, 0, u);
    w.b = NAME(load_strided)(c, 1, v);
    w.y = NAME(place)(c, 0);
    if (!w.a || !w.b || !w.y)
        return false;
    product_of_call(c, u, v, &p);
    if (p.cols == 1) {
        const T *a = w.a;

        w.a = w.b;
        w.b = a;
        turn(&p);
    } else {
        join_batches(&p);
    }
    NAME(split)(c, &w);
    return NAME(store)(c, 0, w.y);
}
