/* SoftMax and LogSoftmax: values by hand from their documents' formulas. */
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_softmax(void **state)
{
    (void)state;
    check_op("SoftMax opset1", NULL, OPERANDS("f32[1,3] 1 2 3"),
             OPERANDS("f32[1,3] 0.0900305732 0.244728471 0.665240956"));
    check_op("SoftMax", "axis=-2", OPERANDS("f32[2,2] 0 1000 0 1000"),
             OPERANDS("f32[2,2] 0.5 0.5 0.5 0.5"));
    check_op("SoftMax", "axis=0", OPERANDS("f64[3] 1 2 3"),
             OPERANDS("f64[3] 0.090030573170380457726 0.24472847105479765 0.66524095577482189"));
    check_op("LogSoftmax", "axis=0", OPERANDS("f32[3] 1 2 3"),
             OPERANDS("f32[3] -2.40760596 -1.40760596 -0.407605964"));
    check_infer("SoftMax", "axis=-1", OPERANDS("f32[2,?]"), OPERANDS("f32[2,?]"));
    check_infer_fails("SoftMax", "axis=2", OPERANDS("f32[2,3]"),
                      "axis is 2, it must be in [-2, 1]");
    check_infer_fails("SoftMax opset1", "axis=-1", OPERANDS("f32[2,3]"),
                      "axis is -1, it must not be negative");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_softmax),
    };

    return cmocka_run_group_tests_name("softmax", tests, NULL, NULL);
}
