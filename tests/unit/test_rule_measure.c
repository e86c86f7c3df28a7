/* Every rule of simplify lowers the measure that passes/rules/simplify.rules states: the measure is
 * computed here for each yes_ case before the rule and after it, with no other rule taking part,
 * also where what the rule takes apart has other readers. A size that is not known counts as a
 * number that is likely. A rule of lower-dialects leaves fewer operations that are not
 * OpenVINO's. Rules of canonicalize and relax lower another measure, which counts what depends on a
 * run. Where nothing does, since all inputs are constants, the rules of a set end as well. */
#include "models.h"
#include "rule_cases.h"
#include "rule_measure.h"
#include "unit.h"

enum { NOTHING = -1, ALL = -2 };

/* Makes the value of node number WHICH an output too, or all such values. False: there is no such
 * node. */
static bool also_output(inlay_graph *g, int which, inlay_diags *d)
{
    inlay_node *last = g->last;
    int at = 0;

    for (inlay_node *n = g->first; n != last; n = n->next) {
        if (n->n_in == 0 || n->n_out == 0)
            continue;
        for (int i = 0; i < n->n_out && (which == ALL || which == at); i++)
            assert_non_null(inlay_build_result(g, "also", &n->out[i], d));
        at++;
    }
    return which < at;
}

/* Of what such a rule leaves much is constant. */
static bool counts_late(const rule_case *c)
{
    static const char *const sets[] = {"canonicalize", "relax"};
    bool found = false;

    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        found = found || strcmp(rule_set_of(c->rule), sets[i]) == 0;
    return found;
}

/* Checks the case with other readers of WHICH, for whom the rule need not apply. 1: it applies and
 * does not lower the measure; -1: there is no WHICH. */
static int check_case(const rule_case *c, int which)
{
    const inlay_rules *alone = rule_alone(c->rule);
    uint64_t *counts = calloc(alone->n, sizeof *counts);
    rule_run run = {.sets = &alone, .n_sets = 1, .counts = &counts};
    inlay_diags *d = inlay_diags_new();
    char *text;
    inlay_graph *g = rule_case_graph(c, &text, d);
    bool late = counts_late(c), found, lower;
    late_measure late_before, late_after;
    inlay_measure before, after;

    assert_non_null(counts);
    found = also_output(g, which, d);
    before = measure_of(g);
    late_before = late_measure_of(g);
    if (!rule_drive(g, &run, d))
        fail_msg("%s: %s", c->path, model_messages(d));
    after = measure_of(g);
    late_after = late_measure_of(g);
    lower = run.rewrites == 0 ? which != NOTHING
            : late            ? late_measure_is_lower(&late_before, &late_after)
                              : measure_is_lower(&before, &after);
    if (!lower) {
        print_error("%s: rewritten %llu times%s\n", c->path, (unsigned long long)run.rewrites,
                    which == NOTHING ? "" : ", with other readers");
        measure_print("before", &before);
        measure_print("after ", &after);
    }
    inlay_graph_free(g);
    inlay_diags_free(d);
    inlay_rules_free((inlay_rules *)alone);
    free(counts);
    free(text);
    return found ? !lower : -1;
}

/* Rules after which the measure is not lower, and what is. */
static const char *const without_measure[][2] = {
    {"write-of-transpose", "a Transpose less above a scatter, where no rule puts one"},
    {"update-of-transpose", "the same"},
    {"single-update-of-transpose", "the same"},
    {"elements-of-transpose", "the same"},
    {"gather-elements-of-transpose", "a Transpose less above what reads elements"},
    {"pointwise-between-transposes", "a Transpose less above a pointwise node"},
    {"tensor-scatter-of-transpose", "a Transpose less above a scatter"},
    {"matmul-of-repeated", "a Reshape less that copies what a Broadcast repeats"},
    {"matmul-by-repeated", "the same"},
    {"attention-of-repeated", "the same"},
    {"pointwise-of-repeated", "an operation less behind a Reshape of a Broadcast"},
    {"pointwise-of-turned-repeated", "the same"},
    {"binary-of-repeated", "the same"},
    {"binary-of-turned-repeated", "the same"},
    {"matmul-by-rows", "one more product with transpose_b, which no rule takes back"},
    {"matmul-of-scaled-transpose", "a Transpose less below a product of a number"},
    {"transpose-of-pad", "a Transpose less behind a Pad"},
    {"rotary", "a sum less that reads halves in turned order"},
    {"split-of-rotary", "a Split less whose halves are turned"},
    {"variadic-split-of-rotary", "the same"},
    {"power-of-three", "a Power less"},
};

