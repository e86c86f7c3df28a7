#include "cli/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What --expect says of one output. */
struct wanted {
    int result;
    const char *file;
    inlay_tensor *tensor;
};

/* Everything one invocation of `inlay run` holds. */
struct run {
    const cli_command *self;
    cli_model_options model;
    cli_input_options inputs;
    const char *dir, *exec, *kernels_name, *threads, *stats, *rtol, *atol, *repeat, *test_data;
    const char *seconds;
    cli_list expect, keep, feed;
    cli_feeds feeds;
    struct wanted *wanted; /* one per expect */
    inlay_compare_options tolerance;
    int64_t n_repeat;
    int n_threads;
    inlay_kernels kernels;
    double load_ms;
    uint64_t expected;        /* bytes of the tensors of --expect */
    const char *const *names; /* of the outputs; passes keep them */
    bool made_dir;            /* -o's directory was not there before */
    bool quiet, digest;
    bool by_shape; /* --test-data: elements are drawn at random, types and shapes are right */
    inlay_exec_mode mode;
    suite suite;
    inlay_exec_stats numbers;
};

static bool read_numbers(struct run *r)
{
    const cli_command *self = r->self;

    r->n_threads = 0;
    r->n_repeat = 1;
    /* those of data sets as onnx's own tests have them */
    r->tolerance.rtol = r->test_data ? 1e-3 : 1e-4;
    r->tolerance.atol = r->test_data ? 1e-7 : 1e-5;
    return cli_threads(self, r->threads, &r->n_threads) &&
           cli_kernels(self, r->kernels_name, &r->kernels) &&
           cli_exec_mode(self, r->exec, &r->mode) &&
           cli_count(self, "--seconds", r->seconds, &r->suite.seconds) &&
           (!r->repeat || cli_number(self, "--repeat", r->repeat, 1, &r->n_repeat)) &&
           (!r->rtol || cli_real(self, "--rtol", r->rtol, &r->tolerance.rtol)) &&
           (!r->atol || cli_real(self, "--atol", r->atol, &r->tolerance.atol)) &&
           cli_settle(self, &r->model);
}

static void print_value(const char *name, const inlay_tensor *t)
{
    cli_say(stdout, "%s: ", name);
    cli_print_type(stdout, t->type, t->rank, t->dims);
    printf("\n");
    cli_print_tensor(stdout, t, 2);
}

static void list_results(const struct run *r, const inlay_graph *g, const char *name, size_t len,
                         inlay_diags *d)
{
    char list[400] = "";

    for (int i = 0; i < g->n_results; i++) {
        size_t used = strlen(list);

        snprintf(list + used, sizeof list - used, "%s\"%s\"", i ? ", " : "", r->names[i]);
    }
    inlay_fail(d, NULL, "there is no output \"%.*s\"; the model has %s", cli_quoted(len), name,
               g->n_results ? list : "none");
}

/* Splits TEXT, NAME=FILE, at the longest NAME that is an output's. Returns the output's index, or
 * -1 after an error. */
static int split_expect(const struct run *r, const inlay_graph *g, const char *text,
                        const char **file, inlay_diags *d)
{
    const char *first = strchr(text, '=');

    for (const char *p = strrchr(text, '='); p && p > text; p--) {
        int i = *p == '=' ? inlay_graph_find_output(g, r->names, text, (size_t)(p - text)) : -1;

        *file = p + 1;
        if (i >= 0)
            return i;
    }
    if (first)
        list_results(r, g, text, (size_t)(first - text), d);
    else
        inlay_fail(d, NULL, "--expect %s: NAME=FILE.npy is expected", text);
    return -1;
}

/* Reads the files of --expect before anything runs, so that a wrong name is reported at once. */
static bool read_expected(struct run *r, const inlay_graph *g, inlay_diags *d)
{
    r->wanted = calloc((size_t)r->expect.n + 1, sizeof *r->wanted);
    if (!r->wanted)
        return inlay_fail_memory(d);
    for (int k = 0; k < r->expect.n; k++) {
        struct wanted *w = &r->wanted[k];
        const inlay_fact *f;

        w->result = split_expect(r, g, r->expect.items[k], &w->file, d);
        f = w->result < 0 ? NULL : &g->results[w->result]->in[0].value->fact;
        w->tensor = f ? inlay_read_value(w->file, f->type, f->rank, r->model.budget, d) : NULL;
        if (!w->tensor)
            return false;
        r->expected += inlay_tensor_bytes(w->tensor);
    }
    return true;
}

