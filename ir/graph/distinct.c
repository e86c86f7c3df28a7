/* Are the positions in a list pairwise distinct, in every run? See distinct.h.
 *
 *     %n = NonZero(%mask)              a source: its positions are distinct, and at least 0
 *     %list = Squeeze(%n)              the same numbers
 *     %next = Add(%list, %one)         distinct, and at least 1
 *
 * On the way from a list to its source, only nodes that map distinct numbers to distinct numbers
 * may be passed. Together they map x to x * scale + plus. */
#include "ir/graph/distinct.h"
#include "inlay_ops.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"

#include <stdlib.h>

enum {
    MOST_NODES = 32,   /* between the list and its source */
    MOST_PLACES = 4096 /* in a constant, whose positions are compared with each other */
};

/* The list in question, and how far the way to its source has been followed. */
typedef struct way {
    const inlay_value *at;
    int tuple;           /* length of a tuple */
    int line;            /* the axis along whose lines the numbers must be distinct; -1: all must */
    int64_t scale, plus; /* of numbers at the source; always 1 and 0 for tuples */
    bool shifts;         /* a number that only the run knows is also added */
    int bits;            /* of the narrowest type on the way */
} way;

/* Numbers from LO to HI. */
typedef struct span {
    int64_t lo, hi;
} span;

static int bits_of(const inlay_value *v)
{
    return inlay_type_info_of(v->fact.type)->bits;
}

static bool is_signed(const inlay_value *v)
{
    return inlay_type_info_of(v->fact.type)->cls == INLAY_CLASS_SIGNED;
}

/* Has V one element? *KNOWN: it is known, and is *X. */
static bool is_number(const inlay_value *v, int64_t *x, bool *known)
{
    int64_t dims[INLAY_MAX_RANK], n = 1;

    if (!v || !inlay_fact_dims(&v->fact, dims))
        return false;
    for (int i = 0; i < v->fact.rank; i++)
        n *= dims[i] == 1 ? 1 : 2;
    *known = v->fact.known && v->fact.n_known == 1 && inlay_dim_is_static(v->fact.known[0]);
    *x = *known ? v->fact.known[0].lo : 0;
    return n == 1;
}

/* Steps on the way: each goes from the output of a node to the operand that it maps. */

/* The node adds or subtracts a number: (x * scale + plus) of x + c or x - c. */
static bool pass_sum(way *w, const inlay_value *list, const inlay_value *number, int64_t sign)
{
    int64_t c, change;
    bool known;

    if (w->tuple > 1 || !is_number(number, &c, &known))
        return false;
    w->shifts = w->shifts || !known;
    w->at = list;
    return !__builtin_mul_overflow(c, sign, &change) &&
           !__builtin_mul_overflow(change, w->scale, &change) &&
           !__builtin_add_overflow(w->plus, change, &w->plus);
}

/* The node subtracts each number of the list from one number. */
static bool pass_turned(way *w, const inlay_value *list, const inlay_value *number)
{
    return pass_sum(w, list, number, 1) && !__builtin_mul_overflow(w->scale, -1, &w->scale);
}

static bool pass_product(way *w, const inlay_value *list, const inlay_value *number)
{
    int64_t c;
    bool known;

    w->at = list;
    return w->tuple == 1 && is_number(number, &c, &known) && known && c != 0 &&
           !__builtin_mul_overflow(c, w->scale, &w->scale);
}

/* The node is arithmetic of a list and a number that is the same for all. */
static bool pass_arithmetic(way *w)
{
    const inlay_node *n = w->at->node;
    const inlay_value *x = inlay_node_input(n, 0), *y = inlay_node_input(n, 1), *one = y;
    int64_t ignored;
    bool known;

    if (n->n_in != 2 || !x || !y || n->out[0].fact.type != x->fact.type ||
        inlay_type_is_float(x->fact.type))
        return false;
    if (inlay_node_is(n, INLAY_OP_SUBTRACT))
        return is_number(x, &ignored, &known) ? pass_turned(w, y, x) : pass_sum(w, x, y, -1);
    if (is_number(x, &ignored, &known)) {
        one = x;
        x = y;
    }
    return inlay_node_is(n, INLAY_OP_ADD)
               ? pass_sum(w, x, one, 1)
               : inlay_node_is(n, INLAY_OP_MULTIPLY) && pass_product(w, x, one);
}

