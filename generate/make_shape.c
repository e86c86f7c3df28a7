/* Other shapes, orders and sizes of the same elements. */
#include "generate/make.h"

#include <string.h>

/* Reshapes a value to the shape of the tensors that windows are cut from, if it has as many
 * elements, otherwise to one axis. */
void gen_reshape(generator *g)
{
    gen_value x = gen_any(g), want = {.rank = g->rank};
    inlay_value *in[2] = {x.value};

    memcpy(want.dims, g->dims, sizeof want.dims);
    if (gen_count(&want) != gen_count(&x) || rng_one_in(&g->r, 2)) {
        want.rank = 1;
        want.dims[0] = gen_count(&x);
    }
    in[1] = gen_ints(g, want.rank, want.dims);
    gen_add(g, gen_build(g, "Reshape", in, 2, "special_zero=false"), want.rank, want.dims);
}

void gen_unsqueeze(generator *g)
{
    gen_value x = gen_any(g);
    int64_t dims[INLAY_MAX_RANK], axis = rng_in(&g->r, 0, x.rank);
    inlay_value *in[2] = {x.value};

    if (x.rank > 3)
        return;
    for (int i = 0, k = 0; i <= x.rank; i++)
        dims[i] = i == axis ? 1 : x.dims[k++];
    in[1] = gen_ints(g, 1, &axis);
    gen_add(g, gen_build(g, "Unsqueeze", in, 2, NULL), x.rank + 1, dims);
}

void gen_squeeze(generator *g)
{
    gen_value x = gen_any(g);
    int64_t dims[INLAY_MAX_RANK], axis = 0;
    inlay_value *in[2] = {x.value};

    while (axis < x.rank && x.dims[axis] != 1)
        axis++;
    if (axis == x.rank)
        return;
    for (int i = 0, k = 0; i < x.rank; i++) {
        if (i != axis)
            dims[k++] = x.dims[i];
    }
    in[1] = gen_ints(g, 1, &axis);
    gen_add(g, gen_build(g, "Squeeze", in, 2, NULL), x.rank - 1, dims);
}

/* Transposes X by ORDER, without adding the result to the pool. */
static inlay_value *transpose(generator *g, gen_value *x, const int64_t *order)
{
    inlay_value *in[2] = {x->value, gen_ints(g, x->rank, order)};
    int64_t dims[INLAY_MAX_RANK];

    for (int i = 0; i < x->rank; i++)
        dims[i] = x->dims[order[i]];
    memcpy(x->dims, dims, (size_t)x->rank * sizeof *dims);
    return gen_build(g, "Transpose", in, 2, NULL);
}

static void reversed_order(int rank, int64_t *order)
{
    for (int i = 0; i < rank; i++)
        order[i] = rank - 1 - i;
}

/* Reverses the order of the axes. */
void gen_turn_round(generator *g)
{
    gen_value x = gen_any(g);
    int64_t order[INLAY_MAX_RANK];
    inlay_value *v;

    reversed_order(x.rank, order);
    v = transpose(g, &x, order);
    gen_add(g, v, x.rank, x.dims);
}

void gen_transpose(generator *g)
{
    gen_value x = gen_any(g);
    int64_t order[INLAY_MAX_RANK];
    inlay_value *v;

    if (x.rank == 0)
        return;
    for (int i = 0; i < x.rank; i++)
        order[i] = i;
    for (int i = x.rank - 1; i > 0; i--) {
        int64_t k = rng_in(&g->r, 0, i), was = order[i];

        order[i] = order[k];
        order[k] = was;
    }
    v = transpose(g, &x, order);
    gen_add(g, v, x.rank, x.dims);
}

static gen_value reshaped(generator *g, const gen_value *x, int rank, const int64_t *dims)
{
    inlay_value *in[2] = {x->value, gen_ints(g, rank, dims)};

    return gen_add(g, gen_build(g, "Reshape", in, 2, "special_zero=false"), rank, dims);
}

/* Returns X with its axes in reverse order. */
static gen_value turned(generator *g, const gen_value *x)
{
    gen_value y = *x;
    int64_t order[INLAY_MAX_RANK];
    inlay_value *v;

    reversed_order(x->rank, order);
    v = transpose(g, &y, order);
    return gen_add(g, v, y.rank, y.dims);
}

/* Returns X in another shape: with one more axis, with its first two axes joined, or flat. */
static gen_value in_another_shape(generator *g, const gen_value *x)
{
    int64_t dims[INLAY_MAX_RANK] = {1};
    gen_value one = *x;

    switch (rng_in(&g->r, 0, 2)) {
    case 0:
        memcpy(dims + 1, x->dims, (size_t)x->rank * sizeof *dims);
        one.value =
            gen_build(g, "Unsqueeze", (inlay_value *[]){x->value, gen_scalar(g, 0)}, 2, NULL);
        return gen_add(g, one.value, x->rank + 1, dims);
    case 1:
        if (x->rank > 1) {
            memcpy(dims, x->dims + 1, (size_t)(x->rank - 1) * sizeof *dims);
            dims[0] *= x->dims[0];
            return reshaped(g, x, x->rank - 1, dims);
        }
        /* fall through */
    default:
        dims[0] = gen_count(x);
        return reshaped(g, x, 1, dims);
    }
}

/* Makes v = a view of d; x = Slice(v, w); y = f(x); r = SliceScatter(v, y, w); and r in the shape
 * of d. */
