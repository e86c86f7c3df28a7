/* Sparse tensors of ONNX, and inputs that have a value, in models of the JSON form. */
#include "parser/parser.h"
#include "tests/unit/models.h"
#include "unit.h"

static char *read_text(const char *model, const inlay_read_options *o)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_onnx("m", model, strlen(model), NULL, o, d);
    inlay_strbuf text = {0};
    inlay_sink sink = {inlay_strbuf_sink, &text};

    if (g)
        assert_true(inlay_print(g, true, &sink, NULL));
    else
        inlay_strbuf_puts(&text, model_messages(d));
    inlay_graph_free(g);
    inlay_diags_free(d);
    return text.bytes;
}

/* Checks that what is printed, or said, has EXPECTED in it. */
static void check(const char *model, const inlay_read_options *o, const char *expected)
{
    char *text = read_text(model, o);

    if (!strstr(text, expected))
        fail_msg("%s\n  is not in %s", expected, text);
    free(text);
}

#define MODEL(graph)                                                                               \
    "{\"irVersion\": 8, \"opsetImport\": [{\"version\": 17}], \"graph\": {" graph "}}"
#define SPARSE(values, indices, dims)                                                              \
    MODEL("\"sparseInitializer\": [{\"values\": {\"name\": \"w\", " values                         \
          "}, \"indices\": {\"dataType\": 7, " indices "}, \"dims\": " dims                        \
          "}], \"output\": [{\"name\": \"w\"}]")
#define TWO "\"dataType\": 1, \"dims\": [2], \"floatData\": [5, 7]"

static void test_sparse(void **state)
{
    check(SPARSE(TWO, "\"dims\": [2], \"int64Data\": [2, 3]", "[2, 3]"), NULL,
          "%w = Const-1 {value = f32[2,3] [0, 0, 5, 7, 0, 0]} : f32[2,3] as \"w\"");
    check(SPARSE(TWO, "\"dims\": [2, 2], \"int64Data\": [0, 2, 1, 0]", "[2, 3]"), NULL,
          "f32[2,3] [0, 0, 5, 7, 0, 0]");
    check(SPARSE("\"dataType\": 22, \"dims\": [1], \"int32Data\": [7]",
                 "\"dims\": [1], \"int64Data\": [1]", "[3]"),
          NULL, "i4[3] [0, 7, 0]");
    check(SPARSE("\"dataType\": 1, \"dims\": [0]", "\"dims\": [0]", "[2]"), NULL, "f32[2] [0, 0]");
    check(MODEL("\"node\": [{\"opType\": \"Constant\", \"output\": [\"w\"], \"attribute\": "
                "[{\"name\": \"sparse_value\", \"type\": \"SPARSE_TENSOR\", \"sparseTensor\": "
                "{\"values\": {" TWO "}, \"indices\": {\"dataType\": 7, \"dims\": [2], "
                "\"int64Data\": [0, 2]}, \"dims\": [4]}}]}], \"output\": [{\"name\": \"w\"}]"),
          NULL, "f32[4] [5, 0, 7, 0]");
}

static void test_sparse_messages(void **state)
{
    static const char wrong[] = "error: graph.sparse_initializer[0] \"w\": the indices of a sparse "
                                "tensor must be i64, one for each value or one for each value and "
                                "axis";

    check(SPARSE(TWO, "\"dims\": [2], \"int64Data\": [2, 6]", "[2, 3]"), NULL,
          "index 6 of value 1 is outside of the 6 that there are");
    check(SPARSE(TWO, "\"dims\": [2, 2], \"int64Data\": [0, 3, 1, 0]", "[2, 3]"), NULL,
          "index 3 of value 0 is outside of the 3 that there are");
    check(SPARSE(TWO, "\"dims\": [2], \"int64Data\": [2, -1]", "[2, 3]"), NULL,
          "index -1 of value 1 is outside");
    check(SPARSE(TWO, "\"dims\": [2], \"int64Data\": [2, 2]", "[2, 3]"), NULL,
          "the indices of a sparse tensor must ascend, those of value 1 do not");
    check(SPARSE(TWO, "\"dims\": [1], \"int64Data\": [2]", "[2, 3]"), NULL, wrong);
    check(SPARSE(TWO, "\"dims\": [2, 1], \"int64Data\": [2, 3]", "[2, 3]"), NULL, wrong);
    check(SPARSE(TWO, "\"dims\": [2], \"int64Data\": [0, 1]", "[2, -3]"), NULL,
          "dims[1] is -3, it must not be negative");
    check(
        SPARSE(TWO, "\"dims\": [2], \"int64Data\": [0, 1]", "[4294967296, 4294967296, 4294967296]"),
        NULL, "the tensor has more elements than can be counted");
    check(SPARSE(TWO, "\"dims\": [2], \"int64Data\": [0, 1]",
                 "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2]"),
          NULL, "the sparse tensor has 33 dimensions, at most 32 are read");
    check(SPARSE("\"dataType\": 8, \"dims\": [1], \"stringData\": [\"YQ==\"]",
                 "\"dims\": [1], \"int64Data\": [0]", "[2]"),
          NULL, "a sparse tensor of strings is not read");
    check(MODEL("\"sparseInitializer\": [{\"values\": {\"name\": \"w\"}}]"), NULL,
          "a sparse tensor needs values and indices");
    check(MODEL("\"sparseInitializer\": [{}]"), NULL, "an initializer needs a name");
}

#define DEFAULTS(version)                                                                          \
    "{\"irVersion\": " version ", \"opsetImport\": [{\"version\": 17}], \"graph\": {\"input\": "   \
    "[{\"name\": \"x\", \"type\": {\"tensorType\": {\"elemType\": 1, \"shape\": {\"dim\": "        \
    "[{\"dimValue\": 2}]}}}}, {\"name\": \"w\", \"type\": {\"tensorType\": {\"elemType\": 1, "     \
    "\"shape\": {\"dim\": [{\"dimValue\": 2}]}}}}], \"initializer\": [{\"name\": \"w\", " TWO      \
    "}, {\"name\": \"c\", " TWO                                                                    \
    "}], \"node\": [{\"opType\": \"Add\", \"input\": [\"x\", \"w\"], \"output\": [\"y\"]}, "       \
    "{\"opType\": \"Mul\", \"input\": [\"y\", \"c\"], \"output\": [\"z\"]}], \"output\": "         \
    "[{\"name\": \"z\"}]}}"

/* A value of an input is a constant unless the options ask for the input. A value that belongs to
 * no input stays a constant; so does one that was listed as an input because IR version 3 wanted
 * all initializers listed. */
static void test_overridden_inputs(void **state)
{
    const char *const names[] = {"nothing", "w", "c"};
    const inlay_read_options o = {.overrides = names, .n_overrides = 3};

    check(DEFAULTS("8"), NULL, "%w = Const-1 {value = f32[2] [5, 7]}");
    check(DEFAULTS("8"), &o, "%w = Parameter-1 {element_type = f32, shape = [2]}");
    check(DEFAULTS("8"), &o, "%c = Const-1 {value = f32[2] [5, 7]}");
    check(DEFAULTS("3"), &o, "%w = Const-1 {value = f32[2] [5, 7]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_sparse_messages),
        cmocka_unit_test(test_overridden_inputs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
