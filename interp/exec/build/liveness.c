/* Live ranges of the values of an instance, which values outlive the run, and the offsets of all
 * others in the arena. Bytes after their last use are reused without a note, by later values or by
 * results of pointwise steps (reuse.c). */
#include "interp/exec/build/liveness.h"
#include "interp/exec/build/layout.h"
#include "interp/exec/build/rehearse.h"
#include "interp/exec/build/reuse.h"
#include "interp/exec/build/segments.h"
#include "interp/exec/build/state_growth.h"
#include "ir/shared.h"

static void extend(build_reach *r, size_t last, bool escapes)
{
    r->last = last > r->last ? last : r->last;
    r->escapes = r->escapes || escapes;
}

/* Reads what the steps of later segments use: such a value is alive at the end of this segment, and
 * so is a value that was assigned to a variable in an earlier one. */
static void read_other_uses(const exec_builder *b, build_reach *r)
{
    size_t end = exec_time(b->x->n);

    for (size_t i = 0; i < b->s->n; i++) {
        const inlay_node *n = b->s->list[i].node;
        bool assigns = inlay_node_is(n, INLAY_OP_ASSIGN);

        if (i >= b->x->segment.begin && i < b->x->segment.end)
            continue;
        for (int k = 0; k < n->n_in && (assigns || i >= b->x->segment.end); k++) {
            if (n->in[k].value)
                extend(&r[steps_slot(b->s, n->in[k].value)], end, assigns);
        }
        for (int k = 0; k < n->n_out && i >= b->x->segment.end; k++)
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
        extend(&r[b->s->results[i]], end, true);
    for (int i = 0; i < b->s->n_keep; i++)
        extend(&r[b->s->keep[i]], end, true);
}

/* Returns whether the kernel of N may return an operand as its output. S is NULL for a step of
 * another segment. */
static bool hands_over(const inlay_node *n, const exec_step *s)
{
    return call_adopts(n->op) && (!s || s->kind == EXEC_WALK);
}

/* Extends the live ranges of those operands of N that may be its output OUT: of all of them if ANY,
 * else of those that its bodies return unchanged. */
static bool reach_operands(const exec_builder *b, const inlay_node *n, bool any,
                           const build_reach *out, build_reach *r)
{
    bool *handed = inlay_arena_array(b->scratch, (size_t)n->n_in + 1, sizeof *handed);
    exec_instance *x = b->x;

    if (!handed || (!any && !inlay_node_handed(n, -1, handed)))
        return false;
    for (int k = 0; k < n->n_in; k++) {
        size_t slot = n->in[k].value ? steps_slot(b->s, n->in[k].value) : SIZE_MAX;

        if (slot == SIZE_MAX || (!any && !handed[k]))
            continue;
        extend(&r[slot], out->last, any && out->escapes);
        if (x->allocation[slot] != SIZE_MAX)
            x->allocations[x->allocations[x->allocation[slot]].same].handed = true;
    }
    return true;
}

/* Extends the live ranges of all values that the value of SLOT may be stored in. They are computed
 * later, but their memory may be reserved in an earlier segment than the value is:
 *
 *     h = Concat(a, b)            this segment computes a, in its part of h
 *     w = SliceScatter(b, ...)    the next one computes b in h; result w overwrites b
 */
static void reach_holders(const exec_builder *b, size_t slot, build_reach *r)
{
    const exec_place *place = build_place(b, slot);
    build_reach own = r[slot];

    for (; place->kind != INLAY_FRESH; place = build_place(b, place->target))
        extend(&r[place->target], own.last, own.escapes);
}

/* Extends live ranges: a value's memory lives as long as the value. That memory may belong to the
 * target of its note, whether obeyed or not; to any operand, if the kernel may return one; and, for
 * a state whose beginning is cut off, to the state before, which an earlier segment may have made.
 */
static bool reach_back(const exec_builder *b, build_reach *r)
{
    const exec_instance *x = b->x;
    size_t left = x->n;
    bool ok = true;

    for (size_t i = b->s->n; ok && i-- > 0;) {
        const inlay_node *n = b->s->list[i].node;
        bool here = left > 0 && x->list[left - 1].step == &b->s->list[i];
        bool hands = hands_over(n, here ? &x->list[left - 1] : NULL);

        left -= here;
        for (int k = 0; ok && k < n->n_out; k++) {
            size_t slot = steps_slot(b->s, &n->out[k]);
            const exec_place *place = build_place(b, slot);

            if (place && build_is_held(place))
                reach_holders(b, slot, r);
            else if (place && place->kind != INLAY_FRESH)
                extend(&r[place->target], r[slot].last, r[slot].escapes);
            if (b->plan->growth[slot].shows)
                extend(&r[steps_slot(b->s, n->in[0].value)], r[slot].last, r[slot].escapes);
            if (hands || n->n_bodies > 0)
                ok = reach_operands(b, n, hands, &r[slot], r);
        }
    }
    return ok;
}

static void reach_allocations(const exec_builder *b, const build_reach *r)
{
    exec_instance *x = b->x;

    for (size_t i = 0; i < b->s->n_slots; i++) {
        exec_allocation *u = x->allocation[i] == SIZE_MAX
                                 ? NULL
                                 : &x->allocations[x->allocations[x->allocation[i]].same];

        if (u && r[i].last > u->last)
            u->last = r[i].last;
        if (u)
            u->escapes = u->escapes || r[i].escapes;
    }
}

/* Offsets */

static void settle_allocations(exec_instance *x)
{
    for (size_t i = 0; i < x->n_allocations; i++) {
        exec_allocation *u = &x->allocations[i];

        while (x->allocations[u->same].same != u->same)
            u->same = x->allocations[u->same].same;
        if (u->same == i && u->root == EXEC_ARENA && u->escapes && u->was == SIZE_MAX)
            u->root = EXEC_HEAP;
    }
    for (size_t i = 0; i < x->n_allocations; i++)
        x->allocations[i].root = x->allocations[x->allocations[i].same].root;
}

/* Returns whether allocation I lies in the arena. One that holds no value was made for a step that
 * turned out to be planned in the run. */
static bool is_block(const exec_instance *x, size_t i)
{
    const exec_allocation *u = &x->allocations[i];

    return u->same == i && exec_in_arena(u) && u->bytes > 0 && u->last >= u->first;
}

/* Lists the blocks, and returns how many there are. What lies in the arena already stays there, and
 * nothing lies across the end of what the session has of the arena by then
 * (exec_segment.region). */
static size_t list_blocks(const exec_instance *x, layout_block *list)
{
    size_t n = 0;

    for (size_t i = 0; i < x->n_allocations; i++) {
        const exec_allocation *u = &x->allocations[i];

        if (is_block(x, i))
            list[n++] = (layout_block){.bytes = u->bytes,
                                       .first = u->first,
                                       .last = u->last,
                                       .offset = u->offset,
                                       .fixed = u->was != SIZE_MAX};
    }
    for (int i = 1; i <= x->segment.number; i++)
        list[n++] = (layout_block){.bytes = LAYOUT_LINE,
                                   .last = SIZE_MAX,
                                   .offset = x->segment.region[i] - LAYOUT_LINE,
                                   .fixed = true,
                                   .idle = true};
    return n;
}

static bool place_allocations(exec_builder *b)
{
    exec_instance *x = b->x;
    const exec_segment *s = &x->segment;
    layout_block *list =
        inlay_arena_array(b->scratch, x->n_allocations + EXEC_SEGMENTS + 1, sizeof *list);
    size_t n = 0;
    bool ok = list && layout_make(list, list_blocks(x, list), b->scratch, &x->arena);

    for (size_t i = 0; ok && i < x->n_allocations; i++) {
        if (is_block(x, i))
            x->allocations[i].offset = list[n++].offset;
    }
    if (!ok)
        return false;
    if (s->before && x->arena.bytes <= s->region[s->number]) /* no fresh bytes are needed */
        x->arena.bytes = s->before->arena.bytes;
    return true;
}

/* Addresses */

/* Returns whether each session fills in the allocation's address. */
static bool is_filled_in(const exec_instance *x, size_t allocation)
{
    return allocation != SIZE_MAX && x->allocations[allocation].root != EXEC_CONST;
}

/* Returns whether VALUE is all of its allocation, and so is the very tensor that is bound to it. */
static bool is_bound(const exec_instance *x, size_t value)
{
    const exec_allocation *u = &x->allocations[x->allocations[x->allocation[value]].same];

    return u->root != EXEC_ARENA && u->slot == value && !u->points;
}

/* Marks the values whose tensors are read in a run. Blocks have addresses of their own. */
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
        asked[b->s->params[i]] = true;
    for (int i = 0; asked && i < b->s->graph->n_results; i++)
        asked[b->s->results[i]] = true;
    for (int i = 0; asked && i < b->s->n_keep; i++)
        asked[b->s->keep[i]] = true;
    return asked;
}

