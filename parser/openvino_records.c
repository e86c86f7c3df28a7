/* What the elements of an OpenVINO IR file mean: each becomes a record. Only what the format itself
 * demands is checked here, in every layer, also in those that nothing reaches (openvino-ir.md 3,
 * 5); what an operation demands is checked when its node is made.
 */
#include "parser/xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Zeroed memory for a record; an error when there is none. */
static void *record(xml_reader *x, size_t size)
{
    void *p = inlay_arena_alloc(x->r->arena, size);

    if (!p) {
        inlay_fail_memory(x->r->d);
        x->failed = true;
    }
    return p;
}

static bool copy_attr(xml_reader *x, xml_attrs attrs, enum xml_name name, const char **out)
{
    size_t n;
    const char *s = xml_attr(x, attrs, name, &n);

    *out = s ? xml_copy(x, x->r->arena, s, n) : NULL;
    return !s || *out;
}

/* A mandatory attribute of a layer; a WORD comes often. */
static bool need_attr(xml_reader *x, xml_attrs attrs, enum xml_name name, bool word,
                      const char **out)
{
    size_t n;
    const char *s = xml_attr(x, attrs, name, &n);

    if (s) {
        *out = word ? xml_word(x, s, n) : xml_copy(x, x->r->arena, s, n);
        return *out != NULL;
    }
    return xml_fail(x, "<%s> needs the attribute \"%s\"", (const char *)attrs.tag,
                    (const char *)x->names[name]);
}

/* A number in LO..2^63-1. Absent: DFLT, or an error when that is below LO. */
static bool int_attr(xml_reader *x, xml_attrs attrs, enum xml_name name, int64_t lo, int64_t dflt,
                     int64_t *out)
{
    size_t n;
    const char *s = xml_attr(x, attrs, name, &n);

    *out = dflt;
    if (!s && dflt >= lo)
        return true;
    if (!s)
        return xml_fail(x, "<%s> needs the attribute \"%s\"", (const char *)attrs.tag,
                        (const char *)x->names[name]);
    if (ov_parse_int(s, n, out) && *out >= lo)
        return true;
    if (lo == INT64_MIN)
        return xml_fail(x, "<%s>: %s is \"%.*s\", expected an integer", (const char *)attrs.tag,
                        (const char *)x->names[name], n < 80 ? (int)n : 80, s);
    return xml_fail(x, "<%s>: %s is \"%.*s\", expected a number from %lld to 2^63-1",
                    (const char *)attrs.tag, (const char *)x->names[name], n < 80 ? (int)n : 80, s,
                    (long long)lo);
}

static ov_net *new_net(xml_reader *x, xml_attrs attrs)
{
    ov_net *net = record(x, sizeof *net);

    if (!net)
        return NULL;
    if (!copy_attr(x, attrs, XML_N_name, &net->name))
        return NULL;
    if (!net->name)
        net->name = "";
    net->line = xml_line(x);
    net->end = &net->first;
    net->edges_end = &net->edges;
    net->meta_end = &net->meta;
    return net;
}

bool ov_start_net(xml_reader *x, xml_attrs attrs)
{
    size_t n;
    const char *version;
    int64_t number;

    if (attrs.prefix || strcasecmp((const char *)attrs.tag, "net") != 0)
        return xml_fail(x, "the root element is <%.80s>, an OpenVINO IR has <net>",
                        (const char *)attrs.tag);
    version = xml_attr(x, attrs, XML_N_version, &n);
    if (!version)
        return xml_fail(x, "<net> has no version; OpenVINO IR 10 and 11 are read");
    if (!ov_parse_int(version, n, &number))
        return xml_fail(x, "the version of <net> is \"%.*s\", expected 10 or 11",
                        n < 80 ? (int)n : 80, version);
    if (number != 10 && number != 11)
        return xml_fail(x, "OpenVINO IR version %lld is not supported, only 10 and 11 are",
                        (long long)number);
    x->root = x->net = new_net(x, attrs);
    if (!x->net)
        return false;
    x->net->version = (int)number;
    return true;
}

static bool start_layers(xml_reader *x, xml_attrs attrs)
{
    (void)attrs;
    if (x->net->has_layers)
        return xml_fail(x, "a second <layers> in one net");
    x->net->has_layers = true;
    return true;
}

