/* Iterations of a loop. The kernel of the loop has found out how many there may be; here they are
 * made, so that an iteration allocates nothing while the shapes stay:
 *
 *     sliced input     a tensor that shows another part of the outer one each time
 *     iteration        one number that is counted up
 *     carried value    two slots that change places (slots.h)
 *     joined output    computed in its window of the whole (join.h)
 *     other inputs     the outer tensors themselves
 *
 * kernels/loop.c says the same more simply, for executors that have no such way.
 */
#include "interp/exec/repeat.h"
#include "interp/call/body.h"
#include "interp/call/ports.h"
#include "interp/exec/frame.h"
#include "interp/exec/join.h"
#include "interp/exec/slots.h"

#include <stdlib.h>
#include <string.h>

/* Where a value stands: slot AT of result RESULT; SLOT_NONE: elsewhere, where it stays. */
struct place {
    int result;
    size_t at;
};

/* Where a sliced input is cut. */
struct cut {
    int axis;
    int64_t first, n;
};

struct exec_loop {
    const inlay_body *body;
    const exec_plan *plan;
    int n_params, n_results;
    /* by parameter: */
    const inlay_tensor **in; /* its value in this iteration; not held */
    inlay_tensor **held;     /* what holds it, if the loop does */
    inlay_tensor **moving;   /* the view that moves, */
    inlay_tensor **number;   /* or the number of the iteration; kept from run to run */
    struct cut *cuts;
    struct place *stands;
    /* by result: */
    inlay_tensor **out; /* of the newest iteration */
    inlay_tensor **rooms;
    struct place *made;
    exec_slots *slots;
    int *port;  /* an output port that joins it, or -1 */
    int *first; /* the first result that is the same value */

    exec_join *joins;   /* by output port */
    int64_t most, done; /* iterations */
    int64_t known;      /* how many there will be; 0: nobody knows */
    inlay_call *c;
};

static const struct place nowhere = {SLOT_NONE, 0};

/* Begin and end of its life */

void exec_loop_free(exec_loop *l)
{
    if (!l)
        return;
    for (int i = 0; l->moving && i < l->n_params; i++)
        slots_release_pointer(l->moving[i]);
    for (int i = 0; l->number && i < l->n_params; i++)
        inlay_tensor_release(l->number[i]);
    for (int i = 0; l->slots && i < l->n_results; i++)
        slots_free(&l->slots[i]);
    free(l->in);
    free(l->held);
    free(l->moving);
    free(l->number);
    free(l->cuts);
    free(l->stands);
    free(l->out);
    free(l->rooms);
    free(l->made);
    free(l->slots);
    free(l->port);
    free(l->first);
    free(l->joins);
    free(l);
}

static bool make_room(exec_loop *l)
{
    size_t p = (size_t)l->n_params + 1, r = (size_t)l->n_results + 1;

    l->in = calloc(p, sizeof *l->in);
    l->held = calloc(p, sizeof *l->held);
    l->moving = calloc(p, sizeof *l->moving);
    l->number = calloc(p, sizeof *l->number);
    l->cuts = calloc(p, sizeof *l->cuts);
    l->stands = calloc(p, sizeof *l->stands);
    l->out = calloc(r, sizeof *l->out);
    l->rooms = calloc(r, sizeof *l->rooms);
    l->made = calloc(r, sizeof *l->made);
    l->slots = calloc(r, sizeof *l->slots);
    l->port = calloc(r, sizeof *l->port);
    l->first = calloc(r, sizeof *l->first);
    l->joins = calloc((size_t)l->body->n_out + 1, sizeof *l->joins);
    return l->in && l->held && l->moving && l->number && l->cuts && l->stands && l->out &&
           l->rooms && l->made && l->slots && l->port && l->first && l->joins;
}

static void list_firsts(exec_loop *l)
{
    const inlay_graph *g = l->body->graph;

    for (int i = 0; i < l->n_results; i++) {
        while (g->results[l->first[i]]->in[0].value != g->results[i]->in[0].value)
            l->first[i]++;
    }
}

