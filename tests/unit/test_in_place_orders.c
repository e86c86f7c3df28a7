/* Storage notes do not hang on luck: whatever the order in which in-place-windows decides, and
 * whatever order of steps the data flow and the order edges leave free, the checker accepts them
 * and the planned executor computes what the reference does. INLAY_SEED=N runs the graph of seed
 * N. */
#include "graphs.h"
#include "ir/shared.h"
#include "passes/pass.h"
#include "random_graphs.h"

inlay_pass_fn pass_in_place_windows;

enum { RUNS = 2, MAX_RESULTS = 8 };

struct totals {
    uint64_t notes, moved, in_place;
};

static bool to_stderr(void *ctx, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, ctx) == n;
}

static void give_up(uint64_t seed, const inlay_graph *g, const char *what, const char *why)
{
    inlay_sink sink = {to_stderr, stderr};

    inlay_print(g, true, &sink, NULL);
    fail_msg("seed %llu, %s: %s", (unsigned long long)seed, what, why);
}

static bool stands_after(const inlay_graph *g, const inlay_node *n, const bool *done)
{
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value && !done[n->in[i].value->node->id])
            return false;
    }
    for (size_t i = 0; i < g->n_order_edges; i++) {
        if (g->order_edges[i].after == n && !done[g->order_edges[i].before->id])
            return false;
    }
    return true;
}

/* Puts the nodes of ORDER into another order that their inputs and the order edges allow. */
static void draw_order(const inlay_graph *g, inlay_order_list *order, rng *r)
{
    bool *done = calloc((size_t)g->next_id + 1, sizeof *done);

    assert_non_null(done);
    for (size_t i = 0; i < order->n; i++) {
        size_t k = (size_t)rng_in(r, (int64_t)i, (int64_t)order->n - 1);
        inlay_node *next;

        while (!stands_after(g, order->nodes[k], done))
            k = k + 1 < order->n ? k + 1 : i;
        next = order->nodes[k];
        memmove(&order->nodes[i + 1], &order->nodes[i], (k - i) * sizeof *order->nodes);
        order->nodes[i] = next;
        done[next->id] = true;
    }
    free(done);
}

/* Adds order edges that leave G no other order than ORDER, but that parameters come first, as
 * always. */
static void fix_order(inlay_graph *g, const inlay_order_list *order)
{
    inlay_order_list found;
    inlay_node *before = NULL;

    for (size_t i = 0; i < order->n; i++) {
        if (inlay_node_is(order->nodes[i], INLAY_OP_PARAMETER))
            continue;
        assert_true(!before || inlay_graph_add_order_edge(g, before, order->nodes[i], NULL));
        before = order->nodes[i];
    }
    assert_true(inlay_order(g, false, &found, NULL));
    assert_int_equal(found.n, order->n);
    for (size_t i = 0, k = 0; i < order->n; i++) {
        if (inlay_node_is(order->nodes[i], INLAY_OP_PARAMETER))
            continue;
        while (inlay_node_is(found.nodes[k], INLAY_OP_PARAMETER))
            k++;
        assert_ptr_equal(order->nodes[i], found.nodes[k++]);
    }
    inlay_order_free(&found);
}

static void same(uint64_t seed, const inlay_graph *g, const char *what, const inlay_tensor *a,
                 const inlay_tensor *b)
{
    inlay_compare_options exact = {0};
    char why[500] = "one is not there";

    if ((a || b) && (!a || !b || !inlay_compare_tensors(a, b, &exact, why, sizeof why)))
        give_up(seed, g, what, why);
}

