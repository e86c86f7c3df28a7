/* The other operations that move data: the documents' examples, messages, shapes in the dark. */
#include "op_forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *op, const char *version, const char *attrs, const char *const *in,
                  const char *want)
{
    check_forms(op, version, attrs, in, RESULTS(want));
}

#define IOTA24 "i32[2,3,4] iota"
#define TWELVE "i32[3,4] 1 2 3 4 5 6 7 8 9 10 11 12"

static void concat(void **state)
{
    (void)state;
#define CONCAT(attrs, want, ...) check("Concat", "opset1", attrs, OPERANDS(__VA_ARGS__), want)
    CONCAT("axis=1", "i32[2,3] 1 5 6 2 7 8", "i32[2,1] 1 2", "i32[2,2] 5 6 7 8");
    CONCAT("axis=-2", "i32[3,2] 1 2 5 6 7 8", "i32[1,2] 1 2", "i32[2,2] 5 6 7 8");
    CONCAT("axis=0", "string[3] a b c", "string[1] a", "string[0]", "string[2] b c");
    CONCAT("axis=0", "u1[11] 1 0 1 1 1 0 0 0 1 1 0", "u1[3] 1 0 1", "u1[8] 1 1 0 0 0 1 1 0");
    CONCAT("axis=0", "error: input 0 \"inputs\" has shape [], it must have rank 1 or more",
           "i32[] 1");
    CONCAT("axis=2", "error: axis is 2, it must be in [-2, 1]", "i32[1,2] 1 2");
    CONCAT("axis=0", "error: input 1 \"inputs\" has shape [2], it must have rank 2", "i32[1,2] 1 2",
           "i32[2] 1 2");
    CONCAT("axis=0", "error: input 1 \"inputs\" has shape [1,3]: axis 1 is 3, it must be 2",
           "i32[1,2] 1 2", "i32[1,3] 1 2 3");
#define RULE(attrs, want, ...) check_rule("Concat", "opset1", attrs, OPERANDS(__VA_ARGS__), want)
    RULE("axis=1", "f32[?a,5,3]", "f32[?a,2,?]", "f32[?,3,3]");
    RULE("axis=1", "f32[?,3..,3]", "f32[...]", "f32[?,3,3]");
    RULE("axis=0", "i64[3]={1,2,?}", "i64[2] 1 2", "i64[1]");
    RULE("axis=0", "i64[2]={1,2}", "i64[1] 1", "i64[1] 2");
#undef RULE
}

static void split(void **state)
{
    const char *const x = "i32[2,4] iota";

    (void)state;
    check_forms("Split", "opset1", "num_splits=2", OPERANDS(x, "i32[] 1"),
                RESULTS("i32[2,2] 0 1 4 5", "i32[2,2] 2 3 6 7"));
    check_forms("Split", "opset1", "num_splits=2", OPERANDS(x, "i64[] -2"),
                RESULTS("i32[1,4] 0 1 2 3", "i32[1,4] 4 5 6 7"));
    check_forms("Split", "opset1", "num_splits=2", OPERANDS("string[2] a b", "i64[] 0"),
                RESULTS("string[1] a", "string[1] b"));
    check_forms("Split", "opset1", "num_splits=3", OPERANDS(x, "i32[] 1"),
                RESULTS("error: axis 1 of data [2,4] has 4 elements, which is not divisible by "
                        "num_splits 3"));
    check_forms("Split", "opset1", "num_splits=2", OPERANDS(x, "i32[] 2"),
                RESULTS("error: axis is 2, it must be in [-2, 1]"));
    check_forms("Split", "opset1", "num_splits=0", OPERANDS(x, "i32[] 1"),
                RESULTS("error: num_splits is 0, it must be 1 or more"));
    check_rule("Split", "opset1", "num_splits=2", OPERANDS("f32[?a,3..9]", "i32[] 1"),
               "f32[?a,2..4] f32[?a,2..4]");
    check_forms("Split", "opset1", "num_splits=2", OPERANDS(x, "i32[2] 0 1"),
                RESULTS("error: input 1 \"axis\" has shape [2], it must have one element"));
    check_rule("Split", "opset1", "num_splits=3", OPERANDS("f32[4..5]", "i32[] 0"),
               "error: axis 0 of data [4..5] cannot be divided by num_splits 3");
    check_rule("Split", "opset1", "num_splits=2", OPERANDS("f32[?a,8]", "i32[]"),
               "f32[?,..8] f32[?,..8]");
    check_rule("Split", "opset1", "num_splits=2", OPERANDS("i64[4] 1 2 3 4", "i32[] 0"),
               "i64[2]={1,2} i64[2]={3,4}");
}

