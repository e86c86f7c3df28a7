/* Would a rewrite lose an error of nodes that it does not match? */
#include "passes/query/lost.h"
#include "passes/rules/window.h"

/* The nodes whose results the right side names. */
typedef struct named {
    inlay_node *node[LOST_NODES];
    int n;
} named;

static void add(named *k, const inlay_value *v)
{
    if (v && k->n < LOST_NODES)
        k->node[k->n++] = v->node;
}

static void add_term(named *k, const rule_match *m, const rule_term *t)
{
    const rule_binding *b;

    if (t->kind != TERM_NAME && t->kind != TERM_REST && t->kind != TERM_WINDOW)
        return;
    b = &m->names[t->name];
    if (b->kind == RULE_VALUE)
        add(k, b->value);
    for (int i = 0; b->kind == RULE_LIST && i < b->n_list; i++)
        add(k, b->list[i]);
    for (int i = 0; b->kind == RULE_WINDOW && b->window && b->window->from && i < 4; i++)
        add(k, inlay_node_window(b->window->from, i));
}

static void list_named(named *k, const rule_match *m)
{
    const rule_side *right = &m->rule->right;

    for (int i = 0; i < right->n_values; i++)
        add_term(k, m, &right->values[i]);
    for (int i = 0; i < right->n_nodes; i++) {
        for (int a = 0; a < right->nodes[i].n_in; a++)
            add_term(k, m, &right->nodes[i].in[a]);
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
static bool never_fails(const inlay_node *n)
{
    inlay_window w[INLAY_MAX_RANK];

    return query_never_fails(n) || (inlay_node_writes_window(n) && rule_read_window(n, w));
}

const inlay_node *rule_lost_error(const rule_match *m)
{
    named k = {.n = 0};
    lost_nodes l = {.kept = k.node};

    if (m->rule->exactness != INLAY_EXACT)
        return NULL;
    list_named(&k, m);
    l.n_kept = k.n;
    query_lost_nodes(&l, m->nodes[m->rule->root]);
    for (int i = 0; i < l.n; i++) {
        if (!is_matched(m, l.node[i]) && !never_fails(l.node[i]))
            return l.node[i];
    }
    return l.many ? l.node[l.n - 1] : NULL;
}
