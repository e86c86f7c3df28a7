/* Where the operands of a node stand in its result, if it holds them: those of a Concat side by
 * side, that of a Pad within its margins, that of a Tile or Broadcast as the first copy. And where
 * the outputs of a Split stand in its operand. */
#include "ir/graph/node.h"
#include "ir/ops/rows.h"

/* So many operands are gone through for one question; those behind them have no part, because all
 * operands of a large list would be asked for, and those in front be gone through for each. */
enum { MOST_PARTS = 384 };

/* The first operand of N that is V, or LEAST if that comes before. */
static int first_operand(const inlay_node *n, const inlay_value *v, int least)
{
    for (const inlay_use *u = v->uses; u; u = u->next)
        least = u->node == n && u->index < least ? u->index : least;
    return least;
}

/* Where V begins along axis number AXIS of N's output: behind the operands in front of it. */
static bool begin_in_list(const inlay_node *n, const inlay_value *v, int axis, int64_t *begin)
{
    int last = first_operand(n, v, MOST_PARTS);

    *begin = 0;
    for (int i = 0; i < last; i++) {
        const inlay_value *in = inlay_node_input(n, i);

        if (!in || in->fact.rank != v->fact.rank || !inlay_dim_is_static(in->fact.dims[axis]) ||
            __builtin_add_overflow(*begin, in->fact.dims[axis].lo, begin))
            return false;
    }
    return last < MOST_PARTS;
}

bool inlay_node_joined_axis(const inlay_node *n, int *axis)
{
    int attr = inlay_op_role_attr(n->op, INLAY_ROLE_AXIS),
        rank = n->n_out ? n->out[0].fact.rank : 0;
    int64_t at = attr >= 0 ? n->attrs[attr].as.i : 0;

    at += at < 0 ? rank : 0;
    *axis = (int)at;
    return (n->op->flags & INLAY_HOLDS) && n->op->variadic_in && attr >= 0 && at >= 0 && at < rank;
}

static bool part_of_list(const inlay_node *n, const inlay_value *v, inlay_window *out)
{
    int axis;

    return inlay_node_joined_axis(n, &axis) && n->out[0].fact.rank == v->fact.rank &&
           begin_in_list(n, v, axis, &out[axis].begin);
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

/* The output of N if it is noted as a view that shows all of V with other axes; or NULL. */
static const inlay_value *reshaped(const inlay_node *n, const inlay_value *v)
{
    return (n->op->flags & INLAY_RESHAPES) && n->out[0].note == INLAY_VIEW_OF &&
                   n->out[0].note_target == v
               ? &n->out[0]
               : NULL;
}

const inlay_value *inlay_node_shown(const inlay_node *n, const inlay_value *v)
{
    int held = inlay_node_held(n), most = held < MOST_PARTS ? held : MOST_PARTS;
    int at = first_operand(n, v, most);

    for (const inlay_use *u = v->uses; u; u = u->next) {
        const inlay_value *x = reshaped(u->node, v);

        at = x ? first_operand(n, x, at) : at;
    }
    return at < most ? inlay_node_input(n, at) : NULL;
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

bool inlay_value_cut(const inlay_value *v, int64_t begin, inlay_window *out)
{
    int64_t dims[INLAY_MAX_RANK];
    int axis;

    if (begin < 0 || !inlay_fact_dims(&v->fact, dims) ||
        !inlay_node_axis(v->node, v->fact.rank, &axis))
        return false;
    for (int i = 0; i < v->fact.rank; i++)
        out[i] = (inlay_window){i == axis ? begin : 0, dims[i], 1};
    return true;
}

int64_t inlay_value_cut_end(const inlay_value *v, int64_t begin)
{
    int axis;

    if (begin < 0 || !inlay_node_axis(v->node, v->fact.rank, &axis) ||
        !inlay_dim_is_static(v->fact.dims[axis]))
        return -1;
    return begin + v->fact.dims[axis].lo;
}
