/* Turns scatters with constant indices into windows, permutations, or the next simpler scatter. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/fold/scattering.h"
#include "passes/query/indices.h"
#include "passes/query/scatter.h"

#include <stdlib.h>
#include <string.h>

static const inlay_tensor *content(const inlay_value *v)
{
    return v ? v->fact.content : NULL;
}

/* Allocates N positions, followed by their inverse. The caller frees it. */
static int64_t *room_for(const scattering *s, int64_t n)
{
    return inlay_take_raw(inlay_node_budget(s->data->node), (2 * (size_t)n + 1) * sizeof(int64_t));
}

/* Inverts X, which has each of the positions below SIZE once. False: it is no permutation. */
static bool invert(const int64_t *x, int64_t n, int64_t size, int64_t *inverse)
{
    if (n != size)
        return false;
    for (int64_t i = 0; i < n; i++)
        inverse[i] = -1;
    for (int64_t i = 0; i < n; i++) {
        if (inverse[x[i]] >= 0)
            return false;
        inverse[x[i]] = i;
    }
    return true;
}

/* The sizes of the updates are proven to be those of the data, except along AXIS. */
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

/* Makes Gather(u, inverse) if the updates are sure to fit: B5 of the catalogue. */
static bool gather_updates(const scattering *s, const int64_t *inverse, int64_t n, int axis)
{
    int64_t at = axis;
    inlay_value *in[3] = {s->u, scattering_ints(s, "inverse", 1, &n, inverse),
                          scattering_ints(s, "axis", 0, NULL, &at)};

    s->out->new = scattering_build(s, "Gather", in, 3, NULL);
    return s->out->new != NULL;
}

/* Makes ScatterUpdate(data, x, u, axis), where X has the sizes DIMS. */
static bool scatter_along(const scattering *s, const int64_t *x, int rank, const int64_t *dims,
                          int axis)
{
    int64_t at = axis;
    inlay_value *in[4] = {s->data};

    if (!scattering_takes("ScatterUpdate", s->data))
        return true;
    in[1] = scattering_ints(s, "indices", rank, dims, x);
    in[2] = s->u;
    in[3] = scattering_ints(s, "axis", 0, NULL, &at);
    s->out->new = scattering_build(s, "ScatterUpdate", in, 4, NULL);
    return s->out->new != NULL;
}

/* Writes a progression X along AXIS. In the updates its N positions are MERGED axes from AXIS on
 * (0: none). If they are one axis, a SliceScatter makes the same checks as the scatter. */
static bool write_progression(const scattering *s, inlay_window w, int axis, int merged)
{
    int rank = s->data->fact.rank;
    inlay_dim dims[INLAY_MAX_RANK];
    target to = {.cut = {false}};
    inlay_value *u = s->u;
    bool can = true;

    to.cut[axis] = true;
    to.w[axis] = w;
    if (s->u->fact.rank != rank - 1 + merged || !scattering_can_write(s, &to) ||
        (merged > 1 && !scattering_stand_alike(s, axis, merged)))
        return true;
    for (int i = 0; i < rank; i++)
        dims[i] = i < axis    ? s->u->fact.dims[i]
                  : i == axis ? inlay_dim_of(w.count)
                              : s->u->fact.dims[i - 1 + merged];
    if (merged != 1)
        u = merged == 0 ? raise_updates(s, s->u, axis) : scattering_reshaped(s, dims, &can);
    return u ? scattering_write_target(s, u, &to) : !can;
}

/* Does B1 to B5 of passes/rules/CATALOGUE.md. */
static bool fold_update(const scattering *s, int axis)
{
    int64_t size = s->data->fact.dims[axis].lo, n = inlay_tensor_count(s->t);
    int64_t *x = room_for(s, n);
    inlay_window w;
    bool ok = true, known;

    if (!x)
        return inlay_fail_memory(s->diags);
    known = inlay_dim_is_static(s->data->fact.dims[axis]) && index_list(s->t, size, false, x);
    if (known && index_progression(x, n, &w))
        ok = write_progression(s, w, axis, s->t->rank);
    else if (known && s->t->rank == 1 && s->fits && invert(x, n, size, x + n))
        ok = gather_updates(s, x + n, n, axis);
    inlay_give(x);
    return ok;
}

/* Writes the corner of the data that smaller updates cover, and W along AXIS. The shape rule has
 * checked that the updates are not larger. */
static bool write_corner(const scattering *s, inlay_window w, int axis)
{
    target to = {.cut = {false}};
    int64_t dims[INLAY_MAX_RANK];

    if (!inlay_fact_dims(&s->data->fact, dims) || !inlay_fact_dims(&s->u->fact, dims))
        return true;
    for (int i = 0; i < s->data->fact.rank; i++) {
        to.cut[i] = true;
        to.w[i] = i == axis ? w : (inlay_window){0, dims[i], 1};
    }
    return !scattering_can_write(s, &to) || scattering_write_target(s, s->u, &to);
}

