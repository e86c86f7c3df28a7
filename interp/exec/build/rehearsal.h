/* What a rehearsal has where a run has memory and frames. */
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
    inlay_tensor **destinations; /* by output: where it will stand, as far as that is known */
    exec_loop *loop;             /* NULL: no body is repeated */
    int kind;                    /* of the instances of the body: the one that was taken last */
    bool done;                   /* the kernel has asked for a body, and what it will do is known */
} rehearsal;

static inline rehearsal *rehearsal_of(const inlay_call *c)
{
    return (rehearsal *)c->run;
}

extern const exec_loop_backend rehearsal_backend;
/* Returns where output O of the step will stand if it has this form; NULL: that is not known. */
inlay_tensor *rehearsal_room(inlay_call *c, int o, const inlay_tensor *form);
/* Counts the copy of T, which becomes output O, to where this output has its place, unless it was
 * made there. */
void rehearsal_place(inlay_call *c, int o, const inlay_tensor *t);
/* Returns the operand that output O is written over, by its note; -1: none. */
int rehearsal_given(const inlay_call *c, int o);
/* Returns the outside of a body that these values enter. */
exec_outside rehearsal_outside(const rehearsal *r, const inlay_tensor *const *in, const bool *ours);
/* Makes an invocation of body BODY: returns its instance, which R's step holds from then on. NULL:
 * there is none that shows what the body will do. */
const exec_instance *rehearsal_take(rehearsal *r, int body, const exec_outside *o);
/* Ends that invocation of X: OUT receives its results, of which ROOMS has the places, or NULL, and
 * what it copies is counted. False: the results are not known. */
bool rehearsal_end(rehearsal *r, const exec_instance *x, const exec_outside *o,
                   inlay_tensor *const *destinations, inlay_tensor **out);

#endif
