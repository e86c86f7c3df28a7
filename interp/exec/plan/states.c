/* States with spare capacity on an inner axis. A cache of keys has several heads, and grows along
 * the axis behind them. If it were dense, growing one head would mean moving all heads after it. So
 * the next state of a variable is a view of the filled part of a buffer that has spare capacity
 * along that axis:
 *
 *     %past = ReadValue("cache")               f32[2,3,8]    head 0  |p p p . . .|
 *     %new = Concat(%past, %token) {axis = 1}  f32[2,4,8]    head 1  |p p p . . .|
 *     Assign("cache", %new)                    strides 48,8,1        dots are spare
 *
 * The bytes of one head are a *period*; in each period the same rows are filled. The next state
 * extends the old one in all periods at once (build/state_growth.c).
 *
 * Beam search first selects rows of the state, by a Parameter. If it selects all of them in order,
 * or moves only few of them (state_reorder.c), the selection is the state itself, and the next
 * state extends it; otherwise the rows are gathered into another buffer with spare capacity, and
 * the next state extends that:
 *
 *     %past = Gather(%all, %beam, 0)            beam 0 1: the state     beam 1 2 0: a copy
 *     %new = Concat(%past, %token) {axis = 1}   extends %past in both cases
 *
 * A cache of fixed size may drop its oldest rows after the Concat: then the variable is assigned a
 * window (a Slice or a part of a Split) of the Concat's result, which is a view of it.
 *
 * Readers of such a state must accept strides. If a reader accepts dense elements only, or if the
 * state is an output of the run, the whole state would be copied for it; so such a state is dense,
 * and is copied when it grows. This file finds, when the graph is compiled, which states may have
 * spare capacity; allocation.c chooses their capacity when an instance is made. */
#include "interp/exec/plan/states.h"
#include "ir/shared.h"

#include <stdlib.h>

enum { MOST_VIEWS = 16 }; /* views of views that are followed */

/* Readers */

/* Returns the axis of OUT, a reshape of IN, that begins where axis AXIS of IN does; -1: not known,
 * or AXIS is merged with axes before it. */
static int axis_behind(const inlay_fact *in, const inlay_fact *out, int axis)
{
    int i = 0, k = 0;

    while (i < axis && in->rank > 0 && out->rank > 0) {
        bool one = in->dims[i].lo == 1 && in->dims[i].hi == 1;

        if (k < out->rank && inlay_dim_proven_equal(in->dims[i], out->dims[k])) {
            i++;
            k++;
        } else if (one) {
            i++;
        } else if (k < out->rank && out->dims[k].lo == 1 && out->dims[k].hi == 1) {
            k++;
        } else {
            return -1;
        }
    }
    return i == axis ? k : -1;
}

/* Returns the axis of the output of N, a view, that corresponds to axis AXIS of its operand, behind
 * which a state has spare capacity; -1: other axes may be merged with it. */
static int axis_of_view(const inlay_node *n, int axis)
{
    if (n->op->flags & INLAY_RESHAPES)
        return axis_behind(&n->in[0].value->fact, &n->out[0].fact, axis);
    return n->op->flags & INLAY_CUTS || inlay_node_reads_window(n) ? axis : -1;
}

/* A state that is checked, and its readers. */
typedef struct state_readers {
    const exec_plan *plan;
    const inlay_variable *variable;
} state_readers;

static bool take_gaps(const state_readers *r, const inlay_value *v, int axis, int depth);

/* Returns whether all readers of N's views of V accept strides; N is a reader of V. */
static bool viewers_take_gaps(const state_readers *r, const inlay_node *n, int axis, int depth)
{
    bool take = true;

    for (int k = 0; take && k < n->n_out; k++) {
        const exec_place *places = r->plan->places;
        int there = axis < 0 ? -1 : axis_of_view(n, axis);

        if (places && places[steps_slot(r->plan->steps, &n->out[k])].kind == INLAY_VIEW_OF)
            take = (there >= 0 || !(n->op->flags & INLAY_RESHAPES)) && depth < MOST_VIEWS &&
                   take_gaps(r, &n->out[k], there, depth + 1);
    }
    return take;
}

