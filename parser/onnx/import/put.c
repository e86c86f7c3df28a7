/* What exporters of several families put. See export.h. */
#include "ir/shared.h"
#include "parser/onnx/export.h"
#include "parser/onnx/import/make.h"

#include <float.h>
#include <math.h>
#include <string.h>

const inlay_fact *put_fact(const onnx_export *x, int i)
{
    return &x->n->in[i].value->fact;
}

inlay_type put_type(const onnx_export *x, int i)
{
    const inlay_value *v = inlay_node_input(x->n, i);

    return v ? v->fact.type : INLAY_DYNAMIC;
}

int put_rank(onnx_export *x, int i)
{
    int rank = put_fact(x, i)->rank;

    if (rank < 0)
        put_refuse(x, "the rank of input %d is not known", i);
    return rank;
}

int64_t put_size(const onnx_export *x, int i, int axis)
{
    const inlay_fact *f = put_fact(x, i);

    return axis >= 0 && axis < f->rank && inlay_dim_is_static(f->dims[axis]) ? f->dims[axis].lo
                                                                             : -1;
}

/* Element I of T, or the largest number that an i64 holds. */
static int64_t whole(const inlay_tensor *t, int64_t i)
{
    int64_t number = inlay_tensor_get_i64(t, i);

    return t->type == INLAY_U64 && number < 0 ? INT64_MAX : number;
}

int put_seen(const onnx_export *x, int i, int64_t *out, int max)
{
    const inlay_fact *f = put_fact(x, i);
    int64_t count = f->content ? inlay_tensor_count(f->content) : f->known ? f->n_known : -1;

    for (int k = 0; k < count && k < max; k++) {
        if (!f->content && !inlay_dim_is_static(f->known[k]))
            count = -1;
        else
            out[k] = f->content ? whole(f->content, k) : f->known[k].lo;
    }
    return count >= 0 && count <= max ? (int)count : -1;
}

int put_known(onnx_export *x, int i, int64_t *out, int max)
{
    int count = put_seen(x, i, out, max);

    if (count < 0)
        put_refuse(x, "the elements of input %d are not known", i);
    return count;
}

bool put_known_one(onnx_export *x, int i, int64_t *out)
{
    int count = put_known(x, i, out, 1);

    return count == 1 || (count == 0 && put_refuse(x, "input %d is empty", i));
}

int put_axes(onnx_export *x, int i, int rank, int64_t *out)
{
    int count = put_known(x, i, out, INLAY_MAX_RANK);

    for (int k = 0; k < count; k++)
        out[k] += out[k] < 0 ? rank : 0;
    return count;
}

/* What TYPE has no number for becomes an infinity or NaN, as in OpenVINO: a Cast to a float of 8
 * bits makes the greatest number of it unless it says otherwise. */
static bool becomes_infinite(inlay_type type)
{
    return inlay_type_is_float(type) && inlay_type_info_of(type)->bits == 8;
}

const char *put_cast(onnx_export *x, const char *v, inlay_type type)
{
    if (v && type == INLAY_DYNAMIC) /* no type is wide enough, or none is known */
        put_refuse(x, "%s of %s", x->how->as ? x->how->as : x->n->op->name,
                   inlay_type_info_of(put_type(x, 0))->name);
    if (v && type == INLAY_F8E8M0) /* a Cast has no mode that rounds halfway to the even exponent */
        put_refuse(x, "a conversion to f8e8m0 that rounds to even");
    if (!v || type == INLAY_F8E8M0)
        return NULL;
    if (!becomes_infinite(type))
        return put(x, "Cast", IN(v), ATTRS(TYPE("to", type)));
    return put_needs(x, 19, "saturate=false")
               ? put(x, "Cast", IN(v), ATTRS(TYPE("to", type), INT("saturate", 0)))
               : NULL;
}

const char *put_as(onnx_export *x, int i, inlay_type type)
{
    const char *v = put_in(x, i);

    return !v || !*v || put_type(x, i) == type ? v : put_cast(x, v, type);
}

const char *put_i64(onnx_export *x, int i)
{
    const inlay_value *v = inlay_node_input(x->n, i);
    const inlay_tensor *t = v ? v->fact.content : NULL;
    int64_t few[INLAY_MAX_RANK];
    int count = t && v->fact.type != INLAY_I64 && t->rank <= 1 ? (int)inlay_tensor_count(t) : -1;

    if (v && v->fact.type == INLAY_U64 &&
        count < 0) /* no size is larger, and no number becomes negative */
        return put_cast(x, put(x, "Min", IN(put_in(x, i), put_number(x, INLAY_U64, 0x1p62)), NULL),
                        INLAY_I64);
    if (count < 0 || count > INLAY_MAX_RANK)
        return put_as(x, i, INLAY_I64);
    for (int k = 0; k < count; k++) {
        few[k] = whole(t, k);
    }
    return t->rank == 0 ? put_int(x, few[0]) : put_list(x, few, count);
}

