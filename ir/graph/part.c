/* Where the operands of a node stand in its result, if it holds them: those of a Concat side by
 * side. */
#include "ir/graph/node.h"
#include "ir/ops/rows.h"

/* So many operands are gone through for one question; those behind them have no part, because all
 * operands of a large list would be asked for, and the list be gone through for each. */
enum { MOST_PARTS = 128 };

/* Where V begins along axis number AXIS of N's output: behind the operands in front of it. */
static bool begin_in_list(const inlay_node *n, const inlay_value *v, int axis, int64_t *begin)
{
    int most = n->n_in < MOST_PARTS ? n->n_in : MOST_PARTS;

    *begin = 0;
    for (int i = 0; i < most; i++) {
        const inlay_value *in = n->in[i].value;

        if (in == v)
            return true;
        if (!in || in->fact.rank != v->fact.rank || !inlay_dim_is_static(in->fact.dims[axis]) ||
            __builtin_add_overflow(*begin, in->fact.dims[axis].lo, begin))
            return false;
    }
    return false;
}

static bool part_of_list(const inlay_node *n, const inlay_value *v, inlay_window *out)
{
    int attr = inlay_op_role_attr(n->op, INLAY_ROLE_AXIS), rank = v->fact.rank;
    int64_t axis = attr >= 0 ? n->attrs[attr].as.i : 0;

    axis += axis < 0 ? rank : 0;
    return attr >= 0 && axis >= 0 && axis < rank && n->out[0].fact.rank == rank &&
           begin_in_list(n, v, (int)axis, &out[axis].begin);
}

/* V lies in the output, of which OUT says where, and shares all axes but those that are longer. */
static bool lies_within(const inlay_window *out, const int64_t *dims, int rank)
{
    for (int i = 0; i < rank; i++) {
        if (out[i].begin < 0 || out[i].count > dims[i] || out[i].begin > dims[i] - out[i].count)
            return false;
    }
    return true;
}

bool inlay_node_part(const inlay_node *n, const inlay_value *v, inlay_window *out)
{
    int64_t dims[INLAY_MAX_RANK], part[INLAY_MAX_RANK];
    int rank, lead;

    if (!(n->op->flags & INLAY_HOLDS) || n->n_out != 1 || !inlay_fact_dims(&n->out[0].fact, dims) ||
        !inlay_fact_dims(&v->fact, part))
        return false;
    rank = n->out[0].fact.rank;
    lead = rank - v->fact.rank;
    if (lead < 0)
        return false;
    for (int i = 0; i < rank; i++)
        out[i] = (inlay_window){0, i < lead ? 1 : part[i - lead], 1};
    return part_of_list(n, v, out) && lies_within(out, dims, rank);
}
