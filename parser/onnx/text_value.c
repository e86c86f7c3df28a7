/* Types, tensors and attributes in ONNX's text form. */
#include "parser/onnx/text.h"
#include "parser/onnx/wire.h"

#include <stdio.h>
#include <string.h>

/* TensorProto.DataType for each name of the text form, and the list that holds the elements. */
static const struct element_type {
    const char *name, *list;
    int bits; /* of one element, if an entry of the list holds several; else 0 */
} types[] = {
    [1] = {"float", "float_data", 0},         [2] = {"uint8", "int32_data", 0},
    [3] = {"int8", "int32_data", 0},          [4] = {"uint16", "int32_data", 0},
    [5] = {"int16", "int32_data", 0},         [6] = {"int32", "int32_data", 0},
    [7] = {"int64", "int64_data", 0},         [8] = {"string", "string_data", 0},
    [9] = {"bool", "int32_data", 0},          [10] = {"float16", "int32_data", 0},
    [11] = {"double", "double_data", 0},      [12] = {"uint32", "uint64_data", 0},
    [13] = {"uint64", "uint64_data", 0},      [14] = {"complex64", "float_data", 0},
    [15] = {"complex128", "double_data", 0},  [16] = {"bfloat16", "int32_data", 0},
    [17] = {"float8e4m3fn", "int32_data", 0}, [18] = {"float8e4m3fnuz", "int32_data", 0},
    [19] = {"float8e5m2", "int32_data", 0},   [20] = {"float8e5m2fnuz", "int32_data", 0},
    [21] = {"uint4", "int32_data", 4},        [22] = {"int4", "int32_data", 4},
    [23] = {"float4e2m1", "int32_data", 4},   [24] = {"float8e8m0", "int32_data", 0},
    [25] = {"uint2", "int32_data", 2},        [26] = {"int2", "int32_data", 2},
};

enum { N_TYPES = sizeof types / sizeof types[0] };

/* Returns the element type if the next token is one; else 0. */
static int type_ahead(onnx_text *t)
{
    for (int i = 1; i < N_TYPES; i++) {
        if (onnx_text_ahead(t, types[i].name))
            return i;
    }
    return 0;
}

/* Does the next word begin a type? */
static bool is_type(onnx_text *t)
{
    return type_ahead(t) || onnx_text_ahead(t, "seq") || onnx_text_ahead(t, "map") ||
           onnx_text_ahead(t, "optional") || onnx_text_ahead(t, "sparse_tensor");
}

static bool read_element_type(onnx_text *t, int32_t *out)
{
    *out = type_ahead(t);
    return *out ? onnx_text_word(t) != NULL : onnx_text_wrong(t, "an element type");
}

static bool read_dim(onnx_text *t, Onnx__TensorShapeProto *shape)
{
    Onnx__TensorShapeProto__Dimension *dim = onnx_text_add(t, shape, "dim");
    char c = onnx_text_peek(t);

    if (!dim)
        return false;
    if (onnx_text_take(t, '?'))
        return true;
    dim->has_dim_value = c == '-' || (c >= '0' && c <= '9');
    if (dim->has_dim_value)
        return onnx_text_integer(t, &dim->dim_value);
    return (dim->dim_param = onnx_text_name(t)) != NULL;
}

/* Reads a shape: `[]` means an unknown rank, no brackets a scalar. */
static bool read_shape(onnx_text *t, Onnx__TensorShapeProto **out)
{
    bool list = onnx_text_take(t, '[');

    if (list && onnx_text_take(t, ']'))
        return true;
    *out = onnx_text_message(t, &onnx__tensor_shape_proto__descriptor);
    if (!*out || !list)
        return *out != NULL;
    do {
        if (!read_dim(t, *out))
            return false;
    } while (onnx_text_take(t, ','));
    return onnx_text_expect(t, ']');
}

/* DEPTH: how many types contain this one. */
static bool read_inner(onnx_text *t, int depth, Onnx__TypeProto **out)
{
    return onnx_text_expect(t, '(') && (*out = onnx_text_type(t, depth + 1)) &&
           onnx_text_expect(t, ')');
}

static bool read_map(onnx_text *t, Onnx__TypeProto__Map *map, int depth)
{
    map->has_key_type = 1;
    return onnx_text_expect(t, '(') && read_element_type(t, &map->key_type) &&
           onnx_text_expect(t, ',') && (map->value_type = onnx_text_type(t, depth + 1)) &&
           onnx_text_expect(t, ')');
}

