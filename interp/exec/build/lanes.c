/* Where each operation of a group reads its operands and writes its result: in registers, in memory
 * at strides, or as one number for all elements. */
#include "interp/exec/build/lanes.h"
#include "interp/exec/build/forms.h"
#include "interp/exec/build/gathered.h"
#include "interp/exec/build/listed.h"
#include "interp/exec/build/record.h"

/* A group that ends with a scatter by a list reads the rows that it gathers, and writes those that
 * it computes from them, in the data itself. */

bool group_puts(const struct gather *g, size_t slot)
{
    return g->f->scatter > 0 && build_updates(g->b, g->f->scatter) == slot;
}

exec_step *group_gathers(const struct gather *g, size_t slot)
{
    const exec_place *place = build_place(g->b, slot);

    if (g->f->scatter == 0 || !place || !place->listed || g->made[slot] == g->f ||
        g->reads[slot] != g->b->s->uses[slot])
        return NULL;
    return build_gathered(g->b, slot, g->f->first, g->f->scatter);
}

/* Registers */

/* Returns whether a step of the group overwrites an operand. */
static bool writes_over(const struct gather *g)
{
    bool over = false;

    for (int i = 0; !over && i < g->f->n_ops; i++)
        over = group_step(g, g->f->ops[i].step)->in_place;
    return over;
}

/* Returns whether a step of the group writes over ALLOCATION. */
static bool is_written_over(const struct gather *g, size_t allocation)
{
    bool over = false;

    for (int i = 0; i < g->f->n_ops; i++) {
        const exec_step *s = group_step(g, g->f->ops[i].step);

        over = over || (s->in_place && g->b->x->allocation[s->out[0]] == allocation);
    }
    return over;
}

/* Returns whether only steps of G read the value of SLOT and none of them writes over it, so that
 * it needs no memory. */
static bool is_inner(const struct gather *g, size_t slot)
{
    const exec_builder *b = g->b;
    const exec_place *place = build_place(b, slot);
    const exec_allocation *u = &b->x->allocations[b->x->allocation[slot]];

    return g->made[slot] == g->f && g->reads[slot] == b->s->uses[slot] && u->root == EXEC_ARENA &&
           u->slot == slot && (!place || place->kind == INLAY_FRESH);
}

/* Returns how many registers there may be: if tiles are whole rows, each must hold a row. */
static int most_registers(const struct gather *g)
{
    int64_t bytes = g->row_dims > 0 ? group_row(g) * (int64_t)g->f->size : CALL_PIECE;
    int64_t most = FUSED_ROOM / ((bytes + CALL_PIECE - 1) / CALL_PIECE * CALL_PIECE);

    return most < FUSED_REGISTERS ? (int)most : FUSED_REGISTERS;
}

/* Returns the first of MOST registers whose value is not read any more; -1: none. */
static int free_register(const uint32_t *left, int most)
{
    int free = -1;

    for (int k = most; k-- > 0;)
        free = left[k] == 0 ? k : free;
    return free;
}

/* Returns whether the output of step I may reuse the register of an operand that is read for the
 * last time: tiles of both have the same size, and their rows begin at the same positions. */
static bool may_replace(const struct gather *g, size_t i)
{
    const row_form *form = g->b->form[i];
    bool same = !form->folds;

    for (int k = 0; k < form->n; k++)
        same = same && size_of(form->from[k]) == size_of(form->to) &&
               g->narrow[group_step(g, i)->in[k]] == g->narrow[group_out(g, i)];
    return same;
}

void group_registers(const struct gather *g, int *reg)
{
    size_t held[FUSED_REGISTERS];
    uint32_t left[FUSED_REGISTERS] = {0};
    int most = most_registers(g);
    bool over = writes_over(g);

    for (int i = 0; i < g->f->n_ops; i++) {
        size_t step = g->f->ops[i].step, slot = group_out(g, step);
        const row_form *form = g->b->form[step];
        bool kept = over && is_written_over(g, g->b->x->allocation[slot]);
        int free = free_register(left, most);

        for (int k = 0; k < FUSED_REGISTERS; k++) {
            for (int j = 0; j < form->n; j++)
                left[k] -= left[k] > 0 && held[k] == group_step(g, step)->in[j];
        }
        if (may_replace(g, step))
            free = free_register(left, most);
        reg[i] = is_inner(g, slot) && !kept && !group_puts(g, slot) ? free : -1;
        if (reg[i] < 0)
            continue;
        held[free] = slot;
        left[free] = g->b->s->uses[slot];
        g->f->registers = free >= g->f->registers ? free + 1 : g->f->registers;
    }
}

/* Returns the register that holds the value of SLOT when operation I runs; -1: none. */
static int register_of(const struct gather *g, const int *reg, int i, size_t slot)
{
    if (g->made[slot] != g->f)
        return -1;
    while (i-- > 0) {
        if (group_out(g, g->f->ops[i].step) == slot)
            return reg[i];
    }
    return -1;
}

/* Lanes */

/* Lists STRIDES, one for each dim of OF, as strides in bytes along the dims of the group. */
static const ptrdiff_t *list_bytes(const struct gather *g, const inlay_tensor *of,
                                   const int64_t *strides, size_t size)
{
    int64_t real[INLAY_MAX_RANK], dims[INLAY_MAX_RANK];
    ptrdiff_t *bytes = inlay_arena_array(g->b->x->memory, (size_t)g->n_dims + 1, sizeof *bytes);
    int n = real_dims(of, dims);

    real_strides(of, strides, real);
    for (int i = 0; bytes && i < n; i++)
        bytes[i] = (ptrdiff_t)real[i] * (ptrdiff_t)size;
    return bytes;
}