const char *put_i64_list(onnx_export *x, int i)
{
    const inlay_value *v = inlay_node_input(x->n, i), *from;
    int64_t one;

    if (!v || v->fact.rank == 1)
        return put_i64(x, i);
    from = v->fact.rank == 0 && (v->node->op->flags & INLAY_RESHAPES) ? inlay_node_input(v->node, 0)
                                                                      : NULL;
    if (from && from->fact.rank == 1 && from->fact.type == INLAY_I64)
        return put_value(x, from);
    if (v->fact.rank == 0 && v->fact.content) {
        one = inlay_tensor_get_i64(v->fact.content, 0);
        return put_list(x, &one, 1);
    }
    return put_reshape(x, put_i64(x, i), (int64_t[]){-1}, 1);
}

const char *put_scalar(onnx_export *x, int i)
{
    return put_fact(x, i)->rank == 0 ? put_in(x, i) : put_reshape(x, put_in(x, i), NULL, 0);
}

const char *put_reshape(onnx_export *x, const char *v, const int64_t *dims, int rank)
{
    return v ? put(x, "Reshape", IN(v, put_list(x, dims, rank)), NULL) : NULL;
}

const char *put_reshape_to(onnx_export *x, const char *v, const int64_t *dims, int rank)
{
    bool zero = false;

    for (int i = 0; i < rank; i++)
        zero = zero || dims[i] == 0;
    return v ? put(x, "Reshape", IN(v, put_list(x, dims, rank)),
                   zero ? ATTRS(INT("allowzero", 1)) : NULL)
             : NULL;
}

const char *put_unsqueeze(onnx_export *x, const char *v, const int64_t *axes, int count)
{
    return v ? put(x, "Unsqueeze", IN(v, put_list(x, axes, count)), NULL) : NULL;
}

const char *put_squeeze(onnx_export *x, const char *v, const int64_t *axes, int count)
{
    return v ? put(x, "Squeeze", IN(v, put_list(x, axes, count)), NULL) : NULL;
}

const char *put_binary(onnx_export *x, const char *op, const char *a, const char *b)
{
    return put(x, op, IN(a, b), NULL);
}

const char *put_transpose(onnx_export *x, const char *v, const int64_t *order, int rank)
{
    return v ? put(x, "Transpose", IN(v), ATTRS(INTS("perm", order, rank))) : NULL;
}

const char *put_moved(onnx_export *x, const char *v, int rank, int from, int to)
{
    int64_t order[INLAY_MAX_RANK];

    make_order(order, rank, from, to);
    return from == to ? v : put_transpose(x, v, order, rank);
}

const inlay_value *put_operand_of(const inlay_value *v, const char *op, int i)
{
    return v && strcmp(v->node->op->name, op) == 0 ? inlay_node_input(v->node, i) : NULL;
}

int64_t put_count(const inlay_fact *f)
{
    int64_t dims[INLAY_MAX_RANK], count = 1;
    bool fits = inlay_fact_dims(f, dims);

    for (int i = 0; fits && i < f->rank; i++)
        fits = !__builtin_mul_overflow(count, dims[i], &count);
    return fits ? count : -1;
}

/* On one thread of ONNX Runtime 1.30, ScatterElements takes a copy of the data, less where it may
 * write over them, and some 4 ns for each element of the updates; ScatterND takes one to four
 * copies, whatever the updates are, but little for whole rows; and where the axis is not the first
 * one, ScatterND wants the data turned round and back, which is slowest of all: 92, 32 and 18 ms
 * for 16 columns of 4,096 by 1,024 numbers turned, joined by Concat, and by ScatterElements. */
const char *put_rows(onnx_export *x, const char *v, const inlay_fact *fact, int axis,
                     const char *places, const char *updates, int64_t n)
{
    enum { FEW = 16 }; /* so that the updates cost less than one copy */
    int64_t count = fact->dims ? put_count(fact) : -1, last = -1, dims[INLAY_MAX_RANK],
            sizes[INLAY_MAX_RANK];
    bool known = count > 0 && n >= 0;
    const char *shape;

    if (known ? n > count / FEW : axis == 0) {
        v = put_moved(x, v, fact->rank, axis, 0);
        updates = put_moved(x, updates, fact->rank, axis, 0);
        v = put(x, "ScatterND", IN(v, put_unsqueeze(x, places, &last, 1), updates), NULL);
        return put_moved(x, v, fact->rank, 0, axis);
    }
    for (int i = 0; i < fact->rank; i++) {
        dims[i] = i == axis ? -1 : 1;
        sizes[i] = known ? fact->dims[i].lo : 0;
    }
    if (known)
        sizes[axis] = n / (count / sizes[axis]);
    shape = known ? put_list(x, sizes, fact->rank) : put(x, "Shape", IN(updates), NULL);
    if (fact->rank > 1)
        places = put(x, "Expand", IN(put_reshape(x, places, dims, fact->rank), shape), NULL);
    return put(x, "ScatterElements", IN(v, places, updates), ATTRS(INT("axis", axis)));
}

