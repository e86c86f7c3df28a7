/* FakeQuantize-1 rounds floats to as many levels as integers of few bits have. */
#include "interp/call/kernel.h"

#include <math.h>

typedef struct fake {
    int rank;
    const int64_t *dims;
    int64_t strides[4][INLAY_MAX_RANK]; /* of the limits, broadcast to data */
    int64_t steps;                      /* between the levels */
} fake;

#define T float
#define F(name) name##f
#define NAME(name) name##_f32
#include "interp/kernels/quantize_loop.h"
#undef T
#undef F
#undef NAME

#define T double
#define F(name) name
#define NAME(name) name##_f64
#include "interp/kernels/quantize_loop.h"
#undef T
#undef F
#undef NAME

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
