/* Rows of a list, which no strides show: they are read and written where they stand by nodes that
 * have functions for single rows, if these nodes follow each other and nobody else needs what they
 * make.
 *
 *     %x = Gather(%d, %i)                 only Sigmoid and Multiply read it
 *     %w = MatMul(%a, %b)                 comes before Sigmoid, by an order edge
 *     %s = Sigmoid(%x)
 *     %y = Multiply(%s, %w)
 *     %r = ScatterUpdate(%d, %i, %y)
 */
#include "passes/inplace/decide.h"

enum { MAX_SEARCH = 256 }; /* nodes that are looked at */

bool inplace_has_row_function(const inlay_node *n)
{
    inlay_type type = n->n_out == 1 ? n->out[0].fact.type : INLAY_DYNAMIC;
    bool has = inplace_is_pointwise(n) && (n->op->flags & INLAY_BLOCKS) &&
               (type == INLAY_F32 || type == INLAY_F64);

    for (int i = 0; has && i < n->n_in; i++)
        has = n->in[i].value && n->in[i].value->fact.type == type;
    return has;
}

bool inplace_feeds_only(inplace_pass *p, const inlay_value *v, const inlay_node *scatter,
                        const inlay_node **other)
{
    const inlay_value *stack[MAX_SEARCH];
    int depth = 0, budget = MAX_SEARCH, updates = inlay_op_operand(scatter->op, INLAY_ROLE_UPDATES);

    *other = NULL;
    stack[depth++] = v;
    while (depth > 0 && !*other) {
        const inlay_value *top = stack[--depth];

        for (const inlay_use *u = top->uses; u && !*other; u = u->next) {
            p->s.steps++;
            if (!inplace_runs(&p->s.order, u->node) || (u->node == scatter && u->index == updates))
                continue;
            if (!inplace_has_row_function(u->node) || !inplace_same_extent(&u->node->out[0], v) ||
                budget-- == 0 || depth == MAX_SEARCH)
                *other = u->node;
            else
                stack[depth++] = &u->node->out[0];
        }
    }
    return !*other;
}

/* The nodes that compute the updates of a scatter row by row, and the others that they read. */
typedef struct row_nodes {
    inlay_node *inside[MAX_SEARCH], *outside[MAX_SEARCH];
    int n_inside, n_outside;
} row_nodes;

static bool is_among(inlay_node *const *list, int n, const inlay_node *node)
{
    bool found = false;

    for (int i = 0; i < n && !found; i++)
        found = list[i] == node;
    return found;
}

/* False: there are too many. */
static bool list_row_nodes(inplace_pass *p, const inlay_node *scatter, row_nodes *r)
{
    const inlay_value *updates = query_scatter_updates(scatter);
    const inlay_node *other;

    *r = (row_nodes){.inside = {updates->node}, .n_inside = 1};
    for (int i = 0; i < scatter->n_in; i++) {
        inlay_value *v = scatter->in[i].value;

        if (v && v != updates && !inlay_node_is(v->node, INLAY_OP_CONST))
            r->outside[r->n_outside++] = v->node;
    }
    for (int i = 0; i < r->n_inside; i++) {
        for (int k = 0; k < r->inside[i]->n_in; k++) {
            inlay_value *v = r->inside[i]->in[k].value;
            bool in = inplace_has_row_function(v->node) && inplace_same_extent(v, updates) &&
                      inplace_feeds_only(p, v, scatter, &other);

            if (inlay_node_is(v->node, INLAY_OP_CONST) ||
                is_among(in ? r->inside : r->outside, in ? r->n_inside : r->n_outside, v->node))
                continue;
            if (r->n_inside == MAX_SEARCH || r->n_outside == MAX_SEARCH)
                return false;
            *(in ? &r->inside[r->n_inside++] : &r->outside[r->n_outside++]) = v->node;
        }
    }
    return true;
}

/* Reads NODE nothing that one of the nodes makes? */
static bool is_first(const row_nodes *r, const inlay_node *node)
{
    bool first = true;

    for (int k = 0; k < node->n_in && first; k++)
        first = !is_among(r->inside, r->n_inside, node->in[k].value->node);
    return first;
}

bool inplace_rows_together(inplace_pass *p, const inlay_node *scatter, const inlay_node **late,
                           inlay_in_place *what)
{
    row_nodes r;

    *late = list_row_nodes(p, scatter, &r) ? NULL : scatter;
    for (int i = 0; i < r.n_inside && !*late; i++) {
        for (int k = 0; k < r.n_outside && !*late && is_first(&r, r.inside[i]); k++) {
            if (!inplace_comes_first(p, r.outside[k], r.inside[i], late, what))
                return false;
        }
    }
    return true;
}
