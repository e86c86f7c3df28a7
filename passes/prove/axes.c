/* Of how many axes a proof must be so that it is one of any number of them.
 *
 * A graph on which a rule is wrong, and which has many axes, is made smaller until it has so many
 * as were tried, and is wrong still. There are three ways.
 *
 * An axis is left out. Most operations work along each axis by itself: what they make at a position
 * of it is made of what their operands have at one position of it each. So all values may have that
 * position alone, and then not have the axis at all. Axes that attributes name stay; so do one on
 * which the sides differ in size, or in where they take an element from; for each window, padding
 * or part that does not have a place one on which it does not have it; and one for each condition
 * that there is such an axis. Indices of an axis work along each other one; so one axis stays for
 * each that is named so, and one on which there are fewer indices than places, or none. A product
 * of matrices works along each axis but the last two. A reduction keeps or takes an axis whatever
 * the others are: two of one value by the same axes, or of the same integers, are the same ones if
 * for each axis both keep it, or both take it.
 *
 * Axes are made one: those beside each other that are a list to all operations, whose elements are
 * numbered in row-major order before and after. Of indices that a scatter reads one after another
 * all axes are such; a tuple of indices is one index of the places of its axes, which are numbered
 * so, too, where the tuples are read with data of one size alone. Where sizes differ, on one of
 * these axes, that one stays beside what the others become.
 *
 * A place has the same number in row-major order whatever the axes are, so of operations that keep
 * the numbers of elements it says nothing how many these are, if the sizes of both sides are the
 * same by what the rule says: all that may be wrong is how many elements there are.
 *
 * An order of axes says where they are left out: axis i of what it makes with axis p[i] of what it
 * is of. If these are two different rows of axes, and no other way leads from one of them to the
 * other (`frames`), then all axes may be left out but any few, everywhere; and what is computed of
 * orders is what it was of those that are left. Else an axis goes one step by each order, and
 * orders that are cut to the axes which lie on the ways are orders again: each axis that stays
 * brings those of its way. (A cycle of five axes shows that p and p to the thirteenth differ: there
 * the way has thirteen steps.)
 *
 * Of laws of numbers it matters which of the elements that they are about are one element: N of one
 * value are told apart by N - 1 axes.
 *
 * Axes that a rule writes as numbers stay where they are, with all before them.
 *
 * Of how many values: a place of joined values lies in one of them; those before it and those
 * behind it are as good as one each. */
#include "passes/prove/prove.h"
#include "passes/prove/rows.h"

#include <string.h>

enum { MANY = 1000 };

static bool is_type(const char *type, const char *asked)
{
    return type && strcmp(type, asked) == 0;
}

static bool calls_function(const rule_clause *clause, const char *function)
{
    return strcmp(clause->fn->name, function) == 0;
}

static bool calls_one(const rule_clause *clause, const char *const *functions)
{
    for (int i = 0; functions[i]; i++) {
        if (calls_function(clause, functions[i]))
            return true;
    }
    return false;
}

static int count_calls(const rule *r, const char *function)
{
    int n = 0;

    for (int i = 0; i < r->n_clauses; i++)
        n += !r->clauses[i].negated && calls_function(&r->clauses[i], function);
    return n;
}

/* The clause that gives NAME its meaning; NULL: the left side does. */
static const rule_clause *clause_of(const rule *r, int name)
{
    const rule_clause *clause = NULL;

    for (int i = 0; i < r->n_clauses; i++)
        clause = r->clauses[i].target == name ? &r->clauses[i] : clause;
    return clause;
}

/* The clause asks about, or gives, NAME as its argument AT; -1: it is none. */
static int name_at(const rule_clause *clause, int at)
{
    return at < clause->n_args && clause->args[at].kind != TERM_INTS ? clause->args[at].name : -1;
}

/* ---- the nodes of both sides ---- */

typedef struct both_sides {
    const prove_case *c;
    const rule *r;
    unsigned flags;  /* of all rows */
    int axes;        /* that stay, of those that nodes ask for */
    int first, last; /* that the rule writes as numbers, with those before and behind them */
    bool turns;      /* some node is a Transpose */
    bool wide;       /* some tuples have more than one component */
    int same[RULE_NAMES];
    struct {
        const prove_value *of;
        int name;
    } named[2 * RULE_NODES];
    const prove_value *missing[2 * RULE_NODES];
    int n_named, n_missing;
} both_sides;

static const prove_row *row_of(const prove_case *c, const rule_node *from, const prove_node *n)
{
    if (n)
        return n->row;
    if (from->op_name >= 0)
        return c->names[from->op_name].op ? c->names[from->op_name].op->row : &prove_pointwise;
    return prove_named_row(from) ? prove_named_row(from) : prove_row_of(from->type);
}

/* N is what its side of the rule is. */
static bool is_result(const both_sides *b, const prove_node *n)
{
    bool is_it = n == b->c->left[b->r->root];

    for (int i = 0; i < b->c->n_results; i++)
        is_it = is_it || b->c->results[i]->node == n;
    return is_it;
}

