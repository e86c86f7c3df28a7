/* `inlay plan MODEL`: what a run will do, without running. */
#include "cli/plan.h"

#include <stdlib.h>

static bool keeps_limits(struct plan *p, const inlay_graph *g, inlay_diags *d)
{
    bool ok = cli_check_places(&p->model, d);

    return cli_check_budgets(&p->model, g, p->kernels, NULL, d) && ok;
}

static bool make(struct plan *p, inlay_graph *g, inlay_diags *d)
{
    if (!cli_find_unknown(g, &p->missing, &p->n_missing, d))
        return false;
    return p->n_missing > 0 || (cli_run_passes(g, &p->model, NULL, d) &&
                                inlay_program_plan_make(g, p->kernels, &p->steps, d) &&
                                inlay_memory_plan_make(g, &p->memory, d) && keeps_limits(p, g, d));
}

static int plan_file(struct plan *p)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;
    bool ok;

    if (!d)
        return cli_no_memory();
    p->passes = p->model.passes ? p->model.passes : "default";
    p->model.allow_unknown = true;
    cli_progress_begin("plan");
    g = cli_read(p->file, &p->model, d);
    ok = g && make(p, g, d);
    cli_progress_end();
    ok = ok && ((p->json ? plan_json : plan_text)(stdout, p) || inlay_fail_memory(d));
    inlay_program_plan_free(&p->steps);
    inlay_memory_plan_free(&p->memory);
    free(p->missing);
    inlay_graph_free(g);
    return cli_finish(d, ok && p->n_missing == 0 ? INLAY_OK : cli_failed(&p->model));
}

int cmd_plan(const cli_command *self, int argc, char **argv)
{
    struct plan p = {.self = self};
    const cli_option options[] = {CLI_JSON_OPTION(p.json),
                                  CLI_SHAPE_OPTION(p.model.shapes),
                                  CLI_KERNELS_OPTION(p.kernels_name),
                                  CLI_PASS_OPTIONS(p.model),
                                  CLI_PLACE_OPTIONS(p.model),
                                  CLI_MEMORY_OPTION(p.model),
                                  CLI_CARRY_OPTION(p.model),
                                  CLI_READ_OPTIONS(p.model),
                                  {0}};
    int n, status = cli_parse(self, options, argc, argv, &p.file, 1, 1, &n);

    if (status < 0)
        status = cli_settle(self, &p.model) && cli_kernels(self, p.kernels_name, &p.kernels)
                     ? plan_file(&p)
                     : INLAY_INVALID;
    cli_free_model_options(&p.model);
    return status;
}
