/* Programs, sessions, variables, the memory limit, the evaluator. */
#include "graphs.h"
#include "ir/shared.h"

#define ADD                                                                                        \
    "%x = Parameter-1 {element_type = f32, shape = [2]}\n"                                         \
    "%y = Parameter-1 {element_type = f32, shape = [2]}\n"                                         \
    "%s = Add-1(%x, %y)\n"                                                                         \
    "%r = Result-1(%s)\n"

static void test_adds_two_inputs(void **state)
{
    check_graph(ADD, OPERANDS("f32[2] 1 2", "f32[2] 0.5 -2"), OPERANDS("f32[2] 1.5 0"));
}

static void test_input_of_wrong_type(void **state)
{
    check_graph_run_fails(ADD, OPERANDS("f32[2] 1 2", "f16[2] 1 2"),
                          "\"y\" (Parameter-1): the tensor given has type f16, f32 is wanted");
}

static void test_input_of_wrong_shape(void **state)
{
    check_graph_run_fails(ADD, OPERANDS("f32[3] 1 2 3", "f32[2] 1 2"),
                          "\"x\" (Parameter-1): the tensor given has shape [3], [2] is wanted");
    check_graph_run_fails("%x = Parameter-1 {element_type = f32, shape = [?,1..3]}\n"
                          "%r = Result-1(%x)\n",
                          OPERANDS("f32[1,4] 1 2 3 4"), "has shape [1,4], [?,1..3] is wanted");
    check_graph_run_fails("%x = Parameter-1 {element_type = f32, shape = []}\n"
                          "%r = Result-1(%x)\n",
                          OPERANDS("f32[1] 1"), "has shape [1], [] is wanted");
}

static void test_missing_input(void **state)
{
    runner r = runner_of(ADD, NULL);
    const inlay_tensor *in[2] = {NULL, NULL};
    inlay_tensor *out[1];

    assert_false(inlay_session_run(r.session, in, NULL, out, r.diags));
    assert_null(out[0]);
    check_error(r.diags, INLAY_INVALID, "\"x\" (Parameter-1): no tensor is given for this input");
    runner_free(&r);
}

static void test_dynamic_shapes(void **state)
{
    runner r = runner_of("%x = Parameter-1 {element_type = i32, shape = [?,2]}\n"
                         "%y = Parameter-1 {element_type = i32, shape = [...]}\n"
                         "%s = Add-1(%x, %y)\n"
                         "%r = Result-1(%s)\n",
                         NULL);

    check_run(&r, OPERANDS("i32[1,2] 1 2", "i32 10"), OPERANDS("i32[1,2] 11 12"));
    check_run(&r, OPERANDS("i32[2,2] 1 2 3 4", "i32[2,1] 10 20"), OPERANDS("i32[2,2] 11 12 23 24"));
    check_run(&r, OPERANDS("i32[0,2]", "i32[2] 1 1"), OPERANDS("i32[0,2]"));
    check_run_fails(&r, OPERANDS("i32[2,2] 1 2 3 4", "i32[3,1] 1 1 1"), INLAY_INVALID,
                    "\"s\" (Add-1)");
    runner_free(&r);
}

/* The size of the output is an element of the input. */
static void test_sizes_from_data(void **state)
{
    runner r = runner_of("%stop = Parameter-1 {element_type = i64, shape = []}\n"
                         "%zero = Const-1 {value = i64[] 0}\n"
                         "%one = Const-1 {value = i64[] 1}\n"
                         "%range = Range-4(%zero, %stop, %one) {output_type = i64}\n"
                         "%sum = Add-1(%range, %one)\n"
                         "%r = Result-1(%sum)\n",
                         NULL);

    check_run(&r, OPERANDS("i64 3"), OPERANDS("i64[3] 1 2 3"));
    check_run(&r, OPERANDS("i64 0"), OPERANDS("i64[0]"));
    runner_free(&r);
}

/* One value stands in two Results, a Parameter and a Const are Results, and an operand is used
 * twice. */
static void test_shared_values(void **state)
{
    check_graph("%x = Parameter-1 {element_type = f32, shape = [1]}\n"
                "%c = Const-1 {value = f32[1] [5]}\n"
                "%s = Add-1(%x, %x)\n"
                "%a = Result-1(%s)\n"
                "%b = Result-1(%s)\n"
                "%p = Result-1(%x)\n"
                "%q = Result-1(%c)\n",
                OPERANDS("f32[1] 2"), OPERANDS("f32[1] 4", "f32[1] 4", "f32[1] 2", "f32[1] 5"));
}

