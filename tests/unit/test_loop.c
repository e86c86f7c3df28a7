/* Loop-5, TensorIterator-1: what they compute, what their rules infer, what they refuse. */
#include "graphs.h"
#include "ir/shared.h"

/* acc = acc + x, as long as acc < 10, at most TRIP times. Outputs: the last acc, all of them. */
#define LOOP(trip, cond)                                                                           \
    "%trip = " trip "\n"                                                                           \
    "%cond = " cond "\n"                                                                           \
    "%zero = Const-1 {value = f32[1] [0]}\n"                                                       \
    "%x = Parameter-1 {element_type = f32, shape = [1]}\n"                                         \
    "%loop:2 = Loop-5(%trip, %cond, %zero, %x)\n"                                                  \
    "body \"b\" {\n"                                                                               \
    "%acc = Parameter-1 {element_type = f32, shape = [1]}\n"                                       \
    "%x = Parameter-1 {element_type = f32, shape = [1]}\n"                                         \
    "%ten = Const-1 {value = f32[1] [10]}\n"                                                       \
    "%new = Add-1(%acc, %x)\n"                                                                     \
    "%more = Less-1(%new, %ten)\n"                                                                 \
    "%r0 = Result-1(%more)\n"                                                                      \
    "%r1 = Result-1(%new)\n"                                                                       \
    "}\n"                                                                                          \
    "in 2 -> %acc\n"                                                                               \
    "in 3 -> %x\n"                                                                                 \
    "out %r0 -> none condition\n"                                                                  \
    "out %r1 -> 0\n"                                                                               \
    "out %r1 -> 1 axis 0 start 0 end -1 stride 1 part_size 1\n"                                    \
    "back %r1 -> %acc\n"                                                                           \
    "%last = Result-1(%loop:0)\n"                                                                  \
    "%all = Result-1(%loop:1)\n"

#define TRIP_INPUT "Parameter-1 {element_type = i64, shape = []}"

#define COND_INPUT "Parameter-1 {element_type = boolean, shape = []}"

static void test_loop_counts(void **state)
{
    runner r = runner_of(LOOP(TRIP_INPUT, COND_INPUT), NULL);

    check_run(&r, OPERANDS("i64 3", "boolean true", "f32[1] 2"),
              OPERANDS("f32[1] 6", "f32[3] 2 4 6"));
    check_run(&r, OPERANDS("i64 100", "boolean true", "f32[1] 4"), /* 12 is not below 10 */
              OPERANDS("f32[1] 12", "f32[3] 4 8 12"));
    check_run(&r, OPERANDS("i64 -1", "boolean true", "f32[1] 5"),
              OPERANDS("f32[1] 10", "f32[2] 5 10"));
    check_run(&r, OPERANDS("i64 0", "boolean true", "f32[1] 5"), OPERANDS("f32[1] 0", "f32[0]"));
    check_run(&r, OPERANDS("i64 7", "boolean false", "f32[1] 5"), OPERANDS("f32[1] 0", "f32[0]"));
    check_run_fails(&r, OPERANDS("i64 -2", "boolean true", "f32[1] 5"), INLAY_INVALID,
                    "\"loop\" (Loop-5): input 0 \"trip_count\" is -2, it must be -1 or more");
    runner_free(&r);
}

static void check_dim(inlay_dim d, int64_t lo, int64_t hi)
{
    assert_int_equal(d.lo, lo);
    assert_int_equal(d.hi, hi);
}

static void test_loop_infers_counts(void **state)
{
    inlay_graph *g = graph_of(LOOP("Const-1 {value = i64[] 3}", COND_INPUT));

    check_dim(inlay_graph_node(g, "loop")->out[0].fact.dims[0], 1, 1);
    check_dim(inlay_graph_node(g, "loop")->out[1].fact.dims[0], 0, 3);
    inlay_graph_free(g);
    g = graph_of(LOOP(TRIP_INPUT, "Const-1 {value = boolean[] false}"));
    check_dim(inlay_graph_node(g, "loop")->out[1].fact.dims[0], 0, 0);
    inlay_graph_free(g);
    g = graph_of(LOOP(TRIP_INPUT, COND_INPUT));
    check_dim(inlay_graph_node(g, "loop")->out[1].fact.dims[0], 0, INLAY_DIM_MAX);
    inlay_graph_free(g);
    check_graph_fails(LOOP("Const-1 {value = i64[] -7}", COND_INPUT),
                      "input 0 \"trip_count\" is -7, it must be -1 or more");
}

