/* Totals: sums, products, maxima and minima of integers and booleans. The order of the elements
 * does not matter, and each has a neutral element (0, 1, the least or greatest number, true,
 * false), which is the result for no elements. A total combines BODY for all values of its
 * variables in a box. What is known of totals follows by induction over the elements of the box,
 * for all integer types, which wrap, and for empty boxes:
 *
 *   - a total of totals of one kind is one over both boxes;
 *   - a box that is cut in two has the total of both totals put together;
 *   - a sum of sums, differences and negatives is one of sums, and a factor that is the same for
 * all stands before it: (a + b) + (x + y) = (a + x) + (b + y), -(a + x) = -a + -x, (a + x) c = a c
 * + x c, all of which hold of integers that wrap; the sum of nothing, 0, is 0 + 0, -0 and 0 c;
 *   - the greatest of what is the larger of two each is the larger of both greatest; of what is no
 *     more than a number c that is the same for all it is the smaller of the greatest and c, and of
 *     nothing the least number is. So it is the other way round, with `and` for the least and `or`
 *     for the greatest of booleans, and `not` makes one of the other.
 *
 * Of two totals that are made by one operation the solver is given a place in the box at which
 * their bodies differ, if they do. */
#include "passes/prove/totals.h"

#include <string.h>

enum { SUM, PRODUCT, GREATEST, LEAST, ALL, ANY, MEAN };

static const total_kind kinds[] = {
    [SUM] = {"ReduceSum", "Add", "Multiply", -1},
    [PRODUCT] = {"ReduceProd", "Multiply", NULL, -1},
    [GREATEST] = {"ReduceMax", "Maximum", "Minimum", -1},
    [LEAST] = {"ReduceMin", "Minimum", "Maximum", -1},
    [ALL] = {"ReduceLogicalAnd", "LogicalAnd", "LogicalOr", ANY},
    [ANY] = {"ReduceLogicalOr", "LogicalOr", "LogicalAnd", ALL},
    /* Of integers, which it rounds: it is not made of other means, nor of its parts. */
    [MEAN] = {"ReduceMean", NULL, NULL, -1},
};

const total_kind *prove_total_kind_of(const char *type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].type, type) == 0)
            return &kinds[i];
    }
    return NULL;
}

static const smt *total(prove_case *c, prove_total t);

/* T with its body replaced. */
static const smt *total_of(prove_case *c, prove_total t, const smt *body)
{
    t.body = body;
    return total(c, t);
}

/* ---- totals by parts ---- */

/* SIZE, a sum of parts, without its first part FIRST; NULL: that is not its first part. */
static const smt *size_behind(smt_pool *p, const smt *size, const smt *first)
{
    const smt *left;

    if (size->op != SMT_ADD)
        return NULL;
    if (smt_same(size->arg[0], first))
        return size->arg[1];
    left = size_behind(p, size->arg[0], first);
    return left ? smt_add(p, left, size->arg[1]) : NULL;
}

/* The number of T's variable that the condition ASKED compares with *FIRST, as "less than"; -1: it
 * is another condition. */
static int cut_variable(const prove_total *t, const smt *asked, const smt **first)
{
    const smt *below = asked->op == SMT_NOT ? asked->arg[0] : asked;

    if (asked->op != SMT_NOT || below->op != SMT_LE)
        return -1;
    *first = below->arg[0];
    for (int i = 0; i < t->n; i++) {
        if (smt_same(below->arg[1], t->var[i]))
            return i;
    }
    return -1;
}

/* The total of a body that is one of two terms, depending on where a variable lies, as after a
 * Concat: a total for each part. NULL: the body is not like that. */
static const smt *total_by_parts(prove_case *c, prove_total t)
{
    const smt *first, *both[2], *body = t.body;
    int at = cut_variable(&t, body->arg[0], &first);
    const smt *behind =
        at < 0 || prove_varies(c, &t, first) ? NULL : size_behind(&c->pool, t.size[at], first);

    if (!prove_varies(c, &t, body->arg[0]))
        return smt_ite(&c->pool, body->arg[0], total_of(c, t, body->arg[1]),
                       total_of(c, t, body->arg[2]));
    if (!behind || totals_mentions(c, body->arg[2], t.var[at], true))
        return NULL;
    t.size[at] = first;
    both[0] = total_of(c, t, body->arg[1]);
    t.size[at] = behind;
    both[1] = total_of(
        c, t, smt_replaced(&c->pool, body->arg[2], t.var[at], smt_add(&c->pool, t.var[at], first)));
    return prove_operation(c, t.kind->joins, 2, both);
}

/* ---- totals of operations ---- */

/* The product of S and BY, multiplied out over the operands of S. */
static const smt *multiplied_out(prove_case *c, const smt *s, const smt *by)
{
    const smt *args[SMT_ARGS];

    for (int i = 0; i < s->n_args; i++)
        args[i] =
            s->op == SMT_ITE && i == 0 ? s->arg[0] : totals_apply2(c, "Multiply", s->arg[i], by);
    return smt_remade(&c->pool, s, args);
}

static bool is_sum(const prove_case *c, const smt *t)
{
    return totals_is(c, t, "Add") || totals_is(c, t, "Subtract") || totals_is(c, t, "Negative");
}

/* The total of BODY over the boxes of T and of INNER together. */
static const smt *total_over_both(prove_case *c, prove_total t, const prove_total *inner,
                                  const smt *body)
{
    for (int i = 0; i < inner->n; i++) {
        t.var[t.n] = inner->var[i];
        t.size[t.n++] = inner->size[i];
    }
    return total_of(c, t, body);
}

