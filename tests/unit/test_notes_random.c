/* Notes drawn by lot on random graphs: those that the checker lets stand must not change what the
 * planned executor computes, bit for bit; and most that are drawn must fall. INLAY_SEED=N runs the
 * one graph of seed N. */
#include "inlay_ops.h"
#include "interp/interp.h"
#include "ir/shared.h"
#include "passes/passes.h"
#include "random_graphs.h"
#include "unit.h"

enum { RUNS = 2, MAX_RESULTS = 8 };

struct totals {
    uint64_t drawn, stand, in_place;
};

static inlay_node *any_node(const inlay_graph *g, rng *r)
{
    inlay_node *n = g->first;

    for (int64_t i = rng_in(r, 0, (int64_t)g->n_nodes - 1); i > 0; i--)
        n = n->next;
    return n;
}

/* Draws a note for N: it stands over one of its inputs, as a view of one, or (its users know) in
 * the window of a scatter. */
static bool draw_note(inlay_node *n, rng *r)
{
    inlay_value *input = n->n_in > 0 ? n->in[rng_in(r, 0, n->n_in - 1)].value : NULL;
    inlay_note_kind kind = rng_one_in(r, 3) ? INLAY_VIEW_OF : INLAY_OVERWRITES;

    if (!input || n->n_out == 0)
        return false;
    if (n->op->flags & INLAY_SCATTER) {
        inlay_value *u = n->in[1].value;

        if (inlay_node_is(n, INLAY_OP_SLICE_SCATTER) && rng_one_in(r, 2))
            return inlay_value_set_note(&n->out[0], INLAY_OVERWRITES, n->in[0].value, NULL) &&
                   inlay_value_set_note(u, INLAY_INTO, &n->out[0], NULL);
        input = n->in[n->op->overwrites].value;
        kind = INLAY_OVERWRITES;
    } else if (n->op->flags & INLAY_VIEW) {
        input = n->in[0].value;
        kind = rng_one_in(r, 8) ? INLAY_OVERWRITES : INLAY_VIEW_OF;
    }
    return inlay_value_set_note(&n->out[rng_in(r, 0, n->n_out - 1)], kind, input, NULL);
}

static void draw_notes(inlay_graph *g, rng *r)
{
    inlay_order_list live; /* an edge from another node would make that run too, and perhaps fail */

    assert_true(inlay_order(g, false, &live, NULL));
    for (int64_t i = rng_in(r, 1, 24); i > 0; i--)
        draw_note(any_node(g, r), r);
    for (int64_t i = rng_in(r, 0, 2); i > 0; i--)
        inlay_graph_add_order_edge(g, live.nodes[rng_in(r, 0, (int64_t)live.n - 1)],
                                   live.nodes[rng_in(r, 0, (int64_t)live.n - 1)], NULL);
    inlay_order_free(&live);
}

static uint64_t count_notes(const inlay_graph *g)
{
    uint64_t count = 0;

    for (const inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_out; i++)
            count += n->out[i].note != INLAY_FRESH;
    }
    return count;
}

static inlay_session *session_of(inlay_graph *g, inlay_exec_mode mode, inlay_program **program,
                                 inlay_diags *d)
{
    inlay_exec_options o = {.mode = mode, .poison = true};
    inlay_session *s;

    *program = inlay_compile(g, &o, d);
    s = *program ? inlay_session_new(*program, d) : NULL;
    if (!s)
        fail_msg("%s", inlay_diags_at(d, 0)->text);
    return s;
}

static void same(uint64_t seed, const char *what, int i, const inlay_tensor *a,
                 const inlay_tensor *b)
{
    inlay_compare_options exact = {0};
    char why[500] = "one is not there";

    if ((a || b) && (!a || !b || !inlay_compare_tensors(a, b, &exact, why, sizeof why)))
        fail_msg("seed %llu, %s %d: %s", (unsigned long long)seed, what, i, why);
}

