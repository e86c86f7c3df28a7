/* What a session has for a body that runs again and again: everything that an iteration needs is
 * there before that iteration begins. */
#ifndef INLAY_EXEC_LOOP_LOOP_H
#define INLAY_EXEC_LOOP_LOOP_H

#include "interp/exec/loop/join.h"
#include "interp/exec/loop/slots.h"

/* Says where a value stands: in slot AT of result RESULT; SLOT_NONE: elsewhere, where it stays. */
typedef struct exec_stand {
    int result;
    size_t at;
} exec_stand;

/* Says where a sliced input is cut. */
typedef struct exec_cut {
    int axis;
    int64_t first, n;
} exec_cut;

/* A parameter of the body. */
typedef struct loop_param {
    inlay_tensor *held;   /* what holds its value, if the loop does */
    inlay_tensor *moving; /* the view that moves, */
    inlay_tensor *number; /* or the number of the iteration; kept from run to run */
    bool seated;          /* which has a frame slot in the arena */
    bool written;         /* the body writes over it */
    exec_cut cut;
    exec_stand stand;
} loop_param;

/* A result of the body. */
typedef struct loop_result {
    exec_stand made;
    exec_slots slots;
    int port;             /* an output port that joins it, or -1, */
    int last;             /* one that gives its last value, or -1 */
    inlay_tensor *wanted; /* where the last value is wanted, if that is known */
    int first;            /* the first result that is the same value */
    bool stays;           /* it becomes a parameter that the body writes over */
} loop_result;

typedef struct exec_loop {
    const inlay_body *body;
    const struct exec_plan *plan;
    const exec_loop_backend *hands;
    /* Makes one iteration of the body: finds the rooms of its results, and lists these in `out`.
     * False after recording an error. */
    bool (*run_body)(struct exec_loop *l);
    int n_params, n_results;
    loop_param *params;
    const inlay_tensor **in; /* by parameter: its value in this iteration; not held */
    bool *ours;              /* by parameter: the body may write over it in this iteration */
    loop_result *results;
    inlay_tensor **out;          /* by result: of the newest iteration */
    inlay_tensor **destinations; /* by result */
    exec_join *joins;            /* by output port */
    int64_t most, done;          /* iterations */
    int64_t known;               /* how many there will be; 0: nobody knows */
    bool settled; /* carried values stand where they stood before the newest iteration */
    inlay_call *c;
} exec_loop;

static const exec_stand exec_nowhere = {SLOT_NONE, 0};

/* Returns the slot of P, or NULL. */
static inline exec_slot *loop_slot(const exec_loop *l, exec_stand p)
{
    return p.result == SLOT_NONE ? NULL : &l->results[p.result].slots.list[p.at];
}

/* Gives the slots and numbers of L their N_SEATS frame slots in FRAME, the frame of the step that
 * runs L; FRAME NULL: there is none. False after recording an error. */
bool loop_sit(exec_loop *l, const exec_frame_slot *frame_slots, size_t n_frame_slots,
              const inlay_tensor *frame, inlay_diags *d);
/* Makes room for a loop with body B, whose plan is P. NULL: out of memory. */
exec_loop *exec_loop_new(const inlay_body *b, const struct exec_plan *p,
                         const exec_loop_backend *hands, bool (*run_body)(exec_loop *l));
void exec_loop_free(exec_loop *l);

#endif
