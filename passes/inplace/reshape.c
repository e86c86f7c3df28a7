/* Reshapes between a window and what is computed there, or read:
 *
 *     %x = Slice(%d, w)                  f32[1,8,64]   the window, in its own axes
 *     %q = Reshape(%x)                   f32[1,512]    view of x
 *     %y = Exp(%q)                       f32[1,512]    into r
 *     %u = Reshape(%y)                   f32[1,8,64]   view of y: the window again
 *     %r = SliceScatter(%d, %u, w)       overwrites d
 *
 * Strides must be able to describe these views. They always are if the reshape only splits axes;
 * otherwise the elements of the window must be contiguous in the buffer, and stay so. */
#include "passes/inplace/reshape.h"

inlay_value *inplace_unshaped(const inlay_value *v)
{
    inlay_value *of = v->node->op->flags & INLAY_RESHAPES ? inlay_node_input(v->node, 0) : NULL;

    return of ? of : (inlay_value *)v;
}

/* Does the reshape X only add or remove axes of size 1? */
static bool only_ones(const inlay_value *x)
{
    return (x->node->op->flags & INLAY_RESHAPES) &&
           inlay_op_operand(x->node->op, INLAY_ROLE_AXES) >= 0;
}

bool inplace_only_joins_axes(const inlay_value *v, const inlay_value *x)
{
    int64_t from[INLAY_MAX_RANK], to[INLAY_MAX_RANK];
    int k = 0;

    if (only_ones(x))
        return true;
    if (!inlay_fact_sizes(&v->fact, from) || !inlay_fact_sizes(&x->fact, to))
        return false;
    for (int i = 0; i < x->fact.rank; i++) {
        int64_t size = 1;

        while (size < to[i] && k < v->fact.rank)
            size *= from[k++];
        if (size != to[i])
            return false;
    }
    return true;
}

bool inplace_window_follows(const inlay_value *r, const inlay_window *w)
{
    int axis = 0;

    while (axis < r->fact.rank && w[axis].count == 1)
        axis++;
    if (axis < r->fact.rank && w[axis].step != 1)
        return false;
    for (axis++; axis < r->fact.rank; axis++) {
        if (!inlay_dim_is_static(r->fact.dims[axis]) || w[axis].count != r->fact.dims[axis].lo ||
            (w[axis].count > 1 && w[axis].step != 1)) /* the whole axis reversed */
            return false;
    }
    return true;
}

/* Is the position of the window of N in its buffer known, or is it a row whose elements are
 * contiguous wherever it is? Sets *FOLLOWS: are they contiguous there? */
static bool is_known(const inlay_node *n, bool *follows)
{
    const inlay_value *data = inlay_node_input(n, 0);
    inlay_window w[INLAY_MAX_RANK];
    bool row = !inlay_node_windows(n, NULL, w) && inlay_node_takes_outer_row(n);
    bool known = row || inlay_node_windows(n, NULL, w);

    *follows = known && (row || inplace_window_follows(data, w));
    for (; known && data->note != INLAY_FRESH; data = data->note_target) {
        if (data->note == INLAY_OVERWRITES)
            continue;
        known = data->note == INLAY_VIEW_OF && inlay_node_reads_window(data->node) &&
                inlay_node_windows(data->node, NULL, w);
        *follows = known && *follows && inplace_window_follows(data->note_target, w);
    }
    return known && (!row || *follows);
}

bool inplace_window_shows(const inlay_node *n, const inlay_value *v, const inlay_value *x)
{
    int64_t dims[INLAY_MAX_RANK];
    bool follows;

    if (v->fact.rank < 0 || x->fact.rank < 0)
        return false;
    return only_ones(x) || (inlay_fact_dims(&v->fact, dims) && inlay_fact_dims(&x->fact, dims) &&
                            is_known(n, &follows) && (follows || inplace_only_joins_axes(v, x)));
}

const inlay_node *inplace_relies_on(inplace_pass *p, inlay_value *v, const inlay_value *shown)
{
    size_t n = p->relies ? inplace_list_members(&p->s.aliases, v) : 0;

    for (size_t i = 1; i < n; i++) {
        const inlay_value *x = p->s.aliases.list[i];

        if (x != shown && x->note == INLAY_VIEW_OF && (x->node->op->flags & INLAY_RESHAPES) &&
            !only_ones(x))
            return x->node;
    }
    return NULL;
}
