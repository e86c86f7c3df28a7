/* NonMaxSuppression: values by hand from the document. */
#include "support.h"

/* Box 1 overlaps box 0 by a third (2 of 6), box 2 touches neither, box 3 equals box 0. */
static const char boxes[] = "f32[1,4,4] 0 0 2 2 1 0 3 2 5 5 6 6 2 2 0 0";

static void test_suppression(void **state)
{
    const char *scores = "f32[1,1,4] 0.9 0.8 0.3 0.7";

    check_op("NonMaxSuppression", NULL, OPERANDS(boxes, scores, "i64 10", "f32 0.25", "f32 0"),
             OPERANDS("i64[2,3] 0 0 0 0 0 2", "f32[2,3] 0 0 0.9 0 0 0.3", "i64[1] 2"));
    check_op("NonMaxSuppression", "output_type=i32",
             OPERANDS(boxes, scores, "i64 10", "f32[1] 0.5", "f32 0.5"),
             OPERANDS("i32[2,3] 0 0 0 0 0 1", "f32[2,3] 0 0 0.9 0 0 0.8", "i32[1] 2"));
    /* a score that is the threshold is not above it */
    for (int v = 5; v <= 9; v += 4) {
        const char *op = v == 5 ? "NonMaxSuppression opset5" : "NonMaxSuppression";

        check_op(op, NULL,
                 OPERANDS(boxes, "f32[1,1,4] 0.5 0.75 0.25 0.5", "i64 10", "f32 1", "f32 0.5"),
                 OPERANDS("i64[1,3] 0 0 1", "f32[1,3] 0 0 0.75", "i64[1] 1"));
        check_op(op, NULL, OPERANDS(boxes, "f32[1,1,4] 0 0.5 0 -1", "i64 10", "f32 1"),
                 OPERANDS("i64[1,3] 0 0 1", "f32[1,3] 0 0 0.5", "i64[1] 1"));
        /* an overlap that is the threshold, 2 of 4 and 4 of 4, is not above it */
        check_op(op, NULL,
                 OPERANDS("f32[1,2,4] 0 0 2 2 0 0 1 2", "f32[1,1,2] 0.75 0.5", "i64 10", "f32 0.5"),
                 OPERANDS("i64[2,3] 0 0 0 0 0 1", "f32[2,3] 0 0 0.75 0 0 0.5", "i64[1] 2"));
        check_op(op, NULL,
                 OPERANDS("f32[1,2,4] 0 0 2 2 0 0 2 2", "f32[1,1,2] 0.75 0.5", "i64 10", "f32 1"),
                 OPERANDS("i64[2,3] 0 0 0 0 0 1", "f32[2,3] 0 0 0.75 0 0 0.5", "i64[1] 2"));
    }
    check_op("NonMaxSuppression opset5", NULL, OPERANDS(boxes, scores, "i64 1", "f32 0.25"),
             OPERANDS("i64[1,3] 0 0 0", "f32[1,3] 0 0 0.9", "i64[1] 1"));
    check_op("NonMaxSuppression", NULL, OPERANDS(boxes, scores, "i64 ? 1", "f32 ? 0.25"),
             OPERANDS("i64[1,3] 0 0 0", "f32[1,3] 0 0 0.9", "i64[1] 1"));
    check_op("NonMaxSuppression", NULL, OPERANDS(boxes, scores),
             OPERANDS("i64[0,3]", "f32[0,3]", "i64[1] 0"));
    /* center: x, y, width, height; a box of 2 x 4 and one of 2 x 4 moved by 1 along x: 4 of 12 */
    check_op("NonMaxSuppression", "box_encoding=center",
             OPERANDS("f32[1,2,4] 0 0 2 4 1 0 2 4", "f32[1,1,2] 0.5 0.6", "i64 2", "f32 0.3"),
             OPERANDS("i64[1,3] 0 0 1", "f32[1,3] 0 0 0.6", "i64[1] 1"));
    check_op("NonMaxSuppression", "box_encoding=center",
             OPERANDS("f32[1,2,4] 0 0 2 4 1 0 2 4", "f32[1,1,2] 0.5 0.6", "i64 2", "f32 0.4"),
             OPERANDS("i64[2,3] 0 0 1 0 0 0", "f32[2,3] 0 0 0.6 0 0 0.5", "i64[1] 2"));
}

