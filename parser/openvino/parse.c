/* Makes records from elements. Every layer, reached or not, is checked here for what the format
 * itself requires (parser/openvino/README.md 3, 5). Requirements of operations are checked when the
 * node is made. */
#include "parser/openvino/parse.h"

static bool start_net(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;
    size_t n;
    const char *version;
    int64_t number;

    if (attrs.prefix || inlay_word_compare((const char *)attrs.tag, "net") != 0)
        return xml_fail(x, "the root element is <%.80s>, an OpenVINO IR has <net>",
                        (const char *)attrs.tag);
    version = xml_attr(x, attrs, OV_NAME_version, &n);
    if (!version)
        return xml_fail(x, "<net> has no version; OpenVINO IR 10 and 11 are read");
    if (!xml_parse_int(version, n, &number))
        return xml_fail(x, "the version of <net> is \"%.*s\", expected 10 or 11",
                        n < 80 ? (int)n : 80, version);
    if (number != 10 && number != 11)
        return xml_fail(x, "OpenVINO IR version %lld is not supported, only 10 and 11 are",
                        (long long)number);
    p->root = p->net = ov_new_net(x, attrs);
    if (!p->net)
        return false;
    p->net->version = (int)number;
    return true;
}

static bool start_layers(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;

    (void)attrs;
    if (p->net->has_layers)
        return xml_fail(x, "a second <layers> in one net");
    p->net->has_layers = true;
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
    ov_parser *p = x->reader;

    return xml_tree_append(x, attrs, &p->net->meta_end);
}

/* In a body the element has no meaning, so it is treated like any unknown one. */
static bool start_weights(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;
    const char *sum;
    int64_t size;

    if (p->net != p->root)
        return true;
    if (!xml_int_attr(x, attrs, OV_NAME_size, 0, -1, &size) ||
        !xml_need_attr(x, attrs, OV_NAME_checksum, false, &sum))
        return false;
    if (!checksum_parse(sum, &p->r->recorded.value))
        return xml_fail(x, "the checksum of the weights is \"%.80s\", expected 16 digits of 0-9a-f",
                        sum);
    p->r->recorded.size = (uint64_t)size;
    p->r->recorded_line = xml_line(x);
    return true;
}

static bool start_layer(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;
    ov_layer *l = xml_alloc(x, sizeof *l);
    int64_t id;

    if (!l || !xml_int_attr(x, attrs, OV_NAME_id, 0, -1, &id) ||
        !xml_need_attr(x, attrs, OV_NAME_name, false, &l->name) ||
        !xml_need_attr(x, attrs, OV_NAME_type, true, &l->type) ||
        !xml_need_attr(x, attrs, OV_NAME_version, true, &l->version) ||
        !xml_copy_attr(x, attrs, OV_NAME_output_names, &l->output_names))
        return false;
    l->id = id;
    l->line = xml_line(x);
    l->net = p->net;
    l->in.end = &l->in.first;
    l->out.end = &l->out.first;
    l->edges_end = &l->edges;
    *p->net->end = l;
    p->net->end = &l->next;
    p->net->n_layers++;
    p->layer = l;
    return true;
}

static bool end_layer(xml_reader *x)
{
    ov_parser *p = x->reader;
    bool ok =
        ov_index_ports(x, &p->layer->in, "input") && ov_index_ports(x, &p->layer->out, "output");

    p->layer = NULL;
    return ok;
}

static bool start_data(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;
    ov_layer *l = p->layer;
    ov_pair *pairs;

    if (l->has_data)
        return true;
    pairs = xml_alloc(x, (size_t)attrs.n * sizeof *pairs);
    if (!pairs)
        return false;
    l->has_data = true;
    for (int i = 0; i < attrs.n; i++) {
        const xmlChar **a = attrs.a + 5 * i;

        if (a[1])
            continue;
        pairs[l->n_data].name = (const char *)a[0]; /* a string in the dictionary */
        pairs[l->n_data].value = xml_copy(x, x->arena, (const char *)a[3], (size_t)(a[4] - a[3]));
        if (!pairs[l->n_data].value)
            return false;
        l->n_data++;
    }
    l->data = pairs;
    return true;
}

/* Reads rt_info of a layer or port. In version 10 it has no meaning there and is ignored
 * (parser/openvino/README.md 2). */
static bool start_rt_info(xml_reader *x, inlay_meta **list)
{
    ov_parser *p = x->reader;

    if (p->root->version < 11 || *list)
        xml_skip(x);
    else
        xml_tree_list(x, list);
    return true;
}

static bool start_layer_rt_info(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;

    (void)attrs;
    return start_rt_info(x, &p->layer->rt_info);
}

static bool start_port_rt_info(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;

    (void)attrs;
    return start_rt_info(x, &p->port->rt_info);
}

