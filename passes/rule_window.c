/* What rules ask of windows. A window of which a number is not known can only be compared with
 * another by its operands; every other question about it is answered by RULE_DONT_KNOW. */
#include "passes/rule.h"
#include "passes/storage.h"

#include <string.h>

static rule_answer answer(bool yes)
{
    return yes ? RULE_YES : RULE_NO;
}

/* The index operands of a slice, and the data they are about. */
static int first_index(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_SLICE_SCATTER) ? 2 : 1;
}

rule_window *rule_window_of(rule_match *m, const inlay_node *slice)
{
    rule_window *w = rule_alloc(m, sizeof *w);

    if (!w)
        return NULL;
    w->from = slice;
    w->rank = slice->in[0].value->fact.rank;
    w->known = window_of_slice(slice, w->axis);
    return w;
}

bool rule_window_equal(const rule_window *a, const rule_window *b)
{
    if (a->from && b->from)
        return same_windows(a->from, b->from);
    if (!a->known || !b->known || a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++) {
        if (!inlay_window_equal(a->axis[i], b->axis[i]))
            return false;
    }
    return true;
}

static const rule_window *window(const rule_call *c, int i)
{
    return c->arg[i].window;
}

/* Both known, of tensors with as many axes. */
static bool comparable(const rule_call *c)
{
    return window(c, 0)->known && window(c, 1)->known && window(c, 0)->rank == window(c, 1)->rank;
}

static bool is_empty(const rule_window *w)
{
    for (int i = 0; i < w->rank; i++) {
        if (w->axis[i].count == 0)
            return true;
    }
    return false;
}

static rule_window *new_window(rule_call *c, int rank)
{
    rule_window *w = rule_alloc(c->match, sizeof *w);

    if (!w)
        return NULL;
    w->known = true;
    w->rank = rank;
    c->out.window = w;
    return w;
}

/* Windows of one tensor are disjoint when they are on some axis. */
rule_answer rule_fn_disjoint(rule_call *c)
{
    if (!comparable(c))
        return RULE_DONT_KNOW;
    for (int i = 0; i < window(c, 0)->rank; i++) {
        if (!inlay_window_meets(window(c, 0)->axis[i], window(c, 1)->axis[i]))
            return RULE_YES;
    }
    return RULE_NO;
}

rule_answer rule_fn_inside(rule_call *c)
{
    if (!comparable(c))
        return RULE_DONT_KNOW;
    if (is_empty(window(c, 0)))
        return RULE_YES;
    for (int i = 0; i < window(c, 0)->rank; i++) {
        if (!inlay_window_inside(window(c, 0)->axis[i], window(c, 1)->axis[i]))
            return RULE_NO;
    }
    return RULE_YES;
}

/* Entry I of a list operand; false when it is not known. */
static bool entry(const inlay_value *v, int i, int64_t *out)
{
    if (!v || !v->fact.known || i >= v->fact.n_known || !inlay_dim_is_static(v->fact.known[i]))
        return false;
    *out = v->fact.known[i].lo;
    return true;
}

/* Of data whose sizes are not known: each entry takes all of its axis in order, however long. */
static rule_answer full_symbol(const inlay_node *n)
{
    int first = first_index(n);
    const inlay_value *data = inlay_node_input(n, 0), *start = inlay_node_input(n, first);
    const inlay_value *axes = inlay_node_input(n, first + 3);

    if (data->fact.rank < 0 || !start->fact.known)
        return RULE_DONT_KNOW;
    for (int i = 0; i < start->fact.n_known; i++) {
        int64_t x[3], axis = i;
        inlay_dim d;

        for (int k = 0; k < 3; k++) {
            if (!entry(inlay_node_input(n, first + k), i, &x[k]))
                return RULE_DONT_KNOW;
        }
        if (axes && !entry(axes, i, &axis))
            return RULE_DONT_KNOW;
        axis += axis < 0 ? data->fact.rank : 0;
        if (axis < 0 || axis >= data->fact.rank)
            return RULE_NO;
        d = data->fact.dims[axis];
        if (x[2] != 1 || !inlay_dim_proven_equal(inlay_window_length(x[0], x[1], x[2], d), d))
            return RULE_DONT_KNOW;
    }
    return RULE_YES;
}

static int64_t size_at(const rule_window *w, int axis)
{
    return w->from ? w->from->in[0].value->fact.dims[axis].lo : -1;
}

rule_answer rule_fn_full(rule_call *c)
{
    const rule_window *w = window(c, 0);

    if (!w->from)
        return RULE_DONT_KNOW;
    if (!w->known)
        return full_symbol(w->from);
    for (int i = 0; i < w->rank; i++) {
        if (!inlay_window_equal(w->axis[i], (inlay_window){0, size_at(w, i), 1}))
            return RULE_NO;
    }
    return RULE_YES;
}

