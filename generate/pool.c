/* The existing values, from which makers draw operands. */
#include "generate/generator.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

int64_t gen_count(const gen_value *v)
{
    int64_t n = 1;

    for (int i = 0; i < v->rank; i++)
        n *= v->dims[i];
    return n;
}

bool gen_is_small(const gen_value *v)
{
    return gen_count(v) <= 300;
}

static bool make_room(generator *g)
{
    int room = g->room ? 2 * g->room : 64;
    gen_value *values;

    if (g->n < g->room)
        return true;
    values = inlay_retake(NULL, g->values, (size_t)room * sizeof *values);
    if (!values)
        return inlay_fail_memory(g->diags);
    g->values = values;
    g->room = room;
    return true;
}

gen_value gen_add(generator *g, inlay_value *v, int rank, const int64_t *dims)
{
    gen_value added = {.value = v, .rank = rank};

    memcpy(added.dims, dims, (size_t)rank * sizeof *dims);
    g->failed = g->failed || !v || !make_room(g);
    if (!g->failed)
        g->values[g->n++] = added;
    return added;
}

static bool has_dims(const gen_value *v, int rank, const int64_t *dims)
{
    return v->rank == rank && memcmp(v->dims, dims, (size_t)rank * sizeof *dims) == 0;
}

gen_value gen_any(generator *g)
{
    int newest = g->o->mix == INLAY_GENERATE_MOVES ? 2 : 6;
    int from = rng_one_in(&g->r, 3) || g->n < newest ? 0 : g->n - newest;

    return g->values[rng_in(&g->r, from, g->n - 1)];
}

/* Draws a value with the sizes of the tensors that windows are cut from. The graph begins with such
 * values, so there always is one. */
gen_value gen_whole(generator *g)
{
    int i = g->n - 1, oldest = i < 63 ? 0 : i - 63;

    if (!rng_one_in(&g->r, 4)) {
        for (; i >= oldest; i--) {
            if (has_dims(&g->values[i], g->rank, g->dims))
                return g->values[i];
        }
    }
    do {
        i = (int)rng_in(&g->r, 0, g->n - 1);
    } while (!has_dims(&g->values[i], g->rank, g->dims));
    return g->values[i];
}

bool gen_same_dims(generator *g, int rank, const int64_t *dims, gen_value *out)
{
    for (int tries = 0; tries < 12; tries++) {
        *out = gen_any(g);
        if (has_dims(out, rank, dims))
            return true;
    }
    return false;
}

inlay_value *gen_of_dims(generator *g, int rank, const int64_t *dims)
{
    gen_value same;

    return gen_same_dims(g, rank, dims, &same) ? same.value : gen_constant(g, rank, dims);
}
