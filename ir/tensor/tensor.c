/* Tensors, which are views of buffers. */
#include "ir/base/memory.h"
#include "ir/tensor/buffer.h"
#include "ir/tensor/number.h"
#include "ir/tensor/storage.h"

#include <stdlib.h>
#include <string.h>

/* What precedes and follows a public tensor in memory. */
typedef struct tensor_block {
    atomic_size_t references;
    bool lent; /* its memory is an arena's */
    inlay_tensor tensor;
    int64_t numbers[]; /* dims, then strides */
} tensor_block;

bool inlay_count_elements(int rank, const int64_t *dims, int64_t *count)
{
    int64_t n = 1;
    bool empty = false;

    if (rank < 0 || (rank > 0 && dims == NULL))
        return false;
    for (int i = 0; i < rank; i++) {
        if (dims[i] < 0 || (dims[i] > 0 && __builtin_mul_overflow(n, dims[i], &n)))
            return false;
        empty |= dims[i] == 0;
    }
    if (count != NULL)
        *count = empty ? 0 : n;
    return true;
}

bool inlay_count_bytes(inlay_type type, int rank, const int64_t *dims, size_t *bytes)
{
    int64_t bits = inlay_type_info_of(type)->bits;
    int64_t n;

    if (!inlay_count_elements(rank, dims, &n) || __builtin_mul_overflow(n, bits, &bits) ||
        (uint64_t)bits / 8 >= SIZE_MAX)
        return false;
    if (bytes != NULL)
        *bytes = (size_t)(bits / 8 + (bits % 8 != 0));
    return true;
}

/* Row-major strides. Those of an empty tensor are never used and may be 0 where they overflow. */
static void dense_strides(int rank, const int64_t *dims, int64_t *strides)
{
    int64_t step = 1;

    for (int i = rank - 1; i >= 0; i--) {
        strides[i] = step;
        if (__builtin_mul_overflow(step, dims[i], &step))
            step = 0;
    }
}

static void set_form(int64_t *own, int rank, const int64_t *dims, const int64_t *strides)
{
    if (rank > 0)
        memcpy(own, dims, (size_t)rank * sizeof(*own));
    if (strides == NULL)
        dense_strides(rank, own, own + rank);
    else if (rank > 0)
        memcpy(own + rank, strides, (size_t)rank * sizeof(*own));
}

/* Makes a tensor of one reference, without buffer and data, in A or, if A is NULL, in memory of its
 * own, which counts in BUDGET. STRIDES NULL: the tensor is dense. */
static inlay_tensor *new_tensor(inlay_arena *a, inlay_budget *budget, inlay_type type, int rank,
                                const int64_t *dims, const int64_t *strides)
{
    tensor_block *block;
    size_t size = sizeof(*block);

    if (rank < 0 || rank > INLAY_MAX_RANK || inlay_type_info_of(type)->refused != NULL ||
        !inlay_count_bytes(type, rank, dims, NULL))
        return NULL;
    size += 2 * (size_t)rank * sizeof(int64_t);
    block = a ? inlay_arena_alloc(a, size) : inlay_take_raw(budget, size);
    if (block == NULL)
        return NULL;
    set_form(block->numbers, rank, dims, strides);
    atomic_init(&block->references, 1);
    block->lent = a != NULL;
    block->tensor = (inlay_tensor){
        .type = type,
        .rank = rank,
        .dims = block->numbers,
        .strides = block->numbers + rank,
    };
    return &block->tensor;
}

inlay_tensor *inlay_tensor_new(inlay_type type, int rank, const int64_t *dims)
{
    return inlay_tensor_in(NULL, type, rank, dims);
}

inlay_tensor *inlay_tensor_in(inlay_budget *budget, inlay_type type, int rank, const int64_t *dims)
{
    inlay_tensor *t = new_tensor(NULL, budget, type, rank, dims, NULL);

    if (t == NULL)
        return NULL;
    t->buffer = inlay_buffer_in(budget, inlay_tensor_bytes(t));
    if (t->buffer == NULL) {
        inlay_tensor_release(t);
        return NULL;
    }
    t->data = inlay_buffer_data(t->buffer);
    return t;
}

/* Finds the memory of T, in elements from its data: *FIRST is the first one, *END the one after the
 * last. False on overflow. T must have elements. */
static bool extent(const inlay_tensor *t, int64_t *first, int64_t *end)
{
    *first = *end = t->offset;
    for (int i = 0; i < t->rank; i++) {
        int64_t *side = t->strides[i] < 0 ? first : end, way;

        if (__builtin_mul_overflow(t->dims[i] - 1, t->strides[i], &way) ||
            __builtin_add_overflow(*side, way, side))
            return false;
    }
    return !__builtin_add_overflow(*end, 1, end);
}

