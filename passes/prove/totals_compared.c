/* Totals that are not broken down further (totals.c): each is a function, and the solver is told
 * which of them are equal, and which two make a third one. */
#include "passes/prove/totals.h"

#include <string.h>

/* A function named after the body of T: totals that may be equal use the same function. */
static const char *function_of(prove_case *c, const prove_total *t, const smt *body)
{
    char *name = inlay_arena_printf(c->pool.arena, "|%s.%d.%d of %s|", t->kind->type, t->n,
                                    t->n_free, prove_key(c, body));

    for (char *at = name ? name + 1 : NULL; at && at[0] && at[1]; at++)
        *at = *at == '|' ? '\'' : *at;
    c->pool.no_memory = c->pool.no_memory || !name;
    return name ? name : "";
}

enum { FACTORS = 6 };

/* Adds the factors of the product OF to OUT, in the order of their names; if they are too many they
 * stay together. */
static void add_factors(prove_case *c, const prove_total *t, const smt *of, const smt **out, int *n)
{
    int at = *n;

    if (totals_is(c, of, "Multiply") && *n + 2 < FACTORS) {
        add_factors(c, t, of->arg[0], out, n);
        add_factors(c, t, of->arg[1], out, n);
        return;
    }
    for (; at > 0 && strcmp(function_of(c, t, of), function_of(c, t, out[at - 1])) < 0; at--)
        out[at] = out[at - 1];
    out[at] = of;
    (*n)++;
}

/* OF as a product, if it is the square of a difference. */
static const smt *as_product(prove_case *c, const smt *of)
{
    const smt *d;

    if (!totals_is(c, of, "SquaredDifference"))
        return of;
    d = totals_apply2(c, "Subtract", of->arg[0], of->arg[1]);
    return totals_apply2(c, "Multiply", d, d);
}

/* T's body, with the factors of products in one order, since the order does not matter for integers
 * that wrap. */
static const smt *in_order(prove_case *c, const prove_total *t)
{
    const smt *factors[FACTORS + 2], *product;
    int n = 0;

    add_factors(c, t, as_product(c, t->body), factors, &n);
    product = factors[0];
    for (int i = 1; i < n; i++)
        product = totals_apply2(c, "Multiply", product, factors[i]);
    return product;
}

/* T's body at PLACE, where variable I has the value PLACE[ORDER[I]]; *INSIDE: whether that lies in
 * the box. */
static const smt *body_at(prove_case *c, const prove_total *t, const smt *const *place,
                          const int *order, const smt **inside)
{
    const smt *body = t->body;

    *inside = smt_bool(true);
    for (int i = 0; i < t->n; i++) {
        body = smt_replaced(&c->pool, body, t->var[i], place[order[i]]);
        *inside = smt_and(&c->pool, *inside,
                          smt_within(&c->pool, smt_int(&c->pool, 0), place[order[i]], t->size[i]));
    }
    return body;
}

static void compare_within(prove_case *c, const prove_total *a, const prove_total *b,
                           const smt *const *place, const int *order);

/* If A and B differ although the variables of B, in this ORDER, have the ranges of those of A,
 * their bodies differ at some place. */
static void compare_in_order(prove_case *c, const prove_total *a, const prove_total *b,
                             const int *order)
{
    smt_pool *p = &c->pool;
    const smt *place[PROVE_RANK], *inside, *in_b, *same = smt_bool(true), *of_a, *of_b;
    int as_it_is[PROVE_RANK];

    for (int i = 0; i < a->n; i++) {
        as_it_is[i] = i;
        place[i] = smt_constant(p, "place", "Int");
        same = smt_and(p, same, smt_eq(p, a->size[order[i]], b->size[i]));
    }
    of_a = body_at(c, a, place, as_it_is, &inside);
    of_b = body_at(c, b, place, order, &in_b);
    if (c->meanings.numbers == PROVE_REAL)
        compare_within(c, a, b, place, order);
    same = smt_and(p, same, smt_implies(p, inside, smt_eq(p, of_a, of_b)));
    prove_assume(c, smt_implies(p, same, smt_eq(p, a->made, b->made)));
}

