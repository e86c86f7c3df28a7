/* The verifier gives every message about a node, and finds every break of the structure, which only
 * a faulty pass could make: here the breaks are made by hand. */
#include "ir/shared.h"
#include "tests/unit/models.h"
#include "tests/unit/texts.h"
#include "unit.h"

#define INTS(NAME, N) "%" NAME " = Const {value = i64[1] [" N "]}\n"
#define F32(NAME, SHAPE) "%" NAME " = Parameter {element_type = f32, shape = " SHAPE "}\n"
#define F16(NAME, SHAPE) "%" NAME " = Parameter {element_type = f16, shape = " SHAPE "}\n"

static void a_node_against_its_row(void **state)
{
    static const struct {
        const char *nodes, *said;
    } cases[] = {
        {F32("data", "[4]") F16("updates", "[2]")
             INTS("i", "1") "%set = SliceScatter(%data, %updates, %i, %i, %i)",
         "5: error: node \"set\" (SliceScatter-15): input 1 \"updates\" has type f16, it must be "
         "f32 like input 0 \"data\""},
        {F32("data", "[4]") INTS("i", "1") "%set = SliceScatter(%data, %data, %i, %data, %i)",
         "4: error: node \"set\" (SliceScatter-15): input 3 \"stop\" has type f32, it must be i64 "
         "like input 2 \"start\""},
        {F32("data", "[4]") "%set = SliceScatter(%data, %data, %data)",
         "3: error: node \"set\" (SliceScatter-15): has 3 inputs, it must have 5 or 6"},
        {F32("data", "[4]") INTS("i", "1") "%set = SliceScatter(%data, none, %i, %i, %i)",
         "4: error: node \"set\" (SliceScatter-15): input 1 \"updates\" is missing"},
        {F32("a", "[4]") "%c = GatherElements(%a, %a) {axis = 0}",
         "3: error: node \"c\" (GatherElements-6): input 1 \"indices\" has type f32, it must be "
         "i32 "
         "or i64"},
        {F32("a", "[4]") "%c = GatherElements(%a, %a)",
         "3: error: node \"c\" (GatherElements-6): attribute \"axis\" is missing"},
        {F32("a", "[4]") "%c = LogicalNot(%a)",
         "3: error: node \"c\" (LogicalNot-1): input 0 \"x\" has type f32, it must be boolean"},
        {"%a = Const {value = string[1] [\"x\"]}\n%c = Add(%a, %a)",
         "3: error: node \"c\" (Add-1): input 0 \"a\" has type string, it must be integer or "
         "float"},
        {"%a = Const {value = string[1] [\"x\"]}\n%c = BitwiseNot(%a)",
         "3: error: node \"c\" (BitwiseNot-13): input 0 \"x\" has type string, it must be an "
         "integer "
         "type or boolean"},
        {"%a = Const {value = string[1] [\"x\"]}\n%c = Equal(%a, %a)\n%d = Sigmoid(%a)",
         "4: error: node \"d\" (Sigmoid-1): input 0 \"x\" has type string, it must be integer or "
         "float"},
        {"%c = Concat() {axis = 0}",
         "2: error: node \"c\" (Concat-1): has 0 inputs, it must have at least 1"},
        {F32("a", "[4]") "%c = Result(%a, %a)",
         "3: error: node \"c\" (Result-1): has 2 inputs, it must have 1"},
        {F32("a", "[4]") "%c:2 = ReLU(%a)",
         "3: error: node \"c\" (ReLU-1): has 2 outputs, it must have 1"},
        {F32("a", "[4]") "%i = Const {value = i64[] 0}\n%c:3 = Split(%a, %i) {num_splits = 2}",
         "4: error: node \"c\" (Split-1): has 3 outputs, it must have 2"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[600];

        snprintf(text, sizeof text, "graph \"g\" {\n%s }", cases[i].nodes);
        assert_string_equal(text_refusal(text), cases[i].said);
    }
}

static void an_attribute_that_is_none_of_its_names(void **state)
{
    inlay_graph *g = graph_of_text("graph \"g\" {\n" F32("a", "[4]") "%c = Add(%a, %a) "
                                                                     "{auto_broadcast = none} }");
    inlay_node *n = inlay_graph_node(g, "c");
    inlay_diags *d = inlay_diags_new();

    n->attrs[inlay_op_attr(n->op, "auto_broadcast")].as.s = "weird";
    assert_false(inlay_check_node(n, d));
    assert_string_equal(model_messages(d), "3: error: node \"c\" (Add-1): attribute "
                                           "\"auto_broadcast\" is \"weird\", which is not one of "
                                           "its names");
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static const char sound[] = "graph \"g\" {\n"
                            "%a = Parameter {element_type = f32, shape = [2,?]}\n"
                            "%b = ReLU(%a)\n"
                            "%c = Add(%b, %a)\n"
                            "%r = Result(%c)\n"
                            "%q = Result(%b)\n"
                            "}\n";

typedef void break_fn(inlay_graph *g);

/* Checks that a sound graph, broken by BREAK_IT, is refused with SAID. */
static void check_broken(const char *text, break_fn *break_it, const char *said)
{
    inlay_graph *g = graph_of_text(text);
    inlay_diags *d = inlay_diags_new();

    if (!inlay_check_graph(g, d))
        fail_msg("refused before it was broken: %s", model_messages(d));
    break_it(g);
    assert_false(inlay_check_graph(g, d));
    assert_string_equal(model_messages(d), said);
    assert_int_equal(inlay_diags_status(d), INLAY_INVALID);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static inlay_node *node(inlay_graph *g, const char *name)
{
    return inlay_graph_node(g, name);
}

static void same_id(inlay_graph *g)
{
    node(g, "c")->id = node(g, "b")->id;
}
static void id_too_big(inlay_graph *g)
{
    node(g, "c")->id = g->next_id;
}
static void too_few_nodes(inlay_graph *g)
{
    g->n_nodes++;
}
static void too_many_nodes(inlay_graph *g)
{
    g->n_nodes--;
}
static void no_way_back(inlay_graph *g)
{
    node(g, "c")->prev = NULL;
}
static void another_name(inlay_graph *g)
{
    node(g, "c")->name = "b";
}
static void another_graph(inlay_graph *g)
{
    static inlay_graph other;

    node(g, "c")->graph = &other;
}
static void wrong_place_of_input(inlay_graph *g)
{
    node(g, "c")->in[1].index = 0;
}
static void wrong_place_of_output(inlay_graph *g)
{
    node(g, "c")->out[0].index = 3;
}
static void unlinked_use(inlay_graph *g)
{
    node(g, "c")->in[0].link = NULL;
}
static void forgotten_use(inlay_graph *g)
{
    inlay_use *u = &node(g, "r")->in[0];

    u->value->uses = NULL;
}
static void foreign_use(inlay_graph *g)
{
    node(g, "c")->out[0].uses->value = &node(g, "b")->out[0];
}
static void endless_uses(inlay_graph *g)
{
    inlay_use *u = node(g, "c")->out[0].uses;

    u->next = u;
}
static void lost_parameter(inlay_graph *g)
{
    g->n_params = 0;
}
static void swapped_results(inlay_graph *g)
{
    inlay_node *first = g->results[0];

    g->results[0] = g->results[1];
    g->results[1] = first;
}
static void wrong_results(inlay_graph *g)
{
    node(g, "c")->out[0].n_results = 0;
}
static void impossible_rank(inlay_graph *g)
{
    node(g, "c")->out[0].fact.rank = 99;
}
static void impossible_dim(inlay_graph *g)
{
    ((inlay_dim *)node(g, "c")->out[0].fact.dims)[0].lo = 5;
}
static void note_without_target(inlay_graph *g)
{
    node(g, "c")->out[0].note = INLAY_OVERWRITES;
}
static void lost_order_edge(inlay_graph *g)
{
    static inlay_node stray;

    assert_true(inlay_graph_add_order_edge(g, node(g, "a"), node(g, "c"), NULL));
    g->order_edges[0].before = &stray;
}
static void cycle(inlay_graph *g)
{
    assert_true(inlay_node_set_input(node(g, "b"), 0, &node(g, "c")->out[0], NULL));
}
static void ordered_cycle(inlay_graph *g)
{
    assert_true(inlay_graph_add_order_edge(g, node(g, "c"), node(g, "b"), NULL));
}
static void claims_too_much(inlay_graph *g)
{
    inlay_dim dims[2] = {inlay_dim_of(2), inlay_dim_of(7)};

    assert_true(inlay_value_set_fact(&node(g, "c")->out[0], INLAY_F32, 2, dims, NULL));
}
static void another_type(inlay_graph *g)
{
    node(g, "c")->out[0].fact.type = INLAY_I32;
}

static void a_broken_graph(void **state)
{
    static const struct {
        break_fn *break_it;
        const char *said;
    } cases[] = {
        {same_id, "4: error: node \"c\" (Add-1): the graph is broken: its id is not its own"},
        {id_too_big, "4: error: node \"c\" (Add-1): the graph is broken: its id is not its own"},
        {too_few_nodes, "error: graph \"g\" is broken: it has fewer nodes than it counts"},
        {too_many_nodes, "error: graph \"g\" is broken: it has more nodes than it counts"},
        {no_way_back,
         "4: error: node \"c\" (Add-1): the graph is broken: the list of nodes does not lead back"},
        {another_name,
         "4: error: node \"b\" (Add-1): the graph is broken: its name leads to another node"},
        {another_graph, "error: graph \"g\" is broken: its list holds a node of another graph"},
        {wrong_place_of_input,
         "4: error: node \"c\" (Add-1): the graph is broken: an input does not know its place"},
        {wrong_place_of_output,
         "5: error: node \"r\" (Result-1): input 0 is a value of a node that is not in the graph"},
        {unlinked_use, "4: error: node \"c\" (Add-1): the graph is broken: an input is not among "
                       "the uses of its value"},
        {forgotten_use, "5: error: node \"r\" (Result-1): the graph is broken: an input is not "
                        "among the uses of its value"},
        {foreign_use, "4: error: node \"c\" (Add-1): the graph is broken: an output has uses that "
                      "are no inputs"},
        {endless_uses, "4: error: node \"c\" (Add-1): the graph is broken: an output has uses that "
                       "are no inputs"},
        {lost_parameter, "2: error: node \"a\" (Parameter-1): the graph is broken: the list of "
                         "inputs does not hold its Parameters in order"},
        {swapped_results, "5: error: node \"r\" (Result-1): the graph is broken: the list of "
                          "outputs does not hold its Results in order"},
        {wrong_results, "4: error: node \"c\" (Add-1): the graph is broken: an output does not "
                        "know how many Results read it"},
        {impossible_rank,
         "4: error: node \"c\" (Add-1): the graph is broken: an output has an impossible rank"},
        {impossible_dim, "4: error: node \"c\" (Add-1): the graph is broken: an output has an "
                         "impossible dimension"},
        {note_without_target, "4: error: node \"c\" (Add-1): the graph is broken: a storage note "
                              "has no target in this graph"},
        {lost_order_edge,
         "error: graph \"g\" is broken: an order edge leads to a node that is not in it"},
        {cycle, "4: error: node \"c\" (Add-1): the node depends on itself (a cycle)"},
        {ordered_cycle, "4: error: node \"c\" (Add-1): the node depends on itself (a cycle)"},
        {claims_too_much, "4: error: node \"c\" (Add-1): output 0 is recorded as f32[2,7], "
                          "inference gives f32[2,?]"},
        {another_type, "4: error: node \"c\" (Add-1): output 0 is recorded as i32[2,?], inference "
                       "gives f32[2,?]"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_broken(sound, cases[i].break_it, cases[i].said);
}

static void a_value_of_another_graph_is_no_input(void **state)
{
    inlay_graph *g = graph_of_text(sound), *other = graph_of_text(sound);
    inlay_diags *d = inlay_diags_new();
    inlay_use *u = &node(g, "q")->in[0];

    u->value = &node(other, "b")->out[0];
    assert_false(inlay_check_graph(g, d));
    assert_string_equal(model_messages(d),
                        "6: error: node \"q\" (Result-1): input 0 is a value of another graph");
    u->value = &node(g, "b")->out[0];
    inlay_diags_free(d);
    inlay_graph_free(g);
    inlay_graph_free(other);
}

static void what_is_known_less_precisely_is_no_error(void **state)
{
    inlay_graph *g = graph_of_text(sound);

    assert_true(inlay_value_set_fact(&node(g, "r")->in[0].value->node->out[0], INLAY_DYNAMIC, -1,
                                     NULL, NULL));
    assert_true(inlay_check_graph(g, NULL));
    inlay_graph_free(g);
}

static const char loop[] = "graph \"g\" {\n"
                           "%x = Parameter {element_type = f32, shape = [2]}\n"
                           "%t = Const {value = i64[] 3}\n"
                           "%c = Const {value = boolean[] true}\n"
                           "%l = Loop(%t, %c, %x) : f32[2]\n"
                           "body \"b\" {\n"
                           "%p = Parameter {element_type = f32, shape = [2]}\n"
                           "%q = Const {value = boolean[] true}\n"
                           "%rp = Result(%p)\n"
                           "%rq = Result(%q)\n"
                           "}\n"
                           "in 2 -> %p\n"
                           "out %rp -> 0\n"
                           "out %rq -> none condition\n"
                           "back %rp -> %p\n"
                           "%r = Result(%l)\n"
                           "}\n";

static void input_to_nowhere(inlay_graph *g)
{
    node(g, "l")->bodies[0].in[0].inner = 1;
}
static void output_to_nowhere(inlay_graph *g)
{
    node(g, "l")->bodies[0].out[1].outer = 1;
}
static void back_to_nowhere(inlay_graph *g)
{
    node(g, "l")->bodies[0].back[0].from = -1;
}
static void body_of_another(inlay_graph *g)
{
    node(g, "l")->bodies[0].graph->owner = node(g, "x");
}
static void no_body(inlay_graph *g)
{
    node(g, "l")->n_bodies = 0;
}
static void broken_body(inlay_graph *g)
{
    node(g, "l")->bodies[0].graph->n_nodes++;
}

static void a_broken_body(void **state)
{
    check_broken(loop, input_to_nowhere,
                 "5: error: node \"l\" (Loop-5): entry 0 of the input "
                 "ports of its body leads nowhere");
    check_broken(loop, output_to_nowhere,
                 "5: error: node \"l\" (Loop-5): entry 1 of the output "
                 "ports of its body leads nowhere");
    check_broken(loop, back_to_nowhere,
                 "5: error: node \"l\" (Loop-5): back edge 0 of its body leads nowhere");
    check_broken(loop, body_of_another,
                 "5: error: node \"l\" (Loop-5): the graph is broken: a body is not its own");
    check_broken(loop, no_body, "5: error: node \"l\" (Loop-5): the body is missing");
    check_broken(loop, broken_body,
                 "error: graph \"b\" is broken: it has fewer nodes than it counts");
}

static void a_variable_is_assigned_once(void **state)
{
    inlay_graph *g = graph_of_text("graph \"g\" {\n"
                                   "%x = Parameter {element_type = f32, shape = [2]}\n"
                                   "%v = ReadValue(%x) {variable_id = \"s\", variable_type = f32, "
                                   "variable_shape = [2]}\n"
                                   "%a = Assign(%v) {variable_id = \"s\"}\n"
                                   "%b = Assign(%x) {variable_id = \"t\"}\n"
                                   "}\n");
    inlay_diags *d = inlay_diags_new();

    assert_true(inlay_node_set_string(node(g, "b"), "variable_id", "s", d));
    assert_false(inlay_check_graph(g, d));
    assert_string_equal(model_messages(d), "5: error: node \"b\" (Assign-6): variable \"s\" is "
                                           "assigned twice, first by node \"a\"");
    inlay_diags_clear(d);
    assert_true(inlay_node_remove(node(g, "b"), d));
    assert_true(inlay_check_graph(g, d));
    g->n_variables = 0;
    assert_false(inlay_check_graph(g, d));
    assert_string_equal(model_messages(d), "3: error: node \"v\" (ReadValue-6): the graph is "
                                           "broken: variable \"s\" is not in it");
    inlay_diags_free(d);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_against_its_row),
        cmocka_unit_test(an_attribute_that_is_none_of_its_names),
        cmocka_unit_test(a_broken_graph),
        cmocka_unit_test(a_value_of_another_graph_is_no_input),
        cmocka_unit_test(what_is_known_less_precisely_is_no_error),
        cmocka_unit_test(a_broken_body),
        cmocka_unit_test(a_variable_is_assigned_once),
    };

    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
