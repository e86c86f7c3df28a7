/* Which graphs that a rule matches are not covered by the cases of its proof. "Proven" means: for
 * all element types, ranks, sizes and attributes that the rule accepts; if a proof covers fewer,
 * the verdict says so. axes.c says how many axes a proof needs. */
#include "passes/prove/prove.h"
#include "passes/prove/rows.h"

#include <stdio.h>
#include <string.h>

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

/* Attributes that N leaves open, and that its row does not look at, are taken to have their
 * defaults. */
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

/* ---- what is not covered ---- */

static void note_attr(prove_limits *l, const char *attr)
{
    if (attr && !l->attr)
        l->attr = attr;
}

void prove_note_limits(const prove_case *c, prove_limits *l)
{
    int needed = prove_axes_needed(c);

    l->read |= c->meanings.read;
    l->axes = l->axes || (c->capped && (needed == 0 || needed > c->max_rank));
    l->mixed = l->mixed || needed == 0;
    l->needed = needed > l->needed ? needed : l->needed;
    l->ranked = l->ranked || c->ranks_assumed || !prove_covers_unknown_ranks(c);
    for (int i = 0; i < c->rule->left.n_nodes; i++) {
        if (c->left[i])
            note_attr(l, unread_attr(c->left[i]));
    }
}

/* Appends a part to TEXT. */
static void add(char *text, size_t size, const char *part)
{
    size_t n = strlen(text);

    snprintf(text + n, size - n, "%s%s", n ? ", " : "", part);
}

void prove_limits_text(const prove_limits *l, int max_rank, char *text, size_t size)
{
    char part[80];

    *text = '\0';
    snprintf(part, sizeof part, "up to %d ax%s", max_rank, inlay_plural(max_rank, "is", "es"));
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
