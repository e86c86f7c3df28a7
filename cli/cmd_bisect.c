/* `inlay bisect MODEL`: which single application of a pass or a rule changed what the model
 * computes.
 *
 * First the passes are halved: the shortest beginning of the list that gives another function ends
 * with the pass to look at. Then its applications are: the rest of them are vetoed. In the end the
 * graph before the one that was found and the graph after it are compared with each other, and the
 * one before is made small: of the passes the one that was found runs alone, and of its rules that
 * one. */
#include "cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What an application did, in words that outlive it. */
struct found {
    uint64_t serial; /* 0: a pass that has no places */
    char *pass, *rule, *rule_name, *at, *replaced, *made;
};

struct bisect {
    const cli_command *self;
    cli_model_options model;
    cli_list shapes;
    const char *trials_text, *seed_text, *before_file, *after_file, *small_file;
    bool json, keep_large, every;
    int trials;
    uint64_t seed;
    const inlay_graph *original;
    char **passes; /* those that run, in order, as often as they do */
    size_t n_passes;
    uint64_t limit, last; /* applications behind LIMIT are vetoed; the last one that was made */
    struct found found;   /* number LIMIT */
    const char *found_pass;
    bool watch;         /* each graph on the way is compared, until one is another function */
    size_t begun, pass; /* passes that began; the one of application LIMIT */
    int runs;
};

static void free_found(struct found *f)
{
    free(f->pass);
    free(f->rule);
    free(f->rule_name);
    free(f->at);
    free(f->replaced);
    free(f->made);
    *f = (struct found){0};
}

static void add_node(inlay_strbuf *b, const inlay_node *n)
{
    inlay_strbuf_printf(b, "%s\"%s\" (%s-%d)", b->n ? ", " : "", n->name, n->op->name,
                        n->op->version);
}

/* What B holds as a string of its own, "" for nothing; NULL without memory. */
static char *taken(inlay_strbuf *b)
{
    char *text = b->failed ? NULL : strdup(b->bytes ? b->bytes : "");

    inlay_strbuf_free(b);
    return text;
}

static bool keep_found(struct found *f, const inlay_event *e, inlay_diags *d)
{
    const inlay_application *a = e->as.application;
    inlay_strbuf rule = {0}, at = {0}, replaced = {0}, made = {0};

    free_found(f);
    if (a->rule)
        inlay_strbuf_printf(&rule, "%s (%s:%u)", a->rule->name, a->rule->file, a->rule->line);
    add_node(&at, a->at);
    if (a->at->line > 0)
        inlay_strbuf_printf(&at, ", line %u", a->at->line);
    for (size_t i = 0; i < a->n_replaced; i++)
        add_node(&replaced, a->replaced[i]);
    for (const inlay_node *n = a->made; n; n = n->next)
        add_node(&made, n);
    *f = (struct found){
        a->serial,  strdup(e->pass),  taken(&rule), strdup(a->rule ? a->rule->name : ""),
        taken(&at), taken(&replaced), taken(&made)};
    return (f->pass && f->rule && f->rule_name && f->at && f->replaced && f->made) ||
           inlay_fail_memory(d);
}

static bool add_pass(struct bisect *b, const char *name, inlay_diags *d)
{
    char **grown = realloc(b->passes, (b->n_passes + 1) * sizeof *grown);

    if (!grown)
        return inlay_fail_memory(d);
    b->passes = grown;
    grown[b->n_passes] = strdup(name);
    return grown[b->n_passes++] || inlay_fail_memory(d);
}

static bool compare(const struct bisect *b, const inlay_graph *before, const inlay_graph *after,
                    inlay_verify_result *result, inlay_diags *d)
{
    const cli_comparison how = {.trials = b->trials, .seed = b->seed, .rewritten = true};

    return cli_compare(&b->model, before, after, &how, result, d);
}

