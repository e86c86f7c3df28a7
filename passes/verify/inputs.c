/* Made-up inputs: sizes for open dimensions, and tensors of them. */
#include "ir/shared.h"
#include "passes/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool inlay_fill_by_name(const char *name, inlay_fill *fill)
{
    static const char *const names[] = {[INLAY_FILL_ZEROS] = "zeros",
                                        [INLAY_FILL_ONES] = "ones",
                                        [INLAY_FILL_IOTA] = "iota",
                                        [INLAY_FILL_RANDOM] = "random"};

    for (int i = INLAY_FILL_ZEROS; i <= INLAY_FILL_RANDOM; i++) {
        if (name && strcmp(names[i], name) == 0) {
            *fill = (inlay_fill)i;
            return true;
        }
    }
    return false;
}

/* The size each dim identity got. */
struct sizes {
    int64_t *of; /* by id; -1: none yet */
    uint32_t n;
};

struct maker {
    const verify_request *r;
    const inlay_graph *g;
    const inlay_make_options *o;
    inlay_tensor **in;
    verify_dims *dims;  /* by Parameter */
    verify_want *wants; /* by Parameter */
    struct sizes sizes;
    uint64_t state;  /* of random sizes */
    int n_open;      /* open dimensions that got a size */
    int64_t largest; /* no open dimension need be larger */
    uint64_t bytes;  /* of what was given and what was made */
    inlay_diags *diags;
};

static int64_t clamp_size(inlay_dim d, int64_t n)
{
    return n < d.lo ? d.lo : n > d.hi ? d.hi : n;
}

/* For the next open dimension. */
static int64_t next_size(struct maker *m)
{
    static const int64_t any[] = {0, 1, 2, 3, 5, 17};
    const verify_trial *t = &m->r->trial;
    int64_t n = t->sizes[m->n_open % t->n_sizes];

    if (n == VERIFY_ANY_SIZE)
        n = any[verify_random(&m->state) % (sizeof any / sizeof any[0])];
    if (n == VERIFY_LITERAL_SIZE)
        n = verify_literal_count(m->r->literals, t->round + (uint64_t)m->n_open, 3);
    m->n_open++;
    return n < m->largest ? n : m->largest;
}

static int64_t size_of(struct maker *m, inlay_dim d)
{
    bool known = d.id != 0 && d.id < m->sizes.n;
    int64_t n;

    if (known && m->sizes.of[d.id] >= 0)
        return m->sizes.of[d.id];
    n = inlay_dim_is_static(d) ? d.lo : clamp_size(d, next_size(m));
    if (known)
        m->sizes.of[d.id] = n;
    return n;
}

/* Dims of tensors that are already there fix the sizes of their identities. */
static void learn_sizes(struct maker *m)
{
    for (uint32_t i = 0; i < m->sizes.n; i++)
        m->sizes.of[i] = -1;
    for (int i = 0; i < m->g->n_params; i++) {
        const inlay_fact *f = &m->g->params[i]->out[0].fact;
        const inlay_tensor *t = m->in[i];
        const inlay_shape *wish = m->o->shapes ? &m->o->shapes[i] : NULL;

        for (int k = 0; k < f->rank; k++) {
            uint32_t id = f->dims[k].id;

            if (id == 0 || id >= m->sizes.n)
                continue;
            if (t && t->rank == f->rank)
                m->sizes.of[id] = t->dims[k];
            else if (wish && wish->rank == f->rank && inlay_dim_is_static(wish->dim[k]))
                m->sizes.of[id] = wish->dim[k].lo;
        }
    }
}

static bool choose_dims(struct maker *m, int i, int *rank, int64_t *dims)
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
static bool choose_all(struct maker *m, int64_t *total)
{
    learn_sizes(m);
    m->n_open = 0;
    m->state = m->o->seed;
    *total = 0;
    for (int i = 0; i < m->g->n_params; i++) {
        verify_dims *dims = &m->dims[i];
        int64_t n;

        if (m->in[i])
            dims_of_tensor(m->in[i], dims);
        else if (!choose_dims(m, i, &dims->rank, dims->dims))
            return false;
        if (!inlay_count_elements(dims->rank, dims->dims, &n) || n > INT64_MAX - *total)
            n = INT64_MAX - *total;
        *total += n;
    }
    return true;
}

/* Where the inputs would become large, large sizes are left out. */
static bool choose_sizes(struct maker *m)
{
    enum { ENOUGH = 1 << 16, N_LIMITS = 3 };
    static const int64_t limits[N_LIMITS] = {INT64_MAX, 5, 3};
    int64_t total = INT64_MAX;

    for (int i = 0; i < N_LIMITS && total > ENOUGH; i++) {
        m->largest = limits[i];
        if (!choose_all(m, &total))
            return false;
    }
    return true;
}

