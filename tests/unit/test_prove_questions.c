/* What the solver was asked when a rule was proven is what it would be asked today: a proof is one
 * of its questions, and where those are others passes/PROVEN.md is stale. tests/prove/questions.txt
 * has a hash of them for each rule, if the solver answers as a proof wants it, and of what is found
 * out about its cases, on which the words of a verdict rest; LIST_QUESTIONS prints that file. These
 * do not depend on how the rule is told, nor on what stands in memory behind an end. Without MUTANT
 * (tests/mutation/run.py) or EVERY_QUESTION these are a few rules. */
#include "prove_rules.h"
#include "prove_told.h"

#include <inttypes.h>

enum { SHARE = 30 };

/* FNV-1a. */
static uint64_t hash_text(uint64_t hash, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211U;
    return hash;
}

/* Answers as a proof wants it: a first question asks whether its case is void. */
static bool answer(void *ctx, const char *text, size_t n, inlay_strbuf *out, inlay_diags *d)
{
    uint64_t *hash = ctx;

    (void)d;
    *hash = hash_text(*hash, text, n);
    answer_as_wanted(text, out);
    return true;
}

static uint64_t hash_of(const inlay_rules *rules, size_t i)
{
    uint64_t hash = 14695981039346656037U, told = prove_told_of(rules->rules[i], false);
    const inlay_prove_options o = {.solver = {answer, &hash}};
    inlay_diags *d = inlay_diags_new();
    inlay_proof proof;

    assert_true(inlay_prove(rules, i, &o, &proof, d));
    inlay_proof_free(&proof);
    inlay_diags_free(d);
    return hash_text(hash, (const char *)&told, sizeof told);
}

static const char *const sets[] = {
    "simplify",    "canonicalize",      "relax",         "turn",       "fuse",
    "approximate", "lower-dialects",    "regroup",       "xla.rules",  "user.rules",
    "wrong.rules", "wrong-reals.rules", "limited.rules", "reals.rules"};

static void list_questions(void)
{
    puts("# SET RULE HASH of what z3 was asked when the rule was proven; `make prove` writes it.");
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        inlay_rules *rules = rules_in(sets[k]);

        for (size_t i = 0; i < rules->n; i++)
            printf("%s %s %016" PRIx64 "\n", sets[k], rules->rules[i]->name, hash_of(rules, i));
        inlay_rules_free(rules);
    }
}

/* The rules of which the names are drawn, or the others. */
static void compare(const char *file, bool drawn)
{
    char line[200];

    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        inlay_rules *rules = rules_in(sets[k]);

        for (size_t i = 0; i < rules->n; i++) {
            const char *name = rules->rules[i]->name;

            if (is_drawn(name, SHARE) != drawn)
                continue;
            snprintf(line, sizeof line, "\n%s %s %016" PRIx64 "\n", sets[k], name,
                     hash_of(rules, i));
            if (!strstr(file, line))
                fail_msg("%s: other questions than were answered; make prove asks them", name);
        }
        inlay_rules_free(rules);
    }
}

static void test_questions(void **state)
{
    char *file = text_of("tests/prove/questions.txt");

    compare(file, true);
    if (getenv("MUTANT") || getenv("EVERY_QUESTION"))
        compare(file, false);
    free(file);
}

/* The rule I of RULES, of which more is known than nothing, as it is told and otherwise. */
static void tell_otherwise(const inlay_rules *rules, size_t i)
{
    const rule *r = rules->rules[i];
    inlay_arena *arena = inlay_arena_new();
    const rule other = prove_told_otherwise(r, arena);
    uint64_t found = prove_told_of(r, false), otherwise = prove_told_of(&other, true);

    if (found != 0 && otherwise != 0 && found != otherwise)
        fail_msg("%s: told in another order it is another rule", r->name);
    inlay_arena_free(arena);
}

static void test_told_otherwise(void **state)
{
    bool all = getenv("MUTANT") || getenv("EVERY_QUESTION");

    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        inlay_rules *rules = rules_in(sets[k]);

        for (size_t i = 0; i < rules->n; i++) {
            if (all || is_drawn(rules->rules[i]->name, SHARE))
                tell_otherwise(rules, i);
        }
        inlay_rules_free(rules);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_questions),
                                       cmocka_unit_test(test_told_otherwise)};

    if (getenv("LIST_QUESTIONS")) {
        list_questions();
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