/* X, a total within A, with the variables of A at PLACE; whether it depends on them. */
static bool placed(prove_case *c, const prove_total *x, const prove_total *a,
                   const smt *const *place, const int *order, prove_total *out)
{
    bool within = false;

    *out = *x;
    for (int i = 0; i < a->n; i++) {
        for (int k = 0; k < x->n_free; k++)
            within = within || smt_same(x->free[k], a->var[i]);
        out->body = smt_replaced(&c->pool, out->body, a->var[i], place[order[i]]);
        out->made = smt_replaced(&c->pool, out->made, a->var[i], place[order[i]]);
        for (int k = 0; k < x->n; k++)
            out->size[k] = smt_replaced(&c->pool, out->size[k], a->var[i], place[order[i]]);
    }
    return within;
}

/* The same of totals within A and within B, at the place at which these are compared. */
static void compare_within(prove_case *c, const prove_total *a, const prove_total *b,
                           const smt *const *place, const int *order)
{
    int as_it_is[PROVE_RANK];

    for (int i = 0; i < PROVE_RANK; i++)
        as_it_is[i] = i;
    for (int i = 0; i < c->terms.n_totals * c->terms.n_totals; i++) {
        const prove_total *x = &c->terms.totals[i / c->terms.n_totals];
        const prove_total *y = &c->terms.totals[i % c->terms.n_totals];
        prove_total in_a, in_b;

        if (x != y && x->kind == y->kind && x->n == y->n &&
            strcmp(x->made->name, y->made->name) == 0 && placed(c, x, a, place, as_it_is, &in_a) &&
            placed(c, y, b, place, order, &in_b))
            compare_in_order(c, &in_a, &in_b, as_it_is);
    }
}

static void compare(prove_case *c, const prove_total *a, const prove_total *b)
{
    int orders = 1, order[PROVE_RANK];

    if (a->kind != b->kind || a->n != b->n || strcmp(a->made->name, b->made->name) != 0)
        return;
    for (int i = 2; i <= a->n; i++)
        orders *= i;
    for (int k = 0; k < orders; k++) {
        prove_nth_order(k, a->n, order);
        compare_in_order(c, a, b, order);
    }
}

/* The bodies of WHOLE and of PART, shifted by BY along AXIS, are equal at some place of PART if
 * they are not equal everywhere. */
static const smt *is_part(prove_case *c, const prove_total *whole, const prove_total *part,
                          int axis, const smt *by)
{
    smt_pool *p = &c->pool;
    const smt *place[PROVE_RANK], *inside, *ignored, *there, *same = smt_bool(true);
    int order[PROVE_RANK];

    for (int i = 0; i < part->n; i++) {
        order[i] = i;
        place[i] = smt_constant(p, "place", "Int");
        if (i != axis)
            same = smt_and(p, same, smt_eq(p, whole->size[i], part->size[i]));
    }
    there = body_at(c, part, place, order, &inside);
    place[axis] = smt_add(p, place[axis], by);
    there = smt_eq(p, there, body_at(c, whole, place, order, &ignored));
    return smt_and(p, same, smt_implies(p, inside, there));
}

/* If A is the total of the first elements of WHOLE along an axis, and B that of the others, WHOLE
 * is both combined. */
static void join(prove_case *c, const prove_total *a, const prove_total *b,
                 const prove_total *whole)
{
    smt_pool *p = &c->pool;

    for (int i = 0; i < whole->n; i++) {
        const smt *all = smt_eq(p, whole->size[i], smt_add(p, a->size[i], b->size[i]));
        const smt *first = is_part(c, whole, a, i, smt_int(p, 0));

        all = smt_and(p, all, smt_and(p, first, is_part(c, whole, b, i, a->size[i])));
        prove_assume(c,
                     smt_implies(p, all,
                                 smt_eq(p, whole->made,
                                        totals_apply2(c, whole->kind->joins, a->made, b->made))));
    }
}

enum { JOINED = 5 /* totals of one name; with more there would be too many triples */ };

