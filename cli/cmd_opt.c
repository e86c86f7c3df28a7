#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

struct opt {
    cli_model_options model;
    const char *out, *print_after, *version;
    bool stats;
};

static bool wants_print(const struct opt *o, const char *pass)
{
    return o->print_after &&
           (strcmp(o->print_after, "all") == 0 || strcmp(o->print_after, pass) == 0);
}

static bool after_pass(void *ctx, inlay_graph *g, const inlay_pass_stats *stats, inlay_diags *d)
{
    const struct opt *o = ctx;
    inlay_sink out = {cli_file_sink, stdout};

    if (o->stats)
        fprintf(stderr, "%-24s %6llu changes %9.3f ms\n", stats->name,
                (unsigned long long)stats->changes, stats->ms);
    if (!wants_print(o, stats->name))
        return true;
    printf("after %s:\n", stats->name);
    return inlay_print(g, false, &out, d);
}

static bool rewrite(struct opt *o, inlay_graph *g, inlay_diags *d)
{
    cli_pass_hook hook = {after_pass, o};
    inlay_sink out = {cli_file_sink, stdout};

    if (!cli_run_passes(g, &o->model, &hook, d))
        return false;
    if (o->out) {
        inlay_write_options write = {.ir_version = o->version ? (int)strtol(o->version, NULL, 10) : 0};

        return inlay_write_file(g, o->out, &write, d);
    }
    return o->print_after || inlay_print(g, false, &out, d);
}

int cmd_opt(const cli_command *self, int argc, char **argv)
{
    struct opt o = {0};
    const cli_option options[] = {
        CLI_PASS_OPTIONS(o.model),
        {"-o", "OUT", "write the result: .xml, .json or .inlay (default: print it)", .text = &o.out},
        {"--ir-version", "10|11", "of the OpenVINO IR to write", .text = &o.version},
        {"--print-after", "PASS", "print the graph after this pass, or after all",
         .text = &o.print_after},
        {"--stats", NULL, "changes and time of each pass, on standard error", .flag = &o.stats},
        CLI_READ_OPTIONS(o.model),
        {0}};
    const char *file;
    int n, status = cli_parse(self, options, argc, argv, &file, 1, 1, &n);
    inlay_diags *d = status < 0 ? inlay_diags_new() : NULL;
    inlay_graph *g;

    if (status < 0 && o.version && strcmp(o.version, "10") != 0 && strcmp(o.version, "11") != 0)
        status = cli_usage(self, "option --ir-version is \"%s\", it must be 10 or 11", o.version);
    if (status < 0 && !d)
        status = INLAY_NO_RESOURCE;
    if (status < 0) {
        g = cli_read(file, &o.model, d);
        status = g && rewrite(&o, g, d) ? INLAY_OK : INLAY_INVALID;
        inlay_graph_free(g);
        status = cli_finish(d, status);
        d = NULL;
    }
    inlay_diags_free(d);
    cli_list_free(&o.model.disable);
    return status;
}
