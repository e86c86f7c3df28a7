/* A deferred node keeps its operator as a model of one node, serialised and in base64, so that
 * every format that has strings can keep it:
 *
 *     graph.input    the names of the operands of the deferred node: the node's own inputs, each
 *                    once, then what its bodies capture
 *     graph.node     the node; references to attributes of a call are replaced by these attributes,
 *                    and tensors have their bytes inline
 *     opset_import   the operator sets that it uses
 *     functions      if it has bodies, which may call them */
#include "parser/onnx/defer.h"
#include "parser/onnx/base64.h"

#include <string.h>

/* A message of onnx.proto is copied member by member; members without effect are left out. */
typedef struct copier {
    onnx_node *n;
    inlay_arena *to;
    bool ok, has_bodies;
} copier;

static void *copy_bytes(copier *c, const void *from, size_t size)
{
    void *to = inlay_arena_alloc(c->to, size ? size : 1);

    if (!to)
        c->ok = inlay_fail_memory(c->n->d);
    else if (size > 0)
        memcpy(to, from, size);
    return to;
}

#define COPY(c, from) copy_bytes(c, from, sizeof *(from))

/* Copies a tensor; elements in a file beside the model are put into the copy. */
static Onnx__TensorProto *copy_tensor(copier *c, const Onnx__TensorProto *t)
{
    Onnx__TensorProto *copy = COPY(c, t);
    inlay_tensor *elements;

    if (!c->ok || t->data_location != ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
        return copy;
    elements = onnx_tensor(c->n->s->r, &c->n->at, t);
    c->ok = elements != NULL;
    if (!elements)
        return copy;
    copy->has_raw_data = true;
    copy->raw_data.len = inlay_tensor_bytes(elements);
    copy->raw_data.data = copy_bytes(c, elements->data, copy->raw_data.len);
    copy->n_external_data = 0;
    copy->has_data_location = false;
    inlay_tensor_release(elements);
    return copy;
}

static Onnx__SparseTensorProto *copy_sparse(copier *c, const Onnx__SparseTensorProto *t)
{
    Onnx__SparseTensorProto *copy = COPY(c, t);

    if (c->ok && t->values)
        copy->values = copy_tensor(c, t->values);
    if (c->ok && t->indices)
        copy->indices = copy_tensor(c, t->indices);
    return copy;
}

static Onnx__NodeProto *copy_node(copier *c, const Onnx__NodeProto *p);

static Onnx__GraphProto *copy_graph(copier *c, const Onnx__GraphProto *g)
{
    Onnx__GraphProto *copy = COPY(c, g);

    c->has_bodies = true;
    if (!copy)
        return NULL;
    copy->doc_string = NULL;
    copy->node = copy_bytes(c, g->node, g->n_node * sizeof *g->node);
    copy->initializer = copy_bytes(c, g->initializer, g->n_initializer * sizeof *g->initializer);
    copy->sparse_initializer = copy_bytes(c, g->sparse_initializer,
                                          g->n_sparse_initializer * sizeof *g->sparse_initializer);
    for (size_t i = 0; c->ok && i < g->n_node; i++)
        copy->node[i] = copy_node(c, g->node[i]);
    for (size_t i = 0; c->ok && i < g->n_initializer; i++)
        copy->initializer[i] = copy_tensor(c, g->initializer[i]);
    for (size_t i = 0; c->ok && i < g->n_sparse_initializer; i++)
        copy->sparse_initializer[i] = copy_sparse(c, g->sparse_initializer[i]);
    return copy;
}

/* Returns A, or, if A refers to an attribute of the call of the function around, that attribute;
 * NULL: the call does not give it. */
static Onnx__AttributeProto *copy_attribute(copier *c, const Onnx__AttributeProto *a)
{
    const Onnx__AttributeProto *meant = onnx_attr_meant(c->n->s, a);
    Onnx__AttributeProto *copy = meant ? COPY(c, meant) : NULL;

    if (!copy)
        return NULL;
    copy->name = a->name;
    copy->ref_attr_name = copy->doc_string = NULL;
    if (meant->g)
        copy->g = copy_graph(c, meant->g);
    if (c->ok && meant->t)
        copy->t = copy_tensor(c, meant->t);
    if (c->ok && meant->sparse_tensor)
        copy->sparse_tensor = copy_sparse(c, meant->sparse_tensor);
    return copy;
}

static Onnx__NodeProto *copy_node(copier *c, const Onnx__NodeProto *p)
{
    Onnx__NodeProto *copy = COPY(c, p);
    size_t count = 0;

    if (!copy)
        return NULL;
    copy->doc_string = NULL;
    copy->n_metadata_props = 0;
    copy->attribute = copy_bytes(c, p->attribute, p->n_attribute * sizeof *p->attribute);
    for (size_t i = 0; c->ok && i < p->n_attribute; i++) {
        Onnx__AttributeProto *a = copy_attribute(c, p->attribute[i]);

        if (a)
            copy->attribute[count++] = a;
    }
    copy->n_attribute = count;
    return copy;
}

/* The operands of a deferred node and their names. */
typedef struct operands {
    const char **names;
    inlay_value **values;
    int n;
} operands;

static void add_operand(operands *o, const char *name, inlay_value *v)
{
    for (int i = 0; i < o->n; i++) {
        if (strcmp(o->names[i], name) == 0)
            return;
    }
    o->names[o->n] = name;
    o->values[o->n++] = v;
}

/* Lists the operands of N, and what its bodies use of outer graphs. */
static bool list_operands(onnx_node *n, operands *o)
{
    inlay_arena *scratch = n->s->r->a.scratch;
    size_t most = (size_t)n->n_in;
    const char *const **captured =
        inlay_arena_array(scratch, n->proto->n_attribute + 1, sizeof *captured);
    int *count = inlay_arena_array(scratch, n->proto->n_attribute + 1, sizeof *count);

    if (!captured || !count)
        return inlay_fail_memory(n->d);
    for (size_t i = 0; i < n->proto->n_attribute; i++) {
        const Onnx__AttributeProto *a = onnx_attr_meant(n->s, n->proto->attribute[i]);

        if (a && a->g && !onnx_captured(n, a->g, &captured[i], &count[i]))
            return false;
        most += (size_t)count[i];
    }
    o->names = inlay_arena_array(scratch, most + 1, sizeof *o->names);
    o->values = inlay_arena_array(scratch, most + 1, sizeof *o->values);
    if (!o->names || !o->values)
        return inlay_fail_memory(n->d);
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i]) /* where the import may have put what it made, and what was removed */
            add_operand(o, n->proto->input[i], onnx_find_value(n->s, n->proto->input[i]));
    }
    for (size_t i = 0; i < n->proto->n_attribute; i++) {
        for (int k = 0; k < count[i]; k++)
            add_operand(o, captured[i][k], onnx_find_value(n->s, captured[i][k]));
    }
    return true;
}

