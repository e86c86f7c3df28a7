/* Links of chains of writes. See chain.h. */
#include "passes/rules/chain.h"
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/query/scatter.h"
#include "passes/rules/window.h"

#include <stdlib.h>
#include <string.h>

/* The link of a SliceScatter whose window is known. It tells at once of several writes: those from
 * its own write down to JUMP, whose own write is not among them. As in a skip list some links jump
 * far and others to the next write only, so that a walk down a chain takes few of them. */
typedef struct link {
    const inlay_node *node;
    inlay_value *jump;
    size_t depth;   /* number of writes from this one down to the lowest of the chain */
    size_t farther; /* the depth of JUMP; 0: JUMP is no write */
    inlay_box all;  /* a window that holds all that the writes down to JUMP write */
    int axis;       /* the only one that its window cuts, in one piece; else -1 */
    /* TOTAL is the number of elements along AXIS that writes which cut AXIS have written, from the
     * first such write up to this one. BEFORE is what TOTAL was when the last run began: a run is
     * writes of which no two meet and each is read by the next one alone. Both numbers may wrap;
     * their difference, which is what the run writes, is no larger than the axis. */
    uint64_t total, before;
    size_t first; /* the depth of the lowest write of the run */
} link;

struct rule_chains {
    const inlay_graph *g;
    size_t *at; /* for each node id the number of its link, counted from 1; 0: it has none */
    size_t n_ids;
    link *links;
    size_t n, cap;
    const inlay_node **stack;
    size_t depth, cap_stack;
};

rule_chains *rule_chains_new(const inlay_graph *g)
{
    rule_chains *c = inlay_take(inlay_graph_budget(g), 1, sizeof *c);

    if (c)
        c->g = g;
    return c;
}

void rule_chains_free(rule_chains *chains)
{
    if (!chains)
        return;
    inlay_give(chains->at);
    inlay_give(chains->links);
    inlay_give(chains->stack);
    inlay_give(chains);
}

bool rule_chains_reset(rule_chains *chains)
{
    size_t n_ids = chains->g->next_id;
    size_t *at = inlay_take(inlay_graph_budget(chains->g), n_ids + 1, sizeof *at);

    if (!at)
        return false;
    inlay_give(chains->at);
    chains->at = at;
    chains->n_ids = n_ids;
    chains->n = 0;
    return true;
}

static bool make_room(rule_chains *c, size_t id)
{
    size_t ids = c->n_ids;
    size_t *at;

    if (id < ids)
        return true;
    ids = id + ids / 2 + 1;
    at = inlay_retake(inlay_graph_budget(c->g), c->at, ids * sizeof *at);
    if (!at)
        return false;
    memset(at + c->n_ids, 0, (ids - c->n_ids) * sizeof *at);
    c->at = at;
    c->n_ids = ids;
    return true;
}

static link *link_of(const rule_chains *c, const inlay_node *n)
{
    return n->id < c->n_ids && c->at[n->id] ? &c->links[c->at[n->id] - 1] : NULL;
}

static bool push(rule_chains *c, const inlay_node *n)
{
    if (c->depth == c->cap_stack) {
        size_t cap = c->cap_stack ? 2 * c->cap_stack : 64;
        const inlay_node **more = inlay_retake(inlay_node_budget(n), c->stack, cap * sizeof *more);

        if (!more)
            return false;
        c->stack = more;
        c->cap_stack = cap;
    }
    c->stack[c->depth++] = n;
    return true;
}

void rule_chains_forget(rule_chains *c, const inlay_node *write)
{
    bool ok = true;

    c->depth = 0;
    if (link_of(c, write))
        ok = push(c, write);
    while (ok && c->depth > 0) {
        const inlay_node *n = c->stack[--c->depth];

        c->at[n->id] = 0;
        for (const inlay_use *u = n->out[0].uses; ok && u; u = u->next) {
            inlay_count_steps(c->g, 1);
            ok = u->index != 0 || !link_of(c, u->node) || push(c, u->node);
        }
    }
    if (!ok) /* the link knows less than it could, but all that it knows is true */
        memset(c->at, 0, c->n_ids * sizeof *c->at);
}

static bool is_write(const inlay_node *n, inlay_window *w)
{
    return inlay_node_is(n, INLAY_OP_SLICE_SCATTER) && rule_read_window(n, w);
}

/* Goes down from V past all writes that do not meet the window W, and not deeper than LOWEST; the
 * result is the value under the last of these writes. All of them have a link. */
