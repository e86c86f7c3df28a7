/* A GatherND whose tuples are one constant number each, next to scatters with the same indices:
 *
 *     %x = GatherND(%d, [[5], [0]])     =>  Gather(%d, [5, 0], 0)
 *
 * scatter_indices.c replaces the tuples of a ScatterNDUpdate by a list. The gather of the rows that
 * the scatter puts back must use the same list: only then is it known that each row is read before
 * it is written, and the rows can be computed in place. */
#include "ir/shared.h"
#include "passes/fold/scattering.h"
#include "passes/query/indices.h"

#include <stdlib.h>

/* Returns whether N gathers rows of its data by constant tuples of one number. */
static bool names_rows(const inlay_node *n)
{
    const inlay_fact *data = &inlay_node_input(n, 0)->fact;
    const inlay_tensor *t = inlay_node_operand(n, INLAY_ROLE_TUPLES)->fact.content;

    return t && t->rank > 0 && t->dims[t->rank - 1] == 1 && data->rank > 0 &&
           inlay_dim_is_static(data->dims[0]) && inlay_node_int(n, "batch_dims") == 0;
}

/* Makes Gather(data, x, 0), where X has the sizes of the tuples of S without their last axis. */
static bool gather_rows(const scattering *s, const int64_t *x)
{
    int64_t axis = 0;
    inlay_value *in[3] = {s->data, scattering_ints(s, "indices", s->t->rank - 1, s->t->dims, x),
                          scattering_ints(s, "axis", 0, NULL, &axis)};

    s->out->new = scattering_build(s, "Gather", in, 3, NULL);
    return s->out->new != NULL;
}

/* An index out of range must stay an error of N, where Gather-8 would return zeros. */
bool fold_gather_tuples(const inlay_node *n, simpler *out, inlay_diags *d)
{
    scattering s = {.g = n->graph, .data = inlay_node_input(n, 0), .out = out, .diags = d};
    int64_t *x;
    bool ok;

    if (!names_rows(n))
        return true;
    s.t = inlay_node_operand(n, INLAY_ROLE_TUPLES)->fact.content;
    x = inlay_take_raw(inlay_node_budget(n), ((size_t)inlay_tensor_count(s.t) + 1) * sizeof *x);
    if (!x)
        return inlay_fail_memory(d);
    ok = !index_list(s.t, s.data->fact.dims[0].lo, true, x) || gather_rows(&s, x);
    inlay_give(x);
    return ok;
}