static void variadic_split(void **state)
{
    const char *const x = "i32[2,6] iota";

    (void)state;
    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i32[] 1", "i32[3] 1 2 3"),
                RESULTS("i32[2,1] 0 6", "i32[2,2] 1 2 7 8", "i32[2,3] 3 4 5 9 10 11"));
    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i64[1] -1", "i32[2] -1 2"),
                RESULTS("i32[2,4] 0 1 2 3 6 7 8 9", "i32[2,2] 4 5 10 11"));
    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i64[] 0", "i64[3] 0 2 0"),
                RESULTS("i32[0,6]", x, "i32[0,6]"));
    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i64[] 1", "i64[2] 2 3"),
                RESULTS("error: split_lengths add up to 5, the axis has 6 elements"));
    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i64[] 1", "i64[2] -1 7"),
                RESULTS("error: split_lengths add up to 7, the axis has 6 elements"));
    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i64[] 1", "i64[2] -1 -1"),
                RESULTS("error: split_lengths[0] and split_lengths[1] are both -1"));
    check_forms("VariadicSplit", "opset1", NULL, OPERANDS(x, "i64[] 1", "i64[2] -2 8"),
                RESULTS("error: split_lengths[0] is -2, it must be -1 or more"));
    check_rule("VariadicSplit", "opset1", NULL, OPERANDS("f32[?a,5..9]", "i32[] 1", "i32[2] 2 -1"),
               "f32[?a,2] f32[?a,3..7]");
    check_rule("VariadicSplit", "opset1", NULL, OPERANDS("i64[3] 7 8 9", "i32[] 0", "i32[2] -1 1"),
               "i64[2]={7,8} i64[1]={9}");
    check_rule("VariadicSplit", "opset1", NULL, OPERANDS("f32[?a,8]", "i32[] 1", "i32[2]"),
               "f32[?a,?] f32[?a,?]");
}

