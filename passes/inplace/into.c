/* Decision I: the nodes that compute the updates of a SliceScatter do it in the window itself. */
#include "ir/shared.h"
#include "passes/inplace/decide.h"
#include "passes/query/faults.h"

#include <stdlib.h>

enum { MAX_SEARCH = 256 }; /* nodes looked at in search of the slice a chain begins with */

void free_chain(in_place_chain *c)
{
    free(c->links);
}

static bool add_link(in_place *p, in_place_chain *c, inlay_value *v)
{
    if (c->n_links == c->cap_links) {
        int cap = c->cap_links ? c->cap_links * 2 : 8;
        inlay_value **grown = realloc(c->links, (size_t)cap * sizeof(inlay_value *));

        if (!grown)
            return inlay_fail_memory(p->run->diags);
        c->links = grown;
        c->cap_links = cap;
    }
    c->links[c->n_links++] = v;
    return true;
}

/* Same rank and the same size on every axis: nothing is broadcast on the way. */
static bool same_extent(const inlay_value *a, const inlay_value *b)
{
    if (a->fact.rank < 0 || a->fact.rank != b->fact.rank)
        return false;
    for (int i = 0; i < a->fact.rank; i++) {
        if (!inlay_dim_proven_equal(a->fact.dims[i], b->fact.dims[i]) &&
            !inlay_dim_is_static(a->fact.dims[i]) && !inlay_dim_is_static(b->fact.dims[i]))
            continue; /* two windows whose equality is decided by their operands */
        if (!inlay_dim_proven_equal(a->fact.dims[i], b->fact.dims[i]))
            return false;
    }
    return true;
}

static bool is_pointwise(const inlay_node *n)
{
    return (n->op->flags & INLAY_POINTWISE) && n->n_out == 1;
}

static const inlay_value *origin_of(const in_place *p, const inlay_value *v)
{
    const inlay_value *origin = p->origin[v->node->id];

    return origin ? origin : v;
}

bool slices_data(in_place *p, const inlay_value *v, const inlay_node *scatter)
{
    const inlay_value *sliced;

    if (!inlay_node_is(v->node, INLAY_OP_SLICE))
        return false;
    sliced = inlay_node_input(v->node, 0);
    return origin_of(p, sliced) == origin_of(p, query_scatter_data(scatter)) ||
           inplace_storage_root(&p->s, sliced) ==
               inplace_storage_root(&p->s, query_scatter_data(scatter));
}

static bool is_own_slice(in_place *p, const inlay_value *v, const inlay_node *scatter)
{
    return slices_data(p, v, scatter) && inlay_node_windows_same(v->node, scatter);
}

/* Depth first through pointwise nodes: does V lead up to the scatter's own slice? */
static bool leads_to_slice(in_place *p, const inlay_value *v, const inlay_node *scatter,
                           int *budget)
{
    const inlay_value *stack[MAX_SEARCH];
    int depth = 0;

    stack[depth++] = v;
    while (depth > 0 && (*budget)-- > 0) {
        const inlay_value *top = stack[--depth];

        p->s.steps++;
        if (is_own_slice(p, top, scatter))
            return true;
        for (int i = is_pointwise(top->node) ? top->node->n_in : 0;
             i-- > 0 && depth < MAX_SEARCH;) {
            const inlay_value *in = top->node->in[i].value;

            if (in && same_extent(in, v))
                stack[depth++] = in;
        }
    }
    return false;
}

/* The operand of N through which the chain goes on, or NULL. */
static inlay_value *next_link(in_place *p, const inlay_node *n, const inlay_node *scatter,
                              const inlay_value *like)
{
    for (int i = 0; i < n->n_in; i++) {
        inlay_value *v = n->in[i].value;
        int budget = MAX_SEARCH;

        if (v && same_extent(v, like) && leads_to_slice(p, v, scatter, &budget))
            return v;
    }
    return NULL;
}

/* A link may read slices with other windows too; one is told when there is no better. */
static void note_slice(in_place *p, in_place_chain *c, const inlay_node *link,
                       const inlay_node *scatter)
{
    for (int i = 0; i < link->n_in && !c->slice; i++) {
        if (link->in[i].value && slices_data(p, link->in[i].value, scatter))
            c->slice = link->in[i].value->node;
    }
}

bool find_chain(in_place *p, inlay_node *scatter, in_place_chain *c)
{
    inlay_value *v;

    *c = (in_place_chain){0};
    if (!inlay_node_is(scatter, INLAY_OP_SLICE_SCATTER))
        return true;
    v = query_scatter_updates(scatter);
    while (v && is_pointwise(v->node) && c->n_links < MAX_SEARCH) {
        if (!add_link(p, c, v))
            return false;
        note_slice(p, c, v->node, scatter);
        v = next_link(p, v->node, scatter, v);
    }
    if (v && slices_data(p, v, scatter) && (!c->slice || is_own_slice(p, v, scatter)))
        c->slice = v->node;
    return true;
}

