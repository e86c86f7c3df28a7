/* The pass manager and the first passes. Whole-graph expectations are in tests/passes. */
#include "graphs.h"

#include "inlay_ops.h"
#include "passes/passes.h"

/* A graph on which passes run; the messages of the passes are in diags. */
typedef struct subject {
    inlay_graph *graph;
    inlay_diags *diags;
    inlay_evaluator evaluator;
    inlay_pass_options options;
} subject;

static void begin(subject *s, const char *body, const char *passes)
{
    *s = (subject){.graph = graph_of(body), .diags = inlay_diags_new()};
    s->evaluator = inlay_reference_evaluator(NULL);
    s->options = (inlay_pass_options){.passes = passes, .evaluator = &s->evaluator, .check = true};
}

static void end(subject *s)
{
    inlay_graph_free(s->graph);
    inlay_diags_free(s->diags);
}

static const inlay_diag *find(const subject *s, inlay_severity severity, const char *text)
{
    for (size_t i = 0; i < inlay_diags_count(s->diags); i++) {
        const inlay_diag *d = inlay_diags_at(s->diags, i);

        if (d->severity == severity && strstr(d->text, text))
            return d;
    }
    return NULL;
}

static void run_passes(subject *s)
{
    if (!inlay_run_passes(s->graph, &s->options, s->diags))
        fail_msg("the passes failed: %s", inlay_diags_at(s->diags, 0)->text);
}

static inlay_node *node(const subject *s, const char *name)
{
    return inlay_graph_node(s->graph, name);
}

/* Checks that the node called NAME is a constant with the elements of TEXT. */
static void check_const(const subject *s, const char *name, const char *text)
{
    inlay_node *n = node(s, name);

    assert_non_null(n);
    assert_int_equal(n->op->kind, INLAY_OP_CONST);
    check_tensor(n->out[0].fact.content, text);
}

#define FOLDS                                                                                      \
    "%a = Const-1 {value = f32[2] [1, 2]}\n"                                                       \
    "%b = Const-1 {value = f32[2] [10, 20]}\n"                                                     \
    "%sum = Add-1(%a, %b) : f32[2] as \"total\"\n"                                                 \
    "%x = Parameter-1 {element_type = f32, shape = [2]}\n"                                         \
    "%y = Multiply-1(%x, %sum)\n"                                                                  \
    "%r = Result-1(%y)\n"

static void test_folds_constants(void **state)
{
    subject s;

    begin(&s, FOLDS, "default");
    run_passes(&s);
    check_const(&s, "sum", "f32[2] 11 22");
    assert_int_equal(node(&s, "sum")->out[0].n_names, 1);
    assert_string_equal(node(&s, "sum")->out[0].names[0], "total");
    assert_null(node(&s, "a"));
    assert_int_equal(s.graph->n_nodes, 4);
    end(&s);
}

static void test_without_evaluator_nothing_is_computed(void **state)
{
    subject s;

    begin(&s, FOLDS, "fold-constants");
    s.options.evaluator = NULL;
    run_passes(&s);
    assert_int_equal(node(&s, "sum")->op->kind, INLAY_OP_ADD);
    end(&s);
}

/* The output of a folded node keeps the name by which a user calls it: its tensor name, the node's
 * name, or node.port. */
static void test_folding_keeps_result_names(void **state)
{
    subject s;

    begin(&s,
          "%a = Const-1 {value = f32[4] [1, 2, 3, 4]}\n"
          "%axis = Const-1 {value = i64[] 0}\n"
          "%halves:2 = Split-1(%a, %axis) {num_splits = 2}\n"
          "%twice = Add-1(%a, %a)\n"
          "%r0 = Result-1(%halves:1)\n"
          "%r1 = Result-1(%halves:0)\n"
          "%r2 = Result-1(%twice)\n",
          "default");
    assert_string_equal(inlay_result_names(s.graph, s.diags)[0], "halves.1");
    run_passes(&s);
    check_const(&s, "halves.1", "f32[2] 3 4");
    check_const(&s, "halves.0", "f32[2] 1 2");
    assert_string_equal(inlay_result_names(s.graph, s.diags)[0], "halves.1");
    assert_string_equal(inlay_result_names(s.graph, s.diags)[1], "halves.0");
    assert_string_equal(inlay_result_names(s.graph, s.diags)[2], "twice");
    end(&s);
}