rule_answer rule_fn_covers(rule_call *c)
{
    const rule_window *w = window(c, 0);

    if (!w->known || !w->from)
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        if (w->axis[i].count != size_at(w, i)) /* all of them, so the step is 1 or -1 */
            return RULE_NO;
    }
    return RULE_YES;
}

rule_answer rule_fn_empty(rule_call *c)
{
    return window(c, 0)->known ? answer(is_empty(window(c, 0))) : RULE_DONT_KNOW;
}

static bool goes_back(inlay_window w)
{
    return w.count > 1 && w.step < 0;
}

rule_answer rule_fn_backward(rule_call *c)
{
    const rule_window *w = window(c, 0);

    if (!w->known)
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        if (goes_back(w->axis[i]))
            return RULE_YES;
    }
    return RULE_NO;
}

/* In row-major order of where they begin. */
rule_answer rule_fn_before(rule_call *c)
{
    if (!comparable(c))
        return RULE_DONT_KNOW;
    for (int i = 0; i < window(c, 0)->rank; i++) {
        int64_t a = window(c, 0)->axis[i].begin, b = window(c, 1)->axis[i].begin;

        if (a != b)
            return answer(a < b);
    }
    return RULE_NO;
}

rule_answer rule_fn_relative(rule_call *c)
{
    rule_answer is_inside = rule_fn_inside(c);
    rule_window *w;

    if (is_inside != RULE_YES)
        return is_inside;
    if (is_empty(window(c, 1)) || !(w = new_window(c, window(c, 0)->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        /* An empty window may lie anywhere on its other axes. */
        if (!inlay_window_inside(window(c, 0)->axis[i], window(c, 1)->axis[i]))
            return RULE_DONT_KNOW;
        w->axis[i] = inlay_window_relative(window(c, 0)->axis[i], window(c, 1)->axis[i]);
    }
    return RULE_YES;
}

rule_answer rule_fn_compose(rule_call *c)
{
    rule_window *w;

    if (!comparable(c) || !(w = new_window(c, window(c, 0)->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++)
        w->axis[i] = inlay_window_compose(window(c, 0)->axis[i], window(c, 1)->axis[i]);
    return RULE_YES;
}

rule_answer rule_fn_forward(rule_call *c)
{
    const rule_window *from = window(c, 0);
    rule_window *w = from->known ? new_window(c, from->rank) : NULL;

    if (!w)
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        w->axis[i] = from->axis[i];
        if (goes_back(w->axis[i])) {
            w->axis[i].begin += w->axis[i].step * (w->axis[i].count - 1);
            w->axis[i].step = -w->axis[i].step;
        }
    }
    return RULE_YES;
}

rule_answer rule_fn_mirrored(rule_call *c)
{
    const rule_window *from = window(c, 0);
    rule_window *w = from->known ? new_window(c, from->rank) : NULL;

    if (!w)
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        int64_t n = from->axis[i].count;

        w->axis[i] =
            goes_back(from->axis[i]) ? (inlay_window){n - 1, n, -1} : (inlay_window){0, n, 1};
    }
    return RULE_YES;
}

/* Axis i of the result of Transpose(x, order) is axis order[i] of x. */
rule_answer rule_fn_permuted(rule_call *c)
{
    const rule_window *from = window(c, 0);
    const rule_ints *order = c->arg[1].ints;
    rule_window *w;

    if (!from->known || order->n != from->rank || !(w = new_window(c, from->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        if (order->x[i] < 0 || order->x[i] >= w->rank)
            return RULE_NO;
        w->axis[order->x[i]] = from->axis[i];
    }
    return RULE_YES;
}

rule_answer rule_fn_unpermuted(rule_call *c)
{
    const rule_window *from = window(c, 0);
    const rule_ints *order = c->arg[1].ints;
    rule_window *w;

    if (!from->known || order->n != from->rank || !(w = new_window(c, from->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        if (order->x[i] < 0 || order->x[i] >= w->rank)
            return RULE_NO;
        w->axis[i] = from->axis[order->x[i]];
    }
    return RULE_YES;
}

static bool static_dims(const inlay_value *v, int rank)
{
    if (v->fact.rank != rank)
        return false;
    for (int i = 0; i < rank; i++) {
        if (!inlay_dim_is_static(v->fact.dims[i]))
            return false;
    }
    return true;
}

/* W moved by -BY along an axis lies in [0, size)? */
static bool shift(inlay_window *w, int64_t by, int64_t size)
{
    int64_t last;

    if (w->count == 0)
        return true;
    last = w->count > 1 ? w->begin + w->step * (w->count - 1) : w->begin;
    w->begin -= by;
    last -= by;
    return w->begin >= 0 && w->begin < size && last >= 0 && last < size;
}

rule_answer rule_fn_inside_pad(rule_call *c)
{
    const rule_window *from = window(c, 0);
    const rule_ints *pads = c->arg[1].ints;
    const inlay_value *x = c->arg[2].value;
    rule_window *w;

    if (!from->known || pads->n != from->rank || !static_dims(x, from->rank) ||
        !(w = new_window(c, from->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        w->axis[i] = from->axis[i];
        if (!shift(&w->axis[i], pads->x[i], x->fact.dims[i].lo))
            return RULE_NO;
    }
    return RULE_YES;
}

rule_answer rule_fn_corner(rule_call *c)
{
    const inlay_value *x = c->arg[0].value, *like = c->arg[1].value;
    int rank = like->fact.rank;
    rule_window *w;

    if (rank < 1 || !static_dims(x, rank) || !static_dims(like, rank) || !(w = new_window(c, rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < rank; i++) {
        w->axis[i] = (inlay_window){0, like->fact.dims[i].lo, 1};
        if (like->fact.dims[i].lo > x->fact.dims[i].lo)
            return RULE_NO;
    }
    return RULE_YES;
}

static bool axis_of(const rule_ints *axis, int rank, int *out)
{
    int64_t a = axis->n == 1 ? axis->x[0] : INT64_MIN;

    if (a < -rank || a >= rank)
        return false;
    *out = (int)(a < 0 ? a + rank : a);
    return true;
}

/* W, moved back by BY along AXIS, as a window of an axis of SIZE there. */
static rule_answer part(rule_call *c, const rule_window *from, int axis, int64_t by, int64_t size)
{
    rule_window *w = new_window(c, from->rank);

    if (!w)
        return RULE_DONT_KNOW;
    memcpy(w->axis, from->axis, (size_t)w->rank * sizeof w->axis[0]);
    return answer(from->axis[axis].count > 0 && shift(&w->axis[axis], by, size));
}

rule_answer rule_fn_first_part(rule_call *c)
{
    const rule_window *from = window(c, 0);
    int axis;

    if (!from->known || !static_dims(c->arg[2].value, from->rank) ||
        !axis_of(c->arg[1].ints, from->rank, &axis))
        return RULE_DONT_KNOW;
    return part(c, from, axis, 0, c->arg[2].value->fact.dims[axis].lo);
}

rule_answer rule_fn_second_part(rule_call *c)
{
    const rule_window *from = window(c, 0);
    int axis;

    if (!from->known || !static_dims(c->arg[2].value, from->rank) ||
        !axis_of(c->arg[1].ints, from->rank, &axis))
        return RULE_DONT_KNOW;
    return part(c, from, axis, c->arg[2].value->fact.dims[axis].lo, INT64_MAX);
}

/* Which of the joined values the window lies in; its window there is c->out.window. */
static rule_answer find_part(rule_call *c, inlay_value **which)
{
    const rule_window *from = window(c, 2);
    int64_t by = 0;
    int axis;

    if (!from->known || !axis_of(c->arg[1].ints, from->rank, &axis))
        return RULE_DONT_KNOW;
    for (int i = 0; i < c->arg[0].n_list; i++) {
        inlay_value *v = c->arg[0].list[i];
        rule_answer a;

        if (!static_dims(v, from->rank))
            return RULE_DONT_KNOW;
        a = part(c, from, axis, by, v->fact.dims[axis].lo);
        *which = v;
        if (a != RULE_NO)
            return a;
        by += v->fact.dims[axis].lo;
    }
    return RULE_NO;
}

rule_answer rule_fn_part_of(rule_call *c)
{
    return find_part(c, &c->out.value);
}

rule_answer rule_fn_window_of_part(rule_call *c)
{
    inlay_value *which;

    return find_part(c, &which);
}

static bool is_slice(const inlay_value *v)
{
    return inlay_node_is(v->node, INLAY_OP_SLICE);
}

rule_answer rule_fn_sliced(rule_call *c)
{
    for (int i = 0; i < c->arg[0].n_list; i++) {
        inlay_value *v = c->arg[0].list[i];

        if (!is_slice(v) ||
            inlay_node_input(v->node, 0) != inlay_node_input(c->arg[0].list[0]->node, 0))
            return RULE_NO;
    }
    c->out.value = inlay_node_input(c->arg[0].list[0]->node, 0);
    return c->arg[0].n_list > 1 ? RULE_YES : RULE_NO;
}

/* W grows by NEXT, which goes on along AXIS where W ends, with the same step. */
static bool append(rule_window *w, const inlay_window *next, int axis)
{
    inlay_window *at = &w->axis[axis];
    int64_t step = next[axis].count > 1 ? next[axis].step : at->step;

    for (int i = 0; i < w->rank; i++) {
        if (i != axis && !inlay_window_equal(w->axis[i], next[i]))
            return false;
    }
    if (at->count == 0 || next[axis].count == 0)
        return false;
    if (at->count == 1)
        at->step = next[axis].count > 1 ? step : next[axis].begin - at->begin;
    if (at->step == 0 || (next[axis].count > 1 && step != at->step) ||
        next[axis].begin != at->begin + at->step * at->count)
        return false;
    at->count += next[axis].count;
    return true;
}

rule_answer rule_fn_joined(rule_call *c)
{
    rule_window *w = NULL;
    int axis = 0;

    for (int i = 0; i < c->arg[0].n_list; i++) {
        inlay_window next[INLAY_MAX_RANK];
        const inlay_value *v = c->arg[0].list[i];

        if (!is_slice(v) || !window_of_slice(v->node, next))
            return RULE_DONT_KNOW;
        if (i == 0) {
            w = new_window(c, v->fact.rank);
            if (!w || !axis_of(c->arg[1].ints, w->rank, &axis))
                return RULE_DONT_KNOW;
            memcpy(w->axis, next, (size_t)w->rank * sizeof next[0]);
        } else if (!append(w, next, axis)) {
            return RULE_NO;
        }
    }
    return w ? RULE_YES : RULE_NO;
}

/* begin:end:stride of entry I as Slice spells it: what a mask leaves out is the end that the sign
 * of the stride says. */
static inlay_window strided_axis(const inlay_strided_entry *e, const int64_t *x, int64_t size)
{
    int64_t start = e->from_first ? (x[2] > 0 ? 0 : INT64_MAX) : x[0];
    int64_t stop = e->to_last ? (x[2] > 0 ? INT64_MAX : INT64_MIN) : x[1];

    return inlay_window_normalise(start, stop, x[2], size);
}

rule_answer rule_fn_strided_window(rule_call *c)
{
    const inlay_node *n = c->arg[0].value->node;
    const inlay_value *data = inlay_node_input(n, 0), *begin = inlay_node_input(n, 1);
    inlay_strided_entry entries[INLAY_MAX_RANK];
    char why[160];
    rule_window *w;
    int count;

    if (!inlay_node_is(n, INLAY_OP_STRIDED_SLICE) || data->fact.rank < 1 || !begin->fact.known ||
        !static_dims(data, data->fact.rank) || begin->fact.n_known > data->fact.rank)
        return RULE_DONT_KNOW;
    count = begin->fact.n_known;
    if (!inlay_strided_entries(n, count, data->fact.rank, entries, why, sizeof why) ||
        !(w = new_window(c, data->fact.rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++)
        w->axis[i] = (inlay_window){0, data->fact.dims[i].lo, 1};
    for (int i = 0; i < count; i++) {
        int64_t x[3] = {0, 0, 1};

        if (entries[i].axis < 0 || entries[i].shrinks)
            return RULE_NO;
        if (!entry(begin, i, &x[0]) || !entry(inlay_node_input(n, 2), i, &x[1]) ||
            (inlay_node_input(n, 3) && !entry(inlay_node_input(n, 3), i, &x[2])) || x[2] == 0)
            return RULE_DONT_KNOW;
        if (x[2] < 0 && !entries[i].from_first && x[0] < -data->fact.dims[entries[i].axis].lo)
            return RULE_DONT_KNOW; /* empty in Python, not in Slice */
        w->axis[entries[i].axis] =
            strided_axis(&entries[i], x, data->fact.dims[entries[i].axis].lo);
    }
    return RULE_YES;
}

/* What is around the updates U of the window: before or behind it, of every axis. */
static rule_answer room(rule_call *c, bool behind)
{
    const rule_window *w = window(c, 0);
    rule_ints *out;

    if (!w->known || !w->from || !static_dims(w->from->in[0].value, w->rank) ||
        !static_dims(c->arg[1].value, w->rank) ||
        !(out = rule_new_ints(c->match, INLAY_I64, 1, w->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        inlay_window at = w->axis[i];

        if (at.count == 0 || (at.count > 1 && at.step != 1))
            return RULE_NO;
        out->x[i] = behind ? size_at(w, i) - at.begin - at.count : at.begin;
    }
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_room_before(rule_call *c)
{
    return room(c, false);
}

rule_answer rule_fn_room_behind(rule_call *c)
{
    return room(c, true);
}
