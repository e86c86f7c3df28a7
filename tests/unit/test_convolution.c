/* Convolutions: the documents' examples, and values by hand. */
#include "support.h"

static void test_convolution(void **state)
{
    const char *ones = "strides=1,1;pads_begin=0,0;pads_end=0,0;dilations=1,1";
    const char *image = "f32[1,1,3,3] 1 2 3 4 5 6 7 8 9";

    check_op("Convolution", ones, OPERANDS(image, "f32[1,1,2,2] 1 0 0 1"),
             OPERANDS("f32[1,1,2,2] 6 8 12 14"));
    check_op("Convolution", "strides=2,2;pads_begin=1,1;pads_end=1,1;dilations=1,1",
             OPERANDS(image, "f32[1,1,2,2] 1 2 3 4"), OPERANDS("f32[1,1,2,2] 4 18 36 77"));
    check_op("Convolution", "strides=1,1;pads_begin=0,0;pads_end=0,0;dilations=2,2",
             OPERANDS(image, "f32[1,1,2,2] 1 2 3 4"), OPERANDS("f32[1,1,1,1] 64"));
    check_op("Convolution", "strides=1;pads_begin=0;pads_end=0;dilations=1",
             OPERANDS("i32[1,2,3] 1 2 3 4 5 6", "i32[2,2,2] 1 1 0 0 0 0 1 -1"),
             OPERANDS("i32[1,2,2] 3 5 -1 -1"));
    /* an odd padding goes to the end, or to the beginning */
    check_op("Convolution", "strides=1;pads_begin=9;pads_end=9;dilations=1;auto_pad=same_upper",
             OPERANDS("f64[1,1,3] 1 2 3", "f64[1,1,2] 1 10"), OPERANDS("f64[1,1,3] 21 32 3"));
    check_op("Convolution", "strides=1;pads_begin=9;pads_end=9;dilations=1;auto_pad=same_lower",
             OPERANDS("f64[1,1,3] 1 2 3", "f64[1,1,2] 1 10"), OPERANDS("f64[1,1,3] 10 21 32"));
    check_op("Convolution", "strides=1,1,1;pads_begin=0,0,0;pads_end=0,0,0;dilations=1,1,1",
             OPERANDS("f32[1,1,2,2,2] 1 2 3 4 5 6 7 8", "f32[1,1,2,1,2] 1 2 3 4"),
             OPERANDS("f32[1,1,1,2,1] 44 64"));
    check_op("GroupConvolution", "strides=1;pads_begin=0;pads_end=0;dilations=1",
             OPERANDS("f32[1,2,3] 1 2 3 4 5 6", "f32[2,1,1,2] 1 1 1 -1"),
             OPERANDS("f32[1,2,2] 3 5 -1 -1"));
}

static void test_transposed_convolution(void **state)
{
    check_op("ConvolutionBackpropData", "strides=2;pads_begin=0;pads_end=0;dilations=1",
             OPERANDS("f32[1,1,2] 1 2", "f32[1,1,3] 1 10 100"),
             OPERANDS("f32[1,1,5] 1 10 102 20 200"));
    check_op("ConvolutionBackpropData", "strides=2;pads_begin=1;pads_end=1;dilations=1",
             OPERANDS("f32[1,1,2] 1 2", "f32[1,1,3] 1 10 100"), OPERANDS("f32[1,1,3] 10 102 20"));
    check_op("ConvolutionBackpropData",
             "strides=2;pads_begin=0;pads_end=0;dilations=1;output_padding=1",
             OPERANDS("f32[1,1,2] 1 2", "f32[1,1,2] 1 10"), OPERANDS("f32[1,1,5] 1 10 2 20 0"));
    /* a total padding of 1: at the end, or for same_upper at the beginning */
    check_op("ConvolutionBackpropData", "strides=2;pads_begin=0;pads_end=0;dilations=1",
             OPERANDS("f32[1,1,2] 1 2", "f32[1,1,3] 1 10 100", "i64[1] 4"),
             OPERANDS("f32[1,1,4] 1 10 102 20"));
    check_op("ConvolutionBackpropData",
             "strides=2;pads_begin=0;pads_end=0;dilations=1;auto_pad=same_upper",
             OPERANDS("f32[1,1,2] 1 2", "f32[1,1,3] 1 10 100", "i64[1] 4"),
             OPERANDS("f32[1,1,4] 10 102 20 200"));
    check_op("GroupConvolutionBackpropData", "strides=1;pads_begin=0;pads_end=0;dilations=1",
             OPERANDS("f32[1,2,2] 1 2 3 4", "f32[2,1,1,2] 1 10 1 -1"),
             OPERANDS("f32[1,2,3] 1 12 20 3 1 -4"));
}

