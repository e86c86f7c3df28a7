/* What the OpenVINO reader says of bodies and port maps, and what the writer cannot write. Expected
 * values come from the format's description. */
#include "ir/shared.h"
#include "tests/unit/models.h"
#include "tests/unit/texts.h"
#include "unit.h"

#include <limits.h>

/* Line 3 has the Parameter; line 4 the layer; line 5 its port map, its back edges and its body;
 * line 6 the body's layers, all in one line. */
#define LAYER(id, name, type, rest)                                                                \
    "<layer id=\"" id "\" name=\"" name "\" type=\"" type "\" version=\"opset1\">" rest "</layer>"
#define IN0 "<input><port id=\"0\"/></input>"
#define OUT(id) "<output><port id=\"" id "\" precision=\"FP32\"><dim>2</dim></port></output>"
#define PARAM LAYER("0", "x", "Parameter", "<data element_type=\"f32\" shape=\"2\"/>" OUT("0"))
#define BODY                                                                                       \
    "<body><layers>\n" PARAM LAYER("1", "r", "ReLU", IN0 OUT("1"))                                 \
        LAYER("2", "q", "Result", IN0) "</layers><edges>" EDGE("0", "0", "1", "0")                 \
            EDGE("1", "1", "2", "0") "</edges></body>"
#define EDGE(a, p, b, q)                                                                           \
    "<edge from-layer=\"" a "\" from-port=\"" p "\" to-layer=\"" b "\" to-port=\"" q "\"/>"
#define OUTER(ports, rest)                                                                         \
    "<net name=\"m\" version=\"11\">\n<layers>\n" PARAM "\n"                                       \
    "<layer id=\"1\" name=\"ti\" type=\"TensorIterator\" version=\"opset1\">" IN0 ports "\n" rest  \
    "\n</layer>\n" LAYER("9", "y", "Result", IN0) "</layers>\n<edges>" EDGE("0", "0", "1", "0")    \
        EDGE("1", "1", "9", "0") "</edges>\n</net>\n"
#define MAP(entries) "<port_map>" entries "</port_map>"
#define TI(entries, rest) OUTER(OUT("1"), MAP(entries) rest)
#define ENTRY(tag, outer, inner)                                                                   \
    "<" tag " external_port_id=\"" outer "\" internal_layer_id=\"" inner "\"/>"
#define GOOD_IN ENTRY("input", "0", "0")
#define GOOD_OUT ENTRY("output", "1", "2")
#define BACK(from, to)                                                                             \
    "<back_edges><edge from-layer=\"" from "\" to-layer=\"" to "\"/></back_edges>"
#define AT "error: layer 1 \"ti\" (TensorIterator"
#define EIGHT "<dim>1</dim><dim>1</dim><dim>1</dim><dim>1</dim><dim>1</dim><dim>1</dim><dim>1</dim>"

