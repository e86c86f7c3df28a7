/* The JSON form of ONNX files, read by the descriptors of the messages.
 *
 *     {"irVersion": "8", "opsetImport": [{"domain": "", "version": "17"}],
 *      "graph": {"node": [{"opType": "Add", "input": ["x", "y"], ...}]}}
 *
 * Fields have their name or its lowerCamelCase form; integers may be strings, and those of 64 bits
 * are; floats may be "NaN", "Infinity", "-Infinity"; bytes are base64; an enum is a name or a
 * number; null is an absent field. Source: Protocol Buffers Documentation, "ProtoJSON Format". */
#include "ir/shared.h"
#include "parser/cjson/doc.h"
#include "parser/formats.h"
#include "parser/onnx/base64.h"
#include "parser/onnx/forms.h"
#include "parser/onnx/wire.h"

#include "onnx.pb-c.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    json_doc doc;
    inlay_arena *arena;
};

/* Whether KEY is NAME in lowerCamelCase: "opsetImport" for "opset_import". */
static bool is_camel(const char *name, const char *key)
{
    bool upper = false;

    for (; *name; name++) {
        if (*name == '_') {
            upper = true;
            continue;
        }
        if (*key++ != (upper && *name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name))
            return false;
        upper = false;
    }
    return *key == '\0';
}

static const ProtobufCFieldDescriptor *field_of(const ProtobufCMessageDescriptor *what,
                                                const char *key)
{
    for (unsigned i = 0; i < what->n_fields; i++) {
        if (strcmp(what->fields[i].name, key) == 0 || is_camel(what->fields[i].name, key))
            return &what->fields[i];
    }
    return NULL;
}

/* Whether the field exists in ONNX but not in our onnx.proto; the reader of the binary form skips
 * it, too. */
static bool is_left_out(const char *key)
{
    static const char *const keys[] = {"training_info", "configuration", "device_configurations"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(keys[i], key) == 0 || is_camel(keys[i], key))
            return true;
    }
    return false;
}

static bool read_string(struct reader *r, const json_at *at, char **out)
{
    if (!cJSON_IsString(at->item))
        return json_wrong(&r->doc, at, "a string");
    *out = inlay_arena_strdup(r->arena, at->item->valuestring);
    return *out || inlay_fail_memory(r->doc.d);
}

static bool read_bytes(struct reader *r, const json_at *at, ProtobufCBinaryData *out)
{
    bool bad = !cJSON_IsString(at->item);

    if (!bad)
        out->data = onnx_base64_read(at->item->valuestring, &out->len, &bad, r->arena);
    if (bad)
        return json_wrong(&r->doc, at, "bytes in base64");
    return out->data || inlay_fail_memory(r->doc.d);
}

/* Reads an integer field of BITS bits, signed or not. */
static bool read_integer(struct reader *r, const json_at *at, int bits, bool is_signed,
                         int64_t *out)
{
    bool huge;

    if (!json_integer(&r->doc, at, out, &huge))
        return false;
    if ((is_signed ? huge : !huge && *out < 0) ||
        (bits == 32 && (*out < INT32_MIN || *out > INT32_MAX)))
        return json_fail(&r->doc, at, "the number does not fit %s%d bits",
                         is_signed ? "" : "unsigned ", bits);
    return true;
}

static bool read_enum(struct reader *r, const json_at *at, const ProtobufCEnumDescriptor *what,
                      int64_t *out)
{
    const ProtobufCEnumValue *v;

    if (!cJSON_IsString(at->item))
        return read_integer(r, at, 32, true, out);
    v = protobuf_c_enum_descriptor_get_value_by_name(what, at->item->valuestring);
    *out = v ? v->value : 0;
    return v ||
           json_fail(&r->doc, at, "\"%.80s\" is no %s", at->item->valuestring, what->short_name);
}

static bool read_real(struct reader *r, const json_at *at, double *out)
{
    if (json_number_or_word(at, (const char *const[]){"NaN", "Infinity", "-Infinity"}, out))
        return true;
    if (cJSON_IsString(at->item) && inlay_element_parse(INLAY_F64, at->item->valuestring, out, 0) &&
        isfinite(*out))
        return true;
    return json_wrong(&r->doc, at, "a number, \"NaN\", \"Infinity\" or \"-Infinity\"");
}

static bool read_scalar(struct reader *r, const json_at *at, const ProtobufCFieldDescriptor *field,
                        void *out)
{
    int64_t whole = 0;
    double real = 0;
    float narrow;
    int32_t low;

    switch (field->type) {
    case PROTOBUF_C_TYPE_FLOAT:
        if (!read_real(r, at, &real))
            return false;
        narrow = (float)real;
        memcpy(out, &narrow, sizeof narrow);
        return true;
    case PROTOBUF_C_TYPE_DOUBLE:
        return read_real(r, at, out);
    case PROTOBUF_C_TYPE_ENUM:
        if (!read_enum(r, at, field->descriptor, &whole))
            return false;
        break;
    case PROTOBUF_C_TYPE_INT32:
        if (!read_integer(r, at, 32, true, &whole))
            return false;
        break;
    default:
        return read_integer(r, at, 64, field->type == PROTOBUF_C_TYPE_INT64, out);
    }
    low = (int32_t)whole;
    memcpy(out, &low, sizeof low);
    return true;
}

