/* Scatters whose indices are constants as windows, permutations, or the next simpler scatter. */
#include "passes/fold_scatter.h"
#include "passes/indices.h"
#include "passes/storage.h"

#include <stdlib.h>
#include <string.h>

/* A scatter being looked at: data, constant indices, updates. */
typedef struct scattering {
    inlay_graph *g;
    inlay_value *data, *u;
    const inlay_tensor *t;
    simpler *out;
    inlay_diags *diags;
} scattering;

/* Where the updates go: a window on each axis that is CUT, all of the others. */
typedef struct target {
    inlay_window w[INLAY_MAX_RANK];
    bool cut[INLAY_MAX_RANK];
} target;

static const inlay_tensor *content(const inlay_value *v)
{
    return v ? v->fact.content : NULL;
}

static bool is_replacing(const inlay_node *n)
{
    const char *reduction = inlay_node_string(n, "reduction");

    return !reduction || strcmp(reduction, "none") == 0;
}

static bool const_axis(const inlay_node *n, int rank, int *axis)
{
    const inlay_tensor *t = content(inlay_node_input(n, 3));
    int64_t a;

    if (!t || inlay_tensor_count(t) != 1 || rank < 0)
        return false;
    a = inlay_tensor_get_i64(t, 0);
    a = a < 0 ? a + rank : a;
    *axis = (int)a;
    return a >= 0 && a < rank;
}

/* May the newest operation TYPE have data of the element type? The documents differ. */
static bool takes(const char *type, const inlay_value *data)
{
    const inlay_op *op = inlay_op_find(type, NULL, NULL, NULL);

    return op && data->fact.type != INLAY_DYNAMIC && (op->in[0].types >> data->fact.type & 1);
}

static inlay_value *ints(const scattering *s, const char *what, int rank, const int64_t *dims,
                         const int64_t *x)
{
    return inlay_build_ints(s->g, what, INLAY_I64, rank, dims, x, s->diags);
}

static inlay_value *build(const scattering *s, const char *type, inlay_value **in, int n,
                          const char *attrs)
{
    inlay_node *made;

    for (int i = 0; i < n; i++) {
        if (!in[i])
            return NULL;
    }
    made = inlay_build(s->g, type, NULL, NULL, in, n, attrs, s->diags);
    return made ? &made->out[0] : NULL;
}

/* The updates of a 0-D index, which lack the axis: B2. */
static inlay_value *with_axis(const scattering *s, int axis)
{
    int64_t at = axis, one = 1;
    inlay_value *in[2] = {s->u, ints(s, "axes", 1, &one, &at)};

    return build(s, "Unsqueeze", in, 2, NULL);
}

/* The updates with the sizes DIMS: themselves, or a Reshape, in which one size may be unknown.
 * *CAN is false when more are. */
static inlay_value *reshaped(const scattering *s, const inlay_dim *dims, int rank, bool *can)
{
    const inlay_fact want = {.rank = rank, .dims = dims};
    int64_t list[INLAY_MAX_RANK], n = rank;
    inlay_value *in[2] = {s->u, NULL};
    int open = 0;

    *can = true;
    if (inlay_fact_same_shape(&s->u->fact, &want))
        return s->u;
    for (int i = 0; i < rank; i++) {
        list[i] = inlay_dim_is_static(dims[i]) ? dims[i].lo : -1;
        open += list[i] == -1;
        *can = *can && list[i] != 0 && open < 2;
    }
    if (!*can)
        return NULL;
    in[1] = ints(s, "shape", 1, &n, list);
    return build(s, "Reshape", in, 2, "special_zero=false");
}

static bool is_all(const inlay_value *data, const target *to, int axis)
{
    inlay_dim d = data->fact.dims[axis];

    return !to->cut[axis] ||
           (inlay_dim_is_static(d) && inlay_window_equal(to->w[axis], (inlay_window){0, d.lo, 1}));
}

static bool takes_all(const inlay_value *data, const target *to)
{
    for (int a = 0; a < data->fact.rank; a++) {
        if (!is_all(data, to, a))
            return false;
    }
    return true;
}

/* SliceScatter(data, u, windows), of the axes that are not all taken; when there are none, of those
 * that are cut, so that the lists are not empty. */
static bool write_windows(const scattering *s, inlay_value *u, const target *to)
{
    int64_t list[4][INLAY_MAX_RANK], n = 0;
    inlay_value *in[6] = {s->data, u};
    bool all = takes_all(s->data, to);

    for (int a = 0; a < s->data->fact.rank; a++) {
        if (all ? !to->cut[a] : is_all(s->data, to, a))
            continue;
        inlay_window_denormalise(to->w[a], s->data->fact.dims[a].lo, &list[0][n], &list[1][n],
                                 &list[2][n]);
        list[3][n++] = a;
    }
    in[2] = ints(s, "start", 1, &n, list[0]);
    in[3] = ints(s, "stop", 1, &n, list[1]);
    in[4] = ints(s, "step", 1, &n, list[2]);
    in[5] = ints(s, "axes", 1, &n, list[3]);
    s->out->new = build(s, "SliceScatter", in, 6, NULL);
    return s->out->new != NULL;
}