static void run_both(uint64_t seed, const generated_graph *g, inlay_session *a, inlay_session *b,
                     rng *r)
{
    inlay_tensor *in[GENERATE_MAX_INPUTS], *x[MAX_RESULTS] = {NULL}, *y[MAX_RESULTS] = {NULL};
    bool donated[GENERATE_MAX_INPUTS], ok[2];
    const inlay_graph *graph = g->graph;

    for (int i = 0; i < graph->n_params; i++) {
        in[i] = random_input(g, i, r);
        donated[i] = rng_one_in(r, 2);
    }
    ok[0] = inlay_session_run(a, (const inlay_tensor *const *)in, NULL, x, NULL);
    ok[1] = inlay_session_run(b, (const inlay_tensor *const *)in, donated, y, NULL);
    if (ok[0] != ok[1])
        fail_msg("seed %llu: only one of them runs", (unsigned long long)seed);
    for (int i = 0; i < graph->n_results; i++) {
        same(seed, "result", i, x[i], y[i]);
        inlay_tensor_release(x[i]);
        inlay_tensor_release(y[i]);
    }
    for (int i = 0; i < graph->n_variables; i++)
        same(seed, "variable", i, inlay_session_variable(a, i), inlay_session_variable(b, i));
    for (int i = 0; i < graph->n_params; i++)
        inlay_tensor_release(in[i]);
}

/* Checks that NOTED, run planned, gives what G gives by the reference, and returns how much NOTED
 * writes in place. */
static uint64_t check_runs(uint64_t seed, const generated_graph *g, inlay_graph *noted,
                           inlay_diags *d)
{
    rng r = {seed * 13 + 1};
    inlay_program *program[2];
    inlay_session *a = session_of(g->graph, INLAY_EXEC_REFERENCE, &program[0], d);
    inlay_session *b = session_of(noted, INLAY_EXEC_PLANNED, &program[1], d);
    inlay_exec_stats stats;

    for (int i = 0; i < RUNS; i++)
        run_both(seed, g, a, b, &r);
    inlay_session_stats(b, &stats);
    inlay_session_free(a);
    inlay_session_free(b);
    inlay_program_free(program[0]);
    inlay_program_free(program[1]);
    return stats.in_place_writes;
}

/* Checks the claims as they are drawn, which the executor judges itself, and what the checker lets
 * stand of them: the same claims are obeyed. Order edges that form a cycle leave nothing to run. */
static void check_seed(uint64_t seed, struct totals *t)
{
    inlay_diags *d = inlay_diags_new();
    generated_graph g = random_graph_of(INLAY_GENERATE_WINDOWS, seed, d);
    rng r = {seed * 77 + 5};
    inlay_graph *claimed = inlay_graph_clone(g.graph, d), *noted;
    inlay_order_list order;
    uint64_t writes;

    draw_notes(claimed, &r);
    noted = inlay_graph_clone(claimed, d);
    t->drawn += count_notes(noted);
    assert_true(inlay_drop_illegal_notes(noted, d));
    t->stand += count_notes(noted);
    writes = check_runs(seed, &g, noted, d);
    t->in_place += writes;
    if (inlay_order(claimed, false, &order, NULL) && check_runs(seed, &g, claimed, d) != writes)
        fail_msg("seed %llu: not as much in place as is legal", (unsigned long long)seed);
    inlay_order_free(&order);
    inlay_graph_free(claimed);
    inlay_graph_free(noted);
    inlay_graph_free(g.graph);
    inlay_diags_free(d);
}

static void random_claims(void **state)
{
    const seed_range s = seeds_to_try(5000, 1000);
    struct totals t = {0};

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        check_seed(seed, &t);
    /* a scatter into a part copied its data over updates that stood there */
    if (s.whole)
        check_seed(70004261, &t);
    print_message("# of %llu notes %llu stand, %llu writes in place\n", (unsigned long long)t.drawn,
                  (unsigned long long)t.stand, (unsigned long long)t.in_place);
    assert_true(!s.whole || (t.stand > s.n && t.stand < t.drawn && t.in_place > s.n / 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_claims)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
