/* Normalizations for one element type T: normalize.c includes it once for each type. */

static T NAME(sum_lanes)(const T *lane)
{
    T sum = 0;

    for (int k = 0; k < LANES; k++)
        sum += lane[k];
    return sum;
}

static INLAY_CLONES T NAME(sum_line)(const T *x, int64_t n)
{
    T lane[LANES] = {0};

    for (int64_t i = 0; i + LANES <= n; i += LANES) {
        _Pragma("omp simd") for (int k = 0; k < LANES; k++) lane[k] += x[i + k];
    }
    for (int64_t i = n / LANES * LANES; i < n; i++)
        lane[i % LANES] += x[i];
    return NAME(sum_lanes)(lane);
}

/* Returns the sum of (X - LESS)^2. */
static INLAY_CLONES T NAME(squares_line)(const T *x, int64_t n, T less)
{
    T lane[LANES] = {0};

    for (int64_t i = 0; i + LANES <= n; i += LANES) {
        _Pragma("omp simd") for (int k = 0; k < LANES; k++)
        {
            T above = x[i + k] - less;

            lane[k] += above * above;
        }
    }
    for (int64_t i = n / LANES * LANES; i < n; i++)
        lane[i % LANES] += (x[i] - less) * (x[i] - less);
    return NAME(sum_lanes)(lane);
}

/* Sets Y, which may be X, to (X - LESS) / BY. */
static INLAY_CLONES void NAME(divide_line)(const T *x, T *y, int64_t n, T less, T by)
{
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] = (x[i] - less) / by;
}

static INLAY_CLONES void NAME(centre_line)(const T *x, T *y, int64_t n, T less)
{
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] = x[i] - less;
}

static T NAME(deviation)(const mvn *p, T variance)
{
    return p->outside ? F(sqrt)(variance) + (T)p->eps : F(sqrt)(variance + (T)p->eps);
}

/* Did squares overflow or lose bits on the way to ROOT? Then the numbers are scaled by a power of
 * two, so that the largest one is near 1, and normalized again. */
static bool NAME(is_doubtful)(T mean, T root)
{
    const double low = sizeof(T) == sizeof(double) ? 0x1p-480 : 0x1p-50;

    return !isfinite(mean) || !isfinite(root) || (double)root < low;
}

#define EACH_OF(where) for (index_iter it = folding_begin(where); index_valid(&it); index_next(&it))
#define OF_X ((double)x[index_dot(it.rank, it.at, where->from)])
#define OF_Y y[index_dot(it.rank, it.at, where->from)]

/* Returns the power of two above all of X: the elements of WHERE, the reduced part of a folding. */
static int NAME(exponent)(const T *x, const folding *where)
{
    double most = 0;
    int exponent = 0;

    EACH_OF(where)
    most = fmax(most, fabs(OF_X));
    if (isfinite(most))
        frexp(most, &exponent);
    return exponent;
}

/* Normalizes X, after scaling, to Y, which may be X. */
typedef void NAME(scaled_fn)(const void *params, const T *x, T *y, const folding *where);

static void NAME(mvn_scaled)(const void *params, const T *x, T *y, const folding *where)
{
    const mvn *p = params;
    int e = NAME(exponent)(x, where);
    double n = (double)where->n_in, mean = 0, variance = 0, root = 1, eps = ldexp(p->eps, -e);

    EACH_OF(where)
    mean += ldexp(OF_X, -e) / n;
    EACH_OF(where)
    variance += (ldexp(OF_X, -e) - mean) * (ldexp(OF_X, -e) - mean) / n;
    if (p->variance)
        root = p->outside ? sqrt(variance) + eps : sqrt(variance + ldexp(eps, -e));
    EACH_OF(where)
    OF_Y = (T)ldexp((ldexp(OF_X, -e) - mean) / root, p->variance ? 0 : e);
}

static T NAME(root_of_line)(const mvn *p, const T *x, int64_t n, T mean)
{
    return p->variance ? NAME(deviation)(p, NAME(squares_line)(x, n, mean) / (T)n) : 1;
}

