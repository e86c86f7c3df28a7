/* Fuses steps: they are computed together, tile by tile, so that the output of one is in the
 * first-level cache when the next one reads it. A value that nothing else reads gets no memory: a
 * tile of it is kept in a "register", a piece of the computing thread's stack (run/fused.c).
 *
 *     y = Multiply(x, a)     y: register 0          for each tile: Multiply x, a -> register 0
 *     z = Add(y, b)          z: register 0                         Add register 0, b -> register 0
 *     w = Relu(z)            w: memory                             Relu register 0 -> w
 *
 * Fused steps are consecutive, have outputs of the same dims, and describe what they compute by a
 * row_form. Steps that do nothing may come between them. If some step needs whole rows (a softmax),
 * tiles are whole rows. Then values may be narrow, with one element for each row: the result of a
 * reduction of the row, or computed from such results.
 *
 *     m = ReduceMean(x, last axis)     m: register 0, narrow: one mean for each row
 *     y = Subtract(x, m)               y: register 1; each row subtracts its own mean
 *     z = Sqrt(m)                      z: narrow
 */
#include "interp/exec/build/fuse.h"
#include "interp/call/halves.h"
#include "interp/exec/build/admit.h"
#include "interp/exec/build/follow.h"
#include "interp/exec/build/forms.h"
#include "interp/exec/build/gathered.h"
#include "interp/exec/build/lanes.h"
#include "interp/exec/build/listed.h"
#include "interp/exec/build/straight.h"
#include "interp/exec/build/tiles.h"

/* Values in registers get no bytes; outputs of the group are alive from its first step on. */
static void settle_outputs(const struct gather *g, const int *reg)
{
    exec_instance *x = g->b->x;

    for (int i = 0; i < g->f->n_ops; i++) {
        exec_allocation *u = &x->allocations[x->allocation[group_out(g, g->f->ops[i].step)]];

        if (reg[i] >= 0 || group_puts(g, group_out(g, g->f->ops[i].step)))
            u->bytes = 0;
        else if (u->first > exec_time(g->f->first))
            u->first = exec_time(g->f->first);
    }
}

/* Drops the blocks that were recorded for the steps: the group computes them instead. */
static void forget_blocks(const struct gather *g, exec_step *s)
{
    for (size_t i = s->block; i < s->block + s->n_blocks; i++)
        g->b->x->blocks[i] =
            (exec_block){.allocation = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX}};
    s->n_blocks = s->n_copies = 0;
    s->kind = EXEC_FUSED;
    s->zeroes = false;
}

/* Marks gathers whose rows are read where they lie (listed lanes): they copy nothing. */
static void settle_gathers(const struct gather *g)
{
    for (int i = 0; i < g->f->n_ops; i++) {
        const exec_step *s = group_step(g, g->f->ops[i].step);

        for (int k = 0; k < g->b->form[g->f->ops[i].step]->n; k++) {
            exec_step *from = group_gathers(g, s->in[k]);

            if (!from)
                continue;
            from->kind = EXEC_CHECK;
            from->n_copies = 0;
            from->moved = 0;
            from->zeroes = false;
            g->b->x->allocations[g->b->x->allocation[s->in[k]]].bytes = 0;
        }
    }
    if (g->f->scatter > 0)
        forget_blocks(g, group_step(g, g->f->scatter));
}

/* Returns how many leading dims of the group count the rows that the scatter writes. */
static int count_lists(const struct gather *g)
{
    const exec_step *s = group_step(g, g->f->scatter);
    const inlay_tensor *u = g->b->x->meta[build_updates(g->b, g->f->scatter)];
    int run = inlay_node_row_axes(s->step->node), n = 0;

    for (int i = 0; i < u->rank - run; i++)
        n += u->dims[i] != 1;
    return n;
}

/* Returns whether no step of the group reads or writes the bytes of ALLOCATION, except through
 * lanes that the list will address. */
static bool leaves(const struct gather *g, size_t allocation)
{
    const exec_instance *x = g->b->x;
    bool leaves = true;

    for (int i = 0; leaves && i < g->f->n_ops; i++) {
        const exec_step *s = group_step(g, g->f->ops[i].step);

        leaves = x->allocation[s->out[0]] != allocation;
        for (int k = 0; leaves && k < g->b->form[g->f->ops[i].step]->n; k++)
            leaves = x->allocation[s->in[k]] != allocation;
    }
    return leaves;
}

/* Returns whether step I is a scatter by a list of rows whose updates only the group computes and
 * only the scatter reads, so that they can be computed in the rows themselves. It then ends the
 * group. */
static bool ends_with(struct gather *g, size_t i)
{
    size_t updates = g->f ? build_updates(g->b, i) : SIZE_MAX;

    if (updates == SIZE_MAX || g->made[updates] != g->f || g->b->s->uses[updates] != 1 ||
        !leaves(g, g->b->x->allocation[group_step(g, i)->out[0]]))
        return false;
    g->f->scatter = i;
    g->f->list[0] = (exec_list){i, 0, count_lists(g)};
    if (g->f->list[0].to > g->n_dims - g->row_dims)
        g->f->scatter = 0; /* rows of the list need not be whole rows of the group */
    g->f->n_lists = g->f->scatter > 0;
    return g->f->scatter > 0;
}

