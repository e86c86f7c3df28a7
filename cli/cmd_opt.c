#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct opt {
    cli_model_options model;
    const char *out, *print_after, *explain;
    cli_written written;
    inlay_write_options write;
    bool stats, provenance, verify, wants_explain, steps, json;
    const char *file; /* of the model */
    cli_step step;
    cli_certify certify;
    uint64_t printed;      /* the application after which --print-after prints the graph; 0: none */
    uint64_t applications; /* made so far */
    bool shown;            /* the graph that --print-after asks for was printed */
    /* Candidates that were explained; other nodes that copy; verdicts that stand in the JSON. */
    int explained, moved, verdicts;
    /* For --verify: the graph before the pass that is running, and before the first application of
     * the rule that is being applied. */
    inlay_graph *before, *before_rule;
    bool compared;                              /* a verdict was printed */
    int n_passes, n_changes, n_rules, n_trials; /* passes that ran; what was compared: changes of
                                                   passes, rules applied once; trials that counted */
    int n_undecided;                            /* comparisons that were inconclusive */
    bool approximate; /* the pass that is running has applied an approximate rule */
    int status;
};

static bool wants_print(const struct opt *o, const char *pass)
{
    return o->print_after &&
           (strcmp(o->print_after, "all") == 0 || strcmp(o->print_after, pass) == 0);
}

static bool writes_json(const struct opt *o)
{
    return o->wants_explain && strcmp(o->explain, "json") == 0;
}

/* What is written is the first in the list of the JSON. */
static bool is_first(const struct opt *o)
{
    return o->explained + o->moved + o->verdicts == 0;
}

static void explain(struct opt *o, const inlay_in_place *what)
{
    if (!o->wants_explain)
        return;
    cli_progress_clear();
    if (writes_json(o))
        cli_explain_json(stdout, what, is_first(o));
    else
        cli_explain_text(stdout, what);
    o->explained++;
}

static void explain_copy(struct opt *o, const inlay_copy *copy)
{
    if (!o->wants_explain)
        return;
    cli_progress_clear();
    if (writes_json(o))
        cli_copy_json(stdout, copy, is_first(o));
    else
        cli_copy_text(stdout, copy);
    o->moved++;
}

/* Whether AFTER, made from BEFORE by a rewrite, is the same function, also when run as its notes
 * say. */
static bool still_same(const struct opt *o, const inlay_graph *before, const inlay_graph *after,
                       bool rewritten, inlay_verify_result *result, inlay_diags *d)
{
    const cli_comparison how = {.rewritten = rewritten, .approximate = o->approximate};

    return cli_compare(&o->model, before, after, &how, result, d);
}

/* The last line of --verify. */
static void print_verified(const struct opt *o)
{
    if (o->n_undecided > 0)
        fprintf(stderr, "not verified: %d of %d step%s %s inconclusive; ", o->n_undecided,
                o->n_changes + o->n_rules, inlay_plural(o->n_changes + o->n_rules, "", "s"),
                inlay_plural(o->n_undecided, "is", "are"));
    else
        fprintf(stderr, "verified: ");
    fprintf(stderr, "%d of %d pass%s changed the graph, %d rule%s applied", o->n_changes,
            o->n_passes, inlay_plural(o->n_passes, "", "es"), o->n_rules,
            inlay_plural(o->n_rules, " was", "s were"));
    if (o->n_trials > 0)
        fprintf(stderr, "; each %sstep is the same function in all of %d trials that counted",
                o->n_undecided > 0 ? "other " : "", o->n_trials);
    fprintf(stderr, "\n");
}

/* What was compared: the graphs before and after a pass, or the first application of RULE. */
struct compared {
    const char *pass;
    const inlay_rule_info *rule; /* or NULL */
    const inlay_graph *before, *after;
    bool rewritten;
};

static void tell_difference(const struct opt *o, const struct compared *c,
                            const inlay_verify_result *result, FILE *f, bool json)
{
    const cli_comparison how = {.rewritten = c->rewritten, .approximate = o->approximate};

    cli_tell_difference(&o->model, c->before, c->after, &how, result, &(cli_printer){f, json});
}

/* Every verdict is in the list of the JSON, with what refutes that the graphs are the same. */
static void json_verdict(struct opt *o, const struct compared *c, const inlay_verify_result *result)
{
    printf("%s\n  {\"verified\": ", is_first(o) ? "" : ",");
    cli_json_string(stdout, c->rule ? c->rule->name : c->pass);
    printf(", ");
    cli_json_verdict(stdout, result, c->after, NULL);
    if (result->verdict == INLAY_NOT_SAME) {
        cli_json_field(stdout, "pass", c->pass);
        cli_json_field(stdout, "rule", c->rule ? c->rule->name : NULL);
        tell_difference(o, c, result, stdout, true);
    }
    putchar('}');
    o->verdicts++;
}

