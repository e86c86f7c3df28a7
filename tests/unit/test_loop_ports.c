/* How the ports of Loop-5 and TensorIterator-1 slice and join, what is refused of them, and what
 * loops of no parts give. */
#include "graphs.h"
#include "ir/shared.h"

#define MAPS(ports)                                                                                \
    "%x = Parameter-1 {element_type = i32, shape = [2]}\n"                                         \
    "%ti:1 = TensorIterator-1(%x)\n"                                                               \
    "body \"b\" {\n"                                                                               \
    "%a = Parameter-1 {element_type = i32, shape = [2]}\n"                                         \
    "%r = Result-1(%a)\n"                                                                          \
    "}\n" ports "%out = Result-1(%ti)\n"

static void test_port_maps_are_checked(void **state)
{
    check_graph(MAPS("in 0 -> %a\nout %r -> 0\n"), OPERANDS("i32[2] 1 2"), OPERANDS("i32[2] 1 2"));
    check_graph_fails(MAPS("in 1 -> %a\nout %r -> 0\n"), "found number 1, the node has 1");
    check_graph_fails(MAPS("in 0 -> %a\nin 0 -> %a\nout %r -> 0\n"),
                      "body: parameter 0 \"a\" is mapped more than once");
    check_graph_fails(MAPS("in 0 -> %a\nout %r -> 0\nout %r -> 0\n"),
                      "body: output 0 of the node is mapped more than once");
    check_graph_fails(
        MAPS("in 0 -> %a axis 0 start 0 end -1 stride 1 part_size 1\nout %r -> 0\nback %r -> %a\n"),
        "body: parameter 0 \"a\" has a back edge but no initial value");
    check_graph_fails(MAPS("in 0 -> %a\nout %r -> 0\nback %r -> %a\nback %r -> %a\n"),
                      "body: parameter 0 \"a\" has more than one back edge");
    check_graph_run_fails(MAPS("out %r -> 0\n"), OPERANDS("i32[2] 1 2"),
                          "\"a\" (Parameter-1): no tensor is given for this input");
}

/* No reader lets such a port map through, but a program that builds graphs may make it. */
static void test_port_maps_are_in_range(void **state)
{
    inlay_graph *g = graph_of(MAPS("in 0 -> %a\nout %r -> 0\nback %r -> %a\n"));
    inlay_node *ti = inlay_graph_node(g, "ti");
    inlay_body *b = ti->bodies, before = *b;
    inlay_port in = b->in[0], out = b->out[0];
    inlay_back_edge back = b->back[0];
    inlay_diags *d = inlay_diags_new();
    int *const wrong[] = {&b->in[0].inner, &b->in[0].outer, &b->out[0].inner, &b->out[0].outer,
                          &b->back[0].from};
    static const char *const words[] = {
        "body: input 0 of the port map leads to parameter 7, there are 1",
        "body: input 0 of the port map comes from input 7 of the node, which has 1",
        "body: output 0 of the port map comes from result 7, there are 1",
        "body: output 0 of the port map leads to output 7 of the node, which has 1",
        "body: back edge 0 from result 7 to parameter 0: there are 1 and 1"};

    for (int i = 0; i < 5; i++) {
        *wrong[i] = 7;
        inlay_diags_clear(d);
        assert_false(inlay_infer_node(ti, d));
        check_error(d, INLAY_INVALID, words[i]);
        b->in[0] = in;
        b->out[0] = out;
        b->back[0] = back;
    }
    inlay_diags_clear(d);
    b->role = "then_body";
    assert_null(inlay_compile(g, NULL, d));
    check_error(d, INLAY_INVALID, "\"ti\" (TensorIterator-1): body is missing");
    *b = before;
    inlay_diags_clear(d);
    assert_true(inlay_infer_node(ti, d));
    inlay_diags_free(d);
    inlay_graph_free(g);
}

#define ONE_IN(type, shape, declared, port, out)                                                   \
    "%n = Const-1 {value = i64[] 1}\n"                                                             \
    "%yes = Const-1 {value = boolean[] true}\n"                                                    \
    "%x = Parameter-1 {element_type = " type ", shape = [" shape "]}\n"                            \
    "%loop:1 = Loop-5(%n, %yes, %x)\n"                                                             \
    "body \"b\" {\n"                                                                               \
    "%a = Parameter-1 {element_type = " declared ", shape = [...]}\n"                              \
    "%c = Const-1 {value = boolean[] true}\n"                                                      \
    "%r0 = Result-1(%c)\n"                                                                         \
    "%r1 = Result-1(%a)\n"                                                                         \
    "}\n"                                                                                          \
    "in " port "\n"                                                                                \
    "out %r0 -> none condition\n"                                                                  \
    "out %r1 -> 0" out "\n"                                                                        \
    "%out = Result-1(%loop)\n"

