/* The functions of the interface say what is wrong to a caller who misuses them: no file can bring
 * these errors about, but a program can. */
#include "graphs.h"
#include "interp/call/kernel.h"
#include "ir/graph/condition.h"
#include "ir/infer/infer.h"
#include "ir/shared.h"
#include "models.h"
#include "texts.h"

#define X "%x = Parameter-1 {element_type = f32, shape = [2]}\n"
#define SOUND X "%b = ReLU(%x)\n%r = Result(%b)\n"

/* A graph to do something wrong with, and what is said of it. */
typedef struct subject {
    inlay_graph *g, *other;
    inlay_diags *d;
} subject;

static subject subject_of(const char *body)
{
    return (subject){graph_of(body), graph_of(SOUND), inlay_diags_new()};
}

static inlay_node *node(const subject *s, const char *name)
{
    inlay_node *n = inlay_graph_node(s->g, name);

    assert_non_null(n);
    return n;
}

static void expect(subject *s, const char *said)
{
    assert_string_equal(model_messages(s->d), said);
    assert_int_equal(inlay_diags_status(s->d), INLAY_INVALID);
    inlay_diags_clear(s->d);
}

static void subject_free(subject *s)
{
    inlay_graph_free(s->g);
    inlay_graph_free(s->other);
    inlay_diags_free(s->d);
}

static void test_inputs_and_outputs(void **state)
{
    subject s = subject_of(SOUND);
    inlay_node *b = node(&s, "b"), *theirs = inlay_graph_node(s.other, "x");

    assert_false(inlay_node_set_input(b, 1, &node(&s, "x")->out[0], s.d));
    expect(&s, "3: error: node \"b\" (ReLU-1): there is no input 1, the node has 1");
    assert_false(inlay_node_set_input(b, 0, &theirs->out[0], s.d));
    expect(&s, "3: error: node \"b\" (ReLU-1): input 0 is a value of another graph");
    assert_false(inlay_node_set_n_out(b, 2, s.d));
    expect(&s, "3: error: node \"b\" (ReLU-1): the outputs are in use, their number cannot change");
    assert_false(inlay_node_remove(b, s.d));
    expect(&s, "3: error: node \"b\" (ReLU-1): the node is in use, it cannot be removed");
    assert_false(inlay_value_replace(&b->out[0], &theirs->out[0], s.d));
    expect(&s, "2: error: node \"x\" (Parameter-1): a value may only be replaced by one of its own "
               "graph");
    subject_free(&s);
}

static void test_notes(void **state)
{
    subject s = subject_of(SOUND);
    inlay_node *b = node(&s, "b"), *theirs = inlay_graph_node(s.other, "x");

    assert_false(inlay_value_set_note(&b->out[0], INLAY_OVERWRITES, &theirs->out[0], s.d));
    expect(&s, "3: error: node \"b\" (ReLU-1): a storage note needs a target in the same graph");
    assert_false(inlay_value_state_grounds(&b->out[0], s.d));
    expect(&s, "3: error: node \"b\" (ReLU-1): output 0 has no storage note to state grounds of");
    assert_false(inlay_value_add_ground(&b->out[0], INLAY_O3_NO_LATER_READ, b, s.d));
    expect(&s, "3: error: node \"b\" (ReLU-1): output 0 has no storage note that states its "
               "grounds");
    assert_true(inlay_value_set_note(&b->out[0], INLAY_OVERWRITES, b->in[0].value, s.d));
    assert_true(inlay_value_state_grounds(&b->out[0], s.d));
    assert_false(inlay_value_add_ground(&b->out[0], INLAY_O1_SAME_TYPE_AND_SHAPE, b, s.d));
    expect(&s, "3: error: node \"b\" (ReLU-1): no storage note can rely on condition 1");
    assert_false(inlay_value_add_ground(&b->out[0], INLAY_CONDITIONS, b, s.d));
    assert_non_null(strstr(inlay_diags_at(s.d, 0)->text, "no storage note can rely on condition"));
    inlay_diags_clear(s.d);
    assert_false(inlay_value_add_ground(&b->out[0], INLAY_O3_NO_LATER_READ, theirs, s.d));
    expect(&s, "3: error: node \"b\" (ReLU-1): a storage note relies on a node of the same graph");
    inlay_graph_drop_notes(s.g);
    assert_null(b->out[0].grounds);
    assert_false(inlay_graph_add_order_edge(s.g, theirs, b, s.d));
    expect(&s, "3: error: node \"b\" (ReLU-1): an order edge needs both nodes in the same graph");
    subject_free(&s);
}

