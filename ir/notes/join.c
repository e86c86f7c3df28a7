/* Values that are written part by part: operands of a node such as Concat may be computed in their
 * parts of its result. See walk.h. */
#include "ir/graph/node.h"
#include "ir/notes/walk.h"

/* Places V in its part of R, which has a place. */
static bool part_of(note_walker *w, const inlay_value *v, const inlay_value *r)
{
    note_place *p = note_place_of(w, v), *from = note_place_of(w, r);
    const inlay_region *outer = note_where(w, from);

    if (!outer)
        return false;
    if (!inlay_node_has_part(r->node, v, w->late))
        return note_complain(w->c, v, INLAY_N2_CHECKS_FIRST,
                             "its part is not known before the run");
    *p = (note_place){.in = from->in,
                      .where = inlay_region_part(w->arena, outer, v, r),
                      .scatter = from->scatter};
    return p->where || note_out_of_memory(w);
}

/* Places R in the window of its scatter. V is the first value that is written there. */
static bool window_of(note_walker *w, const inlay_value *v, const inlay_value *r)
{
    const inlay_node *scatter = r->note_target->node;
    const inlay_value *data = inlay_node_input(scatter, scatter->op->overwrites);
    note_place *p = note_place_of(w, r), *d = note_place_of(w, data);
    const inlay_region *outer = note_where(w, d);

    if (!outer)
        return false;
    *p = (note_place){
        .in = d->in, .where = inlay_region_window(w->arena, outer, r, scatter), .scatter = scatter};
    if (!p->where)
        return note_out_of_memory(w);
    return inlay_region_on_bytes(p->where, d->in->owner) ||
           note_complain(w->c, v, INLAY_O12_WHOLE_BYTE_WINDOW,
                         "the window's rows do not begin and end on whole bytes");
}

/* Places R, after the value that R is a part of. */
static bool reserve(note_walker *w, const inlay_value *v, const inlay_value *r)
{
    if (r->note == INLAY_FRESH) {
        *note_place_of(w, r) = (note_place){.in = note_new_buffer(w, r)};
        return !w->failed;
    }
    if (note_place_of(w, r->note_target)->made)
        return note_complain(w->c, v, INLAY_NO_CONDITION, "what it would stand in runs before it");
    return (r->note_target->node->op->flags & INLAY_HOLDS) ? part_of(w, r, r->note_target)
                                                           : window_of(w, v, r);
}

/* Places V, after all values that it is directly or indirectly a part of. The outermost may be in
 * the window of a scatter, whose other operands must be computed by then. */
static bool reserve_all(note_walker *w, const inlay_value *v)
{
    const inlay_value **chain, *r = v, *last = v;
    const inlay_node *scatter;
    size_t n = 0;

    for (; !note_place_of(w, last)->in; last = last->note_target) {
        n++;
        if (last->note != INLAY_INTO || !(last->note_target->node->op->flags & INLAY_HOLDS))
            break;
    }
    scatter = note_place_of(w, last)->scatter;
    if (!note_place_of(w, last)->in && last->note == INLAY_INTO)
        scatter = last->note_target->node;
    if (scatter && !note_check_ready(w, v, scatter))
        return false;
    chain = inlay_arena_array(w->arena, n + 1, sizeof *chain);
    if (!chain)
        return note_out_of_memory(w);
    for (size_t i = 0; i < n; i++, r = r->note_target)
        chain[i] = r;
    while (n > 0) {
        if (!reserve(w, v, chain[--n]))
            return false;
    }
    return true;
}

/* Writes V, which has its place, there. A value in a buffer of its own is not a layer. */
static bool write_part(note_walker *w, const inlay_value *v)
{
    note_place *p = note_place_of(w, v);
    const inlay_region *where = note_where(w, p);

    if (!where || !note_check_root(w, v, p->in) || !note_check_own_reads(w, v, p->in, where) ||
        (v->note != INLAY_FRESH && !note_push(w, p->in, v, where)))
        return false;
    p->knows = p->in->layers.n;
    return true;
}

bool note_place_written(note_walker *w, const inlay_value *v)
{
    return note_check_made(w, v) && reserve_all(w, v) && write_part(w, v);
}
