/* Normalizations, running sums and the LSTM cell: values by numpy from the documents' formulas. */
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char x[] = "f64[2,3] 1 2 4 -1 0 7";

static void test_mvn(void **state)
{
    (void)state;
    check_op("MVN", "normalize_variance=true;eps=0.5;eps_mode=inside_sqrt",
             OPERANDS("f32[2,3] 1 2 4 -1 0 7", "i64[1] 1"),
             OPERANDS("f32[2,3] -0.92998111 -0.232495277 1.16247639 -0.826767382 -0.551178255 "
                      "1.37794564"));
    check_op("MVN", "normalize_variance=true;eps=0.5;eps_mode=outside_sqrt",
             OPERANDS("f32[2,3] 1 2 4 -1 0 7", "i64[1] -1"),
             OPERANDS("f32[2,3] -0.763117408 -0.190779352 0.95389676 -0.73909355 -0.492729034 "
                      "1.23182258"));
    check_op("MVN", "normalize_variance=false;eps=0.5;eps_mode=inside_sqrt",
             OPERANDS(x, "i64[1] 1"),
             OPERANDS("f64[2,3] -1.3333333333333333 -0.33333333333333348 1.6666666666666665 -3 -2 "
                      "5"));
    check_op("MVN opset2", "across_channels=true;normalize_variance=true;eps=0.5",
             OPERANDS("f32[1,2,3] 1 2 4 -1 0 7"),
             OPERANDS("f32[1,2,3] -0.422115882 -0.0603022689 0.663324958 -1.14574311 -0.783929496 "
                      "1.7487658"));
    check_op("MVN opset2", "across_channels=false;normalize_variance=true;eps=0.5",
             OPERANDS("f32[1,2,3] 1 2 4 -1 0 7"),
             OPERANDS("f32[1,2,3] -0.92998111 -0.232495277 1.16247639 -0.826767382 -0.551178255 "
                      "1.37794564"));
    check_op("MVN opset2", "reduction_axes=0;normalize_variance=true;eps=0.5",
             OPERANDS("f32[2,3] 1 2 4 -1 0 7"),
             OPERANDS("f32[2,3] 0.816496581 0.816496581 -0.904534034 -0.816496581 -0.816496581 "
                      "0.904534034"));
    check_infer_fails("MVN opset2", "reduction_axes=2;normalize_variance=true;eps=0.5",
                      OPERANDS("f32[2,3]"), "reduction_axes[0] is 2, it must be in [-2, 1]");
    check_infer_fails("MVN opset2", "reduction_axes=0,1,0;normalize_variance=true;eps=0.5",
                      OPERANDS("f32[2,3]"), "reduction_axes has 3 elements, data has rank 2");
    check_infer_fails("MVN", "normalize_variance=true;eps=0.5;eps_mode=inside_sqrt",
                      OPERANDS("f32[2,3]", "i64[2] 0 0"), "axes[1] is 0: axis 0 is repeated");
    check_infer_fails("MVN", "normalize_variance=true;eps=0.5;eps_mode=inside_sqrt",
                      OPERANDS("f32[2,3]", "i64[3]"),
                      "input 1 \"axes\" has 3 elements, data has rank 2");
}

static void test_normalize_l2(void **state)
{
    (void)state;
    check_op("NormalizeL2", "eps=3;eps_mode=add", OPERANDS("f32[2,3] 1 2 4 -1 0 7", "i64 1"),
             OPERANDS("f32[2,3] 0.204124145 0.40824829 0.816496581 -0.137360564 0 0.961523948"));
    check_op("NormalizeL2", "eps=30;eps_mode=max", OPERANDS("f32[2,3] 1 2 4 -1 0 7", "i64 1"),
             OPERANDS("f32[2,3] 0.182574186 0.365148372 0.730296743 -0.141421356 0 0.989949494"));
    check_op("NormalizeL2", "eps=1e-8;eps_mode=max", OPERANDS("f64[2] -3 5", "i64[0]"),
             OPERANDS("f64[2] 1 1"));
    check_op("NormalizeL2", "eps=4;eps_mode=add",
             OPERANDS("f32[6] -3 0 0.5 1e-30 inf -inf", "i64[0]"), OPERANDS("f32[6] 1 0 1 1 1 1"));
    /* an axis of one element is an axis: 2 / sqrt(4 + 5) */
    check_op("NormalizeL2", "eps=5;eps_mode=add", OPERANDS("f32[2,1] 2 -2", "i64[1] 1"),
             OPERANDS("f32[2,1] 0.666666687 -0.666666687"));
}

