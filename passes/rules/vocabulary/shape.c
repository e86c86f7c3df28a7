/* Conditions and functions on shapes and lists of integers. Arithmetic is checked: an overflow of
 * 64 bits gives RULE_DONT_KNOW. */
#include "passes/rules/rule.h"

#include <string.h>

static rule_answer rule_yes_if(bool yes)
{
    return yes ? RULE_YES : RULE_NO;
}

rule_answer rule_fn_once(rule_call *c)
{
    const inlay_use *u = c->arg[0].value->uses;

    return rule_yes_if(u && !u->next);
}

rule_answer rule_fn_unread(rule_call *c)
{
    return rule_yes_if(!c->arg[0].value->uses);
}

rule_answer rule_fn_one_reader(rule_call *c)
{
    const inlay_use *first = c->arg[0].value->uses;

    for (const inlay_use *u = first; u; u = u->next) {
        if (u->node != first->node)
            return RULE_NO;
    }
    return rule_yes_if(first != NULL);
}

rule_answer rule_fn_same_shape(rule_call *c)
{
    const inlay_fact *a = &c->arg[0].value->fact, *b = &c->arg[1].value->fact;

    if (a->rank < 0 || b->rank < 0)
        return RULE_DONT_KNOW;
    if (a->rank != b->rank)
        return RULE_NO;
    for (int i = 0; i < a->rank; i++) {
        if (!inlay_dim_compatible(a->dims[i], b->dims[i]))
            return RULE_NO;
    }
    for (int i = 0; i < a->rank; i++) {
        if (!inlay_dim_proven_equal(a->dims[i], b->dims[i]))
            return RULE_DONT_KNOW;
    }
    return RULE_YES;
}

rule_answer rule_fn_ranked(rule_call *c)
{
    return c->arg[0].value->fact.rank >= 0 ? RULE_YES : RULE_DONT_KNOW;
}

rule_answer rule_fn_same_type(rule_call *c)
{
    inlay_type a = c->arg[0].value->fact.type, b = c->arg[1].value->fact.type;

    return a == INLAY_DYNAMIC || b == INLAY_DYNAMIC ? RULE_DONT_KNOW : rule_yes_if(a == b);
}

rule_answer rule_fn_has_type(rule_call *c)
{
    inlay_type type = c->arg[0].value->fact.type;

    if (type == INLAY_DYNAMIC || c->arg[1].attr_kind != INLAY_ATTR_TYPE)
        return RULE_DONT_KNOW;
    return rule_yes_if(type == c->arg[1].attr->as.type);
}

rule_answer rule_fn_constant(rule_call *c)
{
    return rule_yes_if(inlay_node_is(c->arg[0].value->node, INLAY_OP_CONST));
}

rule_answer rule_fn_pointwise(rule_call *c)
{
    return rule_yes_if(c->arg[0].op->op->flags & INLAY_POINTWISE);
}

rule_answer rule_fn_total(rule_call *c)
{
    return rule_yes_if(!inlay_node_may_fail(c->arg[0].op));
}

rule_answer rule_fn_commutes(rule_call *c)
{
    return rule_yes_if(c->arg[0].op->op->flags & INLAY_COMMUTES);
}

/* Under "pdpd" only the second operand may be the smaller one; under "none" neither may be smaller.
 * */
rule_answer rule_fn_numpy(rule_call *c)
{
    const inlay_node *n = c->arg[0].op;
    const char *mode = inlay_node_string(n, "auto_broadcast");
    rule_answer answer = rule_yes_if(!mode || strcmp(mode, "numpy") == 0);

    /* Swish and its like take a number of one axis beside data of none, and give none. */
    for (int i = 1; !mode && i < n->n_in && answer == RULE_YES; i++) {
        int rank = n->in[i].value ? n->in[i].value->fact.rank : 0, made = n->out[0].fact.rank;

        if (rank > made && rank != 0)
            answer = made < 0 ? RULE_DONT_KNOW : RULE_NO;
    }
    return answer;
}

/* The sizes of the value. At most OPEN of them may be unknown; these become -1, which together with
 * a size of 0 would be ambiguous. */
