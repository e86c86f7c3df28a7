#include "smt_totals.h"

#include <string.h>

/* By their numbers in the table below. */
enum { ADD, MULTIPLY, MAXIMUM, MINIMUM, AND, OR, SUBTRACT, NEGATIVE, NOT };

static const char *const operations[] = {"|Add|",      "|Multiply|",   "|Maximum|",
                                         "|Minimum|",  "|LogicalAnd|", "|LogicalOr|",
                                         "|Subtract|", "|Negative|",   "|LogicalNot|"};

static const struct kind {
    const char *type;
    int joins;
    int64_t nothing;
} kinds[] = {{"ReduceSum", ADD, 0},
             {"ReduceProd", MULTIPLY, 1},
             {"ReduceMax", MAXIMUM, INT64_MIN},
             {"ReduceMin", MINIMUM, INT64_MAX},
             {"ReduceLogicalAnd", AND, 1},
             {"ReduceLogicalOr", OR, 0}};

static bool operate(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    uint64_t a = (uint64_t)args[0], b = n > 1 ? (uint64_t)args[1] : 0;

    (void)about;
    switch (which) {
    case ADD:
        *out = (int64_t)(a + b);
        return true;
    case SUBTRACT:
        *out = (int64_t)(a - b);
        return true;
    case MULTIPLY:
        *out = (int64_t)(a * b);
        return true;
    case NEGATIVE:
        *out = (int64_t)(0 - a);
        return true;
    case MAXIMUM:
    case MINIMUM:
        *out = (args[0] > args[1]) == (which == MAXIMUM) ? args[0] : args[1];
        return true;
    default:
        *out = which == AND ? a && b : which == OR ? a || b : !a;
        return true;
    }
}

void smt_mean_operations(smt_world *w)
{
    for (int i = 0; i <= NOT; i++)
        smt_mean(w, operations[i], operate, NULL, i);
}

static const struct kind *kind_of(const prove_total *t)
{
    size_t i = 0;

    while (prove_total_kind_of(kinds[i].type) != t->kind)
        i++;
    return &kinds[i];
}

static bool put_together(smt_world *w, const prove_total *t, int axis, int64_t *out)
{
    int64_t size, both[2] = {*out};
    int n = w->n, n_constants = w->n_constants;

    if (axis == t->n) {
        return smt_value(w, t->body, &both[1]) && operate(NULL, kind_of(t)->joins, both, 2, out);
    }
    if (!smt_value(w, t->size[axis], &size))
        return false;
    for (int64_t k = 0; k < size; k++) {
        if (!smt_mean_constant(w, t->var[axis], k) || !put_together(w, t, axis + 1, out))
            return false;
        w->n = n;
        w->n_constants = n_constants;
    }
    return true;
}

bool smt_put_together(smt_world *w, const prove_total *t, int64_t *out)
{
    *out = kind_of(t)->nothing;
    return put_together(w, t, 0, out);
}

static bool total(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    const smt_totals *of = about;

    (void)which;
    return n == 1 && args[0] < of->c->terms.n_totals &&
           smt_put_together(of->w, &of->c->terms.totals[args[0]], out);
}

void smt_mean_totals(const smt_totals *about)
{
    for (int i = 0; i < about->c->terms.n_totals; i++)
        smt_mean(about->w, about->c->terms.totals[i].made->name, total, about, 0);
}
