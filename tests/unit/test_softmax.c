/* SoftMax and LogSoftmax: values by hand from their documents' formulas. */
#include "graphs.h"

#include <math.h>

static void test_softmax(void **state)
{
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

/* Returns the sum of the exponentials of a line, in 16 parts; LEAVES: those of elements that equal
 * MOST are left out, and all but one of them are counted. */
static float sum_of(const float *x, int64_t n, int64_t step, float most, bool leaves)
{
    float part[16] = {0}, sum = leaves ? -1 : 0;

    for (int64_t i = 0; i < n; i++) {
        sum += leaves && x[i * step] == most ? 1 : 0;
        part[i % 16] +=
            leaves && x[i * step] == most ? 0 : (float)exp((double)(x[i * step] - most));
    }
    for (int k = 0; k < 16; k++)
        sum += part[k];
    return sum;
}

/* Checks the softmax Y of a line, or its logarithm, in each bit. */
static void check_line(const float *x, const float *y, int64_t n, int64_t step, bool log)
{
    float most = -INFINITY, sum;

    for (int64_t i = 0; i < n; i++)
        most = fmaxf(most, x[i * step]);
    sum = sum_of(x, n, step, most, log);
    for (int64_t i = 0; i < n; i++) {
        float d = x[i * step] - most;

        assert_true(y[i * step] ==
                    (log ? d - (float)log1p((double)sum) : (float)exp((double)d) / sum));
    }
}

/* Lines that are computed together, in pieces, are as one that is computed alone. */
static void check_lines(const char *op, int64_t lines, int64_t n, int axis)
{
    int64_t dims[2] = {axis == 1 ? lines : n, axis == 1 ? n : lines};
    int64_t step = axis == 1 ? 1 : lines, pitch = axis == 1 ? n : 1;
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 2, dims), *out;
    char body[300];
    runner r;

    for (int64_t i = 0; i < lines * n; i++)
        inlay_tensor_set_f64(t, i, (double)(i * 7919 % 1009 % 40) / 7 - 3);
    snprintf(body, sizeof body,
             "%%x = Parameter-1 {element_type = f32, shape = [%d,%d]}\n"
             "%%y = %s(%%x) {axis = %d}\n%%out = Result-1(%%y)\n",
             (int)dims[0], (int)dims[1], op, axis);
    r = runner_on(graph_of(body), NULL);
    run_with(&r, (const inlay_tensor *[]){t}, NULL, &out);
    for (int64_t k = 0; k < lines; k++)
        check_line((const float *)t->data + k * pitch, (const float *)out->data + k * pitch, n,
                   step, strcmp(op, "SoftMax-8") != 0);
    inlay_tensor_release(out);
    inlay_tensor_release(t);
    runner_free(&r);
}

static void test_lines(void **state)
{
    static const int64_t lengths[] = {0, 1, 2, 15, 17, 64, 77, 257, 700, 2049};
    static const int64_t counts[] = {0, 1, 2, 5, 16, 300};

    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        for (size_t l = 0; l < sizeof counts / sizeof *counts; l++) {
            if (lengths[k] * counts[l] > 30000)
                continue;
            for (int axis = 0; axis < 2; axis++) {
                check_lines("SoftMax-8", counts[l], lengths[k], axis);
                check_lines("LogSoftmax-5", counts[l], lengths[k], axis);
            }
        }
    }
}

/* Sets element I of both tensors to a number that occurs several times, once to a large one. */
static double given(int64_t i)
{
    return i == 5 ? 700 : (double)(i * 7919 % 1009 % 40) / 7 - 3;
}

/* Returns OP in double precision on LINES lines of N elements: rows, or columns. */
static inlay_tensor *in_doubles(const char *op, int64_t lines, int64_t n, bool rows)
{
    const int64_t dims[2] = {rows ? lines : n, rows ? n : lines};
    inlay_tensor *t = inlay_tensor_new(INLAY_F64, 2, dims), *out;
    char body[300];
    runner r;

    for (int64_t i = 0; i < lines * n; i++)
        inlay_tensor_set_f64(t, rows ? i : i % n * lines + i / n, given(i));
    snprintf(body, sizeof body,
             "%%x = Parameter-1 {element_type = f64, shape = [%d,%d]}\n"
             "%%y = %s(%%x) {axis = %d}\n%%out = Result-1(%%y)\n",
             (int)dims[0], (int)dims[1], op, rows ? 1 : 0);
    r = runner_on(graph_of(body), NULL);
    run_with(&r, (const inlay_tensor *[]){t}, NULL, &out);
    inlay_tensor_release(t);
    runner_free(&r);
    return out;
}

/* Columns have the bits of rows, and both are what the C library computes, summed in order. */
static void check_doubles(const char *op, int64_t lines, int64_t n)
{
    inlay_tensor *rows = in_doubles(op, lines, n, true), *columns = in_doubles(op, lines, n, false);
    bool log = strcmp(op, "SoftMax-8") != 0;

    for (int64_t l = 0; l < lines; l++) {
        double most = -INFINITY, sum = 0;

        for (int64_t i = 0; i < n; i++)
            most = fmax(most, given(l * n + i));
        for (int64_t i = 0; i < n; i++)
            sum += exp(given(l * n + i) - most);
        for (int64_t i = 0; i < n; i++) {
            double d = given(l * n + i) - most, y = inlay_tensor_get_f64(rows, l * n + i);

            assert_true(y == inlay_tensor_get_f64(columns, i * lines + l));
            assert_true(fabs(y - (log ? d - log1p(sum - 1) : exp(d) / sum)) <=
                        (log ? 2e-15 * (1 - d) : 1e-15));
        }
    }
    inlay_tensor_release(rows);
    inlay_tensor_release(columns);
}

static void test_doubles(void **state)
{
    static const int64_t lengths[] = {1, 7, 16, 77, 2049}, counts[] = {1, 7, 8, 300};

    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        for (size_t l = 0; l < sizeof counts / sizeof *counts; l++) {
            if (lengths[k] * counts[l] <= 30000) {
                check_doubles("SoftMax-8", counts[l], lengths[k]);
                check_doubles("LogSoftmax-5", counts[l], lengths[k]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_softmax),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_doubles),
    };

    return cmocka_run_group_tests_name("softmax", tests, NULL, NULL);
}
