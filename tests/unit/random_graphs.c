#include "random_graphs.h"
#include "ir/shared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

uint64_t rng_next(rng *r)
{
    r->state += 0x9E3779B97F4A7C15u; /* splitmix64 */
    uint64_t z = r->state;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

int64_t rng_in(rng *r, int64_t lo, int64_t hi)
{
    return lo + (int64_t)(rng_next(r) % (uint64_t)(hi - lo + 1));
}

seed_range seeds_to_try(uint64_t usual, uint64_t slow)
{
    const char *one = getenv("INLAY_SEED"), *range = getenv("INLAY_SEEDS");
    seed_range s = {1, getenv("INLAY_SLOW") ? slow : usual, true};
    char *comma = NULL;

    if (one)
        return (seed_range){strtoull(one, NULL, 10), 1, false};
    if (range) {
        s.first = strtoull(range, &comma, 10);
        s.whole = *comma == ',' && strtoull(comma + 1, NULL, 10) >= s.n;
        s.n = *comma == ',' ? strtoull(comma + 1, NULL, 10) : 1;
    }
    return s;
}

/* A value and the shape that it has in every run. */
struct item {
    inlay_value *value;
    int rank;
    int64_t dims[INLAY_MAX_RANK];
};

enum { MAX_ITEMS = 256 };

struct maker {
    rng r;
    random_graph *out;
    inlay_graph *g;
    inlay_diags *d;
    inlay_type type;
    int rank;
    int64_t dims[INLAY_MAX_RANK]; /* of the tensors that windows are cut from */
    bool dynamic;                 /* what the graph says of some sizes is "?", of some ranks too */
    struct item items[MAX_ITEMS];
    int n;
    struct window *again; /* the last windows, to be taken again; NULL: they are not */
    int n_windows;
};

static void give_up(const struct maker *m)
{
    fail_msg("the graph cannot be built: %s", inlay_diags_at(m->d, 0)->text);
}

static struct item *add(struct maker *m, inlay_value *v, int rank, const int64_t *dims)
{
    struct item *it = &m->items[m->n];

    if (!v)
        give_up(m);
    assert_true(m->n < MAX_ITEMS);
    m->n++;
    it->value = v;
    it->rank = rank;
    for (int i = 0; i < rank; i++)
        it->dims[i] = dims[i];
    return it;
}

static inlay_value *build(struct maker *m, const char *type, inlay_value *const *in, int n_in,
                          const char *attrs)
{
    inlay_node *n = inlay_build(m->g, type, type, NULL, in, n_in, attrs, m->d);

    if (!n)
        give_up(m);
    return n->n_out > 0 ? &n->out[0] : NULL;
}

static void fill(struct maker *m, inlay_tensor *t)
{
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, (double)rng_in(&m->r, -8, 8));
}

static inlay_value *constant(struct maker *m, int rank, const int64_t *dims)
{
    inlay_tensor *t = inlay_tensor_new(m->type, rank, dims);
    inlay_value *v;

    fill(m, t);
    v = inlay_build_const(m->g, "c", t, m->d);
    inlay_tensor_release(t);
    return v;
}

static inlay_value *ints(struct maker *m, int n, const int64_t *x)
{
    return inlay_build_ints(m->g, "i", INLAY_I64, 1, (int64_t[]){n}, x, m->d);
}

static inlay_value *scalar(struct maker *m, int64_t x)
{
    return inlay_build_ints(m->g, "i", INLAY_I64, 0, NULL, &x, m->d);
}

static inlay_value *parameter(struct maker *m, inlay_type type, int rank, const int64_t *dims,
                              bool dynamic, int64_t lo, int64_t hi)
{
    inlay_shape s = {.rank = rank};
    struct random_param *p = &m->out->params[m->g->n_params];

    p->rank = rank;
    p->lo = lo;
    p->hi = hi;
    for (int i = 0; i < rank; i++) {
        p->dims[i] = dims[i];
        s.dim[i] = dynamic && rng_one_in(&m->r, 2) ? inlay_dim_any() : inlay_dim_of(dims[i]);
    }
    if (dynamic && rng_one_in(&m->r, 4))
        s.rank = -1;
    return inlay_build_parameter(m->g, "p", type, &s, m->d);
}

static bool is_whole(const struct maker *m, const struct item *it)
{
    return it->rank == m->rank &&
           (m->rank == 0 || memcmp(it->dims, m->dims, (size_t)m->rank * sizeof *m->dims) == 0);
}

static struct item *any(struct maker *m)
{
    /* the newest ones most of the time, so that chains come about */
    int newest = m->again ? 2 : 6;
    int from = rng_one_in(&m->r, 3) || m->n < newest ? 0 : m->n - newest;

    return &m->items[rng_in(&m->r, from, m->n - 1)];
}

static struct item *whole(struct maker *m)
{
    bool newest = !rng_one_in(&m->r, 4);

    for (int k = 0, i = m->n - 1; newest && k<64; k++, i = i> 0 ? i - 1 : m->n - 1) {
        if (is_whole(m, &m->items[i]))
            return &m->items[i];
    }
    for (;;) {
        struct item *it = &m->items[rng_in(&m->r, 0, m->n - 1)];

        if (is_whole(m, it))
            return it;
    }
}

/* Some value of these dims, or NULL. */
static struct item *same_dims(struct maker *m, int rank, const int64_t *dims)
{
    for (int tries = 0; tries < 12; tries++) {
        struct item *it = any(m);

        if (it->rank == rank &&
            (rank == 0 || memcmp(it->dims, dims, (size_t)rank * sizeof *dims) == 0))
            return it;
    }
    return NULL;
}

/* start, stop, step, axes of a window, and the dims of what it selects of a value with those of
 * OF. */
