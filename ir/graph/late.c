/* Which sizes are known before the run, once those of the inputs of the graph are.
 *
 *     %x = Parameter             [?#1,4]     yes: the run begins with them
 *     %a = Exp(%x)               [?#1,4]     yes: the same size, by its identity
 *     %c = Concat(%a, %x)        [?#2,4]     yes: a sum of such sizes
 *     %n = NonZero(%x)           [2,?#3]     no: that is counted
 *     %g = Gather(%x, %n)        [2,?#3,4]   no: the same size
 *     %s = Slice(%x, %p, ...)    [?#4,4]     no: p is computed of data
 */
#include "ir/graph/node.h"

/* Does F have D among its sizes, or among its elements? */
static bool has_dim(const inlay_fact *f, inlay_dim d)
{
    bool found = false;

    for (int i = 0; i < f->rank && !found; i++)
        found = inlay_dim_proven_equal(f->dims[i], d);
    for (int i = 0; f->known && i < f->n_known && !found; i++)
        found = inlay_dim_proven_equal(f->known[i], d);
    return found;
}

/* Has N the size D from an operand whose sizes are known in time? */
static bool is_handed_on(const inlay_node *n, inlay_dim d, const bool *late)
{
    bool found = false;

    for (int i = 0; i < n->n_in && !found; i++) {
        const inlay_value *v = n->in[i].value;

        found = v && !late[v->node->id] && has_dim(&v->fact, d);
    }
    return found;
}

/* May V, an operand of N, say how large outputs are, by numbers that nobody knows yet? */
static bool may_be_size(const inlay_node *n, const inlay_value *v)
{
    return !n->op->variadic_in && !(n->op->flags & INLAY_POINTWISE) &&
           inlay_type_is_int(v->fact.type) && v->fact.rank <= 1 && !v->fact.known;
}

/* Does what N makes of sizes that it does not have from an operand follow from data? */
static bool makes_late(const inlay_node *n, const bool *late)
{
    bool makes = n->op->flags & (INLAY_COUNTS | INLAY_HAS_BODY | INLAY_STAND_IN);

    if (inlay_node_is(n, INLAY_OP_READ_VALUE))
        return false;
    for (int i = 0; i < n->n_in && !makes; i++) {
        const inlay_value *v = n->in[i].value;

        makes = v && (late[v->node->id] || may_be_size(n, v));
    }
    return makes;
}

static bool is_late(const inlay_node *n, const bool *late)
{
    bool born = false;

    for (int i = 0; i < n->n_out && !born; i++) {
        const inlay_fact *f = &n->out[i].fact;

        born = f->rank < 0;
        for (int k = 0; k < f->rank && !born; k++)
            born = !inlay_dim_is_static(f->dims[k]) && !is_handed_on(n, f->dims[k], late);
    }
    return born && makes_late(n, late);
}

void inlay_list_late(const inlay_order_list *order, bool *late)
{
    for (size_t i = 0; i < order->n; i++)
        late[order->nodes[i]->id] = is_late(order->nodes[i], late);
}