/* Serialises M as text in the scratch memory. */
static const char *pack(onnx_node *n, const Onnx__ModelProto *m)
{
    inlay_arena *scratch = n->s->r->a.scratch;
    size_t size = protobuf_c_message_get_packed_size(&m->base);
    uint8_t *bytes = inlay_arena_alloc(scratch, size + 1);
    char *text;

    if (!bytes)
        return inlay_fail_memory(n->d), NULL;
    protobuf_c_message_pack(&m->base, bytes);
    text = onnx_base64(bytes, size, scratch);
    if (!text)
        inlay_fail_memory(n->d);
    return text;
}

/* Returns a model with the operator of N and the operands O, as text. */
static const char *model_of(onnx_node *n, const operands *o)
{
    copier c = {n, n->s->r->a.scratch, true, false};
    Onnx__ModelProto m = ONNX__MODEL_PROTO__INIT;
    Onnx__GraphProto g = ONNX__GRAPH_PROTO__INIT;
    Onnx__NodeProto *node = copy_node(&c, n->proto);
    Onnx__ValueInfoProto *inputs =
        inlay_arena_array(c.to, (size_t)o->n + 1, sizeof(Onnx__ValueInfoProto));
    Onnx__ValueInfoProto **list = inlay_arena_array(c.to, (size_t)o->n + 1, sizeof *list);

    if (!c.ok || !inputs || !list)
        return c.ok ? inlay_fail_memory(n->d) : false, NULL;
    for (int i = 0; i < o->n; i++) {
        onnx__value_info_proto__init(&inputs[i]);
        memcpy(&inputs[i].name, &o->names[i], sizeof inputs[i].name);
        list[i] = &inputs[i];
    }
    g.n_node = 1;
    g.node = &node;
    g.n_input = (size_t)o->n;
    g.input = list;
    m.has_ir_version = true;
    m.ir_version = n->s->r->model->ir_version;
    m.n_opset_import = n->s->imports.n;
    memcpy(&m.opset_import, &n->s->imports.sets, sizeof m.opset_import);
    m.graph = &g;
    if (c.has_bodies) {
        m.n_functions = n->s->r->model->n_functions;
        m.functions = n->s->r->model->functions;
    }
    return pack(n, &m);
}

static inlay_node *make_deferred(onnx_node *n, const operands *o, const char *model)
{
    assemble_spec spec = {.type = "Deferred", .number = -1, .wanted = ASSEMBLE_ROW};
    const inlay_op *op = assemble_row(n->s->names, &spec, NULL);
    const char *domain = n->proto->domain;
    inlay_node *made = op ? assemble_node(n->s->names, op,
                                          &(assemble_record){.name = n->name,
                                                             .n_in = o->n,
                                                             .n_out = n->n_out,
                                                             .line = n->s->r->line})
                          : NULL;
    bool ok = made != NULL;

    for (int i = 0; ok && i < o->n; i++)
        ok = inlay_node_set_input(made, i, o->values[i], n->d);
    ok = ok && inlay_node_set_string(made, "operator", n->proto->op_type, n->d) &&
         inlay_node_set_int(made, "version", n->version, n->d) &&
         (!domain || !*domain || inlay_node_set_string(made, "domain", domain, n->d)) &&
         inlay_node_set_string(made, "model", model, n->d) && inlay_check_node(made, n->d);
    if (!ok)
        return NULL;
    made->place = n->at.index;
    return inlay_infer_node(made, n->d) ? made : NULL;
}

/* Removes the nodes made after LAST. */
static bool take_back(const onnx_node *n, const inlay_node *last)
{
    inlay_graph *g = n->s->graph;

    while (g->last != last) {
        if (!inlay_node_remove(g->last, n->d))
            return false;
    }
    return true;
}

bool onnx_defer(onnx_node *n, inlay_node *last)
{
    operands o = {0};
    const char *model;
    inlay_node *made;

    if (!take_back(n, last))
        return false;
    if (n->proto == n->s->r->expanded) {
        *n->s->r->asked = *n->asked;
        return false;
    }
    if (!list_operands(n, &o) || !(model = model_of(n, &o)) ||
        !(made = make_deferred(n, &o, model)))
        return false;
    n->first_made = made;
    for (int i = 0; i < n->n_out; i++)
        n->out[i] = &made->out[i];
    return true;
}
