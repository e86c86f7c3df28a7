/* Finds operations of a group that are computed in one loop (call/stages.h). Each of them takes the
 * float that the operation before it computed, and possibly a second operand: one number for all,
 * one for each row, or rows. A conversion to floats may be the first one, one from floats the last;
 * and floats that are codes for a moment stay floats.
 * The value between two of them stays in a vector register of the processor, and needs neither
 * memory nor a register of the group.
 *
 *     y = Divide(x, d)       x, register 1 -> register 0      x / d, times g, plus b -> w
 *     z = Multiply(y, g)     register 0, g -> register 0
 *     w = Add(b, z)          b, register 0 -> w
 */
#include "interp/exec/build/straight.h"
#include "interp/exec/build/tiles.h"

enum { MANY_TILES = 32 };

static const row_block *block_of(const exec_builder *b, const exec_op *op)
{
    return &b->x->blocks[op->block].k;
}

/* Returns the lane of the other operand of OP than that in lane LANE; 0 if it is one number for
 * all. */
static int beside(const exec_builder *b, const exec_op *op, int lane)
{
    return b->form[op->step]->n == 2 && (block_of(b, op)->single == NO_SINGLE || op->each)
               ? 3 - lane
               : 0;
}

/* Returns whether operation I computes each float from one float of the operand in lane LANE: 1, or
 * 2 if the operands may be swapped. */
static bool is_straight(const exec_builder *b, const exec_fused *f, int i, int lane)
{
    const exec_op *op = &f->ops[i];
    int64_t length = op->flat ? f->rows * f->length : f->length;
    int single = (int)block_of(b, op)->single;

    return row_op_is_stage(op->computes) && length >= STAGES_WIDTH && !op->listed &&
           !op->narrow[0] && !op->narrow[lane] && single != lane && b->form[op->step]->n <= 2 &&
           (lane == 1 || row_op_commutes(op->computes));
}

static row_stage stage_of(const exec_builder *b, const exec_op *op)
{
    return row_stage_of(op->computes, block_of(b, op));
}

/* Returns whether operation I, one of those from FIRST on, makes numbers of another type of floats
 * that were held within it, and operation I + 1 floats of these. */
static bool leads_through(const exec_builder *b, const exec_fused *f, int first, int i)
{
    row_stage clamp, writes = stage_of(b, &f->ops[i]), reads = stage_of(b, &f->ops[i + 1]);

    if (i == first)
        return false;
    clamp = stage_of(b, &f->ops[i - 1]);
    return row_stages_lead_through(&clamp, &writes, &reads);
}

/* Returns the lane in which operation I + 1, and no other, reads the result of operation I, one of
 * those from FIRST on, as the operand that it works on; 0: it does not. */
static int goes_on(const exec_builder *b, const exec_fused *f, int first, int i)
{
    const exec_op *op = &f->ops[i], *next = op + 1;
    size_t made = b->x->list[op->step].out[0];

    if (op->reg[0] < 0 || b->s->uses[made] != 1)
        return 0;
    if ((op->computes == ROW_WRITES || next->computes == ROW_READS) &&
        !leads_through(b, f, first, i))
        return 0;
    for (int lane = 1; lane <= b->form[next->step]->n && lane <= 2; lane++) {
        if (b->x->list[next->step].in[lane - 1] == made)
            return is_straight(b, f, i + 1, lane) ? lane : 0;
    }
    return 0;
}

/* Returns whether operation LAST writes to the register in LANE of OP what it still holds for later
 * elements: numbers of later rows, or elements of another size. */
static bool writes_over(const exec_op *op, int lane, const exec_op *last)
{
    return last->reg[0] >= 0 && op->reg[lane] == last->reg[0] &&
           (op->narrow[lane] || op->size[lane] != last->size[0]);
}

/* Returns whether the result of operation LAST can be written while the operations from FIRST on
 * are computed. */
