/* The chain of pointwise nodes that leads from a slice to the updates of a SliceScatter.
 *
 *     %x = Slice(%d, w)                  the slice that the chain begins with
 *     %y1 = Exp(%x)                      link 1
 *     %y = Add(%y1, %b)                  link 0, the updates
 *     %r = SliceScatter(%d, %y, w)
 *
 * Updates that are computed otherwise, as by a MatMul, are a chain by themselves. */
#include "passes/inplace/chain.h"
#include "ir/shared.h"
#include "passes/inplace/reshape.h"

#include <stdlib.h>

enum { MAX_SEARCH = 256 }; /* nodes looked at in search of the slice a chain begins with */

void inplace_free_chain(inplace_chain *c)
{
    inlay_give(c->links);
}

static bool add_link(inplace_pass *p, inplace_chain *c, inlay_value *v)
{
    if (c->n_links == c->cap_links) {
        int cap = c->cap_links ? c->cap_links * 2 : 8;
        inlay_value **grown =
            inlay_retake(inlay_node_budget(v->node), c->links, (size_t)cap * sizeof(inlay_value *));

        if (!grown)
            return inlay_fail_memory(p->run->diags);
        c->links = grown;
        c->cap_links = cap;
    }
    c->links[c->n_links++] = v;
    return true;
}

/* See chain.h. Two unknown sizes may be those of two windows; then the operands of the windows are
 * compared. */
bool inplace_same_extent(const inlay_value *a, const inlay_value *b)
{
    if (a->fact.rank < 0 || a->fact.rank != b->fact.rank)
        return false;
    for (int i = 0; i < a->fact.rank; i++) {
        if (!inlay_dim_proven_equal(a->fact.dims[i], b->fact.dims[i]) &&
            !inlay_dim_is_static(a->fact.dims[i]) && !inlay_dim_is_static(b->fact.dims[i]))
            continue;
        if (!inlay_dim_proven_equal(a->fact.dims[i], b->fact.dims[i]))
            return false;
    }
    return true;
}

bool inplace_is_pointwise(const inlay_node *n)
{
    return (n->op->flags & INLAY_POINTWISE) && n->n_out == 1;
}

bool inplace_is_computed(const inlay_value *v)
{
    const unsigned other = INLAY_SINK | INLAY_EFFECT | INLAY_STAND_IN | INLAY_COUNTS | INLAY_ADOPTS;
    unsigned flags = v->node->op->flags;
    bool view = (flags & (INLAY_VIEW | INLAY_REPEATS)) == INLAY_VIEW;

    if (flags & INLAY_HAS_BODY)
        return true;
    return (flags & INLAY_FILLS) && !(flags & other) && !view;
}

/* The first version of V: the data of the first scatter in the chain that led to V, or V itself. */
static const inlay_value *origin_of(const inplace_pass *p, const inlay_value *v)
{
    const inlay_value *origin = p->origin[v->node->id];

    return origin ? origin : v;
}

/* Is V a version of SCATTER's data? */
static bool is_of_data(inplace_pass *p, const inlay_value *v, const inlay_node *scatter)
{
    const inlay_value *sliced = inlay_node_input(v->node, 0);

    return origin_of(p, sliced) == origin_of(p, query_scatter_data(scatter)) ||
           inplace_storage_root(&p->s, sliced) ==
               inplace_storage_root(&p->s, query_scatter_data(scatter));
}

bool inplace_slices_data(inplace_pass *p, const inlay_value *v, const inlay_node *scatter)
{
    return inlay_node_reads_window(v->node) && is_of_data(p, v, scatter);
}

static bool is_own_slice(inplace_pass *p, const inlay_value *v, const inlay_node *scatter)
{
    return inplace_slices_data(p, v, scatter) && inlay_node_windows_same(v->node, scatter);
}

/* Is V the slice with SCATTER's own window, or a reshape of it? */
static bool shows_own_slice(inplace_pass *p, const inlay_value *v, const inlay_node *scatter)
{
    return is_own_slice(p, inplace_unshaped(v), scatter);
}

/* Does V select exactly the rows of SCATTER's data that SCATTER writes, whether they are distinct
 * or not? */
static bool picks_same_rows(inplace_pass *p, const inlay_value *v, const inlay_node *scatter)
{
    return inlay_node_names_rows(v->node) && !query_is_scatter(v->node) &&
           is_of_data(p, v, scatter) && inlay_node_windows_same(v->node, scatter);
}

typedef bool is_slice_fn(inplace_pass *p, const inlay_value *v, const inlay_node *scatter);

/* Is V computed by pointwise nodes from a value of SCATTER's data for which IS_SLICE holds?
 * Searches depth first and visits at most *BUDGET values. */
