/* Roles and flags of the rows say what the operands of an operation are. */
#include "interp/interp.h"
#include "ir/shared.h"
#include "unit.h"

/* The documents of the operations say where each operand stands. */
static void test_places_of_operands(void **state)
{
    static const struct {
        const char *type, *version;
        inlay_role role;
        int input, attr;
    } expected[] = {
        {"Slice", "opset8", INLAY_ROLE_DATA, 0, -1},
        {"Slice", "opset8", INLAY_ROLE_UPDATES, -1, -1},
        {"Slice", "opset8", INLAY_ROLE_START, 1, -1},
        {"Slice", "opset8", INLAY_ROLE_STOP, 2, -1},
        {"Slice", "opset8", INLAY_ROLE_STEP, 3, -1},
        {"Slice", "opset8", INLAY_ROLE_AXES, 4, -1},
        {"SliceScatter", "opset15", INLAY_ROLE_DATA, 0, -1},
        {"SliceScatter", "opset15", INLAY_ROLE_UPDATES, 1, -1},
        {"SliceScatter", "opset15", INLAY_ROLE_START, 2, -1},
        {"SliceScatter", "opset15", INLAY_ROLE_STOP, 3, -1},
        {"SliceScatter", "opset15", INLAY_ROLE_STEP, 4, -1},
        {"SliceScatter", "opset15", INLAY_ROLE_AXES, 5, -1},
        {"Slice", "onnx1", INLAY_ROLE_START, -1, 0},
        {"Slice", "onnx1", INLAY_ROLE_STOP, -1, 1},
        {"Slice", "onnx1", INLAY_ROLE_AXES, -1, 2},
        {"Slice", "onnx13", INLAY_ROLE_START, 1, -1},
        {"Slice", "onnx13", INLAY_ROLE_AXES, 3, -1},
        {"Slice", "onnx13", INLAY_ROLE_STEP, 4, -1},
        {"StridedSlice", "opset1", INLAY_ROLE_START, 1, -1},
        {"StridedSlice", "opset1", INLAY_ROLE_STOP, 2, -1},
        {"StridedSlice", "opset1", INLAY_ROLE_STEP, 3, -1},
        {"StridedSlice", "opset1", INLAY_ROLE_AXES, -1, -1},
        {"ScatterUpdate", "opset3", INLAY_ROLE_INDICES, 1, -1},
        {"ScatterUpdate", "opset3", INLAY_ROLE_UPDATES, 2, -1},
        {"ScatterUpdate", "opset3", INLAY_ROLE_AXIS, 3, -1},
        {"ScatterNDUpdate", "opset15", INLAY_ROLE_INDICES, -1, -1},
        {"ScatterNDUpdate", "opset15", INLAY_ROLE_TUPLES, 1, -1},
        {"Tensor.scatter_", "mindspore", INLAY_ROLE_DATA, 0, -1},
        {"Tensor.scatter_", "mindspore", INLAY_ROLE_INDICES, 1, -1},
        {"Tensor.scatter_", "mindspore", INLAY_ROLE_UPDATES, 2, -1},
        {"Tensor.scatter_", "mindspore", INLAY_ROLE_AXIS, -1, 0},
        {"tensor_scatter_nd_update", "tensorflow", INLAY_ROLE_TUPLES, 1, -1},
        {"Gather", "opset8", INLAY_ROLE_INDICES, 1, -1},
        {"Gather", "opset8", INLAY_ROLE_AXIS, 2, -1},
        {"GatherElements", "opset6", INLAY_ROLE_AXIS, -1, 0},
        {"GatherND", "opset8", INLAY_ROLE_TUPLES, 1, -1},
        {"VariadicSplit", "opset1", INLAY_ROLE_AXIS, 1, -1},
        {"VariadicSplit", "opset1", INLAY_ROLE_LENGTHS, 2, -1},
        {"Gather", "opset8", INLAY_ROLE_BATCH, -1, 0},
        {"GatherND", "opset8", INLAY_ROLE_BATCH, -1, 0},
        {"Transpose", "opset1", INLAY_ROLE_ORDER, 1, -1},
        {"ReverseSequence", "opset1", INLAY_ROLE_PREFIXES, 1, -1},
        {"ReverseSequence", "opset1", INLAY_ROLE_AXIS, -1, 1},
        {"Broadcast", "opset3", INLAY_ROLE_SHAPE, 1, -1},
        {"Reshape", "opset1", INLAY_ROLE_SHAPE, 1, -1},
        {"Broadcast", "opset3", INLAY_ROLE_PLACES, 2, -1},
        {"Tile", "opset1", INLAY_ROLE_REPEATS, 1, -1},
        {"Pad", "opset12", INLAY_ROLE_MARGINS, 1, -1},
        {"BatchNormInference", "opset1", INLAY_ROLE_DATA, 2, -1},
        {"BatchNormInference", "opset5", INLAY_ROLE_DATA, 0, -1},
        {"Loop", "opset5", INLAY_ROLE_COUNT, 0, -1},
        {"Range", "opset4", INLAY_ROLE_START, -1, -1}, /* it has no window, and no data */
        {"OneHot", "opset1", INLAY_ROLE_INDICES, -1, -1},
        {"Add", "opset1", INLAY_ROLE_DATA, -1, -1},
    };

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const inlay_op *op = inlay_op_find(NULL, expected[i].type, expected[i].version, NULL, NULL);

        if (!op || inlay_op_operand(op, expected[i].role) != expected[i].input ||
            inlay_op_role_attr(op, expected[i].role) != expected[i].attr)
            fail_msg("%s of %s, role %d", expected[i].type, expected[i].version, expected[i].role);
    }
}