/* for: the condition goes round unchanged, so the number of iterations is known at compile time.
 * The parts are x sliced along axis 0 in pieces of two, plus the iteration number. */
#define FOR(trip, slice)                                                                           \
    "%trip = Const-1 {value = i64[1] [" trip "]}\n"                                                \
    "%cond = Const-1 {value = boolean[1] [true]}\n"                                                \
    "%x = Parameter-1 {element_type = i64, shape = [4,2]}\n"                                       \
    "%loop:1 = Loop-5(%trip, %cond, %x)\n"                                                         \
    "body \"b\" {\n"                                                                               \
    "%more = Parameter-1 {element_type = boolean, shape = [1]}\n"                                  \
    "%i = Parameter-1 {element_type = i64, shape = []}\n"                                          \
    "%part = Parameter-1 {element_type = i64, shape = [...]}\n"                                    \
    "%s = Add-1(%part, %i)\n"                                                                      \
    "%r0 = Result-1(%more)\n"                                                                      \
    "%r1 = Result-1(%s)\n"                                                                         \
    "}\n"                                                                                          \
    "in 1 -> %more\n"                                                                              \
    "in none -> %i iteration\n"                                                                    \
    "in 2 -> %part " slice "\n"                                                                    \
    "out %r0 -> none condition\n"                                                                  \
    "out %r1 -> 0 axis 1 start 0 end -1 stride 1 part_size 1\n"                                    \
    "back %r0 -> %more\n"                                                                          \
    "%all = Result-1(%loop)\n"

static void test_loop_slices_and_joins(void **state)
{
    inlay_graph *g = graph_of(FOR("2", "axis 0 start 0 end -1 stride 2 part_size 2"));
    const inlay_fact *f = &inlay_graph_node(g, "loop")->out[0].fact;

    check_dim(f->dims[0], 2, 2);
    check_dim(f->dims[1], 4, 4);
    inlay_graph_free(g);
    /* [[1,2],[3,4]] + 0 beside [[5,6],[7,8]] + 1 */
    check_graph(FOR("2", "axis 0 start 0 end -1 stride 2 part_size 2"),
                OPERANDS("i64[4,2] 1 2 3 4 5 6 7 8"), OPERANDS("i64[2,4] 1 2 6 7 3 4 8 9"));
    /* backwards, the parts themselves are not turned round */
    check_graph(FOR("2", "axis 0 start -1 end 0 stride -2 part_size 2"),
                OPERANDS("i64[4,2] 1 2 3 4 5 6 7 8"), OPERANDS("i64[2,4] 5 6 2 3 7 8 4 5"));
    /* windows that overlap, between row 1 and row 3 */
    check_graph(FOR("2", "axis 0 start 1 end 3 stride 1 part_size 2"),
                OPERANDS("i64[4,2] 1 2 3 4 5 6 7 8"), OPERANDS("i64[2,4] 3 4 6 7 5 6 8 9"));
    check_graph_fails(FOR("3", "axis 0 start 0 end -1 stride 2 part_size 2"),
                      "\"loop\" (Loop-5): input 2 is sliced into 2 parts, there are 3 iterations");
    check_graph_fails(FOR("1", "axis 2 start 0 end -1 stride 1 part_size 1"),
                      "axis of the port map is 2, it must be in [-2, 1]");
    check_graph_fails(FOR("1", "axis 0 start 4 end -1 stride 1 part_size 1"),
                      "input 2 cannot be sliced from 4 to -1 by 1: axis 0 has 4 elements");
    check_graph_fails(FOR("1", "axis 0 start 3 end 0 stride 1 part_size 1"),
                      "cannot be sliced from 3 to 0 by 1");
    check_graph_fails(FOR("1", "axis 0 start 0 end -1 stride 0 part_size 1"),
                      "body: input 2 has stride 0 and part_size 1, the stride must not be zero");
    check_graph_fails(FOR("1", "axis 0 start 0 end -1 stride 1 part_size 0"),
                      "part size must be positive");
}

/* The carried value grows in each iteration. The rule must not take the size in the first iteration
 * for that in all. */
