/* Sets of values that share a buffer, and the conflicts that a note would make. See storage.h. */
#include "passes/inplace/storage.h"

#include <stdlib.h>
#include <string.h>

/* Order edges */

static bool index_edge(storage *s, size_t edge)
{
    size_t after = s->g->order_edges[edge].after->id;

    if (edge >= s->cap_edges) {
        size_t cap = s->cap_edges ? s->cap_edges * 2 : 64;
        size_t *grown = realloc(s->next_edge, cap * sizeof *grown);

        if (!grown)
            return inlay_fail_memory(s->diags);
        s->next_edge = grown;
        s->cap_edges = cap;
    }
    s->next_edge[edge] = s->first_edge[after];
    s->first_edge[after] = edge + 1;
    return true;
}

bool storage_drop_edges(storage *s, size_t n)
{
    if (s->g->n_order_edges == n)
        return true;
    while (s->g->n_order_edges > n) { /* the last one of its node stands first in the list */
        size_t edge = --s->g->n_order_edges;

        s->first_edge[s->g->order_edges[edge].after->id] = s->next_edge[edge];
    }
    return storage_reorder(s);
}

static bool runs_later(storage *s, const inlay_node *a, const inlay_node *b)
{
    s->looks++;
    return s->time[a->id] > s->time[b->id];
}

