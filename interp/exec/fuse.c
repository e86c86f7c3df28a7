/* Finds steps that are computed together, tile by tile, so that what one of them makes is in the
 * first cache when the next one reads it. What nobody else reads gets no memory: a tile of it is in
 * a register, which is a piece of the stack of whoever computes (fused.c).
 *
 *     y = Multiply(x, a)     y: register 0          for each tile: Multiply x, a -> register 0
 *     z = Add(y, b)          z: register 0                         Add register 0, b -> register 0
 *     w = Relu(z)            w: memory                             Relu register 0 -> w
 *
 * Steps that are fused follow one another, have outputs of the same dims, and are known by their
 * forms (row_form). Between them may stand steps that do nothing. Where some step wants whole rows
 * (a softmax), tiles are whole rows, and then some may be narrow: they have one element for each
 * row, which a step made of it (a sum), or which was made of such elements.
 *
 *     m = ReduceMean(x, last axis)     m: register 0, narrow
 *     y = Subtract(x, m)               y: register 1, each row with another number
 *     z = Sqrt(m)                      z: narrow */
#include "interp/exec/forms.h"

#include <string.h>

/* The steps that are being gathered. */
struct gather {
    exec_builder *b;
    exec_fused *f;
    int n_dims; /* of their outputs, without those that are 1 */
    int64_t dims[INLAY_MAX_RANK];
    int row_dims;            /* the last ones, which are whole rows; 0: any part of a row will do */
    bool *narrow;            /* by slot: the steps make it, one element for each row */
    const exec_fused **made; /* by slot: which of the fused steps make it; or NULL */
    uint32_t *reads;         /* by slot: by the steps that are gathered */
};

static exec_step *step_at(const struct gather *g, size_t i)
{
    return &g->b->x->list[i];
}

static size_t out_of(const struct gather *g, size_t i)
{
    return step_at(g, i)->out[0];
}

/* Returns the elements of a whole row of the group. */
static int64_t row_of(const struct gather *g)
{
    int64_t n = 1;

    for (int i = g->n_dims - g->row_dims; i < g->n_dims; i++)
        n *= g->dims[i];
    return n;
}

/* Rows of a list: a group that ends with a scatter reads what it gathers, and writes what it
 * computes of that, in the rows of the data. */

/* Returns whether SLOT is the updates that the group computes where they belong. */
static bool is_put(const struct gather *g, size_t slot)
{
    return g->f->scatter > 0 && build_updates(g->b, g->f->scatter) == slot;
}

/* Returns the step that gathers the value of SLOT, if the group alone reads it, of the rows that
 * its scatter writes; or NULL. */
static exec_step *gather_of(const struct gather *g, size_t slot)
{
    const exec_place *place = build_place(g->b, slot);

    if (g->f->scatter == 0 || !place || !place->listed || g->made[slot] == g->f ||
        g->reads[slot] != g->b->s->uses[slot])
        return NULL;
    return build_gathered(g->b, slot, g->f->first, g->f->scatter);
}

/* Registers */

/* Returns whether a step of the group writes over what stands in UNIT. */
static bool is_written_over(const struct gather *g, size_t unit)
{
    bool over = false;

    for (int i = 0; i < g->f->n_ops; i++) {
        const exec_step *s = step_at(g, g->f->ops[i].step);

        over = over || (s->in_place && g->b->x->unit[s->out[0]] == unit);
    }
    return over;
}

/* Returns whether all that read the value of SLOT are steps of G, so that it needs no memory. */
static bool is_inner(const struct gather *g, size_t slot)
{
    const exec_builder *b = g->b;
    const exec_place *place = build_place(b, slot);
    const exec_unit *u = &b->x->units[b->x->unit[slot]];

    return g->made[slot] == g->f && g->reads[slot] == b->s->uses[slot] && u->root == EXEC_ARENA &&
           u->slot == slot && (!place || place->kind == INLAY_FRESH) &&
           !is_written_over(g, b->x->unit[slot]);
}

