/* Arithmetic of two operands: values from the documents' formulas, shapes from broadcast-rules.rst,
 * known values through shape arithmetic. */
#include "graphs.h"
#include "ir/shared.h"

static void test_arithmetic(void **state)
{
    const char *a = "f32[2,2] 1 -2 3.5 4", *b = "f32[2] 2 0.5";

    check_op("Add", NULL, OPERANDS(a, b), OPERANDS("f32[2,2] 3 -1.5 5.5 4.5"));
    check_op("Subtract", NULL, OPERANDS(a, b), OPERANDS("f32[2,2] -1 -2.5 1.5 3.5"));
    check_op("Multiply", NULL, OPERANDS(a, b), OPERANDS("f32[2,2] 2 -1 7 2"));
    check_op("Divide", NULL, OPERANDS(a, b), OPERANDS("f32[2,2] 0.5 -4 1.75 8"));
    check_op("Maximum", NULL, OPERANDS(a, b), OPERANDS("f32[2,2] 2 0.5 3.5 4"));
    check_op("Minimum", NULL, OPERANDS(a, b), OPERANDS("f32[2,2] 1 -2 2 0.5"));
    check_op("SquaredDifference", NULL, OPERANDS(a, b), OPERANDS("f32[2,2] 1 6.25 2.25 12.25"));
    check_op("Power", NULL, OPERANDS("f32[3] 2 -2 4", "f32[3] 3 2 0.5"), OPERANDS("f32[3] 8 4 2"));
    check_op("Mod", NULL, OPERANDS("f32[3] 5.5 -5.5 5.5", "f32[3] 2 2 -2"),
             OPERANDS("f32[3] 1.5 -1.5 1.5"));
    check_op("FloorMod", NULL, OPERANDS("f32[3] 5.5 -5.5 5.5", "f32[3] 2 2 -2"),
             OPERANDS("f32[3] 1.5 0.5 -0.5"));
    check_op("Divide", NULL, OPERANDS("f64[3] 1 -1 0", "f64 0"), OPERANDS("f64[3] inf -inf nan"));
    check_op("Maximum", NULL, OPERANDS("f32[2] nan 1", "f32[2] 1 nan"), OPERANDS("f32[2] nan nan"));
    check_op("Minimum", NULL, OPERANDS("f32[2] nan 1", "f32[2] 1 nan"), OPERANDS("f32[2] nan nan"));
}

/* One rounding for a node: 1 + 2^-11 is a tie in f16 and goes to the even 1; in f32 it is exact. */
static void test_half_precision(void **state)
{
    check_op("Add", NULL, OPERANDS("f16[2] 1 2048", "f16[2] 0.00048828125 1"),
             OPERANDS("f16[2] 1 2048"));
    check_op("Multiply", NULL, OPERANDS("f16[1] 65504", "f16[1] 2"), OPERANDS("f16[1] inf"));
    check_op("SquaredDifference", NULL, OPERANDS("f16[1] 2048", "f16[1] 0.5"),
             OPERANDS("f16[1] inf"));
}