static void test_convolution_shapes(void **state)
{
    /* convolution-1.rst */
    check_infer("Convolution", "dilations=1;pads_begin=0;pads_end=0;strides=2;auto_pad=valid",
                OPERANDS("f32[1,5,128]", "f32[16,5,4]"), OPERANDS("f32[1,16,63]"));
    check_infer("Convolution", "dilations=1,1;pads_begin=2,2;pads_end=2,2;strides=1,1",
                OPERANDS("f32[1,3,224,224]", "f32[64,3,5,5]"), OPERANDS("f32[1,64,224,224]"));
    check_infer("Convolution", "dilations=2,2,2;pads_begin=0,0,0;pads_end=0,0,0;strides=3,3,3",
                OPERANDS("f32[1,7,320,320,320]", "f32[32,7,3,3,3]"),
                OPERANDS("f32[1,32,106,106,106]"));
    /* group-convolution-1.rst */
    check_infer("GroupConvolution", "dilations=1,1;pads_begin=2,2;pads_end=2,2;strides=1,1",
                OPERANDS("f32[1,12,224,224]", "f32[4,1,3,5,5]"), OPERANDS("f32[1,4,224,224]"));
    /* convolution-backprop-data-1.rst */
    check_infer("ConvolutionBackpropData",
                "dilations=1,1;pads_begin=1,1;pads_end=1,1;strides=2,2;output_padding=0,0",
                OPERANDS("f32[1,20,224,224]", "f32[20,10,3,3]"), OPERANDS("f32[1,10,447,447]"));
    check_infer("ConvolutionBackpropData",
                "dilations=1,1;pads_begin=0,0;pads_end=0,0;strides=3,3;output_padding=2,2",
                OPERANDS("f32[1,20,2,2]", "f32[20,10,3,3]"), OPERANDS("f32[1,10,8,8]"));
    check_infer("ConvolutionBackpropData",
                "dilations=1,1;pads_begin=1,1;pads_end=1,1;strides=1,1;auto_pad=valid",
                OPERANDS("f32[1,20,224,224]", "f32[20,10,3,3]", "i64[2] 450 450"),
                OPERANDS("f32[1,10,450,450]"));
    /* intervals */
    check_infer("Convolution", "dilations=1;pads_begin=0;pads_end=0;strides=2",
                OPERANDS("f32[?,3,5..9]", "f32[4,3,3]"), OPERANDS("f32[?,4,2..4]"));
    check_infer("Convolution", "dilations=1;pads_begin=0;pads_end=0;strides=2;auto_pad=same_upper",
                OPERANDS("f32[?,3,5..9]", "f32[4,3,3]"), OPERANDS("f32[?,4,3..5]"));
    check_infer("Convolution", "dilations=1;pads_begin=0;pads_end=0;strides=1",
                OPERANDS("f32[...]", "f32[4,3,3]"), OPERANDS("f32[?,4,?]"));
    check_infer("Convolution", "dilations=1;pads_begin=0;pads_end=0;strides=1",
                OPERANDS("f32[...]", "f32[...]"), OPERANDS("f32..."));
}

