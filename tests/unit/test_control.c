/* If-8: what it computes, what its rule infers, what it refuses. */
#include "graphs.h"

/* Computes x + y or x - y. */
#define IF                                                                                         \
    "%cond = Parameter-1 {element_type = boolean, shape = []}\n"                                   \
    "%x = Parameter-1 {element_type = f32, shape = [?]}\n"                                         \
    "%y = Parameter-1 {element_type = f32, shape = [?]}\n"                                         \
    "%if:1 = If-8(%cond, %x, %y)\n"                                                                \
    "then_body \"t\" {\n"                                                                          \
    "%a = Parameter-1 {element_type = f32, shape = [...]}\n"                                       \
    "%b = Parameter-1 {element_type = f32, shape = [...]}\n"                                       \
    "%s = Add-1(%a, %b)\n"                                                                         \
    "%r = Result-1(%s)\n"                                                                          \
    "}\n"                                                                                          \
    "in 1 -> %a\n"                                                                                 \
    "in 2 -> %b\n"                                                                                 \
    "out %r -> 0\n"                                                                                \
    "else_body \"e\" {\n"                                                                          \
    "%a = Parameter-1 {element_type = f32, shape = [...]}\n"                                       \
    "%b = Parameter-1 {element_type = f32, shape = [...]}\n"                                       \
    "%s = Subtract-1(%a, %b)\n"                                                                    \
    "%r = Result-1(%s)\n"                                                                          \
    "}\n"                                                                                          \
    "in 2 -> %b\n"                                                                                 \
    "in 1 -> %a\n"                                                                                 \
    "out %r -> 0\n"                                                                                \
    "%out = Result-1(%if)\n"

static void test_if_takes_a_branch(void **state)
{
    runner r = runner_of(IF, NULL);

    check_run(&r, OPERANDS("boolean true", "f32[2] 5 6", "f32[2] 1 2"), OPERANDS("f32[2] 6 8"));
    check_run(&r, OPERANDS("boolean false", "f32[2] 5 6", "f32[2] 1 2"), OPERANDS("f32[2] 4 4"));
    check_run(&r, OPERANDS("boolean false", "f32[1] 5", "f32[2] 1 2"), OPERANDS("f32[2] 4 3"));
    check_run_fails(&r, OPERANDS("boolean true", "f32[3] 1 1 1", "f32[2] 1 2"), INLAY_INVALID,
                    "\"s\" (Add-1)");
    runner_free(&r);
}

/* The bodies have no parameters, and their shapes differ, so only the rank of the output is
 * known. */
static void test_if_branches_of_different_shape(void **state)
{
    runner r = runner_of("%cond = Parameter-1 {element_type = boolean, shape = [1]}\n"
                         "%if:1 = If-8(%cond)\n"
                         "then_body \"t\" {\n"
                         "%c = Const-1 {value = i32[2] [1, 2]}\n"
                         "%r = Result-1(%c)\n"
                         "}\n"
                         "out %r -> 0\n"
                         "else_body \"e\" {\n"
                         "%c = Const-1 {value = i32[5] [1, 2, 3, 4, 5]}\n"
                         "%r = Result-1(%c)\n"
                         "}\n"
                         "out %r -> 0\n"
                         "%out = Result-1(%if)\n",
                         NULL);
    const inlay_fact *f = &inlay_graph_node(r.graph, "if")->out[0].fact;

    assert_int_equal(f->type, INLAY_I32);
    assert_int_equal(f->rank, 1);
    assert_int_equal(f->dims[0].lo, 2);
    assert_int_equal(f->dims[0].hi, 5);
    check_run(&r, OPERANDS("boolean[1] true"), OPERANDS("i32[2] 1 2"));
    check_run(&r, OPERANDS("boolean[1] false"), OPERANDS("i32[5] 1 2 3 4 5"));
    runner_free(&r);
}

