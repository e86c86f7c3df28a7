/* Element types and shapes of ONNX. */
#include "parser/onnx/onnx.h"

#include <string.h>

bool onnx_type(const onnx_reader *r, const onnx_place *at, int32_t data_type, inlay_type *out)
{
    for (int t = 0; data_type > 0 && t < INLAY_N_TYPES; t++) {
        const inlay_type_info *info = inlay_type_info_of((inlay_type)t);

        if (info->onnx != data_type)
            continue;
        *out = (inlay_type)t;
        return true;
    }
    return onnx_fail(r, at, "element type %d is none that ONNX has", (int)data_type);
}

/* INLAY_DIM_MAX is refused here, as by the other readers: as an upper bound it means that there is
 * none. */
bool onnx_check_size(const onnx_reader *r, const onnx_place *at, const char *what, size_t i,
                     int64_t size)
{
    if (size < 0)
        return onnx_fail(r, at, "%s[%zu] is %lld, it must not be negative", what, i,
                         (long long)size);
    return size < INLAY_DIM_MAX ||
           onnx_fail(r, at, "%s[%zu] is %lld, it must be smaller", what, i, (long long)size);
}

/* Some exporters write an unknown size as -1. */
static bool read_dim(const onnx_reader *r, const onnx_place *at, size_t i,
                     const Onnx__TensorShapeProto__Dimension *d, inlay_dim *out)
{
    *out = inlay_dim_any();
    if (!d->has_dim_value || d->dim_value < 0)
        return true;
    if (!onnx_check_size(r, at, "shape.dim", i, d->dim_value))
        return false;
    *out = inlay_dim_of(d->dim_value);
    return true;
}

static bool read_shape(const onnx_reader *r, const onnx_place *at, const Onnx__TensorShapeProto *s,
                       inlay_shape *out)
{
    if (s->n_dim > INLAY_MAX_RANK)
        return onnx_fail(r, at, "the shape has %zu dimension%s, at most %d are read", s->n_dim,
                         inlay_plural(s->n_dim, "", "s"), INLAY_MAX_RANK);
    out->rank = (int)s->n_dim;
    for (size_t i = 0; i < s->n_dim; i++) {
        if (!read_dim(r, at, i, s->dim[i], &out->dim[i]))
            return false;
    }
    return true;
}

/* The name of dim I in TYPE; NULL: it has none. */
static const char *dim_name(const Onnx__TypeProto *type, int i)
{
    const Onnx__TensorShapeProto *s = type && type->tensor_type ? type->tensor_type->shape : NULL;
    const Onnx__TensorShapeProto__Dimension *d = s && (size_t)i < s->n_dim ? s->dim[i] : NULL;

    return d && !d->has_dim_value && d->dim_param && *d->dim_param ? d->dim_param : NULL;
}

bool onnx_declare_dims(const onnx_reader *r, const Onnx__TypeProto *type, inlay_shape *shape)
{
    for (int i = 0; i < shape->rank; i++) {
        const char *name = dim_name(type, i);

        if (name && !(shape->dim[i].id = inlay_graph_named_dim(r->a.graph, name, r->a.d)))
            return false;
    }
    return true;
}

bool onnx_name_dims(const onnx_reader *r, const Onnx__TypeProto *type, const inlay_value *v)
{
    for (int i = 0; i < v->fact.rank; i++) {
        const char *name = dim_name(type, i);
        inlay_dim d = v->fact.dims[i];

        if (name && d.id && !inlay_dim_is_static(d) &&
            !inlay_graph_name_dim(r->a.graph, d.id, name, r->a.d))
            return false;
    }
    return true;
}

bool onnx_is_same_dim(const Onnx__TypeProto *type, int axis, const inlay_value *v)
{
    const Onnx__TensorShapeProto *s = type && type->tensor_type ? type->tensor_type->shape : NULL;
    const char *name = dim_name(type, axis), *own = inlay_value_dim_name(v, axis);
    const inlay_dim *d = axis < v->fact.rank ? &v->fact.dims[axis] : NULL;

    if (!s || !d || (size_t)axis >= s->n_dim)
        return false;
    if (inlay_dim_is_static(*d))
        return s->dim[axis]->has_dim_value && s->dim[axis]->dim_value == d->lo;
    return name && own && strcmp(name, own) == 0;
}

inlay_type onnx_item_type(const Onnx__TypeProto *type)
{
    const Onnx__TypeProto *inner = !type                 ? NULL
                                   : type->sequence_type ? type->sequence_type->elem_type
                                   : type->optional_type ? type->optional_type->elem_type
                                   : type->map_type      ? type->map_type->value_type
                                                         : NULL;
    int32_t code = inner && inner->tensor_type ? inner->tensor_type->elem_type : 0;

    if (inner && (inner->sequence_type || inner->optional_type || inner->map_type))
        return INLAY_ITEM;
    for (int t = 0; code > 0 && t < INLAY_N_TYPES; t++) {
        if (inlay_type_info_of((inlay_type)t)->onnx == code)
            return (inlay_type)t;
    }
    return INLAY_DYNAMIC;
}

bool onnx_tensor_type(onnx_reader *r, const onnx_place *at, const Onnx__TypeProto *type,
                      inlay_type *element, inlay_shape *shape)
{
    *element = INLAY_DYNAMIC;
    *shape = (inlay_shape){.rank = -1};
    if (!type)
        return true;
    if (type->sparse_tensor_type)
        return onnx_fail(r, at, "a value that is a sparse tensor is not read");
    if (type->sequence_type || type->optional_type || type->map_type) {
        *element = INLAY_ITEM;
        inlay_shape_of_rank(shape, type->optional_type ? 0 : 1);
        if (type->map_type)
            shape->dim[0] = inlay_dim_of(2);
        return true;
    }
    if (!type->tensor_type)
        return true;
    if (type->tensor_type->elem_type && !onnx_type(r, at, type->tensor_type->elem_type, element))
        return false;
    return !type->tensor_type->shape || read_shape(r, at, type->tensor_type->shape, shape);
}
