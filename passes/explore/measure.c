/* The measure that passes/rules/simplify.rules defines. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/passes.h"

#include <stdlib.h>
#include <string.h>

static const char *const part_names[INLAY_MEASURES] = {
    "foreign", "written", "nodes", "elements", "transposes", "ways", "operands"};

const char *inlay_measure_name(size_t part)
{
    return part < INLAY_MEASURES ? part_names[part] : NULL;
}

static int64_t sum(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* An unknown size counts as a typical one. */
static int64_t elements(const inlay_value *v)
{
    enum { LIKELY_SIZE = 9, LIKELY_RANK = 3 };
    int64_t n = 1;

    for (int i = 0; i < (v->fact.rank < 0 ? LIKELY_RANK : v->fact.rank); i++) {
        inlay_dim d = v->fact.rank < 0 ? inlay_dim_any() : v->fact.dims[i];

        if (__builtin_mul_overflow(n, inlay_dim_clamp(d, LIKELY_SIZE), &n))
            return INT64_MAX;
    }
    return n;
}

/* Operations whose output can be a view of the operand, whatever reads it: a part of it, or all of
 * it in another shape or order. */
static bool may_be_view(const inlay_node *n)
{
    return (n->op->flags & (INLAY_CUTS | INLAY_RESHAPES)) || inlay_node_is(n, INLAY_OP_TRANSPOSE);
}

/* A scatter need not write more than its updates. */
static int64_t written(const inlay_node *n, int64_t made)
{
    const inlay_value *updates = inlay_node_operand(n, INLAY_ROLE_UPDATES);

    if (inlay_node_is(n, INLAY_OP_PARAMETER) || inlay_node_is(n, INLAY_OP_RESULT) || may_be_view(n))
        return 0;
    return sum(1, (n->op->flags & INLAY_SCATTER) && updates ? elements(updates) : made);
}

static void add(inlay_measure *m, inlay_measure_part part, int64_t n)
{
    m->part[part] = sum(m->part[part], n);
}

static void add_node(inlay_measure *m, const inlay_node *n)
{
    int64_t made = 0;

    for (int i = 0; i < n->n_out; i++)
        made = sum(made, elements(&n->out[i]));
    for (int i = 0; i < n->n_in; i++)
        add(m, INLAY_MEASURE_OPERANDS, n->in[i].value != NULL);
    add(m, INLAY_MEASURE_FOREIGN, strcmp(n->op->set, "opset") != 0);
    add(m, INLAY_MEASURE_WRITTEN, written(n, made));
    add(m, INLAY_MEASURE_NODES, 1);
    add(m, INLAY_MEASURE_ELEMENTS, made);
    add(m, INLAY_MEASURE_TRANSPOSES, inlay_node_is(n, INLAY_OP_TRANSPOSE));
}

/* Counts the nodes on all paths to N, N included: a node on two paths counts twice. WAYS has the
 * counts of N's operands. */
static int64_t ways_to(const inlay_node *n, const int64_t *ways)
{
    int64_t all = 1;

    for (int i = 0; i < n->n_in; i++)
        all = sum(all, n->in[i].value ? ways[n->in[i].value->node->id] : 0);
    return all;
}

static bool add_graph(inlay_measure *m, const inlay_graph *g, inlay_diags *d);

static bool add_bodies(inlay_measure *m, const inlay_node *n, inlay_diags *d)
{
    for (int i = 0; i < n->n_bodies; i++) {
        if (n->bodies[i].graph && !add_graph(m, n->bodies[i].graph, d))
            return false;
    }
    return true;
}

/* The recursion is bounded, because the nesting of bodies is. */
static bool add_graph(inlay_measure *m, const inlay_graph *g, inlay_diags *d)
{
    int64_t *ways = inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, sizeof *ways);
    inlay_order_list order = {0};
    bool ok = (ways || inlay_fail_memory(d)) && inlay_order(g, false, &order, d);

    for (size_t i = 0; ok && i < order.n; i++) {
        const inlay_node *n = order.nodes[i];

        if (inlay_node_is(n, INLAY_OP_CONST))
            continue;
        ways[n->id] = ways_to(n, ways);
        add(m, INLAY_MEASURE_WAYS, ways[n->id]);
        add_node(m, n);
        ok = add_bodies(m, n, d);
    }
    inlay_order_free(&order);
    inlay_give(ways);
    return ok;
}

bool inlay_measure_graph(const inlay_graph *g, inlay_measure *out, inlay_diags *d)
{
    *out = (inlay_measure){{0}};
    return inlay_graph_is_whole(g, d) && add_graph(out, g, d);
}

int inlay_measure_compare(const inlay_measure *a, const inlay_measure *b)
{
    for (int i = 0; i < INLAY_MEASURES; i++) {
        if (a->part[i] != b->part[i])
            return a->part[i] < b->part[i] ? -1 : 1;
    }
    return 0;
}