static void test_attributes(void **state)
{
    subject s = subject_of("%c = Const {value = i64[2] [1, 2]}\n%g = Concat(%c) {axis = 0}\n"
                           "%r = Result(%g)\n");
    inlay_node *concat = node(&s, "g"), *c = node(&s, "c");

    assert_false(inlay_node_set_int(concat, "axes", 0, s.d));
    expect(&s, "3: error: node \"g\" (Concat-1): there is no attribute \"axes\"");
    assert_false(inlay_node_set_attr(concat, "axes", &concat->attrs[0], s.d));
    expect(&s, "3: error: node \"g\" (Concat-1): there is no attribute \"axes\"");
    assert_false(inlay_node_set_bool(concat, "axis", true, s.d));
    expect(&s, "3: error: node \"g\" (Concat-1): attribute \"axis\" is an integer, not a boolean");
    assert_false(inlay_node_set_attr_text(c, inlay_op_attr(c->op, "value"), "1", s.d));
    expect(&s, "2: error: node \"c\" (Const-1): attribute \"value\" cannot be given as text");
    subject_free(&s);
}

/* Attributes of a node that is being built are given as text. */
static void test_attributes_as_text(void **state)
{
    static const struct {
        const char *op, *attrs, *said;
    } list[] = {
        {"Concat", "axis", "(Concat-1): attributes \"axis\": name=value is expected"},
        {"Concat", "ax=1", "(Concat-1): there is no attribute \"ax\""},
        {"Concat", "axis=1b", "(Concat-1): attribute \"axis\" is \"1b\", it must be an integer"},
        {"Elu", "alpha=one", "(Elu-1): attribute \"alpha\" is \"one\", it must be a number"},
        {"MaxPool", "strides=1,,2",
         "attribute \"strides\" is \"1,,2\": a field of the list is empty"},
        {"MaxPool", "strides=1,x", "attribute \"strides\" is \"x\", it must be a list of integers"},
        {"Tensor.scatter_", "dim=0;value=wide",
         "attribute \"value\" is \"wide\", it must be a number or a boolean"},
    };
    subject s = subject_of(SOUND);
    inlay_value *x[] = {&node(&s, "x")->out[0], &node(&s, "x")->out[0]};

    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        assert_null(inlay_build(s.g, "n", list[i].op, x, 1, list[i].attrs, s.d));
        check_error(s.d, INLAY_INVALID, list[i].said);
        inlay_diags_clear(s.d);
    }
    subject_free(&s);
}

/* Rules are called on nodes that nobody checked. */
static void test_unchecked_nodes(void **state)
{
    static const struct {
        const char *op, *version;
        int n_in, n_out;
        const char *said;
    } list[] = {
        {"Const", NULL, 0, 1, "error: node \"n\" (Const-1): attribute \"value\" is missing"},
        {"ReadValue", NULL, 1, 1,
         "error: node \"n\" (ReadValue-6): attribute \"variable_id\" is missing"},
        {"Assign", NULL, 1, 0,
         "error: node \"n\" (Assign-6): attribute \"variable_id\" is missing"},
    };
    subject s = subject_of(SOUND);

    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const inlay_op *op = inlay_op_find(NULL, list[i].op, list[i].version, NULL, s.d);
        inlay_node *n = inlay_node_new(s.g, op, "n", list[i].n_in, list[i].n_out, s.d);

        if (list[i].n_in)
            inlay_node_set_input(n, 0, &node(&s, "x")->out[0], s.d);
        assert_false(inlay_infer_node(n, s.d));
        expect(&s, list[i].said);
        assert_true(inlay_node_remove(n, s.d));
    }
    subject_free(&s);
}

static void test_outputs_that_changed(void **state)
{
    subject s = subject_of(X "%i = Const {value = i64[] 0}\n"
                             "%s:2 = Split(%x, %i) {num_splits = 2}\n%r = Result(%s:1)\n");

    assert_true(inlay_node_set_int(node(&s, "s"), "num_splits", 1, s.d));
    assert_false(inlay_infer_node(node(&s, "s"), s.d));
    expect(&s, "4: error: node \"s\" (Split-1): num_splits is 1, there are 2 outputs");
    subject_free(&s);
}

