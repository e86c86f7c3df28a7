#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct verify {
    const cli_command *self;
    cli_model_options model;
    const char *trials, *seed, *rtol, *atol, *ulp, *exec, *kernels_name;
    cli_list shapes, given;
    inlay_verify_options o;
    bool prove, exhaustive, values;
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
    if (r->verdict != INLAY_NOT_SAME && r->counted > 0 && *r->missed)
        fprintf(f, "  not covered by a trial that counted: %s\n", r->missed);
    if (r->verdict == INLAY_INCONCLUSIVE && r->counted == 0)
        fprintf(
            f,
            "  inputs that the graphs take may be found with --dim NAME=N, --shape NAME=DIMS or -i "
            "NAME=FILE\n");
    return statuses[r->verdict];
}

void cli_print_untried(FILE *f, const inlay_graph *g, const inlay_verify_options *o)
{
    char untried[512];

    if (inlay_verify_untried(g, o, untried, sizeof untried))
        fprintf(f, "  not covered: %s\n", untried);
}

/* Evaluates as the planned executor does once places are decided anew: a graph that was cut has
 * lost its notes. CTX: the options of the executor. */
static bool eval_placed(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                        inlay_tensor **out, inlay_tensor **variables, inlay_diags *d)
{
    const inlay_pass_options places = {.passes = "in-place-windows"};
    inlay_evaluator planned = inlay_planned_evaluator(ctx);
    inlay_graph *placed = inlay_graph_clone(g, d);
    bool ok = placed && inlay_run_passes(placed, &places, d) &&
              planned.eval_graph(planned.ctx, placed, in, out, variables, d);

    inlay_graph_free(placed);
    return ok;
}

static void print_value(const inlay_value_difference *found)
{
    char op[160];

    if (!found->b) {
        printf("  values: none of %zu pairs of values differs by itself\n", found->compared);
        return;
    }
    printf("  values: the first that differs is \"%s\" (%s) of the second graph, \"%s\" of the "
           "first: %s\n",
           found->b->node->name, inlay_op_text(found->b->node->op, op, sizeof op),
           found->a->node->name, found->why);
}

/* --values: on which value the graphs part, on the inputs of the trial that differed. */
static bool tell_values(const struct verify *v, const inlay_graph *a, const inlay_evaluator *first,
                        const inlay_graph *b, const inlay_evaluator *second, inlay_diags *d)
{
    inlay_evaluator placed = {second->eval_node, eval_placed, second->ctx};
    inlay_value_difference found;

    if (!inlay_find_difference(a, first, b, b->has_notes ? &placed : second,
                               (const inlay_tensor *const *)v->o.kept, &v->o.tolerance, &found, d))
        return false;
    print_value(&found);
    return true;
}

static void print_proof(const inlay_symbolic_result *r)
{
    if (!r->proven)
        printf("not proven: %s\n", r->why);
    else if (r->all_sizes && r->sizes == 0)
        printf("proven: the same for all values and all sizes\n");
    else if (r->all_sizes)
        printf("proven: the same for all values, %" PRIu64 " elements, %" PRIu64 " terms\n",
               r->elements, r->terms);
    else
        printf("proven: the same for all values at %d choices of open sizes, %" PRIu64
               " elements, %" PRIu64 " terms; not for other sizes\n",
               r->sizes, r->elements, r->terms);
}

/* --prove: decides for all values. *STATUS is the exit status, or -1 when trials have to look for a
 * difference. */
static bool prove(const struct verify *v, const inlay_graph *a, const inlay_graph *b,
                  const inlay_evaluator *reference, int *status, inlay_symbolic_result *result,
                  inlay_diags *d)
{
    const inlay_symbolic_options o = {.evaluator = *reference, .shapes = v->o.shapes};

    if (!inlay_symbolic_same(a, b, &o, result, d))
        return false;
    print_proof(result);
    *status = result->all_sizes ? INLAY_OK : -1;
    return true;
}

/* Tries, prints what comes out, and returns the exit status. */
static int try_graphs(struct verify *v, const inlay_graph *a, const inlay_evaluator *first,
                      const inlay_graph *b, const inlay_evaluator *second, inlay_diags *d)
{
    enum { POINTS = 1000000 };
    inlay_verify_result result;
    int status = INLAY_INVALID;
    bool done;

    v->o.kept = calloc((size_t)a->n_params + 1, sizeof(inlay_tensor *));
    cli_progress_begin("verify");
    done = v->o.kept ? v->exhaustive
                           ? inlay_verify_exhaustive(a, first, b, second, &v->o, POINTS, &result, d)
                           : inlay_verify(a, first, b, second, &v->o, &result, d)
                     : inlay_fail_memory(d);
    cli_progress_end();
    if (done)
        status = cli_print_verdict(stdout, &result);
    if (done && result.verdict == INLAY_SAME && !v->exhaustive)
        cli_print_untried(stdout, a, &v->o);
    if (done && v->values && result.verdict == INLAY_NOT_SAME && result.counted > 0 &&
        !tell_values(v, a, first, b, second, d))
        status = INLAY_INVALID;
    for (int i = 0; v->o.kept && i < a->n_params; i++)
        inlay_tensor_release(v->o.kept[i]);
    free(v->o.kept);
    v->o.kept = NULL;
    return status;
}

/* The exit status of a proof, if any, and of trials, where it decides nothing or not for all sizes.
 */
static int compare(struct verify *v, const inlay_graph *a, const inlay_graph *b, inlay_diags *d)
{
    inlay_exec_options limits = {.kernels = v->kernels,
                                 .max_memory = v->model.memory,
                                 .max_iterations = v->model.iterations,
                                 .progress = cli_progress_step};
    inlay_evaluator reference = inlay_reference_evaluator(&limits);
    inlay_evaluator second =
        v->mode == INLAY_EXEC_PLANNED ? inlay_planned_evaluator(&limits) : reference;
    inlay_symbolic_result proof = {.all_sizes = true};
    int status = -1;

    if (v->prove && !prove(v, a, b, &reference, &status, &proof, d))
        return INLAY_INVALID;
    if (status < 0)
        status = try_graphs(v, a, &reference, b, &second, d);
    return status == INLAY_OK && !proof.all_sizes ? INLAY_UNDECIDED : status;
}

static int verify_files(struct verify *v, const char *const *files)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *a, *b = NULL;
    inlay_shape *shapes = NULL;
    cli_inputs in = {0};
    int status = INLAY_INVALID;

    if (!d)
        return cli_no_memory();
    v->model.given = &v->given;
    a = cli_read(files[0], &v->model, d);
    if (a)
        b = cli_read_other(files[1], &v->model, d);
    if (b && cli_input_shapes(a, &v->shapes, &shapes, d) &&
        cli_take_inputs(a, &v->given, true, v->model.memory, &in, d)) {
        v->o.shapes = shapes;
        v->o.inputs = in.tensors;
        v->o.fills = in.fills;
        v->o.ranges = in.ranges;
        v->o.max_memory = v->model.memory;
        v->o.progress = cli_progress_trial;
        status = compare(v, a, b, d);
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
        {"--exhaustive", NULL,
         "instead of trials: all elements of integer and boolean inputs where these are few, else "
         "those near the sizes; open sizes 0 to 3",
         .flag = &v.exhaustive},
        {"--values", NULL, "of graphs that differ: name the first value on which they do",
         .flag = &v.values},
        {"--prove", NULL,
         "decide for all values first, as far as operations move elements or compute each by "
         "itself",
         .flag = &v.prove},
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
