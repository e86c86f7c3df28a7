/* Lists the nodes of a graph and of its bodies, each with the group that shows it. */
#include "front/view/view.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

static bool is_row(const inlay_node *n)
{
    const inlay_use *u = n->n_out == 1 ? n->out[0].uses : NULL;

    if (!inlay_node_is(n, INLAY_OP_CONST) || !u)
        return false;
    for (; u; u = u->next) {
        if (inlay_node_is(u->node, INLAY_OP_RESULT))
            return false;
    }
    return true;
}

static int add_node(view_scene *s, const inlay_node *n, inlay_diags *d)
{
    size_t cap = s->cap ? 2 * s->cap : 64;
    view_node *grown = s->n < s->cap
                           ? s->nodes
                           : inlay_retake(inlay_node_budget(n), s->nodes, cap * sizeof *grown);

    if (!grown) {
        inlay_fail_memory(d);
        return -1;
    }
    s->cap = s->n < s->cap ? s->cap : cap;
    s->nodes = grown;
    s->nodes[s->n] = (view_node){n, 0, n->n_bodies > 0, is_row(n)};
    return (int)s->n++;
}

static bool add_graph(inlay_view *v, view_scene *s, const inlay_graph *g, int group,
                      inlay_diags *d);

/* The bodies of node OWNER, as groups within the group that shows it. */
static bool add_bodies(inlay_view *v, view_scene *s, int owner, int group, inlay_diags *d)
{
    const inlay_node *n = s->nodes[owner].node;

    for (int i = 0; i < n->n_bodies; i++) {
        int body;

        if (!n->bodies[i].graph)
            continue;
        body = view_new_group(s, view_text(v, n->bodies[i].role), group, "body", -1, d);
        if (body < 0 || !add_graph(v, s, n->bodies[i].graph, body, d))
            return false;
    }
    return true;
}

static bool add_item(inlay_view *v, view_scene *s, const inlay_node *n, view_item *item,
                     inlay_diags *d)
{
    char op[160];
    int number = add_node(s, n, d);

    inlay_op_text(n->op, op, sizeof op);
    *item = (view_item){number, -1, n->name, view_hash(17, op, strlen(op))};
    if (number < 0 || !s->nodes[number].owns)
        return number >= 0;
    item->node = -1;
    item->group = view_new_group(s, view_text(v, n->name), 0, "node", number, d);
    if (item->group < 0)
        return false;
    s->nodes[number].group = item->group;
    return add_bodies(v, s, number, item->group, d);
}

/* A constant is shown where its first reader is. */
static void place_rows(view_scene *s)
{
    for (size_t i = 0; i < s->n; i++) {
        for (int k = 0; k < s->nodes[i].node->n_in; k++) {
            const inlay_value *x = s->nodes[i].node->in[k].value;
            int number = x ? view_number_of(s, x->node) : -1;

            if (number >= 0 && s->nodes[number].row && s->nodes[number].group < 0)
                s->nodes[number].group = s->nodes[i].group;
        }
    }
}

/* Recursive; readers limit the depth of bodies. */
static bool add_graph(inlay_view *v, view_scene *s, const inlay_graph *g, int group, inlay_diags *d)
{
    inlay_order_list order;
    view_item *items;
    size_t n = 0;
    bool ok;

    if (!inlay_order(g, true, &order, d))
        return false;
    items = inlay_take(inlay_graph_budget(g), order.n + 1, sizeof *items);
    ok = items || inlay_fail_memory(d);
    for (size_t i = 0; ok && i < order.n; i++) {
        ok = add_item(v, s, order.nodes[i], &items[n], d);
        n += ok && (items[n].node < 0 || !s->nodes[items[n].node].row);
    }
    ok = ok && view_arrange(v, s, items, n, group, d);
    inlay_give(items);
    inlay_order_free(&order);
    return ok;
}

bool view_scene_make(inlay_view *v, const inlay_graph *g, view_scene *s, inlay_diags *d)
{
    *s = (view_scene){.budget = v->budget};
    if (view_new_group(s, view_text(v, g->name ? g->name : ""), -1, "graph", -1, d) < 0 ||
        !add_graph(v, s, g, 0, d) || !view_number_nodes(s, d))
        return false;
    for (size_t i = 0; i < s->n; i++)
        s->nodes[i].group = s->nodes[i].row ? -1 : s->nodes[i].group;
    place_rows(s);
    return true;
}
