/* Reads a JSON graph, whose format models/graph.schema.json describes. All nodes are made first
 * (nodes.c) and named; then operands are connected and the Results made; then the graph is
 * inferred, and the notes are read. */
#include "parser/json/read.h"
#include "ir/shared.h"
#include "parser/formats.h"

#include <string.h>

enum { FORMAT_VERSION = 1 };

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* Calls READ for each element of LIST, member KEY of AT; an absent list is empty. */
static bool each(json_scope *s, const json_at *at, const cJSON *list, const char *key,
                 bool (*read)(json_scope *s, const json_at *at))
{
    json_at here = json_member(at, list, key);
    int i = 0;

    if (list == NULL)
        return true;
    if (!cJSON_IsArray(list))
        return json_wrong(s->r->doc, &here, "a list");
    for (const cJSON *item = list->child; item != NULL; item = item->next, i++) {
        json_at element = json_element(&here, item, i);
        if (!read(s, &element))
            return false;
    }
    return true;
}

static bool connect_node(json_scope *s, const json_at *at)
{
    inlay_node *n = s->nodes[at->index];
    const cJSON *list = member(at->item, "inputs");
    json_at here = json_member(at, list, "inputs");
    const cJSON *item = list != NULL ? list->child : NULL;

    for (int i = 0; i < n->n_in; i++, item = item->next) {
        json_at element = json_element(&here, item, i);
        json_use use;
        assemble_ref ref;
        if (cJSON_IsNull(item) || (cJSON_IsString(item) && item->valuestring[0] == '\0'))
            continue;
        if (!json_read_ref(s, &element, &use, &ref) || !assemble_operand(s->names, n, i, &ref))
            return false;
    }
    return true;
}

/* Reads an entry of "outputs", which makes a Result: the name of a value, or {"value": ..., "name":
 * ...}. */
static bool read_output(json_scope *s, const json_at *at)
{
    enum { VALUE, NAME, VERSION, LABEL, RT_INFO, OUTPUT_NAMES, N };
    static json_names names = {"value",   "name",         "version", "label",
                               "rt_info", "output_names", NULL};
    const cJSON *m[N] = {NULL};
    const char *output_names = NULL;
    inlay_strbuf dflt = {0};
    assemble_ref ref;
    json_use use;
    inlay_value *v;
    inlay_node *n;

    if (cJSON_IsObject(at->item)) {
        if (!json_members(s->r->doc, at, names, m) ||
            !json_required(s->r->doc, at, m[VALUE], "value"))
            return false;
        if (m[OUTPUT_NAMES] != NULL &&
            (output_names = json_text(s->r->doc, at, m[OUTPUT_NAMES], "output_names")) == NULL)
            return false;
    } else if (!cJSON_IsString(at->item)) {
        return json_wrong(s->r->doc, at, "the name of a value, or an object");
    }
    json_at value = m[VALUE] != NULL ? json_member(at, m[VALUE], "value") : *at;
    if (!json_read_ref(s, &value, &use, &ref) || (v = assemble_value(s->names, &ref)) == NULL)
        return false;
    json_common c = {m[NAME], m[VERSION], m[LABEL], NULL, NULL, m[RT_INFO], NULL, false};
    inlay_strbuf_printf(&dflt, JSON_RESULT_NAME, value.item->valuestring);
    n = dflt.failed ? NULL : json_new_node(s->r, at, s->names, "Result", dflt.bytes, &c, 1, 0);
    if (dflt.failed)
        inlay_fail_memory(s->r->a.d);
    inlay_strbuf_free(&dflt);
    if (n == NULL || !inlay_node_set_input(n, 0, v, s->r->a.d))
        return false;
    if (output_names != NULL)
        n->result_names = assemble_string(&s->r->a, output_names);
    return output_names == NULL || n->result_names != NULL;
}

/* Makes REF refer to the node that member KEY of AT names: by its own name, or by that of a value.
 */
