/* Values whose sizes depend on elements: the graph does not know them, but the makers do, because
 * an input has the same elements in every run. */
#include "generate/make.h"

#include <stdio.h>

/* Draws an axis of X with at least one element, and a number of elements, at most its size. False:
 * there is no such axis. */
static bool choose(generator *g, const gen_value *x, int *axis, int64_t *n)
{
    if (x->rank == 0 || !gen_has_room(g))
        return false;
    *axis = (int)rng_in(&g->r, 0, x->rank - 1);
    if (x->dims[*axis] == 0)
        return false;
    *n = rng_in(&g->r, 1, x->dims[*axis] < 6 ? x->dims[*axis] : 6);
    return true;
}

/* Gathers the elements of X at INDICES of AXIS. */
static inlay_value *gather(generator *g, const gen_value *x, inlay_value *indices, int axis)
{
    inlay_value *in[] = {x->value, indices, gen_scalar(g, axis)};

    return gen_build(g, "Gather", in, 3, NULL);
}

void gen_range(generator *g)
{
    gen_value x = gen_any(g);
    inlay_value *in[3];
    int64_t n;
    int axis;

    if (!choose(g, &x, &axis, &n))
        return;
    in[0] = gen_scalar(g, 0);
    in[1] = gen_parameter(g, INLAY_I64, 0, NULL, false, n, n);
    in[2] = gen_scalar(g, 1);
    x.value = gather(g, &x, gen_build(g, "Range", in, 3, "output_type=i64"), axis);
    x.dims[axis] = n;
    gen_add(g, x.value, x.rank, x.dims);
}

/* Makes the indices 0, 1, ..., of shape [1,n], as NonZero of ones. */
void gen_non_zero(generator *g)
{
    gen_value x = gen_any(g);
    inlay_value *ones;
    int64_t n, dims[INLAY_MAX_RANK];
    int axis;

    if (x.rank > 3 || !choose(g, &x, &axis, &n))
        return;
    ones = gen_parameter(g, INLAY_I32, 1, &n, false, 1, 1);
    x.value = gather(g, &x, gen_build(g, "NonZero", &ones, 1, NULL), axis);
    for (int i = 0; i <= x.rank; i++)
        dims[i] = i == axis ? 1 : i == axis + 1 ? n : x.dims[i < axis ? i : i - 1];
    gen_add(g, x.value, x.rank + 1, dims);
}

void gen_top(generator *g)
{
    gen_value x = gen_any(g);
    inlay_value *in[2] = {x.value};
    inlay_node *node;
    char attrs[80];
    int64_t n;
    int axis;

    if (!choose(g, &x, &axis, &n))
        return;
    in[1] = gen_parameter(g, INLAY_I64, 0, NULL, false, n, n);
    snprintf(attrs, sizeof attrs, "axis=%d; mode=max; sort=value", axis);
    node = gen_node(g, "TopK", NULL, in, 2, attrs);
    x.dims[axis] = n;
    gen_add(g, node ? &node->out[0] : NULL, x.rank, x.dims);
}

/* Reshapes a value to one axis whose size is an input. */
void gen_flat(generator *g)
{
    gen_value x = gen_any(g);
    int64_t n = gen_count(&x), one = 1;
    inlay_value *in[2] = {x.value};

    if (!gen_has_room(g))
        return;
    in[1] = gen_parameter(g, INLAY_I64, 1, &one, false, n, n);
    gen_add(g, gen_build(g, "Reshape", in, 2, "special_zero=false"), 1, &n);
}
