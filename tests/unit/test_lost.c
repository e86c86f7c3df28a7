/* passes/query: of which nodes it is known that no input makes them fail, of which values that they
 * are never negative, and which node is lost. By the words of the headers and of the operations'
 * pages: a graph stands beside the answer. */
#include "graphs.h"
#include "passes/query/indices.h"
#include "passes/query/lost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define X "%x = Parameter {element_type = f32, shape = "
#define I "%i = Parameter {element_type = i64, shape = "

struct asked {
    const char *body; /* whose last node is asked */
    int answer;
};

/* The last node; a Split stands before a node that takes one of its outputs. */
static const inlay_node *asked_of(const inlay_graph *g)
{
    const inlay_node *n = inlay_node_input(g->results[0], 0)->node;
    const inlay_node *before = n->n_in > 0 ? inlay_node_input(n, 0)->node : n;

    return before->n_out > 1 ? before : n;
}

static void check(const struct asked *all, int n, int (*ask)(const inlay_node *n))
{
    char body[1200];

    for (int i = 0; i < n; i++) {
        inlay_graph *g;
        int answer;

        snprintf(body, sizeof body, "%s\n%%out = Result(%%y)", all[i].body);
        g = graph_of(body);
        answer = ask(asked_of(g));
        if (answer != all[i].answer)
            fail_msg("%d, not %d: %s", answer, all[i].answer, body);
        inlay_graph_free(g);
    }
}

static int never_fails(const inlay_node *n)
{
    return query_never_fails(n);
}

static int never_negative(const inlay_node *n)
{
    return index_never_negative(&n->out[0]);
}

#define GATHER(LIST)                                                                               \
    X "[2,3]}\n%i = Const {value = " LIST                                                          \
      "}\n%a = Const {value = i64[] [1]}\n%y = Gather(%x, %i, %a)"

/* Of sizes that are known the shape rule has compared all; open ones are compared in a run. */
static const struct asked of_sizes[] = {
    {X "[?,3]}\n%y = Abs(%x)", 1},
    {X "[?]}\n%b = Parameter {element_type = f32, shape = [?]}\n%y = Add(%x, %b)", 0},
    {X "[?]}\n%b = Parameter {element_type = f32, shape = [1]}\n%y = Add(%x, %b)", 0},
    {X "[?]}\n%b = Parameter {element_type = f32, shape = []}\n%y = Add(%x, %b)", 1},
    {X "[]}\n%b = Parameter {element_type = f32, shape = [?]}\n%y = Add(%x, %b)", 0},
    {X "[4]}\n%b = Parameter {element_type = f32, shape = [4]}\n%y = Add(%x, %b)", 1},
    {X "[?,3]}\n%c = Abs(%x)\n%y = Add(%x, %c)", 1},
    {X "[?,3]}\n%c = Abs(%x)\n%b = Parameter {element_type = boolean, shape = []}\n"
       "%y = Select(%b, %x, %c)",
     0},
    {X "[?,3]}\n%y = ShapeOf(%x)", 1},
    {X "[?]}\n%y = Concat(%x, %x) {axis = 0}", 0},
    {X "[3]}\n%y = Concat(%x, %x) {axis = 0}", 1},
    {X "[?,3]}\n%b = Parameter {element_type = f32, shape = [3,2]}\n%y = MatMul(%x, %b)", 0},
    {X "[5,3]}\n%b = Parameter {element_type = f32, shape = [3,2]}\n%y = MatMul(%x, %b)", 1},
};

/* A window is cut to the axis; a Split wants a size that it divides. */
static const struct asked of_cuts[] = {
    {X "[?]}\n%o = Const {value = i64[1] [1]}\n%y = Slice(%x, %o, %o, %o)", 1},
    {X "[?,4]}\n%b = Parameter {element_type = i64, shape = [1]}\n"
       "%o = Const {value = i64[1] [1]}\n%y = Slice(%x, %b, %o, %o)",
     1},
    {X "[?,4]}\n%b = Parameter {element_type = i64, shape = [1]}\n"
       "%o = Const {value = i64[1] [1]}\n%y = Slice(%x, %o, %b, %o)",
     1},
    {X "[?,4]}\n%b = Parameter {element_type = i64, shape = [1]}\n"
       "%o = Const {value = i64[1] [1]}\n%y = Slice(%x, %o, %o, %b)",
     0},
    {X "[4]}\n%b = Parameter {element_type = i64, shape = [1]}\n"
       "%o = Const {value = i64[1] [1]}\n%y = Slice(%x, %o, %o, %o, %b)",
     0},
    {X "[4,?]}\n%a = Const {value = i64[] [0]}\n%p:2 = Split(%x, %a) {num_splits = 2}\n%y = "
       "Abs(%p:0)",
     1},
    {X "[?,4]}\n%a = Const {value = i64[] [0]}\n%p:2 = Split(%x, %a) {num_splits = 2}\n%y = "
       "Abs(%p:0)",
     0},
    {X "[...]}\n%a = Const {value = i64[] [0]}\n%p:2 = Split(%x, %a) {num_splits = 2}\n%y = "
       "Abs(%p:0)",
     0},
    {X "[4,4]}\n%a = Parameter {element_type = i64, shape = []}\n"
       "%p:2 = Split(%x, %a) {num_splits = 2}\n%y = Abs(%p:0)",
     0},
};

