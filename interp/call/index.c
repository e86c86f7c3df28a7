/* The helpers of index.h. */
#include "interp/call/index.h"

void strides_dense(int rank, const int64_t *dims, int64_t *strides)
{
    int64_t step = 1;

    for (int i = rank - 1; i >= 0; i--) {
        strides[i] = step;
        step *= dims[i];
    }
}

void strides_broadcast(const inlay_tensor *t, int rank, const int64_t *dims, int64_t *strides)
{
    int lead = rank - t->rank;

    for (int i = 0; i < rank; i++) {
        bool repeats = i < lead || (t->dims[i - lead] == 1 && dims[i] != 1);

        strides[i] = repeats ? 0 : t->strides[i - lead];
    }
}

/* Returns the length N of runs of contiguous elements of T: in row-major order, each multiple of N
 * begins one. */
static int64_t row_length(const inlay_tensor *t)
{
    int last = t->rank - 1;

    if (inlay_tensor_is_dense(t))
        return INT64_MAX;
    return last >= 0 && t->strides[last] == 1 ? t->dims[last] : 1;
}

void tensor_copy_run(inlay_tensor *dst, int64_t to, const inlay_tensor *src, int64_t from,
                     int64_t n)
{
    int64_t dst_row = row_length(dst), src_row = row_length(src);

    if (dst_row == INT64_MAX && src_row == INT64_MAX) {
        inlay_copy_elements(dst->type, dst->data, to, src->data, from, n);
        return;
    }
    for (int64_t i = 0, step; i < n; i += step) {
        int64_t a = dst_row - (to + i) % dst_row, b = src_row - (from + i) % src_row;

        step = a < b ? a : b;
        step = step < n - i ? step : n - i;
        inlay_copy_elements(dst->type, dst->data, inlay_tensor_index(dst, to + i), src->data,
                            inlay_tensor_index(src, from + i), step);
    }
}

/* Moves element FROM of array SRC to place TO of array DST for each i < N, as numbers of bits T. */
#define MOVE_CASE(T, to, from)                                                                     \
    case 8 * sizeof(T):                                                                            \
        for (int64_t i = 0; i < n; i++)                                                            \
            memcpy(y + (to) * (int64_t)sizeof(T), x + (from) * (int64_t)sizeof(T), sizeof(T));     \
        break;
#define MOVE_ALL(to, from)                                                                         \
    char *restrict y = dst->data;                                                                  \
    const char *restrict x = src->data;                                                            \
                                                                                                   \
    switch (inlay_type_info_of(dst->type)->bits) {                                                 \
        MOVE_CASE(uint8_t, to, from)                                                               \
        MOVE_CASE(uint16_t, to, from)                                                              \
        MOVE_CASE(uint32_t, to, from)                                                              \
        MOVE_CASE(uint64_t, to, from)                                                              \
    default:                                                                                       \
        for (int64_t i = 0; i < n; i++)                                                            \
            tensor_move_element(dst, to, src, from);                                               \
    }

void tensor_pick(inlay_tensor *dst, int64_t to, int64_t step, const inlay_tensor *src,
                 const int64_t *from, int64_t n)
{
    MOVE_ALL(to + i * step, from[i])
}

void tensor_put(inlay_tensor *dst, const int64_t *to, const inlay_tensor *src, int64_t from,
                int64_t step, int64_t n){MOVE_ALL(to[i], from + i * step)}

int64_t tensor_runs_size(const inlay_tensor *dst, const inlay_tensor *src)
{
    int bits = inlay_type_info_of(dst->type)->bits;
    bool plain = bits % 8 == 0 && inlay_tensor_is_dense(dst) && inlay_tensor_is_dense(src);

    return plain ? bits / 8 : 0;
}

/* Sets N elements of DST, which lie side by side from AT on, to zero. */
static void zero_elements(inlay_tensor *dst, int64_t at, int64_t n)
{
    static const unsigned char zero;
    int bits = inlay_type_info_of(dst->type)->bits;

    if (bits % 8 == 0)
        memset((char *)dst->data + at * (bits / 8), 0, (size_t)(n * (bits / 8)));
    else
        for (int64_t i = 0; i < n; i++)
            inlay_copy_element(dst->type, dst->data, at + i, &zero, 0);
}

void tensor_zero_run(inlay_tensor *dst, int64_t to, int64_t n)
{
    int64_t row = row_length(dst);

    for (int64_t i = 0, step; i < n; i += step) {
        step = row - (to + i) % row;
        step = step < n - i ? step : n - i;
        zero_elements(dst, inlay_tensor_index(dst, to + i), step);
    }
}

int64_t dims_product(const int64_t *dims, int n)
{
    int64_t p = 1;

    for (int i = 0; i < n; i++)
        p *= dims[i];
    return p;
}
