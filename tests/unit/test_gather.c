/* Gather, GatherElements, GatherND: the documents' examples, bounds, messages, shapes. */
#include "op_forms.h"
#include "unit.h"

static void check(const char *op, const char *version, const char *attrs, const char *const *in,
                  const char *want)
{
    check_forms(op, version, attrs, in, RESULTS(want));
}

#define G8(attrs, want, ...) check("Gather", "opset8", attrs, OPERANDS(__VA_ARGS__), want)
#define G7(attrs, want, ...) check("Gather", "opset7", attrs, OPERANDS(__VA_ARGS__), want)
#define G1(want, ...) check("Gather", "opset1", NULL, OPERANDS(__VA_ARGS__), want)

#define FIVE "i32[5] 1 2 3 4 5"
#define TEN "i32[2,5] 1 2 3 4 5 6 7 8 9 10"

static void gather_examples(void **state)
{
    const char *const twenty = "i32[2,2,5] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20";
    const char *const forty = "i32[2,1,5,4] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 "
                              "21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40";

    for (int v = 7; v <= 8; v++) {
        const char *const version = v == 7 ? "opset7" : "opset8";

        check("Gather", version, NULL, OPERANDS(FIVE, "i32[3] 0 0 4", "i32[] 0"), "i32[3] 1 1 5");
        check("Gather", version, "batch_dims=1", OPERANDS(TEN, "i32[2,3] 0 0 4 4 0 0", "i32[] 1"),
              "i32[2,3] 1 1 5 10 6 6");
        check("Gather", version, "batch_dims=2",
              OPERANDS(twenty, "i32[2,2,3] 0 0 4 4 0 0 1 2 4 4 3 2", "i32[1] 2"),
              "i32[2,2,3] 1 1 5 10 6 6 12 13 15 20 19 18");
        check("Gather", version, "batch_dims=1", OPERANDS(forty, "i32[2,3] 1 2 4 4 3 2", "i32[] 2"),
              "i32[2,1,3,4] 5 6 7 8 9 10 11 12 17 18 19 20 37 38 39 40 33 34 35 36 29 30 31 32");
        check("Gather", version, "batch_dims=-1", OPERANDS(TEN, "i32[2,3] 0 0 4 4 0 0", "i32[] 1"),
              "i32[2,3] 1 1 5 10 6 6");
    }
    G8(NULL, "i32[3] 1 4 5", FIVE, "i32[3] 0 -2 -1", "i32[] 0");
    G7(NULL, "i32[4] 1 4 5 1", FIVE, "i32[4] 0 -2 -1 -5", "i32[] 0");
    G7("batch_dims=1", "i32[2,1] 5 6", TEN, "i32[2,1] -1 -5", "i32[] 1");
    G1("i32[] 5", FIVE, "i64[] -1", "i32[] 0");
    G8(NULL, "i32[3] 4 0 0", FIVE, "i32[3] 3 10 -20", "i32[] 0");
    G8(NULL, "string[2] b ''", "string[2] a b", "i32[2] 1 -3", "i32[] 0");
    G1("i32[2,2,2] 4 5 2 3 0 1 4 5", "i32[3,2] iota", "i64[2,2] 2 1 0 2", "i64[] -2");
    G1("i32[2] 1 6", TEN, "i32[] 0", "i32[] 1");
    G8(NULL, "u4[2] 3 1", "u4[3] 1 2 3", "u64[2] 2 0", "i32[] 0");
    G8(NULL, "i32[2,0]", TEN, "i32[0]", "i32[] 1");
}

