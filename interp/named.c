/* Runs with named inputs and outputs: looks the names up, and runs by position. */
#include "interp/session.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

/* The lists that inlay_session_run wants, and which Result each entry of the outputs asks for. */
struct named {
    const inlay_graph *g;
    const inlay_tensor **in;
    bool *donated;
    inlay_tensor **out;
    int *result;
};

/* FOUND is what a look-up of NAME answered, which is no index. */
static bool fail_name(int found, const char *what, const char *name, const inlay_guess *guess,
                      inlay_diags *d)
{
    char text[200];

    if (found == INLAY_AMBIGUOUS)
        return inlay_fail(d, NULL, "\"%s\" is the name of several %ss", name, what);
    return inlay_fail(d, NULL, "there is no %s \"%s\"%s", what, name,
                      inlay_guess_text(guess, text, sizeof text));
}

static bool take_input(const struct named *r, const inlay_input *in, inlay_diags *d)
{
    inlay_guess guess = {.word = in->name};
    int at;

    if (inlay_is_missing(in->name, "name of an input", d) ||
        inlay_is_missing(in->tensor, "tensor", d))
        return false;
    guess.length = strlen(in->name);
    at = inlay_graph_find_input(r->g, in->name, guess.length);
    for (int i = 0; at < 0 && i < r->g->n_params; i++)
        inlay_guess_try(&guess, r->g->params[i]->name);
    if (at < 0)
        return fail_name(at, "input", in->name, &guess, d);
    if (r->in[at])
        return inlay_fail(d, NULL, "input \"%s\" is given twice", in->name);
    r->in[at] = in->tensor;
    r->donated[at] = in->donated;
    return true;
}

static bool take_inputs(const struct named *r, const inlay_input *in, int n, inlay_diags *d)
{
    for (int i = 0; i < n; i++) {
        if (!take_input(r, &in[i], d))
            return false;
    }
    for (int i = 0; i < r->g->n_params; i++) {
        if (!r->in[i])
            return inlay_fail(d, NULL, "input \"%s\" is not given", r->g->params[i]->name);
    }
    return true;
}

static bool find_output(const struct named *r, const char *const *names, const char *name, int *at,
                        inlay_diags *d)
{
    inlay_guess guess = {.word = name};

    if (inlay_is_missing(name, "name of an output", d))
        return false;
    guess.length = strlen(name);
    *at = inlay_graph_find_output(r->g, names, name, guess.length);
    for (int i = 0; *at < 0 && i < r->g->n_results; i++)
        inlay_guess_try(&guess, names[i]);
    return *at >= 0 || fail_name(*at, "output", name, &guess, d);
}

static bool find_outputs(const struct named *r, inlay_session *s, const inlay_output *out, int n,
                         inlay_diags *d)
{
    const char *const *names = session_result_names(s, d);

    for (int i = 0; names && i < n; i++) {
        if (!find_output(r, names, out[i].name, &r->result[i], d))
            return false;
    }
    return names != NULL;
}

static bool run(const struct named *r, inlay_session *s, const inlay_input *in, int n_in,
                inlay_output *out, int n_out, inlay_diags *d)
{
    if (!take_inputs(r, in, n_in, d) || !find_outputs(r, s, out, n_out, d) ||
        !inlay_session_run(s, r->in, r->donated, r->out, d))
        return false;
    for (int i = 0; i < n_out; i++)
        out[i].tensor = inlay_tensor_retain(r->out[r->result[i]]);
    for (int i = 0; i < r->g->n_results; i++)
        inlay_tensor_release(r->out[i]);
    return true;
}

bool inlay_session_run_named(inlay_session *s, const inlay_input *in, int n_in, inlay_output *out,
                             int n_out, inlay_diags *d)
{
    struct named r = {0};
    bool ok;

    if (inlay_is_missing(s, "session", d) || !inlay_list_is_sound(in, n_in, "inputs", d) ||
        !inlay_list_is_sound(out, n_out, "outputs", d))
        return false;
    for (int i = 0; i < n_out; i++)
        out[i].tensor = NULL;
    r.g = session_graph(s);
    r.in = inlay_take(inlay_graph_budget(r.g), (size_t)r.g->n_params + 1, sizeof *r.in);
    r.donated = inlay_take(inlay_graph_budget(r.g), (size_t)r.g->n_params + 1, sizeof *r.donated);
    r.out = inlay_take(inlay_graph_budget(r.g), (size_t)r.g->n_results + 1, sizeof *r.out);
    r.result = inlay_take(inlay_graph_budget(r.g), (size_t)n_out + 1, sizeof *r.result);
    ok = r.in && r.donated && r.out && r.result ? run(&r, s, in, n_in, out, n_out, d)
                                                : inlay_fail_memory(d);
    inlay_give(r.in);
    inlay_give(r.donated);
    inlay_give(r.out);
    inlay_give(r.result);
    return ok;
}
