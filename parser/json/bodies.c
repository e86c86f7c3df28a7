/* Bodies of If, Loop and TensorIterator, and the port maps that connect a body to its node. Members
 * have the names of OpenVINO's XML (parser/openvino/README.md 6), but refer to values by name
 * instead of by id:
 *
 *     "body": {...},
 *     "port_map": {"input": [{"external_port_id": 0, "internal_layer_id": "x"}]},
 *     "back_edges": [{"from-layer": "next", "to-layer": "x"}]
 *
 * internal_layer_id, from-layer and to-layer are names of a Parameter or Result of the body; a
 * Result may also be named by its value. external_port_id is the index of the node's input or
 * output. */
#include "parser/json/read.h"

#include <string.h>

/* One body of a node and the members that describe it. */
typedef struct part {
    const char *role, *map_key;
    const cJSON *body, *map, *back;
} part;

/* Returns the position of the Result called NAME, or of a Result without a name whose value is
 * called NAME. -1: there is none. */
static int find_result(const inlay_graph *g, const char *name)
{
    inlay_strbuf result = {0};
    int i = assemble_inner(g, false, inlay_graph_node(g, name));

    if (i < 0) {
        inlay_strbuf_printf(&result, JSON_RESULT_NAME, name);
        if (!result.failed)
            i = assemble_inner(g, false, inlay_graph_node(g, result.bytes));
    }
    inlay_strbuf_free(&result);
    return i;
}

/* Reads the member KEY of AT, a name, as the position of one of G's Parameters (PARAM) or Results.
 */
static bool read_inner(json_reader *r, const json_at *at, const cJSON *item, const char *key,
                       const inlay_graph *g, bool param, int *out)
{
    json_at here = json_member(at, item, key);
    const char *name = json_text(r->doc, at, item, key);

    if (name == NULL)
        return false;
    *out = param ? assemble_inner(g, true, inlay_graph_node(g, name)) : find_result(g, name);
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
                         assemble_scope *body)
{
    int i = 0;

    if (!cJSON_IsArray(at->item))
        return json_wrong(r->doc, at, "a list");
    for (const cJSON *item = at->item->child; item != NULL; item = item->next, i++) {
        json_at here = json_element(at, item, i);
        inlay_port port;
        if (!read_entry(r, &here, input, n, body->graph, &port) ||
            !assemble_port(body, input, &port))
            return false;
    }
    return true;
}

static bool read_map(json_reader *r, const json_at *at, const inlay_node *n, assemble_scope *body)
{
    enum { INPUT, OUTPUT, N };
    static json_names names = {"input", "output", NULL};
    const cJSON *m[N];

    if (!json_members(r->doc, at, names, m))
        return false;
    json_at in = json_member(at, m[INPUT], "input"), out = json_member(at, m[OUTPUT], "output");
    return (m[INPUT] == NULL || read_entries(r, &in, true, n, body)) &&
           (m[OUTPUT] == NULL || read_entries(r, &out, false, n, body));
}

static bool read_back_edge(json_reader *r, const json_at *at, assemble_scope *body)
{
    static json_names names = {"from-layer", "to-layer", NULL};
    inlay_back_edge edge = {-1, -1};
    const cJSON *m[2];

    return json_members(r->doc, at, names, m) &&
           read_inner(r, at, m[0], names[0], body->graph, false, &edge.from) &&
           read_inner(r, at, m[1], names[1], body->graph, true, &edge.to) &&
           assemble_back_edge(body, edge);
}

static bool read_back_edges(json_reader *r, const json_at *at, assemble_scope *body)
{
    int i = 0;

    if (!cJSON_IsArray(at->item))
        return json_wrong(r->doc, at, "a list");
    for (const cJSON *item = at->item->child; item != NULL; item = item->next, i++) {
        json_at here = json_element(at, item, i);
        if (!read_back_edge(r, &here, body))
            return false;
    }
    return true;
}

static bool read_part(json_reader *r, const json_at *at, const part *p, assemble_scope *outer,
                      inlay_node *n, assemble_scope **b)
{
    json_at body = json_member(at, p->body, p->role), map = json_member(at, p->map, p->map_key);
    json_at back = json_member(at, p->back, "back_edges");

    if (!json_required(r->doc, at, p->body, p->role))
        return false;
    *b = assemble_body(outer, n, p->role, "");
    return *b != NULL && json_read_graph(r, &body, *b, false) &&
           (p->map == NULL || read_map(r, &map, n, *b)) &&
           (p->back == NULL || read_back_edges(r, &back, *b));
}

/* Fails if a member is present that this operation does not use. */
static bool refuse(json_reader *r, const json_at *at, const cJSON *item, const char *key,
                   const inlay_node *n)
{
    json_at here = json_member(at, item, key);
    return item == NULL || json_fail(r->doc, &here, "%s has no \"%s\"", n->op->name, key);
}

bool json_read_bodies(json_reader *r, const json_at *at, const json_body_members *m,
                      assemble_scope *outer, inlay_node *n)
{
    assemble_scope *bodies[2];
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
    if (!read_part(r, at, branches ? &then : &whole, outer, n, &bodies[0]) ||
        (branches && !read_part(r, at, &other, outer, n, &bodies[1])))
        return false;
    return assemble_bodies(n, bodies, branches ? 2 : 1, r->a.d);
}
