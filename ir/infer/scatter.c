/* The scatter family: the output is data with some elements replaced, so it has data's shape; the
 * rules check that indices and updates fit. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

#include <string.h>

/* AXIS receives the axis of data of RANK dimensions that operand I says; -1: it is not known
 * yet. */
static bool known_axis(inlay_infer *cx, int i, int rank, int *axis)
{
    int64_t x;

    *axis = -1;
    if (!in_check_one(cx, i))
        return false;
    return rank < 0 || !in_int(cx, i, &x) || inlay_infer_axis(cx, in_name(cx, i), x, rank, axis);
}

/* Checks that operand I has the shape S. */
static bool check_shape(inlay_infer *cx, int i, const inlay_shape *s)
{
    inlay_shape found;

    if (!in_check_rank(cx, i, s->rank, s->rank))
        return false;
    inlay_infer_shape(cx, i, &found);
    for (int k = 0; k < found.rank; k++) {
        inlay_dim d = s->dim[k];

        if (!merge_dim(cx, i, k, found.dim[k], &d))
            return false;
    }
    return true;
}

/* A[:FROM] + B + C[AFTER:] */
static bool join(inlay_infer *cx, const inlay_shape *a, int from, const inlay_shape *b,
                 const inlay_shape *c, int after, inlay_shape *out)
{
    if (from + b->rank + c->rank - after > INLAY_MAX_RANK)
        return inlay_infer_fail(cx, "updates would need more than %d dimensions", INLAY_MAX_RANK);
    out->rank = 0;
    for (int i = 0; i < from; i++)
        out->dim[out->rank++] = a->dim[i];
    for (int i = 0; i < b->rank; i++)
        out->dim[out->rank++] = b->dim[i];
    for (int i = after; i < c->rank; i++)
        out->dim[out->rank++] = c->dim[i];
    return true;
}

/* updates.shape = data.shape[:axis] + indices.shape + data.shape[axis + 1:] */
bool infer_scatter_update(inlay_infer *cx)
{
    inlay_shape data, indices, want;
    int axis;

    inlay_infer_shape(cx, 0, &data);
    inlay_infer_shape(cx, 1, &indices);
    if (!in_check_rank(cx, 0, 1, -1) || !known_axis(cx, 3, data.rank, &axis))
        return false;
    if (data.rank >= 0 && indices.rank >= 0) {
        inlay_shape_of_rank(&want, 0);
        if (!join(cx, &data, axis < 0 ? 0 : axis, &indices, &data, axis < 0 ? 1 : axis + 1, &want))
            return false;
        if (axis < 0 ? !in_check_rank(cx, 2, want.rank, want.rank) : !check_shape(cx, 2, &want))
            return false;
    }
    return inlay_infer_set_out_like(cx, 0, 0);
}

/* Checks that no dim of the indices is above that of the data. ScatterElementsUpdate-12 lets the
 * indices be longer along the axis; ScatterElementsUpdate-3 does not. */
static bool check_within_data(inlay_infer *cx, int axis, bool axis_too)
{
    inlay_shape data, indices;

    inlay_infer_shape(cx, 0, &data);
    inlay_infer_shape(cx, 1, &indices);
    for (int i = 0; i < indices.rank; i++) {
        if ((i == axis && !axis_too) || indices.dim[i].lo <= data.dim[i].hi)
            continue;
        return inlay_infer_fail(cx, "axis %d of indices %s is longer than data's %s", i,
                                in_text(cx, 1), in_text(cx, 0));
    }
    return true;
}

/* Reductions are arithmetic; a mean of truth values is none. */
static bool check_reduction(inlay_infer *cx)
{
    const char *reduction = inlay_node_string(cx->node, "reduction");
    inlay_type type = cx->in[0]->type;
    inlay_type_class cls = inlay_type_info_of(type)->cls;

    if (!reduction || strcmp(reduction, "none") == 0)
        return true;
    if (cls == INLAY_CLASS_STRING || cls == INLAY_CLASS_COMPLEX ||
        (cls == INLAY_CLASS_BOOLEAN && strcmp(reduction, "mean") == 0))
        return inlay_infer_fail(cx, "reduction \"%s\" is not defined for %s data", reduction,
                                inlay_type_info_of(type)->name);
    return true;
}

