/* Operators whose results are shapes, or the elements of the operand in another shape. */
#include "parser/onnx/export.h"

#include <string.h>

/* Returns the attribute `axes` of old versions as the operand that replaced it later; NULL: it is
 * absent. */
static inlay_value *axes_of_attribute(onnx_node *n, bool *ok)
{
    int count;
    const int64_t *axes = onnx_attr_ints(n, "axes", &count, ok);
    inlay_value *v = axes ? onnx_list(n, axes, count) : NULL;

    *ok = *ok && (!axes || v);
    return v;
}

static bool import_reshape(onnx_node *n)
{
    bool ok = true;
    bool allow_zero = onnx_attr_int(n, "allowzero", 0, &ok) != 0;

    return ok &&
           onnx_give(n, 0,
                     onnx_make(n, "Reshape", 2, n->in, ATTRS(FLAG("special_zero", !allow_zero))));
}

static bool import_reshape_1(onnx_node *n)
{
    bool ok = true;
    int count;
    const int64_t *shape = onnx_attr_ints(n, "shape", &count, &ok);
    inlay_value *v = ok ? onnx_list(n, shape, count) : NULL;

    return v && onnx_give(n, 0,
                          onnx_make(n, "Reshape", 2, (inlay_value *[]){n->in[0], v},
                                    ATTRS(FLAG("special_zero", true))));
}

inlay_value *onnx_sizes(onnx_node *n, inlay_value *x, int first, int last)
{
    inlay_value *shape, *part;
    int64_t known = 1;
    bool all = x->fact.rank >= 0;

    if (all && last > x->fact.rank) {
        onnx_node_fail(n, "an operand has %d ax%s, it must have at least %d", x->fact.rank,
                       inlay_plural(x->fact.rank, "is", "es"), last);
        return NULL;
    }
    for (int i = first; all && i < last; i++) {
        all = all && inlay_dim_is_static(x->fact.dims[i]) &&
              !__builtin_mul_overflow(known, x->fact.dims[i].lo, &known);
    }
    if (all)
        return onnx_list(n, &known, 1);
    shape = onnx_make(n, "ShapeOf", 1, &x, NULL);
    part = onnx_make(n, "Slice", 4,
                     (inlay_value *[]){shape, onnx_list(n, (int64_t[]){first}, 1),
                                       onnx_list(n, (int64_t[]){last}, 1),
                                       onnx_list(n, (int64_t[]){1}, 1)},
                     NULL);
    return onnx_make(n, "ReduceProd", 2, (inlay_value *[]){part, onnx_list(n, (int64_t[]){0}, 1)},
                     ATTRS(FLAG("keep_dims", true)));
}

inlay_value *onnx_reshape(onnx_node *n, inlay_value *x, inlay_value *shape)
{
    return onnx_make(n, "Reshape", 2, (inlay_value *[]){x, shape},
                     ATTRS(FLAG("special_zero", false)));
}

inlay_value *onnx_flat(onnx_node *n, inlay_value *x)
{
    return !x || x->fact.rank == 1 ? x : onnx_reshape(n, x, onnx_list(n, (int64_t[]){-1}, 1));
}

inlay_value *onnx_along_axis(onnx_node *n, inlay_value *list, int axis, int rank)
{
    int64_t shape[INLAY_MAX_RANK];

    if (!list)
        return NULL;
    for (int i = 0; i < rank; i++)
        shape[i] = i == axis ? -1 : 1;
    return onnx_reshape(n, list, onnx_list(n, shape, rank));
}

inlay_value *onnx_flatten(onnx_node *n, inlay_value *x, int axis)
{
    inlay_value *sizes[2] = {onnx_sizes(n, x, 0, axis), onnx_sizes(n, x, axis, x->fact.rank)};
    inlay_value *shape = onnx_make(n, "Concat", 2, sizes, ATTRS(INT("axis", 0)));

    return onnx_reshape(n, x, shape);
}

static bool import_flatten(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", 1, &ok);
    int rank = onnx_rank(n, n->in[0]);

    if (!ok || rank < 0)
        return false;
    if (axis < -rank || axis > rank)
        return onnx_node_fail(n, "axis is %lld, it must be from %d to %d", (long long)axis, -rank,
                              rank);
    return onnx_give(n, 0, onnx_flatten(n, n->in[0], (int)(axis < 0 ? axis + rank : axis)));
}

/* The order that reverses the axes of X. If the rank is unknown, it is empty, which means the same
 * in OpenVINO; rules only understand the numbers. */
static inlay_value *reversing(onnx_node *n, const inlay_value *x)
{
    int64_t order[INLAY_MAX_RANK];
    int rank = x->fact.rank > 0 ? x->fact.rank : 0;

    for (int i = 0; i < rank; i++)
        order[i] = rank - 1 - i;
    return onnx_list(n, order, rank);
}