static void test_lrn(void **state)
{
    (void)state;
    check_op("LRN", "alpha=2;beta=0.5;bias=1;size=3", OPERANDS("f32[1,4] 1 2 3 4", "i64[1] 1"),
             OPERANDS("f32[1,4] 0.480384461 0.622171017 0.665299144 0.951661903"));
    check_op("LRN", "alpha=2;beta=0.75;bias=1;size=3", OPERANDS("f32[2,2] 1 2 3 4", "i64[2] 0 1"),
             OPERANDS("f32[2,2] 0.21704264 0.434085281 0.651127921 0.868170561"));
    check_infer_fails("LRN", "alpha=2;beta=0.5;bias=1;size=0", OPERANDS("f32[1,4]", "i64[1] 1"),
                      "size is 0, it must be at least 1");
}

static void test_batch_norm(void **state)
{
    const char *gamma = "f32[3] 1 2 3", *beta = "f32[3] 0.5 0 -1", *mean = "f32[3] 1 2 3",
               *variance = "f32[3] 1 4 9";

    (void)state;
    check_op("BatchNormInference", "epsilon=0.5",
             OPERANDS("f32[1,3,2] 1 2 3 4 5 6", gamma, beta, mean, variance),
             OPERANDS("f32[1,3,2] 0.5 1.31649658 0.942809042 1.88561808 0.946657054 1.91998558"));
    check_infer("BatchNormInference", "epsilon=0",
                OPERANDS("f32[?,?,2]", gamma, beta, mean, variance), OPERANDS("f32[?,3,2]"));
    check_infer_fails("BatchNormInference", "epsilon=0",
                      OPERANDS("f32[1,4,2]", gamma, beta, mean, variance),
                      "input 1 \"gamma\" has shape [3]: axis 0 is 3, it must be 4");
    check_infer_fails("BatchNormInference", "epsilon=-1",
                      OPERANDS("f32[1,3,2]", gamma, beta, mean, variance),
                      "epsilon is -1, it must not be negative");
    check_infer_fails("BatchNormInference", "epsilon=0",
                      OPERANDS("f32[3]", gamma, beta, mean, variance),
                      "input 0 \"data\" has shape [3], it must have rank 2 or more");
}

/* Version 1 has the order of OpenVINO's class, or that of its page. */
static void test_batch_norm_orders(void **state)
{
    const char *gamma = "f32[3] 1 2 3", *beta = "f32[3] 0.5 0 -1", *mean = "f32[3] 1 2 3",
               *variance = "f32[3] 1 4 9", *data = "f32[1,3,2] 1 2 3 4 5 6";
    const char *want = "f32[1,3,2] 0.5 1.31649658 0.942809042 1.88561808 0.946657054 1.91998558";

    (void)state;
    check_op("BatchNormInference opset1", "epsilon=0.5",
             OPERANDS(gamma, beta, data, mean, variance), OPERANDS(want));
    check_op("BatchNormInference opset4", "epsilon=0.5",
             OPERANDS(data, gamma, beta, mean, variance), OPERANDS(want));
    check_op("BatchNormInference opset1", "epsilon=0",
             OPERANDS("f64[1] 2", "f64[1] 1", "f64[2,1] 4 -6", "f64[1] -1", "f64[1] 25"),
             OPERANDS("f64[2,1] 3 -1"));
    check_infer("BatchNormInference opset1", "epsilon=0",
                OPERANDS("f32[...]", beta, "f32[?,?,2]", mean, variance), OPERANDS("f32[?,3,2]"));
    check_infer("BatchNormInference opset1", "epsilon=0",
                OPERANDS("f32[...]", gamma, beta, mean, variance), OPERANDS("f32..."));
    check_infer("BatchNormInference opset1", "epsilon=0",
                OPERANDS("f32[...]", "f32[...]", "f32[...]", mean, variance), OPERANDS("f32..."));
    check_infer_fails("BatchNormInference opset1", "epsilon=0",
                      OPERANDS(gamma, beta, "f32[3]", mean, variance),
                      "input 2 \"data\" has shape [3], it must have rank 2 or more");
    check_infer_fails("BatchNormInference opset1", "epsilon=0",
                      OPERANDS(gamma, beta, "f32[1,4]", mean, variance),
                      "input 0 \"gamma\" has shape [3]: axis 0 is 3, it must be 4");
    check_infer_fails("BatchNormInference opset5", "epsilon=0.5",
                      OPERANDS(gamma, beta, data, mean, variance),
                      "input 0 \"data\" has shape [3], it must have rank 2 or more");
}

