/* Finds kernels whose output a group reads part by part (call/parts.h). The group computes its tiles
 * of a part as soon as the kernel has it, while it is in a near cache, and on the same thread:
 *
 *     c = Convolution(x, f)     a part: 32 channels of 98 positions
 *     s = Add(c, b)             part + b -> register 0, Relu register 0 -> the same elements of r
 *     r = Relu(s)
 *
 * So the group writes while the kernel still reads its operands, and no output of the group may
 * share bytes with these. */
#include "interp/exec/build/follow.h"
#include "interp/exec/build/admit.h"
#include "interp/exec/build/forms.h"
#include "interp/library/library.h"

#include <string.h>

/* Returns the step before the group that does something; SIZE_MAX: there is none. */
static size_t step_before(const struct gather *g)
{
    size_t i = g->f->first;

    while (i > 0 && build_is_nothing(group_step(g, i - 1)))
        i--;
    return i == 0 ? SIZE_MAX : i - 1;
}

/* Returns how many of the last dims of the group make up a row of the output of S. */
static int count_row_dims(const struct gather *g, const exec_step *s)
{
    const inlay_tensor *t = g->b->x->meta[s->out[0]];
    int from = s->kernel.library->rows_from, n = 0;

    for (int i = from < 0 ? t->rank + from : from; i < t->rank; i++)
        n += t->dims[i] != 1;
    return n;
}

/* Returns whether S is a kernel that hands its output over, which has the elements of the group. */
static bool hands_over(const struct gather *g, const exec_step *s)
{
    const inlay_tensor *t = g->b->x->meta[s->out[0]];
    int64_t dims[INLAY_MAX_RANK];

    return s->kind == EXEC_KERNEL && s->kernel.library && s->kernel.library->hands_over && t &&
           s->step->node->n_out == 1 && !s->in_place && !s->saves && !s->views && !s->keeps &&
           t->type == INLAY_F32 && inlay_tensor_is_dense(t) && real_dims(t, dims) == g->n_dims &&
           memcmp(dims, g->dims, (size_t)g->n_dims * sizeof *dims) == 0 && count_row_dims(g, s) > 0;
}

/* Returns whether nothing but the group reads the value of SLOT, and element by element. */
static bool is_read_here(const struct gather *g, size_t slot)
{
    const exec_builder *b = g->b;
    const exec_place *place = build_place(b, slot);
    const exec_allocation *u = &b->x->allocations[b->x->allocation[slot]];
    bool here = g->reads[slot] == b->s->uses[slot] && u->root == EXEC_ARENA && u->slot == slot &&
                (!place || place->kind == INLAY_FRESH);

    for (int i = 0; here && i < g->f->n_ops; i++) {
        size_t step = g->f->ops[i].step;

        for (int k = 0; here && k < b->form[step]->n; k++)
            here = group_step(g, step)->in[k] != slot || group_reads_elements(g, step, k);
    }
    return here;
}

/* Returns whether the outputs of the group share no allocation with what S reads, and nothing is
 * saved before they are written. */
static bool leaves_operands(const struct gather *g, const exec_step *s)
{
    const exec_instance *x = g->b->x;
    bool leaves = true;

    for (int i = 0; leaves && i < g->f->n_ops; i++) {
        const exec_step *op = group_step(g, g->f->ops[i].step);

        leaves = !op->saves && !op->in_place;
        for (int k = 0; leaves && k < s->step->node->n_in; k++)
            leaves = s->in[k] == SIZE_MAX || x->allocation[s->in[k]] != x->allocation[op->out[0]];
    }
    return leaves;
}

void group_follow(struct gather *g)
{
    exec_fused *f = g->f;
    size_t i = step_before(g);
    const exec_step *s = i == SIZE_MAX ? NULL : group_step(g, i);

    if (f->scatter > 0 || f->n_lists > 0 || f->whole || !s || !hands_over(g, s) ||
        !is_read_here(g, s->out[0]) || !leaves_operands(g, s))
        return;
    f->follows = i + 1;
    f->part_dims = count_row_dims(g, s);
}

/* The outputs of the group are alive from the step on that it follows. */
static void settle_outputs(const struct gather *g)
{
    exec_instance *x = g->b->x;

    for (int i = 0; i < g->f->n_ops; i++) {
        exec_allocation *u = &x->allocations[x->allocation[group_out(g, g->f->ops[i].step)]];

        if (u->first > exec_time(g->f->follows - 1))
            u->first = exec_time(g->f->follows - 1);
    }
}

void group_take_parts(struct gather *g)
{
    exec_fused *f = g->f;
    exec_step *s = f->follows > 0 ? group_step(g, f->follows - 1) : NULL;

    if (!s || f->part_dims != 1) {
        f->follows = 0;
        return;
    }
    for (int i = 0; i < f->n_ops; i++) {
        exec_op *op = &f->ops[i];

        for (int k = 0; k < g->b->form[op->step]->n; k++) {
            if (group_step(g, op->step)->in[k] == s->out[0])
                op->parts |= (uint8_t)(2u << k);
        }
    }
    s->kernel.follower = f;
    settle_outputs(g);
}
