/* The JSON form and the text form of ONNX. The meaning of a form is compared with ONNX's own tools,
 * which made the binary and the JSON files of tests/onnx_forms from the text files there
 * (make.py). */
#include "parser/parser.h"
#include "tests/unit/models.h"
#include "unit.h"

static const char *const names[] = {"attributes", "bodies", "dims", "functions", "tensors"};

enum { N_NAMES = sizeof names / sizeof names[0] };

/* Reads bytes in a block of their own, so that a reader that goes beyond it is caught. */
static inlay_graph *read_bytes(const char *bytes, size_t n, char *said, size_t size)
{
    inlay_diags *d = inlay_diags_new();
    char *copy = malloc(n + (n == 0));
    inlay_graph *g;

    memcpy(copy, bytes, n);
    g = inlay_read_onnx("m", copy, n, NULL, NULL, d);
    snprintf(said, size, "%s", model_messages(d));
    if ((g != NULL) != (inlay_diags_status(d) == INLAY_OK))
        fail_msg("a graph or an error, not both: %s", said);
    inlay_diags_free(d);
    free(copy);
    return g;
}

static char *load(const char *name, const char *ending, size_t *n)
{
    const char *root = getenv("ROOT");
    char path[500];

    snprintf(path, sizeof path, "%s/tests/onnx_forms/%s.%s", root ? root : ".", name, ending);
    return model_load(path, n);
}

static char *printed(const char *name, const char *ending)
{
    inlay_strbuf text = {0};
    inlay_sink sink = {inlay_strbuf_sink, &text};
    char said[1000];
    size_t n;
    char *bytes = load(name, ending, &n);
    inlay_graph *g = read_bytes(bytes, n, said, sizeof said);

    if (!g)
        fail_msg("%s.%s: %s", name, ending, said);
    assert_true(inlay_print(g, true, &sink, NULL));
    inlay_graph_free(g);
    free(bytes);
    return text.bytes;
}

static void test_three_forms(void **state)
{
    for (int i = 0; i < N_NAMES; i++) {
        char *binary = printed(names[i], "onnx"), *json = printed(names[i], "json"),
             *text = printed(names[i], "onnxtxt");

        assert_string_equal(binary, json);
        assert_string_equal(binary, text);
        free(binary);
        free(json);
        free(text);
    }
}

/* There is one error, whatever is missing at the end. */
static void test_truncated(void **state)
{
    static const char *const endings[] = {"json", "onnxtxt"};
    char said[1000];

    for (int i = 0; i < 2 * N_NAMES; i++) {
        size_t n;
        char *bytes = load(names[i / 2], endings[i % 2], &n);

        while (n > 0 && strchr(" \n", bytes[n - 1]))
            n--;
        for (size_t cut = 0; cut < n; cut++) {
            inlay_graph *g = read_bytes(bytes, cut, said, sizeof said);

            if (g || strchr(said, '\n'))
                fail_msg("%s.%s, %zu bytes of it: %s", names[i / 2], endings[i % 2], cut, said);
        }
        free(bytes);
    }
}

/* Any other byte in the place of one leads to a graph or to an error. */
static void test_changed(void **state)
{
    static const char *const endings[] = {"json", "onnxtxt"};
    static const char bytes_put[] = "\"{}[]<>(),:=-9a@\\\x80\xff";
    char said[1000];

    for (int i = 0; i < 2 * N_NAMES; i++) {
        size_t n;
        char *bytes = load(names[i / 2], endings[i % 2], &n);

        for (size_t at = 0; at < n; at++) {
            char before = bytes[at];

            bytes[at] = bytes_put[at % (sizeof bytes_put)];
            inlay_graph_free(read_bytes(bytes, n, said, sizeof said));
            bytes[at] = before;
        }
        free(bytes);
    }
}

/* Checks a model around GRAPH, in the form that TEXT tells. */
static void check(const char *model, const char *expected)
{
    char said[1000];
    inlay_graph *g = read_bytes(model, strlen(model), said, sizeof said);

    if (strcmp(said, expected) != 0)
        fail_msg("%s\n  said     %s\n  expected %s", model, said, expected);
    inlay_graph_free(g);
}

