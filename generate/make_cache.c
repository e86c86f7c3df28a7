/* Growing states: each run appends rows, like the KV cache of a language model.
 *
 *     %past = ReadValue(%none)                 f32[2,?,4], without rows in the first run
 *     %all = Concat(%past, %new) {axis = 1}    two rows more in each run
 *     Assign(%all)                             or at most the last few of them
 *     %sums = MatMul(%new, %all)               a reader
 *
 * Makers do not know the number of rows, so only results with the same sizes in every run get into
 * the pool. */
#include "generate/make.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SHOWN = 4 }; /* see gen_row for these values, whose sizes are not known */

typedef struct cache {
    char id[16];
    int axis;       /* along which it grows */
    gen_value rows; /* the new ones */
} cache;

static inlay_value *read_cache(generator *g, const cache *c)
{
    char attrs[200];
    gen_value init = c->rows;
    inlay_node *n;

    init.dims[c->axis] = rng_one_in(&g->r, 3) ? rng_in(&g->r, 1, 2) : 0;
    init.value = gen_constant(g, init.rank, init.dims);
    snprintf(attrs, sizeof attrs, "variable_id=%s; variable_type=%s; variable_shape=", c->id,
             inlay_type_info_of(g->type)->name);
    for (int i = 0; i < init.rank; i++)
        snprintf(attrs + strlen(attrs), sizeof attrs - strlen(attrs),
                 i == c->axis ? "%s?" : "%s%lld", i ? "," : "", (long long)init.dims[i]);
    n = gen_node(g, "ReadValue", NULL, &init.value, 1, attrs);
    return n ? &n->out[0] : NULL;
}

/* Takes the last MOST rows of X. */
static inlay_value *last_rows(generator *g, const cache *c, inlay_value *x, int64_t most)
{
    inlay_value *in[5] = {x};

    in[1] = gen_ints(g, 1, (const int64_t[]){-most});
    in[2] = gen_ints(g, 1, (const int64_t[]){INT64_MAX});
    in[3] = gen_ints(g, 1, (const int64_t[]){1});
    in[4] = gen_ints(g, 1, (const int64_t[]){c->axis});
    return gen_build(g, "Slice", in, 5, NULL);
}

/* Appends the new rows to the past ones, which may first be reordered as for beam search. */
static inlay_value *grown(generator *g, const cache *c, inlay_value *past)
{
    inlay_value *parts[2] = {past, c->rows.value};
    gen_value beams = c->rows;
    char attrs[32];

    beams.value = past;
    if (c->axis != 0)
        parts[0] = gen_in_order(g, &beams);
    snprintf(attrs, sizeof attrs, "axis=%d", c->axis);
    return gen_build(g, "Concat", parts, 2, attrs);
}

/* Multiplies the new rows with all: this sums over the axis of rows. */
static inlay_value *scores(generator *g, const cache *c, inlay_value *all)
{
    inlay_value *in[2] = {c->rows.value, all};

    if (!inlay_type_is_float(g->type) || c->axis != c->rows.rank - 2 || !gen_allows(g, "MatMul"))
        return all;
    return gen_build(g, "MatMul", in, 2, "transpose_b=true");
}

/* Makes something read ALL: it becomes an output, or scores do, or sums of it join the pool. */
static void use(generator *g, const cache *c, inlay_value *all)
{
    gen_value sums = c->rows;
    inlay_value *in[2] = {all, NULL};

    if (rng_one_in(&g->r, 3) && gen_allows(g, "ReduceSum")) {
        in[1] = gen_scalar(g, c->axis);
        sums.dims[c->axis] = 1;
        gen_add(g, gen_build(g, "ReduceSum", in, 2, "keep_dims=true"), sums.rank, sums.dims);
        return;
    }
    if (rng_one_in(&g->r, 2))
        all = scores(g, c, all);
    else if (rng_one_in(&g->r, 2) && gen_allows(g, "Abs"))
        all = gen_build(g, "Abs", in, 1, NULL);
    if (!g->failed && g->graph->n_results < MOST_SHOWN)
        g->failed = !inlay_build_result(g->graph, "r", all, g->diags);
}

/* Draws the new rows. They are like the data of windows, except for their number. */
static bool draw_rows(generator *g, cache *c)
{
    gen_value *rows = &c->rows;

    rows->rank = g->rank;
    memcpy(rows->dims, g->dims, sizeof g->dims);
    c->axis = rows->rank > 1 && !rng_one_in(&g->r, 4) ? rows->rank - 2
                                                      : (int)rng_in(&g->r, 0, rows->rank - 1);
    rows->dims[c->axis] = rng_in(&g->r, 1, 3);
    for (int i = 0; i < rows->rank; i++) {
        if (rows->dims[i] == 0)
            return false;
    }
    rows->value = gen_of_dims(g, rows->rank, rows->dims);
    return true;
}

void gen_cache(generator *g, int k)
{
    cache c = {.axis = 0};
    inlay_value *past, *all;
    char attrs[40];

    if (!gen_allows(g, "ReadValue") || !gen_allows(g, "Concat") || !draw_rows(g, &c))
        return;
    snprintf(c.id, sizeof c.id, "c%d", k);
    past = read_cache(g, &c);
    all = grown(g, &c, past);
    if (rng_one_in(&g->r, 3) && gen_allows(g, "Slice"))
        all = last_rows(g, &c, all, rng_in(&g->r, 2, 6));
    if (!g->failed)
        use(g, &c, all);
    if (!g->failed && rng_one_in(&g->r, 6)) /* a second reader of the past rows */
        use(g, &c, past);
    snprintf(attrs, sizeof attrs, "variable_id=%s", c.id);
    gen_node(g, "Assign", NULL, &all, 1, attrs);
}
