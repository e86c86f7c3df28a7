/* The border between two segments. An instance ends where the size of a value is known only in the
 * run, and the next one is planned when it is. The next instance takes over two things: allocations
 * with their contents, which stay where they are, and dynamic values, which have tensors by then
 * and get allocations around these. */
#include "interp/exec/build/segments.h"
#include "interp/exec/build/layout.h"
#include "interp/exec/build/meta.h"

#include <string.h>

/* The end of a segment */

/* An Assign and a ReadValue pass their value on, whatever its size. */
static bool hands_on(const inlay_node *n)
{
    return call_adopts(n->op) && n->n_bodies == 0;
}

/* Returns whether the value of SLOT is computed in the window of a scatter, perhaps in a part of a
 * part of it, and the size of the scatter's data is not known yet. */
static bool stands_in_unknown(const exec_builder *b, size_t slot)
{
    const exec_place *place = build_place(b, slot);

    while (build_is_held(place) && !b->x->meta[place->target]) {
        slot = place->target;
        place = build_place(b, slot);
    }
    if (build_is_held(place)) /* operands have their places in it already */
        return false;
    return place && place->kind == INLAY_INTO && b->fact[place->target] &&
           !inlay_fact_is_exact(b->fact[place->target]);
}

static bool may_end(const exec_builder *b)
{
    return b->outside->segments && !b->outside->any && b->x->segment.number + 1 < EXEC_SEGMENTS;
}

bool build_is_refused(const exec_builder *b)
{
    return b->x->n > 0 && b->x->list[b->x->n - 1].refused && !b->outside->guessed && may_end(b);
}

bool build_ends(const exec_builder *b)
{
    const inlay_node *n = b->now->step->node;
    bool known = true;

    if (!may_end(b) || b->x->n == 0 || hands_on(n))
        return false;
    for (int i = 0; known && i < n->n_in; i++)
        known = b->now->in[i] == SIZE_MAX || inlay_fact_is_exact(b->fact[b->now->in[i]]);
    for (int k = 0; known && k < n->n_out; k++)
        known = !stands_in_unknown(b, b->now->out[k]);
    return !known;
}

static const inlay_fact *fact_copy(const inlay_fact *f, inlay_arena *memory)
{
    inlay_fact *copy = inlay_arena_alloc(memory, sizeof *copy);
    size_t rank = f->rank > 0 ? (size_t)f->rank : 0, known = (size_t)f->n_known;
    inlay_dim *dims = inlay_arena_array(memory, rank + known + 1, sizeof *dims);

    if (!copy || !dims)
        return NULL;
    *copy = *f;
    if (rank > 0) /* rank 0 has no list of sizes */
        memcpy(dims, f->dims, rank * sizeof *dims);
    copy->dims = dims;
    if (f->known) {
        memcpy(dims + rank, f->known, known * sizeof *dims);
        copy->known = dims + rank;
    }
    return copy;
}

/* Returns whether the allocation of SLOT, if it has one, is alive at time END. */
static bool lives_on(const exec_instance *x, size_t slot, size_t end)
{
    return x->meta[slot] && x->allocations[x->allocations[x->allocation[slot]].same].last == end;
}

/* Returns whether memory is reserved for the value of SLOT, whose step is in a later segment,
 * because an operand of that step was computed in it (concat_operands.c). */
static bool is_reserved(const exec_instance *x, size_t slot)
{
    return x->meta[slot] != NULL;
}

/* Hands the value of SLOT, from this segment or an earlier one, to the next one. */
static bool hand_over(exec_builder *b, size_t slot, const build_reach *r)
{
    exec_instance *x = b->x;
    size_t end = exec_time(x->n);

    if (!x->meta[slot] && r->last == end)
        x->segment.over[x->segment.n_over++] = slot;
    if (!lives_on(x, slot, end))
        return true;
    x->segment.facts[slot] = fact_copy(b->fact[slot], x->memory);
    return x->segment.facts[slot] != NULL;
}

bool build_hand_over(exec_builder *b, const build_reach *reach)
{
    exec_instance *x = b->x;
    const graph_steps *s = b->s;

    if (!exec_goes_on(x))
        return true;
    x->segment.over = inlay_arena_array(x->memory, s->n_slots + 1, sizeof *x->segment.over);
    x->segment.facts = inlay_arena_array(x->memory, s->n_slots + 1, sizeof *x->segment.facts);
    if (!x->segment.over || !x->segment.facts)
        return false;
    for (size_t i = 0; i < s->n; i++) {
        const inlay_node *n = s->list[i].node;

        for (int k = 0; k < n->n_out; k++) {
            size_t slot = steps_slot(s, &n->out[k]);

            if ((i < x->segment.end || !steps_runs(n) || is_reserved(x, slot)) &&
                !hand_over(b, slot, &reach[slot]))
                return false;
        }
    }
    return true;
}

