/* The loops behind every elementwise operation. */
#include "interp/kernels/elementwise.h"

#include "interp/kernels/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void walk_unary(inlay_call *c, row_walk *w, inlay_domain domain)
{
    rows_output(w, c->out[0]);
    rows_operand(w, c->in[0], c->in[0]->strides);
    rows_begin(w, domain);
}

static bool unary_f32(inlay_call *c, const unary_fn *fn, float a, float b)
{
    float x[ROW_TILE], y[ROW_TILE];
    row_walk w;

    for (walk_unary(c, &w, DOMAIN_F32); !w.done; rows_next(&w)) {
        for (int64_t k = 0; k < w.length; k += ROW_TILE) {
            int64_t n = rows_tile(&w, k);
            const float *from = rows_read_f32(&w.lane[1], k, n, x);
            float *to = rows_place_f32(&w.lane[0], k, y);

            fn->f32(to, from, n, a, b);
            rows_write_f32(&w.lane[0], k, n, y);
        }
    }
    return true;
}

static bool unary_f64(inlay_call *c, const unary_fn *fn, double a, double b, bool to_integer)
{
    double x[ROW_TILE], y[ROW_TILE];
    row_walk w;

    for (walk_unary(c, &w, DOMAIN_F64); !w.done; rows_next(&w)) {
        for (int64_t k = 0; k < w.length; k += ROW_TILE) {
            int64_t n = rows_tile(&w, k);
            const double *from = rows_read_f64(&w.lane[1], k, n, x);
            double *to = rows_place_f64(&w.lane[0], k, y);

            fn->f64(to, from, n, a, b);
            for (int64_t i = 0; to_integer && i < n; i++)
                to[i] = round(to[i]);
            rows_write_f64(&w.lane[0], k, n, y);
        }
    }
    return true;
}

static bool unary_i64(inlay_call *c, const unary_fn *fn)
{
    int64_t x[ROW_TILE], y[ROW_TILE];
    bool is_unsigned = c->in[0]->type == INLAY_U64;
    row_walk w;

    for (walk_unary(c, &w, DOMAIN_I64); !w.done; rows_next(&w)) {
        for (int64_t k = 0; k < w.length; k += ROW_TILE) {
            int64_t n = rows_tile(&w, k);
            const int64_t *from = rows_read_i64(&w.lane[1], k, n, x);
            int64_t *to = rows_place_i64(&w.lane[0], k, y);

            fn->i64(to, from, n, is_unsigned);
            rows_write_i64(&w.lane[0], k, n, y);
        }
    }
    return true;
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

/* Strides of T, whose own are OWN, over RANK dims, as broadcast-rules says for "pdpd": T's dims,
 * trailing ones left out, stand at the end of the other operand's. */
static void pdpd_strides(const inlay_tensor *t, const int64_t *own, int rank, int64_t *strides)
{
    int n = t->rank, axis = rank - t->rank;

    while (n > 0 && t->dims[n - 1] == 1)
        n--;
    for (int i = 0; i < rank; i++) {
        int k = i - axis;

        strides[i] = k < 0 || k >= n || t->dims[k] == 1 ? 0 : own[k];
    }
}

/* Strides of operand I, whose own are OWN, over the output's dims. */
static void paired_strides(const inlay_call *c, int i, const int64_t *own, int64_t *strides)
{
    const inlay_tensor *t = c->in[i], *out = c->out[0];
    const inlay_attr *mode = inlay_node_attr(c->node, "auto_broadcast");
    int lead = out->rank - t->rank;

    if (i == 1 && mode && strcmp(mode->as.s, "pdpd") == 0) {
        pdpd_strides(t, own, out->rank, strides);
        return;
    }
    for (int k = 0; k < out->rank; k++)
        strides[k] = k < lead || t->dims[k - lead] == 1 ? 0 : own[k - lead];
}

void pair_operands(const inlay_call *c, pairing *p)
{
    const inlay_tensor *out = c->out[0];
    int64_t own[INLAY_MAX_RANK];

    p->outer = out->rank > 0 ? out->rank - 1 : 0;
    p->dims = out->dims;
    p->length = out->rank > 0 ? out->dims[p->outer] : 1;
    p->count = inlay_tensor_count(out);
    for (int i = 0; i < 2; i++) {
        dense_strides(c->in[i]->rank, c->in[i]->dims, own);
        paired_strides(c, i, own, p->strides[i]);
        p->step[i] = out->rank > 0 ? p->strides[i][p->outer] : 0;
    }
}

static void binary_f32(row_walk *w, const binary_fn *fn)
{
    float x[ROW_TILE], y[ROW_TILE], z[ROW_TILE];

    for (; !w->done; rows_next(w)) {
        for (int64_t k = 0; k < w->length; k += ROW_TILE) {
            int64_t n = rows_tile(w, k);
            const float *a = rows_read_f32(&w->lane[1], k, n, x);
            const float *b = rows_read_f32(&w->lane[2], k, n, y);
            float *to = rows_place_f32(&w->lane[0], k, z);

            fn->f32(to, a, b, n);
            rows_write_f32(&w->lane[0], k, n, z);
        }
    }
}

static void binary_f64(row_walk *w, const binary_fn *fn)
{
    double x[ROW_TILE], y[ROW_TILE], z[ROW_TILE];

    for (; !w->done; rows_next(w)) {
        for (int64_t k = 0; k < w->length; k += ROW_TILE) {
            int64_t n = rows_tile(w, k);
            const double *a = rows_read_f64(&w->lane[1], k, n, x);
            const double *b = rows_read_f64(&w->lane[2], k, n, y);
            double *to = rows_place_f64(&w->lane[0], k, z);

            fn->f64(to, a, b, n);
            rows_write_f64(&w->lane[0], k, n, z);
        }
    }
}

static void binary_i64(row_walk *w, const binary_fn *fn)
{
    int64_t x[ROW_TILE], y[ROW_TILE], z[ROW_TILE];
    bool is_unsigned = w->lane[1].t->type == INLAY_U64;

    for (; !w->done; rows_next(w)) {
        for (int64_t k = 0; k < w->length; k += ROW_TILE) {
            int64_t n = rows_tile(w, k);
            const int64_t *a = rows_read_i64(&w->lane[1], k, n, x);
            const int64_t *b = rows_read_i64(&w->lane[2], k, n, y);
            int64_t *to = rows_place_i64(&w->lane[0], k, z);

            fn->i64(to, a, b, n, is_unsigned);
            rows_write_i64(&w->lane[0], k, n, z);
        }
    }
}

bool run_binary_by_strides(inlay_call *c, const binary_fn *fn, const int64_t *second)
{
    inlay_domain domain = domain_of(c->in[0]->type);
    int64_t first[INLAY_MAX_RANK];
    row_walk w;

    paired_strides(c, 0, c->in[0]->strides, first);
    rows_output(&w, c->out[0]);
    rows_operand(&w, c->in[0], first);
    rows_operand(&w, c->in[1], second);
    rows_begin(&w, domain);
    switch (domain) {
    case DOMAIN_F32:
        binary_f32(&w, fn);
        break;
    case DOMAIN_F64:
        binary_f64(&w, fn);
        break;
    default:
        binary_i64(&w, fn);
    }
    return true;
}

bool run_binary(inlay_call *c, const binary_fn *fn)
{
    int64_t second[INLAY_MAX_RANK];

    paired_strides(c, 1, c->in[1]->strides, second);
    return run_binary_by_strides(c, fn, second);
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
