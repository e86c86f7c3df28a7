/* The audit finds mistakes that are planted in steps that are computed together. */
#include "fused_graphs.h"
#include "interp/audit/audit.h"
#include "models.h"

/* Mistakes */

static void other_register(const grouped *s)
{
    op_of(s, "c")->reg[1] = op_of(s, "b")->reg[0];
}

static void register_too_early(const grouped *s)
{
    op_of(s, "b")->reg[0] = op_of(s, "a")->reg[0];
}

static void register_written_over(const grouped *s)
{
    op_of(s, "c")->reg[0] = op_of(s, "a")->reg[0];
    op_of(s, "d")->reg[1] = op_of(s, "a")->reg[0];
}

static void other_choice(const grouped *s)
{
    exec_block *b = &s->x->blocks[op_of(s, "d")->block];

    b->k.y -= 4;
}

static void chosen_number_elsewhere(const grouped *s)
{
    s->x->blocks[op_of(s, "d")->block].k.single = SINGLE_Y;
}

static void narrow_taken_for_wide(const grouped *s)
{
    op_of(s, "b")->narrow[2] = false;
}

static void wide_taken_for_narrow(const grouped *s)
{
    op_of(s, "g")->narrow[1] = true;
}

static void one_number_for_all_rows(const grouped *s)
{
    op_of(s, "g")->each = false;
}

static void fold_of_half_a_row(const grouped *s)
{
    fused_of(s)->length = 50;
    fused_of(s)->pieces = 2;
    fused_of(s)->tiles *= 2;
}

static void fold_of_flat_rows(const grouped *s)
{
    op_of(s, "d")->flat = true;
}

static void written_over_its_rows(const grouped *s)
{
    op_of(s, "b")->reg[2] = op_of(s, "a")->reg[0] = op_of(s, "b")->reg[0];
}

static void lane_too_far(const grouped *s)
{
    s->x->blocks[op_of(s, "b")->block].k.x += 4;
}

static void lane_of_other_strides(const grouped *s)
{
    ((ptrdiff_t *)op_of(s, "a")->strides[2])[0] = 0;
}

static void output_of_other_strides(const grouped *s)
{
    ((ptrdiff_t *)op_of(s, "e")->strides[0])[0] += 4;
}

static void too_few_tiles(const grouped *s)
{
    fused_of(s)->tiles = 0;
}

static void too_few_rows(const grouped *s)
{
    fused_of(s)->rows--;
}

static void read_in_memory(const grouped *s)
{
    op_of(s, "d")->reg[2] = -1;
    op_of(s, "d")->strides[2] = op_of(s, "b")->strides[1];
}

static void cast_over_itself(const grouped *s)
{
    op_of(s, "c")->reg[0] = op_of(s, "d")->reg[1] = op_of(s, "b")->reg[0];
}

static void other_size(const grouped *s)
{
    op_of(s, "c")->size[0] = 4;
}

static void too_large_for_registers(const grouped *s)
{
    fused_of(s)->size = 64;
}

static void part_of_a_row(const grouped *s)
{
    fused_of(s)->length = 500;
    fused_of(s)->pieces = 2;
    fused_of(s)->tiles *= 2;
}

static void left_out(const grouped *s)
{
    fused_of(s)->ops[2].step = fused_of(s)->ops[1].step;
}

static void run_of_one_more(const grouped *s)
{
    fused_of(s)->runs[0].n++;
}

static void run_left_out(const grouped *s)
{
    fused_of(s)->n_runs--;
}

static void run_of_a_divisor(const grouped *s)
{
    exec_fused *f = fused_of(s);

    f->runs[1].n += f->runs[2].n;
    f->runs[1].op.reg[0] = f->ops[f->n_ops - 1].reg[0];
    f->runs[1].op.strides[0] = f->ops[f->n_ops - 1].strides[0];
    f->n_runs = 2;
}

static void run_writes_elsewhere(const grouped *s)
{
    fused_of(s)->runs[1].op.strides[0] = fused_of(s)->runs[0].op.strides[1];
}

static void run_forgets_rows(const grouped *s)
{
    op_of(s, "n")->beside = 0;
}

static void run_turned_round(const grouped *s)
{
    op_of(s, "n")->beside = 1;
}

static void run_of_one_row(const grouped *s)
{
    fused_of(s)->runs[1].op.flat = true;
}

static void run_over_its_numbers(const grouped *s)
{
    exec_fused *f = fused_of(s);
    exec_straight *r = &f->runs[1];

    op_of(s, "g")->beside = op_of(s, "h")->beside = 2;
    r[0].n = 2;
    r[0].op.each = false;
    r[0].op.reg[0] = op_of(s, "h")->reg[0];
    r[0].op.strides[0] = op_of(s, "h")->strides[0];
    r[1] = r[2];
    f->n_runs--;
}

