/* The audit of instances (interp/audit) refuses what the planner made once a mistake is planted: in an
 * offset, in a live range, in the geometry of a view or a window, in the order of the steps, in a
 * block, in a result. */
#include "audited.h"

/* A window is read, computed on and written back in place. */
static const char window[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                             "  %start = Const {value = i64[1] [1]}\n"
                             "  %stop = Const {value = i64[1] [3]}\n"
                             "  %step = Const {value = i64[1] [1]}\n"
                             "  %data = Exp(%x)\n"
                             "  %rows = Slice(%data, %start, %stop, %step)\n"
                             "  %new = Abs(%rows)\n"
                             "  %set = SliceScatter(%data, %new, %start, %stop, %step)\n"
                             "  %end = Sqrt(%set)\n"
                             "  %out = Result(%end)\n";

/* An input is written over, so it is copied first. */
static const char kept[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                           "  %start = Const {value = i64[1] [1]}\n"
                           "  %stop = Const {value = i64[1] [3]}\n"
                           "  %step = Const {value = i64[1] [1]}\n"
                           "  %rows = Slice(%x, %start, %stop, %step)\n"
                           "  %new = Abs(%rows)\n"
                           "  %set = SliceScatter(%x, %new, %start, %stop, %step)\n"
                           "  %out = Result(%set)\n";

/* Rows are moved within their buffer, to where only the run knows. */
static const char moving[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                             "  %to = Parameter {element_type = i64, shape = [1]}\n"
                             "  %start = Const {value = i64[1] [1]}\n"
                             "  %stop = Const {value = i64[1] [3]}\n"
                             "  %step = Const {value = i64[1] [1]}\n"
                             "  %end = Add(%to, %stop)\n"
                             "  %data = Exp(%x)\n"
                             "  %rows = Slice(%data, %start, %stop, %step)\n"
                             "  %set = SliceScatter(%data, %rows, %to, %end, %step)\n"
                             "  %out = Result(%set)\n";

/* A row that the run finds is read, and then others are written over what it is a row of. */
static const char picked[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                             "  %at = Parameter {element_type = i64, shape = [1]}\n"
                             "  %axis = Const {value = i64[] 0}\n"
                             "  %start = Const {value = i64[1] [1]}\n"
                             "  %stop = Const {value = i64[1] [3]}\n"
                             "  %step = Const {value = i64[1] [1]}\n"
                             "  %data = Exp(%x)\n"
                             "  %row = Gather(%data, %at, %axis)\n"
                             "  %late = SoftMax(%x) {axis = 1}\n"
                             "  %read = MatMul(%row, %late) {transpose_b = true}\n"
                             "  %rows = Slice(%x, %start, %stop, %step)\n"
                             "  %set = SliceScatter(%data, %rows, %start, %stop, %step)\n"
                             "  %end = MatMul(%read, %set)\n"
                             "  %out = Result(%end)\n";

/* What such a row is a row of is read again. */
static const char picked_first[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                                   "  %at = Parameter {element_type = i64, shape = [1]}\n"
                                   "  %axis = Const {value = i64[] 0}\n"
                                   "  %data = Exp(%x)\n"
                                   "  %row = Gather(%data, %at, %axis)\n"
                                   "  %y = Abs(%row)\n"
                                   "  %end = MatMul(%y, %data) {transpose_b = true}\n"
                                   "  %out = Result(%end)\n";

/* Rows are written in place, and were computed elsewhere. */
static const char late[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                           "  %p = Parameter {element_type = f32, shape = [4,6]}\n"
                           "  %start = Const {value = i64[1] [1]}\n"
                           "  %stop = Const {value = i64[1] [3]}\n"
                           "  %step = Const {value = i64[1] [1]}\n"
                           "  %data = Exp(%x)\n"
                           "  %rows = Slice(%p, %start, %stop, %step)\n"
                           "  %late = SliceScatter(%data, %rows, %start, %stop, %step)\n"
                           "  %end = Sqrt(%late)\n"
                           "  %out = Result(%end)\n";

/* A value becomes the state of a variable, and nothing else looks at it after the run. */
static const char variable[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                               "  %old = ReadValue {variable_id = \"v\", variable_type = f32, "
                               "variable_shape = [4,6]}\n"
                               "  %new = Add(%old, %x)\n"
                               "  %save = Assign(%new) {variable_id = \"v\"}\n"
                               "  %y = SoftMax(%new) {axis = 1}\n"
                               "  %out = Result(%y)\n";

/* Mistakes */

static void overlap_living(exec_instance *x)
{
    unit_of(x, "s")->offset = unit_of(x, "a")->offset;
}

static void overlap_by_a_byte(exec_instance *x)
{
    exec_allocation *a = unit_of(x, "a"), *s = unit_of(x, "s");

    s->offset = a->offset + a->bytes - 1;
    x->arena.bytes += 4096;
}

static void merge_living(exec_instance *x)
{
    unit_of(x, "s")->same = (size_t)(unit_of(x, "a") - x->allocations);
}

static void small_arena(exec_instance *x)
{
    x->arena.bytes -= 64;
}

static void result_in_arena(exec_instance *x)
{
    exec_allocation *u = unit_of(x, "m");

    u->root = EXEC_ARENA;
    u->offset = x->arena.bytes;
    x->arena.bytes += u->bytes;
}

static void state_in_arena(exec_instance *x)
{
    exec_allocation *u = unit_of(x, "new");

    u->root = EXEC_ARENA;
    u->offset = x->arena.bytes;
    x->arena.bytes += u->bytes;
}

static void state_that_is_not_copied(exec_instance *x)
{
    unit_of(x, "new")->state.grows = 24;
}

static void small_result(exec_instance *x)
{
    unit_of(x, "m")->bytes -= 4;
}

static void forgotten_step(exec_instance *x)
{
    step_of(x, "s")->kind = EXEC_NOTHING;
}

static void swapped_steps(exec_instance *x)
{
    exec_step *b = step_of(x, "b"), *s = step_of(x, "s"), was = *b;

    *b = *s;
    *s = was;
}

/* No number would be another one. */
static void swapped_constants(exec_instance *x)
{
    exec_step *k = step_of(x, "k"), *one = step_of(x, "one"), was = *k;

    *k = *one;
    *one = was;
}

static void other_operand(exec_instance *x)
{
    exec_step *c = step_of(x, "c");
    size_t *in = (size_t *)c->in;

    in[1] = in[0];
}

static void over_a_matmul(exec_instance *x)
{
    /* d is an operand of MatMul, which must not be written over it */
    unit_of(x, "d")->root = EXEC_HEAP;
    unit_of(x, "m")->same = (size_t)(unit_of(x, "d") - x->allocations);
}

/* The updates stand elsewhere: they were not computed in their window. */
static void updates_beside_window(exec_instance *x)
{
    reshow(x, "new", 24, NULL);
    assert_true(step_of(x, "set")->kind == EXEC_NOTHING);
}

static exec_copy *window_copy(exec_instance *x)
{
    exec_step *s = step_of(x, "late");

    assert_true(s->kind == EXEC_MOVES && s->n_copies == 1);
    return &x->copies[s->copy];
}

static void window_copied_too_far(exec_instance *x)
{
    move_part(x, window_copy(x)->to, 24);
}

static void window_copied_from_elsewhere(exec_instance *x)
{
    move_part(x, window_copy(x)->from, 4);
}

static void window_not_copied(exec_instance *x)
{
    window_copy(x);
    step_of(x, "late")->kind = EXEC_NOTHING;
    step_of(x, "late")->n_copies = 0;
}

static void row_of_what_is_gone(exec_instance *x)
{
    assert_true(step_of(x, "row")->kind == EXEC_POINT);
    unit_of(x, "late")->offset = unit_of(x, "data")->offset;
}

static void row_under_its_reader(exec_instance *x)
{
    unit_of(x, "read")->offset = unit_of(x, "data")->offset;
}

/* What the run finds the row by, which becomes the step's own. */
static exec_row *row_of(exec_instance *x)
{
    exec_step *s = step_of(x, "row");
    exec_row *r = inlay_arena_alloc(x->memory, sizeof *r);

    assert_non_null(r);
    *r = *s->row;
    s->row = r;
    return r;
}

static void row_along_another_axis(exec_instance *x)
{
    row_of(x)->axis = 1;
}

static void row_by_another_operand(exec_instance *x)
{
    row_of(x)->index = 2;
}

static void row_by_other_steps(exec_instance *x)
{
    row_of(x)->step *= 2;
}

static void row_with_gaps(exec_instance *x)
{
    static const int64_t strides[] = {6, 2};

    reshow(x, "row", 0, strides);
}

static void row_that_does_not_point(exec_instance *x)
{
    unit_of(x, "row")->points = false;
}

static void row_written_over(exec_instance *x)
{
    assert_true(step_of(x, "row")->kind == EXEC_POINT);
    unit_of(x, "y")->same = (size_t)(unit_of(x, "row") - x->allocations);
}

static bool no_rest(inlay_call *c, const void *frame)
{
    (void)c;
    (void)frame;
    return true;
}

static void rest_of_none(exec_instance *x)
{
    step_of(x, "m")->kernel.rest = no_rest;
    step_of(x, "m")->kernel.frame = x;
}

static exec_block *block_of(exec_instance *x, const char *name)
{
    exec_step *s = step_of(x, name);

    assert_true(s->kind == EXEC_BLOCKS && s->n_blocks > 0);
    return &x->blocks[s->block];
}

static void block_too_far(exec_instance *x)
{
    block_of(x, "d")->k.to += 4;
}

static void block_reads_too_far(exec_instance *x)
{
    block_of(x, "d")->k.x += 8;
}

static void block_reads_other_unit(exec_instance *x)
{
    exec_block *b = block_of(x, "d");

    b->allocation[1] = x->allocation[value_of(x, "a")];
    b->k.x = x->allocations[b->allocation[1]].fake;
}

static void block_too_short(exec_instance *x)
{
    block_of(x, "d")->k.length--;
}

static void no_blocks(exec_instance *x)
{
    step_of(x, "d")->n_blocks = 0;
}

static void view_too_far(exec_instance *x)
{
    reshow(x, "rows", 6 * 4, NULL);
}

static void view_of_other_strides(exec_instance *x)
{
    static const int64_t strides[] = {12, 1};

    reshow(x, "rows", 0, strides);
}

static void window_too_early(exec_instance *x)
{
    reshow(x, "new", -6 * 4, NULL);
}

static void window_outside(exec_instance *x)
{
    reshow(x, "new", 4096, NULL);
}

static void write_before_read(exec_instance *x)
{
    exec_step *set = step_of(x, "set"), *now = step_of(x, "new"), was = *now;

    *now = *set;
    *set = was;
}

static void no_copy_of_input(exec_instance *x)
{
    assert_true(x->n_entries == 1);
    x->n_entries = 0;
}

static void copy_of_input_in_a_constant(exec_instance *x)
{
    unit_of(x, "set")->root = EXEC_CONST;
}

/* Only the run knows that the reshape fits; y is computed in its part of c, and copied from there.
 */
static const char reshaped[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                               "  %all = Const {value = i64[1] [-1]}\n"
                               "  %zero = Const {value = i64[] 0}\n"
                               "  %flat = Reshape(%x, %all) {special_zero = false}\n"
                               "  %most = ReduceMax(%flat, %zero) {keep_dims = true}\n"
                               "  %shape = Convert(%most) {destination_type = i64}\n"
                               "  %y = Exp(%flat)\n"
                               "  %q = Reshape(%y, %shape) {special_zero = false}\n"
                               "  %c = Concat(%q, %y) {axis = 0}\n"
                               "  %sum = ReduceSum(%c, %zero) {keep_dims = true}\n"
                               "  %late = Add(%y, %sum)\n"
                               "  %out = Result(%c)\n"
                               "  %out_2 = Result(%late)\n";

static void beside_the_part_of_its_reshape(exec_instance *x)
{
    assert_true(unit_of(x, "y") == unit_of(x, "c"));
    reshow(x, "y", 4, NULL);
}

static const mistake mistakes[] = {
    {"a unit on another that still lives", chain, OUTERMOST, overlap_living},
    {"a unit that begins a byte too early", chain, OUTERMOST, overlap_by_a_byte},
    {"two living units made one", chain, OUTERMOST, merge_living},
    {"an arena that is too small", chain, OUTERMOST, small_arena},
    {"a result in the arena", chain, OUTERMOST, result_in_arena},
    {"a state in the arena", variable, OUTERMOST, state_in_arena},
    {"a state that does not begin with the one before", variable, OUTERMOST,
     state_that_is_not_copied},
    {"a result that is too small", chain, OUTERMOST, small_result},
    {"a step that is left out", chain, OUTERMOST, forgotten_step},
    {"two steps in the wrong order", chain, OUTERMOST, swapped_steps},
    {"two constants in the wrong order", chain, OUTERMOST, swapped_constants},
    {"the wrong operand", chain, OUTERMOST, other_operand},
    {"a product written over its operand", chain, OUTERMOST, over_a_matmul},
    {"a rest of a kernel that has none", chain, OUTERMOST, rest_of_none},
    {"early updates beside their window", window, OUTERMOST, updates_beside_window},
    {"a window that is copied too far", late, OUTERMOST, window_copied_too_far},
    {"a window that is copied from elsewhere", late, OUTERMOST, window_copied_from_elsewhere},
    {"a window that is not copied", late, OUTERMOST, window_not_copied},
    {"a block that writes behind the output", chain, OUTERMOST, block_too_far},
    {"a block that reads behind the operand", chain, OUTERMOST, block_reads_too_far},
    {"a block that reads another value", chain, OUTERMOST, block_reads_other_unit},
    {"a block that stops early", chain, OUTERMOST, block_too_short},
    {"blocks that are missing", chain, OUTERMOST, no_blocks},
    {"a row that is read when its value is gone", picked, OUTERMOST, row_of_what_is_gone},
    {"a row whose value lies under what is made of it", picked, OUTERMOST, row_under_its_reader},
    {"a row along another axis", picked, OUTERMOST, row_along_another_axis},
    {"a row by another operand", picked, OUTERMOST, row_by_another_operand},
    {"a row by other steps", picked, OUTERMOST, row_by_other_steps},
    {"a row with gaps", picked, OUTERMOST, row_with_gaps},
    {"a row that stands nowhere", picked, OUTERMOST, row_that_does_not_point},
    {"a value over a row of what is read later", picked_first, OUTERMOST, row_written_over},
    {"a value beside the part of its reshape", reshaped, OUTERMOST, beside_the_part_of_its_reshape},
    {"a view of the wrong rows", window, OUTERMOST, view_too_far},
    {"a view of the wrong strides", window, OUTERMOST, view_of_other_strides},
    {"rows that are moved by different distances", moving, OUTERMOST, view_of_other_strides},
    {"an early store in the wrong rows", window, OUTERMOST, window_too_early},
    {"an early store outside of its root", window, OUTERMOST, window_outside},
    {"an early store behind its scatter", window, OUTERMOST, write_before_read},
    {"an input that is written without a copy", kept, OUTERMOST, no_copy_of_input},
    {"a constant that is written", kept, OUTERMOST, copy_of_input_in_a_constant},
};

static void test_mistakes(void **state)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        check_mistake(&mistakes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
