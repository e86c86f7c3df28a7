/* The checker's walk over the nodes in the order of the run. See walk.h. */
#include "ir/notes/walk.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"

static bool step(note_walker *w, const inlay_node *n)
{
    inlay_count_node(n);
    if (!note_check_reads(w, n))
        return false;
    w->begin = 0;
    for (int i = 0; i < n->n_out; i++) {
        if (!note_place_output(w, &n->out[i]))
            return false;
        if (n->n_out > 1)
            w->begin = inlay_value_cut_end(&n->out[i], w->begin);
    }
    return true;
}

/* Gives N's outputs the slots from SLOT on, and returns their number. */
static size_t take_slots(note_walker *w, const inlay_node *n, size_t slot)
{
    w->nodes[n->id].first_slot = slot;
    for (int i = 0; i < n->n_out; i++) {
        if (n->out[i].note != INLAY_FRESH)
            w->nodes[n->id].shares = w->nodes[n->out[i].note_target->node->id].shares = true;
    }
    return (size_t)n->n_out;
}

static bool walk_order(note_walker *w)
{
    size_t slots = 0;

    w->nodes = inlay_arena_array(w->arena, (size_t)w->g->next_id + 1, sizeof *w->nodes);
    for (const inlay_node *n = w->nodes ? w->g->first : NULL; n; n = n->next)
        slots += take_slots(w, n, slots);
    w->places = inlay_arena_array(w->arena, slots + 1, sizeof *w->places);
    w->state = inlay_arena_array(w->arena, (size_t)w->g->n_variables + 1, sizeof(note_buffer *));
    w->late = inlay_arena_array(w->arena, (size_t)w->g->next_id + 1, sizeof *w->late);
    if (!w->nodes || !w->places || !w->state || !w->late)
        return note_out_of_memory(w);
    inlay_list_late(w->order, w->late);
    for (size_t i = 0; i < w->order->n; i++) {
        if (!step(w, w->order->nodes[i]))
            return false;
    }
    return note_check_end(w);
}

bool note_walk(const inlay_graph *g, const inlay_order_list *order, note_complaint *c,
               inlay_diags *d)
{
    note_walker w = {.g = g,
                     .order = order,
                     .c = c,
                     .d = d,
                     .arena = inlay_arena_of(inlay_graph_budget(g)),
                     .costs.graph = g};
    bool ok = w.arena ? walk_order(&w) : inlay_fail_memory(d);

    inlay_arena_free(w.arena);
    return ok;
}
