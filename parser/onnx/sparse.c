/* Makes sparse tensors of ONNX dense: a list of values, and the position of each, as one row-major
 * number or as a number for each axis; all other elements are zero.
 *
 *     values  [5, 7]    indices  [[0, 2], [1, 0]]  or  [2, 3]    dims  [2, 3]
 *
 *     0 0 5
 *     7 0 0
 *
 * Source: onnx.proto, message SparseTensorProto. */
#include "parser/onnx/onnx.h"

/* A sparse tensor with its parts. */
typedef struct sparse {
    onnx_reader *r;
    const onnx_place *at;
    int rank;
    int64_t dims[INLAY_MAX_RANK], count;
    const inlay_tensor *values, *indices;
} sparse;

static bool read_dims(sparse *s, const Onnx__SparseTensorProto *t)
{
    if (t->n_dims > INLAY_MAX_RANK)
        return onnx_fail(s->r, s->at, "the sparse tensor has %zu dimension%s, at most %d are read",
                         t->n_dims, inlay_plural(t->n_dims, "", "s"), INLAY_MAX_RANK);
    s->rank = (int)t->n_dims;
    for (int i = 0; i < s->rank; i++) {
        s->dims[i] = t->dims[i];
        if (!onnx_check_size(s->r, s->at, "dims", (size_t)i, s->dims[i]))
            return false;
    }
    return inlay_count_elements(s->rank, s->dims, &s->count) ||
           onnx_fail(s->r, s->at, "the tensor has more elements than can be counted");
}

static bool check_parts(const sparse *s)
{
    const inlay_tensor *v = s->values, *i = s->indices;
    bool fits = v->rank == 1 && i->type == INLAY_I64 && i->rank >= 1 && i->rank <= 2 &&
                i->dims[0] == v->dims[0] && (i->rank == 1 || i->dims[1] == s->rank);

    if (v->type == INLAY_STRING)
        return onnx_fail(s->r, s->at, "a sparse tensor of strings is not read");
    return fits ||
           onnx_fail(s->r, s->at,
                     "the indices of a sparse tensor must be i64, one for each value or one "
                     "for each value and axis");
}

/* Returns the row-major position of value I; -1: an error was recorded. */
static int64_t place_of(const sparse *s, int64_t i)
{
    int axes = s->indices->rank == 1 ? 1 : s->rank;
    int64_t place = 0;

    for (int k = 0; k < axes; k++) {
        int64_t x = inlay_tensor_get_i64(s->indices, i * axes + k);
        int64_t size = s->indices->rank == 1 ? s->count : s->dims[k];

        if (x < 0 || x >= size) {
            onnx_fail(s->r, s->at, "index %lld of value %lld is outside of the %lld that there are",
                      (long long)x, (long long)i, (long long)size);
            return -1;
        }
        place = s->indices->rank == 1 ? x : place * size + x;
    }
    return place;
}

/* ONNX requires ascending positions, so that no position occurs twice. */
static bool put_values(const sparse *s, inlay_tensor *out)
{
    int64_t last = -1;

    for (int64_t i = 0; i < s->values->dims[0]; i++) {
        int64_t place = place_of(s, i);

        if (place < 0)
            return false;
        if (place <= last)
            return onnx_fail(s->r, s->at,
                             "the indices of a sparse tensor must ascend, those of value %lld do "
                             "not",
                             (long long)i);
        inlay_copy_element(out->type, out->data, place, s->values->data,
                           inlay_tensor_index(s->values, i));
        last = place;
    }
    return true;
}

static inlay_tensor *dense(sparse *s)
{
    inlay_tensor *out;

    if (!check_parts(s))
        return NULL;
    out = assemble_tensor(&s->r->a, s->values->type, s->rank, s->dims);
    if (out && !put_values(s, out)) {
        inlay_tensor_release(out);
        return NULL;
    }
    return out;
}

inlay_tensor *onnx_sparse_tensor(onnx_reader *r, const onnx_place *at,
                                 const Onnx__SparseTensorProto *t)
{
    sparse s = {.r = r, .at = at};
    inlay_tensor *values, *indices, *out = NULL;

    if (!t->values || !t->indices) {
        onnx_fail(r, at, "a sparse tensor needs values and indices");
        return NULL;
    }
    if (!read_dims(&s, t))
        return NULL;
    values = onnx_tensor(r, at, t->values);
    indices = values ? onnx_tensor(r, at, t->indices) : NULL;
    s.values = values;
    s.indices = indices;
    if (indices)
        out = dense(&s);
    inlay_tensor_release(values);
    inlay_tensor_release(indices);
    return out;
}
