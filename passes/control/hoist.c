/* hoist-invariants: moves computations that are the same in each iteration out of the body, to run
 * once before the node.
 *
 *     y = Loop(n, go, x, w)      body    p, k -> p * Sigmoid(k)      p comes back as q
 *
 *     s = Sigmoid(w);  y = Loop(n, go, x, s)      body    p, k -> p * k
 *
 * If there may be no iteration, only nodes that cannot fail are moved. Values that are overwritten
 * in the body, joined, or returned unchanged stay there: outside they would have to be copied in
 * each iteration. Views stay, too, except below moved nodes, and so do sizes whose elements shape
 * rules know. */
#include "ir/shared.h"
#include "passes/control/control.h"

#include <stdlib.h>
#include <string.h>

struct hoisting {
    inlay_node *n;
    inlay_body *body; /* of N */
    struct control_ports ports;
    inlay_order_list order; /* of the body */
    bool sure;              /* N runs at least one iteration */
    bool *same;             /* by id of a node of the body: its value is the same in each iteration,
                               */
    bool *worth;            /* and is more than a view of an input, */
    bool *stays;            /* but it is computed in the body, like everything that is not reachable
                               */
    bool *tied;             /* it stays because an operand stays */
    inlay_value **outside;  /* the value outside of the node, once it is made */
    inlay_diags *diags;
};

static bool begin(struct hoisting *h, inlay_diags *d)
{
    size_t ids = (size_t)h->body->graph->next_id + 1;

    h->same = inlay_take(inlay_graph_budget(h->body->graph), 4 * ids, sizeof *h->same);
    h->outside = inlay_take(inlay_graph_budget(h->body->graph), ids, sizeof(inlay_value *));
    if (!h->same || !h->outside)
        return inlay_fail_memory(d);
    h->worth = h->same + ids;
    h->stays = h->worth + ids;
    h->tied = h->stays + ids;
    return control_ports_make(&h->ports, h->body, d) &&
           inlay_order(h->body->graph, false, &h->order, d);
}

static void end(struct hoisting *h)
{
    control_ports_free(&h->ports);
    inlay_order_free(&h->order);
    inlay_give(h->same);
    inlay_give(h->outside);
}

/* ---- what is the same in each iteration ---- */

static bool is_static(const inlay_fact *f)
{
    bool all = f->rank >= 0 && f->type != INLAY_DYNAMIC;

    for (int i = 0; all && i < f->rank; i++)
        all = inlay_dim_is_static(f->dims[i]);
    return all;
}

/* M cannot fail: no elements or sizes of its operands are invalid for it. */
static bool never_fails(const inlay_node *m)
{
    bool never = (m->op->flags & INLAY_POINTWISE) && !inlay_node_may_fail(m);

    for (int i = 0; never && i < m->n_in; i++)
        never = m->in[i].value && is_static(&m->in[i].value->fact);
    return never;
}

static bool may_move(const struct hoisting *h, const inlay_node *m)
{
    const unsigned never = INLAY_EFFECT | INLAY_SINK | INLAY_HAS_BODY | INLAY_STAND_IN;

    return m->n_in > 0 && m->n_out == 1 && m->op->eval && !(m->op->flags & never) &&
           is_static(&m->out[0].fact) && (h->sure || never_fails(m));
}

static bool operands_are(const inlay_node *m, const bool *marked, bool all)
{
    bool are = all;

    for (int i = 0; i < m->n_in && are == all; i++) {
        if (m->in[i].value)
            are = marked[m->in[i].value->node->id];
    }
    return are;
}

static void mark_same(struct hoisting *h)
{
    const unsigned views = INLAY_VIEW | INLAY_RESHAPES | INLAY_CUTS | INLAY_REPEATS;

    for (size_t i = 0; i < h->order.n; i++) {
        const inlay_node *m = h->order.nodes[i];
        int param = h->ports.param[m->id];

        if (inlay_node_is(m, INLAY_OP_CONST))
            h->same[m->id] = true;
        else if (param >= 0)
            h->same[m->id] = (h->outside[m->id] = control_entering(&h->ports, h->n, param)) != NULL;
        else
            h->same[m->id] = may_move(h, m) && operands_are(m, h->same, true);
        h->worth[m->id] = m->n_in > 0 && h->same[m->id] &&
                          (!(m->op->flags & views) || operands_are(m, h->worth, false));
    }
}

/* ---- what stays in the body anyway ---- */

static bool is_only_read(const inlay_use *u);

