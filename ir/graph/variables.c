/* Variables belong to the outermost graph, and the facts of one come from all of its nodes: the
 * attributes of any ReadValue, else its initial value. A rule sees one node; here the facts of all
 * of them are merged after each was inferred. */
#include "ir/base/arena.h"
#include "ir/graph/argument.h"
#include "ir/graph/graph.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"
#include "ir/infer/facts.h"
#include "ir/tensor/dim.h"

#include <stdlib.h>

/* ASSIGNED: by the index of the variable, the node that assigns it. */
static bool check_assigns(const inlay_graph *outermost, const inlay_graph *g,
                          const inlay_node **assigned, inlay_diags *d)
{
    for (const inlay_node *n = inlay_graph_walk(g, NULL); n; n = inlay_graph_walk(g, n)) {
        inlay_count_steps(g, 1);
        for (int i = 0; i < n->op->n_attrs; i++) {
            const inlay_variable *v;

            if (n->op->attrs[i].kind != INLAY_ATTR_VARIABLE || !n->attrs[i].set)
                continue;
            v = n->attrs[i].as.variable;
            if (v->index < 0 || v->index >= outermost->n_variables ||
                outermost->variables[v->index] != v)
                return inlay_fail_node(d, n, "the graph is broken: variable \"%s\" is not in it",
                                       v->name);
            if (!(n->op->flags & INLAY_SINK))
                continue;
            if (assigned[v->index])
                return inlay_fail_node(d, n,
                                       "variable \"%s\" is assigned twice, first by node \"%s\"",
                                       v->name, assigned[v->index]->name);
            assigned[v->index] = n;
        }
    }
    return true;
}

bool variables_check_assigns(const inlay_graph *g, inlay_diags *d)
{
    const inlay_graph *outermost = g;
    const inlay_node **assigned;
    bool ok;

    while (outermost->owner)
        outermost = outermost->owner->graph;
    assigned =
        inlay_take(inlay_graph_budget(g), (size_t)outermost->n_variables + 1, sizeof *assigned);
    ok = assigned ? check_assigns(outermost, g, assigned, d) : inlay_fail_memory(d);
    inlay_give(assigned);
    return ok;
}

static bool is_known_as(const inlay_fact *f, const inlay_variable *v)
{
    return f->type == v->type && f->rank == v->rank &&
           inlay_dims_same_bounds(f->dims, v->dims, f->rank);
}

/* The state of a walk over the nodes of variables. */
struct walk {
    inlay_arena *scratch;
    const inlay_node *other; /* a ReadValue that says something else than its variable by now */
    inlay_diags *diags;
};

/* Runs the rule of N once more, now that all nodes of its variable are known. */
static bool ask_again(struct walk *w, const inlay_node *n)
{
    const inlay_variable *v = inlay_variable_of(n, n->op->kind);
    const inlay_fact *in = n->n_in > 0 && n->in[0].value ? &n->in[0].value->fact : NULL;
    inlay_fact out;

    if (!w->other && v && inlay_node_is(n, INLAY_OP_READ_VALUE) && !is_known_as(&n->out[0].fact, v))
        w->other = n;
    return w->other || inlay_infer_facts(n, &in, w->scratch, &out, w->diags);
}

static bool ask_all(struct walk *w, const inlay_graph *g)
{
    for (const inlay_node *n = inlay_graph_walk(g, NULL); n; n = inlay_graph_walk(g, n)) {
        inlay_count_steps(g, 1);
        if ((inlay_node_is(n, INLAY_OP_READ_VALUE) || inlay_node_is(n, INLAY_OP_ASSIGN)) &&
            !ask_again(w, n))
            return false;
    }
    return true;
}

static bool contradicts(const struct walk *w)
{
    const inlay_variable *v = inlay_variable_of(w->other, INLAY_OP_READ_VALUE);
    const inlay_fact *here = &w->other->out[0].fact;
    char a[256], b[256];

    return inlay_fail_node(
        w->diags, w->other, "variable \"%s\" is %s%s here, and %s%s for another ReadValue", v->name,
        inlay_type_info_of(here->type)->name, inlay_shape_text(here->rank, here->dims, a, sizeof a),
        inlay_type_info_of(v->type)->name, inlay_shape_text(v->rank, v->dims, b, sizeof b));
}

/* A later node may have said more than an earlier one knew; another round uses it, and what then
 * still differs are two declarations. */
bool inlay_settle_variables(inlay_graph *g, inlay_diags *d)
{
    struct walk w = {.diags = d};
    bool ok;

    if (!inlay_graph_is_whole(g, d))
        return false;
    if (g->n_variables == 0)
        return true;
    w.scratch = inlay_arena_of(inlay_graph_budget(g));
    ok = w.scratch != NULL || inlay_fail_memory(d);
    for (int round = 0; ok && round < 3; round++) {
        w.other = NULL;
        ok = (round == 0 || infer_nodes(g, d)) && ask_all(&w, g);
        if (!w.other)
            break;
    }
    ok = ok && (!w.other || contradicts(&w)) && variables_check_assigns(g, d);
    inlay_arena_free(w.scratch);
    return ok;
}

void inlay_variables_assigned(const inlay_graph *g, const inlay_node **assign)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        const inlay_variable *v = inlay_variable_of(n, INLAY_OP_ASSIGN);

        inlay_count_steps(g, 1);
        if (v)
            assign[v->index] = n;
    }
}

/* Is V the elements of the operand of its node, in a type that holds numbers of rows? */
static bool converts_numbers(const inlay_value *v)
{
    inlay_type from =
        v->node->n_in > 0 && v->node->in[0].value ? v->node->in[0].value->fact.type : INLAY_DYNAMIC;

    return (v->node->op->flags & INLAY_CONVERTS) && (from == INLAY_I32 || from == INLAY_I64) &&
           (v->fact.type == INLAY_I32 || v->fact.type == INLAY_I64);
}

int inlay_node_picks_by(const inlay_node *n)
{
    bool reads = (n->op->flags & INLAY_ROWS) && !(n->op->flags & INLAY_SCATTER);
    const inlay_value *data = reads ? inlay_node_input(n, 0) : NULL;
    const inlay_value *order = data ? inlay_node_operand(n, INLAY_ROLE_INDICES) : NULL;
    int i = 0;

    if (!order || inlay_op_operand(n->op, INLAY_ROLE_AXIS) < 0 ||
        !inlay_variable_of(data->node, INLAY_OP_READ_VALUE) || n->graph->owner)
        return -1;
    if (converts_numbers(order))
        order = inlay_node_input(order->node, 0);
    while (i < n->graph->n_params && n->graph->params[i] != order->node)
        i++;
    return i < n->graph->n_params ? i : -1;
}
