/* What a session has for one instance: the tensors and blocks of its steps, with real addresses. */
#ifndef INLAY_EXEC_RUN_FRAME_H
#define INLAY_EXEC_RUN_FRAME_H

#include "interp/exec/run/run.h"
#include "interp/exec/run/session.h"

enum { EXEC_POISON = 0xA5 };

typedef struct exec_frame {
    exec_run run; /* comes first, because kernels have a pointer to it */
    const exec_instance *x;
    inlay_arena *memory; /* of the lists that follow */
    inlay_tensor *
        *own; /* by value: its tensor, which stands where its allocation is bound; or NULL */
    row_block *blocks;      /* by block of the instance */
    inlay_tensor **roots;   /* by allocation: the tensor that is bound to it in this run, or NULL */
    inlay_tensor **made;    /* by allocation: where in the arena what a step hands over can stand */
    char **bound;           /* by allocation: the address that is filled in, */
    inlay_buffer **buffers; /* and its buffer, which is not held */
    inlay_buffer **parts;   /* by allocation: a buffer of its own in the arena, or NULL */
    uint64_t arena_age;     /* of the regions whose addresses are filled in; 0: none */
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
    inlay_tensor *const
        *destinations; /* by Result: where the value is to be made, or NULL; NULL: none */
    /* Looks, for HOST, for rooms of results that have none and whose form X says, the instance of a
     * segment behind the first one. False after recording an error. NULL: there are no rooms. */
    bool (*find_destinations)(void *host, const exec_instance *x);
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

#endif
