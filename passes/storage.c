/* Sets of values that share a buffer, and the conflicts within a set. See storage.h. */
#include "passes/storage.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_of(const storage *s, const inlay_value *v)
{
    return s->first_slot[v->node->id] + (size_t)v->index;
}

bool storage_reorder(storage *s)
{
    inlay_order_list order;

    if (!inlay_order(s->g, false, &order, s->diags))
        return false;
    inlay_order_free(&s->order);
    s->order = order;
    for (uint32_t i = 0; i < s->g->next_id; i++)
        s->time[i] = SIZE_MAX;
    for (size_t i = 0; i < order.n; i++)
        s->time[order.nodes[i]->id] = i;
    return true;
}

static void adopt(storage *s, inlay_value *v)
{
    size_t to = slot_of(s, v->note_target);

    s->sibling[slot_of(s, v)] = s->child[to];
    s->child[to] = v;
}

bool storage_begin(storage *s, inlay_graph *g, inlay_diags *d)
{
    size_t ids = (size_t)g->next_id + 1, slots = 0;

    *s = (storage){.g = g, .diags = d};
    s->time = calloc(ids, sizeof *s->time);
    s->first_slot = calloc(ids, sizeof *s->first_slot);
    for (const inlay_node *n = g->first; s->first_slot && n; n = n->next) {
        s->first_slot[n->id] = slots;
        slots += (size_t)n->n_out;
    }
    s->child = calloc(slots + 1, sizeof(inlay_value *));
    s->sibling = calloc(slots + 1, sizeof(inlay_value *));
    s->arena = inlay_arena_new();
    if (!s->time || !s->first_slot || !s->child || !s->sibling || !s->arena)
        return inlay_fail_memory(d);
    for (inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_out; i++) {
            if (n->out[i].note != INLAY_FRESH)
                adopt(s, &n->out[i]);
        }
    }
    return storage_reorder(s);
}

void storage_end(storage *s)
{
    inlay_order_free(&s->order);
    free(s->time);
    free(s->first_slot);
    free(s->child);
    free(s->sibling);
    inlay_arena_free(s->arena);
    free(s->set.members);
    free(s->set.writes);
    free(s->set.reads);
}

static void abandon(storage *s, inlay_value *v)
{
    inlay_value **link = &s->child[slot_of(s, v->note_target)];

    while (*link != v)
        link = &s->sibling[slot_of(s, *link)];
    *link = s->sibling[slot_of(s, v)];
}

bool storage_note(storage *s, inlay_value *v, inlay_note_kind kind, inlay_value *target)
{
    if (v->note != INLAY_FRESH)
        abandon(s, v);
    if (!inlay_value_set_note(v, kind, target, s->diags))
        return false;
    if (kind != INLAY_FRESH)
        adopt(s, v);
    return true;
}

/* The first ReadValue of the variable that N reads, or N. */
static const inlay_node *first_reader(const storage *s, const inlay_node *n)
{
    const inlay_attr *a = inlay_node_attr(n, "variable_id");

    for (const inlay_node *m = a ? s->g->first : NULL; m; m = m->next) {
        const inlay_attr *b =
            inlay_node_is(m, INLAY_OP_READ_VALUE) ? inlay_node_attr(m, "variable_id") : NULL;

        if (b && b->as.variable == a->as.variable)
            return m;
    }
    return n;
}

inlay_value *storage_root(const storage *s, inlay_value *v)
{
    while (v->note != INLAY_FRESH)
        v = v->note_target;
    if (inlay_node_is(v->node, INLAY_OP_READ_VALUE))
        return &first_reader(s, v->node)->out[0];
    return v;
}

static void *grow(void *array, size_t n, size_t *cap, size_t size)
{
    size_t want = *cap ? *cap * 2 : 32;
    void *grown;

    if (n < *cap)
        return array;
    grown = realloc(array, want * size);
    if (grown)
        *cap = want;
    return grown;
}

static bool add_member(storage *s, inlay_value *v, region where)
{
    storage_member *grown =
        grow(s->set.members, s->set.n_members, &s->set.cap_members, sizeof *grown);

    if (!grown)
        return inlay_fail_memory(s->diags);
    s->set.members = grown;
    grown[s->set.n_members++] = (storage_member){v, where, 0};
    return true;
}

