/* The memory plan says before a run what its statistics say after it: on small graphs, where the
 * sizes are added by hand, and on random ones. INLAY_SEED=N looks at the one graph of seed N. */
#include "interp/interp.h"
#include "passes/passes.h"
#include "random_graphs.h"
#include "tests/unit/texts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static inlay_memory_plan plan_of(const inlay_graph *g)
{
    inlay_diags *d = inlay_diags_new();
    inlay_memory_plan plan;

    if (!inlay_memory_plan_make(g, &plan, d))
        fail_msg("%s", inlay_diags_at(d, 0)->text);
    inlay_diags_free(d);
    return plan;
}

static void make_notes(inlay_graph *g)
{
    inlay_pass_options o = {.passes = "in-place-windows"};
    inlay_diags *d = inlay_diags_new();

    assert_true(inlay_run_passes(g, &o, d));
    inlay_diags_free(d);
}

/* Values have 10,000 f32 each: x is given, b and d are outputs. All are computed together, so that
 * a and c have no memory, and b and d have theirs from the first step on. */
static void test_lifetimes(void **state)
{
    inlay_graph *g =
        graph_of_text("graph \"g\" {\n"
                      "  %x = Parameter-1 {element_type = f32, shape = [10000]} : f32[10000]\n"
                      "  %a = Negative-1(%x) : f32[10000]\n"
                      "  %b = Abs-1(%a) : f32[10000]\n"
                      "  %c = Floor-1(%a) : f32[10000]\n"
                      "  %d = Floor-1(%c) : f32[10000]\n"
                      "  %r = Result-1(%b)\n"
                      "  %s = Result-1(%d)\n"
                      "}\n");
    inlay_memory_plan p = plan_of(g);

    (void)state;
    assert_int_equal(p.steps, 4);
    assert_int_equal(p.n_values, 4);
    assert_int_equal(p.value_bytes, 160000);
    assert_int_equal(p.peak_bytes, 80000);
    assert_string_equal(p.peak_at->name, "a");
    assert_int_equal(p.fresh_peak_bytes, 120000);
    assert_int_equal(p.unknown, 0);
    assert_false(p.about);
    assert_string_equal(p.values[0].value->node->name, "a");
    assert_int_equal(p.values[0].made, 0);
    assert_int_equal(p.values[0].last, 2);
    assert_int_equal(p.values[1].last, 4); /* an output: after the last step */
    assert_int_equal(p.values[0].bytes, 40000);
    inlay_memory_plan_free(&p);
    inlay_graph_free(g);
}

/* Half of x is read, computed on, written back: with notes x is copied once (400 bytes) and nothing
 * else is made; without notes the slice and its negative (200 bytes each) stand beside the
 * result. */
static void test_notes(void **state)
{
    inlay_graph *g =
        graph_of_text("graph \"g\" {\n"
                      "  %x = Parameter-1 {element_type = f32, shape = [100]} : f32[100]\n"
                      "  %b = Const-1 {value = i64[1] [0]}\n"
                      "  %e = Const-1 {value = i64[1] [50]}\n"
                      "  %one = Const-1 {value = i64[1] [1]}\n"
                      "  %rows = Slice-8(%x, %b, %e, %one)\n"
                      "  %new = Negative-1(%rows)\n"
                      "  %out = SliceScatter-15(%x, %new, %b, %e, %one)\n"
                      "  %r = Result-1(%out)\n"
                      "}\n");
    inlay_memory_plan p;

    (void)state;
    make_notes(g);
    p = plan_of(g);
    assert_int_equal(p.value_bytes, 800);
    assert_int_equal(p.peak_bytes, 400);
    assert_int_equal(p.fresh_peak_bytes, 600);
    assert_int_equal(p.values[0].place, INLAY_VIEW_OF);
    assert_int_equal(p.values[1].place, INLAY_INTO);
    assert_int_equal(p.values[2].place, INLAY_OVERWRITES);
    inlay_memory_plan_free(&p);
    inlay_graph_free(g);
}

