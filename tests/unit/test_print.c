/* The text form as it is written: expected texts are written by hand after ir/text/TEXT.md, and
 * each is read back. Also Graphviz and the names of outputs. */
#include "ir/shared.h"
#include "tests/unit/texts.h"
#include "unit.h"

#include <math.h>

static inlay_shape shape_of(const char *text)
{
    const char *why;
    inlay_shape s;

    assert_true(inlay_shape_parse(text, &s, &why));
    return s;
}

static inlay_value *parameter(inlay_graph *g, const char *name, inlay_type type, const char *shape)
{
    inlay_shape s = shape_of(shape);
    inlay_value *v = inlay_build_parameter(g, name, type, &s, NULL);

    assert_non_null(v);
    return v;
}

static inlay_value *ints(inlay_graph *g, const char *name, int64_t n, const int64_t *x)
{
    inlay_value *v = inlay_build_ints(g, name, INLAY_I64, 1, &n, x, NULL);

    assert_non_null(v);
    return v;
}

static inlay_graph *window(void)
{
    inlay_graph *g = inlay_graph_new("window", NULL);
    inlay_value *in[5] = {parameter(g, "data", INLAY_F32, "2,5"),
                          parameter(g, "updates", INLAY_F32, "1..2,?"),
                          ints(g, "start", 1, (int64_t[]){0}), ints(g, "stop", 1, (int64_t[]){9}),
                          ints(g, "step", 1, (int64_t[]){1})};
    inlay_node *set = inlay_build(g, "set", "SliceScatter", in, 5, NULL, NULL);

    assert_non_null(set);
    assert_non_null(inlay_build_result(g, "result", &set->out[0], NULL));
    return g;
}

static void a_window(void **state)
{
    inlay_graph *g = window();

    check_round_trip(
        g, "graph \"window\" {\n"
           "  %data = Parameter-1 {element_type = f32, shape = [2,5]} : f32[2,5]\n"
           "  %updates = Parameter-1 {element_type = f32, shape = [1..2,?]} : f32[1..2,?]\n"
           "  %start = Const-1 {value = i64[1] [0]}\n"
           "  %stop = Const-1 {value = i64[1] [9]}\n"
           "  %step = Const-1 {value = i64[1] [1]}\n"
           "  %set = SliceScatter-15(%data, %updates, %start, %stop, %step) : f32[2,5]\n"
           "  %result = Result-1(%set)\n"
           "}\n");
    inlay_graph_free(g);
}

static void what_is_known_of_where_bytes_live(void **state)
{
    inlay_graph *g = window();
    inlay_value *set = &inlay_graph_node(g, "set")->out[0];
    inlay_node *data = inlay_graph_node(g, "data");
    char *text;

    assert_true(inlay_value_add_name(set, "out", NULL));
    assert_true(inlay_value_add_name(set, "also \"out\"", NULL));
    assert_true(inlay_value_set_note(set, INLAY_OVERWRITES, &data->out[0], NULL));
    assert_true(inlay_graph_add_order_edge(g, inlay_graph_node(g, "updates"), set->node, NULL));
    text = text_of_graph(g, false);
    assert_non_null(strstr(text, "%step) : f32[2,5] as \"also \\\"out\\\"\" \"out\" "
                                 "overwrites %data\n"));
    assert_non_null(strstr(text, "  %result = Result-1(%set)\n"
                                 "  order %updates before %set\n"
                                 "}\n"));
    free(text);
    assert_true(inlay_value_state_grounds(set, NULL));
    text = text_of_graph(g, false);
    assert_non_null(strstr(text, "overwrites %data {}\n"));
    free(text);
    assert_true(inlay_value_add_ground(set, INLAY_N1_CONTENT_MADE_FIRST, data, NULL));
    assert_true(
        inlay_value_add_ground(set, INLAY_O3_NO_LATER_READ, inlay_graph_node(g, "updates"), NULL));
    text = text_of_graph(g, false);
    assert_non_null(strstr(text, "overwrites %data {N1 %data, O3 %updates}\n"));
    free(text);
    assert_true(inlay_value_set_note(set, INLAY_OVERWRITES, &data->out[0], NULL));
    text = text_of_graph(g, true);
    check_round_trip(g, text);
    free(text);
    inlay_graph_free(g);
}

