/* The number of axes with which a rule must be proved, so that the proof holds for any number of
 * axes.
 *
 * Suppose that a rule is wrong on some graph with many axes. Then the graph can be made smaller
 * until it has no more axes than were tried, and the rule is still wrong on it. There are several
 * ways.
 *
 * An axis is left out. Most operations work along each axis independently: an element of the result
 * depends on elements of the operands at one position of that axis each. So all values can be cut
 * to one position of the axis, and then be without it. These axes must stay:
 *
 *     axes that attributes name
 *     one on which the sides differ in size, or in the position that they read
 *     for each window, padding or part that does not contain an element: one on which it does not
 *     for each condition that some axis has a property: one that has it
 *     operations with indices work along all axes but the one that they index; so one for each axis
 *         that is named so, and one on which there are fewer indices than positions, or none
 *     the last two axes of a product of matrices
 *     a reduction keeps or takes an axis whatever the others are. Two reductions of the same value,
 *         or of equal integers, are equal if they take the same axes
 *
 * Axes are merged: neighbouring axes that all operations treat as one list, since the row-major
 * numbers of the elements are the same before and after. All axes of indices that a scatter reads
 * one after another can be merged. A tuple of indices can become one index into the merged axes, if
 * tuples are only used with data of one size. If sizes differ on one of these axes, it stays beside
 * the merged ones.
 *
 * Axes do not matter at all: an element has the same row-major number whatever the axes are. If all
 * operations keep these numbers, and by the rule both sides have the same sizes, then only the
 * number of elements can be wrong.
 *
 * For permutations of axes see orders.c: it finds which axes of two values are left out together.
 *
 * For laws of numbers it matters which of their elements are the same one: N elements of a value
 * are told apart by N - 1 axes.
 *
 * Axes that a rule writes as numbers stay where they are, as do all axes before them.
 *
 * The number of joined values: an element of the result is in one of them; those before it can be
 * taken as one value, and so can those after it. */
#include "passes/prove/prove.h"
#include "passes/prove/rows.h"

#include <string.h>

/* ---- the nodes of both sides ---- */

typedef struct both_sides {
    const prove_case *c;
    const rule *r;
    unsigned flags;  /* of all rows */
    int axes;        /* how many axes stay of those that nodes ask for */
    int first, last; /* how many the rule writes as numbers: as counted from the front, and from the
                        back */
    bool turns;      /* some node is a Transpose */
    int same[RULE_NAMES];
    struct {
        const prove_value *of;
        int name;
    } named[2 * RULE_NODES];
    const prove_value *missing[2 * RULE_NODES];
    int n_named, n_missing;
} both_sides;

/* Whether N is the result of its side. */
static bool is_result(const both_sides *b, const prove_node *n)
{
    bool is_it = n == b->c->left[b->r->root];

    for (int i = 0; i < b->c->n_results; i++)
        is_it = is_it || b->c->results[i]->node == n;
    return is_it;
}

/* Whether the sizes of V are, by their name, those of the left side's result. */
static bool has_sizes_of_root(const both_sides *b, const prove_value *v)
{
    static const char *const sizes[] = {"open_shape", "static_shape", NULL};

    for (int i = 0; i < b->r->n_clauses; i++) {
        const rule_clause *clause = &b->r->clauses[i];

        if (clause->target >= 0 && prove_calls_one(clause, sizes) &&
            b->c->names[clause->target].value == v &&
            prove_value_at(b->c, clause, 0) == &b->c->left[b->r->root]->out[0])
            return true;
    }
    return false;
}

/* Whether the rule says that A and B have the same sizes. */
static bool are_alike(const both_sides *b, const prove_value *x, const prove_value *y)
{
    for (int i = 0; i < b->r->n_clauses; i++) {
        const rule_clause *clause = &b->r->clauses[i];

        for (int k = 0; k < 2; k++) {
            if (prove_asks_of(b->c, clause, "same_shape", k, x) &&
                prove_value_at(b->c, clause, 1 - k) == y)
                return true;
        }
    }
    return false;
}

