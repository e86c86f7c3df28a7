/* A constant mask that selects exactly a window. */
#include "ir/shared.h"
#include "passes/rules/vocabulary/vocabulary.h"

#include <string.h>

/* The chosen positions of an axis, in order, as a window. False: they are not a window. */
static bool progression(const unsigned char *chosen, int64_t size, inlay_window *out)
{
    *out = (inlay_window){0, 0, 1};
    for (int64_t i = 0; i < size; i++) {
        if (!chosen[i])
            continue;
        if (out->count == 0)
            out->begin = i;
        else if (out->count == 1)
            out->step = i - out->begin;
        else if (i != out->begin + out->step * out->count)
            return false;
        out->count++;
    }
    return out->count > 0;
}

/* Marks for each axis of MASK the positions at which some element has the value WANTED. Returns the
 * number of these elements. */
static int64_t mark_axes(const inlay_tensor *mask, bool wanted, unsigned char *const *chosen)
{
    int64_t at[INLAY_MAX_RANK] = {0}, found = 0;

    for (int64_t i = 0, n = inlay_tensor_count(mask); i < n; i++) {
        if ((inlay_tensor_get_i64(mask, i) != 0) == wanted) {
            found++;
            for (int k = 0; k < mask->rank; k++)
                chosen[k][at[k]] = 1;
        }
        for (int k = mask->rank - 1; k >= 0 && ++at[k] == mask->dims[k]; k--)
            at[k] = 0;
    }
    return found;
}

/* The elements of MASK with the value WANTED, as a window. They form one if there are as many of
 * them as combinations of the marked positions. */
static bool mask_window(rule_match *m, const inlay_tensor *mask, bool wanted, inlay_window *out)
{
    unsigned char *chosen[INLAY_MAX_RANK];
    int64_t found, product = 1;

    for (int i = 0; i < mask->rank; i++) {
        chosen[i] = rule_alloc(m, (size_t)mask->dims[i] + 1);
        if (!chosen[i])
            return false;
        memset(chosen[i], 0, (size_t)mask->dims[i] + 1);
    }
    found = mark_axes(mask, wanted, chosen);
    for (int i = 0; i < mask->rank; i++) {
        if (!progression(chosen[i], mask->dims[i], &out[i]))
            return false;
        product *= out[i].count;
    }
    return found > 0 && product == found;
}

static rule_answer find_mask_window(rule_call *c, bool wanted)
{
    const inlay_tensor *mask = c->arg[0].value->fact.content;
    const inlay_value *y = c->arg[1].value;
    inlay_window of_mask[INLAY_MAX_RANK];
    rule_window *out;
    int missing;

    if (!mask || !rule_static_dims(y, y->fact.rank) || !(out = rule_new_window(c, y->fact.rank)))
        return RULE_DONT_KNOW;
    if (!mask_window(c->match, mask, wanted, of_mask))
        return RULE_NO;
    missing = out->rank - mask->rank;
    for (int i = 0; i < out->rank; i++) {
        out->axis[i] = i < missing || mask->dims[i - missing] == 1
                           ? (inlay_window){0, y->fact.dims[i].lo, 1}
                           : of_mask[i - missing];
    }
    return RULE_YES;
}

rule_answer rule_fn_chosen(rule_call *c)
{
    return find_mask_window(c, true);
}

rule_answer rule_fn_not_chosen(rule_call *c)
{
    return find_mask_window(c, false);
}

rule_answer rule_fn_less_than_half(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);
    const inlay_value *y = c->arg[1].value;
    int64_t some = 1, all = 1;

    if (!w->known || !rule_static_dims(y, w->rank))
        return RULE_DONT_KNOW;
    for (int i = 0; i < w->rank; i++) {
        some *= w->axis[i].count;
        all *= y->fact.dims[i].lo;
    }
    return rule_yes_if(some < all - some);
}

rule_answer rule_fn_one_element(rule_call *c)
{
    const inlay_value *v = c->arg[0].value;

    return !v || rule_has_one_element(&v->fact) ? RULE_YES : RULE_DONT_KNOW;
}

rule_answer rule_fn_lengths(rule_call *c)
{
    const rule_window *w = rule_arg_window(c, 0);
    rule_ints *out = w->known && rule_window_is_static(w)
                         ? rule_new_ints(c->match, INLAY_I64, 1, w->rank)
                         : NULL;

    for (int i = 0; out && i < w->rank; i++)
        out->x[i] = w->axis[i].count;
    c->out.ints = out;
    return out ? RULE_YES : RULE_DONT_KNOW;
}
