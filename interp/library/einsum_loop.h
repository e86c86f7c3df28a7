/* Sums of an Einsum side by side for one element type T: einsum.c includes it for each domain. */

/* Lanes of two factors: a vector of elements, or one element for all (lane false). */
struct NAME(vectors) {
    const T *a, *b;
    int64_t a_step, b_step; /* from one product to the next */
    bool a_lane, b_lane;
};

/* Adds DEPTH products to each of N sums. */
static FUSED_CLONES void NAME(add_products)(const struct NAME(vectors) * v, int64_t depth,
                                            int64_t n, T *restrict sum)
{
    for (int64_t k = 0; k < depth; k++) {
        const T *a = v->a + k * v->a_step, *b = v->b + k * v->b_step;
        const T *x = v->a_lane ? a : b, one = v->a_lane ? *b : *a;

        if (v->a_lane && v->b_lane) {
            for (int64_t i = 0; i < n; i++)
                sum[i] = FUSED(a[i], b[i], sum[i]);
        } else {
            for (int64_t i = 0; i < n; i++)
                sum[i] = FUSED(x[i], one, sum[i]);
        }
    }
}

/* Adds DEPTH products of A and B, whose lanes and depth are those of W, to each of N sums. */
static void NAME(add_lanes)(const struct lanes *w, const T *a, const T *b, int64_t depth, int64_t n,
                            T *sum)
{
    int64_t u = w->lane.a, v = w->lane.b;
    bool copies_a = u != 0 && u != 1, copies_b = (v != 0 && v != 1) || (u == 0 && v == 0);
    struct NAME(vectors) k = {a, b, w->depth.a, w->depth.b, u != 0, v != 0 || copies_b};
    _Alignas(64) T room_a[SOME_DEPTH * LANES], room_b[SOME_DEPTH * LANES];

    if (!copies_a && !copies_b) {
        NAME(add_products)(&k, depth, n, sum);
        return;
    }
    for (int64_t d = 0, some; d < depth; d += some) {
        some = panel_smaller(SOME_DEPTH, depth - d);
        k.a = a + d * w->depth.a;
        k.b = b + d * w->depth.b;
        if (copies_a) {
            gather(k.a, sizeof(T), w->depth.a, u, some, n, room_a);
            k.a = room_a;
            k.a_step = LANES;
        }
        if (copies_b) {
            gather(k.b, sizeof(T), w->depth.b, v, some, n, room_b);
            k.b = room_b;
            k.b_step = LANES;
        }
        NAME(add_products)(&k, some, n, sum);
    }
}

/* Computes N sums, to which the elements of A and B from here on belong, to Y. */
static void NAME(add_chunk)(const struct lanes *w, const T *a, const T *b, int64_t n, T *y)
{
    const struct labels *summed = &w->s->summed;
    index_iter it;
    T sum[LANES];

    memset(sum, 0, (size_t)n * sizeof *sum);
    for (index_start(&it, summed->n > 0 ? summed->n - 1 : 0, w->depths); index_valid(&it);
         index_next(&it)) {
        struct label at = place_of(summed, &it);

        NAME(add_lanes)(w, a + at.a, b + at.b, w->depth.n, n, sum);
    }
    for (int64_t i = 0; i < n; i++)
        y[i * w->lane.y] = sum[i] + 0; /* of -0 */
}

/* An item is a chunk of the lanes of one of the others. */
static void NAME(add_items)(void *ctx, int64_t from, int64_t to)
{
    const struct lanes *w = ctx;
    index_iter it = index_from(w->others.n, w->sizes, from / w->chunks);
    int64_t first = from % w->chunks * LANES;
    const T one = 1;

    for (; from < to; from++) {
        struct label at = place_of(&w->others, &it);
        const T *a = (const T *)w->s->a + at.a + first * w->lane.a;
        const T *b = w->s->b ? (const T *)w->s->b + at.b + first * w->lane.b : &one;

        NAME(add_chunk)
        (w, a, b, panel_smaller(LANES, w->lane.n - first), (T *)w->s->y + at.y + first * w->lane.y);
        first += LANES;
        if (first >= w->lane.n) {
            first = 0;
            index_next(&it);
        }
    }
}
