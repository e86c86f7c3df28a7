/* Graphs of ONNX: initializers, inputs, nodes, outputs. */
#include "parser/onnx/defer.h"
#include "parser/onnx/import.h"
#include "parser/onnx/notes.h"
#include "parser/onnx/records.h"

#include <stdio.h>
#include <string.h>

/* Whether NAME is an input of the function around that its call does not give. */
static bool is_left_out(const onnx_scope *s, const char *name)
{
    for (size_t i = 0; s->function && i < s->function->n_input; i++) {
        if (strcmp(s->function->input[i], name) == 0)
            return true;
    }
    return false;
}

#define ROOM_OF(array) (sizeof(array) / sizeof(array)[0])

/* Finds the operands of the node. */
static bool find_operands(onnx_node *n)
{
    const Onnx__NodeProto *p = n->proto;

    if (p->n_input > INT32_MAX || p->n_output > INT32_MAX)
        return onnx_node_fail(n, "has %zu input%s and %zu output%s", p->n_input,
                              inlay_plural(p->n_input, "", "s"), p->n_output,
                              inlay_plural(p->n_output, "", "s"));
    n->n_in = (int)p->n_input;
    n->n_out = (int)p->n_output;
    n->in = p->n_input + p->n_output <= ROOM_OF(n->few)
                ? n->few
                : inlay_arena_array(n->s->r->a.scratch, p->n_input + p->n_output, sizeof *n->in);
    if (!n->in)
        return inlay_fail_memory(n->d);
    n->out = n->in + n->n_in;
    for (int i = 0; i < n->n_in; i++) {
        n->in[i] = *p->input[i] ? onnx_find_value(n->s, p->input[i]) : NULL;
        if (*p->input[i] && !n->in[i] && !is_left_out(n->s, p->input[i]))
            return onnx_node_fail(n, "input[%d] is \"%.200s\", which no node makes", i,
                                  p->input[i]);
    }
    return true;
}

static const char *name_of(const Onnx__NodeProto *p)
{
    if (p->name && *p->name)
        return p->name;
    return p->n_output > 0 ? p->output[0] : "";
}

/* Gives the name of N to one of the nodes made after LAST for it: the one that makes its first
 * output. */
static bool name_nodes(onnx_node *n, const inlay_node *last)
{
    inlay_node *main = n->n_out > 0 && n->out[0] ? n->out[0]->node : NULL;
    bool made = false;

    for (inlay_node *k = last ? last->next : n->s->graph->first; k; k = k->next) {
        k->place = n->at.index;
        k->line = k->line
                      ? k->line
                      : n->s->r->line; /* the nodes of a called function have lines of their own */
        made |= k == main;
    }
    if (!made)
        return true;
    if (!onnx_keep_node(n->s, n->proto, main))
        return false;
    if (!*n->name || main == n->first_made)
        return true;
    if (!n->first_made)
        return inlay_node_rename(main, n->name, n->d);
    inlay_node_swap_names(n->first_made, main);
    return true;
}

/* Whether names are those of the model: not within a function, nor in a graph that replaces a node.
 */
static bool has_model_names(const onnx_scope *s)
{
    return !s->call && !s->around;
}

static bool define_outputs(onnx_node *n)
{
    for (int i = 0; i < n->n_out; i++) {
        const char *name = n->proto->output[i];

        if (!*name)
            continue;
        if (!n->out[i])
            return onnx_node_fail(n, "output[%d] \"%.200s\" is none that the operator has", i,
                                  name);
        if (!onnx_define_value(n->s, name, n->out[i]))
            return false;
        if (has_model_names(n->s) && !inlay_value_add_name(n->out[i], name, n->d))
            return false;
    }
    return true;
}

/* Refuses an unknown operator: it came later, is refused for a reason, or its name may be wrong. */
static bool refuse_unknown(const onnx_node *n)
{
    const char *domain = n->at.domain, *word = n->at.type, *why;
    inlay_guess guess = {word, strlen(word), NULL, 0};
    int later = n->version < ONNX_MAX_OPSET ? n->version + 1 : ONNX_MAX_OPSET + 1;
    char meant[100];

    while (later <= ONNX_MAX_OPSET && !onnx_operator_find(domain, word, later))
        later++;
    if (later <= ONNX_MAX_OPSET)
        return onnx_node_fail(n,
                              "is an operation of operator set %d and later; the model imports "
                              "set %d; --allow-unknown shows the graph",
                              later, n->version);
    if ((why = onnx_operator_refused(domain, word)))
        return onnx_node_fail(n, "%s", why);
    onnx_operator_guess(domain, &guess);
    return onnx_node_fail(
        n, "is an operation that this build does not have%s; --allow-unknown shows the graph",
        inlay_guess_text(&guess, meant, sizeof meant));
}

