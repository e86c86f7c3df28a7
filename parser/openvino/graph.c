/* From records to nodes (parser/openvino/README.md 3, 5). The layers that layers.c has marked
 * become nodes in document order; the others are ignored, so that unknown operations among them do
 * no harm. Inference is compared with the ports. */
#include "parser/openvino/made.h"

#include <string.h>

/* Whether the operation is part of the structure of a graph: it cannot be a stand-in. */
static bool is_structural(const ov_layer *l)
{
    static const char *const types[] = {"Parameter", "Result", "Const", "ReadValue", "Assign"};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (inlay_word_compare(l->type, types[i]) == 0)
            return true;
    }
    return false;
}

static const inlay_op *find_op(ov_reader *r, const ov_layer *l)
{
    bool may_be_unknown = r->a.options.allow_unknown && !is_structural(l);
    assemble_spec spec = {l->type, l->version, -1, may_be_unknown ? ASSEMBLE_EITHER : ASSEMBLE_ROW};
    const inlay_op *op;

    if (inlay_word_compare(l->type, "Constant") == 0) {
        ov_fail_layer(r, l, 0,
                      "a constant is spelled Const in a file; as Constant it gets no data");
        return NULL;
    }
    if (!*l->version && !may_be_unknown) {
        ov_fail_layer(r, l, 0, "the version is empty");
        return NULL;
    }
    if (!*l->version) /* "" would mean the newest version */
        spec.wanted = ASSEMBLE_STAND_IN;
    op = assemble_row(l->net->scope, &spec, l);
    if (op && op->kind == INLAY_OP_CONST && r->a.options.allow_unknown &&
        ov_const_is_missing(r, l)) {
        spec = (assemble_spec){op->name, l->version, -1, ASSEMBLE_STAND_IN};
        op = assemble_row(l->net->scope, &spec, l);
    }
    return op;
}

/* Counts the inputs of L: the edges that lead to it. For operations that OpenVINO does not have,
 * inputs may be absent before others; no edge leads to their ports. */
static int count_inputs(const ov_layer *l, const inlay_op *op)
{
    int count = l->n_edges;

    if (strcmp(op->set, "opset") == 0)
        return count;
    for (const ov_edge *e = l->edges; e; e = e->next_in) {
        int position = ov_port_position(&l->in, e->to_port);

        count = position >= count ? position + 1 : count;
    }
    return count;
}

static bool create_node(ov_reader *r, ov_layer *l)
{
    const inlay_op *op = find_op(r, l);
    assemble_record record = {
        .name = l->name, .version = l->version, .line = l->line, .rt_info = l->rt_info};
    inlay_node *n;

    if (!op)
        return false;
    record.n_in = count_inputs(l, op);
    record.n_out = op->n_out >= 0 ? op->n_out : l->out.n;
    n = assemble_node(l->net->scope, op, &record);
    if (!n)
        return false;
    n->place = l->id;
    ov_warn_repeated(r, n, l->rt_info);
    assemble_define(&l->made, n, -1, l->line);
    return true;
}

static bool edge_source(ov_reader *r, ov_net *net, const ov_layer *l, const ov_edge *e,
                        assemble_ref *ref)
{
    ov_layer *from = ov_find_layer(net, e->from_layer);
    int position = ov_port_position(&from->out, e->from_port);

    if (position < 0)
        return ov_fail_layer(
            r, l, e->line,
            "an edge comes from layer %lld \"%.100s\", which has no output port %lld",
            (long long)from->id, from->name, (long long)e->from_port);
    if (position >= from->made.node->n_out)
        return ov_fail_layer(
            r, l, e->line,
            "an edge comes from output %d of layer %lld \"%.100s\" (%s), which has only %d",
            position, (long long)from->id, from->name, from->type, from->made.node->n_out);
    *ref = (assemble_ref){&from->made, position, e};
    return true;
}

