/* Applies rules. Private to passes/rules/. */
#ifndef INLAY_PASSES_RULE_DRIVER_H
#define INLAY_PASSES_RULE_DRIVER_H

#include "passes/rules/rule.h"

typedef struct rule_run {
    const inlay_rules *const *sets;
    int n_sets;
    uint64_t **counts;    /* by set and rule */
    inlay_budget *budget; /* where its tables count; or NULL */
    uint64_t rewrites;
    uint64_t shuffle; /* for tests: other than 0, the seed of a random order in which nodes leave
                         the worklist */
    /* Called when a rule did not match at N, for the reason in M, or matched and could not be
     * applied. May be NULL. */
    void (*refused)(void *ctx, const inlay_node *n, const rule_match *m);
    void *ctx;
    pass_run *pass; /* the run of a pass to which the rewrites belong; may be NULL */
} rule_run;

/* explain.c: where a rule came closest to matching. */
typedef struct rule_nearest {
    int reached;    /* how much of the rule matched there; 0: nothing */
    char *at, *why; /* the node that would be replaced, and what prevented it; NULL: none */
} rule_nearest;

/* Keeps the failed match M at N if more of the rule matched than before. False: out of memory. */
bool rule_nearest_keep(rule_nearest *best, const inlay_node *n, const rule_match *m);
/* Sends BEST to the receiver of events, as an event of pass P. False: the run must stop. */
bool rule_nearest_tell(const rule_nearest *best, const rule *r, const inlay_rule_info *info,
                       pass_run *p);
void rule_nearest_free(rule_nearest *best);

/* Rewrites G, not its bodies, until no rule applies. */
bool rule_drive(inlay_graph *g, rule_run *run, inlay_diags *d);

#endif
