/* Questions about bodies. See bodies.h. */
#include "passes/inplace/bodies.h"

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

bool inplace_list_written(const inlay_node *n, bool *written)
{
    bool ok = true;

    for (int i = 0; i < n->n_in; i++)
        written[i] = false;
    for (int i = 0; ok && i < n->n_bodies; i++) {
        const inlay_body *b = &n->bodies[i];
        bool *over = b->graph ? calloc((size_t)b->graph->next_id + 1, sizeof *over) : NULL;

        ok = over || !b->graph;
        if (over)
            mark_written(b, over);
        for (int k = 0; over && k < b->n_in; k++) {
            if (b->in[k].outer >= 0 && over[b->graph->params[b->in[k].inner]->id])
                written[b->in[k].outer] = true;
        }
        free(over);
    }
    return ok;
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

/* Is the final value of OUTPUT in the buffer of INPUT, in B? Not if another output is in it, too.
 */
static bool ends_there(const inlay_body *b, int input, int output)
{
    const inlay_node *param = b->graph ? inlay_body_entered(b, input) : NULL;
    bool there = false;

    for (int i = 0; param && i < b->n_out; i++) {
        const inlay_port *p = &b->out[i];

        if (!inlay_port_is_plain(p) || !stands_in(inlay_body_result(b, p->inner), param))
            continue;
        if (p->outer != output || !stands_over(inlay_body_result(b, p->inner), param) ||
            !inlay_body_renews(b, p->inner, param))
            return false;
        there = true;
    }
    return there;
}

int inplace_body_successor(const inlay_node *n, int input)
{
    for (int k = 0; k < n->n_out; k++) {
        bool there = n->n_bodies > 0;

        for (int i = 0; there && i < n->n_bodies; i++)
            there = ends_there(&n->bodies[i], input, k);
        if (there)
            return k;
    }
    return -1;
}
