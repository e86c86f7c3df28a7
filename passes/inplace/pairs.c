/* The pairs of a read and a write that come to share a buffer by a note. See pairs.h.
 *
 * The same pairs are gone through twice: to look for a conflict, and, when there is none, to order
 * the reads before later writes. What differs between the two is a `question`. */
#include "passes/inplace/pairs.h"
#include "passes/query/scatter.h"

/* What to do after a pair. */
typedef enum step {
    NEXT_WRITE, /* go on with the same read and the next write */
    NEXT_READ,  /* no further write can affect this read */
    FOUND,      /* a conflict was found */
    FAILED
} step;

/* Moments (positions in time) after `after`, up to and including `last`. */
typedef struct moments {
    size_t after, last;
} moments;

/* Places of reads from `from` up to, but not including, `to`. */
typedef struct places {
    size_t from, to;
} places;

struct pairs;

typedef struct question {
    /* The moments of the writes that concern a read. */
    moments (*writes)(const inplace_read *r);
    /* The places of the reads of A that the write of V concerns, and the search for them in the
     * index. */
    places (*places)(const struct pairs *p);
    inplace_span_query (*reads)(const struct pairs *p);
    /* Judges a read and a write that concern each other and whose regions meet. */
    step (*judge)(struct pairs *p, const inplace_read *r, const inplace_write *w);
} question;

typedef struct pairs {
    inplace_accesses *x;
    const inplace_join *j;
    const question *ask;
    inplace_conflict conflict; /* the one that was FOUND */
    /* For a read: the first write over it, and the function that is called for it and for other
     * writes that may come first. */
    const inlay_node *first;
    inplace_first_write_fn *tell;
    void *ctx;
} pairs;

/* The walk over the pairs */

static step judge_pair(pairs *p, const inplace_read *r, const inplace_write *w)
{
    moments concern = p->ask->writes(r);

    ++*p->x->steps;
    if (w->moment <= concern.after || w->moment > concern.last ||
        !inlay_region_meets(r->where, w->where))
        return NEXT_WRITE;
    return p->ask->judge(p, r, w);
}

/* Judges the read R with the write of V, if V is a write in SET. */
static step judge_write(pairs *p, const inplace_read *r, const inplace_set *set,
                        const inlay_value *v)
{
    inplace_accesses *x = p->x;
    const inplace_member *m;
    inplace_write write;

    if (inplace_set_of(x->aliases, v) != set || !inplace_is_write(v))
        return NEXT_WRITE;
    m = inplace_member_of(x->aliases, v);
    if (!m)
        return FAILED;
    inplace_write_of(x, v, m->where, &write);
    return judge_pair(p, r, &write);
}

/* The next moment in [FROM, TO) of a write in SET that WANTED may match; if SET is large, of a
 * write in any set. SIZE_MAX: there is none. */
static size_t next_write(const inplace_accesses *x, const inplace_set *set, size_t from, size_t to,
                         const inplace_span_query *wanted)
{
    inlay_value *few[INPLACE_FEW];
    size_t n = inplace_list_few(x->aliases, set, few), next = SIZE_MAX;

    if (n == 0)
        return inplace_spans_next(&x->writes, from, to, wanted);
    for (size_t i = 0; i < n; i++) {
        size_t at = inplace_moment(x->order, few[i]->node);

        if (at >= from && at < to && at < next && inplace_spans_hold(&x->writes, at, wanted))
            next = at;
    }
    return next;
}

/* The same for reads: their next place in INDEX. */
static size_t next_read(const inplace_accesses *x, const inplace_span_index *index,
                        const inplace_set *set, size_t from, size_t to,
                        const inplace_span_query *wanted)
{
    inlay_value *few[INPLACE_FEW];
    size_t n = inplace_list_few(x->aliases, set, few), next = SIZE_MAX;

    if (n == 0)
        return inplace_spans_next(index, from, to, wanted);
    for (size_t i = 0; i < n; i++) {
        for (const inlay_use *u = few[i]->uses; u; u = u->next) {
            size_t at = x->place[x->first_use[u->node->id] + (size_t)u->index];

            if (at >= from && at < to && at < next && inplace_runs(x->order, u->node) &&
                inplace_spans_hold(index, at, wanted))
                next = at;
        }
    }
    return next;
}

