/* Layouts: values that are written in another order of axes than that of their data, and those
 * whose axes are counted in another way. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/query/scatter.h"
#include "passes/rules/vocabulary/vocabulary.h"

enum { MOST_LOOKS = 4096 /* readers that are looked at */ };

/* Is N a Transpose that undoes one with this ORDER? */
static bool turns_back(const inlay_node *n, const rule_ints *order)
{
    const inlay_value *back = inlay_node_is(n, INLAY_OP_TRANSPOSE) ? inlay_node_input(n, 1) : NULL;
    const inlay_tensor *t = back ? back->fact.content : NULL;
    bool back_there = t && inlay_tensor_count(t) == order->n;

    for (int64_t i = 0; back_there && i < order->n; i++) {
        int64_t axis = inlay_tensor_get_i64(t, i);

        back_there = axis >= 0 && axis < order->n && order->x[axis] == i;
    }
    return back_there;
}

/* Is U the data of a scatter, or an operand of a pointwise node that has its shape? */
static bool is_changed_by(const inlay_use *u)
{
    const inlay_node *n = u->node;

    return (query_is_scatter(n) && u->index == n->op->overwrites) ||
           ((n->op->flags & INLAY_POINTWISE) && n->n_out == 1 &&
            inlay_fact_same_shape(&n->out[0].fact, &u->value->fact));
}

/* Behind the value, and the scatters and pointwise nodes that change it one after another, stands
 * what turns it back. Else what is written in the order of the data would have to be turned for all
 * that reads it. */
rule_answer rule_fn_turned_back(rule_call *c)
{
    const rule_ints *order = c->arg[1].ints;
    const inlay_value *v = c->arg[0].value, *next;
    int looks = 0;

    for (; v && looks < MOST_LOOKS; v = next) {
        next = NULL;
        for (const inlay_use *u = v->uses; u && looks < MOST_LOOKS; u = u->next, looks++) {
            if (turns_back(u->node, order))
                return RULE_YES;
            if (is_changed_by(u))
                next = &u->node->out[0];
        }
    }
    return RULE_NO;
}

rule_answer rule_fn_one_axis(rule_call *c)
{
    int rank = c->arg[0].value->fact.rank;

    return rank < 0 ? RULE_DONT_KNOW : rule_yes_if(rank == 1);
}

rule_answer rule_fn_keeps_first(rule_call *c)
{
    const rule_ints *order = c->arg[0].ints;

    return rule_yes_if(order->n > 0 && order->x[0] == 0);
}

/* The axis of R, ahead of the last two, that Z has as two, all others being the same; -1: none. */
static int split_axis(const inlay_fact *r, const inlay_fact *z)
{
    for (int axis = r->rank - 3; z->rank == r->rank + 1 && axis >= 0; axis--) {
        inlay_dim outer = z->dims[axis], inner = z->dims[axis + 1];
        bool same = inlay_dim_is_static(outer) && inlay_dim_is_static(inner) && outer.lo > 0 &&
                    inner.lo > 0 && inlay_dim_is_static(r->dims[axis]) &&
                    r->dims[axis].lo % inner.lo == 0 && r->dims[axis].lo / inner.lo == outer.lo;

        for (int i = 0; same && i < r->rank; i++)
            same = i == axis || inlay_dim_proven_equal(r->dims[i], z->dims[i > axis ? i + 1 : i]);
        if (same)
            return axis;
    }
    return -1;
}

/* Writes size I of X to OUT, as a Reshape behind which axes from AXIS on are counted anew has it: 0
 * is what it was at that place, and one -1 what is left, which the others tell. */
static bool give_size(const inlay_fact *x, int i, int axis, int64_t *out, bool *rest)
{
    inlay_dim d = x->dims[i];

    *out = inlay_dim_is_static(d) ? d.lo : i < axis ? 0 : -1;
    if (i < axis)
        return true;
    if (*out == 0 || (*out < 0 && *rest))
        return false;
    *rest = *rest || *out < 0;
    return true;
}

