/* Values split into parts, and parts joined. */
#include "generate/make.h"

#include <stdio.h>
#include <string.h>

static void concat(generator *g, inlay_value *const *in, int n, int axis, int rank,
                   const int64_t *dims)
{
    char attrs[32];

    snprintf(attrs, sizeof attrs, "axis=%d", axis);
    gen_add(g, gen_build(g, "Concat", in, n, attrs), rank, dims);
}

/* Cuts a value in two along a random axis and adds both parts, which are also put in PART. False:
 * the value cannot be cut. */
static bool split(generator *g, gen_value *part)
{
    gen_value x = gen_any(g), y = x;
    int axis = x.rank ? (int)rng_in(&g->r, 0, x.rank - 1) : -1;
    inlay_value *in[3] = {x.value};
    int64_t lengths[2];
    inlay_node *n;

    if (axis < 0 || x.dims[axis] < 2)
        return false;
    lengths[0] = rng_in(&g->r, 1, x.dims[axis] - 1);
    lengths[1] = x.dims[axis] - lengths[0];
    in[1] = gen_scalar(g, axis);
    in[2] = gen_ints(g, 2, lengths);
    n = gen_node(g, "VariadicSplit", NULL, in, 3, NULL);
    for (int i = 0; i < 2; i++) {
        y.dims[axis] = lengths[i];
        part[i] = gen_add(g, n ? &n->out[i] : NULL, y.rank, y.dims);
    }
    return true;
}

void gen_split(generator *g)
{
    gen_value part[2];

    split(g, part);
}

/* Cuts a value and joins the parts again, mostly along the same axis. */
void gen_split_and_join(generator *g)
{
    gen_value part[2];
    inlay_value *in[2];
    int axis = 0;

    if (!split(g, part))
        return;
    while (axis < part[0].rank && part[0].dims[axis] == part[1].dims[axis])
        axis++;
    if (axis == part[0].rank)
        axis = 0;
    in[0] = part[0].value;
    in[1] = part[1].value;
    part[0].dims[axis] += part[1].dims[axis];
    concat(g, in, 2, axis, part[0].rank, part[0].dims);
}

/* Makes a Split, with perhaps more parts than are used, and joins parts. */
void gen_split_evenly(generator *g)
{
    gen_value x = gen_any(g), y = x;
    int axis = x.rank ? (int)rng_in(&g->r, 0, x.rank - 1) : 0;
    inlay_value *in[2] = {x.value};
    inlay_node *n;

    if (x.rank == 0 || x.dims[axis] % 2 != 0)
        return;
    in[1] = gen_scalar(g, axis);
    n = gen_node(g, "Split", NULL, in, 2, "num_splits=2");
    y.dims[axis] /= 2;
    for (int i = 0; i < 2; i++) {
        in[i] = n ? &n->out[i] : NULL;
        gen_add(g, in[i], y.rank, y.dims);
    }
    concat(g, in, 2, axis, x.rank, x.dims);
}

/* Takes two halves by Slice and joins them. */
void gen_slice_and_join(generator *g)
{
    gen_value x = gen_any(g);
    int axis = x.rank ? (int)rng_in(&g->r, 0, x.rank - 1) : 0;
    inlay_value *in[2];
    int64_t at;

    if (x.rank == 0 || x.dims[axis] < 2)
        return;
    at = rng_in(&g->r, 1, x.dims[axis] - 1);
    for (int i = 0; i < 2; i++) {
        gen_window w = {.n = 1, .axes = {axis}, .sizes = {x.dims[axis]}, .rank = x.rank};

        memcpy(w.dims, x.dims, sizeof w.dims);
        w.at[0] = i == 0 ? (inlay_window){0, at, 1} : (inlay_window){at, x.dims[axis] - at, 1};
        w.dims[axis] = w.at[0].count;
        gen_window_operands(g, &w);
        in[i] = gen_slice(g, &x, &w).value;
    }
    concat(g, in, 2, axis, x.rank, x.dims);
}

/* Whether A and B have the same sizes, except perhaps along AXIS. */
static bool joinable(const gen_value *a, const gen_value *b, int axis)
{
    for (int k = 0; k < a->rank && a->rank == b->rank; k++) {
        if (k != axis && a->dims[k] != b->dims[k])
            return false;
    }
    return a->rank == b->rank;
}

/* Makes a Concat of one to three values. */
void gen_concat(generator *g)
{
    gen_value a = gen_any(g), b;
    int64_t dims[INLAY_MAX_RANK], n = rng_in(&g->r, 1, 3);
    inlay_value *in[3] = {a.value};
    int axis;

    if (a.rank == 0 || !gen_is_small(&a))
        return;
    axis = (int)rng_in(&g->r, 0, a.rank - 1);
    memcpy(dims, a.dims, sizeof dims);
    for (int i = 1; i < n; i++) {
        b = rng_one_in(&g->r, 3) ? a : gen_any(g);
        if (!joinable(&a, &b, axis) || !gen_is_small(&b))
            b = a;
        in[i] = b.value;
        dims[axis] += b.dims[axis];
    }
    concat(g, in, (int)n, rng_one_in(&g->r, 3) ? axis - a.rank : axis, a.rank, dims);
}

/* Makes a Concat of two values of one shape, or of one value twice. */
void gen_concat_twice(generator *g)
{
    gen_value a = gen_any(g), b;
    inlay_value *in[2] = {a.value};

    in[1] = gen_same_dims(g, a.rank, a.dims, &b) ? b.value : a.value;
    if (a.rank == 0 || gen_count(&a) > 500)
        return;
    a.dims[0] *= 2;
    concat(g, in, 2, 0, a.rank, a.dims);
}