/* Runs what SESSION[0] and SESSION[1] have, with the same numbers, and compares the results. */
static void compare_runs(uint64_t seed, const generated_graph *g, const inlay_graph *noted,
                         inlay_session **session, rng *r)
{
    inlay_tensor *out[2][MAX_RESULTS] = {{NULL}};
    inlay_diags *d = inlay_diags_new();

    for (int k = 0; k < RUNS; k++) {
        inlay_tensor *in[GENERATE_MAX_INPUTS];
        bool donated[GENERATE_MAX_INPUTS], ok[2];

        for (int i = 0; i < g->graph->n_params; i++) {
            in[i] = random_input(g, i, r);
            donated[i] = rng_one_in(r, 2);
        }
        for (int i = 0; i < 2; i++)
            ok[i] = inlay_session_run(session[i], (const inlay_tensor *const *)in,
                                      i ? donated : NULL, out[i], d);
        if (ok[0] != ok[1])
            give_up(seed, noted, "only one of them runs", inlay_diags_at(d, 0)->text);
        inlay_diags_clear(d);
        for (int i = 0; i < g->graph->n_results; i++) {
            same(seed, noted, "result", out[0][i], out[1][i]);
            inlay_tensor_release(out[0][i]);
            inlay_tensor_release(out[1][i]);
        }
        for (int i = 0; i < g->graph->n_variables; i++)
            same(seed, noted, "variable", inlay_session_variable(session[0], i),
                 inlay_session_variable(session[1], i));
        for (int i = 0; i < g->graph->n_params; i++)
            inlay_tensor_release(in[i]);
    }
    inlay_diags_free(d);
}

static void run_in_order(uint64_t seed, const generated_graph *g, const inlay_graph *noted,
                         const inlay_order_list *order, rng *r, struct totals *t)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *graphs[2] = {g->graph, inlay_graph_clone(noted, d)};
    inlay_order_list copied = {calloc(order->n + 1, sizeof *copied.nodes), order->n};
    inlay_program *program[2];
    inlay_session *session[2];
    inlay_exec_stats stats;

    for (size_t i = 0; i < order->n; i++)
        copied.nodes[i] = inlay_graph_node(graphs[1], order->nodes[i]->name);
    fix_order(graphs[1], &copied);
    free(copied.nodes);
    for (int i = 0; i < 2; i++) {
        inlay_exec_options o = {.mode = i ? INLAY_EXEC_PLANNED : INLAY_EXEC_REFERENCE,
                                .poison = true};

        program[i] = inlay_compile(graphs[i], &o, d);
        session[i] = program[i] ? inlay_session_new(program[i], d) : NULL;
        if (!session[i] || inlay_diags_count(d) > 0)
            give_up(seed, graphs[i], "compiling", inlay_diags_at(d, 0)->text);
    }
    compare_runs(seed, g, graphs[1], session, r);
    inlay_session_stats(session[1], &stats);
    t->in_place += stats.in_place_writes;
    for (int i = 0; i < 2; i++) {
        inlay_session_free(session[i]);
        inlay_program_free(program[i]);
    }
    inlay_graph_free(graphs[1]);
    inlay_diags_free(d);
}

static void check_orders(uint64_t seed, const generated_graph *g, const inlay_graph *noted, rng *r,
                         struct totals *t)
{
    inlay_diags *d = inlay_diags_new();
    inlay_order_list order;

    assert_true(inlay_order(noted, false, &order, d));
    if (!inlay_check_notes(noted, &order, NULL, d))
        give_up(seed, noted, "canonical order", inlay_diags_at(d, 0)->text);
    for (int i = 0; i < 2; i++) {
        inlay_node *last = order.n > 0 ? order.nodes[order.n - 1] : NULL;

        draw_order(noted, &order, r);
        t->moved += order.n > 0 && order.nodes[order.n - 1] != last;
        if (!inlay_check_notes(noted, &order, NULL, d))
            give_up(seed, noted, "another order", inlay_diags_at(d, 0)->text);
        run_in_order(seed, g, noted, &order, r, t);
    }
    inlay_order_free(&order);
    inlay_diags_free(d);
}

