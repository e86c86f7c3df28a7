/* What a solver says of whole files of rules, without the random graphs that `inlay prove` tries
 * besides, which would hide an encoding that claims too much. Without MUTANT (tests/mutation/run.py)
 * these are a few rules of each file, other ones for each INLAY_SEED. */
#define _XOPEN_SOURCE 700 /* fdopen, mkstemp, popen */
#include "interp/interp.h"
#include "passes/prove/case.h"
#include "prove_rules.h"
#include "unit.h"

#include <unistd.h>

/* A question is the first of its case if what is pushed stands on the outermost level: whether the
 * case is void, to which any answer but "unsat" is fine. Returns the questions as one letter each:
 * 'v', 'q', or 'n' of numbers, of which another line tells the types. */
static char *kinds_of(const char *text)
{
    bool numbers = strncmp(text, "(reset)", 7) == 0, first = false;
    char *kinds = malloc(strlen(text) + 1), *end = kinds;

    assert_non_null(kinds);
    for (const char *at = text; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
        first = first || strncmp(at, "(declare-fun ", 13) == 0;
        if (strncmp(at, "(echo ", 6) == 0)
            *end++ = 'e';
        if (strncmp(at, "(check-sat)", 11) != 0)
            continue;
        *end++ = numbers ? 'n' : first ? 'v' : 'q';
        first = false;
    }
    *end = '\0';
    return kinds;
}

enum {
    FIRST = 6,   /* cases of a right rule, and laws, that are asked about; and as many more */
    FEW = 16,    /* cases that are all asked about */
    TRIED = 300, /* comparisons of what is proven */
    SHARE = 30   /* of the rules one is tried */
};

/* Writes TEXT, in which the questions of some cases are put, and the others are answered as a proof
 * wants it: of the first few, and of every STEP-th behind them. Laws stand for themselves, and are
 * left out with their types and declarations. */
static void write_some(FILE *f, const char *text, const char *kinds, size_t step)
{
    bool laws = strchr(kinds, 'n'), put = true;
    size_t i = 0, n = 0;

    for (const char *next; *text; text = next) {
        bool question = strncmp(text, "(check-sat)", 11) == 0;
        bool told = strncmp(text, "(echo ", 6) == 0;

        next = strchr(text, '\n') ? strchr(text, '\n') + 1 : text + strlen(text);
        if (laws ? strncmp(text, "(reset)", 7) == 0 : question && kinds[i] == 'v')
            put = n++ < FIRST || n % step == 0;
        if (question && !put)
            fprintf(f, "(echo \"%s\")%.*s", kinds[i] == 'v' ? "unknown" : "unsat",
                    (int)(next - text - 11), text + 11);
        else if (put || told || !laws)
            fwrite(text, 1, (size_t)(next - text), f);
        i += question || told;
    }
}

/* How often C is in TEXT. */
static size_t count_of(const char *text, char c)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == c;
    return n;
}

/* z3, which is not heard to its end where an answer proves nothing. */
static bool ask(void *ctx, const char *text, size_t n, inlay_strbuf *out, inlay_diags *d)
{
    const bool *all = ctx; /* else some of many questions, and the others are believed */
    char path[] = "/tmp/inlay-questions-XXXXXX", command[100], line[200], *kinds = kinds_of(text);
    size_t step = *all ? 1 : (count_of(kinds, 'v') + count_of(kinds, 'n')) / FIRST + 1;
    FILE *f = fdopen(mkstemp(path), "w");

    (void)n;
    (void)d;
    assert_non_null(f);
    write_some(f, text, kinds, step);
    assert_int_equal(fclose(f), 0);
    snprintf(command, sizeof command, "timeout 600 z3 %s", path);
    f = popen(command, "r");
    assert_non_null(f);
    for (size_t i = 0; kinds[i] && fgets(line, sizeof line, f); i++) {
        inlay_strbuf_puts(out, line);
        if ((kinds[i] == 'q' || kinds[i] == 'n') && strcmp(line, "unsat\n") != 0)
            break;
    }
    pclose(f);
    unlink(path);
    free(kinds);
    return true;
}

static inlay_proof proof_of(const inlay_rules *rules, size_t i, bool all)
{
    const inlay_prove_options o = {.solver = {ask, &all}};
    inlay_diags *d = inlay_diags_new();
    inlay_proof proof;

    assert_true(inlay_prove(rules, i, &o, &proof, d));
    inlay_diags_free(d);
    return proof;
}

