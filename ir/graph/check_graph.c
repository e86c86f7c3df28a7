/* Is the graph well formed? Checks its structure first, so that all later checks may follow
 * pointers: lists, ids, uses in both directions, bodies. Then the order (no cycle), every node
 * against its row, and at last that inference, repeated from the recorded facts, contradicts none
 * of them. Meant to find bugs of passes, so it relies on nothing that the functions of node.c
 * guarantee.
 *
 * A large graph does not fit into the cache, and each walk over it costs as much as its checks. So
 * there are three: forward over the list, backward over uses and operands, and forward over rows
 * and facts. The canonical order costs more, and is computed only if the document order does not
 * show that there is no cycle. */
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/graph/graph.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/graph/work.h"
#include "ir/infer/facts.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 16 }; /* nodes that are checked together */

struct check {
    inlay_graph *g;
    inlay_node **by_id;      /* the node with that id, NULL: none */
    size_t n_inputs;         /* of all nodes, the connected ones */
    int n_params, n_results; /* seen so far */
    bool has_bodies, has_variables;
    bool sorted;         /* so far each operand is before its reader: nodes stand as their ids do */
    unsigned char *live; /* by id, if sorted: a Result or another sink needs the node */
    inlay_arena *marks;  /* holds BY_ID and LIVE */
    inlay_arena *scratch; /* holds the results of shape rules */
    inlay_diags *diags;
};

static bool broken(struct check *c, const inlay_node *n, const char *what)
{
    return inlay_fail_node(c->diags, n, "the graph is broken: %s", what);
}

static bool broken_graph(struct check *c, const char *what)
{
    inlay_pos pos = {c->g->file, 0};

    return inlay_fail(c->diags, &pos, "graph \"%s\" is broken: %s", c->g->name, what);
}

static bool check_port(const inlay_port *p, int n_outer, int n_inner)
{
    return p->outer >= -1 && p->outer < n_outer && p->inner >= 0 && p->inner < n_inner;
}

static bool check_body(struct check *c, const inlay_node *n, const inlay_body *b)
{
    if (!b->graph || !b->role || b->graph->owner != n || b->graph->arena != c->g->arena)
        return broken(c, n, "a body is not its own");
    for (int i = 0; i < b->n_in; i++) {
        if (!check_port(&b->in[i], n->n_in, b->graph->n_params))
            return inlay_fail_node(
                c->diags, n, "entry %d of the input ports of its %s leads nowhere", i, b->role);
    }
    for (int i = 0; i < b->n_out; i++) {
        if (!check_port(&b->out[i], n->n_out, b->graph->n_results))
            return inlay_fail_node(
                c->diags, n, "entry %d of the output ports of its %s leads nowhere", i, b->role);
    }
    for (int i = 0; i < b->n_back; i++) {
        if (b->back[i].from < 0 || b->back[i].from >= b->graph->n_results || b->back[i].to < 0 ||
            b->back[i].to >= b->graph->n_params)
            return inlay_fail_node(c->diags, n, "back edge %d of its %s leads nowhere", i, b->role);
    }
    return true;
}

static bool check_bodies(struct check *c, const inlay_node *n)
{
    if ((n->op->flags & INLAY_HAS_BODY) && n->n_bodies == 0)
        return inlay_fail_node(c->diags, n, "the body is missing");
    for (int i = 0; i < n->n_bodies; i++) {
        c->has_bodies = true;
        if (!check_body(c, n, &n->bodies[i]))
            return false;
    }
    return true;
}

static const char params_wrong[] = "the list of inputs does not hold its Parameters in order";
static const char results_wrong[] = "the list of outputs does not hold its Results in order";

/* Checks that the lists of Parameters and Results hold each of them once, in document order. */
static bool check_role(struct check *c, const inlay_node *n)
{
    const inlay_graph *g = c->g;

    if (inlay_node_is(n, INLAY_OP_PARAMETER) &&
        (c->n_params == g->n_params || g->params[c->n_params++] != n))
        return broken(c, n, params_wrong);
    if (inlay_node_is(n, INLAY_OP_RESULT) &&
        (c->n_results == g->n_results || g->results[c->n_results++] != n))
        return broken(c, n, results_wrong);
    return true;
}