/* The sizes of V are those of what the left side is, by their name. */
static bool has_sizes_of_root(const both_sides *b, const prove_value *v)
{
    static const char *const sizes[] = {"open_shape", "static_shape", NULL};

    for (int i = 0; i < b->r->n_clauses; i++) {
        const rule_clause *clause = &b->r->clauses[i];
        int of = name_at(clause, 0);

        if (clause->target >= 0 && calls_one(clause, sizes) &&
            b->c->names[clause->target].value == v && of >= 0 &&
            b->c->names[of].value == &b->c->left[b->r->root]->out[0])
            return true;
    }
    return false;
}

/* A and B are said to have the same sizes. */
static bool are_alike(const both_sides *b, const prove_value *x, const prove_value *y)
{
    for (int i = 0; i < b->r->n_clauses; i++) {
        const rule_clause *clause = &b->r->clauses[i];
        int first = name_at(clause, 0), second = name_at(clause, 1);

        if (clause->negated || !calls_function(clause, "same_shape") || first < 0 || second < 0)
            continue;
        if ((b->c->names[first].value == x && b->c->names[second].value == y) ||
            (b->c->names[first].value == y && b->c->names[second].value == x))
            return true;
    }
    return false;
}

/* A Slice of rows that a gather of known indices is, in the shape of these. */
static bool is_gathered(const both_sides *b, const prove_node *n)
{
    return b->r->left.n_nodes == 1 && count_calls(b->r, "gathered") == 1 && n->right &&
           is_type(n->row->type, "Reshape") && is_result(b, n) && has_sizes_of_root(b, n->in[1]);
}

/* Along each axis by itself, but for those that it names; the others mix them. */
static bool works_along_axes(const both_sides *b, const prove_node *n)
{
    bool moves = (n->row->flags & PROVE_ANY_RANK) == 0;

    if (is_type(n->row->type, "ShapeOf")) /* a number for each axis, which nobody counts */
        return is_result(b, n);
    return is_gathered(b, n) || ((n->row->flags & PROVE_ALONG_AXES) && !(b->c->flat && moves));
}

/* Some node of the rule that has FLAG reads V as operand AT. */
static bool is_read_as(const both_sides *b, const prove_value *v, unsigned flag, int at)
{
    for (int i = 0; i < 2 * RULE_NODES; i++) {
        const prove_node *n = i < RULE_NODES ? b->c->left[i] : b->c->right[i - RULE_NODES];

        if (n && (n->row->flags & flag) && at < n->n_in && n->in[at] == v)
            return true;
    }
    return false;
}

static bool is_list(const both_sides *b, const prove_value *v)
{
    return is_read_as(b, v, PROVE_BY_LISTS, 1) || is_read_as(b, v, PROVE_BY_LISTS, 2);
}

/* The axes of V are those of this value, number by number. */
static const prove_value *same_axes_as(const prove_value *v)
{
    while (v->node && (v->node->row->flags & (PROVE_SIZES_OF_DATA | PROVE_SIZES_OF_WINDOW)))
        v = v->node->in[0];
    return v;
}

/* N, which reads indices, reads them as the others do, of data that is no list itself. */
static bool points_alike(const both_sides *b, const prove_node *n)
{
    bool lists = (n->row->flags & PROVE_BY_LISTS) || is_type(n->row->type, "Gather");
    bool tuples = (n->row->flags & PROVE_BY_TUPLES) != 0;
    const prove_value *data = same_axes_as(n->in[0]);

    if (!tuples && (b->wide || is_read_as(b, n->in[1], PROVE_BY_TUPLES, 1)))
        return false;
    return lists && !data->node && !is_list(b, data);
}

/* N reads axes that are one list to others as one, too. */
static bool reads_lists(const both_sides *b, const prove_node *n)
{
    unsigned views = PROVE_BRINGS_AXES | PROVE_TAKES_AXES;
    unsigned joins = PROVE_HAS_PLACES | PROVE_KEEPS_ELEMENTS;

    if (n->row == &prove_pointwise || n->row == prove_named_row(n->from))
        return n->n_in == 1 || (n->n_in == 2 && are_alike(b, n->in[0], n->in[1]));
    if (n->row->flags & PROVE_BY_INDICES)
        return points_alike(b, n);
    if (b->r->left.n_nodes == 1 && count_calls(b->r, "gathered") == 1) /* the box that these are */
        return (n->row->flags & (PROVE_SIZES_OF_WINDOW | PROVE_KEEPS_NUMBERS)) != 0;
    if ((n->row->flags & views) || is_type(n->row->type, "Range"))
        return is_read_as(b, &n->out[0], PROVE_BY_INDICES, 1);
    return (n->row->flags & joins) == joins && is_list(b, &n->out[0]);
}

/* N may stand beside the others: what some of them are asks it of all. */
static bool fits_others(const both_sides *b, const prove_node *n)
{
    unsigned flags = n->row->flags;
    bool turns = is_type(n->row->type, "Transpose");

    if ((b->flags & PROVE_BY_LISTS) && !reads_lists(b, n))
        return false;
    if ((b->flags & PROVE_OF_MATRICES) && !turns && !(flags & PROVE_SAME_AXES))
        return false;
    return !(b->flags & PROVE_FOLDS) ||
           !(flags & (PROVE_HAS_PLACES | PROVE_BY_INDICES | PROVE_OF_MATRICES));
}

