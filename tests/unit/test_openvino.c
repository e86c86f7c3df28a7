/* The OpenVINO reader: every quirk of the format (parser/openvino/README.md 9). Expected values come
 * from the format's description. */
#include "ir/shared.h"
#include "openvino_layers.h"
#include "tests/unit/models.h"
#include "unit.h"

static const char two_floats[8];

static inlay_graph *read_ok(const char *xml)
{
    const char *said;
    inlay_graph *g = model_read_xml(xml, two_floats, sizeof two_floats, NULL, &said);

    if (!g || *said)
        fail_msg("%s", said);
    return g;
}

static void test_smallest_model(void **state)
{
    inlay_graph *g = read_ok(MODEL);

    assert_string_equal(g->name, "m");
    assert_int_equal(g->ir_version, 11);
    assert_string_equal(g->file, "model.xml");
    assert_int_equal(g->n_nodes, 2);
    assert_int_equal(g->params[0]->line, 3);
    assert_int_equal(g->params[0]->place, 0);
    assert_int_equal(g->results[0]->place, 9);
    assert_ptr_equal(g->results[0]->in[0].value, &g->params[0]->out[0]);
    inlay_graph_free(g);
}

/* Comments may stand before the root, the root's name is in any case, there is no XML declaration,
 * or a byte order mark. */
static void test_root_spellings(void **state)
{
    inlay_graph_free(read_ok("<!-- long --><?pi x?><NET version=\" 11 \"><layers/></NET>"));
    inlay_graph_free(read_ok("\xef\xbb\xbf<net version=\"10\"><layers/></net>"));
    inlay_graph_free(
        read_ok("<?xml version=\"1.0\" encoding=\"utf-8\"?><net version=\"10\"><layers/></net>"));
}

/* Inputs and outputs of the model are in document order; ids are only labels; layers that lead
 * nowhere vanish, Parameters stay. */
static void test_document_order(void **state)
{
    inlay_graph *g =
        read_ok(NET("<layer id=\"70\" name=\"r2\" type=\"Result\" version=\"opset1\"><input><port "
                    "id=\"5\"/></input></layer>\n"
                    "<layer id=\"8\" name=\"dead\" type=\"NoSuchOp\" version=\"nowhere\"/>\n"
                    "<layer id=\"60\" name=\"p2\" type=\"Parameter\" version=\"opset1\"><data "
                    "element_type=\"f32\" shape=\"2\"/>" OUT0 "</layer>\n" RESULT PARAM,
                    EDGE(0, 0, 9, 0) EDGE(0, 0, 70, 5) EDGE(0, 0, 1234, 0)));

    assert_int_equal(g->n_nodes, 4);
    assert_string_equal(g->params[0]->name, "p2");
    assert_string_equal(g->params[1]->name, "x");
    assert_string_equal(g->results[0]->name, "r2");
    assert_string_equal(g->results[1]->name, "y");
    inlay_graph_free(g);
}

/* Types are found ignoring case, version names a table; what the file wrote is kept. */
static void test_type_spellings(void **state)
{
    static const char *const spellings[] = {"ReLU", "Relu", "relu", "RELU"};
    char xml[1200];

    for (size_t i = 0; i < 4; i++) {
        inlay_graph *g;

        snprintf(xml, sizeof xml,
                 NET(PARAM "<layer id=\"1\" name=\"r\" type=\"%s\" version=\"opset8\">" IN0 OUT1
                           "</layer>\n" RESULT,
                     RELU_EDGES),
                 spellings[i]);
        g = read_ok(xml);
        assert_string_equal(g->first->next->op->name, "ReLU");
        assert_string_equal(g->first->next->opset, "opset8");
        inlay_graph_free(g);
    }
}

