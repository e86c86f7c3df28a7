/* Conditions and functions on Reshape, Squeeze, Unsqueeze and Reverse: operations that move no
 * element, or only to the other end of its axis. */
#include "passes/rules/vocabulary/vocabulary.h"

#include "inlay_ops.h"

#include <string.h>

static bool reshapes(const inlay_node *n)
{
    return (n->op->flags & INLAY_RESHAPES) != 0;
}

/* The axes of a value computed from X by Squeeze and Unsqueeze. Each is an axis of X, or NEW; the
 * removed axes of X have size 1. Of X = [2,1,3] the value [2,3,1] has the axes 0, 2 and NEW, and
 * axis 1 is gone. */
typedef struct axes_of_view {
    int from[INLAY_MAX_RANK], n;
    bool gone[INLAY_MAX_RANK];
} axes_of_view;

enum { NEW = -1 };

/* Marks the axes, of RANK, that N, a Squeeze or an Unsqueeze, names. False if they are not known.
 */
static bool named_axes(const inlay_node *n, int rank, bool *named)
{
    const inlay_value *axes = inlay_node_operand(n, INLAY_ROLE_AXES);

    memset(named, 0, INLAY_MAX_RANK * sizeof *named);
    for (int i = 0; i < axes->fact.n_known; i++) {
        int64_t a;

        if (!rule_known_entry(axes, i, &a) || a < -rank || a >= rank)
            return false;
        named[a < 0 ? a + rank : a] = true;
    }
    return axes->fact.known != NULL;
}

/* Removes the named axes of size 1, or, if N names none, all axes of size 1. */
static bool squeeze(const inlay_node *n, axes_of_view *v)
{
    const inlay_fact *data = &inlay_node_input(n, 0)->fact;
    const inlay_value *axes = inlay_node_operand(n, INLAY_ROLE_AXES);
    bool all = !axes || (axes->fact.known && axes->fact.n_known == 0);
    bool named[INLAY_MAX_RANK];
    int kept = 0;

    if (!all && !named_axes(n, v->n, named))
        return false;
    for (int i = 0; i < v->n; i++) {
        if ((all || named[i]) && !inlay_dim_is_static(data->dims[i]))
            return false;
        if (!(all || named[i]) || data->dims[i].lo != 1)
            v->from[kept++] = v->from[i];
        else if (v->from[i] != NEW)
            v->gone[v->from[i]] = true;
    }
    v->n = kept;
    return true;
}

static bool unsqueeze(const inlay_node *n, axes_of_view *v)
{
    int rank = n->out[0].fact.rank, old[INLAY_MAX_RANK], from = 0;
    bool named[INLAY_MAX_RANK];

    if (rank < 0 || !named_axes(n, rank, named))
        return false;
    memcpy(old, v->from, sizeof old);
    for (int i = 0; i < rank; i++)
        v->from[i] = named[i] ? NEW : old[from++];
    v->n = rank;
    return true;
}

static bool step(const inlay_node *n, axes_of_view *v)
{
    if (inlay_node_is(n, INLAY_OP_SQUEEZE))
        return squeeze(n, v);
    return inlay_node_is(n, INLAY_OP_UNSQUEEZE) && unsqueeze(n, v);
}

/* A Squeeze keeps an axis that turns out to have another size than 1, whatever the shape rules
 * assumed. An added axis may be an error until it is known. An operation without axes moves none.
 */
rule_answer rule_fn_reshapes(rule_call *c)
{
    const inlay_node *n = c->arg[0].op;
    axes_of_view v = {.n = 0};

    if (!reshapes(n))
        return RULE_NO;
    if (inlay_op_operand(n->op, INLAY_ROLE_AXES) < 0)
        return RULE_YES;
    v.n = inlay_node_input(n, 0)->fact.rank;
    return v.n >= 0 && step(n, &v) ? RULE_YES : RULE_DONT_KNOW;
}

/* N is a Reshape to a list of known numbers. */
static bool constant_shape(const inlay_node *n)
{
    const inlay_value *shape = inlay_node_operand(n, INLAY_ROLE_SHAPE);
    int64_t x;

    for (int i = 0; i < shape->fact.n_known; i++) {
        if (!rule_known_entry(shape, i, &x))
            return false;
    }
    return shape->fact.known != NULL;
}

/* What remains of a shape after removing the sizes that another shape has, too: the product of the
 * known sizes, and the number of unknown ones. */
typedef struct rest {
    int64_t known;
    int open;
} rest;

static bool rest_of(const inlay_fact *f, const bool *taken, rest *out)
{
    *out = (rest){1, 0};
    for (int i = 0; i < f->rank; i++) {
        if (taken[i])
            continue;
        if (!inlay_dim_is_static(f->dims[i]))
            out->open++;
        else if (f->dims[i].lo == 0 ||
                 __builtin_mul_overflow(out->known, f->dims[i].lo, &out->known))
            return false;
    }
    return true;
}

/* The numbers of elements agree for all open sizes: the rests of both shapes are equal, or one
 * number is -1 and the others divide the number of elements. */
static bool counts_agree(const inlay_node *n)
{
    const inlay_fact *x = &inlay_node_input(n, 0)->fact, *y = &n->out[0].fact;
    bool x_taken[INLAY_MAX_RANK] = {false}, y_taken[INLAY_MAX_RANK] = {false};
    rest have, want;

    if (x->rank < 0 || y->rank < 0 || !constant_shape(n))
        return false;
    for (int i = 0; i < y->rank; i++) {
        for (int k = 0; k < x->rank && !y_taken[i]; k++) {
            if (x_taken[k] || inlay_dim_is_static(y->dims[i]) ||
                !inlay_dim_proven_equal(x->dims[k], y->dims[i]))
                continue;
            x_taken[k] = y_taken[i] = true;
        }
    }
    if (!rest_of(x, x_taken, &have) || !rest_of(y, y_taken, &want))
        return false;
    if (want.open == 0)
        return have.open == 0 && have.known == want.known;
    return want.open == 1 && have.known % want.known == 0;
}

