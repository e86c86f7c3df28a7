/* Constants, conversions of type, and tensors filled with one value. */
#include "parser/onnx/export.h"

#include <string.h>

/* Returns the attribute `value_int` or another of its kind as a tensor; NULL: none of them is
 * there. */
static inlay_tensor *value_tensor(onnx_node *n, bool *ok)
{
    int n_ints, n_floats;
    const int64_t *ints = onnx_attr_ints(n, "value_ints", &n_ints, ok);
    const float *floats = onnx_attr_floats(n, "value_floats", &n_floats, ok);
    bool scalar = onnx_attr(n, "value_int") || onnx_attr(n, "value_float");
    bool is_float = onnx_attr(n, "value_float") || onnx_attr(n, "value_floats");
    int64_t dims[] = {is_float ? n_floats : n_ints}, count = scalar ? 1 : dims[0];
    inlay_tensor *t;

    if (!*ok || !(scalar || onnx_attr(n, "value_ints") || onnx_attr(n, "value_floats")))
        return NULL;
    t = assemble_tensor(&n->s->r->a, is_float ? INLAY_F32 : INLAY_I64, scalar ? 0 : 1, dims);
    for (int64_t i = 0; t && i < count; i++) {
        if (is_float)
            inlay_tensor_set_f64(
                t, i, scalar ? onnx_attr_float(n, "value_float", 0, ok) : (double)floats[i]);
        else
            inlay_tensor_set_i64(t, i, scalar ? onnx_attr_int(n, "value_int", 0, ok) : ints[i]);
    }
    *ok = *ok && t;
    return t;
}

/* Returns attribute value_string or value_strings as a tensor. */
static inlay_tensor *text_tensor(onnx_node *n, bool *ok)
{
    inlay_tensor *t = onnx_attr_text(n, "value_strings", ok);
    const char *text = onnx_attr_string(n, "value_string", NULL, ok);

    if (!*ok || t || !text)
        return t;
    t = assemble_tensor(&n->s->r->a, INLAY_STRING, 0, NULL);
    if (t && !inlay_tensor_set_string(t, 0, text, strlen(text)))
        *ok = inlay_fail_memory(n->d);
    *ok = *ok && t;
    return t;
}

static inlay_tensor *sparse_tensor(onnx_node *n, bool *ok)
{
    return onnx_attr_sparse(n, "sparse_value", ok);
}

/* ONNX asks for exactly one: of several, another runtime may take another one. */
static bool has_one_value(onnx_node *n)
{
    static const char *const names[] = {"value",         "value_int",    "value_ints",
                                        "value_float",   "value_floats", "value_string",
                                        "value_strings", "sparse_value"};
    int count = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        count += onnx_attr(n, names[i]) != NULL;
    return count < 2 || onnx_node_fail(n, "has %d attributes that hold a value", count);
}

static bool import_constant(onnx_node *n)
{
    inlay_tensor *(*const kinds[])(onnx_node *, bool *) = {value_tensor, text_tensor,
                                                           sparse_tensor};
    bool ok = has_one_value(n), given;
    inlay_tensor *t = ok ? onnx_attr_tensor(n, "value", &ok) : NULL;

    for (int i = 0; ok && !t && i < 3; i++)
        t = kinds[i](n, &ok);
    if (ok && !t)
        return onnx_node_fail(n, "has none of the attributes that hold a value");
    given = ok && onnx_give(n, 0, onnx_constant(n, t));
    inlay_tensor_release(t);
    return given;
}

/* Returns the only element of attribute value as a scalar, which can fill a scalar, too. */
static inlay_value *filling(onnx_node *n, bool *ok)
{
    inlay_tensor *t = onnx_attr_tensor(n, "value", ok), *one;
    inlay_value *v;

    if (!*ok || !t)
        return *ok ? onnx_number(n, INLAY_F32, 0) : NULL;
    one = inlay_tensor_count(t) == 1 ? inlay_tensor_window(t, 0, NULL, NULL, 0) : NULL;
    v = onnx_constant(n, one);
    if (inlay_tensor_count(t) != 1)
        onnx_node_fail(n, "attribute \"value\" must have one element");
    else if (!one)
        inlay_fail_memory(n->d);
    inlay_tensor_release(one);
    inlay_tensor_release(t);
    return v;
}

static bool import_constant_of_shape(onnx_node *n)
{
    bool ok = true;

    return onnx_give(n, 0, onnx_binary(n, "Broadcast", filling(n, &ok), onnx_flat(n, n->in[0])));
}

/* Returns whether Convert does the same as Cast: unless one of the types is string, or the result
 * is a float of 4 or 8 bits. */
