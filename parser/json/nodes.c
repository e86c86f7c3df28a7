/* The entries of "inputs", "constants" and "nodes": each entry makes a node and names its values.
 * Operands are connected later (read.c), so entries may be in any order. */
#include "ir/shared.h"
#include "parser/json/read.h"

#include <string.h>

enum node_member {
    NODE_NAME,
    NODE_TYPE,
    NODE_VERSION,
    NODE_INPUTS,
    NODE_OUTPUTS,
    NODE_ATTRIBUTES,
    NODE_LABEL,
    NODE_TENSOR_NAMES,
    NODE_DIM_NAMES,
    NODE_RT_INFO,
    NODE_OUTPUT_RT_INFO,
    NODE_NOTES,
    NODE_BODY,
    NODE_THEN_BODY,
    NODE_ELSE_BODY,
    NODE_PORT_MAP,
    NODE_THEN_PORT_MAP,
    NODE_ELSE_PORT_MAP,
    NODE_BACK_EDGES,
    NODE_OUTPUT_TYPES,
    NODE_OUTPUT_SHAPES,
    N_NODE_MEMBERS
};

static json_names node_members = {
    [NODE_NAME] = "name",
    [NODE_TYPE] = "type",
    [NODE_VERSION] = "version",
    [NODE_INPUTS] = "inputs",
    [NODE_OUTPUTS] = "outputs",
    [NODE_ATTRIBUTES] = "attributes",
    [NODE_LABEL] = "label",
    [NODE_TENSOR_NAMES] = "tensor_names",
    [NODE_DIM_NAMES] = "dim_names",
    [NODE_RT_INFO] = "rt_info",
    [NODE_OUTPUT_RT_INFO] = "output_rt_info",
    [NODE_NOTES] = "notes",
    [NODE_BODY] = "body",
    [NODE_THEN_BODY] = "then_body",
    [NODE_ELSE_BODY] = "else_body",
    [NODE_PORT_MAP] = "port_map",
    [NODE_THEN_PORT_MAP] = "then_port_map",
    [NODE_ELSE_PORT_MAP] = "else_port_map",
    [NODE_BACK_EDGES] = "back_edges",
    [NODE_OUTPUT_TYPES] = "output_types",
    [NODE_OUTPUT_SHAPES] = "output_shapes",
    [N_NODE_MEMBERS] = NULL,
};

bool json_read_input(json_scope *s, const json_at *at)
{
    enum {
        NAME,
        TYPE,
        ITEM_TYPE,
        SHAPE,
        VERSION,
        LABEL,
        TENSOR_NAMES,
        DIM_NAMES,
        RT_INFO,
        OUTPUT_RT_INFO,
        N
    };
    static json_names names = {"name",  "type",         "item_type", "shape",   "version",
                               "label", "tensor_names", "dim_names", "rt_info", "output_rt_info",
                               NULL};
    const cJSON *m[N];
    inlay_type type, item_type = INLAY_DYNAMIC;
    inlay_shape shape;
    inlay_node *n;

    if (!json_members(s->r->doc, at, names, m) || !json_required(s->r->doc, at, m[NAME], "name") ||
        !json_required(s->r->doc, at, m[TYPE], "type") ||
        !json_required(s->r->doc, at, m[SHAPE], "shape"))
        return false;
    json_common c = {m[NAME],      m[VERSION], m[LABEL],          m[TENSOR_NAMES],
                     m[DIM_NAMES], m[RT_INFO], m[OUTPUT_RT_INFO], false};
    json_at type_at = json_member(at, m[TYPE], "type"),
            item_at = json_member(at, m[ITEM_TYPE], "item_type"),
            shape_at = json_member(at, m[SHAPE], "shape");
    if (!json_read_type(s->r->doc, &type_at, &type) ||
        (m[ITEM_TYPE] && !json_read_type(s->r->doc, &item_at, &item_type)) ||
        !json_read_shape(s->r->doc, &shape_at, &shape))
        return false;
    n = json_new_node(s->r, at, s->names, "Parameter", NULL, &c, 0, 1);
    return n != NULL && inlay_node_set_type(n, "element_type", type, s->r->a.d) &&
           (!m[ITEM_TYPE] || inlay_node_set_type(n, "item_type", item_type, s->r->a.d)) &&
           inlay_node_set_shape(n, "shape", &shape, s->r->a.d) && json_read_ports(s, at, &c, n) &&
           json_define(s, n->name, &n->out[0], n->line);
}

