/* What the caller is told: the decisions, and how many bytes are copied because of refusals. */
#include "passes/inplace/copies.h"
#include "ir/shared.h"
#include "passes/inplace/attempt.h"
#include "passes/inplace/rows.h"
#include "passes/query/indices.h"

#include <stdlib.h>

bool inplace_record(inplace_pass *p, const inlay_in_place *what)
{
    if (p->n_told == p->cap_told) {
        size_t cap = p->cap_told ? p->cap_told * 2 : 16;
        inlay_in_place *grown =
            inlay_retake(inlay_graph_budget(p->s.order.g), p->told, cap * sizeof *grown);

        if (!grown)
            return inlay_fail_memory(p->run->diags);
        p->told = grown;
        p->cap_told = cap;
    }
    p->told[p->n_told++] = *what;
    return true;
}

/* A slice that several scatters read is copied once, so its bytes count only for the first of them.
 */
void inplace_count_bytes(const inplace_pass *p, inlay_in_place *what)
{
    const inlay_value *updates = query_scatter_updates(what->scatter);

    what->copies_updates = updates && !inlay_fact_is_empty(&updates->fact) && !what->into.asked &&
                           scatter_replaces(what->scatter);
    if (what->copies_updates)
        what->update_bytes = inplace_bytes_of(updates);
    if (!what->overwrite.made)
        what->overwrite.bytes = inplace_bytes_of(query_scatter_data(what->scatter));
    if (what->view.asked && !what->view.made && !p->named[what->slice->id])
        what->view.bytes = inplace_bytes_of(&what->slice->out[0]);
    if (what->into.asked && !what->into.made)
        what->into.bytes = inplace_bytes_of(query_scatter_updates(what->scatter));
}

/* Does N only move elements, or convert them to the type that they have already? */
static bool only_moves(const inlay_node *n)
{
    if (!inlay_node_input(n, 0) || n->n_out == 0)
        return false;
    if (n->op->flags & INLAY_CONVERTS)
        return n->in[0].value->fact.type == n->out[0].fact.type &&
               n->out[0].fact.type != INLAY_DYNAMIC;
    return n->op->flags & (INLAY_MOVES | INLAY_VIEW);
}

/* V is computed by a node that only moves elements. Is it copied? Not if it is a view, or if it is
 * computed into the window that its node reads, unless that is rows of a list. */
static bool is_copied(inplace_pass *p, const inlay_value *v)
{
    const inlay_value *root = inplace_set_of(&p->s.aliases, v)->root;
    bool apart = v->note == INLAY_FRESH ||
                 (v->note == INLAY_INTO &&
                  (inplace_holds(v->note_target) || inlay_node_lists_rows(v->note_target->node) ||
                   inplace_set_of(&p->s.aliases, v->node->in[0].value)->root != root));

    return apart && !inlay_fact_is_empty(&v->fact);
}

static bool tell(const inplace_pass *p, const inlay_copy *copy)
{
    return pass_tell(p->run, &(inlay_event){.kind = INLAY_EVENT_COPIES, .as.copy = copy});
}

/* Reports what N, such as a Concat, copies: for each computed operand whether it is computed in its
 * part of the result, and one number of bytes for all others. The number is unknown if some
 * operand's size is. */
static bool tell_held(const inplace_pass *p, const inlay_node *n)
{
    inlay_copy all = {
        .node = n, .input = -1, .bytes = inplace_bytes_of(&n->out[0]), .view = p->views[n->id]};
    bool known = all.bytes > 0, ok = true;
    int made = 0;

    if (inlay_fact_is_empty(&n->out[0].fact))
        return true;
    for (size_t i = p->first_held[n->id]; i < p->n_held && p->held[i].holder == n; i++) {
        const inplace_held *h = &p->held[i];
        inlay_copy one = {.node = n, .input = h->input, .into = h->d};

        one.into.bytes = inplace_bytes_of(n->in[h->input].value);
        if (known && one.into.bytes > all.bytes) /* part of it is cut off */
            one.into.bytes = all.bytes;
        known = known && (one.into.bytes > 0 || inlay_fact_is_empty(&n->in[h->input].value->fact));
        all.bytes = known ? all.bytes - one.into.bytes : 0;
        one.into.bytes = h->d.made ? 0 : one.into.bytes;
        made += h->d.made;
        one.bytes = one.into.bytes;
        ok = ok && tell(p, &one);
    }
    all.view.bytes = all.bytes;
    return ok &&
           ((known && all.bytes == 0) || (n->op->variadic_in && made == n->n_in) || tell(p, &all));
}

