/* Small graphs in which nearly every value is joined, cut, written over or put into another one,
 * and which know little of the sizes of their inputs: some are numbers, some are open, some have
 * names, of some inputs not even the rank is known. A graph is a pure function of its seed. */
#ifndef INLAY_TESTS_MISFIT_GRAPHS_H
#define INLAY_TESTS_MISFIT_GRAPHS_H

#include "generate/generated.h"

/* The caller frees the graph. */
generated_graph make_misfit_graph(uint64_t seed);

#endif
