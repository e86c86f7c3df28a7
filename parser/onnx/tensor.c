/* Tensors of ONNX: inside the file as raw bytes or as lists of numbers, or beside it.
 *
 *     raw_data      the elements, little endian, packed as in memory: a view of the file
 *     float_data    f32, and the two parts of c64
 *     int32_data    whole numbers of up to 32 bits, and the bits of smaller floats; of types of
 *                   four bits two in one entry
 *     int64_data    i64
 *     double_data   f64 and c128
 *     uint64_data   u64 and u32
 *     string_data   strings
 *     external      a file below the model's folder, an offset and a length in it: a view of that
 *                   file, mapped
 *
 * Source: onnx.proto, message TensorProto; docs/ExternalData.md of ONNX. */
#include "parser/onnx/onnx.h"
#include "parser/onnx/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void onnx_close_files(onnx_reader *r)
{
    for (size_t i = 0; i < r->files.n; i++)
        inlay_buffer_release(r->files.list[i].what);
    parser_names_free(&r->files);
}

/* The type and shape of a tensor, which precede its elements. */
typedef struct header {
    const onnx_place *at;
    const Onnx__TensorProto *t;
    inlay_type type;
    int rank;
    int64_t dims[INLAY_MAX_RANK], count;
    size_t bytes;
} header;

static bool read_header(onnx_reader *r, const onnx_place *at, const Onnx__TensorProto *t, header *h)
{
    *h = (header){.at = at, .t = t, .rank = (int)t->n_dims};
    if (!onnx_type(r, at, t->data_type, &h->type))
        return false;
    if (t->segment)
        return onnx_fail(r, at, "a tensor in segments is not read");
    if (t->n_dims > INLAY_MAX_RANK)
        return onnx_fail(r, at, "the tensor has %zu dimension%s, at most %d are read", t->n_dims,
                         inlay_plural(t->n_dims, "", "s"), INLAY_MAX_RANK);
    for (int i = 0; i < h->rank; i++) {
        h->dims[i] = t->dims[i];
        if (!onnx_check_size(r, at, "dims", (size_t)i, t->dims[i]))
            return false;
    }
    if (!inlay_count_elements(h->rank, h->dims, &h->count) ||
        !inlay_count_bytes(h->type, h->rank, h->dims, &h->bytes))
        return onnx_fail(r, at, "the tensor has more elements than can be counted");
    return true;
}

static inlay_tensor *no_memory(onnx_reader *r)
{
    inlay_fail_memory(r->a.d);
    return NULL;
}

static inlay_tensor *view(onnx_reader *r, const header *h, inlay_buffer *buffer, const void *at)
{
    void *data;
    inlay_tensor *t;

    /* Constants are never written to, although the type of DATA does not say so. */
    memcpy(&data, &at, sizeof at);
    t = inlay_tensor_over(buffer, data, h->type, h->rank, h->dims);
    return t ? t : no_memory(r);
}

static inlay_tensor *raw_tensor(onnx_reader *r, const header *h)
{
    const ProtobufCBinaryData *raw = &h->t->raw_data;
    inlay_tensor *t;

    if (h->type == INLAY_STRING) {
        onnx_fail(r, h->at, "strings do not stand in raw_data");
        return NULL;
    }
    if (raw->len != h->bytes) {
        onnx_fail(r, h->at, "raw_data has %zu byte%s, the shape needs %zu", raw->len,
                  inlay_plural(raw->len, "", "s"), h->bytes);
        return NULL;
    }
    if (r->bytes && h->bytes > 0)
        return view(r, h, r->bytes, raw->data);
    t = assemble_tensor(&r->a, h->type, h->rank, h->dims);
    if (t && h->bytes > 0)
        memcpy(t->data, raw->data, h->bytes);
    return t;
}

/* A list of numbers, each of which holds in its lowest WIDTH bytes one element, or several packed
 * ones. */
struct list {
    const char *name;
    const void *entries;
    size_t n, entry_size, width;
};

static struct list list_of(const header *h)
{
    const Onnx__TensorProto *t = h->t;
    int bits = inlay_type_info_of(h->type)->bits;

