/* Reads the storage notes of a graph, once when it is compiled, into one exec_place per slot. Only
 * notes that the checker in ir/notes accepts are obeyed. */
#include "interp/exec/plan/aligned.h"
#include "interp/exec/plan/packed.h"
#include "interp/exec/plan/sliced.h"
#include "interp/exec/plan/states.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

/* Returns the value whose bytes V uses. A note `into` names the output of a scatter, and V goes
 * into the window of the scatter's data; or it names the output of a node such as Concat, and V
 * goes into its part of that output. */
static const inlay_value *target_of(const inlay_value *v)
{
    return v->note == INLAY_INTO && !(v->note_target->node->op->flags & INLAY_HOLDS)
               ? inlay_node_input(v->note_target->node, 0)
               : v->note_target;
}

/* Returns the place of V, whose note is right. Places form no cycle. */
static exec_place place_by_note(const graph_steps *s, const inlay_value *v)
{
    return (exec_place){.kind = v->note,
                        .target = steps_slot(s, target_of(v)),
                        .scatter = v->note == INLAY_INTO ? v->note_target->node : NULL};
}

/* Returns a step that reads V and has one output; NULL: there is none. */
static const inlay_node *reader_of(const graph_steps *s, const inlay_value *v)
{
    const inlay_use *u = v->uses;

    while (u && s->first_slot[u->node->id] == SIZE_MAX)
        u = u->next;
    return u && u->node->n_out == 1 ? u->node : NULL;
}

/* Are the rows V computed on, each step read by the next, until a scatter by the same list writes
 * them back? */
static bool is_put_back(const graph_steps *s, const inlay_value *v)
{
    enum { MOST_NODES = 256 };
    const inlay_node *from = v->node, *n = reader_of(s, v);

    for (int i = 0; i < MOST_NODES && n; i++, n = reader_of(s, v)) {
        const inlay_value *u = inlay_node_operand(n, INLAY_ROLE_UPDATES);

        if (u)
            return u == v && v->note == INLAY_INTO && inlay_node_windows_same(from, n);
        v = &n->out[0];
    }
    return false;
}

/* Is V noted as rows of a list? A single row that is not written back is an ordinary view. */
static bool is_listed(const graph_steps *s, const inlay_value *v)
{
    const inlay_node *n = v->note == INLAY_INTO ? v->note_target->node : v->node;

    return v->note != INLAY_OVERWRITES && !(n->op->flags & INLAY_HOLDS) &&
           inlay_node_lists_rows(n) && (!inlay_node_picks_row(n) || is_put_back(s, v));
}

/* Reads the note of V. DROPPED says by slot whether a note is wrong; NULL: all are right. */
static void read_note(exec_plan *p, const inlay_value *v, const bool *dropped)
{
    size_t slot = steps_slot(p->steps, v);

    if (v->note == INLAY_FRESH || (dropped && dropped[slot]))
        p->places[slot] = (exec_place){.kind = INLAY_FRESH, .target = slot};
    else if (is_listed(p->steps, v))
        p->places[slot] = (exec_place){.kind = INLAY_FRESH, .target = slot, .listed = true};
    else
        p->places[slot] = place_by_note(p->steps, v);
}

/* Marks every value in a buffer that some step overwrites. */
static bool mark_spoiled(exec_plan *p, inlay_diags *d)
{
    size_t *owner =
        inlay_take(inlay_graph_budget(p->steps->graph), p->steps->n_slots + 1, sizeof *owner);

    if (!owner)
        return inlay_fail_memory(d);
    for (size_t i = 0; i < p->steps->n_slots; i++)
        owner[i] = p->places[i].target;
    for (size_t i = 0; i < p->steps->n_slots; i++) {
        if (exec_writes_over(&p->places[i]))
            p->places[exec_find_owner(owner, i)].spoiled = true;
    }
    for (size_t i = 0; i < p->steps->n_slots; i++)
        p->places[i].spoiled = p->places[exec_find_owner(owner, i)].spoiled;
    inlay_give(owner);
    return true;
}

/* Checks the notes for exactly this order of the steps. *LEGAL: all are right. */
static bool check_notes(const graph_steps *s, bool *legal, inlay_diags *d)
{
    inlay_order_list order = {
        inlay_take(inlay_graph_budget(s->graph), s->n + 1, sizeof *order.nodes), s->n};
    inlay_diags *found = inlay_diags_new();
    const inlay_value *bad = NULL;
    bool ok = order.nodes && found;

    for (size_t i = 0; ok && i < s->n; i++)
        order.nodes[i] = (inlay_node *)s->list[i].node;
    *legal = ok && inlay_check_notes(s->graph, &order, &bad, found);
    ok = ok && (*legal || bad);
    inlay_diags_free(found);
    inlay_give(order.nodes);
    return ok || inlay_fail_memory(d);
}

/* Finds the wrong notes, with a warning for each: returns, by slot, whether the note is wrong. They
 * are dropped in a copy of the graph, because the graph itself must not change. */
static bool *find_dropped(const graph_steps *s, inlay_diags *d)
{
    bool *dropped = inlay_take(inlay_graph_budget(s->graph), s->n_slots + 1, sizeof *dropped);
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
    inlay_give(dropped);
    return NULL;
}

