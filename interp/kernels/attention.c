/* ScaledDotProductAttention-13: softmax(query key^T scale + mask) value, for each query. */
#include "interp/kernels/attention.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/softmax.h"

#include <math.h>

#define LOOP "interp/kernels/attention_loop.h"
#include "interp/kernels/each_float.h"
#undef LOOP

bool attention_is_masked(const inlay_call *c)
{
    return call_has(c, 3) && !inlay_node_bool(c->node, "causal");
}

/* Reads operand I, which is broadcast to the leading axes of the result. */
static void read_matrices(const inlay_call *c, int i, const int64_t *strides, attention_operand *m)
{
    const inlay_tensor *t = c->in[i];
    int rank = c->out[0]->rank - 2, lead = rank + 2 - t->rank;

    for (int k = 0; k < rank; k++)
        m->lead[k] = k < lead || t->dims[k - lead] == 1 ? 0 : strides[k - lead];
    m->row = strides[t->rank - 2];
    m->col = strides[t->rank - 1];
}

/* The mask is broadcast to queries and keys, too, and may have fewer axes. */
static void read_mask(const inlay_call *c, const int64_t *strides, attention_operand *m)
{
    const inlay_tensor *t = c->in[3];
    int rank = c->out[0]->rank, lead = rank - t->rank;
    int64_t all[INLAY_MAX_RANK];

    for (int k = 0; k < rank; k++)
        all[k] = k < lead || t->dims[k - lead] == 1 ? 0 : strides[k - lead];
    for (int k = 0; k < rank - 2; k++)
        m->lead[k] = all[k];
    m->row = all[rank - 2];
    m->col = all[rank - 1];
}

void attention_of_call(const inlay_call *c, int64_t strides[][INLAY_MAX_RANK], attention *a)
{
    const inlay_tensor *key = c->in[1], *y = c->out[0];

    *a = (attention){.rank = y->rank - 2, .dims = y->dims};
    a->queries = y->dims[y->rank - 2];
    a->values = y->dims[y->rank - 1];
    a->size = key->dims[key->rank - 1];
    a->keys = key->dims[key->rank - 2];
    a->causal = inlay_node_bool(c->node, "causal");
    a->masked = attention_is_masked(c);
    a->is_boolean = a->masked && c->in[3]->type == INLAY_BOOLEAN;
    a->scale = call_has(c, 4) ? inlay_tensor_get_f64(c->in[4], 0) : 1 / sqrt((double)a->size);
    read_matrices(c, 0, strides[0], &a->q);
    read_matrices(c, 1, strides[1], &a->k);
    read_matrices(c, 2, strides[2], &a->v);
    if (a->masked)
        read_mask(c, strides[3], &a->mask);
}

bool eval_scaled_dot_product_attention(inlay_call *c)
{
    return c->in[0]->type == INLAY_F64 ? run_f64(c) : run_f32(c);
}
