/* Bodies of If, Loop and TensorIterator (parser/openvino/README.md 6). Each becomes a graph owned
 * by the node. Port maps and back edges refer to layers and ports by id; here the ids become
 * positions. */
#include "parser/openvino/read.h"

#include <stdlib.h>
#include <string.h>

/* One body of LAYER: the records FROM, and the scope TO that they become. */
struct target {
    ov_reader *r;
    const ov_layer *layer;
    const ov_body *from;
    assemble_scope *to;
};

static bool fail_entry(const struct target *t, unsigned line, const char *what, int64_t id,
                       const char *problem)
{
    return ov_fail_layer(t->r, t->layer, line, "%s %lld %s", what, (long long)id, problem);
}

/* The position of layer ID among the Parameters (INPUT) or Results of the body. */
static bool find_inner(const struct target *t, bool input, int64_t id, unsigned line, int *out)
{
    const ov_layer *l = ov_find_layer(t->from->net, id);

    *out = assemble_inner(t->to->graph, input, l ? l->made.node : NULL);
    return *out >= 0 ||
           fail_entry(t, line, "layer", id,
                      input ? "of the body is no Parameter" : "of the body is no Result");
}

static inlay_port port_of(const ov_map *m)
{
    return (inlay_port){.outer = -1,
                        .has_axis = m->has_axis,
                        .axis = m->axis,
                        .start = m->start,
                        .end = m->end,
                        .stride = m->stride,
                        .part_size = m->part_size,
                        .purpose = m->purpose};
}

/* OpenVINO drops a second entry for the same outer input and then reads the file wrongly; such a
 * file is refused here. */
static bool check_once(const struct target *t, bool *seen, const ov_map *m)
{
    if (m->external < 0)
        return true;
    if (seen[m->external])
        return fail_entry(t, m->line, "external_port_id", m->external,
                          "occurs twice among the inputs");
    seen[m->external] = true;
    return true;
}

/* The external id of an input is the position of the outer input. */
static bool map_inputs(const struct target *t)
{
    const inlay_node *n = t->layer->made.node;
    bool *seen = inlay_arena_array(t->r->a.scratch, (size_t)n->n_in, sizeof *seen);

    if (!seen)
        return inlay_fail_memory(t->r->a.d);
    for (const ov_map *m = t->from->in.first; m; m = m->next) {
        inlay_port p = port_of(m);

        if (m->external >= n->n_in)
            return fail_entry(t, m->line, "external_port_id", m->external,
                              "is no input of the layer");
        if (m->external >= 0)
            p.outer = (int)m->external;
        if (!check_once(t, seen, m) || !find_inner(t, true, m->internal, m->line, &p.inner) ||
            !assemble_port(t->to, true, &p))
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

    *ids = inlay_arena_array(t->r->a.scratch, (size_t)t->from->out.n, sizeof **ids);
    if (!*ids)
        return inlay_fail_memory(t->r->a.d);
    for (const ov_map *m = t->from->out.first; m; m = m->next) {
        if (m->external >= 0)
            (*ids)[n++] = m->external;
    }
    qsort(*ids, (size_t)n, sizeof **ids, compare_ids);
    for (int i = 1; i < n; i++) {
        if ((*ids)[i] == (*ids)[i - 1])
            return fail_entry(t, 0, "external_port_id", (*ids)[i],
                              "occurs twice among the outputs");
    }
    if (n == t->layer->made.node->n_out)
        return true;
    return ov_fail_layer(t->r, t->layer, 0, "the port map has %d output%s, the layer has %d", n,
                         inlay_plural(n, "", "s"), t->layer->made.node->n_out);
}

static bool map_outputs(const struct target *t)
{
    int64_t *ids;

    if (!output_ids(t, &ids))
        return false;
    for (const ov_map *m = t->from->out.first; m; m = m->next) {
        inlay_port p = port_of(m);

        if (m->external >= 0)
            p.outer = rank_of(ids, t->layer->made.node->n_out, m->external);
        if (!find_inner(t, false, m->internal, m->line, &p.inner) ||
            !assemble_port(t->to, false, &p))
            return false;
    }
    return true;
}

static bool map_back_edges(const struct target *t)
{
    for (const ov_edge *e = t->from->back; e; e = e->next) {
        inlay_back_edge edge;

        if (!find_inner(t, false, e->from_layer, e->line, &edge.from) ||
            !find_inner(t, true, e->to_layer, e->line, &edge.to) ||
            !assemble_back_edge(t->to, edge))
            return false;
    }
    return true;
}

static bool build_body(ov_reader *r, const ov_layer *layer, int role, assemble_scope **to)
{
    ov_body *from = layer->bodies ? &layer->bodies[role] : NULL;
    struct target t = {r, layer, from, NULL};

    if (!from || !from->net)
        return inlay_fail_node(r->a.d, layer->made.node, "there is no <%s>", ov_role(role));
    t.to = *to = assemble_body(layer->net->scope, layer->made.node, ov_role(role), from->net->name);
    if (!t.to || !ov_build_graph(r, from->net, t.to))
        return false;
    if (t.to->graph->n_results == 0)
        return inlay_fail_node(r->a.d, layer->made.node, "the <%s> has no Result", ov_role(role));
    return map_inputs(&t) && map_outputs(&t) && map_back_edges(&t);
}

bool ov_build_bodies(ov_reader *r, ov_layer *layer)
{
    bool branches = strcmp(layer->made.node->op->name, "If") == 0;
    assemble_scope *bodies[2];

    if (!build_body(r, layer, branches ? OV_THEN_BODY : OV_BODY, &bodies[0]) ||
        (branches && !build_body(r, layer, OV_ELSE_BODY, &bodies[1])))
        return false;
    return assemble_bodies(layer->made.node, bodies, branches ? 2 : 1, r->a.d);
}