/* NOW, the graph on the way: no application behind the first that made another function counts. */
static bool look(struct bisect *b, const inlay_graph *now, inlay_diags *d)
{
    inlay_graph *copy = inlay_graph_clone(now, d);
    inlay_verify_result result;
    bool ok = copy && compare(b, b->original, copy, &result, d);

    inlay_graph_free(copy);
    if (ok && result.verdict == INLAY_NOT_SAME) {
        b->watch = false;
        b->limit = b->last;
        b->pass = b->begun;
    }
    return ok;
}

static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    struct bisect *b = ctx;

    if (e->kind == INLAY_EVENT_PASS_BEGINS) {
        b->begun++;
        return b->runs > 0 || add_pass(b, e->pass, d);
    }
    if (e->kind == INLAY_EVENT_WILL_APPLY)
        return e->as.application->serial <= b->limit;
    if (e->kind == INLAY_EVENT_APPLIED) {
        b->last = e->as.application->serial;
        return (!b->watch || look(b, e->graph, d)) &&
               (b->last != b->limit || keep_found(&b->found, e, d));
    }
    return true;
}

/* The first N passes with commas; "none" for none. NULL without memory. */
static char *first_passes(const struct bisect *b, size_t n)
{
    inlay_strbuf text = {0};

    for (size_t i = 0; i < n; i++)
        inlay_strbuf_printf(&text, "%s%s", i ? "," : "", b->passes[i]);
    if (n == 0)
        inlay_strbuf_printf(&text, "none");
    return taken(&text);
}

/* The original after those passes (NULL: those that the command line names) and at most LIMIT
 * applications; NULL after an error. */
static inlay_graph *rewritten(struct bisect *b, const char *passes, uint64_t limit, inlay_diags *d)
{
    cli_pass_hook hook = {.events = {receive, b, false}};
    const char *named = b->model.passes;
    inlay_graph *g = inlay_graph_clone(b->original, d);
    bool ok;

    b->limit = limit;
    b->last = b->begun = 0;
    b->model.passes = passes ? passes : named;
    ok = g && cli_run_passes(g, &b->model, &hook, d);
    b->model.passes = named;
    b->runs++;
    if (!ok) {
        inlay_graph_free(g);
        return NULL;
    }
    return g;
}

/* *VERDICT of the graph after the first N passes and at most LIMIT applications. */
static bool try_part(struct bisect *b, size_t n, uint64_t limit, inlay_verdict *verdict,
                     inlay_diags *d)
{
    char *passes = first_passes(b, n);
    inlay_graph *g = passes ? rewritten(b, passes, limit, d) : NULL;
    inlay_verify_result result = {.verdict = INLAY_SAME};
    bool ok = g && compare(b, b->original, g, &result, d);

    *verdict = result.verdict;
    if (!passes)
        inlay_fail_memory(d);
    free(passes);
    inlay_graph_free(g);
    return ok;
}

/* *N is how many passes it takes to get another function; all of them do. */
static bool halve_passes(struct bisect *b, size_t *n, inlay_diags *d)
{
    size_t same = 0, other = b->n_passes;

    while (other - same > 1) {
        size_t middle = same + (other - same) / 2;
        inlay_verdict verdict;

        if (!try_part(b, middle, UINT64_MAX, &verdict, d))
            return false;
        if (verdict == INLAY_NOT_SAME)
            other = middle;
        else
            same = middle;
    }
    *n = other;
    return true;
}

/* How many applications the first N passes make, without comparing. */
static bool count_applications(struct bisect *b, size_t n, uint64_t *count, inlay_diags *d)
{
    char *passes = first_passes(b, n);
    inlay_graph *g = passes ? rewritten(b, passes, UINT64_MAX, d) : NULL;

    *count = b->last;
    free(passes);
    inlay_graph_free(g);
    return g != NULL;
}

/* *SERIAL is the application of pass number N from which on the function is another one; 0: the
 * pass has no places, or it is another function without any of them. */
