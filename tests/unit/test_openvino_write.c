/* The OpenVINO writer: what it writes byte by byte, what it refuses, and that files appear complete
 * or not at all. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "interp/interp.h"
#include "ir/shared.h"
#include "passes/passes.h"
#include "tests/unit/models.h"
#include "tests/unit/texts.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static inlay_value *parameter(inlay_graph *g, const char *name, const char *shape, inlay_type type)
{
    inlay_shape s;
    const char *why;
    inlay_value *v;

    assert_true(inlay_shape_parse(shape, &s, &why));
    v = inlay_build_parameter(g, name, type, &s, NULL);
    assert_non_null(v);
    return v;
}

static inlay_value *unary(inlay_graph *g, const char *operation, const char *name, inlay_value *v)
{
    inlay_node *n = inlay_build(g, name, operation, &v, 1, NULL, NULL);

    assert_non_null(n);
    return &n->out[0];
}

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

    (void)state;
    assert_true(inlay_value_set_names(x, names, 2, NULL));
    parameter(g, "any", "...", INLAY_BOOLEAN);
    r = unary(g, "ReLU@opset1", "r", x);
    inlay_build_result(g, "y", r, NULL);
    expect_written(g, 0, wanted, 0);
    inlay_graph_free(g);
}

static inlay_tensor *numbers(inlay_type type, int64_t n, int64_t first)
{
    inlay_tensor *t = inlay_tensor_new(type, 1, &n);

    for (int64_t i = 0; i < n; i++)
        inlay_tensor_set_i64(t, i, first + i);
    return t;
}

static void add_const(inlay_graph *g, const char *name, const inlay_tensor *t)
{
    inlay_value *v = inlay_build_const(g, name, t, NULL);

    assert_non_null(v);
    assert_non_null(inlay_build_result(g, NULL, v, NULL));
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

    (void)state;
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

    (void)state;
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

    (void)state;
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

    (void)state;
    inlay_build_result(g, "y", r, NULL);
    assert_true(inlay_value_set_note(r, INLAY_OVERWRITES, x, NULL));
    assert_true(model_write_xml(g, 10, &xml, &weights, &said));
    assert_string_equal(said, "warning: storage notes are not written: IR version 10 cannot hold "
                              "them, 11 can (--ir-version 11)");
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_graph_free(g);
}

/* Makes a graph in which r overwrites x; e, which reads x too, comes before r. */
static inlay_graph *noted_graph(void)
{
    inlay_graph *g = inlay_graph_new("n", NULL);
    inlay_value *x = parameter(g, "x", "2", INLAY_F32), *r = unary(g, "ReLU@opset1", "r", x),
                *e = unary(g, "Exp@opset1", "e", x);

    inlay_build_result(g, "y", r, NULL);
    inlay_build_result(g, "z", e, NULL);
    assert_true(inlay_graph_add_order_edge(g, e->node, r->node, NULL));
    assert_true(inlay_value_set_note(r, INLAY_OVERWRITES, x, NULL));
    return g;
}

/* What the note relies on: "e" is layer 1. */
static void test_grounds_there_and_back(void **state)
{
    inlay_graph *g = noted_graph(), *back;
    inlay_value *r = &inlay_graph_node(g, "r")->out[0];
    inlay_strbuf xml, weights;
    const char *said;
    char *at;

    (void)state;
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

    (void)state;
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

    (void)state;
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

    (void)state;
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

    (void)state;
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
    (void)state;
    check_unread_variable_with_notes();
    check_unread_variable("Assign@opset3");
    check_unread_variable("Assign@opset6");
}

static void test_refusals(void **state)
{
    inlay_graph *g = inlay_graph_new("bad \1 name", NULL);
    inlay_value *x;
    inlay_meta *m;

    (void)state;
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

    (void)state;
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

    (void)state;
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

    (void)state;
    assert_true(inlay_variable_set(g, v, INLAY_F32, 2, dims, NULL));
    n = inlay_build(g, "r", "ReadValue@opset6", NULL, 0, "variable_id=state", NULL);
    assert_non_null(n);
    inlay_build_result(g, "y", &n->out[0], NULL);
    expect_contains(
        g, 0, "<data variable_id=\"state\" variable_type=\"f32\" variable_shape=\"2,?\" />", true);
    inlay_graph_free(g);
}

/* files */

static char dir[64];