/* Whether the elements of T are in its buffer. Without a buffer the number of bytes is not known.
 */
static bool is_inside(const inlay_tensor *t)
{
    int64_t bits = inlay_type_info_of(t->type)->bits, first, end;
    size_t before, size = inlay_buffer_size(t->buffer);

    if (t->buffer == NULL || inlay_tensor_count(t) == 0)
        return true;
    before = (size_t)t->data - (size_t)inlay_buffer_data(t->buffer);
    if (before > size || size > INT64_MAX / 8 || !extent(t, &first, &end) ||
        __builtin_mul_overflow(first, bits, &first) || __builtin_mul_overflow(end, bits, &end))
        return false;
    return first >= -8 * (int64_t)before && end <= 8 * (int64_t)(size - before);
}

/* Returns T; if T exceeds its buffer, releases T and returns NULL. */
static inlay_tensor *if_inside(inlay_tensor *t)
{
    if (is_inside(t))
        return t;
    inlay_tensor_release(t);
    return NULL;
}

inlay_tensor *inlay_tensor_over_in(inlay_arena *a, inlay_buffer *buffer, void *data,
                                   inlay_type type, int rank, const int64_t *dims)
{
    inlay_tensor *t = new_tensor(a, inlay_buffer_budget(buffer), type, rank, dims, NULL);

    if (t == NULL)
        return NULL;
    t->buffer = inlay_buffer_retain(buffer);
    t->data = data;
    return if_inside(t);
}

inlay_tensor *inlay_tensor_over(inlay_buffer *buffer, void *data, inlay_type type, int rank,
                                const int64_t *dims)
{
    return inlay_tensor_over_in(NULL, buffer, data, type, rank, dims);
}

/* Makes W, which has a form and a type but no buffer, the window of T that begins at OFFSET.
 * Returns W; NULL after releasing it: it exceeds the buffer. */
static inlay_tensor *show(inlay_tensor *w, const inlay_tensor *t, int64_t offset)
{
    int64_t bytes;
    int bits;

    bits = inlay_type_info_of(t->type)->bits;
    if (__builtin_add_overflow(t->offset, offset, &offset) ||
        __builtin_mul_overflow(offset, (int64_t)(bits >= 8 ? bits / 8 : 1), &bytes)) {
        inlay_tensor_release(w);
        return NULL;
    }
    w->buffer = inlay_buffer_retain(t->buffer);
    w->data = t->data;
    w->offset = offset;
    if (bits % 8 == 0) { /* elements are whole bytes, so that the window can start at its data */
        w->data = (char *)t->data + bytes;
        w->offset = 0;
    }
    return if_inside(w);
}

inlay_tensor *inlay_tensor_window_in(inlay_arena *a, const inlay_tensor *t, int rank,
                                     const int64_t *dims, const int64_t *strides, int64_t offset)
{
    inlay_tensor *w =
        t != NULL && (rank <= 0 || strides != NULL)
            ? new_tensor(a, inlay_buffer_budget(t->buffer), t->type, rank, dims, strides)
            : NULL;

    return w ? show(w, t, offset) : NULL;
}

inlay_tensor *inlay_tensor_window(const inlay_tensor *t, int rank, const int64_t *dims,
                                  const int64_t *strides, int64_t offset)
{
    return inlay_tensor_window_in(NULL, t, rank, dims, strides, offset);
}

static tensor_block *block_of(const inlay_tensor *t)
{
    return (tensor_block *)(void *)((char *)(uintptr_t)t - offsetof(tensor_block, tensor));
}

inlay_tensor *inlay_tensor_strip(const inlay_tensor *t)
{
    tensor_block *block = t ? block_of(t) : NULL;

    if (!block || block->lent ||
        atomic_load_explicit(&block->references, memory_order_acquire) != 1) {
        inlay_tensor_release(t);
        return NULL;
    }
    inlay_buffer_release(t->buffer);
    block->tensor.buffer = NULL;
    block->tensor.data = NULL;
    return &block->tensor;
}

inlay_tensor *inlay_tensor_again(inlay_tensor *w, const inlay_tensor *t, int rank,
                                 const int64_t *dims, const int64_t *strides, int64_t offset)
{
    if (!w || w->rank != rank || !inlay_count_bytes(t->type, rank, dims, NULL)) {
        inlay_tensor_release(w);
        return inlay_tensor_window(t, rank, dims, strides, offset);
    }
    w->type = t->type;
    set_form(block_of(w)->numbers, rank, dims, strides);
    return show(w, t, offset);
}