static bool read_sparse(onnx_text *t, Onnx__TypeProto__SparseTensor *sparse)
{
    sparse->has_elem_type = 1;
    return onnx_text_expect(t, '(') && read_element_type(t, &sparse->elem_type) &&
           read_shape(t, &sparse->shape) && onnx_text_expect(t, ')');
}

static bool read_type(onnx_text *t, Onnx__TypeProto *out, int depth)
{
    if (type_ahead(t)) {
        out->tensor_type = onnx_text_message(t, &onnx__type_proto__tensor__descriptor);
        if (!out->tensor_type)
            return false;
        out->tensor_type->has_elem_type = 1;
        return read_element_type(t, &out->tensor_type->elem_type) &&
               read_shape(t, &out->tensor_type->shape);
    }
    if (onnx_text_ahead(t, "seq"))
        return onnx_text_word(t) &&
               (out->sequence_type =
                    onnx_text_message(t, &onnx__type_proto__sequence__descriptor)) &&
               read_inner(t, depth, &out->sequence_type->elem_type);
    if (onnx_text_ahead(t, "optional"))
        return onnx_text_word(t) &&
               (out->optional_type =
                    onnx_text_message(t, &onnx__type_proto__optional__descriptor)) &&
               read_inner(t, depth, &out->optional_type->elem_type);
    if (onnx_text_ahead(t, "map"))
        return onnx_text_word(t) &&
               (out->map_type = onnx_text_message(t, &onnx__type_proto__map__descriptor)) &&
               read_map(t, out->map_type, depth);
    if (onnx_text_ahead(t, "sparse_tensor"))
        return onnx_text_word(t) &&
               (out->sparse_tensor_type =
                    onnx_text_message(t, &onnx__type_proto__sparse_tensor__descriptor)) &&
               read_sparse(t, out->sparse_tensor_type);
    return onnx_text_wrong(t, "a type");
}

Onnx__TypeProto *onnx_text_type(onnx_text *t, int depth)
{
    Onnx__TypeProto *type = onnx_text_message(t, &onnx__type_proto__descriptor);

    if (type && depth > ONNX_MAX_DEPTH) {
        onnx_text_error(t, "found types nested more than %d deep", ONNX_MAX_DEPTH);
        return NULL;
    }
    return type && read_type(t, type, depth) ? type : NULL;
}

bool onnx_text_value_info(onnx_text *t, Onnx__ValueInfoProto *out)
{
    if (is_type(t) && !(out->type = onnx_text_type(t, 1)))
        return false;
    return (out->name = onnx_text_name(t)) != NULL;
}

/* Stores element I of TYPE in the list of OUT. Elements of less than a byte share a byte; the first
 * is in the low bits. */
static bool read_small(onnx_text *t, Onnx__TensorProto *out, const struct element_type *type,
                       size_t i)
{
    size_t each = type->bits ? 8 / (size_t)type->bits : 1;
    int64_t x;
    int32_t low;

    if (!onnx_text_integer(t, &x))
        return false;
    if (x < INT32_MIN || x > INT32_MAX)
        return onnx_text_error(t, "found %lld as an element of type %s", (long long)x, type->name);
    low = (int32_t)x;
    if (type->bits == 0)
        return onnx_text_append(t, out, type->list, &low);
    low = (int32_t)(((uint32_t)x & ((1u << type->bits) - 1)) << ((int)(i % each) * type->bits));
    if (i % each == 0)
        return onnx_text_append(t, out, type->list, &low);
    out->int32_data[out->n_int32_data - 1] |= low;
    return true;
}

static bool read_element(onnx_text *t, Onnx__TensorProto *out, const struct element_type *type,
                         size_t i)
{
    ProtobufCBinaryData bytes;
    uint64_t natural;
    int64_t integer;
    double real;
    float narrow;
    bool whole;

    switch (type->list[0]) {
    case 's':
        return onnx_text_string(t, &bytes) && onnx_text_append(t, out, type->list, &bytes);
    case 'u':
        return onnx_text_natural(t, &natural) && onnx_text_append(t, out, type->list, &natural);
    case 'd':
        return onnx_text_real(t, &real, &whole) && onnx_text_append(t, out, type->list, &real);
    case 'f':
        if (!onnx_text_real(t, &real, &whole))
            return false;
        narrow = (float)real;
        return onnx_text_append(t, out, type->list, &narrow);
    default:
        if (strcmp(type->list, "int32_data") == 0)
            return read_small(t, out, type, i);
        return onnx_text_integer(t, &integer) && onnx_text_append(t, out, type->list, &integer);
    }
}

