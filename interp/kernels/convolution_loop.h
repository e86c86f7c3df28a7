/* Convolutions for one element type T: convolution.c includes it once for each domain. */

/* Adds F times the elements of an image plane at place AT of the sliding window to Y. */
static FUSED_CLONES void NAME(gather_place)(const field *w, const field_place *at, T f, const T *x,
                                            T *y)
{
    const field_axis *a = w->axis, *last = &a[2];
    const int64_t *k = at->k, *from = at->from, *to = at->to;
    int64_t step = last->stride, shift = k[2] * last->dilation - last->pad;

    for (int64_t p = from[0]; p < to[0]; p++) {
        int64_t z = p * a[0].stride - a[0].pad + k[0] * a[0].dilation;

        for (int64_t q = from[1]; q < to[1]; q++) {
            int64_t row = q * a[1].stride - a[1].pad + k[1] * a[1].dilation;
            const T *u = x + (z * a[1].large + row) * last->large;
            T *v = y + (p * a[1].small + q) * last->small;

            if (step == 1) {
                for (int64_t r = from[2]; r < to[2]; r++)
                    v[r] = FUSED(f, u[r + shift], v[r]);
            } else {
                for (int64_t r = from[2]; r < to[2]; r++)
                    v[r] = FUSED(f, u[r * step + shift], v[r]);
            }
        }
    }
}

/* The transpose: adds F times X to the elements of Y at place AT of the sliding window. */
static FUSED_CLONES void NAME(spread_place)(const field *w, const field_place *at, T f, const T *x,
                                            T *y)
{
    const field_axis *a = w->axis, *last = &a[2];
    const int64_t *k = at->k, *from = at->from, *to = at->to;
    int64_t step = last->stride, shift = k[2] * last->dilation - last->pad;

    for (int64_t p = from[0]; p < to[0]; p++) {
        int64_t z = p * a[0].stride - a[0].pad + k[0] * a[0].dilation;

        for (int64_t q = from[1]; q < to[1]; q++) {
            int64_t row = q * a[1].stride - a[1].pad + k[1] * a[1].dilation;
            const T *u = x + (p * a[1].small + q) * last->small;
            T *v = y + (z * a[1].large + row) * last->large;

            for (int64_t r = from[2]; r < to[2]; r++)
                v[r * step + shift] = FUSED(f, u[r], v[r * step + shift]);
        }
    }
}

/* Makes 0 of -0 in a plane of N elements: a sum of products is never -0. */
static void NAME(end_sums)(T *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += 0;
}

/* Data, filters, and the result, which starts as zeros. */
struct NAME(images) {
    const convolution *v;
    const T *x, *f;
    T *y;
};

/* An item is a plane of the result: batches, then groups, then channels. */
static void NAME(convolve)(void *ctx, int64_t from, int64_t to)
{
    const struct NAME(images) *m = ctx;
    const convolution *v = m->v;
    const field *w = &v->w;

    for (; from < to; from++) {
        int64_t filter = from % (v->groups * v->out); /* of all groups */
        const T *taps = m->f + filter * v->in * w->kernel;
        const T *plane = m->x + from / v->out * v->in * w->large;

        for (int64_t i = 0; i < v->in; i++, plane += w->large) {
            for (int64_t k = 0; k < w->kernel; k++)
                NAME(gather_place)(w, &v->places[k], *taps++, plane, m->y + from * w->small);
        }
        NAME(end_sums)(m->y + from * w->small, w->small);
    }
}

static void NAME(spread)(void *ctx, int64_t from, int64_t to)
{
    const struct NAME(images) *m = ctx;
    const convolution *v = m->v;
    const field *w = &v->w;

    for (; from < to; from++) {
        int64_t g = from / v->out % v->groups, o = from % v->out;
        const T *plane = m->x + from / v->out * v->in * w->small;

        for (int64_t i = 0; i < v->in; i++, plane += w->small) {
            const T *taps = m->f + ((g * v->in + i) * v->out + o) * w->kernel;

            for (int64_t k = 0; k < w->kernel; k++)
                NAME(spread_place)(w, &v->places[k], taps[k], plane, m->y + from * w->large);
        }
        NAME(end_sums)(m->y + from * w->large, w->large);
    }
}
