/* FakeQuantize-1 rounds floats to as many levels as integers of few bits have; FakeConvert-13
 * rounds them to floats of 8 bits. */
#include "interp/call/kernel.h"
#include "interp/kernels/clones.h"

#include <math.h>
#include <string.h>

/* The data as runs of elements that have the same limits, or whose limits lie along the last axis,
 * and these runs in parts, which threads share. For data [1, 64, 32, 32] and limits [1, 64, 1, 1]
 * there are 64 runs of 1,024 elements. */
typedef struct fake_runs {
    int rank; /* of the space of runs */
    const int64_t *dims;
    int64_t strides[4][INLAY_MAX_RANK]; /* of the limits, broadcast to data */
    int64_t step[4];                    /* of the limits along a run */
    int64_t length, most;               /* elements of a run, and of a part at most */
    int64_t parts;                      /* of all runs together */
    bool same;                          /* a run has one limit of each kind */
} fake_runs;

enum { MOST = 4096 };

/* Do the limits stay the same along AXIS? */
static bool is_same_along(const fake_runs *r, int axis)
{
    bool same = true;

    for (int k = 0; k < 4; k++)
        same = same && r->strides[k][axis] == 0;
    return same;
}

static fake_runs runs_of(const inlay_call *c)
{
    const inlay_tensor *data = c->in[0];
    fake_runs r = {.rank = data->rank, .dims = data->dims, .length = 1, .same = true};

    for (int k = 0; k < 4; k++)
        strides_broadcast(c->in[1 + k], r.rank, r.dims, r.strides[k]);
    while (r.rank > 0 && is_same_along(&r, r.rank - 1))
        r.length *= r.dims[--r.rank];
    if (r.rank == data->rank && r.rank > 0) {
        r.same = false;
        r.length = r.dims[--r.rank];
        for (int k = 0; k < 4; k++)
            r.step[k] = r.strides[k][r.rank];
    }
    r.most = r.length < MOST ? r.length : MOST;
    if (inlay_tensor_count(data) > 0)
        r.parts = dims_product(r.dims, r.rank) * ((r.length + MOST - 1) / MOST);
    return r;
}

typedef struct fake_part {
    int64_t at, n;     /* of the data */
    int64_t limits[4]; /* the first ones */
} fake_part;

static fake_part part_of_runs(const fake_runs *r, int64_t part)
{
    int64_t per_run = (r->length + MOST - 1) / MOST, run = part / per_run,
            first = part % per_run * MOST, left = r->length - first;
    index_iter it = index_from(r->rank, r->dims, run);
    fake_part p = {.at = run * r->length + first, .n = left < MOST ? left : MOST};

    for (int k = 0; k < 4; k++)
        p.limits[k] = index_dot(r->rank, it.at, r->strides[k]) + first * r->step[k];
    return p;
}

#define LOOP "interp/kernels/quantize_loop.h"
#include "interp/kernels/each_float.h"
#undef LOOP

bool eval_fake_quantize(inlay_call *c)
{
    fake_runs runs = runs_of(c);

    return c->in[0]->type == INLAY_F64 ? eval_fake_quantize_f64(c, &runs)
                                       : eval_fake_quantize_f32(c, &runs);
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
