/* Applying rules. Private to passes/rule_*.c. */
#ifndef INLAY_PASSES_RULE_DRIVER_H
#define INLAY_PASSES_RULE_DRIVER_H

#include "passes/rule.h"

typedef struct rule_run {
    const inlay_rules *const *sets;
    int n_sets;
    uint64_t **counts; /* by set and rule */
    uint64_t rewrites;
    uint64_t shuffle; /* tests: not 0, the worklist is in no order, which this number decides */
    /* A rule did not match at N; M says why. May be NULL. */
    void (*refused)(void *ctx, const inlay_node *n, const rule_match *m);
    void *ctx;
} rule_run;

/* Rewrites G, not its bodies, until no rule applies. */
bool rule_drive(inlay_graph *g, rule_run *run, inlay_diags *d);

#endif
