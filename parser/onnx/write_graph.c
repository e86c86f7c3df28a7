/* Writes graphs: their inputs, nodes in order, outputs; variables, which become inputs and outputs.
 */
#include "ir/shared.h"
#include "parser/onnx/write.h"

#include <stdlib.h>
#include <string.h>

/* Lists the nodes on which an output or a variable depends, in the order in which the text form has
 * them. */
static bool find_order(onnx_writer *w, onnx_out_graph *out)
{
    inlay_order_list list;

    if (!inlay_order(out->g, false, &list, w->d))
        return w->failed = true, false;
    out->order = inlay_arena_array(w->a, list.n + 1, sizeof(inlay_node *));
    for (size_t i = 0; out->order && !w->failed && i < list.n; i++) {
        w->failed = !inlay_check_node(list.nodes[i], w->d);
        out->order[out->n_order++] = list.nodes[i];
    }
    inlay_order_free(&list);
    return out->order ? !w->failed : onnx_out_of_memory(w);
}

bool onnx_begin_graph(onnx_writer *w, onnx_out_graph *out, Onnx__GraphProto *proto,
                      const inlay_graph *g)
{
    *out = (onnx_out_graph){.g = g, .proto = proto, .outer = w->graph, .plain = true};
    out->values = inlay_arena_array(w->a, (size_t)g->next_id + 1, sizeof *out->values);
    out->stored = inlay_arena_array(w->a, (size_t)g->next_id + 1, sizeof *out->stored);
    out->results = inlay_arena_array(w->a, (size_t)g->n_results + 1, sizeof *out->results);
    out->protos = inlay_arena_array(w->a, (size_t)g->next_id + 1, sizeof *out->protos);
    w->graph = out;
    if (!proto || !out->values || !out->stored || !out->results || !out->protos)
        return onnx_out_of_memory(w);
    onnx_put_text(w, proto, "name", g->name && *g->name ? g->name : "graph");
    return find_order(w, out);
}

/* Adds the names that G uses to USED: its outputs, and what nodes read, also those in bodies. */
static void add_uses(onnx_writer *w, onnx_taken *used, const Onnx__GraphProto *g);

static void add_node_uses(onnx_writer *w, onnx_taken *used, const Onnx__NodeProto *p)
{
    for (size_t k = 0; k < p->n_input; k++)
        onnx_take_name(w, used, p->input[k]);
    for (size_t k = 0; k < p->n_attribute; k++) {
        if (p->attribute[k]->g)
            add_uses(w, used, p->attribute[k]->g);
    }
}

static void add_uses(onnx_writer *w, onnx_taken *used, const Onnx__GraphProto *g)
{
    for (size_t i = 0; i < g->n_output; i++)
        onnx_take_name(w, used, g->output[i]->name);
    for (size_t i = 0; i < g->n_node; i++)
        add_node_uses(w, used, g->node[i]);
}

static bool is_used(const onnx_taken *used, const Onnx__NodeProto *p)
{
    for (size_t k = 0; k < p->n_output; k++) {
        const struct onnx_taken_name *slot = onnx_taken_slot(used, p->output[k]);

        if (slot && slot->name)
            return true;
    }
    return false;
}

/* Removes nodes and initializers that nothing uses: an export may take what another one was made
 * of. */
static void prune(onnx_writer *w, Onnx__GraphProto *g)
{
    onnx_taken used = {0};
    size_t kept = g->n_node, n = 0;

    for (size_t i = 0; i < g->n_output; i++)
        onnx_take_name(w, &used, g->output[i]->name);
    for (size_t i = g->n_node; i-- > 0;) {
        if (!is_used(&used, g->node[i]))
            continue;
        add_node_uses(w, &used, g->node[i]);
        g->node[--kept] = g->node[i];
    }
    g->n_node -= kept;
    memmove(g->node, g->node + kept, g->n_node * sizeof(Onnx__NodeProto *));
    for (size_t i = 0; i < g->n_initializer; i++) {
        const struct onnx_taken_name *slot = onnx_taken_slot(&used, g->initializer[i]->name);

        if (slot && slot->name)
            g->initializer[n++] = g->initializer[i];
    }
    g->n_initializer = n;
}