void gen_update_view(generator *g)
{
    gen_value d = gen_whole(g), v, x;
    bool turn = rng_one_in(&g->r, 3);
    gen_window w;

    if (d.rank == 0 || gen_count(&d) == 0)
        return;
    v = turn ? turned(g, &d) : in_another_shape(g, &d);
    if (g->failed)
        return;
    w = gen_make_window(g, &v);
    x = gen_slice(g, &v, &w);
    for (int64_t k = rng_in(&g->r, 0, 2); k > 0 && !g->failed; k--)
        x = gen_pointwise_of(g, &x);
    gen_scatter(g, &v, x.value, &w);
    if (g->failed || rng_one_in(&g->r, 3))
        return;
    v.value = g->values[g->n - 1].value;
    if (turn)
        turned(g, &v);
    else
        reshaped(g, &v, d.rank, d.dims);
}

/* Transposes the operand of an operation, and its result back. */
void gen_transpose_pair(generator *g)
{
    gen_value a = gen_any(g), b;
    int64_t order[INLAY_MAX_RANK];
    inlay_value *in[2];

    if (!gen_same_dims(g, a.rank, a.dims, &b) || a.rank == 0)
        return;
    reversed_order(a.rank, order);
    in[0] = transpose(g, &a, order);
    in[1] = transpose(g, &b, order);
    gen_add(g, gen_build(g, "Maximum", in, 2, NULL), a.rank, a.dims);
}

void gen_reverse(generator *g)
{
    gen_value x = gen_any(g);
    inlay_value *in[2] = {x.value};

    if (x.rank == 0)
        return;
    in[1] = gen_ints(g, 1, (int64_t[]){rng_in(&g->r, 0, x.rank - 1)});
    gen_add(g, gen_build(g, "Reverse", in, 2, "mode=index"), x.rank, x.dims);
}

/* Broadcasts a value: adds an axis in front and enlarges axes of size 1. */
void gen_broadcast(generator *g)
{
    gen_value x = gen_any(g), y = {.rank = x.rank};
    int more = rng_one_in(&g->r, 2);
    inlay_value *in[2] = {x.value};

    if (x.rank + more > 4 || x.rank + more == 0 || !gen_is_small(&x))
        return;
    y.rank = x.rank + more;
    y.dims[0] = rng_in(&g->r, 1, 3);
    for (int i = 0; i < x.rank; i++)
        y.dims[i + more] = x.dims[i] == 1 ? rng_in(&g->r, 1, 3) : x.dims[i];
    in[1] = gen_ints(g, y.rank, y.dims);
    gen_add(g, gen_build(g, "Broadcast", in, 2, NULL), y.rank, y.dims);
}

/* Broadcasts a single number; windows are then written into the result. */
void gen_broadcast_number(generator *g)
{
    gen_value x = gen_any(g);
    inlay_value *in[2];

    if (x.rank == 0 || !gen_is_small(&x))
        return;
    in[0] = gen_constant(g, 0, x.dims);
    in[1] = gen_ints(g, x.rank, x.dims);
    gen_add(g, gen_build(g, "Broadcast", in, 2, NULL), x.rank, x.dims);
}

void gen_tile(generator *g)
{
    gen_value x = gen_any(g);
    int64_t times[INLAY_MAX_RANK];
    inlay_value *in[2] = {x.value};

    if (x.rank == 0 || gen_count(&x) > 60)
        return;
    for (int i = 0; i < x.rank; i++) {
        times[i] = rng_one_in(&g->r, 3) ? 2 : 1;
        x.dims[i] *= times[i];
    }
    in[1] = gen_ints(g, x.rank, times);
    gen_add(g, gen_build(g, "Tile", in, 2, NULL), x.rank, x.dims);
}

/* Draws a number, or 0 half of the time. */
static int64_t or_zero(generator *g, int64_t lo, int64_t hi)
{
    int64_t x = rng_in(&g->r, lo, hi);

    return x * rng_in(&g->r, 0, 1);
}

/* Pads a value. In a mirror mode pads must be shorter than the axis. */
void gen_pad(generator *g)
{
    static const char *const modes[] = {"pad_mode=edge", "pad_mode=reflect", "pad_mode=symmetric"};
    gen_value x = gen_any(g);
    int64_t begin[INLAY_MAX_RANK], end[INLAY_MAX_RANK];
    inlay_value *in[4] = {x.value};
    bool value = rng_one_in(&g->r, 3), mirrors = !value && rng_one_in(&g->r, 2);

    if (x.rank == 0 || !gen_is_small(&x))
        return;
    for (int i = 0; i < x.rank; i++) {
        begin[i] = or_zero(g, x.dims[i] > 0 ? -1 : 0, 2);
        end[i] = or_zero(g, 0, 1);
        mirrors = mirrors && x.dims[i] > 2;
        x.dims[i] += begin[i] + end[i];
    }
    in[1] = gen_ints(g, x.rank, begin);
    in[2] = gen_ints(g, x.rank, end);
    if (value)
        in[3] = gen_constant(g, 0, x.dims);
    gen_add(g,
            gen_build(g, "Pad", in, value ? 4 : 3,
                      mirrors ? modes[rng_in(&g->r, 0, 2)] : "pad_mode=constant"),
            x.rank, x.dims);
}
