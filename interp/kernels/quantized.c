/* MatMulQuantized and ConvolutionQuantized: sums of products of 8-bit integers less their zero
 * points, in integers that wrap, and what follows them: a bias, a scale, a shift, and steps that
 * quantise. */
#include "interp/kernels/quantized.h"
#include "interp/call/share.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/convolution.h"
#include "interp/kernels/product.h"

#include <math.h>
#include <string.h>

#define PICK(condition, a, b) ((condition) ? (a) : (b))

/* Returns operand I as CHANNELS floats; if it is absent, all are OTHERWISE. */
static const float *floats_of(inlay_call *c, int i, int64_t channels, float otherwise)
{
    bool has = call_has(c, i);
    const float *x = has ? load_f32(c, i) : NULL;
    int64_t step = has && inlay_tensor_count(c->in[i]) > 1 ? 1 : 0;
    float *y = inlay_call_memory(c, channels + QUANTIZED_COLS, sizeof *y);

    if (has && !x)
        return NULL;
    for (int64_t j = 0; y && j < channels; j++)
        y[j] = x ? x[j * step] : otherwise;
    return y;
}

static const uint32_t *bias_of(inlay_call *c, int64_t channels)
{
    bool has = call_has(c, QUANTIZED_BIAS);
    const int64_t *x = has ? load_i64(c, QUANTIZED_BIAS) : NULL;
    int64_t step = has && inlay_tensor_count(c->in[QUANTIZED_BIAS]) > 1 ? 1 : 0;
    uint32_t *y = inlay_call_memory(c, channels + QUANTIZED_COLS, sizeof *y);

    if (has && !x)
        return NULL;
    for (int64_t j = 0; x && y && j < channels; j++)
        y[j] = (uint32_t)x[j * step];
    return y;
}

bool quantized_end_of(inlay_call *c, int64_t channels, quantized_end *e)
{
    inlay_type type = c->out[0]->type;

    *e = (quantized_end){.type = type,
                         .bias = bias_of(c, channels),
                         .scale = floats_of(c, QUANTIZED_SCALE, channels, 1),
                         .shift = floats_of(c, QUANTIZED_SHIFT, channels, -0.0F),
                         .factor = floats_of(c, QUANTIZED_FACTOR, channels, 1),
                         .divisor = floats_of(c, QUANTIZED_DIVISOR, channels, 1),
                         .zero = floats_of(c, QUANTIZED_ZERO, channels, -0.0F),
                         .divides = call_has(c, QUANTIZED_DIVISOR),
                         .min = (float)inlay_node_float(c->node, "min"),
                         .max = (float)inlay_node_float(c->node, "max"),
                         .size = (size_t)inlay_type_info_of(type)->bits / 8};
    return e->bias && e->scale && e->shift && e->factor && e->divisor && e->zero;
}

bool quantized_zero(inlay_call *c, int i, uint32_t *zero)
{
    const int64_t *x = call_has(c, i) ? load_i64(c, i) : NULL;

    *zero = x ? (uint32_t)*x : 0;
    return x || !call_has(c, i);
}

/* Computes the floats of a row. STEP, 1 or 0, is a constant where this is inlined. */
static inline __attribute__((always_inline)) void
scale(const quantized_end *e, const uint32_t *sums, int64_t step, float *restrict y)
{
    for (int j = 0; j < QUANTIZED_COLS; j++)
        y[j] =
            (float)(int32_t)(sums[j] + e->bias[j * step]) * e->scale[j * step] + e->shift[j * step];
}

/* As many numbers as a vector of 64 bytes has, whose bytes some processors store at once. */
enum { SOME = 16 };
typedef int32_t some_words __attribute__((vector_size(SOME * sizeof(int32_t))));
typedef int8_t some_bytes __attribute__((vector_size(SOME)));

static inline __attribute__((always_inline)) void store_bytes(const int32_t *whole, uint8_t *to)
{
    some_words words;
    some_bytes bytes;

    memcpy(&words, whole, sizeof words);
    bytes = __builtin_convertvector(words, some_bytes);
    memcpy(to, &bytes, sizeof bytes);
}

