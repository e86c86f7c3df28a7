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

/* The axis that T, an operand of N, is by the rule, where it is not known how many there are: it is
 * the same number then, as in the rule. NULL: it says nothing of that. */
static const rule_ints *said_axis(const rule *r, const rule_term *t)
{
    for (int i = 0; i < r->n_clauses && t->kind == TERM_NAME; i++) {
        const rule_clause *clause = &r->clauses[i];

        if (!clause->negated && prove_calls(clause, "same_axis") &&
            prove_name_at(clause, 0) == t->name && clause->args[1].kind == TERM_INTS)
            return clause->args[1].ints;
    }
    return NULL;
}

static need need_of(const rule *r, const prove_node *n)
{
    need out = {.least = -1};
    bool folds = (n->row->flags & PROVE_FOLDS) != 0;
    int brought = n->row->flags & PROVE_BRINGS_AXES ? n->in[1]->n_ints : 0;

    for (int i = 0; n->from && i < n->from->n_in; i++) {
        const rule_term *t = &n->from->in[i];
        bool names = prove_names_axes(n->from, i) || (folds && i == 1);

        if (folds && i == 1 && said_axis(r, t))
            out.least = furthest(said_axis(r, t), 0);
        if (t->kind != TERM_INTS)
            continue;
        out.exact = out.exact || (i == 1 && (n->row->flags & PROVE_BY_LIST));
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
static need need_of_side(const rule *r, const prove_value *base, const rule_side *side,
                         prove_node *const *nodes)
{
    need out = {.least = 0};

    for (int i = 0; i < side->n_nodes; i++) {
        const need asked = nodes[i] ? need_of(r, nodes[i]) : (need){.least = -1};
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

    if (!base || need_of(r, n).least < 0 || !is_of_one(n, base, more))
        return false;
    left = need_of_side(r, base, &r->left, c->left);
    right = need_of_side(r, base, &r->right, c->right);
    return left.least == right.least && left.exact == right.exact;
}

/* ---- axes that are made one ---- */

/* An axis that no operation names need not be told from the one beside it: where what a rule writes
 * are all axes that it names, those between them are made one, numbered in row-major order. If sizes
 * differ on one of them, that one stays, with those before and those behind it. */
typedef struct merging {
    const prove_case *c;
    int first, last; /* axes that stay at both ends */
    int gone;        /* that some operation takes away */
    bool views;      /* axes of one element come and go somewhere */
    bool all_fixed;  /* no value may have more axes than in this case */
} merging;

static bool is_number(const prove_value *v)
{
    return v->rank == 0 && (v->ranked || v->number || v->n_ints >= 0);
}

static bool is_written(const prove_node *n, int at)
{
    return n->from && at < n->from->n_in && n->from->in[at].kind == TERM_INTS;
}

static bool joins(const prove_node *n, const prove_value *v)
{
    bool does = false;

    for (int i = 0; i < n->n_in && prove_is_type(n->row->type, "Concat"); i++)
        does = does || n->in[i] == v;
    return does;
}

/* Some node is an error for all numbers of axes of V but one, which the rule writes. */
static bool is_read_as_written(const prove_case *c, const prove_value *v)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];
        int more = 0;

        if (!n || n->n_in == 0 || (n->in[0] != v && !joins(n, v)))
            continue;
        if (((n->row->flags & PROVE_BY_LIST) && is_written(n, 1)) ||
            ((changes_by(n, &more) || joins(n, v)) &&
             (is_number(&n->out[0]) || is_read_as_written(c, &n->out[0]))))
            return true;
    }
    return false;
}

/* V has as many axes as in this case whatever the graph is. */
static bool is_fixed(const prove_case *c, const prove_value *v)
{
    const prove_node *n = v->node;
    bool by_list = n && (prove_is_type(n->row->type, "Reshape") || (n->row->flags & PROVE_BY_LIST));
    bool fixed = n && n->from && n->n_in > 0;

    if (is_number(v) || v->n_ints >= 0 || (by_list && is_written(n, 1)) || is_read_as_written(c, v))
        return true;
    for (int i = 0; fixed && i < n->n_in; i++)
        fixed = !n->in[i] || (n->in[i]->n_ints >= 0 ? is_written(n, i) : is_fixed(c, n->in[i]));
    return fixed;
}

