/* What the files share that make an instance: instance.c (the walk over the steps), shadow.c (what
 * stands for values meanwhile), place.c (where outputs lie), record.c (what kernels would do),
 * live.c (the live ranges of units, and their places in the arena), border.c (what segments hand
 * on). */
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
    inlay_meter *meter;       /* of the kernels that are recorded */
    inlay_arena *scratch;     /* facts, and what kernels ask for */
    const inlay_fact **fact;  /* by slot; never NULL once the node was looked at */
    const inlay_fact **ahead; /* by slot, also of steps to come; NULL until somebody asks */
    inlay_tensor **readable;  /* by slot: its elements, where they are known; or NULL */
    uintptr_t next;           /* the next fake address */
    const row_form **form;    /* by step: what it computes element by element; or NULL */
    size_t cap_values, cap_units, cap_blocks;
    struct exec_step *now; /* the step that is made */
    uint64_t periods;      /* bytes of states in periods so far (states.c) */
} exec_builder;

static inline const exec_place *build_place(const exec_builder *b, size_t slot)
{
    return b->plan->places ? &b->plan->places[slot] : NULL;
}

/* shadow.c */

/* Returns whether values of TYPE can stand in an arena, and be seen through strides. */
bool build_plannable(inlay_type type);
/* Returns whether F has a type and one number for each dim. */
bool build_is_exact(const inlay_fact *f);
/* Makes a unit of BYTES; SLOT is all of it. SIZE_MAX: out of memory, or there is no address
 * left. */
size_t build_unit(exec_builder *b, exec_root root, size_t slot, uint64_t bytes);
/* Makes T, a shadow whose reference is taken over, the value of SLOT in UNIT. False: T is NULL. */
bool build_value(exec_builder *b, size_t slot, size_t unit, inlay_tensor *t);
/* Returns a dense tensor of the form of F at ADDRESS; NULL: out of memory. */
inlay_tensor *build_dense(const inlay_fact *f, char *address);
/* Returns the elements of T, whose reference is taken over, in their row-major order with the sizes
 * of F: T itself if it has these. NULL: no strides show that, T is NULL, or it has another number
 * of elements, as a window that is cut off. */
inlay_tensor *build_reshaped(inlay_tensor *t, const inlay_fact *f);
/* Makes T, which comes from outside of the instance, the value of SLOT in a unit of its own. */
bool build_outside(exec_builder *b, size_t slot, const inlay_tensor *t, exec_root root, int number);
/* Returns the form of T as a fact; NULL: out of memory. */
const inlay_fact *build_fact(exec_builder *b, const inlay_tensor *t);
/* Returns whether operand I is data: the step moves its elements, but they do not say where
 * elements go. */
bool build_is_data(const exec_builder *b, int i);
/* Returns the elements of the value of SLOT if they are known before the run, or NULL. */
const inlay_tensor *build_readable(exec_builder *b, size_t slot);

/* place.c: gives every output of the step B->now a place, and says how it is made. What cannot be
 * told before the run becomes EXEC_WALK with loose outputs. False: out of memory. */
bool build_outputs(exec_builder *b);

/* point.c */

/* Plans the step B->now, whose output is noted as a view that the run finds, as an EXEC_POINT; or,
 * if the form of the view is not known, as an EXEC_WALK. False: out of memory. */
bool build_point(exec_builder *b);

/* ahead.c */

/* Returns whether no step is made of N in this run. */
bool build_skips(const exec_builder *b, const inlay_node *n);
/* Finds the outputs of N by its rule. FACTS has those of its operands, by slot, and receives those
 * of its outputs. *KNOWN: they are exact, and agree with what was known when the graph was
 * compiled. *REFUSED is set where the rule refuses what is known, or it does not agree: N will
 * fail. False, here and below: out of memory. */
bool build_infer(exec_builder *b, const inlay_node *n, const inlay_fact **facts, bool *known,
                 bool *refused);
/* The same of a node with bodies, where the graph does not say what they give. */
bool build_infer_bodies(exec_builder *b, const inlay_node *n, const inlay_fact **facts);
/* Did the graph know all operands and outputs of N when it was compiled? */
bool build_graph_knows(const inlay_node *n);
/* Finds b->ahead: what the steps behind the one that is made will make, as far as sizes tell. */
bool build_look_ahead(exec_builder *b);
/* What is known of V then, for inlay_node_part_by; OF is the builder. */
const inlay_fact *build_fact_ahead(const void *of, const inlay_value *v);

/* parts.c */

/* Does PLACE say that the value is made in its part of what holds it? */
static inline bool build_is_held(const exec_place *place)
{
    return place && place->kind == INLAY_INTO && (place->scatter->op->flags & INLAY_HOLDS);
}
/* Returns the part of its target in which the value of SLOT is made, in *UNIT; the target gets its
 * place now if it had none. *OVER: the value writes over what stood there. NULL: the part cannot be
 * told before the run. */
inlay_tensor *build_part(exec_builder *b, size_t slot, size_t *unit, bool *over);
/* place.c: gives output K of the step, which bodies make, the place that its note names, if that is
 * known and its elements follow each other, as those of what a body makes do. */