static exec_loop *loop_new(const inlay_body *b, const exec_plan *p)
{
    exec_loop *l = calloc(1, sizeof *l);

    if (!l)
        return NULL;
    l->body = b;
    l->plan = p;
    l->n_params = b->graph->n_params;
    l->n_results = b->graph->n_results;
    if (!make_room(l)) {
        exec_loop_free(l);
        return NULL;
    }
    list_firsts(l);
    for (int i = 0; i < l->n_results; i++)
        l->port[i] = -1;
    for (int i = b->n_out; i-- > 0;) {
        l->joins[i].port = &b->out[i];
        if (b->out[i].has_axis && b->out[i].outer >= 0)
            l->port[b->out[i].inner] = i;
    }
    return l;
}

/* How many iterations there will be */

static int param_of(const inlay_graph *g, const inlay_value *v)
{
    int i = 0;

    while (i < g->n_params && &g->params[i]->out[0] != v)
        i++;
    return i;
}

/* Parameter P has the same value in each iteration. */
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

/* The body always wants another iteration. */
static bool wants_always(const exec_loop *l, const inlay_value *condition)
{
    const inlay_attr *a = inlay_node_is(condition->node, INLAY_OP_CONST)
                              ? inlay_node_attr(condition->node, "value")
                              : NULL;
    int p = param_of(l->body->graph, condition);
    const inlay_tensor *t = a ? a->as.tensor : NULL;

    if (p < l->n_params && is_invariant(l->body, p))
        t = l->in[p];
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

/* What enters */

/* The elements of an element type that is not made of whole bytes cannot be shown from anywhere on;
 * strings are held by their buffers. */
static bool can_move(const inlay_tensor *t)
{
    return t->type != INLAY_STRING && inlay_type_info_of(t->type)->bits % 8 == 0;
}

static bool same_form(const inlay_tensor *a, const inlay_tensor *t, const int64_t *dims)
{
    bool same = a->type == t->type && a->rank == t->rank;

    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == dims[i] && a->strides[i] == t->strides[i];
    return same;
}

static bool begin_slice(exec_loop *l, const inlay_port *p)
{
    const inlay_tensor *t = l->c->in[p->outer];
    struct cut *cut = &l->cuts[p->inner];
    inlay_tensor **moving = &l->moving[p->inner];
    int64_t dims[INLAY_MAX_RANK];

    if (!ports_parts(l->c, p, &cut->axis, &cut->first, &cut->n))
        return false;
    memcpy(dims, t->dims, (size_t)t->rank * sizeof *dims);
    dims[cut->axis] = p->part_size;
    if (*moving && same_form(*moving, t, dims))
        return true;
    slots_release_pointer(*moving);
    *moving = slots_pointer(t, dims, 0);
    return *moving || inlay_fail_memory(l->c->diags);
}

static bool begin_number(exec_loop *l, const inlay_port *p)
{
    const inlay_fact *f = &l->body->graph->params[p->inner]->out[0].fact;
    inlay_tensor **number = &l->number[p->inner];
    const int64_t one = 1;

    if (!*number)
        *number = call_raw_tensor(l->c, f->type, f->rank == 1 ? 1 : 0, &one);
    l->in[p->inner] = *number;
    return *number != NULL;
}

static bool begin_inputs(exec_loop *l)
{
    const inlay_body *b = l->body;

    for (int i = 0; i < l->n_params; i++) {
        l->in[i] = NULL;
        l->stands[i] = nowhere;
    }
    for (int i = 0; i < b->n_in; i++) {
        const inlay_port *p = &b->in[i];

        l->in[p->inner] = p->outer >= 0 ? l->c->in[p->outer] : NULL;
        if (p->purpose == INLAY_PORT_ITERATION && !begin_number(l, p))
            return false;
        if (p->purpose == INLAY_PORT_PLAIN && p->has_axis && p->outer >= 0 && !begin_slice(l, p))
            return false;
    }
    return true;
}

/* The part is copied, because it cannot be shown. */
static bool enter_copy(exec_loop *l, const inlay_port *p)
{
    inlay_tensor *part =
        meter_copy(l->c->run->env->meter, l->moving[p->inner], l->c->node, l->c->diags);

    if (!part)
        return false;
    call_copied(l->c, inlay_tensor_bytes(part));
    inlay_tensor_release(l->held[p->inner]);
    l->in[p->inner] = l->held[p->inner] = part;
    return true;
}

static bool enter_slice(exec_loop *l, const inlay_port *p)
{
    const inlay_tensor *t = l->c->in[p->outer];
    const struct cut *cut = &l->cuts[p->inner];

    if (l->done >= cut->n)
        return ports_fail_part(l->c, p, cut->n, l->done);
    slots_point(l->moving[p->inner], t, (cut->first + l->done * p->stride) * t->strides[cut->axis]);
    l->in[p->inner] = l->moving[p->inner];
    return can_move(t) || enter_copy(l, p);
}

static bool enter(exec_loop *l)
{
    const inlay_body *b = l->body;

    for (int i = 0; i < b->n_in; i++) {
        const inlay_port *p = &b->in[i];

        if (p->purpose == INLAY_PORT_ITERATION)
            inlay_tensor_set_i64(l->number[p->inner], 0, l->done);
        if (p->purpose == INLAY_PORT_PLAIN && p->has_axis && p->outer >= 0 && !enter_slice(l, p))
            return false;
    }
    return true;
}

/* Where results are made */

static exec_slot *slot_at(const exec_loop *l, struct place p)
{
    return p.result == SLOT_NONE ? NULL : &l->slots[p.result].list[p.at];
}

/* The window of the output that joins result R, if a tensor of FORM can be computed there. */
static bool find_window(exec_loop *l, int r, const inlay_tensor *form, exec_slot **out)
{
    exec_join *j = &l->joins[l->port[r]];

    if (!join_reserve(j, l->c, form, l->known))
        return false;
    *out = slots_take_window(&l->slots[r], l->c, form, j->whole, j->axis, join_next(j, form));
    if (*out && !inlay_tensor_is_dense((*out)->t))
        *out = NULL;
    else if (!*out)
        return false;
    return true;
}

/* Finds a place for result R, which will have the type and dims of FORM. */
static bool find_room(exec_loop *l, int r, const inlay_tensor *form)
{
    exec_slot *slot = NULL;

    if (l->port[r] >= 0 && !find_window(l, r, form, &slot))
        return false;
    slot = slot ? slot : slots_take(&l->slots[r], l->c, form);
    if (!slot)
        return false;
    l->rooms[r] = slot->t;
    l->made[r] = (struct place){r, (size_t)(slot - l->slots[r].list)};
    return true;
}

static bool find_rooms(exec_loop *l, const exec_frame *f)
{
    for (int i = 0; i < l->n_results; i++) {
        l->rooms[i] = NULL;
        l->made[i] = nowhere;
    }
    for (int i = 0; i < l->n_results; i++) {
        const inlay_tensor *form = exec_frame_result(f, i);

        if (form && !find_room(l, i, form))
            return false;
    }
    return true;
}

/* Results */

/* T shares bytes with something that the next iteration writes over. */
static bool is_passing(const exec_loop *l, const inlay_tensor *t)
{
    bool passing = false;

    for (int i = 0; !passing && i < l->n_params; i++)
        passing = t == l->moving[i] || (l->number[i] && t->buffer == l->number[i]->buffer);
    for (int i = 0; !passing && i < l->n_results; i++) {
        for (size_t k = 0; !passing && k < l->slots[i].n; k++)
            passing = l->slots[i].list[k].t && t->buffer == l->slots[i].list[k].t->buffer;
    }
    return passing;
}

/* Result R was not made in its room: it was there before, or the kernel has made it. */
static bool settle_other(exec_loop *l, int r)
{
    inlay_tensor *t = l->out[r], *copy;
    int p = 0;

    l->made[r] = nowhere;
    if (l->first[r] < r && l->out[l->first[r]] == t) {
        l->made[r] = l->made[l->first[r]];
        return true;
    }
    while (p < l->n_params && (l->in[p] != t || t == l->moving[p] || t == l->number[p]))
        p++;
    if (p < l->n_params) {
        l->made[r] = l->stands[p];
        return true;
    }
    if (!is_passing(l, t))
        return true;
    copy = meter_copy(l->c->run->env->meter, t, l->c->node, l->c->diags);
    if (!copy)
        return false;
    call_copied(l->c, inlay_tensor_bytes(copy));
    inlay_tensor_release(t);
    l->out[r] = copy;
    return true;
}

static bool settle_results(exec_loop *l)
{
    for (int i = 0; i < l->n_results; i++) {
        if ((!l->rooms[i] || l->out[i] != l->rooms[i]) && !settle_other(l, i))
            return false;
    }
    return true;
}

static bool add_parts(exec_loop *l)
{
    for (int i = 0; i < l->body->n_out; i++) {
        const inlay_port *p = &l->body->out[i];
        const inlay_tensor *t = l->out[p->inner];
        const exec_slot *slot = slot_at(l, l->made[p->inner]);
        bool stands = slot && slot->window && l->port[p->inner] == i && t == l->rooms[p->inner];

        if (!p->has_axis || p->outer < 0)
            continue;
        if (!stands && !join_reserve(&l->joins[i], l->c, t, l->known))
            return false;
        if (!join_add(&l->joins[i], l->c, t, stands))
            return false;
    }
    return true;
}

/* All back edges at once. */
static void carry(exec_loop *l)
{
    const inlay_body *b = l->body;

    for (int i = 0; i < b->n_back; i++) {
        exec_slot *was = slot_at(l, l->stands[b->back[i].to]);

        if (was)
            was->holders--;
    }
    for (int i = 0; i < b->n_back; i++) {
        int to = b->back[i].to, from = b->back[i].from;
        exec_slot *now = slot_at(l, l->made[from]);

        inlay_tensor_release(l->held[to]);
        l->held[to] = inlay_tensor_retain(l->out[from]);
        l->in[to] = l->out[from];
        l->stands[to] = l->made[from];
        if (now)
            now->holders++;
    }
}

/* Iterations */

static bool run_body(exec_loop *l)
{
    run_env env = run_env_of_body(l->c->run->env);
    const exec_outside o = {
        .in = l->in, .state = env.variables, .n_states = env.n_variables, .segments = true};
    exec_session *s = exec_run_of(l->c)->session;
    exec_frame *f;
    bool ok;

    f = exec_frame_take(s, l->plan, &env, &o, l->c->diags);
    if (!f || !find_rooms(l, f))
        return false;
    f->rooms = l->rooms;
    ok = exec_frame_run(&f, &env, &o, l->out, l->c->diags);
    exec_frame_end(f);
    f->rooms = NULL;
    return ok;
}

static bool iterate(exec_loop *l)
{
    if (!call_iterates(l->c) || !enter(l))
        return false;
    call_release(l->out, (size_t)l->n_results);
    if (!run_body(l) || !settle_results(l) || !add_parts(l))
        return false;
    carry(l);
    l->done++;
    return true;
}

/* Outputs */

/* The value of result R for who has no part in the loop: what stands in a slot is given away with
 * it. */
static bool give_value(exec_loop *l, int output, int r)
{
    exec_slot *slot = slot_at(l, l->made[r]);
    inlay_tensor *t = l->out[r];

    if (slot && slot->window) {
        t = inlay_tensor_window(t, t->rank, t->dims, t->strides, 0);
        l->c->out[output] = t;
        return t || inlay_fail_memory(l->c->diags);
    }
    if (slot && slot->t == t) {
        inlay_tensor_release(slot->t);
        slot->t = NULL;
    }
    return call_adopt(l->c, output, t);
}

static bool give_outputs(exec_loop *l)
{
    for (int i = 0; i < l->body->n_out; i++) {
        const inlay_port *p = &l->body->out[i];

        if (p->outer >= 0 && !p->has_axis && !give_value(l, p->outer, p->inner))
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

static void leave(exec_loop *l)
{
    call_release(l->out, (size_t)l->n_results);
    call_release(l->held, (size_t)l->n_params);
    for (int i = 0; i < l->n_params; i++) {
        exec_slot *slot = slot_at(l, l->stands[i]);

        if (slot)
            slot->holders = 0;
        l->stands[i] = nowhere;
    }
    for (int i = 0; i < l->body->n_out; i++)
        join_drop(&l->joins[i]);
    l->c = NULL;
}

static bool run_all(exec_loop *l)
{
    bool more = true;

    if (!begin_inputs(l))
        return false;
    l->known = count_ahead(l);
    while (more && l->done < l->most) {
        if (!iterate(l) || !ports_condition(l->c, l->body, l->out, &more))
            return false;
    }
    return give_outputs(l);
}

bool exec_repeat(inlay_call *c, int64_t most)
{
    const exec_run *run = exec_run_of(c);
    const exec_plan *p = exec_plan_of_body(run->plan, c->run->bodies[0]);
    exec_loop **at = exec_session_loop(run->session, p);
    exec_loop *l = *at ? *at : (*at = loop_new(c->node->bodies, p));
    bool ok;

    if (!l)
        return inlay_fail_memory(c->diags);
    l->c = c;
    l->most = most;
    l->done = 0;
    ok = run_all(l);
    leave(l);
    return ok;
}
