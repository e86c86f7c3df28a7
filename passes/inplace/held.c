/* Decision I for held operands, those of nodes like Concat: each is computed in its part of the
 * result, so that the node has nothing left to copy.
 *
 *     %a = Exp(%x)                       into c: the first rows of its buffer
 *     %b = Tanh(%y)                      into c: the rows behind them
 *     %c = Concat(%a, %b)                fresh; allocated when a is
 *     %r = SliceScatter(%d, %c, ...)     c into r: so a and b are in the window of d
 *
 * The node copies operands for which that is impossible. A value can be in one part of one result
 * only (N8, N10), so the order of the decisions matters. */
#include "passes/inplace/held.h"
#include "ir/shared.h"
#include "passes/inplace/attempt.h"
#include "passes/inplace/chain.h"
#include "passes/inplace/into.h"
#include "passes/inplace/reshape.h"
#include "passes/inplace/successors.h"
#include "passes/inplace/view.h"

#include <stdlib.h>

enum {
    LITTLE = 16
}; /* an operand whose part is smaller than 1/LITTLE of the result is not
                         considered */

/* V if it is computed; if it is a reshape of a computed value, that value; else NULL. */
static inlay_value *computed_of(inlay_value *v)
{
    inlay_value *from =
        v && (v->node->op->flags & INLAY_RESHAPES) ? inlay_node_input(v->node, 0) : v;

    return from && inplace_is_computed(from) && !inlay_fact_is_empty(&from->fact) ? from : NULL;
}

/* Is V so small a part of N that allocating the whole result as early as V would not pay? */
static bool is_little(const inlay_node *n, const inlay_value *v)
{
    return inlay_node_held(n) == 1 && !n->op->variadic_in &&
           inplace_bytes_of(v) < inplace_bytes_of(&n->out[0]) / LITTLE;
}

/* Lists the computed operands that N holds, each once. MET has, by slot, the last node for which
 * the value was listed. */
static void list_operands(inplace_pass *p, inlay_node *n, const inlay_node **met)
{
    int held = inlay_node_held(n);

    p->first_held[n->id] = p->n_held;
    for (int i = 0; i < held && i < n->n_in; i++) {
        inlay_value *v = computed_of(n->in[i].value);

        const inlay_node **last =
            v ? &met[p->s.aliases.first_slot[v->node->id] + (size_t)v->index] : NULL;

        p->s.steps++;
        if (!v || *last == n || is_little(n, v))
            continue;
        *last = n;
        p->held[p->n_held++] = (inplace_held){.holder = n, .input = i, .value = v};
    }
}

bool inplace_list_held(inplace_pass *p)
{
    const inlay_order_list *order = &p->s.order.list;
    const inlay_node **met;
    size_t most = 0;

    inlay_list_late(order, p->late_sizes);
    met = inlay_take(inlay_graph_budget(p->s.order.g), p->s.aliases.n_slots, sizeof(inlay_node *));
    for (size_t i = 0; i < order->n; i++)
        most += (size_t)inlay_node_held(order->nodes[i]);
    p->held = inlay_take(inlay_graph_budget(p->s.order.g), most, sizeof *p->held);
    p->first_held = inlay_take(inlay_graph_budget(p->s.order.g), (size_t)p->s.order.g->next_id,
                               sizeof *p->first_held);
    for (size_t i = 0; met && p->held && p->first_held && i < order->n; i++) {
        if (inlay_node_held(order->nodes[i]) > 0)
            list_operands(p, order->nodes[i], met);
    }
    inlay_give(met);
    return (met && p->held && p->first_held) || inlay_fail_memory(p->run->diags);
}

/* A node that reads V at the end of the run, or whose body gets V; or NULL. */
static const inlay_node *who_keeps(const inlay_value *v)
{
    for (const inlay_use *u = v->uses; u; u = u->next) {
        if (u->node->op->flags & (INLAY_SINK | INLAY_HAS_BODY))
            return u->node;
    }
    return NULL;
}

/* A reader of V that accepts only dense operands, although the part of R has gaps; or NULL. */
static const inlay_node *dense_reader(const inlay_value *v, const inlay_value *r)
{
    if (inlay_node_part_follows(r->node, v))
        return NULL;
    /* readers of a reshape of V are checked with the view */
    for (const inlay_use *u = v->uses; u; u = u->next) {
        if (!(u->node->op->flags & (INLAY_STRIDED | INLAY_POINTWISE | INLAY_VIEW)))
            return u->node;
    }
    return NULL;
}

/* Is the window of SCATTER known as soon as the sizes are? */
static bool follows_from_sizes(const inlay_node *scatter)
{
    int updates = inlay_op_operand(scatter->op, INLAY_ROLE_UPDATES);
    bool follows = true;

    for (int i = 1; follows && i < scatter->n_in; i++)
        follows = i == updates || !scatter->in[i].value || scatter->in[i].value->fact.known;
    return follows;
}

/* R may be in a part or a window of another value, and that in a third one, and so on. Are all
 * these windows known as soon as the sizes are? Otherwise the run could not reserve parts of R
 * early. */
