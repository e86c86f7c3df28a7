/* Random graphs (generate/), for tests that compare ways to run or to rewrite a graph. */
#ifndef INLAY_TESTS_RANDOM_GRAPHS_H
#define INLAY_TESTS_RANDOM_GRAPHS_H

#include "generate/generated.h"
#include "seeds.h"

/* Makes a random graph of MIX, which decides the kinds of nodes, from SEED. The test fails if it
 * cannot be made; the caller frees the graph. */
generated_graph random_graph_of(inlay_generate_mix mix, uint64_t seed, inlay_diags *d);
/* Returns a tensor for Parameter I; the test fails when there is no memory. */
inlay_tensor *random_input(const generated_graph *g, int i, rng *r);

#endif
