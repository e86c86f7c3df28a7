/* These are the messages of trials, of the maker of inputs and of the pass manager. */
#include "ir/shared.h"
#include "passes/passes.h"
#include "passes/verify/verify.h"
#include "tests/unit/graphs.h"
#include "tests/unit/models.h"
#include "unit.h"

#define X(type) "%x = Parameter {element_type = " type ", shape = [2]}\n"
#define SAME X("f32") "%y = ReLU(%x)\n%r = Result(%y)\n"
#define READ(name) "%v = ReadValue(%x) {variable_id = \"" name "\"}\n"
#define ASSIGN(name, value) "%a = Assign(%" value ") {variable_id = \"" name "\"}\n"

static void check_differ(const char *a, const char *b, const char *why)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_graph *ga = graph_of(a), *gb = graph_of(b);
    inlay_verify_options o = {.trials = 1};
    inlay_verify_result result;
    inlay_diags *d = inlay_diags_new();

    assert_true(inlay_verify(ga, &e, gb, &e, &o, &result, d));
    assert_int_equal(result.verdict, INLAY_NOT_SAME);
    assert_string_equal(result.why, why);
    assert_int_equal(inlay_diags_count(d), 0);
    inlay_diags_free(d);
    inlay_graph_free(ga);
    inlay_graph_free(gb);
}

static void test_signatures(void **state)
{
    check_differ(SAME, "%y = Const {value = f32[2] [1, 2]}\n%r = Result(%y)\n",
                 "the first graph has 1 input, the second 0 inputs");
    check_differ(SAME, SAME "%q = Result(%y)\n",
                 "the first graph has 1 output, the second 2 outputs");
    check_differ(SAME, X("f32") READ("v") ASSIGN("v", "x") "%r = Result(%v)\n",
                 "the first graph has 0 variables, the second 1 variable");
    check_differ(X("f32") READ("u") ASSIGN("u", "x") "%r = Result(%v)\n",
                 X("f32") READ("v") ASSIGN("v", "x") "%r = Result(%v)\n",
                 "the second graph has no variable \"u\"");
    check_differ(SAME, X("i32") "%y = ReLU(%x)\n%r = Result(%y)\n",
                 "input \"x\" has type f32 in the first graph, i32 in the second");
}

static int runs;

static bool count_runs(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                       inlay_tensor **out, inlay_tensor **variables, inlay_diags *d)
{
    const inlay_evaluator *reference = ctx;

    runs++;
    return reference->eval_graph(reference->ctx, g, in, out, variables, d);
}

/* Returns how often graphs run in TRIALS trials, whatever their sizes a failure. */
static int runs_that_fail(int trials)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL), e = reference;
    inlay_graph *g = graph_of("%x = Parameter {element_type = f32, shape = [?]}\n"
                              "%i = Const {value = i64[1] [1000000]}\n"
                              "%y = GatherElements(%x, %i) {axis = 0}\n%r = Result(%y)\n");
    inlay_verify_options o = {.trials = trials};
    inlay_verify_result result;
    inlay_diags *d = inlay_diags_new();

    runs = 0;
    e.eval_graph = count_runs;
    e.ctx = &reference;
    assert_true(inlay_verify(g, &e, g, &e, &o, &result, d));
    assert_int_equal(result.counted, 0);
    inlay_diags_free(d);
    inlay_graph_free(g);
    return runs;
}

/* Where eight searches of sizes have failed, a trial is tried in its plainer forms alone. */
static void test_searches_end(void **state)
{
    int early = runs_that_fail(8), late = runs_that_fail(48);

    assert_in_range(late - early, 40, 40 * 2 * (VERIFY_PLAINER + 2));
}

#define GATHER(index)                                                                              \
    X("f32")                                                                                       \
    "%i = Const {value = i64[1] [" index "]}\n"                                                    \
    "%y = GatherElements(%x, %i) {axis = 0}\n%r = Result(%y)\n"

static void test_runs(void **state)
{
    check_differ(
        GATHER("0"), GATHER("5"),
        "only the second graph fails: node \"y\" (GatherElements-6): indices[0] is 5, axis 0 has 2 "
        "elements");
    check_differ(
        GATHER("5"), GATHER("0"),
        "only the first graph fails: node \"y\" (GatherElements-6): indices[0] is 5, axis 0 has 2 "
        "elements");
    check_differ("%x = Parameter {element_type = i32, shape = [1]}\n%y = Subtract(%x, %x)\n"
                 "%r = Result(%y)\n",
                 "%x = Parameter {element_type = i32, shape = [1]}\n%z = Subtract(%x, %x)\n"
                 "%one = Const {value = i32[1] [1]}\n%y = Add(%z, %one)\n%r = Result(%y)\n",
                 "output \"y\" of the second graph: element [0] is 1, it must be 0; 1 of 1 element "
                 "differs, the worst error is 1");
}

