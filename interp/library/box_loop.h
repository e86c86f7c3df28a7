/* LRN for one element type T: box.c includes it for f32 and f64. */

/* An item is a row. */
static INLAY_CLONES void NAME(square)(void *ctx, int64_t from, int64_t to)
{
    const work *w = ctx;
    const T *restrict x = w->x;
    T *restrict squares = w->squares;

    for (int64_t i = from * w->length; i < to * w->length; i++)
        squares[i] = x[i] * x[i];
}

static INLAY_CLONES void NAME(add)(T *restrict sums, const T *restrict x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        sums[i] += x[i];
}

/* Adds to the N sums of a row what the row X has in their regions: of each the first element, then
 * of each the second one. */
static void NAME(add_along)(T *sums, const T *x, int64_t n, int64_t reach)
{
    for (int64_t d = -reach; d <= reach; d++) {
        int64_t from = d < 0 ? -d : 0, to = d > 0 ? n - d : n;

        if (from < to)
            NAME(add)(sums + from, x + from + d, to - from);
    }
}

/* Sets N elements of Y to those of X normalized, whose sums Y has; returns whether one is not finite.
 * BETA is as many times the same number: the compiler would decide about one number outside of the
 * loop, which then had branches and no vectors. */
static INLAY_CLONES bool NAME(divide_some)(const work *w, const T *restrict x, T *restrict y,
                                           const T *restrict beta, int64_t n)
{
    const T bias = (T)w->bias, alpha = (T)w->alpha;
    int odd = 0;

    _Pragma("omp simd reduction(|: odd)") for (int64_t i = 0; i < n; i++)
    {
        odd |= !(y[i] - y[i] == 0);
        y[i] = x[i] / POW(bias + alpha * y[i], beta[i]);
    }
    return odd != 0;
}

static bool NAME(divide)(const work *w, const T *x, T *y)
{
    T beta[AT_ONCE];
    bool odd = false;

    for (int i = 0; i < AT_ONCE; i++)
        beta[i] = (T)w->beta;
    for (int64_t at = 0; at < w->length; at += AT_ONCE) {
        int64_t n = w->length - at < AT_ONCE ? w->length - at : AT_ONCE;

        odd |= NAME(divide_some)(w, x + at, y + at, beta, n);
    }
    return odd;
}

/* An item is a row. */
static void NAME(sum)(void *ctx, int64_t from, int64_t to)
{
    const work *w = ctx;
    const T *squares = w->squares;
    int64_t n = w->length, first[INLAY_MAX_RANK], count[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];

    strides_dense(w->rank, w->dims, strides);
    for (index_iter it = index_from(w->rank, w->dims, from); it.linear < to; index_next(&it)) {
        T *y = (T *)w->y + it.linear * n;
        int64_t corner;

        region_of(w, it.at, first, count);
        corner = index_dot(w->rank, first, strides);
        memset(y, 0, (size_t)n * sizeof *y);
        for (index_iter in = index_begin(w->rank, count); index_valid(&in); index_next(&in)) {
            const T *row = squares + (corner + index_dot(w->rank, in.at, strides)) * n;

            if (w->along)
                NAME(add_along)(y, row, n, w->reach);
            else
                NAME(add)(y, row, n);
        }
        w->odd[it.linear] = NAME(divide)(w, (const T *)w->x + it.linear * n, y);
    }
}