static bool has_fixed_data(const prove_case *c, const prove_node *n)
{
    bool fixed = true;

    for (int i = 0; i < n->n_in; i++)
        fixed = fixed && (!n->in[i] || n->in[i]->n_ints >= 0 || is_fixed(c, n->in[i]));
    return fixed;
}

/* The name of a value of the rule; -1: it has none. */
static int name_of(const prove_case *c, const prove_value *v)
{
    for (int i = 0; i < c->rule->n_names; i++) {
        if (c->names[i].value == v)
            return i;
    }
    return -1;
}

static bool are_said_alike(const prove_case *c, const prove_value *a, const prove_value *b);

/* A and B are what one list makes of values of the same sizes. */
static bool are_listed_alike(const prove_case *c, const prove_value *a, const prove_value *b)
{
    const prove_node *n = a->node, *m = b->node;
    const rule_attr *x, *y;

    if (!n || !m || !n->from || !m->from || !prove_is_type(n->row->type, "Reshape") ||
        m->row != n->row || n->in[1] != m->in[1])
        return false;
    x = prove_attr(n, "special_zero");
    y = prove_attr(m, "special_zero");
    return x && y && x->var == y->var && (x->var >= 0 || x->literal.as.b == y->literal.as.b) &&
           are_said_alike(c, n->in[0], m->in[0]);
}

/* A and B are said to have the same sizes but on axes that are written. */
static bool are_said_alike(const prove_case *c, const prove_value *a, const prove_value *b)
{
    static const char *const alike[] = {"same_shape", "same_beside", NULL};
    int up[RULE_NAMES], x = name_of(c, a), y = name_of(c, b);

    for (int i = 0; i < RULE_NAMES; i++)
        up[i] = i;
    for (int i = 0; i < c->rule->n_clauses; i++) {
        const rule_clause *clause = &c->rule->clauses[i];

        if (!clause->negated && prove_calls_one(clause, alike) && prove_name_at(clause, 2) < 0)
            prove_join(up, prove_name_at(clause, 0), prove_name_at(clause, 1));
    }
    return a == b || are_listed_alike(c, a, b) ||
           (x >= 0 && y >= 0 && prove_root_of(up, x) == prove_root_of(up, y));
}

/* What the axes of V are those of, and *MORE: of operands that have the same sizes the first. */
static const prove_value *row_of(const prove_value *v, int *more)
{
    const prove_value *base = base_of(v, more);

    while (base && base->node && prove_is_by_element(base->node)) {
        int i = 0, other;

        while (i + 1 < base->node->n_in && is_number(base->node->in[i]))
            i++;
        base = base_of(base->node->in[i], &other);
        *more += other;
    }
    return base;
}

/* The operands of N are numbers, or have the same sizes on all axes that are made one. */
static bool has_operands_alike(const prove_case *c, const prove_node *n)
{
    const prove_value *row = NULL;
    int more = 0;

    for (int i = 0; i < n->n_in; i++) {
        int other;
        const prove_value *base = is_number(n->in[i]) ? NULL : row_of(n->in[i], &other);

        if (base && row && (other != more || !are_said_alike(c, row, base)))
            return false;
        row = base ? base : row;
        more = base ? other : more;
    }
    return true;
}

/* What V is element by element, without change of axes. */
static const prove_value *same_sizes_as(const prove_value *v)
{
    while (v->node && prove_is_by_element(v->node) && v->node->n_in == 1)
        v = v->node->in[0];
    return v;
}

/* All that the list of N, a Reshape, is asked of has the same sizes. */
static bool is_of_one_shape(const prove_case *c, const prove_node *n)
{
    for (int i = 0; i < prove_count_nodes(c); i++) {
        const prove_node *m = prove_node_at(c, i);

        if (m && m->row == n->row && m->in[1] == n->in[1] &&
            !are_said_alike(c, same_sizes_as(m->in[0]), same_sizes_as(n->in[0])))
            return false;
    }
    return true;
}

