/* The operands of MatMul-1, by the steps of its specification. */
#include "interp/kernels/product.h"

/* Steps 1 and 2 of the document are transposition, and a vector as a row (left) or column (right).
 * T's elements lie STRIDES apart. */
static void read_matrix(const inlay_tensor *t, const int64_t *strides, bool transpose, bool left,
                        matrices *m)
{
    int row = t->rank - 2, col = t->rank - 1;

    if (t->rank == 1) {
        m->rows = left ? 1 : t->dims[0];
        m->cols = left ? t->dims[0] : 1;
        m->row_stride = left ? 0 : strides[0];
        m->col_stride = left ? strides[0] : 0;
        return;
    }
    if (transpose) {
        row = t->rank - 1;
        col = t->rank - 2;
    }
    m->rows = t->dims[row];
    m->cols = t->dims[col];
    m->row_stride = strides[row];
    m->col_stride = strides[col];
}

/* Steps 3 and 4: batch dims are aligned at the right and broadcast. */
static void batch_strides(const inlay_tensor *t, const int64_t *strides, product *p, matrices *m)
{
    int own = t->rank > 2 ? t->rank - 2 : 0, lead = p->batch_rank - own;

    for (int i = 0; i < p->batch_rank; i++) {
        int64_t dim = i < lead ? 1 : t->dims[i - lead];

        m->batch[i] = dim == 1 ? 0 : strides[i - lead];
        if (dim != 1)
            p->batch_dims[i] = dim;
    }
}

void product_of_call(const inlay_call *c, const int64_t *a_strides, const int64_t *b_strides,
                     product *p)
{
    const inlay_tensor *a = c->in[0], *b = c->in[1];
    int rank = a->rank > b->rank ? a->rank : b->rank;

    read_matrix(a, a_strides, inlay_node_bool(c->node, "transpose_a"), true, &p->a);
    read_matrix(b, b_strides, inlay_node_bool(c->node, "transpose_b"), false, &p->b);
    p->batch_rank = rank > 2 ? rank - 2 : 0;
    for (int i = 0; i < p->batch_rank; i++)
        p->batch_dims[i] = 1;
    batch_strides(a, a_strides, p, &p->a);
    batch_strides(b, b_strides, p, &p->b);
    p->rows = p->a.rows;
    p->cols = p->b.cols;
    p->depth = p->a.cols;
    p->y_row = p->cols;
    strides_dense(p->batch_rank, p->batch_dims, p->y_batch);
    for (int i = 0; i < p->batch_rank; i++)
        p->y_batch[i] *= p->rows * p->cols;
}
