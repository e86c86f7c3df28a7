/* GridSample-9, ONNX GridSample-20, DeformableConvolution-1 and -8: images that are sampled at
 * positions given as data. Results are computed in f64 and rounded once. */
#include "interp/kernels/sample.h"

#include <math.h>
#include <string.h>

/* GridSample */

/* Returns X mirrored at LOW and HIGH as often as is needed to lie between them. */
static double reflected(double x, double low, double high)
{
    double span = high - low, turns;

    if (span <= 0)
        return low;
    x = fabs(x - low);
    turns = floor(x / span);
    x -= turns * span;
    return fmod(turns, 2) == 0 ? low + x : high - x;
}

/* Returns the place that X on an axis of SIZE elements becomes by the padding. */
static double padded_place(const grid_sampler *s, double x, int64_t size)
{
    double last = (double)size - 1;

    if (s->padding == REFLECTION)
        x = s->corners ? reflected(x, 0, last) : reflected(x, -0.5, last + 0.5);
    if (s->padding != ZEROS)
        x = x > last ? last : x > 0 ? x : 0;
    return x;
}

/* Returns the weight of Keys' cubic interpolation with a = -0.75. */
static double cubic_weight(double x)
{
    const double a = -0.75;

    x = fabs(x);
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/* Finds the elements of an axis of SIZE elements from which the value at X, a number of the grid,
 * is interpolated: their INDEX and WEIGHT. An index of -1 stands for a zero of the padding. */
static void find_taps(const grid_sampler *s, double x, int64_t size, int64_t *index, double *weight)
{
    double first, place;

    x = s->corners ? (x + 1) / 2 * ((double)size - 1) : ((x + 1) * (double)size - 1) / 2;
    if (s->taps != 4)
        x = padded_place(s, x, size);
    if (!(fabs(x) < 1e15)) /* NaN, too, is nowhere */
        x = -100;
    first = s->taps == 1 ? nearbyint(x) : floor(x) - (s->taps == 4);
    for (int k = 0; k < s->taps; k++) {
        double distance = first + k - x;

        place = first + k;
        if (s->taps == 4)
            place = nearbyint(padded_place(s, place, size));
        weight[k] = s->taps == 1 ? 1 : s->taps == 2 ? 1 - fabs(distance) : cubic_weight(distance);
        index[k] = place >= 0 && place < (double)size ? (int64_t)place : -1;
    }
}

/* Makes of each of the N taps of AT one for each of the last axis's, and returns how many there are
 * now: those of weight 0 and of the padding are left out. ROOM has place for a list. */
static int multiply(const grid_sampler *s, region_tap *at, int n, region_tap *room, int64_t size,
                    const int64_t *index, const double *weight)
{
    int found = 0;

    memcpy(room, at, (size_t)n * sizeof *at);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < s->taps; k++) {
            double w = room[i].weight * weight[k];

            if (index[k] >= 0 && w != 0)
                at[found++] = (region_tap){room[i].at * size + index[k], w};
        }
    }
    return found;
}

int sample_place(const grid_sampler *s, const double *grid, region_tap *at)
{
    int64_t index[4];
    double weight[4];
    int n = 1;

    at[0] = (region_tap){0, 1};
    for (int a = 0; a < s->axes; a++) { /* the last axis stands first in the grid */
        find_taps(s, grid[s->axes - 1 - a], s->size[a], index, weight);
        n = multiply(s, at, n, at + s->most, s->size[a], index, weight);
    }
    return n;
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
    grid_sampler s;
    region_tap *at;

    sample_read(c, &s);
    at = inlay_call_memory(c, 2 * s.most, sizeof *at);
    if (!x || !grid || !y || !at)
        return false;
    for (int64_t n = 0; places > 0 && image > 0 && n < batch; n++) {
        for (int64_t i = 0; i < places; i++, grid += s.axes) {
            int taps = sample_place(&s, grid, at);

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
