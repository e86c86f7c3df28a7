/* Graphs run by the library, for tests/reference/compare_runs.py, which knows what must come out.
 *
 *     run_graphs run               runs the graphs that standard input describes
 *     run_graphs random FIRST N    describes the random graphs of seeds FIRST to FIRST + N - 1
 *     run_graphs onnx FIRST N DIR  writes random graphs as DIR/NAME.onnx, every second one after the passes
 *
 * A description is `graph NAME BYTES`, that many bytes of JSON and a newline; for each run `run N`
 * and N tensors, then `end`. A tensor is a line `TYPE [2,3] HEX`, its bytes in hex.
 *
 * The answer to each is `graph NAME` and either `unreadable MESSAGE` or `shape [?,3]` for each
 * Result; then for each way to run it `way NAME` and for each run `ok` with the tensors of the
 * Results or `error MESSAGE`; then `end`.
 *
 * Of a graph that is written as ONNX it prints `graph NAME`, `truncates` where floats become
 * integers, and either `refused MESSAGE`, `error MESSAGE` of its run, or `in` with a tensor for
 * each input of the file and `out NAME` with one for each output; then `end`. */
#include "generate/generated.h"
#include "interp/session.h"
#include "parser/parser.h"
#include "passes/passes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RUNS = 8, LINE = 1 << 20 };

/* One description. */
struct job {
    char name[64];
    char *json;
    size_t bytes;
    inlay_tensor **in[MAX_RUNS];
    int n_in[MAX_RUNS], runs;
};

/* A way to run a graph. */
struct way {
    const char *name, *passes;
    inlay_exec_mode mode;
    bool donate;
    int64_t tile; /* bytes that are computed at a time; 0: as ever */
};

static const struct way ways[] = {
    {"reference", "none", INLAY_EXEC_REFERENCE, false, 0},
    {"planned", "none", INLAY_EXEC_PLANNED, false, 0},
    {"rewritten", "default", INLAY_EXEC_PLANNED, false, 0},
    {"rewritten, inputs donated", "default", INLAY_EXEC_PLANNED, true, 0},
    {"rewritten, in tiles", "default", INLAY_EXEC_PLANNED, true, 16}};

static _Noreturn void give_up(const char *why)
{
    fprintf(stderr, "run_graphs: %s\n", why);
    exit(2);
}

/* ---- tensors ---- */

static int digit(char c)
{
    return c >= 'a' ? c - 'a' + 10 : c - '0';
}

