/* Convolution-1, BinaryConvolution-1, GroupConvolution-1 and their transposes
 * ConvolutionBackpropData-1 and GroupConvolutionBackpropData-1: dot products of image fields and
 * kernels, summed over input channels and then over the places of the kernel, in order (ir/OPERATIONS.md). */
#include "interp/kernels/convolution.h"
#include "interp/kernels/clones.h"

#include <math.h>

#define LOOP "interp/kernels/convolution_loop.h"
#include "interp/kernels/each_domain.h"
#undef LOOP

/* Computes all planes by FN; CTX describes them. */
static void split_planes(inlay_call *c, const convolution *v, call_part_fn *fn, void *ctx)
{
    double cost = (double)v->in * (double)v->w.kernel * (double)v->w.small;

    call_split(c, v->batch * v->groups * v->out, cost, fn, ctx);
}

static bool run_f32(inlay_call *c, const convolution *v, bool transposed)
{
    struct images_f32 m = {v, load_f32(c, 0), load_f32(c, 1),
                           inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *m.y)};

    if (!m.x || !m.f || !m.y)
        return false;
    split_planes(c, v, transposed ? spread_f32 : convolve_f32, &m);
    return store_f32(c, 0, m.y);
}

static bool run_f64(inlay_call *c, const convolution *v, bool transposed)
{
    struct images_f64 m = {v, load_f64(c, 0), load_f64(c, 1),
                           inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *m.y)};

    if (!m.x || !m.f || !m.y)
        return false;
    split_planes(c, v, transposed ? spread_f64 : convolve_f64, &m);
    return store_f64(c, 0, m.y);
}

/* Computes integers as unsigned numbers, because unsigned numbers wrap. */
static bool run_integers(inlay_call *c, const convolution *v, bool transposed)
{
    struct images_u64 m = {v, (const uint64_t *)load_i64(c, 0), (const uint64_t *)load_i64(c, 1),
                           inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *m.y)};

    if (!m.x || !m.f || !m.y)
        return false;
    split_planes(c, v, transposed ? spread_u64 : convolve_u64, &m);
    return store_i64(c, 0, (const int64_t *)m.y);
}

void convolution_of_call(const inlay_call *c, bool grouped, bool transposed, convolution *v)
{
    const inlay_tensor *data = c->in[0], *filters = c->in[1], *out = c->out[0];
    const int64_t *f = filters->dims + grouped;

    *v = (convolution){.batch = data->dims[0], .groups = grouped ? filters->dims[0] : 1};
    v->in = transposed ? f[0] : f[1];
    v->out = transposed ? f[1] : f[0];
    if (transposed)
        field_of_transposed(c, data->rank - 2, data->dims + 2, out->dims + 2, f + 2, &v->w);
    else
        field_of_node(c, data->rank - 2, data->dims + 2, out->dims + 2, f + 2, &v->w);
    field_join(&v->w);
}

static bool run(inlay_call *c, bool grouped, bool transposed)
{
    convolution v;

    convolution_of_call(c, grouped, transposed, &v);
    v.places = field_places(c, &v.w);
    if (!v.places)
        return false;
    switch (load_domain(c->in[0]->type)) {
    case DOMAIN_F32:
        return run_f32(c, &v, transposed);
    case DOMAIN_F64:
        return run_f64(c, &v, transposed);
    default:
        return run_integers(c, &v, transposed);
    }
}

bool eval_convolution(inlay_call *c)
{
    return run(c, false, false);
}

bool eval_group_convolution(inlay_call *c)
{
    return run(c, true, false);
}

bool eval_convolution_backprop_data(inlay_call *c)
{
    return run(c, false, true);
}

bool eval_group_convolution_backprop_data(inlay_call *c)
{
    return run(c, true, true);
}

/* BinaryConvolution: how often data and filter agree, less how often they do not. */

typedef struct agreement {
    field w;
    int64_t channels;
    const double *data;
    const int64_t *filters;
    double pad;
} agreement;

/* Returns what one place of the field adds: 1 where the element X is the bit. */
static int64_t agrees(double x, int64_t bit)
{
    return x == (double)bit ? 1 : -1;
}

/* Returns the sum of filter O over image N at position AT (row, column). A padding of 0 counts
 * nothing. */
static int64_t agree_at(const agreement *a, int64_t n, int64_t o, const int64_t *at)
{
    const field_axis *v = &a->w.axis[1], *u = &a->w.axis[2];
    int64_t sum = 0;

    for (int64_t k = 0; k < a->channels; k++) {
        const double *plane = a->data + (n * a->channels + k) * a->w.large;
        const int64_t *filter = a->filters + (o * a->channels + k) * a->w.kernel;

        for (int64_t t = 0; t < a->w.kernel; t++) {
            int64_t y = field_element(v, at[0], t / u->kernel);
            int64_t x = field_element(u, at[1], t % u->kernel);

            if (y >= 0 && x >= 0)
                sum += agrees(plane[y * u->large + x], filter[t]);
            else if (a->pad != 0)
                sum += agrees(a->pad == 1, filter[t]);
        }
    }
    return sum;
}

bool eval_binary_convolution(inlay_call *c)
{
    inlay_tensor *out = c->out[0];
    agreement a = {.channels = c->in[0]->dims[1],
                   .data = load_f64(c, 0),
                   .filters = load_i64(c, 1),
                   .pad = inlay_node_float(c->node, "pad_value")};

    if (!a.data || !a.filters)
        return false;
    field_of_node(c, 2, c->in[0]->dims + 2, out->dims + 2, c->in[1]->dims + 2, &a.w);
    for (index_iter it = index_begin(4, out->dims); index_valid(&it); index_next(&it)) {
        int64_t sum = agree_at(&a, it.at[0], it.at[1], it.at + 2);

        if (inlay_type_is_float(out->type))
            inlay_tensor_set_f64(out, it.linear, (double)sum);
        else
            inlay_tensor_set_i64(out, it.linear, sum);
    }
    return true;
}