/* Nodes are called on their own, with tensors that their graph does not speak of. */
static void check_eval_fails(subject *s, const inlay_node *n, const char *const *in,
                             const char *said)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_tensor *tensors[4] = {NULL}, *out[4] = {NULL};

    for (int i = 0; in[i]; i++)
        tensors[i] = tensor_of(in[i]);
    assert_false(e.eval_node(e.ctx, n, (const inlay_tensor *const *)tensors, out, s->d));
    assert_null(out[0]);
    expect(s, said);
    for (int i = 0; in[i]; i++)
        inlay_tensor_release(tensors[i]);
}

static void test_nodes_on_their_own(void **state)
{
    subject s = subject_of("%x = Parameter-1 {element_type = dynamic, shape = [1]}\n"
                           "%y = Parameter-1 {element_type = dynamic, shape = [1]}\n"
                           "%s = Add(%x, %y)\n"
                           "%c = Const {value = i64[2] [1, 2]}\n"
                           "%q = Result(%c)\n"
                           "%p = Result(%s)\n"
                           "%v = ReadValue {variable_id = \"v\", variable_type = f32, "
                           "variable_shape = [1]}\n"
                           "%r = Result(%v)\n");
    inlay_dim three = inlay_dim_of(3);
    inlay_node *empty;

    check_eval_fails(&s, node(&s, "s"), OPERANDS("f32[1] 1", "i32[1] 1"),
                     "4: error: node \"s\" (Add-1): input 1 \"b\" has type i32, it must be f32 "
                     "like input 0 \"a\"");
    check_eval_fails(&s, node(&s, "x"), OPERANDS(NULL),
                     "2: error: node \"x\" (Parameter-1): a Parameter has no value of its own");
    check_eval_fails(&s, node(&s, "v"), OPERANDS(NULL),
                     "8: error: node \"v\" (ReadValue-6): a variable has no state outside a run");
    empty = inlay_node_new(s.g, inlay_op_find(NULL, "Const", NULL, NULL, s.d), "e", 0, 1, s.d);
    check_eval_fails(&s, empty, OPERANDS(NULL),
                     "error: node \"e\" (Const-1): attribute \"value\" is missing");
    empty = inlay_node_new(s.g, inlay_op_find(NULL, "ReadValue", NULL, NULL, s.d), "w", 0, 1, s.d);
    check_eval_fails(&s, empty, OPERANDS(NULL),
                     "error: node \"w\" (ReadValue-6): attribute \"variable_id\" is missing");
    assert_true(inlay_value_set_fact(&node(&s, "c")->out[0], INLAY_I64, 1, &three, s.d));
    check_eval_fails(&s, node(&s, "c"), OPERANDS(NULL),
                     "5: error: node \"c\" (Const-1): output 0 came out with shape [2], [3] is "
                     "wanted by the shape rule");
    subject_free(&s);
}

static void test_operations_not_in_the_table(void **state)
{
    subject s = subject_of(SOUND);
    inlay_graph *g = graph_of_text("graph \"g\" {\n" X "%f = ?Foo@bar(%x)\n%r = Result(%f)\n}");
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_tensor *x = tensor_of("f32[2] 1 2"), *out[1];
    const inlay_tensor *in[] = {x};

    assert_null(inlay_compile(g, NULL, s.d));
    expect(&s,
           "3: error: node \"f\" (Foo of bar): this operation is not in the table, so it cannot "
           "be run");
    assert_false(e.eval_node(e.ctx, inlay_graph_node(g, "f"), in, out, s.d));
    expect(&s,
           "3: error: node \"f\" (Foo of bar): this operation is not in the table, so it cannot "
           "be run");
    inlay_tensor_release(x);
    inlay_graph_free(g);
    subject_free(&s);
}

static bool accept_all(inlay_infer *cx)
{
    (void)cx;
    return true;
}

static bool promise_a_number(inlay_infer *cx)
{
    cx->out[0].type = INLAY_F32;
    cx->out[0].rank = 0;
    return true;
}

