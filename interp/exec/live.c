/* The live ranges of the values of an instance, which of these values leave the run, and where in
 * the arena the others lie. Bytes after their last use are used again without a note: by whatever
 * comes later, and by the result of a pointwise step, which may be written over an operand of its
 * size that dies there. */
#include "interp/exec/build.h"
#include "interp/exec/layout.h"

#include <stdlib.h>

/* For a small result it is not worth it that many addresses are filled in anew in each run, only
 * because an operand of the step stood there before. */
enum { LARGE_RESULT = 16 << 10 };

static void extend(build_reach *r, size_t last, bool escapes)
{
    r->last = last > r->last ? last : r->last;
    r->escapes = r->escapes || escapes;
}

/* Reads what the steps behind this segment use: such a value is alive at the end of this segment,
 * and so is a value that was assigned in the segments before. */
static void read_other_uses(const exec_builder *b, build_reach *r)
{
    size_t end = exec_time(b->x->n);

    for (size_t i = 0; i < b->s->n; i++) {
        const inlay_node *n = b->s->list[i].node;
        bool assigns = inlay_node_is(n, INLAY_OP_ASSIGN);

        if (i >= b->x->begin && i < b->x->end)
            continue;
        for (int k = 0; k < n->n_in && (assigns || i >= b->x->end); k++) {
            if (n->in[k].value)
                extend(&r[steps_slot(b->s, n->in[k].value)], end, assigns);
        }
        for (int k = 0; k < n->n_out && i >= b->x->end; k++)
            extend(&r[steps_slot(b->s, &n->out[k])], end, false);
    }
}

static void read_uses(const exec_builder *b, build_reach *r)
{
    const exec_instance *x = b->x;
    size_t end = exec_time(x->n);

    for (size_t i = 0; i < x->n; i++) {
        const inlay_node *n = x->list[i].step->node;
        bool assigns = inlay_node_is(n, INLAY_OP_ASSIGN);

        for (int k = 0; k < n->n_in; k++) {
            if (x->list[i].in[k] != SIZE_MAX)
                extend(&r[x->list[i].in[k]], assigns ? end : exec_read_time(x, i), assigns);
        }
        for (int k = 0; k < n->n_out; k++)
            extend(&r[x->list[i].out[k]], exec_read_time(x, i), false);
    }
    for (int i = 0; i < b->s->graph->n_results; i++)
        extend(&r[steps_slot(b->s, b->s->graph->results[i]->in[0].value)], end, true);
    for (int i = 0; i < b->s->n_keep; i++)
        extend(&r[b->s->keep[i]], end, true);
}

/* Returns whether the kernel of N may hand over an operand. The steps of other segments are not at
 * hand. */
static bool hands_over(const inlay_node *n, const exec_step *s)
{
    return call_adopts(n->op) && (!s || s->kind == EXEC_WALK);
}

static void reach_operands(const exec_builder *b, const inlay_node *n, const build_reach *out,
                           build_reach *r)
{
    for (int k = 0; k < n->n_in; k++) {
        if (n->in[k].value)
            extend(&r[steps_slot(b->s, n->in[k].value)], out->last, out->escapes);
    }
}

/* Extends live ranges: what a value may stand in lives as long as the value. That is the target of
 * its note, obeyed or not, and for what a kernel hands over every operand. What holds a value is
 * made later; the value stands in the same unit, or does not stand there at all. */
static void reach_back(const exec_builder *b, build_reach *r)
{
    const exec_instance *x = b->x;
    size_t left = x->n;

    for (size_t i = b->s->n; i-- > 0;) {
        const inlay_node *n = b->s->list[i].node;
        bool here = left > 0 && x->list[left - 1].step == &b->s->list[i];
        bool hands = hands_over(n, here ? &x->list[left - 1] : NULL);

        left -= here;
        for (int k = 0; k < n->n_out; k++) {
            size_t slot = steps_slot(b->s, &n->out[k]);
            const exec_place *place = build_place(b, slot);

            if (place && place->kind != INLAY_FRESH && !build_is_held(place))
                extend(&r[place->target], r[slot].last, r[slot].escapes);
            if (hands)
                reach_operands(b, n, &r[slot], r);
        }
    }
}