static void pad(void **state)
{
    const char *const b = "i32[2] 0 1", *const e = "i32[2] 2 3";
    static const char *const results[][3] = {
        {"pad_mode=constant",
         "i32[5,8] 0 1 2 3 4 0 0 0 0 5 6 7 8 0 0 0 0 9 10 11 12 0 0 0 "
         "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
         "i32[4,6] 0 0 0 0 0 0 0 0 0 0 0 0 2 3 4 0 0 0 6 7 8 0 0 0"},
        {"pad_mode=edge",
         "i32[5,8] 1 1 2 3 4 4 4 4 5 5 6 7 8 8 8 8 9 9 10 11 12 12 12 12 "
         "9 9 10 11 12 12 12 12 9 9 10 11 12 12 12 12",
         "i32[4,6] 2 3 4 4 4 4 2 3 4 4 4 4 2 3 4 4 4 4 6 7 8 8 8 8"},
        {"pad_mode=reflect",
         "i32[5,8] 2 1 2 3 4 3 2 1 6 5 6 7 8 7 6 5 10 9 10 11 12 11 10 9 "
         "6 5 6 7 8 7 6 5 2 1 2 3 4 3 2 1",
         "i32[4,6] 10 11 12 11 10 9 6 7 8 7 6 5 2 3 4 3 2 1 6 7 8 7 6 5"},
        {"pad_mode=symmetric",
         "i32[5,8] 1 1 2 3 4 4 3 2 5 5 6 7 8 8 7 6 9 9 10 11 12 12 11 10 "
         "9 9 10 11 12 12 11 10 5 5 6 7 8 8 7 6",
         "i32[4,6] 6 7 8 8 7 6 2 3 4 4 3 2 2 3 4 4 3 2 6 7 8 8 7 6"},
    };

    (void)state;
    for (int m = 0; m < 4; m++) {
        check("Pad", "opset1", results[m][0], OPERANDS(TWELVE, b, e), results[m][1]);
        check("Pad", "opset12", results[m][0], OPERANDS(TWELVE, b, e), results[m][1]);
        check("Pad", "opset12", results[m][0], OPERANDS(TWELVE, "i32[2] -1 -1", "i32[2] -1 -1"),
              "i32[1,2] 6 7");
        check("Pad", "opset12", results[m][0], OPERANDS(TWELVE, "i32[2] 2 -1", "i32[2] -1 3"),
              results[m][2]);
    }
    check("Pad", "opset1", "pad_mode=constant",
          OPERANDS("i32[1] 7", "i32[1] 1", "i32[1] 0", "i32[] 9"), "i32[2] 9 7");
    check("Pad", "opset12", "pad_mode=constant",
          OPERANDS("string[1] a", "i32[1] 1", "i32[1] 0", "string[] x"), "string[2] x a");
    check("Pad", "opset12", "pad_mode=constant", OPERANDS("string[1] a", "i32[1] 0", "i32[1] 1"),
          "string[2] a ''");
    check("Pad", "opset12", "pad_mode=constant", OPERANDS("i32[0]", "i32[1] 1", "i32[1] 1"),
          "i32[2] 0 0");
    check("Pad", "opset12", "pad_mode=constant", OPERANDS("i32[1] 5", "i32[1] -1", "i32[1] -7"),
          "i32[0]");
    check("Pad", "opset1", "pad_mode=reflect",
          OPERANDS("i32[2,3] 1 2 3 4 5 6", "i32[2] -1 1", "i32[2] 0 -2"), "i32[1,2] 5 4");
    check_rule("Pad", "opset1", "pad_mode=constant",
               OPERANDS("f32[4,?a]", "i64[2] -1 0", "i64[2] -5 0"), "f32[0,?a]");
}

/* Sums that do not fit in 64 bits on the way: all of data lies before what is left. */
static void pad_far_away(void **state)
{
    (void)state;
    check("Pad", "opset12", "pad_mode=constant",
          OPERANDS("i32[3] 1 2 3", "i64[1] -9223372036854775808", "i64[1] 9223372036854775807",
                   "i32[] 9"),
          "i32[2] 9 9");
    check("Pad", "opset12", "pad_mode=edge",
          OPERANDS("i32[3] 1 2 3", "i64[1] -9223372036854775808", "i64[1] 9223372036854775807"),
          "i32[2] 3 3");
}

