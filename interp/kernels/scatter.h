/* One form for every scatter: a list of runs of elements, each with its position in the data. The
 * kernels in scatter.c find and check all positions; scatter_apply.c writes. */
#ifndef INLAY_INTERP_KERNELS_SCATTER_H
#define INLAY_INTERP_KERNELS_SCATTER_H

#include "interp/call/kernel.h"

struct scatter {
    const inlay_tensor *updates;
    int64_t n;          /* number of runs */
    int64_t run;        /* number of consecutive elements of each run */
    int64_t *to, *from; /* row-major positions of the first element of each run, in the data and in
                           the updates; `from` NULL: the runs are consecutive there */
};

static inline int64_t scatter_from(const struct scatter *s, int64_t i)
{
    return s->from ? s->from[i] : i * s->run;
}

/* Sets the output to the data, and then writes the runs in order. REDUCTION NULL or "none": the
 * last run that writes an element wins. Else the updates of an element are reduced in order,
 * together with its old value if INIT. */
bool scatter_apply(inlay_call *c, const struct scatter *s, const char *reduction, bool init);

#endif