static void test_integer_arithmetic(void **state)
{
    check_op("Add", NULL, OPERANDS("i8[2] 127 -128", "i8[2] 1 -1"), OPERANDS("i8[2] -128 127"));
    check_op("Add", NULL, OPERANDS("i64[1] 9223372036854775807", "i64[1] 1"),
             OPERANDS("i64[1] -9223372036854775808"));
    check_op("Add", NULL, OPERANDS("u1[4] 0 1 0 1", "u1[4] 0 0 1 1"), OPERANDS("u1[4] 0 1 1 0"));
    check_op("Subtract", NULL, OPERANDS("u8[1] 3", "u8[1] 5"), OPERANDS("u8[1] 254"));
    check_op("Multiply", NULL, OPERANDS("i32[1] 65536", "i32[1] 65536"), OPERANDS("i32[1] 0"));
    check_op("Maximum", NULL, OPERANDS("u64[1] 18446744073709551615", "u64[1] 1"),
             OPERANDS("u64[1] 18446744073709551615"));
    check_op("Divide", NULL, OPERANDS("i32[4] 7 -7 7 -7", "i32[4] 2 2 -2 -2"),
             OPERANDS("i32[4] 3 -4 -4 3"));
    check_op("Divide", "m_pythondiv=false", OPERANDS("i32[4] 7 -7 7 -7", "i32[4] 2 2 -2 -2"),
             OPERANDS("i32[4] 3 -3 -3 3"));
    check_op("Divide", NULL, OPERANDS("i64[1] -9223372036854775808", "i64[1] -1"),
             OPERANDS("i64[1] -9223372036854775808"));
    check_op("Divide", NULL, OPERANDS("i8[1] -128", "i8[1] -1"), OPERANDS("i8[1] -128"));
    check_op("Divide", NULL, OPERANDS("u64[1] 18446744073709551615", "u64[1] 2"),
             OPERANDS("u64[1] 9223372036854775807"));
    check_op("Mod", NULL, OPERANDS("i32[4] 7 -7 7 -7", "i32[4] 3 3 -3 -3"),
             OPERANDS("i32[4] 1 -1 1 -1"));
    check_op("FloorMod", NULL, OPERANDS("i32[4] 7 -7 7 -7", "i32[4] 3 3 -3 -3"),
             OPERANDS("i32[4] 1 2 -2 -1"));
    check_op("Mod", NULL, OPERANDS("i64[1] -9223372036854775808", "i64[1] -1"),
             OPERANDS("i64[1] 0"));
    check_op("Power", NULL, OPERANDS("i32[6] 2 -3 0 2 1 -1", "i32[6] 10 3 0 -1 -5 -3"),
             OPERANDS("i32[6] 1024 -27 1 0 1 -1"));
    check_op("Power", NULL, OPERANDS("u64[1] 3", "u64[1] 40"),
             OPERANDS("u64[1] 12157665459056928801"));
    check_op("SquaredDifference", NULL, OPERANDS("u8[1] 3", "u8[1] 5"), OPERANDS("u8[1] 4"));
}

static void test_division_by_zero(void **state)
{
    check_op_fails("Divide", NULL, OPERANDS("i32[2,2] 1 2 3 4", "i32[2,2] 1 2 0 4"),
                   "b[1,0] is 0: integers cannot be divided by zero");
    check_op_fails("Mod", NULL, OPERANDS("i32[2] 1 2", "i32 0"),
                   "b is 0: integers cannot be divided by zero");
    check_op_fails("FloorMod", NULL, OPERANDS("u8[2] 1 2", "u8[2] 1 0"),
                   "b[1] is 0: integers cannot be divided by zero");
    check_op_fails("Power", NULL, OPERANDS("i32[2] 1 0", "i32[1] -2"),
                   "a[1] is 0, its power -2 does not exist");
    check_op("Divide", NULL, OPERANDS("i32[0]", "i32[1] 0"), OPERANDS("i32[0]"));
}

/* These are the examples of broadcast-rules.rst. */
static void test_broadcast_shapes(void **state)
{
    static const char *const numpy[][3] = {
        {"f32[]", "f32[]", "f32[]"},
        {"f32[2,3]", "f32[1]", "f32[2,3]"},
        {"f32[3]", "f32[2,3]", "f32[2,3]"},
        {"f32[2,3,5]", "f32[]", "f32[2,3,5]"},
        {"f32[2,1,5]", "f32[1,4,5]", "f32[2,4,5]"},
        {"f32[6,5]", "f32[2,1,5]", "f32[2,6,5]"},
        {"f32[2,1,5]", "f32[4,1]", "f32[2,4,5]"},
        {"f32[3,2,1,4]", "f32[5,4]", "f32[3,2,5,4]"},
        {"f32[1,5,3]", "f32[5,2,1,3]", "f32[5,2,5,3]"},
        {"f32[?,3]", "f32[2,3]", "f32[2,3]"},
        {"f32[...]", "f32[2,3]", "f32..."},
        /* the size that is not known is 0 or 1 */
        {"f32[0,3]", "f32[?,3]", "f32[0,3]"},
        {"f32[?,3]", "f32[0,1]", "f32[0,3]"},
    };

    for (size_t i = 0; i < sizeof numpy / sizeof numpy[0]; i++)
        check_infer("Add", NULL, OPERANDS(numpy[i][0], numpy[i][1]), OPERANDS(numpy[i][2]));
    check_infer_fails("Add", NULL, OPERANDS("f32[3]", "f32[2]"),
                      "input 1 \"b\" has shape [2], which does not broadcast with [3] of input 0 "
                      "\"a\" (axis 0 of the result)");
    check_infer_fails("Less", NULL, OPERANDS("f32[3,1,5]", "f32[4,4,5]"),
                      "input 1 \"b\" has shape [4,4,5], which does not broadcast with [3,1,5] of "
                      "input 0 \"a\" (axis 0 of the result)");
    check_infer_fails("Add", "auto_broadcast=none", OPERANDS("f32[3]", "f32[1]"),
                      "input 1 \"b\" has shape [1]: axis 0 is 1, it must be 3");
}