/* For every row and role, what an operand says of itself agrees with what its row answers. */
static void test_rows_answer_what_operands_say(void **state)
{
    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *op = inlay_op_at(NULL, i);

        assert_int_equal(inlay_op_operand(op, INLAY_ROLE_NONE), -1);
        for (int r = INLAY_ROLE_NONE + 1; r < INLAY_N_ROLES; r++) {
            int found = -1;

            for (int k = 0; k < op->n_in; k++)
                found = op->in[k].role == (inlay_role)r ? k : found;
            assert_int_equal(inlay_op_operand(op, (inlay_role)r), found);
            assert_true(found < 0 || inlay_op_role_attr(op, (inlay_role)r) < 0);
        }
    }
}

/* These outputs hold no element of data: sizes and positions that the operation finds. */
static void test_outputs(void **state)
{
    static const struct {
        const char *type, *version;
        int output;
        inlay_role role;
    } expected[] = {
        {"ShapeOf", "opset1", 0, INLAY_ROLE_SHAPE},
        {"ShapeOf", "opset3", 0, INLAY_ROLE_SHAPE},
        {"NonZero", "opset3", 0, INLAY_ROLE_INDICES},
        {"TopK", "opset11", 0, INLAY_ROLE_NONE},
        {"TopK", "opset11", 1, INLAY_ROLE_INDICES},
        {"MaxPool", "opset8", 0, INLAY_ROLE_NONE},
        {"MaxPool", "opset8", 1, INLAY_ROLE_INDICES},
        {"Range", "opset4", 0, INLAY_ROLE_NONE},
        {"Gather", "opset8", 0, INLAY_ROLE_NONE},
        {"NonMaxSuppression", "opset9", 0, INLAY_ROLE_NONE}, /* -1 stands for no box */
    };

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const inlay_op *op = inlay_op_find(NULL, expected[i].type, expected[i].version, NULL, NULL);

        if (!op || op->out[expected[i].output].role != expected[i].role)
            fail_msg("output %d of %s", expected[i].output, expected[i].type);
    }
}

