/* GridSample-9, ONNX GridSample-20, DeformableConvolution-1 and -8: images that are sampled at
 * positions given as data. Results are computed in f64 and rounded once. */
#include "interp/kernels/field.h"

#include <math.h>
#include <string.h>

/* GridSample */

typedef enum padding { ZEROS, BORDER, REFLECTION } padding;

typedef struct sampler {
    int axes, taps; /* on each axis; 1: nearest, 2: linear, 4: cubic */
    const int64_t *size;
    bool corners;
    padding padding;
} sampler;

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
static double padded_place(const sampler *s, double x, int64_t size)
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
static void find_taps(const sampler *s, double x, int64_t size, int64_t *index, double *weight)
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

enum { MOST_TAPS = 4 };

/* The taps of a place, on all axes. */
typedef struct place {
    int64_t index[INLAY_MAX_RANK][MOST_TAPS];
    double weight[INLAY_MAX_RANK][MOST_TAPS];
} place;

/* Returns one element of a plane: the sum over all combinations of taps. */
static double sample_plane(const sampler *s, const place *p, const double *plane)
{
    int64_t taps[INLAY_MAX_RANK];
    double sum = 0;

    for (int i = 0; i < s->axes; i++)
        taps[i] = s->taps;
    for (index_iter it = index_begin(s->axes, taps); index_valid(&it); index_next(&it)) {
        double w = 1;
        int64_t at = 0;

        for (int i = 0; i < s->axes && at >= 0; i++) {
            int64_t x = p->index[i][it.at[i]];

            w *= p->weight[i][it.at[i]];
            at = x < 0 ? -1 : at * s->size[i] + x;
        }
        if (at >= 0 && w != 0)
            sum += w * plane[at];
    }
    return sum;
}

static void read_sampler(const inlay_call *c, sampler *s)
{
    const char *mode = inlay_node_string(c->node, "mode");
    const char *outside = inlay_node_string(c->node, "padding_mode");

    s->axes = c->in[0]->rank - 2;
    s->size = c->in[0]->dims + 2;
    s->taps = strcmp(mode, "nearest") == 0 ? 1 : strstr(mode, "cubic") ? 4 : 2;
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
    sampler s;
    place *p = inlay_call_memory(c, 1, sizeof *p);

    if (!x || !grid || !y || !p)
        return false;
    read_sampler(c, &s);
    for (int64_t n = 0; places > 0 && n < batch; n++) {
        for (int64_t i = 0; i < places; i++, grid += s.axes) {
            for (int a = 0; a < s.axes; a++) /* the last axis stands first in the grid */
                find_taps(&s, grid[s.axes - 1 - a], s.size[a], p->index[a], p->weight[a]);
            for (int64_t k = 0; image > 0 && k < channels; k++)
                y[(n * channels + k) * places + i] =
                    sample_plane(&s, p, x + (n * channels + k) * image);
        }
    }
    return store_f64(c, 0, y);
}

/* DeformableConvolution */

typedef struct deformable {
    field w;
    int64_t group, deformable, channels, places; /* of the data; of the result's plane */
    bool pads; /* between the image and its padding there is interpolation, too */
    const double *x, *offsets, *filters, *mask;
} deformable;

static double pixel(const double *plane, int64_t height, int64_t width, int64_t y, int64_t x)
{
    return y >= 0 && y < height && x >= 0 && x < width ? plane[y * width + x] : 0;
}

/* Interpolates the image at (Y, X). The result is 0 where the place is one element or more outside
 * of the image. */
static double deformed(const deformable *d, const double *plane, double y, double x)
{
    int64_t height = d->w.axis[1].large, width = d->w.axis[2].large, top, left;
    double dy, dx;

    if (!(y > -1 && y < (double)height && x > -1 && x < (double)width))
        return 0;
    if (!d->pads) {
        y = fmin(fmax(y, 0), (double)(height - 1));
        x = fmin(fmax(x, 0), (double)(width - 1));
    }
    top = (int64_t)floor(y);
    left = (int64_t)floor(x);
    dy = y - (double)top;
    dx = x - (double)left;
    return (1 - dy) * ((1 - dx) * pixel(plane, height, width, top, left) +
                       dx * pixel(plane, height, width, top, left + 1)) +
           dy * ((1 - dx) * pixel(plane, height, width, top + 1, left) +
                 dx * pixel(plane, height, width, top + 1, left + 1));
}

/* Returns the value of channel K of image N under place T (of the kernel) of the field at place AT
 * (of the result). */
static double under_field(const deformable *d, int64_t n, int64_t k, int64_t t, int64_t at)
{
    const field_axis *v = &d->w.axis[1], *u = &d->w.axis[2];
    int64_t g = k / (d->channels / d->deformable);
    int64_t row = (n * d->deformable + g) * d->w.kernel + t;
    const double *offset = d->offsets + 2 * row * d->places + at;
    double y = (double)(at / u->small * v->stride - v->pad + t / u->kernel * v->dilation);
    double x = (double)(at % u->small * u->stride - u->pad + t % u->kernel * u->dilation);
    const double *plane = d->x + (n * d->channels + k) * d->w.large;
    double value = deformed(d, plane, y + offset[0], x + offset[d->places]);

    return d->mask ? value * d->mask[row * d->places + at] : value;
}

static void convolve_deformed(const inlay_call *c, const deformable *d, double *y)
{
    int64_t out = c->out[0]->dims[1], each = c->in[2]->dims[1];

    for (int64_t n = 0; n < c->out[0]->dims[0]; n++) {
        for (int64_t o = 0; o < out; o++) {
            int64_t first = o / (out / d->group) * each;

            for (int64_t at = 0; at < d->places; at++, y++) {
                for (int64_t k = 0; k < each; k++) {
                    for (int64_t t = 0; t < d->w.kernel; t++)
                        *y = fma(d->filters[(o * each + k) * d->w.kernel + t],
                                 under_field(d, n, first + k, t, at), *y);
                }
                *y += 0; /* of -0 */
            }
        }
    }
}

bool eval_deformable_convolution(inlay_call *c)
{
    const inlay_attr *pads = inlay_node_attr(c->node, "bilinear_interpolation_pad");
    deformable d = {.group = inlay_node_int(c->node, "group"),
                    .deformable = inlay_node_int(c->node, "deformable_group"),
                    .channels = c->in[0]->dims[1],
                    .pads = pads && pads->as.b};
    double *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);

    if (c->out[0]->dims[1] % d.group != 0 || d.channels % d.deformable != 0)
        return inlay_call_fail(c,
                               "%lld filters and %lld channel%s are no multiples of %lld groups "
                               "and %lld deformable groups",
                               (long long)c->out[0]->dims[1], (long long)d.channels,
                               inlay_plural(d.channels, "", "s"), (long long)d.group,
                               (long long)d.deformable);
    field_of_node(c, 2, c->in[0]->dims + 2, c->out[0]->dims + 2, c->in[2]->dims + 2, &d.w);
    d.places = d.w.small;
    d.x = load_f64(c, 0);
    d.offsets = load_f64(c, 1);
    d.filters = load_f64(c, 2);
    d.mask = call_has(c, 3) ? load_f64(c, 3) : NULL;
    if (!d.x || !d.offsets || !d.filters || (call_has(c, 3) && !d.mask) || !y)
        return false;
    convolve_deformed(c, &d, y);
    return store_f64(c, 0, y);
}
