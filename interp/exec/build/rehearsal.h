/* The state of a rehearsal, in place of the memory and frames of a run. */
#ifndef INLAY_EXEC_BUILD_REHEARSAL_H
#define INLAY_EXEC_BUILD_REHEARSAL_H

#include "interp/call/run.h"
#include "interp/exec/build/builder.h"
#include "interp/exec/loop/loop.h"

typedef struct rehearsal {
    struct inlay_run run; /* comes first, because kernels have a pointer to it */
    exec_builder *b;
    exec_step *s;
    exec_inner *to;
    run_env env;
    inlay_exec_stats stats;
    inlay_tensor **destinations; /* by output: the tensor at its place, as far as that is known */
    exec_loop *loop;             /* NULL: no body is repeated */
    int kind;                    /* which of the body's instances was used last */
    bool done;                   /* the kernel has asked for a body, and what the body will do is
                                    known */
} rehearsal;

static inline rehearsal *rehearsal_of(const inlay_call *c)
{
    return (rehearsal *)c->run;
}

/* Returns P, what an allocation outside arenas gave, and notes in R if it failed. */
static inline void *rehearsal_kept(const rehearsal *r, void *p)
{
    r->b->lacks = r->b->lacks || !p;
    return p;
}

extern const exec_loop_backend rehearsal_backend;
/* Returns the tensor at the place of output O of the step, if it has the type and dims of FORM;
 * NULL: that is not known. */
inlay_tensor *rehearsal_room(inlay_call *c, int o, const inlay_tensor *form);
/* Counts the copy of T, which becomes output O, to the place of this output, unless T was made
 * there. */
void rehearsal_place(inlay_call *c, int o, const inlay_tensor *t);
/* Returns the operand that output O overwrites by its note; -1: none. */
int rehearsal_given(const inlay_call *c, int o);
/* Returns the outside of a body whose inputs are these values. */
exec_outside rehearsal_outside(const rehearsal *r, const inlay_tensor *const *in, const bool *ours);
/* Begins an invocation of body BODY and returns its instance, which R's step then holds. NULL: no
 * instance shows what the body will do. */
const exec_instance *rehearsal_take(rehearsal *r, int body, const exec_outside *o);
/* Ends that invocation of X. OUT receives its results, which are made at DESTINATIONS or NULL, and
 * the bytes that it copies are counted. False: the results are not known. */
bool rehearsal_end(rehearsal *r, const exec_instance *x, const exec_outside *o,
                   inlay_tensor *const *destinations, inlay_tensor **out);

#endif
