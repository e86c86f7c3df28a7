/* Random inputs: sizes and elements by the schedule of trials; if the shape rules refuse these,
 * others that they accept. */
#include "ir/shared.h"
#include "passes/verify/maker.h"

#include <math.h>
#include <stdlib.h>

/* Of inputs that are made, everything is assumed; of others only the dims. */
static void assume(verify_maker *m)
{
    for (int i = 0; i < m->g->n_params; i++) {
        inlay_dim dims[INLAY_MAX_RANK];

        for (int k = 0; k < m->dims[i].rank; k++)
            dims[k] = inlay_dim_of(m->dims[i].dims[k]);
        if (m->in[i])
            verify_assume_tensor(&m->assumed[i], m->in[i]);
        else
            verify_assume_dims(&m->assumed[i], verify_type(m->g, i), m->dims[i].rank, dims);
    }
}

static bool make_wanted(verify_maker *m)
{
    assume(m);
    return verify_want_inputs(m) && verify_draw_rest(m);
}

static bool make_all(verify_maker *m, bool *fitted)
{
    if (!verify_choose_sizes(m) || !make_wanted(m))
        return false;
    if (!m->r->fit)
        return true;
    assume(m);
    if (verify_probe_accepts(&m->probe, NULL, m->assumed))
        return true;
    if (m->probe.failed)
        return inlay_fail_memory(m->diags);
    return verify_fit(m, fitted) && (!*fitted || make_wanted(m));
}

static bool options_are_sound(const inlay_graph *g, const inlay_make_options *o, inlay_diags *d)
{
    for (int i = 0; i < g->n_params; i++) {
        if (o->shapes && !inlay_shape_is_sound(o->shapes[i].rank, o->shapes[i].dim, NULL, d))
            return false;
        if (o->fills && (unsigned)o->fills[i] > INLAY_FILL_RANDOM)
            return inlay_fail(d, NULL, "there is no way %d to fill a tensor", (int)o->fills[i]);
        if (o->ranges && o->ranges[i].given &&
            !(isfinite(o->ranges[i].hi - o->ranges[i].lo) && o->ranges[i].lo <= o->ranges[i].hi))
            return inlay_fail(d, NULL, "there is no number in the range from %g to %g",
                              o->ranges[i].lo, o->ranges[i].hi);
    }
    return true;
}

static bool begin(verify_maker *m)
{
    size_t n = (size_t)m->g->n_params + 1;

    m->n_sizes = m->g->next_dim_id;
    m->sizes = inlay_take_raw(inlay_graph_budget(m->g), (size_t)m->n_sizes * sizeof *m->sizes + 1);
    m->given = inlay_take(inlay_graph_budget(m->g), n, sizeof *m->given);
    m->dims = inlay_take(inlay_graph_budget(m->g), n, sizeof *m->dims);
    m->wants = inlay_take(inlay_graph_budget(m->g), n, sizeof *m->wants);
    m->assumed = inlay_take(inlay_graph_budget(m->g), n, sizeof *m->assumed);
    if (!m->sizes || !m->given || !m->dims || !m->wants || !m->assumed)
        return inlay_fail_memory(m->diags);
    for (int i = 0; i < m->g->n_params; i++)
        m->given[i] = m->in[i] != NULL;
    return verify_probe_begin(&m->probe, m->g, m->diags) &&
           (!m->r->other || verify_probe_begin(&m->other, m->r->other, m->diags));
}

static void end(verify_maker *m)
{
    verify_probe_end(&m->probe);
    verify_probe_end(&m->other);
    inlay_give(m->sizes);
    inlay_give(m->given);
    inlay_give(m->dims);
    inlay_give(m->wants);
    inlay_give(m->assumed);
}

bool verify_make_inputs(const verify_request *r, inlay_tensor **in, bool *fitted, inlay_diags *d)
{
    verify_maker m = {.r = r, .g = r->g, .o = r->options, .in = in, .diags = d};
    bool unheard, ok;

    fitted = fitted ? fitted : &unheard;
    *fitted = false;
    if (!inlay_graph_is_whole(r->g, d) || !inlay_params_are_whole(r->g, d) ||
        !options_are_sound(r->g, r->options, d))
        return false;
    ok = begin(&m) && make_all(&m, fitted);
    end(&m);
    return ok;
}

bool inlay_make_inputs(const inlay_graph *g, const inlay_make_options *o, inlay_tensor **in,
                       inlay_diags *d)
{
    static const inlay_make_options none;
    verify_request r = {.g = g, .fit = true, .options = o ? o : &none};

    if (!inlay_list_is_sound((const void *)in, g ? g->n_params : 0, "inputs", d))
        return false;
    r.trial = verify_trial_of(0);
    r.trial.values = VERIFY_RANDOM;
    return inlay_budget_tell(inlay_graph_budget(g), verify_make_inputs(&r, in, NULL, d), d);
}
