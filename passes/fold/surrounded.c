/* A window whose new elements are computed from elements beside it, as a stencil does:
 *
 *     %u = Add(Slice(%d, [1:7]), Slice(%d, [2:8]))
 *     %r = SliceScatter(%d, %u, [1:7])    =>  %r = Concat(Slice(%d, [0:1]), %u, Slice(%d, [7:8]))
 *
 * They cannot be computed in the window, because what they replace is still read, so that all of
 * them would be copied there. Of a Concat they are computed in their part, and what is around them
 * is copied. This is done if that is less. Of a window of several axes the parts are joined along
 * the last one first. */
#include "passes/fold/scattering.h"
#include "passes/query/scatter.h"

/* Do windows A and B of RANK axes have elements in common, but not at the same positions? */
static bool overlap(const inlay_window *a, const inlay_window *b, int rank)
{
    bool meet = true, same = true;

    for (int i = 0; i < rank; i++) {
        meet = meet && inlay_window_meets(a[i], b[i]);
        same = same && inlay_window_equal(a[i], b[i]);
    }
    return meet && !same;
}

/* Does N, the last to compute what is written to the window W of DATA, itself read elements of the
 * window for others? What nodes before it read is needed no more when it runs. */
static bool reads_beside(const inlay_node *n, const inlay_value *data, const inlay_window *w)
{
    inlay_window read[INLAY_MAX_RANK];
    bool beside = false;

    for (int i = 0; i < n->n_in && !beside; i++) {
        const inlay_node *part = n->in[i].value ? n->in[i].value->node : NULL;

        beside = part && inlay_node_reads_window(part) && inlay_node_input(part, 0) == data &&
                 inlay_node_windows(part, NULL, read) && overlap(read, w, data->fact.rank);
    }
    return beside;
}

/* Is the window W of DATA in steps of 1, and larger than what is around it? Are U, which have its
 * sizes, computed? */
static bool is_worth_it(const inlay_value *data, const inlay_value *u, const inlay_window *w)
{
    int64_t dims[INLAY_MAX_RANK];
    double share = 1;

    if (data->fact.content || !inlay_fact_dims(&data->fact, dims) ||
        u->fact.rank != data->fact.rank || !(u->node->op->flags & INLAY_POINTWISE) ||
        inlay_type_info_of(data->fact.type)->bits < 8)
        return false;
    for (int i = 0; i < data->fact.rank; i++) {
        if (w[i].step != 1 || dims[i] == 0 || !inlay_dim_is_static(u->fact.dims[i]) ||
            u->fact.dims[i].lo != w[i].count)
            return false;
        share *= (double)w[i].count / (double)dims[i];
    }
    return share > 0.5 && share < 1;
}

/* Returns the part of the data from FROM to TO along AXIS, all of it along the axes behind, and
 * that of the window W along those before; NULL: an error was recorded. */
static inlay_value *part_of(const scattering *s, const inlay_window *w, int axis, int64_t from,
                            int64_t to)
{
    target part = {.cut = {false}};

    for (int i = 0; i < s->data->fact.rank; i++) {
        part.cut[i] = i <= axis;
        part.w[i] = i < axis ? w[i] : (inlay_window){0, s->data->fact.dims[i].lo, 1};
    }
    part.w[axis] = (inlay_window){from, to - from, 1};
    return scattering_slice(s, s->data, &part);
}

/* Returns V between the parts of the data that stand before and behind the window along AXIS. */
static inlay_value *surround(const scattering *s, const inlay_window *w, int axis, inlay_value *v)
{
    int64_t end = w[axis].begin + w[axis].count, size = s->data->fact.dims[axis].lo;
    inlay_value *in[3];
    int n = 0;

    if (w[axis].count == size)
        return v;
    if (w[axis].begin > 0)
        in[n++] = part_of(s, w, axis, 0, w[axis].begin);
    in[n++] = v;
    if (end < size)
        in[n++] = part_of(s, w, axis, end, size);
    return scattering_join(s, in, n, axis);
}

bool fold_surround(const inlay_node *n, simpler *out, inlay_diags *d)
{
    scattering s = {.g = n->graph,
                    .data = query_scatter_data(n),
                    .u = query_scatter_updates(n),
                    .out = out,
                    .diags = d};
    inlay_window w[INLAY_MAX_RANK];
    inlay_value *v = s.u;

    if (n->graph->owner || !inlay_node_windows(n, NULL, w) || !is_worth_it(s.data, s.u, w) ||
        !reads_beside(s.u->node, s.data, w))
        return true;
    for (int axis = s.data->fact.rank - 1; v && axis >= 0; axis--)
        v = surround(&s, w, axis, v);
    out->new = v;
    return v != NULL;
}