/* Rules of turn may undo each other. Of what a rule of approximate leaves much is constant. */
static bool has_no_measure(const rule_case *c)
{
    for (size_t i = 0; i < sizeof without_measure / sizeof without_measure[0]; i++) {
        if (strncmp(c->rule, without_measure[i][0], strlen(without_measure[i][0])) == 0)
            return true;
    }
    return strcmp(rule_set_of(c->rule), "turn") == 0 ||
           strcmp(rule_set_of(c->rule), "approximate") == 0;
}

static void test_measure(void **state)
{
    size_t n;
    const rule_case *cases = rule_cases(&n);
    int higher = 0;

    for (size_t i = 0; i < n; i++) {
        if (!cases[i].yes || has_no_measure(&cases[i]))
            continue;
        higher += check_case(&cases[i], NOTHING) + check_case(&cases[i], ALL);
        for (int which = 0, found; (found = check_case(&cases[i], which)) >= 0; which++)
            higher += found;
    }
    if (higher > 0)
        fail_msg("%d cases do not lower the measure", higher);
}

/* Puts a constant, each byte of which is BYTE, in place of each input of static shape. False: such
 * numbers are no sizes or axes of this graph. */
static bool make_constant(inlay_graph *g, int byte, inlay_diags *d)
{
    for (int i = 0; i < g->n_params; i++) {
        inlay_value *x = &g->params[i]->out[0];
        int64_t dims[INLAY_MAX_RANK];
        inlay_tensor *t;

        if (x->fact.type == INLAY_STRING || !inlay_fact_dims(&x->fact, dims))
            continue;
        t = inlay_tensor_new(x->fact.type, x->fact.rank, dims);
        if (!t) /* more elements than there is memory */
            continue;
        memset(t->data, byte, inlay_tensor_bytes(t));
        assert_true(inlay_value_replace(x, inlay_build_const(g, "constant", t, d), d));
        inlay_tensor_release(t);
    }
    return inlay_infer_graph(g, d);
}

/* Runs the set that C's rule is in, the nodes in the order of seed ORDER. */
static void check_end(const rule_case *c, int byte, uint64_t order)
{
    inlay_rules *set = rule_set_copy(rule_set_of(c->rule));
    const inlay_rules *sets[] = {set};
    uint64_t *counts = calloc(set->n, sizeof *counts);
    rule_run run = {.sets = sets, .n_sets = 1, .counts = &counts, .shuffle = order};
    inlay_diags *d = inlay_diags_new();
    char *text;
    inlay_graph *g = rule_case_graph(c, &text, d);

    assert_non_null(counts);
    if (make_constant(g, byte, d) &&
        (!rule_drive(g, &run, d) || inlay_diags_count(d) > 0)) /* the limit was reached */
        fail_msg("%s, of constants: %s", c->path, model_messages(d));
    inlay_graph_free(g);
    inlay_diags_free(d);
    inlay_rules_free(set);
    free(counts);
    free(text);
}

static void test_constants(void **state)
{
    size_t n;
    const rule_case *cases = rule_cases(&n);

    for (size_t i = 0; i < n; i++) {
        if (strcmp(rule_set_of(cases[i].rule), "turn") == 0)
            continue;
        for (uint64_t order = 0; order < 3; order++) {
            check_end(&cases[i], 0, order);
            check_end(&cases[i], 1, order);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_measure),
                                       cmocka_unit_test(test_constants)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
