/* ShapeOf, Reshape, Squeeze, Unsqueeze, Transpose, StridedSlice, Range, NonZero: the documents'
 * examples, messages, and what is known of shapes that are computed. */
#include "op_forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *op, const char *version, const char *attrs, const char *const *in,
                  const char *want)
{
    check_forms(op, version, attrs, in, RESULTS(want));
}

static void shape_of(void **state)
{
    (void)state;
    check("ShapeOf", "opset1", NULL, OPERANDS("f32[2,0,3]"), "i64[3] 2 0 3");
    check("ShapeOf", "opset3", "output_type=i32", OPERANDS("u1[2,3] 1 1 1 1 1 1"), "i32[2] 2 3");
    check("ShapeOf", "opset3", NULL, OPERANDS("f32[] 1"), "i64[0]");
    check("ShapeOf", "opset3", "output_type=f32", OPERANDS("f32[] 1"),
          "error: output_type is f32, it must be i64 or i32");
    check_rule("ShapeOf", "opset3", NULL, OPERANDS("f32[?a,3,1..8b]"), "i64[3]={?a,3,1..8b}");
    check_rule("ShapeOf", "opset3", NULL, OPERANDS("f32[...]"), "i64[?]");
}

#define RESHAPE(zero, want, ...)                                                                   \
    check("Reshape", "opset1", "special_zero=" zero, OPERANDS(__VA_ARGS__), want)

static void reshape(void **state)
{
    (void)state;
    RESHAPE("false", "f32[0,4]", "f32[2,5,5,0]", "i64[2] 0 4");
    RESHAPE("true", "i32[2,6,2] iota", "i32[2,3,4] iota", "i64[3] 0 -1 2");
    RESHAPE("true", "i32[2,2,1,3] iota", "i32[2,2,3] iota", "i32[4] 0 0 1 -1");
    RESHAPE("true", "i32[3,1] iota", "i32[3,1,1] iota", "i32[2] -1 0");
    RESHAPE("true", "i32[3,1] iota", "i32[3,1,1] iota", "i32[2] 0 -1");
    RESHAPE("true", "i32[] 7", "i32[1,1] 7", "i32[0]");
    RESHAPE("false", "string[2] a b", "string[1,2] a b", "i32[1] -1");
    RESHAPE("false", "u1[3,2] 1 0 1 1 0 1", "u1[2,3] 1 0 1 1 0 1", "i32[2] 3 2");
    RESHAPE("true", "i32[0,2]", "i32[0,2]", "i32[2] 0 -1"); /* the copied axis does not count */
    RESHAPE("false", "i32[0,0]", "i32[0,2]", "i32[2] 0 -1");
    RESHAPE("true", "i32[0]", "i32[0,2,4]", "i64[1] 0"); /* nothing is nothing */
    RESHAPE("true", "i32[0,5]", "i32[0,2]", "i64[2] 0 5");
}

static void reshape_messages(void **state)
{
    const char *const x = "i32[2,3] iota";

    (void)state;
    RESHAPE("true", "error: data [2,3] cannot be reshaped to [4]: the numbers of elements differ",
            x, "i32[1] 4");
    RESHAPE("true", "error: data [2,3] cannot be reshaped to [4,?]: the numbers of elements differ",
            x, "i32[2] 4 -1");
    RESHAPE("false", "error: data [2,3] cannot be reshaped to [0,?]: the numbers", x,
            "i32[2] 0 -1");
    RESHAPE("true", "error: shape[0] and shape[2] are both -1", x, "i32[3] -1 2 -1");
    RESHAPE("true", "error: shape[1] is -2, it must be -1 or more", x, "i32[2] 3 -2");
    RESHAPE("true", "error: shape[2] is 0, data [2,3] has no such axis to copy", x, "i32[3] 2 3 0");
    RESHAPE("true", "error: input 1 \"shape\" has shape [], it must have rank 1", x, "i32[] 6");
    RESHAPE("true", "error: cannot be reshaped to [5]: the numbers of elements differ", x,
            "i32[1] 5");
    check_rule("Reshape", "opset1", NULL, OPERANDS(x, "i64[1] 6"), "error: ");
    check_rule("Reshape", "opset1", "special_zero=true", OPERANDS(x, "i64[33]"),
               "error: shape has 33 elements, a tensor has at most 32 dimensions");
}

