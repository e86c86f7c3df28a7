/* Decides whether a graph fails. The reference defines its results: every executor must give the
 * same ones, and so must every graph that passes make of it. */
#include "cli/child.h"
#include "cli/fuzz.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

/* The ways to run a graph that are compared with the reference. */
static const struct way {
    const char *name;
    inlay_kernels kernels;
    int threads;
    bool donated; /* the run may overwrite all inputs */
} ways[] = {{"planned", INLAY_KERNELS_PORTABLE, 1, false},
            {"planned, kernels of the reference", INLAY_KERNELS_REFERENCE, 1, false},
            {"planned, three threads", INLAY_KERNELS_PORTABLE, 3, false},
            {"planned, inputs donated", INLAY_KERNELS_PORTABLE, 1, true}};

/* A graph and what the passes make of it, step by step. */
struct judge {
    const fuzz *f;
    uint64_t seed;
    inlay_graph *before; /* the graph before the application that is being made */
    uint64_t first;      /* the serial number of the first application, because the numbers of a
                            copy continue; 0: none yet */
    bool approximate;    /* an approximate rule was applied in the current pass */
    const fuzz_failure *wanted; /* only this is compared; NULL: everything is */
    fuzz_failure *out;
    bool failed;
};

static bool fails(struct judge *j, const char *kind, const char *why)
{
    snprintf(j->out->kind, sizeof j->out->kind, "%s", kind);
    snprintf(j->out->why, sizeof j->out->why, "%.*s", (int)sizeof j->out->why - 1, why);
    j->failed = true;
    return true;
}

static void begin(struct judge *j, const char *what, const char *name)
{
    snprintf(j->out->way, sizeof j->out->way, "%s%.60s", what, name);
    *j->out->rule = *j->out->place = '\0';
    j->out->serial = 0;
}

/* Whether a failure of this kind, at this point, is the one to look for. */
static bool is_wanted(const struct judge *j)
{
    return !j->wanted ||
           (strcmp(j->wanted->way, j->out->way) == 0 && strcmp(j->wanted->rule, j->out->rule) == 0);
}

/* ---- executors ---- */

static inlay_verify_options trials_of(const struct judge *j)
{
    return (inlay_verify_options){.trials = j->f->trials,
                                  .seed = j->seed * (uint64_t)j->f->trials,
                                  .max_memory = j->f->model.memory};
}

static inlay_exec_options limits_of(const struct judge *j, const struct way *way)
{
    return (inlay_exec_options){.kernels = way->kernels,
                                .threads = way->threads,
                                .max_memory = j->f->model.memory,
                                .max_iterations = j->f->model.iterations,
                                .poison = true};
}

/* Whether G gives the same results with A and with B. */
static bool same(struct judge *j, const inlay_graph *g, const inlay_evaluator *a,
                 const inlay_evaluator *b, const char *kind)
{
    inlay_verify_options options = trials_of(j);
    inlay_verify_result result;

    if (is_wanted(j) && inlay_verify(g, a, g, b, &options, &result, NULL) &&
        result.verdict == INLAY_NOT_SAME)
        return !fails(j, kind, result.why);
    return true;
}

/* Whether A and B refuse G with the same messages if sizes do not fit. */
static bool refused_alike(struct judge *j, const inlay_graph *g, const inlay_evaluator *a,
                          const inlay_evaluator *b)
{
    const inlay_verify_options how = trials_of(j);
    char why[400];

    return !is_wanted(j) || fuzz_refuse_alike(g, a, b, &how, why, sizeof why) ||
           !fails(j, "refusal", why);
}

/* Whether all executors give the same results for G, also in a second run; STAGE says in words at
 * which point this is. */
static bool runs_alike(struct judge *j, const inlay_graph *g, const char *stage)
{
    inlay_exec_options plain = limits_of(j, &ways[0]);
    inlay_evaluator reference = inlay_reference_evaluator(&plain);
    bool ok = true;

    for (size_t i = 0; ok && i < sizeof ways / sizeof *ways; i++) {
        inlay_exec_options limits = limits_of(j, &ways[i]);
        inlay_evaluator planned =
            ways[i].donated ? fuzz_donating_evaluator(&limits) : inlay_planned_evaluator(&limits);

        begin(j, stage, ways[i].name);
        ok = same(j, g, &reference, &planned, "difference");
        if (ok && i == 0)
            ok = same(j, g, &planned, &planned, "varies");
        ok = ok && refused_alike(j, g, &reference, &planned);
    }
    return ok;
}

/* ---- passes ---- */

