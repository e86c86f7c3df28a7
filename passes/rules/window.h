/* The windows that rules compute with (`window w` in a rule): a window for each axis of the data of
 * a Slice or SliceScatter, as numbers where these are known. Private to passes/rules. */
#ifndef INLAY_PASSES_RULES_WINDOW_H
#define INLAY_PASSES_RULES_WINDOW_H

#include "ir/shared.h"
#include "passes/rules/rule.h"

/* The window that takes all elements of an axis of this size, in order. */
static inline inlay_window rule_whole(inlay_dim size)
{
    return (inlay_window){0, inlay_dim_is_static(size) ? size.lo : RULE_WHOLE, 1};
}

/* The windows of SLICE, a Slice or SliceScatter, one for each axis of its data; false: they are not
 * known. */
bool rule_read_window(const inlay_node *slice, inlay_window *out);
/* What `window w` means where SLICE matches. NULL: no memory. */
rule_window *rule_window_of(rule_match *m, const inlay_node *slice);
/* A known window of RANK axes, which the caller fills. NULL: no memory. */
rule_window *rule_make_window(rule_match *m, int rank);
/* The number of elements that W takes is known on every axis. W is known. */
bool rule_window_is_static(const rule_window *w);
/* W, which is known, takes no element. */
bool rule_window_is_empty(const rule_window *w);
/* The only axis of which W, the windows of SLICE, takes a part, and that part is a run of
 * neighbours: [begin, begin + count) with count > 0. -1: there is none, or there are several. */
int rule_run_axis(const inlay_node *slice, const inlay_window *w);

#endif
