/* Terms for which a solver finds models: statements about all numbers are replaced by statements
 * about a few, which are enough if every size is small. */
#include "passes/prove/term.h"

const smt *smt_remade(smt_pool *p, const smt *t, const smt *const *arg)
{
    switch (t->op) {
    case SMT_ADD:
        return smt_add(p, arg[0], arg[1]);
    case SMT_SUB:
        return smt_sub(p, arg[0], arg[1]);
    case SMT_MUL:
        return smt_mul(p, arg[0], arg[1]);
    case SMT_DIV:
        return smt_div(p, arg[0], arg[1]);
    case SMT_MOD:
        return smt_mod(p, arg[0], arg[1]);
    case SMT_EQ:
        return smt_eq(p, arg[0], arg[1]);
    case SMT_LE:
        return smt_le(p, arg[0], arg[1]);
    case SMT_AND:
        return smt_and(p, arg[0], arg[1]);
    case SMT_OR:
        return smt_or(p, arg[0], arg[1]);
    case SMT_NOT:
        return smt_not(p, arg[0]);
    case SMT_ITE:
        return smt_ite(p, arg[0], arg[1], arg[2]);
    case SMT_APPLY:
        return smt_apply(p, t->name, t->n_args, arg);
    default:
        return t;
    }
}

const smt *smt_replaced(smt_pool *p, const smt *t, const smt *x, const smt *by)
{
    const smt *arg[SMT_ARGS];
    bool same = true;

    if (t->op == SMT_APPLY && t->n_args == 0)
        return t->name == x->name ? by : t;
    if (t->op == SMT_ALL)
        return smt_all_of(p, t->n_args - 2, t->arg + 2, smt_replaced(p, t->arg[0], x, by),
                          smt_replaced(p, t->arg[1], x, by));
    for (int i = 0; i < t->n_args; i++) {
        arg[i] = smt_replaced(p, t->arg[i], x, by);
        same = same && arg[i] == t->arg[i];
    }
    return same ? t : smt_remade(p, t, arg);
}

static const smt *for_each(smt_pool *p, const smt *all, int variable, const smt *body, int64_t lo,
                           int64_t hi)
{
    const smt *each = smt_bool(true);

    if (variable == all->n_args)
        return smt_ground(p, body, lo, hi);
    for (int64_t n = lo; n <= hi; n++) {
        const smt *with = smt_replaced(p, body, all->arg[variable], smt_int(p, n));

        each = smt_and(p, each, for_each(p, all, variable + 1, with, lo, hi));
    }
    return each;
}

const smt *smt_ground(smt_pool *p, const smt *t, int64_t lo, int64_t hi)
{
    const smt *arg[SMT_ARGS];

    if (t->op == SMT_ALL)
        return for_each(p, t, 2, t->arg[0], lo, hi);
    if (t->n_args == 0)
        return t;
    for (int i = 0; i < t->n_args; i++)
        arg[i] = smt_ground(p, t->arg[i], lo, hi);
    return smt_remade(p, t, arg);
}
