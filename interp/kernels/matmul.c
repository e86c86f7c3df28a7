/* ONNX Det-11, Inverse-14, and MatMul-1: batches of matrix products. Sums run over the common
 * dimension in order, in f32, f64 or wrapping 64-bit integers (ir/OPERATIONS.md). */
#include "interp/call/kernel.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/product.h"

#include <math.h>
#include <string.h>

static int64_t row_pieces(const product *p)
{
    return (p->cols + CALL_PIECE - 1) / CALL_PIECE;
}

/* Computes M, of P, by FN. */
static void split_product(inlay_call *c, const product *p, call_part_fn *fn, void *m)
{
    int64_t rows = dims_product(p->batch_dims, p->batch_rank) * p->rows;
    int64_t width = p->cols < CALL_PIECE ? p->cols : CALL_PIECE;

    call_split(c, rows * row_pieces(p), (double)p->depth * (double)width, fn, m);
}

#define LOOP "interp/kernels/matmul_loop.h"
#include "interp/kernels/each_domain.h"
#undef LOOP

static bool matmul_f32(inlay_call *c)
{
    int64_t u[INLAY_MAX_RANK], v[INLAY_MAX_RANK];
    product p;
    struct multiplication_f32 m = {
        &p, load_strided_f32(c, 0, u), load_strided_f32(c, 1, v),
        inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *m.y)};

    if (!m.a || !m.b || !m.y)
        return false;
    product_of_call(c, u, v, &p);
    split_product(c, &p, multiply_pieces_f32, &m);
    return store_f32(c, 0, m.y);
}

static bool matmul_f64(inlay_call *c)
{
    int64_t u[INLAY_MAX_RANK], v[INLAY_MAX_RANK];
    product p;
    struct multiplication_f64 m = {
        &p, load_strided_f64(c, 0, u), load_strided_f64(c, 1, v),
        inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *m.y)};

    if (!m.a || !m.b || !m.y)
        return false;
    product_of_call(c, u, v, &p);
    split_product(c, &p, multiply_pieces_f64, &m);
    return store_f64(c, 0, m.y);
}

/* Integers are computed as unsigned numbers, because unsigned numbers wrap. */
static bool matmul_integers(inlay_call *c)
{
    int64_t u[INLAY_MAX_RANK], v[INLAY_MAX_RANK];
    product p;
    struct multiplication_u64 m = {
        &p, (const uint64_t *)load_strided_i64(c, 0, u),
        (const uint64_t *)load_strided_i64(c, 1, v),
        inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *m.y)};

    if (!m.a || !m.b || !m.y)
        return false;
    product_of_call(c, u, v, &p);
    split_product(c, &p, multiply_pieces_u64, &m);
    return store_i64(c, 0, (const int64_t *)m.y);
}

bool eval_matmul(inlay_call *c)
{
    inlay_domain domain = load_domain(c->in[0]->type);

    if (inlay_tensor_count(c->out[0]) == 0)
        return true;
    return domain == DOMAIN_F32   ? matmul_f32(c)
           : domain == DOMAIN_F64 ? matmul_f64(c)
                                  : matmul_integers(c);
}

static void swap_rows(double *a, double *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double x = a[i];

        a[i] = b[i];
        b[i] = x;
    }
}

/* Returns the row, from COLUMN on, of N x N matrix A with the greatest element of that column. */
static int64_t pivot_row(const double *a, int64_t n, int64_t column)
{
    int64_t best = column;

    for (int64_t i = column + 1; i < n; i++) {
        if (fabs(a[i * n + column]) > fabs(a[best * n + column]))
            best = i;
    }
    return best;
}

/* Returns the determinant of M, N x N, which is used up: the product of the diagonal after
 * elimination with the greatest element of each column as its pivot. */
static double determinant(double *m, int64_t n)
{
    double result = 1;

    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = pivot_row(m, n, k);

        if (m[pivot * n + k] == 0)
            return 0;
        if (pivot != k) {
            swap_rows(m + k * n, m + pivot * n, n);
            result = -result;
        }
        result *= m[k * n + k];
        for (int64_t i = k + 1; i < n; i++) {
            double factor = m[i * n + k] / m[k * n + k];

            for (int64_t j = k; j < n; j++)
                m[i * n + j] -= factor * m[k * n + j];
        }
    }
    return result;
}

bool eval_det(inlay_call *c)
{
    const inlay_tensor *in = c->in[0];
    int64_t n = in->dims[in->rank - 1], count = inlay_tensor_count(c->out[0]);
    const double *x = load_f64(c, 0);
    double *m = count > 0 ? inlay_call_memory(c, n * n, sizeof *m) : NULL;
    double *y = inlay_call_memory(c, count, sizeof *y);

    if (count == 0)
        return true;
    if (in->dims[in->rank - 2] != n)
        return inlay_call_fail(c, "matrices of %lld row%s and %lld columns are not square",
                               (long long)in->dims[in->rank - 2],
                               inlay_plural(in->dims[in->rank - 2], "", "s"), (long long)n);
    if (!x || !m || !y)
        return false;
    for (int64_t i = 0; i < count; i++, x += n * n) {
        for (int64_t k = 0; k < n * n; k++)
            m[k] = x[k];
        y[i] = determinant(m, n);
    }
    return store_f64(c, 0, y);
}

/* Inverse-14 */

/* Inverts A by Gauss and Jordan's elimination with partial pivoting: the steps that make A the
 * identity make the identity Y, the inverse. False: there is none. */
static bool invert(double *a, int64_t n, double *y)
{
    for (int64_t i = 0; i < n * n; i++)
        y[i] = i / n == i % n;
    for (int64_t c = 0; c < n; c++) {
        int64_t p = pivot_row(a, n, c);
        double pivot = a[p * n + c];

        if (pivot == 0 || isnan(pivot))
            return false;
        swap_rows(a + p * n, a + c * n, n);
        swap_rows(y + p * n, y + c * n, n);
        for (int64_t i = 0; i < n; i++) {
            double times = i == c ? 0 : a[i * n + c] / pivot;

            for (int64_t k = 0; times != 0 && k < n; k++) {
                a[i * n + k] -= times * a[c * n + k];
                y[i * n + k] -= times * y[c * n + k];
            }
        }
    }
    for (int64_t i = 0; i < n * n; i++)
        y[i] /= a[i / n * n + i / n];
    return true;
}

static void transpose_square(double *a, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < i; j++) {
            double x = a[i * n + j];

            a[i * n + j] = a[j * n + i];
            a[j * n + i] = x;
        }
    }
}

bool eval_inverse(inlay_call *c)
{
    int64_t count = inlay_tensor_count(c->in[0]), n = c->in[0]->dims[c->in[0]->rank - 1];
    bool adjoint = inlay_node_bool(c->node, "adjoint");
    const double *x = load_f64(c, 0);
    double *y = inlay_call_memory(c, count, sizeof *y), *a = inlay_call_memory(c, n * n, sizeof *a);

    if (!x || !y || !a)
        return false;
    for (int64_t at = 0; at < count; at += n * n) {
        memcpy(a, x + at, (size_t)(n * n) * sizeof *a);
        if (!invert(a, n, y + at)) {
            for (int64_t i = 0; i < n * n; i++)
                y[at + i] = NAN;
        }
        if (adjoint)
            transpose_square(y + at, n);
    }
    return store_f64(c, 0, y);
}