static region whole(storage *s, const inlay_value *root)
{
    const inlay_fact *f = &root->fact;
    region r = {.exact = true, .rank = f->rank};
    inlay_window *w = NULL;

    for (int i = 0; i < f->rank; i++) {
        if (!inlay_dim_is_static(f->dims[i]))
            return r;
    }
    if (f->rank >= 0)
        w = inlay_arena_array(s->arena, (size_t)f->rank, sizeof *w);
    for (int i = 0; w && i < f->rank; i++)
        w[i] = (inlay_window){0, f->dims[i].lo, 1};
    r.windows = w;
    r.known = w != NULL;
    return r;
}

/* W, a window on what OUTER addresses. */
static region inner_region(storage *s, const region *outer, const inlay_window *w)
{
    region r = *outer;
    inlay_window *composed;

    if (!outer->known || !outer->exact) {
        r.exact = false;
        return r;
    }
    composed = inlay_arena_array(s->arena, (size_t)outer->rank, sizeof *composed);
    if (!composed)
        return (region){.rank = outer->rank};
    for (int i = 0; i < outer->rank; i++)
        composed[i] = inlay_window_compose(outer->windows[i], w[i]);
    r.windows = composed;
    return r;
}

/* What the slice N (Slice or SliceScatter) selects of a value that addresses OUTER. */
static region slice_region(storage *s, const region *outer, const inlay_node *n)
{
    inlay_window w[INLAY_MAX_RANK];
    region r = *outer;

    if (window_of_slice(n, w) && outer->known && outer->exact)
        return inner_region(s, outer, w);
    r.known = false;
    r.exact = outer->exact && !outer->symbol;
    r.symbol = n;
    return r;
}

/* Output V of a Split: the parts before it say where it begins. */
static region split_region(storage *s, const region *outer, const inlay_value *v)
{
    const inlay_node *n = v->node;
    const inlay_value *axis_value = inlay_node_input(n, 1);
    inlay_window w[INLAY_MAX_RANK];
    int64_t begin = 0, axis;

    if (!outer->known || !outer->exact || !axis_value->fact.known || v->fact.rank != outer->rank ||
        !inlay_dim_is_static(axis_value->fact.known[0]))
        return (region){.rank = outer->rank};
    axis = axis_value->fact.known[0].lo;
    axis = axis < 0 ? axis + outer->rank : axis;
    for (int i = 0; i < v->index; i++) {
        if (!inlay_dim_is_static(n->out[i].fact.dims[axis]))
            return (region){.rank = outer->rank};
        begin += n->out[i].fact.dims[axis].lo;
    }
    for (int i = 0; i < outer->rank; i++) {
        if (!inlay_dim_is_static(v->fact.dims[i]))
            return (region){.rank = outer->rank};
        w[i] = (inlay_window){i == axis ? begin : 0, v->fact.dims[i].lo, 1};
    }
    return inner_region(s, outer, w);
}

/* Where V, whose note leads to a value that addresses OUTER, lies. */
static region child_region(storage *s, const region *outer, const inlay_value *v)
{
    region r = *outer;

    if (v->note == INLAY_OVERWRITES)
        return r;
    if (v->note == INLAY_INTO)
        return slice_region(s, outer, v->note_target->node);
    if (inlay_node_is(v->node, INLAY_OP_SLICE))
        return slice_region(s, outer, v->node);
    if (inlay_node_is(v->node, INLAY_OP_SPLIT) || inlay_node_is(v->node, INLAY_OP_VARIADIC_SPLIT))
        return split_region(s, outer, v);
    r.exact = false;
    return r;
}

/* Values that share the buffer of ROOT before any note: the other readers of a variable. */
static bool add_roots(storage *s, inlay_value *root)
{
    const inlay_attr *a;

    if (!add_member(s, root, whole(s, root)))
        return false;
    a = inlay_node_is(root->node, INLAY_OP_READ_VALUE) ? inlay_node_attr(root->node, "variable_id")
                                                       : NULL;
    for (inlay_node *m = a ? root->node->next : NULL; m; m = m->next) {
        const inlay_attr *b =
            inlay_node_is(m, INLAY_OP_READ_VALUE) ? inlay_node_attr(m, "variable_id") : NULL;

        if (b && b->as.variable == a->as.variable && !add_member(s, &m->out[0], whole(s, root)))
            return false;
    }
    return true;
}