/* Prints the verdict next to what was just printed, and what refutes that the graphs are the same.
 */
static bool print_verdict(struct opt *o, const struct compared *c,
                          const inlay_verify_result *result)
{
    cli_print_verdict(stderr, result);
    if (writes_json(o))
        json_verdict(o, c, result);
    o->compared = true;
    o->n_undecided += result->verdict == INLAY_INCONCLUSIVE;
    if (result->verdict != INLAY_NOT_SAME)
        return true;
    o->status = INLAY_DIFFERENT;
    tell_difference(o, c, result, stderr, false);
    return false;
}

/* For --verify: whether E is the first application of its rule, which is verified by itself. */
static bool is_proved(const struct opt *o, const inlay_event *e)
{
    return o->verify && e->as.application->rule && e->as.application->first;
}

/* Always returns true: if there is no memory for the copy, the application goes on, and verify_rule
 * fails. */
static bool keep_before_rule(struct opt *o, const inlay_event *e, inlay_diags *d)
{
    if (!is_proved(o, e))
        return true;
    inlay_graph_free(o->before_rule);
    o->before_rule = inlay_graph_clone(e->graph, d);
    return true;
}

/* Compares the graph with that before the first application of a rule, because the application may
 * have been undone by the end of the pass. Only a failure is reported. */
static bool verify_rule(struct opt *o, const inlay_event *e, inlay_diags *d)
{
    const inlay_rule_info *rule = e->as.application->rule;
    inlay_verify_result result;
    bool same = true;

    if (!is_proved(o, e))
        return true;
    if (!o->before_rule || !still_same(o, o->before_rule, e->graph, true, &result, d))
        return false;
    o->n_rules++;
    o->n_trials += result.counted;
    if (result.verdict != INLAY_SAME) {
        const struct compared c = {e->pass, rule, o->before_rule, e->graph, true};

        cli_progress_clear();
        cli_say(stderr, "%-24s rule %s (%s:%u), applied once: ", rule->set, rule->name, rule->file,
                rule->line);
        same = print_verdict(o, &c, &result);
    }
    inlay_graph_free(o->before_rule);
    o->before_rule = NULL;
    return same;
}

/* For --verify: compares the graph that the pass made with the one that it was given, unless they
 * are identical. */
static bool verify_pass(struct opt *o, inlay_graph *g, const char *pass, inlay_diags *d)
{
    inlay_verify_result result;
    inlay_graph *now = inlay_graph_clone(g, d);
    bool unchanged, same;

    if (!now || !inlay_graph_compare(o->before, now, &unchanged, NULL, 0, d)) {
        inlay_graph_free(now);
        return false;
    }

    struct compared c = {pass, NULL, o->before, now, !unchanged};

    o->n_passes++;
    if (unchanged && !g->has_notes) {
        inlay_graph_free(now);
        cli_say(stderr, "%-24s unchanged\n", pass);
        return true;
    }
    if (!still_same(o, o->before, now, !unchanged, &result, d)) {
        inlay_graph_free(now);
        return false;
    }
    o->n_changes++;
    o->n_trials += result.counted;
    cli_progress_clear();
    cli_say(stderr, "%-24s ", pass);
    same = print_verdict(o, &c, &result);
    inlay_graph_free(o->before);
    o->before = now;
    return same;
}

static bool print(const struct opt *o, const inlay_graph *g, inlay_diags *d)
{
    inlay_sink out = {cli_file_sink, stdout};

    return o->provenance ? inlay_print_provenance(g, &out, d) : inlay_print(g, false, &out, d);
}

/* RULE is NULL for an application that is not of a rule. */
static bool is_approximate(const inlay_rule_info *rule)
{
    return rule && rule->exactness == INLAY_APPROX;
}

static bool after_application(struct opt *o, const inlay_event *e, inlay_diags *d)
{
    const inlay_application *a = e->as.application;

    o->approximate = o->approximate || is_approximate(a->rule);
    o->applications++;
    if (!verify_rule(o, e, d))
        return false;
    if (a->serial != o->printed)
        return true;
    o->shown = true;
    cli_progress_clear();
    printf("after application %llu:\n", (unsigned long long)a->serial);
    return print(o, e->graph, d);
}

