/* Copying and comparing the elements of strided tensors. */
#include "ir/tensor/buffer.h"
#include "ir/tensor/number.h"
#include "ir/tensor/storage.h"

#include <string.h>

inlay_tensor *inlay_tensor_copy(const inlay_tensor *t)
{
    if (t == NULL)
        return NULL;

    inlay_tensor *copy = inlay_tensor_in(inlay_buffer_budget(t->buffer), t->type, t->rank, t->dims);

    if (copy != NULL && !inlay_tensor_assign(copy, t)) {
        inlay_tensor_release(copy);
        return NULL;
    }
    return copy;
}

bool inlay_tensor_same_dims(const inlay_tensor *a, const inlay_tensor *b)
{
    bool same = a->rank == b->rank;

    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == b->dims[i];
    return same;
}

static bool same_form(const inlay_tensor *a, const inlay_tensor *b)
{
    return a != NULL && b != NULL && a->type == b->type && inlay_tensor_same_dims(a, b);
}

/* A walk over the rows of a tensor. A row is the last dimension, which is copied or compared at
 * once. The dimensions before it, except those of size 1, are iterated over. */
typedef struct row_walk {
    int rank; /* the number of dimensions iterated over */
    int64_t dims[INLAY_MAX_RANK], a_strides[INLAY_MAX_RANK], b_strides[INLAY_MAX_RANK];
    int64_t at[INLAY_MAX_RANK];
    int64_t a_index, b_index; /* the index of the row's first element, counted from the data */
    int64_t length, a_step, b_step;
} row_walk;

static void start_rows(row_walk *w, const inlay_tensor *a, const inlay_tensor *b)
{
    int last = a->rank - 1;

    w->rank = 0;
    for (int i = 0; i < last; i++) {
        if (a->dims[i] == 1)
            continue;
        w->dims[w->rank] = a->dims[i];
        w->a_strides[w->rank] = a->strides[i];
        w->b_strides[w->rank] = b->strides[i];
        w->at[w->rank++] = 0;
    }
    w->a_index = a->offset;
    w->b_index = b->offset;
    w->length = last < 0 ? 1 : a->dims[last];
    w->a_step = last < 0 ? 1 : a->strides[last];
    w->b_step = last < 0 ? 1 : b->strides[last];
}

static bool next_row(row_walk *w)
{
    for (int i = w->rank - 1; i >= 0; i--) {
        w->a_index += w->a_strides[i];
        w->b_index += w->b_strides[i];
        if (++w->at[i] < w->dims[i])
            return true;
        w->at[i] = 0;
        w->a_index -= w->dims[i] * w->a_strides[i];
        w->b_index -= w->dims[i] * w->b_strides[i];
    }
    return false;
}

/* Copies rows of contiguous elements of SIZE bytes. The innermost iterated axis is a simple loop.
 */
static void move_rows(row_walk *w, char *to, const char *from, int64_t size)
{
    int last = --w->rank;
    int64_t n = last < 0 ? 1 : w->dims[last], bytes = w->length * size;
    int64_t a = last < 0 ? 0 : w->a_strides[last] * size;
    int64_t b = last < 0 ? 0 : w->b_strides[last] * size;

    do {
        char *dst = to + w->a_index * size;
        const char *src = from + w->b_index * size;

        for (int64_t i = 0; i < n; i++)
            memmove(dst + i * a, src + i * b, (size_t)bytes);
    } while (next_row(w));
}

static void copy_rows(inlay_tensor *dst, const inlay_tensor *src)
{
    int bits = inlay_type_info_of(src->type)->bits;
    bool follow;
    row_walk w;

    start_rows(&w, dst, src);
    follow = w.a_step == 1 && w.b_step == 1;
    if (follow && bits % 8 == 0) {
        move_rows(&w, dst->data, src->data, bits / 8);
        return;
    }
    do {
        if (follow) {
            inlay_copy_elements(src->type, dst->data, w.a_index, src->data, w.b_index, w.length);
            continue;
        }
        for (int64_t i = 0; i < w.length; i++)
            inlay_copy_element(src->type, dst->data, w.a_index + i * w.a_step, src->data,
                               w.b_index + i * w.b_step);
    } while (next_row(&w));
}

/* Whether SRC and DST overlap so that copying in order would overwrite elements of SRC before they
 * are copied. */