/* States this of the newest total with all others of its name, as a part and as the whole. */
static void join_all(prove_case *c)
{
    const prove_total *like[JOINED], *newest = &c->terms.totals[c->terms.n_totals - 1];
    int n = 0;

    for (int i = 0; i < c->terms.n_totals; i++) {
        if (strcmp(c->terms.totals[i].made->name, newest->made->name) == 0 && n < JOINED)
            like[n++] = &c->terms.totals[i];
    }
    for (int i = 0; i < n * n * n; i++) {
        const prove_total *a = like[i % n], *b = like[i / n % n], *whole = like[i / n / n];

        if (a != b && b != whole && whole != a && (a == newest || b == newest || whole == newest))
            join(c, a, b, whole);
    }
}

/* The total of a single element is that element. */
static void state_single(prove_case *c, const prove_total *t)
{
    smt_pool *p = &c->pool;
    const smt *body = t->body, *one = smt_bool(true);

    for (int i = 0; i < t->n; i++) {
        one = smt_and(p, one, smt_eq(p, t->size[i], smt_int(p, 1)));
        body = smt_replaced(p, body, t->var[i], smt_int(p, 0));
    }
    prove_assume(c, smt_implies(p, one, smt_eq(p, t->made, body)));
}

/* The variables of boxes around T that its body OF has: T is a function of them. */
static void find_free(prove_total *t, const smt *of)
{
    bool is = of->op == SMT_APPLY && of->n_args == 0 &&
              (strncmp(of->name, "along!", 6) == 0 || strncmp(of->name, "term!", 5) == 0);

    for (int i = 0; is && i < t->n; i++)
        is = !smt_same(of, t->var[i]);
    for (int i = 0; is && i < t->n_free; i++)
        is = !smt_same(of, t->free[i]);
    if (is && t->n_free < PROVE_RANK)
        t->free[t->n_free++] = of;
    for (int i = 0; i < of->n_args; i++)
        find_free(t, of->arg[i]);
}

static const smt *made_of(prove_case *c, const prove_total *t, const char *function,
                          const smt *number)
{
    const smt *args[PROVE_RANK + 1] = {number};

    for (int i = 0; i < t->n_free; i++)
        args[1 + i] = t->free[i];
    return smt_apply(&c->pool, function, 1 + t->n_free, args);
}

/* One that is known makes the same of the same box in the same words; NULL: there is none. */
static const smt *known_total(prove_case *c, const prove_total *t)
{
    for (int i = 0; i < c->terms.n_totals; i++) {
        const prove_total *known = &c->terms.totals[i];
        const smt *body = known->body;
        bool same = known->kind == t->kind && known->n == t->n;

        for (int k = 0; same && k < t->n; k++) {
            body = smt_replaced(&c->pool, body, known->var[k], t->var[k]);
            same = smt_same(known->size[k], t->size[k]);
        }
        same = same && known->n_free == t->n_free;
        for (int k = 0; same && k < t->n_free; k++)
            body = smt_replaced(&c->pool, body, known->free[k], t->free[k]);
        if (same && smt_same(body, t->body))
            return made_of(c, t, known->made->name, known->made->arg[0]);
    }
    return NULL;
}

const smt *prove_new_total(prove_case *c, prove_total t)
{
    const smt *number = smt_int(&c->pool, c->terms.n_totals);
    const char *function;
    bool declared = false, real = c->meanings.numbers == PROVE_REAL;

    if (real)
        find_free(&t, t.body);
    if (real && known_total(c, &t))
        return known_total(c, &t);
    t.body = real ? t.body : in_order(c, &t);
    function = function_of(c, &t, t.body);
    for (int i = 0; i < c->terms.n_totals; i++)
        declared = declared || strcmp(c->terms.totals[i].made->name, function) == 0;
    if (c->terms.n_totals == PROVE_SUMS) {
        prove_unknown(c, "too many reductions");
        return smt_bool(false);
    }
    if (!declared)
        smt_declare(&c->pool, function, 1 + t.n_free, false, "E");
    t.made = made_of(c, &t, function, number);
    for (int i = 0; i < c->terms.n_totals; i++)
        compare(c, &c->terms.totals[i], &t);
    state_single(c, &t);
    c->terms.totals[c->terms.n_totals++] = t;
    if (!real && t.kind->joins)
        join_all(c);
    return t.made;
}
