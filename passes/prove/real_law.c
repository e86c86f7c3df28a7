/* Laws of real numbers. See real.h. */
#include "passes/prove/real.h"

void real_law(prove_case *c, const smt *left, const smt *right, const smt **instance,
              const char **why)
{
    reals *r = prove_alloc(c, sizeof *r);
    real_number a, b;

    if (c->pool.no_memory)
        return;
    *r = (reals){.c = c, .by_value = true, .merged = smt_bool(true), .side = REAL_LEFT};
    a = real_of(r, prove_with_ones(c, left));
    r->side = REAL_RIGHT;
    b = real_of(r, prove_with_ones(c, right));
    if (real_same(r, a, b))
        *instance = smt_implies(&c->pool, r->merged, smt_eq(&c->pool, left, right));
    else
        *why = r->why ? r->why : "both sides are not the same real number";
}
