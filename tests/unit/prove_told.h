/* What passes/prove finds out about the cases of a rule, on which the words of a verdict rest: how
 * many axes are needed, which ranks are known, which errors are those of both sides. */
#ifndef INLAY_TESTS_PROVE_TOLD_H
#define INLAY_TESTS_PROVE_TOLD_H

#include "passes/prove/case.h"

/* R with its names numbered the other way round, and its conditions in another order. */
rule prove_told_otherwise(const rule *r, inlay_arena *arena);

/* A hash of what is found out about all cases of R, in whatever order they come; 0: there are too
 * many, or one is unknown. SPOILT: what stands behind the last axis, node and name is no pointer. */
uint64_t prove_told_of(const rule *r, bool spoilt);

#endif
