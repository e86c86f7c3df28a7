/* <body>, <port_map>, <back_edges> and the same of If's branches (parser/openvino/README.md 6). */
#include "parser/openvino/parse.h"

#include <string.h>

ov_net *ov_new_net(xml_reader *x, xml_attrs attrs)
{
    ov_net *net = xml_alloc(x, sizeof *net);

    if (!net || !xml_copy_attr(x, attrs, OV_NAME_name, &net->name))
        return NULL;
    if (!net->name)
        net->name = "";
    net->line = xml_line(x);
    net->end = &net->first;
    net->edges_end = &net->edges;
    net->meta_end = &net->meta;
    return net;
}

static ov_body *body_of(xml_reader *x, int role)
{
    ov_parser *p = x->reader;
    ov_layer *l = p->layer;

    if (!l->bodies) {
        l->bodies = xml_alloc(x, OV_N_ROLES * sizeof *l->bodies);
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
    if (tag == x->names[OV_NAME_then_body] || tag == x->names[OV_NAME_then_port_map])
        return OV_THEN_BODY;
    if (tag == x->names[OV_NAME_else_body] || tag == x->names[OV_NAME_else_port_map])
        return OV_ELSE_BODY;
    return OV_BODY;
}

bool ov_start_body(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;
    int role = role_of(x, attrs.tag);
    ov_body *body = body_of(x, role);
    ov_net *net;

    if (!body)
        return false;
    if (body->net)
        return xml_fail(x, "a second <%s>", ov_role(role));
    if (p->net->depth == INLAY_MAX_BODY_DEPTH)
        return xml_fail(x, "bodies are nested more than %d deep", INLAY_MAX_BODY_DEPTH);
    net = ov_new_net(x, attrs);
    if (!net)
        return false;
    net->version = p->net->version;
    net->depth = p->net->depth + 1;
    net->owner = p->layer;
    body->net = net;
    p->net = net;
    p->layer = NULL;
    return true;
}

bool ov_end_body(xml_reader *x)
{
    ov_parser *p = x->reader;

    p->layer = p->net->owner;
    if (!p->net->has_layers)
        return xml_fail(x, "a body has no <layers>");
    p->net = p->layer->net;
    return true;
}

bool ov_start_map(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;

    p->body = body_of(x, role_of(x, attrs.tag));
    return p->body != NULL;
}

static bool map_purpose(xml_reader *x, xml_attrs attrs, bool output, ov_map *m)
{
    size_t n;
    const char *s = xml_attr(x, attrs, OV_NAME_purpose, &n);
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

bool ov_start_map_entry(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;
    bool output = attrs.tag == x->names[OV_NAME_output];
    ov_maps *maps = output ? &p->body->out : &p->body->in;
    ov_map *m = xml_alloc(x, sizeof *m);
    size_t n;

    if (!m || !xml_int_attr(x, attrs, OV_NAME_external_port_id, -1, -2, &m->external) ||
        !xml_int_attr(x, attrs, OV_NAME_internal_layer_id, 0, -1, &m->internal) ||
        !xml_int_attr(x, attrs, OV_NAME_axis, INT64_MIN, 0, &m->axis) ||
        !xml_int_attr(x, attrs, OV_NAME_start, INT64_MIN, 0, &m->start) ||
        !xml_int_attr(x, attrs, OV_NAME_end, INT64_MIN, -1, &m->end) ||
        !xml_int_attr(x, attrs, OV_NAME_stride, INT64_MIN, 1, &m->stride) ||
        !xml_int_attr(x, attrs, OV_NAME_part_size, INT64_MIN, 1, &m->part_size) ||
        !map_purpose(x, attrs, output, m))
        return false;
    m->has_axis = xml_attr(x, attrs, OV_NAME_axis, &n) != NULL;
    m->line = xml_line(x);
    *maps->end = m;
    maps->end = &m->next;
    maps->n++;
    return true;
}

bool ov_start_back_edges(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;

    (void)attrs;
    p->body = body_of(x, OV_BODY);
    return p->body != NULL;
}

bool ov_start_back_edge(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;
    ov_edge *e = xml_alloc(x, sizeof *e);

    if (!e || !xml_int_attr(x, attrs, OV_NAME_from_layer, 0, -1, &e->from_layer) ||
        !xml_int_attr(x, attrs, OV_NAME_to_layer, 0, -1, &e->to_layer))
        return false;
    e->line = xml_line(x);
    *p->body->back_end = e;
    p->body->back_end = &e->next;
    p->body->n_back++;
    return true;
}
