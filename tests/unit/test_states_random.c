/* Graphs of states (state_graphs.h) in random steps. The law: the planned executor without notes,
 * with those of in-place-windows, after the default passes, and in tiles by threads, gives in every
 * run of every session what the reference gives, bit for bit, states too, and fails where that one
 * fails (passes may leave out what fails and is not needed), which leaves the states as they were.
 * What was handed out never changes, whoever takes it
 * up as a state. Memory is poisoned, and the audit looks at every instance. Where past and present
 * are an input and an output, the reference is handed on to itself by the caller, and the others
 * are carried (ir/graph/carry.c). INLAY_SEED=N plays the graph of seed N. */
#include "graphs.h"
#include "interp/session.h"
#include "ir/shared.h"
#include "passes/passes.h"
#include "seeds.h"
#include "state_graphs.h"

enum { REFERENCE, PLANNED, NOTED, REWRITTEN, TILED, WAYS };
enum { SESSIONS = 2, HELD = 4, STEPS = 14 };

static const char *const names[] = {"reference", "planned", "with notes", "after all passes",
                                    "in tiles, by threads"};
static const char *const passes[] = {NULL, NULL, "in-place-windows", "default", "in-place-windows"};

struct way {
    inlay_graph *graph;
    inlay_program *program;
    inlay_session *session[SESSIONS];
    inlay_diags *d;
    inlay_tensor *out[STATE_RESULTS];
    const inlay_tensor *held[HELD];
    inlay_tensor *was[HELD];
};

struct play {
    uint64_t seed;
    rng r;
    state_graph g;
    struct way w[WAYS];
    inlay_tensor *by_hand[SESSIONS][STATE_MOST]; /* what the reference is handed as past */
    inlay_tensor *in[STATE_INPUTS];
    bool donated[STATE_INPUTS];
};

struct totals {
    uint64_t runs, failed, in_place, copied, reference_copied;
};

static void differ(const struct play *p, int way, const char *what, const char *why)
{
    fputs(p->g.text, stderr);
    fail_msg("seed %llu, %s, %s: %s", (unsigned long long)p->seed, names[way], what, why);
}

static const char *first_text(const struct way *w)
{
    return inlay_diags_count(w->d) > 0 ? inlay_diags_at(w->d, 0)->text : "nothing is said";
}

static void same(const struct play *p, int way, const char *what, int i, const inlay_tensor *a,
                 const inlay_tensor *b)
{
    const inlay_compare_options exact = {0};
    char why[500] = "one of the two is not there", where[60];

    if (!a && !b)
        return;
    snprintf(where, sizeof where, "%s %d", what, i);
    if (!a || !b || !inlay_compare_tensors(a, b, &exact, why, sizeof why))
        differ(p, way, where, why);
}

/* The graph, compiled in each way */

static void begin_way(struct play *p, int k)
{
    const inlay_exec_options o = {.mode =
                                      k == REFERENCE ? INLAY_EXEC_REFERENCE : INLAY_EXEC_PLANNED,
                                  .poison = true,
                                  .threads = k == TILED ? 2 : 1};
    const inlay_pass_options pass = {.passes = passes[k], .check = true};
    struct way *w = &p->w[k];

    *w = (struct way){.graph = graph_of(p->g.text), .d = inlay_diags_new()};
    if (k != REFERENCE && !inlay_graph_carry(w->graph, p->g.pairs, p->g.n_pairs, w->d))
        differ(p, k, "what is carried", first_text(w));
    if (passes[k] && !inlay_run_passes(w->graph, &pass, w->d))
        differ(p, k, "passes", first_text(w));
    w->program = inlay_compile(w->graph, &o, w->d);
    for (int s = 0; w->program && s < SESSIONS; s++)
        w->session[s] = inlay_session_new(w->program, w->d);
    if (!w->program || inlay_diags_count(w->d) > 0) /* a note that is refused is a warning */
        differ(p, k, "the program", first_text(w));
    if (k == TILED) {
        program_tile(w->program, 1 + (int64_t)(p->seed % 40));
        program_split(w->program, 1);
    }
}

static void end_way(struct way *w)
{
    for (int s = 0; s < SESSIONS; s++)
        inlay_session_free(w->session[s]);
    inlay_program_free(w->program);
    inlay_graph_free(w->graph);
    inlay_diags_free(w->d);
}

/* States */

/* Returns the index of state K among the variables of W; -1: there is none. */
static int variable_of(const struct play *p, const struct way *w, int k)
{
    char name[20];
    int found = -1;

    if (p->g.given[k] < 0)
        snprintf(name, sizeof name, "s%d", k);
    else
        snprintf(name, sizeof name, "v%d", p->g.past[k]);
    for (int i = 0; i < w->graph->n_variables; i++)
        found = strcmp(w->graph->variables[i]->name, name) == 0 ? i : found;
    return found;
}

