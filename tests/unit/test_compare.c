/* Comparisons, and tests of one operand: values by hand. */
#include "graphs.h"

static void test_comparisons(void **state)
{
    const char *a = "f32[4] 1 2 3 nan", *b = "f32[4] 2 2 2 nan";

    check_op("Equal", NULL, OPERANDS(a, b), OPERANDS("boolean[4] 0 1 0 0"));
    check_op("NotEqual", NULL, OPERANDS(a, b), OPERANDS("boolean[4] 1 0 1 1"));
    check_op("Less", NULL, OPERANDS(a, b), OPERANDS("boolean[4] 1 0 0 0"));
    check_op("LessEqual", NULL, OPERANDS(a, b), OPERANDS("boolean[4] 1 1 0 0"));
    check_op("Greater", NULL, OPERANDS(a, b), OPERANDS("boolean[4] 0 0 1 0"));
    check_op("GreaterEqual", NULL, OPERANDS(a, b), OPERANDS("boolean[4] 0 1 1 0"));
    check_op("Less", NULL, OPERANDS("u64[1] 1", "u64[1] 18446744073709551615"),
             OPERANDS("boolean[1] 1"));
    check_op("Less", NULL, OPERANDS("i64[1] 9007199254740992", "i64[1] 9007199254740993"),
             OPERANDS("boolean[1] 1"));
    check_op("Equal", NULL, OPERANDS("boolean[2] true false", "boolean true"),
             OPERANDS("boolean[2] 1 0"));
    check_op("Less", NULL, OPERANDS("string[3] ab abc b", "string[1] abc"),
             OPERANDS("boolean[3] 1 0 0"));
}

static void test_float_tests(void **state)
{
    const char *x = "f32[5] 1 inf -inf nan -0.0";

    check_op("IsNaN", NULL, OPERANDS(x), OPERANDS("boolean[5] 0 0 0 1 0"));
    check_op("IsFinite", NULL, OPERANDS(x), OPERANDS("boolean[5] 1 0 0 0 1"));
    check_op("IsInf", NULL, OPERANDS(x), OPERANDS("boolean[5] 0 1 1 0 0"));
    check_op("IsInf", "detect_negative=false", OPERANDS(x), OPERANDS("boolean[5] 0 1 0 0 0"));
    check_op("IsInf", "detect_positive=false", OPERANDS(x), OPERANDS("boolean[5] 0 0 1 0 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_float_tests),
    };

    return cmocka_run_group_tests_name("comparisons", tests, NULL, NULL);
}