static bool names_variable(const inlay_op *op)
{
    int i = 0;

    while (i < op->n_attrs && op->attrs[i].kind != INLAY_ATTR_VARIABLE)
        i++;
    return i < op->n_attrs;
}

static void count_inputs(struct check *c, const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++)
        c->n_inputs += n->in[i].value != NULL;
}

/* Checks that need only the node itself are done in one walk. */
static bool check_alone(struct check *c, const inlay_node *n)
{
    count_inputs(c, n);
    c->has_variables = c->has_variables || names_variable(n->op);
    return check_role(c, n) && check_bodies(c, n);
}

/* Checks that the names of the N nodes at NODES lead to them. The slots of the table are prefetched
 * first. */
static bool check_few_names(struct check *c, inlay_node *const *nodes, size_t n)
{
    const struct name_table *table = &c->g->priv->names;
    uint32_t hash[FEW];

    for (size_t i = 0; i < n; i++) {
        hash[i] = names_hash(nodes[i]->name);
        names_foresee(table, hash[i]);
    }
    for (size_t i = 0; i < n; i++) {
        if (!names_lead_to(table, nodes[i], hash[i]))
            return broken(c, nodes[i], "its name leads to another node");
    }
    return true;
}

/* Checks that the document order is a list of n_nodes nodes of this graph, each with an id of its
 * own. */
static bool check_list(struct check *c)
{
    const inlay_node *before = NULL;
    inlay_node *few[FEW];
    size_t count = 0;

    for (inlay_node *n = c->g->first; n; before = n, n = n->next) {
        inlay_count_steps(c->g, 2);
        if (count++ == c->g->n_nodes)
            return broken_graph(c, "it has more nodes than it counts");
        if (n->graph != c->g || !n->op || !n->name)
            return broken_graph(c, "its list holds a node of another graph");
        if (n->prev != before)
            return broken(c, n, "the list of nodes does not lead back");
        if (n->id >= c->g->next_id || c->by_id[n->id])
            return broken(c, n, "its id is not its own");
        c->by_id[n->id] = n;
        few[(count - 1) % FEW] = n;
        if (!check_alone(c, n) || (count % FEW == 0 && !check_few_names(c, few, FEW)))
            return false;
    }
    if (!check_few_names(c, few, count % FEW))
        return false;
    if (count != c->g->n_nodes || c->g->last != before)
        return broken_graph(c, "it has fewer nodes than it counts");
    if (c->n_params != c->g->n_params)
        return broken_graph(c, params_wrong);
    return c->n_results == c->g->n_results || broken_graph(c, results_wrong);
}

static bool is_here(const struct check *c, const inlay_node *n)
{
    return n && n->graph == c->g && n->id < c->g->next_id && c->by_id[n->id] == n;
}

static bool check_input(struct check *c, const inlay_node *n, int i)
{
    const inlay_use *u = &n->in[i];

    inlay_count_steps(c->g, 1);
    if (u->node != n || u->index != i)
        return broken(c, n, "an input does not know its place");
    if (!u->value)
        return true;
    if (!u->value->node || u->value->node->graph != c->g)
        return inlay_fail_node(c->diags, n, "input %d is a value of another graph", i);
    if (!is_here(c, u->value->node) || u->value->index < 0 ||
        u->value->index >= u->value->node->n_out ||
        &u->value->node->out[u->value->index] != u->value)
        return inlay_fail_node(c->diags, n,
                               "input %d is a value of a node that is not in the graph", i);
    if (!u->link || *u->link != u)
        return broken(c, n, "an input is not among the uses of its value");
    return true;
}

/* Checks that every use in V's list is an input with the value V; returns their number, or more
 * than LIMIT. *RESULTS: the number of Results among them. */
static size_t count_uses(const struct check *c, const inlay_value *v, size_t limit, int *results)
{
    size_t count = 0;

    for (const inlay_use *u = v->uses; u && count <= limit; u = u->next) {
        inlay_count_steps(c->g, 1);
        if (u->value != v)
            return limit + 1;
        *results += inlay_node_is(u->node, INLAY_OP_RESULT);
        count++;
    }
    return count;
}