static void test_loop_carries_a_growing_value(void **state)
{
    static const char body[] = "%trip = Parameter-1 {element_type = i32, shape = []}\n"
                               "%cond = Const-1 {value = boolean[] true}\n"
                               "%x = Parameter-1 {element_type = f32, shape = [1]}\n"
                               "%loop:1 = Loop-5(%trip, %cond, %x)\n"
                               "body \"b\" {\n"
                               "%a = Parameter-1 {element_type = f32, shape = [1]}\n"
                               "%yes = Const-1 {value = boolean[] true}\n"
                               "%aa = Concat-1(%a, %a) {axis = 0}\n"
                               "%r0 = Result-1(%yes)\n"
                               "%r1 = Result-1(%aa)\n"
                               "}\n"
                               "in 2 -> %a\n"
                               "out %r0 -> none condition\n"
                               "out %r1 -> 0\n"
                               "back %r1 -> %a\n"
                               "%out = Result-1(%loop)\n";
    runner r = runner_of(body, NULL);
    inlay_dim d = inlay_graph_node(r.graph, "loop")->out[0].fact.dims[0];

    assert_true(d.lo <= 1 && d.hi == INLAY_DIM_MAX);
    check_run(&r, OPERANDS("i32 2", "f32[1] 7"), OPERANDS("f32[4] 7 7 7 7"));
    check_run(&r, OPERANDS("i32 0", "f32[1] 7"), OPERANDS("f32[1] 7"));
    runner_free(&r);
}

/* Two merged values change places: every back edge is taken at once. */
static void test_back_edges_are_simultaneous(void **state)
{
    check_graph("%trip = Const-1 {value = i64[] 3}\n"
                "%cond = Const-1 {value = boolean[] true}\n"
                "%x = Parameter-1 {element_type = f32, shape = []}\n"
                "%y = Parameter-1 {element_type = f32, shape = []}\n"
                "%loop:2 = Loop-5(%trip, %cond, %x, %y)\n"
                "body \"b\" {\n"
                "%a = Parameter-1 {element_type = f32, shape = []}\n"
                "%b = Parameter-1 {element_type = f32, shape = []}\n"
                "%yes = Const-1 {value = boolean[] true}\n"
                "%r0 = Result-1(%yes)\n"
                "%ra = Result-1(%a)\n"
                "%rb = Result-1(%b)\n"
                "}\n"
                "in 2 -> %a\n"
                "in 3 -> %b\n"
                "out %r0 -> none condition\n"
                "out %ra -> 0\n"
                "out %rb -> 1\n"
                "back %ra -> %b\n"
                "back %rb -> %a\n"
                "%p = Result-1(%loop:0)\n"
                "%q = Result-1(%loop:1)\n",
                OPERANDS("f32 1", "f32 2"), OPERANDS("f32 1", "f32 2"));
}

/* In a body the state is that of the iteration: each adds the number of the last one. */
static void test_variables_in_a_loop(void **state)
{
    static const char body[] =
        "%trip = Parameter-1 {element_type = i64, shape = []}\n"
        "%cond = Const-1 {value = boolean[] true}\n"
        "%before = ReadValue-6 {variable_id = \"v\", variable_type = i64, variable_shape = []}\n"
        "%loop:1 = Loop-5(%trip, %cond)\n"
        "body \"b\" {\n"
        "%i = Parameter-1 {element_type = i64, shape = []}\n"
        "%old = ReadValue-6 {variable_id = \"v\", variable_type = i64, variable_shape = []}\n"
        "%new = Add-1(%old, %i)\n"
        "%save = Assign-6(%new) {variable_id = \"v\"}\n"
        "%yes = Const-1 {value = boolean[] true}\n"
        "%r0 = Result-1(%yes)\n"
        "%r1 = Result-1(%old)\n"
        "}\n"
        "in none -> %i iteration\n"
        "out %r0 -> none condition\n"
        "out %r1 -> 0\n"
        "%last = Result-1(%loop)\n"
        "%first = Result-1(%before)\n";
    runner r = runner_of(body, NULL);

    check_run(&r, OPERANDS("i64 4"), OPERANDS("i64 3", "i64 0")); /* 0 + 0 + 1 + 2, then + 3 */
    check_tensor(inlay_session_variable(r.session, 0), "i64 6");
    check_run(&r, OPERANDS("i64 1"), OPERANDS("i64 6", "i64 6"));
    check_run_fails(&r, OPERANDS("i64 0"), INLAY_INVALID,
                    "no iteration ran, so output 0 has no value");
    check_tensor(inlay_session_variable(r.session, 0), "i64 6");
    runner_free(&r);
}

