/* FakeQuantize-1 rounds floats to as many levels as integers of few bits have; FakeConvert-13
 * rounds them to floats of 8 bits. */
#include "interp/call/kernel.h"

#include <math.h>
#include <string.h>

typedef struct fake {
    int rank;
    const int64_t *dims;
    int64_t strides[4][INLAY_MAX_RANK]; /* of the limits, broadcast to data */
    int64_t steps;                      /* between the levels */
} fake;

#define LOOP "interp/kernels/quantize_loop.h"
#include "interp/kernels/each_float.h"
#undef LOOP

bool eval_fake_quantize(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    int64_t n = inlay_tensor_count(data);
    fake q = {
        .rank = data->rank, .dims = data->dims, .steps = inlay_node_int(c->node, "levels") - 1};

    for (int i = 0; i < 4; i++)
        strides_broadcast(c->in[1 + i], q.rank, q.dims, q.strides[i]);
    if (data->type == INLAY_F64) {
        const double *in[5];
        double *y = inlay_call_memory(c, n, sizeof *y);
        bool loaded = y != NULL;

        for (int i = 0; i < 5; i++)
            loaded = (in[i] = load_f64(c, i)) && loaded;
        return loaded && (fake_quantize_f64(&q, in, y), store_f64(c, 0, y));
    }
    const float *in[5];
    float *y = inlay_call_memory(c, n, sizeof *y);
    bool loaded = y != NULL;

    for (int i = 0; i < 5; i++)
        loaded = (in[i] = load_f32(c, i)) && loaded;
    return loaded && (fake_quantize_f32(&q, in, y), store_f32(c, 0, y));
}

/* Returns X rounded to TYPE. */
static float held(inlay_type type, float x)
{
    uint32_t element = 0;

    inlay_store_f32(type, &element, 0, x);
    return inlay_load_f32(type, &element, 0);
}

/* Returns X as a float of 8 bits, rounded by way of f16; numbers too large for TYPE become its
 * greatest one, but infinity stays if TYPE has it. */
static float narrowed(inlay_type type, float x)
{
    float most = type == INLAY_F8E5M2 ? 57344 : 448;

    x = held(INLAY_F16, x);
    if (!isinf(x) || type == INLAY_F8E4M3)
        x = x > most ? most : x < -most ? -most : x;
    return held(type, x);
}

bool eval_fake_convert(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    bool wide = strcmp(inlay_node_string(c->node, "destination_type"), "f8e5m2") == 0;
    const float *x = load_f32(c, 0), *scale = load_f32(c, 1);
    const float *shift = call_has(c, 2) ? load_f32(c, 2) : NULL;
    float *y = inlay_call_memory(c, inlay_tensor_count(data), sizeof *y);
    int64_t scales[INLAY_MAX_RANK], shifts[INLAY_MAX_RANK];

    if (!x || !scale || !y || (call_has(c, 2) && !shift))
        return false;
    strides_broadcast(c->in[1], data->rank, data->dims, scales);
    if (shift)
        strides_broadcast(c->in[2], data->rank, data->dims, shifts);
    for (index_iter it = index_begin(data->rank, data->dims); index_valid(&it); index_next(&it)) {
        float by = scale[index_dot(it.rank, it.at, scales)];
        float less = shift ? shift[index_dot(it.rank, it.at, shifts)] : 0;

        y[it.linear] = narrowed(wide ? INLAY_F8E5M2 : INLAY_F8E4M3, x[it.linear] * by - less);
        y[it.linear] = (y[it.linear] + less) / by;
    }
    return store_f32(c, 0, y);
}
