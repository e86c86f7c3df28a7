/* A copy of a graph in an arena of its own. Tensors are shared: they never change. */
#include "ir/base/arena.h"
#include "ir/graph/argument.h"
#include "ir/graph/condition.h"
#include "ir/graph/graph.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/ops/rows.h"

#include <stdlib.h>
#include <string.h>

struct cloning {
    const inlay_graph *from;
    inlay_graph *to;
    inlay_node **copy; /* by id of the old node */
    bool history;      /* the history of FROM was copied to TO */
    inlay_diags *diags;
};

/* Copies COUNT elements of SIZE bytes into TO's arena. NULL stays NULL. */
static bool copy_array(struct cloning *c, const void *from, size_t count, size_t size, void *out)
{
    void *copy = NULL;

    if (from && !(copy = inlay_arena_array(c->to->arena, count, size)))
        return inlay_fail_memory(c->diags);
    if (copy && count > 0)
        memcpy(copy, from, count * size);
    memcpy(out, &copy, sizeof copy);
    return true;
}

static bool copy_string(struct cloning *c, const char *from, const char **out)
{
    *out = from ? inlay_arena_strdup(c->to->arena, from) : NULL;
    return !from || *out || inlay_fail_memory(c->diags);
}

static bool copy_strings(struct cloning *c, const char *const *from, int n, const char *const **out)
{
    const char **copy = NULL;

    if (!copy_array(c, from, (size_t)n, sizeof *from, &copy))
        return false;
    for (int i = 0; from && i < n; i++) {
        if (!copy_string(c, from[i], &copy[i]))
            return false;
    }
    *out = copy;
    return true;
}

/* DEPTH bounds the recursion, since metadata nests as deep as its file says. */
static bool copy_meta(struct cloning *c, const inlay_meta *from, inlay_meta **out, int depth)
{
    if (from && depth > INLAY_MAX_META_DEPTH)
        return inlay_fail(c->diags, NULL, "metadata is nested more than %d deep",
                          INLAY_MAX_META_DEPTH);
    for (; from; from = from->next) {
        inlay_meta *m = inlay_meta_new(c->to, from->tag, c->diags);

        if (!m || !copy_string(c, from->text, &m->text) ||
            !copy_strings(c, from->attrs, 2 * from->n_attrs, &m->attrs) ||
            !copy_meta(c, from->child, &m->child, depth + 1))
            return false;
        m->n_attrs = from->n_attrs;
        *out = m;
        out = &m->next;
    }
    return true;
}

static bool copy_variable(struct cloning *c, const inlay_variable *from, inlay_variable **out)
{
    *out = inlay_graph_variable(c->to, from->name, c->diags);
    return *out && inlay_variable_set(c->to, *out, from->type, from->rank, from->dims, c->diags);
}

static bool copy_attr(struct cloning *c, inlay_attr_kind kind, const inlay_attr *from,
                      inlay_attr *to)
{
    size_t n = (size_t)from->n;

    *to = *from;
    if (!from->set)
        return true;
    switch (kind) {
    case INLAY_ATTR_STRING:
        return copy_string(c, from->as.s, &to->as.s);
    case INLAY_ATTR_INTS:
        return copy_array(c, from->as.ints, n, sizeof *from->as.ints, &to->as.ints);
    case INLAY_ATTR_FLOATS:
        return copy_array(c, from->as.floats, n, sizeof *from->as.floats, &to->as.floats);
    case INLAY_ATTR_TYPES:
        return copy_array(c, from->as.types, n, sizeof *from->as.types, &to->as.types);
    case INLAY_ATTR_STRINGS:
        return copy_strings(c, from->as.strings, from->n, &to->as.strings);
    case INLAY_ATTR_SHAPE:
        return copy_array(c, from->as.shape, 1, sizeof *from->as.shape, &to->as.shape);
    case INLAY_ATTR_TENSOR:
        return graph_keep_tensor(c->to, from->as.tensor, c->diags);
    case INLAY_ATTR_VARIABLE:
        return copy_variable(c, from->as.variable, &to->as.variable);
    default: /* a number, or a name from the row */
        return true;
    }
}

static bool copy_fact(struct cloning *c, const inlay_fact *from, inlay_fact *to)
{
    *to = *from;
    if (from->content && !graph_keep_tensor(c->to, from->content, c->diags))
        return false;
    return copy_array(c, from->rank > 0 ? from->dims : NULL,
                      (size_t)(from->rank > 0 ? from->rank : 0), sizeof *from->dims, &to->dims) &&
           copy_array(c, from->known, (size_t)from->n_known, sizeof *from->known, &to->known);
}

