/* Each built-in rule on each element type that the rows of its operations take, whether its
 * conditions take it or not. INLAY_SEED=N chooses the graphs, and the eighth of the rules that is
 * tried; without it those of 0. */
#include "models.h"

#include "interp/interp.h"
#include "passes/check/maker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PART = 8 };

/* Returns how many graphs the rule rewrote. */
static int64_t try_type(const inlay_rules *rules, size_t i, inlay_type type, uint64_t seed)
{
    inlay_check_options o = {
        .evaluator = inlay_reference_evaluator(NULL), .graphs = 2, .type = type, .seed = seed};
    inlay_diags *d = inlay_diags_new();
    inlay_check c;
    int64_t rewritten;

    if (!inlay_check_rule(rules, i, &o, &c, d))
        fail_msg("%s", model_messages(d));
    if (c.verdict == INLAY_CHECK_REFUTED)
        fail_msg("%s on %s, seed %llu: %s\n%s", inlay_rules_at(rules, i).name,
                 inlay_type_info_of(type)->name, (unsigned long long)c.seed, c.why,
                 c.counterexample);
    rewritten = c.rewritten;
    inlay_check_free(&c);
    inlay_diags_free(d);
    return rewritten;
}

static void test_types(void **state)
{
    uint64_t seed = getenv("INLAY_SEED") ? strtoull(getenv("INLAY_SEED"), NULL, 10) : 0;
    int64_t tried = 0, rewritten = 0;

    (void)state;
    for (size_t set = 0, nth = 0; inlay_rule_set_at(set); set++) {
        inlay_rules *rules = inlay_rules_builtin(inlay_rule_set_at(set), NULL);

        for (size_t i = 0; i < inlay_rules_count(rules); i++, nth++) {
            inlay_type_set all = check_types(rules->rules[i]);

            for (int t = 0; t < INLAY_N_TYPES && (nth + seed) % PART == 0; t++) {
                if (!(all >> t & 1))
                    continue;
                tried++;
                rewritten += try_type(rules, i, (inlay_type)t, seed) > 0;
            }
        }
        inlay_rules_free(rules);
    }
    assert_true(rewritten * 2 > tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_types)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