static void identities_where_they_say_something(void **state)
{
    inlay_graph *g = inlay_graph_new("ids", NULL);
    inlay_value *x = parameter(g, "x", INLAY_F32, "?,2..8,3");
    inlay_node *relu = inlay_build(g, "relu", "ReLU", &x, 1, NULL, NULL);

    parameter(g, "alone", INLAY_F32, "?");
    assert_non_null(inlay_build_result(g, "r", &relu->out[0], NULL));
    check_round_trip(g, "graph \"ids\" {\n"
                        "  %x = Parameter-1 {element_type = f32, shape = [?,2..8,3]} : "
                        "f32[?#1,2..8#2,3]\n"
                        "  %alone = Parameter-1 {element_type = f32, shape = [?]} : f32[?]\n"
                        "  %relu = ReLU-1(%x) : f32[?#1,2..8#2,3]\n"
                        "  %r = Result-1(%relu)\n"
                        "}\n");
    inlay_graph_free(g);
}

static void outputs_and_absent_inputs(void **state)
{
    inlay_graph *g = inlay_graph_new("", NULL);
    inlay_value *x = parameter(g, "x", INLAY_I32, "6");
    inlay_value *split[2] = {x, ints(g, "0", 1, (int64_t[]){0})}, *pad[4];
    inlay_node *parts;

    split[1] = inlay_build_ints(g, "axis", INLAY_I64, 0, NULL, (int64_t[]){0}, NULL);
    parts = inlay_build(g, "parts", "Split@opset13", split, 2, "num_splits=3", NULL);
    assert_non_null(parts);
    pad[0] = &parts->out[1];
    pad[1] = pad[2] = ints(g, "pads", 1, (int64_t[]){1});
    pad[3] = NULL;
    assert_non_null(inlay_build(g, "padded", "Pad", pad, 4, "pad_mode=edge", NULL));
    check_round_trip(g,
                     "graph \"\" {\n"
                     "  %x = Parameter-1 {element_type = i32, shape = [6]} : i32[6]\n"
                     "  %0 = Const-1 {value = i64[1] [0]}\n"
                     "  %axis = Const-1 {value = i64[] 0}\n"
                     "  %parts:3 = Split-1@opset13(%x, %axis) {num_splits = 3} : i32[2], i32[2], "
                     "i32[2]\n"
                     "  %pads = Const-1 {value = i64[1] [1]}\n"
                     "  %padded = Pad-12(%parts:1, %pads, %pads) {pad_mode = edge} : i32[4]\n"
                     "}\n");
    inlay_graph_free(g);
}

static void names_that_are_not_plain(void **state)
{
    inlay_graph *g = inlay_graph_new("a \"b\"\n", NULL);

    parameter(g, "conv1/relu.0-x", INLAY_F32, "");
    parameter(g, "two words", INLAY_F32, "");
    parameter(g, "\xc3\xa4\x80\t\\", INLAY_F32, "...");
    parameter(g, "ends/", INLAY_F32, "");
    check_round_trip(g, "graph \"a \\\"b\\\"\\n\" {\n"
                        "  %conv1/relu.0-x = Parameter-1 {element_type = f32, shape = []} : f32[]\n"
                        "  %\"two words\" = Parameter-1 {element_type = f32, shape = []} : f32[]\n"
                        "  %\"\xc3\xa4\\x80\\t\\\\\" = Parameter-1 {element_type = f32, "
                        "shape = [...]} : f32[...]\n"
                        "  %\"ends/\" = Parameter-1 {element_type = f32, shape = []} : f32[]\n"
                        "}\n");
    inlay_graph_free(g);
}

