/* Totals of real numbers: a sum of products is broken down into sums of the factors that vary. */
#include "passes/prove/real.h"
#include "passes/prove/totals.h"

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
const smt *totals_real(prove_case *c, prove_total t, bool sums)
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