static bool refuse_pre_process(xml_reader *x, xml_attrs attrs)
{
    (void)attrs;
    return xml_fail(x,
                    "<pre-process> (legacy input normalisation) is not supported, and the numbers "
                    "would be wrong without it");
}

static bool start_net_meta(xml_reader *x, xml_attrs attrs)
{
    x->meta_end[x->depth] = x->net->meta_end;
    if (!xml_meta_start(x, attrs))
        return false;
    x->net->meta_end = x->meta_end[x->depth];
    return true;
}

static bool start_layer(xml_reader *x, xml_attrs attrs)
{
    ov_layer *l = record(x, sizeof *l);
    int64_t id;

    if (!l || !int_attr(x, attrs, XML_N_id, 0, -1, &id) ||
        !need_attr(x, attrs, XML_N_name, false, &l->name) ||
        !need_attr(x, attrs, XML_N_type, true, &l->type) ||
        !need_attr(x, attrs, XML_N_version, true, &l->version) ||
        !copy_attr(x, attrs, XML_N_output_names, &l->output_names))
        return false;
    l->id = id;
    l->line = xml_line(x);
    l->net = x->net;
    l->in.end = &l->in.first;
    l->out.end = &l->out.first;
    l->edges_end = &l->edges;
    *x->net->end = l;
    x->net->end = &l->next;
    x->net->n_layers++;
    x->layer = l;
    return true;
}

static int compare_keys(const void *a, const void *b)
{
    const ov_port_key *p = a, *q = b;

    if (p->id != q->id)
        return p->id < q->id ? -1 : 1;
    return (p->position > q->position) - (p->position < q->position);
}

/* Ids that do not count up by one need a sorted index. */
static bool index_ports(xml_reader *x, ov_ports *ports, const char *what)
{
    int i = 0;

    if (ports->counted || ports->n == 0)
        return true;
    ports->by_id = inlay_arena_array(x->r->arena, (size_t)ports->n, sizeof *ports->by_id);
    if (!ports->by_id)
        return inlay_fail_memory(x->r->d);
    for (const ov_port *p = ports->first; p; p = p->next, i++)
        ports->by_id[i] = (ov_port_key){p->id, i};
    qsort(ports->by_id, (size_t)ports->n, sizeof *ports->by_id, compare_keys);
    for (i = 1; i < ports->n; i++) {
        if (ports->by_id[i].id == ports->by_id[i - 1].id)
            return xml_fail(x, "two %s ports have the id %lld", what,
                            (long long)ports->by_id[i].id);
    }
    return true;
}

static bool end_layer(xml_reader *x)
{
    bool ok = index_ports(x, &x->layer->in, "input") && index_ports(x, &x->layer->out, "output");

    x->layer = NULL;
    return ok;
}

static bool start_data(xml_reader *x, xml_attrs attrs)
{
    ov_layer *l = x->layer;
    ov_pair *pairs;

    if (l->has_data)
        return true;
    pairs = record(x, (size_t)attrs.n * sizeof *pairs);
    if (!pairs)
        return false;
    l->has_data = true;
    for (int i = 0; i < attrs.n; i++) {
        const xmlChar **a = attrs.a + 5 * i;

        if (a[1])
            continue;
        pairs[l->n_data].name = (const char *)a[0]; /* a word of the dictionary */
        pairs[l->n_data].value =
            xml_copy(x, x->r->arena, (const char *)a[3], (size_t)(a[4] - a[3]));
        if (!pairs[l->n_data].value)
            return false;
        l->n_data++;
    }
    l->data = pairs;
    return true;
}

/* Version 10 has no rt_info at layers and ports: what stands there is ignored (openvino-ir.md 2).
 */
static bool start_rt_info(xml_reader *x, inlay_meta **list)
{
    if (x->root->version < 11 || *list) {
        x->kinds[x->depth] = XML_SKIP;
        return true;
    }
    x->meta[x->depth] = NULL;
    x->meta_end[x->depth + 1] = list;
    x->text.n = 0;
    return true;
}

static bool start_layer_rt_info(xml_reader *x, xml_attrs attrs)
{
    (void)attrs;
    return start_rt_info(x, &x->layer->rt_info);
}

static bool start_port_rt_info(xml_reader *x, xml_attrs attrs)
{
    (void)attrs;
    return start_rt_info(x, &x->port->rt_info);
}