static bool start_edge(xml_reader *x, xml_attrs attrs)
{
    ov_parser *p = x->reader;
    ov_edge *e = xml_alloc(x, sizeof *e);

    if (!e || !xml_int_attr(x, attrs, OV_NAME_from_layer, 0, -1, &e->from_layer) ||
        !xml_int_attr(x, attrs, OV_NAME_from_port, 0, -1, &e->from_port) ||
        !xml_int_attr(x, attrs, OV_NAME_to_layer, 0, -1, &e->to_layer) ||
        !xml_int_attr(x, attrs, OV_NAME_to_port, 0, -1, &e->to_port))
        return false;
    e->line = xml_line(x);
    *p->net->edges_end = e;
    p->net->edges_end = &e->next;
    p->net->n_edges++;
    return true;
}

/* The rules are grouped by parent; within a parent the frequent elements come first. */
static const xml_rule rules[] = {
    {XML_ROOT, XML_ANY, OV_IN_NET, start_net, NULL},
    {OV_IN_LAYERS, OV_NAME_layer, OV_IN_LAYER, start_layer, end_layer},
    {OV_IN_LAYER, OV_NAME_data, XML_SKIP, start_data, NULL},
    {OV_IN_LAYER, OV_NAME_input, OV_IN_INPUT, ov_start_inputs, NULL},
    {OV_IN_LAYER, OV_NAME_output, OV_IN_OUTPUT, ov_start_outputs, NULL},
    {OV_IN_LAYER, OV_NAME_rt_info, XML_TREE, start_layer_rt_info, NULL},
    {OV_IN_LAYER, OV_NAME_body, OV_IN_NET, ov_start_body, ov_end_body},
    {OV_IN_LAYER, OV_NAME_then_body, OV_IN_NET, ov_start_body, ov_end_body},
    {OV_IN_LAYER, OV_NAME_else_body, OV_IN_NET, ov_start_body, ov_end_body},
    {OV_IN_LAYER, OV_NAME_port_map, OV_IN_MAP, ov_start_map, NULL},
    {OV_IN_LAYER, OV_NAME_then_port_map, OV_IN_MAP, ov_start_map, NULL},
    {OV_IN_LAYER, OV_NAME_else_port_map, OV_IN_MAP, ov_start_map, NULL},
    {OV_IN_LAYER, OV_NAME_back_edges, OV_IN_BACK_EDGES, ov_start_back_edges, NULL},
    {OV_IN_INPUT, OV_NAME_port, OV_IN_PORT, ov_start_port, ov_end_port},
    {OV_IN_OUTPUT, OV_NAME_port, OV_IN_PORT, ov_start_port, ov_end_port},
    {OV_IN_PORT, OV_NAME_dim, XML_TEXT, NULL, ov_end_dim},
    {OV_IN_PORT, OV_NAME_rt_info, XML_TREE, start_port_rt_info, NULL},
    {OV_IN_EDGES, OV_NAME_edge, XML_SKIP, start_edge, NULL},
    {OV_IN_MAP, OV_NAME_input, XML_SKIP, ov_start_map_entry, NULL},
    {OV_IN_MAP, OV_NAME_output, XML_SKIP, ov_start_map_entry, NULL},
    {OV_IN_BACK_EDGES, OV_NAME_edge, XML_SKIP, ov_start_back_edge, NULL},
    {OV_IN_NET, OV_NAME_layers, OV_IN_LAYERS, start_layers, NULL},
    {OV_IN_NET, OV_NAME_edges, OV_IN_EDGES, NULL, NULL},
    {OV_IN_NET, OV_NAME_inlay_weights, XML_SKIP, start_weights, NULL},
    {OV_IN_NET, OV_NAME_pre_process, XML_SKIP, refuse_pre_process, NULL},
    {OV_IN_NET, XML_ANY, XML_TREE, start_net_meta, NULL},
};

static bool end_document(xml_reader *x)
{
    const ov_parser *p = x->reader;

    return (p->root && p->root->has_layers) || xml_fail(x, "<net> has no <layers>");
}

/* xml_format.fail: puts the layer that is open in front of the error. */
static bool fail(void *reader, unsigned line, const char *what)
{
    const ov_parser *p = reader;

    return p->layer ? ov_fail_layer(p->r, p->layer, line, "%s", what)
                    : ov_fail_line(p->r, line, "%s", what);
}

ov_net *ov_parse(ov_reader *r, const char *bytes, size_t n)
{
    static const char *const names[] = {
#define X(id, text) [OV_NAME_##id] = (text),
        OV_NAMES(X)
#undef X
    };
    static const xml_format format = {
        names, OV_N_NAMES, rules, sizeof rules / sizeof rules[0], end_document, fail};
    ov_parser p = {.r = r};
    xml_reader x = {.format = &format,
                    .reader = &p,
                    .arena = r->a.scratch,
                    .tree_arena = r->a.graph->arena,
                    .file = r->a.file,
                    .d = r->a.d};
    bool ok = xml_read(&x, bytes, n);

    r->words = x.words;
    return ok ? p.root : NULL;
}
