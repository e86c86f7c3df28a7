/* Judges reads at the end of the run: outputs, states, and inputs that bodies may pass through. */
#include "ir/base/arena.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"
#include "ir/notes/walk.h"

/* The last value written into B. */
static const inlay_value *last_write(const note_buffer *b)
{
    return b->layers.list[b->layers.n - 1].value;
}

/* Is V all of the buffer B, in order, and was B allocated in this run by a node of this graph? */
static bool takes_buffer(note_walker *w, const inlay_value *v, const note_buffer *b)
{
    const inlay_node *n = b->owner->node;
    const inlay_region *r = note_where(w, note_place_of(w, v));

    return r && inlay_region_fills(r) &&
           (inlay_node_is(n, INLAY_OP_PARAMETER) ? !w->g->owner && b->layers.n > 0
                                                 : n->n_in > 0 && !(n->op->flags & INLAY_ADOPTS));
}

/* Judges the read U at the end of the run. */
static bool check_observed(note_walker *w, const inlay_use *u)
{
    note_buffer *b = note_place_of(w, u->value)->in;
    const inlay_value *v = u->value, *other = b->seen != v ? b->seen : NULL;
    const inlay_variable *to = inlay_variable_of(u->node, INLAY_OP_ASSIGN);

    b->seen = v;
    if (v->note == INLAY_VIEW_OF &&
        (other || !inlay_node_is(u->node, INLAY_OP_RESULT) || !takes_buffer(w, v, b)))
        other = v;
    if (other && other->note == INLAY_VIEW_OF)
        return note_complain(w->c, other, INLAY_V3_DOES_NOT_OUTLIVE,
                             "it outlives the buffer: %s has it", note_node_words(w->c, u->node));
    if (b->variable && b->layers.n > 0 &&
        (to ? to != b->variable : inlay_node_is(u->node, INLAY_OP_RESULT)))
        return note_complain(w->c, last_write(b), INLAY_O4_NOT_READ_AT_END,
                             "%s would give away the buffer of variable \"%.80s\"",
                             note_node_words(w->c, u->node), b->variable->name);
    return note_check_read(w, u);
}

/* Judges all reads at the end of the run: by Results and Assigns, and of inputs that bodies may
 * pass through. */
static bool check_observers(note_walker *w)
{
    for (size_t i = 0; i < w->order->n; i++) {
        const inlay_node *n = w->order->nodes[i];
        bool bodies = n->op->flags & INLAY_HAS_BODY;
        const bool *handed = bodies ? note_handed_through(w, n) : NULL;

        for (int k = 0; k < n->n_out; k++) {
            if (n->out[k].note == INLAY_INTO && !note_place_of(w, n->out[k].note_target)->made)
                return note_complain(w->c, &n->out[k], INLAY_NO_CONDITION,
                                     "what it is computed into does not run");
        }
        for (int k = 0; (handed || (n->op->flags & INLAY_SINK)) && k < n->n_in; k++) {
            if (n->in[k].value && (!bodies || handed[k]) && !check_observed(w, &n->in[k]))
                return false;
        }
        if (w->failed)
            return false;
    }
    return true;
}

/* B, the buffer of a variable, was written. At the end it must hold what ASSIGN stores, and no node
 * INSIDE of a body may use the variable. Both may be NULL. */
static bool check_state(note_walker *w, const note_buffer *b, const inlay_node *assign,
                        const inlay_node *inside)
{
    const inlay_value *v = assign ? inlay_node_input(assign, 0) : NULL;
    note_place *p = v ? note_place_of(w, v) : NULL;
    const inlay_region *where = p ? note_where(w, p) : NULL;

    if (inside)
        return note_complain(w->c, last_write(b), INLAY_B5_VARIABLE_NOT_IN_BODY,
                             "a body uses variable \"%.80s\"", b->variable->name);
    if (!v)
        return note_complain(w->c, last_write(b), INLAY_O2_WRITABLE_BUFFER,
                             "nothing is assigned to variable \"%.80s\", which is written",
                             b->variable->name);
    if (!where)
        return false;
    if (p->in != b || !inlay_region_is_whole(where))
        return note_complain(w->c, last_write(b), INLAY_O13_RESULT_SURVIVES,
                             "%s assigns something else to variable \"%.80s\"",
                             note_node_words(w->c, assign), b->variable->name);
    return true;
}

static bool check_states(note_walker *w)
{
    size_t n = (size_t)w->g->n_variables;
    const inlay_node **assign = inlay_arena_array(w->arena, n, sizeof *assign);
    const inlay_node **inside = inlay_arena_array(w->arena, n, sizeof *inside);

    if (!assign || !inside)
        return note_out_of_memory(w);
    inlay_variables_in_bodies(w->g, inside);
    inlay_variables_assigned(w->g, assign);
    for (size_t i = 0; i < n; i++) {
        if (w->state[i] && w->state[i]->layers.n > 0 &&
            !check_state(w, w->state[i], assign[i], inside[i]))
            return false;
    }
    return true;
}

bool note_check_end(note_walker *w)
{
    w->over = true;
    return (w->g->owner || check_states(w)) && check_observers(w);
}