/* The sizes of X, whose axis AXIS is written as PARTS numbers of OF. */
static rule_answer give_sizes(rule_call *c, const inlay_fact *x, int axis, int parts,
                              const int64_t *of)
{
    rule_ints *out = rule_new_ints(c->match, INLAY_I64, 1, x->rank + parts - 1);
    bool rest = false;

    for (int i = 0, n = 0; out && i < x->rank; i++) {
        if (i == axis) {
            for (int k = 0; k < parts; k++)
                out->x[n++] = of[k];
        } else if (!give_size(x, i, axis, &out->x[n++], &rest)) {
            return RULE_DONT_KNOW;
        }
    }
    for (int i = 0; out && rest && i < axis; i++) {
        if (x->dims[i].lo < 1)
            return RULE_DONT_KNOW;
    }
    c->out.ints = out;
    return out ? RULE_YES : RULE_DONT_KNOW;
}

rule_answer rule_fn_split_sizes(rule_call *c)
{
    const inlay_fact *x = &c->arg[0].value->fact, *r = &c->arg[1].value->fact;
    const inlay_fact *z = &c->arg[2].value->fact;
    int axis = r->rank < 3 ? -1 : split_axis(r, z), at = axis - r->rank + x->rank;
    int64_t parts[2] = {1, 1};

    if (axis < 0 || x->rank < 0 || x->rank > r->rank)
        return RULE_DONT_KNOW;
    if (at < 0) /* it has no such axis: nothing changes */
        return give_sizes(c, x, x->rank, 1, parts);
    if (!rule_is_one(x->dims[at])) {
        if (!inlay_dim_proven_equal(x->dims[at], r->dims[axis]))
            return RULE_DONT_KNOW;
        parts[0] = z->dims[axis].lo;
        parts[1] = z->dims[axis + 1].lo;
    }
    return give_sizes(c, x, at, 2, parts);
}

rule_answer rule_fn_whole_sizes(rule_call *c)
{
    const inlay_fact *x = &c->arg[0].value->fact, *r = &c->arg[1].value->fact;
    int axis = r->rank < 3 ? -1 : split_axis(r, &c->arg[2].value->fact);

    if (axis < 0 || x->rank != r->rank || !inlay_dim_is_static(x->dims[axis]))
        return RULE_DONT_KNOW;
    return give_sizes(c, x, axis, 1, &x->dims[axis].lo);
}

/* The axis of R, a Reshape of Z, that counts two of Z as one; -1: none. */
static int counted_axis(const inlay_value *r, const inlay_value *z)
{
    return r->fact.rank < 3 ? -1 : split_axis(&r->fact, &z->fact);
}

