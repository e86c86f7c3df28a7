/* What a session has for one instance: the tensors and blocks of its steps, with real addresses. */
#ifndef INLAY_EXEC_RUN_FRAME_H
#define INLAY_EXEC_RUN_FRAME_H

#include "interp/exec/run/run.h"
#include "interp/exec/run/session.h"

enum { EXEC_POISON = 0xA5 };

/* Where an allocation of the instance is in this run. */
typedef struct exec_binding {
    inlay_tensor *root;   /* the tensor that is bound to it, or NULL */
    inlay_tensor *room;   /* where in the arena what a step hands over can stand, or NULL */
    char *address;        /* that is filled in, */
    inlay_buffer *buffer; /* and its buffer, which is not held */
    inlay_buffer *part;   /* a buffer of its own in the arena, or NULL */
} exec_binding;

/* Where the arena of a body begins. */
typedef struct exec_frame_home {
    const inlay_tensor *frame; /* of the step around it (exec_inner); NULL: it is the session's */
    uint64_t at;
} exec_frame_home;

/* Where the arena was when addresses were filled in. */
typedef struct exec_frame_filled {
    uint64_t age;               /* of the session's regions; 0: there were none */
    const char *home;           /* NULL: there was none */
    const inlay_buffer *buffer; /* whose bytes the home's were */
} exec_frame_filled;

/* The call of the step that is made. */
typedef struct exec_frame_call {
    const inlay_tensor **in;
    inlay_tensor **out;
} exec_frame_call;

/* Rows that the group which is computed picks, or its scatter names. */
typedef struct exec_frame_rows {
    const exec_fused *putting; /* its updates are computed while its scatter runs; or NULL */
    const int64_t *lists[FUSED_LISTS]; /* where rows are picked */
    int picking;                       /* which of them a kernel is asked for */
} exec_frame_rows;

/* Where an invocation makes its results. */
typedef struct exec_frame_results {
    inlay_tensor *const *destinations; /* by Result, or NULL; NULL: none is told */
    /* Looks, for HOST, for rooms of results that have none and whose form X says, the instance of a
     * segment behind the first one. False after recording an error. */
    bool (*find_destinations)(void *host, const exec_instance *x);
    void *host;
} exec_frame_results;

typedef struct exec_frame {
    exec_run run; /* comes first, because kernels have a pointer to it */
    const exec_instance *x;
    inlay_arena *memory;    /* of the lists that follow */
    inlay_tensor **own;     /* by value: its tensor, where its allocation is bound; or NULL */
    row_block *blocks;      /* by block of the instance */
    exec_binding *bindings; /* by allocation */
    exec_frame_home home;
    exec_frame_filled filled;
    exec_frame_call call;
    exec_frame_rows rows;
    exec_frame_results results;
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
