/* Members of all kinds of nodes (a name, a version, a label, tensor names, metadata), and types and
 * shapes, which several members contain. */
#include "ir/shared.h"
#include "parser/json/read.h"

#include <stdlib.h>
#include <string.h>

bool json_read_type(const json_doc *doc, const json_at *at, inlay_type *out)
{
    if (!cJSON_IsString(at->item))
        return json_wrong(doc, at, "an element type");
    return inlay_type_by_name(at->item->valuestring, out) ||
           json_wrong(doc, at, "an element type (\"f32\", \"i64\", \"boolean\", ...)");
}

static bool read_dim(const json_doc *doc, const json_at *at, inlay_dim *out)
{
    static const char wanted[] = "a dimension: a number from 0 on, \"?\" or \"lo..hi\"";
    const char *why;
    int64_t n;

    if (cJSON_IsString(at->item)) {
        const char *text = at->item->valuestring;
        if (*text == '\0' || text[strspn(text, "0123456789.?")] != '\0') /* no blanks, no -1 */
            return json_wrong(doc, at, wanted);
        return inlay_dim_parse(text, strlen(text), out, &why) ||
               json_fail(doc, at, "\"%.80s\": %s", text, why);
    }
    if (!cJSON_IsNumber(at->item))
        return json_wrong(doc, at, wanted);
    if (!json_int(doc, at, &n))
        return false;
    if (n < 0)
        return json_fail(doc, at, "%lld is not %s", (long long)n, wanted);
    *out = inlay_dim_of(n);
    return true;
}

bool json_read_shape(const json_doc *doc, const json_at *at, inlay_shape *out)
{
    out->rank = -1;
    if (cJSON_IsString(at->item) && strcmp(at->item->valuestring, "...") == 0)
        return true;
    if (!cJSON_IsArray(at->item))
        return json_wrong(doc, at, "a shape: a list of dimensions, or \"...\"");
    out->rank = 0;
    for (const cJSON *item = at->item->child; item != NULL; item = item->next) {
        json_at here = json_element(at, item, out->rank);
        if (out->rank == INLAY_MAX_RANK)
            return json_fail(doc, at, "a shape has at most %d dimensions", INLAY_MAX_RANK);
        if (!read_dim(doc, &here, &out->dim[out->rank++]))
            return false;
    }
    return true;
}

/* Checks a node's name: no other node of the graph may have it, and it must not be "", which stands
 * for an absent input. */
static bool check_name(json_reader *r, const json_at *at, const inlay_graph *g, const char *name,
                       const cJSON *item)
{
    json_at here = json_member(at, item, "name");
    const inlay_node *other;

    if (*name == '\0')
        return json_fail(r->doc, &here, "a name must not be empty");
    other = inlay_graph_node(g, name);
    return other == NULL ||
           json_fail(r->doc, &here, "the name \"%.200s\" is taken by the node of line %u", name,
                     other->line);
}

/* Several layers of an XML file may have the same name, which is then the label of the nodes made
 * from them. */
static bool set_label(json_reader *r, const json_at *at, const cJSON *label, inlay_node *n)
{
    const char *text;

    if (label == NULL)
        return true;
    text = json_text(r->doc, at, label, "label");
    if (text == NULL)
        return false;
    n->label = assemble_string(&r->a, text);
    return n->label != NULL;
}

inlay_node *json_new_node(json_reader *r, const json_at *at, assemble_scope *s, const char *type,
                          const char *dflt, const json_common *c, int n_in, int n_out)
{
    assemble_spec spec = {type, NULL, -1, c->missing ? ASSEMBLE_STAND_IN : ASSEMBLE_EITHER};
    assemble_record record = {
        .name = dflt, .n_in = n_in, .n_out = n_out, .line = json_line(r->doc, at->item)};
    const inlay_op *op;
    inlay_node *n;

    if (c->name != NULL && ((record.name = json_text(r->doc, at, c->name, "name")) == NULL ||
                            !check_name(r, at, s->graph, record.name, c->name)))
        return NULL;
    if (c->version != NULL &&
        (record.version = json_text(r->doc, at, c->version, "version")) == NULL)
        return NULL;
    spec.version = record.version == NULL && c->missing ? "opset1" : record.version;
    op = assemble_row(s, &spec, at);
    n = op == NULL ? NULL : assemble_node(s, op, &record);
    if (n == NULL || !set_label(r, at, c->label, n))
        return NULL;
    if (c->rt_info != NULL) {
        json_at here = json_member(at, c->rt_info, "rt_info");
        if (!json_read_meta(r, &here, s->graph, &n->rt_info))
            return NULL;
    }
    return n;
}

