/* Makes an instance by walking over the steps as a run would, but with shapes alone. */
#include "interp/exec/build/allocation.h"
#include "interp/exec/build/chain.h"
#include "interp/exec/build/fuse.h"
#include "interp/exec/build/kernel_choice.h"
#include "interp/exec/build/key.h"
#include "interp/exec/build/liveness.h"
#include "interp/exec/build/meta.h"
#include "interp/exec/build/outputs.h"
#include "interp/exec/build/rehearse.h"
#include "interp/exec/build/segments.h"
#include "interp/exec/build/shapes.h"
#include "interp/exec/build/windows.h"
#include "interp/exec/plan/aligned.h"
#include "ir/shared.h"

#include <stdlib.h>

enum {
    FIRST_FAKE = 1 << 20,
    COPIES_AROUND = 12 /* recorded around the only operand that a node holds; if more are needed its
                          kernel is called in each run */
};

/* Gives the value of SLOT, whose fact is known, an allocation of its own. False: out of memory, or
 * such a value cannot have one before the run. */
static bool take_fresh(exec_builder *b, size_t slot)
{
    const inlay_fact *f = b->fact[slot];

    return build_plannable(f->type) && build_own_allocation(b, slot, f) && b->x->meta[slot];
}

static bool take_param(exec_builder *b, int i)
{
    const inlay_node *n = b->s->graph->params[i];
    const inlay_tensor *t = b->outside->in[i];
    size_t slot = steps_slot(b->s, &n->out[0]);
    const exec_place *place = build_place(b, slot);
    bool ours = b->outside->ours && b->outside->ours[i];

    b->fact[slot] = &n->out[0].fact;
    if (!t || b->outside->any)
        return true;
    if (!place || !place->spoiled || place->sliced || ours) {
        if (!build_outside(b, slot, t, EXEC_INPUT, i))
            return false;
        b->x->allocations[b->x->allocation[slot]].ours = ours;
        return true;
    }
    b->fact[slot] = build_fact(b, t);
    if (b->fact[slot] && take_fresh(b, slot)) {
        b->x->allocations[b->x->allocation[slot]].node = n;
        b->x->entries[b->x->n_entries++].param = (size_t)i;
    }
    return b->fact[slot] != NULL;
}

/* Steps */

static bool walk_step(exec_builder *b)
{
    const inlay_node *n = b->now->step->node;

    b->now->kind = EXEC_WALK;
    for (int i = 0; i < n->n_out; i++) {
        size_t slot = b->now->out[i];

        inlay_tensor_release(b->x->meta[slot]);
        b->x->meta[slot] = NULL;
        b->x->allocation[slot] = SIZE_MAX;
        if (!inlay_fact_is_exact(b->fact[slot]))
            b->fact[slot] = &n->out[i].fact;
    }
    return true;
}

static bool copy_step(exec_builder *b, size_t from)
{
    size_t bytes;

    if (!take_fresh(b, b->now->out[0]) || !inlay_fact_bytes(b->fact[b->now->out[0]], &bytes))
        return walk_step(b);
    b->now->kind = EXEC_COPY;
    b->now->from = from;
    b->now->moved = bytes;
    return true;
}

static bool plan_const(exec_builder *b)
{
    const inlay_node *n = b->now->step->node;
    const inlay_attr *a = inlay_node_attr(n, "value");
    size_t slot = b->now->out[0], allocation;
    const exec_place *place = build_place(b, slot);
    const inlay_tensor *t = a ? a->as.tensor : NULL;

    b->fact[slot] = &n->out[0].fact;
    if (!t)
        return walk_step(b);
    if (place && place->spoiled && place->kind == INLAY_FRESH)
        return copy_step(b, SIZE_MAX);
    t = exec_plan_const(b->plan, n, t);
    if (!t)
        return false;
    allocation = build_allocation(b, EXEC_CONST, slot, 0);
    if (allocation == SIZE_MAX)
        return walk_step(b);
    b->x->allocations[allocation].fake = t->data;
    return build_value(b, slot, allocation, inlay_tensor_retain(t));
}

/* Returns whether the step will fail because variable V does not accept the value of SLOT. */
static bool is_refused(exec_builder *b, const inlay_variable *v, size_t slot)
{
    char why[1200];

    b->now->refused = !variable_accepts(v, b->x->meta[slot], why, sizeof why);
    return b->now->refused;
}

/* Makes operand 0 itself the output. */
static bool alias_step(exec_builder *b, exec_kind kind)
{
    size_t from = b->now->in[0], slot = b->now->out[0];

    b->now->kind = kind;
    b->fact[slot] = b->fact[from];
    return build_value(b, slot, b->x->allocation[from], inlay_tensor_retain(b->x->meta[from]));
}

