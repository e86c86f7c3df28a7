/* The windows that rules compute with. See window.h. */
#include "passes/rules/window.h"
#include "ir/shared.h"
#include "passes/query/scatter.h"

/* The updates are proven to have the sizes of the window W of the data. Otherwise the write may be
 * an error, which no rule may lose. */
static bool updates_fit(const inlay_fact *data, const inlay_fact *updates, const inlay_window *w)
{
    if (updates->rank != data->rank)
        return false;
    for (int i = 0; i < data->rank; i++) {
        inlay_dim wanted = w[i].count == RULE_WHOLE ? data->dims[i] : inlay_dim_of(w[i].count);

        if (!inlay_dim_proven_equal(updates->dims[i], wanted))
            return false;
    }
    return true;
}

bool rule_read_window(const inlay_node *slice, inlay_window *out)
{
    const inlay_fact *data = &slice->in[0].value->fact;
    const inlay_value *updates = query_scatter_updates(slice);
    int64_t dims[INLAY_MAX_RANK];

    if (data->rank < 0)
        return false;
    for (int i = 0; i < data->rank; i++)
        dims[i] = rule_whole(data->dims[i]).count;
    if (!inlay_node_windows(slice, dims, out))
        return false;
    for (int i = 0; i < data->rank; i++) {
        if (dims[i] == RULE_WHOLE && !inlay_window_equal(out[i], rule_whole(data->dims[i])))
            return false;
    }
    return !updates || updates_fit(data, &updates->fact, out);
}

rule_window *rule_window_of(rule_match *m, const inlay_node *slice)
{
    rule_window *w = rule_alloc(m, sizeof *w);

    if (!w)
        return NULL;
    w->from = slice;
    w->axes = NULL;
    w->rank = slice->in[0].value->fact.rank;
    w->known = rule_read_window(slice, w->axis);
    return w;
}

rule_window *rule_make_window(rule_match *m, int rank)
{
    rule_window *w = rule_alloc(m, sizeof *w);

    if (w)
        *w = (rule_window){.known = true, .rank = rank};
    return w;
}

bool rule_window_is_static(const rule_window *w)
{
    for (int i = 0; i < w->rank; i++) {
        if (w->axis[i].count == RULE_WHOLE)
            return false;
    }
    return true;
}

bool rule_window_is_empty(const rule_window *w)
{
    for (int i = 0; i < w->rank; i++) {
        if (w->axis[i].count == 0)
            return true;
    }
    return false;
}

/* The only axis of which W, the window of SLICE, does not take all elements in order. -1: none, or
 * several. */
static int partial_axis(const inlay_node *slice, const inlay_window *w)
{
    const inlay_fact *data = &slice->in[0].value->fact;
    int axis = -1;

    for (int i = 0; i < data->rank; i++) {
        if (inlay_window_equal(w[i], rule_whole(data->dims[i])))
            continue;
        if (axis >= 0)
            return -1;
        axis = i;
    }
    return axis;
}

int rule_run_axis(const inlay_node *slice, const inlay_window *w)
{
    int axis = partial_axis(slice, w);

    if (axis < 0 || w[axis].count == 0 || (w[axis].count > 1 && w[axis].step != 1))
        return -1;
    return axis;
}
