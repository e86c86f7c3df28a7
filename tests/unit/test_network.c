/* Matrix products, convolutions and poolings: the documents' examples, and values by hand. */
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_matmul(void **state)
{
    const char *a = "f32[2,3] 1 2 3 4 5 6", *b = "f32[3,2] 1 0 0 1 1 1";

    (void)state;
    check_op("MatMul", NULL, OPERANDS(a, b), OPERANDS("f32[2,2] 4 5 10 11"));
    check_op("MatMul", "transpose_a=true;transpose_b=true", OPERANDS(a, b),
             OPERANDS("f32[3,3] 1 4 5 2 5 7 3 6 9"));
    check_op("MatMul", "transpose_b=true", OPERANDS(a, a), OPERANDS("f32[2,2] 14 32 32 77"));
    check_op("MatMul", NULL, OPERANDS("f32[3] 1 2 3", "f32[3] 4 5 6"), OPERANDS("f32 32"));
    check_op("MatMul", "transpose_a=true", OPERANDS("f32[3] 1 2 3", b), OPERANDS("f32[2] 4 5"));
    check_op("MatMul", NULL, OPERANDS(a, "f32[3] 1 1 1"), OPERANDS("f32[2] 6 15"));
    check_op("MatMul", NULL, OPERANDS("f64[2,1,1,2] 1 2 3 4", "f64[3,2,1] 1 0 0 1 1 1"),
             OPERANDS("f64[2,3,1,1] 1 2 3 3 4 7"));
    check_op("MatMul", NULL, OPERANDS("i8[1,2] 100 100", "i8[2,1] 1 1"), OPERANDS("i8[1,1] -56"));
    check_op("MatMul", NULL, OPERANDS("f32[2,0]", "f32[0,2]"), OPERANDS("f32[2,2] 0 0 0 0"));
    /* f16 accumulates in f32: 2048 + 1 + 1 would stay 2048 in f16. */
    check_op("MatMul", NULL, OPERANDS("f16[1,3] 2048 1 1", "f16[3,1] 1 1 1"),
             OPERANDS("f16[1,1] 2050"));
}

/* matmul-1.rst's examples */
static void test_matmul_shapes(void **state)
{
    (void)state;
    check_infer("MatMul", NULL, OPERANDS("f32[1024]", "f32[1024,1000]"), OPERANDS("f32[1000]"));
    check_infer("MatMul", NULL, OPERANDS("f32[1000,1024]", "f32[1024]"), OPERANDS("f32[1000]"));
    check_infer("MatMul", "transpose_b=true", OPERANDS("f32[1024]", "f32[1000,1024]"),
                OPERANDS("f32[1000]"));
    check_infer("MatMul", NULL, OPERANDS("f32[5,10,1024]", "f32[1024,1000]"),
                OPERANDS("f32[5,10,1000]"));
    check_infer("MatMul", NULL, OPERANDS("f32[?,10,?]", "f32[4,?,7]"), OPERANDS("f32[4,10,7]"));
    check_infer("MatMul", NULL, OPERANDS("f32[...]", "f32[2,3]"), OPERANDS("f32..."));
    check_infer_fails("MatMul", NULL, OPERANDS("f32[2,3]", "f32[2,3]"),
                      "matrices of shapes [2,3] and [2,3] cannot be multiplied: 3 columns on the "
                      "left, 2 rows on the right (after transposition)");
    check_infer_fails("MatMul", NULL, OPERANDS("f32[2,4,3]", "f32[3,3,2]"),
                      "the batch dimensions of [2,4,3] and [3,3,2] do not broadcast");
    check_infer_fails("MatMul", NULL, OPERANDS("f32[]", "f32[2]"),
                      "input 0 \"a\" has shape [], it must have rank 1 or more");
}

static void test_convolution(void **state)
{
    const char *ones = "strides=1,1;pads_begin=0,0;pads_end=0,0;dilations=1,1";
    const char *image = "f32[1,1,3,3] 1 2 3 4 5 6 7 8 9";

    (void)state;
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
    (void)state;
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
    (void)state;
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

/* Shapes that only the run tells. */
static void test_late_shapes(void **state)
{
    (void)state;
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

    (void)state;
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
                      "input 2 \"output_shape\" has shape [2], it must have 1 elements");
    check_infer_fails("ConvolutionBackpropData", ones,
                      OPERANDS("f32[1,3,5]", "f32[3,4,3]", "i64[1] -7"),
                      "output_shape[0] is -7, it must not be negative");
}

/* max-pool-1.rst's examples, with the same erratum in the first one */
static void test_max_pool(void **state)
{
    const char *image = "f32[1,1,3,3] -1 2 3 4 5 -6 -7 8 9";
    const char *two = "f32[1,2,3,3] -1 2 3 4 5 -6 -7 8 9 2 -1 5 6 -7 1 8 2 -3";

    (void)state;
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

/* pooling_shape_rules.rst's examples; the -6 in its first one is an erratum, that window holds a 3
 */
static void test_pooling_rules(void **state)
{
    const char *image = "f32[1,1,3,3] -1 2 3 4 5 -6 -7 8 9",
               *nine = "f32[1,1,3,3] 1 2 3 4 5 6 7 8 9";

    (void)state;
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

    (void)state;
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

    (void)state;
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
    (void)state;
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
        cmocka_unit_test(test_matmul),
        cmocka_unit_test(test_matmul_shapes),
        cmocka_unit_test(test_convolution),
        cmocka_unit_test(test_transposed_convolution),
        cmocka_unit_test(test_convolution_shapes),
        cmocka_unit_test(test_late_shapes),
        cmocka_unit_test(test_convolution_messages),
        cmocka_unit_test(test_max_pool),
        cmocka_unit_test(test_pooling_rules),
        cmocka_unit_test(test_max_pool_indices),
        cmocka_unit_test(test_average_pool),
        cmocka_unit_test(test_pool_shapes),
    };

    return cmocka_run_group_tests_name("network operations", tests, NULL, NULL);
}