/* Values that shape rules know need no evaluator and no constant operand. */
static void test_folds_what_shapes_say(void **state)
{
    subject s;

    begin(&s,
          "%x = Parameter-1 {element_type = f32, shape = [2,3,?]}\n"
          "%shape = ShapeOf-3(%x) {output_type = i64}\n"
          "%index = Const-1 {value = i64[2] [1, 0]}\n"
          "%axis = Const-1 {value = i64[] 0}\n"
          "%two = Gather-8(%shape, %index, %axis)\n"
          "%r0 = Result-1(%two)\n"
          "%r1 = Result-1(%shape)\n",
          "default");
    s.options.evaluator = NULL;
    run_passes(&s);
    check_const(&s, "two", "i64[2] 3 2");
    assert_int_equal(node(&s, "shape")->op->kind, INLAY_OP_SHAPE_OF);
    end(&s);
}

static void test_folds_scatter_update(void **state)
{
    subject s;

    begin(&s,
          "%data = Const-1 {value = i32[3,2] [1, 2, 3, 4, 5, 6]}\n"
          "%indices = Const-1 {value = i64[1] [1]}\n"
          "%updates = Const-1 {value = i32[1,2] [30, 40]}\n"
          "%axis = Const-1 {value = i64[] 0}\n"
          "%y = ScatterUpdate-3(%data, %indices, %updates, %axis)\n"
          "%r = Result-1(%y)\n",
          "default");
    run_passes(&s);
    check_const(&s, "y", "i32[3,2] 1 2 30 40 5 6");
    end(&s);
}

#define BIG                                                                                        \
    "%a = Const-1 {value = f32[1] [1]}\n"                                                          \
    "%n = Const-1 {value = i64[1] [1000]}\n"                                                       \
    "%b = Broadcast-3(%a, %n)\n"                                                                   \
    "%r = Result-1(%b)\n"

/* A constant f32[1000] would come from f32[1] and i64[1]: 4000 bytes for 12. */
static void test_refuses_to_blow_up(void **state)
{
    subject s;

    begin(&s, BIG, "fold-constants");
    s.options.fold_bytes = 3999;
    run_passes(&s);
    assert_int_equal(node(&s, "b")->op->kind, INLAY_OP_BROADCAST);
    assert_non_null(find(&s, INLAY_NOTE,
                         "\"b\" (Broadcast-3): not folded: the result has 4000 bytes, the limit is "
                         "3999 and the constants that would go have 12"));
    end(&s);
    begin(&s, BIG, "fold-constants");
    s.options.fold_bytes = 4000;
    run_passes(&s);
    assert_int_equal(node(&s, "b")->op->kind, INLAY_OP_CONST);
    end(&s);
}

/* The constant would be over the limit, but is not larger than the operand that goes with it. */
static void test_folds_what_shrinks(void **state)
{
    static const char once[] = "%a = Const-1 {value = i32[4] [-7, 0, 3, 4]}\n"
                               "%b = Sign-1(%a)\n"
                               "%r = Result-1(%b)\n";
    static const char shared[] = "%a = Const-1 {value = i32[4] [-7, 0, 3, 4]}\n"
                                 "%b = Sign-1(%a)\n"
                                 "%r = Result-1(%b)\n"
                                 "%s = Result-1(%a)\n";
    subject s;

    begin(&s, once, "fold-constants");
    s.options.fold_bytes = 15;
    run_passes(&s);
    check_const(&s, "b", "i32[4] -1 0 1 1");
    end(&s);
    begin(&s, shared, "fold-constants");
    s.options.fold_bytes = 15;
    run_passes(&s);
    assert_int_equal(node(&s, "b")->op->kind, INLAY_OP_SIGN);
    end(&s);
}