bool json_read_constant(json_scope *s, const json_at *at)
{
    enum {
        NAME,
        TYPE,
        SHAPE,
        DATA,
        FILE_,
        OFFSET,
        VERSION,
        LABEL,
        TENSOR_NAMES,
        RT_INFO,
        OUTPUT_RT_INFO,
        N
    };
    static json_names names = {"name",         "type",    "shape",          "data",
                               "file",         "offset",  "version",        "label",
                               "tensor_names", "rt_info", "output_rt_info", NULL};
    const cJSON *m[N];
    inlay_tensor *t;
    inlay_node *n;
    bool ok;

    if (!json_members(s->r->doc, at, names, m) || !json_required(s->r->doc, at, m[NAME], "name"))
        return false;
    json_common c = {m[NAME], m[VERSION], m[LABEL],          m[TENSOR_NAMES],
                     NULL,    m[RT_INFO], m[OUTPUT_RT_INFO], false};
    json_content content = {m[TYPE], m[SHAPE], m[DATA], m[FILE_], m[OFFSET]};
    t = json_read_tensor(s->r, at, &content);
    if (t == NULL)
        return false;
    n = json_new_node(s->r, at, s->names, "Const", NULL, &c, 0, 1);
    ok = n != NULL && inlay_node_set_tensor(n, "value", t, s->r->a.d);
    inlay_tensor_release(t);
    return ok && json_read_ports(s, at, &c, n) && json_define(s, n->name, &n->out[0], n->line);
}

/* Counts the entries of a node's "inputs" up to the last one that is not absent. */
static bool count_inputs(json_scope *s, const json_at *at, const cJSON *list, int *count)
{
    json_at here = json_member(at, list, "inputs");
    int i = 0;

    *count = 0;
    if (list != NULL && !cJSON_IsArray(list))
        return json_wrong(s->r->doc, &here, "a list of the names of values");
    for (const cJSON *item = list != NULL ? list->child : NULL; item != NULL; item = item->next) {
        i++;
        if (!cJSON_IsNull(item) && !(cJSON_IsString(item) && item->valuestring[0] == '\0'))
            *count = i;
    }
    return true;
}

/* Returns how many outputs N must have if its row and attributes determine that, else OTHERWISE. A
 * missing attribute is reported when the node is checked. */
static int wanted_outputs(const inlay_node *n, int otherwise)
{
    const char *attr = n->op->count_attr;
    bool known = n->op->n_out >= 0 || (attr != NULL && inlay_node_attr(n, attr) != NULL);

    return known ? inlay_node_n_out(n) : otherwise;
}

/* Names the output of a node without a list "outputs" after the node. */
static bool define_default(json_scope *s, const json_at *at, inlay_node *n)
{
    int wanted = wanted_outputs(n, 1);

    if (wanted > 1)
        return json_fail(s->r->doc, at, "the member \"outputs\" is missing: %s has %d output%s",
                         n->op->name, wanted, inlay_plural(wanted, "", "s"));
    if (wanted < 0)
        return json_fail(s->r->doc, at, "%s cannot have %d output%s", n->op->name, wanted,
                         inlay_plural(wanted, "", "s"));
    return inlay_node_set_n_out(n, wanted, s->r->a.d) &&
           (wanted == 0 || json_define(s, n->name, &n->out[0], n->line));
}

/* Names the outputs by the list "outputs". Unless there are tensor names besides (NAMED), they
 * become the tensor names, too, so that users find an output under the name they gave it. */
static bool define_outputs(json_scope *s, const json_at *at, const cJSON *list, bool named,
                           inlay_node *n)
{
    json_at here = json_member(at, list, "outputs");
    int count = cJSON_GetArraySize(list), wanted = wanted_outputs(n, count), i = 0;

    if (!cJSON_IsArray(list))
        return json_wrong(s->r->doc, &here, "a list of names");
    if (count != wanted)
        return json_fail(s->r->doc, &here, "there %s %d name%s, %s has %d output%s",
                         inlay_plural(count, "is", "are"), count, inlay_plural(count, "", "s"),
                         n->op->name, wanted, inlay_plural(wanted, "", "s"));
    if (!inlay_node_set_n_out(n, count, s->r->a.d))
        return false;
    for (const cJSON *item = list->child; item != NULL; item = item->next, i++) {
        json_at element = json_element(&here, item, i);
        const char *name = item->valuestring;
        if (!cJSON_IsString(item) || *name == '\0')
            return json_wrong(s->r->doc, &element, "the name of a value");
        if (!json_define(s, name, &n->out[i], json_line(s->r->doc, item)) ||
            (!named && !inlay_value_set_names(&n->out[i], &name, 1, s->r->a.d)))
            return false;
    }
    return true;
}