static void test_broadcast_values(void **state)
{
    check_op("Add", NULL, OPERANDS("f32[2,1,2] 1 2 3 4", "f32[3,1] 10 20 30"),
             OPERANDS("f32[2,3,2] 11 12 21 22 31 32 13 14 23 24 33 34"));
    check_op("Add", NULL, OPERANDS("f32 1", "f32 2"), OPERANDS("f32 3"));
    check_op("Add", NULL, OPERANDS("f32[0,2]", "f32[1,2] 1 2"), OPERANDS("f32[0,2]"));
    check_op("Add", "auto_broadcast=pdpd", OPERANDS("f32[2,1,2] 1 2 3 4", "f32[2] 10 20"),
             OPERANDS("f32[2,1,2] 11 22 13 24"));
    /* Trailing ones do not count, the axis is worked out before: B stands at axis 0. */
    check_op("Add", "auto_broadcast=pdpd", OPERANDS("f32[2,2] 1 2 3 4", "f32[2,1] 10 20"),
             OPERANDS("f32[2,2] 11 12 23 24"));
}

/* The second operand of pdpd is a part of the first one's shape, but for ones, and nothing else. */
static void test_pdpd_shapes(void **state)
{
    static const char pdpd[] = "auto_broadcast=pdpd";

    check_infer_fails("Add", pdpd, OPERANDS("f32[40]", "f32[0]"),
                      "input 1 \"b\" has shape [0]: axis 0 is 0, it must be 40");
    check_infer_fails("Add", pdpd, OPERANDS("f32[2,40]", "f32[0,1]"),
                      "input 1 \"b\" has shape [0,1]: axis 0 is 0, it must be 2");
    check_infer_fails("Divide", pdpd, OPERANDS("i32[1]", "i32[0]"),
                      "input 1 \"b\" has shape [0]: axis 0 is 0, it must be 1");
    check_infer_fails("Less", pdpd, OPERANDS("i32[1]", "i32[3]"),
                      "input 1 \"b\" has shape [3]: axis 0 is 3, it must be 1");
    check_infer("Add", pdpd, OPERANDS("f32[0]", "f32[1]"), OPERANDS("f32[0]"));
    check_infer("Add", pdpd, OPERANDS("f32[?,5..9]", "f32[4,?]"), OPERANDS("f32[4,5..9]"));
    check_infer("Add", pdpd, OPERANDS("f32[40]", "f32[...]"), OPERANDS("f32[40]"));
    check_infer("Add", pdpd, OPERANDS("f32[40]", "f32[..1]"), OPERANDS("f32[40]"));
    check_op("Add", pdpd, OPERANDS("f32[2,0]", "f32[2,1] 1 2"), OPERANDS("f32[2,0]"));
    check_op("Add", pdpd, OPERANDS("f32[2,2] 1 2 3 4", "f32[1,2] 10 20"),
             OPERANDS("f32[2,2] 11 22 13 24"));
}

