/* The loads and stores of load.h. */
#include "interp/call/share.h"
#include "ir/shared.h"

#include <inttypes.h>
#include <stdalign.h>
#include <string.h>

inlay_domain load_domain(inlay_type type)
{
    switch (inlay_type_info_of(type)->cls) {
    case INLAY_CLASS_FLOAT:
        return type == INLAY_F64 ? DOMAIN_F64 : DOMAIN_F32;
    case INLAY_CLASS_BOOLEAN:
    case INLAY_CLASS_SIGNED:
    case INLAY_CLASS_UNSIGNED:
        return DOMAIN_I64;
    default:
        return DOMAIN_NONE;
    }
}

/* A line is what lies along the last axis of a tensor: a run of elements with one stride. */
struct line {
    const inlay_tensor *t;
    index_iter it; /* over all dims but the last; a dense tensor is one line */
    int64_t start, stride, length;
};

static void line_at(struct line *r)
{
    r->start = r->t->offset + index_dot(r->it.rank, r->it.at, r->t->strides);
}

static struct line lines_begin(const inlay_tensor *t)
{
    struct line r = {.t = t, .stride = 1, .length = 1};
    int outer = t->rank > 0 ? t->rank - 1 : 0;

    if (inlay_tensor_is_dense(t)) {
        r.length = inlay_tensor_count(t);
        r.it = index_begin(0, NULL);
        r.it.done = r.length == 0;
    } else {
        r.stride = t->rank > 0 ? t->strides[outer] : 1;
        r.length = t->rank > 0 ? t->dims[outer] : 1;
        r.it = index_rows(t->rank, t->dims);
    }
    line_at(&r);
    return r;
}

static bool lines_valid(const struct line *r)
{
    return index_valid(&r->it);
}

static void lines_next(struct line *r)
{
    index_next(&r->it);
    if (index_valid(&r->it))
        line_at(r);
}

/* Returns the address of T's first element if T is dense and its elements have SIZE bytes; else
 * NULL. */
static char *dense_bytes(const inlay_tensor *t, size_t size)
{
    return inlay_tensor_is_dense(t) ? (char *)t->data + t->offset * (int64_t)size : NULL;
}

/* Returns T's own memory if it is an aligned array of C objects of SIZE bytes; else NULL. */
static const void *own_array(const inlay_tensor *t, size_t size, size_t align)
{
    const char *p = dense_bytes(t, size);

    return p && (uintptr_t)p % align == 0 ? p : NULL;
}

static float element_f32(const inlay_tensor *t, int64_t i)
{
    return load_domain(t->type) == DOMAIN_F32 ? inlay_load_f32(t->type, t->data, i)
                                              : (float)inlay_load_f64(t->type, t->data, i);
}

/* Reads element I of an array of C objects at any alignment. */
#define PEEK(C, base, i, to)                                                                       \
    memcpy(&(to), (const char *)(base) + (i) * (int64_t)sizeof(C), sizeof(C))
#define POKE(C, base, i, from) memcpy((char *)(base) + (i) * (int64_t)sizeof(C), &(from), sizeof(C))

/* If an element is a C object, the loop over a row does not check the type of each element again.
 */
#define LOAD_CASE(type, C)                                                                         \
    case type:                                                                                     \
        for (int64_t k = 0; step == 1 && k < n; k++) {                                             \
            C e;                                                                                   \
                                                                                                   \
            PEEK(C, t->data, at + k, e);                                                           \
            x[k] = e;                                                                              \
        }                                                                                          \
        for (int64_t k = 0; step != 1 && k < n; k++, at += step) {                                 \
            C e;                                                                                   \
                                                                                                   \
            PEEK(C, t->data, at, e);                                                               \
            x[k] = e;                                                                              \
        }                                                                                          \
        break;