static bool import_transpose(onnx_node *n)
{
    bool ok = true;
    int count;
    const int64_t *perm = onnx_attr_ints(n, "perm", &count, &ok);
    inlay_value *order = !ok          ? NULL
                         : count == 0 ? reversing(n, n->in[0])
                                      : onnx_list(n, perm, count);

    return onnx_give(n, 0, onnx_binary(n, "Transpose", n->in[0], order));
}

/* OpenVINO keeps an axis that has not one element; for ONNX that is an error. */
static bool squeeze(onnx_node *n, inlay_value *axes)
{
    const inlay_tensor *list = axes ? axes->fact.content : NULL;
    const inlay_fact *x = &n->in[0]->fact;

    for (int64_t i = 0; list && i < inlay_tensor_count(list); i++) {
        int64_t axis = inlay_tensor_get_i64(list, i);

        axis += axis < 0 ? x->rank : 0;
        if (axis >= 0 && axis < x->rank && (x->dims[axis].lo > 1 || x->dims[axis].hi < 1))
            return onnx_node_fail(n, "axis %lld cannot be taken out, it has not 1 element",
                                  (long long)axis);
    }
    return onnx_give(n, 0, onnx_make(n, "Squeeze", 2, (inlay_value *[]){n->in[0], axes}, NULL));
}

static bool import_squeeze(onnx_node *n)
{
    return squeeze(n, onnx_in(n, 1));
}

static bool import_squeeze_1(onnx_node *n)
{
    bool ok = true;
    inlay_value *axes = axes_of_attribute(n, &ok);

    return ok && squeeze(n, axes);
}

static bool import_unsqueeze_1(onnx_node *n)
{
    bool ok = true;
    inlay_value *axes = axes_of_attribute(n, &ok);

    return ok && onnx_give(n, 0, onnx_binary(n, "Unsqueeze", n->in[0], axes));
}

/* From version 15 on, Shape only gives the sizes of axes [start, end), both clamped to [0, rank].
 */
static bool import_shape(onnx_node *n)
{
    bool ok = true;
    int64_t start = onnx_attr_int(n, "start", 0, &ok),
            end = onnx_attr_int(n, "end", INT64_MAX, &ok);
    inlay_value *shape = onnx_make(n, "ShapeOf", 1, n->in, NULL);

    if (!ok || !shape)
        return false;
    if (start == 0 && end == INT64_MAX)
        return onnx_give(n, 0, shape);
    return onnx_give(
        n, 0,
        onnx_make(n, "Slice", 4,
                  (inlay_value *[]){shape, onnx_list(n, &start, 1), onnx_list(n, &end, 1),
                                    onnx_list(n, (int64_t[]){1}, 1)},
                  NULL));
}

static bool import_size(onnx_node *n)
{
    inlay_value *shape = onnx_make(n, "ShapeOf", 1, n->in, NULL),
                *zero = onnx_list(n, (int64_t[]){0}, 1);

    return onnx_give(n, 0, onnx_binary(n, "ReduceProd", shape, zero));
}

static bool import_expand(onnx_node *n)
{
    inlay_value *in[] = {n->in[0], onnx_flat(n, n->in[1])};

    return in[1] &&
           onnx_give(n, 0, onnx_make(n, "Broadcast", 2, in, ATTRS(WORD("mode", "bidirectional"))));
}