/* Outputs live on when session, program and graph are gone, even with memory poisoned. */
static void test_outputs_outlive_the_session(void **state)
{
    runner r = runner_of(ADD, NULL);
    inlay_tensor *x = tensor_of("f32[2] 1 2"), *y = tensor_of("f32[2] 3 4"), *out[1];
    const inlay_tensor *in[] = {x, y};

    assert_true(inlay_session_run(r.session, in, NULL, out, r.diags));
    inlay_tensor_release(x);
    inlay_tensor_release(y);
    runner_free(&r);
    check_tensor(out[0], "f32[2] 4 6");
    inlay_tensor_release(out[0]);
}

/* Elements of string tensors point into buffers that the result must keep alive. */
static void test_strings_outlive_their_input(void **state)
{
    runner r = runner_of("%x = Parameter-1 {element_type = string, shape = [2]}\n"
                         "%shape = Const-1 {value = i64[2] [1, 2]}\n"
                         "%y = Reshape-1(%x, %shape) {special_zero = false}\n"
                         "%r = Result-1(%y)\n",
                         NULL);
    inlay_tensor *x = tensor_of("string[2] hello world"), *out[1];
    const inlay_tensor *in[] = {x};

    assert_true(inlay_session_run(r.session, in, NULL, out, r.diags));
    inlay_tensor_release(x);
    check_tensor(out[0], "string[1,2] hello world");
    inlay_tensor_release(out[0]);
    runner_free(&r);
}

static void test_strided_and_unaligned_inputs(void **state)
{
    int64_t dims[] = {2}, strides[] = {-2};
    runner r = runner_of(ADD, NULL);
    inlay_tensor *whole = tensor_of("f32[4] 1 2 3 4"), *out[1], *back;
    inlay_tensor *back_to_front = inlay_tensor_window(whole, 1, dims, strides, 3);
    inlay_buffer *buffer = inlay_buffer_new(16);
    float floats[] = {10, 20};
    const inlay_tensor *in[2];

    memcpy((char *)inlay_buffer_data(buffer) + 1, floats, sizeof floats);
    back = inlay_tensor_over(buffer, (char *)inlay_buffer_data(buffer) + 1, INLAY_F32, 1, dims);
    in[0] = back_to_front;
    in[1] = back;
    assert_true(inlay_session_run(r.session, in, NULL, out, r.diags));
    check_tensor(out[0], "f32[2] 14 22");
    inlay_tensor_release(out[0]);
    inlay_tensor_release(back);
    inlay_tensor_release(back_to_front);
    inlay_tensor_release(whole);
    inlay_buffer_release(buffer);
    runner_free(&r);
}

#define SUM                                                                                        \
    "%init = Const-1 {value = f32[1] [100]}\n"                                                     \
    "%old = ReadValue-6(%init) {variable_id = \"state\", variable_type = f32, "                    \
    "variable_shape = [1]}\n"                                                                      \
    "%x = Parameter-1 {element_type = f32, shape = [1]}\n"                                         \
    "%new = Add-1(%old, %x)\n"                                                                     \
    "%save = Assign-6(%new) {variable_id = \"state\"}\n"                                           \
    "%again = ReadValue-6(%init) {variable_id = \"state\", variable_type = f32, "                  \
    "variable_shape = [1]}\n"                                                                      \
    "%r = Result-1(%new)\n"                                                                        \
    "%s = Result-1(%again)\n"

/* ReadValue yields the state as the run began, wherever it stands; Assign takes effect at the end.
 */
static void test_variable_over_runs(void **state)
{
    runner r = runner_of(SUM, NULL);
    inlay_tensor *seven = tensor_of("f32[1] 7");

    assert_null(inlay_session_variable(r.session, 0));
    check_run(&r, OPERANDS("f32[1] 1"), OPERANDS("f32[1] 101", "f32[1] 100"));
    check_run(&r, OPERANDS("f32[1] 2"), OPERANDS("f32[1] 103", "f32[1] 101"));
    check_tensor(inlay_session_variable(r.session, 0), "f32[1] 103");
    inlay_session_reset(r.session);
    check_run(&r, OPERANDS("f32[1] 1"), OPERANDS("f32[1] 101", "f32[1] 100"));
    assert_true(inlay_session_set_variable(r.session, 0, seven, r.diags));
    check_run(&r, OPERANDS("f32[1] 1"), OPERANDS("f32[1] 8", "f32[1] 7"));
    inlay_tensor_release(seven);
    runner_free(&r);
}