/* A kernel that does not keep its promises: Result's makes no output. */
static void test_kernels_are_held_to_their_rows(void **state)
{
    subject s = subject_of(SOUND);
    inlay_op mute = *inlay_op_find(NULL, "Result", NULL, NULL, s.d);
    inlay_tensor *out[1] = {NULL};
    inlay_node *n;
    inlay_call c = {.node = node(&s, "b"), .out = out, .n_out = 1, .diags = s.d};
    inlay_tensor *t = tensor_of("f32 1");
    int64_t one = 1;

    mute.infer = accept_all;
    mute.n_out = 1;
    n = inlay_node_new(s.g, &mute, "n", 1, 1, s.d);
    assert_true(inlay_node_set_input(n, 0, &node(&s, "b")->out[0], s.d));
    check_eval_fails(&s, n, OPERANDS("f32[2] 1 2"),
                     "error: node \"n\" (Result-1): the kernel made no output 0");
    assert_null(inlay_call_output(&c, 1, INLAY_F32, 1, &one));
    expect(&s, "3: error: node \"b\" (ReLU-1): the kernel asked for output 1, which it may not");
    assert_false(call_adopt(&c, -1, t));
    expect(&s, "3: error: node \"b\" (ReLU-1): the kernel gave output -1, which it may not");
    inlay_tensor_release(t);
    subject_free(&s);
}

/* Checks OP on operands, with its shape rule replaced. */
static void check_rule_fails(bool (*rule)(inlay_infer *cx), const char *op, const char *version,
                             const char *attrs, const char *const *in, const char *said)
{
    subject s = subject_of(SOUND);
    inlay_op row = *inlay_op_find(NULL, op, version, NULL, s.d);
    inlay_node *n;
    int n_in = 0;

    while (in[n_in])
        n_in++;
    row.infer = rule;
    n = inlay_node_new(s.g, &row, "n", n_in, 1, s.d);
    for (const char *p = attrs; *p; p += strcspn(p, ";") + (p[strcspn(p, ";")] == ';')) {
        char name[32], value[32];

        assert_int_equal(sscanf(p, "%31[^=]=%31[^;]", name, value), 2);
        assert_true(inlay_node_set_attr_text(n, inlay_op_attr(&row, name), value, s.d));
    }
    for (int i = 0; i < n_in; i++) {
        inlay_tensor *t = tensor_of(in[i]);

        assert_true(inlay_node_set_input(n, i, inlay_build_const(s.g, NULL, t, s.d), s.d));
        inlay_tensor_release(t);
    }
    check_eval_fails(&s, n, in, said);
    subject_free(&s);
}

/* Kernels check themselves what their rules have checked before: here the rule checks nothing. */
static void check_kernel_fails(const char *op, const char *version, const char *attrs,
                               const char *const *in, const char *said)
{
    check_rule_fails(promise_a_number, op, version, attrs, in, said);
}

/* The rule does not say how large the output is, and the kernel does not count it. */
static void test_outputs_that_cannot_be_made(void **state)
{
    check_rule_fails(accept_all, "Range", "opset1", "", OPERANDS("i64 0", "i64 3", "i64 1"),
                     "error: node \"n\" (Range-1): output 0 cannot be made: of type dynamic and "
                     "shape ... too little is known");
    check_rule_fails(accept_all, "Add", NULL, "", OPERANDS("f32 0", "f32 3"),
                     "error: node \"n\" (Add-1): output 0 cannot be made: of type dynamic and "
                     "shape ... too little is known");
}

static void test_kernels_check_operands(void **state)
{
    check_kernel_fails("Slice", NULL, "",
                       OPERANDS("f32[2] 1 2", "i64[1] 0", "i64[2] 1 1", "i64[1] 1"),
                       "error: node \"n\" (Slice-8): input 2 \"stop\" has 2 elements, it must have "
                       "1");
    check_kernel_fails("Split", NULL, "num_splits=1", OPERANDS("f32[2] 1 2", "i64[2] 0 0"),
                       "error: node \"n\" (Split-1): input 1 \"axis\" has 2 elements, it must have "
                       "one");
    check_kernel_fails("Slice", "onnx1", "starts=0;ends=1;axes=5", OPERANDS("f32[2] 1 2"),
                       "error: node \"n\" (Slice-1): axes[0] is 5, it must be in [-1, 0]");
    check_kernel_fails(
        "StridedSlice", NULL, "begin_mask=0;end_mask=0",
        OPERANDS("f32[2] 1 2", "i64[2] 0 0", "i64[2] 1 1"),
        "error: node \"n\" (StridedSlice-1): begin has entries for 2 axes, data has 1 "
        "dimension");
}

static void test_graphs_that_cannot_be_compared(void **state)
{
    subject s = subject_of(X "%a = ReLU(%x)\n%b = ReLU(%a)\n%r = Result(%b)\n");
    inlay_graph *sound = inlay_graph_clone(s.g, s.d);
    char why[200];

    assert_true(inlay_node_set_input(node(&s, "a"), 0, &node(&s, "b")->out[0], s.d));
    assert_false(inlay_graph_equal(s.g, sound, why, sizeof why));
    assert_string_equal(why, "the first graph cannot be ordered");
    assert_false(inlay_graph_equal(sound, s.g, why, sizeof why));
    assert_string_equal(why, "the second graph cannot be ordered");
    inlay_graph_free(sound);
    subject_free(&s);
}