/* The entities and character references of XML itself, in names, attributes and metadata. */
static void test_escapes(void **state)
{
    inlay_graph *g = read_ok("<net name=\"&lt;a&gt; &amp;amp; &quot;&apos;&#38;&#x263a;&#10;\" "
                             "version=\"11\"><layers/><rt_info><k value=\"&amp;&#38;\">x &amp; "
                             "<![CDATA[<y>]]></k></rt_info></net>");

    assert_string_equal(g->name, "<a> &amp; \"'&\xe2\x98\xba\n");
    assert_string_equal(g->meta->child->attrs[1], "&&");
    assert_string_equal(g->meta->child->text, "x & <y>");
    inlay_graph_free(g);
}

static void test_tensor_names(void **state)
{
    inlay_graph *g =
        read_ok(NET("<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data "
                    "element_type=\"f32\" shape=\"2\"/><output><port id=\"0\" precision=\"FP32\" "
                    "names=\"z,a\\,b,, c;d/e,z\"><dim>2</dim></port></output></layer>\n"
                    "<layer id=\"9\" name=\"y\" type=\"Result\" version=\"opset1\" "
                    "output_names=\"o,p\">" IN0 "</layer>\n",
                    EDGE(0, 0, 9, 0)));
    const inlay_value *v = &g->params[0]->out[0];

    assert_int_equal(v->n_names, 3);
    assert_string_equal(v->names[0], " c;d/e");
    assert_string_equal(v->names[1], "a,b");
    assert_string_equal(v->names[2], "z");
    assert_string_equal(g->results[0]->result_names, "o,p");
    inlay_graph_free(g);
}

#define RT_INFO "<rt_info><attribute name=\"fused_names\" version=\"0\" value=\"a, b\"/></rt_info>"
#define WITH_RT_INFO(version)                                                                      \
    "<net version=\"" version "\"><layers><layer id=\"0\" name=\"x\" type=\"Parameter\" "          \
    "version=\"opset1\"><data element_type=\"f32\" shape=\"\"/>" RT_INFO "<output><port id=\"0\" " \
    "precision=\"FP32\">" RT_INFO "</port></output></layer><layer id=\"9\" name=\"y\" "            \
    "type=\"Result\" version=\"opset1\" output_names=\"o\">" IN0 "</layer></layers><edges>" EDGE(  \
        0, 0, 9, 0) "</edges><rt_info><MO_version\tvalue=\"1\"/><info name=\"a key\">text</info>"  \
                    "</rt_info><meta_data><x/></meta_data></net>"

/* Layers and ports have rt_info in version 11 only; a net has metadata in both. */
static void test_metadata(void **state)
{
    inlay_graph *g = read_ok(WITH_RT_INFO("11"));
    const inlay_meta *m = g->params[0]->rt_info;

    assert_string_equal(m->tag, "attribute");
    assert_int_equal(m->n_attrs, 3);
    assert_string_equal(m->attrs[4], "value");
    assert_string_equal(m->attrs[5], "a, b");
    assert_string_equal(g->params[0]->out[0].rt_info->tag, "attribute");
    assert_string_equal(g->meta->tag, "rt_info");
    assert_string_equal(g->meta->child->tag, "MO_version");
    assert_string_equal(g->meta->child->next->text, "text");
    assert_string_equal(g->meta->next->tag, "meta_data");
    inlay_graph_free(g);

    g = read_ok(WITH_RT_INFO("10"));
    assert_null(g->params[0]->rt_info);
    assert_null(g->params[0]->out[0].rt_info);
    assert_null(g->results[0]->result_names);
    assert_string_equal(g->meta->tag, "rt_info");
    inlay_graph_free(g);
}

static const inlay_tensor *const_of(const inlay_graph *g)
{
    return inlay_node_attr(g->first, "value")->as.tensor;
}

/* Constants are views into the weights at any alignment, which are larger than needed, and one
 * range has two types. */