/* Scores are sorted across classes, or class by class. */
static void test_suppression_order(void **state)
{
    const char *two = "f32[1,2,2] 0.3 0.1 0.2 0.4", *far = "f32[1,2,4] 0 0 1 1 5 5 6 6";

    check_op("NonMaxSuppression", NULL, OPERANDS(far, two, "i64 2", "f32 0.5"),
             OPERANDS("i64[4,3] 0 1 1 0 0 0 0 1 0 0 0 1",
                      "f32[4,3] 0 1 0.4 0 0 0.3 0 1 0.2 0 0 0.1", "i64[1] 4"));
    check_op("NonMaxSuppression", "sort_result_descending=false",
             OPERANDS(far, two, "i64 2", "f32 0.5"),
             OPERANDS("i64[4,3] 0 0 0 0 0 1 0 1 1 0 1 0",
                      "f32[4,3] 0 0 0.3 0 0 0.1 0 1 0.4 0 1 0.2", "i64[1] 4"));
}

/* A soft NMS multiplies the score: 0.8 * exp(-0.5 * (1/3)^2 / 0.5); version 5 drops what overlaps
 * by more than the threshold. */
static void test_soft_suppression(void **state)
{
    const char *two = "f64[1,2,4] 0 0 2 2 1 0 3 2", *scores = "f64[1,1,2] 0.9 0.8";

    check_op(
        "NonMaxSuppression", NULL, OPERANDS(two, scores, "i64 2", "f64 0.25", "f64 0", "f64 0.5"),
        OPERANDS("i64[2,3] 0 0 0 0 0 1", "f64[2,3] 0 0 0.9 0 0 0.7158714534514958", "i64[1] 2"));
    check_op("NonMaxSuppression opset5", NULL,
             OPERANDS(two, scores, "i64 2", "f64 0.25", "f64 0", "f64 0.5"),
             OPERANDS("i64[1,3] 0 0 0", "f64[1,3] 0 0 0.9", "i64[1] 1"));
}

static void test_suppression_shapes(void **state)
{
    check_infer("NonMaxSuppression", NULL, OPERANDS("f32[3,100,4]", "f32[3,5,100]", "i64 10"),
                OPERANDS("i64[..150,3]", "f32[..150,3]", "i64[1]"));
    check_infer("NonMaxSuppression", NULL, OPERANDS("f16[...]", "f16[3,5,?]", "i64[]", "f16[]"),
                OPERANDS("i64[?,3]", "f16[?,3]", "i64[1]"));
    check_infer_fails("NonMaxSuppression", NULL, OPERANDS("f32[3,100,5]", "f32[3,5,100]"),
                      "input 0 \"boxes\" has shape [3,100,5], a box has 4 numbers");
    check_infer_fails("NonMaxSuppression", NULL, OPERANDS("f32[3,100,4]", "f32[3,5,99]"),
                      "input 1 \"scores\" has shape [3,5,99]: axis 2 is 99, it must be 100");
    check_infer_fails("NonMaxSuppression", NULL, OPERANDS("f32[100,4]", "f32[3,5,99]"),
                      "input 0 \"boxes\" has shape [100,4], it must have rank 3");
    check_infer_fails(
        "NonMaxSuppression", NULL, OPERANDS("f32[3,100,4]", "f32[3,5,100]", "i64[2]"),
        "input 2 \"max_output_boxes_per_class\" has shape [2], it must be one number");
    check_infer_fails("NonMaxSuppression", "output_type=f32",
                      OPERANDS("f32[3,100,4]", "f32[3,5,100]"),
                      "output_type is f32, it must be i32 or i64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_suppression),
        cmocka_unit_test(test_suppression_order),
        cmocka_unit_test(test_soft_suppression),
        cmocka_unit_test(test_suppression_shapes),
    };

    return cmocka_run_group_tests_name("non-maximum suppression", tests, NULL, NULL);
}
