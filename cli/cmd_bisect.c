/* `inlay bisect MODEL`: which single application of a pass or a rule changed what the model
 * computes. At the end the graphs before and after it are compared with each other, and the one
 * before is reduced. */
#include "cli/bisect.h"

#include <stdlib.h>
#include <string.h>

static bool write_graph(const inlay_graph *g, const char *file, inlay_diags *d)
{
    return !file || (cli_may_write(d) && inlay_write_file(g, file, NULL, d));
}

/* Makes the graphs before and after the application that was found, compares them, and reports
 * both. */
static int show_found(bisect *b, const char *file, const bisect_place *at, inlay_diags *d)
{
    uint64_t serial = at->serial;
    inlay_graph *before =
        serial ? bisect_part(b, at->n, serial - 1, d) : bisect_part(b, at->n - 1, UINT64_MAX, d);
    inlay_graph *after = before ? bisect_part(b, at->n, serial ? serial : UINT64_MAX, d) : NULL;
    inlay_graph *small = NULL;
    inlay_verify_result alone;
    bool ok = after && bisect_judge(b, before, after, &alone, d) &&
              write_graph(before, b->before_file, d) && write_graph(after, b->after_file, d);

    b->found_pass = b->passes[at->n - 1];
    ok = ok && bisect_make_small(b, before, &small, d);
    cli_progress_end();
    if (ok)
        bisect_tell(b, file, at, &alone, small, before, after);
    inlay_graph_free(small);
    inlay_graph_free(before);
    inlay_graph_free(after);
    return ok ? INLAY_DIFFERENT : INLAY_NO_RESOURCE;
}

static int search(bisect *b, const char *file, inlay_diags *d)
{
    inlay_verify_result what;
    bisect_place at;

    if (!bisect_search_apart(b, &at, d))
        return inlay_diags_status(d);
    if (*b->apart.kind) {
        cli_progress_end();
        return bisect_tell_apart(b, file, &at);
    }
    if (!bisect_search(b, &at, &what, d))
        return inlay_diags_status(d);
    if (at.n > 0)
        return show_found(b, file, &at, d);
    cli_progress_end();
    return bisect_tell_same(b, &what);
}

static int bisect_file(bisect *b, const char *file)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;
    int status = INLAY_INVALID;

    if (!d)
        return cli_no_memory();
    g = cli_read(file, &b->model, d);
    if (g) {
        b->original = g;
        cli_progress_begin("bisect");
        status = search(b, file, d);
        cli_progress_end();
    }
    inlay_graph_free(g);
    return cli_finish(d, status);
}

/* Fails if two of the graphs would be written to the same file. */
static bool files_differ(const bisect *b)
{
    const char *files[] = {b->before_file, b->after_file, b->small_file};

    for (int i = 0; i < 3; i++) {
        const char *other = files[(i + 1) % 3];

        if (files[i] && other && strcmp(files[i], other) == 0) {
            cli_usage(b->self, "two graphs would be written to %s", other);
            return false;
        }
    }
    return true;
}

static bool read_options(bisect *b)
{
    int64_t trials = 0, seed = 0;

    if ((b->trials_text && !cli_number(b->self, "--trials", b->trials_text, 1, &trials)) ||
        (b->seed_text && !cli_number(b->self, "--seed", b->seed_text, 0, &seed)) ||
        !cli_count(b->self, "--seconds", b->seconds_text, &b->seconds))
        return false;
    if (!files_differ(b))
        return false;
    b->trials = trials > 1000000 ? 1000000 : (int)trials;
    b->seed = (uint64_t)seed;
    return cli_settle(b->self, &b->model);
}

int cmd_bisect(const cli_command *self, int argc, char **argv)
{
    bisect b = {.self = self, .seconds = 60};
    const cli_option options[] = {
        CLI_PASS_OPTIONS(b.model),
        CLI_TRIALS_OPTION(b.trials_text, "64"),
        CLI_SEED_OPTION(b.seed_text, "0"),
        CLI_SECONDS_OPTION(b.seconds_text, "60"),
        CLI_SHAPE_OPTION(b.model.shapes),
        {"--before", "FILE", "write the graph before the application that was found",
         .text = &b.before_file},
        {"--after", "FILE", "write the graph after that application", .text = &b.after_file},
        {"--small", "FILE", "write a smaller graph on which it is still wrong",
         .text = &b.small_file},
        {"--every", NULL,
         "compare the graph after every application, even where the last graph is right",
         .flag = &b.every},
        {"--large", NULL, "do not look for a smaller graph", .flag = &b.keep_large},
        CLI_JSON_OPTION(b.json),
        CLI_LIMIT_OPTIONS(b.model),
        CLI_READ_OPTIONS(b.model),
        {0}};
    const char *file;
    int n, status = cli_parse(self, options, argc, argv, &file, 1, 1, &n);

    if (status < 0)
        status = read_options(&b) ? bisect_file(&b, file) : INLAY_INVALID;
    bisect_free_found(&b.found);
    bisect_forget_passes(&b);
    cli_free_model_options(&b.model);
    return status;
}
