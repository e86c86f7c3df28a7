/* ONNX models, packed by protobuf-c from records that the tests write. What an operator means is
 * held against ONNX's own test vectors elsewhere (tests/conformance); here it is what holds a model
 * together. */
#include "models.h"
#include "parser/onnx/records.h"

#include "onnx.pb-c.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_FILE = 4096 };

/* A model of one graph. Records are static or in the arena. */
typedef struct model {
    inlay_arena *arena;
    Onnx__ModelProto *m;
    uint8_t bytes[MAX_FILE];
    size_t n;
} model;

/* The next element of the repeated FIELD of MESSAGE, a new message of type WHAT. */
static void *add(model *x, void *message, const char *field, const ProtobufCMessageDescriptor *what)
{
    const ProtobufCMessage *base = message;
    void *element = onnx_message_new(what, 0, x->arena);

    *(void **)onnx_field_add(
        message, protobuf_c_message_descriptor_get_field_by_name(base->descriptor, field),
        x->arena) = element;
    return element;
}

static void add_string(model *x, void *message, const char *field, const char *text)
{
    const ProtobufCMessage *base = message;

    *(char **)onnx_field_add(
        message, protobuf_c_message_descriptor_get_field_by_name(base->descriptor, field),
        x->arena) = inlay_arena_strdup(x->arena, text);
}

static void import_set(model *x, void *message, const char *domain, int64_t version)
{
    Onnx__OperatorSetIdProto *set =
        add(x, message, "opset_import", &onnx__operator_set_id_proto__descriptor);

    set->domain = inlay_arena_strdup(x->arena, domain);
    set->has_version = 1;
    set->version = version;
}

static void begin(model *x, int64_t opset)
{
    *x = (model){.arena = inlay_arena_new()};
    x->m = onnx_message_new(&onnx__model_proto__descriptor, 0, x->arena);
    x->m->has_ir_version = 1;
    x->m->ir_version = 8;
    x->m->graph = onnx_message_new(&onnx__graph_proto__descriptor, 0, x->arena);
    import_set(x, x->m, "", opset);
}

/* An input or output of FIELD, f32[2]. */
static void value(model *x, const char *field, const char *name)
{
    Onnx__ValueInfoProto *v = add(x, x->m->graph, field, &onnx__value_info_proto__descriptor);
    Onnx__TensorShapeProto__Dimension *d;

    v->name = inlay_arena_strdup(x->arena, name);
    v->type = onnx_message_new(&onnx__type_proto__descriptor, 0, x->arena);
    v->type->tensor_type = onnx_message_new(&onnx__type_proto__tensor__descriptor, 0, x->arena);
    v->type->tensor_type->has_elem_type = 1;
    v->type->tensor_type->elem_type = 1;
    v->type->tensor_type->shape =
        onnx_message_new(&onnx__tensor_shape_proto__descriptor, 0, x->arena);
    d = add(x, v->type->tensor_type->shape, "dim",
            &onnx__tensor_shape_proto__dimension__descriptor);
    d->has_dim_value = 1;
    d->dim_value = 2;
}

/* A node of MESSAGE, a graph or a function. INPUTS and OUTPUT: names, blanks between. */
static Onnx__NodeProto *node(model *x, void *message, const char *type, const char *inputs,
                             const char *output)
{
    Onnx__NodeProto *n = add(x, message, "node", &onnx__node_proto__descriptor);
    char list[200];

    n->op_type = inlay_arena_strdup(x->arena, type);
    snprintf(list, sizeof list, "%s", inputs);
    for (char *name = strtok(list, " "); name; name = strtok(NULL, " "))
        add_string(x, n, "input", strcmp(name, "-") == 0 ? "" : name);
    add_string(x, n, "output", output);
    return n;
}

