/* Reading the files of tests/ops: their forms, their expectations, and what is refused. */
#include "models.h"
#include "op_case.h"
#include "unit.h"

static void check_refused(const char *body, const char *message)
{
    inlay_diags *d = inlay_diags_new();
    op_case c;

    assert_false(op_case_read(&c, body, "case.inlay", d));
    assert_string_equal(model_messages(d), message);
    op_case_free(&c);
    inlay_diags_free(d);
}

static void test_forms(void **state)
{
    static const char text[] = "// A sum.\n"
                               "graph \"Add } {\" {\n"
                               "  %a = Const {value = string[2,1] [\n"
                               "    \"}\", \"\\\"\"]}\n"
                               "  %y = If(%a)\n"
                               "    body \"b\" { %c = Const {value = i8[] 1} }\n"
                               "  // expect y = i64[] 5\n"
                               "}\n";
    inlay_diags *d = inlay_diags_new();
    op_case c;

    assert_true(op_case_read(&c, text, "case.inlay", d));
    assert_string_equal(c.form[OP_FORM_CONSTANTS].bytes,
                        "\ngraph \"Add } {\" {\n"
                        "  %a = Const {value = string[2,1] [\n"
                        "    \"}\", \"\\\"\"]}\n"
                        "  %y = If(%a)\n"
                        "    body \"b\" { %c = Const {value = i8[] 1} }\n  \n}\n");
    assert_string_equal(c.form[OP_FORM_SHAPES].bytes,
                        "\ngraph \"Add } {\" {\n"
                        "  %a = Parameter {element_type = string, shape = [2,1]}\n\n"
                        "  %y = If(%a)\n"
                        "    body \"b\" { %c = Const {value = i8[] 1} }\n  \n}\n");
    assert_non_null(strstr(c.form[OP_FORM_OPEN].bytes,
                           "  %a = Parameter {element_type = string, shape = [...]}\n\n  %y"));
    assert_int_equal(c.n_operands, 1);
    assert_int_equal(inlay_tensor_get_string(c.operand[0], 1).bytes[0], '"');
    op_case_free(&c);
    inlay_diags_free(d);
}

static void test_expectations(void **state)
{
    static const char text[] = "graph \"x\" {\n"
                               "  // expect a within 8 ulp or 0.5 = f32[2] [\n"
                               "  //   1,\n"
                               "  //   nan]\n"
                               "  // expected by hand\n"
                               "  // expect b:1 dynamic = i64[0] []\n"
                               "  // expect c dynamic within 0.25 = f64[] -0\n"
                               "}\n";
    inlay_diags *d = inlay_diags_new();
    const op_expectation *e;
    op_case c;

    assert_true(op_case_read(&c, text, "case.inlay", d));
    assert_int_equal(c.n_expected, 3);
    e = op_case_expected(&c, "a");
    assert_true(e->tolerance.ulp == 8 && e->tolerance.atol == 0.5 && !e->dynamic);
    assert_true(inlay_tensor_get_f64(e->tensor, 0) == 1);
    e = op_case_expected(&c, "b:1");
    assert_true(e->tolerance.ulp == 0 && e->tolerance.atol == 0 && e->dynamic);
    assert_int_equal(inlay_tensor_count(e->tensor), 0);
    e = op_case_expected(&c, "c");
    assert_true(e->tolerance.ulp == 0 && e->tolerance.atol == 0.25 && e->dynamic);
    assert_null(op_case_expected(&c, "d"));
    op_case_free(&c);
    inlay_diags_free(d);
}

static void test_error(void **state)
{
    inlay_diags *d = inlay_diags_new();
    op_case c;

    assert_true(op_case_read(&c, "graph \"x\" {} // expect error: a, b\n", "case.inlay", d));
    assert_string_equal(c.error.bytes, "a, b");
    op_case_free(&c);
    inlay_diags_free(d);
}

static void test_refused(void **state)
{
    static const char none[] =
        "1: error: expected lines `// expect NAME = LITERAL`, or one `// expect error: TEXT`";
    static const char bounds[] = "3: error: expected positive bounds: `within 8 ulp or 1e-06`";

    check_refused("graph \"x\" {}\n", none);
    check_refused("// expect a = f32[] 1\n// expect error: both\n", none);
    check_refused("\n\n// expect a within = f32[] 1\n", bounds);
    check_refused("\n\n// expect a within 0 ulp = f32[] 1\n", bounds);
    check_refused("// expect a f32[] 1\n",
                  "1: error: expected `expect NAME [dynamic] [within BOUNDS] = LITERAL`");
    check_refused("// expect a = f32[] 1\n// expect a = f32[] 1\n",
                  "2: error: found a second expectation of the same Result");
    check_refused("\n// expect a = f32[2] [\n//   1,\n//   x]\n",
                  "2: error: found `x`, expected an element of type f32");
    check_refused("graph \"x\" {\n  %a = Const {value = 5}\n",
                  "2: error: expected `Const {value = type[shape] elements}`, and not too many");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_expectations),
        cmocka_unit_test(test_error),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
