/* What the totals of passes/prove (totals.c) are: all elements of a box, put together. */
#ifndef INLAY_TESTS_SMT_TOTALS_H
#define INLAY_TESTS_SMT_TOTALS_H

#include "passes/prove/rows.h"
#include "smt_value.h"

/* What T says that it is, put together one element after another. */
bool smt_put_together(smt_world *w, const prove_total *t, int64_t *out);
/* The totals of C, of which no more is told, are that; ABOUT lives as long as W. */
typedef struct smt_totals {
    smt_world *w;
    const prove_case *c;
} smt_totals;
void smt_mean_totals(const smt_totals *about);
/* Operations of integers of 64 bits, which wrap, and of booleans. */
void smt_mean_operations(smt_world *w);

#endif
