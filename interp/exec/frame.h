/* What a session has for one instance: the tensors and blocks of its steps, with real addresses.
 * frame.c finds frames, bind.c fills in addresses, walk.c runs them. */
#ifndef INLAY_INTERP_EXEC_FRAME_H
#define INLAY_INTERP_EXEC_FRAME_H

#include "interp/exec/exec.h"

enum { EXEC_POISON = 0xA5 };

typedef struct exec_frame {
    exec_run run; /* comes first, because kernels have a pointer to it */
    const exec_instance *x;
    inlay_tensor **own;   /* by value: its tensor, which stands where its unit is bound; or NULL */
    row_block *blocks;    /* by block of the instance */
    inlay_tensor **roots; /* by unit: the tensor that is bound to it in this run, or NULL */
    inlay_tensor **made;  /* by unit: where in the arena what a step hands over can stand */
    char **bound;         /* by unit: the address that is filled in, */
    inlay_buffer **buffers;    /* and its buffer, which is not held */
    inlay_buffer **parts;      /* by unit: a buffer of its own in the arena, or NULL */
    uint64_t arena_age;        /* of the regions whose addresses are filled in; 0: none */
    const inlay_tensor **in;   /* operands of the step that is made */
    inlay_tensor **out;        /* its outputs */
    const exec_fused *putting; /* whose updates are computed while their scatter runs, or NULL */
    const int64_t *lists[FUSED_LISTS]; /* of the group that is computed: where rows are picked */
    int picking;                       /* which of them a kernel is asked for */
    const inlay_tensor *home; /* of a body: the frame of the step around it (exec_inner), in which
                                 its arena begins at HOME_AT; NULL: its arena is the session's */
    uint64_t home_at;
    const char *bound_home;           /* where that was when addresses were filled in, or NULL, */
    const inlay_buffer *bound_buffer; /* and whose bytes these were */
    inlay_tensor *const *rooms; /* by Result: where the value is to be made, or NULL; NULL: none */
    /* Looks, for HOST, for rooms of results that have none and whose form X says, the instance of a
     * segment behind the first one. False after recording an error. NULL: there are no rooms. */
    bool (*find_rooms)(void *host, const exec_instance *x);
    void *host;
    const exec_outside *outside;
    uint64_t used;
    struct exec_frame *next;
} exec_frame;

/* Returns the frame of P for an invocation that begins with O. The inputs are checked, unless they
 * have the form of others for which a frame was made. NULL after recording an error. */
exec_frame *exec_frame_take(exec_session *s, const exec_plan *p, const run_env *env,
                            const exec_outside *o, inlay_diags *d);
/* Frees F, which is not in use; NULL: nothing is done. */
void exec_frame_free(exec_frame *f);

/* bind.c */

/* Binds everything that is there before the first step. exec_frame_end must be called even when
 * this function fails. */
bool exec_frame_begin(exec_frame *f, run_env *env, const exec_outside *o, inlay_diags *d);
void exec_frame_end(exec_frame *f);
/* Binds what has moved since F was begun: parts that enter, and places of results. False after
 * recording an error. */
bool exec_frame_rebind(exec_frame *f, inlay_diags *d);
/* Begins F, the segment behind WAS, which has made its steps and then ends. O is the outside that
 * the first segment began with. */
bool exec_frame_continue(exec_frame *f, exec_frame *was, const exec_outside *o, inlay_diags *d);
/* Lets go of the buffers that units of the arena have of their own. */
void exec_frame_leave_parts(exec_frame *f);

/* rooms.c */

/* Returns where the result that is all of U is made; the caller releases it. NULL after recording
 * the error. */
inlay_tensor *exec_frame_room(const exec_frame *f, const exec_unit *u, inlay_diags *d);
/* grow.c: returns where the next state that is all of U is made: behind the state that it begins
 * with, or with room to grow; the caller releases it. NULL after recording the error. */
inlay_tensor *exec_frame_grow(const exec_frame *f, const exec_unit *u, inlay_diags *d);
/* beams.c: returns the state of which U is rows that are picked, if these are all of it in its
 * order, or if the others are few and it may be written over; the caller releases it. NULL: the
 * rows are made elsewhere. */
inlay_tensor *exec_frame_picked(const exec_frame *f, const exec_unit *u);
/* Returns whether the output of S is such rows, and stands where the state does. */
bool exec_frame_stays(const exec_frame *f, const exec_step *s);
/* Writes the rows that come from elsewhere over those of the state, in such a step, C being its
 * call. */
bool exec_frame_reorder(const exec_frame *f, const exec_step *s, inlay_call *c);
/* Returns a new tensor in periods that is all of U; the caller releases it. NULL after recording
 * the error. */
inlay_tensor *exec_frame_periods(const exec_frame *f, const exec_unit *u, inlay_diags *d);
/* Returns where somebody wants the result that is all of U; or NULL. */
inlay_tensor *exec_frame_wanted(const exec_frame *f, const exec_unit *u);
/* body.c: returns where output O of the step that is made should stand, if that place has the type
 * and dims of FORM; NULL: nobody wants the output anywhere. */
