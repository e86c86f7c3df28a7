/* `inlay explore MODEL`: all graphs that rules reach from the model, each compared with it, and the
 * cheapest of them. */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SETS = 32 };

/* What is printed about a graph that was found. */
struct line {
    bool known; /* whether COPIED, the number of bytes that a run copies, is known */
    uint64_t copied;
    inlay_verify_result verdict;
};

struct explore {
    const cli_command *self;
    cli_model_options model;
    const char *sets, *limit, *trials, *by, *out;
    bool json, by_copied;
    inlay_rules *rules[MAX_SETS];
    inlay_explore_options o;
    int n_trials;
    inlay_exploration found;
    struct line *lines; /* one for each graph */
};

static bool is_builtin(const char *name)
{
    const char *set;

    for (size_t i = 0; (set = inlay_rule_set_at(i)) != NULL; i++) {
        if (strcmp(set, name) == 0)
            return true;
    }
    return false;
}

/* Adds the rules of NAME, a built-in set, or a file if FILE is set. */
static bool add_rules(struct explore *x, const char *name, bool file, inlay_diags *d)
{
    inlay_rules *rules;

    if (x->o.n_rules == MAX_SETS)
        return inlay_fail(d, NULL, "there are more than %d sets of rules", MAX_SETS);
    if (!file && !is_builtin(name))
        return inlay_fail(d, NULL, "there is no set of rules \"%s\" (see `inlay rules`)", name);
    rules = file ? cli_read_rules(name, &x->model, d) : inlay_rules_builtin(name, d);
    x->rules[x->o.n_rules] = rules;
    x->o.n_rules += rules != NULL;
    return rules != NULL;
}

/* Adds the sets of LIST, separated by commas. FILES: a name of no built-in set is a file. */
static bool add_list(struct explore *x, const char *list, bool files, inlay_diags *d)
{
    char *names = strdup(list), *rest = names;
    bool ok = names != NULL || inlay_fail_memory(d);

    for (char *name; ok && (name = strsep(&rest, ",")) != NULL;)
        ok = !*name || add_rules(x, name, files && !is_builtin(name), d);
    free(names);
    return ok;
}

/* Adds a value of --rules. It used to be a list of built-in sets and files, which still works. */
static bool add_given(struct explore *x, const char *given, inlay_diags *d)
{
    bool list = (strchr(given, ',') || is_builtin(given)) && access(given, F_OK) != 0;

    return list ? add_list(x, given, true, d) : add_rules(x, given, true, d);
}

static bool read_sets(struct explore *x, inlay_diags *d)
{
    const char *usual = x->model.rules.n > 0 ? "" : "turn,simplify";
    bool ok = add_list(x, x->sets ? x->sets : usual, false, d);

    for (int i = 0; ok && i < x->model.rules.n; i++)
        ok = add_given(x, x->model.rules.items[i], d);
    if (ok && x->o.n_rules == 0)
        ok = inlay_fail(d, NULL, "no set of rules is given");
    x->o.rules = (const inlay_rules *const *)x->rules;
    return ok;
}

/* Finds the number of bytes that a run of G copies, after in-place-windows. It is no error if only
 * a run can tell it. */
static bool find_copied(const inlay_graph *g, struct line *line, inlay_diags *d)
{
    const inlay_pass_options o = {.passes = "in-place-windows"};
    inlay_graph *placed = inlay_graph_clone(g, d);
    inlay_diags *said = inlay_diags_new();
    inlay_program_plan plan = {0};
    bool ok = placed && (said || inlay_fail_memory(d));

    if (ok && inlay_run_passes(placed, &o, said) &&
        inlay_program_plan_make(placed, INLAY_KERNELS_PORTABLE, &plan, said)) {
        line->known = !plan.about;
        line->copied = plan.copied_bytes;
    }
    ok = ok && (inlay_diags_status(said) != INLAY_NO_RESOURCE || inlay_fail_memory(d));
    inlay_program_plan_free(&plan);
    inlay_diags_free(said);
    inlay_graph_free(placed);
    return ok;
}

static bool judge(struct explore *x, size_t i, inlay_diags *d)
{
    const cli_comparison how = {
        .trials = x->n_trials, .rewritten = true, .approximate = x->found.graphs[i].approximate};
    const inlay_graph *first = x->found.graphs[0].graph, *g = x->found.graphs[i].graph;

    if (!find_copied(g, &x->lines[i], d))
        return false;
    return i == 0 || cli_compare(&x->model, first, g, &how, &x->lines[i].verdict, d);
}

