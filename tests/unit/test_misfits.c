/* Runs whose sizes do not fit: graphs that know little of sizes get tensors which their shape rules
 * refuse. The law: no plan depends on a check that has not been made yet. Each graph is run as it
 * is made up, with the notes of in-place-windows, and after the default passes. In each of these
 * forms the planned executor, with and without donated inputs, and in tiles by threads, gives what
 * the reference gives, or refuses with the same words; a run that is refused gives no tensor and
 * leaves variables and inputs as they were. Runs that fit come between, in the same sessions.
 * INLAY_SEED=N plays the graph of seed N. */
#include "graphs.h"
#include "interp/session.h"
#include "misfit_graphs.h"
#include "passes/passes.h"
#include "random_graphs.h"

enum { RUNS = 6, MAX_RESULTS = 8, MAX_VARIABLES = 6 };

static const struct way {
    const char *name;
    inlay_exec_mode mode;
    inlay_kernels kernels;
    int threads;
    bool donated;
} ways[] = {{"reference", INLAY_EXEC_REFERENCE, INLAY_KERNELS_PORTABLE, 1, false},
            {"planned", INLAY_EXEC_PLANNED, INLAY_KERNELS_PORTABLE, 1, false},
            {"planned, inputs donated", INLAY_EXEC_PLANNED, INLAY_KERNELS_REFERENCE, 1, true},
            {"planned, in tiles by threads", INLAY_EXEC_PLANNED, INLAY_KERNELS_PORTABLE, 2, false}};
static const char *const forms[] = {NULL, "in-place-windows", "default"};

enum { WAYS = sizeof ways / sizeof *ways, FORMS = sizeof forms / sizeof *forms };

/* A graph in one of the forms, run in one of the ways. */
struct play {
    uint64_t seed, memory;
    const char *form;
    const struct way *way;
    inlay_program *program;
    inlay_session *session;
    inlay_diags *d;
    bool ok;
    inlay_tensor *out[MAX_RESULTS];
};

struct totals {
    uint64_t graphs, runs, refused, in_place;
};

static bool to_stderr(void *ctx, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, ctx) == n;
}

static void differ(const struct play *p, const char *what, const char *why)
{
    const inlay_sink sink = {to_stderr, stderr};

    inlay_print(session_graph(p->session), true, &sink, NULL);
    fail_msg("seed %llu, %s, %s, %s: %s", (unsigned long long)p->seed,
             p->form ? p->form : "no passes", p->way->name, what, why);
}

static const char *said(const struct play *p)
{
    return inlay_diags_error(p->d) ? inlay_diags_error(p->d)->text : "nothing is said";
}

static void begin(struct play *p, const inlay_graph *g, const struct way *w)
{
    const inlay_exec_options o = {.mode = w->mode,
                                  .kernels = w->kernels,
                                  .threads = w->threads,
                                  .max_memory = p->memory,
                                  .max_iterations = 10000,
                                  .poison = true};

    p->way = w;
    p->d = inlay_diags_new();
    p->program = inlay_compile(g, &o, p->d);
    p->session = p->program ? inlay_session_new(p->program, p->d) : NULL;
    if (!p->session)
        fail_msg("seed %llu, %s: %s", (unsigned long long)p->seed, w->name, said(p));
    program_tile(p->program, w->threads > 1 ? 1 + (int64_t)(p->seed % 40) : 0);
    program_split(p->program, 1);
}

static void end(struct play *p)
{
    inlay_session_free(p->session);
    inlay_program_free(p->program);
    inlay_diags_free(p->d);
}

static void same(const struct play *p, const char *what, int i, const inlay_tensor *a,
                 const inlay_tensor *b)
{
    const inlay_compare_options exact = {0};
    char why[500] = "one of the two is not there", where[60];

    if (!a && !b)
        return;
    snprintf(where, sizeof where, "%s %d", what, i);
    if (!a || !b || !inlay_compare_tensors(a, b, &exact, why, sizeof why))
        differ(p, where, why);
}

static inlay_tensor *copy_of(const inlay_tensor *t)
{
    inlay_tensor *copy = t ? inlay_tensor_copy(t) : NULL;

    assert_true(!t || copy);
    return copy;
}

/* What a run that was refused must leave as it was. */
static void check_refused(const struct play *p, inlay_tensor *const *was)
{
    const inlay_graph *g = session_graph(p->session);

    for (int i = 0; i < g->n_results; i++) {
        if (p->out[i])
            differ(p, "output", "it is there although the run failed");
    }
    for (int i = 0; i < g->n_variables; i++)
        same(p, "the variable of a failed run", i, was[i], inlay_session_variable(p->session, i));
}