static void test_bodies(void **state)
{
    static const struct {
        const char *xml, *said;
    } list[] = {
        {TI(GOOD_IN GOOD_OUT, BODY), ""},
        {TI(GOOD_IN GOOD_OUT, BODY BODY), "6: " AT "): a second <body>"},
        {TI(GOOD_IN GOOD_OUT, "<body/>"), "5: " AT "): a body has no <layers>"},
        {TI(GOOD_IN GOOD_OUT, ""), "4: " AT "-1): there is no <body>"},
        {OUTER(OUT("1"), "<body><layers/></body>"), "4: " AT "-1): the <body> has no Result"},
        {TI(ENTRY("input", "0", "7") GOOD_OUT, BODY),
         "5: " AT "): layer 7 of the body is no Parameter"},
        {TI(ENTRY("input", "0", "1") GOOD_OUT, BODY),
         "5: " AT "): layer 1 of the body is no Parameter"},
        {TI(GOOD_IN ENTRY("output", "1", "0"), BODY),
         "5: " AT "): layer 0 of the body is no Result"},
        {TI(GOOD_IN GOOD_OUT, BACK("1", "0") BODY), "5: " AT "): layer 1 of the body is no Result"},
        {TI(GOOD_IN GOOD_OUT, BACK("2", "2") BODY),
         "5: " AT "): layer 2 of the body is no Parameter"},
        {TI(GOOD_IN GOOD_IN GOOD_OUT, BODY),
         "5: " AT "): external_port_id 0 occurs twice among the inputs"},
        {TI(ENTRY("input", "3", "0") GOOD_OUT, BODY),
         "5: " AT "): external_port_id 3 is no input of the layer"},
        {TI(GOOD_IN GOOD_OUT GOOD_OUT, BODY),
         "4: " AT "): external_port_id 1 occurs twice among the outputs"},
        {TI(GOOD_IN, BODY), "4: " AT "): the port map has 0 outputs, the layer has 1"},
        {TI(ENTRY("input", "0\" purpose=\"counter", "0") GOOD_OUT, BODY),
         "5: " AT "): <input>: purpose is \"counter\", expected \"current_iteration\""},
        {TI(ENTRY("input", "0\" axis=\"first", "0") GOOD_OUT, BODY),
         "5: " AT "): <input>: axis is \"first\", expected an integer"},
        {TI(ENTRY("input", "one", "0") GOOD_OUT, BODY),
         "5: " AT "): <input>: external_port_id is \"one\", expected a number from -1 to 2^63-1"},
        {OUTER("<output><port id=\"1\" precision=\"FP32\">" EIGHT EIGHT EIGHT EIGHT EIGHT
               "</port></output>",
               ""),
         "4: " AT "): output port 1 has more than 32 dims"},
    };

    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const char *said;
        inlay_graph *g = model_read_xml(list[i].xml, NULL, 0, NULL, &said);

        assert_string_equal(said, list[i].said);
        assert_int_equal(g != NULL, *list[i].said == '\0');
        inlay_graph_free(g);
    }
}

/* The size is looked at before the first byte is. */
static void test_a_document_that_is_too_long(void **state)
{
    inlay_diags *d = inlay_diags_new();

    assert_null(inlay_read_xml("m.xml", "<net/>", (size_t)INT_MAX + 1, NULL, NULL, d));
    assert_string_equal(model_messages(d),
                        "error: the model has 2147483648 bytes, at most 2147483647 are read");
    inlay_diags_free(d);
}

static void test_weights_of_a_stream(void **state)
{
    const char *xml = "<net version=\"11\"><layers>" LAYER(
        "3", "c", "Const",
        "<data element_type=\"f32\" shape=\"2\" offset=\"0\" size=\"8\"/>" OUT("0"))
        LAYER("4", "r", "Result", IN0) "</layers><edges>" EDGE("3", "0", "4", "0") "</edges></net>";
    inlay_diags *d = inlay_diags_new();

    assert_null(inlay_read_xml("<stdin>", xml, strlen(xml), NULL, NULL, d));
    assert_string_equal(model_messages(d), "1: error: layer 3 \"c\" (Const-1): the model has a "
                                           "constant, but no weights were given");
    inlay_diags_free(d);
}

static void check_unwritable(const char *text, const char *said)
{
    inlay_graph *g = graph_of_text(text);

    check_not_written(g, 11, said);
    inlay_graph_free(g);
}

#define G(body) "graph \"g\" {\n" body "}"
#define X "%x = Parameter {element_type = f32, shape = [2]}\n"

