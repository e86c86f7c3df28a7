/* ONNX models as records. See onnx_made.h. */
#include "onnx_made.h"
#include "unit.h"

void *made_add(onnx_made *x, void *message, const char *field,
               const ProtobufCMessageDescriptor *what)
{
    const ProtobufCMessage *base = message;
    void *element = onnx_message_new(what, 0, x->arena);

    *(void **)onnx_field_add(
        message, protobuf_c_message_descriptor_get_field_by_name(base->descriptor, field),
        x->arena) = element;
    return element;
}

void made_string(onnx_made *x, void *message, const char *field, const char *text)
{
    const ProtobufCMessage *base = message;

    *(char **)onnx_field_add(
        message, protobuf_c_message_descriptor_get_field_by_name(base->descriptor, field),
        x->arena) = inlay_arena_strdup(x->arena, text);
}

void made_import(onnx_made *x, void *message, const char *domain, int64_t version)
{
    Onnx__OperatorSetIdProto *set =
        made_add(x, message, "opset_import", &onnx__operator_set_id_proto__descriptor);

    set->domain = inlay_arena_strdup(x->arena, domain);
    set->has_version = 1;
    set->version = version;
}

void made_begin(onnx_made *x, int64_t opset)
{
    *x = (onnx_made){.arena = inlay_arena_new()};
    x->m = onnx_message_new(&onnx__model_proto__descriptor, 0, x->arena);
    x->m->has_ir_version = 1;
    x->m->ir_version = 8;
    x->m->graph = onnx_message_new(&onnx__graph_proto__descriptor, 0, x->arena);
    made_import(x, x->m, "", opset);
}

void made_value(onnx_made *x, const char *field, const char *name)
{
    Onnx__ValueInfoProto *v = made_add(x, x->m->graph, field, &onnx__value_info_proto__descriptor);
    Onnx__TensorShapeProto__Dimension *d;

    v->name = inlay_arena_strdup(x->arena, name);
    v->type = onnx_message_new(&onnx__type_proto__descriptor, 0, x->arena);
    v->type->tensor_type = onnx_message_new(&onnx__type_proto__tensor__descriptor, 0, x->arena);
    v->type->tensor_type->has_elem_type = 1;
    v->type->tensor_type->elem_type = 1;
    v->type->tensor_type->shape =
        onnx_message_new(&onnx__tensor_shape_proto__descriptor, 0, x->arena);
    d = made_add(x, v->type->tensor_type->shape, "dim",
                 &onnx__tensor_shape_proto__dimension__descriptor);
    d->has_dim_value = 1;
    d->dim_value = 2;
}

Onnx__NodeProto *made_node(onnx_made *x, void *message, const char *type, const char *inputs,
                           const char *output)
{
    Onnx__NodeProto *n = made_add(x, message, "node", &onnx__node_proto__descriptor);
    char list[200];

    n->op_type = inlay_arena_strdup(x->arena, type);
    snprintf(list, sizeof list, "%s", inputs);
    for (char *name = strtok(list, " "); name; name = strtok(NULL, " "))
        made_string(x, n, "input", strcmp(name, "-") == 0 ? "" : name);
    made_string(x, n, "output", output);
    return n;
}

void made_integer(onnx_made *x, Onnx__NodeProto *n, const char *name, int64_t value)
{
    Onnx__AttributeProto *a = made_add(x, n, "attribute", &onnx__attribute_proto__descriptor);

    a->name = inlay_arena_strdup(x->arena, name);
    a->has_type = a->has_i = 1;
    a->type = 2;
    a->i = value;
}

void made_constant(onnx_made *x, const char *name, int type, Onnx__TensorProto **out)
{
    Onnx__TensorProto *t = made_add(x, x->m->graph, "initializer", &onnx__tensor_proto__descriptor);

    t->name = inlay_arena_strdup(x->arena, name);
    t->has_data_type = 1;
    t->data_type = type;
    *(int64_t *)onnx_field_add(
        t, protobuf_c_message_descriptor_get_field_by_name(t->base.descriptor, "dims"), x->arena) =
        2;
    *out = t;
}

inlay_graph *made_read(onnx_made *x, const char *name, const inlay_read_options *o, char *said,
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

void made_refused(onnx_made *x, const char *said)
{
    char all[1000];

    assert_null(made_read(x, "m.onnx", NULL, all, sizeof all));
    assert_string_equal(all, said);
}
