/* Shape rules of operations on text. */
#include "ir/infer/infer.h"

bool infer_string_tensor_pack(inlay_infer *cx)
{
    inlay_dim symbols;
    inlay_shape s;

    return in_length(cx, 2, false, &symbols) && inlay_infer_broadcast(cx, 0, 1, "none", &s) &&
           inlay_infer_set_out(cx, 0, INLAY_STRING, &s);
}

bool infer_string_tensor_unpack(inlay_infer *cx)
{
    return set_out_as(cx, 0, 0, INLAY_I32) && set_out_as(cx, 1, 0, INLAY_I32) &&
           set_out_rank(cx, 2, INLAY_U8, 1);
}

bool infer_string_concat(inlay_infer *cx)
{
    inlay_shape s;

    return inlay_infer_broadcast(cx, 0, 1, "numpy", &s) &&
           inlay_infer_set_out(cx, 0, INLAY_STRING, &s);
}

/* The parts of each string stand along a new last axis, as many as the string with the most has. */
bool infer_string_split(inlay_infer *cx)
{
    inlay_shape s;

    inlay_infer_shape(cx, 0, &s);
    if (!inlay_infer_set_out(cx, 1, INLAY_I64, &s))
        return false;
    if (s.rank >= INLAY_MAX_RANK)
        return inlay_infer_fail(cx, "X has %d ax%s, one more is too many", s.rank,
                                inlay_plural(s.rank, "is", "es"));
    if (s.rank >= 0)
        s.dim[s.rank++] = inlay_dim_any();
    return inlay_infer_set_out(cx, 0, INLAY_STRING, &s);
}

/* The operand is [C] or [1, C]. Some of its strings go; where none would be left the output has an
 * empty one. */
bool infer_string_normalizer(inlay_infer *cx)
{
    inlay_shape s;

    inlay_infer_shape(cx, 0, &s);
    if (s.rank >= 0 && s.rank != 1 && s.rank != 2)
        return inlay_infer_fail(cx, "X has shape %s, it must be [C] or [1, C]", in_text(cx, 0));
    if (s.rank == 2 && !inlay_dim_compatible(s.dim[0], inlay_dim_of(1)))
        return inlay_infer_fail(cx, "X has shape %s, it must be [C] or [1, C]", in_text(cx, 0));
    if (s.rank == 2)
        s.dim[0] = inlay_dim_of(1);
    if (s.rank > 0) {
        inlay_dim *last = &s.dim[s.rank - 1];

        *last = (inlay_dim){1, last->hi > 1 ? last->hi : 1, 0};
    }
    return inlay_infer_set_out(cx, 0, INLAY_STRING, &s);
}

bool infer_regex_full_match(inlay_infer *cx)
{
    return set_out_as(cx, 0, 0, INLAY_BOOLEAN);
}

/* [C] becomes [size], [N, C] becomes [N, size]. */
bool infer_tf_idf(inlay_infer *cx)
{
    int64_t size = inlay_node_int(cx->node, "size");
    inlay_shape s;

    if (size < 0)
        return inlay_infer_fail(cx, "size is %lld, it must not be negative", (long long)size);
    inlay_infer_shape(cx, 0, &s);
    if (s.rank > 2 || s.rank == 0)
        return inlay_infer_fail(cx, "X has shape %s, it must have one axis or two", in_text(cx, 0));
    if (s.rank > 0)
        s.dim[s.rank - 1] = inlay_dim_of(size);
    return inlay_infer_set_out(cx, 0, INLAY_F32, &s);
}