static void test_bodies(void **state)
{
    subject s = subject_of("%c = Parameter-1 {element_type = boolean, shape = []}\n"
                           "%if:1 = If-8(%c)\n"
                           "then_body \"t\" {\n%k = Const {value = i32[] 1}\n%r = Result(%k)\n}\n"
                           "out %r -> 0\n"
                           "else_body \"e\" {\n%k = Const {value = i32[] 1}\n%r = Result(%k)\n}\n"
                           "out %r -> 0\n"
                           "%o = Result(%if)\n");
    inlay_graph *whole = inlay_graph_clone(s.g, s.d), *then = node(&s, "if")->bodies[0].graph;
    char why[200];

    assert_true(inlay_node_set_input(then->results[0], 0, NULL, s.d));
    assert_false(inlay_check_bodies(node(&s, "if"), s.d));
    expect(&s, "6: error: node \"r\" (Result-1): input 0 is missing");
    assert_true(inlay_node_set_bodies(node(&s, "if"), 1, s.d));
    assert_false(inlay_graph_equal(whole, s.g, why, sizeof why));
    assert_string_equal(why, "node \"if\" has 2 bodies, \"if\" has 1");
    inlay_graph_free(whole);
    subject_free(&s);
}

/* What a session is asked for by the callback of its own run, which is in the middle of something.
 */
struct asking {
    inlay_session *session;
    inlay_diags *d;
    int asked, refused;
};

static void ask(void *ctx, const inlay_node *n, uint64_t steps)
{
    struct asking *a = ctx;
    inlay_tensor *x = tensor_of("f32[2] 7 7"), *out[1] = {x};

    (void)n, (void)steps;
    if (a->session) {
        a->asked++;
        a->refused +=
            !inlay_session_run(a->session, (const inlay_tensor *const[]){x}, NULL, out, a->d) &&
            !out[0];
        a->refused += !inlay_session_bind_output(a->session, 0, x, a->d);
        a->refused += !inlay_session_set_variable(a->session, 0, x, a->d);
        inlay_session_reset(a->session);
    }
    inlay_tensor_release(x);
}

static void test_sessions_in_the_middle_of_a_run(void **state)
{
    static const inlay_exec_mode modes[] = {INLAY_EXEC_REFERENCE, INLAY_EXEC_PLANNED};

    for (int mode = 0; mode < 2; mode++) {
        struct asking a = {.d = inlay_diags_new()};
        inlay_exec_options o = {.mode = modes[mode], .progress = ask, .progress_ctx = &a};
        runner r = runner_of(X "%v = ReadValue(%x) {variable_id = \"v\", variable_type = f32, "
                               "variable_shape = [2]}\n%s = Add(%v, %x)\n"
                               "%w = Assign(%s) {variable_id = \"v\"}\n%r = Result(%s)\n",
                             &o);
        inlay_tensor *x = tensor_of("f32[2] 1 2"), *out[1];

        a.session = r.session;
        for (int run = 1; run <= 2; run++) {
            run_with(&r, (const inlay_tensor *const[]){x}, NULL, out);
            check_tensor(out[0], run == 1 ? "f32[2] 2 4" : "f32[2] 3 6");
            inlay_tensor_release(out[0]);
        }
        assert_true(a.asked > 0);
        assert_int_equal(a.refused, 3 * a.asked);
        for (size_t i = 0; i < inlay_diags_count(a.d); i++)
            assert_string_equal(inlay_diags_at(a.d, i)->text, "the session is running");
        a.session = NULL;
        inlay_tensor_release(x);
        inlay_diags_free(a.d);
        runner_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inputs_and_outputs),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_attributes_as_text),
        cmocka_unit_test(test_unchecked_nodes),
        cmocka_unit_test(test_outputs_that_changed),
        cmocka_unit_test(test_nodes_on_their_own),
        cmocka_unit_test(test_operations_not_in_the_table),
        cmocka_unit_test(test_kernels_are_held_to_their_rows),
        cmocka_unit_test(test_outputs_that_cannot_be_made),
        cmocka_unit_test(test_kernels_check_operands),
        cmocka_unit_test(test_graphs_that_cannot_be_compared),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_sessions_in_the_middle_of_a_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
