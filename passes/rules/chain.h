/* Chains of writes, each over what the one before wrote, for conditions that look along them.
 * Private to passes/rule_*.c.
 *
 * A write has a link: what the writes from it down do, so that a question about a chain does not
 * walk it from every one of its writes. A link is made when it is first asked for, from that of the
 * write below, and is forgotten when something changed below. */
#ifndef INLAY_PASSES_RULE_CHAIN_H
#define INLAY_PASSES_RULE_CHAIN_H

#include "passes/rules/rule.h"

/* The chains of G, of which no link is made yet. NULL: out of memory. */
rule_chains *rule_chains_new(const inlay_graph *g);
void rule_chains_free(rule_chains *chains);
/* Forgets all links, before anything is asked. False: out of memory. */
bool rule_chains_reset(rule_chains *chains);
/* Forgets the links of WRITE, which may be any node, and those of the writes above it. To be called
 * when WRITE has another operand, or has become the only reader of its operand. */
void rule_chains_forget(rule_chains *chains, const inlay_node *write);

/* Goes down from V past all writes that do not meet the window W, which is known. The result is the
 * value under the last of these writes, or V itself when V is of no such write. NULL: no memory. */
inlay_value *rule_chain_under(rule_match *m, inlay_value *v, const rule_window *w);
/* Can the writes from END down together fill AXIS? Only writes count of which no two meet and each
 * is read by the next one alone. */
bool rule_chain_may_fill(rule_match *m, const inlay_node *end, int axis);

#endif
