/* What a session has for one instance: the tensors and blocks of its steps, with real addresses. */
#ifndef INLAY_EXEC_RUN_FRAME_H
#define INLAY_EXEC_RUN_FRAME_H

#include "interp/exec/run/run.h"
#include "interp/exec/run/session.h"

enum { EXEC_POISON = 0xA5 };

/* The memory of an allocation in this run. */
typedef struct exec_binding {
    inlay_tensor *root;   /* the tensor that the allocation was bound to, or NULL */
    inlay_tensor *room;   /* for what a kernel returns: a place in the arena, or NULL */
    char *address;        /* the address that was filled in, */
    inlay_buffer *buffer; /* and its buffer, which is not held */
    inlay_buffer *part;   /* its own buffer in the arena, or NULL */
} exec_binding;

/* Where the arena of a body begins. */
typedef struct exec_frame_home {
    const inlay_tensor *frame; /* the frame of the outer step (exec_inner); NULL: the arena is the
                                  session's */
    uint64_t at;
} exec_frame_home;

/* What addresses were filled in for. */
typedef struct exec_frame_filled {
    uint64_t age;               /* the age of the session's regions; 0: there were none */
    const char *home;           /* the address of HOME's arena; NULL: there was none */
    const inlay_buffer *buffer; /* its buffer */
} exec_frame_filled;

/* The call of the current step. */
typedef struct exec_frame_call {
    const inlay_tensor **in;
    inlay_tensor **out;
} exec_frame_call;

/* The rows that the current group picks, or that its scatter writes. */
typedef struct exec_frame_reader {
    call_reader reader; /* first, because kernels have a pointer to it */
    const struct exec_frame *frame;
    const exec_fused *group;
} exec_frame_reader;

typedef struct exec_frame_rows {
    const exec_fused *putting; /* the group whose updates are computed while its scatter runs; or
                                  NULL */
    const int64_t *lists[FUSED_LISTS]; /* the positions of picked rows */
    int picking;                       /* the list that a kernel is asked for */
    exec_frame_reader reader;          /* what the current kernel hands its output to */
    const exec_fused *read;            /* the group that has so been computed; NULL: none */
} exec_frame_rows;

/* The places of an invocation's results. */
typedef struct exec_frame_results {
    inlay_tensor *const *destinations; /* by Result, or NULL; NULL: none is given */
    /* Finds places for results that have none, if X, the instance of a later segment, knows their
     * types and dims. HOST is passed on. False after recording an error. */
    bool (*find_destinations)(void *host, const exec_instance *x);
    void *host;
} exec_frame_results;

typedef struct exec_frame {
    exec_run run; /* comes first, because kernels have a pointer to it */
    const exec_instance *x;
    inlay_arena *memory;    /* for the following lists */
    inlay_tensor **own;     /* by value: its tensor, if its allocation is bound; or NULL */
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

/* Returns a frame of P for an invocation that begins with O. The inputs are checked, unless a frame
 * was made for inputs of the same types and dims before. NULL after recording an error. */
exec_frame *exec_frame_take(exec_session *s, const exec_plan *p, const run_env *env,
                            const exec_outside *o, inlay_diags *d);
/* Frees F, which must not be in use; NULL is fine. */
void exec_frame_free(exec_frame *f);

#endif
