/* Proofs of whole graphs, on random ones: what is proven no trial may refute, both for a graph and
 * what the passes make of it, and for a graph and one that is not the same. */
#include "random_graphs.h"

#include "interp/interp.h"
#include "passes/passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct tally {
    int graphs, proven, refuted;
};

/* Compares A and B both ways. */
static void check(struct tally *t, uint64_t seed, const inlay_graph *a, const inlay_graph *b)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_symbolic_options o = {.evaluator = e, .max_terms = 1 << 20};
    inlay_verify_options trials = {.trials = 16, .may_mend = true};
    inlay_symbolic_result proof;
    inlay_verify_result tried;
    inlay_diags *d = inlay_diags_new();

    if (!inlay_symbolic_same(a, b, &o, &proof, d))
        fail_msg("seed %llu: it failed without an answer", (unsigned long long)seed);
    assert_int_equal(inlay_diags_count(d), 0);
    assert_int_equal(proof.proven, *proof.why == '\0');
    assert_true(inlay_verify(a, &e, b, &e, &trials, &tried, NULL));
    if (proof.proven && tried.verdict == INLAY_NOT_SAME)
        fail_msg("seed %llu: proven, but %s", (unsigned long long)seed, tried.why);
    t->graphs++;
    t->proven += proof.proven;
    t->refuted += tried.verdict == INLAY_NOT_SAME;
    inlay_diags_free(d);
}

/* Another operand of the same type and shape for a node of G that has one; false: none was found.
 */
static bool reconnect(inlay_graph *g, rng *r)
{
    int64_t skip = rng_in(r, 0, (int64_t)g->n_nodes - 1);

    for (inlay_node *n = g->first; n; n = n->next) {
        if (skip-- > 0 || n->n_in < 2 || !n->in[0].value || !n->in[1].value ||
            n->in[0].value == n->in[1].value ||
            n->in[0].value->fact.type != n->in[1].value->fact.type ||
            !inlay_fact_same_shape(&n->in[0].value->fact, &n->in[1].value->fact))
            continue;
        return inlay_node_set_input(n, 0, n->in[1].value, NULL) && inlay_infer_graph(g, NULL);
    }
    return false;
}

static void check_seed(struct tally *same, struct tally *other, inlay_generate_mix mix,
                       uint64_t seed)
{
    generated_graph g = random_graph_of(mix, seed, NULL);
    inlay_graph *b = inlay_graph_clone(g.graph, NULL);
    rng r = {seed};

    assert_true(inlay_run_passes(b, &(inlay_pass_options){.passes = "simplify"}, NULL));
    check(same, seed, g.graph, b);
    inlay_graph_free(b);
    b = inlay_graph_clone(g.graph, NULL);
    if (reconnect(b, &r))
        check(other, seed, g.graph, b);
    inlay_graph_free(b);
    inlay_graph_free(g.graph);
}

static void of_random_graphs(void **state)
{
    seed_range seeds = seeds_to_try(150, 40);
    struct tally same = {0}, other = {0};

    (void)state;
    for (uint64_t seed = seeds.first; seed < seeds.first + seeds.n; seed++) {
        for (int mix = 0; mix < INLAY_GENERATE_MIXES; mix++)
            check_seed(&same, &other, (inlay_generate_mix)mix, seed);
    }
    print_message("# simplified: %d of %d proven; reconnected: %d of %d proven, %d refuted\n",
                  same.proven, same.graphs, other.proven, other.graphs, other.refuted);
    if (seeds.whole) {
        assert_true(same.proven * 5 > same.graphs * 2);
        assert_true(other.refuted > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_random_graphs)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
