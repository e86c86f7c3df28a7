/* Windows of values that are joined along an axis, and windows that are joined. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/rules/vocabulary/vocabulary.h"

#include <string.h>

/* Consecutive positions of a window that lie in one of several joined values. */
typedef struct run {
    int part;        /* number of the value */
    inlay_window at; /* along the axis, in that value */
} run;

typedef struct runs {
    int axis, n;
    run *list;
} runs;

/* Counts, from position AT on, how many of the next N positions with this step lie in [first, first
 * + size). */
static int64_t count_in(int64_t at, int64_t step, int64_t n, int64_t first, int64_t size)
{
    int64_t k = 1;

    if (n > 1 && step > 0)
        k += (first + size - 1 - at) / step;
    else if (n > 1 && step < 0)
        k += (at - first) / -step;
    return k < n ? k : n;
}

/* The number of the part that contains position AT; *FIRST is where that part begins. */
static int part_at(const rule_binding *parts, int axis, int64_t at, int64_t *first)
{
    int i = 0;

    for (*first = 0; i + 1 < parts->n_list; i++) {
        int64_t size = parts->list[i]->fact.dims[axis].lo;

        if (at < *first + size)
            break;
        *first += size;
    }
    return i;
}

/* Divides the window that is argument W into runs. The window is of the values of the first
 * argument, joined along the axis of the second. False: the runs are not known. */
static bool find_runs(rule_call *c, int w, runs *out)
{
    const rule_binding *parts = &c->arg[0];
    const rule_window *from = rule_arg_window(c, w);
    int64_t done = 0;

    out->n = 0;
    if (!from->known || !rule_axis_of(c->arg[1].ints, from->rank, &out->axis))
        return false;
    for (int i = 0; i < parts->n_list; i++) {
        const inlay_fact *part = &parts->list[i]->fact;

        if (part->rank != from->rank || !inlay_dim_is_static(part->dims[out->axis]))
            return false;
    }
    out->list = rule_alloc(c->match, (size_t)parts->n_list * sizeof *out->list);
    while (out->list && done < from->axis[out->axis].count) {
        inlay_window at = from->axis[out->axis];
        int64_t first, begin = at.count > 1 ? at.begin + at.step * done : at.begin;
        int i = part_at(parts, out->axis, begin, &first);

        at.count = count_in(begin, at.step, at.count - done, first,
                            parts->list[i]->fact.dims[out->axis].lo);
        at.begin = begin - first;
        done += at.count;
        out->list[out->n++] = (run){i, at};
    }
    return out->list != NULL;
}

/* W with the window of run I along the axis. */
static rule_window *window_of_run(rule_match *m, const rule_window *w, const runs *r, int i)
{
    rule_window *out = rule_make_window(m, w->rank);

    if (out) {
        memcpy(out->axis, w->axis, (size_t)w->rank * sizeof w->axis[0]);
        out->axis[r->axis] = r->list[i].at;
    }
    return out;
}

/* Finds the only part that contains the window. */
static rule_answer find_part(rule_call *c, runs *r)
{
    return find_runs(c, 2, r) ? rule_yes_if(r->n == 1) : RULE_DONT_KNOW;
}

rule_answer rule_fn_part_of(rule_call *c)
{
    runs r;
    rule_answer a = find_part(c, &r);

    if (a == RULE_YES)
        c->out.value = c->arg[0].list[r.list[0].part];
    return a;
}

rule_answer rule_fn_window_of_part(rule_call *c)
{
    runs r;
    rule_answer a = find_part(c, &r);

    if (a == RULE_YES)
        c->out.window = window_of_run(c->match, rule_arg_window(c, 2), &r, 0);
    return a;
}

rule_answer rule_fn_parts_before(rule_call *c)
{
    runs r;
    rule_answer a = find_part(c, &r);

    c->out.list = c->arg[0].list;
    c->out.n_list = a == RULE_YES ? r.list[0].part : 0;
    return a;
}

rule_answer rule_fn_parts_behind(rule_call *c)
{
    runs r;
    rule_answer a = find_part(c, &r);
    int first = a == RULE_YES ? r.list[0].part + 1 : 0;

    c->out.list = c->arg[0].list + first;
    c->out.n_list = c->arg[0].n_list - first;
    return a;
}

rule_answer rule_fn_parts_cut(rule_call *c)
{
    runs r;
    inlay_value **list;

    if (!find_runs(c, 2, &r) ||
        !(list = rule_alloc(c->match, ((size_t)r.n + 1) * sizeof(inlay_value *))))
        return RULE_DONT_KNOW;
    for (int i = 0; i < r.n; i++)
        list[i] = c->arg[0].list[r.list[i].part];
    c->out.list = list;
    c->out.n_list = r.n;
    return rule_yes_if(r.n > 0); /* a Concat has at least one operand */
}

