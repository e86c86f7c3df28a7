/* The answers of the analysis behind in-place-windows (passes/inplace/storage.h): who must run
 * before whom, on random graphs and as edges come and go. */
#include "generate/rng.h"
#include "ir/shared.h"
#include "passes/inplace/storage.h"
#include "seeds.h"
#include "unit.h"

enum { NODES = 40 };

/* Draws a graph of a Parameter, and nodes of up to four operands that stand before them. */
static inlay_graph *random_dag(rng *r)
{
    inlay_graph *g = inlay_graph_new("dag", NULL);
    const inlay_op *concat = inlay_op_find(NULL, "Concat", NULL, NULL, NULL);
    inlay_node *nodes[NODES];

    assert_non_null(concat);
    for (int i = 0; i < NODES; i++) {
        int n_in = i == 0 ? 0 : (int)rng_in(r, 1, 4);
        char name[16];

        snprintf(name, sizeof name, "n%d", i);
        nodes[i] =
            inlay_node_new(g, i == 0 ? inlay_op_find(NULL, "Parameter", NULL, NULL, NULL) : concat,
                           name, n_in, 1, NULL);
        assert_non_null(nodes[i]);
        for (int k = 0; k < n_in; k++) {
            int64_t from =
                rng_one_in(r, 2) ? rng_in(r, 0, i - 1) : rng_in(r, i > 6 ? i - 6 : 0, i - 1);

            assert_true(inlay_node_set_input(nodes[i], k, &nodes[from]->out[0], NULL));
        }
    }
    for (int i = 0; i < NODES; i++) {
        inlay_node *end;
        char name[16];

        if (nodes[i]->out[0].uses)
            continue;
        snprintf(name, sizeof name, "end%d", i);
        end = inlay_node_new(g, inlay_op_find(NULL, "Result", NULL, NULL, NULL), name, 1, 1, NULL);
        assert_non_null(end);
        assert_true(inlay_node_set_input(end, 0, &nodes[i]->out[0], NULL));
    }
    return g;
}

/* Marks all nodes that N depends on, through inputs and order edges, by node id. */
static void mark_needed(const inlay_graph *g, const inlay_node *n, bool *needed)
{
    if (needed[n->id])
        return;
    needed[n->id] = true;
    for (int i = 0; i < n->n_in; i++)
        mark_needed(g, n->in[i].value->node, needed);
    for (size_t e = 0; e < g->n_order_edges; e++) {
        if (g->order_edges[e].after == n)
            mark_needed(g, g->order_edges[e].before, needed);
    }
}

static inlay_node *any_node(inplace_storage *s, rng *r)
{
    return s->order.list.nodes[rng_in(r, 0, (int64_t)s->order.list.n - 1)];
}

static void ask(uint64_t seed, inplace_storage *s, inlay_node *n, const inlay_node *writer)
{
    bool needed[2 * NODES + 2] = {false};

    mark_needed(s->order.g, n, needed);
    if (inplace_order_depends(&s->order, n, writer) != needed[writer->id])
        fail_msg("seed %llu: \"%s\" does%s need \"%s\"", (unsigned long long)seed, n->name,
                 needed[writer->id] ? "" : " not", writer->name);
}

/* Asks about one node after the other, several times about each; between the questions edges along
 * the order are added, at once or after a new order, and taken back. */
static void check_seed(uint64_t seed)
{
    rng r = {seed};
    inlay_graph *g = random_dag(&r);
    size_t kept;
    inplace_storage s;

    assert_true(inplace_storage_begin(&s, g, NULL));
    kept = g->n_order_edges;
    for (int i = 0; i < 30; i++) {
        inlay_node *n = any_node(&s, &r), *a = any_node(&s, &r), *b = any_node(&s, &r);

        for (int k = 0; k < 4; k++)
            ask(seed, &s, n, any_node(&s, &r));
        if (inplace_moment(&s.order, a) < inplace_moment(&s.order, b) && rng_one_in(&r, 2))
            assert_true(inplace_order_add_edge(&s.order, a, b));
        for (int k = 0; k < 4; k++)
            ask(seed, &s, n, any_node(&s, &r));
        if (rng_one_in(&r, 4))
            assert_true(inplace_storage_reorder(&s));
        if (rng_one_in(&r, 6)) {
            assert_true(inplace_storage_drop_edges(&s, kept));
            kept = g->n_order_edges;
        }
        for (int k = 0; k < 4; k++)
            ask(seed, &s, n, any_node(&s, &r));
    }
    inplace_storage_end(&s);
    inlay_graph_free(g);
}

static void test_who_depends_on_whom(void **state)
{
    const seed_range s = seeds_to_try(500, 100);

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        check_seed(seed);
}

/* An edge that the graph refuses is not added. */
static void test_edge_of_another_graph(void **state)
{
    rng r = {1};
    inlay_graph *g = random_dag(&r), *other = random_dag(&r);
    inlay_diags *d = inlay_diags_new();
    inplace_storage s;

    assert_true(inplace_storage_begin(&s, g, d));
    assert_false(
        inplace_order_add_edge(&s.order, other->first, s.order.list.nodes[s.order.list.n - 1]));
    assert_int_equal(g->n_order_edges, 0);
    assert_int_equal(inlay_diags_count(d), 1);
    inplace_storage_end(&s);
    inlay_diags_free(d);
    inlay_graph_free(g);
    inlay_graph_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_depends_on_whom),
        cmocka_unit_test(test_edge_of_another_graph),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
