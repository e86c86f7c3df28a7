/* What the elements of an OpenVINO IR file mean: each becomes a record. Only what the format itself
 * demands is checked here, in every layer, also in those that nothing reaches
 * (parser/openvino/README.md 3, 5); what an operation demands is checked when its node is made.
 */
#include "ir/shared.h"
#include "parser/xml/xml.h"

#include <string.h>

void *ov_record(xml_reader *x, size_t size)
{
    void *p = inlay_arena_alloc(x->r->a.scratch, size);

    if (!p) {
        inlay_fail_memory(x->r->a.d);
        x->failed = true;
    }
    return p;
}

bool ov_copy_attr(xml_reader *x, xml_attrs attrs, enum xml_name name, const char **out)
{
    size_t n;
    const char *s = xml_attr(x, attrs, name, &n);

    *out = s ? xml_copy(x, x->r->a.scratch, s, n) : NULL;
    return !s || *out;
}

/* A mandatory attribute of a layer; a WORD comes often. */
static bool need_attr(xml_reader *x, xml_attrs attrs, enum xml_name name, bool word,
                      const char **out)
{
    size_t n;
    const char *s = xml_attr(x, attrs, name, &n);

    if (s) {
        *out = word ? xml_word(x, s, n) : xml_copy(x, x->r->a.scratch, s, n);
        return *out != NULL;
    }
    return xml_fail(x, "<%s> needs the attribute \"%s\"", (const char *)attrs.tag,
                    (const char *)x->names[name]);
}

bool ov_int_attr(xml_reader *x, xml_attrs attrs, enum xml_name name, int64_t lo, int64_t dflt,
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

ov_net *ov_new_net(xml_reader *x, xml_attrs attrs)
{
    ov_net *net = ov_record(x, sizeof *net);

    if (!net)
        return NULL;
    if (!ov_copy_attr(x, attrs, XML_N_name, &net->name))
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

    if (attrs.prefix || inlay_word_compare((const char *)attrs.tag, "net") != 0)
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
    x->root = x->net = ov_new_net(x, attrs);
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
    ov_layer *l = ov_record(x, sizeof *l);
    int64_t id;

    if (!l || !ov_int_attr(x, attrs, XML_N_id, 0, -1, &id) ||
        !need_attr(x, attrs, XML_N_name, false, &l->name) ||
        !need_attr(x, attrs, XML_N_type, true, &l->type) ||
        !need_attr(x, attrs, XML_N_version, true, &l->version) ||
        !ov_copy_attr(x, attrs, XML_N_output_names, &l->output_names))
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

static bool end_layer(xml_reader *x)
{
    bool ok =
        ov_index_ports(x, &x->layer->in, "input") && ov_index_ports(x, &x->layer->out, "output");

    x->layer = NULL;
    return ok;
}

static bool start_data(xml_reader *x, xml_attrs attrs)
{
    ov_layer *l = x->layer;
    ov_pair *pairs;

    if (l->has_data)
        return true;
    pairs = ov_record(x, (size_t)attrs.n * sizeof *pairs);
    if (!pairs)
        return false;
    l->has_data = true;
    for (int i = 0; i < attrs.n; i++) {
        const xmlChar **a = attrs.a + 5 * i;

        if (a[1])
            continue;
        pairs[l->n_data].name = (const char *)a[0]; /* a word of the dictionary */
        pairs[l->n_data].value =
            xml_copy(x, x->r->a.scratch, (const char *)a[3], (size_t)(a[4] - a[3]));
        if (!pairs[l->n_data].value)
            return false;
        l->n_data++;
    }
    l->data = pairs;
    return true;
}

/* Version 10 has no rt_info at layers and ports (parser/openvino/README.md 2): what stands there is
 * ignored. */
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

static bool start_edge(xml_reader *x, xml_attrs attrs)
{
    ov_edge *e = ov_record(x, sizeof *e);

    if (!e || !ov_int_attr(x, attrs, XML_N_from_layer, 0, -1, &e->from_layer) ||
        !ov_int_attr(x, attrs, XML_N_from_port, 0, -1, &e->from_port) ||
        !ov_int_attr(x, attrs, XML_N_to_layer, 0, -1, &e->to_layer) ||
        !ov_int_attr(x, attrs, XML_N_to_port, 0, -1, &e->to_port))
        return false;
    e->line = xml_line(x);
    *x->net->edges_end = e;
    x->net->edges_end = &e->next;
    x->net->n_edges++;
    return true;
}

/* Grouped by parent; within a parent the frequent ones first. */
static const xml_rule rules[] = {
    {XML_ROOT, XML_ANY, XML_NET, ov_start_net, NULL},
    {XML_LAYERS, XML_N_layer, XML_LAYER, start_layer, end_layer},
    {XML_LAYER, XML_N_data, XML_LEAF, start_data, NULL},
    {XML_LAYER, XML_N_input, XML_INPUT, ov_start_inputs, NULL},
    {XML_LAYER, XML_N_output, XML_OUTPUT, ov_start_outputs, NULL},
    {XML_LAYER, XML_N_rt_info, XML_META, start_layer_rt_info, NULL},
    {XML_LAYER, XML_N_body, XML_NET, ov_start_body, ov_end_body},
    {XML_LAYER, XML_N_then_body, XML_NET, ov_start_body, ov_end_body},
    {XML_LAYER, XML_N_else_body, XML_NET, ov_start_body, ov_end_body},
    {XML_LAYER, XML_N_port_map, XML_MAP, ov_start_map, NULL},
    {XML_LAYER, XML_N_then_port_map, XML_MAP, ov_start_map, NULL},
    {XML_LAYER, XML_N_else_port_map, XML_MAP, ov_start_map, NULL},
    {XML_LAYER, XML_N_back_edges, XML_BACK_EDGES, ov_start_back_edges, NULL},
    {XML_INPUT, XML_N_port, XML_PORT, ov_start_port, ov_end_port},
    {XML_OUTPUT, XML_N_port, XML_PORT, ov_start_port, ov_end_port},
    {XML_PORT, XML_N_dim, XML_DIM, ov_start_dim, ov_end_dim},
    {XML_PORT, XML_N_rt_info, XML_META, start_port_rt_info, NULL},
    {XML_EDGES, XML_N_edge, XML_LEAF, start_edge, NULL},
    {XML_MAP, XML_N_input, XML_LEAF, ov_start_map_entry, NULL},
    {XML_MAP, XML_N_output, XML_LEAF, ov_start_map_entry, NULL},
    {XML_BACK_EDGES, XML_N_edge, XML_LEAF, ov_start_back_edge, NULL},
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