rule_answer rule_fn_windows_of_parts(rule_call *c)
{
    runs r;
    const rule_window **list;

    if (!find_runs(c, 2, &r) || !(list = rule_alloc(c->match, ((size_t)r.n + 1) * sizeof *list)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < r.n; i++) {
        list[i] = window_of_run(c->match, rule_arg_window(c, 2), &r, i);
        if (!list[i])
            return RULE_DONT_KNOW;
    }
    c->out.windows = list;
    c->out.n_list = r.n;
    return RULE_YES;
}

/* The value of which V is a window: a Slice, or a part of a Split. */
static inlay_value *cut_from(const inlay_value *v)
{
    return v->node->op->flags & INLAY_CUTS ? inlay_node_input(v->node, 0) : NULL;
}

/* The window of the data that is V, an output of a Split or VariadicSplit. */
static bool window_of_output(const inlay_value *v, inlay_window *out)
{
    const inlay_node *n = v->node;
    const inlay_fact *data = &n->in[0].value->fact;
    int64_t axis;

    if (data->rank < 0 || !rule_known_entry(inlay_node_operand(n, INLAY_ROLE_AXIS), 0, &axis) ||
        !rule_sizes_are_sure(n, 2))
        return false;
    axis += axis < 0 ? data->rank : 0;
    if (!inlay_dim_is_static(data->dims[axis]))
        return false;
    for (int i = 0; i < data->rank; i++)
        out[i] = rule_whole(data->dims[i]);
    out[axis].begin = 0;
    for (int i = 0; i <= v->index; i++) {
        if (!inlay_dim_is_static(n->out[i].fact.dims[axis]))
            return false;
        out[axis].begin += out[axis].count = n->out[i].fact.dims[axis].lo;
    }
    out[axis].begin -= out[axis].count;
    return true;
}

static bool window_of_piece(const inlay_value *v, inlay_window *out)
{
    if (inlay_node_is(v->node, INLAY_OP_SLICE))
        return rule_read_window(v->node, out);
    return window_of_output(v, out);
}

rule_answer rule_fn_sliced(rule_call *c)
{
    inlay_value *data = c->arg[0].n_list > 1 ? cut_from(c->arg[0].list[0]) : NULL;

    for (int i = 0; i < c->arg[0].n_list; i++) {
        if (!data || cut_from(c->arg[0].list[i]) != data)
            return RULE_NO;
    }
    c->out.value = data;
    return rule_yes_if(data != NULL);
}

rule_answer rule_fn_joined(rule_call *c)
{
    rule_window *w = NULL;
    int axis = 0;

    for (int i = 0; i < c->arg[0].n_list; i++) {
        inlay_window next[INLAY_MAX_RANK];
        const inlay_value *v = c->arg[0].list[i];

        if (!cut_from(v) || !window_of_piece(v, next))
            return RULE_DONT_KNOW;
        if (i == 0) {
            w = rule_new_window(c, v->fact.rank);
            if (!w || !rule_axis_of(c->arg[1].ints, w->rank, &axis))
                return RULE_DONT_KNOW;
            memcpy(w->axis, next, (size_t)w->rank * sizeof next[0]);
        } else if (!rule_window_append(w, next, axis)) {
            return RULE_NO;
        }
    }
    return w ? RULE_YES : RULE_NO;
}

rule_answer rule_fn_windows_of_outputs(rule_call *c)
{
    int n = c->arg[0].n_list;
    const rule_window **list = rule_alloc(c->match, ((size_t)n + 1) * sizeof *list);

    for (int i = 0; list && i < n; i++) {
        const inlay_value *v = c->arg[0].list[i];
        rule_window *w = rule_make_window(c->match, v->fact.rank < 0 ? 0 : v->fact.rank);

        if (!w || !window_of_output(v, w->axis))
            return RULE_DONT_KNOW;
        list[i] = w;
    }
    c->out.windows = list;
    c->out.n_list = n;
    return list ? RULE_YES : RULE_DONT_KNOW;
}

rule_answer rule_fn_output_window(rule_call *c)
{
    const inlay_value *v = c->arg[0].value;
    rule_window *w = rule_make_window(c->match, v->fact.rank < 0 ? 0 : v->fact.rank);

    if (!w || !window_of_output(v, w->axis))
        return RULE_DONT_KNOW;
    c->out.window = w;
    return RULE_YES;
}
