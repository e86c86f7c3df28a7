/* What several conditions and functions of the rule language ask: small questions about arguments,
 * values and windows. Private to passes/rules/vocabulary. */
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

/* Numbers of TYPE have no negatives there, and bits that are all 0 are not the number 0. */
static inline bool rule_is_for_storage(inlay_type type)
{
    return type == INLAY_F8E8M0 || type == INLAY_NF4;
}

static inline bool rule_is_one(inlay_dim d)
{
    return d.lo == 1 && d.hi == 1;
}

/* Extends W by NEXT, when NEXT goes on along AXIS where W ends, with the same step; else false. */
bool rule_window_append(rule_window *w, const inlay_window *next, int axis);

/* The axis of the result of N, a Broadcast, that axis I of its data is; -1: not known. */
int rule_broadcast_axis(const inlay_node *n, int i);
/* F is proven to have exactly one element. */
bool rule_has_one_element(const inlay_fact *f);
/* A known window of RANK axes, which is what C gives; the caller fills it. NULL: no memory. */
rule_window *rule_new_window(rule_call *c, int rank);
/* V has RANK axes, all of known size, and their product fits; false where RANK is -1, which no
 * value is known to have. */
bool rule_static_dims(const inlay_value *v, int rank);
/* *OUT is the only axis in AXIS as a number in [0, rank). */
bool rule_axis_of(const rule_ints *axis, int rank, int *out);
/* Moves W by -BY along its axis. False when it does not lie in [0, size) then. */
bool rule_window_shift(inlay_window *w, int64_t by, int64_t size);
/* Entry I of a list operand; false when it is not known. */
bool rule_known_entry(const inlay_value *v, int i, int64_t *out);

#endif