/* Tries notes that are decided in the pass's own order, and in one that is drawn at random. */
static void check_seed(uint64_t seed, struct totals *t)
{
    inlay_diags *d = inlay_diags_new();
    generated_graph g = random_graph_of(INLAY_GENERATE_WINDOWS, seed, d);
    rng r = {seed * 131 + 3};

    for (int i = 0; i < 2; i++) {
        inlay_graph *noted = inlay_graph_clone(g.graph, d);
        inlay_pass_options o = {0};
        pass_run run = {.options = &o, .diags = d, .shuffle = i ? seed * 2 + 1 : 0};

        if (!noted || !pass_in_place_windows(noted, &run))
            fail_msg("seed %llu: %s", (unsigned long long)seed, inlay_diags_at(d, 0)->text);
        t->notes += run.changes;
        check_orders(seed, &g, noted, &r, t);
        inlay_graph_free(noted);
    }
    inlay_graph_free(g.graph);
    inlay_diags_free(d);
}

/* Two halves of one tensor are written by scatters that know nothing of each other, one of them
 * computed in its window: whoever reads both halves must come before both. Random graphs hardly
 * ever have this. */
static void test_branches(void **state)
{
    inlay_graph *g = graph_of("%data = Parameter-1 {element_type = f32, shape = [12,4]}\n"
                              "%u = Const-1 {value = f32[1,4] [1, 2, 3, 4]}\n"
                              "%c0 = Const-1 {value = i64[1] [0]}\n"
                              "%c1 = Const-1 {value = i64[1] [1]}\n"
                              "%c2 = Const-1 {value = i64[1] [2]}\n"
                              "%c4 = Const-1 {value = i64[1] [4]}\n"
                              "%c8 = Const-1 {value = i64[1] [8]}\n"
                              "%c12 = Const-1 {value = i64[1] [12]}\n"
                              "%d = Tanh-1(%data)\n"
                              "%z = Slice-8(%d, %c0, %c8, %c1)\n"
                              "%out_z = Result-1(%z)\n"
                              "%x1 = Slice-8(%d, %c0, %c4, %c1)\n"
                              "%x2 = Slice-8(%d, %c4, %c8, %c1)\n"
                              "%sum = Add-1(%x1, %x2)\n"
                              "%r2 = SliceScatter-15(%x2, %u, %c0, %c1, %c1)\n"
                              "%out_2 = Result-1(%r2)\n"
                              "%w = Slice-8(%x1, %c0, %c2, %c1)\n"
                              "%y = ReLU-1(%w)\n"
                              "%r1 = SliceScatter-15(%x1, %y, %c0, %c2, %c1)\n"
                              "%m1 = ReduceSum-1(%r1, %c0)\n"
                              "%out_1 = Result-1(%m1)\n"
                              "%q = SliceScatter-15(%d, %sum, %c8, %c12, %c1)\n"
                              "%m = ReduceSum-1(%q, %c0)\n"
                              "%out_q = Result-1(%m)\n");
    rng r = {7};

    for (uint64_t shuffle = 0; shuffle < 20; shuffle++) {
        inlay_diags *d = inlay_diags_new();
        inlay_graph *noted = inlay_graph_clone(g, d);
        inlay_pass_options o = {0};
        pass_run run = {.options = &o, .diags = d, .shuffle = shuffle};
        inlay_order_list order;

        assert_true(pass_in_place_windows(noted, &run));
        assert_true(inlay_order(noted, false, &order, d));
        for (int i = 0; i < 200; i++) {
            draw_order(noted, &order, &r);
            if (!inlay_check_notes(noted, &order, NULL, d))
                give_up(shuffle, noted, "another order", inlay_diags_at(d, 0)->text);
        }
        inlay_order_free(&order);
        inlay_graph_free(noted);
        inlay_diags_free(d);
    }
    inlay_graph_free(g);
}

static void test_orders(void **state)
{
    const seed_range s = seeds_to_try(2500, 500);
    struct totals t = {0};

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        check_seed(seed, &t);
    print_message("# %llu notes, %llu orders end otherwise, %llu writes in place\n",
                  (unsigned long long)t.notes, (unsigned long long)t.moved,
                  (unsigned long long)t.in_place);
    assert_true(!s.whole || (t.notes > s.n && t.moved > s.n && t.in_place > s.n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders),
                                       cmocka_unit_test(test_branches)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