/* Makes a constant of N elements of TYPE whose bytes are BITS, and checks how it is printed. */
static void check_elements(inlay_type type, int64_t n, const void *bits, size_t size,
                           const char *printed)
{
    inlay_graph *g = inlay_graph_new("c", NULL);
    inlay_tensor *t = inlay_tensor_new(type, 1, &n);
    char *text, *value;

    memcpy(t->data, bits, size);
    assert_non_null(inlay_build_const(g, "c", t, NULL));
    text = text_of_graph(g, true);
    value = strchr(strstr(text, " {value"), '[');
    value = strchr(value + 1, '[');
    *strrchr(value, '}') = '\0'; /* of the graph */
    *strrchr(value, '}') = '\0';
    assert_string_equal(value, printed);
    free(text);
    text = text_of_graph(g, true);
    check_round_trip(g, text);
    free(text);
    inlay_tensor_release(t);
    inlay_graph_free(g);
}

static void elements_read_back_exactly(void **state)
{
    static const float f32[] = {0.1f,          -0.0f,    16777216.0f, 1e-45f,
                                3.4028235e38f, INFINITY, -INFINITY};
    static const uint32_t nans[] = {0x7fc00000, 0x7fc00001, 0xffc00000, 0x7f800001};
    static const double f64[] = {0.1, 1.0 / 3, 1e300, 5e-324};
    static const uint16_t f16[] = {0x3c00, 0x2e66, 0x0001, 0x7bff, 0x7e00, 0x7e01, 0xfc00};
    static const uint16_t bf16[] = {0x3f80, 0x3dcd, 0x7fc0};
    static const int64_t i64[] = {INT64_MIN, -1, INT64_MAX};
    static const uint64_t u64[] = {UINT64_MAX, 0};
    static const float c64[] = {1, 2};

    check_elements(INLAY_F32, 7, f32, sizeof f32,
                   "[0.1, -0, 16777216, 1.4013e-45, 3.4028235e+38, inf, -inf]");
    check_elements(INLAY_F32, 4, nans, sizeof nans, "[nan, 0x7fc00001, 0xffc00000, 0x7f800001]");
    check_elements(INLAY_F64, 4, f64, sizeof f64,
                   "[0.1, 0.3333333333333333, 1e+300, 4.94065645841247e-324]");
    check_elements(INLAY_F16, 7, f16, sizeof f16, "[1, 0.1, 6e-08, 6.55e+04, nan, 0x7e01, -inf]");
    check_elements(INLAY_BF16, 3, bf16, sizeof bf16, "[1, 0.1, nan]");
    check_elements(INLAY_I64, 3, i64, sizeof i64,
                   "[-9223372036854775808, -1, 9223372036854775807]");
    check_elements(INLAY_U64, 2, u64, sizeof u64, "[18446744073709551615, 0]");
    check_elements(INLAY_BOOLEAN, 3, "\0\1\2", 3, "[false, true, 0x02]");
    check_elements(INLAY_I8, 2, "\x80\x7f", 2, "[-128, 127]");
    check_elements(INLAY_C64, 1, c64, sizeof c64, "[0x400000003f800000]");
    /* packed: i4 has element 0 in the low nibble, u1 in the high bit */
    check_elements(INLAY_I4, 3, "\x8f\x07", 2, "[-1, -8, 7]");
    check_elements(INLAY_U1, 10, "\xa0\x40", 2, "[1, 0, 1, 0, 0, 0, 0, 0, 0, 1]");
    check_elements(INLAY_F8E4M3, 2, "\x38\x7f", 2, "[1, nan]");
    check_elements(INLAY_F32, 0, "", 0, "[]");
}