static bool make_group(struct gather *g)
{
    exec_fused *f = g->f;
    int reg[FUSED_MOST];
    bool ok = true;

    f->n = (f->scatter > 0 ? f->scatter : f->ops[f->n_ops - 1].step) + 1 - f->first;
    f->number = ++g->b->n_fused;
    group_registers(g, reg);
    for (int i = 0; i < f->n_ops; i++)
        forget_blocks(g, group_step(g, f->ops[i].step));
    for (int i = 0; ok && i < f->n_ops; i++)
        ok = group_lanes(g, i, reg);
    for (int i = 0; ok && i < f->n_ops; i++)
        f->numbers = f->numbers || g->b->x->blocks[f->ops[i].block].k.one;
    if (!ok || !group_tiles(g))
        return false;
    if (!group_take_parts(g) || !build_runs(g->b, f))
        return false;
    settle_outputs(g, reg);
    settle_gathers(g);
    for (size_t i = f->first; i < f->first + f->n; i++) {
        group_step(g, i)->fused = f;
        f->counted += !inlay_node_is(group_step(g, i)->step->node, INLAY_OP_CONST);
    }
    return true;
}

/* Ends the group. A single step that reads no selected rows is not fused if it consists of blocks,
 * or of whole rows of which the kernel does not make wider copies. */
static bool close_group(struct gather *g)
{
    exec_fused *f = g->f;
    bool alone, ok;

    if (f && f->scatter == 0)
        group_picks(g);
    if (f)
        group_follow(g);
    alone = f && f->n_ops == 1 && f->n_lists == 0 && f->follows == 0 &&
            ((f->whole && !call_is_half(g->b->form[f->first]->from[0])) ||
             group_step(g, f->first)->kind == EXEC_BLOCKS);
    ok = !f || alone || make_group(g);
    for (int i = 0; f && i < f->n_ops; i++) {
        const exec_step *s = group_step(g, f->ops[i].step);

        for (int k = 0; k < g->b->form[f->ops[i].step]->n; k++)
            g->reads[s->in[k]] = 0;
        g->made[s->out[0]] = NULL;
        g->narrow[s->out[0]] = false;
    }
    if (f)
        g->picked = f->ops[f->n_ops - 1].step + 1;
    g->f = NULL;
    return ok;
}

static bool open_group(struct gather *g, size_t i)
{
    exec_fused *f = inlay_arena_alloc(g->b->x->memory, sizeof *f);

    if (!f)
        return false;
    *f = (exec_fused){.first = i};
    f->ops = inlay_arena_array(g->b->x->memory, FUSED_MOST, sizeof *f->ops);
    g->n_dims = real_dims(forms_space(g->b, i), g->dims);
    g->row_dims = 0;
    g->f = f;
    return f->ops != NULL;
}

static void add_step(struct gather *g, size_t i)
{
    const exec_step *s = group_step(g, i);
    const row_form *form = g->b->form[i];
    size_t size = forms_size(form);
    int64_t dims[INLAY_MAX_RANK];
    bool narrow = real_dims(forms_space(g->b, i), dims) != g->n_dims;

    if (form->row_dims > 0)
        g->row_dims = forms_row_dims(g->b, i);
    g->f->whole = g->row_dims > 0;
    g->f->cost += form->cost ? form->cost : 1;
    g->f->size = size > g->f->size ? size : g->f->size;
    g->f->ops[g->f->n_ops++] = (exec_op){.step = i};
    g->made[s->out[0]] = g->f;
    g->narrow[s->out[0]] = narrow || form->folds;
    for (int k = 0; k < form->n; k++)
        g->reads[s->in[k]]++;
}

/* Keeps in G->picked where the gathers begin that stand right before the next group, with nothing
 * but idle steps between: the group may read their rows in place. */
static void note_picked(struct gather *g, size_t i)
{
    if (!group_is_picked(g->b, i) && !build_is_nothing(group_step(g, i)))
        g->picked = i + 1;
}

bool build_fused(exec_builder *b)
{
    struct gather g = {.b = b};
    bool ok = b->plan->set->kernels != INLAY_KERNELS_REFERENCE;

    if (!ok)
        return true;
    g.made = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *g.made);
    g.reads = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *g.reads);
    g.narrow = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *g.narrow);
    ok = g.made && g.reads && g.narrow;
    for (size_t i = 0; ok && i < b->x->n; i++) {
        bool fit = forms_fit(b, i) &&
                   (!b->x->list[i].in_place || group_keeps_apart(&g, i, group_out(&g, i)));

        if (g.f && !build_is_nothing(&b->x->list[i]) && !(fit && group_admits(&g, i))) {
            ends_with(&g, i);
            ok = close_group(&g);
        }
        if (ok && fit)
            ok = (g.f || open_group(&g, i)) && (add_step(&g, i), true);
        else if (!g.f)
            note_picked(&g, i);
    }
    return ok && close_group(&g);
}
