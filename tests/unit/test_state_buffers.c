/* Buffers of states: what they hold when a run fails, and who else may hold them. */
#include "graphs.h"
#include "passes/passes.h"

#define STATE                                                                                      \
    "%init = Const-1 {value = i32[4] [1, 2, 3, 4]}\n"                                              \
    "%old = ReadValue-6(%init) {variable_id = \"v\", variable_type = i32, variable_shape = [4]}\n" \
    "%b = Const-1 {value = i64[1] [1]}\n"                                                          \
    "%e = Const-1 {value = i64[1] [3]}\n"                                                          \
    "%u = Parameter-1 {element_type = i32, shape = [2]}\n"                                         \
    "%i = Parameter-1 {element_type = i64, shape = [2]}\n"                                         \
    "%zero = Const-1 {value = i64[] 0}\n"

/* A later node fails when i has an index above 1. */
#define CHECK_LATER                                                                                \
    "%save = Assign-6(%new) {variable_id = \"v\"}\n"                                               \
    "%check = GatherElements-6(%u, %i) {axis = 0}\n"                                               \
    "%order = Add-1(%check, %u)\n"                                                                 \
    "%out = Result-1(%order)\n"                                                                    \
    "order %new before %check\n"

/* BODY makes the new state out of the old one, in so many WRITES in place. UPDATES bytes of updates
 * are copied, and KEPT bytes of the state are saved before they are written over. */
static void check_undone(const char *body, const char *after, int writes, int updates, int kept)
{
    char text[4096];
    runner r;

    snprintf(text, sizeof text, "%s%s%s", STATE, body, CHECK_LATER);
    r = planned_of(text);
    check_run(&r, OPERANDS("i32[2] 8 9", "i64[2] 0 1"), OPERANDS("i32[2] 16 18"));
    check_tensor(inlay_session_variable(r.session, 0), after);
    assert_int_equal(stats_of(&r).copied_bytes, 16 + 8 + updates); /* the first value; check */
    check_run_fails(&r, OPERANDS("i32[2] 5 6", "i64[2] 0 2"), INLAY_INVALID,
                    "\"check\" (GatherElements-6)");
    assert_int_equal(stats_of(&r).in_place_writes, writes);
    check_tensor(inlay_session_variable(r.session, 0), after);
    check_run(&r, OPERANDS("i32[2] 0 0", "i64[2] 0 1"), OPERANDS("i32[2] 0 0"));
    assert_int_equal(stats_of(&r).copied_bytes, 8 + updates + kept);
    inlay_session_reset(r.session); /* the constant is what it was */
    check_run(&r, OPERANDS("i32[2] 8 9", "i64[2] 0 1"), OPERANDS("i32[2] 16 18"));
    check_tensor(inlay_session_variable(r.session, 0), after);
    runner_free(&r);
}

static void test_failing_run_undoes_a_window(void **state)
{
    check_undone("%new = SliceScatter-15(%old, %u, %b, %e, %b) : i32[4] overwrites %old\n",
                 "i32[4] 1 8 9 4", 1, 8, 8);
}

static void test_failing_run_undoes_what_went_into_a_window(void **state)
{
    check_undone("%x = Slice-8(%old, %b, %e, %b) : i32[2] view of %old\n"
                 "%y = Multiply-1(%x, %u) : i32[2] into %new\n"
                 "%new = SliceScatter-15(%old, %y, %b, %e, %b) : i32[4] overwrites %old\n",
                 "i32[4] 1 16 27 4", 1, 0, 8);
}

static void test_failing_run_undoes_pointwise_writes(void **state)
{
    check_undone("%one = Const-1 {value = i32[] 1}\n"
                 "%new = Add-1(%old, %one) : i32[4] overwrites %old\n",
                 "i32[4] 2 3 4 5", 1, 0, 16);
}

static void test_failing_run_undoes_scatters(void **state)
{
    check_undone("%at = Const-1 {value = i64[2] [3, 0]}\n"
                 "%new = ScatterUpdate-3(%old, %at, %u, %zero) : i32[4] overwrites %old\n",
                 "i32[4] 9 2 3 8", 1, 8, 8);
    check_undone("%at = Const-1 {value = i64[2] [1, 1]}\n"
                 "%new = ScatterElementsUpdate-12(%old, %at, %u, %zero) {reduction = sum} : i32[4] "
                 "overwrites %old\n",
                 "i32[4] 1 19 3 4", 1, 0, 8);
    check_undone("%at = Const-1 {value = i64[2,1] [2, 0]}\n"
                 "%new = ScatterNDUpdate-15(%old, %at, %u) {reduction = prod} : i32[4] "
                 "overwrites %old\n",
                 "i32[4] 9 2 24 4", 1, 0, 8);
}