/* Ignores all notes of a body, because a body is not a graph of its own that could be copied. */
static bool give_up_body(const graph_steps *s, inlay_diags *d)
{
    inlay_warn_claim(d, s->graph, s->graph->owner,
                     "a storage note in body \"%s\" is illegal: all of its notes are dropped",
                     s->graph->name);
    return true;
}

static bool read_notes(exec_plan *p, inlay_diags *d)
{
    const graph_steps *s = p->steps;
    bool legal, *dropped = NULL;

    if (!s->graph->has_notes)
        return true;
    if (!check_notes(s, &legal, d))
        return false;
    if (!legal && s->graph->owner)
        return give_up_body(s, d);
    if (!legal && !(dropped = find_dropped(s, d)))
        return false;
    p->places = inlay_take(inlay_graph_budget(s->graph), s->n_slots + 1, sizeof *p->places);
    for (size_t i = 0; p->places && i < s->n; i++) {
        for (int k = 0; k < s->list[i].node->n_out; k++)
            read_note(p, &s->list[i].node->out[k], dropped);
    }
    inlay_give(dropped);
    if (!p->places)
        return inlay_fail_memory(d);
    return mark_spoiled(p, d) && (p->depth > 0 || exec_plan_slices(p) || inlay_fail_memory(d));
}

/* Lists the variables whose states a run overwrites. */
static bool list_writes(exec_plan *p, inlay_diags *d)
{
    const graph_steps *s = p->steps;

    p->writes = inlay_take(inlay_graph_budget(s->graph), (size_t)s->graph->n_variables + 1,
                           sizeof *p->writes);
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

static exec_cache *new_cache(inlay_budget *budget)
{
    exec_cache *c = inlay_take(budget, 1, sizeof *c);

    if (c && pthread_mutex_init(&c->lock, NULL) != 0) {
        inlay_give(c);
        return NULL;
    }
    return c;
}

/* Makes the plan of S, which is the outermost graph if AROUND is NULL, else a body of AROUND's
 * graph; and of its bodies, which are nested no deeper than INLAY_MAX_BODY_DEPTH. */
static exec_plan *plan_new(const graph_steps *s, const exec_plan *around, inlay_diags *d);

static bool plan_bodies(exec_plan *p, inlay_diags *d)
{
    const graph_steps *s = p->steps;
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += (size_t)s->list[i].node->n_bodies;
    p->bodies = inlay_take(inlay_graph_budget(s->graph), n + 1, sizeof *p->bodies);
    if (!p->bodies)
        return inlay_fail_memory(d);
    for (size_t i = 0; i < s->n; i++) {
        for (int k = 0; k < s->list[i].node->n_bodies; k++) {
            exec_plan *body = plan_new(s->list[i].bodies[k], p, d);

            if (!body)
                return false;
            p->bodies[p->n_bodies++] = body;
            p->n_plans += body->n_plans;
            p->max_depth = body->max_depth > p->max_depth ? body->max_depth : p->max_depth;
        }
    }
    return true;
}

static exec_plan *plan_new(const graph_steps *s, const exec_plan *around, inlay_diags *d)
{
    exec_plan *p = inlay_take(inlay_graph_budget(s->graph), 1, sizeof *p);

    if (!p) {
        inlay_fail_memory(d);
        return NULL;
    }
    p->steps = s;
    p->set = around ? around->set : &p->own;
    p->number = around ? around->number + around->n_plans : 0;
    p->depth = p->max_depth = around ? around->depth + 1 : 0;
    p->n_plans = 1;
    p->cache = new_cache(inlay_graph_budget(s->graph));
    if ((p->cache || inlay_fail_memory(d)) && read_notes(p, d) && list_writes(p, d) &&
        (exec_plan_states(p) || inlay_fail_memory(d)) &&
        ((p->aligned = aligned_new(s)) || inlay_fail_memory(d)) &&
        ((p->packed = packed_new(s)) || inlay_fail_memory(d)) && plan_bodies(p, d))
        return p;
    exec_plan_free(p);
    return NULL;
}

exec_plan *exec_plan_new(const graph_steps *s, inlay_diags *d)
{
    enum { USUAL_IDLE = 16, USUAL_WORTH = 16 };
    exec_plan *p = plan_new(s, NULL, d);

    if (p)
        p->own = (exec_settings){.most_room = UINT64_MAX,
                                 .most_idle = USUAL_IDLE,
                                 .worth = USUAL_WORTH,
                                 .part = EXEC_PART};
    return p;
}

const exec_plan *exec_plan_of_body(const exec_plan *p, const graph_steps *body)
{
    size_t i = 0;

    while (p->bodies[i]->steps != body)
        i++;
    return p->bodies[i];
}

/* Instances hold references to those of bodies. */
static void free_cache(exec_cache *c)
{
    if (!c)
        return;
    if (c->free_all)
        c->free_all(c);
    pthread_mutex_destroy(&c->lock);
    inlay_give(c);
}

void exec_plan_free(exec_plan *p)
{
    if (!p)
        return;
    aligned_free(p->aligned);
    packed_free(p->packed);
    free_cache(p->cache);
    for (size_t i = 0; i < p->n_bodies; i++)
        exec_plan_free(p->bodies[i]);
    inlay_give(p->bodies);
    inlay_give(p->places);
    inlay_give(p->writes);
    inlay_give(p->growth);
    inlay_give(p->picks);
    inlay_give(p);
}