static bool after_pass(struct opt *o, inlay_graph *g, const inlay_pass_stats *stats, inlay_diags *d)
{
    cli_progress_clear();
    if (o->stats)
        cli_say(stderr, "%-24s %6llu changes %9llu steps %9.3f ms\n", stats->name,
                (unsigned long long)stats->changes, (unsigned long long)stats->steps, stats->ms);
    if (o->verify && !verify_pass(o, g, stats->name, d))
        return false;
    o->approximate = false;
    if (!wants_print(o, stats->name))
        return true;
    o->shown = true;
    cli_say(stdout, "after %s:\n", stats->name);
    return print(o, g, d);
}

static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    struct opt *o = ctx;

    if ((o->steps && !cli_step_told(&o->step, e, d)) ||
        (o->certify.of && !inlay_certificate_told(o->certify.of, e, d)))
        return false;
    switch (e->kind) {
    case INLAY_EVENT_PASS_ENDS:
        return after_pass(o, e->graph, e->as.stats, d);
    case INLAY_EVENT_WILL_APPLY:
        return keep_before_rule(o, e, d);
    case INLAY_EVENT_APPLIED:
        return after_application(o, e, d);
    case INLAY_EVENT_DECIDED:
        explain(o, e->as.in_place);
        return true;
    case INLAY_EVENT_COPIES:
        explain_copy(o, e->as.copy);
        return true;
    default:
        return true;
    }
}

static bool run_passes(struct opt *o, inlay_graph *g, inlay_diags *d)
{
    cli_pass_hook hook = {
        .events = {receive, o, false}, .verify = o->verify, .explains = o->wants_explain};
    bool json = writes_json(o), ok;

    if (o->verify && !(o->before = inlay_graph_clone(g, d)))
        return false;
    if (o->steps && !cli_step_begin(&o->step, g, d))
        return false;
    if (json)
        printf("[");
    cli_progress_begin("opt");
    ok = cli_run_passes(g, &o->model, &hook, d);
    cli_progress_end();
    if (ok && o->compared)
        cli_print_untried(stderr, g, NULL);
    if (ok && o->verify && o->status != INLAY_DIFFERENT)
        print_verified(o);
    if (json)
        printf("\n]\n");
    else if (ok && o->wants_explain && o->explained + o->moved == 0)
        printf("nothing to explain: there is no scatter, and nothing else is copied\n");
    if (ok && o->steps && !o->step.told)
        printf("no pass changed anything\n");
    inlay_graph_free(o->before);
    inlay_graph_free(o->before_rule);
    cli_step_end(&o->step);
    return ok;
}

static bool keeps_limits(struct opt *o, const inlay_graph *g, inlay_diags *d)
{
    bool ok = cli_check_places(&o->model, d);

    ok = cli_check_budgets(&o->model, g, INLAY_KERNELS_PORTABLE, NULL, d) && ok;
    if (!ok)
        o->status = cli_failed(&o->model);
    return ok;
}

/* Whether the place that --print-after names was reached. */
static bool was_shown(const struct opt *o, inlay_diags *d)
{
    if (!o->print_after || o->shown || strcmp(o->print_after, "all") == 0)
        return true;
    if (o->printed)
        return inlay_fail(d, NULL,
                          "there is no application %s to print the graph after: there "
                          "are %" PRIu64,
                          o->print_after, o->applications);
    return inlay_fail(d, NULL, "pass \"%s\", to print the graph after, does not run",
                      o->print_after);
}

/* Writes the result, behind which a certificate may appear. */
static bool rewrite(struct opt *o, inlay_graph *g, inlay_diags *d)
{
    bool ok = cli_certify_begin(&o->certify, g, o->file, o->out, d) && run_passes(o, g, d);

    if (!cli_certify_end(&o->certify, ok ? g : NULL, d) || !ok || !was_shown(o, d))
        return false;
    if (!keeps_limits(o, g, d))
        return false;
    if (o->out)
        return cli_may_write(d) && inlay_write_file(g, o->out, &o->write, d);
    return o->print_after || o->wants_explain || o->steps || print(o, g, d);
}

/* OpenVINO IR, ONNX and JSON are read by other programs, too, none of which knows matrix products
 * with compressed weights: in such files the operations that decompress weights are kept, unless
 * the user asks otherwise. So are few bits of filters in all files. */
static bool keep_readable(struct opt *o)
{
    const char *end = o->out ? strrchr(o->out, '.') : NULL;

    if (!end || o->model.passes)
        return true;
    return cli_list_add(&o->model.disable, "unpack-filters") &&
           (strcmp(end, ".inlay") == 0 || cli_list_add(&o->model.disable, "keep-compressed"));
}

