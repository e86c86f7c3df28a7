/* Structural comparison, each difference with its words, and clones. */
#include "tests/unit/texts.h"
#include "unit.h"

static const char model[] =
    "graph \"g\" {\n"
    "  ir_version 10\n"
    "  variable \"s\" : f32[2,?]\n"
    "  %a = Parameter-1 {element_type = f32, shape = [2,?]} : f32[2,?#1] as \"in\"\n"
    "  %k = Const-1 {value = f32[2,1] [1, nan]}\n"
    "  %sum = Add-1(%a, %k) : f32[2,?#1]\n"
    "  %elu = Elu-1(%sum) {alpha = 0.5} : f32[2,?#1] overwrites %sum\n"
    "  %set = Assign-6(%elu) {variable_id = \"s\"} : f32[2,?#1]\n"
    "  %odd:2 = ?Odd@extension(%a, none, %set) {k = \"v\"} : f32[3], i64[]\n"
    "  %r = Result-1(%odd:1)\n"
    "  %q = Result-1(%elu)\n"
    "  order %sum before %set\n"
    "}\n";

/* Returns MODEL with the first OLD replaced by BY. */
static char *edited(const char *old, const char *by)
{
    const char *at = strstr(model, old);
    char *text = malloc(sizeof model + strlen(by));

    assert_non_null(at);
    sprintf(text, "%.*s%s%s", (int)(at - model), model, by, at + strlen(old));
    return text;
}

static void check_difference(const char *old, const char *by, const char *expected)
{
    inlay_graph *a = graph_of_text(model), *b;
    char *text = edited(old, by), why[300] = "";

    b = graph_of_text(text);
    assert_int_equal(inlay_graph_equal(a, b, why, sizeof why), expected == NULL);
    if (expected)
        assert_string_equal(why, expected);
    assert_int_equal(inlay_graph_equal(b, a, NULL, 0), expected == NULL);
    inlay_graph_free(a);
    inlay_graph_free(b);
    free(text);
}

static void what_does_not_count(void **state)
{
    check_difference("\"g\"", "\"other\"", NULL);
    check_difference("ir_version 10", "ir_version 11", NULL);
    check_difference("Add-1(", "Add-1@opset7(", NULL);
    check_difference("Add-1(%a, %k)", "Add-1(%a, %k) {auto_broadcast = numpy}", NULL);
    check_difference(" overwrites %sum", " rt_info { x }", NULL);
    check_difference("  order %sum before %set\n", "", NULL);
    check_difference("Add-1(%a, %k) : f32[2,?#1]", "Add-1(%a, %k) : f32[2,?#1] as \"inside\"",
                     NULL);
}

static void what_does(void **state)
{
    check_difference("Elu-1(%sum) {alpha = 0.5}", "ReLU-1(%sum)",
                     "node \"elu\" is Elu-1, \"elu\" is ReLU-1");
    check_difference("Odd@extension", "Odd@experimental",
                     "node \"odd\" is Odd of extension, \"odd\" is Odd of experimental");
    check_difference("alpha = 0.5", "alpha = -0.5",
                     "node \"elu\" differs from \"elu\" in attribute \"alpha\"");
    check_difference("[1, nan]", "[1, 0x7fc00001]",
                     "node \"k\" differs from \"k\" in attribute \"value\"");
    check_difference("{k = \"v\"}", "{k = \"w\"}",
                     "node \"odd\" differs from \"odd\" in its "
                     "attributes");
    check_difference("{k = \"v\"}", "", "node \"odd\" differs from \"odd\" in its attributes");
    check_difference("Assign-6(%elu)", "Assign-6(%a)",
                     "node \"elu\" is Elu-1, \"set\" is Assign-6");
    check_difference("(%a, none, %set)", "(%a, %a, %set)",
                     "input 1 of node \"odd\" is absent, of \"odd\" it is connected");
    check_difference("Add-1(%a, %k)", "Add-1(%a, %a)", "node \"k\" is Const-1, \"sum\" is Add-1");
    check_difference("f32[3], i64[]", "f32[?], i64[]",
                     "output 0 of node \"odd\" is f32[3], of \"odd\" it is f32[?]");
    check_difference("%r = Result-1(%odd:1)", "%r = Result-1(%odd:0)",
                     "input 0 of node \"r\" comes from \"odd\", of \"r\" from \"odd\"");
    check_difference("as \"in\"", "as \"into\"",
                     "the names of input \"a\" differ from those of \"a\"");
    check_difference("f32[2,?#1] overwrites", "f32[2,?#1] as \"out\" overwrites",
                     "the names of the output at \"q\" differ from those at \"q\"");
    check_difference("variable \"s\" : f32[2,?]", "variable \"s\" : f32[2,..4]",
                     "variable \"s\" differs from \"s\"");
    check_difference("variable \"s\" : f32[2,?]", "variable \"t\" : f32[2,?]",
                     "the number of variables is 1 in the first graph, 2 in the second");
    check_difference("variable_id = \"s\"", "variable_id = \"t\"",
                     "node \"set\" differs from \"set\" in attribute \"variable_id\"");
    check_difference("  order", "  %more = ReLU(%a)\n  order",
                     "the number of nodes is 8 in the first graph, 9 in the second");
}

