/* Where the operands of a node stand in its result, if it holds them: those of a Concat side by
 * side, that of a Pad within its margins, that of a Tile or Broadcast as the first copy. */
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

/* Do the axes of data, RANK of them, lie along the last axes of the result, of which LEAD come
 * before? */
static bool lies_last(const inlay_node *n, int rank, int lead)
{
    const inlay_value *v = inlay_node_operand(n, INLAY_ROLE_PLACES);
    const inlay_dim *at = v ? v->fact.known : NULL;
    bool last = !v || (at && v->fact.n_known == rank);

    for (int i = 0; v && i < rank && last; i++)
        last = inlay_dim_is_static(at[i]) && at[i].lo == lead + i;
    return last;
}

/* The only operand that N holds, behind its margins, if N has any; they may not cut it. */
static bool part_of_data(const inlay_node *n, const inlay_value *v, inlay_window *out)
{
    const inlay_value *margins = inlay_node_operand(n, INLAY_ROLE_MARGINS);
    const inlay_dim *at = margins ? margins->fact.known : NULL;
    int rank = v->fact.rank, lead = n->out[0].fact.rank - rank;

    if (inlay_node_input(n, 0) != v || !lies_last(n, rank, lead) ||
        (margins && (!at || margins->fact.n_known != rank)))
        return false;
    for (int i = 0; margins && i < rank; i++) {
        if (!inlay_dim_is_static(at[i]))
            return false;
        out[lead + i].begin = at[i].lo;
    }
    return true;
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

int inlay_node_held(const inlay_node *n)
{
    if (!(n->op->flags & INLAY_HOLDS) || n->n_out != 1)
        return 0;
    return n->op->variadic_in ? n->n_in : 1;
}

/* Is V noted as a view that shows all of another value with other axes? */
static bool is_reshaped(const inlay_value *v)
{
    return v->note == INLAY_VIEW_OF && (v->node->op->flags & INLAY_RESHAPES);
}

const inlay_value *inlay_node_shown(const inlay_node *n, const inlay_value *v)
{
    int most = inlay_node_held(n);

    for (int i = 0; i < most && i < MOST_PARTS; i++) {
        const inlay_value *in = i < n->n_in ? n->in[i].value : NULL;

        if (in && (in == v || (is_reshaped(in) && in->note_target == v)))
            return in;
    }
    return NULL;
}

bool inlay_node_part(const inlay_node *n, const inlay_value *v, inlay_window *out)
{
    int64_t dims[INLAY_MAX_RANK], part[INLAY_MAX_RANK];
    int rank, lead;

    v = inlay_node_shown(n, v);
    if (!v || !inlay_fact_dims(&n->out[0].fact, dims) || !inlay_fact_dims(&v->fact, part))
        return false;
    rank = n->out[0].fact.rank;
    lead = rank - v->fact.rank;
    if (lead < 0)
        return false;
    for (int i = 0; i < rank; i++)
        out[i] = (inlay_window){0, i < lead ? 1 : part[i - lead], 1};
    return (n->op->variadic_in ? part_of_list(n, v, out) : part_of_data(n, v, out)) &&
           lies_within(out, dims, rank);
}
