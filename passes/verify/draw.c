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

    if (inlay_type_refers(m->assumed[i].fact.type))
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
    inlay_tensor *t = inlay_tensor_in(inlay_graph_budget(m->g), m->assumed[i].fact.type,
                                      m->dims[i].rank, m->dims[i].dims);

    if (!t)
        inlay_fail_memory(m->diags);
    return t;
}

/* Sets all elements of ITEMS to lists of numbers of TYPE, or of such items, which LEFT may be
 * inside of each other. */
static bool fill_items(verify_maker *m, int i, inlay_tensor *items, inlay_type type, int left,
                       const verify_trial *trial, uint64_t seed)
{
    int64_t n = inlay_tensor_count(items), three = 3;
    bool ok = true, numbers = type != INLAY_ITEM || left == 0;

    if (numbers && (type == INLAY_ITEM || type == INLAY_DYNAMIC))
        type = INLAY_F32;
    for (int64_t k = 0; ok && k < n; k++) {
        inlay_tensor *t = inlay_tensor_in(inlay_graph_budget(m->g), type, 1, &three);

        ok = t || inlay_fail_memory(m->diags);
        if (ok && numbers)
            ok = verify_fill(t, i, &m->wants[i], trial, m->r->literals, seed + (uint64_t)k,
                             m->diags);
        else if (ok)
            ok = fill_items(m, i, t, INLAY_F32, left - 1, trial, seed + (uint64_t)k);
        ok = ok && (inlay_tensor_set_item(items, k, t) || inlay_fail_memory(m->diags));
        inlay_tensor_release(t);
    }
    return ok;
}

inlay_tensor *verify_draw(verify_maker *m, int i, const verify_trial *trial, uint64_t attempt)
{
    uint64_t seed = seed_of(m, i) + attempt * UINT64_C(0xa0761d6478bd642f);
    inlay_tensor *t = new_tensor(m, i);
    verify_trial now = *trial;

    now.nth += (uint64_t)m->r->variant;
    if (t &&
        !(t->type == INLAY_ITEM
              ? fill_items(m, i, t, inlay_node_type(m->g->params[i], "item_type"), 1, &now, seed)
              : verify_fill(t, i, &m->wants[i], &now, m->r->literals, seed, m->diags))) {
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
           (inlay_type_refers(type) || verify_fill_as_asked(m, i, m->in[i], seed_of(m, i)));
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