struct window {
    inlay_value *in[4];
    inlay_window at[4]; /* by listed axis */
    int64_t axes[4], sizes[4], dims[INLAY_MAX_RANK], of[INLAY_MAX_RANK];
    int n, rank;
};

enum { WINDOWS_KEPT = 6 };

/* A start that the graph does not know. */
static inlay_value *unknown_ints(struct maker *m, int n, const int64_t *x)
{
    inlay_value *zero[2];

    if (n != 1 || m->g->n_params >= RANDOM_MAX_PARAMS - 1)
        return ints(m, n, x);
    zero[0] = parameter(m, INLAY_I64, 1, (int64_t[]){1}, false, 0, 0);
    zero[1] = ints(m, n, x);
    return build(m, "Add", zero, 2, NULL);
}

static void operands(struct maker *m, struct window *w)
{
    bool unknown = rng_one_in(&m->r, 6);
    int64_t start[4], stop[4], step[4];

    for (int i = 0; i < w->n; i++)
        inlay_window_denormalise(w->at[i], w->sizes[i], &start[i], &stop[i], &step[i]);
    w->in[0] = unknown ? unknown_ints(m, w->n, start) : ints(m, w->n, start);
    w->in[1] = ints(m, w->n, stop);
    w->in[2] = ints(m, w->n, step);
    w->in[3] = ints(m, w->n, w->axes);
}

/* A window that was there already, for a value of D's dims. */
static bool same_window(struct maker *m, const struct item *d, struct window *w)
{
    for (int tries = 0; m->n_windows > 0 && tries < 3; tries++) {
        int last = m->n_windows < WINDOWS_KEPT ? m->n_windows : WINDOWS_KEPT;
        const struct window *at = &m->again[rng_in(&m->r, 0, last - 1)];

        if (at->rank != d->rank || memcmp(at->of, d->dims, (size_t)d->rank * sizeof *d->dims) != 0)
            continue;
        *w = *at;
        operands(m, w);
        return true;
    }
    return false;
}

static void keep_window(struct maker *m, const struct item *d, struct window *w)
{
    w->rank = d->rank;
    memcpy(w->of, d->dims, sizeof w->of);
    m->again[m->n_windows++ % WINDOWS_KEPT] = *w;
}

static void make_window(struct maker *m, const struct item *d, struct window *w)
{
    int skip = (int)rng_in(&m->r, 0, d->rank - 1);

    if (m->again && rng_one_in(&m->r, 2) && same_window(m, d, w))
        return;
    memcpy(w->dims, d->dims, sizeof w->dims);
    w->n = 0;
    for (int i = 0; i < d->rank; i++) {
        int64_t size = d->dims[i], count, step, first;
        if (i != skip && !rng_one_in(&m->r, 3))
            continue;
        count = rng_in(&m->r, 1, size);
        if (rng_one_in(&m->r, 30))
            count = 0;
        step = count > 1 ? rng_in(&m->r, 1, (size - 1) / (count - 1)) : 1;
        first = count ? rng_in(&m->r, 0, size - 1 - step * (count - 1)) : 0;
        w->at[w->n] = (inlay_window){first, count, step};
        if (count > 1 && rng_one_in(&m->r, 6))
            w->at[w->n] = (inlay_window){first + step * (count - 1), count, -step};
        w->axes[w->n] = rng_one_in(&m->r, 4) ? i - d->rank : i;
        w->sizes[w->n] = size;
        w->dims[i] = count;
        w->n++;
    }
    operands(m, w);
    if (m->again)
        keep_window(m, d, w);
}

/* Of the same form, but mirrored, or one further on (it meets W or, for steps, stands between), or
 * right behind it. */
static void other_window(struct maker *m, struct window *w)
{
    int i = (int)rng_in(&m->r, 0, w->n - 1);
    inlay_window *at = &w->at[i];
    int64_t by = rng_one_in(&m->r, 2) ? 1 : at->count;
    int64_t last = at->begin + at->step * (at->count - 1);

    if (rng_one_in(&m->r, 2) && at->count > 1)
        *at = (inlay_window){last, at->count, -at->step};
    else if (at->count > 0 && at->begin + by < w->sizes[i] && last + by < w->sizes[i])
        at->begin += by;
    operands(m, w);
}

/* One row of it. */
static void first_row(struct maker *m, struct window *w)
{
    int i = (int)rng_in(&m->r, 0, w->n - 1);
    int64_t axis = w->axes[i] < 0 ? w->axes[i] + m->rank : w->axes[i];

    if (w->at[i].count == 0)
        return;
    w->at[i].count = w->dims[axis] = 1;
    operands(m, w);
}

static struct item *slice(struct maker *m, const struct item *d, const struct window *w)
{
    inlay_value *in[] = {d->value, w->in[0], w->in[1], w->in[2], w->in[3]};

    return add(m, build(m, "Slice", in, 5, NULL), d->rank, w->dims);
}

static void scatter(struct maker *m, const struct item *d, inlay_value *updates,
                    const struct window *w)
{
    inlay_value *in[] = {d->value, updates, w->in[0], w->in[1], w->in[2], w->in[3]};

    add(m, build(m, "SliceScatter", in, 6, NULL), d->rank, d->dims);
}

static struct item *unary(struct maker *m, const struct item *x)
{
    static const char *const types[] = {"ReLU", "Tanh", "Negative", "Abs"};

    return add(m, build(m, types[rng_in(&m->r, 0, 3)], &x->value, 1, NULL), x->rank, x->dims);
}

