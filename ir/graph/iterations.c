/* How often a node runs its body, if that is known. */
#include "inlay_ops.h"
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

/* Returns what says whether the body of N, a Loop, runs once more. */
static const inlay_value *condition_of(const inlay_node *n)
{
    const inlay_body *b = n->bodies;

    for (int i = 0; i < b->n_out; i++) {
        if (b->out[i].purpose == INLAY_PORT_CONDITION)
            return inlay_body_result(b, b->out[i].inner);
    }
    return NULL;
}

/* The number that enters the body of N as PARAM with the first iteration, and what is added to it
 * for each further one. */
static bool counts_up(const inlay_node *n, const inlay_body *b, const inlay_value *param,
                      int64_t *first, int64_t *by)
{
    bool enters = false;

    for (int i = 0; i < b->n_in; i++) {
        if (&b->graph->params[b->in[i].inner]->out[0] != param)
            continue;
        *first = 0;
        *by = 1;
        if (b->in[i].purpose == INLAY_PORT_ITERATION)
            return true;
        enters = inlay_port_is_plain(&b->in[i]) &&
                 inlay_value_integer(inlay_node_input(n, b->in[i].outer), first);
    }
    for (int i = 0; enters && i < b->n_back; i++) {
        if (&b->graph->params[b->back[i].to]->out[0] == param)
            return inlay_value_sum(inlay_body_result(b, b->back[i].from), by) == param;
    }
    return false;
}

/* How often the body of N, a Loop, runs until its condition, a number that counts and is less than
 * another, does not hold any more; -1: it is no such condition.
 *
 *     %m = Add(%k, 1)           comes back as %k, which is 0 at first
 *     %go = Less(%m, 5)         five iterations */
static int64_t runs_until(const inlay_node *n, const inlay_value *condition)
{
    const int64_t most = INT32_MAX / 2; /* nothing overflows */
    const inlay_node *less = condition->node;
    int64_t plus, first, by, limit;
    const inlay_value *x;

    if (!inlay_node_is(less, INLAY_OP_LESS) ||
        !inlay_value_integer(outside(n, n->bodies, inlay_node_input(less, 1)), &limit))
        return -1;
    x = inlay_value_sum(inlay_node_input(less, 0), &plus);
    if (!x || inlay_type_info_of(x->fact.type)->bits < 32 ||
        !counts_up(n, n->bodies, x, &first, &by) || by < 1 || by > most || first > most ||
        first < -most || plus > most || plus < -most || limit > most || limit < -most)
        return -1;
    first += plus;
    return first < limit ? 1 + (limit - first + by - 1) / by : 1;
}

static int64_t loop_iterations(const inlay_node *n)
{
    const inlay_value *again = condition_of(n);
    int64_t trips, cond, on, until;

    if (!again || !inlay_value_integer(inlay_node_input(n, 0), &trips) || trips < -1 ||
        !inlay_value_integer(inlay_node_input(n, 1), &cond))
        return -1;
    if (!cond || trips == 0)
        return 0;
    if (trips == 1)
        return 1;
    if (inlay_value_integer(outside(n, n->bodies, again), &on))
        return on ? trips : 1;
    until = runs_until(n, again);
    return until > trips && trips > 0 ? trips : until;
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