/* A product of two 1000 x 1000 matrices is a megabyte, but takes 1e9 multiplications. */
static void test_refuses_much_work(void **state)
{
    static const int64_t a_dims[] = {1000, 1000}, b_dims[] = {1000, 1000};
    subject s;
    inlay_tensor *a = inlay_tensor_new(INLAY_U8, 2, a_dims);
    inlay_tensor *b = inlay_tensor_new(INLAY_U8, 2, b_dims);
    inlay_value *in[2];
    inlay_node *product;

    begin(&s, "", "fold-constants");
    in[0] = inlay_build_const(s.graph, "a", a, s.diags);
    in[1] = inlay_build_const(s.graph, "b", b, s.diags);
    product = inlay_build(s.graph, "p", "MatMul", in, 2, NULL, s.diags);
    assert_non_null(product);
    assert_non_null(inlay_build_result(s.graph, "r", &product->out[0], s.diags));
    run_passes(&s);
    assert_int_equal(node(&s, "p")->op->kind, INLAY_OP_MAT_MUL);
    assert_non_null(find(&s, INLAY_NOTE,
                         "not folded: about 1000000000 element operations, the limit is "
                         "100000000"));
    inlay_tensor_release(a);
    inlay_tensor_release(b);
    end(&s);
}

/* A node that fails for its constants stays, and a note says so. */
static void test_faults_stay(void **state)
{
    subject s;

    begin(&s,
          "%data = Const-1 {value = i32[2] [5, 6]}\n"
          "%index = Const-1 {value = i64[1] [7]}\n"
          "%y = GatherElements-6(%data, %index) {axis = 0}\n"
          "%r = Result-1(%y)\n",
          "default");
    run_passes(&s);
    assert_int_equal(node(&s, "y")->op->kind, INLAY_OP_GATHER_ELEMENTS);
    assert_non_null(find(&s, INLAY_WARNING, "\"y\" (GatherElements-6): "));
    assert_non_null(find(&s, INLAY_WARNING, "; the node is left as it is"));
    assert_int_equal(inlay_diags_status(s.diags), INLAY_OK);
    end(&s);
}

static void test_keeps_weights_packed(void **state)
{
    static const int64_t dims[] = {2000};
    inlay_tensor *w = inlay_tensor_new(INLAY_I8, 1, dims);
    subject s;
    inlay_value *in[1];
    inlay_node *convert;

    begin(&s,
          "%h = Const-1 {value = f16[2] [1, 2]}\n"
          "%f = Convert-1(%h) {destination_type = f32} rt_info { attribute(name = "
          "\"decompression\") }\n"
          "%g = Convert-1(%h) {destination_type = f32}\n"
          "%r = Result-1(%f)\n"
          "%q = Result-1(%g)\n",
          "default");
    in[0] = inlay_build_const(s.graph, "w", w, s.diags);
    convert = inlay_build(s.graph, "wide", "Convert", in, 1, "destination_type=f32", s.diags);
    assert_non_null(convert);
    assert_non_null(inlay_build_result(s.graph, "t", &convert->out[0], s.diags));
    run_passes(&s);
    assert_int_equal(node(&s, "f")->op->kind, INLAY_OP_CONVERT);
    assert_int_equal(node(&s, "wide")->op->kind, INLAY_OP_CONVERT);
    check_const(&s, "g", "f32[2] 1 2");
    inlay_tensor_release(w);
    end(&s);
}

static void test_variables_are_not_folded(void **state)
{
    static const char body[] = "%zero = Const-1 {value = f32[1] [0]}\n"
                               "%old = ReadValue-6(%zero) {variable_id = \"v\"}\n"
                               "%one = Const-1 {value = f32[1] [1]}\n"
                               "%save = Assign-6(%one) {variable_id = \"v\"}\n"
                               "%r = Result-1(%old)\n";
    subject s;

    begin(&s, body, "default");
    run_passes(&s);
    assert_int_equal(node(&s, "old")->op->kind, INLAY_OP_READ_VALUE);
    assert_non_null(node(&s, "save")); /* nothing reads it, but it is an effect */
    assert_int_equal(s.graph->n_nodes, 5);
    end(&s);
}