/* The other operand of a pointwise node over X: something of its shape, or that broadcasts. */
static inlay_value *companion(struct maker *m, const struct item *x)
{
    int64_t dims[INLAY_MAX_RANK];
    struct item *same = rng_one_in(&m->r, 3) ? NULL : same_dims(m, x->rank, x->dims);

    if (same)
        return same->value;
    for (int i = 0; i < x->rank; i++)
        dims[i] = rng_one_in(&m->r, 2) ? 1 : x->dims[i];
    same = same_dims(m, x->rank, dims);
    if (same)
        return same->value;
    return rng_one_in(&m->r, 2) ? constant(m, 0, NULL) : constant(m, x->rank, dims);
}

static struct item *binary(struct maker *m, const struct item *x)
{
    static const char *const types[] = {"Add", "Multiply", "Maximum", "Subtract"};
    inlay_value *in[2];
    int at = rng_one_in(&m->r, 3) ? 1 : 0;

    in[at] = x->value;
    in[1 - at] = rng_one_in(&m->r, 8) ? x->value : companion(m, x);
    return add(m, build(m, types[rng_in(&m->r, 0, 3)], in, 2, NULL), x->rank, x->dims);
}

static inlay_value *convert(struct maker *m, inlay_value *v, const char *type)
{
    char attrs[60];

    snprintf(attrs, sizeof attrs, "destination_type=%s", type);
    return build(m, "Convert", &v, 1, attrs);
}

/* A link of another type, perhaps of another width, and back. */
static struct item *there_and_back(struct maker *m, const struct item *x)
{
    static const char *const types[] = {"f32", "f64", "i32", "f16"};
    inlay_value *between = convert(m, x->value, types[rng_in(&m->r, 0, 3)]);

    return add(m, convert(m, between, inlay_type_info_of(m->type)->name), x->rank, x->dims);
}

/* Zeros are errors when the elements are integers. */
static struct item *divide(struct maker *m, const struct item *x)
{
    inlay_value *in[2] = {x->value};

    in[1] = rng_one_in(&m->r, 3) ? companion(m, x)
                                 : convert(m, scalar(m, 3), inlay_type_info_of(m->type)->name);
    return add(m, build(m, "Divide", in, 2, NULL), x->rank, x->dims);
}

static struct item *pointwise(struct maker *m, struct item *x)
{
    struct item copy = *x; /* items move no more once made, but values do get added */

    if (rng_one_in(&m->r, 12))
        return there_and_back(m, &copy);
    if (rng_one_in(&m->r, inlay_type_is_float(m->type) ? 20 : 4))
        return divide(m, &copy);
    return rng_one_in(&m->r, 2) ? unary(m, &copy) : binary(m, &copy);
}

/* x = Slice(d, w); y = f(x); r = SliceScatter(d, y, w), with all the ways to spoil it. */
static void update_window(struct maker *m)
{
    struct item d = *whole(m), from, x;
    struct window w, row;

    make_window(m, &d, &w);
    from = rng_one_in(&m->r, 6) ? *whole(m) : d;
    if (rng_one_in(&m->r, 6)) { /* what the links may take as their other operand */
        row = w;
        first_row(m, &row);
        slice(m, &from, &row);
    }
    x = *slice(m, &from, &w);
    for (int64_t k = rng_in(&m->r, 0, 3); k > 0; k--)
        x = *pointwise(m, &x);
    if (rng_one_in(&m->r, 6)) { /* something between */
        struct item other = *any(m);

        pointwise(m, &other);
    }
    if (rng_one_in(&m->r, 4))
        operands(m, &w); /* equal constants, other nodes */
    if (rng_one_in(&m->r, 8))
        other_window(m, &w);
    scatter(m, &d, x.value, &w);
}

static void write_window(struct maker *m)
{
    struct item d = *whole(m), *u;
    struct window w;

    make_window(m, &d, &w);
    u = same_dims(m, d.rank, w.dims);
    scatter(m, &d, u ? u->value : constant(m, d.rank, w.dims), &w);
}

/* Indices below SIZE, distinct half of the time; a Parameter's may be out of range. */
static inlay_value *indices(struct maker *m, int64_t n, int64_t size)
{
    int64_t x[8];

    if (rng_one_in(&m->r, 4) && m->g->n_params < RANDOM_MAX_PARAMS - 1)
        return parameter(m, INLAY_I64, 1, &n, false, 0, rng_one_in(&m->r, 3) ? size : size - 1);
    for (int64_t i = 0; i < n; i++)
        x[i] = rng_in(&m->r, 0, size - 1);
    return ints(m, (int)n, x);
}

static void write_rows(struct maker *m)
{
    struct item d = *whole(m), *u;
    int axis = (int)rng_in(&m->r, 0, d.rank - 1);
    int64_t dims[INLAY_MAX_RANK], n = rng_in(&m->r, 1, 3);
    inlay_value *in[4] = {d.value};

    memcpy(dims, d.dims, sizeof dims);
    dims[axis] = n;
    u = same_dims(m, d.rank, dims);
    in[1] = indices(m, n, d.dims[axis]);
    in[2] = u ? u->value : constant(m, d.rank, dims);
    in[3] = scalar(m, axis);
    add(m, build(m, "ScatterUpdate", in, 4, NULL), d.rank, d.dims);
}

/* ScatterNDUpdate of whole slices of axis 0, sometimes added to what is there. */
static void write_tuples(struct maker *m)
{
    struct item d = *whole(m), *u;
    int64_t dims[INLAY_MAX_RANK], n = rng_in(&m->r, 1, 3), x[3];
    inlay_value *in[3] = {d.value};

    memcpy(dims, d.dims, sizeof dims);
    dims[0] = n;
    u = same_dims(m, d.rank, dims);
    for (int i = 0; i < n; i++)
        x[i] = rng_in(&m->r, 0, d.dims[0] - 1);
    in[1] = inlay_build_ints(m->g, "i", INLAY_I64, 2, (int64_t[]){n, 1}, x, m->d);
    in[2] = u ? u->value : constant(m, d.rank, dims);
    add(m, build(m, "ScatterNDUpdate", in, 3, rng_one_in(&m->r, 2) ? "reduction=sum" : NULL),
        d.rank, d.dims);
}