static rule_answer shape_of(rule_call *c, int open)
{
    const inlay_fact *f = &c->arg[0].value->fact;
    rule_ints *out;
    bool zero = false;

    if (f->rank < 0 || !(out = rule_new_ints(c->match, INLAY_I64, 1, f->rank)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < f->rank; i++) {
        bool is_known = inlay_dim_is_static(f->dims[i]);

        if (!is_known && (open-- == 0))
            return RULE_DONT_KNOW;
        out->x[i] = is_known ? f->dims[i].lo : -1;
        zero = zero || out->x[i] == 0;
    }
    for (int i = 0; zero && i < f->rank; i++) {
        if (out->x[i] < 0)
            return RULE_DONT_KNOW;
    }
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_static_shape(rule_call *c)
{
    return shape_of(c, 0);
}

rule_answer rule_fn_open_shape(rule_call *c)
{
    return shape_of(c, 1);
}

static rule_answer all(const rule_call *c, bool (*is)(int64_t x))
{
    const rule_ints *ints = c->arg[0].ints;

    for (int i = 0; i < ints->n; i++) {
        if (!is(ints->x[i]))
            return RULE_NO;
    }
    return RULE_YES;
}

static bool is_zero(int64_t x)
{
    return x == 0;
}

static bool is_not_negative(int64_t x)
{
    return x >= 0;
}

rule_answer rule_fn_zeros(rule_call *c)
{
    return all(c, is_zero);
}

rule_answer rule_fn_not_negative(rule_call *c)
{
    return all(c, is_not_negative);
}

/* Sums and products are i64: the type of a list need not hold them. */
rule_answer rule_fn_sums(rule_call *c)
{
    const rule_ints *a = c->arg[0].ints, *b = c->arg[1].ints;
    rule_ints *out;

    if (a->n != b->n || !(out = rule_new_ints(c->match, INLAY_I64, 1, a->n)))
        return RULE_DONT_KNOW;
    for (int i = 0; i < out->n; i++) {
        if (__builtin_add_overflow(a->x[i], b->x[i], &out->x[i]))
            return RULE_DONT_KNOW;
    }
    c->out.ints = out;
    return RULE_YES;
}

/* Element I of a list that is padded to length N with ones in front. */
static int64_t padded(const rule_ints *a, int i, int n)
{
    int at = i - (n - a->n);

    return at < 0 ? 1 : a->x[at];
}

rule_answer rule_fn_products(rule_call *c)
{
    const rule_ints *a = c->arg[0].ints, *b = c->arg[1].ints;
    int n = a->n > b->n ? a->n : b->n;
    rule_ints *out = rule_new_ints(c->match, INLAY_I64, 1, n);

    for (int i = 0; out && i < n; i++) {
        if (__builtin_mul_overflow(padded(a, i, n), padded(b, i, n), &out->x[i]))
            return RULE_DONT_KNOW;
    }
    c->out.ints = out;
    return out ? RULE_YES : RULE_DONT_KNOW;
}

static rule_answer make_ones(rule_call *c, inlay_type type, int n)
{
    rule_ints *out = rule_new_ints(c->match, type, 1, n);

    for (int i = 0; out && i < n; i++)
        out->x[i] = 1;
    c->out.ints = out;
    return out ? RULE_YES : RULE_DONT_KNOW;
}

rule_answer rule_fn_ones_like(rule_call *c)
{
    return make_ones(c, c->arg[0].ints->type, c->arg[0].ints->n);
}

rule_answer rule_fn_ones_for(rule_call *c)
{
    const inlay_fact *f = &c->arg[0].value->fact;

    if (f->rank != 1 || !inlay_dim_is_static(f->dims[0]) || f->dims[0].lo > INLAY_MAX_RANK)
        return RULE_DONT_KNOW;
    return make_ones(c, f->type, (int)f->dims[0].lo);
}

rule_answer rule_fn_list(rule_call *c)
{
    c->out.ints = c->arg[0].ints;
    return RULE_YES;
}

/* The number is converted as the kernel of Tensor.scatter_ converts its scalar. */
rule_answer rule_fn_number(rule_call *c)
{
    inlay_type type = c->arg[2].value->fact.type;
    const inlay_attr *a = c->arg[0].attr;
    bool real = inlay_type_is_float(type);
    rule_ints *out;

    if (type == INLAY_DYNAMIC || c->arg[0].attr_kind != INLAY_ATTR_NUMBER ||
        c->arg[1].attr_kind != INLAY_ATTR_ENUM || !(out = rule_new_ints(c->match, type, 0, 1)))
        return RULE_DONT_KNOW;
    if (!real && (!a->as.number.integral || strcmp(c->arg[1].attr->as.s, "float") == 0))
        return RULE_NO;
    out->is_real = real;
    out->real = a->as.number.f;
    out->x[0] = real ? 0 : type == INLAY_BOOLEAN ? a->as.number.i != 0 : a->as.number.i;
    c->out.ints = out;
    return RULE_YES;
}
