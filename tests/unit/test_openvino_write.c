/* The OpenVINO writer: what it writes byte by byte, and what it refuses. */
#include "interp/interp.h"
#include "ir/shared.h"
#include "openvino_graphs.h"
#include "passes/passes.h"
#include "tests/unit/models.h"
#include "tests/unit/texts.h"
#include "unit.h"

#include <signal.h>

static void expect_written(const inlay_graph *g, int version, const char *wanted,
                           size_t weights_size)
{
    inlay_strbuf xml, weights;

    model_write_xml(g, version, &xml, &weights, NULL);
    assert_string_equal(xml.bytes, wanted);
    assert_int_equal(weights.n, weights_size);
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
}

/* The form of the file: Parameters come first, ids begin at 0, ports are counted through, names are
 * sorted and escaped, a dimension that is not known is -1, an unknown rank has none. */
static void test_form(void **state)
{
    static const char wanted[] =
        "<?xml version=\"1.0\"?>\n"
        "<net name=\"a &lt;b&gt; &quot;c&quot; &amp;&#10;\" version=\"11\">\n"
        "\t<layers>\n"
        "\t\t<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">\n"
        "\t\t\t<data element_type=\"f32\" shape=\"2,?,1..8\" />\n"
        "\t\t\t<output>\n"
        "\t\t\t\t<port id=\"0\" precision=\"FP32\" names=\"a\\,b,z\">\n"
        "\t\t\t\t\t<dim>2</dim>\n"
        "\t\t\t\t\t<dim>-1</dim>\n"
        "\t\t\t\t\t<dim>-1</dim>\n"
        "\t\t\t\t</port>\n"
        "\t\t\t</output>\n"
        "\t\t</layer>\n"
        "\t\t<layer id=\"1\" name=\"any\" type=\"Parameter\" version=\"opset1\">\n"
        "\t\t\t<data element_type=\"boolean\" shape=\"...\" />\n"
        "\t\t\t<output>\n"
        "\t\t\t\t<port id=\"0\" precision=\"BOOL\" />\n"
        "\t\t\t</output>\n"
        "\t\t</layer>\n"
        "\t\t<layer id=\"2\" name=\"r\" type=\"ReLU\" version=\"opset1\">\n"
        "\t\t\t<input>\n"
        "\t\t\t\t<port id=\"0\" precision=\"FP32\">\n"
        "\t\t\t\t\t<dim>2</dim>\n"
        "\t\t\t\t\t<dim>-1</dim>\n"
        "\t\t\t\t\t<dim>-1</dim>\n"
        "\t\t\t\t</port>\n"
        "\t\t\t</input>\n"
        "\t\t\t<output>\n"
        "\t\t\t\t<port id=\"1\" precision=\"FP32\">\n"
        "\t\t\t\t\t<dim>2</dim>\n"
        "\t\t\t\t\t<dim>-1</dim>\n"
        "\t\t\t\t\t<dim>-1</dim>\n"
        "\t\t\t\t</port>\n"
        "\t\t\t</output>\n"
        "\t\t</layer>\n"
        "\t\t<layer id=\"3\" name=\"y\" type=\"Result\" version=\"opset1\">\n"
        "\t\t\t<input>\n"
        "\t\t\t\t<port id=\"0\" precision=\"FP32\">\n"
        "\t\t\t\t\t<dim>2</dim>\n"
        "\t\t\t\t\t<dim>-1</dim>\n"
        "\t\t\t\t\t<dim>-1</dim>\n"
        "\t\t\t\t</port>\n"
        "\t\t\t</input>\n"
        "\t\t</layer>\n"
        "\t</layers>\n"
        "\t<edges>\n"
        "\t\t<edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\" to-port=\"0\" />\n"
        "\t\t<edge from-layer=\"2\" from-port=\"1\" to-layer=\"3\" to-port=\"0\" />\n"
        "\t</edges>\n"
        "</net>\n";
    inlay_graph *g = inlay_graph_new("a <b> \"c\" &\n", NULL);
    inlay_value *x = parameter(g, "x", "2,?,1..8", INLAY_F32), *r;
    const char *names[] = {"z", "a,b"};

    assert_true(inlay_value_set_names(x, names, 2, NULL));
    parameter(g, "any", "...", INLAY_BOOLEAN);
    r = unary(g, "ReLU@opset1", "r", x);
    inlay_build_result(g, "y", r, NULL);
    expect_written(g, 0, wanted, 0);
    inlay_graph_free(g);
}