static const T *NAME(row_of)(const row_block *k, int64_t r)
{
    return (const T *)(const void *)(k->x + r * k->x_pitch);
}

static void NAME(mvn_line)(const mvn *p, const T *x, T *y, int64_t n, T mean, T root)
{
    if (NAME(is_doubtful)(mean, root))
        NAME(mvn_scaled)(p, x, y, &(folding)LINE_OF(n));
    else if (p->variance)
        NAME(divide_line)(x, y, n, mean, root);
    else
        NAME(centre_line)(x, y, n, mean);
}

/* Each step waits for the one before it in its row, but not for those of other rows: as many rows
 * as the nearest cache holds take each step together. */
static void NAME(mvn_rows)(const row_block *k)
{
    enum { MOST = 8 };
    const mvn p = {k->a, k->b == MVN_INSIDE || k->b == MVN_OUTSIDE, k->b == MVN_OUTSIDE};
    int64_t n = k->length, together = n * MOST <= 4096 ? MOST : 1;
    T mean[MOST], root[MOST];

    for (int64_t at = 0, end; at < k->rows; at = end) {
        end = at + together < k->rows ? at + together : k->rows;
        for (int64_t r = at; r < end; r++)
            mean[r - at] = NAME(sum_line)(NAME(row_of)(k, r), n) / (T)n;
        for (int64_t r = at; r < end; r++)
            root[r - at] = NAME(root_of_line)(&p, NAME(row_of)(k, r), n, mean[r - at]);
        for (int64_t r = at; r < end; r++)
            NAME(mvn_line)
        (&p, NAME(row_of)(k, r), (T *)(void *)(k->to + r * k->to_pitch), n, mean[r - at],
         root[r - at]);
    }
}

static void NAME(mvn_lines)(void *ctx, int64_t from, int64_t to)
{
    const mvn_work *w = ctx;
    ptrdiff_t pitch = (ptrdiff_t)w->length * (ptrdiff_t)sizeof(T);

    NAME(mvn_rows)
    (&(row_block){.x = (const char *)w->x + from * pitch,
                  .to = (char *)w->y + from * pitch,
                  .x_pitch = pitch,
                  .to_pitch = pitch,
                  .rows = to - from,
                  .length = w->length,
                  .a = w->p->eps,
                  .b = !w->p->variance ? MVN_NOTHING
                       : w->p->outside ? MVN_OUTSIDE
                                       : MVN_INSIDE});
}

/* Normalizes doubtful parts again by SCALED with its PARAMS: MEAN and ROOT have one number for each
 * element of the result of F. */
static void NAME(mend)(const void *params, NAME(scaled_fn) * scaled, const folding *f, const T *x,
                       T *y, const T *mean, const T *root)
{
    folding kept = *f, where = *f;
    bool any = false;

    for (int64_t o = 0; o < f->n_out && !any; o++)
        any = NAME(is_doubtful)(mean ? mean[o] : 0, root[o]);
    where.n_in = f->group;
    for (int i = 0; i < f->rank; i++)
        (f->strides[i] == 0 ? &kept : &where)->dims[i] = 1;
    for (index_iter it = folding_begin(&kept); any && index_valid(&it); index_next(&it)) {
        int64_t o = folding_at(f, &it), at = index_dot(it.rank, it.at, f->from);

        if (NAME(is_doubtful)(mean ? mean[o] : 0, root[o]))
            scaled(params, x + at, y + at, &where);
    }
}

/* What is done to a row of a fold: N elements of X that belong to one sum or mean, Z (ONE), or each
 * to its own. */
static INLAY_CLONES void NAME(add_row)(const T *restrict x, int64_t n, T *restrict z, bool one)
{
    if (one)
        z[0] += NAME(sum_line)(x, n);
    for (int64_t i = 0; i < n && !one; i++)
        z[i] += x[i];
}