static void reach_units(const exec_builder *b, const build_reach *r)
{
    exec_instance *x = b->x;

    for (size_t i = 0; i < b->s->n_slots; i++) {
        exec_unit *u = x->unit[i] == SIZE_MAX ? NULL : &x->units[x->units[x->unit[i]].same];

        if (u && r[i].last > u->last)
            u->last = r[i].last;
        if (u)
            u->escapes = u->escapes || r[i].escapes;
    }
}

/* Units that become one */

static exec_unit *one_of(const exec_instance *x, size_t value)
{
    exec_unit *u = &x->units[x->unit[value]];

    while (u->same != (size_t)(u - x->units))
        u = &x->units[u->same];
    return u;
}

static bool same_dims(const inlay_tensor *a, const inlay_tensor *b)
{
    bool same = a->rank == b->rank;

    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == b->dims[i];
    return same;
}

/* Returns where VALUE begins in its unit. */
static size_t begins(const exec_instance *x, size_t value)
{
    return (size_t)((char *)x->shadow[value]->data - x->units[x->unit[value]].fake);
}

/* Returns whether A, an operand that stands where the output will, is read only where it is
 * written. */
static bool reads_in_step(const exec_instance *x, size_t a, size_t out)
{
    const inlay_tensor *t = x->shadow[a], *o = x->shadow[out];

    return begins(x, a) == 0 && inlay_tensor_is_dense(t) && same_dims(t, o) &&
           inlay_type_info_of(t->type)->bits == inlay_type_info_of(o->type)->bits;
}

/* Returns whether the value of SLOT, which may have come over a border with a tensor of its own,
 * stands in unit V by its note.
 *
 *     %x = Slice(%d, %start, ...)      view of d, of any size: it has a unit around its tensor
 *     the border
 *     %y = Subtract(%d, %x)            may not be written over d, though d dies here
 */
static bool stands_in(const exec_builder *b, size_t slot, const exec_unit *v)
{
    const exec_instance *x = b->x;
    const exec_place *place = build_place(b, slot);
    bool stands = x->unit[slot] != SIZE_MAX && one_of(x, slot) == v;

    while (!stands && place && place->kind != INLAY_FRESH) {
        stands = x->unit[place->target] != SIZE_MAX && one_of(x, place->target) == v;
        place = place->target == slot ? NULL : build_place(b, slot = place->target);
    }
    return stands;
}

/* Returns whether the operands of step S leave room for OUT to be written over unit V where S, or a
 * step that S is fused with, makes OUT. */
static bool leaves_room(const exec_builder *b, const exec_step *s, size_t out, const exec_unit *v)
{
    const exec_instance *x = b->x;
    bool may = true;

    for (int k = 0; may && k < s->step->node->n_in; k++) {
        size_t in = s->in[k];

        may = in == SIZE_MAX || (x->shadow[in] && (one_of(x, in) == v ? reads_in_step(x, in, out)
                                                                      : !stands_in(b, in, v)));
    }
    return may;
}

/* Returns whether output 0 of step number I may be written over unit V of one of its operands, or
 * of an operand of a step that it is fused with: behind it none of them reads V. */
static bool may_take(const exec_builder *b, size_t i, const exec_unit *v)
{
    const exec_instance *x = b->x;
    const exec_fused *f = x->list[i].fused;
    size_t first = f ? f->first : i, end = f ? f->first + f->n : i + 1;
    bool may = v->root == EXEC_ARENA && v->last == exec_read_time(x, i) && !v->escapes;

    for (size_t k = first; may && k < end; k++) {
        const exec_step *s = &x->list[k];

        if (k <= i) {
            may = leaves_room(b, s, x->list[i].out[0], v);
            continue;
        }
        for (int j = 0; may && j < s->step->node->n_in; j++)
            may = s->in[j] == SIZE_MAX ||
                  (x->shadow[s->in[j]] && one_of(x, s->in[j]) != v && !stands_in(b, s->in[j], v));
    }
    return may;
}