static bool stands_in_known_windows(const inplace_pass *p, const inlay_value *r)
{
    inlay_window w[INLAY_MAX_RANK];
    bool known = true;

    for (; r->note == INLAY_INTO && known; r = r->note_target) {
        const inlay_node *in = r->note_target->node;

        known = query_is_scatter(in)
                    ? inlay_node_windows(in, NULL, w) || inlay_node_windows_written(in, w) ||
                          follows_from_sizes(in)
                    : inlay_node_has_part(in, r, p->late_sizes);
    }
    return known;
}

/* Are the elements of the operand that X reshapes contiguous in the buffer that R owns? Then R must
 * stay so if it is moved later (who_reshapes). */
static bool follows_in_buffer(const inlay_value *x, const inlay_value *r)
{
    return r->note == INLAY_FRESH && inlay_node_part_follows(r->node, x);
}

/* A reshape that is a view of V, or of a value stored in V, and that strides may not be able to
 * describe once V is in its part of R; or NULL. Operands of R itself have the axes of the part. */
static const inlay_node *who_reshapes(inplace_pass *p, const inlay_value *v, const inlay_value *r)
{
    const inlay_value *shown = inlay_node_shown(r->node, v);
    size_t n = inplace_list_members(&p->s.aliases, (inlay_value *)v);

    if (follows_in_buffer(v, r))
        return NULL;
    for (size_t i = 0; i < n; i++) {
        const inlay_value *x = p->s.aliases.list[i];

        if (x != shown && x != v && x->note == INLAY_VIEW_OF &&
            (x->node->op->flags & INLAY_RESHAPES) &&
            inlay_op_operand(x->node->op, INLAY_ROLE_AXES) < 0)
            return x->node;
    }
    return NULL;
}

static bool is_nested_too_deep(const inplace_pass *p, const inlay_value *v, const inlay_value *r)
{
    const inplace_aliases *a = &p->s.aliases;
    size_t slot = a->first_slot[v->node->id] + (size_t)v->index;

    return inlay_value_nested(r) + 1 + a->members[slot].nested > INLAY_MAX_NESTED;
}

/* The conditions on V, which R holds; inplace_try_note judges the readers. */
static bool may_be_held(inplace_pass *p, const inlay_value *v, const inlay_value *r,
                        inlay_decision *d)
{
    bool part = inlay_node_has_part(r->node, v, p->late_sizes);
    const inlay_node *by;

    p->contested = p->contested || v->note != INLAY_FRESH;
    if (v->note != INLAY_FRESH)
        inplace_refuse(d, INLAY_N10_ONE_PLACE, v->note_target->node);
    else if (is_nested_too_deep(p, v, r))
        inplace_refuse(d, INLAY_N15_NESTED_AT_MOST, r->node);
    else if (!part && inlay_node_shows_otherwise(r->node, v))
        inplace_refuse(d, INLAY_I1_SAME_WINDOW, r->node);
    else if (v->fact.type != r->fact.type || !part || !stands_in_known_windows(p, r))
        inplace_refuse(d, INLAY_N2_CHECKS_FIRST, r->node);
    else if (inlay_type_info_of(v->fact.type)->bits < 8)
        inplace_refuse(d, INLAY_O12_WHOLE_BYTE_WINDOW, r->node);
    else if ((by = who_keeps(v)))
        inplace_refuse(d, INLAY_I5_SOLE_CONSUMER, by);
    else if ((by = dense_reader(v, r)) || (by = who_reshapes(p, v, r)))
        inplace_refuse(d, INLAY_V2_STRIDED_READERS, by);
    else if ((by = inplace_find_trap(p, v, r)))
        inplace_refuse(d, INLAY_I8_NO_FAILURE_MIDWAY, by);
    else
        return true;
    return false;
}

/* R may be in the window of a scatter, and what holds R in another one, and so on. The other
 * operands of these scatters must be computed before NODE writes; if not, D is refused. */
static bool content_first(inplace_pass *p, inlay_node *node, const inlay_value *r,
                          inlay_decision *d, inlay_in_place *what)
{
    const inlay_node *late = NULL;

    for (; r->note == INLAY_INTO && !late; r = r->note_target) {
        const inlay_node *scatter = r->note_target->node;

        if (query_is_scatter(scatter) && !inplace_window_first(p, scatter, node, &late, what))
            return false;
        if (late)
            inplace_refuse(d, inplace_late_condition(scatter, late), late);
    }
    p->contested = p->contested || late;
    return true;
}

static bool goes_into_scatter(const inlay_value *r)
{
    while (r->note == INLAY_INTO && !query_is_scatter(r->note_target->node))
        r = r->note_target;
    return r->note == INLAY_INTO;
}

