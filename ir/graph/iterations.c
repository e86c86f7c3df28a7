/* How often a node runs its body, if that is known. */
#include "ir/graph/node.h"

bool inlay_value_integer(const inlay_value *v, int64_t *out)
{
    const inlay_tensor *t = v ? v->fact.content : NULL;

    if (!t || inlay_tensor_count(t) != 1 ||
        (t->type != INLAY_BOOLEAN && !inlay_type_is_int(t->type)))
        return false;
    *out = inlay_tensor_get_i64(t, 0);
    return true;
}

/* Returns the operand of N that is V in each iteration, if V is such a Parameter of B; else V. */
static const inlay_value *outside(const inlay_node *n, const inlay_body *b, const inlay_value *v)
{
    const inlay_value *found = v;

    for (int i = 0; i < b->n_in; i++) {
        if (&b->graph->params[b->in[i].inner]->out[0] == v && inlay_port_is_plain(&b->in[i]))
            found = inlay_node_input(n, b->in[i].outer);
    }
    for (int i = 0; i < b->n_back; i++) {
        if (&b->graph->params[b->back[i].to]->out[0] == v &&
            inlay_body_result(b, b->back[i].from) != v)
            return v;
    }
    return found;
}

/* Whether the body of N, a Loop, asks for another iteration: 1 always, 0 never, -1 not known. */
static int goes_on(const inlay_node *n)
{
    const inlay_body *b = n->bodies;
    int64_t x;

    for (int i = 0; i < b->n_out; i++) {
        if (b->out[i].purpose == INLAY_PORT_CONDITION)
            return inlay_value_integer(outside(n, b, inlay_body_result(b, b->out[i].inner)), &x)
                       ? x != 0
                       : -1;
    }
    return -1;
}

static int64_t loop_iterations(const inlay_node *n)
{
    int64_t trips, cond;
    int on = goes_on(n);

    if (!inlay_value_integer(inlay_node_input(n, 0), &trips) || trips < -1 ||
        !inlay_value_integer(inlay_node_input(n, 1), &cond))
        return -1;
    if (!cond || trips == 0)
        return 0;
    if (trips == 1 || on == 0)
        return 1;
    return on == 1 ? trips : -1;
}

/* The number of parts of the sliced inputs, all of which have the same number. */
static int64_t parts_of(const inlay_node *n)
{
    const inlay_body *b = n->bodies;
    int64_t all = -1, first, parts;

    for (int i = 0; i < b->n_in; i++) {
        const inlay_port *p = &b->in[i];
        const inlay_fact *f = p->outer >= 0 ? &inlay_node_input(n, p->outer)->fact : NULL;
        int64_t axis = f && p->axis < 0 ? p->axis + f->rank : p->axis;

        if (!f || !p->has_axis)
            continue;
        if (f->rank < 0 || axis < 0 || axis >= f->rank || !inlay_dim_is_static(f->dims[axis]) ||
            !inlay_port_parts(p, f->dims[axis].lo, &first, &parts) || (all >= 0 && parts != all))
            return -1;
        all = parts;
    }
    return all < 0 ? 1 : all;
}

int64_t inlay_node_iterations(const inlay_node *n)
{
    if (!inlay_node_loops(n))
        return 1;
    return inlay_node_is(n, INLAY_OP_LOOP) ? loop_iterations(n) : parts_of(n);
}