    switch (h->type) {
    case INLAY_F32:
    case INLAY_C64:
        return (struct list){"float_data", t->float_data, t->n_float_data, 4, 4};
    case INLAY_F64:
    case INLAY_C128:
        return (struct list){"double_data", t->double_data, t->n_double_data, 8, 8};
    case INLAY_I64:
        return (struct list){"int64_data", t->int64_data, t->n_int64_data, 8, 8};
    case INLAY_U64:
    case INLAY_U32:
        return (struct list){"uint64_data", t->uint64_data, t->n_uint64_data, 8, (size_t)bits / 8};
    default:
        return (struct list){"int32_data", t->int32_data, t->n_int32_data, 4,
                             bits < 8 ? 1 : (size_t)bits / 8};
    }
}

static void store_low_bytes(char *out, const char *entry, size_t entry_size, size_t width)
{
    uint64_t x = 0;
    uint32_t low;

    if (entry_size == 8) {
        memcpy(&x, entry, 8);
    } else {
        memcpy(&low, entry, 4);
        x = low;
    }
    for (size_t i = 0; i < width; i++)
        out[i] = (char)(unsigned char)(x >> (8 * i));
}

static inlay_tensor *listed_tensor(onnx_reader *r, const header *h)
{
    struct list list = list_of(h);
    size_t wanted = h->bytes / list.width;
    inlay_tensor *t;

    if (list.n != wanted) {
        onnx_fail(r, h->at, "%s has %zu entr%s, the shape needs %zu", list.name, list.n,
                  inlay_plural(list.n, "y", "ies"), wanted);
        return NULL;
    }
    t = assemble_tensor(&r->a, h->type, h->rank, h->dims);
    for (size_t i = 0; t && i < list.n; i++)
        store_low_bytes((char *)t->data + i * list.width,
                        (const char *)list.entries + i * list.entry_size, list.entry_size,
                        list.width);
    return t;
}

static inlay_tensor *string_tensor(onnx_reader *r, const header *h)
{
    inlay_tensor *t;

    if (h->t->n_string_data != (uint64_t)h->count) {
        onnx_fail(r, h->at, "string_data has %zu entr%s, the shape needs %lld", h->t->n_string_data,
                  inlay_plural(h->t->n_string_data, "y", "ies"), (long long)h->count);
        return NULL;
    }
    t = assemble_tensor(&r->a, h->type, h->rank, h->dims);
    for (int64_t i = 0; t && i < h->count; i++) {
        const ProtobufCBinaryData *s = &h->t->string_data[i];

        if (!inlay_tensor_set_string(t, i, (const char *)s->data, s->len)) {
            inlay_tensor_release(t);
            return no_memory(r);
        }
    }
    return t;
}

/* Where the elements of a tensor are outside the model. LENGTH: -1 if the model does not state it.
 */
typedef struct place {
    const char *location;
    int64_t offset, length;
} place;

static bool read_number(onnx_reader *r, const header *h, const char *key, const char *text,
                        int64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoll(text, &end, 10);
    if (errno || end == text || *end || *out < 0)
        return onnx_fail(r, h->at, "external_data: %s is \"%.80s\", it must be a number of bytes",
                         key, text);
    return true;
}

static bool read_place(onnx_reader *r, const header *h, place *p)
{
    *p = (place){NULL, 0, -1};
    for (size_t i = 0; i < h->t->n_external_data; i++) {
        const Onnx__StringStringEntryProto *e = h->t->external_data[i];
        const char *key = e->key ? e->key : "", *value = e->value ? e->value : "";

        if (strcmp(key, "location") == 0)
            p->location = value;
        else if (strcmp(key, "offset") == 0 && !read_number(r, h, key, value, &p->offset))
            return false;
        else if (strcmp(key, "length") == 0 && !read_number(r, h, key, value, &p->length))
            return false;
    }
    return p->location || onnx_fail(r, h->at, "external_data has no location");
}