/* ReduceSum has its axes as an operand from version 13 on, the others from 18 on. */
const char *put_reduce(onnx_export *x, const char *op, const char *v, const int64_t *axes,
                       int count, bool keep)
{
    if (!v || count == 0)
        return v;
    if (x->version >= 18 || strcmp(op, "ReduceSum") == 0)
        return put(x, op, IN(v, put_list(x, axes, count)),
                   ATTRS(INT("keepdims", keep), INT("noop_with_empty_axes", count == 0)));
    return put(x, op, IN(v), ATTRS(INTS("axes", axes, count), INT("keepdims", keep)));
}

const char *put_cut(onnx_export *x, const char *v, int axis, int64_t start, int64_t stop,
                    int64_t step)
{
    int64_t at = axis;

    return v ? put(x, "Slice",
                   IN(v, put_list(x, &start, 1), put_list(x, &stop, 1), put_list(x, &at, 1),
                      put_list(x, &step, 1)),
                   NULL)
             : NULL;
}

/* Types that hold all numbers of those before them, of a kind. */
static const inlay_type wider[][6] = {
    {INLAY_F8E4M3, INLAY_F16, INLAY_F32, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_F8E5M2, INLAY_F16, INLAY_F32, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_F16, INLAY_F32, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_BF16, INLAY_F32, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_F32, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_BOOLEAN, INLAY_U8, INLAY_I32, INLAY_I64, INLAY_DYNAMIC},
    {INLAY_U4, INLAY_U8, INLAY_I32, INLAY_I64, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_I4, INLAY_I8, INLAY_I32, INLAY_I64, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_I8, INLAY_I32, INLAY_I64, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_U8, INLAY_I32, INLAY_I64, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_I16, INLAY_I32, INLAY_I64, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_U16, INLAY_I32, INLAY_I64, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_I32, INLAY_I64, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_U32, INLAY_I64, INLAY_U64, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_I64, INLAY_F64, INLAY_DYNAMIC},
    {INLAY_U64, INLAY_F64, INLAY_DYNAMIC},
};

inlay_type put_wider(inlay_type type, inlay_type_set types)
{
    if (types == PUT_ANY || type == INLAY_DYNAMIC || (types & PUT_BIT(type)))
        return type;
    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++) {
        for (int k = 1; wider[i][0] == type && wider[i][k] != INLAY_DYNAMIC; k++) {
            if (types & PUT_BIT(wider[i][k]))
                return wider[i][k];
        }
    }
    return INLAY_DYNAMIC;
}

double put_most(inlay_type type)
{
    bool is_signed = inlay_type_info_of(type)->cls == INLAY_CLASS_SIGNED;
    int bits = inlay_type_info_of(type)->bits - is_signed;

    return bits > 53 ? nextafter(ldexp(1, bits), 0) : ldexp(1, bits) - 1;
}

/* V, which is f64, rounded to the nearest integer, halves away from zero, within what TYPE holds,
 * and 0 where it is NaN. */
static const char *rounded(onnx_export *x, const char *v, inlay_type type)
{
    int bits = inlay_type_info_of(type)->bits;
    bool is_signed = inlay_type_info_of(type)->cls == INLAY_CLASS_SIGNED;
    double least = is_signed ? -ldexp(1, bits - 1) : 0;
    const char *up =
        put(x, "Floor",
            IN(put(x, "Add", IN(put(x, "Abs", IN(v), NULL), put_number(x, INLAY_F64, 0.5)), NULL)),
            NULL);
    const char *y = put(x, "Mul", IN(put(x, "Sign", IN(v), NULL), up), NULL);

    y = put(x, "Clip",
            IN(y, put_number(x, INLAY_F64, least), put_number(x, INLAY_F64, put_most(type))), NULL);
    return put(x, "Where", IN(put(x, "IsNaN", IN(v), NULL), put_number(x, INLAY_F64, 0), y), NULL);
}

bool put_give_as(onnx_export *x, int i, const char *v, inlay_type wide)
{
    inlay_type type = x->n->out[i].fact.type;

    if (v && type != wide && inlay_type_is_int(type) && inlay_type_is_float(wide))
        v = rounded(x, v, type);
    return put_give(x, i, !v || type == wide ? v : put_cast(x, v, type));
}

/* The operands that have the type of operand 0 are converted as it is. */
bool put_same(onnx_export *x)
{
    const char *in[8];
    inlay_type type = put_type(x, 0), wide = put_wider(type, x->how->types);
    int count = x->n->n_in;
    const char *y;

    if (count >= (int)(sizeof in / sizeof *in))
        return put_refuse(x, "it has %d operands", count);
    for (int i = 0; i < count; i++)
        in[i] = put_type(x, i) == type ? put_as(x, i, wide) : put_in(x, i);
    in[count] = NULL;
    y = put(x, x->how->as, in, NULL);
    return x->n->out[0].fact.type == type ? put_give_as(x, 0, y, wide) : put_give(x, 0, y);
}
