/* Replaces a value by another one, and keeps the names of the graph's outputs. */
#include "ir/shared.h"
#include "passes/pass.h"

/* BY, an older value, may replace OLD. If OLD is an output, known by its first tensor name or else
 * by its node's, BY gets that name; so BY must not have a name of its own that someone may use. */
static bool may_take_name(const inlay_value *old, const inlay_value *by)
{
    return !inlay_value_is_output(old) ||
           (by->n_names == 0 && !inlay_value_is_output(by) && by->node->n_out == 1 &&
            !inlay_node_is(by->node, INLAY_OP_PARAMETER));
}

/* If OLD is an output that is known by its node's name, BY gets that name as a tensor name. */
static bool keep_output_name(const inlay_value *old, inlay_value *by, inlay_diags *d)
{
    if (!inlay_value_is_output(old) || old->n_names > 0)
        return true; /* inlay_value_replace moves tensor names */
    return inlay_value_add_name(by, old->node->name, d);
}

bool inlay_replace_by_old(inlay_value *old, inlay_value *by, bool *done, inlay_diags *d)
{
    inlay_node *n;

    if (inlay_is_missing(old, "value", d) || inlay_is_missing(by, "value", d))
        return false;
    n = old->node;
    *done = n->n_out == 1 && may_take_name(old, by);
    if (*done && !pass_ask_readers(old, by, done, d))
        return false;
    if (!*done)
        return true;
    return keep_output_name(old, by, d) && inlay_value_replace(old, by, d) &&
           inlay_node_remove(n, d);
}

/* Gives BY the names and the readers of OLD. */
static bool take_place(inlay_value *old, inlay_value *by, inlay_diags *d)
{
    by->rt_info = old->rt_info;
    return inlay_value_add_names(by, old->names, old->n_names, d) &&
           inlay_value_replace(old, by, d);
}

bool inlay_replace_by_new(inlay_value *old, inlay_value *by, inlay_diags *d)
{
    const char *name, *label;
    inlay_node *n, *made;

    if (inlay_is_missing(old, "value", d) || inlay_is_missing(by, "value", d))
        return false;
    n = old->node;
    made = by->node;
    if (made->n_out != n->n_out)
        return inlay_fail_node(d, made, "a node of %d output%s cannot replace one of %d",
                               made->n_out, inlay_plural(made->n_out, "", "s"), n->n_out);
    name = n->name;
    label = n->label;
    made->line = n->line;
    made->place = n->place;
    for (int i = 0; i < n->n_out; i++) {
        if (!take_place(&n->out[i], &made->out[i], d))
            return false;
    }
    if (!inlay_node_remove(n, d) || !inlay_node_rename(made, name, d))
        return false;
    made->label = label;
    return true;
}
