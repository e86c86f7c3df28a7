/* Convolution-1, GroupConvolution-1 and their transposes ConvolutionBackpropData-1 and
 * GroupConvolutionBackpropData-1: dot products of image fields and kernels, summed over input
 * channels and then over the places of the kernel, in order. */
#include "interp/kernels/clones.h"
#include "interp/kernels/field.h"

/* Data [batch, groups * in, spatial], filters [groups, out, in, kernel] or, transposed, [groups,
 * in, out, kernel], output [batch, groups * out, spatial]. */
typedef struct convolution {
    int64_t batch, groups, in, out;
    field w;
    const field_place *places; /* of w */
} convolution;

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

static bool run_f32(inlay_call *c, const convolution *v, bool transposed)
{
    const float *x = load_f32(c, 0), *f = load_f32(c, 1);
    float *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);

    if (!x || !f || !y)
        return false;
    (transposed ? spread_f32 : convolve_f32)(v, x, f, y);
    return store_f32(c, 0, y);
}

static bool run_f64(inlay_call *c, const convolution *v, bool transposed)
{
    const double *x = load_f64(c, 0), *f = load_f64(c, 1);
    double *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);

    if (!x || !f || !y)
        return false;
    (transposed ? spread_f64 : convolve_f64)(v, x, f, y);
    return store_f64(c, 0, y);
}

/* As unsigned numbers, because they wrap. */
static bool run_integers(inlay_call *c, const convolution *v, bool transposed)
{
    const int64_t *x = load_i64(c, 0), *f = load_i64(c, 1);
    int64_t *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);

    if (!x || !f || !y)
        return false;
    (transposed ? spread_u64 : convolve_u64)(v, (const uint64_t *)x, (const uint64_t *)f,
                                             (uint64_t *)y);
    return store_i64(c, 0, y);
}

static bool run(inlay_call *c, bool grouped, bool transposed)
{
    const inlay_tensor *data = c->in[0], *filters = c->in[1], *out = c->out[0];
    const int64_t *f = filters->dims + grouped;
    convolution v = {.batch = data->dims[0], .groups = grouped ? filters->dims[0] : 1};

    v.in = transposed ? f[0] : f[1];
    v.out = transposed ? f[1] : f[0];
    if (transposed)
        field_of_transposed(c, data->rank - 2, data->dims + 2, out->dims + 2, f + 2, &v.w);
    else
        field_of_node(c, data->rank - 2, data->dims + 2, out->dims + 2, f + 2, &v.w);
    field_join(&v.w);
    v.places = field_places(c, &v.w);
    if (!v.places)
        return false;
    switch (load_domain(data->type)) {
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
