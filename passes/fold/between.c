/* What is new between two parts of a tensor that stay, at a place that only the run knows:
 *
 *     %at = FloorMod(%step, 8)
 *     %a = Slice(%d, 0, %at, 1)            the rows before
 *     %b = Slice(%d, %at + 1, end, 1)      the rows behind
 *     Concat(%a, %row, %b)                 =>  SliceScatter(%d, %row, %at, %at + 1, 1)
 *
 * So a ring buffer is written by hand. The place must be proven to be one of the axis: for -1 the
 * Concat would have nearly all rows twice. */
#include "inlay_ops.h"
#include "passes/fold/scattering.h"

enum { MOST_LINKS = 8 /* reshapes, and minima and maxima, that are followed */ };

/* Numbers from LO to HI. */
typedef struct span {
    int64_t lo, hi;
} span;

/* Returns the value of one element that V, a list of one, is. */
static const inlay_value *number_of(const inlay_value *v)
{
    for (int i = 0; v && i < MOST_LINKS && v->node->op->flags & INLAY_RESHAPES; i++)
        v = inlay_node_input(v->node, 0);
    return v;
}

/* Is V one number that is known? */
static bool is_known(const inlay_value *v, int64_t *x)
{
    bool known =
        v && v->fact.known && v->fact.n_known == 1 && inlay_dim_is_static(v->fact.known[0]);

    *x = known ? v->fact.known[0].lo : 0;
    return known;
}

/* The numbers that V, an integer, may be. */
static span span_of(const inlay_value *v, int links)
{
    const inlay_node *n = v->node;
    span all = {INT64_MIN, INT64_MAX}, a, b;
    int64_t x;

    if (is_known(v, &x))
        return (span){x, x};
    if (links == MOST_LINKS || n->n_in < 1 || !inlay_node_input(n, 0))
        return all;
    if (n->op->flags & INLAY_RESHAPES)
        return span_of(n->in[0].value, links + 1);
    if (inlay_node_is(n, INLAY_OP_FLOOR_MOD))
        return is_known(n->in[1].value, &x) && x > 0 ? (span){0, x - 1} : all;
    if (!inlay_node_is(n, INLAY_OP_MINIMUM) && !inlay_node_is(n, INLAY_OP_MAXIMUM))
        return all;
    a = span_of(n->in[0].value, links + 1);
    b = span_of(n->in[1].value, links + 1);
    if (inlay_node_is(n, INLAY_OP_MINIMUM))
        return (span){a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
    return (span){a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

/* Is V, a list of one, AT plus SIZE? */
static bool is_behind(const inlay_value *v, const inlay_value *at, int64_t size)
{
    const inlay_node *n;
    int64_t x, y;

    v = number_of(v);
    n = v->node;
    if (!inlay_node_is(n, INLAY_OP_ADD))
        return false;
    return (number_of(n->in[0].value) == at && is_known(n->in[1].value, &y) && y == size) ||
           (number_of(n->in[1].value) == at && is_known(n->in[0].value, &x) && x == size);
}

/* Does V cut AXIS of its data alone, with step 1? Sets *START and *STOP to where. */
static bool cuts(const inlay_value *v, int axis, inlay_value **start, inlay_value **stop)
{
    const inlay_node *n = v->node;
    const inlay_value *axes;
    int64_t step = 1, along = 0, count;

    if (!inlay_node_is(n, INLAY_OP_SLICE))
        return false;
    *start = inlay_node_window(n, 0);
    *stop = inlay_node_window(n, 1);
    if ((*start)->fact.type != INLAY_I64)
        return false;
    axes = inlay_node_window(n, 3);
    if (axes && !is_known(axes, &along))
        return false;
    along += along < 0 ? v->fact.rank : 0;
    return inlay_fact_dims(&(*start)->fact, &count) && (*start)->fact.rank == 1 && count == 1 &&
           (!inlay_node_window(n, 2) || is_known(inlay_node_window(n, 2), &step)) && step == 1 &&
           along == axis;
}

bool fold_find_between(const inlay_node *join, int axis, between *b)
{
    const inlay_value *u, *data;
    inlay_value *zero, *end;
    int64_t first, last, rows;
    span at;

    if (join->n_in != 3 || !cuts(join->in[0].value, axis, &zero, &b->start) ||
        !cuts(join->in[2].value, axis, &b->stop, &end))
        return false;
    u = join->in[1].value;
    data = inlay_node_input(join->in[0].value->node, 0);
    if (data != inlay_node_input(join->in[2].value->node, 0) || u->fact.rank != data->fact.rank ||
        !inlay_dim_is_static(data->fact.dims[axis]) || !inlay_dim_is_static(u->fact.dims[axis]))
        return false;
    rows = u->fact.dims[axis].lo;
    at = span_of(b->start, 0);
    b->data = inlay_node_input(join->in[0].value->node, 0);
    b->axis = axis;
    return is_known(zero, &first) && first == 0 && is_known(end, &last) &&
           last >= data->fact.dims[axis].lo && rows > 0 && at.lo >= 0 &&
           at.hi <= data->fact.dims[axis].lo - rows &&
           is_behind(b->stop, number_of(b->start), rows);
}
