/* Operations that fail for some elements, as an integer Divide does for a divisor of zero. Private
 * to passes/. */
#ifndef INLAY_PASSES_FAULTS_H
#define INLAY_PASSES_FAULTS_H

#include "ir/ir.h"

/* Whether N, which is pointwise, fails for some elements. */
bool query_may_fail(const inlay_node *n);

#endif