static bool check_fact(struct check *c, const inlay_value *v)
{
    const inlay_fact *f = &v->fact;

    if (f->rank < -1 || f->rank > INLAY_MAX_RANK)
        return broken(c, v->node, "an output has an impossible rank");
    for (int i = 0; i < f->rank; i++) {
        if (f->dims[i].lo < 0 || f->dims[i].lo > f->dims[i].hi)
            return broken(c, v->node, "an output has an impossible dimension");
    }
    return true;
}

static bool check_output(struct check *c, const inlay_node *n, int i, size_t *uses)
{
    const inlay_value *v = &n->out[i];
    int results = 0;

    if (v->node != n || v->index != i)
        return broken(c, n, "an output does not know its place");
    if (v->note != INLAY_FRESH && (!v->note_target || !is_here(c, v->note_target->node)))
        return broken(c, n, "a storage note has no target in this graph");
    for (int k = 0; v->grounds && k < v->grounds->n; k++) {
        if (v->note == INLAY_FRESH || !is_here(c, v->grounds->list[k].node))
            return broken(c, n, "a storage note relies on what is not in this graph");
    }
    *uses += count_uses(c, v, c->n_inputs, &results);
    if (*uses > c->n_inputs)
        return broken(c, n, "an output has uses that are no inputs");
    if (results != v->n_results)
        return broken(c, n, "an output does not know how many Results read it");
    return check_fact(c, v);
}

/* Marks the operands of N as live if N is, after all its readers were visited. */
static void mark_operands(struct check *c, const inlay_node *n)
{
    bool live = c->live[n->id] || graph_is_root(n);

    c->live[n->id] = live;
    for (int i = 0; i < n->n_in; i++) {
        const inlay_node *operand = n->in[i].value ? n->in[i].value->node : NULL;

        if (!operand)
            continue;
        c->sorted = c->sorted && operand->id < n->id;
        c->live[operand->id] |= live;
    }
}

/* Walks backward, so that it also finds out which nodes are live if the graph is sorted. */
static bool check_uses(struct check *c)
{
    size_t uses = 0;

    for (inlay_node *n = c->g->last; n; n = n->prev) {
        for (int i = 0; i < n->n_in; i++) {
            if (!check_input(c, n, i))
                return false;
        }
        for (int i = 0; i < n->n_out; i++) {
            if (!check_output(c, n, i, &uses))
                return false;
        }
        if (c->sorted)
            mark_operands(c, n);
    }
    return uses == c->n_inputs || broken_graph(c, "uses and inputs do not agree");
}

static bool check_order_edges(struct check *c)
{
    inlay_count_steps(c->g, c->g->n_order_edges);
    for (size_t i = 0; i < c->g->n_order_edges; i++) {
        if (!is_here(c, c->g->order_edges[i].before) || !is_here(c, c->g->order_edges[i].after))
            return broken_graph(c, "an order edge leads to a node that is not in it");
    }
    return true;
}

static bool check_structure(struct check *c)
{
    return check_list(c) && check_uses(c) && check_order_edges(c);
}

/* RECORDED allows every value that INFERRED does. */
bool inlay_fact_is_within(const inlay_fact *f, inlay_type type, int rank, const inlay_dim *dims)
{
    bool within = (type == INLAY_DYNAMIC || type == f->type) && (rank < 0 || rank == f->rank);

    for (int i = 0; within && i < rank; i++)
        within = f->dims[i].lo >= dims[i].lo && f->dims[i].hi <= dims[i].hi;
    return within;
}

static bool agrees(struct check *c, const inlay_value *v, const inlay_fact *inferred)
{
    char recorded[256], found[256];

    if (inlay_fact_is_within(inferred, v->fact.type, v->fact.rank, v->fact.dims))
        return true;
    inlay_shape_text(v->fact.rank, v->fact.dims, recorded, sizeof recorded);
    inlay_shape_text(inferred->rank, inferred->dims, found, sizeof found);
    return inlay_fail_node(c->diags, v->node, "output %d is recorded as %s%s, inference gives %s%s",
                           v->index, inlay_type_info_of(v->fact.type)->name, recorded,
                           inlay_type_info_of(inferred->type)->name, found);
}

/* Runs the rule of N on the recorded facts of its operands. The arena for the results is emptied
 * when it has become large, so that memory stays bounded for any graph, and so that most nodes need
 * the first of its blocks alone, which stays in the cache. */
