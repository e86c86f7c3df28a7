/* Reads the binary form by the descriptors of the messages. See wire.h.
 *
 * A message is a sequence of fields: a tag (number of the field, wire type) and a value of that
 * wire type: a varint, four or eight bytes, or a length with as many bytes. Fields may be in any
 * order; if one that is not repeated occurs several times, the last is used. Source: the encoding
 * of protocol buffers (Protocol Buffers Documentation, "Encoding"). */
#include "parser/onnx/wire.h"
#include "ir/shared.h"
#include "parser/utf8.h"

#include "onnx.pb-c.h"

#include <string.h>

enum wire_type { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LENGTH = 2, WIRE_32 = 5 };

/* A message that is being read, in field FIELD of OUTER. */
struct level {
    const struct level *outer;
    const void *message;
    const ProtobufCMessageDescriptor *what;
    const ProtobufCFieldDescriptor *field; /* the field of this message that is being read */
    int depth;
};

/* A string that was read. The table is indexed by the length, the first bytes and the last byte. */
struct recent {
    char *text; /* NULL: none yet */
    size_t n;
};

enum { RECENT = 256 }; /* a power of two */

/* FIRST: the first byte of the file; AT: the next one to read; END: the end of the message. */
struct wire {
    const uint8_t *first, *at, *end;
    const char *file;
    inlay_arena *arena;
    inlay_diags *diags;
    struct recent recent[RECENT];
};

/* Returns the name of MESSAGE if it is an attribute whose name has been read already, else NULL.
 * Messages then say `attribute "axes"` instead of `attribute[1]`. */
static const char *name_of(const ProtobufCMessageDescriptor *what, const void *message)
{
    const char *name = what == &onnx__attribute_proto__descriptor
                           ? ((const Onnx__AttributeProto *)message)->name
                           : NULL;

    return name && *name ? name : NULL;
}

static void put_path(inlay_strbuf *b, const struct level *l, const struct level *inner)
{
    const char *name = inner ? name_of(inner->what, inner->message) : NULL;

    if (!l)
        return;
    put_path(b, l->outer, l);
    if (!l->field)
        return;
    inlay_strbuf_printf(b, "%s%s", l->outer ? "." : "", l->field->name);
    if (name)
        inlay_strbuf_printf(b, " \"%s\"", name);
    else if (l->field->label == PROTOBUF_C_LABEL_REPEATED && inner)
        inlay_strbuf_printf(b, "[%zu]", onnx_field_count(l->message, l->field) - 1);
}

/* Reports that WHAT at AT is wrong. Returns false. */
static bool wrong(const struct wire *w, const struct level *l, const char *what, const uint8_t *at,
                  const char *how)
{
    inlay_pos pos = {w->file, 0};
    inlay_strbuf b = {0};

    put_path(&b, l, NULL);
    if (b.failed)
        inlay_fail_memory(w->diags);
    else
        inlay_fail(w->diags, &pos, "%s%s%s at byte %zu %s", b.n > 0 ? b.bytes : "",
                   b.n > 0 ? ": " : "", what, (size_t)(at - w->first), how);
    inlay_strbuf_free(&b);
    return false;
}

static bool no_memory(const struct wire *w)
{
    inlay_fail_memory(w->diags);
    return false;
}

static bool read_varint(struct wire *w, const struct level *l, uint64_t *out)
{
    const uint8_t *start = w->at;
    uint64_t x = 0;

    if (w->at < w->end && *w->at < 0x80) { /* most tags and lengths are one byte */
        *out = *w->at++;
        return true;
    }
    for (int shift = 0; shift < 64; shift += 7) {
        if (w->at == w->end)
            return wrong(w, l, "the number", start, "has no end");
        x |= (uint64_t)(*w->at & 0x7f) << shift;
        if (!(*w->at++ & 0x80)) {
            *out = x;
            return true;
        }
    }
    return wrong(w, l, "the number", start, "has more than 64 bits");
}

/* Reads a number of four or eight bytes, in little-endian order. */
static bool read_fixed(struct wire *w, const struct level *l, int size, uint64_t *out)
{
    if (w->end - w->at < size)
        return wrong(w, l, "the number", w->at, "has no end");
    *out = 0;
    for (int i = 0; i < size; i++)
        *out |= (uint64_t)w->at[i] << (8 * i);
    w->at += size;
    return true;
}