/* The sum of products A B, where a factor may itself be a sum. NULL: nothing more is known. */
static const smt *total_of_product(prove_case *c, prove_total t, const smt *a, const smt *b)
{
    for (int i = 0; i < 2; i++) {
        const smt *x = i ? b : a, *y = i ? a : b;
        const prove_total *inner;

        if (!prove_varies(c, &t, y))
            return totals_apply2(c, "Multiply", total_of(c, t, x), y);
        if (is_sum(c, x) || (x->op == SMT_ITE && prove_varies(c, &t, x)))
            return total_of(c, t, multiplied_out(c, x, y));
        inner = totals_that_is(c, x);
        if (inner && inner->kind == t.kind && inner->n + t.n <= PROVE_RANK)
            return total_over_both(c, t, inner, totals_apply2(c, "Multiply", inner->body, y));
        for (int k = 0; totals_is(c, x, "Multiply") && k < 2; k++) {
            if (!prove_varies(c, &t, x->arg[k]))
                return totals_apply2(c, "Multiply",
                                     total_of(c, t, totals_apply2(c, "Multiply", x->arg[!k], y)),
                                     x->arg[k]);
        }
    }
    return NULL;
}

/* The total of an operation's result as that operation on totals. NULL: nothing like that is known.
 */
static const smt *total_of_operation(prove_case *c, prove_total t)
{
    const smt *body = t.body, *args[SMT_ARGS];

    if (t.kind == &kinds[SUM] && totals_is(c, body, "Multiply"))
        return total_of_product(c, t, body->arg[0], body->arg[1]);
    if (totals_is(c, body, t.kind->joins) || (t.kind == &kinds[SUM] && is_sum(c, body))) {
        for (int i = 0; i < body->n_args; i++)
            args[i] = total_of(c, t, body->arg[i]);
        return smt_remade(&c->pool, body, args);
    }
    for (int i = 0; t.kind->bounds && totals_is(c, body, t.kind->bounds) && i < 2; i++) {
        if (!prove_varies(c, &t, body->arg[!i]))
            return totals_apply2(c, t.kind->bounds, total_of(c, t, body->arg[i]), body->arg[!i]);
    }
    if (t.kind->opposite >= 0 && totals_is(c, body, "LogicalNot")) {
        t.kind = &kinds[t.kind->opposite];
        args[0] = total_of(c, t, body->arg[0]);
        return prove_operation(c, "LogicalNot", 1, args);
    }
    return NULL;
}

/* ---- totals ---- */

/* Drops variables with a single value. */
static void drop_ones(prove_case *c, prove_total *t)
{
    int n = 0;

    for (int i = 0; i < t->n; i++) {
        if (t->size[i]->op == SMT_INT && t->size[i]->n == 1 &&
            !totals_mentions(c, t->body, t->var[i], true)) {
            t->body = smt_replaced(&c->pool, t->body, t->var[i], smt_int(&c->pool, 0));
            continue;
        }
        t->var[n] = t->var[i];
        t->size[n++] = t->size[i];
    }
    t->n = n;
}

/* T with the term BY instead of the term OLD, and how often that was replaced. */
static const smt *exchanged(smt_pool *p, const smt *t, const smt *old, const smt *by)
{
    const smt *arg[SMT_ARGS];
    bool same = true;

    if (smt_same(t, old))
        return by;
    for (int i = 0; i < t->n_args; i++) {
        arg[i] = exchanged(p, t->arg[i], old, by);
        same = same && arg[i] == t->arg[i];
    }
    return same ? t : smt_remade(p, t, arg);
}

/* If the body uses the first N variables only through their row-major number, they are replaced by
 * one variable. */
static void number_first(prove_case *c, prove_total *t, int n)
{
    smt_pool *p = &c->pool;
    const smt *number = t->var[0], *count = t->size[0], *body, *one;

    for (int i = 1; i < n; i++) {
        number = smt_add(p, smt_mul(p, number, t->size[i]), t->var[i]);
        count = smt_mul(p, count, t->size[i]);
    }
    one = smt_constant(p, "along", "Int");
    body = exchanged(p, t->body, number, one);
    for (int i = 0; i < n; i++) {
        if (totals_mentions(c, body, t->var[i], false))
            return;
    }
    t->body = body;
    t->var[0] = one;
    t->size[0] = count;
    for (int i = n; i < t->n; i++) {
        t->var[i - n + 1] = t->var[i];
        t->size[i - n + 1] = t->size[i];
    }
    t->n -= n - 1;
}

static const smt *total(prove_case *c, prove_total t)
{
    const prove_total *inner = totals_that_is(c, t.body);
    const smt *made = NULL;

    if (c->pool.no_memory || !prove_goes_on(c))
        return smt_bool(false);
    drop_ones(c, &t);
    if (t.n == 0)
        return t.body;
    if (inner && inner->kind == t.kind && t.kind->joins && inner->n + t.n <= PROVE_RANK)
        return total_over_both(c, t, inner, inner->body);
    if (c->meanings.numbers == PROVE_REAL && t.kind != &kinds[ALL] && t.kind != &kinds[ANY])
        return totals_real(c, t, t.kind == &kinds[SUM]);
    for (int n = t.n; n > 1 && c->flat; n--) {
        if (n <= t.n)
            number_first(c, &t, n);
    }
    if (t.kind != &kinds[MEAN])
        made = t.body->op == SMT_ITE ? total_by_parts(c, t) : total_of_operation(c, t);
    for (int i = 0; !made && i < t.n; i++) {
        if (totals_mentions(c, t.body, t.var[i], true))
            prove_unknown(c, "a reduction inside of another one");
    }
    return made ? made : prove_new_total(c, t);
}

const smt *prove_total_of(prove_case *c, prove_total t)
{
    return total(c, t);
}
