/* Inputs that are written over through one slice only. An input that the caller keeps is copied
 * before something writes over it; but if all that writes does so in one slice, it is enough to
 * copy this slice, as the Slice would without its note:
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

/* Sets, by slot, in what the value stands: itself, if it is a slice of an input or owns its bytes.
 */
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

/* ONLY[x] becomes the slice of x through which x is written over; x itself: it is written over
 * otherwise too; SIZE_MAX: it is not. */
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
    size_t *in = calloc(p->steps->n_slots + 1, sizeof *in);
    size_t *only = calloc(p->steps->n_slots + 1, sizeof *only);
    bool ok = in && only;

    if (ok) {
        begin_chains(p, in);
        find_slices(p, in, only);
    }
    for (size_t x = 0; ok && x < p->steps->n_slots; x++) {
        if (only[x] != SIZE_MAX && only[x] != x)
            p->places[x].sliced = p->places[only[x]].sliced = true;
    }
    free(in);
    free(only);
    return ok;
}
