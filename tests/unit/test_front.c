/* The front door: loading in one call, building constants and attributes, runs by names, versions.
 */
#include "front/front.h"
#include "tests/unit/graphs.h"
#include "unit.h"

/* Rows 2 and 3 of 8 x 4 zeros are replaced by themselves plus 1. */
#define WINDOW                                                                                     \
    "%data = Parameter-1 {element_type = f32, shape = [8,4]}\n"                                    \
    "%start = Const-1 {value = i64[1] [2]}\n"                                                      \
    "%stop = Const-1 {value = i64[1] [4]}\n"                                                       \
    "%step = Const-1 {value = i64[1] [1]}\n"                                                       \
    "%one = Const-1 {value = f32[] 1}\n"                                                           \
    "%rows = Slice-8(%data, %start, %stop, %step)\n"                                               \
    "%change = Add-1(%rows, %one)\n"                                                               \
    "%out = SliceScatter-15(%data, %change, %start, %stop, %step)\n"                               \
    "%result = Result-1(%out)\n"

static inlay_tensor *zeros(void)
{
    return inlay_tensor_new(INLAY_F32, 2, (int64_t[]){8, 4});
}

static void check_window(const inlay_tensor *t)
{
    assert_int_equal(inlay_tensor_count(t), 32);
    for (int64_t i = 0; i < 32; i++)
        assert_true(inlay_tensor_get_f64(t, i) == (i >= 8 && i < 16));
}

/* Without any option, passes run, and so does the planned executor: nothing is copied of what is
 * given away. */
static void a_graph_is_optimised_and_runs_planned(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_model *m = inlay_load_graph(graph_of(WINDOW), NULL, d);
    inlay_session *s;
    inlay_input in = {"data", zeros(), true};
    inlay_output out = {"out", NULL};
    inlay_exec_stats stats;

    assert_non_null(m);
    assert_true(m->graph->has_notes);
    s = inlay_session_new(m->program, d);
    assert_true(inlay_session_run_named(s, &in, 1, &out, 1, d));
    check_window(out.tensor);
    inlay_session_stats(s, &stats);
    assert_int_equal(stats.copied_bytes, 0);
    inlay_tensor_release(in.tensor);
    inlay_tensor_release(out.tensor);
    inlay_session_free(s);
    inlay_model_free(m);
    inlay_diags_free(d);
}

static void the_default_executor_is_planned(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_model *m = inlay_load_graph(graph_of(WINDOW), NULL, d);
    inlay_tensor *in = zeros(), *out = NULL;
    inlay_exec_stats stats;
    uint64_t in_place[2];

    for (int i = 0; i < 2; i++) {
        const inlay_exec_options reference = {.mode = INLAY_EXEC_REFERENCE};
        inlay_program *p = inlay_compile(m->graph, i ? &reference : NULL, d);
        inlay_session *s = inlay_session_new(p, d);

        assert_true(inlay_session_run(s, (const inlay_tensor *const[]){in}, NULL, &out, d));
        check_window(out);
        inlay_session_stats(s, &stats);
        in_place[i] = stats.in_place_writes;
        inlay_tensor_release(out);
        inlay_session_free(s);
        inlay_program_free(p);
    }
    assert_true(in_place[0] > 0);
    assert_int_equal(in_place[1], 0);
    inlay_tensor_release(in);
    inlay_model_free(m);
    inlay_diags_free(d);
}

/* Each step can fail, and says so; nothing is left behind (the sanitizers check that). */
static void loading_fails_where_a_step_does(void **state)
{
    const char *const keep[] = {"nobody"};
    const inlay_load_options passes = {.passes.passes = "no-such-pass"};
    const inlay_load_options exec = {.exec = {.keep = keep, .n_keep = 1}};
    inlay_diags *d = inlay_diags_new();

    assert_null(inlay_load("/nonexistent/model.xml", NULL, d));
    check_error(d, INLAY_INVALID, "No such file");
    inlay_diags_clear(d);
    assert_null(inlay_load_graph(graph_of(WINDOW), &passes, d));
    check_error(d, INLAY_INVALID, "no-such-pass");
    inlay_diags_clear(d);
    assert_null(inlay_load_graph(graph_of(WINDOW), &exec, d));
    check_error(d, INLAY_INVALID, "nobody");
    inlay_diags_free(d);
}