/* A running sum over the rows of x; OUT and IN say how ports slice and join. */
#define ITERATOR(in, out)                                                                          \
    "%x = Parameter-1 {element_type = i32, shape = [?,2]}\n"                                       \
    "%zero = Const-1 {value = i32[1,2] [0, 0]}\n"                                                  \
    "%ti:2 = TensorIterator-1(%x, %zero)\n"                                                        \
    "body \"b\" {\n"                                                                               \
    "%row = Parameter-1 {element_type = i32, shape = [1,2]}\n"                                     \
    "%acc = Parameter-1 {element_type = i32, shape = [1,2]}\n"                                     \
    "%s = Add-1(%row, %acc)\n"                                                                     \
    "%r = Result-1(%s)\n"                                                                          \
    "}\n"                                                                                          \
    "in 0 -> %row " in "\n"                                                                        \
    "in 1 -> %acc\n"                                                                               \
    "out %r -> 0 " out "\n"                                                                        \
    "out %r -> 1\n"                                                                                \
    "back %r -> %acc\n"                                                                            \
    "%all = Result-1(%ti:0)\n"                                                                     \
    "%last = Result-1(%ti:1)\n"

static void test_tensor_iterator(void **state)
{
    runner r = runner_of(ITERATOR("axis 0 start 0 end -1 stride 1 part_size 1",
                                  "axis 0 start 0 end -1 stride 1 part_size 1"),
                         NULL);
    inlay_node *ti = inlay_graph_node(r.graph, "ti"), *x = inlay_graph_node(r.graph, "x");

    assert_true(inlay_dim_proven_equal(ti->out[0].fact.dims[0], x->out[0].fact.dims[0]));
    check_run(&r, OPERANDS("i32[3,2] 1 2 10 20 100 200"),
              OPERANDS("i32[3,2] 1 2 11 22 111 222", "i32[1,2] 111 222"));
    check_run(&r, OPERANDS("i32[0,2]"), OPERANDS("i32[0,2]", "i32[1,2] 0 0"));
    runner_free(&r);
    /* backwards, joined in the order of the input again */
    check_graph(ITERATOR("axis 0 start -1 end 0 stride -1 part_size 1",
                         "axis 0 start -1 end 0 stride -1 part_size 1"),
                OPERANDS("i32[3,2] 1 2 10 20 100 200"),
                OPERANDS("i32[3,2] 111 222 110 220 100 200", "i32[1,2] 111 222"));
    /* backwards, joined in the order of the iterations */
    check_graph(ITERATOR("axis 0 start -1 end 0 stride -1 part_size 1",
                         "axis 0 start 0 end -1 stride 1 part_size 1"),
                OPERANDS("i32[3,2] 1 2 10 20 100 200"),
                OPERANDS("i32[3,2] 100 200 110 220 111 222", "i32[1,2] 111 222"));
    /* a negative axis; every second row */
    check_graph(ITERATOR("axis -2 start 0 end -1 stride 2 part_size 1",
                         "axis -1 start 0 end -1 stride 1 part_size 1"),
                OPERANDS("i32[3,2] 1 2 10 20 100 200"),
                OPERANDS("i32[1,4] 1 2 101 202", "i32[1,2] 101 202"));
}

static void test_iterator_parts_must_agree(void **state)
{
    static const char body[] = "%x = Parameter-1 {element_type = i32, shape = [?]}\n"
                               "%y = Parameter-1 {element_type = i32, shape = [?]}\n"
                               "%ti:1 = TensorIterator-1(%x, %y)\n"
                               "body \"b\" {\n"
                               "%a = Parameter-1 {element_type = i32, shape = [1]}\n"
                               "%b = Parameter-1 {element_type = i32, shape = [1]}\n"
                               "%s = Add-1(%a, %b)\n"
                               "%r = Result-1(%s)\n"
                               "}\n"
                               "in 0 -> %a axis 0 start 0 end -1 stride 1 part_size 1\n"
                               "in 1 -> %b axis 0 start 0 end -1 stride 1 part_size 1\n"
                               "out %r -> 0 axis 0 start 0 end -1 stride 1 part_size 1\n"
                               "%out = Result-1(%ti)\n";

    check_graph(body, OPERANDS("i32[2] 1 2", "i32[2] 3 4"), OPERANDS("i32[2] 4 6"));
    check_graph_run_fails(body, OPERANDS("i32[2] 1 2", "i32[1] 3"),
                          "\"ti\" (TensorIterator-1): input 1 is sliced into 1 part, input 0 "
                          "into 2");
}