/* Whether N is a Slice of rows that a gather with known indices is, in the shape of the indices. */
static bool is_gathered(const both_sides *b, const prove_node *n)
{
    return b->r->left.n_nodes == 1 && prove_count_calls(b->r, "gathered") == 1 && n->right &&
           prove_is_type(n->row->type, "Reshape") && is_result(b, n) &&
           has_sizes_of_root(b, n->in[1]);
}

/* Whether N makes one list of indices that the left side repeats beside an axis: they lie along one
 * axis, and it does not matter how many others of one element they have. */
static bool makes_list(const both_sides *b, const prove_node *n)
{
    bool lists = n->right && prove_is_type(n->row->type, "Reshape") && n->out[0].rank == 1,
         is = false;

    for (int i = 0; i < b->r->left.n_nodes && lists; i++) {
        const prove_node *m = b->c->left[i];

        is = is ||
             (m && m->single && prove_is_type(m->row->type, "Broadcast") && m->in[0] == n->in[0]);
    }
    return is;
}

/* Whether N works along each axis independently, except for those that it names. Other operations
 * mix axes, as does each that has to do with a Reshape, but one like that. */
static bool works_along_axes(const both_sides *b, const prove_node *n)
{
    bool moves =
        (n->row->flags & PROVE_ANY_RANK) == 0 && prove_count_calls(b->r, "repeated_beside") == 0;

    if (makes_list(b, n))
        return true;

    if (prove_is_type(n->row->type, "ShapeOf")) /* a number for each axis, which nobody counts */
        return is_result(b, n);
    return is_gathered(b, n) || ((n->row->flags & PROVE_ALONG_AXES) && !(b->c->flat && moves));
}

/* Whether some node of the rule whose row has FLAG reads V as operand AT. */
static bool is_read_as(const both_sides *b, const prove_value *v, unsigned flag, int at)
{
    for (int i = 0; i < prove_count_nodes(b->c); i++) {
        const prove_node *n = prove_node_at(b->c, i);

        if (n && (n->row->flags & flag) && at < n->n_in && n->in[at] == v)
            return true;
    }
    return false;
}

static bool is_list(const both_sides *b, const prove_value *v)
{
    return is_read_as(b, v, PROVE_BY_LISTS, 1) || is_read_as(b, v, PROVE_BY_LISTS, 2);
}

/* Returns the value whose axes are those of V, in the same order. */
static const prove_value *same_axes_as(const prove_value *v)
{
    while (v->node && (v->node->row->flags & (PROVE_SIZES_OF_DATA | PROVE_SIZES_OF_WINDOW)))
        v = v->node->in[0];
    return v;
}

/* Whether N reads its indices as the other nodes do, in data that is no list itself. */
static bool points_alike(const both_sides *b, const prove_node *n)
{
    bool lists = (n->row->flags & PROVE_BY_LISTS) || prove_is_type(n->row->type, "Gather");
    bool tuples = (n->row->flags & PROVE_BY_TUPLES) != 0;
    const prove_value *data = same_axes_as(n->in[0]);

    if (!tuples && (b->c->windows.wide || is_read_as(b, n->in[1], PROVE_BY_TUPLES, 1)))
        return false;
    return lists && !data->node && !is_list(b, data);
}

/* Whether N, too, reads as one list the axes that are a list to others. */
static bool reads_lists(const both_sides *b, const prove_node *n)
{
    unsigned views = PROVE_BRINGS_AXES | PROVE_TAKES_AXES;
    unsigned joins = PROVE_HAS_PLACES | PROVE_KEEPS_ELEMENTS;

    if (n->row == &prove_pointwise || n->row == prove_named_row(n->from))
        return n->n_in == 1 || (n->n_in == 2 && are_alike(b, n->in[0], n->in[1]));
    if (n->row->flags & PROVE_BY_INDICES)
        return points_alike(b, n);
    if (b->r->left.n_nodes == 1 &&
        prove_count_calls(b->r, "gathered") == 1) /* the box that these are */
        return (n->row->flags & (PROVE_SIZES_OF_WINDOW | PROVE_KEEPS_NUMBERS)) != 0;
    if ((n->row->flags & views) || prove_is_type(n->row->type, "Range"))
        return is_read_as(b, &n->out[0], PROVE_BY_INDICES, 1);
    return (n->row->flags & joins) == joins && is_list(b, &n->out[0]);
}

