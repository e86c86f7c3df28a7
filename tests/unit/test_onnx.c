/* ONNX models, packed by protobuf-c from records that the tests write. The meaning of operators is
 * compared with ONNX's own test vectors elsewhere (tests/conformance); here it is what holds a
 * model together. */
#include "onnx_made.h"
#include "unit.h"

static inlay_strbuf text_of(const inlay_graph *g)
{
    inlay_strbuf b = {0};

    assert_true(inlay_print(g, true, &(inlay_sink){inlay_strbuf_sink, &b}, NULL));
    return b;
}

static void prints(onnx_made *x, const char *expected)
{
    char said[1000];
    inlay_graph *g = made_read(x, "m.onnx", NULL, said, sizeof said);
    inlay_strbuf b;

    assert_string_equal(said, "");
    b = text_of(g);
    assert_string_equal(b.bytes, expected);
    inlay_strbuf_free(&b);
    inlay_graph_free(g);
}

static void test_names(void **state)
{
    Onnx__TensorProto *t;
    onnx_made x;

    made_begin(&x, 17);
    x.m->graph->name = "net";
    made_value(&x, "input", "a");
    made_constant(&x, "b", 1, &t);
    t->n_float_data = 2;
    t->float_data = (float[]){1, 2};
    made_node(&x, x.m->graph, "Add", "a b", "sum")->name = "plus";
    made_node(&x, x.m->graph, "Identity", "sum", "same");
    made_value(&x, "output", "same");
    prints(&x, "graph \"net\" {\n"
               "  %a = Parameter-1 {element_type = f32, shape = [2]} : f32[2] as \"a\"\n"
               "  %b = Const-1 {value = f32[2] [1, 2]} : f32[2] as \"b\"\n"
               "  %plus = Add-1(%a, %b) : f32[2] as \"same\" \"sum\"\n"
               "  %Result = Result-1(%plus) output_names \"same\"\n"
               "}\n");
}

/* A 4-bit type has two elements in one entry of int32_data, the first one low. */
static void test_packed_data(void **state)
{
    Onnx__TensorProto *t;
    onnx_made x;

    made_begin(&x, 21);
    x.m->graph->name = "packed";
    made_constant(&x, "u4", 21, &t);
    t->n_int32_data = 1;
    t->int32_data = (int32_t[]){0x21};
    made_constant(&x, "raw", 5, &t);
    t->has_raw_data = 1;
    t->raw_data = (ProtobufCBinaryData){4, (uint8_t *)"\x01\x00\xff\xff"};
    made_constant(&x, "half", 10, &t);
    t->n_int32_data = 2;
    t->int32_data = (int32_t[]){0x3c00, 0xc000};
    made_value(&x, "output", "u4");
    made_value(&x, "output", "raw");
    made_value(&x, "output", "half");
    prints(&x, "graph \"packed\" {\n"
               "  %u4 = Const-1 {value = u4[2] [1, 2]} : u4[2] as \"u4\"\n"
               "  %Result = Result-1(%u4) output_names \"u4\"\n"
               "  %raw = Const-1 {value = i16[2] [1, -1]} : i16[2] as \"raw\"\n"
               "  %Result_2 = Result-1(%raw) output_names \"raw\"\n"
               "  %half = Const-1 {value = f16[2] [1, -2]} : f16[2] as \"half\"\n"
               "  %Result_3 = Result-1(%half) output_names \"half\"\n"
               "}\n");
}

static Onnx__FunctionProto *function(onnx_made *x, const char *name)
{
    Onnx__FunctionProto *f = made_add(x, x->m, "functions", &onnx__function_proto__descriptor);

    f->name = inlay_arena_strdup(x->arena, name);
    f->domain = "local";
    made_import(x, f, "", 17);
    made_string(x, f, "input", "x");
    made_string(x, f, "input", "y");
    made_string(x, f, "output", "z");
    return f;
}

/* A function's attribute reference means the attribute of the call, or the function's own where the
 * call has none. */