static bool leads_to(inplace_pass *p, const inlay_value *v, const inlay_node *scatter,
                     is_slice_fn *is_slice, int *budget)
{
    const inlay_value *stack[MAX_SEARCH];
    int depth = 0;

    stack[depth++] = v;
    while (depth > 0 && (*budget)-- > 0) {
        const inlay_value *top = stack[--depth];

        p->s.steps++;
        if (is_slice(p, top, scatter))
            return true;
        for (int i = inplace_is_pointwise(top->node) ? top->node->n_in : 0;
             i-- > 0 && depth < MAX_SEARCH;) {
            const inlay_value *in = top->node->in[i].value;

            if (in && inplace_same_extent(in, v))
                stack[depth++] = in;
        }
    }
    return false;
}

/* The operand of N that continues the chain, or NULL. It has the shape of LIKE. */
static inlay_value *next_link(inplace_pass *p, const inlay_node *n, const inlay_node *scatter,
                              const inlay_value *like)
{
    for (int i = 0; i < n->n_in; i++) {
        inlay_value *v = n->in[i].value;
        int budget = MAX_SEARCH;

        if (v && inplace_same_extent(v, like) && leads_to(p, v, scatter, shows_own_slice, &budget))
            return v;
    }
    return NULL;
}

/* If no slice has the window of the scatter, a slice that the links read is named in the message.
 */
static void name_slice(inplace_pass *p, inplace_chain *c, const inlay_node *link,
                       const inlay_node *scatter)
{
    for (int i = 0; i < link->n_in && !c->slice; i++) {
        if (link->in[i].value && inplace_slices_data(p, link->in[i].value, scatter))
            c->slice = link->in[i].value->node;
    }
}

const inlay_node *inplace_may_repeat(inplace_pass *p, const inlay_node *scatter)
{
    const inlay_value *u = query_scatter_updates(scatter), *list;
    int budget = MAX_SEARCH;

    if (!u || !inlay_node_names_rows(scatter) || inlay_node_has_window(scatter) ||
        !leads_to(p, u, scatter, picks_same_rows, &budget))
        return NULL;
    list = inlay_node_operand(scatter, INLAY_ROLE_INDICES);
    return (list ? list : inlay_node_operand(scatter, INLAY_ROLE_TUPLES))->node;
}

inlay_value *inplace_window_below(inplace_pass *p, inlay_value *v, const inlay_node *scatter)
{
    while (v && query_is_scatter(v->node) && v->note == INLAY_OVERWRITES) {
        p->s.steps++;
        v = query_scatter_data(v->node);
    }
    return v && is_own_slice(p, v, scatter) ? v : NULL;
}

/* Is V computed as a whole rather than element by element, as by a MatMul or a TopK? */
static bool is_made_at_once(const inlay_value *v)
{
    return !inplace_is_pointwise(v->node) && !query_is_scatter(v->node) && inplace_is_computed(v) &&
           !inlay_node_reads_window(v->node);
}

/* The updates of SCATTER; if these are a reshape, the value that is reshaped, and C->shown is set.
 */
static inlay_value *begin_chain(const inplace_pass *p, const inlay_node *scatter, inplace_chain *c)
{
    inlay_value *u = query_scatter_updates(scatter);
    inlay_value *of = u && !p->late && !inlay_node_lists_rows(scatter) ? inplace_unshaped(u) : u;

    if (of == u || !inplace_is_computed(of) || inlay_fact_is_empty(&of->fact) ||
        !inplace_window_shows(scatter, of, u))
        return u;
    c->shown = u;
    return of;
}

bool inplace_find_chain(inplace_pass *p, inlay_node *scatter, inplace_chain *c)
{
    inlay_value *v;

    *c = (inplace_chain){0};
    if (!inlay_node_writes_window(scatter))
        return true;
    v = begin_chain(p, scatter, c);
    if (v && (v->node->op->flags & INLAY_HAS_BODY))
        return add_link(p, c, v);
    if (v && inplace_holds(v)) { /* a Concat, whose operands may be computed in the window in turn
                                    */
        name_slice(p, c, v->node, scatter);
        return add_link(p, c, v);
    }
    if (v && inplace_window_below(p, v, scatter)) { /* a view of the window itself, which scatters
                                                       wrote */
        c->slice = inplace_window_below(p, v, scatter)->node;
        return true;
    }
    if (v && is_made_at_once(v) && !inlay_node_lists_rows(scatter)) {
        name_slice(p, c, v->node, scatter);
        return add_link(p, c, v);
    }
    while (v && inplace_is_pointwise(v->node) && c->n_links < MAX_SEARCH) {
        if (!add_link(p, c, v))
            return false;
        name_slice(p, c, v->node, scatter);
        v = next_link(p, v->node, scatter, v);
    }
    v = v ? inplace_unshaped(v) : NULL;
    if (v && inplace_slices_data(p, v, scatter) && (!c->slice || is_own_slice(p, v, scatter)))
        c->slice = v->node;
    return true;
}