/* The conditions on link V alone; the readers come after. */
static bool may_go_into(in_place *p, const inlay_value *v, const inlay_value *r, inlay_decision *d)
{
    const inlay_value *updates = query_scatter_updates(r->node);
    const inlay_node *root = inplace_storage_root(&p->s, r)->node;
    bool observable =
        inlay_node_is(root, INLAY_OP_READ_VALUE) || inlay_node_is(root, INLAY_OP_PARAMETER);

    if (v->note != INLAY_FRESH) {
        refuse(d, "I5 sole-consumer", v->note_target->node);
        return false;
    }
    if (v != updates && !inlay_fact_same_shape(&v->fact, &updates->fact)) {
        refuse(d, "I2 pointwise", v->node); /* it may be broadcast to the window */
        return false;
    }
    if (inlay_type_info_of(v->fact.type)->bits != inlay_type_info_of(r->fact.type)->bits) {
        refuse(d, "I6 width", v->node);
        return false;
    }
    if (splits_bytes(r->node)) {
        refuse(d, "O12 bytes", r->node);
        return false;
    }
    /* A link that fails half way has already spoiled what somebody may still look at. */
    if (observable && query_may_fail(v->node)) {
        refuse(d, "I8 no-trap-between", v->node);
        return false;
    }
    return true;
}

/* The window must stand in memory, and be known, before LINK is computed into it. *LATE: the
 * operand of the scatter that can be made only after LINK, or NULL. */
static bool window_first(in_place *p, const inlay_node *scatter, inlay_node *link,
                         const inlay_node **late, inlay_in_place *what)
{
    *late = NULL;
    p->s.steps += (uint64_t)scatter->n_in;
    for (int i = 0; i < scatter->n_in && !*late; i++) {
        inlay_node *before = i != 1 && scatter->in[i].value ? scatter->in[i].value->node : NULL;

        if (!before || inlay_node_is(before, INLAY_OP_CONST))
            continue;
        if (inplace_order_depends(&p->s.order, before, link) ||
            (inplace_moment(&p->s.order, before) > inplace_moment(&p->s.order, link) &&
             p->reorders_left == 0)) {
            *late = before;
        } else if (!inplace_order_depends(&p->s.order, link, before)) {
            bool moved = inplace_moment(&p->s.order, before) > inplace_moment(&p->s.order, link);

            what->order_edges++;
            p->reorders_left -= moved;
            if (!inplace_order_add_edge(&p->s.order, before, link) ||
                (moved && !inplace_storage_reorder(&p->s)))
                return false;
        }
    }
    return true;
}

static const char *no_chain(const inlay_node *scatter, const inlay_value *u)
{
    if (u->node->op->flags & (INLAY_SINK | INLAY_EFFECT))
        return "I10 no-effects";
    if (inlay_node_is(u->node, INLAY_OP_SLICE))
        return "I1 same-window";
    return query_scatter_data(scatter) == u ? "O7 same-value-twice" : "I2 pointwise";
}

/* Some links are in the window, the one above them is not. */
static void tell_rest(in_place *p, inlay_in_place *what, const inlay_decision *link)
{
    what->into.remark = inlay_arena_printf(
        p->words, "the links before are computed outside (%s%s%s%s)", link->condition,
        link->by ? ": \"" : "", link->by ? link->by->name : "", link->by ? "\"" : "");
}

static bool note_links(in_place *p, inlay_node *scatter, const in_place_chain *c,
                       inlay_in_place *what)
{
    bool own = c->slice && inlay_node_windows_same(c->slice, scatter);
    condition_names names = {"I5 sole-consumer", "I5 sole-consumer",
                             c->slice && !own ? "I1 same-window" : "I3 other-operands",
                             "I4 broadcast-others"};
    inlay_value *r = &scatter->out[0];

    for (int i = 0; i < c->n_links; i++) {
        inlay_value *v = c->links[i];
        inlay_decision link = {0};
        const inlay_node *late;

        link.asked = true;
        if (may_go_into(p, v, r, &link)) {
            if (!window_first(p, scatter, v->node, &late, what) ||
                (!late && !try_note(p, v, INLAY_INTO, r, &names, what, &link)))
                return false;
            if (late)
                refuse(&link, "I9 same-version", late);
        }
        if (i == 0)
            what->into = link;
        else if (!link.made)
            tell_rest(p, what, &link);
        if (!link.made)
            break;
    }
    return true;
}

bool decide_into(in_place *p, inlay_node *scatter, const in_place_chain *c, inlay_in_place *what)
{
    inlay_value *u = query_scatter_updates(scatter);

    if (!inlay_node_is(scatter, INLAY_OP_SLICE_SCATTER) || inlay_node_is(u->node, INLAY_OP_CONST) ||
        inlay_node_is(u->node, INLAY_OP_PARAMETER) || inlay_node_is(u->node, INLAY_OP_READ_VALUE))
        return true; /* nothing is computed that could go into the window */
    what->into.asked = true;
    if (!what->overwrite.made)
        refuse(&what->into, "O overwrite is refused", NULL);
    else if (c->n_links == 0)
        refuse(&what->into, no_chain(scatter, u), u->node);
    else
        return note_links(p, scatter, c, what);
    return true;
}