/* Only the operations of the list have a flag, in every version, and no others. */
static void test_flags(void **state)
{
    static const struct {
        unsigned flag;
        const char *types;
    } expected[] = {
        {INLAY_ADOPTS, " Parameter Const Result ReadValue Assign If Loop TensorIterator "},
        {INLAY_RESHAPES, " Reshape Squeeze Unsqueeze Identity "},
        {INLAY_CUTS, " Slice Split VariadicSplit "},
        {INLAY_CONVERTS, " Convert ConvertLike Cast "},
        {INLAY_SHAPE_ONLY, " ShapeOf "},
        {INLAY_REPEATS, " Broadcast Tile "},
        {INLAY_PREPARES, " Gather ScatterUpdate SliceScatter ReduceSum ReduceProd ReduceMean "
                         "ReduceMax ReduceMin ReduceL1 "
                         "ReduceL2 ReduceLogicalAnd ReduceLogicalOr SoftMax LogSoftmax MVN "},
        {INLAY_ROWS,
         " Gather GatherElements GatherND ScatterUpdate ScatterElementsUpdate ScatterNDUpdate "},
        {INLAY_DISTINCT, " NonZero TopK Unique "},
        {INLAY_FORMS,
         " Abs Ceiling Floor Negative ReLU Sign Round Add Subtract Multiply Maximum Minimum "
         "SquaredDifference Equal NotEqual Less LessEqual Greater GreaterEqual LogicalAnd "
         "LogicalOr "
         "LogicalXor Xor LogicalNot BitwiseAnd BitwiseOr BitwiseXor BitwiseNot Select "
         "IsFinite IsInf IsNaN "},
        {INLAY_HAS_BODY, " If Loop TensorIterator "},
    };

    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *op = inlay_op_at(NULL, i);
        char word[80];

        if (strcmp(op->set, "opset") != 0)
            continue;
        snprintf(word, sizeof word, " %s ", op->name);
        for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
            if (!(op->flags & expected[k].flag) != !strstr(expected[k].types, word))
                fail_msg("%s-%d: flag %u", op->name, op->version, expected[k].flag);
        }
    }
}

/* Makes the integers -2 to 2 along AXIS of two, or truth values. */
static inlay_value *small_numbers(inlay_graph *g, inlay_type type, int axis)
{
    const int64_t dims[2] = {axis == 0 ? 5 : 1, axis == 1 ? 5 : 1};
    int64_t x[5];

    for (int i = 0; i < 5; i++)
        x[i] = type == INLAY_BOOLEAN ? i % 2 : i - 2;
    return inlay_build_ints(g, "x", type, 2, dims, x, NULL);
}

/* Returns whether OP takes two elements of some pair of small integers; each of the first operand
 * meets each of the second. */
static bool takes_all_pairs(const inlay_op *op)
{
    inlay_exec_options o = {0};
    inlay_evaluator e = inlay_reference_evaluator(&o);
    inlay_graph *g = inlay_graph_new("g", NULL);
    inlay_value *in[2] = {NULL};
    const inlay_tensor *x[2] = {NULL};
    inlay_tensor *out[1] = {NULL};
    char operation[80];
    inlay_node *n;
    bool ok;

    for (int i = 0; i < op->n_in; i++) {
        bool ints = op->in[i].types >> INLAY_I32 & 1;

        in[i] = small_numbers(g, ints ? INLAY_I32 : INLAY_BOOLEAN, i);
        x[i] = in[i]->fact.content;
    }
    snprintf(operation, sizeof operation, "%s@%s", op->name, op->written);
    n = inlay_build(g, NULL, operation, in, op->n_in, NULL, NULL);
    assert_non_null(n);
    ok = e.eval_node(e.ctx, n, x, out, NULL);
    inlay_tensor_release(out[0]);
    inlay_graph_free(g);
    return ok;
}

/* A kernel that computes element by element refuses data exactly where its row names an input. */
static void test_faults(void **state)
{
    int looked = 0;

    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *op = inlay_op_at(NULL, i);
        bool fits = (op->flags & INLAY_POINTWISE) && op->n_in <= 2;

        for (int k = 0; k < op->n_in; k++)
            fits = fits && (op->in[k].types & (1u << INLAY_I32 | 1u << INLAY_BOOLEAN));
        for (int k = 0; k < op->n_attrs; k++)
            fits = fits && !op->attrs[k].required;
        if (fits && takes_all_pairs(op) != (op->faults < 0))
            fail_msg("%s-%d: faults=%d", op->name, op->version, op->faults);
        looked += fits;
    }
    assert_true(looked > 40);
}

static void test_unknown_operations_have_no_roles(void **state)
{
    inlay_graph *g = inlay_graph_new("g", NULL);
    const inlay_op *op = inlay_op_stand_in(g->arena, "Mystery", "opset1", NULL);

    assert_non_null(op);
    assert_int_equal(inlay_op_operand(op, INLAY_ROLE_DATA), -1);
    assert_int_equal(inlay_op_role_attr(op, INLAY_ROLE_AXIS), -1);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_of_operands),
        cmocka_unit_test(test_rows_answer_what_operands_say),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_unknown_operations_have_no_roles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