/* Makes output 0 of step number I be written over an operand of step S, if it may be. */
static bool take_over(const exec_builder *b, const exec_step *s, size_t i)
{
    exec_instance *x = b->x;
    exec_unit *u = one_of(x, x->list[i].out[0]);

    for (int k = 0; k < s->step->node->n_in; k++) {
        exec_unit *v = s->in[k] != SIZE_MAX && x->shadow[s->in[k]] ? one_of(x, s->in[k]) : NULL;

        if (!v || v == u || v->bytes != u->bytes || !may_take(b, i, v) ||
            (u->escapes && (u->bytes < LARGE_RESULT || v->was != SIZE_MAX)))
            continue;
        u->same = (size_t)(v - x->units);
        v->last = u->last;
        v->escapes = u->escapes;
        v->slot = u->slot;
        x->list[i].zeroes = false;
        return true;
    }
    return false;
}

/* Does the same with the operands of all steps that step number I is fused with. */
static void take_over_fused(const exec_builder *b, size_t i)
{
    const exec_fused *f = b->x->list[i].fused;
    bool done = false;

    for (size_t k = f->first; !done && k <= i; k++)
        done = take_over(b, &b->x->list[k], i);
}

/* Returns whether S copies what stands in operand 0. If S wrote over that operand it would copy
 * nothing, and only notes may say so. */
static bool copies(const exec_instance *x, const exec_step *s)
{
    unsigned flags = s->step->node->op->flags;

    const inlay_tensor *from = x->shadow[s->in[0]];

    return (flags & (INLAY_VIEW | INLAY_MOVES)) ||
           ((flags & INLAY_CONVERTS) && from && from->type == x->shadow[s->out[0]]->type);
}

static void use_dying_operands(const exec_builder *b)
{
    exec_instance *x = b->x;

    for (size_t i = 0; i < x->n; i++) {
        exec_step *s = &x->list[i];
        const inlay_node *n = s->step->node;
        const exec_unit *u;

        if ((s->kind != EXEC_KERNEL && s->kind != EXEC_BLOCKS && s->kind != EXEC_FUSED) ||
            n->n_out != 1 || s->in_place || s->views || !(n->op->flags & INLAY_POINTWISE) ||
            copies(x, s))
            continue;
        u = &x->units[x->unit[s->out[0]]];
        if (u->root != EXEC_ARENA || u->bytes == 0 || u->slot != s->out[0])
            continue;
        if (s->kind == EXEC_FUSED)
            take_over_fused(b, i);
        else if (u->first == exec_time(i))
            take_over(b, s, i);
    }
}

/* Offsets */

static void settle_units(exec_instance *x)
{
    for (size_t i = 0; i < x->n_units; i++) {
        exec_unit *u = &x->units[i];

        while (x->units[u->same].same != u->same)
            u->same = x->units[u->same].same;
        if (u->same == i && u->root == EXEC_ARENA && u->escapes && u->was == SIZE_MAX)
            u->root = EXEC_HEAP;
    }
    for (size_t i = 0; i < x->n_units; i++)
        x->units[i].root = x->units[x->units[i].same].root;
}

/* Returns whether unit I lies in the arena. A unit in which no value stands was made for a step
 * that is walked after all. */
static bool is_block(const exec_instance *x, size_t i)
{
    const exec_unit *u = &x->units[i];

    return u->same == i && exec_in_arena(u) && u->bytes > 0 && u->last >= u->first;
}

/* Lists the blocks, and returns how many there are. What lies in the arena already stays there, and
 * nothing lies across the end of what the session has of the arena by then
 * (exec_instance.region). */
