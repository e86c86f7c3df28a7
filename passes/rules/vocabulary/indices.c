/* Conditions on indices: are they in range, distinct, disjoint, never negative? */
#include "passes/query/indices.h"
#include "inlay_ops.h"
#include "passes/rules/vocabulary/vocabulary.h"

enum { MAX_POSITIONS = 1 << 20 }; /* nothing is said of larger axes and tensors */

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

/* Marks in SEEN the positions in T. */
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

rule_answer rule_fn_distinct(rule_call *c)
{
    const inlay_tensor *t = c->arg[0].value->fact.content;
    unsigned char *seen;
    int64_t size;

    if (!t || !axis_size(c->arg[1].value, c->arg[2].ints, &size) ||
        !(seen = rule_alloc(c->match, (size_t)size + 1)))
        return RULE_DONT_KNOW;
    return mark(t, size, seen, true);
}

/* The interval X lies in [0, size). */
static rule_answer is_inside(inlay_dim x, inlay_dim size)
{
    if (x.hi < 0 || x.lo >= size.hi)
        return RULE_NO;
    return x.lo >= 0 && x.hi < size.lo ? RULE_YES : RULE_DONT_KNOW;
}

/* Element I of indices: of a constant, or as far as the shape rules know it. */
static inlay_dim index_at(const inlay_value *v, int64_t i)
{
    return v->fact.content ? inlay_dim_of(inlay_tensor_get_i64(v->fact.content, i))
                           : v->fact.known[i];
}

rule_answer rule_fn_in_range(rule_call *c)
{
    const inlay_value *v = c->arg[0].value, *data = c->arg[1].value;
    int64_t n = v->fact.content ? inlay_tensor_count(v->fact.content)
                : v->fact.known ? v->fact.n_known
                                : -1,
            a = c->arg[2].ints->n == 1 ? c->arg[2].ints->x[0] : INT64_MIN;
    int rank = data->fact.rank;

    if (n < 0 || rank < 0 || a < -rank || a >= rank)
        return RULE_DONT_KNOW;
    a += a < 0 ? rank : 0;
    for (int64_t i = 0; i < n; i++) {
        rule_answer one = is_inside(index_at(v, i), data->fact.dims[a]);

        if (one != RULE_YES)
            return one;
    }
    return RULE_YES;
}

