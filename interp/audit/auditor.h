/* The step that is audited, and the checks of it. Private to interp/audit. */
#ifndef INLAY_INTERP_AUDIT_AUDITOR_H
#define INLAY_INTERP_AUDIT_AUDITOR_H

#include "interp/audit/tags.h"
#include "interp/audit/window.h"

/* The step that is audited. */
typedef struct auditor {
    audit_tags t;
    const exec_instance *x;
    const exec_step *s; /* NULL after the last step */
    size_t number;      /* of the step, from 0 */
    inlay_diags *d;
} auditor;

static inline const inlay_node *node_of(const auditor *a)
{
    return a->s->step->node;
}

/* Has VALUE an address before the run, so that the audit can follow it? */
static inline bool is_seen(const auditor *a, size_t value)
{
    return value != SIZE_MAX && a->x->meta[value] && a->x->allocation[value] != SIZE_MAX;
}

static inline size_t root_allocation(const auditor *a, size_t value)
{
    return a->x->allocations[a->x->allocation[value]].same;
}

static inline exec_root root_of(const auditor *a, size_t value)
{
    return a->x->allocations[root_allocation(a, value)].root;
}

/* Returns the allocation with the bytes of VALUE: if it is a row whose index only the run knows,
 * the one of which it is a row. */
static inline const exec_allocation *below(const auditor *a, size_t value)
{
    return &a->x->allocations[tags_below(&a->t, a->x->allocation[value])];
}

static inline uint64_t elements_of(const auditor *a, size_t value)
{
    return (uint64_t)inlay_tensor_count(a->x->meta[value]);
}

/* auditor.c: records the error WHAT about VALUE; always false. */
bool audit_refuse(const auditor *a, const char *what, size_t value);

/* part.c: parts of values that the step writes, or that were written before */

/* Returns the updates of a scatter of windows; SIZE_MAX: the step is no such scatter, or its
 * updates have no address. */
size_t part_updates(const auditor *a);
/* Sets *OUT to the part of its output that a scatter of windows writes over its data. False: that
 * part is unknown, or the data are elsewhere and are copied: a value that is computed into another
 * one is in place, too. */
bool part_written(const auditor *a, window_part *out);
/* Does a scatter write its output over its data, at the same address? */
bool part_is_over(const auditor *a);
/* Returns the updates of a scatter in place if they were computed where the scatter writes them;
 * SIZE_MAX: they were not. */
size_t part_early(const auditor *a);
/* Is operand I in its part of output 0, of a node that is INLAY_HOLDS? */
bool part_stands(const auditor *a, int i);
/* Is VALUE, which has elements, in its part as one of the operands, or as the view of a reshape
 * that is made in the run? */
bool part_is_held(const auditor *a, size_t value);
/* Shields the operands that are in their parts of output 0 (ON), so that writes leave them
 * unchanged; or ends that, and the output consists of them. */
void part_shield(auditor *a, bool on);
/* Are element p of A and of B the same bytes, for each p? */
bool part_is_same(const auditor *a, size_t one, size_t other);

/* layer.c: returns the updates of a scatter if they are the very row that it names, in its place in
 * the data; SIZE_MAX: they are not. */
size_t layer_put_back(const auditor *a);
/* Is the step a scatter that replaces a row of DATA whose index only the run knows, written over
 * DATA by the same index, while all else of DATA is there? */
bool layer_holds_beside(auditor *a, size_t data);

/* read.c: what the step reads. False after recording an error. */

/* Makes the dense copies of operands, of what is in their bytes. */
bool read_make_copies(auditor *a);
/* Checks that all operands are where they are read. */
bool read_check(auditor *a);
/* Checks that, where an output and an operand have bytes in common, the kernel allows that. */
bool read_check_meetings(auditor *a);

/* write.c: what the step writes. An error is recorded for what is wrong. */

/* Is output K of a step that makes some of its outputs as views one of these? */
bool write_is_shown(const auditor *a, int k);
/* Makes output K a view of elements of operand 0; nothing is written. */
bool write_alias(auditor *a, int k);
/* Checks that nothing is written where a growing state may be. */
bool write_leaves_state(auditor *a);
/* Writes the outputs, or makes them views, at their addresses. */
bool write_outputs(auditor *a);
/* Checks that the blocks are inside the step's operands and output, and compute each element of the
 * output exactly once: marks what lane `to` writes. */
bool write_check_blocks(auditor *a);

/* picked.c: rows that are gathered from a state, and may be the state itself */

/* Is VALUE written over such rows, or over that state, without being these rows? */
bool picked_is_over(const auditor *a, size_t value);
/* Is VALUE, an output, if it has the address of such rows, made by an operation that reads them
 * from that state, by the Parameter that is recorded as their indices? */
bool picked_is_right(const auditor *a, size_t value);
/* Removes that state when VALUE is such rows, and they may be written over it. */
void picked_moves(auditor *a, size_t value);

/* slots.c: checks that what the step writes and reads in the buffer of its group is, row by row, in
 * slots that no other row shares. */
bool slots_check(const auditor *a);

/* fused.c: audits a step that is one of several that are computed together. */
bool fused_step(auditor *a);
/* parts.c: checks OP of a group that may read parts of what a kernel hands over. */
bool parts_check(auditor *a, const exec_op *op);
/* listed.c: the same for rows of a list */

/* Checks that lane LANE of OP, for VALUE, reads the rows of the data that are VALUE. */
bool listed_operand(auditor *a, const exec_op *op, int lane, size_t value);
/* Checks that the output of OP is computed in its rows of the data. */
bool listed_output(auditor *a, const exec_op *op);
/* Audits the step as the scatter of the group. */
bool listed_put(auditor *a);
/* Audits a step that checks its operands, and whose output only listed lanes read. */
bool listed_check(auditor *a);
/* gathered.c: the same for gathered rows */

/* Checks that lane LANE of OP, for VALUE, reads the rows from which VALUE is gathered. */
bool gathered_operand(auditor *a, const exec_op *op, int lane, size_t value);
/* Checks that OUT, which a step of the group writes, shares no byte with the source of its rows. */
bool gathered_leaves(auditor *a, size_t out);
/* chain.c: the same for a step that a module computes together with others. */
bool chain_step(auditor *a);

/* frame.c: checks what is recorded about the bodies of the step, and writes their frame. */
bool frame_check(auditor *a);

/* step.c: audits the step, and changes the tags as the step changes the bytes. */
bool step_look_at(auditor *a);

#endif