/* Two inputs are handed over in the other order, and an output is asked for by number and twice. */
static void runs_go_by_names(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_model *m = inlay_load_graph(graph_of("%a = Parameter-1 {element_type = i64, shape = []}\n"
                                               "%b = Parameter-1 {element_type = i64, shape = []}\n"
                                               "%minus = Subtract-1(%a, %b)\n"
                                               "%plus = Add-1(%a, %b)\n"
                                               "%r = Result-1(%minus)\n"
                                               "%s = Result-1(%plus)\n"),
                                      NULL, d);
    inlay_session *s = inlay_session_new(m->program, d);
    inlay_tensor *seven = tensor_of("i64[] 7"), *two = tensor_of("i64[] 2");
    inlay_input in[] = {{"b", two, false}, {"a", seven, false}};
    inlay_output out[] = {{"plus", NULL}, {"#0", NULL}, {"plus", NULL}};

    assert_true(inlay_session_run_named(s, in, 2, out, 3, d));
    check_tensor(out[0].tensor, "i64[] 9");
    check_tensor(out[1].tensor, "i64[] 5");
    check_tensor(out[2].tensor, "i64[] 9");
    for (int i = 0; i < 3; i++)
        inlay_tensor_release(out[i].tensor);
    in[0].name = "a";
    assert_false(inlay_session_run_named(s, in, 2, out, 3, d));
    check_error(d, INLAY_INVALID, "input \"a\" is given twice");
    assert_null(out[0].tensor);
    inlay_diags_clear(d);
    in[0].name = "c";
    assert_false(inlay_session_run_named(s, in, 2, out, 1, d));
    check_error(d, INLAY_INVALID, "there is no input \"c\"");
    inlay_diags_clear(d);
    in[0].name = "b";
    out[0].name = "plis";
    assert_false(inlay_session_run_named(s, in, 2, out, 1, d));
    check_error(d, INLAY_INVALID, "there is no output \"plis\", did you mean \"plus\"?");
    inlay_diags_clear(d);
    assert_false(inlay_session_run_named(s, in, 1, out, 0, d));
    check_error(d, INLAY_INVALID, "input \"a\" is not given");
    inlay_tensor_release(seven);
    inlay_tensor_release(two);
    inlay_session_free(s);
    inlay_model_free(m);
    inlay_diags_free(d);
}

static void constants_have_their_forms(void **state)
{
    inlay_graph *g = inlay_graph_new("g", NULL);

    check_tensor(inlay_build_i64(g, "a", -3, NULL)->fact.content, "i64[1] -3");
    check_tensor(inlay_build_i64_list(g, "b", (int64_t[]){1, 2}, 2, NULL)->fact.content,
                 "i64[2] 1 2");
    assert_int_equal(inlay_build_i64_list(g, "c", NULL, 0, NULL)->fact.dims[0].hi, 0);
    check_tensor(inlay_build_i64_scalar(g, "d", 5, NULL)->fact.content, "i64[] 5");
    check_tensor(inlay_build_f32(g, "e", 0.5F, NULL)->fact.content, "f32[1] 0.5");
    check_tensor(inlay_build_f32_list(g, "f", (float[]){1, -2}, 2, NULL)->fact.content,
                 "f32[2] 1 -2");
    check_tensor(inlay_build_f32_scalar(g, "g", 1.5F, NULL)->fact.content, "f32[] 1.5");
    inlay_graph_free(g);
}

/* Attributes are there when the node is checked, and count its outputs. */
static void attributes_are_set_before_the_check(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of("%x = Parameter-1 {element_type = f32, shape = [6]}\n");
    inlay_value *in[] = {&g->first->out[0], inlay_build_i64_scalar(g, "axis", 0, d)};
    inlay_node *n = inlay_build_begin(g, "parts", "Split", in, 2, d);
    size_t n_nodes = g->n_nodes;

    n = inlay_build_end(n, n && inlay_node_set_int(n, "num_splits", 3, d), d);
    assert_non_null(n);
    assert_int_equal(n->n_out, 3);
    assert_int_equal(n->out[2].fact.dims[0].lo, 2);

    n = inlay_build_begin(g, "again", "Split", in, 2, d);
    n = inlay_build_end(n, n && inlay_node_set_int(n, "no_such", 3, d), d);
    assert_null(n);
    check_error(d, INLAY_INVALID, "no_such");
    assert_int_equal(g->n_nodes, n_nodes);
    inlay_diags_clear(d);

    n = inlay_build_begin(g, "again", "Split", in, 2, d);
    assert_null(inlay_build_end(n, true, d)); /* num_splits is required */
    check_error(d, INLAY_INVALID, "again");
    assert_int_equal(g->n_nodes, n_nodes);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static void the_version_is_one(void **state)
{
    char text[40];

    snprintf(text, sizeof text, "%d.%d.%d", INLAY_VERSION_MAJOR, INLAY_VERSION_MINOR,
             INLAY_VERSION_PATCH);
    assert_string_equal(INLAY_VERSION, text);
    assert_string_equal(inlay_version(), text);
    assert_int_equal(INLAY_VERSION_NUMBER,
                     INLAY_VERSION_MAJOR * 10000 + INLAY_VERSION_MINOR * 100 + INLAY_VERSION_PATCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_graph_is_optimised_and_runs_planned),
        cmocka_unit_test(the_default_executor_is_planned),
        cmocka_unit_test(loading_fails_where_a_step_does),
        cmocka_unit_test(runs_go_by_names),
        cmocka_unit_test(constants_have_their_forms),
        cmocka_unit_test(attributes_are_set_before_the_check),
        cmocka_unit_test(the_version_is_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
