/* Buffers (reference-counted bytes) and tensors (windows on them).
 *
 * Strings: an element of a string tensor is {bytes, length}; the bytes lie in chunks that the
 * buffer keeps alive. A buffer only ever keeps leaf buffers (chunks, mapped files), and a copy of
 * elements takes over the list of chunks, never the other buffer itself: no cycle can come about.
 */
#include "ir/ir.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUFFER_ALIGNMENT = 64,
    STRING_CHUNK = 4096 /* bytes of a buffer's first chunk of string bytes; later ones double */
};

struct inlay_buffer {
    atomic_size_t references;
    unsigned char *data;
    size_t size;
    inlay_release_fn *release;
    void *release_ctx;
    inlay_buffer **kept;
    size_t n_kept, cap_kept;
    inlay_buffer *chunk; /* the last of kept that string bytes go to, or NULL */
    size_t chunk_used;
    inlay_buffer *next_dead; /* used while buffers are destroyed */
};

/* What stands before and behind a public tensor in memory. */
typedef struct tensor_block {
    atomic_size_t references;
    inlay_tensor tensor;
    int64_t numbers[]; /* dims, then strides */
} tensor_block;

static void free_own_data(void *ctx, void *data, size_t size)
{
    (void)data;
    (void)size;
    free(ctx);
}

inlay_buffer *inlay_buffer_new(size_t size)
{
    unsigned char *block;
    inlay_buffer *b;

    if (size > SIZE_MAX - BUFFER_ALIGNMENT)
        return NULL;
    /* calloc, not aligned_alloc and memset: large blocks then cost nothing until they are used. */
    block = calloc(1, size + BUFFER_ALIGNMENT);
    if (block == NULL)
        return NULL;
    b = inlay_buffer_wrap(block + (BUFFER_ALIGNMENT - (uintptr_t)block % BUFFER_ALIGNMENT), size,
                          free_own_data, block);
    if (b == NULL)
        free(block);
    return b;
}

inlay_buffer *inlay_buffer_wrap(void *data, size_t size, inlay_release_fn *release, void *ctx)
{
    inlay_buffer *b = calloc(1, sizeof(*b));

    if (b == NULL)
        return NULL;
    atomic_init(&b->references, 1);
    b->data = data;
    b->size = size;
    b->release = release;
    b->release_ctx = ctx;
    return b;
}

inlay_buffer *inlay_buffer_retain(inlay_buffer *b)
{
    if (b != NULL)
        atomic_fetch_add_explicit(&b->references, 1, memory_order_relaxed);
    return b;
}

/* Gives one reference back; true when it was the last. */
static bool drop_reference(atomic_size_t *references)
{
    if (atomic_fetch_sub_explicit(references, 1, memory_order_release) != 1)
        return false;
    atomic_thread_fence(memory_order_acquire);
    return true;
}

void inlay_buffer_release(inlay_buffer *b)
{
    inlay_buffer *dead = b != NULL && drop_reference(&b->references) ? b : NULL;

    while (dead != NULL) { /* a list, so that a long chain of kept buffers needs no stack */
        inlay_buffer *next = dead->next_dead;
        for (size_t i = 0; i < dead->n_kept; i++) {
            if (drop_reference(&dead->kept[i]->references)) {
                dead->kept[i]->next_dead = next;
                next = dead->kept[i];
            }
        }
        if (dead->release != NULL)
            dead->release(dead->release_ctx, dead->data, dead->size);
        free(dead->kept);
        free(dead);
        dead = next;
    }
}

void *inlay_buffer_data(const inlay_buffer *b)
{
    return b->data;
}

size_t inlay_buffer_size(const inlay_buffer *b)
{
    return b->size;
}

bool inlay_buffer_keep(inlay_buffer *b, inlay_buffer *other)
{
    if (other == NULL || other == b)
        return true;
    for (size_t i = 0; i < b->n_kept; i++) {
        if (b->kept[i] == other)
            return true;
    }
    if (b->n_kept == b->cap_kept) {
        size_t cap = b->cap_kept == 0 ? 4 : 2 * b->cap_kept;
        inlay_buffer **kept = realloc(b->kept, cap * sizeof(inlay_buffer *));
        if (kept == NULL)
            return false;
        b->kept = kept;
        b->cap_kept = cap;
    }
    b->kept[b->n_kept++] = inlay_buffer_retain(other);
    return true;
}

/* DST's elements are about to point where SRC's do. */
static bool keep_same(inlay_buffer *dst, const inlay_buffer *src)
{
    for (size_t i = 0; dst != src && i < src->n_kept; i++) {
        if (!inlay_buffer_keep(dst, src->kept[i]))
            return false;
    }
    return true;
}