static void gather_messages(void **state)
{
    G7(NULL, "error: indices[1] is 5, axis 0 has 5 elements", FIVE, "i32[2] 0 5", "i32[] 0");
    G7(NULL, "error: indices[1] is -6, axis 0 has 5 elements", FIVE, "i32[2] 0 -6", "i32[] 0");
    G1("error: indices[0] is 2, axis 0 has 2 elements", TEN, "i32[1] 2", "i32[] 0");
    G8(NULL, "error: axis is 1, it must be in [-1, 0]", FIVE, "i32[] 0", "i32[] 1");
    G8("batch_dims=2", "error: axis is 1, it must not be below batch_dims, which is 2", TEN,
       "i32[2,5] iota", "i32[] 1");
    G8("batch_dims=3", "error: batch_dims is 3, it must be in [-2, 2]", TEN, "i32[2,5] iota",
       "i32[] 1");
    G8("batch_dims=1", "error: input 1 \"indices\" has shape [3,1]: axis 0 is 3, it must be 2", TEN,
       "i32[3,1] 0 0 0", "i32[] 1");
    G8(NULL, "error: input 2 \"axis\" has shape [2], it must have one element", TEN, "i32[] 0",
       "i32[2] 0 1");
    G8("batch_dims=-1", "error: batch_dims is -1, data [5] has no such dimensions", FIVE,
       "i32[1,1,1] 0", "i32[] 0");
    check_rule("Gather", "opset8", NULL, OPERANDS("f32[" ONES_32 "]", "i32[1,1]", "i32[] 0"),
               "error: the result would have more than 32 dimensions");
    G8(NULL, "error: input 0 \"data\" has shape [], it must have rank 1 or more", "i32[] 0",
       "i32[] 0", "i32[] 0");
}

static void gather_shapes(void **state)
{
#define RULE(attrs, want, ...) check_rule("Gather", "opset8", attrs, OPERANDS(__VA_ARGS__), want)
    RULE(NULL, "f32[?a,4,?b,7]", "f32[?a,?,7]", "i32[4,?b]", "i32[] 1");
    RULE("batch_dims=1", "f32[3,?b,7]", "f32[?a,5,7]", "i32[3,?b]", "i32[] 1");
    RULE(NULL, "f32[?,?,?]", "f32[2,3]", "i32[4,5]", "i32[]");
    RULE(NULL, "f32[...]", "f32[...]", "i32[4,5]", "i32[] 0");
    RULE(NULL, "i64[]={30}", "i64[3] 10 20 30", "i32[] -1", "i32[] 0");
    check_rule("Gather", "opset1", NULL, OPERANDS("i64[3] 10 20 30", "i32[2] -1 -3", "i32[] 0"),
               "i64[2]={30,10}");
    RULE(NULL, "i64[3]={30,0,10}", "i64[3] 10 20 30", "i32[3] 2 3 0", "i32[] 0");
#undef RULE
}

#define GE(attrs, want, ...) check("GatherElements", "opset6", attrs, OPERANDS(__VA_ARGS__), want)

static void gather_elements(void **state)
{
    const char *const nine = "i32[3,3] 1 2 3 4 5 6 7 8 9";

    GE("axis=0", "i32[2,2] 1 4 1 2", "i32[2,2] 1 2 3 4", "i32[2,2] 0 1 0 0");
    GE("axis=1", "i32[2,3] 7 7 1 3 4 3", "i32[2,2] 1 7 4 3", "i32[2,3] 1 1 0 1 0 1");
    GE("axis=-2", "i32[2,3] 4 2 6 4 8 3", nine, "i64[2,3] 1 0 1 1 2 0");
    GE("axis=0", "error: indices[1,2] is 3, axis 0 has 3 elements", nine, "i64[2,3] 1 0 1 1 2 3");
    GE("axis=0", "i32[1,3] 7 2 6", nine, "i64[1,3] -1 0 1");
    GE("axis=1", "i32[3,2] 3 2 5 4 9 7", nine, "i32[3,2] -1 -2 1 -3 2 -3");
    GE("axis=0", "error: indices[0,0] is -4, axis 0 has 3 elements", nine, "i64[1,3] -4 0 1");
    GE("axis=2", "error: axis is 2, it must be in [-2, 1]", nine, "i64[1,3] 1 0 1");
    GE("axis=0", "error: input 1 \"indices\" has shape [1,2]: axis 1 is 2, it must be 3", nine,
       "i64[1,2] 1 0");
    GE("axis=0", "error: input 1 \"indices\" has shape [2], it must have rank 2", nine,
       "i64[2] 1 0");
    GE("axis=0", "error: input 0 \"data\" has shape [], it must have rank 1 or more", "i32[] 1",
       "i64[] 0");
    check_rule("GatherElements", "opset6", "axis=1", OPERANDS("f32[?a,3]", "i32[?,?b]"),
               "f32[?a,?b]");
}