/* Is X the first operand of the Concat that makes the next value of a growing state, perhaps
 * through a slice? */
static bool comes_first(const inlay_value *x, int depth)
{
    bool first = false;
    int axis;

    for (const inlay_use *u = x->uses; u && !first; u = u->next)
        first = (u->index == 0 && inlay_node_joined_axis(u->node, &axis)) ||
                (depth > 0 && u->index == 0 && inlay_node_reads_window(u->node) &&
                 comes_first(&u->node->out[0], depth - 1));
    return first;
}

/* Reports rows that N selects from a growing state. Only the run knows whether they are all rows in
 * order, in which case nothing is copied. */
static void tell_picked(const inlay_node *n, inlay_decision *view)
{
    if (view->asked || inlay_node_picks_by(n) < 0 || !comes_first(&n->out[0], 1))
        return;
    view->asked = true;
    inplace_refuse(view, INLAY_N2_CHECKS_FIRST, inlay_node_operand(n, INLAY_ROLE_INDICES)->node);
    view->remark = "the state itself if the indices are in order";
}

/* Reports what N itself copies; also for a node that only moves elements and makes views. */
static bool tell_moves(inplace_pass *p, const inlay_node *n)
{
    inlay_copy copy = {.node = n, .input = -1, .view = p->views[n->id]};
    bool copies = false, known = true;

    if ((n->op->flags & INLAY_HOLDS) && !copy.view.made)
        return tell_held(p, n);
    for (int k = 0; k < n->n_out; k++) {
        if (!is_copied(p, &n->out[k]))
            continue;
        copies = true;
        known = known && inplace_bytes_of(&n->out[k]) > 0;
        copy.bytes += inplace_bytes_of(&n->out[k]);
    }
    copy.bytes = known ? copy.bytes : 0;
    if (copies)
        tell_picked(n, &copy.view);
    copy.view.bytes = copy.bytes;
    return (!copies && !copy.view.asked) || tell(p, &copy);
}

/* Are the elements of V, which lies at R, smaller than a byte, and does V begin inside of its
 * buffer? Kernels that read no strides cannot read such values either. */
static bool begins_within(const inlay_value *v, const inlay_region *r)
{
    bool within = false;

    if (v->note == INLAY_FRESH || inlay_type_info_of(v->fact.type)->bits >= 8)
        return false;
    for (; r; r = r->frame->shows) {
        for (int i = 0; r->windows && !r->slice && !r->some && i < r->rank; i++)
            within = within || r->windows[i].begin != 0;
    }
    return within;
}

/* The kernel of N does not accept strides, so each operand that is not dense is copied. */
static bool tell_dense(inplace_pass *p, const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;
        const inplace_member *m = v ? inplace_member_of(&p->s.aliases, v) : NULL;

        if (v && !m)
            return false;
        if (v && (!inlay_region_is_dense(m->where) || begins_within(v, m->where)) &&
            !tell(p, &(inlay_copy){.node = n, .input = i, .bytes = inplace_bytes_of(v)}))
            return false;
    }
    return true;
}

static bool tell_copies(inplace_pass *p)
{
    bool ok = true;

    for (size_t i = 0; ok && i < p->s.order.list.n; i++) {
        const inlay_node *n = p->s.order.list.nodes[i];

        if (only_moves(n) && !p->named[n->id])
            ok = tell_moves(p, n);
        if (ok && !(n->op->flags & (INLAY_STRIDED | INLAY_ADOPTS)))
            ok = tell_dense(p, n);
    }
    return ok;
}

