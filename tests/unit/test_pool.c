/* Poolings: the documents' examples, and values by hand. */
#include "support.h"

/* These are the examples of max-pool-1.rst, with the same erratum in the first one. */
static void test_max_pool(void **state)
{
    const char *image = "f32[1,1,3,3] -1 2 3 4 5 -6 -7 8 9";
    const char *two = "f32[1,2,3,3] -1 2 3 4 5 -6 -7 8 9 2 -1 5 6 -7 1 8 2 -3";

    check_op("MaxPool opset1", "strides=1,1;pads_begin=1,1;pads_end=1,1;kernel=2,2",
             OPERANDS(image), OPERANDS("f32[1,1,4,4] -1 2 3 3 4 5 5 3 4 8 9 9 -7 8 9 9"));
    check_op("MaxPool opset1", "strides=1;pads_begin=0;pads_end=0;kernel=3;auto_pad=valid",
             OPERANDS("f32[1,1,7] -1 2 3 5 -7 9 1"), OPERANDS("f32[1,1,5] 3 5 5 9 9"));
    check_op("MaxPool opset1",
             "strides=1,1;pads_begin=0,0;pads_end=0,0;kernel=2,2;auto_pad=same_lower",
             OPERANDS(image), OPERANDS("f32[1,1,3,3] -1 2 3 4 5 5 4 8 9"));
    check_op("MaxPool opset1",
             "strides=1,1;pads_begin=0,0;pads_end=0,0;kernel=2,2;auto_pad=same_upper",
             OPERANDS(two), OPERANDS("f32[1,2,3,3] 5 5 3 8 9 9 8 9 9 6 5 5 8 2 1 8 2 -3"));
    check_op("MaxPool opset1",
             "strides=2,2;pads_begin=0,0;pads_end=0,0;kernel=2,2;auto_pad=valid;rounding_type=ceil",
             OPERANDS(image), OPERANDS("f32[1,1,2,2] 5 3 8 9"));
    check_op("MaxPool opset1", "strides=1;pads_begin=1;pads_end=0;kernel=1",
             OPERANDS("i8[1,1,2] 5 -5"), OPERANDS("i8[1,1,3] -128 5 -5"));
    check_op("MaxPool opset1", "strides=1;pads_begin=0;pads_end=0;kernel=2",
             OPERANDS("u64[1,1,2] 18446744073709551615 5"),
             OPERANDS("u64[1,1,1] 18446744073709551615"));
    check_op("MaxPool opset1", "strides=1;pads_begin=0;pads_end=0;kernel=2",
             OPERANDS("f32[1,1,3] nan 5 1"), OPERANDS("f32[1,1,2] nan 5"));
}

/* These are the examples of pooling_shape_rules.rst; the -6 in its first one is an erratum, as that
 * window holds a 3. */
static void test_pooling_rules(void **state)
{
    const char *image = "f32[1,1,3,3] -1 2 3 4 5 -6 -7 8 9",
               *nine = "f32[1,1,3,3] 1 2 3 4 5 6 7 8 9";

    check_op("MaxPool", "strides=1,1;pads_begin=1,1;pads_end=1,1;kernel=2,2", OPERANDS(image),
             OPERANDS("f32[1,1,4,4] -1 2 3 3 4 5 5 3 4 8 9 9 -7 8 9 9",
                      "i64[1,1,4,4] 0 1 2 2 3 4 4 2 3 7 8 8 6 7 8 8"));
    check_op("MaxPool", "strides=1;pads_begin=0;pads_end=0;kernel=3;auto_pad=valid",
             OPERANDS("f32[1,1,7] -1 2 3 5 -7 9 1"),
             OPERANDS("f32[1,1,5] 3 5 5 9 9", "i64[1,1,5] 2 3 3 5 5"));
    check_op("MaxPool", "strides=1,1;pads_begin=0,0;pads_end=0,0;kernel=2,2;auto_pad=same_lower",
             OPERANDS(image),
             OPERANDS("f32[1,1,3,3] -1 2 3 4 5 5 4 8 9", "i64[1,1,3,3] 0 1 2 3 4 4 3 7 8"));
    check_op("MaxPool",
             "strides=2,2;kernel=2,2;pads_begin=1,1;pads_end=1,1;rounding_type=ceil_torch",
             OPERANDS(nine), OPERANDS("f32[1,1,2,2] 1 3 7 9", "i64[1,1,2,2] 0 2 6 8"));
    check_op("MaxPool opset8",
             "strides=2,2;kernel=2,2;pads_begin=0,0;pads_end=0,0;rounding_type=ceil;auto_pad=valid",
             OPERANDS(image), OPERANDS("f32[1,1,2,2] 5 3 8 9", "i64[1,1,2,2] 4 2 7 8"));
    check_op("MaxPool opset8", "strides=1,1;kernel=2,2;dilations=2,2;pads_begin=1,1;pads_end=1,1",
             OPERANDS(nine),
             OPERANDS("f32[1,1,3,3] 5 6 5 8 9 8 5 6 5", "i64[1,1,3,3] 4 5 4 7 8 7 4 5 4"));
    check_op("MaxPool opset8", "strides=1,1;kernel=2,2;axis=2;pads_begin=0,0;pads_end=0,0",
             OPERANDS("f32[1,2,3,3] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18"),
             OPERANDS("f32[1,2,2,2] 5 6 8 9 14 15 17 18", "i64[1,2,2,2] 4 5 7 8 4 5 7 8"));
}