static void strings_of_any_bytes(void **state)
{
    inlay_graph *g = inlay_graph_new("s", NULL);
    int64_t n = 3;
    inlay_tensor *t = inlay_tensor_new(INLAY_STRING, 1, &n);

    assert_true(inlay_tensor_set_string(t, 0, "a\0b", 3));
    assert_true(inlay_tensor_set_string(t, 2, "\xff\x7f", 2));
    assert_non_null(inlay_build_const(g, "s", t, NULL));
    check_round_trip(g, "graph \"s\" {\n"
                        "  %s = Const-1 {value = string[3] [\"a\\x00b\", \"\", \"\\xff\\x7f\"]}\n"
                        "}\n");
    inlay_tensor_release(t);
    inlay_graph_free(g);
}

static void large_constants_are_cut_in_the_short_form(void **state)
{
    inlay_graph *g = inlay_graph_new("g", NULL);
    int64_t x[17] = {0};
    char *text, *other;

    ints(g, "small", 16, x);
    ints(g, "large", 17, x);
    text = text_of_graph(g, false);
    assert_non_null(strstr(text, "%small = Const-1 {value = i64[16] [0, 0, 0,"));
    assert_non_null(strstr(text, "%large = Const-1 {value = i64[17] #"));
    inlay_graph_free(g);
    g = inlay_graph_new("g", NULL);
    x[16] = 1;
    ints(g, "small", 16, x);
    ints(g, "large", 17, x);
    other = text_of_graph(g, false);
    assert_string_not_equal(text, other); /* the hash tells them apart */
    free(text);
    free(other);
    inlay_graph_free(g);
}

static void metadata_in_the_full_form_only(void **state)
{
    inlay_graph *g = window();
    inlay_node *set = inlay_graph_node(g, "set");
    inlay_meta *m = inlay_meta_new(g, "attribute", NULL), *child = inlay_meta_new(g, "a b", NULL);
    char *text;

    assert_true(inlay_meta_set(g, m, "name", "fused_names", NULL));
    assert_true(inlay_meta_set(g, m, "value", "a, \"b\"", NULL));
    m->text = "text";
    append_meta(&m->child, child);
    append_meta(&set->rt_info, m);
    append_meta(&set->out[0].rt_info, inlay_meta_new(g, "port", NULL));
    append_meta(&g->meta, inlay_meta_new(g, "MO_version", NULL));
    set->label = "the set";
    g->results[0]->result_names = "x,y";
    g->ir_version = 11;
    text = text_of_graph(g, true);
    assert_non_null(strstr(text, "graph \"window\" {\n  ir_version 11\n  meta { MO_version }\n"));
    assert_non_null(strstr(text, " : f32[2,5] port_info { port } label \"the set\" rt_info { "
                                 "attribute(name = \"fused_names\", value = \"a, \\\"b\\\"\") "
                                 "\"text\" { \"a b\" } }\n"));
    assert_non_null(strstr(text, "%result = Result-1(%set) output_names \"x,y\"\n"));
    check_round_trip(g, text);
    free(text);
    text = text_of_graph(g, false);
    assert_null(strstr(text, "info"));
    assert_null(strstr(text, "label"));
    assert_null(strstr(text, "meta"));
    assert_null(strstr(text, "names"));
    free(text);
    inlay_graph_free(g);
}

static void attributes_of_every_kind(void **state)
{
    static const char text[] =
        "graph \"a\" {\n"
        "  variable \"state 1\" : f32[..4,?]\n"
        "  %x = Parameter-1 {element_type = f32, shape = [..4,?]} : f32[..4#1,?#2]\n"
        "  %s = ReadValue-6(%x) {variable_id = \"state 1\", variable_type = f32, "
        "variable_shape = [..4,?]} : f32[..4#3,?#4]\n"
        "  %c = Clamp-1(%s) {min = -0.1, max = 1e+30} : f32[..4#3,?#4]\n"
        "  %set = Assign-6(%c) {variable_id = \"state 1\"} : f32[..4#3,?#4]\n"
        "  %index = Const-1 {value = i64[1,1] [0]}\n"
        "  %scatter = Tensor.scatter_-1@mindspore(%x, %index) {dim = 0, value = 2.0, "
        "value_type = float, reduce = \"add\"} : f32[..4#1,?#2]\n"
        "  %r = Result-1(%scatter)\n"
        "}\n";
    inlay_graph *g = graph_of_text(text);
    const inlay_attr *value = inlay_node_attr(inlay_graph_node(g, "scatter"), "value");

    assert_false(value->as.number.integral);
    assert_true(value->as.number.f == 2);
    assert_int_equal(g->variables[0]->rank, 2);
    check_round_trip(g, text);
    inlay_graph_free(g);
}

