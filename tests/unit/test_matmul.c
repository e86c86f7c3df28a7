/* Matrix products: the document's examples, and values by hand. */
#include "support.h"

static void test_matmul(void **state)
{
    const char *a = "f32[2,3] 1 2 3 4 5 6", *b = "f32[3,2] 1 0 0 1 1 1";

    check_op("MatMul", NULL, OPERANDS(a, b), OPERANDS("f32[2,2] 4 5 10 11"));
    check_op("MatMul", "transpose_a=true;transpose_b=true", OPERANDS(a, b),
             OPERANDS("f32[3,3] 1 4 5 2 5 7 3 6 9"));
    check_op("MatMul", "transpose_b=true", OPERANDS(a, a), OPERANDS("f32[2,2] 14 32 32 77"));
    check_op("MatMul", NULL, OPERANDS("f32[3] 1 2 3", "f32[3] 4 5 6"), OPERANDS("f32 32"));
    check_op("MatMul", "transpose_a=true", OPERANDS("f32[3] 1 2 3", b), OPERANDS("f32[2] 4 5"));
    check_op("MatMul", NULL, OPERANDS(a, "f32[3] 1 1 1"), OPERANDS("f32[2] 6 15"));
    check_op("MatMul", NULL, OPERANDS("f64[2,1,1,2] 1 2 3 4", "f64[3,2,1] 1 0 0 1 1 1"),
             OPERANDS("f64[2,3,1,1] 1 2 3 3 4 7"));
    check_op("MatMul", NULL, OPERANDS("i8[1,2] 100 100", "i8[2,1] 1 1"), OPERANDS("i8[1,1] -56"));
    check_op("MatMul", NULL, OPERANDS("f32[2,0]", "f32[0,2]"), OPERANDS("f32[2,2] 0 0 0 0"));
    /* f16 accumulates in f32: 2048 + 1 + 1 would stay 2048 in f16. */
    check_op("MatMul", NULL, OPERANDS("f16[1,3] 2048 1 1", "f16[3,1] 1 1 1"),
             OPERANDS("f16[1,1] 2050"));
}

/* These are the examples of matmul-1.rst. */
static void test_matmul_shapes(void **state)
{
    check_infer("MatMul", NULL, OPERANDS("f32[1024]", "f32[1024,1000]"), OPERANDS("f32[1000]"));
    check_infer("MatMul", NULL, OPERANDS("f32[1000,1024]", "f32[1024]"), OPERANDS("f32[1000]"));
    check_infer("MatMul", "transpose_b=true", OPERANDS("f32[1024]", "f32[1000,1024]"),
                OPERANDS("f32[1000]"));
    check_infer("MatMul", NULL, OPERANDS("f32[5,10,1024]", "f32[1024,1000]"),
                OPERANDS("f32[5,10,1000]"));
    check_infer("MatMul", NULL, OPERANDS("f32[?,10,?]", "f32[4,?,7]"), OPERANDS("f32[4,10,7]"));
    check_infer("MatMul", NULL, OPERANDS("f32[...]", "f32[2,3]"), OPERANDS("f32..."));
    check_infer_fails("MatMul", NULL, OPERANDS("f32[2,3]", "f32[2,3]"),
                      "matrices of shapes [2,3] and [2,3] cannot be multiplied: 3 columns on the "
                      "left, 2 rows on the right (after transposition)");
    check_infer_fails("MatMul", NULL, OPERANDS("f32[2,4,3]", "f32[3,3,2]"),
                      "the batch dimensions of [2,4,3] and [3,3,2] do not broadcast");
    check_infer_fails("MatMul", NULL, OPERANDS("f32[]", "f32[2]"),
                      "input 0 \"a\" has shape [], it must have rank 1 or more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matmul),
        cmocka_unit_test(test_matmul_shapes),
    };

    return cmocka_run_group_tests_name("matrix products", tests, NULL, NULL);
}
