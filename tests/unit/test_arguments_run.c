/* Functions of rules, passes and runs are misused: see test_arguments.c. */
#include "front/front.h"
#include "generate/generate.h"
#include "inlay_ops.h"
#include "ir/shared.h"
#include "misused.h"
#include "unit.h"

static void test_rules(void **state)
{
    char call[40];
    inlay_proof proof;
    inlay_check check;
    misused s = misused_of(SOUND);

    REFUSED_QUIETLY(inlay_pass_at(NULL, inlay_pass_count(NULL)).name);
    REFUSED_QUIETLY(inlay_pipeline_at(NULL, inlay_pipeline_count(NULL)).name);
    assert_string_equal(inlay_decision_text(NULL), "");
    assert_string_equal(inlay_decision_remedy(NULL), "");
    assert_int_equal(inlay_node_runs(NULL), 1);
    assert_string_equal(inlay_decision_text(&(inlay_decision){.by = s.b}), "");
    assert_string_equal(inlay_exactness_text((inlay_exactness)9), "");
    REFUSED(inlay_rules_parse(NULL, "", 0, s.d), "error: no name of a file is given");
    REFUSED(inlay_rules_parse("x", NULL, 9, s.d), "error: no text is given");
    REFUSED(inlay_rules_parse_of(NULL, NULL, "", 0, s.d), "error: no name of a file is given");
    REFUSED(inlay_rules_parse_in(NULL, NULL, "x", NULL, 0, s.d), "error: no text is given");
    REFUSED(inlay_prove(NULL, 3, NULL, &proof, s.d), "error: there is no rule 3");
    REFUSED(inlay_prove(inlay_rules_builtin("turn", NULL), 0, NULL, &proof, s.d),
            "error: no solver is given");
    inlay_proof_free(NULL);
    REFUSED(inlay_check_rule(NULL, 3, NULL, &check, s.d), "error: there is no rule 3");
    REFUSED(inlay_check_rule(inlay_rules_builtin("turn", NULL), 0, NULL, &check, s.d),
            "error: no evaluator is given");
    inlay_check_free(NULL);
    inlay_rules_free(NULL);
    assert_int_equal(inlay_rules_count(NULL), 0);
    REFUSED_QUIETLY(inlay_rules_at(NULL, 0).name);
    REFUSED_QUIETLY(inlay_rule_set_at(SIZE_MAX));
    REFUSED_QUIETLY(inlay_rule_function_at(SIZE_MAX).name);
    assert_string_equal(inlay_rule_function_text(SIZE_MAX, call, sizeof call), "");
    REFUSED(inlay_rules_builtin(NULL, s.d), "error: no name of a set of rules is given");
    misused_free(&s);
}

static void test_passes(void **state)
{
    misused s = misused_of(SOUND);
    const inlay_evaluator empty = {NULL, NULL, NULL};
    const inlay_rules *none[] = {NULL};
    const char *const names[] = {NULL};

    REFUSED(inlay_run_passes(NULL, NULL, s.d), no_graph);
    REFUSED(inlay_run_passes(s.g, &(inlay_pass_options){.n_disable = 1}, s.d),
            "error: no list of passes to leave out is given");
    REFUSED(inlay_run_passes(s.g, &(inlay_pass_options){.disable = names, .n_disable = 1}, s.d),
            "error: entry 0 of the list of passes to leave out is missing");
    REFUSED(inlay_run_passes(s.g, &(inlay_pass_options){.n_rules = -1}, s.d),
            "error: a list of -1 sets of rules is given");
    REFUSED(inlay_run_passes(s.g, &(inlay_pass_options){.rules = none, .n_rules = 1}, s.d),
            "error: no set of rules is given");
    REFUSED(inlay_run_passes(s.g, &(inlay_pass_options){.evaluator = &empty}, s.d),
            "error: an evaluator is empty");
    misused_free(&s);
}

static bool no_bytes(void *ctx, const char *bytes, size_t n)
{
    (void)ctx;
    (void)bytes;
    (void)n;
    return false;
}

static void test_certificates(void **state)
{
    misused s = misused_of(SOUND);
    const inlay_sink empty = {NULL, NULL}, full = {no_bytes, NULL};
    const inlay_event e = {.kind = INLAY_EVENT_PASS_ENDS};

    REFUSED(inlay_certificate_begin(NULL, &full, s.d), no_graph);
    REFUSED(inlay_certificate_begin(s.g, &empty, s.d), "error: a sink is empty");
    REFUSED(inlay_certificate_told(NULL, &e, s.d), "error: no certificate is given");
    assert_true(inlay_certificate_end(NULL, s.d));
    misused_free(&s);
}

