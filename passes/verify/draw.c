/* Makes the tensors of random inputs, by the constraints on their elements. */
#include "ir/shared.h"
#include "passes/verify/maker.h"

/* A model may have any size, so the memory limit is checked before an input is allocated. */
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
            "the input has %zu byte%s; with the %llu of others that is over "
            "the memory limit of %llu byte%s",
            bytes, inlay_plural(bytes, "", "s"), (unsigned long long)m->bytes,
            (unsigned long long)m->o->max_memory, inlay_plural(m->o->max_memory, "", "s"));
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

bool verify_draw_rest(verify_maker *m)
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
