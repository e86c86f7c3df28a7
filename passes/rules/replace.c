/* Replaces what the left side of a rule matched by its right side. */
#include "passes/rules/build.h"

/* Every value that fits NOW also fits OLD: type, rank and sizes. */
static bool refines(const inlay_fact *now, const inlay_fact *old)
{
    if (old->type != INLAY_DYNAMIC && now->type != old->type)
        return false;
    if (old->rank >= 0 && now->rank != old->rank)
        return false;
    for (int i = 0; i < old->rank; i++) {
        if (now->dims[i].lo < old->dims[i].lo || now->dims[i].hi > old->dims[i].hi)
            return false;
    }
    return true;
}

/* Removes the nodes that were made after MARK. */
static bool undo(inlay_graph *g, const inlay_node *mark, inlay_diags *d)
{
    while (g->last != mark) {
        if (!inlay_node_remove(g->last, d))
            return false;
    }
    return true;
}

static bool is_made(const rule_building *b, const inlay_value *v)
{
    return v->node->id >= b->first_id;
}

/* The values of BY are all outputs, in order, of a new node. */
static bool are_of_one_node(const rule_building *b, inlay_value **by, int n)
{
    const inlay_node *made = by[0]->node;

    for (int i = 0; i < n; i++) {
        if (by[i]->node != made || by[i]->index != i)
            return false;
    }
    return is_made(b, by[0]) && made->n_out == n;
}

/* NOW may replace OLD. A new node keeps the identities of OLD's sizes, since it is the same value.
 */
static bool fits(const rule_building *b, inlay_value *old, inlay_value *now)
{
    if (old == now || now->node == old->node)
        return false;
    if (is_made(b, now)) {
        now->fact = old->fact;
        inlay_value_unsettle_readers(now);
        if (!inlay_infer_node(now->node, b->diags))
            return false;
    }
    return refines(&now->fact, &old->fact);
}

/* Replaces the outputs of a node one by one. None of them may be an output of the graph, because
 * the name of that output would be lost. */
static bool replace_each(inlay_node *root, inlay_value **by, bool *done, inlay_diags *d)
{
    *done = true;
    for (int i = 0; i < root->n_out; i++)
        *done = *done && !inlay_value_is_output(&root->out[i]);
    if (*done && !pass_ask_readers_all(root, by, done, d))
        return false;
    if (!*done)
        return true;
    for (int i = 0; i < root->n_out; i++) {
        if (!inlay_value_replace(&root->out[i], by[i], d))
            return false;
    }
    return inlay_node_remove(root, d);
}

static bool replace(const rule_building *b, inlay_node *root, inlay_value **by, bool *done,
                    inlay_diags *d)
{
    if (are_of_one_node(b, by, root->n_out)) {
        return pass_ask_readers_all(root, by, done, d) &&
               (!*done || inlay_replace_by_new(&root->out[0], by[0], d));
    }
    if (root->n_out == 1 && !is_made(b, by[0]))
        return inlay_replace_by_old(&root->out[0], by[0], done, d);
    return replace_each(root, by, done, d);
}

static bool try_to_apply(rule_building *b, bool *done)
{
    rule_match *m = b->m;
    inlay_node *root = m->nodes[m->rule->root];
    inlay_value **by = rule_alloc(m, ((size_t)root->n_out + 1) * sizeof(inlay_value *));

    *done = false;
    if (!by || !rule_make_values(b, by, root->n_out))
        return inlay_diags_status(b->diags) != INLAY_NO_RESOURCE;
    for (int i = 0; i < root->n_out; i++) {
        if (!fits(b, &root->out[i], by[i]))
            return inlay_diags_status(b->diags) != INLAY_NO_RESOURCE;
    }
    return replace(b, root, by, done, b->diags);
}

bool rule_apply(rule_match *m, bool *done, inlay_diags *d)
{
    rule_building b = {.m = m, .first_id = m->graph->next_id, .diags = inlay_diags_new()};
    inlay_node *mark = m->graph->last;
    bool ok;

    *done = false;
    if (!b.diags)
        return inlay_fail_memory(d);
    ok = try_to_apply(&b, done);
    if (ok && m->no_memory)
        ok = false;
    if (!ok)
        inlay_fail_memory(d);
    else if (!*done)
        ok = undo(m->graph, mark, d);
    inlay_diags_free(b.diags);
    return ok;
}