/* Withdraws D, the decision on V: node BY violates CONDITION. */
static bool give_up(inplace_pass *p, inlay_value *v, inlay_decision *d, inlay_condition condition,
                    const inlay_node *by)
{
    if (!d->made)
        return true;
    *d = (inlay_decision){.asked = true, .bytes = inplace_bytes_of(v)};
    inplace_refuse(d, condition, by);
    p->run->changes--;
    return inplace_set_note(&p->s.accesses, v, INLAY_FRESH, NULL);
}

/* Withdraws that the updates of scatter R, and the links before them, are computed in the window.
 */
static bool give_up_links(inplace_pass *p, const inlay_value *r)
{
    size_t n = inplace_list_members(&p->s.aliases, (inlay_value *)r);
    bool ok = true;

    for (size_t i = 0; ok && i < n; i++) {
        inlay_value *v = p->s.aliases.list[i];

        if (v->note == INLAY_INTO && v->note_target == r)
            ok = inplace_set_note(&p->s.accesses, v, INLAY_FRESH, NULL);
    }
    return ok;
}

static bool give_up_rows(inplace_pass *p, inlay_in_place *what)
{
    const inlay_node *s = what->scatter;
    inlay_decision rows = {0};

    if (!inplace_check_rows(p, s, &rows))
        return false;
    if (!rows.condition)
        return true;
    p->s.accesses.left = true;
    return give_up(p, query_scatter_updates(s), &what->into, inlay_condition_named(rows.condition),
                   rows.by) &&
           give_up_links(p, &s->out[0]) &&
           (!what->slice || !inlay_node_lists_rows(what->slice) ||
            give_up(p, (inlay_value *)&what->slice->out[0], &what->view, INLAY_V2_STRIDED_READERS,
                    rows.by));
}

/* Computes the order anew, because edges between nodes that were in order already may have changed
 * it, too. */
bool inplace_give_up_rows(inplace_pass *p)
{
    bool ok = true, ordered = false;

    for (size_t i = 0; ok && i < p->n_told; i++) {
        if (!p->told[i].into.made || !inlay_node_lists_rows(p->told[i].scatter))
            continue;
        ok = (ordered || inplace_storage_reorder(&p->s)) && give_up_rows(p, &p->told[i]);
        ordered = true;
    }
    return ok && (!p->s.accesses.left || inplace_index_all(&p->s.accesses));
}

/* Are the updates of SCATTER in its window after all, although that was not known when it was
 * decided? Then nothing is copied. */
static bool stand_there(inplace_pass *p, const inlay_node *scatter)
{
    const inlay_value *data = query_scatter_data(scatter), *u = query_scatter_updates(scatter);
    const inplace_member *to = inplace_member_of(&p->s.aliases, data);
    const inplace_member *from = inplace_member_of(&p->s.aliases, u);
    inlay_region_room room;

    if (!inlay_node_writes_window(scatter) || u->note == INLAY_FRESH || p->s.accesses.left || !to ||
        !from || inplace_set_of(&p->s.aliases, data) != inplace_set_of(&p->s.aliases, u))
        return false;
    return inlay_region_same(from->where, inlay_region_slice(to->where, scatter, &room));
}

void inplace_find_standing(inplace_pass *p)
{
    for (size_t i = 0; i < p->n_told; i++) {
        inlay_in_place *what = &p->told[i];

        if (what->overwrite.made && what->into.asked && !what->into.made &&
            stand_there(p, what->scatter))
            what->into = (inlay_decision){.asked = true, .made = true, .remark = INPLACE_STANDING};
    }
}

bool inplace_tell(inplace_pass *p)
{
    bool ok = true;

    for (size_t i = 0; ok && i < p->n_told; i++)
        ok = pass_tell(p->run,
                       &(inlay_event){.kind = INLAY_EVENT_DECIDED, .as.in_place = &p->told[i]});
    return ok && (!p->run->options->events.receive || tell_copies(p));
}