static INLAY_CLONES void NAME(add_squares)(const T *restrict x, int64_t n, T *restrict z, bool one)
{
    if (one)
        z[0] += NAME(squares_line)(x, n, 0);
    for (int64_t i = 0; i < n && !one; i++)
        z[i] += x[i] * x[i];
}

static INLAY_CLONES void NAME(centre_row)(const T *restrict x, T *restrict y, int64_t n,
                                          const T *restrict z, bool one)
{
    T less = z[0];

    for (int64_t i = 0; i < n && one; i++)
        y[i] = x[i] - less;
    for (int64_t i = 0; i < n && !one; i++)
        y[i] = x[i] - z[i];
}

/* X may be Y. */
static INLAY_CLONES void NAME(divide_row)(const T *x, T *y, int64_t n, const T *z, bool one)
{
    T by = z[0];

    if (one) {
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] = x[i] / by;
    } else {
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] = x[i] / z[i];
    }
}

#define EACH_ROW(f) for (index_iter it = folding_rows(f); index_valid(&it); index_next(&it))

/* X and Y are those of the part F of a tensor; sums are one number for each element of the
 * reduction. */
static void NAME(mvn)(const void *params, const folding *f, const void *data, void *first,
                      void *second, void *result)
{
    const mvn *p = params;
    const T *x = data;
    T *mean = first, *root = second, *y = result;
    int64_t n = f->dims[f->rank - 1];
    bool one = f->strides[f->rank - 1] == 0;

    EACH_ROW(f)
    NAME(add_row)(x + it.linear * n, n, mean + folding_at(f, &it), one);
    for (int64_t o = 0; o < f->n_out; o++)
        mean[o] /= (T)f->group;
    EACH_ROW(f)
    {
        int64_t o = folding_at(f, &it), at = it.linear * n;

        NAME(centre_row)(x + at, y + at, n, mean + o, one);
        NAME(add_squares)(y + at, n, root + o, one);
    }
    for (int64_t o = 0; o < f->n_out; o++)
        root[o] = p->variance ? NAME(deviation)(p, root[o] / (T)f->group) : 1;
    EACH_ROW(f)
    {
        if (p->variance)
            NAME(divide_row)
        (y + it.linear * n, y + it.linear * n, n, root + folding_at(f, &it), one);
    }
    NAME(mend)(p, NAME(mvn_scaled), f, x, y, mean, root);
}

static void NAME(l2_scaled)(const void *params, const T *x, T *y, const folding *where)
{
    const l2 *p = params;
    int e = NAME(exponent)(x, where);
    double sum = 0, eps = ldexp(ldexp(p->eps, -e), -e);

    EACH_OF(where)
    sum += ldexp(OF_X, -e) * ldexp(OF_X, -e);
    sum = p->add ? sum + eps : fmax(sum, eps);
    EACH_OF(where)
    OF_Y = (T)(ldexp(OF_X, -e) / sqrt(sum));
}

static void NAME(l2)(const void *params, const folding *f, const void *data, void *first,
                     void *second, void *result)
{
    const l2 *p = params;
    const T *x = data;
    T *sum = first, *y = result, eps = (T)p->eps;
    int64_t n = f->dims[f->rank - 1];
    bool one = f->strides[f->rank - 1] == 0;

    (void)second;
    EACH_ROW(f)
    NAME(add_squares)(x + it.linear * n, n, sum + folding_at(f, &it), one);
    for (int64_t o = 0; o < f->n_out; o++)
        sum[o] = F(sqrt)(p->add ? sum[o] + eps : sum[o] < eps ? eps : sum[o]);
    EACH_ROW(f)
    NAME(divide_row)(x + it.linear * n, y + it.linear * n, n, sum + folding_at(f, &it), one);
    NAME(mend)(p, NAME(l2_scaled), f, x, y, NULL, sum);
}

