/* Records of an ONNX model, filled field by field. See records.h. */
#include "parser/onnx/records.h"
#include "ir/shared.h"

#include <string.h>

/* Most nodes have two operands, and an arena rounds a smaller array up. */
enum { LEAST_ROOM = 2 };

/* What precedes each message in memory. */
union head {
    size_t offset;
    max_align_t align;
};

void *onnx_message_new(const ProtobufCMessageDescriptor *what, size_t offset, inlay_arena *a)
{
    union head *head = inlay_arena_alloc(a, sizeof *head + what->sizeof_message);

    if (!head)
        return NULL;
    head->offset = offset;
    what->message_init((ProtobufCMessage *)(head + 1));
    return head + 1;
}

size_t onnx_message_offset(const void *message)
{
    return ((const union head *)message - 1)->offset;
}

size_t onnx_field_size(const ProtobufCFieldDescriptor *field)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_ENUM:
    case PROTOBUF_C_TYPE_FLOAT:
        return 4;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return 8;
    case PROTOBUF_C_TYPE_BYTES:
        return sizeof(ProtobufCBinaryData);
    default:
        return sizeof(void *);
    }
}

static size_t *count_of(void *message, const ProtobufCFieldDescriptor *field)
{
    return (size_t *)((char *)message + field->quantifier_offset);
}

static bool is_pointer(const ProtobufCFieldDescriptor *field)
{
    return field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_MESSAGE;
}

size_t onnx_field_count(const void *message, const ProtobufCFieldDescriptor *field)
{
    const char *at = message;

    if (field->label == PROTOBUF_C_LABEL_REPEATED)
        return *(const size_t *)(at + field->quantifier_offset);
    if (is_pointer(field))
        return *(void *const *)(at + field->offset) != NULL;
    return *(const protobuf_c_boolean *)(at + field->quantifier_offset) != 0;
}

/* Returns the capacity of an array of N elements. */
static size_t room_for(size_t n)
{
    size_t room = n > 0 ? LEAST_ROOM : 0;

    while (room < n && room <= SIZE_MAX / 2)
        room *= 2;
    return room < n ? SIZE_MAX : room;
}

/* Reserves capacity for N more elements. False: out of memory. */
static bool reserve(void *message, const ProtobufCFieldDescriptor *field, size_t n, inlay_arena *a)
{
    char **array = (char **)((char *)message + field->offset);
    size_t had = *count_of(message, field), size = onnx_field_size(field);
    char *grown;

    if (n > SIZE_MAX - had)
        return false;
    if (n == 1 && had > 0 && (had < LEAST_ROOM || (had & (had - 1)) != 0))
        return true; /* N is no power of two, so there still is room */
    if (room_for(had + n) == room_for(had))
        return true;
    grown = inlay_arena_array(a, room_for(had + n), size);
    if (!grown)
        return false;
    if (had > 0)
        memcpy(grown, *array, had * size);
    *array = grown;
    return true;
}

void *onnx_field_append(void *message, const ProtobufCFieldDescriptor *field, size_t n,
                        inlay_arena *a)
{
    size_t *count = count_of(message, field), had = *count;

    if (!reserve(message, field, n, a))
        return NULL;
    *count += n;
    return *(char **)((char *)message + field->offset) + had * onnx_field_size(field);
}

void *onnx_field_add(void *message, const ProtobufCFieldDescriptor *field, inlay_arena *a)
{
    size_t *n;

    if (field->label != PROTOBUF_C_LABEL_REPEATED) {
        if (!is_pointer(field))
            *(protobuf_c_boolean *)((char *)message + field->quantifier_offset) = 1;
        return (char *)message + field->offset;
    }
    if (!reserve(message, field, 1, a))
        return NULL;
    n = count_of(message, field);
    return *(char **)((char *)message + field->offset) + (*n)++ * onnx_field_size(field);
}
