/* SoftMax and LogSoftmax: values by hand from their documents' formulas. */
#include "graphs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void test_softmax(void **state)
{
    (void)state;
    check_op("SoftMax opset1", NULL, OPERANDS("f32[1,3] 1 2 3"),
             OPERANDS("f32[1,3] 0.0900305732 0.244728471 0.665240956"));
    check_op("SoftMax", "axis=-2", OPERANDS("f32[2,2] 0 1000 0 1000"),
             OPERANDS("f32[2,2] 0.5 0.5 0.5 0.5"));
    check_op("SoftMax", "axis=0", OPERANDS("f64[3] 1 2 3"),
             OPERANDS("f64[3] 0.090030573170380457726 0.24472847105479765 0.66524095577482189"));
    check_op("LogSoftmax", "axis=0", OPERANDS("f32[3] 1 2 3"),
             OPERANDS("f32[3] -2.40760596 -1.40760596 -0.407605964"));
    check_infer("SoftMax", "axis=-1", OPERANDS("f32[2,?]"), OPERANDS("f32[2,?]"));
    check_infer_fails("SoftMax", "axis=2", OPERANDS("f32[2,3]"),
                      "axis is 2, it must be in [-2, 1]");
    check_infer_fails("SoftMax opset1", "axis=-1", OPERANDS("f32[2,3]"),
                      "axis is -1, it must not be negative");
}

/* Returns the logarithm of the softmax of element AT of the line X of N elements, summed in order
 * without the first of the largest ones. */
static float log_of(const float *x, int64_t n, int64_t step, int64_t at)
{
    int64_t first = 0;
    double rest = 0;

    for (int64_t i = 0; i < n; i++)
        first = x[i * step] > x[first * step] ? i : first;
    for (int64_t i = 0; i < n; i++)
        rest += i == first ? 0 : (double)(float)exp((double)(x[i * step] - x[first * step]));
    return (float)(((double)x[at * step] - (double)x[first * step]) - log1p(rest));
}

/* Lines that are computed together, in pieces, are as one that is computed alone. */
static void check_lines(int64_t lines, int64_t n, int axis)
{
    int64_t dims[2] = {axis == 1 ? lines : n, axis == 1 ? n : lines};
    int64_t step = axis == 1 ? 1 : lines, pitch = axis == 1 ? n : 1;
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 2, dims), *out;
    const float *x = t->data;
    char body[300];
    runner r;

    for (int64_t i = 0; i < lines * n; i++)
        inlay_tensor_set_f64(t, i, (double)(i * 7919 % 1009 % 40) / 7 - 3);
    snprintf(body, sizeof body,
             "%%x = Parameter-1 {element_type = f32, shape = [%d,%d]}\n"
             "%%y = LogSoftmax-5(%%x) {axis = %d}\n%%out = Result-1(%%y)\n",
             (int)dims[0], (int)dims[1], axis);
    r = runner_on(graph_of(body), NULL);
    run_with(&r, (const inlay_tensor *[]){t}, NULL, &out);
    for (int64_t k = 0; k < lines; k++) {
        for (int64_t i = 0; i < n; i++)
            assert_true(((const float *)out->data)[k * pitch + i * step] ==
                        log_of(x + k * pitch, n, step, i));
    }
    inlay_tensor_release(out);
    inlay_tensor_release(t);
    runner_free(&r);
}

static void test_log_lines(void **state)
{
    static const int64_t lengths[] = {1, 2, 15, 17, 255, 256, 257, 300, 513};

    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        for (int64_t lines = 1; lines <= 6; lines++) {
            check_lines(lines, lengths[k], 0);
            check_lines(lines, lengths[k], 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_softmax),
        cmocka_unit_test(test_log_lines),
    };

    return cmocka_run_group_tests_name("softmax", tests, NULL, NULL);
}