static void reshape_in_the_dark(void **state)
{
    (void)state;
#define RULE(zero, want, ...)                                                                      \
    check_rule("Reshape", "opset1", "special_zero=" zero, OPERANDS(__VA_ARGS__), want)
    RULE("true", "f32[?a,12]", "f32[?a,3,4]", "i64[2] 0 -1");
    RULE("true", "f32[?a,3,?b]", "f32[?a,3,?b]", "i64[3] 0 3 -1");
    RULE("true", "f32[?,12]", "f32[?a,3,4]", "i64[2] -1 12");
    RULE("false", "f32[2..6a,2]", "f32[2..6a,2]", "i64[2] -1 2");
    RULE("true", "f32[6,?]", "f32[?a,3,4]", "i64[2] 6 -1");
    RULE("true", "f32[?,2]", "f32[...]", "i64[2] 0 2");
    RULE("true", "f32[...]", "f32[?a,2]", "i64[?]");
    RULE("true", "f32[?,?]", "f32[?a,2]", "i64[2]");
    RULE("true", "f32[24]", "f32[2,3,4]", "i64[1]"); /* it follows from the number of elements */
    RULE("true", "f32[?]", "f32[2,3,?a]", "i64[1]");
    RULE("true", "f32[0,3]", "f32[0,3]", "i64[2] 0 0");
    RULE("false", "f32[?,?]", "f32[0,3]", "i64[2]");
    RULE("true", "f32[?a,5]", "f32[?a,2]", "i64[2] 0 5"); /* if the first is 0 */
    RULE("true", "error: data [1..,2] cannot be reshaped to [1..,5]", "f32[1..a,2]", "i64[2] 0 5");
    RULE("true", "i64[2,1]={5,6}", "i64[2] 5 6", "i64[2] 2 1");
    RULE("true", "error: data [5..,3] cannot be reshaped to [4]", "f32[5..,3]", "i64[1] 4");
#undef RULE
}

static void squeeze(void **state)
{
    const char *const x = "i32[1,3,1,2] iota";
    const char *const versions[] = {"opset1", "opset15"};

    (void)state;
    for (int v = 0; v < 2; v++) {
#define SQUEEZE(want, ...) check("Squeeze", versions[v], NULL, OPERANDS(__VA_ARGS__), want)
        SQUEEZE("i32[3,2] iota", x, "i32[2] 0 2");
        SQUEEZE("i32[3,2] iota", x, "i32[2] -2 -4");
        SQUEEZE("i32[3,2] iota", x);
        SQUEEZE("i32[3,2] iota", x, "i32[0]");
        SQUEEZE("i32[] 5", "i32[1] 5", "i32[1] 0");
        SQUEEZE("i32[3,1,2] iota", x, "i64[] 0");
        SQUEEZE("i32[3,1,2] iota", x, "i64[2] 0 1"); /* an axis of 3 is left as it is */
        SQUEEZE("error: axes[0] is 4, it must be in [-4, 3]", x, "i64[1] 4");
        SQUEEZE("error: axes[1] is -4: axis 0 is repeated", x, "i64[2] 0 -4");
        SQUEEZE("error: axes has 5 elements, data [1,3,1,2] has 4 dimensions", x,
                "i64[5] 0 1 2 3 0");
#define RULE(attrs, want, ...)                                                                     \
    check_rule("Squeeze", versions[v], attrs, OPERANDS(__VA_ARGS__), want)
        RULE(NULL, "f32[?b]", "f32[?a,?b]", "i32[1] 0");
        RULE(NULL, "f32[2..8a,?b]", "f32[2..8a,?b]", "i32[1] 0");
        RULE(v ? "allow_axis_skip=true" : "pytorch_dynamic_rank=true", "f32[...]", "f32[?a,?b]",
             "i32[1] 0");
        RULE(NULL, "f32[...]", "f32[?a,3]");
        RULE(NULL, "f32[2..3a,5]", "f32[2..3a,1,5]");
        RULE(NULL, "f32[...]", "f32[1,3]", "i32[1]");
        RULE(NULL, "i64[]={7}", "i64[1] 7", "i32[1] 0");
#undef RULE
    }
}

