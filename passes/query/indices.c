/* Constant indices as windows and lists, and the sizes of updates that indices require. */
#include "passes/query/indices.h"
#include "inlay_ops.h"
#include "ir/shared.h"

#include <string.h>

int64_t index_position(const inlay_tensor *t, int64_t i, int64_t size, bool from_end)
{
    int64_t x = inlay_tensor_get_i64(t, i);

    if (x < 0 && from_end && t->type != INLAY_U64 && x >= -size)
        x += size;
    return x >= 0 && x < size ? x : -1;
}

bool index_list(const inlay_tensor *t, int64_t size, bool from_end, int64_t *out)
{
    for (int64_t i = 0, n = inlay_tensor_count(t); i < n; i++) {
        out[i] = index_position(t, i, size, from_end);
        if (out[i] < 0)
            return false;
    }
    return true;
}

bool index_line(const inlay_tensor *t, int axis, int64_t size, bool from_end, int64_t *out)
{
    int64_t n = inlay_tensor_count(t), inner = 1;

    for (int i = axis + 1; i < t->rank; i++)
        inner *= t->dims[i];
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i / inner % t->dims[axis], x = index_position(t, i, size, from_end);

        if (i == at * inner)
            out[at] = x; /* where the other axes are 0 */
        if (x < 0 || x != out[at])
            return false;
    }
    return n > 0;
}

bool index_progression(const int64_t *x, int64_t n, inlay_window *w)
{
    if (n < 1)
        return false;
    *w = (inlay_window){x[0], n, n > 1 ? x[1] - x[0] : 1};
    for (int64_t i = 1; i < n; i++) {
        if (x[i] - x[i - 1] != w->step)
            return false;
    }
    return w->step != 0;
}

/* Components 0 ... J - 1 of tuple I are the same positions, along axes of DIMS, as those of tuple
 * 0. */
static bool same_front(const inlay_tensor *t, const inlay_dim *dims, bool from_end, int64_t i,
                       int64_t j)
{
    int64_t k = t->dims[t->rank - 1];

    for (int64_t c = 0; c < j; c++) {
        if (index_position(t, i * k + c, dims[c].lo, from_end) !=
            index_position(t, c, dims[c].lo, from_end))
            return false;
    }
    return true;
}

/* Returns the number of positions that component J has, if it changes every STRIDE tuples. In the
 * tuples (0,4) (0,5) (0,6) (1,4) (1,5) (1,6) component 1 has three positions (STRIDE 1), and
 * component 0 has two (STRIDE 3). */
static int64_t box_length(const inlay_tensor *t, const inlay_dim *dims, bool from_end,
                          int64_t tuples, int64_t j, int64_t stride)
{
    int64_t n = 1;

    while (n * stride < tuples && same_front(t, dims, from_end, n * stride, j))
        n++;
    return n;
}

bool index_box(const inlay_tensor *t, const inlay_dim *dims, bool from_end, inlay_window *w)
{
    int64_t k = t->rank > 0 ? t->dims[t->rank - 1] : 0, tuples, stride = 1;

    tuples = k > 0 ? inlay_tensor_count(t) / k : 0;
    if (tuples < 1)
        return false;
    for (int64_t j = k - 1; j >= 0; j--) {
        int64_t n = box_length(t, dims, from_end, tuples, j, stride);
        int64_t size = dims[j].lo, first, second;

        first = index_position(t, j, size, from_end);
        second = n > 1 ? index_position(t, stride * k + j, size, from_end) : first + 1;
        if (!inlay_dim_is_static(dims[j]) || first < 0 || second < 0 || first == second)
            return false;
        w[j] = (inlay_window){first, n, second - first};
        for (int64_t i = 0; i < tuples; i++) {
            int64_t x = index_position(t, i * k + j, size, from_end);

            if (x < 0 || x != first + i / stride % n * w[j].step)
                return false;
        }
        stride *= n;
    }
    return stride == tuples;
}

bool scatter_replaces(const inlay_node *n)
{
    const char *reduction = inlay_node_string(n, "reduction");

    return (!reduction || strcmp(reduction, "none") == 0) && !inlay_node_string(n, "reduce");
}

/* OUT receives the sizes that the updates of the scatter N must have. Returns their rank, or -1 if
 * it is not known. The updates of a ScatterElementsUpdate have the sizes of its indices. */