static void pad_messages(void **state)
{
    (void)state;
#define PAD(v, attrs, want, ...) check("Pad", v, attrs, OPERANDS(__VA_ARGS__), "error: " want)
    PAD("opset12", "pad_mode=reflect",
        "pads_end[0] is 3, with pad_mode \"reflect\" and data [3,4] it must not be above 2", TWELVE,
        "i32[2] 0 0", "i32[2] 3 0");
    PAD("opset12", "pad_mode=symmetric",
        "pads_begin[0] is 4, with pad_mode \"symmetric\" and data [3,4] it must not be above 3",
        TWELVE, "i32[2] 4 0", "i32[2] 0 0");
    PAD("opset12", "pad_mode=edge",
        "pads_begin[0] is 1, with pad_mode \"edge\" and data [0] it must not be above 0", "i32[0]",
        "i32[1] 1", "i32[1] 0");
    PAD("opset12", "pad_mode=edge", "pad_mode \"edge\" is not defined for string data",
        "string[1] a", "i32[1] 1", "i32[1] 0");
    PAD("opset12", "pad_mode=edge",
        "input 1 \"pads_begin\" has shape [1], data [3,4] has 2 dimensions", TWELVE, "i32[1] 1",
        "i32[2] 0 0");
    PAD("opset12", "pad_mode=constant",
        "input 3 \"pad_value\" has shape [2], it must have one element", TWELVE, "i32[2] 1 0",
        "i32[2] 0 0", "i32[2] 0 0");
    PAD("opset12", "pad_mode=constant", "pads_begin[0] and pads_end[0] make axis 0 too long",
        "i32[1] 1", "i64[1] 9223372036854775806", "i64[1] 1");
    PAD("opset12", "pad_mode=wrap", "attribute \"pad_mode\" is \"wrap\"", TWELVE, "i32[2] 0 0",
        "i32[2] 0 0");
#undef PAD
    check_rule("Pad", "opset12", "pad_mode=constant",
               OPERANDS("f32[?,3..5,2a]", "i64[3] 0 1 0", "i64[3] 2 1 0"), "f32[2..,5..7,2]");
    check_rule("Pad", "opset12", "pad_mode=constant",
               OPERANDS("f32[?a,3]", "i64[2] 0 0", "i64[2] 0 0"), "f32[?a,3]");
    check_rule("Pad", "opset12", "pad_mode=constant", OPERANDS("f32[?a,3]", "i64[2]", "i64[?]"),
               "f32[?,?]");
}

static void broadcast(void **state)
{
    (void)state;
#define BROADCAST(v, attrs, want, ...) check("Broadcast", v, attrs, OPERANDS(__VA_ARGS__), want)
    BROADCAST("opset1", NULL, "i32[2,3,2] 1 1 2 2 3 3 1 1 2 2 3 3", "i32[3,1] 1 2 3",
              "i64[3] 2 3 2");
    BROADCAST("opset3", "mode=explicit", "i32[2,3] 1 1 1 2 2 2", "i32[2] 1 2", "i64[2] 2 3",
              "i64[1] 0");
    BROADCAST("opset1", "mode=explicit", "i32[2,2,2] 1 2 1 2 1 2 1 2", "i32[1,2] 1 2",
              "i64[3] 2 2 2", "i64[2] 0 2");
    BROADCAST("opset1", "mode=explicit", "i32[2,1,2] 5 5 5 5", "i32[] 5", "i64[3] 2 1 2",
              "i64[1] 1");
    BROADCAST("opset3", "mode=explicit", "i32[2,2] 5 5 5 5", "i32[] 5", "i64[2] 2 2", "i64[1] 0");
    BROADCAST("opset1", "mode=explicit", "i32[2] 5 5", "i32[] 5", "i64[1] 2", "i64[0]");
    BROADCAST("opset1", "mode=explicit", "error: axes_mapping[0] is 2, it must be in [0, 1]",
              "i32[] 5", "i64[2] 2 2", "i64[1] 2");
    BROADCAST("opset1", "mode=explicit",
              "error: input 2 \"axes_mapping\" has shape [2], data [] has 0 dimensions", "i32[] 5",
              "i64[2] 2 2", "i64[2] 0 1");
    BROADCAST("opset3", "mode=bidirectional", "i32[2,2] 1 1 2 2", "i32[2,1] 1 2", "i32[2] 1 2");
    BROADCAST("opset3", "mode=bidirectional", "i32[1,2] 1 2", "i32[1,2] 1 2", "i32[1] 1");
    BROADCAST("opset3", NULL, "string[2] a a", "string[] a", "i32[1] 2");
    BROADCAST("opset3", NULL, "i32[0,3]", "i32[1,3] 1 2 3", "i32[2] 0 3");
    BROADCAST("opset3", NULL, "error: axis 0 of data [2] does not fill axis 1 of the target",
              "i32[2] 1 2", "i32[2] 2 3");
    BROADCAST("opset3", NULL,
              "error: data [1,2] has more dimensions than target_shape has elements, 1",
              "i32[1,2] 1 2", "i32[1] 2");
    BROADCAST("opset3", NULL, "error: target_shape[0] is -1, it must not be negative", "i32[1] 1",
              "i32[1] -1");
    BROADCAST("opset3", "mode=explicit", "error: mode \"explicit\" needs input 2 \"axes_mapping\"",
              "i32[1] 1", "i32[1] 1");
    BROADCAST("opset3", "mode=explicit", "error: axes_mapping[0] is 2, it must be in [0, 1]",
              "i32[1] 1", "i32[2] 1 1", "i32[1] 2");
    BROADCAST("opset3", "mode=explicit",
              "error: axes_mapping[1] is 0, it must be above axes_mapping[0], 1", "i32[1,1] 1",
              "i32[2] 1 1", "i32[2] 1 0");
    BROADCAST("opset3", "mode=explicit",
              "error: input 2 \"axes_mapping\" has shape [2], data [1] has 1 dimensions",
              "i32[1] 1", "i32[2] 1 1", "i32[2] 0 1");
    BROADCAST("opset3", "mode=bidirectional",
              "error: does not broadcast with target_shape (axis 0 of the result)", "i32[2] 1 2",
              "i32[1] 3");
    BROADCAST("opset1", "mode=bidirectional", "error: attribute \"mode\" is \"bidirectional\"",
              "i32[2] 1 2", "i32[1] 3");
#define RULE(attrs, want, ...) check_rule("Broadcast", "opset3", attrs, OPERANDS(__VA_ARGS__), want)
    RULE(NULL, "f32[?,?,4]", "f32[?,4]", "i64[3]");
    RULE(NULL, "f32[...]", "f32[?,4]", "i64[?]");
    RULE(NULL,
         "error: input 1 \"target_shape\" has 33 elements, a tensor has at most 32 dimensions",
         "f32[1]", "i64[33]");
    RULE("mode=bidirectional", "f32[...]", "f32[...]", "i64[2] 2 3");
    RULE(NULL, "i64[3]={7,7,7}", "i64[] 7", "i64[1] 3");
    RULE(NULL, "error: axis 0 of data [3] does not fill", "f32[3]", "i64[1] 4");
#undef RULE
}