#define AXIS0 " axis 0 start 0 end -1 stride 1 part_size 1"

static void test_loop_refuses(void **state)
{
    check_graph_fails(ONE_IN("f32", "", "f32", "2 -> %a" AXIS0, ""),
                      "input 2 is a scalar, it cannot be sliced");
    check_graph_fails(ONE_IN("f32", "", "f32", "2 -> %a", AXIS0),
                      "output 0 joins scalars, they have no axis");
    check_graph_fails(
        ONE_IN("f32", "2", "f32", "none -> %a iteration", ""),
        "parameter \"a\" of body, the current iteration, has type f32, it must be i64 "
        "or i32");
    check_graph_run_fails(ONE_IN("f32", "...", "f32", "2 -> %a", AXIS0), OPERANDS("f32 1"),
                          "axis 0 of the port map is outside of rank 0");
    check_graph_run_fails(
        ONE_IN("f32", "?", "f32", "2 -> %a axis 0 start 1 end -1 stride 1 part_size 1", ""),
        OPERANDS("f32[1] 1"), "input 2 cannot be sliced from 1 to -1 by 1: axis 0 has 1 element");
    check_graph_run_fails(ONE_IN("f32", "?", "f32", "2 -> %a" AXIS0, ""), OPERANDS("f32[0]"),
                          "input 2 has 0 parts, there is none for iteration 0");
}

/* The parts of a joined output must have the same sizes on all axes but the joined one. Where there
 * are no parts the rule must know these sizes. */
static void test_loop_joins_what_fits(void **state)
{
    runner r = runner_of("%n = Parameter-1 {element_type = i64, shape = []}\n"
                         "%yes = Const-1 {value = boolean[] true}\n"
                         "%x = Parameter-1 {element_type = f32, shape = [1,1]}\n"
                         "%loop:1 = Loop-5(%n, %yes, %x)\n"
                         "body \"b\" {\n"
                         "%a = Parameter-1 {element_type = f32, shape = [1,1]}\n"
                         "%c = Const-1 {value = boolean[] true}\n"
                         "%aa = Concat-1(%a, %a) {axis = 1}\n"
                         "%r0 = Result-1(%c)\n"
                         "%r1 = Result-1(%aa)\n"
                         "}\n"
                         "in 2 -> %a\n"
                         "out %r0 -> none condition\n"
                         "out %r1 -> 0" AXIS0 "\n"
                         "back %r1 -> %a\n"
                         "%out = Result-1(%loop)\n",
                         NULL);

    check_run(&r, OPERANDS("i64 1", "f32[1,1] 3"), OPERANDS("f32[1,2] 3 3"));
    check_run_fails(&r, OPERANDS("i64 2", "f32[1,1] 3"), INLAY_INVALID,
                    "output 0 joins shape [1,2] of iteration 0 and [1,4] of iteration 1");
    check_run_fails(&r, OPERANDS("i64 0", "f32[1,1] 3"), INLAY_INVALID,
                    "no iteration ran, and shape [1,?] does not say how large output 0 is");
    runner_free(&r);
}

/* A loop of no parts: its body makes a value of X, and may use S and the ports of the loop too. */
#define NO_PARTS(x, declared, body)                                                                \
    "%n = Parameter-1 {element_type = i64, shape = []}\n"                                          \
    "%yes = Const-1 {value = boolean[] true}\n"                                                    \
    "%x = Parameter-1 {element_type = f32, shape = " x "}\n"                                       \
    "%s = Parameter-1 {element_type = i64, shape = [2]}\n"                                         \
    "%loop:1 = Loop-5(%n, %yes, %x, %s)\n"                                                         \
    "body \"b\" {\n"                                                                               \
    "%a = Parameter-1 {element_type = f32, shape = " declared "}\n"                                \
    "%s = Parameter-1 {element_type = i64, shape = [2]}\n"                                         \
    "%c = Const-1 {value = boolean[] true}\n" body "%r0 = Result-1(%c)\n"                          \
    "%r1 = Result-1(%part)\n"                                                                      \
    "}\n"                                                                                          \
    "in 2 -> %a\n"                                                                                 \
    "in 3 -> %s\n"                                                                                 \
    "out %r0 -> none condition\n"                                                                  \
    "out %r1 -> 0" AXIS0 "\n"                                                                      \
    "%out = Result-1(%loop)\n"

static void check_no_parts(const char *graph, const char *x, const char *s, const char *want)
{
    runner r = runner_of(graph, NULL);

    check_run(&r, OPERANDS("i64 0", x, s), OPERANDS(want));
    runner_free(&r);
}

/* A size that was not known when the graph was compiled is known in the run, also where no
 * iteration runs. */
