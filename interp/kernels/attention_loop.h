/* Attention for one element type T: attention.c includes it once for each type. */

/* The operands at one position of the leading axes. */
struct NAME(operands) {
    const T *q, *k, *v, *mask;
};

/* The product of a query and a key, of N elements that are Q_STEP and K_STEP apart. */
static FUSED_CLONES T NAME(score)(const T *q, int64_t q_step, const T *k, int64_t k_step, int64_t n)
{
    T sum = 0;

    for (int64_t e = 0; e < n; e++)
        sum = FUSED(q[e * q_step], k[e * k_step], sum);
    return sum + 0; /* of -0 */
}

/* Adds the values of all keys, times their weights, to Y, which is zeros. */
static FUSED_CLONES void NAME(weigh)(const attention *a, const T *weight, const T *v, T *y)
{
    for (int64_t s = 0; s < a->keys; s++) {
        for (int64_t e = 0; e < a->values; e++)
            y[e] = FUSED(weight[s], v[s * a->v.row + e * a->v.col], y[e]);
    }
    for (int64_t e = 0; e < a->values; e++)
        y[e] += 0; /* of -0 */
}

/* Computes query ROW and adds the weighted sum of the values to Y, which is zeros. WEIGHT has one
 * number for each key. */
static void NAME(attend)(const attention *a, int64_t row, const struct NAME(operands) * o,
                         T *weight, T *y)
{
    for (int64_t s = 0; s < a->keys; s++) {
        T sum =
            NAME(score)(o->q + row * a->q.row, a->q.col, o->k + s * a->k.row, a->k.col, a->size);
        T seen = o->mask ? o->mask[row * a->mask.row + s * a->mask.col] : 0;

        if (a->is_boolean)
            seen = seen != 0 ? 0 : -INFINITY;
        weight[s] = a->causal && s > row ? -INFINITY : sum * (T)a->scale + seen;
    }
    NAME(softmax_line)(weight, weight, a->keys, 1);
    NAME(weigh)(a, weight, o->v, y);
}

static bool NAME(run)(inlay_call *c)
{
    int64_t strides[4][INLAY_MAX_RANK];
    struct NAME(operands)
        all = {NAME(load_strided)(c, 0, strides[0]), NAME(load_strided)(c, 1, strides[1]),
               NAME(load_strided)(c, 2, strides[2]), NULL};
    T *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y), *weight;
    attention a;

    if (attention_is_masked(c) && !(all.mask = NAME(load_strided)(c, 3, strides[3])))
        return false;
    if (!all.q || !all.k || !all.v || !y)
        return false;
    attention_of_call(c, strides, &a);
    weight = inlay_call_memory(c, a.keys, sizeof *weight);
    if (!weight)
        return false;
    for (index_iter it = index_begin(a.rank, a.dims); index_valid(&it); index_next(&it)) {
        struct NAME(operands)
            o = {all.q + index_dot(it.rank, it.at, a.q.lead),
                 all.k + index_dot(it.rank, it.at, a.k.lead),
                 all.v + index_dot(it.rank, it.at, a.v.lead),
                 all.mask ? all.mask + index_dot(it.rank, it.at, a.mask.lead) : NULL};

        for (int64_t row = 0; row < a.queries; row++)
            NAME(attend)(&a, row, &o, weight, y + (it.linear * a.queries + row) * a.values);
    }
    return STORE(c, 0, y);
}
