/* Applying rules. Private to passes/rule_*.c. */
#ifndef INLAY_PASSES_RULE_DRIVER_H
#define INLAY_PASSES_RULE_DRIVER_H

#include "passes/rule.h"

typedef struct rule_run {
    const inlay_rules *const *sets;
    int n_sets;
    uint64_t **counts; /* by set and rule */
    uint64_t rewrites;
    /* A rule's left side described N, but CONDITION was not answered by yes. May be NULL. */
    void (*refused)(void *ctx, const inlay_node *n, const rule *r, const rule_clause *condition,
                    rule_answer answer);
    void *ctx;
} rule_run;

/* Rewrites G, not its bodies, until no rule applies. */
bool rule_drive(inlay_graph *g, rule_run *run, inlay_diags *d);

#endif
