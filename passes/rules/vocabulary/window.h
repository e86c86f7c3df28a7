/* What the files that compute windows share. Private to passes/rule_*.c. */
#ifndef INLAY_PASSES_RULE_WINDOW_H
#define INLAY_PASSES_RULE_WINDOW_H

#include "passes/rules/rule.h"

static inline rule_answer answer(bool yes)
{
    return yes ? RULE_YES : RULE_NO;
}

static inline const rule_window *window(const rule_call *c, int i)
{
    return c->arg[i].window;
}

static inline bool rule_is_one(inlay_dim d)
{
    return d.lo == 1 && d.hi == 1;
}

static inline bool rule_used_once(const inlay_value *v)
{
    return v->uses && !v->uses->next;
}

/* W grows by NEXT, which goes on along AXIS where W ends, with the same step. */
bool rule_window_append(rule_window *w, const inlay_window *next, int axis);

/* The axis of the result of N, a Broadcast, that axis I of its data is; -1: not known. */
int rule_broadcast_axis(const inlay_node *n, int i);
/* Proven to have exactly one. */
bool rule_has_one_element(const inlay_fact *f);
/* All of an axis of this size, in order. */
static inline inlay_window rule_whole(inlay_dim size)
{
    return (inlay_window){0, inlay_dim_is_static(size) ? size.lo : RULE_WHOLE, 1};
}

/* The window of a Slice or SliceScatter as a rule_window has it; false: not known. */
bool rule_read_window(const inlay_node *slice, inlay_window *out);
/* The only axis that W, the window of SLICE, does not take all of, where it is [begin, begin +
 * count), count > 0; else -1. */
int rule_run_axis(const inlay_node *slice, const inlay_window *w);
/* W, which is known, is so on every axis. */
bool rule_window_is_static(const rule_window *w);
/* A known window, still to be filled; NULL: no memory. */
rule_window *rule_make_window(rule_match *m, int rank);
/* The same, and the call gives it. */
rule_window *rule_new_window(rule_call *c, int rank);
/* W, which is known, takes nothing. */
bool rule_window_is_empty(const rule_window *w);
/* V has RANK axes, all of known size, and their product fits; false where RANK is -1, which no
 * value is known to have. */
bool rule_static_dims(const inlay_value *v, int rank);
/* One axis as a number in [0, rank). */
bool rule_axis_of(const rule_ints *axis, int rank, int *out);
/* W moved by -BY along an axis lies in [0, size)? */
bool rule_window_shift(inlay_window *w, int64_t by, int64_t size);
/* Entry I of a list operand; false when it is not known. */
bool rule_known_entry(const inlay_value *v, int i, int64_t *out);

#endif
