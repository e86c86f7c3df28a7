/* Real models, and small ones with one condition each, that are no part of the repository: what is
 * read and what is refused, and that writing and reading again loses nothing. Skipped where the
 * material is not there. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "tests/unit/models.h"
#include "unit.h"

#include <cjson/cJSON.h>
#include <ftw.h>
#include <unistd.h>

struct expected {
    const char *file;
    const char *said;
};

static const char *find(const struct expected *list, size_t n, const char *file)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i].file, file) == 0)
            return list[i].said;
    }
    return NULL;
}

/* Reads PATH; *SAID receives what was said. */
static inlay_graph *read_path(const char *path, bool allow_unknown, const char **said)
{
    inlay_read_options o = {.allow_unknown = allow_unknown};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_file(path, &o, d);

    *said = model_messages(d);
    inlay_diags_free(d);
    return g;
}

/* checks/: the words for each refusal, the warning for what is read and looks wrong */
static const struct expected checks[] = {
    {"ok_wrong_port_dims.xml", "12: warning: layer 2 \"add\" (Add-1): output 0 is f32 [2,3], the "
                               "file says f32 [9,9,9]"},
    {"bad_version_9.xml", "2: error: OpenVINO IR version 9 is not supported, only 10 and 11 are"},
    {"bad_version_missing.xml", "2: error: <net> has no version; OpenVINO IR 10 and 11 are read"},
    {"bad_version_text.xml", "2: error: the version of <net> is \"11x\", expected 10 or 11"},
    {"bad_root.xml", "2: error: the root element is <graph>, an OpenVINO IR has <net>"},
    {"bad_xml.xml",
     "26: error: not well-formed XML: Opening and ending tag mismatch: layers line 3 "
     "and net"},
    {"bad_layer_no_version.xml", "12: error: <layer> needs the attribute \"version\""},
    {"bad_layer_no_id.xml", "12: error: <layer> needs the attribute \"id\""},
    {"bad_layer_negative_id.xml",
     "12: error: <layer>: id is \"-2\", expected a number from 0 to 2^63-1"},
    {"bad_unknown_opset.xml",
     "12: error: layer 2 \"add\" (Add): operation Add is of unknown version \"wrongOpset\""},
    {"bad_op_not_in_opset.xml",
     "12: error: layer 2 \"add\" (SliceScatter): opset8 does not contain "
     "operation SliceScatter (SliceScatter-15 is known)"},
    {"bad_no_weights.xml", "8: error: layer 1 \"c\" (Const-1): the model has a constant, but no "
                           "weights: there is no bad_no_weights.bin"},
    {"bad_weights_short.xml",
     "8: error: layer 1 \"c\" (Const-1): offset 0 and size 12 reach beyond "
     "the weights file, which has 8 bytes"},
    {"bad_offset_beyond.xml",
     "8: error: layer 1 \"c\" (Const-1): offset 4 and size 12 reach beyond "
     "the weights file, which has 12 bytes"},
    {"bad_offset_huge.xml",
     "8: error: layer 1 \"c\" (Const-1): offset 9223372036854775807 and size "
     "12 reach beyond the weights file, which has 12 bytes"},
    {"bad_offset_overflow.xml", "8: error: layer 1 \"c\" (Const-1): attribute \"offset\" is "
                                "\"18446744073709551615\", it must be "
                                "a number from 0 to 2^63-1"},
    {"bad_size_negative.xml",
     "8: error: layer 1 \"c\" (Const-1): attribute \"size\" is \"-12\", it "
     "must be a number from 0 to 2^63-1"},
    {"bad_size_small.xml",
     "8: error: layer 1 \"c\" (Const-1): size is 8, but f32 [3] needs 12 bytes"},
    {"bad_size_text.xml",
     "8: error: layer 1 \"c\" (Const-1): attribute \"size\" is \"12k\", it must "
     "be a number from 0 to 2^63-1"},
    {"bad_shape_overflow.xml", "8: error: layer 1 \"c\" (Const-1): shape "
                               "\"4294967296,4294967296,4\" has more elements than can be counted"},
    {"bad_const_type.xml", "8: error: layer 1 \"c\" (Const-1): attribute \"element_type\" is "
                           "\"f33\", it must be an element type"},
    {"bad_port_precision.xml", "15: error: layer 2 \"add\" (Add): output port 2 has the unknown "
                               "precision \"FP33\""},
    {"bad_port_no_precision.xml",
     "15: error: layer 2 \"add\" (Add): output port 2 has no precision"},
    {"bad_port_dim.xml", "15: error: layer 2 \"add\" (Add): output port 2: dim \"-2\" is not a "
                         "number from -1 up"},
    {"bad_port_dim_text.xml", "15: error: layer 2 \"add\" (Add): output port 2: dim \"?\" is not a "
                              "number from -1 up"},
    {"bad_parameter_no_data.xml",
     "4: error: layer 0 \"in\" (Parameter-1): a Parameter needs <data> "
     "with element_type and shape"},
    {"bad_parameter_shape.xml",
     "4: error: layer 0 \"in\" (Parameter-1): attribute \"shape\" is \"2,x\": a dimension is a "
     "number, ?, -1 or an interval like 1..8, 2.. or ..8"},
    {"bad_parameter_shape_empty_field.xml", "4: error: layer 0 \"in\" (Parameter-1): attribute "
                                            "\"shape\" is \"2,,3\": a dimension is empty"},
    {"bad_parameter_shape_negative.xml",
     "4: error: layer 0 \"in\" (Parameter-1): attribute \"shape\" is \"-2,3\": a dimension is a "
     "number, ?, -1 or an interval like 1..8, 2.. or ..8"},
    {"bad_parameter_shape_interval.xml",
     "4: error: layer 0 \"in\" (Parameter-1): attribute \"shape\" is \"5..2,3\": the interval is "
     "empty: its end is below its start"},
    {"bad_edge_to_port.xml", "23: error: layer 2 \"add\" (Add): an edge leads to input port 10, "
                             "which does not exist"},
    {"bad_edge_from_port.xml",
     "23: error: layer 2 \"add\" (Add): an edge comes from layer 1 \"c\", "
     "which has no output port 5"},
    {"bad_edge_from_layer.xml", "23: error: layer 2 \"add\" (Add): an edge comes from layer 42, "
                                "which does not exist"},
    {"bad_edge_missing_attribute.xml", "23: error: <edge> needs the attribute \"to-port\""},
    {"bad_edge_twice_to_port.xml",
     "25: error: layer 2 \"add\" (Add): two edges lead to input port 0"},
    {"bad_input_hole.xml", "12: error: layer 2 \"add\" (Add): no edge leads to input 0, but one to "
                           "a later input"},
    {"bad_cycle.xml", "12: error: layer 2 \"a\" (Add-1): the node depends on itself (a cycle)"},
    {"bad_enum.xml", "12: error: layer 2 \"add\" (Add-1): attribute \"auto_broadcast\" is "
                     "\"nunpy\", it must be one of none, numpy, pdpd"},
    {"bad_list_empty_field.xml", "8: error: layer 1 \"t\" (Const-1): attribute \"shape\" is "
                                 "\"3,,1\": a dimension is empty"},
    {"bad_string_count.xml", "4: error: layer 1 \"s\" (Const-1): the data holds 1000 strings, the "
                             "shape says 2"},
    {"bad_string_offsets.xml",
     "4: error: layer 1 \"s\" (Const-1): string 0 is at 0..5 of 4 bytes of text"},
    {"bad_string_count_vs_shape.xml",
     "4: error: layer 1 \"s\" (Const-1): the data holds 2 strings, the shape says 3"},
    {"bad_const_spelled_constant.xml",
     "8: error: layer 1 \"c\" (Constant): a constant is spelled Const in a file; as Constant it "
     "gets no data"},
    {"bad_duplicate_id.xml",
     "17: error: layer 2 \"again\" (ReLU): the layer in line 12 has the same id"},
};