/* A node with bodies only reads its operand I if no iteration does more. */
static bool bodies_only_read(const inlay_node *n, int i)
{
    for (int k = 0; k < n->n_bodies; k++) {
        const inlay_body *b = &n->bodies[k];

        for (int j = 0; j < b->n_in; j++) {
            const inlay_port *p = &b->in[j];
            const inlay_use *u = b->graph->params[p->inner]->out[0].uses;
            bool back = false;

            if (p->outer != i)
                continue;
            for (int e = 0; e < b->n_back; e++)
                back = back || b->back[e].to == p->inner;
            for (; u && is_only_read(u); u = u->next)
                ;
            if (u || back || !inlay_port_is_plain(p))
                return false;
        }
    }
    return true;
}

/* The user only reads the value: no part of it ends up in the user's result. The recursion is
 * bounded, because the nesting of bodies is. */
static bool is_only_read(const inlay_use *u)
{
    const unsigned takes = INLAY_SCATTER | INLAY_MOVES | INLAY_VIEW | INLAY_HOLDS | INLAY_ADOPTS |
                           INLAY_RESHAPES | INLAY_CUTS | INLAY_REPEATS | INLAY_SINK | INLAY_EFFECT |
                           INLAY_STAND_IN;

    if (u->node->op->flags & INLAY_HAS_BODY)
        return bodies_only_read(u->node, u->index);
    return !inlay_node_is(u->node, INLAY_OP_RESULT) && !(u->node->op->flags & takes);
}

/* Users follow what they use, so it is known by then which of them stay. Users that are not
 * reachable are not in the order, and stay. */
static void mark_stays(struct hoisting *h)
{
    memset(h->stays, true, (size_t)h->body->graph->next_id + 1);
    for (size_t i = h->order.n; i-- > 0;) {
        const inlay_node *m = h->order.nodes[i];
        const inlay_use *u = m->n_out > 0 ? m->out[0].uses : NULL;
        bool here = !h->worth[m->id] || m->out[0].fact.known;

        h->stays[m->id] = !h->same[m->id] || !u || h->tied[m->id];
        for (; u && !h->stays[m->id]; u = u->next)
            h->stays[m->id] = h->stays[u->node->id] && (here || !is_only_read(u));
    }
}

static bool moves(const struct hoisting *h, const inlay_node *m)
{
    return h->same[m->id] && !h->stays[m->id];
}

/* An operand of M is computed in the body. */
static bool has_operand_inside(const struct hoisting *h, const inlay_node *m)
{
    for (int i = 0; i < m->n_in; i++) {
        const inlay_value *v = m->in[i].value;

        if (v && v->node->n_in > 0 && !moves(h, v->node))
            return true;
    }
    return false;
}

/* A node that reads one that stays cannot move; a node that would only move for another one's sake
 * need not. */
static void decide(struct hoisting *h)
{
    bool tied = true;

    while (tied) {
        tied = false;
        mark_stays(h);
        for (size_t i = 0; i < h->order.n; i++) {
            const inlay_node *m = h->order.nodes[i];

            if (moves(h, m) && has_operand_inside(h, m))
                h->stays[m->id] = h->tied[m->id] = tied = true;
        }
    }
}

/* A node that stays in the body reads M, which moves. */
static bool leaves(const struct hoisting *h, const inlay_node *m)
{
    const inlay_use *u = m->n_in > 0 && moves(h, m) ? m->out[0].uses : NULL;

    while (u && !h->stays[u->node->id])
        u = u->next;
    return u != NULL;
}

/* ---- moving it ---- */

/* The value outside that corresponds to V of the body. NULL: out of memory. */
static inlay_value *outside(struct hoisting *h, const inlay_value *v)
{
    inlay_value **made = &h->outside[v->node->id];

    if (!*made && inlay_node_is(v->node, INLAY_OP_CONST))
        *made = inlay_build_const(h->n->graph, v->node->name, v->fact.content, h->diags);
    return *made;
}

static bool copy_out(struct hoisting *h, const inlay_node *m)
{
    inlay_value **in = inlay_take(inlay_node_budget(m), (size_t)m->n_in + 1, sizeof(inlay_value *));
    bool ok = in || inlay_fail_memory(h->diags);
    inlay_node *copy;

    for (int i = 0; ok && i < m->n_in; i++)
        ok = !m->in[i].value || (in[i] = outside(h, m->in[i].value));
    copy = ok ? inlay_node_clone(h->n->graph, m, in, h->diags) : NULL;
    inlay_give(in);
    if (!copy || !inlay_infer_node(copy, h->diags))
        return false;
    h->outside[m->id] = &copy->out[0];
    return true;
}

