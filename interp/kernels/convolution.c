/* Convolution-1, GroupConvolution-1 and their transposes ConvolutionBackpropData-1 and
 * GroupConvolutionBackpropData-1: dot products of image fields and kernels, summed over input
 * channels and then over the places of the kernel, in order. */
#include "interp/kernels/convolution.h"
#include "interp/kernels/clones.h"

#define T float
#define NAME(name) name##_f32
#include "interp/kernels/convolution_loop.h"
#undef T
#undef NAME

#define T double
#define NAME(name) name##_f64
#include "interp/kernels/convolution_loop.h"
#undef T
#undef NAME

#define T uint64_t
#define NAME(name) name##_u64
#include "interp/kernels/convolution_loop.h"
#undef T
#undef NAME

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