/* R names what the tables of a file say: {"NAME", of which TAKE leaves nothing for the next rule. */
static bool is_named(const rule *r, char *file, bool take)
{
    char word[100], *at;
    bool named = false;

    for (int i = 0; i < r->n_clauses + r->left.n_nodes + r->right.n_nodes; i++) {
        int left = i - r->n_clauses, right = left - r->left.n_nodes;
        const rule_node *n =
            right < 0 ? &r->left.nodes[left < 0 ? 0 : left] : &r->right.nodes[right];
        const char *name = left < 0 ? r->clauses[i].fn->name : n->type;

        snprintf(word, sizeof word, "{\"%s\",", name ? name : "");
        at = strstr(file, word);
        named = named || at;
        if (at && take)
            *at = ' ';
    }
    return named;
}

/* How many rules of SETS name what FILE is about, or do not. */
static unsigned count(const char *const *sets, char *file, bool named)
{
    unsigned n = 0;

    for (int k = 0; sets[k]; k++) {
        inlay_rules *rules = rules_in(sets[k]);

        for (size_t i = 0; i < rules->n; i++)
            n += is_named(rules->rules[i], file, false) == named;
        inlay_rules_free(rules);
    }
    return n;
}

/* Calls TRY for the rules that are tried: of a mutant one for each name that its file is about, of
 * others that have such names about MOST, and then half as many of those that have none. */
static void try_rules(const char *const *sets, void (*try)(const inlay_rules *rules, size_t i),
                      unsigned most)
{
    const char *mutant = getenv("MUTANT");
    char *file = mutant ? text_of(mutant) : NULL, *rest = mutant ? text_of(mutant) : NULL;

    for (int named = 1; named >= (file ? 0 : 1); named--, most /= 2) {
        unsigned every = file ? count(sets, file, named) / most + 1 : SHARE;

        for (int k = 0; sets[k]; k++) {
            inlay_rules *rules = rules_in(sets[k]);

            for (size_t i = 0; i < rules->n; i++) {
                const rule *r = rules->rules[i];

                if ((!file || is_named(r, file, false) == named) &&
                    (is_drawn(r->name, every) || (file && is_named(r, rest, true))))
                    try(rules, i);
            }
            inlay_rules_free(rules);
        }
    }
    free(file);
    free(rest);
}

static void not_proven(const inlay_rules *rules, size_t i)
{
    inlay_proof proof = proof_of(rules, i, true);

    if (proof.verdict == INLAY_PROVEN)
        fail_msg("%s is proven", rules->rules[i]->name);
}

static void test_wrong(void **state)
{
    try_rules((const char *const[]){"wrong.rules", "limited.rules", NULL}, not_proven, 60);
}

/* The line of the page about a rule that is built in: "| `NAME` | VERDICT | CASES |". */
static void as_the_page_says(const inlay_rules *rules, size_t i)
{
    static const char *const words[] = {[INLAY_PROVEN] = "proven",
                                        [INLAY_NOT_PROVEN] = "unknown",
                                        [INLAY_REFUTED] = "refuted",
                                        [INLAY_PROVEN_FOR] = "proven for",
                                        [INLAY_PROVEN_OVER_REALS] = "proven over the reals",
                                        [INLAY_PROVEN_OVER_REALS_FOR] =
                                            "proven over the reals for"};
    char *page = text_of("passes/PROVEN.md"), word[100], verdict[30], *line;
    inlay_proof proof;
    int cases;

    snprintf(word, sizeof word, "\n| `%s` |", rules->rules[i]->name);
    line = strstr(page, word);
    assert_non_null(line);
    assert_int_equal(sscanf(line + strlen(word), " %29[a-z ]| %d", verdict, &cases), 2);
    if (cases > 0 && strcmp(verdict, "unknown ") != 0) {
        proof = proof_of(rules, i, cases < FEW);
        if (strncmp(verdict, words[proof.verdict], strlen(verdict) - 1) != 0 ||
            proof.cases < cases || (cases < FEW && proof.cases != cases))
            fail_msg("%s: %s, %d cases, not %s, %d cases: %s", rules->rules[i]->name,
                     words[proof.verdict], proof.cases, verdict, cases, proof.why);
    }
    free(page);
}

static void test_built_in(void **state)
{
    try_rules((const char *const[]){"simplify", "canonicalize", "relax", "turn", "fuse", NULL},
              as_the_page_says, 24);
}

static void proven(const inlay_rules *rules, size_t i)
{
    inlay_proof proof = proof_of(rules, i, false);

    if (proof.verdict != INLAY_PROVEN && proof.verdict != INLAY_PROVEN_FOR)
        fail_msg("%s: %s", rules->rules[i]->name, proof.why);
}

