/* Normalizations for one element type T: included by normalize.c once a type. */

/* Element I of a line goes to lane I % LANES, so that nothing waits for the element before it. At
 * the end the lanes are added, the first one first. */
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

/* Sets Y, which may be X, to what X is above LESS. Returns the sum of the squares. */
static INLAY_CLONES T NAME(centre_line)(const T *x, T *y, int64_t n, T less)
{
    T lane[LANES] = {0};

    for (int64_t i = 0; i + LANES <= n; i += LANES) {
        _Pragma("omp simd") for (int k = 0; k < LANES; k++)
        {
            T above = x[i + k] - less;

            y[i + k] = above;
            lane[k] += above * above;
        }
    }
    for (int64_t i = n / LANES * LANES; i < n; i++) {
        y[i] = x[i] - less;
        lane[i % LANES] += y[i] * y[i];
    }
    return NAME(sum_lanes)(lane);
}

static T NAME(deviation)(const mvn *p, T variance)
{
    return p->outside ? F(sqrt)(variance) + (T)p->eps : F(sqrt)(variance + (T)p->eps);
}

static void NAME(mvn_line)(const mvn *p, const T *x, T *y, int64_t n)
{
    T mean = NAME(sum_line)(x, n) / (T)n;
    T variance = NAME(centre_line)(x, y, n, mean) / (T)n;

    if (p->variance)
        NAME(divide_line)(y, n, NAME(deviation)(p, variance));
}

static void NAME(mvn_lines)(void *ctx, int64_t from, int64_t to)
{
    const mvn_work *w = ctx;

    for (; from < to; from++)
        NAME(mvn_line)
    (w->p, (const T *)w->x + from * w->length, (T *)w->y + from * w->length, w->length);
}

static void NAME(mvn_rows)(const row_block *k)
{
    const mvn p = {k->a, k->b == MVN_INSIDE || k->b == MVN_OUTSIDE, k->b == MVN_OUTSIDE};

    for (int64_t r = 0; r < k->rows; r++)
        NAME(mvn_line)
    (&p, (const T *)(const void *)(k->x + r * k->x_pitch), (T *)(void *)(k->to + r * k->to_pitch),
     k->length);
}

/* X and Y are those of the part F of a tensor; sums are one number for each element of the fold. */
static void NAME(mvn)(const void *params, const folding *f, const void *data, void *first,
                      void *second, void *result)
{
    const mvn *p = params;
    const T *x = data;
    T *mean = first, *variance = second, *y = result;

    for (index_iter it = folding_begin(f); index_valid(&it); index_next(&it))
        mean[folding_at(f, &it)] += x[it.linear];
    for (int64_t o = 0; o < f->n_out; o++)
        mean[o] /= (T)f->group;
    for (index_iter it = folding_begin(f); index_valid(&it); index_next(&it)) {
        int64_t o = folding_at(f, &it);

        y[it.linear] = x[it.linear] - mean[o];
        variance[o] += y[it.linear] * y[it.linear];
    }
    if (!p->variance)
        return;
    for (int64_t o = 0; o < f->n_out; o++)
        variance[o] = NAME(deviation)(p, variance[o] / (T)f->group);
    for (index_iter it = folding_begin(f); index_valid(&it); index_next(&it))
        y[it.linear] /= variance[folding_at(f, &it)];
}

static void NAME(l2)(const void *params, const folding *f, const void *data, void *first,
                     void *second, void *result)
{
    const l2 *p = params;
    const T *x = data;
    T *sum = first, *y = result, eps = (T)p->eps;

    (void)second;
    for (index_iter it = folding_begin(f); index_valid(&it); index_next(&it))
        sum[folding_at(f, &it)] += x[it.linear] * x[it.linear];
    for (int64_t o = 0; o < f->n_out; o++)
        sum[o] = F(sqrt)(p->add ? sum[o] + eps : sum[o] < eps ? eps : sum[o]);
    for (index_iter it = folding_begin(f); index_valid(&it); index_next(&it))
        y[it.linear] = x[it.linear] / sum[folding_at(f, &it)];
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
        y[it.linear] = x[it.linear] / F(pow)((T)p->bias + (T)p->alpha * sum, (T)p->beta);
    }
}

/* An item is a channel of an image. */
static void NAME(batch_norm)(void *ctx, int64_t from, int64_t to)
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

/* GroupNormalization: an item is a group of an image. */
static void NAME(groups)(void *ctx, int64_t from, int64_t to)
{
    const group_norm *p = ctx;
    int64_t channels = p->s.length / p->groups, n = channels * p->s.after;
    const T *scale = p->scale, *bias = p->bias, *x = (const T *)p->x + from * n;
    T *y = (T *)p->y + from * n;

    for (int64_t g = from; g < to; g++, x += n, y += n) {
        int64_t first = g % p->groups * channels;
        T mean = 0, variance = 0;

        for (int64_t i = 0; i < n; i++)
            mean += x[i];
        mean /= (T)n;
        for (int64_t i = 0; i < n; i++)
            variance += (x[i] - mean) * (x[i] - mean);
        variance = F(sqrt)(variance / (T)n + (T)p->eps);
        for (int64_t i = 0; i < n; i++)
            y[i] = scale[first + i / p->s.after] * ((x[i] - mean) / variance) +
                   bias[first + i / p->s.after];
    }
}
