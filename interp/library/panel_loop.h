/* Panels of matrix products for one element type T: panel.c includes it for f32 and f64. */

/* At any address: elements of a file are not aligned. */
typedef T NAME(quad) __attribute__((vector_size(4 * sizeof(T)), aligned(1), may_alias));

/* Transposes SQUARE columns of B, each of them SQUARE contiguous elements, at distance COL, into
 * rows of TO, which are COLS apart. Pairs are interleaved twice:
 *
 *     a0 a1 a2 a3, c0 c1 c2 c3  ->  a0 c0 a1 c1, a2 c2 a3 c3  and with those of b and d
 *                                   a0 b0 c0 d0, a1 b1 c1 d1, .. */
static void NAME(turn_square)(const T *b, int64_t col, T *to, int64_t cols)
{
    NAME(quad)
    p = *(const NAME(quad) *)b, q = *(const NAME(quad) *)(b + col),
    r = *(const NAME(quad) *)(b + 2 * col), s = *(const NAME(quad) *)(b + 3 * col);
    NAME(quad)
    pr = __builtin_shufflevector(p, r, 0, 4, 1, 5), qs = __builtin_shufflevector(q, s, 0, 4, 1, 5),
    rp = __builtin_shufflevector(p, r, 2, 6, 3, 7), sq = __builtin_shufflevector(q, s, 2, 6, 3, 7);

    *(NAME(quad) *)to = __builtin_shufflevector(pr, qs, 0, 4, 1, 5);
    *(NAME(quad) *)(to + cols) = __builtin_shufflevector(pr, qs, 2, 6, 3, 7);
    *(NAME(quad) *)(to + 2 * cols) = __builtin_shufflevector(rp, sq, 0, 4, 1, 5);
    *(NAME(quad) *)(to + 3 * cols) = __builtin_shufflevector(rp, sq, 2, 6, 3, 7);
}

typedef T NAME(strip) __attribute__((vector_size(16 * sizeof(T)), aligned(1), may_alias));