static const Onnx__AttributeProto *perm_of(const Onnx__NodeProto *p)
{
    bool turns = strcmp(p->op_type, "Transpose") == 0 && p->n_attribute == 1;

    return turns && p->attribute[0]->n_ints > 0 ? p->attribute[0] : NULL;
}

static bool undoes(const Onnx__AttributeProto *a, const Onnx__AttributeProto *b)
{
    if (a->n_ints != b->n_ints)
        return false;
    for (size_t i = 0; i < a->n_ints; i++) {
        if (a->ints[i] < 0 || (size_t)a->ints[i] >= b->n_ints || b->ints[a->ints[i]] != (int64_t)i)
            return false;
    }
    return true;
}

/* Names that change places: each leads to the other. */
typedef struct swaps {
    onnx_taken taken; /* by name: 1 + the index of the other one */
    const char **other;
    size_t n, cap;
} swaps;

static void add_swap(onnx_writer *w, swaps *s, const char *a, const char *b)
{
    const char *const names[] = {a, b};

    for (int i = 0; i < 2 && !w->failed; i++) {
        struct onnx_taken_name *slot = onnx_take_name(w, &s->taken, names[i]);

        if (slot && !inlay_arena_grow(w->a, &s->other, s->n, &s->cap, sizeof *s->other))
            onnx_out_of_memory(w);
        if (w->failed)
            return;
        s->other[s->n++] = names[!i];
        slot->next = (unsigned)s->n;
    }
}

static void swap_names(const swaps *s, char **names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct onnx_taken_name *slot = onnx_taken_slot(&s->taken, names[i]);

        if (slot && slot->name)
            names[i] = (char *)(uintptr_t)s->other[slot->next - 1];
    }
}

/* In the nodes of G, and those of bodies. The recursion is as deep as bodies are nested. */
static void swap_all(const swaps *s, const Onnx__GraphProto *g)
{
    for (size_t i = 0; i < g->n_node; i++) {
        swap_names(s, g->node[i]->input, g->node[i]->n_input);
        swap_names(s, g->node[i]->output, g->node[i]->n_output);
        for (size_t k = 0; k < g->node[i]->n_attribute; k++) {
            if (g->node[i]->attribute[k]->g)
                swap_all(s, g->node[i]->attribute[k]->g);
        }
    }
}

/* What is transposed twice, by A and then by B, which undoes that, is what A reads: if an export
 * made up the name of that, it gets the one that B gives, as the graph calls it. */
static void keep_name(onnx_writer *w, swaps *s, const Onnx__NodeProto *a, const Onnx__NodeProto *b)
{
    struct onnx_taken_name *raw = onnx_taken_slot(&w->graph->taken, a->input[0]);
    const struct onnx_taken_name *given = onnx_taken_slot(&w->graph->taken, b->output[0]);

    if (!raw || !raw->name || !raw->made_up || !given || !given->name || given->made_up)
        return;
    raw->made_up = false;
    add_swap(w, s, a->input[0], b->output[0]);
}

/* Lets nodes, and those in bodies, read what was transposed twice before it was. MADE has, by name,
 * 1 + the index of the node of G that makes it. */
static void read_before(const Onnx__GraphProto *g, const onnx_taken *made, Onnx__NodeProto *p)
{
    for (size_t k = 0; k < p->n_input; k++) {
        const struct onnx_taken_name *slot = onnx_taken_slot(made, p->input[k]), *inner;
        const Onnx__NodeProto *outer = slot && slot->name ? g->node[slot->next - 1] : NULL;

        inner = outer && perm_of(outer) ? onnx_taken_slot(made, outer->input[0]) : NULL;
        if (inner && inner->name && perm_of(g->node[inner->next - 1]) &&
            undoes(perm_of(outer), perm_of(g->node[inner->next - 1])))
            p->input[k] = g->node[inner->next - 1]->input[0];
    }
    for (size_t k = 0; k < p->n_attribute; k++) {
        for (size_t i = 0; p->attribute[k]->g && i < p->attribute[k]->g->n_node; i++)
            read_before(g, made, p->attribute[k]->g->node[i]);
    }
}

