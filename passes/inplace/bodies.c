/* Questions about bodies. See bodies.h. */
#include "passes/inplace/bodies.h"
#include "ir/shared.h"

#include <stdlib.h>

/* The value of result R of B. */
/* The owner of the buffer if V overwrites it, or overwrites a view of it, and is the first to do
 * so; or NULL. */
static const inlay_value *first_under(const inlay_value *v)
{
    const inlay_value *t = v->note_target;

    if (v->note != INLAY_OVERWRITES)
        return NULL;
    while (t->note == INLAY_VIEW_OF)
        t = t->note_target;
    return t->note == INLAY_FRESH ? t : NULL;
}

/* Marks in OVER, by node id, the nodes of B whose outputs are overwritten. */
static void mark_written(const inlay_body *b, bool *over)
{
    for (const inlay_node *n = b->graph->has_notes ? b->graph->first : NULL; n; n = n->next) {
        for (int i = 0; i < n->n_out; i++) {
            const inlay_value *under = first_under(&n->out[i]);

            if (under)
                over[under->node->id] = true;
        }
    }
    inlay_count_steps(b->graph, b->graph->n_nodes);
}

/* Does V, or the value that it overwrites, fill the buffer of PARAM? */
static bool stands_over(const inlay_value *v, const inlay_node *param)
{
    while (v->note == INLAY_OVERWRITES)
        v = v->note_target;
    return v->node == param && v->note == INLAY_FRESH;
}

/* Is V in the buffer of PARAM? */
static bool stands_in(const inlay_value *v, const inlay_node *param)
{
    while (v->note != INLAY_FRESH)
        v = v->note_target;
    return v->node == param;
}

/* The Parameter of B that has the buffer of PARAM in the next iteration: carried values may change
 * places. NULL: no Parameter has it alone. */
static const inlay_node *next_over(const inlay_body *b, const inlay_node *param)
{
    const inlay_node *next = NULL;

    for (int i = 0; i < b->n_back; i++) {
        const inlay_value *v = inlay_body_result(b, b->back[i].from);

        if (!stands_in(v, param))
            continue;
        if (next || !stands_over(v, param))
            return NULL;
        next = b->graph->params[b->back[i].to];
    }
    return next;
}

/* Marks in OVER the Parameters of B whose buffer becomes that of a Parameter that is overwritten.
 */
static void mark_exchanged(const inlay_body *b, bool *over)
{
    bool more = true;

    while (more) {
        more = false;
        for (int i = 0; i < b->graph->n_params; i++) {
            const inlay_node *param = b->graph->params[i];
            const inlay_node *next = over[param->id] ? NULL : next_over(b, param);

            if (next && over[next->id])
                more = over[param->id] = true;
        }
        inlay_count_steps(b->graph, (uint64_t)b->n_back * (uint64_t)b->graph->n_params);
    }
}

bool inplace_list_written(const inlay_node *n, bool *written)
{
    bool ok = true;

    for (int i = 0; i < n->n_in; i++)
        written[i] = false;
    for (int i = 0; ok && i < n->n_bodies; i++) {
        const inlay_body *b = &n->bodies[i];
        bool *over =
            b->graph ? inlay_take(inlay_node_budget(n), (size_t)b->graph->next_id + 1, sizeof *over)
                     : NULL;

        ok = over || !b->graph;
        if (over)
            mark_written(b, over);
        if (over && b->graph->has_notes)
            mark_exchanged(b, over);
        for (int k = 0; over && k < b->n_in; k++) {
            if (b->in[k].outer >= 0 && over[b->graph->params[b->in[k].inner]->id])
                written[b->in[k].outer] = true;
        }
        inlay_give(over);
    }
    return ok;
}

/* The Parameter of B that has the buffer of PARAM in the last of RUNS iterations, or in any if it
 * is always the same one; RUNS below 1: their number is not known. NULL: none. */
static const inlay_node *last_over(const inlay_body *b, const inlay_node *param, int64_t runs)
{
    const inlay_node *at = param, *next = next_over(b, param);
    int64_t turns = 1;

    if (b->n_back == 0 || next == param)
        return param;
    for (; next && next != param && turns <= b->n_back; turns++)
        next = next_over(b, next);
    if (!next || next != param || runs < 1)
        return NULL;
    for (int64_t i = (runs - 1) % turns; i > 0; i--)
        at = next_over(b, at);
    return at;
}

/* Is result R of B, if that is repeated, also a carried value? */
static bool is_carried_on(const inlay_body *b, int r)
{
    bool carried = b->n_back == 0;

    for (int i = 0; i < b->n_back; i++)
        carried = carried || b->back[i].from == r;
    return carried;
}

/* Is the final value of OUTPUT in the buffer of INPUT, in B, which runs RUNS times? Not if another
 * output is in it, too. */
static bool ends_there(const inlay_body *b, int input, int output, int64_t runs)
{
    const inlay_node *param = b->graph ? inlay_body_entered(b, input) : NULL;
    bool there = false;

    param = param ? last_over(b, param, runs) : NULL;
    for (int i = 0; param && i < b->n_out; i++) {
        const inlay_port *p = &b->out[i];

        if (!inlay_port_is_plain(p) || !stands_in(inlay_body_result(b, p->inner), param))
            continue;
        if (p->outer != output || !stands_over(inlay_body_result(b, p->inner), param) ||
            !is_carried_on(b, p->inner))
            return false;
        there = true;
    }
    return there;
}

static int successor_after(const inlay_node *n, int input, int64_t runs)
{
    for (int k = 0; k < n->n_out; k++) {
        bool there = n->n_bodies > 0;

        for (int i = 0; there && i < n->n_bodies; i++)
            there = ends_there(&n->bodies[i], input, k, runs);
        if (there)
            return k;
    }
    return -1;
}

int inplace_body_successor(const inlay_node *n, int input)
{
    return successor_after(n, input, inlay_node_iterations(n));
}

bool inplace_is_exchanged(const inlay_node *n, int input)
{
    return inplace_body_successor(n, input) < 0 && successor_after(n, input, 1) >= 0;
}