/* Members in an order in which a value stands after the one its note leads to. */
static bool collect_members(storage *s, inlay_value *root)
{
    s->set.n_members = 0;
    if (!add_roots(s, root))
        return false;
    for (size_t i = 0; i < s->set.n_members; i++) {
        inlay_value *v = s->set.members[i].value;

        for (inlay_value *c = s->child[slot_of(s, v)]; c; c = s->sibling[slot_of(s, c)]) {
            region outer = s->set.members[i].where;

            if (!add_member(s, c, child_region(s, &outer, c)))
                return false;
        }
    }
    return true;
}

/* The operand that was computed into R's window, or NULL when R writes itself. */
static inlay_value *into_operand(const inlay_value *r)
{
    inlay_value *u =
        inlay_node_is(r->node, INLAY_OP_SLICE_SCATTER) ? inlay_node_input(r->node, 1) : NULL;

    return u && u->note == INLAY_INTO && u->note_target == r ? u : NULL;
}

static region written_region(storage *s, const storage_member *m)
{
    if (m->value->note == INLAY_OVERWRITES && inlay_node_is(m->value->node, INLAY_OP_SLICE_SCATTER))
        return slice_region(s, &m->where, m->value->node);
    return m->where;
}

static int by_time(const void *a, const void *b)
{
    const storage_write *x = a, *y = b;

    return (x->time > y->time) - (x->time < y->time);
}

static bool collect_writes(storage *s)
{
    s->set.n_writes = 0;
    for (size_t i = 0; i < s->set.n_members; i++) {
        const storage_member *m = &s->set.members[i];
        storage_write *grown;

        if ((m->value->note != INLAY_OVERWRITES && m->value->note != INLAY_INTO) ||
            into_operand(m->value))
            continue;
        grown = grow(s->set.writes, s->set.n_writes, &s->set.cap_writes, sizeof *grown);
        if (!grown)
            return inlay_fail_memory(s->diags);
        s->set.writes = grown;
        grown[s->set.n_writes++] =
            (storage_write){m->value, s->time[m->value->node->id], written_region(s, m), 0};
    }
    if (s->set.n_writes > 0)
        qsort(s->set.writes, s->set.n_writes, sizeof *s->set.writes, by_time);
    for (size_t i = 0; i < s->set.n_writes; i++)
        s->set.writes[i].rank = (int)i + 1;
    return true;
}

static int rank_of_write(const storage *s, const inlay_value *v)
{
    storage_write key = {.time = s->time[v->node->id]};
    const storage_write *w = s->set.n_writes ? bsearch(&key, s->set.writes, s->set.n_writes,
                                                       sizeof *s->set.writes, by_time)
                                             : NULL;

    return w ? w->rank : 0;
}

const storage_member *storage_member_of(const storage *s, const inlay_value *v)
{
    for (size_t i = 0; i < s->set.n_members; i++) {
        if (s->set.members[i].value == v)
            return &s->set.members[i];
    }
    return NULL;
}

/* The rank of the last write that V knows of, by following notes up to a write or the root. */
static int version_of(const storage *s, const inlay_value *v)
{
    while (v->note == INLAY_VIEW_OF)
        v = v->note_target;
    if (v->note == INLAY_FRESH)
        return 0;
    return rank_of_write(s, into_operand(v) ? into_operand(v) : v);
}

/* Every output that is looked at is a view of an operand: one that is not is copied here. */
static bool views_only(const inlay_node *n)
{
    bool any = false;

    for (int i = 0; i < n->n_out; i++) {
        if (n->out[i].note != INLAY_VIEW_OF && n->out[i].uses)
            return false;
        any = any || n->out[i].note == INLAY_VIEW_OF;
    }
    return any;
}

/* Uses that read no bytes: a shape is asked for, or the user is itself only a view, or a scatter
 * whose window was already filled. */
static bool reads_nothing(const inlay_use *u)
{
    const inlay_node *n = u->node;

    if (inlay_node_is(n, INLAY_OP_SHAPE_OF))
        return true;
    if (u->index == 0 && views_only(n))
        return true;
    return is_scatter(n) && n->n_out > 0 && into_operand(&n->out[0]) == u->value && u->index == 1;
}