/* The slope of a PReLU broadcasts to data, and data's shape comes out. */
static void test_prelu_shapes(void **state)
{
    check_infer_fails(
        "PReLU", NULL, OPERANDS("f32[1]", "f32[0]"),
        "input 1 \"slope\" has shape [0]: it is neither one number a channel nor does "
        "it broadcast to data [1]");
    check_infer_fails("PReLU", NULL, OPERANDS("f32[2,3,1]", "f32[2,3,5]"),
                      "input 1 \"slope\" has shape [2,3,5]: it is neither one number a channel nor "
                      "does it broadcast to data [2,3,1]");
    check_infer("PReLU", NULL, OPERANDS("f32[0,?]", "f32[?]"), OPERANDS("f32[0,?]"));
    check_op("PReLU", NULL, OPERANDS("f32[0,3]", "f32[1] 2"), OPERANDS("f32[0,3]"));
    check_op("PReLU", NULL, OPERANDS("f32[2] -1 1", "f32[1] 2"), OPERANDS("f32[2] -2 1"));
}

/* Shapes that were not known when the graph was compiled are checked in the run. */
static void test_pdpd_shapes_of_a_run(void **state)
{
    static const char *const declared[] = {"[?]", "[...]", "[..1]"};
    char body[400];

    for (size_t i = 0; i < sizeof declared / sizeof declared[0]; i++) {
        snprintf(body, sizeof body,
                 "%%x = Parameter-1 {element_type = f32, shape = [%s]}\n"
                 "%%y = Parameter-1 {element_type = f32, shape = %s}\n"
                 "%%s = Add(%%x, %%y) {auto_broadcast = pdpd}\n%%r = Result(%%s)\n",
                 i == 1 ? "..." : "2", declared[i]);
        check_graph_run_fails(body, OPERANDS("f32[2] 1 2", "f32[0]"),
                              "input 1 \"b\" has shape [0]: axis 0 is 0, it must be 2");
        check_graph(body, OPERANDS("f32[2] 1 2", "f32[1] 3"), OPERANDS("f32[2] 4 5"));
    }
}

static void test_prelu(void **state)
{
    const char *x = "f32[1,2,2] -1 -2 -3 4";

    check_op("PReLU", NULL, OPERANDS(x, "f32[2] 0.5 2"), OPERANDS("f32[1,2,2] -0.5 -1 -6 4"));
    check_op("PReLU", NULL, OPERANDS(x, "f32[1] 10"), OPERANDS("f32[1,2,2] -10 -20 -30 4"));
    check_op("PReLU", NULL, OPERANDS("f32[1,3,2] -1 -2 -3 -4 -5 -6", "f32[3,1] 1 2 3"),
             OPERANDS("f32[1,3,2] -1 -2 -6 -8 -15 -18"));
    check_infer_fails(
        "PReLU", NULL, OPERANDS("f32[1,3,2]", "f32[4]"),
        "input 1 \"slope\" has shape [4]: it is neither one number a channel nor does "
        "it broadcast to data [1,3,2]");
    check_infer_fails("PReLU", NULL, OPERANDS("f32[1,3,2]", "f32[]"),
                      "input 1 \"slope\" has shape [], it must have rank 1 or more");
}

/* Squares and roots are made without pow: what comes out at the edges is what numpy.power says. One
 * exponent for all and one for each element take different ways. */
static void test_squares_and_roots(void **state)
{
    const char *x = "f32[7] -0 -inf inf -1 nan 4 3e38";

    check_op("Power", NULL, OPERANDS(x, "f32[] 0.5"),
             OPERANDS("f32[7] 0 inf inf nan nan 2 17320508000000000000"));
    check_op("Power", NULL, OPERANDS(x, "f32[7] 0.5 0.5 0.5 0.5 0.5 0.5 0.5"),
             OPERANDS("f32[7] 0 inf inf nan nan 2 17320508000000000000"));
    check_op("Power", NULL, OPERANDS(x, "f32[] 2"), OPERANDS("f32[7] 0 inf inf 1 nan 16 inf"));
    check_op("Power", NULL, OPERANDS("f64[3] -0 -inf 9", "f64[] 0.5"), OPERANDS("f64[3] 0 inf 3"));
    check_op("Power", NULL, OPERANDS("f64[3] -0 -inf 9", "f64[3] 2 2 2"),
             OPERANDS("f64[3] 0 inf 81"));
}

