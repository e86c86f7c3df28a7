/* Running sums: the examples of the document. */
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* These are the examples of cumsum-3.rst. */
static void test_cumsum(void **state)
{
    const char *five = "f32[5] 1 2 3 4 5";

    (void)state;
    check_op("CumSum", NULL, OPERANDS(five, "i64 0"), OPERANDS("f32[5] 1 3 6 10 15"));
    check_op("CumSum", "exclusive=true", OPERANDS(five), OPERANDS("f32[5] 0 1 3 6 10"));
    check_op("CumSum", "reverse=true", OPERANDS(five, "i32 0"), OPERANDS("f32[5] 15 14 12 9 5"));
    check_op("CumSum", "exclusive=true;reverse=true", OPERANDS(five, "i64 -1"),
             OPERANDS("f32[5] 14 12 9 5 0"));
    check_op("CumSum", NULL, OPERANDS("i8[2,2] 100 1 100 2", "i64 0"),
             OPERANDS("i8[2,2] 100 1 -56 3"));
    check_op("CumSum", NULL, OPERANDS("f32[2] 1 2", "i64 ? 0"), OPERANDS("f32[2] 1 3"));
    check_op_fails("CumSum", NULL, OPERANDS("f32[2] 1 2", "i64 ? 1"),
                   "axis is 1, it must be in [-1, 0]");
    check_infer_fails("CumSum", NULL, OPERANDS("f32[2,2]", "i64 2"),
                      "axis is 2, it must be in [-2, 1]");
    check_infer_fails("CumSum", NULL, OPERANDS("f32[2,2]", "i64[2]"),
                      "input 1 \"axis\" has shape [2], it must be one number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cumsum),
    };

    return cmocka_run_group_tests_name("running sums", tests, NULL, NULL);
}