/* The updates, whose sizes are DIMS once they have as many axes, to the windows: they themselves
 * when that is all of data. AXIS is one that they lack, -1. */
static bool write_target(const scattering *s, const inlay_dim *dims, int axis, const target *to)
{
    bool all = takes_all(s->data, to), can = true;
    inlay_value *u;

    if (!all && !takes("SliceScatter", s->data))
        return true;
    u = axis < 0 ? reshaped(s, dims, s->data->fact.rank, &can) : with_axis(s, axis);
    if (!u)
        return !can;
    if (!all || !inlay_fact_same_shape(&s->data->fact, &u->fact))
        return write_windows(s, u, to);
    if (u == s->u)
        s->out->old = u;
    else
        s->out->new = u;
    return true;
}

/* For positions X that name each of SIZE once: where the update of each stands. The caller frees
 * it; NULL when they are no permutation (or out of memory: nothing is lost). */
static int64_t *inverse_of(const int64_t *x, int64_t n, int64_t size)
{
    int64_t *inverse = n == size && n > 0 ? malloc((size_t)n * sizeof *inverse) : NULL;

    for (int64_t i = 0; inverse && i < n; i++)
        inverse[i] = -1;
    for (int64_t i = 0; inverse && i < n; i++) {
        if (inverse[x[i]] >= 0) {
            free(inverse);
            return NULL;
        }
        inverse[x[i]] = i;
    }
    return inverse;
}

/* The sizes of updates are proven to be those of data but along AXIS. */
static bool same_beside(const scattering *s, int axis)
{
    if (s->u->fact.rank != s->data->fact.rank)
        return false;
    for (int i = 0; i < s->data->fact.rank; i++) {
        if (i != axis && !inlay_dim_proven_equal(s->data->fact.dims[i], s->u->fact.dims[i]))
            return false;
    }
    return true;
}

/* Gather(u, inverse), where updates are sure to fit: B5. */
static bool gather_updates(const scattering *s, const int64_t *inverse, int64_t n, int axis)
{
    int64_t at = axis;
    inlay_value *in[3] = {s->u, ints(s, "inverse", 1, &n, inverse), ints(s, "axis", 0, NULL, &at)};

    s->out->new = build(s, "Gather", in, 3, NULL);
    return s->out->new != NULL;
}

/* ScatterUpdate(data, x, u, axis), X with the sizes DIMS. */
static bool scatter_along(const scattering *s, const int64_t *x, int rank, const int64_t *dims,
                          int axis)
{
    int64_t at = axis;
    inlay_value *in[4] = {s->data};

    if (!takes("ScatterUpdate", s->data))
        return true;
    in[1] = ints(s, "indices", rank, dims, x);
    in[2] = s->u;
    in[3] = ints(s, "axis", 0, NULL, &at);
    s->out->new = build(s, "ScatterUpdate", in, 4, NULL);
    return s->out->new != NULL;
}

/* A progression X along AXIS; in the updates its N positions have the axes from AXIS on, MERGED of
 * them (0: none). */
static bool write_progression(const scattering *s, inlay_window w, int axis, int merged)
{
    int rank = s->data->fact.rank;
    inlay_dim dims[INLAY_MAX_RANK];
    target to = {.cut = {false}};

    if (s->u->fact.rank != rank - 1 + merged)
        return true;
    for (int i = 0; i < rank; i++)
        dims[i] = i < axis    ? s->u->fact.dims[i]
                  : i == axis ? inlay_dim_of(w.count)
                              : s->u->fact.dims[i - 1 + merged];
    to.cut[axis] = true;
    to.w[axis] = w;
    return write_target(s, dims, merged == 0 ? axis : -1, &to);
}

/* B1 to B5 */
static bool fold_update(const scattering *s, int axis)
{
    int64_t size = s->data->fact.dims[axis].lo, n = inlay_tensor_count(s->t);
    int64_t *x = malloc(((size_t)n + 1) * sizeof *x), *inverse = NULL;
    inlay_window w;
    bool ok = true;

    if (!x)
        return inlay_fail_memory(s->diags);
    if (!inlay_dim_is_static(s->data->fact.dims[axis]) || !index_list(s->t, size, false, x))
        goto end;
    if (index_progression(x, n, &w))
        ok = write_progression(s, w, axis, s->t->rank);
    else if (s->t->rank == 1 && same_beside(s, axis) && (inverse = inverse_of(x, n, size)))
        ok = gather_updates(s, inverse, n, axis);
end:
    free(inverse);
    free(x);
    return ok;
}

