/* Windows that are read, computed on and written. */
#include "generate/make.h"

#include <string.h>

/* Makes x = Slice(d, w); y = f(x); r = SliceScatter(d, y, w), and varies it in all the ways that
 * may make the rewrite invalid. */
void gen_update_window(generator *g)
{
    gen_value d = gen_whole(g), from, x;
    gen_window w = gen_make_window(g, &d), row;

    from = rng_one_in(&g->r, 6) ? gen_whole(g) : d;
    if (rng_one_in(&g->r, 6)) { /* an additional value for the chain to use as other operand */
        row = w;
        gen_first_row(g, &row);
        gen_slice(g, &from, &row);
    }
    x = gen_slice(g, &from, &w);
    for (int64_t k = rng_in(&g->r, 0, 3); k > 0 && !g->failed; k--)
        x = gen_pointwise_of(g, &x);
    if (rng_one_in(&g->r, 6)) /* another node between */
        gen_pointwise(g);
    if (rng_one_in(&g->r, 4))
        gen_window_operands(g, &w); /* equal constants, but other nodes */
    if (rng_one_in(&g->r, 8))
        gen_other_window(g, &w);
    gen_scatter(g, &d, x.value, &w);
}

static void write_into(generator *g, const gen_value *d)
{
    gen_window w = gen_make_window(g, d);
    inlay_value *updates = gen_of_dims(g, d->rank, w.dims);

    gen_scatter(g, d, updates, &w);
}

void gen_write_whole(generator *g)
{
    gen_value d = gen_whole(g);

    write_into(g, &d);
}

void gen_slice_any(generator *g)
{
    gen_value x = gen_any(g);
    gen_window w;

    if (x.rank == 0 || gen_count(&x) == 0)
        return;
    w = gen_make_window(g, &x);
    gen_slice(g, &x, &w);
}

void gen_write_any(generator *g)
{
    gen_value d = gen_any(g);

    if (d.rank > 0 && gen_count(&d) > 0)
        write_into(g, &d);
}

/* Applies the same operation to the data and the updates of a scatter. */
void gen_write_pair(generator *g)
{
    gen_value d = gen_any(g);
    gen_window w;
    inlay_value *updates;

    if (d.rank == 0 || gen_count(&d) == 0)
        return;
    w = gen_make_window(g, &d);
    updates = gen_of_dims(g, d.rank, w.dims);
    d.value = gen_build(g, "Abs", &d.value, 1, NULL);
    updates = gen_build(g, "Abs", &updates, 1, NULL);
    gen_scatter(g, &d, updates, &w);
}

void gen_strided_slice(generator *g)
{
    gen_value x = gen_any(g);
    inlay_value *in[4] = {x.value};
    int64_t start, stop, step;
    inlay_window w;

    if (x.rank == 0)
        return;
    start = rng_in(&g->r, 0, 2);
    stop = rng_in(&g->r, 2, 5);
    step = rng_in(&g->r, 1, 2);
    w = inlay_window_normalise(start, stop, step, x.dims[0]);
    in[1] = gen_ints(g, 1, (int64_t[]){w.begin});
    in[2] = gen_ints(g, 1, (int64_t[]){w.begin + w.step * w.count});
    in[3] = gen_ints(g, 1, (int64_t[]){w.step});
    x.dims[0] = w.count;
    gen_add(g, gen_build(g, "StridedSlice", in, 4, "begin_mask=0; end_mask=0"), x.rank, x.dims);
}