/* Each write meets elements of the write before. All writes are undone, the last one first. */
static void test_failing_run_undoes_all_writes(void **state)
{
    check_undone("%two = Const-1 {value = i64[1] [2]}\n%four = Const-1 {value = i64[1] [4]}\n"
                 "%one = Const-1 {value = i32[] 1}\n"
                 "%first = SliceScatter-15(%old, %u, %b, %e, %b) : i32[4] overwrites %old\n"
                 "%second = SliceScatter-15(%first, %u, %two, %four, %b) : i32[4] overwrites "
                 "%first\n"
                 "%new = Add-1(%second, %one) : i32[4] overwrites %second\n",
                 "i32[4] 2 9 9 10", 3, 8 + 8, 8 + 8 + 16);
}

/* Elements that several links of a chain write one after the other are saved once. Elements at
 * other places, or that others wrote in between, are saved each time. */
static void test_what_is_kept_of_a_chain(void **state)
{
    check_undone("%x = Slice-8(%old, %b, %e, %b) : i32[2] view of %old\n"
                 "%y = Multiply-1(%x, %u) : i32[2] into %new\n"
                 "%z = Add-1(%y, %y) : i32[2] into %new\n"
                 "%new = SliceScatter-15(%old, %z, %b, %e, %b) : i32[4] overwrites %old\n",
                 "i32[4] 1 32 54 4", 2, 0, 8);
    check_undone("%at = Const-1 {value = i64[1] [3]}\n%nine = Const-1 {value = i32[1] [9]}\n"
                 "%one = Const-1 {value = i32[] 1}\n"
                 "%more = Add-1(%old, %one) : i32[4] overwrites %old\n"
                 "%again = ScatterUpdate-3(%more, %at, %nine, %zero) : i32[4] overwrites %more\n"
                 "%new = Add-1(%again, %one) : i32[4] overwrites %again\n",
                 "i32[4] 3 4 5 10", 3, 4, 16 + 4 + 16);
}

/* The last index is out of range. The scatter looked at all indices before it wrote, so nothing was
 * written. */
static void test_failing_scatter_keeps_the_state(void **state)
{
    runner r =
        planned_of(STATE "%new = ScatterUpdate-3(%old, %i, %u, %zero) : i32[4] overwrites %old\n"
                         "%save = Assign-6(%new) {variable_id = \"v\"}\n");

    check_run(&r, OPERANDS("i32[2] 8 9", "i64[2] 0 3"), OPERANDS(NULL));
    check_run_fails(&r, OPERANDS("i32[2] 5 6", "i64[2] 1 4"), INLAY_INVALID,
                    "\"new\" (ScatterUpdate-3): indices[1] is 4, axis 0 has 4 elements");
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 8 2 3 9");
    runner_free(&r);
}

/* A Loop writes rows of a state that it is given. */
#define GIVEN(trips, rows)                                                                         \
    STATE                                                                                          \
    "%trips = Const-1 {value = i64[] " trips "}\n%go = Const-1 {value = boolean[] true}\n"         \
    "%l:1 = Loop-5(%trips, %go, %old, %u, %i) : i32[4] overwrites %old\nbody \"b\" {\n"            \
    "%c = Parameter-1 {element_type = i32, shape = [4]}\n"                                         \
    "%x = Parameter-1 {element_type = i32, shape = [" rows "]}\n"                                  \
    "%at = Parameter-1 {element_type = i64, shape = [" rows "]}\n"                                 \
    "%axis = Const-1 {value = i64[] 0}\n%yes = Const-1 {value = boolean[] true}\n"                 \
    "%r = ScatterUpdate-3(%c, %at, %x, %axis) : i32[4] overwrites %c\n"                            \
    "%on = Result-1(%yes)\n%o = Result-1(%r)\n}\nin 2 -> %c\n"

#define ROW_BY_ROW                                                                                 \
    "in 3 -> %x axis 0 start 0 end -1 stride 1 part_size 1\n"                                      \
    "in 4 -> %at axis 0 start 0 end -1 stride 1 part_size 1\n"

#define GIVEN_BACK                                                                                 \
    "out %on -> none condition\nout %o -> 0\nback %o -> %c\n"                                      \
    "%save = Assign-6(%l:0) {variable_id = \"v\"}\n"

