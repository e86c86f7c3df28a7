/* What rules ask of constant indices: are they in range, distinct, apart? */
#include "passes/rule.h"

#include <string.h>

enum { MAX_POSITIONS = 1 << 20 }; /* of an axis or a tensor; beyond it nothing is known */

/* The size of axis AXIS (an I argument) of V. */
static bool axis_size(const inlay_value *v, const rule_ints *axis, int64_t *size)
{
    int rank = v->fact.rank;
    int64_t a = axis->n == 1 ? axis->x[0] : INT64_MIN;

    if (rank < 0 || a < -rank || a >= rank)
        return false;
    a += a < 0 ? rank : 0;
    *size = v->fact.dims[a].lo;
    return inlay_dim_is_static(v->fact.dims[a]) && *size <= MAX_POSITIONS;
}

/* Marks in SEEN the positions T names. */
static rule_answer mark(const inlay_tensor *t, int64_t size, unsigned char *seen, bool distinct)
{
    for (int64_t i = 0, n = inlay_tensor_count(t); i < n; i++) {
        int64_t x = inlay_tensor_get_i64(t, i);

        if (x < 0 || x >= size || (distinct && seen[x]))
            return RULE_NO;
        seen[x] = 1;
    }
    return RULE_YES;
}

static rule_answer check(rule_call *c, int data, int axis, bool distinct)
{
    const inlay_tensor *t = c->arg[0].value->fact.content;
    unsigned char *seen;
    int64_t size;

    if (!t || !axis_size(c->arg[data].value, c->arg[axis].ints, &size) ||
        !(seen = rule_alloc(c->match, (size_t)size + 1)))
        return RULE_DONT_KNOW;
    return mark(t, size, seen, distinct);
}

rule_answer rule_fn_distinct(rule_call *c)
{
    return check(c, 1, 2, true);
}

rule_answer rule_fn_in_range(rule_call *c)
{
    return check(c, 1, 2, false);
}

rule_answer rule_fn_apart(rule_call *c)
{
    const inlay_tensor *a = c->arg[0].value->fact.content, *b = c->arg[1].value->fact.content;
    unsigned char *seen;
    int64_t size;

    if (!a || !b || !axis_size(c->arg[2].value, c->arg[3].ints, &size) ||
        !(seen = rule_alloc(c->match, (size_t)size + 1)))
        return RULE_DONT_KNOW;
    if (mark(a, size, seen, false) != RULE_YES)
        return RULE_NO;
    for (int64_t i = 0, n = inlay_tensor_count(b); i < n; i++) {
        int64_t x = inlay_tensor_get_i64(b, i);

        if (x < 0 || x >= size || seen[x])
            return RULE_NO;
    }
    return RULE_YES;
}

/* The position that tuple I of T (of K components) names, on the first K axes of F; -1: none. */
static int64_t tuple_position(const inlay_tensor *t, int64_t i, int64_t k, const inlay_fact *f)
{
    int64_t at = 0;

    for (int64_t j = 0; j < k; j++) {
        int64_t x = inlay_tensor_get_i64(t, i * k + j);

        if (x < 0 || x >= f->dims[j].lo)
            return -1;
        at = at * f->dims[j].lo + x;
    }
    return at;
}

rule_answer rule_fn_distinct_tuples(rule_call *c)
{
    const inlay_tensor *t = c->arg[0].value->fact.content;
    const inlay_fact *f = &c->arg[1].value->fact;
    int64_t k = t && t->rank > 0 ? t->dims[t->rank - 1] : 0, size = 1, n;
    unsigned char *seen;

    if (k == 0 || k > f->rank)
        return RULE_DONT_KNOW;
    for (int64_t j = 0; j < k; j++) {
        if (!inlay_dim_is_static(f->dims[j]) ||
            __builtin_mul_overflow(size, f->dims[j].lo, &size) || size > MAX_POSITIONS)
            return RULE_DONT_KNOW;
    }
    seen = rule_alloc(c->match, (size_t)size + 1);
    n = inlay_tensor_count(t) / k;
    for (int64_t i = 0; seen && i < n; i++) {
        int64_t at = tuple_position(t, i, k, f);

        if (at < 0 || seen[at])
            return RULE_NO;
        seen[at] = 1;
    }
    return seen ? RULE_YES : RULE_DONT_KNOW;
}
