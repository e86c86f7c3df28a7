/* The JSON graph's writer, and the way there and back: text, file with weights, and XML. */
#include "ir/shared.h"
#include "parser/parser.h"
#include "tests/unit/json_documents.h"
#include "tests/unit/models.h"
#include "unit.h"

#include <dirent.h>
#include <unistd.h>

static inlay_graph *read_text(const char *text, size_t n, const char *what)
{
    inlay_read_options o = {.allow_unknown = true};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_json("model.json", text, n, &o, d);

    if (g == NULL)
        fail_msg("%s: %s\n%.*s", what, model_messages(d), (int)n, text);
    inlay_diags_free(d);
    return g;
}

static inlay_graph *read_quoted(const char *text)
{
    char *quoted = json_quoted(text);
    inlay_graph *g = read_text(quoted, strlen(quoted), "");

    free(quoted);
    return g;
}

/* Writes the graph with all data in the text. */
static void write_text(const inlay_graph *g, inlay_strbuf *out)
{
    inlay_sink sink = {inlay_strbuf_sink, out};
    inlay_diags *d = inlay_diags_new();

    *out = (inlay_strbuf){0};
    if (!inlay_write_json(g, NULL, NULL, &sink, NULL, d))
        fail_msg("not written: %s", model_messages(d));
    inlay_diags_free(d);
}

/* Writing, reading and writing again gives an equal graph and the same text. */
static void check_there_and_back(const inlay_graph *g, const char *what)
{
    inlay_strbuf first, second;
    inlay_graph *again;
    char why[500];

    write_text(g, &first);
    again = read_text(first.bytes, first.n, what);
    if (!inlay_graph_equal(g, again, why, sizeof(why)))
        fail_msg("%s: %s\n%s", what, why, first.bytes);
    write_text(again, &second);
    assert_string_equal(first.bytes, second.bytes);
    inlay_graph_free(again);
    inlay_strbuf_free(&first);
    inlay_strbuf_free(&second);
}

static void good_documents_there_and_back(void **state)
{
    for (size_t i = 0; i < n_json_good; i++) {
        inlay_graph *g = read_quoted(json_good[i].text);
        check_there_and_back(g, json_good[i].text);
        inlay_graph_free(g);
    }
}

/* This is the whole text of a small graph, by hand. */
static void the_written_form(void **state)
{
    static const char expected[] =
        "{\n"
        "  'format': 'inlay-graph', 'format_version': 1, 'name': 'n', 'ir_version': 11,\n"
        "  'inputs': [\n"
        "    {'name': 'x', 'type': 'f32', 'shape': [4], 'tensor_names': ['a', 'b']}],\n"
        "  'constants': [\n"
        "    {'name': 'axis', 'type': 'i64', 'shape': [], 'data': [0]}],\n"
        "  'nodes': [\n"
        "    {'name': 's', 'type': 'Split', 'version': 'opset1', 'inputs': ['x', 'axis'], "
        "'outputs': ['s.0', 's.1'], 'attributes': {'num_splits': 2}, 'tensor_names': [['left'], "
        "[]]},\n"
        "    {'name': 'r', 'type': 'ReLU', 'version': 'opset1', 'inputs': ['s.1']}],\n"
        "  'outputs': [\n"
        "    's.0',\n"
        "    {'value': 'r', 'name': 'y'}]\n"
        "}\n";
    inlay_graph *g = read_quoted(
        "{'format': 'inlay-graph', 'format_version': 1, 'name': 'n', 'ir_version': 11,"
        "'inputs': [{'name': 'x', 'type': 'f32', 'shape': [4], 'tensor_names': ['b', 'a']}],"
        "'nodes': [{'name': 's', 'type': 'Split', 'inputs': ['x', 'axis'], 'outputs': ['left', "
        "'right'], 'tensor_names': [['left'], []], 'attributes': {'num_splits': 2}}, "
        "{'name': 'r', 'type': 'ReLU', 'inputs': ['right']}],"
        "'constants': [{'name': 'axis', 'type': 'i64', 'shape': [], 'data': 0}],"
        "'outputs': [{'value': 'left', 'name': 's.0/sink_port_0'}, {'value': 'r', 'name': 'y'}]}");
    char *quoted = json_quoted(expected);
    inlay_strbuf text;

    write_text(g, &text);
    assert_string_equal(text.bytes, quoted);
    inlay_strbuf_free(&text);
    free(quoted);
    inlay_graph_free(g);
}