/* Judges the read R with all writes of SET. */
static step judge_writes(pairs *p, const inplace_read *r, const inplace_set *set)
{
    inplace_accesses *x = p->x;
    moments concern = p->ask->writes(r);
    size_t n = x->order->list.n, to = concern.last < n ? concern.last + 1 : n + 1;
    inplace_span_query wanted = {inlay_region_box(r->where), SIZE_MAX, 0};
    step next = NEXT_WRITE;

    for (size_t at = next_write(x, set, concern.after, to, &wanted);
         next == NEXT_WRITE && at != SIZE_MAX; at = next_write(x, set, at + 1, to, &wanted)) {
        const inlay_node *writer = x->order->list.nodes[at - 1];

        for (int i = 0; next == NEXT_WRITE && i < writer->n_out; i++)
            next = judge_write(p, r, set, &writer->out[i]);
    }
    return next;
}

/* Judges the read U of a member M of A with the write of V and with the writes of B. */
static step judge_read_of_a(pairs *p, const inlay_use *u, const inplace_member *m)
{
    const inplace_join *j = p->j;
    step next = NEXT_WRITE;
    inplace_read read;

    if (inplace_reads_nothing(p->x, u))
        return NEXT_READ;
    inplace_read_of(p->x, u, m, &read);
    if (j->writes)
        next = judge_pair(p, &read, &j->write);
    if (next == NEXT_WRITE && j->b->n_writes > 0)
        next = judge_writes(p, &read, j->b);
    return next;
}

/* Judges the read U of a member M of B with the writes of SET. */
static step judge_read_of_b(pairs *p, const inlay_use *u, const inplace_member *m,
                            const inplace_set *set)
{
    inplace_read read;

    if (inplace_reads_nothing(p->x, u))
        return NEXT_READ;
    inplace_read_of(p->x, u, m, &read);
    return judge_writes(p, &read, set);
}

static bool goes_on(step s)
{
    return s == NEXT_WRITE || s == NEXT_READ;
}

/* Judges the reads of FROM and of all members below it: those of A where SET is NULL, else those of
 * B with the writes of SET. */
static step judge_members(pairs *p, inlay_value *from, const inplace_set *set)
{
    inplace_aliases *aliases = p->x->aliases;
    size_t n = inplace_list_members(aliases, from);
    step next = NEXT_READ;

    for (size_t i = 0; i < n && goes_on(next); i++) {
        const inplace_member *m = inplace_member_of(aliases, aliases->list[i]);

        if (!m)
            return FAILED;
        for (const inlay_use *u = aliases->list[i]->uses; u && goes_on(next); u = u->next)
            next = set ? judge_read_of_b(p, u, m, set) : judge_read_of_a(p, u, m);
    }
    return next;
}

/* Judges the reads of A that the write of V may concern, as found by the indexes. */
static step judge_indexed_reads_of_a(pairs *p)
{
    inplace_accesses *x = p->x;
    const inplace_span_index *const indexes[] = {&x->window_reads, &x->whole_reads};
    places where = p->ask->places(p);
    inplace_span_query wanted = p->ask->reads(p);
    step next = NEXT_READ;

    for (size_t i = 0; i < 2; i++) {
        for (size_t k = next_read(x, indexes[i], p->j->a, where.from, where.to, &wanted);
             k != SIZE_MAX && goes_on(next);
             k = next_read(x, indexes[i], p->j->a, k + 1, where.to, &wanted)) {
            const inlay_use *u = x->reads[k];
            const inplace_member *m;

            if (inplace_set_of(x->aliases, u->value) != p->j->a)
                continue;
            m = inplace_member_of(x->aliases, u->value);
            next = m ? judge_read_of_a(p, u, m) : FAILED;
        }
    }
    return next;
}

/* Judges the reads of A. If the write of V is the only new one for them, the indexes find those
 * that it affects; otherwise all are visited. */
static step judge_a(pairs *p)
{
    const inplace_join *j = p->j;

    if (j->b->n_writes > 0 || j->a->size == 1)
        return judge_members(p, p->j->a->root, NULL);
    return j->writes ? judge_indexed_reads_of_a(p) : NEXT_READ;
}

static step judge_all(pairs *p)
{
    const inplace_join *j = p->j;
    step next = judge_a(p);

    if (goes_on(next) && j->a->n_writes > 0)
        next = judge_members(p, j->v, j->a);
    /* after a move it may no longer be known that two regions of B are disjoint */
    if (goes_on(next) && j->moved && j->b->n_writes > 0)
        next = judge_members(p, j->v, j->b);
    return next;
}

