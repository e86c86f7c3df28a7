/* Tries a note as a whole: what it changes, the search for a conflict, and how it is undone. See
 * storage.h. */
#include "passes/inplace/storage.h"

inlay_value *inplace_storage_root(inplace_storage *s, const inlay_value *v)
{
    return inplace_set_of(&s->aliases, v)->root;
}

bool inplace_storage_is_written(inplace_storage *s, const inlay_value *v)
{
    return inplace_set_of(&s->aliases, v)->n_writes > 0;
}

bool inplace_storage_reorder(inplace_storage *s)
{
    return inplace_order_sort(&s->order) && inplace_index_all(&s->accesses);
}

bool inplace_storage_drop_edges(inplace_storage *s, size_t n)
{
    if (s->order.g->n_order_edges == n)
        return true;
    inplace_order_drop_edges(&s->order, n);
    return inplace_storage_reorder(s);
}

/* What a note changes */

/* Sets the version of V and of its views. */
static bool set_version(inplace_storage *s, inlay_value *v, const inlay_node *version)
{
    size_t n = inplace_list_views(&s->aliases, v);

    for (size_t i = 0; i < n; i++) {
        const inlay_value *view = s->aliases.list[i];
        inplace_member *m = inplace_member_of(&s->aliases, view);

        if (!m)
            return false;
        m->version = version;
        if (!inplace_index_reads_of(&s->accesses, view))
            return false;
    }
    return true;
}

/* The new region of C, a member below a value that has moved. NULL: out of memory. */
static const inlay_region *follow(inplace_storage *s, const inlay_value *c)
{
    const inplace_member *target = inplace_member_of(&s->aliases, c->note_target);

    return target ? inplace_noted_region(&s->aliases, target->where, c, c->note, c->note_target)
                  : NULL;
}

/* V is at WHERE now. Computes the regions of all values below it anew. */
static bool move_members(inplace_storage *s, inlay_value *v, const inlay_region *where)
{
    size_t n = inplace_list_members(&s->aliases, v);

    for (size_t i = 0; i < n; i++) {
        const inlay_value *c = s->aliases.list[i];
        inplace_member *m = inplace_member_of(&s->aliases, c);

        if (m)
            m->where = i == 0 ? where : follow(s, c);
        if (!m || !m->where || !inplace_index_reads_of(&s->accesses, c) ||
            (i > 0 && inplace_is_write(c) && !inplace_index_write(&s->accesses, c)))
            return false;
    }
    return true;
}

/* A note on trial. It is begun, applied while the sets are separate, and then undone or committed.
 */
typedef struct trial {
    inplace_join join;
    const inlay_node *version;             /* of V with the note */
    const inlay_region *where, *old_where; /* of V with the note, and without */
} trial;

static bool begin_trial(inplace_storage *s, trial *t, inlay_value *v, inlay_note_kind kind,
                        inlay_value *target)
{
    const inplace_member *to = inplace_member_of(&s->aliases, target);
    const inplace_member *from = to ? inplace_member_of(&s->aliases, v) : NULL;
    inplace_join *j = &t->join;

    if (!from)
        return false;
    *j = (inplace_join){.v = v,
                        .a = inplace_set_of(&s->aliases, target),
                        .b = inplace_set_of(&s->aliases, v),
                        .writes = kind != INLAY_VIEW_OF};
    j->moved = kind != INLAY_OVERWRITES || !inlay_region_is_whole(to->where);
    t->version = j->writes ? v->node : to->version;
    t->old_where = from->where;
    t->where = inplace_noted_region(&s->aliases, to->where, v, kind, target);
    return t->where && inplace_member_of(&s->aliases, j->a->root) &&
           inplace_set_note(&s->accesses, v, kind, target);
}

static bool apply(inplace_storage *s, trial *t)
{
    inlay_value *v = t->join.v;

    inplace_write_of(&s->accesses, v, t->where, &t->join.write);
    return (!t->join.moved || move_members(s, v, t->where)) && set_version(s, v, t->version) &&
           (v->note != INLAY_INTO || inplace_index_write(&s->accesses, v->note_target));
}