/* Calls CALL for each reference to an allocation, to count or to list them. */
static void each_ref(exec_instance *x, const bool *asked,
                     void (*call)(exec_instance *, size_t, exec_ref))
{
    for (size_t i = 0; i < x->n_values; i++) {
        if (x->meta[i] && asked[i] && is_filled_in(x, x->allocation[i]) && !is_bound(x, i))
            call(x, x->allocations[x->allocation[i]].same, (exec_ref){i, -1});
    }
    for (size_t i = 0; i < x->n_blocks; i++) {
        for (int k = 0; k < EXEC_LANES; k++) {
            if (is_filled_in(x, x->blocks[i].allocation[k]))
                call(x, x->allocations[x->blocks[i].allocation[k]].same, (exec_ref){i, k});
        }
    }
}

static void count_ref(exec_instance *x, size_t allocation, exec_ref ref)
{
    (void)ref;
    x->allocations[allocation].refs++;
    x->n_refs++;
}

static void list_ref(exec_instance *x, size_t allocation, exec_ref ref)
{
    x->refs[x->allocations[allocation].refs + x->allocations[allocation].n_refs++] = ref;
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
    for (size_t i = 0; i < x->n_allocations; i++) {
        size_t n = x->allocations[i].refs;

        x->allocations[i].refs = at;
        at += n;
    }
    each_ref(x, asked, list_ref);
    return true;
}