inlay_tensor *exec_room(inlay_call *c, int o, const inlay_tensor *form);
/* Returns the operand of the step that is made that output O is written over, by its note: a body
 * may write there. -1: the output has no such note. */
int exec_given(const inlay_call *c, int o);
/* Gives those outputs of S, which was walked, tensors of their own that stand where another output
 * of S is wanted. False after recording an error. */
bool exec_part_outputs(exec_frame *f, const exec_step *s, inlay_diags *d);
/* Returns whether the run may write over the buffer of output K of the walked step S, which has
 * just been made. Some kernels hand over a tensor that existed before: a constant, an operand, or
 * the state of a variable. Of these the run may write over the state only. What bodies give is the
 * run's own if it was made where the session had room for it, or if nobody else holds it. */
bool exec_owns_output(const exec_frame *f, const exec_step *s, int k);
/* Does what call_body asks for. */
bool exec_run_body(inlay_call *c, int body, const inlay_tensor *const *in, inlay_tensor **out);

/* regions.c: gives F, which a body of the step that RUN makes will run in, its place in the frame
 * of that step. */
void exec_frame_house(exec_frame *f, const exec_run *run);

/* bind.c again */

/* Binds T, whose reference is taken over, to UNIT. */
void exec_frame_bind(exec_frame *f, size_t unit, inlay_tensor *t);
/* Makes UNIT, which points, begin at ADDRESS, in BUFFER. OWN, whose reference is taken over, has
 * these bytes; NULL: another unit has them. */
void exec_frame_point(exec_frame *f, size_t unit, char *address, inlay_buffer *buffer,
                      inlay_tensor *own);
/* point.c: makes the step S, an EXEC_POINT, unless its index names no row. */
bool exec_frame_show(exec_frame *f, const exec_step *s);
/* Makes S for the call C, whatever its index names. False after recording an error. */
bool exec_frame_show_none(exec_frame *f, const exec_step *s, inlay_call *c);
/* Returns a tensor of the value of SLOT that may outlive the run; the caller releases it. NULL: out
 * of memory. */
inlay_tensor *exec_frame_escape(exec_frame *f, size_t slot, inlay_diags *d);
/* fused.c: announces, counts and computes the steps of G, which its scatter, if it has one, has
 * computed when that runs. False: the run was cancelled. */
bool exec_fused_run(exec_frame *f, const exec_fused *g, inlay_diags *d);
/* Computes the steps of G, whose scatter runs, with the rows of listed lanes at elements TO of its
 * data. */
void exec_fused_put(const exec_frame *f, const exec_fused *g, const int64_t *to);
/* windowed.c: computes the steps of G, whose tiles are those of a buffer. */
void exec_fused_windows(const exec_frame *f, const exec_fused *g);
/* listed.c: calls the kernel of C to check its operands. */
bool exec_check(inlay_call *c);
/* gathered.c: has the rows picked that G reads; until scratch memory is emptied they stand there.
 * False after recording an error. */
bool exec_find_rows(exec_frame *f, const exec_fused *g, inlay_diags *d);
/* Does what call_picked asks for. */
void exec_note_rows(inlay_call *c, int64_t n, const int64_t *to);
/* chain.c: computes the steps of G by their module. False after recording an error. */
bool exec_chain_run(exec_frame *f, const exec_fused *g, inlay_diags *d);
/* placed.c */

/* Makes S, whose outputs have their places. False, here and below: after recording an error. */
bool exec_make_placed(exec_frame *f, const exec_step *s, inlay_diags *d);
/* Computes the blocks of S. */
void exec_run_blocks(const exec_frame *f, const exec_step *s);
/* Saves what stands where S writes, if that is a state's. */
bool exec_save_state(exec_frame *f, const exec_step *s, inlay_diags *d);
/* Runs the scatter of G. The updates stand nowhere before: the kernel asks for them. */
bool exec_put_rows(exec_frame *f, const exec_fused *g, inlay_diags *d);
/* Calls the kernel of S to check its operands. What it says of rows stands in scratch memory. */
bool exec_check_step(exec_frame *f, const exec_step *s, inlay_diags *d);
/* found.c: makes S, whose outputs it finds out. */
bool exec_make_found(exec_frame *f, const exec_step *s, inlay_diags *d);
/* walk.c: begins, and makes all steps. OUT has an entry for each Result, all NULL, and receives the
 * results. *F is the frame of the first segment, and becomes that of the last one that was begun;
 * exec_frame_end must be called for *F in any case. */
bool exec_frame_run(exec_frame **f, run_env *env, const exec_outside *o, inlay_tensor **out,
                    inlay_diags *d);
/* Makes the steps of F again, which has begun and has one segment. What enters, and the places of
 * results, may have moved since. False after recording an error. */
bool exec_frame_again(exec_frame *f, inlay_diags *d);
/* Returns whether bytes are overwritten when the value in them dies. */
bool exec_frame_poisons(const exec_frame *f);
/* regions.c: overwrites what died behind the step with number I, so that a later read of these
 * bytes shows (tests). */
void exec_frame_poison(exec_frame *f, size_t i);

#endif
