#include "interp/audit/border.h"

#include <string.h>

static const exec_allocation *root_of(const exec_instance *x, size_t allocation)
{
    return &x->allocations[x->allocations[allocation].same];
}

/* Whether an allocation that is taken over is unchanged. */
static bool same_allocation(const audit_tags *t, const audit_tags *was, size_t i)
{
    const exec_allocation *now = root_of(t->x, i),
                          *then = root_of(was->x, t->x->allocations[i].was);

    return now->root == then->root && now->bytes == then->bytes && now->number == then->number &&
           now->ours == then->ours && (now->root != EXEC_ARENA || now->offset == then->offset) &&
           now->was != SIZE_MAX && root_of(was->x, now->was) == then;
}

/* Tags with numbers beyond the values of the graph mean other values in each segment, so they are
 * not copied. */
static void copy_tags(const audit_tags *t, audit_space *to, const audit_space *from)
{
    size_t n = (size_t)(to->bytes < from->bytes ? to->bytes : from->bytes);

    for (size_t i = 0; i < n; i++)
        to->tag[i] = from->tag[i] > t->x->steps->n_slots ? 0 : from->tag[i];
}

static bool is_dynamic(const exec_instance *x, size_t slot)
{
    bool found = false;

    for (size_t i = 0; i < x->segment.n_over; i++)
        found = found || x->segment.over[i] == slot;
    return found;
}

/* Values that were dynamic have a tensor by now, and their tags are written. So are those of states
 * that are read from here on. */
static const char *take_others(audit_tags *t, const audit_tags *was, size_t *value)
{
    for (size_t i = 0; i < t->x->n_allocations; i++) {
        const exec_allocation *u = &t->x->allocations[i];

        if (u->was != SIZE_MAX || (u->first > 0 && u->root != EXEC_STATE))
            continue;
        *value = u->slot;
        if (u->root != EXEC_STATE && (u->root != EXEC_MADE || !is_dynamic(was->x, u->slot)))
            return "a value that the segment before does not pass on";
        if (t->x->meta[u->slot] && !tags_write(t, u->slot))
            return "a value that is taken over is outside of its allocation";
    }
    return NULL;
}

const char *border_cross(audit_tags *t, const audit_tags *was, size_t *value)
{
    const exec_instance *x = t->x;

    for (size_t i = 0; i < x->n_allocations; i++) {
        const exec_allocation *u = &x->allocations[i];
        uint64_t base;

        *value = u->slot;
        if (u->was == SIZE_MAX)
            continue;
        if (u->was >= was->x->n_allocations || !same_allocation(t, was, i))
            return "a unit has become another one at the border";
        if (u->same == i && !exec_in_arena(u) && u->root != EXEC_CONST)
            copy_tags(t, tags_space(t, i, &base), tags_space(was, u->was, &base));
    }
    copy_tags(t, &t->spaces[x->n_allocations], &was->spaces[was->x->n_allocations]);
    memcpy(t->from, was->from, x->steps->n_slots * sizeof *t->from);
    return take_others(t, was, value);
}

/* Whether the first and the last byte lie in one region, which ends where the arena of its segment
 * ends. */
static bool lies_in_region(const exec_instance *x, const exec_allocation *u)
{
    while (x->segment.before && u->offset < x->segment.region[x->segment.number])
        x = x->segment.before;
    return u->bytes <= x->arena.bytes && u->offset <= x->arena.bytes - u->bytes;
}

static const char *check_regions(const exec_instance *x)
{
    const exec_instance *was = x->segment.before;
    int number = x->segment.number;

    for (int i = 0; was && i < number; i++) {
        if (x->segment.region[i] != was->segment.region[i])
            return "a region has moved at the border";
    }
    if (number != (was ? was->segment.number + 1 : 0) ||
        x->segment.region[number] < (was ? was->arena.bytes : 0))
        return "the region of the segment begins too early";
    for (size_t i = 0; i < x->n_allocations; i++) {
        const exec_allocation *u = &x->allocations[i];

        if (u->same == i && exec_in_arena(u) && u->last >= u->first && !lies_in_region(x, u))
            return "an allocation crosses the end of a region";
    }
    return NULL;
}

static bool is_left_out(const exec_instance *x, const inlay_node *n)
{
    return n->n_out > 0 && x->left_out[steps_slot(x->steps, &n->out[0])];
}

const char *border_frame(const exec_instance *x)
{
    const graph_steps *s = x->steps;
    size_t at = x->segment.begin;

    if (at != (x->segment.before ? x->segment.before->segment.end : 0))
        return "the segment does not begin where the one before has ended";
    for (size_t i = 0; i <= x->n; i++) {
        while (at < x->segment.end &&
               (!steps_runs(s->list[at].node) || is_left_out(x, s->list[at].node)))
            at++;
        if (i < x->n && (at == x->segment.end || x->list[i].step != &s->list[at]))
            return "a step is another one than the graph's";
        at += i < x->n;
    }
    return at == x->segment.end ? check_regions(x) : "steps of the segment are left out";
}

bool border_lost(const exec_instance *x, size_t slot)
{
    const exec_instance *was = x->segment.before;

    return was && slot < x->steps->n_slots && was->meta[slot] && !x->meta[slot];
}