static bool reinfer(struct check *c, inlay_node *n)
{
    enum { LARGE = 1 << 11 };
    const inlay_fact **in;
    inlay_fact *out;

    inlay_count_node(n);
    if (inlay_arena_bytes(c->scratch) > LARGE)
        inlay_arena_clear(c->scratch);
    in = inlay_arena_array(c->scratch, (size_t)n->n_in, sizeof *in);
    out = in ? inlay_arena_array(c->scratch, (size_t)n->n_out, sizeof *out) : NULL;
    if (!out)
        return inlay_fail_memory(c->diags);
    for (int i = 0; i < n->n_in; i++)
        in[i] = n->in[i].value ? &n->in[i].value->fact : NULL;
    if (!inlay_infer_facts(n, in, c->scratch, out, c->diags))
        return false;
    for (int i = 0; i < n->n_out; i++) {
        if (!agrees(c, &n->out[i], &out[i]))
            return false;
    }
    return true;
}

/* The facts of a body's Parameter come from outside; its rule only knows what it declares. */
static bool has_own_facts(const inlay_node *n)
{
    return !n->graph->owner || !inlay_node_is(n, INLAY_OP_PARAMETER);
}

/* Checks every node against its row, even those that are not reachable. But the facts of those are
 * not compared with those of their operands: a pass that learns more about an operand infers only
 * reachable nodes again. */
static bool check_node(struct check *c, inlay_node *n, bool live)
{
    return inlay_check_node(n, c->diags) && (!live || !has_own_facts(n) || reinfer(c, n));
}

/* Checks all nodes in document order, which is a valid order because it is sorted. */
static bool check_sorted(struct check *c)
{
    bool ok = true;

    inlay_count_steps(c->g, c->g->n_nodes);
    for (inlay_node *n = c->g->first; ok && n; n = n->next)
        ok = check_node(c, n, c->live[n->id] || inlay_node_is(n, INLAY_OP_PARAMETER));
    return ok;
}

static bool check_nodes(struct check *c)
{
    inlay_order_list all;
    size_t n_live;
    bool ok;

    if (c->sorted && c->g->n_order_edges == 0)
        return check_sorted(c);
    ok = graph_order(c->g, true, &all, &n_live, c->diags);
    for (size_t i = 0; ok && i < all.n; i++)
        ok = check_node(c, all.nodes[i], i < n_live);
    inlay_order_free(&all);
    return ok;
}

/* Results of the checks so far. */
struct found {
    bool bodies, variables;
};

static bool check_one(inlay_graph *g, struct found *found, inlay_diags *d)
{
    struct check c = {.g = g,
                      .diags = d,
                      .sorted = true,
                      .marks = inlay_arena_of(inlay_graph_budget(g)),
                      .scratch = inlay_arena_of(inlay_graph_budget(g))};
    bool ok;

    c.by_id = inlay_arena_array(c.marks, (size_t)g->next_id + 1, sizeof *c.by_id);
    c.live = inlay_arena_array(c.marks, (size_t)g->next_id + 1, 1);
    if (!c.by_id || !c.live || !c.scratch)
        ok = inlay_fail_memory(d);
    else
        ok = check_structure(&c) && check_nodes(&c);
    found->bodies = c.has_bodies;
    found->variables |= c.has_variables;
    inlay_arena_free(c.marks);
    inlay_arena_free(c.scratch);
    return ok;
}

/* The recursion is as deep as bodies are nested. inlay_graph_new_body bounds that: a body has the
 * owner that this function gave it. */
static bool check_graphs(inlay_graph *g, bool *variables, inlay_diags *d)
{
    struct found found = {false, false};

    if (!check_one(g, &found, d))
        return false;
    *variables |= found.variables;
    for (inlay_node *n = found.bodies ? g->first : NULL; n; n = n->next) {
        for (int i = 0; i < n->n_bodies; i++) {
            if (!check_graphs(n->bodies[i].graph, variables, d))
                return false;
        }
    }
    return true;
}

bool inlay_check_graph(inlay_graph *g, inlay_diags *d)
{
    bool variables = false;

    return !inlay_is_missing(g, "graph", d) && check_graphs(g, &variables, d) &&
           (!variables || variables_check_assigns(g, d));
}
