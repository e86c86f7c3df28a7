/* Operations that only a program knows, optimised and run: see test_op_set.c. */
#include "own_ops.h"
#include "passes/passes.h"
#include "tests/unit/graphs.h"
#include "unit.h"

static void test_runs(void **state)
{
    const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED};

    for (int i = 0; i < 2; i++) {
        runner r = runner_on(my_graph(window), i ? &planned : NULL);

        check_run(&r, OPERANDS("f32[4,2] 1 2 3 4 5 6 7 8"),
                  OPERANDS("f32[4,2] 1 2 9 12 15 18 7 8"));
        runner_free(&r);
        r = runner_on(my_graph("graph \"g\" {\n"
                               "  %x = Parameter-1 {element_type = i32, shape = [2,2]}\n"
                               "  %n = Parameter-1 {element_type = i64, shape = []}\n"
                               "  %y = Stretch-2@mine2(%x, %n) {axis = 1}\n"
                               "  %r = Result-1(%y)\n}\n"),
                      i ? &planned : NULL);
        check_run(&r, OPERANDS("i32[2,2] 1 2 3 4", "i64 2"), OPERANDS("i32[2,4] 1 1 2 2 3 3 4 4"));
        runner_free(&r);
    }
}

static void optimise(inlay_graph *g, const inlay_rules *rules)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_pass_options o = {.evaluator = &e, .check = true};
    inlay_diags *d = inlay_diags_new();

    if (rules) {
        o.passes = "rules";
        o.rules = &rules;
        o.n_rules = 1;
    }
    if (!inlay_run_passes(g, &o, d))
        fail_msg("%s", inlay_diags_error(d)->text);
    inlay_diags_free(d);
}

static bool receive_refusal(void *ctx, const inlay_event *e, inlay_diags *d)
{
    (void)d;
    if (e->kind == INLAY_EVENT_DECIDED) {
        assert_false(e->as.in_place->overwrite.made);
        assert_int_equal(e->as.in_place->overwrite.bytes, 16);
        *(const char **)ctx = e->as.in_place->overwrite.condition;
    }
    return true;
}

/* N13: the row of Stamp does not say that its kernel can be written over data. */
static void test_not_in_place(void **state)
{
    const char *condition = NULL;
    inlay_pass_options o = {.passes = "in-place-windows",
                            .check = true,
                            .events = {.receive = receive_refusal, .ctx = &condition}};
    const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED, .poison = true};
    inlay_graph *g = my_graph("graph \"g\" {\n"
                              "  %x = Parameter-1 {element_type = i32, shape = [4]}\n"
                              "  %u = Parameter-1 {element_type = i32, shape = [2]}\n"
                              "  %d = Negative-1(%x)\n"
                              "  %y = Stamp-1@mine(%d, %u)\n"
                              "  %r = Result-1(%y)\n}\n");
    inlay_diags *d = inlay_diags_new();
    runner r;

    assert_true(inlay_run_passes(g, &o, d));
    assert_non_null(condition);
    assert_string_equal(condition, "N13 named-operand");
    r = runner_on(g, &planned);
    check_run(&r, OPERANDS("i32[4] 1 2 3 4", "i32[2] 5 6"), OPERANDS("i32[4] 6 5 -3 -4"));
    runner_free(&r);
    inlay_diags_free(d);
}

/* A layer on which Collage works is put back where it was. No pass has room for its operands. */
static void test_many_operands(void **state)
{
    enum { SCRAPS = 1000 };
    inlay_pass_options o = {.passes = "fold-scatter-update"};
    inlay_strbuf text = {0};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;

    inlay_strbuf_printf(&text, "graph \"g\" {\n"
                               "  %%d = Parameter {element_type = f32, shape = [4,3]}\n"
                               "  %%u = Parameter {element_type = f32, shape = [1]}\n"
                               "  %%zero = Const {value = i64[1] [0]}\n"
                               "  %%one = Const {value = i64[1] [1]}\n"
                               "  %%at = Const {value = i64[] 2}\n"
                               "  %%axis = Const {value = i64[] 0}\n"
                               "  %%l = Gather(%%d, %%at, %%axis)\n"
                               "  %%n = Collage-1@mine(%%l, %%u, %%zero, %%one, %%one, %%zero");
    for (int i = 0; i < SCRAPS; i++)
        inlay_strbuf_printf(&text, ", %%u");
    inlay_strbuf_printf(&text, ")\n  %%y = ScatterUpdate(%%d, %%at, %%n, %%axis)\n"
                               "  %%r = Result(%%y)\n}\n");
    g = my_graph(text.bytes);
    inlay_strbuf_free(&text);
    assert_true(inlay_run_passes(g, &o, d));
    assert_int_equal(inlay_graph_node(g, "n")->n_in, 6 + SCRAPS);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

/* The window is read, computed on by the operation of this test and written back without a copy. */
static void test_in_place(void **state)
{
    const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED};
    inlay_tensor *x = tensor_of("f32[4,2] 1 2 3 4 5 6 7 8"), *out = NULL;
    const inlay_tensor *const in[] = {x};
    inlay_exec_stats stats;
    inlay_graph *g = my_graph(window);
    runner r;

    optimise(g, NULL);
    assert_int_equal(inlay_graph_node(g, "more")->out[0].note, INLAY_INTO);
    r = runner_on(g, &planned);
    assert_true(inlay_session_run(r.session, in, (const bool[]){true}, &out, r.diags));
    check_tensor(out, "f32[4,2] 1 2 9 12 15 18 7 8");
    inlay_session_stats(r.session, &stats);
    assert_int_equal(stats.copied_bytes, 0);
    assert_ptr_equal(out->data, x->data);
    inlay_tensor_release(out);
    inlay_tensor_release(x);
    runner_free(&r);
}