static void test_given_state(void **state)
{
    runner r = planned_of(GIVEN("2", "1") ROW_BY_ROW GIVEN_BACK);

    check_run(&r, OPERANDS("i32[2] 8 9", "i64[2] 0 3"), OPERANDS(NULL));
    assert_int_equal(stats_of(&r).copied_bytes, 16 + 8);
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 8 2 3 9");
    check_run(&r, OPERANDS("i32[2] 6 7", "i64[2] 1 1"), OPERANDS(NULL));
    assert_int_equal(stats_of(&r).copied_bytes, 8 + 8); /* and what stood in the two rows */
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 8 7 3 9");
    runner_free(&r);
}

/* The second iteration fails, or there is no part for it. */
static void test_failing_loop_keeps_the_state(void **state)
{
    runner r = planned_of(GIVEN("2", "1") ROW_BY_ROW GIVEN_BACK);

    check_run(&r, OPERANDS("i32[2] 8 9", "i64[2] 0 3"), OPERANDS(NULL));
    for (int i = 0; i < 2; i++) {
        check_run_fails(&r, OPERANDS("i32[2] 5 6", "i64[2] 3 4"), INLAY_INVALID,
                        "indices[0] is 4, axis 0 has 4 elements");
        check_tensor(inlay_session_variable(r.session, 0), "i32[4] 8 2 3 9");
        check_run(&r, OPERANDS("i32[2] 8 9", "i64[2] 0 3"), OPERANDS(NULL));
        check_tensor(inlay_session_variable(r.session, 0), "i32[4] 8 2 3 9");
    }
    runner_free(&r);
}

/* The same elements are written over in each iteration: when more would be saved than the state
 * has, all of it is saved, and nothing after that. */
static void test_a_state_is_saved_once(void **state)
{
    runner r = planned_of(GIVEN("9", "2") "in 3 -> %x\nin 4 -> %at\n" GIVEN_BACK
                                          "%check = GatherElements-6(%u, %i) {axis = 0}\n"
                                          "%out = Result-1(%check)\norder %l before %check\n");

    check_run(&r, OPERANDS("i32[2] 8 9", "i64[2] 0 1"), OPERANDS("i32[2] 8 9"));
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 8 9 3 4");
    check_run_fails(&r, OPERANDS("i32[2] 5 6", "i64[2] 0 3"), INLAY_INVALID,
                    "\"check\" (GatherElements-6)");
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 8 9 3 4");
    check_run(&r, OPERANDS("i32[2] 5 6", "i64[2] 1 0"), OPERANDS("i32[2] 6 5"));
    assert_int_equal(stats_of(&r).copied_bytes, 9 * 8 + 8 + 16 + 16); /* two writes, then all */
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 6 5 3 4");
    runner_free(&r);
}

#define UPDATE                                                                                     \
    STATE "%new = ScatterUpdate-3(%old, %i, %u, %zero) : i32[4] overwrites %old\n"                 \
          "%save = Assign-6(%new) {variable_id = \"v\"}\n"

/* The updates, and what of the state is kept till the run has succeeded. */
enum { UPDATED = 8 + 8 };

/* A tensor that is set as a state stays the caller's, and a tensor that the caller got from the
 * session stays as it was. */
static void test_states_held_outside(void **state)
{
    runner r = planned_of(UPDATE);
    inlay_tensor *mine = tensor_of("i32[4] 5 5 5 5");
    const inlay_tensor *held;

    assert_true(inlay_session_set_variable(r.session, 0, mine, r.diags));
    check_run(&r, OPERANDS("i32[2] 8 9", "i64[2] 0 1"), OPERANDS(NULL));
    assert_int_equal(stats_of(&r).copied_bytes, 16 + UPDATED);
    check_tensor(mine, "i32[4] 5 5 5 5");
    held = inlay_tensor_retain(inlay_session_variable(r.session, 0));
    check_tensor(held, "i32[4] 8 9 5 5");
    check_run(&r, OPERANDS("i32[2] 1 2", "i64[2] 0 1"), OPERANDS(NULL));
    check_tensor(held, "i32[4] 8 9 5 5");
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 1 2 5 5");
    check_run(&r, OPERANDS("i32[2] 3 4", "i64[2] 2 3"), OPERANDS(NULL));
    assert_int_equal(stats_of(&r).copied_bytes, UPDATED);
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 1 2 3 4");
    inlay_tensor_release(mine);
    inlay_tensor_release(held);
    runner_free(&r);
}