static void test_functions(void **state)
{
    Onnx__FunctionProto *f;
    Onnx__AttributeProto *a;
    onnx_made x;

    made_begin(&x, 17);
    x.m->graph->name = "calls";
    made_import(&x, x.m, "local", 1);
    f = function(&x, "scale");
    a = made_add(&x, made_node(&x, f, "Elu", "x", "t"), "attribute",
                 &onnx__attribute_proto__descriptor);
    a->name = "alpha";
    a->ref_attr_name = "slope";
    a = made_add(&x, f, "attribute_proto", &onnx__attribute_proto__descriptor);
    *a = (Onnx__AttributeProto)ONNX__ATTRIBUTE_PROTO__INIT;
    a->name = "slope";
    a->has_type = a->has_f = 1;
    a->type = 1;
    a->f = 3;
    made_node(&x, f, "Sum", "t x", "z");
    made_value(&x, "input", "a");
    made_node(&x, x.m->graph, "scale", "a", "once")->domain = "local";
    made_value(&x, "output", "once");
    prints(&x, "graph \"calls\" {\n"
               "  %a = Parameter-1 {element_type = f32, shape = [2]} : f32[2] as \"a\"\n"
               "  %t = Elu-1(%a) {alpha = 3} : f32[2] rt_info { attribute(name = \"onnx\", version "
               "= \"0\", function = \"local.scale\") }\n"
               "  %once = Add-1(%t, %a) : f32[2] as \"once\" rt_info { attribute(name = \"onnx\", "
               "version = \"0\", function = \"local.scale\") }\n"
               "  %Result = Result-1(%once) output_names \"once\"\n"
               "}\n");
}

static void metadata(onnx_made *x, void *message, const char *key, const char *value)
{
    Onnx__StringStringEntryProto *e =
        made_add(x, message, "metadata_props", &onnx__string_string_entry_proto__descriptor);

    e->key = inlay_arena_strdup(x->arena, key);
    e->value = inlay_arena_strdup(x->arena, value);
}

/* Fields that change no result become metadata; a function is told from another one of its name by
 * its overload. */
static void test_metadata(void **state)
{
    Onnx__FunctionProto *f;
    Onnx__NodeProto *call;
    onnx_made x;

    made_begin(&x, 17);
    x.m->graph->name = "told";
    x.m->producer_name = "tests";
    x.m->has_model_version = 1;
    x.m->model_version = 3;
    metadata(&x, x.m, "author", "nobody");
    made_import(&x, x.m, "local", 1);
    made_node(&x, function(&x, "f"), "Abs", "x", "z");
    f = function(&x, "f");
    f->overload = "second";
    made_node(&x, f, "Exp", "x", "z")->doc_string = "grows";
    made_value(&x, "input", "a");
    x.m->graph->input[0]->doc_string = "given";
    x.m->graph->input[0]->type->denotation = "IMAGE";
    call = made_node(&x, x.m->graph, "f", "a", "b");
    call->domain = "local";
    call->overload = "second";
    metadata(&x, made_node(&x, x.m->graph, "Neg", "b", "c"), "scope", "net/neg");
    made_value(&x, "output", "c");
    prints(
        &x,
        "graph \"told\" {\n"
        "  meta { rt_info { onnx { producer_name(value = \"tests\") model_version(value = \"3\") "
        "metadata(key = \"author\", value = \"nobody\") } } }\n"
        "  %a = Parameter-1 {element_type = f32, shape = [2]} : f32[2] as \"a\" port_info { "
        "attribute(name = \"onnx\", version = \"0\", doc_string = \"given\", denotation = "
        "\"IMAGE\") }\n"
        "  %b = Exp-1(%a) : f32[2] as \"b\" rt_info { attribute(name = \"onnx\", version = \"0\", "
        "function = \"local.f:second\", doc_string = \"grows\") }\n"
        "  %c = Negative-1(%b) : f32[2] as \"c\" rt_info { attribute(name = \"onnx\", version = "
        "\"0\") { metadata(key = \"scope\", value = \"net/neg\") } }\n"
        "  %Result = Result-1(%c) output_names \"c\"\n"
        "}\n");
}