static bool no_pass(inlay_graph *g, inlay_pass_run *r)
{
    (void)g;
    (void)r;
    return true;
}

static bool add_none(inlay_pass_registry *p, inlay_diags *d)
{
    (void)p;
    (void)d;
    return true;
}

static void test_registry(void **state)
{
    misused s = misused_of(SOUND);
    inlay_pass_registry *p = inlay_pass_registry_new(NULL);
    const inlay_pass_info info = {"mine", "One."}, nameless = {NULL, "One."}, mute = {"mine", NULL};
    const char *const none[] = {NULL};
    const inlay_plugin sound = {INLAY_PLUGIN_VERSION, INLAY_PLUGIN_LAYOUT, add_none};
    const inlay_plugin empty = {INLAY_PLUGIN_VERSION, INLAY_PLUGIN_LAYOUT, NULL};
    bool done;

    assert_non_null(p);
    REFUSED(inlay_pass_register(NULL, &info, no_pass, NULL, s.d),
            "error: no registry of passes is given");
    REFUSED(inlay_pass_register(p, NULL, no_pass, NULL, s.d),
            "error: no description of a pass is given");
    REFUSED(inlay_pass_register(p, &nameless, no_pass, NULL, s.d),
            "error: no name of a pass is given");
    REFUSED(inlay_pass_register(p, &mute, no_pass, NULL, s.d),
            "error: no summary of a pass is given");
    REFUSED(inlay_pass_register(p, &info, NULL, NULL, s.d), "error: pass \"mine\" has no function");
    assert_int_equal(inlay_pass_exactness(NULL, NULL), INLAY_EXACT);
    assert_int_equal(inlay_pass_exactness(p, "no such pass"), INLAY_EXACT);
    assert_false(inlay_certificate_is_full(NULL));
    REFUSED(inlay_pipeline_register(NULL, "mine", none, s.d),
            "error: no registry of passes is given");
    REFUSED(inlay_pipeline_register(p, NULL, none, s.d), "error: no name of a pipeline is given");
    REFUSED(inlay_pipeline_register(p, "mine", NULL, s.d), "error: no list of passes is given");
    REFUSED(inlay_plugin_add(p, "x.so", NULL, s.d), "error: no plugin is given");
    REFUSED(inlay_plugin_add(NULL, "x.so", &sound, s.d), "error: no registry of passes is given");
    REFUSED(inlay_plugin_add(p, "x.so", &empty, s.d),
            "error: the plugin adds nothing: it has no function");
    inlay_pass_registry_free(p);
    inlay_pass_registry_free(NULL);
    assert_null(inlay_pass_diags(NULL));
    assert_null(inlay_pass_context(NULL));
    assert_null(inlay_pass_evaluator(NULL));
    inlay_pass_changed(NULL, 1);
    assert_false(inlay_pass_begin(NULL, s.b));
    assert_false(inlay_pass_end(NULL, true));
    assert_false(inlay_pass_each_graph(NULL, no_pass, NULL));
    REFUSED(inlay_replace_by_old(NULL, &s.b->out[0], &done, s.d), "error: no value is given");
    REFUSED(inlay_replace_by_old(&s.b->out[0], NULL, &done, s.d), "error: no value is given");
    REFUSED(inlay_replace_by_new(NULL, &s.b->out[0], s.d), "error: no value is given");
    REFUSED(inlay_replace_by_new(&s.b->out[0], NULL, s.d), "error: no value is given");
    misused_free(&s);
    s = misused_of(SOUND "%k = Const-1 {value = i64[] 0}\n%p:2 = Split(%x, %k) {num_splits = 2}\n");
    REFUSED(inlay_replace_by_new(&s.b->out[0], &inlay_graph_node(s.g, "p")->out[0], s.d),
            "6: error: node \"p\" (Split-1): a node of 2 outputs cannot replace one of 1");
    misused_free(&s);
}