static inlay_graph *constant_graph(const inlay_tensor *t, const char *name)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("g", d);
    inlay_value *v = g != NULL ? inlay_build_const(g, name, t, d) : NULL;

    if (v == NULL || inlay_build_result(g, "y", v, d) == NULL)
        fail_msg("%s", model_messages(d));
    inlay_diags_free(d);
    return g;
}

/* Elements have every bit pattern of the narrow types, and the limits of the wide ones. */
static void elements_keep_their_bits(void **state)
{
    static const uint64_t corners[] = {
        0,
        1,
        UINT64_MAX,
        UINT64_C(1) << 63,
        (UINT64_C(1) << 53) + 1,
        UINT64_C(0x7ff0000000000000),
        UINT64_C(0xfff0000000000000),
        UINT64_C(0x7ff8000000000000),
        UINT64_C(0x7ff8000000000001),
        UINT64_C(0x7fefffffffffffff),
        UINT64_C(0x000fffffffffffff),
        UINT64_C(0x3fb999999999999a),
        UINT64_C(0x4330000000000001), /* 2^52 + 1 */
        UINT64_C(0x4350000000000001), /* 2^54 + 4: an integer beyond 2^53 */
        UINT64_C(0x3f80000040490fdb),
        UINT64_C(0x7f8000007fc00001),
        UINT64_C(0x00000001ff800000),
        UINT64_C(0x4e8000014f800001),
    };

    for (int type = 1; type < INLAY_N_TYPES; type++) {
        const inlay_type_info *info = inlay_type_info_of((inlay_type)type);
        int64_t n = info->bits <= 16 ? INT64_C(1) << info->bits : 18 * 64 / info->bits;
        inlay_tensor *t = inlay_tensor_new((inlay_type)type, 1, &n);
        inlay_graph *g;
        if (t == NULL || inlay_type_refers((inlay_type)type)) {
            inlay_tensor_release(t);
            continue;
        }
        if (info->bits > 16)
            memcpy(t->data, corners, inlay_tensor_bytes(t));
        for (int64_t i = 0; i < n && info->bits <= 16; i++) {
            uint16_t code = (uint16_t)i;
            if (info->bits == 16)
                memcpy((char *)t->data + 2 * i, &code, 2);
            else
                inlay_store_i64(info->bits == 8   ? INLAY_U8
                                : info->bits == 4 ? INLAY_U4
                                : info->bits == 2 ? INLAY_U2
                                                  : INLAY_U1,
                                t->data, i, i);
        }
        g = constant_graph(t, info->name);
        check_there_and_back(g, info->name);
        inlay_graph_free(g);
        inlay_tensor_release(t);
    }
}

static void strings_and_names_of_any_bytes(void **state)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_STRING, 1, (int64_t[]){5});
    inlay_graph *g;

    inlay_tensor_set_string(t, 1, "\"\\/\b\f\n\r\t\x01\x7f", 10);
    inlay_tensor_set_string(t, 2, "\xff\x00z", 3);
    inlay_tensor_set_string(t, 3, "\xf0\x9f\x98\x80", 4);
    inlay_tensor_set_string(t, 4, "a\0", 2);
    g = constant_graph(t, "a \"name\" \\ \n of \xc3\xa9");
    check_there_and_back(g, "strings");
    inlay_graph_free(g);
    inlay_tensor_release(t);
}

