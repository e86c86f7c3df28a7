/* Reverse, ReverseSequence, Roll: the documents' examples, messages, shapes in the dark. */
#include "op_forms.h"
#include "unit.h"

static void check(const char *op, const char *version, const char *attrs, const char *const *in,
                  const char *want)
{
    check_forms(op, version, attrs, in, RESULTS(want));
}

static void reverse(void **state)
{
#define REVERSE(attrs, want, ...) check("Reverse", "opset1", attrs, OPERANDS(__VA_ARGS__), want)
    REVERSE("mode=index", "i32[2,2] 3 4 1 2", "i32[2,2] 1 2 3 4", "i32[1] 0");
    REVERSE("mode=index", "i32[2,2] 4 3 2 1", "i32[2,2] 1 2 3 4", "i64[2] -1 0");
    REVERSE("mode=index", "i32[2,2] 1 2 3 4", "i32[2,2] 1 2 3 4", "i64[0]");
    REVERSE("mode=mask", "i32[2,2] 2 1 4 3", "i32[2,2] 1 2 3 4", "boolean[2] 0 1");
    REVERSE("mode=mask", "error: input 1 \"axis\" has shape [1], data [2,2] has 2 dimensions",
            "i32[2,2] 1 2 3 4", "boolean[1] 1");
    REVERSE("mode=index", "error: input 1 \"axis\" has shape [2], data [1] has 1 dimension",
            "i32[1] 1", "i32[2] 0 0");
    REVERSE("mode=index", "error: axis[1] is -2: axis 0 is repeated", "i32[1,1] 1", "i32[2] 0 -2");
    REVERSE("mode=mask", "error: mode is \"mask\", so axis must be boolean, not i32", "i32[1] 1",
            "i32[1] 1");
    REVERSE("mode=index", "error: mode is \"index\", so axis must be of an integer type",
            "i32[1] 1", "boolean[1] 1");
    REVERSE("mode=index", "error: axis[0] is 1, it must be in [-1, 0]", "i32[1] 1", "i32[1] 1");
}

static void reverse_sequence(void **state)
{
#define SEQUENCE(attrs, want, ...)                                                                 \
    check("ReverseSequence", "opset1", attrs, OPERANDS(__VA_ARGS__), want)
    SEQUENCE(NULL, "i32[2,4] 1 0 2 3 7 6 5 4", "i32[2,4] iota", "i32[2] 2 4");
    SEQUENCE("batch_axis=1;seq_axis=0", "i32[3,2] 4 1 2 3 0 5", "i32[3,2] iota", "f32[2] 3 1");
    SEQUENCE(NULL, "error: seq_lengths[1] is 5, it must be in [1, 4]", "i32[2,4] iota",
             "i32[2] 2 5");
    SEQUENCE(NULL, "error: seq_lengths[0] is 0, it must be in [1, 4]", "i32[2,4] iota",
             "i32[2] 0 4");
    SEQUENCE(NULL, "error: input 1 \"seq_lengths\" has shape [3], axis 0 of data [2,4]",
             "i32[2,4] iota", "i32[3] 1 1 1");
    SEQUENCE("seq_axis=0", "error: batch_axis and seq_axis are both 0", "i32[2,4] iota",
             "i32[2] 1 1");
    SEQUENCE("seq_axis=2", "error: seq_axis is 2, it must be in [-2, 1]", "i32[2,4] iota",
             "i32[2] 1 1");
    SEQUENCE(NULL, "error: input 0 \"data\" has shape [2], it must have rank 2 or more",
             "i32[2] iota", "i32[2] 1 1");
}

static void roll(void **state)
{
    const char *const x = "i32[4,3] 1 2 3 4 5 6 7 8 9 10 11 12";

#define ROLL(want, ...) check("Roll", "opset7", NULL, OPERANDS(__VA_ARGS__), want)
    ROLL("i32[4,3] 10 11 12 1 2 3 4 5 6 7 8 9", x, "i32[] 1", "i32[] 0");
    ROLL("i32[4,3] 5 6 4 8 9 7 11 12 10 2 3 1", x, "i64[2] -1 2", "i32[2] 0 1");
    ROLL("i32[4,3] 8 9 7 11 12 10 2 3 1 5 6 4", x, "i32[3] 1 2 1", "i64[3] 0 1 0");
    ROLL("i32[4,3] 12 10 11 3 1 2 6 4 5 9 7 8", x, "i32[] 1", "i64[2] 0 -1");
    ROLL("i32[2] 2 1", "i32[2] 1 2", "i64[1] -9223372036854775807", "i64[1] 0");
    ROLL("i32[0]", "i32[0]", "i64[1] 5", "i64[1] 0");
    ROLL("error: input 1 \"shift\" has shape [2], axes has shape [3]", x, "i32[2] 1 2",
         "i64[3] 0 1 0");
    ROLL("error: axes[1] is 2, it must be in [-2, 1]", x, "i32[] 1", "i64[2] 0 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reverse),
        cmocka_unit_test(reverse_sequence),
        cmocka_unit_test(roll),
    };

    return cmocka_run_group_tests_name("reverse", tests, NULL, NULL);
}