bool infer_scatter_elements_update(inlay_infer *cx)
{
    inlay_shape data, indices;
    int axis;

    inlay_infer_shape(cx, 0, &data);
    inlay_infer_shape(cx, 1, &indices);
    if (!check_reduction(cx) || !in_check_rank(cx, 0, 1, -1) ||
        !known_axis(cx, 3, data.rank, &axis))
        return false;
    if (indices.rank >= 0 && !check_shape(cx, 2, &indices))
        return false;
    if (data.rank >= 0) {
        if (!in_check_rank(cx, 1, data.rank, data.rank) ||
            !in_check_rank(cx, 2, data.rank, data.rank))
            return false;
        if ((axis >= 0 || cx->node->op->version == 3) &&
            !check_within_data(cx, axis, cx->node->op->version == 3))
            return false;
    }
    return inlay_infer_set_out_like(cx, 0, 0);
}

/* updates.shape = indices.shape[:-1] + data.shape[k:], k = indices.shape[-1] */
static bool check_nd_updates(inlay_infer *cx, const inlay_shape *data, inlay_shape indices, int k,
                             bool one_element_ok)
{
    inlay_shape want, updates;
    inlay_dim count = inlay_dim_of(1);

    inlay_shape_of_rank(&want, 0);
    indices.rank--;
    if (!join(cx, data, 0, &indices, data, k, &want))
        return false;
    if (want.rank > 0 || !one_element_ok)
        return check_shape(cx, 2, &want);
    inlay_infer_shape(cx, 2, &updates);
    for (int i = 0; i < updates.rank; i++)
        count = inlay_dim_mul(count, updates.dim[i]);
    if (updates.rank < 0 || (count.lo <= 1 && count.hi >= 1))
        return true;
    return inlay_infer_fail(cx, "input 2 \"updates\" has shape %s, it must have one element",
                            in_text(cx, 2));
}

/* With k = 0 every tuple addresses all of the data, so more than one tuple would be a duplicate. */
static bool check_whole_tensor_tuples(inlay_infer *cx, const inlay_shape *indices)
{
    const char *reduction = inlay_node_string(cx->node, "reduction");
    inlay_dim tuples = inlay_dim_of(1);

    for (int i = 0; i < indices->rank - 1; i++)
        tuples = inlay_dim_mul(tuples, indices->dim[i]);
    if (tuples.lo <= 1 || (reduction && strcmp(reduction, "none") != 0))
        return true;
    return inlay_infer_fail(cx,
                            "indices %s has empty tuples, each of which is all of data: without a "
                            "reduction there can be only one",
                            in_text(cx, 1));
}

static bool infer_nd(inlay_infer *cx, bool one_element_ok)
{
    inlay_shape data, indices;
    inlay_dim k;

    inlay_infer_shape(cx, 0, &data);
    inlay_infer_shape(cx, 1, &indices);
    if (!in_check_rank(cx, 0, 1, -1) || !in_check_rank(cx, 1, one_element_ok ? 1 : 2, -1))
        return false;
    if (data.rank < 0 || indices.rank < 0)
        return inlay_infer_set_out_like(cx, 0, 0);
    k = indices.dim[indices.rank - 1];
    if (k.lo > data.rank)
        return inlay_infer_fail(cx, "indices %s has tuples of %lld, data %s has %d dimension%s",
                                in_text(cx, 1), (long long)k.lo, in_text(cx, 0), data.rank,
                                inlay_plural(data.rank, "", "s"));
    if (inlay_dim_is_static(k) &&
        (!check_nd_updates(cx, &data, indices, (int)k.lo, one_element_ok) ||
         (k.lo == 0 && !check_whole_tensor_tuples(cx, &indices))))
        return false;
    return inlay_infer_set_out_like(cx, 0, 0);
}

bool infer_scatter_nd_update(inlay_infer *cx)
{
    return infer_nd(cx, true);
}

bool infer_tensor_scatter_nd_update(inlay_infer *cx)
{
    return infer_nd(cx, false);
}

/* Checks that there is exactly one of operand `src` and attribute `value`, and that `value` is of
 * the type that value_type says. */