/* ScatterElementsUpdate of a row or two; indices may be given twice. */
static void write_elements(struct maker *m)
{
    struct item d = *whole(m), *u;
    int axis = (int)rng_in(&m->r, 0, d.rank - 1);
    int64_t dims[INLAY_MAX_RANK], x[512], n = 1;
    inlay_value *in[4] = {d.value};

    memcpy(dims, d.dims, sizeof dims);
    dims[axis] = rng_in(&m->r, 1, d.dims[axis]);
    for (int i = 0; i < d.rank; i++)
        n *= dims[i];
    for (int64_t i = 0; i < n; i++)
        x[i] = rng_in(&m->r, -d.dims[axis], d.dims[axis] - 1);
    u = same_dims(m, d.rank, dims);
    in[1] = inlay_build_ints(m->g, "i", INLAY_I64, d.rank, dims, x, m->d);
    in[2] = u ? u->value : constant(m, d.rank, dims);
    in[3] = scalar(m, axis);
    add(m, build(m, "ScatterElementsUpdate", in, 4, rng_one_in(&m->r, 3) ? "reduction=sum" : NULL),
        d.rank, d.dims);
}

static void split(struct maker *m)
{
    struct item x = *any(m);
    int64_t dims[INLAY_MAX_RANK], lengths[2];
    int axis = x.rank ? (int)rng_in(&m->r, 0, x.rank - 1) : -1;
    inlay_value *in[3] = {x.value};
    inlay_node *n;

    if (axis < 0 || x.dims[axis] < 2)
        return;
    lengths[0] = rng_in(&m->r, 1, x.dims[axis] - 1);
    lengths[1] = x.dims[axis] - lengths[0];
    in[1] = scalar(m, axis);
    in[2] = ints(m, 2, lengths);
    n = inlay_build(m->g, "split", "VariadicSplit", NULL, in, 3, NULL, m->d);
    for (int i = 0; i < 2; i++) {
        memcpy(dims, x.dims, sizeof dims);
        dims[axis] = lengths[i];
        add(m, n ? &n->out[i] : NULL, x.rank, dims);
    }
}

static int64_t count(const struct item *x)
{
    int64_t n = 1;

    for (int i = 0; i < x->rank; i++)
        n *= x->dims[i];
    return n;
}

/* To the shape of the windowed tensors when that fits, else flat. */
static void reshape(struct maker *m)
{
    struct item x = *any(m), want = {.rank = m->rank};
    inlay_value *in[2] = {x.value};

    memcpy(want.dims, m->dims, sizeof want.dims);
    if (count(&want) != count(&x) || rng_one_in(&m->r, 2)) {
        want.rank = 1;
        want.dims[0] = count(&x);
    }
    in[1] = ints(m, want.rank, want.dims);
    add(m, build(m, "Reshape", in, 2, "special_zero=false"), want.rank, want.dims);
}

static void unsqueeze(struct maker *m)
{
    struct item x = *any(m);
    int64_t dims[INLAY_MAX_RANK], axis = rng_in(&m->r, 0, x.rank);
    inlay_value *in[2] = {x.value};

    if (x.rank > 3)
        return;
    for (int i = 0, k = 0; i <= x.rank; i++)
        dims[i] = i == axis ? 1 : x.dims[k++];
    in[1] = ints(m, 1, &axis);
    add(m, build(m, "Unsqueeze", in, 2, NULL), x.rank + 1, dims);
}

static void squeeze(struct maker *m)
{
    struct item x = *any(m);
    int64_t dims[INLAY_MAX_RANK], axis = 0;
    inlay_value *in[2] = {x.value};

    while (axis < x.rank && x.dims[axis] != 1)
        axis++;
    if (axis == x.rank)
        return;
    for (int i = 0, k = 0; i < x.rank; i++) {
        if (i != axis)
            dims[k++] = x.dims[i];
    }
    in[1] = ints(m, 1, &axis);
    add(m, build(m, "Squeeze", in, 2, NULL), x.rank - 1, dims);
}

static void transpose(struct maker *m)
{
    struct item x = *any(m);
    int64_t order[INLAY_MAX_RANK], dims[INLAY_MAX_RANK];
    inlay_value *in[2] = {x.value};

    for (int i = 0; i < x.rank; i++) {
        order[i] = x.rank - 1 - i;
        dims[i] = x.dims[x.rank - 1 - i];
    }
    in[1] = ints(m, x.rank, order);
    add(m, build(m, "Transpose", in, 2, NULL), x.rank, dims);
}

static void concat(struct maker *m)
{
    struct item a = *any(m), *b = same_dims(m, a.rank, a.dims);
    int64_t dims[INLAY_MAX_RANK];
    inlay_value *in[2] = {a.value, b ? b->value : a.value};

    if (a.rank == 0 || count(&a) > 500)
        return;
    memcpy(dims, a.dims, sizeof dims);
    dims[0] *= 2;
    add(m, build(m, "Concat", in, 2, "axis=0"), a.rank, dims);
}

static void reduce(struct maker *m)
{
    struct item x = *any(m);
    int64_t dims[INLAY_MAX_RANK];
    inlay_value *in[2] = {x.value};

    if (x.rank == 0)
        return;
    memcpy(dims, x.dims, sizeof dims);
    dims[0] = 1;
    in[1] = ints(m, 1, (int64_t[]){0});
    add(m, build(m, "ReduceSum", in, 2, "keep_dims=true"), x.rank, dims);
}

