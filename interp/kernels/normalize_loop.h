/* Normalizations for one element type T: included by normalize.c once a type. */

static void NAME(mvn)(const mvn *p, const folding *f, const T *x, T *mean, T *variance, T *y)
{
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
    for (int64_t o = 0; o < f->n_out; o++) {
        variance[o] /= (T)f->group;
        variance[o] =
            p->outside ? F(sqrt)(variance[o]) + (T)p->eps : F(sqrt)(variance[o] + (T)p->eps);
    }
    for (index_iter it = folding_begin(f); index_valid(&it); index_next(&it))
        y[it.linear] /= variance[folding_at(f, &it)];
}

static void NAME(l2)(const folding *f, T eps, bool add, const T *x, T *sum, T *y)
{
    for (index_iter it = folding_begin(f); index_valid(&it); index_next(&it))
        sum[folding_at(f, &it)] += x[it.linear] * x[it.linear];
    for (int64_t o = 0; o < f->n_out; o++)
        sum[o] = F(sqrt)(add ? sum[o] + eps : sum[o] < eps ? eps : sum[o]);
    for (index_iter it = folding_begin(f); index_valid(&it); index_next(&it))
        y[it.linear] = x[it.linear] / sum[folding_at(f, &it)];
}

static void NAME(lrn)(const lrn *p, const T *x, T *y)
{
    const inlay_tensor *t = p->data;
    int64_t strides[INLAY_MAX_RANK], from[INLAY_MAX_RANK], length[INLAY_MAX_RANK];

    strides_dense(t->rank, t->dims, strides);
    for (index_iter it = index_begin(t->rank, t->dims); index_valid(&it); index_next(&it)) {
        const T *corner;
        T sum = 0;

        lrn_region(p, it.at, from, length);
        corner = x + index_dot(t->rank, from, strides);
        for (index_iter in = index_begin(t->rank, length); index_valid(&in); index_next(&in)) {
            T e = corner[index_dot(t->rank, in.at, strides)];

            sum += e * e;
        }
        y[it.linear] = x[it.linear] / F(pow)((T)p->bias + (T)p->alpha * sum, (T)p->beta);
    }
}

/* P: gamma, beta, mean, variance, one number a channel each. */
static void NAME(batch_norm)(axis_split s, T eps, const T *const *p, const T *x, T *y)
{
    for (int64_t i = 0; i < s.before; i++) {
        for (int64_t k = 0; k < s.length; k++) {
            T root = F(sqrt)(p[3][k] + eps);

            for (int64_t j = 0; j < s.after; j++)
                *y++ = p[0][k] * ((*x++ - p[2][k]) / root) + p[1][k];
        }
    }
}

/* GroupNormalization of data [batch, channel, after]: SCALE and BIAS are one number a channel. */
static void NAME(groups)(axis_split s, int64_t groups, T eps, const T *scale, const T *bias,
                         const T *x, T *y)
{
    int64_t channels = s.length / groups, n = channels * s.after;

    for (int64_t g = 0; n > 0 && g < s.before * groups; g++, x += n, y += n) {
        int64_t first = g % groups * channels;
        T mean = 0, variance = 0;

        for (int64_t i = 0; i < n; i++)
            mean += x[i];
        mean /= (T)n;
        for (int64_t i = 0; i < n; i++)
            variance += (x[i] - mean) * (x[i] - mean);
        variance = F(sqrt)(variance / (T)n + eps);
        for (int64_t i = 0; i < n; i++)
            y[i] =
                scale[first + i / s.after] * ((x[i] - mean) / variance) + bias[first + i / s.after];
    }
}
