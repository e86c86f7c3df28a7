/* Port maps: what connects a node to its bodies (parser/openvino/README.md 6; Loop-5, If-8,
 * TensorIterator-1). */

#include "ir/base/argument.h"
#include "ir/graph/graph.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool inlay_port_parts(const inlay_port *p, int64_t size, int64_t *first, int64_t *count)
{
    int64_t start = p->start < 0 && size >= 0 ? p->start + size : p->start;
    int64_t end = p->end < 0 && size >= 0 ? p->end + size : p->end, length;

    *first = *count = 0;
    if (size < 0 || p->stride == 0 || p->part_size < 1 || p->stride == INT64_MIN)
        return false;
    if (size == 0)
        return true;
    if (start < 0 || start >= size || end < 0 || end >= size)
        return false;
    if (p->stride > 0 ? start > end : start < end)
        return false;
    length = (p->stride > 0 ? end - start : start - end) + 1;
    if (length < p->part_size)
        return true;
    *count = (length - p->part_size) / (p->stride > 0 ? p->stride : -p->stride) + 1;
    *first = p->stride > 0 ? start : start - p->part_size + 1;
    return true;
}

bool inlay_port_is_plain(const inlay_port *p)
{
    return p->purpose == INLAY_PORT_PLAIN && !p->has_axis && p->outer >= 0;
}

const inlay_node *inlay_body_entered(const inlay_body *b, int input)
{
    const inlay_node *param = NULL;
    int entries = 0;

    for (int i = 0; i < b->n_in; i++) {
        if (b->in[i].outer != input)
            continue;
        entries++;
        param = inlay_port_is_plain(&b->in[i]) ? b->graph->params[b->in[i].inner] : NULL;
    }
    return entries == 1 ? param : NULL;
}

bool inlay_param_is_carried(const inlay_node *param)
{
    const inlay_graph *g = param->graph;

    for (int i = 0; i < g->owner->n_bodies; i++) {
        const inlay_body *b = &g->owner->bodies[i];

        for (int k = 0; b->graph == g && k < b->n_back; k++) {
            inlay_count_steps(g, 1);
            if (g->params[b->back[k].to] == param)
                return true;
        }
    }
    return false;
}

bool inlay_param_overlaps(const inlay_node *param)
{
    const inlay_graph *g = param->graph;
    bool overlaps = false;

    for (int i = 0; i < g->owner->n_bodies; i++) {
        const inlay_body *b = &g->owner->bodies[i];

        for (int k = 0; b->graph == g && k < b->n_in; k++) {
            const inlay_port *p = &b->in[k];

            overlaps = overlaps || (g->params[p->inner] == param && p->has_axis &&
                                    -p->part_size < p->stride && p->stride < p->part_size);
        }
        inlay_count_steps(g, (uint64_t)b->n_in);
    }
    return overlaps;
}

/* Is V a constant above 0, or true? */
static bool is_positive(const inlay_value *v)
{
    const inlay_attr *a =
        v && inlay_node_is(v->node, INLAY_OP_CONST) ? inlay_node_attr(v->node, "value") : NULL;
    const inlay_tensor *t = a ? a->as.tensor : NULL;

    return t && inlay_tensor_count(t) == 1 && !inlay_type_is_float(t->type) &&
           t->type != INLAY_STRING && inlay_tensor_get_i64(t, 0) > 0;
}

bool inlay_node_loops(const inlay_node *n)
{
    return (n->op->flags & INLAY_HAS_BODY) && !inlay_node_is(n, INLAY_OP_IF);
}

bool inlay_node_is_iterated(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_PARAMETER) && n->graph->owner &&
           inlay_node_loops(n->graph->owner);
}

bool inlay_node_surely_iterates(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_LOOP) && is_positive(inlay_node_input(n, 0)) &&
           is_positive(inlay_node_input(n, 1));
}

/* A body while it is checked. The flags are by the index of the Parameter or Result. */
struct check {
    const inlay_node *node;
    const inlay_body *body;
    inlay_diags *diags;
    unsigned char *param;  /* 1: the Parameter has a port; 2: it has an initial value */
    unsigned char *output; /* the Result is mapped */
    int conditions;
};

static bool check_slice(const struct check *c, const char *what, int i, const inlay_port *p)
{
    if (!p->has_axis || (p->stride != 0 && p->stride != INT64_MIN && p->part_size > 0))
        return true;
    return inlay_fail_node(c->diags, c->node,
                           "%s: %s %d has stride %" PRId64 " and part_size %" PRId64
                           ", the stride must not be zero and the part size must be positive",
                           c->body->role, what, i, p->stride, p->part_size);
}

