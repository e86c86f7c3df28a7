/* Constants (parser/openvino/README.md 4). A tensor is a view of the weights file, whatever its
 * alignment, and is never copied. Only strings need a table of their own, which points into the
 * file, too. */
#include "ir/shared.h"
#include "parser/file.h"
#include "parser/openvino/layout.h"
#include "parser/openvino/made.h"
#include "parser/xml/xml.h"

#include <stdlib.h>
#include <string.h>

/* The range of a constant's bytes in the weights file. */
struct range {
    int64_t offset, size;
};

static bool size_attr(ov_reader *r, const ov_layer *l, const char *name, int64_t *out)
{
    const char *text = ov_data(l, name);

    if (!text)
        return inlay_fail_node(r->a.d, l->made.node, "attribute \"%s\" is missing", name);
    if (xml_parse_int(text, strlen(text), out) && *out >= 0)
        return true;
    return inlay_fail_node(r->a.d, l->made.node,
                           "attribute \"%s\" is \"%.80s\", it must be a number from 0 to 2^63-1",
                           name, text);
}

static bool fail_no_weights(ov_reader *r, const ov_layer *l)
{
    bool named = r->a.file && !strchr(r->a.file, '<');
    char *looked_for = named ? file_with_ending(r->a.file, "bin") : NULL;

    if (looked_for)
        inlay_fail_node(r->a.d, l->made.node,
                        "the model has a constant, but no weights: there is no %s", looked_for);
    else
        inlay_fail_node(r->a.d, l->made.node,
                        "the model has a constant, but no weights were given");
    free(looked_for);
    return false;
}

static bool const_range(ov_reader *r, const ov_layer *l, struct range *range)
{
    size_t total;

    if (!size_attr(r, l, "offset", &range->offset) || !size_attr(r, l, "size", &range->size))
        return false;
    if (r->a.options.make_weights)
        return true;
    if (!r->weights)
        return fail_no_weights(r, l);
    total = inlay_buffer_size(r->weights);
    if ((uint64_t)range->offset <= total &&
        (uint64_t)range->size <= total - (uint64_t)range->offset)
        return true;
    return inlay_fail_node(
        r->a.d, l->made.node,
        "offset %lld and size %lld reach beyond the weights file, which has %zu byte%s",
        (long long)range->offset, (long long)range->size, total, inlay_plural(total, "", "s"));
}

/* Reads element_type, which may be spelled like the types of attributes or like those of ports
 * (3.2). */
static bool const_type(ov_reader *r, const ov_layer *l, inlay_type *type)
{
    const char *text = ov_data(l, "element_type");
    const char *refused;

    if (!text)
        return inlay_fail_node(r->a.d, l->made.node, "attribute \"element_type\" is missing");
    if (!inlay_type_by_name(text, type) && !inlay_type_by_xml(text, type))
        return inlay_fail_node(
            r->a.d, l->made.node,
            "attribute \"element_type\" is \"%.80s\", it must be an element type", text);
    refused = ov_no_constant(*type);
    if (refused)
        return inlay_fail_node(r->a.d, l->made.node, "a constant of type %s: %s",
                               inlay_type_info_of(*type)->name, refused);
    return true;
}

static bool const_dims(ov_reader *r, const ov_layer *l, int *rank, int64_t *dims)
{
    const char *text = ov_data(l, "shape"), *why = NULL;
    inlay_shape s;

    if (!text)
        return inlay_fail_node(r->a.d, l->made.node, "attribute \"shape\" is missing");
    if (!inlay_shape_parse(text, &s, &why))
        return inlay_fail_node(r->a.d, l->made.node, "attribute \"shape\" is \"%.200s\": %s", text,
                               why);
    if (!inlay_shape_is_static(&s))
        return inlay_fail_node(r->a.d, l->made.node,
                               "attribute \"shape\" is \"%.200s\", a constant has a static shape",
                               text);
    *rank = s.rank;
    for (int i = 0; i < s.rank; i++)
        dims[i] = s.dim[i].lo;
    return true;
}

static int64_t load_i32(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    uint32_t x = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;

    return (int64_t)(x ^ UINT32_C(0x80000000)) - INT64_C(0x80000000);
}

/* Checks string data: count | offset[0..count] | bytes (4.3). Data that is only a count of 0 is
 * complete. */
static bool check_strings(ov_reader *r, const ov_layer *l, const char *p, int64_t size,
                          int64_t wanted)
{
    int64_t count = size >= 4 ? load_i32(p) : -1, room;

    if (count < 0)
        return inlay_fail_node(r->a.d, l->made.node,
                               "string data of %lld byte%s has no valid count", (long long)size,
                               inlay_plural(size, "", "s"));
    if (count != wanted)
        return inlay_fail_node(r->a.d, l->made.node,
                               "the data holds %lld string%s, the shape says %lld",
                               (long long)count, inlay_plural(count, "", "s"), (long long)wanted);
    if (count == 0)
        return true;
    room = size - 4 * (count + 2);
    if (room < 0)
        return inlay_fail_node(r->a.d, l->made.node,
                               "the table of %lld string%s does not fit in %lld byte%s",
                               (long long)count, inlay_plural(count, "", "s"), (long long)size,
                               inlay_plural(size, "", "s"));
    for (int64_t i = 0; i < count; i++) {
        int64_t begin = load_i32(p + 4 + 4 * i), end = load_i32(p + 8 + 4 * i);

        if (begin < 0 || begin > end || end > room)
            return inlay_fail_node(r->a.d, l->made.node,
                                   "string %lld is at %lld..%lld of %lld byte%s of text",
                                   (long long)i, (long long)begin, (long long)end, (long long)room,
                                   inlay_plural(room, "", "s"));
    }
    return true;
}

