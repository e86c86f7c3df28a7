/* The audit of instances (interp/audit) accepts what the planner made, and refuses every overlap of
 * two living values. */
#include "audited.h"
#include "interp/audit/audit.h"
#include "models.h"

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

/* Mistakes */

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

    assert_true(audit_instance(s.x, s.diags));
    subject_free(&s);
}

/* The audit knows which rows a window selects: it accepts a copy to them, and none that is a row
 * farther. Without passes the data are copied first; otherwise the window is written in place. */
static void test_windows(void **state)
{
    static const char *const passes[] = {"none", "in-place-windows"};

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shape_of_what_is_gone),
                                       cmocka_unit_test(test_widths),
                                       cmocka_unit_test(test_windows),
                                       cmocka_unit_test(test_masks),
                                       cmocka_unit_test(test_every_pair),
                                       cmocka_unit_test(test_nothing_is_read),
                                       cmocka_unit_test(test_replaced_rows)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