#define IF_WITH(cond, then_type, mapped)                                                           \
    "%cond = Parameter-1 {element_type = boolean, shape = [" cond "]}\n"                           \
    "%if:1 = If-8(%cond)\n"                                                                        \
    "then_body \"t\" {\n"                                                                          \
    "%c = Const-1 {value = " then_type "[] 1}\n"                                                   \
    "%r = Result-1(%c)\n"                                                                          \
    "}\n"                                                                                          \
    "out %r -> 0\n"                                                                                \
    "else_body \"e\" {\n"                                                                          \
    "%c = Const-1 {value = i32[] 1}\n"                                                             \
    "%r = Result-1(%c)\n"                                                                          \
    "}\n"                                                                                          \
    "out %r -> " mapped "\n"                                                                       \
    "%out = Result-1(%if)\n"

static void test_if_refuses(void **state)
{
    check_graph_fails(IF_WITH("", "f32", "0"),
                      "\"if\" (If-8): output 0 has type f32 from then_body and i32 from else_body");
    check_graph_fails(IF_WITH("2", "i32", "0"),
                      "\"if\" (If-8): input 0 \"cond\" has shape [2], it must have one element");
    check_graph_run_fails(IF_WITH("?", "i32", "0"), OPERANDS("boolean[2] true true"),
                          "\"if\" (If-8): input 0 \"cond\" has 2 elements, it must have one");
    check_graph_fails(IF_WITH("1,1", "i32", "0"), "input 0 \"cond\" has shape [1,1], it must have "
                                                  "rank 0 to 1");
    check_graph_fails(IF_WITH("", "i32", "none"),
                      "else_body: no result is mapped to output 0 of the node");
    check_graph_fails(IF_WITH("", "i32", "1"), "found number 1, the node has 1");
}

#define IF_ADDS(cond, size)                                                                        \
    "%cond = " cond "\n"                                                                           \
    "%x = Parameter-1 {element_type = f32, shape = [" size "]}\n"                                  \
    "%if:1 = If-8(%cond, %x)\n"                                                                    \
    "then_body \"t\" {\n"                                                                          \
    "%a = Parameter-1 {element_type = f32, shape = [?]}\n"                                         \
    "%c = Const-1 {value = f32[2] [1, 2]}\n"                                                       \
    "%s = Add-1(%a, %c)\n"                                                                         \
    "%r = Result-1(%s)\n"                                                                          \
    "}\n"                                                                                          \
    "in 1 -> %a\n"                                                                                 \
    "out %r -> 0\n"                                                                                \
    "else_body \"e\" {\n"                                                                          \
    "%a = Parameter-1 {element_type = f32, shape = [?]}\n"                                         \
    "%r = Result-1(%a)\n"                                                                          \
    "}\n"                                                                                          \
    "in 1 -> %a\n"                                                                                 \
    "out %r -> 0\n"                                                                                \
    "%out = Result-1(%if)\n"

/* An error counts in a branch that may be taken, and in no other. */
static void test_if_errors_in_branches(void **state)
{
    inlay_graph *g = graph_of(IF_ADDS("Parameter-1 {element_type = boolean, shape = []}", "2"));
    const inlay_shape three = {.rank = 1, .dim = {inlay_dim_of(3)}};
    inlay_diags *d = inlay_diags_new();

    assert_true(inlay_node_set_shape(inlay_graph_node(g, "x"), "shape", &three, d));
    assert_false(inlay_infer_graph(g, d));
    check_error(d, INLAY_INVALID, "\"s\" (Add-1)");
    inlay_diags_free(d);
    inlay_graph_free(g);
    check_graph_fails(IF_ADDS("Parameter-1 {element_type = boolean, shape = []}", "3"),
                      "\"s\" (Add-1)");
    check_graph_fails(IF_ADDS("Const-1 {value = boolean[] [true]}", "3"), "\"s\" (Add-1)");
    inlay_graph_free(graph_of(IF_ADDS("Const-1 {value = boolean[] [false]}", "3")));
}