/* Returns how many registers there may be: if tiles are whole rows, a row must fit into each. */
static int most_registers(const struct gather *g)
{
    int64_t bytes = g->row_dims > 0 ? row_of(g) * (int64_t)g->f->size : CALL_PIECE;
    int64_t most = FUSED_ROOM / ((bytes + CALL_PIECE - 1) / CALL_PIECE * CALL_PIECE);

    return most < FUSED_REGISTERS ? (int)most : FUSED_REGISTERS;
}

/* Returns the first of MOST registers that nobody reads any more; -1: there is none. */
static int free_register(const uint32_t *left, int most)
{
    int free = -1;

    for (int k = most; k-- > 0;)
        free = left[k] == 0 ? k : free;
    return free;
}

/* Returns whether the output of step I may be made in the register that an operand leaves: tiles of
 * both are of one size, and rows of both begin at one place. */
static bool may_replace(const struct gather *g, size_t i)
{
    const row_form *form = g->b->form[i];
    bool same = !form->folds;

    for (int k = 0; k < form->n; k++)
        same = same && size_of(form->from[k]) == size_of(form->to) &&
               g->narrow[step_at(g, i)->in[k]] == g->narrow[out_of(g, i)];
    return same;
}

/* Gives the values between the steps registers, as long as there are some: REG is by operation. A
 * register is free for the output of the operation that reads it last, if the elements of both are
 * of one size. */
static void give_registers(const struct gather *g, int *reg)
{
    size_t held[FUSED_REGISTERS];
    uint32_t left[FUSED_REGISTERS] = {0};
    int most = most_registers(g);

    for (int i = 0; i < g->f->n_ops; i++) {
        size_t step = g->f->ops[i].step, slot = out_of(g, step);
        const row_form *form = g->b->form[step];
        int free = free_register(left, most);

        for (int k = 0; k < FUSED_REGISTERS; k++) {
            for (int j = 0; j < form->n; j++)
                left[k] -= left[k] > 0 && held[k] == step_at(g, step)->in[j];
        }
        if (may_replace(g, step))
            free = free_register(left, most);
        reg[i] = is_inner(g, slot) && !is_put(g, slot) ? free : -1;
        if (reg[i] < 0)
            continue;
        held[free] = slot;
        left[free] = g->b->s->uses[slot];
        g->f->registers = free >= g->f->registers ? free + 1 : g->f->registers;
    }
}

/* Returns the register that holds the value of SLOT when operation I is computed; -1: none. */
static int register_of(const struct gather *g, const int *reg, int i, size_t slot)
{
    while (i-- > 0) {
        if (out_of(g, g->f->ops[i].step) == slot)
            return reg[i];
    }
    return -1;
}

/* Lanes */

/* Lists STRIDES, which are along the dims of OF, in bytes along the dims of the group. */
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

/* Makes operand LANE of operation OP one number for all elements: the only one of T, in UNIT. */
static void add_number(const struct gather *g, const exec_op *op, int lane, const inlay_tensor *t,
                       size_t unit)
{
    exec_block *block = &g->b->x->blocks[op->block];

    block->k.single = (enum row_single)lane;
    block->k.one = first_of(t);
    block->k.one_type = t->type;
    block->k.type = g->b->form[op->step]->from[lane - 1];
    build_number(g->b, block, unit);
}

/* Makes lane LANE of operation OP show T, part of UNIT, at STRIDES along the dims of OF. */
static bool add_lane(const struct gather *g, exec_op *op, int lane, const inlay_tensor *t,
                     size_t unit, const inlay_tensor *of, const int64_t *strides)
{
    exec_block *block = &g->b->x->blocks[op->block];

    op->strides[lane] = list_bytes(g, of, strides, op->size[lane]);
    block->unit[lane] = unit;
    if (lane == 0)
        block->k.to = (char *)first_of(t);
    else
        *(lane == 1 ? &block->k.x : lane == 2 ? &block->k.y : &block->k.z) = first_of(t);
    return op->strides[lane] != NULL;
}

