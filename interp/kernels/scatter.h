/* One shape for every scatter: a list of runs of elements, each with its place in data. The kernels
 * in scatter.c find the places and check them all; scatter_apply.c writes. */
#ifndef INLAY_INTERP_KERNELS_SCATTER_H
#define INLAY_INTERP_KERNELS_SCATTER_H

#include "interp/call/kernel.h"

struct scatter {
    const inlay_tensor *updates;
    int64_t n;          /* runs */
    int64_t run;        /* how many elements, which lie side by side, each run has */
    int64_t *to, *from; /* row-major positions of the first element of each run, in the data and in
                         * the updates; `from` NULL: the runs lie one behind the other */
};

static inline int64_t scatter_from(const struct scatter *s, int64_t i)
{
    return s->from ? s->from[i] : i * s->run;
}

/* The output becomes the data, and then the runs are written in order. REDUCTION NULL or "none":
 * the last run that writes an element wins. Else the updates of an element are combined in order,
 * with its old value if INIT, or alone. */
bool scatter_apply(inlay_call *c, const struct scatter *s, const char *reduction, bool init);

#endif