/* Two element indices are the same place only if their other coordinates agree, too. */
rule_answer rule_fn_distinct_elements(rule_call *c)
{
    const inlay_tensor *t = c->arg[0].value->fact.content;
    const rule_ints *axis = c->arg[2].ints;
    int64_t size, inner = 1, outer, a = axis->n == 1 ? axis->x[0] : 0, n, lines;
    unsigned char *seen;

    if (!t || !axis_size(c->arg[1].value, axis, &size) || t->rank != c->arg[1].value->fact.rank)
        return RULE_DONT_KNOW;
    a += a < 0 ? t->rank : 0;
    for (int i = (int)a + 1; i < t->rank; i++)
        inner *= t->dims[i];
    n = inlay_tensor_count(t);
    lines = n > 0 ? n / t->dims[a] : 0;
    if (n > MAX_POSITIONS || __builtin_mul_overflow(lines, size, &outer) || outer > MAX_POSITIONS ||
        !(seen = rule_alloc(c->match, (size_t)outer + 1)))
        return RULE_DONT_KNOW;
    for (int64_t i = 0; i < n; i++) {
        int64_t x = inlay_tensor_get_i64(t, i);
        int64_t line = i / (inner * t->dims[a]) * inner + i % inner;

        if (x < 0 || x >= size || seen[line * size + x])
            return RULE_NO;
        seen[line * size + x] = 1;
    }
    return RULE_YES;
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

/* The position on the first K axes of F that tuple I of T, with K components, names. -1: it is out
 * of range. */
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

/* Counts the positions that tuples T can name, on the first axes of F. False if the number is not
 * known. */
static bool count_places(const inlay_tensor *t, const inlay_fact *f, int64_t *k, int64_t *size)
{
    *k = t && t->rank > 0 ? t->dims[t->rank - 1] : 0;
    *size = 1;
    if (*k == 0 || *k > f->rank)
        return false;
    for (int64_t j = 0; j < *k; j++) {
        if (!inlay_dim_is_static(f->dims[j]) ||
            __builtin_mul_overflow(*size, f->dims[j].lo, size) || *size > MAX_POSITIONS)
            return false;
    }
    return true;
}

/* Marks in SEEN the positions that tuples name. DISTINCT: no position may be named twice. */
static rule_answer mark_tuples(const inlay_tensor *t, int64_t k, const inlay_fact *f,
                               unsigned char *seen, bool distinct)
{
    for (int64_t i = 0, n = inlay_tensor_count(t) / k; i < n; i++) {
        int64_t at = tuple_position(t, i, k, f);

        if (at < 0 || (distinct && seen[at]))
            return RULE_NO;
        seen[at] = 1;
    }
    return RULE_YES;
}

static rule_answer check_tuples(rule_call *c, bool distinct)
{
    const inlay_tensor *t = c->arg[0].value->fact.content;
    const inlay_fact *f = &c->arg[1].value->fact;
    unsigned char *seen;
    int64_t k, size;

    if (!count_places(t, f, &k, &size) || !(seen = rule_alloc(c->match, (size_t)size + 1)))
        return RULE_DONT_KNOW;
    return mark_tuples(t, k, f, seen, distinct);
}

rule_answer rule_fn_distinct_tuples(rule_call *c)
{
    return check_tuples(c, true);
}

rule_answer rule_fn_tuples_in_range(rule_call *c)
{
    return check_tuples(c, false);
}

rule_answer rule_fn_tuples_apart(rule_call *c)
{
    const inlay_tensor *a = c->arg[0].value->fact.content, *b = c->arg[1].value->fact.content;
    const inlay_fact *f = &c->arg[2].value->fact;
    int64_t k, k2, size;
    unsigned char *seen;

    if (!count_places(a, f, &k, &size) || !count_places(b, f, &k2, &size) || k != k2 ||
        !(seen = rule_alloc(c->match, (size_t)size + 1)))
        return RULE_DONT_KNOW;
    if (mark_tuples(a, k, f, seen, false) != RULE_YES)
        return RULE_NO;
    for (int64_t i = 0, n = inlay_tensor_count(b) / k; i < n; i++) {
        int64_t at = tuple_position(b, i, k, f);

        if (at < 0 || seen[at])
            return RULE_NO;
    }
    return RULE_YES;
}

rule_answer rule_fn_single_components(rule_call *c)
{
    const inlay_fact *f = &c->arg[0].value->fact;

    if (f->rank < 1)
        return f->rank < 0 ? RULE_DONT_KNOW : RULE_NO;
    if (!inlay_dim_is_static(f->dims[f->rank - 1]))
        return RULE_DONT_KNOW;
    return f->dims[f->rank - 1].lo == 1 ? RULE_YES : RULE_NO;
}

rule_answer rule_fn_never_negative(rule_call *c)
{
    int sign = index_never_negative(c->arg[0].value);

    return sign < 0 ? RULE_DONT_KNOW : sign > 0 ? RULE_YES : RULE_NO;
}

/* The largest number of type T. 0: T is no integer type. */
static int64_t largest(inlay_type t)
{
    int bits = (int)inlay_type_info_of(t)->bits;

    if (!inlay_type_is_int(t))
        return 0;
    if (inlay_type_info_of(t)->cls != INLAY_CLASS_UNSIGNED)
        bits--;
    return bits >= 63 ? INT64_MAX : (INT64_C(1) << bits) - 1;
}

/* Range(0, _, 1) is 0, 1, 2, ... only while its type holds them. */
rule_answer rule_fn_counts(rule_call *c)
{
    const inlay_value *v = c->arg[0].value, *data = c->arg[1].value;
    int64_t a = c->arg[2].ints->n == 1 ? c->arg[2].ints->x[0] : INT64_MIN;
    int rank = data->fact.rank;

    if (!inlay_node_is(v->node, INLAY_OP_RANGE) || v->fact.rank != 1 || rank < 0 || a < -rank ||
        a >= rank)
        return RULE_DONT_KNOW;
    a += a < 0 ? rank : 0;
    if (!inlay_dim_proven_equal(v->fact.dims[0], data->fact.dims[a]))
        return inlay_dim_compatible(v->fact.dims[0], data->fact.dims[a]) ? RULE_DONT_KNOW : RULE_NO;
    if (inlay_node_input(v->node, 1)->fact.type == v->fact.type ||
        v->fact.dims[0].hi <= largest(v->fact.type))
        return RULE_YES;
    return RULE_DONT_KNOW;
}

rule_answer rule_fn_no_longer(rule_call *c)
{
    const inlay_fact *a = &c->arg[0].value->fact, *b = &c->arg[1].value->fact;

    if (a->rank < 0 || a->rank != b->rank)
        return RULE_DONT_KNOW;
    for (int i = 0; i < a->rank; i++) {
        if (a->dims[i].hi > b->dims[i].lo && !inlay_dim_proven_equal(a->dims[i], b->dims[i]))
            return RULE_DONT_KNOW;
    }
    return RULE_YES;
}

rule_answer rule_fn_fits(rule_call *c)
{
    return scatter_updates_fit(c->arg[0].value->node) ? RULE_YES : RULE_DONT_KNOW;
}