static bool zeros_step(exec_builder *b, const inlay_variable *v)
{
    inlay_fact *f = inlay_arena_alloc(b->scratch, sizeof *f);

    if (!f)
        return false;
    *f = (inlay_fact){.type = v->type, .rank = v->rank, .dims = v->dims};
    b->fact[b->now->out[0]] = f;
    if (!inlay_fact_is_exact(f) || !take_fresh(b, b->now->out[0]))
        return walk_step(b);
    b->now->kind = EXEC_ZEROS;
    return true;
}

static bool is_spoiled(const exec_builder *b, size_t slot)
{
    const exec_place *place = build_place(b, slot);

    return place && place->spoiled;
}

static bool plan_read(exec_builder *b)
{
    const inlay_node *n = b->now->step->node;
    const inlay_variable *v = inlay_variable_of(n, INLAY_OP_READ_VALUE);
    size_t slot = b->now->out[0], first = n->n_in > 0 ? b->now->in[0] : SIZE_MAX;
    const exec_outside *o = b->outside;

    if (!v || o->any)
        return walk_step(b);
    if (v->index < o->n_states && o->state[v->index])
        return build_outside(b, slot, o->state[v->index], EXEC_STATE, v->index);
    if (first == SIZE_MAX)
        return zeros_step(b, v);
    if (!b->x->meta[first] || is_refused(b, v, first))
        return walk_step(b);
    b->fact[slot] = b->fact[first];
    if (is_spoiled(b, slot) || is_spoiled(b, first))
        return copy_step(b, first);
    return alias_step(b, EXEC_NOTHING);
}

static bool plan_assign(exec_builder *b)
{
    const inlay_node *n = b->now->step->node;
    const inlay_variable *v = inlay_variable_of(n, INLAY_OP_ASSIGN);
    size_t from = b->now->in[0];

    if (!v || !b->x->meta[from] || is_refused(b, v, from))
        return walk_step(b);
    return alias_step(b, EXEC_ASSIGN);
}

/* Puts output VALUE where the value that it overwrites lies, if that has memory. */
static bool take_given(exec_builder *b, size_t value)
{
    size_t target = build_place(b, value)->target;
    const inlay_tensor *t = b->x->meta[target];
    const inlay_fact *f = b->fact[value];
    bool same = t && b->x->allocation[target] != SIZE_MAX && inlay_fact_is_exact(f) &&
                t->type == f->type && t->rank == f->rank && inlay_tensor_is_dense(t);

    for (int i = 0; same && i < t->rank; i++)
        same = t->dims[i] == f->dims[i].lo;
    return !same ||
           build_value(b, value, b->x->allocation[target],
                       inlay_tensor_window_in(b->x->memory, t, t->rank, t->dims, t->strides, 0));
}

static bool is_given(const exec_builder *b, size_t value)
{
    const exec_place *place = build_place(b, value);

    return place && place->kind == INLAY_OVERWRITES;
}

/* Gives the value of SLOT, a tensor that a kernel returns, an allocation of its own, if its form is
 * known. */
static bool take_made(exec_builder *b, size_t slot)
{
    const inlay_fact *f = b->fact[slot];
    size_t bytes, allocation;

    if (!inlay_fact_is_exact(f) || !build_plannable(f->type) || !inlay_fact_bytes(f, &bytes))
        return true;
    allocation = build_allocation(b, EXEC_MADE, slot, bytes);
    if (allocation == SIZE_MAX)
        return true;
    b->x->allocations[allocation].room = true;
    return build_value(b, slot, allocation,
                       build_dense(b->x->memory, f, b->x->allocations[allocation].fake));
}

/* Plans a step whose kernel returns tensors, existing or new. Outputs whose form is known before
 * the run get memory now: such tensors will be dense. */
static bool plan_adopting(exec_builder *b)
{
    const inlay_node *n = b->now->step->node;
    bool ok;

    walk_step(b);
    ok = build_infer_bodies(b, n, b->fact);
    for (int i = 0; ok && i < n->n_out; i++) {
        size_t slot = b->now->out[i];
        bool done = is_given(b, slot);

        ok = done ? take_given(b, slot) : build_wanted(b, i, &done);
        ok = ok && (done || take_made(b, slot));
    }
    return ok;
}

