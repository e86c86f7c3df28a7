/* StridedSlice said as a Slice. */
#include "passes/rule_window.h"

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
        !rule_static_dims(data, data->fact.rank) || begin->fact.n_known > data->fact.rank)
        return RULE_DONT_KNOW;
    count = begin->fact.n_known;
    if (!inlay_strided_entries(n, count, data->fact.rank, entries, why, sizeof why) ||
        !(w = rule_new_window(c, data->fact.rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++)
        w->axis[i] = (inlay_window){0, data->fact.dims[i].lo, 1};
    for (int i = 0; i < count; i++) {
        int64_t x[3] = {0, 0, 1};

        if (entries[i].axis < 0 || entries[i].shrinks)
            return RULE_NO;
        if (!rule_known_entry(begin, i, &x[0]) ||
            !rule_known_entry(inlay_node_input(n, 2), i, &x[1]) ||
            (inlay_node_input(n, 3) && !rule_known_entry(inlay_node_input(n, 3), i, &x[2])) ||
            x[2] == 0)
            return RULE_DONT_KNOW;
        if (x[2] < 0 && !entries[i].from_first && x[0] < -data->fact.dims[entries[i].axis].lo)
            return RULE_DONT_KNOW; /* empty in Python, not in Slice */
        w->axis[entries[i].axis] =
            strided_axis(&entries[i], x, data->fact.dims[entries[i].axis].lo);
    }
    return RULE_YES;
}
