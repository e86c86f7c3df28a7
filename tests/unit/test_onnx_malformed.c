/* ONNX files that are wrong: cut off anywhere, with bits turned, and with what their records say
 * contradicting itself. Each gives one error that says where, or is a model after all. */
#include "onnx_made.h"
#include "unit.h"

#include "interp/interp.h"

enum { N_MODELS = 20, FLOAT = 1, INT64 = 7, STRING = 8, INT4 = 22, RAW = 1 };
enum { ATTR_TENSOR = 4, ATTR_GRAPH = 5, ATTR_INTS = 7 };

static Onnx__AttributeProto *attribute(onnx_made *x, void *message, const char *name, int type)
{
    Onnx__AttributeProto *a = made_add(x, message, "attribute", &onnx__attribute_proto__descriptor);

    a->name = inlay_arena_strdup(x->arena, name);
    a->has_type = 1;
    a->type = type;
    return a;
}

static void integers(onnx_made *x, Onnx__NodeProto *n, const char *name, int64_t first, int count)
{
    Onnx__AttributeProto *a = attribute(x, n, name, ATTR_INTS);

    a->n_ints = (size_t)count;
    a->ints = inlay_arena_array(x->arena, a->n_ints, sizeof *a->ints);
    for (int i = 0; i < count; i++)
        a->ints[i] = first - i;
}

static Onnx__TensorProto *raw(onnx_made *x, const char *name, int type, const void *bytes, size_t n)
{
    Onnx__TensorProto *t;

    made_constant(x, name, type, &t);
    t->has_raw_data = 1;
    t->raw_data = (ProtobufCBinaryData){n, inlay_arena_alloc(x->arena, n + 1)};
    memcpy(t->raw_data.data, bytes, n);
    return t;
}

static void external(onnx_made *x, const char *name, const char *key, const char *value)
{
    Onnx__TensorProto *t;
    Onnx__StringStringEntryProto *e;

    made_constant(x, name, FLOAT, &t);
    t->has_data_location = 1;
    t->data_location = ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
    e = made_add(x, t, "external_data", &onnx__string_string_entry_proto__descriptor);
    e->key = inlay_arena_strdup(x->arena, key);
    e->value = inlay_arena_strdup(x->arena, value);
}

/* Makes the body under NAME of NODE: Relu of "a", which it captures, is its only output. */
static Onnx__GraphProto *body(onnx_made *x, Onnx__NodeProto *node, const char *name)
{
    Onnx__GraphProto *g = onnx_message_new(&onnx__graph_proto__descriptor, 0, x->arena);
    Onnx__ValueInfoProto *out;

    attribute(x, node, name, ATTR_GRAPH)->g = g;
    made_node(x, g, "Relu", "a", "inner");
    out = made_add(x, g, "output", &onnx__value_info_proto__descriptor);
    out->name = "inner";
    return g;
}

static void if_model(onnx_made *x)
{
    Onnx__TensorProto *t;
    Onnx__NodeProto *n;

    made_constant(x, "cond", 9, &t);
    t->n_dims = 0;
    t->has_raw_data = 1;
    t->raw_data = (ProtobufCBinaryData){1, (uint8_t *)"\1"};
    n = made_node(x, x->m->graph, "If", "cond", "y");
    body(x, n, "then_branch");
    body(x, n, "else_branch");
}

static void function_model(onnx_made *x)
{
    Onnx__FunctionProto *f = made_add(x, x->m, "functions", &onnx__function_proto__descriptor);
    Onnx__AttributeProto *a;

    made_import(x, x->m, "local", 1);
    f->name = "twice";
    f->domain = "local";
    made_import(x, f, "", 17);
    made_string(x, f, "input", "p");
    made_string(x, f, "output", "q");
    made_string(x, f, "attribute", "slope");
    a = attribute(x, made_node(x, f, "Elu", "p", "t"), "alpha", 1);
    a->ref_attr_name = "slope";
    made_node(x, f, "Add", "t t", "q");
    made_node(x, x->m->graph, "twice", "a", "y")->domain = "local";
}

static void constant_model(onnx_made *x)
{
    static float two[] = {2};
    Onnx__AttributeProto *a =
        attribute(x, made_node(x, x->m->graph, "Constant", "", "c"), "value", ATTR_TENSOR);

    a->t = onnx_message_new(&onnx__tensor_proto__descriptor, 0, x->arena);
    a->t->has_data_type = 1;
    a->t->data_type = FLOAT;
    a->t->n_float_data = 1;
    a->t->float_data = two;
    made_node(x, x->m->graph, "Mul", "a c", "y");
}

