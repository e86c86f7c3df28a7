/* The windows that rules compute with (`window w` in a rule): a window for each axis of the data of
 * a Slice or SliceScatter, as numbers where these are known. Private to passes/rules. */
#ifndef INLAY_PASSES_RULES_WINDOW_H
#define INLAY_PASSES_RULES_WINDOW_H

#include "ir/shared.h"
#include "passes/rules/rule.h"

/* Returns the window of all elements of an axis of this size, in order. */
static inline inlay_window rule_whole(inlay_dim size)
{
    return (inlay_window){0, inlay_dim_is_static(size) ? size.lo : RULE_WHOLE, 1};
}

/* Writes the windows of SLICE, a Slice or SliceScatter, one for each axis of its data, to OUT;
 * false: they are unknown. */
bool rule_read_window(const inlay_node *slice, inlay_window *out);
/* Returns what `window w` is bound to where SLICE matches. NULL: out of memory. */
rule_window *rule_window_of(rule_match *m, const inlay_node *slice);
/* Allocates a known window of RANK axes for the caller to fill. NULL: out of memory. */
rule_window *rule_make_window(rule_match *m, int rank);
/* Is the number of elements of the known window W known on every axis? */
bool rule_window_is_static(const rule_window *w);
/* Is the known window W empty? */
bool rule_window_is_empty(const rule_window *w);
/* Returns the only axis on which W, the windows of SLICE, is not the whole, if it is contiguous
 * there: [begin, begin + count) with count > 0. -1: there is none, or there are several. */
int rule_run_axis(const inlay_node *slice, const inlay_window *w);

#endif