static void free_expected(struct run *r)
{
    for (int k = 0; r->wanted && k < r->expect.n; k++)
        inlay_tensor_release(r->wanted[k].tensor);
    free(r->wanted);
}

/* Compares the outputs with those of --expect. Returns the exit status, 0 or 1, and reports
 * differences on standard error, and how near the other outputs are. */
static int check_expected(const struct run *r, inlay_tensor *const *out)
{
    int status = INLAY_OK;
    char why[512];

    for (int k = 0; k < r->expect.n; k++) {
        const struct wanted *w = &r->wanted[k];
        const char *text = r->expect.items[k];

        if (inlay_compare_tensors(w->tensor, out[w->result], &r->tolerance, why, sizeof why)) {
            if (!r->quiet)
                cli_say(stdout, "%.*s agrees with %s: %s\n", (int)(w->file - text - 1), text,
                        w->file, why);
            continue;
        }
        cli_say(stderr, "inlay: output \"%.*s\" differs from %s: %s\n", (int)(w->file - text - 1),
                text, w->file, why);
        status = INLAY_DIFFERENT;
    }
    return status;
}

/* Prints the part of an entry of outputs.json that outputs and kept values have in common. */
static void index_entry(FILE *f, const inlay_tensor *t, const char *name, const char *file)
{
    fprintf(f, "\"name\": ");
    cli_json_string(f, name);
    fprintf(f, ", \"type\": \"%s\", \"shape\": [", inlay_type_info_of(t->type)->name);
    for (int k = 0; k < t->rank; k++)
        fprintf(f, "%s%lld", k ? ", " : "", (long long)t->dims[k]);
    fprintf(f, "], \"file\": ");
    cli_json_string(f, file);
    fprintf(f, "}");
}

static bool make_directory(struct run *r, inlay_diags *d)
{
    if (mkdir(r->dir, 0777) == 0)
        r->made_dir = true;
    else if (errno != EEXIST)
        return inlay_fail_resource(d, &(inlay_pos){r->dir, 0}, "the directory cannot be made: %s",
                                   strerror(errno));
    return true;
}

/* Whether the file name of value I of --keep is that of an earlier one. */
static bool is_taken(const struct run *r, int i)
{
    char own[128], other[128];
    bool taken = false;

    cli_file_name(r->keep.items[i], own, sizeof own);
    for (int k = 0; k < i && !taken; k++) {
        cli_file_name(r->keep.items[k], other, sizeof other);
        taken = strcmp(own, other) == 0;
    }
    return taken;
}

/* Names the file of value I of --keep. A name that is a number gets the prefix "keep-", since 0.npy
 * is an output, and one that is taken gets "keep-I-". */
static void name_kept(const struct run *r, int i, char *name, size_t size)
{
    const char *value = r->keep.items[i];

    if (is_taken(r, i))
        snprintf(name, size, "keep-%d-%s", i, value);
    else
        snprintf(name, size, "%s%s", value[strspn(value, "0123456789")] ? "" : "keep-", value);
}

/* Writes the values of --keep to the folder of -o. */
static bool write_kept(const struct run *r, const inlay_session *s, FILE *f, bool first,
                       inlay_files *fs, inlay_diags *d)
{
    for (int i = 0; i < r->keep.n; i++) {
        const inlay_tensor *t = inlay_session_kept(s, i);
        char name[128], file[128];

        if (!t)
            continue;
        name_kept(r, i, name, sizeof name);
        if (!cli_write_tensor(t, fs, r->dir, name, file, sizeof file, d))
            return false;
        fprintf(f, "%s\n  {\"kept\": true, ", first ? "" : ",");
        index_entry(f, t, r->keep.items[i], file);
        first = false;
    }
    return true;
}

static bool write_index(const struct run *r, const inlay_graph *g, const inlay_session *s,
                        inlay_tensor *const *out, FILE *f, inlay_files *fs, inlay_diags *d)
{
    fprintf(f, "[");
    for (int i = 0; i < g->n_results; i++) {
        char number[16], file[128];

        snprintf(number, sizeof number, "%d", i);
        if (!cli_write_tensor(out[i], fs, r->dir, number, file, sizeof file, d))
            return false;
        fprintf(f, "%s\n  {\"index\": %d, ", i ? "," : "", i);
        index_entry(f, out[i], r->names[i], file);
    }
    if (!write_kept(r, s, f, g->n_results == 0, fs, d))
        return false;
    fprintf(f, "\n]\n");
    return true;
}

