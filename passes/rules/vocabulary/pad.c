/* Windows of a padded value: inside the operand, inside the padding, or across both. */
#include "ir/shared.h"
#include "passes/rules/vocabulary/vocabulary.h"

#include <string.h>

rule_answer rule_fn_inside_pad(rule_call *c)
{
    const rule_window *from = rule_arg_window(c, 0);
    const rule_ints *pads = c->arg[1].ints;
    const inlay_value *x = c->arg[2].value;
    rule_window *w;

    if (!from->known || pads->n != from->rank || !rule_static_dims(x, from->rank) ||
        !(w = rule_new_window(c, from->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        w->axis[i] = from->axis[i];
        if (!rule_window_shift(&w->axis[i], pads->x[i], x->fact.dims[i].lo))
            return RULE_NO;
    }
    return RULE_YES;
}

/* *N positions of W lie in [first, first + size); the first of them is position number *FROM of W.
 */
static void overlap(inlay_window w, int64_t first, int64_t size, int64_t *from, int64_t *n)
{
    int64_t last = first + size - 1, step = w.count > 1 ? w.step : 1;
    int64_t nearest = step > 0 ? first - w.begin : w.begin - last;
    int64_t farthest = step > 0 ? last - w.begin : w.begin - first, end;

    step = step < 0 ? -step : step;
    *from = nearest > 0 ? (nearest - 1) / step + 1 : 0;
    end = farthest < 0 ? 0 : farthest / step + 1;
    end = end < w.count ? end : w.count;
    *n = end > *from ? end - *from : 0;
}

/* The same for each axis of the padded value, of which W is a window; `pads` elements come before
 * the data on each axis. */
static bool find_overlaps(const rule_call *c, int64_t *from, int64_t *n)
{
    const rule_window *w = rule_arg_window(c, 0);
    const rule_ints *pads = c->arg[1].ints;
    const inlay_value *x = c->arg[2].value;

    if (!w->known || !rule_window_is_static(w) || pads->n != w->rank ||
        !rule_static_dims(x, w->rank))
        return false;
    for (int i = 0; i < w->rank; i++) {
        if (pads->x[i] > INT64_MAX / 4 || pads->x[i] < -INT64_MAX / 4)
            return false;
        overlap(w->axis[i], pads->x[i], x->fact.dims[i].lo, &from[i], &n[i]);
    }
    return true;
}

rule_answer rule_fn_in_padding(rule_call *c)
{
    int64_t from[INLAY_MAX_RANK], n[INLAY_MAX_RANK];

    if (!find_overlaps(c, from, n))
        return RULE_DONT_KNOW;
    if (rule_window_is_empty(rule_arg_window(c, 0)))
        return RULE_NO;
    for (int i = 0; i < rule_arg_window(c, 0)->rank; i++) {
        if (n[i] == 0)
            return RULE_YES;
    }
    return RULE_NO;
}

rule_answer rule_fn_padded_part(rule_call *c)
{
    int64_t from[INLAY_MAX_RANK], n[INLAY_MAX_RANK];
    const rule_window *w = rule_arg_window(c, 0);
    rule_window *out;

    if (!find_overlaps(c, from, n) || !(out = rule_new_window(c, w->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        if (n[i] == 0)
            return RULE_NO;
        out->axis[i] = w->axis[i];
        out->axis[i].begin += (from[i] > 0 ? w->axis[i].step * from[i] : 0) - c->arg[1].ints->x[i];
        out->axis[i].count = n[i];
    }
    return RULE_YES;
}

/* For each axis, how many positions of the window lie in the padding before the data, or after it.
 */
static rule_answer padding_left(rule_call *c, bool behind)
{
    int64_t from[INLAY_MAX_RANK], n[INLAY_MAX_RANK];
    const rule_window *w = rule_arg_window(c, 0);
    rule_ints *out;

    if (!find_overlaps(c, from, n) || !(out = rule_new_ints(c->match, INLAY_I64, 1, w->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++)
        out->x[i] = behind ? w->axis[i].count - from[i] - n[i] : from[i];
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_padding_before(rule_call *c)
{
    return padding_left(c, false);
}

rule_answer rule_fn_padding_behind(rule_call *c)
{
    return padding_left(c, true);
}

rule_answer rule_fn_zero(rule_call *c)
{
    inlay_type type = c->arg[0].value->fact.type;
    bool real = inlay_type_is_float(type);
    rule_ints *out;

    if (!real && type != INLAY_BOOLEAN && !inlay_type_is_int(type))
        return RULE_DONT_KNOW;
    if (rule_is_for_storage(type))
        return RULE_NO;
    out = rule_new_ints(c->match, type, 0, 1);
    if (!out)
        return RULE_DONT_KNOW;
    out->is_real = real;
    out->real = 0;
    out->x[0] = 0;
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_integer_zero(rule_call *c)
{
    return inlay_type_is_int(c->arg[0].value->fact.type) ? rule_fn_zero(c) : RULE_DONT_KNOW;
}

/* A Pad of pictures: no padding of batches and channels, and nothing is cut off. */
static bool surrounds_pictures(const rule_ints *pads)
{
    for (int i = 0; i < pads->n; i++) {
        if (i < 2 ? pads->x[i] != 0 : pads->x[i] < 0)
            return false;
    }
    return true;
}

/* With auto_pad = same_* the padding depends on the padded size, so adding the Pad's padding would
 * be wrong. */
rule_answer rule_fn_raised_padding(rule_call *c)
{
    const rule_ints *own = c->arg[1].ints, *pads = c->arg[2].ints;
    const char *mode = c->arg[0].attr ? c->arg[0].attr->as.s : "";
    bool is_valid = strcmp(mode, "valid") == 0; /* then its own padding is not asked for */
    rule_ints *out;

    if (pads->n != own->n + 2 || !(out = rule_new_ints(c->match, INLAY_I64, 1, own->n)))
        return RULE_DONT_KNOW;
    if (!surrounds_pictures(pads) || (!is_valid && strcmp(mode, "explicit") != 0))
        return RULE_NO;
    for (int i = 0; i < out->n; i++) {
        if (__builtin_add_overflow(is_valid ? 0 : own->x[i], pads->x[i + 2], &out->x[i]))
            return RULE_DONT_KNOW;
    }
    c->out.ints = out;
    return RULE_YES;
}