static void note_application(struct judge *j, const inlay_application *a)
{
    j->first = j->first ? j->first : a->serial;
    j->out->serial = a->serial - j->first + 1;
    snprintf(j->out->rule, sizeof j->out->rule, "%s", a->rule ? a->rule->name : "");
    snprintf(j->out->place, sizeof j->out->place, "\"%.60s\" (%s-%d)", a->at->name, a->at->op->name,
             a->at->op->version);
    if (a->rule)
        snprintf(j->out->place + strlen(j->out->place),
                 sizeof j->out->place - strlen(j->out->place), ", %.80s:%u", a->rule->file,
                 a->rule->line);
}

/* Compares the graph NOW with the one before it, which it then replaces. */
static bool step(struct judge *j, const inlay_graph *now, inlay_diags *d)
{
    const cli_comparison how = {.trials = j->f->trials,
                                .seed = j->seed * (uint64_t)j->f->trials,
                                .rewritten = true,
                                .approximate = j->approximate};
    inlay_graph *next = inlay_graph_clone(now, d);
    inlay_verify_result result = {.verdict = INLAY_SAME};

    if (!next || (is_wanted(j) && !cli_compare(&j->f->model, j->before, next, &how, &result, d))) {
        inlay_graph_free(next);
        return false;
    }
    inlay_graph_free(j->before);
    j->before = next;
    if (result.verdict != INLAY_NOT_SAME)
        return true;
    fails(j, "difference", result.why);
    return inlay_fail(d, NULL, "the graph is no longer the same function");
}

static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    struct judge *j = ctx;

    switch (e->kind) {
    case INLAY_EVENT_PASS_BEGINS:
        begin(j, "pass ", e->pass);
        j->approximate = false;
        return true;
    case INLAY_EVENT_WILL_APPLY:
        note_application(j, e->as.application);
        return true;
    case INLAY_EVENT_APPLIED:
        if (e->as.application->rule)
            j->approximate = e->as.application->rule->exactness == INLAY_APPROX;
        return step(j, e->graph, d);
    case INLAY_EVENT_PASS_ENDS:
        begin(j, "pass ", e->pass);
        return !e->as.stats->changed || step(j, e->graph, d);
    default:
        return true;
    }
}

/* Runs the passes over a copy of G. WATCH: each graph on the way is compared. NULL: that failed. */
static inlay_graph *rewritten(struct judge *j, const inlay_graph *g, bool watch, inlay_diags *d)
{
    cli_model_options model = j->f->model;
    const cli_pass_hook hook = {.events = {receive, j, false}, .verify = true};
    inlay_graph *now = inlay_graph_clone(g, d);

    model.passes = j->out->passes;
    if (now && cli_run_passes(now, &model, watch ? &hook : NULL, d))
        return now;
    inlay_graph_free(now);
    return NULL;
}

/* Whether running the passes again makes the same of G. */
static bool again(struct judge *j, const inlay_graph *g, const inlay_graph *first, inlay_diags *d)
{
    inlay_graph *second;
    char why[400] = "";
    bool equal = false;

    begin(j, "passes, ", "once more");
    if (!is_wanted(j))
        return true;
    second = rewritten(j, g, false, d);
    if (second && !inlay_graph_compare(first, second, &equal, why, sizeof why, d))
        equal = true;
    inlay_graph_free(second);
    return equal || !fails(j, "varies", why);
}

/* Whether some run of G gives results. If a graph always fails, a pass may find that out and refuse
 * it. */
static bool can_run(const struct judge *j, const inlay_graph *g)
{
    inlay_exec_options limits = limits_of(j, &ways[0]);
    inlay_evaluator reference = inlay_reference_evaluator(&limits);
    inlay_verify_options options = trials_of(j);
    inlay_verify_result result;

    return inlay_verify(g, &reference, g, &reference, &options, &result, NULL) &&
           result.counted > 0;
}

static bool passes_keep(struct judge *j, const inlay_graph *g)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *now;
    bool ok;

    j->before = inlay_graph_clone(g, d);
    now = j->before ? rewritten(j, g, true, d) : NULL;
    if (!now && !j->failed && inlay_diags_status(d) != INLAY_NO_RESOURCE && can_run(j, g))
        fails(j, "error",
              inlay_diags_error(d) ? inlay_diags_error(d)->text
                                   : "it fails without an error message");
    ok = now && again(j, g, now, d) && runs_alike(j, now, "after the passes, ");
    inlay_graph_free(now);
    inlay_graph_free(j->before);
    inlay_diags_free(d);
    return ok || !j->failed;
}

/* ---- all of it ---- */

