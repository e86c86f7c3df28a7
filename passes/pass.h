/* What a pass is. Private to passes/.
 *
 * A pass is `bool pass_<name>(inlay_graph *g, pass_run *r)`: it changes G, the outermost graph, and
 * the bodies below it; it counts what it changed in r->changes and leaves notes of what it declined
 * in r->diags. False means that an error was recorded. A row in passes.def makes it known. */
#ifndef INLAY_PASSES_PASS_H
#define INLAY_PASSES_PASS_H

#include "passes/passes.h"

typedef struct pass_run {
    const inlay_pass_options *options; /* never NULL */
    inlay_diags *diags;
    uint64_t changes;
    uint64_t folded;  /* bytes of constants that folding made; the graph keeps them to its end */
    uint64_t looks;   /* in-place-windows: steps of its searches, for tests */
    uint64_t shuffle; /* tests: in-place-windows decides in an order drawn by this; 0: its own */
} pass_run;

typedef bool pass_function(inlay_graph *g, pass_run *r);

/* Calls FN on G and then on every body below it. */
bool pass_each_graph(inlay_graph *g, pass_function *fn, pass_run *r);

/* replace.c: one value in the place of another, the outputs' names kept. OLD is the only output of
 * its node, which goes. */

/* BY stood in the graph before. *DONE is false, and nothing changed, when an output would lose its
 * name. */
bool pass_replace_by_old(inlay_value *old, inlay_value *by, bool *done, inlay_diags *d);
/* BY, output 0 of a node just made, takes OLD's name, tensor names and place in the source. */
bool pass_replace_by_new(inlay_value *old, inlay_value *by, inlay_diags *d);

#endif
