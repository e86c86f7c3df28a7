/* Expands deferred nodes: imports the operator that a node keeps (defer.c) on its operands. */
#include "parser/formats.h"
#include "parser/onnx/base64.h"
#include "parser/onnx/defer.h"
#include "parser/onnx/import.h"
#include "parser/onnx/wire.h"

#include <string.h>

bool onnx_fail_row(void *reader, const void *at, const char *what)
{
    (void)at;
    return onnx_fail(reader, NULL, "%s", what);
}

const Onnx__ModelProto *onnx_deferred_model(const inlay_node *n, inlay_arena *a, inlay_diags *d)
{
    const char *text = inlay_node_string(n, "model");
    size_t size = 0;
    bool bad = !text;
    uint8_t *bytes = bad ? NULL : onnx_base64_read(text, &size, &bad, a);
    const Onnx__ModelProto *m =
        bytes ? onnx_wire_read(&onnx__model_proto__descriptor, bytes, size, n->graph->file, a, NULL)
              : NULL;

    if (m && m->graph && m->graph->n_node == 1 && m->graph->n_input == (size_t)n->n_in)
        return m;
    if (!bad && !m && (!bytes || inlay_arena_lacked(a)))
        inlay_fail_memory(d);
    else
        inlay_fail_node(d, n, "attribute \"model\" is no operator with %d operand%s in base64",
                        n->n_in, inlay_plural(n->n_in, "", "s"));
    return NULL;
}

bool onnx_deferred_means(const char *domain, const char *name, int64_t a, int64_t b)
{
    const onnx_operator *is = onnx_operator_find(domain, name, a);

    return is && is == onnx_operator_find(domain, name, b);
}

/* Gives the names of the operands the values IN, in a scope around the node. */
static bool define_operands(onnx_scope *s, const Onnx__GraphProto *g, inlay_value *const *in)
{
    bool ok = s->names != NULL;

    for (size_t i = 0; ok && i < g->n_input; i++)
        ok = g->input[i]->name && in[i] && onnx_define_value(s, g->input[i]->name, in[i]);
    return ok;
}

static bool import(onnx_reader *r, const inlay_node *n, inlay_graph *to, inlay_value *const *in,
                   inlay_value **out)
{
    const Onnx__ModelProto *m = r->model;
    const Onnx__NodeProto *p = m->graph->node[0];
    onnx_place at = {.field = "graph", .index = -1};
    onnx_scope around = {.r = r,
                         .graph = to,
                         .at = &at,
                         .names = assemble_scope_new(&r->a, NULL, to),
                         .imports = {m->opset_import, m->n_opset_import}};
    onnx_scope s = around;

    s.names = assemble_scope_new(&r->a, NULL, to);
    s.around = &around;
    if (!s.names || !define_operands(&around, m->graph, in) ||
        !onnx_import_node(&s, p, (size_t)n->place))
        return false;
    for (int i = 0; i < n->n_out && (size_t)i < p->n_output; i++)
        out[i] = *p->output[i] ? onnx_find_value(&s, p->output[i]) : NULL;
    return true;
}

/* Returns the index of the operand that is V, or of which V is a conversion element by element; -1:
 * none. */
static int operand_of(const inlay_node *n, inlay_value *const *in, const inlay_value *v)
{
    while (v) {
        for (int i = 0; i < n->n_in; i++) {
            if (in[i] == v)
                return i;
        }
        v = v->node->op->flags & INLAY_CONVERTS ? inlay_node_input(v->node, 0) : NULL;
    }
    return -1;
}

/* Passes the error in OWN on to D. Each import has messages of its own, so that an earlier error is
 * not taken for one of it. */
static void hand_on(const inlay_diags *own, inlay_diags *d)
{
    const inlay_diag *error = inlay_diags_error(own);
    inlay_pos pos = {error ? error->file : NULL, error ? error->line : 0};

    if (error && error->status == INLAY_NO_RESOURCE)
        inlay_fail_memory(d);
    else if (error)
        inlay_fail(d, &pos, "%s", error->text);
}

bool onnx_expand(const inlay_node *n, inlay_graph *to, inlay_value *const *in, inlay_value **out,
                 inlay_asked *asked, inlay_diags *d)
{
    static const assemble_words words = {onnx_fail_row, NULL};
    onnx_reader r = {.line = n->line};
    onnx_asked by = {.of = NULL};
    inlay_diags *own = inlay_diags_new();
    bool ok;

    r.a.words = &words;
    r.a.reader = &r;
    r.said = inlay_diags_new();
    if (!own || !r.said)
        inlay_fail_memory(d);
    ok = own && r.said && assemble_resume(&r.a, to, n->graph->file, own) &&
         (r.model = onnx_deferred_model(n, r.a.scratch, r.a.d)) && onnx_list_functions(&r);
    if (ok) {
        r.expanded = r.model->graph->node[0];
        r.asked = &by;
        ok = import(&r, n, to, in, out);
    }
    if (!ok && by.of && own && !inlay_diags_error(own)) {
        *asked = by.asked;
        asked->input = operand_of(n, in, by.of);
    }
    if (!ok && own)
        hand_on(own, d);
    inlay_diags_free(r.said);
    inlay_diags_free(own);
    assemble_leave(&r.a);
    return ok;
}