inlay_tensor *inlay_tensor_retain(const inlay_tensor *t)
{
    if (t == NULL)
        return NULL;
    atomic_fetch_add_explicit(&block_of(t)->references, 1, memory_order_relaxed);
    return &block_of(t)->tensor;
}

void inlay_tensor_release(const inlay_tensor *t)
{
    if (t == NULL || !inlay_drop_reference(&block_of(t)->references))
        return;
    inlay_buffer_release(t->buffer);
    if (!block_of(t)->lent)
        inlay_give(block_of(t));
}

bool inlay_tensor_is_sole(const inlay_tensor *t)
{
    return t != NULL && atomic_load_explicit(&block_of(t)->references, memory_order_acquire) == 1 &&
           inlay_buffer_is_sole(t->buffer);
}

/* Kernels and runs call these three functions often, so they multiply without checks, which
 * new_tensor has made: a product that overflowed would have a dim of 0. */
int64_t inlay_tensor_count(const inlay_tensor *t)
{
    uint64_t n = 1;

    if (t == NULL)
        return 0;
    for (int i = 0; i < t->rank; i++)
        n *= (uint64_t)t->dims[i];
    return (int64_t)n;
}

size_t inlay_tensor_bytes(const inlay_tensor *t)
{
    uint64_t n = (uint64_t)inlay_tensor_count(t), bits;

    if (n == 0)
        return 0;
    bits = n * (uint64_t)inlay_type_info_of(t->type)->bits;
    return (size_t)(bits / 8 + (bits % 8 != 0));
}

bool inlay_tensor_is_dense(const inlay_tensor *t)
{
    uint64_t step = 1;
    bool dense = t != NULL && t->offset == 0;

    for (int i = t != NULL ? t->rank - 1 : -1; i >= 0; i--) {
        dense &= (t->dims[i] == 1) | ((uint64_t)t->strides[i] == step);
        step *= (uint64_t)t->dims[i];
    }
    return dense || step == 0; /* without elements */
}

static inlay_string load_string(const void *data, int64_t index)
{
    inlay_string s;
    memcpy(&s, (const char *)data + index * (int64_t)sizeof(s), sizeof(s));
    return s;
}

int64_t inlay_tensor_index(const inlay_tensor *t, int64_t i)
{
    int64_t index = t->offset;

    for (int d = t->rank - 1; d >= 0 && i != 0; d--) {
        index += i % t->dims[d] * t->strides[d];
        i /= t->dims[d];
    }
    return index;
}

double inlay_tensor_get_f64(const inlay_tensor *t, int64_t i)
{
    return inlay_load_f64(t->type, t->data, inlay_tensor_index(t, i));
}

int64_t inlay_tensor_get_i64(const inlay_tensor *t, int64_t i)
{
    return inlay_load_i64(t->type, t->data, inlay_tensor_index(t, i));
}

inlay_string inlay_tensor_get_string(const inlay_tensor *t, int64_t i)
{
    return t->type == INLAY_STRING ? load_string(t->data, inlay_tensor_index(t, i))
                                   : (inlay_string){NULL, 0};
}

void inlay_tensor_set_f64(inlay_tensor *t, int64_t i, double x)
{
    inlay_store_f64(t->type, t->data, inlay_tensor_index(t, i), x);
}

void inlay_tensor_set_i64(inlay_tensor *t, int64_t i, int64_t x)
{
    inlay_store_i64(t->type, t->data, inlay_tensor_index(t, i), x);
}

bool inlay_tensor_set_string(inlay_tensor *t, int64_t i, const char *bytes, size_t length)
{
    inlay_string s = {NULL, length};

    if (t == NULL || t->type != INLAY_STRING || t->buffer == NULL || i < 0 ||
        i >= inlay_tensor_count(t) || (bytes == NULL && length > 0))
        return false;
    if (length > 0) {
        char *own = inlay_buffer_string(t->buffer, length);
        if (own == NULL)
            return false;
        memcpy(own, bytes, length);
        s.bytes = own;
    }
    memcpy((char *)t->data + inlay_tensor_index(t, i) * (int64_t)sizeof(s), &s, sizeof(s));
    return true;
}

void inlay_tensor_unload(const inlay_tensor *t)
{
    size_t first = (size_t)t->offset * (size_t)inlay_type_info_of(t->type)->bits / 8;

    if (t->buffer && inlay_tensor_is_dense(t))
        inlay_buffer_unload(t->buffer, (const char *)t->data + first, inlay_tensor_bytes(t));
}