static const char branches[] =
    "graph \"g\" {\n"
    "  %c = Parameter-1 {element_type = boolean, shape = []} : boolean[]\n"
    "  %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2]\n"
    "  %if = If-8(%c, %x) : f32[2]\n"
    "    then_body \"t\" {\n"
    "      %a = Parameter-1 {element_type = f32, shape = [2]} : f32[2]\n"
    "      %n = ReLU-1(%a) : f32[2]\n"
    "      %r = Result-1(%n)\n"
    "    }\n"
    "    in 1 -> %a\n"
    "    out %r -> 0\n"
    "    else_body \"e\" {\n"
    "      %a = Parameter-1 {element_type = f32, shape = [2]} : f32[2]\n"
    "      %r = Result-1(%a)\n"
    "    }\n"
    "    in 1 -> %a\n"
    "    out %r -> 0\n"
    "  %y = Result-1(%if)\n"
    "}\n";

static void bodies_count(void **state)
{
    inlay_graph *a = graph_of_text(branches), *b = inlay_graph_clone(a, NULL);
    inlay_graph *then_b = inlay_graph_node(b, "if")->bodies[0].graph;
    char why[300] = "";

    check_round_trip(b, branches);
    assert_true(inlay_graph_equal(a, b, why, sizeof why));
    assert_true(inlay_value_replace(&inlay_graph_node(then_b, "n")->out[0],
                                    &inlay_graph_node(then_b, "a")->out[0], NULL));
    assert_false(inlay_graph_equal(a, b, why, sizeof why));
    assert_string_equal(why, "node \"n\" is ReLU-1, \"r\" is Result-1");
    inlay_graph_node(b, "if")->bodies[0].in[0].outer = 0;
    assert_false(inlay_graph_equal(a, b, why, sizeof why));
    assert_string_equal(why, "the port maps of node \"if\" differ from those of \"if\"");
    inlay_graph_free(a);
    inlay_graph_free(b);
}

static void a_clone_stands_alone(void **state)
{
    inlay_graph *a = graph_of_text(model), *b = inlay_graph_clone(a, NULL);
    char *before = text_of_graph(a, true), *after;

    assert_non_null(b);
    inlay_graph_free(a);
    assert_true(inlay_check_graph(b, NULL));
    after = text_of_graph(b, true);
    assert_string_equal(after, before);
    assert_string_equal(b->file, "test.inlay");
    assert_int_equal(inlay_graph_node(b, "sum")->line, 6);
    free(before);
    free(after);
    inlay_graph_free(b);
}

static void a_body_is_cloned_as_a_graph(void **state)
{
    inlay_graph *a = graph_of_text(branches);
    inlay_graph *b = inlay_graph_clone(inlay_graph_node(a, "if")->bodies[1].graph, NULL);

    inlay_graph_free(a);
    check_round_trip(b, "graph \"e\" {\n"
                        "  %a = Parameter-1 {element_type = f32, shape = [2]} : f32[2]\n"
                        "  %r = Result-1(%a)\n"
                        "}\n");
    inlay_graph_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_count),
        cmocka_unit_test(what_does),
        cmocka_unit_test(bodies_count),
        cmocka_unit_test(a_clone_stands_alone),
        cmocka_unit_test(a_body_is_cloned_as_a_graph),
    };

    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
