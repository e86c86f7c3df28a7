/* What has no encoding makes a rule unknown, in words that say what it is, though a solver would
 * answer each question as a proof wants it: both sides are the same. */
#include "prove_rules.h"

static const struct {
    const char *rule, *why;
} cases[] = {
    {"any f(x) => f(x)", "an operation of any type"},
    {"any f(x, a) {axis = b} => f(x, a) {axis = b}", "attributes of an operation of any type"},
    {"any f(x, a) {keep_dims = false} => f(x, a)", "attributes of an operation of any type"},
    {"GatherND(x, i) {batch_dims = 1} => GatherND(x, i) {batch_dims = 1}",
     "batches of a gather are not encoded"},
    {"Gather@opset8..(x, i, a) {batch_dims = 1} => Gather@opset8(x, i, a) {batch_dims = 1}",
     "batches of a gather are not encoded"},
    {"Range@opset4..(a, b, c) {...} => Range(a, b, c) {...}",
     "a Range of numbers that the rule does not name"},
    {"ScatterUpdate(ScatterUpdate(ScatterUpdate(ScatterUpdate(ScatterUpdate(ScatterUpdate(\n"
     "  ScatterUpdate(x, i, a, 0), j, a, 0), k, a, 0), l, a, 0), m, a, 0), n, a, 0), o, a, 0) => x",
     "too many operands of indices"},
    {"Slice(Slice(Slice(Slice(Slice(Slice(Slice(x, s, e, i), t, e, i), u, e, i), v, e, i), w, e, "
     "i),\n"
     "  y, e, i), z, e, i) => x",
     "too many spellings of windows"},
    {"TopK(x, k) {...} => TopK(x, k) {...}", "TopK has no encoding"},
    {"NonZero(x) => NonZero(x)", "NonZero has no encoding"},
    {"CumSum(x, a) => CumSum(x, a)", "CumSum has no encoding"},
    {"BatchNormInference@opset1(a, b, c, d, e) {epsilon = t}\n"
     "  => BatchNormInference@opset1(a, b, c, d, e) {epsilon = t}",
     "data may be another operand"},
};

static bool answer(void *ctx, const char *text, size_t n, inlay_strbuf *out, inlay_diags *d)
{
    (void)ctx;
    (void)n;
    (void)d;
    answer_as_wanted(text, out);
    return true;
}

static void test_words(void **state)
{
    const inlay_prove_options o = {.solver = {answer, NULL}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_diags *d = inlay_diags_new();
        inlay_strbuf text = {0};
        inlay_rules *rules;
        inlay_proof proof;

        inlay_strbuf_printf(&text, "rule same exact:\n  %s\n", cases[i].rule);
        rules = inlay_rules_parse("rules", text.bytes, text.n, d);
        assert_non_null(rules);
        assert_true(inlay_prove(rules, 0, &o, &proof, d));
        if (proof.verdict != INLAY_NOT_PROVEN || strcmp(proof.why, cases[i].why) != 0)
            fail_msg("%s: %d, %s", cases[i].rule, (int)proof.verdict, proof.why);
        inlay_proof_free(&proof);
        inlay_rules_free(rules);
        inlay_strbuf_free(&text);
        inlay_diags_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
