#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* --from and --to. */
struct part {
    cli_list from, to;
};

static int convert(const cli_model_options *model, const struct part *part,
                   const inlay_write_options *write, const char *const *files)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;

    if (!d)
        return cli_no_memory();
    g = cli_read(files[0], model, d);
    if (g && (part->from.n + part->to.n == 0 || cli_cut(g, &part->from, &part->to, d)) &&
        cli_may_write(d))
        inlay_write_file(g, files[1], write, d);
    inlay_graph_free(g);
    return cli_finish(d, INLAY_OK);
}

int cmd_convert(const cli_command *self, int argc, char **argv)
{
    cli_model_options model = {0};
    struct part part = {0};
    cli_written written = {0};
    inlay_write_options write;
    const char *files[2];
    const cli_option options[] = {
        CLI_READ_OPTIONS(model),
        CLI_WRITE_OPTIONS(written),
        {"--from", "VALUE",
         "write the part of the graph that begins at VALUE, which becomes an input; may be "
         "repeated",
         .list = &part.from},
        {"--to", "VALUE", "write the part that ends at VALUE, which becomes an output; the same",
         .list = &part.to},
        CLI_UNKNOWN_OPTION(model),
        CLI_SHAPE_OPTION(model.shapes),
        CLI_MEMORY_OPTION(model),
        {0}};
    int n, status = cli_parse(self, options, argc, argv, files, 2, 2, &n);

    if (status < 0)
        status = cli_write_options(self, &written, files[1], &write) && cli_settle(self, &model)
                     ? convert(&model, &part, &write, files)
                     : INLAY_INVALID;
    cli_list_free(&part.from);
    cli_list_free(&part.to);
    cli_free_model_options(&model);
    return status;
}
