/* Writes to adjacent windows, and the rest of an axis beside a write. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/query/scatter.h"
#include "passes/rules/chain.h"
#include "passes/rules/vocabulary/vocabulary.h"

#include <stdlib.h>
#include <string.h>

/* The only axis on which two windows differ, or -1. */
static int find_axis_apart(const rule_window *a, const rule_window *b)
{
    int axis = -1;

    for (int i = 0; i < a->rank; i++) {
        if (inlay_window_equal(a->axis[i], b->axis[i]))
            continue;
        if (axis >= 0)
            return -1;
        axis = i;
    }
    return axis;
}

rule_answer rule_fn_continued(rule_call *c)
{
    const rule_window *first = rule_arg_window(c, 0), *second = rule_arg_window(c, 1);
    rule_window *w;
    int axis;

    if (!first->known || !second->known || first->rank != second->rank ||
        !(w = rule_new_window(c, first->rank)))
        return RULE_DONT_KNOW;
    memcpy(w->axis, first->axis, sizeof w->axis);
    axis = find_axis_apart(first, second);
    return rule_yes_if(axis >= 0 && rule_window_append(w, second->axis, axis));
}

static rule_ints *one_int(rule_call *c, int64_t x)
{
    rule_ints *out = rule_new_ints(c->match, INLAY_I64, 0, 1);

    if (out)
        out->x[0] = x;
    c->out.ints = out;
    return out;
}

rule_answer rule_fn_axis_apart(rule_call *c)
{
    const rule_window *first = rule_arg_window(c, 0), *second = rule_arg_window(c, 1);
    int axis;

    if (!first->known || !second->known || first->rank != second->rank)
        return RULE_DONT_KNOW;
    axis = find_axis_apart(first, second);
    return axis < 0 ? RULE_NO : one_int(c, axis) ? RULE_YES : RULE_DONT_KNOW;
}

/* Going one write at a time would take as many rewrites as a chain has pairs of writes. */
rule_answer rule_fn_before_writes(rule_call *c)
{
    inlay_value *v = c->arg[0].value;

    if (!rule_arg_window(c, 1)->known ||
        !(c->out.value = rule_chain_under(c->match, v, rule_arg_window(c, 1))))
        return RULE_DONT_KNOW;
    return rule_yes_if(c->out.value != v);
}

/* A write of a chain: what is written, and where along the axis. */
typedef struct tile {
    inlay_value *updates;
    int64_t begin, count;
} tile;

static int by_begin(const void *a, const void *b)
{
    int64_t x = ((const tile *)a)->begin, y = ((const tile *)b)->begin;

    return (x > y) - (x < y);
}

/* How many writes, the last of them END and each read only by the next, cover AXIS completely; 0:
 * none do. */
static int chain_length(const inlay_node *end, int axis)
{
    int64_t missing = end->out[0].fact.dims[axis].lo;
    const inlay_node *at = end;
    int n = 0;

    while (missing > 0 && inlay_node_is(at, INLAY_OP_SLICE_SCATTER) &&
           (n == 0 || rule_used_once(&at->out[0]))) {
        const inlay_fact *updates = &query_scatter_updates(at)->fact;

        inlay_count_steps(at->graph, 1);
        if (updates->rank <= axis)
            return 0;
        missing -= updates->dims[axis].lo;
        at = at->in[0].value->node;
        n++;
    }
    return missing == 0 ? n : 0;
}

/* These N writes do not overlap and cover the axis, and nothing else reads what they overwrite.
 * TILES gets them in the order of their beginnings. */
static bool collect_tiles(const inlay_node *end, int n, int axis, tile *tiles)
{
    const inlay_node *at = end;
    const inlay_value *data = NULL;

    for (int i = 0; i < n; i++, at = data->node) {
        inlay_window w[INLAY_MAX_RANK];

        if (!rule_read_window(at, w) || rule_run_axis(at, w) != axis)
            return false;
        tiles[i] = (tile){query_scatter_updates(at), w[axis].begin, w[axis].count};
        data = at->in[0].value;
    }
    if (!data || !rule_used_once(data))
        return false;
    qsort(tiles, (size_t)n, sizeof *tiles, by_begin);
    return true;
}

