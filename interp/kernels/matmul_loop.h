/* Matrix products for one element type T: matmul.c includes it once for each domain. Each element's
 * sum runs over the depth in order, whatever the order of the outer loops. */

/* Adds X times each of the N elements of U, which are STEP apart, to those of Y. */
static FUSED_CLONES void NAME(add_row)(T x, const T *u, int64_t step, T *y, int64_t n)
{
    if (step == 1) {
        for (int64_t j = 0; j < n; j++)
            y[j] = FUSED(x, u[j], y[j]);
    } else {
        for (int64_t j = 0; j < n; j++)
            y[j] = FUSED(x, u[j * step], y[j]);
    }
}

/* The elements of two operands, and those of the result, which start as zeros. */
struct NAME(multiplication) {
    const product *p;
    const T *a, *b;
    T *y;
};

/* Computes N elements of row I of the batch at IT, from column J on, to Y. */
static void NAME(multiply_row)(const struct NAME(multiplication) * m, const index_iter *it,
                               int64_t i, int64_t j, int64_t n, T *y)
{
    const product *p = m->p;
    const T *u = m->a + index_dot(p->batch_rank, it->at, p->a.batch) + i * p->a.row_stride;
    const T *v = m->b + index_dot(p->batch_rank, it->at, p->b.batch) + j * p->b.col_stride;

    for (int64_t k = 0; k < p->depth; k++)
        NAME(add_row)(u[k * p->a.col_stride], v + k * p->b.row_stride, p->b.col_stride, y, n);
    for (j = 0; j < n; j++)
        y[j] += 0; /* of -0 */
}

/* An item is a piece of a row of the result: first all of the first row, then of the second. */
static void NAME(multiply_pieces)(void *ctx, int64_t from, int64_t to)
{
    const struct NAME(multiplication) *m = ctx;
    const product *p = m->p;
    int64_t pieces = row_pieces(p), row = from / pieces, i = row % p->rows;
    index_iter it = index_from(p->batch_rank, p->batch_dims, row / p->rows);

    while (from < to) {
        int64_t j = from % pieces * CALL_PIECE;
        int64_t n = pieces - from % pieces < to - from ? p->cols - j : (to - from) * CALL_PIECE;

        n = n < p->cols - j ? n : p->cols - j;
        NAME(multiply_row)(m, &it, i, j, n, m->y + row * p->cols + j);
        from += (n + CALL_PIECE - 1) / CALL_PIECE;
        row++;
        if (++i == p->rows) {
            i = 0;
            index_next(&it);
        }
    }
}
