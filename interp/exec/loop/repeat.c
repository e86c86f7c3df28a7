/* Runs the iterations of a loop, of which the loop's kernel has found out the largest number.
 * Values are placed so that an iteration allocates nothing as long as the shapes stay the same:
 *
 *     sliced input     a tensor that shows another part of the outer one each time
 *     iteration        one number that is counted up
 *     carried value    two slots that alternate (slots.h)
 *     joined output    computed in its window of the whole (join.h)
 *     other inputs     the outer tensors themselves
 *
 * kernels/loop.c does the same in a simpler way, for executors that do not plan. */
#include "interp/exec/loop/repeat.h"
#include "interp/call/body.h"
#include "interp/call/run.h"
#include "interp/exec/loop/enter.h"

/* How many iterations there will be */

static int param_of(const inlay_graph *g, const inlay_value *v)
{
    int i = 0;

    while (i < g->n_params && &g->params[i]->out[0] != v)
        i++;
    return i;
}

/* Returns whether parameter P has the same value in each iteration. */
static bool is_invariant(const inlay_body *b, int p)
{
    const inlay_value *v = &b->graph->params[p]->out[0];
    bool same = true;

    for (int i = 0; i < b->n_back; i++)
        same = same && (b->back[i].to != p || b->graph->results[b->back[i].from]->in[0].value == v);
    for (int i = 0; i < b->n_in; i++)
        same = same && (b->in[i].inner != p ||
                        (b->in[i].purpose == INLAY_PORT_PLAIN && !b->in[i].has_axis));
    return same;
}

/* Returns the number of the outer operand that is parameter P in each iteration, or -1. */
static int invariant_operand(const inlay_body *b, int p)
{
    int operand = -1;

    for (int i = 0; i < b->n_in && is_invariant(b, p); i++)
        operand = b->in[i].inner == p ? b->in[i].outer : operand;
    return operand;
}

/* Returns whether the body always asks for another iteration. */
static bool wants_always(const exec_loop *l, const inlay_value *condition)
{
    const inlay_attr *a = inlay_node_is(condition->node, INLAY_OP_CONST)
                              ? inlay_node_attr(condition->node, "value")
                              : NULL;
    int p = param_of(l->body->graph, condition);
    int operand = p < l->n_params ? invariant_operand(l->body, p) : -1;
    const inlay_tensor *t = a ? a->as.tensor : NULL;

    if (operand >= 0 && call_reads(l->c, operand))
        t = l->c->in[operand];
    return t && t->type == INLAY_BOOLEAN && inlay_tensor_count(t) == 1 &&
           inlay_tensor_get_i64(t, 0) != 0;
}

static int64_t count_ahead(const exec_loop *l)
{
    const inlay_body *b = l->body;
    const run_env *env = l->c->run->env;
    bool known = l->most < INT64_MAX &&
                 (env->max_iterations == 0 || (uint64_t)l->most <= env->max_iterations);

    for (int i = 0; known && i < b->n_out; i++)
        known = b->out[i].purpose != INLAY_PORT_CONDITION ||
                wants_always(l, b->graph->results[b->out[i].inner]->in[0].value);
    return known ? l->most : 0;
}

/* Where results are computed */

/* Finds the window for result R in the output that joins it, if a tensor of FORM can be computed
 * there. */
static bool find_window(exec_loop *l, int r, const inlay_tensor *form, exec_slot **out)
{
    exec_join *j = &l->joins[l->results[r].port];

    if (!join_reserve(j, l->c, form, l->known))
        return false;
    *out =
        slots_take_window(&l->results[r].slots, l->c, form, j->whole, j->axis, join_next(j, form));
    if (*out && !inlay_tensor_is_dense((*out)->t))
        *out = NULL;
    else if (!*out)
        return false;
    return true;
}

/* Asks where the last value of result R is wanted. */
static bool ask_wanted(exec_loop *l, int r, const inlay_tensor *form)
{
    loop_result *result = &l->results[r];

    if (result->wanted || result->last < 0)
        return true;
    result->wanted = l->hands->room(l->c, l->body->out[result->last].outer, form);
    return !result->wanted || slots_lend(&result->slots, l->c, result->wanted);
}

