/* Poolings for one element type T, with sums of type SUM: pool.c includes it once for each domain.
 * An item is an element of the result. */

/* The padding counts as LEAST, so a field without an element of the image gives LEAST. A NaN in the
 * field gives NaN; of equal elements the first is taken. */
static void NAME(max)(void *ctx, int64_t from, int64_t to)
{
    const pooling *m = ctx;
    const field *w = m->w;
    T *y = m->y, least;

    memcpy(&least, &m->least, sizeof least);
    for (index_iter it = places_from(m, from); it.linear < to; index_next(&it)) {
        const T *x = (const T *)m->x + it.at[0] * w->large;
        patch p = patch_at(w, it.at + 1);
        T most = least;
        int64_t found = -1;

        for (int64_t i = p.from[0]; i < p.to[0]; i++) {
            for (int64_t j = p.from[1]; j < p.to[1]; j++) {
                for (int64_t k = p.from[2]; k < p.to[2]; k++) {
                    int64_t at = element_at(w, it.at + 1, i, j, k);

                    if (found < 0 || x[at] > most || (IS_NAN(x[at]) && !IS_NAN(most))) {
                        most = x[at];
                        found = at;
                    }
                }
            }
        }
        y[it.linear] = most;
        if (m->index)
            m->index[it.linear] = found < 0 ? 0 : found;
    }
}

/* Returns the sum over patch P of the field at POSITION, with each element multiplied by SHARE. */
static SUM NAME(sum)(const field *w, const int64_t *position, const patch *p, const T *x, T share)
{
    SUM sum = 0;

    for (int64_t i = p->from[0]; i < p->to[0]; i++) {
        for (int64_t j = p->from[1]; j < p->to[1]; j++) {
            for (int64_t k = p->from[2]; k < p->to[2]; k++)
                sum += (SUM)(x[element_at(w, position, i, j, k)] * share);
        }
    }
    return sum;
}

/* The sum over the field divided by the number of its elements: of those INSIDE the image, or of
 * all, with padding as zeros. A field without elements gives 0. If the sum overflows, the elements
 * are divided before they are added. */
static void NAME(average)(void *ctx, int64_t from, int64_t to)
{
    const pooling *m = ctx;
    const field *w = m->w;
    T *y = m->y;

    for (index_iter it = places_from(m, from); it.linear < to; index_next(&it)) {
        const T *x = (const T *)m->x + it.at[0] * w->large;
        patch p = patch_at(w, it.at + 1);
        int64_t n = m->inside ? patch_count(&p) : padded_count(w, it.at + 1);
        SUM sum = NAME(sum)(w, it.at + 1, &p, x, 1);

        y[it.linear] = n > 0 ? (T)sum / (T)n : 0;
        if (!IS_FINITE(sum))
            y[it.linear] = (T)NAME(sum)(w, it.at + 1, &p, x, 1 / (T)n);
    }
}