/* What S->from depends on is met again and again: nothing happens then. */
static void reach(storage *s, inlay_node *n)
{
    size_t i = s->n_heap;

    if (s->seen[n->id] == s->search)
        return;
    s->seen[n->id] = s->search;
    for (s->n_heap++; i > 0 && runs_later(s, n, s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = n;
}

static inlay_node *take_latest(storage *s)
{
    inlay_node *top = s->heap[0], *last = s->heap[--s->n_heap];
    size_t i = 0, k;

    while ((k = 2 * i + 1) < s->n_heap) {
        k += k + 1 < s->n_heap && runs_later(s, s->heap[k + 1], s->heap[k]);
        if (!runs_later(s, s->heap[k], last))
            break;
        s->heap[i] = s->heap[k];
        i = k;
    }
    s->heap[i] = last;
    return top;
}

/* Against the edges from N on, the nodes that run last first. Nothing that runs before WRITER leads
 * to it; the search stops there, and goes on when the next question about N needs it to. */
bool storage_depends(storage *s, inlay_node *n, const inlay_node *writer)
{
    if (s->from != n) {
        s->from = n;
        s->search++;
        s->n_heap = 0;
        reach(s, n);
    }
    while (s->seen[writer->id] != s->search && s->n_heap > 0 &&
           s->time[s->heap[0]->id] >= s->time[writer->id]) {
        inlay_node *m = take_latest(s);

        s->looks += 1 + (uint64_t)m->n_in;
        for (int i = 0; i < m->n_in; i++) {
            if (m->in[i].value)
                reach(s, m->in[i].value->node);
        }
        for (size_t e = s->first_edge[m->id]; e != 0; e = s->next_edge[e - 1])
            reach(s, s->g->order_edges[e - 1].before);
    }
    return s->seen[writer->id] == s->search;
}

bool storage_add_edge(storage *s, inlay_node *before, inlay_node *after)
{
    if (!inlay_graph_add_order_edge(s->g, before, after, s->diags) ||
        !index_edge(s, s->g->n_order_edges - 1))
        return false;
    if (s->from && s->seen[after->id] == s->search)
        reach(s, before);
    return true;
}

/* Sets and their members */

static size_t slot_of(const storage *s, const inlay_value *v)
{
    return s->first_slot[v->node->id] + (size_t)v->index;
}

static storage_member *set_of(storage *s, const inlay_value *v)
{
    size_t slot = slot_of(s, v);

    while (s->member[slot].up != slot) {
        s->member[slot].up = s->member[s->member[slot].up].up;
        slot = s->member[slot].up;
    }
    return &s->member[slot];
}

inlay_value *storage_root(storage *s, const inlay_value *v)
{
    return set_of(s, v)->root;
}

bool storage_is_written(storage *s, const inlay_value *v)
{
    return set_of(s, v)->n_writes > 0;
}

static const inlay_variable *variable_of_end(const storage *s, size_t end)
{
    return inlay_variable_of(s->last[end - 1], INLAY_OP_ASSIGN);
}

/* END, or 0, looks at a member of the set M too. */
static void add_end(const storage *s, storage_member *m, size_t end)
{
    size_t first = m->ends[0];
    bool other = end && first && variable_of_end(s, end) != variable_of_end(s, first);

    if (end && (!first || end < first)) {
        m->ends[0] = end;
        m->ends[1] = other ? first : m->ends[1];
    } else if (other && (!m->ends[1] || end < m->ends[1])) {
        m->ends[1] = end;
    }
}

static void join_sets(storage *s, storage_member *into, storage_member *other)
{
    storage_member *small = into->size < other->size ? into : other;
    storage_member *large = small == into ? other : into;
    inlay_value *root = into->root;

    small->up = (size_t)(large - s->member);
    large->size += small->size;
    large->n_writes += small->n_writes;
    add_end(s, large, small->ends[0]);
    add_end(s, large, small->ends[1]);
    large->branched = large->branched || small->branched;
    large->root = root;
}

static void adopt(storage *s, inlay_value *v, inlay_value *target)
{
    storage_member *m = &s->member[slot_of(s, v)], *to = &s->member[slot_of(s, target)];

    m->sibling = to->child;
    to->child = v;
}

/* The windows of R, which may stand on the stack, for as long as the pass runs. */
static bool keep_region(storage *s, region *r)
{
    inlay_window *w;

    if (!r->windows || r->rank <= 0)
        return true;
    w = inlay_arena_array(s->arena, (size_t)r->rank, sizeof *w);
    if (!w)
        return inlay_fail_memory(s->diags);
    memcpy(w, r->windows, (size_t)r->rank * sizeof *w);
    r->windows = w;
    return true;
}

/* The member V, its region made if it is asked for the first time: it is a root then. NULL: out of
 * memory. */
static storage_member *member_of(storage *s, const inlay_value *v)
{
    storage_member *m = &s->member[slot_of(s, v)];
    inlay_window w[INLAY_MAX_RANK];
    int64_t dims[INLAY_MAX_RANK];

    if (m->placed)
        return m;
    m->placed = true;
    m->where = (region){.exact = true, .rank = v->fact.rank};
    if (!inlay_fact_dims(&v->fact, dims))
        return m;
    for (int i = 0; i < v->fact.rank; i++)
        w[i] = (inlay_window){0, dims[i], 1};
    m->where.windows = w;
    m->where.known = true;
    return keep_region(s, &m->where) ? m : NULL;
}

/* All ReadValues of a variable are one value: the later ones join the first, without a note. */
static bool join_readers(storage *s)
{
    inlay_value **first = calloc((size_t)s->g->n_variables + 1, sizeof(inlay_value *));

    if (!first)
        return inlay_fail_memory(s->diags);
    for (inlay_node *n = s->g->owner ? NULL : s->g->first; n; n = n->next) {
        const inlay_variable *v = inlay_variable_of(n, INLAY_OP_READ_VALUE);

        if (!v)
            continue;
        if (!first[v->index]) {
            first[v->index] = &n->out[0];
            continue;
        }
        adopt(s, &n->out[0], first[v->index]);
        join_sets(s, set_of(s, first[v->index]), set_of(s, &n->out[0]));
    }
    free(first);
    return true;
}

/* Moments: 0 is before all; a node's is its place in the order; who looks at the end of the run has
 * one after all of those. */
static size_t moment_of(const storage *s, const inlay_node *n)
{
    return s->time[n->id] + 1;
}

static size_t read_moment(const storage *s, const inlay_node *n)
{
    return moment_of(s, n) + (storage_looks_last(n) ? s->order.n : 0);
}

static size_t version_moment(const storage *s, const inlay_node *writer)
{
    return writer ? moment_of(s, writer) : 0;
}

static bool runs(const storage *s, const inlay_node *n)
{
    return s->time[n->id] != SIZE_MAX;
}

/* What reads and what writes */

/* The operand that was computed into R's window, or NULL when R writes itself. */
static inlay_value *into_operand(const inlay_value *r)
{
    inlay_value *u =
        inlay_node_is(r->node, INLAY_OP_SLICE_SCATTER) ? query_scatter_updates(r->node) : NULL;

    return u && u->note == INLAY_INTO && u->note_target == r ? u : NULL;
}

static bool is_write(const inlay_value *v)
{
    return v->note == INLAY_INTO || (v->note == INLAY_OVERWRITES && !into_operand(v));
}

/* Every output that is looked at is a view of an operand: one that is not is copied here. */
static bool views_only(const storage *s, const inlay_node *n)
{
    return s->outputs[n->id].others == 0 && s->outputs[n->id].views > 0;
}

static bool set_note(storage *s, inlay_value *v, inlay_note_kind kind, inlay_value *target)
{
    int views = (kind == INLAY_VIEW_OF) - (v->note == INLAY_VIEW_OF);

    s->outputs[v->node->id].views += views;
    s->outputs[v->node->id].others -= v->uses ? views : 0;
    return inlay_value_set_note(v, kind, target, s->diags);
}

/* Uses that read no bytes: a shape is asked for, or the user is itself only a view, or a scatter
 * whose window was already filled; or it does not run. */
static bool reads_nothing(const storage *s, const inlay_use *u)
{
    const inlay_node *n = u->node;

    if (!runs(s, n) || (n->op->flags & INLAY_SHAPE_ONLY))
        return true;
    if (u->index == 0 && views_only(s, n))
        return true;
    return query_is_scatter(n) && n->n_out > 0 && into_operand(&n->out[0]) == u->value &&
           u->index == inlay_op_operand(n->op, INLAY_ROLE_UPDATES);
}

/* What use U of a value at WHERE looks at: a slice only at its window. */
static region read_region(const region *where, const inlay_use *u, inlay_window *room)
{
    if (inlay_node_is(u->node, INLAY_OP_SLICE) && u->index == 0)
        return region_of_slice(where, u->node, room);
    return *where;
}

/* What the producer of V, at WHERE, writes. */
static region written_region(const region *where, const inlay_value *v, inlay_window *room)
{
    if (v->note == INLAY_OVERWRITES && inlay_node_is(v->node, INLAY_OP_SLICE_SCATTER))
        return region_of_slice(where, v->node, room);
    return *where;
}

/* The data operand of a scatter that overwrites it: what it keeps of it is outside of its own
 * window, so writes into that window are not in its way. */
static bool is_own_window(const inlay_use *u, const inlay_value *write)
{
    const inlay_node *n = u->node;

    return query_is_scatter(n) && u->index == n->op->overwrites &&
           n->out[0].note == INLAY_OVERWRITES && n->out[0].note_target == u->value &&
           (write == &n->out[0] || (write->note == INLAY_INTO && write->note_target == &n->out[0]));
}

/* A pointwise node may read exactly the positions it writes. */
static bool is_pointwise_over(const inlay_use *u, const region *read, const inlay_value *write,
                              const region *written)
{
    return u->node == write->node && (u->node->op->flags & INLAY_POINTWISE) &&
           region_equal(read, written);
}

/* All of the root's positions, in its order? */
static bool is_whole(storage *s, const region *where, const inlay_value *root)
{
    const storage_member *m = member_of(s, root);

    return m && where->exact && !where->symbol && where->known == m->where.known &&
           (!where->known || region_equal(where, &m->where));
}

/* The index */

/* U, of a node that runs, if it reads a value that shares a buffer with others. */
static bool index_read(storage *s, const inlay_use *u)
{
    const inlay_node *before = s->before[s->first_use[u->node->id] + (size_t)u->index];
    size_t place = s->first_read[u->node->id] + (size_t)u->index;
    inlay_window room[INLAY_MAX_RANK];
    span of[2] = {{0}};

    s->looks++;
    if (u->value && set_of(s, u->value)->size > 1 && !reads_nothing(s, u)) {
        const storage_member *m = member_of(s, u->value);
        region where;
        span *one;

        if (!m)
            return false;
        where = read_region(&m->where, u, room);
        one = &of[is_whole(s, &where, storage_root(s, u->value))];
        span_of_region(&where, one);
        one->version = version_moment(s, m->version);
        one->before = before ? moment_of(s, before) : SIZE_MAX;
    }
    spans_set(&s->windows, place, &of[0]);
    spans_set(&s->wholes, place, &of[1]);
    return true;
}

static bool index_reads(storage *s, const inlay_node *n)
{
    for (int i = 0; runs(s, n) && i < n->n_in; i++) {
        if (!index_read(s, &n->in[i]))
            return false;
    }
    return true;
}

static bool index_readers(storage *s, const inlay_value *v)
{
    for (const inlay_use *u = v->uses; u; u = u->next) {
        if (runs(s, u->node) && !index_read(s, u))
            return false;
    }
    return true;
}

static bool index_write(storage *s, const inlay_value *v)
{
    const storage_member *m = member_of(s, v);
    inlay_window room[INLAY_MAX_RANK];
    span one = {0};
    region where;

    if (!m)
        return false;
    where = written_region(&m->where, v, room);
    if (is_write(v))
        span_of_region(&where, &one);
    spans_set(&s->writes, moment_of(s, v->node), &one);
    return true;
}

static void place_reads(storage *s)
{
    size_t place = 0;

    for (int last = 0; last < 2; last++) {
        for (size_t i = 0; i < s->order.n; i++) {
            const inlay_node *n = s->order.nodes[i];

            if (storage_looks_last(n) != last)
                continue;
            s->first_read[n->id] = place;
            for (int k = 0; k < n->n_in; k++)
                s->reads[place++] = &n->in[k];
        }
    }
}

bool storage_reorder(storage *s)
{
    inlay_order_list order;

    if (!inlay_order(s->g, false, &order, s->diags))
        return false;
    inlay_order_free(&s->order);
    s->order = order;
    s->from = NULL;
    for (uint32_t i = 0; i < s->g->next_id; i++)
        s->time[i] = SIZE_MAX;
    for (size_t i = 0; i < order.n; i++)
        s->time[order.nodes[i]->id] = i;
    place_reads(s);
    spans_clear(&s->windows);
    spans_clear(&s->wholes);
    spans_clear(&s->writes);
    for (size_t i = 0; i < order.n; i++) {
        const inlay_node *n = order.nodes[i];

        if (!index_reads(s, n) ||
            (n->n_out > 0 && is_write(&n->out[0]) && !index_write(s, &n->out[0])))
            return false;
    }
    return true;
}

/* The pairs of a read and a write that a note makes */

typedef struct joining {
    inlay_value *v;
    storage_member *a, *b;            /* the sets of the target and of V */
    bool moved;                       /* V does not stand as it stood: the regions of B change */
    bool writes;                      /* V's producer is a new writer */
    const inlay_node *version;        /* of V */
    region where, written, old_where; /* of V */
    inlay_window room[2][INLAY_MAX_RANK];
} joining;

/* What is looked for among the pairs. */
typedef struct pairs {
    storage *s;
    const joining *j;
    bool order; /* reads before the write, that need an order edge; else conflicts */
    bool found; /* a conflict, which is C */
    storage_conflict c;
} pairs;

/* Read U, at moment READ and of region WHERE, which knows VERSION, and WRITE, at WRITTEN: sees to
 * it. False: out of memory. */
static bool see_pair(pairs *p, const inlay_use *u, const region *where, size_t version,
                     inlay_value *write, const region *written, bool *next)
{
    storage *s = p->s;
    const inlay_node **before = &s->before[s->first_use[u->node->id] + (size_t)u->index];
    size_t read = read_moment(s, u->node), at = moment_of(s, write->node);

    s->looks++;
    *next = true;
    if (at <= version || (at <= read) == p->order || !region_meets(where, written))
        return true;
    if (!p->order) {
        if (is_own_window(u, write) || is_pointwise_over(u, where, write, written))
            return true;
        p->found = true;
        p->c = (storage_conflict){u, write};
        *next = false;
        return true;
    }
    if (!storage_depends(s, write->node, u->node) && !storage_add_edge(s, u->node, write->node))
        return false;
    *next = set_of(s, write)->branched || p->j->a->branched || p->j->b->branched;
    if (*next || (*before && moment_of(s, *before) <= at))
        return true;
    *before = write->node; /* later writes come after this one */
    return index_read(s, u);
}

/* Read U of a member at WHERE against all writes that are indexed for SET. */
static bool see_writes_of(pairs *p, const inlay_use *u, const region *where, size_t version,
                          const storage_member *set)
{
    storage *s = p->s;
    size_t read = read_moment(s, u->node), end = s->order.n + 1;
    inlay_window room[2][INLAY_MAX_RANK];
    region looked = read_region(where, u, room[0]);
    bool next = true;
    span wanted;
    size_t from = p->order ? read : version, to = p->order || read >= end ? end : read + 1;

    span_of_region(&looked, &wanted);
    wanted.version = SIZE_MAX;
    wanted.before = 0;
    for (size_t at = spans_next(&s->writes, from, to, &wanted); next && at != SIZE_MAX;
         at = spans_next(&s->writes, at + 1, to, &wanted)) {
        inlay_value *write = &s->order.nodes[at - 1]->out[0];
        region written;

        if (set_of(s, write) != set || !is_write(write))
            continue;
        written = written_region(&s->member[slot_of(s, write)].where, write, room[1]);
        if (!see_pair(p, u, &looked, version, write, &written, &next))
            return false;
    }
    return true;
}

/* The members of the set of FROM that FROM leads to, FROM first. */
static size_t list_members(storage *s, inlay_value *from)
{
    size_t n = 0;

    s->list[n++] = from;
    for (size_t i = 0; i < n; i++) {
        for (inlay_value *c = s->member[slot_of(s, s->list[i])].child; c;
             c = s->member[slot_of(s, c)].sibling) {
            s->looks++;
            s->list[n++] = c;
        }
    }
    return n;
}

/* Reads of the old set A against V's own write and the writes of B, which are few when V does not
 * stand where it stood, and indexed when it does. */
static bool see_reads_of_a(pairs *p, const inlay_use *u, const storage_member *m)
{
    const joining *j = p->j;
    size_t version = version_moment(p->s, m->version);
    inlay_window room[INLAY_MAX_RANK];
    region looked = read_region(&m->where, u, room);
    bool next = true;

    if (reads_nothing(p->s, u))
        return true;
    if (j->writes && !see_pair(p, u, &looked, version, j->v, &j->written, &next))
        return false;
    return !next || p->found || j->b->n_writes == 0 ||
           see_writes_of(p, u, &m->where, version, j->b);
}

static bool see_members_of_a(pairs *p)
{
    storage *s = p->s;
    size_t n = list_members(s, p->j->a->root);

    for (size_t i = 0; i < n && !p->found; i++) {
        const inlay_value *v = s->list[i];
        const storage_member *m = member_of(s, v);

        if (!m)
            return false;
        for (const inlay_use *u = v->uses; u && !p->found; u = u->next) {
            if (!see_reads_of_a(p, u, m))
                return false;
        }
    }
    return true;
}

/* The same by an index, when V's own write is the only one. */
static bool see_indexed_reads_of_a(pairs *p, const span_index *reads)
{
    storage *s = p->s;
    const joining *j = p->j;
    size_t at = moment_of(s, j->v->node), own = s->first_read[j->v->node->id];
    size_t from = p->order ? 0 : own, to = p->order ? own : reads->n;
    span wanted;

    span_of_region(&j->written, &wanted);
    wanted.version = p->order ? SIZE_MAX : at;
    wanted.before = p->order && !j->a->branched ? at : 0;
    for (size_t k = spans_next(reads, from, to, &wanted); k != SIZE_MAX && !p->found;
         k = spans_next(reads, k + 1, to, &wanted)) {
        const inlay_use *u = s->reads[k];

        if (set_of(s, u->value) == j->a && !see_reads_of_a(p, u, &s->member[slot_of(s, u->value)]))
            return false;
    }
    return true;
}

/* Reads of B, which all begin with V, against the writes of SET. */
static bool see_members_of_b(pairs *p, const storage_member *set)
{
    storage *s = p->s;
    size_t n = list_members(s, p->j->v);

    for (size_t i = 0; i < n && !p->found; i++) {
        const inlay_value *v = s->list[i];
        const storage_member *m = member_of(s, v);
        size_t version;

        if (!m)
            return false;
        version = version_moment(s, m->version);
        for (const inlay_use *u = v->uses; u && !p->found; u = u->next) {
            if (!reads_nothing(s, u) && !see_writes_of(p, u, &m->where, version, set))
                return false;
        }
    }
    return true;
}

/* What a variable's buffer holds changes with the next run: no output and no other variable may
 * share it. */
static void see_outputs(pairs *p)
{
    const storage *s = p->s;
    const inlay_variable *v = inlay_variable_of(p->j->a->root->node, INLAY_OP_READ_VALUE);
    const size_t ends[] = {p->j->a->ends[0], p->j->a->ends[1], p->j->b->ends[0], p->j->b->ends[1]};
    size_t first = SIZE_MAX;

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (ends[i] && ends[i] < first && variable_of_end(s, ends[i]) != v)
            first = ends[i];
    }
    p->found = first != SIZE_MAX;
    if (p->found)
        p->c = (storage_conflict){&s->last[first - 1]->in[0], p->j->v};
}

static bool see_all_pairs(pairs *p)
{
    const joining *j = p->j;

    if (!p->order && inlay_variable_of(j->a->root->node, INLAY_OP_READ_VALUE) &&
        j->writes + j->a->n_writes + j->b->n_writes > 0)
        see_outputs(p);
    if (p->found)
        return true;
    if (j->b->n_writes == 0 && j->a->size > 1) {
        if (j->writes && (!see_indexed_reads_of_a(p, &p->s->windows) ||
                          !see_indexed_reads_of_a(p, &p->s->wholes)))
            return false;
    } else if (!see_members_of_a(p)) {
        return false;
    }
    if (!p->found && j->a->n_writes > 0 && !see_members_of_b(p, j->a))
        return false;
    /* seen from elsewhere it may be less clear that two regions of B do not meet */
    return p->found || !j->moved || j->b->n_writes == 0 || see_members_of_b(p, j->b);
}

/* V and the values that are views of it, and of those: what V is a version of, they are too. */
static size_t list_version(storage *s, inlay_value *v)
{
    size_t n = 0;

    s->list[n++] = v;
    for (size_t i = 0; i < n; i++) {
        for (inlay_value *c = s->member[slot_of(s, s->list[i])].child; c;
             c = s->member[slot_of(s, c)].sibling) {
            s->looks++;
            if (c->note == INLAY_VIEW_OF)
                s->list[n++] = c;
        }
    }
    return n;
}

static bool set_version(storage *s, inlay_value *v, const inlay_node *version)
{
    size_t n = list_version(s, v);

    for (size_t i = 0; i < n; i++) {
        s->member[slot_of(s, s->list[i])].version = version;
        if (!index_readers(s, s->list[i]))
            return false;
    }
    return true;
}

static region region_of_note(const storage *s, const region *outer, const inlay_value *v,
                             inlay_note_kind kind, const inlay_value *target, inlay_window *room)
{
    if (kind == INLAY_VIEW_OF)
        return region_of_view(outer, v, s->part[slot_of(s, v)], room);
    return kind == INLAY_INTO ? region_of_slice(outer, target->node, room) : *outer;
}

/* V stands at WHERE now; all that leads to it moves along. */
static bool move_members(storage *s, inlay_value *v, const region *where)
{
    size_t n = list_members(s, v);

    for (size_t i = 0; i < n; i++) {
        inlay_value *c = s->list[i];
        storage_member *m = member_of(s, c);
        inlay_window room[INLAY_MAX_RANK];

        if (!m)
            return false;
        m->where = i == 0 ? *where
                          : region_of_note(s, &s->member[slot_of(s, c->note_target)].where, c,
                                           c->note, c->note_target, room);
        if (!keep_region(s, &m->where) || !index_readers(s, c) ||
            (i > 0 && is_write(c) && !index_write(s, c)))
            return false;
    }
    return true;
}

static bool join_begin(storage *s, joining *j, inlay_value *v, inlay_note_kind kind,
                       inlay_value *target)
{
    const storage_member *to = member_of(s, target);

    if (!to || !member_of(s, v))
        return false;
    j->v = v;
    j->a = set_of(s, target);
    j->b = set_of(s, v);
    j->writes = kind != INLAY_VIEW_OF;
    j->version = j->writes ? v->node : to->version;
    j->old_where = s->member[slot_of(s, v)].where;
    j->where = region_of_note(s, &to->where, v, kind, target, j->room[0]);
    j->moved = kind != INLAY_OVERWRITES || !is_whole(s, &to->where, j->a->root);
    return member_of(s, j->a->root) && set_note(s, v, kind, target);
}

/* V as its note has it, but the sets still apart. */
static bool join_apply(storage *s, joining *j)
{
    inlay_value *target = j->v->note_target;

    j->written = written_region(&j->where, j->v, j->room[1]);
    return (!j->moved || move_members(s, j->v, &j->where)) && set_version(s, j->v, j->version) &&
           (j->v->note != INLAY_INTO || index_write(s, target));
}

static bool join_undo(storage *s, joining *j)
{
    inlay_value *target = j->v->note_target;
    bool into = j->v->note == INLAY_INTO;

    return set_note(s, j->v, INLAY_FRESH, NULL) &&
           (!j->moved || move_members(s, j->v, &j->old_where)) && (!into || index_write(s, target));
}

static bool join_commit(storage *s, joining *j)
{
    inlay_value *v = j->v, *target = v->note_target, *a_root = j->a->root;
    bool alone[2] = {j->a->size == 1, j->b->size == 1};
    bool replaces = v->note == INLAY_INTO && into_operand(target) == v;

    j->a->branched =
        j->a->branched || (j->moved && (j->b->n_writes > 0 || v->note == INLAY_OVERWRITES));
    j->a->n_writes += j->writes && !replaces;
    adopt(s, v, target);
    join_sets(s, j->a, j->b);
    return (!j->writes || index_write(s, v)) && (!alone[0] || index_readers(s, a_root)) &&
           (!alone[1] || index_readers(s, v)) && index_reads(s, v->node) &&
           index_reads(s, target->node);
}

bool storage_note(storage *s, inlay_value *v, inlay_note_kind kind, inlay_value *target,
                  bool *found, storage_conflict *c)
{
    joining j = {0};
    pairs p = {.s = s, .j = &j};

    if (!join_begin(s, &j, v, kind, target) || !join_apply(s, &j) || !see_all_pairs(&p))
        return false;
    *found = p.found;
    *c = p.c;
    if (p.found)
        return join_undo(s, &j);
    p.order = true;
    return see_all_pairs(&p) && join_commit(s, &j);
}

/* Begin and end */

static bool make_room(storage *s, size_t slots, size_t uses)
{
    size_t ids = (size_t)s->g->next_id + 1, nodes = s->g->n_nodes + 1;

    s->time = calloc(ids, sizeof *s->time);
    s->first_edge = calloc(ids, sizeof *s->first_edge);
    s->seen = calloc(ids, sizeof *s->seen);
    s->outputs = calloc(ids, sizeof *s->outputs);
    s->heap = calloc(nodes, sizeof(inlay_node *));
    s->part = calloc(slots + 1, sizeof *s->part);
    s->last = calloc(nodes, sizeof(inlay_node *));
    s->member = calloc(slots + 1, sizeof *s->member);
    s->list = calloc(slots + 1, sizeof(inlay_value *));
    s->before = calloc(uses + 1, sizeof(inlay_node *));
    s->reads = calloc(uses + 1, sizeof(inlay_use *));
    s->first_read = calloc(ids, sizeof *s->first_read);
    s->arena = inlay_arena_new();
    return s->time && s->first_edge && s->seen && s->outputs && s->heap && s->part && s->last &&
           s->member && s->list && s->before && s->reads && s->first_read && s->arena &&
           spans_begin(&s->windows, uses + 1, &s->looks) &&
           spans_begin(&s->wholes, uses + 1, &s->looks) &&
           spans_begin(&s->writes, nodes + 1, &s->looks);
}

static void begin_members(storage *s, inlay_node *n)
{
    size_t first = s->first_slot[n->id];

    for (int i = 0; i < n->n_out; i++) {
        s->member[first + (size_t)i] =
            (storage_member){.up = first + (size_t)i, .root = &n->out[i], .size = 1};
        s->outputs[n->id].others += n->out[i].uses != NULL;
    }
    if ((n->op->flags & INLAY_CUTS) && !inlay_node_is(n, INLAY_OP_SLICE))
        split_begins(n, &s->part[first]);
}

static void list_ends(storage *s)
{
    for (inlay_node *n = s->g->first; n; n = n->next) {
        if ((!inlay_node_is(n, INLAY_OP_RESULT) && !inlay_node_is(n, INLAY_OP_ASSIGN)) ||
            !n->in[0].value)
            continue;
        s->last[s->n_last++] = n;
        add_end(s, set_of(s, n->in[0].value), s->n_last);
    }
}

bool storage_begin(storage *s, inlay_graph *g, inlay_diags *d)
{
    size_t slots = 0, uses = 0;

    *s = (storage){.g = g, .diags = d};
    s->first_slot = calloc((size_t)g->next_id + 1, sizeof *s->first_slot);
    s->first_use = calloc((size_t)g->next_id + 1, sizeof *s->first_use);
    for (const inlay_node *n = g->first; s->first_slot && s->first_use && n; n = n->next) {
        s->first_slot[n->id] = slots;
        s->first_use[n->id] = uses;
        slots += (size_t)n->n_out;
        uses += (size_t)n->n_in;
    }
    if (!s->first_slot || !s->first_use || !make_room(s, slots, uses))
        return inlay_fail_memory(d);
    for (inlay_node *n = g->first; n; n = n->next)
        begin_members(s, n);
    list_ends(s);
    return join_readers(s) && storage_reorder(s);
}

void storage_end(storage *s)
{
    inlay_order_free(&s->order);
    spans_end(&s->windows);
    spans_end(&s->wholes);
    spans_end(&s->writes);
    free(s->time);
    free(s->first_slot);
    free(s->first_use);
    free(s->first_edge);
    free(s->next_edge);
    free(s->seen);
    free(s->outputs);
    free(s->heap);
    free(s->part);
    free(s->last);
    free(s->member);
    free(s->list);
    free(s->before);
    free(s->reads);
    free(s->first_read);
    inlay_arena_free(s->arena);
}
