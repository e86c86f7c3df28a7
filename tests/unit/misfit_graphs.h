/* Small graphs in which nearly every value is concatenated, sliced, overwritten or written into
 * another one, and in which sizes of inputs are known, open or named, or even the rank is unknown.
 * A graph is a pure function of its seed. */
#ifndef INLAY_TESTS_MISFIT_GRAPHS_H
#define INLAY_TESTS_MISFIT_GRAPHS_H

#include "generate/generated.h"

/* The caller frees the graph. */
generated_graph make_misfit_graph(uint64_t seed);

#endif
