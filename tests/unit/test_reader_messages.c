/* Messages of readers and writers that need an unusual file, or a program that calls them, to come
 * about; the usual ones are tested with their formats. */
#include "folder.h"
#include "inlay_ops.h"
#include "ir/shared.h"
#include "parser/file.h"
#include "parser/file_out.h"
#include "parser/json/read.h"
#include "tests/unit/models.h"
#include "tests/unit/texts.h"
#include "unit.h"

#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void expect(inlay_diags *d, inlay_status status, const char *file, const char *said)
{
    assert_string_equal(model_messages(d), said);
    assert_int_equal(inlay_diags_status(d), status);
    if (file)
        assert_string_equal(inlay_diags_at(d, 0)->file, file);
    inlay_diags_clear(d);
}

static void test_files_that_are_too_large(void **state)
{
    inlay_read_options o = {.max_bytes = 4};
    inlay_diags *d = inlay_diags_new();
    char path[32];
    int ends[2];
    FILE *f = fopen("m.json", "w");

    assert_true(f && fputs("{    }", f) >= 0 && fclose(f) == 0);
    assert_null(inlay_read_file("m.json", &o, d));
    expect(d, INLAY_NO_RESOURCE, "m.json", "error: the file has 6 bytes, at most 4 are read");
    unlink("m.json");

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "{    }", 6), 6);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_null(inlay_read_file(path, &o, d));
    expect(d, INLAY_NO_RESOURCE, path, "error: the file has more bytes than the 4 that are read");
    close(ends[0]);
    inlay_diags_free(d);
}