static bool judge_all(struct explore *x, inlay_diags *d)
{
    x->lines = calloc(x->found.n + 1, sizeof *x->lines);
    if (!x->lines)
        return inlay_fail_memory(d);
    for (size_t i = 0; i < x->found.n; i++) {
        if (!judge(x, i, d))
            return false;
    }
    return true;
}

/* Orders graphs A and B by the bytes they copy, for qsort; an unknown number comes last. */
static int compare_copied(const struct explore *x, size_t a, size_t b)
{
    const struct line *p = &x->lines[a], *q = &x->lines[b];

    if (!p->known || !q->known)
        return q->known - p->known;
    return (p->copied > q->copied) - (p->copied < q->copied);
}

/* Returns the cheapest graph by the first criterion in which two differ; of equal ones the one that
 * was found first. A graph that is another function is never chosen. */
static size_t cheapest(const struct explore *x, bool by_copied)
{
    size_t best = 0;

    for (size_t i = 1; i < x->found.n; i++) {
        int copied = compare_copied(x, i, best);
        int measure =
            inlay_measure_compare(&x->found.graphs[i].measure, &x->found.graphs[best].measure);
        int first = by_copied ? copied : measure, second = by_copied ? measure : copied;

        if (x->lines[i].verdict.verdict == INLAY_SAME && (first ? first : second) < 0)
            best = i;
    }
    return best;
}

static const char *verdict_of(const struct line *line)
{
    static const char *const words[] = {[INLAY_SAME] = "same",
                                        [INLAY_NOT_SAME] = "different",
                                        [INLAY_INCONCLUSIVE] = "inconclusive"};

    return words[line->verdict.verdict];
}

static void print_line(const struct explore *x, size_t i)
{
    const inlay_explored *e = &x->found.graphs[i];
    const struct line *line = &x->lines[i];

    printf("%4zu %5zu %9" PRId64 " %6" PRId64 " ", i, e->from,
           e->measure.part[INLAY_MEASURE_WRITTEN], e->measure.part[INLAY_MEASURE_NODES]);
    if (line->known)
        printf("%9" PRIu64, line->copied);
    else
        cli_say(stdout, "%9s", "?");
    if (e->rule)
        cli_say(stdout, "  %-12s %s at \"%s\"\n", verdict_of(line), e->rule, e->at);
    else
        printf("  %s\n", verdict_of(line));
    if (line->verdict.verdict == INLAY_NOT_SAME)
        cli_say(stdout, "     %s\n", line->verdict.why);
    else if (line->verdict.counted > 0 && *line->verdict.missed)
        cli_say(stdout, "     not covered by a trial that counted: %s\n", line->verdict.missed);
}

static bool any_same(const struct explore *x)
{
    bool any = false;

    for (size_t i = 1; i < x->found.n; i++)
        any = any || x->lines[i].verdict.verdict == INLAY_SAME;
    return any;
}

static void print_text(const struct explore *x)
{
    size_t measure = cheapest(x, false), copied = cheapest(x, true);

    printf("   #  from   written  nodes    copied  function     made by\n");
    for (size_t i = 0; i < x->found.n; i++)
        print_line(x, i);
    if (any_same(x))
        cli_print_untried(stdout, x->found.graphs[0].graph, NULL);
    printf("%zu graph%s, %s; cheapest by the measure: %zu, by copied bytes: %zu\n", x->found.n,
           inlay_plural(x->found.n, "", "s"),
           x->found.complete ? "and there are no more" : "the limit", measure, copied);
}

static void print_json_graph(const struct explore *x, size_t i)
{
    const inlay_explored *e = &x->found.graphs[i];

    printf("%s\n  {\"graph\": %zu, \"from\": %zu, \"depth\": %zu, \"rule\": ", i ? "," : "", i,
           e->from, e->depth);
    cli_json_string(stdout, e->rule ? e->rule : "");
    printf(", \"at\": ");
    cli_json_string(stdout, e->at ? e->at : "");
    for (size_t k = 0; k < INLAY_MEASURES; k++)
        printf(", \"%s\": %" PRId64, inlay_measure_name(k), e->measure.part[k]);
    if (x->lines[i].known)
        printf(", \"copied_bytes\": %" PRIu64, x->lines[i].copied);
    printf(", ");
    cli_json_verdict(stdout, &x->lines[i].verdict, i ? x->found.graphs[0].graph : NULL, NULL);
    putchar('}');
}

