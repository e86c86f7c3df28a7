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

/* The Parameter of B in whose buffer Result R is; NULL: none, or only a part of it. */
static const inlay_node *stands_in(const inlay_body *b, int r)
{
    bool whole;
    const inlay_node *n = inlay_value_owner(inlay_body_result(b, r), &whole)->node;

    return whole && inlay_node_is(n, INLAY_OP_PARAMETER) ? n : NULL;
}

/* How many values that B carries on, or gives as outputs of its node, are in the buffer of PARAM?
 */
static int count_in(const inlay_body *b, const inlay_node *param, bool carried)
{
    int n = 0;

    for (int i = 0; i < (carried ? b->n_back : b->n_out); i++) {
        bool whole, plain = carried || inlay_port_is_plain(&b->out[i]);
        int r = carried ? b->back[i].from : b->out[i].inner;

        n += plain && inlay_value_owner(inlay_body_result(b, r), &whole)->node == param;
    }
    return n;
}

/* The Parameter of B that had, in the iteration before, the buffer that PARAM has now; NULL: none,
 * or what is there is something else, too. */
static const inlay_node *came_from(const inlay_body *b, const inlay_node *param)
{
    const inlay_node *from = NULL;

    for (int i = 0; i < b->n_back; i++) {
        if (b->graph->params[b->back[i].to] == param)
            from = stands_in(b, b->back[i].from);
    }
    return from && count_in(b, from, true) == 1 ? from : NULL;
}

/* B runs RUNS times; below 1: that is not known. The Parameter that had in the first iteration the
 * buffer that PARAM has in the last one. */
static const inlay_node *began_as(const inlay_body *b, const inlay_node *param, int64_t runs)
{
    const inlay_node *p = b->n_back == 0 ? param : came_from(b, param);
    int64_t turns = 1;

    if (p == param)
        return param;
    for (; p && p != param && turns <= b->n_back; turns++)
        p = came_from(b, p);
    if (runs < 1 || p != param)
        return NULL;
    for (int64_t i = (runs - 1) % turns; param && i > 0; i--)
        param = came_from(b, param);
    return param;
}

/* In B, which runs RUNS times, is the final value of output V in the buffer of the Parameter for
 * INPUT, and no other output in it? */
static bool ends_in(const inlay_body *b, const inlay_value *v, int input, int64_t runs)
{
    const inlay_node *param = b->graph ? inlay_body_entered(b, input) : NULL;
    bool ends = false;

    for (int i = 0; param && i < b->n_out && !ends; i++) {
        const inlay_port *p = &b->out[i];
        const inlay_node *last =
            inlay_port_is_plain(p) && p->outer == v->index ? stands_in(b, p->inner) : NULL;
        bool carried = b->n_back == 0;

        for (int k = 0; k < b->n_back; k++)
            carried = carried || b->back[k].from == p->inner;
        ends = last && carried && count_in(b, last, false) == 1 && began_as(b, last, runs) == param;
    }
    return ends;
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
        if (!ends_in(&n->bodies[i], v, input, inlay_node_iterations(n)))
            return note_complain(c, v, INLAY_B4_ENDS_IN_ITS_BUFFER,
                                 "body %d does not end where input %d enters", i, input);
    }
    return true; /* that it is an input at all is asked of all operations */
}