/* The place of an element may be in what N makes, or not. */
static bool has_places(const prove_node *n)
{
    return (n->row->flags & PROVE_HAS_PLACES) != 0;
}

/* Some node of SIDE before number AT writes the same window. */
static bool writes_again(prove_node *const *side, int at)
{
    for (int i = 0; i < at; i++) {
        if (side[i] && side[i]->window && side[i]->window == side[at]->window &&
            has_places(side[i]))
            return true;
    }
    return false;
}

/* ---- axes that are named ---- */

static int root_of(const int *up, int i)
{
    while (up[i] != i)
        i = up[i];
    return i;
}

static void join(int *up, int i, int k)
{
    if (i >= 0 && k >= 0)
        up[root_of(up, i)] = root_of(up, k);
}

/* Names that are said to be the same axis of OF. */
static void join_names(both_sides *b, const prove_value *of)
{
    for (int i = 0; i < RULE_NAMES; i++)
        b->same[i] = i;
    for (int i = 0; i < b->r->n_clauses; i++) {
        const rule_clause *clause = &b->r->clauses[i];
        int first = name_at(clause, 0), second = name_at(clause, 1), third = name_at(clause, 2);

        if (clause->negated)
            continue;
        if (calls_function(clause, "list"))
            join(b->same, clause->target, first);
        if (calls_function(clause, "front_axis") && second >= 0 &&
            same_axes_as(b->c->names[second].value) == of)
            join(b->same, clause->target, first);
        if (calls_function(clause, "same_axis") && third >= 0 &&
            same_axes_as(b->c->names[third].value) == of)
            join(b->same, first, second);
    }
}

static bool is_axis_attr(const rule_attr *a)
{
    return strcmp(a->name, "axis") == 0 || strcmp(a->name, "dim") == 0;
}

enum { OPEN = -2, AS_NUMBER = -1 };

/* The name of the axis that N works on. */
static int axis_name(const both_sides *b, const rule_node *n)
{
    int name = OPEN;

    for (int i = 0; i < n->n_in; i++) {
        if (prove_names_axes(n, i) && n->in[i].kind != TERM_ANY)
            name = n->in[i].kind == TERM_NAME ? n->in[i].name : AS_NUMBER;
    }
    for (int i = 0; i < n->n_attrs; i++) {
        if (is_axis_attr(&n->attrs[i]))
            name = n->attrs[i].var; /* or -1: as a number */
    }
    return name < 0 ? name : root_of(b->same, name);
}

/* Counts the axis that N, which reads indices, points on; those of tuples are one. */
static void count_named(both_sides *b, const prove_node *n)
{
    bool tuples = (n->row->flags & PROVE_BY_TUPLES) != 0, seen = false;
    const prove_value *of = same_axes_as(n->in[0]);
    int name = RULE_NAMES;

    if (!tuples) {
        join_names(b, of);
        name = axis_name(b, n->from);
    }
    for (int i = 0; i < b->n_named; i++)
        seen = seen || (name >= 0 && b->named[i].of == of && b->named[i].name == name);
    b->named[b->n_named].of = of;
    b->named[b->n_named++].name = name;
    b->axes += !seen && name != AS_NUMBER;
    if (is_type(n->row->type, "TensorScatter")) /* a place for each batch, which is an axis */
        b->axes++;
}

static void count_missing(both_sides *b, const prove_node *n)
{
    bool seen = !(n->row->flags & PROVE_MAY_MISS);

    for (int i = 0; i < b->n_missing; i++)
        seen = seen || b->missing[i] == n->in[1];
    if (!seen)
        b->missing[b->n_missing++] = n->in[1];
}

/* Adds the axes that N asks for. False: it mixes axes. */
static bool count_node(both_sides *b, const prove_node *n)
{
    if (!works_along_axes(b, n) || !fits_others(b, n))
        return false;
    if (n->row->flags & PROVE_BY_INDICES) {
        count_named(b, n);
        count_missing(b, n);
    }
    b->axes += is_gathered(b, n); /* axes on both sides of those that become others */
    return true;
}

/* So may each of a list of nodes, which are no one's here: nothing else is asked of them. */
static bool is_plain(const both_sides *b, const prove_row *row)
{
    unsigned others = PROVE_HAS_PLACES | PROVE_BY_INDICES | PROVE_FOLDS | PROVE_OF_MATRICES;

    return row && (row->flags & PROVE_ALONG_AXES) && !((row->flags | b->flags) & PROVE_BY_LISTS) &&
           !(row->flags & others) && !b->c->flat;
}

