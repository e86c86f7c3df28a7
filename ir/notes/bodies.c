/* Nodes with bodies: which inputs they may pass through, and whether an output may overwrite an
 * input. The notes inside of bodies are judged with the bodies. */
#include "ir/base/arena.h"
#include "ir/graph/node.h"
#include "ir/notes/notes.h"
#include "ir/notes/walk.h"

const bool *note_handed_through(note_walker *w, const inlay_node *n)
{
    bool *handed = inlay_arena_array(w->arena, (size_t)n->n_in + 1, sizeof *handed);

    if (handed && inlay_node_handed(n, -1, handed))
        return handed;
    note_out_of_memory(w);
    return NULL;
}

bool note_check_made(note_walker *w, const inlay_value *v)
{
    bool twice = false;

    if (!inlay_value_is_given_twice(v, &twice))
        return note_out_of_memory(w);
    return !twice || note_complain(w->c, v, INLAY_N4_ONE_OUTPUT,
                                   "what the bodies make may be another output, too");
}

/* In B, is the final value of output V in the buffer of the Parameter for INPUT, and no other
 * output in it? */
static bool ends_in(const inlay_body *b, const inlay_value *v, int input)
{
    const inlay_node *param = b->graph ? inlay_body_entered(b, input) : NULL;
    int ends = 0;

    for (int i = 0; param && i < b->n_out; i++) {
        const inlay_port *p = &b->out[i];
        const inlay_value *result = b->graph->results[p->inner]->in[0].value;
        bool whole;

        if (!inlay_port_is_plain(p) || inlay_value_owner(result, &whole)->node != param)
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
                c, v, inlay_node_loops(n) ? INLAY_N6_ENTERED_ONCE : INLAY_O7_DATA_USED_ONCE,
                "it is input %d and %d", input, i);
        input = i;
    }
    for (int i = 0; input >= 0 && i < n->n_bodies; i++) {
        if (!ends_in(&n->bodies[i], v, input))
            return note_complain(c, v, INLAY_B4_ENDS_IN_ITS_BUFFER,
                                 "body %d does not end where input %d enters", i, input);
    }
    return true; /* that it is an input at all is asked of all operations */
}