/* Numbers that fit into both types are the same in both. */
static bool pass_type(way *w, const inlay_value *from)
{
    if (inlay_type_is_float(from->fact.type) || !is_signed(from) || !is_signed(w->at))
        return false;
    w->bits = bits_of(w->at) < w->bits ? bits_of(w->at) : w->bits;
    w->at = from;
    return true;
}

/* The axes are in another order, and the lines go along another axis. */
static bool pass_order(way *w, const inlay_value *from)
{
    int64_t axes[INLAY_MAX_RANK], order[INLAY_MAX_RANK];

    for (int i = 0; i < INLAY_MAX_RANK; i++)
        axes[i] = i;
    if (from->fact.rank < 0 || !inlay_value_strides(w->at, from->fact.rank, axes, order))
        return false;
    w->line = (int)order[w->line];
    w->at = from;
    return true;
}

/* Each element of the output is a different one of the operand; tuples must stay together, and so
 * must lines, which a reshape does not part if they are those of the last axis. */
static bool pass_places(way *w, const inlay_value *from)
{
    const inlay_fact *a = &w->at->fact, *b = &from->fact;
    unsigned flags = w->at->node->op->flags;
    bool keeps_last = (flags & INLAY_RESHAPES) && a->rank > 0 && b->rank > 0 &&
                      inlay_dim_proven_equal(a->dims[a->rank - 1], b->dims[b->rank - 1]);

    if (w->line >= 0 && inlay_node_operand(w->at->node, INLAY_ROLE_ORDER))
        return pass_order(w, from);
    w->at = from;
    if (w->line >= 0 && !(flags & INLAY_CUTS)) {
        keeps_last = keeps_last && w->line == a->rank - 1;
        w->line = b->rank - 1;
        return keeps_last;
    }
    return w->tuple == 1 || keeps_last;
}

/* Follows one more node. False: the list of W is computed there, or the node may map distinct
 * numbers to equal ones. */
static bool pass_node(way *w)
{
    const inlay_node *n = w->at->node;
    const inlay_value *from = inlay_node_input(n, 0);
    way next = *w;
    bool ok;

    if (!from || w->at->index != 0 || inlay_node_is(n, INLAY_OP_CONST))
        return false;
    if ((n->op->flags & (INLAY_VIEW | INLAY_REPEATS)) == INLAY_VIEW)
        ok = pass_places(&next, from);
    else
        ok = n->op->flags & INLAY_CONVERTS ? pass_type(&next, from) : pass_arithmetic(&next);
    if (ok)
        *w = next;
    return ok;
}

/* Sources */

/* Do the numbers of *S, mapped by W, fit into the types on the way? Sets *S to the mapped interval.
 */
static bool follow_span(const way *w, span *s)
{
    int64_t most = w->bits < 64 ? (INT64_C(1) << (w->bits - 1)) - 1 : INT64_MAX, a, b;

    if (__builtin_mul_overflow(s->lo, w->scale, &a) ||
        __builtin_mul_overflow(s->hi, w->scale, &b) || __builtin_add_overflow(a, w->plus, &a) ||
        __builtin_add_overflow(b, w->plus, &b))
        return false;
    *s = (span){a < b ? a : b, a < b ? b : a};
    return s->lo >= -most - 1 && s->hi <= most;
}

/* Are numbers in S, distinct at the source of W, distinct positions of an axis of SIZE? If two
 * numbers mean the same position, one of them is negative, and smaller by SIZE. */
static bool name_places(const way *w, span s, int64_t size, bool from_end)
{
    int64_t length;
    bool near;

    if (!follow_span(w, &s))
        return false;
    near = size >= 0 && !__builtin_sub_overflow(s.hi, s.lo, &length) && length < size;
    if (w->shifts) /* in narrow types a sum that wraps may be a valid position again */
        return near && w->bits >= 32 && size < 1 << 30;
    return !from_end || s.lo >= 0 || s.hi < 0 || near;
}

/* The interval of V's type. */
static span all_numbers(const inlay_value *v)
{
    int64_t most = bits_of(v) < 64 ? (INT64_C(1) << (bits_of(v) - 1)) - 1 : INT64_MAX;

    return (span){is_signed(v) ? -most - 1 : 0, is_signed(v) || bits_of(v) >= 64 ? most : 2 * most};
}