static bool undo(inplace_storage *s, const trial *t)
{
    inlay_value *v = t->join.v, *target = v->note_target;
    bool into = v->note == INLAY_INTO;

    return inplace_set_note(&s->accesses, v, INLAY_FRESH, NULL) &&
           (!t->join.moved || move_members(s, v, t->old_where)) &&
           (!into || inplace_index_write(&s->accesses, target));
}

/* Indexes the reads that the node of TARGET makes of V and of the values below V. */
static bool index_part(inplace_storage *s, inlay_value *v, const inlay_value *target)
{
    size_t n = inplace_list_members(&s->aliases, v);

    for (size_t i = 0; i < n; i++) {
        for (const inlay_use *u = s->aliases.list[i]->uses; u; u = u->next) {
            if (u->node == target->node && !inplace_index_read(&s->accesses, u))
                return false;
        }
    }
    return true;
}

/* Indexes the reads that the node of TARGET makes, now that V has its note. If TARGET holds V, no
 * other read of it changes; so each is indexed once, however many operands it holds. */
static bool index_target(inplace_storage *s, inlay_value *v, const inlay_value *target)
{
    return v->note == INLAY_INTO && inplace_holds(target)
               ? index_part(s, v, target)
               : inplace_index_reads_by(&s->accesses, target->node);
}

/* The result of a SliceScatter does not count as a write any more once its updates do. */
static bool commit(inplace_storage *s, const trial *t)
{
    const inplace_join *j = &t->join;
    inlay_value *v = j->v, *target = v->note_target, *root = j->a->root;
    bool target_was_alone = j->a->size == 1, v_was_alone = j->b->size == 1;
    bool replaces = v->note == INLAY_INTO && inlay_value_into_operand(target) == v;

    j->a->branched =
        j->a->branched || (j->moved && (j->b->n_writes > 0 || v->note == INLAY_OVERWRITES));
    j->a->n_writes += j->writes && !replaces;
    inplace_join_sets(&s->aliases, v, target);
    return (!j->writes || inplace_index_write(&s->accesses, v)) &&
           (!target_was_alone || inplace_index_reads_of(&s->accesses, root)) &&
           (!v_was_alone || inplace_index_reads_of(&s->accesses, v)) &&
           inplace_index_reads_by(&s->accesses, v->node) && index_target(s, v, target);
}

inplace_verdict inplace_storage_note(inplace_storage *s, inlay_value *v, inlay_note_kind kind,
                                     inlay_value *target, inplace_conflict *c)
{
    trial t = {0};
    inplace_verdict verdict;

    if (!begin_trial(s, &t, v, kind, target) || !apply(s, &t))
        return INPLACE_FAILED;
    verdict = inplace_find_conflict(&s->accesses, &t.join, c);
    if (verdict == INPLACE_CONFLICT && !undo(s, &t))
        return INPLACE_FAILED;
    /* parts are written in any order */
    t.join.a->branched = t.join.a->branched || (kind == INLAY_INTO && inplace_holds(target));
    if (verdict == INPLACE_FREE &&
        (!inplace_keep_reads_first(&s->accesses, &t.join) || !commit(s, &t)))
        return INPLACE_FAILED;
    return verdict;
}

/* Begin and end */

bool inplace_storage_begin(inplace_storage *s, inlay_graph *g, inlay_diags *d)
{
    *s = (inplace_storage){0};
    return inplace_order_begin(&s->order, g, &s->steps, d) &&
           inplace_aliases_begin(&s->aliases, g, &s->steps, d) &&
           inplace_accesses_begin(&s->accesses, &s->order, &s->aliases, &s->steps);
}

void inplace_storage_end(inplace_storage *s)
{
    inplace_accesses_end(&s->accesses);
    inplace_aliases_end(&s->aliases);
    inplace_order_end(&s->order);
}
