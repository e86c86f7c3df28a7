/* The rules of simplify run on random graphs, in any order of the nodes looked at and of the rules
 * tried. Whatever the order, the graph stays the same function bit for bit, its measure falls,
 * rewriting ends, and a second run changes nothing, even one that tries every rule at every node.
 * Each rule is tried alone, too. INLAY_SEED=N runs the one graph of seed N. */
#include "budget.h"
#include "models.h"
#include "random_graphs.h"
#include "rule_cases.h"
#include "rule_measure.h"
#include "unit.h"

#include "interp/interp.h"

enum { RUNS = 2, MAX_RULES = 256, MAX_RESULTS = 5 };

/* A trial has what the message about a failure must name. */
struct trial {
    uint64_t seed;
    const char *rule; /* that runs alone; NULL: all do */
    const generated_graph *g;
    bool asks; /* why rules do not match, so that each is tried at each node */
};

static bool to_stderr(void *ctx, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, ctx) == n;
}

static void fail_trial(const struct trial *t, const inlay_graph *after, const char *why)
{
    inlay_sink sink = {to_stderr, stderr};

    inlay_print(t->g->graph, true, &sink, NULL);
    inlay_print(after, true, &sink, NULL);
    fail_msg("seed %llu, %s: %s", (unsigned long long)t->seed, t->rule ? t->rule : "all rules",
             why);
}

/* Puts the rules of each operation in another order. */
static void shuffle_rules(inlay_rules *rules, rng *r)
{
    for (size_t row = 0; row < inlay_op_count(NULL); row++) {
        const rule **list = rules->by_row[row];
        int n = 0;

        while (list[n])
            n++;
        for (int i = n - 1; i > 0; i--) {
            int64_t k = rng_in(r, 0, i);
            const rule *was = list[i];

            list[i] = list[k];
            list[k] = was;
        }
    }
}

static void ignore(void *ctx, const inlay_node *n, const rule_match *m)
{
    (void)ctx;
    (void)n;
    (void)m;
}

/* Returns how often the rules applied; the graph is proper after that. */
static uint64_t drive(const struct trial *t, inlay_graph *g, const inlay_rules *rules,
                      uint64_t order, uint64_t *counts)
{
    inlay_diags *d = inlay_diags_new();
    rule_run run = {.sets = &rules,
                    .n_sets = 1,
                    .counts = &counts,
                    .shuffle = order,
                    .refused = t->asks ? ignore : NULL};
    char what[64];

    snprintf(what, sizeof what, "seed %llu", (unsigned long long)t->seed);
    budget_start(what);
    if (!rule_drive(g, &run, d) || !inlay_check_graph(g, d))
        fail_trial(t, g, model_messages(d));
    if (inlay_diags_count(d) > 0) /* the limit was reached */
        fail_trial(t, g, model_messages(d));
    budget_end();
    inlay_diags_free(d);
    return run.rewrites;
}

static bool run_once(inlay_graph *g, const inlay_tensor *const *in, inlay_tensor **out,
                     inlay_diags *d)
{
    inlay_exec_options o = {.mode = INLAY_EXEC_REFERENCE};
    inlay_program *program = inlay_compile(g, &o, d);
    inlay_session *session = program ? inlay_session_new(program, d) : NULL;
    bool ok = session && inlay_session_run(session, in, NULL, out, d);

    inlay_session_free(session);
    inlay_program_free(program);
    return ok;
}

static void same_results(const struct trial *t, inlay_graph *after, const inlay_tensor *const *in)
{
    inlay_tensor *a[MAX_RESULTS] = {NULL}, *b[MAX_RESULTS] = {NULL};
    inlay_compare_options exact = {0};
    inlay_diags *d = inlay_diags_new();
    char why[500];
    bool ok = run_once(t->g->graph, in, a, d);

    /* what fails may be read no more */
    if (!run_once(after, in, b, d) && ok)
        fail_trial(t, after, model_messages(d));
    for (int i = 0; ok && i < after->n_results; i++) {
        if (!inlay_compare_tensors(a[i], b[i], &exact, why, sizeof why))
            fail_trial(t, after, why);
        inlay_tensor_release(a[i]);
        inlay_tensor_release(b[i]);
    }
    inlay_diags_free(d);
}