const onnx_operator onnx_operators_shape[] = {
    {"Expand", 8, import_expand, NULL, 2},
    {"Flatten", 1, import_flatten, NULL, 1},
    {"Reshape", 5, import_reshape, NULL, 2},
    {"Reshape", 1, import_reshape_1, NULL, 1},
    {"Shape", 1, import_shape, NULL, 1},
    {"Size", 1, import_size, NULL, 1},
    {"Squeeze", 13, import_squeeze, NULL, 1},
    {"Squeeze", 1, import_squeeze_1, NULL, 1},
    {"com.microsoft.ExpandDims", 1, onnx_same, "Unsqueeze", 2},
    {"Transpose", 1, import_transpose, NULL, 1},
    {"Unsqueeze", 13, onnx_same, "Unsqueeze", 2},
    {"Unsqueeze", 1, import_unsqueeze_1, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. */

/* Whether all of operand I are known, and none is 0. */
static bool has_no_zero(const inlay_value *v)
{
    const inlay_fact *f = &v->fact;
    int64_t count = f->content ? inlay_tensor_count(f->content) : f->known ? f->n_known : -1;

    for (int64_t i = 0; i < count; i++) {
        if (f->content ? inlay_tensor_get_i64(f->content, i) == 0
                       : f->known[i].lo <= 0 && f->known[i].hi >= 0)
            return false;
    }
    return count >= 0;
}

static bool export_reshape(onnx_export *x)
{
    bool zeros = !inlay_node_bool(x->n, "special_zero") && !has_no_zero(x->n->in[1].value);

    return put_give(x, 0,
                    put(x, "Reshape", IN(put_in(x, 0), put_i64_list(x, 1)),
                        zeros ? ATTRS(INT("allowzero", 1)) : NULL));
}

/* An axis that cannot have one element stays. */
static bool export_squeeze(onnx_export *x)
{
    int64_t axes[INLAY_MAX_RANK];
    int rank = put_fact(x, 0)->rank, count = 0, kept = 0;

    if (inlay_node_input(x->n, 1) && (rank < 0 || put_seen(x, 1, axes, INLAY_MAX_RANK) < 0))
        return put_give(x, 0, put(x, "Squeeze", IN(put_in(x, 0), put_i64_list(x, 1)), NULL));
    if (inlay_node_input(x->n, 1) && (count = put_axes(x, 1, rank, axes)) < 0)
        return false;
    if (count == 0)
        return put_give(x, 0, put(x, "Squeeze", IN(put_in(x, 0)), NULL));
    for (int i = 0; i < count; i++) {
        inlay_dim d =
            axes[i] >= 0 && axes[i] < rank ? put_fact(x, 0)->dims[axes[i]] : inlay_dim_any();

        if (d.lo <= 1 && d.hi >= 1)
            axes[kept++] = axes[i];
    }
    return put_give(x, 0, kept ? put_squeeze(x, put_in(x, 0), axes, kept) : put_in(x, 0));
}

static bool export_unsqueeze(onnx_export *x)
{
    return put_give(x, 0, put(x, "Unsqueeze", IN(put_in(x, 0), put_i64_list(x, 1)), NULL));
}

static bool export_transpose(onnx_export *x)
{
    int64_t order[INLAY_MAX_RANK];
    int count = put_known(x, 1, order, INLAY_MAX_RANK);

    return count >= 0 && put_give(x, 0,
                                  put(x, "Transpose", IN(put_in(x, 0)),
                                      count == 0 ? NULL : ATTRS(INTS("perm", order, count))));
}

static bool export_shape_of(onnx_export *x)
{
    bool items = put_type(x, 0) == INLAY_ITEM && put_fact(x, 0)->rank == 1;
    const char *y = items ? put_reshape(x, put(x, "SequenceLength", IN(put_items(x, 0)), NULL),
                                        (int64_t[]){1}, 1)
                          : put(x, "Shape", IN(put_in(x, 0)), NULL);
    inlay_type type = x->n->out[0].fact.type;

    return put_give(x, 0, type == INLAY_I64 ? y : put_cast(x, y, type));
}

/* With `explicit` data gets axes of one element where places names none. */
static bool export_broadcast(onnx_export *x)
{
    const char *data = put_in(x, 0), *shape = put_i64_list(x, 1);
    int64_t places[INLAY_MAX_RANK], rest[INLAY_MAX_RANK], rank = put_size(x, 1, 0);
    bool taken[INLAY_MAX_RANK] = {false};
    int count, n_rest = 0;

    if (strcmp(inlay_node_string(x->n, "mode"), "explicit") != 0)
        return put_give(x, 0, put(x, "Expand", IN(data, shape), NULL));
    if (rank < 0 || rank > INLAY_MAX_RANK)
        return put_refuse(x, "the number of axes is not known");
    if ((count = put_known(x, 2, places, INLAY_MAX_RANK)) < 0)
        return false;
    for (int i = 0; i < count; i++) {
        if (places[i] < 0 || places[i] >= rank || (i > 0 && places[i] <= places[i - 1]))
            return put_refuse(x, "its axes are not in order");
        taken[places[i]] = true;
    }
    for (int i = 0; i < rank; i++) {
        if (!taken[i])
            rest[n_rest++] = i;
    }
    if (put_fact(x, 0)->rank == 0) /* one element has no axes to place */
        n_rest = 0;
    return put_give(
        x, 0,
        put(x, "Expand", IN(n_rest ? put_unsqueeze(x, data, rest, n_rest) : data, shape), NULL));
}

const onnx_exporter onnx_exporters_shape[] = {
    {"Broadcast", export_broadcast, NULL, 0, PUT_ANY},
    {"Reshape", export_reshape, NULL, 0, PUT_ANY},
    {"ShapeOf", export_shape_of, NULL, 0, PUT_ANY},
    {"Squeeze", export_squeeze, NULL, 0, PUT_ANY},
    {"Transpose", export_transpose, NULL, 0, PUT_ANY},
    {"Unsqueeze", export_unsqueeze, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