/* Returns X normalized by the region of LENGTH from CORNER on, whose squares overflow. */
static T NAME(lrn_scaled)(const lrn *p, T x, const T *corner, const int64_t *length,
                          const int64_t *strides)
{
    folding region = {.rank = p->data->rank};
    double sum = 0, root;
    int e;

    memcpy(region.dims, length, (size_t)region.rank * sizeof *length);
    memcpy(region.from, strides, (size_t)region.rank * sizeof *strides);
    e = NAME(exponent)(corner, &region);
    for (index_iter it = folding_begin(&region); index_valid(&it); index_next(&it)) {
        double scaled = ldexp((double)corner[index_dot(it.rank, it.at, strides)], -e);

        sum += scaled * scaled;
    }
    root = NAME(wide_power)(2, e * p->beta);
    sum = ldexp(p->bias, -2 * e) + p->alpha * sum;
    return (T)((double)x / root / NAME(wide_power)(sum, p->beta) / root);
}

/* An item is an element. */
static void NAME(lrn)(void *ctx, int64_t from, int64_t to)
{
    const lrn *p = ctx;
    const inlay_tensor *t = p->data;
    const T *x = p->x;
    T *y = p->y;
    int64_t strides[INLAY_MAX_RANK], at[INLAY_MAX_RANK], length[INLAY_MAX_RANK];

    strides_dense(t->rank, t->dims, strides);
    for (index_iter it = index_from(t->rank, t->dims, from); it.linear < to; index_next(&it)) {
        const T *corner;
        T sum = 0;

        lrn_region(p, it.at, at, length);
        corner = x + index_dot(t->rank, at, strides);
        for (index_iter in = index_begin(t->rank, length); index_valid(&in); index_next(&in)) {
            T e = corner[index_dot(t->rank, in.at, strides)];

            sum += e * e;
        }
        y[it.linear] = x[it.linear] / MATHS(pow)((T)p->bias + (T)p->alpha * sum, (T)p->beta);
        if (!isfinite(sum))
            y[it.linear] = NAME(lrn_scaled)(p, x[it.linear], corner, length, strides);
    }
}

/* An item is a channel of an image. */
static INLAY_CLONES void NAME(batch_norm)(void *ctx, int64_t from, int64_t to)
{
    const batch_norm *b = ctx;
    const T *gamma = b->p[0], *beta = b->p[1], *mean = b->p[2], *variance = b->p[3];
    const T *x = (const T *)b->x + from * b->s.after;
    T *y = (T *)b->y + from * b->s.after;

    for (; from < to; from++) {
        int64_t k = from % b->s.length;
        T root = F(sqrt)(variance[k] + (T)b->eps);

        for (int64_t j = 0; j < b->s.after; j++)
            *y++ = gamma[k] * ((*x++ - mean[k]) / root) + beta[k];
    }
}

/* Sets the N elements of Y to Y by + more. */
static INLAY_CLONES void NAME(scale_line)(T *y, int64_t n, T by, T more)
{
    _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] = by * y[i] + more;
}

/* GroupNormalization: an item is a group of an image. */
static void NAME(groups)(void *ctx, int64_t from, int64_t to)
{
    const group_norm *p = ctx;
    int64_t channels = p->s.length / p->groups, n = channels * p->s.after;
    const T *scale = p->scale, *bias = p->bias, *x = (const T *)p->x + from * n;
    T *y = (T *)p->y + from * n;

    for (int64_t g = from; g < to; g++, x += n, y += n) {
        int64_t first = g % p->groups * channels;
        T mean = NAME(sum_line)(x, n) / (T)n, variance = NAME(squares_line)(x, n, mean) / (T)n;
        T root = F(sqrt)(variance + (T)p->eps);

        if (NAME(is_doubtful)(mean, root))
            NAME(mvn_scaled)(&(mvn){p->eps, true, false}, x, y, &(folding)LINE_OF(n));
        else
            NAME(divide_line)(x, y, n, mean, root);
        for (int64_t k = 0; k < channels; k++)
            NAME(scale_line)(y + k * p->s.after, p->s.after, scale[first + k], bias[first + k]);
    }
}

#undef EACH_OF
#undef EACH_ROW
#undef OF_X
#undef OF_Y