/* One run through codes, beyond which the Clamp goes. */
static void run_through_fewer(const grouped *s)
{
    exec_fused *f = fused_of(s);

    f->runs[0].n += f->runs[1].n;
    f->runs[0].op.reg[0] = f->runs[1].op.reg[0];
    f->runs[0].op.strides[0] = f->runs[1].op.strides[0];
    f->runs[0].op.size[0] = f->runs[1].op.size[0];
    f->n_runs = 1;
}

/* Makes a gate of run I and the operation of the next one. */
static void make_gate(const grouped *s, int i)
{
    exec_fused *f = fused_of(s);
    exec_straight *r = &f->runs[i];
    const exec_op *last = &f->ops[r->first + 1];

    r->n = 2;
    r->gate = true;
    r->op.reg[0] = last->reg[0];
    r->op.strides[0] = last->strides[0];
    if (r[1].n == 1) {
        memmove(r + 1, r + 2, (size_t)(f->n_runs - i - 2) * sizeof *r);
        f->n_runs--;
    } else {
        r[1].n--;
        r[1].op.block = f->ops[++r[1].first].block;
    }
}

static void gate_of_another(const grouped *s)
{
    make_gate(s, 2);
}

static void gate_that_is_read(const grouped *s)
{
    make_gate(s, 4);
}

static void no_gate(const grouped *s)
{
    fused_of(s)->runs[0].gate = false;
}

/* The output takes the place of y, which is read again in other tiles. */
static void over_a_broadcast_operand(const grouped *s)
{
    exec_allocation *y =
        &s->x->allocations
             [s->x->allocation
                  [s->steps->first_slot[grouped_step(s, "a")->step->node->in[1].value->node->id]]];
    exec_allocation *e = &s->x->allocations[s->x->allocation[grouped_step(s, "e")->out[0]]];

    e->same = (size_t)(y - s->x->allocations);
    y->ours = true;
    y->bytes = e->bytes;
}

static void test_mistakes(void **state)
{
    static const struct {
        const char *name;
        void (*plant)(const grouped *s);
        const char *body;
    } mistakes[] = {
        {"another register", other_register, tree},
        {"a register that is still read", register_too_early, tree},
        {"a register that is written over", register_written_over, tree},
        {"a lane that begins too far", lane_too_far, tree},
        {"a lane of other strides", lane_of_other_strides, tree},
        {"an output of other strides", output_of_other_strides, tree},
        {"too few tiles", too_few_tiles, tree},
        {"too few rows", too_few_rows, tree},
        {"memory that a value does not have", read_in_memory, tree},
        {"a tile too large for its register", too_large_for_registers, tree},
        {"a step that is left out", left_out, tree},
        {"an output over a broadcast operand", over_a_broadcast_operand, tree},
        {"a cast in the register that it reads", cast_over_itself, casts},
        {"elements of another size", other_size, casts},
        {"a choice of other elements", other_choice, choice},
        {"a number of another operand", chosen_number_elsewhere, choice},
        {"a narrow register that is read as a wide one", narrow_taken_for_wide, norm},
        {"a wide register that is read as a narrow one", wide_taken_for_narrow, norm},
        {"one number for all rows", one_number_for_all_rows, norm},
        {"a fold of half a row", fold_of_half_a_row, norm},
        {"a fold of rows that follow each other", fold_of_flat_rows, norm},
        {"a tile over the numbers of its rows", written_over_its_rows, norm},
        {"a softmax of half a row", part_of_a_row, rows},
        {"a run of one operation more", run_of_one_more, straight},
        {"a run that is left out", run_left_out, straight},
        {"a run that divides by what it makes", run_of_a_divisor, straight},
        {"a run that writes elsewhere", run_writes_elsewhere, straight},
        {"a run that forgets rows", run_forgets_rows, straight},
        {"a run that turns a difference round", run_turned_round, straight},
        {"a run of rows that follow each other", run_of_one_row, straight},
        {"a run over the numbers of its rows", run_over_its_numbers, straight_norm},
        {"a run through codes that do not hold its numbers", run_through_fewer, codes_beyond},
        {"a gate of another operand", gate_of_another, gates},
        {"a gate whose sigmoid is read elsewhere", gate_that_is_read, gates},
        {"a gate that is taken for a list", no_gate, gates},
    };

    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        grouped s = grouped_of(mistakes[i].body, INLAY_KERNELS_PORTABLE);

        mistakes[i].plant(&s);
        if (audit_instance(s.x, s.diags))
            fail_msg("the audit accepts %s", mistakes[i].name);
        if (!strstr(model_messages(s.diags), "audit: step"))
            fail_msg("%s: %s", mistakes[i].name, model_messages(s.diags));
        grouped_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
