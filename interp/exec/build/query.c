/* What other files ask of an instance. */
#include "interp/exec/build/query.h"

bool exec_is_placed(const exec_plan *p, const exec_instance *x, size_t slot)
{
    size_t allocation = slot == SIZE_MAX ? SIZE_MAX : x->allocation[slot];

    return allocation != SIZE_MAX && p->places && p->places[slot].kind != INLAY_FRESH &&
           x->allocations[allocation].slot != slot;
}

bool exec_is_made_in(const exec_plan *p, const exec_instance *x, size_t slot)
{
    return exec_is_placed(p, x, slot) && p->places[slot].kind == INLAY_INTO;
}

const inlay_tensor *exec_result_form(const exec_instance *x, int r)
{
    size_t slot = x->steps->results[r];
    const exec_allocation *u = x->allocation[slot] == SIZE_MAX
                                   ? NULL
                                   : &x->allocations[x->allocations[x->allocation[slot]].same];

    return u && u->result == r ? x->meta[slot] : NULL;
}

bool exec_slice_is_copied(const exec_plan *p, const exec_instance *x, size_t slot)
{
    const exec_place *place = &p->places[slot];
    size_t allocation =
        place->sliced && place->kind == INLAY_VIEW_OF ? x->allocation[place->target] : SIZE_MAX;

    return allocation != SIZE_MAX && x->allocations[allocation].root == EXEC_INPUT &&
           !x->allocations[allocation].ours;
}