static bool check_source(inlay_infer *cx)
{
    const inlay_attr *value = inlay_node_attr(cx->node, "value");
    const char *type = inlay_node_string(cx->node, "value_type");
    const char *reduce = inlay_node_string(cx->node, "reduce");

    if (reduce && strcmp(reduce, "add") != 0 && strcmp(reduce, "multiply") != 0)
        return inlay_infer_fail(cx, "reduce is \"%s\", it must be \"add\" or \"multiply\"", reduce);
    if (in_has(cx, 2) && value)
        return inlay_infer_fail(cx, "there are both the input src and the attribute value");
    if (!in_has(cx, 2) && !value)
        return inlay_infer_fail(cx, "there is neither the input src nor the attribute value");
    if (!type)
        return true;
    if (!value)
        return inlay_infer_fail(cx, "there is an attribute value_type but no value");
    if (strcmp(type, "float") != 0 && !value->as.number.integral)
        return inlay_infer_fail(cx, "value is %g, its value_type is \"%s\"", value->as.number.f,
                                type);
    if (strcmp(type, "bool") == 0 && value->as.number.i != 0 && value->as.number.i != 1)
        return inlay_infer_fail(cx, "value is %lld, its value_type is \"bool\"",
                                (long long)value->as.number.i);
    return true;
}

/* Checks that no dim of the index is above that of operand I, "self" or "src", of its rank if that is known. */
static bool check_index_fits(inlay_infer *cx, const inlay_shape *index, int i)
{
    inlay_shape other;

    inlay_infer_shape(cx, i, &other);
    for (int d = 0; d < other.rank; d++) {
        if (index->dim[d].lo > other.dim[d].hi)
            return inlay_infer_fail(cx, "index %s is larger than %s %s in dimension %d",
                                    in_text(cx, 1), in_name(cx, i), in_text(cx, i), d);
    }
    return true;
}

/* MindSpore's Tensor.scatter_. Where the index has no elements its shape is not checked, and the
 * result is `self`. */
bool infer_tensor_scatter(inlay_infer *cx)
{
    inlay_shape self, index;
    int dim;
    bool has_elements = true;

    inlay_infer_shape(cx, 0, &self);
    inlay_infer_shape(cx, 1, &index);
    if (!check_source(cx))
        return false;
    if (self.rank > 8)
        return inlay_infer_fail(cx, "self %s has rank %d, it must not be above 8", in_text(cx, 0),
                                self.rank);
    if (self.rank >= 0 &&
        !inlay_infer_axis(cx, "dim", inlay_node_int(cx->node, "dim"), self.rank, &dim))
        return false;
    for (int d = 0; d < index.rank; d++)
        has_elements = has_elements && index.dim[d].lo > 0;
    if (index.rank < 0 || !has_elements || self.rank < 0)
        return inlay_infer_set_out_like(cx, 0, 0);
    if (index.rank != self.rank)
        return inlay_infer_fail(cx, "index %s has rank %d, self %s has rank %d: they must be equal",
                                in_text(cx, 1), index.rank, in_text(cx, 0), self.rank);
    if (in_has(cx, 2) && in_rank(cx, 2) >= 0 && in_rank(cx, 2) != self.rank)
        return inlay_infer_fail(cx, "src %s has rank %d, self %s has rank %d: they must be equal",
                                in_text(cx, 2), in_rank(cx, 2), in_text(cx, 0), self.rank);
    if (!check_index_fits(cx, &index, 0) || (in_has(cx, 2) && !check_index_fits(cx, &index, 2)))
        return false;
    return inlay_infer_set_out_like(cx, 0, 0);
}

/* update has the shape of past_cache except along the axis, where update is not longer;
 * write_indices has one element for each batch. */
bool infer_onnx_tensor_scatter(inlay_infer *cx)
{
    inlay_shape cache, update;
    inlay_dim batch = inlay_dim_any();
    int axis;

    inlay_infer_shape(cx, 0, &cache);
    if (!in_check_rank(cx, 0, 2, -1) || (in_has(cx, 2) && !in_length(cx, 2, false, &batch)))
        return false;
    if (cache.rank < 0)
        return inlay_infer_set_out_like(cx, 0, 0);
    if (!inlay_infer_axis(cx, "axis", inlay_node_int(cx->node, "axis"), cache.rank, &axis))
        return false;
    if (axis == 0)
        return inlay_infer_fail(cx, "axis is 0, which is that of the batch");
    if (in_has(cx, 2) && !merge_dim(cx, 2, 0, batch, &cache.dim[0]))
        return false;
    update = cache;
    update.dim[axis] = inlay_dim_any();
    update.dim[axis].hi = cache.dim[axis].hi;
    return check_shape(cx, 1, &update) && inlay_infer_set_out_like(cx, 0, 0);
}
