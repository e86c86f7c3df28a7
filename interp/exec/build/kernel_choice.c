/* Which steps are computed by kernels of the library, and which constants these need packed. */
#include "interp/exec/build/kernel_choice.h"
#include "interp/exec/plan/packed.h"
#include "interp/library/library.h"

bool build_library(exec_builder *b)
{
    const inlay_node *n = b->now->step->node;
    const library_kernel *k = exec_plan_library(b->plan, n);
    const inlay_tensor **in = inlay_arena_array(b->scratch, (size_t)n->n_in + 1, sizeof *in);
    inlay_call c = {.node = n, .in = in, .n_in = n->n_in};
    bool known = b->now->kind != EXEC_WALK;

    if (!known)
        b->now->kernel = (exec_kernel_call){0};
    if (!k)
        return true;
    if (!in)
        return false;
    for (int i = 0; i < n->n_in; i++) {
        in[i] = b->now->in[i] == SIZE_MAX ? NULL : b->x->meta[b->now->in[i]];
        known = known && (in[i] || b->now->in[i] == SIZE_MAX);
    }
    if (!known || !k->takes || k->takes(&c))
        b->now->kernel = (exec_kernel_call){.library = k, .found = !known};
    return true;
}

/* Returns the slot of the constant that the kernel of S needs packed; SIZE_MAX: none. */
static size_t packable(const exec_builder *b, const exec_step *s)
{
    const library_kernel *k =
        s->kind == EXEC_KERNEL || s->kind == EXEC_WALK ? s->kernel.library : NULL;
    bool packs = k && k->packs >= 0 && k->packs < s->step->node->n_in;
    size_t slot = packs ? s->in[k->packs] : SIZE_MAX;

    return slot != SIZE_MAX && slot < b->s->n_slots && b->x->allocation[slot] != SIZE_MAX &&
                   b->x->allocations[b->x->allocation[slot]].root == EXEC_CONST
               ? slot
               : SIZE_MAX;
}

bool build_packed(const exec_builder *b)
{
    exec_want *list = inlay_arena_array(b->scratch, b->x->n + 1, sizeof *list);
    size_t n = 0;

    for (size_t i = 0; list && b->plan->set->packs && i < b->x->n; i++) {
        exec_step *s = &b->x->list[i];
        size_t slot = packable(b, s);

        if (slot != SIZE_MAX)
            list[n++] = (exec_want){s->kernel.library, s->step->node, slot, b->x->meta[slot],
                                    &s->kernel.packed};
    }
    return list && (n == 0 || exec_packed_forms(b->plan, list, n));
}