static void test_what_is_not_known(void **state)
{
    inlay_graph *g = graph_of_text("graph \"g\" {\n"
                                   "  %x = Parameter-1 {element_type = f32, shape = [?]} : f32[?]\n"
                                   "  %y = Parameter-1 {element_type = f32, shape = [2]} : f32[2]\n"
                                   "  %a = Negative-1(%x)\n"
                                   "  %b = Negative-1(%y)\n"
                                   "  %r = Result-1(%a)\n"
                                   "  %s = Result-1(%b)\n"
                                   "}\n");
    inlay_memory_plan p = plan_of(g);

    (void)state;
    assert_int_equal(p.unknown, 1);
    assert_int_equal(p.peak_bytes, 8);
    inlay_memory_plan_free(&p);
    inlay_graph_free(g);
}

static bool to_stderr(void *ctx, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, ctx) == n;
}

/* Finds the peak of one run; false when the run fails. */
static bool run(const generated_graph *g, const inlay_graph *graph, inlay_exec_mode mode,
                uint64_t seed, inlay_exec_stats *stats)
{
    inlay_exec_options o = {.mode = mode};
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(graph, &o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    inlay_tensor *in[GENERATE_MAX_INPUTS], *out[GENERATE_MAX_INPUTS];
    rng r = {seed};
    bool ok;

    for (int i = 0; i < graph->n_params; i++)
        in[i] = random_input(g, i, &r);
    ok = s && inlay_session_run(s, (const inlay_tensor *const *)in, NULL, out, d);
    inlay_session_stats(s, stats);
    for (int i = 0; i < graph->n_params; i++)
        inlay_tensor_release(in[i]);
    for (int i = 0; ok && i < graph->n_results; i++)
        inlay_tensor_release(out[i]);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
    return ok;
}

struct totals {
    int compared, less; /* plans that are exact; those that notes make smaller */
};

static void check_seed(uint64_t seed, struct totals *t)
{
    inlay_diags *d = inlay_diags_new();
    generated_graph g = random_graph_of(INLAY_GENERATE_WINDOWS, seed, d);
    inlay_exec_stats noted, fresh;
    inlay_memory_plan p;

    make_notes(g.graph);
    p = plan_of(g.graph);
    if (!p.about && p.unknown == 0 && run(&g, g.graph, INLAY_EXEC_PLANNED, seed, &noted) &&
        run(&g, g.graph, INLAY_EXEC_REFERENCE, seed, &fresh)) {
        if (noted.peak_bytes != p.peak_bytes || fresh.peak_bytes != p.fresh_peak_bytes ||
            noted.steps != p.steps) {
            inlay_sink sink = {to_stderr, stderr};

            inlay_print(g.graph, true, &sink, d);
            fail_msg("seed %llu: planned %llu bytes, run %llu; without notes planned %llu, run "
                     "%llu; steps %zu and %llu",
                     (unsigned long long)seed, (unsigned long long)p.peak_bytes,
                     (unsigned long long)noted.peak_bytes, (unsigned long long)p.fresh_peak_bytes,
                     (unsigned long long)fresh.peak_bytes, p.steps,
                     (unsigned long long)noted.steps);
        }
        t->compared++;
        t->less += p.peak_bytes < p.fresh_peak_bytes;
    }
    inlay_memory_plan_free(&p);
    inlay_graph_free(g.graph);
    inlay_diags_free(d);
}

static void test_random_graphs(void **state)
{
    const seed_range s = seeds_to_try(3000, 400);
    struct totals t = {0};

    (void)state;
    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        check_seed(seed, &t);
    print_message("%d of %d plans compared, %d made smaller by notes\n", t.compared, (int)s.n,
                  t.less);
    assert_true(!s.whole || t.compared > (int)s.n / 4);
    assert_true(!s.whole || t.less > (int)s.n / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lifetimes),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_what_is_not_known),
        cmocka_unit_test(test_random_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
