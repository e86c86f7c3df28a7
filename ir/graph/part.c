/* The parts of a node's result that are its operands, for nodes with INLAY_HOLDS: adjacent parts in
 * a Concat, the data within the margins of a Pad, the first copy in a Tile or Broadcast. And the
 * parts of its operand that are the outputs of a Split. */
#include "ir/graph/node.h"
#include "ir/ops/rows.h"

/* The number of operands that one question visits, so that the cost of a long list is proportional
 * to its length; those after them have no part. If sizes are open all of a list is visited, but
 * only for its first operands. */
enum { MOST_PARTS = 2048, MOST_OPEN_PARTS = 384 };

int inlay_node_first_operand(const inlay_node *n, const inlay_value *v, int least)
{
    for (const inlay_use *u = v->uses; u; u = u->next)
        least = u->node == n && u->index < least ? u->index : least;
    return least;
}

/* Where facts of values come from; FACT is NULL if the values themselves have them, which is the
 * usual case and should be fast for long lists. */
typedef struct source {
    inlay_fact_fn *fact;
    const void *of;
} source;

static const inlay_fact *known_of(source s, const inlay_value *v)
{
    return s.fact ? s.fact(s.of, v) : &v->fact;
}

/* Where V begins along axis number AXIS of N's output: after the operands before it. */
static bool begin_in_list(const inlay_node *n, const inlay_value *v, source s, int axis,
                          int64_t *begin)
{
    int last = inlay_node_first_operand(n, v, MOST_PARTS), rank = known_of(s, v)->rank;

    *begin = 0;
    for (int i = 0; i < last; i++) {
        const inlay_value *in = inlay_node_input(n, i);
        const inlay_fact *f = in ? known_of(s, in) : NULL;

        if (!f || f->rank != rank || !inlay_dim_is_static(f->dims[axis]) ||
            __builtin_add_overflow(*begin, f->dims[axis].lo, begin))
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

static bool part_of_list(const inlay_node *n, const inlay_value *v, source s, inlay_window *out)
{
    int axis;

    return inlay_node_joined_axis(n, &axis) && n->out[0].fact.rank == known_of(s, v)->rank &&
           begin_in_list(n, v, s, axis, &out[axis].begin);
}

/* Are the RANK axes of the data the last axes of the result, after LEAD others? */
static bool lies_last(const inlay_node *n, source s, int rank, int lead)
{
    const inlay_value *v = inlay_node_operand(n, INLAY_ROLE_PLACES);
    const inlay_fact *f = v ? known_of(s, v) : NULL;
    bool last = !v || (f->known && f->n_known == rank);

    for (int i = 0; v && i < rank && last; i++)
        last = inlay_dim_is_static(f->known[i]) && f->known[i].lo == lead + i;
    return last;
}

/* The part of the only operand that N holds, after N's margins; these must not cut it off. */
static bool part_of_data(const inlay_node *n, const inlay_value *v, source s, inlay_window *out)
{
    const inlay_value *margins = inlay_node_operand(n, INLAY_ROLE_MARGINS);
    const inlay_fact *f = margins ? known_of(s, margins) : NULL;
    int rank = known_of(s, v)->rank, lead = known_of(s, &n->out[0])->rank - rank;

    if (inlay_node_input(n, 0) != v || !lies_last(n, s, rank, lead) ||
        (margins && (!f->known || f->n_known != rank)))
        return false;
    for (int i = 0; margins && i < rank; i++) {
        if (!inlay_dim_is_static(f->known[i]))
            return false;
        out[lead + i].begin = f->known[i].lo;
    }
    return true;
}

/* V fits into the output at OUT, and has the same axes except for those that are longer. */
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

/* The output of N if it is noted as a view of all of V with other axes; or NULL. */
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
    int at = inlay_node_first_operand(n, v, most);

    for (const inlay_use *u = v->uses; u; u = u->next) {
        const inlay_value *x = reshaped(u->node, v);

        at = x ? inlay_node_first_operand(n, x, at) : at;
    }
    return at < most ? inlay_node_input(n, at) : NULL;
}

/* Can strides always describe a value of the sizes of F with the sizes of TO, whatever its own
 * strides are? */
static bool any_strides_show(const inlay_fact *f, const inlay_fact *to)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    int64_t new_dims[INLAY_MAX_RANK], new_strides[INLAY_MAX_RANK];

    if (!inlay_fact_sizes(f, dims) || !inlay_fact_sizes(to, new_dims))
        return false;
    for (int i = f->rank; i-- > 0;) /* assuming a gap after each row on every axis, so that no two
                                       axes can be merged */
        strides[i] = i == f->rank - 1 ? 1 : dims[i + 1] * strides[i + 1] + 1;
    return inlay_strides_reshaped(f->rank, dims, strides, to->rank, new_dims, new_strides);
}