/* cumsum-3.rst's examples */
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

#define CELL                                                                                       \
    "f32[2,3] 1 -1 0.5 0.25 2 -0.5", "f32[2,2] 0.5 -0.5 1 0", "f32[2,2] 1 2 -1 0.5",               \
        "f32[8,3] -1.2 -1.1 -1 -0.9 -0.8 -0.7 -0.6 -0.5 -0.4 -0.3 -0.2 -0.1 0 0.1 0.2 0.3 0.4 "    \
        "0.5 0.6 0.7 0.8 0.9 1 1.1",                                                               \
        "f32[8,2] -1 -0.875 -0.75 -0.625 -0.5 -0.375 -0.25 -0.125 0 0.125 0.25 0.375 0.5 0.625 "   \
        "0.75 0.875"
#define BIAS "f32[8] -1 -0.75 -0.5 -0.25 0 0.25 0.5 0.75"

static void test_lstm_cell(void **state)
{
    (void)state;
    check_op("LSTMCell", "hidden_size=2", OPERANDS(CELL, BIAS),
             OPERANDS("f32[2,2] 0.0946857057 0.388435467 -0.00499081766 0.238768329",
                      "f32[2,2] 0.140899724 0.566759516 -0.00557222653 0.25407719"));
    check_op("LSTMCell opset1", "hidden_size=2", OPERANDS(CELL),
             OPERANDS("f32[2,2] 0.170292041 0.391605195 -0.0238925343 0.256023758",
                      "f32[2,2] 0.31456443 0.788234747 -0.0284887981 0.286246298"));
    check_op("LSTMCell", "hidden_size=2;clip=0.5", OPERANDS(CELL, BIAS),
             OPERANDS("f32[2,2] 0.211571499 0.439952044 -0.203792427 0.21665523",
                      "f32[2,2] 0.353975053 0.880753191 -0.339911947 0.363238355"));
    check_op("LSTMCell", "hidden_size=2;activations=sigmoid,relu,tanh", OPERANDS(CELL, BIAS),
             OPERANDS("f32[2,2] 0.106939521 0.391071418 -0.00495378077 0.317521051",
                      "f32[2,2] 0.159426687 0.571495274 -0.00553087414 0.343716809"));
    check_op("LSTMCell opset1", "hidden_size=2;weights_format=icof", OPERANDS(CELL, BIAS),
             OPERANDS("f32[2,2] 0.247933013 0.519050056 -0.379318979 0.315121464",
                      "f32[2,2] 0.565241885 1.41913937 -0.912941283 0.444571321"));
    /* clip does not bound what goes into h: 0.5 * tanh(0.5 * 4) */
    check_op(
        "LSTMCell", "hidden_size=1;clip=1",
        OPERANDS("f32[1,1] 0", "f32[1,1] 0", "f32[1,1] 4", "f32[4,1] 0 0 0 0", "f32[4,1] 0 0 0 0"),
        OPERANDS("f32[1,1] 0.48201379", "f32[1,1] 2"));
}