static void cancel_turns(onnx_writer *w, const Onnx__GraphProto *g)
{
    onnx_taken made = {0};
    swaps names = {.n = 0};

    for (size_t i = 0; i < g->n_node && !w->failed; i++) {
        const Onnx__NodeProto *p = g->node[i];
        const struct onnx_taken_name *inner =
            perm_of(p) ? onnx_taken_slot(&made, p->input[0]) : NULL;

        if (inner && inner->name && perm_of(g->node[inner->next - 1]) &&
            undoes(perm_of(p), perm_of(g->node[inner->next - 1])))
            keep_name(w, &names, g->node[inner->next - 1], p);
        read_before(g, &made, g->node[i]);
        for (size_t k = 0; k < g->node[i]->n_output; k++) {
            struct onnx_taken_name *slot = onnx_take_name(w, &made, g->node[i]->output[k]);

            if (slot)
                slot->next = (unsigned)i + 1;
        }
    }
    if (!w->failed)
        swap_all(&names, g);
}

/* Gives each node a name of its own, as ONNX Runtime wants them. */
static void tell_apart(onnx_writer *w, const Onnx__GraphProto *g)
{
    onnx_taken taken = {0};

    for (size_t i = 0; i < g->n_node && !w->failed; i++) {
        const char *name = g->node[i]->name, *own = name && *name ? name : NULL;
        const struct onnx_taken_name *slot = own ? onnx_taken_slot(&taken, name) : NULL;
        struct onnx_taken_name *first = slot && slot->name ? onnx_take_name(w, &taken, name) : NULL;

        while (first && own && slot && slot->name) {
            first->next = first->next ? first->next + 1 : 2;
            own = inlay_arena_printf(w->a, "%s_%u", name, first->next);
            slot = own ? onnx_taken_slot(&taken, own) : NULL;
        }
        if (own)
            g->node[i]->name = (char *)(uintptr_t)own;
        if (name && *name && !(own && onnx_take_name(w, &taken, own)))
            onnx_out_of_memory(w);
    }
}

void onnx_end_graph(onnx_writer *w)
{
    if (w->turns && !w->failed)
        cancel_turns(w, w->graph->proto);
    if (!w->failed && w->graph->proto->n_node > 0) {
        prune(w, w->graph->proto);
        onnx_put_in_order(w, w->graph->proto);
        tell_apart(w, w->graph->proto);
    }
    w->graph = w->graph->outer;
}

/* Declares an input or output NAME with the facts of V. */
static bool declare(onnx_writer *w, const char *field, const char *name, const inlay_value *v)
{
    Onnx__ValueInfoProto *info = name ? onnx_put_message(w, w->graph->proto, field) : NULL;

    if (!info || !onnx_put_info(w, info, name, v, &v->fact))
        return false;
    onnx_put_value_info(w, info, v);
    return true;
}

/* Whether ONNX has a type for V: items may hold tensors alone, and are no map. */
static bool has_type(onnx_writer *w, const inlay_value *v)
{
    bool map = inlay_node_is(v->node, INLAY_OP_PARAMETER) && v->fact.rank == 1 &&
               inlay_dim_is_static(v->fact.dims[0]);

    if (v->fact.type != INLAY_ITEM)
        return onnx_put_type(w, v->fact.type);
    return !map && v->fact.rank >= 0 && inlay_type_info_of(onnx_content_type(v))->onnx != 0;
}

/* Refuses V, whose type ONNX does not have, or does not let stand open in an input. */
static bool refuse_type(onnx_writer *w, const inlay_value *v)
{
    onnx_export x = {.w = w, .n = v->node};

    put_refuse(&x, "a value of type %s", inlay_type_info_of(v->fact.type)->name);
    return true;
}

bool onnx_name_input(onnx_writer *w, int i)
{
    const inlay_value *v = &w->graph->g->params[i]->out[0];

    if (!has_type(w, v) && !refuse_type(w, v))
        return false;
    return onnx_name_new(w, v) && declare(w, "input", onnx_names_of(w, v->node)[0], v);
}

/* Gives the node that makes the first output the name and the information of X's node. */
static void name_node(onnx_export *x)
{
    Onnx__GraphProto *g = x->w->graph->proto;

    for (size_t i = g->n_node; i-- > x->first;) {
        Onnx__NodeProto *p = g->node[i];
        bool made = x->n->n_out == 0 ||
                    (p->n_output > 0 && p->output[0] == x->w->graph->values[x->n->id][0]);

        if (!made && i > x->first)
            continue;
        p->name = NULL;
        onnx_put_text(x->w, p, "name", x->n->name);
        onnx_put_node_info(x->w, p, x->n);
        x->w->graph->protos[x->n->id] = p;
        x->w->graph->plain = x->w->graph->plain && g->n_node == x->first + 1;
        return;
    }
}