static void check_case(const char *file, const char *verdict)
{
    const char *wanted = find(checks, sizeof checks / sizeof *checks, file), *said;
    inlay_graph *g = read_path(file, false, &said);

    if ((g != NULL) != (strcmp(verdict, "accept") == 0))
        fail_msg("%s should be: %s; it said: %s", file, verdict, said);
    if (strcmp(said, wanted ? wanted : "") != 0)
        fail_msg("%s said:\n%s", file, said);
    inlay_graph_free(g);
}

static void go_to(const char *folder)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/corpus/openvino/%s", model_shared(), folder);
    if (chdir(path) != 0)
        fail_msg("cannot go to %s", path);
}

static void test_checks(void **state)
{
    char *text;
    cJSON *all, *cases, *one;
    int n = 0;

    go_to("checks");
    text = model_load("cases.json", NULL);
    all = cJSON_Parse(text);
    cases = cJSON_GetObjectItem(all, "cases");
    cJSON_ArrayForEach(one, cases)
    {
        check_case(cJSON_GetObjectItem(one, "file")->valuestring,
                   cJSON_GetObjectItem(one, "upstream")->valuestring);
        n++;
    }
    assert_int_equal(n, 66);
    cJSON_Delete(all);
    free(text);
}

/* What cases.json says the models hold, beyond being read. */
static void test_what_checks_hold(void **state)
{
    const char *said;
    inlay_graph *g;
    const inlay_tensor *t;
    const inlay_fact *f;
    static const int bits[10] = {1, 0, 1, 0, 0, 0, 0, 1, 0, 1}, nibbles[3] = {-1, 2, 7};

    go_to("checks");
    g = read_path("ok_u1_msb_first.xml", false, &said);
    t = inlay_node_attr(g->first, "value")->as.tensor;
    for (int i = 0; i < 10; i++)
        assert_int_equal(inlay_tensor_get_i64(t, i), bits[i]);
    inlay_graph_free(g);
    g = read_path("ok_i4_low_nibble_first.xml", false, &said);
    t = inlay_node_attr(g->first, "value")->as.tensor;
    for (int i = 0; i < 3; i++)
        assert_int_equal(inlay_tensor_get_i64(t, i), nibbles[i]);
    inlay_graph_free(g);
    g = read_path("ok_escaped_names.xml", false, &said);
    assert_int_equal(g->params[0]->out[0].n_names, 2);
    assert_string_equal(g->params[0]->out[0].names[0], "a,b");
    assert_string_equal(g->params[0]->out[0].names[1], "c d");
    inlay_graph_free(g);
    g = read_path("ok_dynamic_rank.xml", false, &said);
    assert_int_equal(g->params[0]->out[0].fact.rank, -1);
    inlay_graph_free(g);
    g = read_path("ok_scalar_and_empty.xml", false, &said);
    f = &g->results[0]->in[0].value->fact; /* a scalar and [0] broadcast to [0] */
    assert_int_equal(f->rank, 1);
    assert_int_equal(f->dims[0].hi, 0);
    inlay_graph_free(g);
}