static bool count_side(both_sides *b, const rule_side *side, prove_node *const *nodes)
{
    for (int i = 0; i < side->n_nodes; i++) {
        const prove_node *n = nodes[i];

        if (n ? !count_node(b, n) : !is_plain(b, row_of(b->c, &side->nodes[i], NULL)))
            return false;
        if (n && has_places(n) && !is_read_as(b, &n->out[0], PROVE_BY_LISTS, 1)) /* of no list */
            b->axes += !writes_again(nodes, i);
    }
    return true;
}

static void gather_flags(both_sides *b, const rule_side *side, prove_node *const *nodes)
{
    for (int i = 0; i < side->n_nodes; i++) {
        const prove_row *row = row_of(b->c, &side->nodes[i], nodes[i]);

        b->flags |= row ? row->flags : 0;
        b->turns = b->turns || is_type(side->nodes[i].type, "Transpose");
    }
}

/* A and B, of the same indices, read them alike, with data of the same sizes where these matter. */
static bool are_read_alike(const prove_places *a, const prove_places *b)
{
    bool same = a->kind == b->kind && (a->kind != PROVE_TUPLES || a->n == b->n);

    for (int i = 0; i < a->n && a->kind == PROVE_TUPLES && same; i++)
        same = smt_same(a->size[i], b->size[i]);
    return same;
}

static bool have_same_reading(const prove_case *c)
{
    for (int i = 0; i < c->n_places; i++) {
        for (int k = 0; k < i; k++) {
            if (c->places[i].indices == c->places[k].indices &&
                !are_read_alike(&c->places[i], &c->places[k]))
                return false;
        }
    }
    return true;
}

/* ---- axes that the rule writes as numbers ---- */

static void note_axis(both_sides *b, int64_t x)
{
    int64_t n = x < 0 ? -x : x + 1, most = x < 0 ? b->last : b->first;

    n = n > MANY ? MANY : n;
    if (n > most && x < 0)
        b->last = (int)n;
    else if (n > most)
        b->first = (int)n;
}

static void note_list(both_sides *b, const rule_term *t)
{
    for (int i = 0; t->kind == TERM_INTS && !t->ints->is_real && i < t->ints->n; i++)
        note_axis(b, t->ints->x[i]);
}

/* Axes that the rule writes as numbers; a list of several numbers is of as many axes. */
static void note_written(both_sides *b, const rule_side *side, prove_node *const *nodes)
{
    for (int i = 0; i < side->n_nodes; i++) {
        const rule_node *node = &side->nodes[i];
        const prove_row *row = row_of(b->c, node, nodes[i]);
        bool folds = row && (row->flags & PROVE_FOLDS);

        for (int k = 0; k < node->n_in; k++) {
            const rule_term *t = &node->in[k];

            if (prove_names_axes(node, k) || (folds && k == 1))
                note_list(b, t);
            else if (t->kind == TERM_INTS && t->ints->n > 1)
                note_axis(b, t->ints->n);
        }
        for (int k = 0; k < node->n_attrs; k++) {
            if (is_axis_attr(&node->attrs[k]) && node->attrs[k].var < 0)
                note_axis(b, node->attrs[k].literal.as.i);
        }
    }
}

/* Conditions that there is an axis like that; and numbers that may be axes. */
static int axes_of_clauses(both_sides *b)
{
    static const char *const one[] = {"disjoint", "before_writes", "in_padding", "lost_axes",
                                      "new_axes", "some",          NULL},
                             *const elements[] = {"equals", NULL};
    int n = 0;

    for (int i = 0; i < b->r->n_clauses; i++) {
        const rule_clause *clause = &b->r->clauses[i];

        n += !clause->negated && calls_one(clause, one);
        for (int k = 0; k < clause->n_args && !calls_one(clause, elements); k++)
            note_list(b, &clause->args[k]);
    }
    return n;
}

/* ---- orders of axes ---- */

/* Rows of axes, a number each: of what each name stands for and of the nodes. An order has two,
 * what it makes and, BEFORE it, what it is of. Those are one that have the same axes in the same
 * order. */
enum {
    BEFORE = RULE_NAMES,
    LEFT = 2 * RULE_NAMES,
    RIGHT = LEFT + RULE_NODES,
    N_FRAMES = RIGHT + RULE_NODES
};

static int before(int name)
{
    return name < 0 ? -1 : BEFORE + name;
}

static int frame_of_name(const rule *r, int name)
{
    const rule_name *info = name < 0 ? NULL : &r->names[name];

    if (info && info->node >= 0)
        return LEFT + info->node;
    return info && info->right >= 0 ? RIGHT + info->right : name;
}

/* NAME has no axes, or such of one element alone, of which all may be left out. */
static bool has_no_axes(const prove_case *c, int name)
{
    const prove_value *v = c->names[name].value;
    bool none = c->names[name].absent || (v && v->rank == 0);

    for (int i = 0; i < c->rule->n_clauses && !none; i++) {
        const rule_clause *clause = &c->rule->clauses[i];

        none = calls_function(clause, "only_number") && name_at(clause, 0) == name;
    }
    return none;
}