/* LENGTH bytes that live as long as B. */
static char *string_bytes(inlay_buffer *b, size_t length)
{
    char *bytes;

    if (b->chunk == NULL || b->chunk->size - b->chunk_used < length) {
        size_t size =
            b->chunk != NULL && b->chunk->size <= SIZE_MAX / 2 ? 2 * b->chunk->size : STRING_CHUNK;
        inlay_buffer *chunk = inlay_buffer_new(size > length ? size : length);
        bool kept = chunk != NULL && inlay_buffer_keep(b, chunk);
        inlay_buffer_release(chunk);
        if (!kept)
            return NULL;
        b->chunk = chunk;
        b->chunk_used = 0;
    }
    bytes = (char *)b->chunk->data + b->chunk_used;
    b->chunk_used += length;
    return bytes;
}

bool inlay_count_elements(int rank, const int64_t *dims, int64_t *count)
{
    int64_t n = 1;
    bool empty = false, overflow = false;

    for (int i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return false;
        if (dims[i] == 0)
            empty = true;
        else if (__builtin_mul_overflow(n, dims[i], &n))
            overflow = true, n = 1;
    }
    if (overflow && !empty)
        return false;
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

/* A tensor of one reference without buffer and data; strides NULL: dense. */
static inlay_tensor *new_tensor(inlay_type type, int rank, const int64_t *dims,
                                const int64_t *strides)
{
    tensor_block *block;
    int64_t *own;

    if (rank < 0 || rank > INLAY_MAX_RANK || inlay_type_info_of(type)->refused != NULL ||
        !inlay_count_bytes(type, rank, dims, NULL))
        return NULL;
    block = malloc(sizeof(*block) + 2 * (size_t)rank * sizeof(int64_t));
    if (block == NULL)
        return NULL;
    own = block->numbers;
    if (rank > 0)
        memcpy(own, dims, (size_t)rank * sizeof(*own));
    if (strides == NULL)
        dense_strides(rank, own, own + rank);
    else if (rank > 0)
        memcpy(own + rank, strides, (size_t)rank * sizeof(*own));
    atomic_init(&block->references, 1);
    block->tensor = (inlay_tensor){
        .type = type,
        .rank = rank,
        .dims = own,
        .strides = own + rank,
    };
    return &block->tensor;
}

inlay_tensor *inlay_tensor_new(inlay_type type, int rank, const int64_t *dims)
{
    inlay_tensor *t = new_tensor(type, rank, dims, NULL);

    if (t == NULL)
        return NULL;
    t->buffer = inlay_buffer_new(inlay_tensor_bytes(t));
    if (t->buffer == NULL) {
        inlay_tensor_release(t);
        return NULL;
    }
    t->data = t->buffer->data;
    return t;
}

inlay_tensor *inlay_tensor_over(inlay_buffer *buffer, void *data, inlay_type type, int rank,
                                const int64_t *dims)
{
    inlay_tensor *t = new_tensor(type, rank, dims, NULL);

    if (t == NULL)
        return NULL;
    t->buffer = inlay_buffer_retain(buffer);
    t->data = data;
    return t;
}

inlay_tensor *inlay_tensor_window(const inlay_tensor *t, int rank, const int64_t *dims,
                                  const int64_t *strides, int64_t offset)
{
    inlay_tensor *w = new_tensor(t->type, rank, dims, strides);
    int bits = inlay_type_info_of(t->type)->bits;
    int64_t bytes;

    if (w == NULL)
        return NULL;
    if (__builtin_add_overflow(t->offset, offset, &offset) ||
        __builtin_mul_overflow(offset, (int64_t)(bits >= 8 ? bits / 8 : 1), &bytes)) {
        inlay_tensor_release(w);
        return NULL;
    }
    w->buffer = inlay_buffer_retain(t->buffer);
    w->data = t->data;
    w->offset = offset;
    if (bits % 8 == 0) { /* whole bytes: the window starts at its data */
        w->data = (char *)t->data + bytes;
        w->offset = 0;
    }
    return w;
}

static tensor_block *block_of(const inlay_tensor *t)
{
    return (tensor_block *)(void *)((char *)(uintptr_t)t - offsetof(tensor_block, tensor));
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
    if (t == NULL || !drop_reference(&block_of(t)->references))
        return;
    inlay_buffer_release(t->buffer);
    free(block_of(t));
}

int64_t inlay_tensor_count(const inlay_tensor *t)
{
    int64_t n = 0;
    return inlay_count_elements(t->rank, t->dims, &n) ? n : 0;
}

size_t inlay_tensor_bytes(const inlay_tensor *t)
{
    size_t n = 0;
    return inlay_count_bytes(t->type, t->rank, t->dims, &n) ? n : 0;
}

bool inlay_tensor_is_dense(const inlay_tensor *t)
{
    int64_t step = 1;

    if (inlay_tensor_count(t) == 0)
        return true;
    for (int i = t->rank - 1; i >= 0; i--) {
        if (t->dims[i] != 1 && t->strides[i] != step)
            return false;
        step *= t->dims[i];
    }
    return t->offset == 0;
}

inlay_tensor *inlay_tensor_copy(const inlay_tensor *t)
{
    inlay_tensor *copy = inlay_tensor_new(t->type, t->rank, t->dims);

    if (copy != NULL && !inlay_tensor_assign(copy, t)) {
        inlay_tensor_release(copy);
        return NULL;
    }
    return copy;
}

static bool same_form(const inlay_tensor *a, const inlay_tensor *b)
{
    return a->type == b->type && a->rank == b->rank &&
           (a->rank == 0 || memcmp(a->dims, b->dims, (size_t)a->rank * sizeof(*a->dims)) == 0);
}

/* The last dimension and its strides: what a copy or comparison does in one go. */
typedef struct row_walk {
    const inlay_tensor *a, *b;
    int64_t at[INLAY_MAX_RANK]; /* position in the dimensions before the last */
    int64_t a_index, b_index;   /* of the row's first element, from data */
    int64_t length, a_step, b_step;
} row_walk;

static void start_rows(row_walk *w, const inlay_tensor *a, const inlay_tensor *b)
{
    int last = a->rank - 1;

    *w = (row_walk){.a = a, .b = b, .a_index = a->offset, .b_index = b->offset};
    w->length = last < 0 ? 1 : a->dims[last];
    w->a_step = last < 0 ? 1 : a->strides[last];
    w->b_step = last < 0 ? 1 : b->strides[last];
}

static bool next_row(row_walk *w)
{
    for (int i = w->a->rank - 2; i >= 0; i--) {
        w->a_index += w->a->strides[i];
        w->b_index += w->b->strides[i];
        if (++w->at[i] < w->a->dims[i])
            return true;
        w->at[i] = 0;
        w->a_index -= w->a->dims[i] * w->a->strides[i];
        w->b_index -= w->b->dims[i] * w->b->strides[i];
    }
    return false;
}

bool inlay_tensor_assign(inlay_tensor *dst, const inlay_tensor *src)
{
    int64_t count = inlay_tensor_count(src);
    row_walk w;

    if (!same_form(dst, src))
        return false;
    if (src->type == INLAY_STRING && dst->buffer != NULL && src->buffer != NULL &&
        !keep_same(dst->buffer, src->buffer))
        return false;
    if (count == 0)
        return true;
    if (inlay_tensor_is_dense(dst) && inlay_tensor_is_dense(src)) {
        if (dst->data != src->data)
            inlay_copy_elements(src->type, dst->data, 0, src->data, 0, count);
        return true;
    }
    start_rows(&w, dst, src);
    do {
        if (w.a_step == 1 && w.b_step == 1) {
            inlay_copy_elements(src->type, dst->data, w.a_index, src->data, w.b_index, w.length);
            continue;
        }
        for (int64_t i = 0; i < w.length; i++)
            inlay_copy_element(src->type, dst->data, w.a_index + i * w.a_step, src->data,
                               w.b_index + i * w.b_step);
    } while (next_row(&w));
    return true;
}

static inlay_string load_string(const void *data, int64_t index)
{
    inlay_string s;
    memcpy(&s, (const char *)data + index * (int64_t)sizeof(s), sizeof(s));
    return s;
}

static bool equal_element(inlay_type type, const void *a, int64_t i, const void *b, int64_t j)
{
    unsigned char x[sizeof(double) * 2] = {0}, y[sizeof(x)] = {0};

    if (type == INLAY_STRING) {
        inlay_string s = load_string(a, i), t = load_string(b, j);
        return s.length == t.length && (s.length == 0 || memcmp(s.bytes, t.bytes, s.length) == 0);
    }
    inlay_copy_element(type, x, 0, a, i);
    inlay_copy_element(type, y, 0, b, j);
    return memcmp(x, y, sizeof(x)) == 0;
}

bool inlay_tensor_equal(const inlay_tensor *a, const inlay_tensor *b)
{
    bool bytewise = a->type != INLAY_STRING && inlay_type_info_of(a->type)->bits % 8 == 0;
    row_walk w;

    if (!same_form(a, b))
        return false;
    if (inlay_tensor_count(a) == 0)
        return true;
    if (bytewise && inlay_tensor_is_dense(a) && inlay_tensor_is_dense(b))
        return memcmp(a->data, b->data, inlay_tensor_bytes(a)) == 0;
    start_rows(&w, a, b);
    do {
        for (int64_t i = 0; i < w.length; i++) {
            if (!equal_element(a->type, a->data, w.a_index + i * w.a_step, b->data,
                               w.b_index + i * w.b_step))
                return false;
        }
    } while (next_row(&w));
    return true;
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

    if (t->type != INLAY_STRING || t->buffer == NULL)
        return false;
    if (length > 0) {
        char *own = string_bytes(t->buffer, length);
        if (own == NULL)
            return false;
        memcpy(own, bytes, length);
        s.bytes = own;
    }
    memcpy((char *)t->data + inlay_tensor_index(t, i) * (int64_t)sizeof(s), &s, sizeof(s));
    return true;
}
