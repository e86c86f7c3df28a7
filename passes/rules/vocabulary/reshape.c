/* Windows of a reshaped value. */
#include "ir/shared.h"
#include "passes/rules/vocabulary/vocabulary.h"

/* A bit for each of AXES of a value of RANK axes. The shape rule has checked them. */
static uint64_t axis_bits(const rule_ints *axes, int rank)
{
    uint64_t bits = 0;

    for (int i = 0; i < axes->n; i++)
        bits |= UINT64_C(1) << (axes->x[i] < 0 ? axes->x[i] + rank : axes->x[i]);
    return bits;
}

rule_answer rule_fn_without_axes(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);
    rule_window *out;
    uint64_t bits;
    int n = 0;

    if (!w->known || !(out = rule_new_window(c, w->rank - c->arg[1].ints->n)))
        return RULE_DONT_KNOW;
    bits = axis_bits(c->arg[1].ints, w->rank);
    for (int i = 0; i < w->rank; i++) {
        if (!(bits >> i & 1))
            out->axis[n++] = w->axis[i];
        else if (w->axis[i].count == 0)
            return RULE_NO;
    }
    return RULE_YES;
}

rule_answer rule_fn_with_axes(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);
    int rank = w->rank + c->arg[1].ints->n, n = 0;
    rule_window *out;
    uint64_t bits;

    if (!w->known || !(out = rule_new_window(c, rank)))
        return RULE_DONT_KNOW;
    bits = axis_bits(c->arg[1].ints, rank);
    for (int i = 0; i < rank; i++)
        out->axis[i] = bits >> i & 1 ? (inlay_window){0, 1, 1} : w->axis[n++];
    return RULE_YES;
}

/* Without a list, all axes of size 1 are removed. With a list and allow_axis_skip, those in the
 * list that have size 1. */
rule_answer rule_fn_squeezed(rule_call *c)
{
    const inlay_fact *x = &c->arg[0].value->fact;
    const rule_ints *axes = c->arg[1].ints;
    rule_ints *out = x->rank < 0 ? NULL : rule_new_ints(c->match, INLAY_I64, 1, x->rank);
    uint64_t bits;

    if (!out)
        return RULE_DONT_KNOW;
    bits = axes ? axis_bits(axes, x->rank) : UINT64_MAX;
    out->n = 0;
    for (int i = 0; i < x->rank; i++) {
        if (!(bits >> i & 1) || !inlay_dim_compatible(x->dims[i], inlay_dim_of(1)))
            continue;
        if (!rule_is_one(x->dims[i]))
            return RULE_DONT_KNOW;
        out->x[out->n++] = i;
    }
    c->out.ints = out;
    return rule_yes_if(out->n > 0);
}

/* Axes [first, end) of a shape. */
typedef struct group {
    int first, end;
    int64_t inner; /* the number of elements in one position of the outer axis */
    int outer;     /* the first axis whose size is not 1; FIRST if all sizes are 1 */
} group;

static void measure(const inlay_fact *f, group *g)
{
    g->inner = 1;
    g->outer = g->first;
    while (g->outer + 1 < g->end && f->dims[g->outer].lo == 1)
        g->outer++;
    for (int i = g->outer + 1; i < g->end; i++)
        g->inner *= f->dims[i].lo;
}

/* Finds the smallest groups of the next axes of X and of Y with the same number of elements. Axes
 * of size 1 that follow belong to the group. */
static void next_group(const inlay_fact *x, const inlay_fact *y, group *gx, group *gy)
{
    int64_t nx = 1, ny = 1;

    gx->first = gx->end;
    gy->first = gy->end;
    do {
        if (nx <= ny && gx->end < x->rank)
            nx *= x->dims[gx->end++].lo;
        else if (gy->end < y->rank)
            ny *= y->dims[gy->end++].lo;
    } while (nx != ny);
    while (gx->end < x->rank && x->dims[gx->end].lo == 1)
        gx->end++;
    while (gy->end < y->rank && y->dims[gy->end].lo == 1)
        gy->end++;
    measure(x, gx);
    measure(y, gy);
}

static bool is_full(const rule_window *w, const inlay_fact *f, int axis)
{
    return inlay_window_equal(w->axis[axis], (inlay_window){0, f->dims[axis].lo, 1});
}

/* W cuts at most the outer axis of GY. Finds the window of GX's outer axis with the same elements:
 * it must consist of whole positions, and have no gaps unless a position has as many elements as
 * one of Y's axis. */
static bool outer_window(const rule_window *w, const inlay_fact *y, const group *gy,
                         const group *gx, inlay_window *out)
{
    int64_t begin = w->axis[gy->outer].begin * gy->inner, count = w->axis[gy->outer].count;

    for (int i = gy->first; i < gy->end; i++) {
        if (i != gy->outer && !is_full(w, y, i))
            return false;
    }
    *out = w->axis[gy->outer];
    if (gx->inner == gy->inner)
        return true;
    count *= gy->inner;
    *out = (inlay_window){begin / gx->inner, count / gx->inner, 1};
    return (w->axis[gy->outer].count == 1 || w->axis[gy->outer].step == 1) &&
           begin % gx->inner == 0 && count % gx->inner == 0;
}

rule_answer rule_fn_unreshaped(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);
    const inlay_fact *x = &c->arg[1].value->fact, *y = &c->arg[2].value->fact;
    group gx = {0}, gy = {0};
    rule_window *out;

    if (!w->known || !rule_static_dims(c->arg[1].value, x->rank) ||
        !rule_static_dims(c->arg[2].value, y->rank) || inlay_fact_is_empty(y) ||
        !(out = rule_new_window(c, x->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < x->rank; i++)
        out->axis[i] = (inlay_window){0, x->dims[i].lo, 1};
    while (gy.end < y->rank) {
        bool full = true;

        next_group(x, y, &gx, &gy);
        for (int i = gy.first; i < gy.end; i++)
            full = full && is_full(w, y, i);
        if (!full && (gx.first == gx.end || !outer_window(w, y, &gy, &gx, &out->axis[gx.outer])))
            return RULE_NO;
    }
    return RULE_YES;
}

/* The window cuts only the first axis whose size is not 1, and that one without gaps. */
rule_answer rule_fn_unbroken(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);
    const inlay_fact *x = &c->arg[1].value->fact;
    bool inside = false;

    if (!w->known || !rule_static_dims(c->arg[1].value, w->rank))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        if (inside && !is_full(w, x, i))
            return RULE_NO;
        if (w->axis[i].count > 1 && w->axis[i].step != 1)
            return RULE_NO;
        inside = inside || w->axis[i].count > 1;
    }
    return RULE_YES;
}
