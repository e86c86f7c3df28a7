/* Who is asked first whether it overwrites its data, where several scatters have the same data.
 *
 *     %r1 = SliceScatter(%d, %u1, ...)    u1 has 32 bytes
 *     %r2 = SliceScatter(%d, %u2, ...)    u2 has 4096 bytes
 *
 * Only one of them can have the buffer of d, its heir; the others copy d. The one that writes the
 * most bytes is asked first, because it has the most to gain. */
#include "passes/inplace/heirs.h"
#include "passes/inplace/attempt.h"
#include "passes/inplace/overwrite.h"

#include <stdlib.h>

/* 0: unknown, or the order of decisions is not by size. */
static uint64_t written_bytes(const inplace_pass *p, const inlay_node *scatter)
{
    const inlay_value *v = query_scatter_updates(scatter);
    inplace_turn turn = p->turns.turn;
    bool size = turn != INPLACE_FIRST_FIRST && turn != INPLACE_LAST_FIRST;

    return v && size ? inplace_bytes_of(v) : 0;
}

/* A scatter that may overwrite its data. */
typedef struct heir {
    inlay_in_place *what;
    int rank;
    uint64_t bytes;
    size_t order; /* among the uses of the data */
} heir;

/* All scatters of one data value, the one that writes the most bytes first. */
typedef struct heirs {
    heir *list;
    size_t n, next;        /* those before `next` are decided */
    const inlay_node *has; /* the one that overwrites the data; or NULL */
} heirs;

static int by_bytes(const void *a, const void *b)
{
    const heir *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Lists the scatters of DATA in ROOM, which is large enough. RECORD has by node id the records that
 * are to be decided, or NULL. */
static void list_heirs(const inplace_pass *p, const inlay_value *data,
                       inlay_in_place *const *record, heir *room, heirs *out)
{
    *out = (heirs){.list = room};
    for (const inlay_use *u = data->uses; u; u = u->next) {
        inlay_in_place *what = query_is_scatter(u->node) && u->index == u->node->op->overwrites
                                   ? record[u->node->id]
                                   : NULL;

        inlay_count_steps(u->node->graph, 1);
        if (what) {
            room[out->n] =
                (heir){what, inplace_rank(p, u->node), written_bytes(p, u->node), out->n};
            out->n++;
        }
    }
    if (out->n > 0)
        qsort(room, out->n, sizeof *room, by_bytes);
}

/* WHAT, or an undecided scatter with the same data and rank that writes more bytes. */
static inlay_in_place *first_heir(const inplace_pass *p, heirs *all, inlay_in_place *what)
{
    while (all->next < all->n && all->list[all->next].what->overwrite.asked)
        all->next++;
    if (all->next < all->n && all->list[all->next].rank == inplace_rank(p, what->scatter) &&
        all->list[all->next].bytes > written_bytes(p, what->scatter))
        return all->list[all->next].what;
    return what;
}

/* The scatters that have the same data as one; listed when one of them is first decided. */
typedef struct heir_table {
    inlay_in_place **record; /* by node id of a scatter: what is to be decided on it */
    heirs **heirs;           /* by node id of a scatter: those with its data, itself among them */
    heirs *groups;           /* all that are listed */
    heir *room;              /* where their lists stand */
    size_t n_groups, used;
} heir_table;

static heirs *heirs_of(const inplace_pass *p, heir_table *t, const inlay_node *scatter)
{
    heirs *group = t->heirs[scatter->id];

    if (group)
        return group;
    group = &t->groups[t->n_groups++];
    list_heirs(p, query_scatter_data(scatter), t->record, t->room + t->used, group);
    t->used += group->n;
    for (size_t i = 0; i < group->n; i++)
        t->heirs[group->list[i].what->scatter->id] = group;
    return group;
}

static bool writes_nothing(const inlay_node *scatter)
{
    const inlay_value *v = query_scatter_updates(scatter);

    return v && inlay_fact_is_empty(&v->fact);
}

/* Decides on WHAT, or on a scatter of ALL that comes before it. A scatter that writes nothing does
 * not compete for the buffer. */
static bool decide_heir(inplace_pass *p, heirs *all, inlay_in_place *what)
{
    bool nothing;

    what = first_heir(p, all, what);
    nothing = writes_nothing(what->scatter);
    p->heir = nothing ? NULL : all->has;
    if (!inplace_decide_overwrite(p, what))
        return false;
    p->heir = NULL;
    if (what->overwrite.made && !nothing)
        all->has = what->scatter;
    return true;
}

bool inplace_decide_overwrites(inplace_pass *p, inlay_in_place *list, size_t n)
{
    size_t ids = (size_t)p->s.order.g->next_id + 1;
    heir_table t = {.record = calloc(ids, sizeof *t.record),
                    .heirs = calloc(ids, sizeof *t.heirs),
                    .groups = calloc(n + 1, sizeof *t.groups),
                    .room = calloc(n + 1, sizeof *t.room)};
    bool ok = (t.record && t.heirs && t.groups && t.room) || inlay_fail_memory(p->run->diags);

    for (size_t i = 0; ok && i < n; i++)
        t.record[list[i].scatter->id] = &list[i];
    for (size_t i = n; ok && i-- > 0;) {
        while (ok && !list[i].overwrite.asked)
            ok = decide_heir(p, heirs_of(p, &t, list[i].scatter), &list[i]);
    }
    free(t.record);
    free(t.heirs);
    free(t.groups);
    free(t.room);
    return ok;
}
