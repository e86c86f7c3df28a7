/* One shape for every scatter: a list of runs of elements, each with its place in data. The kernels
 * in scatter.c find the places and check them all; scatter_apply.c writes. */
#ifndef INLAY_INTERP_KERNELS_SCATTER_H
#define INLAY_INTERP_KERNELS_SCATTER_H

#include "interp/call/kernel.h"

struct scatter {
    const inlay_tensor *updates;
    int64_t n;          /* runs */
    int64_t run;        /* consecutive elements of each */
    int64_t *to, *from; /* row-major positions of their first elements in data, in updates; `from`
                           NULL: one behind the other */
};

static inline int64_t scatter_from(const struct scatter *s, int64_t i)
{
    return s->from ? s->from[i] : i * s->run;
}

/* out = data, then the runs in order. REDUCTION NULL or "none": written, the last one wins; else
 * every element written to is combined, in order, with its old value (INIT) or from the updates
 * alone. */
bool scatter_apply(inlay_call *c, const struct scatter *s, const char *reduction, bool init);

#endif