/* The largest possible position in V. No tensor has more elements. */
static int64_t last_position(const inlay_value *v)
{
    int64_t most = v->fact.rank < 0 ? INT64_MAX / 4 : 0;

    for (int i = 0; i < v->fact.rank; i++)
        most = v->fact.dims[i].hi > most ? v->fact.dims[i].hi : most;
    return most < INT64_MAX / 4 ? most : INT64_MAX / 4;
}

/* Does the row of V's node say that the elements of V are distinct, along its axis? */
static bool is_distinct_output(const inlay_value *v)
{
    const inlay_op *op = v->node->op;
    bool positions = op->out[v->index].role == INLAY_ROLE_INDICES;

    for (int i = 0; i < op->n_out && !positions; i++)
        positions = i != v->index && op->out[i].role == INLAY_ROLE_INDICES;
    return (op->flags & INLAY_DISTINCT) && !inlay_type_is_float(v->fact.type) &&
           (op->out[v->index].role == INLAY_ROLE_INDICES || (v->index == 0 && !positions));
}

/* The axis along which the elements of V, such an output, are distinct. */
static int64_t distinct_axis(const inlay_value *v)
{
    const inlay_attr *axis = inlay_node_attr(v->node, "axis");

    return axis && axis->as.i >= 0 ? axis->as.i : v->fact.rank + (axis ? axis->as.i : -1);
}

/* Is the source of W such an output, and are its numbers distinct positions? */
static bool is_distinct_source(const way *w, int64_t size, bool from_end)
{
    const inlay_value *v = w->at, *data = inlay_node_input(v->node, 0);
    span s = all_numbers(v);

    if (w->tuple > 1 || v->fact.rank < 0 || !is_distinct_output(v))
        return false;
    for (int i = 0; i < v->fact.rank; i++) {
        if (i != distinct_axis(v) && w->line != distinct_axis(v) &&
            (v->fact.dims[i].lo != 1 || v->fact.dims[i].hi != 1))
            return false; /* each line has its own numbers */
    }
    if (data && v->node->op->out[v->index].role == INLAY_ROLE_INDICES)
        s = (span){0, last_position(data)};
    else if (v->fact.rank != 1)
        return false; /* slices are distinct, but not their elements */
    return name_places(w, s, size, from_end);
}

/* Are the tuples of W the columns of such an output, transposed? */
static bool are_turned_columns(const way *w)
{
    const inlay_value *order = inlay_node_operand(w->at->node, INLAY_ROLE_ORDER);
    const inlay_value *v = order ? inlay_node_input(w->at->node, 0) : NULL;

    return v && v->fact.rank == 2 && is_distinct_output(v) && distinct_axis(v) == 1 &&
           v->node->op->out[v->index].role == INLAY_ROLE_INDICES && order->fact.known &&
           (order->fact.n_known == 0 ||
            (order->fact.n_known == 2 && inlay_dim_is_static(order->fact.known[0]) &&
             order->fact.known[0].lo == 1));
}

/* Constants */

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Maps the number X of the source by W to *PLACE: a position of an axis of SIZE, or, if SIZE is
 * below 0, of one that is large enough. */
static bool find_place(const way *w, int64_t x, int64_t size, bool from_end, int64_t *place)
{
    span s = {x, x};

    if (!follow_span(w, &s) || (s.lo < 0 && from_end && size < 0))
        return false;
    *place = s.lo + (s.lo < 0 && from_end ? size : 0);
    return true;
}

/* The row-major position of tuple number I of T in a space of DIMS where these are known, and
 * otherwise large enough; below 0: out of range. */
static bool find_tuple(const way *w, const inlay_tensor *t, int64_t i, const int64_t *dims,
                       const int64_t *room, bool from_end, int64_t *place)
{
    *place = 0;
    for (int k = 0; k < w->tuple; k++) {
        int64_t x = inlay_tensor_get_i64(t, i * w->tuple + k), at;

        if (!find_place(w, x, dims[k], from_end, &at) || at < 0 || at >= room[k] ||
            __builtin_mul_overflow(*place, room[k], place) ||
            __builtin_add_overflow(*place, at, place))
            return false;
    }
    return true;
}

