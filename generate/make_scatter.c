/* Scatters and gathers by indices. */
#include "generate/make.h"

#include <stdio.h>
#include <string.h>

static int any_axis(generator *g, const gen_value *x)
{
    return x->rank ? (int)rng_in(&g->r, 0, x->rank - 1) : 0;
}

static const char *sometimes(generator *g, int one_in, const char *attrs)
{
    return rng_one_in(&g->r, one_in) ? attrs : NULL;
}

/* ---- into the tensors that windows are cut from, at any indices ---- */

/* Makes indices below SIZE. Those that are an input may be out of range by one. */
static inlay_value *any_indices(generator *g, int64_t n, int64_t size)
{
    int64_t x[8];

    if (rng_one_in(&g->r, 4) && gen_has_room(g))
        return gen_parameter(g, INLAY_I64, 1, &n, false, 0,
                             rng_one_in(&g->r, 3) && !g->o->safe ? size : size - 1);
    for (int64_t i = 0; i < n; i++)
        x[i] = rng_in(&g->r, 0, size - 1);
    return gen_ints(g, (int)n, x);
}

void gen_write_rows(generator *g)
{
    gen_value d = gen_whole(g), same;
    int axis = any_axis(g, &d);
    int64_t dims[INLAY_MAX_RANK], n = rng_in(&g->r, 1, 3);
    inlay_value *in[4] = {d.value};
    bool there;

    memcpy(dims, d.dims, sizeof dims);
    dims[axis] = n;
    there = gen_same_dims(g, d.rank, dims, &same);
    in[1] = any_indices(g, n, d.dims[axis]);
    in[2] = there ? same.value : gen_constant(g, d.rank, dims);
    in[3] = gen_scalar(g, axis);
    gen_add(g, gen_build(g, "ScatterUpdate", in, 4, NULL), d.rank, d.dims);
}

/* The row index V plus one. */
static inlay_value *next_row(generator *g, inlay_value *v)
{
    inlay_value *in[2] = {v, gen_ints(g, 1, (int64_t[]){1})};

    return gen_build(g, "Add", in, 2, NULL);
}

/* Writes X over the rows AT of D: by a ScatterUpdate, or, along axis 0, perhaps by a
 * ScatterNDUpdate. */
static void put_rows(generator *g, const gen_value *d, int axis, inlay_value *at, inlay_value *x)
{
    inlay_value *in[4] = {d->value, at, x, gen_scalar(g, axis)};
    inlay_value *tuples[2] = {at, gen_ints(g, 1, (int64_t[]){1})};
    bool nd = axis == 0 && rng_one_in(&g->r, 3);

    if (nd)
        in[1] = gen_build(g, "Unsqueeze", tuples, 2, NULL);
    gen_add(g,
            nd ? gen_build(g, "ScatterNDUpdate", in, 3, NULL)
               : gen_build(g, "ScatterUpdate", in, 4, NULL),
            d->rank, d->dims);
}

/* Draws N different numbers below SIZE into X; N is at most SIZE. */
static void draw_distinct(generator *g, int64_t n, int64_t size, int64_t *x)
{
    int64_t first = rng_in(&g->r, 0, size - 1), step = 1;

    while (step < size && (size % (step + 1) == 0 || rng_one_in(&g->r, 2)))
        step++; /* ends with a step that may meet a number again, which is moved on then */
    for (int64_t i = 0, at = first; i < n; i++, at += step) {
        x[i] = at % size;
        for (int64_t k = 0; k < i; k++) {
            if (x[k] == x[i]) {
                x[i] = (x[i] + 1) % size;
                k = -1;
            }
        }
    }
}

/* Takes the indices that TopK finds in an input of SIZE numbers. */
static inlay_value *found_indices(generator *g, int64_t n, int64_t size)
{
    inlay_value *in[2] = {gen_parameter(g, INLAY_F32, 1, &size, false, 0, 0), gen_scalar(g, n)};
    inlay_node *top =
        gen_node(g, "TopK", NULL, in, 2, "axis=0;mode=max;sort=value;index_element_type=i64");

    return top ? &top->out[1] : NULL;
}