static void *read_message(struct reader *r, const json_at *at,
                          const ProtobufCMessageDescriptor *what, int depth);

static bool read_element(struct reader *r, const json_at *at, const ProtobufCFieldDescriptor *field,
                         int depth, void *out)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_STRING:
        return read_string(r, at, out);
    case PROTOBUF_C_TYPE_BYTES:
        return read_bytes(r, at, out);
    case PROTOBUF_C_TYPE_MESSAGE:
        return (*(void **)out = read_message(r, at, field->descriptor, depth + 1)) != NULL;
    default:
        return read_scalar(r, at, field, out);
    }
}

static bool add_element(struct reader *r, const json_at *at, const ProtobufCFieldDescriptor *field,
                        int depth, void *message)
{
    void *out = onnx_field_add(message, field, r->arena);

    if (!out)
        return inlay_fail_memory(r->doc.d);
    memset(out, 0, onnx_field_size(field));
    return read_element(r, at, field, depth, out);
}

static bool read_field(struct reader *r, const json_at *at, const ProtobufCFieldDescriptor *field,
                       int depth, void *message)
{
    int i = 0;

    if (onnx_field_count(message, field) > 0)
        return json_fail(&r->doc, at, "the field is there under two names");
    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return add_element(r, at, field, depth, message);
    if (!cJSON_IsArray(at->item))
        return json_wrong(&r->doc, at, "a list");
    for (const cJSON *item = at->item->child; item; item = item->next, i++) {
        json_at here = json_element(at, item, i);

        if (!add_element(r, &here, field, depth, message))
            return false;
    }
    return true;
}

/* The limit of DEPTH is that of the binary form. */
static void *read_message(struct reader *r, const json_at *at,
                          const ProtobufCMessageDescriptor *what, int depth)
{
    void *message;

    if (!cJSON_IsObject(at->item)) {
        json_wrong(&r->doc, at, "an object");
        return NULL;
    }
    if (depth > ONNX_MAX_DEPTH) {
        json_fail(&r->doc, at, "messages are nested more than %d deep", ONNX_MAX_DEPTH);
        return NULL;
    }
    message = onnx_message_new(what, json_line(&r->doc, at->item), r->arena);
    if (!message)
        inlay_fail_memory(r->doc.d);
    for (const cJSON *item = at->item->child; message && item; item = item->next) {
        const ProtobufCFieldDescriptor *field = field_of(what, item->string);
        json_at here = json_member(at, item, item->string);

        if (cJSON_IsNull(item) || (!field && is_left_out(item->string)))
            continue;
        if (!field)
            json_fail(&r->doc, &here, "%s has no such field", what->short_name);
        if (!field || !read_field(r, &here, field, depth, message))
            return NULL;
    }
    return message;
}

void *onnx_json_read(const ProtobufCMessageDescriptor *what, const char *bytes, size_t n,
                     const char *file, inlay_arena *a, inlay_diags *d)
{
    struct reader r = {.doc = {.file = file, .budget = inlay_arena_budget(a), .d = d}, .arena = a};
    void *message = NULL;

    if (json_parse(&r.doc, bytes, n)) {
        json_at root = {NULL, r.doc.root, NULL, 0};

        message = read_message(&r, &root, what, 1);
    }
    json_free(&r.doc);
    return message;
}

/* Returns where the string that begins at I ends; N: it has no end. */
static size_t string_end(const char *bytes, size_t n, size_t i)
{
    for (i++; i < n && bytes[i] != '"'; i++) {
        if (bytes[i] == '\\')
            i++;
    }
    return i < n ? i : n;
}

/* Returns what KEY, the name of a member of the document, says of the format: 1 ONNX, 0 a JSON
 * graph, -1 either. */
static int told_by(const char *key, size_t n)
{
    static const char *const onnx[] = {
        "irVersion",      "opset_import",  "opsetImport",  "producer_name", "producerName",
        "graph",          "model_version", "modelVersion", "doc_string",    "docString",
        "metadata_props", "metadataProps", "functions",    "domain"};
    static const char *const both[] = {"ir_version", "$schema"};

    for (size_t i = 0; i < sizeof onnx / sizeof onnx[0]; i++) {
        if (strlen(onnx[i]) == n && memcmp(onnx[i], key, n) == 0)
            return 1;
    }
    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++) {
        if (strlen(both[i]) == n && memcmp(both[i], key, n) == 0)
            return -1;
    }
    return 0;
}

bool onnx_is_json(const char *bytes, size_t n)
{
    bool key = false; /* whether the next string is the name of a member of the document */
    size_t first = n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    int depth = 0;

    while (first < n && bytes[first] && strchr(" \t\r\n", bytes[first]))
        first++;
    if (first == n || bytes[first] != '{')
        return false;
    for (size_t i = first; i < n; i++) {
        char c = bytes[i];

        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        key = key || (depth == 1 && (c == '{' || c == ','));
        if (c == '"') {
            size_t end = string_end(bytes, n, i);
            int told = key && depth == 1 && end < n ? told_by(bytes + i + 1, end - i - 1) : -1;

            if (told >= 0)
                return told == 1;
            key = false;
            i = end;
        }
    }
    return false;
}
