/* Bodies of If, Loop and TensorIterator (parser/openvino/README.md 6): each becomes a graph owned
 * by the node; port maps and back edges, which name layers and ports by id, become positions.
 */
#include "parser/internal.h"
#include "parser/openvino/openvino.h"

#include <stdlib.h>
#include <string.h>

/* What the entries of one body are resolved against. */
struct target {
    ov_reader *r;
    const ov_layer *layer;
    const ov_body *from;
    inlay_body *to;
};

static bool fail_entry(const struct target *t, unsigned line, const char *what, int64_t id,
                       const char *problem)
{
    return ov_fail_layer(t->r, t->layer, line, "%s %lld %s", what, (long long)id, problem);
}

static bool find_param(const struct target *t, int64_t id, unsigned line, int *out)
{
    const ov_layer *l = ov_find_layer(t->from->net, id);
    const inlay_graph *g = t->to->graph;

    *out = l && l->node ? position_of(g->params, g->n_params, l->node) : -1;
    return *out >= 0 || fail_entry(t, line, "layer", id, "of the body is no Parameter");
}

static bool find_result(const struct target *t, int64_t id, unsigned line, int *out)
{
    const ov_layer *l = ov_find_layer(t->from->net, id);
    const inlay_graph *g = t->to->graph;

    *out = l && l->node ? position_of(g->results, g->n_results, l->node) : -1;
    return *out >= 0 || fail_entry(t, line, "layer", id, "of the body is no Result");
}

static void copy_entry(const ov_map *m, inlay_port *p)
{
    p->has_axis = m->has_axis;
    p->axis = m->axis;
    p->start = m->start;
    p->end = m->end;
    p->stride = m->stride;
    p->part_size = m->part_size;
    p->purpose = m->purpose;
    p->outer = -1;
}

/* OpenVINO drops a second entry for an outer input, and then lacks it: refused here. */
static bool check_once(const struct target *t, bool *seen, const ov_map *m)
{
    if (m->external < 0)
        return true;
    if (seen[m->external])
        return fail_entry(t, m->line, "external_port_id", m->external,
                          "stands twice among the inputs");
    seen[m->external] = true;
    return true;
}

/* The external id of an input is the position of the outer input. */
static bool map_inputs(const struct target *t)
{
    const inlay_node *n = t->layer->node;
    inlay_port *p = inlay_arena_array(n->graph->arena, (size_t)t->from->in.n, sizeof *p);
    bool *seen = inlay_arena_array(t->r->arena, (size_t)n->n_in, sizeof *seen);

    if (!p || !seen)
        return inlay_fail_memory(t->r->d);
    t->to->in = p;
    t->to->n_in = t->from->in.n;
    for (const ov_map *m = t->from->in.first; m; m = m->next, p++) {
        copy_entry(m, p);
        if (m->external >= n->n_in)
            return fail_entry(t, m->line, "external_port_id", m->external,
                              "is no input of the layer");
        if (m->external >= 0)
            p->outer = (int)m->external;
        if (!check_once(t, seen, m) || !find_param(t, m->internal, m->line, &p->inner))
            return false;
    }
    return true;
}

static int compare_ids(const void *a, const void *b)
{
    int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;

    return (p > q) - (p < q);
}

static int rank_of(const int64_t *ids, int n, int64_t id)
{
    const int64_t *found = bsearch(&id, ids, (size_t)n, sizeof *ids, compare_ids);

    return (int)(found - ids);
}

/* The external ids of outputs are only a sort key: the n-th smallest is output n. */
static bool output_ids(const struct target *t, int64_t **ids)
{
    int n = 0;

    *ids = inlay_arena_array(t->r->arena, (size_t)t->from->out.n, sizeof **ids);
    if (!*ids)
        return inlay_fail_memory(t->r->d);
    for (const ov_map *m = t->from->out.first; m; m = m->next) {
        if (m->external >= 0)
            (*ids)[n++] = m->external;
    }
    qsort(*ids, (size_t)n, sizeof **ids, compare_ids);
    for (int i = 1; i < n; i++) {
        if ((*ids)[i] == (*ids)[i - 1])
            return fail_entry(t, 0, "external_port_id", (*ids)[i],
                              "stands twice among the outputs");
    }
    if (n == t->layer->node->n_out)
        return true;
    return ov_fail_layer(t->r, t->layer, 0, "the port map has %d outputs, the layer has %d", n,
                         t->layer->node->n_out);
}

static bool map_outputs(const struct target *t)
{
    const inlay_node *n = t->layer->node;
    inlay_port *p = inlay_arena_array(n->graph->arena, (size_t)t->from->out.n, sizeof *p);
    int64_t *ids;

    if (!p)
        return inlay_fail_memory(t->r->d);
    if (!output_ids(t, &ids))
        return false;
    t->to->out = p;
    t->to->n_out = t->from->out.n;
    for (const ov_map *m = t->from->out.first; m; m = m->next, p++) {
        copy_entry(m, p);
        if (m->external >= 0)
            p->outer = rank_of(ids, n->n_out, m->external);
        if (!find_result(t, m->internal, m->line, &p->inner))
            return false;
    }
    return true;
}

static bool map_back_edges(const struct target *t)
{
    const ov_body *from = t->from;
    inlay_back_edge *b = inlay_arena_array(t->to->graph->arena, (size_t)from->n_back, sizeof *b);

    if (!b)
        return inlay_fail_memory(t->r->d);
    t->to->back = b;
    t->to->n_back = from->n_back;
    for (const ov_edge *e = from->back; e; e = e->next, b++) {
        if (!find_result(t, e->from_layer, e->line, &b->from) ||
            !find_param(t, e->to_layer, e->line, &b->to))
            return false;
    }
    return true;
}

static bool build_body(ov_reader *r, const ov_layer *layer, int role, inlay_body *to)
{
    ov_body *from = layer->bodies ? &layer->bodies[role] : NULL;
    struct target t = {r, layer, from, to};

    if (!from || !from->net)
        return inlay_fail_node(r->d, layer->node, "there is no <%s>", ov_role(role));
    to->role = ov_role(role);
    to->graph = inlay_graph_new_body(layer->node, from->net->name, r->d);
    if (!to->graph || !ov_build_graph(r, from->net, to->graph))
        return false;
    if (to->graph->n_results == 0)
        return inlay_fail_node(r->d, layer->node, "the <%s> has no Result", ov_role(role));
    return map_inputs(&t) && map_outputs(&t) && map_back_edges(&t);
}

bool ov_build_bodies(ov_reader *r, ov_layer *layer)
{
    bool branches = strcmp(layer->node->op->name, "If") == 0;
    inlay_node *n = layer->node;

    if (!inlay_node_set_bodies(n, branches ? 2 : 1, r->d))
        return false;
    if (!branches)
        return build_body(r, layer, OV_BODY, &n->bodies[0]);
    return build_body(r, layer, OV_THEN_BODY, &n->bodies[0]) &&
           build_body(r, layer, OV_ELSE_BODY, &n->bodies[1]);
}
