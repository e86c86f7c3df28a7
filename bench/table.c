/* Measurements for the table of limits (table.py) that `inlay bench` does not make. usage:
 *
 *     table ready MODEL             time to read, rewrite and compile it
 *     table session LIBRARY MODEL   time to make ONNX Runtime's session of it, which does the same
 *     table donated MODEL           runs whose first input is donated, and reused as output 0
 *     table held MODEL              memory after a run, relative to the file's size
 *     table shapes                  extra time, per step, of a run with a new shape
 *     table start COMMAND [WORD...] time of a process, from start to end
 */
#include "bench/measure.h"
#include "bench/session.h"
#include "inlay.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MOST = 16, STEPS = 1000, SHAPES = 200 };

extern char **environ;

struct model {
    inlay_diags *d;
    inlay_graph *g;
    inlay_program *p;
    inlay_session *s;
    inlay_tensor *in[MOST], *out[MOST];
};

static void compile(struct model *m)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_pass_options passes = {.evaluator = &e};
    inlay_exec_options exec = {.mode = INLAY_EXEC_PLANNED, .threads = 1};

    if (!m->g || m->g->n_params > MOST || m->g->n_results > MOST ||
        !inlay_run_passes(m->g, &passes, m->d))
        die("graph", m->d);
    m->p = inlay_compile(m->g, &exec, m->d);
    m->s = m->p ? inlay_session_new(m->p, m->d) : NULL;
    if (!m->s)
        die("compile", m->d);
}

static void end(struct model *m)
{
    for (int i = 0; i < MOST; i++) {
        inlay_tensor_release(m->in[i]);
        inlay_tensor_release(m->out[i]);
    }
    inlay_session_free(m->s);
    inlay_program_free(m->p);
    inlay_graph_free(m->g);
    inlay_diags_free(m->d);
}

/* Makes input I, with SIZE for each open size. */
static void make_input(struct model *m, int i, int64_t size)
{
    const inlay_fact *f = &m->g->params[i]->out[0].fact;
    int64_t dims[INLAY_MAX_RANK];

    for (int k = 0; k < f->rank; k++)
        dims[k] = inlay_dim_is_static(f->dims[k]) ? f->dims[k].lo : size;
    inlay_tensor_release(m->in[i]);
    m->in[i] = inlay_tensor_new(f->type, f->rank, dims);
    if (!m->in[i])
        die("memory", NULL);
    if (f->type == INLAY_F32)
        fill(m->in[i]->data, (size_t)inlay_tensor_count(m->in[i]));
}

static bool ready(void *ctx)
{
    struct model m = {.d = inlay_diags_new()};

    m.g = inlay_read_file(ctx, NULL, m.d);
    compile(&m);
    end(&m);
    return true;
}

struct peer {
    ort_library library;
    const char *model;
};

static bool session(void *ctx)
{
    const struct peer *p = ctx;

    ort_release(&p->library, ort_session(&p->library, p->model));
    return true;
}

static bool run(struct model *m, bool donate)
{
    bool donated[MOST] = {donate};

    for (int i = 0; i < MOST; i++) {
        inlay_tensor_release(m->out[i]);
        m->out[i] = NULL;
    }
    if (!inlay_session_run(m->s, (const inlay_tensor *const *)m->in, donated, m->out, m->d))
        die("run", m->d);
    if (donate) {
        inlay_tensor_release(m->in[0]);
        m->in[0] = m->out[0];
        m->out[0] = NULL;
    }
    return true;
}

static bool run_donated(void *ctx)
{
    return run(ctx, true);
}

static bool donated(measurement *what, const char *path)
{
    struct model m = {.d = inlay_diags_new()};
    bool ok;

    m.g = inlay_read_file(path, NULL, m.d);
    compile(&m);
    for (int i = 0; i < m.g->n_params; i++)
        make_input(&m, i, 1);
    what->run = run_donated;
    what->ctx = &m;
    ok = measure(what);
    end(&m);
    return ok;
}

/* The kilobytes after NAME in FILE of /proc/self; only for mappings of PATH, unless that is NULL.
 */
static double kilobytes(const char *file, const char *name, const char *path)
{
    char line[4096];
    bool counts = !path;
    double sum = 0;
    FILE *f = fopen(file, "r");

    if (!f)
        die(file, NULL);
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (path && strchr(line, '/'))
            counts = strlen(line) > strlen(path) &&
                     strcmp(line + strlen(line) - strlen(path), path) == 0;
        else if (counts && strncmp(line, name, strlen(name)) == 0)
            sum += strtod(line + strlen(name), NULL);
    }
    fclose(f);
    return sum;
}