static void expect_range(const inlay_strbuf *xml, const char *name, const char *range)
{
    char wanted[300];
    const char *layer, *data;

    snprintf(wanted, sizeof wanted, "name=\"%s\" type=\"Const\"", name);
    layer = strstr(xml->bytes, wanted);
    assert_non_null(layer);
    data = strstr(layer, "<data ");
    assert_memory_equal(strstr(data, "offset="), range, strlen(range));
}

/* Equal bytes are written once whatever their type is; each range begins at a multiple of the size
 * of its elements; strings have their table. */
static void test_weights(void **state)
{
    static const char wanted[] = {7, 0, 0, 0, 0, 0, 0, 0, /* u8, padding; then i64 */
                                  1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0,
                                  /* strings: 2, offsets 0 1 3, "a" "bc" */
                                  2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 'a', 'b', 'c'};
    inlay_graph *g = inlay_graph_new("w", NULL);
    inlay_tensor *byte = numbers(INLAY_U8, 1, 7), *wide = numbers(INLAY_I64, 2, 1),
                 *same = numbers(INLAY_U64, 2, 1), *empty = numbers(INLAY_F32, 0, 0),
                 *strings = inlay_tensor_new(INLAY_STRING, 1, (int64_t[]){2});
    inlay_strbuf xml, weights;

    inlay_tensor_set_string(strings, 0, "a", 1);
    inlay_tensor_set_string(strings, 1, "bc", 2);
    add_const(g, "byte", byte);
    add_const(g, "wide", wide);
    add_const(g, "same", same);
    add_const(g, "strings", strings);
    add_const(g, "empty", empty);
    model_write_xml(g, 0, &xml, &weights, NULL);
    assert_int_equal(weights.n, sizeof wanted);
    assert_memory_equal(weights.bytes, wanted, sizeof wanted);
    expect_range(&xml, "byte", "offset=\"0\" size=\"1\"");
    expect_range(&xml, "wide", "offset=\"8\" size=\"16\"");
    expect_range(&xml, "same", "offset=\"8\" size=\"16\"");
    expect_range(&xml, "strings", "offset=\"24\" size=\"19\"");
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_tensor_release(byte);
    inlay_tensor_release(wide);
    inlay_tensor_release(same);
    inlay_tensor_release(empty);
    inlay_tensor_release(strings);
    inlay_graph_free(g);
}

/* A window on a larger tensor is written as the elements it shows. */
static void test_strided_constant(void **state)
{
    inlay_graph *g = inlay_graph_new("w", NULL);
    inlay_tensor *all = numbers(INLAY_U8, 6, 0), *odd;
    inlay_strbuf xml, weights;
    int64_t dims = 3, strides = 2;

    odd = inlay_tensor_window(all, 1, &dims, &strides, 1);
    add_const(g, "odd", odd);
    model_write_xml(g, 0, &xml, &weights, NULL);
    assert_int_equal(weights.n, 3);
    assert_memory_equal(weights.bytes, "\1\3\5", 3);
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_tensor_release(all);
    inlay_tensor_release(odd);
    inlay_graph_free(g);
}

static void expect_contains(const inlay_graph *g, int version, const char *text, bool there)
{
    inlay_strbuf xml, weights;
    const char *said;

    assert_true(model_write_xml(g, version, &xml, &weights, &said));
    if ((strstr(xml.bytes, text) != NULL) != there)
        fail_msg("%s is %s in\n%s", text, there ? "not" : "there", xml.bytes);
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
}