/* Names of tools begin with two underscores, and a hint of the first versions changes nothing. */
static void test_attributes_passed_over(void **state)
{
    onnx_made x;

    made_begin(&x, 5);
    x.m->graph->name = "hints";
    made_value(&x, "input", "a");
    made_integer(&x, made_node(&x, x.m->graph, "Abs", "a", "b"), "consumed_inputs", 0);
    made_integer(&x, made_node(&x, x.m->graph, "Relu", "b", "c"), "__backend", 7);
    made_value(&x, "output", "c");
    prints(&x, "graph \"hints\" {\n"
               "  %a = Parameter-1 {element_type = f32, shape = [2]} : f32[2] as \"a\"\n"
               "  %b = Abs-1(%a) : f32[2] as \"b\"\n"
               "  %c = ReLU-1(%b) : f32[2] as \"c\"\n"
               "  %Result = Result-1(%c) output_names \"c\"\n"
               "}\n");
}

static void test_messages(void **state)
{
    Onnx__TensorProto *t;
    onnx_made x;

    made_begin(&x, 17);
    x.m->ir_version = 2;
    made_refused(&x, "error: ir_version is 2, versions 3 to 13 are read");
    made_begin(&x, 29);
    made_refused(&x, "error: opset_import[0].version is 29, operator sets 1 to 28 are read");
    made_begin(&x, 17);
    made_node(&x, x.m->graph, "Abs", "b", "c")->name = "n";
    made_refused(&x, "error: graph.node[0] \"n\" (Abs-17): input[0] is \"b\", which no node makes");
    made_begin(&x, 17);
    made_value(&x, "input", "a");
    made_node(&x, x.m->graph, "Abs", "a", "a");
    made_refused(&x, "error: graph: two values are called \"a\"");
    made_begin(&x, 17);
    made_value(&x, "input", "a");
    made_node(&x, x.m->graph, "Nonesuch", "a", "b");
    made_refused(
        &x, "error: graph.node[0] (Nonesuch-17): is an operation that this build does not have; "
            "--allow-unknown shows the graph");
    made_begin(&x, 17);
    made_value(&x, "input", "a");
    made_node(&x, x.m->graph, "", "a", "b")->name = "n";
    made_refused(&x, "error: graph.node[0] \"n\" (-17): op_type is missing");
    made_begin(&x, 17);
    made_constant(&x, "c", 1, &t);
    made_refused(&x,
                 "error: graph.initializer[0] \"c\": float_data has 0 entries, the shape needs 2");
    made_begin(&x, 17);
    made_constant(&x, "c", 27, &t);
    made_refused(&x, "error: graph.initializer[0] \"c\": element type 27 is none that ONNX has");
    made_begin(&x, 17);
    made_value(&x, "input", "a");
    made_node(&x, x.m->graph, "Unsqueeze", "a a", "b")->name = "n";
    made_refused(&x, "error: graph.node[0] \"n\" (Unsqueeze-17): node \"n\" (Unsqueeze-1): "
                     "input 1 \"axes\" has type "
                     "f32, it must be an integer type");
}