static const inlay_tensor *state_of(const struct play *p, int way, int s, int k)
{
    const struct way *w = &p->w[way];

    return way == REFERENCE && p->g.given[k] >= 0
               ? p->by_hand[s][k]
               : inlay_session_variable(w->session[s], variable_of(p, w, k));
}

static void check_states(const struct play *p, int s)
{
    for (int way = 1; way < WAYS; way++) {
        for (int k = 0; k < p->g.n_states; k++)
            same(p, way, "state", k, state_of(p, REFERENCE, s, k), state_of(p, way, s, k));
    }
}

/* State K of session S becomes ALL, one for each way; NULL is a reset. */
static void set_state(struct play *p, int s, int k, const inlay_tensor *const *all)
{
    bool ok[WAYS] = {true};

    for (int way = REFERENCE; way < WAYS; way++) {
        struct way *w = &p->w[way];

        if (way == REFERENCE && p->g.given[k] >= 0)
            continue;
        ok[way] = inlay_session_set_variable(w->session[s], variable_of(p, w, k), all[way], w->d);
        if (way > 1 && ok[way] != ok[way - 1])
            differ(p, way, "a state that is set", first_text(w));
    }
    if (p->g.given[k] >= 0 && ok[PLANNED]) {
        inlay_tensor_release(p->by_hand[s][k]);
        p->by_hand[s][k] = all[REFERENCE] ? inlay_tensor_retain(all[REFERENCE]) : NULL;
    }
}

/* Some of the states of session S become what is held at H. */
static void take_up(struct play *p, int s, int h)
{
    const inlay_tensor *all[WAYS];

    for (int way = 0; way < WAYS; way++)
        all[way] = p->w[way].held[h];
    for (int k = 0; k < p->g.n_states; k++) {
        if (rng_one_in(&p->r, 2))
            set_state(p, s, k, all);
    }
}

/* What is handed out */

static void let_go(struct play *p, int h)
{
    for (int way = 0; way < WAYS; way++) {
        struct way *w = &p->w[way];

        if (w->held[h])
            same(p, way, "what was handed out before", h, w->was[h], w->held[h]);
        inlay_tensor_release(w->held[h]);
        inlay_tensor_release(w->was[h]);
        w->held[h] = w->was[h] = NULL;
    }
}

static void hold(struct play *p, int way, int h, const inlay_tensor *t)
{
    p->w[way].held[h] = t ? inlay_tensor_retain(t) : NULL;
    p->w[way].was[h] = t ? inlay_tensor_copy(t) : NULL;
}

/* Holds on to a state of session S. */
static void hold_state(struct play *p, int s)
{
    int h = (int)rng_in(&p->r, 0, HELD - 1), k = (int)rng_in(&p->r, 0, p->g.n_states - 1);

    let_go(p, h);
    for (int way = 0; way < WAYS; way++)
        hold(p, way, h, state_of(p, way, s, k));
}

/* Inputs */

static inlay_tensor *filled(rng *r, const char *type, int rank, const int64_t *dims, int64_t lo,
                            int64_t hi)
{
    inlay_type t = INLAY_I64;
    inlay_tensor *x;

    assert_true(inlay_type_by_name(type, &t));
    x = inlay_tensor_new(t, rank, dims);
    assert_non_null(x);
    for (int64_t i = 0; i < inlay_tensor_count(x); i++)
        inlay_tensor_set_i64(x, i, rng_in(r, lo, hi));
    return x;
}

/* Which of N rows, M of them, are picked: in order more often than not, else permuted, or any. */
static inlay_tensor *beams_of(struct play *p, const char *type, int64_t m, int64_t n)
{
    inlay_tensor *t = filled(&p->r, type, 1, &m, 0, n - 1);
    int kind = (int)rng_in(&p->r, 0, 11);

    for (int64_t i = 0; kind < 9 && i < m; i++)
        inlay_tensor_set_i64(t, i, i);
    for (int64_t i = m - 1; kind >= 6 && kind < 9 && i > 0; i--) {
        int64_t j = rng_in(&p->r, 0, i), was = inlay_tensor_get_i64(t, i);

        inlay_tensor_set_i64(t, i, inlay_tensor_get_i64(t, j));
        inlay_tensor_set_i64(t, j, was);
    }
    if (m > 0 && rng_one_in(&p->r, 40))
        inlay_tensor_set_i64(t, rng_in(&p->r, 0, m - 1), rng_one_in(&p->r, 2) ? -1 : n);
    return t;
}

