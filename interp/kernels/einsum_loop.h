/* The sums of an Einsum for one element type T: einsum.c includes it once for each type. */

/* Returns the sum for one element of the result, to which the elements of A and B from here on
 * belong. */
static FUSED_CLONES T NAME(sum)(const contraction *k, const T *a, const T *b)
{
    T sum = 0;

    for (index_iter it = index_begin(k->n_summed, k->summed); index_valid(&it); index_next(&it)) {
        T x = a[index_dot(it.rank, it.at, k->a.summed)];

        sum = FUSED(x, b ? b[index_dot(it.rank, it.at, k->b.summed)] : 1, sum);
    }
    return sum + 0; /* of -0 */
}

static bool NAME(contract)(inlay_call *c, const contraction *k, const void *a, const void *b,
                           void *y)
{
    const T *u = a, *v = b;
    T *to = y;

    (void)c;
    for (index_iter it = index_begin(k->n_kept, k->kept); index_valid(&it); index_next(&it))
        *to++ = NAME(sum)(k, u + index_dot(it.rank, it.at, k->a.kept),
                          v ? v + index_dot(it.rank, it.at, k->b.kept) : NULL);
    return true;
}
