/* What the files of totals share; totals.c says what these are. Private to these files. */
#ifndef INLAY_PASSES_PROVE_TOTALS_H
#define INLAY_PASSES_PROVE_TOTALS_H

#include "passes/prove/rows.h"

typedef struct prove_total_kind {
    /* The reduction, and the operation that combines two elements; NULL: none does. */
    const char *type, *joins;
    const char *bounds; /* the operation that bounds an element by a constant one */
    int opposite; /* the kind of total that is the LogicalNot of this one of LogicalNot; -1: none */
} total_kind;

/* totals_terms.c */
/* The total that T is; NULL: it is none. */
const prove_total *totals_that_is(const prove_case *c, const smt *t);
/* The variable occurs in T or, if HIDDEN, in the body of a total in T. */
bool totals_mentions(const prove_case *c, const smt *t, const smt *variable, bool hidden);
/* T is made by the operation TYPE. */
bool totals_is(const prove_case *c, const smt *t, const char *type);
/* The operation TYPE of A and B. */
const smt *totals_apply2(prove_case *c, const char *type, const smt *a, const smt *b);

/* totals_real.c: what T makes of real numbers, by what is made of its parts, if it SUMS. */
const smt *totals_real(prove_case *c, prove_total t, bool sums);

#endif
