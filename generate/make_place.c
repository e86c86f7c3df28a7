/* Results with other shapes than the window that they are written to, and positions that only the
 * run knows:
 *
 *     %x = Slice(%d, w)              f32[2,6]    a window
 *     %q = Reshape(%x)               f32[3,4]    in other shapes
 *     %y = Exp(%q)
 *     %u = Reshape(%y)               f32[2,6]    the window again
 *     %r = SliceScatter(%d, %u, w)
 *
 *     %t = Concat([5], %i)           layer 5, row i
 *     %r = ScatterNDUpdate(%d, %t, %u) */
#include "generate/make.h"

#include <stdio.h>
#include <string.h>

/* ---- the same elements in other shapes ---- */

/* Replaces AXIS of X by two axes, whose sizes are factors of its size. */
static void halve(gen_value *x, int axis)
{
    int64_t by = x->dims[axis] % 2 == 0 ? 2 : x->dims[axis] % 3 == 0 ? 3 : 1;

    memmove(x->dims + axis + 1, x->dims + axis, (size_t)(x->rank - axis) * sizeof *x->dims);
    x->dims[axis] /= by;
    x->dims[axis + 1] = by;
    x->rank++;
}

/* Replaces AXIS and the next axis by one. */
static void merge(gen_value *x, int axis)
{
    x->dims[axis] *= x->dims[axis + 1];
    x->rank--;
    memmove(x->dims + axis + 1, x->dims + axis + 2, (size_t)(x->rank - axis - 1) * sizeof *x->dims);
}

/* Divides an axis of X, or makes one of two. */
static void bend(generator *g, gen_value *x)
{
    bool divides = x->rank == 0 || (x->rank < 4 && rng_one_in(&g->r, 2));

    if (x->rank == 0) {
        x->rank = 1;
        x->dims[0] = 1;
    } else if (divides) {
        halve(x, (int)rng_in(&g->r, 0, x->rank - 1));
    } else if (x->rank > 1) {
        merge(x, (int)rng_in(&g->r, 0, x->rank - 2));
    }
}

/* Makes the operand of a Reshape to the sizes of X. One size may be -1, or all may be known only to
 * a run. */
static inlay_value *pattern(generator *g, const gen_value *x)
{
    int64_t dims[INLAY_MAX_RANK], one = 1;
    inlay_value *in[2];

    memcpy(dims, x->dims, (size_t)x->rank * sizeof *dims);
    if (x->rank > 0 && gen_count(x) > 0 && rng_one_in(&g->r, 3))
        dims[rng_in(&g->r, 0, x->rank - 1)] = -1;
    in[0] = gen_ints(g, x->rank, dims);
    if (x->rank == 0 || !rng_one_in(&g->r, 6) || !gen_has_room(g) || !gen_allows(g, "Multiply"))
        return in[0];
    in[1] = gen_parameter(g, INLAY_I64, 1, &one, false, 1, 1);
    return gen_build(g, "Multiply", in, 2, NULL);
}

/* Returns the position of the axis of size 1 that TO has and FROM does not; -1 if they differ
 * otherwise. */
static int added_axis(const gen_value *from, const gen_value *to)
{
    int axis = 0;

    if (to->rank != from->rank + 1)
        return -1;
    while (axis < from->rank && from->dims[axis] == to->dims[axis])
        axis++;
    if (to->dims[axis] != 1 || memcmp(from->dims + axis, to->dims + axis + 1,
                                      (size_t)(from->rank - axis) * sizeof *from->dims) != 0)
        return -1;
    return axis;
}

/* Gives X the sizes of TO, which has as many elements. */
static gen_value shaped(generator *g, const gen_value *x, const gen_value *to)
{
    int added = added_axis(x, to), lost = added_axis(to, x);
    inlay_value *in[2] = {x->value};
    const char *name = added >= 0 ? "Unsqueeze" : "Squeeze";

    if ((added >= 0 || lost >= 0) && rng_one_in(&g->r, 2) && gen_allows(g, name)) {
        in[1] = gen_ints(g, 1, (int64_t[]){added >= 0 ? added : lost});
        return gen_add(g, gen_build(g, name, in, 2, NULL), to->rank, to->dims);
    }
    in[1] = pattern(g, to);
    return gen_add(g, gen_build(g, "Reshape", in, 2, "special_zero=false"), to->rank, to->dims);
}

