/* Each public function is handed what it cannot use: nothing, numbers out of range, types and
 * shapes that cannot be, graphs that are not finished. It says so, or does nothing; it never reads
 * beyond. test_arguments.sh holds the list of functions against this file and those beside it. */
#include "ir/shared.h"
#include "misused.h"
#include "models.h"
#include "passes/passes.h"
#include "tests/unit/graphs.h"
#include "unit.h"

static void test_diags(void **state)
{
    inlay_diags *d = inlay_diags_new();

    inlay_diags_clear(NULL);
    inlay_diags_free(NULL);
    inlay_budget_free(NULL);
    inlay_budget_free(inlay_budget_new(0, NULL));
    assert_int_equal(inlay_budget_limit(NULL) + inlay_budget_used(NULL) + inlay_budget_peak(NULL),
                     0);
    assert_int_equal(inlay_diags_count(NULL), 0);
    REFUSED_QUIETLY(inlay_diags_at(NULL, 0));
    REFUSED_QUIETLY(inlay_diags_at(d, 0));
    REFUSED_QUIETLY(inlay_diags_error(NULL));
    assert_int_equal(inlay_diags_status(NULL), INLAY_OK);
    REFUSED_QUIETLY(inlay_fail(NULL, NULL, "x"));
    REFUSED_QUIETLY(inlay_fail_resource(NULL, NULL, "x"));
    REFUSED_QUIETLY(inlay_fail_memory(NULL));
    inlay_warn(NULL, NULL, "x");
    inlay_warn_node(d, NULL, "x");
    inlay_note_node(d, NULL, "x");
    REFUSED_QUIETLY(inlay_fail_node(d, NULL, "x"));
    REFUSED_QUIETLY(inlay_fail_resource_node(d, NULL, "x"));
    assert_string_equal(model_messages(d), "warning: x\nnote: x\nerror: x\nerror: x");
    REFUSED_QUIETLY(inlay_diags_at(d, 4));
    inlay_diags_free(d);
}

static void test_arena(void **state)
{
    inlay_arena *a = inlay_arena_new();

    inlay_arena_free(NULL);
    inlay_arena_clear(NULL);
    assert_int_equal(inlay_arena_bytes(NULL), 0);
    REFUSED_QUIETLY(inlay_arena_alloc(NULL, 8));
    REFUSED_QUIETLY(inlay_arena_alloc(a, SIZE_MAX));
    REFUSED_QUIETLY(inlay_arena_array(NULL, 1, 1));
    REFUSED_QUIETLY(inlay_arena_array(a, SIZE_MAX / 2, 4));
    REFUSED_QUIETLY(inlay_arena_strdup(a, NULL));
    REFUSED_QUIETLY(inlay_arena_strdup(NULL, "x"));
    REFUSED_QUIETLY(inlay_arena_strndup(a, NULL, 3));
    REFUSED_QUIETLY(inlay_arena_strndup(a, "x", SIZE_MAX));
    REFUSED_QUIETLY(inlay_arena_printf(NULL, "x"));
    inlay_arena_free(a);
}