static bool read_node(json_scope *s, const json_at *at, const cJSON *item, const char *key,
                      assemble_ref *ref)
{
    json_at here = json_member(at, item, key);
    const char *text = json_text(s->r->doc, at, item, key);
    assemble_name *name = text ? inlay_arena_array(s->r->a.scratch, 1, sizeof *name) : NULL;

    if (text == NULL)
        return false;
    if (name == NULL)
        return inlay_fail_memory(s->r->a.d);
    *ref = (assemble_ref){name, -1, NULL};
    assemble_define(name, inlay_graph_node(s->g, text), -1, 0);
    return name->node != NULL || json_fail(s->r->doc, &here, "there is no node \"%.200s\"", text);
}

/* Reads an entry of "grounds" of the note of V. */
static bool read_ground(json_scope *s, const json_at *at, inlay_value *v)
{
    static json_names names = {"condition", "node", NULL};
    const cJSON *m[2];
    const char *word;
    inlay_condition condition;
    assemble_ref node;

    if (!json_members(s->r->doc, at, names, m) ||
        (word = json_text(s->r->doc, at, m[0], names[0])) == NULL ||
        !read_node(s, at, m[1], names[1], &node))
        return false;
    condition = inlay_condition_named(word);
    if (!*inlay_condition_kept(condition))
        return json_fail(
            s->r->doc, at,
            "\"%.80s\" is no condition on which a note can rely (\"O3 no-later-read\")", word);
    return assemble_ground(s->names, v, condition, &node);
}

/* Reads "grounds", what the note of V relies on; they may be absent. */
static bool read_grounds(json_scope *s, const json_at *at, const cJSON *list, inlay_value *v)
{
    json_at here = json_member(at, list, "grounds");
    int i = 0;

    if (list == NULL)
        return true;
    if (!cJSON_IsArray(list))
        return json_wrong(s->r->doc, &here, "a list");
    if (!assemble_grounds(s->names, v))
        return false;
    for (const cJSON *item = list->child; item != NULL; item = item->next, i++) {
        json_at element = json_element(&here, item, i);
        if (!read_ground(s, &element, v))
            return false;
    }
    return true;
}

/* Reads an entry of a node's "notes": null, or the kind and the target of the storage note of V,
 * and perhaps what it relies on. */
static bool read_note(json_scope *s, const json_at *at, inlay_value *v)
{
    enum { KIND, TARGET, GROUNDS, N };
    static json_names names = {"kind", "target", "grounds", NULL};
    const cJSON *m[N];
    const char *kind;
    inlay_note_kind k;
    assemble_ref target;
    json_use use;

    if (cJSON_IsNull(at->item))
        return true;
    if (!json_members(s->r->doc, at, names, m) ||
        (kind = json_text(s->r->doc, at, m[KIND], "kind")) == NULL ||
        !json_required(s->r->doc, at, m[TARGET], "target"))
        return false;
    json_at target_at = json_member(at, m[TARGET], "target");
    if (!json_read_ref(s, &target_at, &use, &target) ||
        assemble_value(s->names, &target) == NULL) /* `use` is gone when notes are set, so the
                                                      target is looked up now */
        return false;
    if (assemble_note_kind(kind, &k))
        return assemble_note(s->names, v, k, &target) && read_grounds(s, at, m[GROUNDS], v);
    return json_fail(s->r->doc, at,
                     "\"%.80s\" is no kind of note (\"view of\", \"overwrites\", \"into\")", kind);
}

static bool read_notes(json_scope *s, const json_at *at)
{
    inlay_node *n = s->nodes[at->index];
    const cJSON *list = member(at->item, "notes");
    json_at here = json_member(at, list, "notes");
    int i = 0;

    if (list == NULL)
        return true;
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != n->n_out)
        return json_fail(s->r->doc, &here, "an entry for each output is expected (%d)", n->n_out);
    for (const cJSON *item = list->child; item != NULL; item = item->next, i++) {
        json_at element = json_element(&here, item, i);
        if (!read_note(s, &element, &n->out[i]))
            return false;
    }
    return true;
}