/* Conflicts */

/* Is V computed into the window of R, or into a part of a value that is? */
static bool goes_into(const inlay_value *v, const inlay_value *r)
{
    for (; v->note == INLAY_INTO; v = v->note_target) {
        if (v->note_target == r)
            return true;
    }
    return false;
}

/* Is V the value DATA, or another version of it at the same positions? */
static bool same_place(const pairs *p, const inlay_value *v, const inlay_value *data)
{
    const inplace_member *a = inplace_member_of(p->x->aliases, v);
    const inplace_member *b = inplace_member_of(p->x->aliases, data);
    const inlay_value *was = data;

    while (was != v && was->note == INLAY_OVERWRITES)
        was = was->note_target;
    return was == v || (v->note != INLAY_VIEW_OF && data->note != INLAY_VIEW_OF && a && b &&
                        inlay_region_same(a->where, b->where));
}

/* Are the windows of A and B both known, or both unknown? An index and a list with the same index
 * may name the same row: the list has a known window, but of the index it is only known that it is
 * the same value. */
static bool known_alike(const inlay_node *a, const inlay_node *b)
{
    inlay_window room[INLAY_MAX_RANK];

    return inlay_node_windows(a, NULL, room) == inlay_node_windows(b, NULL, room);
}

/* Is V, by the notes, in the window that SCATTER writes in DATA?
 *
 *     %x = Slice(%d, w)                view of d: the window
 *     %y = ScatterUpdate(%x, ...)      overwrites x: something within it
 *     %r = SliceScatter(%d, %y, w)     overwrites d
 */
static bool stands_in_window(const pairs *p, const inlay_value *v, const inlay_node *scatter,
                             const inlay_value *data)
{
    bool stands = false;

    for (; inlay_node_writes_window(scatter) && v->note_target && !stands; v = v->note_target)
        stands = v->note == INLAY_VIEW_OF && inlay_node_reads_window(v->node) &&
                 inlay_node_windows_same(v->node, scatter) && known_alike(v->node, scatter) &&
                 same_place(p, v->note_target, data);
    return stands;
}

/* In every order, is WRITE made before the window of SCATTER is written? */
static bool comes_before_window(const pairs *p, const inlay_value *write, const inlay_node *scatter)
{
    const inlay_value *u = inlay_value_into_operand(&scatter->out[0]);
    inlay_node *writer = u ? u->node : scatter->out[0].node;

    return inplace_order_depends(p->x->order, writer, write->node);
}

/* Is U the data of a scatter that overwrites it, and WRITE a write into its window? The scatter
 * keeps only what is outside of the window, so such a write does not disturb the read. Or does a
 * node with bodies overwrite U? The decisions in the bodies made sure that this is right. */
static bool is_own_window(const pairs *p, const inlay_use *u, const inlay_value *write)
{
    const inlay_node *n = u->node;

    if (n == write->node && (n->op->flags & INLAY_HAS_BODY))
        return write->note == INLAY_OVERWRITES && write->note_target == u->value;
    return query_is_scatter(n) && u->index == n->op->overwrites &&
           n->out[0].note == INLAY_OVERWRITES && n->out[0].note_target == u->value &&
           (write == &n->out[0] || goes_into(write, &n->out[0]) ||
            (comes_before_window(p, write, n) && stands_in_window(p, write, n, u->value)));
}

/* Does U read updates that are, by the notes, already in the window that its node writes? */
static bool are_in_window(const pairs *p, const inlay_use *u)
{
    const inlay_node *n = u->node;

    return inlay_node_writes_window(n) && u->value == query_scatter_updates(n) &&
           stands_in_window(p, u->value, n, query_scatter_data(n));
}

/* A pointwise node may read the very positions that it writes, and so may a scatter whose updates
 * are in their window. */
static bool is_pointwise_over(const pairs *p, const inplace_read *r, const inplace_write *w)
{
    const inlay_node *n = r->use->node;

    return n == w->value->node && ((n->op->flags & INLAY_POINTWISE) || are_in_window(p, r->use)) &&
           inlay_region_same(r->where, w->where);
}

/* Updates that lie in the buffer of the data, all at the same distance from where they are written,
 * are moved in an order in which each is read before it is overwritten. */
