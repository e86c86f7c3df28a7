/* `inlay bench MODEL`: measures runs and their steps. Its options are those of OpenVINO's
 * benchmark_app, whose spellings with a single dash are accepted, too. */
#include "cli/bench.h"

#include <stdlib.h>
#include <string.h>

/* Everything one invocation of `inlay bench` holds. */
struct bench {
    const cli_command *self;
    cli_model_options model;
    cli_input_options inputs;
    const char *niter, *time, *hint, *threads, *exec, *kernels, *trace, *compare, *library;
    bool json, no_steps;
    inlay_exec_options exec_options;
    bench_plan plan;
    int report_threads; /* the number of threads that compute at the same time */
    const char *const *names;
};

static bool read_numbers(struct bench *b)
{
    b->plan.seconds = 3;
    if ((b->niter && !cli_number(b->self, "--niter", b->niter, 1, &b->plan.runs)) ||
        (b->time && !cli_real(b->self, "-t", b->time, &b->plan.seconds)) ||
        !cli_threads(b->self, b->threads, &b->exec_options.threads) ||
        !cli_exec_mode(b->self, b->exec, &b->exec_options.mode) ||
        !cli_kernels(b->self, b->kernels, &b->exec_options.kernels))
        return false;
    if (b->exec_options.threads == 0)
        b->exec_options.threads = inlay_processors();
    return cli_settle(b->self, &b->model);
}

/* For throughput there is one session per thread. */
static bool read_hint(struct bench *b)
{
    b->report_threads = b->exec_options.mode == INLAY_EXEC_REFERENCE ? 1 : b->exec_options.threads;
    b->plan.sessions = 1;
    b->hint = b->hint ? b->hint : "latency";
    if (strcmp(b->hint, "latency") == 0)
        return true;
    if (strcmp(b->hint, "throughput") != 0) {
        cli_usage(b->self, "option --hint is \"%s\", it must be latency or throughput", b->hint);
        return false;
    }
    if (b->compare) {
        cli_usage(b->self, "option --compare measures latency");
        return false;
    }
    b->report_threads = b->exec_options.threads;
    b->plan.sessions = (unsigned)b->exec_options.threads;
    b->exec_options.threads = 1;
    return true;
}

static bool read_peer(struct bench *b, const char *model)
{
    const char *dot = strrchr(model, '.');

    if (!b->compare)
        return true;
    if (strcmp(b->compare, "onnxruntime") != 0)
        cli_usage(b->self, "option --compare is \"%s\", it must be onnxruntime", b->compare);
    else if (!dot || strcmp(dot, ".onnx") != 0)
        cli_usage(b->self, "option --compare wants an ONNX file, \"%s\" is none", model);
    else
        return true;
    return false;
}

static bool write_trace(const struct bench *b, const bench_steps *steps, inlay_diags *d)
{
    inlay_files *fs = inlay_files_new(d);
    cli_text text;
    bool ok = fs && cli_text_open(&text, d);

    if (ok) {
        bench_print_trace(text.file, steps);
        ok = cli_text_write(&text, fs, b->trace, true, d) && cli_may_write(d) &&
             inlay_files_commit(fs, d);
    }
    inlay_files_free(fs);
    return ok;
}

/* Does the runs and the profile, and fills in the report R. */
static bool measure(struct bench *b, const inlay_graph *g, const inlay_program *p, bench_peer *peer,
                    bench_report *r, inlay_diags *d)
{
    bench_result result;
    bench_steps steps = {0};
    bool ok =
        bench_runs(p, g->n_results, &b->plan, peer ? bench_peer_turn : NULL, peer, &result, d);

    ok = ok && cli_check_budgets(&b->model, g, b->exec_options.kernels, &result.stats, d);
    if (ok && peer)
        bench_sort(bench_peer_samples(peer));
    if (!b->no_steps || b->trace)
        ok = ok && bench_profile(g, &b->exec_options, b->plan.in, b->plan.seconds / 3, &steps, d);
    cli_progress_end();
    if (ok) {
        r->result = &result;
        r->steps = b->no_steps ? NULL : &steps;
        if (b->json || r->steps) /* nothing else can be compared with it */
            r->copy_gbs = bench_copy_rate();
        (b->json ? bench_print_json : bench_print_text)(stdout, r);
        ok = !b->trace || write_trace(b, &steps, d);
    }
    r->result = NULL;
    r->steps = NULL;
    bench_free_result(&result);
    bench_free_steps(&steps);
    return ok;
}