/* A chain stands in one buffer: built-in kernels hand over rows that wait to be computed, those of
 * this test look at elements at once. */
static void test_between_built_in_ones(void **state)
{
    const inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED};
    inlay_graph *g = my_graph("graph \"g\" {\n"
                              "  %data = Parameter-1 {element_type = f32, shape = [40000,4]}\n"
                              "  %start = Const-1 {value = i64[1] [1]}\n"
                              "  %stop = Const-1 {value = i64[1] [39999]}\n"
                              "  %step = Const-1 {value = i64[1] [1]}\n"
                              "  %rows = Slice-8(%data, %start, %stop, %step)\n"
                              "  %one = Const-1 {value = f32[] 1}\n"
                              "  %a = Add-1(%rows, %one)\n"
                              "  %b = Triple-1@mine(%a)\n"
                              "  %c = Negative-1(%b)\n"
                              "  %out = SliceScatter-15(%data, %c, %start, %stop, %step)\n"
                              "  %result = Result-1(%out)\n"
                              "}\n");
    inlay_tensor *x = inlay_tensor_new(INLAY_F32, 2, (const int64_t[]){40000, 4}), *out = NULL;
    const inlay_tensor *const in[] = {x};
    runner r;

    for (int64_t i = 0; i < 160000; i++)
        inlay_tensor_set_f64(x, i, (double)i);
    optimise(g, NULL);
    assert_int_equal(inlay_graph_node(g, "b")->out[0].note, INLAY_INTO);
    r = runner_on(g, &planned);
    assert_true(inlay_session_run(r.session, in, (const bool[]){true}, &out, r.diags));
    for (int64_t i = 0; i < 160000; i++) {
        double want = i < 4 || i >= 159996 ? (double)i : -3 * ((double)i + 1);

        if (inlay_tensor_get_f64(out, i) != want)
            fail_msg("element %d is %g", (int)i, inlay_tensor_get_f64(out, i));
    }
    inlay_tensor_release(out);
    inlay_tensor_release(x);
    runner_free(&r);
}

/* Constants are folded by the kernel, equal nodes become one, and what nobody reads goes. */
static void test_passes(void **state)
{
    inlay_graph *g = my_graph("graph \"g\" {\n"
                              "  %x = Parameter-1 {element_type = f32, shape = [2]}\n"
                              "  %k = Const-1 {value = f32[2] [1, 2]}\n"
                              "  %folded = Triple-1@mine(%k) {times = 4}\n"
                              "  %a = Triple-1@mine(%x)\n"
                              "  %b = Triple-1@mine(%x) {times = 3}\n"
                              "  %c = Add-1(%a, %b)\n"
                              "  %d = Add-1(%c, %folded)\n"
                              "  %nobody = Triple-1@mine(%x) {times = 7}\n"
                              "  %riddle = Riddle-1@mine(%k)\n"
                              "  %r = Result-1(%d)\n"
                              "  %s = Result-1(%riddle)\n"
                              "}\n");
    const inlay_node *d;
    int triples = 0;

    optimise(g, NULL);
    d = inlay_graph_node(g, "d");
    assert_non_null(d);
    check_tensor(d->in[1].value->fact.content, "f32[2] 4 8");
    for (const inlay_node *n = g->first; n; n = n->next)
        triples += strcmp(n->op->name, "Triple") == 0;
    assert_int_equal(triples, 1);
    assert_non_null(inlay_graph_node(g, "riddle")); /* it has no kernel */
    inlay_graph_free(g);
}