static bool plan_plain(exec_builder *b)
{
    const inlay_node *n = b->now->step->node;
    bool known;

    b->now->asks = !build_graph_knows(n);
    if (!build_infer(b, n, b->fact, &known, &b->now->refused))
        return false;
    for (int i = 0; known && i < n->n_out; i++)
        known = build_plannable(b->fact[b->now->out[i]]->type);
    return known ? build_outputs(b) : walk_step(b);
}

static bool plan_step(exec_builder *b)
{
    const inlay_node *n = b->now->step->node;

    for (int i = 0; i < n->n_out; i++)
        b->fact[b->now->out[i]] = &n->out[i].fact;
    if (inlay_node_is(n, INLAY_OP_CONST))
        return plan_const(b);
    if (inlay_node_is(n, INLAY_OP_READ_VALUE))
        return plan_read(b);
    if (inlay_node_is(n, INLAY_OP_ASSIGN))
        return plan_assign(b);
    if (call_adopts(n->op))
        return plan_adopting(b);
    return plan_plain(b) && (b->now->kind != EXEC_WALK || walk_step(b));
}

/* The whole instance */

static bool is_left_out(const exec_instance *x, const inlay_value *v)
{
    return x->left_out[steps_slot(x->steps, v)];
}

static bool list_numbers(exec_builder *b)
{
    const inlay_node *n = b->now->step->node;
    size_t *in = inlay_arena_array(b->x->memory, (size_t)n->n_in + 1, sizeof *in);
    size_t *out = inlay_arena_array(b->x->memory, (size_t)n->n_out + 1, sizeof *out);

    for (int i = 0; in && i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;

        in[i] = v && !is_left_out(b->x, v) ? steps_slot(b->s, v) : SIZE_MAX;
    }
    for (int i = 0; out && i < n->n_out; i++)
        out[i] = steps_slot(b->s, &n->out[i]);
    b->now->in = in;
    b->now->out = out;
    return in && out;
}

static bool take_params(exec_builder *b)
{
    bool ok = true;

    for (int i = 0; ok && i < b->s->graph->n_params; i++)
        ok = take_param(b, i);
    return ok;
}

static bool plan_steps(exec_builder *b)
{
    exec_instance *x = b->x;
    exec_segment *now = &x->segment;

    if (!(b->outside->before ? build_take_over(b) : take_params(b)))
        return false;
    for (now->end = now->begin; now->end < b->s->n && !build_is_refused(b); now->end++) {
        if (build_skips(b, b->s->list[now->end].node))
            continue;
        b->now = &x->list[x->n];
        b->now->step = &b->s->list[now->end];
        if (!list_numbers(b))
            return false;
        if (build_ends(b))
            break;
        x->n++;
        if (!plan_step(b) || (b->now->kind == EXEC_WALK && !build_library(b)))
            return false;
    }
    b->now = NULL;
    now->next_fake = b->next;
    return true;
}

static bool make_room(exec_builder *b)
{
    exec_instance *x = b->x;
    size_t operands = 0, inner = 0;

    for (size_t i = 0; i < b->s->n; i++) {
        const inlay_node *n = b->s->list[i].node;

        operands += (size_t)n->n_in;
        if (inlay_node_held(n) == 1) /* copies of the parts of the result around the operand */
            operands += COPIES_AROUND;
        inner += b->s->list[i].bodies != NULL;
    }
    b->cap_allocations = b->s->n_slots + operands + inner + 1;
    if (b->plan->set->module) /* scratch memory of chains */
        b->cap_allocations += b->s->n;
    b->cap_values =
        3 * b->cap_allocations; /* each operand or output may have two parts that are copied */
    x->n_values = b->s->n_slots;
    x->meta = inlay_arena_array(x->memory, b->cap_values, sizeof *x->meta);
    x->allocation = inlay_arena_array(x->memory, b->cap_values, sizeof *x->allocation);
    x->allocations = inlay_arena_array(x->memory, b->cap_allocations, sizeof *x->allocations);
    x->copies = inlay_arena_array(x->memory, b->cap_allocations, sizeof *x->copies);
    x->entries =
        inlay_arena_array(x->memory, (size_t)b->s->graph->n_params + 1, sizeof *x->entries);
    x->list = inlay_arena_array(x->memory, b->s->n + 1, sizeof *x->list);
    x->inner = inlay_arena_array(x->memory, inner + 1, sizeof *x->inner);
    b->form = inlay_arena_array(b->scratch, b->s->n + 1, sizeof *b->form);
    b->fact = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *b->fact);
    b->readable = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *b->readable);
    for (size_t i = 0; x->allocation && i < b->s->n_slots;
         i++) /* an operand of a Concat gets its memory when it is computed */
        x->allocation[i] = SIZE_MAX;
    return x->meta && x->allocation && x->allocations && x->copies && x->entries && x->list &&
           x->inner && b->form && b->fact && b->readable;
}