/* Every unknown size of N follows from the others, and is no size of the data copied by a 0: then
 * the numbers of elements may differ. */
static bool open_sizes_are_left(const inlay_node *n)
{
    const inlay_value *shape = inlay_node_operand(n, INLAY_ROLE_SHAPE);
    const inlay_fact *y = &n->out[0].fact;
    int64_t x;

    for (int i = 0; i < y->rank; i++) {
        if (!inlay_dim_is_static(y->dims[i]) && (!rule_known_entry(shape, i, &x) || x != -1))
            return false;
    }
    return y->rank >= 0;
}

rule_answer rule_fn_constant_sizes(rule_call *c)
{
    rule_answer known = rule_fn_reshapes(c);
    const inlay_node *n = c->arg[0].op;

    if (known != RULE_YES || !inlay_node_is(n, INLAY_OP_RESHAPE))
        return known;
    return constant_shape(n) && (open_sizes_are_left(n) || counts_agree(n)) ? RULE_YES
                                                                            : RULE_DONT_KNOW;
}

rule_answer rule_fn_never_fails(rule_call *c)
{
    rule_answer known = rule_fn_reshapes(c);

    if (known != RULE_YES || !inlay_node_is(c->arg[0].op, INLAY_OP_RESHAPE))
        return known;
    return counts_agree(c->arg[0].op) ? RULE_YES : RULE_DONT_KNOW;
}

/* A removed axis and a new one between the same two remaining axes are one axis. OUT gets the
 * others: the N new axes if ADDED, otherwise the N removed ones. False if there are axes of the
 * other kind, too. */
static bool difference(const axes_of_view *v, int rank, bool added, int64_t *out, int *n)
{
    int x = 0, i = 0, others = 0;

    *n = 0;
    while (x < rank || i < v->n) {
        bool goes = x < rank && v->gone[x], comes = i < v->n && v->from[i] == NEW;

        if (goes && !comes) {
            if (!added)
                out[(*n)++] = x;
            others += added;
        } else if (comes && !goes) {
            if (added)
                out[(*n)++] = i;
            others += !added;
        }
        x += goes || !comes;
        i += comes || !goes;
    }
    return others == 0 && *n > 0;
}

static rule_answer two_views(rule_call *c, bool added)
{
    const inlay_node *second = c->arg[0].value->node, *first = inlay_node_input(second, 0)->node;
    const inlay_value *x = reshapes(second) && reshapes(first) ? inlay_node_input(first, 0) : NULL;
    axes_of_view v = {.n = x ? x->fact.rank : -1};
    int64_t axes[INLAY_MAX_RANK];
    rule_ints *out;
    int n;

    if (!x || v.n < 0)
        return RULE_DONT_KNOW;
    for (int i = 0; i < v.n; i++)
        v.from[i] = i;
    if (!step(first, &v) || !step(second, &v))
        return RULE_DONT_KNOW;
    if (!difference(&v, x->fact.rank, added, axes, &n))
        return RULE_NO;
    if (!(out = rule_new_ints(c->match, INLAY_I64, 1, n)))
        return RULE_DONT_KNOW;
    memcpy(out->x, axes, (size_t)n * sizeof axes[0]);
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_axes_come(rule_call *c)
{
    return two_views(c, true);
}

rule_answer rule_fn_axes_gone(rule_call *c)
{
    return two_views(c, false);
}

/* Marks the axes that a Reverse reverses and that have more than one element. False if they are not
 * known. */
static bool turned_axes(const inlay_value *y, bool *turned)
{
    const inlay_node *n = y->node;
    const inlay_tensor *axes;
    int rank = y->fact.rank;

    if (!inlay_node_is(n, INLAY_OP_REVERSE) || rank < 0 ||
        !(axes = inlay_node_operand(n, INLAY_ROLE_AXIS)->fact.content))
        return false;
    memset(turned, 0, INLAY_MAX_RANK * sizeof *turned);
    for (int64_t i = 0; i < inlay_tensor_count(axes); i++) {
        int64_t x = inlay_tensor_get_i64(axes, i);
        bool mask = strcmp(inlay_node_string(n, "mode"), "mask") == 0;

        x = mask ? (x ? i : rank) : x < 0 ? x + rank : x;
        if (x >= 0 && x < rank)
            turned[x] = !inlay_dim_is_static(y->fact.dims[x]) || y->fact.dims[x].lo > 1;
    }
    return true;
}

rule_answer rule_fn_turns_nothing(rule_call *c)
{
    bool turned[INLAY_MAX_RANK];

    if (!turned_axes(c->arg[0].value, turned))
        return RULE_DONT_KNOW;
    for (int i = 0; i < c->arg[0].value->fact.rank; i++) {
        if (turned[i])
            return inlay_dim_is_static(c->arg[0].value->fact.dims[i]) ? RULE_NO : RULE_DONT_KNOW;
    }
    return RULE_YES;
}

rule_answer rule_fn_same_turn(rule_call *c)
{
    bool a[INLAY_MAX_RANK], b[INLAY_MAX_RANK];
    int rank = c->arg[0].value->fact.rank;

    if (!turned_axes(c->arg[0].value, a) || !turned_axes(c->arg[1].value, b) ||
        rank != c->arg[1].value->fact.rank)
        return RULE_DONT_KNOW;
    return rule_yes_if(memcmp(a, b, (size_t)rank * sizeof a[0]) == 0);
}
