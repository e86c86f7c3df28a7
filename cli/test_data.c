/* `inlay run --test-data DIR`: the folders test_data_set_0, test_data_set_1, ... of DIR, in the
 * layout of ONNX's tests: input_<i>.pb for each input of the model, output_<i>.pb for each output.
 * Either may be a .npy instead. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes the path of tensor I of WHAT in a set, a .npy if it is there, or else a .pb. False: it is
 * too long. */
static bool path_of(const char *set, const char *what, int i, char *path, size_t size)
{
    static const char *const endings[] = {"npy", "pb"};
    bool fits = true;

    for (int k = 0; fits && k < 2; k++) {
        fits = snprintf(path, size, "%s/%s_%d.%s", set, what, i, endings[k]) < (int)size;
        if (access(path, F_OK) == 0)
            break;
    }
    return fits;
}

/* Reads value I of the outputs or inputs of G, where it is known what they are. */
static inlay_tensor *read_value(const inlay_graph *g, bool is_output, int i, const char *path,
                                inlay_budget *budget, inlay_diags *d)
{
    const inlay_fact *f = !g          ? NULL
                          : is_output ? &g->results[i]->in[0].value->fact
                                      : &g->params[i]->out[0].fact;

    return f ? inlay_read_value(path, f->type, f->rank, budget, d)
             : inlay_read_tensor(path, budget, d);
}

inlay_tensor **cli_read_set(const inlay_graph *g, const char *set, const char *what, int n,
                            inlay_budget *budget, uint64_t *held, inlay_diags *d)
{
    inlay_tensor **t = calloc((size_t)n + 1, sizeof *t);
    char path[4096];

    for (int i = 0; t && i < n; i++) {
        if (!path_of(set, what, i, path, sizeof path))
            inlay_fail(d, &(inlay_pos){set, 0}, "the path is too long");
        else
            t[i] = read_value(g, strcmp(what, "output") == 0, i, path, budget, d);
        if (t[i]) {
            *held += inlay_tensor_bytes(t[i]);
            continue;
        }
        while (i > 0)
            inlay_tensor_release(t[--i]);
        free(t);
        return NULL;
    }
    if (!t)
        inlay_fail_memory(d);
    return t;
}

static void free_set(inlay_tensor **t, int n)
{
    for (int i = 0; t && i < n; i++)
        inlay_tensor_release(t[i]);
    free(t);
}

struct set {
    const cli_data_run *run;
    const char *dir;
    char folder[4096]; /* of set NUMBER */
    int number, n_in, n_out;
    bool by_shape;
};

/* Where elements are drawn at random another program draws others. */
static bool agrees_by_shape(struct set *s, const inlay_tensor *wanted, const inlay_tensor *got,
                            char *why, size_t size)
{
    bool same = s->run->drawn && wanted->type == got->type && wanted->rank == got->rank &&
                memcmp(wanted->dims, got->dims, (size_t)got->rank * sizeof *got->dims) == 0;

    if (same) {
        s->by_shape = true;
        snprintf(why, size, "in type and shape, its elements are drawn at random");
    }
    return same;
}

/* ONNX before 1.13 wrote numbers of bf16 as the u16 of the same bits: makes those of *T such
 * numbers, if *T has u16 and TYPE is bf16. */
static bool as_written_then(inlay_tensor **t, inlay_type type, inlay_diags *d)
{
    inlay_tensor *same;

    if ((*t)->type != INLAY_U16 || type != INLAY_BF16 || !inlay_tensor_is_dense(*t))
        return true;
    same = inlay_tensor_new(type, (*t)->rank, (*t)->dims);
    if (!same)
        return inlay_fail_memory(d);
    memcpy(same->data, (const char *)(*t)->data + (*t)->offset, inlay_tensor_bytes(same));
    inlay_tensor_release(*t);
    *t = same;
    return true;
}

static bool inputs_as_written(const struct set *s, inlay_tensor **in, inlay_diags *d)
{
    bool ok = true;

    for (int i = 0; ok && s->run->g && i < s->n_in; i++)
        ok = as_written_then(&in[i], s->run->g->params[i]->out[0].fact.type, d);
    return ok;
}

static void output_name(const struct set *s, int i, char *name, size_t size)
{
    if (s->run->names)
        snprintf(name, size, "%s", s->run->names[i]);
    else
        snprintf(name, size, "#%d", i);
}

