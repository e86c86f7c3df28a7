/* Hashes of what models and random graphs give, for models/digests.txt: the same on every machine,
 * by every compiler, in both executors and with any number of threads.
 *
 *     digests [-t N,N,...] [-n SEEDS] FILE.inlay...
 *
 * prints `NAME HASH` for each file, and a line for the random graphs of each hundred seeds, with how
 * many of them refuse the inputs that are made up for them. Each is run by the reference and by the
 * planned executor on 1 thread and on each N of -t (2, 5, 16), all work split that can be; if two do
 * not agree, that is said and the exit status is 1.
 *
 * A graph that an exception of docs/reproducibility.md is part of is left out: values of f64, the
 * mel scale, the inverse of erf. A hash takes each NaN for the same one. */
#include "cli/cli.h"
#include "generate/generate.h"
#include "interp/interp.h"
#include "interp/session.h"
#include "parser/parser.h"
#include "passes/passes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_INPUTS = 64, MOST_RESULTS = 64, MOST_WAYS = 8, GROUP = 100, MOST_BYTES = 1 << 20 };

/* FNV-1a of 64 bits. */
#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

typedef struct way {
    inlay_exec_mode mode;
    int threads;
} way;

typedef struct settings {
    way ways[MOST_WAYS];
    int n_ways;
    int n_seeds;
} settings;

static _Noreturn void give_up(const char *name, const inlay_diags *d)
{
    fprintf(stderr, "digests: %s: %s\n", name,
            d && inlay_diags_count(d) > 0 ? inlay_diags_at(d, 0)->text : "cannot be run");
    exit(2);
}

/* May G's results differ in their last places from machine to machine? */
static bool is_exception(const inlay_graph *g)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        if (strcmp(n->op->name, "MelWeightMatrix") == 0 || strcmp(n->op->name, "ErfInv") == 0)
            return true;
        for (int i = 0; i < n->n_out; i++) {
            if (n->out[i].fact.type == INLAY_F64)
                return true;
        }
        for (int i = 0; i < n->n_bodies; i++) {
            if (is_exception(n->bodies[i].graph))
                return true;
        }
    }
    return false;
}

/* Returns the hash of what G gives for IN in way W: of its results, or of the fact that it fails. */
static uint64_t run_way(const inlay_graph *g, const char *name, const way *w,
                        inlay_tensor *const *in)
{
    inlay_exec_options o = {.mode = w->mode, .threads = w->threads, .poison = true};
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, &o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    inlay_tensor *out[MOST_RESULTS] = {0};
    uint64_t hash = FNV_BASIS;

    if (!s || g->n_results > MOST_RESULTS)
        give_up(name, d);
    program_split(p, 1);
    if (!inlay_session_run(s, (const inlay_tensor *const *)in, NULL, out, d))
        hash = 0;
    for (int i = 0; i < g->n_results && hash != 0; i++) {
        if (!cli_digest(out[i], &hash, d))
            give_up(name, d);
        inlay_tensor_release(out[i]);
    }
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
    return hash;
}

/* Returns the hash of what G gives for inputs made up from SEED, which is the same in all ways; 0:
 * no inputs fit, or G refuses them. */
static uint64_t run_graph(const settings *s, const inlay_graph *g, const char *name, uint64_t seed)
{
    inlay_make_options o = {.seed = seed};
    inlay_tensor *in[MOST_INPUTS] = {0};
    inlay_diags *d = inlay_diags_new();
    uint64_t hash;

    if (g->n_params > MOST_INPUTS)
        give_up(name, d);
    if (!inlay_make_inputs(g, &o, in, d)) {
        inlay_diags_free(d);
        return 0;
    }
    hash = run_way(g, name, &s->ways[0], in);
    for (int i = 1; i < s->n_ways; i++) {
        if (run_way(g, name, &s->ways[i], in) == hash)
            continue;
        fprintf(stderr, "digests: %s: planned on %d threads, it is not what the reference gives\n",
                name, s->ways[i].threads);
        exit(1);
    }
    for (int i = 0; i < g->n_params; i++)
        inlay_tensor_release(in[i]);
    inlay_diags_free(d);
    return hash;
}

static void run_file(const settings *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    inlay_diags *d = inlay_diags_new();
    FILE *file = fopen(path, "rb");
    char *text = malloc(MOST_BYTES);
    size_t n = file && text ? fread(text, 1, MOST_BYTES, file) : 0;
    inlay_graph *g = n > 0 ? inlay_read_text(path, text, n, NULL, d) : NULL;

    if (!g)
        give_up(path, d);
    if (!is_exception(g))
        printf("%s %016" PRIx64 "\n", slash ? slash + 1 : path, run_graph(s, g, path, 1));
    inlay_graph_free(g);
    inlay_diags_free(d);
    free(text);
    fclose(file);
}

/* Draws the graph of SEED: all mixes in turn, one graph in three with open sizes. NULL: it is an
 * exception. */
static inlay_graph *draw(uint64_t seed)
{
    inlay_generate_options o = {.seed = seed,
                                .mix = (inlay_generate_mix)(seed % INLAY_GENERATE_MIXES)};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_generate(&o, d);

    if (!g)
        give_up("generate", d);
    if (is_exception(g)) {
        inlay_graph_free(g);
        g = NULL;
    }
    inlay_diags_free(d);
    return g;
}

/* A group is of a hundred seeds, so that a graph that the generator draws otherwise one day changes
 * one line. */
static void run_group(const settings *s, uint64_t first)
{
    uint64_t hash = FNV_BASIS;
    int n = 0, refused = 0;

    for (uint64_t seed = first; seed < first + GROUP; seed++) {
        inlay_graph *g = draw(seed);
        char name[40];
        uint64_t one;

        if (!g)
            continue;
        snprintf(name, sizeof name, "graph of seed %" PRIu64, seed);
        one = run_graph(s, g, name, seed);
        n++;
        refused += one == 0;
        hash = (hash ^ one) * FNV_PRIME;
        inlay_graph_free(g);
    }
    printf("seeds %" PRIu64 "-%" PRIu64 ": %d graphs, %d of them refused %016" PRIx64 "\n", first,
           first + GROUP - 1, n, refused, hash);
}

/* Adds a way for each number in TEXT. */
static void add_threads(settings *s, const char *text)
{
    for (s->n_ways = 2; *text && s->n_ways < MOST_WAYS; text += *text == ',') {
        char *end;

        s->ways[s->n_ways++] = (way){INLAY_EXEC_PLANNED, (int)strtol(text, &end, 10)};
        if (end == text)
            give_up("-t", NULL);
        text = end;
    }
}

int main(int argc, char **argv)
{
    settings s = {.ways = {{INLAY_EXEC_REFERENCE, 1}, {INLAY_EXEC_PLANNED, 1}}, .n_seeds = 2800};
    int option;

    add_threads(&s, "2,5,16");
    while ((option = getopt(argc, argv, "t:n:")) != -1) {
        if (option == 't')
            add_threads(&s, optarg);
        else if (option == 'n')
            s.n_seeds = (int)strtol(optarg, NULL, 10);
        else
            return 2;
    }
    for (; optind < argc; optind++)
        run_file(&s, argv[optind]);
    for (int i = 0; i < s.n_seeds; i += GROUP)
        run_group(&s, (uint64_t)i);
    return 0;
}