static void test_without_a_kernel(void **state)
{
    inlay_graph *g = my_graph("graph \"g\" {\n%x = Parameter-1 {element_type = f32, shape = [2]}\n"
                              "%y = Riddle-1@mine(%x)\n%r = Result-1(%y)\n}\n");
    inlay_diags *d = inlay_diags_new();

    assert_null(inlay_compile(g, NULL, d));
    check_error(d, INLAY_INVALID,
                "\"y\" (Riddle-1): this operation has no kernel, so it cannot be run");
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static void test_verified(void **state)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL), p = inlay_planned_evaluator(NULL);
    inlay_verify_options o = {.trials = 12, .seed = 1};
    inlay_graph *a = my_graph(window), *b = inlay_graph_clone(a, NULL), *other = my_graph(window);
    inlay_verify_result result;
    inlay_diags *d = inlay_diags_new();

    optimise(b, NULL);
    assert_true(inlay_verify(a, &e, b, &p, &o, &result, d));
    assert_int_equal(result.verdict, INLAY_SAME);
    assert_true(inlay_node_set_int((inlay_node *)inlay_graph_node(other, "more"), "times", 2, d));
    assert_true(inlay_verify(a, &e, other, &e, &o, &result, d));
    assert_int_equal(result.verdict, INLAY_NOT_SAME);
    inlay_diags_free(d);
    inlay_graph_free(a);
    inlay_graph_free(b);
    inlay_graph_free(other);
}

/* A rule may name the operation; sets of rules that were made without it leave it alone, but for
 * rules about any operation. */
static void test_rules(void **state)
{
    static const char rule[] = "rule triple-once exact:\n  Triple@mine(x) {times = 1} => x\n"
                               "rule negative-twice exact:\n  Negative(Negative(x)) => x\n";
    const inlay_op_set *ops = my_ops();
    inlay_graph *g = read_with(inlay_read_text, ops,
                               "graph \"g\" {\n"
                               "  %x = Parameter-1 {element_type = f32, shape = [2]}\n"
                               "  %y = Triple-1@mine(%x) {times = 1}\n"
                               "  %z = Triple-1@mine(%y) {times = 2}\n"
                               "  %r = Result-1(%z)\n"
                               "}\n");
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules;

    assert_null(inlay_rules_parse("r.rules", rule, strlen(rule), d));
    check_error(d, INLAY_INVALID, "there is no operation `Triple` in mine");
    inlay_diags_clear(d);
    rules = inlay_rules_parse_of(ops, "r.rules", rule, strlen(rule), d);
    assert_int_equal(inlay_diags_count(d), 0);
    inlay_op_set_release(ops); /* the rules and the graph hold it */
    optimise(g, rules);
    assert_ptr_equal(inlay_graph_node(g, "z")->in[0].value->node, inlay_graph_node(g, "x"));
    inlay_rules_free(rules);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static const char in_a_body[] =
    "graph \"g\" {\n"
    "%cond = Parameter-1 {element_type = boolean, shape = []}\n"
    "%x = Parameter-1 {element_type = f32, shape = [2]}\n"
    "%if:1 = If-8(%cond, %x)\n"
    "then_body \"t\" {\n%a = Parameter-1 {element_type = f32, shape = [2]}\n"
    "%b = Triple-1@mine(%a)\n%r = Result-1(%b)\n}\n"
    "in 1 -> %a\nout %r -> 0\n"
    "else_body \"e\" {\n%a = Parameter-1 {element_type = f32, shape = [2]}\n"
    "%r = Result-1(%a)\n}\n"
    "in 1 -> %a\nout %r -> 0\n"
    "%out = Result-1(%if)\n}\n";

/* Bodies and copies have the operations of their graph, also when that graph is gone. */
static void test_bodies_and_copies(void **state)
{
    inlay_graph *g = my_graph(in_a_body), *copy = inlay_graph_clone(g, NULL);
    runner r;

    inlay_graph_free(g);
    r = runner_on(copy, NULL);
    check_run(&r, OPERANDS("boolean true", "f32[2] 5 6"), OPERANDS("f32[2] 15 18"));
    check_run(&r, OPERANDS("boolean false", "f32[2] 5 6"), OPERANDS("f32[2] 5 6"));
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_not_in_place),
        cmocka_unit_test(test_many_operands),
        cmocka_unit_test(test_between_built_in_ones),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_without_a_kernel),
        cmocka_unit_test(test_verified),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_bodies_and_copies),
    };

    return cmocka_run_group_tests_name("operations of a program's own", tests, NULL, NULL);
}