rule_answer rule_fn_tiles(rule_call *c)
{
    const inlay_node *end = c->arg[0].value->node;
    int axis = (int)c->arg[1].ints->x[0];
    int n = rule_chain_may_fill(c->match, end, axis) ? chain_length(end, axis) : 0;
    tile *tiles = rule_alloc(c->match, ((size_t)n + 1) * sizeof *tiles);
    inlay_value **list = rule_alloc(c->match, ((size_t)n + 1) * sizeof(inlay_value *));

    if (!tiles || !list)
        return RULE_DONT_KNOW;
    if (!collect_tiles(end, n, axis, tiles))
        return RULE_NO;
    for (int i = 0; i < n; i++)
        list[i] = tiles[i].updates;
    c->out.list = list;
    c->out.n_list = n;
    return RULE_YES;
}

rule_answer rule_fn_cut_axis(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);
    int axis;

    if (!w->known || !w->from)
        return RULE_DONT_KNOW;
    axis = rule_run_axis(w->from, w->axis);
    return axis < 0 ? RULE_NO : one_int(c, axis) ? RULE_YES : RULE_DONT_KNOW;
}

/* The rest of the axis, as one window or none. */
static rule_answer beside_cut(rule_call *c, bool behind)
{
    const rule_window *w = rule_arg_window(c, 0), **list = rule_alloc(c->match, sizeof *list);
    int axis = w->known && w->from ? rule_run_axis(w->from, w->axis) : -1;
    rule_window *out = rule_make_window(c->match, w->rank);
    int64_t end;

    if (axis < 0 || !list || !out)
        return RULE_DONT_KNOW;
    memcpy(out->axis, w->axis, sizeof out->axis);
    end = w->axis[axis].begin + w->axis[axis].count;
    out->axis[axis] = behind
                          ? (inlay_window){end, w->from->in[0].value->fact.dims[axis].lo - end, 1}
                          : (inlay_window){0, w->axis[axis].begin, 1};
    list[0] = out;
    c->out.windows = list;
    c->out.n_list = out->axis[axis].count > 0;
    return RULE_YES;
}

rule_answer rule_fn_ahead_of_cut(rule_call *c)
{
    return beside_cut(c, false);
}

rule_answer rule_fn_behind_cut(rule_call *c)
{
    return beside_cut(c, true);
}

rule_answer rule_fn_cut_lengths(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);
    int axis = w->known && w->from ? rule_run_axis(w->from, w->axis) : -1;
    rule_ints *out = rule_new_ints(c->match, INLAY_I64, 1, 3);

    if (axis < 0 || !out)
        return RULE_DONT_KNOW;
    out->x[0] = w->axis[axis].begin;
    out->x[1] = w->axis[axis].count;
    out->x[2] = w->from->in[0].value->fact.dims[axis].lo - out->x[0] - out->x[1];
    c->out.ints = out;
    return RULE_YES;
}

/* Does N write U into the window W of its data? */
static bool writes_there(const inlay_node *n, const inlay_value *u, const rule_window *w)
{
    inlay_window there[INLAY_MAX_RANK];
    bool same = inlay_node_is(n, INLAY_OP_SLICE_SCATTER) && n->in[1].value == u &&
                n->in[0].value->fact.rank == w->rank && rule_read_window(n, there);

    for (int i = 0; same && i < w->rank; i++)
        same = inlay_window_equal(there[i], w->axis[i]);
    return same;
}

rule_answer rule_fn_written(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 2);
    const inlay_value *d = c->arg[0].value;

    for (const inlay_use *use = d->uses; use && w->known; use = use->next) {
        if (use->index == 0 && writes_there(use->node, c->arg[1].value, w)) {
            c->out.value = &use->node->out[0];
            return RULE_YES;
        }
    }
    return RULE_DONT_KNOW;
}