/* Writes DIR/<index>.npy for each output, the files of kept values, and DIR/outputs.json. */
static bool write_outputs(const struct run *r, const inlay_graph *g, const inlay_session *s,
                          inlay_tensor *const *out, inlay_files *fs, inlay_diags *d)
{
    char path[4096];
    cli_text index;
    bool ok;

    if (snprintf(path, sizeof path, "%s/outputs.json", r->dir) >= (int)sizeof path)
        return inlay_fail(d, &(inlay_pos){r->dir, 0}, "the path is too long");
    ok = cli_text_open(&index, d) && write_index(r, g, s, out, index.file, fs, d);
    return cli_text_write(&index, fs, path, ok, d);
}

static void print_stats(const struct run *r, FILE *f)
{
    const inlay_exec_stats *s = &r->numbers;

    fprintf(f,
            "{\"nodes\": %llu, \"steps\": %llu, \"arena_bytes\": %llu, \"peak_bytes\": %llu, "
            "\"copied_bytes\": %llu, \"in_place_writes\": %llu, \"load_ms\": %.3f, "
            "\"compile_ms\": %.3f, \"run_ms\": %.3f}\n",
            (unsigned long long)s->nodes, (unsigned long long)s->steps,
            (unsigned long long)s->arena_bytes, (unsigned long long)s->peak_bytes,
            (unsigned long long)s->copied_bytes, (unsigned long long)s->in_place_writes, r->load_ms,
            s->compile_ms, s->run_ms);
}

static bool write_stats(const struct run *r, inlay_files *fs, inlay_diags *d)
{
    cli_text text;

    if (strcmp(r->stats, "-") == 0) {
        print_stats(r, stdout);
        return true;
    }
    if (!cli_text_open(&text, d))
        return false;
    print_stats(r, text.file);
    return cli_text_write(&text, fs, r->stats, true, d);
}

/* Moves the new files into the folder and removes those of an earlier run. */
static bool place(const struct run *r, inlay_files *fs, inlay_diags *d)
{
    char *before = r->dir ? cli_read_index(r->dir) : NULL;
    bool ok = inlay_files_commit(fs, d);

    if (ok && before)
        cli_remove_earlier(r->dir, before);
    free(before);
    return ok;
}

/* Writes everything that -o and --stats ask for, or nothing. */
static bool write_all(const struct run *r, const inlay_graph *g, const inlay_session *s,
                      inlay_tensor *const *out, inlay_diags *d)
{
    inlay_files *fs = inlay_files_new(d);
    bool ok = fs != NULL;

    if (r->dir)
        ok = ok && write_outputs(r, g, s, out, fs, d);
    if (r->stats)
        ok = ok && write_stats(r, fs, d);
    ok = ok && cli_may_write(d) && place(r, fs, d);
    inlay_files_free(fs);
    return ok;
}

static void print_outputs(const struct run *r, const inlay_graph *g, const inlay_session *s,
                          inlay_tensor *const *out)
{
    for (int i = 0; !r->quiet && i < g->n_results; i++)
        print_value(r->names[i], out[i]);
    for (int i = 0; !r->quiet && i < r->keep.n; i++) {
        const inlay_tensor *t = inlay_session_kept(s, i);

        if (!t) {
            cli_say(stdout, "%s: not computed\n", r->keep.items[i]);
            continue;
        }
        print_value(r->keep.items[i], t);
    }
}

/* --digest: a hash of each output, and one of all of them in turn. */
static bool print_digests(const struct run *r, const inlay_graph *g, inlay_tensor *const *out,
                          inlay_diags *d)
{
    uint64_t all = CLI_DIGEST_OF_NOTHING;

    for (int i = 0; i < g->n_results; i++) {
        uint64_t own = CLI_DIGEST_OF_NOTHING;

        if (!cli_digest(out[i], &own, d) || !cli_digest(out[i], &all, d))
            return false;
        if (!r->quiet) {
            cli_say(stdout, "%016llx  %s: ", (unsigned long long)own, r->names[i]);
            cli_print_type(stdout, out[i]->type, out[i]->rank, out[i]->dims);
            printf("\n");
        }
    }
    printf("%016llx  all outputs\n", (unsigned long long)all);
    return true;
}