/* Runs P on copies of IN; a copy that is not donated must come back as it was. */
static void run(struct play *p, inlay_tensor *const *in)
{
    const inlay_graph *g = session_graph(p->session);
    inlay_tensor *mine[GENERATE_MAX_INPUTS], *was[MAX_VARIABLES] = {NULL};
    bool donated[GENERATE_MAX_INPUTS];

    assert_true(g->n_variables <= MAX_VARIABLES && g->n_results <= MAX_RESULTS);
    for (int i = 0; i < g->n_variables; i++)
        was[i] = copy_of(inlay_session_variable(p->session, i));
    for (int i = 0; i < g->n_params; i++) {
        mine[i] = copy_of(in[i]);
        donated[i] = p->way->donated;
    }
    inlay_diags_clear(p->d);
    p->ok = inlay_session_run(p->session, (const inlay_tensor *const *)mine, donated, p->out, p->d);
    for (int i = 0; i < g->n_params; i++) {
        if (!donated[i])
            same(p, "input", i, in[i], mine[i]);
        inlay_tensor_release(mine[i]);
    }
    if (!p->ok)
        check_refused(p, was);
    for (int i = 0; i < g->n_variables; i++)
        inlay_tensor_release(was[i]);
}

static void compare(const struct play *a, const struct play *b)
{
    const inlay_graph *g = session_graph(a->session);

    if (a->ok != b->ok)
        differ(b, "failure", said(a->ok ? b : a));
    if (!a->ok && strcmp(said(a), said(b)) != 0)
        differ(b, said(a), said(b));
    for (int i = 0; i < g->n_results; i++)
        same(b, "result", i, a->out[i], b->out[i]);
    for (int i = 0; i < g->n_variables; i++)
        same(b, "variable", i, inlay_session_variable(a->session, i),
             inlay_session_variable(b->session, i));
}

/* Sizes that nobody bounds may be large. Who refuses them first depends on what he holds. */
static bool is_large(const struct play *p)
{
    bool large = false;

    for (int k = 0; k < WAYS; k++)
        large = large || (!p[k].ok && inlay_diags_status(p[k].d) == INLAY_NO_RESOURCE);
    return large;
}

/* Returns whether sessions can go on: they agree. */
static bool run_all(struct play *p, const generated_graph *made, bool fits, rng *r,
                    struct totals *t)
{
    inlay_tensor *in[GENERATE_MAX_INPUTS];
    const inlay_graph *g = session_graph(p[0].session);
    const int odd = g->n_params > 0 ? (int)rng_in(r, 0, g->n_params - 1) : 0;
    bool large;

    for (int i = 0; i < g->n_params; i++) {
        const bool misfit = !fits && (i == odd || rng_one_in(r, 8));

        in[i] = misfit ? generate_misfit(made, i, r) : generate_input(made, i, r);
        assert_non_null(in[i]);
    }
    for (int k = 0; k < WAYS; k++)
        run(&p[k], in);
    large = is_large(p);
    for (int k = 1; !large && k < WAYS; k++)
        compare(&p[0], &p[k]);
    t->runs += !fits;
    t->refused += !fits && !p[0].ok;
    for (int k = 0; k < WAYS; k++) {
        for (int i = 0; i < g->n_results; i++)
            inlay_tensor_release(p[k].out[i]);
    }
    for (int i = 0; i < g->n_params; i++)
        inlay_tensor_release(in[i]);
    return !large;
}

/* Plays MADE in the form FORM, with MEMORY at most (0: any), on inputs that follow from its seed.
 */
static void play_form(uint64_t seed, uint64_t memory, const generated_graph *made, const char *form,
                      struct totals *t)
{
    struct play p[WAYS];
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_clone(made->graph, d);
    const inlay_pass_options passes = {.passes = form, .check = true};
    inlay_exec_stats stats;
    rng r = {seed ^ 0x315F17};
    bool ok = g && (!form || inlay_run_passes(g, &passes, d));

