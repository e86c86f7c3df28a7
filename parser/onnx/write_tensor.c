/* Writes tensors, types and shapes. */
#include "ir/shared.h"
#include "parser/onnx/write.h"

#include <stdlib.h>
#include <string.h>

/* Where weights of a file of their own begin: such a file is mapped by pages. */
enum { PAGE = 4096 };

/* The first operator set whose tensors may have the newer types. */
static int set_of_type(inlay_type type)
{
    switch (type) {
    case INLAY_F8E4M3:
    case INLAY_F8E5M2:
    case INLAY_F8E4M3FNUZ:
    case INLAY_F8E5M2FNUZ:
        return 19;
    case INLAY_I4:
    case INLAY_U4:
        return 21;
    case INLAY_F4E2M1:
        return 23;
    case INLAY_F8E8M0:
        return 24;
    case INLAY_I2:
    case INLAY_U2:
        return 25;
    default:
        return ONNX_LEAST_OPSET;
    }
}

bool onnx_put_type(onnx_writer *w, inlay_type type)
{
    int version = set_of_type(type);

    if (inlay_type_info_of(type)->onnx == 0)
        return false;
    if (version > w->version && w->asked)
        return false;
    w->needed = version > w->needed ? version : w->needed;
    return true;
}

/* T, or a dense copy of it, which lives as long as the records. */
static const inlay_tensor *dense(onnx_writer *w, const inlay_tensor *t)
{
    inlay_tensor *copy;

    if (inlay_tensor_is_dense(t) && t->offset == 0)
        return t;
    copy = inlay_tensor_copy(t);
    if (!copy ||
        !inlay_arena_grow(w->a, &w->copies, w->n_copies, &w->cap_copies, sizeof *w->copies)) {
        inlay_tensor_release(copy);
        return onnx_out_of_memory(w), NULL;
    }
    return w->copies[w->n_copies++] = copy;
}

static void put_strings(onnx_writer *w, Onnx__TensorProto *to, const inlay_tensor *t)
{
    for (int64_t i = 0; i < inlay_tensor_count(t) && !w->failed; i++) {
        inlay_string s = inlay_tensor_get_string(t, i);
        ProtobufCBinaryData *at = onnx_put_field(w, to, "string_data");

        if (at)
            *at = (ProtobufCBinaryData){s.length, (uint8_t *)(uintptr_t)s.bytes};
    }
}

static void put_entry(onnx_writer *w, Onnx__TensorProto *to, const char *key, const char *value)
{
    Onnx__StringStringEntryProto *e = onnx_put_message(w, to, "external_data");

    if (!value)
        onnx_out_of_memory(w);
    if (e) {
        onnx_put_text(w, e, "key", key);
        onnx_put_text(w, e, "value", value);
    }
}

/* Writes the N BYTES to the file of weights. */
static bool put_beside(onnx_writer *w, Onnx__TensorProto *to, const void *bytes, size_t n)
{
    static const char zeros[PAGE];
    size_t gap = (PAGE - w->offset % PAGE) % PAGE;

    if (!w->weights->write(w->weights->ctx, zeros, gap) ||
        !w->weights->write(w->weights->ctx, bytes, n))
        return w->failed = true, false;
    w->offset += gap;
    put_entry(w, to, "location", w->weights_name);
    put_entry(w, to, "offset", inlay_arena_printf(w->a, "%llu", (unsigned long long)w->offset));
    put_entry(w, to, "length", inlay_arena_printf(w->a, "%zu", n));
    w->offset += n;
    to->has_data_location = true;
    to->data_location = ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
    return true;
}

bool onnx_put_tensor(onnx_writer *w, Onnx__TensorProto *to, const char *name, const inlay_tensor *t)
{
    size_t n = inlay_tensor_bytes(t);

    if (!to || !(t = dense(w, t)))
        return false;
    onnx_put_text(w, to, "name", name);
    to->has_data_type = true;
    to->data_type = inlay_type_info_of(t->type)->onnx;
    for (int i = 0; i < t->rank; i++) {
        int64_t *at = onnx_put_field(w, to, "dims");

        if (at)
            *at = t->dims[i];
    }
    if (t->type == INLAY_STRING) {
        put_strings(w, to, t);
    } else if (w->weights && n > ONNX_LARGE) {
        put_beside(w, to, t->data, n);
    } else {
        to->has_raw_data = true;
        to->raw_data = (ProtobufCBinaryData){n, t->data};
    }
    return !w->failed;
}

static void put_shape(onnx_writer *w, Onnx__TypeProto__Tensor *to, const inlay_value *v,
                      const inlay_fact *fact)
{
    Onnx__TensorShapeProto *shape = onnx_put_message(w, to, "shape");

    for (int i = 0; shape && i < fact->rank && !w->failed; i++) {
        Onnx__TensorShapeProto__Dimension *d = onnx_put_message(w, shape, "dim");

        if (d && inlay_dim_is_static(fact->dims[i])) {
            d->has_dim_value = true;
            d->dim_value = fact->dims[i].lo;
        } else if (d && v) {
            onnx_put_text(w, d, "dim_param", inlay_value_dim_name(v, i));
        }
    }
}

/* A sequence, or (a scalar) an optional, of what V holds. */
static bool put_item_type(onnx_writer *w, Onnx__TypeProto *type, const inlay_value *v, int rank)
{
    Onnx__TypeProto *content = onnx_put_message(
        w, onnx_put_message(w, type, rank == 0 ? "optional_type" : "sequence_type"), "elem_type");
    Onnx__TypeProto__Tensor *tensor = onnx_put_message(w, content, "tensor_type");

    if (!tensor)
        return false;
    tensor->has_elem_type = true;
    tensor->elem_type = inlay_type_info_of(onnx_content_type(v))->onnx;
    onnx_put_item_shape(w, tensor, v);
    return !w->failed;
}

bool onnx_put_info(onnx_writer *w, Onnx__ValueInfoProto *to, const char *name, const inlay_value *v,
                   const inlay_fact *fact)
{
    Onnx__TypeProto *type = to ? onnx_put_message(w, to, "type") : NULL;
    Onnx__TypeProto__Tensor *tensor;

    onnx_put_text(w, to, "name", name);
    if (type && v && fact->type == INLAY_ITEM)
        return put_item_type(w, type, v, fact->rank);
    tensor = type ? onnx_put_message(w, type, "tensor_type") : NULL;
    if (!tensor)
        return false;
    if (fact->type != INLAY_DYNAMIC) {
        tensor->has_elem_type = true;
        tensor->elem_type = inlay_type_info_of(fact->type)->onnx;
    }
    if (fact->rank >= 0)
        put_shape(w, tensor, v, fact);
    return !w->failed;
}
