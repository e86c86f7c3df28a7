/* Helpers of several conditions. See vocabulary.h. */
#include "passes/rules/vocabulary/vocabulary.h"
#include "ir/shared.h"

#include <string.h>

bool rule_static_dims(const inlay_value *v, int rank)
{
    int64_t dims[INLAY_MAX_RANK];

    return rank >= 0 && v->fact.rank == rank && inlay_fact_dims(&v->fact, dims) &&
           inlay_count_elements(rank, dims, NULL);
}

bool rule_has_one_element(const inlay_fact *f)
{
    for (int i = 0; i < f->rank; i++) {
        if (!rule_is_one(f->dims[i]))
            return false;
    }
    return f->rank >= 0;
}

bool rule_known_entry(const inlay_value *v, int i, int64_t *out)
{
    if (i >= v->fact.n_known || !inlay_dim_is_static(v->fact.known[i]))
        return false;
    *out = v->fact.known[i].lo;
    return true;
}

bool rule_axis_of(const rule_ints *axis, int rank, int *out)
{
    int64_t a = axis->n == 1 ? axis->x[0] : INT64_MIN;

    if (a < -rank || a >= rank)
        return false;
    *out = (int)(a < 0 ? a + rank : a);
    return true;
}

rule_window *rule_new_window(rule_call *c, int rank)
{
    rule_window *w = rule_make_window(c->match, rank);

    c->out.window = w;
    return w;
}

bool rule_window_shift(inlay_window *w, int64_t by, int64_t size)
{
    int64_t last;

    if (w->count == 0)
        return true;
    last = w->count > 1 ? w->begin + w->step * (w->count - 1) : w->begin;
    w->begin -= by;
    last -= by;
    return w->begin >= 0 && w->begin < size && last >= 0 && last < size;
}

bool rule_window_append(rule_window *w, const inlay_window *next, int axis)
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

int rule_broadcast_axis(const inlay_node *n, int i)
{
    const inlay_value *data = inlay_node_input(n, 0), *map = inlay_node_input(n, 2);
    int64_t at;

    if (strcmp(inlay_node_string(n, "mode"), "explicit") != 0)
        return n->out[0].fact.rank - data->fact.rank + i;
    return map && rule_known_entry(map, i, &at) ? (int)at : -1;
}