#define TWO_FAULTS(sum)                                                                            \
    "%x = Parameter {element_type = i32, shape = [2]}\n"                                           \
    "%zero = Const {value = i32[] 0}\n%a = Divide(%x, %zero)\n"                                    \
    "%i = Const {value = i64[2] [5, 5]}\n%b = GatherElements(%x, %i) {axis = 0}\n"                 \
    "%y = Add(" sum ")\n%r = Result(%y)\n"

/* One function is written in two orders: each graph fails at what runs first. A comparison of the
 * faults would call the graphs different; the void trials do not make them the same either. */
static void test_faults_are_not_compared(void **state)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_graph *a = graph_of(TWO_FAULTS("%a, %b")), *b = graph_of(TWO_FAULTS("%b, %a"));
    inlay_verify_options o = {.trials = 4};
    inlay_verify_result result;

    assert_true(inlay_verify(a, &e, b, &e, &o, &result, NULL));
    assert_int_equal(result.verdict, INLAY_INCONCLUSIVE);
    assert_int_equal(result.counted, 0);
    assert_non_null(strstr(result.why, "both graphs fail, the first: node \"a\" (Divide-1)"));
    assert_non_null(strstr(result.why, "; the second: node \"b\" (GatherElements-6)"));
    inlay_graph_free(a);
    inlay_graph_free(b);
}

/* In one graph the variable keeps its old value, and in the other the value is doubled. */
static void test_variables(void **state)
{
    check_differ(X("f32") READ("v") ASSIGN("v", "v") "%r = Result(%x)\n",
                 X("f32") READ("v") "%r = Result(%x)\n",
                 "variable \"v\" is set by the first graph only");
    check_differ(X("f32") READ("v") "%r = Result(%x)\n",
                 X("f32") READ("v") ASSIGN("v", "v") "%r = Result(%x)\n",
                 "variable \"v\" is set by the second graph only");
    check_differ(
        X("i32") READ("v") ASSIGN("v", "v") "%r = Result(%x)\n",
        X("i32") READ("v") "%one = Const {value = i32[] 1}\n%w = Add(%v, %one)\n" ASSIGN(
            "v", "w") "%r = Result(%x)\n",
        "variable \"v\" of the second graph after step 1: element [0] is 8, it must be 7; 2 "
        "of 2 elements differ, the worst error is 1");
}