static void one_more(struct maker *m)
{
    static void (*const makers[])(struct maker *) = {
        update_window,  update_window, update_window, update_window, write_window, write_window,
        write_rows,     write_tuples,  split,         reshape,       unsqueeze,    squeeze,
        write_elements, transpose,     concat,        reduce};
    int64_t k = rng_in(&m->r, 0, sizeof makers / sizeof makers[0] + 2);

    if (k < (int64_t)(sizeof makers / sizeof makers[0]))
        makers[k](m);
    else
        pointwise(m, any(m));
}

/* ---- what rules take ---- */

static bool is_small(const struct item *x)
{
    return count(x) <= 300;
}

static void slice_any(struct maker *m)
{
    struct item x = *any(m);
    struct window w;

    if (x.rank == 0 || count(&x) == 0)
        return;
    make_window(m, &x, &w);
    slice(m, &x, &w);
}

static inlay_value *of_dims(struct maker *m, int rank, const int64_t *dims)
{
    struct item *same = same_dims(m, rank, dims);

    return same ? same->value : constant(m, rank, dims);
}

static void write_any(struct maker *m)
{
    struct item d = *any(m);
    struct window w;

    if (d.rank == 0 || count(&d) == 0)
        return;
    make_window(m, &d, &w);
    scatter(m, &d, of_dims(m, d.rank, w.dims), &w);
}

/* Of two or three values that differ in the size of one axis at most. */
static void concat_any(struct maker *m)
{
    struct item a = *any(m), *b;
    int64_t dims[INLAY_MAX_RANK], n = rng_in(&m->r, 1, 3);
    inlay_value *in[3] = {a.value};
    char attrs[32];
    int axis;

    if (a.rank == 0 || !is_small(&a))
        return;
    axis = (int)rng_in(&m->r, 0, a.rank - 1);
    memcpy(dims, a.dims, sizeof dims);
    for (int i = 1; i < n; i++) {
        b = rng_one_in(&m->r, 3) ? NULL : any(m);
        in[i] = a.value;
        for (int k = 0; b && b->rank == a.rank && k < a.rank; k++) {
            if (k != axis && b->dims[k] != a.dims[k])
                b = NULL;
        }
        if (b && b->rank == a.rank && is_small(b)) {
            in[i] = b->value;
            dims[axis] += b->dims[axis];
        } else {
            dims[axis] += a.dims[axis];
        }
    }
    snprintf(attrs, sizeof attrs, "axis=%d", rng_one_in(&m->r, 3) ? axis - a.rank : axis);
    add(m, build(m, "Concat", in, (int)n, attrs), a.rank, dims);
}

/* Cut in two and joined again, mostly. */
static void split_and_join(struct maker *m)
{
    struct item x = *any(m);
    int before = m->n, axis = 0;
    inlay_value *in[2];
    char attrs[32];

    split(m);
    if (m->n != before + 2 || x.rank == 0)
        return;
    while (axis < m->items[before].rank &&
           m->items[before].dims[axis] == m->items[before + 1].dims[axis])
        axis++;
    if (axis == m->items[before].rank)
        axis = 0;
    x = m->items[before];
    x.dims[axis] += m->items[before + 1].dims[axis];
    in[0] = m->items[before].value;
    in[1] = m->items[before + 1].value;
    for (int k = 0; k < x.rank; k++) {
        if (k != axis && m->items[before].dims[k] != m->items[before + 1].dims[k])
            return;
    }
    snprintf(attrs, sizeof attrs, "axis=%d", axis);
    add(m, build(m, "Concat", in, 2, attrs), x.rank, x.dims);
}

/* Split's parts, of which there may be more than are used, and their join. */
static void split_evenly(struct maker *m)
{
    struct item x = *any(m), y;
    int axis = x.rank ? (int)rng_in(&m->r, 0, x.rank - 1) : 0;
    inlay_value *in[2] = {x.value};
    char attrs[32];
    inlay_node *n;

    if (x.rank == 0 || x.dims[axis] % 2 != 0)
        return;
    in[1] = scalar(m, axis);
    n = inlay_build(m->g, "halves", "Split", NULL, in, 2, "num_splits=2", m->d);
    y = x;
    y.dims[axis] /= 2;
    for (int i = 0; i < 2; i++) {
        add(m, n ? &n->out[i] : NULL, y.rank, y.dims);
        in[i] = &n->out[i];
    }
    snprintf(attrs, sizeof attrs, "axis=%d", axis);
    add(m, build(m, "Concat", in, 2, attrs), x.rank, x.dims);
}

/* Two halves by Slice, joined, or only cut. */
static void slice_and_join(struct maker *m)
{
    struct item x = *any(m);
    int axis = x.rank ? (int)rng_in(&m->r, 0, x.rank - 1) : 0;
    inlay_value *in[2];
    int64_t at;
    char attrs[32];

    if (x.rank == 0 || x.dims[axis] < 2)
        return;
    at = rng_in(&m->r, 1, x.dims[axis] - 1);
    for (int i = 0; i < 2; i++) {
        struct window w = {.n = 1, .axes = {axis}, .sizes = {x.dims[axis]}};

        memcpy(w.dims, x.dims, sizeof w.dims);
        w.at[0] = i == 0 ? (inlay_window){0, at, 1} : (inlay_window){at, x.dims[axis] - at, 1};
        w.dims[axis] = w.at[0].count;
        operands(m, &w);
        in[i] = slice(m, &x, &w)->value;
    }
    snprintf(attrs, sizeof attrs, "axis=%d", axis);
    add(m, build(m, "Concat", in, 2, attrs), x.rank, x.dims);
}

static void reverse_any(struct maker *m)
{
    struct item x = *any(m);
    inlay_value *in[2] = {x.value};
    inlay_node *n;

    if (x.rank == 0)
        return;
    in[1] = ints(m, 1, (int64_t[]){rng_in(&m->r, 0, x.rank - 1)});
    n = inlay_build(m->g, "reversed", "Reverse", "opset1", in, 2, "mode=index", m->d);
    add(m, n ? &n->out[0] : NULL, x.rank, x.dims);
}