bool inlay_value_is_shown(const inlay_value *v)
{
    const inlay_value *of = v->note_target;

    return of && of->note == INLAY_INTO && (of->note_target->node->op->flags & INLAY_HOLDS) &&
           inlay_node_shown(of->note_target->node, of) == v &&
           any_strides_show(&v->fact, &of->fact);
}

bool inlay_node_part_by(const inlay_node *n, const inlay_value *v, inlay_fact_fn *fact,
                        const void *of, inlay_window *out)
{
    source s = {fact, of};
    int64_t dims[INLAY_MAX_RANK], part[INLAY_MAX_RANK];
    int rank, lead;

    v = inlay_node_shown(n, v);
    if (!v || !inlay_fact_dims(known_of(s, &n->out[0]), dims) ||
        !inlay_fact_dims(known_of(s, v), part))
        return false;
    rank = known_of(s, &n->out[0])->rank;
    lead = rank - known_of(s, v)->rank;
    if (lead < 0)
        return false;
    for (int i = 0; i < rank; i++)
        out[i] = (inlay_window){0, i < lead ? 1 : part[i - lead], 1};
    return (n->op->variadic_in ? part_of_list(n, v, s, out) : part_of_data(n, v, s, out)) &&
           lies_within(out, dims, rank);
}

bool inlay_node_part(const inlay_node *n, const inlay_value *v, inlay_window *out)
{
    return inlay_node_part_by(n, v, NULL, NULL, out);
}

/* Are the numbers of V, an operand of RANK numbers that are positions, functions of sizes, and none
 * below 0? */
static bool follow_from_sizes(const inlay_value *v, int rank)
{
    bool follow = v && v->fact.known && v->fact.n_known == rank;

    for (int i = 0; follow && i < rank; i++)
        follow = v->fact.known[i].lo >= 0;
    return follow;
}

/* Do the sizes of all operands of N, which has a list of them, follow from known sizes? */
static bool has_part_in_list(const inlay_node *n, const inlay_value *v, const bool *late)
{
    int held = inlay_node_held(n), axis;
    bool found = inlay_node_joined_axis(n, &axis) && n->out[0].fact.rank == v->fact.rank &&
                 inlay_node_first_operand(n, v, MOST_OPEN_PARTS) < MOST_OPEN_PARTS;

    for (int i = 0; found && i < held; i++)
        found = n->in[i].value && !late[n->in[i].value->node->id];
    return found;
}

/* Is V, the only operand that N holds, a whole part of the result, at a position that follows from
 * known sizes? */
static bool has_part_as_data(const inlay_node *n, const inlay_value *v, const bool *late)
{
    int rank = v->fact.rank, lead = n->out[0].fact.rank - rank;
    int margins = inlay_op_operand(n->op, INLAY_ROLE_MARGINS);
    bool found = inlay_node_input(n, 0) == v && lead >= 0 && !late[v->node->id] &&
                 lies_last(n, (source){NULL, NULL}, rank, lead);

    if (margins < 0)
        return found && !late[n->id];
    return found && follow_from_sizes(inlay_node_input(n, margins), rank) &&
           follow_from_sizes(inlay_node_input(n, margins + 1), rank);
}