static bool converts(inlay_type from, inlay_type to)
{
    bool narrow = inlay_type_is_float(to) && inlay_type_info_of(to)->bits <= 8;

    return from == to || (from != INLAY_STRING && to != INLAY_STRING && !narrow);
}

inlay_value *onnx_cast(onnx_node *n, inlay_value *x, inlay_type type)
{
    bool ok = true, saturate = onnx_attr_int(n, "saturate", 1, &ok) != 0;

    const char *mode = onnx_attr_word(n, "round_mode", "up", "up down nearest", &ok);
    if (!ok || !x)
        return NULL;
    if (converts(x->fact.type, type))
        return onnx_make(n, "Convert", 1, &x, ATTRS(TYPE("destination_type", type)));
    return onnx_make(n, "Cast@onnx25", 1, &x,
                     ATTRS(TYPE("to", type), FLAG("saturate", saturate), WORD("round_mode", mode)));
}

static bool cast_to(onnx_node *n, inlay_type type)
{
    return onnx_give(n, 0, onnx_cast(n, n->in[0], type));
}

/* Reads the element type that attribute `to` names by its code. */
static bool type_to(onnx_node *n, inlay_type *type)
{
    return onnx_attr_type(n, "to", -1, type);
}

static bool import_cast(onnx_node *n)
{
    inlay_type type;

    return type_to(n, &type) && cast_to(n, type);
}

/* Before version 6 the type was named in words: "FLOAT", "INT64". */
static bool import_cast_by_word(onnx_node *n)
{
    static const char *const words[] = {
        "UNDEFINED", "FLOAT",  "UINT8", "INT8",    "UINT16", "INT16",  "INT32",
        "INT64",     "STRING", "BOOL",  "FLOAT16", "DOUBLE", "UINT32", "UINT64",
    };
    bool ok = true;
    const char *to = onnx_attr_string(n, "to", "", &ok);
    inlay_type type;

    for (int i = 1; ok && i < (int)(sizeof words / sizeof words[0]); i++) {
        if (strcmp(to, words[i]) == 0)
            return onnx_type(n->s->r, &n->at, i, &type) && cast_to(n, type);
    }
    return ok && onnx_node_fail(n, "to is \"%.40s\", it must be the name of an element type", to);
}

static bool import_bit_cast(onnx_node *n)
{
    inlay_type type;

    return type_to(n, &type) &&
           onnx_give(n, 0, onnx_make(n, "BitCast@onnx26", 1, n->in, ATTRS(TYPE("to", type))));
}

static bool import_cast_like(onnx_node *n)
{
    return cast_to(n, n->in[1]->fact.type);
}

static bool import_range(onnx_node *n)
{
    return onnx_give(
        n, 0, onnx_make(n, "Range", 3, n->in, ATTRS(TYPE("output_type", n->in[0]->fact.type))));
}

/* Scalars or lists of one; the last may be left out. */
static bool import_own_range(onnx_node *n)
{
    inlay_type type = n->in[0]->fact.type;
    inlay_value *in[3];

    for (int i = 0; i < 3; i++)
        in[i] = onnx_in(n, i) ? onnx_one(n, i) : onnx_number(n, type, 1);
    return in[0] && in[1] && in[2] &&
           onnx_give(n, 0, onnx_make(n, "Range", 3, in, ATTRS(TYPE("output_type", type))));
}

static bool import_clip(onnx_node *n)
{
    inlay_value *x = n->in[0];

    if (onnx_in(n, 1))
        x = onnx_binary(n, "Maximum", x, onnx_one(n, 1));
    if (onnx_in(n, 2))
        x = onnx_binary(n, "Minimum", x, onnx_one(n, 2));
    return onnx_give(n, 0, x);
}

static bool import_clip_1(onnx_node *n)
{
    bool ok = true;
    double low = onnx_attr_float(n, "min", -3.4028234663852886e38, &ok);
    double high = onnx_attr_float(n, "max", 3.4028234663852886e38, &ok);

    return ok &&
           onnx_give(n, 0,
                     onnx_make(n, "Clamp", 1, n->in, ATTRS(REAL("min", low), REAL("max", high))));
}

