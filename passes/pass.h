/* One run of a pass from inside. Private to passes/.
 *
 * A built-in pass is `bool pass_<name>(inlay_graph *g, pass_run *r)` with a row in passes.def. It
 * is an inlay_pass_fn as those from outside are, and may look into its run. */
#ifndef INLAY_PASSES_PASS_H
#define INLAY_PASSES_PASS_H

#include "passes/passes.h"

typedef struct inlay_pass_run pass_run;

struct inlay_pass_run {
    const inlay_pass_options *options; /* never NULL */
    void *ctx;                         /* of the pass */
    inlay_diags *diags;
    uint64_t changes;
    uint64_t folded;  /* bytes of constants that folding made; the graph keeps them to its end */
    uint64_t looks;   /* in-place-windows: steps of its searches, for tests */
    uint64_t shuffle; /* tests: in-place-windows decides in an order drawn by this; 0: its own */
};

#endif
