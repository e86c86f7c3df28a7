/* Loads MODEL and runs it CALLS times on the same inputs, on the account of a budget without a
 * limit (yes) or of none (no): what that costs is counted by bench/budget.sh, not timed.
 * usage: budget MODEL CALLS yes|no */
#include "bench/measure.h"
#include "inlay.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TENSORS = 64 };

int main(int argc, char **argv)
{
    inlay_diags *d = inlay_diags_new();
    inlay_load_options o = {.exec.threads = 1};
    inlay_tensor *in[MOST_TENSORS] = {NULL}, *out[MOST_TENSORS];
    inlay_session *s;
    inlay_model *m;

    if (argc != 4)
        return 2;
    if (strcmp(argv[3], "yes") == 0)
        o.read.budget = inlay_budget_new(0, d);
    m = inlay_load(argv[1], &o, d);
    s = m ? inlay_session_new(m->program, d) : NULL;
    if (!s || m->graph->n_params > MOST_TENSORS || m->graph->n_results > MOST_TENSORS ||
        !inlay_make_inputs(m->graph, NULL, in, d))
        die("the model", d);
    for (long i = strtol(argv[2], NULL, 10); i > 0; i--) {
        if (!inlay_session_run(s, (const inlay_tensor *const *)in, NULL, out, d))
            die("the run", d);
        for (int k = 0; k < m->graph->n_results; k++)
            inlay_tensor_release(out[k]);
    }
    for (int k = 0; k < m->graph->n_params; k++)
        inlay_tensor_release(in[k]);
    inlay_session_free(s);
    inlay_model_free(m);
    inlay_budget_free(o.read.budget);
    inlay_diags_free(d);
    return 0;
}
