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
    const char *name;                  /* of the pass */
    void *ctx;                         /* and what was registered with it */
    inlay_graph *graph;                /* the outermost one */
    inlay_diags *diags;
    uint64_t changes;
    bool again;            /* the pass comes once more: what it leaves as it is it says then */
    bool stopped;          /* who receives the events wants no more of them, and need not say why */
    bool failed;           /* there was no memory to begin an application: the run must stop */
    inlay_application now; /* the one that has begun; without `at` there is none */
    inlay_rule_info rule;  /* its rule */
    inlay_graph *changing; /* the graph or body it changes */
    uint32_t first_id;     /* of the nodes it makes */
    uint64_t folded;  /* bytes of constants that folding made; the graph keeps them to its end */
    uint64_t looks;   /* in-place-windows: steps of its searches, for tests */
    uint64_t shuffle; /* tests: in-place-windows decides in an order drawn by this; 0: its own */
    const int *ranks; /* tests: by node id, when in-place-windows asks about what the node makes, as
                         struct inplace_turns has it, on all of a graph without bodies; NULL: it
                         chooses */
};

/* readers.c: the shape rules of all that is computed of OLD take BY, a value for each of its
 * outputs or NULL, in its place, of which more is known: a constant, say, with a number that one of
 * them refuses where it may never run. What becomes known stays recorded, so that BY must take the
 * place then. False too when memory runs out; D says why. */
bool pass_readers_take_all(inlay_node *old, inlay_value *const *by, inlay_diags *d);
/* *TAKE is what this says of one value, and of all; false, and an error in D, only when memory runs
 * out. */
bool pass_ask_readers(inlay_value *old, const inlay_value *by, bool *take, inlay_diags *d);
bool pass_ask_readers_all(inlay_node *old, inlay_value *const *by, bool *take, inlay_diags *d);

/* apply.c */

/* E happened in the pass of R; its pass and graph are filled in. False: vetoed, or stop. */
bool pass_tell(pass_run *r, inlay_event *e);
/* As inlay_pass_begin and inlay_pass_end, for a rule (NULL: none), whose FIRST application in this
 * pass it may be. Changes are counted by the caller. */
bool pass_begin_rule(pass_run *r, const inlay_node *at, const inlay_rule_info *rule, bool first);
/* It is done. Those of the N nodes of MATCHED (entries may be NULL) that are no longer in the graph
 * were replaced; the list is reordered. */
bool pass_applied(pass_run *r, const inlay_node **matched, size_t n);
/* It came to nothing. False: out of memory. */
bool pass_gave_up(pass_run *r);

#endif
