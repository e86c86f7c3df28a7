/* Chains of writes, each over what the one before wrote, for conditions that look along them.
 * Private to passes/rule_*.c.
 *
 * A write has a link: what the writes from it down do, so that a question about a chain does not
 * walk it from every one of its writes. A link is made when it is first asked for, from that of the
 * write below, and is forgotten when something changed below. */
#ifndef INLAY_PASSES_RULE_CHAIN_H
#define INLAY_PASSES_RULE_CHAIN_H

#include "passes/rules/rule.h"

/* Of G, without links; NULL: out of memory. */
rule_chains *rule_chains_new(const inlay_graph *g);
void rule_chains_free(rule_chains *chains);
/* Forgets all links, before anything is asked. False: out of memory. */
bool rule_chains_reset(rule_chains *chains);
/* Forgets the links of WRITE, which may be any node, and of the writes above it: it has another
 * operand, or has become the only one that reads it. */
void rule_chains_forget(rule_chains *chains, const inlay_node *write);

/* The value under all the writes that end with V and do not meet W, which is known; V itself where
 * there are none. NULL: no memory. */
inlay_value *rule_chain_under(rule_match *m, inlay_value *v, const rule_window *w);
/* May the writes that end with END, each read by the next alone, fill AXIS? No two of them meet. */
bool rule_chain_may_fill(rule_match *m, const inlay_node *end, int axis);

#endif
