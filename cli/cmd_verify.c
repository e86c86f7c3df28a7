#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

struct verify {
    const cli_command *self;
    cli_model_options model;
    const char *trials, *seed, *rtol, *atol, *ulp, *exec, *kernels_name;
    cli_list shapes, given;
    inlay_verify_options o;
    inlay_exec_mode mode;  /* of B */
    inlay_kernels kernels; /* the same */
};

static bool read_options(struct verify *v)
{
    const cli_command *self = v->self;
    int64_t trials = 0, seed = 0, ulp = 0;

    if ((v->trials && !cli_number(self, "--trials", v->trials, 1, &trials)) ||
        (v->seed && !cli_number(self, "--seed", v->seed, 0, &seed)) ||
        (v->ulp && !cli_number(self, "--ulp", v->ulp, 0, &ulp)) ||
        (v->rtol && !cli_real(self, "--rtol", v->rtol, &v->o.tolerance.rtol)) ||
        (v->atol && !cli_real(self, "--atol", v->atol, &v->o.tolerance.atol)) ||
        !cli_settle(self, &v->model))
        return false;
    v->o.trials = trials > 1000000 ? 1000000 : (int)trials;
    v->o.seed = (uint64_t)seed;
    v->o.tolerance.ulp = (uint64_t)ulp;
    return true;
}

int cli_print_verdict(FILE *f, const inlay_verify_result *r)
{
    static const char *const words[] = {[INLAY_SAME] = "same",
                                        [INLAY_NOT_SAME] = "different",
                                        [INLAY_INCONCLUSIVE] = "inconclusive"};
    static const int statuses[] = {[INLAY_SAME] = INLAY_OK,
                                   [INLAY_NOT_SAME] = INLAY_DIFFERENT,
                                   [INLAY_INCONCLUSIVE] = INLAY_UNDECIDED};

    fprintf(f, "%s: %d of %d trials counted", words[r->verdict], r->counted, r->trials);
    if (r->verdict == INLAY_NOT_SAME && r->counted > 0)
        fprintf(f, ", seed %llu", (unsigned long long)r->seed);
    fprintf(f, "%s%s\n", *r->why ? "\n  " : "", r->why);
    return statuses[r->verdict];
}

static int verify_files(struct verify *v, const char *const *files)
{
    inlay_exec_options limits = {.kernels = v->kernels,
                                 .max_memory = v->model.memory,
                                 .max_iterations = v->model.iterations,
                                 .progress = cli_progress_step};
    inlay_evaluator reference = inlay_reference_evaluator(&limits);
    inlay_evaluator second =
        v->mode == INLAY_EXEC_PLANNED ? inlay_planned_evaluator(&limits) : reference;
    inlay_diags *d = inlay_diags_new();
    inlay_graph *a, *b = NULL;
    inlay_shape *shapes = NULL;
    cli_inputs in = {0};
    inlay_verify_result result;
    int status = INLAY_INVALID;

    if (!d)
        return cli_no_memory();
    v->model.given = &v->given;
    a = cli_read(files[0], &v->model, d);
    if (a)
        b = cli_read_other(files[1], &v->model, d);
    if (b && cli_input_shapes(a, &v->shapes, &shapes, d) &&
        cli_take_inputs(a, &v->given, true, v->model.memory, &in, d)) {
        bool done;

        v->o.shapes = shapes;
        v->o.inputs = in.tensors;
        v->o.fills = in.fills;
        v->o.ranges = in.ranges;
        v->o.max_memory = v->model.memory;
        v->o.progress = cli_progress_trial;
        cli_progress_begin("verify");
        done = inlay_verify(a, &reference, b, &second, &v->o, &result, d);
        cli_progress_end();
        if (done)
            status = cli_print_verdict(stdout, &result);
    }
    free(shapes);
    cli_free_inputs(&in);
    inlay_graph_free(a);
    inlay_graph_free(b);
    return cli_finish(d, status);
}

int cmd_verify(const cli_command *self, int argc, char **argv)
{
    struct verify v = {.self = self, .mode = INLAY_EXEC_REFERENCE};
    const cli_option options[] = {
        {"--trials", "N", "runs on made-up inputs (64)", .text = &v.trials},
        {"--seed", "S", "of the made-up inputs (0)", .text = &v.seed},
        {"--rtol", "X", "relative tolerance (0: bit for bit)", .text = &v.rtol},
        {"--atol", "X", "absolute tolerance (0)", .text = &v.atol},
        {"--ulp", "N", "or at most N representable numbers apart", .text = &v.ulp},
        {"-i", "NAME=WHAT",
         "an input of A, the same in every trial: FILE.npy, zeros, ones, iota or "
         "random:LOW:HIGH; or FILE.npz for all it names",
         .list = &v.given},
        {"--shape", "NAME=DIMS", "the shape of an input of A, ? for a free choice: 2,?,8",
         .list = &v.shapes},
        CLI_WEIGHTS_OPTION(v.model),
        CLI_DIM_OPTION(v.model),
        CLI_EXTENSION_OPTION(v.model),
        {"--exec", "MODE", "how B runs: reference (default), or planned, which obeys its notes",
         .text = &v.exec},
        CLI_KERNELS_OPTION(v.kernels_name),
        CLI_LIMIT_OPTIONS(v.model),
        CLI_LINKS_OPTION(v.model),
        {0}};
    const char *files[2];
    int n, status = cli_parse(self, options, argc, argv, files, 2, 2, &n);

    if (status < 0)
        status = read_options(&v) && cli_exec_mode(self, v.exec, &v.mode) &&
                         cli_kernels(self, v.kernels_name, &v.kernels)
                     ? verify_files(&v, files)
                     : INLAY_INVALID;
    cli_list_free(&v.shapes);
    cli_list_free(&v.given);
    cli_free_model_options(&v.model);
    return status;
}
