/* `inlay run --test-data DIR`: the folders test_data_set_0, test_data_set_1, ... of DIR, in the
 * layout of ONNX's tests: input_<i>.pb for each input of the model, output_<i>.pb for each output.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inlay_tensor *read_value(const inlay_fact *f, const char *path, uint64_t max, inlay_diags *d)
{
    return inlay_read_value(path, f->type, f->rank, max, d);
}

/* Reads the N values WHAT_<i>.pb of a set, what G says of its inputs or OUTPUTS. *HELD: the bytes in
 * memory, before and after; MAX is their limit (0: none). */
static inlay_tensor **read_set(const inlay_graph *g, bool outputs, const char *dir, int set, int n,
                               uint64_t max, uint64_t *held, inlay_diags *d)
{
    const char *what = outputs ? "output" : "input";
    inlay_tensor **t = calloc((size_t)n + 1, sizeof *t);
    char path[4096];

    for (int i = 0; t && i < n; i++) {
        if (snprintf(path, sizeof path, "%s/test_data_set_%d/%s_%d.pb", dir, set, what, i) >=
            (int)sizeof path)
            inlay_fail(d, &(inlay_pos){dir, 0}, "the path is too long");
        else
            t[i] =
                read_value(outputs ? &g->results[i]->in[0].value->fact : &g->params[i]->out[0].fact,
                           path, cli_memory_left(max, *held), d);
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
    const inlay_graph *g;
    const inlay_exec_options *o;
    const char *const *names;
    const char *dir;
    const inlay_compare_options *tolerance;
    bool quiet;
    int number;
};

static int compare_set(const struct set *s, inlay_tensor *const *wanted, inlay_tensor *const *got)
{
    int status = INLAY_OK;
    char why[512];

    for (int i = 0; i < s->g->n_results; i++) {
        bool same = inlay_compare_tensors(wanted[i], got[i], s->tolerance, why, sizeof why);

        if (!same)
            fprintf(stderr, "inlay: output \"%s\" differs from test_data_set_%d/output_%d.pb: %s\n",
                    s->names[i], s->number, i, why);
        else if (!s->quiet)
            printf("%s agrees with test_data_set_%d/output_%d.pb: %s\n", s->names[i], s->number, i,
                   why);
        if (!same)
            status = INLAY_DIFFERENT;
    }
    return status;
}

/* Runs the model on IN into OUT; HELD bytes are in memory already. */
static bool run_model(const struct set *s, inlay_tensor *const *in, uint64_t held,
                      inlay_tensor **out, inlay_diags *d)
{
    inlay_exec_options o = *s->o;
    inlay_program *p;
    inlay_session *session;
    bool ok;

    o.held_memory = held;
    p = inlay_compile(s->g, &o, d);
    session = p ? inlay_session_new(p, d) : NULL;
    ok = session && inlay_session_run(session, (const inlay_tensor *const *)in, NULL, out, d);
    inlay_session_free(session);
    inlay_program_free(p);
    return ok;
}

static int run_set(const struct set *s, inlay_diags *d)
{
    int n_in = s->g->n_params, n_out = s->g->n_results;
    uint64_t max = s->o->max_memory, held = inlay_graph_bytes(s->g);
    inlay_tensor **in = read_set(s->g, false, s->dir, s->number, n_in, max, &held, d);
    inlay_tensor **wanted =
        in ? read_set(s->g, true, s->dir, s->number, n_out, max, &held, d) : NULL;
    inlay_tensor **got = wanted ? calloc((size_t)n_out + 1, sizeof *got) : NULL;
    int status = INLAY_INVALID;

    if (wanted && !got)
        inlay_fail_memory(d);
    if (got && run_model(s, in, held, got, d))
        status = compare_set(s, wanted, got);
    free_set(in, n_in);
    free_set(wanted, n_out);
    free_set(got, n_out);
    return status;
}

static bool is_there(const struct set *s)
{
    char path[4096];

    return snprintf(path, sizeof path, "%s/test_data_set_%d", s->dir, s->number) <
               (int)sizeof path &&
           access(path, F_OK) == 0;
}

int cli_run_test_data(const inlay_graph *g, const inlay_exec_options *o, const char *const *names,
                      const char *dir, const inlay_compare_options *tolerance, bool quiet,
                      inlay_diags *d)
{
    struct set s = {g, o, names, dir, tolerance, quiet, 0};
    int status = INLAY_OK;

    if (!is_there(&s)) {
        inlay_fail(d, &(inlay_pos){dir, 0}, "has no folder test_data_set_0");
        return INLAY_INVALID;
    }
    for (; is_there(&s) && status != INLAY_INVALID; s.number++) {
        int one = run_set(&s, d);

        status = one > status ? one : status;
    }
    return status;
}
