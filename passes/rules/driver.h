/* Applying rules. Private to passes/rules/. */
#ifndef INLAY_PASSES_RULE_DRIVER_H
#define INLAY_PASSES_RULE_DRIVER_H

#include "passes/rules/rule.h"

typedef struct rule_run {
    const inlay_rules *const *sets;
    int n_sets;
    uint64_t **counts; /* by set and rule */
    uint64_t rewrites;
    uint64_t shuffle; /* for tests: when it is not 0, nodes are taken from the worklist in a random
                         order that this number decides */
    /* Called when a rule did not match at N, for the reason in M, or matched and could not be
     * applied. May be NULL. */
    void (*refused)(void *ctx, const inlay_node *n, const rule_match *m);
    void *ctx;
    pass_run *pass; /* the run of a pass whose applications the rewrites are; may be NULL */
} rule_run;

/* explain.c: the place where a rule came nearest to matching. */
typedef struct rule_nearest {
    int reached;    /* 0: nowhere; compared only */
    char *at, *why; /* the node it would replace, and what was in the way; NULL: nowhere */
} rule_nearest;

/* The match M at N failed. It is kept when it came farther than those before. False: no memory. */
bool rule_nearest_keep(rule_nearest *best, const inlay_node *n, const rule_match *m);
/* Tells the receiver of events about BEST, as an event of pass P. False: the run must stop. */
bool rule_nearest_tell(const rule_nearest *best, const rule *r, const inlay_rule_info *info,
                       pass_run *p);
void rule_nearest_free(rule_nearest *best);

/* Rewrites G, not its bodies, until no rule applies. */
bool rule_drive(inlay_graph *g, rule_run *run, inlay_diags *d);

#endif