static void test_types_and_dims(void **state)
{
    const inlay_dim turned = {5, 2, 0}, below = {INT64_MIN, INT64_MAX, 0}, top = {INT64_MAX, 1, 3};
    const inlay_dim list[] = {turned, below, top, {0, 0, 0}, {-1, -1, 0}};
    inlay_shape wide = {.rank = 77};
    const char *why = NULL;
    inlay_type type;
    inlay_dim dim;
    char buf[64];

    assert_ptr_equal(inlay_type_info_of((inlay_type)9999), inlay_type_info_of(INLAY_DYNAMIC));
    assert_ptr_equal(inlay_type_info_of((inlay_type)-1), inlay_type_info_of(INLAY_DYNAMIC));
    REFUSED_QUIETLY(inlay_type_by_name(NULL, &type));
    REFUSED_QUIETLY(inlay_type_by_xml(NULL, &type));
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
            inlay_dim_proven_equal(list[i], list[k]);
            inlay_dim_compatible(list[i], list[k]);
            inlay_dim_merge(list[i], list[k], &dim);
            inlay_dim_union(list[i], list[k]);
            inlay_dim_add(list[i], list[k]);
            inlay_dim_sub(list[i], list[k]);
            inlay_dim_mul(list[i], list[k]);
            inlay_dim_min(list[i], list[k]);
            inlay_dim_max(list[i], list[k]);
        }
        for (int by = -1; by < 2; by++) {
            inlay_dim_div_floor(list[i], by);
            inlay_dim_div_ceil(list[i], by);
        }
        inlay_dim_div_floor(list[i], INT64_MIN);
        inlay_dim_div_ceil(list[i], INT64_MIN);
        inlay_dim_text(list[i], buf, sizeof buf);
        inlay_dim_text(list[i], buf, 0);
    }
    REFUSED_QUIETLY(inlay_shape_is_static(&wide));
    inlay_shape_of_rank(&wide, 77);
    assert_int_equal(wide.rank, -1);
    inlay_shape_of_rank(&wide, -7);
    assert_int_equal(wide.rank, -1);
    assert_string_equal(inlay_shape_text(1, list, buf, 3), "[5");
    assert_string_equal(inlay_shape_text(-7, NULL, buf, sizeof buf), "...");
    REFUSED_QUIETLY(inlay_shape_parse(NULL, &wide, &why));
    assert_string_equal(why, "there is no text");
    REFUSED_QUIETLY(inlay_dim_parse("", 0, &dim, &why));
}

static void test_slices(void **state)
{
    const int64_t one[] = {1}, zero[] = {0};
    inlay_slice slice = {.n = 1, .start = one, .stop = one, .step = zero, .step_name = "step"};
    inlay_strided_entry entry[1];
    inlay_window w[1];
    char why[100];
    int axis[1];

    assert_int_equal(inlay_window_normalise(0, 5, 0, 5).count, 0);
    assert_int_equal(inlay_window_normalise(0, 5, 1, -5).count, 0);
    assert_int_equal(inlay_window_normalise(INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX).count, 0);
    assert_int_equal(inlay_window_length(0, 5, 0, inlay_dim_any()).hi, 0);
    REFUSED_QUIETLY(inlay_slice_axes(&slice, 1, axis, why, sizeof why));
    assert_string_equal(why, "step[0] is 0, it must not be zero");
    REFUSED_QUIETLY(inlay_slice_axes(&slice, 77, axis, why, sizeof why));
    assert_string_equal(why, "1 entry to slice of 77 dimensions");
    slice.n = -1;
    REFUSED_QUIETLY(inlay_slice_windows(&slice, 1, one, w, why, sizeof why));
    assert_string_equal(why, "-1 entries to slice of 1 dimension");
    REFUSED_QUIETLY(inlay_strided_entries(NULL, 1, 1, entry, why, sizeof why));
    assert_string_equal(why, "no node is given");
}

static void test_buffers(void **state)
{
    inlay_buffer *b = inlay_buffer_new(8);

    REFUSED_QUIETLY(inlay_buffer_new(SIZE_MAX));
    inlay_buffer_release(inlay_buffer_wrap(NULL, 0, NULL, NULL));
    REFUSED_QUIETLY(inlay_buffer_retain(NULL));
    inlay_buffer_release(NULL);
    assert_int_equal(inlay_buffer_access(NULL), INLAY_ACCESS_NONE);
    inlay_buffer_set_access(NULL, INLAY_ACCESS_OWN);
    REFUSED_QUIETLY(inlay_buffer_data(NULL));
    assert_int_equal(inlay_buffer_size(NULL), 0);
    REFUSED_QUIETLY(inlay_buffer_keep(NULL, b));
    assert_true(inlay_buffer_keep(b, NULL));
    inlay_buffer_release(b);
}