bool build_wanted(exec_builder *b, int k, bool *done);
/* Returns whether the value of SLOT, which is noted as made in a part or a window of another,
 * stands in a buffer that had other contents. */
bool build_is_over(const exec_builder *b, size_t slot);
/* Returns how many bytes of the operands of the step, whose node holds these operands, stand in
 * their parts of its output already. */
uint64_t build_standing(const exec_builder *b);

/* record.c */

/* Calls the kernel of a step that shows outputs as views of operand 0 or copies parts of operands.
 * OUT has a tensor for each output: its shadow, or, where the output is noted as a view, one
 * without address. For such outputs SEEN receives what the kernel shows, or NULL; the caller
 * releases it. Copies to the other outputs are recorded. False: the kernel wanted to touch elements
 * itself. */
bool build_record_moves(exec_builder *b, inlay_tensor *const *out, inlay_tensor **seen);
/* Calls the kernel of a step, and records the blocks that it hands over. False: the kernel wanted
 * to touch elements itself, so it must be called in each run. */
bool build_record_blocks(exec_builder *b);
/* Does the same only for the form that the kernel tells: what it computes element by element. */
void build_record_form(exec_builder *b);
/* Adds a block without lanes. NULL: out of memory. It may move the others. */
exec_block *build_block(exec_builder *b);
/* The number of BLOCK lies in UNIT, where k.one points: it is read now, or in each run. */
void build_number(const exec_builder *b, exec_block *block, size_t unit);
/* Calls the kernel of a step whose row says prepares: what the kernel hands over becomes part of
 * the step. False: the kernel is called in each run. */
bool build_record_rest(exec_builder *b);
/* packed.c: chooses the library's kernel for the step, if there is one for its operands. False: out
 * of memory. */
bool build_library(exec_builder *b);
/* Packs the constants that these kernels want packed. False: out of memory. */
bool build_packed(const exec_builder *b);
/* Returns the window of DATA that SCATTER will write, if that is known before the run; or NULL. */
inlay_tensor *build_window(exec_builder *b, const inlay_node *scatter, const inlay_tensor *data);

/* chain.c: finds the steps that a module makes together. False: out of memory. */
bool build_chains(exec_builder *b);
/* Has modules free what they made for X. */
void build_leave_chains(const exec_instance *x);

/* windows.c: finds steps in place that are computed together, tile by tile of the buffer that they
 * write to. False: out of memory. */
bool build_windows(exec_builder *b);

/* listed.c */

/* Returns the updates of step I if it is a scatter that writes them over rows of its data, by a
 * list of which no row is named twice, and that calls its kernel for that; else SIZE_MAX. */
size_t build_updates(const exec_builder *b, size_t i);
/* Returns the step before BEFORE that gathers the value of SLOT, if it names the rows that the
 * scatter, such a step, writes, of the same data; or NULL. */
exec_step *build_gathered(const exec_builder *b, size_t slot, size_t before, size_t scatter);

/* fuse.c: finds the steps that are computed together, tile by tile, and the values between them
 * that need no memory. False: out of memory. */
bool build_fused(exec_builder *b);

/* The time until which a value is read: its last use, or that of what may stand in its bytes. */
typedef struct build_reach {
    size_t last; /* the last time somebody reads it, or what may stand in its bytes */
    bool escapes;
} build_reach;

/* border.c */

/* Returns whether the instance ends before the step B->now, because the size of an operand is known
 * only when the steps before it have run. */
bool build_ends(const exec_builder *b);
/* Returns whether it ends behind the last step that it has, because that one is refused. */
bool build_is_refused(const exec_builder *b);
/* Returns whether the value of SLOT stands in another one by its note, which something writes over,
 * but has a unit of its own: that of a row which the run finds, or around a tensor that came over a
 * border. Units do not tell that the two have bytes in common. */
bool build_floats(const exec_builder *b, size_t slot);
/* Takes over what is alive behind the segment before. */
bool build_take_over(exec_builder *b);
/* Lists what the next segment will take over; REACH is by slot. */
bool build_hand_over(exec_builder *b, const build_reach *reach);

/* rehearse.c: finds out what the bodies of steps will do, and makes room for their frames. False:
 * out of memory. */
bool build_inner(exec_builder *b);
/* Gives back the instances of bodies that X holds. */
void build_leave_inner(exec_instance *x);

/* reuse.c: makes one unit of a result and an operand that dies in the step, where that is
 * pointwise. Live ranges must be known. */
void build_reuse(const exec_builder *b);

/* states.c: gives the value of SLOT, of the form of F, a unit of its own, with room if it is a
 * state that grows. Without a shadow behind it the value cannot have one. False: out of memory. */
bool build_own_unit(exec_builder *b, size_t slot, const inlay_fact *f);
/* Gives the value of SLOT, rows that are picked of a state, a unit that may be the state's own
 * bytes. *DONE: it is such rows, and got one. False: out of memory. */
bool build_picked(exec_builder *b, size_t slot, bool *done);
/* grow.c: finds states that can be made behind those that they begin with. False: out of memory. */
bool build_growth(const exec_builder *b);

/* live.c: finds the live ranges of units, which of them leave the run, and where in the arena the
 * others lie. False: out of memory. */
bool build_layout(exec_builder *b);

#endif