static void a_name_that_is_no_utf8_is_refused(void **state)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 0, NULL);
    inlay_graph *g = constant_graph(t, "\xff");
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf out = {0};
    inlay_sink sink = {inlay_strbuf_sink, &out};

    assert_false(inlay_write_json(g, NULL, NULL, &sink, NULL, d));
    assert_string_equal(model_messages(d), "error: \"\xff\" is not UTF-8, which JSON needs");
    inlay_strbuf_free(&out);
    inlay_diags_free(d);
    inlay_graph_free(g);
    inlay_tensor_release(t);
}

static void an_unknown_operation_there_and_back(void **state)
{
    inlay_graph *g = read_quoted(
        "{'format': 'inlay-graph', 'format_version': 1,"
        "'inputs': [{'name': 'x', 'type': 'f32', 'shape': [4]}],"
        "'nodes': [{'name': 'm', 'type': 'Mystery', 'version': 'extension', 'inputs': ['x'], "
        "'outputs': ['a', 'b'], 'attributes': {'k': '3', 'mode': 'x y'}, 'output_types': ['f32', "
        "'dynamic'], 'output_shapes': [[4, '?'], '...']}], 'outputs': ['a', 'b']}");

    assert_int_equal(g->results[0]->in[0].value->fact.rank, 2);
    assert_string_equal(g->last->prev->prev->extra->attrs[2], "mode");
    check_there_and_back(g, "stand-in");
    inlay_graph_free(g);
}

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[400];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    strcpy(folder, "/tmp/inlay_json_XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    DIR *dir = opendir(folder);
    struct dirent *e;

    while (dir != NULL && (e = readdir(dir)) != NULL) {
        if (e->d_name[0] != '.')
            remove(in_folder(e->d_name));
    }
    if (dir != NULL)
        closedir(dir);
    return rmdir(folder);
}

static inlay_graph *read_path(const char *path)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_file(path, NULL, d);

    if (g == NULL)
        fail_msg("%s: %s", path, model_messages(d));
    inlay_diags_free(d);
    return g;
}

static void write_path(const inlay_graph *g, const char *path)
{
    inlay_diags *d = inlay_diags_new();

    if (!inlay_write_file(g, path, NULL, d))
        fail_msg("%s: %s", path, model_messages(d));
    inlay_diags_free(d);
}

static void assert_same_file(const char *a, const char *b)
{
    size_t n, m;
    char *x = model_load(a, &n), *y = model_load(b, &m);

    if (n != m || memcmp(x, y, n) != 0)
        fail_msg("%s and %s differ", a, b);
    free(x);
    free(y);
}

static void large_constants_go_to_a_file_beside(void **state)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 1, (int64_t[]){300});
    inlay_tensor *transposed =
        inlay_tensor_window(t, 2, (int64_t[]){30, 10}, (int64_t[]){1, 30}, 0);
    inlay_graph *g = constant_graph(t, "c"), *again;
    inlay_diags *d = inlay_diags_new();
    char why[200], path[400];
    size_t n;
    char *bytes;

    for (int i = 0; i < 300; i++)
        inlay_tensor_set_f64(t, i, i);
    assert_non_null(inlay_build_const(g, "turned", transposed, d));
    strcpy(path, in_folder("large.json"));
    write_path(g, path);
    free(model_load(in_folder("large.json.bin"), &n));
    assert_int_equal(n, 1216 + 1200); /* the second one begins at a multiple of 64 */
    again = read_path(path);
    assert_true(inlay_graph_equal(g, again, why, sizeof(why)));
    bytes = model_load(path, NULL);
    assert_non_null(strstr(bytes, "\"file\": \"large.json.bin\", \"offset\": 1216"));
    assert_null(strstr(bytes, "\"data\""));
    free(bytes);
    inlay_graph_free(again);
    inlay_graph_free(g);

    g = read_quoted("{'format': 'inlay-graph', 'format_version': 1}");
    write_path(g, in_folder("none.json"));
    assert_int_equal(access(in_folder("none.json"), F_OK), 0);
    assert_int_equal(access(in_folder("none.json.bin"), F_OK), -1); /* nothing to put there */
    inlay_graph_free(g);
    inlay_tensor_release(transposed);
    inlay_tensor_release(t);
    inlay_diags_free(d);
}

