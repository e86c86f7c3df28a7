/* Says where a rule that never matched came closest to a match. */
#include "ir/shared.h"
#include "passes/rules/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slice "x" */
static const char *node_text(const inlay_node *n, char *out, size_t size)
{
    snprintf(out, size, "%s \"%s\"", n->op->name, n->label ? n->label : n->name);
    return out;
}

/* The text of an operand as in the rule. */
static void term_text(const rule *r, const rule_term *t, char *out, size_t size)
{
    size_t n = 0;

    switch (t->kind) {
    case TERM_NODE:
        snprintf(out, size, "the result of %s",
                 r->left.nodes[t->node].type ? r->left.nodes[t->node].type : "an operation");
        return;
    case TERM_INTS:
        if (t->ints->is_real) {
            snprintf(out, size, "%.9g", t->ints->real);
            return;
        }
        n = (size_t)snprintf(out, size, t->ints->rank > 0 ? "[" : "");
        for (int i = 0; i < t->ints->n && n < size; i++)
            n += (size_t)snprintf(out + n, size - n, "%s%lld", i ? ", " : "",
                                  (long long)t->ints->x[i]);
        if (t->ints->rank > 0 && n < size)
            snprintf(out + n, size - n, "]");
        return;
    case TERM_ANY:
        snprintf(out, size, "there");
        return;
    default:
        snprintf(out, size, "`%s`", r->names[t->name].text);
    }
}

/* Says how the node of the graph differs from the corresponding part of the left side. */
static void node_differs(const rule_miss *miss, char *out, size_t size)
{
    const rule_node *part = miss->part;
    char node[160];

    node_text(miss->node, node, sizeof node);
    if (!part->type)
        snprintf(out, size, "%s is not the operation that is meant", node);
    else if (strcmp(part->type, miss->node->op->name) != 0)
        snprintf(out, size, "%s is no %s", node, part->type);
    else
        snprintf(out, size, "%s is of another version, or has other outputs", node);
}

static void part_differs(const rule_match *m, char *out, size_t size)
{
    const rule_miss *miss = &m->miss;
    char node[160], term[160];

    node_text(miss->node, node, sizeof node);
    if (miss->attr) {
        snprintf(out, size, "attribute \"%s\" of %s is another", miss->attr, node);
    } else if (miss->input < 0) {
        node_differs(miss, out, size);
    } else if (!miss->term) {
        snprintf(out, size, "%s has an operand %d", node, miss->input);
    } else if (miss->unsure) {
        snprintf(out, size, "operand %d of %s may ask for other sizes, which is an error",
                 miss->input, node);
    } else {
        term_text(m->rule, miss->term, term, sizeof term);
        if (miss->term->kind == TERM_WINDOW)
            snprintf(out, size, "the window of %s is not %s", node, term);
        else if (miss->term->kind == TERM_REST)
            snprintf(out, size, "the operands of %s are not %s", node, term);
        else
            snprintf(out, size, "operand %d of %s is not %s", miss->input, node, term);
    }
}

/* Says why M is no match. */
static void explain(const rule_match *m, char *out, size_t size)
{
    char node[160];

    if (m->lost)
        snprintf(out, size, "%s may fail, and would not be run any more",
                 node_text(m->lost, node, sizeof node));
    else if (m->failed)
        snprintf(out, size, "%s %s", m->failed->text,
                 m->answer == RULE_NO ? "does not hold" : "is not known");
    else if (m->miss.part)
        part_differs(m, out, size);
    else
        snprintf(out, size,
                 "all of it matches, but what it makes is of another type or shape, or "
                 "an output would lose its name");
}

/* How far M came: the number of parts of the left side that matched, plus the conditions that held;
 * above 0. */
static int reached(const rule_match *m)
{
    enum { WHOLE_SIDE = RULE_NODES * 3 * RULE_TERMS };

    if (m->failed)
        return WHOLE_SIDE + 1 + (int)(m->failed - m->rule->clauses);
    return m->miss.part ? 1 + m->miss.held : WHOLE_SIDE + 1 + RULE_CLAUSES;
}

bool rule_nearest_keep(rule_nearest *best, const inlay_node *n, const rule_match *m)
{
    char at[160], why[600];

    if (reached(m) <= best->reached)
        return true;
    best->reached = reached(m);
    node_text(n, at, sizeof at);
    explain(m, why, sizeof why);
    free(best->at);
    free(best->why);
    best->at = strdup(at);
    best->why = strdup(why);
    return best->at && best->why;
}

bool rule_nearest_tell(const rule_nearest *best, const rule *r, const inlay_rule_info *info,
                       pass_run *p)
{
    const rule_node *root = &r->left.nodes[r->root];
    inlay_rule_miss miss = {.rule = info, .at = best->at, .why = best->why};
    char none[160];

    if (best->reached == 0) {
        bool foreign = root->type && strcmp(root->rows[0]->set, "opset") != 0;

        snprintf(none, sizeof none, "there is no %s%s%s", root->type ? root->type : "operation",
                 foreign ? " of " : "", foreign ? root->rows[0]->set : "");
        miss.why = none;
    }
    return pass_tell(p, &(inlay_event){.kind = INLAY_EVENT_MISSED, .as.miss = &miss});
}

void rule_nearest_free(rule_nearest *best)
{
    free(best->at);
    free(best->why);
}