static bool halve_applications(struct bisect *b, size_t n, uint64_t *serial, inlay_diags *d)
{
    uint64_t same, other;
    inlay_verdict verdict;

    *serial = 0;
    if (!count_applications(b, n - 1, &same, d) || !count_applications(b, n, &other, d) ||
        !try_part(b, n, same, &verdict, d))
        return false;
    if (same == other || verdict == INLAY_NOT_SAME)
        return true;
    while (other - same > 1) {
        uint64_t middle = same + (other - same) / 2;

        if (!try_part(b, n, middle, &verdict, d))
            return false;
        if (verdict == INLAY_NOT_SAME)
            other = middle;
        else
            same = middle;
    }
    *serial = other;
    return true;
}

/* ---- the graph made small ---- */

static bool write_graph(const inlay_graph *g, const char *file, inlay_diags *d)
{
    return !file || (cli_may_write(d) && inlay_write_file(g, file, NULL, d));
}

/* Only the rule that was found is applied, LEFT times at most. */
struct allowed {
    const struct found *found;
    int left;
};

static bool allow_found(void *ctx, const inlay_event *e, inlay_diags *d)
{
    struct allowed *a = ctx;
    const struct found *f = a->found;

    (void)d;
    if (e->kind == INLAY_EVENT_APPLIED)
        a->left--;
    if (e->kind == INLAY_EVENT_WILL_APPLY && a->left <= 0)
        return false;
    return e->kind != INLAY_EVENT_WILL_APPLY || !f->rule_name || !*f->rule_name ||
           (e->as.application->rule && strcmp(e->as.application->rule->name, f->rule_name) == 0);
}

/* TIMES applications of the pass that was found make another function of G. */
static bool changes(struct bisect *b, const inlay_graph *g, int times)
{
    cli_model_options model = b->model;
    struct allowed allowed = {&b->found, times};
    const cli_pass_hook hook = {.events = {allow_found, &allowed, false}};
    inlay_graph *after = inlay_graph_clone(g, NULL);
    inlay_verify_result result;
    bool ok;

    model.passes = b->found_pass;
    ok = after && cli_run_passes(after, &model, &hook, NULL) &&
         compare(b, g, after, &result, NULL) && result.verdict == INLAY_NOT_SAME;
    inlay_graph_free(after);
    return ok;
}

/* The first application alone, or all of them. */
static bool fails_alike(void *ctx, const inlay_graph *g)
{
    return changes(ctx, g, 1) || changes(ctx, g, INT_MAX);
}

/* *SMALL: BEFORE made small, the caller's; NULL when it is to stay large, or when the pass alone
 * does not fail on it. False: memory ran out, or the file cannot be written. */
static bool make_small(struct bisect *b, const inlay_graph *before, inlay_graph **small,
                       inlay_diags *d)
{
    const inlay_reduce_options o = {.keeps = fails_alike, .ctx = b};
    inlay_reduce_result result;

    *small = NULL;
    if (b->keep_large || !fails_alike(b, before))
        return true;
    if (!inlay_reduce(before, &o, &result, d))
        return false;
    *small = result.graph;
    return write_graph(result.graph, b->small_file, d);
}

static void print_small(const inlay_graph *small, const inlay_graph *before)
{
    inlay_sink out = {cli_file_sink, stdout};

    printf("made small: %zu nodes of %zu\n", small->n_nodes, before->n_nodes);
    inlay_print(small, true, &out, NULL);
}

/* ---- what is told ---- */

