/* What a proof leaves out, and which cases it has, follow from the rule alone: with a solver that
 * answers each question as a proof wants it no rule is said to be proven of more than it is, and
 * those that are built in are what passes/PROVEN.md says. Without MUTANT (tests/mutation/run.py)
 * these are a few rules of the page. */
#include "prove_rules.h"

enum { SHARE = 8 };

/* Each operation on floats of the questions TEXT is one that SMT-LIB has. */
static void check_words(const char *text)
{
    static const char *const words[] = {
        "abs",        "add",    "div", "eq",         "geq",
        "gt",         "lt",     "leq", "isInfinite", "isNaN",
        "isNegative", "isZero", "mul", "neg",        "roundToIntegral",
        "sqrt",       "sub"};

    for (text = strstr(text, "(fp."); text; text = strstr(text, "(fp.")) {
        bool known = false;
        size_t n = strcspn(text += 4, " ");

        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            known = known || (strlen(words[i]) == n && strncmp(words[i], text, n) == 0);
        if (!known)
            fail_msg("no operation: %.40s", text);
    }
}

/* No case is void, and no question has a counterexample. */
static bool answer(void *ctx, const char *text, size_t n, inlay_strbuf *out, inlay_diags *d)
{
    (void)ctx;
    (void)n;
    (void)d;
    check_words(text);
    answer_as_wanted(text, out);
    return true;
}

static inlay_proof proof_of(const inlay_rules *rules, size_t i)
{
    const inlay_prove_options o = {.solver = {answer, NULL}};
    inlay_diags *d = inlay_diags_new();
    inlay_proof proof;

    assert_true(inlay_prove(rules, i, &o, &proof, d));
    inlay_diags_free(d);
    return proof;
}

/* A line of the page: "| `NAME` | VERDICT | CASES | AXES | WHY | HASH |". */
struct line {
    char verdict[40], why[300];
    int cases, axes;
};

static struct line line_of(const char *page, const char *name)
{
    struct line l = {"", "", 0, 0};
    char word[100];
    const char *at;
    size_t n;

    snprintf(word, sizeof word, "\n| `%s` | ", name);
    at = strstr(page, word);
    if (!at)
        fail_msg("the page has no %s", name);
    at += strlen(word);
    n = strcspn(at, "|") - 1;
    snprintf(l.verdict, sizeof l.verdict, "%.*s", (int)n, at);
    assert_true(sscanf(at + n, " | %d | %d | %299[^|]", &l.cases, &l.axes, l.why) >= 2);
    return l;
}

static void compare(const char *name, const struct line *l, const inlay_proof *p)
{
    static const char *const words[] = {"proven",
                                        "unknown",
                                        "refuted",
                                        "proven for",
                                        "proven over the reals",
                                        "proven over the reals for"};

    if (strcmp(words[p->verdict], l->verdict) != 0 || p->rank != l->axes || p->cases < l->cases ||
        !strstr(l->why, p->only) || !strstr(l->why, p->read) || !strstr(l->why, p->why))
        fail_msg("%s: %s of %d cases, %d axes: %s %s %s, not %s of %d cases, %d axes: %s", name,
                 words[p->verdict], p->cases, p->rank, p->only, p->read, p->why, l->verdict,
                 l->cases, l->axes, l->why);
}

static void test_page(void **state)
{
    static const char *const sets[] = {"simplify", "canonicalize", "relax",          "turn",
                                       "fuse",     "approximate",  "lower-dialects", "regroup"};
    char *page = text_of("passes/PROVEN.md");
    unsigned every = getenv("MUTANT") ? 1 : SHARE;

    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        inlay_rules *rules = rules_in(sets[k]);

        for (size_t i = 0; i < rules->n; i++) {
            const char *name = rules->rules[i]->name;
            struct line l = line_of(page, name);
            inlay_proof proof;

            if (strstr(l.why, "the solver says") || !is_drawn(name, every))
                continue;
            proof = proof_of(rules, i);
            compare(name, &l, &proof);
            inlay_proof_free(&proof);
        }
        inlay_rules_free(rules);
    }
    free(page);
}

/* Of rules that are right for a part of what they take a proof leaves something out, but of those
 * of which the solver finds what is wrong. */
static void leaves_out(const char *name, const inlay_proof *p)
{
    static const char *const solved =
        " equal-turned sum-of-negative negative-of-negative batch-lost "
        "order-of-strings-lost pad-into-convolution-of-any factor-beyond-the-largest "
        "logarithm-of-zero ";
    char word[100];

    snprintf(word, sizeof word, " %s ", name);
    if (!strstr(solved, word) &&
        (p->verdict == INLAY_PROVEN || p->verdict == INLAY_PROVEN_OVER_REALS))
        fail_msg("%s is proven", name);
}

static void leaves_some(const char *name, const inlay_proof *p)
{
    if (p->verdict == INLAY_NOT_PROVEN)
        fail_msg("%s: %s", name, p->why);
}

static void try_file(const char *file, unsigned every,
                     void (*try)(const char *name, const inlay_proof *p))
{
    inlay_rules *rules = rules_in(file);

    for (size_t i = 0; i < rules->n; i++) {
        inlay_proof proof;

        if (!is_drawn(rules->rules[i]->name, every))
            continue;
        proof = proof_of(rules, i);
        try(rules->rules[i]->name, &proof);
        inlay_proof_free(&proof);
    }
    inlay_rules_free(rules);
}

static void test_files(void **state)
{
    unsigned every = getenv("MUTANT") ? 1 : SHARE;

    try_file("limited.rules", 1, leaves_out);
    try_file("xla.rules", every, leaves_some);
    try_file("user.rules", every, leaves_some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