static void integer(model *x, Onnx__NodeProto *n, const char *name, int64_t value)
{
    Onnx__AttributeProto *a = add(x, n, "attribute", &onnx__attribute_proto__descriptor);

    a->name = inlay_arena_strdup(x->arena, name);
    a->has_type = a->has_i = 1;
    a->type = 2;
    a->i = value;
}

static void constant(model *x, const char *name, int type, Onnx__TensorProto **out)
{
    Onnx__TensorProto *t = add(x, x->m->graph, "initializer", &onnx__tensor_proto__descriptor);

    t->name = inlay_arena_strdup(x->arena, name);
    t->has_data_type = 1;
    t->data_type = type;
    *(int64_t *)onnx_field_add(
        t, protobuf_c_message_descriptor_get_field_by_name(t->base.descriptor, "dims"), x->arena) =
        2;
    *out = t;
}

/* Packs and reads X; frees it. */
static inlay_graph *read_as(model *x, const char *name, const inlay_read_options *o, char *said,
                            size_t size)
{
    inlay_diags *d = inlay_diags_new();
    inlay_buffer *b;
    inlay_graph *g;

    assert_true(protobuf_c_message_get_packed_size(&x->m->base) <= MAX_FILE);
    x->n = protobuf_c_message_pack(&x->m->base, x->bytes);
    b = inlay_buffer_new(x->n);
    memcpy(inlay_buffer_data(b), x->bytes, x->n);
    g = inlay_read_onnx(name, inlay_buffer_data(b), x->n, b, o, d);
    inlay_buffer_release(b);
    snprintf(said, size, "%s", model_messages(d));
    inlay_diags_free(d);
    inlay_arena_free(x->arena);
    return g;
}

static void prints(model *x, const char *expected)
{
    inlay_strbuf b = {0};
    inlay_sink sink = {inlay_strbuf_sink, &b};
    char said[1000];
    inlay_graph *g = read_as(x, "m.onnx", NULL, said, sizeof said);

    assert_string_equal(said, "");
    assert_true(inlay_print(g, true, &sink, NULL));
    assert_string_equal(b.bytes, expected);
    inlay_strbuf_free(&b);
    inlay_graph_free(g);
}

static void refused(model *x, const char *expected)
{
    char said[1000];

    assert_null(read_as(x, "m.onnx", NULL, said, sizeof said));
    assert_string_equal(said, expected);
}

static void test_names(void **state)
{
    Onnx__TensorProto *t;
    model x;

    (void)state;
    begin(&x, 17);
    x.m->graph->name = "net";
    value(&x, "input", "a");
    constant(&x, "b", 1, &t);
    t->n_float_data = 2;
    t->float_data = (float[]){1, 2};
    node(&x, x.m->graph, "Add", "a b", "sum")->name = "plus";
    node(&x, x.m->graph, "Identity", "sum", "same");
    value(&x, "output", "same");
    prints(&x, "graph \"net\" {\n"
               "  %a = Parameter-1 {element_type = f32, shape = [2]} : f32[2] as \"a\"\n"
               "  %b = Const-1 {value = f32[2] [1, 2]} : f32[2] as \"b\"\n"
               "  %plus = Add-1(%a, %b) : f32[2] as \"same\" \"sum\"\n"
               "  %Result = Result-1(%plus) output_names \"same\"\n"
               "}\n");
}