/* Makes a stand-in for an unknown operator, if the options allow it. */
static bool import_unknown(onnx_node *n)
{
    const char *domain = n->at.domain;
    char version[200];
    assemble_spec spec = {.version = version, .number = -1, .wanted = ASSEMBLE_STAND_IN};
    const inlay_op *op;
    inlay_node *made;

    if (!n->s->r->a.options.allow_unknown)
        return refuse_unknown(n);
    snprintf(version, sizeof version, "%s%s%d", *domain ? domain : "onnx", *domain ? "-" : "",
             n->version);
    spec.version = assemble_string(&n->s->r->a, version);
    spec.type = spec.version ? assemble_string(&n->s->r->a, n->at.type) : NULL;
    if (!spec.type || !(op = assemble_row(n->s->names, &spec, NULL)))
        return false;
    made = assemble_node(
        n->s->names, op,
        &(assemble_record){.version = spec.version, .n_in = n->n_in, .n_out = n->n_out});
    for (int i = 0; made && i < n->n_in; i++) {
        if (n->in[i] && !inlay_node_set_input(made, i, n->in[i], n->d))
            return false;
    }
    for (int i = 0; made && i < n->n_out; i++)
        n->out[i] = &made->out[i];
    return made != NULL;
}

static bool has_bodies(const Onnx__NodeProto *p)
{
    for (size_t i = 0; i < p->n_attribute; i++) {
        if (p->attribute[i]->g)
            return true;
    }
    return false;
}

/* Whether the types of all operands are known, as imports need them. Not needed for onnx_same, nor
 * for nodes with bodies, whose operands may be of any type. */
static bool types_are_known(onnx_node *n)
{
    bool known = true;

    if (n->op->import == onnx_same || has_bodies(n->proto))
        return true;
    for (int i = 0; i < n->n_in && known; i++)
        known = !n->in[i] || onnx_type_of(n, n->in[i]) != INLAY_DYNAMIC;
    return known;
}

/* Imports an operator that is known. If the import fails without a message, the reason is an
 * operand that was left out and that it does not check itself. Where there was no memory it has
 * failed, even if it went on: such an operand looks like one that was left out. Else an import
 * that is done has recorded no error, and has asked for nothing that is unknown. */
static bool import_known(onnx_node *n, inlay_node *last)
{
    bool failed_before = inlay_diags_error(n->d), failed, done;

    for (int i = 0; i < n->op->needs; i++) {
        if (!onnx_in(n, i))
            return onnx_node_fail(n, "input[%d] is missing", i);
    }
    done = types_are_known(n) && n->op->import(n);
    failed = !failed_before && inlay_diags_error(n->d);
    if (done && (n->asked->of || (failed && inlay_diags_status(n->d) != INLAY_NO_RESOURCE)))
        return inlay_fail(n->d, NULL, "a fault of Inlay: the import of %.100s went on without this",
                          n->at.type);
    if (failed)
        return false;
    if (done)
        return onnx_attrs_done(n);
    return n->asked->of ? onnx_defer(n, last)
                        : onnx_node_fail(n, "cannot be imported with these inputs");
}

/* A model has many nodes of few operators, so results are kept by name. */
static const onnx_operator *find_operator(onnx_reader *r, const char *domain, const char *name,
                                          int64_t version)
{
    size_t length = strlen(name), ends = (size_t)(unsigned char)*name << 3;
    struct onnx_known *k;

    ends ^= length > 0 ? (size_t)(unsigned char)name[length - 1] : 0;
    k = &r->known[(ends ^ length << 2) & (ONNX_N_KNOWN - 1)];

    if (*domain)
        return onnx_operator_find(domain, name, version);
    if (!k->name || k->version != version || strcmp(k->name, name) != 0)
        *k = (struct onnx_known){name, version, onnx_operator_find(domain, name, version)};
    return k->op;
}