static void print_json(const struct explore *x)
{
    printf("{\"complete\": %s, \"cheapest_by_measure\": %zu, \"cheapest_by_copied\": %zu, "
           "\"graphs\": [",
           x->found.complete ? "true" : "false", cheapest(x, false), cheapest(x, true));
    for (size_t i = 0; i < x->found.n; i++)
        print_json_graph(x, i);
    printf("\n]}\n");
}

static bool explore(struct explore *x, const char *file, inlay_diags *d)
{
    inlay_graph *g = cli_read(file, &x->model, d);
    bool ok = g && read_sets(x, d) && inlay_explore(g, &x->o, &x->found, d) && judge_all(x, d);

    inlay_graph_free(g);
    return ok;
}

/* A graph that is another function counts for more than one that could not be compared. */
static int status_of(const struct explore *x)
{
    int status = INLAY_OK;

    for (size_t i = 0; i < x->found.n && status != INLAY_DIFFERENT; i++) {
        if (x->lines[i].verdict.verdict == INLAY_NOT_SAME)
            status = INLAY_DIFFERENT;
        else if (x->lines[i].verdict.verdict == INLAY_INCONCLUSIVE)
            status = INLAY_UNDECIDED;
    }
    return status;
}

static int tell(const struct explore *x, inlay_diags *d)
{
    const inlay_graph *best = x->found.graphs[cheapest(x, x->by_copied)].graph;

    if (x->json)
        print_json(x);
    else
        print_text(x);
    if (x->out && !(cli_may_write(d) && inlay_write_file(best, x->out, NULL, d)))
        return INLAY_INVALID;
    return status_of(x);
}

static int explore_file(struct explore *x, const char *file)
{
    inlay_diags *d = inlay_diags_new();
    int status = INLAY_INVALID;

    if (!d)
        return cli_no_memory();
    cli_progress_begin("explore");
    if (explore(x, file, d)) {
        cli_progress_end();
        status = tell(x, d);
    }
    cli_progress_end();
    inlay_exploration_free(&x->found);
    for (int i = 0; i < x->o.n_rules; i++)
        inlay_rules_free(x->rules[i]);
    free(x->lines);
    return cli_finish(d, status);
}

static bool read_options(struct explore *x)
{
    int64_t limit = 100, trials = 16;

    if (x->by && strcmp(x->by, "measure") != 0 && strcmp(x->by, "copied") != 0) {
        cli_usage(x->self, "option --by is \"%s\", it must be measure or copied", x->by);
        return false;
    }
    if ((x->limit && !cli_number(x->self, "--limit", x->limit, 1, &limit)) ||
        (x->trials && !cli_number(x->self, "--trials", x->trials, 1, &trials)) ||
        !cli_settle(x->self, &x->model))
        return false;
    x->by_copied = x->by && strcmp(x->by, "copied") == 0;
    x->o.limit = limit > 1000000 ? 1000000 : (size_t)limit;
    x->n_trials = trials > 1000000 ? 1000000 : (int)trials;
    return true;
}

int cmd_explore(const cli_command *self, int argc, char **argv)
{
    struct explore x = {.self = self};
    const cli_option options[] = {{"--sets", "LIST",
                                   "apply these built-in sets of rules (see `inlay rules`), with "
                                   "commas (turn,simplify; none with --rules)",
                                   .text = &x.sets},
                                  CLI_RULES_OPTION(x.model),
                                  {"--limit", "N", "find at most N graphs (100)", .text = &x.limit},
                                  CLI_TRIALS_OPTION(x.trials, "16"),
                                  CLI_OUT_OPTION(x.out, "writes no graph"),
                                  {"--by", "WHAT",
                                   "what the cheapest has least of: measure (default), which "
                                   "`inlay opt` lowers, or copied bytes (copied)",
                                   .text = &x.by},
                                  CLI_JSON_OPTION(x.json),
                                  CLI_SHAPE_OPTION(x.model.shapes),
                                  CLI_LIMIT_OPTIONS(x.model),
                                  CLI_READ_OPTIONS(x.model),
                                  {0}};
    const char *file;
    int n, status = cli_parse(self, options, argc, argv, &file, 1, 1, &n);

    if (status < 0)
        status = read_options(&x) ? explore_file(&x, file) : INLAY_INVALID;
    cli_free_model_options(&x.model);
    return status;
}
