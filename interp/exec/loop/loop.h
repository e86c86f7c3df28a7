/* What a session has for a body that is repeated: everything that an iteration needs is ready
 * before the iteration begins. */
#ifndef INLAY_EXEC_LOOP_LOOP_H
#define INLAY_EXEC_LOOP_LOOP_H

#include "interp/exec/loop/join.h"
#include "interp/exec/loop/slots.h"

/* Where a value is: in slot AT of result RESULT, or, with SLOT_NONE, in memory that is not the
 * loop's. */
typedef struct exec_stand {
    int result;
    size_t at;
} exec_stand;

/* Where a sliced input is cut. */
typedef struct exec_cut {
    int axis;
    int64_t first, n;
} exec_cut;

/* A parameter of the body. */
typedef struct loop_param {
    inlay_tensor *held;   /* the tensor with its value, if the loop holds it */
    inlay_tensor *moving; /* the view that moves on by a part per iteration, */
    inlay_tensor *number; /* or the number of the iteration; kept from run to run */
    bool seated;          /* NUMBER is in a frame slot of the arena */
    bool written;         /* the body overwrites it */
    exec_cut cut;
    exec_stand stand;
} loop_param;

/* A result of the body. */
typedef struct loop_result {
    exec_stand made;
    exec_slots slots;
    int port;             /* an output port that joins it, or -1, */
    int last;             /* an output port that gives its last value, or -1 */
    inlay_tensor *wanted; /* the place that the last value should get, if that is known */
    int first;            /* the first result that is the same value */
    bool stays;           /* it becomes a parameter that the body overwrites */
} loop_result;

typedef struct exec_loop {
    const inlay_body *body;
    const struct exec_plan *plan;
    const exec_loop_backend *hands;
    /* Runs the body once: finds places for its results, and lists the results in `out`. False after
     * recording an error. */
    bool (*run_body)(struct exec_loop *l);
    int n_params, n_results;
    loop_param *params;
    const inlay_tensor **in; /* by parameter: its value in this iteration; not held */
    bool *ours;              /* by parameter: whether the body may overwrite it in this iteration */
    loop_result *results;
    inlay_tensor **out;          /* by result: its value in the newest iteration */
    inlay_tensor **destinations; /* by result */
    exec_join *joins;            /* by output port */
    int64_t most, done;          /* iterations */
    int64_t known;               /* how many iterations there will be; 0: that is not known */
    bool settled; /* carried values are at the same places as in the iteration before the newest one
                     */
    inlay_call *c;
} exec_loop;

static const exec_stand exec_nowhere = {SLOT_NONE, 0};

/* Returns the slot that P names, or NULL. */
static inline exec_slot *loop_slot(const exec_loop *l, exec_stand p)
{
    return p.result == SLOT_NONE ? NULL : &l->results[p.result].slots.list[p.at];
}

/* Gives the slots and numbers of L their N_FRAME_SLOTS places in FRAME, the frame of the step that
 * runs L; FRAME NULL: there is none. False after recording an error. */
bool loop_sit(exec_loop *l, const exec_frame_slot *frame_slots, size_t n_frame_slots,
              const inlay_tensor *frame, inlay_diags *d);
/* Makes the state for a loop with body B, whose plan is P. NULL: out of memory. */
exec_loop *exec_loop_new(const inlay_body *b, const struct exec_plan *p,
                         const exec_loop_backend *hands, bool (*run_body)(exec_loop *l));
void exec_loop_free(exec_loop *l);

#endif
