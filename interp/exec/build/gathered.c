/* Rows selected by a list of indices, which strides cannot describe: a fusion group reads them from
 * the table directly instead of from a copy.
 *
 *     %rows = Gather(%table, %i, 0)     the kernel only checks the indices and lists rows
 *     %sum = Add(%rows, %places)        reads operand 0 from rows of table
 *     %y = MVN(%sum, ...)
 *
 * Gathers right before the first operation of a group become its first steps. Their indices are
 * checked when the group begins, and nothing writes in between, so errors are those of the kernel
 * and come at the same moment. The kernel's row_form says which dims count the rows. */
#include "interp/exec/build/gathered.h"
#include "interp/exec/build/admit.h"
#include "interp/exec/build/segments.h"

static exec_allocation *allocation_of(const struct gather *g, size_t slot)
{
    return &g->b->x->allocations[g->b->x->allocation[slot]];
}

bool group_is_picked(const exec_builder *b, size_t i)
{
    const exec_step *s = &b->x->list[i];
    const row_form *form = b->form[i];

    return form && form->picks && s->kind == EXEC_KERNEL && !s->kernel.library &&
           s->n_copies == 0 && b->x->meta[s->out[0]] &&
           inlay_tensor_count(b->x->meta[s->out[0]]) > 0;
}

/* Returns whether the rows that step I selects are contiguous arrays of the type that the group
 * computes with. */
static bool are_arrays(const exec_builder *b, size_t i)
{
    const exec_step *s = &b->x->list[i];
    const inlay_tensor *data = b->x->meta[s->in[0]];
    int axis;

    return data && b->x->meta[s->in[1]] && inlay_node_axis(s->step->node, data->rank, &axis) &&
           axis == b->form[i]->pick_from && inlay_tensor_is_dense(data) &&
           inlay_type_info_of(data->type)->bits >= 8 && !build_floats(b, s->out[0]) &&
           !build_floats(b, s->in[0]) && !build_floats(b, s->in[1]);
}

/* Counts the dims that are not 1 among the first N of T. */
static int count_real(const inlay_tensor *t, int n)
{
    int real = 0;

    for (int i = 0; i < n; i++)
        real += t->dims[i] != 1;
    return real;
}

static exec_list list_of(const struct gather *g, size_t i)
{
    const row_form *form = g->b->form[i];
    const inlay_tensor *out = g->b->x->meta[group_out(g, i)];

    return (exec_list){i, count_real(out, form->pick_from), count_real(out, form->pick_to)};
}

/* Returns whether only the group reads the value of SLOT, element by element, and no step of the
 * group up to I writes over it or over the table that it is selected from. */
static bool is_read_apart(const struct gather *g, size_t i, size_t slot)
{
    const exec_instance *x = g->b->x;
    const size_t *in = group_step(g, i)->in;
    bool apart = g->reads[slot] == g->b->s->uses[slot];

    for (int k = 0; apart && k < g->f->n_ops; k++) {
        size_t op = g->f->ops[k].step, out = x->allocation[group_out(g, op)];

        apart = out != x->allocation[slot] && out != x->allocation[in[0]] &&
                out != x->allocation[in[1]];
        for (int j = 0; apart && j < g->b->form[op]->n; j++)
            apart = group_step(g, op)->in[j] != slot || group_reads_elements(g, op, j);
    }
    return apart;
}

/* Returns whether the group can read the rows that step I selects in place. Each row of the group
 * must lie within one of them. */
static bool takes(const struct gather *g, size_t i)
{
    size_t slot = group_out(g, i);
    const exec_place *place = build_place(g->b, slot);
    const exec_allocation *u = allocation_of(g, slot);
    int rows = g->row_dims > 0 ? g->row_dims : 1;

    return g->f->n_lists < FUSED_LISTS && u->root == EXEC_ARENA && u->slot == slot &&
           (!place || place->kind == INLAY_FRESH) && are_arrays(g->b, i) &&
           is_read_apart(g, i, slot) && list_of(g, i).to <= g->n_dims - rows;
}

/* Gives the selected rows no memory; the gather only checks its indices. */
static void take(const struct gather *g, size_t i)
{
    exec_step *s = group_step(g, i);

    g->f->list[g->f->n_lists++] = list_of(g, i);
    g->f->first = i;
    s->kind = EXEC_CHECK;
    s->moved = 0;
    s->zeroes = false;
    allocation_of(g, s->out[0])->bytes = 0;
}

void group_picks(const struct gather *g)
{
    for (size_t i = g->f->first; i-- > g->picked;) {
        if (!group_is_picked(g->b, i))
            continue; /* it selects nothing */
        if (!takes(g, i))
            return;
        take(g, i);
    }
}

int group_list(const struct gather *g, size_t slot)
{
    for (int i = 0; g->f->scatter == 0 && i < g->f->n_lists; i++) {
        if (group_out(g, g->f->list[i].step) == slot)
            return i;
    }
    return -1;
}

void group_row_strides(const struct gather *g, size_t i, int64_t *strides)
{
    const row_form *form = g->b->form[i];
    const exec_step *s = group_step(g, i);
    const inlay_tensor *data = g->b->x->meta[s->in[0]], *out = g->b->x->meta[s->out[0]];
    int behind = data->rank - out->rank;

    for (int k = 0; k < out->rank; k++)
        strides[k] = k < form->pick_from ? data->strides[k]
                     : k < form->pick_to ? 0
                                         : data->strides[k + behind];
}