/* The first <input> and <output> of a layer count. */
static bool start_ports(xml_reader *x, ov_ports *ports)
{
    if (ports->seen)
        x->kinds[x->depth] = XML_SKIP;
    ports->seen = true;
    x->ports = ports;
    return true;
}

static bool start_inputs(xml_reader *x, xml_attrs attrs)
{
    (void)attrs;
    return start_ports(x, &x->layer->in);
}

static bool start_outputs(xml_reader *x, xml_attrs attrs)
{
    (void)attrs;
    return start_ports(x, &x->layer->out);
}

/* The precision of an input is optional and unread by OpenVINO (3.3), so an unknown one is no
 * error. */
static bool port_precision(xml_reader *x, xml_attrs attrs, bool output)
{
    ov_port *port = x->port;
    size_t n;
    const char *s = xml_attr(x, attrs, XML_N_precision, &n);

    if (!s && output)
        return xml_fail(x, "output port %lld has no precision", (long long)port->id);
    if (!s)
        return true;
    if (n > 0 && n < sizeof x->precision) {
        if (strncmp(x->precision, s, n) != 0 || x->precision[n]) {
            memcpy(x->precision, s, n);
            x->precision[n] = '\0';
            if (!inlay_type_by_xml(x->precision, &x->type))
                x->precision[0] = '\0';
        }
        port->type = x->type;
        if (x->precision[0])
            return true;
    }
    port->type = INLAY_DYNAMIC;
    return !output || xml_fail(x, "output port %lld has the unknown precision \"%.*s\"",
                               (long long)port->id, n < 40 ? (int)n : 40, s);
}

static bool append_port(xml_reader *x, const ov_port *port)
{
    ov_port *copy = record(x, sizeof *copy);

    if (!copy)
        return false;
    *copy = *port;
    *x->ports->end = copy;
    x->ports->end = &copy->next;
    x->port = copy;
    return true;
}

/* Inputs whose ids count up by one have no records, until one does not. */
static bool keep_input(xml_reader *x)
{
    ov_ports *ports = x->ports;

    if (ports->counted && ports->n > 0 && x->input.id - ports->first_id != ports->n) {
        for (int i = 0; i < ports->n; i++) {
            if (!append_port(x, &(ov_port){.id = ports->first_id + i}))
                return false;
        }
        ports->counted = false;
    }
    return ports->counted || append_port(x, &x->input);
}

static bool start_port(xml_reader *x, xml_attrs attrs)
{
    ov_ports *ports = x->ports;
    bool output = ports == &x->layer->out;

    x->input = (ov_port){.next = NULL};
    x->port = &x->input;
    x->n_dims = 0;
    if (!int_attr(x, attrs, XML_N_id, 0, -1, &x->input.id))
        return false;
    if (ports->n == 0) {
        ports->first_id = x->input.id;
        ports->counted = true;
    }
    if (output) {
        ports->counted = ports->counted && x->input.id - ports->first_id == ports->n;
        if (!append_port(x, &x->input))
            return false;
    } else if (!keep_input(x)) {
        return false;
    }
    ports->n++;
    return port_precision(x, attrs, output) &&
           (!output || copy_attr(x, attrs, XML_N_names, &x->port->names));
}

static bool end_port(xml_reader *x)
{
    int64_t *dims;

    if (x->n_dims == 0 || x->ports == &x->layer->in)
        return true;
    dims = record(x, (size_t)x->n_dims * sizeof *dims);
    if (!dims)
        return false;
    memcpy(dims, x->dims, (size_t)x->n_dims * sizeof *dims);
    x->port->dims = dims;
    x->port->n_dims = x->n_dims;
    return true;
}

static bool start_dim(xml_reader *x, xml_attrs attrs)
{
    (void)attrs;
    x->text.n = 0;
    return true;
}

static bool end_dim(xml_reader *x)
{
    const char *side = x->ports == &x->layer->out ? "output" : "input";
    size_t n = x->text.n;
    int64_t dim;

    if (!ov_parse_int(x->text.bytes, n, &dim) || dim < -1)
        return xml_fail(x, "%s port %lld: dim \"%.*s\" is not a number from -1 up", side,
                        (long long)x->port->id, n < 40 ? (int)n : 40, n ? x->text.bytes : "");
    if (x->n_dims == INLAY_MAX_RANK)
        return xml_fail(x, "%s port %lld has more than %d dims", side, (long long)x->port->id,
                        INLAY_MAX_RANK);
    x->dims[x->n_dims++] = dim;
    return true;
}