static bool read_dims(onnx_text *t, const Onnx__TypeProto *type, Onnx__TensorProto *out)
{
    const Onnx__TensorShapeProto *shape = type->tensor_type ? type->tensor_type->shape : NULL;

    if (!shape)
        return onnx_text_error(t, "found data of a value that is no tensor of known sizes");
    out->has_data_type = 1;
    out->data_type = type->tensor_type->elem_type;
    for (size_t i = 0; i < shape->n_dim; i++) {
        if (!shape->dim[i]->has_dim_value)
            return onnx_text_error(t, "found data of a tensor whose dimension %zu is not known", i);
        if (!onnx_text_append(t, out, "dims", &shape->dim[i]->dim_value))
            return false;
    }
    return true;
}

bool onnx_text_entries(onnx_text *t, void *message, const char *field)
{
    if (!onnx_text_expect(t, '['))
        return false;
    if (onnx_text_take(t, ']'))
        return true;
    do {
        Onnx__StringStringEntryProto *e = onnx_text_add(t, message, field);

        if (!e || !(e->key = onnx_text_quoted(t)) || !onnx_text_expect(t, ':') ||
            !(e->value = onnx_text_quoted(t)))
            return false;
    } while (onnx_text_take(t, ','));
    return onnx_text_expect(t, ']');
}

bool onnx_text_tensor(onnx_text *t, const Onnx__TypeProto *type, Onnx__TensorProto *out)
{
    size_t i = 0;

    if (!read_dims(t, type, out))
        return false;
    if (onnx_text_peek(t) == '[') {
        out->data_location = ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
        return onnx_text_entries(t, out, "external_data");
    }
    if (!onnx_text_expect(t, '{'))
        return false;
    if (onnx_text_take(t, '}'))
        return true;
    do {
        if (!read_element(t, out, &types[out->data_type], i++))
            return false;
    } while (onnx_text_take(t, ','));
    return onnx_text_expect(t, '}');
}

/* Returns the AttributeProto.AttributeType for NAME, which is that of the enum in lower case. 0:
 * there is none. */
static int attribute_type(const char *name)
{
    const ProtobufCEnumDescriptor *e = &onnx__attribute_proto__attribute_type__descriptor;

    for (unsigned i = 1; i < e->n_values; i++) {
        const char *p = name, *q = e->values[i].name;

        while (*p && *q && *p == (*q == '_' ? '_' : *q | 0x20))
            p++, q++;
        if (!*p && !*q)
            return e->values[i].value;
    }
    return 0;
}

#define KIND(name) ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__##name

/* Reads a type, or a tensor: `float[2] name = {1, 2}`, where the name and the = may be absent. */
static bool read_typed(onnx_text *t, Onnx__AttributeProto *out)
{
    Onnx__TypeProto *type = onnx_text_type(t, 1);
    char next = type ? onnx_text_peek(t) : '\0';

    if (!type)
        return false;
    if (next != '{' && next != '=' && next != '"' && next != '_' && !(next >= 'a' && next <= 'z') &&
        !(next >= 'A' && next <= 'Z')) {
        out->type = KIND(TYPE_PROTO);
        out->tp = type;
        return true;
    }
    out->type = KIND(TENSOR);
    out->t = onnx_text_message(t, &onnx__tensor_proto__descriptor);
    if (!out->t || (next != '{' && next != '=' && !(out->t->name = onnx_text_name(t))))
        return false;
    onnx_text_take(t, '=');
    return onnx_text_tensor(t, type, out->t);
}

/* Whether the next token is inf, infinity or nan, in any letter case. */
static bool is_special(onnx_text *t)
{
    static const char *const words[] = {"inf", "infinity", "nan",      "Inf", "Infinity",
                                        "NaN", "INF",      "INFINITY", "NAN"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (onnx_text_ahead(t, words[i]))
            return true;
    }
    return false;
}

static bool read_number(onnx_text *t, Onnx__AttributeProto *out)
{
    const char *start = t->at;
    bool whole;
    double x;

    if (!onnx_text_real(t, &x, &whole))
        return false;
    out->type = whole ? KIND(INT) : KIND(FLOAT);
    out->has_i = whole;
    out->has_f = !whole;
    out->f = (float)x;
    if (!whole)
        return true;
    t->at = start;
    return onnx_text_integer(t, &out->i);
}

