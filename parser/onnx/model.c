/* A model: its versions, its functions, its graph. */
#include "ir/shared.h"
#include "parser/formats.h"
#include "parser/onnx/forms.h"
#include "parser/onnx/import.h"
#include "parser/onnx/notes.h"
#include "parser/onnx/wire.h"

#include <string.h>

static bool check_versions(const onnx_reader *r)
{
    const Onnx__ModelProto *m = r->model;

    if (m->ir_version < ONNX_MIN_IR || m->ir_version > ONNX_MAX_IR)
        return onnx_fail(r, NULL, "ir_version is %lld, versions %d to %d are read",
                         (long long)m->ir_version, ONNX_MIN_IR, ONNX_MAX_IR);
    for (size_t i = 0; i < m->n_opset_import; i++) {
        const Onnx__OperatorSetIdProto *set = m->opset_import[i];
        bool onnx = !set->domain || !*set->domain || strcmp(set->domain, "ai.onnx") == 0;

        if (onnx && (set->version < ONNX_MIN_OPSET || set->version > ONNX_MAX_OPSET))
            return onnx_fail(r, NULL,
                             "opset_import[%zu].version is %lld, operator sets %d to %d are read",
                             i, (long long)set->version, ONNX_MIN_OPSET, ONNX_MAX_OPSET);
    }
    return m->graph || onnx_fail(r, NULL, "the model has no graph");
}

/* Gives the formal inputs of F the operands of N as values. An input for which N has no operand
 * gets none. */
static bool bind_inputs(onnx_scope *inside, const Onnx__FunctionProto *f, const onnx_node *n)
{
    if ((size_t)n->n_in > f->n_input)
        return onnx_node_fail(n, "has %d input%s, the function takes %zu", n->n_in,
                              inlay_plural(n->n_in, "", "s"), f->n_input);
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i] && !onnx_define_value(inside, f->input[i], n->in[i]))
            return false;
    }
    return true;
}

static bool bind_outputs(onnx_scope *inside, const Onnx__FunctionProto *f, onnx_node *n)
{
    if ((size_t)n->n_out > f->n_output)
        return onnx_node_fail(n, "has %d output%s, the function gives %zu", n->n_out,
                              inlay_plural(n->n_out, "", "s"), f->n_output);
    for (int i = 0; i < n->n_out; i++) {
        if (!(n->out[i] = onnx_find_value(inside, f->output[i])))
            return onnx_node_fail(n, "the function makes no value for its output \"%.200s\"",
                                  f->output[i]);
    }
    return true;
}

/* Marks the attributes of the call that F declares, with or without a default, as read. */
static void declare_attributes(const onnx_node *n, const Onnx__FunctionProto *f)
{
    for (size_t i = 0; i < f->n_attribute; i++)
        onnx_attr_ignore(n, f->attribute[i]);
    for (size_t i = 0; i < f->n_attribute_proto; i++) {
        if (f->attribute_proto[i]->name)
            onnx_attr_ignore(n, f->attribute_proto[i]->name);
    }
}

bool onnx_call(onnx_node *n, bool *is_call)
{
    const Onnx__FunctionProto *f = onnx_function_of(n->s->r, n->proto);
    onnx_scope inside = *n->s;

    inside.declares = NULL;
    *is_call = f != NULL;
    if (!f)
        return true;
    declare_attributes(n, f);
    if (!onnx_attrs_done(n))
        return false;
    if (++inside.calls > ONNX_MAX_CALLS)
        return onnx_node_fail(n, "calls functions that call each other without an end");
    inside.names = assemble_scope_new(&n->s->r->a, NULL, n->s->graph);
    inside.at = &n->at;
    inside.imports = (onnx_imports){f->opset_import, f->n_opset_import};
    inside.call = n;
    inside.around = NULL;
    inside.function = f;
    return inside.names && bind_inputs(&inside, f, n) &&
           onnx_import_nodes(&inside, f->node, f->n_node) && bind_outputs(&inside, f, n);
}

static bool import_model(onnx_reader *r)
{
    const Onnx__ModelProto *m = r->model;
    onnx_place at = {.field = "graph", .index = -1};
    onnx_scope s = {
        .r = r, .graph = r->a.graph, .at = &at, .imports = {m->opset_import, m->n_opset_import}};
    const char *name;

    if (!check_versions(r) || !onnx_list_functions(r))
        return false;
    name = assemble_string(&r->a, m->graph->name ? m->graph->name : "");
    s.names = assemble_scope_new(&r->a, NULL, r->a.graph);
    if (!name || !s.names)
        return false;
    r->a.graph->name = name;
    r->a.graph->place_word = "node";
    return onnx_keep_model(r) && onnx_import_graph(&s, m->graph, NULL, -1) &&
           inlay_expand_graph(r->a.graph, NULL, r->a.d) && assemble_notes(&r->a);
}