static inlay_tensor *read_tensor(char *line)
{
    char *shape = strchr(line, '['), *hex = strchr(line, ']');
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor *t;
    inlay_type type;
    uint8_t *data;
    int rank = 0;

    if (!shape || !hex)
        give_up("a tensor is expected");
    shape[-1] = '\0';
    for (char *at = shape + 1; *at != ']'; at += *at == ',')
        dims[rank++] = strtoll(at, &at, 10);
    if (!inlay_type_by_name(line, &type) || !(t = inlay_tensor_new(type, rank, dims)))
        give_up("no such tensor");
    hex += 2;
    data = t->data;
    for (size_t i = 0; i < inlay_tensor_bytes(t); i++)
        data[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    return t;
}

static void print_tensor(const inlay_tensor *t)
{
    inlay_tensor *dense = inlay_tensor_copy(t);
    const uint8_t *data = dense->data;

    printf("%s [", inlay_type_info_of(t->type)->name);
    for (int i = 0; i < t->rank; i++)
        printf("%s%" PRId64, i ? "," : "", t->dims[i]);
    printf("] ");
    for (size_t i = 0; i < inlay_tensor_bytes(dense); i++)
        printf("%02x", data[i]);
    printf("\n");
    inlay_tensor_release(dense);
}

/* ---- running what is described ---- */

static void read_inputs(struct job *job, int n, char *line)
{
    int k = job->runs++;

    if (k == MAX_RUNS)
        give_up("too many runs");
    job->n_in[k] = n;
    job->in[k] = calloc((size_t)n + 1, sizeof *job->in[k]);
    for (int i = 0; i < n; i++) {
        if (!fgets(line, LINE, stdin))
            give_up("a tensor is missing");
        job->in[k][i] = read_tensor(line);
    }
}

static bool read_job(struct job *job, char *line)
{
    int n;

    *job = (struct job){.runs = 0};
    if (!fgets(line, LINE, stdin))
        return false;
    if (sscanf(line, "graph %63s %zu", job->name, &job->bytes) != 2)
        give_up("`graph NAME BYTES` is expected");
    job->json = malloc(job->bytes + 1);
    if (fread(job->json, 1, job->bytes + 1, stdin) != job->bytes + 1)
        give_up("the graph is cut off");
    while (fgets(line, LINE, stdin) && sscanf(line, "run %d", &n) == 1)
        read_inputs(job, n, line);
    return true;
}

static void free_job(struct job *job)
{
    for (int k = 0; k < job->runs; k++) {
        for (int i = 0; i < job->n_in[k]; i++)
            inlay_tensor_release(job->in[k][i]);
        free(job->in[k]);
    }
    free(job->json);
}

static void print_error(const char *what, const inlay_diags *d)
{
    const char *text = inlay_diags_error(d)->text;

    printf("%s %.*s\n", what, (int)strcspn(text, "\n"), text);
}

static void run_once(inlay_session *s, const inlay_graph *g, const struct job *job, int k,
                     bool donate, inlay_diags *d)
{
    inlay_tensor **in = calloc((size_t)g->n_params + 1, sizeof *in);
    inlay_tensor **out = calloc((size_t)g->n_results + 1, sizeof *out);
    bool *donated = calloc((size_t)g->n_params + 1, sizeof *donated);

    for (int i = 0; i < g->n_params; i++) {
        in[i] = inlay_tensor_copy(job->in[k][i]);
        donated[i] = donate;
    }
    inlay_diags_clear(d);
    if (inlay_session_run(s, (const inlay_tensor *const *)in, donated, out, d))
        printf("ok\n");
    else
        print_error("error", d);
    for (int i = 0; i < g->n_results; i++) {
        if (out[i])
            print_tensor(out[i]);
        inlay_tensor_release(out[i]);
    }
    for (int i = 0; i < g->n_params; i++)
        inlay_tensor_release(in[i]);
    free(in);
    free(out);
    free(donated);
}

static void run_way(const inlay_graph *graph, const struct way *way, const struct job *job,
                    inlay_diags *d)
{
    inlay_evaluator evaluator = inlay_reference_evaluator(NULL);
    inlay_pass_options passes = {.passes = way->passes, .evaluator = &evaluator, .check = true};
    inlay_exec_options o = {.mode = way->mode, .max_iterations = 10000, .poison = true};
    inlay_graph *g = inlay_graph_clone(graph, d);
    inlay_program *program = NULL;
    inlay_session *s = NULL;

    printf("way %s\n", way->name);
    if (g && inlay_run_passes(g, &passes, d))
        program = inlay_compile(g, &o, d);
    if (program && way->tile > 0)
        program_tile(program, way->tile);
    if (program)
        s = inlay_session_new(program, d);
    if (!s)
        print_error("broken", d);
    for (int k = 0; s && k < job->runs; k++)
        run_once(s, g, job, k, way->donate, d);
    inlay_session_free(s);
    inlay_program_free(program);
    inlay_graph_free(g);
}

static void run_job(const struct job *job)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_json(job->name, job->json, job->bytes, NULL, d);
    char text[1024];

    printf("graph %s\n", job->name);
    if (!g)
        print_error("unreadable", d);
    for (int i = 0; g && i < g->n_results; i++) {
        const inlay_fact *f = &g->results[i]->in[0].value->fact;

        printf("shape %s\n", inlay_shape_text(f->rank, f->dims, text, sizeof text));
    }
    for (size_t i = 0; g && i < sizeof ways / sizeof ways[0]; i++)
        run_way(g, &ways[i], job, d);
    printf("end\n");
    fflush(stdout); /* what is still to come may end the program */
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static void run_jobs(void)
{
    char *line = malloc(LINE);
    struct job job;

    while (read_job(&job, line)) {
        run_job(&job);
        free_job(&job);
    }
    free(line);
}

/* ---- describing random graphs ---- */

static void describe(const char *kind, uint64_t seed, const generated_graph *g, inlay_diags *d)
{
    inlay_strbuf json = {0};
    inlay_sink sink = {inlay_strbuf_sink, &json};
    rng r = {seed * 31 + 7};

    if (!inlay_write_json(g->graph, NULL, NULL, &sink, NULL, d))
        give_up(inlay_diags_at(d, 0)->text);
    printf("graph %s-%" PRIu64 " %zu\n%.*s\n", kind, seed, json.n, (int)json.n, json.bytes);
    for (int k = 0; k < 2; k++) {
        printf("run %d\n", g->graph->n_params);
        for (int i = 0; i < g->graph->n_params; i++) {
            inlay_tensor *t = generate_input(g, i, &r);

            print_tensor(t);
            inlay_tensor_release(t);
        }
    }
    printf("end\n");
    inlay_strbuf_free(&json);
    inlay_graph_free(g->graph);
}

static void describe_mix(const char *kind, inlay_generate_mix mix, uint64_t seed, inlay_diags *d)
{
    const inlay_generate_options o = {
        .seed = seed, .mix = mix, .variables = mix != INLAY_GENERATE_MOVES};
    generated_graph g;

    if (!generate_graph(&o, &g, d))
        give_up(inlay_diags_at(d, 0)->text);
    describe(kind, seed, &g, d);
}

static void describe_random(uint64_t first, uint64_t n)
{
    inlay_diags *d = inlay_diags_new();

    for (uint64_t seed = first; seed < first + n; seed++) {
        describe_mix("graph", INLAY_GENERATE_WINDOWS, seed, d);
        describe_mix("moves", INLAY_GENERATE_MOVES, seed, d);
        describe_mix("places", INLAY_GENERATE_PLACES, seed, d);
    }
    inlay_diags_free(d);
}

/* ---- writing random graphs as ONNX ---- */

/* Prints what V has: an input (NAME NULL), or the output NAME. */
static void print_end(const char *name, const inlay_tensor *v)
{
    printf(name ? "out %s " : "in ", name);
    print_tensor(v);
}

/* Runs G, whose variables were set by a run before, and prints the inputs and outputs, called
 * NAMES, that its file has. */
static bool print_run(const generated_graph *g, const char *const *names, inlay_session *s, rng *r,
                      bool printed, inlay_diags *d)
{
    const inlay_graph *graph = g->graph;
    inlay_tensor *in[GENERATE_MAX_INPUTS], **out;
    char name[200];
    bool ok;

    out = calloc((size_t)graph->n_results + 1, sizeof *out);
    for (int i = 0; i < graph->n_params; i++) {
        in[i] = generate_input(g, i, r);
        if (printed)
            print_end(NULL, in[i]);
    }
    for (int i = 0; printed && i < graph->n_variables; i++)
        print_end(NULL, inlay_session_variable(s, i));
    ok = names && inlay_session_run(s, (const inlay_tensor *const *)in, NULL, out, d);
    for (int i = 0; ok && printed && i < graph->n_results; i++)
        print_end(names[i], out[i]);
    for (int i = 0; ok && printed && i < graph->n_variables; i++) {
        snprintf(name, sizeof name, "present_%s", graph->variables[i]->name);
        print_end(name, inlay_session_variable(s, i));
    }
    for (int i = 0; i < graph->n_results; i++)
        inlay_tensor_release(out[i]);
    for (int i = 0; i < graph->n_params; i++)
        inlay_tensor_release(in[i]);
    free(out);
    return ok;
}

/* Whether variable I has a value; zeros if it has none yet. */
static bool has_value(inlay_session *s, const inlay_variable *v, int i, inlay_diags *d)
{
    const inlay_fact f = {.type = v->type, .rank = v->rank, .dims = v->dims};
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor *zeros;
    bool ok;

    if (inlay_session_variable(s, i))
        return true;
    if (v->type == INLAY_DYNAMIC || !inlay_fact_dims(&f, dims))
        return inlay_fail(d, NULL, "a variable has no value");
    zeros = inlay_tensor_new(v->type, v->rank, dims);
    ok = inlay_session_set_variable(s, i, zeros, d);
    inlay_tensor_release(zeros);
    return ok;
}

static void print_numbers(const generated_graph *g, const char *const *names, uint64_t seed,
                          inlay_diags *d)
{
    inlay_exec_options o = {.mode = INLAY_EXEC_REFERENCE, .max_iterations = 10000};
    inlay_program *program = inlay_compile(g->graph, &o, d);
    inlay_session *s = program ? inlay_session_new(program, d) : NULL;
    rng r = {seed * 31 + 7};
    bool ok = s && (g->graph->n_variables == 0 || print_run(g, names, s, &r, false, d));

    for (int i = 0; ok && i < g->graph->n_variables; i++)
        ok = has_value(s, g->graph->variables[i], i, d);
    if (!ok || !print_run(g, names, s, &r, true, d))
        print_error("error", d);
    inlay_session_free(s);
    inlay_program_free(program);
}

static bool write_file(const char *folder, const char *name, const inlay_graph *g, inlay_diags *d)
{
    inlay_strbuf bytes = {0};
    inlay_sink sink = {inlay_strbuf_sink, &bytes};
    char path[4096];
    FILE *f;
    bool ok = inlay_write_onnx(g, NULL, NULL, &sink, NULL, d);

    snprintf(path, sizeof path, "%.4000s/%s.onnx", folder, name);
    f = ok ? fopen(path, "wb") : NULL;
    if (ok && (!f || fwrite(bytes.bytes, 1, bytes.n, f) != bytes.n || fclose(f) != 0))
        give_up(path);
    inlay_strbuf_free(&bytes);
    return ok;
}

/* What ONNX leaves open, or ONNX Runtime does otherwise than ONNX says: places in numbers that are
 * not in order, the states after no step, the places of what is not zero in a scalar. NULL: nothing
 * of that. */
static const char *open_question(const inlay_graph *g)
{
    static const char *const types[] = {"Bucketize", "SearchSorted", "LSTM",
                                        "GRU",       "RNN",          "NonZero"};

    for (const inlay_node *n = g->first; n; n = n->next) {
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            if (strcmp(n->op->name, types[i]) == 0 && (i < 5 || n->in[0].value->fact.rank == 0))
                return types[i];
        }
    }
    return NULL;
}