static bool moves_on(const inlay_tensor *dst, const inlay_tensor *src)
{
    int64_t size = inlay_type_info_of(src->type)->bits / 8, last = src->offset;
    uintptr_t to = (uintptr_t)dst->data + (uintptr_t)(dst->offset * size);

    for (int i = 0; i < src->rank; i++) {
        if (src->dims[i] > 1 &&
            (src->strides[i] <= 0 || src->strides[i] != dst->strides[i] || size == 0))
            return false;
        last += (src->dims[i] - 1) * src->strides[i];
    }
    return to > (uintptr_t)src->data + (uintptr_t)(src->offset * size) &&
           to <= (uintptr_t)src->data + (uintptr_t)(last * size);
}

/* Returns T in reverse order, except that contiguous rows stay as they are. STRIDES: memory for its
 * strides. */
static inlay_tensor turned_round(const inlay_tensor *t, int64_t *strides)
{
    inlay_tensor turned = *t;

    turned.strides = strides;
    for (int i = 0; i < t->rank; i++) {
        strides[i] = t->strides[i];
        if (t->dims[i] == 1 || (i == t->rank - 1 && strides[i] == 1))
            continue;
        turned.offset += (t->dims[i] - 1) * strides[i];
        strides[i] = -strides[i];
    }
    return turned;
}

bool inlay_tensor_assign(inlay_tensor *dst, const inlay_tensor *src)
{
    int64_t count = inlay_tensor_count(src), strides[2][INLAY_MAX_RANK];
    inlay_tensor to, from;

    if (!same_form(dst, src))
        return false;
    if (inlay_type_refers(src->type) && dst->buffer != NULL && src->buffer != NULL &&
        !inlay_buffer_keep_same(dst->buffer, src->buffer))
        return false;
    if (count == 0)
        return true;
    if (inlay_tensor_is_dense(dst) && inlay_tensor_is_dense(src)) {
        if (dst->data != src->data)
            inlay_copy_elements(src->type, dst->data, 0, src->data, 0, count);
        return true;
    }
    if (!moves_on(dst, src)) {
        copy_rows(dst, src);
        return true;
    }
    to = turned_round(dst, strides[0]);
    from = turned_round(src, strides[1]);
    copy_rows(&to, &from);
    return true;
}

static bool equal_items(const void *a, int64_t i, const void *b, int64_t j)
{
    inlay_buffer *p, *q;

    memcpy(&p, (const char *)a + i * (int64_t)sizeof p, sizeof p);
    memcpy(&q, (const char *)b + j * (int64_t)sizeof q, sizeof q);
    return p == q || (p && q && inlay_tensor_equal(inlay_buffer_data(p), inlay_buffer_data(q)));
}

static bool equal_element(inlay_type type, const void *a, int64_t i, const void *b, int64_t j)
{
    unsigned char x[sizeof(double) * 2] = {0}, y[sizeof(x)] = {0};

    if (type == INLAY_ITEM)
        return equal_items(a, i, b, j);
    if (type == INLAY_STRING) {
        inlay_string s, t;
        memcpy(&s, (const char *)a + i * (int64_t)sizeof(s), sizeof(s));
        memcpy(&t, (const char *)b + j * (int64_t)sizeof(t), sizeof(t));
        return s.length == t.length && (s.length == 0 || memcmp(s.bytes, t.bytes, s.length) == 0);
    }
    inlay_copy_element(type, x, 0, a, i);
    inlay_copy_element(type, y, 0, b, j);
    return memcmp(x, y, sizeof(x)) == 0;
}

bool inlay_tensor_same_place(const inlay_tensor *a, const inlay_tensor *b)
{
    if (a == NULL || b == NULL || a->data != b->data || a->offset != b->offset || !same_form(a, b))
        return false;
    for (int i = 0; i < a->rank; i++) {
        if (a->dims[i] > 1 && a->strides[i] != b->strides[i])
            return false;
    }
    return true;
}

bool inlay_tensor_equal(const inlay_tensor *a, const inlay_tensor *b)
{
    bool bytewise;
    row_walk w;

    if (!same_form(a, b))
        return false;
    bytewise = !inlay_type_refers(a->type) && inlay_type_info_of(a->type)->bits % 8 == 0;
    if (inlay_tensor_count(a) == 0 || inlay_tensor_same_place(a, b))
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