static int make_dir(void **state)
{
    (void)state;
    strcpy(dir, "/tmp/inlay-test-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static const char *in_dir(const char *name)
{
    static char path[400];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static int count_files(void)
{
    DIR *d = opendir(dir);
    int n = 0;

    while (readdir(d))
        n++;
    closedir(d);
    return n - 2;
}

static int remove_dir(void **state)
{
    DIR *d = opendir(dir);
    struct dirent *e;

    (void)state;
    while ((e = readdir(d)))
        unlink(in_dir(e->d_name));
    closedir(d);
    return rmdir(dir);
}

static inlay_graph *constant_graph(int64_t n)
{
    inlay_graph *g = inlay_graph_new("c", NULL);
    inlay_tensor *t = numbers(INLAY_I64, n, 1);

    add_const(g, "c", t);
    inlay_tensor_release(t);
    return g;
}

static void test_files(void **state)
{
    inlay_graph *g = constant_graph(3), *back;
    inlay_diags *d = inlay_diags_new();
    char why[200], other[100], text[100];
    inlay_write_options o = {.weights = other};
    inlay_read_options named = {.weights = other};

    (void)state;
    snprintf(other, sizeof other, "%s/other.weights", dir);
    snprintf(text, sizeof text, "%s/m.inlay", dir);
    assert_true(inlay_write_file(g, in_dir("m.xml"), NULL, d));
    assert_int_equal(count_files(), 2);
    assert_int_equal(access(in_dir("m.bin"), F_OK), 0);
    back = inlay_read_file(in_dir("m.xml"), NULL, d);
    assert_true(inlay_graph_equal(g, back, why, sizeof why));
    /* over itself, while it is mapped */
    assert_true(inlay_write_file(back, in_dir("m.xml"), NULL, d));
    inlay_graph_free(back);
    back = inlay_read_file(in_dir("m.xml"), NULL, d);
    assert_true(inlay_graph_equal(g, back, why, sizeof why));
    inlay_graph_free(back);
    /* another weights file */
    assert_true(inlay_write_file(g, in_dir("n.xml"), &o, d));
    assert_int_equal(count_files(), 4);
    assert_null(inlay_read_file(in_dir("n.xml"), NULL, NULL));
    back = inlay_read_file(in_dir("n.xml"), &named, d);
    assert_true(inlay_graph_equal(g, back, why, sizeof why));
    inlay_graph_free(back);
    /* the text form, told by its content */
    assert_true(inlay_write_file(g, in_dir("m.inlay"), NULL, d));
    assert_int_equal(rename(text, in_dir("m.dat")), 0);
    back = inlay_read_file(in_dir("m.dat"), NULL, d);
    assert_true(inlay_graph_equal(g, back, why, sizeof why));
    inlay_graph_free(back);
    assert_int_equal(inlay_diags_count(d), 0);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static void expect_file_error(const char *said, inlay_status status, inlay_diags *d)
{
    assert_string_equal(model_messages(d), said);
    assert_int_equal(inlay_diags_status(d), status);
    inlay_diags_clear(d);
}

static void test_file_messages(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = constant_graph(1);
    inlay_read_options small = {.max_bytes = 4};
    FILE *f;

    (void)state;
    assert_null(inlay_read_file(in_dir("nothing.xml"), NULL, d));
    expect_file_error("error: cannot open: No such file or directory", INLAY_INVALID, d);
    assert_null(inlay_read_file(dir, NULL, d));
    expect_file_error("error: cannot read: Is a directory", INLAY_INVALID, d);
    f = fopen(in_dir("empty.xml"), "w");
    fclose(f);
    assert_null(inlay_read_file(in_dir("empty.xml"), NULL, d));
    expect_file_error("error: the file is empty", INLAY_INVALID, d);
    f = fopen(in_dir("binary"), "w");
    fwrite("\x80\x02}q\1", 1, 5, f);
    fclose(f);
    assert_null(inlay_read_file(in_dir("binary"), NULL, d));
    expect_file_error(
        "error: this is a pickle of Python, as PyTorch writes them, which is not read yet",
        INLAY_INVALID, d);
    assert_null(inlay_read_file(in_dir("binary"), &small, d));
    expect_file_error("error: the file has 5 bytes, at most 4 are read", INLAY_NO_RESOURCE, d);
    assert_false(inlay_write_file(g, in_dir("m.onnx"), NULL, d));
    expect_file_error("error: a model's name ends in .xml, .json, .inlay or .txt", INLAY_INVALID,
                      d);
    assert_false(inlay_write_file(g, in_dir("no/such/folder.xml"), NULL, d));
    expect_file_error("error: cannot write: No such file or directory", INLAY_NO_RESOURCE, d);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* In a file a note is a claim: what is illegal is dropped with a warning. */
static void test_claims(void **state)
{
    inlay_graph *g = noted_graph(), *back;
    inlay_diags *d = inlay_diags_new();

    (void)state;
    g->n_order_edges = 0; /* now z reads x after r wrote over it */
    assert_true(inlay_write_file(g, in_dir("m.xml"), NULL, d));
    back = inlay_read_file(in_dir("m.xml"), NULL, d);
    assert_non_null(back);
    assert_int_equal(inlay_graph_node(back, "r")->out[0].note, INLAY_FRESH);
    assert_int_equal(inlay_diags_count(d), 1);
    assert_non_null(strstr(inlay_diags_at(d, 0)->text,
                           "(ReLU-1): the storage note \"r\" overwrites \"x\" is dropped: "));
    inlay_graph_free(back);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* A model that is refused, and one that does not fit on the disk, leave everything as it was. */
static void test_nothing_half_written(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *good = constant_graph(1), *large = constant_graph(100000),
                *bad = inlay_graph_new("bad\1", NULL);
    struct rlimit before, limit;
    struct stat st;
    int files;

    (void)state;
    remove_dir(NULL);
    make_dir(NULL);
    assert_true(inlay_write_file(good, in_dir("m.xml"), NULL, d));
    files = count_files();
    assert_false(inlay_write_file(bad, in_dir("m.xml"), NULL, d));
    assert_false(inlay_write_file(bad, in_dir("new.xml"), NULL, d));
    inlay_diags_clear(d);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 1000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_false(inlay_write_file(large, in_dir("m.xml"), NULL, d));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    expect_file_error("error: cannot write: File too large", INLAY_NO_RESOURCE, d);
    assert_int_equal(count_files(), files);
    assert_int_equal(stat(in_dir("m.bin"), &st), 0);
    assert_int_equal(st.st_size, 8);
    inlay_graph_free(good);
    inlay_graph_free(large);
    inlay_graph_free(bad);
    inlay_diags_free(d);
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
        cmocka_unit_test_setup_teardown(test_files, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_claims, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_file_messages, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_nothing_half_written, make_dir, remove_dir),
    };

    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