static bool is_moved(const inplace_read *r, const inplace_write *w)
{
    const inlay_node *n = r->use->node;

    return n == w->value->node && query_is_scatter(n) && inlay_node_moves_updates(n) &&
           r->use->index == inlay_op_operand(n->op, INLAY_ROLE_UPDATES) &&
           r->use->value != query_scatter_data(n) &&
           inlay_type_info_of(r->use->value->fact.type)->bits >= 8 &&
           !inlay_region_same(r->where, w->where) && inlay_region_shifted(r->where, w->where);
}

static moments live_range(const inplace_read *r)
{
    return (moments){r->version, r->moment};
}

/* The places of reads at or after V's node. */
static places places_from_v(const pairs *p)
{
    return (places){p->x->first_read[p->j->v->node->id], p->x->whole_reads.n};
}

/* The search for reads of values whose bytes do not include the write. */
static inplace_span_query reads_of_older_values(const pairs *p)
{
    return (inplace_span_query){inlay_region_box(p->j->write.where), p->j->write.moment, 0};
}

static step report_conflict(pairs *p, const inplace_read *r, const inplace_write *w)
{
    if (is_own_window(p, r->use, w->value) || is_pointwise_over(p, r, w) || is_moved(r, w) ||
        inlay_value_stands_in_part(r->use->value, w->value))
        return NEXT_WRITE;
    p->conflict = (inplace_conflict){r->use, w->value};
    return FOUND;
}

/* If anything writes into the buffer of a variable, no output and no other variable may share it,
 * because its contents change in the next run. */
static bool find_observer(pairs *p)
{
    const inplace_join *j = p->j;
    const inlay_variable *v = inlay_variable_of(j->a->root->node, INLAY_OP_READ_VALUE);
    inlay_node *observer;

    if (!v || j->writes + j->a->n_writes + j->b->n_writes == 0)
        return false;
    observer = inplace_foreign_observer(p->x->aliases, j->a, j->b, v);
    if (observer)
        p->conflict = (inplace_conflict){&observer->in[0], j->v};
    return observer != NULL;
}

inplace_verdict inplace_find_conflict(inplace_accesses *x, const inplace_join *j,
                                      inplace_conflict *out)
{
    static const question conflicts = {live_range, places_from_v, reads_of_older_values,
                                       report_conflict};
    pairs p = {.x = x, .j = j, .ask = &conflicts};
    step last = find_observer(&p) ? FOUND : judge_all(&p);

    *out = p.conflict;
    return last == FAILED ? INPLACE_FAILED : last == FOUND ? INPLACE_CONFLICT : INPLACE_FREE;
}

/* Order edges */

static moments after_read(const inplace_read *r)
{
    return (moments){r->moment, SIZE_MAX};
}

/* The places of reads before V's node. */
static places places_before_v(const pairs *p)
{
    return (places){0, p->x->first_read[p->j->v->node->id]};
}

/* The search for reads that no fence keeps before the write. In a branched set, a write after a
 * fence need not come after the fence in every order. */
static inplace_span_query reads_without_fence(const pairs *p)
{
    return (inplace_span_query){inlay_region_box(p->j->write.where), SIZE_MAX,
                                p->j->a->branched ? 0 : p->j->write.moment};
}

static step keep_before(pairs *p, const inplace_read *r, const inplace_write *w)
{
    inplace_accesses *x = p->x;
    inlay_node *reader = r->use->node, *writer = w->value->node;
    const inlay_node **fence = inplace_fence_of(x, r->use);

    if (inlay_value_stands_in_part(r->use->value, w->value))
        return NEXT_WRITE;
    if (!inplace_order_depends(x->order, writer, reader) &&
        !inplace_order_add_edge(x->order, reader, writer))
        return FAILED;
    if (inplace_set_of(x->aliases, w->value)->branched || p->j->a->branched || p->j->b->branched)
        return NEXT_WRITE;
    if (*fence && inplace_moment(x->order, *fence) <= w->moment)
        return NEXT_READ;
    *fence = writer; /* later writes to the buffer come after this one */
    return inplace_index_read(x, r->use) ? NEXT_READ : FAILED;
}

bool inplace_keep_reads_first(inplace_accesses *x, const inplace_join *j)
{
    static const question edges = {after_read, places_before_v, reads_without_fence, keep_before};
    pairs p = {.x = x, .j = j, .ask = &edges};

    return judge_all(&p) != FAILED;
}

/* Grounds */