static const onnx_exporter *exporter_of(onnx_writer *w, const inlay_op *op)
{
    if (op->row < 0)
        return NULL;
    if (!w->known[op->row])
        w->known[op->row] = onnx_exporter_find(op);
    return w->known[op->row];
}

/* Exporters give up for many reasons: where there was no memory, that is the one. */
static bool has_memory(onnx_writer *w)
{
    if (!inlay_arena_lacked(w->a))
        return true;
    w->failed = true;
    return inlay_fail_memory(w->d);
}

/* An export that is done has refused nothing. */
static bool export_by(onnx_export *x)
{
    bool done = x->how->export ? x->how->export(x) : put_same(x);

    if (done && x->refused)
        x->w->failed = !inlay_fail(x->w->d, NULL,
                                   "a fault of Inlay: the export of %s went on where it is refused",
                                   x->n->op->name);
    return done;
}

static bool export_node(onnx_writer *w, const inlay_node *n)
{
    onnx_export x = {.w = w, .n = n, .version = w->version, .first = w->graph->proto->n_node};
    int refused = w->n_refused;

    x.how = exporter_of(w, n->op);
    if (!x.how)
        put_refuse(&x, "there is no operator for it");
    else if (x.how->since > x.version && !put_needs(&x, x.how->since, x.how->as ? x.how->as : "it"))
        return true;
    else if (!export_by(&x) && w->n_refused == refused && !w->failed && has_memory(w))
        put_refuse(&x, "it has no form with these operands");
    else
        name_node(&x);
    return !w->failed;
}

/* Whether V may be an output under its own name: a node of this graph makes it. */
static bool is_made(const onnx_writer *w, const inlay_value *v)
{
    return v->node->graph == w->graph->g && !inlay_node_is(v->node, INLAY_OP_PARAMETER) &&
           !inlay_node_is(v->node, INLAY_OP_CONST);
}

/* Names outputs of the model as users know them. A value that is two outputs has the name of the
 * first one. */
static bool name_results(onnx_writer *w)
{
    const inlay_graph *g = w->graph->g;
    const char *const *wanted;

    if (g->owner)
        return true;
    if (!(wanted = inlay_result_names_in(g, w->a, w->d)))
        return w->failed = true, false;
    for (int i = 0; i < g->n_results; i++) {
        const inlay_value *v = inlay_node_input(g->results[i], 0);
        const char **names = v ? onnx_names_of(w, v->node) : NULL;
        bool same = names && inlay_node_is(v->node, INLAY_OP_PARAMETER) && names[v->index] &&
                    strcmp(names[v->index], wanted[i]) == 0;

        if (!names)
            return false;
        w->graph->results[i] = same ? names[v->index] : onnx_new_name(w, wanted[i]);
        if (!w->graph->results[i])
            return false;
        if (is_made(w, v) && !names[v->index])
            names[v->index] = w->graph->results[i];
    }
    return true;
}

/* Names that are given come before those of nodes, which the reader may have made up. */
static bool name_values(onnx_writer *w)
{
    const onnx_out_graph *out = w->graph;
    bool ok = name_results(w);

    for (int given = 1; given >= 0; given--) {
        for (size_t i = 0; ok && i < out->n_order; i++) {
            const inlay_node *n = out->order[i];

            for (int k = 0; ok && k < n->n_out; k++)
                ok = (n->out[k].n_names > 0) != given || onnx_name_new(w, &n->out[k]);
        }
    }
    return ok;
}

bool onnx_put_nodes(onnx_writer *w)
{
    const onnx_out_graph *out = w->graph;
    bool ok = name_values(w);

    for (size_t i = 0; ok && i < out->n_order; i++) {
        const inlay_node *n = out->order[i];

        if (inlay_node_is(n, INLAY_OP_PARAMETER) || inlay_node_is(n, INLAY_OP_CONST) ||
            inlay_node_is(n, INLAY_OP_RESULT) || out->stored[n->id])
            continue;
        ok = export_node(w, n);
    }
    if (ok && w->n_refused == 0)
        onnx_put_notes(w);
    return ok && !w->failed;
}

