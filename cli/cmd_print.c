#include "cli/cli.h"

int cmd_print(const cli_command *self, int argc, char **argv)
{
    cli_model_options model = {0};
    bool dot = false, full = false, provenance = false, ok;
    const char *file;
    const cli_option options[] = {
        CLI_READ_OPTIONS(model),
        {"--full", NULL, "everything, so that the text can be read back", .flag = &full},
        {"--dot", NULL, "for Graphviz", .flag = &dot},
        {"--provenance", NULL, "say of each node where it stands in the file", .flag = &provenance},
        {"--allow-unknown", NULL, "show operations that the table does not have",
         .flag = &model.allow_unknown},
        CLI_MEMORY_OPTION(model),
        {0}};
    int n, status = cli_parse(self, options, argc, argv, &file, 1, 1, &n);
    inlay_sink out = {cli_file_sink, stdout};
    inlay_diags *d;
    inlay_graph *g;

    if (status >= 0)
        return status;
    if (!cli_settle(self, &model))
        return INLAY_INVALID;
    d = inlay_diags_new();
    if (!d)
        return cli_no_memory();
    g = cli_read(file, &model, d);
    ok = g && (dot          ? inlay_print_dot(g, &out, d)
               : provenance ? inlay_print_provenance(g, &out, d)
                            : inlay_print(g, full, &out, d));
    inlay_graph_free(g);
    return cli_finish(d, ok ? INLAY_OK : INLAY_INVALID);
}
