/* Putting one value in the place of another without changing what the graph's outputs are called.
 */
#include "passes/pass.h"

static const inlay_use *result_use(const inlay_value *v)
{
    for (const inlay_use *u = v->uses; u; u = u->next) {
        if (inlay_node_is(u->node, INLAY_OP_RESULT))
            return u;
    }
    return NULL;
}

/* An output is called by its value's first tensor name, else by its node. A value that was there
 * before can take over an output's name only if it has no name that somebody may know it by. */
static bool may_take_name(const inlay_value *old, const inlay_value *by)
{
    return !result_use(old) || (by->n_names == 0 && !result_use(by) && by->node->n_out == 1 &&
                                !inlay_node_is(by->node, INLAY_OP_PARAMETER));
}

/* The name the output has now becomes a tensor name of what it will come from. */
static bool keep_output_name(const inlay_value *old, inlay_value *by, inlay_diags *d)
{
    if (!result_use(old) || old->n_names > 0)
        return true; /* inlay_value_replace moves tensor names */
    return inlay_value_add_name(by, old->node->name, d);
}

static bool move_names(inlay_value *old, inlay_value *by, inlay_diags *d)
{
    for (int i = 0; i < old->n_names; i++) {
        if (!inlay_value_add_name(by, old->names[i], d))
            return false;
    }
    return true;
}

bool pass_replace_by_old(inlay_value *old, inlay_value *by, bool *done, inlay_diags *d)
{
    inlay_node *n = old->node;

    *done = n->n_out == 1 && may_take_name(old, by);
    if (!*done)
        return true;
    return keep_output_name(old, by, d) && inlay_value_replace(old, by, d) &&
           inlay_node_remove(n, d);
}

bool pass_replace_by_new(inlay_value *old, inlay_value *by, inlay_diags *d)
{
    inlay_node *n = old->node;
    const char *name = n->name, *label = n->label;

    by->node->line = n->line;
    by->node->place = n->place;
    by->rt_info = old->rt_info;
    if (!move_names(old, by, d) || !inlay_value_replace(old, by, d) || !inlay_node_remove(n, d) ||
        !inlay_node_rename(by->node, name, d))
        return false;
    by->node->label = label;
    return true;
}
