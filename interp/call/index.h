/* Iteration over index spaces, strides, and access to single elements. */
#ifndef INLAY_INTERP_INDEX_H
#define INLAY_INTERP_INDEX_H

#include "ir/shared.h"

#include <string.h>

/* An iterator that visits every multi-index of DIMS in row-major order:
 *
 *     for (index_iter it = index_begin(rank, dims); index_valid(&it); index_next(&it))
 *         it.at[0] ...
 *
 * It counts like an odometer, the last axis fastest. An empty space is never valid; a space of rank
 * 0 is visited once. */
typedef struct index_iter {
    int rank;
    const int64_t *dims;
    int64_t at[INLAY_MAX_RANK];
    int64_t linear; /* number of multi-indices visited before */
    bool done;
} index_iter;
/* The same in place. It sets only the axes in use: for spaces of a few elements, returning a whole
 * index_iter, as index_begin does, would take longer than the iteration. */
static inline void index_start(index_iter *it, int rank, const int64_t *dims)
{
    it->rank = rank;
    it->dims = dims;
    it->linear = 0;
    it->done = false;
    for (int i = 0; i < rank; i++) {
        it->at[i] = 0;
        it->done = it->done || dims[i] <= 0;
    }
}
static inline index_iter index_begin(int rank, const int64_t *dims)
{
    index_iter it;

    index_start(&it, rank, dims);
    return it;
}
/* Begins at position LINEAR of the space. */
static inline index_iter index_from(int rank, const int64_t *dims, int64_t linear)
{
    index_iter it = index_begin(rank, dims);

    it.linear = linear;
    for (int i = rank - 1; i >= 0 && linear > 0 && !it.done; i--) {
        it.at[i] = linear % dims[i];
        linear /= dims[i];
    }
    return it;
}
/* Begins an iteration over rows: every multi-index of all DIMS but the last. A space without
 * elements has no rows, so that [5000000000, 0] ends at once. */
static inline index_iter index_rows(int rank, const int64_t *dims)
{
    index_iter it = index_begin(rank, dims);

    it.rank -= rank > 0;
    return it;
}
static inline void index_next(index_iter *it)
{
    it->linear++;
    for (int i = it->rank - 1; i >= 0; i--) {
        if (++it->at[i] < it->dims[i])
            return;
        it->at[i] = 0;
    }
    it->done = true;
}
static inline bool index_valid(const index_iter *it)
{
    return !it->done;
}
/* Returns the sum of at[i] * strides[i]. */
static inline int64_t index_dot(int rank, const int64_t *at, const int64_t *strides)
{
    int64_t sum = 0;

    for (int i = 0; i < rank; i++)
        sum += at[i] * strides[i];
    return sum;
}
/* Sets STRIDES to those, in elements, of a dense tensor in row-major order. */
void strides_dense(int rank, const int64_t *dims, int64_t *strides);
/* Sets STRIDES to those that broadcast T to DIMS by numpy's rule: 0 where T's dim is 1 or missing.
 */
void strides_broadcast(const inlay_tensor *t, int rank, const int64_t *dims, int64_t *strides);
/* Returns the element index, counted from T's data, of multi-index AT. */
static inline int64_t tensor_at(const inlay_tensor *t, const int64_t *at)
{
    return t->offset + index_dot(t->rank, at, t->strides);
}
/* Have A and B the same type and dims? */
static inline bool tensor_same_form(const inlay_tensor *a, const inlay_tensor *b)
{
    bool same = a->type == b->type && a->rank == b->rank;

    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == b->dims[i];
    return same;
}
/* Copies one element of any type. Indices are element indices, counted from the data. */
static inline void tensor_move_element(inlay_tensor *dst, int64_t dst_index,
                                       const inlay_tensor *src, int64_t src_index)
{
    inlay_copy_element(dst->type, dst->data, dst_index, src->data, src_index);
}
/* Copies N consecutive elements, in row-major order, from position FROM of SRC to position TO of
 * DST. */
void tensor_copy_run(inlay_tensor *dst, int64_t to, const inlay_tensor *src, int64_t from,
                     int64_t n);
/* Copies many runs between two tensors; looks at their layout only once. */
typedef struct tensor_runs {
    inlay_tensor *dst;
    const inlay_tensor *src;
    int64_t size; /* tensor_runs_size */
} tensor_runs;
/* Returns the bytes of an element if both tensors are dense arrays of whole bytes; else 0. */
int64_t tensor_runs_size(const inlay_tensor *dst, const inlay_tensor *src);
/* tensor_copy_run by R. */
static inline void tensor_runs_copy(const tensor_runs *r, int64_t to, int64_t from, int64_t n)
{
    char *dst = (char *)r->dst->data + to * r->size;
    const char *src = (const char *)r->src->data + from * r->size;

    if (r->size == 0)
        tensor_copy_run(r->dst, to, r->src, from, n);
    else if (n * r->size == 4) /* without a call of memcpy */
        memcpy(dst, src, 4);
    else if (n * r->size == 8)
        memcpy(dst, src, 8);
    else
        memcpy(dst, src, (size_t)(n * r->size));
}
/* Moves N elements of any type: element FROM[i] of SRC becomes element TO + i * STEP of DST. All are
 * element indices, counted from the data. */
void tensor_pick(inlay_tensor *dst, int64_t to, int64_t step, const inlay_tensor *src,
                 const int64_t *from, int64_t n);
/* The same the other way round: element FROM + i * STEP of SRC becomes element TO[i] of DST, one
 * after the other. */
void tensor_put(inlay_tensor *dst, const int64_t *to, const inlay_tensor *src, int64_t from,
                int64_t step, int64_t n);
/* Sets N elements from row-major position TO on to zero, strings to empty ones. */
void tensor_zero_run(inlay_tensor *dst, int64_t to, int64_t n);
/* Returns the product of N dims of a tensor, which fits because the tensor's size does. */
int64_t dims_product(const int64_t *dims, int n);

#endif
