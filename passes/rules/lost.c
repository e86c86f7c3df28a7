/* Would a rewrite lose an error of nodes that it does not match? */
#include "passes/query/lost.h"
#include "passes/rules/window.h"

static void keep(lost_nodes *l, const inlay_value *v)
{
    if (v)
        query_keep(l, v->node);
}

static void keep_term(lost_nodes *l, const rule_match *m, const rule_term *t)
{
    const rule_binding *b;

    if (t->kind != TERM_NAME && t->kind != TERM_REST && t->kind != TERM_WINDOW)
        return;
    b = &m->names[t->name];
    if (b->kind == RULE_VALUE)
        keep(l, b->value);
    for (int i = 0; b->kind == RULE_LIST && i < b->n_list; i++)
        keep(l, b->list[i]);
    for (int i = 0; b->kind == RULE_WINDOW && b->window && b->window->from && i < 4; i++)
        keep(l, inlay_node_window(b->window->from, i));
}

/* What the right side names is needed. */
static void keep_named(lost_nodes *l, const rule_match *m)
{
    const rule_side *right = &m->rule->right;

    for (int i = 0; i < right->n_values; i++)
        keep_term(l, m, &right->values[i]);
    for (int i = 0; i < right->n_nodes; i++) {
        for (int a = 0; a < right->nodes[i].n_in; a++)
            keep_term(l, m, &right->nodes[i].in[a]);
    }
}

static bool is_matched(const rule_match *m, const inlay_node *n)
{
    for (int i = 0; i < m->rule->left.n_nodes; i++) {
        if (m->nodes[i] == n)
            return true;
    }
    return false;
}

/* Of a window that is written the rules know more. */
static bool is_harmless(const inlay_node *n, const void *ctx)
{
    inlay_window w[INLAY_MAX_RANK];

    return is_matched(ctx, n) || query_never_fails(n) ||
           (inlay_node_writes_window(n) && rule_read_window(n, w));
}

const inlay_node *rule_lost_error(rule_match *m)
{
    lost_nodes l = {0};
    const inlay_node *error;

    if (m->rule->exactness != INLAY_EXACT)
        return NULL;
    keep_named(&l, m);
    error = query_lost(&l, m->nodes[m->rule->root], is_harmless, m);
    m->no_memory = m->no_memory || l.no_memory;
    return error;
}
