/* Broadcast, Tile, Select: the documents' examples, messages, shapes in the dark. */
#include "op_forms.h"
#include "unit.h"

static void check(const char *op, const char *version, const char *attrs, const char *const *in,
                  const char *want)
{
    check_forms(op, version, attrs, in, RESULTS(want));
}

static void broadcast(void **state)
{
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
              "error: input 2 \"axes_mapping\" has shape [2], data [1] has 1 dimension", "i32[1] 1",
              "i32[2] 1 1", "i32[2] 0 1");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broadcast),
        cmocka_unit_test(tile),
        cmocka_unit_test(select_),
    };

    return cmocka_run_group_tests_name("broadcast", tests, NULL, NULL);
}