static const char loop_text[] =
    "graph \"outer\" {\n"
    "  %x = Parameter-1 {element_type = f32, shape = [?,2]} : f32[?#1,2]\n"
    "  %trip = Const-1 {value = i64[] 3}\n"
    "  %cond = Const-1 {value = boolean[] true}\n"
    "  %loop:2 = Loop-5(%trip, %cond, %x, %x) : f32[?#1,2], f32[3,2]\n"
    "    body \"inner\" {\n"
    "      %acc = Parameter-1 {element_type = f32, shape = [?,2]} : f32[?#1,2]\n"
    "      %i = Parameter-1 {element_type = i64, shape = []} : i64[]\n"
    "      %row = Parameter-1 {element_type = f32, shape = [1,2]} : f32[1,2]\n"
    "      %relu = ReLU-1(%acc) : f32[?#1,2]\n"
    "      %acc_out = Result-1(%relu)\n"
    "      %row_out = Result-1(%row)\n"
    "      %go = Const-1 {value = boolean[] true}\n"
    "      %go_out = Result-1(%go)\n"
    "    }\n"
    "    in 2 -> %acc\n"
    "    in none -> %i iteration\n"
    "    in 3 -> %row axis 0 start 0 end -1 stride 1 part_size 1\n"
    "    out %acc_out -> 0\n"
    "    out %row_out -> 1 axis 0 start 0 end -1 stride 1 part_size 1\n"
    "    out %go_out -> none condition\n"
    "    back %acc_out -> %acc\n"
    "  %r0 = Result-1(%loop:0)\n"
    "  %r1 = Result-1(%loop:1)\n"
    "}\n";

static void bodies_with_their_ports(void **state)
{
    inlay_graph *g = graph_of_text(loop_text);
    const inlay_body *body = &inlay_graph_node(g, "loop")->bodies[0];

    assert_string_equal(body->role, "body");
    assert_string_equal(body->graph->name, "inner");
    assert_int_equal(body->n_in, 3);
    assert_int_equal(body->in[1].outer, -1);
    assert_int_equal(body->in[1].purpose, INLAY_PORT_ITERATION);
    assert_true(body->in[2].has_axis);
    assert_int_equal(body->in[2].end, -1);
    assert_int_equal(body->out[2].purpose, INLAY_PORT_CONDITION);
    assert_int_equal(body->back[0].from, 0);
    check_round_trip(g, loop_text);
    inlay_graph_free(g);
}

static void the_same_text_every_time(void **state)
{
    static const char text[] = "graph \"g\" {\n"
                               "  %late = Result(%b)\n"
                               "  %b = Add(%a, %k)\n"
                               "  %dead = ReLU(%a)\n"
                               "  %k = Const {value = f32[] 1.5} : f32[] as \"k\"\n"
                               "  %first = Result(%a)\n"
                               "  %a = Parameter {element_type = f32, shape = [2]}\n"
                               "}\n";
    inlay_graph *g = graph_of_text(text);

    check_round_trip(g, "graph \"g\" {\n"
                        "  %a = Parameter-1 {element_type = f32, shape = [2]} : f32[2]\n"
                        "  %k = Const-1 {value = f32[] 1.5} : f32[] as \"k\"\n"
                        "  %b = Add-1(%a, %k) : f32[2]\n"
                        "  %late = Result-1(%b)\n"
                        "  %first = Result-1(%a)\n"
                        "  %dead = ReLU-1(%a) : f32[2]\n"
                        "}\n");
    inlay_graph_free(g);
}