static int wanted_sizes(const inlay_node *n, inlay_dim *out)
{
    const inlay_fact *d = &inlay_node_input(n, 0)->fact, *i = &inlay_node_input(n, 1)->fact;
    int rank = 0, axis = 0, from = d->rank, last = i->rank;

    if (d->rank < 0 || i->rank < 0)
        return -1;
    if (inlay_op_operand(n->op, INLAY_ROLE_TUPLES) >= 0) {
        if (i->rank < 1 || !inlay_dim_is_static(i->dims[i->rank - 1]))
            return -1;
        last = i->rank - 1;
        from = (int)i->dims[last].lo;
    } else if (inlay_node_is(n, INLAY_OP_SCATTER_UPDATE)) {
        if (!inlay_node_axis(n, d->rank, &axis))
            return -1;
        from = axis + 1;
    }
    if (from > d->rank || axis + last + d->rank - from > INLAY_MAX_RANK)
        return -1;
    for (int k = 0; k < axis; k++)
        out[rank++] = d->dims[k];
    for (int k = 0; k < last; k++)
        out[rank++] = i->dims[k];
    for (int k = from; k < d->rank; k++)
        out[rank++] = d->dims[k];
    return rank;
}

/* The indices of a ScatterElementsUpdate must not be larger than the data on other axes than its
 * own; those of the older version on any axis. */
static bool elements_fit(const inlay_node *n)
{
    const inlay_fact *d = &inlay_node_input(n, 0)->fact, *i = &inlay_node_input(n, 1)->fact;
    int axis;

    if (d->rank < 0 || d->rank != i->rank || !inlay_node_axis(n, d->rank, &axis))
        return false;
    for (int k = 0; k < d->rank; k++) {
        if ((k != axis || n->op->version < 12) && i->dims[k].hi > d->dims[k].lo &&
            !inlay_dim_proven_equal(i->dims[k], d->dims[k]))
            return false;
    }
    return true;
}

bool scatter_updates_fit(const inlay_node *n)
{
    inlay_dim dims[INLAY_MAX_RANK];
    inlay_fact want = {.rank = wanted_sizes(n, dims), .dims = dims};

    return want.rank >= 0 &&
           inlay_fact_same_shape(&want, &inlay_node_operand(n, INLAY_ROLE_UPDATES)->fact) &&
           (!inlay_node_is(n, INLAY_OP_SCATTER_ELEMENTS_UPDATE) || elements_fit(n));
}

/* index_never_negative by what the shape rules know of the elements. */
static int known_sign(const inlay_fact *f)
{
    if (inlay_type_info_of(f->type)->cls == INLAY_CLASS_UNSIGNED)
        return 1;
    for (int64_t i = 0; f->content && i < inlay_tensor_count(f->content); i++) {
        if (inlay_tensor_get_i64(f->content, i) < 0)
            return 0;
    }
    for (int i = 0; !f->content && f->known && i < f->n_known; i++) {
        if (f->known[i].lo < 0)
            return f->known[i].hi < 0 ? 0 : -1;
    }
    return f->content || f->known ? 1 : -1;
}

/* A Range without conversion that goes up has its smallest number first. */
static bool counts_up(const inlay_node *n)
{
    const inlay_value *start = inlay_node_input(n, 0), *step = inlay_node_input(n, 2);

    return start->fact.type == n->out[0].fact.type && start->fact.known && step->fact.known &&
           start->fact.known[0].lo >= 0 && step->fact.known[0].lo > 0 &&
           inlay_node_input(n, 1)->fact.type == start->fact.type;
}

/* Is V the number of the iteration? */
static bool is_iteration(const inlay_value *v)
{
    const inlay_node *owner =
        inlay_node_is(v->node, INLAY_OP_PARAMETER) ? v->node->graph->owner : NULL;
    const inlay_body *b = owner ? &owner->bodies[0] : NULL;

    for (int i = 0; b && i < b->n_in; i++) {
        if (b->in[i].purpose == INLAY_PORT_ITERATION && b->graph->params[b->in[i].inner] == v->node)
            return true;
    }
    return false;
}

/* The elements of a view are those of its data, so the data is asked instead. */
int index_never_negative(const inlay_value *v)
{
    enum { MOST_VIEWS = 8 };
    int known = known_sign(&v->fact);

    for (int i = 0; i < MOST_VIEWS && known < 0; i++) {
        inlay_role role = inlay_value_role(v);

        if (role == INLAY_ROLE_SHAPE || role == INLAY_ROLE_INDICES || is_iteration(v))
            return 1;
        if (inlay_node_is(v->node, INLAY_OP_RANGE))
            return counts_up(v->node) ? 1 : -1;
        if (!(v->node->op->flags & INLAY_VIEW))
            return -1;
        v = inlay_node_input(v->node, 0);
        known = known_sign(&v->fact);
    }
    return known;
}
