/* Which of several scatters of the same data gets to overwrite it.
 *
 *     %r1 = SliceScatter(%d, %u1, ...)    u1 has 32 bytes
 *     %r2 = SliceScatter(%d, %u2, ...)    u2 has 4096 bytes
 *
 * Only one of them can have the buffer of d, its successor; the others copy d. The one that writes
 * the most bytes is asked first, because it has the most to gain. */
#include "passes/inplace/successors.h"
#include "ir/shared.h"
#include "passes/inplace/attempt.h"
#include "passes/inplace/overwrite.h"

#include <stdlib.h>

/* 0: unknown, or decisions are not ordered by size. */
static uint64_t written_bytes(const inplace_pass *p, const inlay_node *scatter)
{
    const inlay_value *v = query_scatter_updates(scatter);

    return v && inplace_prefers_large(p) ? inplace_bytes_of(v) : 0;
}

/* A scatter that may overwrite its data. */
typedef struct successor {
    inlay_in_place *what;
    int rank;
    uint64_t bytes;
    size_t order; /* among the uses of the data */
} successor;

/* All scatters of one data value, the one that writes the most bytes first. */
typedef struct successors {
    successor *list;
    size_t n, next;        /* decisions before `next` are made */
    const inlay_node *has; /* the one that overwrites the data; or NULL */
} successors;

static int by_bytes(const void *a, const void *b)
{
    const successor *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Lists the scatters of DATA in ROOM, which is large enough. RECORD has, by node id, the scatters
 * that are to be decided; else NULL. */
static void list_successors(const inplace_pass *p, const inlay_value *data,
                            inlay_in_place *const *record, successor *room, successors *out)
{
    *out = (successors){.list = room};
    for (const inlay_use *u = data->uses; u; u = u->next) {
        inlay_in_place *what = query_is_scatter(u->node) && u->index == u->node->op->overwrites
                                   ? record[u->node->id]
                                   : NULL;

        inlay_count_steps(u->node->graph, 1);
        if (what) {
            room[out->n] =
                (successor){what, inplace_rank(p, u->node), written_bytes(p, u->node), out->n};
            out->n++;
        }
    }
    if (out->n > 0)
        qsort(room, out->n, sizeof *room, by_bytes);
}

/* Returns WHAT, or an undecided scatter with the same data and rank that writes more bytes. */
static inlay_in_place *first_successor(const inplace_pass *p, successors *all, inlay_in_place *what)
{
    while (all->next < all->n && all->list[all->next].what->overwrite.asked)
        all->next++;
    if (all->next < all->n && all->list[all->next].rank == inplace_rank(p, what->scatter) &&
        all->list[all->next].bytes > written_bytes(p, what->scatter))
        return all->list[all->next].what;
    return what;
}

/* All scatters, grouped by their data; a group is listed when the first of it is decided. */
typedef struct successor_table {
    inlay_in_place **record; /* by node id of a scatter: what is to be decided on it */
    successors **successors; /* by node id of a scatter: those with its data, itself among them */
    successors *groups;      /* all that are listed */
    successor *room;         /* memory for their lists */
    size_t n_groups, used;
} successor_table;

static successors *successors_of(const inplace_pass *p, successor_table *t,
                                 const inlay_node *scatter)
{
    successors *group = t->successors[scatter->id];

    if (group)
        return group;
    group = &t->groups[t->n_groups++];
    list_successors(p, query_scatter_data(scatter), t->record, t->room + t->used, group);
    t->used += group->n;
    for (size_t i = 0; i < group->n; i++)
        t->successors[group->list[i].what->scatter->id] = group;
    return group;
}

static bool writes_nothing(const inlay_node *scatter)
{
    const inlay_value *v = query_scatter_updates(scatter);

    return v && inlay_fact_is_empty(&v->fact);
}

/* Decides on WHAT, or on a scatter of ALL that comes before it. A scatter that writes nothing does
 * not compete for the buffer. */
static bool decide_successor(inplace_pass *p, successors *all, inlay_in_place *what)
{
    bool nothing;

    what = first_successor(p, all, what);
    nothing = writes_nothing(what->scatter);
    p->successor = nothing ? NULL : all->has;
    if (!inplace_decide_overwrite(p, what))
        return false;
    p->successor = NULL;
    if (what->overwrite.made && !nothing)
        all->has = what->scatter;
    return true;
}

bool inplace_decide_overwrites(inplace_pass *p, inlay_in_place *list, size_t n)
{
    size_t ids = (size_t)p->s.order.g->next_id + 1;
    successor_table t = {
        .record = inlay_take(inlay_graph_budget(p->s.order.g), ids, sizeof *t.record),
        .successors = inlay_take(inlay_graph_budget(p->s.order.g), ids, sizeof *t.successors),
        .groups = inlay_take(inlay_graph_budget(p->s.order.g), n + 1, sizeof *t.groups),
        .room = inlay_take(inlay_graph_budget(p->s.order.g), n + 1, sizeof *t.room)};
    bool ok = (t.record && t.successors && t.groups && t.room) || inlay_fail_memory(p->run->diags);

    for (size_t i = 0; ok && i < n; i++)
        t.record[list[i].scatter->id] = &list[i];
    for (size_t i = n; ok && i-- > 0;) {
        while (ok && !list[i].overwrite.asked)
            ok = decide_successor(p, successors_of(p, &t, list[i].scatter), &list[i]);
    }
    inlay_give(t.record);
    inlay_give(t.successors);
    inlay_give(t.groups);
    inlay_give(t.room);
    return ok;
}
