/* The JSON graph: what is read, every message of the reader, and that writing and reading again
 * loses nothing. */
#include "parser/parser.h"
#include "tests/unit/json_documents.h"
#include "tests/unit/models.h"
#include "unit.h"

/* Reads TEXT (its quotes as '), which stands for a file at PATH; *SAID is what was said. */
static inlay_graph *read_at(const char *path, const char *text, const char **said)
{
    char *quoted = json_quoted(text);
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_json(path, quoted, strlen(quoted), NULL, d);

    *said = model_messages(d);
    inlay_diags_free(d);
    free(quoted);
    return g;
}

static inlay_graph *read_good(const char *text)
{
    const char *said;
    inlay_graph *g = read_at("model.json", text, &said);

    if (g == NULL || *said != '\0')
        fail_msg("%s: %s", text, said);
    return g;
}

static void good_documents_are_read(void **state)
{
    for (size_t i = 0; i < n_json_good; i++)
        inlay_graph_free(read_good(json_good[i].text));
}

static void check_refused(const json_document *list, size_t n)
{
    int wrong = 0;

    for (size_t i = 0; i < n; i++) {
        const char *said;
        inlay_graph *g = read_at("model.json", list[i].text, &said);
        if (g != NULL || strcmp(said, list[i].said) != 0) {
            print_error("%s\n  said     %s\n  expected %s\n", list[i].text, said, list[i].said);
            wrong++;
        }
        inlay_graph_free(g);
    }
    assert_int_equal(wrong, 0);
}

static void bad_documents_are_refused(void **state)
{
    check_refused(json_bad, n_json_bad);
}

static void malformed_texts_are_refused(void **state)
{
    check_refused(json_malformed, n_json_malformed);
}

/* The constant of a graph that has nothing else. */
static const inlay_tensor *constant_of(const inlay_graph *g)
{
    return inlay_node_attr(g->first, "value")->as.tensor;
}

static inlay_graph *read_constant(const char *members)
{
    char text[600];

    snprintf(text, sizeof(text),
             "{'format': 'inlay-graph', 'format_version': 1, 'constants': [{'name': 'c', %s}]}",
             members);
    return read_good(text);
}

static void assert_numbers(const char *members, int n, const double *expected)
{
    inlay_graph *g = read_constant(members);
    const inlay_tensor *t = constant_of(g);

    assert_int_equal(inlay_tensor_count(t), n);
    for (int i = 0; i < n; i++)
        assert_true(inlay_tensor_get_f64(t, i) == expected[i]);
    inlay_graph_free(g);
}

static void assert_bytes(const char *members, size_t n, const char *expected)
{
    inlay_graph *g = read_constant(members);

    assert_int_equal(inlay_tensor_bytes(constant_of(g)), n);
    assert_memory_equal(constant_of(g)->data, expected, n);
    inlay_graph_free(g);
}

static void elements_are_what_they_say(void **state)
{
    const double six[] = {1, 2.5, -300, 4, 5, 6};

    assert_numbers("'type': 'f32', 'shape': [2, 3], 'data': [[1, 2.5, -3e2], [4, 5, 6]]", 6, six);
    assert_numbers("'type': 'f32', 'shape': [2, 3], 'data': [1, 2.5, -3e2, 4, 5, 6]", 6, six);
    assert_numbers("'type': 'f64', 'shape': [3, 1, 2], 'data': [[[1, 2.5]], [[-300, 4]], [[5, 6]]]",
                   6, six);
    assert_numbers("'type': 'i8', 'shape': [], 'data': [-7]", 1, (double[]){-7});
    assert_numbers("'type': 'boolean', 'shape': [3], 'data': [true, 0, 1]", 3, (double[]){1, 0, 1});
    assert_bytes("'type': 'u4', 'shape': [3], 'data': [1, 2, 3]", 2, "\x21\x03");
    assert_bytes("'type': 'u1', 'shape': [9], 'data': [1, 0, 0, 0, 0, 0, 1, 0, 1]", 2, "\x82\x80");
    assert_bytes("'type': 'f16', 'shape': [2], 'data': [1.00048828125, '-inf']", 4,
                 "\x00\x3c\x00\xfc"); /* halfway between 1 and the next: to even */
    assert_bytes("'type': 'f32', 'shape': [1], 'data': ['0x7fc00001']", 4, "\x01\x00\xc0\x7f");
    assert_bytes("'type': 'f32', 'shape': [1], 'data': [-0.0]", 4, "\x00\x00\x00\x80");
    assert_bytes("'type': 'u64', 'shape': [1], 'data': ['18446744073709551615']", 8,
                 "\xff\xff\xff\xff\xff\xff\xff\xff");
    assert_bytes("'type': 'i64', 'shape': [1], 'data': ['-9223372036854775808']", 8,
                 "\0\0\0\0\0\0\0\x80");
    assert_bytes("'type': 'c64', 'shape': [2], 'data': [1, 2, 0, -1]", 16,
                 "\0\0\x80\x3f\0\0\0\x40\0\0\0\0\0\0\x80\xbf");
    inlay_graph *g =
        read_constant("'type': 'string', 'shape': [2], 'data': ['a\\u00e9\\ud83d\\ude00'"
                      ", {'hex': '00ff'}]");
    inlay_string s = inlay_tensor_get_string(constant_of(g), 0);
    assert_int_equal(s.length, 7);
    assert_memory_equal(s.bytes, "a\xc3\xa9\xf0\x9f\x98\x80", 7);
    s = inlay_tensor_get_string(constant_of(g), 1);
    assert_int_equal(s.length, 2);
    assert_memory_equal(s.bytes, "\x00\xff", 2);
    inlay_graph_free(g);
}

