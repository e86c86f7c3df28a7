/* Alias sets as a union-find structure and as trees. See alias.h. */
#include "passes/inplace/alias.h"
#include "ir/shared.h"

#include <stdlib.h>

static size_t slot_of(const inplace_aliases *a, const inlay_value *v)
{
    return a->first_slot[v->node->id] + (size_t)v->index;
}

inplace_set *inplace_set_of(inplace_aliases *a, const inlay_value *v)
{
    size_t slot = slot_of(a, v);

    while (a->sets[slot].up != slot) {
        a->sets[slot].up = a->sets[a->sets[slot].up].up;
        slot = a->sets[slot].up;
    }
    return &a->sets[slot];
}

/* Reads at the end of the run */

static const inlay_variable *variable_of(const inplace_aliases *a, size_t observer)
{
    return inlay_variable_of(a->observers[observer - 1], INLAY_OP_ASSIGN);
}

/* Adds OBSERVER (a variable or an output, by number; 0: none) to SET. It is enough to keep two of
 * them: whichever variable is excluded later, one of the two remains if there are any others. */
static void add_observer(const inplace_aliases *a, inplace_set *set, size_t observer)
{
    size_t first = set->observers[0];
    bool other = observer && first && variable_of(a, observer) != variable_of(a, first);

    if (observer && (!first || observer < first)) {
        set->observers[0] = observer;
        set->observers[1] = other ? first : set->observers[1];
    } else if (other && (!set->observers[1] || observer < set->observers[1])) {
        set->observers[1] = observer;
    }
}

static void list_observers(inplace_aliases *a)
{
    for (inlay_node *n = a->g->first; n; n = n->next) {
        if ((!inlay_node_is(n, INLAY_OP_RESULT) && !inlay_node_is(n, INLAY_OP_ASSIGN)) ||
            !n->in[0].value)
            continue;
        a->observers[a->n_observers++] = n;
        add_observer(a, inplace_set_of(a, n->in[0].value), a->n_observers);
    }
}

inlay_node *inplace_foreign_observer(const inplace_aliases *a, const inplace_set *x,
                                     const inplace_set *y, const inlay_variable *variable)
{
    const size_t all[] = {x->observers[0], x->observers[1], y->observers[0], y->observers[1]};
    size_t first = SIZE_MAX;

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i] && all[i] < first && variable_of(a, all[i]) != variable)
            first = all[i];
    }
    return first == SIZE_MAX ? NULL : a->observers[first - 1];
}

/* The regions of members */

inplace_member *inplace_member_of(inplace_aliases *a, const inlay_value *v)
{
    inplace_member *m = &a->members[slot_of(a, v)];

    if (m->where)
        return m;
    m->version = inplace_holds(v) ? v->node : NULL;
    m->where = inlay_region_whole(a->arena, v);
    return m->where || inlay_fail_memory(a->diags) ? m : NULL;
}

const inlay_region *inplace_noted_region(const inplace_aliases *a, const inlay_region *outer,
                                         const inlay_value *v, inlay_note_kind kind,
                                         const inlay_value *target)
{
    const inlay_region *r = outer;
    bool shown;

    if (kind == INLAY_VIEW_OF)
        r = inlay_region_view(a->arena, outer, v, a->begins[slot_of(a, v)], &shown);
    else if (kind == INLAY_INTO && inplace_holds(target))
        r = inlay_region_part(a->arena, outer, v, target);
    else if (kind == INLAY_INTO)
        r = inlay_region_window(a->arena, outer, v, target->node);
    if (!r)
        inlay_fail_memory(a->diags);
    return r;
}

const inlay_region *inplace_view_region(inplace_aliases *a, const inlay_value *v, bool *shown)
{
    const inplace_member *data = inplace_member_of(a, inlay_node_input(v->node, 0));
    const inlay_region *r =
        data ? inlay_region_view(a->arena, data->where, v, a->begins[slot_of(a, v)], shown) : NULL;

    if (data && !r)
        inlay_fail_memory(a->diags);
    return r;
}

/* The trees */

/* V has a note: it may make what it is a part of a higher tower. */
static void raise_tower(inplace_aliases *a, const inlay_value *v)
{
    for (; v->note == INLAY_INTO; v = v->note_target) {
        int nested = a->members[slot_of(a, v)].nested + inplace_holds(v->note_target);
        int *around = &a->members[slot_of(a, v->note_target)].nested;

        ++*a->steps;
        if (*around >= nested)
            break;
        *around = nested;
    }
}

void inplace_join_sets(inplace_aliases *a, inlay_value *v, inlay_value *target)
{
    inplace_member *m = &a->members[slot_of(a, v)], *below = &a->members[slot_of(a, target)];
    inplace_set *into = inplace_set_of(a, target), *other = inplace_set_of(a, v);
    inplace_set *small = into->size < other->size ? into : other;
    inplace_set *large = small == into ? other : into;
    inlay_value *root = into->root;

    m->sibling = below->child;
    below->child = v;
    raise_tower(a, v);
    small->up = (size_t)(large - a->sets);
    large->size += small->size;
    large->n_writes += small->n_writes;
    add_observer(a, large, small->observers[0]);
    add_observer(a, large, small->observers[1]);
    large->branched = large->branched || small->branched;
    large->leaves = large->leaves || small->leaves;
    large->root = root;
}