static void test_proving(void **state)
{
    misused s = misused_of(SOUND);
    inlay_evaluator e = inlay_reference_evaluator(NULL), empty = {NULL, NULL, NULL};
    inlay_shape wide = {.rank = 77};
    inlay_fill fill = (inlay_fill)99;
    inlay_verify_result result;
    inlay_tensor *in[] = {NULL};

    REFUSED_QUIETLY(inlay_fill_by_name(NULL, &fill));
    REFUSED(inlay_make_inputs(NULL, NULL, in, s.d), no_graph);
    REFUSED(inlay_make_inputs(s.g, NULL, NULL, s.d), "error: no list of inputs is given");
    REFUSED(inlay_make_inputs(s.g, &(inlay_make_options){.fills = &fill}, in, s.d),
            "error: there is no way 99 to fill a tensor");
    REFUSED(inlay_make_inputs(s.g, &(inlay_make_options){.shapes = &wide}, in, s.d),
            "error: a shape has rank 77, it must be in [-1, 32]");
    REFUSED(inlay_verify(NULL, &e, s.g, &e, NULL, &result, s.d), no_graph);
    REFUSED(inlay_verify(s.g, &e, NULL, &e, NULL, &result, s.d), no_graph);
    REFUSED(inlay_verify(s.g, NULL, s.g, &e, NULL, &result, s.d), "error: no evaluator is given");
    REFUSED(inlay_verify(s.g, &e, s.g, &empty, NULL, &result, s.d), "error: an evaluator is empty");
    REFUSED(inlay_verify(s.g, &e, s.g, &e, &(inlay_verify_options){.shapes = &wide}, &result, s.d),
            "error: a shape has rank 77, it must be in [-1, 32]");
    assert_non_null(
        inlay_node_new(s.g, inlay_op_find(NULL, "Parameter", NULL, NULL, s.d), "bare", 0, 0, s.d));
    REFUSED(inlay_make_inputs(s.g, NULL, (inlay_tensor *[2]){NULL}, s.d),
            "error: node \"bare\" (Parameter-1): has 0 outputs, it must have 1");
    REFUSED(inlay_verify(s.g, &e, s.g, &e, NULL, &result, s.d),
            "error: node \"bare\" (Parameter-1): has 0 outputs, it must have 1");
    misused_free(&s);
}

static void explorations(void **state)
{
    misused s = misused_of(SOUND);
    inlay_explore_options none = {.n_rules = 0};
    inlay_exploration found;
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    const inlay_tensor *nothing = NULL;
    inlay_verify_result tried;
    inlay_value_difference difference;
    inlay_symbolic_options terms = {.max_terms = 1};
    inlay_symbolic_result proof;
    inlay_pieces_options no_pairs = {.n_pairs = 0};
    inlay_pieces_result pieces;
    inlay_measure measure;
    char text[80];

    REFUSED(inlay_explore(NULL, &none, &found, s.d), no_graph);
    assert_null(found.graphs);
    REFUSED(inlay_explore(s.g, NULL, &found, s.d), "error: no list of options is given");
    inlay_exploration_free(&found);
    inlay_exploration_free(NULL);
    REFUSED(inlay_verify_exhaustive(NULL, &e, s.g, &e, NULL, 1, &tried, s.d), no_graph);
    assert_false(inlay_verify_untried(NULL, NULL, text, sizeof text));
    assert_false(inlay_verify_untried(s.g, NULL, text, 0));
    REFUSED(inlay_find_difference(NULL, &e, s.g, &e, &nothing, NULL, &difference, s.d), no_graph);
    REFUSED(inlay_find_difference(s.g, &e, s.g, &e, NULL, NULL, &difference, s.d),
            "error: no list of inputs is given");
    REFUSED(inlay_symbolic_same(s.g, NULL, &terms, &proof, s.d), no_graph);
    REFUSED(inlay_symbolic_same(NULL, s.g, &terms, &proof, s.d), no_graph);
    REFUSED(inlay_symbolic_same(s.g, s.g, NULL, &proof, s.d), "error: no list of options is given");
    REFUSED(inlay_symbolic_pieces(s.g, NULL, &no_pairs, &pieces, s.d), no_graph);
    REFUSED(inlay_symbolic_pieces(NULL, s.g, &no_pairs, &pieces, s.d), no_graph);
    REFUSED(inlay_symbolic_pieces(s.g, s.g, NULL, &pieces, s.d),
            "error: no list of options is given");
    REFUSED(inlay_measure_graph(NULL, &measure, s.d), no_graph);
    assert_int_equal(inlay_measure_compare(&measure, &measure), 0);
    assert_null(inlay_measure_name(INLAY_MEASURES));
    misused_free(&s);
}

