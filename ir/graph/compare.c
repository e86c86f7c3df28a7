/* Have two graphs the same structure? Nodes are paired by their position in the canonical order, so
 * inner names are ignored; what a user of the graph sees is compared: inputs, outputs, variables.
 * Spelling (opset, explicit defaults, metadata) and storage notes are ignored. */

#include "ir/graph/compare.h"
#include "ir/base/argument.h"
#include "ir/graph/attr.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"
#include "ir/tensor/dim.h"
#include "ir/tensor/storage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct comparison {
    const inlay_graph *a, *b;
    inlay_order_list order_a, order_b;
    size_t *place_a, *place_b; /* node id -> position in the order */
    char *why;
    size_t size;
    inlay_diags *d;
    bool unnamed; /* names are nobody's business: the graphs are functions */
    bool failed;  /* no memory, or a graph has no order */
};

static bool differ(struct comparison *c, const char *fmt, ...) INLAY_PRINTF(2, 3);

static bool differ(struct comparison *c, const char *fmt, ...)
{
    va_list args;

    if (!c->why || c->size == 0)
        return false;
    va_start(args, fmt);
    vsnprintf(c->why, c->size, fmt, args);
    va_end(args);
    return false;
}

bool inlay_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool compare_ops(const inlay_op *a, const inlay_op *b)
{
    return a == b || ((a->flags & b->flags & INLAY_STAND_IN) && inlay_same_text(a->name, b->name) &&
                      inlay_same_text(a->written, b->written));
}

/* Compares doubles as bits: a NaN equals itself, and 0 and -0 differ. */
static bool same_double(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_list(inlay_attr_kind kind, const inlay_attr *a, const inlay_attr *b)
{
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++) {
        if ((kind == INLAY_ATTR_INTS && a->as.ints[i] != b->as.ints[i]) ||
            (kind == INLAY_ATTR_FLOATS && !same_double(a->as.floats[i], b->as.floats[i])) ||
            (kind == INLAY_ATTR_STRINGS && strcmp(a->as.strings[i], b->as.strings[i]) != 0) ||
            (kind == INLAY_ATTR_TYPES && a->as.types[i] != b->as.types[i]))
            return false;
    }
    return true;
}

bool inlay_attr_equal(inlay_attr_kind kind, const inlay_attr *a, const inlay_attr *b)
{
    if (a == b || !a || !b)
        return a == b;
    switch (kind) {
    case INLAY_ATTR_BOOL:
        return a->as.b == b->as.b;
    case INLAY_ATTR_INT:
        return a->as.i == b->as.i;
    case INLAY_ATTR_FLOAT:
        return same_double(a->as.f, b->as.f);
    case INLAY_ATTR_NUMBER:
        return a->as.number.integral == b->as.number.integral && a->as.number.i == b->as.number.i &&
               same_double(a->as.number.f, b->as.number.f);
    case INLAY_ATTR_STRING:
    case INLAY_ATTR_ENUM:
        return inlay_same_text(a->as.s, b->as.s);
    case INLAY_ATTR_TYPE:
        return a->as.type == b->as.type;
    case INLAY_ATTR_SHAPE:
        return (a->as.shape->rank == b->as.shape->rank &&
                inlay_dims_same_bounds(a->as.shape->dim, b->as.shape->dim, a->as.shape->rank));
    case INLAY_ATTR_TENSOR:
        return inlay_tensor_equal(a->as.tensor, b->as.tensor);
    case INLAY_ATTR_VARIABLE:
        return inlay_same_text(a->as.variable->name, b->as.variable->name);
    default:
        return same_list(kind, a, b);
    }
}

static bool same_extra(const inlay_meta *a, const inlay_meta *b)
{
    int n_a = a ? a->n_attrs : 0, n_b = b ? b->n_attrs : 0;

    if (n_a != n_b)
        return false;
    for (int i = 0; i < 2 * n_a; i++) {
        if (strcmp(a->attrs[i], b->attrs[i]) != 0)
            return false;
    }
    return true;
}

bool inlay_node_same_attrs(const inlay_node *a, const inlay_node *b, int *which)
{
    int none, *i = which ? which : &none;

    for (*i = 0; *i < a->op->n_attrs; ++*i) {
        if (!inlay_attr_equal(a->op->attrs[*i].kind, inlay_node_attr_at(a, *i),
                              inlay_node_attr_at(b, *i)))
            return false;
    }
    *i = -1;
    return same_extra(a->extra, b->extra);
}

static bool same_attrs(struct comparison *c, const inlay_node *a, const inlay_node *b)
{
    int i;

    if (inlay_node_same_attrs(a, b, &i))
        return true;
    if (i < 0)
        return differ(c, "node \"%s\" differs from \"%s\" in its attributes", a->name, b->name);
    return differ(c, "node \"%s\" differs from \"%s\" in attribute \"%s\"", a->name, b->name,
                  a->op->attrs[i].name);
}

