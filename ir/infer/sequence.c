/* Sequences, optionals and maps: lists of items, and single ones. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

/* Sets output 0 to LENGTH items. */
static bool set_items(inlay_infer *cx, inlay_dim length)
{
    inlay_shape s = {.rank = 1, .dim = {length}};

    return inlay_infer_set_out(cx, 0, INLAY_ITEM, &s);
}

/* Output 0 is what an item holds. */
static bool set_content(inlay_infer *cx)
{
    return set_out_unknown(cx, 0, inlay_node_type(cx->node, "element_type"));
}

bool infer_sequence_construct(inlay_infer *cx)
{
    for (int i = 0; i < cx->n_in; i++) {
        if (!in_has(cx, i))
            return inlay_infer_fail(cx, "input %d is missing", i);
    }
    return set_items(cx, inlay_dim_of(cx->n_in));
}

bool infer_sequence_at(inlay_infer *cx)
{
    return in_check_rank(cx, 0, 1, 1) && in_check_one(cx, 1) && set_content(cx);
}

/* A sequence becomes MORE items longer; POSITION is the operand that says where. */
static bool grow(inlay_infer *cx, int position, int64_t more)
{
    inlay_dim n;

    if (!in_length(cx, 0, false, &n) || (in_has(cx, position) && !in_check_one(cx, position)))
        return false;
    if (n.hi == 0 && more < 0)
        return inlay_infer_fail(cx, "the sequence is empty, so nothing can be erased");
    n = inlay_dim_is_static(n) && n.hi < INLAY_DIM_MAX - 1 ? inlay_dim_of(n.lo + more)
                                                           : inlay_dim_any();
    return set_items(cx, n);
}

bool infer_sequence_insert(inlay_infer *cx)
{
    return grow(cx, 2, 1);
}

bool infer_sequence_erase(inlay_infer *cx)
{
    return grow(cx, 1, -1);
}

/* How many parts of a size that one number says an axis has. */
static inlay_dim parts_of(const inlay_infer *cx, inlay_dim size)
{
    int64_t part;

    if (!inlay_dim_is_static(size) || !in_int(cx, 1, &part) || part <= 0)
        return inlay_dim_any();
    return inlay_dim_of(size.lo / part + (size.lo % part != 0));
}

bool infer_split_to_sequence(inlay_infer *cx)
{
    int rank = in_rank(cx, 0), axis = 0;
    inlay_dim size, n = inlay_dim_any();

    if (!in_check_rank(cx, 0, 1, -1) || (in_has(cx, 1) && !in_check_rank(cx, 1, 0, 1)))
        return false;
    if (rank >= 0 && !inlay_infer_axis(cx, "axis", inlay_node_int(cx->node, "axis"), rank, &axis))
        return false;
    size = in_dim(cx, 0, axis);
    if (!in_has(cx, 1))
        n = size;
    else if (in_rank(cx, 1) == 1)
        n = in_dim(cx, 1, 0);
    else if (in_rank(cx, 1) == 0)
        n = parts_of(cx, size);
    return set_items(cx, n);
}

bool infer_concat_from_sequence(inlay_infer *cx)
{
    return in_check_rank(cx, 0, 1, 1) && set_content(cx);
}

bool infer_optional(inlay_infer *cx)
{
    inlay_shape s = {.rank = 0};

    return inlay_infer_set_out(cx, 0, INLAY_ITEM, &s);
}

bool infer_optional_has_element(inlay_infer *cx)
{
    inlay_shape s = {.rank = 0};

    return inlay_infer_set_out(cx, 0, INLAY_BOOLEAN, &s);
}

bool infer_optional_get_element(inlay_infer *cx)
{
    const inlay_fact *x = cx->in[0];
    inlay_type type = inlay_node_type(cx->node, "element_type");

    if (x->type == INLAY_ITEM ? x->rank > 0 : x->type != INLAY_DYNAMIC)
        return inlay_infer_set_out_like(cx, 0, 0);
    return set_out_unknown(cx, 0, x->type == INLAY_ITEM && x->rank == 0 ? type : INLAY_DYNAMIC);
}

bool infer_zip_map(inlay_infer *cx)
{
    inlay_dim keys, columns;

    if (!in_check_rank(cx, 0, 1, 2) || !in_length(cx, 1, false, &keys))
        return false;
    columns = in_rank(cx, 0) > 0 ? in_dim(cx, 0, in_rank(cx, 0) - 1) : inlay_dim_any();
    if (!inlay_dim_compatible(keys, columns))
        return inlay_infer_fail(cx, "X has shape %s, there are keys of shape %s", in_text(cx, 0),
                                in_text(cx, 1));
    return set_items(cx, in_rank(cx, 0) == 1   ? inlay_dim_of(1)
                         : in_rank(cx, 0) == 2 ? in_dim(cx, 0, 0)
                                               : inlay_dim_any());
}