#define ND(v, attrs, want, ...) check("GatherND", v, attrs, OPERANDS(__VA_ARGS__), want)

static void gather_nd(void **state)
{
    const char *const square = "i32[2,2] 1 2 3 4";
    const char *const cube =
        "i32[2,3,4] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24";
    const char *const six = "i32[2,3,1,1] 1 0 2 0 2 2";

    for (int v = 5; v <= 8; v += 3) {
        const char *const version = v == 5 ? "opset5" : "opset8";

        ND(version, NULL, "i32[2] 1 3", square, "i32[2,2] 0 0 1 0");
        ND(version, NULL, "i32[2,2] 3 4 1 2", square, "i32[2,1] 1 0");
        ND(version, NULL, "i32[2,1,2] 3 4 1 2", square, "i32[2,1,1] 1 0");
        ND(version, "batch_dims=1", "i32[2] 2 3", square, "i32[2,1] 1 0");
        ND(version, "batch_dims=1", "i32[2,4] 5 6 7 8 13 14 15 16", cube, "i32[2,1] 1 0");
    }
    ND("opset5", "batch_dims=2", "i32[6,1] 2 5 11 13 19 23", cube, six);
    ND("opset8", "batch_dims=2", "i32[2,3,1] 2 5 11 13 19 23", cube, six);
    ND("opset8", "batch_dims=3", "i32[1,2,2] 2 5 12 15",
       "i32[1,2,2,4] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", "i32[1,2,2,1] 1 0 3 2");
    /* a batch dimension of one repeats */
    ND("opset8", "batch_dims=1", "i32[2] 2 1", "i32[1,2] 1 2", "i32[2,1] 1 0");
    ND("opset8", "batch_dims=1", "i32[2] 2 4", square, "i32[1,1] 1");
    ND("opset8", NULL, "i32[2] 3 4", square, "i32[1] -1");
    ND("opset8", NULL, "i32[2,2] 1 2 3 4", square, "i32[0]");
    ND("opset5", NULL, "i32[2] 3 4", square, "i32[1] -1");
    ND("opset5", "batch_dims=1", "i32[2] 2 3", square, "i32[2,1] -1 -2");
    ND("opset5", NULL, "error: indices[0] is -3, axis 0 has 2 elements", square, "i32[1] -3");
    ND("opset8", NULL, "error: indices[0,1] is 2, axis 1 has 2 elements", square, "i32[1,2] 0 2");
    ND("opset8", NULL,
       "error: indices [1,3] has tuples of 3, data [2,2] has 2 dimensions after 0 batch", square,
       "i32[1,3] 0 0 0");
    ND("opset8", "batch_dims=2", "error: batch_dims is 2, it must be in [0, 1]", square,
       "i32[1,3] 0 0 0");
    ND("opset8", "batch_dims=1",
       "error: data [2,2] and indices [3,1] do not agree on batch dimension 0", square,
       "i32[3,1] 0 0 0");
    check_rule("GatherND", "opset8", NULL, OPERANDS("f32[2,?a,5]", "i32[?b,1]"), "f32[?b,?a,5]");
    check_rule("GatherND", "opset8", NULL, OPERANDS("f32[2,?a,5]", "i32[?b,?]"), "f32[...]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gather_examples), cmocka_unit_test(gather_messages),
        cmocka_unit_test(gather_shapes),   cmocka_unit_test(gather_elements),
        cmocka_unit_test(gather_nd),
    };

    return cmocka_run_group_tests_name("gather", tests, NULL, NULL);
}
