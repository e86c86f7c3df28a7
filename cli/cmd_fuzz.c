/* `inlay fuzz`: generates graphs and looks for one that fails.
 *
 * A child process judges a range of seeds, and ends at the first that fails, perhaps by a crash;
 * the next child continues after it. A failing graph is reduced, each candidate in a child of its
 * own. */
#include "cli/child.h"
#include "cli/fuzz.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { CHUNK = 200 }; /* seeds of a child, at most */

/* What a child and its parent share. */
struct board {
    uint64_t seed, last; /* the seed that is being judged, and the child's last one */
    fuzz_failure failure;
};

/* A sweep over the seeds. */
struct sweep {
    const fuzz *f;
    struct board *board;
    inlay_strbuf failed; /* a line for each seed that failed, for the summary */
    int failures;
    uint64_t done; /* graphs */
    inlay_diags *d;
};

/* ---- the graph of a seed ---- */

/* One seed in twelve makes graphs of places; one in six, of each of the first three kinds; the
 * others, of all operations of the table. */
static inlay_generate_mix mix_of(uint64_t seed)
{
    const unsigned which = (unsigned)(seed % (2 * INLAY_GENERATE_ROWS));

    if (seed % 24 == 9 || seed % 24 == 22)
        return INLAY_GENERATE_PLACES;
    return which < INLAY_GENERATE_ROWS ? (inlay_generate_mix)which : INLAY_GENERATE_ROWS;
}

static inlay_graph *graph_of(uint64_t seed, inlay_diags *d)
{
    const inlay_generate_options o = {
        .seed = seed, .mix = mix_of(seed), .variables = seed % 4 < 2, .safe = seed % 5 < 2};

    return inlay_generate(&o, d);
}

/* ---- in the child ---- */

static int judge_seeds(void *ctx)
{
    const struct sweep *s = ctx;
    struct board *b = s->board;
    bool failed = false;

    for (; !failed; b->seed++) {
        inlay_graph *g;

        b->failure = (fuzz_failure){.way = "making the graph"};
        fuzz_limit_time(s->f);
        fuzz_draw_passes(s->f, b->seed, b->failure.passes, sizeof b->failure.passes);
        g = graph_of(b->seed, NULL);
        failed = g && fuzz_judge(s->f, g, b->seed, NULL, &b->failure);
        inlay_graph_free(g);
        if (failed || b->seed == b->last || cli_interrupted())
            break;
    }
    return failed ? INLAY_DIFFERENT : INLAY_OK;
}

/* ---- what failed, made small ---- */

struct candidate {
    const struct sweep *s;
    uint64_t seed;
    const fuzz_failure *wanted;
    fuzz_failure found; /* how the smallest graph so far fails */
};

static bool fails_alike(const fuzz_failure *a, const fuzz_failure *b)
{
    return strcmp(a->kind, b->kind) == 0 && strcmp(a->way, b->way) == 0 &&
           strcmp(a->rule, b->rule) == 0;
}

static bool keeps(void *ctx, const inlay_graph *g)
{
    struct candidate *c = ctx;
    fuzz_failure now = {.way = ""};

    memcpy(now.passes, c->wanted->passes, sizeof now.passes);
    if (cli_interrupted() || !fuzz_judge_apart(c->s->f, g, c->seed, c->wanted, &now, NULL) ||
        !fails_alike(&now, c->wanted))
        return false;
    c->found = now;
    return true;
}

/* Whether a failure is not worth reducing: an oracle that hangs costs its whole time limit for each
 * candidate that is kept. */
static bool stays_large(const fuzz *f, const fuzz_failure *failure)
{
    return f->keep_large || cli_interrupted() ||
           (strcmp(failure->kind, "hang") == 0 && strcmp(failure->way, "the oracle") == 0);
}

/* Returns the reduced graph, and in FAILURE how it fails; G itself if it is not to be reduced. */
static inlay_graph *reduced(const struct sweep *s, const inlay_graph *g, fuzz_failure *failure)
{
    struct candidate c = {s, s->board->seed, failure, *failure};
    const inlay_reduce_options o = {.keeps = keeps, .ctx = &c};
    inlay_reduce_result result;

    if (stays_large(s->f, failure) || !inlay_reduce(g, &o, &result, s->d))
        return inlay_graph_clone(g, s->d);
    *failure = c.found;
    return result.graph;
}

/* ---- reports ---- */

/* The number of nodes that compute something. */
static int operations(const inlay_graph *g)
{
    int n = 0;

    for (const inlay_node *node = g->first; node; node = node->next)
        n += !inlay_node_is(node, INLAY_OP_CONST) && !inlay_node_is(node, INLAY_OP_PARAMETER) &&
             !inlay_node_is(node, INLAY_OP_RESULT);
    return n;
}

/* Writes both graphs to the folder of -o. */
static bool save(const struct sweep *s, const inlay_graph *large, const inlay_graph *small)
{
    char path[4096];
    bool ok = true;

    if (!s->f->out)
        return true;
    snprintf(path, sizeof path, "%.4000s/%" PRIu64 ".inlay", s->f->out, s->board->seed);
    ok = inlay_write_file(large, path, NULL, s->d);
    snprintf(path, sizeof path, "%.4000s/%" PRIu64 ".small.inlay", s->f->out, s->board->seed);
    return ok && inlay_write_file(small, path, NULL, s->d);
}

