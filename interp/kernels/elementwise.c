/* The loops behind every elementwise operation. */
#include "interp/kernels/elementwise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool unary_f32(inlay_call *c, const unary_fn *fn, float a, float b)
{
    int64_t n = inlay_tensor_count(c->in[0]);
    const float *x = load_f32(c, 0);
    float *y = scratch_array(c, n, sizeof *y);

    if (!x || !y)
        return false;
    for (int64_t i = 0; i < n; i++)
        y[i] = fn->f32(x[i], a, b);
    return store_f32(c, 0, y);
}

static bool unary_f64(inlay_call *c, const unary_fn *fn, double a, double b, bool to_integer)
{
    int64_t n = inlay_tensor_count(c->in[0]);
    const double *x = load_f64(c, 0);
    double *y = scratch_array(c, n, sizeof *y);

    if (!x || !y)
        return false;
    for (int64_t i = 0; i < n; i++)
        y[i] = fn->f64(x[i], a, b);
    for (int64_t i = 0; to_integer && i < n; i++)
        y[i] = round(y[i]);
    return store_f64(c, 0, y);
}

static bool unary_i64(inlay_call *c, const unary_fn *fn)
{
    int64_t n = inlay_tensor_count(c->in[0]);
    const int64_t *x = load_i64(c, 0);
    int64_t *y = scratch_array(c, n, sizeof *y);

    if (!x || !y)
        return false;
    for (int64_t i = 0; i < n; i++)
        y[i] = fn->i64(x[i], c->in[0]->type == INLAY_U64);
    return store_i64(c, 0, y);
}

bool run_unary(inlay_call *c, const unary_fn *fn, double a, double b)
{
    inlay_domain domain = domain_of(c->in[0]->type);

    if (domain == DOMAIN_F32)
        return unary_f32(c, fn, (float)a, (float)b);
    if (domain == DOMAIN_I64 && fn->i64)
        return unary_i64(c, fn);
    return unary_f64(c, fn, a, b, domain == DOMAIN_I64);
}

/* Row-major strides of T over RANK dims, as broadcast-rules says for "pdpd": T's dims, trailing
 * ones left out, stand at the end of the other operand's. */
static void pdpd_strides(const inlay_tensor *t, int rank, int64_t *strides)
{
    int64_t own[INLAY_MAX_RANK];
    int n = t->rank, axis = rank - t->rank;

    dense_strides(t->rank, t->dims, own);
    while (n > 0 && t->dims[n - 1] == 1)
        n--;
    for (int i = 0; i < rank; i++) {
        int k = i - axis;

        strides[i] = k < 0 || k >= n || t->dims[k] == 1 ? 0 : own[k];
    }
}

/* Strides of operand I, as a dense array, over the output's dims. */
static void paired_strides(const inlay_call *c, int i, int64_t *strides)
{
    const inlay_tensor *t = c->in[i], *out = c->out[0];
    const inlay_attr *mode = inlay_node_attr(c->node, "auto_broadcast");
    int64_t own[INLAY_MAX_RANK];
    int lead = out->rank - t->rank;

    if (i == 1 && mode && strcmp(mode->as.s, "pdpd") == 0) {
        pdpd_strides(t, out->rank, strides);
        return;
    }
    dense_strides(t->rank, t->dims, own);
    for (int k = 0; k < out->rank; k++)
        strides[k] = k < lead || t->dims[k - lead] == 1 ? 0 : own[k - lead];
}

static void pair_walk(const inlay_call *c, pairing *p)
{
    const inlay_tensor *out = c->out[0];

    p->outer = out->rank > 0 ? out->rank - 1 : 0;
    p->dims = out->dims;
    p->length = out->rank > 0 ? out->dims[p->outer] : 1;
    p->count = inlay_tensor_count(out);
    for (int i = 0; i < 2; i++)
        p->step[i] = out->rank > 0 ? p->strides[i][p->outer] : 0;
}

void pair_operands(const inlay_call *c, pairing *p)
{
    paired_strides(c, 0, p->strides[0]);
    paired_strides(c, 1, p->strides[1]);
    pair_walk(c, p);
}