/* Returns whether the node of U accepts strides, or makes a view whose readers do. */
static bool reader_takes_gaps(const state_readers *r, const inlay_use *u, int axis, int depth)
{
    const inlay_node *n = u->node;
    const unsigned strided = INLAY_STRIDED | INLAY_POINTWISE | INLAY_VIEW | INLAY_SHAPE_ONLY;

    if (inlay_node_is(n, INLAY_OP_RESULT))
        return false;
    if (r->plan->steps->first_slot[n->id] == SIZE_MAX) /* this run leaves it out */
        return true;
    if (inlay_node_is(n, INLAY_OP_ASSIGN))
        return inlay_variable_of(n, INLAY_OP_ASSIGN) == r->variable && depth < MOST_VIEWS &&
               take_gaps(r, &n->out[0], axis, depth + 1);
    return n->n_bodies == 0 && !(n->op->flags & INLAY_ADOPTS) && (n->op->flags & strided) &&
           (u->index > 0 || viewers_take_gaps(r, n, axis, depth));
}

/* Returns whether all readers of V, and of views of V, accept its strides if it has spare capacity
 * behind AXIS; AXIS below 0: behind an axis that is not known. Views are followed MOST_VIEWS deep.
 */
static bool take_gaps(const state_readers *r, const inlay_value *v, int axis, int depth)
{
    const graph_steps *s = r->plan->steps;
    size_t slot = steps_slot(s, v);
    bool take = !r->plan->places || !r->plan->places[slot].spoiled;

    for (int i = 0; take && i < s->n_keep; i++)
        take = s->keep[i] != slot;
    for (const inlay_use *u = v->uses; take && u; u = u->next)
        take = reader_takes_gaps(r, u, axis, depth);
    return take;
}

/* Which states */

/* Returns how V selects rows of the state of VARIABLE, if it does. */
static exec_pick pick_of(const inlay_value *v, const inlay_variable *variable)
{
    const inlay_node *n = v->node;
    const inlay_value *data = inlay_node_input(n, 0);
    exec_pick pick = {.variable = variable->index};

    pick.order = inlay_node_picks_by(n);
    pick.picks = pick.order >= 0 &&
                 inlay_variable_of(data->node, INLAY_OP_READ_VALUE) == variable &&
                 inlay_node_axis(n, data->fact.rank, &pick.axis);
    return pick;
}

/* Returns whether N, which selects rows of the state of VARIABLE, is the only node that reads
 * elements of that state. */
static bool reads_alone(const exec_plan *p, const inlay_variable *variable, const inlay_node *n)
{
    const graph_steps *s = p->steps;
    bool alone = true;

    for (size_t i = 0; i < s->n; i++) {
        const inlay_node *read = s->list[i].node;

        if (inlay_variable_of(read, INLAY_OP_READ_VALUE) != variable)
            continue;
        for (int k = 0; k < s->n_keep; k++)
            alone = alone && s->keep[k] != steps_slot(s, &read->out[0]);
        for (const inlay_use *u = read->out[0].uses; u; u = u->next)
            alone = alone && (u->node == n || (u->node->op->flags & INLAY_SHAPE_ONLY) ||
                              s->first_slot[u->node->id] == SIZE_MAX);
    }
    return alone;
}

/* Returns the value of which V is a window, as a Slice or as a part of a Split; NULL: V is no
 * window. */
static const inlay_value *window_of(const inlay_value *v)
{
    bool shows = v->node->op->flags & INLAY_CUTS || inlay_node_reads_window(v->node);

    return shows ? inlay_node_input(v->node, 0) : NULL;
}

/* Returns what V begins with if it is a next state of VARIABLE: the state, rows selected from it,
 * or a window of one of these; NULL: neither. */
static const inlay_value *past_of(const inlay_value *v, const inlay_variable *variable)
{
    for (int i = 0; v && i < MOST_VIEWS; i++) {
        if (inlay_variable_of(v->node, INLAY_OP_READ_VALUE) == variable ||
            pick_of(v, variable).picks)
            return v;
        v = window_of(v);
    }
    return NULL;
}

