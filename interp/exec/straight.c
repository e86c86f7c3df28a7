/* Finds operations of a group that are computed in one go. Each of them makes a float of the one
 * that the operation before has made, with numbers that are the same for all (call/stages.h). What
 * is between them is a vector in the processor, and neither memory nor a register of the group.
 *
 *     y = Add(x, 0.5)    x -> register 0             x + 0.5, times 1.5, at least 0 -> w
 *     z = Multiply(y, 1.5)    register 0 -> register 0
 *     w = Relu(z)             register 0 -> w */
#include "interp/exec/forms.h"

/* Returns whether operation I makes each float of another one, and where there are two operands, of
 * one number for all. */
static bool is_straight(const exec_builder *b, const exec_fused *f, int i)
{
    const exec_op *op = &f->ops[i];
    int64_t length = op->flat ? f->rows * f->length : f->length;

    return op->computes != ROW_OTHER && length >= STAGES_WIDTH && !op->each && !op->listed &&
           !op->narrow[0] && !op->narrow[1] &&
           (b->form[op->step]->n == 1 || b->x->blocks[op->block].k.single == SINGLE_Y);
}

/* Returns whether only operation I + 1 reads what operation I makes, as the number that it works
 * on. */
static bool goes_on(const exec_builder *b, const exec_fused *f, int i)
{
    const exec_op *op = &f->ops[i], *next = op + 1;
    size_t made = b->x->list[op->step].out[0];

    return i + 1 < f->n_ops && op->reg[0] >= 0 && b->s->uses[made] == 1 &&
           b->x->list[next->step].in[0] == made && is_straight(b, f, i) && is_straight(b, f, i + 1);
}

/* Makes R the operations from FIRST on that are computed in one go. */
static void make_run(const exec_builder *b, const exec_fused *f, exec_straight *r, int first)
{
    int last = first;

    while (goes_on(b, f, last))
        last++;
    *r = (exec_straight){.op = f->ops[first], .first = first, .n = last - first + 1};
    r->op.reg[0] = f->ops[last].reg[0];
    r->op.strides[0] = f->ops[last].strides[0];
    r->op.flat = f->ops[first].flat && f->ops[last].flat;
}

bool build_runs(exec_builder *b, exec_fused *f)
{
    f->runs = inlay_arena_array(b->x->memory, (size_t)f->n_ops, sizeof *f->runs);
    for (int i = 0; f->runs && i < f->n_ops; i += f->runs[f->n_runs++].n)
        make_run(b, f, &f->runs[f->n_runs], i);
    return f->runs != NULL;
}