static inline __attribute__((always_inline)) void quantize(const quantized_end *e, int64_t step,
                                                           bool divides, float *restrict y,
                                                           uint8_t *restrict to)
{
    const float min = e->min, max = e->max;
    int32_t whole[QUANTIZED_COLS];

    for (int j = 0; j < QUANTIZED_COLS; j++)
        y[j] *= e->factor[j * step];
    for (int j = 0; divides && j < QUANTIZED_COLS; j++)
        y[j] /= e->divisor[j * step];
    for (int j = 0; j < QUANTIZED_COLS; j++) {
        float x = rintf(y[j]) + e->zero[j * step];

        x = min > x ? min : x;
        x = max < x ? max : x;
        whole[j] = (int32_t)PICK(x == x, x, 0); /* of NaN */
    }
    for (int j = 0; j < QUANTIZED_COLS; j += SOME)
        store_bytes(whole + j, to + j);
}

/* Moves E to the channel that is N further. */
static inline void skip(quantized_end *e, int64_t n)
{
    e->bias += n;
    e->scale += n;
    e->shift += n;
    e->factor += n;
    e->divisor += n;
    e->zero += n;
}

/* N bytes of each row are wanted. */
static inline __attribute__((always_inline)) void end_each(quantized_end e, const uint32_t *sums,
                                                           int64_t rows, size_t n, bool along,
                                                           bool codes, bool divides, char *to,
                                                           size_t pitch)
{
    for (int64_t i = 0; i < rows; i++, sums += QUANTIZED_COLS, to += pitch) {
        float y[QUANTIZED_COLS];
        uint8_t bytes[QUANTIZED_COLS];

        scale(&e, sums, along ? 1 : 0, y);
        if (codes)
            quantize(&e, along ? 1 : 0, divides, y, bytes);
        quantized_copy(to, codes ? (char *)bytes : (char *)y, n);
        if (!along)
            skip(&e, 1);
    }
}

static INLAY_CLONES void end_rows(const quantized_end *e, const uint32_t *sums, int64_t rows,
                                  size_t n, bool along, char *to, size_t pitch)
{
    bool codes = e->size == 1;

    if (along && !codes)
        end_each(*e, sums, rows, n, true, false, false, to, pitch);
    else if (along && e->divides)
        end_each(*e, sums, rows, n, true, true, true, to, pitch);
    else if (along)
        end_each(*e, sums, rows, n, true, true, false, to, pitch);
    else if (!codes)
        end_each(*e, sums, rows, n, false, false, false, to, pitch);
    else if (e->divides)
        end_each(*e, sums, rows, n, false, true, true, to, pitch);
    else
        end_each(*e, sums, rows, n, false, true, false, to, pitch);
}

/* Sums that stay integers. */
static INLAY_CLONES void bias_rows(const uint32_t *bias, const uint32_t *sums, int64_t rows,
                                   int64_t n, bool along, char *to, size_t pitch)
{
    for (int64_t i = 0; i < rows; i++, sums += QUANTIZED_COLS, to += pitch) {
        uint32_t *restrict y = (uint32_t *)(void *)to;

        for (int64_t j = 0; along && j < n; j++)
            y[j] = sums[j] + bias[j];
        for (int64_t j = 0; !along && j < n; j++)
            y[j] = sums[j] + bias[i];
    }
}

void quantized_block(const quantized_end *e, const uint32_t *sums, int64_t rows, int64_t n,
                     int64_t channel, bool along, char *to, size_t pitch)
{
    quantized_end own = *e;

    skip(&own, channel);
    if (e->type == INLAY_I32)
        bias_rows(own.bias, sums, rows, n, along, to, pitch);
    else
        end_rows(&own, sums, rows, (size_t)n * e->size, along, to, pitch);
}

/* Is output 0 an array? */
static bool is_array(const inlay_tensor *t)
{
    size_t size = (size_t)inlay_type_info_of(t->type)->bits / 8;

    return inlay_tensor_is_dense(t) && ((uintptr_t)t->data + (size_t)t->offset * size) % size == 0;
}

void *quantized_place(inlay_call *c)
{
    const inlay_tensor *t = c->out[0];
    size_t size = (size_t)inlay_type_info_of(t->type)->bits / 8;

    if (!call_settle(c))
        return NULL;
    return is_array(t) ? (char *)t->data + (size_t)t->offset * size
                       : inlay_call_memory(c, inlay_tensor_count(t), size);
}

bool quantized_store(inlay_call *c, const void *y)
{
    inlay_tensor *t = c->out[0], *all;

    if (is_array(t))
        return true;
    all = call_raw_tensor(c, t->type, t->rank, t->dims);
    if (!all)
        return false;
    memcpy(all->data, y, inlay_tensor_bytes(all));
    inlay_tensor_assign(t, all);
    inlay_tensor_release(all);
    return true;
}