/* Whether the indices of N, a ScatterUpdate, are one list, so that no axes of theirs are merged. */
static bool has_one_list(const both_sides *b, const prove_node *n)
{
    return prove_is_type(n->row->type, "ScatterUpdate") &&
           (prove_is_one_list(n->in[1]) || (n->in[1]->node && makes_list(b, n->in[1]->node)));
}

/* Whether N is a softmax along the last axis, as the rule says: that axis stays beside those of
 * matrices, and along all others it works independently. */
static bool is_along_last(const both_sides *b, const prove_node *n)
{
    const rule_attr *axis =
        n && prove_is_type(n->row->type, "SoftMax") ? prove_attr(n, "axis") : NULL;

    if (!axis || n->axis != n->in[0]->rank - 1 || (axis->var < 0 && axis->literal.as.i != -1))
        return false;
    for (int i = 0; i < b->r->n_clauses && axis->var >= 0; i++) {
        const rule_clause *clause = &b->r->clauses[i];

        if (!clause->negated && prove_calls(clause, "same_axis") &&
            prove_name_at(clause, 0) == axis->var && clause->args[1].kind == TERM_INTS &&
            clause->args[1].ints->n == 1 && clause->args[1].ints->x[0] == -1)
            return true;
    }
    return axis->var < 0;
}

/* Whether N can be together with the other nodes: whether it does what some of them require of all.
 */
static bool fits_others(const both_sides *b, const prove_node *n)
{
    unsigned flags = n->row->flags;
    bool turns = prove_is_type(n->row->type, "Transpose");

    if ((b->flags & PROVE_BY_LISTS) && !has_one_list(b, n) && !reads_lists(b, n))
        return false;
    if ((b->flags & PROVE_OF_MATRICES) && is_along_last(b, n))
        return true;
    if ((b->flags & PROVE_OF_MATRICES) && !turns && !(flags & PROVE_SAME_AXES))
        return false;
    return !(b->flags & PROVE_FOLDS) ||
           !(flags & (PROVE_HAS_PLACES | PROVE_BY_INDICES | PROVE_OF_MATRICES));
}

/* Whether an element may be in what N makes, or not. */
static bool has_places(const prove_node *n)
{
    return (n->row->flags & PROVE_HAS_PLACES) != 0;
}

/* Whether some node of SIDE before number AT writes the same window. */
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

/* Joins the names that are, by the rule, the same axis of OF. */
static void join_names(both_sides *b, const prove_value *of)
{
    for (int i = 0; i < RULE_NAMES; i++)
        b->same[i] = i;
    for (int i = 0; i < b->r->n_clauses; i++) {
        const rule_clause *clause = &b->r->clauses[i];
        int first = prove_name_at(clause, 0), second = prove_name_at(clause, 1),
            third = prove_name_at(clause, 2);

        if (clause->negated)
            continue;
        if (prove_calls(clause, "list"))
            prove_join(b->same, clause->target, first);
        if (prove_calls(clause, "front_axis") && second >= 0 &&
            same_axes_as(b->c->names[second].value) == of)
            prove_join(b->same, clause->target, first);
        if (prove_calls(clause, "same_axis") && third >= 0 &&
            same_axes_as(b->c->names[third].value) == of)
            prove_join(b->same, first, second);
    }
}

enum { OPEN = -2, AS_NUMBER = -1 };

/* Returns the name of the axis that N works on. */
static int axis_name(const both_sides *b, const rule_node *n)
{
    int name = OPEN;

    for (int i = 0; i < n->n_in; i++) {
        if (prove_names_axes(n, i) && n->in[i].kind != TERM_ANY)
            name = n->in[i].kind == TERM_NAME ? n->in[i].name : AS_NUMBER;
    }
    for (int i = 0; i < n->n_attrs; i++) {
        if (prove_is_axis_attr(&n->attrs[i]))
            name = n->attrs[i].var; /* -1 if it is a number */
    }
    return name < 0 ? name : prove_root_of(b->same, name);
}

