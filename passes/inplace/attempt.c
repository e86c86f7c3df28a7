/* Tries a note, with readers moved out of its way, and says which condition forbids it. */
#include "passes/inplace/attempt.h"
#include "passes/inplace/reshape.h"

uint64_t inplace_bytes_of(const inlay_value *v)
{
    size_t bytes;

    return inlay_fact_bytes(&v->fact, &bytes) ? bytes : 0;
}

void inplace_refuse(inlay_decision *d, inlay_condition condition, const inlay_node *by)
{
    d->condition = inlay_condition_name(condition);
    d->by = by;
}

bool inplace_fills_buffer(const inlay_value *v)
{
    while (v->note == INLAY_OVERWRITES)
        v = v->note_target;
    return v->note == INLAY_FRESH;
}

/* A node with bodies that overwrites V's buffer; or NULL. */
static const inlay_node *writing_bodies(inplace_pass *p, inlay_value *v)
{
    size_t n = inlay_graph_had_bodies(p->s.order.g) && inplace_storage_is_written(&p->s, v)
                   ? inplace_list_members(&p->s.aliases, inplace_storage_root(&p->s, v))
                   : 0;

    for (size_t i = 0; i < n; i++) {
        const inlay_value *w = p->s.aliases.list[i];

        if (w->note == INLAY_OVERWRITES && (w->node->op->flags & INLAY_HAS_BODY))
            return w->node;
    }
    return NULL;
}

/* Bodies overwrite whole buffers only. So a value that they overwrite may move into another buffer
 * only if it fills it. False: it would not. */
static bool leaves_buffers_whole(inplace_pass *p, inlay_value *v, inlay_note_kind kind,
                                 const inlay_value *target, inlay_decision *d)
{
    const inlay_node *by = NULL;

    if (kind != INLAY_OVERWRITES || !inplace_fills_buffer(target))
        by = writing_bodies(p, v);
    if (!by)
        return true;
    p->contested = true;
    inplace_refuse(d, INLAY_O1_SAME_TYPE_AND_SHAPE, by);
    d->remark = "bodies write over whole buffers only";
    return false;
}

/* A value that is reshaped by a view may not move to a place where its elements may not be
 * contiguous. False: it would. */
static bool leaves_reshapes(inplace_pass *p, inlay_value *v, inlay_note_kind kind,
                            const inlay_value *target, inlay_decision *d)
{
    inlay_window part[INLAY_MAX_RANK];
    bool asked = kind == INLAY_OVERWRITES || (kind == INLAY_INTO && inplace_holds(target) &&
                                              inlay_node_part(target->node, v, part));
    const inlay_value *shown = kind == INLAY_INTO ? query_scatter_updates(target->node) : NULL;
    const inlay_node *by = asked ? NULL : inplace_relies_on(p, v, shown);

    if (by)
        inplace_refuse(d, INLAY_V2_STRIDED_READERS, by);
    p->contested = p->contested || by;
    return !by;
}

/* A buffer of which a view of the whole is an output must stay separate, and no other output may
 * use it. False: the note would change that. */
static bool leaves_alone(inplace_pass *p, const inlay_value *v, const inlay_value *target,
                         inlay_decision *d)
{
    const inplace_set *a = inplace_set_of(&p->s.aliases, v);
    const inplace_set *b = inplace_set_of(&p->s.aliases, target);
    size_t by = a->leaves || b->leaves ? a->observers[0] : 0;

    if (by == 0)
        return true;
    inplace_refuse(d, INLAY_V3_DOES_NOT_OUTLIVE, p->s.aliases.observers[by - 1]);
    p->contested = true;
    return false;
}

/* What was done about a conflict. */
typedef enum remedy {
    MOVED,   /* an order edge puts the reader before the write: the note is worth another try */
    NOTHING, /* the conflict stays */
    FAILED   /* the error is recorded */
} remedy;

/* Moves a reader that runs after the write, but does not depend on it, before the write. That does
 * not help with a second scatter over the same data: each of the two reads what the other one
 * writes. */
static remedy move_before(inplace_pass *p, const inplace_conflict *c, inlay_decision *d)
{
    inlay_node *reader = c->read->node, *writer = c->write->node;

    if (inplace_looks_last(&p->s.accesses, c->read) || reader == writer || p->reorders_left == 0 ||
        inplace_order_depends(&p->s.order, reader, writer))
        return NOTHING;
    if (p->successor) {
        inplace_refuse(d, INLAY_O5_ONE_OVERWRITER, p->successor);
        return NOTHING;
    }
    p->reorders_left--;
    return inplace_order_add_edge(&p->s.order, reader, writer) && inplace_storage_reorder(&p->s)
               ? MOVED
               : FAILED;
}

