/* A graph keeps two things between edits: its canonical order, and which nodes are settled. */
#include "ir/shared.h"
#include "passes/passes.h"
#include "tests/unit/graphs.h"
#include "unit.h"

/* Returns the names of G's nodes in canonical order; those that nothing reaches stand behind a
 * bar. */
static const char *order_of(const inlay_graph *g)
{
    static char text[200];
    inlay_order_list live, all;

    assert_true(inlay_order(g, false, &live, NULL));
    assert_true(inlay_order(g, true, &all, NULL));
    assert_memory_equal(live.nodes, all.nodes, live.n * sizeof *live.nodes);
    text[0] = '\0';
    for (size_t i = 0; i < all.n; i++) {
        strcat(text, i == live.n ? " | " : i > 0 ? " " : "");
        strcat(text, all.nodes[i]->name);
    }
    inlay_order_free(&live);
    inlay_order_free(&all);
    return text;
}

static inlay_node *node(const inlay_graph *g, const char *name)
{
    inlay_node *n = inlay_graph_node(g, name);

    assert_non_null(n);
    return n;
}

#define CHAIN                                                                                      \
    "%x = Parameter {element_type = f32, shape = [2,3]}\n%a = Relu(%x)\n%b = Abs(%a)\n"            \
    "%c = Exp(%x)\n%r = Result(%b)\n"

/* After each kind of edit the order is that of the graph as it is now. */
static void test_order_follows_edits(void **state)
{
    inlay_graph *g = graph_of(CHAIN);
    inlay_node *made;

    assert_string_equal(order_of(g), "x a b r | c");
    assert_string_equal(order_of(g), "x a b r | c");
    assert_true(inlay_node_set_input(node(g, "b"), 0, &node(g, "c")->out[0], NULL));
    assert_string_equal(order_of(g), "x c b r | a");
    assert_true(inlay_value_replace(&node(g, "c")->out[0], &node(g, "a")->out[0], NULL));
    assert_string_equal(order_of(g), "x a b r | c");
    assert_true(inlay_node_remove(node(g, "c"), NULL));
    assert_string_equal(order_of(g), "x a b r");
    made = inlay_build(g, "d", "Sin", (inlay_value *[]){&node(g, "x")->out[0]}, 1, NULL, NULL);
    assert_non_null(made);
    assert_string_equal(order_of(g), "x a b r | d");
    assert_non_null(inlay_build_result(g, "s", &made->out[0], NULL));
    assert_string_equal(order_of(g), "x a b r d s");
    inlay_graph_free(g);
}

/* Order edges lead to another order, which is gone when the edges are. */
static void test_order_edges(void **state)
{
    inlay_graph *g = graph_of("%x = Parameter {element_type = f32, shape = [2]}\n%a = Relu(%x)\n"
                              "%b = Abs(%x)\n%c = Add(%a, %b)\n%r = Result(%c)\n");

    assert_string_equal(order_of(g), "x a b c r");
    assert_true(inlay_graph_add_order_edge(g, node(g, "b"), node(g, "a"), NULL));
    assert_string_equal(order_of(g), "x b a c r");
    inlay_graph_drop_notes(g);
    assert_string_equal(order_of(g), "x a b c r");
    inlay_graph_free(g);
}

/* An Assign in the body of an If makes the If a root: an edit of a body is an edit of all graphs
 * around it. */
static void test_order_sees_bodies(void **state)
{
    inlay_graph *g =
        graph_of("%c = Parameter {element_type = boolean, shape = []}\n"
                 "%x = Parameter {element_type = f32, shape = [2]}\n"
                 "%i = If(%c, %x)\n  then_body \"t\" {\n"
                 "    %p = Parameter {element_type = f32, shape = [2]}\n    %o = Result(%p)\n  }\n"
                 "  in 1 -> %p\n  out %o -> 0\n  else_body \"e\" {\n"
                 "    %q = Parameter {element_type = f32, shape = [2]}\n    %u = Result(%q)\n  }\n"
                 "  in 1 -> %q\n  out %u -> 0\n"
                 "%y = Relu(%x)\n%r = Result(%y)\n");
    inlay_graph *body = node(g, "i")->bodies[0].graph;

    assert_string_equal(order_of(g), "c x y r | i");
    assert_non_null(inlay_build(body, "w", "Assign", (inlay_value *[]){&body->params[0]->out[0]}, 1,
                                "variable_id=v", NULL));
    assert_string_equal(order_of(g), "c x i y r");
    inlay_graph_free(g);
}

static bool is_settled(const inlay_graph *g, const char *name)
{
    return node(g, name)->settled;
}

static uint64_t infer(inlay_graph *g)
{
    const inlay_pass_options o = {.passes = "infer-shapes"};
    uint64_t before = inlay_steps(g);

    assert_true(inlay_run_passes(g, &o, NULL));
    return inlay_steps(g) - before;
}

/* Nothing is inferred again where nothing changed, and only what depends on a change where
 * something did. */
static void test_settled(void **state)
{
    inlay_graph *g = graph_of("%x = Parameter {element_type = f32, shape = [2,3]}\n"
                              "%a = Relu(%x)\n%s = Parameter {element_type = f32, shape = [2]}\n"
                              "%b = Abs(%s)\n%r = Result(%a)\n%q = Result(%b)\n");
    uint64_t steps;
    inlay_shape wide = {.rank = 1, .dim = {inlay_dim_of(5)}};

    assert_true(is_settled(g, "a") && is_settled(g, "b"));
    steps = infer(g); /* of the order, of two inputs, of two outputs with their operands */
    assert_int_equal(steps, g->n_nodes + 2 + 2 * 2);
    assert_true(inlay_node_set_shape(node(g, "s"), "shape", &wide, NULL));
    infer(g);
    assert_true(is_settled(g, "a") && is_settled(g, "b"));
    assert_int_equal(node(g, "b")->out[0].fact.dims[0].lo, 5);
    assert_true(inlay_value_replace(&node(g, "x")->out[0], &node(g, "s")->out[0], NULL));
    assert_true(!is_settled(g, "a") && is_settled(g, "b"));
    infer(g);
    assert_int_equal(node(g, "a")->out[0].fact.rank, 1);
    inlay_graph_free(g);
}

/* Facts that a pass does not infer at once are inferred by the next pass that asks. */
static void test_attribute_unsettles(void **state)
{
    inlay_graph *g = graph_of("%x = Parameter {element_type = f32, shape = [2,3]}\n"
                              "%a = Concat(%x, %x) {axis = 0}\n%b = Abs(%a)\n%r = Result(%b)\n");

    assert_true(inlay_node_set_int(node(g, "a"), "axis", 1, NULL));
    assert_false(is_settled(g, "a"));
    infer(g);
    assert_int_equal(node(g, "b")->out[0].fact.dims[0].lo, 2);
    assert_int_equal(node(g, "b")->out[0].fact.dims[1].lo, 6);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_follows_edits), cmocka_unit_test(test_order_edges),
        cmocka_unit_test(test_order_sees_bodies),   cmocka_unit_test(test_settled),
        cmocka_unit_test(test_attribute_unsettles),
    };

    return cmocka_run_group_tests_name("kept", tests, NULL, NULL);
}