/* Reads a length and skips as many bytes, which are SIZE bytes at START. */
static bool read_length(struct wire *w, const struct level *l, const uint8_t **start, size_t *size)
{
    const uint8_t *at = w->at;
    uint64_t n = 0;

    if (!read_varint(w, l, &n))
        return false;
    if (n > (uint64_t)(w->end - w->at))
        return wrong(w, l, "the length", at, "is larger than what is left");
    *start = w->at;
    *size = (size_t)n;
    w->at += n;
    return true;
}

static bool skip(struct wire *w, const struct level *l, int type, const uint8_t *tag)
{
    const uint8_t *start;
    uint64_t number;
    size_t size;

    switch (type) {
    case WIRE_VARINT:
        return read_varint(w, l, &number);
    case WIRE_64:
        return read_fixed(w, l, 8, &number);
    case WIRE_32:
        return read_fixed(w, l, 4, &number);
    case WIRE_LENGTH:
        return read_length(w, l, &start, &size);
    default:
        return wrong(w, l, "the field", tag, "is of a wire type that ONNX does not have");
    }
}

static int scalar_wire_type(const ProtobufCFieldDescriptor *field)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_FLOAT:
        return WIRE_32;
    case PROTOBUF_C_TYPE_DOUBLE:
        return WIRE_64;
    default:
        return WIRE_VARINT;
    }
}

/* Reads a number from a varint or from four or eight bytes into OUT, a field of a record. For an
 * int32 the high half of the varint is dropped. */
static bool read_scalar(struct wire *w, const struct level *l, void *out)
{
    int type = scalar_wire_type(l->field);
    size_t size = onnx_field_size(l->field);
    uint64_t x;
    uint32_t low;

    if (type == WIRE_VARINT ? !read_varint(w, l, &x) : !read_fixed(w, l, (int)size, &x))
        return false;
    low = (uint32_t)x;
    if (size == 4)
        memcpy(out, &low, 4);
    else
        memcpy(out, &x, 8);
    return true;
}

static size_t count_varints(const uint8_t *at, const uint8_t *end)
{
    size_t n = 0;

    for (; at < end; at++)
        n += !(*at & 0x80);
    return n;
}

/* Reads the elements of a packed field, which follow a common length. */
static bool read_packed(struct wire *w, struct level *l, void *message)
{
    const uint8_t *start, *end = w->end;
    size_t size, n;
    uint64_t ignored; /* what has no end is no element, and an error */
    bool ok = true;
    char *out;

    if (!read_length(w, l, &start, &size))
        return false;
    n = scalar_wire_type(l->field) == WIRE_VARINT ? count_varints(start, w->at)
                                                  : size / onnx_field_size(l->field);
    out = n > 0 ? onnx_field_append(message, l->field, n, w->arena) : NULL;
    if (n > 0 && !out)
        return no_memory(w);
    w->end = w->at;
    w->at = start;
    for (size_t i = 0; ok && w->at < w->end; i++)
        ok = read_scalar(w, l, i < n ? out + i * onnx_field_size(l->field) : (char *)&ignored);
    w->end = end;
    return ok;
}

static bool read_bytes(struct wire *w, const struct level *l, ProtobufCBinaryData *out)
{
    const uint8_t *start;

    if (!read_length(w, l, &start, &out->len))
        return false;
    /* The bytes are never written to, although protobuf-c's type does not say so. */
    memcpy(&out->data, &start, sizeof start);
    return true;
}

static struct recent *recent_of(struct wire *w, const uint8_t *start, size_t n)
{
    uint32_t first = 0, last = 0;
    uint64_t key;