static bool copy_outputs(struct cloning *c, const inlay_node *from, inlay_node *to)
{
    for (int i = 0; i < from->n_out; i++) {
        const inlay_value *x = &from->out[i];
        inlay_value *y = &to->out[i];

        if (!copy_fact(c, &x->fact, &y->fact) ||
            !copy_strings(c, x->names, x->n_names, &y->names) ||
            !copy_meta(c, x->rt_info, &y->rt_info, 1))
            return false;
        y->n_names = x->n_names;
    }
    return true;
}

static bool clone_into(const inlay_graph *from, inlay_graph *to, bool history, inlay_diags *d);

static bool copy_bodies(struct cloning *c, const inlay_node *from, inlay_node *to)
{
    if (from->n_bodies && !inlay_node_set_bodies(to, from->n_bodies, c->diags))
        return false;
    for (int i = 0; i < from->n_bodies; i++) {
        const inlay_body *x = &from->bodies[i];
        inlay_body *y = &to->bodies[i];

        *y = *x;
        y->graph = NULL;
        if (!copy_string(c, x->role, &y->role) ||
            !copy_array(c, x->in, (size_t)x->n_in, sizeof *x->in, &y->in) ||
            !copy_array(c, x->out, (size_t)x->n_out, sizeof *x->out, &y->out) ||
            !copy_array(c, x->back, (size_t)x->n_back, sizeof *x->back, &y->back))
            return false;
        if (!x->graph)
            continue;
        y->graph = inlay_graph_new_body(to, x->graph->name, c->diags);
        if (!y->graph || !clone_into(x->graph, y->graph, c->history, c->diags))
            return false;
    }
    return true;
}

static inlay_node *copy_node(struct cloning *c, const inlay_node *from)
{
    const inlay_op *op = from->op;
    inlay_node *n;

    if (op->flags & INLAY_STAND_IN) /* its row belongs to the old graph */
        op = inlay_op_stand_in(c->to->arena, op->name, op->written, c->diags);
    n = op ? inlay_node_new(c->to, op, from->name, from->n_in, from->n_out, c->diags) : NULL;
    if (!n)
        return NULL;
    n->line = from->line;
    n->place = from->place;
    if (op->flags & INLAY_DEFERRED)
        inlay_graph_copy_expand(c->from, c->to);
    if (c->history) {
        n->origin = from->origin;
        n->made_by = from->made_by;
    }
    for (int i = 0; i < op->n_attrs; i++) {
        if (!copy_attr(c, op->attrs[i].kind, &from->attrs[i], &n->attrs[i]))
            return NULL;
    }
    if (!copy_string(c, from->label, &n->label) || !copy_string(c, from->opset, &n->opset) ||
        !copy_string(c, from->result_names, &n->result_names) ||
        !copy_meta(c, from->rt_info, &n->rt_info, 1) || !copy_meta(c, from->extra, &n->extra, 1) ||
        !copy_outputs(c, from, n) || !copy_bodies(c, from, n))
        return NULL;
    return n;
}

static inlay_value *copied(const struct cloning *c, const inlay_value *v)
{
    return &c->copy[v->node->id]->out[v->index];
}

static bool connect(struct cloning *c)
{
    for (const inlay_node *n = c->from->first; n; n = n->next) {
        for (int i = 0; i < n->n_in; i++) {
            if (n->in[i].value &&
                !inlay_node_set_input(c->copy[n->id], i, copied(c, n->in[i].value), c->diags))
                return false;
        }
    }
    return true;
}

static bool copy_grounds(struct cloning *c, const inlay_value *from, inlay_value *to)
{
    if (from->grounds && !inlay_value_state_grounds(to, c->diags))
        return false;
    for (int i = 0; from->grounds && i < from->grounds->n; i++) {
        const inlay_ground *g = &from->grounds->list[i];

        if (!inlay_value_add_ground(to, (inlay_condition)g->condition, c->copy[g->node->id],
                                    c->diags))
            return false;
    }
    return true;
}

/* Notes are copied last, because every edit drops them. */
static bool copy_notes(struct cloning *c)
{
    for (const inlay_node *n = c->from->has_notes ? c->from->first : NULL; n; n = n->next) {
        for (int i = 0; i < n->n_out; i++) {
            const inlay_value *v = &n->out[i];

            if (v->note != INLAY_FRESH &&
                !(inlay_value_set_note(copied(c, v), v->note, copied(c, v->note_target),
                                       c->diags) &&
                  copy_grounds(c, v, copied(c, v))))
                return false;
        }
    }
    for (size_t i = 0; i < c->from->n_order_edges; i++) {
        inlay_order_edge e = c->from->order_edges[i];

        if (!inlay_graph_add_order_edge(c->to, c->copy[e.before->id], c->copy[e.after->id],
                                        c->diags))
            return false;
    }
    return true;
}