/* Reports which input has no edge, or two. Only the last input ports may have none. */
static bool fail_hole(ov_reader *r, const ov_layer *l)
{
    for (const ov_edge *e = l->edges; e; e = e->next_in) {
        for (const ov_edge *f = e->next_in; f; f = f->next_in) {
            if (f->to_port == e->to_port)
                return ov_fail_layer(r, l, f->line, "two edges lead to input port %lld",
                                     (long long)e->to_port);
        }
    }
    for (int i = 0; i < l->n_edges; i++) {
        bool found = false;

        for (const ov_edge *e = l->edges; e && !found; e = e->next_in)
            found = ov_port_position(&l->in, e->to_port) == i;
        if (!found)
            return ov_fail_layer(r, l, 0, "no edge leads to input %d, but one to a later input", i);
    }
    return true;
}

static bool link_node(ov_reader *r, ov_net *net, ov_layer *l)
{
    for (const ov_edge *e = l->edges; e; e = e->next_in) {
        int position = ov_port_position(&l->in, e->to_port);
        assemble_ref source;

        if (position < 0)
            return ov_fail_layer(r, l, e->line,
                                 "an edge leads to input port %lld, which does not exist",
                                 (long long)e->to_port);
        if (position >= l->made.node->n_in || l->made.node->in[position].value)
            return fail_hole(r, l);
        if (!edge_source(r, net, l, e, &source) ||
            !assemble_operand(net->scope, l->made.node, position, &source))
            return false;
    }
    return true;
}

/* Sets the tensor names that TEXT lists: "a\,b,c" is "a,b" and "c", and empty pieces vanish (3.3).
 */
static bool set_names(ov_reader *r, inlay_value *v, const char *text)
{
    size_t len = strlen(text), count = 1, n = 0;
    char *copy = inlay_arena_alloc(r->a.scratch, len + 1), *to = copy;
    const char **names;

    for (const char *p = text; *p; p++)
        count += *p == ',';
    names = inlay_arena_array(r->a.scratch, count, sizeof *names);
    if (!copy || !names)
        return inlay_fail_memory(r->a.d);
    for (const char *p = text, *begin = copy;; p++) {
        if (*p == '\\' && p[1] == ',') {
            *to++ = *++p;
        } else if (*p && *p != ',') {
            *to++ = *p;
        } else {
            *to++ = '\0';
            if (*begin)
                names[n++] = begin;
            begin = to;
            if (!*p)
                break;
        }
    }
    return inlay_value_set_names(v, names, (int)n, r->a.d);
}

static bool set_outputs(ov_reader *r, ov_layer *l)
{
    inlay_node *n = l->made.node;
    int i = 0;

    for (const ov_port *p = l->out.first; p && i < n->n_out; p = p->next, i++) {
        n->out[i].rt_info = p->rt_info;
        ov_warn_repeated(r, n, p->rt_info);
        if (p->names && *p->names && !set_names(r, &n->out[i], p->names))
            return false;
    }
    if (l->output_names && l->net->version >= 11) {
        n->result_names = assemble_string(&r->a, l->output_names);
        if (!n->result_names)
            return false;
    }
    return true;
}

/* Keeps all attributes of a stand-in as text, and what its ports say as its facts. */
static bool set_stand_in(ov_reader *r, ov_layer *l)
{
    inlay_node *n = l->made.node;
    int i = 0;

    for (int k = 0; k < l->n_data; k++) {
        if (!assemble_extra(n, l->data[k].name, l->data[k].value, r->a.d))
            return false;
    }
    if (strcmp(n->op->name, "Const") == 0)
        return ov_set_missing_const(r, l);
    for (const ov_port *p = l->out.first; p && i < n->n_out; p = p->next, i++) {
        inlay_dim dims[INLAY_MAX_RANK];

        for (int k = 0; k < p->n_dims; k++)
            dims[k] = p->dims[k] < 0 ? inlay_dim_any() : inlay_dim_of(p->dims[k]);
        if (!inlay_value_set_fact(&n->out[i], p->type, p->n_dims ? p->n_dims : -1, dims, r->a.d))
            return false;
    }
    return true;
}

/* Sets an attribute as OpenVINO reads it (3.2): if a boolean is neither true nor false, the default
 * applies. That is probably a mistake, so there is a warning. */