/* Dynamic values */

/* Marks the values that this segment may have: it makes them, or they come from outside. */
static const bool *list_met(const exec_builder *b)
{
    const exec_instance *x = b->x, *was = b->outside->before;
    bool *met = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *met);

    for (int i = 0; met && i < b->s->graph->n_params; i++)
        met[b->s->params[i]] = true;
    for (size_t i = 0; met && was && i < was->segment.n_over; i++)
        met[was->segment.over[i]] = true;
    for (size_t i = 0; met && i < x->n; i++) {
        for (int k = 0; k < x->list[i].step->node->n_out; k++)
            met[x->list[i].out[k]] = true;
    }
    return met;
}

/* Dynamic values are released after the last step that reads them. */
static bool list_drops(exec_builder *b, const build_reach *r)
{
    exec_instance *x = b->x;
    const bool *met = list_met(b);
    size_t *last = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *last), at = 0;

    x->drops = inlay_arena_array(x->memory, b->s->n_slots + 1, sizeof *x->drops);
    x->dynamic = inlay_arena_array(x->memory, b->s->n_slots + 1, sizeof *x->dynamic);
    if (!met || !last || !x->drops || !x->dynamic)
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
        last[b->s->results[i]] = 0;
    for (int i = 0; i < b->s->n_keep; i++)
        last[b->s->keep[i]] = 0;
    for (size_t i = 0; i < b->s->n_slots; i++) {
        if (x->meta[i] || !met[i])
            continue;
        if (exec_goes_on(x) && r[i].last == exec_time(x->n))
            last[i] = 0;
        x->dynamic[x->n_dynamic++] = i;
        if (last[i] > 0)
            x->list[last[i] - 1].n_drops++;
    }
    for (size_t i = 0; i < x->n; i++) {
        x->list[i].drop = at;
        at += x->list[i].n_drops;
        x->list[i].n_drops = 0;
    }
    for (size_t i = 0; i < x->n_dynamic; i++) {
        size_t slot = x->dynamic[i];
        exec_step *s = last[slot] > 0 ? &x->list[last[slot] - 1] : NULL;

        if (s)
            x->drops[s->drop + s->n_drops++] = slot;
    }
    return true;
}

/* Marks steps after which a value has to be saved because it will be overwritten. */
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
    return kept != NULL;
}

/* Returns whether the value of SLOT is all of allocation U, with the form of the value that U is
 * named after. */
static bool fills(const exec_instance *x, const exec_allocation *u, size_t slot)
{
    const inlay_tensor *t = x->meta[slot], *all = x->meta[u->slot];

    return u->slot == slot || (all && t->data == all->data && inlay_tensor_is_dense(t) &&
                               inlay_tensor_is_dense(all) && tensor_same_form(t, all));
}