static void test_set_variable_checks(void **state)
{
    runner r = runner_of(SUM, NULL);
    inlay_tensor *wrong = tensor_of("f32[2] 7 7");

    assert_false(inlay_session_set_variable(r.session, 0, wrong, r.diags));
    check_error(r.diags, INLAY_INVALID,
                "variable \"state\": the tensor given has shape [2], [1] is wanted");
    inlay_diags_clear(r.diags);
    assert_false(inlay_session_set_variable(r.session, 1, wrong, r.diags));
    check_error(r.diags, INLAY_INVALID, "there is no variable 1, the graph has 1");
    inlay_tensor_release(wrong);
    runner_free(&r);
}

/* The Assign has run when the Gather fails, and still the state is the old one. */
static void test_failing_run_keeps_variables(void **state)
{
    runner r = runner_of("%zero = Const-1 {value = i64[1] [0]}\n"
                         "%old = ReadValue-6(%zero) {variable_id = \"n\"}\n"
                         "%one = Const-1 {value = i64[1] [1]}\n"
                         "%new = Add-1(%old, %one)\n"
                         "%save = Assign-6(%new) {variable_id = \"n\"}\n"
                         "%data = Const-1 {value = i64[2] [5, 6]}\n"
                         "%i = Parameter-1 {element_type = i64, shape = [1]}\n"
                         "%indices = Add-1(%save, %i)\n"
                         "%axis = Const-1 {value = i64[] 0}\n"
                         "%out = GatherElements-6(%data, %indices) {axis = 0}\n"
                         "%r = Result-1(%out)\n",
                         NULL);

    check_run(&r, OPERANDS("i64[1] -1"), OPERANDS("i64[1] 5"));
    check_run_fails(&r, OPERANDS("i64[1] 7"), INLAY_INVALID, "\"out\" (GatherElements-6): ");
    check_tensor(inlay_session_variable(r.session, 0), "i64[1] 1");
    check_run(&r, OPERANDS("i64[1] -1"), OPERANDS("i64[1] 6"));
    runner_free(&r);
}

static void test_variable_begins_with_zeros(void **state)
{
    check_graph("%old = ReadValue-6 {variable_id = \"v\", variable_type = i32, "
                "variable_shape = [2]}\n"
                "%r = Result-1(%old)\n",
                OPERANDS(NULL), OPERANDS("i32[2] 0 0"));
    check_graph_run_fails("%old = ReadValue-6 {variable_id = \"v\", variable_type = i32, "
                          "variable_shape = [?]}\n"
                          "%r = Result-1(%old)\n",
                          OPERANDS(NULL),
                          "variable \"v\" has no state yet and no initial value, and its type i32 "
                          "and shape [?] do not say what zeros to begin with");
}

static void test_growing_variable(void **state)
{
    runner r = runner_of("%init = Const-1 {value = f32[0] []}\n"
                         "%old = ReadValue-6(%init) {variable_id = \"v\", variable_type = f32, "
                         "variable_shape = [?]}\n"
                         "%x = Parameter-1 {element_type = f32, shape = [1]}\n"
                         "%new = Concat-1(%old, %x) {axis = 0}\n"
                         "%save = Assign-6(%new) {variable_id = \"v\"}\n"
                         "%r = Result-1(%new)\n",
                         NULL);

    check_run(&r, OPERANDS("f32[1] 1"), OPERANDS("f32[1] 1"));
    check_run(&r, OPERANDS("f32[1] 2"), OPERANDS("f32[2] 1 2"));
    check_run(&r, OPERANDS("f32[1] 3"), OPERANDS("f32[3] 1 2 3"));
    runner_free(&r);
}

static void test_variable_types_are_checked(void **state)
{
    check_graph_fails("%init = Const-1 {value = f32[2] [1, 2]}\n"
                      "%old = ReadValue-6(%init) {variable_id = \"v\", variable_type = f32, "
                      "variable_shape = [3]}\n"
                      "%r = Result-1(%old)\n",
                      "input 0 \"init_value\" has shape [2], variable \"v\" has shape [3]");
    check_graph_fails("%init = Const-1 {value = f32[2] [1, 2]}\n"
                      "%old = ReadValue-6(%init) {variable_id = \"v\", variable_type = f16, "
                      "variable_shape = [2]}\n"
                      "%r = Result-1(%old)\n",
                      "input 0 \"init_value\" has type f32, variable \"v\" has type f16");
    check_graph_fails("%init = Const-1 {value = f32[2] [1, 2]}\n"
                      "%old = ReadValue-6(%init) {variable_id = \"v\"}\n"
                      "%x = Parameter-1 {element_type = f32, shape = [4]}\n"
                      "%r = Result-1(%old)\n"
                      "%save = Assign-6(%x) {variable_id = \"v\"}\n",
                      "input 0 \"new_value\" has shape [4], variable \"v\" has shape [2]");
    check_graph_run_fails("%init = Const-1 {value = f32[2] [1, 2]}\n"
                          "%old = ReadValue-6(%init) {variable_id = \"v\"}\n"
                          "%x = Parameter-1 {element_type = f32, shape = [?]}\n"
                          "%r = Result-1(%old)\n"
                          "%save = Assign-6(%x) {variable_id = \"v\"}\n",
                          OPERANDS("f32[1] 1"),
                          "the new value of variable \"v\" has shape [1], [2] is wanted");
}

