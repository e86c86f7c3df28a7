/* Which of what a rule takes the cases of its proof leave out. "Proven" is said of all element
 * types, numbers of axes, sizes and attributes that it takes; where a proof is of fewer it says so.
 * Of how many axes it must be, axes.c says. */
#include "passes/prove/prove.h"
#include "passes/prove/rows.h"

#include <stdio.h>
#include <string.h>

/* ---- values of which it is not known how many axes they have ---- */

/* A yes of this condition, or what this function gives, says how many axes its values have. */
static bool tells_ranks(const rule_clause *clause)
{
    static const char *const functions[] = {"ranked",
                                            "same_shape",
                                            "static_shape",
                                            "open_shape",
                                            "scalar",
                                            "spreads",
                                            "fit",
                                            "fewer",
                                            "keeps_sizes",
                                            "joinable",
                                            "ones",
                                            "fits",
                                            "constant",
                                            "equals",
                                            "finite",
                                            "not_zero",
                                            "all_true",
                                            "none_true",
                                            "turns_nothing",
                                            "moves_only_ones",
                                            "only_number",
                                            "reciprocal",
                                            "zeros_only",
                                            "no_longer",
                                            "same_beside",
                                            "repeated_beside",
                                            "front_axis",
                                            "counts",
                                            "without_empty",
                                            "joined",
                                            "repeats",
                                            "part_of",
                                            "window_of_part",
                                            "parts_cut",
                                            "windows_of_parts",
                                            "parts_before",
                                            "parts_behind",
                                            "tiles",
                                            "windows_of_outputs",
                                            "output_window",
                                            "cut_as_joined",
                                            "channel_sizes",
                                            "weight_factors",
                                            NULL};

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

/* Some condition that is not negated, or some function, is about NAME. */
static bool is_argument(const rule *r, int name)
{
    for (int i = 0; i < r->n_clauses; i++) {
        const rule_clause *clause = &r->clauses[i];

        for (int k = 0; k < clause->n_args && !clause->negated; k++) {
            if (clause->args[k].kind != TERM_INTS && clause->args[k].name == name)
                return true;
        }
    }
    return false;
}

/* Some node of the left side has the window NAME, so that it may be one of which nothing is known.
 */
static bool is_of_left(const rule *r, int name)
{
    for (int i = 0; i < r->left.n_nodes; i++) {
        for (int k = 0; k < r->left.nodes[i].n_in; k++) {
            const rule_term *t = &r->left.nodes[i].in[k];

            if (t->kind == TERM_WINDOW && t->name == name)
                return true;
        }
    }
    return false;
}

/* The window of N has a number for each axis of the data: some condition holds of it, or it is
 * computed for the right side, which is not made where the data has another number of axes, or an
 * unknown one. */
static bool counts_axes(const prove_case *c, const prove_node *n)
{
    for (int i = 0; n->from && i < n->from->n_in; i++) {
        const rule_term *t = &n->from->in[i];

        if (t->kind == TERM_WINDOW && c->rule->names[t->name].kind == RULE_WINDOW &&
            (n->right ? !is_of_left(c->rule, t->name) : is_argument(c->rule, t->name)))
            return true;
    }
    return !n->right && n->window && n->window->known;
}

/* Operand 1 is a list with a number for each axis of the data. */
static bool is_by_list(const prove_node *n)
{
    return (n->row->flags & PROVE_BY_LIST) != 0;
}

/* That list of N is asked about, and so its length is known. */
static bool has_known_list(const prove_case *c, const prove_node *n)
{
    return is_by_list(n) && n->from && n->from->in[1].kind == TERM_NAME &&
           is_argument(c->rule, n->from->in[1].name);
}

/* The rule leaves V in the place of a node of which that is so: V has as many axes, or less
 * would be known then. */
static bool stands_for_list(const prove_case *c, const prove_value *v)
{
    return has_known_list(c, c->left[c->rule->root]) && c->n_results == 1 && c->results[0] == v &&
           (!v->node || !v->node->right);
}

/* V has as many axes as this, into which V is written. */
static const prove_value *written_into(const prove_value *v)
{
    while (v->node && (v->node->row->flags & PROVE_SIZES_OF_DATA))
        v = v->node->in[0];
    return v;
}

/* The right side takes the window of N of what has as many axes: it fails where N does. */
static bool is_taken_again(const prove_case *c, const prove_node *n)
{
    for (int i = 0; i < c->rule->right.n_nodes && n->window; i++) {
        if (c->right[i] && c->right[i]->window == n->window &&
            written_into(c->right[i]->in[0]) == written_into(n->in[0]))
            return true;
    }
    return false;
}

/* The right side does the same with what N reads, by a list of the same length: it fails where N
 * does. */
static bool is_made_again(const prove_case *c, const prove_node *n)
{
    for (int i = 0; i < c->rule->right.n_nodes && has_known_list(c, n); i++) {
        if (c->right[i] && c->right[i]->row == n->row && c->right[i]->in[0] == n->in[0])
            return true;
    }
    return false;
}

/* What N makes has as many axes as its operand 0, as far as it is known. */
static bool keeps_rank(const prove_node *n)
{
    return (n->row->flags & PROVE_KEEPS_RANK) != 0;
}

/* N is element by element. What a function of values makes stands for no node of the rule. */
static bool is_pointwise_row(const prove_node *n)
{
    return n->from && prove_named_row(n->from) == n->row;
}

/* A node N that reads V tells how many axes V has. */
static bool tells_rank_of(const prove_case *c, const prove_node *n, const prove_value *v)
{
    bool reads = false;

    for (int i = 0; i < n->n_in; i++)
        reads = reads || (n->in[i] == v && (i == 0 || is_pointwise_row(n)));
    if (!reads)
        return false;
    if (counts_axes(c, n))
        return true;
    for (int i = 0; i < n->n_out && !n->right && keeps_rank(n); i++) {
        if (n->out[i].ranked || n->out[i].fixed || is_asked_for(c, &n->out[i]))
            return true;
    }
    return false;
}

static bool has_known_rank(const prove_case *c, const prove_value *v)
{
    bool known = v->ranked || v->fixed || v->number || v->n_ints >= 0 || is_asked_for(c, v) ||
                 (v->node && has_known_list(c, v->node)) || stands_for_list(c, v);

    for (int i = 0; i < c->rule->left.n_nodes && !known; i++)
        known = c->left[i] && tells_rank_of(c, c->left[i], v);
    for (int i = 0; i < c->rule->right.n_nodes && !known; i++)
        known = c->right[i] && tells_rank_of(c, c->right[i], v);
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
    return (n->row->flags & PROVE_ANY_RANK) != 0;
}

static bool covers_unknown_ranks(const prove_case *c)
{
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        const prove_node *n = c->left[i];

        if (n && !takes_any_rank(n) && n->n_in > 0 && !has_known_rank(c, n->in[0]) &&
            !is_made_again(c, n) && !is_taken_again(c, n))
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
    const inlay_op *op = n->from && n->from->n_rows > 0 ? n->from->rows[n->from->n_rows - 1] : NULL;

    if (!op || !n->from->any_attrs || is_pointwise_row(n))
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
    int needed = prove_axes_needed(c);

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