static void test_what_is_not_written(void **state)
{
    check_unwritable(G("%x = Parameter {element_type = c64, shape = [2]}\n%r = Result(%x)\n"),
                     "2: error: node \"x\" (Parameter-1): OpenVINO IR has no type c64");
    check_unwritable(G("%x = Const {value = c64[1] [0x0]}\n%r = Result(%x)\n"),
                     "2: error: node \"x\" (Const-1): OpenVINO IR has no constant of type c64");
    check_unwritable(G("%x = Parameter {element_type = f32, shape = [2]} rt_info {\"a b\" {}}\n"
                       "%r = Result(%x)\n"),
                     "2: error: node \"x\" (Parameter-1): \"a b\" is no name that an XML element "
                     "can have");
    check_unwritable(
        G("%x = Parameter {element_type = f32, shape = [2]} rt_info {a(\"1\" = \"\")}\n"
          "%r = Result(%x)\n"),
        "2: error: node \"x\" (Parameter-1): \"1\" is no name that an XML attribute "
        "can have");
    check_unwritable(G("%\"a\\x01\" = Parameter {element_type = f32, shape = [2]}\n"
                       "%r = Result(%\"a\\x01\")\n"),
                     "2: error: node \"a\x01\" (Parameter-1): name holds the byte 0x01, which XML "
                     "cannot hold there");
    check_unwritable("graph \"g\\xff\" {\n" X "%r = Result(%x)\n}",
                     "error: name holds the byte 0xff, which XML cannot hold there");
    check_unwritable(
        G("%x = Parameter {element_type = f32, shape = [2,4]}\n"
          "%l = Const {value = i32[1] [1]}\n"
          "%t:1 = TensorIterator(%x)\nbody \"b\" {\n"
          "%p = Parameter {element_type = f32, shape = [2,4]}\n"
          "%q = Parameter {element_type = f32, shape = [2,4]}\n"
          "%s = Add(%p, %q)\n%o = Result(%s)\n}\nin 0 -> %p axis 0 start 0 end -1 stride 1 "
          "part_size 2\nin 0 -> %q axis 0 start 0 end -1 stride 1 part_size 2\nout %o -> 0\n"
          "%r = Result(%t)\n"),
        "4: error: node \"t\" (TensorIterator-1): input 0 feeds two Parameters of a body, which "
        "OpenVINO IR cannot say");
}

static void test_versions_and_warnings(void **state)
{
    inlay_graph *g = graph_of_text(G("%x = Parameter {element_type = f32, shape = [2]} : f32[2] as "
                                     "\"a\\\\\" \"b\"\n%y = ReLU(%x) : f32[2] overwrites %x\n"
                                     "%r = Result(%y)\n"));
    inlay_strbuf xml, weights;
    const char *said;

    check_not_written(g, 12, "error: OpenVINO IR version 12 cannot be written, only 10 and 11");
    assert_true(model_write_xml(g, 10, &xml, &weights, &said));
    assert_string_equal(
        said, "warning: storage notes are not written: IR version 10 cannot hold them, 11 can "
              "(--ir-version 11)\n2: warning: node \"x\" (Parameter-1): the tensor name \"a\\\" is "
              "left out: the format cannot hold a name that ends in a backslash");
    assert_non_null(strstr(xml.bytes, "names=\"b\""));
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_graph_free(g);
}

/* Only a program can make these graphs. */
static void test_what_a_program_made(void **state)
{
    inlay_graph *g = graph_of_text(G("%c = Parameter {element_type = boolean, shape = []}\n"
                                     "%r = Result(%c)\n"));
    inlay_diags *d = inlay_diags_new();
    inlay_node *n = inlay_node_new(g, inlay_op_find(NULL, "If", NULL, NULL, d), "if", 1, 1, d);
    inlay_meta *meta = inlay_meta_new(g, "deepest", d);
    inlay_node *r;

    assert_true(inlay_node_set_input(n, 0, &inlay_graph_node(g, "c")->out[0], d));
    assert_non_null(r = inlay_build_result(g, "q", &n->out[0], d));
    assert_true(inlay_node_set_bodies(n, 3, d));
    check_not_written(g, 11, "error: node \"if\" (If-8): a layer with 3 bodies cannot be written");
    assert_true(inlay_node_set_bodies(n, 2, d));
    check_not_written(g, 11, "error: node \"if\" (If-8): a body is missing");
    n = inlay_node_new(g, inlay_op_find(NULL, "Const", NULL, NULL, d), "k", 0, 1, d);
    assert_true(inlay_node_set_input(r, 0, &n->out[0], d));
    check_not_written(g, 11,
                      "error: node \"k\" (Const-1): OpenVINO IR has no constant of type dynamic");
    assert_true(inlay_node_remove(r, d));
    for (int i = 0; i < 129; i++) {
        inlay_meta *outer = inlay_meta_new(g, "m", d);

        outer->child = meta;
        meta = outer;
    }
    g->meta = meta;
    check_not_written(g, 11, "error: metadata is nested more than 128 deep");
    inlay_diags_free(d);
    inlay_graph_free(g);
}