static bool write_key(exec_instance *x, const exec_outside *o)
{
    int64_t *key = inlay_arena_array(x->memory, exec_key_capacity(x->steps, o) + 1, sizeof *key);

    if (!key)
        return false;
    x->n_key = exec_key(x->steps, o, key);
    x->key = key;
    return true;
}

/* Leaves out the initial value of each variable that has a state already. */
static bool leave_out(exec_instance *x, const exec_outside *o)
{
    bool *out = inlay_arena_array(x->memory, x->steps->n_slots + 1, sizeof *out);

    for (size_t i = 0; out && i < x->steps->n_slots; i++)
        out[i] = steps_leaves_out(x->steps, i, o->state, o->n_states);
    x->left_out = out;
    return out != NULL;
}

/* Was memory missing for what is reported? */
static bool lacks_memory(const exec_builder *b)
{
    bool lacks =
        b->lacks || !b->said || inlay_arena_lacked(b->scratch) || inlay_arena_lacked(b->x->memory);

    for (size_t i = 0; !lacks && i < inlay_diags_count(b->said); i++)
        lacks = inlay_diags_at(b->said, i)->status == INLAY_NO_RESOURCE;
    return lacks;
}

/* Takes the empty instance of SCRAP, or makes one, and what else an instance is made with. */
static exec_instance *begin(exec_scrap *scrap, const exec_plan *p)
{
    inlay_budget *budget = inlay_graph_budget(p->steps->graph);
    exec_instance *x = scrap->x ? scrap->x : inlay_take(budget, 1, sizeof *x);

    scrap->x = x ? x->next : NULL;
    scrap->scratch = scrap->scratch ? scrap->scratch : inlay_arena_of(budget);
    scrap->meter = scrap->meter ? scrap->meter : meter_new(budget, 0, 0, false);
    if (x && !x->memory)
        x->memory = inlay_arena_with_room(budget, scrap->room);
    if (x && x->memory && scrap->scratch && scrap->meter)
        return x;
    exec_instance_free(x);
    return NULL;
}

exec_instance *exec_instance_from(exec_scrap *scrap, const exec_plan *p, const exec_outside *o,
                                  inlay_diags *d)
{
    exec_instance *x = begin(scrap, p);
    exec_builder b = {.x = x,
                      .plan = p,
                      .s = p->steps,
                      .outside = o,
                      .next = FIRST_FAKE,
                      .scratch = scrap->scratch,
                      .meter = scrap->meter,
                      .said = o->told ? inlay_diags_new() : NULL};
    bool ok = x != NULL;

    if (ok) {
        x->steps = p->steps;
        ok = write_key(x, o) && leave_out(x, o) && make_room(&b) && plan_steps(&b) &&
             build_chains(&b) && build_packed(&b) && build_windows(&b) && build_fused(&b) &&
             build_layout(&b) && (!o->told || !lacks_memory(&b));
    }
    inlay_arena_reuse(scrap->scratch);
    scrap->room = x ? inlay_arena_bytes(x->memory) : 0;
    inlay_diags_free(b.said);
    if (ok)
        return x;
    exec_instance_free(x);
    inlay_fail_memory(d);
    return NULL;
}

exec_instance *exec_instance_new(const exec_plan *p, const exec_outside *o, inlay_diags *d)
{
    exec_scrap scrap = {0};
    exec_instance *x = exec_instance_from(&scrap, p, o, d);

    exec_scrap_free(&scrap);
    return x;
}

static void leave(exec_instance *x)
{
    for (size_t i = 0; x->meta && i < x->n_values; i++)
        inlay_tensor_release(x->meta[i]);
    build_leave_inner(x);
    build_leave_chains(x);
}

void exec_instance_empty(exec_instance *x)
{
    leave(x);
    inlay_arena_reuse(x->memory);
    *x = (exec_instance){.memory = x->memory, .blocks = x->blocks, .cap_blocks = x->cap_blocks};
}

void exec_instance_free(exec_instance *x)
{
    if (!x)
        return;
    leave(x);
    inlay_arena_free(x->memory);
    inlay_give(x->blocks);
    inlay_give(x);
}

void exec_scrap_free(exec_scrap *scrap)
{
    while (scrap->x) {
        exec_instance *x = scrap->x;

        scrap->x = x->next;
        exec_instance_free(x);
    }
    inlay_arena_free(scrap->scratch);
    meter_release(scrap->meter);
    *scrap = (exec_scrap){0};
}