bool inlay_node_has_part(const inlay_node *n, const inlay_value *v, const bool *late)
{
    inlay_window out[INLAY_MAX_RANK];
    int64_t dims[INLAY_MAX_RANK];

    if (inlay_node_part(n, v, out))
        return true;
    v = inlay_node_shown(n, v);
    if (!v || v->fact.rank < 0 || n->out[0].fact.rank < 0 ||
        (inlay_fact_dims(&v->fact, dims) && inlay_fact_dims(&n->out[0].fact, dims)))
        return false;
    return n->op->variadic_in ? has_part_in_list(n, v, late) : has_part_as_data(n, v, late);
}

bool inlay_node_shows_otherwise(const inlay_node *n, const inlay_value *v)
{
    const inlay_value *margins = inlay_node_operand(n, INLAY_ROLE_MARGINS);
    int64_t dims[INLAY_MAX_RANK];
    inlay_window part[INLAY_MAX_RANK];

    return inlay_node_held(n) == 1 && !n->op->variadic_in && inlay_node_input(n, 0) == v &&
           (!margins || margins->fact.known) && inlay_fact_dims(&v->fact, dims) &&
           inlay_fact_dims(&n->out[0].fact, dims) && !inlay_node_part(n, v, part);
}

bool inlay_node_part_follows(const inlay_node *n, const inlay_value *v)
{
    const inlay_fact *all = &n->out[0].fact, *f;
    int lead, axis = 0, list = -1;

    v = inlay_node_shown(n, v);
    f = v ? &v->fact : NULL;
    lead = f && f->rank >= 0 ? all->rank - f->rank : -1;
    if (lead < 0 || (n->op->variadic_in && !inlay_node_joined_axis(n, &list)))
        return false;
    while (axis < f->rank && inlay_dim_is_static(f->dims[axis]) && f->dims[axis].lo == 1)
        axis++;
    for (axis++; axis < f->rank; axis++) {
        bool shared = list >= 0 && axis != list;

        if (!shared && !inlay_dim_proven_equal(f->dims[axis], all->dims[lead + axis]))
            return false;
    }
    return true;
}

bool inlay_value_stands_in_part(const inlay_value *v, const inlay_value *r)
{
    if (!(r->node->op->flags & INLAY_HOLDS))
        return false;
    for (; v->note != INLAY_FRESH; v = v->note_target) {
        if (v->note == INLAY_INTO && v->note_target == r)
            return true;
    }
    return false;
}

int inlay_value_nested(const inlay_value *v)
{
    int n = 0;

    for (; n <= INLAY_MAX_NESTED && v->note == INLAY_INTO; v = v->note_target)
        n += (v->note_target->node->op->flags & INLAY_HOLDS) != 0;
    return n;
}

const inlay_value *inlay_value_owner(const inlay_value *v, bool *whole)
{
    bool all = true;

    for (; v->note != INLAY_FRESH; v = v->note_target)
        all = all && v->note == INLAY_OVERWRITES;
    if (whole)
        *whole = all;
    return v;
}

inlay_value *inlay_value_into_operand(const inlay_value *r)
{
    inlay_value *u =
        inlay_node_writes_window(r->node) ? inlay_node_operand(r->node, INLAY_ROLE_UPDATES) : NULL;

    if (u && reshaped(u->node, u->note_target))
        u = u->note_target;
    return u && u->note == INLAY_INTO && u->note_target == r ? u : NULL;
}

bool inlay_node_has_axes(const inlay_node *scatter, const inlay_value *v)
{
    const inlay_value *u = inlay_node_operand(scatter, INLAY_ROLE_UPDATES);

    return u == v || (u && inlay_fact_same_shape(&u->fact, &v->fact));
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
