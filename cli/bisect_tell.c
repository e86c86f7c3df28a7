/* The report of `inlay bisect`, as text and as JSON. */
#include "cli/bisect.h"

static void print_counts(const bisect *b, const char *file, const bisect_place *at)
{
    cli_say(stdout, "%s: %llu application%s in %zu pass%s, %d run%s\n", file,
            (unsigned long long)at->applications, inlay_plural(at->applications, "", "s"),
            b->n_passes, inlay_plural(b->n_passes, "", "es"), b->runs,
            inlay_plural(b->runs, "", "s"));
}

/* WHAT it does: "changes the results". */
static void print_application(const bisect_found *f, const char *what)
{
    cli_say(stdout, "application %llu is the first that %s:\n", (unsigned long long)f->serial,
            what);
    cli_say(stdout, "  pass      %s\n", f->pass);
    if (*f->rule)
        cli_say(stdout, "  rule      %s\n", f->rule);
    cli_say(stdout, "  at        %s\n", f->at);
    if (*f->replaced)
        cli_say(stdout, "  replaced  %s\n", f->replaced);
    if (*f->made)
        cli_say(stdout, "  made      %s\n", f->made);
}

static void print_text(const bisect *b, const char *file, const bisect_place *at,
                       const inlay_verify_result *alone)
{
    print_counts(b, file, at);
    if (b->found.serial == 0)
        cli_say(stdout,
                "pass %s is the first that changes the results, and does not say at which nodes\n",
                b->passes[at->n - 1]);
    else
        print_application(&b->found, "changes the results");
    printf("this application alone, the graph before it beside the one after it: ");
    cli_print_verdict(stdout, alone);
}

static void print_json(const bisect *b, const bisect_place *at, const inlay_verify_result *alone,
                       const inlay_graph *small, const inlay_graph *before,
                       const inlay_graph *after)
{
    inlay_strbuf text = {0};
    inlay_sink out = {inlay_strbuf_sink, &text};
    const bisect_found *f = &b->found;

    printf("{\"result\": \"different\", \"applications\": %llu, \"runs\": %d, \"serial\": %llu",
           (unsigned long long)at->applications, b->runs, (unsigned long long)f->serial);
    cli_json_field(stdout, "pass", b->passes[at->n - 1]);
    cli_json_field(stdout, "rule", f->rule);
    cli_json_field(stdout, "at", f->at);
    cli_json_field(stdout, "replaced", f->replaced);
    cli_json_field(stdout, "made", f->made);
    printf(", \"alone\": %s", alone->verdict == INLAY_NOT_SAME ? "true" : "false");
    cli_json_field(stdout, "why", alone->why);
    bisect_tell_difference(b, before, after, alone);
    if (small && inlay_print(small, true, &out, NULL) && !text.failed) {
        printf(", \"reduced\": %zu", small->n_nodes);
        cli_json_field(stdout, "graph", text.bytes);
    }
    inlay_strbuf_free(&text);
    printf("}\n");
}

static void print_small(const inlay_graph *small, const inlay_graph *before)
{
    inlay_sink out = {cli_file_sink, stdout};

    printf("made small: %zu node%s of %zu\n", small->n_nodes, inlay_plural(small->n_nodes, "", "s"),
           before->n_nodes);
    inlay_print(small, true, &out, NULL);
}

void bisect_tell(const bisect *b, const char *file, const bisect_place *at,
                 const inlay_verify_result *alone, const inlay_graph *small,
                 const inlay_graph *before, const inlay_graph *after)
{
    if (b->json) {
        print_json(b, at, alone, small, before, after);
        return;
    }
    print_text(b, file, at, alone);
    bisect_tell_difference(b, before, after, alone);
    if (small)
        print_small(small, before);
}

int bisect_tell_same(const bisect *b, const inlay_verify_result *result)
{
    const inlay_verify_options o = {.trials = b->trials, .seed = b->seed};
    int status;

    if (b->json) {
        printf("{");
        status = cli_json_verdict(stdout, result, b->original, &o);
        printf(", \"applications\": %llu, \"runs\": %d}\n", (unsigned long long)b->last, b->runs);
        return status;
    }
    status = cli_print_verdict(stdout, result);
    if (result->verdict == INLAY_SAME)
        cli_print_untried(stdout, b->original, &o);
    return status;
}

static void json_apart(const bisect *b, const bisect_place *at)
{
    const bisect_found *f = &b->found;
    bool found = at->n > 0 && at->serial > 0;

    printf("{\"result\": \"fails\", \"applications\": %llu, \"runs\": %d, \"serial\": %llu",
           (unsigned long long)at->applications, b->runs, (unsigned long long)at->serial);
    cli_json_field(stdout, "kind", b->apart.kind);
    cli_json_field(stdout, "why", b->apart.why);
    cli_json_field(stdout, "pass", at->n > 0 ? b->passes[at->n - 1] : NULL);
    cli_json_field(stdout, "rule", found ? f->rule : NULL);
    cli_json_field(stdout, "at", found ? f->at : NULL);
    printf("}\n");
}

int bisect_tell_apart(const bisect *b, const char *file, const bisect_place *at)
{
    if (b->json) {
        json_apart(b, at);
        return INLAY_DIFFERENT;
    }
    print_counts(b, file, at);
    if (at->n == 0)
        cli_say(stdout, "it fails without any rewrite:\n");
    else if (at->serial == 0)
        cli_say(stdout,
                "pass %s is the first with which it fails, and does not say at which nodes:\n",
                b->passes[at->n - 1]);
    else
        print_application(&b->found, "makes it fail");
    cli_say(stdout, "  %s: %s%s%s\n", b->apart.kind, b->apart.way, *b->apart.way ? ": " : "",
            b->apart.why);
    return INLAY_DIFFERENT;
}