/* The saved elements of a state are freed when the run is over. */
static void test_kept_state_is_freed(void **state)
{
    runner r =
        runner_of(UPDATE, &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED, .max_memory = 8192});

    for (int i = 0; i < 200; i++)
        check_run(&r, OPERANDS("i32[2] 8 9", "i64[2] 0 1"), OPERANDS(NULL));
    assert_int_equal(stats_of(&r).copied_bytes, UPDATED);
    runner_free(&r);
}

/* The caller sets a tensor and releases it. Then the session alone holds the buffer, and runs write
 * over it. */
static void test_set_variable_given_away(void **state)
{
    runner r = planned_of(UPDATE);
    inlay_tensor *mine = tensor_of("i32[4] 5 5 5 5");
    const void *bytes = mine->data;

    assert_true(inlay_session_set_variable(r.session, 0, mine, r.diags));
    inlay_tensor_release(mine);
    check_run(&r, OPERANDS("i32[2] 8 9", "i64[2] 0 1"), OPERANDS(NULL));
    assert_int_equal(stats_of(&r).copied_bytes, UPDATED);
    assert_ptr_equal(inlay_session_variable(r.session, 0)->data, bytes);
    runner_free(&r);
}

/* Memory that was wrapped is its owner's, also when only the session has the buffer. */
static void test_set_variable_wrapped(void **state)
{
    runner r = planned_of(UPDATE);
    int32_t numbers[4] = {5, 5, 5, 5};
    inlay_buffer *wrap = inlay_buffer_wrap(numbers, sizeof numbers, NULL, NULL);
    inlay_tensor *t = inlay_tensor_over(wrap, numbers, INLAY_I32, 1, (const int64_t[]){4});

    inlay_buffer_release(wrap);
    assert_true(inlay_session_set_variable(r.session, 0, t, r.diags));
    inlay_tensor_release(t);
    check_run(&r, OPERANDS("i32[2] 8 9", "i64[2] 0 1"), OPERANDS(NULL));
    assert_int_equal(stats_of(&r).copied_bytes, 16 + UPDATED);
    for (int i = 0; i < 4; i++)
        assert_int_equal(numbers[i], 5);
    check_run(&r, OPERANDS("i32[2] 1 2", "i64[2] 0 1"), OPERANDS(NULL));
    assert_int_equal(stats_of(&r).copied_bytes, UPDATED);
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 1 2 5 5");
    runner_free(&r);
}

/* The caller's memory is an input, becomes the state, and is written over by no later run. */
static void test_input_that_became_the_state(void **state)
{
    runner r = planned_of("%x = Parameter-1 {element_type = i32, shape = [4]}\n"
                          "%u = Parameter-1 {element_type = i32, shape = [1]}\n"
                          "%i = Const-1 {value = i64[1] [2]}\n"
                          "%zero = Const-1 {value = i64[] 0}\n"
                          "%old = ReadValue-6(%x) {variable_id = \"v\", variable_type = i32, "
                          "variable_shape = [4]}\n"
                          "%new = ScatterUpdate-3(%old, %i, %u, %zero) : i32[4] overwrites %old\n"
                          "%save = Assign-6(%new) {variable_id = \"v\"}\n");
    int32_t numbers[4] = {5, 5, 5, 5};
    inlay_tensor *none;

    for (int run = 0; run < 2; run++) {
        inlay_buffer *wrap = inlay_buffer_wrap(numbers, sizeof numbers, NULL, NULL);
        const inlay_tensor *in[2] = {
            inlay_tensor_over(wrap, numbers, INLAY_I32, 1, (const int64_t[]){4}),
            tensor_of("i32[1] 7")};

        inlay_buffer_release(wrap);
        run_with(&r, in, NULL, &none);
        for (int i = 0; i < 4; i++)
            assert_int_equal(numbers[i], 5);
        check_tensor(inlay_session_variable(r.session, 0), "i32[4] 5 5 7 5");
        inlay_tensor_release(in[0]);
        inlay_tensor_release(in[1]);
    }
    runner_free(&r);
}