/* Makes indices of N different rows below SIZE: in equal steps; in any order, some of them
 * negative, which ScatterUpdate refuses; or found by TopK. They may then be moved on by one, so
 * that the last row is out of range. */
static inlay_value *distinct_indices(generator *g, int64_t n, int64_t size)
{
    int64_t x[3];
    bool finds = gen_has_room(g) && gen_allows(g, "TopK") && rng_one_in(&g->r, 2);

    if (finds && n < size && rng_one_in(&g->r, 2))
        return next_row(g, found_indices(g, n, size - (g->o->safe || rng_one_in(&g->r, 2))));
    if (finds)
        return found_indices(g, n, size);
    draw_distinct(g, n, size, x);
    if (rng_one_in(&g->r, 2))
        x[n - 1] = n - 1 < 2 ? x[n - 1] : x[n - 1] - (g->o->safe ? 0 : size);
    return gen_ints(g, (int)n, x);
}

/* Gathers rows, computes on them, and puts them back where they were, or one row further. The
 * indices are a single input, different rows, or any rows, some of which may occur twice. */
void gen_update_rows(generator *g)
{
    gen_value d = gen_whole(g), rows;
    int axis = any_axis(g, &d);
    int64_t dims[INLAY_MAX_RANK], n = rng_in(&g->r, 1, 3);
    bool distinct = n > 1 && n <= d.dims[axis] && !rng_one_in(&g->r, 3);
    inlay_value *in[3] = {d.value}, *at;

    at = distinct ? distinct_indices(g, n, d.dims[axis]) : any_indices(g, n, d.dims[axis]);
    if (!at)
        return;
    in[1] = at;
    in[2] = gen_scalar(g, axis);
    memcpy(dims, d.dims, sizeof dims);
    dims[axis] = n;
    rows = gen_add(g, gen_build(g, "Gather", in, 3, NULL), d.rank, dims);
    for (int64_t k = rng_in(&g->r, 0, 2); k > 0 && !g->failed; k--)
        rows = gen_pointwise_of(g, &rows);
    if (n == 1 && rng_one_in(&g->r, 4) && !g->o->safe)
        at = next_row(g, at);
    if (!g->failed)
        put_rows(g, &d, axis, at, rows.value);
}

/* Gathers elements of two axes (or slices of the other axes) by pairs of indices, computes on them,
 * and puts them back. All pairs are different, or the first one occurs twice. */
void gen_update_pairs(generator *g)
{
    gen_value d = gen_whole(g), some;
    int64_t dims[INLAY_MAX_RANK] = {rng_in(&g->r, 1, 3)}, x[6], y[3];
    inlay_value *in[3] = {d.value};

    if (d.rank < 2 || d.dims[0] < dims[0] || d.dims[1] < 1)
        return;
    draw_distinct(g, dims[0], d.dims[0], y);
    for (int64_t i = 0; i < dims[0]; i++) {
        x[2 * i] = y[i];
        x[2 * i + 1] = rng_in(&g->r, -d.dims[1], d.dims[1] - 1);
    }
    if (dims[0] > 1 && rng_one_in(&g->r, 4))
        memcpy(x + 2 * (dims[0] - 1), x, 2 * sizeof *x);
    in[1] = gen_ints_of(g, 2, (int64_t[]){dims[0], 2}, x);
    for (int i = 2; i < d.rank; i++)
        dims[i - 1] = d.dims[i];
    some = gen_add(g, gen_build(g, "GatherND", in, 2, NULL), d.rank - 1, dims);
    for (int64_t k = rng_in(&g->r, 1, 2); k > 0 && !g->failed; k--)
        some = gen_pointwise_of(g, &some);
    in[2] = some.value;
    if (!g->failed)
        gen_add(g, gen_build(g, "ScatterNDUpdate", in, 3, NULL), d.rank, d.dims);
}