static int compare_set(struct set *s, inlay_tensor *const *wanted, inlay_tensor *const *got)
{
    int status = INLAY_OK;
    char why[512], name[256], path[4096];

    for (int i = 0; i < s->n_out; i++) {
        bool same = inlay_compare_tensors(wanted[i], got[i], s->run->tolerance, why, sizeof why) ||
                    agrees_by_shape(s, wanted[i], got[i], why, sizeof why);

        output_name(s, i, name, sizeof name);
        path_of(s->folder, "output", i, path, sizeof path);
        if (!same)
            cli_say(stderr, "inlay: output \"%s\" differs from %s: %s\n", name,
                    path + strlen(s->dir) + 1, why);
        else if (!s->run->quiet)
            cli_say(stdout, "%s agrees with %s: %s\n", name, path + strlen(s->dir) + 1, why);
        if (!same)
            status = INLAY_DIFFERENT;
    }
    return status;
}

static int run_set(struct set *s, inlay_diags *d)
{
    inlay_budget *budget = s->run->budget;
    uint64_t held = s->run->held;
    inlay_tensor **in = cli_read_set(s->run->g, s->folder, "input", s->n_in, budget, &held, d);
    inlay_tensor **wanted =
        in ? cli_read_set(s->run->g, s->folder, "output", s->n_out, budget, &held, d) : NULL;
    inlay_tensor **got = wanted ? calloc((size_t)s->n_out + 1, sizeof *got) : NULL;
    int status = INLAY_INVALID;

    if (wanted && !got)
        inlay_fail_memory(d);
    if (got && inputs_as_written(s, in, d)) {
        status = s->run->run(s->run->ctx, in, s->n_in, held, got, s->n_out, d);
        for (int i = 0; status == INLAY_OK && i < s->n_out; i++)
            status = as_written_then(&wanted[i], got[i]->type, d) ? INLAY_OK : INLAY_NO_RESOURCE;
        if (status == INLAY_OK)
            status = compare_set(s, wanted, got);
    }
    free_set(in, s->n_in);
    free_set(wanted, s->n_out);
    free_set(got, s->n_out);
    return status;
}

static bool is_there(struct set *s)
{
    return snprintf(s->folder, sizeof s->folder, "%s/test_data_set_%d", s->dir, s->number) <
               (int)sizeof s->folder &&
           access(s->folder, F_OK) == 0;
}

/* How many tensors of WHAT the set has. */
static int count_in(const struct set *s, const char *what)
{
    char path[4096];
    int n = 0;

    while (path_of(s->folder, what, n, path, sizeof path) && access(path, F_OK) == 0)
        n++;
    return n;
}

int cli_run_data_sets(const cli_data_run *run, const char *dir, inlay_diags *d)
{
    struct set s = {.run = run, .dir = dir};
    int status = INLAY_OK;

    if (!is_there(&s)) {
        inlay_fail(d, &(inlay_pos){dir, 0}, "has no folder test_data_set_0");
        return INLAY_INVALID;
    }
    for (; is_there(&s) && (status == INLAY_OK || status == INLAY_DIFFERENT); s.number++) {
        int one;

        s.n_in = run->n_in < 0 ? count_in(&s, "input") : run->n_in;
        s.n_out = run->n_out < 0 ? count_in(&s, "output") : run->n_out;
        one = run_set(&s, d);
        status = one > status ? one : status;
    }
    *run->by_shape = s.by_shape;
    return status;
}

/* ---- a model of ours ---- */

bool cli_draws(const inlay_graph *g)
{
    bool found = false;

    for (const inlay_node *n = g->first; n && !found; n = n->next) {
        found = inlay_node_attr(n, "op_seed") != NULL;
        for (int i = 0; i < n->n_bodies && !found; i++)
            found = cli_draws(n->bodies[i].graph);
    }
    return found;
}

struct model {
    const inlay_graph *g;
    const inlay_exec_options *o;
};

static int run_model(void *ctx, inlay_tensor *const *in, int n_in, uint64_t held,
                     inlay_tensor **out, int n_out, inlay_diags *d)
{
    const struct model *m = ctx;
    inlay_exec_options o = *m->o;
    inlay_program *p;
    inlay_session *session;
    bool ok;

    (void)n_in, (void)n_out;
    o.held_memory = held;
    p = inlay_compile(m->g, &o, d);
    session = p ? inlay_session_new(p, d) : NULL;
    ok = session && inlay_session_run(session, (const inlay_tensor *const *)in, NULL, out, d);
    inlay_session_free(session);
    inlay_program_free(p);
    return ok ? INLAY_OK : INLAY_INVALID;
}

int cli_run_test_data(const inlay_graph *g, const inlay_exec_options *o, const char *const *names,
                      const char *dir, const cli_data_run *how, inlay_diags *d)
{
    struct model m = {g, o};
    cli_data_run run = *how;

    run.g = g;
    run.n_in = g->n_params;
    run.n_out = g->n_results;
    run.names = names;
    run.held = inlay_graph_bytes(g);
    run.run = run_model;
    run.ctx = &m;
    return cli_run_data_sets(&run, dir, d);
}
