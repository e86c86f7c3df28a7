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
#include "passes/prove/meaning.h"
#include "passes/prove/real.h"

#include <string.h>

typedef struct prove_total_kind {
    const char *type, *joins; /* the reduction, and the operation that combines two elements */
    const char *bounds;       /* the operation that bounds an element by a constant one */
    int opposite;             /* the kind of total that it is of the elements' LogicalNot; -1: none
                                 */
} total_kind;

enum { SUM, PRODUCT, GREATEST, LEAST, ALL, ANY };

static const total_kind kinds[] = {
    [SUM] = {"ReduceSum", "Add", "Multiply", -1},
    [PRODUCT] = {"ReduceProd", "Multiply", NULL, -1},
    [GREATEST] = {"ReduceMax", "Maximum", "Minimum", -1},
    [LEAST] = {"ReduceMin", "Minimum", "Maximum", -1},
    [ALL] = {"ReduceLogicalAnd", "LogicalAnd", "LogicalOr", ANY},
    [ANY] = {"ReduceLogicalOr", "LogicalOr", "LogicalAnd", ALL},
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

static const prove_total *total_that_is(const prove_case *c, const smt *t)
{
    for (int i = 0; i < c->terms.n_totals; i++) {
        if (smt_same(c->terms.totals[i].made, t))
            return &c->terms.totals[i];
    }
    return NULL;
}

/* T with its body replaced. */
static const smt *total_of(prove_case *c, prove_total t, const smt *body)
{
    t.body = body;
    return total(c, t);
}

/* The variable occurs in T or, if HIDDEN, in the body of a total in T. */
static bool mentions(const prove_case *c, const smt *t, const smt *variable, bool hidden)
{
    const prove_total *made = total_that_is(c, t);
    bool found = !hidden && t->op == SMT_APPLY && t->name == variable->name;

    if (made && c->meanings.numbers != PROVE_REAL) /* of reals its arguments tell */
        return mentions(c, made->body, variable, false);
    for (int i = 0; i < t->n_args && !found; i++)
        found = mentions(c, t->arg[i], variable, hidden);
    return found;
}

bool prove_varies(const prove_case *c, const prove_total *t, const smt *of)
{
    for (int i = 0; i < t->n; i++) {
        if (mentions(c, of, t->var[i], false))
            return true;
    }
    return false;
}

/* ---- operations on elements ---- */

/* The name of the operation, of one or two operands, that T is; "": none. */
static const char *operation(const prove_case *c, const smt *t)
{
    const prove_symbol *s = prove_symbol_of(c, t);

    return s && s->kind == PROVE_OPERATION && s->op ? s->op->name : "";
}

static bool is(const prove_case *c, const smt *t, const char *type)
{
    return strcmp(operation(c, t), type) == 0;
}

static const smt *apply2(prove_case *c, const char *type, const smt *a, const smt *b)
{
    return prove_operation(c, type, 2, (const smt *[]){a, b});
}

const smt *prove_product(prove_case *c, const smt *a, const smt *b)
{
    return apply2(c, "Multiply", a, b);
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
    if (!behind || mentions(c, body->arg[2], t.var[at], true))
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
        args[i] = s->op == SMT_ITE && i == 0 ? s->arg[0] : apply2(c, "Multiply", s->arg[i], by);
    return smt_remade(&c->pool, s, args);
}

static bool is_sum(const prove_case *c, const smt *t)
{
    return is(c, t, "Add") || is(c, t, "Subtract") || is(c, t, "Negative");
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
            return apply2(c, "Multiply", total_of(c, t, x), y);
        if (is_sum(c, x) || (x->op == SMT_ITE && prove_varies(c, &t, x)))
            return total_of(c, t, multiplied_out(c, x, y));
        inner = total_that_is(c, x);
        if (inner && inner->kind == t.kind && inner->n + t.n <= PROVE_RANK)
            return total_over_both(c, t, inner, apply2(c, "Multiply", inner->body, y));
        for (int k = 0; is(c, x, "Multiply") && k < 2; k++) {
            if (!prove_varies(c, &t, x->arg[k]))
                return apply2(c, "Multiply", total_of(c, t, apply2(c, "Multiply", x->arg[!k], y)),
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

    if (t.kind == &kinds[SUM] && is(c, body, "Multiply"))
        return total_of_product(c, t, body->arg[0], body->arg[1]);
    if (is(c, body, t.kind->joins) || (t.kind == &kinds[SUM] && is_sum(c, body))) {
        for (int i = 0; i < body->n_args; i++)
            args[i] = total_of(c, t, body->arg[i]);
        return smt_remade(&c->pool, body, args);
    }
    for (int i = 0; t.kind->bounds && is(c, body, t.kind->bounds) && i < 2; i++) {
        if (!prove_varies(c, &t, body->arg[!i]))
            return apply2(c, t.kind->bounds, total_of(c, t, body->arg[i]), body->arg[!i]);
    }
    if (t.kind->opposite >= 0 && is(c, body, "LogicalNot")) {
        t.kind = &kinds[t.kind->opposite];
        args[0] = total_of(c, t, body->arg[0]);
        return prove_operation(c, "LogicalNot", 1, args);
    }
    return NULL;
}

/* ---- totals that are not broken down further ---- */

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

    if (is(c, of, "Multiply") && *n + 2 < FACTORS) {
        add_factors(c, t, of->arg[0], out, n);
        add_factors(c, t, of->arg[1], out, n);
        return;
    }
    for (; at > 0 && strcmp(function_of(c, t, of), function_of(c, t, out[at - 1])) < 0; at--)
        out[at] = out[at - 1];
    out[at] = of;
    (*n)++;
}

/* T's body, with the factors of products in one order, since the order does not matter for integers
 * that wrap. */
static const smt *in_order(prove_case *c, const prove_total *t)
{
    const smt *factors[FACTORS + 2], *product;
    int n = 0;

    add_factors(c, t, t->body, factors, &n);
    product = factors[0];
    for (int i = 1; i < n; i++)
        product = apply2(c, "Multiply", product, factors[i]);
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
    same = smt_and(p, same, smt_implies(p, inside, smt_eq(p, of_a, of_b)));
    prove_assume(c, smt_implies(p, same, smt_eq(p, a->made, b->made)));
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
        prove_assume(c, smt_implies(p, all,
                                    smt_eq(p, whole->made,
                                           apply2(c, whole->kind->joins, a->made, b->made))));
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
    if (!real)
        join_all(c);
    return t.made;
}

/* ---- totals of real numbers ---- */

/* The total of 1: how many elements the box has. */
static const smt *count_of(prove_case *c, const prove_total *t)
{
    const smt *count = smt_int(&c->pool, 1);

    for (int i = 0; i < t->n; i++)
        count = smt_mul(&c->pool, count, t->size[i]);
    return smt_apply1(&c->pool, prove_count_of, count);
}

/* The part of P whose factors vary along the box, or (not VARYING) are the same for all. */
static real_product part_of(reals *r, const prove_total *t, const real_product *p, bool varying)
{
    real_product out = {.over = 1, .under = 1, .n = 0};

    for (int i = 0; i < p->n; i++) {
        if (prove_varies(r->c, t, r->atoms[p->f[i].atom].term) == varying)
            out.f[out.n++] = p->f[i];
    }
    if (!varying) {
        out.over = p->over;
        out.under = p->under;
    }
    return out;
}

/* A sum of products is the sum of what each makes, of which a factor that is the same for all
 * stands before it. */
static const smt *sum_of_real(reals *r, prove_total t, const real_sum *body)
{
    const smt *out = NULL;

    for (int i = 0; i < body->n; i++) {
        real_product varies = part_of(r, &t, &body->p[i], true),
                     same = part_of(r, &t, &body->p[i], false);
        const smt *made;

        t.body = real_sum_term(r, &(real_sum){1, &varies});
        made = varies.n ? prove_new_total(r->c, t) : count_of(r->c, &t);
        made = prove_operation(r->c, "Multiply", 2,
                               (const smt *[]){made, real_sum_term(r, &(real_sum){1, &same})});
        out = out ? prove_operation(r->c, "Add", 2, (const smt *[]){out, made}) : made;
    }
    return out ? out : prove_zero(r->c);
}

/* What T makes of real numbers, by what is made of its parts, if it SUMS. */
static const smt *real_total(prove_case *c, prove_total t, bool sums)
{
    reals *r = prove_alloc(c, sizeof *r);
    const smt *out = prove_zero(c);
    real_number body;

    if (c->pool.no_memory)
        return out;
    *r = (reals){.c = c, .merged = smt_bool(true), .side = REAL_INSIDE};
    body = real_of(r, prove_with_ones(c, t.body));
    if (!r->why && sums && !real_sum_is(body.under, 1))
        real_unknown(r, "a sum of quotients");
    if (!r->why && sums) {
        out = sum_of_real(r, t, body.over);
    } else if (!r->why) {
        t.body = real_term(r, body);
        out = prove_new_total(c, t);
    }
    if (r->why)
        prove_unknown(c, r->why);
    return out;
}

/* ---- totals ---- */

/* Drops variables with a single value. */
static void drop_ones(prove_case *c, prove_total *t)
{
    int n = 0;

    for (int i = 0; i < t->n; i++) {
        if (t->size[i]->op == SMT_INT && t->size[i]->n == 1 &&
            !mentions(c, t->body, t->var[i], true)) {
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
        if (mentions(c, body, t->var[i], false))
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
    const prove_total *inner = total_that_is(c, t.body);
    const smt *made = NULL;

    if (c->pool.no_memory || c->cut || c->unknown)
        return smt_bool(false);
    drop_ones(c, &t);
    if (t.n == 0)
        return t.body;
    if (inner && inner->kind == t.kind && inner->n + t.n <= PROVE_RANK)
        return total_over_both(c, t, inner, inner->body);
    if (c->meanings.numbers == PROVE_REAL && t.kind != &kinds[ALL] && t.kind != &kinds[ANY])
        return real_total(c, t, t.kind == &kinds[SUM]);
    for (int n = t.n; n > 1 && c->flat; n--) {
        if (n <= t.n)
            number_first(c, &t, n);
    }
    made = t.body->op == SMT_ITE ? total_by_parts(c, t) : total_of_operation(c, t);
    for (int i = 0; !made && i < t.n; i++) {
        if (mentions(c, t.body, t.var[i], true))
            prove_unknown(c, "a reduction inside of another one");
    }
    return made ? made : prove_new_total(c, t);
}

const smt *prove_total_of(prove_case *c, prove_total t)
{
    return total(c, t);
}

/* ---- types ---- */

/* Some condition says that V has only these types. */
static bool is_told_to_have(const prove_case *c, const prove_value *v, inlay_type_set types)
{
    for (int i = 0; i < c->facts.n_types; i++) {
        if (c->facts.types[i].value == v && !(c->facts.types[i].types & ~types))
            return true;
    }
    return false;
}

enum { STEPS = 4 /* steps from a value to another one of the same type */ };

static bool has_types(const prove_case *c, const prove_value *v, inlay_type_set types, int steps);

static const inlay_op *op_of(const prove_node *n)
{
    if (n->from && n->from->n_rows > 0)
        return n->from->rows[n->from->n_rows - 1];
    return inlay_op_find(NULL, n->row->type, NULL, NULL, NULL);
}

/* Index I of a list of length N, whose last entry also stands for those behind it; if N is below 0,
 * any number of outputs share the first. */
static int at_most(int i, int n)
{
    return i < n ? i : n < 0 ? 0 : n - 1;
}

/* An operand or output of N whose type is variable VAR of its row has only TYPES. */
static bool some_has_types(const prove_case *c, const prove_node *n, const inlay_op *op, int var,
                           inlay_type_set types, int steps)
{
    for (int i = 0; i < n->n_in && var >= 0; i++) {
        if (n->in[i] && op->in[at_most(i, op->n_in)].var == var &&
            has_types(c, n->in[i], types, steps))
            return true;
    }
    return var >= 0 && op->out[0].var == var && has_types(c, &n->out[0], types, steps);
}

/* The node that makes V says so. */
static bool is_made_of_types(const prove_case *c, const prove_value *v, inlay_type_set types,
                             int steps)
{
    const prove_node *n = v->node;
    const inlay_op *op = n ? op_of(n) : NULL;
    const rule_attr *to = n && n->from ? prove_attr(n, "destination_type") : NULL;

    if (to)
        return to->var < 0 && (types >> to->literal.as.type & 1);
    return op && op->n_out != 0 && op->n_in > 0 &&
           (!(op->out[at_most(v->out, op->n_out)].types & ~types) ||
            some_has_types(c, n, op, op->out[at_most(v->out, op->n_out)].var, types, steps));
}

/* A node of the left side that reads V says so. */
static bool is_read_with_types(const prove_case *c, const prove_value *v, inlay_type_set types,
                               int steps)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];
        const inlay_op *op = n ? op_of(n) : NULL;

        for (int k = 0; op && op->n_in > 0 && op->n_out != 0 && k < n->n_in; k++) {
            const inlay_operand_info *in = &op->in[at_most(k, op->n_in)];

            if (n->in[k] == v &&
                (!(in->types & ~types) || some_has_types(c, n, op, in->var, types, steps)))
                return true;
        }
    }
    return false;
}

static bool has_types(const prove_case *c, const prove_value *v, inlay_type_set types, int steps)
{
    return is_told_to_have(c, v, types) ||
           (steps > 0 && (is_made_of_types(c, v, types, steps - 1) ||
                          is_read_with_types(c, v, types, steps - 1)));
}

bool prove_is_discrete(const prove_case *c, const prove_value *v)
{
    return c->meanings.numbers != PROVE_AS_THEY_ARE ||
           has_types(c, v, ~number_class_types(NUMBER_FLOAT), STEPS);
}
