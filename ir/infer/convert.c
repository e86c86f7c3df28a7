/* Shape rules of conversions between types. */
#include "ir/infer/values.h"

/* Converts the known elements of operand 0 to TYPE. An element that TYPE may not represent becomes
 * unknown. */
static bool convert_known(inlay_infer *cx, inlay_type type)
{
    inlay_dim values[INLAY_MAX_KNOWN];
    int n;
    const inlay_dim *known = in_known(cx, 0, &n);

    if (!known || !follows_values(type) || !follows_values(cx->in[0]->type))
        return true;
    for (int i = 0; i < n; i++)
        values[i] = type == INLAY_BOOLEAN ? value_not(value_equal(known[i], inlay_dim_of(0)))
                                          : fit_value(type, known[i]);
    return inlay_infer_set_known(cx, 0, values, n);
}

static bool convert(inlay_infer *cx, inlay_type type)
{
    return set_out_as(cx, 0, 0, type) && convert_known(cx, type);
}

bool infer_convert(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "destination_type");
    inlay_type_class cls = inlay_type_info_of(type)->cls;

    if (cls == INLAY_CLASS_NONE || cls == INLAY_CLASS_STRING || cls == INLAY_CLASS_COMPLEX)
        return inlay_infer_fail(cx, "destination_type is %s, it must be a number or boolean type",
                                inlay_type_info_of(type)->name);
    return convert(cx, type);
}

bool infer_convert_like(inlay_infer *cx)
{
    return convert(cx, cx->in[1]->type);
}

bool infer_onnx_cast(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "to");
    inlay_type_class cls = inlay_type_info_of(type)->cls;

    if (cls == INLAY_CLASS_NONE || cls == INLAY_CLASS_COMPLEX)
        return inlay_infer_fail(cx, "to is %s, it must be a number, boolean or string type",
                                inlay_type_info_of(type)->name);
    return convert(cx, type);
}

/* Both types must have one width, because the document leaves other pairs to a later version. */
bool infer_onnx_bit_cast(inlay_infer *cx)
{
    inlay_type from = cx->in[0]->type, to = inlay_node_type(cx->node, "to");
    const inlay_type_info *a = inlay_type_info_of(from), *b = inlay_type_info_of(to);

    if (b->cls == INLAY_CLASS_NONE || b->cls == INLAY_CLASS_STRING ||
        (from != INLAY_DYNAMIC && a->bits != b->bits))
        return inlay_infer_fail(cx, "to is %s, it must be a type of as many bits as %s, %d",
                                b->name, a->name, a->bits);
    return set_out_as(cx, 0, 0, to);
}

/* ConvertPromoteTypes-14 */

/* The float type with the fewest bits that has the mantissa and the exponent of A and of B. Of
 * those with 16 bits f16 comes first, as the specification wants for f8e4m3 and f8e5m2. */
static inlay_type promoted_float(inlay_type a, inlay_type b)
{
    static const struct layout {
        inlay_type type;
        int mantissa, exponent;
    } layouts[] = {{INLAY_F8E5M2, 2, 5}, {INLAY_F8E4M3, 3, 4}, {INLAY_F16, 10, 5},
                   {INLAY_BF16, 7, 8},   {INLAY_F32, 23, 8},   {INLAY_F64, 52, 11}};
    enum { N = sizeof layouts / sizeof *layouts };
    int mantissa = 0, exponent = 0, known = 0;

    for (int i = 0; i < N; i++) {
        if (layouts[i].type != a && layouts[i].type != b)
            continue;
        mantissa = layouts[i].mantissa > mantissa ? layouts[i].mantissa : mantissa;
        exponent = layouts[i].exponent > exponent ? layouts[i].exponent : exponent;
        known += (layouts[i].type == a) + (layouts[i].type == b);
    }
    for (int i = 0; known == 2 && i < N; i++) {
        if (layouts[i].mantissa >= mantissa && layouts[i].exponent >= exponent)
            return layouts[i].type;
    }
    return INLAY_DYNAMIC;
}

/* Whether every integer of FROM is one of TO. */
static bool holds_integers(inlay_type to, inlay_type from)
{
    bool is_signed = inlay_type_info_of(to)->cls == INLAY_CLASS_SIGNED;
    bool signs = inlay_type_info_of(from)->cls == INLAY_CLASS_SIGNED;
    int bits = inlay_type_info_of(to)->bits, need = inlay_type_info_of(from)->bits;

    return is_signed == signs ? bits >= need : is_signed && bits >= 2 * need;
}

