/* Finds kernels whose output a group reads part by part (call/parts.h). The group computes its
 * tiles of a part as soon as the kernel has it, while it is in a near cache, and on the same
 * thread:
 *
 *     c = Convolution(x, f)     a part: 32 channels of 98 positions
 *     s = Add(c, b)             part + b -> register 0, Relu register 0 -> the same elements of r
 *     r = Relu(s)
 *
 * If the group needs whole rows, the kernel does so only if its parts are such rows.
 *
 * So the group writes while the kernel still reads its operands, and no output of the group may
 * share bytes with these. */
#include "interp/exec/build/follow.h"
#include "interp/call/halves.h"
#include "interp/exec/build/admit.h"
#include "interp/exec/build/forms.h"
#include "interp/exec/build/straight.h"
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
           (t->type == INLAY_F32 || call_is_half(t->type)) && inlay_tensor_is_dense(t) &&
           real_dims(t, dims) == g->n_dims &&
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

    if (f->scatter > 0 || f->n_lists > 0 || !s || !hands_over(g, s) ||
        (f->whole && count_row_dims(g, s) != g->row_dims) || !is_read_here(g, s->out[0]) ||
        !leaves_operands(g, s))
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

/* Returns the strides of the first lane of F that is handed over. */
static const ptrdiff_t *first_strides(const exec_fused *f)
{
    const ptrdiff_t *strides = NULL;

    for (int i = 0; !strides && i < f->n_ops; i++) {
        for (int lane = 1; !strides && lane < FUSED_LANES; lane++)
            strides = f->ops[i].parts & 1u << lane ? f->ops[i].strides[lane] : NULL;
    }
    return strides;
}

/* Marks the lanes in which operations of F read the value of SLOT as those of parts,
 * whose elements are at STRIDES. */
static void mark_parts(const struct gather *g, const exec_fused *f, size_t slot,
                       const ptrdiff_t *strides)
{
    for (int i = 0; i < f->n_ops; i++) {
        exec_op *op = &f->ops[i];

        for (int k = 0; k < g->b->form[op->step]->n; k++) {
            if (group_step(g, op->step)->in[k] != slot)
                continue;
            op->parts |= (uint8_t)(2u << k);
            op->reg[k + 1] = -1;
            op->strides[k + 1] = strides ? strides : op->strides[k + 1];
        }
    }
}

/* What kernels may do themselves (call/parts.h) */

/* Returns whether lane LANE of OP has one number for each row, adjacent, and the same ones for all
 * outer dims. */
static bool has_numbers(const exec_fused *f, const exec_op *op, int lane)
{
    const ptrdiff_t *s = op->strides[lane];
    bool has = op->each && s && f->rank > 1 && s[f->rank - 2] == (ptrdiff_t)op->size[lane];

    for (int i = 0; has && i < f->rank - 2; i++)
        has = s[i] == 0;
    return has;
}

/* Returns whether rows in lane LANE of OP are at equal distances. */
static bool has_rows(const exec_fused *f, const exec_op *op, int lane)
{
    const ptrdiff_t *s = op->strides[lane];
    bool has = s != NULL;

    for (int i = 0; has && i < f->rank - 2; i++)
        has = s[i] == s[i + 1] * (ptrdiff_t)f->dims[i + 1];
    return has;
}

/* Returns whether lane LANE of OP has floats that lie as those of the output of a kernel do: rows
 * at equal distances, in memory. */
static bool has_elements(const exec_fused *f, const exec_op *op, int lane)
{
    return has_rows(f, op, lane) && op->reg[lane] < 0 && !op->each && !op->listed && f->rank > 1 &&
           !(op->parts & 1u << lane) && op->size[lane] == sizeof(float) &&
           op->strides[lane][f->rank - 1] == (ptrdiff_t)sizeof(float);
}

/* What a kernel may do, in this order. */
enum begin { BEGINS_NOTHING, ADDS_NUMBERS, ADDS_ELEMENTS, CLAMPS };

/* Returns what operation I, which works on the value of SLOT, would have the kernel do. */
static enum begin begin_of(const struct gather *g, int i, size_t slot)
{
    const exec_fused *f = g->f;
    const exec_op *op = &f->ops[i];
    const size_t *in = group_step(g, op->step)->in;
    int n = g->b->form[op->step]->n, other = n == 2 && in[0] == slot ? 2 : 1;

    if (g->b->s->uses[slot] != 1 || (op->reg[0] < 0 && (i + 1 < f->n_ops || !has_rows(f, op, 0))))
        return BEGINS_NOTHING;
    if (op->computes == ROW_ADD && n == 2 && (in[0] == slot || in[1] == slot))
        return i == 0 && has_numbers(f, op, other) ? ADDS_NUMBERS
               : has_elements(f, op, other)        ? ADDS_ELEMENTS
                                                   : BEGINS_NOTHING;
    return (op->computes == ROW_RELU || op->computes == ROW_CLAMP) && n == 1 && in[0] == slot
               ? CLAMPS
               : BEGINS_NOTHING;
}

/* Finds the operations that the kernel may do itself on the value of SLOT, and makes the group of
 * the others. */
static bool begin_parts(struct gather *g, size_t slot, const ptrdiff_t *strides)
{
    exec_fused *f = g->f, *rest = inlay_arena_alloc(g->b->x->memory, sizeof *rest);
    enum begin last = BEGINS_NOTHING, next;

    while (f->begun < f->n_ops && (next = begin_of(g, f->begun, slot)) > last) {
        last = next;
        slot = group_out(g, f->ops[f->begun++].step);
    }
    if (!rest || f->begun == 0 || f->begun == f->n_ops)
        return rest != NULL;
    *rest = *f;
    rest->n_ops -= f->begun;
    rest->ops = inlay_arena_array(g->b->x->memory, (size_t)rest->n_ops, sizeof *rest->ops);
    if (!rest->ops)
        return false;
    memcpy(rest->ops, f->ops + f->begun, (size_t)rest->n_ops * sizeof *rest->ops);
    mark_parts(g, rest, slot, strides);
    f->rest = rest;
    return build_runs(g->b, rest);
}

bool group_take_parts(struct gather *g)
{
    exec_fused *f = g->f;
    exec_step *s = f->follows > 0 ? group_step(g, f->follows - 1) : NULL;

    if (!s || f->part_dims != 1) {
        f->follows = 0;
        return true;
    }
    mark_parts(g, f, s->out[0], NULL);
    s->kernel.follower = f;
    settle_outputs(g);
    return begin_parts(g, s->out[0], first_strides(f));
}