static void print_text(const struct sweep *s, const fuzz_failure *x, const inlay_graph *large,
                       const inlay_graph *small)
{
    inlay_sink out = {cli_file_sink, stdout};

    cli_say(stdout, "seed %" PRIu64 ": %s, %s\n", s->board->seed, x->kind, x->way);
    if (x->serial)
        cli_say(stdout, "  application %" PRIu64 "%s%s at %s\n", x->serial,
                *x->rule ? ", rule " : "", x->rule, x->place);
    cli_say(stdout,
            "  passes: %s\n  %s\n  made small: %zu node%s of %zu, operations among them: %d\n",
            x->passes, x->why, small->n_nodes, inlay_plural(small->n_nodes, "", "s"),
            large->n_nodes, operations(small));
    inlay_print(small, true, &out, NULL);
}

static void print_json(const struct sweep *s, const fuzz_failure *x, const inlay_graph *large,
                       const inlay_graph *small)
{
    inlay_strbuf text = {0};
    inlay_sink out = {inlay_strbuf_sink, &text};

    printf("%s\n  {\"seed\": %" PRIu64, s->failures == 1 ? "" : ",", s->board->seed);
    cli_json_field(stdout, "kind", x->kind);
    cli_json_field(stdout, "way", x->way);
    cli_json_field(stdout, "rule", x->rule);
    printf(", \"serial\": %" PRIu64, x->serial);
    cli_json_field(stdout, "at", x->place);
    cli_json_field(stdout, "passes", x->passes);
    cli_json_field(stdout, "why", x->why);
    printf(", \"nodes\": %zu, \"reduced\": %zu, \"operations\": %d", large->n_nodes, small->n_nodes,
           operations(small));
    if (inlay_print(small, true, &out, NULL) && !text.failed)
        cli_json_field(stdout, "graph", text.bytes);
    inlay_strbuf_free(&text);
    printf("}");
}

/* Reports that the seed on the board failed. */
static bool report(struct sweep *s)
{
    fuzz_failure failure = s->board->failure;
    inlay_graph *large = graph_of(s->board->seed, s->d);
    inlay_graph *small = large ? reduced(s, large, &failure) : NULL;
    bool ok = small && save(s, large, small);

    cli_progress_clear();
    s->failures++;
    inlay_strbuf_printf(&s->failed, "%" PRIu64 " %s, %s%s%s\n", s->board->seed, failure.kind,
                        failure.way, *failure.rule ? ", rule " : "", failure.rule);
    if (ok)
        (s->f->json ? print_json : print_text)(s, &failure, large, small);
    fflush(stdout);
    inlay_graph_free(small);
    inlay_graph_free(large);
    return ok && fuzz_write_summary(s->f, s->failed.bytes, false, s->d);
}

/* ---- all seeds ---- */

/* Runs one child, until a seed fails or its seeds are done. */
static bool run_child(struct sweep *s)
{
    FILE *said = cli_child_file(s->d);
    const cli_child child = {.work = judge_seeds, .ctx = s, .err = said};
    int status = said ? cli_run_child(&child) : -1;
    bool ok = said && status >= 0;

    if (ok && fuzz_ended(status, said, &s->board->failure))
        ok = report(s);
    if (said)
        fclose(said);
    return ok;
}

/* Makes the folder of -o unless it exists. */
static bool make_folder(const struct sweep *s)
{
    if (!s->f->out || mkdir(s->f->out, 0777) == 0 || errno == EEXIST)
        return true;
    return inlay_fail_resource(s->d, &(inlay_pos){s->f->out, 0}, "the folder cannot be made: %s",
                               strerror(errno));
}

static bool run_seeds(struct sweep *s)
{
    uint64_t seed = s->f->first;
    bool ok = make_folder(s) && fuzz_write_summary(s->f, NULL, false, s->d);

    while (ok && seed <= s->f->last && !cli_interrupted()) {
        uint64_t left = s->f->last - seed;

        s->board->seed = seed;
        s->board->last = seed + (left < CHUNK ? left : CHUNK - 1);
        cli_progress_now("fuzz", "graphs", seed - s->f->first, s->f->last - s->f->first + 1);
        ok = run_child(s);
        seed = s->board->seed + 1;
        if (s->board->seed == UINT64_MAX)
            break;
    }
    cli_progress_clear();
    s->done = seed - s->f->first;
    return ok && fuzz_write_summary(s->f, s->failed.bytes, !cli_interrupted(), s->d);
}