static inlay_type promoted_integer(inlay_type a, inlay_type b)
{
    static const inlay_type widest_last[] = {INLAY_I8, INLAY_I16, INLAY_I32, INLAY_I64};

    if (holds_integers(a, b))
        return a;
    if (holds_integers(b, a))
        return b;
    for (int i = 0; i < 4; i++) {
        if (holds_integers(widest_last[i], a) && holds_integers(widest_last[i], b))
            return widest_last[i];
    }
    return INLAY_DYNAMIC;
}

/* boolean, integer, float: a type of a higher kind wins; -1: no such type. */
static int promotion_kind(inlay_type t)
{
    return t == INLAY_BOOLEAN ? 0 : inlay_type_is_int(t) ? 1 : inlay_type_is_float(t) ? 2 : -1;
}

static bool refuse_promotion(inlay_infer *cx, const char *why)
{
    return inlay_infer_fail(cx, "%s and %s %s", inlay_type_info_of(cx->in[0]->type)->name,
                            inlay_type_info_of(cx->in[1]->type)->name, why);
}

/* A and B are of different kinds: the one of the higher kind. */
static bool promote_kinds(inlay_infer *cx, inlay_type a, inlay_type b, bool safe, inlay_type *out)
{
    inlay_type other = promotion_kind(a) > promotion_kind(b) ? b : a;

    *out = other == b ? a : b;
    if (safe && promotion_kind(other) == 1 && inlay_type_is_float(*out) &&
        inlay_type_info_of(*out)->bits < 2 * inlay_type_info_of(other)->bits)
        return refuse_promotion(cx, "have no safe common type: the float has less than twice the "
                                    "bits of the integer (promote_unsafe allows it)");
    return true;
}

/* A and B are two types of one kind. */
static bool promote_alike(inlay_infer *cx, inlay_type a, inlay_type b, bool safe, inlay_type *out)
{
    *out = inlay_type_is_float(a) ? promoted_float(a, b) : promoted_integer(a, b);
    if (*out == INLAY_DYNAMIC && inlay_type_is_int(a) && (a == INLAY_U64 || b == INLAY_U64))
        *out = inlay_node_type(cx->node, "u64_integer_promotion_target");
    if (*out == INLAY_DYNAMIC)
        return refuse_promotion(cx, "have no common type");
    if (safe && *out != a && *out != b)
        return refuse_promotion(cx, "have no safe common type: both would be converted "
                                    "(promote_unsafe allows it)");
    return true;
}

/* With pytorch_scalar_promotion, a scalar takes the type of a tensor of its kind. */
static bool promote_scalar(inlay_infer *cx, bool safe, inlay_type *out)
{
    int tensor = in_rank(cx, 0) == 0 ? 1 : 0;
    inlay_type scalar = cx->in[!tensor]->type, common;

    *out = cx->in[tensor]->type;
    common =
        inlay_type_is_float(*out) ? promoted_float(*out, scalar) : promoted_integer(*out, scalar);
    if (safe && common != *out)
        return refuse_promotion(cx, "have no safe common type: the tensor's has less range than "
                                    "the scalar's (promote_unsafe allows it)");
    return true;
}

static bool promoted_type(inlay_infer *cx, inlay_type *out)
{
    inlay_type a = cx->in[0]->type, b = cx->in[1]->type;
    bool safe = !inlay_node_bool(cx->node, "promote_unsafe");
    bool scalars = inlay_node_bool(cx->node, "pytorch_scalar_promotion");
    int rank_a = in_rank(cx, 0), rank_b = in_rank(cx, 1);

    *out = a;
    if (a == b || a == INLAY_DYNAMIC)
        return true;
    *out = b;
    if (b == INLAY_DYNAMIC)
        return true;
    if (promotion_kind(a) < 0 || promotion_kind(b) < 0)
        return refuse_promotion(cx, "have no common type");
    if (promotion_kind(a) != promotion_kind(b))
        return promote_kinds(cx, a, b, safe, out);
    *out = INLAY_DYNAMIC;
    if (scalars && (rank_a < 0 || rank_b < 0))
        return true;
    if (scalars && (rank_a == 0) != (rank_b == 0))
        return promote_scalar(cx, safe, out);
    return promote_alike(cx, a, b, safe, out);
}

bool infer_convert_promote_types(inlay_infer *cx)
{
    inlay_type type;

    return promoted_type(cx, &type) && set_out_as(cx, 0, 0, type) && set_out_as(cx, 1, 1, type);
}