/* A number repeated, which windows are then written into. */
static void fill_any(struct maker *m)
{
    struct item x = *any(m);
    inlay_value *in[2];

    if (x.rank == 0 || !is_small(&x))
        return;
    in[0] = constant(m, 0, NULL);
    in[1] = ints(m, x.rank, x.dims);
    add(m, build(m, "Broadcast", in, 2, NULL), x.rank, x.dims);
}

/* The same permutation, or f, on both sides of an operation. */
static void pair(struct maker *m)
{
    struct item a = *any(m), *b = same_dims(m, a.rank, a.dims);
    int64_t order[INLAY_MAX_RANK], dims[INLAY_MAX_RANK];
    inlay_value *in[2], *out[2];

    if (a.rank == 0 || !b)
        return;
    for (int i = 0; i < a.rank; i++) {
        order[i] = a.rank - 1 - i;
        dims[i] = a.dims[a.rank - 1 - i];
    }
    for (int i = 0; i < 2; i++) {
        in[0] = i ? b->value : a.value;
        in[1] = ints(m, a.rank, order);
        out[i] = build(m, "Transpose", in, 2, NULL);
    }
    add(m, build(m, "Maximum", out, 2, NULL), a.rank, dims);
}

static void write_pair(struct maker *m)
{
    struct item d = *any(m);
    struct window w;
    inlay_value *u, *in[2];

    if (d.rank == 0 || count(&d) == 0)
        return;
    make_window(m, &d, &w);
    u = of_dims(m, d.rank, w.dims);
    in[0] = build(m, "Abs", &d.value, 1, NULL);
    in[1] = build(m, "Abs", &u, 1, NULL);
    d.value = in[0];
    scatter(m, &d, in[1], &w);
}

static void transpose_any(struct maker *m)
{
    struct item x = *any(m);
    int64_t order[INLAY_MAX_RANK], dims[INLAY_MAX_RANK];
    inlay_value *in[2] = {x.value};

    if (x.rank == 0)
        return;
    for (int i = 0; i < x.rank; i++)
        order[i] = i;
    for (int i = x.rank - 1; i > 0; i--) {
        int64_t k = rng_in(&m->r, 0, i), was = order[i];

        order[i] = order[k];
        order[k] = was;
    }
    for (int i = 0; i < x.rank; i++)
        dims[i] = x.dims[order[i]];
    in[1] = ints(m, x.rank, order);
    add(m, build(m, "Transpose", in, 2, NULL), x.rank, dims);
}

static void pad_any(struct maker *m)
{
    struct item x = *any(m);
    int64_t begin[INLAY_MAX_RANK], end_[INLAY_MAX_RANK];
    inlay_value *in[4] = {x.value};
    bool value = rng_one_in(&m->r, 3);

    if (x.rank == 0 || !is_small(&x))
        return;
    for (int i = 0; i < x.rank; i++) {
        begin[i] = rng_in(&m->r, x.dims[i] > 0 ? -1 : 0, 2) * rng_in(&m->r, 0, 1);
        end_[i] = rng_in(&m->r, 0, 1) * rng_in(&m->r, 0, 1);
        x.dims[i] += begin[i] + end_[i];
    }
    in[1] = ints(m, x.rank, begin);
    in[2] = ints(m, x.rank, end_);
    if (value)
        in[3] = constant(m, 0, NULL);
    add(m, build(m, "Pad", in, value ? 4 : 3, "pad_mode=constant"), x.rank, x.dims);
}

/* One of few lists of indices of an axis of SIZE, so that lists come again; FROM_END: negative. */
static inlay_value *few_indices(struct maker *m, int64_t n, int64_t size, bool from_end)
{
    int64_t x[4], first = rng_in(&m->r, 0, size > 2 ? 1 : 0), step = rng_one_in(&m->r, 4) ? 0 : 1;

    for (int64_t i = 0; i < n; i++)
        x[i] = (first + i * step) % size - (from_end ? size : 0);
    return ints(m, (int)n, x);
}

static void gather_any(struct maker *m)
{
    static const char *const versions[] = {"opset1", "opset7", "opset8"};
    const char *version = versions[rng_in(&m->r, 0, 2)];
    struct item x = *any(m);
    int axis = x.rank ? (int)rng_in(&m->r, 0, x.rank - 1) : 0;
    int64_t n = rng_in(&m->r, 1, 3);
    inlay_value *in[3] = {x.value};
    inlay_node *gather;

    if (x.rank == 0 || x.dims[axis] == 0)
        return;
    if (rng_one_in(&m->r, 4)) { /* a scalar takes the axis away */
        in[1] = scalar(m, 0);
        in[2] = scalar(m, axis);
        for (int i = axis; i + 1 < x.rank; i++)
            x.dims[i] = x.dims[i + 1];
        x.rank--;
    } else {
        in[1] = few_indices(m, n, x.dims[axis], rng_one_in(&m->r, 3));
        in[2] = scalar(m, rng_one_in(&m->r, 3) ? axis - x.rank : axis);
        x.dims[axis] = n;
    }
    gather = inlay_build(m->g, "gathered", "Gather", version, in, 3, NULL, m->d);
    add(m, gather ? &gather->out[0] : NULL, x.rank, x.dims);
}

static void scatter_rows(struct maker *m)
{
    struct item d = *any(m);
    int axis = d.rank ? (int)rng_in(&m->r, 0, d.rank - 1) : 0;
    int64_t dims[INLAY_MAX_RANK], n = rng_in(&m->r, 1, 3);
    inlay_value *in[4] = {d.value};

    if (d.rank == 0 || d.dims[axis] == 0)
        return;
    memcpy(dims, d.dims, sizeof dims);
    dims[axis] = n;
    in[1] = few_indices(m, n, d.dims[axis], false);
    in[2] = of_dims(m, d.rank, dims);
    in[3] = scalar(m, axis);
    add(m, build(m, "ScatterUpdate", in, 4, NULL), d.rank, d.dims);
}