/* NAME, an axis of *OF, is the axis before an order of one of the order's result on the left side:
 * then *OF becomes that result. Returns the name of the axis there. */
static int behind_order(const both_sides *b, int name, const prove_value **of)
{
    const rule_clause *clause = name < 0 ? NULL : prove_clause_of(b->r, name);
    int axis = clause && prove_calls(clause, "axis_before") ? prove_name_at(clause, 0) : -1;

    for (int i = 0; i < b->r->left.n_nodes && axis >= 0; i++) {
        const prove_node *n = b->c->left[i];

        if (n && prove_is_type(n->row->type, "Transpose") && same_axes_as(n->in[0]) == *of &&
            n->in[1] == prove_value_at(b->c, clause, 1)) {
            *of = same_axes_as(&n->out[0]);
            return prove_root_of(b->same, axis);
        }
    }
    return name;
}

/* Counts the axis that N indexes; the axes of tuples count as one. */
static void count_named(both_sides *b, const prove_node *n)
{
    bool tuples = (n->row->flags & PROVE_BY_TUPLES) != 0, seen = false;
    const prove_value *of = same_axes_as(n->in[0]);
    int name = RULE_NAMES;

    if (!tuples) {
        join_names(b, of);
        name = behind_order(b, axis_name(b, n->from), &of);
    }
    for (int i = 0; i < b->n_named; i++)
        seen = seen || (name >= 0 && b->named[i].of == of && b->named[i].name == name);
    b->named[b->n_named].of = of;
    b->named[b->n_named++].name = name;
    b->axes += !seen && name != AS_NUMBER;
    if (prove_is_type(n->row->type, "TensorScatter")) /* a place for each batch, which is an axis */
        b->axes += !seen;
}

static void count_missing(both_sides *b, const prove_node *n)
{
    bool seen = !(n->row->flags & PROVE_MAY_MISS);
    const prove_value *indices =
        n->places && n->places->given ? n->places->given->indices : n->in[1];

    for (int i = 0; i < b->n_missing; i++)
        seen = seen || b->missing[i] == indices;
    if (!seen)
        b->missing[b->n_missing++] = indices;
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
    b->axes += is_gathered(b, n); /* for axes on both sides of the replaced ones */
    return true;
}

/* Whether nothing more is required of the nodes of ROW, so that they may be in a list of operands.
 */
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

        if (n ? !count_node(b, n) : !is_plain(b, prove_row_at(b->c, &side->nodes[i], NULL)))
            return false;
        if (n && has_places(n) && !is_read_as(b, &n->out[0], PROVE_BY_LISTS, 1)) /* not in a list */
            b->axes += !writes_again(nodes, i);
    }
    return true;
}

static void gather_flags(both_sides *b, const rule_side *side, prove_node *const *nodes)
{
    for (int i = 0; i < side->n_nodes; i++) {
        const prove_row *row = prove_row_at(b->c, &side->nodes[i], nodes[i]);
        bool lists = !nodes[i] || !has_one_list(b, nodes[i]);
        bool folds = !is_along_last(b, nodes[i]) || b->c->meanings.numbers == PROVE_REAL;
        unsigned left_out = (lists ? 0u : PROVE_BY_LISTS) | (folds ? 0u : PROVE_FOLDS);

        b->flags |= row ? row->flags & ~left_out : 0;
        b->turns = b->turns || prove_is_type(side->nodes[i].type, "Transpose");
    }
}

/* Whether A and B, which have the same indices, use them in the same way, and with data of the same
 * sizes if these matter. */
static bool are_read_alike(const prove_places *a, const prove_places *b)
{
    bool same = a->kind == b->kind && (a->kind != PROVE_TUPLES || a->n == b->n);

    for (int i = 0; i < a->n && a->kind == PROVE_TUPLES && same; i++)
        same = smt_same(a->size[i], b->size[i]);
    return same;
}

