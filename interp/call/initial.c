/* Finds the values that are needed only for the initial value of a variable. */
#include "interp/call/steps.h"
#include "ir/shared.h"

static bool is_kept(const graph_steps *s, const inlay_value *v)
{
    for (int i = 0; i < s->n_keep; i++) {
        if (s->keep[i] == steps_slot(s, v))
            return true;
    }
    return false;
}

/* Returns the variable whose initial value U is; NULL: it is used otherwise. */
static const inlay_variable *initial_of(const graph_steps *s, const inlay_use *u)
{
    if (inlay_node_is(u->node, INLAY_OP_READ_VALUE))
        return inlay_variable_of(u->node, INLAY_OP_READ_VALUE);
    return u->node->n_out > 0 ? s->initial[steps_slot(s, &u->node->out[0])] : NULL;
}

/* Returns the one variable for whose initial value all outputs of N are used. A node that is not
 * reachable is no step, so its uses do not count. */
static const inlay_variable *only_initial(const graph_steps *s, const inlay_node *n)
{
    const inlay_variable *only = NULL;

    for (int i = 0; i < n->n_out; i++) {
        if (is_kept(s, &n->out[i]))
            return NULL;
        for (const inlay_use *u = n->out[i].uses; u; u = u->next) {
            const inlay_variable *v;

            if (s->first_slot[u->node->id] == SIZE_MAX)
                continue;
            v = initial_of(s, u);
            if (!v || (only && only != v))
                return NULL;
            only = v;
        }
    }
    return only;
}

/* Constants are no cost. In bodies all steps run: whether a variable has a state may change between
 * two invocations in one run. */
void steps_mark_initial(graph_steps *s)
{
    const unsigned never = INLAY_EFFECT | INLAY_SINK | INLAY_HAS_BODY;

    for (size_t i = s->n; i-- > 0 && !s->graph->owner;) {
        const inlay_node *n = s->list[i].node;
        bool may = !(n->op->flags & never) && !inlay_node_is(n, INLAY_OP_CONST);
        const inlay_variable *v = may ? only_initial(s, n) : NULL;

        for (int k = 0; k < n->n_out; k++)
            s->initial[steps_slot(s, &n->out[k])] = v;
    }
}
