/* The report of `inlay plan`. */
#ifndef INLAY_CLI_PLAN_H
#define INLAY_CLI_PLAN_H

#include "cli/cli.h"

struct plan {
    const cli_command *self;
    cli_model_options model;
    bool json;
    const char *file, *passes, *kernels_name;
    inlay_kernels kernels;
    cli_unknown *missing;
    size_t n_missing;
    inlay_program_plan steps;
    inlay_memory_plan memory;
};

/* plan_text.c, plan_json.c */
/* False: out of memory. */
bool plan_text(FILE *f, const struct plan *p);
bool plan_json(FILE *f, const struct plan *p);

#endif