/* Prints, compares or writes the outputs of the last run. */
static int use_outputs(struct run *r, const inlay_graph *g, const inlay_session *s,
                       inlay_tensor *const *out, inlay_diags *d)
{
    if (!r->digest)
        print_outputs(r, g, s, out);
    else if (!print_digests(r, g, out, d))
        return INLAY_NO_RESOURCE;
    return write_all(r, g, s, out, d) ? check_expected(r, out) : INLAY_NO_RESOURCE;
}

static void release_outputs(const inlay_graph *g, inlay_tensor **out)
{
    for (int i = 0; i < g->n_results; i++)
        inlay_tensor_release(out[i]);
}

/* --repeat: OUT holds the outputs of the last run. With --feed each run's outputs are shown. */
static bool run_often(struct run *r, const inlay_graph *g, inlay_session *s, cli_inputs *in,
                      inlay_tensor **out, inlay_diags *d)
{
    for (int64_t k = 0; k < r->n_repeat; k++) {
        if (k > 0 && r->feeds.n > 0) {
            print_outputs(r, g, s, out);
            cli_feed_inputs(&r->feeds, out, in);
        }
        release_outputs(g, out);
        /* a donated buffer can be used once: inputs that are not fed back are donated in the last
         * run only */
        if (!inlay_session_run(s, (const inlay_tensor *const *)in->tensors,
                               k + 1 == r->n_repeat ? in->donated : r->feeds.fed, out, d))
            return false;
    }
    return true;
}

static int run_session(struct run *r, const inlay_graph *g, inlay_session *s, cli_inputs *in,
                       inlay_diags *d)
{
    inlay_tensor **out = calloc((size_t)g->n_results + 1, sizeof *out);
    int status = INLAY_NO_RESOURCE;
    bool ok = out && run_often(r, g, s, in, out, d);

    cli_progress_end();
    if (ok) {
        inlay_session_stats(s, &r->numbers);
        cli_log(
            "compiled in %.2f ms, run in %.2f ms: %llu steps, %llu bytes at the peak, %llu copied",
            r->numbers.compile_ms, r->numbers.run_ms, (unsigned long long)r->numbers.steps,
            (unsigned long long)r->numbers.peak_bytes, (unsigned long long)r->numbers.copied_bytes);
        status = cli_check_budgets(&r->model, g, r->kernels, &r->numbers, d)
                     ? use_outputs(r, g, s, out, d)
                     : cli_failed(&r->model);
        release_outputs(g, out);
    }
    if (!out)
        inlay_fail_memory(d);
    free(out);
    return status;
}

static inlay_exec_options exec_options(const struct run *r, inlay_exec_mode mode)
{
    return (inlay_exec_options){.mode = mode,
                                .kernels = r->kernels,
                                .max_memory = r->model.memory,
                                .max_iterations = r->model.iterations,
                                .threads = r->n_threads};
}

static int run_graph(struct run *r, inlay_graph *g, inlay_exec_mode mode, inlay_diags *d)
{
    inlay_exec_options options = exec_options(r, mode);
    cli_inputs in = {0};
    inlay_program *p = NULL;
    inlay_session *s = NULL;
    int status;

    options.keep = r->keep.items;
    options.n_keep = r->keep.n;
    options.progress = cli_progress_step;
    cli_progress_begin("run");
    if ((r->names = inlay_result_names(g, d)) && read_expected(r, g, d) &&
        cli_read_feeds(g, r->names, &r->feed, &r->feeds, d) && (!r->dir || make_directory(r, d)) &&
        cli_make_inputs(r->self, g, &r->inputs, cli_memory_left(r->model.memory, r->expected), &in,
                        d) &&
        cli_run_passes(g, &r->model, NULL, d)) {
        options.held_memory = r->expected + in.bytes + inlay_graph_bytes(g);
        p = inlay_compile(g, &options, d);
        s = p && cli_check_places(&r->model, d) ? inlay_session_new(p, d) : NULL;
    }
    status = s ? run_session(r, g, s, &in, d) : cli_failed(&r->model);
    cli_progress_end();
    inlay_session_free(s);
    inlay_program_free(p);
    cli_free_inputs(&in);
    free_expected(r);
    cli_free_feeds(&r->feeds);
    if (r->made_dir) /* nothing was written to it */
        rmdir(r->dir);
    return status;
}