static void test_loop_needs_a_condition(void **state)
{
    check_graph_fails("%n = Const-1 {value = i64[] 1}\n"
                      "%yes = Const-1 {value = boolean[] true}\n"
                      "%loop:1 = Loop-5(%n, %yes)\n"
                      "body \"b\" {\n"
                      "%c = Const-1 {value = boolean[] true}\n"
                      "%r = Result-1(%c)\n"
                      "}\n"
                      "out %r -> 0\n"
                      "%out = Result-1(%loop)\n",
                      "body: 0 outputs of the port map have the purpose execution_condition, one "
                      "must");
}

static void test_types_of_bodies(void **state)
{
    check_graph_fails("%x = Parameter-1 {element_type = f16, shape = [2]}\n"
                      "%ti:1 = TensorIterator-1(%x)\n"
                      "body \"b\" {\n"
                      "%a = Parameter-1 {element_type = i32, shape = [2]}\n"
                      "%r = Result-1(%a)\n"
                      "}\n"
                      "in 0 -> %a\n"
                      "out %r -> 0\n"
                      "%out = Result-1(%ti)\n",
                      "input 0 has type f16, parameter \"a\" of body has type i32");
    check_graph_fails("%x = Parameter-1 {element_type = i32, shape = [2]}\n"
                      "%ti:1 = TensorIterator-1(%x)\n"
                      "body \"b\" {\n"
                      "%a = Parameter-1 {element_type = i32, shape = [2]}\n"
                      "%c = Less-1(%a, %a)\n"
                      "%r = Result-1(%c)\n"
                      "}\n"
                      "in 0 -> %a\n"
                      "out %r -> 0\n"
                      "back %r -> %a\n"
                      "%out = Result-1(%ti)\n",
                      "the back edge to parameter \"a\" of body carries type boolean, it began "
                      "with i32");
}

/* Loops in loops in loops: inferring each until nothing changes must not multiply out. */
static void test_deep_nesting_is_inferred_in_time(void **state)
{
    enum { DEPTH = 60 };
    static const char open[] = "%x = Parameter-1 {element_type = f32, shape = [?]}\n"
                               "%ti:1 = TensorIterator-1(%x)\n"
                               "body \"b\" {\n";
    static const char inner[] = "%x = Parameter-1 {element_type = f32, shape = [?]}\n"
                                "%y = Concat-1(%x, %x) {axis = 0}\n"
                                "%r = Result-1(%y)\n";
    static const char close[] = "}\nin 0 -> %x\nout %r -> 0\nback %r -> %x\n%r = Result-1(%ti)\n";
    char *text = malloc(DEPTH * (sizeof open + sizeof close) + sizeof inner);
    runner r;

    assert_non_null(text);
    *text = '\0';
    for (int i = 0; i < DEPTH; i++)
        strcat(text, open);
    strcat(text, inner);
    for (int i = 0; i < DEPTH; i++)
        strcat(text, close);
    r = runner_of(text, NULL);
    check_run(&r, OPERANDS("f32[1] 3"), OPERANDS("f32[2] 3 3"));
    runner_free(&r);
    free(text);
}

/* A model that others made, with numbers by hand. Three times a = a + [1, 1]; the constants are not
 * aligned. */
static void test_corpus_loop(void **state)
{
    runner r = runner_of_corpus("loop_2d_add.xml");

    check_run(&r, OPERANDS("f32[1,2] 10 -5"),
              OPERANDS("f32[1,2] 13 -2", "f32[3,1,2] 11 -4 12 -3 13 -2"));
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loop_counts),
        cmocka_unit_test(test_loop_infers_counts),
        cmocka_unit_test(test_loop_slices_and_joins),
        cmocka_unit_test(test_loop_carries_a_growing_value),
        cmocka_unit_test(test_back_edges_are_simultaneous),
        cmocka_unit_test(test_variables_in_a_loop),
        cmocka_unit_test(test_tensor_iterator),
        cmocka_unit_test(test_iterator_parts_must_agree),
        cmocka_unit_test(test_loop_needs_a_condition),
        cmocka_unit_test(test_types_of_bodies),
        cmocka_unit_test(test_deep_nesting_is_inferred_in_time),
        cmocka_unit_test(test_corpus_loop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