/* What OpenVINO's class of opset1 has beyond its page. */
static void test_lstm_peepholes(void **state)
{
    const char *peepholes = "f32[6] 0.5 -1 0.25 2 -0.75 1";

    (void)state;
    check_op("LSTMCell opset1", "hidden_size=2", OPERANDS(CELL, BIAS, peepholes),
             OPERANDS("f32[2,2] 0.0384280832 0.863033308 -0.0263132367 0.187948999",
                      "f32[2,2] 0.056610647 1.37843901 -0.0294094065 0.195721163"));
    check_op("LSTMCell opset1", "hidden_size=2;input_forget=true", OPERANDS(CELL, BIAS),
             OPERANDS("f32[2,2] 0.0720777525 0.455036069 0.0714023654 0.634315541",
                      "f32[2,2] 0.106959154 0.694600851 0.0798891352 0.794278888"));
    check_op("LSTMCell opset1", "hidden_size=2;input_forget=true;clip=0.5",
             OPERANDS(CELL, BIAS, peepholes),
             OPERANDS("f32[2,2] 0.203111704 0.546624841 -0.190120003 0.275980732",
                      "f32[2,2] 0.338687537 1.36771138 -0.315501396 0.476419471"));
    check_infer_fails("LSTMCell opset1", "hidden_size=2", OPERANDS(CELL, BIAS, "f32[8]"),
                      "input 6 \"P\" has shape [8]: axis 0 is 8, it must be 6");
}

static void test_lstm_shapes(void **state)
{
    const char *h = "f32[?,128]", *w = "f32[512,16]", *r = "f32[512,128]";

    (void)state;
    check_infer("LSTMCell", "hidden_size=128",
                OPERANDS("f32[1,16]", "f32[1,128]", "f32[1,128]", w, r, "f32[512]"),
                OPERANDS("f32[1,128]", "f32[1,128]"));
    check_infer("LSTMCell", "hidden_size=128", OPERANDS("f32[...]", h, "f32[2..3,128]", w, r),
                OPERANDS("f32[2..3,128]", "f32[2..3,128]"));
    check_infer_fails("LSTMCell", "hidden_size=128", OPERANDS("f32[1,17]", h, h, w, r),
                      "input 3 \"W\" has shape [512,16]: axis 1 is 16, it must be 17");
    check_infer_fails("LSTMCell", "hidden_size=64", OPERANDS("f32[1,16]", h, h, w, r),
                      "input 1 \"initial_hidden_state\" has shape [?,128]: axis 1 is 128, it must "
                      "be 64");
    check_infer_fails("LSTMCell", "hidden_size=128", OPERANDS("f32[16]", h, h, w, r),
                      "input 0 \"X\" has shape [16], it must have rank 2");
    check_infer_fails("LSTMCell", "hidden_size=0", OPERANDS("f32[1,16]", h, h, w, r),
                      "hidden_size is 0, it must be in [1, 2147483647]");
    check_infer_fails("LSTMCell", "hidden_size=128;activations=sigmoid,tanh",
                      OPERANDS("f32[1,16]", h, h, w, r), "activations has 2 names, it must have 3");
    check_infer_fails("LSTMCell", "hidden_size=128;activations=sigmoid,tanh,softsign",
                      OPERANDS("f32[1,16]", h, h, w, r),
                      "activations[2] is \"softsign\", it must be relu, sigmoid or tanh");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mvn),
        cmocka_unit_test(test_normalize_l2),
        cmocka_unit_test(test_lrn),
        cmocka_unit_test(test_batch_norm),
        cmocka_unit_test(test_cumsum),
        cmocka_unit_test(test_lstm_cell),
        cmocka_unit_test(test_lstm_peepholes),
        cmocka_unit_test(test_batch_norm_orders),
        cmocka_unit_test(test_lstm_shapes),
    };

    return cmocka_run_group_tests_name("normalizations", tests, NULL, NULL);
}