/* In a suite, where the operators of the model are not known yet. */
static void tell_operators(const struct run *r, const inlay_graph *g)
{
    inlay_strbuf lines = {0};

    if (!r->suite.told)
        return;
    suite_graph_operators(g, &lines);
    fputs(lines.bytes ? lines.bytes : "", r->suite.told);
    fflush(r->suite.told);
    inlay_strbuf_free(&lines);
}

/* Runs the sets in the folder of --test-data, whose inputs replace those of -i. */
static int run_test_data(struct run *r, inlay_graph *g, inlay_exec_mode mode, inlay_diags *d)
{
    const inlay_exec_options options = exec_options(r, mode);
    const cli_data_run run = {.tolerance = &r->tolerance,
                              .budget = r->model.budget,
                              .quiet = r->quiet,
                              .drawn = cli_draws(g),
                              .by_shape = &r->by_shape};
    bool ok;

    tell_operators(r, g);
    ok = (r->names = inlay_result_names(g, d)) && cli_run_passes(g, &r->model, NULL, d) &&
         cli_check_places(&r->model, d) && cli_check_budgets(&r->model, g, r->kernels, NULL, d);
    return ok ? cli_run_test_data(g, &options, r->names, r->test_data, &run, d)
              : cli_failed(&r->model);
}

static int run_file(struct run *r, const char *file, inlay_exec_mode mode)
{
    inlay_diags *d = inlay_diags_new();
    double start = cli_now_ms();
    inlay_graph *g;
    int status = INLAY_INVALID;

    if (!d)
        return cli_no_memory();
    r->model.given = &r->inputs.given;
    g = cli_read(file, &r->model, d);
    r->load_ms = cli_now_ms() - start;
    if (g)
        status = r->test_data ? run_test_data(r, g, mode, d) : run_graph(r, g, mode, d);
    inlay_graph_free(g);
    return cli_finish(d, status);
}

/* Whether a model draws elements; not if it cannot be read here. */
static bool model_draws(const struct run *r, const char *path)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = d ? cli_read(path, &r->model, d) : NULL;
    bool drawn = g && cli_draws(g);

    inlay_graph_free(g);
    inlay_diags_free(d);
    return drawn;
}

/* Tests of ONNX whose results are less exact than those of the others: what ONNX's own backend
 * (onnx/test/test_backend_reference.py) allows for them. */
static const struct stated {
    const char *test;
    inlay_compare_options tolerance;
} stated[] = {
    {"test_adam_multiple", {.rtol = 1e-3, .atol = 1e-2}},
    {"test_celu_bfloat16_expanded", {.rtol = 1e-2, .atol = 1e-2}},
    {"test_dft", {.rtol = 1e-3, .atol = 1e-6}},
    {"test_dft_axis", {.rtol = 1e-3, .atol = 1e-6}},
    {"test_dft_axis_opset19", {.rtol = 1e-3, .atol = 1e-6}},
    {"test_dft_inverse", {.rtol = 1e-3, .atol = 1e-6}},
    {"test_dft_inverse_opset19", {.rtol = 1e-3, .atol = 1e-6}},
    {"test_dft_opset19", {.rtol = 1e-3, .atol = 1e-6}},
};

/* Allows what is stated for T, unless the user says what to allow. */
static void allow_stated(struct run *r, const suite_test *t)
{
    const char *slash = strrchr(t->name, '/'), *name = slash ? slash + 1 : t->name;

    for (size_t i = 0; !r->rtol && !r->atol && i < sizeof stated / sizeof *stated; i++) {
        if (strcmp(stated[i].test, name) == 0)
            r->tolerance = r->suite.tolerance = stated[i].tolerance;
    }
}

/* Runs or asks about one test of a suite, in a process of its own. */
static int judge(void *ctx, const suite_test *t, const char *way)
{
    struct run *r = ctx;
    int status;

    r->test_data = t->folder;
    allow_stated(r, t);
    if (r->suite.oracle)
        return suite_ask_oracle(&r->suite, t, model_draws(r, t->model));
    status = run_file(r, t->model,
                      strcmp(way, "reference") == 0 ? INLAY_EXEC_REFERENCE : INLAY_EXEC_PLANNED);
    return status == INLAY_OK && r->by_shape ? SUITE_BY_SHAPE : status;
}