/* What a 4-bit type has in int32_data: two elements in one entry, the first one low. */
static void test_packed_data(void **state)
{
    Onnx__TensorProto *t;
    model x;

    (void)state;
    begin(&x, 21);
    x.m->graph->name = "packed";
    constant(&x, "u4", 21, &t);
    t->n_int32_data = 1;
    t->int32_data = (int32_t[]){0x21};
    constant(&x, "raw", 5, &t);
    t->has_raw_data = 1;
    t->raw_data = (ProtobufCBinaryData){4, (uint8_t *)"\x01\x00\xff\xff"};
    constant(&x, "half", 10, &t);
    t->n_int32_data = 2;
    t->int32_data = (int32_t[]){0x3c00, 0xc000};
    value(&x, "output", "u4");
    value(&x, "output", "raw");
    value(&x, "output", "half");
    prints(&x, "graph \"packed\" {\n"
               "  %u4 = Const-1 {value = u4[2] [1, 2]} : u4[2] as \"u4\"\n"
               "  %Result = Result-1(%u4) output_names \"u4\"\n"
               "  %raw = Const-1 {value = i16[2] [1, -1]} : i16[2] as \"raw\"\n"
               "  %Result_2 = Result-1(%raw) output_names \"raw\"\n"
               "  %half = Const-1 {value = f16[2] [1, -2]} : f16[2] as \"half\"\n"
               "  %Result_3 = Result-1(%half) output_names \"half\"\n"
               "}\n");
}

static Onnx__FunctionProto *function(model *x, const char *name)
{
    Onnx__FunctionProto *f = add(x, x->m, "functions", &onnx__function_proto__descriptor);

    f->name = inlay_arena_strdup(x->arena, name);
    f->domain = "local";
    import_set(x, f, "", 17);
    add_string(x, f, "input", "x");
    add_string(x, f, "input", "y");
    add_string(x, f, "output", "z");
    return f;
}

/* A function's attribute reference means the attribute of the call, or the function's own where the
 * call has none. */
static void test_functions(void **state)
{
    Onnx__FunctionProto *f;
    Onnx__AttributeProto *a;
    model x;

    (void)state;
    begin(&x, 17);
    x.m->graph->name = "calls";
    import_set(&x, x.m, "local", 1);
    f = function(&x, "scale");
    a = add(&x, node(&x, f, "Elu", "x", "t"), "attribute", &onnx__attribute_proto__descriptor);
    a->name = "alpha";
    a->ref_attr_name = "slope";
    a = add(&x, f, "attribute_proto", &onnx__attribute_proto__descriptor);
    *a = (Onnx__AttributeProto)ONNX__ATTRIBUTE_PROTO__INIT;
    a->name = "slope";
    a->has_type = a->has_f = 1;
    a->type = 1;
    a->f = 3;
    node(&x, f, "Sum", "t x", "z");
    value(&x, "input", "a");
    node(&x, x.m->graph, "scale", "a", "once")->domain = "local";
    value(&x, "output", "once");
    prints(&x, "graph \"calls\" {\n"
               "  %a = Parameter-1 {element_type = f32, shape = [2]} : f32[2] as \"a\"\n"
               "  %t = Elu-1(%a) {alpha = 3} : f32[2]\n"
               "  %once = Add-1(%t, %a) : f32[2] as \"once\"\n"
               "  %Result = Result-1(%once) output_names \"once\"\n"
               "}\n");
}

