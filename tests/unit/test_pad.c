/* Pad: the documents' examples, messages, shapes in the dark. */
#include "op_forms.h"
#include "unit.h"

static void check(const char *op, const char *version, const char *attrs, const char *const *in,
                  const char *want)
{
    check_forms(op, version, attrs, in, RESULTS(want));
}

#define TWELVE "i32[3,4] 1 2 3 4 5 6 7 8 9 10 11 12"

static void pad(void **state)
{
    const char *const b = "i32[2] 0 1", *const e = "i32[2] 2 3";
    static const char *const results[][3] = {
        {"pad_mode=constant",
         "i32[5,8] 0 1 2 3 4 0 0 0 0 5 6 7 8 0 0 0 0 9 10 11 12 0 0 0 "
         "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
         "i32[4,6] 0 0 0 0 0 0 0 0 0 0 0 0 2 3 4 0 0 0 6 7 8 0 0 0"},
        {"pad_mode=edge",
         "i32[5,8] 1 1 2 3 4 4 4 4 5 5 6 7 8 8 8 8 9 9 10 11 12 12 12 12 "
         "9 9 10 11 12 12 12 12 9 9 10 11 12 12 12 12",
         "i32[4,6] 2 3 4 4 4 4 2 3 4 4 4 4 2 3 4 4 4 4 6 7 8 8 8 8"},
        {"pad_mode=reflect",
         "i32[5,8] 2 1 2 3 4 3 2 1 6 5 6 7 8 7 6 5 10 9 10 11 12 11 10 9 "
         "6 5 6 7 8 7 6 5 2 1 2 3 4 3 2 1",
         "i32[4,6] 10 11 12 11 10 9 6 7 8 7 6 5 2 3 4 3 2 1 6 7 8 7 6 5"},
        {"pad_mode=symmetric",
         "i32[5,8] 1 1 2 3 4 4 3 2 5 5 6 7 8 8 7 6 9 9 10 11 12 12 11 10 "
         "9 9 10 11 12 12 11 10 5 5 6 7 8 8 7 6",
         "i32[4,6] 6 7 8 8 7 6 2 3 4 4 3 2 2 3 4 4 3 2 6 7 8 8 7 6"},
    };

    for (int m = 0; m < 4; m++) {
        check("Pad", "opset1", results[m][0], OPERANDS(TWELVE, b, e), results[m][1]);
        check("Pad", "opset12", results[m][0], OPERANDS(TWELVE, b, e), results[m][1]);
        check("Pad", "opset12", results[m][0], OPERANDS(TWELVE, "i32[2] -1 -1", "i32[2] -1 -1"),
              "i32[1,2] 6 7");
        check("Pad", "opset12", results[m][0], OPERANDS(TWELVE, "i32[2] 2 -1", "i32[2] -1 3"),
              results[m][2]);
    }
    check("Pad", "opset1", "pad_mode=constant",
          OPERANDS("i32[1] 7", "i32[1] 1", "i32[1] 0", "i32[] 9"), "i32[2] 9 7");
    check("Pad", "opset12", "pad_mode=constant",
          OPERANDS("string[1] a", "i32[1] 1", "i32[1] 0", "string[] x"), "string[2] x a");
    check("Pad", "opset12", "pad_mode=constant", OPERANDS("string[1] a", "i32[1] 0", "i32[1] 1"),
          "string[2] a ''");
    check("Pad", "opset12", "pad_mode=constant", OPERANDS("i32[0]", "i32[1] 1", "i32[1] 1"),
          "i32[2] 0 0");
    check("Pad", "opset12", "pad_mode=constant", OPERANDS("i32[1] 5", "i32[1] -1", "i32[1] -7"),
          "i32[0]");
    check("Pad", "opset1", "pad_mode=reflect",
          OPERANDS("i32[2,3] 1 2 3 4 5 6", "i32[2] -1 1", "i32[2] 0 -2"), "i32[1,2] 5 4");
    check_rule("Pad", "opset1", "pad_mode=constant",
               OPERANDS("f32[4,?a]", "i64[2] -1 0", "i64[2] -5 0"), "f32[0,?a]");
}

/* Sums that do not fit in 64 bits on the way: all of data lies before what is left. */
static void pad_far_away(void **state)
{
    check("Pad", "opset12", "pad_mode=constant",
          OPERANDS("i32[3] 1 2 3", "i64[1] -9223372036854775808", "i64[1] 9223372036854775807",
                   "i32[] 9"),
          "i32[2] 9 9");
    check("Pad", "opset12", "pad_mode=edge",
          OPERANDS("i32[3] 1 2 3", "i64[1] -9223372036854775808", "i64[1] 9223372036854775807"),
          "i32[2] 3 3");
}

static void pad_messages(void **state)
{
#define PAD(v, attrs, want, ...) check("Pad", v, attrs, OPERANDS(__VA_ARGS__), "error: " want)
    PAD("opset12", "pad_mode=reflect",
        "pads_end[0] is 3, with pad_mode \"reflect\" and data [3,4] it must not be above 2", TWELVE,
        "i32[2] 0 0", "i32[2] 3 0");
    PAD("opset12", "pad_mode=symmetric",
        "pads_begin[0] is 4, with pad_mode \"symmetric\" and data [3,4] it must not be above 3",
        TWELVE, "i32[2] 4 0", "i32[2] 0 0");
    PAD("opset12", "pad_mode=edge",
        "pads_begin[0] is 1, with pad_mode \"edge\" and data [0] it must not be above 0", "i32[0]",
        "i32[1] 1", "i32[1] 0");
    PAD("opset12", "pad_mode=edge", "pad_mode \"edge\" is not defined for string data",
        "string[1] a", "i32[1] 1", "i32[1] 0");
    PAD("opset12", "pad_mode=edge",
        "input 1 \"pads_begin\" has shape [1], data [3,4] has 2 dimensions", TWELVE, "i32[1] 1",
        "i32[2] 0 0");
    PAD("opset12", "pad_mode=constant",
        "input 3 \"pad_value\" has shape [2], it must have one element", TWELVE, "i32[2] 1 0",
        "i32[2] 0 0", "i32[2] 0 0");
    PAD("opset12", "pad_mode=constant", "pads_begin[0] and pads_end[0] make axis 0 too long",
        "i32[1] 1", "i64[1] 9223372036854775806", "i64[1] 1");
    PAD("opset12", "pad_mode=wrap", "attribute \"pad_mode\" is \"wrap\"", TWELVE, "i32[2] 0 0",
        "i32[2] 0 0");
#undef PAD
    check_rule("Pad", "opset12", "pad_mode=constant",
               OPERANDS("f32[?,3..5,2a]", "i64[3] 0 1 0", "i64[3] 2 1 0"), "f32[2..,5..7,2]");
    check_rule("Pad", "opset12", "pad_mode=constant",
               OPERANDS("f32[?a,3]", "i64[2] 0 0", "i64[2] 0 0"), "f32[?a,3]");
    check_rule("Pad", "opset12", "pad_mode=constant", OPERANDS("f32[?a,3]", "i64[2]", "i64[?]"),
               "f32[?,?]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pad),
        cmocka_unit_test(pad_far_away),
        cmocka_unit_test(pad_messages),
    };

    return cmocka_run_group_tests_name("pad", tests, NULL, NULL);
}