static void test_tensors_without_a_form(void **state)
{
    const int64_t many[INLAY_MAX_RANK + 1] = {0}, negative[] = {-1}, two[] = {2};
    inlay_tensor *t;
    size_t bytes;

    REFUSED_QUIETLY(inlay_count_elements(-1, two, NULL));
    REFUSED_QUIETLY(inlay_count_elements(1, NULL, NULL));
    REFUSED_QUIETLY(inlay_count_elements(1, negative, NULL));
    REFUSED_QUIETLY(inlay_count_bytes(INLAY_F32, 1, NULL, &bytes));
    REFUSED_QUIETLY(inlay_tensor_new(INLAY_F32, INLAY_MAX_RANK + 1, many));
    REFUSED_QUIETLY(inlay_tensor_new(INLAY_F32, -1, two));
    REFUSED_QUIETLY(inlay_tensor_new(INLAY_F32, 1, NULL));
    REFUSED_QUIETLY(inlay_tensor_new((inlay_type)9999, 1, two));
    REFUSED_QUIETLY(inlay_tensor_retain(NULL));
    inlay_tensor_release(NULL);
    REFUSED_QUIETLY(inlay_tensor_is_sole(NULL));
    assert_int_equal(inlay_tensor_count(NULL), 0);
    assert_int_equal(inlay_tensor_bytes(NULL), 0);
    REFUSED_QUIETLY(inlay_tensor_is_dense(NULL));
    REFUSED_QUIETLY(inlay_tensor_copy(NULL));
    REFUSED_QUIETLY(inlay_tensor_set_string(NULL, 0, "x", 1));
    t = inlay_tensor_new(INLAY_STRING, 1, two);
    REFUSED_QUIETLY(inlay_tensor_set_string(t, 2, "x", 1));
    REFUSED_QUIETLY(inlay_tensor_set_string(t, -1, "x", 1));
    REFUSED_QUIETLY(inlay_tensor_set_string(t, 0, NULL, 1));
    REFUSED_QUIETLY(inlay_tensor_set_item(t, 0, t));
    REFUSED_QUIETLY(inlay_tensor_get_item(t, 0));
    inlay_tensor_release(t);
    REFUSED_QUIETLY(inlay_tensor_set_item(NULL, 0, NULL));
    REFUSED_QUIETLY(inlay_tensor_get_item(NULL, 0));
    t = inlay_tensor_new(INLAY_ITEM, 1, two);
    REFUSED_QUIETLY(inlay_tensor_set_item(t, 2, NULL));
    REFUSED_QUIETLY(inlay_tensor_set_item(t, -1, NULL));
    REFUSED_QUIETLY(inlay_tensor_get_item(t, 2));
    REFUSED_QUIETLY(inlay_tensor_get_item(t, -1));
    inlay_tensor_release(t);
}

/* Tries every window of a tensor of six elements: a window is accepted when all its elements are
 * among them. */
static void check_windows(inlay_type type, const char *text)
{
    inlay_tensor *t = tensor_of(text);
    int taken = 0;

    assert_int_equal(t->type, type);
    for (int64_t n = 0; n < 8; n++) {
        for (int64_t step = -3; step < 4; step++) {
            for (int64_t at = -3; at < 9; at++) {
                int64_t last = at + (n - 1) * step;
                bool inside = n == 0 || (at >= 0 && at < 6 && last >= 0 && last < 6);
                inlay_tensor *w = inlay_tensor_window(t, 1, &n, &step, at);

                if (inside != (w != NULL))
                    fail_msg("%s: %lld elements from %lld by %lld", text, (long long)n,
                             (long long)at, (long long)step);
                taken += w != NULL;
                inlay_tensor_release(w);
            }
        }
    }
    assert_true(taken > 84);
    inlay_tensor_release(t);
}

static void test_windows_on_tensors(void **state)
{
    inlay_tensor *t = tensor_of("f32[2,3] 1 2 3 4 5 6"), *w;
    const int64_t two[] = {2, 2}, huge[] = {INT64_MAX / 2, 1}, one[] = {1, 1};

    check_windows(INLAY_F32, "f32[6] 1 2 3 4 5 6");
    check_windows(INLAY_F64, "f64[2,3] 1 2 3 4 5 6");
    REFUSED_QUIETLY(inlay_tensor_window(NULL, 0, NULL, NULL, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, 1, two, NULL, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, 1, NULL, one, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, INLAY_MAX_RANK + 1, two, one, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, 2, two, huge, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, 2, huge, huge, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, 0, NULL, NULL, INT64_MAX));
    REFUSED_QUIETLY(inlay_tensor_window(t, 0, NULL, NULL, INT64_MIN));
    w = inlay_tensor_window(t, 0, NULL, NULL, 5);
    REFUSED_QUIETLY(inlay_tensor_window(w, 0, NULL, NULL, 1));
    inlay_tensor_release(inlay_tensor_window(w, 2, two, (int64_t[]){-3, -1}, 0));
    inlay_tensor_release(w);
    inlay_tensor_release(t);
}