/* the models */

/* These models are refused whatever the options are. */
static const struct expected refused[] = {
    {"./ir_frontend_tests/test_model_wrong_shape.xml",
     "15: error: layer 1 \"value1\" (Const-1): size is 16, but i64 [4] needs 32 bytes"},
    {"./openvino_old_ir/mxnet_synthetic_gru_bidirectional_FP16_1_v6.xml",
     "2: error: OpenVINO IR version 6 is not supported, only 10 and 11 are"},
    {"./openvino_old_ir/mxnet_synthetic_gru_bidirectional_FP16_1_v6_negative.xml",
     "2: error: OpenVINO IR version 6 is not supported, only 10 and 11 are"},
};

/* These models are refused as they are, with these words; they are read with stand-ins for what is
 * unknown or missing. */
#define NO_BIN(layer, name, bin)                                                                   \
    ": error: layer " layer " \"" name "\" (Const-1): the model has a constant, but no weights: "  \
    "there is no " bin
static const struct expected unknown[] = {
    {"./ir_frontend_tests/test_model_with_underallocated_weights.xml",
     "15: error: layer 1 \"value1\" (Const-1): offset 0 and size 32 reach beyond the weights file, "
     "which has 24 bytes"},
    {"./openvino_tests/ir_serialization/custom_identity.xml",
     "16: error: layer 1 \"operation\" (Identity): operation Identity is of unknown version "
     "\"extension\""},
    {"./openvino_tests/ir_serialization/custom_op.xml",
     "16: error: layer 1 \"operation\" (Template): operation Template is of unknown version "
     "\"custom_opset\""},
    {"./pointpillars/pointpillars_ov_pillar_layer.xml",
     "13: error: layer 1 \"voxelization\" (VoxelizationOp): operation VoxelizationOp is of unknown "
     "version \"extension\""},
    {"./pointpillars/pointpillars_ov_postproc.xml",
     "34: error: layer 3 \"postprocessing\" (PostProcessingOp): operation PostProcessingOp is of "
     "unknown version \"custom_ops\""},
    {"./npu_lit/dynamic_reshape.xml",
     "30" NO_BIN("2", "Constant_3", "./npu_lit/dynamic_reshape.bin")},
    {"./npu_lit/loop.xml", "26" NO_BIN("2", "Constant_1", "./npu_lit/loop.bin")},
    {"./npu_lit/dynamic_transpose.xml",
     "40" NO_BIN("2", "Constant_20", "./npu_lit/dynamic_transpose.bin")},
};