/* Of the term T of a side whose nodes begin at SIDE; -1: it has no axes. */
static int frame_of(const prove_case *c, const rule_term *t, int side)
{
    if (t->kind == TERM_NODE || t->kind == TERM_SPREAD)
        return side + t->node;
    if (t->kind == TERM_INTS || t->kind == TERM_ANY)
        return -1;
    return t->kind == TERM_NAME && has_no_axes(c, t->name) ? -1 : frame_of_name(c->rule, t->name);
}

static const rule_term *order_of_node(const rule_node *n)
{
    return is_type(n->type, "Transpose") && n->in[1].kind == TERM_NAME ? &n->in[1] : NULL;
}

/* What node AT of the side says of rows of axes; false: nothing that is known here. */
static bool relate_node(const both_sides *b, int *up, const rule_node *from, const prove_node *n,
                        int side, int at)
{
    const prove_row *row = row_of(b->c, from, n);
    int data = from->n_in > 0 ? frame_of(b->c, &from->in[0], side) : -1, out = side + at;

    if (order_of_node(from)) {
        join(up, out, from->in[1].name);
        join(up, before(from->in[1].name), data);
        return true;
    }
    if (row && n && (row->flags & PROVE_FOLDS)) {
        join(up, data, frame_of(b->c, &from->in[1], side));
        join(up, n->form ? out : -1, data); /* with keep_dims */
        return true;
    }
    for (int i = 0; i < from->n_in; i++)
        join(up, out, frame_of(b->c, &from->in[i], side));
    for (int i = 0; i < from->n_attrs; i++)
        join(up, out, is_axis_attr(&from->attrs[i]) ? from->attrs[i].var : -1);
    return row && (row->flags & PROVE_SAME_AXES);
}

/* What functions of orders say; the order that order_of gives is GIVEN. False: it is none. */
static bool relate_orders(int *up, const rule_clause *clause, int given)
{
    static const char *const after[] = {"before_order",  "axis_before", "axes_before", "permuted",
                                        "rest_in_order", "rest_order",  NULL},
                             *const given_by[] = {"untransposed", "untransposed_operands", NULL};
    int a = name_at(clause, 0), b = name_at(clause, 1), out = clause->target;

    if (calls_function(clause, "inverse_order")) {
        join(up, out, before(a));
        join(up, before(out), a);
    } else if (calls_function(clause, "compose_orders")) {
        join(up, out, b);
        join(up, before(b), a);
        join(up, before(out), before(a));
    } else if (calls_function(clause, "swapped_last")) {
        join(up, out, a);
        join(up, before(out), before(a));
    } else if (calls_one(clause, given_by)) {
        join(up, out, before(given));
    } else if (calls_function(clause, "unpermuted")) {
        join(up, a, before(b));
        join(up, out, b);
    } else if (calls_one(clause, after)) {
        join(up, a, b);
        if (!calls_function(clause, "rest_order")) /* that is of other axes, those that are left */
            join(up, out, before(b));
    } else {
        return false;
    }
    return true;
}

static void relate_clause(const rule *r, int *up, const rule_clause *clause, int given)
{
    static const char *const nothing[] = {
        "once",     "ranked",   "fewer", "folds",       "discrete",       "pointwise",
        "numpy",    "total",    "some",  "only_number", "two_transposes", "last_is_before_last",
        "integers", "gives_it", NULL};
    int first = clause->target;

    if (clause->negated || calls_one(clause, nothing) || relate_orders(up, clause, given))
        return;
    for (int i = 0; i < clause->n_args; i++) {
        int name = name_at(clause, i);

        join(up, frame_of_name(r, name), frame_of_name(r, first));
        join(up, before(name), frame_of_name(r, first));
        first = first < 0 ? name : first;
    }
}

/* NAME is an order that moves no axis but the last two. */
static bool is_still(const rule *r, int name)
{
    static const char *const still[] = {"swaps_last", "identity_order", NULL};

    for (int i = 0; i < r->n_clauses; i++) {
        if (!r->clauses[i].negated && calls_one(&r->clauses[i], still) &&
            name_at(&r->clauses[i], 0) == name)
            return true;
    }
    return false;
}

/* NAME is an order that the rule finds, or computes of axes: nothing else says what it is. */
static bool is_free_order(const rule *r, int name)
{
    static const char *const functions[] = {"order_of", "rest_order", NULL};
    const rule_clause *clause = clause_of(r, name);

    for (int i = 0; i < r->left.n_nodes && !clause; i++) {
        const rule_term *t = order_of_node(&r->left.nodes[i]);

        if (t && t->name == name)
            return true;
    }
    return clause && calls_one(clause, functions);
}

/* NAME is such an order, or computed of such. */
static bool is_known_order(const rule *r, int name)
{
    static const char *const functions[] = {"inverse_order", "compose_orders", "swapped_last",
                                            NULL};
    const rule_clause *clause = name < 0 ? NULL : clause_of(r, name);
    bool known = clause && calls_one(clause, functions);

    if (name >= 0 && is_free_order(r, name))
        return true;
    for (int i = 0; known && i < clause->n_args; i++)
        known = is_known_order(r, name_at(clause, i));
    return known;
}