static bool is_declared(const Onnx__GraphProto *g, const char *name)
{
    for (size_t i = 0; i < g->n_output; i++) {
        if (g->output[i]->name == name)
            return true;
    }
    return false;
}

bool onnx_put_output_of(onnx_writer *w, const inlay_value *v, const char *name,
                        const inlay_fact *fact)
{
    bool own = !v || (is_made(w, v) && !is_declared(w->graph->proto, name));
    const char *to = own ? name : onnx_new_name(w, name);
    Onnx__ValueInfoProto *info;

    if (!to || (!own && !onnx_put_identity(w, name, to)))
        return false;
    info = onnx_put_message(w, w->graph->proto, "output");
    return info && onnx_put_info(w, info, to, fact->type == INLAY_ITEM ? v : NULL, fact);
}

bool onnx_put_output(onnx_writer *w, int i)
{
    const inlay_value *v = inlay_node_input(w->graph->g->results[i], 0);
    const char *name = onnx_value_name(w, v), *wanted = w->graph->results[i];

    if (!name)
        return false;
    if (!has_type(w, v) && v->fact.type != INLAY_DYNAMIC && !refuse_type(w, v))
        return false;
    if (w->graph->g->owner)
        return onnx_put_output_of(w, v, name, &v->fact);
    return (name == wanted || onnx_put_identity(w, name, wanted)) &&
           declare(w, "output", wanted, v);
}

/* The facts of VARIABLE as those of a value: where it has none, those of the node that reads it. */
static inlay_fact fact_of(const onnx_writer *w, const inlay_variable *variable)
{
    inlay_fact f = {.type = variable->type, .rank = variable->rank, .dims = variable->dims};

    for (size_t i = 0; f.type == INLAY_DYNAMIC && i < w->graph->n_order; i++) {
        const inlay_node *n = w->graph->order[i];

        if (inlay_node_is(n, INLAY_OP_READ_VALUE) &&
            inlay_node_attr(n, "variable_id")->as.variable == variable)
            f = n->out[0].fact;
    }
    return f;
}

static bool declare_variable(onnx_writer *w, const char *field, const char *name,
                             const inlay_variable *variable)
{
    Onnx__ValueInfoProto *info = name ? onnx_put_message(w, w->model->graph, field) : NULL;
    inlay_fact f = fact_of(w, variable);

    return info && onnx_put_info(w, info, name, NULL, &f);
}

const char *onnx_past(onnx_writer *w, const inlay_variable *variable)
{
    return w->past[variable->index];
}

static bool name_variables(onnx_writer *w, const inlay_graph *g)
{
    bool ok = true;

    w->past = inlay_arena_array(w->a, (size_t)g->n_variables + 1, sizeof *w->past);
    w->present = inlay_arena_array(w->a, (size_t)g->n_variables + 1, sizeof *w->present);
    if (!w->past || !w->present)
        return onnx_out_of_memory(w);
    for (int i = 0; ok && i < g->n_variables; i++) {
        w->past[i] = onnx_new_name(w, inlay_arena_printf(w->a, "past_%s", g->variables[i]->name));
        ok = w->past[i] && declare_variable(w, "input", w->past[i], g->variables[i]);
    }
    return ok;
}

bool onnx_put_present(onnx_writer *w, const inlay_variable *variable, const char *name)
{
    const char *present = onnx_new_name(w, inlay_arena_printf(w->a, "present_%s", variable->name));

    w->present[variable->index] = true;
    return present && onnx_put_identity(w, name, present) &&
           declare_variable(w, "output", present, variable);
}

bool onnx_put_model_graph(onnx_writer *w, const inlay_graph *g)
{
    onnx_out_graph out;
    bool ok;

    w->graph = NULL;
    ok = onnx_begin_graph(w, &out, w->model->graph, g);
    for (int i = 0; ok && i < g->n_params; i++)
        ok = onnx_name_input(w, i);
    ok = ok && name_variables(w, g) && onnx_put_nodes(w);
    for (int i = 0; ok && i < g->n_results; i++)
        ok = onnx_put_output(w, i);
    for (int i = 0; ok && i < g->n_variables; i++)
        ok = w->present[i] || onnx_put_present(w, g->variables[i], w->past[i]);
    onnx_end_graph(w);
    return ok;
}