static bool same_inputs(struct comparison *c, const inlay_node *a, const inlay_node *b)
{
    int n = a->n_in > b->n_in ? a->n_in : b->n_in;

    for (int i = 0; i < n; i++) {
        const inlay_value *x = inlay_node_input(a, i), *y = inlay_node_input(b, i);

        if (!x && !y)
            continue;
        if (!x || !y)
            return differ(c, "input %d of node \"%s\" is %s, of \"%s\" it is %s", i, a->name,
                          x ? "connected" : "absent", b->name, y ? "connected" : "absent");
        if (c->place_a[x->node->id] != c->place_b[y->node->id] || x->index != y->index)
            return differ(c, "input %d of node \"%s\" comes from \"%s\", of \"%s\" from \"%s\"", i,
                          a->name, x->node->name, b->name, y->node->name);
    }
    return true;
}

bool compare_facts(const inlay_fact *a, const inlay_fact *b)
{
    return a->type == b->type &&
           (a->rank == b->rank && inlay_dims_same_bounds(a->dims, b->dims, a->rank));
}

static bool same_outputs(struct comparison *c, const inlay_node *a, const inlay_node *b)
{
    if (a->n_out != b->n_out)
        return differ(c, "node \"%s\" has %d output%s, \"%s\" has %d", a->name, a->n_out,
                      inlay_plural(a->n_out, "", "s"), b->name, b->n_out);
    for (int i = 0; i < a->n_out; i++) {
        const inlay_fact *x = &a->out[i].fact, *y = &b->out[i].fact;
        char shape_x[256], shape_y[256];

        if (compare_facts(x, y))
            continue;
        return differ(c, "output %d of node \"%s\" is %s%s, of \"%s\" it is %s%s", i, a->name,
                      inlay_type_info_of(x->type)->name,
                      inlay_shape_text(x->rank, x->dims, shape_x, sizeof shape_x), b->name,
                      inlay_type_info_of(y->type)->name,
                      inlay_shape_text(y->rank, y->dims, shape_y, sizeof shape_y));
    }
    return true;
}

static bool same_names(const inlay_value *a, const inlay_value *b)
{
    if (a->n_names != b->n_names)
        return false;
    for (int i = 0; i < a->n_names; i++) {
        if (strcmp(a->names[i], b->names[i]) != 0)
            return false;
    }
    return true;
}

static bool same_dim_names(const inlay_value *a, const inlay_value *b)
{
    for (int i = 0; i < a->fact.rank && i < b->fact.rank; i++) {
        if (!inlay_same_text(inlay_value_dim_name(a, i), inlay_value_dim_name(b, i)))
            return false;
    }
    return true;
}

/* Compares the names that users have for inputs and outputs. */
static bool same_visible_names(struct comparison *c, const inlay_node *a, const inlay_node *b)
{
    if (inlay_node_is(a, INLAY_OP_PARAMETER) &&
        (strcmp(a->name, b->name) != 0 || !same_names(&a->out[0], &b->out[0])))
        return differ(c, "the names of input \"%s\" differ from those of \"%s\"", a->name, b->name);
    if (inlay_node_is(a, INLAY_OP_PARAMETER) && !a->graph->owner &&
        !same_dim_names(&a->out[0], &b->out[0]))
        return differ(c, "input \"%s\" has dims of other names in the second graph", a->name);
    if (inlay_node_is(a, INLAY_OP_RESULT) && a->in[0].value && b->in[0].value) {
        const inlay_value *x = a->in[0].value, *y = b->in[0].value;
        bool unnamed = !a->graph->owner && x->n_names == 0 && y->n_names == 0;

        if (!same_names(x, y) || !inlay_same_text(a->result_names, b->result_names) ||
            (unnamed && strcmp(x->node->name, y->node->name) != 0))
            return differ(c, "the names of the output at \"%s\" differ from those at \"%s\"",
                          a->name, b->name);
    }
    return true;
}

static bool same_port(const inlay_port *a, const inlay_port *b)
{
    if (a->outer != b->outer || a->inner != b->inner || a->purpose != b->purpose ||
        a->has_axis != b->has_axis)
        return false;
    return !a->has_axis || (a->axis == b->axis && a->start == b->start && a->end == b->end &&
                            a->stride == b->stride && a->part_size == b->part_size);
}

bool compare_maps(const inlay_body *a, const inlay_body *b)
{
    if (!inlay_same_text(a->role, b->role) || a->n_in != b->n_in || a->n_out != b->n_out ||
        a->n_back != b->n_back)
        return false;
    for (int i = 0; i < a->n_in; i++) {
        if (!same_port(&a->in[i], &b->in[i]))
            return false;
    }
    for (int i = 0; i < a->n_out; i++) {
        if (!same_port(&a->out[i], &b->out[i]))
            return false;
    }
    for (int i = 0; i < a->n_back; i++) {
        if (a->back[i].from != b->back[i].from || a->back[i].to != b->back[i].to)
            return false;
    }
    return true;
}

static bool compare_graphs(struct comparison *c);

