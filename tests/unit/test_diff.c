/* The difference of two graphs. Laws that hold for all graphs, tried on random ones: a graph has no
 * difference from itself, whatever its nodes are called; what passes make of it has none exactly if
 * it is equal; each node stands in one pair. */
#include "random_graphs.h"
#include "texts.h"
#include "unit.h"

#include "passes/passes.h"

#include <inttypes.h>

static size_t count(const inlay_diff *diff, unsigned changes)
{
    size_t n = 0;

    for (size_t i = 0; i < diff->n; i++)
        n += (diff->pairs[i].changes & changes) != 0;
    return n;
}

static size_t differences(const inlay_graph *a, const inlay_graph *b)
{
    inlay_diff diff;
    size_t n;

    assert_true(inlay_diff_graphs(a, b, &diff, NULL));
    n = count(&diff, ~0u);
    inlay_diff_free(&diff);
    return n;
}

/* Calls all nodes but inputs and outputs by other names, which say nothing. */
static void rename_all(inlay_graph *g)
{
    char name[40];
    int i = 0;

    for (inlay_node *n = g->first; n; n = n->next) {
        snprintf(name, sizeof name, "renamed %d", i++);
        if (!inlay_node_is(n, INLAY_OP_PARAMETER) && !inlay_node_is(n, INLAY_OP_RESULT))
            assert_true(inlay_node_rename(n, name, NULL));
    }
}

/* Removed and same ones are A's nodes, added and same ones B's. What stands in the bodies of a node
 * without a partner goes with it. */
static void check_sides(const inlay_graph *a, const inlay_graph *b, const inlay_diff *diff)
{
    size_t with_a = 0, with_b = 0;

    for (size_t i = 0; i < diff->n; i++) {
        const inlay_node_pair *p = &diff->pairs[i];

        with_a += p->a && p->a->graph == a;
        with_b += p->b && p->b->graph == b;
        assert_int_equal(!p->b, (p->changes & INLAY_REMOVED) != 0);
        assert_int_equal(!p->a, (p->changes & INLAY_ADDED) != 0);
    }
    assert_int_equal(with_a, a->n_nodes);
    assert_int_equal(with_b, b->n_nodes);
}

static void check_rewritten(const inlay_graph *a, const inlay_graph *b)
{
    inlay_diff diff;

    assert_true(inlay_diff_graphs(a, b, &diff, NULL));
    check_sides(a, b, &diff);
    if (inlay_graph_equal(a, b, NULL, 0))
        assert_int_equal(count(&diff, ~0u), 0);
    else
        assert_true(count(&diff, ~0u) > 0);
    inlay_diff_free(&diff);
}

static void check_seed(inlay_generate_mix mix, uint64_t seed)
{
    generated_graph g = random_graph_of(mix, seed, NULL);
    inlay_graph *b = inlay_graph_clone(g.graph, NULL);

    assert_int_equal(differences(g.graph, b), 0);
    rename_all(b);
    assert_int_equal(differences(g.graph, b), 0);
    inlay_graph_free(b);
    b = inlay_graph_clone(g.graph, NULL);
    assert_true(inlay_run_passes(b, &(inlay_pass_options){.passes = "default"}, NULL));
    check_rewritten(g.graph, b);
    check_rewritten(b, g.graph);
    inlay_graph_free(b);
    inlay_graph_free(g.graph);
}

static void of_random_graphs(void **state)
{
    seed_range seeds = seeds_to_try(200, 50);

    for (uint64_t seed = seeds.first; seed < seeds.first + seeds.n; seed++) {
        print_message("# seed %" PRIu64 "\n", seed);
        for (int mix = 0; mix < INLAY_GENERATE_MIXES; mix++)
            check_seed((inlay_generate_mix)mix, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_random_graphs)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
