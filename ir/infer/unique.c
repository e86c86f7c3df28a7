/* Shape rule of Unique. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

static bool check_type(inlay_infer *cx, const char *name)
{
    inlay_type type = inlay_node_type(cx->node, name);

    return type == INLAY_I32 || type == INLAY_I64 ||
           inlay_infer_fail(cx, "%s is %s, it must be i32 or i64", name,
                            inlay_type_info_of(type)->name);
}

/* VALUES receives the shape of output 0, COUNT how many slices the data has: along the axis, or,
 * without one, its elements. */
static bool slices(inlay_infer *cx, inlay_shape *values, inlay_dim *count)
{
    int rank = in_rank(cx, 0), axis;
    int64_t given;

    inlay_infer_shape(cx, 0, values);
    *count = inlay_dim_any();
    if (!in_has(cx, 1)) {
        if (rank >= 0)
            *count = inlay_dim_of(1);
        for (int i = 0; i < rank; i++)
            *count = inlay_dim_mul(*count, values->dim[i]);
        values->rank = 1;
        values->dim[0] = (inlay_dim){0, count->hi, 0};
        return true;
    }
    if (!in_check_one(cx, 1))
        return false;
    if (rank < 0)
        return true;
    if (!in_int(cx, 1, &given)) {
        for (int i = 0; i < rank; i++)
            values->dim[i] = (inlay_dim){0, values->dim[i].hi, 0};
        return true;
    }
    if (!inlay_infer_axis(cx, "axis", given, rank, &axis))
        return false;
    *count = values->dim[axis];
    values->dim[axis] = (inlay_dim){count->lo > 0, count->hi, 0};
    return true;
}

bool infer_unique(inlay_infer *cx)
{
    inlay_type index = inlay_node_type(cx->node, "index_element_type");
    inlay_dim count, found;
    inlay_shape values, list = {.rank = 1};

    if (!check_type(cx, "index_element_type") || !check_type(cx, "count_element_type") ||
        !slices(cx, &values, &count) || !inlay_infer_set_out(cx, 0, cx->in[0]->type, &values))
        return false;
    found = (inlay_dim){count.lo > 0, count.hi, 0};
    list.dim[0] = inlay_dim_is_static(found) ? found : fresh_dim(cx, found.lo, found.hi);
    if (!inlay_infer_set_out(cx, 1, index, &list) ||
        !inlay_infer_set_out(cx, 3, inlay_node_type(cx->node, "count_element_type"), &list))
        return false;
    list.dim[0] = count;
    return inlay_infer_set_out(cx, 2, index, &list);
}
