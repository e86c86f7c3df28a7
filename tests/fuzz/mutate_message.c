/* A model of ONNX, changed field by field: elements of repeated fields are doubled, moved and dropped, numbers and
 * strings become others, messages vanish or appear. What is no message is changed byte by byte. */
#include "ir/ir.h"
#include "mutate.h"
#include "parser/onnx/wire.h"

#include "onnx.pb-c.h"

#include <string.h>

enum { MOST_MESSAGES = 4096, MOST_STRINGS = 4096 };

typedef struct mutation {
    inlay_arena *arena;
    uint64_t state;
    ProtobufCMessage *messages[MOST_MESSAGES];
    size_t n_messages;
    char *strings[MOST_STRINGS];
    size_t n_strings;
} mutation;

typedef const ProtobufCFieldDescriptor field;

/* The value of F in MESSAGE, or the array of them. */
static char *value_of(void *message, field *f)
{
    char *at = (char *)message + f->offset;

    return f->label == PROTOBUF_C_LABEL_REPEATED ? *(char **)at : at;
}

static void list_field(mutation *m, ProtobufCMessage *message, field *f)
{
    char *at = value_of(message, f);

    for (size_t i = 0; i < onnx_field_count(message, f); i++) {
        if (f->type == PROTOBUF_C_TYPE_STRING && m->n_strings < MOST_STRINGS)
            m->strings[m->n_strings++] = ((char **)at)[i];
        if (f->type == PROTOBUF_C_TYPE_MESSAGE && m->n_messages < MOST_MESSAGES)
            m->messages[m->n_messages++] = ((ProtobufCMessage **)at)[i];
    }
}

/* Lists the messages and strings of MODEL, each message before those that it has. */
static void list(mutation *m, void *model)
{
    m->messages[m->n_messages++] = model;
    for (size_t i = 0; i < m->n_messages; i++)
        for (unsigned k = 0; k < m->messages[i]->descriptor->n_fields; k++)
            list_field(m, m->messages[i], &m->messages[i]->descriptor->fields[k]);
}

static char *draw_string(mutation *m)
{
    size_t kind = draw(&m->state, 6);

    if (kind == 0)
        return inlay_arena_strdup(m->arena,
                                  inlay_op_at(NULL, draw(&m->state, inlay_op_count(NULL)))->name);
    if (kind == 1 || m->n_strings == 0)
        return inlay_arena_printf(m->arena, "%lld", (long long)draw_number(&m->state));
    if (kind == 2) /* of one that is there, a beginning */
        return inlay_arena_strndup(m->arena, m->strings[draw(&m->state, m->n_strings)],
                                   draw(&m->state, 8));
    return m->strings[draw(&m->state, m->n_strings)];
}

static void set_bytes(mutation *m, ProtobufCBinaryData *b)
{
    size_t room = b->len + 16;
    uint8_t *copy = inlay_arena_alloc(m->arena, room);

    if (b->len > 0)
        memcpy(copy, b->data, b->len);
    *b = (ProtobufCBinaryData){LLVMFuzzerMutate(copy, b->len, room), copy};
}

static void set_value(mutation *m, field *f, void *at)
{
    int64_t n = draw_number(&m->state);

    switch (f->type) {
    case PROTOBUF_C_TYPE_STRING:
        *(char **)at = draw_string(m);
        break;
    case PROTOBUF_C_TYPE_BYTES:
        set_bytes(m, at);
        break;
    case PROTOBUF_C_TYPE_MESSAGE:
        *(void **)at = onnx_message_new(f->descriptor, 0, m->arena);
        break;
    case PROTOBUF_C_TYPE_FLOAT:
        *(float *)at = (float)n;
        break;
    case PROTOBUF_C_TYPE_DOUBLE:
        *(double *)at = (double)n;
        break;
    default: /* small numbers mean types and kinds */
        if (draw(&m->state, 2) == 0)
            n = (int64_t)draw(&m->state, 30);
        memcpy(at, &n, onnx_field_size(f));
    }
}

static void change_repeated(mutation *m, ProtobufCMessage *message, field *f)
{
    size_t *count = (size_t *)((char *)message + f->quantifier_offset), size = onnx_field_size(f);
    char *at = value_of(message, f), *other;
    size_t i = draw(&m->state, *count), k = draw(&m->state, *count);

    switch (draw(&m->state, 6)) {
    case 0: /* one less */
        memmove(at + i * size, at + (i + 1) * size, (*count - i - 1) * size);
        --*count;
        break;
    case 1: /* once more, at the end */
        other = onnx_field_append(message, f, 1, m->arena);
        memcpy(other, value_of(message, f) + i * size, size);
        break;
    case 2: /* in the place of another */
        memcpy(at + k * size, at + i * size, size);
        break;
    case 3:
        *count = draw(&m->state, 4) == 0 ? 0 : *count;
        break;
    default:
        if (f->type != PROTOBUF_C_TYPE_MESSAGE)
            set_value(m, f, at + i * size);
    }
}

static void change_single(mutation *m, ProtobufCMessage *message, field *f)
{
    char *at = value_of(message, f);

    if (draw(&m->state, 4) != 0) {
        if (f->type != PROTOBUF_C_TYPE_MESSAGE || draw(&m->state, 8) == 0)
            set_value(m, f, at);
    } else if (f->type == PROTOBUF_C_TYPE_STRING || f->type == PROTOBUF_C_TYPE_MESSAGE) {
        *(void **)at = NULL;
    } else {
        *(protobuf_c_boolean *)((char *)message + f->quantifier_offset) = 0;
    }
}

/* Changes a field that is there, rarely one that is not. */
static void change(mutation *m)
{
    ProtobufCMessage *message = m->messages[draw(&m->state, m->n_messages)];
    field *f = &message->descriptor->fields[draw(&m->state, message->descriptor->n_fields)];

    if (onnx_field_count(message, f) == 0) {
        if (draw(&m->state, 8) == 0)
            set_value(m, f, onnx_field_add(message, f, m->arena));
    } else if (f->label == PROTOBUF_C_LABEL_REPEATED) {
        change_repeated(m, message, f);
    } else {
        change_single(m, message, f);
    }
}

/* Returns 0 where the model is no message, or became one that does not fit. */
static size_t change_model(mutation *m, uint8_t *data, size_t n, size_t most)
{
    uint8_t *copy = inlay_arena_alloc(m->arena, n + 1);
    Onnx__ModelProto *model;

    memcpy(copy, data, n);
    model = onnx_wire_read(&onnx__model_proto__descriptor, copy, n, "fuzz.onnx", m->arena, NULL);
    if (!model)
        return 0;
    list(m, model);
    for (size_t i = 8 + draw(&m->state, 24); i > 0; i--)
        change(m);
    if (protobuf_c_message_get_packed_size(&model->base) > most)
        return 0;
    return protobuf_c_message_pack(&model->base, data);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t most, unsigned seed)
{
    static mutation m;
    size_t changed = 0;

    m = (mutation){.state = seed, .arena = inlay_arena_new()};
    draw(&m.state, 1);
    if (draw(&m.state, 8) != 0)
        changed = change_model(&m, data, n, most);
    inlay_arena_free(m.arena);
    return changed > 0 ? changed : LLVMFuzzerMutate(data, n, most);
}