/* Returns X in another shape, or as it is. */
static gen_value in_a_shape(generator *g, const gen_value *x)
{
    gen_value to = *x;

    for (int64_t k = rng_in(&g->r, 0, 3); k > 0; k--)
        bend(g, &to);
    return to.rank == x->rank && memcmp(to.dims, x->dims, (size_t)x->rank * sizeof *x->dims) == 0
               ? *x
               : shaped(g, x, &to);
}

/* ---- what is computed ---- */

/* Makes sums over the last axis, as a product with a constant matrix. */
static gen_value multiplied(generator *g, const gen_value *x)
{
    int64_t n = x->dims[x->rank - 1];
    inlay_value *in[2] = {x->value, gen_constant(g, 2, (int64_t[]){n, n})};

    return gen_add(g, gen_build(g, "MatMul", in, 2, NULL), x->rank, x->dims);
}

/* Computes as many elements as X has, element by element or as a matrix product. */
static gen_value computed(generator *g, const gen_value *x)
{
    gen_value y = *x;

    if (x->rank > 1 && gen_count(x) > 0 && rng_one_in(&g->r, 5) && inlay_type_is_float(g->type) &&
        gen_allows(g, "MatMul"))
        return multiplied(g, x);
    for (int64_t k = rng_in(&g->r, 0, 2); k > 0 && !g->failed; k--)
        y = gen_pointwise_of(g, &y);
    return y;
}

/* ---- windows ---- */

/* Writes U, which has the sizes of window W of D, into that window: by a SliceScatter, or for
 * consecutive rows perhaps by a scatter at their indices. */
static void write_window(generator *g, const gen_value *d, const gen_value *u, const gen_window *w)
{
    int64_t axis = w->axes[0] < 0 ? w->axes[0] + d->rank : w->axes[0], rows[8];
    inlay_value *in[4] = {d->value, NULL, u->value};

    if (w->n != 1 || w->at[0].count > 8 || !rng_one_in(&g->r, 4) ||
        !gen_allows(g, "ScatterUpdate")) {
        gen_scatter(g, d, u->value, w);
        return;
    }
    for (int64_t i = 0; i < w->at[0].count; i++)
        rows[i] = w->at[0].begin + i * w->at[0].step;
    in[1] = gen_ints(g, (int)w->at[0].count, rows);
    in[3] = gen_scalar(g, axis);
    gen_add(g, gen_build(g, "ScatterUpdate", in, 4, NULL), d->rank, d->dims);
}

/* x = Slice(d, w); y = f(x in another shape); r = SliceScatter(d, y in the window's shape, w) */
void gen_update_shown(generator *g)
{
    gen_value d = gen_whole(g), x, y, to = d;
    gen_window w = gen_make_window(g, &d);

    x = gen_slice(g, &d, &w);
    y = in_a_shape(g, &x);
    if (!g->failed)
        y = computed(g, &y);
    if (!g->failed && rng_one_in(&g->r, 4)) {
        y = in_a_shape(g, &y);
        if (!g->failed)
            y = computed(g, &y);
    }
    if (rng_one_in(&g->r, 6)) /* another node between */
        gen_pointwise(g);
    memcpy(to.dims, w.dims, sizeof to.dims);
    if (!g->failed)
        y = shaped(g, &y, &to);
    if (rng_one_in(&g->r, 8))
        gen_other_window(g, &w);
    if (!g->failed)
        write_window(g, &d, &y, &w);
}

/* Returns the window of N rows of D along AXIS. */
static gen_window rows_of(generator *g, const gen_value *d, int axis, int64_t n)
{
    gen_window w = {.n = 1, .axes = {axis}, .sizes = {d->dims[axis]}, .rank = d->rank};
    int64_t step = n > 1 && 2 * n - 1 <= d->dims[axis] && rng_one_in(&g->r, 4) ? 2 : 1;
    int64_t first = rng_in(&g->r, 0, d->dims[axis] - 1 - step * (n - 1));

    memcpy(w.dims, d->dims, sizeof w.dims);
    w.dims[axis] = n;
    w.at[0] = (inlay_window){first, n, step};
    if (n > 1 && rng_one_in(&g->r, 8))
        w.at[0] = (inlay_window){first + step * (n - 1), n, -step};
    gen_window_operands(g, &w);
    return w;
}