static bool read_order_edge(json_scope *s, const json_at *at)
{
    static json_names names = {"before", "after", NULL};
    assemble_ref before, after;
    const cJSON *m[2];

    return json_members(s->r->doc, at, names, m) && read_node(s, at, m[0], names[0], &before) &&
           read_node(s, at, m[1], names[1], &after) && assemble_order(s->names, &before, &after);
}

static bool read_variable(json_scope *s, const json_at *at)
{
    enum { NAME, TYPE, SHAPE, N };
    static json_names names = {"name", "type", "shape", NULL};
    const cJSON *m[N];
    inlay_variable *v;
    inlay_type type;
    inlay_shape shape;
    const char *name;
    int before = s->g->n_variables;

    if (!json_members(s->r->doc, at, names, m) ||
        (name = json_text(s->r->doc, at, m[NAME], "name")) == NULL ||
        !json_required(s->r->doc, at, m[TYPE], "type") ||
        !json_required(s->r->doc, at, m[SHAPE], "shape"))
        return false;
    json_at type_at = json_member(at, m[TYPE], "type"),
            shape_at = json_member(at, m[SHAPE], "shape");
    if (!json_read_type(s->r->doc, &type_at, &type) ||
        !json_read_shape(s->r->doc, &shape_at, &shape) ||
        (v = inlay_graph_variable(s->g, name, s->r->a.d)) == NULL)
        return false;
    if (v->index < before)
        return json_fail(s->r->doc, at, "the variable \"%.200s\" is there twice", name);
    return inlay_variable_set(s->g, v, type, shape.rank, shape.dim, s->r->a.d);
}

enum graph_member {
    GRAPH_NAME,
    GRAPH_INPUTS,
    GRAPH_CONSTANTS,
    GRAPH_NODES,
    GRAPH_OUTPUTS,
    GRAPH_ORDER_EDGES,
    GRAPH_META,
    N_BODY_MEMBERS,
    GRAPH_SCHEMA = N_BODY_MEMBERS,
    GRAPH_FORMAT,
    GRAPH_FORMAT_VERSION,
    GRAPH_IR_VERSION,
    GRAPH_VARIABLES,
    GRAPH_WEIGHTS,
    N_GRAPH_MEMBERS
};

static json_names body_members = {"name",    "inputs",      "constants", "nodes",
                                  "outputs", "order_edges", "meta",      NULL};
static json_names graph_members = {
    "name",    "inputs", "constants",      "nodes",      "outputs",   "order_edges", "meta",
    "$schema", "format", "format_version", "ir_version", "variables", "weights",     NULL};

/* Reads the members that only the outermost graph of a document has. */
static bool read_head(json_scope *s, const json_at *at, const cJSON *const *m)
{
    json_at version_at = json_member(at, m[GRAPH_FORMAT_VERSION], "format_version");
    json_at ir_at = json_member(at, m[GRAPH_IR_VERSION], "ir_version");
    const char *format = json_text(s->r->doc, at, m[GRAPH_FORMAT], "format");
    int64_t version, ir = 0;

    if (format == NULL ||
        !json_required(s->r->doc, at, m[GRAPH_FORMAT_VERSION], "format_version") ||
        !json_int(s->r->doc, &version_at, &version))
        return false;
    if (strcmp(format, "inlay-graph") != 0)
        return json_fail(s->r->doc, at, "the format is \"%.80s\", it must be \"inlay-graph\"",
                         format);
    if (version != FORMAT_VERSION)
        return json_fail(s->r->doc, &version_at, "version %lld is not known, %d is",
                         (long long)version, FORMAT_VERSION);
    if (m[GRAPH_IR_VERSION] != NULL &&
        (!json_int(s->r->doc, &ir_at, &ir) || (ir != 10 && ir != 11)))
        return json_fail(s->r->doc, &ir_at, "10 or 11 is expected");
    s->g->ir_version = (int)ir;
    return each(s, at, m[GRAPH_WEIGHTS], "weights", json_read_recorded) &&
           each(s, at, m[GRAPH_VARIABLES], "variables", read_variable);
}