static void print_text(const struct bisect *b, const char *file, size_t n, uint64_t applications,
                       const inlay_verify_result *alone)
{
    const struct found *f = &b->found;

    printf("%s: %llu applications in %zu passes, %d runs\n", file, (unsigned long long)applications,
           b->n_passes, b->runs);
    if (f->serial == 0) {
        printf("pass %s is the first that changes the results, and has no places of its own\n",
               b->passes[n - 1]);
    } else {
        printf("application %llu is the first that changes the results:\n",
               (unsigned long long)f->serial);
        printf("  pass      %s\n", f->pass);
        if (*f->rule)
            printf("  rule      %s\n", f->rule);
        printf("  at        %s\n", f->at);
        if (*f->replaced)
            printf("  replaced  %s\n", f->replaced);
        if (*f->made)
            printf("  made      %s\n", f->made);
    }
    printf("alone, from the graph before it to the one after it: ");
    cli_print_verdict(stdout, alone);
}

static void print_field(const char *name, const char *text)
{
    printf(", \"%s\": ", name);
    if (text && *text)
        cli_json_string(stdout, text);
    else
        printf("null");
}

static void print_json(const struct bisect *b, size_t n, uint64_t applications,
                       const inlay_verify_result *alone, const inlay_graph *small)
{
    inlay_strbuf text = {0};
    inlay_sink out = {inlay_strbuf_sink, &text};
    const struct found *f = &b->found;

    printf("{\"result\": \"different\", \"applications\": %llu, \"runs\": %d, \"serial\": %llu",
           (unsigned long long)applications, b->runs, (unsigned long long)f->serial);
    print_field("pass", b->passes[n - 1]);
    print_field("rule", f->rule);
    print_field("at", f->at);
    print_field("replaced", f->replaced);
    print_field("made", f->made);
    printf(", \"alone\": %s", alone->verdict == INLAY_NOT_SAME ? "true" : "false");
    print_field("why", alone->why);
    if (small && inlay_print(small, true, &out, NULL) && !text.failed) {
        printf(", \"reduced\": %zu", small->n_nodes);
        print_field("graph", text.bytes);
    }
    inlay_strbuf_free(&text);
    printf("}\n");
}

/* Makes the graphs before and after what was found, compares them, and tells it all. */
static int tell(struct bisect *b, const char *file, size_t n, uint64_t serial,
                uint64_t applications, inlay_diags *d)
{
    char *passes[2] = {first_passes(b, serial ? n : n - 1), first_passes(b, n)};
    inlay_graph *before =
        passes[0] ? rewritten(b, passes[0], serial ? serial - 1 : UINT64_MAX, d) : NULL;
    inlay_graph *after =
        before && passes[1] ? rewritten(b, passes[1], serial ? serial : UINT64_MAX, d) : NULL;
    inlay_graph *small = NULL;
    inlay_verify_result alone;
    bool ok = after && compare(b, before, after, &alone, d) &&
              write_graph(before, b->before_file, d) && write_graph(after, b->after_file, d);

    b->found_pass = b->passes[n - 1];
    ok = ok && make_small(b, before, &small, d);
    cli_progress_end();
    if (ok && b->json)
        print_json(b, n, applications, &alone, small);
    else if (ok)
        print_text(b, file, n, applications, &alone);
    if (small && !b->json)
        print_small(small, before);
    inlay_graph_free(small);
    free(passes[0]);
    free(passes[1]);
    inlay_graph_free(before);
    inlay_graph_free(after);
    return ok ? INLAY_DIFFERENT : INLAY_NO_RESOURCE;
}

/* All passes give the same function, or that could not be found out. */
static int tell_same(const struct bisect *b, const inlay_verify_result *result)
{
    static const int statuses[] = {[INLAY_SAME] = INLAY_OK, [INLAY_INCONCLUSIVE] = INLAY_UNDECIDED};

    cli_progress_end();
    if (!b->json)
        return cli_print_verdict(stdout, result);
    printf("{\"result\": \"%s\", \"applications\": %llu, \"runs\": %d}\n",
           result->verdict == INLAY_SAME ? "same" : "inconclusive", (unsigned long long)b->last,
           b->runs);
    return statuses[result->verdict];
}