/* Metadata of layers and ports, and names of outputs, exist in version 11 only. */
static void test_versions(void **state)
{
    static const char source[] =
        "<net name=\"m\" version=\"11\"><layers><layer id=\"0\" name=\"x\" type=\"Parameter\" "
        "version=\"opset1\"><data element_type=\"f32\" shape=\"\"/><rt_info><attribute "
        "name=\"k\"/></rt_info><output><port id=\"0\" precision=\"FP32\"/></output></layer><layer "
        "id=\"1\" name=\"y\" type=\"Result\" version=\"opset1\" output_names=\"o\"><input><port "
        "id=\"0\"/></input></layer></layers><edges><edge from-layer=\"0\" from-port=\"0\" "
        "to-layer=\"1\" to-port=\"0\"/></edges><rt_info><n value=\"1\"/></rt_info></net>";
    inlay_graph *g = model_read_xml(source, NULL, 0, NULL, NULL);

    expect_contains(g, 0, "<attribute name=\"k\" />", true);
    expect_contains(g, 0, "output_names=\"o\"", true);
    expect_contains(g, 10, "<net name=\"m\" version=\"10\">", true);
    expect_contains(g, 10, "<attribute name=\"k\" />", false);
    expect_contains(g, 10, "output_names", false);
    expect_contains(g, 10, "<n value=\"1\" />", true);
    check_not_written(g, 9, "error: OpenVINO IR version 9 cannot be written, only 10 and 11");
    inlay_graph_free(g);
}

static void test_notes_need_version_11(void **state)
{
    inlay_graph *g = inlay_graph_new("n", NULL);
    inlay_value *x = parameter(g, "x", "2", INLAY_F32), *r = unary(g, "ReLU@opset1", "r", x);
    inlay_strbuf xml, weights;
    const char *said;

    inlay_build_result(g, "y", r, NULL);
    assert_true(inlay_value_set_note(r, INLAY_OVERWRITES, x, NULL));
    assert_true(model_write_xml(g, 10, &xml, &weights, &said));
    assert_string_equal(said, "warning: storage notes are not written: IR version 10 cannot hold "
                              "them, 11 can (--ir-version 11)");
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_graph_free(g);
}

/* What the note relies on: "e" is layer 1. */
static void test_grounds_there_and_back(void **state)
{
    inlay_graph *g = noted_graph(), *back;
    inlay_value *r = &inlay_graph_node(g, "r")->out[0];
    inlay_strbuf xml, weights;
    const char *said;
    char *at;

    assert_true(inlay_value_state_grounds(r, NULL));
    assert_true(inlay_value_add_ground(r, INLAY_O3_NO_LATER_READ, inlay_graph_node(g, "e"), NULL));
    model_write_xml(g, 11, &xml, &weights, NULL);
    assert_non_null(strstr(xml.bytes, "layer=\"0\" output=\"0\" relies=\"O3 1\" />"));
    back = model_read_xml(xml.bytes, NULL, 0, NULL, NULL);
    r = &inlay_graph_node(back, "r")->out[0];
    assert_int_equal(r->grounds->n, 1);
    assert_string_equal(inlay_ground_name(&r->grounds->list[0]), "O3 no-later-read");
    assert_ptr_equal(r->grounds->list[0].node, inlay_graph_node(back, "e"));
    inlay_graph_free(back);
    /* a ground that says nothing: the note goes */
    at = strstr(xml.bytes, "O3 1");
    memcpy(at, "O1 1", 4);
    back = model_read_xml(xml.bytes, NULL, 0, NULL, &said);
    assert_int_equal(inlay_graph_node(back, "r")->out[0].note, INLAY_FRESH);
    assert_non_null(strstr(said, "the storage note of output 0 is dropped"));
    inlay_graph_free(back);
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_graph_free(g);
}

static void test_notes_there_and_back(void **state)
{
    inlay_graph *g = noted_graph(), *back;
    inlay_strbuf xml, weights, again;
    const inlay_node *r, *e;

    model_write_xml(g, 11, &xml, &weights, NULL);
    assert_non_null(strstr(xml.bytes, "<attribute name=\"inlay_storage\" version=\"0\" "
                                      "kind=\"overwrites\" layer=\"0\" output=\"0\" />"));
    assert_non_null(
        strstr(xml.bytes, "<attribute name=\"inlay_after\" version=\"0\" layers=\"1\" />"));
    back = model_read_xml(xml.bytes, NULL, 0, NULL, NULL);
    r = inlay_graph_node(back, "r");
    e = inlay_graph_node(back, "e");
    assert_true(back->has_notes);
    assert_int_equal(r->out[0].note, INLAY_OVERWRITES);
    assert_ptr_equal(r->out[0].note_target, &back->params[0]->out[0]);
    assert_null(r->out[0].rt_info);
    assert_null(r->rt_info);
    assert_int_equal(back->n_order_edges, 1);
    assert_ptr_equal(back->order_edges[0].before, e);
    assert_ptr_equal(back->order_edges[0].after, r);
    inlay_strbuf_free(&weights);
    model_write_xml(back, 11, &again, &weights, NULL);
    assert_string_equal(again.bytes, xml.bytes);
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&again);
    inlay_strbuf_free(&weights);
    inlay_graph_free(back);
    inlay_graph_free(g);
}