/* Makes a ScatterNDUpdate of whole slices of axis 0, which sometimes adds to what is there. */
void gen_write_tuples(generator *g)
{
    gen_value d = gen_whole(g), same;
    int64_t dims[INLAY_MAX_RANK], n = rng_in(&g->r, 1, 3), x[3];
    inlay_value *in[3] = {d.value};
    bool there;

    memcpy(dims, d.dims, sizeof dims);
    dims[0] = n;
    there = gen_same_dims(g, d.rank, dims, &same);
    for (int i = 0; i < n; i++)
        x[i] = rng_in(&g->r, 0, d.dims[0] - 1);
    in[1] = gen_ints_of(g, 2, (int64_t[]){n, 1}, x);
    in[2] = there ? same.value : gen_constant(g, d.rank, dims);
    gen_add(g, gen_build(g, "ScatterNDUpdate", in, 3, sometimes(g, 2, "reduction=sum")), d.rank,
            d.dims);
}

/* Makes a ScatterElementsUpdate of a row or two; indices may occur twice. */
void gen_write_elements(generator *g)
{
    gen_value d = gen_whole(g), same;
    int axis = any_axis(g, &d);
    int64_t dims[INLAY_MAX_RANK], x[512], n = 1;
    inlay_value *in[4] = {d.value};
    bool there;

    memcpy(dims, d.dims, sizeof dims);
    dims[axis] = rng_in(&g->r, 1, d.dims[axis]);
    for (int i = 0; i < d.rank; i++)
        n *= dims[i];
    for (int64_t i = 0; i < n; i++)
        x[i] = rng_in(&g->r, -d.dims[axis], d.dims[axis] - 1);
    there = gen_same_dims(g, d.rank, dims, &same);
    in[1] = gen_ints_of(g, d.rank, dims, x);
    in[2] = there ? same.value : gen_constant(g, d.rank, dims);
    in[3] = gen_scalar(g, axis);
    gen_add(g, gen_build(g, "ScatterElementsUpdate", in, 4, sometimes(g, 3, "reduction=sum")),
            d.rank, d.dims);
}

/* ---- of any value, at indices that come again ---- */

/* Draws one of a few lists of indices of an axis of SIZE. FROM_END: negative ones. */
static inlay_value *few_indices(generator *g, int64_t n, int64_t size, bool from_end)
{
    int64_t x[4], first = rng_in(&g->r, 0, size > 2 ? 1 : 0), step = rng_one_in(&g->r, 4) ? 0 : 1;

    for (int64_t i = 0; i < n; i++)
        x[i] = (first + i * step) % size - (from_end ? size : 0);
    return gen_ints(g, (int)n, x);
}

static void gather_one(generator *g, const char *version, gen_value *x, int axis)
{
    inlay_value *in[3] = {x->value};
    inlay_node *n;

    in[1] = gen_scalar(g, 0);
    in[2] = gen_scalar(g, axis);
    n = gen_node(g, "Gather", version, in, 3, NULL);
    for (int i = axis; i + 1 < x->rank; i++)
        x->dims[i] = x->dims[i + 1];
    gen_add(g, n ? &n->out[0] : NULL, x->rank - 1, x->dims);
}

void gen_gather(generator *g)
{
    static const char *const versions[] = {"opset1", "opset7", "opset8"};
    const char *version = versions[rng_in(&g->r, 0, 2)];
    gen_value x = gen_any(g);
    int axis = any_axis(g, &x);
    int64_t n = rng_in(&g->r, 1, 3);
    inlay_value *in[3] = {x.value};
    inlay_node *node;

    if (x.rank == 0 || x.dims[axis] == 0)
        return;
    if (rng_one_in(&g->r, 4)) { /* with a scalar index the axis disappears */
        gather_one(g, version, &x, axis);
        return;
    }
    in[1] = few_indices(g, n, x.dims[axis], rng_one_in(&g->r, 3));
    in[2] = gen_scalar(g, rng_one_in(&g->r, 3) ? axis - x.rank : axis);
    x.dims[axis] = n;
    node = gen_node(g, "Gather", version, in, 3, NULL);
    gen_add(g, node ? &node->out[0] : NULL, x.rank, x.dims);
}

