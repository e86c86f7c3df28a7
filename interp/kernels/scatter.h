/* Every scatter becomes a list of runs of elements, each with its place in data. The kernels in
 * scatter.c find the places and check them all; scatter_apply.c writes. */
#ifndef INLAY_INTERP_KERNELS_SCATTER_H
#define INLAY_INTERP_KERNELS_SCATTER_H

#include "interp/call/kernel.h"

struct scatter {
    const inlay_tensor *updates;
    int64_t n;          /* number of runs */
    int64_t run;        /* number of elements of each run, which follow each other */
    int64_t *to, *from; /* row-major positions of their first elements in data and in updates */
};

/* Copies data to the output and applies the runs in their order. With REDUCTION NULL or "none" they
 * are written, and the last one to write an element wins. Else the updates of each element are
 * combined in order, beginning with its old value if INIT. */
bool scatter_apply(inlay_call *c, const struct scatter *s, const char *reduction, bool init);

#endif
