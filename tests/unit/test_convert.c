/* Convert and ConvertLike: values by hand from their documents. */
#include "graphs.h"

static void test_convert(void **state)
{
    check_op("Convert", "destination_type=i32", OPERANDS("f32[6] 3.141592 -2.9 1e20 -1e20 nan 0"),
             OPERANDS("i32[6] 3 -2 2147483647 -2147483648 0 0"));
    check_op("Convert", "destination_type=i8", OPERANDS("f32[4] 127.9 128 -200 inf"),
             OPERANDS("i8[4] 127 127 -128 127"));
    /* packed and unsigned types: truncated, then modulo 2^N; infinity and NaN give 0 */
    check_op("Convert", "destination_type=u4", OPERANDS("f32[7] 15.9 16 17.5 -1.5 -0.5 nan inf"),
             OPERANDS("u4[7] 15 0 1 15 0 0 0"));
    check_op("Convert", "destination_type=i4", OPERANDS("f16[6] 7.9 8 -8.9 -9 100 -17"),
             OPERANDS("i4[6] 7 -8 -8 7 4 -1"));
    check_op("Convert", "destination_type=u1", OPERANDS("f32[5] 1.9 2 3 -1 0.9"),
             OPERANDS("u1[5] 1 0 1 1 0"));
    check_op("Convert", "destination_type=u8", OPERANDS("bf16[4] 256 -1 300 255"),
             OPERANDS("u8[4] 0 255 44 255"));
    check_op("Convert", "destination_type=u32", OPERANDS("f64[3] 4294967297.5 -1 -inf"),
             OPERANDS("u32[3] 1 4294967295 0"));
    check_op("Convert", "destination_type=u64",
             OPERANDS("f64[4] -1 18446744073709551616 18446744073709555712 1e19"),
             OPERANDS("u64[4] 18446744073709551615 0 4096 10000000000000000000"));
    check_op("ConvertLike", NULL, OPERANDS("f32[2] -1 256", "u8[1] 0"), OPERANDS("u8[2] 255 0"));
    /* convert-1.rst: negative to unsigned is modulo 2^N */
    check_op("Convert", "destination_type=u32", OPERANDS("i32[1] -1"),
             OPERANDS("u32[1] 4294967295"));
    check_op("Convert", "destination_type=u8", OPERANDS("i32[3] 256 -1 300"),
             OPERANDS("u8[3] 0 255 44"));
    check_op("Convert", "destination_type=boolean", OPERANDS("f32[4] 0 0.5 nan -0.0"),
             OPERANDS("boolean[4] 0 1 1 0"));
    check_op("Convert", "destination_type=boolean", OPERANDS("i32[2] 256 0"),
             OPERANDS("boolean[2] 1 0"));
    check_op("Convert", "destination_type=f32", OPERANDS("boolean[2] true false"),
             OPERANDS("f32[2] 1 0"));
    check_op("Convert", "destination_type=f16", OPERANDS("f32[3] 1 65520 1e-9"),
             OPERANDS("f16[3] 1 inf 0"));
    check_op("Convert", "destination_type=f64", OPERANDS("u64[1] 18446744073709551615"),
             OPERANDS("f64[1] 18446744073709551616"));
    /* 2^63 + 2^39 + 1 rounds up in f32; through f64 it would be a tie and round to even. */
    check_op("Convert", "destination_type=f32", OPERANDS("u64[1] 9223372586610589697"),
             OPERANDS("f32[1] 9223373136366403584"));
    check_op("Convert", "destination_type=i4", OPERANDS("i32[3] 7 8 -1"),
             OPERANDS("i4[3] 7 -8 -1"));
    check_op("ConvertLike", NULL, OPERANDS("f32[2] 1.5 2", "i64[3] 0 0 0"), OPERANDS("i64[2] 1 2"));
    check_infer_fails("Convert", "destination_type=string", OPERANDS("f32[2]"),
                      "destination_type is string, it must be a number or boolean type");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convert),
    };

    return cmocka_run_group_tests_name("conversions", tests, NULL, NULL);
}
