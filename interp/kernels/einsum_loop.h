/* The sums of an Einsum for one element type T: einsum.c includes it once for each type. */

/* The sum of products for one element of the result, where operand I begins at FROM[I]. */
static FUSED_CLONES T NAME(sum)(const einsum *e, const T *const *in, const int64_t *from)
{
    const int last = e->n - 1;
    T sum = 0;

    for (index_iter it = index_begin(e->n_summed, e->sums); index_valid(&it); index_next(&it)) {
        T product = 1;

        for (int i = 0; i < last; i++)
            product *= in[i][from[i] + index_dot(it.rank, it.at, e->operand[i].summed)];
        sum = FUSED(in[last][from[last] + index_dot(it.rank, it.at, e->operand[last].summed)],
                    product, sum);
    }
    return sum + 0; /* of -0 */
}

static bool NAME(run)(inlay_call *c, const einsum *e)
{
    int64_t *from = inlay_call_memory(c, e->n, sizeof *from);
    T *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);
    const T **in = inlay_call_memory(c, e->n, sizeof *in);
    bool ok = from && y && in;

    for (int i = 0; ok && i < e->n; i++)
        ok = (in[i] = (const T *)LOAD(c, i)) != NULL;
    if (!ok)
        return false;
    for (index_iter it = index_begin(c->out[0]->rank, c->out[0]->dims); index_valid(&it);
         index_next(&it)) {
        for (int i = 0; i < e->n; i++)
            from[i] = index_dot(it.rank, it.at, e->operand[i].kept);
        y[it.linear] = NAME(sum)(e, in, from);
    }
    return STORE(c, 0, (const void *)y);
}
