/* Bodies of If, Loop and TensorIterator, and what connects them to their node, in the words of
 * OpenVINO's XML (parser/openvino/README.md 6). What are ids there are names here:
 * internal_layer_id is the name of a Parameter or Result of the body (for a Result, the name of its
 * value does too), and so are from-layer and to-layer. external_port_id is the index of the node's
 * input or output. */
#include "parser/internal.h"
#include "parser/json/json.h"

#include <string.h>

/* One body of a node and the members that describe it. */
typedef struct part {
    const char *role, *map_key;
    const cJSON *body, *map, *back;
} part;

/* A Result by its own name, or by that of its value when it was given none. */
static int find_result(const inlay_graph *g, const char *name)
{
    inlay_strbuf result = {0};
    int i = position_of(g->results, g->n_results, inlay_graph_node(g, name));

    if (i < 0) {
        inlay_strbuf_printf(&result, JSON_RESULT_NAME, name);
        if (!result.failed)
            i = position_of(g->results, g->n_results, inlay_graph_node(g, result.bytes));
    }
    inlay_strbuf_free(&result);
    return i;
}

/* The member KEY of AT as the index of one of G's Parameters, or Results. */
static bool read_inner(json_reader *r, const json_at *at, const cJSON *item, const char *key,
                       const inlay_graph *g, bool param, int *out)
{
    json_at here = json_member(at, item, key);
    const char *name = json_text(r->doc, at, item, key);

    if (name == NULL)
        return false;
    *out = param ? position_of(g->params, g->n_params, inlay_graph_node(g, name))
                 : find_result(g, name);
    return *out >= 0 || json_fail(r->doc, &here, "\"%.200s\" is no %s of the body", name,
                                  param ? "input" : "output");
}

static bool read_number(json_reader *r, const json_at *at, const cJSON *item, const char *key,
                        int64_t dflt, int64_t *out)
{
    json_at here = json_member(at, item, key);

    *out = dflt;
    return item == NULL || json_int(r->doc, &here, out);
}

static bool read_purpose(json_reader *r, const json_at *at, const cJSON *item, bool input,
                         inlay_port *p)
{
    json_at here = json_member(at, item, "purpose");
    const char *wanted = input ? "current_iteration" : "execution_condition", *text;

    p->purpose = INLAY_PORT_PLAIN;
    if (item == NULL)
        return true;
    text = json_text(r->doc, at, item, "purpose");
    if (text == NULL)
        return false;
    if (strcmp(text, wanted) != 0)
        return json_fail(r->doc, &here, "\"%.80s\" is no purpose of %s, \"%s\" is", text,
                         input ? "an input" : "an output", wanted);
    p->purpose = input ? INLAY_PORT_ITERATION : INLAY_PORT_CONDITION;
    return true;
}

static bool read_outer(json_reader *r, const json_at *at, const cJSON *item, bool input,
                       const inlay_node *n, inlay_port *p)
{
    json_at here = json_member(at, item, "external_port_id");
    int64_t outer = -1, limit = input ? n->n_in : n->n_out;

    if (item == NULL && p->purpose == INLAY_PORT_PLAIN)
        return json_required(r->doc, at, item, "external_port_id");
    if (item != NULL && !json_int(r->doc, &here, &outer))
        return false;
    if (outer < -1 || outer >= limit)
        return json_fail(r->doc, &here, "%lld is no %s of the node, which has %lld",
                         (long long)outer, input ? "input" : "output", (long long)limit);
    p->outer = (int)outer;
    return true;
}

static bool read_entry(json_reader *r, const json_at *at, bool input, const inlay_node *n,
                       const inlay_graph *g, inlay_port *p)
{
    enum { OUTER, INNER, AXIS, START, END, STRIDE, PART_SIZE, PURPOSE, N };
    static json_names names = {"external_port_id", "internal_layer_id", "axis",    "start", "end",
                               "stride",           "part_size",         "purpose", NULL};
    const cJSON *m[N];

    if (!json_members(r->doc, at, names, m))
        return false;
    p->has_axis = m[AXIS] != NULL;
    return read_purpose(r, at, m[PURPOSE], input, p) && read_outer(r, at, m[OUTER], input, n, p) &&
           read_inner(r, at, m[INNER], names[INNER], g, input, &p->inner) &&
           read_number(r, at, m[AXIS], names[AXIS], 0, &p->axis) &&
           read_number(r, at, m[START], names[START], 0, &p->start) &&
           read_number(r, at, m[END], names[END], -1, &p->end) &&
           read_number(r, at, m[STRIDE], names[STRIDE], 1, &p->stride) &&
           read_number(r, at, m[PART_SIZE], names[PART_SIZE], 1, &p->part_size);
}

