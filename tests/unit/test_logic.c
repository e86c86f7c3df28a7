/* Logic on truth values and on bits: values by hand. */
#include "graphs.h"

static void test_logic(void **state)
{
    const char *a = "boolean[4] 0 0 1 1", *b = "boolean[4] 0 1 0 1";

    check_op("LogicalAnd", NULL, OPERANDS(a, b), OPERANDS("boolean[4] 0 0 0 1"));
    check_op("LogicalOr", NULL, OPERANDS(a, b), OPERANDS("boolean[4] 0 1 1 1"));
    check_op("LogicalXor", NULL, OPERANDS(a, b), OPERANDS("boolean[4] 0 1 1 0"));
    check_op("LogicalNot", NULL, OPERANDS(a), OPERANDS("boolean[4] 1 1 0 0"));
    /* bitwise-and-13.rst's examples */
    check_op("BitwiseAnd", NULL, OPERANDS("u8[2] 21 120", "u8[2] 3 37"), OPERANDS("u8[2] 1 32"));
    check_op("BitwiseAnd", NULL,
             OPERANDS("boolean[3] true false false", "boolean[3] true true false"),
             OPERANDS("boolean[3] true false false"));
    check_op("BitwiseOr", NULL, OPERANDS("u8[2] 21 120", "u8[2] 3 37"), OPERANDS("u8[2] 23 125"));
    check_op("BitwiseXor", NULL, OPERANDS("u8[2] 21 120", "u8[2] 3 37"), OPERANDS("u8[2] 22 93"));
    check_op("BitwiseNot", NULL, OPERANDS("u8[2] 1 255"), OPERANDS("u8[2] 254 0"));
    check_op("BitwiseNot", NULL, OPERANDS("boolean[2] true false"), OPERANDS("boolean[2] 0 1"));
    check_op("BitwiseNot", NULL, OPERANDS("i32[2] 0 -1"), OPERANDS("i32[2] -1 0"));
    check_op("BitwiseLeftShift", NULL, OPERANDS("u8[3] 129 1 1", "u8[3] 1 7 8"),
             OPERANDS("u8[3] 2 128 0"));
    check_op("BitwiseRightShift", NULL, OPERANDS("i8[3] -128 -1 64", "i8[3] 2 100 3"),
             OPERANDS("i8[3] -32 -1 8"));
    check_op("BitwiseRightShift", NULL, OPERANDS("u64[1] 18446744073709551615", "u64[1] 63"),
             OPERANDS("u64[1] 1"));
    check_op_fails("BitwiseLeftShift", NULL, OPERANDS("i8[2] 1 1", "i8[2] 1 -1"),
                   "b[1] is -1: a shift must not be negative");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logic),
    };

    return cmocka_run_group_tests_name("logic", tests, NULL, NULL);
}