static void test_folds_in_bodies(void **state)
{
    subject s;
    inlay_graph *body;

    begin(&s,
          "%x = Parameter-1 {element_type = i32, shape = [?]}\n"
          "%ti:1 = TensorIterator-1(%x)\n"
          "body \"b\" {\n"
          "%a = Parameter-1 {element_type = i32, shape = [1]}\n"
          "%one = Const-1 {value = i32[] 1}\n"
          "%two = Add-1(%one, %one)\n"
          "%dead = Negative-1(%a)\n"
          "%s = Add-1(%a, %two)\n"
          "%r = Result-1(%s)\n"
          "}\n"
          "in 0 -> %a axis 0 start 0 end -1 stride 1 part_size 1\n"
          "out %r -> 0 axis 0 start 0 end -1 stride 1 part_size 1\n"
          "%out = Result-1(%ti)\n",
          "default");
    run_passes(&s);
    body = node(&s, "ti")->bodies[0].graph;
    assert_int_equal(inlay_graph_node(body, "two")->op->kind, INLAY_OP_CONST);
    assert_null(inlay_graph_node(body, "dead"));
    assert_null(inlay_graph_node(body, "one"));
    assert_int_equal(body->n_nodes, 4);
    end(&s);
}

static void test_parameters_are_not_dead(void **state)
{
    subject s;

    begin(&s,
          "%x = Parameter-1 {element_type = f32, shape = [1]}\n"
          "%unused = Parameter-1 {element_type = f32, shape = [1]}\n"
          "%dead1 = Add-1(%x, %unused)\n"
          "%dead2 = Add-1(%dead1, %dead1)\n"
          "%r = Result-1(%x)\n",
          "eliminate-dead");
    run_passes(&s);
    assert_int_equal(s.graph->n_nodes, 3);
    assert_int_equal(s.graph->n_params, 2);
    end(&s);
}

/* A Parameter that says the new shape of a Reshape was replaced by a constant without inference. */
static void test_infers_again(void **state)
{
    static const int64_t dims[] = {2}, shape[] = {3, 2};
    inlay_value *constant;
    subject s;

    begin(&s,
          "%x = Parameter-1 {element_type = f32, shape = [6]}\n"
          "%shape = Parameter-1 {element_type = i64, shape = [2]}\n"
          "%y = Reshape-1(%x, %shape) {special_zero = false}\n"
          "%r = Result-1(%y)\n",
          "infer-shapes");
    assert_int_equal(node(&s, "y")->out[0].fact.dims[0].hi, INLAY_DIM_MAX);
    constant = inlay_build_ints(s.graph, "c", INLAY_I64, 1, dims, shape, s.diags);
    assert_true(inlay_value_replace(&node(&s, "shape")->out[0], constant, s.diags));
    run_passes(&s);
    assert_int_equal(node(&s, "y")->out[0].fact.dims[0].lo, 3);
    assert_int_equal(node(&s, "y")->out[0].fact.dims[0].hi, 3);
    assert_int_equal(node(&s, "y")->out[0].fact.dims[1].hi, 2);
    end(&s);
}

/* Names, lists, pipelines. */

typedef struct log {
    char text[400];
    bool stop;
} log_t;

static bool after(void *ctx, const inlay_event *e, inlay_diags *d)
{
    const inlay_pass_stats *stats = e->as.stats;
    log_t *log = ctx;
    size_t n = strlen(log->text);

    if (e->kind != INLAY_EVENT_PASS_ENDS)
        return true;
    assert_true(stats->changed == (stats->changes > 0));
    snprintf(log->text + n, sizeof log->text - n, "%s:%d ", stats->name, (int)stats->changes);
    return !log->stop || inlay_fail(d, NULL, "stopped");
}

static void check_log(const char *passes, const char *disable, const char *wanted)
{
    log_t log = {"", false};
    subject s;

    begin(&s, FOLDS, passes);
    s.options.events = (inlay_events){after, &log, false};
    s.options.disable = &disable;
    s.options.n_disable = disable ? 1 : 0;
    run_passes(&s);
    assert_string_equal(log.text, wanted);
    end(&s);
}