static inlay_tensor *string_tensor(ov_reader *r, const ov_layer *l, char *p, int64_t size, int rank,
                                   const int64_t *dims, int64_t count)
{
    inlay_tensor *t;
    inlay_string *strings;

    if (!check_strings(r, l, p, size, count))
        return NULL;
    t = assemble_tensor(&r->a, INLAY_STRING, rank, dims);
    if (!t)
        return NULL;
    if (!inlay_buffer_keep(t->buffer, r->weights)) {
        inlay_tensor_release(t);
        inlay_fail_memory(r->a.d);
        return NULL;
    }
    strings = t->data;
    for (int64_t i = 0; i < count; i++) {
        int64_t begin = load_i32(p + 4 + 4 * i), end = load_i32(p + 8 + 4 * i);

        strings[i].bytes = p + 4 * (count + 2) + begin;
        strings[i].length = (size_t)(end - begin);
    }
    return t;
}

/* Makes the tensor from its bytes in the weights file, whose size has been checked. */
static inlay_tensor *mapped_tensor(ov_reader *r, const ov_layer *l, struct range range,
                                   inlay_type type, int rank, const int64_t *dims)
{
    char *p = (char *)inlay_buffer_data(r->weights) + range.offset;
    inlay_tensor *t;
    int64_t count;

    if (type == INLAY_STRING)
        return inlay_count_elements(rank, dims, &count)
                   ? string_tensor(r, l, p, range.size, rank, dims, count)
                   : NULL;
    t = inlay_tensor_over(r->weights, p, type, rank, dims);
    if (!t)
        inlay_fail_memory(r->a.d);
    return t;
}

static inlay_tensor *const_tensor(ov_reader *r, const ov_layer *l, struct range range)
{
    int64_t dims[INLAY_MAX_RANK], count;
    inlay_type type;
    size_t bytes;
    int rank = 0;

    if (!const_type(r, l, &type) || !const_dims(r, l, &rank, dims))
        return NULL;
    if (!inlay_count_elements(rank, dims, &count) || !inlay_count_bytes(type, rank, dims, &bytes)) {
        inlay_fail_node(r->a.d, l->made.node,
                        "shape \"%.200s\" has more elements than can be counted",
                        ov_data(l, "shape"));
        return NULL;
    }
    if (type != INLAY_STRING && bytes > (uint64_t)range.size) {
        inlay_fail_node(r->a.d, l->made.node, "size is %lld, but %s [%.200s] needs %zu byte%s",
                        (long long)range.size, inlay_type_info_of(type)->name, ov_data(l, "shape"),
                        bytes, inlay_plural(bytes, "", "s"));
        return NULL;
    }
    return r->a.options.make_weights ? ov_make_tensor(r, l, range.offset, type, rank, dims)
                                     : mapped_tensor(r, l, range, type, rank, dims);
}

bool ov_set_const(ov_reader *r, const ov_layer *l)
{
    struct range range;
    inlay_tensor *t;
    bool ok;

    if (!l->has_data)
        return inlay_fail_node(r->a.d, l->made.node, "a Const needs <data>");
    if (!const_range(r, l, &range))
        return false;
    t = const_tensor(r, l, range);
    ok = t && inlay_node_set_tensor(l->made.node, "value", t, r->a.d);
    inlay_tensor_release(t);
    return ok;
}

bool ov_const_is_missing(const ov_reader *r, const ov_layer *l)
{
    const char *offset = ov_data(l, "offset"), *size = ov_data(l, "size");
    uint64_t total = r->weights ? inlay_buffer_size(r->weights) : 0;
    int64_t at, n;

    if (r->a.options.make_weights || !offset || !size ||
        !xml_parse_int(offset, strlen(offset), &at) || !xml_parse_int(size, strlen(size), &n) ||
        at < 0 || n < 0)
        return false;
    return !r->weights || (uint64_t)at > total || (uint64_t)n > total - (uint64_t)at;
}

bool ov_set_missing_const(ov_reader *r, const ov_layer *l)
{
    int64_t sizes[INLAY_MAX_RANK];
    inlay_dim dims[INLAY_MAX_RANK];
    inlay_type type;
    int rank = 0;

    if (!const_type(r, l, &type) || !const_dims(r, l, &rank, sizes))
        return false;
    for (int i = 0; i < rank; i++)
        dims[i] = inlay_dim_of(sizes[i]);
    return l->made.node->n_out == 0 ||
           inlay_value_set_fact(&l->made.node->out[0], type, rank, dims, r->a.d);
}
