/* Logic on truth values and bits, and comparisons of integers: values by hand, and drawn ones. */
#include "generate/rng.h"
#include "graphs.h"
#include "ir/shared.h"
#include "seeds.h"

static void test_logic(void **state)
{
    const char *a = "boolean[4] 0 0 1 1", *b = "boolean[4] 0 1 0 1";

    check_op("LogicalAnd", NULL, OPERANDS(a, b), OPERANDS("boolean[4] 0 0 0 1"));
    check_op("LogicalOr", NULL, OPERANDS(a, b), OPERANDS("boolean[4] 0 1 1 1"));
    check_op("LogicalXor", NULL, OPERANDS(a, b), OPERANDS("boolean[4] 0 1 1 0"));
    check_op("LogicalNot", NULL, OPERANDS(a), OPERANDS("boolean[4] 1 1 0 0"));
    /* bitwise-and-13.rst's examples */
    check_op("BitwiseAnd", NULL, OPERANDS("u8[2] 21 120", "u8[2] 3 37"), OPERANDS("u8[2] 1 32"));
    check_op("BitwiseAnd", NULL,
             OPERANDS("boolean[3] true false false", "boolean[3] true true false"),
             OPERANDS("boolean[3] true false false"));
    check_op("BitwiseOr", NULL, OPERANDS("u8[2] 21 120", "u8[2] 3 37"), OPERANDS("u8[2] 23 125"));
    check_op("BitwiseXor", NULL, OPERANDS("u8[2] 21 120", "u8[2] 3 37"), OPERANDS("u8[2] 22 93"));
    check_op("BitwiseNot", NULL, OPERANDS("u8[2] 1 255"), OPERANDS("u8[2] 254 0"));
    check_op("BitwiseNot", NULL, OPERANDS("boolean[2] true false"), OPERANDS("boolean[2] 0 1"));
    check_op("BitwiseNot", NULL, OPERANDS("i32[2] 0 -1"), OPERANDS("i32[2] -1 0"));
    check_op("BitwiseLeftShift", NULL, OPERANDS("u8[3] 129 1 1", "u8[3] 1 7 8"),
             OPERANDS("u8[3] 2 128 0"));
    check_op("BitwiseRightShift", NULL, OPERANDS("i8[3] -128 -1 64", "i8[3] 2 100 3"),
             OPERANDS("i8[3] -32 -1 8"));
    check_op("BitwiseRightShift", NULL, OPERANDS("u64[1] 18446744073709551615", "u64[1] 63"),
             OPERANDS("u64[1] 1"));
    check_op_fails("BitwiseLeftShift", NULL, OPERANDS("i8[2] 1 1", "i8[2] 1 -1"),
                   "b[1] is -1: a shift must not be negative");
}

typedef enum operation { EQUAL, LESS, GREATER_EQUAL, AND, XOR, LEFT, RIGHT, OPERATIONS } operation;

/* Returns what OP makes of A and B: numbers of BITS bits, which are compared as they are. */
static int64_t made(operation op, int64_t a, int64_t b, int bits, bool is_unsigned)
{
    bool less = is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;

    switch (op) {
    case EQUAL:
        return a == b;
    case LESS:
        return less;
    case GREATER_EQUAL:
        return !less;
    case AND:
        return a & b;
    case XOR:
        return a ^ b;
    case LEFT:
        return b >= bits ? 0 : (int64_t)((uint64_t)a << b);
    default:
        return is_unsigned ? (b >= bits ? 0 : (int64_t)((uint64_t)a >> b)) : a >> (b > 63 ? 63 : b);
    }
}

/* Rows of all types, beside a row, a number or a column. */
static void check_drawn(uint64_t seed)
{
    static const char *const names[] = {"Equal-1",
                                        "Less-1",
                                        "GreaterEqual-1",
                                        "BitwiseAnd-13",
                                        "BitwiseXor-13",
                                        "BitwiseLeftShift-15",
                                        "BitwiseRightShift-15"};
    static const inlay_type types[] = {INLAY_I8,  INLAY_U8,  INLAY_I16, INLAY_U16,
                                       INLAY_I32, INLAY_U32, INLAY_I64, INLAY_U64};
    rng r = {seed};
    operation op = (operation)rng_in(&r, 0, OPERATIONS - 1);
    inlay_type type = types[rng_in(&r, 0, 7)];
    const inlay_type_info *info = inlay_type_info_of(type);
    bool shifts = op == LEFT || op == RIGHT, is_unsigned = info->cls == INLAY_CLASS_UNSIGNED;
    int64_t dims[] = {rng_in(&r, 1, 5), rng_in(&r, 1, 90)}, other[2], at;
    inlay_tensor *x = inlay_tensor_new(type, 2, dims), *y, *out, *wanted;
    char text[300];
    runner run;

    for (int i = 0; i < 2; i++)
        other[i] = rng_one_in(&r, 2) ? 1 : dims[i];
    y = inlay_tensor_new(type, 2, other);
    for (int64_t i = 0; i < inlay_tensor_count(x); i++)
        inlay_tensor_set_i64(x, i, (int64_t)rng_next(&r) >> rng_in(&r, 0, 62));
    for (int64_t i = 0; i < inlay_tensor_count(y); i++)
        inlay_tensor_set_i64(
            y, i, shifts ? rng_in(&r, 0, 70) : (int64_t)rng_next(&r) >> rng_in(&r, 0, 62));
    snprintf(text, sizeof text,
             "%%x = Parameter-1 {element_type = %s, shape = [%d,%d]}\n"
             "%%z = Parameter-1 {element_type = %s, shape = [%d,%d]}\n"
             "%%y = %s(%%x, %%z)\n%%out = Result-1(%%y)\n",
             info->name, (int)dims[0], (int)dims[1], info->name, (int)other[0], (int)other[1],
             names[op]);
    run = runner_of(text, NULL);
    run_with(&run, (const inlay_tensor *const[]){x, y}, NULL, &out);
    wanted = inlay_tensor_new(out->type, 2, dims);
    for (int64_t i = 0; i < inlay_tensor_count(x); i++) {
        at = (other[0] == 1 ? 0 : i / dims[1]) * other[1] + (other[1] == 1 ? 0 : i % dims[1]);
        inlay_tensor_set_i64(wanted, i,
                             made(op, inlay_tensor_get_i64(x, i), inlay_tensor_get_i64(y, at),
                                  info->bits, is_unsigned));
        if (inlay_tensor_get_i64(out, i) != inlay_tensor_get_i64(wanted, i))
            fail_msg("seed %llu: %s of %s, element %d", (unsigned long long)seed, names[op],
                     info->name, (int)i);
    }
    inlay_tensor_release(wanted);
    inlay_tensor_release(out);
    inlay_tensor_release(y);
    inlay_tensor_release(x);
    runner_free(&run);
}

static void test_drawn(void **state)
{
    seed_range seeds = seeds_to_try(1, 150);

    for (uint64_t i = 0; i < seeds.n; i++)
        check_drawn(seeds.first + i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logic),
        cmocka_unit_test(test_drawn),
    };

    return cmocka_run_group_tests_name("logic", tests, NULL, NULL);
}
