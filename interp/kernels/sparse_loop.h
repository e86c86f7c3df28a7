/* Sums of rows of a table for one element type T: sparse.c includes it once for each domain. */

/* Adds the rows of each bag to Y, which is zeros, and fills empty bags. */
static FUSED_CLONES void NAME(fill_bags)(const bags *b, const T *table, const T *weights, T *y)
{
    for (int64_t i = 0; i < b->n; i++) {
        const T *row = table + b->rows[i] * b->depth;
        T *sum = y + b->bag[i] * b->depth;

        for (int64_t k = 0; b->bag[i] >= 0 && k < b->depth; k++)
            sum[k] = weights ? FUSED(row[k], weights[i], sum[k]) : sum[k] + row[k];
    }
    for (int64_t i = 0; i < b->count; i++) {
        T *sum = y + i * b->depth;

        if (b->size[i] == 0 && b->empty >= 0)
            memcpy(sum, table + b->empty * b->depth, (size_t)b->depth * sizeof *sum);
        for (int64_t k = 0; weights && b->size[i] > 0 && k < b->depth; k++)
            sum[k] += 0; /* of -0 */
        for (int64_t k = 0; b->mean && b->size[i] > 1 && k < b->depth; k++)
            sum[k] = NAME(divided)(b, sum[k], b->size[i]);
    }
}

static bool NAME(run_bags)(inlay_call *c, const bags *b)
{
    const T *table = (const T *)LOAD(c, 0);
    const T *weights = b->weights < 0 ? NULL : (const T *)LOAD(c, b->weights);
    T *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);

    if (!table || !y || (b->weights >= 0 && !weights))
        return false;
    NAME(fill_bags)(b, table, weights, y);
    return STORE(c, 0, (const void *)y);
}