static bool fail_file(onnx_reader *r, const header *h, const char *name, file_fault fault)
{
    switch (fault) {
    case FILE_MISSING:
        return onnx_fail(r, h->at, "external_data: \"%.200s\" cannot be opened: %s", name,
                         strerror(errno));
    case FILE_OUTSIDE:
        return onnx_fail(r, h->at,
                         "external_data: \"%.200s\" is not below the model's folder; "
                         "--follow-links allows links, "
                         "and --weights FILE names the file",
                         name);
    case FILE_IRREGULAR:
        return onnx_fail(r, h->at, "external_data: \"%.200s\" is no regular file", name);
    default:
        return false;
    }
}

static bool map_file(onnx_reader *r, const header *h, const char *location, inlay_buffer **out)
{
    const inlay_read_options *o = &r->a.options;
    const file_memory m = {o->budget, o->never_map};
    file_fault fault = FILE_FINE;

    if (o->weights) {
        *out = file_map(o->weights, 0, m, r->a.d);
        return *out != NULL;
    }
    fault = file_map_named(r->a.file ? r->a.file : "", location, o->follow_links, m, out, r->a.d);
    return fault == FILE_FINE || fail_file(r, h, location, fault);
}

/* Returns the file LOCATION, which is mapped once for all its tensors. NULL: an error was recorded.
 */
static inlay_buffer *file_at(onnx_reader *r, const header *h, const char *location)
{
    inlay_buffer *bytes = parser_names_find(&r->files, location);

    if (bytes || !map_file(r, h, location, &bytes))
        return bytes;
    r->files.budget = r->a.options.budget;
    if (parser_names_add(&r->files, location, bytes))
        return bytes;
    inlay_buffer_release(bytes);
    inlay_fail_memory(r->a.d);
    return NULL;
}

static inlay_tensor *external_tensor(onnx_reader *r, const header *h)
{
    inlay_buffer *file;
    place p;

    if (h->type == INLAY_STRING) {
        onnx_fail(r, h->at, "strings do not stand in external_data");
        return NULL;
    }
    if (!read_place(r, h, &p) || !(file = file_at(r, h, p.location)))
        return NULL;
    if (p.length >= 0 && (uint64_t)p.length != h->bytes) {
        onnx_fail(r, h->at, "external_data: length is %lld, the shape needs %zu",
                  (long long)p.length, h->bytes);
        return NULL;
    }
    if ((uint64_t)p.offset > inlay_buffer_size(file) ||
        h->bytes > inlay_buffer_size(file) - (uint64_t)p.offset) {
        onnx_fail(r, h->at,
                  "external_data: bytes %lld to %llu are not in \"%.200s\", which has %zu",
                  (long long)p.offset, (unsigned long long)p.offset + h->bytes, p.location,
                  inlay_buffer_size(file));
        return NULL;
    }
    return view(r, h, file, (const char *)inlay_buffer_data(file) + p.offset);
}

/* Elements stand in one field: of two, another runtime may take the other one. */
static bool has_one_field(onnx_reader *r, const onnx_place *at, const Onnx__TensorProto *t)
{
    const ProtobufCMessageDescriptor *what = &onnx__tensor_proto__descriptor;
    bool external = t->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
    bool raw = t->has_raw_data && t->raw_data.len > 0;
    const char *first = external ? "external_data" : raw ? "raw_data" : NULL;

    if (external && raw)
        return onnx_fail(r, at, "the elements stand in external_data and in raw_data");
    for (unsigned i = 0; i < what->n_fields; i++) {
        const ProtobufCFieldDescriptor *f = &what->fields[i];

        if (f->label != PROTOBUF_C_LABEL_REPEATED || f->type == PROTOBUF_C_TYPE_MESSAGE ||
            strcmp(f->name, "dims") == 0 || onnx_field_count(t, f) == 0)
            continue;
        if (first)
            return onnx_fail(r, at, "the elements stand in %s and in %s", first, f->name);
        first = f->name;
    }
    return true;
}

inlay_tensor *onnx_tensor(onnx_reader *r, const onnx_place *at, const Onnx__TensorProto *t)
{
    header h;

    if (!read_header(r, at, t, &h) || !has_one_field(r, at, t))
        return NULL;
    if (t->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
        return external_tensor(r, &h);
    if (t->has_raw_data && !(t->raw_data.len == 0 && h.count > 0))
        return raw_tensor(r, &h);
    return h.type == INLAY_STRING ? string_tensor(r, &h) : listed_tensor(r, &h);
}