/* Makes lane LANE of operation OP show the rows of the group's list. Within a row elements lie as
 * in a value of the group's own, at STRIDES along the dims of OF. */
static bool add_listed(const struct gather *g, exec_op *op, int lane, const inlay_tensor *of,
                       const int64_t *strides)
{
    const exec_instance *x = g->b->x;
    size_t data = x->list[g->f->scatter].out[0];

    op->listed |= 1u << lane;
    return add_lane(g, op, lane, x->shadow[data], x->unit[data], of, strides);
}

/* Makes operand K of operation OP, which register REG holds; -1: it is in memory. */
static bool add_operand(const struct gather *g, exec_op *op, int k, int reg)
{
    const exec_step *s = step_at(g, op->step);
    const row_form *form = g->b->form[op->step];
    const inlay_tensor *t = g->b->x->shadow[s->in[k]], *of = forms_space(g->b, op->step);
    form_rows rows = form->n > 1 ? forms_rows(of, form->strides[k]) : FORM_ARRAYS;
    bool wide = !g->narrow[s->out[0]] || form->folds;

    op->size[k + 1] = size_of(form->from[k]);
    op->reg[k + 1] = reg;
    op->narrow[k + 1] = !wide || g->narrow[s->in[k]];
    if (gather_of(g, s->in[k]))
        return add_listed(g, op, k + 1, of, form->strides[k]);
    if (g->made[s->in[k]] != g->f && rows == FORM_NUMBER) {
        add_number(g, op, k + 1, t, g->b->x->unit[s->in[k]]);
        return true;
    }
    if (wide && rows != FORM_ARRAYS) {
        g->b->x->blocks[op->block].k.single = (enum row_single)(k + 1);
        op->each = true;
    }
    return reg >= 0 || add_lane(g, op, k + 1, t, g->b->x->unit[s->in[k]], of, form->strides[k]);
}

/* Makes the block and the lanes of operation I. */
static bool make_op(const struct gather *g, int i, const int *reg)
{
    exec_instance *x = g->b->x;
    exec_op *op = &g->f->ops[i];
    const exec_step *s = step_at(g, op->step);
    const row_form *form = g->b->form[op->step];
    const inlay_tensor *out = x->shadow[s->out[0]];
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
    block->k = (row_block){.run = form->run, .a = form->a, .b = form->b, .with = form->with};
    block->k.size = op->size[0];
    for (int k = 0; k < FUSED_LANES; k++)
        op->reg[k] = k == 0 ? reg[i] : -1;
    if (reg[i] < 0)
        ok = is_put(g, s->out[0]) ? add_listed(g, op, 0, out, out->strides)
                                  : add_lane(g, op, 0, out, x->unit[s->out[0]], out, out->strides);
    for (int k = 0; ok && k < form->n; k++)
        ok = add_operand(g, op, k, register_of(g, reg, i, s->in[k]));
    return ok;
}

/* Tiles */

/* Returns whether dim I + 1 lies behind dim I without a gap in all lanes. Rows of a list are
 * counted along their dims, and lie anywhere. */
static bool are_one(const struct gather *g, int i)
{
    bool one = i + 1 != g->f->lists;

    for (int k = 0; k < g->f->n_ops; k++) {
        for (int lane = 0; lane < FUSED_LANES; lane++) {
            const ptrdiff_t *s = g->f->ops[k].strides[lane];

            one = one && (!s || (i < g->f->lists && (g->f->ops[k].listed & 1u << lane)) ||
                          s[i] == s[i + 1] * g->dims[i + 1]);
        }
    }
    return one;
}

static void drop_dim(struct gather *g, int i)
{
    g->dims[i + 1] *= g->dims[i];
    for (int k = i; k + 1 < g->n_dims; k++)
        g->dims[k] = g->dims[k + 1];
    for (int k = 0; k < g->f->n_ops; k++) {
        for (int lane = 0; lane < FUSED_LANES; lane++) {
            ptrdiff_t *s = (ptrdiff_t *)g->f->ops[k].strides[lane];

            if (s)
                memmove(s + i, s + i + 1, (size_t)(g->n_dims - i - 1) * sizeof *s);
        }
    }
    g->n_dims--;
    g->f->lists -= i < g->f->lists;
}