static bool have_same_reading(const prove_case *c)
{
    for (int i = 0; i < c->windows.n_places; i++) {
        for (int k = 0; k < i; k++) {
            if (c->windows.places[i].indices == c->windows.places[k].indices &&
                !are_read_alike(&c->windows.places[i], &c->windows.places[k]))
                return false;
        }
    }
    return true;
}

/* ---- axes that the rule writes as numbers ---- */

static void note_axis(both_sides *b, int64_t x)
{
    int64_t n = x < 0 ? -x : x + 1, most = x < 0 ? b->last : b->first;

    n = n > PROVE_MANY ? PROVE_MANY : n;
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

/* Notes the axes that the rule writes as numbers. A list of several numbers means as many axes. */
static void note_written(both_sides *b, const rule_side *side, prove_node *const *nodes)
{
    for (int i = 0; i < side->n_nodes; i++) {
        const rule_node *node = &side->nodes[i];
        const prove_row *row = prove_row_at(b->c, node, nodes[i]);
        bool folds = row && (row->flags & PROVE_FOLDS);

        for (int k = 0; k < node->n_in; k++) {
            const rule_term *t = &node->in[k];

            if (prove_names_axes(node, k) || (folds && k == 1))
                note_list(b, t);
            else if (t->kind == TERM_INTS && t->ints->n > 1)
                note_axis(b, t->ints->n);
        }
        for (int k = 0; k < node->n_attrs; k++) {
            if (prove_is_axis_attr(&node->attrs[k]) && node->attrs[k].var < 0)
                note_axis(b, node->attrs[k].literal.as.i);
        }
    }
}

/* Counts conditions that some axis has a property, and numbers that may be axes. */
static int axes_of_clauses(both_sides *b)
{
    static const char *const one[] = {"disjoint", "before_writes", "in_padding", "lost_axes",
                                      "new_axes", "some",          NULL},
                             *const elements[] = {"equals", NULL};
    int n = 0;

    for (int i = 0; i < b->r->n_clauses; i++) {
        const rule_clause *clause = &b->r->clauses[i];

        n += !clause->negated && prove_calls_one(clause, one);
        for (int k = 0; k < clause->n_args && !prove_calls_one(clause, elements); k++)
            note_list(b, &clause->args[k]);
    }
    return n;
}

/* ---- what only keeps the numbers of elements ---- */

/* Both sides only keep the numbers of elements, and have the same sizes by what the rule says. */
static bool is_of_views(const both_sides *b)
{
    const prove_case *c = b->c;
    const prove_value *now = c->n_results == 1 ? c->results[0] : NULL;
    bool same =
        now && (are_alike(b, now, &c->left[b->r->root]->out[0]) ||
                (now->node && now->node->right && prove_is_type(now->node->row->type, "Reshape") &&
                 has_sizes_of_root(b, now->node->in[1])));

    for (int i = 0; i < b->r->left.n_nodes && same; i++)
        same = c->left[i] && prove_keeps_numbers(c, c->left[i]);
    for (int i = 0; i < b->r->right.n_nodes && same; i++)
        same = c->right[i] && prove_keeps_numbers(c, c->right[i]);
    return same && c->flat;
}

/* ---- how often a value is read ---- */

/* How often T, a term of the left side, or with RIGHT of the right one, reads an element of NAME.
 */
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
    for (int i = 0; at >= 0 && i < side->nodes[at].n_in && reads < PROVE_MANY; i++)
        reads += reads_of(r, &side->nodes[at].in[i], right, name);
    return reads;
}

/* Returns how many axes are needed to tell apart the elements of one value that both sides read. If
 * these are no operands of laws and are the same operands on both sides, it is enough that one of
 * them differs, and one axis shows it. */
