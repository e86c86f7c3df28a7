/* Inputs that are overwritten only within one slice. An input that the caller keeps is copied
 * before it is overwritten. If all writes are in one slice, it is enough to copy this slice, as the
 * Slice would without its note:
 *
 *     %s = Slice(%x, 0, 1, 1)           view of x
 *     %r = ScatterUpdate(%s, ...)       overwrites s
 */
#include "interp/exec/plan/sliced.h"
#include "ir/shared.h"

#include <stdlib.h>

static bool is_slice_of_input(const exec_plan *p, const inlay_value *v)
{
    const inlay_value *from = p->places[steps_slot(p->steps, v)].kind == INLAY_VIEW_OF
                                  ? inlay_node_input(v->node, 0)
                                  : NULL;

    return from && (v->node->op->flags & INLAY_CUTS) &&
           inlay_node_is(from->node, INLAY_OP_PARAMETER);
}

/* Sets for each slot what the value is stored in: itself, if it is a slice of an input or owns its
 * bytes. */
static void begin_chains(const exec_plan *p, size_t *in)
{
    for (size_t i = 0; i < p->steps->n; i++) {
        const inlay_node *n = p->steps->list[i].node;

        for (int k = 0; k < n->n_out; k++) {
            size_t slot = steps_slot(p->steps, &n->out[k]);

            in[slot] = is_slice_of_input(p, &n->out[k]) ? slot : p->places[slot].target;
        }
    }
}

size_t exec_find_owner(size_t *owner, size_t slot)
{
    while (owner[slot] != slot) {
        owner[slot] = owner[owner[slot]];
        slot = owner[slot];
    }
    return slot;
}

/* Sets ONLY[x] for each input x: the slice of x within which all writes are; x itself if some write
 * is elsewhere; SIZE_MAX if there is no write. */
static void find_slices(const exec_plan *p, size_t *in, size_t *only)
{
    for (size_t i = 0; i < p->steps->n_slots; i++)
        only[i] = SIZE_MAX;
    for (size_t i = 0; i < p->steps->n_slots; i++) {
        size_t end = exec_find_owner(in, i), x;

        if (!exec_writes_over(&p->places[i]))
            continue;
        x = p->places[end].kind == INLAY_VIEW_OF ? p->places[end].target : end;
        only[x] = only[x] == SIZE_MAX || only[x] == end ? end : x;
    }
}

bool exec_plan_slices(exec_plan *p)
{
    size_t *in = inlay_take(inlay_graph_budget(p->steps->graph), p->steps->n_slots + 1, sizeof *in);
    size_t *only =
        inlay_take(inlay_graph_budget(p->steps->graph), p->steps->n_slots + 1, sizeof *only);
    bool ok = in && only;

    if (ok) {
        begin_chains(p, in);
        find_slices(p, in, only);
    }
    for (size_t x = 0; ok && x < p->steps->n_slots; x++) {
        if (only[x] != SIZE_MAX && only[x] != x)
            p->places[x].sliced = p->places[only[x]].sliced = true;
    }
    inlay_give(in);
    inlay_give(only);
    return ok;
}