/* Adds a last dim of 1 to those of the group, whose listed rows are single elements. */
static void add_dim(struct gather *g)
{
    g->dims[g->n_dims] = 1;
    for (int k = 0; k < g->f->n_ops; k++) {
        for (int lane = 0; lane < FUSED_LANES; lane++) {
            ptrdiff_t *s = (ptrdiff_t *)g->f->ops[k].strides[lane];

            if (s)
                s[g->n_dims] = (ptrdiff_t)g->f->ops[k].size[lane];
        }
    }
    g->n_dims++;
}

/* Returns whether the rows of OP in a tile follow each other in all lanes. */
static bool is_flat(const exec_fused *f, const exec_op *op)
{
    bool flat = !op->each && !op->whole && !op->listed && f->rank > 1;

    for (int lane = 0; flat && lane < FUSED_LANES; lane++)
        flat = !op->strides[lane] ||
               op->strides[lane][f->rank - 2] ==
                   (op->narrow[lane] ? 1 : f->row_length) * (ptrdiff_t)op->size[lane];
    return flat;
}

static void cut_tiles(exec_fused *f)
{
    int64_t most = FUSED_TILE, outer = 1;

    if (f->registers > 0 && FUSED_ROOM / f->registers < most)
        most = FUSED_ROOM / f->registers / CALL_PIECE * CALL_PIECE;
    most /= (int64_t)f->size;
    f->row_length = f->rank > 0 ? f->dims[f->rank - 1] : 1;
    f->band_rows = f->rank > 1 ? f->dims[f->rank - 2] : 1;
    f->length = f->row_length < most ? f->row_length : most;
    f->rows = f->row_length > most ? 1 : most / f->row_length;
    f->rows = f->rows < f->band_rows ? f->rows : f->band_rows;
    f->pieces = (f->row_length + f->length - 1) / f->length;
    f->bands = (f->band_rows + f->rows - 1) / f->rows;
    for (int i = 0; i + 2 < f->rank; i++)
        outer *= f->dims[i];
    f->tiles = outer * f->bands * f->pieces;
    for (int i = 0; i < f->n_ops; i++)
        f->ops[i].flat = is_flat(f, &f->ops[i]);
}

static bool shape_tiles(struct gather *g)
{
    int64_t *dims;

    for (int r = g->row_dims; r > 1; r--)
        drop_dim(g, g->n_dims - 2);
    if (g->f->scatter > 0 && g->f->lists == g->n_dims)
        add_dim(g);
    for (int i = g->n_dims - (g->f->whole ? 3 : 2); i >= 0; i--) {
        if (are_one(g, i))
            drop_dim(g, i);
    }
    dims = inlay_arena_array(g->b->x->memory, (size_t)g->n_dims + 1, sizeof *dims);
    if (!dims)
        return false;
    memcpy(dims, g->dims, (size_t)g->n_dims * sizeof *dims);
    g->f->dims = dims;
    g->f->rank = g->n_dims;
    cut_tiles(g->f);
    return true;
}

/* Groups */

/* A value in a register has no bytes; what has bytes is there from the first step on. */
static void settle_outputs(const struct gather *g, const int *reg)
{
    exec_instance *x = g->b->x;

    for (int i = 0; i < g->f->n_ops; i++) {
        exec_unit *u = &x->units[x->unit[out_of(g, g->f->ops[i].step)]];

        if (reg[i] >= 0 || is_put(g, out_of(g, g->f->ops[i].step)))
            u->bytes = 0;
        else if (u->first > exec_time(g->f->first))
            u->first = exec_time(g->f->first);
    }
}

