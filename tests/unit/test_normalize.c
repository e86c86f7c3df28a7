/* Normalizations: values by numpy from the documents' formulas. */
#include "graphs.h"
#include "support.h"

static const char x[] = "f64[2,3] 1 2 4 -1 0 7";

static void test_mvn(void **state)
{
    check_op("MVN", "normalize_variance=true;eps=0.5;eps_mode=inside_sqrt",
             OPERANDS("f32[2,3] 1 2 4 -1 0 7", "i64[1] 1"),
             OPERANDS("f32[2,3] -0.92998111 -0.232495277 1.16247639 -0.826767382 -0.551178255 "
                      "1.37794564"));
    check_op("MVN", "normalize_variance=true;eps=0.5;eps_mode=outside_sqrt",
             OPERANDS("f32[2,3] 1 2 4 -1 0 7", "i64[1] -1"),
             OPERANDS("f32[2,3] -0.763117408 -0.190779352 0.95389676 -0.73909355 -0.492729034 "
                      "1.23182258"));
    check_op("MVN", "normalize_variance=false;eps=0.5;eps_mode=inside_sqrt",
             OPERANDS(x, "i64[1] 1"),
             OPERANDS("f64[2,3] -1.3333333333333333 -0.33333333333333348 1.6666666666666665 -3 -2 "
                      "5"));
    check_op("MVN opset2", "across_channels=true;normalize_variance=true;eps=0.5",
             OPERANDS("f32[1,2,3] 1 2 4 -1 0 7"),
             OPERANDS("f32[1,2,3] -0.422115882 -0.0603022689 0.663324958 -1.14574311 -0.783929496 "
                      "1.7487658"));
    check_op("MVN opset2", "across_channels=false;normalize_variance=true;eps=0.5",
             OPERANDS("f32[1,2,3] 1 2 4 -1 0 7"),
             OPERANDS("f32[1,2,3] -0.92998111 -0.232495277 1.16247639 -0.826767382 -0.551178255 "
                      "1.37794564"));
    check_op("MVN opset2", "reduction_axes=0;normalize_variance=true;eps=0.5",
             OPERANDS("f32[2,3] 1 2 4 -1 0 7"),
             OPERANDS("f32[2,3] 0.816496581 0.816496581 -0.904534034 -0.816496581 -0.816496581 "
                      "0.904534034"));
    check_infer_fails("MVN opset2", "reduction_axes=2;normalize_variance=true;eps=0.5",
                      OPERANDS("f32[2,3]"), "reduction_axes[0] is 2, it must be in [-2, 1]");
    check_infer_fails("MVN opset2", "reduction_axes=0,1,0;normalize_variance=true;eps=0.5",
                      OPERANDS("f32[2,3]"), "reduction_axes has 3 elements, data has rank 2");
    check_infer_fails("MVN", "normalize_variance=true;eps=0.5;eps_mode=inside_sqrt",
                      OPERANDS("f32[2,3]", "i64[2] 0 0"), "axes[1] is 0: axis 0 is repeated");
    check_infer_fails("MVN", "normalize_variance=true;eps=0.5;eps_mode=inside_sqrt",
                      OPERANDS("f32[2,3]", "i64[3]"),
                      "input 1 \"axes\" has 3 elements, data has rank 2");
}

/* Returns MVN of ROWS rows of N floats, each from FROM on. */
static inlay_tensor *mvn_of(const float *from, int64_t rows, int64_t n)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 2, (int64_t[]){rows, n}), *out;
    char body[400];
    runner r;

    memcpy(t->data, from, (size_t)(rows * n) * sizeof *from);
    snprintf(
        body, sizeof body,
        "%%x = Parameter-1 {element_type = f32, shape = [%d,%d]}\n"
        "%%a = Const-1 {value = i64[1] [1]}\n"
        "%%y = MVN-6(%%x, %%a) {normalize_variance = true, eps = 0.5, eps_mode = inside_sqrt}\n"
        "%%out = Result-1(%%y)\n",
        (int)rows, (int)n);
    r = runner_on(graph_of(body), NULL);
    run_with(&r, (const inlay_tensor *[]){t}, NULL, &out);
    inlay_tensor_release(t);
    runner_free(&r);
    return out;
}

/* Rows that are computed together are as one that is computed alone, also beside one whose squares
 * leave the range. */
static void test_mvn_rows(void **state)
{
    enum { ROWS = 19, MOST = 600 };
    static const int64_t lengths[] = {1, 7, 77, MOST};
    static float rows[ROWS * MOST];

    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        int64_t n = lengths[k];
        inlay_tensor *all;

        for (int64_t i = 0; i < ROWS * n; i++)
            rows[i] = (float)(i * 7919 % 1009) * (i / n == 4 ? 1e30F : 0.125F);
        all = mvn_of(rows, ROWS, n);
        for (int64_t r = 0; r < ROWS; r++) {
            inlay_tensor *one = mvn_of(rows + r * n, 1, n);

            assert_memory_equal((const float *)all->data + r * n, one->data,
                                (size_t)n * sizeof *rows);
            inlay_tensor_release(one);
        }
        inlay_tensor_release(all);
    }
}