static void test_lists_of_passes(void **state)
{
    check_log(NULL, NULL,
              "infer-shapes:0 lower-dialects:0 move-codes:0 fold-constants:1 inline-bodies:0 "
              "unpack-sequences:0 find-sequences:0 "
              "trim-bodies:0 "
              "hoist-invariants:0 hoist-products:0 fold-scatter-update:0 canonicalize:0 "
              "eliminate-dead:2 simplify:0 "
              "rules:0 fold-constants:0 "
              "fold-scatter-update:0 eliminate-common:0 fuse:0 regroup:0 unpack-filters:0 "
              "keep-compressed:0 eliminate-dead:0 "
              "in-place-windows:0 ");
    check_log("default", "fold-constants",
              "infer-shapes:0 lower-dialects:0 move-codes:0 inline-bodies:0 unpack-sequences:0 "
              "find-sequences:0 "
              "trim-bodies:0 "
              "hoist-invariants:0 hoist-products:0 fold-scatter-update:0 canonicalize:0 "
              "eliminate-dead:0 simplify:0 rules:0 fold-scatter-update:0 "
              "eliminate-common:0 fuse:0 regroup:0 unpack-filters:0 keep-compressed:0 "
              "eliminate-dead:0 "
              "in-place-windows:0 ");
    check_log("none", NULL, "");
    check_log("", NULL, "");
    check_log("eliminate-dead, fold-constants,eliminate-dead", NULL,
              "eliminate-dead:0 fold-constants:1 eliminate-dead:2 ");
}

static void test_unknown_passes(void **state)
{
    static const char *const wrong = "fold";
    log_t log = {"", false};
    subject s;

    begin(&s, FOLDS, "infer-shapes,fold");
    s.options.events = (inlay_events){after, &log, false};
    assert_false(inlay_run_passes(s.graph, &s.options, s.diags));
    check_error(s.diags, INLAY_INVALID, "there is no pass or pipeline \"fold\"");
    assert_string_equal(log.text, ""); /* before anything ran */
    inlay_diags_clear(s.diags);
    s.options.passes = NULL;
    s.options.disable = &wrong;
    s.options.n_disable = 1;
    assert_false(inlay_run_passes(s.graph, &s.options, s.diags));
    check_error(s.diags, INLAY_INVALID, "there is no pass \"fold\" to disable");
    end(&s);
}

static void test_callback_stops_the_run(void **state)
{
    log_t log = {"", true};
    subject s;

    begin(&s, FOLDS, NULL);
    s.options.events = (inlay_events){after, &log, false};
    assert_false(inlay_run_passes(s.graph, &s.options, s.diags));
    check_error(s.diags, INLAY_INVALID, "stopped");
    assert_string_equal(log.text, "infer-shapes:0 ");
    end(&s);
}

static void test_listing(void **state)
{
    bool found = false;

    for (size_t i = 0; i < inlay_pass_count(NULL); i++) {
        inlay_pass_info info = inlay_pass_at(NULL, i);

        found = found || strcmp(info.name, "fold-constants") == 0;
        assert_true(info.summary[strlen(info.summary) - 1] == '.');
    }
    assert_true(found);
    assert_null(inlay_pass_at(NULL, inlay_pass_count(NULL)).name);
    for (size_t i = 0; i < inlay_pipeline_count(NULL); i++) {
        inlay_pipeline_info p = inlay_pipeline_at(NULL, i);

        for (int k = 0; p.passes[k]; k++) { /* every name in a pipeline is a pass */
            bool known = false;

            for (size_t j = 0; j < inlay_pass_count(NULL); j++)
                known = known || strcmp(inlay_pass_at(NULL, j).name, p.passes[k]) == 0;
            assert_true(known);
        }
    }
    assert_string_equal(inlay_pipeline_at(NULL, 0).name, "default");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folds_constants),
        cmocka_unit_test(test_without_evaluator_nothing_is_computed),
        cmocka_unit_test(test_folding_keeps_result_names),
        cmocka_unit_test(test_folds_what_shapes_say),
        cmocka_unit_test(test_folds_scatter_update),
        cmocka_unit_test(test_refuses_to_blow_up),
        cmocka_unit_test(test_folds_what_shrinks),
        cmocka_unit_test(test_refuses_much_work),
        cmocka_unit_test(test_faults_stay),
        cmocka_unit_test(test_keeps_weights_packed),
        cmocka_unit_test(test_variables_are_not_folded),
        cmocka_unit_test(test_folds_in_bodies),
        cmocka_unit_test(test_parameters_are_not_dead),
        cmocka_unit_test(test_infers_again),
        cmocka_unit_test(test_lists_of_passes),
        cmocka_unit_test(test_unknown_passes),
        cmocka_unit_test(test_callback_stops_the_run),
        cmocka_unit_test(test_listing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