/* Returns operand I, dense, less its zero point, operand ZERO. */
static const uint32_t *less_zero(inlay_call *c, int i, int zero)
{
    const int64_t *x = load_i64(c, i);
    int64_t n = inlay_tensor_count(c->in[i]);
    uint32_t *y = inlay_call_memory(c, n, sizeof *y), z;

    if (!quantized_zero(c, zero, &z) || !x || !y)
        return NULL;
    for (int64_t j = 0; j < n; j++)
        y[j] = (uint32_t)x[j] - z;
    return y;
}

/* Ends LINES of N sums each. */
static bool end_all(inlay_call *c, const uint32_t *sums, int64_t lines, int64_t n, int64_t channels,
                    bool along)
{
    char *y = quantized_place(c);
    quantized_end e;

    if (!y || !quantized_end_of(c, channels, &e))
        return false;
    for (int64_t i = 0; i < lines; i++) {
        for (int64_t j = 0, some; j < n; j += some) {
            uint32_t block[QUANTIZED_COLS] = {0};
            int64_t at = i * n + j;

            some = n - j < QUANTIZED_COLS ? n - j : QUANTIZED_COLS;
            memcpy(block, sums + at, (size_t)some * sizeof *block);
            quantized_block(&e, block, 1, some, along ? j : i % channels, along,
                            y + (size_t)at * e.size, 0);
        }
    }
    return quantized_store(c, y);
}

static void multiply(const product *p, const uint32_t *a, const uint32_t *b, uint32_t *y)
{
    for (int64_t i = 0; i < p->rows; i++) {
        for (int64_t k = 0; k < p->depth; k++) {
            uint32_t x = a[i * p->a.row_stride + k * p->a.col_stride];

            for (int64_t j = 0; j < p->cols; j++)
                y[i * p->cols + j] += x * b[k * p->b.row_stride + j * p->b.col_stride];
        }
    }
}

bool eval_matmul_quantized(inlay_call *c)
{
    int64_t u[INLAY_MAX_RANK], v[INLAY_MAX_RANK], n = inlay_tensor_count(c->out[0]), at = 0;
    const uint32_t *a = less_zero(c, 0, QUANTIZED_A_ZERO), *b = less_zero(c, 1, QUANTIZED_B_ZERO);
    uint32_t *y = inlay_call_memory(c, n, sizeof *y);
    product p;

    if (!a || !b || !y)
        return false;
    load_strides(c->in[0], DOMAIN_I64, u);
    load_strides(c->in[1], DOMAIN_I64, v);
    product_of_call(c, u, v, &p);
    for (index_iter it = index_begin(p.batch_rank, p.batch_dims); n > 0 && index_valid(&it);
         index_next(&it), at += p.rows * p.cols)
        multiply(&p, a + index_dot(p.batch_rank, it.at, p.a.batch),
                 b + index_dot(p.batch_rank, it.at, p.b.batch), y + at);
    return n == 0 || end_all(c, y, n / p.cols, p.cols, p.cols, true);
}

/* Adds the products of a plane of the data X with place AT of the field, which is F. */
static void gather(const field *w, const field_place *at, uint32_t f, const uint32_t *x,
                   uint32_t *y)
{
    const field_axis *a = w->axis;

    for (int64_t p = at->from[0]; p < at->to[0]; p++) {
        for (int64_t q = at->from[1]; q < at->to[1]; q++) {
            for (int64_t r = at->from[2]; r < at->to[2]; r++)
                y[(p * a[1].small + q) * a[2].small + r] +=
                    f * x[(field_element(&a[0], p, at->k[0]) * a[1].large +
                           field_element(&a[1], q, at->k[1])) *
                              a[2].large +
                          field_element(&a[2], r, at->k[2])];
        }
    }
}

bool eval_convolution_quantized(inlay_call *c)
{
    const uint32_t *x = less_zero(c, 0, QUANTIZED_A_ZERO), *f = less_zero(c, 1, QUANTIZED_B_ZERO);
    uint32_t *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);
    convolution v;
    int64_t channels, planes, taps;

    convolution_of_call(c, inlay_node_bool(c->node, "grouped"), false, &v);
    v.places = field_places(c, &v.w);
    if (!x || !f || !y || !v.places)
        return false;
    channels = v.groups * v.out;
    planes = v.batch * channels;
    taps = v.in * v.w.kernel;
    for (int64_t i = 0; i < planes; i++) {
        for (int64_t k = 0; k < taps; k++)
            gather(&v.w, &v.places[k % v.w.kernel], f[i % channels * taps + k],
                   x + (i / v.out * v.in + k / v.w.kernel) * v.w.large, y + i * v.w.small);
    }
    return end_all(c, y, planes, v.w.small, channels, false);
}