static int opt_file(struct opt *o, const char *file)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;

    if (!d)
        return cli_no_memory();
    o->status = INLAY_INVALID;
    o->file = file;
    if (!keep_readable(o)) {
        inlay_diags_free(d);
        return cli_no_memory();
    }
    g = cli_read(file, &o->model, d);
    if (cli_certify_commit(&o->certify, g && rewrite(o, g, d), d))
        o->status = o->n_undecided > 0 ? INLAY_UNDECIDED : INLAY_OK;
    inlay_graph_free(g);
    return cli_finish_notes(d, o->status);
}

static bool is_pass(const inlay_pass_registry *p, const char *name, inlay_guess *guess)
{
    for (size_t i = 0; i < inlay_pass_count(p); i++) {
        if (strcmp(inlay_pass_at(p, i).name, name) == 0)
            return true;
        inlay_guess_try(guess, inlay_pass_at(p, i).name);
    }
    return false;
}

/* Returns -1, or the exit status if --print-after names neither a pass nor an application. */
static int check_print_after(const cli_command *self, struct opt *o)
{
    const char *name = o->print_after;
    inlay_guess guess = {.word = name, .length = name ? strlen(name) : 0};
    int64_t number;
    char text[100];

    if (name && *name >= '0' && *name <= '9') {
        if (!cli_number(self, "--print-after", name, 1, &number))
            return INLAY_INVALID;
        o->printed = (uint64_t)number;
        return -1;
    }
    if (!name || strcmp(name, "all") == 0 || is_pass(o->model.plugins.passes, name, &guess))
        return -1;
    return cli_usage(self,
                     "option --print-after is \"%s\", it must be all, a pass, or the number of an "
                     "application%s",
                     name, inlay_guess_text(&guess, text, sizeof text));
}

static int check_options(const cli_command *self, struct opt *o)
{
    if (!cli_write_options(self, &o->written, o->out, &o->write))
        return INLAY_INVALID;
    if (o->wants_explain && *o->explain && strcmp(o->explain, "json") != 0)
        return cli_usage(self, "option --explain is \"%s\", it must be json or nothing",
                         o->explain);
    if (o->json) {
        o->wants_explain = true;
        o->explain = "json";
    }
    if (!cli_settle(self, &o->model))
        return INLAY_INVALID;
    return check_print_after(self, o);
}

int cmd_opt(const cli_command *self, int argc, char **argv)
{
    struct opt o = {.explain = ""};
    const cli_option options[] = {
        CLI_PASS_OPTIONS(o.model),
        CLI_OUT_OPTION(o.out, "prints the graph"),
        CLI_WRITE_OPTIONS(o.written),
        {"--verify", NULL, "compare the graph before and after each pass on made-up inputs",
         .flag = &o.verify},
        {"--explain", "json",
         "say of each scatter whether it writes in place, why not, and what is copied; json: as "
         "JSON",
         .flag = &o.wants_explain, .text = &o.explain, .optional_argument = true},
        CLI_JSON_OPTION(o.json),
        CLI_PLACE_OPTIONS(o.model),
        {"--print-after", "PASS",
         "print the graph after this pass; after every pass (all); or after application number N",
         .text = &o.print_after},
        {"--step", NULL,
         "print what each application changes: one rewrite, by a rule or a pass, at one place",
         .flag = &o.steps},
        {"--certify", "FILE",
         "write what was done, edit by edit, to FILE, for inlay-check; where MODEL or the result "
         "is no text form, also FILE.model and FILE.out, which it reads",
         .text = &o.certify.path},
        {"--provenance", NULL,
         "say of each printed node from which nodes of the file, and by which application, it was "
         "made",
         .flag = &o.provenance},
        {"--pass-stats", NULL, "print changes, steps and time of each pass on standard error",
         .flag = &o.stats},
        {"--stats", NULL, "", .flag = &o.stats, .hidden = true},
        CLI_SHAPE_OPTION(o.model.shapes),
        CLI_UNKNOWN_OPTION(o.model),
        CLI_LIMIT_OPTIONS(o.model),
        CLI_CARRY_OPTION(o.model),
        CLI_READ_OPTIONS(o.model),
        {0}};
    const char *file;
    int n, status = cli_parse(self, options, argc, argv, &file, 1, 1, &n);

    if (status < 0)
        status = check_options(self, &o);
    if (status < 0)
        status = opt_file(&o, file);
    cli_free_model_options(&o.model);
    return status;
}