/* Returns whether result R of this iteration is to be computed in the slot where the last value of
 * R is wanted: if R alternates between two slots from here on, the last value then ends up there. A
 * value that is overwritten stays where it is. */
static bool is_iteration(const exec_loop *l, int r)
{
    return l->results[r].stays || l->known == 0 || (l->known - l->done) % 2 == 1;
}

/* Takes a slot of result R for values of FORM: the one where the last value is WANTED, if it is
 * free. NULL after recording an error. */
static exec_slot *take_slot(exec_loop *l, int r, const inlay_tensor *form, bool wanted)
{
    exec_slot *slot = slots_take(&l->results[r].slots, form, wanted, l->c->diags);

    if (slot && !slot->t)
        slot->t = l->hands->like(l->c, form);
    return slot && slot->t ? slot : NULL;
}

static exec_stand stand_in(const exec_loop *l, int r, const exec_slot *slot)
{
    return (exec_stand){r, (size_t)(slot - l->results[r].slots.list)};
}

/* Finds memory for result R, which will have the type and dims of FORM. */
static bool find_room(exec_loop *l, int r, const inlay_tensor *form)
{
    exec_slot *slot = NULL;

    if (l->results[r].port >= 0 && !l->results[r].stays && !find_window(l, r, form, &slot))
        return false;
    if (!slot && ask_wanted(l, r, form))
        slot = take_slot(l, r, form, is_iteration(l, r));
    if (!slot || (slot->lent && !l->hands->spoils(l->c, slot->t)))
        return false;
    l->destinations[r] = slot->t;
    l->results[r].made = stand_in(l, r, slot);
    return true;
}

/* Asks whether the last value of some result overwrites T, the initial value of the parameter that
 * gets result FROM: then it is wanted there. */
static bool ask_given(exec_loop *l, int from, const inlay_tensor *t)
{
    for (int r = 0; r < l->n_results; r++) {
        loop_result *result = &l->results[r];
        int given = result->last < 0 ? -1 : l->hands->given(l->c, l->body->out[result->last].outer);

        if (given < 0 || l->c->in[given] != t || !inlay_tensor_is_dense(t))
            continue;
        result->wanted = (inlay_tensor *)t;
        return slots_lend(&l->results[from].slots, l->c, result->wanted);
    }
    return true;
}

static bool fill_slot(exec_loop *l, const exec_slot *slot, const inlay_tensor *t)
{
    if (!l->hands->assign(l->c, slot->t, t))
        return false;
    call_copied(l->c, inlay_tensor_bytes(t));
    return true;
}

/* Copies the initial value of parameter TO, which the body overwrites and which a back edge sets to
 * result FROM, to a slot that nothing else shares. It is the slot in which the last value is
 * wanted, so that nothing needs to be copied after the last iteration; and if the initial value is
 * in that slot, nothing is copied at all. */
static bool begin_slot(exec_loop *l, int from, int to)
{
    const inlay_tensor *t = l->in[to];
    exec_slot *slot;

    if (!t || inlay_type_refers(t->type) || l->params[to].stand.result != SLOT_NONE)
        return true;
    if (!ask_given(l, from, t) || !ask_wanted(l, from, t))
        return false;
    slot = take_slot(l, from, t, true);
    if (!slot || (slot->t != t && !fill_slot(l, slot, t)))
        return false;
    slot->holders = 1;
    l->params[to].stand = stand_in(l, from, slot);
    l->in[to] = slot->t;
    return true;
}

static bool begin_slots(exec_loop *l)
{
    const inlay_body *b = l->body;
    bool ok = true;

    for (int i = 0; ok && i < b->n_back; i++)
        ok = !l->params[b->back[i].to].written || begin_slot(l, b->back[i].from, b->back[i].to);
    return ok;
}

bool loop_find_more(exec_loop *l, const struct exec_instance *x)
{
    for (int i = 0; i < l->n_results; i++) {
        const inlay_tensor *form = l->destinations[i] ? NULL : l->hands->result(x, i);

        if (form && !find_room(l, i, form))
            return false;
    }
    return true;
}