/* Do A and B, both in one set, still share a buffer? Other ReadValues in the set are of the same
 * variable. */
static bool stand_together(const inplace_accesses *x, const inlay_value *a, const inlay_value *b)
{
    const inlay_value *to = x->left ? inlay_value_owner(a, NULL) : NULL;
    const inlay_value *from = x->left ? inlay_value_owner(b, NULL) : NULL;

    return to == from || (inlay_node_is(to->node, INLAY_OP_READ_VALUE) &&
                          inlay_node_is(from->node, INLAY_OP_READ_VALUE));
}

/* The moments of writes at or after the read: the reading node itself may be the first to write
 * there. */
static moments from_read(const inplace_read *r)
{
    return (moments){r->moment - 1, SIZE_MAX};
}

/* Does W overwrite the value that is read? Rows of a list that only the run knows may be anywhere
 * in it, but nowhere else. */
static bool meets_value(pairs *p, const inlay_value *read, const inplace_write *w)
{
    const inplace_member *m = inplace_member_of(p->x->aliases, read);

    return !m || inlay_region_meets(m->where, w->where);
}

/* Writes come in the order of time. In a branched set a later write may be the first in another
 * order, unless it depends on the first one found. */
static step tell_first(pairs *p, const inplace_read *r, const inplace_write *w)
{
    inplace_accesses *x = p->x;
    inlay_value *written = (inlay_value *)w->value;

    if (inlay_value_writes_none(written) || inlay_value_stands_in_part(r->use->value, written) ||
        !stand_together(x, r->use->value, written) || !meets_value(p, r->use->value, w))
        return NEXT_WRITE;
    if (written->node == r->use->node)
        return NEXT_READ;
    if (p->first && inplace_order_depends(x->order, written->node, p->first))
        return NEXT_WRITE;
    if (!p->tell(p->ctx, r->use, written))
        return FAILED;
    p->first = p->first ? p->first : written->node;
    return inplace_set_of(x->aliases, written)->branched ? NEXT_WRITE : NEXT_READ;
}

bool inplace_find_first_writes(inplace_accesses *x, const inlay_use *u, inplace_first_write_fn *fn,
                               void *ctx)
{
    static const question grounds = {from_read, places_before_v, reads_without_fence, tell_first};
    pairs p = {.x = x, .ask = &grounds, .tell = fn, .ctx = ctx};
    const inplace_set *set = inplace_set_of(x->aliases, u->value);
    const inplace_member *m;
    inplace_read read;

    if (set->n_writes == 0 || inplace_looks_last(x, u) || inplace_reads_nothing(x, u) ||
        inlay_use_reads_none(u))
        return true;
    m = inplace_member_of(x->aliases, u->value);
    if (!m)
        return false;
    inplace_read_of(x, u, m, &read);
    return judge_writes(&p, &read, set) != FAILED;
}

bool inplace_own_ground(inplace_accesses *x, const inlay_use *u, const inlay_value *v,
                        inlay_condition *kept)
{
    const pairs p = {.x = x};
    const inplace_member *m, *own;
    const inlay_node *slice = u->value->node;
    inplace_read read;
    inplace_write write;
    bool standing;

    *kept = INLAY_NO_CONDITION;
    if (inplace_set_of(x->aliases, u->value) != inplace_set_of(x->aliases, v) ||
        !stand_together(x, u->value, v) || inplace_reads_nothing(x, u))
        return true;
    m = inplace_member_of(x->aliases, u->value);
    own = inplace_member_of(x->aliases, v);
    if (!m || !own)
        return false;
    inplace_read_of(x, u, m, &read);
    inplace_write_of(x, v, own->where, &write);
    /* wherever the window is in the end */
    standing = v->node == u->node && v->note == INLAY_OVERWRITES && are_in_window(&p, u);
    if ((!standing && !inlay_region_meets(read.where, write.where)) || is_own_window(&p, u, v) ||
        inlay_value_stands_in_part(u->value, v))
        return true;
    if (standing || is_pointwise_over(&p, &read, &write))
        *kept = u->value->note == INLAY_VIEW_OF && inlay_node_reads_window(slice)
                    ? INLAY_I1_SAME_WINDOW
                    : INLAY_I3_OPERANDS_IN_STEP;
    else if (is_moved(&read, &write))
        *kept = INLAY_O6_NO_OVERLAPPING_OPERAND;
    return true;
}