static size_t list_below(inplace_aliases *a, inlay_value *from, bool views_only)
{
    size_t n = 0;

    a->list[n++] = from;
    for (size_t i = 0; i < n; i++) {
        for (inlay_value *c = a->members[slot_of(a, a->list[i])].child; c;
             c = a->members[slot_of(a, c)].sibling) {
            ++*a->steps;
            if (!views_only || c->note == INLAY_VIEW_OF)
                a->list[n++] = c;
        }
    }
    return n;
}

size_t inplace_list_members(inplace_aliases *a, inlay_value *from)
{
    return list_below(a, from, false);
}

size_t inplace_list_views(inplace_aliases *a, inlay_value *from)
{
    return list_below(a, from, true);
}

size_t inplace_list_few(const inplace_aliases *a, const inplace_set *set, inlay_value **out)
{
    size_t n = 0, uses = 0;

    if (set->size > INPLACE_FEW)
        return 0;
    out[n++] = set->root;
    for (size_t i = 0; i < n; i++) {
        for (const inlay_use *u = out[i]->uses; u; u = u->next) {
            if (++uses > INPLACE_FEW_USES)
                return 0;
        }
        for (inlay_value *c = a->members[slot_of(a, out[i])].child; c;
             c = a->members[slot_of(a, c)].sibling)
            out[n++] = c;
    }
    *a->steps += n + uses;
    return n;
}

/* Begin and end */

static bool join_readers(inplace_aliases *a)
{
    inlay_value **first =
        inlay_take(inlay_graph_budget(a->g), (size_t)a->g->n_variables + 1, sizeof(inlay_value *));

    if (!first)
        return inlay_fail_memory(a->diags);
    for (inlay_node *n = a->g->owner ? NULL : a->g->first; n; n = n->next) {
        const inlay_variable *v = inlay_variable_of(n, INLAY_OP_READ_VALUE);

        if (!v)
            continue;
        if (first[v->index])
            inplace_join_sets(a, &n->out[0], first[v->index]);
        else
            first[v->index] = &n->out[0];
    }
    inlay_give(first);
    return true;
}

static bool make_room(inplace_aliases *a)
{
    size_t slots = a->n_slots;

    a->members = inlay_take(inlay_graph_budget(a->g), slots + 1, sizeof *a->members);
    a->sets = inlay_take(inlay_graph_budget(a->g), slots + 1, sizeof *a->sets);
    a->begins = inlay_take(inlay_graph_budget(a->g), slots + 1, sizeof *a->begins);
    a->list = inlay_take(inlay_graph_budget(a->g), slots + 1, sizeof(inlay_value *));
    a->observers = inlay_take(inlay_graph_budget(a->g), a->g->n_nodes + 1, sizeof(inlay_node *));
    a->arena = inlay_arena_of(inlay_graph_budget(a->g));
    return (a->members && a->sets && a->begins && a->list && a->observers && a->arena) ||
           inlay_fail_memory(a->diags);
}

static void begin_members(inplace_aliases *a, inlay_node *n)
{
    size_t slot = a->first_slot[n->id];
    int64_t begin = 0;

    for (int i = 0; i < n->n_out; i++, slot++) {
        a->sets[slot] = (inplace_set){.up = slot, .root = &n->out[i], .size = 1};
        a->begins[slot] = begin;
        if (n->n_out > 1)
            begin = inlay_value_cut_end(&n->out[i], begin);
    }
}

bool inplace_aliases_begin(inplace_aliases *a, inlay_graph *g, uint64_t *steps, inlay_diags *d)
{
    *a = (inplace_aliases){.g = g, .diags = d, .steps = steps};
    a->first_slot =
        inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, sizeof *a->first_slot);
    if (!a->first_slot)
        return inlay_fail_memory(d);
    for (const inlay_node *n = g->first; n; n = n->next) {
        a->first_slot[n->id] = a->n_slots;
        a->n_slots += (size_t)n->n_out;
    }
    if (!make_room(a))
        return false;
    for (inlay_node *n = g->first; n; n = n->next)
        begin_members(a, n);
    inlay_count_steps(g, 3 * g->n_nodes); /* these two walks, and the one for observers */
    list_observers(a);
    return join_readers(a);
}

void inplace_aliases_end(inplace_aliases *a)
{
    inlay_give(a->first_slot);
    inlay_give(a->members);
    inlay_give(a->sets);
    inlay_give(a->begins);
    inlay_give(a->observers);
    inlay_give(a->list);
    inlay_arena_free(a->arena);
}