/* The state lies in the memory that is given away. */
static void test_donated_memory_of_a_state(void **state)
{
    runner r = planned_of("%data = Parameter-1 {element_type = i32, shape = [4]}\n"
                          "%u = Const-1 {value = i32[1] [7]}\n"
                          "%i = Const-1 {value = i64[1] [2]}\n"
                          "%zero = Const-1 {value = i64[] 0}\n"
                          "%r = ScatterUpdate-3(%data, %i, %u, %zero) : i32[4] overwrites %data\n"
                          "%old = ReadValue-6 {variable_id = \"v\", variable_type = i32, "
                          "variable_shape = [4]}\n"
                          "%s = Add-1(%r, %old)\n"
                          "%save = Assign-6(%old) {variable_id = \"v\"}\n"
                          "%out = Result-1(%s)\n");
    int32_t numbers[4] = {1, 2, 3, 4};
    inlay_tensor *t[2], *out;

    for (int i = 0; i < 2; i++) {
        inlay_buffer *wrap = inlay_buffer_wrap(numbers, sizeof numbers, NULL, NULL);

        t[i] = inlay_tensor_over(wrap, numbers, INLAY_I32, 1, (const int64_t[]){4});
        inlay_buffer_release(wrap);
    }
    assert_true(inlay_session_set_variable(r.session, 0, t[0], r.diags));
    run_with(&r, (const inlay_tensor *const[]){t[1]}, (bool[]){true}, &out);
    check_tensor(out, "i32[4] 2 4 10 8");
    check_tensor(inlay_session_variable(r.session, 0), "i32[4] 1 2 3 4");
    inlay_tensor_release(out);
    inlay_tensor_release(t[0]);
    inlay_tensor_release(t[1]);
    runner_free(&r);
}

/* A body reads the state as it was, after the graph around it wrote over it. */
static void test_state_that_a_body_reads(void **state)
{
    runner r = planned_of(UPDATE "%yes = Const-1 {value = boolean[] true}\n"
                                 "%seen:1 = If-8(%yes, %new)\n"
                                 "then_body \"t\" {\n"
                                 "%n = Parameter-1 {element_type = i32, shape = [4]}\n"
                                 "%s = ReadValue-6 {variable_id = \"v\", variable_type = i32, "
                                 "variable_shape = [4]}\n"
                                 "%d = Subtract-1(%n, %s)\n"
                                 "%r = Result-1(%d)\n"
                                 "}\n"
                                 "in 1 -> %n\n"
                                 "out %r -> 0\n"
                                 "else_body \"e\" {\n"
                                 "%n = Parameter-1 {element_type = i32, shape = [4]}\n"
                                 "%r = Result-1(%n)\n"
                                 "}\n"
                                 "in 1 -> %n\n"
                                 "out %r -> 0\n"
                                 "%out = Result-1(%seen)\n");

    check_run(&r, OPERANDS("i32[2] 8 9", "i64[2] 0 1"), OPERANDS("i32[4] 8 9 3 4"));
    check_run(&r, OPERANDS("i32[2] 9 9", "i64[2] 0 3"), OPERANDS("i32[4] 1 0 0 5"));
    runner_free(&r);
}

/* The planned executor is called through the interface that `inlay verify` uses. */
static void test_evaluator(void **state)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_evaluator evaluator = inlay_planned_evaluator(NULL);
    inlay_graph *g = graph_of(UPDATE);
    inlay_verify_options o = {0};
    inlay_verify_result result;
    inlay_diags *d = inlay_diags_new();

    assert_true(inlay_verify(g, &reference, g, &evaluator, &o, &result, d));
    if (result.verdict != INLAY_SAME)
        fail_msg("%s", result.why);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_run_undoes_a_window),
        cmocka_unit_test(test_failing_run_undoes_what_went_into_a_window),
        cmocka_unit_test(test_failing_run_undoes_pointwise_writes),
        cmocka_unit_test(test_failing_run_undoes_scatters),
        cmocka_unit_test(test_failing_run_undoes_all_writes),
        cmocka_unit_test(test_what_is_kept_of_a_chain),
        cmocka_unit_test(test_failing_scatter_keeps_the_state),
        cmocka_unit_test(test_given_state),
        cmocka_unit_test(test_failing_loop_keeps_the_state),
        cmocka_unit_test(test_a_state_is_saved_once),
        cmocka_unit_test(test_states_held_outside),
        cmocka_unit_test(test_kept_state_is_freed),
        cmocka_unit_test(test_set_variable_given_away),
        cmocka_unit_test(test_set_variable_wrapped),
        cmocka_unit_test(test_input_that_became_the_state),
        cmocka_unit_test(test_donated_memory_of_a_state),
        cmocka_unit_test(test_state_that_a_body_reads),
        cmocka_unit_test(test_evaluator),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