static int sweep(fuzz *f, inlay_diags *d)
{
    struct sweep s = {.f = f, .d = d};
    bool ok;

    s.board =
        mmap(NULL, sizeof *s.board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cli_on_interrupt(NULL, NULL); /* before there is a folder that is to be removed */
    if (s.board == MAP_FAILED || !fuzz_make_folder(f, d))
        return INLAY_NO_RESOURCE;
    if (f->json)
        printf("[");
    ok = run_seeds(&s);
    if (f->json)
        printf("\n]\n");
    else if (ok)
        printf("%" PRIu64 " graph%s, %d of them %s\n", s.done, inlay_plural(s.done, "", "s"),
               s.failures, inlay_plural(s.failures, "fails", "fail"));
    fuzz_remove_folder(f);
    munmap(s.board, sizeof *s.board);
    inlay_strbuf_free(&s.failed);
    cli_end_if_interrupted();
    if (!ok)
        return INLAY_NO_RESOURCE;
    return s.failures ? INLAY_DIFFERENT : INLAY_OK;
}

/* ---- options ---- */

/* Reads the seeds: "7", with --count, or "7..900". */
static bool read_seeds(fuzz *f)
{
    const char *dots = f->seed_text ? strstr(f->seed_text, "..") : NULL;
    char first[32];
    int64_t a = 1, b, count = 100;

    snprintf(first, sizeof first, "%.*s", dots ? (int)(dots - f->seed_text) : 31,
             f->seed_text ? f->seed_text : "1");
    if (!cli_number(f->self, "--seed", first, 0, &a) ||
        (f->count_text && !cli_number(f->self, "--count", f->count_text, 1, &count)))
        return false;
    b = count - 1 > INT64_MAX - a ? INT64_MAX : a + count - 1;
    if (dots && f->count_text)
        return cli_usage(f->self, "options --seed %s and --count exclude each other",
                         f->seed_text) < 0;
    if (dots && !cli_number(f->self, "--seed", dots + 2, a, &b))
        return false;
    f->first = (uint64_t)a;
    f->last = (uint64_t)b;
    return true;
}

/* The usual limit is one of each graph, and not of the process, which compares many. */
static bool settle(fuzz *f)
{
    if (!cli_settle(f->self, &f->model))
        return false;
    if (!f->model.max_memory)
        f->model.memory = (uint64_t)64 << 20;
    return true;
}

static bool read_options(fuzz *f)
{
    f->trials = 6;
    f->seconds = f->oracle_seconds = 60;
    if (!f->model.max_iterations)
        f->model.max_iterations = "10000";
    return read_seeds(f) && cli_count(f->self, "--trials", f->trials_text, &f->trials) &&
           cli_count(f->self, "--seconds", f->seconds_text, &f->seconds) &&
           cli_count(f->self, "--oracle-seconds", f->oracle_seconds_text, &f->oracle_seconds) &&
           settle(f);
}

/* Checks that the passes and rules that the options name exist, by running them on a graph without
 * nodes: otherwise each graph would fail, or none. */
static bool passes_run(const fuzz *f, inlay_diags *d)
{
    cli_model_options model = f->model;
    inlay_graph *empty = inlay_graph_new("empty", d);
    bool ok;

    if (!model.passes && model.rules.n > 0)
        model.passes = "default,rules";
    ok = empty && cli_run_passes(empty, &model, NULL, d);
    inlay_graph_free(empty);
    return ok;
}

static int run(fuzz *f)
{
    inlay_diags *d = inlay_diags_new();
    int status = INLAY_INVALID;

    if (!d)
        return cli_no_memory();
    if (f->collect)
        status = fuzz_collect(f, d);
    else if (passes_run(f, d))
        status = sweep(f, d);
    return cli_finish(d, status);
}

int cmd_fuzz(const cli_command *self, int argc, char **argv)
{
    fuzz f = {.self = self};
    const cli_option options[] = {
        CLI_SEED_OPTION(f.seed_text, "1; 1..500: a graph for each"),
        {"--count", "M", "make M graphs (100)", .text = &f.count_text},
        CLI_PASS_OPTIONS(f.model),
        {"--oracle", "COMMAND",
         "also ask this command about each run, which it finds in the folder that is its argument; "
         "exit status 0: right, 1: wrong, 4: unsure",
         .text = &f.oracle},
        {"--oracle-seconds", "N",
         "time limit of the oracle for one run; longer counts as a hang (60)",
         .text = &f.oracle_seconds_text},
        {"-o", "DIR", "write each graph that fails to DIR, whole and made small", .text = &f.out},
        {"--large", NULL, "do not look for smaller graphs", .flag = &f.keep_large},
        {"--collect", "DIR", "make no graphs; sum up what all processes with -o DIR have found",
         .text = &f.collect},
        CLI_TRIALS_OPTION(f.trials_text, "6"),
        CLI_SECONDS_OPTION(f.seconds_text, "60"),
        CLI_JSON_OPTION(f.json),
        CLI_EXTENSION_OPTION(f.model),
        CLI_BOUNDED_MEMORY_OPTION(f.model, "64M"),
        CLI_ITERATIONS_OPTION(f.model, "10000"),
        {0}};
    int n, status = cli_parse(self, options, argc, argv, NULL, 0, 0, &n);

    if (status < 0)
        status = read_options(&f) ? run(&f) : INLAY_INVALID;
    cli_free_model_options(&f.model);
    return status;
}