static bool knows_orders(const rule *r, const rule_side *side)
{
    for (int i = 0; i < side->n_nodes; i++) {
        const rule_term *t = order_of_node(&side->nodes[i]);

        if (is_type(side->nodes[i].type, "Transpose") && !(t && is_known_order(r, t->name)))
            return false;
    }
    return true;
}

/* Joins the rows of axes of the rule. False: some operation says nothing that is known here. */
static bool relate_all(const both_sides *b, int *up)
{
    const rule *r = b->r;
    int given = -1;
    bool known = knows_orders(r, &r->left) && knows_orders(r, &r->right);

    for (int i = 0; i < N_FRAMES; i++)
        up[i] = i;
    for (int i = 0; i < r->left.n_nodes; i++)
        known = relate_node(b, up, &r->left.nodes[i], b->c->left[i], LEFT, i) && known;
    for (int i = 0; i < r->right.n_nodes; i++)
        known = relate_node(b, up, &r->right.nodes[i], b->c->right[i], RIGHT, i) && known;
    for (int i = 0; i < r->n_clauses; i++)
        given = calls_function(&r->clauses[i], "order_of") ? r->clauses[i].target : given;
    for (int i = 0; i < r->n_clauses; i++)
        relate_clause(r, up, &r->clauses[i], given);
    return known;
}

/* No other way than the order itself leads from what an order makes to what it is of. */
static bool is_forest(const rule *r, const int *up)
{
    int also[N_FRAMES];

    memcpy(also, up, sizeof also);
    for (int i = 0; i < r->n_names; i++) {
        if (!is_free_order(r, i) || is_still(r, i))
            continue;
        if (root_of(also, i) == root_of(also, before(i)))
            return false;
        join(also, i, before(i));
    }
    return true;
}

/* Both sides have the same row of axes, so that one axis shows how they differ; else two do, that
 * are in another order. */
static int axes_that_differ(const rule *r, const prove_case *c, const int *up)
{
    for (int i = 0; i < r->right.n_values; i++) {
        int right = frame_of(c, &r->right.values[i], RIGHT);

        if (right < 0 || root_of(up, right) != root_of(up, LEFT + r->root))
            return 2;
    }
    return 1;
}

/* The last two axes of each row in which they are matrices, or are swapped. */
static int axes_of_matrices(const both_sides *b, const int *up)
{
    static const char *const last[] = {"swaps_last", "swapped_last", "last_is_before_last", NULL};
    bool of[N_FRAMES] = {false};
    int n = 0;

    for (int i = 0; i < b->r->left.n_nodes; i++)
        of[root_of(up, LEFT + i)] |= is_type(b->r->left.nodes[i].type, "MatMul");
    for (int i = 0; i < b->r->right.n_nodes; i++)
        of[root_of(up, RIGHT + i)] |= is_type(b->r->right.nodes[i].type, "MatMul");
    for (int i = 0; i < b->r->n_clauses; i++) {
        int name = name_at(&b->r->clauses[i], 0);

        if (name >= 0 && calls_one(&b->r->clauses[i], last))
            of[root_of(up, name)] = true;
    }
    for (int i = 0; i < N_FRAMES; i++)
        n += 2 * of[i];
    /* The last axis before the order is another one. */
    return n + count_calls(b->r, "last_is_before_last");
}

/* ---- the steps that an axis goes ---- */

/* How many steps an axis goes by the order NAME: one, or as many as what it is computed of. */
static int steps_of(const rule *r, int name)
{
    static const char *const functions[] = {"compose_orders", "inverse_order", NULL};
    const rule_clause *clause = name < 0 ? NULL : clause_of(r, name);
    int steps = 0;

    if (name >= 0 && is_free_order(r, name))
        return 1;
    if (!clause || !calls_one(clause, functions))
        return MANY;
    for (int i = 0; i < clause->n_args; i++)
        steps += steps_of(r, name_at(clause, i));
    return steps > MANY ? MANY : steps;
}

static int steps_of_side(const rule *r, const rule_side *side)
{
    int steps = 0;

    for (int i = 0; i < side->n_nodes; i++) {
        const rule_term *t = order_of_node(&side->nodes[i]);

        if (is_type(side->nodes[i].type, "Transpose"))
            steps += t ? steps_of(r, t->name) : MANY;
    }
    return steps;
}

/* How many steps the clause makes of an axis: of others than these nothing is known. */
static int steps_of_clause(const rule *r, const rule_clause *clause)
{
    static const char *const second[] = {"permuted", "unpermuted", "axis_before", "before_order",
                                         NULL},
                             *const given[] = {"untransposed", "untransposed_operands", NULL},
                             *const none[] = {"compose_orders", "inverse_order", NULL};
    int steps = 0;

    if (calls_one(clause, second))
        return steps_of(r, name_at(clause, 1));
    if (calls_function(clause, "identity_order"))
        return steps_of(r, name_at(clause, 0));
    for (int i = 0; i < clause->n_args && !calls_one(clause, none); i++)
        steps = is_known_order(r, name_at(clause, i)) ? MANY : steps;
    return calls_one(clause, given) ? 1 : steps;
}