static void put_file(const char *name, const char *bytes, size_t n)
{
    FILE *f = fopen(in_folder(name), "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

/* Returns the message for a constant with these members, in a document of the test's folder. */
static const char *file_constant(const char *members)
{
    char text[600], *quoted;
    inlay_diags *d = inlay_diags_new();
    const char *said;

    snprintf(text, sizeof(text),
             "{'format': 'inlay-graph', 'format_version': 1, 'constants': [\n{'name': 'c', %s}]}",
             members);
    quoted = json_quoted(text);
    inlay_graph_free(inlay_read_json(in_folder("m.json"), quoted, strlen(quoted), NULL, d));
    said = model_messages(d);
    free(quoted);
    inlay_diags_free(d);
    return said;
}

static void files_beside_the_document(void **state)
{
    put_file("w.bin", "12345678901234567", 17);
    assert_int_equal(symlink("w.bin", in_folder("inside")), 0);
    assert_int_equal(symlink("/etc/passwd", in_folder("outside")), 0);
    assert_string_equal(file_constant("'type': 'f32', 'shape': [4], 'file': 'w.bin', 'offset': 1"),
                        "");
    assert_string_equal(
        file_constant("'type': 'u8', 'shape': [17], 'file': './w.bin', 'offset': '0'"), "");
    assert_string_equal(file_constant("'type': 'u8', 'shape': [0], 'file': 'w.bin', 'offset': 17"),
                        "");
    assert_string_equal(file_constant("'type': 'u8', 'shape': [1], 'file': 'inside'"), "");
    assert_string_equal(
        file_constant("'type': 'f32', 'shape': [4], 'file': 'w.bin', 'offset': 2"),
        "2: error: constants[0]: 16 bytes from 2 on reach beyond \"w.bin\", which has 17");
    assert_string_equal(
        file_constant("'type': 'u8', 'shape': [1], 'file': 'w.bin', 'offset': 18"),
        "2: error: constants[0]: 1 byte from 18 on reach beyond \"w.bin\", which has 17");
    assert_string_equal(
        file_constant("'type': 'u8', 'shape': [1], 'file': 'w.bin', 'offset': -1"),
        "2: error: constants[0]: 1 byte from -1 on reach beyond \"w.bin\", which has 17");
    assert_string_equal(
        file_constant("'type': 'u8', 'shape': [1], 'file': 'w.bin', 'offset': 0.5"),
        "2: error: constants[0].offset: a whole number is expected, this is a number");
    assert_string_equal(
        file_constant("'type': 'f32', 'shape': ['4611686018427387904'], 'file': 'w.bin'"),
        "2: error: constants[0].shape: the shape has more elements than can be counted");
    assert_string_equal(
        file_constant("'type': 'u8', 'shape': [1], 'file': 'outside'"),
        "2: error: constants[0].file: \"outside\" leads out of the document's folder; "
        "--follow-links allows it");
    assert_string_equal(file_constant("'type': 'u8', 'shape': [1], 'file': '.'"),
                        "2: error: constants[0].file: \".\" is no regular file");
}

/* Writes XML as JSON and reads it back: this gives the same bytes as XML to XML, weights
 * included. */
static int json_and_back(const char *xml)
{
    char path[400];
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_file(xml, NULL, d), *again;

    inlay_diags_free(d);
    if (g == NULL) /* what the XML reader refuses is another test's matter */
        return 0;
    write_path(g, in_folder("direct.xml"));
    write_path(g, in_folder("between.json"));
    inlay_graph_free(g);
    again = read_path(in_folder("between.json"));
    write_path(again, in_folder("back.xml"));
    inlay_graph_free(again);
    strcpy(path, in_folder("direct.xml"));
    assert_same_file(path, in_folder("back.xml"));
    strcpy(path, in_folder("direct.bin"));
    assert_same_file(path, in_folder("back.bin"));
    return 1;
}

static int each_xml(const char *path, int depth)
{
    DIR *dir = depth < 12 ? opendir(path) : NULL;
    struct dirent *e;
    int n = 0;

    if (dir == NULL) {
        size_t len = strlen(path);
        return len > 4 && strcmp(path + len - 4, ".xml") == 0 ? json_and_back(path) : 0;
    }
    while ((e = readdir(dir)) != NULL) {
        char inner[1024];
        if (e->d_name[0] == '.')
            continue;
        assert_in_range(snprintf(inner, sizeof(inner), "%s/%s", path, e->d_name), 1,
                        sizeof(inner) - 1);
        n += each_xml(inner, depth + 1);
    }
    closedir(dir);
    return n;
}

static void models_of_the_tree_keep_everything(void **state)
{
    assert_true(each_xml("models", 0) >= 1);
}

static void models_of_the_corpus_keep_everything(void **state)
{
    char path[512];

    snprintf(path, sizeof(path), "%s/corpus/openvino", model_shared());
    assert_true(each_xml(path, 0) >= 40);
}

/* Notes and order edges are claims about storage that survive a copy on disk. */
static void notes_and_order_edges_survive(void **state)
{
    inlay_graph *g = read_quoted(
        "{'format': 'inlay-graph', 'format_version': 1,"
        "'inputs': [{'name': 'x', 'type': 'f32', 'shape': [2]}],"
        "'nodes': [{'name': 'a', 'type': 'ReLU', 'inputs': ['x']}, {'name': 'b', 'type': 'ReLU', "
        "'inputs': ['a'], 'notes': [{'kind': 'overwrites', 'target': 'a', "
        "'grounds': [{'condition': 'O3 no-later-read', 'node': 'c'}]}]}, {'name': 'c', "
        "'type': 'Exp', 'inputs': ['a']}], 'outputs': ['b', 'c'], "
        "'order_edges': [{'before': 'c', 'after': 'b'}]}");
    inlay_strbuf text;
    inlay_graph *again;

    write_text(g, &text);
    again = read_text(text.bytes, text.n, "notes");
    assert_true(again->has_notes);
    assert_int_equal(again->n_order_edges, 1);
    assert_string_equal(again->order_edges[0].before->name, "c");
    inlay_node *b = inlay_graph_node(again, "b");
    assert_int_equal(b->out[0].note, INLAY_OVERWRITES);
    assert_ptr_equal(b->out[0].note_target, &inlay_graph_node(again, "a")->out[0]);
    assert_int_equal(b->out[0].grounds->n, 1);
    assert_string_equal(inlay_ground_name(&b->out[0].grounds->list[0]), "O3 no-later-read");
    assert_ptr_equal(b->out[0].grounds->list[0].node, inlay_graph_node(again, "c"));
    assert_true(inlay_ground_is_ordered(&b->out[0].grounds->list[0], &b->out[0]));
    inlay_strbuf_free(&text);
    inlay_graph_free(again);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_documents_there_and_back),
        cmocka_unit_test(the_written_form),
        cmocka_unit_test(elements_keep_their_bits),
        cmocka_unit_test(strings_and_names_of_any_bytes),
        cmocka_unit_test(a_name_that_is_no_utf8_is_refused),
        cmocka_unit_test(an_unknown_operation_there_and_back),
        cmocka_unit_test(large_constants_go_to_a_file_beside),
        cmocka_unit_test(files_beside_the_document),
        cmocka_unit_test(models_of_the_tree_keep_everything),
        cmocka_unit_test(models_of_the_corpus_keep_everything),
        cmocka_unit_test(notes_and_order_edges_survive),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