/* The states of session S begin anew, those with something that is their own which the graph does
 * not say how to begin. */
static void reset(struct play *p, int s)
{
    for (int k = 0; k < p->g.n_states; k++) {
        const inlay_tensor *all[WAYS] = {NULL};
        inlay_tensor *first;

        set_state(p, s, k, all);
        if (p->g.begins[k])
            continue;
        first = filled(&p->r, p->g.type, p->g.rank, p->g.dims, 0, 9);
        for (int way = 0; way < WAYS; way++)
            all[way] = first;
        set_state(p, s, k, all);
        inlay_tensor_release(first);
    }
}

static inlay_tensor *number(const char *type, int rank, int64_t x)
{
    const int64_t one = 1;
    rng none = {0};

    return filled(&none, type, rank, &one, x, x);
}

/* Draws the inputs of a run of session S. */
static void draw_inputs(struct play *p, int s)
{
    const state_graph *g = &p->g;
    const inlay_tensor *state = state_of(p, REFERENCE, s, 0);
    const int64_t *now = state ? state->dims : g->dims;
    int64_t dims[STATE_RANK], rows = now[g->axis], beams = now[g->beams], some;

    some = g->varies && rng_one_in(&p->r, 4) ? rng_in(&p->r, 1, 4) : beams;
    for (int i = 0; i < g->n_inputs; i++) {
        state_input kind = g->inputs[i];

        memcpy(dims, g->dims, sizeof dims);
        dims[g->beams] = kind == STATE_FIRST ? g->dims[g->beams] : some;
        dims[g->axis] = kind == STATE_ROW      ? 1
                        : kind == STATE_FIRST  ? rng_in(&p->r, 0, 5)
                        : rng_one_in(&p->r, 2) ? 1
                                               : rng_in(&p->r, 0, 3);
        if (kind == STATE_BY)
            p->in[i] = number("i32", 0, !rng_one_in(&p->r, 14));
        else if (kind == STATE_BEAM)
            p->in[i] = beams_of(p, g->wide ? "i64" : "i32", some, beams > 0 ? beams : 1);
        else if (kind == STATE_AT)
            p->in[i] = number(
                "i64", 1, rng_in(&p->r, rng_one_in(&p->r, 9) ? -2 : 0, rows > 0 ? rows - 1 : 0));
        else if (kind == STATE_TRIP)
            p->in[i] = number("i64", 0, rng_in(&p->r, 0, 4));
        else if (kind == STATE_FROM)
            p->in[i] = number("i64", 1, rng_in(&p->r, 0, 2));
        else
            p->in[i] = filled(&p->r, g->type, g->rank, dims, 0, 9);
        p->donated[i] = rng_one_in(&p->r, 3);
    }
}

/* Runs */

static bool run_way(struct play *p, int way, int s)
{
    struct way *w = &p->w[way];
    inlay_tensor *mine[STATE_INPUTS];
    bool ok;

    for (int i = 0; i < p->g.n_inputs; i++)
        mine[i] = inlay_tensor_copy(p->in[i]);
    for (int k = 0; way == REFERENCE && k < p->g.n_states; k++) {
        int i = p->g.given[k];

        if (i >= 0 && p->by_hand[s][k]) {
            inlay_tensor_release(mine[i]);
            mine[i] = inlay_tensor_retain(p->by_hand[s][k]);
        }
    }
    inlay_diags_clear(w->d);
    ok = inlay_session_run(w->session[s], (const inlay_tensor *const *)mine,
                           way < NOTED ? NULL : p->donated, w->out, w->d);
    for (int i = 0; i < p->g.n_inputs; i++) {
        if (way != REFERENCE && (way < NOTED || !p->donated[i]))
            same(p, way, "input", i, p->in[i], mine[i]);
        inlay_tensor_release(mine[i]);
    }
    return ok;
}

/* Returns whether result I of the graph is one that is carried. */
static bool is_carried(const state_graph *g, int i)
{
    bool is = false;

    for (int k = 0; k < g->n_pairs; k++)
        is = is || g->pairs[k].output == i;
    return is;
}

/* Keeps what the reference gave as past, and takes these out of its results, as the others have
 * none of them. */
static void hand_on(struct play *p, int s)
{
    inlay_tensor **out = p->w[REFERENCE].out;
    int n = 0;

    for (int k = 0; k < p->g.n_pairs; k++) {
        inlay_tensor_release(p->by_hand[s][k]);
        p->by_hand[s][k] = inlay_tensor_retain(out[p->g.pairs[k].output]);
    }
    for (int i = 0; i < p->g.n_results; i++) {
        if (is_carried(&p->g, i))
            inlay_tensor_release(out[i]);
        else
            out[n++] = out[i];
    }
}

