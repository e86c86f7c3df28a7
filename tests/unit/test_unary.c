/* Operations of one operand: values from their documents' formulas (worked out in double precision
 * by another program). */
#include "graphs.h"

static const char x5[] = "f32[5] -2 -0.5 0 0.5 3";

static void test_functions(void **state)
{
    static const struct {
        const char *op, *attrs, *in, *out;
    } cases[] = {
        {"Exp", NULL, x5, "f32[5] 0.135335283 0.60653066 1 1.64872127 20.0855369"},
        {"Sigmoid", NULL, x5, "f32[5] 0.119202922 0.377540669 0.5 0.622459331 0.952574127"},
        {"Tanh", NULL, x5, "f32[5] -0.96402758 -0.462117157 0 0.462117157 0.995054754"},
        {"Erf", NULL, x5, "f32[5] -0.995322265 -0.520499878 0 0.520499878 0.99997791"},
        {"Gelu opset2", NULL, x5, "f32[5] -0.0455002639 -0.154268769 0 0.345731231 2.99595031"},
        {"Gelu", "approximation_mode=tanh", "f32[4] -0.5 0 0.5 3",
         "f32[4] -0.15428599 0 0.34571401 2.99636261"},
        {"SoftPlus", NULL, x5, "f32[5] 0.126928011 0.474076984 0.693147181 0.974076984 3.04858735"},
        {"Mish", NULL, x5, "f32[5] -0.252501483 -0.220743775 0 0.375245211 2.986535"},
        {"SoftSign", NULL, x5, "f32[5] -0.666666667 -0.333333333 0 0.333333333 0.75"},
        {"Elu", "alpha=2", x5, "f32[5] -1.72932943 -0.786938681 0 0.5 3"},
        {"HSwish", NULL, x5, "f32[5] -0.333333333 -0.208333333 0 0.291666667 3"},
        {"HSigmoid", NULL, x5, "f32[5] 0.166666667 0.416666667 0.5 0.583333333 1"},
        {"Sin", NULL, x5, "f32[5] -0.909297427 -0.479425539 0 0.479425539 0.141120008"},
        {"Cos", NULL, x5, "f32[5] -0.416146837 0.877582562 1 0.877582562 -0.989992497"},
        {"Tan", NULL, x5, "f32[5] 2.18503986 -0.54630249 0 0.54630249 -0.142546543"},
        {"Sinh", NULL, x5, "f32[5] -3.62686041 -0.521095305 0 0.521095305 10.0178749"},
        {"Cosh", NULL, x5, "f32[5] 3.76219569 1.12762597 1 1.12762597 10.067662"},
        {"Atan", NULL, x5, "f32[5] -1.10714872 -0.463647609 0 0.463647609 1.24904577"},
        {"Asinh", NULL, x5, "f32[5] -1.44363548 -0.481211825 0 0.481211825 1.81844646"},
        {"Asin", NULL, "f32[3] -1 0.5 2", "f32[3] -1.57079633 0.523598776 nan"},
        {"Acos", NULL, "f32[3] -1 0.5 1", "f32[3] 3.14159265 1.04719755 0"},
        {"Atanh", NULL, "f32[4] -0.75 0 0.5 1", "f32[4] -0.972955075 0 0.549306144 inf"},
        {"Acosh", NULL, "f32[3] 1 1.5 10", "f32[3] 0 0.96242365 2.99322285"},
        {"Log", NULL, "f32[4] 0.5 1 10 0", "f32[4] -0.693147181 0 2.30258509 -inf"},
        {"Sqrt", NULL, "f32[4] 0 2 9 -1", "f32[4] 0 1.41421356 3 nan"},
        {"Abs", NULL, x5, "f32[5] 2 0.5 0 0.5 3"},
        {"Ceiling", NULL, "f32[4] -1.5 -0.5 0.5 2", "f32[4] -1 0 1 2"},
        {"Floor", NULL, "f32[4] -1.5 -0.5 0.5 2", "f32[4] -2 -1 0 2"},
        {"Negative", NULL, x5, "f32[5] 2 0.5 0 -0.5 -3"},
        {"ReLU", NULL, "f32[4] -2 0 0.5 nan", "f32[4] 0 0 0.5 nan"},
        {"Sign", NULL, "f32[4] -2 0 0.5 inf", "f32[4] -1 0 1 1"},
        {"Clamp", "min=-1;max=2.5", x5, "f32[5] -1 -0.5 0 0.5 2.5"},
        {"Exp", NULL, "f64[1] 1", "f64[1] 2.71828182845904524"},
        {"Sigmoid", NULL, "f64[1] -0.5", "f64[1] 0.37754066879814543537"},
        {"Exp", NULL, "f16[2] 0 1", "f16[2] 1 2.71875"},
        {"Exp", NULL, "bf16[2] 0 1", "bf16[2] 1 2.71875"},
        {"SoftPlus", NULL, "f32[2] 200 -200", "f32[2] 200 0"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_op(cases[i].op, cases[i].attrs, OPERANDS(cases[i].in), OPERANDS(cases[i].out));
}

/* This is the example of round-5.rst. */
static void test_round(void **state)
{
    const char *in = "f32[8] -4.5 -1.9 -1.5 0.5 0.9 1.5 2.3 2.5";

    check_op("Round", NULL, OPERANDS(in), OPERANDS("f32[8] -4 -2 -2 0 1 2 2 2"));
    check_op("Round", "mode=half_away_from_zero", OPERANDS(in),
             OPERANDS("f32[8] -5 -2 -2 1 1 2 2 3"));
}

static void test_functions_with_numbers(void **state)
{
    check_op("Selu", NULL, OPERANDS(x5, "f32[1] 1.67326", "f32[1] 1.0507"),
             OPERANDS("f32[5] -1.52016209 -0.691756197 0 0.52535 3.1521"));
    check_op("HardSigmoid", NULL, OPERANDS("f32[4] -9 -0.5 0.5 9", "f32 0.2", "f32 0.5"),
             OPERANDS("f32[4] 0 0.4 0.6 1"));
    check_op("Swish", NULL, OPERANDS(x5, "f32 2"),
             OPERANDS("f32[5] -0.0359724199 -0.134470711 0 0.365529289 2.99258213"));
    check_op("Swish", NULL, OPERANDS("f32[1] -2"), OPERANDS("f32[1] -0.238405844"));
    check_infer_fails("Swish", NULL, OPERANDS("f32[4]", "f32[2]"),
                      "input 1 \"beta\" has shape [2], it must be one number");
}

static void test_integers(void **state)
{
    check_op("Abs", NULL, OPERANDS("i8[3] -128 -5 7"), OPERANDS("i8[3] -128 5 7"));
    check_op("Abs", NULL, OPERANDS("u64[1] 18446744073709551615"),
             OPERANDS("u64[1] 18446744073709551615"));
    check_op("Sign", NULL, OPERANDS("u64[2] 0 18446744073709551615"), OPERANDS("u64[2] 0 1"));
    check_op("Sign", NULL, OPERANDS("i32[3] -7 0 9"), OPERANDS("i32[3] -1 0 1"));
    check_op("Negative", NULL, OPERANDS("i64[2] -9223372036854775808 3"),
             OPERANDS("i64[2] -9223372036854775808 -3"));
    check_op("Negative", NULL, OPERANDS("u8[2] 1 0"), OPERANDS("u8[2] 255 0"));
    check_op("ReLU", NULL, OPERANDS("i32[3] -7 0 9"), OPERANDS("i32[3] 0 0 9"));
    check_op("Ceiling", NULL, OPERANDS("i64[1] 9007199254740993"),
             OPERANDS("i64[1] 9007199254740993"));
    /* The nearest integer, halves away from zero; Exp and Log truncate. */
    check_op("Sqrt", NULL, OPERANDS("i32[4] 0 2 3 16"), OPERANDS("i32[4] 0 1 2 4"));
    check_op("Exp", NULL, OPERANDS("i32[3] 0 1 2"), OPERANDS("i32[3] 1 2 7")); /* 2.72 7.39 */
    check_op("Exp", NULL, OPERANDS("i8[3] -1 4 5"), OPERANDS("i8[3] 0 54 127"));
    check_op("Log", NULL, OPERANDS("u8[4] 1 2 15 255"), OPERANDS("u8[4] 0 0 2 5"));
    /* Clamp-1: ceil converts min and floor converts max. */
    check_op("Clamp", "min=1.2;max=3.8", OPERANDS("i32[4] 0 2 3 9"), OPERANDS("i32[4] 2 2 3 3"));
    check_op("Clamp", "min=-5;max=300", OPERANDS("u8[2] 0 255"), OPERANDS("u8[2] 0 255"));
    check_op("Clamp", "min=-1;max=5", OPERANDS("u64[2] 18446744073709551615 3"),
             OPERANDS("u64[2] 5 3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_round),
        cmocka_unit_test(test_functions_with_numbers),
        cmocka_unit_test(test_integers),
    };

    return cmocka_run_group_tests_name("operations of one operand", tests, NULL, NULL);
}