/* The beginning of the next one */

/* Takes over the allocations that are alive; NUMBER receives their numbers in the new instance. */
static void take_allocations(exec_builder *b, size_t *number)
{
    const exec_instance *was = b->outside->before;
    exec_instance *x = b->x;
    size_t end = exec_time(was->n);

    for (size_t i = 0; i < was->n_allocations; i++) {
        const exec_allocation *u = &was->allocations[i];

        number[i] = SIZE_MAX;
        if (was->allocations[u->same].last != end)
            continue;
        number[i] = x->n_allocations;
        x->allocations[x->n_allocations++] =
            (exec_allocation){.root = u->root,
                              .number = u->number,
                              .slot = u->slot,
                              .node = u->node,
                              .fake = u->fake,
                              .bytes = u->bytes,
                              .state = {.axis = u->state.axis, .period = u->state.period},
                              .escapes = u->escapes,
                              .room = u->room,
                              .points = u->points,
                              .ours = u->ours,
                              .offset = u->offset,
                              .same = u->same,
                              .was = i};
    }
    for (size_t i = 0; i < x->n_allocations; i++)
        x->allocations[i].same = number[x->allocations[i].same];
}

/* Returns T in the memory of B's instance, or a constant itself. */
static inlay_tensor *own_meta(const exec_builder *b, const inlay_tensor *t)
{
    return t->buffer ? inlay_tensor_retain(t)
                     : inlay_tensor_window_in(b->x->memory, t, t->rank, t->dims, t->strides, 0);
}

static bool take_values(exec_builder *b, const size_t *number)
{
    const exec_instance *was = b->outside->before;
    bool ok = true;

    for (size_t i = 0; ok && i < b->s->n_slots; i++) {
        size_t allocation = was->allocation[i] == SIZE_MAX ? SIZE_MAX : number[was->allocation[i]];

        if (!was->meta[i] || allocation == SIZE_MAX || !was->segment.facts[i])
            continue;
        b->fact[i] = was->segment.facts[i];
        ok = build_value(b, i, allocation, own_meta(b, was->meta[i]));
    }
    return ok;
}

/* Gives allocations to dynamic values, which have tensors now. Some of them still cannot be
 * planned. */
static bool take_dynamic(exec_builder *b)
{
    const exec_instance *was = b->outside->before;
    bool ok = true;

    for (size_t i = 0; ok && i < was->segment.n_over && !b->outside->any; i++) {
        size_t slot = was->segment.over[i];
        const inlay_tensor *t = b->outside->values[slot];

        if (t && build_plannable(t->type))
            ok = build_outside(b, slot, t, EXEC_MADE, -1);
        else if (t)
            ok = (b->fact[slot] = build_fact(b, t)) != NULL;
    }
    return ok;
}

/* Of other values no more is known than the graph says. */
static void know_rest(exec_builder *b)
{
    for (size_t i = 0; i < b->s->n; i++) {
        const inlay_node *n = b->s->list[i].node;

        for (int k = 0; (i < b->x->segment.begin || !steps_runs(n)) && k < n->n_out; k++) {
            size_t slot = steps_slot(b->s, &n->out[k]);

            b->fact[slot] = b->fact[slot] ? b->fact[slot] : &n->out[k].fact;
        }
    }
}

bool build_take_over(exec_builder *b)
{
    const exec_instance *was = b->outside->before;
    exec_segment *now = &b->x->segment;
    size_t *number = inlay_arena_array(b->scratch, was->n_allocations + 1, sizeof *number);

    if (!number)
        return false;
    b->next = was->segment.next_fake;
    now->before = was;
    now->number = was->segment.number + 1;
    now->begin = was->segment.end;
    memcpy(now->region, was->segment.region, sizeof now->region);
    now->region[now->number] = was->arena.bytes + LAYOUT_LINE;
    take_allocations(b, number);
    if (!take_values(b, number) || !take_dynamic(b))
        return false;
    know_rest(b);
    return true;
}

bool build_floats(const exec_builder *b, size_t slot)
{
    size_t allocation = b->x->allocation[slot];
    const exec_place *place = build_place(b, slot);
    bool floats = false;

    while (!floats && allocation != SIZE_MAX && place && place->spoiled &&
           place->kind != INLAY_FRESH && place->target != slot) {
        slot = place->target;
        floats = b->x->allocation[slot] != SIZE_MAX && b->x->allocation[slot] != allocation;
        place = build_place(b, slot);
    }
    return floats;
}
