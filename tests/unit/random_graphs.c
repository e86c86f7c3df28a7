#include "random_graphs.h"
#include "unit.h"

generated_graph random_graph_of(inlay_generate_mix mix, uint64_t seed, inlay_diags *d)
{
    const inlay_generate_options o = {.seed = seed,
                                      .mix = mix,
                                      .variables = mix == INLAY_GENERATE_WINDOWS ||
                                                   mix == INLAY_GENERATE_PLACES};
    generated_graph g;

    if (!generate_graph(&o, &g, d))
        fail_msg("the graph of seed %llu cannot be made: %s", (unsigned long long)seed,
                 d ? inlay_diags_at(d, 0)->text : "");
    return g;
}

inlay_tensor *random_input(const generated_graph *g, int i, rng *r)
{
    inlay_tensor *t = generate_input(g, i, r);

    assert_non_null(t);
    return t;
}