static int count_steps(const rule *r)
{
    int n = steps_of_side(r, &r->left) + steps_of_side(r, &r->right);

    for (int i = 0; i < r->n_clauses && n < MANY; i++)
        n += steps_of_clause(r, &r->clauses[i]);
    return n > MANY ? MANY : n;
}

/* ---- what only keeps the numbers of elements ---- */

/* A Transpose that moves axes of one element alone keeps the numbers, too. */
static bool keeps_numbers(const both_sides *b, const prove_node *n)
{
    bool ones = false;

    for (int i = 0; i < b->r->n_clauses && is_type(n->row->type, "Transpose"); i++) {
        const rule_clause *clause = &b->r->clauses[i];
        int of = name_at(clause, 0), by = name_at(clause, 1);

        ones = ones ||
               (!clause->negated && calls_function(clause, "moves_only_ones") && of >= 0 &&
                by >= 0 && b->c->names[of].value == n->in[0] && b->c->names[by].value == n->in[1]);
    }
    return ones || (n->row->flags & PROVE_KEEPS_NUMBERS);
}

/* Both sides only keep the numbers of elements, and have the same sizes by what the rule says. */
static bool is_of_views(const both_sides *b)
{
    const prove_case *c = b->c;
    const prove_value *now = c->n_results == 1 ? c->results[0] : NULL;
    bool same =
        now && (are_alike(b, now, &c->left[b->r->root]->out[0]) ||
                (now->node && now->node->right && is_type(now->node->row->type, "Reshape") &&
                 has_sizes_of_root(b, now->node->in[1])));

    for (int i = 0; i < b->r->left.n_nodes && same; i++)
        same = c->left[i] && keeps_numbers(b, c->left[i]);
    for (int i = 0; i < b->r->right.n_nodes && same; i++)
        same = c->right[i] && keeps_numbers(b, c->right[i]);
    return same && c->flat;
}

/* ---- how often a value is read ---- */

/* How often T, of the left side or of the right one, reads an element of NAME. */
static int reads_of(const rule *r, const rule_term *t, bool right, int name)
{
    const rule_side *side = right ? &r->right : &r->left;
    int at = t->node, reads = 0;

    if (t->kind == TERM_INTS || t->kind == TERM_ANY)
        return 0;
    if (t->kind != TERM_NODE && t->kind != TERM_SPREAD) {
        at = right ? r->names[t->name].right : r->names[t->name].node;
        if (t->name == name || at < 0)
            return right && t->name != name ? reads_of(r, t, false, name) : t->name == name;
    }
    for (int i = 0; at >= 0 && i < side->nodes[at].n_in && reads < MANY; i++)
        reads += reads_of(r, &side->nodes[at].in[i], right, name);
    return reads;
}

/* As many axes as tell the elements of one value apart that both sides read. Where these are no
 * operands of laws, and stand at the same operands on both sides, one of them differs, and one axis
 * shows it. */
static int axes_that_tell_apart(const both_sides *b)
{
    const rule *r = b->r;
    const rule_term root = {.kind = TERM_NODE, .node = r->root};
    int most = 2;

    /* Of real numbers a proof says of each two that are one element. */
    if ((b->c->n_symbols == 0 && count_calls(r, "commutes") == 0) || b->c->numbers == PROVE_REAL)
        return 1;
    for (int i = 0; i < r->n_names; i++) {
        int reads = reads_of(r, &root, false, i);

        for (int k = 0; k < r->right.n_values; k++)
            reads += reads_of(r, &r->right.values[k], true, i);
        most = reads > most ? reads : most;
    }
    return most - 1;
}

/* ---- sums and other totals of integers ---- */

/* N works element by element, or along axes that a list says. */
static bool is_by_axes(const prove_node *n)
{
    unsigned lists = PROVE_FOLDS | PROVE_TAKES_AXES | PROVE_BRINGS_AXES;
    const rule_node *from = n->from;

    return (n->row->flags & lists) ||
           (from && from->n_rows > 0 && (from->rows[0]->flags & INLAY_POINTWISE));
}

/* Adds the list of axes of N to those that are told apart; axes that the rule writes stay. */
static void add_list(const prove_node *n, const prove_value **lists, int *n_lists)
{
    bool listed = n->from && n->n_in > 1 && (n->row->flags & PROVE_FOLDS);
    const prove_value *list = listed && n->from->in[1].kind != TERM_INTS ? n->in[1] : NULL;

    for (int i = 0; i < *n_lists; i++)
        list = lists[i] == list ? NULL : list;
    if (list)
        lists[(*n_lists)++] = list;
}

static bool reads_element(const smt *t, const prove_value *v)
{
    bool reads = t->op == SMT_APPLY && v->element && strcmp(t->name, v->element) == 0;

    for (int i = 0; i < t->n_args && !reads; i++)
        reads = reads_element(t->arg[i], v);
    return reads;
}

/* Some total is made of V. Of real numbers all else is asked about at one place: where a rule is
 * wrong, such a value may have the one element that it has there, and axes of size 1. */