static void test_no_memory_is_no_difference(void **state)
{
    inlay_exec_options limit = {.max_memory = 4};
    inlay_evaluator e = inlay_reference_evaluator(&limit);
    inlay_graph *g = graph_of(SAME);
    inlay_verify_result result;
    inlay_diags *d = inlay_diags_new();

    assert_false(inlay_verify(g, &e, g, &e, NULL, &result, d));
    check_error(d, INLAY_NO_RESOURCE,
                "node \"y\" (ReLU-1): 40 bytes are needed; with the 0 in use that is over the "
                "memory limit of 4 bytes");
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static void check_wish(const char *wish, const char *said)
{
    inlay_graph *g = graph_of("%x = Parameter {element_type = f32, shape = [2..4,?]}\n"
                              "%r = Result(%x)\n");
    inlay_diags *d = inlay_diags_new();
    inlay_tensor *in[1] = {NULL};
    inlay_shape shape;
    inlay_make_options o = {.shapes = &shape};
    const char *why;

    assert_true(inlay_shape_parse(wish, &shape, &why));
    assert_false(inlay_make_inputs(g, &o, in, d));
    assert_string_equal(model_messages(d), said);
    assert_null(in[0]);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static void test_wished_shapes(void **state)
{
    check_wish("[3]", "2: error: node \"x\" (Parameter-1): the shape asked for, [3], has rank 1, "
                      "it must have rank 2 as [2..4,?]");
    check_wish("[5,1]",
               "2: error: node \"x\" (Parameter-1): dimension 0 asked for is 5, it must be "
               "2..4");
}

/* Checks that Parameter 1 of NODES always gets a number in [LO, HI]. */
static void check_made(const char *nodes, int64_t lo, int64_t hi)
{
    inlay_graph *g = graph_of(nodes);

    for (uint64_t seed = 0; seed < 50; seed++) {
        inlay_make_options o = {.seed = seed};
        inlay_tensor *in[2] = {NULL, NULL};

        assert_true(inlay_make_inputs(g, &o, in, NULL));
        assert_in_range(inlay_tensor_get_i64(in[1], 0), lo, hi);
        inlay_tensor_release(in[0]);
        inlay_tensor_release(in[1]);
    }
    inlay_graph_free(g);
}

/* Operands that are counts or axes make sense for some values only; a Loop of -1 iterations would
 * not end. */
static void test_made_up_counts(void **state)
{
#define N "%n = Parameter {element_type = i64, shape = []}\n"
#define LEVELS "%on = Const {value = f32[] 1}\n%off = Const {value = f32[] 0}\n"
    check_made(X("f32") N "%y = CumSum(%x, %n)\n%r = Result(%y)\n", 0, 0);
    check_made(X("i64") N LEVELS "%y = OneHot(%x, %n, %on, %off) {axis = 0}\n%r = Result(%y)\n", 1,
               3);
    check_made(X("f32") N "%y = TopK(%x, %n) {axis = 0, mode = max, sort = value}\n"
                          "%r = Result(%y:0)\n",
               1, 3);
    check_made(X("f32") N "%true = Const {value = boolean[] true}\n"
                          "%y:1 = Loop(%n, %true, %x)\n"
                          "body \"b\" {\n"
                          "%a = Parameter {element_type = f32, shape = [2]}\n"
                          "%go = Const {value = boolean[] true}\n"
                          "%again = Result(%go)\n"
                          "%same = Result(%a)\n"
                          "}\n"
                          "in 2 -> %a\nout %again -> none condition\nout %same -> 0\n"
                          "%r = Result(%y)\n",
               1, 3);
}

/* Without options all inputs are random, the seed is 0, and there are no wishes. */
static void test_made_up_without_options(void **state)
{
    static const inlay_make_options none;
    inlay_graph *g = graph_of(SAME);
    inlay_tensor *in[1] = {NULL}, *same[1] = {NULL};

    assert_true(inlay_make_inputs(g, NULL, in, NULL));
    assert_true(inlay_make_inputs(g, &none, same, NULL));
    assert_true(inlay_tensor_equal(in[0], same[0]));
    inlay_tensor_release(in[0]);
    inlay_tensor_release(same[0]);
    inlay_graph_free(g);
}

static bool break_it(void *ctx, const inlay_event *e, inlay_diags *d)
{
    inlay_node *r = inlay_graph_node(e->graph, "r");

    (void)ctx;
    return e->kind != INLAY_EVENT_PASS_ENDS || strcmp(e->pass, "infer-shapes") != 0 ||
           inlay_node_set_input(r, 0, NULL, d);
}

/* The callback breaks the graph behind a pass that cannot notice; the next one is blamed. */
static void test_a_graph_that_a_pass_broke(void **state)
{
    inlay_graph *g = graph_of(SAME);
    inlay_pass_options o = {
        .passes = "infer-shapes,eliminate-dead", .check = true, .events = {break_it, NULL, false}};
    inlay_diags *d = inlay_diags_new();

    assert_false(inlay_run_passes(g, &o, d));
    assert_string_equal(model_messages(d),
                        "4: error: pass eliminate-dead leaves a graph that cannot be read again: "
                        "node \"r\" (Result-1): input 0 \"value\" is missing");
    inlay_diags_free(d);
    inlay_graph_free(g);
}

/* A node stays that the rule refuses once an operand is a constant: the rule would refuse it in a
 * run. */
static void test_folding_finds_a_fault(void **state)
{
    inlay_graph *g = graph_of("%x = Parameter {element_type = f32, shape = [3]}\n"
                              "%f = Const {value = f32[2] [4, 4]}\n"
                              "%p = Convert(%f) {destination_type = i64}\n"
                              "%y = Reshape(%x, %p) {special_zero = false}\n%r = Result(%y)\n");
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_pass_options o = {.passes = "fold-constants", .evaluator = &e};
    inlay_diags *d = inlay_diags_new();

    assert_true(inlay_run_passes(g, &o, d));
    assert_string_equal(model_messages(d),
                        "5: warning: node \"y\" (Reshape-1): data [3] cannot be reshaped to [4,4]: "
                        "the numbers of elements differ; the node is left as it is");
    assert_non_null(inlay_graph_node(g, "y"));
    inlay_diags_free(d);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_searches_end),
        cmocka_unit_test(test_signatures),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_faults_are_not_compared),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_no_memory_is_no_difference),
        cmocka_unit_test(test_wished_shapes),
        cmocka_unit_test(test_made_up_counts),
        cmocka_unit_test(test_made_up_without_options),
        cmocka_unit_test(test_a_graph_that_a_pass_broke),
        cmocka_unit_test(test_folding_finds_a_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
