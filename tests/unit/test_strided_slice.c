/* StridedSlice: the document's examples, messages, shapes in the dark. */
#include "op_forms.h"
#include "unit.h"

static void check(const char *op, const char *version, const char *attrs, const char *const *in,
                  const char *want)
{
    check_forms(op, version, attrs, in, RESULTS(want));
}

#define STRIDED(attrs, want, ...)                                                                  \
    check("StridedSlice", "opset1", "begin_mask=" attrs, OPERANDS(__VA_ARGS__), want)

#define NO_MASK "0;end_mask=0"

/* These are the page's examples; where the page contradicts itself, numpy decides, which it names
 * as the equivalent. */
static void strided_slice(void **state)
{
    const char *const cube = "i32[2,3,4] iota", *const ones = "i64[3] 1 1 1";

    STRIDED(NO_MASK, "i32[2,1,2,2] 13 12 9 8 29 28 25 24", "i32[2,2,2,4] iota", "i64[4] 0 1 1 1",
            "i64[4] 4 4 -3 -5", "i64[4] 1 1 -1 -1");
    STRIDED(NO_MASK, "i32[2,2,3] 0 1 2 4 5 6 12 13 14 16 17 18", cube, "i64[3] 0 0 0",
            "i64[3] 2 2 -1", ones);
    STRIDED("0,1,1;end_mask=1,1,1;new_axis_mask=0,0,0,0,0;shrink_axis_mask=0,0;ellipsis_mask=0",
            "i32[1,3,4] 15 14 13 12 19 18 17 16 23 22 21 20", cube, "i64[3] 1 1 123",
            "i64[3] 0 0 2", "i64[3] 1 1 -1");
    STRIDED("0,0,0,0;end_mask=0,0,0,0;new_axis_mask=1,0,1,0", "i32[1,2,1,4] iota", "i32[2,4] iota",
            "i64[4] 1234 0 -1 0", "i64[4] 1234 2 9876 4", "i64[4] 132 1 241 1");
    STRIDED("0,0,0;end_mask=0,0,0;shrink_axis_mask=0,1,0", "i32[1,4] 4 5 6 7", cube, "i64[3] 0 1 0",
            "i64[3] 1 1 4", ones);
    STRIDED("0,0,0;end_mask=0,0,0;ellipsis_mask=0,1,0", "i32[1,3,2] 0 1 4 5 8 9", cube,
            "i64[3] 0 0 0", "i64[3] 1 0 2", "i64[3] 1 -1 1");
    STRIDED("0,0,1,1;end_mask=1,1,0,0;new_axis_mask=0,0,1;shrink_axis_mask=0;ellipsis_mask=0,1",
            "i32[1,3,1,2] 12 13 16 17 20 21", cube, "i64[4] 1 1 10 10", "i64[4] 123 1 10 2",
            "i64[4] 1 -1 1 1");
    STRIDED(NO_MASK, "i32[2,0]", "i32[2,2] iota", "i64[2] 0 1", "i64[2] 2 1"); /* begin = end */
    STRIDED(NO_MASK, "i32[1,3,4] iota", cube, "i64[1] 0", "i64[1] 1"); /* fewer entries than axes */
    STRIDED("0;end_mask=0;ellipsis_mask=1", cube, cube, "i64[1] 0", "i64[1] 1");
    STRIDED("0;end_mask=0;shrink_axis_mask=1", "i32[] 2", "i32[3] iota", "i64[1] -1", "i64[1] 0");
    STRIDED("1;end_mask=0;shrink_axis_mask=1", "i32[] 0", "i32[3] iota", "i64[1] 2", "i64[1] 0");
    STRIDED(NO_MASK, "string[1] b", "string[3] a b c", "i64[1] 1", "i64[1] 2");
    STRIDED("1;end_mask=1;new_axis_mask=;shrink_axis_mask=;ellipsis_mask=", "i32[3] 2 1 0",
            "i32[3] iota", "i64[1] 0", "i64[1] 0", "i64[1] -1");
}

static void strided_slice_messages(void **state)
{
    const char *const x = "i32[2,3] iota";

    STRIDED(NO_MASK, "error: stride[1] is 0, it must not be zero", x, "i64[2] 0 0", "i64[2] 1 1",
            "i64[2] 1 0");
    STRIDED(NO_MASK, "error: begin has entries for 3 axes, data has 2 dimensions", x,
            "i64[3] 0 0 0", "i64[3] 1 1 1");
    STRIDED("0;end_mask=0;shrink_axis_mask=1", "error: begin[0] is 9223372036854775807, axis 0", x,
            "i64[1] 9223372036854775807", "i64[1] 0");
    STRIDED("0;end_mask=0;ellipsis_mask=1,1",
            "error: ellipsis_mask has more than one bit set: 0 and 1", x, "i64[2] 0 0",
            "i64[2] 1 1");
    STRIDED("0;end_mask=0;shrink_axis_mask=0,1", "error: begin[1] is 3, axis 1", x, "i64[2] 0 3",
            "i64[2] 1 4");
    STRIDED("0;end_mask=0;shrink_axis_mask=0,1", "error: begin[1] is -4, axis 1", x, "i64[2] 0 -4",
            "i64[2] 1 4");
    STRIDED("0;end_mask=0;shrink_axis_mask=1", "error: begin[0] is 3, axis 0", "i32[3] iota",
            "i64[1] 3", "i64[1] 4");
    STRIDED(NO_MASK, "error: stride[0] is 0, it must not be zero", "i32[0]", "i64[1] 0", "i64[1] 1",
            "i64[1] 0");
    STRIDED("0;end_mask=0;new_axis_mask=1", "error: the result would have more than 32 dimensions",
            "i32[" ONES_32 "] 5", "i64[1] 0", "i64[1] 0");
    STRIDED(NO_MASK, "error: input 2 \"end\" has shape [1]: axis 0 is 1, it must be 2", x,
            "i64[2] 0 0", "i64[1] 1");
#define RULE(attrs, want, ...)                                                                     \
    check_rule("StridedSlice", "opset1", "begin_mask=" attrs, OPERANDS(__VA_ARGS__), want)
    RULE("1,0;end_mask=1,0", "f32[?a,2]", "f32[?a,3]", "i64[2] 5 0", "i64[2] 5 2");
    RULE("1,0;end_mask=1,0", "f32[?a,..3]", "f32[?a,3]", "i64[2]", "i64[2]");
    RULE("0;end_mask=0", "f32[...]", "f32[?a,3]", "i64[?]", "i64[?]");
    RULE("0;end_mask=0", "f32[...]", "f32[...]", "i64[1] 0", "i64[1] 1");
    RULE("0;end_mask=0", "error: begin has 70 elements, at most 65 can be of use", "f32[2]",
         "i64[70]", "i64[70]");
    RULE("0;end_mask=0;new_axis_mask=1", "i64[1,3]={5,6,7}", "i64[3] 5 6 7", "i64[1] 1",
         "i64[1] 2");
    RULE("0;end_mask=0;shrink_axis_mask=1", "i64[]={6}", "i64[3] 5 6 7", "i64[1] 1", "i64[1] 2");
    RULE("0;end_mask=1", "i64[2]={7,5}", "i64[3] 5 6 7", "i64[1] -1", "i64[1] 0", "i64[1] -2");
#undef RULE
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strided_slice),
        cmocka_unit_test(strided_slice_messages),
    };

    return cmocka_run_group_tests_name("strided_slice", tests, NULL, NULL);
}