/* Replaces the first FROM of TEXT by TO; both have the same length. */
static void change(char *text, const char *from, const char *to)
{
    char *at = strstr(text, from);

    assert_non_null(at);
    assert_int_equal(strlen(from), strlen(to));
    memcpy(at, to, strlen(to));
}

static void test_notes_that_say_nothing(void **state)
{
    inlay_graph *g = noted_graph(), *back;
    inlay_strbuf xml, weights;
    const char *said;

    model_write_xml(g, 11, &xml, &weights, NULL);
    change(xml.bytes, "layer=\"0\" output", "layer=\"8\" output");
    change(xml.bytes, "layers=\"1\"", "layers=\"9\"");
    back = model_read_xml(xml.bytes, NULL, 0, NULL, &said);
    assert_non_null(back);
    assert_false(back->has_notes);
    assert_string_equal(said, "24: warning: layer 2 \"r\" (ReLU-1): an order edge is dropped: "
                              "there is no layer 9 before it\n"
                              "24: warning: layer 2 \"r\" (ReLU-1): the storage note of output 0 "
                              "is dropped: \"overwrites\" of "
                              "output 0 of layer 8 says nothing here");
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_graph_free(back);
    inlay_graph_free(g);
}

/* A layer that had its name second keeps it in the file, unless reading would give it another. */
static void test_labels(void **state)
{
    inlay_graph *g = inlay_graph_new("l", NULL);
    inlay_value *x = parameter(g, "x", "2", INLAY_F32), *a, *b;

    a = unary(g, "ReLU@opset1", "same", x);
    b = unary(g, "Exp@opset1", "same", a);
    inlay_build_result(g, "y", b, NULL);
    expect_contains(g, 0, "name=\"same_2\"", false);
    inlay_graph_free(g);

    /* here the second comes first in the file */
    g = inlay_graph_new("l", NULL);
    x = parameter(g, "x", "2", INLAY_F32);
    a = unary(g, "ReLU@opset1", "same", x);
    b = unary(g, "Exp@opset1", "same", x);
    inlay_build_result(g, "y", b, NULL);
    inlay_build_result(g, "z", a, NULL);
    expect_contains(g, 0, "name=\"same_2\" type=\"Exp\"", true);
    expect_contains(g, 0, "name=\"same\" type=\"ReLU\"", true);
    inlay_graph_free(g);
}

static void test_attributes_are_exact(void **state)
{
    inlay_graph *g = inlay_graph_new("a", NULL);
    inlay_value *x = parameter(g, "x", "1,2,4,4", INLAY_F32), *values[2];
    inlay_node *n;

    n = inlay_build(g, "c", "Clamp@opset1", &x, 1, "min=-0.1; max=0.30000000000000004", NULL);
    assert_non_null(n);
    values[0] = &n->out[0];
    n = inlay_build(g, "p", "MaxPool@opset1", values, 1,
                    "strides=2,2; pads_begin=0,0; pads_end=0,0; kernel=2,2; auto_pad=VALID", NULL);
    assert_non_null(n);
    inlay_build_result(g, "y", &n->out[0], NULL);
    expect_contains(g, 0, "<data min=\"-0.1\" max=\"0.30000000000000004\" />", true);
    expect_contains(g, 0, "strides=\"2, 2\"", true);
    expect_contains(g, 0, "auto_pad=\"valid\"", true);
    inlay_graph_free(g);
}

/* A pass may leave a variable that is still assigned, but that nothing reads any more. The file
 * reads it, which the reader demands, and is the same function. */