void gen_scatter_rows(generator *g)
{
    gen_value d = gen_any(g);
    int axis = any_axis(g, &d);
    int64_t dims[INLAY_MAX_RANK], n = rng_in(&g->r, 1, 3);
    inlay_value *in[4] = {d.value};

    if (d.rank == 0 || d.dims[axis] == 0)
        return;
    memcpy(dims, d.dims, sizeof dims);
    dims[axis] = n;
    in[1] = few_indices(g, n, d.dims[axis], false);
    in[2] = gen_of_dims(g, d.rank, dims);
    in[3] = gen_scalar(g, axis);
    gen_add(g, gen_build(g, "ScatterUpdate", in, 4, NULL), d.rank, d.dims);
}

/* Makes indices, of at most two positions of each axis of D, that are the same in every graph, so
 * that scatters and gathers have indices in common. Their dims are put in U. NULL: D has no axis.
 */
static inlay_value *element_indices(generator *g, const gen_value *d, int axis, gen_value *u)
{
    int64_t x[16], size;

    *u = *d;
    for (int i = 0; i < d->rank; i++)
        u->dims[i] = d->dims[i] > 2 ? 2 : d->dims[i];
    size = gen_count(u);
    if (d->rank == 0 || d->dims[axis] == 0 || size > 16)
        return NULL;
    for (int64_t i = 0; i < size; i++)
        x[i] = i % d->dims[axis];
    return gen_ints_of(g, d->rank, u->dims, x);
}

void gen_scatter_elements(generator *g)
{
    gen_value d = gen_any(g), u;
    int axis = any_axis(g, &d);
    inlay_value *in[4] = {d.value, element_indices(g, &d, axis, &u)};

    if (!in[1])
        return;
    in[2] = gen_of_dims(g, d.rank, u.dims);
    in[3] = gen_scalar(g, axis);
    gen_add(g, gen_build(g, "ScatterElementsUpdate", in, 4, sometimes(g, 3, "reduction=max")),
            d.rank, d.dims);
}

void gen_gather_elements(generator *g)
{
    gen_value d = gen_any(g), u;
    int axis = any_axis(g, &d);
    inlay_value *in[2] = {d.value, element_indices(g, &d, axis, &u)};
    char attrs[32];

    if (!in[1])
        return;
    for (int i = 0; i < d.rank; i++) { /* the other dims must be those of D */
        if (i != axis && u.dims[i] != d.dims[i])
            return;
    }
    snprintf(attrs, sizeof attrs, "axis=%d", axis);
    gen_add(g, gen_build(g, "GatherElements", in, 2, attrs), u.rank, u.dims);
}

/* Makes one or two tuples, each the index of a row of D. U gets the dims of these rows. NULL: D has
 * no axis. */
static inlay_value *tuples(generator *g, const gen_value *d, gen_value *u)
{
    int64_t n = rng_in(&g->r, 1, 2), x[2];

    *u = *d;
    if (d->rank == 0 || d->dims[0] == 0)
        return NULL;
    u->dims[0] = n;
    for (int i = 0; i < n; i++)
        x[i] = i % d->dims[0];
    return gen_ints_of(g, 2, (int64_t[]){n, 1}, x);
}

void gen_scatter_tuples(generator *g)
{
    gen_value d = gen_any(g), u;
    inlay_value *in[3] = {d.value, tuples(g, &d, &u)};

    if (!in[1])
        return;
    in[2] = gen_of_dims(g, d.rank, u.dims);
    gen_add(g, gen_build(g, "ScatterNDUpdate", in, 3, NULL), d.rank, d.dims);
}

void gen_gather_tuples(generator *g)
{
    gen_value d = gen_any(g), u;
    inlay_value *in[2] = {d.value, tuples(g, &d, &u)};

    if (in[1])
        gen_add(g, gen_build(g, "GatherND", in, 2, NULL), u.rank, u.dims);
}