static void test_reducing(void **state)
{
    misused s = misused_of(SOUND);
    inlay_reduce_options nobody = {.tries = 1};
    inlay_reduce_result result;

    REFUSED(inlay_reduce(NULL, &nobody, &result, s.d), no_graph);
    REFUSED(inlay_reduce(s.g, NULL, &result, s.d), "error: no list of options is given");
    REFUSED(inlay_reduce(s.g, &nobody, &result, s.d),
            "error: it is not said what a graph is to keep");
    assert_null(result.graph);
    misused_free(&s);
}

static void test_generating(void **state)
{
    misused s = misused_of(SOUND);
    static const char *const none[] = {"no such family", NULL};

    REFUSED(inlay_generate(NULL, s.d), "error: no list of options is given");
    REFUSED(inlay_generate(&(inlay_generate_options){.mix = (inlay_generate_mix)9}, s.d),
            "error: there is no mix 9");
    REFUSED(inlay_generate(&(inlay_generate_options){.families = none}, s.d),
            "error: no operation is allowed that a graph can be made of");
    misused_free(&s);
}

static void test_programs(void **state)
{
    misused s = misused_of(SOUND);
    inlay_program *p = inlay_compile(s.g, NULL, s.d);
    const char *const names[] = {NULL};
    inlay_memory_plan plan;
    inlay_program_plan steps;

    assert_non_null(p);
    REFUSED(inlay_compile(NULL, NULL, s.d), no_graph);
    REFUSED(inlay_compile(s.g, &(inlay_exec_options){.n_keep = 1}, s.d),
            "error: no list of values to keep is given");
    REFUSED(inlay_compile(s.g, &(inlay_exec_options){.n_keep = 1, .keep = names}, s.d),
            "error: entry 0 of the list of values to keep is missing");
    REFUSED(inlay_compile(s.g, &(inlay_exec_options){.mode = (inlay_exec_mode)5}, s.d),
            "error: there is no mode 5 with 0 threads");
    REFUSED(inlay_compile(s.g, &(inlay_exec_options){.kernels = (inlay_kernels)5}, s.d),
            "error: there are no kernels 5");
    REFUSED(inlay_compile(s.g, &(inlay_exec_options){.threads = -1}, s.d),
            "error: there is no mode 0 with -1 threads");
    REFUSED(inlay_compile(s.g, &(inlay_exec_options){.threads = INLAY_MAX_THREADS + 1}, s.d),
            "error: a program cannot have 1025 threads, the most is 1024");
    assert_in_range(inlay_processors(), 1, INLAY_MAX_THREADS);
    inlay_program_free(NULL);
    REFUSED(inlay_session_new(NULL, s.d), "error: no program is given");
    REFUSED(inlay_memory_plan_make(NULL, &plan, s.d), no_graph);
    REFUSED(inlay_program_plan_make(NULL, INLAY_KERNELS_PORTABLE, &steps, s.d), no_graph);
    inlay_program_plan_free(NULL);
    inlay_memory_plan_free(NULL);
    inlay_program_free(p);
    misused_free(&s);
}

static void test_models(void **state)
{
    misused s = misused_of(SOUND);
    inlay_load_options o = {.exec.threads = -1};

    inlay_model_free(NULL);
    REFUSED(inlay_load(NULL, NULL, s.d), "error: no path is given");
    REFUSED(inlay_load_graph(NULL, NULL, s.d), no_graph);
    REFUSED(inlay_load_graph(inlay_graph_clone(s.g, s.d), &o, s.d),
            "error: there is no mode 0 with -1 threads");
    misused_free(&s);
}

static void test_views(void **state)
{
    misused s = misused_of(SOUND);
    inlay_view *v = inlay_view_new(NULL, s.d);
    const inlay_view_graph none = {0};
    const inlay_sink nowhere = {0};

    assert_non_null(v);
    assert_int_equal(inlay_view_bytes(NULL), 0);
    REFUSED(inlay_view_add(NULL, &none, s.d), "error: no view is given");
    REFUSED(inlay_view_add(v, NULL, s.d), "error: no graph to show is given");
    REFUSED(inlay_view_add(v, &none, s.d), no_graph);
    REFUSED(inlay_view_write(NULL, &nowhere, s.d), "error: no view is given");
    REFUSED(inlay_view_write(v, NULL, s.d), "error: no sink is given");
    REFUSED(inlay_view_write(v, &nowhere, s.d), "error: a sink is empty");
    inlay_view_free(v);
    inlay_view_free(NULL);
    misused_free(&s);
}