/* The first run packs weights. */
static void held(const char *path)
{
    struct model m = {.d = inlay_diags_new()};
    char *whole = realpath(path, NULL);
    FILE *f = fopen(path, "rb");
    double bytes, pages;

    if (!whole || !f || fseek(f, 0, SEEK_END) != 0)
        die(path, NULL);
    bytes = (double)ftell(f);
    fclose(f);
    m.g = inlay_read_file(path, NULL, m.d);
    compile(&m);
    for (int i = 0; i < m.g->n_params; i++)
        make_input(&m, i, 1);
    run(&m, false);
    pages = kilobytes("/proc/self/status", "RssAnon:", NULL) +
            kilobytes("/proc/self/smaps", "Rss:", whole);
    printf("{\"ratio\": %.3f}\n", pages * 1024 / bytes);
    end(&m);
    free(whole);
}

static double seconds_of_run(struct model *m)
{
    double start = now();

    run(m, false);
    return now() - start;
}

/* A chain of STEPS Adds on a row of open length, one element longer in each run. */
static void shapes(void)
{
    struct model m = {.d = inlay_diags_new()};
    inlay_strbuf t = {0};
    double more[SHAPES], middle;

    inlay_strbuf_printf(&t, "graph \"t\" {\n%%v0 = Parameter {element_type = f32, shape = [?]}\n"
                            "%%one = Const {value = f32[] 1}\n");
    for (int i = 0; i < STEPS; i++)
        inlay_strbuf_printf(&t, "%%v%d = Add(%%v%d, %%one)\n", i + 1, i);
    inlay_strbuf_printf(&t, "%%out = Result(%%v%d)\n}\n", STEPS);
    if (t.failed)
        die("memory", NULL);
    m.g = inlay_read_text("shapes", t.bytes, t.n, NULL, m.d);
    inlay_strbuf_free(&t);
    compile(&m);
    for (int i = 0; i < SHAPES; i++) {
        make_input(&m, 0, i + 1);
        more[i] = seconds_of_run(&m);
        more[i] -= seconds_of_run(&m);
    }
    middle = median(more, SHAPES); /* sorts them, so that more[0] is the smallest */
    printf("{\"median_us\": %.3f, \"min_us\": %.3f, \"runs\": %d}\n", middle * 1e6 / STEPS,
           more[0] * 1e6 / STEPS, SHAPES);
    end(&m);
}

static bool start(void *ctx)
{
    char *const *words = ctx;
    pid_t child;
    int status;

    if (posix_spawn(&child, words[0], NULL, NULL, words, environ) != 0 ||
        waitpid(child, &status, 0) != child || status != 0)
        die(words[0], NULL);
    return true;
}

/* Copies the tensor of the chains once, between buffers that are already mapped. */
static bool copy(void *ctx)
{
    char *const *places = ctx;

    memcpy(places[0], places[1], sizeof(float) * ROWS * COLUMNS);
    __asm__ volatile("" : : "r"(places[0]) : "memory");
    return true;
}

int main(int argc, char **argv)
{
    measurement m = {"inlay", argc > 2 ? argv[2] : "", argc > 1 ? argv[1] : "", NULL, NULL, 0, 0,
                     ""};
    struct peer peer;
    char *places[2];

    if (argc == 2 && strcmp(argv[1], "copy") == 0) {
        m.run = copy;
        m.ctx = places;
        for (int i = 0; i < 2; i++)
            places[i] = touched(sizeof(float) * ROWS * COLUMNS);
        return measure(&m) ? 0 : 1;
    }
    if (argc == 2 && strcmp(argv[1], "shapes") == 0) {
        shapes();
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "held") == 0) {
        held(argv[2]);
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "donated") == 0)
        return donated(&m, argv[2]) ? 0 : 1;
    if (argc == 3 && strcmp(argv[1], "ready") == 0) {
        m.run = ready;
        m.ctx = argv[2];
    } else if (argc == 4 && strcmp(argv[1], "session") == 0) {
        ort_open(&peer.library, argv[2], 1);
        peer.model = argv[3];
        m.run = session;
        m.ctx = &peer;
    } else if (argc > 2 && strcmp(argv[1], "start") == 0) {
        m.run = start;
        m.ctx = argv + 2;
    } else {
        fprintf(stderr, "usage: table ready|session|donated|held|shapes|copy|start ...\n");
        return 2;
    }
    return measure(&m) ? 0 : 1;
}