static bool import_operator(onnx_node *n, inlay_node *last)
{
    const char *domain = n->at.domain;
    bool is_call;

    if (!*n->at.type)
        return onnx_node_fail(n, "op_type is missing");
    if (!onnx_call(n, &is_call))
        return false;
    if (is_call)
        return true;
    if (n->at.version < ONNX_MIN_OPSET || n->at.version > INT32_MAX)
        return onnx_node_fail(n, "the model imports no operator set \"%.200s\"", domain);
    n->op = find_operator(n->s->r, domain, n->at.type, n->version);
    return n->op ? import_known(n, last) : import_unknown(n);
}

/* Marks all attributes of N as unread. */
static bool see_attributes(onnx_node *n)
{
    size_t count = n->proto->n_attribute;

    if (count > ASSEMBLE_MAX_ATTRIBUTES)
        return onnx_node_fail(n, "has %zu attribute%s, at most %d are read", count,
                              inlay_plural(count, "", "s"), ASSEMBLE_MAX_ATTRIBUTES);
    n->seen = count <= ROOM_OF(n->few_seen)
                  ? n->few_seen
                  : inlay_arena_array(n->s->r->a.scratch, count, sizeof *n->seen);
    return n->seen || inlay_fail_memory(n->d);
}

bool onnx_import_node(onnx_scope *s, const Onnx__NodeProto *p, size_t index)
{
    inlay_node *last = s->graph->last;
    uint32_t first = s->graph->next_id;
    onnx_asked asked = {.asked = {.type = INLAY_DYNAMIC, .rank = -1}};
    onnx_node n = {.s = s, .proto = p, .name = name_of(p), .asked = &asked, .d = s->r->a.d};
    unsigned before;

    n.at = onnx_node_place(s, p, index);
    n.version = (int)n.at.version;
    before = onnx_enter(s->r, p);
    if (!find_operands(&n) || !see_attributes(&n) || !import_operator(&n, last) ||
        !name_nodes(&n, last) || !define_outputs(&n) ||
        (has_model_names(s) && p->n_metadata_props > 0 && !onnx_take_notes(&n, first)))
        return false;
    s->r->line = before;
    return true;
}

/* Are all values defined that P uses? What its bodies use is not looked at. */
static bool is_ready(const onnx_scope *s, const Onnx__NodeProto *p)
{
    bool ready = true;

    for (size_t i = 0; ready && i < p->n_input; i++) {
        const assemble_name *name =
            *p->input[i] ? assemble_lasting_name(s->names, p->input[i]) : NULL;

        ready = !*p->input[i] || (name && name->node);
    }
    for (size_t i = 0; ready && i < p->n_attribute; i++)
        ready = !p->attribute[i]->g;
    return ready;
}

enum { AHEAD = 6 }; /* the nodes whose names are fetched while others are imported */

static void foresee(const onnx_scope *s, const Onnx__NodeProto *p)
{
    if (p->name && *p->name)
        assemble_foresee(s->names, p->name);
    for (size_t i = 0; i < p->n_output; i++)
        assemble_foresee(s->names, p->output[i]);
}

/* Nodes are sorted from the first one on that is not ready: to look at all of them before would
 * take longer than to import them. */
bool onnx_import_nodes(onnx_scope *s, Onnx__NodeProto *const *nodes, size_t n)
{
    const uint32_t *order = NULL;
    size_t sorted = n;

    if (s->calls > 0 && !onnx_count_called(s->r, n))
        return false;
    for (size_t i = 0; i < n; i++) {
        size_t index = i;

        if (!order && i + AHEAD < n)
            foresee(s, nodes[i + AHEAD]);
        if (sorted == n && !is_ready(s, nodes[i])) {
            sorted = i;
            if (!onnx_sort_nodes(s, nodes, i, n, &order))
                return false;
        }
        if (order)
            index = sorted + order[i - sorted];
        if (!onnx_import_node(s, nodes[index], index))
            return false;
    }
    return true;
}

/* Makes a constant with T's name and the elements X. X is NULL after an error; it is released. */
static bool define_initializer(onnx_scope *s, const Onnx__TensorProto *t, inlay_tensor *x)
{
    inlay_value *v = x ? inlay_build_const(s->graph, t->name, x, s->r->a.d) : NULL;

    inlay_tensor_release(x);
    if (!v || !onnx_define_value(s, t->name, v) ||
        (has_model_names(s) && !inlay_value_add_name(v, t->name, s->r->a.d)) ||
        !onnx_keep_tensor(s, t, v))
        return false;
    v->node->line = s->r->line;
    return true;
}

/* Whether NAME, which has an initializer, is nevertheless made an input because the options ask for
 * it. Before IR version 4 every initializer was also listed as an input. */