/* Rules within a tolerance that are right over the reals, and that are not or have numbers too
 * large. */
static void test_reals(void **state)
{
    static const char *const sets[] = {"limited.rules", "reals.rules"};

    for (int right = 0; right < 2; right++) {
        inlay_rules *rules = rules_in(sets[right]);

        for (size_t i = 0; i < rules->n; i++) {
            inlay_proof proof;

            if (rules->rules[i]->exactness != INLAY_APPROX)
                continue;
            proof = proof_of(rules, i, false);
            if ((proof.verdict == INLAY_PROVEN_OVER_REALS) != right)
                fail_msg("%s: %s", rules->rules[i]->name, proof.why);
        }
        inlay_rules_free(rules);
    }
}

static void test_right(void **state)
{
    try_rules((const char *const[]){"xla.rules", "user.rules", NULL}, proven, 24);
}

/* A rule that is given on more graphs than it says is no proof that claims too much: if it is
 * proven, it is right on all that are made up, too. */
static void right_if_proven(const inlay_rules *rules, const char *without)
{
    const inlay_check_options o = {.evaluator = inlay_reference_evaluator(NULL),
                                   .instances = TRIED};
    inlay_proof proof = proof_of(rules, 0, true);
    inlay_diags *d = inlay_diags_new();
    inlay_check found;

    if (proof.verdict == INLAY_PROVEN) {
        assert_true(inlay_check_rule(rules, 0, &o, &found, d));
        if (found.verdict == INLAY_CHECK_REFUTED)
            fail_msg("%s without %s is proven: %s\n%s", rules->rules[0]->name, without, found.why,
                     found.counterexample);
        inlay_check_free(&found);
    }
    inlay_diags_free(d);
}

/* Each condition of the rule is left out. */
static void without_conditions(const inlay_rules *rules, size_t i)
{
    const rule *r = rules->rules[i];

    for (int k = 0; k < r->n_clauses && r->exactness != INLAY_APPROX; k++) {
        rule_clause kept[RULE_CLAUSES];
        rule less = *r, *one = &less;
        inlay_rules rest = *rules;

        if (r->clauses[k].target >= 0)
            continue;
        memcpy(kept, r->clauses, (size_t)k * sizeof *kept);
        memcpy(kept + k, r->clauses + k + 1, (size_t)(r->n_clauses - k - 1) * sizeof *kept);
        less.clauses = kept;
        less.n_clauses--;
        rest.rules = &one;
        rest.n = 1;
        right_if_proven(&rest, r->clauses[k].text);
    }
}

static void test_conditions(void **state)
{
    try_rules((const char *const[]){"xla.rules", "user.rules", "simplify", "canonicalize", "relax",
                                    "turn", "fuse", NULL},
              without_conditions, 8);
}

static inlay_proof proof_of_text(const char *text)
{
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("test.rules", text, strlen(text), d);
    inlay_proof proof;

    assert_non_null(rules);
    proof = proof_of(rules, 0, true);
    inlay_rules_free(rules);
    inlay_diags_free(d);
    return proof;
}

/* Operands broadcast to one that has fewer axes than they, which pdpd does not do. */
static void test_one_way(void **state)
{
    inlay_proof proof = proof_of_text("rule a exact:\n  Add(x, y) => Add(x, y) {auto_broadcast = "
                                      "pdpd}\n  where scalar(x), ranked(y)\n");

    assert_int_equal(proof.verdict, INLAY_NOT_PROVEN);
    proof = proof_of_text("rule a exact:\n  Add(x, y) => Add(x, y) {auto_broadcast = pdpd}\n"
                          "  where scalar(y)\n");
    assert_int_equal(proof.verdict, INLAY_PROVEN);
    proof = proof_of_text("rule a exact:\n  any f(Abs(x), y) => f(Abs(x), y)\n"
                          "  where pointwise(f)\n");
    assert_int_equal(proof.verdict, INLAY_PROVEN); /* it is broadcast in one way on both sides */
}

/* A product of floats that were integers is the same in any order if these floats hold all bits
 * that the product of three such integers has; else it is rounded. */