static void test_const_is_a_view(void **state)
{
    static const unsigned char weights[16] = {9, 0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00, 0xc0};
    inlay_buffer *b = inlay_buffer_new(sizeof weights);
    const char *xml = CONST_MODEL("element_type=\"f32\" shape=\"2\" offset=\"1\" size=\"15\"");
    inlay_diags *d = inlay_diags_new();
    const inlay_tensor *t;
    inlay_graph *g;

    memcpy(inlay_buffer_data(b), weights, sizeof weights);
    g = inlay_read_xml("m.xml", xml, strlen(xml), b, NULL, d);
    assert_non_null(g);
    t = const_of(g);
    assert_ptr_equal(t->data, (char *)inlay_buffer_data(b) + 1);
    inlay_buffer_release(b);
    assert_true(inlay_tensor_get_f64(t, 0) == 1.0);
    assert_true(inlay_tensor_get_f64(t, 1) == -2.0);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* u1 has its high bit first, i4 its low nibble first and sign-extended (parser/openvino/README.md
 * 4.2). */
static void test_packed_constants(void **state)
{
    static const unsigned char bits[2] = {0xa1, 0x40}, nibbles[2] = {0x2f, 0x07};
    static const int wanted_bits[10] = {1, 0, 1, 0, 0, 0, 0, 1, 0, 1}, wanted_i4[3] = {-1, 2, 7};
    inlay_graph *g;

    g = model_read_xml(CONST_MODEL("element_type=\"u1\" shape=\"10\" offset=\"0\" size=\"2\""),
                       bits, 2, NULL, &(const char *){0});
    for (int i = 0; i < 10; i++)
        assert_int_equal(inlay_tensor_get_i64(const_of(g), i), wanted_bits[i]);
    inlay_graph_free(g);
    g = model_read_xml(CONST_MODEL("element_type=\"i4\" shape=\"3\" offset=\"0\" size=\"2\""),
                       nibbles, 2, NULL, &(const char *){0});
    for (int i = 0; i < 3; i++)
        assert_int_equal(inlay_tensor_get_i64(const_of(g), i), wanted_i4[i]);
    inlay_graph_free(g);
}

static void test_string_constants(void **state)
{
    /* count 2, offsets 0 3 5, "abc", U+00E9 in UTF-8 */
    static const char weights[21] = {2, 0, 0, 0, 0, 0,   0,   0,   3,          0,         0,
                                     0, 5, 0, 0, 0, 'a', 'b', 'c', (char)0xc3, (char)0xa9};
    static const char empty[4];
    inlay_graph *g =
        model_read_xml(CONST_MODEL("element_type=\"string\" shape=\"2\" offset=\"0\" size=\"21\""),
                       weights, 21, NULL, &(const char *){0});
    inlay_string s;

    assert_non_null(g);
    s = inlay_tensor_get_string(const_of(g), 0);
    assert_int_equal(s.length, 3);
    assert_memory_equal(s.bytes, "abc", 3);
    s = inlay_tensor_get_string(const_of(g), 1);
    assert_int_equal(s.length, 2);
    assert_memory_equal(s.bytes, "\xc3\xa9", 2);
    inlay_graph_free(g);

    g = model_read_xml(CONST_MODEL("element_type=\"string\" shape=\"0\" offset=\"0\" size=\"4\""),
                       empty, 4, NULL, &(const char *){0});
    assert_int_equal(inlay_tensor_count(const_of(g)), 0);
    inlay_graph_free(g);
}

/* What a port says is compared with inference; no dims means a scalar or unknown rank. */
static void expect_warnings(const char *xml, const char *said)
{
    const char *really;
    inlay_graph *g = model_read_xml(xml, two_floats, sizeof two_floats, NULL, &really);

    assert_string_equal(really, said);
    assert_non_null(g);
    inlay_graph_free(g);
}

#define WITH_DATA(id, data)                                                                        \
    "<layer id=\"" #id "\" name=\"r" #id "\" type=\"ReLU\" version=\"opset1\"><data " data         \
    "/>" IN0 OUT1 "</layer>\n"

/* One warning for each kind of attribute that is ignored, and one for all kinds beyond the eighth.
 */
static void test_ignored_attributes(void **state)
{
    expect_warnings(
        NET(PARAM RELU("", "<data slope=\"1\" PrimitivesPriority=\"cpu\" alt_width=\"2\"/>" IN0,
                       OUT1) RESULT,
            RELU_EDGES),
        "4: warning: layer 1 \"r\" (ReLU-1): attribute \"slope\" is ignored: ReLU-1 has none "
        "of this name");
    expect_warnings(
        NET(PARAM WITH_DATA(1, "slope=\"1\"") WITH_DATA(2, "slope=\"2\" alpha=\"1\"")
                WITH_DATA(3, "slope=\"3\"") RESULT,
            EDGE(0, 0, 1, 0) EDGE(1, 1, 2, 0) EDGE(2, 1, 3, 0) EDGE(3, 1, 9, 0)),
        "4: warning: layer 1 \"r1\" (ReLU-1): attribute \"slope\" is ignored, here and in 2 "
        "more layers: ReLU-1 has none of this name\n"
        "5: warning: layer 2 \"r2\" (ReLU-1): attribute \"alpha\" is ignored: ReLU-1 has "
        "none of this name");
    expect_warnings(
        NET(PARAM WITH_DATA(
                1, "a=\"\" b=\"\" c=\"\" d=\"\" e=\"\" f=\"\" g=\"\" h=\"\" i=\"\" j=\"\"") RESULT,
            EDGE(0, 0, 1, 0) EDGE(1, 1, 9, 0)),
#define IGNORED(name)                                                                              \
    "4: warning: layer 1 \"r1\" (ReLU-1): attribute \"" name                                       \
    "\" is ignored: ReLU-1 has none of this name\n"
        IGNORED("a") IGNORED("b") IGNORED("c") IGNORED("d") IGNORED("e") IGNORED("f") IGNORED("g")
            IGNORED("h") "warning: 2 more attributes are ignored: their "
                         "operations have none of these names");
}

static void test_boolean_that_is_none(void **state)
{
    expect_warnings(
        NET(PARAM "<layer id=\"1\" name=\"s\" type=\"CumSum\" version=\"opset3\"><data "
                  "exclusive=\"maybe\"/><input><port id=\"0\"/></input>" OUT1 "</layer>\n" RESULT,
            RELU_EDGES),
        "4: warning: layer 1 \"s\" (CumSum-3): attribute \"exclusive\" is \"maybe\", which is "
        "no boolean: ignored");
}

#define ATTRIBUTE(name) "<attribute name=\"" name "\" version=\"0\" value=\"v\"/>"

static void test_repeated_rt_info(void **state)
{
    expect_warnings(
        NET(PARAM RELU("",
                       "<rt_info>" ATTRIBUTE("fused_names") ATTRIBUTE("precise") ATTRIBUTE("mine")
                           ATTRIBUTE("fused_names") ATTRIBUTE("mine")
                               ATTRIBUTE("fused_names") "</rt_info>" IN0,
                       "<output><port id=\"1\" precision=\"FP32\"><dim>2</dim><rt_info>" ATTRIBUTE(
                           "layout") ATTRIBUTE("layout") "</rt_info></port></output>") RESULT,
            RELU_EDGES),
        "4: warning: layer 1 \"r\" (ReLU-1): rt_info has attribute \"fused_names\" "
        "more than once, which "
        "OpenVINO refuses\n"
        "4: warning: layer 1 \"r\" (ReLU-1): rt_info has attribute \"layout\" more "
        "than once, which "
        "OpenVINO refuses");
}

static void test_port_warnings(void **state)
{
    const char *said;
    inlay_graph *g = model_read_xml(
        NET(PARAM RELU("", IN0,
                       "<output><port id=\"1\" "
                       "precision=\"FP16\"><dim>2</dim><dim>-1</dim></port></output>") RESULT,
            RELU_EDGES),
        NULL, 0, NULL, &said);

    assert_non_null(g);
    assert_string_equal(said,
                        "4: warning: layer 1 \"r\" (ReLU-1): output 0 is f32 [2], the file says "
                        "f16 [2,?]");
    inlay_graph_free(g);
    inlay_graph_free(read_ok(
        NET(PARAM RELU("", IN0, "<output><port id=\"1\" precision=\"FP32\"/></output>") RESULT,
            RELU_EDGES)));
}

/* Intervals live in data/@shape only. */
static void test_dynamic_shapes(void **state)
{
    inlay_graph *g = read_ok(
        NET("<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data "
            "element_type=\"f32\" shape=\"[ 2 , ?, -1,1..10,3..,..5]\"/><output><port id=\"0\" "
            "precision=\"FP32\"><dim>2</dim><dim>-1</dim><dim>-1</dim><dim>-1</dim><dim>-1</dim>"
            "<dim>-1</dim></port></output></layer>\n" RESULT,
            EDGE(0, 0, 9, 0)));
    static const int64_t wanted[6][2] = {{2, 2},  {0, INLAY_DIM_MAX}, {0, INLAY_DIM_MAX},
                                         {1, 10}, {3, INLAY_DIM_MAX}, {0, 5}};
    const inlay_fact *f = &g->params[0]->out[0].fact;

    assert_int_equal(f->rank, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(f->dims[i].lo, wanted[i][0]);
        assert_int_equal(f->dims[i].hi, wanted[i][1]);
    }
    inlay_graph_free(g);
}

static void test_repeated_names(void **state)
{
    inlay_graph *g =
        read_ok(NET(PARAM "<layer id=\"1\" name=\"x\" type=\"ReLU\" version=\"opset1\">" IN0 OUT1
                          "</layer>\n" RESULT,
                    RELU_EDGES));
    const inlay_node *second = g->first->next;

    assert_string_equal(g->first->name, "x");
    assert_null(g->first->label);
    assert_string_equal(second->name, "x_2");
    assert_string_equal(second->label, "x");
    inlay_graph_free(g);
}

static void test_stand_in(void **state)
{
    inlay_read_options o = {.allow_unknown = true};
    inlay_graph *g = model_read_xml(
        NET(PARAM "<layer id=\"1\" name=\"r\" type=\"Voxels\" version=\"extension\"><data a=\"1\" "
                  "b=\"x, y\"/>" IN0 "<output><port id=\"1\" "
                  "precision=\"I64\"><dim>-1</dim><dim>4</dim></port></output></layer>\n" RESULT,
            RELU_EDGES),
        NULL, 0, &o, NULL);
    const inlay_node *n = g->first->next;

    assert_true(n->op->flags & INLAY_STAND_IN);
    assert_string_equal(n->op->name, "Voxels");
    assert_string_equal(n->op->written, "extension");
    assert_int_equal(n->extra->n_attrs, 2);
    assert_string_equal(n->extra->attrs[2], "b");
    assert_string_equal(n->extra->attrs[3], "x, y");
    assert_int_equal(n->out[0].fact.type, INLAY_I64);
    assert_int_equal(n->out[0].fact.rank, 2);
    assert_int_equal(n->out[0].fact.dims[0].hi, INLAY_DIM_MAX);
    assert_int_equal(n->out[0].fact.dims[1].lo, 4);
    inlay_graph_free(g);
}

/* Port ids are labels: the position counts. */
static void test_port_ids(void **state)
{
    inlay_graph *g = read_ok(
        NET(PARAM "<layer id=\"2\" name=\"z\" type=\"Parameter\" version=\"opset1\"><data "
                  "element_type=\"f32\" shape=\"1\"/><output><port id=\"8\" "
                  "precision=\"FP32\"><dim>1</dim></port></output></layer>\n"
                  "<layer id=\"1\" name=\"a\" type=\"Subtract\" version=\"opset1\"><input><port "
                  "id=\"7\"/><port id=\"3\"/></input><output><port id=\"7\" "
                  "precision=\"FP32\"><dim>2</dim></port></output></layer>\n" RESULT,
            EDGE(0, 0, 1, 3) EDGE(2, 8, 1, 7) EDGE(1, 7, 9, 0)));
    const inlay_node *n = inlay_graph_node(g, "a");

    assert_string_equal(n->in[0].value->node->name, "z");
    assert_string_equal(n->in[1].value->node->name, "x");
    inlay_graph_free(g);
}

/* The external id of a body's input is a position, that of an output a sort key; an attribute that
 * is left out has its default. */
static void test_port_maps(void **state)
{
    inlay_graph *g = read_ok(NET(
        PARAM
        "<layer id=\"1\" name=\"t\" type=\"TensorIterator\" version=\"opset1\"><input><port "
        "id=\"40\"/></input><output><port id=\"50\" precision=\"FP32\"><dim>2</dim></port><port "
        "id=\"51\" precision=\"FP32\"><dim>1</dim></port></output><port_map><input "
        "external_port_id=\"0\" internal_layer_id=\"5\" axis=\"0\" start=\"-1\" end=\"0\" "
        "stride=\"-1\"/><output external_port_id=\"93\" internal_layer_id=\"7\"/><output "
        "external_port_id=\"90\" internal_layer_id=\"8\" axis=\"0\"/></port_map><body><layers>"
        "<layer id=\"8\" name=\"q\" type=\"Result\" version=\"opset1\">" IN0 "</layer>"
        "<layer id=\"7\" name=\"q\" type=\"Result\" version=\"opset1\">" IN0 "</layer>"
        "<layer id=\"5\" name=\"p\" type=\"Parameter\" version=\"opset1\"><data "
        "element_type=\"f32\" shape=\"1\"/><output><port id=\"0\" "
        "precision=\"FP32\"><dim>1</dim></port></output></layer></layers><edges>" EDGE(5, 0, 7, 0)
            EDGE(5, 0, 8, 0) "</edges></body></layer>\n" RESULT,
        EDGE(0, 0, 1, 40) EDGE(1, 51, 9, 0)));
    const inlay_body *b = &inlay_graph_node(g, "t")->bodies[0];

    assert_string_equal(b->role, "body");
    assert_int_equal(b->n_in, 1);
    assert_int_equal(b->in[0].outer, 0);
    assert_int_equal(b->in[0].inner, 0);
    assert_true(b->in[0].has_axis);
    assert_int_equal(b->in[0].start, -1);
    assert_int_equal(b->in[0].end, 0);
    assert_int_equal(b->in[0].stride, -1);
    assert_int_equal(b->in[0].part_size, 1);
    assert_int_equal(b->out[0].outer, 1); /* 93 is the second smallest */
    assert_int_equal(b->out[0].inner, 1); /* layer 7 is the second Result */
    assert_int_equal(b->out[1].outer, 0);
    assert_int_equal(b->out[1].inner, 0);
    assert_int_equal(b->out[1].end, -1);
    assert_ptr_equal(g->results[0]->in[0].value, &inlay_graph_node(g, "t")->out[1]);
    inlay_graph_free(g);
}

/* Unknown elements and attributes are ignored; the first of repeated children counts. */
static void test_ignored(void **state)
{
    inlay_graph_free(read_ok(NET(
        "<comment><layer/></comment>"
        "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\" precision=\"FP16\">"
        "<data element_type=\"f32\" shape=\"2\" PrimitivesPriority=\"cpu:x\"/><data shape=\"3\"/>"
        "<blobs><port/></blobs>" OUT0 "<output><port id=\"5\" precision=\"none\"/></output>"
        "</layer>\n" RESULT,
        EDGE(0, 0, 9, 0))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smallest_model),
        cmocka_unit_test(test_root_spellings),
        cmocka_unit_test(test_document_order),
        cmocka_unit_test(test_type_spellings),
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_tensor_names),
        cmocka_unit_test(test_metadata),
        cmocka_unit_test(test_const_is_a_view),
        cmocka_unit_test(test_packed_constants),
        cmocka_unit_test(test_string_constants),
        cmocka_unit_test(test_port_warnings),
        cmocka_unit_test(test_ignored_attributes),
        cmocka_unit_test(test_boolean_that_is_none),
        cmocka_unit_test(test_repeated_rt_info),
        cmocka_unit_test(test_dynamic_shapes),
        cmocka_unit_test(test_repeated_names),
        cmocka_unit_test(test_stand_in),
        cmocka_unit_test(test_ignored),
        cmocka_unit_test(test_port_ids),
        cmocka_unit_test(test_port_maps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
