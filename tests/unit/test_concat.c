/* Concat, Split, VariadicSplit: the documents' examples, messages, shapes in the dark. */
#include "op_forms.h"
#include "unit.h"

static void check(const char *op, const char *version, const char *attrs, const char *const *in,
                  const char *want)
{
    check_forms(op, version, attrs, in, RESULTS(want));
}

static void concat(void **state)
{
#define CONCAT(attrs, want, ...) check("Concat", "opset1", attrs, OPERANDS(__VA_ARGS__), want)
    CONCAT("axis=1", "i32[2,3] 1 5 6 2 7 8", "i32[2,1] 1 2", "i32[2,2] 5 6 7 8");
    CONCAT("axis=-2", "i32[3,2] 1 2 5 6 7 8", "i32[1,2] 1 2", "i32[2,2] 5 6 7 8");
    CONCAT("axis=0", "string[3] a b c", "string[1] a", "string[0]", "string[2] b c");
    CONCAT("axis=0", "u1[11] 1 0 1 1 1 0 0 0 1 1 0", "u1[3] 1 0 1", "u1[8] 1 1 0 0 0 1 1 0");
    CONCAT("axis=0", "error: input 0 \"inputs\" has shape [], it must have rank 1 or more",
           "i32[] 1");
    CONCAT("axis=2", "error: axis is 2, it must be in [-2, 1]", "i32[1,2] 1 2");
    CONCAT("axis=0", "error: input 1 \"inputs\" has shape [2], it must have rank 2", "i32[1,2] 1 2",
           "i32[2] 1 2");
    CONCAT("axis=0", "error: input 1 \"inputs\" has shape [1,3]: axis 1 is 3, it must be 2",
           "i32[1,2] 1 2", "i32[1,3] 1 2 3");
#define RULE(attrs, want, ...) check_rule("Concat", "opset1", attrs, OPERANDS(__VA_ARGS__), want)
    RULE("axis=1", "f32[?a,5,3]", "f32[?a,2,?]", "f32[?,3,3]");
    RULE("axis=1", "f32[?,3..,3]", "f32[...]", "f32[?,3,3]");
    RULE("axis=0", "i64[3]={1,2,?}", "i64[2] 1 2", "i64[1]");
    RULE("axis=0", "i64[2]={1,2}", "i64[1] 1", "i64[1] 2");
#undef RULE
}

static void split(void **state)
{
    const char *const x = "i32[2,4] iota";

    check_forms("Split", "opset1", "num_splits=2", OPERANDS(x, "i32[] 1"),
                RESULTS("i32[2,2] 0 1 4 5", "i32[2,2] 2 3 6 7"));
    check_forms("Split", "opset1", "num_splits=2", OPERANDS(x, "i64[] -2"),
                RESULTS("i32[1,4] 0 1 2 3", "i32[1,4] 4 5 6 7"));
    check_forms("Split", "opset1", "num_splits=2", OPERANDS("string[2] a b", "i64[] 0"),
                RESULTS("string[1] a", "string[1] b"));
    check_forms("Split", "opset1", "num_splits=3", OPERANDS(x, "i32[] 1"),
                RESULTS("error: axis 1 of data [2,4] has 4 elements, which is not divisible by "
                        "num_splits 3"));
    check_forms("Split", "opset1", "num_splits=2", OPERANDS(x, "i32[] 2"),
                RESULTS("error: axis is 2, it must be in [-2, 1]"));
    check_forms("Split", "opset1", "num_splits=0", OPERANDS(x, "i32[] 1"),
                RESULTS("error: num_splits is 0, it must be 1 or more"));
    check_rule("Split", "opset1", "num_splits=2", OPERANDS("f32[?a,3..9]", "i32[] 1"),
               "f32[?a,2..4] f32[?a,2..4]");
    check_forms("Split", "opset1", "num_splits=2", OPERANDS(x, "i32[2] 0 1"),
                RESULTS("error: input 1 \"axis\" has shape [2], it must have one element"));
    check_rule("Split", "opset1", "num_splits=3", OPERANDS("f32[4..5]", "i32[] 0"),
               "error: axis 0 of data [4..5] cannot be divided by num_splits 3");
    check_rule("Split", "opset1", "num_splits=2", OPERANDS("f32[?a,8]", "i32[]"),
               "f32[?,..8] f32[?,..8]");
    check_rule("Split", "opset1", "num_splits=2", OPERANDS("i64[4] 1 2 3 4", "i32[] 0"),
               "i64[2]={1,2} i64[2]={3,4}");
}

static void variadic_split(void **state)
{
    const char *const x = "i32[2,6] iota";

    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i32[] 1", "i32[3] 1 2 3"),
                RESULTS("i32[2,1] 0 6", "i32[2,2] 1 2 7 8", "i32[2,3] 3 4 5 9 10 11"));
    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i64[1] -1", "i32[2] -1 2"),
                RESULTS("i32[2,4] 0 1 2 3 6 7 8 9", "i32[2,2] 4 5 10 11"));
    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i64[] 0", "i64[3] 0 2 0"),
                RESULTS("i32[0,6]", x, "i32[0,6]"));
    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i64[] 1", "i64[2] 2 3"),
                RESULTS("error: split_lengths add up to 5, the axis has 6 elements"));
    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i64[] 1", "i64[2] -1 7"),
                RESULTS("error: split_lengths add up to 7, the axis has 6 elements"));
    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i64[] 1", "i64[2] -1 -1"),
                RESULTS("error: split_lengths[0] and split_lengths[1] are both -1"));
    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i64[] 1", "i64[2] -2 8"),
                RESULTS("error: split_lengths[0] is -2, it must be -1 or more"));
    check_rule("VariadicSplit", "opset1", NULL, OPERANDS("f32[?a,5..9]", "i32[] 1", "i32[2] 2 -1"),
               "f32[?a,2] f32[?a,3..7]");
    check_rule("VariadicSplit", "opset1", NULL, OPERANDS("i64[3] 7 8 9", "i32[] 0", "i32[2] -1 1"),
               "i64[2]={7,8} i64[1]={9}");
    check_rule("VariadicSplit", "opset1", NULL, OPERANDS("f32[?a,8]", "i32[] 1", "i32[2]"),
               "f32[?a,?] f32[?a,?]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(concat),
        cmocka_unit_test(split),
        cmocka_unit_test(variadic_split),
    };

    return cmocka_run_group_tests_name("concat", tests, NULL, NULL);
}