static bool begin(onnx_reader *r, const char *name, const inlay_read_options *o, inlay_diags *d)
{
    static const assemble_words words = {onnx_fail_row, onnx_note_unresolved};

    r->a.words = &words;
    r->a.reader = r;
    r->had_error = inlay_diags_error(d) != NULL;
    if (!assemble_begin_as(&r->a, name, o, onnx_expand, d))
        return false;
    r->said = inlay_diags_new();
    return r->said || inlay_fail_memory(d);
}

static inlay_graph *end(onnx_reader *r, bool ok)
{
    inlay_diags_free(r->said);
    onnx_close_files(r);
    return assemble_end(&r->a, ok);
}

/* Returns the records of a model in the N BYTES, which may have any of the three forms. */
static const Onnx__ModelProto *read_records(onnx_reader *r, const char *bytes, size_t n,
                                            const char *name)
{
    const ProtobufCMessageDescriptor *what = &onnx__model_proto__descriptor;

    r->has_lines = true;
    if (onnx_is_json(bytes, n))
        return onnx_json_read(what, bytes, n, name, r->a.scratch, r->a.d);
    if (onnx_is_text(bytes, n))
        return onnx_text_read(bytes, n, name, r->a.scratch, r->a.d);
    r->has_lines = false;
    return onnx_wire_read(what, bytes, n, name, r->a.scratch, r->a.d);
}

inlay_graph *inlay_read_onnx(const char *name, const char *bytes, size_t n, inlay_buffer *buffer,
                             const inlay_read_options *o, inlay_diags *d)
{
    onnx_reader r = {.bytes = buffer};
    bool ok;

    if (inlay_is_missing(bytes, "list of bytes", d))
        return NULL;
    ok = begin(&r, name, o, d) && (r.model = read_records(&r, bytes, n, name)) && import_model(&r);
    return end(&r, ok);
}

/* Reads a message of type WHAT; the messages are of the types that the functions below name. */
static inlay_tensor *read_value(const ProtobufCMessageDescriptor *what, const char *name,
                                const void *bytes, size_t n, inlay_budget *budget, inlay_diags *d)
{
    inlay_read_options o = {.budget = budget};
    onnx_reader r = {0};
    const void *record;
    inlay_tensor *t = NULL;

    if (begin(&r, name, &o, d) && (record = onnx_wire_read(what, bytes, n, name, r.a.scratch, d))) {
        if (what == &onnx__tensor_proto__descriptor)
            t = onnx_tensor(&r, NULL, record);
        else if (what == &onnx__sequence_proto__descriptor)
            t = onnx_items(&r, record, NULL, NULL);
        else if (what == &onnx__map_proto__descriptor)
            t = onnx_items(&r, NULL, record, NULL);
        else
            t = onnx_items(&r, NULL, NULL, record);
    }
    end(&r, false);
    return t;
}

inlay_tensor *onnx_read_tensor(const char *name, const void *bytes, size_t n, inlay_budget *budget,
                               inlay_diags *d)
{
    return read_value(&onnx__tensor_proto__descriptor, name, bytes, n, budget, d);
}

/* Are the N BYTES a MapProto and no SequenceProto? Field 2 (behind a name, field 1) is the type of
 * the keys in the one, and one of five kinds of elements in the other. */
static bool is_map(const unsigned char *bytes, size_t n)
{
    size_t at = n > 2 && bytes[0] == 0x0a && bytes[1] < 0x80 ? 2 + (size_t)bytes[1] : 0;

    return at + 1 < n && bytes[at] == 0x10 && bytes[at + 1] > 5;
}

inlay_tensor *onnx_read_sequence(const char *name, const void *bytes, size_t n,
                                 inlay_budget *budget, inlay_diags *d)
{
    return read_value(is_map(bytes, n) ? &onnx__map_proto__descriptor
                                       : &onnx__sequence_proto__descriptor,
                      name, bytes, n, budget, d);
}

inlay_tensor *onnx_read_optional(const char *name, const void *bytes, size_t n,
                                 inlay_budget *budget, inlay_diags *d)
{
    return read_value(&onnx__optional_proto__descriptor, name, bytes, n, budget, d);
}
