/* How many bytes are copied where nothing, or not everything, is done in place. */
#include "passes/inplace/decide.h"
#include "passes/query/indices.h"

/* A slice that the records of two scatters name is copied once, and counted with the first. */
void inplace_count_bytes(const inplace_pass *p, inlay_in_place *what)
{
    const inlay_value *updates = query_scatter_updates(what->scatter);

    what->copies_updates = updates && !inlay_fact_is_empty(&updates->fact) && !what->into.asked &&
                           scatter_replaces(what->scatter);
    if (what->copies_updates)
        what->update_bytes = inplace_bytes_of(updates);
    if (!what->overwrite.made)
        what->overwrite.bytes = inplace_bytes_of(query_scatter_data(what->scatter));
    if (what->view.asked && !what->view.made && !p->named[what->slice->id])
        what->view.bytes = inplace_bytes_of(&what->slice->out[0]);
    if (what->into.asked && !what->into.made)
        what->into.bytes = inplace_bytes_of(query_scatter_updates(what->scatter));
}

/* Does N compute nothing, but move elements or convert them to the type they have? */
static bool only_moves(const inlay_node *n)
{
    if (!inlay_node_input(n, 0) || n->n_out == 0)
        return false;
    if (n->op->flags & INLAY_CONVERTS)
        return n->in[0].value->fact.type == n->out[0].fact.type &&
               n->out[0].fact.type != INLAY_DYNAMIC;
    return n->op->flags & (INLAY_MOVES | INLAY_VIEW);
}

/* Is V, the output of a node that only moves elements, copied? It is not when it is a view, or is
 * computed into the window that its node reads. */
static bool is_copied(const inlay_value *v)
{
    bool apart = v->note == INLAY_FRESH ||
                 (v->note == INLAY_INTO && v->node->in[0].value->note == INLAY_FRESH);

    return apart && !inlay_fact_is_empty(&v->fact);
}

bool inplace_tell_copies(const inplace_pass *p)
{
    bool ok = true;

    for (size_t i = 0; ok && i < p->s.order.list.n; i++) {
        const inlay_node *n = p->s.order.list.nodes[i];
        bool copies = false, known = true;
        uint64_t bytes = 0;

        for (int k = 0; only_moves(n) && !p->named[n->id] && k < n->n_out; k++) {
            if (!is_copied(&n->out[k]))
                continue;
            copies = true;
            known = known && inplace_bytes_of(&n->out[k]) > 0;
            bytes += inplace_bytes_of(&n->out[k]);
        }
        ok = !copies ||
             pass_tell(p->run, &(inlay_event){.kind = INLAY_EVENT_COPIES,
                                              .as.copy = &(inlay_copy){n, known ? bytes : 0}});
    }
    return ok;
}
