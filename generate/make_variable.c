/* Variables, which live from run to run. */
#include "generate/make.h"

#include <stdio.h>
#include <string.h>

void gen_read_variable(generator *g, int k)
{
    inlay_value *init =
        rng_one_in(&g->r, 2) ? gen_constant(g, g->rank, g->dims) : g->values[0].value;
    char attrs[200], shape[100] = "";

    for (int i = 0; i < g->rank; i++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%lld", i ? "," : "",
                 (long long)g->dims[i]);
    snprintf(attrs, sizeof attrs, "variable_id=v%d; variable_type=%s; variable_shape=%s", k,
             inlay_type_info_of(g->type)->name, shape);
    gen_add(g, gen_build(g, "ReadValue", &init, rng_one_in(&g->r, 4) ? 0 : 1, attrs), g->rank,
            g->dims);
}

void gen_assign_variable(generator *g, int k)
{
    inlay_value *v = gen_whole(g).value;
    char attrs[40];

    snprintf(attrs, sizeof attrs, "variable_id=v%d", k);
    gen_node(g, "Assign", NULL, &v, 1, attrs);
}