void fuzz_draw_passes(const fuzz *f, uint64_t seed, char *passes, size_t size)
{
    const inlay_pass_registry *registry = f->model.plugins.passes;
    uint64_t state = seed, n = inlay_pass_count(registry);
    uint64_t pipelines = inlay_pipeline_count(registry), how;
    const char *name = f->model.passes;

    fuzz_next(&state);
    how = fuzz_next(&state) % 4;
    if (!name && how < 2)
        name = inlay_pipeline_at(registry, (size_t)(fuzz_next(&state) % pipelines)).name;
    snprintf(passes, size, "%s", name ? name : "");
    for (uint64_t k = name ? 0 : 1 + fuzz_next(&state) % 5; k > 0; k--)
        snprintf(passes + strlen(passes), size - strlen(passes), "%s,",
                 inlay_pass_at(registry, (size_t)(fuzz_next(&state) % n)).name);
    if (!name)
        snprintf(passes + strlen(passes), size - strlen(passes), "in-place-windows");
}

/* Whether the failure to look for comes before all passes. */
static bool is_early(const fuzz_failure *wanted)
{
    bool early = false;

    for (size_t i = 0; wanted && i < sizeof ways / sizeof *ways; i++)
        early = early || strcmp(wanted->way, ways[i].name) == 0;
    return early;
}

bool fuzz_judge(const fuzz *f, const inlay_graph *g, uint64_t seed, const fuzz_failure *wanted,
                fuzz_failure *out)
{
    struct judge j = {.f = f, .seed = seed, .wanted = wanted, .out = out};
    const char *kind = NULL;
    char why[400];

    if (!runs_alike(&j, g, "") || (!is_early(wanted) && !passes_keep(&j, g)))
        return true;
    begin(&j, "", "the oracle");
    if (f->oracle && is_wanted(&j))
        kind = fuzz_ask_oracle(f, g, seed, why, sizeof why);
    if (kind)
        fails(&j, kind, why);
    return j.failed;
}

bool fuzz_runs_alike(const fuzz *f, const inlay_graph *g, uint64_t seed, fuzz_failure *out)
{
    struct judge j = {.f = f, .seed = seed, .out = out};

    return runs_alike(&j, g, "after the passes, ");
}

/* ---- in a child process ---- */

struct apart {
    const fuzz *f;
    const inlay_graph *g;
    uint64_t seed;
    const fuzz_failure *wanted;
    fuzz_failure *out; /* shared with the parent */
};

void fuzz_limit_time(const fuzz *f)
{
    const struct itimerval work = {.it_value.tv_sec = f->seconds};

    setitimer(ITIMER_PROF, &work, NULL);
    alarm(30 * (unsigned)f->seconds + (f->oracle ? (unsigned)f->oracle_seconds : 0));
}

static int work(void *ctx)
{
    const struct apart *a = ctx;

    fuzz_limit_time(a->f);
    return fuzz_judge(a->f, a->g, a->seed, a->wanted, a->out) ? INLAY_DIFFERENT : INLAY_OK;
}

/* Takes from a sanitizer's report the line that says what happened, or else the first line. */
static void what_was_said(FILE *said, fuzz_failure *out)
{
    inlay_strbuf b = {0};
    const char *at;

    if (cli_child_said(said, &b) && b.n > 0) {
        at = strstr(b.bytes, "ERROR: ");
        at = at ? at : strstr(b.bytes, "runtime error: ");
        at = at ? at : b.bytes;
        snprintf(out->why, sizeof out->why, "%.*s", (int)strcspn(at, "\n"), at);
    }
    inlay_strbuf_free(&b);
}

bool fuzz_ended(int status, FILE *said, fuzz_failure *out)
{
    bool hangs = status == 128 + SIGPROF || status == 128 + SIGALRM;

    /* a sanitizer ends a process with the same status as a difference, but then KIND is empty */
    if (status == INLAY_OK || (status == INLAY_DIFFERENT && *out->kind))
        return status == INLAY_DIFFERENT;
    snprintf(out->kind, sizeof out->kind, "%s", hangs ? "hang" : "crash");
    snprintf(out->why, sizeof out->why, "the process ends with status %d", status);
    what_was_said(said, out);
    return true;
}

bool fuzz_judge_apart(const fuzz *f, const inlay_graph *g, uint64_t seed,
                      const fuzz_failure *wanted, fuzz_failure *out, inlay_diags *d)
{
    fuzz_failure *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    FILE *said = cli_child_file(d);
    struct apart a = {f, g, seed, wanted, shared};
    const cli_child child = {.work = work, .ctx = &a, .err = said};
    bool failed = false;

    if (shared != MAP_FAILED && said) {
        *shared = *out;
        failed = fuzz_ended(cli_run_child(&child), said, shared);
        *out = *shared;
    }
    if (said)
        fclose(said);
    if (shared != MAP_FAILED)
        munmap(shared, sizeof *shared);
    return failed;
}