/* Are the N tuples of T pairwise distinct places? */
static bool are_distinct(const way *w, const inlay_tensor *t, int64_t n, const int64_t *dims,
                         bool from_end)
{
    int64_t *place =
                inlay_take_raw(inlay_node_budget(w->at->node), ((size_t)n + 1) * sizeof *place),
            room[INLAY_MAX_RANK];
    bool ok = place != NULL;

    for (int k = 0; k < w->tuple; k++) {
        room[k] = dims[k];
        for (int64_t i = 0; i < n && dims[k] < 0; i++) {
            int64_t x = inlay_tensor_get_i64(t, i * w->tuple + k);

            room[k] = x >= room[k] && x < INT32_MAX ? x + 1 : room[k];
        }
    }
    for (int64_t i = 0; ok && i < n; i++)
        ok = find_tuple(w, t, i, dims, room, from_end, &place[i]);
    if (ok)
        qsort(place, (size_t)n, sizeof *place, by_number);
    for (int64_t i = 1; ok && i < n; i++)
        ok = place[i] != place[i - 1];
    inlay_give(place);
    return ok;
}

static bool is_distinct_constant(const way *w, const int64_t *dims, bool from_end)
{
    const inlay_attr *a =
        inlay_node_is(w->at->node, INLAY_OP_CONST) ? inlay_node_attr(w->at->node, "value") : NULL;
    int64_t n = a ? inlay_tensor_count(a->as.tensor) / w->tuple : 0;

    return a && !w->shifts && n <= MOST_PLACES && !inlay_type_is_float(w->at->fact.type) &&
           are_distinct(w, a->as.tensor, n, dims, from_end);
}

/* Are the numbers of T, a constant, along each line of W distinct positions? */
static bool is_distinct_in_lines(const way *w, int64_t size, bool from_end)
{
    const inlay_tensor *t = w->at->fact.content;
    int64_t n = t ? inlay_tensor_count(t) : 0, step = 1, length, place[MOST_PLACES];
    bool ok = t && w->line < t->rank && n > 0 && n <= MOST_PLACES && !w->shifts;

    for (int i = w->line + 1; ok && i < t->rank; i++)
        step *= t->dims[i];
    length = ok ? t->dims[w->line] : 1;
    for (int64_t first = 0; ok && first < n; first++) {
        if (first / step % length != 0)
            continue;
        for (int64_t i = 0; ok && i < length; i++)
            ok =
                find_place(w, inlay_tensor_get_i64(t, first + i * step), size, from_end, &place[i]);
        qsort(place, (size_t)length, sizeof *place, by_number);
        for (int64_t i = 1; ok && i < length; i++)
            ok = place[i] != place[i - 1];
    }
    return ok;
}

/* Is V a list of a single position, whichever it is? */
static bool is_one_place(const inlay_value *v, int tuple)
{
    int64_t dims[INLAY_MAX_RANK];
    bool one = inlay_fact_dims(&v->fact, dims) && (tuple == 1 || v->fact.rank > 0);

    for (int i = 0; one && i < v->fact.rank; i++)
        one = dims[i] == (i == v->fact.rank - 1 ? tuple : 1);
    return one;
}

bool inlay_value_is_distinct(const inlay_value *v, int tuple, const int64_t *dims, bool from_end)
{
    way w = {.at = v, .tuple = tuple, .line = -1, .scale = 1};

    if (!v || v->fact.type == INLAY_DYNAMIC || inlay_type_is_float(v->fact.type))
        return false;
    if (is_one_place(v, tuple))
        return true;
    w.bits = bits_of(v);
    from_end = from_end && v->fact.type != INLAY_U64;
    for (int i = 0; i < MOST_NODES; i++) {
        if (is_distinct_constant(&w, dims, from_end) || is_distinct_source(&w, dims[0], from_end) ||
            are_turned_columns(&w))
            return true;
        if (!pass_node(&w))
            return false;
    }
    return false;
}

bool inlay_value_lines_are_distinct(const inlay_value *v, int axis, int64_t size, bool from_end)
{
    way w = {.at = v, .tuple = 1, .line = axis, .scale = 1};

    if (!v || axis >= v->fact.rank || v->fact.type == INLAY_DYNAMIC ||
        inlay_type_is_float(v->fact.type))
        return false;
    if (inlay_dim_is_static(v->fact.dims[axis]) && v->fact.dims[axis].lo == 1)
        return true;
    w.bits = bits_of(v);
    from_end = from_end && v->fact.type != INLAY_U64;
    for (int i = 0; i < MOST_NODES; i++) {
        if (is_distinct_in_lines(&w, size, from_end) || is_distinct_source(&w, size, from_end))
            return true;
        if (!pass_node(&w))
            return false;
    }
    return false;
}