static void test_sessions(void **state)
{
    misused s = misused_of(SOUND);
    inlay_program *p = inlay_compile(s.g, NULL, s.d);
    inlay_session *session = inlay_session_new(p, s.d);
    const inlay_tensor *in[] = {NULL};
    inlay_tensor *out[1];
    inlay_input given = {NULL, NULL, false};
    inlay_output wanted = {NULL, NULL};
    inlay_exec_stats stats;

    inlay_session_free(NULL);
    REFUSED(inlay_session_run(NULL, in, NULL, out, s.d), "error: no session is given");
    REFUSED(inlay_session_run(session, NULL, NULL, out, s.d), "error: no list of inputs is given");
    REFUSED(inlay_session_run(session, in, NULL, NULL, s.d), "error: no list of outputs is given");
    REFUSED(inlay_session_run(session, in, NULL, out, s.d),
            "2: error: node \"x\" (Parameter-1): no tensor is given for this input");
    REFUSED(inlay_session_run_named(NULL, &given, 1, &wanted, 1, s.d),
            "error: no session is given");
    REFUSED(inlay_session_run_named(session, NULL, 1, &wanted, 1, s.d),
            "error: no list of inputs is given");
    REFUSED(inlay_session_run_named(session, &given, 1, NULL, 1, s.d),
            "error: no list of outputs is given");
    REFUSED(inlay_session_run_named(session, &given, 1, &wanted, 1, s.d),
            "error: no name of an input is given");
    given.name = "x";
    REFUSED(inlay_session_run_named(session, &given, 1, &wanted, 1, s.d),
            "error: no tensor is given");
    REFUSED(inlay_session_run_named(session, NULL, 0, &wanted, 1, s.d),
            "error: input \"x\" is not given");
    REFUSED_QUIETLY(inlay_session_kept(NULL, 0));
    REFUSED_QUIETLY(inlay_session_kept(session, 0));
    REFUSED_QUIETLY(inlay_session_variable(NULL, 0));
    REFUSED_QUIETLY(inlay_session_variable(session, -1));
    REFUSED(inlay_session_set_variable(NULL, 0, NULL, s.d), "error: no session is given");
    REFUSED(inlay_session_set_variable(session, 0, NULL, s.d),
            "error: there is no variable 0, the graph has 0");
    REFUSED(inlay_session_bind_output(NULL, 0, NULL, s.d), "error: no session is given");
    REFUSED(inlay_session_bind_output(session, 7, NULL, s.d),
            "error: there is no output 7, the graph has 1");
    inlay_session_cancel(NULL);
    inlay_session_reset(NULL);
    inlay_session_stats(NULL, &stats);
    assert_int_equal(stats.nodes, 0);
    inlay_session_free(session);
    inlay_program_free(p);
    misused_free(&s);
}

static void test_evaluators(void **state)
{
    misused s = misused_of(SOUND);
    inlay_evaluator list[] = {inlay_reference_evaluator(NULL), inlay_planned_evaluator(NULL)};
    const inlay_tensor *in[] = {NULL};
    inlay_tensor *out[1];

    for (int i = 0; i < 2; i++) {
        REFUSED(list[i].eval_node(list[i].ctx, NULL, in, out, s.d), no_node);
        REFUSED(list[i].eval_node(list[i].ctx, s.b, NULL, out, s.d),
                "error: no list of operands is given");
        REFUSED(list[i].eval_node(list[i].ctx, s.b, in, out, s.d),
                "3: error: node \"b\" (ReLU-1): the tensor given for input 0 is missing");
        REFUSED(list[i].eval_graph(list[i].ctx, NULL, in, out, NULL, s.d), no_graph);
        REFUSED(list[i].eval_graph(list[i].ctx, s.g, NULL, out, NULL, s.d),
                "error: no list of inputs is given");
    }
    misused_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_certificates), cmocka_unit_test(test_registry),
        cmocka_unit_test(test_proving),      cmocka_unit_test(explorations),
        cmocka_unit_test(test_reducing),     cmocka_unit_test(test_generating),
        cmocka_unit_test(test_programs),     cmocka_unit_test(test_models),
        cmocka_unit_test(test_views),        cmocka_unit_test(test_sessions),
        cmocka_unit_test(test_evaluators),
    };

    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