/* Reads a list of strings as the tensor names of V. */
static bool set_names(json_scope *s, const json_at *at, inlay_value *v)
{
    json_reader *r = s->r;
    int count = cJSON_GetArraySize(at->item), i = 0;
    const char **names;
    bool ok = true;

    if (!cJSON_IsArray(at->item))
        return json_wrong(r->doc, at, "a list of tensor names");
    names = inlay_take(inlay_node_budget(v->node), (size_t)count + 1, sizeof(*names));
    if (names == NULL)
        return inlay_fail_memory(r->a.d);
    for (const cJSON *item = at->item->child; ok && item != NULL; item = item->next, i++) {
        json_at here = json_element(at, item, i);
        ok = cJSON_IsString(item) || json_wrong(r->doc, &here, "a tensor name");
        names[i] = item->valuestring;
    }
    ok = ok && inlay_value_set_names(v, names, count, r->a.d);
    inlay_give(names);
    return ok;
}

static bool set_port_meta(json_scope *s, const json_at *at, inlay_value *v)
{
    return json_read_meta(s->r, at, v->node->graph, &v->rt_info);
}

/* Reads a list of the names of V's dims, null for one without a name. */
static bool set_dim_names(json_scope *s, const json_at *at, inlay_value *v)
{
    int axis = 0;

    if (!cJSON_IsArray(at->item))
        return json_wrong(s->r->doc, at, "a list of names of dimensions");
    for (const cJSON *item = at->item->child; item != NULL; item = item->next, axis++) {
        json_at here = json_element(at, item, axis);
        if (cJSON_IsNull(item))
            continue;
        if (!cJSON_IsString(item) || *item->valuestring == '\0')
            return json_wrong(s->r->doc, &here, "the name of a dimension, or null");
        if (!assemble_dim_name(s->names, v, axis, item->valuestring))
            return false;
    }
    return true;
}

/* Calls SET for each output of N with its entry of a list. A node with one output may leave out the
 * outer list of names (INNER_ONLY). */
static bool per_output(json_scope *s, const json_at *at, inlay_node *n, bool inner_only,
                       bool (*set)(json_scope *s, const json_at *at, inlay_value *v))
{
    int i = 0;

    if (!cJSON_IsArray(at->item))
        return json_wrong(s->r->doc, at, "a list");
    if (inner_only && n->n_out == 1 && !cJSON_IsArray(at->item->child))
        return set(s, at, &n->out[0]);
    if (cJSON_GetArraySize(at->item) != n->n_out)
        return json_fail(s->r->doc, at, "there %s %d entr%s, the node has %d output%s",
                         inlay_plural(cJSON_GetArraySize(at->item), "is", "are"),
                         cJSON_GetArraySize(at->item),
                         inlay_plural(cJSON_GetArraySize(at->item), "y", "ies"), n->n_out,
                         inlay_plural(n->n_out, "", "s"));
    for (const cJSON *item = at->item->child; item != NULL; item = item->next, i++) {
        json_at here = json_element(at, item, i);
        if (!set(s, &here, &n->out[i]))
            return false;
    }
    return true;
}

bool json_read_ports(json_scope *s, const json_at *at, const json_common *c, inlay_node *n)
{
    json_at names = json_member(at, c->tensor_names, "tensor_names");
    json_at dims = json_member(at, c->dim_names, "dim_names");
    json_at meta = json_member(at, c->output_rt_info, "output_rt_info");

    return (c->tensor_names == NULL || per_output(s, &names, n, true, set_names)) &&
           (c->dim_names == NULL || per_output(s, &dims, n, true, set_dim_names)) &&
           (c->output_rt_info == NULL || per_output(s, &meta, n, false, set_port_meta));
}
