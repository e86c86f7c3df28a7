/* A run of a pass, as the pass sees it. Private to passes/.
 *
 * A built-in pass is `bool pass_<name>(inlay_graph *g, pass_run *r)` with a row in passes.def. It
 * is an inlay_pass_fn like those of programs, but may look into its run. */
#ifndef INLAY_PASSES_PASS_H
#define INLAY_PASSES_PASS_H

#include "passes/passes.h"

typedef struct inlay_pass_run pass_run;

struct inlay_pass_run {
    const inlay_pass_options *options; /* never NULL */
    const char *name;                  /* the name of the pass */
    void *ctx;                         /* and the context it was registered with */
    inlay_graph *graph;                /* the outermost one */
    inlay_diags *diags;
    uint64_t changes;
    bool again;            /* the pass runs again later, and reports only then what it left
                              unchanged */
    bool stopped;          /* the receiver of events wants to stop the run; it need not say why */
    bool failed;           /* out of memory when an application began: the run must stop */
    inlay_application now; /* the application in progress; `at` NULL: none */
    inlay_rule_info rule;  /* its rule */
    inlay_graph *changing; /* the graph or body it changes */
    uint32_t first_id;     /* of the nodes that the application makes */
    uint64_t folded;       /* bytes of constants made by folding; the graph keeps them until it is
                              freed */
    uint64_t looks;        /* in-place-windows: steps of its searches, for tests */
    uint64_t shuffle; /* tests: seed of a random order in which in-place-windows decides; 0: its own
                         order */
    const int *ranks; /* tests: by node id, the order in which in-place-windows decides (struct
                         inplace_priority), for all of a graph without bodies; NULL: its own
                         order */
};

/* readers.c: do the shape rules of everything computed from OLD accept BY, a value for each of its
 * outputs or NULL, in its place? More is known of BY: it may be a constant with a number that a
 * rule refuses, in a place that may never run. The facts found stay recorded, so that if the answer
 * is yes, BY must replace OLD. False also when memory runs out; D says why. */
bool pass_readers_take_all(inlay_node *old, inlay_value *const *by, inlay_diags *d);
/* Sets *TAKE to the answer for one value; for all. False, and an error in D, only when memory runs
 * out. */
bool pass_ask_readers(inlay_value *old, const inlay_value *by, bool *take, inlay_diags *d);
bool pass_ask_readers_all(inlay_node *old, inlay_value *const *by, bool *take, inlay_diags *d);

/* quantized.c: the part of keep-compressed for products of integers. */
bool pass_keep_quantized(inlay_graph *g, pass_run *r);

/* apply.c */

/* Sends event E of the pass of R; fills in its pass and graph. False: vetoed, or stop. */
bool pass_tell(pass_run *r, inlay_event *e);
/* inlay_pass_begin and inlay_pass_end for a rule (NULL: none); FIRST: its first application in this
 * pass. The caller counts changes. */
bool pass_begin_rule(pass_run *r, const inlay_node *at, const inlay_rule_info *rule, bool first);
/* Ends the application. Those of the N nodes of MATCHED (entries may be NULL) that left the graph
 * were replaced; the list is reordered. */
bool pass_applied(pass_run *r, const inlay_node **matched, size_t n);
/* Ends an application that changed nothing. False: out of memory. */
bool pass_gave_up(pass_run *r);

#endif