static bool is_overridden(const onnx_scope *s, const Onnx__GraphProto *g, const char *name)
{
    const inlay_read_options *o = &s->r->a.options;
    bool asked = false;

    for (int i = 0; i < o->n_overrides && !s->graph->owner && has_model_names(s); i++)
        asked |= strcmp(o->overrides[i], name) == 0;
    for (size_t i = 0; asked && i < g->n_input; i++) {
        if (g->input[i]->name && strcmp(g->input[i]->name, name) == 0)
            return s->r->model->ir_version >= 4;
    }
    return false;
}

static bool import_initializer(onnx_scope *s, const Onnx__GraphProto *g, size_t i)
{
    const Onnx__TensorProto *t = g->initializer[i];
    onnx_place at = {.outer = s->at, .field = "initializer", .index = (int64_t)i, .name = t->name};
    unsigned before = onnx_enter(s->r, t);

    if (!t->name || !*t->name)
        return onnx_fail(s->r, &at, "an initializer needs a name");
    if (!is_overridden(s, g, t->name) && !define_initializer(s, t, onnx_tensor(s->r, &at, t)))
        return false;
    s->r->line = before;
    return true;
}

/* A sparse initializer has the name of its values. */
static bool import_sparse(onnx_scope *s, const Onnx__GraphProto *g, size_t i)
{
    const Onnx__SparseTensorProto *t = g->sparse_initializer[i];
    const char *name = t->values ? t->values->name : NULL;
    onnx_place at = {
        .outer = s->at, .field = "sparse_initializer", .index = (int64_t)i, .name = name};
    unsigned before = onnx_enter(s->r, t);

    if (!name || !*name)
        return onnx_fail(s->r, &at, "an initializer needs a name");
    if (!is_overridden(s, g, name) &&
        !define_initializer(s, t->values, onnx_sparse_tensor(s->r, &at, t)))
        return false;
    s->r->line = before;
    return true;
}

/* Makes a Parameter for an input that has no initializer. */
static bool make_input(onnx_scope *s, const Onnx__ValueInfoProto *v, size_t i,
                       const inlay_fact *fact)
{
    onnx_place at = {.outer = s->at, .field = "input", .index = (int64_t)i, .name = v->name};
    unsigned before = onnx_enter(s->r, v);
    inlay_value *made;
    inlay_shape shape;
    inlay_type type;

    if (!onnx_tensor_type(s->r, &at, v->type, &type, &shape))
        return false;
    if (type == INLAY_DYNAMIC && fact)
        type = fact->type;
    if (!s->graph->owner && !onnx_declare_dims(s->r, v->type, &shape))
        return false;
    made = inlay_build_parameter(s->graph, v->name, type, &shape, s->r->a.d);
    if (!made || !onnx_set_item_type(made, onnx_item_type(v->type), s->r->a.d) ||
        !onnx_define_value(s, v->name, made) || !inlay_value_add_name(made, v->name, s->r->a.d) ||
        !onnx_keep_value(s, v, made))
        return false;
    made->node->line = s->r->line;
    s->r->line = before;
    return true;
}

/* LINE of a name marks whether it is an input's. */
static bool import_input(onnx_scope *s, const Onnx__ValueInfoProto *v, size_t i,
                         const inlay_fact *fact)
{
    onnx_place at = {.outer = s->at, .field = "input", .index = (int64_t)i, .name = v->name};
    assemble_name *name = v->name && *v->name ? assemble_lasting_name(s->names, v->name) : NULL;
    bool seen = name && name->line;

    if (!v->name || !*v->name || seen) {
        onnx_enter(s->r, v);
        return onnx_fail(s->r, &at, seen ? "another input has this name" : "an input needs a name");
    }
    if (!name || (!name->node && !make_input(s, v, i, fact)))
        return false;
    name->line = 1;
    return true;
}

/* Returns NAME as IR v11 writes names of an output: with a backslash before each comma. */
static const char *escape(onnx_reader *r, const char *name)
{
    char *out = inlay_arena_alloc(r->a.graph->arena, 2 * strlen(name) + 1);
    char *to = out;

    for (const char *p = name; out && *p; p++) {
        if (*p == ',')
            *to++ = '\\';
        *to++ = *p;
    }
    if (out)
        *to = '\0';
    return out;
}