/* Nothing says the type of a variable: operand types are checked when the operands are there. */
static void test_types_found_at_run_time(void **state)
{
    runner r = runner_of("%old = ReadValue-6 {variable_id = \"v\", variable_type = dynamic, "
                         "variable_shape = [...]}\n"
                         "%x = Parameter-1 {element_type = f32, shape = [1]}\n"
                         "%y = Add-1(%x, %old)\n"
                         "%r = Result-1(%y)\n",
                         NULL);
    inlay_tensor *number = tensor_of("f32 4"), *text = tensor_of("string a");

    assert_true(inlay_session_set_variable(r.session, 0, number, r.diags));
    check_run(&r, OPERANDS("f32[1] 1"), OPERANDS("f32[1] 5"));
    assert_true(inlay_session_set_variable(r.session, 0, text, r.diags));
    check_run_fails(&r, OPERANDS("f32[1] 1"), INLAY_INVALID,
                    "\"y\" (Add-1): input 1 \"b\" has type string, it must be");
    inlay_tensor_release(number);
    inlay_tensor_release(text);
    runner_free(&r);
}

/* Nobody checked this graph: an operand was never connected. */
static void test_compile_checks_nodes(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("t", d);

    assert_non_null(inlay_node_new(g, inlay_op_find(NULL, "Result", NULL, NULL, d), "r", 1, 0, d));
    assert_null(inlay_compile(g, NULL, d));
    check_error(d, INLAY_INVALID, "\"r\" (Result-1): input 0 \"value\" is missing");
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static void test_two_assigns(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of("%x = Parameter-1 {element_type = f32, shape = [1]}\n"
                              "%old = ReadValue-6(%x) {variable_id = \"v\"}\n"
                              "%r = Result-1(%old)\n"
                              "%a = Assign-6(%x) {variable_id = \"v\"}\n"
                              "%b = Assign-6(%x) {variable_id = \"w\"}\n");

    assert_true(inlay_node_set_string(inlay_graph_node(g, "b"), "variable_id", "v", d));
    assert_null(inlay_compile(g, NULL, d));
    check_error(d, INLAY_INVALID,
                "\"b\" (Assign-6): variable \"v\" is assigned a second time, \"a\" assigns it "
                "already");
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static void test_kept_values(void **state)
{
    static const char *const keep[] = {"sum", "half"};
    inlay_exec_options o = {.mode = INLAY_EXEC_REFERENCE, .keep = keep, .n_keep = 2};
    runner r = runner_of("%x = Parameter-1 {element_type = f32, shape = [2]}\n"
                         "%s = Add-1(%x, %x) : f32[2] as \"sum\"\n"
                         "%half = Add-1(%s, %x)\n"
                         "%t = Add-1(%half, %half)\n"
                         "%r = Result-1(%t)\n",
                         &o);

    assert_null(inlay_session_kept(r.session, 0));
    check_run(&r, OPERANDS("f32[2] 1 2"), OPERANDS("f32[2] 6 12"));
    check_tensor(inlay_session_kept(r.session, 0), "f32[2] 2 4");
    check_tensor(inlay_session_kept(r.session, 1), "f32[2] 3 6");
    assert_null(inlay_session_kept(r.session, 2));
    runner_free(&r);
}

static void test_keep_unknown_value(void **state)
{
    static const char *const keep[] = {"nothing"};
    inlay_exec_options o = {.mode = INLAY_EXEC_REFERENCE, .keep = keep, .n_keep = 1};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of(ADD);

    assert_null(inlay_compile(g, &o, d));
    check_error(d, INLAY_INVALID, "there is no value \"nothing\" to keep");
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* 1024 elements of f32 are 4096 bytes; an addition has one such output alive at a time. */
static void test_memory_limit(void **state)
{
    static const char body[] = "%a = Const-1 {value = f32[1] [1]}\n"
                               "%n = Const-1 {value = i64[1] [1024]}\n"
                               "%b = Broadcast-3(%a, %n)\n"
                               "%c = Add-1(%b, %a)\n"
                               "%d = Add-1(%c, %a)\n"
                               "%r = Result-1(%d)\n";
    inlay_exec_options o = {.mode = INLAY_EXEC_REFERENCE, .max_memory = 8191};
    runner r = runner_of(body, &o);
    inlay_exec_stats stats;

    check_run_fails(&r, OPERANDS(NULL), INLAY_NO_RESOURCE,
                    "\"c\" (Add-1): 4096 bytes are needed; with the 4096 in use that is over the "
                    "memory limit of 8191 bytes");
    runner_free(&r);
    o.max_memory = 64 << 10;
    r = runner_of(body, &o);
    for (int i = 0; i < 3; i++) { /* nothing is left behind by a run */
        const inlay_tensor *const *in = NULL;
        inlay_tensor *out[1];

        assert_true(inlay_session_run(r.session, in, NULL, out, r.diags));
        inlay_tensor_release(out[0]);
    }
    inlay_session_stats(r.session, &stats);
    assert_int_equal(stats.peak_bytes, 8192); /* b dies when c is there, c when d is there */
    assert_int_equal(stats.nodes, 6);
    assert_int_equal(stats.steps, 3);
    assert_int_equal(stats.in_place_writes, 0);
    runner_free(&r);
}

static void test_evaluator_runs_a_node(void **state)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of(ADD);
    inlay_tensor *x = tensor_of("f32[2] 1 2"), *y = tensor_of("f32[2] 3 4"), *out[1];
    inlay_tensor *wrong = tensor_of("f16[2] 3 4");
    const inlay_tensor *in[] = {x, y};

    assert_true(e.eval_node(e.ctx, inlay_graph_node(g, "s"), in, out, d));
    check_tensor(out[0], "f32[2] 4 6");
    inlay_tensor_release(out[0]);
    in[1] = NULL;
    assert_false(e.eval_node(e.ctx, inlay_graph_node(g, "s"), in, out, d));
    check_error(d, INLAY_INVALID, "\"s\" (Add-1): the tensor given for input 1 is missing");
    inlay_diags_clear(d);
    in[1] = wrong;
    assert_false(e.eval_node(e.ctx, inlay_graph_node(g, "s"), in, out, d));
    check_error(d, INLAY_INVALID, "the tensor given for input 1 has type f16, f32 is wanted");
    inlay_diags_clear(d);
    assert_false(e.eval_node(e.ctx, inlay_graph_node(g, "x"), NULL, out, d));
    check_error(d, INLAY_INVALID, "a Parameter has no value of its own");
    inlay_tensor_release(wrong);
    inlay_tensor_release(x);
    inlay_tensor_release(y);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static void test_evaluator_hands_variables_back(void **state)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of(SUM);
    inlay_tensor *x = tensor_of("f32[1] 1"), *variables[1] = {NULL}, *out[2];
    const inlay_tensor *in[] = {x};

    for (int i = 0; i < 2; i++) {
        assert_true(e.eval_graph(e.ctx, g, in, out, variables, d));
        inlay_tensor_release(out[0]);
        inlay_tensor_release(out[1]);
    }
    check_tensor(variables[0], "f32[1] 102");
    inlay_tensor_release(variables[0]);
    inlay_tensor_release(x);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adds_two_inputs),
        cmocka_unit_test(test_input_of_wrong_type),
        cmocka_unit_test(test_input_of_wrong_shape),
        cmocka_unit_test(test_missing_input),
        cmocka_unit_test(test_dynamic_shapes),
        cmocka_unit_test(test_sizes_from_data),
        cmocka_unit_test(test_shared_values),
        cmocka_unit_test(test_outputs_outlive_the_session),
        cmocka_unit_test(test_strings_outlive_their_input),
        cmocka_unit_test(test_strided_and_unaligned_inputs),
        cmocka_unit_test(test_variable_over_runs),
        cmocka_unit_test(test_set_variable_checks),
        cmocka_unit_test(test_failing_run_keeps_variables),
        cmocka_unit_test(test_variable_begins_with_zeros),
        cmocka_unit_test(test_growing_variable),
        cmocka_unit_test(test_variable_types_are_checked),
        cmocka_unit_test(test_types_found_at_run_time),
        cmocka_unit_test(test_compile_checks_nodes),
        cmocka_unit_test(test_two_assigns),
        cmocka_unit_test(test_kept_values),
        cmocka_unit_test(test_keep_unknown_value),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_evaluator_runs_a_node),
        cmocka_unit_test(test_evaluator_hands_variables_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
