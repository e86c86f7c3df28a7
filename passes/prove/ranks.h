/* Whether a rule loses errors of values whose rank (number of axes) the graph does not know.
 * ranks.c says what it is about. Private to these files. */
#ifndef INLAY_PASSES_PROVE_RANKS_H
#define INLAY_PASSES_PROVE_RANKS_H

#include "passes/prove/prove.h"
#include "passes/prove/rows.h"

/* ranks_told.c */
/* Operand 1 of N is a list of axes, which a graph may count from the end. */
bool ranks_has_axes(const prove_node *n);
/* V is an operand of N. */
bool ranks_reads(const prove_node *n, const prove_value *v);
/* Some condition or function tells the rank of V. */
bool ranks_is_told(const prove_case *c, const prove_value *v);

/* ranks_known.c; whether a rank is known is prove_knows_rank. */
bool ranks_is_named(const prove_node *n, const char *type);
/* Operand 1 of N is a list with a number for each axis of the data. */
bool ranks_is_by_list(const prove_node *n);
/* Operand I of N is a list whose numbers were known when the rule was applied. */
bool ranks_is_known_list(const prove_case *c, const prove_node *n, int i);
/* The window of N has a number for each axis of the data. */
bool ranks_counts_axes(const prove_case *c, const prove_node *n);
/* The rank of V depends on whether a Squeeze of the left side removes an axis of unknown size. */
bool ranks_is_assumed(const prove_case *c, const prove_value *v);
/* V is new, and the rule is only applied if its rank is known. */
bool ranks_makes_known(const prove_case *c, const prove_value *v);

/* ranks_alike.c */
/* The integer attributes of N, which may be axes, are those of M. */
bool ranks_have_same_axes(const prove_case *c, const prove_node *n, const prove_node *m);
/* A value of V's rank is an operand of M. */
bool ranks_is_joined(const prove_node *m, const prove_value *v);
/* N needs only the first axis of operand 0 to exist, and so does M. */
bool ranks_needs_first_axis(const prove_node *n, const prove_node *m);
/* M takes data of the rank of DATA with a list whose length is known, and is that of LIST unless
 * that is NULL. */
bool ranks_takes_by_list(const prove_case *c, const prove_node *m, const prove_value *data,
                         const prove_value *list);
/* M fails if N does because operand K of N has a wrong rank. */
bool ranks_is_error_too(const prove_case *c, const prove_node *n, int k, const prove_node *m);
/* The right side does. */
bool ranks_is_error_of_both(const prove_case *c, const prove_node *n, int k);

#endif