static bool check_input_port(struct check *c, int i)
{
    const inlay_port *p = &c->body->in[i];
    const inlay_graph *g = c->body->graph;

    if (p->inner < 0 || p->inner >= g->n_params)
        return inlay_fail_node(c->diags, c->node,
                               "%s: input %d of the port map leads to parameter %d, there are %d",
                               c->body->role, i, p->inner, g->n_params);
    if (p->outer < -1 || p->outer >= c->node->n_in)
        return inlay_fail_node(
            c->diags, c->node,
            "%s: input %d of the port map comes from input %d of the node, which "
            "has %d",
            c->body->role, i, p->outer, c->node->n_in);
    if (p->outer >= 0 && !c->node->in[p->outer].value)
        return inlay_fail_node(
            c->diags, c->node,
            "%s: input %d of the port map comes from input %d of the node, which "
            "is absent",
            c->body->role, i, p->outer);
    if (c->param[p->inner])
        return inlay_fail_node(c->diags, c->node,
                               "%s: parameter %d \"%s\" is mapped more than once", c->body->role,
                               p->inner, g->params[p->inner]->name);
    c->param[p->inner] = p->outer >= 0 && !p->has_axis ? 2 : 1;
    return check_slice(c, "input", i, p);
}

static bool check_output_port(struct check *c, int i)
{
    const inlay_port *p = &c->body->out[i];

    if (p->inner < 0 || p->inner >= c->body->graph->n_results)
        return inlay_fail_node(c->diags, c->node,
                               "%s: output %d of the port map comes from result %d, there are %d",
                               c->body->role, i, p->inner, c->body->graph->n_results);
    if (p->outer < -1 || p->outer >= c->node->n_out)
        return inlay_fail_node(
            c->diags, c->node,
            "%s: output %d of the port map leads to output %d of the node, which "
            "has %d",
            c->body->role, i, p->outer, c->node->n_out);
    if (p->outer >= 0 && c->output[p->outer])
        return inlay_fail_node(c->diags, c->node,
                               "%s: output %d of the node is mapped more than once", c->body->role,
                               p->outer);
    if (p->outer >= 0)
        c->output[p->outer] = 1;
    c->conditions += p->purpose == INLAY_PORT_CONDITION;
    return check_slice(c, "output", i, p);
}

static bool check_back_edge(struct check *c, int i)
{
    const inlay_back_edge *b = &c->body->back[i];
    const inlay_graph *g = c->body->graph;

    if (b->from < 0 || b->from >= g->n_results || b->to < 0 || b->to >= g->n_params)
        return inlay_fail_node(
            c->diags, c->node,
            "%s: back edge %d from result %d to parameter %d: there are %d and %d", c->body->role,
            i, b->from, b->to, g->n_results, g->n_params);
    if (c->param[b->to] == 2) {
        c->param[b->to] = 3;
        return true;
    }
    return inlay_fail_node(c->diags, c->node,
                           c->param[b->to] == 3
                               ? "%s: parameter %d \"%s\" has more than one back edge"
                               : "%s: parameter %d \"%s\" has a back edge but no initial value",
                           c->body->role, b->to, g->params[b->to]->name);
}

static bool check_maps(struct check *c)
{
    for (int i = 0; i < c->body->n_in; i++) {
        if (!check_input_port(c, i))
            return false;
    }
    for (int i = 0; i < c->body->n_out; i++) {
        if (!check_output_port(c, i))
            return false;
    }
    for (int i = 0; i < c->body->n_back; i++) {
        if (!check_back_edge(c, i))
            return false;
    }
    for (int i = 0; i < c->node->n_out; i++) {
        if (!c->output[i])
            return inlay_fail_node(c->diags, c->node,
                                   "%s: no result is mapped to output %d of the node",
                                   c->body->role, i);
    }
    if (inlay_node_is(c->node, INLAY_OP_LOOP) && c->conditions != 1)
        return inlay_fail_node(
            c->diags, c->node,
            "%s: %d output%s of the port map have the purpose execution_condition, "
            "one must",
            c->body->role, c->conditions, inlay_plural(c->conditions, "", "s"));
    return true;
}

static bool check_body(const inlay_node *n, const inlay_body *b, inlay_diags *d)
{
    struct check c = {.node = n, .body = b, .diags = d};
    bool ok;

    if (b->graph->n_results == 0)
        return inlay_fail_node(d, n, "%s has no Result", b->role);
    for (int i = 0; i < b->graph->n_results; i++) {
        if (!inlay_node_input(b->graph->results[i], 0))
            return inlay_fail_node(d, b->graph->results[i], "input 0 is missing");
    }
    c.param = inlay_take(inlay_node_budget(n), (size_t)b->graph->n_params + 1, 1);
    c.output = inlay_take(inlay_node_budget(n), (size_t)n->n_out + 1, 1);
    ok = c.param && c.output ? check_maps(&c) : inlay_fail_memory(d);
    inlay_give(c.param);
    inlay_give(c.output);
    return ok;
}

void inlay_node_changes_ports(inlay_node *n)
{
    graph_touch_node(n);
}

bool inlay_check_bodies(const inlay_node *n, inlay_diags *d)
{
    static const char *const branches[] = {"then_body", "else_body"}, *const one[] = {"body"};
    const char *const *roles;
    bool is_if;

    if (inlay_is_missing(n, "node", d))
        return false;
    is_if = inlay_node_is(n, INLAY_OP_IF);
    roles = is_if ? branches : one;
    for (int i = 0; i < (is_if ? 2 : 1); i++) {
        if (i >= n->n_bodies || !n->bodies[i].graph || !n->bodies[i].role ||
            strcmp(n->bodies[i].role, roles[i]) != 0)
            return inlay_fail_node(d, n, "%s is missing", roles[i]);
        if (!check_body(n, &n->bodies[i], d))
            return false;
    }
    return true;
}
