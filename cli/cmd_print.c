#include "cli/cli.h"

struct print {
    cli_model_options model;
    bool dot, full, provenance;
};

static int print_file(const struct print *p, const char *file)
{
    inlay_sink out = {cli_file_sink, stdout};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;
    bool ok;

    if (!d)
        return cli_no_memory();
    g = cli_read(file, &p->model, d);
    ok = g && (p->dot          ? inlay_print_dot(g, &out, d)
               : p->provenance ? inlay_print_provenance(g, &out, d)
                               : inlay_print(g, p->full, &out, d));
    inlay_graph_free(g);
    return cli_finish(d, ok ? INLAY_OK : INLAY_INVALID);
}

int cmd_print(const cli_command *self, int argc, char **argv)
{
    struct print p = {0};
    const cli_option options[] = {
        CLI_READ_OPTIONS(p.model),
        {"--full", NULL, "print all that the graph holds, so that the text can be read back",
         .flag = &p.full},
        {"--dot", NULL, "print the graph for Graphviz's dot", .flag = &p.dot},
        {"--provenance", NULL, "say of each node where it stands in the file",
         .flag = &p.provenance},
        CLI_UNKNOWN_OPTION(p.model),
        CLI_SHAPE_OPTION(p.model.shapes),
        CLI_MEMORY_OPTION(p.model),
        {0}};
    const char *file;
    int n, status = cli_parse(self, options, argc, argv, &file, 1, 1, &n);

    if (status < 0)
        status = cli_settle(self, &p.model) ? print_file(&p, file) : INLAY_INVALID;
    cli_free_model_options(&p.model);
    return status;
}