/* Compares the results, and holds on to one of them, sometimes. */
static void look_at_results(struct play *p)
{
    int n = p->w[PLANNED].graph->n_results, h = (int)rng_in(&p->r, 0, HELD - 1);
    int held = rng_one_in(&p->r, 2) ? (int)rng_in(&p->r, 0, n - 1) : -1;

    if (held >= 0)
        let_go(p, h);
    for (int way = 0; way < WAYS; way++) {
        for (int i = 0; i < n; i++) {
            same(p, way, "result", i, p->w[REFERENCE].out[i], p->w[way].out[i]);
            if (i == held)
                hold(p, way, h, p->w[way].out[i]);
        }
    }
    for (int i = 0; i < WAYS * n; i++)
        inlay_tensor_release(p->w[i / n].out[i % n]);
}

/* Passes may leave out what fails and is not needed: then a run goes well, and has results and
 * states that the reference has not. They go. */
static void take_back(struct play *p, int way, int s)
{
    struct way *w = &p->w[way];

    for (int i = 0; i < w->graph->n_results; i++)
        inlay_tensor_release(w->out[i]);
    for (int k = 0; k < p->g.n_states; k++)
        assert_true(inlay_session_set_variable(w->session[s], variable_of(p, w, k),
                                               state_of(p, PLANNED, s, k), w->d));
}

static void run_all(struct play *p, int s, struct totals *t)
{
    inlay_exec_stats ours, theirs;
    bool ok, expected;

    draw_inputs(p, s);
    expected = run_way(p, REFERENCE, s);
    for (int way = 1; way < WAYS; way++) {
        ok = run_way(p, way, s);
        if (ok && !expected && way == REWRITTEN)
            take_back(p, way, s);
        else if (ok != expected)
            differ(p, way, ok ? "no failure" : "failure", first_text(&p->w[ok ? REFERENCE : way]));
    }
    if (expected) {
        hand_on(p, s);
        look_at_results(p);
    }
    check_states(p, s);
    inlay_session_stats(p->w[NOTED].session[s], &ours);
    inlay_session_stats(p->w[REFERENCE].session[s], &theirs);
    t->runs++;
    t->failed += !expected;
    t->in_place += ours.in_place_writes;
    t->copied += ours.copied_bytes;
    t->reference_copied += theirs.copied_bytes;
    for (int i = 0; i < p->g.n_inputs; i++)
        inlay_tensor_release(p->in[i]);
}

/* A session takes up what is held, or is reset, or lets its state be held; then it runs. */
static void make_step(struct play *p, struct totals *t)
{
    int s = rng_one_in(&p->r, 3) ? 1 : 0, h = (int)rng_in(&p->r, 0, HELD - 1);

    if (rng_one_in(&p->r, 30))
        reset(p, s);
    else if (rng_one_in(&p->r, 6) && p->w[REFERENCE].held[h])
        take_up(p, s, h);
    run_all(p, s, t);
    if (rng_one_in(&p->r, 4))
        hold_state(p, s);
}

static void check_seed(struct play *p, uint64_t seed, struct totals *t)
{
    *p = (struct play){.seed = seed, .r = {seed * 31 + 7}};
    make_state_graph(&p->g, seed);
    for (int k = 0; k < WAYS; k++)
        begin_way(p, k);
    for (int i = 0; i < SESSIONS; i++)
        reset(p, i);
    for (int i = 0; i < STEPS; i++)
        make_step(p, t);
    for (int h = 0; h < HELD; h++)
        let_go(p, h);
    for (int i = 0; i < SESSIONS * STATE_MOST; i++)
        inlay_tensor_release(p->by_hand[i / STATE_MOST][i % STATE_MOST]);
    for (int k = 0; k < WAYS; k++)
        end_way(&p->w[k]);
}

static void test_random_states(void **state)
{
    const seed_range s = seeds_to_try(200, 50);
    struct play *p = malloc(sizeof *p);
    struct totals t = {0};

    assert_non_null(p);
    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        check_seed(p, seed, &t);
    free(p);
    print_message(
        "# %llu runs, of which %llu failed alike; %llu writes in place, %llu bytes copied "
        "where the reference copies %llu\n",
        (unsigned long long)t.runs, (unsigned long long)t.failed, (unsigned long long)t.in_place,
        (unsigned long long)t.copied, (unsigned long long)t.reference_copied);
    assert_true(!s.whole || (t.failed > t.runs / 50 && t.failed < t.runs / 2));
    assert_true(!s.whole || t.copied < t.reference_copied);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_states)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
