/* Windows: which elements of a value a Slice reads and a SliceScatter writes. */
#include "generate/generator.h"

#include <string.h>

/* Makes an operand whose last element is not known to the graph. */
static inlay_value *joined_ints(generator *g, int n, const int64_t *x)
{
    inlay_value *in[2] = {gen_ints(g, n - 1, x)};

    in[1] = gen_parameter(g, INLAY_I64, 1, (int64_t[]){1}, false, x[n - 1], x[n - 1]);
    return gen_build(g, "Concat", in, 2, "axis=0");
}

/* Makes an operand none of whose elements are known to the graph. */
static inlay_value *unknown_ints(generator *g, int n, const int64_t *x)
{
    inlay_value *in[2];

    if (n > 1 && g->o->mix == INLAY_GENERATE_PLACES && gen_has_room(g) && gen_allows(g, "Concat"))
        return joined_ints(g, n, x);
    if (n != 1 || !gen_has_room(g) || !gen_allows(g, "Add"))
        return gen_ints(g, n, x);
    in[0] = gen_parameter(g, INLAY_I64, 1, (int64_t[]){1}, false, 0, 0);
    in[1] = gen_ints(g, n, x);
    return gen_build(g, "Add", in, 2, NULL);
}

void gen_window_operands(generator *g, gen_window *w)
{
    bool unknown = rng_one_in(&g->r, 6);
    int64_t start[4], stop[4], step[4];

    for (int i = 0; i < w->n; i++)
        inlay_window_denormalise(w->at[i], w->sizes[i], &start[i], &stop[i], &step[i]);
    w->in[0] = unknown ? unknown_ints(g, w->n, start) : gen_ints(g, w->n, start);
    w->in[1] = gen_ints(g, w->n, stop);
    w->in[2] = gen_ints(g, w->n, step);
    w->in[3] = gen_ints(g, w->n, w->axes);
}

/* Takes a window that was used before, if it is of a value with D's dims. */
static bool take_again(generator *g, const gen_value *d, gen_window *w)
{
    for (int tries = 0; g->n_windows > 0 && tries < 3; tries++) {
        int last = g->n_windows < GEN_WINDOWS_KEPT ? g->n_windows : GEN_WINDOWS_KEPT;
        const gen_window *at = &g->windows[rng_in(&g->r, 0, last - 1)];

        if (at->rank != d->rank || memcmp(at->of, d->dims, (size_t)d->rank * sizeof *d->dims) != 0)
            continue;
        *w = *at;
        gen_window_operands(g, w);
        return true;
    }
    return false;
}

/* Draws positions of an axis of SIZE, rarely an empty range. */
static inlay_window positions(generator *g, int64_t size)
{
    int64_t count = rng_in(&g->r, 1, size), step, first;

    if (rng_one_in(&g->r, 30))
        count = 0;
    step = count > 1 ? rng_in(&g->r, 1, (size - 1) / (count - 1)) : 1;
    first = count ? rng_in(&g->r, 0, size - 1 - step * (count - 1)) : 0;
    if (count > 1 && rng_one_in(&g->r, 6))
        return (inlay_window){first + step * (count - 1), count, -step};
    return (inlay_window){first, count, step};
}

/* Cuts at least one axis of D. */
static void cut(generator *g, const gen_value *d, gen_window *w)
{
    int always = (int)rng_in(&g->r, 0, d->rank - 1);

    for (int i = 0; i < d->rank && w->n < 4; i++) {
        if (i != always && !rng_one_in(&g->r, 3))
            continue;
        w->at[w->n] = positions(g, d->dims[i]);
        w->axes[w->n] = rng_one_in(&g->r, 4) ? i - d->rank : i;
        w->sizes[w->n] = d->dims[i];
        w->dims[i] = w->at[w->n].count;
        w->n++;
    }
}

/* Windows are remembered, to be used again, in graphs of moves only: nothing but rules looks at
 * whether two windows are equal. */
gen_window gen_make_window(generator *g, const gen_value *d)
{
    bool keeps = g->o->mix == INLAY_GENERATE_MOVES;
    gen_window w = {.rank = d->rank};

    if (keeps && rng_one_in(&g->r, 2) && take_again(g, d, &w))
        return w;
    memcpy(w.dims, d->dims, sizeof w.dims);
    memcpy(w.of, d->dims, sizeof w.of);
    cut(g, d, &w);
    gen_window_operands(g, &w);
    if (keeps)
        g->windows[g->n_windows++ % GEN_WINDOWS_KEPT] = w;
    return w;
}

void gen_other_window(generator *g, gen_window *w)
{
    int i = (int)rng_in(&g->r, 0, w->n - 1);
    inlay_window *at = &w->at[i];
    int64_t by = rng_one_in(&g->r, 2) ? 1 : at->count;
    int64_t last = at->begin + at->step * (at->count - 1);

    if (rng_one_in(&g->r, 2) && at->count > 1)
        *at = (inlay_window){last, at->count, -at->step};
    else if (at->count > 0 && at->begin + by < w->sizes[i] && last + by < w->sizes[i])
        at->begin += by;
    gen_window_operands(g, w);
}

void gen_first_row(generator *g, gen_window *w)
{
    int i = (int)rng_in(&g->r, 0, w->n - 1);
    int64_t axis = w->axes[i] < 0 ? w->axes[i] + w->rank : w->axes[i];

    if (w->at[i].count == 0)
        return;
    w->at[i].count = w->dims[axis] = 1;
    gen_window_operands(g, w);
}

gen_value gen_slice(generator *g, const gen_value *d, const gen_window *w)
{
    inlay_value *in[] = {d->value, w->in[0], w->in[1], w->in[2], w->in[3]};

    return gen_add(g, gen_build(g, "Slice", in, 5, NULL), d->rank, w->dims);
}

void gen_scatter(generator *g, const gen_value *d, inlay_value *updates, const gen_window *w)
{
    inlay_value *in[] = {d->value, updates, w->in[0], w->in[1], w->in[2], w->in[3]};

    gen_add(g, gen_build(g, "SliceScatter", in, 6, NULL), d->rank, d->dims);
}
