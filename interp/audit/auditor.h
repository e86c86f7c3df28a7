/* The step that the audit looks at, and what is asked of it. Private to interp/audit. */
#ifndef INLAY_INTERP_AUDIT_AUDITOR_H
#define INLAY_INTERP_AUDIT_AUDITOR_H

#include "interp/audit/tags.h"
#include "interp/audit/window.h"

/* The step being looked at. */
typedef struct auditor {
    audit_tags t;
    const exec_instance *x;
    const exec_step *s; /* NULL behind the last one */
    size_t number;      /* of it, from 0 */
    inlay_diags *d;
} auditor;

static inline const inlay_node *node_of(const auditor *a)
{
    return a->s->step->node;
}

/* Whether the audit sees VALUE: it has a place before the run. */
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

/* The allocation in which VALUE lies in the end, if it is in a row that the run finds. */
static inline const exec_allocation *below(const auditor *a, size_t value)
{
    return &a->x->allocations[tags_below(&a->t, a->x->allocation[value])];
}

static inline uint64_t elements_of(const auditor *a, size_t value)
{
    return (uint64_t)inlay_tensor_count(a->x->meta[value]);
}

/* auditor.c: records that WHAT is wrong with VALUE; always false. */
bool audit_refuse(const auditor *a, const char *what, size_t value);

/* part.c: parts of values that the step writes, or finds written */

/* Returns the updates of a scatter of windows; SIZE_MAX: the step is no such scatter, or its
 * updates have no place. */
size_t part_updates(const auditor *a);
/* OUT receives the part of its output that a scatter of windows writes over its data; false: that
 * part is not known, or the data stand elsewhere and are copied: what is computed into another
 * value is in place too. */
bool part_written(const auditor *a, window_part *out);
/* Whether a scatter writes its output over its data: they stand in the same place. */
bool part_is_over(const auditor *a);
/* Returns the updates of a scatter in place if they stand already where the scatter writes them;
 * SIZE_MAX: they do not. */
size_t part_early(const auditor *a);
/* Whether operand I stands in its part of output 0, of a node that holds it. */
bool part_stands(const auditor *a, int i);
/* The same of VALUE, which has elements, as any of the operands, or as what a reshape shows that
 * only the run makes. */
bool part_is_held(const auditor *a, size_t value);
/* What is written leaves the operands that stand in their parts of output 0, or no longer; then the
 * output comes from them. */
void part_shield(auditor *a, bool on);
/* Whether element p of A and of B are the same bytes, for each p. */
bool part_is_same(const auditor *a, size_t one, size_t other);

/* layer.c: Returns the updates of a scatter if they are the row that it names, which stands in its
 * place in the data; SIZE_MAX: they are not. */
size_t layer_put_back(const auditor *a);
/* Whether the step is a scatter that replaces a row which the run finds in DATA, which it is
 * written over, by the index that finds it, and all else of DATA stands there. */
bool layer_holds_beside(auditor *a, size_t data);

/* read.c: what the step reads. False after a refusal. */

/* Dense copies of operands are made, from what stands there. */
bool read_make_copies(auditor *a);
/* All operands stand where they are read. */
bool read_check(auditor *a);
/* Where an output and an operand have bytes in common, the kernel allows that. */
bool read_check_meetings(auditor *a);

/* write.c: what the step writes. What must be right is refused where it is not. */

/* Whether output K of a step that shows some of its outputs is one of these. */
bool write_is_shown(const auditor *a, int k);
/* Output K shows elements of operand 0, and nothing is written. */
bool write_alias(auditor *a, int k);
/* Nothing is written where a state that grows may stand. */
bool write_leaves_state(auditor *a);
/* The outputs are written, or shown, where they lie. */
bool write_outputs(auditor *a);
/* The blocks lie in the step's operands and output, and compute as many elements as the output has,
 * none of them twice: lane `to` marks each that it writes. */
bool write_check_blocks(auditor *a);

/* picked.c: rows that are picked of a state, and may be the state itself */

/* Whether VALUE is written over such rows, or over that state, and is not these rows. */
bool picked_is_over(const auditor *a, size_t value);
/* Whether VALUE, an output, if it has a place of such rows, is made by an operation that reads them
 * of that state, by the Parameter that is said to name them. */
bool picked_is_right(const auditor *a, size_t value);
/* Nothing stands in that state any longer when VALUE is such rows, and they may be written over
 * it. */
void picked_moves(auditor *a, size_t value);

/* slots.c: what the step writes and reads in the buffer of its group, row by row, lies in slots
 * that no other row shares. */
bool slots_check(const auditor *a);

/* fused.c: the step is one of several that are computed together. */
bool fused_step(auditor *a);
/* listed.c: the same of rows of a list */

/* Lane LANE of OP, which has VALUE, reads the rows that VALUE has of the data. */
bool listed_operand(auditor *a, const exec_op *op, int lane, size_t value);
/* The output of OP is computed in its rows of the data. */
bool listed_output(auditor *a, const exec_op *op);
/* The step is the scatter of the group. */
bool listed_put(auditor *a);
/* The step checks its operands, and gives a value that only listed lanes read. */
bool listed_check(auditor *a);
/* gathered.c: the same of rows that an index picks */

/* Lane LANE of OP, which has VALUE, reads the rows that VALUE has of what it is picked from. */
bool gathered_operand(auditor *a, const exec_op *op, int lane, size_t value);
/* OUT, which a step of the group writes, has no byte of what its rows are picked from. */
bool gathered_leaves(auditor *a, size_t out);
/* chain.c: the same of a step that a module makes with others. */
bool chain_step(auditor *a);

/* frame.c: what is known of the bodies of the step is right, and their frame is written where it
 * lies. */
bool frame_check(auditor *a);

/* step.c: looks at the step, and does to the tags what the step does to the bytes. */
bool step_look_at(auditor *a);

#endif
