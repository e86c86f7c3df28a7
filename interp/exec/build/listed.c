/* Rows named by a list, which strides cannot describe: what is gathered from a tensor, computed
 * element by element, and scattered back by the same list is read and written in the tensor itself.
 *
 *     %rows = Gather(%d, %i)            the kernel only checks the indices
 *     %y = Exp(%rows)                   a row function; reads and writes rows of d
 *     %r = ScatterUpdate(%d, %i, %y)    over d: the kernel checks the indices, saves what it must,
 *                                       and calls back to compute the rows (call_computes)
 *
 * So errors are those of the kernels and come at the same moment, before anything is written. The
 * notes guarantee that the rows of the list are distinct and that nothing else reads their old
 * contents. fuse.c forms the group, whose last step is the scatter. If a step between them cannot
 * be fused, the rows are copied, as without notes. */
#include "interp/exec/build/listed.h"

static bool is_whole_array(const inlay_tensor *t)
{
    return t && inlay_tensor_is_dense(t) && inlay_type_info_of(t->type)->bits >= 8;
}

size_t build_updates(const exec_builder *b, size_t i)
{
    const exec_instance *x = b->x;
    const exec_step *s = &x->list[i];
    const inlay_op *op = s->step->node->op;
    int u = op->flags & INLAY_SCATTER ? inlay_op_operand(op, INLAY_ROLE_UPDATES) : -1;
    size_t slot = u < 0 ? SIZE_MAX : s->in[u];
    const exec_place *place = slot == SIZE_MAX ? NULL : build_place(b, slot);

    if (!place || !place->listed || s->kind != EXEC_KERNEL || !s->in_place || s->kernel.library ||
        s->n_copies > 0 || !x->meta[slot] || !is_whole_array(x->meta[s->out[0]]) ||
        x->meta[slot]->type != x->meta[s->out[0]]->type)
        return SIZE_MAX;
    return x->allocation[s->in[0]] == x->allocation[s->out[0]] ? slot : SIZE_MAX;
}

exec_step *build_gathered(const exec_builder *b, size_t slot, size_t before, size_t scatter)
{
    const exec_instance *x = b->x;
    const exec_step *put = &x->list[scatter];

    while (before-- > 0) {
        exec_step *s = &x->list[before];
        const inlay_node *n = s->step->node;

        if (n->n_out == 0 || s->out[0] != slot)
            continue;
        return (n->op->flags & INLAY_ROWS) && !(n->op->flags & INLAY_SCATTER) &&
                       inlay_node_windows_same(n, put->step->node) &&
                       (s->kind == EXEC_KERNEL || s->kind == EXEC_MOVES) &&
                       x->allocation[s->in[0]] == x->allocation[put->out[0]] &&
                       inlay_tensor_same_place(x->meta[s->in[0]], x->meta[put->out[0]])
                   ? s
                   : NULL;
    }
    return NULL;
}
