/* The checker's walk over the nodes in the order of the run. See walk.h. */
#include "ir/notes/walk.h"
#include "ir/graph/work.h"

#include <stdlib.h>

static bool step(note_walker *w, const inlay_node *n)
{
    inlay_count_node(n);
    if (!note_check_reads(w, n))
        return false;
    for (int i = 0; i < n->n_out; i++) {
        if (!note_place_output(w, &n->out[i]))
            return false;
    }
    return true;
}

static bool walk_order(note_walker *w)
{
    size_t slots = 0;

    for (const inlay_node *n = w->g->first; n; n = n->next) {
        w->first_slot[n->id] = slots;
        slots += (size_t)n->n_out;
    }
    w->places = calloc(slots + 1, sizeof *w->places);
    w->state = calloc((size_t)w->g->n_variables + 1, sizeof(note_buffer *));
    if (!w->places || !w->state)
        return inlay_fail_memory(w->d);
    for (size_t i = 0; i < w->order->n; i++) {
        if (!step(w, w->order->nodes[i]))
            return false;
    }
    return note_check_end(w);
}

bool note_walk(const inlay_graph *g, const inlay_order_list *order, note_complaint *c,
               inlay_diags *d)
{
    note_walker w = {
        .g = g, .order = order, .c = c, .d = d, .arena = inlay_arena_new(), .costs.graph = g};
    bool ok;

    w.first_slot = calloc((size_t)g->next_id + 1, sizeof *w.first_slot);
    ok = w.first_slot && w.arena ? walk_order(&w) : inlay_fail_memory(d);
    free(w.first_slot);
    free(w.places);
    free(w.state);
    inlay_arena_free(w.arena);
    return ok;
}