/* One element is repeated as often as sizes say that are not negative. */
static const struct asked of_repeats[] = {
    {X "[]}\n" I "[2]}\n%y = Broadcast(%x, %i)", 0},
    {X "[]}\n%b = Parameter {element_type = f32, shape = [?,?]}\n%i = ShapeOf(%b)\n"
       "%y = Broadcast(%x, %i)",
     1},
    {X "[1,1]}\n%b = Parameter {element_type = f32, shape = [?,?]}\n%i = ShapeOf(%b)\n"
       "%y = Broadcast(%x, %i)",
     1},
    {X "[1,2]}\n%b = Parameter {element_type = f32, shape = [?,?]}\n%i = ShapeOf(%b)\n"
       "%y = Broadcast(%x, %i)",
     0},
    {X "[2,1]}\n%b = Parameter {element_type = f32, shape = [?,?]}\n%i = ShapeOf(%b)\n"
       "%y = Broadcast(%x, %i)",
     0},
    {X "[1,?]}\n%b = Parameter {element_type = f32, shape = [?,?]}\n%i = ShapeOf(%b)\n"
       "%y = Broadcast(%x, %i)",
     0},
    {X "[...]}\n%b = Parameter {element_type = f32, shape = [?,?]}\n%i = ShapeOf(%b)\n"
       "%y = Broadcast(%x, %i)",
     0},
};

/* Indices that are known are compared with their axis; others may lie outside of it. */
static const struct asked of_indices[] = {
    {GATHER("i64[2] [0, 2]"), 1},
    {GATHER("i64[2] [0, 3]"), 0},
    {GATHER("i64[2] [3, 0]"), 0},
    {GATHER("u8[2] [2, 2]"), 1},
    {X "[2,3]}\n" I "[1]}\n%a = Const {value = i64[] [1]}\n%y = Gather(%x, %i, %a)", 0},
    {X "[2,3]}\n%i = Const {value = i64[1] [1]}\n%a = Parameter {element_type = i64, shape = []}\n"
       "%y = Gather(%x, %i, %a)",
     0},
    {X "[2,3]}\n%i = Const {value = i64[1,3] [1, 0, 1]}\n%y = GatherElements(%x, %i) {axis = 0}",
     1},
    {X "[2,3]}\n%i = Const {value = i64[1,3] [1, 2, 1]}\n%y = GatherElements(%x, %i) {axis = 0}",
     0},
    {X "[2,3]}\n%i = Const {value = i64[1,2] [1, 1]}\n%y = GatherND(%x, %i)", 1},
    {X "[2,3]}\n%i = Const {value = i64[1,2] [2, 2]}\n%y = GatherND(%x, %i)", 0},
    {X "[2,3]}\n%i = Const {value = i64[1,2] [0, 3]}\n%y = GatherND(%x, %i)", 0},
};

/* Divisors of integers. */
static const struct asked of_others[] = {
    {I "[2]}\n%y = Divide(%i, %i)", 0},
    {I "[2]}\n%o = Const {value = i64[] [2]}\n%y = Divide(%i, %o)", 1},
    {I "[2]}\n%o = Const {value = i64[] [0]}\n%y = Divide(%i, %o)", 0},
    {X "[2]}\n%y = Divide(%x, %x)", 1},
    {"%y = Const {value = f32[1] [1]}", 1},
};

