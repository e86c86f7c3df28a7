/* GridSample-9, ONNX GridSample-20, DeformableConvolution-1 and -8: images that are sampled at
 * positions given as data. Results are computed in f64 and rounded once. */
#include "interp/kernels/sample.h"
#include "interp/kernels/clones.h"

#include <math.h>
#include <string.h>

/* GridSample */

/* Returns X mirrored at LOW and HIGH as often as is needed to lie between them. */
static inline double reflected(double x, double low, double high)
{
    double span = high - low, turns;

    if (span <= 0)
        return low;
    x = fabs(x - low);
    turns = floor(x / span);
    x -= turns * span;
    return turns - 2 * floor(turns / 2) == 0 ? low + x : high - x;
}

/* Returns the place that X on an axis of SIZE elements becomes by the padding. */
static inline double padded_place(const grid_sampler *s, double x, double size)
{
    double last = size - 1;

    if (s->padding == REFLECTION)
        x = s->corners ? reflected(x, 0, last) : reflected(x, -0.5, last + 0.5);
    if (s->padding != ZEROS)
        x = x > last ? last : x > 0 ? x : 0;
    return x;
}

/* Returns the weight of Keys' cubic interpolation with a = -0.75. */
static inline double cubic_weight(double x)
{
    const double a = -0.75;

    x = fabs(x);
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/* Sets X to the places on an axis of SIZE elements that N numbers of the grid name; those that are
 * nowhere, NaN among them, are far outside. */
static INLAY_CLONES void find_places(const grid_sampler *s, const double *grid, int64_t n,
                                     double size, double *x)
{
    const grid_sampler by = *s;

    for (int64_t i = 0; i < n; i++) {
        double g = grid[i * by.axes];

        x[i] = by.corners ? (g + 1) / 2 * (size - 1) : ((g + 1) * size - 1) / 2;
        x[i] = by.taps != 4 ? padded_place(&by, x[i], size) : x[i];
        x[i] = fabs(x[i]) < 1e15 ? x[i] : -100;
    }
}

/* Sets tap K of the places X: the index and the weight of each. */
static INLAY_CLONES void find_tap(const grid_sampler *s, const double *x, int64_t n, double size,
                                  int k, double *index, double *weight)
{
    const grid_sampler by = *s;

    for (int64_t i = 0; i < n && by.taps == 2; i++) {
        double place = floor(x[i]) + k;

        weight[i] = 1 - fabs(place - x[i]);
        index[i] = ((place >= 0) & (place < size)) ? place : -1;
    }
    for (int64_t i = 0; i < n && by.taps != 2; i++) {
        double first = by.taps == 1 ? nearbyint(x[i]) : floor(x[i]) - (by.taps == 4);
        double place = first + k, distance = place - x[i];

        if (by.taps == 4)
            place = nearbyint(padded_place(&by, place, size));
        weight[i] = by.taps == 1 ? 1 : by.taps == 2 ? 1 - fabs(distance) : cubic_weight(distance);
        index[i] = ((place >= 0) & (place < size)) ? place : -1;
    }
}

void sample_places(const grid_sampler *s, const double *grid, int64_t n, double *index,
                   double *weight)
{
    double x[SAMPLE_PLACES];

    for (int a = 0; a < s->axes; a++) { /* the last axis stands first in the grid */
        find_places(s, grid + s->axes - 1 - a, n, (double)s->size[a], x);
        for (int k = 0; k < s->taps; k++, index += n, weight += n)
            find_tap(s, x, n, (double)s->size[a], k, index, weight);
    }
}

int sample_taps(const grid_sampler *s, const double *index, const double *weight, int64_t n,
                int64_t i, region_tap *at)
{
    region_tap *list[] = {at, at + s->most};
    int side = s->axes % 2, found = 1;

    list[side][0] = (region_tap){0, 1};
    for (int a = 0; a < s->axes; a++, side = !side) {
        const region_tap *before = list[side], *end = before + found;
        region_tap *to = list[!side];

        for (found = 0; before < end; before++) {
            for (int k = 0; k < s->taps; k++) {
                int64_t tap = (a * s->taps + k) * n + i;
                double w = before->weight * weight[tap];

                if (index[tap] >= 0 && w != 0)
                    to[found++] = (region_tap){before->at * s->size[a] + (int64_t)index[tap], w};
            }
        }
    }
    return found;
}

void sample_read(const inlay_call *c, grid_sampler *s)
{
    const char *mode = inlay_node_string(c->node, "mode");
    const char *outside = inlay_node_string(c->node, "padding_mode");

    s->axes = c->in[0]->rank - 2;
    s->most = 1;
    s->size = c->in[0]->dims + 2;
    s->taps = strcmp(mode, "nearest") == 0 ? 1 : strstr(mode, "cubic") ? 4 : 2;
    for (int i = 0; i < s->axes; i++)
        s->most *= s->taps;
    s->corners = inlay_node_bool(c->node, "align_corners");
    s->padding = strcmp(outside, "zeros") == 0    ? ZEROS
                 : strcmp(outside, "border") == 0 ? BORDER
                                                  : REFLECTION;
}

bool eval_grid_sample(inlay_call *c)
{
    const inlay_tensor *in = c->in[0], *out = c->out[0];
    const double *x = load_f64(c, 0), *grid = load_f64(c, 1);
    int64_t count = inlay_tensor_count(out), batch = out->dims[0], channels = out->dims[1];
    int64_t image = inlay_tensor_count(in) > 0 ? dims_product(in->dims + 2, in->rank - 2) : 0;
    int64_t places = count > 0 ? count / batch / channels : 0;
    double *y = inlay_call_memory(c, count, sizeof *y);
    double index[4 * INLAY_MAX_RANK], weight[4 * INLAY_MAX_RANK];
    grid_sampler s;
    region_tap *at;

    sample_read(c, &s);
    at = inlay_call_memory(c, 2 * s.most, sizeof *at);
    if (!x || !grid || !y || !at)
        return false;
    for (int64_t n = 0; places > 0 && image > 0 && n < batch; n++) {
        for (int64_t i = 0; i < places; i++, grid += s.axes) {
            int taps;

            sample_places(&s, grid, 1, index, weight);
            taps = sample_taps(&s, index, weight, 1, 0, at);
            for (int64_t k = 0; k < channels; k++) {
                const double *plane = x + (n * channels + k) * image;

                for (int t = 0; t < taps; t++)
                    y[(n * channels + k) * places + i] += at[t].weight * plane[at[t].at];
            }
        }
    }
    return store_f64(c, 0, y);
}

/* DeformableConvolution */

bool deformable_read(inlay_call *c, deformable *d)
{
    const inlay_attr *pads = inlay_node_attr(c->node, "bilinear_interpolation_pad");

    *d = (deformable){.group = inlay_node_int(c->node, "group"),
                      .parts = inlay_node_int(c->node, "deformable_group"),
                      .channels = c->in[0]->dims[1],
                      .pads = pads && pads->as.b};
    if (c->out[0]->dims[1] % d->group != 0 || d->channels % d->parts != 0)
        return inlay_call_fail(c,
                               "%lld filters and %lld channel%s are no multiples of %lld groups "
                               "and %lld deformable groups",
                               (long long)c->out[0]->dims[1], (long long)d->channels,
                               inlay_plural(d->channels, "", "s"), (long long)d->group,
                               (long long)d->parts);
    field_of_node(c, 2, c->in[0]->dims + 2, c->out[0]->dims + 2, c->in[2]->dims + 2, &d->w);
    d->offsets = load_f64(c, 1);
    d->mask = call_has(c, 3) ? load_f64(c, 3) : NULL;
    return d->offsets && (d->mask || !call_has(c, 3));
}

/* Adds the element at (Y, X) to the taps, if there is one. */
static void add_tap(const deformable *d, int64_t y, int64_t x, double weight, deformed *s)
{
    int64_t height = d->w.axis[1].large, width = d->w.axis[2].large;

    if (y >= 0 && y < height && x >= 0 && x < width)
        s->at[s->n++] = (region_tap){y * width + x, weight};
}

/* Finds the elements around (Y, X): none, if it is one element or more outside of the image. */
static void find_deformed(const deformable *d, double y, double x, deformed *s)
{
    int64_t height = d->w.axis[1].large, width = d->w.axis[2].large, top, left;

    if (!(y > -1 && y < (double)height && x > -1 && x < (double)width))
        return;
    if (!d->pads) {
        y = fmin(fmax(y, 0), (double)(height - 1));
        x = fmin(fmax(x, 0), (double)(width - 1));
    }
    top = (int64_t)y - (y < 0 && y > -1 ? 1 : 0);
    left = (int64_t)x - (x < 0 && x > -1 ? 1 : 0);
    y -= (double)top;
    x -= (double)left;
    add_tap(d, top, left, (1 - y) * (1 - x), s);
    add_tap(d, top, left + 1, (1 - y) * x, s);
    add_tap(d, top + 1, left, y * (1 - x), s);
    add_tap(d, top + 1, left + 1, y * x, s);
}

void deformable_sample(const deformable *d, int64_t n, int64_t part, int64_t t, int64_t p,
                       int64_t q, deformed *s)
{
    const field_axis *v = &d->w.axis[1], *u = &d->w.axis[2];
    int64_t row = (n * d->parts + part) * d->w.kernel + t, at = p * u->small + q;
    const double *offset = d->offsets + 2 * row * d->w.small + at;
    double y = (double)(p * v->stride - v->pad + t / u->kernel * v->dilation);
    double x = (double)(q * u->stride - u->pad + t % u->kernel * u->dilation);

    s->n = 0;
    s->mask = d->mask ? d->mask[row * d->w.small + at] : 1;
    find_deformed(d, y + offset[0], x + offset[d->w.small], s);
}

/* Returns channel K of image N at a sample. */
static double value_of(const deformable *d, const deformed *s, const double *x, int64_t n,
                       int64_t k)
{
    const double *plane = x + (n * d->channels + k) * d->w.large;
    double sum = 0;

    for (int i = 0; i < s->n; i++)
        sum += s->at[i].weight * plane[s->at[i].at];
    return sum * s->mask;
}

/* Sets Y to the sum for filter O at place AT of image N: of floats, if SINGLE. */
static double convolve_deformed(const deformable *d, const double *x, const double *filter,
                                int64_t n, int64_t first, int64_t each, int64_t at, bool single)
{
    double y = 0;

    for (int64_t k = 0; k < each; k++) {
        for (int64_t t = 0; t < d->w.kernel; t++) {
            deformed s;
            double value, f = filter[k * d->w.kernel + t];

            deformable_sample(d, n, (first + k) / (d->channels / d->parts), t,
                              at / d->w.axis[2].small, at % d->w.axis[2].small, &s);
            value = value_of(d, &s, x, n, first + k);
            y = single ? (double)fmaf((float)f, (float)value, (float)y) : fma(f, value, y);
        }
    }
    return y + 0; /* of -0 */
}

bool eval_deformable_convolution(inlay_call *c)
{
    const inlay_tensor *out = c->out[0];
    const double *x = load_f64(c, 0), *filters = load_f64(c, 2);
    double *y = inlay_call_memory(c, inlay_tensor_count(out), sizeof *y), *to = y;
    int64_t each = c->in[2]->dims[1];
    bool single = load_domain(out->type) == DOMAIN_F32;
    deformable d;

    if (!x || !filters || !y || !deformable_read(c, &d))
        return false;
    for (int64_t n = 0; n < out->dims[0]; n++) {
        for (int64_t o = 0; o < out->dims[1]; o++) {
            int64_t first = o / (out->dims[1] / d.group) * each;

            for (int64_t at = 0; at < d.w.small; at++)
                *to++ = convolve_deformed(&d, x, filters + o * each * d.w.kernel, n, first, each,
                                          at, single);
        }
    }
    return store_f64(c, 0, y);
}