/* The corner of data that smaller updates reach, W along AXIS. */
static bool write_corner(const scattering *s, inlay_window w, int axis)
{
    target to = {.cut = {false}};
    int64_t data[INLAY_MAX_RANK], u[INLAY_MAX_RANK];

    if (!inlay_fact_dims(&s->data->fact, data) || !inlay_fact_dims(&s->u->fact, u))
        return true;
    for (int i = 0; i < s->data->fact.rank; i++) {
        to.cut[i] = true;
        to.w[i] = i == axis ? w : (inlay_window){0, u[i], 1};
        if (i != axis && u[i] > data[i])
            return true; /* an error of the run */
    }
    return write_target(s, s->u->fact.dims, -1, &to);
}

/* Indices that vary along the axis only: B11, B12. */
static bool fold_elements(const scattering *s, int axis)
{
    int64_t size = s->data->fact.dims[axis].lo, n = s->t->dims[axis];
    int64_t *x = malloc(((size_t)n + 1) * sizeof *x), *inverse = NULL;
    bool whole = same_beside(s, axis), ok = true;
    inlay_window w;

    if (!x)
        return inlay_fail_memory(s->diags);
    if (!inlay_dim_is_static(s->data->fact.dims[axis]) || !index_line(s->t, axis, size, true, x))
        goto end;
    if (index_progression(x, n, &w))
        ok = whole ? write_progression(s, w, axis, 1) : write_corner(s, w, axis);
    else if (whole && (inverse = inverse_of(x, n, size)))
        ok = gather_updates(s, inverse, n, axis);
    else if (whole)
        ok = scatter_along(s, x, 1, &n, axis);
end:
    free(inverse);
    free(x);
    return ok;
}

/* The tuples are a box on the first K axes: B9, B10. */
static bool write_box(const scattering *s, int k, target *to)
{
    int front = s->t->rank - 1, rank = s->data->fact.rank;
    inlay_dim dims[INLAY_MAX_RANK];

    if (s->u->fact.rank != front + rank - k)
        return true; /* one element for a tensor without axes */
    for (int i = 0; i < rank; i++) {
        to->cut[i] = i < k;
        dims[i] = i < k ? inlay_dim_of(to->w[i].count) : s->u->fact.dims[front + i - k];
    }
    return write_target(s, dims, -1, to);
}

/* Tuples of one component are indices along axis 0: B8. */
static bool fold_single(const scattering *s)
{
    int64_t size = s->data->fact.dims[0].lo, n = inlay_tensor_count(s->t);
    int64_t *x = malloc(((size_t)n + 1) * sizeof *x), *inverse = NULL;
    bool ok = true;

    if (!x)
        return inlay_fail_memory(s->diags);
    if (!inlay_dim_is_static(s->data->fact.dims[0]) || !index_list(s->t, size, true, x))
        goto end;
    if (s->t->rank == 2 && same_beside(s, 0) && (inverse = inverse_of(x, n, size)))
        ok = gather_updates(s, inverse, n, 0);
    else
        ok = scatter_along(s, x, s->t->rank - 1, s->t->dims, 0);
end:
    free(inverse);
    free(x);
    return ok;
}

static bool fold_nd(const scattering *s)
{
    int64_t k = s->t->rank > 0 ? s->t->dims[s->t->rank - 1] : 0;
    target to = {.cut = {false}};

    if (k < 1 || k > s->data->fact.rank)
        return true;
    if (index_box(s->t, s->data->fact.dims, true, to.w))
        return write_box(s, (int)k, &to);
    return k > 1 || fold_single(s);
}

bool fold_scatter_indices(const inlay_node *n, simpler *out, inlay_diags *d)
{
    scattering s = {
        n->graph, scatter_data(n), inlay_node_input(n, 2), content(inlay_node_input(n, 1)), out, d};
    bool nd = inlay_node_is(n, INLAY_OP_SCATTER_ND_UPDATE);
    int axis;

    if (!s.t || !s.u || s.data->fact.rank < 1 || s.u->fact.rank < 0 || !is_replacing(n))
        return true;
    if (nd)
        return fold_nd(&s);
    if (!const_axis(n, s.data->fact.rank, &axis))
        return true;
    return inlay_node_is(n, INLAY_OP_SCATTER_UPDATE) ? fold_update(&s, axis)
                                                     : fold_elements(&s, axis);
}

bool fold_indices_are_good(const inlay_node *n)
{
    const inlay_value *data = scatter_data(n), *indices = inlay_node_input(n, 1);
    const inlay_tensor *t = content(indices);
    bool nd = inlay_node_is(n, INLAY_OP_SCATTER_ND_UPDATE);
    int axis = 0;
    int64_t k;

    if (inlay_fact_is_empty(&indices->fact))
        return true;
    if (!t || (!nd && !const_axis(n, data->fact.rank, &axis)))
        return false;
    k = nd && t->rank > 0 ? t->dims[t->rank - 1] : 1;
    for (int64_t i = 0, count = inlay_tensor_count(t); i < count; i++) {
        int at = axis + (int)(i % k);

        if (at >= data->fact.rank || index_position(t, i, data->fact.dims[at].lo,
                                                    !inlay_node_is(n, INLAY_OP_SCATTER_UPDATE)) < 0)
            return false; /* lo is what the size is at least */
    }
    return true;
}