/* Sets V to the quads of columns J, J + 4, J + 8 and J + 12 of B. */
static inline __attribute__((always_inline)) void NAME(read_strip)(const T *b, int64_t col, int j,
                                                                   NAME(strip) * v)
{
    const T *at = b + j * col;

    *v = __builtin_shufflevector(
        __builtin_shufflevector(*(const NAME(quad) *)at, *(const NAME(quad) *)(at + 4 * col), 0, 1,
                                2, 3, 4, 5, 6, 7),
        __builtin_shufflevector(*(const NAME(quad) *)(at + 8 * col),
                                *(const NAME(quad) *)(at + 12 * col), 0, 1, 2, 3, 4, 5, 6, 7),
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/* Sets ROWS to four squares side by side, transposed. */
static inline __attribute__((always_inline)) void NAME(turn_squares)(const T *b, int64_t col,
                                                                     NAME(strip) * rows)
{
    NAME(strip) p, q, r, s, pr, qs, rp, sq;

    NAME(read_strip)(b, col, 0, &p);
    NAME(read_strip)(b, col, 1, &q);
    NAME(read_strip)(b, col, 2, &r);
    NAME(read_strip)(b, col, 3, &s);
    pr = PAIRS_FIRST(p, r);
    qs = PAIRS_FIRST(q, s);
    rp = PAIRS_LAST(p, r);
    sq = PAIRS_LAST(q, s);
    rows[0] = PAIRS_FIRST(pr, qs);
    rows[1] = PAIRS_LAST(pr, qs);
    rows[2] = PAIRS_FIRST(rp, sq);
    rows[3] = PAIRS_LAST(rp, sq);
}

/* Transposes four squares side by side, for each SQUARE of DEPTH rows: a row of TO is written in
 * one go. */
static INLAY_CLONES void NAME(turn_strip)(const T *b, int64_t col, int64_t depth, T *to,
                                          int64_t cols)
{
    for (int64_t k = 0; k < depth; k += SQUARE, b += SQUARE) {
        NAME(strip) rows[SQUARE];

        NAME(turn_squares)(b, col, rows);
        for (int i = 0; i < SQUARE; i++, to += cols)
            *(NAME(strip) *)to = rows[i];
    }
}

/* Packs column J of B from row K on, element by element. */
static void NAME(pack_column)(const T *b, int64_t row, int64_t col, int64_t k, int64_t depth,
                              int64_t cols, int64_t j, T *to)
{
    for (; k < depth; k++)
        memcpy(&to[k * cols + j], &b[k * row + j * col], sizeof *to);
}

void NAME(panel_move)(const T *b, int64_t row, int64_t col, int64_t depth, int64_t n, int64_t cols,
                      T *to)
{
    int64_t squares = row == 1 ? depth / SQUARE * SQUARE : 0, j = 0;

    if (col == 1) {
        for (int64_t k = 0; k < depth; k++)
            memcpy(to + k * cols, b + k * row, (size_t)n * sizeof *to);
        return;
    }
    for (; j + STRIP <= n && squares > 0; j += STRIP) {
        NAME(turn_strip)(b + j * col, col, squares, to + j, cols);
        for (int i = 0; squares < depth && i < STRIP; i++)
            NAME(pack_column)(b, row, col, squares, depth, cols, j + i, to);
    }
    for (; j + SQUARE <= n && squares > 0; j += SQUARE) {
        for (int64_t k = 0; k < squares; k += SQUARE)
            NAME(turn_square)(b + k + j * col, col, to + k * cols + j, cols);
        for (int i = 0; i < SQUARE; i++)
            NAME(pack_column)(b, row, col, squares, depth, cols, j + i, to);
    }
    for (; j < n; j++)
        NAME(pack_column)(b, row, col, 0, depth, cols, j, to);
}

void NAME(panel_pack)(const T *b, int64_t row, int64_t col, int64_t depth, int64_t n, int64_t cols,
                      T *to)
{
    if (n < cols)
        memset(to, 0, (size_t)(depth * cols) * sizeof *to);
    NAME(panel_move)(b, row, col, depth, n, cols, to);
}

/* Whether the panels of B are read where they are. */
static bool NAME(reads_in_place)(const panels *w)
{
    const product *p = w->p;

    return w->packed || (p->rows < FEW_ROWS && p->b.col_stride == 1);
}

/* Prepares the N columns from J on of DEPTH rows of B, from row K on, for T; packs them in ROOM if
 * necessary. */
static void NAME(find_panel)(const panels *w, const T *b, int64_t k, int64_t j, int64_t n,
                             NAME(tile) * t, T *room)
{
    const product *p = w->p;
    int64_t cols = w->set->NAME(cols);

    t->b = room;
    t->b_row = cols;
    if (w->packed) {
        t->b = (const T *)w->packed + j * p->depth + k * cols;
    } else if (NAME(reads_in_place)(w) && n == cols) {
        t->b = b + k * p->b.row_stride + j;
        t->b_row = p->b.row_stride;
    } else {
        NAME(panel_pack)
        (b + k * p->b.row_stride + j * p->b.col_stride, p->b.row_stride, p->b.col_stride, t->depth,
         n, cols, room);
    }
}

/* Computes the columns from FROM to TO of one row that need no packing. Returns the first of the
 * others. Packed panels are read as several streams, each from beginning to end, which keeps more
 * reads in flight than one; those of a matrix that is not packed are side by side. */
static int64_t NAME(multiply_row)(const panels *w, const T *a, const T *b, int64_t from, int64_t to,
                                  T *y)
{
    const product *p = w->p;
    int64_t cols = w->set->NAME(cols);
    NAME(tile)
    t = {.depth = p->depth,
         .a = a,
         .a_col = p->a.col_stride,
         .b_row = w->packed ? cols : p->b.row_stride};

    while (to - from >= cols && (w->packed || p->b.col_stride == 1)) {
        int64_t all = (to - from) / cols;
        int n = panels_at_once(w->set, all);
        int64_t each = w->packed ? all / n : 1, apart = each * (w->packed ? p->depth : 1) * cols;

        t.c_row = each * cols;
        for (int64_t i = 0; i < each; i++, from += cols) {
            t.b = w->packed ? (const T *)w->packed + from * p->depth : b + from;
            t.c = y + from;
            w->set->NAME(line)(&t, n, apart);
        }
        from += (n - 1) * each * cols;
    }
#ifdef DOTS
    if (!w->packed && p->b.row_stride == 1) {
        t.b = b + from * p->b.col_stride;
        t.b_row = p->b.col_stride;
        t.c = y + from;
        w->set->NAME(dots)(&t, to - from);
        from = to;
    }
#endif
    return from;
}

/* Computes the columns FROM to TO of a few ROWS that need no packing, some panels at a time.
 * Returns the first of the others. */
static int64_t NAME(multiply_few)(const panels *w, const T *a, const T *b, int64_t rows,
                                  int64_t from, int64_t to, T *y)
{
    const product *p = w->p;
    int64_t cols = w->set->NAME(cols), apart = w->packed ? p->depth * cols : cols;
    NAME(tile)
    t = {.depth = p->depth,
         .a = a,
         .a_row = p->a.row_stride,
         .a_col = p->a.col_stride,
         .b_row = w->packed ? cols : p->b.row_stride,
         .c_row = p->y_row ? p->y_row : p->cols};

    for (; to - from >= w->set->few * cols; from += w->set->few * cols) {
        t.b = w->packed ? (const T *)w->packed + from * p->depth : b + from;
        t.c = y + from;
        w->set->NAME(few)(&t, rows, apart);
    }
    return from;
}

void NAME(panel_multiply)(const panels *w, const T *a, const T *b, int64_t rows, int64_t from,
                          int64_t to, T *y)
{
    const product *p = w->p;
    int64_t cols = w->set->NAME(cols), k = 0;
    _Alignas(64) T room[DEPTH * TILE_BYTES / sizeof(T)];

    if (rows == 1)
        from = NAME(multiply_row)(w, a, b, from, to, y);
    else if (rows <= TILE_FEW && NAME(reads_in_place)(w))
        from = NAME(multiply_few)(w, a, b, rows, from, to, y);
    if (from >= to)
        return;
    do {
        NAME(tile)
        t = {.depth = panel_smaller(DEPTH, p->depth - k),
             .a = a + k * p->a.col_stride,
             .a_row = p->a.row_stride,
             .a_col = p->a.col_stride,
             .c_row = p->y_row ? p->y_row : p->cols,
             .adds = k > 0};

        for (int64_t j = from, n; j < to; j += n) {
            n = panel_smaller(cols, to - j);
            t.c = y + j;
            NAME(find_panel)(w, b, k, j, n, &t, room);
            w->set->NAME(fn)(&t, rows, n);
        }
        k += DEPTH;
    } while (k < p->depth);
}