static inlay_value *pass_by(const rule_chains *c, inlay_value *v, const inlay_window *w, int rank,
                            size_t lowest)
{
    inlay_box wanted = inlay_box_of(w, rank);
    const link *l;

    while ((l = link_of(c, v->node)) && l->depth >= lowest) {
        inlay_window written[INLAY_MAX_RANK];

        inlay_count_steps(c->g, 1);
        if (!inlay_boxes_meet(&l->all, &wanted)) {
            v = l->jump;
            continue;
        }
        if (!is_write(v->node, written) || inlay_windows_meet(w, written, rank))
            break;
        v = inlay_node_input(v->node, 0);
    }
    return v;
}

/* Decides how far down L jumps. BELOW is the value under its write, and B the link of BELOW's
 * write, or NULL when BELOW is of no write. */
static void set_jump(const rule_chains *c, link *l, inlay_value *below, const link *b)
{
    const link *next = b && b->farther > 0 ? link_of(c, b->jump->node) : NULL;

    if (next && b->depth - b->farther == b->farther - next->farther) {
        l->jump = next->jump;
        l->farther = next->farther;
        inlay_box_add(&l->all, &b->all);
        inlay_box_add(&l->all, &next->all);
    } else {
        l->jump = below;
        l->farther = b ? b->depth : 0;
    }
}

/* Counts, for L, whose window is W, the writes below it that may fill an axis together with it. */
static void set_run(const rule_chains *c, link *l, inlay_value *below, const link *b,
                    const inlay_window *w)
{
    const inlay_fact *updates = &query_scatter_updates(l->node)->fact;
    const link *met;

    l->axis = rule_run_axis(l->node, w);
    l->first = l->depth;
    if (l->axis < 0)
        return;
    l->before = b && b->axis == l->axis ? b->total : 0;
    l->total = l->before + (uint64_t)updates->dims[l->axis].lo;
    if (!b || b->axis != l->axis || !rule_used_once(below))
        return;
    l->before = b->before;
    l->first = b->first;
    met = link_of(c, pass_by(c, below, w, updates->rank, l->first)->node);
    if (met && met->depth >= l->first) {
        l->before = met->total;
        l->first = met->depth + 1;
    }
}

static bool add_link(rule_chains *c, const inlay_node *n)
{
    inlay_value *below = inlay_node_input(n, 0);
    const link *b = link_of(c, below->node);
    inlay_window w[INLAY_MAX_RANK];
    link l = {.node = n, .depth = b ? b->depth + 1 : 1};

    if (!is_write(n, w) || !make_room(c, n->id))
        return false;
    if (c->n == c->cap) {
        size_t cap = c->cap ? 2 * c->cap : 64;
        link *more = inlay_retake(inlay_node_budget(n), c->links, cap * sizeof *more);

        if (!more)
            return false;
        c->links = more;
        c->cap = cap;
        b = link_of(c, below->node);
    }
    l.all = inlay_box_of(w, below->fact.rank);
    set_jump(c, &l, below, b);
    set_run(c, &l, below, b, w);
    c->links[c->n++] = l;
    c->at[n->id] = c->n;
    return true;
}

/* The link of N. Where N has none yet, links are made for it and for all writes below it. NULL: N
 * is no write, or there is no memory. */
static const link *find_link(rule_match *m, const inlay_node *n)
{
    rule_chains *c = m->chains;
    inlay_window w[INLAY_MAX_RANK];
    const inlay_node *at = n;
    bool ok = true;

    c->depth = 0;
    while (ok && !link_of(c, at) && is_write(at, w)) {
        inlay_count_steps(c->g, 1);
        ok = push(c, at);
        at = inlay_node_input(at, 0)->node;
    }
    while (ok && c->depth > 0)
        ok = add_link(c, c->stack[--c->depth]);
    m->no_memory = m->no_memory || !ok;
    return ok ? link_of(c, n) : NULL;
}

inlay_value *rule_chain_under(rule_match *m, inlay_value *v, const rule_window *w)
{
    if (!find_link(m, v->node))
        return m->no_memory ? NULL : v;
    return pass_by(m->chains, v, w->axis, w->rank, 1);
}

bool rule_chain_may_fill(rule_match *m, const inlay_node *end, int axis)
{
    const link *l = find_link(m, end);

    return l && l->axis == axis && l->total - l->before >= (uint64_t)end->out[0].fact.dims[axis].lo;
}