    for (int k = 0; ok && k < WAYS; k++) {
        p[k] = (struct play){.seed = seed, .memory = memory, .form = form};
        begin(&p[k], g, &ways[k]);
    }
    for (int i = 0; ok && i < RUNS && run_all(p, made, i % 3 == 1, &r, t); i++) {
        inlay_session_stats(p[1].session, &stats);
        t->in_place += stats.in_place_writes;
    }
    for (int k = 0; ok && k < WAYS; k++)
        end(&p[k]);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* One graph in three is of windows, one in three of places. */
static inlay_generate_mix mix_of(uint64_t seed)
{
    static const inlay_generate_mix mixes[] = {
        INLAY_GENERATE_WINDOWS, INLAY_GENERATE_PLACES, INLAY_GENERATE_SIZES,
        INLAY_GENERATE_WINDOWS, INLAY_GENERATE_PLACES, INLAY_GENERATE_ROWS,
        INLAY_GENERATE_WINDOWS, INLAY_GENERATE_PLACES, INLAY_GENERATE_MOVES};

    return mixes[seed % (sizeof mixes / sizeof *mixes)];
}

static void play(uint64_t seed, uint64_t memory, const generated_graph *g, struct totals *t)
{
    for (int i = 0; i < FORMS; i++)
        play_form(seed, memory, g, forms[i], t);
    t->graphs++;
    inlay_graph_free(g->graph);
}

static void play_generated(uint64_t seed, struct totals *t)
{
    const inlay_generate_options o = {.seed = seed,
                                      .mix = mix_of(seed),
                                      .shapes = INLAY_GENERATE_OPEN,
                                      .variables = seed % 4 < 2};
    inlay_diags *d = inlay_diags_new();
    rng r = {seed ^ 0x09E7};
    generated_graph g;

    if (!generate_graph(&o, &g, d) || !generate_open(&g, &r, d))
        fail_msg("the graph of seed %llu cannot be made: %s", (unsigned long long)seed,
                 inlay_diags_at(d, 0)->text);
    play(seed, 64 << 20, &g, t);
    inlay_diags_free(d);
}

static void play_small(uint64_t seed, struct totals *t)
{
    const generated_graph g = make_misfit_graph(seed);

    play(seed, 0, &g, t);
}

static void check_seeds(void (*of_seed)(uint64_t, struct totals *))
{
    const seed_range s = seeds_to_try(500, 100);
    struct totals t = {0};

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        of_seed(seed, &t);
    print_message("# %llu graphs, %llu runs whose sizes may not fit, %llu of them refused, %llu "
                  "writes in place\n",
                  (unsigned long long)t.graphs, (unsigned long long)t.runs,
                  (unsigned long long)t.refused, (unsigned long long)t.in_place);
    assert_true(!s.whole || (t.refused > t.runs / 4 && t.refused < t.runs && t.in_place > s.n));
}

/* What stands in a part of a Concat is written over, and leaves; but the Concat is never made. */
static void test_part_of_what_is_refused(void **state)
{
    static const char before[] = "%p = Parameter {element_type = f32, shape = [?,1]}\n"
                                 "%q = Parameter {element_type = f32, shape = [1,1]}\n"
                                 "%u = Parameter {element_type = f32, shape = [1,1]}\n"
                                 "%k = Parameter {element_type = i64, shape = []}\n"
                                 "%i = Const {value = i64[1] [0]}\n"
                                 "%one = Const {value = i64[1] [1]}\n%a = Exp(%q)\n";
    static const char behind[] = "%s = SliceScatter(%a, %u, %i, %one, %one)\n%r = Result(%s)\n"
                                 "%e = Exp(%c)\n%t = Result(%e)\n";
    static const struct {
        const char *joins, *says;
    } cases[] = {
        {"%c = Concat(%a, %p) {axis = 1}\n",
         "\"c\" (Concat-1): input 1 \"inputs\" has shape [3,1]: axis 0 is 3, it must be 1"},
        {"%v = ReadValue(%p) {variable_id = \"v\", variable_type = f32, variable_shape = [1,1]}\n"
         "%c = Concat(%a, %v) {axis = 1}\n",
         "\"v\" (ReadValue-6): the initial value of variable \"v\" has shape [3,1], [1,1] is "
         "wanted"},
        {"%w = Add(%p, %q)\n%o = Reshape(%w, %one) {special_zero = false}\n"
         "%n = Unsqueeze(%o, %i)\n%c = Concat(%a, %n) {axis = 1}\n",
         "\"o\" (Reshape-1): "}};
    const char *in[] = {"f32[3,1] 1 2 3", "f32[1,1] 2", "f32[1,1] 3", "i64[] 0", NULL};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[2000];
        runner r;

        snprintf(body, sizeof body, "%s%s%s", before, cases[i].joins, behind);
        r = runner_of_noted(body);
        check_run_fails(&r, in, INLAY_INVALID, cases[i].says);
        runner_free(&r);
    }
}

/* The sizes of the image decide no size of the output: both executors must look at them all the
 * same, whatever is known of their number. */
static void test_elements_that_decide_no_size(void **state)
{
    static const char *const shapes[] = {"[2]", "[?]"};
    const char *in[] = {"i64[2] 9 -12", NULL};

    for (size_t i = 0; i < 2; i++) {
        char body[600];

        snprintf(body, sizeof body,
                 "%%size = Const {value = i64[2] [2, 3]}\n"
                 "%%image = Parameter {element_type = i64, shape = %s}\n"
                 "%%y = PriorBox-1(%%size, %%image) {min_size = [6], offset = 0.5}\n"
                 "%%out = Result(%%y)\n",
                 shapes[i]);
        check_graph_run_fails(body, in, "image_size[1] is -12, it must not be negative");
    }
}

static void test_generated(void **state)
{
    check_seeds(play_generated);
}

static void test_small(void **state)
{
    check_seeds(play_small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_part_of_what_is_refused),
                                       cmocka_unit_test(test_elements_that_decide_no_size),
                                       cmocka_unit_test(test_small),
                                       cmocka_unit_test(test_generated)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