static void names_versions_and_places(void **state)
{
    inlay_graph *g = read_good(
        "{'format': 'inlay-graph', 'format_version': 1, 'name': 'n',\n"
        "'inputs': [{'name': 'x', 'type': 'f32', 'shape': [2], 'label': 'l', 'tensor_names': "
        "['b', 'a']}],\n"
        "'nodes': [{'name': 'one', 'type': 'ReLU', 'inputs': ['x'], 'outputs': ['o']},\n"
        "{'name': 'two', 'type': 'Softmax', 'version': 'opset8', 'inputs': ['o', '', null], "
        "'attributes': {'axis': 0}}],\n"
        "'outputs': ['o', 'o', {'value': 'two', 'name': 'three'}]}");
    inlay_node *one = inlay_graph_node(g, "one"), *two = inlay_graph_node(g, "two");

    assert_string_equal(g->name, "n");
    assert_string_equal(g->file, "model.json");
    assert_string_equal(g->params[0]->label, "l");
    assert_int_equal(g->params[0]->out[0].n_names, 2);
    assert_string_equal(g->params[0]->out[0].names[0], "a");
    assert_int_equal(one->out[0].n_names, 1); /* a named output is found under its name */
    assert_string_equal(one->out[0].names[0], "o");
    assert_null(one->opset);
    assert_int_equal(one->line, 3);
    assert_int_equal(two->line, 4);
    assert_int_equal(two->place, 1);
    assert_string_equal(two->opset, "opset8");
    assert_int_equal(two->op->version, 8);
    assert_int_equal(two->n_in, 1); /* absent inputs at the end are none */
    assert_int_equal(two->out[0].n_names, 0);
    assert_string_equal(g->results[0]->name, "o/sink_port_0");
    assert_string_equal(g->results[1]->name, "o/sink_port_0_2");
    assert_string_equal(g->results[2]->name, "three");
    assert_int_equal(two->out[0].fact.dims[0].lo, 2);
    inlay_graph_free(g);
}

static char *repeat(const char *head, const char *open, const char *middle, const char *close,
                    const char *tail, int n)
{
    inlay_strbuf b = {0};

    inlay_strbuf_puts(&b, head);
    for (int i = 0; i < n; i++)
        inlay_strbuf_puts(&b, open);
    inlay_strbuf_puts(&b, middle);
    for (int i = 0; i < n; i++)
        inlay_strbuf_puts(&b, close);
    inlay_strbuf_puts(&b, tail);
    assert_false(b.failed);
    return b.bytes;
}

static void assert_last_said(char *text, const char *expected)
{
    const char *said;
    inlay_graph *g = read_at("model.json", text, &said);
    size_t n = strlen(said), m = strlen(expected);

    if (n < m || strcmp(said + n - m, expected) != 0)
        fail_msg("said %s, expected ... %s", said, expected);
    inlay_graph_free(g);
    free(text);
}

static void depth_is_limited(void **state)
{
    static const char head[] = "{'format': 'inlay-graph', 'format_version': 1, ";

    assert_last_said(repeat("", "[", "", "]", "", 100000),
                     "1: error: lists and objects are nested more than 900 deep");
    assert_last_said(repeat("", "[", "", "]", "", 900),
                     "1: error: an object is expected, this is a list");
    assert_last_said(repeat(head, "'meta': [{'tag': 'a'}]", "", "", "}", 1), "");
    assert_last_said(repeat("{'format': 'inlay-graph', 'format_version': 1, 'meta': [{'tag': 'a'",
                            ", 'children': [{'tag': 'a'", "", "}]", "}]}", 130),
                     ": metadata is nested more than 128 deep");
    assert_last_said(repeat("{'format': 'inlay-graph', 'format_version': 1",
                            ", 'nodes': [{'name': 't', 'type': 'TensorIterator', 'body': {'name': "
                            "'b'",
                            "", "}}]", "}", 65),
                     ": bodies are nested more than 64 deep");
}

static void read_anything(const char *bytes, size_t n)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_json("model.json", bytes, n, NULL, d);

    if (g == NULL)
        assert_true(inlay_diags_count(d) > 0); /* never without a word */
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* A text that is cut or has changed bytes may be read or refused, but there is no crash (the
 * sanitizers watch for it). */
static void no_damage_crashes_the_reader(void **state)
{
    static const char values[] = "\0\"[]{}:,0-9\xff\\a";
    int step = getenv("INLAY_SLOW") != NULL ? 5 : 1;

    for (size_t i = 0; i < n_json_good; i++) {
        char *text = json_quoted(json_good[i].text);
        size_t n = strlen(text);
        for (size_t at = 0; at < n; at += (size_t)step) {
            char *cut = malloc(at + 1), kept = text[at];
            memcpy(cut, text, at);
            read_anything(cut, at);
            free(cut);
            text[at] = values[(at + i) % (sizeof(values) - 1)];
            read_anything(text, n);
            text[at] = kept;
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_documents_are_read),
        cmocka_unit_test(bad_documents_are_refused),
        cmocka_unit_test(malformed_texts_are_refused),
        cmocka_unit_test(elements_are_what_they_say),
        cmocka_unit_test(names_versions_and_places),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(no_damage_crashes_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
