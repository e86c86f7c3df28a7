/* The LSTM cell: values by numpy from the documents' formulas. */
#include "support.h"

#define CELL                                                                                       \
    "f32[2,3] 1 -1 0.5 0.25 2 -0.5", "f32[2,2] 0.5 -0.5 1 0", "f32[2,2] 1 2 -1 0.5",               \
        "f32[8,3] -1.2 -1.1 -1 -0.9 -0.8 -0.7 -0.6 -0.5 -0.4 -0.3 -0.2 -0.1 0 0.1 0.2 0.3 0.4 "    \
        "0.5 0.6 0.7 0.8 0.9 1 1.1",                                                               \
        "f32[8,2] -1 -0.875 -0.75 -0.625 -0.5 -0.375 -0.25 -0.125 0 0.125 0.25 0.375 0.5 0.625 "   \
        "0.75 0.875"

#define BIAS "f32[8] -1 -0.75 -0.5 -0.25 0 0.25 0.5 0.75"

static void test_lstm_cell(void **state)
{
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

/* OpenVINO's class of opset1 has peepholes, which its page does not mention. */
static void test_lstm_peepholes(void **state)
{
    const char *peepholes = "f32[6] 0.5 -1 0.25 2 -0.75 1";

    check_op("LSTMCell opset1", "hidden_size=2", OPERANDS(CELL, BIAS, peepholes),
             OPERANDS("f32[2,2] 0.0384280832 0.863033308 -0.0263132367 0.187948999",
                      "f32[2,2] 0.056610647 1.37843901 -0.0294094065 0.195721163"));
    check_op("LSTMCell opset1", "hidden_size=2;input_forget=true", OPERANDS(CELL, BIAS),
             OPERANDS("f32[2,2] 0.402174451 0.662365438 -0.625012789 0.507132921",
                      "f32[2,2] 0.684655748 1.35288601 -0.863032658 0.58782301"));
    check_op("LSTMCell opset1", "hidden_size=2;input_forget=true;clip=0.5",
             OPERANDS(CELL, BIAS, peepholes),
             OPERANDS("f32[2,2] 0.318053458 0.546624841 -0.3275179 0.280601601",
                      "f32[2,2] 0.564031664 1.36771138 -0.58483061 0.485697686"));
    check_infer_fails("LSTMCell opset1", "hidden_size=2", OPERANDS(CELL, BIAS, "f32[8]"),
                      "input 6 \"P\" has shape [8]: axis 0 is 8, it must be 6");
}

static void test_lstm_shapes(void **state)
{
    const char *h = "f32[?,128]", *w = "f32[512,16]", *r = "f32[512,128]";

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
        cmocka_unit_test(test_lstm_cell),
        cmocka_unit_test(test_lstm_peepholes),
        cmocka_unit_test(test_lstm_shapes),
    };

    return cmocka_run_group_tests_name("recurrent cells", tests, NULL, NULL);
}
