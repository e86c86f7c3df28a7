/* Storage notes are read once, when the graph is compiled, into one place per slot. Notes are
 * claims, and of those only the ones that the checker finds right are obeyed. */
#include "interp/exec/exec.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

/* The value whose bytes V uses. An `into` is about the window in the data of its scatter. */
static const inlay_value *target_of(const inlay_value *v)
{
    return v->note == INLAY_INTO ? inlay_node_input(v->note_target->node, 0) : v->note_target;
}

/* The note of V is right. Slots are numbered in the order of the steps, and a target is made before
 * it is used, so its slot is the smaller one: no cycle. */
static plan_place place_by_note(const graph_steps *s, const inlay_value *v)
{
    return (plan_place){.kind = v->note,
                        .target = steps_slot(s, target_of(v)),
                        .scatter = v->note == INLAY_INTO ? v->note_target->node : NULL};
}

/* DROPPED, by slot: the notes that are not right; NULL: all are. */
static void read_note(exec_plan *p, const inlay_value *v, const bool *dropped)
{
    size_t slot = steps_slot(p->steps, v);

    if (v->note == INLAY_FRESH || (dropped && dropped[slot]))
        p->places[slot] = (plan_place){.kind = INLAY_FRESH, .target = slot};
    else
        p->places[slot] = place_by_note(p->steps, v);
}

/* Every value that stands in a buffer something writes over. A target's slot is the smaller one:
 * what is so of a value is told to its target, last slot first, till the owner of the buffer knows,
 * and then to all that stand in it. */
static void mark_spoiled(exec_plan *p)
{
    for (size_t i = p->steps->n_slots; i-- > 0;) {
        plan_place *place = &p->places[i];
        bool writes = place->kind == INLAY_OVERWRITES || place->kind == INLAY_INTO;

        if (place->kind != INLAY_FRESH && (writes || place->spoiled))
            p->places[place->target].spoiled = true;
    }
    for (size_t i = 0; i < p->steps->n_slots; i++) {
        if (p->places[i].kind != INLAY_FRESH)
            p->places[i].spoiled = p->places[p->places[i].target].spoiled;
    }
}

/* Notes are claims until they are checked for the very order of the steps. *LEGAL: all are right.
 */
static bool check_notes(const graph_steps *s, bool *legal, inlay_diags *d)
{
    inlay_order_list order = {calloc(s->n + 1, sizeof *order.nodes), s->n};
    inlay_diags *found = inlay_diags_new();
    const inlay_value *bad = NULL;
    bool ok = order.nodes && found;

    for (size_t i = 0; ok && i < s->n; i++)
        order.nodes[i] = (inlay_node *)s->list[i].node;
    *legal = ok && inlay_check_notes(s->graph, &order, &bad, found);
    ok = ok && (*legal || bad);
    inlay_diags_free(found);
    free(order.nodes);
    return ok || inlay_fail_memory(d);
}

/* The graph is not ours to change: illegal notes are dropped from a copy of it, with a warning for
 * each, and those that are missing there marked by slot. */
static bool *find_dropped(const graph_steps *s, inlay_diags *d)
{
    bool *dropped = calloc(s->n_slots + 1, sizeof *dropped);
    inlay_graph *copy = dropped ? inlay_graph_clone(s->graph, d) : NULL;
    bool ok = copy && inlay_drop_illegal_notes(copy, d);

    for (size_t i = 0; ok && i < s->n; i++) {
        const inlay_node *n = s->list[i].node, *same = inlay_graph_node(copy, n->name);

        for (int k = 0; k < n->n_out; k++)
            dropped[steps_slot(s, &n->out[k])] = same->out[k].note == INLAY_FRESH;
    }
    inlay_graph_free(copy);
    if (ok)
        return dropped;
    free(dropped);
    return NULL;
}

static bool read_notes(exec_plan *p, inlay_diags *d)
{
    const graph_steps *s = p->steps;
    bool legal, *dropped = NULL;

    if (!s->graph->has_notes || s->graph->owner)
        return true;
    if (!check_notes(s, &legal, d) || (!legal && !(dropped = find_dropped(s, d))))
        return false;
    p->places = calloc(s->n_slots + 1, sizeof *p->places);
    for (size_t i = 0; p->places && i < s->n; i++) {
        for (int k = 0; k < s->list[i].node->n_out; k++)
            read_note(p, &s->list[i].node->out[k], dropped);
    }
    free(dropped);
    if (!p->places)
        return inlay_fail_memory(d);
    mark_spoiled(p);
    return true;
}

/* Which states a run writes over. */
static bool list_writes(exec_plan *p, inlay_diags *d)
{
    const graph_steps *s = p->steps;

    p->writes = calloc((size_t)s->graph->n_variables + 1, sizeof *p->writes);
    if (!p->writes)
        return inlay_fail_memory(d);
    for (size_t i = 0; p->places && i < s->n; i++) {
        const inlay_node *n = s->list[i].node;
        const inlay_variable *v = inlay_variable_of(n, INLAY_OP_READ_VALUE);

        if (v && !p->writes[v->index] && p->places[steps_slot(s, &n->out[0])].spoiled)
            p->writes[v->index] = n;
    }
    return true;
}

exec_plan *exec_plan_new(const graph_steps *s, inlay_diags *d)
{
    exec_plan *p = calloc(1, sizeof *p);

    if (!p) {
        inlay_fail_memory(d);
        return NULL;
    }
    p->steps = s;
    if (read_notes(p, d) && list_writes(p, d))
        return p;
    exec_plan_free(p);
    return NULL;
}

void exec_plan_free(exec_plan *p)
{
    if (!p)
        return;
    free(p->places);
    free(p->writes);
    free(p);
}