static void tile(void **state)
{
    (void)state;
#define TILE(want, ...) check("Tile", "opset1", NULL, OPERANDS(__VA_ARGS__), want)
    TILE("i32[1,4,4] 1 2 1 2 3 4 3 4 1 2 1 2 3 4 3 4", "i32[1,2,2] 1 2 3 4", "i64[3] 1 2 2");
    TILE("i32[2,2,2] 1 2 3 4 1 2 3 4", "i32[2,2] 1 2 3 4", "i32[3] 2 1 1");
    TILE("i32[2,4] 1 2 1 2 3 4 3 4", "i32[2,2] 1 2 3 4", "i32[1] 2");
    TILE("i32[0]", "i32[2] 1 2", "i32[1] 0");
    TILE("string[2] a a", "string[] a", "i32[1] 2");
    TILE("error: repeats[0] is -1, it must not be negative", "i32[1] 1", "i32[1] -1");
    TILE("error: repeats[0] is 4611686018427387904, which makes axis 0 too long", "i32[2] 1 2",
         "i64[1] 4611686018427387904");
    check_rule("Tile", "opset1", NULL, OPERANDS("f32[?a,2..3]", "i64[2] 1 4"), "f32[?a,8..12]");
    check_rule("Tile", "opset1", NULL, OPERANDS("f32[?a,2..3]", "i64[?]"), "f32[...]");
}