#define HEAD "<ir_version: 8, opset_import: [\"\" : 21]>\n"
#define NET(nodes) HEAD "g (float[2] x) => (float[2] y)\n{ " nodes " }"
#define VALUE(v) NET("y = Foo <a = " v "> (x)")

static void test_text_messages(void **state)
{
    static const char *const cases[][2] = {
        {"<ir_version: 8>", "1: error: found the end of the text, expected a name"},
        {"<ir_version: 8, ir_version: 8>", "1: error: found `ir_version` a second time"},
        {"<ir_version: 8, graph: 8>", "1: error: found `graph`, expected a field of the head"},
        {"<ir_version: 8, 1: 8>", "1: error: found `1`, expected a field of the head"},
        {"<ir_version: 8.5>", "1: error: found `8`, expected a whole number of 64 bits"},
        {"<ir_version: 8 8", "1: error: found `8`, expected `>`"},
        {"<ir_version: 8,\nopset_import: [\"\" 17]>", "2: error: found `17`, expected `:`"},
        {"<ir_version: 8,\nproducer_name: 7>", "2: error: found `7`, expected a string in quotes"},
        {"<ir_version: 8,\nproducer_name: \"a\nb>", "2: error: found a string that has no end"},
        {"<ir_version: 8,\nproducer_name: \"\xff\">",
         "2: error: found a string that is not UTF-8 text"},
        {HEAD "g (x) -> (y) {}", "2: error: found `-`, expected `=>`"},
        {HEAD "g (x = {1}) => (y) {}",
         "2: error: found `{`, expected a value with a type in front of its data"},
        {HEAD "g (float[?] x = {1}) => (y) {}",
         "2: error: found data of a tensor whose dimension 0 is not known"},
        {HEAD "g (float[] x = {1}) => (y) {}",
         "2: error: found data of a value that is no tensor of known sizes"},
        {HEAD "g (seq(float x) => (y) {}", "2: error: found `x`, expected `)`"},
        {HEAD "g (seq(foo) x) => (y) {}", "2: error: found `foo`, expected a type"},
        {HEAD "g (map(foo, float) x) => (y) {}", "2: error: found `foo`, expected an element type"},
        {NET("y = Abs(x"), "3: error: found `}`, expected `)`"},
        {VALUE("foo"), "3: error: found `>`, expected `(`"},
        {VALUE("-"), "3: error: found `-`, expected a number"},
        {VALUE("1.5.5"), "3: error: found `1`, expected a number"},
        {VALUE("[1, \"a\"]"), "3: error: found a value of type STRING, expected one of type INT"},
        {VALUE("[]"), "3: error: found an empty list without a type: name: ints = []"},
        {VALUE("[@b]"), "3: error: found a list of other values than numbers and strings"},
        {NET("y = Foo <a : bar = 1> (x)"),
         "3: error: found `bar`, expected the type of an attribute"},
        {NET("y = Foo <a : tensor = [1]> (x)"),
         "3: error: found a list, expected a value of another type"},
        {NET("y = Foo <a : string = 1> (x)"),
         "3: error: found a value of type INT, expected one of type STRING"},
        {VALUE("int32[1] {2147483648}"), "3: error: found 2147483648 as an element of type int32"},
        {VALUE("uint32[1] {-1}"),
         "3: error: found `-`, expected a whole number of 64 bits, not negative"},
        /* what the import says stands on the line of the node */
        {HEAD "g (float[2] x) => (float[2] y)\n{\n  t = Abs(x)\n  y = Neg(s)\n}",
         "5: error: graph.node[1] (Neg-21): input[0] is \"s\", which no node makes"},
        {HEAD "g (float[2] x) => (float[2] y)\n{\n  t = Abs(x)\n}",
         "2: error: graph.output[0] \"y\": no node makes this value"},
        {HEAD "g (float[2] x,\n   sparse_tensor(float[2]) s) => ()\n{ }",
         "3: error: graph.input[1] \"s\": a value that is a sparse tensor is not read"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check(cases[i][0], cases[i][1]);
}

/* Graphs and types may be nested 100 deep. */
static void test_depth(void **state)
{
    inlay_strbuf text = {0};

    inlay_strbuf_puts(&text, HEAD "g (");
    for (int i = 0; i < 5000; i++)
        inlay_strbuf_puts(&text, "seq(");
    check(text.bytes, "2: error: found types nested more than 100 deep");
    inlay_strbuf_free(&text);
    inlay_strbuf_puts(&text, HEAD "g () => () {");
    for (int i = 0; i < 5000; i++)
        inlay_strbuf_puts(&text, "y = If <then_branch = g () => () {");
    check(text.bytes, "2: error: found graphs nested more than 100 deep");
    inlay_strbuf_free(&text);
}

#define JSON(members) "{\"irVersion\": 8,\n" members "}"
#define ATTR(a) JSON("\"graph\": {\"node\": [{\"opType\": \"Constant\",\n\"attribute\": [" a "]}]}")

static void test_json_messages(void **state)
{
    static const char *const cases[][2] = {
        {JSON("\"ir_version\": 8"), "2: error: ir_version: the field is there under two names"},
        {JSON("\"foo\": 8"), "2: error: foo: ModelProto has no such field"},
        {JSON("\"graph\": []"), "2: error: graph: an object is expected, this is a list"},
        {JSON("\"functions\": {}"), "2: error: functions: a list is expected, this is an object"},
        {JSON("\"domain\": 1"), "2: error: domain: a string is expected, this is a number"},
        {JSON("\"modelVersion\": \"9223372036854775808\""),
         "2: error: modelVersion: the number does not fit 64 bits"},
        {JSON("\"modelVersion\": 1.5"),
         "2: error: modelVersion: a whole number is expected, this is a number"},
        {ATTR("{\"type\": \"FOO\"}"),
         "3: error: graph.node[0].attribute[0].type: \"FOO\" is no AttributeType"},
        {ATTR("{\"f\": \"inf\"}"),
         "3: error: graph.node[0].attribute[0].f: \"inf\" is not a number, "
         "\"NaN\", \"Infinity\" or \"-Infinity\""},
        {ATTR("{\"s\": \"YQ=\"}"),
         "3: error: graph.node[0].attribute[0].s: \"YQ=\" is not bytes in base64"},
        {ATTR("{\"s\": \"YR\"}"),
         "3: error: graph.node[0].attribute[0].s: \"YR\" is not bytes in base64"},
        {ATTR("{\"s\": \"Y$==\"}"),
         "3: error: graph.node[0].attribute[0].s: \"Y$==\" is not bytes in base64"},
        {ATTR("{\"s\": 1}"), "3: error: graph.node[0].attribute[0].s: bytes in base64 is expected, "
                             "this is a number"},
        {ATTR("{\"t\": {\"data_type\": 2147483648}}"),
         "3: error: graph.node[0].attribute[0].t.data_type: the number does not fit 32 bits"},
        {ATTR("{\"t\": {\"uint64_data\": [-1]}}"),
         "3: error: graph.node[0].attribute[0].t.uint64_data[0]: the number does not fit unsigned "
         "64 bits"},
        {JSON("\"graph\": {\"name\": \"g\",\n\"output\": [{\"name\": \"y\"}]}"),
         "3: error: graph.output[0] \"y\": no node makes this value"},
        /* fields of ONNX that mean nothing here, and null */
        {JSON("\"trainingInfo\": [{\"a\": 1}], \"domain\": null, \"graph\": {}"), ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check(cases[i][0], cases[i][1]);
}

/* Checks the elements of an initializer, as the text form of graphs prints them. */
static void holds(const char *model, const char *literal)
{
    inlay_strbuf text = {0};
    inlay_sink sink = {inlay_strbuf_sink, &text};
    char said[1000];
    inlay_graph *g = read_bytes(model, strlen(model), said, sizeof said);

    assert_string_equal(said, "");
    assert_true(inlay_print(g, true, &sink, NULL));
    if (!strstr(text.bytes, literal))
        fail_msg("%s is not in %s", literal, text.bytes);
    inlay_strbuf_free(&text);
    inlay_graph_free(g);
}

#define DATA(v) HEAD "g () => () <" v "> { }"
#define TENSOR(members)                                                                            \
    "{\"ir_version\": \"8\", \"graph\": {\"initializer\": [{\"name\": \"w\", " members "}]}}"

/* Values by hand are bits of half precision, base64 of both alphabets, and packed elements. */
static void test_values(void **state)
{
    holds(DATA("float16[2] w = {15360, 49152}"), "f16[2] [1, -2]");
    holds(DATA("int4[3] w = {-8, 7, 1}"), "i4[3] [-8, 7, 1]");
    holds(DATA("uint4[3] w = {1, 15, 2}"), "u4[3] [1, 15, 2]");
    holds(DATA("float[3] w = {inf, -infinity, NaN}"), "f32[3] [inf, -inf, nan]");
    holds(DATA("string[2] \"a w\" = {\"say \\\"x\\\"\", \"back\\\\slash\"}"),
          "%\"a w\" = Const-1 {value = string[2] [\"say \\\"x\\\"\", \"back\\\\slash\"]}");
    holds(DATA("double[2] w = {0.1, -1E300}"), "f64[2] [0.1, -1e+300]");
    holds(TENSOR("\"data_type\": 2, \"dims\": [\"4\"], \"rawData\": \"+/8BAg==\""),
          "u8[4] [251, 255, 1, 2]");
    holds(TENSOR("\"data_type\": 2, \"dims\": [4], \"raw_data\": \"-_8BAg\""),
          "u8[4] [251, 255, 1, 2]");
    holds(TENSOR("\"data_type\": 1, \"dims\": [4], \"float_data\": [\"NaN\", \"Infinity\", "
                 "\"-Infinity\", \"0.5\"]"),
          "f32[4] [nan, inf, -inf, 0.5]");
    holds(TENSOR("\"data_type\": 7, \"dims\": [2], \"int64_data\": [\"-9223372036854775808\", 7]"),
          "i64[2] [-9223372036854775808, 7]");
}

/* ONNX's newer grammar has more than the peer that made the files knows: names in quotes, labels of
 * nodes, overloads, attributes behind the operands, metadata, types of formals. */
static void test_newer_grammar(void **state)
{
    holds(
        "<ir_version: 10, opset_import: [\"\" : 21, \"l\" : 1], metadata_props: [\"k\": \"v\"]>\n"
        "\"a net\" (float[\"2 n\"] \"in put\") => (y) {\n"
        "  [first] t = l.f:two (\"in put\") <by = 2.0>\n"
        "  y, = Dropout(t, , )\n"
        "}\n"
        "<domain: \"l\", overload: \"one\", opset_import: [\"\" : 21]>\n"
        "f <by: float = 1.0> (x) => (y) { y = Abs(x) }\n"
        "<domain: \"l\", overload: \"two\", opset_import: [\"\" : 21]>\n"
        "f <by: float = 1> (float[\"2 n\"] x) => (float[\"2 n\"] y) <float[\"2 n\"] z>\n"
        "{ z = Elu <alpha: float = @by> (x)  y = Neg(z) }",
        "graph \"a net\" {\n"
        "  meta { rt_info { onnx { metadata(key = \"k\", value = \"v\") } } }\n"
        "  %\"in put\" = Parameter-1 {element_type = f32, shape = [?#\"2 n\"]} : f32[?#\"2 n\"] as "
        "\"in put\"\n"
        "  %z = Elu-1(%\"in put\") {alpha = 2} : f32[?#\"2 n\"] rt_info { attribute(name = "
        "\"onnx\", version = \"0\", function = \"l.f:two\") }\n"
        "  %first = Negative-1(%z) : f32[?#\"2 n\"]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_forms), cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_changed),     cmocka_unit_test(test_text_messages),
        cmocka_unit_test(test_depth),       cmocka_unit_test(test_json_messages),
        cmocka_unit_test(test_values),      cmocka_unit_test(test_newer_grammar),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