static void check_unread_variable(const char *operation)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_graph *g = inlay_graph_new("m", NULL), *back;
    inlay_value *x = parameter(g, "x", "?,2", INLAY_BOOLEAN);
    inlay_diags *d = inlay_diags_new();
    inlay_verify_result result;
    inlay_strbuf xml, weights;
    const char *said;

    assert_non_null(inlay_graph_variable(g, "v", NULL));
    assert_non_null(inlay_build(g, "w", operation, &x, 1, "variable_id=v", d));
    assert_true(model_write_xml(g, 0, &xml, &weights, &said));
    assert_string_equal(said, "");
    back = model_read_xml(xml.bytes, weights.bytes, weights.n, NULL, &said);
    assert_string_equal(said, "");
    assert_non_null(inlay_graph_node(back, "read_before_assign"));
    assert_true(inlay_verify(g, &reference, back, &reference, NULL, &result, d));
    assert_string_equal(result.why, "");
    assert_int_equal(result.verdict, INLAY_SAME);
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_graph_free(back);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* The edit that makes the file read the variable drops storage notes, like any other. */
static void check_unread_variable_with_notes(void)
{
    inlay_graph *g = inlay_graph_new("m", NULL);
    inlay_value *x = parameter(g, "x", "2", INLAY_F32), *a = unary(g, "Abs@opset1", "a", x),
                *b = unary(g, "ReLU@opset1", "b", a);
    inlay_strbuf xml, weights;
    const char *said;

    assert_non_null(inlay_graph_variable(g, "v", NULL));
    assert_non_null(inlay_build(g, "w", "Assign", &b, 1, "variable_id=v", NULL));
    assert_true(inlay_value_set_note(b, INLAY_OVERWRITES, a, NULL));
    assert_true(model_write_xml(g, 0, &xml, &weights, &said));
    assert_string_equal(said,
                        "warning: storage notes are not written: a variable is assigned but not "
                        "read, and the file has to read it");
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_graph_free(g);
}

static void test_unread_variable(void **state)
{
    check_unread_variable_with_notes();
    check_unread_variable("Assign@opset3");
    check_unread_variable("Assign@opset6");
}

static void test_refusals(void **state)
{
    inlay_graph *g = inlay_graph_new("bad \1 name", NULL);
    inlay_value *x;
    inlay_meta *m;

    check_not_written(g, 0, "error: name holds the byte 0x01, which XML cannot hold there");
    inlay_graph_free(g);

    g = inlay_graph_new("m", NULL);
    parameter(g, "\xff", "2", INLAY_F32);
    check_not_written(g, 0,
                      "error: node \"\xff\" (Parameter-1): name holds the byte 0xff, which XML "
                      "cannot hold there");
    inlay_graph_free(g);

    g = inlay_graph_new("m", NULL);
    parameter(g, "c", "2", INLAY_C64);
    check_not_written(g, 0, "error: node \"c\" (Parameter-1): OpenVINO IR has no type c64");
    inlay_graph_free(g);

    g = inlay_graph_new("m", NULL);
    x = inlay_build_ints(g, "c", INLAY_C64, 0, NULL, &(int64_t){0}, NULL);
    if (x) {
        inlay_build_result(g, "y", x, NULL);
        check_not_written(g, 0,
                          "error: node \"c\" (Const-1): OpenVINO IR has no constant of type c64");
    }
    inlay_graph_free(g);

    g = inlay_graph_new("m", NULL);
    m = inlay_meta_new(g, "two words", NULL);
    append_meta(&g->meta, m);
    check_not_written(g, 0, "error: \"two words\" is no name that an XML element can have");
    g->meta = inlay_meta_new(g, "tag", NULL);
    inlay_meta_set(g, g->meta, "1st", "x", NULL);
    check_not_written(g, 0, "error: \"1st\" is no name that an XML attribute can have");
    g->meta = NULL;
    for (int i = 0; i < 200; i++) {
        m = inlay_meta_new(g, "deep", NULL);
        m->child = g->meta;
        g->meta = m;
    }
    check_not_written(g, 0, "error: metadata is nested more than 128 deep");
    inlay_graph_free(g);
}

/* Writes and reads an operation that OpenVINO does not have, of whose inputs those in the set
 * ABSENT are so. */
static void absent_of_others(int absent)
{
    inlay_graph *g = inlay_graph_new("m", NULL), *back;
    inlay_node *n =
        inlay_node_new(g, inlay_op_stand_in(g->arena, "Odd", "extension", NULL), "odd", 4, 1, NULL);
    inlay_value *x = parameter(g, "x", "4,4", INLAY_F32);
    inlay_read_options o = {.allow_unknown = true};
    inlay_strbuf xml, weights;
    const char *said;
    char why[200];

    for (int i = 0; i < 4; i++)
        assert_true((absent >> i & 1) || inlay_node_set_input(n, i, x, NULL));
    inlay_build_result(g, "y", &n->out[0], NULL);
    assert_true(model_write_xml(g, 0, &xml, &weights, &said));
    back = model_read_xml(xml.bytes, NULL, 0, &o, &said);
    assert_non_null(back);
    for (int i = 0; i < 4; i++) {
        const inlay_node *made = back->results[0]->in[0].value->node;

        assert_int_equal(i < made->n_in && made->in[i].value, !(absent >> i & 1));
    }
    assert_true(absent >> 3 & 1 || inlay_graph_equal(g, back, why, sizeof why));
    inlay_graph_free(g);
    inlay_graph_free(back);
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
}