static bool keeps_numbers(const exec_fused *f, int first, int last)
{
    bool keeps = !writes_over(&f->ops[first], 1, &f->ops[last]);

    for (int i = first; i <= last; i++) {
        const exec_op *op = &f->ops[i];

        keeps = keeps && !(op->beside > 0 && writes_over(op, op->beside, &f->ops[last]));
    }
    return keeps;
}

/* Returns the last operation of those from FIRST on that can be computed in one loop. */
static int last_of(const exec_builder *b, exec_fused *f, int first)
{
    int last = first, rows, lane = is_straight(b, f, first, 1) ? 1 : 0;

    f->ops[first].beside = lane ? beside(b, &f->ops[first], lane) : 0;
    rows = f->ops[first].beside > 0;
    for (int i = first + 1; i < f->n_ops && lane > 0 && i - first < STAGES_MOST; i++) {
        lane = goes_on(b, f, first, i - 1);
        f->ops[i].beside = lane ? beside(b, &f->ops[i], lane) : 0;
        rows += f->ops[i].beside > 0;
        if (lane > 0 && rows <= STAGES_ROWS && keeps_numbers(f, first, i))
            last = i;
    }
    return last;
}

/* Returns whether operation I + 1 multiplies the sigmoid that operation I makes, and nobody else
 * reads, by the operand of that. */
static bool is_gate(const exec_builder *b, const exec_fused *f, int i)
{
    const exec_op *op = &f->ops[i], *next = op + 1;
    const size_t *of = b->x->list[op->step].in, *in;
    size_t made = b->x->list[op->step].out[0];

    if (op->computes != ROW_SIGMOID || i + 1 == f->n_ops || next->computes != ROW_MULTIPLY ||
        op->listed || next->listed || op->reg[0] < 0 || b->s->uses[made] != 1)
        return false;
    in = b->x->list[next->step].in;
    return ((in[0] == made && in[1] == of[0]) || (in[1] == made && in[0] == of[0])) &&
           !writes_over(op, 1, next);
}

/* Sets R to the operations from FIRST on that are computed in one loop. */
static void make_run(const exec_builder *b, exec_fused *f, exec_straight *r, int first)
{
    bool gate = is_gate(b, f, first);
    int last = gate ? first + 1 : last_of(b, f, first);

    *r = (exec_straight){.op = f->ops[first], .first = first, .n = last - first + 1};
    r->straight = is_straight(b, f, first, 1);
    r->gate = gate;
    r->op.reg[0] = f->ops[last].reg[0];
    r->op.strides[0] = f->ops[last].strides[0];
    r->op.size[0] = f->ops[last].size[0];
    r->op.each = r->op.each && r->n == 1;
    for (int i = first; i <= last; i++)
        r->op.flat = r->op.flat && f->ops[i].flat;
}

static void make_runs(const exec_builder *b, exec_fused *f)
{
    f->n_runs = 0;
    for (int i = 0; i < f->n_ops; i += f->runs[f->n_runs++].n)
        make_run(b, f, &f->runs[f->n_runs], i);
}

/* One run of all operations keeps nothing in registers, so tiles may be wider, if enough of them
 * are left for threads. Whole rows are computed several at a time only if they are picked. */
static void widen(const exec_builder *b, exec_fused *f)
{
    int64_t most = f->tiles * f->rows * f->length * (int64_t)f->size / MANY_TILES;

    group_cut(f, most < FUSED_TILE ? FUSED_TILE : most > FUSED_WIDE ? FUSED_WIDE : most);
    make_runs(b, f);
}

bool build_runs(exec_builder *b, exec_fused *f)
{
    f->runs = inlay_arena_array(b->x->memory, (size_t)f->n_ops, sizeof *f->runs);
    if (!f->runs)
        return false;
    make_runs(b, f);
    if (f->n_runs == 1 && f->scatter == 0 && f->whole == (f->n_lists > 0))
        widen(b, f);
    return true;
}