static bool read_name(json_scope *s, const json_at *at, const cJSON *item)
{
    const char *name = item != NULL ? json_text(s->r->doc, at, item, "name") : "";

    if (name == NULL)
        return false;
    s->g->name = assemble_string(&s->r->a, name);
    return s->g->name != NULL;
}

static bool read_members(json_scope *s, const json_at *at, const cJSON *const *m)
{
    json_at meta = json_member(at, m[GRAPH_META], "meta");

    return read_name(s, at, m[GRAPH_NAME]) &&
           each(s, at, m[GRAPH_INPUTS], "inputs", json_read_input) &&
           each(s, at, m[GRAPH_CONSTANTS], "constants", json_read_constant) &&
           each(s, at, m[GRAPH_NODES], "nodes", json_read_node) && assemble_all_defined(s->names) &&
           each(s, at, m[GRAPH_NODES], "nodes", connect_node) &&
           each(s, at, m[GRAPH_OUTPUTS], "outputs", read_output) &&
           (m[GRAPH_META] == NULL || json_read_meta(s->r, &meta, s->g, &s->g->meta)) &&
           (s->g->owner != NULL || assemble_infer(&s->r->a, NULL)) &&
           each(s, at, m[GRAPH_ORDER_EDGES], "order_edges", read_order_edge) &&
           each(s, at, m[GRAPH_NODES], "nodes", read_notes);
}

bool json_read_graph(json_reader *r, const json_at *at, assemble_scope *names, bool top)
{
    const cJSON *m[N_GRAPH_MEMBERS] = {NULL};
    json_scope s = {.r = r, .names = names, .g = names->graph};

    if (!json_members(r->doc, at, top ? graph_members : body_members, m) ||
        (top && !read_head(&s, at, m)))
        return false;
    s.nodes = inlay_arena_array(r->a.scratch, (size_t)cJSON_GetArraySize(m[GRAPH_NODES]),
                                sizeof(inlay_node *));
    return s.nodes != NULL ? read_members(&s, at, m) : inlay_fail_memory(r->a.d);
}

static bool read_document(json_reader *r, const char *bytes, size_t n)
{
    assemble_scope *names;
    json_at root;

    r->a.graph->place_word = "nodes";
    r->doc->budget = r->a.options.budget;
    if (!json_parse(r->doc, bytes, n))
        return false;
    root = json_element(NULL, r->doc->root, 0);
    names = assemble_scope_new(&r->a, NULL, r->a.graph);
    return names != NULL && json_read_graph(r, &root, names, true) && assemble_notes(&r->a);
}

static bool fail_at(void *reader, const void *at, const char *what)
{
    const json_reader *r = reader;

    return json_fail(r->doc, at, "%s", what);
}

inlay_graph *inlay_read_json(const char *name, const char *bytes, size_t n,
                             const inlay_read_options *o, inlay_diags *d)
{
    if (inlay_is_missing(bytes, "text", d))
        return NULL;

    static const assemble_words words = {fail_at, json_unresolved};
    json_doc doc = {.file = name, .d = d};
    json_reader r = {.a.words = &words, .doc = &doc};
    inlay_graph *g;
    bool ok;

    r.a.reader = &r;
    ok = assemble_begin_as(&r.a, name, o, onnx_expand, d) && read_document(&r, bytes, n);
    g = assemble_end(&r.a, ok);
    json_close_files(&r);
    json_free(&doc);
    return g;
}