/* Optional inputs of OpenVINO's operations may only be absent at the end (9, quirk 17). */
static void test_absent_inputs(void **state)
{
    inlay_graph *g = inlay_graph_new("m", NULL);
    inlay_value *x = parameter(g, "x", "4,4", INLAY_F32), *in[5] = {x};
    inlay_node *n;

    in[1] = inlay_build_ints(g, "b", INLAY_I64, 1, (int64_t[]){1}, (int64_t[]){0}, NULL);
    in[2] = inlay_build_ints(g, "e", INLAY_I64, 1, (int64_t[]){1}, (int64_t[]){2}, NULL);
    n = inlay_build(g, "s", "StridedSlice@opset1", in, 4, "begin_mask=0; end_mask=0", NULL);
    assert_non_null(n);
    inlay_build_result(g, "y", &n->out[0], NULL);
    expect_contains(g, 0, "to-port=\"3\"", false);
    inlay_graph_free(g);

    g = inlay_graph_new("m", NULL);
    x = parameter(g, "x", "4,4", INLAY_F32);
    n = inlay_node_new(g, inlay_op_find(NULL, "I420toRGB", "opset8", NULL, NULL), "odd", 3, 1,
                       NULL);
    assert_true(inlay_node_set_input(n, 0, x, NULL) && inlay_node_set_input(n, 2, x, NULL));
    inlay_build_result(g, "y", &n->out[0], NULL);
    check_not_written(g, 0,
                      "error: node \"odd\" (I420toRGB-8): input 1 is absent and input 2 is not, "
                      "which OpenVINO IR cannot say");
    inlay_graph_free(g);
    for (int absent = 0; absent < 15; absent++)
        absent_of_others(absent);
}

static void test_backslash_name(void **state)
{
    inlay_graph *g = inlay_graph_new("m", NULL);
    inlay_value *x = parameter(g, "x", "2", INLAY_F32);
    const char *names[] = {"a\\", "b"};
    inlay_strbuf xml, weights;
    const char *said;

    assert_true(inlay_value_set_names(x, names, 2, NULL));
    assert_true(model_write_xml(g, 0, &xml, &weights, &said));
    assert_string_equal(said,
                        "warning: node \"x\" (Parameter-1): the tensor name \"a\\\" is left out: "
                        "the format cannot hold a name that ends in a backslash");
    assert_non_null(strstr(xml.bytes, "names=\"b\""));
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_graph_free(g);
}

/* Where the file has no list of variables, the shape that the graph gives a variable stands at its
 * ReadValue. */
static void test_variable_shape(void **state)
{
    inlay_graph *g = inlay_graph_new("m", NULL);
    inlay_variable *v = inlay_graph_variable(g, "state", NULL);
    inlay_dim dims[2] = {inlay_dim_of(2), inlay_dim_any()};
    inlay_node *n;

    assert_true(inlay_variable_set(g, v, INLAY_F32, 2, dims, NULL));
    n = inlay_build(g, "r", "ReadValue@opset6", NULL, 0, "variable_id=state", NULL);
    assert_non_null(n);
    inlay_build_result(g, "y", &n->out[0], NULL);
    expect_contains(
        g, 0, "<data variable_id=\"state\" variable_type=\"f32\" variable_shape=\"2,?\" />", true);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_form),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_strided_constant),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_notes_need_version_11),
        cmocka_unit_test(test_notes_there_and_back),
        cmocka_unit_test(test_grounds_there_and_back),
        cmocka_unit_test(test_notes_that_say_nothing),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_attributes_are_exact),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_unread_variable),
        cmocka_unit_test(test_absent_inputs),
        cmocka_unit_test(test_backslash_name),
        cmocka_unit_test(test_variable_shape),
    };

    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