static void test_known_values(void **state)
{
    check_infer("Add", NULL, OPERANDS("i64[2] 1 2", "i64[1] 3"), OPERANDS("i64[2] {4 5}"));
    check_infer("Subtract", NULL, OPERANDS("i64[2,1] 1 2", "i64[2] 3 5"),
                OPERANDS("i64[2,2] {-2 -4 -1 -3}"));
    check_infer("Multiply", NULL, OPERANDS("i32[1] 65536", "i32[1] 65536"),
                OPERANDS("i32[1] {-2147483648..2147483647}"));
    check_infer("Add", NULL, OPERANDS("i64[1] 9223372036854775806", "i64[1] 2"),
                OPERANDS("i64[1] {?}"));
    check_infer("Add", NULL, OPERANDS("i64[2] 9223372036854775807 5", "i64[2] 1 1"),
                OPERANDS("i64[2] {? 6}"));
    check_infer("Add", NULL,
                OPERANDS("i64[2] 9223372036854775807 9223372036854775806", "i64[2] 0 1"),
                OPERANDS("i64[2] {9223372036854775807 9223372036854775807}"));
    check_infer("Subtract", NULL, OPERANDS("i64[2] -9223372036854775808 -2", "i64[2] 1 5"),
                OPERANDS("i64[2] {? -7}"));
    check_infer("Multiply", NULL, OPERANDS("i64[1] -9223372036854775808", "i64[1] -1"),
                OPERANDS("i64[1] {?}"));
    check_infer("Divide", NULL, OPERANDS("i64[3] 7 -7 7", "i64[3] 2 2 -2"),
                OPERANDS("i64[3] {3 -4 -4}"));
    check_infer("Divide", "m_pythondiv=false", OPERANDS("i64[3] 7 -7 7", "i64[3] 2 2 -2"),
                OPERANDS("i64[3] {3 -3 -3}"));
    check_infer("Divide", NULL, OPERANDS("i64[1] 7", "i64[1] 0"), OPERANDS("i64[1] {?}"));
    check_infer("Mod", NULL, OPERANDS("i64[2] -7 7", "i64[1] 3"), OPERANDS("i64[2] {-1 1}"));
    check_infer("FloorMod", NULL, OPERANDS("i64[2] -7 7", "i64[1] 3"), OPERANDS("i64[2] {2 1}"));
    check_infer("Minimum", NULL, OPERANDS("i64[2] 1 5", "i64[1] 3"), OPERANDS("i64[2] {1 3}"));
    check_infer("Maximum", NULL, OPERANDS("i64[2] 1 5", "i64[1] 3"), OPERANDS("i64[2] {3 5}"));
    check_infer("Equal", NULL, OPERANDS("i64[2] 1 5", "i64[1] 5"), OPERANDS("boolean[2] {0 1}"));
    check_infer("NotEqual", NULL, OPERANDS("i64[2] 1 5", "i64[1] 5"), OPERANDS("boolean[2] {1 0}"));
    check_infer("Less", NULL, OPERANDS("i64[2] 1 5", "i64[1] 5"), OPERANDS("boolean[2] {1 0}"));
    check_infer("LessEqual", NULL, OPERANDS("i64[2] 6 5", "i64[1] 5"),
                OPERANDS("boolean[2] {0 1}"));
    check_infer("Greater", NULL, OPERANDS("i64[2] 6 5", "i64[1] 5"), OPERANDS("boolean[2] {1 0}"));
    check_infer("GreaterEqual", NULL, OPERANDS("i64[2] 4 5", "i64[1] 5"),
                OPERANDS("boolean[2] {0 1}"));
    check_infer("LogicalAnd", NULL, OPERANDS("boolean[2] 0 1", "boolean 1"),
                OPERANDS("boolean[2] {0 1}"));
    check_infer("LogicalOr", NULL, OPERANDS("boolean[2] 0 1", "boolean 0"),
                OPERANDS("boolean[2] {0 1}"));
    check_infer("LogicalXor", NULL, OPERANDS("boolean[2] 0 1", "boolean 1"),
                OPERANDS("boolean[2] {1 0}"));
    check_infer("LogicalNot", NULL, OPERANDS("boolean[2] 0 1"), OPERANDS("boolean[2] {1 0}"));
    check_infer("Convert", "destination_type=i32", OPERANDS("i64[2] 5 4294967296"),
                OPERANDS("i32[2] {5 -2147483648..2147483647}"));
    check_infer("Convert", "destination_type=boolean", OPERANDS("i64[2] 5 0"),
                OPERANDS("boolean[2] {1 0}"));
}