static bool start_edge(xml_reader *x, xml_attrs attrs)
{
    ov_edge *e = record(x, sizeof *e);

    if (!e || !int_attr(x, attrs, XML_N_from_layer, 0, -1, &e->from_layer) ||
        !int_attr(x, attrs, XML_N_from_port, 0, -1, &e->from_port) ||
        !int_attr(x, attrs, XML_N_to_layer, 0, -1, &e->to_layer) ||
        !int_attr(x, attrs, XML_N_to_port, 0, -1, &e->to_port))
        return false;
    e->line = xml_line(x);
    *x->net->edges_end = e;
    x->net->edges_end = &e->next;
    x->net->n_edges++;
    return true;
}

/* Bodies (openvino-ir.md 6) */

static ov_body *body_of(xml_reader *x, int role)
{
    ov_layer *l = x->layer;

    if (!l->bodies) {
        l->bodies = record(x, OV_N_ROLES * sizeof *l->bodies);
        if (!l->bodies)
            return NULL;
        for (int i = 0; i < OV_N_ROLES; i++) {
            l->bodies[i].in.end = &l->bodies[i].in.first;
            l->bodies[i].out.end = &l->bodies[i].out.first;
            l->bodies[i].back_end = &l->bodies[i].back;
        }
    }
    return &l->bodies[role];
}

static int role_of(const xml_reader *x, const xmlChar *tag)
{
    if (tag == x->names[XML_N_then_body] || tag == x->names[XML_N_then_port_map])
        return OV_THEN_BODY;
    if (tag == x->names[XML_N_else_body] || tag == x->names[XML_N_else_port_map])
        return OV_ELSE_BODY;
    return OV_BODY;
}

static bool start_body(xml_reader *x, xml_attrs attrs)
{
    int role = role_of(x, attrs.tag);
    ov_body *body = body_of(x, role);
    ov_net *net;

    if (!body)
        return false;
    if (body->net)
        return xml_fail(x, "a second <%s>", ov_role(role));
    if (x->net->depth == INLAY_MAX_BODY_DEPTH)
        return xml_fail(x, "bodies are nested more than %d deep", INLAY_MAX_BODY_DEPTH);
    net = new_net(x, attrs);
    if (!net)
        return false;
    net->version = x->net->version;
    net->depth = x->net->depth + 1;
    net->owner = x->layer;
    body->net = net;
    x->net = net;
    x->layer = NULL;
    return true;
}

static bool end_body(xml_reader *x)
{
    x->layer = x->net->owner;
    if (!x->net->has_layers)
        return xml_fail(x, "a body has no <layers>");
    x->net = x->layer->net;
    return true;
}

static bool start_map(xml_reader *x, xml_attrs attrs)
{
    x->body = body_of(x, role_of(x, attrs.tag));
    return x->body != NULL;
}

static bool map_purpose(xml_reader *x, xml_attrs attrs, bool output, ov_map *m)
{
    size_t n;
    const char *s = xml_attr(x, attrs, XML_N_purpose, &n);
    const char *word = output ? "execution_condition" : "current_iteration";

    m->purpose = INLAY_PORT_PLAIN;
    if (!s || n == 0)
        return true;
    if (n != strlen(word) || memcmp(s, word, n) != 0)
        return xml_fail(x, "<%s>: purpose is \"%.*s\", expected \"%s\"", (const char *)attrs.tag,
                        n < 40 ? (int)n : 40, s, word);
    m->purpose = output ? INLAY_PORT_CONDITION : INLAY_PORT_ITERATION;
    return true;
}