/* Lists are split at commas and their pieces trimmed. */
static void test_strings_that_cannot_stand_in_a_list(void **state)
{
    inlay_graph *g = graph_of_text(
        G("%x = Parameter {element_type = f32, shape = [1,2]}\n"
          "%h = Parameter {element_type = f32, shape = [1,3]}\n"
          "%w = Parameter {element_type = f32, shape = [12,2]}\n"
          "%r = Parameter {element_type = f32, shape = [12,3]}\n"
          "%l:2 = LSTMCell(%x, %h, %h, %w, %r) {hidden_size = 3}\n%o = Result(%l:0)\n"));
    inlay_diags *d = inlay_diags_new();
    static const char *const names[] = {"sigmoid", "tanh,", "tanh"};

    assert_true(inlay_node_set_strings(inlay_graph_node(g, "l"), "activations", names, 3, d));
    check_not_written(g, 11,
                      "6: error: node \"l\" (LSTMCell-4): attribute \"activations\": the "
                      "string \"tanh,\" cannot stand in a list");
    inlay_diags_free(d);
    inlay_graph_free(g);
}

/* No test has 2 GiB of text: the string only says that it is so long. */
static void test_too_much_text(void **state)
{
    inlay_graph *g = graph_of_text(G("%s = Const {value = string[1] [\"a\"]}\n%r = Result(%s)\n"));
    const inlay_tensor *t = inlay_node_attr(inlay_graph_node(g, "s"), "value")->as.tensor;

    ((inlay_string *)t->data)->length = (size_t)INT32_MAX + 1;
    check_not_written(g, 11,
                      "2: error: node \"s\" (Const-1): a string constant of more than 2 GiB does "
                      "not fit the format");
    inlay_graph_free(g);
}

/* A Const whose bytes are missing keeps its offset, which would not be right beside others. */
static void test_some_weights_missing(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_read_options o = {.allow_unknown = true};
    const char *xml = "<net version=\"11\"><layers>" LAYER(
        "3", "c", "Const",
        "<data element_type=\"f32\" shape=\"2\" offset=\"0\" size=\"8\"/>" OUT("0"))
        LAYER("4", "r", "Result", IN0) "</layers><edges>" EDGE("3", "0", "4", "0") "</edges></net>";

    for (int order = 0; order < 2; order++) {
        inlay_graph *g = model_read_xml(xml, NULL, 0, &o, NULL);
        int64_t one = 1;
        inlay_value *k = inlay_build_ints(g, "k", INLAY_I32, 0, NULL, &one, d);
        inlay_node *r = inlay_build_result(g, "q", k, d);

        if (order) { /* the first Result's constant comes first */
            assert_true(inlay_node_set_input(r, 0, &inlay_graph_node(g, "c")->out[0], d));
            assert_true(inlay_node_set_input(inlay_graph_node(g, "r"), 0, k, d));
        }
        check_not_written(g, 11,
                          order ? "1: error: layer 3 \"c\" (Const of opset1): only some of the "
                                  "model's weights are there, so it cannot be written"
                                : "error: node \"k\" (Const-1): only some of the model's weights "
                                  "are there, so it cannot be written");
        inlay_graph_free(g);
    }
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_a_document_that_is_too_long),
        cmocka_unit_test(test_weights_of_a_stream),
        cmocka_unit_test(test_what_is_not_written),
        cmocka_unit_test(test_versions_and_warnings),
        cmocka_unit_test(test_what_a_program_made),
        cmocka_unit_test(test_strings_that_cannot_stand_in_a_list),
        cmocka_unit_test(test_too_much_text),
        cmocka_unit_test(test_some_weights_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