/* Returns X with a new first axis of size 1. */
static inlay_value *with_axis(onnx_scope *s, inlay_value *x)
{
    int64_t zero = 0;
    inlay_value *axes =
        inlay_build_ints(s->graph, NULL, INLAY_I64, 1, (int64_t[]){1}, &zero, s->r->a.d);
    inlay_node *n = axes ? inlay_build(s->graph, NULL, "Unsqueeze", (inlay_value *[]){x, axes}, 2,
                                       NULL, s->r->a.d)
                         : NULL;

    return n ? &n->out[0] : NULL;
}

static bool import_output(onnx_scope *s, const Onnx__ValueInfoProto *v, size_t i, bool joined)
{
    onnx_place at = {.outer = s->at, .field = "output", .index = (int64_t)i, .name = v->name};
    inlay_value *x = v->name ? onnx_find_value(s, v->name) : NULL;
    inlay_node *result;

    if (!x) {
        onnx_enter(s->r, v);
        return onnx_fail(s->r, &at, "no node makes this value");
    }
    if (joined && !(x = with_axis(s, x)))
        return false;
    result = inlay_build_result(s->graph, NULL, x, s->r->a.d);
    return result &&
           ((result->result_names = escape(s->r, v->name)) || inlay_fail_memory(s->r->a.d));
}

/* Keeps what the graph says of N values that it computes: names of sizes, and metadata. Only sizes
 * of the outermost graph get names, because a body takes its sizes from the outer graph. */
static bool describe(onnx_scope *s, Onnx__ValueInfoProto *const *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        inlay_value *v = values[i]->name ? onnx_find_value(s, values[i]->name) : NULL;

        if (v && ((!s->graph->owner && !onnx_name_dims(s->r, values[i]->type, v)) ||
                  !onnx_keep_value(s, values[i], v)))
            return false;
    }
    return true;
}

bool onnx_import_graph(onnx_scope *s, const Onnx__GraphProto *g, inlay_value *const *outer,
                       int joined)
{
    size_t names = g->n_initializer + g->n_input + g->n_node;
    bool ok = true;

    s->declares = g;
    if (s->names->n_names == 0)
        ok = assemble_expect(s->names, names) &&
             inlay_graph_expect(s->graph, names + g->n_output, s->r->a.d);
    for (size_t i = 0; ok && i < g->n_initializer; i++)
        ok = import_initializer(s, g, i);
    for (size_t i = 0; ok && i < g->n_sparse_initializer; i++)
        ok = import_sparse(s, g, i);
    for (size_t i = 0; ok && i < g->n_input; i++)
        ok = import_input(s, g->input[i], i, outer && outer[i] ? &outer[i]->fact : NULL);
    ok = ok && onnx_import_nodes(s, g->node, g->n_node);
    for (size_t i = 0; ok && i < g->n_output; i++)
        ok = import_output(s, g->output[i], i, joined >= 0 && i >= (size_t)joined);
    return ok && describe(s, g->output, g->n_output) && describe(s, g->value_info, g->n_value_info);
}

bool onnx_import_inside(onnx_scope *s, const Onnx__GraphProto *g)
{
    bool ok = true;

    for (size_t i = 0; ok && i < g->n_initializer; i++)
        ok = import_initializer(s, g, i);
    for (size_t i = 0; ok && i < g->n_sparse_initializer; i++)
        ok = import_sparse(s, g, i);
    return ok && onnx_import_nodes(s, g->node, g->n_node);
}

inlay_value *onnx_inline(onnx_node *n, const char *name, const Onnx__GraphProto *g, inlay_value *x)
{
    onnx_place at = {.outer = &n->at, .field = "attribute", .index = -1, .name = name};
    onnx_scope inside = *n->s;
    bool ok = g->n_input == 1 && g->n_output == 1 && g->input[0]->name && g->output[0]->name;
    inlay_value *y;

    if (!ok)
        return onnx_fail(n->s->r, &at, "must be a graph with one input and one output"), NULL;
    inside.at = &at;
    inside.around = n->s;
    inside.declares = NULL;
    inside.names = assemble_scope_new(&n->s->r->a, NULL, n->s->graph);
    ok = inside.names && onnx_define_value(&inside, g->input[0]->name, x);
    if (!ok || !onnx_import_inside(&inside, g))
        return NULL;
    y = onnx_find_value(&inside, g->output[0]->name);
    if (!y)
        onnx_fail(n->s->r, &at, "no node makes its output \"%.200s\"", g->output[0]->name);
    return y;
}