static size_t list_blocks(const exec_instance *x, layout_block *list)
{
    size_t n = 0;

    for (size_t i = 0; i < x->n_units; i++) {
        const exec_unit *u = &x->units[i];

        if (is_block(x, i))
            list[n++] = (layout_block){.bytes = u->bytes,
                                       .first = u->first,
                                       .last = u->last,
                                       .offset = u->offset,
                                       .fixed = u->was != SIZE_MAX};
    }
    for (int i = 1; i <= x->segment; i++)
        list[n++] = (layout_block){.bytes = LAYOUT_LINE,
                                   .last = SIZE_MAX,
                                   .offset = x->region[i] - LAYOUT_LINE,
                                   .fixed = true,
                                   .idle = true};
    return n;
}

static bool place_units(exec_instance *x)
{
    layout_block *list = calloc(x->n_units + EXEC_SEGMENTS + 1, sizeof *list);
    size_t n = 0;
    layout all;
    bool ok = list && layout_make(list, list_blocks(x, list), &all);

    for (size_t i = 0; ok && i < x->n_units; i++) {
        if (is_block(x, i))
            x->units[i].offset = list[n++].offset;
    }
    free(list);
    if (!ok)
        return false;
    x->arena_bytes = all.bytes;
    if (x->before && all.bytes <= x->region[x->segment]) /* no fresh bytes are needed */
        x->arena_bytes = x->before->arena_bytes;
    x->bound_bytes = all.bound;
    x->bound_at = all.bound > 0 && all.at > 0 ? x->list[all.at - 1].step->node : NULL;
    return true;
}

/* Addresses */

/* Returns whether a session has the unit's address to fill in. */
static bool is_filled_in(const exec_instance *x, size_t unit)
{
    return unit != SIZE_MAX && x->units[unit].root != EXEC_CONST;
}

/* Returns whether the value of all of a unit is the very tensor that is bound to it. */
static bool is_bound(const exec_instance *x, size_t value)
{
    const exec_unit *u = &x->units[x->units[x->unit[value]].same];

    return u->root != EXEC_ARENA && u->slot == value;
}

/* Marks the values whose tensors somebody asks for. Blocks have addresses of their own. */
static bool *list_asked(const exec_builder *b)
{
    const exec_instance *x = b->x;
    bool *asked = inlay_arena_array(b->scratch, x->n_values + 1, sizeof *asked);

    for (size_t i = 0; asked && i < x->n; i++) {
        const exec_step *s = &x->list[i];
        bool asks = (s->kind != EXEC_BLOCKS && s->kind != EXEC_FUSED) || b->plan->places;

        for (int k = 0; asks && k < s->step->node->n_in; k++)
            asked[s->in[k] == SIZE_MAX ? x->n_values : s->in[k]] = true;
        for (int k = 0; asks && k < s->step->node->n_out; k++)
            asked[s->out[k]] = true;
    }
    for (size_t i = b->s->n_slots; asked && i < x->n_values; i++)
        asked[i] = true;
    for (int i = 0; asked && i < b->s->graph->n_params; i++)
        asked[steps_slot(b->s, &b->s->graph->params[i]->out[0])] = true;
    for (int i = 0; asked && i < b->s->graph->n_results; i++)
        asked[steps_slot(b->s, b->s->graph->results[i]->in[0].value)] = true;
    for (int i = 0; asked && i < b->s->n_keep; i++)
        asked[b->s->keep[i]] = true;
    return asked;
}

/* Calls for each reference to a unit, to count them or to list them. */
static void each_ref(exec_instance *x, const bool *asked,
                     void (*call)(exec_instance *, size_t, exec_ref))
{
    for (size_t i = 0; i < x->n_values; i++) {
        if (x->shadow[i] && asked[i] && is_filled_in(x, x->unit[i]) && !is_bound(x, i))
            call(x, x->units[x->unit[i]].same, (exec_ref){i, -1});
    }
    for (size_t i = 0; i < x->n_blocks; i++) {
        for (int k = 0; k < EXEC_LANES; k++) {
            if (is_filled_in(x, x->blocks[i].unit[k]))
                call(x, x->units[x->blocks[i].unit[k]].same, (exec_ref){i, k});
        }
    }
}

