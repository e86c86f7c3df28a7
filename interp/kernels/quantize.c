/* FakeQuantize-1 rounds floats to as many levels as integers of few bits have; FakeConvert-13
 * rounds them to floats of 8 bits. */
#include "interp/call/kernel.h"
#include "interp/kernels/clones.h"

#include <math.h>
#include <string.h>

/* The data as runs of elements for which the other operands, say how to round, are the same, or lie
 * along the last axis; and these runs in parts, which threads share. For data [1, 64, 32, 32] and
 * limits [1, 64, 1, 1] there are 64 runs of 1,024 elements. */
typedef struct fake_runs {
    int n, rank; /* of the other operands, and of the space of runs */
    const int64_t *dims;
    int64_t strides[4][INLAY_MAX_RANK]; /* of the others, broadcast to data */
    int64_t step[4];                    /* of the others along a run */
    int64_t length, most;               /* elements of a run, and of a part at most */
    int64_t parts;                      /* of all runs together */
    bool same;                          /* a run has one element of each other operand */
} fake_runs;

enum { MOST = 4096 };

/* Do the other operands stay the same along AXIS? */
static bool is_same_along(const fake_runs *r, int axis)
{
    bool same = true;

    for (int k = 0; k < r->n; k++)
        same = same && r->strides[k][axis] == 0;
    return same;
}

/* The runs of operand 0 with the N operands behind it. */
static fake_runs runs_of(const inlay_call *c, int n)
{
    const inlay_tensor *data = c->in[0];
    fake_runs r = {.n = n, .rank = data->rank, .dims = data->dims, .length = 1, .same = true};

    for (int k = 0; k < n; k++)
        strides_broadcast(c->in[1 + k], r.rank, r.dims, r.strides[k]);
    while (r.rank > 0 && is_same_along(&r, r.rank - 1))
        r.length *= r.dims[--r.rank];
    if (r.rank == data->rank && r.rank > 0) {
        r.same = false;
        r.length = r.dims[--r.rank];
        for (int k = 0; k < n; k++)
            r.step[k] = r.strides[k][r.rank];
    }
    r.most = r.length < MOST ? r.length : MOST;
    if (inlay_tensor_count(data) > 0)
        r.parts = dims_product(r.dims, r.rank) * ((r.length + MOST - 1) / MOST);
    return r;
}

typedef struct fake_part {
    int64_t at, n;     /* of the data */
    int64_t others[4]; /* the first elements of the other operands */
} fake_part;

static fake_part part_of_runs(const fake_runs *r, int64_t part)
{
    int64_t per_run = (r->length + MOST - 1) / MOST, run = part / per_run,
            first = part % per_run * MOST, left = r->length - first;
    index_iter it = index_from(r->rank, r->dims, run);
    fake_part p = {.at = run * r->length + first, .n = left < MOST ? left : MOST};

    for (int k = 0; k < r->n; k++)
        p.others[k] = index_dot(r->rank, it.at, r->strides[k]) + first * r->step[k];
    return p;
}

#define LOOP "interp/kernels/quantize_loop.h"
#include "interp/kernels/each_float.h"
#undef LOOP

bool eval_fake_quantize(inlay_call *c)
{
    fake_runs runs = runs_of(c, 4);

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

typedef struct conversion {
    const fake_runs *runs;
    inlay_type type;
    const float *x, *scale, *shift; /* SHIFT: NULL if there is none */
    float *y;
} conversion;

static void fake_convert(void *ctx, int64_t from, int64_t to)
{
    static const float zero = 0;
    const conversion *c = ctx;
    const int64_t *step = c->runs->step;

    for (; from < to; from++) {
        fake_part p = part_of_runs(c->runs, from);
        const float *x = c->x + p.at, *by = c->scale + p.others[0];
        const float *less = c->shift ? c->shift + p.others[1] : &zero;
        float *y = c->y + p.at;

        for (int64_t i = 0; i < p.n; i++)
            y[i] = x[i] * by[i * step[0]] - less[i * step[1]];
        narrow_row(c->type, p.n, y);
        for (int64_t i = 0; i < p.n; i++)
            y[i] = (y[i] + less[i * step[1]]) / by[i * step[0]];
    }
}

bool eval_fake_convert(inlay_call *c)
{
    bool shifts = call_has(c, 2);
    bool wide = strcmp(inlay_node_string(c->node, "destination_type"), "f8e5m2") == 0;
    fake_runs runs = runs_of(c, shifts ? 2 : 1);
    conversion how = {&runs,
                      wide ? INLAY_F8E5M2 : INLAY_F8E4M3,
                      load_f32(c, 0),
                      load_f32(c, 1),
                      shifts ? load_f32(c, 2) : NULL,
                      inlay_call_memory(c, inlay_tensor_count(c->in[0]), sizeof(float))};

    if (!how.x || !how.scale || (shifts && !how.shift) || !how.y)
        return false;
    call_split(c, runs.parts, 50.0 * (double)runs.most, fake_convert, &how);
    return store_f32(c, 0, how.y);
}