/* Gives the list of a size more than R has, 0 but for OUTER and INNER at AXIS. */
static rule_answer give_kept(rule_call *c, const inlay_fact *r, int axis, int64_t outer,
                             int64_t inner)
{
    rule_ints *out = rule_new_ints(c->match, INLAY_I64, 1, r->rank + 1);

    if (!out)
        return RULE_DONT_KNOW;
    for (int i = 0; i <= r->rank; i++)
        out->x[i] = i == axis ? outer : i == axis + 1 ? inner : 0;
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_axis_in_parts(rule_call *c)
{
    int axis = counted_axis(c->arg[0].value, c->arg[1].value);
    rule_ints *out = axis < 0 ? NULL : rule_new_ints(c->match, INLAY_I64, 1, 1);

    if (!out)
        return RULE_DONT_KNOW;
    out->x[0] = axis + 1;
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_parts_kept(rule_call *c)
{
    const inlay_fact *x = &c->arg[0].value->fact, *r = &c->arg[1].value->fact;
    const inlay_fact *z = &c->arg[2].value->fact;
    int axis = counted_axis(c->arg[1].value, c->arg[2].value);

    if (axis < 0 || x->rank != r->rank)
        return RULE_DONT_KNOW;
    if (rule_is_one(x->dims[axis]))
        return give_kept(c, r, axis, 1, 1);
    return inlay_dim_proven_equal(x->dims[axis], r->dims[axis])
               ? give_kept(c, r, axis, z->dims[axis].lo, z->dims[axis + 1].lo)
               : RULE_DONT_KNOW;
}

rule_answer rule_fn_whole_kept(rule_call *c)
{
    const inlay_fact *r = &c->arg[0].value->fact;
    int axis = counted_axis(c->arg[0].value, c->arg[1].value);

    return axis < 0 ? RULE_DONT_KNOW : give_kept(c, r, axis, r->dims[axis].lo, 1);
}

/* Is Z, a Broadcast of X, what an operation that broadcasts makes of X itself, beside operands that
 * have all of axes AXIS and AXIS + 1? */
static bool repeats_only(const inlay_fact *x, const inlay_fact *z, int axis)
{
    bool only = x->rank == z->rank;

    for (int i = 0; only && i < x->rank; i++)
        only = inlay_dim_proven_equal(x->dims[i], z->dims[i]) ||
               ((i == axis || i == axis + 1) && rule_is_one(x->dims[i]));
    return only;
}

rule_answer rule_fn_unrepeated(rule_call *c)
{
    const inlay_fact *r = &c->arg[1].value->fact, *q = &c->arg[2].value->fact;
    inlay_value *z = c->arg[0].value, *x = inlay_node_input(z->node, 0);
    int axis = r->rank < 3 ? -1 : split_axis(r, &z->fact), at = axis - r->rank + q->rank;

    if (axis < 0)
        return RULE_DONT_KNOW;
    c->out.value = at >= 0 && inlay_dim_proven_equal(q->dims[at], r->dims[axis]) &&
                           repeats_only(&x->fact, &z->fact, axis)
                       ? x
                       : z;
    return RULE_YES;
}

/* Are the first N sizes of X known, those of Y the same, and their product that of the first axis
 * of R? */
static bool counts_as_one(const inlay_fact *x, const inlay_fact *y, const inlay_fact *r, int n)
{
    inlay_dim count = inlay_dim_of(1);
    bool same = true;

    for (int i = 0; same && i < n; i++) {
        count = inlay_dim_mul(count, x->dims[i]);
        same = inlay_dim_is_static(x->dims[i]) && inlay_dim_proven_equal(x->dims[i], y->dims[i]);
    }
    return same && inlay_dim_is_static(count) && inlay_dim_proven_equal(count, r->dims[0]);
}

rule_answer rule_fn_order_between(rule_call *c)
{
    const inlay_fact *x = &c->arg[0].value->fact, *r = &c->arg[1].value->fact;
    const inlay_fact *y = &c->arg[2].value->fact;
    const rule_ints *p = c->arg[3].ints;
    int first = x->rank - r->rank + 1; /* axes that are counted as one */
    rule_ints *out;
    bool fits = x->rank >= 0 && r->rank > 0 && first > 0 && y->rank == x->rank && p->n == r->rank &&
                p->x[0] == 0 && counts_as_one(x, y, r, first);

    out = fits ? rule_new_ints(c->match, INLAY_I64, 1, x->rank) : NULL;
    for (int i = 0; out && i < first; i++)
        out->x[i] = i;
    for (int i = first; out && i < x->rank; i++) {
        int from = (int)p->x[i - first + 1] + first - 1;

        if (!inlay_dim_proven_equal(x->dims[i], r->dims[i - first + 1]) ||
            !inlay_dim_proven_equal(y->dims[i], x->dims[from]))
            return RULE_DONT_KNOW;
        out->x[i] = from;
    }
    c->out.ints = out;
    return out ? RULE_YES : RULE_DONT_KNOW;
}
