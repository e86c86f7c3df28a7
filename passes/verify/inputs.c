/* Made-up inputs: the sizes and elements that a trial's schedule says; and where the shape rules
 * refuse those, others that they accept. */
#include "ir/shared.h"
#include "passes/verify/maker.h"

#include <math.h>
#include <stdlib.h>

/* A model may say any size: what it asks for is looked at before it is allocated. */
static bool fits(verify_maker *m, const inlay_node *p, inlay_type type, int rank,
                 const int64_t *dims)
{
    size_t bytes;

    if (!inlay_count_bytes(type, rank, dims, &bytes))
        return inlay_fail_resource_node(m->diags, p,
                                        "a tensor of this shape does not fit the address space");
    if (m->o->max_memory > 0 &&
        (m->bytes > m->o->max_memory || bytes > m->o->max_memory - m->bytes))
        return inlay_fail_resource_node(
            m->diags, p,
            "the input has %zu bytes; with the %llu of others that is over "
            "the memory limit of %llu bytes",
            bytes, (unsigned long long)m->bytes, (unsigned long long)m->o->max_memory);
    m->bytes += bytes;
    return true;
}

bool verify_is_random(const verify_maker *m, int i)
{
    bool ranged = m->o->ranges && m->o->ranges[i].given;
    inlay_fill fill = m->o->fills ? m->o->fills[i] : INLAY_FILL_RANDOM;

    if (m->assumed[i].fact.type == INLAY_STRING)
        return fill != INLAY_FILL_ZEROS;
    return fill == INLAY_FILL_RANDOM && !ranged;
}

static uint64_t seed_of(const verify_maker *m, int i)
{
    return m->o->seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)i +
           (uint64_t)m->r->variant * UINT64_C(0xd1b54a32d192ed03);
}

static inlay_tensor *new_tensor(verify_maker *m, int i)
{
    inlay_tensor *t = inlay_tensor_new(m->assumed[i].fact.type, m->dims[i].rank, m->dims[i].dims);

    if (!t)
        inlay_fail_memory(m->diags);
    return t;
}

inlay_tensor *verify_draw(verify_maker *m, int i, const verify_trial *trial, uint64_t attempt)
{
    uint64_t seed = seed_of(m, i) + attempt * UINT64_C(0xa0761d6478bd642f);
    inlay_tensor *t = new_tensor(m, i);
    verify_trial now = *trial;

    now.nth += (uint64_t)m->r->variant;
    if (t && !verify_fill(t, i, &m->wants[i], &now, m->r->literals, seed, m->diags)) {
        inlay_tensor_release(t);
        t = NULL;
    }
    return t;
}

static bool make_one(verify_maker *m, int i)
{
    inlay_type type = m->assumed[i].fact.type;

    if (!fits(m, m->g->params[i], type, m->dims[i].rank, m->dims[i].dims))
        return false;
    if (verify_is_random(m, i)) {
        m->in[i] = verify_draw(m, i, &m->r->trial, 0);
        return m->in[i];
    }
    m->in[i] = new_tensor(m, i);
    return m->in[i] &&
           (type == INLAY_STRING || verify_fill_as_asked(m, i, m->in[i], seed_of(m, i)));
}

/* What is not there yet, but for what the caller will give later. */
static bool make_rest(verify_maker *m)
{
    m->bytes = 0;
    for (int i = 0; i < m->g->n_params; i++)
        m->bytes += m->in[i] ? inlay_tensor_bytes(m->in[i]) : 0;
    for (int i = 0; i < m->g->n_params; i++) {
        bool left = m->o->fills && m->o->fills[i] == INLAY_FILL_NONE;

        if (!m->in[i] && !left && !make_one(m, i))
            return false;
    }
    return true;
}

/* Of what is made all is assumed, of the rest its dims. */
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

bool verify_want_inputs(verify_maker *m)
{
    for (int i = 0; i < m->g->n_params; i++)
        m->wants[i] = (verify_want){0};
    verify_probe_accepts(&m->probe, NULL, m->assumed);
    if (m->probe.failed)
        return inlay_fail_memory(m->diags);
    if (!verify_find_wants(&m->probe, NULL, m->wants, m->diags))
        return false;
    if (!m->r->other)
        return true;
    verify_probe_accepts(&m->other, m->r->pair, m->assumed);
    if (m->other.failed)
        return inlay_fail_memory(m->diags);
    return verify_find_wants(&m->other, m->r->pair, m->wants, m->diags);
}

static bool make_wanted(verify_maker *m)
{
    assume(m);
    return verify_want_inputs(m) && make_rest(m);
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
    m->sizes = malloc((size_t)m->n_sizes * sizeof *m->sizes + 1);
    m->given = calloc(n, sizeof *m->given);
    m->dims = calloc(n, sizeof *m->dims);
    m->wants = calloc(n, sizeof *m->wants);
    m->assumed = calloc(n, sizeof *m->assumed);
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
    free(m->sizes);
    free(m->given);
    free(m->dims);
    free(m->wants);
    free(m->assumed);
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
    return verify_make_inputs(&r, in, NULL, d);
}
