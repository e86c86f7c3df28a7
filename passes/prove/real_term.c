/* Terms of a case as real numbers. See real.h. */
#include "passes/prove/real.h"

#include <string.h>

static bool is_element_of(const smt *t, const prove_value *v)
{
    return v && v->element && t->op == SMT_APPLY && strcmp(t->name, v->element) == 0;
}

/* The number that the element T is, as a condition or a function of the rule says; NULL: none does.
 */
static const smt *known_number(prove_case *c, const smt *t)
{
    for (int i = 0; i < c->facts.n_types; i++) {
        const prove_type_fact *fact = &c->facts.types[i];
        const prove_symbol *s = fact->number ? prove_symbol_of(c, fact->number) : NULL;

        if (fact->zero && is_element_of(t, fact->value))
            return prove_zero(c);
        if (s && (is_element_of(t, fact->value) || is_element_of(t, c->names[s->attr].value)))
            return fact->number;
    }
    return NULL;
}

/* The element T, which is told by nothing: that of a value, which by the rule may be a number. */
static real_number element(reals *r, const smt *t)
{
    const smt *known = known_number(r->c, t);

    if (known && known != t)
        return real_of(r, known);
    for (int i = 0; i < r->n_atoms && r->by_value && t->op == SMT_APPLY; i++) {
        const smt *as = r->atoms[i].term;

        if (r->atoms[i].kind != REAL_ELEMENT || as->op != SMT_APPLY ||
            strcmp(as->name, t->name) != 0)
            continue;
        r->merged = smt_and(&r->c->pool, r->merged, smt_eq(&r->c->pool, as, t));
        return real_of_atom(r, i);
    }
    return real_of_atom(r, real_atom(r, REAL_ELEMENT, t, prove_key(r->c, t)));
}

/* The number 1 or 0 that a condition on places, T, is: the same one of another place, if this is
 * the same. */
static real_number whether_placed(reals *r, const smt *t)
{
    const smt *one = smt_apply1(&r->c->pool, prove_of_int, smt_int(&r->c->pool, 1)),
              *zero = smt_apply1(&r->c->pool, prove_of_int, smt_int(&r->c->pool, 0));

    for (int i = 0; i < r->n_atoms && r->by_value && t->op == SMT_APPLY; i++) {
        const smt *as = r->atoms[i].kind == REAL_WHETHER ? r->atoms[i].term->arg[0] : t;

        if (r->atoms[i].kind != REAL_WHETHER || as->op != SMT_APPLY ||
            strcmp(as->name, t->name) != 0 || strcmp(as->name, prove_holds) == 0)
            continue;
        r->merged = smt_and(&r->c->pool, r->merged, smt_eq(&r->c->pool, as, t));
        return real_of_atom(r, i);
    }
    return real_of_atom(r, real_atom(r, REAL_WHETHER, smt_ite(&r->c->pool, t, one, zero), "ite"));
}

/* 1 where the condition T holds, else 0. */
static real_number whether(reals *r, const smt *t)
{
    real_number one = real_fraction(r, 1, 1), a, b;

    if (t->op == SMT_TRUE || t->op == SMT_FALSE)
        return real_fraction(r, t->op == SMT_TRUE, 1);
    if (t->op == SMT_NOT)
        return real_subtract(r, one, whether(r, t->arg[0]));
    if (t->op == SMT_AND || t->op == SMT_OR) {
        a = whether(r, t->arg[0]);
        b = whether(r, t->arg[1]);
        return t->op == SMT_AND ? real_mul(r, a, b)
                                : real_subtract(r, real_add(r, a, b), real_mul(r, a, b));
    }
    if (t->op == SMT_APPLY && strcmp(t->name, prove_holds) == 0 &&
        !prove_symbol_of(r->c, t->arg[0])) {
        a = element(r, t->arg[0]);
        t = r->why ? t : smt_apply1(&r->c->pool, prove_holds, real_term(r, a));
    }
    return whether_placed(r, t);
}

/* One of two. */
static real_number choice(reals *r, const smt *t)
{
    real_number is, a, b;

    r->in_choice++;
    is = whether(r, t->arg[0]);
    a = real_mul(r, is, real_of(r, t->arg[1]));
    b = real_mul(r, real_subtract(r, real_fraction(r, 1, 1), is), real_of(r, t->arg[2]));
    r->in_choice--;
    return real_add(r, a, b);
}

/* What is defined where its operands are is a function of these; of another one it is demanded. */
static real_number opaque(reals *r, const smt *t, const real_number *args, bool everywhere)
{
    const smt *arg[SMT_ARGS];
    int atom;

    for (int i = 0; i < t->n_args; i++)
        arg[i] = real_term(r, args[i]);
    t = smt_apply(&r->c->pool, t->name, t->n_args, arg);
    atom = real_atom(r, everywhere ? REAL_TOTAL : REAL_FUNCTION, t, prove_key(r->c, t));
    if (!everywhere)
        real_demand(r, REAL_DEFINED, real_atom_sum(r, atom, 1));
    return real_of_atom(r, atom);
}

static real_number operation(reals *r, const smt *t, const prove_symbol *s)
{
    real_number args[SMT_ARGS], out = {NULL, NULL};

    for (int i = 0; i < t->n_args; i++)
        args[i] = real_of(r, t->arg[i]);
    if (r->why || real_apply(r, s, args, t->n_args, &out))
        return out;
    return opaque(r, t, args, real_is_everywhere(s));
}

/* An integer, or a number of elements. */
static bool number(reals *r, const smt *t, real_number *out)
{
    bool count = strcmp(t->name, prove_count_of) == 0, per = strcmp(t->name, prove_per_count) == 0;
    int atom;

    if (strcmp(t->name, prove_of_int) == 0 && t->arg[0]->op == SMT_INT) {
        *out = real_fraction(r, t->arg[0]->n, 1);
        return true;
    }
    if (t->n_args == 0 && smt_same(t, prove_zero(r->c))) {
        *out = real_fraction(r, 0, 1);
        return true;
    }
    if (!count && !per)
        return false;
    atom = real_atom(r, REAL_COUNT, smt_apply1(&r->c->pool, prove_count_of, t->arg[0]), "count");
    *out = real_of_sum(r, real_atom_sum(r, atom, per ? -1 : 1));
    return true;
}

real_number real_of(reals *r, const smt *t)
{
    const prove_symbol *s = prove_symbol_of(r->c, t);
    real_number out;

    if (r->why || r->c->pool.no_memory)
        return real_unknown(r, "memory ran out");
    if (t->op == SMT_ITE)
        return choice(r, t);
    if (t->op != SMT_APPLY)
        return real_unknown(r, "what is no number");
    if (s && s->kind == PROVE_LITERAL)
        return real_literal(r, s->number);
    if (s && s->kind == PROVE_OPERATION)
        return operation(r, t, s);
    return number(r, t, &out) ? out : element(r, t);
}
