/* Passes facts into and out of a body. See border.h. */
#include "ir/infer/border.h"
#include "ir/base/arena.h"
#include "ir/graph/node.h"
#include "ir/infer/facts.h"
#include "ir/tensor/dim.h"

#include <string.h>

inlay_dim border_in(border *b, inlay_dim d)
{
    uint32_t *next = &b->body->graph->next_dim_id, outer = d.id;

    if (inlay_dim_is_static(d)) {
        d.id = 0;
        return d;
    }
    for (int i = 0; outer && i < b->n; i++) {
        if (b->outer[i] == outer) {
            d.id = b->inner[i];
            return d;
        }
    }
    d.id = (*next)++;
    if (outer && b->n < MAX_IDS) {
        b->outer[b->n] = outer;
        b->inner[b->n++] = d.id;
    }
    return d;
}

inlay_dim border_out(const border *b, inlay_dim d)
{
    for (int i = 0; i < b->n; i++) {
        if (d.id && b->inner[i] == d.id) {
            d.id = b->outer[i];
            return d;
        }
    }
    d.id = 0;
    return d;
}

bool border_set_param(border *b, int i, inlay_type type, const inlay_shape *s)
{
    inlay_fact *f = &border_param(b->body, i)->fact;
    inlay_dim *dims = NULL;

    if (s->rank > 0) {
        dims = inlay_arena_array(b->body->graph->arena, (size_t)s->rank, sizeof *dims);
        if (!dims)
            return inlay_fail_memory(b->cx->diags);
        memcpy(dims, s->dim, (size_t)s->rank * sizeof *dims);
    }
    *f = (inlay_fact){.type = type, .rank = s->rank, .dims = dims};
    return true;
}

bool border_check_type(border *b, const inlay_port *p, inlay_type type)
{
    const inlay_node *n = b->body->graph->params[p->inner];
    inlay_type declared = inlay_node_type(n, "element_type");

    if (declared == INLAY_DYNAMIC || type == INLAY_DYNAMIC || declared == type)
        return true;
    return inlay_infer_fail(b->cx, "input %d has type %s, parameter \"%s\" of %s has type %s",
                            p->outer, inlay_type_info_of(type)->name, n->name, b->body->role,
                            inlay_type_info_of(declared)->name);
}

static bool carry_known(border *b, const inlay_port *p)
{
    const inlay_fact *in = b->cx->in[p->outer];
    inlay_fact *f = &border_param(b->body, p->inner)->fact;
    inlay_dim *known;

    if (!in->known)
        return true;
    known = inlay_arena_array(b->body->graph->arena, (size_t)in->n_known + 1, sizeof *known);
    if (!known)
        return inlay_fail_memory(b->cx->diags);
    for (int i = 0; i < in->n_known; i++)
        known[i] = border_in(b, in->known[i]);
    f->known = known;
    f->n_known = in->n_known;
    return true;
}

bool border_enter(border *b, const inlay_port *p, bool with_known)
{
    inlay_shape s;

    inlay_infer_shape(b->cx, p->outer, &s);
    for (int i = 0; i < s.rank; i++)
        s.dim[i] = border_in(b, s.dim[i]);
    return border_check_type(b, p, b->cx->in[p->outer]->type) &&
           border_set_param(b, p->inner, b->cx->in[p->outer]->type, &s) &&
           (!with_known || carry_known(b, p));
}

/* Forgets facts from an earlier inference, which depend on other identities of the parameters, and
 * in a Loop on the first iteration alone. Otherwise inference would keep their identities and
 * types; and in a branch that is not taken a rule might refuse now what it accepted before. So as
 * much is known as when the graph is read. */
static void forget_facts(inlay_node *n)
{
    for (int i = 0; i < n->n_out; i++)
        n->out[i].fact = (inlay_fact){.type = INLAY_DYNAMIC, .rank = -1};
}

/* Drops what D says of a body that never runs. False: it says that memory ran out. */
static bool may_refuse(inlay_diags *d)
{
    if (inlay_diags_status(d) == INLAY_NO_RESOURCE)
        return false;
    inlay_diags_clear(d);
    return true;
}

bool border_infer(border *b, inlay_diags *d)
{
    inlay_graph *g = b->body->graph;
    inlay_order_list order;
    bool ok = inlay_order(g, true, &order, d);

    for (size_t i = 0; ok && i < order.n; i++) {
        inlay_node *n = order.nodes[i];

        if (inlay_node_is(n, INLAY_OP_PARAMETER))
            continue;
        if (!(n->op->flags & INLAY_STAND_IN))
            forget_facts(n);
        ok = (inlay_check_node(n, d) && inlay_infer_node(n, d)) || (b->idle && may_refuse(d));
    }
    inlay_order_free(&order);
    return ok;
}

bool border_reset(inlay_body *b, inlay_diags *d)
{
    for (int i = 0; i < b->graph->n_params; i++) {
        if (!inlay_infer_node(b->graph->params[i], d))
            return false;
    }
    return true;
}

void border_result(const border *b, int result, inlay_shape *s)
{
    const inlay_fact *f = &inlay_body_result(b->body, result)->fact;

    s->rank = f->rank;
    for (int i = 0; i < f->rank; i++)
        s->dim[i] = border_out(b, f->dims[i]);
}

void border_join(inlay_shape *a, const inlay_shape *b)
{
    if (a->rank < 0 || a->rank != b->rank) {
        a->rank = -1;
        return;
    }
    for (int i = 0; i < a->rank; i++)
        a->dim[i] = inlay_dim_union(a->dim[i], b->dim[i]);
}