static bool read_entries(json_reader *r, const json_at *at, bool input, const inlay_node *n,
                         const inlay_graph *g, inlay_port **list, int *count)
{
    int i = 0;

    if (!cJSON_IsArray(at->item))
        return json_wrong(r->doc, at, "a list");
    *count = cJSON_GetArraySize(at->item);
    *list = inlay_arena_array(g->arena, (size_t)*count, sizeof(**list));
    if (*list == NULL)
        return inlay_fail_memory(r->d);
    for (const cJSON *item = at->item->child; item != NULL; item = item->next, i++) {
        json_at here = json_element(at, item, i);
        if (!read_entry(r, &here, input, n, g, &(*list)[i]))
            return false;
    }
    return true;
}

static bool read_map(json_reader *r, const json_at *at, const inlay_node *n, inlay_body *b)
{
    enum { INPUT, OUTPUT, N };
    static json_names names = {"input", "output", NULL};
    const cJSON *m[N];

    if (!json_members(r->doc, at, names, m))
        return false;
    json_at in = json_member(at, m[INPUT], "input"), out = json_member(at, m[OUTPUT], "output");
    return (m[INPUT] == NULL || read_entries(r, &in, true, n, b->graph, &b->in, &b->n_in)) &&
           (m[OUTPUT] == NULL || read_entries(r, &out, false, n, b->graph, &b->out, &b->n_out));
}

static bool read_back_edge(json_reader *r, const json_at *at, const inlay_graph *g,
                           inlay_back_edge *e)
{
    static json_names names = {"from-layer", "to-layer", NULL};
    const cJSON *m[2];

    return json_members(r->doc, at, names, m) &&
           read_inner(r, at, m[0], names[0], g, false, &e->from) &&
           read_inner(r, at, m[1], names[1], g, true, &e->to);
}

static bool read_back_edges(json_reader *r, const json_at *at, inlay_body *b)
{
    int i = 0;

    if (!cJSON_IsArray(at->item))
        return json_wrong(r->doc, at, "a list");
    b->n_back = cJSON_GetArraySize(at->item);
    b->back = inlay_arena_array(b->graph->arena, (size_t)b->n_back, sizeof(*b->back));
    if (b->back == NULL)
        return inlay_fail_memory(r->d);
    for (const cJSON *item = at->item->child; item != NULL; item = item->next, i++) {
        json_at here = json_element(at, item, i);
        if (!read_back_edge(r, &here, b->graph, &b->back[i]))
            return false;
    }
    return true;
}

static bool read_part(json_reader *r, const json_at *at, const part *p, inlay_node *n,
                      inlay_body *b)
{
    json_at body = json_member(at, p->body, p->role), map = json_member(at, p->map, p->map_key);
    json_at back = json_member(at, p->back, "back_edges");

    if (!json_required(r->doc, at, p->body, p->role))
        return false;
    b->role = p->role;
    b->graph = inlay_graph_new_body(n, "", r->d);
    return b->graph != NULL && json_read_graph(r, &body, b->graph, false) &&
           (p->map == NULL || read_map(r, &map, n, b)) &&
           (p->back == NULL || read_back_edges(r, &back, b));
}

/* A member that this operation has no use for. */
static bool refuse(json_reader *r, const json_at *at, const cJSON *item, const char *key,
                   const inlay_node *n)
{
    json_at here = json_member(at, item, key);
    return item == NULL || json_fail(r->doc, &here, "%s has no \"%s\"", n->op->name, key);
}

bool json_read_bodies(json_reader *r, const json_at *at, const json_body_members *m, inlay_node *n)
{
    bool has = (n->op->flags & INLAY_HAS_BODY) != 0, branches = strcmp(n->op->name, "If") == 0;
    part whole = {"body", "port_map", m->body, m->port_map, m->back_edges};
    part then = {"then_body", "then_port_map", m->then_body, m->then_port_map, NULL};
    part other = {"else_body", "else_port_map", m->else_body, m->else_port_map, NULL};

    if ((!has || branches) &&
        !(refuse(r, at, m->body, "body", n) && refuse(r, at, m->port_map, "port_map", n) &&
          refuse(r, at, m->back_edges, "back_edges", n)))
        return false;
    if ((!has || !branches) && !(refuse(r, at, m->then_body, "then_body", n) &&
                                 refuse(r, at, m->else_body, "else_body", n) &&
                                 refuse(r, at, m->then_port_map, "then_port_map", n) &&
                                 refuse(r, at, m->else_port_map, "else_port_map", n)))
        return false;
    if (!has)
        return true;
    if (!inlay_node_set_bodies(n, branches ? 2 : 1, r->d))
        return false;
    if (!branches)
        return read_part(r, at, &whole, n, &n->bodies[0]);
    return read_part(r, at, &then, n, &n->bodies[0]) && read_part(r, at, &other, n, &n->bodies[1]);
}
