/* Forms of states with spare capacity along an inner axis (states.c), their allocations, and the
 * allocations of all other values that have bytes of their own. */
#include "interp/exec/build/allocation.h"
#include "interp/exec/build/meta.h"

enum { LEAST_ROOM = 4 << 10 }; /* spare bytes of a new state, over all its periods */

/* Returns the capacity of a period of T, in rows, if T shows the filled part of a buffer with spare
 * rows behind AXIS; 0 if it does not. */
static int64_t capacity_of(const inlay_tensor *t, int axis)
{
    int64_t step = 1, rows = 0;

    if (axis >= t->rank || inlay_tensor_is_dense(t))
        return 0;
    for (int i = t->rank; i-- > 0;) {
        if (i < axis && t->dims[i] > 1 && rows == 0) {
            rows = step > 0 && t->strides[i] % step == 0 ? t->strides[i] / step : 0;
            step = t->strides[i];
        }
        if (t->dims[i] > 1 && t->strides[i] != step)
            return 0;
        step *= i == axis ? 1 : t->dims[i]; /* of an axis before AXIS: number of periods */
    }
    return rows;
}

/* Returns the capacity, in rows, that a period of a new state of DIMS gets; SIZE bytes of the state
 * are filled. */
static int64_t new_capacity(const int64_t *dims, int axis, size_t size)
{
    int64_t row = (int64_t)size / dims[axis], more = row > 0 ? (LEAST_ROOM + row - 1) / row : 0;

    more = more > dims[axis] ? more : dims[axis];
    return dims[axis] > INT64_MAX - more ? dims[axis] : dims[axis] + more;
}

/* Returns the capacity of the periods, in rows, of the state that SLOT will become, of DIMS and
 * SIZE bytes; 0 if it has no periods. */
static int64_t find_capacity(const exec_builder *b, size_t slot, const int64_t *dims, size_t size)
{
    const exec_growth *g = &b->plan->growth[slot];
    const inlay_tensor *state =
        g->axis > 0 && g->variable < b->outside->n_states ? b->outside->state[g->variable] : NULL;
    int64_t outer = 1, had = state ? capacity_of(state, g->axis) : 0;

    for (int i = 0; i < g->axis; i++)
        outer *= dims[i];
    if (g->axis <= 0 || outer <= 1 || size == 0)
        return 0;
    return had >= dims[g->axis] ? had : new_capacity(dims, g->axis, size);
}

/* Gives the value of SLOT, whose type and dims are F's, an allocation of periods with a capacity of
 * ROWS, unless that is too large. False: out of memory. */
static bool in_periods(exec_builder *b, size_t slot, const inlay_fact *f, int axis, int64_t rows)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], outer = 1, was;
    inlay_tensor *dense, *t;
    size_t bytes, allocation;

    inlay_fact_dims(f, dims);
    for (int i = 0; i < axis; i++)
        outer *= dims[i];
    was = dims[axis];
    dims[axis] = rows;
    if (!inlay_count_bytes(f->type, f->rank, dims, &bytes) ||
        bytes > b->plan->set->most_room - b->periods ||
        (allocation = build_allocation(b, EXEC_ARENA, slot, bytes)) == SIZE_MAX)
        return true;
    b->periods += bytes;
    b->x->allocations[allocation].state.axis = axis;
    b->x->allocations[allocation].state.period = bytes / (uint64_t)outer;
    dense = inlay_tensor_over_in(b->scratch, NULL, b->x->allocations[allocation].fake, f->type,
                                 f->rank, dims);
    strides_dense(f->rank, dims, strides);
    dims[axis] = was;
    t = dense ? inlay_tensor_window_in(b->x->memory, dense, f->rank, dims, strides, 0) : NULL;
    inlay_tensor_release(dense);
    return build_value(b, slot, allocation, t);
}

/* Gives it a dense allocation, unless that is too large for the address space. False: out of
 * memory. */
static bool in_one_piece(exec_builder *b, size_t slot, const inlay_fact *f)
{
    size_t bytes, allocation = SIZE_MAX;

    if (inlay_fact_bytes(f, &bytes))
        allocation = build_allocation(b, EXEC_ARENA, slot, bytes);
    if (allocation == SIZE_MAX)
        return true;
    return build_value(b, slot, allocation,
                       build_dense(b->x->memory, f, b->x->allocations[allocation].fake));
}

bool build_own_allocation(exec_builder *b, size_t slot, const inlay_fact *f)
{
    int64_t dims[INLAY_MAX_RANK], rows;
    size_t bytes;

    if (!inlay_fact_bytes(f, &bytes) || !inlay_fact_dims(f, dims))
        return true;
    rows = find_capacity(b, slot, dims, bytes);
    if (rows > 0 && !in_periods(b, slot, f, b->plan->growth[slot].axis, rows))
        return false;
    return (rows > 0 && b->x->meta[slot]) || in_one_piece(b, slot, f);
}

/* Selected rows */

/* Returns whether T and F have the same dims. */
static bool has_dims_of(const inlay_tensor *t, const inlay_fact *f)
{
    bool same = t->rank == f->rank && t->type == f->type && inlay_tensor_count(t) > 0;

    for (int i = 0; same && i < t->rank; i++)
        same = f->dims[i].lo == t->dims[i];
    return same;
}

bool build_picked(exec_builder *b, size_t slot, bool *done)
{
    const exec_pick *pick = &b->plan->picks[slot];
    const inlay_tensor *state = pick->picks && pick->variable < b->outside->n_states
                                    ? b->outside->state[pick->variable]
                                    : NULL;
    int64_t rows = state ? capacity_of(state, pick->grows) : 0;
    size_t allocation;

    *done = state && !b->outside->any && has_dims_of(state, b->fact[slot]) &&
            (rows > 0 || inlay_tensor_is_dense(state));
    if (!*done)
        return true;
    if (rows > 0 ? !in_periods(b, slot, b->fact[slot], pick->grows, rows)
                 : !in_one_piece(b, slot, b->fact[slot]))
        return false;
    allocation = b->x->allocation[slot];
    *done = allocation != SIZE_MAX;
    if (*done) {
        b->x->allocations[allocation].root = EXEC_HEAP;
        b->x->allocations[allocation].state.pick = pick;
    }
    return true;
}