void pair_by_strides(const inlay_call *c, const int64_t *strides, pairing *p)
{
    paired_strides(c, 0, p->strides[0]);
    memcpy(p->strides[1], strides, (size_t)c->out[0]->rank * sizeof *strides);
    pair_walk(c, p);
}

static bool binary_f32(inlay_call *c, const binary_fn *fn, const pairing *p)
{
    const float *a = load_f32(c, 0), *b = load_f32(c, 1);
    float *y = scratch_array(c, p->count, sizeof *y), *z = y;

    if (!a || !b || !y)
        return false;
    for (index_iter it = index_begin(p->outer, p->dims); index_valid(&it); index_next(&it)) {
        const float *u = a + index_dot(p->outer, it.at, p->strides[0]);
        const float *v = b + index_dot(p->outer, it.at, p->strides[1]);

        for (int64_t k = 0; k < p->length; k++)
            *z++ = fn->f32(u[k * p->step[0]], v[k * p->step[1]]);
    }
    return store_f32(c, 0, y);
}

static bool binary_f64(inlay_call *c, const binary_fn *fn, const pairing *p)
{
    const double *a = load_f64(c, 0), *b = load_f64(c, 1);
    double *y = scratch_array(c, p->count, sizeof *y), *z = y;

    if (!a || !b || !y)
        return false;
    for (index_iter it = index_begin(p->outer, p->dims); index_valid(&it); index_next(&it)) {
        const double *u = a + index_dot(p->outer, it.at, p->strides[0]);
        const double *v = b + index_dot(p->outer, it.at, p->strides[1]);

        for (int64_t k = 0; k < p->length; k++)
            *z++ = fn->f64(u[k * p->step[0]], v[k * p->step[1]]);
    }
    return store_f64(c, 0, y);
}

static bool binary_i64(inlay_call *c, const binary_fn *fn, const pairing *p)
{
    const int64_t *a = load_i64(c, 0), *b = load_i64(c, 1);
    int64_t *y = scratch_array(c, p->count, sizeof *y), *z = y;
    bool is_unsigned = c->in[0]->type == INLAY_U64;

    if (!a || !b || !y)
        return false;
    for (index_iter it = index_begin(p->outer, p->dims); index_valid(&it); index_next(&it)) {
        const int64_t *u = a + index_dot(p->outer, it.at, p->strides[0]);
        const int64_t *v = b + index_dot(p->outer, it.at, p->strides[1]);

        for (int64_t k = 0; k < p->length; k++)
            *z++ = fn->i64(u[k * p->step[0]], v[k * p->step[1]], is_unsigned);
    }
    return store_i64(c, 0, y);
}

bool run_paired(inlay_call *c, const binary_fn *fn, const pairing *p)
{
    switch (domain_of(c->in[0]->type)) {
    case DOMAIN_F32:
        return binary_f32(c, fn, p);
    case DOMAIN_F64:
        return binary_f64(c, fn, p);
    default:
        return binary_i64(c, fn, p);
    }
}

bool run_binary(inlay_call *c, const binary_fn *fn)
{
    pairing p;

    pair_operands(c, &p);
    return run_paired(c, fn, &p);
}

const char *element_name(inlay_call *c, int i, int64_t linear)
{
    const inlay_tensor *t = c->in[i];
    size_t size = 64 + 24 * (size_t)t->rank, used;
    char *text = scratch_bytes(c, size);
    int64_t strides[INLAY_MAX_RANK];

    if (!text)
        return "an element"; /* out of memory, which is reported */
    dense_strides(t->rank, t->dims, strides);
    used = (size_t)snprintf(text, size, "%.40s", c->node->op->in[i].name);
    for (int k = 0; k < t->rank; k++) {
        used += (size_t)snprintf(text + used, size - used, "%s%lld", k == 0 ? "[" : ",",
                                 (long long)(linear / strides[k]));
        linear %= strides[k];
    }
    if (t->rank > 0)
        snprintf(text + used, size - used, "]");
    return text;
}
