/* Convolutions for one element type T: included by convolution.c once a domain. */

/* Adds F times one plane of the image, seen through place AT of the field, to Y. */
static INLAY_CLONES void NAME(gather_place)(const field *w, const field_place *at, T f, const T *x,
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
                    v[r] += f * u[r + shift];
            } else {
                for (int64_t r = from[2]; r < to[2]; r++)
                    v[r] += f * u[r * step + shift];
            }
        }
    }
}

/* The transpose: adds F times X to the elements of Y that place AT of the field covers. */
static INLAY_CLONES void NAME(spread_place)(const field *w, const field_place *at, T f, const T *x,
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
                v[r * step + shift] += f * u[r];
        }
    }
}

/* Y starts as zeros. */
static void NAME(convolve)(const convolution *v, const T *x, const T *f, T *y)
{
    const field *w = &v->w;

    for (int64_t n = 0; n < v->batch; n++) {
        for (int64_t g = 0; g < v->groups; g++) {
            for (int64_t o = 0; o < v->out; o++, y += w->small) {
                for (int64_t i = 0; i < v->in; i++) {
                    const T *taps = f + ((g * v->out + o) * v->in + i) * w->kernel;
                    const T *plane = x + ((n * v->groups + g) * v->in + i) * w->large;

                    for (int64_t k = 0; k < w->kernel; k++)
                        NAME(gather_place)(w, &v->places[k], taps[k], plane, y);
                }
            }
        }
    }
}

static void NAME(spread)(const convolution *v, const T *x, const T *f, T *y)
{
    const field *w = &v->w;

    for (int64_t n = 0; n < v->batch; n++) {
        for (int64_t g = 0; g < v->groups; g++) {
            for (int64_t o = 0; o < v->out; o++, y += w->large) {
                for (int64_t i = 0; i < v->in; i++) {
                    const T *taps = f + ((g * v->in + i) * v->out + o) * w->kernel;
                    const T *plane = x + ((n * v->groups + g) * v->in + i) * w->small;

                    for (int64_t k = 0; k < w->kernel; k++)
                        NAME(spread_place)(w, &v->places[k], taps[k], plane, y);
                }
            }
        }
    }
}