/* Results and variables look at the end; so does whatever a body may pass through. */
static size_t read_time(const storage *s, const inlay_node *n)
{
    return n->op->flags & (INLAY_SINK | INLAY_HAS_BODY) ? SIZE_MAX : s->time[n->id];
}

/* What use U of member M looks at: a slice only at its window. */
static region read_region(storage *s, const storage_member *m, const inlay_use *u)
{
    if (inlay_node_is(u->node, INLAY_OP_SLICE) && u->index == 0)
        return slice_region(s, &m->where, u->node);
    return m->where;
}

static bool collect_reads(storage *s)
{
    s->set.n_reads = 0;
    for (size_t i = 0; i < s->set.n_members; i++) {
        storage_member *m = &s->set.members[i];

        m->version = version_of(s, m->value);
        for (const inlay_use *u = m->value->uses; u; u = u->next) {
            storage_read *grown;

            if (s->time[u->node->id] == SIZE_MAX || reads_nothing(u))
                continue;
            grown = grow(s->set.reads, s->set.n_reads, &s->set.cap_reads, sizeof *grown);
            if (!grown)
                return inlay_fail_memory(s->diags);
            s->set.reads = grown;
            grown[s->set.n_reads++] =
                (storage_read){u, read_time(s, u->node), m->version, read_region(s, m, u)};
        }
    }
    return true;
}

bool storage_collect(storage *s, inlay_value *root)
{
    inlay_arena_free(s->arena);
    s->arena = inlay_arena_new();
    if (!s->arena)
        return inlay_fail_memory(s->diags);
    return collect_members(s, root) && collect_writes(s) && collect_reads(s);
}

/* The data operand of a scatter that overwrites it: what it keeps of it is outside of its own
 * window, so writes into that window are not in its way. */
static bool is_own_window(const storage_read *r, const storage_write *w)
{
    const inlay_node *n = r->use->node;

    return is_scatter(n) && r->use->index == n->op->overwrites &&
           n->out[0].note == INLAY_OVERWRITES && n->out[0].note_target == r->use->value &&
           (w->value == &n->out[0] ||
            (w->value->note == INLAY_INTO && w->value->note_target == &n->out[0]));
}

/* A pointwise node may read exactly the positions it writes. */
static bool is_pointwise_over(const storage_read *r, const storage_write *w)
{
    return r->use->node == w->value->node && (r->use->node->op->flags & INLAY_POINTWISE) &&
           region_equal(&r->where, &w->where);
}

static bool conflicts(const storage_read *r, const storage_write *w)
{
    return w->rank > r->version && w->time <= r->time && region_meets(&r->where, &w->where) &&
           !is_own_window(r, w) && !is_pointwise_over(r, w);
}

/* What a variable's buffer holds changes with the next run: no output and no other variable may
 * share it. */
static bool spoils_output(const storage *s, const storage_read *r)
{
    const inlay_node *n = r->use->node, *root = s->set.members[0].value->node;

    if (s->set.n_writes == 0 || !inlay_node_is(root, INLAY_OP_READ_VALUE))
        return false;
    return inlay_node_is(n, INLAY_OP_RESULT) ||
           (inlay_node_is(n, INLAY_OP_ASSIGN) &&
            inlay_node_attr(n, "variable_id")->as.variable !=
                inlay_node_attr(root, "variable_id")->as.variable);
}

bool storage_find_conflict(const storage *s, storage_conflict *out)
{
    for (size_t i = 0; i < s->set.n_reads; i++) {
        const storage_read *r = &s->set.reads[i];

        if (spoils_output(s, r)) {
            *out = (storage_conflict){r, &s->set.writes[s->set.n_writes - 1]};
            return true;
        }
        /* writes are sorted by rank, and by time with it */
        for (size_t k = (size_t)r->version; k < s->set.n_writes; k++) {
            const storage_write *w = &s->set.writes[k];

            if (w->time > r->time)
                break;
            if (conflicts(r, w)) {
                *out = (storage_conflict){r, w};
                return true;
            }
        }
    }
    return false;
}

bool storage_relies_on_order(const storage_read *r, const storage_write *w)
{
    return w->rank > r->version && r->time < w->time && region_meets(&r->where, &w->where);
}