static void test_messages_of_operators(void **state)
{
    onnx_made x;

    made_begin(&x, 17);
    made_value(&x, "input", "a");
    made_node(&x, x.m->graph, "Gemm", "a", "b");
    made_refused(&x, "error: graph.node[0] (Gemm-17): input[1] is missing");
    made_begin(&x, 17);
    made_value(&x, "input", "a");
    made_node(&x, x.m->graph, "Max", "a - a", "b");
    made_refused(&x, "error: graph.node[0] (Max-17): cannot be imported with these inputs");
    made_begin(&x, 17);
    made_value(&x, "input", "a");
    made_integer(&x, made_node(&x, x.m->graph, "Softmax", "a", "b"), "axes", 1);
    made_refused(
        &x, "error: graph.node[0] (Softmax-17): attribute \"axes\" is not known for this operator");
    made_begin(&x, 17);
    made_value(&x, "input", "a");
    made_integer(&x, made_node(&x, x.m->graph, "Softmax", "a", "b"), "axis", 0);
    made_integer(&x, x.m->graph->node[0], "axis", 0);
    made_refused(&x, "error: graph.node[0] (Softmax-17): attribute \"axis\" is there twice");
    made_begin(&x, 17);
    made_value(&x, "input", "a");
    made_integer(&x, made_node(&x, x.m->graph, "Abs", "a", "b"), "", 0);
    made_refused(&x, "error: graph.node[0] (Abs-17): attribute[0] has no name");
    made_begin(&x, 17);
    made_value(&x, "input", "a");
    made_integer(&x, made_node(&x, x.m->graph, "Abs", "a", "b"), "consumed_inputs", 0);
    made_refused(
        &x, "error: graph.node[0] (Abs-17): attribute \"consumed_inputs\" is not known for this "
            "operator");
    made_begin(&x, 17);
    made_import(&x, x.m, "local", 1);
    made_node(&x, function(&x, "f"), "Abs", "x", "z");
    made_value(&x, "input", "a");
    made_integer(&x, made_node(&x, x.m->graph, "f", "a", "b"), "power", 2);
    x.m->graph->node[0]->domain = "local";
    made_refused(
        &x, "error: graph.node[0] (local.f-1): attribute \"power\" is not known for this operator");
    made_begin(&x, 17);
    made_value(&x, "output", "nowhere");
    made_refused(&x, "error: graph.output[0] \"nowhere\": no node makes this value");
    made_begin(&x, 17);
    made_import(&x, x.m, "local", 1);
    made_node(&x, function(&x, "f"), "f", "x", "z")->domain = "local";
    made_value(&x, "input", "a");
    made_node(&x, x.m->graph, "f", "a", "b")->domain = "local";
    made_import(&x, x.m->functions[0], "local", 1);
    {
        char said[4000];

        assert_null(made_read(&x, "m.onnx", NULL, said, sizeof said));
        assert_non_null(strstr(said, "calls functions that call each other without an end"));
    }
}

static inlay_graph *read_node_of(int opset, const char *inputs, const char *nodes)
{
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf b = {0};
    inlay_graph *g;

    inlay_strbuf_printf(&b,
                        "<ir_version: 10, opset_import: [\"\" : %d, \"com.microsoft\" : 1]>\n"
                        "m (%s) => (y)\n{\n%s\n}\n",
                        opset, inputs, nodes);
    g = inlay_read_onnx("m.onnxtxt", b.bytes, b.n, NULL, NULL, d);
    if (!g)
        fail_msg("%s: %s", nodes, model_messages(d));
    inlay_strbuf_free(&b);
    inlay_diags_free(d);
    return g;
}

static inlay_graph *read_node(const char *inputs, const char *nodes)
{
    return read_node_of(21, inputs, nodes);
}

/* What is known when a model is read is not computed when it runs: a Softmax whose axes from one
 * on are that one alone, and whether a Dropout drops something. */
