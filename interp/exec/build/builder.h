/* What the files share that make an instance. */
#ifndef INLAY_EXEC_BUILD_BUILDER_H
#define INLAY_EXEC_BUILD_BUILDER_H

#include "interp/call/meter.h"
#include "interp/exec/build/instance.h"

typedef struct exec_builder {
    exec_instance *x;
    const exec_plan *plan;
    const graph_steps *s;
    const exec_outside *outside;
    inlay_meter *meter;       /* of the kernels that are recorded */
    inlay_arena *scratch;     /* for facts, and what kernels need */
    const inlay_fact **fact;  /* by slot; never NULL after the node was visited */
    const inlay_fact **ahead; /* by slot, also for later steps; NULL until asked for */
    inlay_tensor **readable;  /* by slot: the elements if they are known; or NULL */
    uintptr_t next;           /* the next fake address */
    const row_form **form;    /* by step: what it computes element by element; or NULL */
    int n_fused;              /* groups of steps that are fused */
    size_t cap_values, cap_allocations;
    struct exec_step *now; /* the step that is being made */
    uint64_t periods;      /* bytes of states in periods so far (states.c) */
    bool lacks;            /* memory outside arenas was missing for what a run can do without */
    inlay_diags *said;     /* what kernels say that are recorded or rehearsed; NULL: nobody asks */
} exec_builder;

static inline const exec_place *build_place(const exec_builder *b, size_t slot)
{
    return b->plan->places ? &b->plan->places[slot] : NULL;
}

/* Whether PLACE says that the value is made in its part of a larger value. */
static inline bool build_is_held(const exec_place *place)
{
    return place && place->kind == INLAY_INTO && (place->scatter->op->flags & INLAY_HOLDS);
}

/* Is S a view or a constant, which may be between steps that are computed together? */
static inline bool build_is_nothing(const exec_step *s)
{
    return s->kind == EXEC_NOTHING && (s->views || inlay_node_is(s->step->node, INLAY_OP_CONST));
}

#endif