static bool is_put_together(const prove_case *c, const prove_value *v)
{
    bool is = c->numbers != PROVE_REAL;

    for (int i = 0; i < c->n_totals && !is; i++)
        is = reads_element(c->totals[i].body, v);
    return is;
}

/* How many values that the rule is given differ in their sizes, by name. */
static int count_shapes(const prove_case *c)
{
    int n = 0;

    for (int i = 0; i < c->rule->n_names; i++) {
        const prove_value *v = c->names[i].value;
        bool is_new = v && !v->node && v->n_ints < 0 && v->rank > 0 && is_put_together(c, v);

        for (int k = 0; k < i && is_new; k++) {
            const prove_value *u = c->names[k].value;

            is_new = !(u && !u->node && u->n_ints < 0 && u->rank == v->rank &&
                       prove_same_sizes((prove_case *)c, u, v)->op == SMT_TRUE);
        }
        n += is_new;
    }
    return n;
}

/* Axes beside each other are one, also of a sum, if the same reductions take them, and the same
 * values have one element along them; of those that none takes one is enough, as above. So no more
 * axes are needed than there are ways to be taken, times ways to be broadcast, and that one. 0: it
 * is not known. */
static int axes_of_totals(const both_sides *b)
{
    const prove_value *lists[2 * RULE_NODES];
    int n = 0, shapes = count_shapes(b->c), most = 3;

    for (int i = 0; i < b->r->left.n_nodes + b->r->right.n_nodes; i++) {
        int right = i - b->r->left.n_nodes;
        const prove_node *of = right < 0 ? b->c->left[i] : b->c->right[right];

        if (!of || !is_by_axes(of))
            return 0;
        add_list(of, lists, &n);
    }
    return n > most || shapes > most ? 0 : ((1 << n) - 1) * ((1 << shapes) - 1) + 1;
}

/* ---- all of it ---- */

/* N is a convolution, or works element by element. */
static bool is_of_slides(const prove_node *n)
{
    return (n->row->flags & PROVE_OF_PICTURES) || prove_named_row(n->from) == n->row;
}

/* All of the left side works along the axes of a picture, which are few; of reals also element by
 * element with values of more axes, of which one is as good as many. */
static bool is_of_pictures(const prove_case *c)
{
    unsigned along = PROVE_OF_PICTURES | PROVE_KEEPS_RANK | PROVE_BY_LIST;
    bool few = false;

    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];

        if (n && !(c->numbers == PROVE_REAL
                       ? is_of_slides(n)
                       : (n->row->flags & along) && prove_named_row(n->from) != n->row))
            return false;
        few = few || (n && (n->row->flags & PROVE_OF_PICTURES));
    }
    return few;
}

/* With STAY axes those that show how the sides differ, and those on their ways; 0: that is not
 * known. */
static int with_differing(const both_sides *b, int stay, const int *up, bool known)
{
    int apart = axes_that_tell_apart(b), differ = axes_that_differ(b->r, b->c, up);

    if (!b->turns) /* of a reduction axes that are left get other numbers */
        return apart + stay + ((b->flags & PROVE_FOLDS) != 0);
    if (!known || !is_forest(b->r, up)) {
        bool alike = (b->flags & (PROVE_FOLDS | PROVE_OF_MATRICES)) == 0;

        return alike ? (apart + stay) * (1 + count_steps(b->r)) : 0;
    }
    /* Whether the axes that are left rise, two of them show. */
    return (apart > differ ? apart : differ) + stay + 2 * count_calls(b->r, "rest_order");
}

int prove_axes_needed(const prove_case *c)
{
    both_sides b = {.c = c, .r = c->rule};
    int up[N_FRAMES], stay;
    bool known;

    gather_flags(&b, &c->rule->left, c->left);
    gather_flags(&b, &c->rule->right, c->right);
    for (int i = 0; i < c->n_places; i++)
        b.wide = b.wide || (c->places[i].kind == PROVE_TUPLES && c->places[i].n > 1);
    if (is_of_pictures(c))
        return PROVE_PICTURE + (c->numbers == PROVE_REAL);
    if (is_of_views(&b))
        return 1;
    if (!count_side(&b, &b.r->left, c->left) || !count_side(&b, &b.r->right, c->right) ||
        !have_same_reading(c))
        return 0;
    known = relate_all(&b, up);
    note_written(&b, &b.r->left, c->left);
    note_written(&b, &b.r->right, c->right);
    stay = b.axes + axes_of_clauses(&b) + axes_of_matrices(&b, up) + b.first + b.last;
    if (b.flags & PROVE_BY_INDICES) /* one on which there are fewer indices than places, or none */
        stay += b.n_missing > 1 ? b.n_missing : 1;
    stay = with_differing(&b, stay, up, known);
    if (!(b.flags & PROVE_FOLDS) || c->n_totals == 0 || stay == 0)
        return stay;
    return b.turns || axes_of_totals(&b) == 0 ? 0
           : stay > axes_of_totals(&b)        ? stay
                                              : axes_of_totals(&b);
}
