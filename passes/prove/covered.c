/* Which of what a rule takes the cases of its proof leave out. "Proven" is said of all element
 * types, numbers of axes, sizes and attributes that it takes; where a proof is of fewer it says so.
 *
 * Of how many axes: an operation that works along each axis by itself tells an element by what is
 * so of each index alone, and is an error for what is so of one size. A graph on which such a rule
 * is wrong is wrong already with those of its axes that show it: one on which the sizes, or the
 * places that the two sides take an element from, differ; for each window, padding or part that
 * does not have a place one on which it does not have it; the axes that attributes name; one for
 * each condition that there is such an axis; and those that orders lead to from these. An axis goes
 * one step by each order that a Transpose, or what is computed of orders, follows, and orders that
 * are cut to the axes which lie on the ways are orders again. All other axes may have the size 1.
 * So a proof of as many axes as these is one of any number of them. (A cycle of five axes shows
 * that p and p to the thirteenth differ: there the way has thirteen steps.)
 *
 * Of how many values: a place of joined values lies in one of them; those before it and those
 * behind it are as good as one each. */
#include "passes/prove/prove.h"
#include "passes/prove/rows.h"

#include <stdio.h>
#include <string.h>

/* ---- how many axes show that a rule is wrong ---- */

/* Along each axis by itself; the others mix them. */
static bool works_along_axes(const prove_case *c, const prove_node *n)
{
    bool moves = (n->row->flags & PROVE_ANY_RANK) == 0;

    return (n->row->flags & PROVE_ALONG_AXES) && !(c->flat && moves);
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

/* The axes that show it; so many of one side. -1: some operation does not work along axes. */
static int axes_of_side(const prove_case *c, prove_node *const *side, int n)
{
    int axes = 0;

    for (int i = 0; i < n; i++) {
        if (!side[i])
            continue;
        if (!works_along_axes(c, side[i]))
            return -1;
        axes += has_places(side[i]) && !writes_again(side, i);
    }
    return axes;
}

static int count_calls(const rule *r, const char *function)
{
    int n = 0;

    for (int i = 0; i < r->n_clauses; i++)
        n += strcmp(r->clauses[i].fn->name, function) == 0;
    return n;
}

enum { MANY_STEPS = 1000 };

static bool calls_function(const rule_clause *clause, const char *function)
{
    return strcmp(clause->fn->name, function) == 0;
}

/* How many steps an axis goes by the order NAME: one, or as many as what it is computed of. */
static int steps_of(const rule *r, int name)
{
    const rule_clause *clause = NULL;
    int steps = 0;

    for (int i = 0; i < r->n_clauses; i++)
        clause = r->clauses[i].target == name ? &r->clauses[i] : clause;
    if (!clause || calls_function(clause, "order_of"))
        return 1;
    if (!calls_function(clause, "compose_orders") && !calls_function(clause, "inverse_order"))
        return MANY_STEPS;
    for (int i = 0; i < clause->n_args; i++)
        steps += clause->args[i].kind == TERM_INTS ? MANY_STEPS : steps_of(r, clause->args[i].name);
    return steps;
}

static int steps_of_side(const rule *r, const rule_side *side)
{
    int steps = 0;

    for (int i = 0; i < side->n_nodes; i++) {
        const rule_node *n = &side->nodes[i];

        if (!n->type || strcmp(n->type, "Transpose") != 0)
            continue;
        steps += n->in[1].kind == TERM_NAME ? steps_of(r, n->in[1].name) : MANY_STEPS;
    }
    return steps;
}

/* What conditions and functions follow of orders, and of axes that they look for at the end. */
static int steps_of_clauses(const rule *r)
{
    static const char *const one[] = {"permuted",       "unpermuted",
                                      "axis_before",    "before_order",
                                      "untransposed",   "untransposed_operands",
                                      "identity_order", NULL},
                             *const none[] = {"rest_order",          "rest_in_order",
                                              "swaps_last",          "swapped_last",
                                              "moves_only_ones",     "axes_before",
                                              "last_is_before_last", NULL};
    int steps = 0;

    for (int i = 0; one[i]; i++)
        steps += count_calls(r, one[i]);
    for (int i = 0; none[i]; i++)
        steps += MANY_STEPS * count_calls(r, none[i]);
    return steps;
}

/* Adds to OUT the orders that NAME is made of, one after another; false: it is made in another way,
 * or of too many. */
static bool spell_order(const rule *r, int name, int *out, int *n)
{
    const rule_clause *clause = NULL;

    for (int i = 0; i < r->n_clauses; i++)
        clause = r->clauses[i].target == name ? &r->clauses[i] : clause;
    if (!clause && *n < RULE_NAMES) {
        out[(*n)++] = name;
        return true;
    }
    return clause && calls_function(clause, "compose_orders") &&
           clause->args[0].kind == TERM_NAME && clause->args[1].kind == TERM_NAME &&
           spell_order(r, clause->args[0].name, out, n) &&
           spell_order(r, clause->args[1].name, out, n);
}

/* The same of Transposes of Transposes, of which node AT of SIDE is the last; *OF is what the first
 * one is of. */
static bool spell_side(const rule *r, const rule_side *side, int at, int *out, int *n, int *of)
{
    const rule_node *node = &side->nodes[at];
    const rule_term *data = &node->in[0];

    if (!node->type || strcmp(node->type, "Transpose") != 0 || node->in[1].kind != TERM_NAME)
        return false;
    if (data->kind == TERM_NODE && !spell_side(r, side, data->node, out, n, of))
        return false;
    if (data->kind != TERM_NODE && data->kind != TERM_NAME)
        return false;
    *of = data->kind == TERM_NAME ? data->name : *of;
    return spell_order(r, node->in[1].name, out, n);
}

/* Both sides are Transposes of one value by the same orders, one after another: all axes go the
 * same ways, however many there are. */
static bool goes_the_same_ways(const rule *r)
{
    int left[RULE_NAMES], right[RULE_NAMES], n = 0, m = 0, of = -1, also = -1;

    return r->right.n_values == 1 && r->right.values[0].kind == TERM_NODE &&
           spell_side(r, &r->left, r->root, left, &n, &of) &&
           spell_side(r, &r->right, r->right.values[0].node, right, &m, &also) && of == also &&
           n == m && memcmp(left, right, (size_t)n * sizeof *left) == 0;
}

/* All of the left side works along the axes of a picture, which are few. */
static bool is_of_pictures(const prove_case *c)
{
    unsigned along = PROVE_OF_PICTURES | PROVE_KEEPS_RANK | PROVE_BY_LIST;
    bool few = false;

    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];

        if (n && (!(n->row->flags & along) || prove_named_row(n->from) == n->row))
            return false;
        few = few || (n && (n->row->flags & PROVE_OF_PICTURES));
    }
    return few;
}

