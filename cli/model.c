/* Reading a model for a subcommand. */
#include "cli/cli.h"

#include <unistd.h>

inlay_graph *cli_read(const char *path, const cli_model_options *o, inlay_diags *d)
{
    inlay_read_options options = {.weights = o->weights, .allow_unknown = o->allow_unknown};

    return inlay_read_file(path, &options, d);
}

bool cli_run_passes(inlay_graph *g, const cli_model_options *o, const cli_pass_hook *hook,
                    inlay_diags *d)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_pass_options options = {.passes = o->passes,
                                  .disable = o->disable.items,
                                  .n_disable = o->disable.n,
                                  .evaluator = &reference};

    if (hook) {
        options.after = hook->after;
        options.explain = hook->explain;
        options.ctx = hook->ctx;
    }
    return inlay_run_passes(g, &options, d);
}

bool cli_max_memory(const cli_command *self, const char *text, uint64_t *out)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    if (text)
        return cli_bytes(self, "--max-memory", text, out);
    *out = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 4 * 3 : 0;
    return true;
}
