/* The inner loops of kernels, which are compiled for several processors, against plain loops on
 * random numbers: the same bit for bit, at lengths around those of a vector register. */
#include "generate/rng.h"
#include "graphs.h"

#include <math.h>

enum { MOST = 70 };

/* Draws numbers of many magnitudes. */
static inlay_tensor *numbers(rng *r, int rank, const int64_t *dims)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, rank, dims);

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        double x = (double)rng_in(r, -1000000, 1000000) / 999983;

        inlay_tensor_set_f64(t, i, rng_one_in(r, 4) ? x * 1e5 : x);
    }
    return t;
}

static const float *floats(const inlay_tensor *t)
{
    return t->data;
}

/* Checks that the graph of BODY makes WANTED of IN. */
static void check(const char *body, inlay_tensor *const *in, const float *wanted)
{
    inlay_graph *g = graph_of(body);
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, NULL, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    inlay_tensor *out = NULL;

    if (!s || !inlay_session_run(s, (const inlay_tensor *const *)in, NULL, &out, d))
        fail_msg("%s", inlay_diags_at(d, 0)->text);
    if (memcmp(floats(out), wanted, (size_t)inlay_tensor_count(out) * sizeof *wanted) != 0)
        fail_msg("%s", body);
    inlay_tensor_release(out);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static void rows(void **state)
{
    for (int64_t n = 1; n < MOST; n++) {
        rng r = {(uint64_t)n};
        inlay_tensor *in[] = {numbers(&r, 1, &n), numbers(&r, 1, &n)};
        const float *a = floats(in[0]), *b = floats(in[1]);
        float y[MOST];
        char body[300];

        for (int64_t i = 0; i < n; i++) {
            float product = a[i] * b[i]; /* rounded before the sum is */

            y[i] = (product + a[i]) / b[i];
        }
        snprintf(body, sizeof body,
                 "%%a = Parameter {element_type = f32, shape = [%d]}\n"
                 "%%b = Parameter {element_type = f32, shape = [%d]}\n%%p = Multiply(%%a, %%b)\n"
                 "%%s = Add(%%p, %%a)\n%%y = Divide(%%s, %%b)\n%%out = Result(%%y)\n",
                 (int)n, (int)n);
        check(body, in, y);
        inlay_tensor_release(in[0]);
        inlay_tensor_release(in[1]);
    }
}

static void products(void **state)
{
    enum { ROWS = 3, DEPTH = 5 };

    for (int64_t n = 1; n < MOST; n += 3) {
        rng r = {(uint64_t)n};
        inlay_tensor *in[] = {numbers(&r, 2, (int64_t[]){ROWS, DEPTH}),
                              numbers(&r, 2, (int64_t[]){DEPTH, n})};
        float y[ROWS * MOST] = {0};
        char body[300];

        for (int64_t i = 0; i < ROWS; i++) {
            for (int64_t j = 0; j < n; j++) {
                for (int64_t k = 0; k < DEPTH; k++)
                    y[i * n + j] =
                        fmaf(floats(in[0])[i * DEPTH + k], floats(in[1])[k * n + j], y[i * n + j]);
            }
        }
        snprintf(body, sizeof body,
                 "%%a = Parameter {element_type = f32, shape = [3,5]}\n"
                 "%%b = Parameter {element_type = f32, shape = [5,%d]}\n%%y = MatMul(%%a, %%b)\n"
                 "%%out = Result(%%y)\n",
                 (int)n);
        check(body, in, y);
        inlay_tensor_release(in[0]);
        inlay_tensor_release(in[1]);
    }
}

/* Sums N floats as kernels do along the last axis: one after the other, and where there are more
 * than 32 of them, in 32 parts, half of which are added to the other half until one is left. */
static float sum_along(const float *x, int64_t n)
{
    float part[32] = {0};
    int parts = n > 32 ? 32 : 1;

    for (int64_t i = 0; i < n; i++)
        part[i % parts] += x[i];
    for (; parts > 1; parts /= 2) {
        for (int k = 0; k < parts / 2; k++)
            part[k] += part[k + parts / 2];
    }
    return part[0];
}

static void sums(void **state)
{
    for (int64_t n = 1; n < MOST; n += 3) {
        rng r = {(uint64_t)n};
        inlay_tensor *in = numbers(&r, 2, (int64_t[]){4, n});
        float down[MOST] = {0}, along[4] = {0};
        char body[300];

        for (int64_t i = 0; i < 4; i++) {
            for (int64_t j = 0; j < n; j++)
                down[j] += floats(in)[i * n + j];
            along[i] = sum_along(floats(in) + i * n, n);
        }
        for (int axis = 0; axis < 2; axis++) {
            snprintf(body, sizeof body,
                     "%%a = Parameter {element_type = f32, shape = [4,%d]}\n"
                     "%%x = Const {value = i64[] [%d]}\n%%y = ReduceSum(%%a, %%x)\n"
                     "%%out = Result(%%y)\n",
                     (int)n, axis);
            check(body, &in, axis == 0 ? down : along);
        }
        inlay_tensor_release(in);
    }
}

/* A field of one element goes over an image whose rows may be taken as one, and a field of three
 * over an image whose rows may not. */
static void fields(void **state)
{
    enum { IN = 3, HIGH = 5 };

    for (int64_t n = 1; n < 20; n++) {
        for (int64_t wide = 1; wide <= 3; wide += 2) {
            rng r = {(uint64_t)n};
            inlay_tensor *in[] = {numbers(&r, 4, (int64_t[]){1, IN, HIGH, n}),
                                  numbers(&r, 4, (int64_t[]){1, IN, 1, wide})};
            float y[HIGH * 20] = {0};
            char body[500];

            for (int64_t c = 0; c < IN; c++) {
                for (int64_t k = 0; k < wide; k++) {
                    for (int64_t i = 0; i < HIGH * n; i++) {
                        int64_t at = i % n + k - wide / 2;

                        if (at >= 0 && at < n)
                            y[i] = fmaf(floats(in[1])[c * wide + k],
                                        floats(in[0])[c * HIGH * n + i / n * n + at], y[i]);
                    }
                }
            }
            snprintf(body, sizeof body,
                     "%%a = Parameter {element_type = f32, shape = [1,3,5,%d]}\n"
                     "%%f = Parameter {element_type = f32, shape = [1,3,1,%d]}\n"
                     "%%y = Convolution(%%a, %%f) {strides = [1, 1], pads_begin = [0, %d], "
                     "pads_end = [0, %d], dilations = [1, 1]}\n%%out = Result(%%y)\n",
                     (int)n, (int)wide, (int)wide / 2, (int)wide / 2);
            check(body, in, y);
            inlay_tensor_release(in[0]);
            inlay_tensor_release(in[1]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(products),
        cmocka_unit_test(sums),
        cmocka_unit_test(fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