/* These shapes are known only in the run. */
static void test_late_shapes(void **state)
{
    check_op("ConvolutionBackpropData", "strides=2;pads_begin=0;pads_end=0;dilations=1",
             OPERANDS("f32[1,1,2] 1 2", "f32[1,1,3] 1 10 100", "i64[1] ? 4"),
             OPERANDS("f32[1,1,4] 1 10 102 20"));
    check_op_fails("ConvolutionBackpropData", "strides=2;pads_begin=0;pads_end=0;dilations=1",
                   OPERANDS("f32[1,1,2] 1 2", "f32[1,1,3] 1 10 100", "i64[1] ? -4"),
                   "output_shape[0] is -4, it must not be negative");
}

static void test_convolution_messages(void **state)
{
    const char *ones = "strides=1;pads_begin=0;pads_end=0;dilations=1";

    check_infer_fails("Convolution", ones, OPERANDS("f32[1,3]", "f32[4,3,3]"),
                      "input 0 \"data\" has shape [1,3], it must have rank 3 to 5");
    check_infer_fails("Convolution", ones, OPERANDS("f32[1,3,5]", "f32[4,3]"),
                      "input 1 \"filters\" has shape [4,3], it must have rank 3 to 5");
    check_infer_fails("Convolution", ones, OPERANDS("f32[1,3,5]", "f32[4,3,3,3]"),
                      "filters have shape [4,3,3,3], data [1,3,5] asks for rank 3");
    check_infer_fails("Convolution", ones, OPERANDS("f32[1,3,5]", "f32[4,2,3]"),
                      "data [1,3,5] has 3 channels, filters [4,2,3] take 2");
    check_infer_fails("Convolution", "strides=1,1;pads_begin=0;pads_end=0;dilations=1",
                      OPERANDS("f32[1,3,5]", "f32[4,3,3]"),
                      "strides has 2 elements, it must have 1, one a spatial axis");
    check_infer_fails("Convolution", "strides=0;pads_begin=0;pads_end=0;dilations=1",
                      OPERANDS("f32[1,3,5]", "f32[4,3,3]"),
                      "strides[0] is 0, it must be in [1, 2147483647]");
    check_infer_fails("Convolution", "strides=1;pads_begin=-1;pads_end=0;dilations=1",
                      OPERANDS("f32[1,3,5]", "f32[4,3,3]"),
                      "pads_begin[0] is -1, it must be in [0, 2147483647]");
    check_infer_fails("Convolution", "strides=1;pads_begin=0;pads_end=1;dilations=3",
                      OPERANDS("f32[1,3,5]", "f32[4,3,3]"),
                      "spatial axis 0 has 6 elements with its padding, the kernel covers 7");
    check_infer_fails("Convolution", ones, OPERANDS("f32[1,3,5]", "f32[4,3,4294967296]"),
                      "the kernel has 4294967296 elements on spatial axis 0, more than 2147483647");
    check_infer_fails("Convolution", ones, OPERANDS("f32[1,3,5]", "f32[4,3,0]"),
                      "the kernel has no elements on spatial axis 0");
    check_infer_fails("ConvolutionBackpropData", "strides=1;pads_begin=4;pads_end=4;dilations=1",
                      OPERANDS("f32[1,3,5]", "f32[3,4,3]"),
                      "spatial axis 0 of the output would have -1 elements");
    check_infer_fails("ConvolutionBackpropData", ones,
                      OPERANDS("f32[1,3,5]", "f32[3,4,3]", "i64[2] 7 7"),
                      "input 2 \"output_shape\" has shape [2], it must have 1 element");
    check_infer_fails("ConvolutionBackpropData", ones,
                      OPERANDS("f32[1,3,5]", "f32[3,4,3]", "i64[1] -7"),
                      "output_shape[0] is -7, it must not be negative");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convolution),          cmocka_unit_test(test_transposed_convolution),
        cmocka_unit_test(test_convolution_shapes),   cmocka_unit_test(test_late_shapes),
        cmocka_unit_test(test_convolution_messages),
    };

    return cmocka_run_group_tests_name("convolutions", tests, NULL, NULL);
}