static bool set_attribute(ov_reader *r, inlay_node *n, int attr, const char *text)
{
    const inlay_attr_info *info = &n->op->attrs[attr];
    bool ignored;

    if (info->kind == INLAY_ATTR_BOOL && !inlay_bool_parse(text, &ignored)) {
        inlay_warn_node(r->a.d, n, "attribute \"%s\" is \"%.200s\", which is no boolean: ignored",
                        info->name, text);
        return true;
    }
    return info->kind == INLAY_ATTR_TENSOR || inlay_node_set_attr_text(n, attr, text, r->a.d);
}

static bool set_attributes(ov_reader *r, ov_layer *l)
{
    inlay_node *n = l->made.node;

    if (n->op->flags & INLAY_STAND_IN)
        return set_stand_in(r, l);
    if (inlay_node_is(n, INLAY_OP_CONST))
        return ov_set_const(r, l);
    if (inlay_node_is(n, INLAY_OP_PARAMETER) && !l->has_data)
        return inlay_fail_node(r->a.d, n, "a Parameter needs <data> with element_type and shape");
    for (int i = 0; i < l->n_data; i++) {
        int attr = inlay_op_attr(n->op, l->data[i].name);

        if (attr < 0)
            ov_ignore_attribute(r, n, l->data[i].name);
        else if (!set_attribute(r, n, attr, l->data[i].value))
            return false;
    }
    return !(n->op->flags & INLAY_HAS_BODY) || ov_build_bodies(r, l);
}

static bool build_layer(ov_reader *r, ov_layer *l)
{
    return create_node(r, l) && set_outputs(r, l) && set_attributes(r, l) && ov_take_notes(r, l);
}

static bool sources_exist(const ov_net *net, const ov_layer *l)
{
    for (const ov_edge *e = l->edges; e; e = e->next_in) {
        if (!ov_find_layer(net, e->from_layer)->made.node)
            return false;
    }
    return true;
}

/* Builds layers that come after all layers they use: each is made, connected, checked and inferred
 * in one go, while its memory is in the cache. *REST is the first layer that comes before one it
 * uses, or NULL. */
static bool build_in_order(ov_reader *r, ov_net *net, ov_layer **rest)
{
    ov_layer *l = net->first;

    for (; l; l = l->next) {
        if (!l->reached)
            continue;
        if (!sources_exist(net, l))
            break;
        if (!build_layer(r, l) || !link_node(r, net, l) ||
            !inlay_check_node(l->made.node, r->a.d) || !inlay_infer_node(l->made.node, r->a.d))
            return false;
        ov_compare_ports(r, l);
    }
    *rest = l;
    return true;
}

/* Makes all nodes from REST on first, and connects them afterwards. */
static bool build_rest(ov_reader *r, ov_net *net, ov_layer *rest)
{
    for (ov_layer *l = rest; l; l = l->next) {
        if (l->reached && !build_layer(r, l))
            return false;
    }
    for (ov_layer *l = rest; l; l = l->next) {
        if (l->reached && !link_node(r, net, l))
            return false;
    }
    return true;
}

/* Checks all nodes of a body. Inference would not check every node of a branch that is never taken.
 */
static bool check_nodes(const ov_reader *r, const inlay_graph *g)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        if (!inlay_check_node(n, r->a.d))
            return false;
    }
    return true;
}

static bool build_nodes(ov_reader *r, ov_net *net)
{
    const inlay_graph *g = net->scope->graph;
    ov_layer *rest = net->first;

    if (g->owner) /* the types of a body's Parameters are known only when its node is inferred */
        return build_rest(r, net, rest) && check_nodes(r, g);
    if (!r->a.options.make_weights && !build_in_order(r, net, &rest))
        return false;
    if (!rest)
        return true;
    if (!build_rest(r, net, rest) || (r->choices && !ov_choose(r, net)) ||
        !assemble_infer(&r->a, NULL))
        return false;
    for (const ov_layer *l = rest; l; l = l->next) {
        if (l->reached)
            ov_compare_ports(r, l);
    }
    return true;
}

bool ov_build_graph(ov_reader *r, ov_net *net, assemble_scope *scope)
{
    net->scope = scope;
    scope->graph->meta = net->meta;
    return ov_reach_layers(r, net) && build_nodes(r, net);
}