/* A model may say any size: what it asks for is looked at before it is allocated. */
static bool fits(struct maker *m, const inlay_node *p, inlay_type type, int rank,
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

static void fill_plainly(inlay_tensor *t, inlay_fill fill)
{
    for (int64_t i = 0; fill != INLAY_FILL_ZEROS && i < inlay_tensor_count(t); i++)
        inlay_store_i64(t->type, t->data, i, fill == INLAY_FILL_IOTA ? i : 1);
}

/* The ends of a range are numbers of the type. T, which has elements, is written over. */
static bool range_fits(struct maker *m, const inlay_node *p, inlay_tensor *t, const inlay_range *r)
{
    const double ends[] = {r->lo, r->hi};

    for (int i = 0; i < 2; i++) {
        double end = ends[i];

        if (inlay_type_is_float(t->type))
            continue;
        if (floor(end) == end && fabs(end) < 0x1p63) {
            inlay_store_i64(t->type, t->data, 0, (int64_t)end);
            if ((double)inlay_tensor_get_i64(t, 0) == end)
                continue;
        }
        return inlay_fail_node(m->diags, p, "the range from %g to %g does not fit type %s", r->lo,
                               r->hi, inlay_type_info_of(t->type)->name);
    }
    return true;
}

static bool fill_range(struct maker *m, const inlay_node *p, inlay_tensor *t, uint64_t state,
                       const inlay_range *r)
{
    int64_t n = inlay_tensor_count(t);

    if (n > 0 && !range_fits(m, p, t, r))
        return false;
    for (int64_t i = 0; i < n; i++) {
        double part = (double)(verify_random(&state) >> 11) * 0x1p-53; /* in [0, 1) */
        double x = r->lo + part * (r->hi - r->lo);

        if (inlay_type_is_float(t->type))
            inlay_store_f64(t->type, t->data, i, x);
        else
            inlay_store_i64(t->type, t->data, i,
                            (int64_t)fmin(floor(r->lo + part * (r->hi - r->lo + 1)), r->hi));
    }
    return true;
}

static bool make_one(struct maker *m, int i, inlay_fill fill)
{
    const inlay_node *p = m->g->params[i];
    inlay_type type = p->out[0].fact.type == INLAY_DYNAMIC ? INLAY_F32 : p->out[0].fact.type;
    const verify_dims *dims = &m->dims[i];
    uint64_t seed = m->o->seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)i +
                    (uint64_t)m->r->variant * UINT64_C(0xd1b54a32d192ed03);
    verify_trial trial = m->r->trial;

    if (!fits(m, p, type, dims->rank, dims->dims))
        return false;
    m->in[i] = inlay_tensor_new(type, dims->rank, dims->dims);
    if (!m->in[i])
        return inlay_fail_memory(m->diags);
    trial.nth += (uint64_t)m->r->variant;
    if (fill == INLAY_FILL_RANDOM && m->o->ranges && m->o->ranges[i].given && type != INLAY_STRING)
        return fill_range(m, p, m->in[i], seed, &m->o->ranges[i]);
    if (fill == INLAY_FILL_RANDOM || type == INLAY_STRING)
        return fill == INLAY_FILL_ZEROS ||
               verify_fill(m->in[i], i, &m->wants[i], &trial, m->r->literals, seed, m->diags);
    fill_plainly(m->in[i], fill);
    return true;
}

static bool make_all(struct maker *m)
{
    if (!choose_sizes(m) || !verify_find_wants(m->g, NULL, m->dims, m->wants, m->diags))
        return false;
    if (m->r->other && !verify_find_wants(m->r->other, m->r->pair, m->dims, m->wants, m->diags))
        return false;
    for (int i = 0; i < m->g->n_params; i++)
        m->bytes += m->in[i] ? inlay_tensor_bytes(m->in[i]) : 0;
    for (int i = 0; i < m->g->n_params; i++) {
        inlay_fill fill = m->o->fills ? m->o->fills[i] : INLAY_FILL_RANDOM;

        if (!m->in[i] && fill != INLAY_FILL_NONE && !make_one(m, i, fill))
            return false;
    }
    return true;
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

bool verify_make_inputs(const verify_request *r, inlay_tensor **in, inlay_diags *d)
{
    struct maker m = {.r = r, .g = r->g, .o = r->options, .in = in, .diags = d};
    bool ok;

    if (!inlay_graph_is_whole(r->g, d) || !inlay_params_are_whole(r->g, d) ||
        !options_are_sound(r->g, r->options, d))
        return false;
    m.sizes.n = r->g->next_dim_id;
    m.sizes.of = malloc((size_t)m.sizes.n * sizeof *m.sizes.of + 1);
    m.dims = calloc((size_t)r->g->n_params + 1, sizeof *m.dims);
    m.wants = calloc((size_t)r->g->n_params + 1, sizeof *m.wants);
    ok = m.sizes.of && m.dims && m.wants ? make_all(&m) : inlay_fail_memory(d);
    free(m.sizes.of);
    free(m.dims);
    free(m.wants);
    return ok;
}

bool inlay_make_inputs(const inlay_graph *g, const inlay_make_options *o, inlay_tensor **in,
                       inlay_diags *d)
{
    static const inlay_make_options none;
    verify_request r = {.g = g, .options = o ? o : &none};

    if (!inlay_list_is_sound((const void *)in, g ? g->n_params : 0, "inputs", d))
        return false;
    r.trial = verify_trial_of(0);
    r.trial.values = VERIFY_RANDOM;
    return verify_make_inputs(&r, in, d);
}
