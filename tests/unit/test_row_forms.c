/* Each row of the table in each form that a graph gives its operation: planned, in a body, with
 * sizes that are not known, with sizes of 0, on views. Graphs and inputs are made up from the cases
 * of tests/ops (formed.h); the reference and the planned executor, which obeys the notes of
 * in-place-windows, must give the same, bit for bit. Every row must be met in every form by some
 * graph that runs, but for those that tests/ops/equivalent.txt explains.
 *
 * INLAY_SEEDS=FIRST,COUNT tries all cases COUNT times, and prints for each row how often it was met
 * in which form: `make coverage-ops`. */
#include "formed.h"
#include "op_cases.h"
#include "seeds.h"
#include "unit.h"

#include "interp/session.h"
#include "written.h"

static const char *const names[] = {"planned", "body", "dynamic", "empty", "strided"};

enum { ENOUGH = 2, ATTEMPTS = 16 };

/* A row on its way through its cases. */
struct meeting {
    const inlay_op *row;
    uint64_t seed;
    bool all; /* each case is tried, else until each form was met often enough */
    int met[FORMED_KINDS];
};

/* ---- one graph ---- */

static bool run(const formed *f, inlay_exec_mode mode, const inlay_graph *g, inlay_tensor **out,
                inlay_diags *d)
{
    const inlay_exec_options o = {
        .mode = mode, .poison = true, .threads = 1, .max_memory = 1 << 28};
    inlay_program *p = inlay_compile(g, &o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    bool ok = s && inlay_session_run(s, (const inlay_tensor *const *)f->in, NULL, out, d);

    inlay_session_free(s);
    inlay_program_free(p);
    return ok;
}

static bool to_stderr(void *ctx, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, ctx) == n;
}

static void differ(const char *path, const formed *f, const inlay_graph *g, uint64_t seed,
                   const char *why)
{
    inlay_sink sink = {to_stderr, stderr};
    inlay_strbuf b = {0};

    inlay_print(g, true, &sink, NULL);
    for (int i = 0; i < g->n_params; i++) {
        inlay_strbuf_printf(&b, "%s = ", g->params[i]->name);
        written_add_tensor(&b, f->in[i]);
        inlay_strbuf_puts(&b, "\n");
    }
    fputs(b.n ? b.bytes : "", stderr);
    fail_msg("%s, seed %llu: planned: %s", path, (unsigned long long)seed, why);
}

/* Compares both executors. False: both refuse the inputs. */
static bool compare(const char *path, const formed *f, uint64_t seed, inlay_diags *d)
{
    inlay_pass_options passes = {.passes = "in-place-windows", .check = true};
    inlay_tensor *a[OP_CASE_MAX] = {NULL}, *b[OP_CASE_MAX] = {NULL};
    inlay_graph *noted = inlay_graph_clone(f->graph, d);
    inlay_compare_options exact = {0};
    char why[512] = "only one of the two executors fails";
    bool ran = run(f, INLAY_EXEC_REFERENCE, f->graph, a, d), same;

    if (!noted || !inlay_run_passes(noted, &passes, d))
        differ(path, f, f->graph, seed, "the pass fails");
    same = ran == run(f, INLAY_EXEC_PLANNED, noted, b, d);
    for (int i = 0; same && ran && i < noted->n_results; i++)
        same = inlay_compare_tensors(a[i], b[i], &exact, why, sizeof why);
    if (!same)
        differ(path, f, noted, seed, why);
    for (int i = 0; i < OP_CASE_MAX; i++) {
        inlay_tensor_release(a[i]);
        inlay_tensor_release(b[i]);
    }
    inlay_graph_free(noted);
    return ran;
}

/* ---- the cases of a row ---- */

static bool try_form(const char *path, const op_case *c, const inlay_op *row, formed_kind kind,
                     uint64_t seed)
{
    rng r = {.state = seed};
    inlay_diags *d = inlay_diags_new();
    formed f;
    bool met = formed_make(&f, c, kind, &r, d) && f.graph->n_results <= OP_CASE_MAX &&
               op_case_node(f.graph, row) && compare(path, &f, seed, d);

    formed_free(&f);
    inlay_diags_free(d);
    return met;
}

/* Returns a seed for an attempt of a case: another one for another case. */
static uint64_t seed_of(const struct meeting *m, const char *path, int kind, int attempt)
{
    uint64_t h = m->seed * 1000003 + (uint64_t)(kind * ATTEMPTS + attempt);

    for (const char *p = strstr(path, "tests/ops/"); *p; p++)
        h = (h ^ (unsigned char)*p) * 1099511628211u;
    return h;
}

static bool try_case(const char *path, const op_case *c, void *ctx)
{
    struct meeting *m = ctx;
    bool enough = true;

    for (int kind = 0; c->error.n == 0 && kind < FORMED_KINDS; kind++) {
        bool met = !m->all && m->met[kind] >= ENOUGH;

        for (int i = 0; !met && i < ATTEMPTS; i++) {
            met = try_form(path, c, m->row, (formed_kind)kind, seed_of(m, path, kind, i));
            m->met[kind] += met;
        }
    }
    for (int kind = 0; kind < FORMED_KINDS; kind++)
        enough = enough && m->met[kind] >= ENOUGH;
    return m->all || !enough;
}

/* Returns whether the row was met in each form that it can have. */
static bool judge(const struct meeting *m, op_excuses *excuses)
{
    char row[80], what[80];
    bool ok = true;

    inlay_op_text(m->row, row, sizeof row);
    for (int kind = 0; kind < FORMED_KINDS; kind++) {
        snprintf(what, sizeof what, "form: %s", names[kind]);
        if (m->met[kind] > 0 || op_excuses_has(excuses, row, what))
            continue;
        print_error("%s: no graph that runs has the %s\n", row, what);
        ok = false;
    }
    if (m->all)
        print_message("%-48s %7d %7d %7d %7d %7d\n", row, m->met[0], m->met[1], m->met[2],
                      m->met[3], m->met[4]);
    return ok;
}

static void test_forms(void **state)
{
    op_excuses *excuses = op_excuses_read("form: ");
    seed_range seeds = seeds_to_try(1, 1);
    int missing = 0;

    if (getenv("INLAY_SEEDS"))
        print_message("%-48s %7s %7s %7s %7s %7s\n", "operation", names[0], names[1], names[2],
                      names[3], names[4]);
    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        struct meeting m = {.row = inlay_op_at(NULL, i), .all = getenv("INLAY_SEEDS") != NULL};

        for (uint64_t k = 0; k < seeds.n; k++) {
            m.seed = seeds.first + k;
            op_cases_each(m.row->name, try_case, &m);
        }
        missing += !judge(&m, excuses);
    }
    op_excuses_end(excuses);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
