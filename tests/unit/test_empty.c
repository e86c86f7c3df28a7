/* Operations of all families on tensors that have no elements, but sizes that are not to be walked.
 */
#include "op_forms.h"
#include "unit.h"

static void check(const char *op, const char *version, const char *attrs, const char *const *in,
                  const char *want)
{
    check_forms(op, version, attrs, in, RESULTS(want));
}

/* A tensor without elements may be huge along an axis, and is not walked along it. */
#define HUGE_EMPTY "f32[4000000000,2,0]"
static void huge_without_elements(void **state)
{
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
        cmocka_unit_test(huge_without_elements),
    };

    return cmocka_run_group_tests_name("empty", tests, NULL, NULL);
}
