/* The audit of instances (interp/audit) accepts what the planner made, and refuses it once a
 * mistake is planted: in an offset, in a live range, in the geometry of a view or a window, in the
 * order of the steps, in a block, in what leaves the run. */
#include "audited.h"
#include "interp/audit/audit.h"
#include "models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Values live side by side: a and b until c is made, which leaves the run; d is made after them. */
static const char chain[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                            "  %k = Const {value = f32[6] [1, 2, 3, 4, 5, 6]}\n"
                            "  %one = Const {value = f32[] 1}\n"
                            "  %a = Exp(%x)\n"
                            "  %b = Add(%a, %k)\n"
                            "  %s = SoftMax(%b) {axis = 1}\n"
                            "  %c = Multiply(%s, %a)\n"
                            "  %d = Add(%c, %one)\n"
                            "  %m = MatMul(%d, %a) {transpose_b = true}\n"
                            "  %out = Result(%m)\n";

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

/* Such a row is written over in part, and then another one comes in its place. */
static const char replaced[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                               "  %at = Parameter {element_type = i64, shape = [1]}\n"
                               "  %to = Parameter {element_type = i64, shape = [1]}\n"
                               "  %axis = Const {value = i64[] 0}\n"
                               "  %first = Const {value = i64[1] [0]}\n"
                               "  %one = Const {value = i64[1] [1]}\n"
                               "  %two = Const {value = i64[1] [2]}\n"
                               "  %k = Const {value = f32[1,1] [1]}\n"
                               "  %data = Exp(%x)\n"
                               "  %far = Gather(%data, %to, %axis)\n"
                               "  %row = Gather(%data, %at, %axis)\n"
                               "  %cut = Slice(%row, %first, %two, %one, %one)\n"
                               "  %part = SliceScatter(%cut, %k, %first, %one, %one, %one)\n"
                               "  %sum = Concat(%part, %part, %part) {axis = 1}\n"
                               "  %new = SliceScatter(%sum, %k, %first, %one, %one, %one)\n"
                               "  %set = ScatterUpdate(%data, %at, %new, %axis)\n"
                               "  %end = MatMul(%far, %set) {transpose_b = true}\n"
                               "  %out = Result(%end)\n";

/* The same of another tensor, where nothing is replaced. */
static const char replaced_elsewhere[] =
    "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
    "  %at = Parameter {element_type = i64, shape = [1]}\n"
    "  %axis = Const {value = i64[] 0}\n"
    "  %first = Const {value = i64[1] [0]}\n"
    "  %one = Const {value = i64[1] [1]}\n"
    "  %two = Const {value = i64[1] [2]}\n"
    "  %k = Const {value = f32[1,1] [1]}\n"
    "  %data = Exp(%x)\n"
    "  %other = SoftMax(%data) {axis = 1}\n"
    "  %row = Gather(%other, %at, %axis)\n"
    "  %cut = Slice(%row, %first, %two, %one, %one)\n"
    "  %part = SliceScatter(%cut, %k, %first, %one, %one, %one)\n"
    "  %sum = Concat(%part, %part, %part) {axis = 1}\n"
    "  %new = SliceScatter(%sum, %k, %first, %one, %one, %one)\n"
    "  %set = ScatterUpdate(%data, %at, %new, %axis)\n"
    "  %end = SoftMax(%set) {axis = 1}\n"
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

/* Moves a part of a copy in the scatter BYTES farther than it belongs. */
static void move_part(exec_instance *x, size_t v, int64_t bytes)
{
    inlay_tensor *was = x->meta[v], moved = *was;

    moved.data = (char *)moved.data + bytes;
    x->meta[v] = inlay_tensor_window(&moved, was->rank, was->dims, was->strides, 0);
    inlay_tensor_release(was);
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

/* Checks that PART is written in a row that the run finds, and SET over all of DATA. */
static void check_replaced(exec_instance *x, const char *data)
{
    assert_true(step_of(x, "row")->kind == EXEC_POINT && step_of(x, "set")->in_place);
    assert_true(unit_of(x, "part") == unit_of(x, "row") && unit_of(x, "new") != unit_of(x, "row"));
    assert_true(unit_of(x, "set") == unit_of(x, data));
}

static void row_replaced_by_another_index(exec_instance *x)
{
    check_replaced(x, "data");
    unit_of(x, "row")->node = step_of(x, "far")->step->node;
}

static void row_of_what_lies_on_the_data(exec_instance *x)
{
    check_replaced(x, "data");
    unit_of(x, "other")->offset = unit_of(x, "data")->offset;
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
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        check_mistake(&mistakes[i]);
}

/* What dies at a pointwise step may become elements of another type: of the same width. */
static const char widths[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                             "  %a = SoftMax(%x) {axis = 1}\n"
                             "  %b = Convert(%a) {destination_type = i32}\n"
                             "  %c = Convert(%b) {destination_type = f64}\n"
                             "  %d = SoftMax(%c) {axis = 1}\n"
                             "  %out = Result(%d)\n";

static void test_widths(void **state)
{
    subject s = subject_of(widths, false);

    (void)state;
    assert_int_equal(unit_of(s.x, "a")->offset, unit_of(s.x, "b")->offset);
    assert_int_not_equal(unit_of(s.x, "c")->offset, unit_of(s.x, "b")->offset);
    assert_true(audit_instance(s.x, s.diags));
    unit_of(s.x, "c")->offset = unit_of(s.x, "b")->offset;
    assert_false(audit_instance(s.x, s.diags));
    if (!strstr(model_messages(s.diags), "N9 same-width"))
        fail_msg("%s", model_messages(s.diags));
    subject_free(&s);
}

/* Puts the units of every pair that lives at one time on one another. A unit that is made where the
 * other one is read for the last time may be written over it. */
static void test_every_pair(void **state)
{
    subject s = subject_of(chain, false);
    int tried = 0;

    (void)state;
    for (size_t i = 0; i < s.x->n_allocations; i++) {
        for (size_t k = 0; k < s.x->n_allocations; k++) {
            exec_allocation *a = &s.x->allocations[i], *b = &s.x->allocations[k];
            uint64_t was = b->offset;

            if (i == k || a->same != i || b->same != k || a->root != EXEC_ARENA ||
                b->root != EXEC_ARENA || a->last <= b->first || b->last <= a->first)
                continue;
            b->offset = a->offset;
            if (audit_instance(s.x, NULL))
                fail_msg("the values of \"%s\" and \"%s\" may lie on one another", a->node->name,
                         b->node->name);
            b->offset = was;
            tried++;
        }
    }
    assert_true(tried >= 2);
    subject_free(&s);
}

/* Windows of an axis with four elements, and how many they select by the text of Slice-13 in ONNX:
 * a start is moved into 0 .. 4, or 0 .. 3 where the step is backwards; a stop into 0 .. 4, or
 * -1 .. 3. */
static const struct axis_window {
    int64_t start, stop, step;
    int first, count;
} windows[] = {
    {1, 3, 1, 1, 2},
    {-3, -1, 1, 1, 2},
    {-9, 2, 1, 0, 2},
    {INT64_MIN, INT64_MAX, 2, 0, 2},
    {1, 3, INT64_MAX, 1, 1},
    {2, 9, 3, 2, 1},
    {2, 0, -1, 2, 2},
    {9, -9, -2, 3, 2},
    {INT64_MAX, INT64_MIN, -3, 3, 2},
    {-5, -6, -1, 0, 1}, /* begins before the first element: Python would select nothing */
    {INT64_MIN, INT64_MIN, -1, 0, 1},
    {2, INT64_MIN, INT64_MIN, 2, 1},
    {-4, INT64_MIN, -1, 0, 1},
};

/* Returns `late` with the window W. */
static char *late_with(const struct axis_window *w)
{
    static const char form[] = "  %%x = Parameter {element_type = f32, shape = [4,6]}\n"
                               "  %%p = Parameter {element_type = f32, shape = [4,6]}\n"
                               "  %%start = Const {value = i64[1] [%lld]}\n"
                               "  %%stop = Const {value = i64[1] [%lld]}\n"
                               "  %%step = Const {value = i64[1] [%lld]}\n"
                               "  %%data = Exp(%%x)\n"
                               "  %%rows = Slice(%%p, %%start, %%stop, %%step)\n"
                               "  %%late = SliceScatter(%%data, %%rows, %%start, %%stop, %%step)\n"
                               "  %%end = Sqrt(%%late)\n"
                               "  %%out = Result(%%end)\n";
    char *body = malloc(sizeof form + 64);

    assert_non_null(body);
    snprintf(body, sizeof form + 64, form, (long long)w->start, (long long)w->stop,
             (long long)w->step);
    return body;
}

/* Whether T, a part of the value NAME, is the rows of W. */
static bool is_rows_of(exec_instance *x, const char *name, const inlay_tensor *t,
                       const struct axis_window *w)
{
    const inlay_tensor *all = x->meta[value_of(x, name)];
    int64_t first = t->offset - all->offset + ((float *)t->data - (float *)all->data);

    return first == (int64_t)w->first * 6 && t->dims[0] == w->count && t->dims[1] == 6 &&
           t->strides[1] == 1 && (w->count == 1 || t->strides[0] == w->step * 6);
}

/* Masks say that start and stop mean something else: all of the view is what is selected. The
 * audit, which subject_of asks, does not read them as if there were none. */
static void test_masks(void **state)
{
    static const char body[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                               "  %start = Const {value = i64[2] [1, 0]}\n"
                               "  %stop = Const {value = i64[2] [1, 2]}\n"
                               "  %step = Const {value = i64[2] [1, 1]}\n"
                               "  %data = Exp(%x)\n"
                               "  %rows = StridedSlice(%data, %start, %stop, %step) "
                               "{begin_mask = [1], end_mask = [1, 0]}\n"
                               "  %new = Abs(%rows)\n"
                               "  %out = Result(%new)\n";
    subject s = subject_behind("in-place-windows", body, false);

    (void)state;
    assert_true(audit_instance(s.x, s.diags));
    subject_free(&s);
}

/* The audit knows which rows a window selects: it accepts a copy to them, and none that is a row
 * farther. Without passes the data are copied first; otherwise the window is written in place. */
static void test_windows(void **state)
{
    static const char *const passes[] = {"none", "in-place-windows"};

    (void)state;
    for (size_t i = 0; i < 2 * sizeof windows / sizeof *windows; i++) {
        const struct axis_window *w = &windows[i / 2];
        char *body = late_with(w);
        subject s = subject_behind(passes[i % 2], body, false);
        exec_step *scatter = step_of(s.x, "late");
        size_t to = s.x->copies[scatter->copy + scatter->n_copies - 1].to;

        assert_true(scatter->kind == EXEC_MOVES && scatter->n_copies == 2 - i % 2);
        assert_true(is_rows_of(s.x, "late", s.x->meta[to], w));
        move_part(s.x, to, w->first == 3 ? -24 : 24);
        assert_false(audit_instance(s.x, s.diags));
        assert_non_null(strstr(model_messages(s.diags), "a window is copied to where it does not"));
        subject_free(&s);
        free(body);
    }
}

/* A scatter of all of its data reads none of them, wherever its window begins: somebody else may
 * have written over them before. */
static void test_nothing_is_read(void **state)
{
    static const char body[] =
        "%p = Parameter-1 {element_type = f32, shape = [4,6]}\n"
        "%w = Parameter-1 {element_type = f32, shape = [4,6]}\n"
        "%axes = Const-1 {value = i64[2] [0, 1]}\n%one = Const-1 {value = i64[1] [1]}\n"
        "%least = ReduceMin-1(%w, %axes) {keep_dims = false}\n"
        "%many = Const-1 {value = i64[1] [1]}\n"
        "%listed = Reshape-1(%least, %many) {special_zero = false}\n"
        "%start = Convert-1(%listed) {destination_type = i64}\n"
        "%stop = Const-1 {value = i64[1] [4]}\n"
        "%q = Multiply-1(%p, %p) : f32[4,6] overwrites %p\n%u = Negative-1(%q)\n"
        "%z = SliceScatter-15(%p, %u, %start, %stop, %one) : f32[4,6] overwrites %p\n"
        "%r = Result-1(%z)\n";
    subject s = subject_behind("none", body, false);

    (void)state;
    subject_free(&s);
}

/* Who asks for a shape reads no element: what had it may have been written over. */
static void test_shape_of_what_is_gone(void **state)
{
    static const char body[] = "%p = Parameter-1 {element_type = f32, shape = [?,6]}\n"
                               "%axes = Const-1 {value = i64[2] [0, 1]}\n"
                               "%least = ReduceMin-1(%p, %axes) {keep_dims = true}\n"
                               "%at = Convert-1(%least) {destination_type = i64}\n"
                               "%axis = Const-1 {value = i64[] 0}\n"
                               "%row = Const-1 {value = f32[1,1,6] [1, 2, 3, 4, 5, 6]}\n"
                               "%q = Negative-1(%p)\n"
                               "%z = ScatterUpdate-3(%q, %at, %row, %axis)\n"
                               "%n = ShapeOf-3(%q)\n%r = Result-1(%z)\n%shape = Result-1(%n)\n";
    subject s = subject_behind("in-place-windows", body, false);

    (void)state;
    assert_true(unit_of(s.x, "z") == unit_of(s.x, "q"));
    assert_true(step_of(s.x, "n") > step_of(s.x, "z"));
    subject_free(&s);
}

/* What is written in a row that the run finds is gone when another row comes in its place. */
static void test_replaced_rows(void **state)
{
    static const struct {
        const char *body;
        void (*plant)(exec_instance *x);
    } wrong[] = {{replaced, row_replaced_by_another_index},
                 {replaced_elsewhere, row_of_what_lies_on_the_data}};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        subject s = subject_behind("in-place-windows", wrong[i].body, false);

        wrong[i].plant(s.x);
        assert_false(audit_instance(s.x, s.diags));
        assert_non_null(strstr(model_messages(s.diags), "an operand is gone when it is read"));
        subject_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape_of_what_is_gone),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_every_pair),
        cmocka_unit_test(test_nothing_is_read),
        cmocka_unit_test(test_replaced_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
