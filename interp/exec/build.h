/* What the files share that make an instance: instance.c (the walk over the steps), place.c (where
 * outputs lie), record.c (what kernels would do), live.c (until when, and where in the arena),
 * border.c (what segments hand on).
 */
#ifndef INLAY_INTERP_EXEC_BUILD_H
#define INLAY_INTERP_EXEC_BUILD_H

#include "interp/exec/exec.h"
#include "interp/exec/instance.h"
#include "interp/exec/layout.h"

typedef struct exec_builder {
    exec_instance *x;
    const exec_plan *plan;
    const graph_steps *s;
    const exec_outside *outside;
    inlay_meter *meter;      /* of the kernels that are recorded */
    inlay_arena *scratch;    /* facts, and what kernels ask for */
    const inlay_fact **fact; /* by slot; never NULL once the node was looked at */
    inlay_tensor **readable; /* by slot: its elements, where they are known; or NULL */
    uintptr_t next;          /* the next fake address */
    size_t cap_values, cap_units, cap_blocks;
    struct exec_step *now; /* the step that is made */
} exec_builder;

static inline const exec_place *build_place(const exec_builder *b, size_t slot)
{
    return b->plan->places ? &b->plan->places[slot] : NULL;
}

/* Whether values of TYPE can stand in an arena, and be seen through strides. */
bool build_plannable(inlay_type type);
/* Whether F has a type and one number for each dim. */
bool build_is_exact(const inlay_fact *f);
/* A unit of BYTES; SLOT is all of it. SIZE_MAX: out of memory, or there is no address left. */
size_t build_unit(exec_builder *b, exec_root root, size_t slot, uint64_t bytes);
/* The value of SLOT is T, a shadow whose reference is taken over, in UNIT. False: T is NULL. */
bool build_value(exec_builder *b, size_t slot, size_t unit, inlay_tensor *t);
/* A dense tensor of the form of F at ADDRESS; NULL: out of memory. */
inlay_tensor *build_dense(const inlay_fact *f, char *address);
/* The value of SLOT is T, which comes from outside of the instance, in a unit of its own. */
bool build_outside(exec_builder *b, size_t slot, const inlay_tensor *t, exec_root root, int number);
/* The form of T as a fact; NULL: out of memory. */
const inlay_fact *build_fact(exec_builder *b, const inlay_tensor *t);
/* Whether operand I is moved by the step, and says nothing about where. */
bool build_is_data(const exec_builder *b, int i);
/* The elements of the value of SLOT, if they are known before the run; or NULL. */
const inlay_tensor *build_readable(exec_builder *b, size_t slot);

/* place.c: gives every output of the step B->now a place, and says how it is made. What cannot be
 * told before the run becomes EXEC_WALK with loose outputs. False: out of memory. */
bool build_outputs(exec_builder *b);

/* parts.c */

/* Does PLACE say that the value is made in its part of what holds it? */
static inline bool build_is_held(const exec_place *place)
{
    return place && place->kind == INLAY_INTO && (place->scatter->op->flags & INLAY_HOLDS);
}
/* The part of its target in which the value of SLOT is made, in *UNIT, where the target lies now if
 * it did not yet. *OVER: it writes over what stood there. NULL: it cannot be told before the run.
 */
inlay_tensor *build_part(exec_builder *b, size_t slot, size_t *unit, bool *over);
/* Whether the value of SLOT, which is noted as made in a part or a window of another, stands in a
 * buffer that had other contents. */
bool build_is_over(const exec_builder *b, size_t slot);
/* How many bytes of the operands of the step, whose node holds them, stand in their parts of its
 * output already. */
uint64_t build_standing(const exec_builder *b);

/* record.c */

/* Calls the kernel of a step that shows outputs as views of operand 0 or copies parts of operands.
 * OUT has a tensor for each output: its shadow, or, where it is noted as a view, one without
 * address. For these SEEN receives what the kernel shows, or NULL; the caller's to release. Copies
 * to the others are recorded. False: the kernel wanted to touch elements itself. */
bool build_record_moves(exec_builder *b, inlay_tensor *const *out, inlay_tensor **seen);
/* Calls the kernel of a step, and records the blocks that it hands over. False: it wanted to touch
 * elements itself, so it must be called in each run. */
bool build_record_blocks(exec_builder *b);
/* Calls the kernel of a step whose row says prepares: what it hands over becomes the step's. False:
 * the kernel is called in each run. */
bool build_record_rest(exec_builder *b);
/* The window of DATA that SCATTER will write, if that is known before the run; or NULL. */
inlay_tensor *build_window(exec_builder *b, const inlay_node *scatter, const inlay_tensor *data);

/* Until when a value is read. */
typedef struct build_reach {
    size_t last; /* the last time somebody reads it, or what may stand in its bytes */
    bool escapes;
} build_reach;

/* border.c */

/* Whether the instance ends before the step B->now, because the size of an operand is known only
 * when the steps before it have run. */
bool build_ends(const exec_builder *b);
/* Takes over what is alive behind the segment before. */
bool build_take_over(exec_builder *b);
/* Lists what the next segment will take over; REACH is by slot. */
bool build_hand_over(exec_builder *b, const build_reach *reach);

/* live.c: finds out until when units live, which of them leave the run, and where in the arena the
 * others lie. False: out of memory. */
bool build_layout(exec_builder *b);

#endif
