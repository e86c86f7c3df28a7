/* Questions about arguments, values and windows that several conditions and functions of the rule
 * language ask. Private to passes/rules/vocabulary. */
#ifndef INLAY_PASSES_RULES_VOCABULARY_H
#define INLAY_PASSES_RULES_VOCABULARY_H

#include "ir/shared.h"
#include "passes/rules/window.h"

static inline rule_answer rule_yes_if(bool yes)
{
    return yes ? RULE_YES : RULE_NO;
}

static inline const rule_window *rule_arg_window(const rule_call *c, int i)
{
    return c->arg[i].window;
}

/* Is TYPE one without negative numbers, in which bits that are all 0 are not the number 0? */
static inline bool rule_is_for_storage(inlay_type type)
{
    return type == INLAY_F8E8M0 || type == INLAY_NF4;
}

static inline bool rule_is_one(inlay_dim d)
{
    return d.lo == 1 && d.hi == 1;
}

/* Extends W by NEXT if NEXT continues W along AXIS with the same step; else false. */
bool rule_window_append(rule_window *w, const inlay_window *next, int axis);

/* Returns the axis of the result of N, a Broadcast, for axis I of its data; -1: unknown. */
int rule_broadcast_axis(const inlay_node *n, int i);
/* Has F surely exactly one element? */
bool rule_has_one_element(const inlay_fact *f);
/* Allocates a known window of RANK axes as the result of C; the caller fills it. NULL: out of
 * memory. */
rule_window *rule_new_window(rule_call *c, int rank);
/* Has V RANK axes, all of known size, and does their product fit? False for RANK -1, an unknown
 * rank. */
bool rule_static_dims(const inlay_value *v, int rank);
/* Sets *OUT to the only axis in AXIS as a number in [0, rank). */
bool rule_axis_of(const rule_ints *axis, int rank, int *out);
/* Shifts W by -BY along its axis. False when it is not within [0, size) then. */
bool rule_window_shift(inlay_window *w, int64_t by, int64_t size);
/* Sets *OUT to entry I of a list operand; false when it is unknown. */
bool rule_known_entry(const inlay_value *v, int i, int64_t *out);

#endif