static void test_max_pool_indices(void **state)
{
    const char *two = "f32[1,2,2,2] 1 2 3 3 9 8 7 6";

    check_op("MaxPool opset8", "strides=1,1;pads_begin=0,0;pads_end=0,0;kernel=2,2", OPERANDS(two),
             OPERANDS("f32[1,2,1,1] 3 9", "i64[1,2,1,1] 2 4"));
    check_op("MaxPool opset8",
             "strides=1,1;pads_begin=0,0;pads_end=0,0;kernel=2,2;axis=2;index_element_type=i32",
             OPERANDS(two), OPERANDS("f32[1,2,1,1] 3 9", "i32[1,2,1,1] 2 0"));
    check_op("MaxPool", "strides=1;pads_begin=0;pads_end=0;kernel=2;dilations=2",
             OPERANDS("f32[1,1,4] 1 9 3 2"), OPERANDS("f32[1,1,2] 3 9", "i64[1,1,2] 2 1"));
    check_infer_fails("MaxPool", "strides=1;pads_begin=0;pads_end=0;kernel=2;axis=3",
                      OPERANDS("f32[1,1,4]"), "axis is 3, it must be in [-3, 2]");
    check_infer_fails("MaxPool", "strides=1;pads_begin=0;pads_end=0;kernel=2;index_element_type=u8",
                      OPERANDS("f32[1,1,4]"), "index_element_type is u8, it must be i32 or i64");
}

static void test_average_pool(void **state)
{
    const char *x = "f32[1,1,4] 1 3 5 7";

    check_op("AvgPool opset1", "strides=2;pads_begin=0;pads_end=0;kernel=2;exclude-pad=true",
             OPERANDS(x), OPERANDS("f32[1,1,2] 2 6"));
    check_op("AvgPool opset1", "strides=3;pads_begin=1;pads_end=1;kernel=3;exclude-pad=true",
             OPERANDS(x), OPERANDS("f32[1,1,2] 2 6"));
    check_op("AvgPool opset1", "strides=3;pads_begin=1;pads_end=1;kernel=3;exclude-pad=false",
             OPERANDS(x), OPERANDS("f32[1,1,2] 1.3333333333 4"));
    /* ceil: the last window reaches beyond image and padding, which does not count */
    check_op("AvgPool opset1",
             "strides=3;pads_begin=0;pads_end=0;kernel=3;exclude-pad=false;rounding_type=ceil",
             OPERANDS(x), OPERANDS("f32[1,1,2] 3 7"));
    check_op("AvgPool opset1", "strides=1;pads_begin=0;pads_end=0;kernel=2;exclude-pad=true",
             OPERANDS("i32[1,1,3] 1 2 -5"), OPERANDS("i32[1,1,2] 1 -1"));
}

static void test_pool_shapes(void **state)
{
    check_infer("MaxPool opset1", "strides=2,2;pads_begin=1,1;pads_end=1,1;kernel=2,2",
                OPERANDS("f32[1,3,32,32]"), OPERANDS("f32[1,3,17,17]"));
    check_infer("MaxPool opset1",
                "strides=2,2;pads_begin=1,1;pads_end=1,1;kernel=2,2;auto_pad=valid",
                OPERANDS("f32[1,3,32,32]"), OPERANDS("f32[1,3,16,16]"));
    check_infer("AvgPool opset1",
                "exclude-pad=true;strides=3,3;pads_begin=1,1;pads_end=1,1;kernel=5,5",
                OPERANDS("f32[1,3,32,32]"), OPERANDS("f32[1,3,10,10]"));
    check_infer(
        "AvgPool opset1",
        "exclude-pad=true;strides=2,2;pads_begin=1,1;pads_end=1,1;kernel=5,5;auto_pad=valid",
        OPERANDS("f32[1,3,32,32]"), OPERANDS("f32[1,3,14,14]"));
    check_infer("MaxPool opset1", "strides=3;pads_begin=1;pads_end=1;kernel=2;rounding_type=ceil",
                OPERANDS("f32[1,1,4]"), OPERANDS("f32[1,1,3]"));
    /* ceil_torch: a third window would start at 5, behind the image of 4 and a padding of 1 */
    check_infer("MaxPool", "strides=3;pads_begin=1;pads_end=1;kernel=2;rounding_type=ceil_torch",
                OPERANDS("f32[1,1,4]"), OPERANDS("f32[1,1,2]", "i64[1,1,2]"));
    check_infer("MaxPool opset1", "strides=2;pads_begin=0;pads_end=0;kernel=2",
                OPERANDS("f32[...]"), OPERANDS("f32..."));
    check_infer_fails("MaxPool opset1",
                      "strides=2;pads_begin=0;pads_end=0;kernel=", OPERANDS("f32[1,1,4]"),
                      "kernel has 0 elements, it must have 1, one a spatial axis");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_max_pool),         cmocka_unit_test(test_pooling_rules),
        cmocka_unit_test(test_max_pool_indices), cmocka_unit_test(test_average_pool),
        cmocka_unit_test(test_pool_shapes),
    };

    return cmocka_run_group_tests_name("poolings", tests, NULL, NULL);
}