static bool bench_graph(struct bench *b, inlay_graph *g, const char *file, bench_report *r,
                        inlay_diags *d)
{
    cli_inputs in = {0};
    inlay_program *p = NULL;
    double start;
    bool ok = (b->names = inlay_result_names(g, d)) != NULL &&
              cli_set_shapes(g, &b->inputs.shapes, false, d) &&
              cli_make_inputs(b->self, g, &b->inputs, b->model.memory, &in, d);

    b->plan.in = &in;
    b->plan.threads = b->exec_options.threads;
    if (ok && b->compare)
        ok = (r->peer = bench_peer_new(b->library, file, g, b->names, &in, b->exec_options.threads,
                                       d)) != NULL;
    start = bench_now_us();
    ok = ok && cli_run_passes(g, &b->model, NULL, d);
    r->passes_us = bench_now_us() - start;
    b->exec_options.max_memory = b->model.memory;
    b->exec_options.max_iterations = b->model.iterations;
    b->exec_options.held_memory = in.bytes + inlay_graph_bytes(g);
    start = bench_now_us();
    ok = ok && (p = inlay_compile(g, &b->exec_options, d)) != NULL;
    r->compile_us = bench_now_us() - start;
    ok = ok && cli_check_places(&b->model, d) && measure(b, g, p, r->peer, r, d);
    inlay_program_free(p);
    bench_peer_free(r->peer);
    cli_free_inputs(&in);
    return ok;
}

static int bench_file(struct bench *b, const char *file)
{
    inlay_diags *d = inlay_diags_new();
    bench_report r = {.model = file,
                      .passes = b->model.passes ? b->model.passes : "default",
                      .hint = b->hint,
                      .threads = b->report_threads};
    double start = bench_now_us();
    inlay_graph *g;
    bool ok;

    if (!d)
        return cli_no_memory();
    g = cli_read(file, &b->model, d);
    r.load_us = bench_now_us() - start;
    cli_on_interrupt(NULL, NULL);
    cli_progress_begin("bench");
    ok = g && bench_graph(b, g, file, &r, d);
    cli_progress_end();
    inlay_graph_free(g);
    cli_end_if_interrupted();
    return cli_finish(d, ok ? INLAY_OK : cli_failed(&b->model));
}

/* benchmark_app writes NAME[2,3] where we write NAME=2,3. *ITEM becomes the latter, in *MEMORY,
 * which the caller frees. */
static bool respell_shape(const char **item, char **memory)
{
    const char *open = strchr(*item, '['), *close = open ? strchr(open, ']') : NULL;

    *memory = NULL;
    if (!open || open == *item || !close || close[1] != '\0' || strchr(*item, '='))
        return true;
    *memory = strdup(*item);
    if (!*memory)
        return false;
    (*memory)[open - *item] = '=';
    (*memory)[close - *item] = '\0';
    *item = *memory;
    return true;
}

/* Inputs that are not given get generated values, as in benchmark_app. */
static int run(struct bench *b, const char *file)
{
    cli_list *shapes = &b->inputs.shapes;
    char **memory = calloc((size_t)shapes->n + 1, sizeof *memory);
    int status = memory ? INLAY_OK : cli_no_memory();

    b->inputs.random = true;
    for (int i = 0; memory && i < shapes->n; i++) {
        if (!respell_shape(&shapes->items[i], &memory[i]))
            status = cli_no_memory();
    }
    if (status == INLAY_OK)
        status = bench_file(b, file);
    for (int i = 0; memory && i < shapes->n; i++)
        free(memory[i]);
    free(memory);
    return status;
}

int cmd_bench(const cli_command *self, int argc, char **argv)
{
    struct bench b = {.self = self};
    const cli_option options[] = {
        {"-t", "SECONDS", "measure for SECONDS (3)", .text = &b.time},
        {"--niter", "N", "measure N runs, however long they take", .text = &b.niter},
        {"--hint", "HINT", "latency (default): one run after another; throughput: many at a time",
         .text = &b.hint},
        {"--threads", "N", "use at most N threads; 0 (default): one a processor",
         .text = &b.threads},
        {"--nthreads", "N", "", .text = &b.threads, .hidden = true},
        {"--no-steps", NULL, "leave out the times of single steps", .flag = &b.no_steps},
        {"--trace", "FILE", "write one run, step by step, for Chrome's trace viewer",
         .text = &b.trace},
        {"--compare", "PEER",
         "onnxruntime: measure ONNX Runtime in turn with Inlay on this .onnx file",
         .text = &b.compare},
        {"--onnxruntime", "FILE", "the library of ONNX Runtime, where the loader does not find it",
         .text = &b.library},
        CLI_INPUT_OPTIONS(b.inputs),
        CLI_JSON_OPTION(b.json),
        CLI_EXEC_OPTION(b.exec, "planned"),
        CLI_KERNELS_OPTION(b.kernels),
        CLI_PASS_OPTIONS(b.model),
        CLI_PLACE_OPTIONS(b.model),
        CLI_LIMIT_OPTIONS(b.model),
        CLI_CARRY_OPTION(b.model),
        CLI_READ_OPTIONS(b.model),
        {0}};
    const char *file;
    int n, status = cli_parse(self, options, argc, argv, &file, 1, 1, &n);

    if (status < 0)
        status = read_numbers(&b) && read_hint(&b) && read_peer(&b, file) ? run(&b, file)
                                                                          : INLAY_INVALID;
    cli_list_free(&b.inputs.given);
    cli_list_free(&b.inputs.shapes);
    cli_free_model_options(&b.model);
    return status;
}