static bool read_value(onnx_text *t, Onnx__AttributeProto *out, int depth)
{
    char c = onnx_text_peek(t);

    if (is_type(t))
        return read_typed(t, out);
    if (c == '"') {
        out->type = KIND(STRING);
        out->has_s = 1;
        return onnx_text_string(t, &out->s);
    }
    if (onnx_text_take(t, '@'))
        return (out->ref_attr_name = onnx_text_name(t)) != NULL;
    if ((c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) && !is_special(t)) {
        out->type = KIND(GRAPH);
        out->g = onnx_text_message(t, &onnx__graph_proto__descriptor);
        return out->g && onnx_text_graph(t, out->g, depth + 1);
    }
    return read_number(t, out);
}

/* Converts OUT to the type WANTED that was announced for it: an integer may become a float. */
static bool fit(onnx_text *t, Onnx__AttributeProto *out, int wanted)
{
    const ProtobufCEnumDescriptor *e = &onnx__attribute_proto__attribute_type__descriptor;

    if (out->ref_attr_name) {
        out->has_type = 1;
        out->type = wanted;
        return true;
    }
    if (wanted == KIND(FLOAT) && (int)out->type == KIND(INT)) {
        out->f = (float)out->i;
        out->has_i = 0;
        out->has_f = 1;
        out->type = KIND(FLOAT);
    }
    out->has_type = 1;
    return wanted == KIND(UNDEFINED) || (int)out->type == wanted ||
           onnx_text_error(t, "found a value of type %s, expected one of type %s",
                           e->values[out->type].name, e->values[wanted].name);
}

/* Returns the type of the elements of the list type WANTED; UNDEFINED if it is none that is read.
 */
static int single(int wanted)
{
    return wanted == KIND(FLOATS)    ? KIND(FLOAT)
           : wanted == KIND(INTS)    ? KIND(INT)
           : wanted == KIND(STRINGS) ? KIND(STRING)
                                     : KIND(UNDEFINED);
}

static bool append_value(onnx_text *t, Onnx__AttributeProto *out, const Onnx__AttributeProto *x)
{
    if ((int)x->type == KIND(FLOAT))
        return onnx_text_append(t, out, "floats", &x->f);
    if ((int)x->type == KIND(INT))
        return onnx_text_append(t, out, "ints", &x->i);
    return onnx_text_append(t, out, "strings", &x->s);
}

static bool read_list(onnx_text *t, Onnx__AttributeProto *out, int wanted, int depth)
{
    int of = single(wanted);

    if (wanted != KIND(UNDEFINED) && of == KIND(UNDEFINED))
        return onnx_text_error(t, "found a list, expected a value of another type");
    if (onnx_text_take(t, ']'))
        return wanted != KIND(UNDEFINED) ||
               onnx_text_error(t, "found an empty list without a type: name: ints = []");
    do {
        Onnx__AttributeProto *x = onnx_text_message(t, &onnx__attribute_proto__descriptor);

        if (!x || !read_value(t, x, depth) || !fit(t, x, of))
            return false;
        of = (int)x->type;
        if (x->ref_attr_name || (of != KIND(FLOAT) && of != KIND(INT) && of != KIND(STRING)))
            return onnx_text_error(t, "found a list of other values than numbers and strings");
        if (!append_value(t, out, x))
            return false;
    } while (onnx_text_take(t, ','));
    out->type = of == KIND(FLOAT) ? KIND(FLOATS) : of == KIND(INT) ? KIND(INTS) : KIND(STRINGS);
    return onnx_text_expect(t, ']');
}

bool onnx_text_attribute(onnx_text *t, Onnx__AttributeProto *out, int depth)
{
    int wanted = KIND(UNDEFINED);

    if (onnx_text_take(t, ':')) {
        const char *word = onnx_text_word(t);

        if (!word)
            return false;
        if (!(wanted = attribute_type(word)))
            return onnx_text_error(t, "found `%.80s`, expected the type of an attribute", word);
    }
    if (!onnx_text_expect(t, '='))
        return false;
    if (!onnx_text_take(t, '['))
        return read_value(t, out, depth) && fit(t, out, wanted);
    out->has_type = 1;
    out->type = wanted;
    return read_list(t, out, wanted, depth);
}