static void test_normalize_l2(void **state)
{
    check_op("NormalizeL2", "eps=3;eps_mode=add", OPERANDS("f32[2,3] 1 2 4 -1 0 7", "i64 1"),
             OPERANDS("f32[2,3] 0.204124145 0.40824829 0.816496581 -0.137360564 0 0.961523948"));
    check_op("NormalizeL2", "eps=30;eps_mode=max", OPERANDS("f32[2,3] 1 2 4 -1 0 7", "i64 1"),
             OPERANDS("f32[2,3] 0.182574186 0.365148372 0.730296743 -0.141421356 0 0.989949494"));
    check_op("NormalizeL2", "eps=1e-8;eps_mode=max", OPERANDS("f64[2] -3 5", "i64[0]"),
             OPERANDS("f64[2] 1 1"));
    check_op("NormalizeL2", "eps=4;eps_mode=add",
             OPERANDS("f32[6] -3 0 0.5 1e-30 inf -inf", "i64[0]"), OPERANDS("f32[6] 1 0 1 1 1 1"));
    /* an axis of one element is an axis: 2 / sqrt(4 + 5) */
    check_op("NormalizeL2", "eps=5;eps_mode=add", OPERANDS("f32[2,1] 2 -2", "i64[1] 1"),
             OPERANDS("f32[2,1] 0.666666687 -0.666666687"));
}

static void test_lrn(void **state)
{
    check_op("LRN", "alpha=2;beta=0.5;bias=1;size=3", OPERANDS("f32[1,4] 1 2 3 4", "i64[1] 1"),
             OPERANDS("f32[1,4] 0.480384461 0.622171017 0.665299144 0.951661903"));
    check_op("LRN", "alpha=2;beta=0.75;bias=1;size=3", OPERANDS("f32[2,2] 1 2 3 4", "i64[2] 0 1"),
             OPERANDS("f32[2,2] 0.21704264 0.434085281 0.651127921 0.868170561"));
    check_infer_fails("LRN", "alpha=2;beta=0.5;bias=1;size=0", OPERANDS("f32[1,4]", "i64[1] 1"),
                      "size is 0, it must be at least 1");
}

static void test_batch_norm(void **state)
{
    const char *gamma = "f32[3] 1 2 3", *beta = "f32[3] 0.5 0 -1", *mean = "f32[3] 1 2 3",
               *variance = "f32[3] 1 4 9";

    check_op("BatchNormInference", "epsilon=0.5",
             OPERANDS("f32[1,3,2] 1 2 3 4 5 6", gamma, beta, mean, variance),
             OPERANDS("f32[1,3,2] 0.5 1.31649658 0.942809042 1.88561808 0.946657054 1.91998558"));
    check_infer("BatchNormInference", "epsilon=0",
                OPERANDS("f32[?,?,2]", gamma, beta, mean, variance), OPERANDS("f32[?,3,2]"));
    check_infer_fails("BatchNormInference", "epsilon=0",
                      OPERANDS("f32[1,4,2]", gamma, beta, mean, variance),
                      "input 1 \"gamma\" has shape [3]: axis 0 is 3, it must be 4");
    check_infer_fails("BatchNormInference", "epsilon=-1",
                      OPERANDS("f32[1,3,2]", gamma, beta, mean, variance),
                      "epsilon is -1, it must not be negative");
    check_infer_fails("BatchNormInference", "epsilon=0",
                      OPERANDS("f32[3]", gamma, beta, mean, variance),
                      "input 0 \"data\" has shape [3], it must have rank 2 or more");
}

/* Version 1 has the order of OpenVINO's class, or that of its page. */
static void test_batch_norm_orders(void **state)
{
    const char *gamma = "f32[3] 1 2 3", *beta = "f32[3] 0.5 0 -1", *mean = "f32[3] 1 2 3",
               *variance = "f32[3] 1 4 9", *data = "f32[1,3,2] 1 2 3 4 5 6";
    const char *want = "f32[1,3,2] 0.5 1.31649658 0.942809042 1.88561808 0.946657054 1.91998558";

    check_op("BatchNormInference opset1", "epsilon=0.5",
             OPERANDS(gamma, beta, data, mean, variance), OPERANDS(want));
    check_op("BatchNormInference opset4", "epsilon=0.5",
             OPERANDS(data, gamma, beta, mean, variance), OPERANDS(want));
    check_op("BatchNormInference opset1", "epsilon=0",
             OPERANDS("f64[1] 2", "f64[1] 1", "f64[2,1] 4 -6", "f64[1] -1", "f64[1] 25"),
             OPERANDS("f64[2,1] 3 -1"));
    check_infer("BatchNormInference opset1", "epsilon=0",
                OPERANDS("f32[...]", beta, "f32[?,?,2]", mean, variance), OPERANDS("f32[?,3,2]"));
    check_infer("BatchNormInference opset1", "epsilon=0",
                OPERANDS("f32[...]", gamma, beta, mean, variance), OPERANDS("f32..."));
    check_infer("BatchNormInference opset1", "epsilon=0",
                OPERANDS("f32[...]", "f32[...]", "f32[...]", mean, variance), OPERANDS("f32..."));
    check_infer_fails("BatchNormInference opset1", "epsilon=0",
                      OPERANDS(gamma, beta, "f32[3]", mean, variance),
                      "input 2 \"data\" has shape [3], it must have rank 2 or more");
    check_infer_fails("BatchNormInference opset1", "epsilon=0",
                      OPERANDS(gamma, beta, "f32[1,4]", mean, variance),
                      "input 0 \"gamma\" has shape [3]: axis 0 is 3, it must be 4");
    check_infer_fails("BatchNormInference opset5", "epsilon=0.5",
                      OPERANDS(gamma, beta, data, mean, variance),
                      "input 0 \"data\" has shape [3], it must have rank 2 or more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mvn),          cmocka_unit_test(test_mvn_rows),
        cmocka_unit_test(test_normalize_l2), cmocka_unit_test(test_lrn),
        cmocka_unit_test(test_batch_norm),   cmocka_unit_test(test_batch_norm_orders),
    };

    return cmocka_run_group_tests_name("normalizations", tests, NULL, NULL);
}