/* Reads "output_types" and "output_shapes", which only a stand-in has: those of every other node
 * are inferred. */
static bool read_facts(json_scope *s, const json_at *at, const cJSON *types, const cJSON *shapes,
                       inlay_node *n)
{
    json_at here = json_member(at, types != NULL ? types : shapes,
                               types != NULL ? "output_types" : "output_shapes");

    if (types == NULL && shapes == NULL)
        return true;
    if (!(n->op->flags & INLAY_STAND_IN))
        return json_fail(s->r->doc, &here, "types and shapes of %s are inferred", n->op->name);
    if (!cJSON_IsArray(types) || !cJSON_IsArray(shapes) || cJSON_GetArraySize(types) != n->n_out ||
        cJSON_GetArraySize(shapes) != n->n_out)
        return json_fail(s->r->doc, &here,
                         "\"output_types\" and \"output_shapes\" need an entry for each of the %d "
                         "outputs, there are %d and %d",
                         n->n_out, cJSON_GetArraySize(types), cJSON_GetArraySize(shapes));
    types = types->child;
    shapes = shapes->child;
    for (int i = 0; i < n->n_out; i++, types = types->next, shapes = shapes->next) {
        json_at type_at = json_element(&here, types, i), shape_at = json_element(&here, shapes, i);
        inlay_type type;
        inlay_shape shape;
        if (!json_read_type(s->r->doc, &type_at, &type) ||
            !json_read_shape(s->r->doc, &shape_at, &shape) ||
            !inlay_value_set_fact(&n->out[i], type, shape.rank, shape.dim, s->r->a.d))
            return false;
    }
    return true;
}

/* Refuses a node of a kind that has its own list in the document: "nodes" and that list would have
 * no common order. */
static bool check_kind(json_scope *s, const json_at *at, const inlay_node *n)
{
    static const struct {
        inlay_op_kind kind;
        const char *member;
    } kinds[] = {{INLAY_OP_PARAMETER, "inputs"},
                 {INLAY_OP_CONST, "constants"},
                 {INLAY_OP_RESULT, "outputs"}};

    for (size_t i = 0; i < 3; i++) {
        if (inlay_node_is(n, kinds[i].kind))
            return json_fail(s->r->doc, at, "a %s stands in \"%s\", not in \"nodes\"", n->op->name,
                             kinds[i].member);
    }
    return true;
}

bool json_read_node(json_scope *s, const json_at *at)
{
    const cJSON *m[N_NODE_MEMBERS];
    const char *type;
    int n_in;
    inlay_node *n;

    if (!json_members(s->r->doc, at, node_members, m) ||
        !json_required(s->r->doc, at, m[NODE_NAME], "name") ||
        (type = json_text(s->r->doc, at, m[NODE_TYPE], "type")) == NULL ||
        !count_inputs(s, at, m[NODE_INPUTS], &n_in))
        return false;
    json_common c = {m[NODE_NAME],
                     m[NODE_VERSION],
                     m[NODE_LABEL],
                     m[NODE_TENSOR_NAMES],
                     m[NODE_DIM_NAMES],
                     m[NODE_RT_INFO],
                     m[NODE_OUTPUT_RT_INFO],
                     .missing = s->r->a.options.allow_unknown && strcmp(type, "Const") == 0};
    json_body_members bodies = {m[NODE_BODY],      m[NODE_THEN_BODY],     m[NODE_ELSE_BODY],
                                m[NODE_PORT_MAP],  m[NODE_THEN_PORT_MAP], m[NODE_ELSE_PORT_MAP],
                                m[NODE_BACK_EDGES]};
    json_at attributes = json_member(at, m[NODE_ATTRIBUTES], "attributes");
    n = json_new_node(s->r, at, s->names, type, NULL, &c, n_in, 0);
    if (n == NULL || !check_kind(s, at, n))
        return false;
    n->place = at->index;
    s->nodes[at->index] = n;
    if (m[NODE_ATTRIBUTES] != NULL && !json_read_attrs(s->r, &attributes, n))
        return false;
    if (m[NODE_OUTPUTS] != NULL
            ? !define_outputs(s, at, m[NODE_OUTPUTS], m[NODE_TENSOR_NAMES] != NULL, n)
            : !define_default(s, at, n))
        return false;
    return json_read_ports(s, at, &c, n) &&
           read_facts(s, at, m[NODE_OUTPUT_TYPES], m[NODE_OUTPUT_SHAPES], n) &&
           json_read_bodies(s->r, at, &bodies, s->names, n);
}
