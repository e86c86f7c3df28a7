/* Which sizes are known before the run, if those of the graph's inputs are?
 *
 *     %x = Parameter             [?#1,4]     yes: the run begins with them
 *     %a = Exp(%x)               [?#1,4]     yes: the same size, by its identity
 *     %c = Concat(%a, %x)        [?#2,4]     yes: a sum of such sizes
 *     %n = NonZero(%x)           [2,?#3]     no: depends on the elements
 *     %g = Gather(%x, %n)        [2,?#3,4]   no: the same size
 *     %s = Slice(%x, %p, ...)    [?#4,4]     no: p is computed from data
 *     %l = Loop(%five, %x)       [?#5,4]     yes, if all sizes in the body are
 *     %i = If(%c, %x)            [?#6,4]     no: depends on the branch taken
 */
#include "ir/graph/node.h"

/* Is D one of the sizes or elements of F? */
static bool has_dim(const inlay_fact *f, inlay_dim d)
{
    bool found = false;

    for (int i = 0; i < f->rank && !found; i++)
        found = inlay_dim_proven_equal(f->dims[i], d);
    for (int i = 0; f->known && i < f->n_known && !found; i++)
        found = inlay_dim_proven_equal(f->known[i], d);
    return found;
}

/* Does N get the size D from an operand whose sizes are known before the run? */
static bool is_handed_on(const inlay_node *n, inlay_dim d, const bool *late)
{
    bool found = false;

    for (int i = 0; i < n->n_in && !found; i++) {
        const inlay_value *v = n->in[i].value;

        found = v && !(late && late[v->node->id]) && has_dim(&v->fact, d);
    }
    return found;
}

/* May V, an operand of N, determine sizes of outputs by numbers that are not known yet? */
static bool may_be_size(const inlay_node *n, const inlay_value *v)
{
    return !n->op->variadic_in && !(n->op->flags & INLAY_POINTWISE) &&
           inlay_type_is_int(v->fact.type) && v->fact.rank <= 1 && !v->fact.known;
}

static bool is_born_late(const inlay_node *n);

/* May the value that E carries to the next iteration have other sizes there? */
static bool changes_size(const inlay_graph *g, const inlay_back_edge *e)
{
    const inlay_fact *was = &g->params[e->to]->out[0].fact;
    const inlay_fact *next = &g->results[e->from]->in[0].value->fact;
    bool same = was->rank >= 0 && was->rank == next->rank;

    for (int i = 0; i < was->rank && same; i++)
        same = inlay_dim_proven_equal(was->dims[i], next->dims[i]);
    return !same;
}

/* Does the number of iterations, which determines the size of joined outputs, depend on data? */
static bool joins_late(const inlay_node *n, const inlay_body *b)
{
    bool known = !inlay_node_is(n, INLAY_OP_LOOP) || inlay_node_surely_iterates(n), late = false;

    for (int i = 0; i < b->n_out; i++) {
        const inlay_port *p = &b->out[i];

        if (p->purpose == INLAY_PORT_CONDITION)
            known = known &&
                    inlay_node_is(b->graph->results[p->inner]->in[0].value->node, INLAY_OP_CONST);
        late = late || (p->has_axis && p->outer >= 0);
    }
    return late && !known;
}

/* Is a size in B, a body of N, known only in the run, although the sizes of all its inputs are
 * known? */
static bool is_late_inside(const inlay_node *n, const inlay_body *b)
{
    bool late = !b->graph || joins_late(n, b);

    for (int i = 0; !late && i < b->n_back; i++)
        late = changes_size(b->graph, &b->back[i]);
    for (const inlay_node *in = late ? NULL : b->graph->first; in && !late; in = in->next)
        late = is_born_late(in);
    return late;
}

/* Do sizes of N's outputs that do not come from operands depend on data? LATE, which operands are
 * late, may be NULL: none. */
static bool makes_late(const inlay_node *n, const bool *late)
{
    bool branches = n->n_bodies > 0 && !inlay_node_loops(n); /* each branch has sizes of its own */
    bool makes = branches || (n->op->flags & (INLAY_COUNTS | INLAY_STAND_IN));

    if (inlay_node_is(n, INLAY_OP_READ_VALUE))
        return false;
    for (int i = 0; i < n->n_bodies && !makes; i++)
        makes = is_late_inside(n, &n->bodies[i]);
    for (int i = 0; i < n->n_in && !makes; i++) {
        const inlay_value *v = n->in[i].value;

        makes = v && ((late && late[v->node->id]) || may_be_size(n, v));
    }
    return makes;
}

/* LATE may be NULL: no operand is late. */
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

static bool is_born_late(const inlay_node *n)
{
    return is_late(n, NULL);
}

void inlay_list_late(const inlay_order_list *order, bool *late)
{
    for (size_t i = 0; i < order->n; i++)
        late[order->nodes[i]->id] = is_late(order->nodes[i], late);
}
