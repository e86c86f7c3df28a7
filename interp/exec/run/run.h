#ifndef INLAY_EXEC_RUN_RUN_H
#define INLAY_EXEC_RUN_RUN_H

#include "interp/call/run.h"
#include "interp/exec/build/instance.h"
#include "interp/exec/run/journal.h"
#include "interp/exec/threads/workers.h"

/* One invocation of one graph. */
typedef struct exec_run {
    struct inlay_run run; /* first, because kernels have a pointer to it */
    const graph_steps *steps;
    const exec_plan *plan;
    struct exec_session *session;
    const exec_instance *x;
    const exec_step *now;    /* the current step, if it is planned; else NULL */
    const exec_step *walked; /* the current step, if it is dynamic; else NULL */
    inlay_tensor **values;   /* by slot; NULL: not made yet, or not needed any more */
    exec_journal *journal;   /* NULL: states are only read */
    exec_workers *workers;
    int64_t worth; /* exec_workers_worth */
    bool in_place; /* an output of the current node is in a buffer that existed before */
} exec_run;

/* Returns the invocation behind C, a call of this executor. */
static inline exec_run *exec_run_of(const inlay_call *c)
{
    return (exec_run *)c->run;
}

#endif