static void select_(void **state)
{
    const char *const mask = "boolean[3,2] 0 0 1 0 1 1";

    (void)state;
#define SELECT(attrs, want, ...) check("Select", "opset1", attrs, OPERANDS(__VA_ARGS__), want)
    SELECT(NULL, "i32[3,2] 11 10 1 8 3 4", mask, "i32[3,2] -1 0 1 2 3 4", "i32[3,2] 11 10 9 8 7 6");
    SELECT("auto_broadcast=none", "i32[3,2] 11 10 1 8 3 4", mask, "i32[3,2] -1 0 1 2 3 4",
           "i32[3,2] 11 10 9 8 7 6");
    SELECT(NULL, "i32[2,2] 1 4 3 4", "boolean[2,1] 1 1", "i32[2,2] 1 4 3 4", "i32[2] 8 9");
    SELECT(NULL, "i32[2,2] 1 4 8 9", "boolean[2,1] 1 0", "i32[2,2] 1 4 3 4", "i32[2] 8 9");
    SELECT(NULL, "i32[2] 5 6", "boolean[2] 2 0", "i32[] 5",
           "i32[] 6"); /* cond may be the largest */
    SELECT("auto_broadcast=pdpd", "i32[2,2] 1 9 3 9", "boolean[2] 1 0", "i32[2,2] 1 2 3 4",
           "i32[2] 8 9");
    SELECT(NULL, "error: input 2 \"else\" has shape [3], which does not broadcast with [2]",
           "boolean[] 1", "i32[2] 1 2", "i32[3] 1 2 3");
    SELECT(NULL, "error: input 0 \"cond\" has shape [3], which does not broadcast with [2] and [1]",
           "boolean[3] 1 1 1", "i32[2] 1 2", "i32[1] 1");
    SELECT("auto_broadcast=none", "error: input 2 \"else\" has shape [1]", "boolean[2] 1 1",
           "i32[2] 1 2", "i32[1] 1");
    check_rule("Select", "opset1", NULL, OPERANDS("i32[2]", "f32[2]", "f32[2]"),
               "error: input 0 \"cond\"");
    check_rule("Select", "opset1", NULL, OPERANDS("boolean[2]", "i64[2] 1 2", "i64[2] 5 6"),
               "i64[2]={1..5,2..6}");
    check_rule("Select", "opset1", NULL, OPERANDS("boolean[2] 1 0", "i64[2] 1 2", "i64[] 5"),
               "i64[2]={1,5}");
}