/* Whether floats become whole numbers, which the last bit of a float may decide. */
static bool truncates(const inlay_graph *g)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        if (strcmp(n->op->name, "Floor") == 0 || strcmp(n->op->name, "Ceiling") == 0 ||
            strcmp(n->op->name, "Round") == 0)
            return true;
        if (n->n_in > 0 && n->in[0].value && inlay_type_is_float(n->in[0].value->fact.type) &&
            n->n_out > 0 && inlay_type_is_int(n->out[0].fact.type))
            return true;
        for (int i = 0; i < n->n_bodies; i++) {
            if (truncates(n->bodies[i].graph))
                return true;
        }
    }
    return false;
}

static void write_mix(const char *kind, inlay_generate_mix mix, uint64_t seed, const char *folder)
{
    const inlay_generate_options o = {.seed = seed,
                                      .mix = mix,
                                      .variables = mix != INLAY_GENERATE_MOVES,
                                      .safe = mix != INLAY_GENERATE_ROWS};
    inlay_evaluator evaluator = inlay_reference_evaluator(NULL);
    inlay_pass_options passes = {.passes = seed % 2 ? "default" : "none", .evaluator = &evaluator};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *written = NULL;
    generated_graph g;
    char name[64];

    snprintf(name, sizeof name, "%s-%" PRIu64, kind, seed);
    if (generate_graph(&o, &g, d))
        written = inlay_graph_clone(g.graph, d);
    if (!written || !inlay_run_passes(written, &passes, d))
        give_up(inlay_diags_at(d, 0)->text);
    printf("graph %s\n%s", name, truncates(g.graph) ? "truncates\n" : "");
    if (open_question(g.graph))
        printf("error ONNX leaves open what %s does\n", open_question(g.graph));
    else if (write_file(folder, name, written, d))
        print_numbers(&g, inlay_result_names(written, d), seed, d);
    else
        print_error("refused", d);
    printf("end\n");
    inlay_graph_free(written);
    inlay_graph_free(g.graph);
    inlay_diags_free(d);
}

static void write_random(uint64_t first, uint64_t n, const char *folder)
{
    static const char *const kinds[INLAY_GENERATE_MIXES] = {
        [INLAY_GENERATE_WINDOWS] = "windows", [INLAY_GENERATE_MOVES] = "moves",
        [INLAY_GENERATE_SIZES] = "sizes",     [INLAY_GENERATE_ROWS] = "rows",
        [INLAY_GENERATE_PLACES] = "places",
    };

    for (uint64_t seed = first; seed < first + n; seed++) {
        for (int mix = 0; mix < INLAY_GENERATE_MIXES; mix++)
            write_mix(kinds[mix], (inlay_generate_mix)mix, seed, folder);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "run") == 0)
        run_jobs();
    else if (argc == 4 && strcmp(argv[1], "random") == 0)
        describe_random(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    else if (argc == 5 && strcmp(argv[1], "onnx") == 0)
        write_random(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10), argv[4]);
    else
        give_up("usage: run_graphs run | random FIRST N | onnx FIRST N DIR");
    return 0;
}
