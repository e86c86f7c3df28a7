/* The product for one element type T: included by matmul.c once a domain. Each element's sum runs
 * over the depth in order, whatever the order of the outer loops. */

/* Adds X times each of the N elements of U, which lie STEP apart, to those of Y. */
static INLAY_CLONES void add_row(T x, const T *u, int64_t step, T *y, int64_t n)
{
    if (step == 1) {
        for (int64_t j = 0; j < n; j++)
            y[j] += x * u[j];
    } else {
        for (int64_t j = 0; j < n; j++)
            y[j] += x * u[j * step];
    }
}

/* Y starts as zeros. */
static void multiply(const product *p, const T *a, const T *b, T *y)
{
    for (index_iter it = index_begin(p->batch_rank, p->batch_dims); index_valid(&it);
         index_next(&it)) {
        const T *u = a + index_dot(p->batch_rank, it.at, p->a.batch);
        const T *v = b + index_dot(p->batch_rank, it.at, p->b.batch);

        for (int64_t i = 0; i < p->rows; i++, y += p->cols) {
            for (int64_t k = 0; k < p->depth; k++) {
                T x = u[i * p->a.row_stride + k * p->a.col_stride];

                add_row(x, v + k * p->b.row_stride, p->b.col_stride, y, p->cols);
            }
        }
    }
}
