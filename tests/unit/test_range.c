/* Range, NonZero, OneHot: the documents' examples, messages, shapes in the dark. */
#include "op_forms.h"
#include "unit.h"

static void check(const char *op, const char *version, const char *attrs, const char *const *in,
                  const char *want)
{
    check_forms(op, version, attrs, in, RESULTS(want));
}

static void range(void **state)
{
#define RANGE(want, ...) check("Range", "opset1", NULL, OPERANDS(__VA_ARGS__), want)
#define RANGE4(type, want, ...)                                                                    \
    check("Range", "opset4", "output_type=" type, OPERANDS(__VA_ARGS__), want)
    RANGE("i32[7] 2 5 8 11 14 17 20", "i32[] 2", "i32[] 23", "i32[] 3");
    RANGE("i32[7] 23 20 17 14 11 8 5", "i32[] 23", "i32[] 2", "i32[] -3");
    RANGE4("i32", "i32[7] 2 5 8 11 14 17 20", "i32[] 2", "i64[] 23", "i8[] 3");
    RANGE4("i32", "i32[7] 23 20 17 14 11 8 5", "i32[] 23", "i32[] 2", "i32[] -3");
    RANGE4("f32", "f32[3] 1 1.5 2", "f32[] 1", "f32[] 2.5", "f32[] 0.5");
    RANGE4("i64", "i64[0]", "i32[] 3", "i32[] 3", "i32[] 1");
    RANGE4("i64", "i64[0]", "i32[] 3", "i32[] 0", "i32[] 1");
    RANGE4("i64", "i64[2] 1 3", "f32[] 1.9", "f32[] 4.9",
           "f32[] 2.5"); /* cast first, toward zero */
    RANGE4("f16", "f16[2] 0 1", "i32[] 0", "i32[] 2", "i32[] 1");
    RANGE4("i64", "error: step is 0, it must not be zero", "i32[] 3", "i32[] 9", "f32[] 0.5");
    RANGE4("i64", "error: the range from -9223372036854775808 to 9223372036854775807 has too many",
           "i64[] -9223372036854775808", "i64[] 9223372036854775807", "i64[] 1");
    /* u64 beyond what a signed number holds */
    RANGE("u64[3] 9223372036854775813 9223372036854775814 9223372036854775815",
          "u64[] 9223372036854775813", "u64[] 9223372036854775816", "u64[] 1");
    RANGE("u64[2] 1 18446744073709551614", "u64[] 1", "u64[] 18446744073709551615",
          "u64[] 18446744073709551613");
    RANGE("u64[0]", "u64[] 18446744073709551615", "u64[] 5", "u64[] 1");
    /* the step that has no opposite, and a distance that does not fit in 64 bits */
    RANGE4("i64", "i64[1] 5", "i64[] 5", "i64[] 4", "i64[] -9223372036854775808");
    RANGE4("i64", "i64[0]", "i64[] 4", "i64[] 5", "i64[] -9223372036854775808");
    RANGE4("i64", "i64[2] 9223372036854775807 -1", "i64[] 9223372036854775807",
           "i64[] -9223372036854775808", "i64[] -9223372036854775808");
    RANGE4("i64", "i64[3] -9223372036854775808 -1 9223372036854775806",
           "i64[] -9223372036854775808", "i64[] 9223372036854775807", "i64[] 9223372036854775807");
    RANGE4("f32", "error: step is 0, it must not be zero", "f32[] 3", "f32[] 9", "f32[] 0");
    RANGE4("f32", "error: start 0, stop inf and step 1 must be finite", "f32[] 0", "f32[] inf",
           "f32[] 1");
    RANGE4("boolean", "error: output_type is boolean, it must be numeric", "i32[] 0", "i32[] 1",
           "i32[] 1");
    RANGE4("f64", "error: the range from 0 to 1e+300 by 1 has too many elements", "f64[] 0",
           "f64[] 1e300", "f64[] 1");
    RANGE4("i64", "error: input 0 \"start\" has shape [2], it must have one element", "i32[2] 0 1",
           "i32[] 1", "i32[] 1");
    check_rule("Range", "opset4", "output_type=i64", OPERANDS("i64[] 0", "i64[]", "i64[] 1"),
               "i64[?]");
    check_rule("Range", "opset4", "output_type=i64", OPERANDS("i64[] 0", "i64[] 3", "i64[] 1"),
               "i64[3]={0,1,2}");
    check_rule("Range", "opset4", "output_type=i64",
               OPERANDS("i64[]", "i64[] 7", "i64[] -9223372036854775808"), "i64[?]");
    check_rule("Range", "opset4", "output_type=f32", OPERANDS("f32[] 0", "f32[]", "f32[] 1"),
               "f32[?]");
}

static void non_zero(void **state)
{
#define NON_ZERO(attrs, want, ...) check("NonZero", "opset3", attrs, OPERANDS(__VA_ARGS__), want)
    NON_ZERO(NULL, "i64[2,3] 0 1 1 0 0 1", "i32[2,2] 1 0 1 1");
    NON_ZERO("output_type=i32", "i32[1,2] 0 2", "f32[4] 0.5 0 nan -0");
    NON_ZERO(NULL, "i64[0,1]", "boolean[] 1");
    NON_ZERO(NULL, "i64[0,0]", "boolean[] 0");
    NON_ZERO(NULL, "i64[1,0]", "i32[0]");
    NON_ZERO("output_type=u8", "error: output_type is u8, it must be i64 or i32", "i32[0]");
    check_rule("NonZero", "opset3", NULL, OPERANDS("f32[3,4]"), "i64[2,..12]");
    check_rule("NonZero", "opset3", NULL, OPERANDS("f32[...]"), "i64[?,?]");
}

static void one_hot(void **state)
{
#define ONE_HOT(attrs, want, ...) check("OneHot", "opset1", attrs, OPERANDS(__VA_ARGS__), want)
    ONE_HOT("axis=-1", "f32[4,3] 1 2 2 2 2 2 2 1 2 2 2 1", "i32[4] 0 3 1 2", "i32[] 3", "f32[] 1",
            "f32[] 2");
    ONE_HOT("axis=1", "i8[2,3,3] 1 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 1 0", "i64[2,3] 0 3 1 1 2 4",
            "i64[] 3", "i8[] 1", "i8[] 0");
    ONE_HOT("axis=0", "f32[2] 0 1", "i32[] 1", "i32[] 2", "f32[] 1", "f32[] 0");
    ONE_HOT("axis=0", "error: depth is 0, it must be positive", "i32[] 1", "i32[] 0", "f32[] 1",
            "f32[] 0");
    ONE_HOT("axis=1", "error: axis is 1, it must be in [-1, 0]", "i32[] 1", "i32[] 2", "f32[] 1",
            "f32[] 0");
    ONE_HOT("axis=0", "error: input 2 \"on_value\" has shape [2], it must have one element",
            "i32[] 1", "i32[] 2", "f32[2] 1 2", "f32[] 0");
    check_rule("OneHot", "opset1", "axis=1",
               OPERANDS("i32[" ONES_32 "]", "i32[]", "f32[]", "f32[]"),
               "error: the result would have more than 32 dimensions");
    check_rule("OneHot", "opset1", "axis=1", OPERANDS("i32[?a,3]", "i32[]", "f32[]", "f32[]"),
               "f32[?a,1..,3]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range),
        cmocka_unit_test(non_zero),
        cmocka_unit_test(one_hot),
    };

    return cmocka_run_group_tests_name("range", tests, NULL, NULL);
}
