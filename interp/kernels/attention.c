/* ScaledDotProductAttention-13: softmax(query key^T scale + mask) value, for each query. */
#include "interp/call/kernel.h"
#include "interp/kernels/softmax.h"

#include <math.h>

typedef struct attention {
    int rank; /* the axes of the result but the last one: the last of them are the queries */
    const int64_t *dims;
    int64_t size, keys, values; /* elements of a key, how many there are, elements of a value */
    int64_t q[INLAY_MAX_RANK], k[INLAY_MAX_RANK], v[INLAY_MAX_RANK]; /* strides over dims */
    int64_t mask[INLAY_MAX_RANK], mask_step;                         /* the same; from key to key */
    double scale;
    bool causal, masked, is_boolean;
} attention;

#define T float
#define NAME(name) name##_f32
#define LOAD load_f32
#define STORE store_f32
#include "interp/kernels/attention_loop.h"
#undef T
#undef NAME
#undef LOAD
#undef STORE

#define T double
#define NAME(name) name##_f64
#define LOAD load_f64
#define STORE store_f64
#include "interp/kernels/attention_loop.h"
#undef T
#undef NAME
#undef LOAD
#undef STORE

/* STRIDES receives those with which operand I is read over the leading axes of the result and its
 * queries. All queries see the same keys and values. */
static void read_strides(const inlay_call *c, int i, int64_t *strides)
{
    const inlay_tensor *t = c->in[i];
    int64_t dense[INLAY_MAX_RANK];
    int rank = c->out[0]->rank, lead = rank - t->rank;

    strides_dense(t->rank, t->dims, dense);
    for (int k = 0; k < rank - 1; k++)
        strides[k] = k < lead || t->dims[k - lead] == 1 ? 0 : dense[k - lead];
    strides[rank - 2] = i == 0 ? dense[t->rank - 2] : 0;
}

/* The mask is broadcast to the leading axes, queries and keys. */
static void read_mask(const inlay_call *c, attention *a)
{
    const inlay_tensor *y = c->out[0];
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];

    for (int k = 0; k < y->rank; k++)
        dims[k] = k < y->rank - 1 ? y->dims[k] : a->keys;
    strides_broadcast(c->in[3], y->rank, dims, strides);
    for (int k = 0; k < y->rank - 1; k++)
        a->mask[k] = strides[k];
    a->mask_step = strides[y->rank - 1];
    a->is_boolean = c->in[3]->type == INLAY_BOOLEAN;
}

bool eval_scaled_dot_product_attention(inlay_call *c)
{
    const inlay_tensor *key = c->in[1], *value = c->in[2];
    attention a = {.rank = c->out[0]->rank - 1, .dims = c->out[0]->dims};

    a.size = key->dims[key->rank - 1];
    a.keys = key->dims[key->rank - 2];
    a.values = value->dims[value->rank - 1];
    a.causal = inlay_node_bool(c->node, "causal");
    a.masked = call_has(c, 3) && !a.causal;
    a.scale = call_has(c, 4) ? inlay_tensor_get_f64(c->in[4], 0) : 1 / sqrt((double)a.size);
    read_strides(c, 0, a.q);
    read_strides(c, 1, a.k);
    read_strides(c, 2, a.v);
    if (a.masked)
        read_mask(c, &a);
    return c->in[0]->type == INLAY_F64 ? run_f64(c, &a) : run_f32(c, &a);
}