static void test_products_of_integers(void **state)
{
    static const struct {
        const char *type;
        int bits;
    } integers[] = {{"boolean", 1}, {"u4", 4}, {"u8", 8}},
      floats[] = {{"bf16", 8}, {"f16", 11}, {"f32", 24}, {"f64", 53}};

    for (size_t i = 0; i < 3 * 4; i++) {
        const char *t = floats[i % 4].type, *of = integers[i / 4].type;
        bool holds = 3 * integers[i / 4].bits <= floats[i % 4].bits;
        char text[500];
        inlay_proof proof;

        snprintf(
            text, sizeof text,
            "rule a exact:\n  u = Convert(x) {destination_type = %s};\n"
            "  v = Convert(y) {destination_type = %s}; w = Convert(z) {destination_type = %s};\n"
            "  Multiply(Multiply(u, v), w) => Multiply(u, Multiply(v, w))\n"
            "  where has_type(x, %s), has_type(y, %s), has_type(z, %s)\n",
            t, t, t, of, of, of);
        proof = proof_of_text(text);
        if ((proof.verdict == INLAY_PROVEN) != holds)
            fail_msg("%s as %s: %d %s", of, t, (int)proof.verdict, proof.why);
    }
}

/* This rule alone needs that the sizes of new axes are known, whichever they are. */
static void test_new_axes(void **state)
{
    inlay_rules *rules = rules_in("simplify");

    for (size_t i = 0; i < rules->n; i++) {
        if (strcmp(rules->rules[i]->name, "strided-slice") == 0)
            assert_int_equal(proof_of(rules, i, true).verdict, INLAY_PROVEN);
    }
    inlay_rules_free(rules);
}

/* What is overwritten may be an error, which is lost with it: of whatever it is made by, the solver
 * finds how that fails. Of a Squeeze it is how many axes it leaves. Without MUTANT some are tried. */
static void test_overwritten(void **state)
{
    static const char *const made[] = {
        "any f(x, [0]) {keep_dims = false}",
        "Squeeze(x, [0])",
        "Transpose(x, p)",
        "Concat(x, v) {axis = 0}",
        "MatMul(x, v)",
        "Slice(x, window v)",
        "ScatterUpdate(x, i, v, 0)",
        "GatherElements(x, i) {axis = 0}",
        "Gather@opset1..7(x, i, 0)",
        "GatherND(x, i)",
        "Reshape(x, s) {special_zero = false}",
        "Pad(x, b, e) {pad_mode = reflect}",
        "Add(x, v)",
    };
    enum { SQUEEZE = 1, FEW_MADE = 4 };

    for (size_t i = 0; i < (getenv("MUTANT") ? sizeof made / sizeof *made : FEW_MADE); i++) {
        char text[500];
        inlay_proof proof;

        snprintf(text, sizeof text,
                 "rule a exact:\n  y = %s; SliceScatter(y, u, window w) => u\n"
                 "  where full(w), once(y)%s\n",
                 made[i], i == 0 ? ", folds(f)" : "");
        proof = proof_of_text(text);
        if (proof.verdict == INLAY_PROVEN || (i != SQUEEZE && proof.verdict != INLAY_NOT_PROVEN))
            fail_msg("%s is proven, %s", made[i], proof.only);
    }
}

/* Integers that floats hold as they are stay so where numbers of the rule are added to them, if
 * these and the sum are such, too. */
static void test_sums_of_integers(void **state)
{
    static const struct {
        const char *type, *a, *b, *both;
        bool holds;
    } cases[] = {
        {"f16", "3.0", "5.0", "8.0", true},
        {"f16", "-3.0", "5.0", "2.0", true},
        {"f32", "65536.0", "65536.0", "131072.0", true},
        {"f16", "2048.0", "1.0", "2049.0", false},
        {"bf16", "3.0", "5.0", "8.0", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500];
        inlay_proof proof;

        snprintf(text, sizeof text,
                 "rule a exact:\n  Add(Add(Convert(x) {destination_type = %s}, a), b)\n"
                 "  => Add(Convert(x) {destination_type = %s}, %s)\n"
                 "  where has_type(x, u8), scalar(a), scalar(b), equals(a, %s), equals(b, %s)\n",
                 cases[i].type, cases[i].type, cases[i].both, cases[i].a, cases[i].b);
        proof = proof_of_text(text);
        if ((proof.verdict == INLAY_PROVEN) != cases[i].holds)
            fail_msg("%s: %d %s %s", text, (int)proof.verdict, proof.why, proof.only);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overwritten),
        cmocka_unit_test(test_sums_of_integers),
        cmocka_unit_test(test_new_axes),
        cmocka_unit_test(test_one_way),
        cmocka_unit_test(test_products_of_integers),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_right),
        cmocka_unit_test(test_reals),
        cmocka_unit_test(test_built_in),
        cmocka_unit_test(test_conditions),
    };

    if (system("z3 --version >/dev/null 2>&1") != 0) {
        printf("1..0 # SKIP z3 is not installed\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
