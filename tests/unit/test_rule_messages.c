/* Messages of shape rules and kernels that need an unusual graph to come about; the usual ones are
 * tested with their operations. */
#include "graphs.h"
#include "texts.h"

static void test_elementwise(void **state)
{
    check_infer_fails("Add", "auto_broadcast=none", OPERANDS("f32[2]", "f32[3,2]"),
                      "(Add-1): input 1 \"b\" has shape [3,2], it must have the rank of input 0 "
                      "\"a\", which has shape [2]");
    check_infer_fails("Add", "auto_broadcast=pdpd", OPERANDS("f32[2]", "f32[3,2]"),
                      "(Add-1): input 1 \"b\" has shape [3,2]: it does not fit input 0 \"a\" of "
                      "shape [2] at axis -1");
}

static void test_reshape(void **state)
{
    check_infer_fails("Reshape", "special_zero=false", OPERANDS("f32[1..3]", "i64[2] 4 -1"),
                      "(Reshape-1): data [1..3] cannot be reshaped to [4,?]: the numbers of "
                      "elements differ");
}

static void test_outputs(void **state)
{
    check_graph_fails("%x = Parameter {element_type = f32, shape = [4]}\n"
                      "%n = Parameter {element_type = i64, shape = [3..5]}\n"
                      "%a = Const {value = i64[] 0}\n"
                      "%s:2 = VariadicSplit(%x, %a, %n)\n%r = Result(%s:0)\n",
                      "\"s\" (VariadicSplit-1): input 2 \"split_lengths\" has shape [3..5], there "
                      "are 2 outputs");
    check_infer_fails("VariadicSplit", NULL, OPERANDS("f32[4]", "i64 0", "i64[?]"),
                      "(VariadicSplit-1): the number of outputs cannot be told from the inputs");
}

static void test_broadcast(void **state)
{
    check_op_fails("Broadcast", "mode=explicit", OPERANDS("f32[2] 1 2", "i64[2] 2 3", "i64[1] ? 5"),
                   "(Broadcast-3): axes_mapping[0] is 5, it must be in [0, 1]");
    check_op_fails("Broadcast", "mode=explicit",
                   OPERANDS("f32[2,3] 1 2 3 4 5 6", "i64[3] 3 2 3", "i64[2] ? 1 0"),
                   "(Broadcast-3): axes_mapping[1] is 0, it must be in [2, 2]");
    check_op_fails("Broadcast", "mode=explicit", OPERANDS("f32[2] 1 2", "i64[2] 2 3", "i64[1] ? 1"),
                   "(Broadcast-3): axis 0 of data has 2 elements, axis 1 of the target, to which "
                   "axes_mapping[0] leads, has 3");
    check_op_fails("Broadcast", NULL, OPERANDS("f32 1", "i64[2] 4611686018427387904 4"),
                   "(Broadcast-3): a tensor of type f32 and shape [4611686018427387904,4] does not "
                   "fit the address space");
}

#define LOOP(trips, condition, wanted, body, ports)                                                \
    "%trips = Const {value = " trips "}\n"                                                         \
    "%go = Const {value = boolean[] true}\n"                                                       \
    "%again = Parameter {element_type = boolean, shape = " condition "}\n"                         \
    "%loop:1 = Loop-5(%trips, %go, %again)\n"                                                      \
    "body \"b\" {\n"                                                                               \
    "%c = Parameter {element_type = boolean, shape = " wanted "}\n" body "%rc = Result(%c)\n"      \
    "}\n"                                                                                          \
    "in 2 -> %c\n" ports "out %rc -> none condition\n"                                             \
    "%out = Result(%loop)\n"

#define ONE "%k = Const {value = i32[] 1}\n%rk = Result(%k)\n"
#define HUGE "%k = Const {value = i32[4611686018427387904,0] []}\n%rk = Result(%k)\n"

static void test_loops(void **state)
{
    check_graph_fails(LOOP("i64[2] [1, 2]", "[]", "[]", ONE, "out %rk -> 0\n"),
                      "\"loop\" (Loop-5): input 0 \"trip_count\" has shape [2], it must have one "
                      "element");
    check_graph_run_fails(LOOP("i64[] 2", "[?]", "[?]", ONE, "out %rk -> 0\n"),
                          OPERANDS("boolean[2] true true"),
                          "\"loop\" (Loop-5): the execution condition of body has type boolean and "
                          "shape [2], it must be one boolean");
    check_graph_run_fails(
        LOOP("i64[] 3", "[?]", "[?]", HUGE,
             "out %rk -> 0 axis 0 start 0 end -1 stride 1 part_size 1\n"),
        OPERANDS("boolean[1] true"),
        "\"loop\" (Loop-5): output 0 is too large: axis 0 would have more than 2^63-1 elements");
}

static void test_variables(void **state)
{
    check_graph_run_fails("%x = Parameter {element_type = f32, shape = [?]}\n"
                          "%v = ReadValue(%x) {variable_id = \"v\", variable_type = f32, "
                          "variable_shape = [2]}\n"
                          "%r = Result(%v)\n",
                          OPERANDS("f32[3] 1 2 3"),
                          "\"v\" (ReadValue-6): the initial value of variable \"v\" has shape [3], "
                          "[2] is wanted");
}

static void test_graphs_that_differ(void **state)
{
    inlay_graph *a = graph_of_text("graph \"g\" {\n%f:2 = ?Foo@bar\n%r = Result(%f:1)\n}");
    inlay_graph *b = graph_of_text("graph \"g\" {\n%f:3 = ?Foo@bar\n%r = Result(%f:1)\n}");
    char why[200];

    assert_false(inlay_graph_equal(a, b, why, sizeof why));
    assert_string_equal(why, "node \"f\" has 2 outputs, \"f\" has 3");
    inlay_graph_free(a);
    inlay_graph_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elementwise),
        cmocka_unit_test(test_reshape),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_broadcast),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_graphs_that_differ),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