static void described_model(onnx_made *x)
{
    Onnx__TensorShapeProto *shape = x->m->graph->input[0]->type->tensor_type->shape;

    shape->dim[0]->has_dim_value = 0;
    shape->dim[0]->dim_param = "batch";
    x->m->graph->name = "described";
    made_node(x, x->m->graph, "Relu", "a", "y")->name = "act";
}

static void listed_model(onnx_made *x)
{
    static int64_t sizes[] = {1, 2};
    Onnx__TensorProto *t;

    made_constant(x, "shape", INT64, &t);
    t->n_int64_data = 2;
    t->int64_data = sizes;
    made_node(x, x->m->graph, "Reshape", "a shape", "y");
}

static void string_model(onnx_made *x)
{
    static ProtobufCBinaryData words[] = {{2, (uint8_t *)"ab"}, {0, NULL}};
    Onnx__TensorProto *t;

    made_constant(x, "words", STRING, &t);
    t->n_string_data = 2;
    t->string_data = words;
    made_node(x, x->m->graph, "Identity", "words", "y");
}

static void packed_model(onnx_made *x)
{
    raw(x, "c", INT4, "\x21", 1);
    made_node(x, x->m->graph, "Identity", "c", "y");
}

static void split_model(onnx_made *x)
{
    Onnx__NodeProto *n = made_node(x, x->m->graph, "Split", "a", "y");

    made_string(x, n, "output", "z");
    made_node(x, x->m->graph, "Concat", "y z", "w");
    made_integer(x, x->m->graph->node[1], "axis", 0);
}

/* Each model has one operator, which reads "a" and perhaps the constants "c" (f32) and "i"
 * (i64). */
static const char *const operators[][2] = {
    {"Add", "a c"},       {"Gather", "a i"}, {"Clip", "a - -"},         {"Softmax", "a"},
    {"Unsqueeze", "a i"}, {"Max", "a c a"},  {"GatherElements", "a i"}, {"Pow", "a c"},
    {"ReduceSum", "a"},   {"Expand", "a i"},
};
enum { N_OPERATORS = sizeof operators / sizeof operators[0] };