static void same_function(const struct trial *t, inlay_graph *after)
{
    rng r = {t->seed * 31 + 7};

    for (int k = 0; k < RUNS; k++) {
        inlay_tensor *in[GENERATE_MAX_INPUTS];

        for (int i = 0; i < t->g->graph->n_params; i++)
            in[i] = random_input(t->g, i, &r);
        same_results(t, after, (const inlay_tensor *const *)in);
        for (int i = 0; i < t->g->graph->n_params; i++)
            inlay_tensor_release(in[i]);
    }
}

/* Returns the measure of G, whose Parameters are those of T's graph, with the sizes of a run: a
 * likely size is another one than that which only a reader demands. In Concat(a, b, a) with a of
 * [1,2,2] and b of [1,?,2], b is likely the larger part. */
static inlay_measure measure_of_run(const struct trial *t, const inlay_graph *g)
{
    inlay_graph *run = inlay_graph_clone(g, NULL);
    inlay_measure m;

    assert_non_null(run);
    for (int i = 0; i < run->n_params; i++) {
        inlay_shape shape = {.rank = t->g->inputs[i].rank};

        for (int k = 0; k < shape.rank; k++)
            shape.dim[k] = inlay_dim_of(t->g->inputs[i].dims[k]);
        assert_true(inlay_node_set_shape(run->params[i], "shape", &shape, NULL));
    }
    assert_true(inlay_infer_graph(run, NULL));
    m = measure_of(run);
    inlay_graph_free(run);
    return m;
}

static void check_measure(const struct trial *t, const inlay_graph *g)
{
    inlay_measure before = measure_of(t->g->graph), after = measure_of(g);

    if (measure_is_lower(&before, &after))
        return;
    before = measure_of_run(t, t->g->graph);
    after = measure_of_run(t, g);
    if (measure_is_lower(&before, &after))
        return;
    measure_print("before", &before);
    measure_print("after ", &after);
    fail_trial(t, g, "the measure is not lower");
}

/* Checks RULES on a copy of the graph. The second run tries also the rules that the first one
 * passed over, because the operations around a node said that they could not match. */
static void check_rules(const struct trial *t, const inlay_rules *rules, uint64_t order,
                        uint64_t *counts)
{
    inlay_graph *g = inlay_graph_clone(t->g->graph, NULL);
    struct trial again = *t;

    assert_non_null(g);
    again.asks = true;
    if (drive(t, g, rules, order, counts) > 0) {
        same_function(t, g);
        check_measure(t, g);
    }
    if (drive(&again, g, rules, order ? order + 2 : 0, counts) > 0)
        fail_trial(t, g, "a second run changed it again");
    inlay_graph_free(g);
}

struct all_rules {
    inlay_rules *together, *alone[MAX_RULES];
    uint64_t counts[MAX_RULES];
};

static void load(struct all_rules *all)
{
    *all = (struct all_rules){.together = rule_set_copy("simplify")};
    assert_non_null(all->together);
    assert_true(all->together->n <= MAX_RULES);
    for (size_t i = 0; i < all->together->n; i++)
        all->alone[i] = rule_alone(all->together->rules[i]->name);
}

static void check_seed(uint64_t seed, struct all_rules *all)
{
    inlay_diags *d = inlay_diags_new();
    generated_graph g = random_graph_of(INLAY_GENERATE_MOVES, seed, d);
    struct trial t = {.seed = seed, .g = &g};
    uint64_t counts[MAX_RULES] = {0};
    rng r = {seed};

    check_rules(&t, all->together, 0, all->counts);
    for (int k = 0; k < 3; k++) {
        shuffle_rules(all->together, &r);
        check_rules(&t, all->together, rng_next(&r) | 1, all->counts);
    }
    for (size_t i = 0; i < all->together->n; i++) {
        t.rule = all->together->rules[i]->name;
        check_rules(&t, all->alone[i], 0, counts);
        all->counts[i] += counts[i];
    }
    inlay_graph_free(g.graph);
    inlay_diags_free(d);
}

static void test_random_graphs(void **state)
{
    const seed_range s = seeds_to_try(800, 200);
    struct all_rules all;

    load(&all);
    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        check_seed(seed, &all);
    for (size_t i = 0; i < all.together->n; i++) {
        if (all.counts[i] == 0)
            print_message("# %s was never applied\n", all.together->rules[i]->name);
        inlay_rules_free(all.alone[i]);
    }
    inlay_rules_free(all.together);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_graphs)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
