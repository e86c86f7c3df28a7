/* Attention for one element type T: included by attention.c once a type. */

/* Computes query ROW: what it makes of the values goes to Y, which is zeros. WEIGHT has room for
 * one number for each key. */
static void NAME(attend)(const attention *a, int64_t row, const T *q, const T *k, const T *v,
                         const T *mask, T *weight, T *y)
{
    for (int64_t s = 0; s < a->keys; s++) {
        T sum = 0, seen = mask ? mask[s * a->mask_step] : 0;

        for (int64_t e = 0; e < a->size; e++)
            sum += q[e] * k[s * a->size + e];
        if (a->is_boolean)
            seen = seen != 0 ? 0 : -INFINITY;
        weight[s] = a->causal && s > row ? -INFINITY : sum * (T)a->scale + seen;
    }
    NAME(softmax_line)(weight, weight, a->keys, 1);
    for (int64_t s = 0; s < a->keys; s++) {
        for (int64_t e = 0; e < a->values; e++)
            y[e] += weight[s] * v[s * a->values + e];
    }
}

static bool NAME(run)(inlay_call *c, const attention *a)
{
    const T *q = LOAD(c, 0), *k = LOAD(c, 1), *v = LOAD(c, 2),
            *mask = a->masked ? LOAD(c, 3) : NULL;
    T *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);
    T *weight = inlay_call_memory(c, a->keys, sizeof *weight);

    if (!q || !k || !v || !y || !weight || (a->masked && !mask))
        return false;
    for (index_iter it = index_begin(a->rank, a->dims); index_valid(&it); index_next(&it)) {
        int64_t row = it.at[a->rank - 1];

        NAME(attend)
        (a, row, q + index_dot(it.rank, it.at, a->q), k + index_dot(it.rank, it.at, a->k),
         v + index_dot(it.rank, it.at, a->v),
         mask ? mask + index_dot(it.rank, it.at, a->mask) : NULL, weight,
         y + it.linear * a->values);
    }
    return STORE(c, 0, y);
}