/* Makes operand LANE of operation OP one number for all elements: the only element of T, in
 * ALLOCATION. */
static void add_number(const struct gather *g, const exec_op *op, int lane, const inlay_tensor *t,
                       size_t allocation)
{
    exec_block *block = &g->b->x->blocks[op->block];

    block->k.single = (enum row_single)lane;
    block->k.one = first_of(t);
    block->k.one_type = t->type;
    block->k.type = g->b->form[op->step]->from[lane - 1];
    build_number(g->b, block, allocation);
}

/* Makes lane LANE of operation OP address T, part of ALLOCATION, at STRIDES along the dims of OF.
 */
static bool add_lane(const struct gather *g, exec_op *op, int lane, const inlay_tensor *t,
                     size_t allocation, const inlay_tensor *of, const int64_t *strides)
{
    exec_block *block = &g->b->x->blocks[op->block];

    op->strides[lane] = list_bytes(g, of, strides, op->size[lane]);
    block->allocation[lane] = allocation;
    if (lane == 0)
        block->k.to = (char *)first_of(t);
    else
        *(lane == 1 ? &block->k.x : lane == 2 ? &block->k.y : &block->k.z) = first_of(t);
    return op->strides[lane] != NULL;
}

/* Makes lane LANE of operation OP address the rows of the group's list. Within a row, elements are
 * at STRIDES along the dims of OF, as in any other value of the group. */
static bool add_listed(const struct gather *g, exec_op *op, int lane, const inlay_tensor *of,
                       const int64_t *strides)
{
    const exec_instance *x = g->b->x;
    size_t data = x->list[g->f->scatter].out[0];

    op->listed |= 1u << lane;
    return add_lane(g, op, lane, x->meta[data], x->allocation[data], of, strides);
}

/* Makes lane LANE of operation OP address the selected rows of list LIST. */
static bool add_picked(const struct gather *g, exec_op *op, int lane, int list)
{
    const exec_instance *x = g->b->x;
    size_t step = g->f->list[list].step, data = group_step(g, step)->in[0];
    int64_t strides[INLAY_MAX_RANK];

    op->listed |= 1u << lane;
    op->list[lane] = list;
    group_row_strides(g, step, strides);
    return add_lane(g, op, lane, x->meta[data], x->allocation[data], x->meta[group_out(g, step)],
                    strides);
}

/* Sets operand K of operation OP, which is in register REG; -1: in memory. */
static bool add_operand(const struct gather *g, exec_op *op, int k, int reg)
{
    const exec_step *s = group_step(g, op->step);
    const row_form *form = g->b->form[op->step];
    const inlay_tensor *t = g->b->x->meta[s->in[k]], *of = forms_space(g->b, op->step);
    form_rows rows = form->n > 1 ? forms_rows(of, form->strides[k]) : FORM_ARRAYS;
    bool wide = !g->narrow[s->out[0]] || form->folds;
    int list = group_list(g, s->in[k]);

    op->size[k + 1] = size_of(form->from[k]);
    op->reg[k + 1] = reg;
    op->narrow[k + 1] = !wide || g->narrow[s->in[k]];
    if (group_gathers(g, s->in[k]))
        return add_listed(g, op, k + 1, of, form->strides[k]);
    if (list >= 0)
        return add_picked(g, op, k + 1, list);
    if (g->made[s->in[k]] != g->f && rows == FORM_NUMBER) {
        add_number(g, op, k + 1, t, g->b->x->allocation[s->in[k]]);
        return true;
    }
    if (wide && rows != FORM_ARRAYS) {
        g->b->x->blocks[op->block].k.single = (enum row_single)(k + 1);
        op->each = true;
    }
    return reg >= 0 ||
           add_lane(g, op, k + 1, t, g->b->x->allocation[s->in[k]], of, form->strides[k]);
}

bool group_lanes(const struct gather *g, int i, const int *reg)
{
    exec_instance *x = g->b->x;
    exec_op *op = &g->f->ops[i];
    const exec_step *s = group_step(g, op->step);
    const row_form *form = g->b->form[op->step];
    const inlay_tensor *out = x->meta[s->out[0]];
    exec_block *block = build_block(g->b);
    bool ok = block != NULL;

    if (!ok)
        return false;
    op->block = x->n_blocks - 1;
    op->whole = form->row_dims > 0;
    op->folds = form->folds;
    op->computes = form->op;
    op->narrow[0] = g->narrow[s->out[0]];
    op->size[0] = size_of(form->to);
    block->k = (row_block){
        .run = form->run, .a = form->a, .b = form->b, .with = form->with, .half = form->half};
    block->k.size = op->size[0];
    for (int k = 0; k < FUSED_LANES; k++)
        op->reg[k] = k == 0 ? reg[i] : -1;
    if (reg[i] < 0)
        ok = group_puts(g, s->out[0])
                 ? add_listed(g, op, 0, out, out->strides)
                 : add_lane(g, op, 0, out, x->allocation[s->out[0]], out, out->strides);
    for (int k = 0; ok && k < form->n; k++)
        ok = add_operand(g, op, k, register_of(g, reg, i, s->in[k]));
    return ok;
}
