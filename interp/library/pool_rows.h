/* MaxPool row by row for one element type T: pool.c includes it for f32 and f64. */

/* For each result of a chunk, the largest number so far, and its index in the plane; an index below
 * 0: none yet. */
struct NAME(chunk) {
    T most[CHUNK];
    int32_t found[CHUNK];
};

/* Compares results FROM <= r < TO with one element each: that of result FROM is X, number AT of the
 * plane, and the next one is STEP elements further. */
static INLAY_CLONES void NAME(see)(struct NAME(chunk) * c, int64_t from, int64_t to, const T *x,
                                   int32_t at, int32_t step)
{
    int64_t n = to - from;
    T *most = c->most + from;
    int32_t *found = c->found + from;

    for (int64_t r = 0; r < n; r++) {
        T u = x[r * step];
        bool take = (found[r] < 0) | (u > most[r]) | ((u != u) & (most[r] == most[r]));

        most[r] = take ? u : most[r];
        found[r] = take ? at + (int32_t)r * step : found[r];
    }
}

/* Computes N results from R on of row Q of layer P. X is the plane. */
static void NAME(pool_chunk)(const struct work *m, const T *x, int64_t p, int64_t q, int64_t r,
                             int64_t n, struct NAME(chunk) * c)
{
    const field_axis *a = m->w->axis;

    for (int64_t i = 0; i < n; i++) {
        c->most[i] = -INFINITY;
        c->found[i] = -1;
    }
    for (int64_t k = 0; k < m->w->kernel; k++) {
        const field_place *at = &m->places[k];
        int64_t from = at->from[2] > r ? at->from[2] : r;
        int64_t to = at->to[2] < r + n ? at->to[2] : r + n, first;

        if (from >= to || !reaches(at, 0, p) || !reaches(at, 1, q))
            continue;
        first = (element_at(&a[0], p, at->k[0]) * a[1].large + element_at(&a[1], q, at->k[1])) *
                    a[2].large +
                element_at(&a[2], from, at->k[2]);
        NAME(see)(c, from - r, to - r, x + first, (int32_t)first, (int32_t)a[2].stride);
    }
}

/* Stores the N results of the chunk, in PLANE from position AT on. */
static void NAME(keep_chunk)(const struct work *m, const struct NAME(chunk) * c, int64_t plane,
                             int64_t at, int64_t n)
{
    memcpy((T *)m->y + at, c->most, (size_t)n * sizeof(T));
    for (int64_t i = 0; m->index && i < n; i++) {
        int64_t index = plane * m->w->large + (c->found[i] < 0 ? 0 : c->found[i]);

        m->index[at + i] = index < m->above ? index : index % m->above;
    }
}

/* An item is a row of the result: those of the first plane, then those of the second. */
static void NAME(pool_rows)(void *ctx, int64_t from, int64_t to)
{
    const struct work *m = ctx;
    const field_axis *a = m->w->axis;
    struct NAME(chunk) c;

    for (; from < to; from++) {
        int64_t q = from % a[1].small, layer = from / a[1].small;
        int64_t p = layer % a[0].small, plane = layer / a[0].small;

        for (int64_t r = 0; r < a[2].small; r += CHUNK) {
            int64_t n = a[2].small - r < CHUNK ? a[2].small - r : CHUNK;

            NAME(pool_chunk)(m, (const T *)m->x + plane * m->w->large, p, q, r, n, &c);
            NAME(keep_chunk)(m, &c, plane, from * a[2].small + r, n);
        }
    }
}