static void unsqueeze(void **state)
{
    (void)state;
#define UNSQUEEZE(want, ...) check("Unsqueeze", "opset1", NULL, OPERANDS(__VA_ARGS__), want)
    UNSQUEEZE("i32[1,2,3,1] iota", "i32[2,3] iota", "i32[2] 0 3");
    UNSQUEEZE("i32[1] 5", "i32[] 5", "i32[1] 0");
    UNSQUEEZE("i32[2,1] iota", "i32[2] iota", "i64[] -1");
    UNSQUEEZE("error: axes[0] is 2, it must be in [-2, 1]", "i32[2] iota", "i64[1] 2");
    UNSQUEEZE("error: axes[1] is -3: axis 0 is repeated", "i32[2] iota", "i64[2] 0 -3");
    check_rule("Unsqueeze", "opset1", NULL, OPERANDS("f32[" ONES_32 "]", "i32[1] 0"),
               "error: axes has 1 elements, data");
    check_rule("Unsqueeze", "opset1", NULL, OPERANDS("f32[?a,3]", "i32[1] 1"), "f32[?a,1,3]");
    check_rule("Unsqueeze", "opset1", NULL, OPERANDS("f32[?a,3]", "i32[1]"), "f32[?,?,?]");
    check_rule("Unsqueeze", "opset1", NULL, OPERANDS("f32[?a,3]", "i32[?]"), "f32[...]");
    check_rule("Unsqueeze", "opset1", NULL, OPERANDS("i64[] 4", "i32[1] 0"), "i64[1]={4}");
}

static void transpose(void **state)
{
    const char *const x = "i32[2,3,2] iota";

    (void)state;
#define TRANSPOSE(want, ...) check("Transpose", "opset1", NULL, OPERANDS(__VA_ARGS__), want)
    TRANSPOSE("i32[2,2,3] 0 2 4 6 8 10 1 3 5 7 9 11", x, "i32[3] 2 0 1");
    TRANSPOSE("i32[2,3,2] 0 6 2 8 4 10 1 7 3 9 5 11", x, "i32[0]");
    TRANSPOSE("string[2,1] a b", "string[1,2] a b", "i64[2] 1 0");
    TRANSPOSE("u4[2,2] 1 3 2 4", "u4[2,2] 1 2 3 4", "i64[2] 1 0");
    TRANSPOSE("error: input_order[1] is 3, it must be in [-3, 2]", x, "i32[3] 0 3 1");
    TRANSPOSE("error: input_order[0] is -1, it must be in [0, 2]", x, "i32[3] -1 0 1");
    TRANSPOSE("error: input_order[2] is 0: axis 0 is repeated", x, "i32[3] 0 1 0");
    TRANSPOSE("error: input_order has 2 elements, data [2,3,2] has 3 dimensions", x, "i32[2] 0 1");
    check_rule("Transpose", "opset1", NULL, OPERANDS("f32[?a,3,?b]", "i32[3] 2 0 1"),
               "f32[?b,?a,3]");
    check_rule("Transpose", "opset1", NULL, OPERANDS("f32[?a,3,?b]", "i32[0]"), "f32[?b,3,?a]");
    check_rule("Transpose", "opset1", NULL, OPERANDS("f32[?a,3,?b]", "i32[3]"), "f32[?,?,?]");
    check_rule("Transpose", "opset1", NULL, OPERANDS("f32[...]", "i32[3] 2 0 1"), "f32[?,?,?]");
}

#define STRIDED(attrs, want, ...)                                                                  \
    check("StridedSlice", "opset1", "begin_mask=" attrs, OPERANDS(__VA_ARGS__), want)
#define NO_MASK "0;end_mask=0"

/* The page's examples; where it contradicts itself, numpy, which it names as the equivalent. */
static void strided_slice(void **state)
{
    const char *const cube = "i32[2,3,4] iota", *const ones = "i64[3] 1 1 1";

    (void)state;
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

    (void)state;
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

static void range(void **state)
{
    (void)state;
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
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shape_of),
        cmocka_unit_test(reshape),
        cmocka_unit_test(reshape_messages),
        cmocka_unit_test(reshape_in_the_dark),
        cmocka_unit_test(squeeze),
        cmocka_unit_test(unsqueeze),
        cmocka_unit_test(transpose),
        cmocka_unit_test(strided_slice),
        cmocka_unit_test(strided_slice_messages),
        cmocka_unit_test(range),
        cmocka_unit_test(non_zero),
    };

    return cmocka_run_group_tests_name("shapes", tests, NULL, NULL);
}
