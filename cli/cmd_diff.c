/* `inlay diff A B`: how nodes of two graphs differ. `inlay diff A`: what passes change in one. */
#include "cli/cli.h"

struct diff {
    const cli_command *self;
    cli_model_options model;
    bool json;
};

/* Returns the graph that A is compared with: the model PATH, or, if PATH is NULL, A after passes.
 * The caller frees it. */
static inlay_graph *other(struct diff *o, const inlay_graph *a, const char *path, inlay_diags *d)
{
    inlay_graph *b;

    if (path)
        return cli_read_other(path, &o->model, d);
    b = inlay_graph_clone(a, d);
    if (b && cli_run_passes(b, &o->model, NULL, d))
        return b;
    inlay_graph_free(b);
    return NULL;
}

static int tell(const struct diff *o, const inlay_diff *diff, inlay_diags *d)
{
    if (o->json)
        cli_differences_json(stdout, diff);
    else if (!cli_print_differences(stdout, diff, d))
        return INLAY_INVALID;
    return cli_count_changes(diff, 0) == diff->n ? INLAY_OK : INLAY_DIFFERENT;
}

static int diff_files(struct diff *o, const char *a_path, const char *b_path)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *a, *b = NULL;
    inlay_diff diff = {0};
    int status = INLAY_INVALID;

    if (!d)
        return cli_no_memory();
    a = cli_read(a_path, &o->model, d);
    if (a)
        b = other(o, a, b_path, d);
    if (b && inlay_diff_graphs(a, b, &diff, d))
        status = tell(o, &diff, d);
    inlay_diff_free(&diff);
    inlay_graph_free(a);
    inlay_graph_free(b);
    return cli_finish(d, status);
}

int cmd_diff(const cli_command *self, int argc, char **argv)
{
    struct diff o = {.self = self};
    const cli_option options[] = {CLI_JSON_OPTION(o.json),
                                  CLI_SHAPE_OPTION(o.model.shapes),
                                  CLI_PASS_OPTIONS(o.model),
                                  CLI_UNKNOWN_OPTION(o.model),
                                  CLI_MEMORY_OPTION(o.model),
                                  CLI_READ_OPTIONS(o.model),
                                  {0}};
    const char *files[2];
    int n, status = cli_parse(self, options, argc, argv, files, 1, 2, &n);

    if (status < 0 && n == 2 && (o.model.passes || o.model.disable.n > 0 || o.model.rules.n > 0))
        status = cli_usage(self, "options of passes are for one model, which is compared with what "
                                 "the passes make of it; two are compared as they are");
    if (status < 0)
        status = cli_settle(self, &o.model) ? diff_files(&o, files[0], n > 1 ? files[1] : NULL)
                                            : INLAY_INVALID;
    cli_free_model_options(&o.model);
    return status;
}
