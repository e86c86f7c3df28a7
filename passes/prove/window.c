/* Windows of which only what holds of all windows is known. */
#include "passes/prove/case.h"

const smt *prove_at(prove_case *c, const prove_window *w, int i, const smt *k)
{
    return smt_apply1(&c->pool, w->axis[i].at, k);
}

const smt *prove_has(prove_case *c, const prove_window *w, int i, const smt *p)
{
    return smt_apply1(&c->pool, w->axis[i].has, p);
}

const smt *prove_which(prove_case *c, const prove_window *w, int i, const smt *p)
{
    return smt_apply1(&c->pool, w->axis[i].which, p);
}

void prove_for_each(prove_case *c, const prove_window *w, int i, const smt *k, const smt *body)
{
    smt_pool *p = &c->pool;
    const smt *inside = smt_within(p, smt_int(p, 0), k, w->axis[i].count);

    prove_assume(c, smt_all(p, k, smt_implies(p, inside, body), prove_at(c, w, i, k)));
}

/* has(p) implies that the position number which(p) is p. */
static void state_positions(prove_case *c, const prove_window *w, int i)
{
    smt_pool *p = &c->pool;
    const smt *x = smt_variable(p), *k = prove_which(c, w, i, x);
    const smt *is_one = smt_and(p, smt_within(p, smt_int(p, 0), k, w->axis[i].count),
                                smt_eq(p, prove_at(c, w, i, k), x));

    prove_assume(
        c, smt_all(p, x, smt_implies(p, prove_has(c, w, i, x), is_one), prove_has(c, w, i, x)));
}

static void state_axis(prove_case *c, const prove_window *w, int i)
{
    smt_pool *p = &c->pool;
    const smt *k = smt_variable(p), *at = prove_at(c, w, i, k), *size = w->axis[i].size;
    const smt *body =
        smt_and(p, smt_within(p, smt_int(p, 0), at, size),
                smt_and(p, prove_has(c, w, i, at), smt_eq(p, prove_which(c, w, i, at), k)));

    prove_assume(c, smt_le(p, smt_int(p, 0), w->axis[i].count));
    prove_assume(c, smt_le(p, w->axis[i].count, size));
    prove_for_each(c, w, i, k, body);
    state_positions(c, w, i);
}

prove_window *prove_new_window(prove_case *c, int rank, const smt *const *sizes)
{
    prove_window *w = prove_alloc(c, sizeof *w);

    *w = (prove_window){.rank = rank, .proper = smt_bool(true)};
    for (int i = 0; i < rank; i++) {
        w->axis[i].size = sizes[i];
        w->axis[i].count = smt_constant(&c->pool, "count", "Int");
        w->axis[i].at = smt_function(&c->pool, "at", 1, false, "Int");
        w->axis[i].has = smt_function(&c->pool, "has", 1, false, "Bool");
        w->axis[i].which = smt_function(&c->pool, "which", 1, false, "Int");
        state_axis(c, w, i);
    }
    return w;
}

const smt *prove_is_empty(prove_case *c, const prove_window *w)
{
    const smt *any = smt_bool(false);

    for (int i = 0; i < w->rank; i++)
        any = smt_or(&c->pool, any, smt_eq(&c->pool, w->axis[i].count, smt_int(&c->pool, 0)));
    return any;
}

void prove_for_each_position(prove_case *c, const prove_window *w, int i, const smt *from)
{
    smt_pool *p = &c->pool;
    const smt *x = smt_variable(p), *k = smt_sub(p, x, from), *has = prove_has(c, w, i, x);
    const smt *within = smt_within(p, smt_int(p, 0), k, w->axis[i].count);
    const smt *there = smt_and(p, has, smt_eq(p, prove_which(c, w, i, x), k));

    prove_assume(c, smt_all(p, x, smt_implies(p, within, there), has));
}