/* Handles indices that vary only along the axis: B11, B12. */
static bool fold_elements(const scattering *s, int axis)
{
    int64_t size = s->data->fact.dims[axis].lo, n = s->t->dims[axis];
    int64_t *x = room_for(s, n);
    bool whole = s->fits && same_beside(s, axis), ok = true, known;
    inlay_window w;

    if (!x)
        return inlay_fail_memory(s->diags);
    known = inlay_dim_is_static(s->data->fact.dims[axis]) && index_line(s->t, axis, size, true, x);
    if (known && index_progression(x, n, &w))
        ok = whole ? write_progression(s, w, axis, 1) : write_corner(s, w, axis);
    else if (known && whole && invert(x, n, size, x + n))
        ok = gather_updates(s, x + n, n, axis);
    else if (known && whole)
        ok = scatter_along(s, x, 1, &n, axis);
    inlay_give(x);
    return ok;
}

/* Handles tuples that form a box on the first K axes: B9, B10. If they are in the box's order, a
 * SliceScatter makes the same checks as the scatter. */
static bool write_box(const scattering *s, int k, target *to)
{
    int front = s->t->rank - 1, rank = s->data->fact.rank;
    inlay_dim dims[INLAY_MAX_RANK];
    bool same = front == k, can = true;
    inlay_value *u;

    for (int i = 0; i < k; i++) {
        to->cut[i] = true;
        same = same && s->t->dims[i] == to->w[i].count;
    }
    if (s->u->fact.rank != front + rank - k || !scattering_can_write(s, to) ||
        (!same && !scattering_stand_alike(s, 0, front)))
        return true; /* the first one: a tensor of rank 0 has one element */
    for (int i = 0; i < rank; i++)
        dims[i] = i < k ? inlay_dim_of(to->w[i].count) : s->u->fact.dims[front + i - k];
    u = same ? s->u : scattering_reshaped(s, dims, &can);
    return u ? scattering_write_target(s, u, to) : !can;
}

/* Handles tuples of one component, which are indices along axis 0: B8. */
static bool fold_single(const scattering *s)
{
    int64_t size = s->data->fact.dims[0].lo, n = inlay_tensor_count(s->t);
    int64_t *x = room_for(s, n);
    bool ok = true, known;

    if (!x)
        return inlay_fail_memory(s->diags);
    known = inlay_dim_is_static(s->data->fact.dims[0]) && index_list(s->t, size, true, x);
    if (known && s->t->rank == 2 && s->fits && invert(x, n, size, x + n))
        ok = gather_updates(s, x + n, n, 0);
    else if (known)
        ok = scatter_along(s, x, s->t->rank - 1, s->t->dims, 0);
    inlay_give(x);
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
    scattering s = {.g = n->graph,
                    .data = query_scatter_data(n),
                    .u = query_scatter_updates(n),
                    .t = content(inlay_node_input(n, 1)),
                    .by = inlay_node_input(n, 1),
                    .out = out,
                    .diags = d};
    bool nd = inlay_op_operand(n->op, INLAY_ROLE_TUPLES) >= 0;
    int axis;

    if (!s.t || !s.u || s.data->fact.rank < 1 || s.u->fact.rank < 0 || !scatter_replaces(n))
        return true;
    s.fits = scatter_updates_fit(n);
    if (nd)
        return fold_nd(&s);
    if (!inlay_node_axis(n, s.data->fact.rank, &axis))
        return true;
    return inlay_node_is(n, INLAY_OP_SCATTER_UPDATE) ? fold_update(&s, axis)
                                                     : fold_elements(&s, axis);
}

bool fold_indices_are_good(const inlay_node *n)
{
    const inlay_value *data = query_scatter_data(n), *indices = inlay_node_input(n, 1);
    const inlay_tensor *t = content(indices);
    bool nd = inlay_op_operand(n->op, INLAY_ROLE_TUPLES) >= 0;
    int axis = 0;
    int64_t k;

    if (!nd && !inlay_node_axis(n, data->fact.rank, &axis))
        return false;
    if (inlay_fact_is_empty(&indices->fact))
        return true;
    if (!t)
        return false;
    k = nd && t->rank > 0 ? t->dims[t->rank - 1] : 1;
    for (int64_t i = 0, count = inlay_tensor_count(t); i < count; i++) {
        int at = axis + (int)(i % k);

        if (at >= data->fact.rank || index_position(t, i, data->fact.dims[at].lo,
                                                    !inlay_node_is(n, INLAY_OP_SCATTER_UPDATE)) < 0)
            return false; /* `lo` is the least possible size */
    }
    return true;
}
