/* Which of what a rule takes the cases of its proof leave out. "Proven" is said of all element
 * types, numbers of axes, sizes and attributes that it takes; where a proof is of fewer it says so.
 *
 * Of how many axes: an operation that works along each axis by itself tells an element by what is
 * so of each index alone, and is an error for what is so of one size. A graph on which such a rule
 * is wrong is wrong already with those of its axes that show it: one on which the sizes, or the
 * places that the two sides take an element from, differ; for each window, padding or part that
 * does not have a place one on which it does not have it; the axes that attributes name; one for
 * each condition that there is such an axis. All others may have the size 1. So a proof of as many
 * axes as these is one of any number of them.
 *
 * Of how many values: a place of joined values lies in one of them; those before it and those
 * behind it are as good as one each. */
#include "passes/prove/prove.h"
#include "passes/prove/rows.h"

#include <stdio.h>
#include <string.h>

/* ---- how many axes show that a rule is wrong ---- */

/* Along each axis by itself; the others mix them, or name several. */
static bool works_along_axes(const prove_node *n)
{
    static const char *const types[] = {"Slice", "SliceScatter", "Concat",      "Split",
                                        "Pad",   "Select",       "Convert",     "VariadicSplit",
                                        "Tile",  "Broadcast",    "ConvertLike", NULL};
    bool explicit = strcmp(n->row->type, "Broadcast") == 0 && n->n_in > 2;

    if (n->row == &prove_pointwise || prove_named_row(n->from) == n->row)
        return true;
    for (int i = 0; types[i] && !explicit; i++) {
        if (strcmp(n->row->type, types[i]) == 0)
            return true;
    }
    return false;
}

/* The place of an element may be in what N makes, or not. */
static bool has_places(const prove_node *n)
{
    static const char *const types[] = {"SliceScatter", "Concat", "Split", "Pad", "VariadicSplit"};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(n->row->type, types[i]) == 0)
            return true;
    }
    return false;
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
static int axes_of_side(prove_node *const *side, int n)
{
    int axes = 0;

    for (int i = 0; i < n; i++) {
        if (!side[i])
            continue;
        if (!works_along_axes(side[i]))
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

/* As many axes as show that the rule is wrong; 0: that is not known. */
static int axes_needed(const prove_case *c)
{
    int left = axes_of_side(c->left, c->rule->left.n_nodes);
    int right = axes_of_side(c->right, c->rule->right.n_nodes);

    if (left < 0 || right < 0)
        return 0;
    return 1 + left + right + count_calls(c->rule, "disjoint") +
           count_calls(c->rule, "before_writes");
}

/* ---- values of which it is not known how many axes they have ---- */

/* A yes of this condition, or what this function gives, says how many axes its values have. */
static bool tells_ranks(const rule_clause *clause)
{
    static const char *const functions[] = {"ranked",        "same_shape",
                                            "static_shape",  "open_shape",
                                            "scalar",        "spreads",
                                            "fit",           "fewer",
                                            "keeps_sizes",   "joinable",
                                            "ones",          "fits",
                                            "constant",      "equals",
                                            "finite",        "not_zero",
                                            "all_true",      "none_true",
                                            "turns_nothing", "moves_only_ones",
                                            "only_number",   "reciprocal",
                                            "zeros_only",    "no_longer",
                                            "same_beside",   "repeated_beside",
                                            "front_axis",    "counts",
                                            "without_empty", NULL};

    for (int i = 0; functions[i] && !clause->negated; i++) {
        if (strcmp(clause->fn->name, functions[i]) == 0)
            return true;
    }
    return false;
}

static bool is_told_of(const rule *r, int name)
{
    for (int i = 0; i < r->n_clauses; i++) {
        const rule_clause *clause = &r->clauses[i];

        for (int k = 0; k < clause->n_args && tells_ranks(clause); k++) {
            if (clause->args[k].kind != TERM_INTS && clause->args[k].name == name)
                return true;
        }
    }
    return false;
}

/* The rule asks of V, by one of its names, what says how many axes it has. */
static bool is_asked_for(const prove_case *c, const prove_value *v)
{
    for (int i = 0; i < c->rule->n_names; i++) {
        bool in_list = c->rule->names[i].kind == RULE_LIST;
        bool is_it = c->names[i].value == v;

        for (int k = 0; in_list && k < c->names[i].n_list; k++)
            is_it = is_it || c->names[i].list[k] == v;
        if (is_it && is_told_of(c->rule, i))
            return true;
    }
    return false;
}

static bool has_known_rank(const prove_case *c, const prove_value *v)
{
    bool known = v->ranked || v->fixed || v->number || v->n_ints >= 0 || is_asked_for(c, v);

    for (int i = 0; i < c->rule->left.n_nodes && !known; i++)
        known =
            c->left[i] && c->left[i]->window && c->left[i]->window->known && c->left[i]->in[0] == v;
    if (known || !v->node || v->node->n_in == 0)
        return known;
    known = true;
    for (int i = 0; i < v->node->n_in && i < (v->node->window ? 1 : v->node->n_in); i++)
        known = known && (!v->node->in[i] || has_known_rank(c, v->node->in[i]));
    return known;
}

/* N is no error for how many axes its operands have, or is so alike on both sides: what works
 * element by element is broadcast. */
static bool takes_any_rank(const prove_node *n)
{
    return n->row == &prove_pointwise || prove_named_row(n->from) == n->row ||
           strcmp(n->row->type, "Select") == 0 || strcmp(n->row->type, "Convert") == 0 ||
           strcmp(n->row->type, "ConvertLike") == 0 || strcmp(n->row->type, "ShapeOf") == 0;
}

static bool covers_unknown_ranks(const prove_case *c)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];

        if (n && !takes_any_rank(n) && n->n_in > 0 && !has_known_rank(c, n->in[0]))
            return false;
    }
    return true;
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
    const inlay_op *op = n->from->n_rows > 0 ? n->from->rows[n->from->n_rows - 1] : NULL;

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
    l->ranked = l->ranked || !covers_unknown_ranks(c);
    l->pdpd = l->pdpd || c->without_pdpd;
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const char *type = c->left[i] ? c->left[i]->row->type : "";

        if (c->left[i])
            note_attr(l, unread_attr(c->left[i]));
        l->tuples = l->tuples || strcmp(type, "GatherND") == 0 ||
                    strcmp(type, "ScatterNDUpdate") == 0 ||
                    strcmp(type, "tensor_scatter_nd_update") == 0;
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
    if (l->pdpd)
        add(text, size, "auto_broadcast other than pdpd");
    snprintf(part, sizeof part, "the default of %.40s", l->attr ? l->attr : "");
    if (l->attr)
        add(text, size, part);
    if (l->tuples)
        add(text, size, "tuples that are not empty");
    for (int t = 0, n = 0; t < INLAY_N_TYPES; t++) {
        if (!(l->types >> t & 1))
            continue;
        snprintf(part, sizeof part, "%s%s", n++ ? "" : "element types other than ",
                 inlay_type_info_of((inlay_type)t)->name);
        add(text, size, part);
    }
}
