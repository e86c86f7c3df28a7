#include "smt_value.h"

#include <string.h>

enum { ALL_FROM = -1, ALL_TO = 6 };

void smt_mean(smt_world *w, const char *name, smt_meaning_of *of, const void *about, int which)
{
    if (w->n < MEANINGS)
        w->all[w->n++] = (struct smt_meaning){name, of, about, which};
}

static bool constant(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)args;
    *out = ((const int64_t *)about)[which];
    return n == 0;
}

bool smt_mean_constant(smt_world *w, const smt *t, int64_t value)
{
    if (t->op == SMT_INT)
        return t->n == value;
    if (t->op != SMT_APPLY || t->n_args > 0 || w->n_constants == MEANINGS)
        return false;
    w->constants[w->n_constants] = value;
    smt_mean(w, t->name, constant, w->constants, w->n_constants++);
    return true;
}

/* The last meaning counts: variables of smt_all are given theirs there. */
static bool called(smt_world *w, const smt *t, int64_t *out)
{
    int64_t args[SMT_ARGS];

    for (int i = 0; i < t->n_args; i++) {
        if (!smt_value(w, t->arg[i], &args[i]))
            return false;
    }
    for (int i = w->n - 1; i >= 0; i--) {
        if (strcmp(w->all[i].name, t->name) == 0)
            return w->all[i].of(w->all[i].about, w->all[i].which, args, t->n_args, out);
    }
    return false;
}

/* DECIDES is the value of one side that settles the matter, whatever the other is. */
static bool joined(smt_world *w, const smt *t, int64_t decides, int64_t *out)
{
    int64_t a = 0, b = 0;
    bool known = smt_value(w, t->arg[0], &a), other;

    if (known && a == decides) {
        *out = a;
        return true;
    }
    other = smt_value(w, t->arg[1], &b);
    *out = b;
    return other && (known || b == decides);
}

static bool for_all(smt_world *w, const smt *t, int variable, int64_t *out)
{
    int n = w->n, n_constants = w->n_constants;
    bool known = true;

    if (variable == t->n_args)
        return smt_value(w, t->arg[0], out);
    *out = 1;
    for (int64_t x = ALL_FROM; known && *out && x <= ALL_TO; x++) {
        known = smt_mean_constant(w, t->arg[variable], x) && for_all(w, t, variable + 1, out);
        w->n = n;
        w->n_constants = n_constants;
    }
    return known;
}

/* SMT-LIB: the remainder is never negative. */
static bool divided(const smt *t, int64_t a, int64_t b, int64_t *out)
{
    int64_t rest;

    if (b == 0)
        return false;
    rest = a % b < 0 ? a % b + (b < 0 ? -b : b) : a % b;
    *out = t->op == SMT_MOD ? rest : (a - rest) / b;
    return true;
}

static bool computed(smt_world *w, const smt *t, int64_t *out)
{
    int64_t a, b;

    if (!smt_value(w, t->arg[0], &a) || !smt_value(w, t->arg[1], &b))
        return false;
    if (t->op == SMT_DIV || t->op == SMT_MOD)
        return divided(t, a, b, out);
    *out = t->op == SMT_ADD   ? a + b
           : t->op == SMT_SUB ? a - b
           : t->op == SMT_MUL ? a * b
           : t->op == SMT_EQ  ? a == b
                              : a <= b;
    return true;
}

bool smt_value(smt_world *w, const smt *t, int64_t *out)
{
    int64_t yes;

    switch (t->op) {
    case SMT_INT:
        *out = t->n;
        return true;
    case SMT_TRUE:
    case SMT_FALSE:
        *out = t->op == SMT_TRUE;
        return true;
    case SMT_APPLY:
        return called(w, t, out);
    case SMT_ITE:
        return smt_value(w, t->arg[0], &yes) && smt_value(w, t->arg[yes ? 1 : 2], out);
    case SMT_NOT:
        return smt_value(w, t->arg[0], &yes) && ((*out = !yes), true);
    case SMT_AND:
        return joined(w, t, 0, out);
    case SMT_OR:
        return joined(w, t, 1, out);
    case SMT_ALL:
        return for_all(w, t, 2, out);
    default:
        return computed(w, t, out);
    }
}