/* Elements may be smaller than a byte: a buffer of one byte holds two of these. */
static void test_windows_on_packed_tensors(void **state)
{
    const int64_t one[] = {1}, two[] = {2}, three[] = {3}, back[] = {-1};
    inlay_tensor *t = tensor_of("u4[2] 1 2"), *w;

    REFUSED_QUIETLY(inlay_tensor_window(t, 1, two, one, 1));
    REFUSED_QUIETLY(inlay_tensor_window(t, 1, three, one, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, 1, two, back, 0));
    w = inlay_tensor_window(t, 1, two, back, 1);
    assert_non_null(w);
    assert_int_equal(inlay_tensor_get_i64(w, 1), 1);
    inlay_tensor_release(w);
    inlay_tensor_release(t);
}

static void test_tensors_over_buffers(void **state)
{
    inlay_buffer *b = inlay_buffer_new(8);
    unsigned char *data = inlay_buffer_data(b);
    const int64_t two[] = {2}, three[] = {3}, none[] = {0};
    inlay_tensor *t = inlay_tensor_over(b, data, INLAY_F32, 1, two);

    assert_non_null(t);
    inlay_tensor_release(t);
    t = inlay_tensor_over(b, data + 8, INLAY_F32, 1, none);
    assert_non_null(t);
    inlay_tensor_release(t);
    REFUSED_QUIETLY(inlay_tensor_over(b, data, INLAY_F32, 1, three));
    REFUSED_QUIETLY(inlay_tensor_over(b, data + 4, INLAY_F32, 1, two));
    REFUSED_QUIETLY(inlay_tensor_over(b, data - 1, INLAY_U8, 1, two));
    REFUSED_QUIETLY(inlay_tensor_over(b, NULL, INLAY_U8, 1, two));
    REFUSED_QUIETLY(inlay_tensor_over(b, data, (inlay_type)9999, 1, two));
    inlay_buffer_release(b);
}

static void test_pairs_of_tensors(void **state)
{
    inlay_tensor *t = tensor_of("f32[2] 1 2"), *other = tensor_of("i32[2] 1 2");
    char why[100];

    REFUSED_QUIETLY(inlay_tensor_assign(t, other));
    REFUSED_QUIETLY(inlay_tensor_assign(NULL, t));
    REFUSED_QUIETLY(inlay_tensor_assign(t, NULL));
    REFUSED_QUIETLY(inlay_tensor_same_place(t, NULL));
    REFUSED_QUIETLY(inlay_tensor_same_place(NULL, NULL));
    REFUSED_QUIETLY(inlay_tensor_equal(t, NULL));
    REFUSED_QUIETLY(inlay_tensor_equal(NULL, t));
    REFUSED_QUIETLY(inlay_tensor_set_string(t, 0, "x", 1));
    REFUSED_QUIETLY(inlay_compare_tensors(t, NULL, NULL, why, sizeof why));
    assert_string_equal(why, "a tensor is missing");
    assert_true(inlay_compare_tensors(t, t, NULL, NULL, 0));
    inlay_tensor_release(t);
    inlay_tensor_release(other);
}