bool loop_find_destinations(exec_loop *l, const struct exec_instance *x)
{
    for (int i = 0; i < l->n_results; i++) {
        l->destinations[i] = NULL;
        l->results[i].made = exec_nowhere;
    }
    return loop_find_more(l, x);
}

/* Results */

/* Returns whether T shares bytes with a value that the next iteration overwrites. */
static bool is_passing(const exec_loop *l, const inlay_tensor *t)
{
    bool passing = false;

    for (int i = 0; !passing && i < l->n_params; i++) {
        const loop_param *p = &l->params[i];

        passing = t == p->moving || (p->number && t->buffer == p->number->buffer);
    }
    for (int i = 0; !passing && i < l->n_results; i++) {
        const exec_slots *slots = &l->results[i].slots;

        for (size_t k = 0; !passing && k < slots->n; k++)
            passing = slots->list[k].t && t->buffer == slots->list[k].t->buffer;
    }
    return passing;
}

/* Takes over result R, which was not computed in the memory found for it: it is an older value, or
 * its kernel made a tensor of its own. */
static bool settle_other(exec_loop *l, int r)
{
    loop_result *result = &l->results[r];
    inlay_tensor *t = l->out[r], *copy;
    int p = 0;

    result->made = exec_nowhere;
    if (result->first < r && l->out[result->first] == t) {
        result->made = l->results[result->first].made;
        return true;
    }
    while (p < l->n_params &&
           (l->in[p] != t || t == l->params[p].moving || t == l->params[p].number))
        p++;
    if (p < l->n_params) {
        result->made = l->params[p].stand;
        return true;
    }
    if (!is_passing(l, t))
        return true;
    copy = backend_copy(l->hands, l->c, t);
    if (!copy)
        return false;
    inlay_tensor_release(t);
    l->out[r] = copy;
    return true;
}

static bool settle_results(exec_loop *l)
{
    for (int i = 0; i < l->n_results; i++) {
        if ((!l->destinations[i] || l->out[i] != l->destinations[i]) && !settle_other(l, i))
            return false;
    }
    return true;
}

static bool add_parts(exec_loop *l)
{
    for (int i = 0; i < l->body->n_out; i++) {
        const inlay_port *p = &l->body->out[i];
        const inlay_tensor *t = l->out[p->inner];
        const exec_slot *slot = loop_slot(l, l->results[p->inner].made);
        bool stands = slot && slot->window && l->results[p->inner].port == i &&
                      t == l->destinations[p->inner];

        if (!p->has_axis || p->outer < 0)
            continue;
        if (!stands && !join_reserve(&l->joins[i], l->c, t, l->known))
            return false;
        if (!join_add(&l->joins[i], l->c, t, stands))
            return false;
    }
    return true;
}

/* Follows all back edges at once. */
static void carry(exec_loop *l)
{
    const inlay_body *b = l->body;

    l->settled = true;
    for (int i = 0; i < b->n_back; i++) {
        exec_slot *was = loop_slot(l, l->params[b->back[i].to].stand);

        if (was)
            was->holders--;
    }
    for (int i = 0; i < b->n_back; i++) {
        int to = b->back[i].to, from = b->back[i].from;
        loop_param *p = &l->params[to];
        exec_stand made = l->results[from].made;
        exec_slot *now = loop_slot(l, made);

        l->settled = l->settled && l->in[to] == l->out[from] && p->stand.result == made.result &&
                     p->stand.at == made.at;
        inlay_tensor_release(p->held);
        p->held = inlay_tensor_retain(l->out[from]);
        l->in[to] = l->out[from];
        p->stand = made;
        if (now)
            now->holders++;
    }
}

/* Iterations */

/* Finds the parameters that the body may overwrite: carried values that are in a slot, and that no
 * other parameter shares. */
static void find_ours(exec_loop *l)
{
    for (int i = 0; i < l->n_params; i++) {
        const exec_slot *slot = l->params[i].written ? loop_slot(l, l->params[i].stand) : NULL;

        l->ours[i] = slot && !slot->window && slot->holders == 1;
    }
}

