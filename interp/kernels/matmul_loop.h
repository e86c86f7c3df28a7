/* The product for one element type T: included by matmul.c once a domain. Y starts as zeros; each
 * element's sum runs over the depth in order, whatever the order of the outer loops. */
static void multiply(const product *p, const T *a, const T *b, T *y)
{
    for (index_iter it = index_begin(p->batch_rank, p->batch_dims); index_valid(&it);
         index_next(&it)) {
        const T *u = a + index_dot(p->batch_rank, it.at, p->a.batch);
        const T *v = b + index_dot(p->batch_rank, it.at, p->b.batch);

        for (int64_t i = 0; i < p->rows; i++, y += p->cols) {
            for (int64_t k = 0; k < p->depth; k++) {
                T x = u[i * p->a.row_stride + k * p->a.col_stride];
                const T *row = v + k * p->b.row_stride;

                for (int64_t j = 0; j < p->cols; j++)
                    y[j] += x * row[j * p->b.col_stride];
            }
        }
    }
}
