/* Instances for the shapes that are known when a graph is compiled. */
#include "interp/exec/report/static_instance.h"
#include "ir/shared.h"

#include <stdlib.h>

static bool inputs_are_known(const inlay_graph *g)
{
    size_t bytes;
    bool known = true;

    for (int i = 0; i < g->n_params; i++)
        known = known && inlay_fact_bytes(&g->params[i]->out[0].fact, &bytes);
    return known;
}

/* Sets *FORM to a tensor of the form F without elements; NULL: the form is not known. False: out of
 * memory. */
static bool form_of(const inlay_fact *f, inlay_tensor **form)
{
    int64_t dims[INLAY_MAX_RANK];
    size_t bytes;

    *form = NULL;
    if (!inlay_fact_bytes(f, &bytes) || !inlay_fact_dims(f, dims))
        return true;
    *form = inlay_tensor_over(NULL, NULL, f->type, f->rank, dims);
    return *form != NULL;
}

exec_instance *exec_static_instance(const exec_plan *p, bool segments, inlay_diags *d)
{
    const inlay_graph *g = p->steps->graph;
    inlay_tensor **in = inlay_take(inlay_graph_budget(g), (size_t)g->n_params + 1, sizeof *in);
    const inlay_tensor **state =
        inlay_take(inlay_graph_budget(g), (size_t)g->n_variables + 1, sizeof *state);
    exec_outside o = {.in = (const inlay_tensor *const *)in,
                      .state = state,
                      .n_states = g->n_variables,
                      .segments = segments && inputs_are_known(g),
                      .told = true};
    bool ok = in && state;
    exec_instance *x;

    for (int i = 0; ok && i < g->n_params; i++)
        ok = form_of(&g->params[i]->out[0].fact, &in[i]);
    x = ok ? exec_instance_new(p, &o, d) : NULL;
    for (int i = 0; in && i < g->n_params; i++)
        inlay_tensor_release(in[i]);
    if (!ok)
        inlay_fail_memory(d);
    inlay_give(in);
    inlay_give(state);
    return x;
}

/* Sets *OUT to a tensor of the largest dims that V may have; NULL: there is no bound. False: out of
 * memory. */
static bool largest(const inlay_value *v, inlay_tensor **out)
{
    enum { MOST = 1 << 30 }; /* elements */
    int64_t dims[INLAY_MAX_RANK], n = 1;
    const inlay_fact *f = &v->fact;

    *out = NULL;
    if (f->type == INLAY_DYNAMIC || f->rank < 0)
        return true;
    for (int i = 0; i < f->rank; i++) {
        dims[i] = f->dims[i].hi;
        if (dims[i] > MOST || (dims[i] > 0 && n > MOST / dims[i]))
            return true;
        n *= dims[i] > 0 ? dims[i] : 1;
    }
    *out = inlay_tensor_over(NULL, NULL, f->type, f->rank, dims);
    return *out != NULL;
}

static const inlay_value *value_of(const graph_steps *s, size_t slot)
{
    for (size_t i = 0; i < s->n; i++) {
        const inlay_node *n = s->list[i].node;

        for (int k = 0; k < n->n_out; k++) {
            if (steps_slot(s, &n->out[k]) == slot)
                return &n->out[k];
        }
    }
    return NULL;
}

bool exec_largest_instance(const exec_plan *p, const exec_instance *before, exec_instance **out,
                           inlay_diags *d)
{
    const graph_steps *s = p->steps;
    const inlay_tensor **state =
        inlay_take(inlay_graph_budget(s->graph), (size_t)s->graph->n_variables + 1, sizeof *state);
    inlay_tensor **values =
        inlay_take(inlay_graph_budget(s->graph), s->n_slots + 1, sizeof *values);
    const exec_outside o = {.state = state,
                            .n_states = s->graph->n_variables,
                            .segments = true,
                            .guessed = true,
                            .told = true,
                            .before = before,
                            .values = values};
    bool ok = state && values, bounded = true;

    for (size_t i = 0; ok && bounded && i < before->segment.n_over; i++) {
        const inlay_value *v = value_of(s, before->segment.over[i]);
        inlay_tensor **value = &values[before->segment.over[i]];

        ok = !v || largest(v, value);
        bounded = *value != NULL;
    }
    *out = ok && bounded ? exec_instance_new(p, &o, d) : NULL;
    ok = (ok && (*out || !bounded)) || inlay_fail_memory(d);
    for (size_t i = 0; values && i < before->segment.n_over; i++)
        inlay_tensor_release(values[before->segment.over[i]]);
    inlay_give(state);
    inlay_give(values);
    return ok;
}