bool loop_iterate(exec_loop *l)
{
    if (!call_iterates(l->c) || !loop_enter(l))
        return false;
    call_release(l->out, (size_t)l->n_results);
    find_ours(l);
    if (!l->run_body(l) || !settle_results(l) || !add_parts(l))
        return false;
    carry(l);
    l->done++;
    return true;
}

/* Outputs */

/* Copies T, which later runs of the loop will overwrite, to an output: into ROOM if that is not
 * NULL. */
static bool give_copy(exec_loop *l, int output, inlay_tensor *room, const inlay_tensor *t)
{
    room = room ? inlay_tensor_retain(room) : l->hands->like(l->c, t);
    if (!room)
        return false;
    l->c->out[output] = room;
    if (!l->hands->assign(l->c, room, t))
        return false;
    call_copied(l->c, inlay_tensor_bytes(t));
    return true;
}

/* Returns the last value of the result of P as an output. A value in a slot is copied to where it
 * is wanted; if no place is known, the slot's buffer is given away. */
static bool give_value(exec_loop *l, const inlay_port *p)
{
    const loop_result *result = &l->results[p->inner];
    exec_slot *slot = loop_slot(l, result->made);
    inlay_tensor *t = l->out[p->inner], *room;

    if (!slot || slot->t != t || (t == result->wanted && &l->body->out[result->last] == p))
        return call_adopt(l->c, p->outer, t);
    room = l->hands->room(l->c, p->outer, t);
    if (room || slot->window || slot->lent || slot->fixed)
        return give_copy(l, p->outer, room, t);
    inlay_tensor_release(slot->t);
    slot->t = NULL;
    return call_adopt(l->c, p->outer, t);
}

/* Returns whether result R is in the memory to which the last value of another result will be
 * copied. */
static bool is_in_the_way(const exec_loop *l, int r)
{
    const exec_slot *slot = loop_slot(l, l->results[r].made);
    bool waits = false;

    for (int k = 0; slot && slot->lent && k < l->n_results; k++)
        waits = waits || (k != r && l->results[k].wanted == slot->t && l->out[k] != slot->t);
    return waits;
}

static bool clear_ways(exec_loop *l)
{
    for (int i = 0; i < l->n_results; i++) {
        inlay_tensor *copy;

        if (l->results[i].last < 0 || !is_in_the_way(l, i))
            continue;
        copy = backend_copy(l->hands, l->c, l->out[i]);
        if (!copy)
            return false;
        inlay_tensor_release(l->out[i]);
        l->out[i] = copy;
        l->results[i].made = exec_nowhere;
    }
    return true;
}

bool loop_give_outputs(exec_loop *l)
{
    if (!clear_ways(l))
        return false;
    for (int i = 0; i < l->body->n_out; i++) {
        const inlay_port *p = &l->body->out[i];

        if (p->outer >= 0 && !p->has_axis && !give_value(l, p))
            return false;
    }
    for (int i = 0; i < l->body->n_out; i++) {
        const inlay_port *p = &l->body->out[i];

        if (p->outer < 0 || !p->has_axis)
            continue;
        l->c->out[p->outer] = join_end(&l->joins[i], l->c);
        if (!l->c->out[p->outer])
            return false;
    }
    return true;
}

void loop_leave(exec_loop *l)
{
    call_release(l->out, (size_t)l->n_results);
    for (int i = 0; i < l->n_params; i++) {
        loop_param *p = &l->params[i];
        exec_slot *slot = loop_slot(l, p->stand);

        if (slot)
            slot->holders = 0;
        p->stand = exec_nowhere;
        inlay_tensor_release(p->held);
        p->held = NULL;
    }
    for (int i = 0; i < l->n_results; i++) {
        slots_return(&l->results[i].slots);
        l->results[i].wanted = NULL;
    }
    for (int i = 0; i < l->body->n_out; i++)
        join_drop(&l->joins[i]);
    l->c = NULL;
}

bool loop_begin(exec_loop *l, inlay_call *c, int64_t most)
{
    l->c = c;
    l->most = most;
    l->done = 0;
    for (int i = 0; i < l->body->n_out; i++)
        l->joins[i].hands = l->hands;
    if (!loop_begin_inputs(l))
        return false;
    l->known = count_ahead(l);
    return begin_slots(l);
}