#define STORE_FORM(type, C, form)                                                                  \
    case type:                                                                                     \
        for (int64_t k = 0; step == 1 && k < n; k++) {                                             \
            C e = (C)(form);                                                                       \
                                                                                                   \
            POKE(C, t->data, at + k, e);                                                           \
        }                                                                                          \
        for (int64_t k = 0; step != 1 && k < n; k++, at += step) {                                 \
            C e = (C)(form);                                                                       \
                                                                                                   \
            POKE(C, t->data, at, e);                                                               \
        }                                                                                          \
        break;

#define STORE_CASE(type, C) STORE_FORM(type, C, x[k])
/* Truncates x[k] to an integer of type C, from LEAST to MOST; LIMIT is MOST + 1. */
#define STORE_SATURATED(type, C, limit, least, most)                                               \
    STORE_FORM(type, C,                                                                            \
               x[k] != x[k]       ? 0                                                              \
               : x[k] >= (limit)  ? (most)                                                         \
               : x[k] <= -(limit) ? (least)                                                        \
                                  : (C)x[k])
#define STORE_SIGNED(f)                                                                            \
    STORE_SATURATED(INLAY_I64, int64_t, 0x1p63##f, INT64_MIN, INT64_MAX)                           \
    STORE_SATURATED(INLAY_I32, int32_t, 0x1p31##f, INT32_MIN, INT32_MAX)                           \
    STORE_SATURATED(INLAY_I16, int16_t, 0x1p15##f, INT16_MIN, INT16_MAX)                           \
    STORE_SATURATED(INLAY_I8, int8_t, 0x1p7##f, INT8_MIN, INT8_MAX)
#define LOAD_INTEGERS(wide)                                                                        \
    LOAD_CASE(INLAY_I64, int64_t)                                                                  \
    LOAD_CASE(INLAY_U64, wide)                                                                     \
    LOAD_CASE(INLAY_I32, int32_t)                                                                  \
    LOAD_CASE(INLAY_U32, uint32_t)                                                                 \
    LOAD_CASE(INLAY_I16, int16_t)                                                                  \
    LOAD_CASE(INLAY_U16, uint16_t)                                                                 \
    LOAD_CASE(INLAY_I8, int8_t)                                                                    \
    LOAD_CASE(INLAY_U8, uint8_t)

/* Elements of less than a byte, and booleans, become codes first. */
enum { CODES = 512 };

static bool has_codes(const inlay_tensor *t, int64_t step)
{
    int bits = inlay_type_info_of(t->type)->bits;

    return step == 1 && !inlay_type_is_float(t->type) &&
           (t->type == INLAY_BOOLEAN || bits == 4 || bits == 2 || bits == 1);
}

static void load_codes_i64(int64_t *x, const inlay_tensor *t, int64_t at, int64_t n)
{
    const inlay_type_info *info = inlay_type_info_of(t->type);
    const int64_t sign = info->cls == INLAY_CLASS_SIGNED ? INT64_C(1) << (info->bits - 1) : 0;
    uint8_t codes[CODES];

    for (int64_t some; n > 0; n -= some, at += some, x += some) {
        some = n < CODES ? n : CODES;
        inlay_load_codes(t->type, t->data, at, some, codes);
        for (int64_t k = 0; k < some; k++)
            x[k] = info->cls == INLAY_CLASS_BOOLEAN ? codes[k] != 0 : (codes[k] ^ sign) - sign;
    }
}

static void store_codes_i64(const inlay_tensor *t, int64_t at, int64_t n, const int64_t *x)
{
    bool boolean = t->type == INLAY_BOOLEAN;
    uint8_t codes[CODES];

    for (int64_t some; n > 0; n -= some, at += some, x += some) {
        some = n < CODES ? n : CODES;
        for (int64_t k = 0; k < some; k++)
            codes[k] = boolean ? x[k] != 0 : (uint8_t)x[k];
        inlay_store_codes(t->type, t->data, at, some, codes);
    }
}

/* Is a number rounded to TYPE as the odd float around it is? The numbers of nf4 are no fractions of
 * powers of two, so what is between two of them may be between two floats. */
static bool is_by_odd(inlay_type type)
{
    return load_domain(type) == DOMAIN_F32 && type != INLAY_NF4;
}

#define DEFINE_STORE_BY_ODD(T, suffix, odd_float)                                                  \
    static void make_odd_##suffix(float *restrict to, const T *restrict x, int64_t n)              \
    {                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                            \
            to[i] = odd_float(x[i]);                                                               \
    }                                                                                              \
                                                                                                   \
    static void store_by_odd_##suffix(const inlay_tensor *t, int64_t at, int64_t step, int64_t n,  \
                                      const T *x)                                                  \
    {                                                                                              \
        float part[CODES];                                                                         \
                                                                                                   \
        for (int64_t some; n > 0; n -= some, at += some * step, x += some) {                       \
            some = n < CODES ? n : CODES;                                                          \
            make_odd_##suffix(part, x, some);                                                      \
            inlay_store_f32_row(t->type, t->data, at, step, some, part);                           \
        }                                                                                          \
    }

DEFINE_STORE_BY_ODD(double, f64, inlay_odd_float)
DEFINE_STORE_BY_ODD(int64_t, i64, inlay_odd_float_of)

static void load_narrow_f64(double *x, const inlay_tensor *t, int64_t at, int64_t step, int64_t n)
{
    float part[CODES];

    for (int64_t some; n > 0; n -= some, at += some * step, x += some) {
        some = n < CODES ? n : CODES;
        inlay_load_f32_row(t->type, t->data, at, step, some, part);
        for (int64_t k = 0; k < some; k++)
            x[k] = (double)part[k];
    }
}

void load_row_f32(float *x, const inlay_tensor *t, int64_t at, int64_t step, int64_t n)
{
    switch (t->type) {
        LOAD_CASE(INLAY_F32, float)
    default:
        if (load_domain(t->type) == DOMAIN_F32) {
            inlay_load_f32_row(t->type, t->data, at, step, n, x);
            break;
        }
        for (int64_t k = 0; k < n; k++)
            x[k] = element_f32(t, at + k * step);
    }
}

void load_row_f64(double *x, const inlay_tensor *t, int64_t at, int64_t step, int64_t n)
{
    switch (t->type) {
        LOAD_CASE(INLAY_F64, double)
        LOAD_CASE(INLAY_F32, float)
        LOAD_INTEGERS(uint64_t)
    default:
        if (load_domain(t->type) == DOMAIN_F32) {
            load_narrow_f64(x, t, at, step, n);
            break;
        }
        for (int64_t k = 0; k < n; k++)
            x[k] = inlay_load_f64(t->type, t->data, at + k * step);
    }
}

void load_row_i64(int64_t *x, const inlay_tensor *t, int64_t at, int64_t step, int64_t n)
{
    switch (t->type) {
        LOAD_INTEGERS(int64_t)
    default:
        if (has_codes(t, step)) {
            load_codes_i64(x, t, at, n);
            break;
        }
        for (int64_t k = 0; k < n; k++)
            x[k] = inlay_load_i64(t->type, t->data, at + k * step);
    }
}

void store_row_f32(const inlay_tensor *t, int64_t at, int64_t step, int64_t n, const float *x)
{
    bool single = load_domain(t->type) == DOMAIN_F32;

    switch (t->type) {
        STORE_CASE(INLAY_F32, float)
        STORE_CASE(INLAY_F64, double)
        STORE_SIGNED(F)
    default:
        if (single) {
            inlay_store_f32_row(t->type, t->data, at, step, n, x);
            break;
        }
        for (int64_t k = 0; k < n; k++)
            inlay_store_f64(t->type, t->data, at + k * step, (double)x[k]);
    }
}

void store_row_f64(const inlay_tensor *t, int64_t at, int64_t step, int64_t n, const double *x)
{
    switch (t->type) {
        STORE_CASE(INLAY_F64, double)
        STORE_CASE(INLAY_F32, float)
        STORE_SIGNED()
    default:
        if (is_by_odd(t->type)) {
            store_by_odd_f64(t, at, step, n, x);
            break;
        }
        for (int64_t k = 0; k < n; k++)
            inlay_store_f64(t->type, t->data, at + k * step, x[k]);
    }
}

/* Stores wrap around, which C defines for unsigned types only. */
void store_row_i64(const inlay_tensor *t, int64_t at, int64_t step, int64_t n, const int64_t *x)
{
    switch (t->type) {
        STORE_CASE(INLAY_I64, uint64_t)
        STORE_CASE(INLAY_U64, uint64_t)
        STORE_CASE(INLAY_I32, uint32_t)
        STORE_CASE(INLAY_U32, uint32_t)
        STORE_CASE(INLAY_I16, uint16_t)
        STORE_CASE(INLAY_U16, uint16_t)
        STORE_CASE(INLAY_I8, uint8_t)
        STORE_CASE(INLAY_U8, uint8_t)
        STORE_CASE(INLAY_F32, float)
        STORE_CASE(INLAY_F64, double)
    default:
        if (has_codes(t, step)) {
            store_codes_i64(t, at, n, x);
            break;
        }
        if (is_by_odd(t->type)) {
            store_by_odd_i64(t, at, step, n, x);
            break;
        }
        for (int64_t k = 0; k < n; k++)
            inlay_store_i64(t->type, t->data, at + k * step, x[k]);
    }
}

/* Returns operand I of C as an array of TYPE: its own, where it is one that is IS_NATIVE, or a
 * copy. */
#define LOAD(load_all, load_row, type, is_native)                                                  \
    const type *load_all(inlay_call *c, int i)                                                     \
    {                                                                                              \
        const inlay_tensor *t = c->in[i];                                                          \
        const type *own = (is_native) ? own_array(t, sizeof *own, alignof(type)) : NULL;           \
        type *x, *p;                                                                               \
                                                                                                   \
        if (!call_reads(c, i))                                                                     \
            return NULL;                                                                           \
        if (own)                                                                                   \
            return own;                                                                            \
        p = x = call_raw_memory(c, inlay_tensor_count(t), sizeof *x);                              \
        if (!x)                                                                                    \
            return NULL;                                                                           \
        for (struct line r = lines_begin(t); lines_valid(&r); lines_next(&r), p += r.length)       \
            load_row(p, t, r.start, r.stride, r.length);                                           \
        return x;                                                                                  \
    }

LOAD(load_f32, load_row_f32, float, t->type == INLAY_F32)
LOAD(load_f64, load_row_f64, double, t->type == INLAY_F64)
LOAD(load_i64, load_row_i64, int64_t, t->type == INLAY_I64 || t->type == INLAY_U64)

/* Returns T's first element if T consists of aligned C objects of DOMAIN's type, at any strides.
 * Otherwise NULL, and STRIDES are those of a dense copy. */
static const void *own_elements(const inlay_tensor *t, inlay_domain domain, int64_t *strides)
{
    uintptr_t size = domain == DOMAIN_F32 ? sizeof(float) : sizeof(int64_t);
    const char *p = (const char *)t->data + t->offset * (int64_t)size;
    bool native = domain == DOMAIN_F32   ? t->type == INLAY_F32
                  : domain == DOMAIN_F64 ? t->type == INLAY_F64
                                         : t->type == INLAY_I64 || t->type == INLAY_U64;
    bool own = native && (uintptr_t)p % size == 0;

    if (!own)
        strides_dense(t->rank, t->dims, strides);
    else if (t->rank > 0)
        memcpy(strides, t->strides, (size_t)t->rank * sizeof *strides);
    return own ? p : NULL;
}

void load_strides(const inlay_tensor *t, inlay_domain domain, int64_t *strides)
{
    own_elements(t, domain, strides);
}

const float *load_strided_f32(inlay_call *c, int i, int64_t *strides)
{
    const float *own = own_elements(c->in[i], DOMAIN_F32, strides);

    return own && call_reads(c, i) ? own : load_f32(c, i);
}

const double *load_strided_f64(inlay_call *c, int i, int64_t *strides)
{
    const double *own = own_elements(c->in[i], DOMAIN_F64, strides);

    return own && call_reads(c, i) ? own : load_f64(c, i);
}

const int64_t *load_strided_i64(inlay_call *c, int i, int64_t *strides)
{
    const int64_t *own = own_elements(c->in[i], DOMAIN_I64, strides);

    return own && call_reads(c, i) ? own : load_i64(c, i);
}

/* A list of numbers is mostly an aligned array of int64_t. */
const int64_t *load_ints(inlay_call *c, int i, int64_t *n)
{
    const inlay_tensor *t = c->in[i];
    bool plain = t->type == INLAY_I64 && t->rank == 1 && t->strides[0] == 1 && t->offset == 0 &&
                 (uintptr_t)t->data % alignof(int64_t) == 0;

    *n = plain ? t->dims[0] : inlay_tensor_count(t);
    return plain && call_reads(c, i) ? t->data : load_i64(c, i);
}

/* Returns X with INT64_MAX instead of those of its N elements that wrapped. */
static const int64_t *clamp_wrapped(inlay_call *c, const int64_t *x, int64_t n)
{
    int64_t at = 0, *copy;

    while (at < n && x[at] >= 0)
        at++;
    if (at == n)
        return x;
    copy = inlay_call_memory(c, n, sizeof *copy);
    for (int64_t i = 0; copy && i < n; i++)
        copy[i] = x[i] < 0 ? INT64_MAX : x[i];
    return copy;
}

const int64_t *load_bounds(inlay_call *c, int i, int64_t *n)
{
    const int64_t *x = load_ints(c, i, n);

    return x && c->in[i]->type == INLAY_U64 ? clamp_wrapped(c, x, *n) : x;
}

bool load_one_int(inlay_call *c, int i, int64_t *out)
{
    int64_t n;
    const int64_t *x = load_ints(c, i, &n);

    if (!x)
        return false;
    if (n != 1)
        return inlay_call_fail(c, "input %d \"%s\" has %" PRId64 " element%s, it must have one", i,
                               c->node->op->in[i].name, n, inlay_plural(n, "", "s"));
    *out = x[0];
    return true;
}

/* Never returns the tensor's own bytes: a byte other than 0 and 1 is no bool in C. */
const bool *load_bool(inlay_call *c, int i)
{
    const inlay_tensor *t = c->in[i];
    bool *x = inlay_call_memory(c, inlay_tensor_count(t), sizeof *x), *p = x;
    bool is_float = inlay_type_is_float(t->type);

    if (!x || !call_reads(c, i))
        return NULL;
    for (struct line r = lines_begin(t); lines_valid(&r); lines_next(&r)) {
        for (int64_t k = 0; k < r.length; k++) {
            int64_t at = r.start + k * r.stride;

            *p++ = is_float ? inlay_load_f64(t->type, t->data, at) != 0
                            : inlay_load_i64(t->type, t->data, at) != 0;
        }
    }
    return x;
}

/* Copies the array X to T if T is a dense array of the same C type. */
static bool store_same(inlay_tensor *t, const void *x, size_t size)
{
    char *p = dense_bytes(t, size);
    size_t bytes = (size_t)inlay_tensor_count(t) * size;

    if (p && bytes > 0 && p != x)
        memmove(p, x, bytes);
    return p != NULL;
}

float *place_f32(inlay_call *c, int o)
{
    const inlay_tensor *t = c->out[o];
    const float *own = t->type == INLAY_F32 ? own_array(t, sizeof *own, alignof(float)) : NULL;

    return own ? (float *)t->data : call_raw_memory(c, inlay_tensor_count(t), sizeof(float));
}

double *place_f64(inlay_call *c, int o)
{
    const inlay_tensor *t = c->out[o];
    const double *own = t->type == INLAY_F64 ? own_array(t, sizeof *own, alignof(double)) : NULL;

    return own ? (double *)t->data : call_raw_memory(c, inlay_tensor_count(t), sizeof(double));
}

int64_t *place_i64(inlay_call *c, int o)
{
    const inlay_tensor *t = c->out[o];
    bool wide = t->type == INLAY_I64 || t->type == INLAY_U64;
    const int64_t *own = wide ? own_array(t, sizeof *own, alignof(int64_t)) : NULL;

    return own ? (int64_t *)t->data : call_raw_memory(c, inlay_tensor_count(t), sizeof(int64_t));
}

uint32_t *place_u32(inlay_call *c, int o)
{
    const inlay_tensor *t = c->out[o];
    const uint32_t *own = own_array(t, sizeof *own, alignof(uint32_t));

    return own ? (uint32_t *)t->data : call_raw_memory(c, inlay_tensor_count(t), sizeof *own);
}

bool store_u32(inlay_call *c, int o, const uint32_t *x)
{
    inlay_tensor *t = c->out[o];

    if (!call_settle(c))
        return false;
    if (store_same(t, x, sizeof *x))
        return true;
    for (struct line r = lines_begin(t); lines_valid(&r); lines_next(&r)) {
        for (int64_t i = 0; i < r.length; i++, x++)
            memcpy((char *)t->data + (r.start + i * r.stride) * (int64_t)sizeof *x, x, sizeof *x);
    }
    return true;
}

bool store_f32(inlay_call *c, int o, const float *x)
{
    inlay_tensor *t = c->out[o];

    if (!call_settle(c))
        return false;
    if (t->type == INLAY_F32 && store_same(t, x, sizeof *x))
        return true;
    for (struct line r = lines_begin(t); lines_valid(&r); lines_next(&r), x += r.length)
        store_row_f32(t, r.start, r.stride, r.length, x);
    return true;
}

bool store_f64(inlay_call *c, int o, const double *x)
{
    inlay_tensor *t = c->out[o];

    if (!call_settle(c))
        return false;
    if (t->type == INLAY_F64 && store_same(t, x, sizeof *x))
        return true;
    for (struct line r = lines_begin(t); lines_valid(&r); lines_next(&r), x += r.length)
        store_row_f64(t, r.start, r.stride, r.length, x);
    return true;
}

bool store_i64(inlay_call *c, int o, const int64_t *x)
{
    inlay_tensor *t = c->out[o];

    if (!call_settle(c))
        return false;
    if ((t->type == INLAY_I64 || t->type == INLAY_U64) && store_same(t, x, sizeof *x))
        return true;
    for (struct line r = lines_begin(t); lines_valid(&r); lines_next(&r), x += r.length)
        store_row_i64(t, r.start, r.stride, r.length, x);
    return true;
}

bool store_bool(inlay_call *c, int o, const bool *x)
{
    inlay_tensor *t = c->out[o];

    if (!call_settle(c))
        return false;
    for (struct line r = lines_begin(t); lines_valid(&r); lines_next(&r)) {
        if (t->type == INLAY_BOOLEAN && r.stride == 1)
            memcpy((char *)t->data + r.start, x, (size_t)r.length);
        for (int64_t k = 0; (t->type != INLAY_BOOLEAN || r.stride != 1) && k < r.length; k++)
            inlay_store_i64(t->type, t->data, r.start + k * r.stride, x[k]);
        x += r.length;
    }
    return true;
}