/* Makes model K of N_MODELS; its output is "y". */
static void make(onnx_made *x, int k)
{
    static void (*const others[N_MODELS - N_OPERATORS])(onnx_made *) = {
        if_model,     function_model, constant_model, described_model,
        listed_model, string_model,   packed_model,   split_model,
    };

    made_begin(x, k == 6 + N_OPERATORS ? 21 : 17);
    made_value(x, "input", "a");
    made_value(x, "output", "y");
    if (k < N_OPERATORS) {
        raw(x, "c", FLOAT, "\0\0\x80?\0\0\0@", 8);
        raw(x, "i", INT64, "\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 16);
        made_node(x, x->m->graph, operators[k][0], operators[k][1], "y");
    } else if (others[k - N_OPERATORS]) {
        others[k - N_OPERATORS](x);
    } else {
        Onnx__NodeProto *n = made_node(x, x->m->graph, "Transpose", "a", "y");

        integers(x, n, "perm", 0, 1);
        if (k == N_MODELS - 1)
            made_node(x, x->m->graph, "LogSoftmax", "y", "z");
    }
}

/* Does an error begin with a path from a field of the model, or speak of the model as a whole? */
static bool says_where(const char *said)
{
    const ProtobufCMessageDescriptor *model = &onnx__model_proto__descriptor;
    size_t length = strcspn(said, ".[: \"");

    for (unsigned i = 0; i < model->n_fields; i++) {
        if (strlen(model->fields[i].name) == length &&
            strncmp(model->fields[i].name, said, length) == 0)
            return true;
    }
    return strncmp(said, "the model ", 10) == 0 || strstr(said, " at byte ");
}

/* Expects a model, or exactly one error, which says that the file is wrong, and where. */
static void judge(const uint8_t *bytes, size_t n)
{
    inlay_diags *d = inlay_diags_new();
    inlay_buffer *b = inlay_buffer_new(n);
    inlay_graph *g;

    memcpy(inlay_buffer_data(b), bytes, n);
    g = inlay_read_onnx("m.onnx", inlay_buffer_data(b), n, b, NULL, d);
    inlay_buffer_release(b);
    if (g) {
        assert_true(inlay_check_graph(g, d));
    } else {
        assert_int_equal(inlay_diags_count(d), 1);
        assert_int_equal(inlay_diags_status(d), INLAY_INVALID);
        if (!says_where(inlay_diags_at(d, 0)->text))
            fail_msg("no place: %s", inlay_diags_at(d, 0)->text);
    }
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static size_t pack(onnx_made *x, int k)
{
    make(x, k);
    x->n = protobuf_c_message_pack(&x->m->base, x->bytes);
    inlay_arena_free(x->arena);
    return x->n;
}

static void test_all_are_read(void **state)
{
    static onnx_made x;
    char said[1000];

    for (int k = 0; k < N_MODELS; k++) {
        inlay_graph *g;

        make(&x, k);
        g = made_read(&x, "m.onnx", NULL, said, sizeof said);
        assert_string_equal(said, "");
        inlay_graph_free(g);
    }
}

static void test_truncated(void **state)
{
    static onnx_made x;

    for (int k = 0; k < N_MODELS; k++) {
        for (size_t n = pack(&x, k); n-- > 0;)
            judge(x.bytes, n);
    }
}

static void test_turned_bits(void **state)
{
    static onnx_made x;

    for (int k = 0; k < N_MODELS; k++) {
        size_t n = pack(&x, k);

        for (size_t i = 0; i < n; i++) {
            for (int bit = 0; bit <= 8; bit++) {
                uint8_t by = bit == 8 ? 0xff : (uint8_t)(1 << bit);

                x.bytes[i] ^= by;
                judge(x.bytes, n);
                x.bytes[i] ^= by;
            }
        }
    }
}

static void begin(onnx_made *x)
{
    made_begin(x, 17);
    made_value(x, "input", "a");
}

static void test_lengths(void **state)
{
    static const struct {
        const char *bytes, *said;
    } files[] = {
        {"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
         "error: graph: the length at byte 1 is larger than what is left"},
        {"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
         "error: graph: the number at byte 1 has more than 64 bits"},
        {"\x08\x80", "error: ir_version: the number at byte 1 has no end"},
        {"\x3a\x02\x0a\x7f", "error: graph.node: the length at byte 3 is larger than what is left"},
    };

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        inlay_diags *d = inlay_diags_new();

        assert_null(
            inlay_read_onnx("m.onnx", files[i].bytes, strlen(files[i].bytes), NULL, NULL, d));
        assert_string_equal(model_messages(d), files[i].said);
        inlay_diags_free(d);
    }
}

/* Puts the bytes from AT to END as a message of FIELD in front of AT, and returns the beginning of
 * that message. */
static uint8_t *wrap(uint8_t *at, const uint8_t *end, int field)
{
    size_t size = (size_t)(end - at);

    *--at = (uint8_t)(size >> 14);
    *--at = (uint8_t)(size >> 7 | 0x80);
    *--at = (uint8_t)(size | 0x80);
    *--at = (uint8_t)(field << 3 | 2);
    return at;
}

/* Types are nested: each is the element type of a sequence. */
static void test_nesting(void **state)
{
    enum { DEEP = 10000, GRAPH = 7, INPUT = 11, TYPE = 2, SEQUENCE = 4, ELEMENT = 1 };
    static uint8_t bytes[4 * (DEEP + 3)];
    uint8_t *end = bytes + sizeof bytes, *at = end;
    inlay_diags *d = inlay_diags_new();

    for (int i = 0; i < DEEP; i++)
        at = wrap(at, end, i % 2 ? SEQUENCE : ELEMENT);
    at = wrap(wrap(wrap(at, end, TYPE), end, INPUT), end, GRAPH);
    assert_null(inlay_read_onnx("m.onnx", (char *)at, (size_t)(end - at), NULL, NULL, d));
    assert_string_equal(model_messages(d),
                        "error: the message at byte 400 is nested more than 100 deep");
    inlay_diags_free(d);
}

static void test_contradictions(void **state)
{
    Onnx__TensorProto *t;
    onnx_made x;

    begin(&x);
    raw(&x, "c", FLOAT, "1234", 4);
    made_refused(&x, "error: graph.initializer[0] \"c\": raw_data has 4 bytes, the shape needs 8");

    begin(&x);
    made_constant(&x, "c", FLOAT, &t);
    t->n_int64_data = 2;
    t->int64_data = (int64_t[]){1, 2};
    made_refused(&x,
                 "error: graph.initializer[0] \"c\": float_data has 0 entries, the shape needs 2");

    begin(&x);
    raw(&x, "c", FLOAT, "12345678", 8)->dims[0] = -2;
    made_refused(&x, "error: graph.initializer[0] \"c\": dims[0] is -2, it must not be negative");

    begin(&x);
    t = raw(&x, "c", FLOAT, "12345678", 8);
    t->n_dims = 3;
    t->dims = (int64_t[]){INT64_C(1) << 40, INT64_C(1) << 40, 2};
    made_refused(
        &x, "error: graph.initializer[0] \"c\": the tensor has more elements than can be counted");

    begin(&x);
    raw(&x, "c", 99, "12345678", 8);
    made_refused(&x, "error: graph.initializer[0] \"c\": element type 99 is none that ONNX has");

    begin(&x);
    raw(&x, "c", FLOAT, "12345678", 8);
    raw(&x, "c", FLOAT, "12345678", 8);
    made_refused(&x, "error: graph: two values are called \"c\"");

    begin(&x);
    made_node(&x, x.m->graph, "Relu", "b", "y");
    made_refused(&x, "error: graph.node[0] (Relu-17): input[0] is \"b\", which no node makes");

    begin(&x);
    made_node(&x, x.m->graph, "Relu", "a", "a");
    made_refused(&x, "error: graph: two values are called \"a\"");

    begin(&x);
    integers(&x, made_node(&x, x.m->graph, "Softmax", "a", "y"), "axis", 0, 1);
    made_refused(&x, "error: graph.node[0] (Softmax-17): attribute \"axis\" must be an integer");

    begin(&x);
    made_value(&x, "output", "nothing");
    made_refused(&x, "error: graph.output[0] \"nothing\": no node makes this value");
}

/* No tensor or value can have these sizes and dimensions here. */
static void test_shapes(void **state)
{
    static int64_t ones[33];
    Onnx__TensorShapeProto *shape;
    Onnx__TensorProto *t;
    onnx_made x;

    begin(&x);
    t = raw(&x, "c", FLOAT, "1234", 4);
    t->n_dims = 33;
    t->dims = ones;
    made_refused(&x,
                 "error: graph.initializer[0] \"c\": the tensor has 33 dimensions, at most 32 are "
                 "read");

    begin(&x);
    t = raw(&x, "c", FLOAT, "12345678", 8);
    t->segment = onnx_message_new(&onnx__tensor_proto__segment__descriptor, 0, x.arena);
    made_refused(&x, "error: graph.initializer[0] \"c\": a tensor in segments is not read");

    begin(&x);
    external(&x, "w", "location", "w.bin");
    x.m->graph->initializer[0]->data_type = STRING;
    made_refused(&x, "error: graph.initializer[0] \"w\": strings do not stand in external_data");

    begin(&x);
    x.m->graph->input[0]->type->tensor_type->shape->dim[0]->dim_value = INT64_MAX;
    made_refused(&x, "error: graph.input[0] \"a\": shape.dim[0] is 9223372036854775807, it must be "
                     "smaller");

    begin(&x);
    t = raw(&x, "c", FLOAT, "", 0);
    t->n_dims = 2;
    t->dims = (int64_t[]){0, INT64_MAX};
    made_refused(&x,
                 "error: graph.initializer[0] \"c\": dims[1] is 9223372036854775807, it must be "
                 "smaller");

    begin(&x);
    made_value(&x, "input", "a");
    made_refused(&x, "error: graph.input[1] \"a\": another input has this name");

    begin(&x);
    raw(&x, "a", FLOAT, "12345678", 8);
    made_value(&x, "input", "a");
    made_refused(&x, "error: graph.input[1] \"a\": another input has this name");

    begin(&x);
    shape = x.m->graph->input[0]->type->tensor_type->shape;
    while (shape->n_dim < 33)
        made_add(&x, shape, "dim", &onnx__tensor_shape_proto__dimension__descriptor);
    made_refused(&x,
                 "error: graph.input[0] \"a\": the shape has 33 dimensions, at most 32 are read");
}

/* The body of a Scan does not name its input, which the text form cannot say. */
static void test_nameless_input(void **state)
{
    Onnx__ValueInfoProto *in;
    Onnx__GraphProto *g;
    Onnx__NodeProto *n;
    onnx_made x;

    begin(&x);
    n = made_node(&x, x.m->graph, "Scan", "a", "y");
    made_integer(&x, n, "num_scan_inputs", 1);
    g = body(&x, n, "body");
    in = made_add(&x, g, "input", &onnx__value_info_proto__descriptor);
    in->name = NULL;
    made_refused(&x, "error: graph.node[0] (Scan-17): input 0 of its body has no name");
}

/* Functions that call the one before FAN times, DEPTH deep, from CALLS nodes of the graph. */
static inlay_graph *read_calls(int depth, int fan, int calls, uint64_t most, inlay_diags *d)
{
    inlay_read_options o = {.max_called = most};
    inlay_strbuf text = {0};
    inlay_graph *g;

    inlay_strbuf_puts(&text, "<ir_version: 8, opset_import: [\"\" : 17, \"d\" : 1]>\n"
                             "g (float[4] x0) => (float[4] y) {\n");
    for (int i = 0; i < calls; i++)
        inlay_strbuf_printf(&text, "x%d = d.F%d(x%d)\n", i + 1, depth, i);
    inlay_strbuf_printf(&text, "y = Abs(x%d)\n}\n", calls);
    for (int i = 0; i <= depth; i++) {
        inlay_strbuf_printf(&text,
                            "<domain: \"d\", opset_import: [\"\" : 17, \"d\" : 1]>\n"
                            "F%d (t0) => (t%d) {\n",
                            i, fan);
        for (int k = 0; k < fan; k++) {
            if (i == 0)
                inlay_strbuf_printf(&text, "t%d = Abs(t%d)\n", k + 1, k);
            else
                inlay_strbuf_printf(&text, "t%d = d.F%d(t%d)\n", k + 1, i - 1, k);
        }
        inlay_strbuf_puts(&text, "}\n");
    }
    g = inlay_read_onnx("calls.onnxtxt", text.bytes, text.n, NULL, &o, d);
    inlay_strbuf_free(&text);
    return g;
}

/* Of a small file functions may become so many nodes, and of a large one a hundred times its own. */
static void test_functions_that_multiply(void **state)
{
    static const struct {
        int depth, fan, calls;
        uint64_t most;
        bool read;
    } cases[] = {{4, 12, 1, 0, false},   {2, 12, 1, 0, true},    {2, 12, 1, 1000, false},
                 {1, 40, 70, 0, false}, /* 114,800 of 151 nodes */
                 {0, 60, 2000, 0, true}, {4, 7, 1, 20000, true}, {4, 7, 1, UINT64_MAX, true}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_diags *d = inlay_diags_new();
        inlay_graph *g = read_calls(cases[i].depth, cases[i].fan, cases[i].calls, cases[i].most, d);

        assert_true(!g == !cases[i].read);
        if (!g) {
            assert_int_equal(inlay_diags_status(d), INLAY_NO_RESOURCE);
            assert_int_equal(inlay_diags_count(d), 1);
            assert_non_null(strstr(inlay_diags_error(d)->text, "functions of the model become"));
        }
        inlay_graph_free(g);
        inlay_diags_free(d);
    }
}

/* Two functions call each other. */
static void test_cycle(void **state)
{
    onnx_made x;

    begin(&x);
    made_import(&x, x.m, "local", 1);
    for (int i = 0; i < 2; i++) {
        Onnx__FunctionProto *f = made_add(&x, x.m, "functions", &onnx__function_proto__descriptor);

        f->name = i ? "tock" : "tick";
        f->domain = "local";
        made_import(&x, f, "local", 1);
        made_string(&x, f, "input", "p");
        made_string(&x, f, "output", "q");
        made_node(&x, f, i ? "tick" : "tock", "p", "q")->domain = "local";
    }
    made_node(&x, x.m->graph, "tick", "a", "y")->domain = "local";
    {
        char said[8000];

        assert_null(made_read(&x, "m.onnx", NULL, said, sizeof said));
        assert_non_null(strstr(said, "calls functions that call each other without an end"));
        assert_null(strchr(said, '\n'));
    }
}

static void test_places(void **state)
{
    static const char *const cases[][3] = {
        {"location", "/etc/hostname",
         "external_data: \"/etc/hostname\" is not below the model's folder; --follow-links allows "
         "links, and --weights FILE names the file"},
        {"location", "none.bin",
         "external_data: \"none.bin\" cannot be opened: No such file or directory"},
        {"offset", "-1", "external_data: offset is \"-1\", it must be a number of bytes"},
        {"length", "99999999999999999999",
         "external_data: length is \"99999999999999999999\", it must be a number of bytes"},
        {"checksum", "0", "external_data has no location"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        onnx_made x;
        char expected[500];

        begin(&x);
        external(&x, "w", cases[i][0], cases[i][1]);
        snprintf(expected, sizeof expected, "error: graph.initializer[0] \"w\": %s", cases[i][2]);
        made_refused(&x, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_are_read),   cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_turned_bits),    cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_nesting),        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_cycle),          cmocka_unit_test(test_functions_that_multiply),
        cmocka_unit_test(test_places),         cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_nameless_input),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
