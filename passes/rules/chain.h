/* Chains of writes, each over the result of the one before, for conditions that look along them.
 * Private to passes/rules/.
 *
 * A write has a link, which summarises the writes from it downwards, so that questions about a
 * chain do not walk it from every one of its writes. A link is made when it is first needed, from
 * that of the write below, and is dropped when something below changes. */
#ifndef INLAY_PASSES_RULE_CHAIN_H
#define INLAY_PASSES_RULE_CHAIN_H

#include "passes/rules/rule.h"

/* Returns the chains of G, without links yet. NULL: out of memory. */
rule_chains *rule_chains_new(const inlay_graph *g);
void rule_chains_free(rule_chains *chains);
/* Drops all links, before the first question. False: out of memory. */
bool rule_chains_reset(rule_chains *chains);
/* Drops the links of WRITE, which may be any node, and of the writes above it. To be called when
 * WRITE has another operand, or has become the only reader of its operand. */
void rule_chains_forget(rule_chains *chains, const inlay_node *write);

/* Goes down from V past all writes that surely do not intersect the known window W. Returns the
 * value under the last of these writes; V itself if it is no such write. NULL: out of memory. */
inlay_value *rule_chain_under(rule_match *m, inlay_value *v, const rule_window *w);
/* Can the writes from END down together fill AXIS? Only disjoint writes count, each of which is
 * read by the next one alone. */
bool rule_chain_may_fill(rule_match *m, const inlay_node *end, int axis);

#endif