static void count_ref(exec_instance *x, size_t unit, exec_ref ref)
{
    (void)ref;
    x->units[unit].refs++;
    x->n_refs++;
}

static void list_ref(exec_instance *x, size_t unit, exec_ref ref)
{
    x->refs[x->units[unit].refs + x->units[unit].n_refs++] = ref;
}

static bool list_refs(exec_builder *b)
{
    exec_instance *x = b->x;
    const bool *asked = list_asked(b);
    size_t at = 0;

    if (!asked)
        return false;
    each_ref(x, asked, count_ref);
    x->refs = inlay_arena_array(x->memory, x->n_refs + 1, sizeof *x->refs);
    if (!x->refs)
        return false;
    for (size_t i = 0; i < x->n_units; i++) {
        size_t n = x->units[i].refs;

        x->units[i].refs = at;
        at += n;
    }
    each_ref(x, asked, list_ref);
    return true;
}

/* Loose values */

/* Loose values are given up behind the last step that reads them. */
static bool list_drops(exec_builder *b, const build_reach *r)
{
    exec_instance *x = b->x;
    size_t *last = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *last), at = 0;

    x->drops = inlay_arena_array(x->memory, b->s->n_slots + 1, sizeof *x->drops);
    x->loose = inlay_arena_array(x->memory, b->s->n_slots + 1, sizeof *x->loose);
    if (!last || !x->drops || !x->loose)
        return false;
    for (size_t i = 0; i < x->n; i++) {
        const inlay_node *n = x->list[i].step->node;

        for (int k = 0; k < n->n_out; k++)
            last[x->list[i].out[k]] = i + 1;
        for (int k = 0; k < n->n_in; k++) {
            if (x->list[i].in[k] != SIZE_MAX)
                last[x->list[i].in[k]] = i + 1;
        }
    }
    for (int i = 0; i < b->s->graph->n_results; i++)
        last[steps_slot(b->s, b->s->graph->results[i]->in[0].value)] = 0;
    for (int i = 0; i < b->s->n_keep; i++)
        last[b->s->keep[i]] = 0;
    for (size_t i = 0; i < b->s->n_slots; i++) {
        if (x->shadow[i])
            continue;
        if (exec_goes_on(x) && r[i].last == exec_time(x->n))
            last[i] = 0;
        x->loose[x->n_loose++] = i;
        if (last[i] > 0)
            x->list[last[i] - 1].n_drops++;
    }
    for (size_t i = 0; i < x->n; i++) {
        x->list[i].drop = at;
        at += x->list[i].n_drops;
        x->list[i].n_drops = 0;
    }
    for (size_t i = 0; i < x->n_loose; i++) {
        size_t slot = x->loose[i];
        exec_step *s = last[slot] > 0 ? &x->list[last[slot] - 1] : NULL;

        if (s)
            x->drops[s->drop + s->n_drops++] = slot;
    }
    x->n_drops = at;
    return true;
}

/* Marks steps behind which something else has to be done: a value is kept that will be written
 * over, or bytes die into which something may wait to be written. */
static bool mark_steps(const exec_builder *b)
{
    exec_instance *x = b->x;
    bool *kept = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *kept);

    for (int j = 0; kept && j < b->s->n_keep; j++)
        kept[b->s->keep[j]] = true;
    for (size_t i = 0; kept && i < x->n && b->plan->places; i++) {
        for (int k = 0; k < x->list[i].step->node->n_out; k++)
            x->list[i].keeps = x->list[i].keeps || kept[x->list[i].out[k]];
    }
    for (size_t i = 0; i < b->s->n_slots && b->plan->places; i++) {
        const exec_unit *u = x->unit[i] == SIZE_MAX ? NULL : &x->units[x->units[x->unit[i]].same];

        if (u && exec_in_arena(u) && b->plan->places[i].spoiled && u->last > 0 && u->last <= x->n)
            x->list[u->last - 1].settles = true;
    }
    return kept != NULL;
}