/* No address space is left: the limit is set for one call only. */
static void test_a_file_that_cannot_be_mapped(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_budget *little = inlay_budget_new(1, d); /* so the file is mapped */
    FILE *f = fopen("w.bin", "w");
    struct rlimit old, none;

    assert_true(f && fputs("weights", f) >= 0 && fclose(f) == 0);
    assert_null(file_map("missing.bin", 0, (file_memory){0},
                         d)); /* as much memory for a message is there now */
    expect(d, INLAY_INVALID, "missing.bin", "error: cannot open: No such file or directory");
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    none = (struct rlimit){1, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    assert_null(file_map("w.bin", 0, (file_memory){.budget = little}, d));
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    expect(d, INLAY_NO_RESOURCE, "w.bin", "error: cannot map the file: Cannot allocate memory");
    unlink("w.bin");
    inlay_budget_free(little);
    inlay_diags_free(d);
}

/* There is a folder by now where the file should stand. */
static void test_a_file_that_cannot_take_its_place(void **state)
{
    inlay_diags *d = inlay_diags_new();
    file_out o, *const all[] = {&o};

    assert_true(file_out_open(&o, "m.json", d));
    assert_true(file_out_write(&o, "{}", 2));
    assert_true(file_out_finish(&o, d));
    assert_int_equal(mkdir("m.json", 0777), 0);
    assert_false(file_out_commit(all, 1, d));
    expect(d, INLAY_NO_RESOURCE, "m.json", "error: cannot write: Is a directory");
    file_out_close(&o);
    assert_int_equal(rmdir("m.json"), 0);
    inlay_diags_free(d);
}

/* Nests elements of metadata, COUNT of them. */
static inlay_meta *nested_meta(inlay_graph *g, int count)
{
    inlay_meta *list = NULL;

    for (int i = 0; i < count; i++) {
        inlay_meta *outer = inlay_meta_new(g, "m", NULL);

        outer->child = list;
        list = outer;
    }
    return list;
}

static int depth_of(const inlay_meta *m)
{
    int n = 0;

    for (; m; m = m->child)
        n++;
    return n;
}

/* What is written is read: each format has the same limit, at the graph, at a node and at a port.
 */
static void test_depth_of_metadata(void **state)
{
    static const char *const files[] = {"m.inlay", "m.json", "m.xml"};
    inlay_graph *g = graph_of_text("graph \"g\" { %x = Parameter {element_type = f32, shape = [2]} "
                                   "%y = Result(%x) }");
    inlay_diags *d = inlay_diags_new();

    for (int more = 0; more < 2; more++) {
        int depth = INLAY_MAX_META_DEPTH + more;
        inlay_graph *copy;

        g->meta = nested_meta(g, depth);
        g->params[0]->rt_info = nested_meta(g, depth);
        g->params[0]->out[0].rt_info = nested_meta(g, depth);
        copy = inlay_graph_clone(g, NULL);
        assert_int_equal(copy != NULL, !more);
        inlay_graph_free(copy);
        for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
            bool written = inlay_write_file(g, files[i], NULL, d);
            inlay_graph *back = written ? inlay_read_file(files[i], NULL, d) : NULL;

            assert_int_equal(written, !more);
            assert_int_equal(inlay_diags_count(d), more);
            if (more)
                assert_non_null(strstr(inlay_diags_at(d, 0)->text, "nested more than 128 deep"));
            inlay_diags_clear(d);
            assert_int_equal(depth_of(back ? back->meta : NULL), more ? 0 : depth);
            assert_int_equal(depth_of(back ? back->params[0]->rt_info : NULL), more ? 0 : depth);
            assert_int_equal(depth_of(back ? back->params[0]->out[0].rt_info : NULL),
                             more ? 0 : depth);
            inlay_graph_free(back);
            unlink(files[i]);
        }
    }
    unlink("m.bin");
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static void check_json(const char *text, size_t n, const char *said)
{
    inlay_read_options o = {.allow_unknown = true};
    inlay_diags *d = inlay_diags_new();

    assert_null(inlay_read_json("m.json", text, n, &o, d));
    assert_string_equal(model_messages(d), said);
    inlay_diags_free(d);
}

static void check_json_quoted(const char *text, const char *said)
{
    char *copy = strdup(text);

    for (char *p = copy; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    check_json(copy, strlen(copy), said);
    free(copy);
}

#define JSON(members) "{'format': 'inlay-graph', 'format_version': 1,\n" members "}"
#define X "'inputs': [{'name': 'x', 'type': 'f32', 'shape': [1]}],\n"
#define FOO(members)                                                                               \
    JSON(X "'nodes': [{'name': 'f', 'type': 'Foo', 'version': 'bar', 'inputs': ['x'], " members    \
           "}], 'outputs': ['f']")

static void test_json(void **state)
{
    static const struct {
        const char *text, *said;
    } list[] = {
        {FOO("'attributes': {\n'k': 1}"),
         "4: error: nodes[0].attributes.k: a string, as all attributes of an unknown operation is "
         "expected, this is a number"},
        {FOO("'output_types': ['f32', 'f32'], 'output_shapes': [[1]]"),
         "3: error: nodes[0].output_types: \"output_types\" and \"output_shapes\" need an entry "
         "for "
         "each of the 1 outputs, there are 2 and 1"},
        {FOO("'output_types': ['f32']"), "3: error: nodes[0].output_types: \"output_types\" and "
                                         "\"output_shapes\" need an entry for "
                                         "each of the 1 outputs, there are 1 and 0"},
        {JSON(X "'nodes': [{'name': 'l', 'type': 'LSTMCell', 'inputs': ['x', 'x', 'x', 'x', 'x'], "
                "'attributes': {'hidden_size': 1,\n'activations': [1]}}], 'outputs': []"),
         "4: error: nodes[0].attributes.activations[0]: a string is expected, this is a number"},
        {JSON("'constants': [{'name': 'c', 'type': 'f32', 'shape': [1], 'file': 'folder', "
              "'offset': 0}], 'outputs': ['c']"),
         "2: error: constants[0].file: \"folder\" is no regular file"},
        {JSON(X "'nodes': [{'name': 't', 'type': 'TensorIterator', 'inputs': ['x'], 'outputs': "
                "['t'], 'body': {'outputs': []},\n'back_edges': 3}], 'outputs': ['t']"),
         "4: error: nodes[0].back_edges: a list is expected, this is a number"},
    };

    assert_int_equal(mkdir("folder", 0777), 0);
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        check_json_quoted(list[i].text, list[i].said);
    rmdir("folder");
    check_json("{}", (size_t)INT_MAX + 1,
               "error: the JSON text has 2147483648 bytes, at most 2147483647 are read");
}

/* Checks a text of BEFORE, 1001 members and AFTER. */
static void check_too_many(const char *before, const char *after, const char *said)
{
    inlay_strbuf b = {0};

    inlay_strbuf_puts(&b, before);
    for (int i = 0; i < 1001; i++)
        inlay_strbuf_printf(&b, "%s'k%d': ''", i ? ", " : "", i);
    inlay_strbuf_puts(&b, after);
    assert_false(b.failed);
    check_json_quoted(b.bytes, said);
    inlay_strbuf_free(&b);
}

static void test_json_with_too_many_attributes(void **state)
{
    check_too_many(
        "{'format': 'inlay-graph', 'format_version': 1, 'outputs': [],\n'nodes': "
        "[{'name': 'f', 'type': 'Foo', 'version': 'bar', 'attributes': {",
        "}}]}",
        "2: error: nodes[0].attributes: a node has at most 1000 attributes, this one has "
        "1001");
    check_too_many("{'format': 'inlay-graph', 'format_version': 1, 'outputs': [],\n'meta': "
                   "[{'tag': 't', 'attributes': {",
                   "}}]}",
                   "2: error: meta[0].attributes: an element has at most 1000 attributes, this one "
                   "has 1001");
}

/* The table has a tensor only in Const, which a document lists as a constant. */
static void test_tensors_as_json_attributes(void **state)
{
    inlay_graph *g = graph_of_text("graph \"g\" {\n%c = Const {value = i32[1] [1]}\n"
                                   "%r = Result(%c)\n}");
    inlay_diags *d = inlay_diags_new();
    inlay_op row = *inlay_graph_node(g, "c")->op;
    inlay_strbuf out = {0};
    inlay_sink sink = {inlay_strbuf_sink, &out};
    static const char text[] = "{\"value\": 1}";
    json_doc doc = {.file = "m.json", .d = d};
    json_reader r = {.a.d = d, .doc = &doc};

    assert_true(json_parse(&doc, text, strlen(text)));
    assert_false(json_read_attrs(&r, &(json_at){.item = doc.root}, inlay_graph_node(g, "c")));
    expect(d, INLAY_INVALID, "m.json", "1: error: value: a tensor can only stand in \"constants\"");
    json_free(&doc);
    row.kind = INLAY_OP_RELU;
    inlay_graph_node(g, "c")->op = &row;
    assert_false(inlay_write_json(g, NULL, NULL, &sink, NULL, d));
    expect(
        d, INLAY_INVALID, NULL,
        "2: error: node \"c\" (Const-1): attribute \"value\" is a tensor, which only a Const can "
        "have in JSON");
    inlay_strbuf_free(&out);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static void check_no_json(const inlay_graph *g, const char *said)
{
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf out = {0};
    inlay_sink sink = {inlay_strbuf_sink, &out};

    assert_false(inlay_write_json(g, NULL, NULL, &sink, NULL, d));
    expect(d, INLAY_INVALID, NULL, said);
    inlay_strbuf_free(&out);
    inlay_diags_free(d);
}

static void test_graphs_that_json_cannot_hold(void **state)
{
    inlay_graph *g = graph_of_text("graph \"g\" {\n%c = Const {value = i32[1] [1]}\n"
                                   "%r = Result(%c)\n}");
    inlay_diags *d = inlay_diags_new();
    inlay_node *n = inlay_node_new(g, inlay_op_find(NULL, "Const", NULL, NULL, d), "e", 0, 1, d);
    inlay_node *r = inlay_graph_node(g, "r");
    inlay_meta *meta = inlay_meta_new(g, "deepest", d);

    assert_true(inlay_node_set_input(r, 0, &n->out[0], d));
    check_no_json(g, "error: node \"e\" (Const-1): attribute \"value\" is missing");
    assert_true(inlay_node_set_input(r, 0, NULL, d));
    assert_true(inlay_node_remove(n, d));
    check_no_json(g, "3: error: node \"r\" (Result-1): input 0 \"value\" is missing");
    assert_true(inlay_node_set_input(r, 0, &inlay_graph_node(g, "c")->out[0], d));
    for (int i = 0; i < 129; i++) {
        inlay_meta *outer = inlay_meta_new(g, "m", d);

        outer->child = meta;
        meta = outer;
    }
    g->meta = meta;
    check_no_json(g, "error: metadata is nested more than 128 deep");
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static void test_text(void **state)
{
    assert_string_equal(
        text_refusal("graph \"g\" {\n%x = Parameter {element_type = f32, shape = [2]}\n"
                     "%i = Const {value = i64[1] [0]}\n"
                     "%s = Tensor.scatter_@mindspore(%x, %i) {dim = 0, value = wide}\n}"),
        "4: error: found `wide`, expected a number");
}

/* A model in memory needs no name. */
static void test_a_model_without_a_name(void **state)
{
    static const char with_a_constant[] =
        "<net version='11'><layers>"
        "<layer id='0' name='c' type='Const' version='opset1'>"
        "<data element_type='f32' shape='1' offset='0' size='4'/>"
        "<output><port id='0' precision='FP32'><dim>1</dim></port></output></layer>"
        "<layer id='1' name='r' type='Result' version='opset1'><input><port "
        "id='0'/></input></layer>"
        "</layers><edges><edge from-layer='0' from-port='0' to-layer='1' "
        "to-port='0'/></edges></net>";
    inlay_buffer *weights = inlay_buffer_new(4);
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;

    assert_null(inlay_read_xml(NULL, with_a_constant, sizeof with_a_constant - 1, NULL, NULL, d));
    expect(
        d, INLAY_INVALID, NULL,
        "1: error: layer 0 \"c\" (Const-1): the model has a constant, but no weights were given");
    g = inlay_read_xml(NULL, with_a_constant, sizeof with_a_constant - 1, weights, NULL, d);
    assert_non_null(g);
    assert_null(g->file);
    inlay_graph_free(g);
    inlay_buffer_release(weights);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_that_are_too_large),
        cmocka_unit_test(test_a_file_that_cannot_be_mapped),
        cmocka_unit_test(test_a_file_that_cannot_take_its_place),
        cmocka_unit_test(test_depth_of_metadata),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_with_too_many_attributes),
        cmocka_unit_test(test_tensors_as_json_attributes),
        cmocka_unit_test(test_graphs_that_json_cannot_hold),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_a_model_without_a_name),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
