/* The default pipeline runs on random graphs, and each pass and each rule is tried as `opt
 * --verify` does it: nothing changes the function, whatever the sizes of open dimensions, and with
 * the sizes that the graph was drawn for nearly all verdicts have trials enough. INLAY_SEED=N runs
 * the graphs of seed N. */
#include "random_graphs.h"
#include "tests/unit/models.h"
#include "tests/unit/rule_cases.h"
#include "tests/unit/seeds.h"
#include "unit.h"

#include "interp/interp.h"
#include "passes/passes.h"

struct trying {
    uint64_t seed;
    inlay_graph *before, *before_rule;
    inlay_shape shapes[GENERATE_MAX_INPUTS];
    uint64_t verdicts, open; /* how many, and how many decided nothing */
};

static void try_both(struct trying *p, const char *what, const inlay_graph *a, const inlay_graph *b,
                     const inlay_shape *shapes)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_evaluator second = b->has_notes ? inlay_planned_evaluator(NULL) : reference;
    inlay_verify_options o = {
        .seed = p->seed, .shapes = shapes, .may_mend = !inlay_graph_equal(a, b, NULL, 0)};
    inlay_verify_result r;
    inlay_diags *d = inlay_diags_new();

    if (!inlay_verify(a, &reference, b, &second, &o, &r, d))
        fail_msg("seed %llu, %s: %s", (unsigned long long)p->seed, what, model_messages(d));
    if (r.verdict == INLAY_NOT_SAME)
        fail_msg("seed %llu, %s: %d of %d trials counted, seed %llu: %s",
                 (unsigned long long)p->seed, what, r.counted, r.trials, (unsigned long long)r.seed,
                 r.why);
    p->verdicts += shapes != NULL;
    p->open += shapes && r.verdict == INLAY_INCONCLUSIVE;
    inlay_diags_free(d);
}

static void check(struct trying *p, const char *what, const inlay_graph *a, const inlay_graph *b)
{
    try_both(p, what, a, b, NULL);
    try_both(p, what, a, b, p->shapes);
}

static bool after_pass(struct trying *p, const inlay_event *e, inlay_diags *d)
{
    if (e->as.stats->changed || e->graph->has_notes)
        check(p, e->pass, p->before, e->graph);
    inlay_graph_free(p->before);
    p->before = inlay_graph_clone(e->graph, d);
    return p->before;
}

static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    struct trying *p = ctx;

    if (e->kind == INLAY_EVENT_PASS_ENDS)
        return after_pass(p, e, d);
    if (rule_first_use(e, &p->before_rule, d))
        check(p, e->as.application->rule->name, p->before_rule, e->graph);
    return true;
}

static void check_graph(struct trying *p, generated_graph g, inlay_diags *d)
{
    inlay_evaluator ev = inlay_reference_evaluator(NULL);
    inlay_pass_options o = {.evaluator = &ev, .events = {receive, p, false}};

    for (int i = 0; i < g.graph->n_params; i++) {
        p->shapes[i].rank = g.inputs[i].rank;
        for (int k = 0; k < g.inputs[i].rank; k++)
            p->shapes[i].dim[k] = inlay_dim_of(g.inputs[i].dims[k]);
    }
    p->before = inlay_graph_clone(g.graph, d);
    assert_non_null(p->before);
    if (!inlay_run_passes(g.graph, &o, d))
        fail_msg("seed %llu: %s", (unsigned long long)p->seed, model_messages(d));
    inlay_graph_free(p->before);
    inlay_graph_free(p->before_rule);
    p->before_rule = NULL;
    inlay_graph_free(g.graph);
}

static void test_random_graphs(void **state)
{
    const seed_range s = seeds_to_try(40, 5);
    inlay_diags *d = inlay_diags_new();
    struct trying p = {0};

    for (p.seed = s.first; p.seed < s.first + s.n; p.seed++) {
        check_graph(&p, random_graph_of(INLAY_GENERATE_WINDOWS, p.seed, d), d);
        check_graph(&p, random_graph_of(INLAY_GENERATE_MOVES, p.seed, d), d);
        inlay_diags_clear(d);
    }
    inlay_diags_free(d);
    print_message("# %llu of %llu verdicts decided nothing\n", (unsigned long long)p.open,
                  (unsigned long long)p.verdicts);
    if (s.whole)
        assert_true(p.open * 10 <= p.verdicts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_graphs)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