/* Returns whether the value of SLOT is all of unit U, like the value that U is named after. */
static bool fills(const exec_instance *x, const exec_unit *u, size_t slot)
{
    const inlay_tensor *t = x->shadow[slot], *all = x->shadow[u->slot];

    return u->slot == slot ||
           (all && t->data == all->data && t->type == all->type && inlay_tensor_is_dense(t) &&
            inlay_tensor_is_dense(all) && same_dims(t, all));
}

/* Finds the units that a Result is all of. */
static void list_results(exec_builder *b)
{
    exec_instance *x = b->x;

    for (size_t i = 0; i < x->n_units; i++)
        x->units[i].result = x->units[i].state = -1;
    for (int i = b->s->graph->n_results; i-- > 0;) {
        size_t slot = steps_slot(b->s, b->s->graph->results[i]->in[0].value);
        exec_unit *u = x->shadow[slot] ? &x->units[x->units[x->unit[slot]].same] : NULL;

        if (u && (u->root == EXEC_HEAP || u->root == EXEC_MADE) && fills(x, u, slot))
            u->result = i;
    }
}

static void list_states(exec_instance *x)
{
    for (size_t i = 0; i < x->n; i++) {
        const exec_step *s = &x->list[i];
        size_t slot = s->kind == EXEC_ASSIGN ? s->in[0] : SIZE_MAX;
        exec_unit *u =
            slot != SIZE_MAX && x->shadow[slot] ? &x->units[x->units[x->unit[slot]].same] : NULL;

        if (u && u->root == EXEC_HEAP && fills(x, u, slot))
            u->state = inlay_variable_of(s->step->node, INLAY_OP_ASSIGN)->index;
    }
}

static bool list_outer(exec_instance *x)
{
    for (int list = 0; list < 2; list++) {
        x->n_outer = 0;
        for (size_t i = 0; i < x->n_units; i++) {
            const exec_unit *u = &x->units[i];

            if (u->same != i || u->root == EXEC_ARENA || u->root == EXEC_CONST)
                continue;
            if (list)
                x->outer[x->n_outer] = i;
            x->n_outer++;
        }
        if (!list)
            x->outer = inlay_arena_array(x->memory, x->n_outer + 1, sizeof *x->outer);
        if (!x->outer)
            return false;
    }
    return true;
}

/* Groups steps that are only blocks, one behind the other: they are computed in one go. */
static void group_steps(exec_instance *x)
{
    for (size_t i = x->n; i-- > 0;) {
        exec_step *s = &x->list[i];
        bool plain = ((s->kind == EXEC_BLOCKS && !s->in_place) || s->kind == EXEC_NOTHING) &&
                     !s->keeps && !s->settles && s->n_drops == 0 && s->moved == 0;

        s->group = plain;
        s->counted = !inlay_node_is(s->step->node, INLAY_OP_CONST);
        if (!plain || i + 1 == x->n || s[1].group == 0)
            continue;
        s->group += s[1].group;
        s->counted += s[1].counted;
    }
}

bool build_layout(exec_builder *b)
{
    build_reach *r = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *r);

    if (!r)
        return false;
    read_uses(b, r);
    read_other_uses(b, r);
    reach_back(b, r);
    reach_units(b, r);
    use_dying_operands(b);
    settle_units(b->x);
    if (!build_inner(b) || !mark_steps(b) || !place_units(b->x) || !list_refs(b) ||
        !list_drops(b, r) || !list_outer(b->x) || !build_hand_over(b, r))
        return false;
    group_steps(b->x);
    list_results(b);
    list_states(b->x);
    return true;
}
