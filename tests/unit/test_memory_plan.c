/* The memory plan says before a run what its statistics say after it: on small graphs, where the
 * sizes are added by hand, and on random ones. INLAY_SEED=N looks at the one graph of seed N. */
#include "interp/interp.h"
#include "passes/passes.h"
#include "random_graphs.h"
#include "tests/unit/texts.h"
#include "unit.h"

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

enum {
    LINE = 64,  /* bytes to which the place of a value is rounded */
    PAGE = 4096 /* bytes that count as nothing */
};

/* Storage notes raise no peak: what a run holds by those of the pass is at most what it holds
 * without any, but for a page, the rounding of places and gaps between them, a tenth at most.
 * Returns the plan by notes. */
static inlay_memory_plan compare_peaks(inlay_graph *g, uint64_t seed)
{
    inlay_memory_plan without = plan_of(g), by;

    make_notes(g);
    by = plan_of(g);
    if (!by.about && by.unknown == 0 &&
        by.peak_bytes > without.peak_bytes + without.peak_bytes / 10 + PAGE + LINE * by.n_values)
        fail_msg("seed %llu: %llu bytes by notes, %llu without", (unsigned long long)seed,
                 (unsigned long long)by.peak_bytes, (unsigned long long)without.peak_bytes);
    inlay_memory_plan_free(&without);
    return by;
}

static void check_seed(uint64_t seed, struct totals *t)
{
    inlay_diags *d = inlay_diags_new();
    generated_graph g =
        random_graph_of(seed % 4 == 0 ? INLAY_GENERATE_PLACES : INLAY_GENERATE_WINDOWS, seed, d);
    inlay_exec_stats noted, fresh;
    inlay_memory_plan p;

    p = compare_peaks(g.graph, seed);
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

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        check_seed(seed, &t);
    print_message("%d of %d plans compared, %d made smaller by notes\n", t.compared, (int)s.n,
                  t.less);
    assert_true(!s.whole || t.compared > (int)s.n / 4);
    assert_true(!s.whole || t.less > (int)s.n / 10);
}

/* Half of each level of DEPTH levels is kept, and joined with what the level below makes:
 *
 *     a0 -> a1 -> a2          a level has the sizes that R draws
 *      |     |     |
 *     c0 <- c1 <- c2          c1 = Concat(k1, u1): k1 is made of a1, u1 of c2
 *
 * If k1 were made in its part of c1, all of c1 would be there while the levels below run. */
static inlay_graph *levels(int depth, rng *r)
{
    inlay_strbuf b = {0};
    inlay_graph *g;

    inlay_strbuf_printf(&b,
                        "graph \"g\" {\n%%x = Parameter-1 {element_type = f32, shape = [4000]} : "
                        "f32[4000]\n%%axis = Const-1 {value = i32[] [0]}\n"
                        "%%one = Const-1 {value = i64[1] [1]}\n"
                        "%%zero = Const-1 {value = i64[1] [0]}\n%%a0 = CumSum-3(%%x, %%axis)\n");
    for (int i = 0; i < depth; i++) {
        inlay_strbuf_printf(&b, "%%e%d = Const-1 {value = i64[1] [%d]}\n", i,
                            (int)rng_in(r, 40, 4000));
        inlay_strbuf_printf(&b, "%%k%d = CumSum-3(%%a%d, %%axis)\n", i, i);
        inlay_strbuf_printf(&b, "%%s%d = Slice-8(%%a%d, %%zero, %%e%d, %%one)\n", i, i, i);
        inlay_strbuf_printf(&b, "%%a%d = CumSum-3(%%s%d, %%axis)\n", i + 1, i);
    }
    inlay_strbuf_printf(&b, "%%c%d = CumSum-3(%%a%d, %%axis)\n", depth, depth);
    for (int i = depth; i-- > 0;) {
        inlay_strbuf_printf(&b, "%%u%d = CumSum-3(%%c%d, %%axis)\n", i, i + 1);
        inlay_strbuf_printf(&b, "%%c%d = Concat-1(%%k%d, %%u%d) {axis = 0}\n", i, i, i);
    }
    inlay_strbuf_printf(&b, "%%f = CumSum-3(%%c0, %%axis)\n%%r = Result-1(%%f)\n}\n");
    g = graph_of_text(b.bytes);
    inlay_strbuf_free(&b);
    return g;
}

static void test_joins_across_levels(void **state)
{
    int in_parts = 0, all = 0;

    for (uint64_t seed = 1; seed <= 60; seed++) {
        rng r = {seed};
        inlay_graph *g = levels(1 + (int)seed % 6, &r);
        inlay_memory_plan by = compare_peaks(g, seed);

        for (size_t i = 0; i < by.n_values; i++)
            in_parts += by.values[i].place == INLAY_INTO;
        all += 2 * (1 + (int)seed % 6);
        inlay_memory_plan_free(&by);
        inlay_graph_free(g);
    }
    print_message("%d of %d parts need no copy\n", in_parts, all);
    assert_true(in_parts > all / 3 && in_parts < all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lifetimes),           cmocka_unit_test(test_notes),
        cmocka_unit_test(test_what_is_not_known),   cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_joins_across_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