static void reverse(void **state)
{
    (void)state;
#define REVERSE(attrs, want, ...) check("Reverse", "opset1", attrs, OPERANDS(__VA_ARGS__), want)
    REVERSE("mode=index", "i32[2,2] 3 4 1 2", "i32[2,2] 1 2 3 4", "i32[1] 0");
    REVERSE("mode=index", "i32[2,2] 4 3 2 1", "i32[2,2] 1 2 3 4", "i64[2] -1 0");
    REVERSE("mode=index", "i32[2,2] 1 2 3 4", "i32[2,2] 1 2 3 4", "i64[0]");
    REVERSE("mode=mask", "i32[2,2] 2 1 4 3", "i32[2,2] 1 2 3 4", "boolean[2] 0 1");
    REVERSE("mode=mask", "error: input 1 \"axis\" has shape [1], data [2,2] has 2 dimensions",
            "i32[2,2] 1 2 3 4", "boolean[1] 1");
    REVERSE("mode=index", "error: input 1 \"axis\" has shape [2], data [1] has 1 dimensions",
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
    (void)state;
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

    (void)state;
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

static void one_hot(void **state)
{
    (void)state;
#define ONE_HOT(attrs, want, ...) check("OneHot", "opset1", attrs, OPERANDS(__VA_ARGS__), want)
    ONE_HOT("axis=-1", "f32[4,3] 1 2 2 2 2 2 2 1 2 2 2 1", "i32[4] 0 3 1 2", "i32[] 3", "f32[] 1",
            "f32[] 2");
    ONE_HOT("axis=1", "i8[2,3,3] 1 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 1 0", "i64[2,3] 0 3 1 1 2 4",
            "i64[] 3", "i8[] 1", "i8[] 0");
    ONE_HOT("axis=0", "f32[2] 0 1", "i32[] 1", "i32[] 2", "f32[] 1", "f32[] 0");
    ONE_HOT("axis=0", "error: depth is 0, it must be positive", "i32[] 1", "i32[] 0", "f32[] 1",
            "f32[] 0");
    ONE_HOT("axis=1", "error: axis is 1, it must be in [-1, 0]", "i32[] 1", "i32[] 2", "f32[] 1",
            "f32[] 0");
    ONE_HOT("axis=0", "error: input 2 \"on_value\" has shape [2], it must have one element",
            "i32[] 1", "i32[] 2", "f32[2] 1 2", "f32[] 0");
    check_rule("OneHot", "opset1", "axis=1",
               OPERANDS("i32[" ONES_32 "]", "i32[]", "f32[]", "f32[]"),
               "error: the result would have more than 32 dimensions");
    check_rule("OneHot", "opset1", "axis=1", OPERANDS("i32[?a,3]", "i32[]", "f32[]", "f32[]"),
               "f32[?a,1..,3]");
}

/* A tensor without elements may be huge along an axis, and is not walked along it. */
#define HUGE_EMPTY "f32[4000000000,2,0]"
static void huge_without_elements(void **state)
{
    (void)state;
    check("SoftMax", "opset8", "axis=1", OPERANDS(HUGE_EMPTY), HUGE_EMPTY);
    check("LogSoftmax", "opset5", "axis=2", OPERANDS(HUGE_EMPTY), HUGE_EMPTY);
    check("CumSum", "opset3", NULL, OPERANDS(HUGE_EMPTY, "i64[] 1"), HUGE_EMPTY);
    check("Gather", "opset8", NULL, OPERANDS(HUGE_EMPTY, "i64[1] 1", "i64[] 1"),
          "f32[4000000000,1,0]");
    check("Gather", "opset1", NULL, OPERANDS(HUGE_EMPTY, "i64[1] 1", "i64[] 1"),
          "f32[4000000000,1,0]");
    check("ScatterUpdate", "opset3", NULL,
          OPERANDS(HUGE_EMPTY, "i64[1] 1", "f32[4000000000,1,0]", "i64[] 1"), HUGE_EMPTY);
    check("ReduceSum", "opset1", "keep_dims=true", OPERANDS(HUGE_EMPTY, "i64[2] 0 1"),
          "f32[1,1,0]");
    check("Transpose", "opset1", NULL, OPERANDS(HUGE_EMPTY, "i64[3] 2 0 1"), "f32[0,4000000000,2]");
    check("Concat", "opset1", "axis=1", OPERANDS(HUGE_EMPTY, HUGE_EMPTY), "f32[4000000000,4,0]");
    check("Tile", "opset1", NULL, OPERANDS(HUGE_EMPTY, "i64[3] 1 3 1"), "f32[4000000000,6,0]");
    check("Reverse", "opset1", "mode=index", OPERANDS(HUGE_EMPTY, "i64[2] 0 1"), HUGE_EMPTY);
    check("Abs", "opset1", NULL, OPERANDS(HUGE_EMPTY), HUGE_EMPTY);
    check("Less", "opset1", NULL, OPERANDS(HUGE_EMPTY, HUGE_EMPTY), "boolean[4000000000,2,0]");
    check("MatMul", "opset1", NULL, OPERANDS("f32[4000000000,0]", "f32[0,0]"), "f32[4000000000,0]");
    check("MatMul", "opset1", NULL, OPERANDS("f32[4000000000,1,0]", "f32[0,0]"),
          "f32[4000000000,1,0]");
    check("NormalizeL2", "opset1", "eps=1;eps_mode=add", OPERANDS(HUGE_EMPTY, "i64[1] 2"),
          HUGE_EMPTY);
    check("MVN", "opset6", "eps=1;normalize_variance=true;eps_mode=inside_sqrt",
          OPERANDS(HUGE_EMPTY, "i64[1] 2"), HUGE_EMPTY);
    check("LRN", "opset1", "alpha=1;beta=1;bias=1;size=3", OPERANDS(HUGE_EMPTY, "i64[1] 1"),
          HUGE_EMPTY);
    check_forms("TopK", "opset3", "axis=1;mode=max;sort=value", OPERANDS(HUGE_EMPTY, "i64[] 1"),
                RESULTS("f32[4000000000,1,0]", "i32[4000000000,1,0]"));
    check("SoftMax", "opset1", NULL, OPERANDS(HUGE_EMPTY), HUGE_EMPTY);
    check("Split", "opset1", "num_splits=1", OPERANDS(HUGE_EMPTY, "i64[] 1"), HUGE_EMPTY);
    check("Slice", "opset8", NULL,
          OPERANDS(HUGE_EMPTY, "i64[1] 0", "i64[1] 3000000000", "i64[1] 1"), "f32[3000000000,2,0]");
    check("SliceScatter", "opset15", NULL,
          OPERANDS(HUGE_EMPTY, "f32[3000000000,2,0]", "i64[1] 0", "i64[1] 3000000000", "i64[1] 1"),
          HUGE_EMPTY);
    check("ScatterElementsUpdate", "opset3", NULL,
          OPERANDS(HUGE_EMPTY, "i64[4000000000,2,0]", HUGE_EMPTY, "i64[] 1"), HUGE_EMPTY);
    check("GatherElements", "opset6", "axis=1", OPERANDS(HUGE_EMPTY, "i64[4000000000,2,0]"),
          HUGE_EMPTY);
    check("GatherND", "opset8", "batch_dims=1", OPERANDS(HUGE_EMPTY, "i64[4000000000,0]"),
          HUGE_EMPTY);
    check("Pad", "opset1", "pad_mode=edge",
          OPERANDS("f32[4000000000,2,0]", "i64[3] 0 1 0", "i64[3] 0 0 0"), "f32[4000000000,3,0]");
    check("ReverseSequence", "opset1", "batch_axis=1;seq_axis=0",
          OPERANDS(HUGE_EMPTY, "i64[2] 1 2"), HUGE_EMPTY);
    check("Roll", "opset7", NULL, OPERANDS(HUGE_EMPTY, "i64[1] 1", "i64[1] 0"), HUGE_EMPTY);
    check("Broadcast", "opset3", NULL, OPERANDS("f32[1,0]", "i64[2] 4000000000 0"),
          "f32[4000000000,0]");
    check("Convert", "opset1", "destination_type=f16", OPERANDS(HUGE_EMPTY), "f16[4000000000,2,0]");
    check("Select", "opset1", NULL, OPERANDS("boolean[] 1", HUGE_EMPTY, HUGE_EMPTY), HUGE_EMPTY);
    check("NonZero", "opset3", NULL, OPERANDS(HUGE_EMPTY), "i64[3,0]");
    check("OneHot", "opset1", "axis=0",
          OPERANDS("i64[0]", "i64[] 4000000000", "f32[] 1", "f32[] 0"), "f32[4000000000,0]");
    check("Add", "opset1", NULL, OPERANDS(HUGE_EMPTY, "f32[] 1"), HUGE_EMPTY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(concat),           cmocka_unit_test(split),
        cmocka_unit_test(variadic_split),   cmocka_unit_test(pad),
        cmocka_unit_test(pad_far_away),     cmocka_unit_test(pad_messages),
        cmocka_unit_test(broadcast),        cmocka_unit_test(tile),
        cmocka_unit_test(select_),          cmocka_unit_test(reverse),
        cmocka_unit_test(reverse_sequence), cmocka_unit_test(roll),
        cmocka_unit_test(one_hot),          cmocka_unit_test(huge_without_elements),
    };

    return cmocka_run_group_tests_name("moves", tests, NULL, NULL);
}
