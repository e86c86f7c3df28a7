/* Decision O: the result of a scatter overwrites its data. */
#include "passes/inplace/overwrite.h"
#include "passes/inplace/attempt.h"

/* May R overwrite the buffer of ROOT, a ReadValue? Only if the value that the variable is assigned
 * fills this buffer, or that of R, which will be the same one. */
static bool check_variable(inplace_pass *p, inlay_value *root, inlay_value *r, inlay_decision *d)
{
    const inlay_variable *variable = inlay_variable_of(root->node, INLAY_OP_READ_VALUE);
    const inlay_node *assign = variable ? p->assign[variable->index] : NULL;
    inlay_value *stored = assign ? inlay_node_input(assign, 0) : NULL;
    const inlay_node *inside = variable ? p->inside[variable->index] : NULL;

    if (inside) {
        inplace_refuse(d, INLAY_B5_VARIABLE_NOT_IN_BODY, inside);
        return false;
    }
    if (!stored) {
        inplace_refuse(d, INLAY_O2_WRITABLE_BUFFER, root->node);
        d->remark = "the variable keeps its value: nothing is assigned to it";
        return false;
    }
    if (!inplace_fills_buffer(stored) ||
        (inplace_storage_root(&p->s, stored) != root &&
         inplace_storage_root(&p->s, stored) != inplace_storage_root(&p->s, r))) {
        inplace_refuse(d, INLAY_O13_RESULT_SURVIVES, assign);
        p->contested = true;
        return false;
    }
    return true;
}

inlay_condition inplace_body_condition(const inlay_value *root)
{
    if (!root->node->graph->owner)
        return INLAY_NO_CONDITION;
    if (inlay_node_is(root->node, INLAY_OP_READ_VALUE))
        return INLAY_B2_NOT_A_STATE;
    if (!inlay_node_is_iterated(root->node) || inlay_param_is_carried(root->node))
        return INLAY_NO_CONDITION;
    return inlay_param_overlaps(root->node) ? INLAY_N11_DISJOINT_ITERATIONS
                                            : INLAY_B1_CARRIED_INPUT;
}

bool inplace_may_overwrite(inplace_pass *p, inlay_value *r, inlay_value *data, inlay_decision *d)
{
    inlay_value *root = inplace_storage_root(&p->s, data);
    inlay_condition broken = inplace_body_condition(root);

    d->asked = true;
    if (broken != INLAY_NO_CONDITION) {
        inplace_refuse(d, broken, root->node);
        return false;
    }
    if (data->fact.type != r->fact.type || !inlay_value_fits_over(r, data)) {
        inplace_refuse(d, INLAY_O1_SAME_TYPE_AND_SHAPE, data->node);
        return false;
    }
    if (inlay_node_is(root->node, INLAY_OP_CONST)) {
        inplace_refuse(d, INLAY_O2_WRITABLE_BUFFER, root->node);
        d->remark = "a constant is copied once, the copy is then written in place";
        return false;
    }
    return !inlay_node_is(root->node, INLAY_OP_READ_VALUE) || check_variable(p, root, r, d);
}

const char *inplace_remark_on(const inlay_node *root)
{
    if (inlay_node_is(root, INLAY_OP_PARAMETER) && root->graph->owner)
        return "what it begins with is copied once, if the graph around keeps it";
    if (root->op->flags & INLAY_HAS_BODY)
        return "what a body hands through is copied";
    if (inlay_node_is(root, INLAY_OP_PARAMETER))
        return "unless the caller donates the input, it is copied once";
    if (inlay_node_is(root, INLAY_OP_READ_VALUE))
        return "what is written over is kept until the run has succeeded";
    return NULL;
}

/* Earlier decisions may have relied on the layout of R, and on which values share its buffer after
 * an error. */
static bool may_come_late(inplace_pass *p, const inlay_value *r, const inlay_value *data)
{
    return r->note == INLAY_FRESH && inplace_fills_buffer(data) &&
           !inplace_storage_is_written(&p->s, r);
}

inlay_condition inplace_reader_condition(const inlay_node *root)
{
    return inlay_node_is_iterated(root) ? INLAY_N7_TWO_BUFFERS : INLAY_O3_NO_LATER_READ;
}

bool inplace_decide_overwrite(inplace_pass *p, inlay_in_place *what)
{
    inlay_node *scatter = (inlay_node *)what->scatter;
    inlay_value *data = query_scatter_data(scatter), *r = &scatter->out[0];
    const inplace_names names = {inplace_reader_condition(inplace_storage_root(&p->s, data)->node),
                                 INLAY_O4_NOT_READ_AT_END, INLAY_O6_NO_OVERLAPPING_OPERAND,
                                 INLAY_O6_NO_OVERLAPPING_OPERAND};

    if (!inplace_may_overwrite(p, r, data, &what->overwrite))
        return true;
    if (p->late && !may_come_late(p, r, data)) {
        inplace_refuse(&what->overwrite, INLAY_N10_ONE_PLACE, data->node);
        return true;
    }
    if (!inplace_try_note(p, r, INLAY_OVERWRITES, data, &names, what, &what->overwrite))
        return false;
    if (what->overwrite.made)
        what->overwrite.remark = inplace_remark_on(inplace_storage_root(&p->s, r)->node);
    return true;
}