static int axes_that_tell_apart(const both_sides *b)
{
    const rule *r = b->r;
    const rule_term root = {.kind = TERM_NODE, .node = r->root};
    int most = 2;

    /* Of real numbers a proof says of each two that are one element. */
    if ((b->c->meanings.n_symbols == 0 && prove_count_calls(r, "commutes") == 0) ||
        b->c->meanings.numbers == PROVE_REAL)
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

/* Whether N works element by element, or along the axes of a list. */
static bool is_by_axes(const prove_node *n)
{
    unsigned lists = PROVE_FOLDS | PROVE_TAKES_AXES | PROVE_BRINGS_AXES;

    return (n->row->flags & lists) || (n->row != &prove_pointwise && prove_is_by_element(n));
}

/* Adds N's list of axes to LISTS, of which each is counted once; axes that the rule writes stay
 * anyway. */
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
    bool is = c->meanings.numbers != PROVE_REAL;

    for (int i = 0; i < c->terms.n_totals && !is; i++)
        is = reads_element(c->terms.totals[i].body, v);
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

/* Neighbouring axes can be merged, also in a sum, if the same reductions take them and the same
 * values have size 1 along them. Of the axes that no reduction takes, one is enough, as above. So
 * no more axes are needed than the number of ways to be taken, times the number of ways to be
 * broadcast, plus that one. 0: it is not known. */
static int axes_of_totals(const both_sides *b)
{
    const prove_value *lists[2 * RULE_NODES];
    int n = 0, shapes = count_shapes(b->c), most = 3;

    for (int i = 0; i < prove_count_nodes(b->c); i++) {
        const prove_node *of = prove_node_at(b->c, i);

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

        if (n && !(c->meanings.numbers == PROVE_REAL
                       ? is_of_slides(n)
                       : (n->row->flags & along) && prove_named_row(n->from) != n->row))
            return false;
        few = few || (n && (n->row->flags & PROVE_OF_PICTURES));
    }
    return few;
}

/* Returns how many axes are needed: STAY, and those that show how the sides differ, with the axes
 * that permutations map them to; 0: that is not known. */
static int with_differing(const both_sides *b, int stay, const prove_orders *o)
{
    int apart = axes_that_tell_apart(b);

    if (!b->turns) /* when axes are removed, a reduction's axes get other numbers */
        return apart + stay + ((b->flags & PROVE_FOLDS) != 0);
    if (!o->forest) {
        bool alike = (b->flags & (PROVE_FOLDS | PROVE_OF_MATRICES)) == 0;

        return alike ? (apart + stay) * (1 + o->steps) : 0;
    }
    /* Two axes show whether the remaining axes are in ascending order. */
    return (apart > o->differ ? apart : o->differ) + stay +
           2 * prove_count_calls(b->r, "rest_order");
}

/* Returns how many axes stay when axes are left out, or merged in other ways than the rule's own.
 */
static int axes_left(const prove_case *c)
{
    both_sides b = {.c = c, .r = c->rule};
    prove_orders orders;
    int stay;

    gather_flags(&b, &c->rule->left, c->left);
    gather_flags(&b, &c->rule->right, c->right);
    if (is_of_pictures(c))
        return PROVE_PICTURE + (c->meanings.numbers == PROVE_REAL);
    if (is_of_views(&b))
        return 1;
    if (!count_side(&b, &b.r->left, c->left) || !count_side(&b, &b.r->right, c->right) ||
        !have_same_reading(c))
        return 0;
    prove_relate_orders(c, &orders);
    note_written(&b, &b.r->left, c->left);
    note_written(&b, &b.r->right, c->right);
    stay = b.axes + axes_of_clauses(&b) + orders.of_matrices + b.first + b.last;
    if (b.flags & PROVE_BY_INDICES) /* one on which there are fewer indices than positions, or none
                                       */
        stay += b.n_missing > 1 ? b.n_missing : 1;
    stay = with_differing(&b, stay, &orders);
    if (!(b.flags & PROVE_FOLDS) || c->terms.n_totals == 0 || stay == 0)
        return stay;
    return b.turns || axes_of_totals(&b) == 0 ? 0
           : stay > axes_of_totals(&b)        ? stay
                                              : axes_of_totals(&b);
}

int prove_axes_needed(const prove_case *c)
{
    int left = axes_left(c), merged = prove_axes_when_merged(c);

    return left > 0 && (merged == 0 || left < merged) ? left : merged;
}