/* Does the same for all nodes that write into V. */
static bool all_content_first(inplace_pass *p, inlay_value *v, const inlay_value *r,
                              inlay_decision *d, inlay_in_place *what)
{
    size_t n = goes_into_scatter(r) ? inplace_list_members(&p->s.aliases, v) : 0;
    inlay_node **nodes = inlay_take(inlay_node_budget(v->node), n + 1, sizeof(inlay_node *));
    bool ok = nodes || inlay_fail_memory(p->run->diags);

    for (size_t i = 0; ok && i < n; i++) /* an added edge may change their order */
        nodes[i] = p->s.aliases.list[i]->note == INLAY_VIEW_OF ? NULL : p->s.aliases.list[i]->node;
    for (size_t i = 0; ok && i < n && !d->condition; i++)
        ok = !nodes[i] || content_first(p, nodes[i], r, d, what);
    inlay_give(nodes);
    return ok;
}

/* The held operand is a reshape of H's value. The reshape must be a view, so that the operand is
 * where the value is computed. If strides may not be able to describe it, because the part has gaps
 * or is not known yet, it is tried again when the part is known. */
static bool view_first(inplace_pass *p, inplace_held *h, inlay_in_place *what)
{
    inlay_value *x = h->holder->in[h->input].value;
    inlay_decision *d = &p->views[x->node->id], view = *d;
    inlay_window part[INLAY_MAX_RANK];

    if (x == h->value || h->value->note != INLAY_FRESH)
        return true;
    if (!inplace_only_joins_axes(h->value, x) &&
        (!inlay_node_part(h->holder, x, part) || !follows_in_buffer(x, &h->holder->out[0]))) {
        inplace_refuse(&h->d, INLAY_V2_STRIDED_READERS, x->node);
        return true;
    }
    if (!view.asked && !inplace_decide_view(p, x, what, &view))
        return false;
    if (!view.made) {
        inplace_refuse(&h->d, inlay_condition_named(view.condition), view.by);
        return true;
    }
    p->run->changes += !d->asked;
    *d = view;
    return true;
}

static bool decide_held(inplace_pass *p, inplace_held *h)
{
    static const inplace_names names = {INLAY_I5_SOLE_CONSUMER, INLAY_I5_SOLE_CONSUMER,
                                        INLAY_I3_OPERANDS_IN_STEP, INLAY_I4_NO_BROADCAST_OF_WINDOW};
    inlay_value *v = h->value, *r = &h->holder->out[0];
    size_t edges; /* edges that the view needs; they stay */
    inlay_in_place what = {0};

    h->d.asked = true;
    if (r->note == INLAY_VIEW_OF) /* the view of V: nothing is copied */
        return true;
    if (!view_first(p, h, &what))
        return false;
    edges = p->s.order.g->n_order_edges;
    if (!h->d.condition && !inplace_check_made(p, v, r, &h->d))
        return false;
    if (h->d.condition || !may_be_held(p, v, r, &h->d))
        return true;
    if (!all_content_first(p, v, r, &h->d, &what) ||
        (!h->d.condition && (!inplace_try_note(p, v, INLAY_INTO, r, &names, &what, &h->d) ||
                             !inplace_remark_made(p, v, &h->d))))
        return false;
    p->run->changes += h->d.made;
    return h->d.made || inplace_storage_drop_edges(&p->s, edges);
}

/* The order of the decisions */

typedef struct turn {
    inplace_held *h;
    int rank;
    uint64_t bytes; /* 0: sizes do not count */
    size_t place;
} turn;

static int by_rank(const void *a, const void *b)
{
    const turn *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

bool inplace_decide_held(inplace_pass *p)
{
    turn *turns = inlay_take(inlay_graph_budget(p->s.order.g), p->n_held, sizeof *turns);
    bool ok = turns || inlay_fail_memory(p->run->diags);

    for (size_t i = 0; ok && i < p->n_held; i++) {
        inplace_held *h = &p->held[i];
        bool first = p->turns.turn == INPLACE_FIRST_FIRST;
        bool size = inplace_prefers_large(p);

        /* of two that are equal the later first, which may hold the other */
        turns[i] = (turn){h, inplace_rank(p, h->value->node), size ? inplace_bytes_of(h->value) : 0,
                          first ? i : p->n_held - i};
    }
    if (ok && p->n_held > 0)
        qsort(turns, p->n_held, sizeof *turns, by_rank);
    for (size_t i = 0; ok && i < p->n_held; i++)
        ok = decide_held(p, turns[i].h);
    inlay_give(turns);
    return ok;
}

/* Does N copy the data if its output does not overwrite it? */
static bool saves_copy(const inlay_node *n)
{
    return query_is_scatter(n) || (n->op->flags & INLAY_HAS_BODY);
}

uint64_t inplace_saved_bytes(const inlay_graph *g)
{
    uint64_t bytes = 0;

    for (const inlay_node *n = g->first; n; n = n->next) {
        for (int k = 0; k < n->n_out; k++) {
            const inlay_value *v = &n->out[k];

            if (v->note == INLAY_VIEW_OF || (v->note == INLAY_OVERWRITES && saves_copy(n)) ||
                (v->note == INLAY_INTO && inplace_moves_on(v->note_target->node, v)))
                bytes += inplace_bytes_of(v);
        }
    }
    return bytes;
}