static void test_operations(void **state)
{
    misused s = misused_of(SOUND);
    const inlay_op *rows[1];
    char buf[40];

    REFUSED_QUIETLY(inlay_op_at(NULL, inlay_op_count(NULL)));
    REFUSED(inlay_op_find(NULL, NULL, NULL, NULL, s.d), "error: no type of an operation is given");
    REFUSED(inlay_op_find(NULL, "Add", "opset0", NULL, s.d),
            "error: operation Add is of unknown version \"opset0\"");
    REFUSED(inlay_op_stand_in(NULL, "a", "b", s.d), "error: no arena is given");
    REFUSED(inlay_op_stand_in(s.g->arena, NULL, "b", s.d),
            "error: no type of an operation is given");
    REFUSED(inlay_op_stand_in(s.g->arena, "a", NULL, s.d),
            "error: no version of an operation is given");
    REFUSED_QUIETLY(inlay_op_of_spec(NULL, NULL, 1));
    REFUSED_QUIETLY(inlay_op_of_spec(NULL, "Add", -1));
    assert_int_equal(inlay_op_of_type(NULL, NULL, rows, 1), 0);
    assert_true(inlay_op_of_type(NULL, "Slice", rows, 1) > 1);
    assert_string_equal(inlay_op_text(NULL, buf, sizeof buf), "no operation");
    assert_int_equal(inlay_op_attr(NULL, "axis"), -1);
    assert_int_equal(inlay_op_attr(s.b->op, NULL), -1);
    assert_int_equal(inlay_op_operand(NULL, INLAY_ROLE_DATA), -1);
    assert_int_equal(inlay_op_operand(s.b->op, INLAY_N_ROLES), -1);
    assert_int_equal(inlay_op_operand(s.b->op, (inlay_role)-1), -1);
    assert_int_equal(inlay_op_role_attr(NULL, INLAY_ROLE_AXIS), -1);
    assert_int_equal(inlay_op_role_attr(s.b->op, INLAY_N_ROLES), -1);
    misused_free(&s);
}

static bool infer_nothing(inlay_infer *cx)
{
    return inlay_infer_fail(cx, "nothing is known");
}

static void test_sets_of_operations(void **state)
{
    inlay_op_def def = {.type = "Mine", .opsets = "mine", .inputs = "T:num x", .outputs = "T"};
    misused s = misused_of(SOUND);
    const inlay_op_set *ops;

    REFUSED(inlay_op_set_new(NULL, NULL, 1, s.d), "error: no list of operations is given");
    REFUSED(inlay_op_set_new(NULL, &def, 1000000, s.d),
            "error: more than 10000 operations are added");
    REFUSED(inlay_op_set_new(NULL, &def, 1, s.d), "error: operation Mine-0: it has no shape rule");
    def.infer = infer_nothing;
    def.inputs = NULL;
    ops = inlay_op_set_new(NULL, &def, 1, s.d);
    assert_non_null(ops);
    assert_ptr_equal(inlay_op_set_retain(ops), ops);
    inlay_op_set_release(ops);
    inlay_op_set_release(ops);
    assert_null(inlay_op_set_retain(NULL));
    inlay_op_set_release(NULL);
    def.outputs = def.opsets = NULL;
    REFUSED(inlay_op_set_new(NULL, &def, 1, s.d),
            "error: operation Mine-0: opsets: no set is named");
    def.type = NULL;
    REFUSED(inlay_op_set_new(NULL, &def, 1, s.d), "error: operation -0: the operation has no name");
    misused_free(&s);
}

static void test_facts(void **state)
{
    const inlay_fact known = {.type = INLAY_F32, .rank = 0}, wide = {.rank = 77};
    int64_t dims[INLAY_MAX_RANK];
    size_t bytes;

    REFUSED_QUIETLY(inlay_fact_dims(NULL, dims));
    REFUSED_QUIETLY(inlay_fact_dims(&wide, dims));
    REFUSED_QUIETLY(inlay_fact_bytes(NULL, &bytes));
    REFUSED_QUIETLY(inlay_fact_is_empty(NULL));
    REFUSED_QUIETLY(inlay_fact_same_shape(NULL, &known));
    REFUSED_QUIETLY(inlay_fact_same_shape(&known, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diags),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_types_and_dims),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_tensors_without_a_form),
        cmocka_unit_test(test_windows_on_tensors),
        cmocka_unit_test(test_windows_on_packed_tensors),
        cmocka_unit_test(test_tensors_over_buffers),
        cmocka_unit_test(test_pairs_of_tensors),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_sets_of_operations),
        cmocka_unit_test(test_facts),
    };

    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