/* As many axes as show that the rule is wrong; 0: that is not known. */
static int axes_needed(const prove_case *c)
{
    int left = axes_of_side(c, c->left, c->rule->left.n_nodes);
    int right = axes_of_side(c, c->right, c->rule->right.n_nodes);

    if (is_of_pictures(c))
        return PROVE_PICTURE;
    if (left < 0 || right < 0)
        return 0;
    if (goes_the_same_ways(c->rule))
        return 1;
    return 1 + left + right + count_calls(c->rule, "disjoint") +
           count_calls(c->rule, "before_writes") + steps_of_side(c->rule, &c->rule->left) +
           steps_of_side(c->rule, &c->rule->right) + steps_of_clauses(c->rule);
}

/* ---- attributes ---- */

static bool is_named(const rule_node *from, const char *attr)
{
    for (int i = 0; i < from->n_attrs; i++) {
        if (strcmp(from->attrs[i].name, attr) == 0)
            return true;
    }
    return false;
}

static bool reads_attr(const prove_row *row, const char *attr)
{
    char word[64];

    snprintf(word, sizeof word, " %s ", attr);
    return row->attrs && strstr(row->attrs, word);
}

/* Attributes that N leaves open, and that its row does not look at, have their defaults. */
static const char *unread_attr(const prove_node *n)
{
    const inlay_op *op = n->from && n->from->n_rows > 0 ? n->from->rows[n->from->n_rows - 1] : NULL;

    if (!op || !n->from->any_attrs || prove_named_row(n->from) == n->row)
        return NULL;
    for (int i = 0; i < op->n_attrs; i++) {
        if (!is_named(n->from, op->attrs[i].name) && !reads_attr(n->row, op->attrs[i].name))
            return op->attrs[i].name;
    }
    return NULL;
}

/* ---- what is left out ---- */

static void note_attr(prove_limits *l, const char *attr)
{
    if (attr && !l->attr)
        l->attr = attr;
}

void prove_note_limits(const prove_case *c, prove_limits *l)
{
    int needed = axes_needed(c);

    l->axes = l->axes || (c->capped && (needed == 0 || needed > c->max_rank));
    l->mixed = l->mixed || needed == 0;
    l->needed = needed > l->needed ? needed : l->needed;
    l->ranked = l->ranked || !prove_covers_unknown_ranks(c);
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        if (c->left[i])
            note_attr(l, unread_attr(c->left[i]));
    }
}

/* Adds a part to TEXT, which ends in what it had before. */
static void add(char *text, size_t size, const char *part)
{
    size_t n = strlen(text);

    snprintf(text + n, size - n, "%s%s", n ? ", " : "", part);
}

void prove_limits_text(const prove_limits *l, int max_rank, char *text, size_t size)
{
    char part[80];

    *text = '\0';
    snprintf(part, sizeof part, "up to %d axes", max_rank);
    if (l->axes)
        add(text, size, part);
    if (l->ranked)
        add(text, size, "known numbers of axes");
    snprintf(part, sizeof part, "the default of %.40s", l->attr ? l->attr : "");
    if (l->attr)
        add(text, size, part);
    for (int t = 0, n = 0; t < INLAY_N_TYPES; t++) {
        if (!(l->types >> t & 1))
            continue;
        snprintf(part, sizeof part, "%s%s", n++ ? "" : "element types other than ",
                 inlay_type_info_of((inlay_type)t)->name);
        add(text, size, part);
    }
}