/* Is the reader another scatter that overwrites the same data? */
static bool is_other_successor(const inplace_conflict *c)
{
    const inlay_use *u = c->read;

    return query_is_scatter(u->node) && u->index == u->node->op->overwrites;
}

bool inplace_may_fail(const inlay_node *n)
{
    return (n->op->flags & INLAY_HAS_BODY) || inlay_node_may_fail(n);
}

const inlay_node *inplace_failing_writer(inplace_pass *p, inlay_value *x)
{
    size_t n = inplace_storage_is_written(&p->s, x)
                   ? inplace_list_members(&p->s.aliases, inplace_storage_root(&p->s, x))
                   : 0;

    for (size_t i = 0; i < n; i++) {
        const inlay_value *v = p->s.aliases.list[i];

        if (v->note == INLAY_INTO && inplace_may_fail(v->node))
            return v->node;
    }
    return NULL;
}

/* The condition that the conflict breaks. */
static inlay_condition name_conflict(const inplace_pass *p, const inplace_conflict *c,
                                     const inplace_names *names)
{
    const inlay_use *u = c->read;

    if ((u->node->op->flags & INLAY_HAS_BODY) && inplace_looks_last(&p->s.accesses, u))
        return INLAY_B3_NOT_PASSED_THROUGH;
    if (u->node->op->flags & INLAY_SINK)
        return names->observer;
    if (u->node == c->write->node && inlay_node_loops(u->node))
        return INLAY_N6_ENTERED_ONCE;
    if (u->node == c->write->node) {
        if (query_is_scatter(u->node) && u->value == query_scatter_data(u->node))
            return INLAY_O7_DATA_USED_ONCE;
        if ((u->node->op->flags & INLAY_HAS_BODY) && c->write->note != INLAY_OVERWRITES)
            return INLAY_N5_NO_BRANCH_READ;
        return u->value->fact.rank != c->write->fact.rank ||
                       inplace_bytes_of(u->value) < inplace_bytes_of(c->write)
                   ? names->broadcast
                   : names->same_node;
    }
    return is_other_successor(c) ? INLAY_O5_ONE_OVERWRITER : names->reader;
}

bool inplace_try_note(inplace_pass *p, inlay_value *v, inlay_note_kind kind, inlay_value *target,
                      const inplace_names *names, inlay_in_place *what, inlay_decision *d)
{
    size_t edges = p->s.order.g->n_order_edges;
    remedy done = MOVED;

    d->asked = true;
    if (p->turns.costly && kind != INLAY_OVERWRITES && p->turns.costly[v->node->id]) {
        inplace_refuse(d, INLAY_P1_NO_HIGHER_PEAK, target->node);
        return true;
    }
    if (!leaves_buffers_whole(p, v, kind, target, d) || !leaves_reshapes(p, v, kind, target, d) ||
        !leaves_alone(p, v, target, d))
        return true;
    while (done == MOVED) {
        inplace_conflict c;
        inplace_verdict verdict = inplace_storage_note(&p->s, v, kind, target, &c);

        if (verdict == INPLACE_FAILED)
            return false;
        if (verdict == INPLACE_FREE) {
            *d = (inlay_decision){.asked = true, .made = true};
            what->order_edges += (int)(p->s.order.g->n_order_edges - edges);
            return true;
        }
        inplace_refuse(d, name_conflict(p, &c, names), c.read->node);
        done = move_before(p, &c, d);
    }
    p->contested = true;
    /* without the note no reader needs to be moved */
    return done != FAILED && inplace_storage_drop_edges(&p->s, edges);
}

bool inplace_comes_first(inplace_pass *p, inlay_node *before, inlay_node *node,
                         const inlay_node **late, inlay_in_place *what)
{
    bool moved = inplace_moment(&p->s.order, before) > inplace_moment(&p->s.order, node);

    if (inplace_order_depends(&p->s.order, before, node) || (moved && p->reorders_left == 0)) {
        *late = before;
        return true;
    }
    if (inplace_order_depends(&p->s.order, node, before))
        return true;
    what->order_edges++;
    p->reorders_left -= moved;
    return inplace_order_add_edge(&p->s.order, before, node) &&
           (!moved || inplace_storage_reorder(&p->s));
}
