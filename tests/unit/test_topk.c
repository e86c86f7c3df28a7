/* TopK: values by hand from the document. */
#include "support.h"

static void test_topk(void **state)
{
    const char *in = "f32[6] 5 3 1 2 5 5", *rows = "i32[2,3] 3 1 2 4 6 5";

    /* top-k-11.rst: the stable answer */
    check_op("TopK", "axis=0;mode=min;sort=index;stable=true", OPERANDS(in, "i64 4"),
             OPERANDS("f32[4] 5 3 1 2", "i32[4] 0 1 2 3"));
    check_op("TopK", "axis=0;mode=max;sort=value;stable=true", OPERANDS(in, "i64 4"),
             OPERANDS("f32[4] 5 5 5 3", "i32[4] 0 4 5 1"));
    check_op("TopK", "axis=0;mode=min;sort=value;index_element_type=i64", OPERANDS(in, "i32 3"),
             OPERANDS("f32[3] 1 2 3", "i64[3] 2 3 1"));
    check_op("TopK opset3", "axis=-1;mode=max;sort=value", OPERANDS(rows, "i8 2"),
             OPERANDS("i32[2,2] 3 2 6 5", "i32[2,2] 0 2 1 2"));
    check_op("TopK opset1", "axis=0;mode=max;sort=none", OPERANDS(rows, "i64 1"),
             OPERANDS("i32[1,3] 4 6 5", "i32[1,3] 1 1 1"));
    check_op("TopK", "axis=0;mode=max;sort=value", OPERANDS("f32[4] nan 1 -inf 2", "i64 4"),
             OPERANDS("f32[4] 2 1 -inf nan", "i32[4] 3 1 2 0"));
    check_op("TopK", "axis=0;mode=max;sort=value",
             OPERANDS("u64[3] 1 18446744073709551615 5", "i64 2"),
             OPERANDS("u64[2] 18446744073709551615 5", "i32[2] 1 2"));
}

/* The operation reads K when it runs. */
static void test_topk_count(void **state)
{
    const char *attrs = "axis=0;mode=max;sort=value";

    check_op("TopK", attrs, OPERANDS("f32[3] 1 3 2", "i64 ? 2"),
             OPERANDS("f32[2] 3 2", "i32[2] 1 2"));
    check_op_fails("TopK", attrs, OPERANDS("f32[3] 1 3 2", "i64 ? 4"),
                   "k is 4, axis 0 has 3 elements");
    check_op_fails("TopK", attrs, OPERANDS("f32[1] 1", "i64 ? 4"), "k is 4, axis 0 has 1 element");
}

static void test_topk_shapes(void **state)
{
    const char *attrs = "axis=3;mode=max;sort=value";

    check_infer("TopK", attrs, OPERANDS("f32[1,3,224,224]", "i64 10"),
                OPERANDS("f32[1,3,224,10]", "i32[1,3,224,10]"));
    check_infer("TopK", attrs, OPERANDS("f32[1,3,?,224]", "i64[]"),
                OPERANDS("f32[1,3,?,..224]", "i32[1,3,?,..224]"));
    check_infer("TopK", attrs, OPERANDS("f32[...]", "i64 10"), OPERANDS("f32...", "i32..."));
    check_infer_fails("TopK", attrs, OPERANDS("f32[1,3]", "i64 1"),
                      "axis is 3, it must be in [-2, 1]");
    check_infer_fails("TopK", "axis=1;mode=max;sort=value", OPERANDS("f32[1,3]", "i64 4"),
                      "k is 4, axis 1 has 3 elements");
    check_infer_fails("TopK", "axis=1;mode=max;sort=value", OPERANDS("f32[1,3]", "i64 -1"),
                      "k is -1, it must not be negative");
    check_infer_fails("TopK", "axis=1;mode=max;sort=value", OPERANDS("f32[1,3]", "i64[2] 1 1"),
                      "input 1 \"k\" has shape [2], it must be one number");
    check_infer_fails("TopK", "axis=1;mode=max;sort=value;index_element_type=u8",
                      OPERANDS("f32[1,3]", "i64 1"),
                      "index_element_type is u8, it must be i32 or i64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_topk),
        cmocka_unit_test(test_topk_count),
        cmocka_unit_test(test_topk_shapes),
    };

    return cmocka_run_group_tests_name("TopK", tests, NULL, NULL);
}
