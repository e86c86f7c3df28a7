/* MatMulCompressed: a product with weights of few bits, which are converted to floats column by
 * column. */
#include "interp/kernels/compressed.h"
#include "interp/call/share.h"
#include "interp/kernels/clones.h"

#include <math.h>

static compressed_operand operand_of(const inlay_tensor *t, int rank, bool turned)
{
    compressed_operand o = {.t = t};
    int64_t strides[3] = {0}; /* of groups, numbers and columns */

    if (!t)
        return o;
    for (int i = 0; i < t->rank; i++) {
        int axis = rank - t->rank + i; /* of the weights */
        int place = turned ? (axis == 0 ? 2 : axis - 1 + (3 - rank)) : axis + (3 - rank);

        strides[place] = t->dims[i] == 1 ? 0 : t->strides[i];
    }
    o.group = strides[0];
    o.number = strides[1];
    o.column = strides[2];
    return o;
}

void compressed_of(const inlay_node *n, const inlay_tensor *weights, const inlay_tensor *scale,
                   const inlay_tensor *zero, inlay_type product, compressed *c)
{
    bool turned = inlay_node_bool(n, "transpose_b");
    int rank = weights->rank, first = turned ? 1 : 0;

    c->columns = weights->dims[turned ? 0 : rank - 1];
    c->groups = rank == 3 ? weights->dims[first] : 1;
    c->size = weights->dims[first + rank - 2];
    c->weights = operand_of(weights, rank, turned);
    c->scale = operand_of(scale, rank, turned);
    c->zero = operand_of(zero, rank, turned);
    c->type = scale ? scale->type : product;
    c->product = product;
}

void compressed_load(const compressed_operand *o, int64_t column, int64_t group, int64_t first,
                     int64_t n, float *x)
{
    int64_t at = o->t->offset + column * o->column + group * o->group + first * o->number;

    load_row_f32(x, o->t, at, o->number, n);
}

/* Room for the numbers of a column. */
struct column {
    float *weights, *other;
    uint32_t *codes;
};

/* Rounds N numbers X to TYPE; CODES has room for them. */
static void round_to(inlay_type type, int64_t n, float *x, void *codes)
{
    if (type == INLAY_F32)
        return;
    inlay_store_f32_row(type, codes, 0, 1, n, x);
    inlay_load_f32_row(type, codes, 0, 1, n, x);
}

/* The weights of a group, W, step by step as Convert, Subtract, Multiply and Convert make them. */
static void unpack_group(const compressed *c, int64_t column, int64_t group, float *w,
                         const struct column *room)
{
    int64_t n = c->size;

    compressed_load(&c->weights, column, group, 0, n, w);
    round_to(c->type, n, w, room->codes);
    if (c->zero.t) {
        compressed_load(&c->zero, column, group, 0, n, room->other);
        round_to(c->type, n, room->other, room->codes);
        for (int64_t i = 0; i < n; i++)
            w[i] -= room->other[i];
        round_to(c->type, n, w, room->codes);
    }
    if (c->scale.t) {
        compressed_load(&c->scale, column, group, 0, n, room->other);
        for (int64_t i = 0; i < n; i++)
            w[i] *= room->other[i];
        round_to(c->type, n, w, room->codes);
    }
    round_to(c->product, n, w, room->codes);
}

/* The sums over the depth in order, of every row of A with one column; results lie STEP apart. */
static INLAY_FUSED_CLONES void multiply_column(const float *a, int64_t rows, const float *w,
                                               int64_t depth, float *y, int64_t step)
{
    for (int64_t i = 0; i < rows; i++, a += depth) {
        float sum = 0;

        for (int64_t k = 0; k < depth; k++)
            sum = fmaf(a[k], w[k], sum);
        y[i * step] = sum + 0; /* of -0 */
    }
}

static bool make_room(inlay_call *c, int64_t depth, int64_t size, struct column *room)
{
    room->weights = inlay_call_memory(c, depth, sizeof *room->weights);
    room->other = inlay_call_memory(c, size, sizeof *room->other);
    room->codes = inlay_call_memory(c, size, sizeof *room->codes);
    return room->weights && room->other && room->codes;
}

static bool reads_all(const inlay_call *c)
{
    for (int i = 1; i < c->n_in; i++) {
        if (c->in[i] && !call_reads(c, i))
            return false;
    }
    return true;
}

bool eval_matmul_compressed(inlay_call *c)
{
    int64_t count = inlay_tensor_count(c->out[0]), depth;
    const float *a = load_f32(c, 0);
    float *y = place_f32(c, 0);
    struct column room;
    compressed w;

    compressed_of(c->node, c->in[1], call_has(c, 2) ? c->in[2] : NULL,
                  call_has(c, 3) ? c->in[3] : NULL, c->in[0]->type, &w);
    depth = w.groups * w.size;
    if (!a || !y || !reads_all(c) || !make_room(c, depth, w.size, &room))
        return false;
    for (int64_t j = 0; count > 0 && j < w.columns; j++) {
        for (int64_t g = 0; g < w.groups; g++)
            unpack_group(&w, j, g, room.weights + g * w.size, &room);
        multiply_column(a, count / w.columns, room.weights, depth, y + j, w.columns);
    }
    return store_f32(c, 0, y);
}
