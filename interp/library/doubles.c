/* Rows of numbers as doubles and back. */
#include "interp/library/doubles.h"
#include "interp/kernels/clones.h"

#include <string.h>

/* Elements may be anywhere, so they are copied as bytes. */
#define DEFINE_LOAD(T)                                                                             \
    static INLAY_CLONES void load_##T(double *restrict x, const char *restrict from, int64_t n)    \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++) {                                                          \
            T e;                                                                                   \
                                                                                                   \
            memcpy(&e, from + i * (int64_t)sizeof e, sizeof e);                                    \
            x[i] = e;                                                                              \
        }                                                                                          \
    }

DEFINE_LOAD(float)
DEFINE_LOAD(int32_t)
DEFINE_LOAD(int8_t)
DEFINE_LOAD(uint8_t)

static INLAY_CLONES void store_float(char *restrict to, const double *restrict x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        float e = (float)x[i];

        memcpy(to + i * (int64_t)sizeof e, &e, sizeof e);
    }
}

/* Truncates and saturates; NaN gives 0. */
#define DEFINE_STORE(T, low, high)                                                                 \
    static INLAY_CLONES void store_##T(char *restrict to, const double *restrict x, int64_t n)     \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++) {                                                          \
            double inside = x[i] == x[i] ? x[i] : 0;                                               \
            T e;                                                                                   \
                                                                                                   \
            inside = inside > (low) ? inside : (low);                                              \
            inside = inside < (high) ? inside : (high);                                            \
            e = (T)(int32_t)inside;                                                                \
            memcpy(to + i * (int64_t)sizeof e, &e, sizeof e);                                      \
        }                                                                                          \
    }

DEFINE_STORE(int32_t, INT32_MIN, INT32_MAX)
DEFINE_STORE(int8_t, INT8_MIN, INT8_MAX)
DEFINE_STORE(uint8_t, 0, UINT8_MAX)

void doubles_load(double *x, const inlay_tensor *t, int64_t at, int64_t n)
{
    const char *from =
        (const char *)t->data + (t->offset + at) * inlay_type_info_of(t->type)->bits / 8;

    switch (t->type) {
    case INLAY_F32:
        load_float(x, from, n);
        break;
    case INLAY_I32:
        load_int32_t(x, from, n);
        break;
    case INLAY_I8:
        load_int8_t(x, from, n);
        break;
    case INLAY_U8:
        load_uint8_t(x, from, n);
        break;
    default:
        load_row_f64(x, t, t->offset + at, 1, n);
    }
}

void doubles_store(const inlay_tensor *t, int64_t at, int64_t n, const double *x)
{
    char *to = (char *)t->data + (t->offset + at) * inlay_type_info_of(t->type)->bits / 8;

    switch (t->type) {
    case INLAY_F32:
        store_float(to, x, n);
        break;
    case INLAY_I32:
        store_int32_t(to, x, n);
        break;
    case INLAY_I8:
        store_int8_t(to, x, n);
        break;
    case INLAY_U8:
        store_uint8_t(to, x, n);
        break;
    default:
        store_row_f64(t, t->offset + at, 1, n, x);
    }
}