/* Computes on any value and writes the result over rows, if it has the elements of whole rows. */
void gen_write_shown(generator *g)
{
    gen_value d = gen_whole(g), x = gen_any(g), to = d;
    int axis = (int)rng_in(&g->r, 0, d.rank - 1);
    int64_t row = gen_count(&d) / d.dims[axis], n = gen_count(&x) / row;
    gen_window w;

    if (n < 1 || n * row != gen_count(&x) || n > d.dims[axis])
        return;
    w = rows_of(g, &d, axis, n);
    to.dims[axis] = n;
    x = computed(g, &x);
    if (!g->failed)
        x = shaped(g, &x, &to);
    if (!g->failed)
        write_window(g, &d, &x, &w);
}

/* Joins two values along an axis of a shape that they have in common after a Reshape. */
void gen_join_shown(generator *g)
{
    gen_value a = gen_any(g), b = a, both[2];
    inlay_value *in[2];
    char attrs[32];
    int axis;

    if (!gen_is_small(&a))
        return;
    a = computed(g, &a);
    both[0] = g->failed ? a : in_a_shape(g, &a);
    if (both[0].rank == 0 || g->failed)
        return;
    b = computed(g, &b);
    both[1] = g->failed ? b : shaped(g, &b, &both[0]);
    axis = (int)rng_in(&g->r, 0, both[0].rank - 1);
    in[0] = both[0].value;
    in[1] = both[1].value;
    both[0].dims[axis] *= 2;
    snprintf(attrs, sizeof attrs, "axis=%d", axis);
    gen_add(g, gen_build(g, "Concat", in, 2, attrs), both[0].rank, both[0].dims);
}

/* ---- layers ---- */

/* An index below SIZE with RANK axes, a constant or an input. */
static inlay_value *number_below(generator *g, int rank, int64_t size)
{
    int64_t one = 1, x = rng_in(&g->r, 0, size - 1);
    int64_t last = g->o->safe || !rng_one_in(&g->r, 8) ? size - 1 : size;

    if (gen_has_room(g) && rng_one_in(&g->r, 2))
        return gen_parameter(g, INLAY_I64, rank, &one, false, 0, last);
    return gen_ints_of(g, rank, &one, &x);
}

/* Writes something into X, a layer, without changing its sizes. */
static gen_value written(generator *g, const gen_value *x)
{
    gen_window w;

    if (x->rank == 0 || gen_count(x) == 0 || !gen_allows(g, "SliceScatter"))
        return *x;
    w = gen_make_window(g, x);
    gen_scatter(g, x, gen_of_dims(g, x->rank, w.dims), &w);
    return g->failed ? *x : g->values[g->n - 1];
}

/* Computes row AT of X, a layer, anew. */
static gen_value with_row(generator *g, const gen_value *x)
{
    inlay_value *in[4] = {x->value};
    int64_t dims[INLAY_MAX_RANK];

    if (x->rank == 0 || x->dims[0] == 0 || !gen_allows(g, "ScatterUpdate"))
        return *x;
    memcpy(dims, x->dims, sizeof dims);
    dims[0] = 1;
    in[1] = number_below(g, 1, x->dims[0]);
    in[2] = gen_of_dims(g, x->rank, dims);
    in[3] = gen_scalar(g, 0);
    return gen_add(g, gen_build(g, "ScatterUpdate", in, 4, NULL), x->rank, x->dims);
}

static gen_value changed(generator *g, const gen_value *layer)
{
    gen_value x = *layer;

    for (int64_t k = rng_in(&g->r, 1, 3); k > 0 && !g->failed; k--) {
        int64_t how = rng_in(&g->r, 0, 2);

        x = how == 0 ? written(g, &x) : how == 1 ? with_row(g, &x) : gen_pointwise_of(g, &x);
    }
    return x;
}

