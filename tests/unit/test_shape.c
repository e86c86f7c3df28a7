/* ShapeOf, Reshape, Squeeze, Unsqueeze, Transpose: the documents' examples, messages, and what is
 * known of shapes that are computed. */
#include "op_forms.h"
#include "unit.h"

static void check(const char *op, const char *version, const char *attrs, const char *const *in,
                  const char *want)
{
    check_forms(op, version, attrs, in, RESULTS(want));
}

static void shape_of(void **state)
{
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
#define RULE(zero, want, ...)                                                                      \
    check_rule("Reshape", "opset1", "special_zero=" zero, OPERANDS(__VA_ARGS__), want)
    RULE("true", "f32[?a,12]", "f32[?a,3,4]", "i64[2] 0 -1");
    RULE("true", "f32[?a,3,?b]", "f32[?a,3,?b]", "i64[3] 0 3 -1");
    RULE("true", "f32[?a,12]", "f32[?a,3,4]", "i64[2] -1 12");
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
#define UNSQUEEZE(want, ...) check("Unsqueeze", "opset1", NULL, OPERANDS(__VA_ARGS__), want)
    UNSQUEEZE("i32[1,2,3,1] iota", "i32[2,3] iota", "i32[2] 0 3");
    UNSQUEEZE("i32[1] 5", "i32[] 5", "i32[1] 0");
    UNSQUEEZE("i32[2,1] iota", "i32[2] iota", "i64[] -1");
    UNSQUEEZE("error: axes[0] is 2, it must be in [-2, 1]", "i32[2] iota", "i64[1] 2");
    UNSQUEEZE("error: axes[1] is -3: axis 0 is repeated", "i32[2] iota", "i64[2] 0 -3");
    check_rule("Unsqueeze", "opset1", NULL, OPERANDS("f32[" ONES_32 "]", "i32[1] 0"),
               "error: axes has 1 element, data");
    check_rule("Unsqueeze", "opset1", NULL, OPERANDS("f32[?a,3]", "i32[1] 1"), "f32[?a,1,3]");
    check_rule("Unsqueeze", "opset1", NULL, OPERANDS("f32[?a,3]", "i32[1]"), "f32[?,?,?]");
    check_rule("Unsqueeze", "opset1", NULL, OPERANDS("f32[?a,3]", "i32[?]"), "f32[...]");
    check_rule("Unsqueeze", "opset1", NULL, OPERANDS("i64[] 4", "i32[1] 0"), "i64[1]={4}");
}

static void transpose(void **state)
{
    const char *const x = "i32[2,3,2] iota";

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shape_of),         cmocka_unit_test(reshape),
        cmocka_unit_test(reshape_messages), cmocka_unit_test(reshape_in_the_dark),
        cmocka_unit_test(squeeze),          cmocka_unit_test(unsqueeze),
        cmocka_unit_test(transpose),
    };

    return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