/* The ports of these files are wrong: the body's Unsqueeze declares what three iterations stack
 * up. */
static const struct expected warned[] = {
    {"./openvino_tests/loop_2d_add.xml", "125: warning: layer 7 \"11\" (Unsqueeze-1): output 0 is "
                                         "f32 [1,1,2], the file says f32 [3,1,2]"},
    {"./samplenet/SampLeNet.xml",
     "26: warning: layer 2 \"conv1/WithoutBiases\" (Convolution-1): attribute \"output_padding\" "
     "is "
     "ignored, here and in 1 more layers: Convolution-1 has none of this name"},
};

#define FIND(list, file) find(list, sizeof(list) / sizeof *(list), file)

static void expect_equal(const inlay_graph *a, const inlay_graph *b, const char *file,
                         const char *how)
{
    char why[400];

    if (!inlay_graph_equal(a, b, why, sizeof why))
        fail_msg("%s through %s: %s", file, how, why);
}

static void expect_same_bytes(const inlay_strbuf *a, const inlay_strbuf *b, const char *file,
                              const char *how)
{
    if (a->n != b->n || (a->n && memcmp(a->bytes, b->bytes, a->n) != 0))
        fail_msg("%s: the bytes written after going through %s differ", file, how);
}

/* Expects the same graph and the same bytes once a model went through a format. */
static void expect_unchanged(const inlay_graph *g, const inlay_strbuf *xml,
                             const inlay_strbuf *weights, inlay_graph *back, const char *file,
                             const char *how)
{
    inlay_strbuf xml_again, weights_again;

    expect_equal(g, back, file, how);
    model_write_xml(back, g->ir_version, &xml_again, &weights_again, NULL);
    expect_same_bytes(xml, &xml_again, file, how);
    expect_same_bytes(weights, &weights_again, file, how);
    inlay_strbuf_free(&xml_again);
    inlay_strbuf_free(&weights_again);
    inlay_graph_free(back);
}

static inlay_graph *through_json(const inlay_graph *g, const inlay_read_options *o)
{
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf json = {0};
    inlay_sink sink = {inlay_strbuf_sink, &json};
    inlay_graph *back;

    if (!inlay_write_json(g, NULL, NULL, &sink, NULL, d))
        fail_msg("not written as JSON: %s", model_messages(d));
    back = inlay_read_json("model.json", json.bytes, json.n, o, d);
    if (!back)
        fail_msg("not read as JSON: %s", model_messages(d));
    inlay_strbuf_free(&json);
    inlay_diags_free(d);
    return back;
}