/* Puts X, layer AT of D, back along AXIS: as it is, or with an axis of size 1 for AXIS. */
static void put_back(generator *g, const gen_value *d, const gen_value *x, inlay_value *at,
                     int axis)
{
    inlay_value *in[4] = {d->value, at, x->value, gen_scalar(g, axis)};
    inlay_value *list[2] = {at, gen_ints(g, 1, (int64_t[]){0})};
    gen_value to = *d;

    if (rng_one_in(&g->r, 2)) {
        to.dims[axis] = 1;
        in[1] = gen_build(g, "Unsqueeze", list, 2, NULL);
        in[2] = shaped(g, x, &to).value;
    }
    gen_add(g, gen_build(g, "ScatterUpdate", in, 4, NULL), d->rank, d->dims);
}

/* l = Gather(d, i); l is changed; ScatterUpdate(d, i, l) */
void gen_update_layer(generator *g)
{
    gen_value d = gen_whole(g), x;
    int axis = rng_one_in(&g->r, 2) ? 0 : (int)rng_in(&g->r, 0, d.rank - 1);
    inlay_value *in[3] = {d.value}, *at;
    int64_t dims[INLAY_MAX_RANK];

    at = in[1] = number_below(g, 0, d.dims[axis]);
    in[2] = gen_scalar(g, axis);
    for (int i = 0, k = 0; i < d.rank; i++) {
        if (i != axis)
            dims[k++] = d.dims[i];
    }
    x = gen_add(g, gen_build(g, "Gather", in, 3, NULL), d.rank - 1, dims);
    if (!g->failed)
        x = changed(g, &x);
    if (rng_one_in(&g->r, 8))
        at = number_below(g, 0, d.dims[axis]);
    if (!g->failed)
        put_back(g, &d, &x, at, axis);
}

/* ---- tuples ---- */

/* Makes one component of N tuples, for an axis of SIZE elements, as an operand of the Concat that
 * makes the tuples. With RUN it is an input, the same number in all tuples. */
static inlay_value *component(generator *g, int64_t n, int64_t size, bool run)
{
    int64_t dims[2] = {n, 1}, x[4], first = rng_in(&g->r, 0, size - 1);
    bool from_end = rng_one_in(&g->r, 4);
    inlay_value *in[2];

    if (!run) {
        for (int64_t i = 0; i < n; i++)
            x[i] = (first + i) % size - (from_end ? size : 0);
        return gen_ints_of(g, 2, dims, x);
    }
    in[0] = gen_parameter(g, INLAY_I64, 2, (int64_t[]){1, 1}, false, from_end ? -size : 0,
                          g->o->safe || !rng_one_in(&g->r, 8) ? size - 1 : size);
    if (n == 1)
        return in[0];
    in[1] = gen_ints(g, 2, dims);
    return gen_build(g, "Broadcast", in, 2, NULL);
}

/* Makes N tuples of WIDTH indices into D. One component, sometimes two, is known only to a run. */
static inlay_value *joined_tuples(generator *g, const gen_value *d, int64_t n, int width)
{
    int said = (int)rng_in(&g->r, 0, width - 1), also = -1;
    inlay_value *in[INLAY_MAX_RANK];

    if (rng_one_in(&g->r, 4))
        also = (int)rng_in(&g->r, 0, width - 1);
    for (int i = 0; i < width; i++)
        in[i] = component(g, n, d->dims[i], gen_has_room(g) && (i == said || i == also));
    return gen_build(g, "Concat", in, width, "axis=1");
}

/* Gathers by tuples, computes on the result, and writes it, or something else, back by the same
 * tuples. */
void gen_update_tuples(generator *g)
{
    gen_value d = gen_whole(g), u = {.rank = 1};
    int width = d.rank < 2 ? 1 : (int)rng_in(&g->r, 2, d.rank);
    int64_t n = rng_one_in(&g->r, 2) ? 1 : rng_in(&g->r, 1, 3);
    inlay_value *in[3] = {d.value};

    in[1] = joined_tuples(g, &d, n, width);
    u.dims[0] = n;
    for (int i = width; i < d.rank; i++)
        u.dims[u.rank++] = d.dims[i];
    if (rng_one_in(&g->r, 2) && gen_allows(g, "GatherND")) {
        u = gen_add(g, gen_build(g, "GatherND", in, 2, NULL), u.rank, u.dims);
        u = g->failed ? u : computed(g, &u);
    } else {
        u.value = gen_of_dims(g, u.rank, u.dims);
    }
    in[2] = u.value;
    if (!g->failed)
        gen_add(g, gen_build(g, "ScatterNDUpdate", in, 3, NULL), d.rank, d.dims);
}
