/* Gives each value its place according to its note, and judges what is written. See walk.h. */
#include "ir/graph/node.h"
#include "ir/notes/walk.h"

/* All ReadValues of a variable share a buffer. In a body it is never written. */
static bool place_fresh(note_walker *w, const inlay_value *v)
{
    const inlay_variable *read =
        w->g->owner ? NULL : inlay_variable_of(v->node, INLAY_OP_READ_VALUE);
    note_place *p = note_place_of(w, v);

    if (read && w->state[read->index]) {
        p->in = w->state[read->index];
        return true;
    }
    p->in = note_new_buffer(w, v);
    if (read && p->in) {
        p->in->variable = read;
        w->state[read->index] = p->in;
    }
    return p->in != NULL;
}

static bool place_view(note_walker *w, const inlay_value *v)
{
    note_place *p = note_place_of(w, v), *from = note_place_of(w, v->note_target);
    const inlay_region *outer = note_where(w, from);
    bool shown;

    if (!outer)
        return false;
    *p = (note_place){.in = from->in, .knows = from->knows};
    p->where = inlay_region_view(w->arena, outer, v, w->begin, &shown);
    if (!p->where)
        return note_out_of_memory(w);
    if (!shown)
        return note_complain(w->c, v, INLAY_V2_STRIDED_READERS, "no strides show what it reshapes");
    if ((v->node->op->flags & (INLAY_CUTS | INLAY_ROWS)) &&
        !inlay_region_on_bytes(p->where, p->in->owner))
        return note_complain(w->c, v, INLAY_V4_WHOLE_BYTES,
                             "its rows do not begin and end on whole bytes");
    return true;
}

/* R, the result of a scatter of a window, is about to be stored where its data is, at D, and to
 * contain all layers. Layers that the data does not contain must be the updates of R, or be covered
 * by them, or belong to a value that consists of the data and leaves it unchanged. */
static bool check_window(note_walker *w, const inlay_value *r, note_place *d,
                         const inlay_region *written)
{
    const inlay_value *u = inlay_value_into_operand(r);
    size_t own = u ? note_place_of(w, u)->knows - 1 : d->in->layers.n;

    for (size_t k = d->knows; k < d->in->layers.n; k++) {
        const note_layer *l = &d->in->layers.list[k];
        bool covered = k < own && (note_inside(&w->costs, l->where, written) ||
                                   (u && inlay_value_stands_in_part(l->value, u)));

        if (k == own || covered || inlay_value_stands_in_part(r->note_target, l->value) ||
            !note_meets(&w->costs, l->where, note_where(w, d)))
            continue;
        return note_complain(w->c, r, INLAY_O5_ONE_OVERWRITER, "%s was already written over %s",
                             note_value_words(w->c, l->value),
                             note_value_words(w->c, r->note_target));
    }
    return true;
}

static bool place_overwriting(note_walker *w, const inlay_value *v)
{
    note_place *p = note_place_of(w, v), *t = note_place_of(w, v->note_target);
    const inlay_region *where = note_where(w, t), *written = where;
    inlay_region_room room;

    if (!where || !note_check_root(w, v, t->in))
        return false;
    if ((v->node->op->flags & INLAY_HAS_BODY) && !inlay_region_is_whole(where))
        return note_complain(w->c, v, INLAY_O1_SAME_TYPE_AND_SHAPE,
                             "bodies write over whole buffers only");
    if (inlay_node_writes_window(v->node))
        written = inlay_region_slice(where, v->node, &room);
    else if (v->node->op->flags & INLAY_SCATTER) /* some positions, it is not known which */
        written = inlay_region_some(where, &room);
    written = inlay_region_keep(w->arena, written, &room);
    if (!written)
        return note_out_of_memory(w);
    if (!note_check_own_reads(w, v, t->in, written) ||
        (inlay_node_writes_window(v->node) && !check_window(w, v, t, written)))
        return false;
    if (!inlay_value_into_operand(v) && !note_push(w, t->in, v, written))
        return false;
    *p = (note_place){.in = t->in, .knows = t->in->layers.n, .where = where};
    return true;
}

static bool place(note_walker *w, const inlay_value *v)
{
    if (v->note == INLAY_INTO || note_place_of(w, v)->in)
        return note_place_written(w, v);
    if (v->note == INLAY_FRESH)
        return place_fresh(w, v);
    return v->note == INLAY_VIEW_OF ? place_view(w, v) : place_overwriting(w, v);
}

/* Do the grounds of V's note hold? V has its place. */
static bool check_stated(note_walker *w, const inlay_value *v)
{
    for (int i = 0; v->grounds && i < v->grounds->n; i++) {
        const inlay_ground *g = &v->grounds->list[i];
        inlay_condition kept = (inlay_condition)g->condition;

        if (!note_is_met(w, g) && !note_is_read_before(w, v, g->node, kept))
            return !w->failed &&
                   note_complain(w->c, v, kept, "it is not so that %s %s",
                                 note_node_words(w->c, g->node), inlay_condition_kept(kept));
    }
    return true;
}

bool note_place_output(note_walker *w, const inlay_value *v)
{
    bool ok;

    note_open_grounds(w, v);
    ok = place(w, v) && check_stated(w, v);
    note_place_of(w, v)->made = true;
    return ok;
}