static bool copy_graph(struct cloning *c)
{
    const inlay_graph *from = c->from;
    inlay_variable *v;

    c->to->ir_version = from->ir_version;
    if (!copy_string(c, from->file, &c->to->file) ||
        !copy_string(c, from->place_word, &c->to->place_word) ||
        !copy_meta(c, from->meta, &c->to->meta, 1))
        return false;
    for (int i = 0; i < from->n_variables; i++) {
        if (!copy_variable(c, from->variables[i], &v))
            return false;
    }
    for (const inlay_node *n = from->first; n; n = n->next) {
        if (!(c->copy[n->id] = copy_node(c, n)))
            return false;
    }
    c->to->next_dim_id = from->next_dim_id;
    return graph_copy_dim_names(from, c->to, c->diags) &&
           graph_copy_dim_sums(from, c->to, c->diags) && connect(c) && copy_notes(c);
}

/* Bodies are cloned within their node; this recursion is bounded, because the nesting of bodies is.
 * */
static bool clone_into(const inlay_graph *from, inlay_graph *to, bool history, inlay_diags *d)
{
    inlay_node **copy =
        inlay_take(inlay_graph_budget(from), (size_t)from->next_id + 1, sizeof *copy);
    struct cloning c = {from, to, copy, history, d};
    bool ok = copy ? copy_graph(&c) : inlay_fail_memory(d);

    inlay_give(copy);
    return ok;
}

inlay_node *graph_clone_node(inlay_graph *to, const inlay_node *n, inlay_diags *d)
{
    const inlay_op *parameter = inlay_op_of_spec(NULL, "Parameter", 1);
    struct cloning c = {n->graph, to, NULL, false, d};
    inlay_node *copy = NULL;

    if (copy_string(&c, n->graph->file, &to->file) &&
        copy_string(&c, n->graph->place_word, &to->place_word))
        copy = copy_node(&c, n);
    for (int i = 0; copy && i < n->n_in; i++) {
        inlay_node *in;

        if (!n->in[i].value)
            continue;
        in = inlay_node_new(to, parameter, NULL, 0, 1, d);
        if (!in || !inlay_node_set_input(copy, i, &in->out[0], d))
            return NULL;
    }
    return copy;
}

inlay_node *inlay_node_clone(inlay_graph *to, const inlay_node *n, inlay_value *const *in,
                             inlay_diags *d)
{
    struct cloning c = {n->graph, to, NULL, false, d};
    inlay_node *copy = copy_node(&c, n);

    for (int i = 0; copy && i < n->n_in; i++) {
        if (in[i] && !inlay_node_set_input(copy, i, in[i], d))
            return NULL;
    }
    return copy;
}

/* The value in the new graph that corresponds to V of the graph that is spliced in. */
static inlay_value *spliced(const struct cloning *c, const inlay_value *v,
                            inlay_value *const *params)
{
    for (int i = 0; i < c->from->n_params; i++) {
        if (v->node == c->from->params[i])
            return params[i];
    }
    return copied(c, v);
}

static bool splice(struct cloning *c, inlay_value *const *params, inlay_value **results)
{
    for (const inlay_node *n = c->from->first; n; n = n->next) {
        if (!inlay_node_is(n, INLAY_OP_PARAMETER) && !inlay_node_is(n, INLAY_OP_RESULT) &&
            !(c->copy[n->id] = copy_node(c, n)))
            return false;
    }
    for (const inlay_node *n = c->from->first; n; n = n->next) {
        for (int i = 0; c->copy[n->id] && i < n->n_in; i++) {
            const inlay_value *v = n->in[i].value;

            if (v && !inlay_node_set_input(c->copy[n->id], i, spliced(c, v, params), c->diags))
                return false;
        }
    }
    for (int i = 0; i < c->from->n_results; i++)
        results[i] = spliced(c, c->from->results[i]->in[0].value, params);
    return true;
}

bool inlay_graph_splice(inlay_graph *to, const inlay_graph *from, inlay_value *const *params,
                        inlay_value **results, inlay_diags *d)
{
    inlay_node **copy = inlay_take(inlay_graph_budget(to), (size_t)from->next_id + 1, sizeof *copy);
    struct cloning c = {from, to, copy, false, d};
    bool ok = copy ? splice(&c, params, results) : inlay_fail_memory(d);

    inlay_give(copy);
    return ok;
}

inlay_graph *inlay_graph_clone(const inlay_graph *g, inlay_diags *d)
{
    inlay_graph *copy = inlay_graph_is_whole(g, d) ? inlay_graph_new_like(g, d) : NULL;

    if (copy && !(history_copy(g, copy, d) && clone_into(g, copy, true, d))) {
        inlay_graph_free(copy);
        copy = NULL;
    }
    inlay_budget_tell(inlay_graph_budget(g), copy != NULL, d);
    return copy;
}
