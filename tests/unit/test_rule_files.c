/* Runs the files tests/rules/<rule>/{yes,no}_*.inlay:
 *
 *     // What this case shows.
 *     // leaves: Parameter Slice Result      (yes_: the nodes that are left, constants not counted)
 *     // says: a part of a note that the pass must leave             (any number of them)
 *     graph "g" { ... }
 *
 * In a yes_ case the rule that the folder is named after must apply, the graph must stay the same
 * function (bit for bit, unless the rule says approx), also after the first step of each
 * rule, and a second run must change nothing. In a no_ case the rule must not apply. All rules of a
 * set that is a pass take part. Every rule must have both kinds of case. */
#include "budget.h"
#include "models.h"
#include "rule_cases.h"
#include "unit.h"

#include "interp/interp.h"

enum { MAX_INPUTS = 16 };

/* Where a sum overflows on one side only, no tolerance helps: inputs that are floats are numbers of
 * usual size. */
static void usual_ranges(const inlay_graph *g, inlay_range *ranges)
{
    for (int i = 0; i < g->n_params; i++)
        ranges[i] = (inlay_range){inlay_type_is_float(g->params[i]->out[0].fact.type), -4, 4};
}

static void check_same_function(const rule_case *c, const inlay_graph *before,
                                const inlay_graph *after, inlay_diags *d)
{
    inlay_evaluator ev = inlay_reference_evaluator(NULL);
    bool approximate = rule_is_approximate(c->rule);
    inlay_range ranges[MAX_INPUTS];
    inlay_verify_options o = {.tolerance = {approximate ? 1e-4 : 0, approximate ? 1e-5 : 0, 0},
                              .ranges = approximate ? ranges : NULL};
    inlay_verify_result result;

    assert_true(before->n_params <= MAX_INPUTS);
    usual_ranges(before, ranges);
    assert_true(inlay_verify(before, &ev, after, &ev, &o, &result, d));
    if (result.verdict != INLAY_SAME)
        fail_msg("%s: not the same function: %s", c->path, result.why);
}

/* Other rules may hide what a rule did: the graph shows it after the first step of that rule. */
static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    rule_case *c = ctx;

    if (e->kind == INLAY_EVENT_PASS_ENDS)
        c->changes += e->as.stats->changes;
    if (e->kind == INLAY_EVENT_APPLIED)
        c->applied += strcmp(e->as.application->rule->name, c->rule) == 0;
    if (rule_first_use(e, &c->before, d))
        check_same_function(c, c->before, e->graph, d);
    return true;
}

/* Runs the rules on the graph. Only the sets that are passes have a pass of their name. In a set of
 * rules of which one may undo another, the rule runs alone. */
static void run(rule_case *c, inlay_graph *g, const char *set, inlay_diags *d)
{
    bool turn = strcmp(set, "turn") == 0;
    inlay_rules *rules = turn ? rule_alone(c->rule) : inlay_rules_builtin(set, d);
    const inlay_rules *sets[1] = {rules};
    inlay_pass_options o = {.passes = turn ? "rules" : set,
                            .check = true,
                            .events = {receive, c, false},
                            .rules = sets,
                            .n_rules = 1};

    c->applied = c->changes = 0;
    inlay_diags_clear(d);
    budget_start(c->path);
    if (!inlay_run_passes(g, &o, d))
        fail_msg("%s: %s", c->path, model_messages(d));
    budget_end();
    inlay_graph_free(c->before);
    c->before = NULL;
    inlay_rules_free(rules);
}

static void check_leaves(const rule_case *c, const char *text, inlay_graph *g, inlay_diags *d)
{
    char wanted[512], found[512] = "";
    inlay_order_list order;

    if (!rule_case_line(&text, "// leaves: ", wanted, sizeof wanted))
        fail_msg("%s: there is no line `// leaves:`", c->path);
    assert_true(inlay_order(g, false, &order, d));
    for (size_t i = 0; i < order.n; i++) {
        size_t n = strlen(found);

        if (!inlay_node_is(order.nodes[i], INLAY_OP_CONST))
            snprintf(found + n, sizeof found - n, "%s%s", n ? " " : "", order.nodes[i]->op->name);
    }
    inlay_order_free(&order);
    if (strcmp(wanted, found) != 0)
        fail_msg("%s: wanted\n%s\nfound\n%s", c->path, wanted, found);
}

static void test_case(void **state)
{
    rule_case *c = *state;
    const char *set = rule_set_of(c->rule);
    char *text;
    inlay_diags *d = inlay_diags_new();
    inlay_graph *before = rule_case_graph(c, &text, d), *g;
    bool changed;

    if (!set)
        fail_msg("%s: there is no rule %s", c->path, c->rule);
    g = inlay_graph_clone(before, d);
    assert_non_null(g);
    run(c, g, set, d);
    changed = c->changes > 0;
    rule_case_says(c, text, d);
    if (!c->yes && c->applied > 0)
        fail_msg("%s: the rule must not apply here", c->path);
    if (c->yes && c->applied == 0)
        fail_msg("%s: the rule did not apply", c->path);
    if (changed)
        check_same_function(c, before, g, d);
    if (c->yes)
        check_leaves(c, text, g, d);
    run(c, g, set, d);
    if (c->changes > 0)
        fail_msg("%s: a second run changes the graph again", c->path);
    inlay_graph_free(g);
    inlay_graph_free(before);
    inlay_diags_free(d);
    free(text);
}

/* A rule without a case that it applies to, or without one that it must leave alone, is untested.
 */
static void test_every_rule_has_cases(void **state)
{
    size_t n_cases;
    const rule_case *cases = rule_cases(&n_cases);

    for (size_t s = 0; inlay_rule_set_at(s); s++) {
        inlay_rules *rules = inlay_rules_builtin(inlay_rule_set_at(s), NULL);

        for (size_t i = 0; i < inlay_rules_count(rules); i++) {
            const char *name = inlay_rules_at(rules, i).name;
            bool yes = false, no = false;

            for (size_t k = 0; k < n_cases; k++) {
                if (strcmp(cases[k].rule, name) != 0)
                    continue;
                yes = yes || cases[k].yes;
                no = no || !cases[k].yes;
            }
            if (!yes || !no)
                fail_msg("rule %s has no %s case", name, yes ? "no_" : "yes_");
        }
        inlay_rules_free(rules);
    }
}

int main(void)
{
    size_t n;
    rule_case *cases = rule_cases(&n);
    struct CMUnitTest *tests = calloc(n + 1, sizeof *tests);
    int failed;

    for (size_t i = 0; i < n; i++)
        tests[i] = (struct CMUnitTest){cases[i].path, test_case, NULL, NULL, &cases[i]};
    tests[n] =
        (struct CMUnitTest){"every rule has cases", test_every_rule_has_cases, NULL, NULL, NULL};
    failed = _cmocka_run_group_tests("rule files", tests, n + 1, NULL, NULL);
    free(tests);
    return failed;
}
