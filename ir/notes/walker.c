/* The state of the walk, and the grounds that the note being judged states (ir/graph/ground.c). See
 * walk.h. */
#include "ir/notes/walk.h"

bool note_out_of_memory(note_walker *w)
{
    w->failed = true;
    return inlay_fail_memory(w->d);
}

note_place *note_place_of(const note_walker *w, const inlay_value *v)
{
    return &w->places[w->nodes[v->node->id].first_slot + (size_t)v->index];
}

const inlay_region *note_where(note_walker *w, note_place *p)
{
    if (!p->in->whole && !(p->in->whole = inlay_region_whole(w->arena, p->in->owner)))
        note_out_of_memory(w);
    if (!p->where)
        p->where = p->in->whole;
    return p->where;
}

_Static_assert(INLAY_CONDITIONS <= 64, "a condition is a bit of note_node.stated");

static uint64_t bit_of(int condition)
{
    return UINT64_C(1) << condition;
}

void note_open_grounds(note_walker *w, const inlay_value *v)
{
    for (int i = 0; v->grounds && i < v->grounds->n; i++) {
        const inlay_ground *g = &v->grounds->list[i];
        note_node *n = &w->nodes[g->node->id];

        if (n->of != v)
            n->stated = n->met = 0;
        n->of = v;
        n->stated |= bit_of(g->condition);
    }
}

bool note_rely(note_walker *w, const inlay_value *v, inlay_condition kept, const inlay_node *by)
{
    note_node *n = &w->nodes[by->id];
    bool stated = n->of == v && (n->stated & bit_of(kept));

    n->met |= stated ? bit_of(kept) : 0;
    return stated || !v->grounds ||
           note_complain(w->c, v, kept, "it does not say that %s %s", note_node_words(w->c, by),
                         inlay_condition_kept(kept));
}

bool note_is_met(const note_walker *w, const inlay_ground *g)
{
    return w->nodes[g->node->id].met & bit_of(g->condition);
}