static void test_known(void **state)
{
    static const struct {
        int opset;
        const char *inputs, *nodes, *operation;
        bool made;
    } cases[] = {
        {11, "float[2,3,4] x", "y = Softmax <axis = 2> (x)", "Reshape", false},
        {11, "float[2,3,4] x", "y = LogSoftmax <axis = -1> (x)", "Reshape", false},
        {11, "float[2,3,4] x", "y = Softmax <axis = 1> (x)", "Reshape", true},
        {11, "float[2,3,4] x", "y = Softmax <axis = -3> (x)", "Reshape", true},
        {13, "float[2,3,4] x", "y = Softmax <axis = 0> (x)", "Reshape", false},
        {11, "float[2] x", "y = Dropout (x)", "Select", false},
        {13, "float[2] x, bool t", "y = Dropout (x, \"\", t)", "LogicalNot", true},
        {13, "float[2] x", "t = Constant <value = bool {0}> () y = Dropout (x, \"\", t)", "Select",
         false},
        {13, "float[2] x", "t = Constant <value = bool {1}> () y = Dropout (x, \"\", t)", "Select",
         true},
        {13, "float[2] x", "t = Constant <value = bool {1}> () y = Dropout (x, \"\", t)",
         "LogicalNot", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_graph *g = read_node_of(cases[i].opset, cases[i].inputs, cases[i].nodes);
        inlay_strbuf text = text_of(g);
        char made[40];

        snprintf(made, sizeof made, " = %s-", cases[i].operation);
        if ((strstr(text.bytes, made) != NULL) != cases[i].made)
            fail_msg("%s: %s", cases[i].nodes, text.bytes);
        inlay_strbuf_free(&text);
        inlay_graph_free(g);
    }
}

/* Constants in blocks are constants of another shape, which share their numbers; of anything else
 * a node makes it. What is made of the blocks has its shape by one more. */
static void test_regrouped(void **state)
{
    static const struct {
        const char *inputs, *nodes;
        int reshapes;
    } cases[] = {
        {"float[1] a",
         "x = Constant <value = int8[2,4] {1,2,3,4,5,6,7,8}> () s = Constant <value = float[2,2] "
         "{1,2,3,4}> () z = Constant <value = int8[2,2] {1,2,3,4}> () y = DequantizeLinear <axis = "
         "1, block_size = 2> (x, s, z)",
         1},
        {"int8[2,4] x, float[2,2] s, int8[2,2] z",
         "y = DequantizeLinear <axis = 1, block_size = 2> (x, s, z)", 4},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_graph *g = read_node(cases[i].inputs, cases[i].nodes);
        inlay_strbuf text = text_of(g);
        int n = 0;

        for (const char *at = text.bytes; (at = strstr(at, " = Reshape")); at++)
            n++;
        assert_int_equal(n, cases[i].reshapes);
        inlay_strbuf_free(&text);
        inlay_graph_free(g);
    }
}

/* Interpolate resizes any axis, but linearly the spatial ones only, all at once, which are all of a
 * matrix or a volume: those that stay have the scale 1. */
static void test_resized(void **state)
{
    static const char *const modes[] = {"nearest", "cubic", "linear"};

    for (int i = 0; i < 3 * 4 * 5; i++) {
        int rank = 2 + i / 3 % 4, axis = i / 12, spatial = rank > 3 ? 2 : 0;
        bool linear = i % 3 == 2;
        char shape[30] = "float[", scales[20] = "", nodes[200], axes[20] = "";
        inlay_strbuf text = {0};
        inlay_graph *g;

        for (int k = 0; k < rank; k++) {
            sprintf(shape + strlen(shape), "%s%d", k ? "," : "", k + 1);
            sprintf(scales + strlen(scales), "%s%d", k ? "," : "", k == axis ? 2 : 1);
            if (linear ? k >= spatial : k == axis)
                sprintf(axes + strlen(axes), "%s%d", *axes ? ", " : "[", k);
        }
        if (axis >= rank)
            continue;
        snprintf(nodes, sizeof nodes,
                 "s = Constant <value = float[%d] {%s}> () y = Resize <mode = \"%s\"> (x, \"\", s)",
                 rank, scales, modes[i % 3]);
        strcat(shape, "] x");
        g = read_node(shape, nodes);
        text = text_of(g);
        strcat(axes, "]}");
        if (linear && axis < spatial
                ? !strstr(text.bytes, " = Resize")
                : !strstr(text.bytes, " = Interpolate") || !strstr(text.bytes, axes))
            fail_msg("%s of axis %d of %d: %s", modes[i % 3], axis, rank, text.bytes);
        inlay_strbuf_free(&text);
        inlay_graph_free(g);
    }
}

/* Powers are computed in the type of the base, which the exponent becomes, unless an integer is
 * raised to what is none: then in f64. */
static void test_powers(void **state)
{
    static const char *const types[] = {"float", "double", "float16", "int32", "int64"};

    for (int i = 0; i < 5 * 5; i++) {
        bool same = i / 5 == i % 5, wide = i / 5 >= 3 && i % 5 < 3;
        char inputs[60];
        inlay_strbuf text;
        inlay_graph *g;

        snprintf(inputs, sizeof inputs, "%s[2] a, %s[2] b", types[i / 5], types[i % 5]);
        g = read_node(inputs, "y = Pow (a, b)");
        text = text_of(g);
        assert_int_equal(strstr(text.bytes, " = Convert-1(") != NULL, wide);
        assert_int_equal(strstr(text.bytes, " = ConvertLike-1(") != NULL, !same);
        inlay_strbuf_free(&text);
        inlay_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regrouped),
        cmocka_unit_test(test_powers),
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_resized),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_packed_data),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_metadata),
        cmocka_unit_test(test_attributes_passed_over),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_messages_of_operators),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