const onnx_operator onnx_operators_constant[] = {
    {"BitCast", 26, import_bit_cast, NULL, 1},
    {"Cast", 6, import_cast, NULL, 1},
    {"Cast", 1, import_cast_by_word, NULL, 1},
    {"CastLike", 15, import_cast_like, NULL, 2},
    {"Clip", 11, import_clip, NULL, 1},
    {"Clip", 1, import_clip_1, NULL, 1},
    {"Constant", 1, import_constant, NULL, -1},
    {"ConstantOfShape", 9, import_constant_of_shape, NULL, 1},
    {"IsNaN", 9, onnx_same, "IsNaN", 1},
    {"Not", 1, onnx_same, "LogicalNot", 1},
    {"BitwiseNot", 18, onnx_same, "BitwiseNot", 1},
    {"NonZero", 9, onnx_same, "NonZero", 1},
    {"Range", 11, import_range, NULL, 3},
    {"com.microsoft.Range", 1, import_own_range, NULL, 2},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. */

static bool export_convert(onnx_export *x)
{
    inlay_type to = x->n->out[0].fact.type;

    if (to == INLAY_DYNAMIC)
        return put_refuse(x, "the type that is converted to is not known");
    return put_give(x, 0, put_cast(x, put_in(x, 0), to));
}

/* Attributes that the operator has got in later versions, if they say something. */
static bool export_cast(onnx_export *x)
{
    inlay_type to = inlay_node_type(x->n, "to");
    bool powers = to == INLAY_F8E8M0,
         eighth = inlay_type_is_float(to) && inlay_type_info_of(to)->bits == 8;
    bool saturate = !eighth || inlay_node_bool(x->n, "saturate"); /* others may not have them */
    const char *mode = inlay_node_string(x->n, "round_mode");
    bool rounds = powers && strcmp(mode, "up") != 0;

    if ((!saturate && !put_needs(x, 19, "saturate=false")) ||
        (rounds && !put_needs(x, 24, "round_mode")))
        return false;
    return put_give(x, 0,
                    put(x, "Cast", IN(put_in(x, 0)),
                        !saturate
                            ? ATTRS(TYPE("to", to), INT("saturate", 0),
                                    WORD("round_mode", rounds ? mode : NULL))
                            : ATTRS(TYPE("to", to), WORD("round_mode", rounds ? mode : NULL))));
}

static bool export_bit_cast(onnx_export *x)
{
    return put_give(
        x, 0, put(x, "BitCast", IN(put_in(x, 0)), ATTRS(TYPE("to", inlay_node_type(x->n, "to")))));
}

/* Operand I is a u64 that a double may not hold. */
static bool is_large(const onnx_export *x, int i)
{
    const inlay_value *v = inlay_node_input(x->n, i);
    const inlay_tensor *t = v ? v->fact.content : NULL;

    return v && v->fact.type == INLAY_U64 &&
           (!t || inlay_tensor_count(t) != 1 || inlay_tensor_get_f64(t, 0) > 0x1p53);
}

/* Range takes numbers of one type, that of the result. */
static bool export_range(onnx_export *x)
{
    inlay_type_set types = PUT_BIT(INLAY_F32) | PUT_BIT(INLAY_F64) | PUT_BIT(INLAY_I16) |
                           PUT_BIT(INLAY_I32) | PUT_BIT(INLAY_I64);
    inlay_type type = put_wider(x->n->out[0].fact.type, types);
    const char *in[4] = {NULL};

    for (int i = 0; i < 3; i++) {
        inlay_type own = put_type(x, i);

        if (inlay_type_is_float(own) && !inlay_type_is_float(type))
            type = INLAY_F64;
        if (is_large(x, i))
            return put_refuse(x, "numbers of u64 that may be above 2^53");
    }
    if (type == INLAY_DYNAMIC)
        return put_refuse(x, "numbers of its type");
    for (int i = 0; i < 3; i++) {
        in[i] = put_scalar(x, i);
        in[i] = put_type(x, i) == type ? in[i] : put_cast(x, in[i], type);
    }
    in[0] = put(x, "Range", in, NULL);
    return put_give(
        x, 0, type == x->n->out[0].fact.type ? in[0] : put_cast(x, in[0], x->n->out[0].fact.type));
}

static bool export_non_zero(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), PUT_NUM | PUT_BOOL),
               out = inlay_node_type(x->n, "output_type");
    const char *y = put(x, "NonZero", IN(put_as(x, 0, type)), NULL);

    return put_give(x, 0, out == INLAY_I64 ? y : put_cast(x, y, out));
}

const onnx_exporter onnx_exporters_constant[] = {
    {"BitCast@onnx", export_bit_cast, NULL, 26, PUT_ANY},
    {"Cast@onnx", export_cast, NULL, 0, PUT_ANY},
    {"Convert", export_convert, NULL, 0, PUT_ANY},
    {"ConvertLike", export_convert, NULL, 0, PUT_ANY},
    {"NonZero", export_non_zero, NULL, 0, PUT_ANY},
    {"Range", export_range, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