/* Integers of each type: what int64_t gives, wrapped. */

enum { MANY = 77 };

static int64_t whole(const char *op, int64_t a, int64_t b)
{
    return strcmp(op, "Add") == 0                 ? a + b
           : strcmp(op, "Subtract") == 0          ? a - b
           : strcmp(op, "Multiply") == 0          ? (int64_t)((uint64_t)a * (uint64_t)b)
           : strcmp(op, "Maximum") == 0           ? (a > b ? a : b)
           : strcmp(op, "Minimum") == 0           ? (a < b ? a : b)
           : strcmp(op, "SquaredDifference") == 0 ? (int64_t)((uint64_t)(a - b) * (uint64_t)(a - b))
           : strcmp(op, "Abs") == 0               ? (a < 0 ? -a : a)
           : strcmp(op, "Negative") == 0          ? -a
           : strcmp(op, "Sign") == 0              ? (a > 0) - (a < 0)
           : strcmp(op, "ReLU") == 0              ? (a > 0 ? a : 0)
                                                  : a;
}

/* Returns X as a number of TYPE, which wraps. */
static int64_t wrapped(inlay_type type, int64_t x)
{
    int64_t room[1];

    inlay_store_i64(type, room, 0, x);
    return inlay_load_i64(type, room, 0);
}

/* Checks OP on many numbers of TYPE, among which are its ends; the second operand has N_B of them.
 */
static void check_whole(const char *op, inlay_type type, int n_b)
{
    const char *name = inlay_type_info_of(type)->name;
    char text[3][40 * MANY];
    int used[3] = {0};
    bool one = strchr("ANSRCF", op[0]) && strcmp(op, "Add") != 0 && strcmp(op, "Subtract") != 0 &&
               strcmp(op, "SquaredDifference") != 0;

    for (int k = 0; k < 3; k++)
        used[k] = snprintf(text[k], sizeof text[k], "%s[%d]", name, k == 1 ? n_b : MANY);
    for (int i = 0; i < MANY; i++) {
        int64_t a = wrapped(type, i % 5 == 0 ? (int64_t)(UINT64_C(0x7f7f7f7f7f7f7f7f) << (i % 9))
                                             : i * 977 - 4000);
        int64_t b = wrapped(type, i % n_b * 641 - 1000);
        int64_t put[3] = {a, b, wrapped(type, whole(op, a, b))};

        for (int k = 0; k < 3; k++) {
            if (k != 1 || i < n_b)
                used[k] += snprintf(text[k] + used[k], sizeof text[k] - (size_t)used[k], " %lld",
                                    (long long)put[k]);
        }
    }
    if (one)
        check_op(op, NULL, OPERANDS(text[0]), OPERANDS(text[2]));
    else
        check_op(op, NULL, OPERANDS(text[0], text[1]), OPERANDS(text[2]));
}

static void test_integers_of_each_type(void **state)
{
    static const char *const ops[] = {
        "Add", "Subtract", "Multiply", "Maximum", "Minimum", "SquaredDifference",
        "Abs", "Negative", "Sign",     "ReLU",    "Ceiling", "Floor"};
    static const inlay_type types[] = {INLAY_I8,  INLAY_U8,  INLAY_I16, INLAY_U16,
                                       INLAY_I32, INLAY_U32, INLAY_I64};

    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
            check_whole(ops[i], types[k], MANY);
            check_whole(ops[i], types[k], 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_half_precision),
        cmocka_unit_test(test_integer_arithmetic),
        cmocka_unit_test(test_division_by_zero),
        cmocka_unit_test(test_broadcast_shapes),
        cmocka_unit_test(test_broadcast_values),
        cmocka_unit_test(test_prelu_shapes),
        cmocka_unit_test(test_pdpd_shapes),
        cmocka_unit_test(test_pdpd_shapes_of_a_run),
        cmocka_unit_test(test_prelu),
        cmocka_unit_test(test_squares_and_roots),
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_integers_of_each_type),
    };

    return cmocka_run_group_tests_name("arithmetic", tests, NULL, NULL);
}
