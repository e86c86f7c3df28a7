/* What a session keeps for the planned executor from run to run. There is one arena for each depth
 * of bodies (unless a body's frame is in that of the outer step), because the graphs of one depth
 * never run at the same time. An arena consists of regions, one for each segment that needs fresh
 * bytes. */
#ifndef INLAY_EXEC_RUN_SESSION_H
#define INLAY_EXEC_RUN_SESSION_H

#include "interp/call/meter.h"
#include "interp/exec/plan/plan.h"
#include "interp/exec/run/journal.h"
#include "interp/exec/run/spare.h"
#include "interp/exec/threads/workers.h"

typedef struct exec_session exec_session;
exec_session *exec_session_new(const exec_plan *p, inlay_meter *meter, exec_workers *workers,
                               bool poison);
void exec_session_free(exec_session *s);

struct exec_region {
    inlay_tensor *bytes; /* NULL: none was needed so far */
    uint64_t age;        /* changes with its address */
    uint64_t run, most;  /* the last run that used it, and how many bytes that needed */
};

/* Counts how often an invocation of a plan found a frame, and how often it did not. */
struct exec_luck {
    uint64_t hits, misses;
};

struct exec_session {
    const exec_plan *plan;
    inlay_meter *meter;
    exec_workers *workers;       /* the program's */
    struct exec_frame **frames;  /* by number of the plan: a list */
    struct exec_frame **dropped; /* by number of the plan: an empty one, or NULL */
    struct exec_luck *luck;      /* the same for instances: of first segments, and of others */
    struct exec_region *regions; /* by depth and segment */
    inlay_tensor *zeros;         /* for rows that no index picks; NULL: none were needed so far */
    inlay_buffer *nothing;       /* the buffer of the values in arenas that have no bytes */
    inlay_arena **scratch;       /* by depth: scratch memory of kernels */
    struct exec_loop **loops;    /* by number of the plan: the loop of a body that is repeated, or
                                    NULL */
    int64_t *key;
    size_t cap_key;
    uint64_t clock;
    uint64_t runs; /* the number of runs begun */
    exec_journal journal;
    exec_spares spares;
    struct exec_made *made; /* the expansions of deferred nodes, the last used one first */
    void (*free_made)(struct exec_made *list); /* deferred.c */
    bool *owned; /* by variable: nobody else held its state when the run began */
    bool poison;
};

#endif
