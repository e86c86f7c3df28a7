/* A proof of which an allocation fails says so, or is as good as it would be, and frees what it has.
 * The solver is one that gives the answers that a rule of this kind gets. */
#ifndef __SANITIZE_ADDRESS__ /* which has a malloc of its own */
#include "../oom/failing_malloc.c"
#include "unit.h"
#else
static long fail_at, calls, live;
static int counting;
#endif
#include "interp/interp.h"
#include "passes/prove/case.h"

/* Says CTX of each question but whether a case is void, and that all numbers are 1. */
static bool answer(void *ctx, const char *text, size_t n, inlay_strbuf *out, inlay_diags *d)
{
    bool numbers = strncmp(text, "(reset)", 7) == 0, first = false;

    (void)n;
    for (; text; text = strchr(text, '\n'), text = text ? text + 1 : NULL) {
        first = first || strncmp(text, "(declare-fun ", 13) == 0;
        if (strncmp(text, "(eval ", 6) == 0)
            inlay_strbuf_puts(out, "1\n");
        if (strncmp(text, "(echo ", 6) == 0)
            inlay_strbuf_printf(out, "%.*s\n", (int)strcspn(text + 7, "\""), text + 7);
        if (strncmp(text, "(check-sat)", 11) != 0)
            continue;
        inlay_strbuf_printf(out, "%s\n", first && !numbers ? "unknown" : (const char *)ctx);
        first = false;
    }
    return !out->failed || inlay_fail_memory(d);
}

static const struct {
    const char *rule, *says;
    inlay_proof_verdict verdict;
} cases[] = {
    {"exact:\n  Negative(Subtract(x, y)) => Subtract(y, x)", "unsat", INLAY_PROVEN},
    {"exact:\n  Slice(SliceScatter(_, u, window w), window r) => Slice(u, window p)\n"
     "  where let p = relative(r, w)",
     "unsat", INLAY_PROVEN},
    {"exact:\n  Slice(x, window w) => x\n  where covers(w)", "sat", INLAY_REFUTED},
    {"exact:\n  ReduceSum(Add(x, y), a) {keep_dims = k} => ReduceSum(Add(y, x), a) {keep_dims = "
     "k}\n"
     "  where integers(x)",
     "unsat", INLAY_PROVEN_FOR},
    {"approx:\n  Multiply(x, Sigmoid(x)) => Swish(x)", "unsat", INLAY_PROVEN_OVER_REALS},
};

/* Proves RULES with allocation AT failing; 0: none. Returns how many there were. */
static long prove_with(long at, const inlay_rules *rules, size_t i)
{
    bool refutes = cases[i].verdict == INLAY_REFUTED;
    inlay_prove_options o = {.solver = {answer, (void *)cases[i].says}};
    inlay_diags *d = inlay_diags_new();
    long before = live, first = calls, n;
    inlay_proof proof;
    bool ok;

    if (refutes)
        o.evaluator = inlay_reference_evaluator(NULL);
    fail_at = at ? first + at : 0;
    ok = inlay_prove(rules, 0, &o, &proof, d);
    fail_at = 0;
    n = calls - first;
    if (ok && (proof.verdict != cases[i].verdict || !*proof.why != !refutes))
        fail_msg("%s, allocation %ld of %ld: %d %s", cases[i].rule, at, n, proof.verdict,
                 proof.why);
    if (!ok)
        assert_int_equal(inlay_diags_status(d), INLAY_NO_RESOURCE);
    inlay_proof_free(&proof);
    inlay_diags_clear(d);
    /* Some blocks of the evaluator are counted only when they are freed. */
    if (live > before || (!refutes && live < before))
        fail_msg("%s, allocation %ld of %ld: %ld blocks stay", cases[i].rule, at, n, live - before);
    inlay_diags_free(d);
    return n;
}

static void test_memory(void **state)
{
    long most = getenv("MUTANT") ? 300 : 40;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_diags *d = inlay_diags_new();
        char text[500];
        inlay_rules *rules;
        long n;

        snprintf(text, sizeof text, "rule a %s\n", cases[i].rule);
        rules = inlay_rules_parse("test.rules", text, strlen(text), d);
        assert_non_null(rules);
        n = prove_with(0, rules, i);
        for (long at = 1; at <= n; at += n / most + 1)
            prove_with(at, rules, i);
        inlay_rules_free(rules);
        inlay_diags_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};

    counting = 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