/* The blocks that were recorded of the steps are not computed. */
static void forget_blocks(const struct gather *g, exec_step *s)
{
    for (size_t i = s->block; i < s->block + s->n_blocks; i++)
        g->b->x->blocks[i] =
            (exec_block){.unit = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX}};
    s->n_blocks = s->n_copies = 0;
    s->kind = EXEC_FUSED;
    s->zeroes = false;
}

/* What a listed lane reads is not gathered. */
static void settle_gathers(const struct gather *g)
{
    for (int i = 0; i < g->f->n_ops; i++) {
        const exec_step *s = step_at(g, g->f->ops[i].step);

        for (int k = 0; k < g->b->form[g->f->ops[i].step]->n; k++) {
            exec_step *from = gather_of(g, s->in[k]);

            if (!from)
                continue;
            from->kind = EXEC_CHECK;
            from->n_copies = 0;
            from->moved = 0;
            from->zeroes = false;
            g->b->x->units[g->b->x->unit[s->in[k]]].bytes = 0;
        }
    }
    if (g->f->scatter > 0)
        forget_blocks(g, step_at(g, g->f->scatter));
}

/* Returns how many of the dims count the rows that the scatter names. */
static int count_lists(const struct gather *g)
{
    const exec_step *s = step_at(g, g->f->scatter);
    const inlay_tensor *u = g->b->x->shadow[build_updates(g->b, g->f->scatter)];
    int run = inlay_node_row_axes(s->step->node), n = 0;

    for (int i = 0; i < u->rank - run; i++)
        n += u->dims[i] != 1;
    return n;
}

/* Returns whether no step of the group reads or writes the bytes of UNIT, but for what will be in
 * listed lanes. */
static bool leaves(const struct gather *g, size_t unit)
{
    const exec_instance *x = g->b->x;
    bool leaves = true;

    for (int i = 0; leaves && i < g->f->n_ops; i++) {
        const exec_step *s = step_at(g, g->f->ops[i].step);

        leaves = x->unit[s->out[0]] != unit;
        for (int k = 0; leaves && k < g->b->form[g->f->ops[i].step]->n; k++)
            leaves = x->unit[s->in[k]] != unit;
    }
    return leaves;
}

/* Returns whether step I is a scatter by a list whose updates the group makes for nothing else, so
 * that they can be computed where they belong. The group is closed with it then. */
static bool ends_with(struct gather *g, size_t i)
{
    size_t updates = g->f ? build_updates(g->b, i) : SIZE_MAX;

    if (updates == SIZE_MAX || g->made[updates] != g->f || g->b->s->uses[updates] != 1 ||
        !leaves(g, g->b->x->unit[step_at(g, i)->out[0]]))
        return false;
    g->f->scatter = i;
    if (count_lists(g) > g->n_dims - g->row_dims)
        g->f->scatter = 0; /* rows of the list are no whole rows */
    return g->f->scatter > 0;
}

static bool make_group(struct gather *g)
{
    exec_fused *f = g->f;
    int reg[FUSED_MOST];
    bool ok = true;

    f->n = (f->scatter > 0 ? f->scatter : f->ops[f->n_ops - 1].step) + 1 - f->first;
    f->number = ++g->b->x->n_fused;
    if (f->scatter > 0)
        f->lists = count_lists(g);
    give_registers(g, reg);
    for (int i = 0; i < f->n_ops; i++)
        forget_blocks(g, step_at(g, f->ops[i].step));
    for (int i = 0; ok && i < f->n_ops; i++)
        ok = make_op(g, i, reg);
    if (!ok || !shape_tiles(g) || !build_runs(g->b, f))
        return false;
    settle_outputs(g, reg);
    settle_gathers(g);
    for (size_t i = f->first; i < f->first + f->n; i++) {
        step_at(g, i)->fused = f;
        f->counted += !inlay_node_is(step_at(g, i)->step->node, INLAY_OP_CONST);
    }
    return true;
}