/* Names of tools begin with two underscores, and a hint of the first versions changes nothing. */
static void test_attributes_passed_over(void **state)
{
    model x;

    (void)state;
    begin(&x, 5);
    x.m->graph->name = "hints";
    value(&x, "input", "a");
    integer(&x, node(&x, x.m->graph, "Abs", "a", "b"), "consumed_inputs", 0);
    integer(&x, node(&x, x.m->graph, "Relu", "b", "c"), "__backend", 7);
    value(&x, "output", "c");
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
    model x;

    (void)state;
    begin(&x, 17);
    x.m->ir_version = 2;
    refused(&x, "error: ir_version is 2, versions 3 to 13 are read");
    begin(&x, 29);
    refused(&x, "error: the model imports operator set 29, sets 1 to 28 are read");
    begin(&x, 17);
    node(&x, x.m->graph, "Abs", "b", "c")->name = "n";
    refused(
        &x,
        "error: graph.node[0] \"n\" (Abs-17): input[0] is \"b\", which no node before it makes");
    begin(&x, 17);
    value(&x, "input", "a");
    node(&x, x.m->graph, "Abs", "a", "a");
    refused(&x, "error: graph: two values are called \"a\"");
    begin(&x, 17);
    value(&x, "input", "a");
    node(&x, x.m->graph, "Nonesuch", "a", "b");
    refused(&x,
            "error: graph.node[0] (Nonesuch-17): is an operation that this build does not have; "
            "--allow-unknown shows the graph");
    begin(&x, 17);
    constant(&x, "c", 1, &t);
    refused(&x, "error: graph.initializer[0] \"c\": float_data has 0 entries, the shape needs 2");
    begin(&x, 17);
    constant(&x, "c", 27, &t);
    refused(&x, "error: graph.initializer[0] \"c\": element type 27 is none that ONNX has");
    begin(&x, 17);
    value(&x, "input", "a");
    node(&x, x.m->graph, "Unsqueeze", "a a", "b")->name = "n";
    refused(&x, "error: graph.node[0] \"n\" (Unsqueeze-17): node \"n\" (Unsqueeze-1): "
                "input 1 \"axes\" has type "
                "f32, it must be an integer type");
    begin(&x, 17);
    value(&x, "input", "a");
    node(&x, x.m->graph, "Gemm", "a", "b");
    refused(&x, "error: graph.node[0] (Gemm-17): input[1] is missing");
    begin(&x, 17);
    value(&x, "input", "a");
    node(&x, x.m->graph, "Max", "a - a", "b");
    refused(&x, "error: graph.node[0] (Max-17): cannot be imported with these inputs");
    begin(&x, 17);
    value(&x, "input", "a");
    integer(&x, node(&x, x.m->graph, "Softmax", "a", "b"), "axes", 1);
    refused(&x,
            "error: graph.node[0] (Softmax-17): attribute \"axes\" is not known for this operator");
    begin(&x, 17);
    value(&x, "input", "a");
    integer(&x, node(&x, x.m->graph, "Softmax", "a", "b"), "axis", 0);
    integer(&x, x.m->graph->node[0], "axis", 0);
    refused(&x, "error: graph.node[0] (Softmax-17): attribute \"axis\" is there twice");
    begin(&x, 17);
    value(&x, "input", "a");
    integer(&x, node(&x, x.m->graph, "Abs", "a", "b"), "", 0);
    refused(&x, "error: graph.node[0] (Abs-17): attribute[0] has no name");
    begin(&x, 17);
    value(&x, "input", "a");
    integer(&x, node(&x, x.m->graph, "Abs", "a", "b"), "consumed_inputs", 0);
    refused(&x,
            "error: graph.node[0] (Abs-17): attribute \"consumed_inputs\" is not known for this "
            "operator");
    begin(&x, 17);
    import_set(&x, x.m, "local", 1);
    node(&x, function(&x, "f"), "Abs", "x", "z");
    value(&x, "input", "a");
    integer(&x, node(&x, x.m->graph, "f", "a", "b"), "power", 2);
    x.m->graph->node[0]->domain = "local";
    refused(&x, "error: graph.node[0] (f-1): attribute \"power\" is not known for this operator");
    begin(&x, 17);
    value(&x, "output", "nowhere");
    refused(&x, "error: graph.output[0] \"nowhere\": no node makes this value");
    begin(&x, 17);
    import_set(&x, x.m, "local", 1);
    node(&x, function(&x, "f"), "f", "x", "z")->domain = "local";
    value(&x, "input", "a");
    node(&x, x.m->graph, "f", "a", "b")->domain = "local";
    import_set(&x, x.m->functions[0], "local", 1);
    {
        char said[4000];

        assert_null(read_as(&x, "m.onnx", NULL, said, sizeof said));
        assert_non_null(strstr(said, "calls functions that call each other without an end"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),     cmocka_unit_test(test_packed_data),
        cmocka_unit_test(test_functions), cmocka_unit_test(test_attributes_passed_over),
        cmocka_unit_test(test_messages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