static void keep_axis(merging *m, int64_t x)
{
    int64_t n = x < 0 ? -x : x + 1;
    int *end = x < 0 ? &m->last : &m->first;

    *end = n > *end ? (int)(n > PROVE_MANY ? PROVE_MANY : n) : *end;
}

/* Notes the axes that N names. False: it names none, or not as numbers. */
static bool keeps_written(merging *m, const prove_node *n)
{
    bool folds = (n->row->flags & PROVE_FOLDS) != 0, any = false;

    for (int i = 0; n->from && i < n->from->n_in; i++) {
        const rule_term *t = &n->from->in[i];

        if (!prove_names_axes(n->from, i) && !(folds && i == 1))
            continue;
        if (t->kind != TERM_INTS)
            return false;
        for (int k = 0; k < t->ints->n; k++)
            keep_axis(m, t->ints->x[k]);
        any = true;
    }
    for (int i = 0; n->from && i < n->from->n_attrs; i++) {
        if (!prove_is_axis_attr(&n->from->attrs[i]))
            continue;
        if (n->from->attrs[i].var >= 0)
            return false;
        keep_axis(m, n->from->attrs[i].literal.as.i);
        any = true;
    }
    return any;
}

static void keep_axes_of_clauses(merging *m)
{
    const rule *r = m->c->rule;

    for (int i = 0; i < r->n_clauses; i++) {
        for (int k = 0; k < r->clauses[i].n_args; k++) {
            const rule_term *t = &r->clauses[i].args[k];

            for (int j = 0; t->kind == TERM_INTS && !t->ints->is_real && j < t->ints->n; j++)
                keep_axis(m, t->ints->x[j]);
        }
    }
}

static bool merges(merging *m, const prove_node *n)
{
    unsigned others = PROVE_BY_INDICES | PROVE_OF_MATRICES | PROVE_OF_PICTURES | PROVE_BY_LIST;
    const rule_attr *zero = n->from ? prove_attr(n, "special_zero") : NULL;
    int more = 0;

    if (has_fixed_data(m->c, n))
        return true;
    m->all_fixed = false;
    if (prove_is_type(n->row->type, "Reshape")) {
        if (is_written(n, 1) && copied(n, n->from->in[1].ints) > m->first)
            m->first = copied(n, n->from->in[1].ints);
        return is_written(n, 1) || (zero && zero->var < 0 && !zero->literal.as.b) ||
               is_of_one_shape(m->c, n);
    }
    if (prove_is_by_element(n))
        return has_operands_alike(m->c, n);
    if ((n->row->flags & (PROVE_ALONG_AXES | PROVE_FOLDS)) && !(n->row->flags & others) &&
        keeps_written(m, n)) {
        row_of(&n->out[0], &more);
        m->gone = -more > m->gone ? -more : m->gone;
        return true;
    }
    m->views = m->views || prove_keeps_numbers(m->c, n);
    return prove_keeps_numbers(m->c, n);
}

/* V has the sizes of a list. */
static bool is_listed(const prove_value *v)
{
    v = same_sizes_as(v);
    return v->node && prove_is_type(v->node->row->type, "Reshape");
}

int prove_axes_when_merged(const prove_case *c)
{
    merging m = {.c = c, .all_fixed = true};
    bool listed = is_listed(&c->left[c->rule->root]->out[0]);

    for (int i = 0; i < prove_count_nodes(c); i++) {
        const prove_node *n = prove_node_at(c, i);

        if (!n || !merges(&m, n))
            return 0;
    }
    keep_axes_of_clauses(&m);
    for (int i = 0; i < c->n_results; i++)
        listed = listed && is_listed(c->results[i]);
    if (m.views && (!listed || m.first + m.last > 0))
        return 0;
    return m.all_fixed ? 1 : m.first + m.last + m.gone + 3;
}