static int run_suite(struct run *r)
{
    suite *s = &r->suite;

    s->folder = r->test_data;
    s->quiet = r->quiet;
    s->budget = r->model.budget;
    s->tolerance = r->tolerance;
    s->judge = judge;
    s->ctx = r;
    r->quiet = true;
    if (s->oracle)
        s->ways[s->n_ways++] = "oracle";
    if (!s->oracle && (!r->exec || r->mode == INLAY_EXEC_PLANNED))
        s->ways[s->n_ways++] = "planned";
    if (!s->oracle && (!r->exec || r->mode == INLAY_EXEC_REFERENCE))
        s->ways[s->n_ways++] = "reference";
    return suite_run_all(s);
}

/* With FILE NULL the folder of --test-data is a suite. */
static int run_model(struct run *r, const char *file)
{
    if (!file && !r->test_data)
        return cli_usage(r->self, "MODEL is missing");
    if (file && (r->suite.filter || r->suite.oracle || r->suite.junit || r->suite.json))
        return cli_usage(r->self, "--filter, --oracle, --json and --junit are for --test-data "
                                  "without a MODEL");
    return file ? run_file(r, file, r->mode) : run_suite(r);
}

int cmd_run(const cli_command *self, int argc, char **argv)
{
    struct run r = {.self = self, .suite.seconds = 60};
    const cli_option options[] = {
        CLI_INPUT_OPTIONS(r.inputs),
        {"-o", "DIR",
         "write output K to DIR/K.npy, and a list of them to DIR/outputs.json; what an earlier run "
         "wrote there is removed",
         .text = &r.dir},
        {"--expect", "NAME=FILE", "compare an output with FILE.npy; exit with 1 where it differs",
         .list = &r.expect},
        {"--test-data", "DIR",
         "run on the inputs in the folders DIR/test_data_set_*, as ONNX lays them out (input_0.pb, "
         "output_0.pb), and compare the outputs. Without MODEL: every test in DIR, a folder with a "
         "model and its data sets, in both executors",
         .text = &r.test_data},
        SUITE_OPTIONS(r.suite, r.seconds),
        CLI_RTOL_OPTION(r.rtol, "1e-4; of data sets 1e-3"),
        CLI_ATOL_OPTION(r.atol, "1e-5; of data sets 1e-7"),
        {"--keep", "VALUE", "print this intermediate value, too, and write it where -o does",
         .list = &r.keep},
        {"--repeat", "N", "run N times; variables keep their values from run to run",
         .text = &r.repeat},
        {"--feed", "OUTPUT=INPUT",
         "with --repeat: hand OUTPUT of a run to INPUT of the next, and print every run",
         .list = &r.feed},
        CLI_EXEC_OPTION(r.exec, "planned"),
        CLI_KERNELS_OPTION(r.kernels_name),
        CLI_PASS_OPTIONS(r.model),
        {"--threads", "N", "use at most N threads; 0 (default): one a processor",
         .text = &r.threads},
        {"--quiet", NULL, "print no values, and nothing about outputs that agree",
         .flag = &r.quiet},
        {"--digest", NULL,
         "print a hash of each output and of all, instead of the values: FNV-1a of 64 bits over "
         "type, shape and elements",
         .flag = &r.digest},
        {"--stats", "FILE.json", "write counts and times as JSON; - is standard output",
         .text = &r.stats},
        CLI_PLACE_OPTIONS(r.model),
        CLI_LIMIT_OPTIONS(r.model),
        CLI_CARRY_OPTION(r.model),
        CLI_READ_OPTIONS(r.model),
        {0}};
    const char *file;
    int n, status = cli_parse(self, options, argc, argv, &file, 0, 1, &n);

    if (status < 0)
        status = read_numbers(&r) ? run_model(&r, n > 0 ? file : NULL) : INLAY_INVALID;
    cli_list_free(&r.inputs.given);
    cli_list_free(&r.inputs.shapes);
    cli_list_free(&r.expect);
    cli_list_free(&r.keep);
    cli_list_free(&r.feed);
    cli_free_model_options(&r.model);
    return status;
}
