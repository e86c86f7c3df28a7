/* The sizes of open dimensions, by the schedule of trials. */
#include "ir/shared.h"
#include "passes/verify/maker.h"

#include <stdlib.h>

/* The size of the next open dimension. */
static int64_t next_size(verify_maker *m)
{
    static const int64_t any[] = {0, 1, 2, 3, 5, 17};
    const verify_trial *t = &m->r->trial;
    int64_t n = t->sizes[m->n_open % t->n_sizes];

    if (n == VERIFY_ANY_SIZE)
        n = any[inlay_random(&m->state) % (sizeof any / sizeof any[0])];
    if (n == VERIFY_LITERAL_SIZE && t->round % 4 == 3) /* all of them are large */
        n = verify_above_literals(m->r->literals, 3);
    else if (n == VERIFY_LITERAL_SIZE)
        n = verify_literal_count(m->r->literals, t->round + (uint64_t)m->n_open, 3);
    m->n_open++;
    return n < m->largest ? n : m->largest;
}

static int64_t size_of(verify_maker *m, inlay_dim d)
{
    bool known = d.id != 0 && d.id < m->n_sizes;
    int64_t n;

    if (known && m->sizes[d.id] >= 0)
        return m->sizes[d.id];
    n = inlay_dim_is_static(d) ? d.lo : inlay_dim_clamp(d, next_size(m));
    if (known)
        m->sizes[d.id] = n;
    return n;
}

void verify_learn_sizes(verify_maker *m)
{
    for (uint32_t i = 0; i < m->n_sizes; i++)
        m->sizes[i] = -1;
    for (int i = 0; i < m->g->n_params; i++) {
        const inlay_fact *f = &m->g->params[i]->out[0].fact;
        const inlay_tensor *t = m->given[i] ? m->in[i] : NULL;
        const inlay_shape *wish = m->o->shapes ? &m->o->shapes[i] : NULL;

        for (int k = 0; k < f->rank; k++) {
            uint32_t id = f->dims[k].id;

            if (id == 0 || id >= m->n_sizes)
                continue;
            if (t && t->rank == f->rank)
                m->sizes[id] = t->dims[k];
            else if (wish && wish->rank == f->rank && inlay_dim_is_static(wish->dim[k]))
                m->sizes[id] = wish->dim[k].lo;
        }
    }
}

static bool choose_dims(verify_maker *m, int i, int *rank, int64_t *dims)
{
    const inlay_node *p = m->g->params[i];
    const inlay_fact *f = &p->out[0].fact;
    const inlay_shape *wish = m->o->shapes ? &m->o->shapes[i] : NULL;
    bool wished = wish && wish->rank >= 0;
    char asked[512], own[512];

    *rank = f->rank >= 0 ? f->rank : wished ? wish->rank : m->r->trial.rank;
    if (wished && wish->rank != *rank)
        return inlay_fail_node(
            m->diags, p, "the shape asked for, %s, has rank %d, it must have rank %d as %s",
            inlay_shape_text(wish->rank, wish->dim, asked, sizeof asked), wish->rank, *rank,
            inlay_shape_text(f->rank, f->dims, own, sizeof own));
    for (int k = 0; k < *rank; k++) {
        inlay_dim d = f->rank >= 0 ? f->dims[k] : inlay_dim_any();

        if (wished && inlay_dim_is_static(wish->dim[k])) {
            dims[k] = wish->dim[k].lo;
            if (dims[k] < d.lo || dims[k] > d.hi)
                return inlay_fail_node(m->diags, p, "dimension %d asked for is %lld, it must be %s",
                                       k, (long long)dims[k], inlay_dim_text(d, own, sizeof own));
        } else {
            dims[k] = size_of(m, d);
        }
    }
    return true;
}

static void dims_of_tensor(const inlay_tensor *t, verify_dims *dims)
{
    dims->rank = t->rank;
    for (int k = 0; k < t->rank; k++)
        dims->dims[k] = t->dims[k];
}

/* *TOTAL: elements of all inputs. */
static bool choose_all(verify_maker *m, int64_t *total)
{
    verify_learn_sizes(m);
    m->n_open = 0;
    m->state = m->o->seed;
    *total = 0;
    for (int i = 0; i < m->g->n_params; i++) {
        verify_dims *dims = &m->dims[i];
        int64_t n;

        if (m->given[i])
            dims_of_tensor(m->in[i], dims);
        else if (!choose_dims(m, i, &dims->rank, dims->dims))
            return false;
        if (!inlay_count_elements(dims->rank, dims->dims, &n) || n > INT64_MAX - *total)
            n = INT64_MAX - *total;
        *total += n;
    }
    return true;
}

/* If the inputs would become large, large sizes are left out. */
bool verify_choose_sizes(verify_maker *m)
{
    enum { ENOUGH = 1 << 17, LARGE = 1 << 22, N_LIMITS = 3 };
    static const int64_t limits[N_LIMITS] = {INT64_MAX, 5, 3};
    int64_t total = INT64_MAX, enough = m->r->trial.large ? LARGE : ENOUGH;

    for (int i = 0; i < N_LIMITS && total > enough; i++) {
        m->largest = limits[i];
        if (!choose_all(m, &total))
            return false;
    }
    return true;
}

inlay_type verify_type(const inlay_graph *g, int i)
{
    inlay_type type = g->params[i]->out[0].fact.type;

    return type == INLAY_DYNAMIC ? INLAY_F32 : type;
}

void verify_assume_declared(verify_maker *m, int i)
{
    const inlay_fact *f = &m->g->params[i]->out[0].fact;
    const inlay_shape *wish = m->o->shapes ? &m->o->shapes[i] : NULL;
    int rank = f->rank < 0 && wish ? wish->rank : f->rank;
    inlay_dim dims[INLAY_MAX_RANK];

    for (int k = 0; k < rank; k++) {
        inlay_dim d = f->rank >= 0 ? f->dims[k] : inlay_dim_any();
        int64_t known = d.id != 0 && d.id < m->n_sizes ? m->sizes[d.id] : -1;

        if (wish && wish->rank == rank && inlay_dim_is_static(wish->dim[k]))
            d = wish->dim[k];
        else if (known >= 0)
            d = inlay_dim_of(known);
        dims[k] = d;
    }
    verify_assume_dims(&m->assumed[i], verify_type(m->g, i), rank, dims);
}