/* The same indices in every graph, so that scatters and gathers meet: of two positions at most of
 * each axis of D, which become the dims of U. NULL: D has none. */
static inlay_value *element_indices(struct maker *m, const struct item *d, int axis, struct item *u)
{
    int64_t x[16], size;

    *u = *d;
    for (int i = 0; i < d->rank; i++)
        u->dims[i] = d->dims[i] > 2 ? 2 : d->dims[i];
    size = count(u);
    if (d->rank == 0 || d->dims[axis] == 0 || size > 16)
        return NULL;
    for (int64_t i = 0; i < size; i++)
        x[i] = i % d->dims[axis];
    return inlay_build_ints(m->g, "i", INLAY_I64, d->rank, u->dims, x, m->d);
}

static void scatter_elements(struct maker *m)
{
    struct item d = *any(m), u;
    int axis = d.rank ? (int)rng_in(&m->r, 0, d.rank - 1) : 0;
    inlay_value *in[4] = {d.value, element_indices(m, &d, axis, &u)};

    if (!in[1])
        return;
    in[2] = of_dims(m, d.rank, u.dims);
    in[3] = scalar(m, axis);
    add(m, build(m, "ScatterElementsUpdate", in, 4, rng_one_in(&m->r, 3) ? "reduction=max" : NULL),
        d.rank, d.dims);
}

static void gather_elements(struct maker *m)
{
    struct item d = *any(m), u;
    int axis = d.rank ? (int)rng_in(&m->r, 0, d.rank - 1) : 0;
    inlay_value *in[2] = {d.value, element_indices(m, &d, axis, &u)};
    char attrs[32];

    if (!in[1])
        return;
    for (int i = 0; i < d.rank; i++) { /* the others must be d's */
        if (i != axis && u.dims[i] != d.dims[i])
            return;
    }
    snprintf(attrs, sizeof attrs, "axis=%d", axis);
    add(m, build(m, "GatherElements", in, 2, attrs), u.rank, u.dims);
}

/* One or two rows of D, by a tuple each; U has their dims. NULL: D has none. */
static inlay_value *tuples(struct maker *m, const struct item *d, struct item *u)
{
    int64_t n = rng_in(&m->r, 1, 2), x[2];

    *u = *d;
    if (d->rank == 0 || d->dims[0] == 0)
        return NULL;
    u->dims[0] = n;
    for (int i = 0; i < n; i++)
        x[i] = i % d->dims[0];
    return inlay_build_ints(m->g, "i", INLAY_I64, 2, (int64_t[]){n, 1}, x, m->d);
}

static void scatter_tuples(struct maker *m)
{
    struct item d = *any(m), u;
    inlay_value *in[3] = {d.value, tuples(m, &d, &u)};

    if (!in[1])
        return;
    in[2] = of_dims(m, d.rank, u.dims);
    add(m, build(m, "ScatterNDUpdate", in, 3, NULL), d.rank, d.dims);
}

static void gather_tuples(struct maker *m)
{
    struct item d = *any(m), u;
    inlay_value *in[2] = {d.value, tuples(m, &d, &u)};

    if (in[1])
        add(m, build(m, "GatherND", in, 2, NULL), u.rank, u.dims);
}

/* One more axis in front, and those of size 1 made larger. */
static void broadcast_any(struct maker *m)
{
    struct item x = *any(m), y = {.rank = x.rank};
    int more = rng_one_in(&m->r, 2);
    inlay_value *in[2] = {x.value};

    if (x.rank + more > 4 || x.rank + more == 0 || !is_small(&x))
        return;
    y.rank = x.rank + more;
    y.dims[0] = rng_in(&m->r, 1, 3);
    for (int i = 0; i < x.rank; i++)
        y.dims[i + more] = x.dims[i] == 1 ? rng_in(&m->r, 1, 3) : x.dims[i];
    in[1] = ints(m, y.rank, y.dims);
    add(m, build(m, "Broadcast", in, 2, NULL), y.rank, y.dims);
}

static void tile_any(struct maker *m)
{
    struct item x = *any(m);
    int64_t times[INLAY_MAX_RANK];
    inlay_value *in[2] = {x.value};

    if (x.rank == 0 || count(&x) > 60)
        return;
    for (int i = 0; i < x.rank; i++) {
        times[i] = rng_one_in(&m->r, 3) ? 2 : 1;
        x.dims[i] *= times[i];
    }
    in[1] = ints(m, x.rank, times);
    add(m, build(m, "Tile", in, 2, NULL), x.rank, x.dims);
}

static void convert_any(struct maker *m)
{
    struct item x = *any(m);
    char attrs[64];

    snprintf(attrs, sizeof attrs, "destination_type=%s", inlay_type_info_of(m->type)->name);
    add(m, build(m, "Convert", &x.value, 1, attrs), x.rank, x.dims);
}

static void strided_slice(struct maker *m)
{
    struct item x = *any(m);
    inlay_value *in[4] = {x.value};
    inlay_window norm;

    if (x.rank == 0)
        return;
    norm = inlay_window_normalise(rng_in(&m->r, 0, 2), rng_in(&m->r, 2, 5), rng_in(&m->r, 1, 2),
                                  x.dims[0]);
    in[1] = ints(m, 1, (int64_t[]){norm.begin});
    in[2] = ints(m, 1, (int64_t[]){norm.begin + norm.step * norm.count});
    in[3] = ints(m, 1, (int64_t[]){norm.step});
    x.dims[0] = norm.count;
    add(m, build(m, "StridedSlice", in, 4, "begin_mask=0; end_mask=0"), x.rank, x.dims);
}