/* Returns what V is a known window of; V itself if it is no window. */
static const inlay_value *joined_of(const inlay_value *v)
{
    const inlay_node *n = v ? v->node : NULL;
    bool known = n && (n->op->flags & INLAY_CUTS);

    for (int i = 1; known && i < n->n_in; i++)
        known = !n->in[i].value || n->in[i].value->fact.known;
    return known ? inlay_node_input(n, 0) : v;
}

/* Returns whether the note of V, if it has one, says that V is a view. */
static bool may_be_shown(const exec_plan *p, const inlay_value *v)
{
    const exec_place *place = p->places ? &p->places[steps_slot(p->steps, v)] : NULL;

    return !place || place->kind == INLAY_FRESH || place->kind == INLAY_VIEW_OF;
}

/* Returns the axis along which N, an Assign, appends something to the state, and sets *PAST to what
 * comes first; 0: it does not. */
static int grows_along(const inlay_node *n, const inlay_value **past)
{
    const inlay_value *next = joined_of(n->in[0].value);
    const inlay_variable *v = inlay_variable_of(n, INLAY_OP_ASSIGN);
    int axis;
    bool joins = v && next && inlay_node_joined_axis(next->node, &axis);

    *past = joins ? past_of(inlay_node_input(next->node, 0), v) : NULL;
    return *past ? axis : 0;
}

/* Returns whether all readers of the variable of R accept spare capacity behind AXIS. */
static bool all_take_gaps(const state_readers *r, int axis)
{
    const graph_steps *s = r->plan->steps;
    bool take = true;

    for (size_t i = 0; take && i < s->n; i++) {
        const inlay_node *n = s->list[i].node;

        if (inlay_variable_of(n, INLAY_OP_READ_VALUE) == r->variable)
            take = take_gaps(r, &n->out[0], axis, 0);
    }
    return take;
}

/* Returns whether the next state of the variable of R can have spare capacity behind AXIS: NEXT,
 * the value ALL of which it may be a window, and PAST, with which ALL begins. */
static bool can_have_room(const state_readers *r, const inlay_value *next, const inlay_value *all,
                          const inlay_value *past, int axis)
{
    return take_gaps(r, next, axis, 0) && may_be_shown(r->plan, next) &&
           (all == next || take_gaps(r, all, axis, 0)) && take_gaps(r, past, axis, 0) &&
           all_take_gaps(r, axis);
}

static void find_states(exec_plan *p, const inlay_node **inside)
{
    for (size_t i = 0; i < p->steps->n; i++) {
        const inlay_node *n = p->steps->list[i].node;
        const state_readers r = {p, inlay_variable_of(n, INLAY_OP_ASSIGN)};
        const inlay_value *past, *next = r.variable ? n->in[0].value : NULL, *all = joined_of(next);
        int axis = r.variable ? grows_along(n, &past) : 0;
        exec_pick *pick;

        if (axis <= 0 || inside[r.variable->index] || p->writes[r.variable->index] ||
            !can_have_room(&r, next, all, past, axis))
            continue;
        p->growth[steps_slot(p->steps, next)].shows = all != next;
        p->growth[steps_slot(p->steps, all)] = (exec_growth){r.variable->index, axis, false};
        pick = &p->picks[steps_slot(p->steps, past)];
        *pick = pick_of(past, r.variable);
        pick->grows = axis;
        pick->alone = pick->picks && reads_alone(p, r.variable, past->node);
    }
}

bool exec_plan_states(exec_plan *p)
{
    const inlay_graph *g = p->steps->graph;
    const inlay_node **inside =
        inlay_take(inlay_graph_budget(g), (size_t)g->n_variables + 1, sizeof(inlay_node *));

    p->growth = inlay_take(inlay_graph_budget(g), p->steps->n_slots + 1, sizeof *p->growth);
    p->picks = inlay_take(inlay_graph_budget(g), p->steps->n_slots + 1, sizeof *p->picks);
    if (inside && p->growth && p->picks && p->depth == 0) {
        inlay_variables_in_bodies(g, inside);
        find_states(p, inside);
    }
    inlay_give(inside);
    return inside && p->growth && p->picks;
}