static bool stop_after(void *ctx, const char *bytes, size_t n)
{
    int *left = ctx;

    (void)bytes;
    (void)n;
    return (*left)-- > 0;
}

static void a_full_disk_is_an_error(void **state)
{
    inlay_graph *g = window();
    inlay_diags *d = inlay_diags_new();
    int left = 0;
    inlay_sink to = {stop_after, &left};

    assert_false(inlay_print(g, true, &to, d));
    assert_string_equal(inlay_diags_at(d, 0)->text, "the text could not be written");
    assert_int_equal(inlay_diags_status(d), INLAY_NO_RESOURCE);
    assert_int_equal(inlay_diags_count(d), 1);
    inlay_diags_clear(d);
    assert_false(inlay_print_dot(g, &to, d));
    assert_int_equal(inlay_diags_count(d), 1);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static void endless_metadata_is_an_error(void **state)
{
    inlay_graph *g = window();
    inlay_diags *d = inlay_diags_new();
    inlay_meta **list = &g->meta;
    inlay_strbuf b = {0};
    inlay_sink to = {inlay_strbuf_sink, &b};

    for (int i = 0; i < 129; i++) {
        *list = inlay_meta_new(g, "m", NULL);
        list = &(*list)->child;
    }
    assert_false(inlay_print(g, true, &to, d));
    assert_null(inlay_graph_clone(g, d));
    assert_int_equal(inlay_diags_count(d), 2);
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(inlay_diags_at(d, i)->text, "metadata is nested more than 128 deep");
    inlay_strbuf_free(&b);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static void dot_shows_nodes_values_and_bodies(void **state)
{
    inlay_graph *g = graph_of_text(loop_text);
    inlay_strbuf b = {0};
    inlay_sink to = {inlay_strbuf_sink, &b};

    assert_true(inlay_print_dot(g, &to, NULL));
    assert_ptr_equal(strstr(b.bytes, "digraph \"outer\" {\n"), b.bytes);
    assert_non_null(strstr(b.bytes,
                           "  g0_0 [label=\"x\\nParameter-1\\nelement_type = f32\\nshape = "
                           "[?,2]\", shape=ellipse];\n"));
    assert_non_null(strstr(
        b.bytes, "Loop-5\\ntrip_count = i64[] 3\\nexecution_condition = boolean[] true\"];\n"));
    assert_null(strstr(b.bytes, "\"trip"));
    assert_non_null(strstr(b.bytes, "  g0_0 -> g0_3 [label=\"f32[?,2]\"];\n"));
    assert_non_null(strstr(b.bytes, "  subgraph cluster_1 {\n  label=\"body of loop\";\n"));
    assert_non_null(strstr(b.bytes, "  g0_0 -> g1_0 [style=dashed];\n"));
    inlay_strbuf_free(&b);
    inlay_graph_free(g);
}

/* Constants stand in the boxes of their readers, the elements of few and short ones in full; names of
 * operands at the arrows, and order edges as dots. */
static void dot_shows_operands_constants_and_order(void **state)
{
    inlay_strbuf text = {0}, b = {0};
    const inlay_sink to = {inlay_strbuf_sink, &b};
    inlay_graph *g;

    inlay_strbuf_puts(&text,
                      "graph \"g\" {\n  %x = Parameter {element_type = f32, shape = [2,12]}\n"
                      "  %axis = Const {value = i64[1] [1]}\n"
                      "  %w = Const {value = f32[12] [1,2,3,4,5,6,7,8,9,10,11,12]}\n"
                      "  %y = Subtract(%x, %w)\n"
                      "  %s = ReduceSum(%y, %axis) {keep_dims = true}\n"
                      "  %out = Result(%s)\n"
                      "  %z = Abs(%x)\n  %also = Result(%z)\n"
                      "  %long = Const {value = string[2] [\"");
    for (int i = 0; i < 100000; i++)
        inlay_strbuf_puts(&text, "\\\"");
    inlay_strbuf_puts(&text, "\", \"\"]}\n  %two = Const {value = i64[1] [2]}\n  %same = "
                             "Reshape(%long, %two) {special_zero = false}\n"
                             "  %third = Result(%same)\n  order %z before %y\n}\n");
    g = graph_of_text(text.bytes);
    assert_true(inlay_print_dot(g, &to, NULL));
    assert_non_null(strstr(b.bytes, "[label=\"y\\nSubtract-1\\nb = f32[12]\"];"));
    assert_non_null(strstr(b.bytes, "keep_dims = true\\naxes = i64[1] [1]\"];"));
    assert_non_null(strstr(b.bytes, "[label=\"a: f32[2,12]\"];"));
    assert_non_null(strstr(b.bytes, "[label=\"before\", style=dotted, constraint=false];"));
    assert_in_range(b.n, 500, 2500);
    inlay_strbuf_free(&text);
    inlay_strbuf_free(&b);
    inlay_graph_free(g);
}

static void dot_shows_what_is_in_place(void **state)
{
    inlay_graph *g = window();
    inlay_value *set = &inlay_graph_node(g, "set")->out[0];
    inlay_strbuf b = {0};
    inlay_sink to = {inlay_strbuf_sink, &b};

    assert_true(inlay_value_set_note(set, INLAY_OVERWRITES, &g->params[0]->out[0], NULL));
    assert_true(inlay_print_dot(g, &to, NULL));
    assert_non_null(strstr(b.bytes, "  g0_5 -> g0_0 [label=\"overwrites\", color=blue"));
    inlay_strbuf_free(&b);
    inlay_graph_free(g);
}

static void names_of_outputs(void **state)
{
    static const char text[] = "graph \"g\" {\n"
                               "  %a = Parameter {element_type = f32, shape = [2]}\n"
                               "  %axis = Const {value = i64[] 0}\n"
                               "  %s = Split(%a, %axis) {num_splits = 2}\n"
                               "  %n = ReLU(%a) : f32[2] as \"z\" \"b_name\"\n"
                               "  %a_2 = ReLU(%a)\n"
                               "  %r0 = Result(%n)\n"
                               "  %r1 = Result(%s:1)\n"
                               "  %r2 = Result(%a)\n"
                               "  %r3 = Result(%a)\n"
                               "  %r4 = Result(%a_2)\n"
                               "  %r5 = Result(%a)\n"
                               "  %r6 = Result(%a) output_names \"y\\\\,1,x\"\n"
                               "}\n";
    static const char *const names[] = {"b_name", "s.1", "a", "a_3", "a_2", "a_4", "x"};
    inlay_graph *g = graph_of_text(text);

    for (int i = 0; i < 7; i++)
        assert_string_equal(inlay_result_names(g, NULL)[i], names[i]);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window),
        cmocka_unit_test(what_is_known_of_where_bytes_live),
        cmocka_unit_test(identities_where_they_say_something),
        cmocka_unit_test(outputs_and_absent_inputs),
        cmocka_unit_test(names_that_are_not_plain),
        cmocka_unit_test(elements_read_back_exactly),
        cmocka_unit_test(strings_of_any_bytes),
        cmocka_unit_test(large_constants_are_cut_in_the_short_form),
        cmocka_unit_test(metadata_in_the_full_form_only),
        cmocka_unit_test(attributes_of_every_kind),
        cmocka_unit_test(bodies_with_their_ports),
        cmocka_unit_test(the_same_text_every_time),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(endless_metadata_is_an_error),
        cmocka_unit_test(dot_shows_nodes_values_and_bodies),
        cmocka_unit_test(dot_shows_operands_constants_and_order),
        cmocka_unit_test(dot_shows_what_is_in_place),
        cmocka_unit_test(names_of_outputs),
    };

    return cmocka_run_group_tests_name("print", tests, NULL, NULL);
}