static void pointwise_any(struct maker *m)
{
    pointwise(m, any(m));
}

/* How often each kind of node comes, by weight. */
static const struct move {
    void (*make)(struct maker *m);
    int weight;
} moves[] = {{slice_any, 5},
             {write_any, 4},
             {concat_any, 2},
             {split_and_join, 1},
             {split_evenly, 1},
             {slice_and_join, 1},
             {transpose_any, 2},
             {pad_any, 2},
             {gather_any, 3},
             {scatter_rows, 3},
             {scatter_tuples, 2},
             {scatter_elements, 2},
             {gather_elements, 2},
             {gather_tuples, 2},
             {reshape, 1},
             {unsqueeze, 2},
             {squeeze, 3},
             {broadcast_any, 2},
             {tile_any, 1},
             {convert_any, 1},
             {strided_slice, 1},
             {split, 1},
             {reverse_any, 2},
             {fill_any, 1},
             {pair, 1},
             {write_pair, 1},
             {pointwise_any, 5}};

static void one_more_move(struct maker *m)
{
    enum { N_MOVES = sizeof moves / sizeof moves[0] };
    int64_t all = 0, at;
    int k = 0;

    for (int i = 0; i < N_MOVES; i++)
        all += moves[i].weight;
    for (at = rng_in(&m->r, 0, all - 1); at >= moves[k].weight; k++)
        at -= moves[k].weight;
    moves[k].make(m);
}

static void read_variable(struct maker *m, int k)
{
    char attrs[200], shape[100] = "";
    inlay_value *init = rng_one_in(&m->r, 2) ? constant(m, m->rank, m->dims) : m->items[0].value;
    const char *type = inlay_type_info_of(m->type)->name;

    for (int i = 0; i < m->rank; i++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%lld", i ? "," : "",
                 (long long)m->dims[i]);
    snprintf(attrs, sizeof attrs, "variable_id=v%d; variable_type=%s; variable_shape=%s", k, type,
             shape);
    add(m, build(m, "ReadValue", &init, rng_one_in(&m->r, 4) ? 0 : 1, attrs), m->rank, m->dims);
}

static void assign_variable(struct maker *m, int k)
{
    char attrs[40];
    inlay_value *v = whole(m)->value;

    snprintf(attrs, sizeof attrs, "variable_id=v%d", k);
    build(m, "Assign", &v, 1, attrs);
}

static void begin(struct maker *m)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F16,
                                       INLAY_I32, INLAY_F64, INLAY_I4,  INLAY_I8};

    m->type = types[rng_in(&m->r, 0, 7)];
    m->rank = (int)rng_in(&m->r, 1, 3);
    for (int i = 0; i < m->rank; i++)
        m->dims[i] = rng_in(&m->r, 2, m->again ? 4 : 7);
    m->dynamic = rng_one_in(&m->r, 3);
    for (int64_t k = rng_in(&m->r, 1, 2); k > 0; k--)
        add(m, parameter(m, m->type, m->rank, m->dims, m->dynamic, 0, 0), m->rank, m->dims);
    if (rng_one_in(&m->r, 3))
        add(m, constant(m, m->rank, m->dims), m->rank, m->dims);
}

static void end(struct maker *m, int n_variables)
{
    for (int k = 0; k < n_variables; k++) {
        if (!rng_one_in(&m->r, 5))
            assign_variable(m, k);
    }
    for (int64_t k = rng_in(&m->r, 0, 2); k > 0; k--) {
        if (!inlay_build_result(m->g, "r", any(m)->value, m->d))
            give_up(m);
    }
    for (int64_t k = rng_one_in(&m->r, 8) ? 2 : 1; k > 0; k--) { /* perhaps one value twice */
        if (!inlay_build_result(m->g, "r", m->items[m->n - 1].value, m->d))
            give_up(m);
    }
}

random_graph random_graph_of(uint64_t seed, inlay_diags *d)
{
    random_graph out = {0};
    struct maker m = {.r = {seed}, .out = &out, .d = d};
    int n_variables;

    out.graph = m.g = inlay_graph_new("random", d);
    begin(&m);
    n_variables = rng_one_in(&m.r, 2) ? (int)rng_in(&m.r, 1, 2) : 0;
    for (int k = 0; k < n_variables; k++)
        read_variable(&m, k);
    if (n_variables > 0 && rng_one_in(&m.r, 4)) /* a second reader of the same state */
        read_variable(&m, 0);
    for (int64_t k = rng_in(&m.r, 3, 16); k > 0; k--)
        one_more(&m);
    end(&m, n_variables);
    return out;
}

random_graph random_moves_of(uint64_t seed, inlay_diags *d)
{
    struct window again[WINDOWS_KEPT];
    random_graph out = {0};
    struct maker m = {.r = {seed}, .out = &out, .d = d, .again = again};

    out.graph = m.g = inlay_graph_new("moves", d);
    begin(&m);
    for (int64_t k = rng_in(&m.r, 4, 24); k > 0; k--)
        one_more_move(&m);
    end(&m, 0);
    return out;
}

inlay_tensor *random_input(const random_graph *g, int i, rng *r)
{
    const struct random_param *p = &g->params[i];
    inlay_type type = g->graph->params[i]->out[0].fact.type;
    inlay_tensor *t = inlay_tensor_new(type, p->rank, p->dims);

    for (int64_t k = 0; k < inlay_tensor_count(t); k++)
        inlay_tensor_set_f64(
            t, k, type == INLAY_I64 ? (double)rng_in(r, p->lo, p->hi) : (double)rng_in(r, -8, 8));
    return t;
}
