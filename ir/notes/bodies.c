/* Nodes with bodies: which inputs they may hand through, and whether an output may be written over
 * an input. The notes of the bodies themselves are judged with the bodies. */
#include "ir/base/arena.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"
#include "ir/notes/notes.h"
#include "ir/notes/walk.h"

/* The back edges of a body are gone through so many times; then all of it is taken to leave. */
enum { MAX_ROUNDS = 64 };

/* What of a body may be an output of its node: nodes, of which a list is gone through. */
typedef struct leaving {
    const inlay_graph *g;
    const inlay_node **list;
    size_t n, traced;
    bool *met; /* by node id; of a Result: it is an output */
} leaving;

static void leave(leaving *l, const inlay_value *v)
{
    if (!v || l->met[v->node->id] || v->note == INLAY_OVERWRITES)
        return;
    l->met[v->node->id] = true;
    l->list[l->n++] = v->node;
}

/* Result R of the body is an output: what it has may leave, and where that has it from. */
static void leave_result(leaving *l, int r)
{
    leave(l, l->g->results[r]->in[0].value);
    for (; l->traced < l->n; l->traced++) {
        const inlay_node *n = l->list[l->traced];

        for (int i = 0; (n->op->flags & INLAY_ADOPTS) && i < n->n_in; i++)
            leave(l, n->in[i].value);
        for (int i = 0; i < n->n_out; i++) {
            if (n->out[i].note == INLAY_VIEW_OF)
                leave(l, n->out[i].note_target);
        }
    }
}

static bool leaves(const leaving *l, int param)
{
    return l->met[l->g->params[param]->id];
}

/* What leaves by a Parameter had been brought there by a back edge. False: it takes too long to
 * find out. */
static bool follow_back_edges(leaving *l, const inlay_body *b)
{
    size_t before = SIZE_MAX;

    for (int round = 0; round < MAX_ROUNDS && before != l->n; round++) {
        before = l->n;
        for (int i = b->n_back; i-- > 0;) {
            if (leaves(l, b->back[i].to))
                leave_result(l, b->back[i].from);
        }
        inlay_count_steps(l->g, (size_t)b->n_back);
    }
    return before == l->n;
}

/* Does P bring N an output as a whole? One that is noted as written over an input is left out:
 * who reads it reads what was written. */
static bool is_output(const inlay_node *n, const inlay_port *p)
{
    return inlay_port_is_plain(p) && n->out[p->outer].note != INLAY_OVERWRITES;
}

/* Marks in HANDED the inputs of N that leave by B. False: out of memory. */
static bool mark_handed(inlay_arena *a, const inlay_node *n, const inlay_body *b, bool *handed)
{
    size_t ids = (size_t)b->graph->next_id + 1;
    leaving l = {.g = b->graph,
                 .list = inlay_arena_array(a, ids, sizeof *l.list),
                 .met = inlay_arena_array(a, ids, sizeof *l.met)};
    bool all;

    if (!l.list || !l.met)
        return false;
    for (int i = 0; i < b->n_out; i++) {
        if (is_output(n, &b->out[i])) {
            l.met[b->graph->results[b->out[i].inner]->id] = true;
            leave_result(&l, b->out[i].inner);
        }
    }
    all = !follow_back_edges(&l, b);
    for (int i = 0; i < b->n_back && !inlay_node_surely_iterates(n); i++) {
        if (l.met[b->graph->results[b->back[i].from]->id])
            l.met[b->graph->params[b->back[i].to]->id] = true;
    }
    for (int i = 0; i < b->n_in; i++) {
        if (inlay_port_is_plain(&b->in[i]) && (all || leaves(&l, b->in[i].inner)))
            handed[b->in[i].outer] = true;
    }
    inlay_count_steps(n->graph, l.n + (size_t)b->n_in + (size_t)b->n_out + (size_t)b->n_back);
    return true;
}

const bool *note_handed_through(note_walker *w, const inlay_node *n)
{
    bool *handed = inlay_arena_array(w->arena, (size_t)n->n_in + 1, sizeof *handed);
    bool ok = handed != NULL;

    for (int i = 0; ok && i < n->n_bodies; i++)
        ok = !n->bodies[i].graph || mark_handed(w->arena, n, &n->bodies[i], handed);
    if (!ok)
        note_out_of_memory(w);
    return ok ? handed : NULL;
}

/* The value that owns the bytes of V by notes. *WHOLE: V is all of it. */
static const inlay_value *owner_of(const inlay_value *v, bool *whole)
{
    for (*whole = true; v->note != INLAY_FRESH; v = v->note_target)
        *whole = *whole && v->note == INLAY_OVERWRITES;
    return v;
}

/* Does output V end, in B, in the Parameter that INPUT enters, and no other output have bytes of
 * it? */
static bool ends_in(const inlay_body *b, const inlay_value *v, int input)
{
    const inlay_node *param = b->graph ? inlay_body_entered(b, input) : NULL;
    int ends = 0;

    for (int i = 0; param && i < b->n_out; i++) {
        const inlay_port *p = &b->out[i];
        const inlay_value *result = b->graph->results[p->inner]->in[0].value;
        bool whole;

        if (!inlay_port_is_plain(p) || owner_of(result, &whole)->node != param)
            continue;
        if (p->outer != v->index || !whole || !inlay_body_renews(b, p->inner, param))
            return false;
        ends++;
    }
    return ends > 0;
}

bool note_check_given(const inlay_value *v, note_complaint *c)
{
    const inlay_node *n = v->node;
    int input = -1;

    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value != v->note_target)
            continue;
        if (input >= 0)
            return note_complain(
                c, v, inlay_node_loops(n) ? INLAY_N6_LATER_ITERATIONS : INLAY_O7_SAME_VALUE_TWICE,
                "it is input %d and %d", input, i);
        input = i;
    }
    for (int i = 0; input >= 0 && i < n->n_bodies; i++) {
        if (!ends_in(&n->bodies[i], v, input))
            return note_complain(c, v, INLAY_B4_ENDS_THERE,
                                 "body %d does not end where input %d enters", i, input);
    }
    return input >= 0 ||
           note_complain(c, v, INLAY_NO_CONDITION, "an operation writes over one of its inputs");
}