/* Ends the group. One step alone is computed as before if it consists of blocks or whole rows. */
static bool close_group(struct gather *g)
{
    exec_fused *f = g->f;
    bool alone = f && f->n_ops == 1 && f->scatter == 0 &&
                 (f->whole || step_at(g, f->first)->kind == EXEC_BLOCKS);
    bool ok = !f || alone || make_group(g);

    for (int i = 0; f && i < f->n_ops; i++) {
        const exec_step *s = step_at(g, f->ops[i].step);

        for (int k = 0; k < g->b->form[f->ops[i].step]->n; k++)
            g->reads[s->in[k]] = 0;
        g->made[s->out[0]] = NULL;
        g->narrow[s->out[0]] = false;
    }
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

/* Returns whether operand K of step I, which the group makes, is read element by element, or, if it
 * is narrow and the step is not, one element for each row. */
static bool reads_elements(const struct gather *g, size_t i, int k)
{
    const inlay_tensor *t = g->b->x->shadow[step_at(g, i)->in[k]], *of = forms_space(g->b, i);
    bool narrow = g->narrow[step_at(g, i)->in[k]];
    int64_t dims[INLAY_MAX_RANK], own[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    int n = g->n_dims - (narrow ? g->row_dims : 0), rank = real_dims(of, dims);

    real_strides(of, g->b->form[i]->strides[k], strides);
    if (rank < n || real_dims(t, dims) != n || memcmp(dims, g->dims, (size_t)n * sizeof *dims) != 0)
        return false;
    real_strides(t, t->strides, own);
    return memcmp(own, strides, (size_t)n * sizeof *own) == 0 && all_zero(strides + n, rank - n);
}

static bool reads_all(const struct gather *g, size_t i)
{
    const exec_step *s = step_at(g, i);
    bool ok = true;

    for (int k = 0; ok && k < g->b->form[i]->n; k++)
        ok = g->made[s->in[k]] != g->f || reads_elements(g, i, k);
    return ok;
}

/* Returns whether operand T of step I shows bytes that the group writes, without being one of its
 * values: what stands there now is not what stands there when the tile is computed. */
static bool reads_behind(const struct gather *g, size_t i)
{
    const exec_instance *x = g->b->x;
    const exec_step *s = step_at(g, i);
    bool behind = false;

    for (int k = 0; k < g->b->form[i]->n; k++) {
        for (int j = 0; j < g->f->n_ops; j++)
            behind = behind || (g->made[s->in[k]] != g->f &&
                                x->unit[s->in[k]] == x->unit[out_of(g, g->f->ops[j].step)]);
    }
    return behind;
}

/* Returns whether the values of A and B are one place element by element, or in different units. */
static bool are_same_or_apart(const struct gather *g, size_t a, size_t b)
{
    const exec_instance *x = g->b->x;
    const inlay_tensor *s = x->shadow[a], *t = x->shadow[b];
    int64_t dims[2][INLAY_MAX_RANK], strides[2][INLAY_MAX_RANK];
    int n;

    if (x->unit[a] != x->unit[b])
        return true;
    n = real_dims(s, dims[0]);
    real_strides(s, s->strides, strides[0]);
    real_strides(t, t->strides, strides[1]);
    return s->type == t->type && first_of(s) == first_of(t) && real_dims(t, dims[1]) == n &&
           memcmp(dims[0], dims[1], (size_t)n * sizeof *dims[0]) == 0 &&
           memcmp(strides[0], strides[1], (size_t)n * sizeof *strides[0]) == 0;
}

/* Returns whether step K reads and writes bytes where the output OUT of another one stands only as
 * the elements that OUT has there. */
static bool keeps_apart(const struct gather *g, size_t k, size_t out)
{
    const exec_step *s = step_at(g, k);
    bool ok = are_same_or_apart(g, s->out[0], out);

    for (int i = 0; ok && i < s->step->node->n_in; i++)
        ok = s->in[i] == SIZE_MAX ||
             (g->b->x->shadow[s->in[i]] && are_same_or_apart(g, s->in[i], out));
    return ok;
}

/* Returns whether step I, if it writes over what was there, does so element by element in the steps
 * that are gathered, too: a tile must not meet another one. */
static bool writes_in_place(const struct gather *g, size_t i)
{
    size_t out = out_of(g, i);
    bool ok = true;

    for (int k = 0; ok && step_at(g, i)->in_place && k < g->f->n_ops; k++)
        ok = keeps_apart(g, g->f->ops[k].step, out);
    return ok;
}

/* Returns whether a row of all steps fits into a tile, if the last ROW_DIMS dims of the group
 * become rows with step I, and lie one behind the other in all lanes. */
static bool rows_fit(const struct gather *g, size_t i, int row_dims)
{
    struct gather with = *g;
    size_t size = forms_size(g->b->form[i]);
    bool ok = true;

    with.row_dims = row_dims;
    size = g->f->size > size ? g->f->size : size;
    for (int k = 0; ok && row_dims > g->row_dims && k < g->f->n_ops; k++)
        ok = forms_merge(g->b, g->f->ops[k].step, row_dims);
    return ok && row_of(&with) <= FUSED_TILE / (int64_t)size && forms_merge(g->b, i, row_dims);
}

/* Returns whether step I, whose dims are DIMS, N of them, computes what is narrow. */
static bool is_narrow(const struct gather *g, size_t i, int n, const int64_t *dims)
{
    const exec_step *s = step_at(g, i);
    bool reads = false;

    for (int k = 0; k < g->b->form[i]->n; k++)
        reads = reads || (g->made[s->in[k]] == g->f && g->narrow[s->in[k]]);
    return reads && g->b->form[i]->row_dims == 0 && n == g->n_dims - g->row_dims &&
           memcmp(dims, g->dims, (size_t)n * sizeof *dims) == 0;
}

/* Returns whether step I, whose dims are those of the group, computes whole rows as the group
 * does. */
static bool is_wide(const struct gather *g, size_t i, int n, const int64_t *dims)
{
    int rows = forms_row_dims(g->b, i);

    if (n != g->n_dims || memcmp(dims, g->dims, (size_t)n * sizeof *dims) != 0 ||
        (rows > 0 && g->row_dims > 0 && rows != g->row_dims))
        return false;
    rows = rows > 0 ? rows : g->row_dims;
    return rows == 0 || rows_fit(g, i, rows);
}

static bool joins(const struct gather *g, size_t i)
{
    int64_t dims[INLAY_MAX_RANK];
    int n = real_dims(forms_space(g->b, i), dims);

    return g->f && g->f->n_ops < FUSED_MOST &&
           (is_wide(g, i, n, dims) || is_narrow(g, i, n, dims)) && reads_all(g, i) &&
           !reads_behind(g, i) && writes_in_place(g, i);
}

static void add_step(struct gather *g, size_t i)
{
    const exec_step *s = step_at(g, i);
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

/* A step between others of a group may show what stands there, or be a constant. */
static bool is_nothing(const exec_step *s)
{
    return s->kind == EXEC_NOTHING && (s->views || inlay_node_is(s->step->node, INLAY_OP_CONST));
}

bool build_fused(exec_builder *b)
{
    struct gather g = {.b = b};
    bool ok = b->plan->kernels != INLAY_KERNELS_REFERENCE;

    if (!ok)
        return true;
    g.made = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *g.made);
    g.reads = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *g.reads);
    g.narrow = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *g.narrow);
    ok = g.made && g.reads && g.narrow;
    for (size_t i = 0; ok && i < b->x->n; i++) {
        bool fit =
            forms_fit(b, i) && (!b->x->list[i].in_place || keeps_apart(&g, i, out_of(&g, i)));

        if (g.f && !is_nothing(&b->x->list[i]) && !(fit && joins(&g, i))) {
            ends_with(&g, i);
            ok = close_group(&g);
        }
        if (ok && fit)
            ok = (g.f || open_group(&g, i)) && (add_step(&g, i), true);
    }
    return ok && close_group(&g);
}