static void test_loop_of_no_iterations(void **state)
{
    static const char negative[] = NO_PARTS("[1,?]", "[1,?]", "%part = Negative-1(%a)\n");

    check_no_parts(negative, "f32[1,3] 1 2 3", "i64[2] 0 0", "f32[0,3]");
    check_no_parts(negative, "f32[1,0]", "i64[2] 0 0", "f32[0,0]");
    /* what the body declares holds where nothing is known, and is overruled by what there is */
    check_no_parts(NO_PARTS("[...]", "[1,2]", "%part = Negative-1(%a)\n"), "f32[1,2] 1 2",
                   "i64[2] 0 0", "f32[0,2]");
    check_no_parts(NO_PARTS("[...]", "[1,2]", "%part = Negative-1(%a)\n"), "f32[2,1,3] 1 2 3 4 5 6",
                   "i64[2] 0 0", "f32[0,1,3]");
    /* sizes that come from elements */
    check_no_parts(NO_PARTS("[1]", "[1]", "%part = Broadcast-3(%a, %s)\n"), "f32[1] 7",
                   "i64[2] 5 4", "f32[0,4]");
    check_no_parts(NO_PARTS("[?]", "[?]",
                            "%k = ShapeOf-3(%a)\n"
                            "%t = Concat-1(%k, %s) {axis = 0}\n"
                            "%part = Broadcast-3(%a, %t)\n"),
                   "f32[6] 1 2 3 4 5 6", "i64[2] 2 6", "f32[0,2,6]");
}

/* In a body, too: an If of which both branches count, and a loop that makes three parts. */
static void test_bodies_in_no_iterations(void **state)
{
    check_no_parts(NO_PARTS("[1,?]", "[1,?]",
                            "%if:1 = If-8(%c, %a)\n"
                            "then_body \"t\" {\n"
                            "%a = Parameter-1 {element_type = f32, shape = [1,?]}\n"
                            "%p = Concat-1(%a, %a) {axis = 1}\n"
                            "%r = Result-1(%p)\n"
                            "}\n"
                            "in 1 -> %a\n"
                            "out %r -> 0\n"
                            "else_body \"e\" {\n"
                            "%a = Parameter-1 {element_type = f32, shape = [1,?]}\n"
                            "%r = Result-1(%a)\n"
                            "}\n"
                            "in 1 -> %a\n"
                            "out %r -> 0\n"
                            "%part = Negative-1(%if)\n"),
                   "f32[1,2] 1 2", "i64[2] 0 0", "f32[0,4]");
    check_no_parts(NO_PARTS("[1,?]", "[1,?]",
                            "%three = Const-1 {value = i64[] 3}\n"
                            "%inner:1 = Loop-5(%three, %c, %a)\n"
                            "body \"i\" {\n"
                            "%a = Parameter-1 {element_type = f32, shape = [1,?]}\n"
                            "%c = Const-1 {value = boolean[] true}\n"
                            "%p = Negative-1(%a)\n"
                            "%q0 = Result-1(%c)\n"
                            "%q1 = Result-1(%p)\n"
                            "}\n"
                            "in 2 -> %a\n"
                            "out %q0 -> none condition\n"
                            "out %q1 -> 0 axis 1 start 0 end -1 stride 1 part_size 1\n"
                            "%part = Negative-1(%inner)\n"),
                   "f32[1,2] 1 2", "i64[2] 0 0", "f32[0,6]");
}

/* The rows of a tensor without rows are iterated over. */
static void test_iterator_of_no_parts(void **state)
{
    runner r = runner_of("%x = Parameter-1 {element_type = f32, shape = [?,?]}\n"
                         "%ti:1 = TensorIterator-1(%x)\n"
                         "body \"b\" {\n"
                         "%row = Parameter-1 {element_type = f32, shape = [1,?]}\n"
                         "%n = Negative-1(%row)\n"
                         "%r = Result-1(%n)\n"
                         "}\n"
                         "in 0 -> %row" AXIS0 "\n"
                         "out %r -> 0" AXIS0 "\n"
                         "%out = Result-1(%ti)\n",
                         NULL);

    check_run(&r, OPERANDS("f32[0,3]"), OPERANDS("f32[0,3]"));
    check_run(&r, OPERANDS("f32[2,2] 1 2 3 4"), OPERANDS("f32[2,2] -1 -2 -3 -4"));
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_port_maps_are_checked),
        cmocka_unit_test(test_port_maps_are_in_range),
        cmocka_unit_test(test_loop_refuses),
        cmocka_unit_test(test_loop_joins_what_fits),
        cmocka_unit_test(test_loop_of_no_iterations),
        cmocka_unit_test(test_bodies_in_no_iterations),
        cmocka_unit_test(test_iterator_of_no_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
