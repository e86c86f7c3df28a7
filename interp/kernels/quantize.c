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

/* FakeConvert */

enum { PART = 512 }; /* elements that are rounded together */

/* Rounds N elements to TYPE. */
static void round_row(inlay_type type, int64_t n, float *x)
{
    uint16_t codes[PART];

    for (int64_t some; n > 0; n -= some, x += some) {
        some = n < PART ? n : PART;
        inlay_store_f32_row(type, codes, 0, 1, some, x);
        inlay_load_f32_row(type, codes, 0, 1, some, x);
    }
}

/* Rounds N elements to floats of 8 bits by way of f16; numbers too large for TYPE become its
 * greatest one, but infinity stays if TYPE has it. */
static void narrow_row(inlay_type type, int64_t n, float *x)
{
    const float most = type == INLAY_F8E5M2 ? 57344 : 448;
    const bool infinite = type == INLAY_F8E5M2;

    round_row(INLAY_F16, n, x);
    for (int64_t i = 0; i < n; i++) {
        float held = x[i] > most ? most : x[i] < -most ? -most : x[i];

        x[i] = infinite && isinf(x[i]) ? x[i] : held;
    }
    round_row(type, n, x);
}

/* An operand that is broadcast to the data, and the distance of its elements along a row. */
typedef struct broadcast {
    const float *x;
    int64_t strides[INLAY_MAX_RANK], step;
} broadcast;

static bool broadcast_operand(inlay_call *c, int i, broadcast *b)
{
    const inlay_tensor *data = c->in[0];

    *b = (broadcast){.x = load_f32(c, i)};
    strides_broadcast(c->in[i], data->rank, data->dims, b->strides);
    b->step = data->rank > 0 ? b->strides[data->rank - 1] : 0;
    return b->x != NULL;
}

bool eval_fake_convert(inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    bool wide = strcmp(inlay_node_string(c->node, "destination_type"), "f8e5m2") == 0;
    int rows = data->rank > 0 ? data->rank - 1 : 0;
    int64_t length = data->rank > 0 ? data->dims[rows] : 1, n = inlay_tensor_count(data);
    const float *x = load_f32(c, 0), zero = 0;
    float *y = inlay_call_memory(c, n, sizeof *y), *at = y;
    broadcast by, less = {.x = &zero};

    if (!x || !y || !broadcast_operand(c, 1, &by) ||
        (call_has(c, 2) && !broadcast_operand(c, 2, &less)))
        return false;
    for (index_iter it = index_begin(rows, data->dims); n > 0 && index_valid(&it);
         index_next(&it), x += length, at += length) {
        const float *scale = by.x + index_dot(rows, it.at, by.strides);
        const float *shift = less.x + index_dot(rows, it.at, less.strides);

        for (int64_t i = 0; i < length; i++)
            at[i] = x[i] * scale[i * by.step] - shift[i * less.step];
        narrow_row(wide ? INLAY_F8E5M2 : INLAY_F8E4M3, length, at);
        for (int64_t i = 0; i < length; i++)
            at[i] = (at[i] + shift[i * less.step]) / scale[i * by.step];
    }
    return store_f32(c, 0, y);
}