/* A condition without elements counts as false. */
static void test_if_on_nothing(void **state)
{
    runner r = runner_of("%cond = Parameter-1 {element_type = boolean, shape = [?]}\n"
                         "%if:1 = If-8(%cond)\n"
                         "then_body \"t\" {\n"
                         "%c = Const-1 {value = i32[] 6}\n"
                         "%r = Result-1(%c)\n"
                         "}\n"
                         "out %r -> 0\n"
                         "else_body \"e\" {\n"
                         "%c = Const-1 {value = i32[] 7}\n"
                         "%r = Result-1(%c)\n"
                         "}\n"
                         "out %r -> 0\n"
                         "%out = Result-1(%if)\n",
                         NULL);

    check_run(&r, OPERANDS("boolean[1] true"), OPERANDS("i32 6"));
    check_run(&r, OPERANDS("boolean[0]"), OPERANDS("i32 7"));
    runner_free(&r);
}

static void test_if_with_absent_input(void **state)
{
    check_graph_fails("%cond = Parameter-1 {element_type = boolean, shape = []}\n"
                      "%x = Parameter-1 {element_type = i32, shape = []}\n"
                      "%if:1 = If-8(%cond, none, %x)\n"
                      "then_body \"t\" {\n"
                      "%a = Parameter-1 {element_type = i32, shape = []}\n"
                      "%r = Result-1(%a)\n"
                      "}\n"
                      "in 1 -> %a\n"
                      "out %r -> 0\n"
                      "else_body \"e\" {\n"
                      "%c = Const-1 {value = i32[] 1}\n"
                      "%r = Result-1(%c)\n"
                      "}\n"
                      "out %r -> 0\n"
                      "%out = Result-1(%if)\n",
                      "then_body: input 0 of the port map comes from input 1 of the node, which is "
                      "absent");
    check_graph_fails("%cond = Parameter-1 {element_type = boolean, shape = []}\n"
                      "%if:0 = If-8(%cond)\n"
                      "then_body \"t\" {\n"
                      "}\n"
                      "else_body \"e\" {\n"
                      "}\n",
                      "then_body has no Result");
}

/* This model was made by others; its numbers are worked out by hand. If all x < w it gives relu(x +
 * y) and relu(x + w), else relu(z + w) and relu(y + w * z). */
static void test_corpus_if(void **state)
{
    runner r = runner_of_corpus("if_diff_case.xml");

    check_run(&r,
              OPERANDS("f32[2,4] 1 2 3 4 5 6 7 8", "f32[2,4] 9 9 9 9 9 9 9 9",
                       "f32[2,4] -2 0 0 0 0 0 0 1", "f32[2,4] 1 1 1 1 1 1 1 1"),
              OPERANDS("f32[2,4] 0 2 3 4 5 6 7 9", "f32[2,4] 10 11 12 13 14 15 16 17"));
    check_run(&r,
              OPERANDS("f32[2,4] 1 2 3 4 5 6 7 8", "f32[2,4] 8 8 8 8 8 8 8 8",
                       "f32[2,4] -9 0 0 0 0 0 0 1", "f32[2,4] 1 1 1 1 -10 1 1 2"),
              OPERANDS("f32[2,4] 9 9 9 9 0 9 9 10", "f32[2,4] 0 8 8 8 0 8 8 17"));
    runner_free(&r);
}

static void test_corpus_if_without_parameters(void **state)
{
    runner r = runner_of_corpus("if_body_without_parameters.xml");

    check_run(&r, OPERANDS("f32[1,0]", "f32[1,0]"), OPERANDS("f32 7"));
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_if_takes_a_branch),
        cmocka_unit_test(test_if_branches_of_different_shape),
        cmocka_unit_test(test_if_refuses),
        cmocka_unit_test(test_if_errors_in_branches),
        cmocka_unit_test(test_if_on_nothing),
        cmocka_unit_test(test_if_with_absent_input),
        cmocka_unit_test(test_corpus_if),
        cmocka_unit_test(test_corpus_if_without_parameters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