static bool start_map_entry(xml_reader *x, xml_attrs attrs)
{
    bool output = attrs.tag == x->names[XML_N_output];
    ov_maps *maps = output ? &x->body->out : &x->body->in;
    ov_map *m = record(x, sizeof *m);
    size_t n;

    if (!m || !int_attr(x, attrs, XML_N_external_port_id, -1, -2, &m->external) ||
        !int_attr(x, attrs, XML_N_internal_layer_id, 0, -1, &m->internal) ||
        !int_attr(x, attrs, XML_N_axis, INT64_MIN, 0, &m->axis) ||
        !int_attr(x, attrs, XML_N_start, INT64_MIN, 0, &m->start) ||
        !int_attr(x, attrs, XML_N_end, INT64_MIN, -1, &m->end) ||
        !int_attr(x, attrs, XML_N_stride, INT64_MIN, 1, &m->stride) ||
        !int_attr(x, attrs, XML_N_part_size, INT64_MIN, 1, &m->part_size) ||
        !map_purpose(x, attrs, output, m))
        return false;
    m->has_axis = xml_attr(x, attrs, XML_N_axis, &n) != NULL;
    m->line = xml_line(x);
    *maps->end = m;
    maps->end = &m->next;
    maps->n++;
    return true;
}

static bool start_back_edges(xml_reader *x, xml_attrs attrs)
{
    (void)attrs;
    x->body = body_of(x, OV_BODY);
    return x->body != NULL;
}

static bool start_back_edge(xml_reader *x, xml_attrs attrs)
{
    ov_edge *e = record(x, sizeof *e);

    if (!e || !int_attr(x, attrs, XML_N_from_layer, 0, -1, &e->from_layer) ||
        !int_attr(x, attrs, XML_N_to_layer, 0, -1, &e->to_layer))
        return false;
    e->line = xml_line(x);
    *x->body->back_end = e;
    x->body->back_end = &e->next;
    x->body->n_back++;
    return true;
}

/* Grouped by parent; within a parent the frequent ones first. */
static const xml_rule rules[] = {
    {XML_ROOT, XML_ANY, XML_NET, ov_start_net, NULL},
    {XML_LAYERS, XML_N_layer, XML_LAYER, start_layer, end_layer},
    {XML_LAYER, XML_N_data, XML_LEAF, start_data, NULL},
    {XML_LAYER, XML_N_input, XML_INPUT, start_inputs, NULL},
    {XML_LAYER, XML_N_output, XML_OUTPUT, start_outputs, NULL},
    {XML_LAYER, XML_N_rt_info, XML_META, start_layer_rt_info, NULL},
    {XML_LAYER, XML_N_body, XML_NET, start_body, end_body},
    {XML_LAYER, XML_N_then_body, XML_NET, start_body, end_body},
    {XML_LAYER, XML_N_else_body, XML_NET, start_body, end_body},
    {XML_LAYER, XML_N_port_map, XML_MAP, start_map, NULL},
    {XML_LAYER, XML_N_then_port_map, XML_MAP, start_map, NULL},
    {XML_LAYER, XML_N_else_port_map, XML_MAP, start_map, NULL},
    {XML_LAYER, XML_N_back_edges, XML_BACK_EDGES, start_back_edges, NULL},
    {XML_INPUT, XML_N_port, XML_PORT, start_port, end_port},
    {XML_OUTPUT, XML_N_port, XML_PORT, start_port, end_port},
    {XML_PORT, XML_N_dim, XML_DIM, start_dim, end_dim},
    {XML_PORT, XML_N_rt_info, XML_META, start_port_rt_info, NULL},
    {XML_EDGES, XML_N_edge, XML_LEAF, start_edge, NULL},
    {XML_MAP, XML_N_input, XML_LEAF, start_map_entry, NULL},
    {XML_MAP, XML_N_output, XML_LEAF, start_map_entry, NULL},
    {XML_BACK_EDGES, XML_N_edge, XML_LEAF, start_back_edge, NULL},
    {XML_NET, XML_N_layers, XML_LAYERS, start_layers, NULL},
    {XML_NET, XML_N_edges, XML_EDGES, NULL, NULL},
    {XML_NET, XML_N_pre_process, XML_SKIP, refuse_pre_process, NULL},
    {XML_NET, XML_ANY, XML_META, start_net_meta, NULL},
};

const xml_rule *ov_element_rule(const xml_reader *x, enum xml_kind parent, const xmlChar *name)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const xml_rule *rule = &rules[i];

        if (rule->parent == parent && (rule->name == XML_ANY || x->names[rule->name] == name))
            return rule;
    }
    return NULL;
}

bool ov_end_document(xml_reader *x)
{
    if (x->root && x->root->has_layers)
        return true;
    return xml_fail(x, "<net> has no <layers>");
}
