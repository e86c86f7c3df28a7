/* Axes that a rule writes as numbers, where the graph does not know how many axes a value has: an
 * operation needs as many axes of its data as show the one that is written furthest from an end. If
 * both sides need as many of each value, one fails where the other does (ranks.c). */
#include "passes/prove/prove.h"
#include "passes/prove/rows.h"

#include <string.h>

typedef struct need {
    int least;  /* so many axes; < 0: the rule does not write what N needs */
    bool exact; /* and no more */
} need;

/* -1: counted from both ends they may be one axis or several. */
static int furthest(const rule_ints *list, int brought)
{
    int most = 0, from_end = 0;

    for (int i = 0; i < list->n; i++)
        from_end += list->x[i] < 0;
    if (from_end > 0 && from_end < list->n)
        return -1;
    for (int i = 0; i < list->n; i++) {
        int64_t x = list->x[i], n = x < 0 ? -x : x + 1;

        n = n > PROVE_MANY ? PROVE_MANY : n;
        most = n - brought > most ? (int)n - brought : most;
    }
    return most;
}

/* A Reshape whose list copies a size of its data needs the axis. */
static int copied(const prove_node *n, const rule_ints *list)
{
    const rule_attr *zero = prove_attr(n, "special_zero");
    int most = 0;

    for (int i = 0; i < list->n; i++)
        most = list->x[i] == 0 ? i + 1 : most;
    return zero && zero->var < 0 && !zero->literal.as.b ? 0 : most;
}

static need need_of(const prove_node *n)
{
    need out = {.least = -1};
    bool folds = (n->row->flags & PROVE_FOLDS) != 0;
    int brought = n->row->flags & PROVE_BRINGS_AXES ? n->in[1]->n_ints : 0;

    for (int i = 0; n->from && i < n->from->n_in; i++) {
        const rule_term *t = &n->from->in[i];
        bool names = prove_names_axes(n->from, i) || (folds && i == 1);

        if (t->kind != TERM_INTS)
            continue;
        out.exact = out.exact || (i == 1 && prove_is_type(n->row->type, "Transpose"));
        if (i == 1 && prove_is_type(n->row->type, "Reshape"))
            out.least = copied(n, t->ints);
        else if (names || out.exact)
            out.least = out.exact ? t->ints->n : furthest(t->ints, brought);
    }
    for (int i = 0; n->from && i < n->from->n_attrs; i++) {
        const rule_attr *a = &n->from->attrs[i];
        const rule_ints axis = {.n = 1, .x = (int64_t[]){a->literal.as.i}};

        if (prove_is_axis_attr(a) && a->var < 0)
            out.least = furthest(&axis, 0);
    }
    return out;
}

/* How many axes more the output of N has than its data, by a list that the rule writes; whether
 * that is so. */
static bool changes_by(const prove_node *n, int *more)
{
    bool written = n->from && n->n_in > 1 && n->from->n_in > 1 && n->from->in[1].kind == TERM_INTS;
    bool takes = ((n->row->flags & PROVE_FOLDS) && !n->form) || (n->row->flags & PROVE_TAKES_AXES);

    if (!written || !(takes || (n->row->flags & PROVE_BRINGS_AXES)))
        return false;
    *more += takes ? -n->from->in[1].ints->n : n->from->in[1].ints->n;
    return true;
}

/* What V is made of by operations of which it is written how many axes they bring and take: V has
 * *MORE axes than that. */
static const prove_value *base_of(const prove_value *v, int *more)
{
    *more = 0;
    v = prove_as_many_axes(v);
    while (v && v->node && changes_by(v->node, more))
        v = prove_as_many_axes(v->node->in[0]);
    return v;
}

/* What the nodes of one side need of BASE. */
static need need_of_side(const prove_value *base, const rule_side *side, prove_node *const *nodes)
{
    need out = {.least = 0};

    for (int i = 0; i < side->n_nodes; i++) {
        const need asked = nodes[i] ? need_of(nodes[i]) : (need){.least = -1};
        int more;

        if (asked.least < 0 || base_of(nodes[i]->in[0], &more) != base)
            continue;
        out.exact = out.exact || asked.exact;
        out.least = asked.least - more > out.least ? asked.least - more : out.least;
    }
    return out;
}

/* All that N joins has as many axes as its data. */
static bool is_of_one(const prove_node *n, const prove_value *base, int more)
{
    bool one = true;

    for (int k = 1; k < n->n_in && one && prove_is_type(n->row->type, "Concat"); k++) {
        int other;

        one = base_of(n->in[k], &other) == base && other == more;
    }
    return one;
}

bool prove_needs_alike(const prove_case *c, const prove_node *n)
{
    const rule *r = c->rule;
    int more;
    const prove_value *base = n->n_in > 0 ? base_of(n->in[0], &more) : NULL;
    need left, right;

    if (!base || need_of(n).least < 0 || !is_of_one(n, base, more))
        return false;
    left = need_of_side(base, &r->left, c->left);
    right = need_of_side(base, &r->right, c->right);
    return left.least == right.least && left.exact == right.exact;
}