/* Replaces M in the body by a Parameter, which is input number OUTER of the node. */
static bool replace_by_param(struct hoisting *h, inlay_node *m, int outer)
{
    inlay_body *b = h->body;
    const inlay_fact *f = &m->out[0].fact;
    inlay_shape shape = {.rank = f->rank};
    inlay_value *p;

    for (int i = 0; i < f->rank; i++)
        shape.dim[i] = f->dims[i];
    p = inlay_build_parameter(b->graph, m->name, f->type, &shape, h->diags);
    if (!p)
        return false;
    b->in[b->n_in++] = (inlay_port){.outer = outer, .inner = b->graph->n_params - 1};
    return inlay_value_replace(&m->out[0], p, h->diags);
}

/* Makes room for COUNT more ports. */
static bool expect_ports(struct hoisting *h, int count)
{
    inlay_body *b = h->body;
    inlay_port *in =
        inlay_arena_array(b->graph->arena, (size_t)b->n_in + (size_t)count, sizeof *in);

    for (int i = 0; in && i < b->n_in; i++)
        in[i] = b->in[i];
    b->in = in ? in : b->in;
    return in || inlay_fail_memory(h->diags);
}

/* Moves COUNT values out of the body. */
static bool enter(struct hoisting *h, int count)
{
    inlay_value **values =
        inlay_take(inlay_node_budget(h->n), (size_t)count, sizeof(inlay_value *));
    int first = h->n->n_in, n = 0;
    bool ok = (values || inlay_fail_memory(h->diags)) && expect_ports(h, count);

    for (size_t i = 0; ok && i < h->order.n; i++) {
        inlay_node *m = h->order.nodes[i];

        if (!leaves(h, m))
            continue;
        values[n] = h->outside[m->id];
        ok = replace_by_param(h, m, first + n);
        n++;
    }
    ok = ok && inlay_node_add_inputs(h->n, values, count, h->diags);
    inlay_give(values);
    return ok;
}

/* Removes the nodes that have moved, which have no readers any more; the last one first. */
static bool remove_moved(struct hoisting *h)
{
    for (size_t i = h->order.n; i-- > 0;) {
        inlay_node *m = h->order.nodes[i];

        if (m->n_in > 0 && moves(h, m) && !inlay_node_remove(m, h->diags))
            return false;
    }
    return control_tidy(h->n, h->diags);
}

static bool move(struct hoisting *h, bool *done)
{
    int count = 0;

    for (size_t i = 0; i < h->order.n; i++)
        count += leaves(h, h->order.nodes[i]);
    *done = count > 0;
    for (size_t i = 0; *done && i < h->order.n; i++) {
        const inlay_node *m = h->order.nodes[i];

        if (m->n_in > 0 && moves(h, m) && !copy_out(h, m))
            return false;
    }
    return !*done || (enter(h, count) && remove_moved(h));
}

static bool hoist(inlay_node *n, bool *done, inlay_diags *d)
{
    struct hoisting h = {.n = n, .body = n->bodies, .diags = d};
    bool ok;

    h.sure = inlay_node_surely_iterates(n) || inlay_node_iterations(n) > 0;
    ok = begin(&h, d);
    if (ok) {
        mark_same(&h);
        decide(&h);
        ok = move(&h, done);
    }
    end(&h);
    return ok;
}

/* ---- the pass ---- */

/* From the innermost body outwards, because what leaves a body may also leave the one around it.
 * The recursion is bounded, because the nesting of bodies is. */
static bool hoist_all(inlay_graph *g, pass_run *r)
{
    for (inlay_node *n = inlay_graph_had_bodies(g) ? g->first : NULL; n; n = n->next) {
        bool done = false;

        for (int i = 0; i < n->n_bodies; i++) {
            if (n->bodies[i].graph && !hoist_all(n->bodies[i].graph, r))
                return false;
        }
        if (n->n_bodies != 1 || inlay_node_iterations(n) == 0)
            continue;
        if (!inlay_pass_begin(r, n)) {
            if (r->failed)
                return false;
            continue;
        }
        if (!hoist(n, &done, r->diags) || !inlay_pass_end(r, done))
            return false;
    }
    return true;
}

bool pass_hoist_invariants(inlay_graph *g, pass_run *r)
{
    return hoist_all(g, r);
}