/* Bodies are compared as graphs of their own. The recursion is bounded, because the nesting of
 * bodies is. */
static bool same_bodies(struct comparison *c, const inlay_node *a, const inlay_node *b)
{
    if (a->n_bodies != b->n_bodies)
        return differ(c, "node \"%s\" has %d bod%s, \"%s\" has %d", a->name, a->n_bodies,
                      inlay_plural(a->n_bodies, "y", "ies"), b->name, b->n_bodies);
    for (int i = 0; i < a->n_bodies; i++) {
        const inlay_body *x = &a->bodies[i], *y = &b->bodies[i];

        if (!compare_maps(x, y))
            return differ(c, "the port maps of node \"%s\" differ from those of \"%s\"", a->name,
                          b->name);
        struct comparison inner = {.a = x->graph,
                                   .b = y->graph,
                                   .why = c->why,
                                   .size = c->size,
                                   .d = c->d,
                                   .unnamed = c->unnamed};
        bool same = !x->graph == !y->graph && (!x->graph || compare_graphs(&inner));

        c->failed |= inner.failed;
        if (!same)
            return false;
    }
    return true;
}

bool inlay_node_same_bodies(const inlay_node *a, const inlay_node *b, bool *same, inlay_diags *d)
{
    struct comparison c = {.a = a->graph, .b = b->graph, .d = d, .unnamed = true};

    *same = same_bodies(&c, a, b);
    return !c.failed;
}

static bool same_node(struct comparison *c, const inlay_node *a, const inlay_node *b)
{
    char op_a[160], op_b[160];

    inlay_count_node(a);
    if (!compare_ops(a->op, b->op))
        return differ(c, "node \"%s\" is %s, \"%s\" is %s", a->name,
                      inlay_op_text(a->op, op_a, sizeof op_a), b->name,
                      inlay_op_text(b->op, op_b, sizeof op_b));
    return same_attrs(c, a, b) && same_inputs(c, a, b) && same_outputs(c, a, b) &&
           (c->unnamed || same_visible_names(c, a, b)) && same_bodies(c, a, b);
}

static bool same_variables(struct comparison *c)
{
    if (c->a->n_variables != c->b->n_variables)
        return differ(c, "the number of variables is %d in the first graph, %d in the second",
                      c->a->n_variables, c->b->n_variables);
    for (int i = 0; i < c->a->n_variables; i++) {
        const inlay_variable *x = c->a->variables[i], *y = c->b->variables[i];

        if (strcmp(x->name, y->name) != 0 || x->type != y->type ||
            !(x->rank == y->rank && inlay_dims_same_bounds(x->dims, y->dims, x->rank)))
            return differ(c, "variable \"%s\" differs from \"%s\"", x->name, y->name);
    }
    return true;
}

static size_t *places(const inlay_graph *g, const inlay_order_list *order)
{
    size_t *place = inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, sizeof *place);

    for (size_t i = 0; place && i < order->n; i++)
        place[order->nodes[i]->id] = i;
    return place;
}

static bool fails(struct comparison *c, const char *why)
{
    c->failed = true;
    return differ(c, "%s", why);
}

static bool compare(struct comparison *c)
{
    c->place_a = places(c->a, &c->order_a);
    c->place_b = places(c->b, &c->order_b);
    if (!c->place_a || !c->place_b) {
        inlay_fail_memory(c->d);
        return fails(c, "out of memory");
    }
    for (size_t i = 0; i < c->order_a.n && i < c->order_b.n; i++) {
        if (!same_node(c, c->order_a.nodes[i], c->order_b.nodes[i]))
            return false;
    }
    if (c->order_a.n != c->order_b.n)
        return differ(c, "the number of nodes is %zu in the first graph, %zu in the second",
                      c->order_a.n, c->order_b.n);
    return same_variables(c);
}

static bool compare_graphs(struct comparison *c)
{
    bool equal = false;

    if (!inlay_order(c->a, true, &c->order_a, c->d))
        fails(c, "the first graph cannot be ordered");
    else if (!inlay_order(c->b, true, &c->order_b, c->d))
        fails(c, "the second graph cannot be ordered");
    else
        equal = compare(c);
    inlay_order_free(&c->order_a);
    inlay_order_free(&c->order_b);
    inlay_give(c->place_a);
    inlay_give(c->place_b);
    return equal;
}

bool inlay_graph_compare(const inlay_graph *a, const inlay_graph *b, bool *equal, char *why,
                         size_t size, inlay_diags *d)
{
    struct comparison c = {.a = a, .b = b, .why = why, .size = size, .d = d};

    *equal = false;
    if (inlay_is_missing(a, "graph", d) || inlay_is_missing(b, "graph", d))
        return fails(&c, "a graph is missing");
    *equal = compare_graphs(&c);
    return !c.failed;
}

bool inlay_graph_equal(const inlay_graph *a, const inlay_graph *b, char *why, size_t size)
{
    bool equal;

    return inlay_graph_compare(a, b, &equal, why, size, NULL) && equal;
}