/* Looks at every graph on the way: a rule that goes in circles may end where it began. *SERIAL, of
 * pass number N, is the first application that makes another function; 0: none does. */
static bool look_at_all(struct bisect *b, size_t *n, uint64_t *serial, inlay_diags *d)
{
    inlay_graph *g;

    b->watch = true;
    g = rewritten(b, NULL, UINT64_MAX, d);
    *serial = b->watch ? 0 : b->limit;
    *n = b->pass;
    b->watch = false;
    inlay_graph_free(g);
    return g != NULL;
}

static int search(struct bisect *b, const char *file, inlay_diags *d)
{
    inlay_graph *g = rewritten(b, NULL, UINT64_MAX, d);
    inlay_verify_result result;
    uint64_t applications = b->last, serial = 0;
    size_t n;
    bool ok = g && compare(b, b->original, g, &result, d);

    inlay_graph_free(g);
    if (ok && result.verdict != INLAY_NOT_SAME && b->every)
        ok = look_at_all(b, &n, &serial, d);
    if (!ok)
        return inlay_diags_status(d);
    if (serial > 0)
        return tell(b, file, n, serial, applications, d);
    if (result.verdict != INLAY_NOT_SAME)
        return tell_same(b, &result);
    if (!halve_passes(b, &n, d) || !halve_applications(b, n, &serial, d))
        return INLAY_NO_RESOURCE;
    return tell(b, file, n, serial, applications, d);
}

static int bisect_file(struct bisect *b, const char *file)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;
    int status = INLAY_INVALID;

    if (!d)
        return cli_no_memory();
    g = cli_read(file, &b->model, d);
    if (g && cli_set_shapes(g, &b->shapes, d)) {
        b->original = g;
        cli_progress_begin("bisect");
        status = search(b, file, d);
        cli_progress_end();
    }
    inlay_graph_free(g);
    return cli_finish(d, status);
}

static bool read_options(struct bisect *b)
{
    int64_t trials = 0, seed = 0;

    if ((b->trials_text && !cli_number(b->self, "--trials", b->trials_text, 1, &trials)) ||
        (b->seed_text && !cli_number(b->self, "--seed", b->seed_text, 0, &seed)))
        return false;
    b->trials = trials > 1000000 ? 1000000 : (int)trials;
    b->seed = (uint64_t)seed;
    return cli_settle(b->self, &b->model);
}

int cmd_bisect(const cli_command *self, int argc, char **argv)
{
    struct bisect b = {.self = self};
    const cli_option options[] = {
        CLI_PASS_OPTIONS(b.model),
        {"--trials", "N", "runs on made-up inputs for each comparison (64)",
         .text = &b.trials_text},
        {"--seed", "S", "of the made-up inputs (0)", .text = &b.seed_text},
        {"--shape", "NAME=DIMS", "the shape that an input gets, ? for what the model says: 2,?,8",
         .list = &b.shapes},
        {"--before", "FILE", "write the graph before that application", .text = &b.before_file},
        {"--after", "FILE", "write the graph after it", .text = &b.after_file},
        {"--small", "FILE", "write the graph before it made small", .text = &b.small_file},
        {"--every", NULL, "compare each graph on the way when the last one is the same function",
         .flag = &b.every},
        {"--large", NULL, "do not make it small", .flag = &b.keep_large},
        {"--json", NULL, "for programs", .flag = &b.json},
        CLI_LIMIT_OPTIONS(b.model),
        CLI_READ_OPTIONS(b.model),
        {0}};
    const char *file;
    int n, status = cli_parse(self, options, argc, argv, &file, 1, 1, &n);

    if (status < 0)
        status = read_options(&b) ? bisect_file(&b, file) : INLAY_INVALID;
    free_found(&b.found);
    for (size_t i = 0; i < b.n_passes; i++)
        free(b.passes[i]);
    free(b.passes);
    cli_list_free(&b.shapes);
    cli_free_model_options(&b.model);
    return status;
}