static inlay_graph *through_text(const inlay_graph *g, const inlay_read_options *o)
{
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf text = {0};
    inlay_sink sink = {inlay_strbuf_sink, &text};
    inlay_graph *back;

    if (!inlay_print(g, true, &sink, d))
        fail_msg("not printed: %s", model_messages(d));
    back = inlay_read_text("model.inlay", text.bytes, text.n, o, d);
    if (!back)
        fail_msg("not read as text: %s", model_messages(d));
    inlay_strbuf_free(&text);
    inlay_diags_free(d);
    return back;
}

static void check_round_trips(const inlay_graph *g, const char *file)
{
    inlay_read_options o = {.allow_unknown = true};
    inlay_strbuf xml, weights;

    model_write_xml(g, 0, &xml, &weights, NULL);
    expect_unchanged(
        g, &xml, &weights,
        model_read_xml(xml.bytes, weights.bytes ? weights.bytes : "", weights.n, &o, NULL), file,
        "XML");
    expect_unchanged(g, &xml, &weights, through_json(g, &o), file, "JSON");
    expect_unchanged(g, &xml, &weights, through_text(g, &o), file, "text");
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
}

static void check_model(const char *file)
{
    const char *said, *wanted = FIND(refused, file), *warning = FIND(warned, file);
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = read_path(file, false, &said);

    if (!wanted)
        wanted = FIND(unknown, file);
    if (wanted && (g || strcmp(said, wanted) != 0))
        fail_msg("%s said:\n%s", file, said);
    if (g && strcmp(said, warning ? warning : "") != 0)
        fail_msg("%s said:\n%s", file, said);
    if (!g && !wanted && !strstr(said, "no weights: there is no"))
        fail_msg("%s said:\n%s", file, said);
    if (!g)
        g = read_path(file, true, &said);
    if ((g == NULL) != (FIND(refused, file) != NULL))
        fail_msg("%s said:\n%s", file, said);
    if (g && !inlay_check_graph(g, d))
        fail_msg("%s: %s", file, model_messages(d));
    if (g)
        check_round_trips(g, file);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static int n_models;

static int visit(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    size_t n = strlen(path);

    (void)st, (void)ftw;
    if (type == FTW_F && n > 4 && strcmp(path + n - 4, ".xml") == 0 &&
        (strncmp(path, "./checks/bad", 12) != 0)) {
        if (strncmp(path, "./checks/", 9) != 0)
            check_model(path);
        n_models++;
    }
    return 0;
}

static void test_models(void **state)
{
    go_to(".");
    n_models = 0;
    assert_int_equal(nftw(".", visit, 16, FTW_PHYS), 0);
    assert_true(n_models >= 80);
}

static int visit_own(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    size_t n = strlen(path);

    (void)st, (void)ftw;
    if (type == FTW_F && n > 4 && strcmp(path + n - 4, ".xml") == 0) {
        const char *said;
        inlay_graph *g = read_path(path, false, &said);

        if (!g || *said)
            fail_msg("%s said:\n%s", path, said);
        check_round_trips(g, path);
        inlay_graph_free(g);
        n_models++;
    }
    return 0;
}

/* Every model of the repository is read. */
static void test_own_models(void **state)
{
    const char *root = getenv("ROOT");
    char path[4096];

    snprintf(path, sizeof path, "%s/models", root ? root : ".");
    n_models = 0;
    assert_int_equal(nftw(path, visit_own, 16, FTW_PHYS), 0);
    assert_true(n_models >= 1);
}

/* The small models go through the formats, too. */
static void test_checks_go_there_and_back(void **state)
{
    char *text;
    cJSON *all, *cases, *one;

    go_to("checks");
    text = model_load("cases.json", NULL);
    all = cJSON_Parse(text);
    cases = cJSON_GetObjectItem(all, "cases");
    cJSON_ArrayForEach(one, cases)
    {
        const char *file = cJSON_GetObjectItem(one, "file")->valuestring, *said;
        inlay_graph *g = read_path(file, false, &said);

        if (g)
            check_round_trips(g, file);
        inlay_graph_free(g);
    }
    cJSON_Delete(all);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_models),
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_what_checks_hold),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_checks_go_there_and_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
