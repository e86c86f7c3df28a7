/* What the files of the checker ask of a walk that goes on. See walk.h. */
#include "ir/notes/walk.h"

bool note_out_of_memory(note_walker *w)
{
    w->failed = true;
    return inlay_fail_memory(w->d);
}

note_place *note_place_of(const note_walker *w, const inlay_value *v)
{
    return &w->places[w->first_slot[v->node->id] + (size_t)v->index];
}

const note_region *note_where(note_walker *w, note_place *p)
{
    if (!p->in->whole && !(p->in->whole = note_region_whole(w->arena, p->in->owner)))
        note_out_of_memory(w);
    if (!p->where)
        p->where = p->in->whole;
    return p->where;
}

bool note_stands_in_part(const inlay_value *v, const inlay_value *r)
{
    if (!(r->node->op->flags & INLAY_HOLDS))
        return false;
    for (; v->note != INLAY_FRESH; v = v->note_target) {
        if (v->note == INLAY_INTO && v->note_target == r)
            return true;
    }
    return false;
}