    if (n >= 4) {
        memcpy(&first, start, 4);
        memcpy(&last, start + n - 4, 4);
    }
    for (size_t i = 0; n < 4 && i < n; i++)
        first = first << 8 | start[i];
    key = ((uint64_t)first << 32 | last) + n;
    return &w->recent[key * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}

/* Files repeat the same strings: an operator's name at each of its nodes, a value's name where it
 * is made and where it is used. A string that was read recently is taken from the table. */
static bool read_string(struct wire *w, const struct level *l, char **out)
{
    struct recent *recent;
    const uint8_t *start;
    size_t n;

    if (!read_length(w, l, &start, &n))
        return false;
    recent = recent_of(w, start, n);
    if (recent->text && recent->n == n && memcmp(recent->text, start, n) == 0) {
        *out = recent->text;
        return true;
    }
    if (!utf8_valid(start, n) || memchr(start, 0, n))
        return wrong(w, l, "the string", start, "is not UTF-8 text");
    *out = inlay_arena_strndup(w->arena, (const char *)start, n);
    *recent = (struct recent){*out, n};
    return *out || no_memory(w);
}

static bool read_message(struct wire *w, struct level *l, void *message);

/* Reads a message in a field of another one. */
static bool read_inner(struct wire *w, const struct level *outer, ProtobufCMessage **out)
{
    struct level l = {outer, NULL, outer->field->descriptor, NULL, outer->depth + 1};
    const uint8_t *start, *end = w->end;
    size_t size;
    bool ok;

    if (!read_length(w, outer, &start, &size))
        return false;
    if (l.depth > ONNX_MAX_DEPTH)
        return wrong(w, NULL, "the message", start, "is nested more than 100 deep");
    if (!(*out = onnx_message_new(l.what, (size_t)(start - w->first), w->arena)))
        return no_memory(w);
    l.message = *out;
    w->end = w->at;
    w->at = start;
    ok = read_message(w, &l, *out);
    w->end = end;
    return ok;
}

static bool read_element(struct wire *w, struct level *l, void *out)
{
    switch (l->field->type) {
    case PROTOBUF_C_TYPE_STRING:
        return read_string(w, l, out);
    case PROTOBUF_C_TYPE_BYTES:
        return read_bytes(w, l, out);
    case PROTOBUF_C_TYPE_MESSAGE:
        return read_inner(w, l, out);
    default:
        return read_scalar(w, l, out);
    }
}

static bool is_scalar(const ProtobufCFieldDescriptor *field)
{
    return field->type != PROTOBUF_C_TYPE_STRING && field->type != PROTOBUF_C_TYPE_BYTES &&
           field->type != PROTOBUF_C_TYPE_MESSAGE;
}

/* Reads the field L->field, whose tag is at TAG and has wire type TYPE. */
static bool read_field(struct wire *w, struct level *l, void *message, int type, const uint8_t *tag)
{
    bool repeated = l->field->label == PROTOBUF_C_LABEL_REPEATED;
    void *out;

    if (is_scalar(l->field) && repeated && type == WIRE_LENGTH)
        return read_packed(w, l, message);
    if (type != (is_scalar(l->field) ? scalar_wire_type(l->field) : WIRE_LENGTH))
        return wrong(w, l, "the field", tag, "is of another wire type than ONNX says");
    if (!repeated && l->field->type == PROTOBUF_C_TYPE_MESSAGE &&
        onnx_field_count(message, l->field) > 0)
        return wrong(w, l, "the message", tag, "is there a second time");
    out = onnx_field_add(message, l->field, w->arena);
    if (!out)
        return no_memory(w);
    /* Clears what is there a second time: messages find the place of an error from what has been
     * read. An element that was added is zero. */
    if (!repeated)
        memset(out, 0, onnx_field_size(l->field));
    return read_element(w, l, out);
}

/* Finds a field by its number. Fields are sorted by it; in most messages of ONNX the numbers begin
 * with 1 and have few gaps, so the field is at that index, or a little before. */
static const ProtobufCFieldDescriptor *field_of(const ProtobufCMessageDescriptor *what,
                                                unsigned number)
{
    unsigned i = number < what->n_fields ? number : what->n_fields;

    while (i-- > 0 && what->fields[i].id >= number) {
        if (what->fields[i].id == number)
            return &what->fields[i];
    }
    return NULL;
}

static bool read_message(struct wire *w, struct level *l, void *message)
{
    while (w->at < w->end) {
        const uint8_t *start = w->at;
        uint64_t tag;
        bool ok;

        l->field = NULL;
        if (!read_varint(w, l, &tag))
            return false;
        if (tag >> 3 == 0 || tag >> 3 > 0x1fffffff)
            return wrong(w, l, "the tag", start, "has no field number");
        l->field = field_of(l->what, (unsigned)(tag >> 3));
        ok = l->field ? read_field(w, l, message, (int)(tag & 7), start)
                      : skip(w, l, (int)(tag & 7), start);
        if (!ok)
            return false;
    }
    return true;
}

void *onnx_wire_read(const ProtobufCMessageDescriptor *what, const void *bytes, size_t n,
                     const char *file, inlay_arena *a, inlay_diags *d)
{
    struct wire w = {.first = bytes,
                     .at = bytes,
                     .end = (const uint8_t *)bytes + n,
                     .file = file,
                     .arena = a,
                     .diags = d};
    struct level l = {.what = what, .depth = 1};
    void *message = onnx_message_new(what, 0, a);

    if (!message) {
        inlay_fail_memory(d);
        return NULL;
    }
    l.message = message;
    return read_message(&w, &l, message) ? message : NULL;
}