static void of_nodes(void **state)
{
    (void)state;
    check(of_sizes, sizeof of_sizes / sizeof *of_sizes, never_fails);
    check(of_cuts, sizeof of_cuts / sizeof *of_cuts, never_fails);
    check(of_repeats, sizeof of_repeats / sizeof *of_repeats, never_fails);
    check(of_indices, sizeof of_indices / sizeof *of_indices, never_fails);
    check(of_others, sizeof of_others / sizeof *of_others, never_fails);
}

#define RANGE(START, STOP, STEP)                                                                   \
    "%n = Parameter {element_type = i64, shape = []}\n%m = Parameter {element_type = i32, shape "  \
    "= "                                                                                           \
    "[]}\n%k = Const {value = i64[] [-1]}\n%z = Const {value = i64[] [0]}\n"                       \
    "%s = Const {value = i64[] [1]}\n%y = Range(" START ", " STOP ", " STEP                        \
    ") {output_type = i64}"

static const struct asked of_signs[] = {
    {RANGE("%z", "%n", "%s"), 1},
    {RANGE("%s", "%n", "%s"), 1},
    {RANGE("%k", "%n", "%s"), -1},
    {RANGE("%z", "%n", "%k"), -1},
    {RANGE("%n", "%n", "%s"), -1},
    {RANGE("%z", "%n", "%n"), -1},
    {RANGE("%z", "%m", "%s"), -1}, /* converted */
    {RANGE("%z", "%n", "%s") "\n%r = Const {value = i64[2] [-1, 1]}\n%w = Identity(%y)", 1},
    {I "[2]}\n%y = Abs(%i)", -1},
    {I "[2]}\n%b = Const {value = i64[2] [2, 1]}\n%y = Reshape(%i, %b) {special_zero = false}", -1},
    {"%i = Parameter {element_type = u16, shape = [2]}\n%b = Const {value = i64[2] [2, 1]}\n"
     "%y = Reshape(%i, %b) {special_zero = false}",
     1},
    {"%y = Const {value = i64[2] [0, 3]}", 1},
    {"%y = Const {value = i64[2] [0, -1]}", 0},
    {X "[?,?]}\n%y = ShapeOf(%x)", 1},
    {X "[?,?]}\n%y = NonZero(%x)", 1},
    {X "[?,?]}\n%s = NonZero(%x)\n%o = Const {value = i64[2] [1, 0]}\n%y = Transpose(%s, %o)", 1},
};

static void of_values(void **state)
{
    (void)state;
    check(of_signs, sizeof of_signs / sizeof *of_signs, never_negative);
}

/* The number of an iteration is none that is negative; what else a body is given may be. */
static void of_iterations(void **state)
{
    static const char body[] =
        "%%n = Parameter {element_type = i64, shape = []}\n"
        "%%go = Const {value = boolean[] [true]}\n"
        "%%y = Loop-5(%%n, %%go, %%n, %%n)\n  body \"b\" {\n"
        "    %%a = Parameter {element_type = i64, shape = []}\n"
        "    %%b = Parameter {element_type = i64, shape = []}\n"
        "    %%c = Parameter {element_type = i64, shape = []}\n"
        "    %%s = Add(%%a, %%b)\n    %%t = Add(%%s, %%c)\n"
        "    %%more = Const {value = boolean[] [true]}\n"
        "    %%out = Result(%%t)\n    %%again = Result(%%more)\n  }\n"
        "  in %s\n  in %s\n  in %s\n"
        "  out %%out -> 0\n  out %%again -> none condition\n%%out = Result(%%y)";
    char text[1200];

    (void)state;
    for (int at = 0; at < 3; at++) {
        inlay_graph *g;
        const inlay_graph *b;

        snprintf(text, sizeof text, body, at == 0 ? "none -> %a iteration" : "2 -> %a",
                 at == 1 ? "none -> %b iteration" : "3 -> %b",
                 at == 2 ? "none -> %c iteration" : "3 -> %c");
        g = graph_of(text);
        b = inlay_node_input(g->results[0], 0)->node->bodies[0].graph;
        for (int i = 0; i < 3; i++)
            assert_int_equal(index_never_negative(&b->params[i]->out[0]), i == at ? 1 : -1);
        assert_int_equal(index_never_negative(&g->params[0]->out[0]), -1);
        assert_false(query_never_fails(inlay_node_input(g->results[0], 0)->node));
        inlay_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_nodes), cmocka_unit_test(of_values),
                                       cmocka_unit_test(of_iterations)};

    return cmocka_run_group_tests_name("lost", tests, NULL, NULL);
}
