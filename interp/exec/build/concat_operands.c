/* Operands that are computed straight into their part of a later result, such as the operands of
 * Concat (INLAY_HOLDS). The result's memory is therefore reserved when the first of them is
 * computed:
 *
 *     step 3    %a = Exp(%x)            reserves c; a is its first half
 *     step 4    %b = Tanh(%y)           b is its second half
 *     step 5    %c = Concat(%a, %b)     nothing is left to do
 */
#include "interp/exec/build/concat_operands.h"
#include "interp/call/window.h"
#include "interp/exec/build/allocation.h"
#include "interp/exec/build/meta.h"
#include "interp/exec/build/record.h"
#include "interp/exec/build/shapes.h"

/* Returns whether it is known before the run what N computes, and from which operands. */
static bool is_known(const exec_builder *b, const inlay_node *n)
{
    bool known = n->n_out == 1 && build_plannable(n->out[0].fact.type);

    for (int i = 0; known && i < n->n_in; i++)
        known = !n->in[i].value || inlay_fact_is_exact(build_fact_ahead(b, n->in[i].value));
    return known && inlay_fact_is_exact(build_fact_ahead(b, &n->out[0]));
}

/* Returns the part of R, which lies at T, that V will fill. */
static inlay_tensor *part_of(exec_builder *b, const inlay_value *r, const inlay_tensor *t,
                             const inlay_value *v)
{
    inlay_window w[INLAY_MAX_RANK];
    const inlay_value *shown = inlay_node_shown(r->node, v);
    inlay_tensor *part;
    call_shown all;
    int lead;

    if (!t || t->rank != build_fact_ahead(b, r)->rank ||
        !inlay_node_part_by(r->node, v, build_fact_ahead, b, w))
        return NULL;
    lead = t->rank - build_fact_ahead(b, shown)->rank;
    call_show_window(t, w, &all);
    part = inlay_tensor_window_in(b->x->memory, &all.t, all.t.rank - lead, all.dims + lead,
                                  all.strides + lead, 0);
    return part && shown != v ? build_reshaped(b->x->memory, part, build_fact_ahead(b, v)) : part;
}

/* Reserves memory for R, which is not computed yet; if R itself goes into a part of another value,
 * that one has its memory. False: R gets none. */
static bool reserve(exec_builder *b, const inlay_value *r)
{
    size_t slot = steps_slot(b->s, r), allocation;
    const exec_place *place = build_place(b, slot);
    const inlay_fact *f;
    inlay_tensor *t = NULL;

    if (!is_known(b, r->node))
        return false;
    f = b->fact[slot] = build_fact_ahead(b, r);
    if (place->kind == INLAY_FRESH) {
        if (!build_own_allocation(b, slot, f) || !b->x->meta[slot])
            return false;
        b->x->allocations[b->x->allocation[slot]].node = r->node;
        return true;
    }
    allocation = b->x->allocation[place->target];
    if (allocation != SIZE_MAX)
        t = build_is_held(place)
                ? part_of(b, &place->scatter->out[0], b->x->meta[place->target], r)
                : build_reshaped(b->x->memory,
                                 build_window(b, place->scatter, b->x->meta[place->target]), f);
    return t && build_value(b, slot, allocation, t);
}

/* Reserves memory first for all values that R goes into a part of, directly or not, then for R. */
static bool reserve_all(exec_builder *b, const inlay_value *r)
{
    const inlay_value **chain, *t;
    size_t n = 0;

    for (t = r; !b->x->meta[steps_slot(b->s, t)]; t = t->note_target) {
        n++;
        if (!build_is_held(build_place(b, steps_slot(b->s, t))))
            break;
    }
    chain = inlay_arena_array(b->scratch, n + 1, sizeof *chain);
    if (!chain)
        return false;
    for (size_t i = 0; i < n; i++, r = r->note_target)
        chain[i] = r;
    while (n > 0) {
        if (!reserve(b, chain[--n]))
            return false;
    }
    return true;
}

bool build_is_over(const exec_builder *b, size_t slot)
{
    while (build_is_held(build_place(b, slot)))
        slot = build_place(b, slot)->target;
    return build_place(b, slot)->kind != INLAY_FRESH;
}

inlay_tensor *build_part(exec_builder *b, size_t slot, size_t *allocation, bool *over)
{
    const exec_place *place = build_place(b, slot);
    const inlay_node *n = b->now->step->node;
    int k = 0;

    while (b->now->out[k] != slot)
        k++;
    *over = build_is_over(b, place->target);
    if (!build_look_ahead(b) || !reserve_all(b, &place->scatter->out[0]))
        return NULL;
    *allocation = b->x->allocation[place->target];
    return part_of(b, &place->scatter->out[0], b->x->meta[place->target], &n->out[k]);
}

/* Returns the value that operand I is a view of, perhaps with other axes, by its note; SIZE_MAX:
 * none. */
static size_t shown_by(const exec_builder *b, int i)
{
    const exec_place *place = build_place(b, b->now->in[i]);
    bool reshapes = b->now->step->node->in[i].value->node->op->flags & INLAY_RESHAPES;

    return place && place->kind == INLAY_VIEW_OF && reshapes ? place->target : SIZE_MAX;
}

/* Returns whether operand I is only created during the run, as a view of SHOWN, but its form is
 * known now: its sizes are known, and strides can describe it. */
static bool shows_in_run(const exec_builder *b, int i, size_t shown)
{
    const inlay_fact *f = &b->now->step->node->in[i].value->fact;
    const inlay_tensor *t = b->x->meta[shown];
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], count;

    return inlay_fact_dims(f, dims) && inlay_count_elements(f->rank, dims, &count) && count > 0 &&
           inlay_tensor_count(t) == count &&
           inlay_strides_reshaped(t->rank, t->dims, t->strides, f->rank, dims, strides);
}

/* Returns whether operand I, or the value that it is a view of, was computed in its part of the
 * output. */
static bool stands(const exec_builder *b, int i)
{
    const inlay_node *n = b->now->step->node;
    size_t value = b->now->in[i], shown, made;
    const exec_place *place;
    const inlay_value *v;

    if (value == SIZE_MAX)
        return false;
    shown = shown_by(b, i);
    made = shown == SIZE_MAX ? value : shown;
    v = shown == SIZE_MAX ? n->in[i].value : n->in[i].value->note_target;
    place = build_place(b, made);
    return build_is_held(place) && place->scatter == n && b->x->meta[made] &&
           inlay_node_shown(n, v) == n->in[i].value &&
           b->x->allocation[made] == b->x->allocation[b->now->out[0]] &&
           (b->x->meta[value] ? b->x->allocation[value] == b->x->allocation[made]
                              : shows_in_run(b, i, made));
}

uint64_t build_standing(const exec_builder *b)
{
    const inlay_node *n = b->now->step->node;
    uint64_t bytes = 0;

    for (int i = 0; i < n->n_in; i++) {
        size_t value = b->now->in[i];

        if (stands(b, i) && inlay_node_first_operand(n, n->in[i].value, i) == i)
            bytes += inlay_tensor_bytes(b->x->meta[b->x->meta[value] ? value : shown_by(b, i)]);
    }
    return bytes;
}
