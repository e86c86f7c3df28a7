/* Variables, which live from run to run. */
#include "generate/make.h"

#include <stdio.h>
#include <string.h>

/* Of the operations of opset 3, where there are all rows. */
static bool is_old(generator *g)
{
    return g->o->mix == INLAY_GENERATE_ROWS && rng_one_in(&g->r, 4);
}

void gen_read_variable(generator *g, int k)
{
    inlay_value *init =
        rng_one_in(&g->r, 2) ? gen_constant(g, g->rank, g->dims) : g->values[0].value;
    char attrs[200], shape[100] = "";
    inlay_node *n;

    for (int i = 0; i < g->rank; i++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%lld", i ? "," : "",
                 (long long)g->dims[i]);
    if (is_old(g)) {
        snprintf(attrs, sizeof attrs, "variable_id=v%d", k);
        n = gen_node(g, "ReadValue", "opset3", &init, 1, attrs);
    } else {
        snprintf(attrs, sizeof attrs, "variable_id=v%d; variable_type=%s; variable_shape=%s", k,
                 inlay_type_info_of(g->type)->name, shape);
        n = gen_node(g, "ReadValue", NULL, &init, rng_one_in(&g->r, 4) ? 0 : 1, attrs);
    }
    gen_add(g, n ? &n->out[0] : NULL, g->rank, g->dims);
}

void gen_assign_variable(generator *g, int k)
{
    inlay_value *v = gen_whole(g).value;
    char attrs[40];

    snprintf(attrs, sizeof attrs, "variable_id=v%d", k);
    gen_node(g, "Assign", is_old(g) ? "opset3" : NULL, &v, 1, attrs);
}