/* Finds the allocations whose whole contents are a Result. */
static void list_results(exec_builder *b)
{
    exec_instance *x = b->x;

    for (size_t i = 0; i < x->n_allocations; i++)
        x->allocations[i].result = x->allocations[i].state.variable = -1;
    for (int i = b->s->graph->n_results; i-- > 0;) {
        size_t slot = b->s->results[i];
        exec_allocation *u =
            x->meta[slot] ? &x->allocations[x->allocations[x->allocation[slot]].same] : NULL;

        if (u && (u->root == EXEC_HEAP || u->root == EXEC_MADE) && fills(x, u, slot))
            u->result = i;
    }
}

static void list_states(const exec_builder *b)
{
    exec_instance *x = b->x;

    for (size_t i = 0; i < x->n; i++) {
        const exec_step *s = &x->list[i];
        size_t slot = s->kind == EXEC_ASSIGN ? s->in[0] : SIZE_MAX;
        exec_allocation *u = slot != SIZE_MAX && x->meta[slot]
                                 ? &x->allocations[x->allocations[x->allocation[slot]].same]
                                 : NULL;

        if (u && u->root == EXEC_HEAP && (fills(x, u, slot) || b->plan->growth[slot].shows))
            u->state.variable = inlay_variable_of(s->step->node, INLAY_OP_ASSIGN)->index;
    }
}

static bool list_outer(exec_instance *x)
{
    for (int list = 0; list < 2; list++) {
        x->n_outer = 0;
        for (size_t i = 0; i < x->n_allocations; i++) {
            const exec_allocation *u = &x->allocations[i];

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

/* Returns whether the steps of F need nothing but to be computed: nothing is saved, kept, released
 * or copied. */
static bool is_quiet(const exec_instance *x, const exec_fused *f)
{
    bool quiet = true;

    for (const exec_step *s = x->list + f->first; quiet && s < x->list + f->first + f->n; s++)
        quiet = !s->saves && !s->keeps && s->n_drops == 0 && s->moved == 0 &&
                (!s->in_place || s->kind == EXEC_NOTHING);
    return quiet;
}

/* Groups consecutive steps that are only blocks: a run computes them in one go. */
static void group_steps(exec_instance *x)
{
    for (size_t i = x->n; i-- > 0;) {
        exec_step *s = &x->list[i];
        bool plain = ((s->kind == EXEC_BLOCKS && !s->in_place) || s->kind == EXEC_NOTHING) &&
                     !s->keeps && s->n_drops == 0 && s->moved == 0;

        s->group = plain;
        s->counted = !inlay_node_is(s->step->node, INLAY_OP_CONST);
        s->quiet = s->fused && s->fused->first == i && is_quiet(x, s->fused);
        if (!plain || i + 1 == x->n || s[1].group == 0)
            continue;
        s->group += s[1].group;
        s->counted += s[1].counted;
    }
}

/* Returns whether T has all elements of ALL, in the same order, but other dims. */
static bool has_other_form(const inlay_tensor *t, const inlay_tensor *all)
{
    return t && all && t->data == all->data && t->type == all->type && inlay_tensor_is_dense(t) &&
           inlay_tensor_is_dense(all) && inlay_tensor_count(t) == inlay_tensor_count(all) &&
           !tensor_same_form(t, all);
}

/* If a result is a reshape of what was computed in its allocation, the allocation is named after
 * the result: then it can be computed straight into the caller's tensor. */
static void name_results(exec_builder *b)
{
    exec_instance *x = b->x;

    for (int i = 0; i < b->s->graph->n_results; i++) {
        size_t slot = b->s->results[i];
        exec_allocation *u = x->meta[slot] ? &x->allocations[x->allocation[slot]] : NULL;

        if (u && u->root == EXEC_ARENA && u->was == SIZE_MAX &&
            has_other_form(x->meta[slot], x->meta[u->slot]))
            u->slot = slot;
    }
}

bool build_layout(exec_builder *b)
{
    build_reach *r = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *r);

    if (!r)
        return false;
    name_results(b);
    read_uses(b, r);
    read_other_uses(b, r);
    if (!reach_back(b, r))
        return false;
    reach_allocations(b, r);
    build_reuse(b);
    settle_allocations(b->x);
    if (!build_inner(b) || !mark_steps(b) || !place_allocations(b) || !list_refs(b) ||
        !list_drops(b, r) || !list_outer(b->x) || !build_hand_over(b, r))
        return false;
    group_steps(b->x);
    list_results(b);
    list_states(b);
    return build_growth(b);
}
